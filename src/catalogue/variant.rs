//! Variant: a model as a card changes it, all that one FMU's description, documentation and library derive from.

use super::check::check;
use super::fingerprint::with_card;
use super::{Card, Knowns, Model, Setting};
use crate::element::AnyElement;
use crate::law::LawMetadata;
use crate::variable::{InputError, Role, SLOTS, Variable};
use std::collections::BTreeSet;

/// Element with a name of its own: a model, and its variables as a card shows them.
///
/// [`Model::stock`] is the variant without changes.
///
/// ```
/// use bristle::catalogue::{self, Card, Setting, Variant};
///
/// let model = catalogue::find("Dahl").expect("an element");
/// let mu = model.variables().find(|variable| variable.name == "mu_k").expect("a parameter");
/// let mut card = Card::of_law("Dahl", "Pad on steel");
/// card.name = "Pad".to_owned();
/// card.parameters.insert(mu.reference, Setting { start: Some(0.42), ..Setting::default() });
/// let pad = Variant::new(model, card)?;
/// assert_eq!(pad.instantiate().values()[mu], 0.42);
/// assert_ne!(pad.guid(), model.stock().guid());
/// # Ok::<(), bristle::variable::InputError>(())
/// ```
#[derive(Clone)]
pub struct Variant {
    /// Model of the law.
    pub model: &'static Model,
    /// Hash of everything that the description says and the library relies on.
    pub fingerprint: u128,
    card: Card,
    shown: [Option<Variable>; SLOTS],
    hidden: Vec<Variable>,
    /// Parameters whose start value is not the law's.
    changed: Vec<Variable>,
}

impl Variant {
    /// Element of the law's own name and defaults.
    pub fn stock(model: &'static Model) -> Self {
        let card = Card::of_law(model.metadata.name, model.metadata.title);
        Variant::unchecked(model, card)
    }

    /// Element of a card; or a sentence that says what the card cannot ask for.
    pub fn new(model: &'static Model, card: Card) -> Result<Self, InputError> {
        check(model, &card)?;
        let variant = Variant::unchecked(model, normalised(model, card));
        let mut element = variant.model.instantiate();
        variant.changed.iter().for_each(|variable| element.set(variable, variable.start.unwrap_or(0.0)));
        element.apply_parameters()?;
        element.evaluate_initial().map_err(|error| InputError(error.to_string()))?;
        Ok(variant)
    }

    fn unchecked(model: &'static Model, card: Card) -> Self {
        let mut shown = [None; SLOTS];
        let (mut hidden, mut changed) = (Vec::new(), Vec::new());
        for declared in model.variables() {
            let mut variable = *declared;
            if let Some(Setting { start, min, max }) = card.parameters.get(&variable.reference) {
                variable.start = start.or(variable.start);
                variable.min = min.or(variable.min);
                variable.max = max.or(variable.max);
            }
            if card.inputs.contains(&variable.reference) {
                variable.role = Role::Input;
            }
            if variable.start != declared.start {
                changed.push(variable);
            }
            if card.fixed.contains(&variable.reference) || card.hidden.contains(&variable.reference) {
                hidden.push(variable);
            } else {
                shown[variable.reference as usize] = Some(variable);
            }
        }
        let fingerprint = with_card(model.fingerprint, &card.to_bytes());
        Variant { model, fingerprint, card, shown, hidden, changed }
    }

    /// Name of the element.
    pub fn name(&self) -> &str {
        &self.card.name
    }

    /// Description of the element.
    pub fn description(&self) -> &str {
        &self.card.description
    }

    /// The card, without what is the law's default.
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

    /// The variable of this name, shown or not.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.all().find(|variable| variable.name == name)
    }

    /// The fingerprint as a GUID, by which a description and a binary recognise each other.
    pub fn guid(&self) -> String {
        let hex = format!("{:032x}", self.fingerprint);
        format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }

    /// The knowns that an output or a derivative depends on. Parameters that are inputs are knowns at any time, and those that are
    /// fixed are none.
    pub fn knowns_of(&self, unknown: &Variable) -> Knowns {
        let mut knowns = self.model.knowns_of(unknown);
        let inputs: BTreeSet<u32> = &knowns.initial & &self.card.inputs;
        knowns.constant &= inputs.is_empty();
        knowns.continuous.extend(inputs);
        knowns.initial = &knowns.initial - &self.card.fixed;
        knowns
    }

    /// A new element with the card's values.
    pub fn instantiate(&self) -> Box<dyn AnyElement> {
        let mut element = self.model.instantiate();
        self.prepare(&mut *element);
        element
    }

    /// Sets an element back to the card's values.
    pub fn reset(&self, element: &mut dyn AnyElement) {
        element.reset();
        self.prepare(element);
    }

    fn prepare(&self, element: &mut dyn AnyElement) {
        element.set_tolerance(self.card.experiment.tolerance);
        if self.changed.is_empty() {
            return;
        }
        for variable in &self.changed {
            element.set(variable, variable.start.unwrap_or(0.0));
        }
        let applied = element.apply_parameters().is_ok() && element.evaluate_initial().is_ok();
        debug_assert!(applied, "the card was checked");
    }
}

/// The card without what is the law's default anyway, so that equal elements have equal cards.
fn normalised(model: &Model, mut card: Card) -> Card {
    for (reference, setting) in &mut card.parameters {
        if let Some(declared) = model.variable(*reference) {
            setting.start = setting.start.filter(|start| Some(*start) != declared.start);
            setting.min = setting.min.filter(|min| Some(*min) != declared.min);
            setting.max = setting.max.filter(|max| Some(*max) != declared.max);
        }
    }
    card.parameters.retain(|_, setting| *setting != Setting::default());
    card
}
