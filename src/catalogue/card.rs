//! Element card: the changes of a model that make an element of a user's own.
//!
//! A stock element is the card with nothing but the law's name. Variables are named by their
//! references in a contact, which are stable.

use super::level::{self, Level, level_parameter};
use super::{CardBlock, CardBody, CardSystem, Model, Motion, outputs};
use crate::characteristic::{End, Measured, RowFault, Signed};
use crate::coupling::{COUPLING, F_LAW, M_EFF, Mobility};
use crate::element::{DEFAULT_TOLERANCE, F_N, F_N_OF_REACTIONS, LossRow, RADIUS, Reactions};
use crate::law::NOMINAL_FORCE;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{BACKWARD, InputError, Units, Variable, slot};
use std::collections::{BTreeMap, BTreeSet};

/// Longest name of an element, characters: with its extension and folder it fits the paths of every
/// system.
pub const MAX_NAME: usize = 64;

/// Element card.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    /// Name of the element, a C identifier.
    pub name: String,
    /// Description of the element, one line.
    pub description: String,
    /// Name of the law.
    pub law: String,
    /// Motion of the contacts.
    pub motion: Motion,
    /// Forces or torques of friction in place of a normal force, of contacts along a line or about
    /// an axis. Settings are then those of the joint's variables.
    pub level: Option<Level>,
    /// Losses of the gear of a joint over its speed; empty where it has none or has two factors.
    pub losses: Vec<LossRow>,
    /// Reactions of the joint, from which the normal force follows.
    pub reactions: Option<Reactions>,
    /// Units of the variables of the FMU. The settings of the card are in SI units.
    pub units: Units,
    /// Several contacts; `None` for one, and for the points of a plate.
    pub contacts: Option<Contacts>,
    /// Points of a plate, of the motion [`Motion::Patch`] only.
    pub plate: Option<PlatePoints>,
    /// Body that the contacts act on, where one observer is to move them all.
    pub body: Option<CardBody>,
    /// Body inside the element, on its only contact.
    pub block: Option<CardBlock>,
    /// Bodies inside the element, with springs and gears.
    pub system: Option<CardSystem>,
    /// Whether each contact has its acceleration as an input, for the observer of the body.
    pub acceleration: bool,
    /// Nominal normal force of a contact, N: defaults that are forces, or forces over a
    /// displacement or a velocity, and the absolute tolerance are those of a contact of
    /// [`NOMINAL_FORCE`] times its ratio to that.
    pub normal_force: f64,
    /// Measured characteristic, in place of the parameters that it replaces.
    pub characteristic: Option<MeasuredCurve>,
    /// Start values and bounds of parameters, by reference.
    pub parameters: BTreeMap<u32, Setting>,
    /// References of parameters that are inputs.
    pub inputs: BTreeSet<u32>,
    /// References of parameters that are not shown.
    pub fixed: BTreeSet<u32>,
    /// References of the outputs that are shown; empty for those of [`Card::shows_by_default`].
    pub outputs: BTreeSet<u32>,
    /// Default experiment.
    pub experiment: Experiment,
}

/// Several contacts of one FMU.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    /// Number of contacts.
    pub count: u32,
    /// Names, one for each contact; empty where they are counted from 1.
    pub names: Vec<String>,
    /// References of the parameters that every contact has for itself; the others are shared.
    pub each: BTreeSet<u32>,
}

/// Measured characteristic of a card.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeasuredCurve {
    /// Velocity (m/s) and coefficient of friction, by rising velocity; without velocities below 0
    /// for both directions.
    pub points: Vec<[f64; 2]>,
    /// Slope at the last point.
    pub end: End,
}

impl MeasuredCurve {
    /// Whether the points have a curve of their own for v < 0.
    pub fn is_signed(&self) -> bool {
        self.points.iter().any(|[v, _]| *v < 0.0)
    }

