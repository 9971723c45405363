//! Results of a law: at one instant, over a step, and limits of an integration.

use super::{Contact, Law, MAX_KINKS, Spring};
use crate::scalar::Scalar;

/// Force and rates of a law at one instant, as numbers or with derivatives.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<const N: usize, S = f64> {
    /// Friction force F_R, N, positive for v > 0 and opposing it; in the plane its component along
    /// x.
    pub F_R: S,
    /// Component of the friction force along y, N; 0 for a law along a line.
    pub F_R_y: S,
    /// The contact sticks, by the law's own criterion.
    pub sticking: bool,
    /// Time derivatives of the states. The first state, where there is one, is the bristle
    /// deflection z.
    pub rate: [S; N],
}

impl<const N: usize, S: Scalar> Evaluation<N, S> {
    /// Evaluation of a law without force, stick and rates, as in an open contact.
    #[inline(always)]
    pub fn zero() -> Self {
        let zero = S::constant(0.0);
        Evaluation {
            F_R: zero,
            F_R_y: zero,
            sticking: false,
            rate: [zero; N],
        }
    }

    /// Evaluation of a law along a line that has a force alone.
    #[inline(always)]
    pub fn of_force(force: S) -> Self {
        Evaluation {
            F_R: force,
            ..Self::zero()
        }
    }
}

/// Totals of a communication step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// Friction loss over the step, ∫ F_R v dt, J.
    pub loss: f64,
    /// Impulse of friction, ∫ F_R dt, N·s; of no meaning for a law in the plane.
    pub impulse: f64,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Estimated error of F_R over F_s at the end, where it exceeds the tolerance; otherwise 0.
    pub force_error: f64,
}

/// Limits to the length of an inner step, in addition to its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// Largest change of the contact velocity within a step, m/s, so that no kink or curved part of
    /// the force lies between two stages; infinite where the error estimate covers all of them.
    pub max_dv: f64,
    /// Rate at which errors grow, 1/s; 0 where they do not. An implicit method with steps longer
    /// than 1/rate would damp an unstable motion.
    pub growth_rate: f64,
    /// Longest step, s, which ends at a kink of the rates; infinite where there is none ahead.
    pub longest: f64,
}

/// Share of the speed by which v may change in a step beside the width of a characteristic, 1: that
/// varies with the logarithm of the speed beyond it.
const MAX_DV_SHARE: f64 = 0.5;

impl StepLimits {
    /// Limits along a characteristic that varies over this width (m/s) next to v = 0, at a speed
    /// (m/s).
    pub fn along(width: f64, speed: f64) -> Self {
        StepLimits {
            max_dv: width + MAX_DV_SHARE * speed,
            ..Self::FREE
        }
    }

    /// No limits.
    pub const FREE: StepLimits = StepLimits {
        max_dv: f64::INFINITY,
        growth_rate: 0.0,
        longest: f64::INFINITY,
    };
}

/// Longest step of an implicit method that does not damp a motion whose errors grow at this rate
/// (1/s), s. A zero has no sign here: that of `max` is another one on another processor.
#[inline(always)]
pub(crate) fn longest_at(growth_rate: f64) -> f64 {
    if growth_rate > 0.0 {
        1.0 / growth_rate
    } else {
        f64::INFINITY
    }
}

/// Scales and limits of a law at one instant, by which its motion is integrated and errors are
/// measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numerics<const N: usize> {
    /// Error scale of the states: the change of each that changes F_R by about F_s = μ_s F_N; in a
    /// body, the mean of F_R over the duration that [`Law::numerics`](super::Law::numerics) is
    /// given.
    pub scale: [f64; N],
    /// Error scale of the contact velocity, m/s: the change that changes F_R by about F_s at the
    /// same instant; infinite where F_R depends on v through the states only.
    pub velocity_scale: f64,
    /// Limits of an inner step.
    pub limits: StepLimits,
    /// Largest friction force at rest, N; infinite where the law has no bound.
    pub static_force: f64,
    /// Force that errors of loss and mean force are measured by, N: F_s; infinite where it is the
    /// largest force of the step. Viscous friction, which may be any multiple of F_s, does not
    /// count.
    pub error_force: f64,
    /// Speeds at which F_R or a derivative of it jumps, m/s, ascending; infinite where there are
    /// fewer. The quadratures of loss and impulse have panels between them: one that is narrower
    /// than a panel could be missed.
    pub kinks: [f64; MAX_KINKS],
    /// Stiffness of the bristle that the first state deflects, N/m, or another number proportional
    /// to it; 0 for a law without a bristle.
    pub stiffness: f64,
    /// Quasi-static response of F_R to displacement and velocity, after the transients of the
    /// bristle; `None` where it follows from the derivatives of force and rates.
    pub response: Option<Spring>,
}

impl<const N: usize> Numerics<N> {
    /// Numerics of a law whose errors are measured by its largest force, with these error scales of
    /// the states.
    pub const fn of(scale: [f64; N]) -> Self {
        Numerics {
            scale,
            velocity_scale: f64::INFINITY,
            limits: StepLimits::FREE,
            static_force: f64::INFINITY,
            error_force: f64::INFINITY,
            kinks: [f64::INFINITY; MAX_KINKS],
            stiffness: 0.0,
            response: None,
        }
    }
}

/// Largest friction force at rest under this normal force (N), N; infinite where the law has no
/// bound.
#[inline(always)]
pub fn static_force<L: Law<N>, const N: usize>(law: &L, normal_force: f64) -> f64 {
    law.numerics(Contact::new(normal_force, 0.0), &[0.0; N], 0.0)
        .static_force
}

/// Stiffness of the bristle, N/m, or a number proportional to it; see [`Numerics::stiffness`].
#[inline(always)]
pub fn stiffness<L: Law<N>, const N: usize>(law: &L) -> f64 {
    law.numerics(Contact::ZERO, &[0.0; N], 0.0).stiffness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motion_that_does_not_grow_has_no_longest_step_whatever_the_sign_of_zero() {
        assert_eq!(longest_at(4.0), 0.25);
        for rate in [0.0, -0.0, -1.0, f64::NAN] {
            assert_eq!(longest_at(rate), f64::INFINITY, "{rate}");
        }
    }
}
