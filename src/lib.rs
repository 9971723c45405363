//! Friction laws as force elements: normal force and contact velocity in, friction force out.
//!
//! Modules from the lowest to the highest layer; imports point to lower layers only:
//! [`saved_state`], [`integrate`], [`characteristic`] and [`variable`], [`law`], [`laws`],
//! [`coupling`], [`element`], [`catalogue`]. The crate does not depend on FMI, reads no file and
//! does not allocate in a step.
//!
//! # Stepping an element
//!
//! [`catalogue`] lists the laws. An element holds its inputs over a step unless their derivatives
//! are set, and advances the states of its law by one communication step:
//!
//! ```
//! use bristle::catalogue;
//! use bristle::element::{F_N, F_R, V};
//!
//! let model = catalogue::find("FrDyn2").expect("the catalogue has FrDyn2");
//! let mut element = model.instantiate();
//! element.set(&F_N, 9.81); // N
//! element.initialize()?;
//!
//! // One period of 5 Hz in communication steps of 1 ms; the largest force in the motion.
//! let mut largest: f64 = 0.0;
//! for i in 0..200 {
//!     let phase = 2.0 * core::f64::consts::PI * 5.0 * f64::from(i) * 1e-3;
//!     element.set(&V, 0.02 * libm::sin(phase)); // m/s
//!     element.advance(1e-3)?; // s
//!     largest = largest.max(element.values()[&F_R]); // N
//! }
//! // It lies between the dynamic and the static friction force.
//! assert!((0.3 * 9.81..=0.6 * 9.81).contains(&largest));
//! # Ok::<(), bristle::integrate::SolverError>(())
//! ```
//!
//! # A law of one's own
//!
//! A law of another crate becomes a [`Model`](catalogue::Model), an [`Element`](element::Element),
//! and by `bristle-fmu` and `bristle-export` an FMU. A complete static law:
//!
//! ```
//! use bristle::catalogue::Model;
//! use bristle::element::{F_N, F_R, V};
//! use bristle::characteristic::Measured;
//! use bristle::law::{self, Contact, Evaluation, Law, LawMetadata, Numerics, Scalar, Structure};
//! use bristle::variable::{InputError, Unit, Values, Variable};
//!
//! const MU: Variable =
//!     Variable::parameter(32, "mu", r"\mu", Unit::One, 0.3, "Coefficient of friction").positive();
//! const V_0: Variable =
//!     Variable::parameter(33, "v_0", "v_0", Unit::MetrePerSecond, 1e-3, "Stick width").positive();
//!
//! static METADATA: LawMetadata = LawMetadata {
//!     name: "Smooth",
//!     title: "Coulomb friction, smoothed by a hyperbolic tangent",
//!     parameters: &[MU, V_0],
//!     structure: Structure::of_force(law::on(&[F_N, V]).initially(&[MU, V_0])),
//!     ..LawMetadata::EMPTY
//! };
//!
//! struct Smooth {
//!     mu: f64,
//!     v_0: f64,
//! }
//!
//! impl Law<0> for Smooth {
//!     const METADATA: &'static LawMetadata = &METADATA;
//!     type DiscreteState = ();
//!
//!     fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
//!         Ok(Smooth { mu: values[&MU], v_0: values[&V_0] })
//!     }
//!
//!     // Over numbers and dual numbers: the derivatives follow.
//!     fn evaluate<S: Scalar>(
//!         &self,
//!         contact: Contact<S>,
//!         _: &[S; 0],
//!         (): &(),
//!     ) -> Evaluation<0, S> {
//!         if contact.is_open() {
//!             return Evaluation::zero();
//!         }
//!         Evaluation::of_force(contact.F_N * (contact.v * (1.0 / self.v_0)).tanh() * self.mu)
//!     }
//!
//!     fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
//!         Numerics { error_force: self.mu * contact.F_N, ..Numerics::of([]) }
//!     }
//! }
//!
//! static SMOOTH: Model = Model::of::<Smooth, 0>();
//! let mut element = SMOOTH.instantiate();
//! element.set(&F_N, 10.0);
//! element.set(&V, 0.1);
//! element.evaluate()?;
//! assert!((element.values()[&F_R] - 3.0).abs() < 1e-12);
//! # Ok::<(), bristle::integrate::SolverError>(())
//! ```

#![forbid(unsafe_code)]

pub mod assembly;
pub mod catalogue;
pub mod characteristic;
pub mod coupling;
pub mod domain;
pub mod element;
pub mod integrate;
pub mod law;
pub mod laws;
mod ode;
#[cfg(test)]
mod properties;
pub mod saved_state;
pub mod scalar;
pub mod switches;
pub mod variable;
mod vector;

/// The project's licences by their file names: every FMU carries them.
pub const LICENCES: [(&str, &str); 2] = [
    ("LICENSE-MIT", include_str!("../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../LICENSE-APACHE")),
];