    /// Curves through the points, or all faults of the rows.
    pub fn measured(&self) -> Result<Signed<&'static Measured>, Vec<RowFault>> {
        // Descending speeds of the motion backward come first.
        let count = self.points.iter().take_while(|[v, _]| *v < 0.0).count();
        let (against, along) = self.points.split_at(count);
        let row_of = |row: &dyn Fn(usize) -> usize, faults: Vec<RowFault>| -> Vec<RowFault> {
            faults
                .into_iter()
                .map(|fault| RowFault {
                    row: row(fault.row),
                    ..fault
                })
                .collect()
        };
        let forward =
            Measured::shared(along, self.end).map_err(|faults| row_of(&|row| row + count, faults));
        if count == 0 {
            return forward.map(Signed::even);
        }
        let mirrored: Vec<_> = against.iter().rev().map(|[v, mu]| [-v, *mu]).collect();
        let last = |row: usize| count.saturating_sub(row + 1);
        let backward =
            Measured::shared(&mirrored, self.end).map_err(|faults| row_of(&last, faults));
        match (forward, backward) {
            (Ok(forward), Ok(backward)) => Ok(Signed { forward, backward }),
            (forward, backward) => Err([backward, forward]
                .into_iter()
                .filter_map(Result::err)
                .flatten()
                .collect()),
        }
    }
}

/// Points on which a plate lies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlatePoints {
    /// Positions in the plate's axes, m.
    pub positions: Vec<[f64; 2]>,
    /// Share of the plate's normal force that each point carries; empty where each point has a
    /// normal force of its own.
    pub shares: Vec<f64>,
}

/// Start value and bounds of a parameter; `None` is the law's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Setting {
    /// Start value.
    pub start: Option<f64>,
    /// Smallest value.
    pub min: Option<f64>,
    /// Largest value.
    pub max: Option<f64>,
}

/// Default experiment of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experiment {
    /// Stop time, s.
    pub stop_time: f64,
    /// Communication step, s.
    pub step_size: f64,
    /// Error of F_R relative to F_s, also where the importer gives no tolerance.
    pub tolerance: f64,
}

impl Default for Experiment {
    fn default() -> Self {
        Experiment {
            stop_time: 1.0,
            step_size: 1e-4,
            tolerance: DEFAULT_TOLERANCE,
        }
    }
}

impl Card {
    /// Card of a law without any change.
    pub fn of_law(law: &str, description: &str) -> Self {
        Card {
            name: law.to_owned(),
            description: description.to_owned(),
            law: law.to_owned(),
            motion: Motion::default(),
            level: None,
            losses: Vec::new(),
            reactions: None,
            units: Units::default(),
            contacts: None,
            plate: None,
            body: None,
            block: None,
            system: None,
            acceleration: false,
            normal_force: NOMINAL_FORCE,
            characteristic: None,
            parameters: BTreeMap::new(),
            inputs: BTreeSet::new(),
            fixed: BTreeSet::new(),
            outputs: BTreeSet::new(),
            experiment: Experiment::default(),
        }
    }

    /// Variable of a law with its default and its nominal value for the card's normal force, or
    /// its level.
    pub fn scaled(&self, declared: &Variable) -> Variable {
        let size = match self.level {
            Some(level) => level.size,
            None => self.normal_force / NOMINAL_FORCE,
        };
        let follows =
            declared.unit.is_of_force() && !declared.is_of_block() && !self.is_constant(declared);
        if size == 1.0 || !follows {
            return *declared;
        }
        let scaled = |number: Option<f64>| number.map(|number| number * size);
        Variable {
            start: scaled(declared.start),
            nominal: scaled(declared.nominal),
            ..*declared
        }
    }

