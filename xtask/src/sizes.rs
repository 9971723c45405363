//! Sizes of the packaged FMUs of this machine, held to the committed figures.

use anyhow::{Context, Result, ensure};
use bristle::catalogue::ELEMENTS;

use crate::console::say;
use crate::verdict::Verdict;
use crate::{files, performance, workspace};

/// The rise that is an error. An added feature of all elements takes some percent and is accepted by hand.
const ALLOWED: f64 = 0.03;
/// Committed figures.
const FILE: &str = "benches/sizes.txt";

/// Compares the FMUs in `target/fmu` with the committed sizes or, to `update`, overwrites them.
pub fn run(update: bool) -> Result<Verdict> {
    let file = workspace::root().join(FILE);
    let head = format!("# {}, {}", performance::rustc()?, std::env::consts::ARCH);
    let committed = files::read_text(&file).unwrap_or_default();
    let recorded = committed.lines().next().unwrap_or("nothing");
    if !update && !recorded.starts_with(&head) {
        return Ok(Verdict::Skipped(format!(
            "{FILE} is of another compiler or processor ({recorded}); record the sizes of this one with `cargo xtask instructions --update`."
        )));
    }
    let mut text = format!("{head}: bytes of the packaged FMUs, made by `cargo xtask instructions --update`\n");
    let mut risen = Vec::new();
    for element in &ELEMENTS {
        let name = element.metadata.name;
        let path = workspace::target().join(format!("fmu/{name}.fmu"));
        let size = std::fs::metadata(&path).with_context(|| format!("{} is missing", path.display()))?.len();
        text += &format!("{name} {size}\n");
        match before(&committed, name) {
            Some(before) if size as f64 > (1.0 + ALLOWED) * before => {
                risen.push(format!("{name}: {size} after {before}"))
            }
            Some(_) => {}
            None if update => {}
            None => risen.push(format!("{name} has no committed size")),
        }
    }
    if update {
        files::write(&file, text)?;
        say!("{}", file.display());
        return Ok(Verdict::Held);
    }
    ensure!(
        risen.is_empty(),
        "packaged FMUs grew by more than {:.0} %: {}; make them smaller, or accept it with `cargo xtask instructions --update`",
        100.0 * ALLOWED,
        risen.join("; ")
    );
    Ok(Verdict::Held)
}

/// Committed size of an element, bytes.
fn before(committed: &str, name: &str) -> Option<f64> {
    committed.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_found_by_the_whole_name() {
        let committed = "# head\nFrDyn2Linear 5\nFrDyn2 3\n";
        assert_eq!((before(committed, "FrDyn2"), before(committed, "Dahl")), (Some(3.0), None));
    }
}
