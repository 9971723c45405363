//! Bristles of one or two axes: one text of a law for the line and the plane, and its motion over a
//! communication step.
//!
//! A [`Bristle`] has equations over scalars, from which follow force, Jacobian and directional
//! derivatives, and a few closed forms. The rest of a step is integrated by `ode`. A step is cut
//! where the contact opens or closes and, for bristles of first order, where a component of v
//! passes through 0: there the rate has a kink.

mod advance;
mod on_block;
mod scales;
mod segment;
mod swings;

use self::scales::Step;
use self::segment::closed;
pub use self::swings::Borders;
use self::swings::Places;
use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::memory::Memory;
use crate::law::{
    BlockMotion, BlockResult, BlockStep, Contact, DiscreteState, Evaluation, Events,
    InputTrajectory, Law, LawMetadata, MAX_EVENTS, MAX_KINKS, Numerics, Spring, StepLimits,
    StepResult,
};
use crate::ode::{Linearised, State, Totals};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values};
use core::array;

/// Friction force and rate of a bristle.
#[derive(Clone, Copy, Debug)]
pub struct ForceAndRate<V> {
    /// F_R, N.
    pub force: V,
    /// Rate of u.
    pub rate: V,
}

/// Error scale of a bristle: the same along each axis.
#[derive(Clone, Copy, Debug)]
pub struct BristleScale {
    /// Change of z, m; infinite for a bristle of first order.
    pub z: f64,
    /// Change of u.
    pub u: f64,
}

