//! Cards as files.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use bristle::catalogue::{self, ELEMENTS, Model, Variant};
use bristle_export::{card, names, remarks};
use clap::{Arg, value_parser};

use crate::console;

/// Argument for one card or more.
pub fn argument() -> Arg {
    Arg::new("card")
        .value_name("CARD")
        .num_args(1..)
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("Element cards in TOML; `bristle new LAW` writes one")
}

/// Element of a card in a file.
pub struct Read {
    pub path: PathBuf,
    pub element: Variant,
    /// Sentences about the files that the card names.
    pub remarks: Vec<String>,
}

/// Elements of all cards; an error has every fault of every card.
pub fn read<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<Vec<Read>> {
    let (mut elements, mut refusals) = (Vec::new(), Vec::new());
    for path in paths {
        match read_one(path) {
            Ok(element) => elements.push(element),
            Err(refusal) => refusals.push(format!("{refusal:#}")),
        }
    }
    if refusals.is_empty() {
        Ok(elements)
    } else {
        Err(anyhow!("these faults were found\n{}", refusals.join("\n")))
    }
}

/// Refuses cards whose files would have one name, also where capital letters are no difference.
pub fn refuse_equal_names(cards: &[Read]) -> Result<()> {
    for (i, card) in cards.iter().enumerate() {
        let name = card.element.name();
        if let Some(other) = cards[..i]
            .iter()
            .find(|other| other.element.name().eq_ignore_ascii_case(name))
        {
            let [one, two] = [other.path.display(), card.path.display()];
            bail!("{one} and {two} have the same name, {name}; rename one of them");
        }
    }
    Ok(())
}

fn read_one(path: &PathBuf) -> Result<Read> {
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| format!("{name} cannot be read"))?;
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("{name} is no UTF-8 text"))?;
    let (element, remarks) = card::examine(&text, path, &ELEMENTS)?;
    Ok(Read {
        path: path.clone(),
        element,
        remarks,
    })
}

impl Read {
    /// Prints the remarks on its files and on its numbers below the line of the card.
    pub fn print_remarks(&self) {
        self.remarks
            .iter()
            .for_each(|remark| console::line(format_args!("  {remark}")));
        remarks(&self.element)
            .iter()
            .for_each(|remark| console::line(format_args!("  remark: {remark}")));
    }
}

/// Law of a name; an error names the nearest.
pub fn law(name: &str) -> Result<&'static Model> {
    catalogue::find(name).with_context(|| {
        let known = ELEMENTS.iter().map(|model| model.metadata.name);
        format!("there is no law `{name}`{}", names::question(name, known))
    })
}
