//! The coefficients of a step's series, order by order.
//!
//! Each coefficient is linear in the one before it, with factors that stay; all else comes from earlier ones and is ready in
//! time. What a step costs is the time that the coefficients wait for one another.

use super::drive::{Drive, Kind, derivative};
use super::expansion::{Case, Expansion, Root, Sums};
use super::scaled::{Scaled, Zone};
use super::series::{INVERSES, ORDER, Series, ZERO, inner_product, inner_square, larger, product};

/// Series as they grow.
pub struct Recurrence<'a, const MOVING: Kind> {
    series: &'a mut Expansion,
    drive: Drive<MOVING>,
    case: Case,
    law: &'a Scaled,
    h: f64,
    /// A term as small as this may be the last.
    negligible: f64,
    polynomial: Polynomial,
    half_inverse_root: f64,
    decay: f64,
    /// w, its square but for the terms with w_0, the other factor of f − r in stick, and e′ in time.
    w: Series,
    w_w: Series,
    x: Series,
    slope: Series,
    /// What only a moving contact needs.
    moving: Moving,
    /// The next coefficients of r, e and s.
    next: [f64; 3],
    power: f64,
    /// How many of the last terms were small.
    small: u32,
    pub sums: Sums,
}

impl<'a, const MOVING: Kind> Recurrence<'a, MOVING> {
    /// From the start of `series`, over the length `h`.
    #[inline(always)]
    pub fn new(
        series: &'a mut Expansion,
        law: &'a Scaled,
        drive: Drive<MOVING>,
        case: Case,
        h: f64,
        tolerance: f64,
    ) -> Self {
        let polynomial = series.polynomial(case, law);
        Recurrence {
            drive,
            case,
            law,
            h,
            negligible: 0.3 * tolerance,
            half_inverse_root: 0.5 / series.s[0],
            decay: law.alpha + law.b * polynomial.by_e,
            polynomial,
            w: ZERO,
            w_w: ZERO,
            x: ZERO,
            slope: ZERO,
            moving: Moving::START,
            next: [series.r[0], series.e[0], series.s[0]],
            power: 1.0,
            small: 0,
            sums: Sums::default(),
            series,
        }
    }

    /// Takes over the coefficients of order k and calculates the next; returns whether nothing more is needed.
    #[inline(always)]
    pub fn order(&mut self, k: usize) -> bool {
        let Recurrence { series, drive, case, law, polynomial, sums, moving, .. } = self;
        let Case { root, zone, sticks } = *case;
        let Polynomial { surplus, by_e, by_s, by_square, by_cube } = *polynomial;
        let Expansion { sign, r, e, s, power: power_of_f, order, .. } = &mut **series;
        let sign = *sign;
        let [r_k, e_k, mut s_k] = self.next;
        if root == Root::InTime && k > 0 {
            // s² = 1 − |r|.
            s_k = (-sign * r_k - inner_square(s, k)) * self.half_inverse_root;
            sums.reach_s += (s_k * self.power).abs();
        }
        [r[k], e[k], s[k]] = [r_k, e_k, s_k];
        if k == ORDER || self.small == 2 {
            *order = k;
            return true;
        }
        // f less what e_k makes of it, and less r where the contact sticks.
        let mut known = if root == Root::Zero { 0.0 } else { by_s * s_k };
        if sticks {
            self.x[k] = 2.0 * s_k - e_k;
            known += inner_product(e, &self.x, k);
        } else if zone != Zone::Constant {
            self.w[k] = if root == Root::Zero { e_k } else { e_k - sign * s_k };
            self.w_w[k] = inner_square(&self.w, k);
            known += by_square * self.w_w[k];
            if zone == Zone::Cubic {
                known += by_cube * inner_product(&self.w_w, &self.w, k);
            }
        }
        // f − r, but for what e_k makes of it, and whole.
        let rest = if sticks { known } else { known - r_k };
        let surplus_k = if k == 0 { surplus } else { by_e * e_k + rest };
        let (mut r_slope, mut e_slope) = if k == 0 {
            (law.kappa * (drive.nu[0] - e_k), -law.alpha * e_k - law.b * surplus)
        } else {
            (-law.kappa * e_k, -law.b * rest - self.decay * e_k)
        };
        let f_k = surplus_k + r_k;
        // What a changing load makes of the next coefficient of r.
        let mut by_load = 0.0;
        power_of_f[k] = if Drive::<MOVING>::MOVES {
            let in_tau = root == Root::InTau;
            let Driven { nu, nu_slope } = if in_tau { moving.in_tau(drive, s, k) } else { moving.in_time(drive, k) };
            if k > 0 {
                r_slope += law.kappa * nu;
            }
            r_slope += law.lag * nu_slope;
            e_slope += nu_slope;
            moving.loaded_f[k] = f_k;
            if Drive::<MOVING>::LOADS {
                (moving.surplus[k], moving.f[k]) = (surplus_k, f_k);
                e_slope -= law.b * moving.loaded(&moving.surplus, in_tau, k);
                if in_tau {
                    r_slope -= product(r, &moving.load_slope, k) + moving.loaded(&moving.ratio_slope, in_tau, k);
                    moving.ratio_slope[k] = r_slope;
                } else {
                    by_load = moving.loaded(r, in_tau, k + 1);
                }
                moving.loaded_f[k] += moving.loaded(&moving.f, in_tau, k);
            }
            if in_tau {
                product(&moving.loaded_f, &moving.nu, k)
            } else {
                short_product(&moving.nu, &moving.loaded_f, k)
            }
        } else {
            f_k * drive.nu[0]
        };
        self.power *= self.h;
        let power = self.power;
        sums.work += power_of_f[k] * power * INVERSES[k];
        let mut moved_s = 0.0;
        if root == Root::InTau {
            let slope = &mut self.slope;
            slope[k] = e_slope;
            let ends = if k == 0 { s_k * e_slope } else { s_k * slope[0] + s[0] * e_slope };
            let s_next = -0.5 * sign * r_slope * INVERSES[k];
            let r_next = -sign * (inner_square(s, k + 1) + 2.0 * s[0] * s_next);
            self.next = [r_next, (inner_product(s, slope, k) + ends) * INVERSES[k], s_next];
            moved_s = s_next.abs() * power;
            sums.reach_s += moved_s;
        } else {
            self.next = [r_slope * INVERSES[k] - by_load, e_slope * INVERSES[k], s_k];
        }
        let [moved_r, moved_e] = [self.next[0] * power, self.next[1] * power];
        sums.r += moved_r;
        sums.e += moved_e;
        sums.reach_r += moved_r.abs();
        sums.reach_e += moved_e.abs();
        let term = larger(larger(moved_r.abs(), moved_s), law.weight * moved_e.abs());
        self.small = if term <= self.negligible { self.small + 1 } else { 0 };
        false
    }

