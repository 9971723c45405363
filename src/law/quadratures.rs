//! Quadratures of a step, friction loss and impulse, with an error estimate of their own.
//!
//! Between two breakpoints no input passes through 0, but a force may depend on velocities near 0 only, for an arbitrarily short
//! time. Where the speed, a or the delayed velocity is near 0 at one end of a segment, the panels become shorter by a constant ratio towards
//! that end; also where F_N is, as the force has no value there that would show a kink beside it. They do not for a system that tells over
//! which ranges its force varies. Panels end at the kinks of the force, and of the delayed velocity.

use super::hybrid::HybridSystem;
use super::input_dependence::{InputDependence, MAX_KINKS, Ranges};
use super::input_segment::InputSegment;
use super::trajectory::Breakpoints;
use super::{Contact, Path};
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::extrema::larger;
use crate::integrate::polynomial::Polynomial;
use crate::integrate::quadrature::{self, max_panels, min_error_share};
use crate::integrate::radau::Step;
use crate::ode::tableau::{NODES, START_FROM_STAGES, WEIGHTS};
use core::array;
use core::cell::Cell;

/// Value of an input at one end of an interval over that at the other, below which it counts as near 0 there.
const NEAR_ZERO: f64 = 0.1;
/// Share of a segment that is left out at each end, where rounding may put an input on the other side of 0.
const MARGIN: f64 = 1e-11;
/// Precision of the time of a kink in the plane, over the length of its interval.
const KINK_PRECISION: f64 = 1e-14;
/// Ratio of the lengths of neighbouring panels towards an end where an input is near 0.
const GRADING: f64 = 0.125;
/// Estimated error of the quadrature on the stages over the difference, at the start of an inner step, between the integrand and the
/// polynomial through its stages. The value is that of a kink in the middle of the step; a smooth integrand has a far smaller error.
const STAGE_ERROR: f64 = 0.1;
/// Lower bound on the share of the step's error that an inner step may have: few inner steps are shorter than this share of a step.
const MIN_ERROR_SHARE: f64 = 1.0 / 64.0;

/// Integrals of a step that are held to the tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrals {
    /// The first, friction loss; the second is of no meaning.
    First,
    /// Both, friction loss and impulse or that of another [`HybridSystem`].
    Both,
}

/// A time (s) with the integrands there.
type Node = (f64, [f64; 2]);

/// A system along a part of a trajectory, with its states over time.
struct Motion<'a, S: HybridSystem<N>, X: Fn(f64) -> [f64; N], const N: usize> {
    system: &'a S,
    segment: &'a InputSegment<'a>,
    discrete: &'a S::Discrete,
    x: X,
}

impl<S: HybridSystem<N>, X: Fn(f64) -> [f64; N], const N: usize> Motion<'_, S, X, N> {
    /// Kinks at speeds (m/s) that are passed between two times (s), in their order in time. Along a line the speed is monotonic; in the plane
    /// it may pass others there and back.
    fn kinks_between<'k>(
        &self,
        kinks: &'k [f64; MAX_KINKS],
        [from, to]: [f64; 2],
    ) -> impl Iterator<Item = f64> + use<'k, S, X, N> {
        let has_kinks = kinks[0] < f64::INFINITY;
        let [start, end] = [from, to].map(|t| if has_kinks { speed(self.segment.at(t)) } else { 0.0 });
        let in_time = move |i: usize| kinks[if start < end { i } else { MAX_KINKS - 1 - i }];
        (0..MAX_KINKS).map(in_time).filter(move |kink| *kink > start.min(end) && *kink < start.max(end))
    }

    /// Time (s) in an interval at which the speed reaches that of a kink (m/s), which lies between those at its ends.
    fn time_of_speed(&self, kink: f64, [from, to]: [f64; 2]) -> f64 {
        if self.segment.at(from).v_y != 0.0 || self.segment.at(to).v_y != 0.0 {
            return time_of_speed_in_plane(self.segment, kink, [from, to]);
        }
        let v = Path::<0>::inputs(self.segment.trajectory(), from, to - from).v;
        let beyond = v * v.at(0.5).signum() - Polynomial::constant(kink);
        from + beyond.first_change().unwrap_or(1.0) * (to - from)
    }
}

impl Ranges {
    /// Whether a force may vary fast towards the end `near` of an interval: an input is near 0 there and beyond its range at `far`.
    fn vary(&self, near: Contact, far: Contact) -> bool {
        let [near, far] = [near, far].map(|c| [speed(c), c.a, c.v_past, c.F_N].map(f64::abs));
        let ranges = [self.v, self.a, self.v_past, self.F_N];
        (0..4).any(|i| near[i] < NEAR_ZERO * far[i] && far[i] > ranges[i])
    }
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
    /// Breakpoints of the step.
    breakpoints: Breakpoints,
    /// Largest normal force (N) and speed (m/s) of the step.
    largest_inputs: [f64; 2],
    /// Largest magnitude of the second integrand so far.
    largest_second: Cell<f64>,
    tolerance: f64,
    wanted: Integrals,
    /// Number of panels left until the quadrature stops adapting.
    panels: u32,
    /// Lower bound on the share of the error that a panel may have.
    min_share: f64,
    /// Power and force at the end of the last inner step, where the next begins there.
    last: Option<[f64; 2]>,
}

