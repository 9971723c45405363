//! Recurrence of the Taylor coefficients of a step, order by order. See §3, §4 and §9 of `docs/internals/numerics.md`.
//!
//! Each coefficient is linear in the one before it, with constant factors; all other terms come from earlier coefficients. The
//! computing time of a step is the latency of that dependency chain, so that all terms off the chain are calculated in advance.

use super::constants::{MAX_ORDER, NEGLIGIBLE_TERM_SHARE, POWER_TERM_SHARE};
use super::dimensionless::{DimensionlessLaw, Zone};
use super::inputs::{InputCase, InputPolynomials};
use super::moving_terms::{HeldCoefficients, MovingTerms, is_looped};
use super::reversed::Reversed;
use super::series::{INVERSES, Series, ZERO};
use super::taylor_series::{RecurrenceCase, SeriesSums, ShiftBranch, TaylorSeries};
use crate::integrate::extrema::larger;

/// Recurrence with its intermediate series.
pub struct TaylorCoefficients<'a, C: InputCase> {
    series: &'a mut TaylorSeries,
    inputs: InputPolynomials<C>,
    case: RecurrenceCase,
    law: &'a DimensionlessLaw,
    /// Length for which the terms are evaluated, in t or τ.
    h: f64,
    /// Bound of a negligible term of r and of weight·e.
    negligible: f64,
    polynomial: ZonePolynomial,
    /// 1/(2 s_0).
    half_inverse_root: f64,
    /// −∂e′/∂e at the start, 1/s.
    decay: f64,
    /// s in reverse.
    reversed_s: Reversed,
    /// w.
    w: Series,
    /// w in reverse.
    reversed_w: Reversed,
    /// w² without its terms in w_0.
    w_w: Series,
    /// 2s − e, the factor of e in f − r where the contact sticks, in reverse.
    x: Reversed,
    /// de/dt in τ.
    e_derivative: Series,
    /// Terms of moving inputs.
    moving: &'a mut MovingTerms,
    /// The next coefficients of r, e and s.
    next: [f64; 3],
    /// h^k.
    power: f64,
    /// Whether ν is not linear in time.
    is_curved: bool,
    /// Weight of a term of e in a step of this length.
    weight: f64,
    /// Number of successive negligible terms.
    negligible_terms: u32,
    /// Sums over h so far.
    pub sums: SeriesSums,
}

impl<'a, C: InputCase> TaylorCoefficients<'a, C> {
    /// The recurrence from the start of `series`, over the length `h`.
    #[inline(always)]
    pub fn new(
        series: &'a mut TaylorSeries,
        moving: &'a mut MovingTerms,
        law: &'a DimensionlessLaw,
        inputs: InputPolynomials<C>,
        case: RecurrenceCase,
        h: f64,
        tolerance: f64,
    ) -> Self {
        let polynomial = ZonePolynomial::at_start(series, case, law);
        TaylorCoefficients {
            inputs,
            case,
            law,
            h,
            negligible: NEGLIGIBLE_TERM_SHARE * tolerance,
            half_inverse_root: 0.5 / series.s[0],
            decay: law.alpha + law.b * polynomial.by_e,
            polynomial,
            reversed_s: Reversed::ZERO,
            w: ZERO,
            reversed_w: Reversed::ZERO,
            w_w: ZERO,
            x: Reversed::ZERO,
            e_derivative: ZERO,
            moving,
            next: [series.r[0], series.e[0], series.s[0]],
            power: 1.0,
            weight: law.weight_in(h),
            is_curved: C::VELOCITY_MOVES
                && (inputs.case.body().is_some() || inputs.nu[2] != 0.0 || inputs.nu[3] != 0.0),
            negligible_terms: 0,
            sums: SeriesSums::default(),
            series,
        }
    }

