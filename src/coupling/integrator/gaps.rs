//! Springs with a gap: they press on one side of it, on the other one, or not at all.
//!
//! A spring of the length e with the gap g has the depth δ = |e| − g/2. From δ = 0 on it presses with
//! k δ + d δ′, and never pulls: 0 where that is negative. On each side, and between them, the bodies
//! are linear; where a spring meets or leaves a side the interval is cut. Within an interval it is
//! cut some roundings of the length beyond a side, and half of them decide that the spring has met
//! or left it, so that it does not do both at one instant.

use super::super::linear_body::LinearBody;
use super::super::mechanism::{Base, Mechanism, Row, add_row};
use super::Load;
use crate::integrate::polynomial::{FLOOR, mean, over};
use crate::law::{Polynomial, Spring, later};

/// Most changes of sign of its conditions that are followed within an inner step: four polynomials
/// of order 5.
const CHANGES: usize = 20;
/// Share of an inner step at which a change at its start is handled.
const AT_ONCE: f64 = 1e-12;
/// Rounding of a length over the sum of the magnitudes of its terms.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Play of a spring with a gap.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Play {
    /// Spring and damper on either side.
    pub spring: Spring,
    /// Gap between the sides, m or rad.
    pub gap: f64,
}

impl Play {
    /// Side on which it presses, 1 or −1 as the length, or 0.
    pub fn side(&self, length: f64, rate: f64) -> f64 {
        let side = length.signum();
        let presses = self
            .conditions(side, length, rate)
            .iter()
            .all(|of| *of >= 0.0);
        if presses { side } else { 0.0 }
    }

    /// Depth on a side, and the force there.
    fn conditions(&self, side: f64, length: f64, rate: f64) -> [f64; 2] {
        let Spring { stiffness, damping } = self.spring;
        let depth = side * length - 0.5 * self.gap;
        [depth, stiffness * depth + damping * side * rate]
    }

    /// Force against a change of the length, N.
    pub fn pull(&self, length: f64, rate: f64) -> f64 {
        let side = self.side(length, rate);
        if side == 0.0 {
            return 0.0;
        }
        let [_, force] = self.conditions(side, length, rate);
        side * force
    }
}

/// Spring with a gap over an interval.
#[derive(Clone, Debug)]
pub struct Link {
    /// The spring.
    pub play: Play,
    /// Row of its length over free coordinates and bases.
    pub row: Row,
    /// Accelerations of the free coordinates by a force along the row, 1/kg.
    pub response: Vec<f64>,
    /// Part of its length that is the bases', with time derivatives, and that of its rate.
    pub base: Base,
    /// Impulse over the interval, N·s.
    pub impulse: f64,
    side: f64,
    /// Rounding of depth and force.
    rounding: [f64; 2],
    /// Integral of the length so far, and the length.
    so_far: [f64; 2],
}

impl Link {
    /// A spring with this row.
    pub fn new(row: &Row) -> Self {
        Link {
            play: Play::default(),
            row: row.clone(),
            response: vec![0.0; row.coordinates.len()],
            base: Base::default(),
            impulse: 0.0,
            side: 0.0,
            rounding: [0.0; 2],
            so_far: [0.0; 2],
        }
    }

    /// Length and its rate at a time of the interval (s) with these coordinates of the bodies.
    fn length(&self, y: &[f64], t: f64) -> [f64; 2] {
        let n = self.response.len();
        let along = |own: f64, y: &[f64]| {
            let terms = self.row.coordinates.iter().zip(y);
            terms.fold(own, |sum, (factor, y)| sum + factor * y)
        };
        let ([x, ..], [v, ..]) = (later(&self.base.x, t), later(&self.base.v, t));
        [along(x, y), along(v, &y[n..])]
    }

    /// Integral of the length from the start of the interval to a time (s), and the length there.
    fn passed(&self, travel: &[f64], y: &[f64], t: f64) -> [f64; 2] {
        let of_bodies = self.row.coordinates.iter().zip(travel);
        let of_base = t * mean(&self.base.x, t);
        let [length, _] = self.length(y, t);
        let integral = of_bodies.fold(of_base, |sum, (factor, travel)| sum + factor * travel);
        [integral, length]
    }