    /// Form of a law for the card: in the plane, or with a body inside, where that is another one.
    pub fn form(&self, law: &'static Model) -> Option<&'static Model> {
        let of_motion = self.motion.model(law)?;
        let inside = of_motion.inside.filter(|_| self.has_bodies());
        Some(inside.unwrap_or(of_motion))
    }

    /// Declaration of a law's variable in the card's motion, and in a joint whose level it states.
    pub fn declared(&self, variable: &'static Variable) -> &'static Variable {
        let of_motion = self.motion.declared(variable);
        match &self.level {
            Some(level) => level::declared(level, self.motion, of_motion),
            None if self.reactions.is_some() && of_motion.is(&F_N) => &F_N_OF_REACTIONS,
            None => of_motion,
        }
    }

    /// Parameters of a law that may differ by direction: for v > 0 and for v < 0.
    pub fn directed(&self, model: &Model) -> Vec<[&'static Variable; 2]> {
        let of_card = |pair: &'static [Variable; 2]| pair.each_ref().map(|v| self.declared(v));
        model.metadata.directed.iter().map(of_card).collect()
    }

    /// Takes the size of a stated level from the value that the card gives it, or its measured
    /// friction at the lowest speed.
    pub fn measure_level(&mut self, model: &'static Model) {
        let (Some(_), Some(parameter)) = (&self.level, level_parameter(model)) else {
            return;
        };
        let given = self.parameters.get(&parameter.reference);
        // The friction at the lowest speed of a curve, of the larger direction.
        let of_curve = |curve: &MeasuredCurve| {
            let slowest = curve.points.iter().map(|[v, _]| v.abs()).reduce(f64::min)?;
            let at_slowest = curve.points.iter().filter(|[v, _]| v.abs() == slowest);
            at_slowest
                .map(|[_, friction]| friction.abs())
                .reduce(f64::max)
        };
        let value = given
            .and_then(|setting| setting.start)
            .or(self.characteristic.as_ref().and_then(of_curve));
        let size = value.zip(self.declared(parameter).start);
        let size = size.map_or(1.0, |(value, default)| value / default);
        self.normal_force = 1.0;
        self.level.iter_mut().for_each(|level| level.size = size);
    }

    /// Whether a variable is a parameter of the card: also the normal force that it gives a value.
    pub fn has_parameter(&self, variable: &Variable) -> bool {
        variable.is_parameter() || self.states_normal_force() && variable.is(&F_N)
    }

    /// Whether the card gives the normal force a value, in place of an input.
    pub fn states_normal_force(&self) -> bool {
        self.level.is_none() && self.gives(F_N.reference)
    }

    /// Whether the card states torques of friction, about an axis, in place of a normal force.
    pub fn states_torques(&self) -> bool {
        self.level.is_some() && self.motion == Motion::Rotational
    }

    /// Whether a variable of a joint has the same value always: its normal force and its radius.
    pub fn is_constant(&self, variable: &Variable) -> bool {
        self.level
            .is_some_and(|level| variable.is(&RADIUS) || variable.is(&F_N) && !level.has_load)
    }

    /// Whether bodies are inside the element.
    pub fn has_bodies(&self) -> bool {
        self.block.is_some() || self.system.is_some()
    }

    /// Whether a parameter has one value for v > 0 and one for v < 0: the card gives the latter.
    pub fn is_by_direction(&self, parameter: &Variable) -> bool {
        self.gives(parameter.reference + BACKWARD)
    }

    /// Whether the card gives a parameter of a contact a value.
    pub fn gives(&self, reference: u32) -> bool {
        let mut settings = self
            .parameters
            .iter()
            .filter(|(given, _)| slot(**given) == slot(reference));
        settings.any(|(_, setting)| setting.start.is_some())
    }

    /// Number of contacts: of points, of a plate.
    pub fn contact_count(&self) -> u32 {
        let points = self
            .plate
            .as_ref()
            .map(|plate| plate.positions.len() as u32);
        points
            .or(self.contacts.as_ref().map(|contacts| contacts.count))
            .unwrap_or(1)
    }

    /// Lists every output that a law's form for the card's motion has.
    pub fn show_all(&mut self, model: &'static Model) {
        self.outputs = outputs(model, self)
            .iter()
            .map(|output| output.reference)
            .collect();
    }

    /// Whether an output is shown.
    pub fn shows(&self, output: &Variable) -> bool {
        if self.outputs.is_empty() || self.system.is_some() && output.is_of_block() {
            self.shows_by_default(output)
        } else {
            self.outputs.contains(&(output.slot() as u32))
        }
    }

    /// Whether a card without a list of outputs shows this one: those of the coupling only where it
    /// gives a body, a mass or a scheme.
    pub fn shows_by_default(&self, output: &Variable) -> bool {
        let each = self.contacts.iter().flat_map(|contacts| &contacts.each);
        let mut given = self.parameters.keys().chain(&self.inputs).chain(each);
        let is_of_coupling =
            |reference: &u32| [M_EFF.slot(), COUPLING.slot()].contains(&slot(*reference));
        output.slot() < F_LAW.slot()
            || output.is_of_block()
            || self.body.is_some()
            || self.acceleration
            || given.any(is_of_coupling)
    }

    /// Mobility of a body at the contacts of the card; or a sentence that says what is impossible.
    pub fn mobility(&self, body: &CardBody) -> Result<Mobility, InputError> {
        let points = self
            .plate
            .as_ref()
            .map_or(&[][..], |plate| &plate.positions);
        body.mobility(self.motion, self.contact_count() as usize, points)
    }

    /// The byte form, which a library and the fingerprint hold.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut measure = Writer::new(&mut []);
        self.write(&mut measure);
        let mut bytes = vec![0; measure.length()];
        self.write(&mut Writer::new(&mut bytes));
        bytes
    }

    /// Reads the byte form; `None` where the bytes are none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Card::read(&mut reader).filter(|_| reader.is_at_end())
    }
}

