//! Tables of results: lines of tab-separated fields below a head with date, commit and command.

use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::{files, workspace};

/// Writes a table with today's date, the command that made it, and its commit, noted before a long measurement.
pub fn write(path: &Path, commit: &str, command: &str, columns: &str, rows: &[String]) -> Result<()> {
    let mut text = format!("# {}, commit {commit}, `{command}`\n{columns}\n", today()?);
    for row in rows {
        text += row;
        text.push('\n');
    }
    files::write(path, text)
}

/// A table as Markdown, after a line with its date, commit and command; a sentence where nothing is recorded yet.
pub fn table(path: &Path) -> Result<String> {
    let Ok(text) = std::fs::read_to_string(path) else { return Ok("Not measured yet.\n".to_owned()) };
    let mut lines = text.lines();
    let head = lines.next().with_context(|| format!("{} is empty", path.display()))?;
    let mut made = format!("*{}*\n\n", head.trim_start_matches("# "));
    for (i, line) in lines.enumerate() {
        let cells: Vec<String> = line.split('\t').map(|cell| cell.replace('|', "\\|")).collect();
        made += &format!("| {} |\n", cells.join(" | "));
        if i == 0 {
            made += &format!("|{}\n", "---|".repeat(cells.len()));
        }
    }
    Ok(made)
}

/// Rows of a table, without its head and its names of columns, as fields.
pub fn rows(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .skip(1)
        .map(|line| line.split('\t').collect())
}

/// The commit of the sources; a mark follows where files were changed since.
pub fn commit() -> Result<String> {
    let git =
        |arguments: &[&str]| workspace::output(Command::new("git").current_dir(workspace::root()).args(arguments));
    let hash = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = !git(&["status", "--porcelain", "--untracked-files=no", "src", "fmu", "export"])?.is_empty();
    Ok(format!("{}{}", hash.trim(), if changed { " and changes" } else { "" }))
}

/// Today's date, UTC.
pub fn today() -> Result<String> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let [year, month, day] = date(now.as_secs() / 86_400);
    Ok(format!("{year}-{month:02}-{day:02}"))
}

/// Year, month and day this many days after 1970-01-01.
fn date(days: u64) -> [u64; 3] {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= lengths[month] {
        rest -= lengths[month];
        month += 1;
    }
    [year, month as u64 + 1, rest + 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(20_779), [2026, 11, 22]);
    }

    #[test]
    fn rows_leave_out_the_head_and_the_columns() {
        let found: Vec<_> = rows("# head\na\tb\n1\t2\n").collect();
        assert_eq!(found, [["1", "2"]]);
    }
}
