//! The judges: every friction law but FrDyn2 (which [`crate::reference`] judges) written down afresh from its paper.
//!
//! They share nothing with the elements. Each follows a contact branch by branch as the paper prints the law, marches
//! through its modes in tiny pieces and bisects every switch: slow, and obviously right. Sources: \[KS\] Kargaonkar and
//! Singh 2024, \[MSL\] Modelica Standard Library, Modeling of Friction, \[RS\] Rill and Schuderer 2023, \[SW\] Stefański,
//! Wojewoda, Wiercigroch and Kapitaniak 2006.

pub mod adams_stick_slip;
pub mod armstrong;
mod brown_mcphee;
mod characteristic;
mod coulomb;
pub mod course;
pub mod dahl;
pub mod lugre;
mod machine;
mod march;
mod modelica_friction;
mod non_reversible;
pub mod pieces;
mod popp_stelter;
pub mod simpack_stick_slip;
mod static_regularized;
mod stefanski2003;
mod stefanski2006;
mod stribeck;

pub use adams_stick_slip::AdamsStickSlip;
pub use armstrong::Armstrong;
pub use brown_mcphee::BrownMcPhee;
pub use coulomb::Coulomb;
pub use course::{Contact, Course, Polynomial, Powers};
pub use dahl::Dahl;
pub use lugre::LuGre;
pub use modelica_friction::ModelicaFriction;
pub use non_reversible::NonReversible;
pub use popp_stelter::PoppStelter;
pub use simpack_stick_slip::SimpackStickSlip;
pub use static_regularized::StaticRegularized;
pub use stefanski2003::Stefanski2003;
pub use stefanski2006::Stefanski2006;
pub use stribeck::Stribeck;

/// A law at work: parameters, and whatever it remembers.
pub trait Judge {
    /// Follows the contact for `h` (s) and returns F_R at the end (N).
    fn follow(&mut self, course: &Course, h: f64) -> f64;

    /// The coefficient of the largest friction that the law has under slow motion: what errors are measured against.
    fn static_friction(&self) -> f64;

    /// F_R at the end (N), impulse (N·s) and energy (J) of a step of `h` (s) with moving inputs, by one integration with this
    /// tolerance; `None` for a law without a bristle to integrate.
    fn integrate(&mut self, _course: &Course, _h: f64, _tolerance: f64) -> Option<[f64; 3]> {
        None
    }

    /// Copy of the law and whatever it remembers.
    fn boxed(&self) -> Box<dyn Judge>;

    /// Takes over the state of an element, whose variables `value` gives by name, at a communication point where the contact is
    /// `contact`. A law without memory has nothing to take over.
    fn synchronise(&mut self, _contact: Contact, _value: &dyn Fn(&str) -> f64) {}

    /// Slip (-1, 1) or stick (0), of the laws that have modes.
    fn mode(&self) -> Option<i32> {
        None
    }

    /// Advances by `h` (s) with held inputs and returns F_R at the end (N).
    fn step(&mut self, contact: Contact, h: f64) -> f64 {
        self.follow(&Course::Held(contact), h)
    }
}

/// A law's parameters.
pub trait Law: Copy {
    /// The element's name.
    const ELEMENT: &'static str;

    /// Every parameter by its name in the FMU.
    fn parameters(&self) -> Vec<(&'static str, f64)>;

    /// Sets the parameter of this name.
    ///
    /// # Panics
    /// If there is none.
    fn set(&mut self, name: &str, value: f64);

    /// A judge of it, at rest.
    fn judge(&self) -> Box<dyn Judge>;
}

/// Declares a law's parameters with their defaults, and what judges it: a function of them that gives a [`Judge`].
macro_rules! parameters {
    ($(#[$doc:meta])* $element:ident { $($(#[$unit:meta])* $name:ident = $default:expr,)* } => $judge:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(non_snake_case)] // the papers' symbols
        pub struct $element { $($(#[$unit])* pub $name: f64,)* }

        impl Default for $element {
            fn default() -> Self {
                $element { $($name: $default,)* }
            }
        }

        impl $crate::judge::Law for $element {
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

            fn judge(&self) -> Box<dyn $crate::judge::Judge> {
                Box::new($judge(*self))
            }
        }
    };
}
pub(crate) use parameters;

/// The speed up to which a sliding contact has come to rest, m/s: a velocity that was to be 0 is what rounding makes of it.
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