/// Equations of a bristle with D axes.
pub trait Bristle<const D: usize>: Copy + Send + 'static {
    /// Description of the law in this space.
    const METADATA: &'static LawMetadata;
    /// Whether the states are z and ż = u; otherwise the deflection is u, and there is no z.
    const SECOND_ORDER: bool;

    /// Law with these parameters, and a measured characteristic where there is one.
    fn new(values: &Values, curve: Option<&'static Measured>) -> Result<Self, InputError>;

    /// Law of this one for v > 0 and `backward` for v < 0; along a line only.
    fn signed(self, _backward: Self) -> Result<Self, InputError> {
        Ok(self)
    }

    /// A closed contact at one instant, with all that depends on the inputs alone.
    type At<S: Scalar>: Copy;

    /// A closed contact with a normal force (N) and a velocity (m/s).
    fn at<S: Scalar>(&self, normal_force: S, v: &[S; D]) -> Self::At<S>;

    /// Rate of u in a closed contact.
    fn rate<S: Scalar>(&self, at: &Self::At<S>, z: &[S; D], u: &[S; D]) -> [S; D];

    /// F_R in a closed contact, N.
    fn force<S: Scalar>(&self, at: &Self::At<S>, z: &[S; D], u: &[S; D]) -> [S; D];

    /// F_R and the rate of u in a closed contact.
    #[inline(always)]
    fn force_and_rate<S: Scalar>(
        &self,
        at: &Self::At<S>,
        z: &[S; D],
        u: &[S; D],
    ) -> ForceAndRate<[S; D]> {
        ForceAndRate {
            force: self.force(at, z, u),
            rate: self.rate(at, z, u),
        }
    }

    /// F_R where the rate of u is known, N.
    fn force_at_rate(&self, at: &Self::At<f64>, x: &State<D>, rate: &[f64; D]) -> [f64; D];

    /// Rate of u in an open contact.
    fn open_rate<S: Scalar>(&self, _z: &[S; D], _u: &[S; D]) -> [S; D] {
        [S::constant(0.0); D]
    }

    /// Motion of the bristle in an open contact over `duration` (s).
    fn relax(&self, x: &mut State<D>, duration: f64);

    /// Whether the contact sticks.
    fn sticks<S: Scalar>(&self, at: &Self::At<S>, z: &[S; D], u: &[S; D]) -> bool;

    /// Whether the rate is a − k u with a number k.
    fn is_linear(&self) -> bool {
        false
    }

    /// k of a linear rate, 1/s.
    fn decay_rate(&self, _at: &Self::At<f64>) -> f64 {
        0.0
    }

    /// Number of the smooth branch of the rate; see `System::branch` of `ode`.
    fn branch(&self, _at: &Self::At<f64>, _x: &State<D>) -> u16 {
        0
    }

    /// Whether a step passes over a part of the characteristic, by its start and its stages; see
    /// `System::passes_over` of `ode`.
    fn passes_over(&self, _: [&Self::At<f64>; 4], _: [&State<D>; 4]) -> bool {
        false
    }

    /// Distances from the borders of branches along a line; `None` where the rate has none.
    fn borders(&self, _: &Self::At<f64>, _: &State<D>) -> Option<Borders> {
        None
    }

    /// First guess of the change of u; see `System::predict` of `ode`.
    fn predict(&self, _start: &Self::At<f64>, _x: &State<D>, _later: &Self::At<f64>) -> [f64; D] {
        [0.0; D]
    }

    /// Changes of z (m) and u that change F_R by about the force that errors are measured by under
    /// this normal force (N), with the rate's derivatives. `end` is the contact at the end of the
    /// communication step, where F_R is seen, if it is closed, and `duration` (s) the time over
    /// which F_R is integrated.
    fn scale(
        &self,
        end: Option<&Self::At<f64>>,
        duration: f64,
        normal_force: f64,
        x: &State<D>,
        f: &Linearised<D>,
    ) -> BristleScale;

    /// Limits of an inner step.
    fn limits(&self, at: &Self::At<f64>, x: &State<D>) -> StepLimits;

    /// Largest friction force at rest under a normal force (N), N.
    fn static_force(&self, normal_force: f64) -> f64;

    /// Fastest rate of a bristle of second order under this normal force (N) on a body of this mass
    /// (kg), 1/s.
    fn fastest_rate(&self, _normal_force: f64, _mass: f64) -> f64 {
        f64::INFINITY
    }

    /// Normal force above which errors grow somewhere on the characteristic, N.
    fn max_stable_force(&self) -> f64 {
        f64::INFINITY
    }

    /// Motion over `rest` (s) under held inputs, where it has a closed form within the tolerance.
    fn held_motion(
        &self,
        at: &Self::At<f64>,
        tolerance: f64,
        x: &mut State<D>,
        rest: f64,
    ) -> Option<Totals<D>>;

    /// Motion over `rest` (s) under a constant normal force, where it has a closed form; `v` has
    /// the velocity and its derivatives at the start.
    fn moving_motion(
        &self,
        _at: &Self::At<f64>,
        _v: &[[f64; 4]; D],
        _x: &mut State<D>,
        _rest: f64,
    ) -> Option<Totals<D>> {
        None
    }

    /// Tolerance of the integration over that of the step, 1.
    fn tolerance_share(&self) -> f64 {
        1.0
    }

    /// Law with a bounded derivative in place of a singularity of its rate, off in F_R by at most
    /// `tolerance` F_s, which is integrated in its place; `None` where no rate is singular.
    fn smoothed(&self, _tolerance: f64) -> Option<Self> {
        None
    }

    /// Normal force that errors are measured by at least, N; see
    /// [`light_force`](crate::law::light_force).
    fn light_force(&self) -> f64;

    /// Stiffness σ_0, N/m.
    fn stiffness(&self) -> f64;

    /// Damping σ_1 of a bristle of second order, N·s/m: in stick F_R changes by σ_1 Δv.
    fn damping(&self) -> f64 {
        0.0
    }

    /// Quasi-static response of F_R; `None` where it follows from the derivatives.
    fn response(&self, _at: &Self::At<f64>, _x: &State<D>) -> Option<Spring> {
        None
    }

    /// Error scale of v, m/s; see [`Numerics::velocity_scale`].
    fn velocity_error_scale(&self, normal_force: f64) -> f64;

    /// Error scale of u where a body sees the mean of F_R over `duration` (s); `None` where it is
    /// the scale.
    fn mean_error_scale(&self, _contact: Contact, _x: &State<D>, _duration: f64) -> Option<f64> {
        None
    }

    /// Event indicators; see [`Events::indicators`].
    fn indicators(&self, contact: Contact, x: &State<D>) -> [f64; MAX_EVENTS];

    /// Warning about the model in this contact.
    fn model_warning(&self, _contact: Contact) -> Option<String> {
        None
    }
}

