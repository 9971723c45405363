//! The second-order dynamic friction model FrDyn2.
//!
//! Source: G. Rill, M. Schuderer, *A Second-Order Dynamic Friction Model Compared to Commercial Stick–Slip Models*,
//! Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021. Equation numbers are the paper's; where text and
//! program differ, its Listing A4 is the law: the sticking force F_0 contains the contact velocity, not ż.
//!
//! The equations are in `frdyn2/equations`, and the methods that advance them behind the trait `Solver` of `frdyn2/solver`. From
//! the ground up, where an import only points down:
//!
//! | floor | file | contents |
//! |---|---|---|
//! | 1 | `constants`, `metadata` | tuning constants; variables, equations and notes |
//! | 2 | `equations`, `series`, `inputs`, `oscillator`, `gauss`, `error_budget` | the law at one instant; truncated power series; ν and φ as polynomials; coefficients of methods; tolerances |
//! | 3 | `solver`, `closed_forms`, `dimensionless`, `stuck_body` | the interface with the general integrator behind it; closed forms; the law in units of F_s and v_s |
//! | 4 | `taylor_series`, `stick_transient`, `stick_tail` | the series of a step; stick at constant v |
//! | 5 | `moving_terms`, `zone_exit` | terms of moving inputs; the length to the border of a zone |
//! | 6 | `taylor_coefficients` | the recurrence |
//! | 7 | `taylor_step` | a step by series |
//! | 8 | `segment` | steps from zone to zone |
//! | 9 | `closed_contact` | a closed contact, with its fallbacks |
//! | 10 | `openings` | a contact that opens or closes |
//! | 11 | `zone_wise` | a communication step |
//!
//! Derivations, error budget and the reason of each constant: `docs/numerics.md`.

mod closed_contact;
pub(super) mod closed_forms;
pub(super) mod constants;
mod dimensionless;
pub(super) mod equations;
mod error_budget;
mod gauss;
mod inputs;
pub(super) mod metadata;
mod moving_terms;
mod openings;
pub(super) mod oscillator;
mod segment;
mod series;
mod solver;
mod stick_tail;
mod stick_transient;
mod stuck_body;
mod taylor_coefficients;
mod taylor_series;
mod taylor_step;
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
use self::solver::{Interval, Solver};
use self::zone_wise::ZoneWise;
use crate::integrate::SolverError;
use crate::integrate::radau::Radau;
use crate::law::{
    Contact, Evaluation, InputTrajectory, Jacobian, Law, LawMetadata, LoadInterval, StepLimits, StepResult, StuckMotion,
};
use crate::variable::{InputError, Values};

/// FrDyn2 by the general integrator alone, without closed forms and series: the reference for tests, and a second opinion where a
/// result is in doubt. `Element::<FrDyn2ByGeneralIntegrator, 2>::new()` is an element of it.
pub type FrDyn2ByGeneralIntegrator = Equations;

/// FrDyn2: its [`Equations`], advanced by the zone-wise solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrDyn2 {
    equations: Equations,
}

impl FrDyn2 {
    /// FrDyn2 with these parameters, advanced by the general integrator alone.
    pub fn with_general_integrator(self) -> FrDyn2ByGeneralIntegrator {
        self.equations
    }
}

/// All but the advance is that of the [`Equations`].
impl Law<2> for FrDyn2 {
    const METADATA: &'static LawMetadata = Equations::METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        Equations::new(values).map(|equations| FrDyn2 { equations })
    }

    #[inline]
    fn evaluate(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> Evaluation<2> {
        self.equations.evaluate(contact, x, discrete)
    }

    fn jacobian(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> Jacobian<2> {
        self.equations.jacobian(contact, x, discrete)
    }

    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        self.equations.scale(contact, x)
    }

    fn stiffness(&self) -> f64 {
        self.equations.stiffness()
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.equations.static_force(normal_force)
    }

    fn velocity_error_scale(&self, contact: Contact) -> f64 {
        self.equations.velocity_error_scale(contact)
    }

    fn step_limits(&self, contact: Contact, x: &[f64; 2]) -> StepLimits {
        self.equations.step_limits(contact, x)
    }

    fn stuck_body(&self, mass: f64, x: &[f64; 2], v: f64, interval: &LoadInterval) -> Option<StuckMotion<2>> {
        stuck_body::stuck_body(&self.equations, mass, *x, v, interval)
    }

    fn quasi_static_response(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> [f64; 2] {
        self.equations.quasi_static_response(contact, x, discrete)
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.equations.model_warning(contact)
    }

    #[inline]
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 2],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        ZoneWise.advance(&self.equations, &Interval { trajectory, duration, tolerance }, x, solver)
    }

    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 2],
        discrete: &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        self.equations.advance_with_impulse(trajectory, x, discrete, duration, tolerance, solver)
    }
}
