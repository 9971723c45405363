//! Automatic coupling after its first steps, against m_eff and the right order from the same state of bodies and bristles on.

use super::judge::{Errors, LIMITS};
use super::{COLUMNS, Outcome, STEPS, Setting};
use anyhow::Result;
use std::fmt::Write;

/// Least number of steps to judge after those in which mass and order may be found.
pub const LEAST: usize = 20;
/// Error over that with the known mass up to which it counts as the same.
const ALIKE: f64 = 1.5;

/// Errors that a good run may have as well count as the same, too.
fn is_alike(own: &Errors, known: &Errors) -> bool {
    let [good, _] = LIMITS;
    let both = |errors: &Errors| [errors.displacement, errors.force, errors.work];
    let mut parts = both(own).into_iter().zip(both(known)).zip(good);
    parts.all(|((own, known), good)| own <= (ALIKE * known).max(good)) && (known.chatters || !own.chatters)
}

/// Runs with automatic coupling that are as good from step 51 on as those with m_eff, by communication step, and those in which mass and order
/// are in use.
pub fn table(outcomes: &[Outcome]) -> Result<String> {
    let mut text = "| as good after 50 steps as m_eff |".to_owned();
    STEPS.iter().try_for_each(|h| write!(text, " H = {h:e} s |"))?;
    text.push_str(" all | of those with mass and order in use | error of F_R over that with m_eff, median |\n|---|");
    text.push_str(&"---:|".repeat(STEPS.len() + 3));
    text.push('\n');
    for (place, (name, _, setting)) in COLUMNS.iter().enumerate() {
        if *setting != Setting::Auto {
            continue;
        }
        let runs: Vec<_> = outcomes
            .chunks(COLUMNS.len())
            .enumerate()
            .filter_map(|(i, row)| {
                let [own, known] = row[place].later?;
                let is_used = row[place].identified.is_some_and(|(_, _, is_used)| is_used);
                Some((i % STEPS.len(), is_used, is_alike(&own, &known), own.force / known.force))
            })
            .collect();
        let count = |is_of: &dyn Fn(usize, bool) -> bool| {
            let all = || runs.iter().filter(|(h, is_used, ..)| is_of(*h, *is_used));
            format!("{} of {}", all().filter(|(_, _, is_alike, _)| *is_alike).count(), all().count())
        };
        write!(text, "| {name} |")?;
        for h in 0..STEPS.len() {
            write!(text, " {} |", count(&|own, _| own == h))?;
        }
        let mut ratios: Vec<f64> = runs.iter().map(|(.., ratio)| *ratio).collect();
        ratios.sort_by(f64::total_cmp);
        let median = ratios.get(ratios.len() / 2).unwrap_or(&f64::NAN);
        writeln!(text, " {} | {} | {median:.2} |", count(&|_, _| true), count(&|_, is_used| is_used))?;
    }
    Ok(text)
}
