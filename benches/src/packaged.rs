//! The packaged element as a Co-Simulation master drives it, with a tolerance, start values and input derivatives.

use crate::inputs::Inputs;
use bristle_importer::fmi2::{CO_SIMULATION, Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::Parameters;

/// An initialised instance with its communication point.
#[derive(Debug)]
pub struct Packaged<'a> {
    instance: Instance<'a>,
    inputs: [Reference; 2],
    outputs: [Reference; 3],
    t: f64,
}

/// Results of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(non_snake_case)] // the paper's symbols
pub struct Outcome {
    /// Friction force, N.
    pub F_R: f64,
    /// z in m, ż in m/s.
    pub x: [f64; 2],
    /// The FMU returned fmi2Warning.
    pub warned: bool,
}

impl<'a> Packaged<'a> {
    /// An instance with these parameters, at rest.
    pub fn new(fmu: &'a Fmu, parameters: &Parameters, tolerance: Option<f64>) -> Self {
        Self::start(fmu, parameters, tolerance, [0.0; 2])
    }

    /// An instance whose bristle starts at `x`.
    ///
    /// # Panics
    /// If the FMU refuses parameters or start values.
    pub fn start(fmu: &'a Fmu, parameters: &Parameters, tolerance: Option<f64>, x: [f64; 2]) -> Self {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        let status = instance.setup_experiment(tolerance, 0.0, None);
        instance.ok(status);
        let Parameters { sigma_0, sigma_1, mu_s, v_s, mu_d, v_d } = *parameters;
        let [z, z_dot] = x;
        let names = ["sigma_0", "sigma_1", "mu_s", "v_s", "mu_d", "v_d", "z", "z_dot"];
        let references = names.map(|name| fmu.description.reference(name));
        let status = instance.set_real(&references, &[sigma_0, sigma_1, mu_s, v_s, mu_d, v_d, z, z_dot]);
        instance.ok(status);
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        let status = instance.exit_initialization_mode();
        instance.ok(status);
        let reference = |name| fmu.description.reference(name);
        Packaged {
            instance,
            inputs: ["F_N", "v"].map(reference),
            outputs: ["F_R", "z", "z_dot"].map(reference),
            t: 0.0,
        }
    }

    /// A cycle of a master: F_R at the end of a step of `h` (s) with held inputs, NaN where the FMU refuses the step.
    #[inline]
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        let given = self.instance.set_real(&self.inputs, &[contact.F_N, contact.v]);
        self.force_after(given, h)
    }

    /// Cycle of a master that gives derivatives of the inputs up to an order: F_R at the end of a step of `h` (s).
    #[inline]
    pub fn step_along(&mut self, inputs: &Inputs, order: usize, h: f64) -> f64 {
        let given = self.give(inputs, order);
        self.force_after(given, h)
    }

    #[inline]
    fn force_after(&mut self, given: Status, h: f64) -> f64 {
        let mut force = [f64::NAN];
        if given > Status::Warning
            || self.instance.do_step(self.t, h) > Status::Warning
            || self.instance.get_real(&self.outputs[..1], &mut force) > Status::Warning
        {
            return f64::NAN;
        }
        self.t += h;
        force[0]
    }

    /// Sets the inputs, with their derivatives up to an order.
    #[inline]
    fn give(&mut self, inputs: &Inputs, order: usize) -> Status {
        let Inputs { F_N, v } = inputs;
        let status = self.instance.set_real(&self.inputs, &[F_N[0], v[0]]);
        if order == 0 {
            return status;
        }
        let [f, g] = self.inputs;
        let (references, orders) = ([f, g, f, g, f, g], [1, 1, 2, 2, 3, 3]);
        let slopes = [F_N[1], v[1], F_N[2], v[2], F_N[3], v[3]];
        let given = 2 * order;
        status.max(self.instance.set_real_input_derivatives(&references[..given], &orders[..given], &slopes[..given]))
    }

    /// Results of a step with inputs that may have derivatives, or the log of a refusal.
    ///
    /// # Errors
    /// Sentence in the log, or the fault of the refusal itself.
    pub fn follow(&mut self, inputs: &Inputs, h: f64) -> Result<Outcome, String> {
        let mut status = self.give(inputs, if inputs.is_held() { 0 } else { 3 });
        status = status.max(self.instance.do_step(self.t, h));
        let mut values = [f64::NAN; 3];
        status = status.max(self.instance.get_real(&self.outputs, &mut values));
        if status > Status::Warning {
            let log = self.instance.take_log();
            let refused = log.iter().filter(|entry| entry.status > Status::Warning);
            let said = refused.map(|entry| entry.text.as_str()).collect::<Vec<_>>().join(" ");
            return Err(format!("{status:?}: {said}"));
        }
        self.t += h;
        let [force, z, z_dot] = values;
        Ok(Outcome { F_R: force, x: [z, z_dot], warned: status == Status::Warning })
    }
}
