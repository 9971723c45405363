//! Variant: a model as a card changes it, all that one FMU's description, documentation and library
//! derive from.

use super::check::check;
use super::fingerprint::with_card;
use super::level::source;
use super::scope::{knowns_of, outputs, variables};
use super::{
    Access, Card, Contacts, Knowns, Model, Motion, PlatePoints, Setting, declared, level_parameter,
};
use crate::assembly::{
    Assembly, AssemblySnapshot, Plate, Point, SystemState, system_variables::reference,
};
use crate::characteristic::{Measured, Signed};
use crate::coupling::{BodyObserver, M_EFF, Mobility};
use crate::element::{AnyElement, ElementOptions, F_N, F_OFFSET, Joint, RADIUS, Source};
use crate::law::{LawMetadata, NOMINAL_FORCE, NORMAL_FORCE};
use crate::variable::{InputError, RANGE, Role, Variable, slot};
use std::collections::BTreeSet;

/// Element with a name of its own: a model, and its variables as a card shows them.
///
/// [`Model::stock`] is the variant without changes.
///
/// ```
/// use bristle::catalogue::{self, Card, Setting, Variant};
///
/// let model = catalogue::find("Dahl").expect("an element");
/// let mu = model.variables().find(|variable| variable.name == "mu_d").expect("a parameter");
/// let mut card = Card::of_law("Dahl", "Pad on steel");
/// card.name = "Pad".to_owned();
/// card.parameters.insert(mu.reference, Setting { start: Some(0.42), ..Setting::default() });
/// let pad = Variant::new(model, card)?;
/// assert_eq!(pad.instantiate().value(mu.reference), 0.42);
/// assert_ne!(pad.guid(), model.stock().guid());
/// # Ok::<(), bristle::variable::InputError>(())
/// ```
#[derive(Clone)]
pub struct Variant {
    /// Model of the law.
    pub law: &'static Model,
    /// Form of the law for the card's motion: the model itself, or its form in the plane.
    pub model: &'static Model,
    /// Hash of everything that the description says and the library relies on.
    pub fingerprint: u128,
    card: Card,
    /// Every variable that is shown, by its reference.
    shown: Vec<Option<Variable>>,
    /// Access to each reference, without a look at its variable.
    access: Vec<Access>,
    hidden: Vec<Variable>,
    /// Variables of a joint that have the same value always.
    constants: Vec<Variable>,
    /// States and their derivatives, contact by contact.
    states: Vec<(Variable, Variable)>,
    /// Parameters whose start value is not that of a new element, in SI units.
    changed: Vec<Variable>,
    measured: Option<Signed<&'static Measured>>,
    /// Mobility of the body at its contacts.
    mobility: Option<Mobility>,
    source: Option<Source>,
}

impl Variant {
    /// Element of the law's own name and defaults.
    pub fn stock(law: &'static Model) -> Self {
        let card = Card::of_law(law.metadata.name, law.metadata.title);
        Variant::unchecked(law, law, card)
    }

    /// Element of a card; or a sentence with the fault of the card.
    pub fn new(law: &'static Model, mut card: Card) -> Result<Self, InputError> {
        card.measure_level(law);
        let model = check(law, &card)?;
        let variant = Variant::unchecked(law, model, normalised(model, card));
        for contact in 0..variant.card.contact_count() {
            let mut element = variant.element();
            variant.prepare_contact(&mut *element, contact)?;
            element
                .evaluate_initial()
                .map_err(|error| InputError::new(error.to_string()))?;
            if variant.card.characteristic.is_some() {
                element.set(&F_N, variant.card.normal_force);
                element.model_warning().map_or(Ok(()), |warning| {
                    Err(InputError::new(warning).about(&["sigma_1"]))
                })?;
            }
        }
        Ok(variant)
    }

