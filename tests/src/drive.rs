//! A contact element driven as a Co-Simulation master drives it: set F_N and v, do a step, get F_R.

use crate::fmi2::{Reference, Status};
use crate::host::{CO_SIMULATION, Fmu};
use crate::instance::Instance;
use crate::reference::{Contact, Parameters};

/// An initialised Co-Simulation instance with the references of its contact.
#[derive(Debug)]
pub struct Driven<'a> {
    /// The instance.
    pub instance: Instance<'a>,
    inputs: [Reference; 2],
    force: [Reference; 1],
}

impl<'a> Driven<'a> {
    /// An instance with these parameters, initialised at t = 0 without a tolerance and without an end.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
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
        Driven { instance, inputs: [reference("F_N"), reference("v")], force: [reference("F_R")] }
    }

    /// An instance with the parameters of a reference.
    pub fn with(fmu: &'a Fmu, parameters: &Parameters) -> Self {
        let Parameters { sigma_0, sigma_1, mu_s, v_s, mu_d, v_d } = *parameters;
        let named =
            [("sigma_0", sigma_0), ("sigma_1", sigma_1), ("mu_s", mu_s), ("v_s", v_s), ("mu_d", mu_d), ("v_d", v_d)];
        Self::start(fmu, &named)
    }

    /// One cycle of a master: F_R at the end of a step from `t` to `t + h` with held inputs.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    #[inline]
    pub fn step(&mut self, contact: Contact, t: f64, h: f64) -> f64 {
        self.set(contact);
        let status = self.instance.do_step(t, h);
        self.accept(status);
        self.force()
    }

    /// The same calls with a status query in place of the step: what a cycle costs before the element does anything.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    #[inline]
    pub fn idle(&mut self, contact: Contact) -> f64 {
        /// `fmi2LastSuccessfulTime`.
        const LAST_SUCCESSFUL_TIME: i32 = 2;
        self.set(contact);
        let mut time = f64::NAN;
        let status = self.instance.get_real_status(LAST_SUCCESSFUL_TIME, &mut time);
        self.accept(status);
        self.force()
    }

    #[inline]
    fn set(&mut self, contact: Contact) {
        let status = self.instance.set_real(&self.inputs, &[contact.F_N, contact.v]);
        self.accept(status);
    }

    #[inline]
    fn force(&mut self) -> f64 {
        let mut force = [f64::NAN];
        let status = self.instance.get_real(&self.force, &mut force);
        self.accept(status);
        force[0]
    }

    /// Warnings pass: FrDyn2 warns of its own limit once, and then works on.
    #[inline]
    #[track_caller]
    fn accept(&self, status: Status) {
        if status > Status::Warning {
            self.instance.ok(status);
        }
    }
}
