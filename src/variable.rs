//! Declaration of a variable: one constant with all its attributes.
//!
//! A contact's variables live in one table of [`SLOTS`] numbers. A variable's `reference` is its
//! slot there and its value reference in an FMU of one contact: written down where the variable is
//! declared, never counted, so that no reordering of code can change the references in a user's
//! saved model. In an FMU of several contacts, contact i has the references from i [`RANGE`] on,
//! and the range from 0 on has what the contacts share.

mod direction;
mod names;
mod scale;
mod unit;
mod values;

pub use self::direction::BACKWARD;
pub(crate) use self::names::{intern, kept};
pub use self::scale::{Scale, Units};
pub use self::unit::Unit;
pub use self::values::{MODES, Values};

use core::fmt;
use core::ops::{Range, RangeInclusive};

/// The size of an element's table of values. References by role: inputs 0–7, outputs 8–15, states
/// and their derivatives 16–27, modes 28–31, parameters 32–63, outputs and further parameters for
/// the coupling 64–71 and 72–79.
pub const SLOTS: usize = 80;

/// Lowest reference of a variable of a block, the body inside an element. A block has a table of
/// its own.
pub const BLOCK: u32 = SLOTS as u32;

/// Size of the table of a block: inputs and outputs 0–7, states and their derivatives 8–11,
/// parameters 12–15.
pub const BLOCK_SLOTS: usize = 16;

/// Lowest slot of a parameter.
pub const FIRST_PARAMETER: u32 = 32;

/// Slots of the outputs of the coupling.
pub const COUPLING_OUTPUTS: Range<usize> = 64..72;

/// Value references of one contact in an FMU of several: the distance between the references of a
/// variable in two neighbours.
pub const RANGE: u32 = 128;

/// Slot of a value reference in the table of its contact.
#[inline]
pub const fn slot(reference: u32) -> usize {
    (reference % RANGE) as usize
}

/// A declared variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variable {
    /// The value reference: the slot in the table of values, and a multiple of [`RANGE`].
    pub reference: u32,
    /// The paper's symbol in ASCII.
    pub name: &'static str,
    /// The paper's symbol in LaTeX, for documentation.
    pub symbol: &'static str,
    /// Meaning and sign convention, one line.
    pub description: &'static str,
    /// Role in the element.
    pub role: Role,
    /// Its unit; [`Unit::One`] for a Boolean or a mode.
    pub unit: Unit,
    /// Unit of the interface, in which value, start value and bounds are, where a card declares
    /// another one than `unit`.
    pub scale: Option<Scale>,
    /// The value before anyone sets it. Outputs and derivatives are calculated and have none.
    pub start: Option<f64>,
    /// The smallest value allowed.
    pub min: Option<f64>,
    /// The largest value allowed.
    pub max: Option<f64>,
    /// A typical magnitude, greater than 0.
    pub nominal: Option<f64>,
    /// A state that events change: `reinit` of FMI.
    pub reinit: bool,
}

/// The smallest value of a parameter that must be above 0: quotients by it stay in the range of
/// floating-point numbers.
pub const LEAST_POSITIVE: f64 = 1e-100;

/// Role of a variable in its element; type, causality and variability follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Set by the user at any time, continuous.
    Input,
    /// A real number the element calculates, continuous.
    Output,
    /// A truth value the element calculates; 0 or 1 in the table of values.
    BooleanOutput,
    /// A continuous state; its start value may be set.
    State,
    /// The time derivative of the state with this reference.
    Derivative {
        /// The reference of the state.
        of: u32,
    },
    /// A whole number that the element changes at events only, from −1 to `most`.
    DiscreteState {
        /// The largest value.
        most: i32,
    },
    /// A number of the law, tunable between steps.
    Parameter,
    /// A parameter that is one of these: name and meaning. Its value is the place in the list, from
    /// 1.
    Choice(&'static [(&'static str, &'static str)]),
}

impl Variable {
    /// A variable of a role, with nothing else said yet.
    const fn new(
        role: Role,
        reference: u32,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        description: &'static str,
    ) -> Self {
        Variable {
            reference,
            name,
            symbol,
            description,
            role,
            unit,
            scale: None,
            start: None,
            min: None,
            max: None,
            nominal: None,
            reinit: false,
        }
    }

    /// An input, 0–7.
    pub const fn input(
        reference: u32,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        description: &'static str,
    ) -> Self {
        Variable::new(Role::Input, reference, name, symbol, unit, description).start(0.0)
    }

    /// A real output, 8–15 or 64–71.
    pub const fn output(
        reference: u32,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        description: &'static str,
    ) -> Self {
        Variable::new(Role::Output, reference, name, symbol, unit, description)
    }

    /// A Boolean output, 8–15.
    pub const fn flag(reference: u32, name: &'static str, description: &'static str) -> Self {
        Variable::new(
            Role::BooleanOutput,
            reference,
            name,
            "",
            Unit::One,
            description,
        )
    }

    /// A mode, 28–31, with the values −1, 0 and 1.
    pub const fn mode(reference: u32, name: &'static str, description: &'static str) -> Self {
        Variable::new(
            Role::DiscreteState { most: 1 },
            reference,
            name,
            "",
            Unit::One,
            description,
        )
    }

