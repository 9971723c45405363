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
    /// Sections that take long: made with `--long` only, and compared as `Sections`.
    Long { make: fn() -> Result<String>, tolerance: f64, minutes: u32 },
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

const TIMES: &str = "times are those of the machine that ran the command";

/// All items.
pub const ITEMS: &[Item] = &[
    Item {
        file: "choosing-the-bristle.md",
        sections: &["bristle"],
        command: "bristle",
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
        sections: &["creep-summary", "creep-claims", "creep-tables"],
        command: "creep --page",
        check: Check::Sections { make: creep_page, tolerance: TWO_DIGITS },
    },
    Item {
        file: "papers.md",
        sections: &["numbers", "regularisations"],
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
        sections: &["papers", "contacts", "frdyn2.csv"],
        command: "figures",
        check: Check::Curves { tolerance: THINNED },
    },
    pictures("papers.md", "figures", "papers", &["papers"], &["papers"], Some("papers.md")),
    pictures("contacts.md", "figures", "contacts", &["contacts"], &["contacts"], Some("contacts.md")),
    pictures(
        "coupling-theory.md",
        "coupling-theory",
        "coupling_theory",
        &[],
        &["coupling_theory.svg"],
        Some("coupling-theory.md"),
    ),
    pictures("../README.md", "figures", "frdyn2", &["frdyn2.csv"], &["frdyn2.svg"], None),
    pictures("coupling.md", "coupling", "coupling", &["coupling.csv"], &["coupling.svg"], None),
    pictures("performance.md", "performance", "work_precision", &["work_precision.tsv"], &["work_precision.svg"], None),
    pictures("compare.md", "compare", "compare", &["compare.tsv"], &["compare.svg"], None),
    pictures("study.md", "study", "study", &["study.csv"], &["study_bench.svg", "study_festoon.svg"], None),
    pictures("creep.md", "creep --page", "creep", &["creep.csv"], &["creep.svg", "creep"], None),
    pictures(
        "identification.md",
        "identification",
        "identification",
        &["identification.csv"],
        &["identification.svg"],
        None,
    ),
    pictures("numerics.md", "numerics", "numerics", &["numerics"], &["."], None),
    Item {
        file: "coupling.md",
        sections: &[
            "scenarios",
            "windows",
            "more",
            "festoon",
            "survey",
            "survey cells",
            "masters",
            "supports",
            "variants",
        ],
        command: "coupling",
        check: Check::Long { make: coupling, tolerance: TWO_DIGITS, minutes: 30 },
    },
    Item {
        file: "compare.md",
        sections: &["instructions"],
        command: "compare",
        check: Check::Long { make: || made("instructions"), tolerance: TWO_DIGITS, minutes: 5 },
    },
    not_made("creep.md", &[], "creep", "the rates of all elements take about 20 minutes"),
    not_made("numerics.md", &[], "numerics", "the tests that calculate them are compiled apart, and take minutes"),
    not_made("compare.md", &["rest", "rigs"], "compare", TIMES),
    not_made("coupling.md", &["costs"], "coupling", TIMES),
    not_made("study.md", &[], "study", TIMES),
    not_made("performance.md", &["machine", "cvode", "peers", "floors", "moving", "precision"], "performance", TIMES),
    not_made("realtime.md", &["realtime"], "realtime", TIMES),
    not_made("stress.md", &["steps", "elements", "plane", "rest"], "stress", "the long run takes hours"),
    not_made("elements.md", &["elements"], "elements", TIMES),
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
    let table = workspace::root().join("docs/figures/creep.csv");
    workspace::output(&mut experiments::program(["creep-page".as_ref(), table.as_os_str()]))
}

/// The tables of the coupled body.
fn coupling() -> Result<String> {
    workspace::output(&mut experiments::program(["coupling".as_ref(), workspace::made()?.as_os_str()]))
}
