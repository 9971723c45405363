//! Survivors of the shards, each with its state, in `tests/assurance/survivors.tsv`.
//!
//! A state begins with one of [`STATES`] and goes on with the test, the argument or the reason. The shard is `SCOPE K/N`, or [`OTHER`] for
//! survivors of shards that do not count and of the unit tests alone. Every survivor of a shard that counts has its row.

use std::path::Path;

use anyhow::Result;

use super::COUNTS;
use crate::assurance::{folder, record};
use crate::files;

const TABLE: &str = "survivors.tsv";
const COLUMNS: usize = 3;
/// Place of the shard for survivors of shards that do not count, and of the unit tests alone.
const OTHER: &str = "other";
/// Beginning of the state of a mutant that gives all results the same bits, before the argument.
const SAME_VALUE: &str = "same value: ";
/// Beginnings of a state.
const STATES: [&str; 4] = [SAME_VALUE, "killed by ", "survives: ", "not compiled "];
/// Words that a reason has at least: fewer name no argument.
const MIN_WORDS: usize = 4;

/// Number of the survivors of a shard that have the same value, in the text of the table.
pub fn same_value(text: &str, shard: &str) -> u32 {
    let of_shard = record::rows(text).filter(|row| row.len() == COLUMNS && row[1] == shard);
    of_shard.filter(|row| row[2].starts_with(SAME_VALUE)).count() as u32
}

/// The text of the table.
pub fn read(root: &Path) -> Result<String> {
    files::read_text(&folder(root).join(TABLE))
}

/// Rows without a reason, and shards that count whose survivors are not all listed.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    Ok(compare(&read(root)?, &files::read_text(&folder(root).join("mutation.tsv"))?))
}

/// Faults of a table of survivors beside a table of shards.
fn compare(survivors: &str, shards: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for row in record::rows(survivors) {
        let [mutant, shard, state] = row[..] else {
            faults.push(format!("{TABLE}: {row:?} has not {COLUMNS} columns"));
            continue;
        };
        let reason = STATES.iter().find_map(|known| state.strip_prefix(known));
        let is_test = state.starts_with("killed by ");
        if !reason.is_some_and(|reason| is_test || reason.split_whitespace().count() >= MIN_WORDS) {
            faults.push(format!("{TABLE}: `{mutant}` has no state of {STATES:?} with its test or reason: `{state}`"));
        }
        if shard != OTHER && !record::rows(shards).any(|row| counting(&row).is_some_and(|(name, _)| name == shard)) {
            faults.push(format!("{TABLE}: `{mutant}` is of `{shard}`, which is no shard that counts"));
        }
    }
    for row in record::rows(shards) {
        let Some((shard, survived)) = counting(&row) else { continue };
        let listed = record::rows(survivors).filter(|row| row.get(1) == Some(&shard.as_str())).count();
        if listed.to_string() != survived {
            faults.push(format!("{TABLE} has {listed} survivors of `{shard}`, mutation.tsv {survived}"));
        }
    }
    faults
}

/// Name of the shard of a row of mutants, and its survivors; none where it does not count.
fn counting<'a>(row: &[&'a str]) -> Option<(String, &'a str)> {
    (row.get(10) == Some(&COUNTS)).then(|| (name(row), row[8]))
}

/// Name of the shard of a row of mutants, `SCOPE K/N`, without the part of it that was judged.
pub fn name(row: &[&str]) -> String {
    let shard = row[1].split(',').next().unwrap_or_default();
    format!("{} {shard}", row[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARDS: &str = "# head\nscope\tshard\n\
        laws\t1/9, the first 2 of 3\t2026-01-01\t0123456789\t3\t0\t0\t1\t2\t33 %\tyes\n\
        laws\t2/9\t2026-01-01\t0123456789\t3\t0\t0\t2\t1\t67 %\tno: first judges only\n";

    fn table(rows: &[&str]) -> String {
        format!("# head\nmutant\tshard\tstate\n{}\n", rows.join("\n"))
    }

    #[test]
    fn survivors_with_a_test_or_a_reason_have_no_faults_and_those_of_the_same_value_are_counted() {
        let text = table(&[
            "a\tlaws 1/9\tsame value: both branches give 0",
            "b\tlaws 1/9\tkilled by a_test",
            "c\tother\tsame value: as it is never read",
        ]);
        assert_eq!(compare(&text, SHARDS), [""; 0]);
        assert_eq!([same_value(&text, "laws 1/9"), same_value(&text, "laws 2/9")], [1, 0]);
    }

    #[test]
    fn row_of_the_same_value_without_a_reason_is_a_fault() {
        for state in ["same value: ", "same value: trust me", "same value", "survives", ""] {
            let text = table(&["a\tlaws 1/9\tkilled by a_test", &format!("b\tlaws 1/9\t{state}")]);
            let faults = compare(&text, SHARDS);
            assert!(matches!(&faults[..], [fault] if fault.contains("`b`")), "{state}: {faults:?}");
        }
    }

    #[test]
    fn survivors_that_are_missing_or_of_another_shard_are_faults() {
        let missing = compare(&table(&["a\tlaws 1/9\tkilled by a_test"]), SHARDS);
        assert_eq!(missing, ["survivors.tsv has 1 survivors of `laws 1/9`, mutation.tsv 2"]);
        let text = table(&["a\tlaws 1/9\tkilled by b", "b\tlaws 1/9\tkilled by c", "c\tlaws 2/9\tkilled by d"]);
        assert_eq!(compare(&text, SHARDS).len(), 1);
    }
}
