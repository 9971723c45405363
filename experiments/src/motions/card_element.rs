//! The element of a card under a planar rig: its law at each point of contact monolithically, or
//! its FMU.

use super::run::{Both, Run, Sample};
use crate::case::Case;
use crate::trace::Answer;
use crate::{coupled, monolithic};
use anyhow::Result;
use bristle::catalogue::{ELEMENTS, Motion, Variant};
use bristle::element::RADIUS;
use bristle_export::card;
use bristle_importer::fmi2::Reference;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_rigs::planar::{PlanarRig, PointContacts, Wrench};
use std::path::Path;

/// Element of a card of `experiments/cards` and its FMU, exported with the library of the packaged
/// FMUs.
pub struct CardElement {
    /// Element of the card.
    pub variant: Variant,
    fmu: Fmu,
}

/// Element of the card of this name.
pub fn read(name: &str) -> Result<Variant> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("cards")
        .join(format!("{name}.toml"));
    Ok(card::read_file(&path, &ELEMENTS)?)
}

impl CardElement {
    /// Exports the card of this name.
    pub fn export(name: &str) -> Result<Self> {
        let variant = read(name)?;
        let fmu = coupled::load(&variant)?;
        Ok(CardElement { variant, fmu })
    }

    /// Start value of a parameter.
    ///
    /// # Panics
    /// If the element has none of this name.
    pub fn parameter(&self, name: &str) -> f64 {
        let start = self.variant.find(name).and_then(|variable| variable.start);
        start.unwrap_or_else(|| panic!("{} has no parameter {name}", self.variant.name()))
    }

    /// The law with the card's parameters at one point of contact: along a line, or in the plane.
    fn point(&self) -> Case {
        let model = self.variant.model;
        let parameters = model
            .variables()
            .filter(|variable| variable.is_parameter() && !variable.is(&RADIUS));
        let values = parameters.filter_map(|variable| {
            let start = self.variant.all().find(|shown| shown.is(variable))?.start?;
            Some((variable.name, start))
        });
        // A few hundred bytes that live as long as the program, as the parameters of the other
        // cases do.
        Case {
            entry: model,
            parameters: values.collect::<Vec<_>>().leak(),
        }
    }

    /// Solves the rig and the equations of a law at each point as one system, from 0 to `end` (s),
    /// with samples `dt` (s) apart. Motion, plate and number of contacts of the card take no part
    /// in it.
    pub fn monolithic(&self, rig: &dyn PlanarRig, dt: f64, end: f64) -> Result<Run> {
        let points = PointContacts(rig);
        let trace = monolithic::run(&self.point(), &points, dt, end)?;
        let is_planar = self.variant.card().motion.is_planar();
        let samples = trace.0.into_iter().map(|sample| {
            let components = |answer: &Answer| {
                if is_planar {
                    vec![answer.F_R, answer.F_R_y]
                } else {
                    vec![answer.F_R]
                }
            };
            let forces: Vec<f64> = sample.contacts.iter().flat_map(components).collect();
            let sticking = sample
                .contacts
                .iter()
                .map(|answer| answer.sticking)
                .collect();
            Sample {
                t: sample.t,
                friction: points.wrench(&forces),
                sticking,
                y: sample.y,
            }
        });
        Ok(Run(samples.collect()))
    }

    /// Solves the rig both ways, with samples `dt` (s) apart, of which each communication step (s)
    /// makes a whole number.
    pub fn both(&self, rig: &dyn PlanarRig, steps: &[f64], dt: f64, end: f64) -> Result<Both> {
        let coupled = steps
            .iter()
            .map(|h| (*h, self.through_the_fmu(rig, *h, dt, end)))
            .collect();
        Ok(Both {
            monolithic: self.monolithic(rig, dt, end)?,
            coupled,
        })
    }

