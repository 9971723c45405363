//! Reference of FrDyn2's energy and mean force: the reference law with both integrals in one integration.
//!
//! The first part compares F_R, with several references for steps that are hard for one of them.

use super::values::{Values, value};
use bristle_reference_laws::dop853::{TOLERANCE, solve};
use bristle_reference_laws::frdyn2::{PAPER, Parameters};
use bristle_reference_laws::segments::parts;
use bristle_reference_laws::{Contact, InputTrajectory, ReferenceLaw};
use std::cell::Cell;

/// Evaluations of the law in a step after which the reference gives up.
const EVALUATIONS: u32 = 300_000;

/// Reference solution: the law and its states.
#[derive(Clone, Copy)]
struct Solution {
    law: Parameters,
    /// z in m, ż in m/s.
    x: [f64; 2],
}

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
    Box::new(Solution { law: parameters(values), x: [0.0; 2] })
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        self.integrate(inputs, h, TOLERANCE).map_or(f64::NAN, |[force, ..]| force)
    }

    fn integrate(&mut self, inputs: &InputTrajectory, h: f64, tolerance: f64) -> Option<[f64; 3]> {
        let law = self.law;
        let contact = |t: f64| inputs.at(t);
        let contacts = || (0..=64).map(|i| contact(h * f64::from(i) / 64.0));
        let force = law.mu_s * contacts().fold(0.0, |most: f64, contact| contact.F_N.max(most));
        let speed = contacts().fold(0.0, |most: f64, contact| contact.v.abs().max(most));
        let scale = [force / law.sigma_0, law.v_s, force * h, force * speed.max(law.v_s) * h];
        let count = Cell::new(0);
        let mut x = [self.x[0], self.x[1], 0.0, 0.0];
        for [start, end] in parts(inputs, h) {
            let rate = |t: f64, [z, z_dot, _, _]: [f64; 4]| {
                count.set(count.get() + 1);
                assert!(count.get() < EVALUATIONS, "too stiff at {t}");
                let contact = contact(start + t);
                let (force, [z_dot, z_dot_dot]) = law.law(contact, [z, z_dot]);
                [z_dot, z_dot_dot, force, force * contact.v]
            };
            x = solve(rate, x, scale, end - start, tolerance);
        }
        self.x = [x[0], x[1]];
        Some([law.law(contact(h), self.x).0, x[2], x[3]])
    }

    fn boxed(&self) -> Box<dyn ReferenceLaw> {
        Box::new(*self)
    }

    fn synchronise(&mut self, _: Contact, value: &dyn Fn(&str) -> f64) {
        self.x = [value("z"), value("z_dot")];
    }

    fn static_friction(&self) -> f64 {
        self.law.mu_s
    }
}
