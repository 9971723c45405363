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
//! From the ground up, where an import only points down:
//!
//! | floor | file | contents |
//! |---|---|---|
//! | 1 | `metadata` | variables, equations and notes |
//! | 2 | `equations` | the law at one instant; by itself a law that the general integrator advances |
//! | 3 | `stick` | constants of stick under one normal force |
//! | 4 | `held_stick`, `moving_stick`, `stuck_body` | closed forms of stick: inputs held, v a polynomial, a body stuck to the bristle |
//! |   | `series` | Taylor series in the other zones while F_N is held |
//! | 5 | `advance` | a communication step |
//!
//! Full sliding and open contact are FrDyn2's own closed forms (`frdyn2/closed_forms`). All that happens under a moving
//! normal force is the general integrator's.

mod advance;
mod equations;
mod held_stick;
mod metadata;
mod moving_stick;
mod series;
mod stick;
mod stuck_body;

#[cfg(test)]
mod tests;

pub use self::equations::Equations;
use crate::integrate::SolverError;
use crate::integrate::polynomial::Polynomial;
use crate::integrate::radau::Radau;
use crate::law::{
    Contact, Evaluation, InputTrajectory, Jacobian, Law, LawMetadata, LoadInterval, MOST_EVENTS, Path, StepLimits,
    StepResult, StuckMotion,
};
use crate::variable::{InputError, Values};

/// FrDyn2Linear by the general integrator alone, without closed forms: the reference for tests.
pub type FrDyn2LinearByGeneralIntegrator = Equations;

/// FrDyn2Linear: its [`Equations`], advanced by closed forms where there are some.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrDyn2Linear {
    equations: Equations,
}

impl FrDyn2Linear {
    /// FrDyn2Linear with these parameters, advanced by the general integrator alone.
    pub fn with_general_integrator(self) -> FrDyn2LinearByGeneralIntegrator {
        self.equations
    }
}

/// All but the advance is that of the [`Equations`].
impl Law<2> for FrDyn2Linear {
    const METADATA: &'static LawMetadata = Equations::METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        Equations::new(values).map(|equations| FrDyn2Linear { equations })
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

    fn indicators(&self, contact: Contact, x: &[f64; 2], discrete: &()) -> [f64; MOST_EVENTS] {
        self.equations.indicators(contact, x, discrete)
    }

    fn event_polynomials(&self, path: &Path<2>, discrete: &()) -> Option<[Polynomial; MOST_EVENTS]> {
        self.equations.event_polynomials(path, discrete)
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
        advance::advance(&self.equations, trajectory, x, duration, tolerance, solver)
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
