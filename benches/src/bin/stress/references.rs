//! Expected F_R after a step, by integrators that share nothing with the element's.
//!
//! DOP853 on the reference law where this explicit method is affordable, CVODE's BDF method at tight tolerances where the
//! step is too long and stiff for that. An error found by one of them is confirmed by others: where those disagree among themselves,
//! nothing is compared.

use bristle_benches::cvode::{self, Cvode, Setting};
use bristle_benches::inputs::Inputs;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::frdyn2::Parameters;
use ode_solvers::{Dop853, OutputType, SVector, System};

/// Time constants of the bristle in a step up to which the explicit reference is affordable.
const EXPLICIT: f64 = 3e3;
/// Time constants of a bristle in a step up to which the explicit method confirms an error of another one.
const EXPLICIT_OPINION: f64 = 1e5;
/// Inner steps after which a reference is given up.
const LIMIT: u32 = 50_000;
/// Number of refinements of the explicit reference by sixteen before it fails.
const FINER: u32 = 5;
/// Share of an error by which references may differ; if they differ by more, the step is not compared.
const AGREEMENT: f64 = 0.3;

/// Step to be compared.
pub struct Step<'a> {
    pub parameters: &'a Parameters,
    /// z (m) and ż (m/s) at its start.
    pub x: [f64; 2],
    pub inputs: &'a Inputs,
    pub h: f64,
}

/// Result of the references.
#[derive(Clone, Copy, PartialEq)]
pub enum Comparison {
    /// Error of F_R over F_s, expected F_R (N), and the method.
    Error(f64, f64, Method),
    None(Reason),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Method {
    Explicit,
    Implicit,
}

/// Reason why a step was not compared.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// F_s at the end is not a normal number, or next to nothing beside the F_s that the bristle comes from.
    NoScale,
    /// Too long for the explicit reference, and CVODE is not installed.
    NoImplicit,
    /// No reference got to the end.
    GaveUp,
    /// They contradict each other, or themselves after a rounding of the start values, by about the error they find.
    Disagreement,
}

