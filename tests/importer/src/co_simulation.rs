//! Co-Simulation master of one contact element: set the inputs, do a step, get F_R.

use crate::fmi2::{CO_SIMULATION, Reference, Status};
use crate::fmu::Fmu;
use crate::instance::Instance;
use bristle_reference_laws::frdyn2::Parameters;
use bristle_reference_laws::{Contact, InputPolynomials, LawParameters};

/// Initialised Co-Simulation instance of an element with the references of its inputs and its
/// force.
#[derive(Debug)]
pub struct Master<'a> {
    /// Instance of the element.
    pub instance: Instance<'a>,
    inputs: [Reference; 2],
    /// References of `a` and `F_t`, of an element that has them.
    further: [Option<Reference>; 2],
    force: [Reference; 1],
}

impl<'a> Master<'a> {
    /// Master of an element with these parameters, initialised at t = 0 without tolerance and stop
    /// time.
    ///
    /// # Panics
    /// If the FMU refuses a call.
    pub fn start(fmu: &'a Fmu, parameters: &[(&str, f64)]) -> Self {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        let status = instance.setup_experiment(None, 0.0, None);
        instance.ok(status);
        for (name, value) in parameters {
            instance.set(name, *value);
        }
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        let status = instance.exit_initialization_mode();
        instance.ok(status);
        let reference = |name| fmu.description.reference(name);
        let further = ["a", "F_t"].map(|name| {
            let variable = fmu
                .description
                .variables
                .iter()
                .find(|variable| variable.name == name);
            variable.map(|variable| variable.reference)
        });
        Master {
            instance,
            inputs: [reference("F_N"), reference("v")],
            further,
            force: [reference("F_R")],
        }
    }

    /// Master of an element with the parameters of a reference law.
    pub fn with_law<L: LawParameters>(fmu: &'a Fmu, law: &L) -> Self {
        Self::start(fmu, &law.parameters())
    }

    /// Master of FrDyn2 with these parameters.
    pub fn with_parameters(fmu: &'a Fmu, parameters: &Parameters) -> Self {
        Self::start(fmu, &parameters.named())
    }

    /// F_R at the end of a step from `t` to `t + h` with held inputs.
    ///
    /// # Panics
    /// If the FMU refuses a call.
    #[inline]
    pub fn step(&mut self, contact: Contact, t: f64, h: f64) -> f64 {
        self.set(contact);
        let status = self.instance.do_step(t, h);
        self.accept(status);
        self.force()
    }

    /// F_R at the end of a step with moving inputs, given by their derivatives that are not 0.
    ///
    /// # Panics
    /// If the FMU refuses a call.
    pub fn step_with_derivatives(&mut self, inputs: &InputPolynomials, t: f64, h: f64) -> f64 {
        let [normal_force, v] = self.inputs;
        let [a, tangential_force] = self.further;
        let derivatives = [
            (Some(normal_force), inputs.F_N),
            (Some(v), inputs.v),
            (a, inputs.a),
            (tangential_force, inputs.F_t),
        ];
        for (reference, derivatives) in derivatives {
            let Some(reference) = reference else { continue };
            for (order, value) in (1..)
                .zip(&derivatives[1..])
                .filter(|(_, value)| **value != 0.0)
            {
                let status =
                    self.instance
                        .set_real_input_derivatives(&[reference], &[order], &[*value]);
                self.accept(status);
            }
        }
        self.step(inputs.at(0.0), t, h)
    }

    #[inline]
    fn set(&mut self, contact: Contact) {
        let status = self
            .instance
            .set_real(&self.inputs, &[contact.F_N, contact.v]);
        self.accept(status);
        for (reference, value) in self.further.into_iter().zip([contact.a, contact.F_t]) {
            let Some(reference) = reference else { continue };
            let status = self.instance.set_real(&[reference], &[value]);
            self.accept(status);
        }
    }

    #[inline]
    fn force(&mut self) -> f64 {
        let mut force = [f64::NAN];
        let status = self.instance.get_real(&self.force, &mut force);
        self.accept(status);
        force[0]
    }

    /// Accepts fmi2OK and fmi2Warning, by which FrDyn2 reports once that it leaves the range of its
    /// model.
    #[inline]
    #[track_caller]
    fn accept(&self, status: Status) {
        if status > Status::Warning {
            self.instance.ok(status);
        }
    }
}
