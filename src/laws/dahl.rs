//! Dahl's friction model: an elastic deflection that saturates at the Coulomb force.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, doi 10.37745/ejmer.2014/vol11n27692, equations (8)–(11). Beyond the Coulomb force
//! and for α ≠ 1 the power of a negative number is read as sgn(b)|b|^α.
//!
//! The force is a function of the displacement alone, and has a closed form under held inputs;
//! under moving ones it is integrated.

use super::axes::{Axes, Bristle, BristleScale};
use super::first_order::metadata::dahl::{ALPHA, METADATA};
use super::first_order::metadata::{SIGMA_0, in_plane};
use super::first_order::{Constants, FirstOrder, Sigma, indicators};
use super::symbols::{Exponential, MU_D, sgn};
use crate::characteristic::{Measured, Signed};
use crate::integrate::exponential;
use crate::law::{Contact, LawMetadata, MAX_EVENTS, StepLimits, light_force};
use crate::ode::{Linearised, State, Totals};
use crate::scalar::Scalar;
use crate::switches::{Method, is_on};
use crate::variable::{InputError, Values};

/// Distance from saturation, 1 − σ_0 z/F_c, below which the derivative of |b|^α with α < 1 is cut
/// off.
const SATURATED: f64 = 1e-9;
/// Width of the smoothed singularity over the tolerance.
const SMOOTHED_SHARE: f64 = 0.3;
/// Tolerance of the integration over that of the step where α ≠ 1, 1: b must be known to within the
/// width of the smoothed singularity, or Newton's iteration diverges, and next to an opening b
/// varies with F_N over decades, of which the error estimate of a step that begins there sees
/// little.
const SHARE_OF_POWER: f64 = 1e-2;

/// Dahl's bristle with its parameters, along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    mu_d: Signed<f64>,
    sigma_0: f64,
    alpha: f64,
    /// Half the width of the singularity at saturation, in b, where it is smoothed; 0 for the law
    /// as printed.
    smoothing: f64,
    /// Normal force that errors are measured by at least, N.
    light_force: f64,
}

/// A closed contact at one instant.
#[derive(Clone, Copy)]
pub struct At<S> {
    /// v, m/s.
    v: S,
    /// F_c in the direction of motion, N.
    limit: S,
    /// F_c of each sign of the deflection, N.
    limits: Signed<S>,
}

/// Sliding over a distance without reversal.
struct Slide {
    /// b at the end.
    after: f64,
    /// Mean of F/F_c in the direction of motion.
    mean: f64,
}

impl Power {
    /// The part sgn(b)|b|^α of the motion that bends the bristle, under a limit F_c (N). The
    /// singularity is as wide as errors of F_R may be.
    #[inline(always)]
    fn bending<S: Scalar>(&self, b: S, limit: f64) -> S {
        if self.alpha == 1.0 {
            return b;
        }
        let value = b.value();
        if self.smoothing > 0.0 {
            // b (b² + δ²)^((α − 1)/2) in place of b |b|^(α − 1).
            let width = self.smoothing * (self.mu_d.larger() * self.light_force / limit).max(1.0);
            let (square, width) = (value * value, width * width);
            let power = libm::pow(square + width, 0.5 * (self.alpha - 1.0));
            return b.chain(
                value * power,
                power * (self.alpha * square + width) / (square + width),
            );
        }
        // For α < 1 the derivative is infinite at b = 0, where the bristle saturates.
        let steepness = self.alpha * libm::pow(value.abs().max(SATURATED), self.alpha - 1.0);
        b.chain(
            libm::pow(value.abs(), self.alpha).copysign(value),
            steepness,
        )
    }

    /// Elastic force within its limit, N.
    #[inline(always)]
    fn elastic_force<S: Scalar>(&self, limits: Signed<S>, z: S) -> S {
        let (force, limit) = (z * self.sigma_0, *limits.of(z.value()));
        if force.value().abs() <= limit.value() {
            force
        } else if force.value() < 0.0 {
            -limit
        } else {
            limit
        }
    }

