//! Data of the papers' figures, of the README's and of the rigs of docs/contacts.md, every element through its packaged FMU;
//! `cargo xtask figures` draws them.

mod frdyn2;
mod kargaonkar_singh;
mod pulses;
mod rill_schuderer;
mod stefanski;

use crate::motions::{brake, disc, feet, incline};
use crate::table::Table;
use anyhow::{Context, Result};
use std::path::Path;

/// Figure: the name of its files, and the function that computes its data.
type Figure = (&'static str, fn() -> Table);

/// Every figure, by paper and number, and the README's.
const FIGURES: &[Figure] = &[
    ("rs_01", rill_schuderer::characteristics),
    ("rs_03", rill_schuderer::long_term_stick),
    ("rs_04", rill_schuderer::slow_sliding),
    ("rs_05", rill_schuderer::break_away),
    ("rs_06", rill_schuderer::steps),
    ("rs_07", rill_schuderer::slow_step),
    ("rs_08", rill_schuderer::fast_step),
    ("rs_09", rill_schuderer::adams),
    ("rs_11", rill_schuderer::festoon),
    ("rs_12", rill_schuderer::festoon_events),
    ("ks_01", kargaonkar_singh::coulomb),
    ("ks_02", kargaonkar_singh::stribeck),
    ("ks_03", kargaonkar_singh::brown_mcphee),
    ("ks_04", kargaonkar_singh::dahl),
    ("ks_05", kargaonkar_singh::lugre),
    ("ks_07_09", kargaonkar_singh::block),
    ("ks_11_13", kargaonkar_singh::roller),
    ("sw_08", stefanski::characteristic),
    ("sw_10", stefanski::oscillator),
    ("pulses", pulses::pulses),
    ("frdyn2", frdyn2::overview),
];

/// Figure of a rig whose FMU is exported of its card first.
type RigFigure = (&'static str, fn() -> Result<Table>);

/// Figures of docs/contacts.md.
const RIGS: &[RigFigure] = &[
    ("contacts_brake", brake::figure),
    ("contacts_incline", incline::figure),
    ("contacts_disc", disc::figure),
    ("contacts_feet", feet::figure),
];

/// `experiments figures FOLDER [NAME…]`: computes all figures or those named, and writes a file each.
pub fn command(folder: &Path, names: &[String]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let is_wanted = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let write = |name: &str, table: &Table| {
        let path = folder.join(format!("{name}.csv"));
        table.write(&path)?;
        println!("{}", path.display());
        anyhow::Ok(())
    };
    for (name, compute) in FIGURES.iter().filter(|(name, _)| is_wanted(name)) {
        write(name, &compute())?;
    }
    for (name, compute) in RIGS.iter().filter(|(name, _)| is_wanted(name)) {
        write(name, &compute()?)?;
    }
    Ok(())
}
