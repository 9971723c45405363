//! A planar rig solved in one piece, with a law at each point of contact, and coupled to the FMU of a card.

use crate::case::Case;
use crate::monolithic;
use crate::rows::Row;
use crate::trace::Answer;
use anyhow::{Context, Result};
use bristle::catalogue::{ELEMENTS, Motion, Variant};
use bristle::element::RADIUS;
use bristle_export::{Exporter, card, platform};
use bristle_importer::fmi2::{CO_SIMULATION, Reference};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_rigs::planar::{PlanarRig, PointContacts, Wrench};
use std::path::Path;

/// A rig at one instant.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Time, s.
    pub t: f64,
    /// The states of the rig.
    pub y: Vec<f64>,
    /// Friction on the body: at `t` in one piece, over the step that led there through the FMU.
    pub friction: Wrench,
    /// Stick of each contact; a plate in an FMU has one flag for all its points.
    pub sticking: Vec<bool>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Run(pub Vec<Moment>);

impl Run {
    /// The moment at or right after a time.
    ///
    /// # Panics
    /// If the run ends before.
    pub fn at(&self, t: f64) -> &Moment {
        let place = self.0.partition_point(|now| now.t < t - 1e-9);
        self.0.get(place).unwrap_or_else(|| panic!("the run ends before {t} s"))
    }

    /// First time at which a condition holds, s; not a number where it never does.
    pub fn first(&self, holds: impl Fn(&Moment) -> bool) -> f64 {
        self.0.iter().find(|now| holds(now)).map_or(f64::NAN, |now| now.t)
    }

    /// Largest difference of a state from that of a run with the same samples.
    ///
    /// # Panics
    /// If the samples differ in number.
    pub fn difference(&self, other: &Run, state: usize) -> f64 {
        assert_eq!(self.0.len(), other.0.len());
        self.0.iter().zip(&other.0).map(|(a, b)| (a.y[state] - b.y[state]).abs()).fold(0.0, f64::max)
    }
}

/// A rig solved both ways.
pub struct Both {
    /// In one piece.
    pub one_piece: Run,
    /// Through the FMU, by communication step (s) from the longest to the shortest.
    pub coupled: Vec<(f64, Run)>,
}

impl Both {
    /// Through the FMU in the shortest steps.
    pub fn finest(&self) -> &Run {
        let (_, run) = self.coupled.last().expect("there is a communication step");
        run
    }

    /// A number of the rig with what is expected.
    pub fn row(
        &self,
        source: &'static str,
        what: impl Into<String>,
        unit: &'static str,
        expected: f64,
        allowed: (f64, &'static str),
        number: impl Fn(&Run) -> f64,
    ) -> Row {
        Row {
            source,
            what: what.into(),
            unit,
            expected,
            allowed,
            monolithic: Some(number(&self.one_piece)),
            coupled: Some(number(self.finest())),
            open: false,
        }
    }

    /// Largest difference of a state from the solution in one piece, by communication step.
    pub fn differences(&self, rig: &'static str, state: (&'static str, &'static str, usize)) -> Differences {
        let (name, unit, place) = state;
        let largest = self.coupled.iter().map(|(h, run)| (*h, run.difference(&self.one_piece, place)));
        Differences { rig, state: name, unit, largest: largest.collect() }
    }
}

/// Differences of a state from the solution in one piece.
pub struct Differences {
    /// Name of the rig.
    pub rig: &'static str,
    /// Name of the state.
    pub state: &'static str,
    /// Unit of the state.
    pub unit: &'static str,
    /// Communication step (s) and the largest difference with it.
    pub largest: Vec<(f64, f64)>,
}

impl Differences {
    /// Orders between one communication step and the next.
    pub fn orders(&self) -> Vec<f64> {
        let order = |pair: &[(f64, f64)]| libm::log(pair[0].1 / pair[1].1) / libm::log(pair[0].0 / pair[1].0);
        self.largest.windows(2).map(order).collect()
    }
}

/// Element of a card of `experiments/cards` and its FMU, exported with the library of the packaged FMUs.
pub struct Carded {
    /// Element of the card.
    pub variant: Variant,
    fmu: Fmu,
}

impl Carded {
    /// Exports the card of this name.
    pub fn export(name: &str) -> Result<Self> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cards").join(format!("{name}.toml"));
        let variant = card::read_file(&path, &ELEMENTS)?;
        let library = std::fs::read(Fmu::packaged("FrDyn2").library()).context("cannot read the packaged library")?;
        let mut exporter = Exporter::new();
        exporter.add_library(platform::host()?, &library)?;
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let file = folder.path().join(format!("{name}.fmu"));
        std::fs::write(&file, exporter.export(&variant)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
        let fmu = Fmu::load(&file);
        Ok(Carded { variant, fmu })
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
        let parameters = model.variables().filter(|variable| variable.is_parameter() && !variable.is(&RADIUS));
        let values = parameters.filter_map(|variable| {
            let start = self.variant.all().find(|shown| shown.is(variable))?.start?;
            Some((variable.name, start))
        });
        // A few hundred bytes that live as long as the program, as the parameters of the other cases do.
        Case { entry: model, parameters: values.collect::<Vec<_>>().leak() }
    }