    /// Sliding distance over F_c/σ_0 in which b > 0 falls from `before` to `after`.
    fn distance(&self, before: f64, after: f64) -> f64 {
        if self.alpha == 1.0 {
            libm::log(before / after)
        } else {
            let power = 1.0 - self.alpha;
            (libm::pow(before, power) - libm::pow(after, power)) / power
        }
    }

    /// Value of b ≥ 0 after a sliding distance s over F_c/σ_0, db/ds = −b^α.
    fn decay(&self, before: f64, distance: f64) -> f64 {
        if self.alpha == 1.0 {
            return before * exponential::decay(distance);
        }
        let power = libm::pow(before, 1.0 - self.alpha) - (1.0 - self.alpha) * distance;
        if before > 0.0 && power > 0.0 {
            libm::pow(power, 1.0 / (1.0 - self.alpha))
        } else {
            0.0
        }
    }

    /// Integral of b > 0, which falls from `before` to `after`, over a sliding distance over
    /// F_c/σ_0.
    fn area(&self, before: f64, after: f64, distance: f64) -> f64 {
        if self.alpha == 1.0 {
            -before * libm::expm1(-distance)
        } else if distance <= 1e-6 * before {
            // The quotient of differences would be mostly rounding.
            0.5 * (before + after) * distance
        } else if self.alpha == 2.0 {
            libm::log(before / after)
        } else if before > 0.0 {
            let power = 2.0 - self.alpha;
            (libm::pow(before, power) - libm::pow(after, power)) / power
        } else {
            0.0
        }
    }

    /// Slides over a distance over F_c/σ_0 without reversal under a constant normal force.
    /// `against` is the limit of a force against the motion over F_c.
    fn slide(&self, before: f64, distance: f64, against: f64) -> Slide {
        let after = self.decay(before.abs(), distance);
        // F/F_c = 1 − b, limited to −against … 1.
        let mean = if before < 0.0 {
            1.0
        } else if before <= 1.0 + against {
            1.0 - self.area(before, after, distance) / distance
        } else {
            let limited = self.distance(before, 1.0 + against).min(distance);
            let left = distance - limited;
            (left - against * limited - self.area(1.0 + against, after, left)) / distance
        };
        Slide {
            after: after.copysign(before),
            mean,
        }
    }

    /// Motion under a constant normal force over `rest` (s) and a displacement `travel` (m) in one
    /// direction, with the mean of the force over the displacement in place of the impulse.
    #[inline]
    fn motion(&self, at: &At<f64>, x: &mut State<1>, travel: f64, rest: f64) -> Totals<1> {
        let (side, limit) = (sgn(travel), at.limit);
        let distance = self.sigma_0 * travel.abs() / limit;
        if !(distance > 0.0) {
            return Totals {
                work: 0.0,
                impulse: [self.elastic_force(at.limits, x.u[0]) * rest],
            };
        }
        let against = at.limits.of(-side) / limit;
        let Slide { after, mean } = self.slide(
            1.0 - self.sigma_0 * x.u[0] / limit * side,
            distance,
            against,
        );
        x.u[0] = side * limit / self.sigma_0 * (1.0 - after);
        let force = side * limit * mean;
        Totals {
            work: force * travel,
            impulse: [force * rest],
        }
    }
}

impl Bristle<1> for Power {
    const METADATA: &'static LawMetadata = &METADATA;
    const SECOND_ORDER: bool = false;

