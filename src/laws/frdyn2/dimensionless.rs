//! Dimensionless form of the law, and the types that its methods share. See §1 and §2 of `docs/internals/numerics.md`.
//!
//! In units of F_s and v_s, mirrored so that the shifted slip velocity w is not negative, the law reads
//!
//! (φ r)′ = κ (ν − e) + c ν′,  e′ = ν′ − α e − B φ (f − r),  w = e + Δ,  Δ = ±(1 − s),  s = √(1 − |r|)
//!
//! with r = F_0/F_s, e = (v − ż)/v_s, ν = v/v_s, and f = F_R/F_s, a polynomial of w in each zone of the characteristic. ν and the
//! normal force, φ times its value at the start, are polynomials of time.

use super::constants::{CORNER_ROUNDING, MAX_WEIGHT, POWER_TERM_SHARE};
use super::equations::Equations;
use crate::integrate::extrema::{larger, smaller};
use crate::law::Contact;

/// Coefficients of the dimensionless law under one normal force.
#[derive(Clone, Copy, Debug)]
pub struct DimensionlessLaw {
    /// κ = σ_0 v_s/F_s, 1/s.
    pub kappa: f64,
    /// α = σ_1/m_b, 1/s.
    pub alpha: f64,
    /// B = F_s/(m_b v_s), 1/s.
    pub b: f64,
    /// v_d/v_s.
    pub delta: f64,
    /// v_s/(v_d − v_s).
    pub inverse_width: f64,
    /// (F_s − F_d)/F_s.
    pub drop: f64,
    /// c = σ_1 v_s/F_s.
    pub lag: f64,
    /// Weight of an error of e relative to one of r, §1: |∂f/∂e| ≤ 2, and e changes r by κ/α = c/4 of itself.
    pub weight: f64,
    /// Bound of the rate at which errors grow on the cubic, 1/s; 0 where they decay.
    pub max_growth_rate: f64,
}

impl DimensionlessLaw {
    /// Law under the normal force of `contact`, for a step in which the normal force is at most `max_normal_force` (N). `inverse_force`
    /// is 1/F_s (1/N).
    pub fn new(equations: &Equations, contact: Contact, inverse_force: f64, max_normal_force: f64) -> Self {
        let lag = equations.sigma_1 * equations.v_s * inverse_force;
        DimensionlessLaw {
            kappa: equations.sigma_0 * equations.v_s * inverse_force,
            alpha: equations.sigma_1 * equations.inverse_mass,
            weight: error_weight(lag),
            b: equations.mu_s * contact.F_N * equations.inverse_mass * equations.inverse_v_s,
            delta: equations.v_d * equations.inverse_v_s,
            inverse_width: equations.v_s * equations.inverse_width,
            drop: equations.drop,
            lag,
            max_growth_rate: equations.max_growth_rate(Contact { F_N: max_normal_force, ..contact }),
        }
    }

    /// Law under a normal force `phi` times as large.
    pub fn under(&self, phi: f64) -> DimensionlessLaw {
        let (share, lag) = (1.0 / phi, self.lag / phi);
        DimensionlessLaw { kappa: self.kappa * share, b: self.b * phi, lag, weight: error_weight(lag), ..*self }
    }

    /// Zone of the shifted slip velocity `w` (≥ 0).
    #[inline]
    pub fn zone(&self, w: f64) -> Zone {
        match w {
            w if w <= 1.0 => Zone::Parabola,
            w if w < self.delta => Zone::Cubic,
            _ => Zone::Constant,
        }
    }

    /// f at `w` (≥ 0) in its zone.
    pub fn characteristic(&self, zone: Zone, w: f64) -> f64 {
        match zone {
            Zone::Parabola => w * (2.0 - w),
            Zone::Cubic => {
                let x = (w - 1.0) * self.inverse_width;
                1.0 - self.drop * (x * x * (3.0 - 2.0 * x))
            }
            Zone::Constant => 1.0 - self.drop,
        }
    }

    /// [`weight`](Self::weight) of a term of e in a series over the length `h` (s): in a step that is short beside 1/B a term of f changes
    /// e by B h of itself, and the loss as much as it would alone.
    #[inline]
    pub fn weight_in(&self, h: f64) -> f64 {
        larger(self.weight, smaller(1.0 / (POWER_TERM_SHARE * self.b * h), MAX_WEIGHT))
    }

    /// Mean rate at which errors grow between two places on the cubic, 1/s, by the trace of the Jacobian: 4 x (1 − x) of the
    /// steepest slope, by Simpson's rule; see §12.
    pub fn growth_rate(&self, from: f64, to: f64) -> f64 {
        let rate = |w: f64| {
            let x = ((w - 1.0) * self.inverse_width).clamp(0.0, 1.0);
            4.0 * x * (1.0 - x) * (self.max_growth_rate + self.alpha) - self.alpha
        };
        ((rate(from) + 4.0 * rate(0.5 * (from + to)) + rate(to)) / 6.0).max(0.0)
    }
}

