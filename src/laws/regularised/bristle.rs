//! FrDyn2 and FrDyn2Linear as bristles: scales, limits and branches for the integrator, indicators
//! and warnings.

use super::closed_forms;
use super::equations::{At, FrDyn2Bristle, Level, Place, sign};
use super::metadata::{in_plane, linear, parabola};
use super::{ShiftedCurve, read};
use crate::characteristic::{self, Measured};
use crate::integrate::extrema::{larger, smaller};
use crate::law::{Contact, LawMetadata, MAX_EVENTS, Spring, StepLimits, opening};
use crate::laws::axes::{Borders, Bristle, BristleScale, ForceAndRate};
use crate::ode::{Linearised, State, Totals};
use crate::scalar::{Scalar, dot, size};
use crate::variable::{InputError, Values};
use core::array;

/// Error scale of ż over that for the steepest characteristic, 1, where it is less steep. Larger: a
/// step from a flat part of the characteristic to a steep one is off.
const SOFTEST: f64 = 10.0;
/// Error of the impulse over that of F_R for all of a step, 1, with which errors of z and ż are as
/// large as they may be: F_R_mean may be off by ten tolerances, and an inner step has a tenth of
/// one.
const IMPULSE_SHARE: f64 = 3.0;
/// Largest term of equation (2) over the force that errors are measured by, 1, with which F_R is
/// their sum: its rounding is below a hundredth of the mean force's error at the least tolerance.
const LARGEST_TERM: f64 = 1e4;
/// Share of the distance in w to the falling branch plus its width by which v may change in a step,
/// 1; w moves with the shift as well.
const MAX_DV_SHARE: f64 = 0.5;

