//! One integrator for small stiff systems: u′ = f(t, z, u), with z′ = u where they are of second
//! order.
//!
//! Method: Radau IIA of order 5 (E. Hairer, G. Wanner, *Solving Ordinary Differential Equations
//! II*, 2nd ed. 1996, Sec. IV.8). In a system of second order z is eliminated from the stage
//! equations, so that each axis has three unknowns, not six. One controller chooses the length of
//! the steps ([`advance`]); a step is solved in `collocation`, and its error is estimated in
//! `estimate`. Nothing here is specific to friction.

mod collocation;
mod dense;
mod estimate;
mod steps;
pub mod tableau;

pub use self::collocation::{Convergence, Field, Verdict};
pub use self::dense::{advance, advance_growing};
pub use self::estimate::{BY_DEFECT, Estimate, PLACES, Rejected, quadrature_error};
pub use self::steps::{Outcome, Steps, control};

/// States of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<const D: usize> {
    /// Integral of u; 0 in a system of first order.
    pub z: [f64; D],
    /// The states whose rates are stiff.
    pub u: [f64; D],
}

/// Relative rounding of a state whose inputs are known to rounding, some dozens of roundings in a
/// step.
pub const ROUNDING: f64 = 1e-14;

/// Square matrix of the axes, as rows.
pub type Matrix<const D: usize> = [[f64; D]; D];

/// The rate f with its partial derivatives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearised<const D: usize> {
    /// f.
    pub rate: [f64; D],
    /// ∂f/∂z.
    pub by_z: Matrix<D>,
    /// ∂f/∂u.
    pub by_u: Matrix<D>,
}

/// Totals of a part of the integration: a scalar quadrature and a vector one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals<const D: usize> {
    /// Work, the integral of the power.
    pub work: f64,
    /// Impulse, the integral of the force.
    pub impulse: [f64; D],
}

impl<const D: usize> Totals<D> {
    /// Nothing.
    pub const ZERO: Self = Totals {
        work: 0.0,
        impulse: [0.0; D],
    };

    /// Adds another part.
    #[inline(always)]
    pub fn add(&mut self, part: &Self) {
        self.work += part.work;
        for i in 0..D {
            self.impulse[i] += part.impulse[i];
        }
    }
}

/// Integrands of the totals at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Integrands<const D: usize> {
    /// Power, the integrand of the work.
    pub power: f64,
    /// Force, the integrand of the impulse.
    pub force: [f64; D],
}

/// Totals that count as errors of 1 over an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TotalScales {
    /// Work.
    pub work: f64,
    /// Each component of the impulse.
    pub impulse: f64,
}

/// Bounds of a step from one state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Longest step whose error estimate is reliable, s.
    pub longest: f64,
    /// Rate at which errors grow, 1/s; 0 where they decay.
    pub growth_rate: f64,
}

/// Collocation polynomial of u over a step, with z at its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collocation<const D: usize> {
    /// Start of the step, s from the start of the interval.
    pub t: f64,
    /// Length of the step, s.
    pub h: f64,
    /// z at the start.
    pub z: [f64; D],
    /// Coefficients of each component of u over the elapsed share of the step, from order 0 on.
    pub u: [[f64; 4]; D],
}

/// Result of an integration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Done<const D: usize> {
    /// Totals over the interval.
    pub totals: Totals<D>,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Growth of errors over the interval, as the exponent of e.
    pub growth: f64,
    /// Duration, s: to the end of the interval, or to the first event in it.
    pub duration: f64,
}

impl<const D: usize> Done<D> {
    /// Nothing.
    pub const ZERO: Self = Done {
        totals: Totals::ZERO,
        inner_steps: 0,
        growth: 0.0,
        duration: 0.0,
    };

    /// Adds another interval.
    #[inline(always)]
    pub fn add(&mut self, next: &Self) {
        self.totals.add(&next.totals);
        self.inner_steps += next.inner_steps;
        self.growth += next.growth;
        self.duration += next.duration;
    }
}

