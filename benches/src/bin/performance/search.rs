//! Search for CVODE's cheapest settings at equal error.

use crate::motion::Motion;
use bristle_benches::clock;
use bristle_benches::cvode::{Bristle, Cvode, Setting};

/// Inner steps of CVODE in one communication step after which it gives up.
const LIMIT: i64 = 100_000;

/// A setting, the largest error that it leaves in F_R over F_s, and nanoseconds per step.
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

/// RelTol and AbsTol over eight decades each, with a stop at the communication point and without.
pub fn grid(cvode: &Cvode, motion: &Motion) -> Vec<Tried> {
    let decades = || (3..=10).map(|n| libm::pow(10.0, -f64::from(n)));
    let pairs = decades().flat_map(|relative| decades().map(move |absolute| (relative, absolute)));
    let settings = pairs.flat_map(|(relative, absolute)| {
        [true, false].map(|stop| Setting {
            relative,
            absolute,
            stop,
        })
    });
    settings
        .map(|setting| {
            let mut bristle = bristle(cvode, motion, setting);
            let mut error = 0.0;
            let time = clock::once(|| {
                error = motion.error(|contact| bristle.step(contact, motion.h, setting.stop))
            });
            Tried {
                setting,
                error,
                cost: time / motion.contacts.len() as f64,
            }
        })
        .collect()
}

/// The fastest setting whose error is at most `error`.
pub fn fastest(tried: &[Tried], error: f64) -> Option<Tried> {
    tried
        .iter()
        .filter(|tried| tried.error <= error)
        .min_by(|a, b| a.cost.total_cmp(&b.cost))
        .copied()
}

/// The Pareto-optimal settings in error and cost, from loose to tight.
pub fn front(tried: &[Tried]) -> Vec<Tried> {
    let is_best = |a: &&Tried| {
        a.error.is_finite() && !tried.iter().any(|b| b.error < a.error && b.cost <= a.cost)
    };
    let mut front: Vec<_> = tried.iter().filter(is_best).copied().collect();
    front.sort_by(|a, b| b.error.total_cmp(&a.error));
    front
}