/// A bristle of D axes as a law with N states: along a line with one axis, in the plane with two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes<B, const D: usize, const N: usize>(pub B);

/// Velocity of a contact.
#[inline(always)]
pub fn velocity<const D: usize>(contact: &Contact) -> [f64; D] {
    let all = [contact.v, contact.v_y];
    array::from_fn(|i| all[i])
}

/// States as vectors: z, then u.
#[inline(always)]
fn split<const D: usize, const N: usize>(x: &[f64; N]) -> State<D> {
    State {
        z: array::from_fn(|i| if N > D { x[i] } else { 0.0 }),
        u: array::from_fn(|i| x[N - D + i]),
    }
}

#[inline(always)]
fn joined<const D: usize, const N: usize>(x: &State<D>) -> [f64; N] {
    array::from_fn(|i| if i < N - D { x.z[i] } else { x.u[i + D - N] })
}

impl<B: Bristle<D>, const D: usize, const N: usize> Axes<B, D, N> {
    /// F_R, N.
    fn force_in(&self, contact: Contact, x: &State<D>) -> [f64; D] {
        if contact.is_open() {
            return [0.0; D];
        }
        self.0
            .force(&self.0.at(contact.F_N, &velocity(&contact)), &x.z, &x.u)
    }
}

/// Discrete state of a bristle: none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoModes;

impl DiscreteState for NoModes {
    fn read(_: &Values) -> Self {
        NoModes
    }

    fn write(self, _: &mut Values) {}
}

impl<B: Bristle<D>, const D: usize, const N: usize> Events<Axes<B, D, N>, N> for NoModes {
    fn indicators(&self, law: &Axes<B, D, N>, contact: Contact, x: &[f64; N]) -> [f64; MAX_EVENTS] {
        if B::METADATA.events.is_empty() {
            [1.0; MAX_EVENTS]
        } else {
            law.0.indicators(contact, &split(x))
        }
    }

    fn handle_event(&mut self, _: &Axes<B, D, N>, contact: Contact, x: &mut [f64; N]) -> bool {
        // An open contact of a bristle of first order forgets its deflection; one of second order
        // swings on.
        let resets = !B::SECOND_ORDER && contact.is_open() && *x != [0.0; N];
        if resets {
            *x = [0.0; N];
        }
        resets
    }
}

impl<B: Bristle<D>, const D: usize, const N: usize> Law<N> for Axes<B, D, N> {
    const METADATA: &'static LawMetadata = B::METADATA;

    type DiscreteState = NoModes;

    fn new(values: &Values, characteristic: Option<&'static Measured>) -> Result<Self, InputError> {
        const {
            assert!(
                N == D * if B::SECOND_ORDER { 2 } else { 1 },
                "N states of D axes"
            )
        };
        B::new(values, characteristic).map(Axes)
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        self.0.signed(backward.0).map(Axes)
    }