    /// Mode with values up to this one.
    pub const fn up_to(mut self, most: i32) -> Self {
        self.role = Role::DiscreteState { most };
        self
    }

    /// A continuous state, 16–27, resting at 0 before anyone sets it.
    pub const fn state(
        reference: u32,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        description: &'static str,
    ) -> Self {
        Variable::new(Role::State, reference, name, symbol, unit, description).start(0.0)
    }

    /// The time derivative of `state`, 16–27.
    pub const fn derivative(
        reference: u32,
        state: &Variable,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        description: &'static str,
    ) -> Self {
        Variable::new(
            Role::Derivative {
                of: state.reference,
            },
            reference,
            name,
            symbol,
            unit,
            description,
        )
    }

    /// A parameter, 32–63, with its value in the source.
    pub const fn parameter(
        reference: u32,
        name: &'static str,
        symbol: &'static str,
        unit: Unit,
        start: f64,
        description: &'static str,
    ) -> Self {
        Variable::new(Role::Parameter, reference, name, symbol, unit, description).start(start)
    }

    /// A parameter with named values, 32–63; the first is the start value.
    pub const fn choice(
        reference: u32,
        name: &'static str,
        choices: &'static [(&'static str, &'static str)],
        description: &'static str,
    ) -> Self {
        Variable::new(
            Role::Choice(choices),
            reference,
            name,
            "",
            Unit::One,
            description,
        )
        .start(1.0)
    }

    /// Variable with this start value.
    pub const fn start(mut self, start: f64) -> Self {
        self.start = Some(start);
        self
    }

    /// Sets the smallest value that is allowed.
    pub const fn at_least(mut self, min: f64) -> Self {
        self.min = Some(min);
        self
    }

    /// Restricts the variable to values above 0, from [`LEAST_POSITIVE`] on.
    pub const fn positive(self) -> Self {
        self.at_least(LEAST_POSITIVE)
    }

    /// Sets the smallest and the largest value that are allowed.
    pub const fn within(mut self, bounds: RangeInclusive<f64>) -> Self {
        (self.min, self.max) = (Some(*bounds.start()), Some(*bounds.end()));
        self
    }

    /// Declares that events change the state.
    pub const fn reinit(mut self) -> Self {
        self.reinit = true;
        self
    }

    /// Variable with this typical magnitude.
    pub const fn nominal(mut self, nominal: f64) -> Self {
        self.nominal = Some(nominal);
        self
    }

    /// It is a real number to FMI, not a whole one or a truth value.
    #[inline]
    pub const fn is_real(&self) -> bool {
        !matches!(
            self.role,
            Role::BooleanOutput | Role::DiscreteState { .. } | Role::Choice(_)
        )
    }

    /// A parameter of the law or of the element, also where a card makes it an input.
    #[inline]
    pub const fn is_parameter(&self) -> bool {
        Variable::is_parameter_slot(self.slot())
    }

    /// Whether a slot is that of a parameter.
    #[inline]
    pub const fn is_parameter_slot(slot: usize) -> bool {
        FIRST_PARAMETER as usize <= slot && slot < COUPLING_OUTPUTS.start
            || COUPLING_OUTPUTS.end <= slot && slot < SLOTS
            || SLOTS + 12 <= slot && slot < SLOTS + BLOCK_SLOTS
    }

    /// Whether a slot is that of a variable of a block.
    #[inline]
    pub const fn is_block_slot(slot: usize) -> bool {
        SLOTS <= slot && slot < SLOTS + BLOCK_SLOTS
    }

    /// Whether it is a variable of a block, which has a table of its own.
    #[inline]
    pub const fn is_of_block(&self) -> bool {
        Variable::is_block_slot(self.slot())
    }

    /// A state that is an output to FMI as well: position and velocity of a block.
    pub const fn is_output_state(&self) -> bool {
        matches!(self.role, Role::State) && self.is_of_block()
    }

    /// An output, real or a truth value.
    pub const fn is_output(&self) -> bool {
        matches!(self.role, Role::Output | Role::BooleanOutput)
    }

    /// An output, or a state that is one to FMI.
    pub const fn is_any_output(&self) -> bool {
        self.is_output() || self.is_output_state()
    }

    /// Slot in the table of values.
    #[inline]
    pub const fn slot(&self) -> usize {
        slot(self.reference)
    }

    /// Whether it is this declared variable, in whatever contact and whatever a card changed of it.
    #[inline]
    pub const fn is(&self, declared: &Variable) -> bool {
        self.slot() == declared.slot()
    }

