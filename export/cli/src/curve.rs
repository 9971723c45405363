//! `bristle curve`: a measured curve in SI units, or the card of a table of a Modelica model.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use bristle::catalogue::ELEMENTS;
use bristle_export::measurement::{Curve, Directions, Options, Smoothing};
use bristle_export::table::{Choice, Fault};
use bristle_export::{card, modelica};
use clap::{Arg, ArgMatches, Command, value_parser};

use crate::{console, output};

/// Adds the arguments of the command.
pub fn arguments(command: Command) -> Command {
    let number = |name, unit, help| {
        Arg::new(name)
            .long(name)
            .value_name(unit)
            .value_parser(positive)
            .help(help)
    };
    command
        .arg(
            Arg::new("file")
                .value_name("FILE")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .help(
                    "A table of speeds and coefficients, forces or torques, with units in its \
                     header; or a table of a Modelica model, as a file or as text: \
                     `tau_pos = [0, 1; 100, 2]`",
                ),
        )
        .arg(
            Arg::new("out")
                .short('o')
                .long("out")
                .value_name("FILE")
                .value_parser(value_parser!(PathBuf))
                .help(
                    "The file of the curve as comma-separated values in SI units, or of the card \
                     of a Modelica table; the standard output otherwise",
                ),
        )
        .arg(
            Arg::new("columns")
                .long("columns")
                .value_name("SPEED,FRICTION")
                .value_parser(columns)
                .help("The columns of speed and friction, by names or by numbers from 1"),
        )
        .arg(
            Arg::new("directions")
                .long("directions")
                .value_name("both|mean")
                .value_parser(directions)
                .help(
                    "Keep the points of each direction, or take the mean of both; `both` unless \
                       given",
                ),
        )
        .arg(number(
            "normal-force",
            "N",
            "The normal force of the measurement in newtons, where \
                                          the file has forces or torques",
        ))
        .arg(
            Arg::new("smooth")
                .long("smooth")
                .value_name("auto|always|never")
                .value_parser(smoothing)
                .help("Smooth more than 256 noisy rows, any rows, or none; `auto` unless given"),
        )
        .arg(
            Arg::new("plot")
                .long("plot")
                .value_name("FILE.svg")
                .value_parser(value_parser!(PathBuf))
                .help("A picture of the rows, their bins and the curve, as SVG or PNG"),
        )
        .arg(output::force())
        .arg(number(
            "radius",
            "M",
            "The friction radius in metres, where the file has angular \
                                    velocities or torques",
        ))
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| format!("`{text}` is no number above 0"))
}

fn smoothing(text: &str) -> Result<Smoothing, String> {
    match text {
        "auto" => Ok(Smoothing::WhereNoisy),
        "always" => Ok(Smoothing::Always),
        "never" => Ok(Smoothing::Never),
        _ => Err(format!(
            "`{text}` is no way to smooth; give `auto`, `always` or `never`"
        )),
    }
}

fn directions(text: &str) -> Result<Directions, String> {
    Directions::of_name(text)
        .ok_or_else(|| format!("`{text}` is no use of the directions; give `both` or `mean`"))
}

fn columns(text: &str) -> Result<[Choice; 2], String> {
    let choice = |name: &str| {
        name.parse()
            .map_or_else(|_| Choice::Name(name.to_owned()), Choice::Number)
    };
    let choices: Vec<_> = text.split(',').map(|name| choice(name.trim())).collect();
    choices
        .try_into()
        .map_err(|_| format!("`{text}` names no two columns; give them as `v,mu` or `1,3`"))
}

/// Bytes of a file, or of the text of a table in the place of its name.
fn bytes(path: &Path) -> Result<Vec<u8>> {
    let text = path.to_string_lossy();
    if !path.exists() && text.contains(['[', '{']) {
        return Ok(text.into_owned().into_bytes());
    }
    fs::read(path).with_context(|| format!("{} cannot be read", path.display()))
}

/// Writes a card that was read once, to its file or to the standard output.
fn write_card(text: &str, out: Option<&PathBuf>, given: &ArgMatches) -> Result<()> {
    let path = out.map_or(Path::new("card.toml"), PathBuf::as_path);
    let (_, remarks) = card::examine(text, path, &ELEMENTS)?;
    remarks
        .iter()
        .for_each(|remark| console::line(format_args!("{remark}")));
    match out {
        Some(path) => output::write(path, text, given),
        None => {
            console::text(text);
            Ok(())
        }
    }
}

/// The command.
pub fn command(given: &ArgMatches) -> Result<()> {
    let Some(path) = given.get_one::<PathBuf>("file") else {
        return Ok(());
    };
    let bytes = bytes(path)?;
    let value = |name| given.get_one::<f64>(name).copied();
    let options = Options {
        columns: given.get_one::<[Choice; 2]>("columns").cloned(),
        normal_force: value("normal-force"),
        radius: value("radius"),
        directions: given
            .get_one::<Directions>("directions")
            .copied()
            .unwrap_or_default(),
        smoothing: given
            .get_one::<Smoothing>("smooth")
            .copied()
            .unwrap_or(Smoothing::WhereNoisy),
        ..Options::default()
    };
    let out = given.get_one::<PathBuf>("out");
    let is_curve = out.is_some_and(|out| out.extension().is_none_or(|end| end != "toml"));
    let name = out
        .and_then(|out| out.file_stem()?.to_str())
        .unwrap_or("Modelica");
    let text = String::from_utf8_lossy(&bytes);
    if let Some(text) = modelica::card(&text, name, options.radius).filter(|_| !is_curve) {
        return write_card(&text?, out, given);
    }
    let file = path.display().to_string();
    let curve = Curve::read(&bytes, &options).map_err(|faults| {
        let lines: Vec<_> = faults
            .iter()
            .map(|fault: &Fault| fault.of_file(&file))
            .collect();
        anyhow!("these faults were found\n{}", lines.join("\n"))
    })?;
    for remark in &curve.remarks {
        console::line(format_args!("{file}: {remark}"));
    }
    for path in ["plot", "out"]
        .into_iter()
        .filter_map(|name| given.get_one::<PathBuf>(name))
    {
        output::check(path, given)?;
    }
    if let Some(path) = given.get_one::<PathBuf>("plot") {
        let picture = curve.picture();
        let is_png = path.extension().is_some_and(|extension| extension == "png");
        output::write(
            path,
            if is_png {
                picture.png()?
            } else {
                picture.svg().into_bytes()
            },
            given,
        )?;
    }
    let Some(out) = out else {
        console::text(&curve.csv());
        return Ok(());
    };
    output::write(out, curve.csv(), given)?;
    console::line(format_args!(
        "{}: {} points",
        out.display(),
        curve.csv().lines().count() - 1
    ));
    Ok(())
}
