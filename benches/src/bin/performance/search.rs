//! Search for CVODE's cheapest settings at equal error.

use bristle_benches::clock;
use bristle_benches::cvode::{Bristle, Cvode, Setting};
use bristle_benches::motion::Motion;

/// More inner steps than this in one communication step are no setting to use.
pub const LIMIT: i64 = 100_000;

/// A setting, the largest error it leaves in F_R over F_s, and nanoseconds per step.
#[derive(Clone, Copy)]
pub struct Tried {
    pub setting: Setting,
    pub error: f64,
    pub cost: f64,
}

/// CVODE with a setting for a motion, at rest.
pub fn bristle<'a>(cvode: &'a Cvode, motion: &Motion, setting: Setting) -> Bristle<'a> {
    let parameters = &motion.workload.parameters;
    let mut bristle = Bristle::new(cvode, parameters, LIMIT);
    bristle.aim(parameters, motion.contacts[0].F_N, setting);
    bristle
}

/// RelTol and AbsTol over eight decades each, with and without a stop at the communication point.
pub fn grid(cvode: &Cvode, motion: &Motion) -> Vec<Tried> {
    let decades = || (3..=10).map(|n| libm::pow(10.0, -f64::from(n)));
    let mut all = Vec::new();
    for stop in [true, false] {
        for relative in decades() {
            for absolute in decades() {
                let setting = Setting { relative, absolute, stop };
                let mut bristle = bristle(cvode, motion, setting);
                let mut error = 0.0;
                let time = clock::once(|| error = motion.error(|contact| bristle.step(contact, motion.h, stop)));
                all.push(Tried { setting, error, cost: time / motion.contacts.len() as f64 });
            }
        }
    }
    all
}

/// The fastest setting whose error is at most `error`.
pub fn fastest(tried: &[Tried], error: f64) -> Option<Tried> {
    tried.iter().filter(|tried| tried.error <= error).min_by(|a, b| a.cost.total_cmp(&b.cost)).copied()
}

/// The Pareto-optimal settings in error and cost, from loose to tight.
pub fn front(tried: &[Tried]) -> Vec<Tried> {
    let mut front: Vec<_> = tried
        .iter()
        .filter(|a| a.error.is_finite() && !tried.iter().any(|b| b.error < a.error && b.cost <= a.cost))
        .copied()
        .collect();
    front.sort_by(|a, b| b.error.total_cmp(&a.error));
    front
}
