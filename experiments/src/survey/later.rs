//! Automatic coupling after its first steps, against m_eff and the right order over the same steps.

use super::judge::{Errors, Grade};
use super::{COLUMNS, Master, Outcome, Setting};
use anyhow::Result;
use std::fmt::Write;

/// Steps in which mass and order may be found.
pub const SKIPPED: usize = 50;
/// Least number of steps to judge after them.
pub const LEAST: usize = 20;
/// Error over that with the known mass up to which it counts as the same.
const ALIKE: f64 = 1.5;

/// Errors that a good run may have as well count as the same, too.
fn is_alike(own: &Errors, known: &Errors) -> bool {
    let [good, _] = super::judge::LIMITS;
    let both = |errors: &Errors| [errors.displacement, errors.force, errors.work];
    let mut parts = both(own).into_iter().zip(both(known)).zip(good);
    parts.all(|((own, known), good)| own <= (ALIKE * known).max(good)) && (known.chatters || !own.chatters)
}

/// Runs with automatic coupling that are as good from step 51 on as those with m_eff.
pub fn table(outcomes: &[Outcome]) -> Result<String> {
    let mut text = "| coupling | runs with 70 steps and more | as good after 50 steps as m_eff | grade as good | good of both | error of F_R over that with m_eff: median | of nine in ten |\n\
                    |---|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (place, (name, master, setting)) in COLUMNS.iter().enumerate() {
        if *setting != Setting::Auto {
            continue;
        }
        let scheme = if *master == Master::Parallel { 2 } else { 1 };
        let with_known = |column: &(&str, Master, Setting)| column.2 == Setting::Observed(scheme);
        let Some(known) = COLUMNS.iter().position(with_known) else { continue };
        let rows = outcomes.chunks(COLUMNS.len());
        let pairs: Vec<_> = rows.filter_map(|row| row[place].later.zip(row[known].later)).collect();
        let alike = pairs.iter().filter(|(own, known)| is_alike(own, known)).count();
        let same_grade = pairs.iter().filter(|(own, known)| own.grade() <= known.grade()).count();
        let good =
            |own: bool| pairs.iter().filter(|pair| (if own { pair.0 } else { pair.1 }).grade() == Grade::Good).count();
        let mut ratios: Vec<f64> = pairs.iter().map(|(own, known)| own.force / known.force).collect();
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| ratios[((ratios.len() - 1) as f64 * share).round() as usize];
        writeln!(
            text,
            "| {name} | {} | {alike} | {same_grade} | {} and {} | {:.2} | {:.1} |",
            pairs.len(),
            good(true),
            good(false),
            at(0.5),
            at(0.9)
        )?;
    }
    Ok(text)
}
