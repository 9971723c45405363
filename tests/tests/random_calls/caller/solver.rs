//! Calls of a solver in Model Exchange, and steps of a master in Co-Simulation.

use super::arguments::Array;
use super::{Caller, Subject, is_on_demand};
use crate::random_calls::model::{Expected, Model, Role, role};
use crate::random_calls::numbers::odd;
use bristle_importer::calling_sequence::{Call, InstanceState};
use bristle_importer::description::Description;
use bristle_importer::fmi2::Status;
use bristle_importer::raw;

impl Caller<'_> {
    pub(super) fn step(&mut self, subject: usize) -> (Status, Expected, String) {
        let now = self.subjects[subject].model.time;
        let random = &mut self.random;
        let t = match random.below(12) {
            0 => odd(random),
            1 => now + 1e-11,
            _ => now,
        };
        let h = match random.below(16) {
            0 => odd(random),
            1 => 6.6e-17,
            2 => random.magnitude(1e-2, 1.0),
            _ => random.magnitude(1e-6, 1e-3),
        };
        let description = &self.fmu.description;
        let Subject {
            instance, model, ..
        } = &mut self.subjects[subject];
        let expected = model.step(t, h);
        let status = instance.do_step(t, h);
        let arguments = format!(" {t:e} {h:e}");
        if status <= Status::Warning && model.state == InstanceState::StepComplete {
            // An error of one communication point must not accumulate.
            model.time += h;
            let held = !model.moving && !model.forged;
            model.moving = false;
            let mut numbers = vec![f64::NAN; description.variables.len()];
            let real = description
                .variables
                .iter()
                .filter(|v| v.kind == "Real" && !is_on_demand(&v.name));
            let real: Vec<_> = real.map(|v| v.reference).collect();
            numbers.truncate(real.len());
            let read = instance.get_real(&real, &mut numbers);
            let mut last = f64::NAN;
            let asked = instance.get_real_status(2, &mut last);
            // Coefficient of the laws with a bounded force.
            let coefficient = match &*self.law {
                "FrDyn2" | "FrDyn2Linear" | "StaticRegularized" | "AdamsStickSlip" => Some("mu_s"),
                "Coulomb" | "Dahl" => Some("mu_d"),
                _ => None,
            };
            // Viscous friction is not bounded.
            let coefficient = coefficient.filter(|_| {
                model
                    .values
                    .get("sigma_2")
                    .is_none_or(|sigma_2| *sigma_2 == 0.0)
            });
            // With the body observer F_R may exceed F_s.
            let observed = model.observed();
            let coefficient = coefficient
                .filter(|_| !observed)
                .and_then(|name| model.values.get(name).copied());
            let value = |name: &str| {
                numbers[real
                    .iter()
                    .position(|r| *r == description.reference(name))
                    .expect("it is there")]
            };
            let forces = contact_forces(description, value);
            // The observer uses this step in the next one.
            model.extreme |= observed && h > 1.0;
            self.note(format!("{subject}{arguments}: F_N and F_R {forces:?}"));
            self.claim(
                read == Status::OK && asked == Status::OK,
                "what a step leaves can be read",
            );
            self.finite(&numbers);
            self.claim(last.is_finite(), "the time reached is a number");
            if let (true, Some(coefficient)) = (held, coefficient) {
                for [normal_force, force] in forces {
                    // Half a rounding of the product, and of each component.
                    let limit = (coefficient * normal_force).max(0.0) * (1.0 + 2.0 * f64::EPSILON);
                    self.claim(force <= limit, "|F_R| exceeds F_s");
                }
            }
        }
        (status, expected, arguments)
    }

    /// Vectors of a solver.
    pub(super) fn states(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        use Call::*;
        let names = self.names(|v| role(v) == Role::State);
        let right = if call == GetEventIndicators {
            self.fmu.description.event_indicators
        } else {
            names.len()
        };
        let n = if self.random.once_in(6) {
            self.random.below(5)
        } else {
            right
        };
        let numbers = (0..n)
            .map(|i| self.number_for(names.get(i).map_or("", |name| name)))
            .collect();
        let mut x: Array<f64> = self.array(numbers);
        let Subject {
            instance: i, model, ..
        } = &mut self.subjects[subject];
        let expected = match call {
            _ if n != right || (x.missing(n)) => Expected::Error,
            SetContinuousStates
                if names
                    .iter()
                    .zip(&x.0)
                    .any(|(name, x)| !Model::acceptable(&self.law, name, Role::State, *x)) =>
            {
                Expected::Error
            }
            GetDerivatives | GetEventIndicators => model.readable(true),
            _ => Expected::Ok,
        };
        let arguments = format!(" {:?}", x.0);
        let status = match call {
            SetContinuousStates => {
                let status = raw!(i, set_continuous_states, x.pointer(), n);
                if status == Status::OK {
                    names
                        .iter()
                        .zip(&x.0)
                        .for_each(|(name, x)| model.set(name, *x));
                }
                status
            }
            GetContinuousStates => raw!(i, get_continuous_states, x.place(), n),
            GetDerivatives => raw!(i, get_derivatives, x.place(), n),
            GetNominalsOfContinuousStates => {
                raw!(i, get_nominals_of_continuous_states, x.place(), n)
            }
            _ => raw!(i, get_event_indicators, x.place(), n),
        };
        if status == Status::OK {
            self.finite(&x.0);
        }
        (status, expected, arguments)
    }
}

/// Normal force and size of the friction force of each contact, N, where both are variables.
fn contact_forces(description: &Description, value: impl Fn(&str) -> f64) -> Vec<[f64; 2]> {
    let has = |name: &String| {
        description
            .variables
            .iter()
            .any(|variable| variable.name == *name)
    };
    let contacts = description
        .variables
        .iter()
        .filter_map(|variable| variable.name.strip_prefix("F_N"));
    let force = |contact: &str| {
        let names = [
            format!("F_R{contact}"),
            format!("F_R_x{contact}"),
            format!("F_R_y{contact}"),
        ];
        match names {
            [along, ..] if has(&along) => Some(value(&along).abs()),
            [_, x, y] if has(&x) => Some(libm::hypot(value(&x), value(&y))),
            _ => None,
        }
    };
    contacts
        .filter_map(|contact| Some([value(&format!("F_N{contact}")), force(contact)?]))
        .collect()
}
