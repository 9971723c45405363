//! The stages of the lab in the browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, find};

use super::stage::{Obstacle, Outcome, Stage, output, passed};
use crate::console::say;
use crate::package::platforms::Platforms;
use crate::tools::Tool;
use crate::{files, libraries, site, web, workspace};

/// Packages of npm with their versions: what drives Chromium, and rules of accessible pages.
const PACKAGES: [&str; 2] = ["playwright-core@1.65.1", "axe-core@4.14.1"];

/// Card whose FMUs are compared.
const CARD: &str = "name = \"FrDyn2\"\nlaw = \"FrDyn2\"\n";

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
        Stage::new("the site: every page is made, every link resolves", |_| {
            passed(pages())
        }),
        Stage::long(
            "the lab's module calculates the bits of the library in Node",
            |_| {
                needs_tools(&[Tool::Node])?;
                passed(same_bits())
            },
        ),
        Stage::long("the lab in Chromium, as a visitor uses it", |_| {
            needs_tools(&[Tool::Node, Tool::Npm, Tool::Chromium])?;
            passed(visit())
        }),
        Stage::long("the site in Chromium: links, width, contrast", |_| {
            needs_tools(&[Tool::Node, Tool::Npm, Tool::Chromium])?;
            passed(look())
        }),
    ]
}

/// Skips a stage for want of a tool.
fn needs_tools(tools: &[Tool]) -> Outcome {
    match tools.iter().find_map(|tool| tool.missing()) {
        None => Ok(()),
        Some(why) => Err(Obstacle::Skipped(format!("{why}."))),
    }
}

/// Sections that a law's card gets, where the law takes them.
const SECTIONS: [&str; 4] = [
    "",
    "\n[block]\nmass = 0.5\nstiffness = 900.0\ndamping = 2.0\n",
    "motion = \"planar\"\n",
    "\n[contacts]\ncount = 3\n",
];

/// Compares random steps of cards in the module with those in this program: of every law, alone and
/// with sections, and those of `cards/`.
fn same_bits() -> Result<()> {
    let laws = ELEMENTS.iter().flat_map(|law| {
        let name = law.metadata.name;
        SECTIONS.map(|section| format!("name = \"A\"\nlaw = \"{name}\"\n{section}"))
    });
    let cards: Vec<String> = laws.chain(web::cards()?.into_values()).collect();
    let list = workspace::made()?.join("cards.json");
    files::write(&list, serde_json::to_string(&cards)?)?;
    let transcripts = |command: &mut Command| -> Result<Vec<String>> {
        let printed = workspace::output(command.stdin(std::fs::File::open(&list)?))?;
        let transcripts: Vec<String> = serde_json::from_str(&printed)?;
        ensure!(transcripts.len() == cards.len(), "some cards did not run");
        Ok(transcripts)
    };
    let mut module = Command::new("node");
    module.arg(workspace::root().join("web/tests/node.mjs"));
    let found = transcripts(module.arg(web::glue()?))?;
    let mut library = workspace::cargo();
    library.args(["run", "--quiet", "--release", "-p", "bristle-web"]);
    let native = transcripts(library.args(["--example", "transcripts"]))?;
    let mut compared = 0;
    for ((card, expected), found) in cards.iter().zip(&native).zip(&found) {
        let mut lines = expected.lines().zip(found.lines()).enumerate();
        let differs = lines.find(|(_, (native, module))| native != module);
        ensure!(differs.is_none(), "{card}\ndiffers in {differs:?}");
        ensure!(expected.len() == found.len(), "{card}\nends early");
        let refused = expected.lines().filter(|line| *line == "refused").count();
        ensure!(
            10 * refused <= expected.lines().count(),
            "{card}\nrefuses {refused} steps"
        );
        compared += usize::from(!expected.is_empty());
    }
    say!("{compared} of {} cards, with the same bits", cards.len());
    ensure!(compared > 80, "most cards were refused");
    Ok(())
}

/// Makes the pages of the site as mdBook takes them.
fn pages() -> Result<()> {
    let site = site::Site::gather()?;
    let faults = site.faults();
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    let count = site.count();
    ensure!(count > 60, "the site has {count} pages only");
    say!("{count} pages");
    Ok(())
}

/// Runs a script of `web/tests` in Chromium, and returns what it says and its folder.
fn in_chromium(script: &str, subject: &Path) -> Result<(String, PathBuf)> {
    let folder = workspace::target().join("playwright");
    files::make_folder(&folder)?;
    let mut install = Command::new("npm");
    install
        .args(["install", "--no-save", "--silent", "--prefix"])
        .arg(&folder)
        .args(PACKAGES);
    workspace::run(&mut install)?;
    // The script finds the packages beside itself.
    let path = folder.join(script);
    files::copy(&workspace::root().join("web/tests").join(script), &path)?;
    let chromium = workspace::find("chromium").context("Chromium is missing")?;
    let mut node = Command::new("node");
    node.arg(path).arg(chromium).arg(subject).arg(&folder);
    Ok((output(node.current_dir(&folder))?, folder))
}

/// Uses the page in Chromium.
fn visit() -> Result<()> {
    let page = web::build()?;
    let law = find("FrDyn2").context("a law of the catalogue")?;
    let source = web::sources(&[law])?;
    let (said, folder) = in_chromium("chromium.mjs", &page)?;
    ensure!(said.contains("16 laws drawn"), "{said}");
    let parts: [(&str, &[u8]); 1] = [("sources", &source[0])];
    let expected = bristle_web::export(CARD, &parts, &web::licences_json()?);
    let expected = expected.map_err(anyhow::Error::msg)?;
    ensure!(
        files::read(&folder.join("FrDyn2.fmu"))? == expected,
        "the page's FMU has other bytes than that of this program"
    );
    Ok(())
}

/// Looks at every page of the site, and takes an FMU with this machine's library from it, which
/// has the bytes of `bristle export`.
fn look() -> Result<()> {
    if !libraries::are_current(&libraries::folder()) {
        libraries::build(&Platforms::Host, &libraries::folder())?;
    }
    site::build()?;
    let (said, folder) = in_chromium("site.mjs", &site::folder())?;
    ensure!(said.contains("as they must be"), "{said}");
    say!("{}", said.trim_end());
    let card = folder.join("FrDyn2.toml");
    files::write(&card, CARD)?;
    let mut bristle = workspace::cargo();
    bristle.args(["run", "--quiet", "-p", "bristle-cli", "--", "export"]);
    bristle
        .arg(card)
        .args(["--platform", "linux64", "--force", "--out"]);
    workspace::run(
        bristle
            .arg(&folder)
            .env("BRISTLE_LIBRARIES", libraries::folder()),
    )?;
    ensure!(
        files::read(&folder.join("libraries.fmu"))? == files::read(&folder.join("FrDyn2.fmu"))?,
        "the FMU of the site has other bytes than that of `bristle export`"
    );
    Ok(())
}
