//! Counts of lines, regions and branches from the reports of `llvm-cov`.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::super::exceptions::Exceptions;
use crate::{files, workspace};

/// Files that hold tests and data of figures only.
const TEST_FILES: [&str; 6] =
    ["tests.rs", "moving_inputs.rs", "test_cases.rs", "measurements.rs", "figures.rs", "properties.rs"];

/// Counts of a file.
#[derive(Default)]
pub struct File {
    /// Path from the root of the workspace.
    pub path: String,
    /// Executions of each line that has code.
    lines: BTreeMap<usize, u64>,
    /// Executions of each region by its span, the most of all instances of generic code.
    regions: HashMap<[u64; 4], u64>,
    /// Executions of each condition that held and that did not, by its span, the most of all instances of generic code.
    branches: HashMap<[u64; 4], [u64; 2]>,
}

/// Sums over files.
#[derive(Default)]
pub struct Totals {
    lines: usize,
    reached: usize,
    listed: usize,
    regions: usize,
    reached_regions: usize,
    branches: usize,
    reached_branches: usize,
    listed_branches: usize,
}

/// Lines and branches that are neither reached nor listed, one in a line each.
#[derive(Default)]
pub struct Unlisted {
    pub lines: String,
    pub branches: String,
}

#[derive(Deserialize)]
struct Report {
    data: Vec<Data>,
}

#[derive(Deserialize)]
struct Data {
    functions: Vec<Function>,
}

#[derive(Deserialize)]
struct Function {
    filenames: Vec<String>,
    /// Line, column, line, column, count, file, expanded file, kind.
    regions: Vec<[u64; 8]>,
    /// Line, column, line, column, count where it holds, count where it does not, file, expanded file, kind.
    #[serde(default)]
    branches: Vec<[u64; 9]>,
}

/// Counts of all files, the most of all reports.
#[derive(Default)]
pub struct Counted(BTreeMap<String, File>);

impl Counted {
    /// Adds the lines of a report in the format of lcov, and its regions and branches in that of JSON.
    pub fn add(&mut self, lcov: &str, json: &str) -> Result<()> {
        let root = workspace::root();
        let files = &mut self.0;
        let mut present: Option<&mut File> = None;
        for line in lcov.lines() {
            if let Some(path) = line.strip_prefix("SF:") {
                let path = relative(&root, path);
                let empty = || File { path: path.clone(), ..File::default() };
                present = Some(files.entry(path.clone()).or_insert_with(empty));
            } else if let (Some(file), Some((number, count))) =
                (&mut present, line.strip_prefix("DA:").and_then(|rest| rest.split_once(',')))
            {
                let most = file.lines.entry(number.parse()?).or_default();
                *most = (*most).max(count.parse()?);
            }
        }
        let report: Report = serde_json::from_str(json).context("llvm-cov wrote another JSON")?;
        for function in report.data.into_iter().flat_map(|data| data.functions) {
            for [line, column, line_end, column_end, count, file, _, kind] in function.regions {
                let path = function.filenames.get(file as usize).map(|path| relative(&root, path));
                // Kind 0 is code; the others are gaps, expansions and branches.
                if let Some(file) = path.and_then(|path| files.get_mut(&path)).filter(|_| kind == 0) {
                    let most = file.regions.entry([line, column, line_end, column_end]).or_default();
                    *most = (*most).max(count);
                }
            }
            for [line, column, line_end, column_end, held, not, file, ..] in function.branches {
                let path = function.filenames.get(file as usize).map(|path| relative(&root, path));
                if let Some(file) = path.and_then(|path| files.get_mut(&path)) {
                    let most = file.branches.entry([line, column, line_end, column_end]).or_default();
                    *most = [most[0].max(held), most[1].max(not)];
                }
            }
        }
        Ok(())
    }

    /// All files but those of tests.
    pub fn files(self) -> Vec<File> {
        self.0.into_values().filter(|file| !is_test(&file.path)).collect()
    }
}

fn relative(root: &Path, path: &str) -> String {
    Path::new(path).strip_prefix(root).unwrap_or(Path::new(path)).display().to_string()
}

fn is_test(path: &str) -> bool {
    ["/tests/", "/properties/", "/moving_inputs/"].iter().any(|folder| path.contains(folder))
        || TEST_FILES.iter().any(|name| path.ends_with(&format!("/{name}")))
}

/// Number of the last line before the test module of a file.
fn end_of_code(text: &str) -> usize {
    let lines: Vec<&str> = text.lines().collect();
    let module = lines
        .windows(2)
        .position(|pair| pair[0] == "#[cfg(test)]" && pair[1].contains("mod ") && pair[1].ends_with('{'));
    module.unwrap_or(lines.len())
}

