//! Alternatives to the element's own method: its general integrator alone, and a plain explicit method.

use bristle::integrate::System;
use bristle::integrate::radau::Radau;
use bristle::law::{Contact as LawContact, Law};
use bristle::laws::frdyn2::FrDyn2;
use bristle::variable::Values;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::Parameters;

/// The law with these parameters.
///
/// # Panics
/// If it refuses them.
pub fn law(parameters: &Parameters) -> FrDyn2 {
    let Parameters { sigma_0, sigma_1, mu_s, v_s, mu_d, v_d } = *parameters;
    let named =
        [("sigma_0", sigma_0), ("sigma_1", sigma_1), ("mu_s", mu_s), ("v_s", v_s), ("mu_d", mu_d), ("v_d", v_d)];
    let mut values = Values::of(FrDyn2::METADATA.parameters);
    for variable in FrDyn2::METADATA.parameters {
        let known = named.iter().find(|(name, _)| *name == variable.name);
        values[variable] = known.expect("a parameter of FrDyn2").1;
    }
    FrDyn2::new(&values).expect("parameters that fit together")
}

/// Radau IIA(5) from `bristle::integrate`, without closed forms and series, called directly.
pub struct General {
    law: FrDyn2,
    x: [f64; 2],
    tolerance: f64,
    solver: Radau,
}

/// The law under a held contact.
struct Held<'a> {
    law: &'a FrDyn2,
    contact: LawContact,
}

impl System<2> for Held<'_> {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, _: f64, x: &[f64; 2]) -> [f64; 2] {
        self.law.evaluate(self.contact, x, &()).rate
    }
    fn jacobian(&self, _: f64, x: &[f64; 2]) -> [[f64; 2]; 2] {
        self.law.jacobian(self.contact, x, &()).rate_x
    }
    fn scale(&self, _: f64, x: &[f64; 2]) -> [f64; 2] {
        self.law.scale(self.contact, x)
    }
}

impl General {
    /// A bristle at rest; `tolerance` is that of an inner step.
    pub fn new(parameters: &Parameters, tolerance: f64) -> Self {
        General { law: law(parameters), x: [0.0; 2], tolerance, solver: Radau::default() }
    }

    /// F_R after a step of `h` (s) with held inputs; NaN where the integrator gives up.
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        let contact = LawContact::new(contact.F_N, contact.v);
        let system = Held { law: &self.law, contact };
        let done = self.solver.advance(&system, &mut self.x, h, self.tolerance, |_| None);
        done.map_or(f64::NAN, |_| self.law.evaluate(contact, &self.x, &()).F_R)
    }
}

/// The classic fourth-order Runge–Kutta method with a fixed number of inner steps, without error control.
pub struct Rk4 {
    parameters: Parameters,
    x: [f64; 2],
    inner: u32,
}

impl Rk4 {
    /// A bristle at rest, `inner` steps in each communication step.
    pub fn new(parameters: &Parameters, inner: u32) -> Self {
        Rk4 { parameters: *parameters, x: [0.0; 2], inner }
    }

    /// F_R after a step of `h` (s) with held inputs.
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        let step = h / f64::from(self.inner);
        let rate = |x: [f64; 2]| self.parameters.law(contact, x).1;
        let ahead = |x: [f64; 2], k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        for _ in 0..self.inner {
            let x = self.x;
            let k1 = rate(x);
            let k2 = rate(ahead(x, k1, 0.5 * step));
            let k3 = rate(ahead(x, k2, 0.5 * step));
            let k4 = rate(ahead(x, k3, step));
            self.x = core::array::from_fn(|i| x[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        }
        self.parameters.law(contact, self.x).0
    }
}
