//! `bristle verify`: reference results of an FMU, and what is wrong with those of a tool.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use bristle::catalogue::ELEMENTS;
use bristle_export::card;
use bristle_export::reference::{self, Experiment};
use bristle_export::table::{Fault, Table};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::{console, output, show};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    command
        .arg(show::fmu())
        .arg(
            Arg::new("experiment")
                .value_name("EXPERIMENT")
                .requires("result")
                .help("The experiment that a tool ran: `sine`, `load` or `push`"),
        )
        .arg(
            Arg::new("result")
                .value_name("RESULT")
                .value_parser(value_parser!(PathBuf))
                .help(
                    "The tool's result: a table with the columns `time` and those of the results",
                ),
        )
        .arg(
            Arg::new("write")
                .long("write")
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .help("Write the experiments with their results into this folder"),
        )
        .arg(output::force())
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(path) = given.get_one::<PathBuf>("fmu") else {
        return Ok(());
    };
    let name = format!("{}/{}", path.display(), card::PATH);
    let element =
        card::read(&show::read(path)?, &ELEMENTS).map_err(|faults| card::list(&name, &faults))?;
    let experiments = reference::experiments(&element);
    if experiments.is_empty() {
        bail!(
            "{}: an element that observes a body has no experiments",
            path.display()
        );
    }
    if let Some(folder) = given.get_one::<PathBuf>("write") {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for experiment in &experiments {
            let path = folder.join(format!("{}.csv", experiment.name));
            output::write(&path, experiment.csv(), given)?;
            console::line(format_args!("{}: {}", path.display(), experiment.title));
        }
        return Ok(());
    }
    let judge = |experiment: &Experiment, file: &str, bytes: &[u8]| {
        let say = |fault: &Fault| fault.of_file(file);
        let table = Table::read(bytes)
            .map_err(|faults| anyhow!(faults.iter().map(say).collect::<Vec<_>>().join("\n")))?;
        reference::judge(&element, experiment, &table).map_err(|fault| anyhow!(say(&fault)))
    };
    let mut verdicts = Vec::new();
    if let (Some(name), Some(result)) = (
        given.get_one::<String>("experiment"),
        given.get_one::<PathBuf>("result"),
    ) {
        let known: Vec<_> = experiments.iter().map(|known| known.name).collect();
        let experiment = experiments.iter().find(|known| known.name == name);
        let experiment = experiment
            .with_context(|| format!("{name} is none of the experiments {}", known.join(", ")))?;
        let file = result.display().to_string();
        let bytes = fs::read(result).with_context(|| format!("{file} cannot be read"))?;
        verdicts.push(judge(experiment, &file, &bytes)?);
    } else {
        for experiment in &experiments {
            let replayed = experiment.replayed(&element);
            let replayed =
                replayed.with_context(|| format!("{} does not advance", element.name()))?;
            verdicts.push(judge(
                experiment,
                experiment.name,
                replayed.csv().as_bytes(),
            )?);
        }
    }
    let (passed, failed): (Vec<_>, Vec<_>) = verdicts.iter().partition(|verdict| verdict.passes);
    passed
        .iter()
        .for_each(|verdict| console::line(&verdict.sentence));
    if !failed.is_empty() {
        let sentences: Vec<_> = failed
            .iter()
            .map(|verdict| verdict.sentence.as_str())
            .collect();
        bail!("{}", sentences.join("\n"));
    }
    Ok(())
}
