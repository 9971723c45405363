//! FrDyn2 with a linear regularisation: stick is a linear system, and no load that pulsates below F_s makes it creep.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021, for all but shift and
//! characteristic up to v_s. Their linear form follows from the abstract of a follow-up by Hanft et al., which names the curved
//! regularisation as the cause of drift under asymmetric excitation and a linear one as the cure, and from our own derivation; the
//! text of the follow-up was not at hand. In stick, with k = F_s/v_s and e = v − ż,
//!
//! m_b e′ = −(k + σ_1) e + m_b v′,
//!
//! so that ∫e dt = m_b (ż(0) − ż(t))/(k + σ_1) stays bounded, whatever the path. Under the parabola k depends on F_0, and each cycle of
//! a load about a mean leaves a part of e.
//!
//! Layers, of which each imports lower ones only:
//!
//! | layer | file | contents |
//! |---|---|---|
//! | 1 | `metadata` | variables, equations and notes |
//! | 2 | `equations` | the law at one instant, a law of its own that the general integrator advances |
//! | 3 | `stick` | constants of stick under one normal force |
//! | 4 | `held_stick`, `moving_stick`, `stuck_body` | closed forms of stick: inputs held, v a polynomial, a body stuck to the bristle |
//! |   | `series` | Taylor series in the other zones, and in stick under a moving F_N |
//! | 5 | `advance` | a communication step |
//!
//! Full sliding and open contact use the closed forms of FrDyn2 (`frdyn2/closed_forms`), light contacts its panels (`frdyn2/light_contact`). Stick that is too stiff for series is left to
//! the general integrator.

mod advance;
mod equations;
mod held_stick;
pub(super) mod metadata;
mod moving_stick;
mod series;
mod slow_stick;
mod stick;
mod stuck_body;

#[cfg(test)]
mod tests;

pub use self::advance::WithClosedForms;
pub use self::equations::Equations;
use super::solver::Solved;

/// FrDyn2Linear advanced by the general integrator only: the reference of tests.
pub type FrDyn2LinearByGeneralIntegrator = Equations;

/// FrDyn2Linear: its [`Equations`], advanced by closed forms and series where they apply.
pub type FrDyn2Linear = Solved<Equations, WithClosedForms>;