impl SavedState for Card {
    fn write(&self, writer: &mut Writer) {
        // Without `..`: a new field does not compile until it is written.
        let Card {
            name,
            description,
            law,
            motion,
            level,
            losses,
            reactions,
            units,
            contacts,
            plate,
            body,
            block,
            system,
            acceleration,
            normal_force,
            characteristic,
            parameters,
            inputs,
            fixed,
            outputs,
            experiment,
        } = self;
        normal_force.write(writer);
        [name, description, law]
            .into_iter()
            .for_each(|text| write_text(writer, text));
        whole(
            writer,
            Motion::ALL
                .iter()
                .position(|known| known == motion)
                .unwrap_or(0),
        );
        level.write(writer);
        whole(writer, losses.len());
        losses.iter().for_each(|row| row.write(writer));
        reactions.write(writer);
        units.write(writer);
        contacts.write(writer);
        plate.write(writer);
        characteristic.write(writer);
        whole(writer, parameters.len());
        for (reference, Setting { start, min, max }) in parameters {
            writer.bytes(&reference.to_le_bytes());
            [start, min, max]
                .into_iter()
                .for_each(|number| write_optional(writer, *number));
        }
        [inputs, fixed, outputs]
            .into_iter()
            .for_each(|references| write_references(writer, references));
        let Experiment {
            stop_time,
            step_size,
            tolerance,
        } = experiment;
        [*stop_time, *step_size, *tolerance].write(writer);
        acceleration.write(writer);
        body.write(writer);
        block.write(writer);
        system.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let normal_force = reader.number()?;
        let [name, description, law] = [text(reader)?, text(reader)?, text(reader)?];
        let motion = *Motion::ALL.get(read_whole(reader)? as usize)?;
        let level = SavedState::read(reader)?;
        let mut losses = Vec::new();
        for _ in 0..read_whole(reader)? {
            losses.push(SavedState::read(reader)?);
        }
        let reactions = SavedState::read(reader)?;
        let units = SavedState::read(reader)?;
        let contacts = SavedState::read(reader)?;
        let plate = SavedState::read(reader)?;
        let characteristic = SavedState::read(reader)?;
        let mut parameters = BTreeMap::new();
        for _ in 0..read_whole(reader)? {
            let reference = read_whole(reader)?;
            let [start, min, max] = [optional(reader)?, optional(reader)?, optional(reader)?];
            parameters.insert(reference, Setting { start, min, max });
        }
        let [inputs, fixed, outputs] = [
            references(reader)?,
            references(reader)?,
            references(reader)?,
        ];
        let [stop_time, step_size, tolerance] = SavedState::read(reader)?;
        let experiment = Experiment {
            stop_time,
            step_size,
            tolerance,
        };
        let acceleration = SavedState::read(reader)?;
        let body = SavedState::read(reader)?;
        let block = SavedState::read(reader)?;
        let system = SavedState::read(reader)?;
        Some(Card {
            name,
            description,
            law,
            motion,
            level,
            losses,
            reactions,
            units,
            contacts,
            plate,
            body,
            block,
            system,
            acceleration,
            normal_force,
            characteristic,
            parameters,
            inputs,
            fixed,
            outputs,
            experiment,
        })
    }
}

