//! Sums of the shards that are samples of the present tests, one row for each scope.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::{COLUMNS, COUNTS, SCOPES, survivors};
use crate::assurance::{folder, record};
use crate::files;

/// Mark of a shard that the first judges alone judged.
pub const FIRST_ONLY: &str = "no: first judges only";

/// The sums as Markdown.
pub fn section(root: &Path) -> Result<String> {
    table(&files::read_text(&folder(root).join("mutation.tsv"))?, &survivors::read(root)?)
}

/// Names of the columns.
const SUMS: [&str; 10] = [
    "scope",
    "shards",
    "judged by all judges",
    "not compiled",
    "same library",
    "killed",
    "survived",
    "share killed",
    "survived with the same value",
    "share killed of the others",
];

/// Sums of the rows of a table, scope by scope, with the survivors of the same value in the table of survivors.
fn table(text: &str, of_survivors: &str) -> Result<String> {
    let mut made = format!("| {} |\n|{}\n", SUMS.join(" | "), "---|".repeat(SUMS.len()));
    for scope in SCOPES {
        let (mut shards, mut sums, mut same_value) = (0, [0_u32; 5], 0);
        for row in record::rows(text).filter(|row| row[0] == scope.name) {
            ensure!(row.len() == COLUMNS.split('\t').count(), "a row of mutants has other columns: {row:?}");
            if row[10] != COUNTS {
                continue;
            }
            shards += 1;
            same_value += survivors::same_value(of_survivors, &survivors::name(&row));
            for (sum, field) in sums.iter_mut().zip(&row[4..9]) {
                let number = field.split(' ').next().and_then(|number| number.parse::<u32>().ok());
                *sum += number.with_context(|| format!("{field} is no number of mutants"))?;
            }
        }
        let [mutants, not_compiled, same, killed, survived] = sums;
        ensure!(mutants == not_compiled + same + killed + survived, "{}: the sums of mutants differ", scope.name);
        ensure!(same_value <= survived, "{}: more survivors have the same value than survived", scope.name);
        let share = |survived: u32| match killed + survived {
            0 => "none judged".to_owned(),
            judged => format!("{:.0} %", 100.0 * f64::from(killed) / f64::from(judged)),
        };
        let counts = [shards, mutants, not_compiled, same, killed, survived].map(|count| count.to_string()).join(" | ");
        let (of_all, of_others) = (share(survived), share(survived - same_value));
        made += &format!("| {} | {counts} | {of_all} | {same_value} | {of_others} |\n", scope.name);
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_that_count_are_summed_and_the_others_left_out() {
        let row = |shard: &str, numbers: &str, counts: &str| {
            format!("cards\t{shard}\t2026-01-01\t0123456789\t{numbers}\t90 %\t{counts}\n")
        };
        let rows = [
            row("1/9", "10\t1\t2 (by reading)\t6\t1", COUNTS),
            row("2/9", "5\t0\t0\t5\t0", COUNTS),
            row("3/9", "4\t0\t0\t0\t4", FIRST_ONLY),
        ];
        let survivors = "# head\nmutant\tshard\tstate\na\tcards 1/9\tsame value: both branches give 0\n\
                         b\tother\tsame value: both branches give 0\n";
        let made = |survivors: &str| table(&format!("# head\n{COLUMNS}\n{}", rows.concat()), survivors).unwrap();
        assert!(
            made(survivors).contains("| cards | 2 | 15 | 1 | 2 | 11 | 1 | 92 % | 1 | 100 % |"),
            "{}",
            made(survivors)
        );
        assert!(made("").contains("| cards | 2 | 15 | 1 | 2 | 11 | 1 | 92 % | 0 | 92 % |"), "{}", made(""));
        assert!(made("").contains("| laws | 0 | 0 | 0 | 0 | 0 | 0 | none judged | 0 | none judged |"), "{}", made(""));
    }

    #[test]
    fn row_with_other_sums_is_refused() {
        let row = format!("cards\t1/9\t2026-01-01\t0123456789\t10\t1\t0\t6\t1\t86 %\t{COUNTS}\n");
        assert!(table(&format!("# head\n{COLUMNS}\n{row}"), "").is_err());
    }
}
