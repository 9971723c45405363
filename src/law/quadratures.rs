//! Adaptive quadratures of a step, friction loss and impulse, where the states are known functions
//! of time.
//!
//! Between two breakpoints no input passes through 0, but a force may depend on inputs near 0 only,
//! for an arbitrarily short time. Where an input is near 0 at one end of an interval, the panels
//! become shorter by a constant ratio towards that end, as long as they matter. Panels end at the
//! kinks of the force ([`Numerics::kinks`](super::Numerics::kinks)) and of the delayed velocity.

use super::input_segment::InputSegment;
use super::trajectory::{Breakpoints, Largest};
use super::{A, Contact, Evaluation, Law, MAX_KINKS};
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::extrema::larger;
use crate::integrate::quadrature::{self, Allowed, max_panels, min_error_share};
use core::cell::Cell;

/// Share of a part that is left out at each end, where rounding may put an input on the other side
/// of 0.
const MARGIN: f64 = 1e-11;
/// Value of an input at one end of an interval over that at the other, below which it counts as
/// near 0 there. Larger: more panels; smaller: a force that varies over a tenth of the interval is
/// seen by one node.
const NEAR_ZERO: f64 = 0.1;
/// Ratio of the lengths of neighbouring panels towards an end where an input is near 0: larger,
/// more panels; smaller, more halvings of them.
const GRADING: f64 = 0.125;
/// Error of an integral over that of the largest force, 1: some thousand roundings.
const ROUNDING: f64 = 1e-13;
/// Precision of the time of a kink, over the length of its interval.
const KINK_PRECISION: f64 = 1e-14;

/// Friction power (W) and friction force (N), in the plane its larger component: the integrands of
/// loss and impulse.
#[inline]
pub fn integrands<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &[f64; N],
    discrete: &L::DiscreteState,
) -> [f64; 2] {
    let Evaluation {
        F_R: force,
        F_R_y: across,
        ..
    } = law.evaluate(contact, x, discrete);
    if L::METADATA.planar {
        return [
            force * contact.v + across * contact.v_y,
            force.abs().max(across.abs()),
        ];
    }
    [force * contact.v, force]
}

/// Node of a quadrature.
#[derive(Clone, Copy)]
struct Node {
    /// Time, s from the start of the trajectory.
    t: f64,
    /// Integrands there.
    values: [f64; 2],
}

/// Speed of a contact, m/s.
#[inline]
fn speed(contact: Contact) -> f64 {
    if contact.v_y == 0.0 {
        contact.v.abs()
    } else {
        libm::hypot(contact.v, contact.v_y)
    }
}

/// Whether a force may vary fast towards the end `near` of an interval: an input that it depends on
/// is near 0 there.
fn varies<L: Law<N>, const N: usize>(near: Contact, far: Contact) -> bool {
    let is_near = |of: fn(Contact) -> f64| of(near).abs() < NEAR_ZERO * of(far).abs();
    is_near(speed)
        || is_near(|contact| contact.F_N)
        || L::METADATA.inputs.contains(&A) && is_near(|contact| contact.a)
        || L::METADATA.delay.is_some() && is_near(|contact| contact.v_past)
}

/// A law along a part of a trajectory, with its states over time.
pub struct Motion<'a, L: Law<N>, X: Fn(f64) -> [f64; N], const N: usize> {
    /// The law.
    pub law: &'a L,
    /// Part of the trajectory.
    pub segment: &'a InputSegment<'a>,
    /// Modes of the law.
    pub discrete: &'a L::DiscreteState,
    /// States at a time, s from the start of the trajectory.
    pub x: X,
}

