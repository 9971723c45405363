//! The stages of the lab in the browser.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use bristle::catalogue::{ELEMENTS, find};

use super::stage::{Obstacle, Outcome, Stage, output, passed};
use crate::console::say;
use crate::tools::Tool;
use crate::{files, web, workspace};

/// Package of npm that drives Chromium, and its version.
const PLAYWRIGHT: &str = "playwright-core@1.65.1";

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    vec![
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

/// Uses the page in Chromium.
fn visit() -> Result<()> {
    let page = web::build()?;
    let law = find("FrDyn2").context("a law of the catalogue")?;
    let source = web::sources(&[law])?;
    let folder = workspace::target().join("playwright");
    files::make_folder(&folder)?;
    let mut install = Command::new("npm");
    install
        .args(["install", "--no-save", "--silent", "--prefix"])
        .arg(&folder)
        .arg(PLAYWRIGHT);
    workspace::run(&mut install)?;
    // The script finds the package beside itself.
    let script = folder.join("chromium.mjs");
    files::copy(&workspace::root().join("web/tests/chromium.mjs"), &script)?;
    let mut visit = Command::new("node");
    let chromium = workspace::find("chromium").context("Chromium is missing")?;
    visit.arg(&script).arg(chromium).arg(page).arg(&folder);
    let said = output(visit.current_dir(&folder))
        .context("the page does not do what a visitor expects")?;
    ensure!(said.contains("16 laws drawn"), "{said}");
    let card = "name = \"FrDyn2\"\nlaw = \"FrDyn2\"\n";
    let expected = bristle_web::export(card, &source[0], &web::licences_json()?);
    let expected = expected.map_err(anyhow::Error::msg)?;
    ensure!(
        files::read(&folder.join("FrDyn2.fmu"))? == expected,
        "the page's FMU has other bytes than that of this program"
    );
    Ok(())
}