/// [`DimensionlessLaw::weight`] for c.
fn error_weight(lag: f64) -> f64 {
    larger(0.25 * lag, 2.0)
}

/// Zones of the characteristic for w ≥ 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zone {
    /// w ≤ 1.
    Parabola,
    /// 1 < w < v_d/v_s.
    Cubic,
    /// w ≥ v_d/v_s.
    Constant,
}

/// Point in the phase plane (r, e).
#[derive(Clone, Copy, Debug)]
pub struct PhasePoint {
    /// r = F_0/F_s.
    pub r: f64,
    /// e = (v − ż)/v_s.
    pub e: f64,
    /// s = √(1 − |r|), 0 where |r| > 1.
    pub s: f64,
}

impl PhasePoint {
    /// Point with its s. Within its rounding of |r| = 1 it lies there: r is a sum, and s is the root of the rounding, beyond the window of
    /// the corner.
    #[inline]
    pub fn new(r: f64, e: f64) -> Self {
        let square = 1.0 - r.abs();
        if square > CORNER_ROUNDING {
            return PhasePoint { r, e, s: square.sqrt() };
        }
        PhasePoint { r: larger(r.abs(), 1.0).copysign(r), e, s: 0.0 }
    }

    /// Shifted slip velocity w, equation (5).
    #[inline]
    pub fn w(self) -> f64 {
        self.e + (1.0 - self.s).copysign(self.r)
    }

    /// Mirrored point where `side` is −1, the same point where it is 1.
    #[inline]
    pub fn mirrored(self, side: f64) -> Self {
        PhasePoint { r: side * self.r, e: side * self.e, ..self }
    }
}

/// Result of an inner step.
#[derive(Debug)]
pub struct StepResult {
    /// Length of the step, s.
    pub h: f64,
    /// Change of r, under a moving normal force of φ r.
    pub dr: f64,
    /// e at the end of the step.
    pub e: f64,
    /// ∫ φ f ν dt, s.
    pub work: f64,
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::integrate::runge_kutta::runge_kutta;
    use crate::laws::frdyn2::inputs::{InputCase, InputPolynomials};

    /// The paper's bristle at 9.81 N and at 1 kN, and one with a small v_s.
    pub const LAWS: [DimensionlessLaw; 3] = {
        let paper = DimensionlessLaw {
            kappa: 849.5,
            alpha: 6264.0,
            b: 11548.0,
            delta: 10.0,
            inverse_width: 1.0 / 9.0,
            drop: 0.5,
            lag: 0.0,
            weight: 2.0,
            max_growth_rate: 0.0,
        };
        let heavy = DimensionlessLaw { kappa: 8.334, b: 1.1772e6, ..paper };
        [paper, heavy, DimensionlessLaw { kappa: 8e4, b: 120.0, weight: 13.0, ..paper }]
    };

    #[test]
    fn characteristic_rises_to_1_at_v_s_and_falls_along_a_cubic_to_its_end_at_v_d() {
        let law = DimensionlessLaw { delta: 5.0, inverse_width: 0.25, drop: 0.6, ..LAWS[0] };
        let of = |w: f64| law.characteristic(law.zone(w), w);
        // By hand: w (2 − w), then 1 − 0.6 x² (3 − 2 x) with x = (w − 1)/4.
        for (w, expected) in
            [(0.0, 0.0), (0.5, 0.75), (1.0, 1.0), (2.0, 0.90625), (3.0, 0.7), (4.0, 0.49375), (5.0, 0.4)]
        {
            assert!((of(w) - expected).abs() < 1e-15, "{w}: {}", of(w));
        }
        assert_eq!((of(1.0), of(1.0_f64.next_up()), of(9.0)), (1.0, 1.0, 0.4));
    }

    #[test]
    fn growth_rate_is_the_mean_of_the_slope_along_the_cubic() {
        let law = DimensionlessLaw { alpha: 100.0, max_growth_rate: 900.0, ..LAWS[0] };
        let width = 1.0 / law.inverse_width;
        let place = |x: f64| 1.0 + x * width;
        // ∫ 4 x (1 − x) dx = 2 x² − 4/3 x³, which Simpson's rule integrates exactly.
        let mean = |from: f64, to: f64| {
            let integral = |x: f64| x * x * (2.0 - 4.0 / 3.0 * x) * 1000.0 - 100.0 * x;
            (integral(to) - integral(from)) / (to - from)
        };
        for (from, to) in [(0.0, 1.0), (0.25, 0.75), (0.2, 0.3), (0.9, 0.5)] {
            let found = law.growth_rate(place(from), place(to));
            assert!((found - mean(from, to)).abs() < 1e-10, "{found} from {from} to {to}");
        }
        assert_eq!(law.growth_rate(place(0.0), place(0.01)), 0.0);
        assert_eq!(law.growth_rate(place(0.5), place(0.5)), 900.0);
        assert_eq!(law.growth_rate(place(1.5), place(2.0)), 0.0);
    }

