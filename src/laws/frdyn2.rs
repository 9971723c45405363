//! The second-order dynamic friction model FrDyn2.
//!
//! Source: G. Rill, M. Schuderer, *A Second-Order Dynamic Friction Model Compared to Commercial Stick–Slip Models*,
//! Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021. Equation numbers are the paper's; where text and
//! program differ, its Listing A4 is the law: the sticking force F_0 contains the contact velocity, not ż.
//!
//! The equations are in `frdyn2/equations`, and the methods that advance them implement the trait `Solver` of `laws/solver`. Layers,
//! of which each imports lower ones only:
//!
//! | layer | file | contents |
//! |---|---|---|
//! | 1 | `constants`, `metadata` | tuning constants; variables, equations and notes |
//! | 2 | `equations`, `step_totals`, `series`, `reversed`, `inputs`, `oscillator`, `error_budget` | the law at one instant; totals of a step; truncated power series; one in reverse order; ν and φ as polynomials; a damped oscillator; tolerances |
//! | 3 | `closed_forms`, `dimensionless`, `stuck_body`, `unstable_step` | closed forms; the law in units of F_s and v_s; the repeated step of an unstable bristle |
//! | 4 | `damped_motion`, `light_contact`, `taylor_series`, `stick_transient`, `stick_tail`, `slow_stick` | open contact and full sliding over a step; friction that hardly moves the bristle, under held and moving inputs; the series of a step; stick at constant v and under moving inputs |
//! | 5 | `moving_terms`, `zone_exit` | terms of moving inputs; the length to the border of a zone |
//! | 6 | `taylor_coefficients` | the recurrence |
//! | 7 | `taylor_step` | a step by series |
//! | 8 | `segment`, `moving_body` | steps from zone to zone, of a bristle and of a bristle with a body |
//! | 9 | `closed_contact` | a closed contact, with its fallbacks |
//! | 10 | `openings` | a contact that opens or closes |
//! | 11 | `zone_wise` | a communication step |
//!
//! Derivations, error budget and the reason of each constant: `docs/internals/numerics.md`.

mod closed_contact;
pub(super) mod closed_forms;
pub(super) mod constants;
pub(super) mod damped_motion;
mod dimensionless;
pub(super) mod equations;
mod error_budget;
mod inputs;
pub(super) mod light_contact;
pub(super) mod metadata;
mod moving_body;
mod moving_terms;
pub(super) mod openings;
pub(super) mod oscillator;
mod reversed;
mod segment;
pub(super) mod series;
pub(super) mod slow_stick;
pub(super) mod step_totals;
mod stick_tail;
mod stick_transient;
mod stuck_body;
mod taylor_coefficients;
mod taylor_series;
mod taylor_step;
pub(super) mod unstable_step;
mod zone_exit;
mod zone_wise;

#[cfg(test)]
mod figures;
#[cfg(test)]
mod measurements;
#[cfg(test)]
mod test_cases;
#[cfg(test)]
mod tests;

pub use self::equations::Equations;
pub(in crate::laws) use self::equations::unstable_on_measured;
pub use self::zone_wise::ZoneWise;
use crate::laws::solver::Solved;

/// FrDyn2 advanced by the general integrator only, without closed forms and series: the reference of tests, and a check of doubtful
/// results. `Element::<FrDyn2ByGeneralIntegrator, 2>::new()` is an element of it.
pub type FrDyn2ByGeneralIntegrator = Equations;

/// FrDyn2: its [`Equations`], advanced by the zone-wise solver.
pub type FrDyn2 = Solved<Equations, ZoneWise>;
