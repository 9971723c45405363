//! The bristle of first order of LuGre, and of Dahl with α = 1, along a line and in the plane.
//!
//! ż = v − σ_0 |v|/G(|v|) z, F_R = σ_0 z + σ_1 ż + σ_2 v, where the elastic force is limited to F_s
//! in its own direction: it exceeds F_s where F_N falls faster than the bristle unbends. In the
//! plane this is the coupled form of E. Velenis, P. Tsiotras, C. Canudas de Wit, *Extension of the
//! LuGre dynamic tire friction model to 2D motion*, IEEE Mediterranean Conference on Control and
//! Automation 2002; the uncoupled form, one law an axis, leaves the friction cone. The rate is
//! linear in z, and has a closed form under held inputs.

pub mod metadata;

use super::axes::{Bristle, BristleScale, velocity};
use super::symbols::Exponential;
use crate::characteristic::{Measured, Signed};
use crate::integrate::exponential::decay;
use crate::law::{
    Contact, LawMetadata, MAX_EVENTS, NOMINAL_VELOCITY, REST, StepLimits, light_force, opening,
};
use crate::ode::{Linearised, State, Totals};
use crate::scalar::{Scalar, dot, scaled, size};
use crate::switches::{Method, is_on};
use crate::variable::{InputError, Values};
use core::array;
use core::marker::PhantomData;

/// Factor of the resolution of z for a coupled body over that which the mean force needs: the force
/// at the end of a step is then accurate as well where it settles within the step. Larger values
/// cost inner steps.
const MEAN_RESOLUTION: f64 = 30.0;
/// Largest factor on the error allowed in a deflection beyond its limit that returns to it within a
/// small part of the interval. Larger: a deflection that v leaves there by a reversal may be off by
/// as much as it is beyond the limit.
const MAX_EASE: f64 = 100.0;

/// Event indicator of each of [`EVENTS`](metadata::EVENTS).
pub fn indicators(contact: Contact) -> [f64; MAX_EVENTS] {
    [opening(contact), contact.v / NOMINAL_VELOCITY, 1.0, 1.0]
}

/// A law of this kind: its description and its constants.
pub trait Constants: Copy + Send + 'static {
    /// Descriptions along a line and in the plane.
    const METADATA: [&'static LawMetadata; 2];

    /// Steady coefficient of friction over the speed.
    fn curve(values: &Values) -> Result<Exponential, InputError>;

    /// Stiffness and damping.
    fn sigma(values: &Values) -> Sigma;
}

/// Stiffness and damping of a bristle of first order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sigma {
    /// Stiffness σ_0, N/m.
    pub sigma_0: f64,
    /// Damping σ_1, N·s/m.
    pub sigma_1: f64,
    /// Viscous friction σ_2, N·s/m.
    pub sigma_2: f64,
}

/// A bristle of first order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FirstOrder<K> {
    curve: Signed<Exponential>,
    sigma_0: f64,
    sigma_1: f64,
    sigma_2: Signed<f64>,
    /// Deflection at which the elastic force is limited over the normal force, m/N.
    reach: Signed<f64>,
    /// Normal force that errors are measured by at least, N.
    light_force: f64,
    kind: PhantomData<K>,
}

/// A closed contact at one instant.
#[derive(Clone, Copy)]
pub struct At<S, const D: usize> {
    v: [S; D],
    /// Decay rate of the deflection σ_0 |v|/G, 1/s.
    decay_rate: S,
    /// Viscous friction σ_2, N·s/m.
    viscosity: f64,
    /// Deflection of each sign at which the elastic force is limited, F_s/σ_0, m.
    reach: Signed<S>,
}

impl<K> FirstOrder<K> {
    /// Law with this curve, stiffness and damping.
    pub fn of(curve: Exponential, sigma: Sigma, light_force: f64) -> Self {
        let Sigma {
            sigma_0,
            sigma_1,
            sigma_2,
        } = sigma;
        FirstOrder {
            curve: Signed::even(curve),
            sigma_0,
            sigma_1,
            sigma_2: Signed::even(sigma_2),
            reach: Signed::even(curve.largest() / sigma_0),
            light_force,
            kind: PhantomData,
        }
    }

    /// The larger static coefficient of both directions.
    fn mu_s(&self) -> f64 {
        self.curve.forward.mu_s.max(self.curve.backward.mu_s)
    }