impl SavedState for Contacts {
    fn write(&self, writer: &mut Writer) {
        let Contacts { count, names, each } = self;
        whole(writer, *count as usize);
        whole(writer, names.len());
        names.iter().for_each(|name| write_text(writer, name));
        write_references(writer, each);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let count = read_whole(reader)?;
        let names = (0..read_whole(reader)?)
            .map(|_| text(reader))
            .collect::<Option<_>>()?;
        Some(Contacts {
            count,
            names,
            each: references(reader)?,
        })
    }
}

impl SavedState for MeasuredCurve {
    fn write(&self, writer: &mut Writer) {
        write_list(writer, &self.points);
        (self.end == End::Last).write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let points = list(reader)?;
        let end = if bool::read(reader)? {
            End::Last
        } else {
            End::Flat
        };
        Some(MeasuredCurve { points, end })
    }
}

impl SavedState for PlatePoints {
    fn write(&self, writer: &mut Writer) {
        write_list(writer, &self.positions);
        write_list(writer, &self.shares);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(PlatePoints {
            positions: list(reader)?,
            shares: list(reader)?,
        })
    }
}

fn whole(writer: &mut Writer, number: usize) {
    writer.bytes(&(number as u32).to_le_bytes());
}

pub(super) fn write_text(writer: &mut Writer, text: &str) {
    whole(writer, text.len());
    writer.bytes(text.as_bytes());
}

/// Writes a number, or 0 in its place, behind whether there is one.
pub(super) fn write_optional(writer: &mut Writer, number: Option<f64>) {
    number.is_some().write(writer);
    number.unwrap_or(0.0).write(writer);
}

fn write_references(writer: &mut Writer, references: &BTreeSet<u32>) {
    whole(writer, references.len());
    references
        .iter()
        .for_each(|reference| writer.bytes(&reference.to_le_bytes()));
}

pub(super) fn write_list<T: SavedState>(writer: &mut Writer, list: &[T]) {
    whole(writer, list.len());
    list.iter().for_each(|part| part.write(writer));
}

pub(super) fn list<T: SavedState>(reader: &mut Reader) -> Option<Vec<T>> {
    (0..read_whole(reader)?).map(|_| T::read(reader)).collect()
}

fn read_whole(reader: &mut Reader) -> Option<u32> {
    reader.bytes().map(u32::from_le_bytes)
}

pub(super) fn text(reader: &mut Reader) -> Option<String> {
    let length = read_whole(reader)?;
    let bytes = reader.slice(length as usize)?;
    core::str::from_utf8(bytes).ok().map(str::to_owned)
}

/// Reads a number that [`write_optional`] wrote.
pub(super) fn optional(reader: &mut Reader) -> Option<Option<f64>> {
    let is_some = bool::read(reader)?;
    let number = f64::read(reader)?;
    Some(is_some.then_some(number))
}

fn references(reader: &mut Reader) -> Option<BTreeSet<u32>> {
    (0..read_whole(reader)?)
        .map(|_| read_whole(reader))
        .collect()
}
