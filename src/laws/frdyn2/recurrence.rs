//! The coefficients of a step's series, order by order.
//!
//! Each coefficient is linear in the one before it, with factors that stay; all else comes from earlier ones and is ready in
//! time. What a step costs is the time that the coefficients wait for one another.

use super::drive::{Drive, Kind};
use super::expansion::{Case, Expansion, Root, Sums};
use super::moving::{Moving, Slopes};
use super::scaled::{Scaled, Zone};
use super::series::{INVERSES, ORDER, Series, ZERO, inner_product, inner_square, larger};

/// The share of a step's friction loss that a term may have, over the share of F_s that the last terms of r and e may have.
const WORK_SHARE: f64 = 10.0;

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
    /// ν is no straight line in time.
    bends: bool,
    /// Upper bound of |ν| in the step times its length.
    nu: f64,
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
            bends: Drive::<MOVING>::MOVES && (drive.nu[2] != 0.0 || drive.nu[3] != 0.0),
            nu: 0.0,
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
        let (mut by_load, mut nu) = (0.0, 0.0);
        power_of_f[k] = if Drive::<MOVING>::MOVES {
            let held = Slopes { f: f_k, surplus: surplus_k, r: r_slope, e: e_slope };
            let moved = moving.follow(drive, law, root, [r, s], held, k);
            (r_slope, e_slope, by_load) = (moved.r, moved.e, moved.by_load);
            nu = moved.nu;
            moved.power
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
        let mut small = term <= self.negligible;
        if Drive::<MOVING>::MOVES && self.bends {
            // The power has terms of its own where ν bends, while r and e may hardly answer.
            self.nu += nu.abs() * power;
            let work = power_of_f[k].abs() * power * INVERSES[k];
            small &= k == 0 || work <= WORK_SHARE * self.negligible * self.nu;
        }
        self.small = if small { self.small + 1 } else { 0 };
        false
    }

    /// Two successive terms were small: the series may end.
    #[inline(always)]
    pub fn converged(&self) -> bool {
        self.small == 2
    }
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