    /// Steps the FMU and the rig in turn, from 0 to `end` (s) in steps of `h` (s), and keeps a
    /// sample every `dt` (s).
    ///
    /// # Panics
    /// If the FMU refuses anything.
    pub fn through_the_fmu(&self, rig: &dyn PlanarRig, h: f64, dt: f64, end: f64) -> Run {
        let mut element = Coupled::start(self, rig);
        let mut y = rig.start();
        let (steps, keep) = (
            (end / h).round() as usize,
            (dt / h).round().max(1.0) as usize,
        );
        let mut samples = Vec::new();
        for i in 0..steps {
            let t = i as f64 * h;
            let friction = element.step(rig, t, h, &y);
            rig.advance(t, &mut y, h, friction);
            if (i + 1) % keep == 0 {
                let t = (i + 1) as f64 * h;
                samples.push(Sample {
                    t,
                    y: y.clone(),
                    friction,
                    sticking: element.sticking(),
                });
            }
        }
        Run(samples)
    }
}

/// Instance of an FMU under a body, with the value references of its motion.
struct Coupled<'a> {
    instance: Instance<'a>,
    motion: Motion,
    inputs: Vec<Reference>,
    values: Vec<f64>,
    outputs: Vec<Reference>,
    forces: Vec<f64>,
    flags: Vec<String>,
}

impl<'a> Coupled<'a> {
    fn start(element: &'a CardElement, rig: &dyn PlanarRig) -> Self {
        let card = element.variant.card();
        let several: Vec<String> = match &card.contacts {
            Some(contacts) => (1..=contacts.count).map(|i| format!("[{i}]")).collect(),
            None => vec![String::new()],
        };
        let of_each = |names: &[&str]| -> Vec<String> {
            several
                .iter()
                .flat_map(|index| names.iter().map(move |name| format!("{name}{index}")))
                .collect()
        };
        let points = (1..=rig.contacts()).map(|i| format!("F_N[{i}]"));
        let (inputs, outputs) = match card.motion {
            Motion::Rotational => (of_each(&["F_N", "omega"]), of_each(&["M_R"])),
            // No card of this folder is translational.
            Motion::Planar | Motion::Translational => (
                of_each(&["F_N", "v_x", "v_y"]),
                of_each(&["F_R_x", "F_R_y"]),
            ),
            Motion::Patch => (
                ["v_x", "v_y", "omega"]
                    .map(str::to_owned)
                    .into_iter()
                    .chain(points)
                    .collect(),
                ["F_R_x", "F_R_y", "M_R"].map(str::to_owned).into(),
            ),
        };
        let references = |names: &[String]| {
            names
                .iter()
                .map(|name| element.fmu.description.reference(name))
                .collect::<Vec<_>>()
        };
        Coupled {
            motion: card.motion,
            values: vec![0.0; inputs.len()],
            inputs: references(&inputs),
            forces: vec![0.0; outputs.len()],
            outputs: references(&outputs),
            flags: of_each(&["sticking"]),
            instance: coupled::initialized(&element.fmu, &[]),
        }
    }

    /// One cycle of a master; the friction on the body.
    fn step(&mut self, rig: &dyn PlanarRig, t: f64, h: f64, y: &[f64]) -> Wrench {
        let twist = rig.twist(y);
        let normal_forces = (0..rig.contacts()).map(|contact| rig.normal_force(t, contact));
        self.values.clear();
        match self.motion {
            Motion::Rotational => self.values.extend([rig.normal_force(t, 0), twist.omega]),
            Motion::Patch => {
                self.values
                    .extend([twist.velocity[0], twist.velocity[1], twist.omega]);
                self.values.extend(normal_forces);
            }
            Motion::Planar | Motion::Translational => {
                self.values.extend(normal_forces.enumerate().flat_map(
                    |(contact, normal_force)| {
                        let [v_x, v_y] = twist.at(rig.position(contact));
                        [normal_force, v_x, v_y]
                    },
                ));
            }
        }
        let status = self.instance.set_real(&self.inputs, &self.values);
        self.instance.ok(status);
        let status = self.instance.do_step(t, h);
        self.instance.ok(status);
        let status = self.instance.get_real(&self.outputs, &mut self.forces);
        self.instance.ok(status);
        match self.motion {
            Motion::Rotational => Wrench {
                force: [0.0; 2],
                torque: self.forces[0],
            },
            Motion::Patch => Wrench {
                force: [self.forces[0], self.forces[1]],
                torque: self.forces[2],
            },
            Motion::Planar | Motion::Translational => PointContacts(rig).wrench(&self.forces),
        }
    }

    fn sticking(&mut self) -> Vec<bool> {
        self.flags
            .iter()
            .map(|name| self.instance.get_flag(name))
            .collect()
    }
}
