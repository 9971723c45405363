//! Tables of claims with the test of each: invariants of the laws, and promises of the documentation.
//!
//! A test is written `path/of/file.rs::name`. It exists where the file has a function of that name below `#[test]`, or a macro
//! that names it in its expansion.

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
        let columns = text.lines().find(|line| !line.starts_with('#')).map_or(0, |line| line.split('\t').count());
        for row in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let row: Vec<&str> = row.split('\t').collect();
            let mut complain = |why: &str| faults.push(format!("{name}: `{}` {why}", row[0]));
            if row.len() != columns {
                complain("has another number of columns than the head");
                continue;
            }
            for test in row[columns - 1].split("; ") {
                if !exists(root, test) {
                    complain(&format!("names `{test}`, which is no test"));
                }
            }
        }
    }
    Ok(faults)
}

/// Whether a file has a test of this name, or a Python script is the test.
fn exists(root: &Path, test: &str) -> bool {
    let Some((path, name)) = test.split_once("::") else { return false };
    files::read_text(&root.join(path)).is_ok_and(|text| has_test(&text, name))
}

/// Whether Rust source has a test of this name that is not ignored.
fn has_test(text: &str, name: &str) -> bool {
    let mut attributes: Vec<&str> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") {
            attributes.push(line);
            continue;
        }
        let is_named = line
            .strip_prefix("fn ")
            .is_some_and(|rest| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')));
        if is_named && attributes.contains(&"#[test]") && !attributes.iter().any(|line| line.starts_with("#[ignore")) {
            return true;
        }
        if !line.starts_with("//") {
            attributes.clear();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_by_their_attribute_and_whole_name() {
        let text = "#[test]\nfn whole_name() {\n}\n#[test]\n#[ignore = \"slow\"]\nfn ignored() {}\nfn helper() {}\n";
        assert!(has_test(text, "whole_name"));
        for other in ["whole", "ignored", "helper"] {
            assert!(!has_test(text, other), "{other}");
        }
    }
}
