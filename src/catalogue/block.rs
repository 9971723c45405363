//! Block of a card: the body inside the element.

use super::{Card, Model, Motion, find};
use crate::assembly::system_variables::reference::{DAMPING, MASS, STIFFNESS};
use crate::assembly::{System, system_variables};
use crate::law::{A, Spring};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{InputError, Variable};

/// Body inside the element, with its spring and damper to the base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CardBlock {
    /// Mass, kg, or moment of inertia of a rotational block, kg·m².
    pub mass: f64,
    /// Stiffness to the base, N/m or N·m/rad; 0: none.
    pub stiffness: f64,
    /// Damping to the base, N·s/m or N·m·s/rad; 0: none.
    pub damping: f64,
}

impl CardBlock {
    /// Mass, stiffness and damping.
    fn numbers(&self) -> [f64; 3] {
        [self.mass, self.stiffness, self.damping]
    }

    /// Sets the value of one of its parameters.
    pub fn set(&mut self, parameter: &Variable, value: f64) {
        match parameter.reference {
            MASS => self.mass = value,
            STIFFNESS => self.stiffness = value,
            DAMPING => self.damping = value,
            _ => {}
        }
    }

    /// Block of an instance.
    pub(super) fn block(&self) -> System {
        System::block(
            self.mass,
            Spring {
                stiffness: self.stiffness,
                damping: self.damping,
            },
        )
    }

    /// Variables of the block in a motion, with its values as those of the parameters.
    pub fn variables(&self, motion: Motion) -> impl Iterator<Item = Variable> {
        let numbers = self.numbers();
        declarations(motion).iter().map(move |declared| {
            let place = parameters(motion)
                .iter()
                .position(|parameter| parameter.reference == declared.reference);
            Variable {
                start: place.map_or(declared.start, |place| Some(numbers[place])),
                ..*declared
            }
        })
    }
}

/// Variables of a block in a motion.
fn declarations(motion: Motion) -> &'static [Variable] {
    if motion == Motion::Rotational {
        &system_variables::ABOUT_AXIS
    } else {
        &system_variables::ALONG_LINE
    }
}

/// Parameters of a block in a motion: mass or moment of inertia, stiffness and damping. Their names
/// are those of the card.
pub fn parameters(motion: Motion) -> &'static [Variable] {
    let declared = declarations(motion);
    &declared[declared.len() - 3..]
}

/// Outputs of a block that a card may show.
pub(super) fn outputs(motion: Motion) -> impl Iterator<Item = &'static Variable> {
    declarations(motion)
        .iter()
        .filter(|variable| variable.is_output())
}

/// Why a card with this law has no block, if it cannot have one.
pub fn no_block(model: &Model, card: &Card) -> Option<String> {
    if card.contacts.is_some() || card.system.is_some() {
        return Some(
            "a block is a body inside the element, on one contact; leave contacts and system out, \
             or give the block as a system"
                .to_owned(),
        );
    }
    no_body_inside("block", model, card)
}

/// Why a card with this law has no body of this name (block or system) inside, if it cannot have
/// one.
pub fn no_body_inside(body: &str, model: &Model, card: &Card) -> Option<String> {
    let (law, motion) = (model.metadata.name, card.motion);
    if motion == Motion::Patch {
        Some(format!(
            "a {body} has no patch; take motion = \"planar\" and a system with a contact for each \
             point"
        ))
    } else if motion == Motion::Planar && body == "block" {
        Some(
            "a block moves along a line or about an axis, and the motion is planar; give it as a \
             system with the coordinates x, y and an angle"
                .to_owned(),
        )
    } else if card.plate.is_some() || card.body.is_some() || card.acceleration {
        Some(format!(
            "a {body} is inside the element; leave body and acceleration, of a body of the \
             importer, out"
        ))
    } else if model.metadata.has_input(&A) {
        Some(format!(
            "{law} has the acceleration as an input, which its own force would change at once; \
             take another law"
        ))
    } else if model.metadata.delay.is_some() {
        Some(format!(
            "{law} depends on past velocities, which are no states; take another law"
        ))
    } else if motion.is_planar() && find(law).unwrap_or(model).metadata.chatters_at_rest() {
        Some(format!(
            "{law} jumps at rest, and sticks along a line or about an axis alone; in the plane \
             take another law"
        ))
    } else if model.metadata.chatters_at_rest() && model.inside.is_none() {
        Some(format!(
            "{law} jumps where the velocity changes its sign, and has no stick; take \
                          another law"
        ))
    } else {
        None
    }
}

/// Refuses a block that is impossible.
pub(super) fn check_block(model: &Model, card: &Card, block: &CardBlock) -> Result<(), InputError> {
    if let Some(why) = no_block(model, card) {
        return Err(InputError::new(why));
    }
    parameters(card.motion)
        .iter()
        .zip(block.numbers())
        .try_for_each(|(parameter, value)| parameter.check(value))
}

impl SavedState for CardBlock {
    fn write(&self, writer: &mut Writer) {
        self.numbers().write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [mass, stiffness, damping] = SavedState::read(reader)?;
        Some(CardBlock {
            mass,
            stiffness,
            damping,
        })
    }
}
