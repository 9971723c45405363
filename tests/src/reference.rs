//! An independent reference for FrDyn2: the law written down afresh from the paper's Listing A4, branch by branch, and
//! integrated by Dormand and Prince's explicit method of order 8 at a tolerance far below any that is tested.
//!
//! It shares nothing with the element: neither the form of the equations nor the kind of integrator (the element's is
//! implicit, of order 5, with closed forms). The test bench of Listing A2 is solved here in one piece as well.

use crate::tolerances::REFERENCE;
use ode_solvers::{Dop853, OutputType, SVector, System};

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
pub const PAPER: Parameters =
    Parameters { sigma_0: 5e6, sigma_1: 3192.75, mu_s: 0.6, v_s: 1e-3, mu_d: 0.3, v_d: 10e-3 };

/// What the element is given at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case, missing_docs)] // the paper's symbols
pub struct Contact {
    pub F_N: f64,
    pub v: f64,
}

impl Parameters {
    /// Listing A4: the friction force, and the rates of z and ż.
    pub fn law(&self, contact: Contact, [z, z_dot]: [f64; 2]) -> (f64, [f64; 2]) {
        let Parameters { sigma_0, sigma_1, mu_s, v_s, mu_d, v_d } = *self;
        let friction = if contact.F_N > 0.0 {
            // The shift, equations (4) and (5).
            let sticking = sigma_0 * z + sigma_1 * contact.v;
            let distance = (1.0 - sticking.abs() / (mu_s * contact.F_N)).max(0.0);
            let size = v_s * (1.0 - distance.sqrt());
            let shift = if sticking < 0.0 { -size } else { size };
            // The regularised characteristic at the shifted velocity.
            let w = (contact.v - z_dot) + shift;
            let speed = w.abs();
            let mu = if speed <= v_s {
                let xi = speed / v_s;
                xi * (2.0 - xi) * mu_s
            } else if speed < v_d {
                let xi = (speed - v_s) / (v_d - v_s);
                mu_d + (mu_s - mu_d) * (1.0 - xi * xi * (3.0 - 2.0 * xi))
            } else {
                mu_d
            };
            if w < 0.0 { -mu * contact.F_N } else { mu * contact.F_N }
        } else {
            0.0
        };
        let bristle = sigma_0 * z + sigma_1 * z_dot;
        (friction, [z_dot, (friction - bristle) * 4.0 * sigma_0 / (sigma_1 * sigma_1)])
    }

    /// What z and ż are measured in, so that F_R answers to each of them alike.
    fn scale(&self, normal_force: f64) -> [f64; 2] {
        [self.mu_s * normal_force / self.sigma_0, self.v_s]
    }
}

/// A bristle followed by the reference.
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
        Bristle { parameters, normal_force, tolerance: REFERENCE, x: [0.0; 2] }
    }

    /// The same, integrated with another tolerance.
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Bristle { tolerance, ..self }
    }

    /// Advances by `h` (s) with held inputs and returns F_R at the end.
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        self.follow(|_| contact, h)
    }

    /// Advances by `h` (s) while the inputs follow `course`, a function of the time since the start of the step, and
    /// returns F_R at the end.
    pub fn follow(&mut self, course: impl Fn(f64) -> Contact, h: f64) -> f64 {
        let parameters = self.parameters;
        let rate = |t: f64, x: [f64; 2]| parameters.law(course(t), x).1;
        self.x = solve(rate, self.x, parameters.scale(self.normal_force), h, self.tolerance);
        parameters.law(course(h), self.x).0
    }
}

/// The virtual test bench in one piece (Listing A2): displacement and velocity of the body, z and ż of its bristle,
/// after `duration` (s) of the load `force` (N, a function of time) on a body of `mass` (kg) in a constant contact.
pub fn test_bench(
    parameters: Parameters,
    mass: f64,
    normal_force: f64,
    force: impl Fn(f64) -> f64,
    duration: f64,
) -> [f64; 4] {
    let rate = |t: f64, [_, v, z, z_dot]: [f64; 4]| {
        let (friction, [z_dot, z_dot_dot]) = parameters.law(Contact { F_N: normal_force, v }, [z, z_dot]);
        [v, (force(t) - friction) / mass, z_dot, z_dot_dot]
    };
    let [length, speed] = parameters.scale(normal_force);
    solve(rate, [0.0; 4], [length, speed, length, speed], duration, REFERENCE)
}

/// Time is counted in units of this many seconds: about one time constant of the bristle.
const TIME: f64 = 1e-4;

/// As many components as the integrator is given: the states of the largest system here, and the time.
const COMPONENTS: usize = 5;

/// Integrates x′ = rate(t, x) from 0 over `duration`, each component measured in its `scale`.
///
/// The time is one of the integrator's components: given as such, the crate (0.6.2) takes the last of its twelve stages
/// at the start of a step and not at its end (`C[11]` of its tableau is 0), which leaves an error of 1e-7 under inputs
/// that move.
///
/// # Panics
/// If the integrator gives up: a reference that is not reached is none.
pub fn solve<const N: usize>(
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
    x: [f64; N],
    scale: [f64; N],
    duration: f64,
    tolerance: f64,
) -> [f64; N] {
    const { assert!(N < COMPONENTS) };
    type Vector = SVector<f64, COMPONENTS>;
    struct Scaled<F, const N: usize> {
        rate: F,
        scale: [f64; N],
    }
    impl<F: Fn(f64, [f64; N]) -> [f64; N], const N: usize> System<f64, Vector> for Scaled<F, N> {
        fn system(&self, _: f64, y: &Vector, slope: &mut Vector) {
            let rate = (self.rate)(y[N] * TIME, core::array::from_fn(|i| y[i] * self.scale[i]));
            for i in 0..N {
                slope[i] = rate[i] * TIME / self.scale[i];
            }
            slope[N] = 1.0;
        }
    }
    let y = Vector::from_fn(|i, _| if i < N { x[i] / scale[i] } else { 0.0 });
    let end = duration / TIME;
    // The crate's defaults, but for its limits on steps and stiffness: a stiff solution is meant to take long here.
    let [safety, beta, shrink, grow] = [0.9, 0.0, 0.333, 6.0];
    let [limit, stiffness_check] = [u32::MAX; 2];
    let first_step = 0.0; // chosen by the integrator
    let system = Scaled { rate, scale };
    let mut integrator = Dop853::from_param(
        system,
        0.0,
        end,
        end,
        y,
        tolerance,
        tolerance,
        safety,
        beta,
        shrink,
        grow,
        end,
        first_step,
        limit,
        stiffness_check,
        OutputType::Sparse,
    );
    integrator.integrate().expect("the reference can be integrated");
    let y = integrator.y_out().last().expect("the integrator keeps the end");
    core::array::from_fn(|i| y[i] * scale[i])
}