    /// Two successive terms were small: the series may end.
    #[inline(always)]
    pub fn converged(&self) -> bool {
        self.small == 2
    }
}

/// The terms of ν and φ in time.
const TERMS: usize = 4;

/// What only a moving contact needs: series in time or, where the steps go in it, in τ.
struct Moving {
    /// Time, its square and its cube, in τ.
    time: [Series; 3],
    /// ν, φ and φ′.
    nu: Series,
    load: Series,
    load_slope: Series,
    /// f − r, φ f and r′.
    surplus: Series,
    loaded_f: Series,
    f: Series,
    ratio_slope: Series,
}

/// Coefficients of one order.
struct Driven {
    nu: f64,
    nu_slope: f64,
}

impl Moving {
    const START: Moving = Moving {
        time: [ZERO; 3],
        nu: ZERO,
        load: ZERO,
        load_slope: ZERO,
        surplus: ZERO,
        loaded_f: ZERO,
        f: ZERO,
        ratio_slope: ZERO,
    };

    #[inline(always)]
    fn in_time<const MOVING: Kind>(&mut self, drive: &Drive<MOVING>, k: usize) -> Driven {
        let of = |c: &[f64]| c.get(k).copied().unwrap_or(0.0);
        self.nu[k] = of(&drive.nu);
        if k == 0 {
            // r needs it one order ahead.
            self.load[..TERMS].copy_from_slice(&drive.load);
        }
        Driven { nu: self.nu[k], nu_slope: of(&drive.slope()) }
    }

    /// The same in τ, where time itself is a series: dt = s dτ.
    #[inline(always)]
    fn in_tau<const MOVING: Kind>(&mut self, drive: &Drive<MOVING>, s: &Series, k: usize) -> Driven {
        let [t, t_t, t_t_t] = &mut self.time;
        if k > 0 {
            // None has a coefficient 0.
            t[k] = s[k - 1] * INVERSES[k - 1];
            t_t[k] = inner_square(t, k);
            t_t_t[k] = inner_product(t_t, t, k);
        }
        let of = |c: &[f64]| {
            let start = if k == 0 { c[0] } else { 0.0 };
            c[1..].iter().zip([t[k], t_t[k], t_t_t[k]]).fold(start, |sum, (c, power)| sum + c * power)
        };
        (self.nu[k], self.load[k], self.load_slope[k]) = (of(&drive.nu), of(&drive.load), of(&derivative(drive.load)));
        Driven { nu: self.nu[k], nu_slope: of(&drive.slope()) }
    }

    /// Coefficient k of φ c, without c_k itself.
    #[inline(always)]
    fn loaded(&self, c: &Series, in_tau: bool, k: usize) -> f64 {
        let last = if in_tau || k < TERMS { k } else { TERMS - 1 };
        (1..=last).map(|j| self.load[j] * c[k - j]).sum()
    }
}

/// Coefficient k of the product of a polynomial of few terms and a series.
#[inline(always)]
fn short_product(polynomial: &Series, c: &Series, k: usize) -> f64 {
    (0..TERMS.min(k + 1)).map(|j| polynomial[j] * c[k - j]).sum()
}

/// f − r in a zone, by what the series leave their start.
struct Polynomial {
    /// f − r at the start.
    surplus: f64,
    /// What e and s make of f, or of f − r where the contact sticks.
    by_e: f64,
    by_s: f64,
    /// What the square and the cube of w − w_0 make of f.
    by_square: f64,
    by_cube: f64,
}

impl Expansion {
    /// The zone's polynomial at the start of the step.
    #[inline(always)]
    fn polynomial(&self, Case { zone, sticks, .. }: Case, law: &Scaled) -> Polynomial {
        let [r, e, s] = [self.r[0], self.e[0], self.s[0]];
        let w = e + self.sign * (1.0 - s);
        let of_w = |f: f64, [by_w, by_square, by_cube]: [f64; 3]| Polynomial {
            surplus: f - r,
            by_e: by_w,
            by_s: -self.sign * by_w,
            by_square,
            by_cube,
        };
        match zone {
            // f − r = e (2s − e), without the cancellation of f against r.
            Zone::Parabola if sticks => Polynomial {
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