impl<L: Law<N>, X: Fn(f64) -> [f64; N], const N: usize> Motion<'_, L, X, N> {
    /// Kinks at speeds (m/s) that are passed between two times (s), in their order in time. Along a
    /// line the speed is monotonic; in the plane it may pass others there and back.
    fn kinks_between<'k>(
        &self,
        kinks: &'k [f64; MAX_KINKS],
        from: f64,
        to: f64,
    ) -> impl Iterator<Item = f64> + use<'k, L, X, N> {
        let has_kinks = kinks[0] < f64::INFINITY;
        let [start, end] = [from, to].map(|t| {
            if has_kinks {
                speed(self.segment.at(t))
            } else {
                0.0
            }
        });
        let in_time = move |i: usize| kinks[if start < end { i } else { MAX_KINKS - 1 - i }];
        (0..MAX_KINKS)
            .map(in_time)
            .filter(move |kink| *kink > start.min(end) && *kink < start.max(end))
    }

    /// Time (s) in an interval at which the speed reaches that of a kink (m/s), which lies between
    /// those at its ends.
    #[cold]
    fn time_of_speed(&self, kink: f64, from: f64, to: f64) -> f64 {
        let beyond = |part: f64| speed(self.segment.at(from + part * (to - from))) - kink;
        from + change_of_sign(beyond, 1.0, beyond(0.0), beyond(1.0), KINK_PRECISION) * (to - from)
    }
}

/// Friction loss and impulse accumulated over a communication step.
pub struct Quadratures {
    /// Friction loss, J.
    pub loss: f64,
    /// Impulse, N·s.
    pub impulse: f64,
    /// Length of the step, s.
    duration: f64,
    /// Force that errors are measured by, N; infinite where it is the largest one so far.
    force: f64,
    /// Largest inputs of the step.
    largest: Largest,
    /// Breakpoints of the step.
    breakpoints: Breakpoints,
    /// Largest magnitude of the force so far, N.
    largest_force: Cell<f64>,
    tolerance: f64,
    /// Number of panels left until the quadrature stops adapting.
    panels: u32,
}

impl Quadratures {
    /// Quadratures at the start of a step of `duration` (s) with these largest inputs and
    /// breakpoints.
    pub fn new<L: Law<N>, const N: usize>(
        law: &L,
        largest: Largest,
        breakpoints: Breakpoints,
        duration: f64,
        tolerance: f64,
    ) -> Self {
        Quadratures {
            loss: 0.0,
            impulse: 0.0,
            duration,
            force: law
                .numerics(Contact::new(largest.force.max(0.0), 0.0), &[0.0; N], 0.0)
                .error_force,
            largest,
            breakpoints,
            largest_force: Cell::new(0.0),
            tolerance,
            panels: max_panels(tolerance),
        }
    }

    /// Errors of both integrals allowed over the whole step.
    fn errors(&self) -> [f64; 2] {
        let largest = self.largest_force.get();
        let force = if self.force.is_finite() {
            larger(self.tolerance * self.force, ROUNDING * largest)
        } else {
            self.tolerance * largest
        };
        let impulse = force * self.duration;
        [impulse * self.largest.speed, impulse]
    }

    /// Adds a motion between two times, s from the start of the trajectory.
    pub fn add<L: Law<N>, const N: usize>(
        &mut self,
        motion: &Motion<L, impl Fn(f64) -> [f64; N], N>,
        from: f64,
        to: f64,
    ) {
        let margin = MARGIN * (to - from);
        let (mut from, to) = (from + margin, to - margin);
        let Motion {
            law, segment, x, ..
        } = motion;
        if from >= to {
            return;
        }
        let mut begin = self.node(motion, from);
        let kinks = law.numerics(segment.at(from), &x(from), 0.0).kinks;
        while from < to {
            let until = segment
                .trajectory()
                .delayed_velocity_smooth_until(from, self.breakpoints)
                .min(to);
            for kink in motion.kinks_between(&kinks, from, until) {
                let t = motion.time_of_speed(kink, from, until).max(begin.t);
                let close = self.node(motion, t);
                self.piece(motion, [begin, close]);
                begin = close;
            }
            let close = self.node(motion, until);
            self.piece(motion, [begin, close]);
            (from, begin) = (until, close);
        }
    }

