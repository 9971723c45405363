//! Mutants of the integrators, laws, coupling, C interface and card parser: the changes of cargo-mutants, one at a time.
//!
//! A mutant is made in a copy of the sources, where cargo compiles only what it changes. The tests in its own file come first, then a
//! short stress run on its library without optimisation, then its unit tests, suites and longer runs. Suites and stress runs were compiled
//! before, from sources without a change. The first judge that fails, or takes several times as long as without a mutant, kills it.

mod judges;
mod mutants;
pub mod survivors;
pub mod totals;
mod tree;

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, ensure};

use super::{Options, folder, record};
use crate::console::say;
use crate::{files, workspace};
use judges::{Judge, Judges};
use tree::Tree;

/// Sources whose mutants are drawn, and what judges them.
pub struct Scope {
    pub name: &'static str,
    sources: &'static [&'static str],
    /// Judges of the elements' library without optimisation, which compiles faster.
    quick: &'static [Judge],
    /// Judges of the optimised library, in order; none where the library does not contain the sources.
    judges: &'static [Judge],
    /// Package with the unit tests, and their names; all where there is none.
    package: &'static str,
    tests: &'static [&'static str],
}

/// Random steps of FrDyn2, of every element and of the laws in the plane against independent integrators.
const STRESS: [Judge; 3] =
    [Judge::stress(&["rest", "4000"]), Judge::stress(&["elements", "25", "1"]), Judge::stress(&["plane", "8", "1"])];
/// Some of these steps.
const QUICK: [Judge; 2] = [Judge::stress(&["rest", "4000"]), Judge::stress(&["elements", "5", "1"])];
/// Some of these steps, with those in the plane.
const QUICK_OF_LAWS: [Judge; 3] = [QUICK[0], QUICK[1], Judge::stress(&["plane", "2", "1"])];
/// Coupled rigs of seconds.
const OF_BODIES: [Judge; 4] = [
    Judge::suite("coupling"),
    Judge::suite("coupling_steps"),
    Judge::suite("coupling_monitor"),
    Judge::suite("coupling_support"),
];
/// Laws on their own, by FMUs.
const LAWS: [Judge; 9] = [
    STRESS[0],
    STRESS[1],
    Judge::suite("interpolation"),
    Judge::suite("model_exchange"),
    Judge::suite("laws"),
    Judge::suite("accuracy"),
    Judge::suite("test_bench"),
    Judge::suite("directional_derivatives"),
    STRESS[2],
];
/// Laws and the bodies they act on.
const COUPLING: [Judge; 9] = [
    OF_BODIES[0],
    OF_BODIES[1],
    OF_BODIES[2],
    OF_BODIES[3],
    Judge::suite("one_contact"),
    Judge::suite("chatter"),
    Judge::suite("state"),
    Judge::suite("abi"),
    Judge::suite("cards"),
];
/// Functions of FMI, with legal and illegal calls.
const INTERFACE: [Judge; 13] = [
    Judge::suite("abi"),
    Judge::suite("state"),
    Judge::suite("interpolation"),
    Judge::suite("model_exchange"),
    Judge::part("laws", &["model_exchange"]),
    Judge::suite("directional_derivatives"),
    Judge::suite("step_limit"),
    Judge::suite("chatter"),
    Judge::suite("floating_point"),
    Judge::suite("threads"),
    Judge::suite("memory"),
    Judge::suite("random_calls"),
    Judge::suite("cards"),
];

/// All scopes.
pub const SCOPES: [Scope; 5] = [
    Scope {
        name: "integrate",
        sources: &["src/integrate/**"],
        quick: &QUICK,
        judges: &LAWS,
        package: "bristle",
        tests: &["integrate::", "properties::", "laws::frdyn2", "inner_steps"],
    },
    Scope {
        name: "laws",
        sources: &["src/law.rs", "src/law/**", "src/laws/**"],
        quick: &QUICK_OF_LAWS,
        judges: &LAWS,
        package: "bristle",
        tests: &["laws::", "law::", "properties::", "coupling::body::"],
    },
    Scope {
        name: "coupling",
        sources: &["src/coupling/**"],
        quick: &OF_BODIES,
        judges: &COUPLING,
        package: "bristle",
        tests: &["coupling::", "assembly::", "element::", "inner_steps"],
    },
    Scope {
        name: "interface",
        sources: &["fmu/src/**"],
        quick: &[],
        judges: &INTERFACE,
        package: "bristle-fmu",
        tests: &[],
    },
    Scope {
        name: "cards",
        sources: &["export/src/card/**"],
        quick: &[],
        judges: &[],
        package: "bristle-export",
        tests: &["card::"],
    },
];

/// Mark of a shard that counts: all judges, and sources later than the tests that survivors of earlier shards led to.
const COUNTS: &str = "yes";
/// Columns of the table.
const COLUMNS: &str =
    "scope\tshard\tdate\tcommit\tmutants\tnot compiled\tsame library\tkilled\tsurvived\tshare killed\tcounts";

