//! A contact element driven as a Co-Simulation master drives it: set F_N and v, do a step, get F_R.

use crate::fmi2::{Reference, Status};
use crate::host::{CO_SIMULATION, Fmu};
use crate::instance::Instance;
use crate::judge::{self, Law, Polynomial};
use crate::reference::{Contact, Parameters};

/// An initialised Co-Simulation instance with the references of its contact.
#[derive(Debug)]
pub struct Driven<'a> {
    /// The instance.
    pub instance: Instance<'a>,
    inputs: [Reference; 2],
    /// The references of `a` and `F_t`, where the element has them.
    further: [Option<Reference>; 2],
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
        let further = ["a", "F_t"].map(|name| {
            let variable = fmu.description.variables.iter().find(|variable| variable.name == name);
            variable.map(|variable| variable.reference)
        });
        Driven { instance, inputs: [reference("F_N"), reference("v")], further, force: [reference("F_R")] }
    }

    /// An instance with the parameters of a law.
    pub fn by<L: Law>(fmu: &'a Fmu, law: &L) -> Self {
        Self::start(fmu, &law.parameters())
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

    /// As [`step`](Self::step), with every input that the element has.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    pub fn hold(&mut self, contact: judge::Contact, t: f64, h: f64) -> f64 {
        for (reference, value) in self.further.into_iter().zip([contact.a, contact.F_t]) {
            let Some(reference) = reference else { continue };
            let status = self.instance.set_real(&[reference], &[value]);
            self.accept(status);
        }
        self.step(Contact { F_N: contact.F_N, v: contact.v }, t, h)
    }

    /// One cycle of a master that gives its inputs with their derivatives; those that are 0 are left out.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    pub fn follow(&mut self, course: &Polynomial, t: f64, h: f64) -> f64 {
        let [normal_force, v] = self.inputs;
        let [a, tangential_force] = self.further;
        let inputs =
            [(Some(normal_force), course.F_N), (Some(v), course.v), (a, course.a), (tangential_force, course.F_t)];
        for (reference, powers) in inputs {
            let Some(reference) = reference else { continue };
            for (order, value) in (1..).zip(&powers[1..]).filter(|(_, value)| **value != 0.0) {
                let status = self.instance.set_real_input_derivatives(&[reference], &[order], &[*value]);
                self.accept(status);
            }
        }
        self.hold(course.at(0.0), t, h)
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