    fn unchecked(law: &'static Model, model: &'static Model, card: Card) -> Self {
        let (mut shown, mut hidden, mut constants) = (Vec::new(), Vec::new(), Vec::new());
        let mut changed = Vec::new();
        let source = source(model, &card);
        let has_own = |variable: &Variable| {
            let mut own = source.iter().flat_map(Source::variables);
            card.level.is_some() || own.any(|own| own.is(variable))
        };
        for mut variable in variables(model, &card) {
            let reference = variable.slot() as u32;
            let of_law = if has_own(&variable) && !variable.is_of_block() {
                model.variable(reference).and_then(|known| known.start)
            } else {
                variable.start
            };
            variable = card.scaled(&variable);
            // A contact's own value before the one for all.
            for reference in [reference, variable.reference] {
                if let Some(Setting { start, min, max }) = card.parameters.get(&reference) {
                    variable.start = start.or(variable.start);
                    variable.min = min.or(variable.min);
                    variable.max = max.or(variable.max);
                }
            }
            if card.inputs.contains(&reference) {
                variable.role = Role::Input;
            }
            if variable.is(&F_N) && card.states_normal_force() {
                variable.role = Role::Parameter;
            }
            if variable.start != of_law {
                changed.push(variable);
            }
            variable = card.units.of(variable);
            if card.is_constant(&variable) {
                constants.push(variable);
            } else if card.fixed.contains(&reference)
                || variable.is_output() && !card.shows(&variable)
            {
                hidden.push(variable);
            } else {
                shown.resize(variable.reference as usize + 1, None);
                shown[variable.reference as usize] = Some(variable);
            }
        }
        if card.normal_force != NOMINAL_FORCE {
            changed.push(Variable {
                start: Some(card.normal_force),
                ..NORMAL_FORCE
            });
        }
        let is_of_source = |variable: &Variable| {
            let mut knowns = source.iter().flat_map(Source::knowns);
            knowns.any(|known| known.is(variable))
        };
        let access_to = |variable: &Option<Variable>| {
            let is_of_source = variable.as_ref().is_some_and(is_of_source);
            Access::of(variable.as_ref(), card.plate.is_none() && !is_of_source)
        };
        let access = shown.iter().map(access_to).collect();
        let fingerprint = with_card(law.fingerprint, &card.to_bytes());
        let states = states(model, &card, &shown);
        // The card was checked.
        let measured = card
            .characteristic
            .as_ref()
            .and_then(|curve| curve.measured().ok());
        let mobility = card.body.as_ref().and_then(|body| card.mobility(body).ok());
        Variant {
            law,
            model,
            fingerprint,
            card,
            shown,
            access,
            hidden,
            constants,
            states,
            changed,
            measured,
            mobility,
            source,
        }
    }

    /// Name of the element.
    pub fn name(&self) -> &str {
        &self.card.name
    }

    /// Description of the element.
    pub fn description(&self) -> &str {
        &self.card.description
    }

    /// The card without the law's defaults.
    pub fn card(&self) -> &Card {
        &self.card
    }

