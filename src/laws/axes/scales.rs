//! Error scale of a bristle with a linear rate, such as those of first order.
//!
//! An error δ of z decays with the rate k of the bristle, which grows without bound where F_N falls
//! to 0. F_R is seen at the end of the communication step alone, where δ changes it by σ_0 δ and
//! σ_1 k δ. Until then δ has decayed by exp(∫k). Within the step only the totals count, which δ
//! changes by σ_0 ∫δ and σ_1 δ.

use super::{Bristle, velocity};
use crate::integrate::extrema::{larger, smaller};
use crate::law::{Contact, Input, InputTrajectory, Largest};
use crate::ode::{Linearised, State};
use crate::scalar::size;
use core::array;

/// Number n of squarings of 1 + K/2ⁿ, a lower bound on exp(K). More cost time; fewer leave more
/// inner steps: 3 leave a tenth more.
const SQUARINGS: i32 = 5;

/// Error of a total over that of F_R, below the ten that are allowed, because those of several
/// inner steps add up. Smaller: 8 % more inner steps; at 4 the means of random steps are off by a
/// tenth of what is allowed in 99 % of them.
const OF_TOTALS: f64 = 4.0;

/// Communication step.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Inputs.
    pub trajectory: &'a InputTrajectory<'a>,
    /// Length, s.
    pub duration: f64,
    /// Tolerance of F_R over F_s.
    pub tolerance: f64,
}

/// Part of a communication step.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Start, s from the start of the step.
    pub from: f64,
    /// End, s from the start of the step.
    pub to: f64,
    /// Largest inputs of the step.
    pub largest: Largest,
}

/// The closed contact after a segment, until it opens or the communication step ends.
#[derive(Clone, Copy, Debug)]
pub struct Remainder {
    /// Contact at the end of the step; `None` where the contact opens before.
    pub end: Option<Contact>,
    /// End of the closed contact, s from the start of the step.
    until: f64,
    /// Lower bound on the path, m.
    path: f64,
    /// Normal force at the last reversal, N.
    at_reversal: Option<f64>,
}

impl Remainder {
    /// Contact after a segment, with the breakpoints from its end on.
    pub fn new<const D: usize>(
        trajectory: &InputTrajectory,
        from: f64,
        to: f64,
        breakpoints: impl Iterator<Item = f64>,
    ) -> Self {
        let signs = |contact: &Contact| velocity::<D>(contact).map(|v| v > 0.0);
        let mut before = signs(&trajectory.at(0.5 * (from + to)));
        let mut remainder = Remainder {
            end: None,
            until: to,
            path: 0.0,
            at_reversal: None,
        };
        for next in breakpoints.filter(|next| *next > to) {
            let from = remainder.until;
            let contacts = [from, 0.5 * (from + next), next].map(|t| trajectory.at(t));
            if contacts[1].is_open() {
                return remainder;
            }
            // Simpson's rule is exact for polynomials of order 3.
            let [a, b, c] = contacts.map(|contact| velocity::<D>(&contact));
            remainder.path += (next - from) / 6.0
                * size(&array::from_fn::<f64, D, _>(|i| a[i] + 4.0 * b[i] + c[i]));
            remainder.until = next;
            let now = signs(&contacts[1]);
            if now != before {
                remainder.at_reversal = Some(contacts[0].F_N);
            }
            before = now;
        }
        let end = trajectory.at(remainder.until);
        Remainder {
            end: (!end.is_open()).then_some(end),
            ..remainder
        }
    }
}

/// Error scales over a segment.
#[derive(Clone, Copy, Debug)]
pub struct Scales<const D: usize> {
    /// Change of z that changes the totals by the force that they are measured by, m.
    of_totals: f64,
    /// 1 over the deflection under the largest normal force of the step, 1/m.
    per_deflection: f64,
    /// F_R at the end of the step; `None` where the contact opens before.
    seen: Option<Seen<D>>,
}

/// Scales of F_R at the end of the step.
#[derive(Clone, Copy, Debug)]
struct Seen<const D: usize> {
    /// Change of z there that changes the elastic force by the force that errors are measured by,
    /// m.
    elastic: f64,
    /// Change of z there that changes the damping as well by at most this force, m.
    damped: f64,
    /// Normal force there, N, and the deflection at which it limits the elastic force, m.
    end_force: f64,
    reach: f64,
    /// Normal force at the last reversal, N.
    at_reversal: Option<f64>,
    /// Largest normal force of the step, N, where it has a maximum after the start of the segment;
    /// 0 otherwise.
    maximum: f64,
    /// Reach per normal force, m/N.
    reach_per_force: f64,
    /// Velocity and its derivatives at the start of the segment, and its displacement over it, m.
    v: [Input; D],
    displacement: [f64; D],
    /// Path after the segment, m.
    path: f64,
}