    /// Side on which it presses where it presses on `self.side`, by the depth and the force on a
    /// side, beyond this share of their rounding.
    fn next_side(&self, share: f64, conditions: impl Fn(f64) -> [f64; 2]) -> f64 {
        let presses = |side: f64| {
            let direction = if side == self.side { share } else { -share };
            let mut both = conditions(side).into_iter().zip(self.rounding);
            both.all(|(condition, rounding)| condition + direction * rounding >= 0.0)
        };
        let sides = [self.side, 1.0, -1.0];
        let pressed = sides
            .into_iter()
            .find(|side| *side != 0.0 && presses(*side));
        pressed.unwrap_or(0.0)
    }

    /// Presses on the side that a time of the interval (s) asks for.
    fn settle(&mut self, y: &[f64], t: f64) {
        let n = self.response.len();
        let Base { x, v } = &self.base;
        let sum = |own: f64, y: &[f64]| {
            let terms = self.row.coordinates.iter().zip(y);
            terms.fold(own.abs(), |sum, (factor, y)| sum + (factor * y).abs())
        };
        let Spring { stiffness, damping } = self.play.spring;
        let lengths = ROUNDING * (sum(x[0], y) + self.play.gap);
        let rates = ROUNDING * sum(v[0], &y[n..]);
        self.rounding = [lengths, stiffness * lengths + damping * rates];
        let [length, rate] = self.length(y, t);
        self.side = self.next_side(0.5, |side| self.play.conditions(side, length, rate));
    }

    /// Place in an inner step from a time (s) of the interval on, as a share of it, from which on
    /// it presses otherwise.
    fn first_event(&self, t: f64, h: f64, coordinate: impl Fn(usize) -> Polynomial) -> Option<f64> {
        let n = self.response.len();
        let along = |own: Polynomial, first: usize| {
            let terms = self.row.coordinates.iter().enumerate();
            terms.fold(own, |sum, (j, factor)| {
                sum + coordinate(first + j) * *factor
            })
        };
        let length = along(over(&later(&self.base.x, t), h), 0);
        let rate = along(over(&later(&self.base.v, t), h), n);
        let is_other = |part: f64| {
            let [length, rate] = [length.at(part), rate.at(part)];
            self.next_side(1.0, |side| self.play.conditions(side, length, rate)) != self.side
        };
        if is_other(0.0) {
            return Some(AT_ONCE);
        }
        let Spring { stiffness, damping } = self.play.spring;
        let conditions = [1.0, -1.0].map(|side| {
            let depth = length * side - Polynomial::constant(0.5 * self.play.gap);
            let force = depth * stiffness + rate * (damping * side);
            let direction = if side == self.side { 1.0 } else { -1.0 };
            let [depth_rounding, force_rounding] = self
                .rounding
                .map(|rounding| Polynomial::constant(direction * rounding));
            [depth + depth_rounding, force + force_rounding]
        });
        let mut part = 0.0;
        for _ in 0..CHANGES {
            let changes = conditions.iter().flatten();
            let next = changes.filter_map(|condition| condition.first_change_after(part));
            let Some(next) = next.reduce(f64::min) else {
                break;
            };
            // A sign that changes by rounding, next to a root, changes once more.
            part = (next + FLOOR).min(1.0);
            if let Some(part) = [next, part].into_iter().find(|part| is_other(*part)) {
                return Some(part);
            }
        }
        is_other(1.0).then_some(1.0)
    }
}

/// Springs with a gap, and the bodies under those that press.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    /// The springs.
    pub links: Vec<Link>,
    body: LinearBody,
    /// Loads without those of the springs.
    load: Vec<Load>,
}