    /// Description of the law.
    pub fn metadata(&self) -> &'static LawMetadata {
        self.model.metadata
    }

    /// Every variable that is shown, in the order of the references.
    pub fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.shown.iter().flatten()
    }

    /// Variables that are not shown: fixed parameters and outputs left out.
    pub fn hidden(&self) -> impl Iterator<Item = &Variable> {
        self.hidden.iter()
    }

    /// Every variable, shown or not.
    pub fn all(&self) -> impl Iterator<Item = &Variable> {
        self.variables().chain(self.hidden())
    }

    /// The variable with this reference, if it is shown.
    #[inline]
    pub fn variable(&self, reference: u32) -> Option<&Variable> {
        self.shown.get(reference as usize)?.as_ref()
    }

    /// Access to the variable with this reference.
    #[inline]
    pub fn access(&self, reference: u32) -> Access {
        self.access
            .get(reference as usize)
            .copied()
            .unwrap_or(Access::NONE)
    }

    /// The variable of this name, shown or not.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.all().find(|variable| variable.name == name)
    }

    /// The fingerprint as a GUID, by which a description and a binary recognise each other.
    pub fn guid(&self) -> String {
        let hex = format!("{:032x}", self.fingerprint);
        format!(
            "{{{}-{}-{}-{}-{}}}",
            &hex[..8],
            &hex[8..12],
            &hex[12..16],
            &hex[16..20],
            &hex[20..]
        )
    }

    /// States with their derivatives, contact by contact, in the order of the state vector.
    pub fn states(&self) -> &[(Variable, Variable)] {
        &self.states
    }

    /// Number of event indicators.
    pub fn event_count(&self) -> usize {
        self.metadata().events.len() * self.card.contact_count() as usize
    }

    /// Number of coordinates and contacts of each body that the contacts act on.
    pub fn body_sizes(&self) -> Vec<[usize; 2]> {
        match &self.mobility {
            Some(mobility) => vec![[mobility.body.size, mobility.contacts()]],
            None if !self.card.has_bodies() && self.model.variable(M_EFF.reference).is_some() => {
                vec![[1, 1]; self.card.contact_count() as usize]
            }
            None => Vec::new(),
        }
    }

    /// Numbers of places and bases of the bodies inside.
    fn system_sizes(&self) -> Option<[usize; 2]> {
        match &self.card.system {
            Some(system) => Some(system.sizes()),
            None => self.card.block.map(|_| [1, 1]),
        }
    }

    /// Source of the normal force, or of the load of a joint, where it is no input.
    pub fn source(&self) -> Option<&Source> {
        self.source.as_ref()
    }

    /// Whether an input is held over a step, whatever its derivatives.
    pub fn holds(&self, input: &Variable) -> bool {
        let source = self.source.as_ref();
        input.is_parameter() || source.is_some_and(|source| source.has_input(input))
    }

    /// Whether an element of the card can be in this state: its parts are those of the card, and
    /// its values within their bounds.
    pub fn can_have(&self, state: &AssemblySnapshot) -> bool {
        let AssemblySnapshot {
            contacts,
            plate,
            bodies,
            system,
        } = state;
        let is_whole = contacts.len() == self.card.contact_count() as usize
            && plate.is_some() == self.card.plate.is_some()
            && system.as_ref().map(SystemState::sizes) == self.system_sizes()
            && bodies
                .iter()
                .map(BodyObserver::counts)
                .eq(self.body_sizes());
        let is_in_bounds = |variable: &Variable| {
            state
                .value(variable)
                .is_none_or(|value| variable.check(variable.of_si(value)).is_ok())
        };
        // Where they are no variables they have no values.
        let own = || self.all().chain(&self.constants);
        let is_absent = |known: &&Variable| !own().any(|variable| variable.is(known));
        let has = |known: &Variable| contacts.iter().any(|contact| contact.values[known] != 0.0);
        is_whole
            && own().all(is_in_bounds)
            && ![&RADIUS, &F_OFFSET].into_iter().filter(is_absent).any(has)
    }

    /// Value of a shown variable in the unit of the interface, of that in its SI unit.
    pub fn of_si(&self, reference: u32, value: f64) -> f64 {
        self.variable(reference)
            .map_or(value, |variable| variable.of_si(value))
    }

    /// Name of a contact, counted from 0, in sentences; empty where there is one only.
    pub fn contact_name(&self, contact: usize) -> String {
        match &self.card.contacts {
            Some(Contacts { names, .. }) => names
                .get(contact)
                .cloned()
                .unwrap_or(format!("[{}]", contact + 1)),
            None if self.card.plate.is_some() => format!("[{}]", contact + 1),
            None => String::new(),
        }
    }

    /// A sentence about a contact, counted from 0, with its name before it where there are several.
    pub fn of_contact(&self, contact: usize, sentence: String) -> String {
        match self.contact_name(contact) {
            name if name.is_empty() => sentence,
            name => format!("contact {name}: {sentence}"),
        }
    }

    /// The knowns that an output or a derivative depends on. Parameters that are inputs are knowns
    /// at any time, and those that are not shown are none.
    pub fn knowns_of(&self, unknown: &Variable) -> Knowns {
        let mut knowns = knowns_of(self.model, &self.card, unknown);
        let is_in = |list: &BTreeSet<u32>, reference: u32| list.contains(&(slot(reference) as u32));
        let is_inertia = |reference: u32| {
            let system = self.card.system.as_ref();
            system.is_some_and(|system| system.is_input(reference))
        };
        let promoted: Vec<u32> = knowns
            .initial
            .iter()
            .copied()
            .filter(|reference| is_in(&self.card.inputs, *reference) || is_inertia(*reference))
            .collect();
        knowns.constant &= promoted.is_empty();
        knowns.continuous.extend(promoted);
        if self.card.states_normal_force() {
            let is_stated = |reference: &u32| slot(*reference) == F_N.slot();
            knowns.continuous.retain(|reference| !is_stated(reference));
        }
        for references in [&mut knowns.initial, &mut knowns.continuous] {
            references.retain(|reference| {
                let mut absent = self.hidden.iter().chain(&self.constants);
                !absent.any(|variable| variable.reference == *reference)
            });
        }
        knowns
    }

    /// Element of one contact with the measured characteristic, if there is one, and the law's
    /// values.
    fn element(&self) -> Box<dyn AnyElement> {
        let of_law = self
            .model
            .variables()
            .chain(self.metadata().directed.iter().flatten());
        let names = of_law.map(|known| (known.name, self.card.declared(known).name));
        let joint = self.card.level.map(|_| Joint {
            is_rotational: self.card.motion == Motion::Rotational,
            names: [(F_N.name, "load")].into_iter().chain(names).collect(),
        });
        let directed = self
            .metadata()
            .directed
            .iter()
            .filter(|[forward, _]| self.card.is_by_direction(forward));
        let mut element = self.model.instantiate();
        element.set_options(ElementOptions {
            measured: self
                .measured
                .map_or(Signed::even(None), |curve| curve.map(Some)),
            directed: directed.map(|[forward, _]| forward.reference).collect(),
            has_acceleration: self.card.acceleration,
            joint,
            source: self.source.clone(),
        });
        element
    }

    /// All contacts of a new instance, with the card's values.
    pub fn instantiate(&self) -> Assembly {
        let contacts = || {
            (0..self.card.contact_count())
                .map(|_| self.element())
                .collect()
        };
        let mut assembly = match (&self.card.plate, &self.card.contacts) {
            (Some(PlatePoints { positions, shares }), _) => {
                let point = |(i, position): (usize, &[f64; 2])| Point {
                    position: *position,
                    share: shares.get(i).copied(),
                };
                let plate = Plate::new(positions.iter().enumerate().map(point).collect());
                let plate = plate.with_acceleration(self.card.acceleration);
                Assembly::of_plate(contacts(), plate, self.mobility.clone())
            }
            (None, Some(_)) => match (&self.card.system, &self.mobility) {
                (Some(system), _) => Assembly::of_system(contacts(), system.system()),
                (None, Some(mobility)) => Assembly::of_body(contacts(), mobility.clone()),
                (None, None) => Assembly::of_several(contacts()),
            },
            (None, None) => match (&self.card.block, &self.mobility) {
                (Some(block), _) => Assembly::of_block(self.element(), block.block()),
                (None, Some(mobility)) => {
                    Assembly::of_one_on_body(self.element(), mobility.clone())
                }
                (None, None) => Assembly::of_one(self.element()),
            },
        };
        self.prepare(&mut assembly);
        assembly
    }

    /// A contact, counted from 0, with the card's values, as the law sees it: along a line, or
    /// along x in the plane.
    pub fn contact(&self, contact: u32) -> Box<dyn AnyElement> {
        let mut element = self.element();
        let applied = self.prepare_contact(&mut *element, contact);
        debug_assert!(applied.is_ok(), "the card was checked");
        element
    }

    /// Sets an instance back to the card's values.
    pub fn reset(&self, assembly: &mut Assembly) {
        assembly.reset();
        self.prepare(assembly);
    }

    /// Gives an element the card's values for a contact, counted from 0, but for its radius.
    fn prepare_contact(
        &self,
        element: &mut dyn AnyElement,
        contact: u32,
    ) -> Result<(), InputError> {
        element.set_tolerance(self.card.experiment.tolerance);
        let is_its = |variable: &&Variable| {
            variable.reference < RANGE || variable.reference / RANGE == contact + 1
        };
        for variable in self
            .changed
            .iter()
            .filter(|variable| !variable.is(&RADIUS))
            .filter(is_its)
        {
            element.set(variable, variable.start.unwrap_or(0.0));
        }
        element.apply_parameters()
    }

    fn prepare(&self, assembly: &mut Assembly) {
        assembly.set_tolerance(self.card.experiment.tolerance);
        if self.changed.is_empty() && self.measured.is_none() && !self.card.has_bodies() {
            return;
        }
        for variable in &self.changed {
            assembly.set(variable, variable.start.unwrap_or(0.0));
        }
        let applied = assembly.apply_parameters().is_ok() && assembly.evaluate_initial().is_ok();
        debug_assert!(applied, "the card was checked");
    }
}

