//! The recurrence against an independent expansion: Picard iteration in plain arithmetic of truncated power series.

use super::super::constants::MAX_ORDER;
use super::super::dimensionless::{DimensionlessLaw, PhasePoint, Zone, tests::LAWS};
use super::super::inputs::{InputCase, InputPolynomials};
use super::super::moving_terms::MovingTerms;
use super::super::taylor_series::{ShiftBranch, TaylorSeries};
use super::super::taylor_step::TaylorStep;
use core::ops::{Add, Mul, Sub};

const TERMS: usize = MAX_ORDER + 1;

/// A truncated power series; every operation is the textbook's.
#[derive(Clone, Copy, Debug)]
struct Plain([f64; TERMS]);

impl Plain {
    fn constant(c: f64) -> Self {
        Plain(core::array::from_fn(|k| if k == 0 { c } else { 0.0 }))
    }

    /// The independent variable.
    fn variable() -> Self {
        Plain(core::array::from_fn(|k| if k == 1 { 1.0 } else { 0.0 }))
    }

    /// c_0 + c_1 x + … of another series.
    fn polynomial(c: &[f64], x: Plain) -> Self {
        c.iter().rev().fold(Plain::constant(0.0), |sum, c| sum * x + Plain::constant(*c))
    }

    /// Integral from 0, plus `start`.
    fn integral(self, start: f64) -> Self {
        Plain(core::array::from_fn(|k| if k == 0 { start } else { self.0[k - 1] / k as f64 }))
    }

    /// 1/x by Newton's iteration y ← y (2 − x y), which doubles the number of right terms.
    fn inverse(self) -> Self {
        (0..5).fold(Plain::constant(1.0 / self.0[0]), |y, _| y * (Plain::constant(2.0) - self * y))
    }

    /// √x by Newton's iteration y ← (y + x/y)/2.
    fn root(self) -> Self {
        (0..5).fold(Plain::constant(self.0[0].sqrt()), |y, _| (y + self * y.inverse()) * Plain::constant(0.5))
    }
}

