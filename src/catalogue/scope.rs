//! Variables of an FMU: those of a law and a motion, once for each contact that has them for
//! itself.

use super::level::source;
use super::{Card, CardSystem, Knowns, Model, Motion, block};
use crate::assembly::system_variables::reference::{self, F_BASE};
use crate::assembly::{M_R, OMEGA, PLATE_ACCELERATIONS, PLATE_INPUTS, PLATE_OUTPUTS};
use crate::coupling::{
    COUPLING, COUPLING_OF_BLOCK, DF_R_DF_N, E_LOSS_ERROR, F_LAW, F_R_X_MEAN, F_R_Y_MEAN, H_MAX,
    M_EFF, M_R_MEAN, OUTPUTS_IN_PLANE,
};
use crate::element::{A_X, A_Y, E_LOSS, F_N, F_OFFSET, F_R, P_LOSS, RADIUS, Source, V, V_Y};
use crate::law::{A, F_T};
use crate::variable::{RANGE, Role, Variable, intern, slot};
use std::collections::BTreeSet;

/// Variables of the FMU of a card, with the references and names of their contacts, before values
/// and bounds of the card.
pub fn variables(model: &'static Model, card: &Card) -> Vec<Variable> {
    let (mut variables, mut own): (Vec<Variable>, Vec<(&Variable, u32)>) = (Vec::new(), Vec::new());
    if card.motion == Motion::Patch {
        variables.extend(PLATE_INPUTS.iter().chain(&PLATE_OUTPUTS));
        variables.extend(PLATE_ACCELERATIONS.iter().filter(|_| card.acceleration));
    }
    variables.extend(
        card.block
            .iter()
            .flat_map(|block| block.variables(card.motion)),
    );
    variables.extend(card.system.iter().flat_map(|system| system.variables(card)));
    for declared in of_motion(model, card) {
        match scope(model, card, declared) {
            Scope::Shared => variables.push(*declared),
            Scope::Each => {
                own.extend((1..=card.contact_count()).map(|contact| (declared, contact)))
            }
            Scope::Absent => {}
        }
    }
    let names: Vec<_> = own
        .iter()
        .map(|(declared, contact)| contact_name(card, declared.name, *contact))
        .collect();
    let own = own.into_iter().zip(intern(&names));
    variables.extend(own.map(|((declared, contact), name)| of_contact(declared, contact, name)));
    variables.sort_by_key(|variable| variable.reference);
    variables
}

