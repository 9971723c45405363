//! Any packaged element as a Co-Simulation master drives it, with the calls of a step apart from
//! each other: inputs with their derivatives, the step alone, outputs by name, and a saved state
//! that is restored as often as needed.

use bristle_importer::fmi2::{FmuState, Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::{Instance, Options};
use bristle_reference_laws::{Contact, Derivatives, InputPolynomials};

/// Names of the inputs, in the order of [`Polynomial`]'s fields.
const INPUTS: [&str; 4] = ["F_N", "v", "a", "F_t"];

/// An initialised Co-Simulation instance of any element, without debug logging.
#[derive(Debug)]
pub struct Element<'a> {
    /// The instance.
    pub instance: Instance<'a>,
    /// References of [`INPUTS`], where the element has them.
    inputs: [Option<Reference>; 4],
    /// Reference of `F_R`, where the element has it.
    force: Option<Reference>,
    /// Communication point, s.
    pub t: f64,
    saved: FmuState,
    saved_t: f64,
}

impl<'a> Element<'a> {
    /// Instance with these parameters and start values, initialised at t = 0 without an end.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    pub fn start(fmu: &'a Fmu, values: &[(&str, f64)], tolerance: Option<f64>) -> Self {
        let options = Options {
            logging_on: false,
            ..Options::of(fmu)
        };
        let mut instance = fmu.try_instantiate(&options).expect("an instance");
        let status = instance.setup_experiment(tolerance, 0.0, None);
        instance.ok(status);
        for (name, value) in values {
            match &*fmu.description.variable(name).kind {
                "Real" => instance.set(name, *value),
                _ => instance.set_whole(name, *value as i32),
            }
        }
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        let status = instance.exit_initialization_mode();
        instance.ok(status);
        let reference = |name| {
            let found = fmu
                .description
                .variables
                .iter()
                .find(|variable| variable.name == name);
            found.map(|variable| variable.reference)
        };
        let (inputs, force) = (INPUTS.map(reference), reference("F_R"));
        Element {
            instance,
            inputs,
            force,
            t: 0.0,
            saved: FmuState::NULL,
            saved_t: 0.0,
        }
    }

    /// A cycle of a master: F_R at the end of a step of `h` (s) with held F_N and v; NaN where the
    /// FMU refuses the step.
    #[inline]
    pub fn step(&mut self, contact: Contact, h: f64) -> f64 {
        let ([Some(normal_force), Some(v), ..], Some(force)) = (self.inputs, self.force) else {
            return f64::NAN;
        };
        let given = self
            .instance
            .set_real(&[normal_force, v], &[contact.F_N, contact.v]);
        let mut value = [f64::NAN];
        let status = given
            .max(self.do_step(h))
            .max(self.instance.get_real(&[force], &mut value));
        if status > Status::Warning {
            f64::NAN
        } else {
            value[0]
        }
    }

    /// Sets the inputs of a contact, as far as the element has them, with their derivatives up to
    /// `order`.
    pub fn set_inputs(&mut self, inputs: &InputPolynomials, order: usize) -> Status {
        let powers = [inputs.F_N, inputs.v, inputs.a, inputs.F_t];
        let given = self.inputs.into_iter().zip(powers);
        self.set_polynomials(
            given.filter_map(|(reference, powers)| Some((reference?, powers))),
            order,
        )
    }

    /// Sets these inputs with their derivatives up to `order`.
    pub fn set_polynomials(
        &mut self,
        inputs: impl Iterator<Item = (Reference, Derivatives)>,
        order: usize,
    ) -> Status {
        inputs.fold(
            Status::OK,
            |status, (reference, [value, derivatives @ ..])| {
                let status = status.max(self.instance.set_real(&[reference], &[value]));
                if order == 0 {
                    return status;
                }
                let (references, orders) = ([reference; 3], [1, 2, 3]);
                let (references, orders) = (&references[..order], &orders[..order]);
                status.max(self.instance.set_real_input_derivatives(
                    references,
                    orders,
                    &derivatives[..order],
                ))
            },
        )
    }

    /// `fmi2DoStep` of `h` (s), and nothing else.
    #[inline]
    pub fn do_step(&mut self, h: f64) -> Status {
        let status = self.instance.do_step(self.t, h);
        if status <= Status::Warning {
            self.t += h;
        }
        status
    }

    /// Saves the FMU state, into the memory of the state before.
    ///
    /// # Panics
    /// If the FMU refuses.
    pub fn save(&mut self) {
        let status = self.instance.get_fmu_state(&mut self.saved);
        self.instance.ok(status);
        self.saved_t = self.t;
    }

    /// Restores the saved FMU state.
    ///
    /// # Panics
    /// If the FMU refuses, or nothing was saved.
    pub fn restore(&mut self) {
        let status = self.instance.set_fmu_state(self.saved);
        self.instance.ok(status);
        self.t = self.saved_t;
    }

    /// Names and values of all local variables: states, their derivatives and modes.
    pub fn states(&mut self) -> Vec<(&'a str, f64)> {
        let variables = &self.instance.fmu().description.variables;
        let local = variables
            .iter()
            .filter(|variable| variable.causality == "local");
        local
            .map(|variable| (&*variable.name, self.instance.get_any(&variable.name)))
            .collect()
    }
}

impl Drop for Element<'_> {
    fn drop(&mut self) {
        if self.saved != FmuState::NULL {
            let status = self.instance.free_fmu_state(&mut self.saved);
            debug_assert_eq!(status, Status::OK);
        }
    }
}
