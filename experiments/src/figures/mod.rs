//! Data of the papers' figures and of the README's, every element through its packaged FMU;
//! `cargo xtask figures` draws them.

mod kargaonkar_singh;
mod rill_schuderer;
mod stefanski;

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
    ("pulses", rill_schuderer::pulses),
    ("frdyn2", rill_schuderer::readme),
];

/// `experiments figures FOLDER`: computes all figures, and writes a file each.
pub fn command(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for (name, compute) in FIGURES {
        let path = folder.join(format!("{name}.csv"));
        compute().write(&path)?;
        println!("{}", path.display());
    }
    Ok(())
}