    /// Stores the coefficients of order k and calculates those of order k + 1 (§3, in τ §4); returns whether the series ends at
    /// order k (§5).
    #[inline(always)]
    pub fn compute(&mut self, k: usize) -> bool {
        let TaylorCoefficients { series, inputs, case, law, polynomial, sums, moving, .. } = self;
        let RecurrenceCase { branch, zone, sticks } = *case;
        let ZonePolynomial { surplus, by_e, by_s, by_square, by_cube } = *polynomial;
        let TaylorSeries { sign, r, e, s, power: power_of_f, order, .. } = &mut **series;
        let sign = *sign;
        let looped = C::VELOCITY_MOVES && is_looped(k);
        let [r_k, e_k, mut s_k] = self.next;
        if branch == ShiftBranch::Time && k > 0 {
            // s² = 1 − |r|.
            s_k = (-sign * r_k - self.reversed_s.inner_square(s, k, looped)) * self.half_inverse_root;
            sums.reach_s += (s_k * self.power).abs();
        }
        [r[k], e[k], s[k]] = [r_k, e_k, s_k];
        self.reversed_s.set(k, s_k);
        if k == MAX_ORDER || self.negligible_terms == 2 {
            *order = k;
            return true;
        }
        // f without the term of e_k; f − r without it where the contact sticks.
        let mut known = if branch == ShiftBranch::Saturated { 0.0 } else { by_s * s_k };
        if sticks {
            self.x.set(k, 2.0 * s_k - e_k);
            known += self.x.inner_product(e, k, looped);
        } else if zone != Zone::Constant {
            self.w[k] = if branch == ShiftBranch::Saturated { e_k } else { e_k - sign * s_k };
            self.reversed_w.set(k, self.w[k]);
            self.w_w[k] = self.reversed_w.inner_square(&self.w, k, looped);
            known += by_square * self.w_w[k];
            if zone == Zone::Cubic {
                known += by_cube * self.reversed_w.inner_product(&self.w_w, k, looped);
            }
        }
        // f − r without the term of e_k, and all of it.
        let rest = if sticks { known } else { known - r_k };
        let surplus_k = if k == 0 { surplus } else { by_e * e_k + rest };
        let (mut r_slope, mut e_slope) = if k == 0 {
            (law.kappa * (inputs.nu[0] - e_k), -law.alpha * e_k - law.b * surplus)
        } else {
            (-law.kappa * e_k, -law.b * rest - self.decay * e_k)
        };
        let f_k = surplus_k + r_k;
        let (mut by_phi, mut nu) = (0.0, 0.0);
        power_of_f[k] = if C::VELOCITY_MOVES {
            let held = HeldCoefficients { f: f_k, surplus: surplus_k, r: r_slope, e: e_slope };
            let moved = moving.add(inputs, law, (branch, sign), (r, &self.reversed_s), held, k);
            (r_slope, e_slope, by_phi) = (moved.r, moved.e, moved.by_phi);
            nu = moved.nu;
            moved.power
        } else {
            f_k * inputs.nu[0]
        };
        self.power *= self.h;
        let power = self.power;
        sums.work += power_of_f[k] * power * INVERSES[k];
        let mut moved_s = 0.0;
        if branch == ShiftBranch::RegularisedTime {
            // de/dτ = s de/dt, ds/dτ = ∓(dr/dt)/2, |r| = 1 − s².
            let slope = &mut self.e_derivative;
            slope[k] = e_slope;
            let ends = if k == 0 { s_k * e_slope } else { s_k * slope[0] + s[0] * e_slope };
            let s_next = -0.5 * sign * r_slope * INVERSES[k];
            let r_next = -sign * (self.reversed_s.inner_square(s, k + 1, looped) + 2.0 * s[0] * s_next);
            self.next = [r_next, (self.reversed_s.inner_product(slope, k, looped) + ends) * INVERSES[k], s_next];
            moved_s = s_next.abs() * power;
            sums.reach_s += moved_s;
        } else {
            self.next = [r_slope * INVERSES[k] - by_phi, e_slope * INVERSES[k], s_k];
        }
        let [moved_r, moved_e] = [self.next[0] * power, self.next[1] * power];
        sums.r += moved_r;
        sums.e += moved_e;
        sums.reach_r += moved_r.abs();
        sums.reach_e += moved_e.abs();
        let mut term = larger(larger(moved_r.abs(), moved_s), self.weight * moved_e.abs());
        if let Some(body) = inputs.case.body() {
            term = larger(term, body.weight * (moving.nu[k + 1] * power).abs());
        }
        let mut is_negligible = term <= self.negligible;
        if C::VELOCITY_MOVES && self.is_curved {
            // Where ν is not linear, the power has terms that r and e may hardly depend on.
            let speed = match inputs.case.body() {
                Some(body) => {
                    if k == 0 {
                        body.speed
                    } else {
                        0.0
                    }
                }
                None => nu.abs(),
            };
            sums.power_scale += POWER_TERM_SHARE * speed * power;
            let work = power_of_f[k].abs() * power * INVERSES[k];
            is_negligible &= k == 0 || work <= self.negligible * sums.power_scale;
        }
        self.negligible_terms = if is_negligible { self.negligible_terms + 1 } else { 0 };
        false
    }

    /// Whether two successive terms are negligible over the length of the step.
    #[inline(always)]
    pub fn has_converged(&self) -> bool {
        self.negligible_terms == 2
    }
}

/// f or f − r in a zone as a polynomial of the differences from the start of the step.
struct ZonePolynomial {
    /// f − r at the start.
    surplus: f64,
    /// Coefficient of e in f, or in f − r where the contact sticks.
    by_e: f64,
    /// Coefficient of s.
    by_s: f64,
    /// Coefficient of (w − w_0)² in f.
    by_square: f64,
    /// Coefficient of (w − w_0)³ in f.
    by_cube: f64,
}

impl ZonePolynomial {
    /// The polynomial of a zone about the start of the step.
    #[inline(always)]
    fn at_start(
        series: &TaylorSeries,
        RecurrenceCase { zone, sticks, .. }: RecurrenceCase,
        law: &DimensionlessLaw,
    ) -> Self {
        let [r, e, s] = [series.r[0], series.e[0], series.s[0]];
        let w = e + series.sign * (1.0 - s);
        let of_w = |f: f64, [by_w, by_square, by_cube]: [f64; 3]| ZonePolynomial {
            surplus: f - r,
            by_e: by_w,
            by_s: -series.sign * by_w,
            by_square,
            by_cube,
        };
        match zone {
            // f − r = e (2s − e), without the cancellation of f against r.
            Zone::Parabola if sticks => ZonePolynomial {
                surplus: e * (2.0 * s - e),
                by_e: 2.0 * (s - e),
                by_s: 2.0 * e,
                by_square: 0.0,
                by_cube: 0.0,
            },
            Zone::Parabola => {
                let x = 1.0 - w;
                of_w(1.0 - x * x, [2.0 * x, -1.0, 0.0])
            }
            Zone::Cubic => {
                let inverse_width = law.inverse_width;
                let x = (w - 1.0) * inverse_width;
                let drop = law.drop * inverse_width;
                let by_square = -3.0 * drop * inverse_width * (1.0 - 2.0 * x);
                let by_cube = 2.0 * drop * inverse_width * inverse_width;
                of_w(1.0 - law.drop * (x * x * (3.0 - 2.0 * x)), [-6.0 * drop * x * (1.0 - x), by_square, by_cube])
            }
            Zone::Constant => of_w(1.0 - law.drop, [0.0; 3]),
        }
    }
}

#[cfg(test)]
mod tests;