    type At<S: Scalar> = At<S>;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        // The form in the plane has no α, and 0 in its place.
        let alpha = if values[&ALPHA] > 0.0 {
            values[&ALPHA]
        } else {
            1.0
        };
        Ok(Power {
            mu_d: Signed::even(values[&MU_D]),
            sigma_0: values[&SIGMA_0],
            alpha,
            smoothing: 0.0,
            light_force: light_force(values),
        })
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(Power {
            mu_d: self.mu_d.joined(backward.mu_d),
            ..self
        })
    }

    #[inline(always)]
    fn at<S: Scalar>(&self, normal_force: S, v: &[S; 1]) -> At<S> {
        let limits = self.mu_d.map(|mu_d| normal_force * mu_d);
        At {
            v: v[0],
            limit: *limits.of(v[0].value()),
            limits,
        }
    }

    #[inline(always)]
    fn is_linear(&self) -> bool {
        self.alpha == 1.0
    }

    #[inline(always)]
    fn decay_rate(&self, at: &At<f64>) -> f64 {
        self.sigma_0 * at.v.abs() / at.limit
    }

    #[inline(always)]
    fn rate<S: Scalar>(&self, at: &At<S>, _: &[S; 1], u: &[S; 1]) -> [S; 1] {
        let b = u[0] * (-self.sigma_0 * sgn(at.v.value())) * at.limit.reciprocal() + 1.0;
        [at.v * self.bending(b, at.limit.value())]
    }

    #[inline(always)]
    fn force<S: Scalar>(&self, at: &At<S>, _: &[S; 1], u: &[S; 1]) -> [S; 1] {
        [self.elastic_force(at.limits, u[0])]
    }

    #[inline(always)]
    fn force_at_rate(&self, at: &At<f64>, x: &State<1>, _: &[f64; 1]) -> [f64; 1] {
        [self.elastic_force(at.limits, x.u[0])]
    }

    fn relax(&self, x: &mut State<1>, _: f64) {
        x.u = [0.0];
    }

    #[inline(always)]
    fn sticks<S: Scalar>(&self, at: &At<S>, z: &[S; 1], u: &[S; 1]) -> bool {
        let (v, [rate]) = (at.v.value(), self.rate(at, z, u));
        (v - rate.value()).abs() <= 0.5 * v.abs()
    }

    /// Whether the elastic force is limited; in the direction of motion b = 0 is there.
    #[inline(always)]
    fn branch(&self, at: &At<f64>, x: &State<1>) -> u16 {
        u16::from(self.sigma_0 * x.u[0].abs() > *at.limits.of(x.u[0]))
    }

    /// The deflection with the same b: next to saturation the rate depends on b far more than on
    /// anything else.
    #[inline(always)]
    fn predict(&self, start: &At<f64>, x: &State<1>, later: &At<f64>) -> [f64; 1] {
        [x.u[0] * (later.limit / start.limit - 1.0)]
    }

    #[inline(always)]
    fn scale(
        &self,
        _: Option<&At<f64>>,
        _: f64,
        normal_force: f64,
        x: &State<1>,
        _: &Linearised<1>,
    ) -> BristleScale {
        BristleScale {
            z: f64::INFINITY,
            u: (self.mu_d.larger() * normal_force / self.sigma_0).max(x.u[0].abs()),
        }
    }

    fn limits(&self, _: &At<f64>, _: &State<1>) -> StepLimits {
        StepLimits::FREE
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.mu_d.larger() * normal_force
    }

    #[inline]
    fn held_motion(&self, at: &At<f64>, _: f64, x: &mut State<1>, rest: f64) -> Option<Totals<1>> {
        is_on(Method::HeldDahl).then(|| self.motion(at, x, at.v * rest, rest))
    }

    fn light_force(&self) -> f64 {
        self.light_force
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn velocity_error_scale(&self, _: f64) -> f64 {
        f64::INFINITY
    }

    fn tolerance_share(&self) -> f64 {
        if self.alpha == 1.0 {
            1.0
        } else {
            SHARE_OF_POWER
        }
    }

    fn smoothed(&self, tolerance: f64) -> Option<Self> {
        (self.alpha < 1.0).then_some(Power {
            smoothing: SMOOTHED_SHARE * tolerance,
            ..*self
        })
    }

    fn indicators(&self, contact: Contact, _: &State<1>) -> [f64; MAX_EVENTS] {
        indicators(contact)
    }
}

/// Dahl's description and constants with α = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfDahl;

impl Constants for OfDahl {
    const METADATA: [&'static LawMetadata; 2] = [&METADATA, &in_plane::DAHL];

    fn curve(values: &Values) -> Result<Exponential, InputError> {
        Ok(Exponential::constant(values[&MU_D]))
    }

    fn sigma(values: &Values) -> Sigma {
        Sigma {
            sigma_0: values[&SIGMA_0],
            ..Sigma::default()
        }
    }
}

/// Dahl's model along a line.
pub type Dahl = Axes<Power, 1, 1>;
/// Dahl's model in the plane.
pub type PlanarDahl = Axes<FirstOrder<OfDahl>, 2, 2>;