impl Add for Plain {
    type Output = Plain;
    fn add(self, other: Plain) -> Plain {
        Plain(core::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Sub for Plain {
    type Output = Plain;
    fn sub(self, other: Plain) -> Plain {
        Plain(core::array::from_fn(|k| self.0[k] - other.0[k]))
    }
}

impl Mul for Plain {
    type Output = Plain;
    fn mul(self, other: Plain) -> Plain {
        Plain(core::array::from_fn(|k| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum()))
    }
}

/// The variable of r, e, s and φ f ν about a start, by Picard iteration: each pass makes one more term right.
fn expanded<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: &InputPolynomials<C>,
    zone: Zone,
    branch: ShiftBranch,
    start: PhasePoint,
) -> [Plain; 4] {
    let sign = if start.r < 0.0 { -1.0 } else { 1.0 };
    let number = Plain::constant;
    let in_tau = branch == ShiftBranch::RegularisedTime;
    let (mut time, mut r, mut e, mut s) = (
        Plain::variable(),
        number(start.r),
        number(start.e),
        number(if branch == ShiftBranch::Saturated { 0.0 } else { start.s }),
    );
    if in_tau {
        time = number(0.0);
    }
    let derivative = |c: [f64; 4]| [c[1], 2.0 * c[2], 3.0 * c[3]];
    let mut power = number(0.0);
    for _ in 0..=MAX_ORDER + 1 {
        let [nu, phi] = [inputs.nu, inputs.phi].map(|c| Plain::polynomial(&c, time));
        let [nu_t, phi_t] = [inputs.nu, inputs.phi].map(|c| Plain::polynomial(&derivative(c), time));
        let shift = number(sign) * (number(1.0) - s);
        let w = e + shift;
        let f = match zone {
            Zone::Parabola => w * (number(2.0) - w),
            Zone::Cubic => {
                let x = (w - number(1.0)) * number(law.inverse_width);
                number(1.0) - number(law.drop) * x * x * (number(3.0) - number(2.0) * x)
            }
            Zone::Constant => number(1.0 - law.drop),
        };
        power = phi * f * nu;
        // φ r′ = κ (ν − e) + c ν′ − φ′ r.
        let r_t = (number(law.kappa) * (nu - e) + number(law.lag) * nu_t - phi_t * r) * phi.inverse();
        let e_t = nu_t - number(law.alpha) * e - number(law.b) * phi * (f - r);
        if in_tau {
            let s_tau = number(-0.5 * sign) * r_t;
            (time, e, s) = (s.integral(0.0), (s * e_t).integral(start.e), s_tau.integral(start.s));
            r = number(sign) * (number(1.0) - s * s);
        } else {
            (r, e) = (r_t.integral(start.r), e_t.integral(start.e));
            if branch == ShiftBranch::Time {
                s = (number(1.0) - number(sign) * r).root();
            }
        }
    }
    let phi = Plain::polynomial(&inputs.phi, time);
    // The variable of the saturated branch.
    let of_r = if branch == ShiftBranch::Saturated { phi * r - number(sign) * (phi - number(1.0)) } else { r };
    [of_r, e, s, power]
}

fn compare<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: InputPolynomials<C>,
    start: PhasePoint,
) -> Option<ShiftBranch> {
    let zone = law.zone(start.w());
    let series = TaylorSeries::at(law, inputs, zone, start);
    let branch = series.branch;
    let mut step = TaylorStep { series };
    // A length over which the terms are of one size.
    let h = 0.1 / (law.alpha + law.b + law.kappa);
    let (converged, _) = step.expand(&mut MovingTerms::new(), law, inputs, h, 0.0);
    if converged {
        // The solution is a polynomial: at rest, for instance.
        return None;
    }
    let TaylorSeries { r, e, s, power, order, .. } = &step.series;
    assert_eq!(*order, MAX_ORDER);
    let [of_r, of_e, of_s, of_power] = expanded(law, &inputs, zone, branch, start);
    let mut pairs =
        vec![("r", r, of_r, MAX_ORDER), ("e", e, of_e, MAX_ORDER), ("power", power, of_power, MAX_ORDER - 1)];
    if branch != ShiftBranch::Saturated {
        pairs.push(("s", s, of_s, MAX_ORDER));
    }
    for (name, found, expected, last) in pairs {
        let terms = |c: &[f64; TERMS]| -> Vec<f64> { (0..=last).map(|k| c[k] * libm::pow(h, k as f64)).collect() };
        let (found, expected) = (terms(found), terms(&expected.0));
        let size = expected.iter().skip(1).fold(f64::MIN_POSITIVE, |most, c| most.max(c.abs()));
        for k in 1..=last {
            let error = (found[k] - expected[k]).abs();
            // The rounding of a coefficient is that of the largest term before it.
            let allowed = 1e-9 * expected[k].abs() + 1e-13 * size * libm::pow(0.5, k as f64) + 1e-15 * size;
            assert!(
                error <= allowed,
                "{name}_{k}: {:e} for {:e}, {zone:?}, {branch:?}, {start:?}",
                found[k],
                expected[k]
            );
        }
    }
    Some(branch)
}

#[test]
fn coefficients_are_those_of_an_independent_expansion_in_every_zone_and_branch() {
    let mut met = std::collections::BTreeMap::new();
    for law in LAWS.map(|law| DimensionlessLaw { lag: 4.0 * law.kappa / law.alpha, ..law }) {
        for r in [-1.4, -0.99, -0.95, -0.6, -0.05, 0.02, 0.4, 0.9, 0.93, 0.999, 1.0, 1.7] {
            for e in [-0.3, -0.01, 0.0, 0.004, 0.2, 0.7, 1.3, 4.0, 8.0, 12.0] {
                let start = PhasePoint::new(r, e);
                if start.w() < 0.0 {
                    continue;
                }
                for nu in [-0.5, 0.01, 0.4, 3.0] {
                    let nus = [nu, 40.0 * law.kappa * 0.01, -0.03 * law.kappa * law.kappa, 1e-3 * law.kappa];
                    let phis = [1.0, 0.2 * law.kappa, -0.05 * law.kappa * law.kappa, 0.0];
                    for branch in [
                        compare(&law, InputPolynomials::held(nu), start),
                        compare(&law, InputPolynomials::moving_velocity(nus), start),
                        compare(&law, InputPolynomials::moving_contact(nus, phis), start),
                    ] {
                        *met.entry(format!("{branch:?}")).or_insert(0) += 1;
                    }
                }
            }
        }
    }
    assert!(["Some(Saturated)", "Some(Time)", "Some(RegularisedTime)"].iter().all(|case| met[*case] > 300), "{met:?}");
}
