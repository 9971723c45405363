//! `bristle show`: the card of an FMU.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bristle::catalogue::{ELEMENTS, Variant};
use bristle_export::{card, description, source, ssv};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use zip::ZipArchive;

use crate::console;

/// The FMU of a command that reads one.
pub fn fmu() -> Arg {
    Arg::new("fmu")
        .value_name("FMU")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .help("An FMU that Bristle made")
}

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command.arg(fmu()).arg(
        Arg::new("ssv")
            .long("ssv")
            .action(ArgAction::SetTrue)
            .help("Print the parameters as a parameter set (SSV of SSP 1.0) instead"),
    )
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(path) = given.get_one::<PathBuf>("fmu") else {
        return Ok(());
    };
    let text = read(path)?;
    if !given.get_flag("ssv") {
        console::text(&text);
        return Ok(());
    }
    let name = format!("{}/{}", path.display(), card::PATH);
    let element = card::read(&text, &ELEMENTS).map_err(|faults| card::list(&name, &faults))?;
    console::text(&ssv::write(&element));
    Ok(())
}

/// Text of the card in an FMU; an error where the file is no FMU with a card, or where its
/// description is not that of the card: the library follows the card.
pub fn read(path: &Path) -> Result<String> {
    let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut archive =
        ZipArchive::new(file).with_context(|| format!("{} is no FMU", path.display()))?;
    let mut text = |name: &str| -> Result<String> {
        let mut entry = archive.by_name(name).with_context(|| {
            format!(
                "{} has no {name}; FMUs of other tools have none",
                path.display()
            )
        })?;
        let mut text = String::new();
        // Card and description have at most some hundred kilobytes.
        entry
            .by_ref()
            .take(1 << 20)
            .read_to_string(&mut text)
            .with_context(|| format!("{} is damaged", path.display()))?;
        Ok(text)
    };
    let (card, description) = (text(card::PATH)?, text("modelDescription.xml")?);
    if let Ok(element) = card::read(&card, &ELEMENTS) {
        is_of_card(&description, &element)
            .with_context(|| format!("{}/modelDescription.xml", path.display()))?;
    }
    Ok(card)
}

/// Refuses a description with the GUID of an element that says something else of it.
fn is_of_card(description: &str, element: &Variant) -> Result<()> {
    let sources: &[_] = match description.contains("<SourceFiles>") {
        true => &[source::MAIN],
        false => &[],
    };
    let expected = description::write_with_sources(element, sources)?;
    // The GUID of another version belongs to another description.
    if !description.contains(&element.guid()) {
        return Ok(());
    }
    let lines = description.lines().zip(expected.lines()).zip(1..);
    let Some(((found, expected), line)) = lines
        .into_iter()
        .find(|((found, expected), _)| found != expected)
    else {
        return Ok(());
    };
    let [found, expected] = [found, expected].map(str::trim);
    bail!(
        "line {line} was edited: found {found}, expected {expected}; the library follows its \
         card, so change the card and export it again"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle_export::Exporter;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    #[test]
    fn fmu_whose_description_was_edited_is_refused_with_the_line() {
        let element = card::read(
            "name = \"Pad\"\nlaw = \"LuGre\"\n[parameters]\nmu_s = 0.5\n",
            &ELEMENTS,
        )
        .unwrap();
        let folder = tempfile::tempdir().unwrap();
        let [whole, edited] = ["Pad.fmu", "edited.fmu"].map(|name| folder.path().join(name));
        std::fs::write(&whole, Exporter::new().export(&element).unwrap()).unwrap();
        let text = read(&whole).unwrap();
        assert!(text.contains("mu_s = 0.5"));
        let description = description::write(&element).unwrap();
        let of = |description: String| {
            let mut archive = ZipWriter::new(File::create(&edited).unwrap());
            for (name, text) in [("modelDescription.xml", &description), (card::PATH, &text)] {
                archive
                    .start_file(name, SimpleFileOptions::default())
                    .unwrap();
                archive.write_all(text.as_bytes()).unwrap();
            }
            archive.finish().unwrap();
            read(&edited)
        };
        let refusal = format!(
            "{:#}",
            of(description.replace("start=\"0.5\"", "start=\"0.7\"")).unwrap_err()
        );
        for part in [
            "edited.fmu/modelDescription.xml: line",
            "start=\"0.7\"",
            "expected",
            "start=\"0.5\"",
            "change the card",
        ] {
            assert!(refusal.contains(part), "{part} in {refusal}");
        }
        // Another version has another GUID and another description.
        assert_eq!(
            of(description
                .replace(&element.guid(), "{0}")
                .replace("0.5", "0.7"))
            .unwrap(),
            text
        );
        assert_eq!(of(description).unwrap(), text);
    }
}