/// Displacement in the time t (s) from a velocity and its derivatives, m.
#[inline(always)]
fn displacement([v, first, second, third]: &Input, t: f64) -> f64 {
    t * (v + t / 2.0 * (first + t / 3.0 * (second + t / 4.0 * third)))
}

impl<const D: usize> Scales<D> {
    /// Scales over a segment that begins with this normal force (N) and velocity (m/s) and their
    /// derivatives.
    pub fn new<B: Bristle<D>>(
        law: &B,
        step: &Step,
        part: Part,
        normal_force: Input,
        v: [Input; D],
        remainder: &Remainder,
    ) -> Self {
        let none = State {
            z: [0.0; D],
            u: [0.0; D],
        };
        let steepest = [[f64::INFINITY; D]; D];
        let steepest = Linearised {
            rate: [0.0; D],
            by_z: steepest,
            by_u: steepest,
        };
        let at_end = remainder.end.map(|end| law.at(end.F_N, &velocity(&end)));
        let scale = |end, duration, normal_force: f64| {
            law.scale(
                end,
                duration,
                larger(normal_force, law.light_force()),
                &none,
                &steepest,
            )
            .u
        };
        let Part { from, to, largest } = part;
        let [_, first, second, third] = normal_force;
        let seen = remainder.end.map(|end| {
            // The root of the slope of F_N at which the slope falls.
            let maximum = 2.0 * first / ((second * second - 2.0 * first * third).sqrt() - second);
            let has_maximum = maximum > 0.0 && maximum < remainder.until - from;
            let reach_per_force = law.static_force(1.0) / law.stiffness();
            Seen {
                elastic: scale(None, f64::INFINITY, end.F_N),
                damped: scale(at_end.as_ref(), f64::INFINITY, end.F_N),
                end_force: end.F_N,
                reach: reach_per_force * end.F_N,
                at_reversal: remainder.at_reversal,
                maximum: if has_maximum { largest.force } else { 0.0 },
                reach_per_force,
                v,
                displacement: v.map(|v| displacement(&v, to - from)),
                path: remainder.path,
            }
        });
        Scales {
            of_totals: OF_TOTALS * scale(None, step.duration, largest.force),
            per_deflection: 1.0 / scale(None, f64::INFINITY, largest.force),
            seen,
        }
    }

    /// Scale of the state at the time t (s) in the segment under a normal force (N).
    #[inline(always)]
    pub fn at(&self, t: f64, normal_force: f64, x: &State<D>) -> f64 {
        let deflection = size(&x.u);
        let of_totals = self.of_totals * larger(deflection * self.per_deflection, 1.0);
        let Some(seen) = &self.seen else {
            return of_totals;
        };
        smaller(of_totals, seen.at(t, normal_force, deflection))
    }
}

impl<const D: usize> Seen<D> {
    #[inline(always)]
    fn at(&self, t: f64, normal_force: f64, deflection: f64) -> f64 {
        let path = self.path
            + size(&array::from_fn::<f64, D, _>(|i| {
                self.displacement[i] - displacement(&self.v[i], t)
            }));
        let largest = larger(larger(normal_force, self.end_force), self.maximum);
        let mut decay = 1.0 + path / (self.reach_per_force * largest) / f64::from(1 << SQUARINGS);
        for _ in 0..SQUARINGS {
            decay *= decay;
        }
        // Beyond the limit F_R depends on the direction of z alone, until z has decayed to it.
        // Along a line a bristle within its limit follows a falling F_N: errors decay at least as
        // its square, of which one power stands for z over its allowed error.
        let until_limit = deflection / self.reach;
        let falls = larger(
            self.at_reversal.unwrap_or(normal_force) / self.end_force,
            1.0,
        );
        let follows = if D == 1 {
            falls * larger(deflection / self.elastic, 1.0) * decay
        } else {
            larger(falls, decay)
        };
        let damped = self.damped * larger(follows, until_limit);
        smaller(larger(self.elastic * decay, deflection), damped)
    }
}
