//! Source of the normal force of a contact, or of the load of a joint, where it is no input: it
//! follows from the torques of a gear or from the reactions of a joint.
//!
//! The inputs of a source are held over a step. F_N has its value whenever one of them is set.

use super::gear::{GEAR, Gear, LOSSES, Losses};
use super::reactions::Reactions;
use super::{F_N, RADIUS, V};
use crate::scalar::{Dual, Scalar};
use crate::variable::{InputError, Role, Values, Variable};

/// Source of the normal force.
#[derive(Clone, Debug)]
pub enum Source {
    /// Torques of a gear, by two factors.
    Gear(Gear),
    /// Torque into a gear, by a table of losses over the speed.
    Losses(Losses),
    /// Reactions of a joint.
    Reactions(Reactions),
}

impl Source {
    /// Variables that an element has for it.
    pub fn variables(&self) -> impl Iterator<Item = &'static Variable> + use<> {
        let (of_gear, reactions) = match self {
            Source::Gear(_) => (&GEAR[..], None),
            Source::Losses(_) => (&LOSSES[..], None),
            Source::Reactions(reactions) => (&[][..], Some(*reactions)),
        };
        let of_reactions = reactions.into_iter().flat_map(Reactions::variables);
        of_gear.iter().chain(of_reactions)
    }

    /// Variables that the normal force depends on, own ones and others.
    pub fn knowns(&self) -> impl Iterator<Item = &'static Variable> + use<> {
        let others = match self {
            Source::Gear(Gear { sliding }) => [Some(*sliding), None, None],
            Source::Losses(losses) => [
                Some(losses.sliding),
                Some(&V),
                Some(losses.direction_at_rest),
            ],
            Source::Reactions(reactions) => [reactions.has_radius().then_some(&RADIUS), None, None],
        };
        self.variables().chain(others.into_iter().flatten())
    }

    /// Whether a variable is an input of the source.
    pub fn has_input(&self, variable: &Variable) -> bool {
        let is_it = |known: &Variable| known.role == Role::Input && known.is(variable);
        self.variables().any(is_it)
    }

    /// Whether a value that is set changes the normal force. A joint has no other load than its
    /// gear's; the normal force of reactions may be set, as the study of an element does.
    pub(super) fn depends_on(&self, variable: &Variable) -> bool {
        let is_load = variable.is(&F_N) && !matches!(self, Source::Reactions(_));
        is_load || self.knowns().any(|known| known.is(variable))
    }

    /// Normal force, N, or load, of a table of values.
    pub fn normal_force(&self, values: &Values) -> f64 {
        self.calculate(|variable| values[variable])
    }

    /// Seeds of a directional derivative with that of the normal force, which follows from the
    /// others.
    pub(super) fn with_normal_force(&self, values: &Values, seed: &Values) -> Values {
        let dual = |variable: &Variable| Dual {
            value: values[variable],
            derivatives: [seed[variable]],
        };
        let [change] = self.calculate(dual).derivatives;
        let mut seed = *seed;
        seed[&F_N] += change;
        seed
    }

    fn calculate<S: Scalar>(&self, of: impl Fn(&Variable) -> S) -> S {
        match self {
            Source::Gear(gear) => gear.load(of),
            Source::Losses(losses) => losses.load(of),
            Source::Reactions(reactions) => reactions.normal_force(of),
        }
    }

    /// Refuses values that leave the source without a meaning.
    pub(super) fn check(&self, values: &Values) -> Result<(), InputError> {
        match self {
            Source::Gear(Gear { sliding }) | Source::Losses(Losses { sliding, .. }) => {
                check_sliding(sliding, values)
            }
            Source::Reactions(_) => Ok(()),
        }
    }
}

/// Refuses a sliding torque of 0, over which the load is taken.
fn check_sliding(sliding: &Variable, values: &Values) -> Result<(), InputError> {
    if values[sliding] > 0.0 {
        return Ok(());
    }
    let name = sliding.name;
    Err(InputError::new(format!(
        "{name} = {:?} was given where a gear needs a torque above 0; raise {name}",
        values[sliding]
    ))
    .about(&[name]))
}