    fn force_of<S: Scalar, const D: usize>(&self, at: &At<S, D>, z: &[S; D]) -> [S; D] {
        let length = size(z);
        let reach = *at.reach.of(z[0].value());
        let z = if length.value() <= reach.value() {
            *z
        } else {
            scaled(z, reach * length.reciprocal())
        };
        array::from_fn(|i| {
            z[i] * self.sigma_0
                + (at.v[i] - at.decay_rate * z[i]) * self.sigma_1
                + at.v[i] * at.viscosity
        })
    }
}

impl<K: Constants, const D: usize> Bristle<D> for FirstOrder<K> {
    const METADATA: &'static LawMetadata = K::METADATA[D - 1];
    const SECOND_ORDER: bool = false;

    type At<S: Scalar> = At<S, D>;

    fn new(values: &Values, curve: Option<&'static Measured>) -> Result<Self, InputError> {
        let curve = curve.map_or_else(
            || K::curve(values),
            |curve| Ok(Exponential::of_measured(curve)),
        )?;
        Ok(FirstOrder::of(curve, K::sigma(values), light_force(values)))
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(FirstOrder {
            curve: self.curve.joined(backward.curve),
            sigma_2: self.sigma_2.joined(backward.sigma_2),
            reach: self.reach.joined(backward.reach),
            ..self
        })
    }

    #[inline(always)]
    fn at<S: Scalar>(&self, normal_force: S, v: &[S; D]) -> At<S, D> {
        // In the plane both directions are alike.
        let (speed, curve, sign) = (size(v), self.curve.of(v[0].value()), v[0].value());
        let decay_rate = if speed.value() == 0.0 {
            S::constant(0.0)
        } else {
            let (mu, slope) = curve.at(speed.value());
            speed * self.sigma_0 * (speed.chain(mu, slope) * normal_force).reciprocal()
        };
        let reach = self.reach.map(|reach| normal_force * reach);
        At {
            v: *v,
            decay_rate,
            viscosity: *self.sigma_2.of(sign),
            reach,
        }
    }

    #[inline(always)]
    fn rate<S: Scalar>(&self, at: &At<S, D>, _: &[S; D], u: &[S; D]) -> [S; D] {
        array::from_fn(|i| at.v[i] - at.decay_rate * u[i])
    }

    #[inline(always)]
    fn force<S: Scalar>(&self, at: &At<S, D>, _: &[S; D], u: &[S; D]) -> [S; D] {
        self.force_of(at, u)
    }

    #[inline(always)]
    fn force_at_rate(&self, at: &At<f64, D>, x: &State<D>, rate: &[f64; D]) -> [f64; D] {
        if <Self as Bristle<D>>::branch(self, at, x) > 0 {
            return self.force_of(at, &x.u);
        }
        array::from_fn(|i| self.sigma_0 * x.u[i] + self.sigma_1 * rate[i] + at.viscosity * at.v[i])
    }

    fn relax(&self, x: &mut State<D>, _: f64) {
        x.u = [0.0; D];
    }

    #[inline(always)]
    fn sticks<S: Scalar>(&self, at: &At<S, D>, _: &[S; D], u: &[S; D]) -> bool {
        let speed = size(&at.v).value();
        speed <= REST || at.decay_rate.value() * size(u).value() <= 0.5 * speed
    }

    #[inline(always)]
    fn is_linear(&self) -> bool {
        true
    }

    #[inline(always)]
    fn decay_rate(&self, at: &At<f64, D>) -> f64 {
        at.decay_rate
    }

    /// Whether the elastic force is limited.
    #[inline(always)]
    fn branch(&self, at: &At<f64, D>, x: &State<D>) -> u16 {
        u16::from(size(&x.u) > *at.reach.of(x.u[0]))
    }

    /// ∂F_R/∂z is σ_0 − σ_1 k with the decay rate k. An error within the step decays with k, so
    /// that only k at its end counts for F_R there, or k now where it rises: under a falling F_N
    /// the error decays as F_N does, at least. The impulse of its damping is σ_1 times the error.
    #[inline(always)]
    fn scale(
        &self,
        end: Option<&At<f64, D>>,
        duration: f64,
        normal_force: f64,
        x: &State<D>,
        f: &Linearised<D>,
    ) -> BristleScale {
        let at_end = end.map_or(0.0, |end| end.decay_rate);
        let fastest = at_end.min(f.by_u[0][0].abs()).max(1.0 / duration);
        let sensitivity = (self.sigma_1 * fastest / self.sigma_0).max(1.0);
        BristleScale {
            z: f64::INFINITY,
            u: (self.mu_s() * normal_force / self.sigma_0).max(size(&x.u)) / sensitivity,
        }
    }