/// Variables of one contact of a card, without the parameters that a measured characteristic
/// replaces.
pub fn declared(model: &'static Model, card: &Card) -> Vec<&'static Variable> {
    let is_there = |declared: &&Variable| {
        !declared.is_parameter() || scope(model, card, declared) != Scope::Absent
    };
    of_motion(model, card).filter(is_there).collect()
}

/// Variables of one contact as they are declared for the motion and the body of a card.
fn of_motion(model: &'static Model, card: &Card) -> impl Iterator<Item = &'static Variable> {
    let has_body = card.body.is_some();
    let mut variables: Vec<_> = card
        .motion
        .variables(model)
        .chain(outputs_in_plane(card))
        .collect();
    if card.acceleration {
        let accelerations = if card.motion.is_planar() {
            &[&A_X, &A_Y][..]
        } else {
            &[&A]
        };
        variables.extend(accelerations);
    }
    if has_body && card.motion.is_planar() {
        // A law in the plane has no observer of its own.
        variables.retain(|variable| !variable.is(&COUPLING));
        variables.push(&COUPLING);
    }
    if card.has_bodies() {
        variables.retain(|variable| !is_replaced_by_block(variable));
        variables.push(&COUPLING_OF_BLOCK);
    }
    for directed in model
        .metadata
        .directed
        .iter()
        .filter(|[forward, _]| card.is_by_direction(forward))
    {
        variables.retain(|variable| !variable.is(&directed[0]));
        variables.extend(directed);
    }
    variables.extend(source(model, card).iter().flat_map(Source::variables));
    if card.is_constant(&F_N) {
        variables.retain(|variable| !variable.is(&DF_R_DF_N));
    }
    if card.gives(F_OFFSET.reference) && !card.motion.is_planar() {
        variables.push(&F_OFFSET);
    }
    // In the order of the references.
    variables.sort_by_key(|variable| variable.reference);
    variables
        .into_iter()
        .map(|variable| card.declared(variable))
}

/// Whether a law's variable is that of a contact with a master's body, which a block replaces.
fn is_replaced_by_block(variable: &Variable) -> bool {
    let is_of_contact = [M_EFF, COUPLING, V, V_Y, F_T]
        .iter()
        .any(|replaced| variable.is(replaced));
    is_of_contact || variable.is_output() && variable.slot() >= F_LAW.slot()
}

/// Outputs that the contacts of a card have in a plane, on a body only.
fn outputs_in_plane(card: &Card) -> &'static [Variable] {
    match card.motion {
        _ if card.body.is_none() => &[],
        Motion::Planar => &OUTPUTS_IN_PLANE[..OUTPUTS_IN_PLANE.len() - 1],
        Motion::Patch => &OUTPUTS_IN_PLANE,
        Motion::Translational | Motion::Rotational => &[],
    }
}

/// Outputs that a card may show: those of a contact, or of the plate, and that of the body of
/// contacts in a plane.
pub fn outputs(model: &'static Model, card: &Card) -> Vec<&'static Variable> {
    match card.plate {
        Some(_) => PLATE_OUTPUTS.iter().chain(outputs_in_plane(card)).collect(),
        None => {
            let of_block = card.block.iter().flat_map(|_| block::outputs(card.motion));
            of_motion(model, card)
                .filter(|variable| variable.is_output())
                .chain(of_block)
                .collect()
        }
    }
}

/// Contacts that a variable of the law belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One variable for all contacts, or for the only one.
    Shared,
    /// A variable for each contact.
    Each,
    /// Replaced by variables of the plate, by the body of the card, or by a measured
    /// characteristic.
    Absent,
}

/// Scope of a law's variable under a card.
pub fn scope(model: &Model, card: &Card, declared: &Variable) -> Scope {
    if card.characteristic.is_some() && model.measured.replaces(declared.reference) {
        return Scope::Absent;
    }
    // The body's inertia takes the place of m_eff.
    if card.body.is_some() && declared.is(&M_EFF) {
        return Scope::Absent;
    }
    // Contacts along a line have one each; those in a plane have one for their body.
    if card.body.is_some() && card.motion.is_planar() && declared.is(&E_LOSS_ERROR) {
        return Scope::Shared;
    }
    if let Some(plate) = &card.plate {
        let is_of_point = match declared.role {
            Role::State | Role::Derivative { .. } => true,
            _ => declared.is(&F_N) && plate.shares.is_empty(),
        };
        let is_mean = [F_R_X_MEAN, F_R_Y_MEAN, M_R_MEAN]
            .iter()
            .any(|mean| declared.is(mean));
        return if is_of_point {
            Scope::Each
        } else if declared.is_parameter() || declared.is(&F_N) || is_mean {
            Scope::Shared
        } else {
            Scope::Absent
        };
    }
    match &card.contacts {
        None => Scope::Shared,
        Some(contacts)
            if declared.is_parameter() && !contacts.each.contains(&declared.reference) =>
        {
            Scope::Shared
        }
        Some(_) => Scope::Each,
    }
}

/// Variable of a contact, counted from 1, with its name there.
pub(super) fn of_contact(declared: &Variable, contact: u32, name: &'static str) -> Variable {
    let range = RANGE * contact;
    let role = match declared.role {
        Role::Derivative { of } => Role::Derivative { of: of + range },
        role => role,
    };
    Variable {
        reference: declared.reference + range,
        name,
        role,
        ..*declared
    }
}

/// Name of a contact's variable: `F_N[1]`, or `left.F_N` of a contact with a name; derivatives as
/// `der(z[1])`.
pub fn contact_name(card: &Card, name: &str, contact: u32) -> String {
    let named = card
        .contacts
        .as_ref()
        .and_then(|contacts| contacts.names.get(contact as usize - 1));
    let of = |name: &str| match named {
        Some(contact) => format!("{contact}.{name}"),
        None => format!("{name}[{contact}]"),
    };
    renamed(name, of)
}

/// Name of a variable, or of the state within that of a derivative, as `of` makes it.
pub(super) fn renamed(name: &str, of: impl Fn(&str) -> String) -> String {
    match name
        .strip_prefix("der(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        Some(state) => format!("der({})", of(state)),
        None => of(name),
    }
}

/// References of the knowns that an unknown of the FMU depends on, parameters among the initial
/// ones.
pub fn knowns_of(model: &Model, card: &Card, unknown: &Variable) -> Knowns {
    if card.plate.is_some() && unknown.reference < RANGE {
        return of_plate(model, card, unknown);
    }
    if unknown.is_of_block() {
        return match &card.system {
            Some(system) => of_system(model, card, system, unknown),
            None => of_block(model, card, unknown),
        };
    }
    let contact = unknown.reference / RANGE;
    let mut knowns = model.knowns_of(unknown);
    let directed = model
        .metadata
        .directed
        .iter()
        .filter(|[forward, _]| card.is_by_direction(forward));
    let backward = directed.filter(|[forward, _]| knowns.initial.contains(&forward.reference));
    let backward: Vec<_> = backward.map(|[_, backward]| backward.reference).collect();
    knowns.initial.extend(backward);
    if card.gives(F_OFFSET.reference)
        && (unknown.is(&F_R) || knowns.initial.contains(&F_T.reference))
    {
        knowns.initial.insert(F_OFFSET.reference);
    }
    if card.motion == Motion::Rotational {
        let on_velocity = [&V, &A, &F_T]
            .iter()
            .any(|input| knowns.initial.contains(&input.reference));
        if on_velocity
            || [&F_R, &F_LAW, &H_MAX]
                .iter()
                .any(|output| unknown.is(output))
        {
            knowns.initial.insert(RADIUS.reference);
        }
    }
    if let Some(source) = source(model, card)
        && (unknown.slot() == F_N.slot() || knowns.initial.contains(&F_N.reference))
    {
        // Of reactions it is an output.
        if card.reactions.is_some() {
            knowns.continuous.remove(&F_N.reference);
            knowns.initial.remove(&F_N.reference);
        }
        let is_continuous = |known: &&Variable| !known.is_parameter();
        let continuous = source.knowns().filter(is_continuous);
        knowns
            .continuous
            .extend(continuous.map(|known| known.reference));
        knowns
            .initial
            .extend(source.knowns().map(|known| known.reference));
    }
    let has_system = card
        .system
        .as_ref()
        .filter(|_| knowns.initial.contains(&F_T.reference));
    let parameters = has_system.map_or([Vec::new(), Vec::new()], CardSystem::parameters);
    let placed = |references: &BTreeSet<u32>| -> BTreeSet<u32> {
        references
            .iter()
            .flat_map(|slot| place(model, card, *slot, contact))
            .collect()
    };
    Knowns {
        continuous: placed(&knowns.continuous),
        initial: placed(&knowns.initial)
            .into_iter()
            .chain(parameters.concat())
            .collect(),
        constant: knowns.constant,
    }
}

/// References of a law's variable in the FMU, as contact `contact` sees it.
fn place(model: &Model, card: &Card, reference: u32, contact: u32) -> Vec<u32> {
    let is_velocity =
        reference == V.reference || reference == V_Y.reference && card.motion.is_planar();
    if card.plate.is_some() && is_velocity {
        return vec![reference, OMEGA.reference];
    }
    if card.block.is_some() && is_velocity {
        return vec![reference::V, reference::V_SURFACE];
    }
    if card.block.is_some() && reference == F_T.reference {
        return APPLIED.to_vec();
    }
    if let Some(system) = &card.system {
        if is_velocity {
            return system.slip_of(contact);
        }
        if reference == F_T.reference {
            return system.applied();
        }
    }
    // Radius, offset, source and values by direction are no variables of the law.
    let source = source(model, card);
    let of_card = [&RADIUS, &F_OFFSET]
        .into_iter()
        .chain(source.iter().flat_map(Source::variables))
        .chain(model.metadata.directed.iter().flatten());
    let declared = model.variable(reference).or(of_card
        .into_iter()
        .find(|known| known.reference == reference));
    match declared.map(|declared| scope(model, card, declared)) {
        Some(Scope::Each) => vec![reference + RANGE * contact],
        Some(Scope::Absent) => Vec::new(),
        _ => vec![reference],
    }
}

/// Knowns of the force on a block but F_R.
const APPLIED: [u32; 5] = [
    reference::F,
    reference::X_BASE,
    reference::V_BASE,
    reference::X,
    reference::V,
];
/// Parameters of the spring and the damper of a block.
const OF_BASE: [u32; 2] = [reference::STIFFNESS, reference::DAMPING];

/// Knowns of a state, a derivative or an output of a block.
fn of_block(model: &Model, card: &Card, unknown: &Variable) -> Knowns {
    let same = |references: BTreeSet<u32>, constant| Knowns {
        initial: references.clone(),
        continuous: references,
        constant,
    };
    match unknown.reference {
        F_BASE => {
            let mut knowns = same(APPLIED[1..].iter().copied().collect(), false);
            knowns.initial.extend(OF_BASE);
            knowns
        }
        state if unknown.is_output_state() => same([state].into(), true),
        rate if rate == reference::X + 1 => same([reference::V].into(), true),
        _ => {
            let mut knowns = knowns_of(model, card, &F_R);
            for references in [&mut knowns.continuous, &mut knowns.initial] {
                references.extend(APPLIED);
            }
            knowns.initial.extend(OF_BASE);
            knowns.initial.insert(reference::MASS);
            Knowns {
                constant: false,
                ..knowns
            }
        }
    }
}

/// Knowns of a state, a derivative or an output of a system: of an acceleration all that moves a
/// coordinate, as springs and gears may connect all of them.
fn of_system(model: &Model, card: &Card, system: &CardSystem, unknown: &Variable) -> Knowns {
    let place = (unknown.reference / RANGE) as usize - 1;
    let same = |references: Vec<u32>, constant| Knowns {
        initial: references.iter().copied().collect(),
        continuous: references.into_iter().collect(),
        constant,
    };
    let declared = slot(unknown.reference) as u32;
    if [reference::X, reference::V].contains(&declared) {
        return same(system.followed(place, declared), true);
    }
    if declared == reference::X + 1 {
        return same(vec![unknown.reference + 1], true);
    }
    let of_bodies = declared == reference::V + 1;
    let mut knowns = same(system.motions(), false);
    let [springs, masses] = system.parameters();
    knowns.initial.extend(springs);
    if of_bodies {
        knowns.continuous.extend(system.loads());
        knowns
            .initial
            .extend(system.loads().into_iter().chain(masses));
    }
    for contact in 0..card.contact_count() as usize {
        if of_bodies || system.acts_on(contact, place) {
            let force = Variable {
                reference: F_R.reference + RANGE * (contact as u32 + 1),
                ..F_R
            };
            let of_contact = knowns_of(model, card, &force);
            knowns.continuous.extend(of_contact.continuous);
            knowns.initial.extend(of_contact.initial);
        }
    }
    knowns
}

/// Knowns of an output of a plate: those of all points.
fn of_plate(model: &Model, card: &Card, unknown: &Variable) -> Knowns {
    if unknown.is(&E_LOSS) {
        return Knowns::default();
    }
    let of_point = if unknown.is(&M_R) { &F_R } else { unknown };
    let mut all = Knowns::default();
    for contact in 1..=card.contact_count() {
        let unknown = Variable {
            reference: slot(of_point.reference) as u32 + RANGE * contact,
            ..*of_point
        };
        let Knowns {
            continuous,
            initial,
            ..
        } = knowns_of(model, card, &unknown);
        all.continuous.extend(continuous);
        all.initial.extend(initial);
    }
    if unknown.is(&P_LOSS) {
        let inputs = [V.reference, V_Y.reference, OMEGA.reference];
        all.continuous.extend(inputs);
        all.initial.extend(inputs);
    }
    all
}