impl<const STRAIGHT: bool, const D: usize> Bristle<D> for FrDyn2Bristle<STRAIGHT> {
    const METADATA: &'static LawMetadata = [
        [&parabola::METADATA, &in_plane::PARABOLA],
        [&linear::METADATA, &in_plane::LINEAR],
    ][STRAIGHT as usize][D - 1];
    const SECOND_ORDER: bool = true;

    type At<S: Scalar> = At<S, D>;

    fn new(values: &Values, curve: Option<&'static Measured>) -> Result<Self, InputError> {
        let Some(curve) = curve else {
            return Self::of(values, read(values)?);
        };
        let limits = characteristic::Regularised::limits_of(curve);
        // In steady sliding |w| = |v| + v_s.
        let law = Self::of(
            values,
            characteristic::Regularised {
                v_d: limits.v_d + limits.v_s,
                ..limits
            },
        )?;
        let max_stable_force = law.sigma_1 / curve.steepest_fall();
        let level = law.level.map(|level| Level {
            measured: Some(ShiftedCurve::new(curve)),
            ..level
        });
        Ok(FrDyn2Bristle {
            max_stable_force,
            level,
            v_viscous: curve.last()[0] + limits.v_s,
            ..law
        })
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        if [self.v_s, self.v_viscous] != [backward.v_s, backward.v_viscous] {
            return Err(InputError::new(format!(
                "the curve for v > 0 goes from {:?} m/s to {:?} m/s and that for v < 0 from {:?} \
                 m/s to {:?} m/s, but the bristle of this law \
                 needs the same first and last speed in both directions; give both curves these \
                 points",
                self.v_s,
                self.v_viscous - self.v_s,
                backward.v_s,
                backward.v_viscous - backward.v_s
            )));
        }
        let level = self.level.joined(backward.level);
        let max_stable_force = self.max_stable_force.min(backward.max_stable_force);
        Ok(FrDyn2Bristle {
            level,
            is_uneven: level.forward != level.backward,
            max_stable_force,
            v_d: self.v_d.max(backward.v_d),
            ..self
        })
    }

    #[inline(always)]
    fn at<S: Scalar>(&self, normal_force: S, v: &[S; D]) -> At<S, D> {
        At::new(normal_force, normal_force * self.level.forward.mu_s, v)
    }

    #[inline(always)]
    fn rate<S: Scalar>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> [S; D] {
        self.force_and_rate(at, z, u).rate
    }

    #[inline(always)]
    fn force<S: Scalar>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> [S; D] {
        self.friction(at, z, u)
    }

    #[inline(always)]
    fn force_and_rate<S: Scalar>(
        &self,
        at: &At<S, D>,
        z: &[S; D],
        u: &[S; D],
    ) -> ForceAndRate<[S; D]> {
        let force = self.friction(at, z, u);
        let rate =
            |i: usize| (force[i] - z[i] * self.sigma_0 - u[i] * self.sigma_1) * self.inverse_mass;
        ForceAndRate {
            force,
            rate: array::from_fn(rate),
        }
    }

    /// Equation (2), or (4) where rounding of its terms may count in F_R.
    #[inline(always)]
    fn force_at_rate(&self, at: &At<f64, D>, x: &State<D>, rate: &[f64; D]) -> [f64; D] {
        let [elastic, damping] = [x.z.map(|z| self.sigma_0 * z), x.u.map(|u| self.sigma_1 * u)];
        let counted = larger(at.F_N, self.light_force) * self.mu_s();
        if larger(size(&elastic), size(&damping)) > LARGEST_TERM * counted {
            return self.friction(at, &x.z, &x.u);
        }
        array::from_fn(|i| self.mass * rate[i] + elastic[i] + damping[i])
    }

    fn open_rate<S: Scalar>(&self, z: &[S; D], u: &[S; D]) -> [S; D] {
        array::from_fn(|i| -(z[i] * self.sigma_0 + u[i] * self.sigma_1) * self.inverse_mass)
    }

    fn relax(&self, x: &mut State<D>, duration: f64) {
        closed_forms::relax(self.omega, x, &[0.0; D], duration);
    }

    #[inline(always)]
    fn sticks<S: Scalar>(&self, at: &At<S, D>, z: &[S; D], u: &[S; D]) -> bool {
        let Place { shifts, speed, .. } = self.place(at, z, u);
        shifts && speed.value() <= self.v_s
    }

    /// Below and beyond |F_0| = F_s, and the part of the characteristic: a derivative of F_R jumps
    /// at each border, along a line also at w = 0, and the second one of the parabola's shift at
    /// F_0 = 0.
    #[inline(always)]
    fn branch(&self, at: &At<f64, D>, x: &State<D>) -> u16 {
        let Place {
            sticking_force,
            shifts,
            w,
            speed,
        } = self.place(at, &x.z, &x.u);
        let part = match &self.level_of(sign(&w)).measured {
            Some(curve) => curve.part(speed),
            None => u16::from(speed > self.v_s) + u16::from(speed >= self.v_d),
        };
        let is_backward = (!STRAIGHT || self.is_uneven) && part == 0 && w[0] < 0.0;
        // Where the levels differ, the shift has a kink at F_0 = 0.
        let bends = self.is_uneven || !STRAIGHT && D == 1;
        let is_shifted_back = bends && shifts && sticking_force[0] < 0.0;
        u16::from(shifts) + 2 * u16::from(is_backward) + 4 * u16::from(is_shifted_back) + 8 * part
    }

    /// From full sliding to full sliding, where w may come nearer to 0 between, as F_R may be alike
    /// at both ends; and over all of the falling branch from one stage to the next.
    #[inline(always)]
    fn passes_over(&self, at: [&At<f64, D>; 4], x: [&State<D>; 4]) -> bool {
        let ([start, .., end], [from, .., to]) = (at, x);
        let slip = |at: &At<f64, D>, x: &State<D>| array::from_fn(|i| at.v[i] - x.u[i]);
        let (before, after) = (slip(start, from), slip(end, to));
        let [before_speed, after_speed] = [&before, &after].map(size);
        let least = before_speed.min(after_speed);
        let reverses = dot(&before, &after) < 0.0;
        let may_cross = before_speed.max(after_speed) >= self.least_of_full_sliding()
            && (reverses || least <= 2.0 * self.v_s)
            && self.max_stable_force.is_finite();
        if may_cross {
            let place = |at: &At<f64, D>, x: &State<D>| self.place(at, &x.z, &x.u);
            let mut last = place(start, from);
            for (at, x) in at.into_iter().zip(x).skip(1) {
                let next = place(at, x);
                let [near, far] = [last.speed.min(next.speed), last.speed.max(next.speed)];
                if far >= self.v_d && (near <= self.v_s || dot(&last.w, &next.w) < 0.0) {
                    return true;
                }
                last = next;
            }
        }
        if least < self.least_of_full_sliding() {
            return false;
        }
        if reverses || least >= self.certain_full_sliding() {
            return reverses && before_speed + after_speed >= 2.0 * self.v_d;
        }
        let [from, to] = [(start, from), (end, to)].map(|(at, x)| self.place(at, &x.z, &x.u));
        // The slip of one end with the shift of the other.
        let slower = |slip: &[f64; D], place: &Place<f64, D>, own: &[f64; D]| {
            size(&array::from_fn::<f64, D, _>(|i| {
                slip[i] + place.w[i] - own[i]
            })) < self.v_d
        };
        from.speed.min(to.speed) >= self.v_d
            && (slower(&before, &to, &after) || slower(&after, &from, &before))
    }

    fn borders(&self, at: &At<f64, D>, x: &State<D>) -> Option<Borders> {
        if D > 1 {
            return None;
        }
        let place = self.place(at, &x.z, &x.u);
        let limit = |side: f64| side * self.static_force(at, side);
        Some(Borders {
            of_stick: [1.0, -1.0].map(|side| place.sticking_force[0] - limit(side)),
            of_slip: [self.v_s, -self.v_s, self.v_d, -self.v_d].map(|corner| place.w[0] - corner),
        })
    }

    /// F_s/σ_0 for z and v_s/2 for ż, because |∂F_R/∂ż| ≤ 2 F_s/v_s, or more where the
    /// characteristic is less steep. Where F_N has fallen and |z| exceeds F_s/σ_0, F_R does not
    /// depend on z, and its scale is |z|. An error of ż changes z by 1/(2ω) of itself before it
    /// decays. The impulse m_b Δż + σ_1 Δz + σ_0 ∫z counts where the step is short.
    #[inline(always)]
    fn scale(
        &self,
        _: Option<&At<f64, D>>,
        duration: f64,
        normal_force: f64,
        x: &State<D>,
        f: &Linearised<D>,
    ) -> BristleScale {
        let static_force = self.mu_s() * normal_force;
        let impulse = IMPULSE_SHARE * static_force * duration;
        // ∂F_R/∂ż = m_b ∂z̈/∂ż + σ_1, along the axes where it is largest.
        let mut steepest: f64 = 0.0;
        for i in 0..D {
            for j in 0..D {
                let slope = self.mass * f.by_u[i][j] + if i == j { self.sigma_1 } else { 0.0 };
                steepest = larger(slope.abs(), steepest);
            }
        }
        let deflection = larger(static_force, self.sigma_0 * size(&x.z)) / self.sigma_0;
        let z = smaller(deflection, impulse / self.sigma_1);
        let bound = smaller(2.0 * self.omega * deflection, impulse * self.inverse_mass);
        let least = smaller(0.5 * self.v_s, bound);
        let most = smaller(SOFTEST * least, bound);
        let by_slope = if steepest * most > static_force {
            static_force / steepest
        } else {
            most
        };
        let resolved = by_slope.clamp(least, most);
        let sigma_2 = self.level.forward.sigma_2.max(self.level.backward.sigma_2);
        let viscous = if sigma_2 > 0.0 {
            static_force / sigma_2
        } else {
            resolved
        };
        BristleScale {
            z,
            u: smaller(resolved, viscous),
        }
    }

    /// In full sliding |F_R| is alike on both sides of rest, so that the error estimate does not
    /// show a step over the branches between.
    fn limits(&self, at: &At<f64, D>, x: &State<D>) -> StepLimits {
        let speed = self.place(at, &x.z, &x.u).speed;
        let width = self.v_viscous - self.v_s;
        let distance = (self.v_s - speed).max(speed - self.v_d).max(0.0);
        let excess = at.F_N / self.max_stable_force - 1.0;
        let falls = speed > self.v_s && speed < self.v_d && excess > 0.0;
        StepLimits {
            max_dv: MAX_DV_SHARE * (distance + width),
            growth_rate: if falls {
                2.0 * self.omega * excess
            } else {
                0.0
            },
            ..StepLimits::FREE
        }
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        let largest = |level: Level| {
            level
                .measured
                .map_or(level.mu_s, |curve| curve.measured().range()[1])
        };
        self.level.map(largest).larger() * normal_force
    }

    /// |∂F_R/∂ż| ≤ 2 F_s/v_s.
    fn fastest_rate(&self, normal_force: f64, mass: f64) -> f64 {
        let slope = self.sigma_1 + 2.0 * self.mu_s() * normal_force * self.inverse_v_s;
        slope * (self.inverse_mass + 1.0 / mass)
    }

    fn max_stable_force(&self) -> f64 {
        self.max_stable_force
    }

    #[inline(always)]
    fn held_motion(
        &self,
        at: &At<f64, D>,
        tolerance: f64,
        x: &mut State<D>,
        rest: f64,
    ) -> Option<Totals<D>> {
        closed_forms::held(self, at, tolerance, x, rest)
    }

    fn moving_motion(
        &self,
        at: &At<f64, D>,
        v: &[[f64; 4]; D],
        x: &mut State<D>,
        rest: f64,
    ) -> Option<Totals<D>> {
        closed_forms::moving(self, at, v, x, rest)
    }

    fn light_force(&self) -> f64 {
        self.light_force
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn damping(&self) -> f64 {
        self.sigma_1
    }

    /// σ_0 and σ_1 in stick, where F_R = F_0 with ż = v after the transient of the bristle; beyond
    /// v_d the viscous friction only.
    fn response(&self, at: &At<f64, D>, x: &State<D>) -> Option<Spring> {
        let Place {
            shifts, w, speed, ..
        } = self.place(at, &x.z, &x.u);
        Some(match (shifts && speed <= self.v_s, speed >= self.v_d) {
            (true, _) => Spring {
                stiffness: self.sigma_0,
                damping: self.sigma_1,
            },
            (_, true) => Spring {
                stiffness: 0.0,
                damping: self.level_of(sign(&w)).sigma_2,
            },
            _ => Spring::NONE,
        })
    }

    fn velocity_error_scale(&self, _: f64) -> f64 {
        0.5 * self.v_s
    }

    /// Indicators of the opening and of |w| = v_s, for the laws with that event.
    fn indicators(&self, contact: Contact, x: &State<D>) -> [f64; MAX_EVENTS] {
        let all = [contact.v, contact.v_y];
        let v: [f64; D] = array::from_fn(|i| all[i]);
        let kink = if contact.is_open() {
            // F_s is 0: the shift is saturated.
            let force = self.sticking_force(&x.z, &v);
            let length = size(&force);
            let shift = if length > 0.0 { self.v_s / length } else { 0.0 };
            size(&array::from_fn::<f64, D, _>(|i| {
                v[i] - x.u[i] + shift * force[i]
            }))
        } else {
            self.place(&<Self as Bristle<D>>::at(self, contact.F_N, &v), &x.z, &x.u)
                .speed
        };
        let kink = kink * self.inverse_v_s - 1.0;
        [
            opening(contact),
            if kink == 0.0 { f64::EPSILON } else { kink },
            1.0,
            1.0,
        ]
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        let (normal_force, limit) = (contact.F_N, self.max_stable_force);
        if normal_force <= limit {
            return None;
        }
        let steepest = self
            .level
            .map(|level| {
                level
                    .measured
                    .map_or(0.0, |curve| curve.measured().steepest_fall())
            })
            .larger();
        if self.level.forward.measured.is_none() {
            return Some(format!(
                "at F_N = {normal_force:.4} N, above 1.5 (mu_s - mu_d) F_N/(v_d - v_s) = sigma_1 \
                 (F_N = {limit:.4} N), the bristle \
                 of this model is unstable on the falling branch and friction oscillates at \
                 constant velocity; raise sigma_1 or v_d, state F_N as \
                 `normal_force` in the card, or ignore this if the contact only sticks or slides \
                 fast"
            ));
        }
        Some(format!(
            "the measured curve falls by {steepest:.4} s/m where it is steepest, at F_N = \
             {normal_force:.4} N by {:.4} N.s/m, more than \
             sigma_1 = {:?} N.s/m: the bristle is unstable there, and friction oscillates at \
             constant velocity; the curve is good up to F_N = {limit:.4} N. \
             Raise sigma_1, smooth the curve with `bristle curve`, or state the usual F_N of the \
             contact as `normal_force`",
            steepest * normal_force,
            self.sigma_1
        ))
    }
}