    fn limits(&self, at: &At<f64, D>, _: &State<D>) -> StepLimits {
        let curve = self.curve.of(at.v[0]);
        if curve.mu_s > curve.mu_d {
            StepLimits::along(curve.v_stribeck, size(&at.v))
        } else {
            StepLimits::FREE
        }
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.mu_s() * normal_force
    }

    /// Held inputs: the deflection tends to the steady one on a straight line with one rate. Where
    /// the elastic force is limited at the start, F_R is constant along a line until z returns to
    /// the limit.
    #[inline(always)]
    fn held_motion(
        &self,
        at: &At<f64, D>,
        _: f64,
        x: &mut State<D>,
        mut rest: f64,
    ) -> Option<Totals<D>> {
        if !is_on(Method::HeldFirstOrder) {
            return None;
        }
        let At {
            v,
            decay_rate,
            viscosity,
            reach,
        } = *at;
        let mut impulse = v.map(|v| viscosity * v * rest);
        let mut z = x.u;
        let (length, reach) = (size(&z), *reach.of(z[0]));
        // At rest, or so slow that the time constant is no number.
        let is_at_rest = !(1.0 / decay_rate).is_finite();
        if is_at_rest {
            let limited = if length > reach { reach / length } else { 1.0 };
            let impulse = array::from_fn(|i| impulse[i] + self.sigma_0 * limited * z[i] * rest);
            return Some(Totals {
                work: dot(&impulse, &v),
                impulse,
            });
        }
        let steady = v.map(|v| v / decay_rate);
        if length > reach {
            if D > 1 {
                return None;
            }
            let limit = reach.copysign(z[0]);
            let ratio = (z[0] - steady[0]) / (limit - steady[0]);
            // At μ = μ_s the steady deflection is the limit to rounding, and may lie on either side
            // of it.
            let limited = if ratio >= 1.0 {
                (libm::log(ratio) / decay_rate).min(rest)
            } else {
                rest
            };
            impulse[0] +=
                (self.sigma_0 * limit + self.sigma_1 * (v[0] - decay_rate * limit)) * limited;
            if limited >= rest {
                x.u[0] = steady[0] + (z[0] - steady[0]) * decay(decay_rate * rest);
                return Some(Totals {
                    work: impulse[0] * v[0],
                    impulse,
                });
            }
            (z[0], rest) = (limit, rest - limited);
        }
        // 1 − exp(−x) without its cancellation, and over x: at tiny speeds x has few digits.
        let exponent = decay_rate * rest;
        let decayed = -libm::expm1(-exponent);
        let mean = if exponent > f64::EPSILON {
            decayed / exponent
        } else {
            1.0
        };
        for i in 0..D {
            let change = (steady[i] - z[i]) * decayed;
            impulse[i] += self.sigma_0 * (steady[i] - (steady[i] - z[i]) * mean) * rest
                + self.sigma_1 * change;
            x.u[i] = z[i] + change;
        }
        Some(Totals {
            work: dot(&impulse, &v),
            impulse,
        })
    }

    fn light_force(&self) -> f64 {
        self.light_force
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn velocity_error_scale(&self, normal_force: f64) -> f64 {
        self.mu_s() * normal_force / (self.sigma_1 + self.sigma_2.larger())
    }

    fn mean_error_scale(&self, contact: Contact, x: &State<D>, duration: f64) -> Option<f64> {
        // As the scale, but the decay rate counts up to that of the duration only, and F_R does not
        // depend on z beyond the limit: there the error may be as large as the excess, so that the
        // return to the limit has its time.
        let At {
            decay_rate, reach, ..
        } = <Self as Bristle<D>>::at(self, contact.F_N, &velocity(&contact));
        let (largest, reach) = (MEAN_RESOLUTION / duration, *reach.of(x.u[0]));
        let deflection = reach.min(self.mu_s() * contact.F_N / self.sigma_0);
        let sensitivity = (self.sigma_1 * decay_rate.min(largest) / self.sigma_0).max(1.0);
        let excess = (size(&x.u) - reach).max(0.0);
        // The faster the return, the less its time counts.
        Some(deflection / sensitivity + excess * (decay_rate / largest).clamp(1.0, MAX_EASE))
    }

    fn indicators(&self, contact: Contact, _: &State<D>) -> [f64; MAX_EVENTS] {
        if D == 1 {
            indicators(contact)
        } else {
            [opening(contact), 1.0, 1.0, 1.0]
        }
    }
}
