//! Taylor series of one step about its start: variables, number of terms, sums.

use super::constants::{MAX_ORDER, REGULARISED_TIME_BELOW};
use super::dimensionless::{DimensionlessLaw, PhasePoint, Zone};
use super::inputs::{InputCase, InputPolynomials};
use super::series::{INVERSES, Series, ZERO};

/// Branch of the shift s = √(1 − |r|) over a step. See §2 and §4 of `docs/internals/numerics.md`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ShiftBranch {
    /// |r| ≥ 1: s = 0 throughout.
    Saturated,
    /// Series in the time t.
    Time,
    /// Series in the regularised time τ, dt = s dτ.
    RegularisedTime,
}

/// Case of the recurrence: the conditions that its code branches on.
#[derive(Clone, Copy)]
pub struct RecurrenceCase {
    /// Branch of the shift.
    pub branch: ShiftBranch,
    /// Zone of the characteristic.
    pub zone: Zone,
    /// Whether the contact sticks with r > 0, so that f − r = e (2s − e).
    pub sticks: bool,
}

/// Series of r, e, s and the power φ f ν about the start of a step, in t or in τ.
pub struct TaylorSeries {
    /// Zone of the characteristic.
    pub zone: Zone,
    /// Branch of the shift.
    pub branch: ShiftBranch,
    /// Whether the inputs move.
    pub moves: bool,
    /// Sign of r.
    pub sign: f64,
    /// −d|r|/dt at the start, 1/s.
    pub inward: f64,
    /// Order of the last coefficient.
    pub order: usize,
    /// Coefficients of r; under a moving normal force on the saturated branch of φ r ∓ (φ − 1), which is smooth where φ goes to 0.
    pub r: Series,
    /// Coefficients of e.
    pub e: Series,
    /// Coefficients of s.
    pub s: Series,
    /// Coefficients of φ f ν.
    pub power: Series,
}

/// Terms of the series added up over a length.
#[derive(Clone, Copy, Default)]
pub struct SeriesSums {
    /// Change of r.
    pub r: f64,
    /// Change of e.
    pub e: f64,
    /// ∫ φ f ν.
    pub work: f64,
    /// Change of the work that counts as one of r of 1; 0 where the terms of the power do not count.
    pub power_scale: f64,
    /// Sum of the absolute terms of r without its start: bound of |r − r(0)|.
    pub reach_r: f64,
    /// Sum of the absolute terms of e without its start.
    pub reach_e: f64,
    /// Sum of the absolute terms of s without its start.
    pub reach_s: f64,
}

impl TaylorSeries {
    /// Series with their first coefficients, on the branch of the shift at the start (§2).
    #[inline]
    pub fn at<C: InputCase>(
        law: &DimensionlessLaw,
        inputs: InputPolynomials<C>,
        zone: Zone,
        PhasePoint { r, e, s }: PhasePoint,
    ) -> Self {
        let sign = if r < 0.0 { -1.0 } else { 1.0 };
        let inward = -sign * (law.kappa * (inputs.nu[0] - e) + law.lag * inputs.nu_derivative()[0] - r * inputs.phi[1]);
        let branch = if r.abs() > 1.0 || (s == 0.0 && inward <= 0.0) {
            ShiftBranch::Saturated
        } else if s < REGULARISED_TIME_BELOW {
            ShiftBranch::RegularisedTime
        } else {
            ShiftBranch::Time
        };
        let mut series = TaylorSeries {
            zone,
            branch,
            moves: C::VELOCITY_MOVES,
            sign,
            inward,
            order: MAX_ORDER,
            r: ZERO,
            e: ZERO,
            s: ZERO,
            power: ZERO,
        };
        [series.r[0], series.e[0], series.s[0]] = [r, e, s];
        series
    }

    /// Whether the contact sticks: w ≤ 1, r > 0, |r| < 1.
    #[inline]
    pub fn sticks(&self) -> bool {
        self.sign > 0.0 && self.zone == Zone::Parabola && self.branch != ShiftBranch::Saturated
    }

    /// Sums of all terms over the length `h`, in t; `order` is [`MAX_ORDER`].
    #[inline]
    pub fn sums(&self, h: f64) -> SeriesSums {
        let (mut sums, mut power) = (SeriesSums::default(), 1.0);
        for k in 1..=MAX_ORDER {
            power *= h;
            let [moved_r, moved_e] = [self.r[k] * power, self.e[k] * power];
            sums.r += moved_r;
            sums.e += moved_e;
            sums.work += self.power[k - 1] * power * INVERSES[k - 1];
            sums.reach_r += moved_r.abs();
            sums.reach_e += moved_e.abs();
            sums.reach_s += (self.s[k] * power).abs();
        }
        sums
    }

    /// Change of r over `h` (s) in t from that of the variable of r.
    #[inline]
    pub fn change_of_r<C: InputCase>(&self, inputs: &InputPolynomials<C>, moved: f64, h: f64) -> f64 {
        if !(C::NORMAL_FORCE_MOVES && self.branch == ShiftBranch::Saturated) {
            return moved;
        }
        // φ r = r_0 + moved ± (φ − 1).
        let phi = inputs.phi_at(h);
        (moved + (self.sign - self.r[0]) * (phi - 1.0)) / phi
    }

    /// Range of w in which the zone's polynomial holds.
    pub fn range(&self, law: &DimensionlessLaw) -> [f64; 2] {
        match self.zone {
            Zone::Parabola => [0.0, 1.0],
            Zone::Cubic => [1.0, law.delta],
            Zone::Constant => [law.delta, f64::INFINITY],
        }
    }
}
