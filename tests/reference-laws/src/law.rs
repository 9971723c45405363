//! Traits and small functions of all reference laws.

use crate::trajectory::{Contact, InputTrajectory};

/// Reference law with its parameters and its state.
pub trait ReferenceLaw {
    /// Advances by `h` (s) with moving inputs and returns F_R at the end (N).
    fn advance(&mut self, inputs: &InputTrajectory, h: f64) -> f64;

    /// Coefficient of the largest friction under slow motion, the scale of errors.
    fn static_friction(&self) -> f64;

    /// F_R at the end (N), impulse (N·s) and energy (J) of a step of `h` (s) with moving inputs, by
    /// one integration with this tolerance; `None` for a law without a bristle to integrate.
    fn integrate(
        &mut self,
        _course: &InputTrajectory,
        _h: f64,
        _tolerance: f64,
    ) -> Option<[f64; 3]> {
        None
    }

    /// Copy of the law and its state.
    fn boxed(&self) -> Box<dyn ReferenceLaw>;

    /// Takes over the state of an element, whose variables `value` gives by name, at a
    /// communication point where the contact is `contact`. A law without memory has nothing to take
    /// over.
    fn synchronise(&mut self, _contact: Contact, _value: &dyn Fn(&str) -> f64) {}

    /// Slip (-1, 1) or stick (0), of the laws that have modes.
    fn mode(&self) -> Option<i32> {
        None
    }

    /// Advances by `h` (s) with held inputs and returns F_R at the end (N).
    fn step(&mut self, contact: Contact, h: f64) -> f64 {
        self.advance(&InputTrajectory::Held(contact), h)
    }
}

/// Parameters of a law.
pub trait LawParameters: Copy {
    /// Name of the element.
    const ELEMENT: &'static str;

    /// Every parameter by its name in the FMU.
    fn parameters(&self) -> Vec<(&'static str, f64)>;

    /// Sets the parameter of this name.
    ///
    /// # Panics
    /// If there is none.
    fn set(&mut self, name: &str, value: f64);

    /// Reference law with these parameters, at rest.
    fn at_rest(&self) -> Box<dyn ReferenceLaw>;
}

/// Declares the parameters of a law with those of its paper and, where they differ, the defaults of
/// its element, and a function from them to a [`ReferenceLaw`].
macro_rules! parameters {
    (@default $paper:expr) => { $paper };
    (@default $paper:expr, $default:expr) => { $default };
    ($(#[$doc:meta])* $element:ident { $($(#[$unit:meta])* $name:ident = $paper:expr $(, element $default:expr)?;)* } => $solution:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(non_snake_case)] // the papers' symbols
        pub struct $element { $($(#[$unit])* pub $name: f64,)* }

        impl Default for $element {
            fn default() -> Self {
                $element { $($name: $crate::law::parameters!(@default $paper $(, $default)?),)* }
            }
        }

        impl $element {
            /// Parameters of the paper.
            pub fn paper() -> Self {
                $element { $($name: $paper,)* }
            }
        }

        impl $crate::law::LawParameters for $element {
            const ELEMENT: &'static str = stringify!($element);

            fn parameters(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name),)*]
            }

            fn set(&mut self, name: &str, value: f64) {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => panic!("{} has no parameter {name}", stringify!($element)),
                }
            }

            fn at_rest(&self) -> Box<dyn $crate::law::ReferenceLaw> {
                Box::new($solution(*self))
            }
        }
    };
}
pub(crate) use parameters;

/// Speed up to which a sliding contact counts as at rest, m/s: the rounding of a velocity that
/// should be 0.
pub const REST: f64 = 1e-12;

/// The sign as the papers use it: sgn(0) = 0.
pub fn sgn(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}
