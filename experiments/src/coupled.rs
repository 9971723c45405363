//! A rig coupled to the packaged FMU as a multibody code couples one: serial, the FMU first, values
//! held over each communication step.

use crate::case::Case;
use crate::trace::{Answer, Sample, Trace};
use anyhow::{Context, Result};
use bristle::catalogue::{Card, Model, Variant};
use bristle::element::{F_N, F_R, STICKING, V};
use bristle::law::{A, Contact, F_T};
use bristle_export::{Exporter, platform};
use bristle_importer::fmi2::{CO_SIMULATION, Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_rigs::Rig;

/// An FMU under one contact of a rig.
pub struct Element<'a> {
    instance: Instance<'a>,
    inputs: Vec<Reference>,
    values: Vec<f64>,
    deflection: Option<Reference>,
    /// F_R is not the law's own force.
    has_observer: bool,
}

impl<'a> Element<'a> {
    /// An initialised instance of the case.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    pub fn start(fmu: &'a Fmu, case: &Case) -> Self {
        let instance = initialized(fmu, case.parameters);
        let further = [A, F_T]
            .into_iter()
            .filter(|input| case.entry.variable(input.reference).is_some());
        let inputs: Vec<_> = [F_N, V]
            .into_iter()
            .chain(further)
            .map(|input| input.reference)
            .collect();
        let deflection = case
            .entry
            .metadata
            .states
            .first()
            .map(|(state, _)| state.reference);
        let has_observer = case
            .parameters
            .iter()
            .any(|(name, value)| *name == "m_eff" && *value > 0.0);
        Element {
            has_observer,
            instance,
            values: vec![0.0; inputs.len()],
            inputs,
            deflection,
        }
    }

    /// One cycle of a master.
    ///
    /// # Panics
    /// If the FMU refuses any of it.
    pub fn step(&mut self, contact: Contact, t: f64, h: f64) -> f64 {
        for (value, reference) in self.values.iter_mut().zip(&self.inputs) {
            *value = match *reference {
                reference if reference == F_N.reference => contact.F_N,
                reference if reference == V.reference => contact.v,
                reference if reference == A.reference => contact.a,
                _ => contact.F_t,
            };
        }
        let status = self.instance.set_real(&self.inputs, &self.values);
        self.accept(status);
        let status = self.instance.do_step(t, h);
        self.accept(status);
        let mut force = [f64::NAN];
        let status = self.instance.get_real(&[F_R.reference], &mut force);
        self.accept(status);
        force[0]
    }

    fn accept(&self, status: Status) {
        if status > Status::Warning {
            self.instance.ok(status);
        }
    }

    fn answer(&mut self, contact: Contact, force: f64) -> Answer {
        let sticking = self.instance.get_flag(STICKING.name);
        let law = if self.has_observer {
            self.instance.get("F_law")
        } else {
            force
        };
        let mut z = [0.0];
        if let Some(reference) = self.deflection {
            let status = self.instance.get_real(&[reference], &mut z);
            self.accept(status);
        }
        Answer {
            contact,
            F_R: force,
            F_R_y: 0.0,
            F_law: law,
            sticking,
            z: z[0],
        }
    }
}

/// FMU of a law with every output, among them the law's own force beside that of an observer.
pub fn with_all_outputs(entry: &'static Model) -> Result<Fmu> {
    let mut card = Card::of_law(entry.metadata.name, "");
    card.show_all(entry);
    load(&Variant::new(entry, card)?)
}

/// FMU of an element, exported with the library of the packaged FMUs, and loaded.
pub fn load(variant: &Variant) -> Result<Fmu> {
    let library = std::fs::read(Fmu::packaged("FrDyn2").library())
        .context("cannot read the packaged library")?;
    let mut exporter = Exporter::new();
    exporter.add_library(platform::host()?, &library)?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let file = folder.path().join(format!("{}.fmu", variant.name()));
    std::fs::write(&file, exporter.export(variant)?)
        .with_context(|| format!("cannot write {}", file.display()))?;
    Ok(Fmu::load(&file))
}

/// An instance with these parameters, initialised at t = 0 without tolerance and end.
///
/// # Panics
/// If the FMU refuses any of it.
pub fn initialized<'a>(fmu: &'a Fmu, parameters: &[(&str, f64)]) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.setup_experiment(None, 0.0, None);
    instance.ok(status);
    for (name, value) in parameters {
        match &*fmu.description.variable(name).kind {
            "Real" => instance.set(name, *value),
            _ => instance.set_whole(name, *value as i32),
        }
    }
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

/// Runs a rig with an FMU under each contact from 0 to `end` (s) in steps of `h` (s), and keeps
/// every `keep`-th sample.
///
/// A sample holds the state at a communication point and the forces of the step that led there,
/// with what the elements saw at its start.
///
/// # Panics
/// If the FMU refuses anything.
pub fn run(fmu: &Fmu, case: &Case, rig: &dyn Rig, h: f64, end: f64, keep: usize) -> Trace {
    let contacts = rig.contacts();
    let mut elements: Vec<_> = (0..contacts).map(|_| Element::start(fmu, case)).collect();
    let mut y = rig.start();
    let mut friction = vec![0.0; contacts];
    let mut seen = vec![Contact::ZERO; contacts];
    let mut trace = Trace::default();
    let steps = (end / h).round() as usize;
    for i in 0..steps {
        let t = i as f64 * h;
        for (k, element) in elements.iter_mut().enumerate() {
            let mut contact = rig.contact(t, &y, k);
            // The acceleration over the last step, and the force that brings the body to rest
            // within this one.
            contact.a = if i == 0 {
                0.0
            } else {
                (contact.v - seen[k].v) / h
            };
            contact.F_t += rig.mass(k) * contact.v / h;
            friction[k] = element.step(contact, t, h);
            seen[k] = contact;
        }
        rig.advance(t, &mut y, h, &friction);
        if (i + 1) % keep == 0 || i + 1 == steps {
            let answers = elements
                .iter_mut()
                .zip(&seen)
                .zip(&friction)
                .map(|((e, seen), f)| e.answer(*seen, *f));
            let contacts = answers.collect();
            trace.0.push(Sample {
                t: (i + 1) as f64 * h,
                y: y.clone(),
                contacts,
            });
        }
    }
    trace
}

/// One instant of a prescribed motion.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Time, s.
    pub t: f64,
    /// Contact velocity, m/s.
    pub v: f64,
    /// Displacement: the integral of v, m.
    pub x: f64,
    /// Friction force, N.
    pub F_R: f64,
}

/// Moves a contact with the normal force `normal_force` (N) at `velocity` (m/s over s) from 0 to
/// `end` (s) in steps of `h` (s). Over each step the velocity is held at that of its middle, so
/// that the curve is neither early nor late.
///
/// # Panics
/// If the FMU refuses anything.
pub fn move_contact(
    case: &Case,
    normal_force: f64,
    velocity: &dyn Fn(f64) -> f64,
    h: f64,
    end: f64,
) -> Vec<Moved> {
    let fmu = Fmu::packaged(case.name());
    let mut element = Element::start(&fmu, case);
    let mut x = 0.0;
    (0..(end / h).round() as usize)
        .map(|i| {
            let start = i as f64 * h;
            let t = start + 0.5 * h;
            let v = velocity(t);
            let a = (velocity(start + h) - velocity(start)) / h;
            x += v * h;
            Moved {
                t: start + h,
                v,
                x,
                F_R: element.step(
                    Contact {
                        a,
                        ..Contact::new(normal_force, v)
                    },
                    start,
                    h,
                ),
            }
        })
        .collect()
}
