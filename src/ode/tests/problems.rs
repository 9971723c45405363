//! Problems written once over numbers and dual numbers, and their integration.

use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::ode::{
    Collocation, Done, Integrands, Limits, Linearised, State, System, TotalScales, Totals, advance,
};
use crate::scalar::{Dual, Scalar};
use core::array;

/// u′ of D axes, with z′ = u where it is of second order. The force is u′ or a function of time.
pub trait Problem<const D: usize> {
    const SECOND_ORDER: bool = false;
    const IS_HYBRID: bool = false;

    fn rate<S: Scalar>(&self, t: f64, z: &[S; D], u: &[S; D]) -> [S; D];

    /// k where the rate is a(t) − k(t) u.
    fn decay_rate(&self, _t: f64) -> Option<f64> {
        None
    }

    fn scale(&self, _x: &State<D>) -> [[f64; D]; 2] {
        [[1.0; D]; 2]
    }

    fn longest(&self) -> f64 {
        f64::INFINITY
    }

    fn branch(&self, _u: f64) -> u16 {
        0
    }

    fn passes_over(&self, _from: f64, _to: f64) -> bool {
        false
    }

    fn event(&self, _step: &Collocation<D>) -> Option<f64> {
        None
    }

    fn force(&self, _t: f64) -> Option<[f64; D]> {
        None
    }

    fn closed_form(&self, _rest: f64, _is_start: bool) -> Option<State<D>> {
        None
    }
}

/// A problem as a system of the integrator.
struct Posed<'a, P>(&'a P);

impl<P: Problem<D>, const D: usize> System<D> for Posed<'_, P> {
    const SECOND_ORDER: bool = P::SECOND_ORDER;
    const FORCE_IS_LINEAR: bool = false;
    const IS_HYBRID: bool = P::IS_HYBRID;

    type At = f64;

    fn is_linear(&self) -> bool {
        self.0.decay_rate(0.0).is_some()
    }

    fn at(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: &f64, x: &State<D>) -> [f64; D] {
        self.0.rate(*t, &x.z, &x.u)
    }

    fn linearised(&self, t: &f64, x: &State<D>) -> Linearised<D> {
        let constant = |x: [f64; D]| x.map(Dual::<D>::constant);
        let variable = |x: [f64; D]| array::from_fn(|i| Dual::variable(x[i], i));
        let by_z = self
            .0
            .rate(*t, &variable(x.z), &constant(x.u))
            .map(|rate| rate.derivatives);
        let by_u = self
            .0
            .rate(*t, &constant(x.z), &variable(x.u))
            .map(|rate| rate.derivatives);
        Linearised {
            rate: self.rate(t, x),
            by_z,
            by_u,
        }
    }

    fn decay_rate(&self, t: &f64) -> f64 {
        self.0.decay_rate(*t).unwrap()
    }

    fn scale(&self, _: &f64, x: &State<D>, _: &Linearised<D>) -> State<D> {
        let [z, u] = self.0.scale(x);
        State { z, u }
    }

    fn limits(&self, _: f64, _: &f64, _: &State<D>, _: &Linearised<D>) -> Limits {
        Limits {
            longest: self.0.longest(),
            growth_rate: 0.5,
        }
    }

    fn branch(&self, _: &f64, x: &State<D>) -> u16 {
        self.0.branch(x.u[0])
    }

    fn passes_over(&self, _: &f64, from: &State<D>, _: &[f64; 3], states: &[State<D>; 3]) -> bool {
        self.0.passes_over(from.u[0], states[2].u[0])
    }

    fn event(&self, step: &Collocation<D>) -> Option<f64> {
        self.0.event(step)
    }

    fn force(&self, t: &f64, x: &State<D>, rate: &[f64; D]) -> Integrands<D> {
        let force = self.0.force(*t).unwrap_or(*rate);
        Integrands {
            power: (0..D).map(|i| force[i] * x.u[i]).sum(),
            force,
        }
    }

    fn inputs_are_curved(&self) -> bool {
        self.0.force(0.0).is_some()
    }

    fn scales_of_totals(&self) -> TotalScales {
        TotalScales {
            work: 0.1,
            impulse: 0.1,
        }
    }

    fn closed_form(&self, x: &mut State<D>, rest: f64, is_start: bool) -> Option<Totals<D>> {
        *x = self.0.closed_form(rest, is_start)?;
        Some(Totals {
            work: 1.0,
            impulse: [2.0; D],
        })
    }
}

/// Integrates a problem over a duration (s) with what an earlier interval left in `memory`.
pub fn resume<const D: usize>(
    problem: &impl Problem<D>,
    mut x: State<D>,
    duration: f64,
    tolerance: f64,
    memory: &mut Memory,
) -> Result<(State<D>, Done<D>), SolverError> {
    let done = advance(&Posed(problem), &mut x, duration, tolerance, memory)?;
    Ok((x, done))
}

/// Integrates a problem over a duration (s).
pub fn integrate<const D: usize>(
    problem: &impl Problem<D>,
    start: State<D>,
    duration: f64,
    tolerance: f64,
) -> (State<D>, Done<D>) {
    resume(problem, start, duration, tolerance, &mut Memory::default()).unwrap()
}

/// States of a system of first order.
pub fn of<const D: usize>(u: [f64; D]) -> State<D> {
    State { z: [0.0; D], u }
}

/// Largest error of the states.
pub fn error<const D: usize>(x: &State<D>, exact: &State<D>) -> f64 {
    (0..D)
        .map(|i| (x.z[i] - exact.z[i]).abs().max((x.u[i] - exact.u[i]).abs()))
        .fold(0.0, f64::max)
}