impl Step<'_> {
    /// The largest normal force within the step.
    pub fn largest_normal_force(&self) -> f64 {
        (0..=16).fold(0.0, |most, i| self.inputs.at(self.h * f64::from(i) / 16.0).F_N.max(most))
    }

    /// The fastest rate of the bristle, 1/s.
    fn rate(&self) -> f64 {
        let Parameters { sigma_0, sigma_1, mu_s, v_s, .. } = *self.parameters;
        (sigma_1 + 2.0 * mu_s * self.largest_normal_force() / v_s) * 4.0 * sigma_0 / (sigma_1 * sigma_1)
    }

    /// Compares `force`; errors above `allowed` are confirmed or left out.
    pub fn compare(&self, force: f64, allowed: f64, cvode: Option<&Cvode>) -> Comparison {
        let end = self.inputs.at(self.h).F_N;
        let static_force = self.parameters.mu_s * end;
        if end <= 0.0 {
            return Comparison::Error(if force == 0.0 { 0.0 } else { f64::INFINITY }, 0.0, Method::Explicit);
        }
        if static_force < 1e-290 || end < 1e-9 * self.largest_normal_force() {
            return Comparison::None(Reason::NoScale);
        }
        let stiffness = self.rate() * self.h;
        let explicit = if stiffness <= EXPLICIT { self.explicit(TOLERANCE) } else { None };
        let (expected, method) = match (explicit, cvode) {
            (Some(force), _) => (force, Method::Explicit),
            (None, None) => return Comparison::None(Reason::NoImplicit),
            (None, Some(cvode)) => match self.implicit(cvode, 1e-12) {
                Some(force) => (force, Method::Implicit),
                None => return Comparison::None(Reason::GaveUp),
            },
        };
        let error = (force - expected).abs() / static_force;
        if error <= allowed {
            return Comparison::Error(error, expected, method);
        }
        // Further references.
        let mut others = Vec::new();
        if stiffness <= EXPLICIT {
            others.push(self.explicit(COARSE_TOLERANCE));
        } else if stiffness <= EXPLICIT_OPINION {
            others.push(self.explicit(TOLERANCE));
        }
        if let Some(cvode) = cvode {
            others.extend([1e-11, 1e-10].map(|tolerance| self.implicit(cvode, tolerance)));
        }
        // The effect of rounding of the start values is no error of the element.
        for sign in [-1.0, 1.0] {
            let shaken = Step { x: self.shaken(sign), ..*self };
            others.push(match (method, cvode) {
                (Method::Implicit, Some(cvode)) => shaken.implicit(cvode, 1e-12),
                _ => shaken.explicit(TOLERANCE),
            });
        }
        let spread = others.into_iter().flatten().fold(0.0, |most: f64, other| most.max((other - expected).abs()));
        if spread / static_force > AGREEMENT * error {
            return Comparison::None(Reason::Disagreement);
        }
        Comparison::Error(error, expected, method)
    }

    /// Start values moved by a few units of rounding of the terms of F_0 and w.
    fn shaken(&self, sign: f64) -> [f64; 2] {
        let Parameters { sigma_0, sigma_1, v_s, .. } = *self.parameters;
        let ([z, z_dot], v) = (self.x, self.inputs.v[0].abs());
        let a_few = 4.0 * f64::EPSILON * sign;
        [z + a_few * z.abs().max(sigma_1 * v / sigma_0), z_dot + a_few * z_dot.abs().max(v).max(v_s)]
    }

    fn explicit(&self, tolerance: f64) -> Option<f64> {
        let scale = [self.parameters.mu_s * self.largest_normal_force() / self.parameters.sigma_0, self.parameters.v_s];
        // Time in units of a time constant, so that the integrator's idea of a small number fits.
        let time = 1.0 / self.rate();
        // The time is a component: given as such, the crate (0.6.2) takes the last of its stages at the start of a step.
        let start = SVector::from([self.x[0] / scale[0], self.x[1] / scale[1], 0.0]);
        let end = self.h / time;
        let [safety, beta, shrink, grow, first_step] = [0.9, 0.0, 0.333, 6.0, 0.0];
        let mut longest = end;
        for _ in 0..FINER {
            let system = Scaled { step: self, scale, time };
            let mut integrator = Dop853::from_param(
                system,
                0.0,
                end,
                end,
                start,
                tolerance,
                tolerance,
                safety,
                beta,
                shrink,
                grow,
                longest,
                first_step,
                LIMIT,
                u32::MAX,
                OutputType::Sparse,
            );
            integrator.integrate().ok()?;
            let path = || {
                let states = integrator.y_out().iter().map(|y| [y[0] * scale[0], y[1] * scale[1]]);
                integrator.x_out().iter().map(|t| t * time).zip(states)
            };
            let slips: Vec<_> = path().map(|(t, x)| self.slip(t, x)).collect();
            let leap = slips.windows(2).position(|pair| self.leaps(pair[0], pair[1]));
            let Some(at) = leap else {
                let (_, x) = path().next_back()?;
                return Some(self.parameters.law(self.inputs.at(self.h), x).0).filter(|force| force.is_finite());
            };
            longest = (integrator.x_out()[at + 1] - integrator.x_out()[at]).min(longest) / 16.0;
        }
        None
    }

    /// Slip velocity, the argument of the characteristic.
    fn slip(&self, t: f64, [z, z_dot]: [f64; 2]) -> f64 {
        let Parameters { sigma_0, sigma_1, mu_s, v_s, .. } = *self.parameters;
        let contact = self.inputs.at(t);
        let sticking = sigma_0 * z + sigma_1 * contact.v;
        let distance = if contact.F_N > 0.0 { (1.0 - sticking.abs() / (mu_s * contact.F_N)).max(0.0) } else { 0.0 };
        contact.v - z_dot + (v_s * (1.0 - distance.sqrt())).copysign(sticking)
    }

    /// Whether an inner step passes over so much of the curved part of the characteristic that its error estimate is unreliable.
    fn leaps(&self, before: f64, after: f64) -> bool {
        let Parameters { v_s, v_d, .. } = *self.parameters;
        let beside = before.min(after) > v_d || before.max(after) < -v_d;
        !beside && (after - before).abs() > 0.5 * v_s
    }

    fn implicit(&self, cvode: &Cvode, tolerance: f64) -> Option<f64> {
        let mut bristle = cvode::Bristle::new(cvode, self.parameters, i64::from(LIMIT));
        let setting = Setting { relative: tolerance, absolute: tolerance, stop: true };
        bristle.aim(self.parameters, self.largest_normal_force(), setting);
        bristle.set(self.x);
        Some(bristle.reference(self.inputs, self.h)).filter(|force| force.is_finite())
    }
}

/// The law in units of a scale and of a time.
struct Scaled<'a> {
    step: &'a Step<'a>,
    scale: [f64; 2],
    time: f64,
}

impl System<f64, SVector<f64, 3>> for Scaled<'_> {
    fn system(&self, _: f64, y: &SVector<f64, 3>, slope: &mut SVector<f64, 3>) {
        let [length, speed] = self.scale;
        let (_, rate) = self.step.parameters.law(self.step.inputs.at(y[2] * self.time), [y[0] * length, y[1] * speed]);
        slope[0] = rate[0] * self.time / length;
        slope[1] = rate[1] * self.time / speed;
        slope[2] = 1.0;
    }
}