    #[inline(always)]
    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        x: &[S; N],
        _: &NoModes,
    ) -> Evaluation<N, S> {
        let z: [S; D] = array::from_fn(|i| if N > D { x[i] } else { S::constant(0.0) });
        let u: [S; D] = array::from_fn(|i| x[N - D + i]);
        let joined =
            |u_rate: [S; D]| array::from_fn(|i| if i < N - D { u[i] } else { u_rate[i + D - N] });
        if contact.is_open() {
            return Evaluation {
                rate: joined(self.0.open_rate(&z, &u)),
                ..Evaluation::zero()
            };
        }
        let v: [S; D] = array::from_fn(|i| [contact.v, contact.v_y][i]);
        let at = self.0.at(contact.F_N, &v);
        let ForceAndRate { force, rate } = self.0.force_and_rate(&at, &z, &u);
        let sticking = self.0.sticks(&at, &z, &u);
        let across = if D > 1 { force[1] } else { S::constant(0.0) };
        Evaluation {
            F_R: force[0],
            F_R_y: across,
            sticking,
            rate: joined(rate),
        }
    }

    #[inline(always)] // most callers want one field
    fn numerics(&self, contact: Contact, x: &[f64; N], duration: f64) -> Numerics<N> {
        let state = split::<D, N>(x);
        let at = self.0.at(closed(contact.F_N), &velocity(&contact));
        let scale = || {
            let steepest = [[f64::INFINITY; D]; D];
            let steepest = Linearised {
                rate: [0.0; D],
                by_z: steepest,
                by_u: steepest,
            };
            let BristleScale { z, u } = self.0.scale(
                Some(&at),
                if duration > 0.0 {
                    duration
                } else {
                    f64::INFINITY
                },
                contact.F_N.max(self.0.light_force()),
                &state,
                &steepest,
            );
            joined(&State {
                z: [z; D],
                u: [u; D],
            })
        };
        let of_mean = if duration > 0.0 {
            self.0.mean_error_scale(contact, &state, duration)
        } else {
            None
        };
        let is_open = contact.is_open();
        let force = self.0.static_force(contact.F_N);
        Numerics {
            scale: of_mean.map_or_else(scale, |scale| [scale; N]),
            velocity_scale: self.0.velocity_error_scale(contact.F_N),
            limits: if is_open {
                StepLimits::FREE
            } else {
                self.0.limits(&at, &state)
            },
            static_force: force,
            error_force: force,
            kinks: [f64::INFINITY; MAX_KINKS],
            stiffness: self.0.stiffness(),
            response: if is_open {
                Some(Spring::NONE)
            } else {
                self.0.response(&at, &state)
            },
        }
    }

    fn coupled(&self, tolerance: f64) -> Option<Self> {
        self.0.smoothed(tolerance).map(Axes)
    }

    fn passes_over(&self, contacts: &[Contact; 4], x: &[[f64; N]; 4], tolerance: f64) -> bool {
        if !B::SECOND_ORDER {
            return false;
        }
        let normal = contacts.map(|contact| closed(contact.F_N));
        let at: [_; 4] = array::from_fn(|n| self.0.at(normal[n], &velocity(&contacts[n])));
        let x = x.each_ref().map(split);
        let places = Places {
            at: at.each_ref(),
            normal,
            x: x.each_ref(),
        };
        swings::passes_over(&self.0, &places, true, tolerance)
    }

    fn branch(&self, contact: Contact, x: &[f64; N]) -> u16 {
        let at = self.0.at(closed(contact.F_N), &velocity(&contact));
        // The rate of a bristle of first order has a kink where the slip reverses.
        let side = u16::from(!B::SECOND_ORDER && D == 1 && contact.v < 0.0);
        2 * self.0.branch(&at, &split(x)) + side
    }

    fn model_warning(&self, contact: Contact) -> Option<String> {
        self.0.model_warning(contact)
    }

    #[inline]
    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; N],
        _: &mut NoModes,
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let mut state = split::<D, N>(x);
        let step = Step {
            trajectory,
            duration,
            tolerance,
        };
        let result = self.advance_states(&step, &mut state, memory);
        *x = joined(&state);
        result
    }

    fn advance_on_block(
        &self,
        block: &BlockStep,
        motion: &mut BlockMotion,
        x: &mut [f64; N],
        _: &mut NoModes,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<BlockResult, SolverError> {
        let mut state = split::<D, N>(x);
        let coupled = self.coupled(tolerance);
        let Axes(law) = coupled.as_ref().unwrap_or(self);
        let result = on_block::advance(law, block, motion, &mut state, tolerance, memory);
        *x = joined(&state);
        result
    }
}
