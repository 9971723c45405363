//! Reference of FrDyn2: the reference law with energy and impulse in one integration, and CVODE
//! where that is too stiff.

use crate::expected::quietly;
use crate::values::{Values, value};
use bristle_benches::cvode::{self, Cvode, Setting};
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::frdyn2::{PAPER, Parameters, Solution};
use bristle_reference_laws::{Derivatives, InputPolynomials, InputTrajectory, ReferenceLaw, zeros};

/// Tolerance of CVODE, and looser ones that confirm an error.
const IMPLICIT: [f64; 3] = [1e-12, 1e-11, 1e-10];
/// Inner steps after which CVODE gives up.
const LIMIT: i64 = 50_000;

/// Parameters of the law, those of the paper where they are not given.
pub fn parameters(values: &Values) -> Parameters {
    let or = |name, default| value(values, name).unwrap_or(default);
    Parameters {
        sigma_0: or("sigma_0", PAPER.sigma_0),
        sigma_1: or("sigma_1", PAPER.sigma_1),
        mu_s: or("mu_s", PAPER.mu_s),
        v_s: or("v_s", PAPER.v_s),
        mu_d: or("mu_d", PAPER.mu_d),
        v_d: or("v_d", PAPER.v_d),
    }
}

/// Reference with these parameters, at rest.
pub fn reference(values: &Values) -> Box<dyn ReferenceLaw> {
    Box::new(Solution {
        law: parameters(values),
        x: [0.0; 2],
    })
}

/// A polynomial in time, from a later time on (s).
fn later([x, x1, x2, x3]: Derivatives, t: f64) -> Derivatives {
    [
        x + t * (x1 + t * (x2 / 2.0 + t * x3 / 6.0)),
        x1 + t * (x2 + t * x3 / 2.0),
        x2 + t * x3,
        x3,
    ]
}

/// Step of a bristle from the states `x`, z (m) and ż (m/s).
pub struct Step<'a> {
    pub law: Parameters,
    pub x: [f64; 2],
    pub inputs: &'a InputPolynomials,
    pub h: f64,
}

impl Step<'_> {
    /// F_R by CVODE, N; `None` where it gives up.
    fn implicit(&self, cvode: &Cvode, tolerance: f64) -> Option<f64> {
        let contacts = (0..=16).map(|i| self.inputs.at(self.h * f64::from(i) / 16.0).F_N);
        let mut bristle = cvode::Bristle::new(cvode, &self.law, LIMIT);
        let setting = Setting {
            relative: tolerance,
            absolute: tolerance,
            stop: true,
        };
        bristle.aim(&self.law, contacts.fold(0.0, f64::max), setting);
        bristle.set(self.x);
        // A bristle may yield between two reversals alone, in a part of the step that no inner step
        // sees.
        let mut ends = zeros(self.inputs.v, self.h);
        ends.push(self.h);
        ends.sort_by(f64::total_cmp);
        let (mut from, mut force) = (0.0, f64::NAN);
        for to in ends {
            if to <= from {
                continue;
            }
            let [normal_force, v] =
                [self.inputs.F_N, self.inputs.v].map(|powers| later(powers, from));
            let inputs = InputPolynomials {
                F_N: normal_force,
                v,
                ..*self.inputs
            };
            force = bristle.reference(&inputs, to - from);
            if !force.is_finite() {
                return None;
            }
            from = to;
        }
        Some(force)
    }

    /// F_R by CVODE at its tightest tolerance, N.
    pub fn stiff(&self, cvode: &Cvode) -> Option<f64> {
        self.implicit(cvode, IMPLICIT[0])
    }

    fn explicit(&self, tolerance: f64) -> Option<f64> {
        let at = |t: f64| self.inputs.at(t);
        let mut solution = Solution {
            law: self.law,
            x: self.x,
        };
        let [force, ..] =
            quietly(|| solution.integrate(&InputTrajectory::Moving(&at), self.h, tolerance))?;
        Some(force)
    }

    /// Largest change of the expected F_R at looser tolerances, and where the start values differ
    /// by a few units of rounding of the terms of F_0 and w, N.
    pub fn spread(&self, expected: f64, cvode: Option<&Cvode>) -> f64 {
        let v = self.inputs.v[0].abs();
        let shaken = [-1.0, 1.0].map(|sign| {
            let few = 4.0 * f64::EPSILON * sign;
            let [z, z_dot] = self.x;
            let z = z + few * z.abs().max(self.law.sigma_1 * v / self.law.sigma_0);
            Step {
                x: [z, z_dot + few * z_dot.abs().max(v).max(self.law.v_s)],
                ..*self
            }
        });
        let others: Vec<_> = match cvode {
            Some(cvode) => {
                let looser = IMPLICIT[1..]
                    .iter()
                    .map(|tolerance| self.implicit(cvode, *tolerance));
                looser
                    .chain(shaken.iter().map(|step| step.implicit(cvode, IMPLICIT[0])))
                    .collect()
            }
            None => [self.explicit(COARSE_TOLERANCE)]
                .into_iter()
                .chain(shaken.map(|step| step.explicit(TOLERANCE)))
                .collect(),
        };
        others
            .into_iter()
            .flatten()
            .fold(0.0, |most: f64, other| most.max((other - expected).abs()))
    }
}