impl Quadratures {
    /// Quadratures at the start of a step of `duration` (s) with this largest normal force (N) and speed (m/s).
    pub fn new(
        largest_inputs: [f64; 2],
        duration: f64,
        breakpoints: Breakpoints,
        tolerance: f64,
        wanted: Integrals,
    ) -> Self {
        Quadratures {
            loss: 0.0,
            impulse: 0.0,
            duration,
            breakpoints,
            largest_inputs,
            largest_second: Cell::new(0.0),
            tolerance,
            wanted,
            panels: max_panels(tolerance),
            min_share: min_error_share(tolerance),
            last: None,
        }
    }

    /// Errors of both integrals allowed over the whole step.
    fn errors<S: HybridSystem<N>, const N: usize>(&self, system: &S) -> [f64; 2] {
        let (inputs, second) = (self.largest_inputs, self.largest_second.get());
        let (scales, rounding) = (system.integrand_scales(inputs, second), system.integrand_rounding(inputs, second));
        let [loss, impulse] = array::from_fn(|i| (self.tolerance * scales[i]).max(rounding[i]) * self.duration);
        [loss, if self.wanted == Integrals::Both { impulse } else { f64::INFINITY }]
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
        match system.input_dependence([from, to].map(|t| segment.at(t)), discrete) {
            InputDependence::Polynomial { kinks } => self.polynomial(&motion, [from, to], &kinks),
            InputDependence::Smooth { kinks, ranges } => self.smooth(&motion, [from, to], &kinks, &ranges),
        }
    }

    /// Adds an interval in which the power is a polynomial of degree 9 at most between the kinks at these speeds (m/s): the rule is exact.
    fn polynomial<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [from, to]: [f64; 2],
        kinks: &[f64; MAX_KINKS],
    ) {
        let mut begin = from;
        let passed = motion.kinks_between(kinks, [from, to]).map(|kink| motion.time_of_speed(kink, [from, to]));
        for close in passed.chain([to]) {
            let integrals = quadrature::integrate_once([begin, close], |t| self.integrands(motion, t));
            self.accumulate(integrals);
            begin = close;
        }
    }

    /// Adds an interval in pieces between the kinks that the force has at these speeds (m/s), and between those of the delayed velocity.
    fn smooth<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [mut from, to]: [f64; 2],
        kinks: &[f64; MAX_KINKS],
        ranges: &Ranges,
    ) {
        let mut begin = self.node(motion, from);
        // Under held inputs only the states move.
        if motion.segment.trajectory().derivatives.is_none() && ranges.v_past.is_infinite() {
            let close = self.node(motion, to);
            return self.panel(motion, [begin, close]);
        }
        while from < to {
            let until = match ranges.v_past {
                f64::INFINITY => to,
                _ => motion.segment.trajectory().delayed_velocity_smooth_until(from, self.breakpoints).min(to),
            };
            for kink in motion.kinks_between(kinks, [from, until]) {
                let close = self.node(motion, motion.time_of_speed(kink, [from, until]).max(begin.0));
                self.piece(motion, [begin, close], ranges);
                begin = close;
            }
            let close = self.node(motion, until);
            self.piece(motion, [begin, close], ranges);
            (from, begin) = (until, close);
        }
    }

    /// Adds a piece between two kinks, in panels that become shorter towards each end where an input is near 0.
    fn piece<S: HybridSystem<N>, const N: usize>(
        &mut self,
        motion: &Motion<S, impl Fn(f64) -> [f64; N], N>,
        [begin, close]: [Node; 2],
        ranges: &Ranges,
    ) {
        if *ranges == Ranges::WIDE {
            return self.panel(motion, [begin, close]);
        }
        let [start, end] = [begin, close].map(|(t, _)| motion.segment.at(t));
        match (ranges.vary(start, end), ranges.vary(end, start)) {
            (false, false) => self.panel(motion, [begin, close]),
            (true, false) => self.graded(motion, [begin, close], ranges),
            (false, true) => self.graded(motion, [close, begin], ranges),
            (true, true) => {
                let middle = self.node(motion, 0.5 * (begin.0 + close.0));
                self.graded(motion, [begin, middle], ranges);
                self.graded(motion, [close, middle], ranges);
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
        ranges: &Ranges,
    ) {
        let (end, length) = (motion.segment.at(near.0), far.0 - near.0);
        let mut outer = far;
        let mut share = 1.0;
        loop {
            let contact = motion.segment.at(outer.0);
            let largest = match self.wanted {
                Integrals::Both => 1.0,
                Integrals::First => speed(contact).max(speed(end)) / self.largest_inputs[1],
            };
            let matters = share * length.abs() * largest > self.tolerance * self.duration;
            if !(matters && ranges.vary(end, contact)) {
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

/// Speed of a contact, m/s. A force in the plane depends on it and on the direction of the velocity, which turns fast only where the speed
/// is near 0.
#[inline]
fn speed(contact: Contact) -> f64 {
    if contact.v_y == 0.0 { contact.v.abs() } else { libm::hypot(contact.v, contact.v_y) }
}

/// Time (s) in an interval at which the speed in the plane reaches this one (m/s), which lies between those at its ends.
#[cold]
#[inline(never)] // its code would slow down the quadratures of every law
fn time_of_speed_in_plane(segment: &InputSegment, reached: f64, [from, to]: [f64; 2]) -> f64 {
    let beyond = |part: f64| speed(segment.at(from + part * (to - from))) - reached;
    from + change_of_sign(beyond, 1.0, [beyond(0.0), beyond(1.0)], KINK_PRECISION) * (to - from)
}

#[cfg(test)]
mod tests;