/// States of a card's contacts and of its block, with their derivatives.
fn states(model: &Model, card: &Card, shown: &[Option<Variable>]) -> Vec<(Variable, Variable)> {
    let several = card.contacts.is_some() || card.plate.is_some();
    let contacts = if several {
        1..=card.contact_count()
    } else {
        0..=0
    };
    let of =
        |declared: &Variable, contact: u32| shown[(declared.reference + RANGE * contact) as usize];
    let pair = |contact, (state, derivative): &(Variable, Variable)| {
        of(state, contact).zip(of(derivative, contact))
    };
    let of_laws = contacts.flat_map(|contact| {
        model
            .metadata
            .states
            .iter()
            .filter_map(move |states| pair(contact, states))
    });
    let of_block = [reference::X, reference::V]
        .into_iter()
        .filter(|_| card.block.is_some());
    let shown = |reference: u32| shown.get(reference as usize).copied().flatten();
    let free = card.system.iter().flat_map(|system| system.free());
    let of_system = free.flat_map(|coordinate| {
        let range = RANGE * (coordinate as u32 + 1);
        [reference::X, reference::V].map(|state| state + range)
    });
    of_laws
        .chain(
            of_block
                .chain(of_system)
                .filter_map(|state| shown(state).zip(shown(state + 1))),
        )
        .collect()
}

/// The card without what is the law's default anyway, so that equal elements have equal cards.
fn normalised(model: &'static Model, mut card: Card) -> Card {
    // A contact's own value, which has another reference, may be the law's where the value for all
    // contacts is another.
    let level = level_parameter(model).filter(|_| card.level.is_some());
    for variable in declared(model, &card) {
        // By the level of a joint the other defaults are scaled.
        let is_level = level.is_some_and(|level| variable.is(level));
        let default = if is_level {
            variable.start
        } else {
            card.scaled(variable).start
        };
        if let Some(setting) = card.parameters.get_mut(&variable.reference) {
            setting.start = setting.start.filter(|start| Some(*start) != default);
            setting.min = setting.min.filter(|min| Some(*min) != variable.min);
            setting.max = setting.max.filter(|max| Some(*max) != variable.max);
        }
    }
    card.parameters
        .retain(|_, setting| *setting != Setting::default());
    if outputs(model, &card)
        .iter()
        .all(|output| card.shows(output) == card.shows_by_default(output))
    {
        card.outputs.clear();
    }
    card
}