    /// Solves the rig and the equations of a law at each point as one system, from 0 to `end` (s), with samples `dt` (s) apart. Motion,
    /// plate and number of contacts of the card take no part in it.
    pub fn one_piece(&self, rig: &dyn PlanarRig, dt: f64, end: f64) -> Result<Run> {
        let points = PointContacts(rig);
        let trace = monolithic::run(&self.point(), &points, dt, end)?;
        let is_planar = self.variant.card().motion.is_planar();
        let moments = trace.0.into_iter().map(|sample| {
            let components = |answer: &Answer| {
                if is_planar { vec![answer.F_R, answer.F_R_y] } else { vec![answer.F_R] }
            };
            let forces: Vec<f64> = sample.contacts.iter().flat_map(components).collect();
            let sticking = sample.contacts.iter().map(|answer| answer.sticking).collect();
            Moment { t: sample.t, friction: points.wrench(&forces), sticking, y: sample.y }
        });
        Ok(Run(moments.collect()))
    }

    /// Solves the rig both ways, with samples `dt` (s) apart, of which each communication step (s) makes a whole number.
    pub fn both(&self, rig: &dyn PlanarRig, steps: &[f64], dt: f64, end: f64) -> Result<Both> {
        let coupled = steps.iter().map(|h| (*h, self.through_the_fmu(rig, *h, dt, end))).collect();
        Ok(Both { one_piece: self.one_piece(rig, dt, end)?, coupled })
    }

    /// Steps the FMU and the rig in turn, from 0 to `end` (s) in steps of `h` (s), and keeps a sample every `dt` (s).
    ///
    /// # Panics
    /// If the FMU refuses anything.
    pub fn through_the_fmu(&self, rig: &dyn PlanarRig, h: f64, dt: f64, end: f64) -> Run {
        let mut element = Coupled::start(self, rig);
        let mut y = rig.start();
        let (steps, keep) = ((end / h).round() as usize, (dt / h).round().max(1.0) as usize);
        let mut moments = Vec::new();
        for i in 0..steps {
            let t = i as f64 * h;
            let friction = element.step(rig, t, h, &y);
            rig.advance(t, &mut y, h, friction);
            if (i + 1) % keep == 0 {
                let t = (i + 1) as f64 * h;
                moments.push(Moment { t, y: y.clone(), friction, sticking: element.sticking() });
            }
        }
        Run(moments)
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
    fn start(carded: &'a Carded, rig: &dyn PlanarRig) -> Self {
        let card = carded.variant.card();
        let several: Vec<String> = match &card.contacts {
            Some(contacts) => (1..=contacts.count).map(|i| format!("[{i}]")).collect(),
            None => vec![String::new()],
        };
        let of_each = |names: &[&str]| -> Vec<String> {
            several.iter().flat_map(|index| names.iter().map(move |name| format!("{name}{index}"))).collect()
        };
        let points = (1..=rig.contacts()).map(|i| format!("F_N[{i}]"));
        let (inputs, outputs) = match card.motion {
            Motion::Translational => (of_each(&["F_N", "v"]), of_each(&["F_R"])),
            Motion::Rotational => (of_each(&["F_N", "omega"]), of_each(&["M_R"])),
            Motion::Planar => (of_each(&["F_N", "v_x", "v_y"]), of_each(&["F_R_x", "F_R_y"])),
            Motion::Patch => (
                ["v_x", "v_y", "omega"].map(str::to_owned).into_iter().chain(points).collect(),
                ["F_R_x", "F_R_y", "M_R"].map(str::to_owned).into(),
            ),
        };
        let mut instance = carded.fmu.instantiate(CO_SIMULATION);
        for call in [
            |instance: &mut Instance| instance.setup_experiment(None, 0.0, None),
            |instance: &mut Instance| instance.enter_initialization_mode(),
            |instance: &mut Instance| instance.exit_initialization_mode(),
        ] {
            let status = call(&mut instance);
            instance.ok(status);
        }
        let references =
            |names: &[String]| names.iter().map(|name| carded.fmu.description.reference(name)).collect::<Vec<_>>();
        Coupled {
            motion: card.motion,
            values: vec![0.0; inputs.len()],
            inputs: references(&inputs),
            forces: vec![0.0; outputs.len()],
            outputs: references(&outputs),
            flags: of_each(&["sticking"]),
            instance,
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
                self.values.extend([twist.velocity[0], twist.velocity[1], twist.omega]);
                self.values.extend(normal_forces);
            }
            Motion::Planar => self.values.extend(normal_forces.enumerate().flat_map(|(contact, normal_force)| {
                let [v_x, v_y] = twist.at(rig.position(contact));
                [normal_force, v_x, v_y]
            })),
            Motion::Translational => self.values.extend(
                normal_forces.enumerate().flat_map(|(contact, force)| [force, twist.at(rig.position(contact))[0]]),
            ),
        }
        let status = self.instance.set_real(&self.inputs, &self.values);
        self.instance.ok(status);
        let status = self.instance.do_step(t, h);
        self.instance.ok(status);
        let status = self.instance.get_real(&self.outputs, &mut self.forces);
        self.instance.ok(status);
        match self.motion {
            Motion::Rotational => Wrench { force: [0.0; 2], torque: self.forces[0] },
            Motion::Patch => Wrench { force: [self.forces[0], self.forces[1]], torque: self.forces[2] },
            Motion::Planar | Motion::Translational => PointContacts(rig).wrench(&self.forces),
        }
    }

    fn sticking(&mut self) -> Vec<bool> {
        self.flags.iter().map(|name| self.instance.get_flag(name)).collect()
    }
}