    /// Δ for r, without the cancellation of 1 − √(1 − |r|).
    pub fn shift(r: f64) -> f64 {
        r / (1.0 + (1.0 - r.abs()).max(0.0).sqrt())
    }

    /// (r, e, ∫f ν dt) after `t` s of stick at constant ν, by many steps of the classic Runge–Kutta method.
    pub fn rk4_stick(law: &DimensionlessLaw, nu: f64, x: [f64; 2], t: f64) -> [f64; 3] {
        rk4_moving_stick(law, &InputPolynomials::held(nu), x, t, 4000)
    }

    /// (r, e, ∫φ f ν dt) after `t` s of stick under moving inputs, by this many steps of the classic Runge–Kutta method.
    pub fn rk4_moving_stick<C: InputCase>(
        law: &DimensionlessLaw,
        inputs: &InputPolynomials<C>,
        [r, e]: [f64; 2],
        t: f64,
        steps: u32,
    ) -> [f64; 3] {
        let [a0, a1, a2] = inputs.nu_derivative();
        let rate = |t: f64, [q, e, _]: [f64; 3]| {
            let (phi, nu, acceleration) =
                (inputs.phi_at(t), inputs.nu[0] + inputs.nu_change(t), a0 + t * (a1 + t * a2));
            let r = q / phi;
            let x = 1.0 - (e + shift(r)).abs();
            let f = (1.0 - x * x).copysign(e + shift(r));
            let slope = law.kappa * (nu - e) + law.lag * acceleration;
            [slope, acceleration - law.alpha * e - law.b * phi * (f - r), phi * f * nu]
        };
        let [q, e, loss] = runge_kutta(rate, [r, e, 0.0], [0.0, t], steps);
        [q / inputs.phi_at(t), e, loss]
    }

    #[test]
    fn the_dimensionless_law_is_the_law_in_units_of_f_s_and_v_s() {
        use crate::law::Law;
        use crate::variable::Values;
        let equations = Equations::new(&Values::of(Equations::METADATA.parameters)).unwrap();
        for (normal_force, z, z_dot, v) in
            [(9.81, 4e-7, 2e-4, 5e-4), (3.0, -2e-7, 1e-3, -2e-4), (50.0, 5e-6, -2e-3, 1e-3), (9.81, 2e-6, 0.0, 4e-3)]
        {
            let contact = Contact::new(normal_force, v);
            let evaluation = equations.evaluate(contact, &[z, z_dot], &());
            let static_force = equations.mu_s * normal_force;
            let law = DimensionlessLaw::new(&equations, contact, 1.0 / static_force, normal_force);
            let place = PhasePoint::new((5e6 * z + 3192.75 * v) / static_force, (v - z_dot) / 1e-3);
            let (r, e, f) = (place.r, place.e, evaluation.F_R / static_force);
            // At constant v: r′ = σ_0 ż/F_s and e′ = −z̈/v_s.
            let [dr, de] = [5e6 * z_dot / static_force, -evaluation.rate[1] / 1e-3];
            assert!((law.kappa * (v / 1e-3 - e) - dr).abs() < 1e-12 * law.kappa);
            assert!((-law.alpha * e - law.b * (f - r) - de).abs() < 1e-10 * law.b, "{place:?}");
            assert!(
                (place.w() - (e + shift(r.clamp(-1.0, 1.0)))).abs() < 1e-15
                    && (law.lag / 4.0 - law.kappa / law.alpha).abs() < 1e-15
            );
        }
    }

    #[test]
    fn a_law_under_another_normal_force_is_the_law_of_that_force() {
        use crate::law::Law;
        use crate::variable::Values;
        let equations = Equations::new(&Values::of(Equations::METADATA.parameters)).unwrap();
        let [from, to] = [2.0, 7.0].map(|normal_force| {
            let contact = Contact::new(normal_force, 0.0);
            DimensionlessLaw::new(&equations, contact, 1.0 / (equations.mu_s * normal_force), normal_force)
        });
        let scaled = from.under(3.5);
        for (a, b) in [(scaled.kappa, to.kappa), (scaled.b, to.b), (scaled.lag, to.lag), (scaled.weight, to.weight)] {
            assert!((a - b).abs() < 1e-14 * b, "{a} for {b}");
        }
    }
}