/// A system of D axes over an interval that begins at t = 0, smooth but for kinks of f.
pub trait System<const D: usize> {
    /// Whether the system is of second order.
    const SECOND_ORDER: bool;
    /// Whether the force is linear in the rate and the states, also across the borders of branches
    /// of f.
    const FORCE_IS_LINEAR: bool;

    /// Whether an event may end a step at any share of it. Then the polynomial within the step has
    /// to be within the tolerance as well, and f may have kinks that [`branch`](System::branch)
    /// does not show.
    const IS_HYBRID: bool = false;

    /// Inputs at one time, with all that depends on them alone.
    type At: Copy;

    /// Whether a step of second order that ends on another branch is judged by its defect as well.
    fn judges_kinks(&self) -> bool {
        Self::FORCE_IS_LINEAR
    }

    /// Whether f = a − k u with a number k, so that one linear solution takes the place of Newton's
    /// iterations.
    fn is_linear(&self) -> bool {
        false
    }

    /// Inputs at the time t.
    fn at(&self, t: f64) -> Self::At;

    /// f.
    fn rate(&self, at: &Self::At, x: &State<D>) -> [f64; D];

    /// f and its partial derivatives; finite.
    fn linearised(&self, at: &Self::At, x: &State<D>) -> Linearised<D>;

    /// k of a linear system.
    fn decay_rate(&self, at: &Self::At) -> f64;

    /// Changes of z, the integral of u, and of u that count as an error of 1 along each axis, with
    /// the derivatives here; infinite for an axis that does not count.
    fn scale(&self, at: &Self::At, x: &State<D>, f: &Linearised<D>) -> State<D>;

    /// Whether the scale of a linear system may be far smaller at the end of a step than at its
    /// start.
    fn scale_varies(&self) -> bool {
        false
    }

    /// Relative rounding of the states, which the error allowed includes: a tolerance below it
    /// would reject every step.
    fn rounding(&self, _at: &Self::At) -> f64 {
        ROUNDING
    }

    /// Bounds of a step from here, with the derivatives here.
    fn limits(&self, t: f64, at: &Self::At, x: &State<D>, f: &Linearised<D>) -> Limits;

    /// Number of the smooth branch of f on which this state lies.
    fn branch(&self, at: &Self::At, x: &State<D>) -> u16;

    /// Whether a step from here to the last of its stages may pass over a part of f that no stage
    /// has seen.
    fn passes_over(
        &self,
        _start: &Self::At,
        _from: &State<D>,
        _stages: &[Self::At; 3],
        _states: &[State<D>; 3],
    ) -> bool {
        false
    }

    /// First guess of the change of u from one instant to a later one in the same interval, where
    /// there is no step before to extrapolate.
    fn predict(&self, _start: &Self::At, _x: &State<D>, _later: &Self::At) -> [f64; D] {
        [0.0; D]
    }

    /// Share of a step, 0 … 1, at which the first event ends it.
    fn event(&self, _step: &Collocation<D>) -> Option<f64> {
        None
    }

    /// Force and power where the rate is known.
    fn force(&self, at: &Self::At, x: &State<D>, rate: &[f64; D]) -> Integrands<D>;

    /// Whether the inputs are of higher than first order in time: then the power is of higher order
    /// than the quadrature.
    fn inputs_are_curved(&self) -> bool;

    /// Totals that count as errors of 1 over the whole interval.
    fn scales_of_totals(&self) -> TotalScales;

    /// Motion from here over the rest of the interval (s), where it has a closed form; `is_start`
    /// at the start of the interval.
    fn closed_form(&self, x: &mut State<D>, rest: f64, is_start: bool) -> Option<Totals<D>>;
}

/// Change of u over `duration` (s) by one linear step of the implicit Euler method.
pub fn implicit_change<const D: usize>(f: &Linearised<D>, u: &[f64; D], duration: f64) -> [f64; D] {
    let pulled = collocation::product(&f.by_z, u);
    let right = core::array::from_fn(|i| f.rate[i] + duration * pulled[i]);
    collocation::product(&collocation::inverse(1.0 / duration, f, true), &right)
}

#[cfg(test)]
mod tests;
