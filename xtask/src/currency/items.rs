//! The table of everything in `docs/` that a command makes: file, sections, command, and its check.

use anyhow::Result;

use crate::{experiments, workspace};

/// A page with its sections, or data and pictures.
pub struct Item {
    /// Page, file or folder below `docs/`.
    pub file: &'static str,
    /// Sections of a page.
    pub sections: &'static [&'static str],
    /// Command of `cargo xtask` that makes it.
    pub command: &'static str,
    pub check: Check,
}

impl Item {
    /// File, and its sections or pictures.
    pub fn name(&self) -> String {
        let parts = match &self.check {
            Check::Pictures(pictures) => pictures.pictures,
            _ => self.sections,
        };
        format!("{}: {}", self.file, if parts.is_empty() { "data".to_owned() } else { parts.join(", ") })
    }
}

/// Check of an item.
pub enum Check {
    /// The sections are made anew. Numbers may differ by this share of the larger one, text not at all.
    Sections { make: fn() -> Result<String>, tolerance: f64 },
    /// The tables of curves in a folder are made anew. Values may differ by this share of the range of their column.
    Curves { tolerance: f64 },
    /// The pictures are drawn again from their committed tables, by a script of `experiments/figures`.
    Pictures(Pictures),
    /// A stage or unit test compares them; the text names it.
    Elsewhere(&'static str),
    /// Not made here; the text is the reason. The page says from which commit it was made.
    NotMade(&'static str),
}

/// Pictures of one script.
pub struct Pictures {
    /// Name of the script, as `draw.py` takes it.
    pub script: &'static str,
    /// Tables that it reads, below `docs/figures`.
    pub tables: &'static [&'static str],
    /// Pictures or folders of pictures that it writes, below `docs/figures`.
    pub pictures: &'static [&'static str],
    /// Page whose sections it prints.
    pub page: Option<&'static str>,
}

/// Rounding of numbers that are printed with two digits.
const TWO_DIGITS: f64 = 0.05;
/// Tables of curves leave out points within 1e-3 of a straight line, so that two of them may differ by twice as much.
const THINNED: f64 = 2.5e-3;

const TIMES: &str = "nothing: times are those of the machine that ran the command";

/// All items.
pub const ITEMS: &[Item] = &[
    Item {
        file: "choosing-the-bristle.md",
        sections: &["bristle"],
        command: "figures",
        check: Check::Sections { make: || made("bristle"), tolerance: TWO_DIGITS },
    },
    Item {
        file: "contacts.md",
        sections: &["rigs"],
        command: "validate-paper",
        check: Check::Sections { make: || made("motions"), tolerance: TWO_DIGITS },
    },
    Item {
        file: "creep.md",
        sections: &["creep"],
        command: "creep --page",
        check: Check::Sections { make: creep_page, tolerance: TWO_DIGITS },
    },
    Item {
        file: "elements.md",
        sections: &["elements"],
        command: "creep --page",
        check: Check::Sections { make: creep_page, tolerance: TWO_DIGITS },
    },
    Item {
        file: "papers.md",
        sections: &["numbers"],
        command: "validate-paper",
        check: Check::Elsewhere("the stage `every number of the papers`"),
    },
    Item {
        file: "elements.md",
        sections: &["capabilities"],
        command: "figures",
        check: Check::Elsewhere("the unit test page_has_the_table_of_capabilities"),
    },
    Item {
        file: "figures",
        sections: &["contact.svg"],
        command: "figures --sketch",
        check: Check::Elsewhere("the unit test committed_sketch_is_that_of_the_exporter"),
    },
    Item {
        file: "figures",
        sections: &["papers", "frdyn2.csv"],
        command: "figures",
        check: Check::Curves { tolerance: THINNED },
    },
    pictures("papers.md", "figures", "papers", &["papers"], &["papers"], Some("papers.md")),
    pictures(
        "coupling-theory.md",
        "figures",
        "coupling_theory",
        &[],
        &["coupling_theory.svg"],
        Some("coupling-theory.md"),
    ),
    pictures("../README.md", "figures", "frdyn2", &["frdyn2.csv"], &["frdyn2.svg"], None),
    pictures(
        "performance.md",
        "performance",
        "work_precision",
        &["../data/work_precision.tsv"],
        &["work_precision.svg"],
        None,
    ),
    pictures("compare.md", "compare", "compare", &["../data/compare.csv"], &["compare.svg"], None),
    pictures("creep.md", "creep --page", "creep", &["../data/creep.csv"], &["creep.svg"], None),
    pictures(
        "identification.md",
        "identification",
        "identification",
        &["identification.csv"],
        &["identification.svg"],
        None,
    ),
    pictures("numerics.md", "numerics", "numerics", &["numerics"], &["."], None),
    elsewhere("compare.md", &["compare"], "compare", TIMES),
    Item {
        file: "coupling.md",
        sections: &["survey"],
        command: "coupling",
        check: Check::Sections { make: coupling, tolerance: TWO_DIGITS },
    },
    elsewhere("performance.md", &["performance"], "performance", TIMES),
    elsewhere("realtime.md", &["realtime"], "realtime", TIMES),
    elsewhere(
        "internals/stress.md",
        &["elements", "plane", "rest"],
        "stress --long-run",
        "the short run of the stage of random steps: the long run takes hours",
    ),
    not_made("numerics.md", &[], "numerics", "the tests that calculate them are compiled apart, and take minutes"),
    not_made(
        "identification.md",
        &["claims", "accuracy", "choice", "costs"],
        "identification",
        "the study takes hours",
    ),
    not_made(
        "importers.md",
        &["matrix"],
        "importers",
        "importers are stages of their own, which compare the same forces",
    ),
    not_made(
        "platforms.md",
        &["libraries", "tools", "fmus", "bits"],
        "dist",
        "a release for all platforms needs their tools",
    ),
];

const fn pictures(
    file: &'static str,
    command: &'static str,
    script: &'static str,
    tables: &'static [&'static str],
    pictures: &'static [&'static str],
    page: Option<&'static str>,
) -> Item {
    Item { file, sections: &[], command, check: Check::Pictures(Pictures { script, tables, pictures, page }) }
}

const fn elsewhere(
    file: &'static str,
    sections: &'static [&'static str],
    command: &'static str,
    place: &'static str,
) -> Item {
    Item { file, sections, command, check: Check::Elsewhere(place) }
}

const fn not_made(
    file: &'static str,
    sections: &'static [&'static str],
    command: &'static str,
    reason: &'static str,
) -> Item {
    Item { file, sections, command, check: Check::NotMade(reason) }
}

/// Output of an experiment without arguments.
fn made(name: &str) -> Result<String> {
    workspace::output(&mut experiments::program([name.as_ref()]))
}

/// The page of creep from its committed table.
fn creep_page() -> Result<String> {
    let table = workspace::root().join("docs/data/creep.csv");
    workspace::output(&mut experiments::program(["creep-page".as_ref(), table.as_os_str()]))
}

/// The grades of coupled bodies.
fn coupling() -> Result<String> {
    let cells = workspace::made()?.join("coupling.csv");
    workspace::output(&mut experiments::program(["coupling".as_ref(), cells.as_os_str()]))
}
