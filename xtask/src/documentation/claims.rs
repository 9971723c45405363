//! Tables of claims with the test of each: invariants of the laws, and promises of the
//! documentation.
//!
//! A test is written `path/of/file.rs::name`. It exists where the file has a function of that name
//! below `#[test]`.

use std::path::Path;

use anyhow::Result;

use crate::files;

/// Files of the tables: each has its tests in the last column.
const TABLES: [&str; 2] = ["tests/invariants.tsv", "tests/promises.tsv"];

/// Rows without a test, and tests that do not exist.
pub fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for name in TABLES {
        let text = files::read_text(&root.join(name))?;
        let mut rows = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split('\t'));
        let columns = rows.next().map_or(0, Iterator::count);
        for row in rows.map(Iterator::collect::<Vec<_>>) {
            if row.len() != columns {
                faults.push(format!(
                    "{name}: `{}` has another number of columns than the head",
                    row[0]
                ));
                continue;
            }
            let missing = row[columns - 1]
                .split("; ")
                .filter(|test| !exists(root, test));
            faults.extend(
                missing
                    .map(|test| format!("{name}: `{}` names `{test}`, which is no test", row[0])),
            );
        }
    }
    Ok(faults)
}

/// Whether a Rust file has a test that is not ignored.
fn exists(root: &Path, test: &str) -> bool {
    let Some((path, name)) = test.split_once("::") else {
        return false;
    };
    let text = files::read_text(&root.join(path)).unwrap_or_default();
    let Some((before, _)) = text.split_once(&format!("fn {name}(")) else {
        return false;
    };
    // The lines from the last blank one on.
    let attributes = before.rsplit("\n\n").next().unwrap_or_default();
    attributes.contains("#[test]") && !attributes.contains("#[ignore")
}
