//! Quadratures of a step, friction loss and impulse, with an error estimate of their own.
//!
//! Between two breakpoints no input passes through 0, but a force may depend on velocities near 0 only, for an arbitrarily short
//! time. Where the speed, a or the delayed velocity is near 0 at one end of a segment, the panels become shorter by a constant ratio towards
//! that end; also where F_N is, as the force has no value there that would show a kink beside it. They do not for a system that tells over
//! which ranges its force varies. Panels end at the kinks of the force, and of the delayed velocity.

use super::hybrid::HybridSystem;
use crate::integrate::extrema::larger;
use crate::integrate::quadrature::{self, max_panels, min_error_share};
use crate::integrate::radau::Step;
use crate::law::{Contact, InputSegment};
use crate::ode::tableau::{NODES, START_FROM_STAGES, WEIGHTS};
use core::array;
use core::cell::Cell;

/// Value of an input at one end of an interval over that at the other, below which it counts as near 0 there.
const NEAR_ZERO: f64 = 0.1;
/// Share of a segment that is left out at each end, where rounding may put an input on the other side of 0.
const MARGIN: f64 = 1e-11;
/// Ratio of the lengths of neighbouring panels towards an end where an input is near 0.
const GRADING: f64 = 0.125;
/// Estimated error of the quadrature on the stages over the difference, at the start of an inner step, between the integrand and the
/// polynomial through its stages. The value is that of a kink in the middle of the step; a smooth integrand has a far smaller error.
const STAGE_ERROR: f64 = 0.1;
/// Lower bound on the share of the step's error that an inner step may have: few inner steps are shorter than this share of a step.
const MIN_ERROR_SHARE: f64 = 1.0 / 64.0;

/// A time (s) with the integrands there.
type Node = (f64, [f64; 2]);

/// A system along a part of a trajectory, with its states over time.
struct Motion<'a, S: HybridSystem<N>, X: Fn(f64) -> [f64; N], const N: usize> {
    system: &'a S,
    segment: &'a InputSegment<'a>,
    discrete: &'a S::Discrete,
    x: X,
}

/// Whether a force may vary fast towards the end `near` of an interval: an input is near 0 there.
fn varies(near: Contact, far: Contact) -> bool {
    let [near, far] = [near, far].map(|c| [c.v, c.a, c.v_past, c.F_N].map(f64::abs));
    (0..4).any(|i| near[i] < NEAR_ZERO * far[i])
}

/// Friction loss and impulse accumulated over a communication step, or the two quadratures of another
/// [`HybridSystem`].
pub struct Quadratures {
    /// Friction loss, J.
    pub loss: f64,
    /// Impulse, N·s.
    pub impulse: f64,
    /// Length of the step, s.
    duration: f64,
    /// Largest normal force (N) and speed (m/s) of the step.
    largest_inputs: [f64; 2],
    /// Largest magnitude of the second integrand so far.
    largest_second: Cell<f64>,
    tolerance: f64,
    /// Number of panels left until the quadrature stops adapting.
    panels: u32,
    /// Lower bound on the share of the error that a panel may have.
    min_share: f64,
    /// Power and force at the end of the last inner step, where the next begins there.
    last: Option<[f64; 2]>,
}

impl Quadratures {
    /// Quadratures at the start of a step of `duration` (s) with this largest normal force (N) and speed (m/s).
    pub fn new(largest_inputs: [f64; 2], duration: f64, tolerance: f64) -> Self {
        Quadratures {
            loss: 0.0,
            impulse: 0.0,
            duration,
            largest_inputs,
            largest_second: Cell::new(0.0),
            tolerance,
            panels: max_panels(tolerance),
            min_share: min_error_share(tolerance),
            last: None,
        }
    }

    /// Errors of both integrals allowed over the whole step.
    fn errors<S: HybridSystem<N>, const N: usize>(&self, system: &S) -> [f64; 2] {
        let (inputs, second) = (self.largest_inputs, self.largest_second.get());
        let (scales, rounding) = (system.integrand_scales(inputs, second), system.integrand_rounding(inputs, second));
        array::from_fn(|i| (self.tolerance * scales[i]).max(rounding[i]) * self.duration)
    }

    /// Accepts the quadrature on the stages of all further inner steps, whatever its estimated error.
    pub fn stop_adapting(&mut self) {
        self.panels = 0;
    }

    /// Adds the interval `[from, to]` of the trajectory (s), over which `x` gives the states at a time.
    pub fn add<S: HybridSystem<N>, const N: usize>(
        &mut self,
        system: &S,
        segment: &InputSegment,
        discrete: &S::Discrete,
        [from, to]: [f64; 2],
        x: impl Fn(f64) -> [f64; N],
    ) {
        self.last = None;
        let margin = MARGIN * (to - from);
        let (from, to) = (from + margin, to - margin);
        if from >= to {
            return;
        }
        let motion = Motion { system, segment, discrete, x };
        let [begin, close] = [from, to].map(|t| self.node(&motion, t));
        self.piece(&motion, [begin, close]);
    }