impl Gaps {
    /// Springs along these rows, between bodies with many coordinates and rows of contacts.
    pub fn new<'a>(along: impl Iterator<Item = &'a Row>, rows: usize, size: usize) -> Self {
        Gaps {
            links: along.map(Link::new).collect(),
            body: LinearBody::memory(rows, size),
            load: vec![[0.0; 5]; size],
        }
    }

    /// Sets the springs and the motion of their bases over a step, with the gap of each spring.
    pub fn set(
        &mut self,
        mechanism: &Mechanism,
        gap: impl Fn(usize) -> f64,
        base: impl Fn(usize) -> Base,
    ) {
        for (link, s) in self.links.iter_mut().zip(&mechanism.structure.gaps) {
            link.play = Play {
                spring: mechanism.spring(*s),
                gap: gap(*s),
            };
            link.response.copy_from_slice(&link.row.coordinates);
            mechanism.solve(&mut link.response);
            link.base = Base::default();
            for (b, factor) in link.row.bases.iter().enumerate() {
                let Base { x, v } = base(b);
                add_row(&mut link.base.x, *factor, &x);
                add_row(&mut link.base.v, *factor, &v);
            }
        }
    }

    /// Takes the loads over an interval without the springs over.
    pub(super) fn take_loads(&mut self, load: &[Load]) {
        self.load.clear();
        if !self.links.is_empty() {
            self.load.extend_from_slice(load);
        }
    }

    /// Starts an interval at these coordinates of the bodies.
    pub(super) fn begin(&mut self, y: &[f64]) {
        for link in &mut self.links {
            link.impulse = 0.0;
            let [length, rate] = link.length(y, 0.0);
            link.so_far = [0.0, length];
            link.side = link.play.side(length, rate);
        }
    }

    /// Bodies under the springs that press.
    pub(super) fn body<'a>(&'a self, free: &'a LinearBody) -> &'a LinearBody {
        if self.links.is_empty() {
            free
        } else {
            &self.body
        }
    }

    /// Finds the springs that press at a time (s) of the interval, and puts them into bodies and
    /// loads.
    pub(super) fn settle(&mut self, free: &LinearBody, y: &[f64], t: f64, load: &mut [Load]) {
        if self.links.is_empty() {
            return;
        }
        self.body.clone_from(free);
        let LinearBody { size, own, .. } = &mut self.body;
        load.copy_from_slice(&self.load);
        for link in &mut self.links {
            link.settle(y, t);
            if link.side == 0.0 {
                continue;
            }
            let Spring { stiffness, damping } = link.play.spring;
            let n = link.response.len();
            for (j, response) in link.response.iter().enumerate() {
                let row = &mut own[(n + j) * *size..][..*size];
                for (k, factor) in link.row.coordinates.iter().enumerate() {
                    row[k] -= response * stiffness * factor;
                    row[n + k] -= response * damping * factor;
                }
                let load = &mut load[n + j];
                load[0] += response * stiffness * link.side * 0.5 * link.play.gap;
                for (order, load) in load.iter_mut().enumerate() {
                    let v = link.base.v.get(order).copied().unwrap_or(0.0);
                    *load -= response * (stiffness * link.base.x[order] + damping * v);
                }
            }
        }
    }

    /// Adds the impulses since the last time, up to this one (s) of the interval.
    pub(super) fn add(&mut self, travel: &[f64], y: &[f64], from: f64, t: f64) {
        for link in &mut self.links {
            let [integral, length] = link.passed(travel, y, t);
            let [integral_before, before] = link.so_far;
            link.so_far = [integral, length];
            if link.side != 0.0 {
                let Spring { stiffness, damping } = link.play.spring;
                let depths =
                    integral - integral_before - link.side * 0.5 * link.play.gap * (t - from);
                link.impulse += stiffness * depths + damping * (length - before);
            }
        }
    }

    /// Place in an inner step from a time (s) of the interval on, as a share of it, from which on
    /// a spring presses otherwise.
    pub(super) fn first_event(
        &self,
        t: f64,
        h: f64,
        coordinate: impl Fn(usize) -> Polynomial + Copy,
    ) -> Option<f64> {
        let events = self.links.iter();
        events
            .filter_map(|link| link.first_event(t, h, coordinate))
            .reduce(f64::min)
    }
}
