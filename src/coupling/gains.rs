//! Gains and bounds of the observers, which docs/internals/coupling-theory.md derives.

use super::Coupling;
use crate::integrate::extrema::{larger, smaller};
use crate::vector::{Vector, add, limited, size};

/// Feedback gains of the force on the difference between the master's body and the observer, and
/// the gain of the smoothing of A.
#[derive(Clone, Copy, Debug)]
pub struct Gains {
    /// Gain θ on the velocity difference.
    pub theta: f64,
    /// Gain κ on the displacement difference.
    pub kappa: f64,
    /// Weight of a new A in its smoothed value, 0 … 1.
    pub beta: f64,
    /// Steps that pass before the force makes up for what it missed: an error of F_s drives the
    /// body for so long.
    pub lateness: f64,
}

/// Gains for a serial master; docs/internals/coupling-theory.md derives their range of stability.
const SERIAL: Gains = Gains {
    theta: 1.0,
    kappa: 0.1,
    beta: 1.0,
    lateness: 1.0,
};
/// Gains for a parallel master, smaller because its force acts one step later;
/// docs/internals/coupling-theory.md derives their range of stability.
const PARALLEL: Gains = Gains {
    theta: 0.5,
    kappa: 0.05,
    beta: 0.5,
    lateness: 2.0,
};
/// Gain λ of the rate of A within a step on its change from step to step, 0 … 1: 1 follows smooth
/// loads best, 0 tolerates the largest error of m_eff.
pub const LOAD_RATE_GAIN: f64 = 0.5;
/// Gain of the rate of a load that is known at both ends of the last step, from the acceleration.
pub const END_RATE_GAIN: f64 = 1.0;
/// Length of a step over that of the last one below which the step is skipped: the change of
/// velocity in it is rounding.
pub const NEGLIGIBLE_STEP_RATIO: f64 = 1e-6;
/// Deferred correction of the force over F_s up to which |F_R| stays within F_s; a larger one lets
/// F_R exceed F_s, as stopping a body within a step requires.
const MAX_DEFERRED_IMPULSE: f64 = 0.25;
/// Bound on |P_n| over F_s. A body that must stop within a step needs more than F_s, and after a
/// missed step up to 1.8 F_s.
pub const MAX_FORCE_RATIO: f64 = 2.0;
/// Decay of the longest recent step in each step, over the step: a correction spread over H decays
/// as a damped oscillation of period 2πH/√κ, 20 H to 28 H. Larger values apply the rest of the
/// correction after a long step sooner and with a larger force.
pub const HORIZON_DECAY: f64 = 0.1;
/// Tolerance of body and laws as one system over that of the element: the error of the coupling is
/// far above either.
pub const TOLERANCE_RATIO: f64 = 1000.0;

/// Largest recent F_N, N: forgets the one before over the longest recent step, of which this step
/// is the part `share`.
pub fn recent_peak(peak: f64, largest: f64, share: f64) -> f64 {
    larger(peak + share * (largest - peak), largest)
}

/// Static friction forces that bound a force to apply.
#[derive(Clone, Copy, Debug)]
pub struct StaticForces {
    /// F_s under the largest F_N of the step, N.
    pub step: f64,
    /// F_s under the largest recent F_N, N.
    pub recent: f64,
}

/// Force to apply, N: that of the law on the observed body and the correction, bounded.
pub fn corrected(force: f64, correction: f64, bounds: StaticForces) -> f64 {
    let limit = force_limit(force.abs(), correction.abs(), bounds);
    (force + correction).clamp(-limit, limit)
}

/// Force to apply in a plane, N, in its own direction bounded as [`corrected`].
pub fn corrected_in_plane(force: Vector, correction: Vector, bounds: StaticForces) -> Vector {
    limited(
        add(force, 1.0, correction),
        force_limit(size(force), size(correction), bounds),
    )
}

/// Limit of the size of a force to apply, N, for the sizes of the law's force and of its correction
/// (N).
fn force_limit(force: f64, correction: f64, bounds: StaticForces) -> f64 {
    let bound = larger(MAX_FORCE_RATIO * bounds.recent, force);
    let limit = larger(bounds.step, force);
    smaller(
        limit + larger(correction - MAX_DEFERRED_IMPULSE * limit, 0.0),
        bound,
    )
}

impl Gains {
    /// Gains for a scheme.
    pub fn of(coupling: Coupling) -> Self {
        if coupling == Coupling::Parallel {
            PARALLEL
        } else {
            SERIAL
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// F_s in a step after others with 10 N.
    fn bounds(step: f64) -> StaticForces {
        StaticForces { step, recent: 10.0 }
    }

    #[test]
    fn force_is_corrected_within_the_static_force_and_beyond_it_for_a_large_correction() {
        for sign in [1.0, -1.0] {
            let corrected = |force: f64, correction: f64, step: f64| {
                sign * corrected(sign * force, sign * correction, bounds(step))
            };
            assert_eq!(corrected(5.0, 1.0, 10.0), 6.0);
            assert_eq!(corrected(9.0, 2.0, 10.0), 10.0);
            // The part of the correction beyond a quarter of F_s may exceed F_s.
            assert_eq!(corrected(9.0, 3.0, 10.0), 10.5);
            assert_eq!(corrected(-9.0, 30.0, 10.0), 20.0);
            // The law's own force is never bounded.
            assert_eq!(corrected(25.0, 0.0, 10.0), 25.0);
            assert_eq!(corrected(0.0, 30.0, 0.0), 20.0);
        }
    }

    #[test]
    fn force_in_a_plane_is_corrected_as_along_its_own_direction() {
        for [x, y] in [[1.0, 0.0], [0.6, -0.8], [-0.8, 0.6]] {
            for (force, correction, step) in [
                (5.0, 1.0, 10.0),
                (9.0, 3.0, 10.0),
                (-9.0, 30.0, 10.0),
                (0.0, 30.0, 0.0),
            ] {
                let bounds = bounds(step);
                let along = corrected(force, correction, bounds);
                let [found_x, found_y] = corrected_in_plane(
                    [force * x, force * y],
                    [correction * x, correction * y],
                    bounds,
                );
                let error = (found_x - along * x).abs() + (found_y - along * y).abs();
                assert!(error < 1e-12, "{force}, {correction}: {found_x}, {found_y}");
            }
        }
    }

    #[test]
    fn recent_peak_follows_a_rise_at_once_and_a_fall_by_the_share_of_the_step() {
        assert_eq!(
            [recent_peak(10.0, 4.0, 0.25), recent_peak(10.0, 12.0, 0.25)],
            [8.5, 12.0]
        );
        assert_eq!(recent_peak(10.0, 4.0, 1.0), 4.0);
    }
}
