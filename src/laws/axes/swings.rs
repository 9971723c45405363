//! Borders of branches that a step passes without a sign of it at its start or stages.
//!
//! F_0 follows the inputs at once, so that it may come to a limit ±F_s and back between two places
//! of a step. Where a contact closes or opens, F_R is 0 at the light end of a step on all branches.
//! Both show in the distances from the borders: those of F_0 are polynomials of order 3 wherever
//! the inputs are, and the start and three stages determine one.

use super::Bristle;
use crate::law::quadratic;
use crate::ode::State;
use crate::ode::tableau::{NODES, stage_coefficients};

/// Distances from the borders of branches along a line; a border is passed where one changes its
/// sign.
#[derive(Clone, Copy)]
pub struct Borders {
    /// Of F_0 from F_s and from −F_s, N.
    pub of_stick: [f64; 2],
    /// Of w from the corners of the characteristic for both directions, m/s.
    pub of_slip: [f64; 4],
}

/// Normal force at one end of a step over that at the next place, below which F_R there does not
/// show its branch.
pub const LIGHT_END: f64 = 0.1;

/// Start and stages of a step.
pub struct Places<'a, A, const D: usize> {
    /// Contacts of the law.
    pub at: [&'a A; 4],
    /// Normal forces, N.
    pub normal: [f64; 4],
    /// States of the bristle.
    pub x: [&'a State<D>; 4],
}

/// Whether a step passes over a part of the characteristic, or, where it may do so, a border that
/// counts in the totals, with their tolerance, without a sign of it.
#[inline(always)]
pub fn passes_over<B: Bristle<D>, const D: usize>(
    law: &B,
    places: &Places<B::At<f64>, D>,
    may_pass_unseen: bool,
    tolerance: f64,
) -> bool {
    may_pass_unseen && passes_unseen(law, places, tolerance) || law.passes_over(places.at, places.x)
}

/// Whether a step passes a border that counts in the totals, with their tolerance, without a sign
/// of it.
fn passes_unseen<B: Bristle<D>, const D: usize>(
    law: &B,
    Places { at, normal, x }: &Places<B::At<f64>, D>,
    tolerance: f64,
) -> bool {
    let mut places = [Borders {
        of_stick: [0.0; 2],
        of_slip: [0.0; 4],
    }; 4];
    for (n, place) in places.iter_mut().enumerate() {
        let Some(borders) = law.borders(at[n], x[n]) else {
            return false;
        };
        *place = borders;
    }
    let swings = |side: usize| returns(places.map(|place| place.of_stick[side]), tolerance);
    if (0..2).any(swings) {
        return true;
    }
    // Towards a light end F_R falls with the time to it, so that an integral up to there has the
    // square of its share of the step.
    let lightly = |end: usize, next: usize, length: f64| {
        let [end_force, next_force] = [normal[end], normal[next]];
        let crosses = |a: f64, b: f64| {
            let share = length * a / (a - b);
            (a > 0.0) != (b > 0.0) && share * share > tolerance
        };
        let [a, b] = [places[end], places[next]];
        end_force < LIGHT_END * next_force
            && ((0..2).any(|n| crosses(a.of_stick[n], b.of_stick[n]))
                || (0..4).any(|n| crosses(a.of_slip[n], b.of_slip[n])))
    };
    lightly(0, 1, NODES[0]) || lightly(3, 2, 1.0 - NODES[1])
}

/// Whether a distance at the start and at the stages changes its sign and back between two of them,
/// for a share of the step above the tolerance.
fn returns([start, stages @ ..]: [f64; 4], tolerance: f64) -> bool {
    let [first, second, third] = stage_coefficients(stages.map(|stage| stage - start));
    quadratic(3.0 * third, 2.0 * second, first)
        .into_iter()
        .filter(|s| *s > 0.0 && *s < 1.0)
        .any(|s| {
            let extremum = start + s * (first + s * (second + s * third));
            let curvature = 2.0 * second + 6.0 * third * s;
            let next = NODES.iter().position(|node| s < *node).unwrap_or(2);
            let before = if next == 0 { start } else { stages[next - 1] };
            let is_beyond = |distance: f64| (distance > 0.0) != (extremum > 0.0);
            is_beyond(before)
                && is_beyond(stages[next])
                && 8.0 * extremum.abs() > tolerance * tolerance * curvature.abs()
        })
}