    /// Name of the unit of its value.
    pub const fn unit_name(&self) -> &'static str {
        match self.scale {
            Some(scale) => scale.unit,
            None => self.unit.symbol(),
        }
    }

    /// Value in its SI unit, or a change of it.
    #[inline]
    pub fn to_si(&self, value: f64) -> f64 {
        self.scale.map_or(value, |scale| value * scale.factor)
    }

    /// Value, or a change of it, of that in its SI unit.
    #[inline]
    pub fn of_si(&self, value: f64) -> f64 {
        self.scale.map_or(value, |scale| value / scale.factor)
    }

    /// The variable in another unit.
    #[must_use]
    pub fn in_unit(self, scale: Scale) -> Self {
        let scaled = |number: Option<f64>| number.map(|number| number / scale.factor);
        Variable {
            scale: Some(scale),
            start: scaled(self.start),
            min: match self.min {
                // The bound that stands for "above 0".
                Some(LEAST_POSITIVE) => self.min,
                min => scaled(min),
            },
            max: scaled(self.max),
            nominal: scaled(self.nominal),
            ..self
        }
    }

    /// The name of its type in FMI.
    pub const fn type_name(&self) -> &'static str {
        match self.role {
            Role::BooleanOutput => "Boolean",
            Role::DiscreteState { .. } => "Integer",
            Role::Choice(_) => "Enumeration",
            _ => "Real",
        }
    }

    /// Values that this variable, taken alone, can have, in words, if this is none of them.
    pub fn expected_instead_of(&self, value: f64) -> Option<String> {
        if !self.to_si(value).is_finite() {
            Some("a finite number".to_owned())
        } else if let Role::DiscreteState { most } = self.role
            && (value != value.trunc() || !(-1.0..=f64::from(most)).contains(&value))
        {
            Some(format!("a whole number from -1 to {most}"))
        } else if let Role::Choice(choices) = self.role
            && (value != value.trunc() || !(1.0..=choices.len() as f64).contains(&value))
        {
            let named = choices
                .iter()
                .zip(1..)
                .map(|((name, _), number)| format!("{number} ({name})"));
            Some(named.collect::<Vec<_>>().join(" or "))
        } else {
            match (self.min, self.max) {
                (Some(LEAST_POSITIVE), _) if value <= 0.0 => Some("a value above 0".to_owned()),
                (Some(min), _) if value < min => Some(format!("a value of at least {min:?}")),
                (_, Some(max)) if value > max => Some(format!("a value of at most {max:?}")),
                _ => None,
            }
        }
    }

    /// Refuses a value that this variable, taken alone, cannot have.
    pub fn check(&self, value: f64) -> Result<(), InputError> {
        let Some(expected) = self.expected_instead_of(value) else {
            return Ok(());
        };
        let unit = match self.unit_name() {
            "1" => String::new(),
            unit => format!(" {unit}"),
        };
        let is_whole = !self.is_real() && value == value.trunc();
        let value = if is_whole {
            format!("{value:.0}")
        } else {
            format!("{value:?}")
        };
        Err(InputError::new(format!(
            "{} = {value}{unit} was given where {expected} is needed; set {0} again",
            self.name
        )))
    }
}

/// Refusal of values: one sentence with the fault, the expectation and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// The sentence.
    pub sentence: String,
    /// Parameters that contradict each other, or keys of a card; the first one that a card gives
    /// is the place of the fault.
    pub keys: Vec<&'static str>,
}

impl InputError {
    /// Refusal by a sentence.
    pub fn new(sentence: impl Into<String>) -> Self {
        InputError {
            sentence: sentence.into(),
            keys: Vec::new(),
        }
    }

    /// Refusal about these keys.
    pub fn about(self, keys: &[&'static str]) -> Self {
        InputError {
            keys: keys.to_vec(),
            ..self
        }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for InputError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_out_of_bounds_is_refused_with_a_sentence_that_says_what_to_do() {
        let stiffness =
            Variable::parameter(32, "sigma_0", r"\sigma_0", Unit::NewtonPerMetre, 1.0, "")
                .positive();
        assert!(stiffness.check(LEAST_POSITIVE).is_ok());
        let refusal = stiffness.check(0.0).unwrap_err();
        assert_eq!(
            refusal.sentence,
            "sigma_0 = 0.0 N/m was given where a value above 0 is needed; set sigma_0 again"
        );
        assert!(
            stiffness
                .check(1e-300)
                .unwrap_err()
                .sentence
                .contains("a value of at least 1e-100")
        );
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(
                stiffness
                    .check(value)
                    .unwrap_err()
                    .sentence
                    .contains("a finite number")
            );
        }
    }

    #[test]
    fn modes_are_whole_numbers_up_to_their_most() {
        let mode = Variable::mode(28, "mode", "");
        for value in [-1.0, 0.0, 1.0] {
            assert_eq!(mode.check(value), Ok(()), "{value}");
        }
        for value in [-2.0, 0.5, 2.0] {
            assert!(
                mode.check(value)
                    .unwrap_err()
                    .sentence
                    .contains("a whole number from -1 to 1"),
                "{value}"
            );
        }
    }

    #[test]
    fn largest_value_is_accepted_and_one_above_it_refused_with_the_bound() {
        let share = Variable::parameter(33, "share", "", Unit::One, 0.5, "");
        let share = Variable {
            max: Some(2.0),
            ..share
        };
        assert_eq!(share.check(2.0), Ok(()));
        let refusal = share.check(2.5).unwrap_err();
        assert_eq!(
            refusal.sentence,
            "share = 2.5 was given where a value of at most 2.0 is needed; set share again"
        );
    }
}
