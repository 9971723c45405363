//! Reference of FrDyn2: the law of the paper's Listing A4, implemented a second time branch by
//! branch, and integrated by Dormand and Prince's explicit method of order 8 at a tolerance far
//! below any that is tested.
//!
//! It shares neither the form of the equations nor the kind of integrator with the element (which
//! has closed forms, series and an implicit method of order 5). The test bench of Listing A2 is
//! solved as one system as well.

use crate::dop853::{TOLERANCE, solve};
use crate::law::ReferenceLaw;
use crate::segments::parts;
use crate::trajectory::{Contact, InputTrajectory, SMALLEST_SCALE};
use std::cell::Cell;

/// Evaluations of the law in a step after which [`Solution`] gives up.
const EVALUATIONS: u32 = 300_000;

/// Parameters of FrDyn2, SI units.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // the paper's symbols
pub struct Parameters {
    pub sigma_0: f64,
    pub sigma_1: f64,
    pub mu_s: f64,
    pub v_s: f64,
    pub mu_d: f64,
    pub v_d: f64,
}

/// The paper's parameters (Listing A1).
pub const PAPER: Parameters = Parameters {
    sigma_0: 5e6,
    sigma_1: 3192.75,
    mu_s: 0.6,
    v_s: 1e-3,
    mu_d: 0.3,
    v_d: 10e-3,
};

impl Parameters {
    /// Values with their names, in the order of the fields.
    pub fn named(&self) -> [(&'static str, f64); 6] {
        [
            ("sigma_0", self.sigma_0),
            ("sigma_1", self.sigma_1),
            ("mu_s", self.mu_s),
            ("v_s", self.v_s),
            ("mu_d", self.mu_d),
            ("v_d", self.v_d),
        ]
    }

    /// Listing A4: the friction force, and the rates of z and ż.
    pub fn law(&self, contact: Contact, [z, z_dot]: [f64; 2]) -> (f64, [f64; 2]) {
        let Parameters {
            sigma_0,
            sigma_1,
            mu_s,
            v_s,
            ..
        } = *self;
        let friction = if contact.is_closed() {
            // The shift, equations (4) and (5).
            let sticking = sigma_0 * z + sigma_1 * contact.v;
            let distance = (1.0 - sticking.abs() / (mu_s * contact.F_N)).max(0.0);
            let size = v_s * (1.0 - distance.sqrt());
            let shift = if sticking < 0.0 { -size } else { size };
            let w = (contact.v - z_dot) + shift;
            let mu = self.coefficient(w.abs());
            if w < 0.0 {
                -mu * contact.F_N
            } else {
                mu * contact.F_N
            }
        } else {
            0.0
        };
        let bristle = sigma_0 * z + sigma_1 * z_dot;
        (
            friction,
            [
                z_dot,
                (friction - bristle) * 4.0 * sigma_0 / (sigma_1 * sigma_1),
            ],
        )
    }

    /// The regularised characteristic at a speed |w|, m/s.
    pub fn coefficient(&self, speed: f64) -> f64 {
        let Parameters {
            mu_s,
            v_s,
            mu_d,
            v_d,
            ..
        } = *self;
        if speed <= v_s {
            let xi = speed / v_s;
            xi * (2.0 - xi) * mu_s
        } else if speed < v_d {
            let xi = (speed - v_s) / (v_d - v_s);
            mu_d + (mu_s - mu_d) * (1.0 - xi * xi * (3.0 - 2.0 * xi))
        } else {
            mu_d
        }
    }

    /// Scales of z and ż, which change F_R alike.
    fn scale(&self, normal_force: f64) -> [f64; 2] {
        [self.mu_s * normal_force / self.sigma_0, self.v_s]
    }
}

/// Bristle of the reference.
#[derive(Clone, Copy, Debug)]
pub struct Bristle {
    parameters: Parameters,
    /// The normal force that errors are measured at.
    normal_force: f64,
    tolerance: f64,
    /// z in m, ż in m/s.
    pub x: [f64; 2],
}

impl Bristle {
    /// A bristle at rest in a contact whose normal force is about `normal_force`.
    pub fn at_rest(parameters: Parameters, normal_force: f64) -> Self {
        Bristle {
            parameters,
            normal_force,
            tolerance: TOLERANCE,
            x: [0.0; 2],
        }
    }

    /// Bristle with another tolerance of the integration.
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Bristle { tolerance, ..self }
    }

    /// Advances by `h` (s) with held inputs and returns F_R at the end.
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        self.advance(|_| contact, h)
    }

    /// Advances by `h` (s) with inputs that are a function of the time since the start of the step,
    /// and returns F_R at the end.
    pub fn advance(&mut self, inputs: impl Fn(f64) -> Contact, h: f64) -> f64 {
        let parameters = self.parameters;
        let rate = |t: f64, x: [f64; 2]| parameters.law(inputs(t), x).1;
        self.x = solve(
            rate,
            self.x,
            parameters.scale(self.normal_force),
            h,
            self.tolerance,
        );
        parameters.law(inputs(h), self.x).0
    }
}

/// Reference law with impulse and energy in one integration.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    /// Parameters of the law.
    pub law: Parameters,
    /// z in m, ż in m/s.
    pub x: [f64; 2],
}

impl ReferenceLaw for Solution {
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64 {
        self.integrate(inputs, h, TOLERANCE)
            .map_or(f64::NAN, |[force, ..]| force)
    }

    fn integrate(&mut self, inputs: &InputTrajectory, h: f64, tolerance: f64) -> Option<[f64; 3]> {
        let law = self.law;
        let contact = |t: f64| inputs.at(t);
        let contacts = || (0..=64).map(|i| contact(h * f64::from(i) / 64.0));
        let force =
            law.mu_s * contacts().fold(SMALLEST_SCALE, |most: f64, contact| contact.F_N.max(most));
        let speed = contacts().fold(0.0, |most: f64, contact| contact.v.abs().max(most));
        let scale = [
            force / law.sigma_0,
            law.v_s,
            force * h,
            force * speed.max(law.v_s) * h,
        ];
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

/// Monolithic solution of the virtual test bench (Listing A2): displacement and velocity of the
/// body, z and ż of its bristle, after `duration` (s) of the load `force` (N, a function of time)
/// on a body of `mass` (kg) in a constant contact.
pub fn test_bench(
    parameters: Parameters,
    mass: f64,
    normal_force: f64,
    force: impl Fn(f64) -> f64,
    duration: f64,
) -> [f64; 4] {
    let rate = |t: f64, [_, v, z, z_dot]: [f64; 4]| {
        let (friction, [z_dot, z_dot_dot]) =
            parameters.law(Contact::new(normal_force, v), [z, z_dot]);
        [v, (force(t) - friction) / mass, z_dot, z_dot_dot]
    };
    let [length, speed] = parameters.scale(normal_force);
    solve(
        rate,
        [0.0; 4],
        [length, speed, length, speed],
        duration,
        TOLERANCE,
    )
}