/// Fate of a mutant.
enum Fate {
    NotCompiled,
    /// Compiled to the same bytes: code for other processors or for laws of other crates, and constants with the same value.
    Same,
    /// By the judge of this name.
    Killed(String),
    Survived,
}

/// Judges the mutants of a shard of each scope, and records how many are killed and which survive.
pub fn measure(options: &Options) -> Result<()> {
    let commit = record::commit()?;
    let is_chosen = |scope: &&Scope| options.scopes.is_empty() || options.scopes.iter().any(|name| name == scope.name);
    let tree = Tree::copy()?;
    for scope in SCOPES.iter().filter(is_chosen) {
        let all = mutants::list(scope.sources)?;
        let mutants = mutants::shard(all, &options.shard, &options.mutants)?;
        let of_units = (scope.package, scope.tests);
        let mut judges = Judges::of([scope.quick, scope.judges], of_units, options.only_first, &tree)?;
        let log = workspace::target().join(format!("mutants/{}-{}.tsv", scope.name, options.shard.replace('/', "-")));
        let (mut text, mut counts) = (String::new(), [0; 4]);
        for (i, mutant) in mutants.iter().enumerate() {
            let start = Instant::now();
            let fate =
                tree.with(&mutant.file, |text| mutant.apply(text), || judges.judge(&tree, Some(&mutant.file)))?;
            let (place, said) = match &fate {
                Fate::NotCompiled => (0, "not compiled".to_owned()),
                Fate::Same => (1, "the same library".to_owned()),
                Fate::Killed(judge) => (2, format!("killed by {judge}")),
                Fate::Survived => (3, "SURVIVED".to_owned()),
            };
            counts[place] += 1;
            let line = format!("{}\t{said}\t{} s\n", mutant.name, start.elapsed().as_secs());
            say!("{}/{} {}", i + 1, mutants.len(), line.trim_end());
            text += &line;
            files::write(&log, &text)?;
            if options.mutants.is_empty() {
                record(scope.name, options, &commit, [i + 1, mutants.len()], counts)?;
            }
        }
        say!("{}: {counts:?} not compiled, the same, killed, survived; one by one in {}", scope.name, log.display());
    }
    Ok(())
}

/// Writes the row of a shard in place of an earlier one, after every mutant: a run may be ended at any time.
fn record(
    scope: &str,
    options: &Options,
    commit: &str,
    [judged, of]: [usize; 2],
    [not_compiled, same, killed, survived]: [usize; 4],
) -> Result<()> {
    let path = folder(&workspace::root()).join("mutation.tsv");
    let known = files::read_text(&path).unwrap_or_default();
    let shard = &options.shard;
    let is_other = |row: &&str| !is_of_shard(row, scope, shard);
    let mut rows: Vec<String> = known.lines().skip(2).filter(is_other).map(str::to_owned).collect();
    let mut part = if judged < of { format!(", the first {judged} of {of}") } else { String::new() };
    if options.only_first {
        part += ", first judges only";
    }
    let key = format!("{scope}\t{shard}{part}\t");
    let share = 100.0 * killed as f64 / (killed + survived).max(1) as f64;
    let counts = if options.only_first { totals::FIRST_ONLY } else { COUNTS };
    let (date, mutants) = (record::today()?, not_compiled + same + killed + survived);
    rows.push(format!(
        "{key}{date}\t{commit}\t{mutants}\t{not_compiled}\t{same}\t{killed}\t{survived}\t{share:.0} %\t{counts}"
    ));
    rows.sort();
    let command = "`cargo xtask assurance mutation --shard K/N --scope NAME`";
    let head = format!("# {date}, {command}, each row with its own commit\n{COLUMNS}\n");
    files::write(&path, rows.iter().fold(head, |text, row| text + row + "\n"))
}

/// Whether a row is of this shard, or of the first mutants of it.
fn is_of_shard(row: &str, scope: &str, shard: &str) -> bool {
    let rest =
        row.strip_prefix(scope).and_then(|rest| rest.strip_prefix('\t')).and_then(|rest| rest.strip_prefix(shard));
    rest.is_some_and(|rest| rest.starts_with(['\t', ',']))
}

/// A folder below `target` for the copies of a run, made where it is missing.
fn below_target(name: &str) -> Result<std::path::PathBuf> {
    let path = workspace::target().join("mutants").join(name);
    files::make_folder(&path)?;
    Ok(path)
}

/// Refuses a folder that is not there.
fn require(path: &Path) -> Result<()> {
    ensure!(path.exists(), "{} is missing", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_of_shard;

    #[test]
    fn row_of_a_part_of_a_shard_is_replaced_and_that_of_another_kept() {
        let is_replaced = |row: &str| is_of_shard(row, "laws", "1/40");
        assert!(is_replaced("laws\t1/40\t2026-01-01") && is_replaced("laws\t1/40, the first 3 of 25\t2026-01-01"));
        assert!(!is_replaced("laws\t1/400\t2026-01-01") && !is_replaced("cards\t1/40\t2026-01-01"));
    }
}