    /// Adds a piece between two kinks, in panels that become shorter towards each end where an input is near 0.
    fn piece<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [begin, close]: [Node; 2],
    ) {
        let [start, end] = [begin, close].map(|(t, _)| motion.segment.at(t));
        match (varies(start, end), varies(end, start)) {
            (false, false) => self.panel(motion, [begin, close]),
            (true, false) => self.graded(motion, [begin, close]),
            (false, true) => self.graded(motion, [close, begin]),
            (true, true) => {
                let middle = self.node(motion, 0.5 * (begin.0 + close.0));
                self.graded(motion, [begin, middle]);
                self.graded(motion, [close, middle]);
            }
        }
    }

    /// A time (s) with the integrands there.
    #[inline]
    fn node<S: HybridSystem<N>, const N: usize>(
        &self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        t: f64,
    ) -> Node {
        (t, self.integrands(motion, t))
    }

    /// Integrands at a time (s).
    #[inline]
    fn integrands<S: HybridSystem<N>, const N: usize>(
        &self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        t: f64,
    ) -> [f64; 2] {
        let &Motion { system, segment, discrete, ref x } = motion;
        let values = system.integrands(system.inputs(segment, t), &x(t), discrete);
        self.note_second(&[values]);
        values
    }

    /// Adds the interval between `near` and `far` in panels that become shorter towards `near` as long as the force may vary in them, and
    /// what is left matters.
    fn graded<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [near, far]: [Node; 2],
    ) {
        let (end, length) = (motion.segment.at(near.0), far.0 - near.0);
        let mut outer = far;
        let mut share = 1.0;
        loop {
            let contact = motion.segment.at(outer.0);
            let matters = share * length.abs() > self.tolerance * self.duration;
            if !(matters && varies(end, contact)) {
                break;
            }
            share *= GRADING;
            let inner = self.node(motion, near.0 + share * length);
            self.panel(motion, [inner, outer]);
            outer = inner;
        }
        self.panel(motion, [near, outer]);
    }

    /// Adds the interval between two times, in either order.
    fn panel<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [one, other]: [Node; 2],
    ) {
        let mut panels = self.panels.max(1);
        let [(from, at_start), (to, at_end)] = if one.0 <= other.0 { [one, other] } else { [other, one] };
        let integrands = |t: f64| self.integrands(motion, t);
        let (interval, ends) = ([from, to], [at_start, at_end]);
        let errors = || self.errors(motion.system);
        let shares = [self.duration, self.min_share];
        let integrals = quadrature::integrate(interval, ends, shares, errors, &mut panels, integrands);
        self.panels = panels;
        self.accumulate(integrals);
    }

    /// Adds the integrals over a part of an interval without its margins, which are extrapolated.
    fn accumulate(&mut self, [loss, impulse]: [f64; 2]) {
        self.loss += loss / (1.0 - 2.0 * MARGIN);
        self.impulse += impulse / (1.0 - 2.0 * MARGIN);
    }

    /// Adds an inner step of Radau IIA(5) that begins at the time `from` (s) of the trajectory: by the quadrature on its stages where its
    /// error is within the tolerance, else adaptively, with the states that `x` gives at a time.
    pub fn add_step<S: HybridSystem<N>, const N: usize>(
        &mut self,
        system: &S,
        segment: &InputSegment,
        discrete: &S::Discrete,
        from: f64,
        step: &Step<N>,
        x: impl Fn(f64) -> [f64; N],
    ) {
        let h = step.h;
        let start = self.last.unwrap_or_else(|| system.integrands(system.inputs(segment, from), step.start, discrete));
        let rates = step.rates();
        let stages: [[f64; 2]; 3] = array::from_fn(|i| {
            let contact = system.inputs(segment, from + NODES[i] * h);
            system.integrands_at_rates(contact, &step.stages[i], &rates[i], discrete)
        });
        self.note_second(&[start]);
        self.note_second(&stages);
        let weighted = |weights: &[f64; 3], i: usize| (0..3).map(|s| weights[s] * stages[s][i]).sum::<f64>();
        let share = (h / self.duration).max(MIN_ERROR_SHARE);
        let errors = self.errors(system);
        let is_accurate =
            (0..2).all(|i| STAGE_ERROR * (start[i] - weighted(&START_FROM_STAGES, i)).abs() * h <= errors[i] * share);
        if is_accurate || self.panels == 0 {
            self.loss += h * weighted(&WEIGHTS, 0);
            self.impulse += h * weighted(&WEIGHTS, 1);
        } else {
            self.add(system, segment, discrete, [from, from + h], x);
        }
        self.last = Some(stages[2]);
    }

    /// Notes the largest magnitude of the second integrand.
    fn note_second(&self, integrands: &[[f64; 2]]) {
        let largest = integrands.iter().fold(self.largest_second.get(), |most, [_, second]| larger(second.abs(), most));
        self.largest_second.set(largest);
    }
}