/// Text of a span, in one line.
fn text_of(source: &[&str], [line, column, line_end, column_end]: [u64; 4]) -> String {
    let part = |number: u64| {
        let text = source.get(number as usize - 1).copied().unwrap_or_default();
        let to = if number == line_end { column_end as usize - 1 } else { text.len() };
        let from = if number == line { column as usize - 1 } else { 0 };
        text.get(from..to.min(text.len())).unwrap_or_default().trim()
    };
    (line..=line_end).map(part).collect::<Vec<_>>().join(" ")
}

impl File {
    /// Sums of the file; lines and branches that are neither reached nor listed are added to `unlisted`.
    pub fn totals(&self, root: &Path, exceptions: &Exceptions, unlisted: &mut Unlisted) -> Result<Totals> {
        let text = files::read_text(&root.join(&self.path))?;
        let (end, source) = (end_of_code(&text), text.lines().collect::<Vec<_>>());
        let mut totals = Totals::default();
        for (number, count) in self.lines.range(..=end) {
            let line = source.get(number - 1).copied().unwrap_or_default();
            totals.lines += 1;
            if *count > 0 {
                totals.reached += 1;
            } else if exceptions.hold(&self.path, &source, number - 1) {
                totals.listed += 1;
            } else {
                unlisted.lines += &format!("{}:{number}: {}\n", self.path, line.trim());
            }
        }
        for (_, count) in self.regions.iter().filter(|(span, _)| span[0] as usize <= end) {
            totals.regions += 1;
            totals.reached_regions += usize::from(*count > 0);
        }
        let mut branches: Vec<_> = self.branches.iter().filter(|(span, _)| span[0] as usize <= end).collect();
        branches.sort();
        for (span, counts) in branches {
            totals.branches += counts.len();
            let (line, condition) = (span[0] as usize, text_of(&source, *span));
            let is_in_listed_line = self.lines.get(&line) == Some(&0) && exceptions.hold(&self.path, &source, line - 1);
            for (count, outcome) in counts.iter().zip(["true", "false"]) {
                if *count > 0 {
                    totals.reached_branches += 1;
                } else if is_in_listed_line
                    || exceptions.hold_branch(&self.path, &source, line - 1, &condition, outcome)
                {
                    totals.listed_branches += 1;
                } else {
                    unlisted.branches += &format!("{}:{line}\t{condition}\t{outcome}\n", self.path);
                }
            }
        }
        Ok(totals)
    }
}

impl Totals {
    /// Adds the sums of a file.
    pub fn add(&mut self, other: &Totals) {
        self.lines += other.lines;
        self.reached += other.reached;
        self.listed += other.listed;
        self.regions += other.regions;
        self.reached_regions += other.reached_regions;
        self.branches += other.branches;
        self.reached_branches += other.reached_branches;
        self.listed_branches += other.listed_branches;
    }

    /// The row of a folder.
    pub fn row(&self, folder: &str) -> String {
        let share = |part: usize, all: usize| format!("{:.2} %", 100.0 * part as f64 / all as f64);
        let neither = self.lines - self.reached - self.listed;
        let neither_of_branches = self.branches - self.reached_branches - self.listed_branches;
        [
            format!("`{folder}/`"),
            self.lines.to_string(),
            self.reached.to_string(),
            share(self.reached, self.lines),
            self.listed.to_string(),
            neither.to_string(),
            self.regions.to_string(),
            self.reached_regions.to_string(),
            share(self.reached_regions, self.regions),
            self.branches.to_string(),
            self.reached_branches.to_string(),
            share(self.reached_branches, self.branches),
            self.listed_branches.to_string(),
            neither_of_branches.to_string(),
        ]
        .join("\t")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_condition_is_in_one_line() {
        let source = ["if a > b", "    && c {"];
        assert_eq!(text_of(&source, [1, 4, 1, 9]), "a > b");
        assert_eq!(text_of(&source, [1, 4, 2, 9]), "a > b && c");
    }

    #[test]
    fn test_modules_do_not_count() {
        assert_eq!(end_of_code("fn a() {}\n\n#[cfg(test)]\nmod tests {\n}\n"), 2);
        assert_eq!(end_of_code("fn a() {}\n#[cfg(test)]\nmod tests;\n"), 3);
        assert!(is_test("src/laws/frdyn2/zone_exit/tests.rs") && is_test("export/src/card/tests/a.rs"));
        assert!(!is_test("src/laws/frdyn2.rs"));
    }
}
