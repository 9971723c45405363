//! Step in which the contact opens or closes. See §11 of `docs/internals/numerics.md`.
//!
//! The step has breakpoints at the zeros and extrema of its inputs, so that F_N is monotonic in each segment and has one sign. An open
//! segment has a closed form. A closed segment next to an opening is advanced by series as long as F_N is more than a small share of its
//! maximum. In the short rest all quotients by F_N grow without bound; it is left to the general integrator.

use super::closed_forms::DampedMotion;
use super::constants::{MIN_LIGHT_FORCE_SHARE, MIN_NORMAL_FORCE_SHARE, MIN_STATIC_FORCE};
use super::equations::Equations;
use super::light_contact::light_force;
use super::step_totals::StepTotals;
use crate::integrate::SolverError;
use crate::law::{InputTrajectory, bisect};

/// Whether the contact is closed throughout `duration` (s), and F_N stays above [`MIN_NORMAL_FORCE_SHARE`] of its maximum.
pub fn stays_closed(equations: &Equations, trajectory: &InputTrajectory, duration: f64) -> bool {
    equations.is_closed(trajectory.start)
        && trajectory.min_normal_force(duration) >= MIN_NORMAL_FORCE_SHARE * trajectory.max_normal_force(duration)
}

/// Advances the bristle segment by segment. `advance` advances it through a part of the step in which F_N is monotonic and above 0 between
/// its ends: by any method where the flag is true, by the general integrator where F_N is a smaller share of its maximum. After an error
/// `x` is a state between the start and the end of the step.
#[inline(never)]
pub fn integrate_openings(
    equations: &Equations,
    trajectory: &InputTrajectory,
    x: &mut [f64; 2],
    duration: f64,
    mut advance: impl FnMut(&InputTrajectory, &mut [f64; 2], f64, bool) -> Result<StepTotals, SolverError>,
) -> Result<StepTotals, SolverError> {
    let mut totals = StepTotals::default();
    for breakpoint in trajectory.breakpoints(duration) {
        let length = breakpoint - totals.t;
        if !(length > 0.0) {
            continue;
        }
        let rest = trajectory.after(totals.t);
        let segment = rest.trajectory();
        if equations.mu_s * segment.at(0.5 * length).F_N < MIN_STATIC_FORCE {
            *x = DampedMotion::new(x, 0.0, equations.omega).at(length);
            totals.inner_steps += 1;
        } else {
            let [start, end] = [0.0, length].map(|t| segment.at(t).F_N);
            let least = least_loaded_force(equations, start.max(end));
            let is_loaded = |t: f64| segment.at(t).F_N >= least;
            let border = bisect(0.0, length, is_loaded).unwrap_or(length);
            let mut parts = StepTotals::default();
            for (from, to) in [(0.0, border), (border, length)] {
                if to > from {
                    let rest = segment.after(from);
                    parts.add(advance(&rest.trajectory(), x, to - from, is_loaded(0.5 * (from + to)))?);
                }
            }
            totals.add(parts);
        }
        totals.t = breakpoint;
    }
    Ok(totals)
}

/// Normal force (N) down to which a segment with this maximum is advanced by series: further down where panels of a light contact can take
/// the rest.
fn least_loaded_force(equations: &Equations, most: f64) -> f64 {
    let least = MIN_NORMAL_FORCE_SHARE * most;
    let light = light_force(equations);
    if light > MIN_LIGHT_FORCE_SHARE * most { least.min(light) } else { least }
}

#[cfg(test)]
mod tests {
    use super::super::metadata::{Z, Z_DOT};
    use super::super::test_cases::G;
    use super::*;
    use crate::element::{AnyElement, E_LOSS, Element, F_N, F_R, V};
    use crate::laws::frdyn2::FrDyn2;

    #[test]
    fn a_normal_force_that_ramps_through_zero_within_a_step_leaves_z_continuous() {
        // Loaded stick, F_N from 9.81 N to −9.81 N within one step: the force goes to 0 with F_N, and z stays continuous.
        let run = |segments: i32| {
            let mut element = Element::<FrDyn2, 2>::new();
            element.set(&Z, 1e-6);
            let h = 2e-3 / f64::from(segments);
            for i in 0..segments {
                element.set(&F_N, G - 2.0 * G * f64::from(i) / f64::from(segments));
                element.set_input_derivative(&F_N, 1, -2.0 * G / 2e-3).expect("an input");
                element.advance(h).unwrap();
            }
            (element.values()[&F_R], element.values()[&Z])
        };
        let (force, z) = run(1);
        let (_, z_fine) = run(1000);
        assert_eq!(force, 0.0);
        assert!(z > 0.0 && (z - z_fine).abs() < 1e-6 * 1e-6, "{z} for {z_fine}");
    }

    #[test]
    fn series_go_down_to_a_light_contact_where_that_is_near() {
        let equations = super::super::test_cases::equations();
        let light = light_force(&equations);
        assert!(light > 0.0);
        for (share, expected) in [
            (10.0, MIN_NORMAL_FORCE_SHARE),
            (0.5 * MIN_NORMAL_FORCE_SHARE, 0.5 * MIN_NORMAL_FORCE_SHARE),
            (2.0 * MIN_LIGHT_FORCE_SHARE, 2.0 * MIN_LIGHT_FORCE_SHARE),
            (0.5 * MIN_LIGHT_FORCE_SHARE, MIN_NORMAL_FORCE_SHARE),
        ] {
            let least = least_loaded_force(&equations, light / share) * share / light;
            assert!((least / expected - 1.0).abs() < 1e-12, "{share}: {least}, not {expected}");
        }
    }

    #[test]
    fn contact_that_opens_at_a_reversal_of_v_has_both_at_one_instant() {
        // F_N and v are 0 at 1 ms, exactly; a neighbour has the reversal a billionth of the step earlier.
        let run = |v: f64| {
            let mut element = Element::<FrDyn2, 2>::new();
            for (input, start, rate) in [(F_N, 2.0, -2048.0), (V, v, -2.0)] {
                element.set(&input, start);
                element.set_input_derivative(&input, 1, rate).expect("an input");
            }
            element.advance(1.0 / 512.0).unwrap();
            [Z, Z_DOT, E_LOSS].map(|variable| element.values()[&variable])
        };
        let (found, beside) = (run(1.0 / 512.0), run((1.0 - 1e-9) / 512.0));
        assert!(found[2] > 0.0, "{found:?}");
        for (found, beside) in found.into_iter().zip(beside) {
            assert!((found - beside).abs() <= 1e-6 * beside.abs() && found.is_finite(), "{found} beside {beside}");
        }
    }
}