    /// Adds a piece between two kinks, in panels that become shorter towards each end where an
    /// input is near 0.
    fn piece<L: Law<N>, const N: usize>(
        &mut self,
        motion: &Motion<L, impl Fn(f64) -> [f64; N], N>,
        [begin, close]: [Node; 2],
    ) {
        if motion.segment.trajectory().is_held() || motion.segment.is_open() {
            return self.panel(motion, [begin, close]);
        }
        let [start, end] = [begin, close].map(|node| motion.segment.at(node.t));
        match (varies::<L, N>(start, end), varies::<L, N>(end, start)) {
            (false, false) => self.panel(motion, [begin, close]),
            (true, false) => self.graded(motion, [begin, close]),
            (false, true) => self.graded(motion, [close, begin]),
            (true, true) => {
                let middle = self.node(motion, 0.5 * (begin.t + close.t));
                self.graded(motion, [begin, middle]);
                self.graded(motion, [close, middle]);
            }
        }
    }

    /// Adds the interval between `near` and `far` in panels that become shorter towards `near` as
    /// long as the force may vary in them, and what is left matters.
    fn graded<L: Law<N>, const N: usize>(
        &mut self,
        motion: &Motion<L, impl Fn(f64) -> [f64; N], N>,
        [near, far]: [Node; 2],
    ) {
        let (end, length) = (motion.segment.at(near.t), far.t - near.t);
        let largest = |of: fn(Contact) -> f64, outer: Contact| of(outer).abs().max(of(end).abs());
        let (mut outer, mut share) = (far, 1.0);
        loop {
            let contact = motion.segment.at(outer.t);
            let force = largest(|contact| contact.F_N, contact) / self.largest.force;
            let matters = share * length.abs() * force > self.tolerance * self.duration;
            if !(matters && varies::<L, N>(end, contact)) {
                break;
            }
            share *= GRADING;
            let inner = self.node(motion, near.t + share * length);
            self.panel(motion, [inner, outer]);
            outer = inner;
        }
        self.panel(motion, [near, outer]);
    }

    /// Node at a time, s.
    #[inline]
    fn node<L: Law<N>, const N: usize>(
        &self,
        motion: &Motion<L, impl Fn(f64) -> [f64; N], N>,
        t: f64,
    ) -> Node {
        let &Motion {
            law,
            segment,
            discrete,
            ref x,
        } = motion;
        let values = integrands(law, segment.at(t), &x(t), discrete);
        self.largest_force
            .set(larger(values[1].abs(), self.largest_force.get()));
        Node { t, values }
    }

    /// Adds the interval between two times, in either order.
    fn panel<L: Law<N>, const N: usize>(
        &mut self,
        motion: &Motion<L, impl Fn(f64) -> [f64; N], N>,
        [one, other]: [Node; 2],
    ) {
        let [start, end] = if one.t <= other.t {
            [one, other]
        } else {
            [other, one]
        };
        let mut panels = self.panels.max(1);
        let allowed = Allowed {
            errors: || self.errors(),
            whole: self.duration,
            min_share: min_error_share(self.tolerance),
        };
        let values = |t: f64| self.node(motion, t).values;
        let [loss, impulse] = quadrature::integrate(
            start.t,
            end.t,
            [start.values, end.values],
            allowed,
            &mut panels,
            values,
        );
        self.panels = panels;
        // The margins of the interval are extrapolated.
        self.add_totals(loss / (1.0 - 2.0 * MARGIN), impulse / (1.0 - 2.0 * MARGIN));
    }

    /// Adds a part whose loss (J) and impulse (N·s) are known.
    pub fn add_totals(&mut self, loss: f64, impulse: f64) {
        self.loss += loss;
        self.impulse += impulse;
    }
}

#[cfg(test)]
mod tests;
