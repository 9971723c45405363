//! Steps of a body with its contacts, as a [method](crate::ode::Steps) of `ode`.
//!
//! The states of a law depend on those of another through the body only. In Newton's matrix, s −
//! ∂f/∂u in the basis of Radau IIA, each contact eliminates its own states: with its rates r(v, x)
//! and force F(v, x) it answers a change of v by S = ∂F/∂v + ∂F/∂x (s − ∂r/∂x)⁻¹ ∂r/∂v, and what
//! remains is s + Σ g S c in the coordinates of the body.

mod elimination;
mod newton;
mod steps;
mod unknown;

use self::elimination::Eliminated;
use self::unknown::{Unknown, ZERO};
use super::super::contact::{BodyContact, ContactScales, LawState};
use super::super::linear_body::LinearBody;
use super::gaps::Gaps;
use super::stick::Forces;
use super::{Load, Motion, Totals};
use crate::integrate::linear::Complex;
use crate::integrate::polynomial::{over, taylor};
use crate::law::{Contact, Jacobian, MAX_STATES, Path, Polynomial, later};
use crate::ode::tableau::{NODES, stage_coefficients};
use crate::vector::Vector;
use core::array;

/// A contact with its law.
#[derive(Clone, Debug)]
struct Branch {
    is_open: bool,
    /// Whether the force that it takes holds it.
    is_stuck: bool,
    /// Lower bound on F_N, N: laws divide by it.
    least_force: f64,
    /// Change of the speed by the loads over the interval, m/s.
    pushed: f64,
    /// Smooth branch of the law at the start of the step.
    branch: u16,
    by: Jacobian<MAX_STATES>,
    real: Eliminated<f64>,
    complex: Eliminated<Complex>,
    scales: ContactScales,
    /// 1 over the error of v allowed along each axis.
    weight: Vector,
    /// Velocity at the start of the step, m/s.
    start_v: Vector,
    /// Force at the start of the step, N.
    start_force: Vector,
    /// Impulse (N·s) and loss (J) of the last step.
    impulse: Vector,
    loss: f64,
}

impl Branch {
    /// Whether its law acts on the body.
    fn acts(&self) -> bool {
        !self.is_open && !self.is_stuck
    }
}

/// Contact at one instant, with the rates of the states of its law.
#[derive(Clone, Copy)]
struct Rates {
    /// Velocity, m/s.
    v: Vector,
    /// Force, N.
    force: Vector,
    states: LawState,
}

/// Memory of the steps.
#[derive(Clone, Debug)]
pub struct Arrow {
    coordinates: Vec<Unknown>,
    branches: Vec<Branch>,
    /// States of the laws, one contact after the other, and their number in each.
    states: Vec<Unknown>,
    count: usize,
    /// Error of the impulses of a step that ends on another branch, over their scales.
    of_kink: f64,
    rates: Vec<[f64; 3]>,
    real: Vec<f64>,
    complex: Vec<Complex>,
    first: Vec<f64>,
    second: Vec<Complex>,
}

impl Arrow {
    /// Memory for this many contacts on a body with `size` coordinates.
    pub fn new(contacts: usize, size: usize) -> Self {
        let branch = Branch {
            is_open: false,
            is_stuck: false,
            least_force: 0.0,
            pushed: 0.0,
            branch: 0,
            by: Jacobian::ZERO,
            real: Eliminated {
                factors: [0.0; MAX_STATES * MAX_STATES],
                by_v: [[0.0; MAX_STATES]; 2],
            },
            complex: Eliminated {
                factors: [ZERO; MAX_STATES * MAX_STATES],
                by_v: [[ZERO; MAX_STATES]; 2],
            },
            scales: ContactScales::NONE,
            weight: [0.0; 2],
            start_v: [0.0; 2],
            start_force: [0.0; 2],
            impulse: [0.0; 2],
            loss: 0.0,
        };
        Arrow {
            coordinates: vec![Unknown::ZERO; size],
            branches: vec![branch; contacts],
            states: vec![Unknown::ZERO; contacts * MAX_STATES],
            count: 0,
            of_kink: 0.0,
            rates: vec![[0.0; 3]; size],
            real: vec![0.0; size * size],
            complex: vec![ZERO; size * size],
            first: vec![0.0; size],
            second: vec![ZERO; size],
        }
    }

    /// Takes the motion over, with this number of states of each law.
    pub fn begin(&mut self, motion: &Motion, count: usize) {
        self.count = count;
        self.coordinates
            .iter_mut()
            .zip(&motion.y)
            .for_each(|(unknown, y)| unknown.u = *y);
        for (i, x) in motion.x.iter().enumerate() {
            self.states[i * count..][..count]
                .iter_mut()
                .zip(x)
                .for_each(|(unknown, x)| unknown.u = *x);
        }
    }

    /// Sets the lower bound on F_N of a contact in an interval, N, and the change of its speed by
    /// the loads, m/s.
    pub fn set_bounds(&mut self, contact: usize, least_force: f64, pushed: f64) {
        let branch = &mut self.branches[contact];
        (branch.least_force, branch.pushed) = (least_force, pushed);
    }

    /// Sets a contact open, or closed.
    pub fn set_open(&mut self, contact: usize, is_open: bool) {
        self.branches[contact].is_open = is_open;
    }

    /// Sets whether the force that it takes holds a contact.
    pub fn set_stuck(&mut self, contact: usize, is_stuck: bool) {
        self.branches[contact].is_stuck = is_stuck;
    }

    /// Lower bound on F_N of a closed contact, N.
    pub fn least_force(&self, contact: usize) -> f64 {
        self.branches[contact].least_force
    }

    /// Whether a contact is open.
    pub fn is_open(&self, contact: usize) -> bool {
        self.branches[contact].is_open
    }

    /// States of the law of a contact.
    fn states(&self, contact: usize) -> &[Unknown] {
        &self.states[contact * self.count..][..self.count]
    }

    /// Coordinates and states of the laws.
    fn unknowns(&mut self) -> impl Iterator<Item = &mut Unknown> {
        let count = self.count * self.branches.len();
        self.coordinates.iter_mut().chain(&mut self.states[..count])
    }

    /// Whether the law of a contact acts on the body.
    pub fn acts(&self, contact: usize) -> bool {
        self.branches[contact].acts()
    }

    /// Contacts that are closed.
    fn closed(&self) -> impl Iterator<Item = (usize, &Branch)> {
        let branches = self.branches.iter().enumerate();
        branches.filter(|(_, branch)| !branch.is_open)
    }

    /// Contacts whose laws act on the body, with their states.
    fn acting(&self) -> impl Iterator<Item = (usize, &Branch, &[Unknown])> {
        let of = |(i, branch)| (i, branch, self.states(i));
        self.branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| branch.acts())
            .map(of)
    }

    /// Gives the motion back, with the states of the laws that act.
    pub fn end(&self, motion: &mut Motion) {
        self.coordinates
            .iter()
            .zip(&mut motion.y)
            .for_each(|(unknown, y)| *y = unknown.u);
        for (i, _, states) in self.acting() {
            states
                .iter()
                .zip(&mut motion.x[i])
                .for_each(|(unknown, x)| *x = unknown.u);
        }
    }
}

/// A body with its contacts, from a time of the interval on.
pub struct Bodies<'a, C: BodyContact + ?Sized> {
    /// Body that the contacts that stick leave, with the load of each coordinate.
    pub body: &'a LinearBody,
    pub load: &'a [Load],
    /// Forces that contacts take to stick.
    pub forces: Forces<'a, C>,
    pub gaps: &'a Gaps,
    pub arrow: &'a mut Arrow,
    /// Totals that accepted steps are added to, with impulses in place of mean forces.
    pub totals: &'a mut Totals,
    /// Time at which the integration begins, s.
    pub from: f64,
    /// Whether the laws have modes.
    pub has_modes: bool,
}

impl<C: BodyContact + ?Sized> Bodies<'_, C> {
    fn acts(&self, contact: usize) -> bool {
        self.arrow.acts(contact)
    }

    /// Contact at a time (s) from the start of the integration, with the unknowns there.
    fn contact(&self, contact: usize, t: f64, of: impl Fn(&Unknown) -> f64) -> Contact {
        let Arrow {
            coordinates,
            branches,
            ..
        } = &*self.arrow;
        let velocity = |row| {
            self.body
                .output(row)
                .iter()
                .zip(coordinates)
                .map(|(c, y)| c * of(y))
                .sum::<f64>()
        };
        let at = self
            .forces
            .interval
            .contact(self.body, contact, self.from + t, velocity);
        Contact {
            F_N: at.F_N.max(branches[contact].least_force),
            ..at
        }
    }

    fn states_of(&self, contact: usize, of: impl Fn(&Unknown) -> f64) -> LawState {
        let mut x = [0.0; MAX_STATES];
        x.iter_mut()
            .zip(self.arrow.states(contact))
            .for_each(|(x, unknown)| *x = of(unknown));
        x
    }

    /// Contact with the rates of its states at a time (s) from the start of the integration.
    fn rates(&self, contact: usize, t: f64, of: impl Fn(&Unknown) -> f64 + Copy) -> Rates {
        let (at, x) = (self.contact(contact, t, of), self.states_of(contact, of));
        let here = self.forces.contacts[contact].force_and_rates(
            at,
            &x,
            &self.forces.modes[contact],
            self.forces.interval.tolerance,
        );
        Rates {
            v: [at.v, at.v_y],
            force: [here.F_R, here.F_R_y],
            states: here.rate,
        }
    }

    /// Rate of a coordinate without the forces of the contacts, at a time (s) from the start of the
    /// integration.
    fn free_rate(&self, coordinate: usize, t: f64, of: impl Fn(&Unknown) -> f64) -> f64 {
        let drift = self
            .body
            .own(coordinate)
            .iter()
            .zip(&self.arrow.coordinates);
        drift.fold(
            taylor(&self.load[coordinate], self.from + t),
            |sum, (a, y)| sum + a * of(y),
        )
    }

    /// Applied force over a step, from the time t (s) on, of a law that has it as an input.
    fn applied(&self, contact: usize, t: f64, h: f64) -> Polynomial {
        if !self.forces.contacts[contact].has_applied_force() {
            return Polynomial::default();
        }
        let of = |t: f64, of: fn(&Unknown, usize) -> f64, stage: usize| {
            let y = |j: usize| of(&self.arrow.coordinates[j], stage);
            self.forces
                .applied(contact, self.from + t, y, |i| self.acts(i))
        };
        let start = of(t, |y, _| y.u, 0);
        let stages = array::from_fn(|s| of(t + NODES[s] * h, |y, s| y.u + y.w[s], s) - start);
        let [first, second, third] = stage_coefficients(stages);
        Polynomial([start, first, second, third, 0.0, 0.0])
    }

    /// Polynomials of a contact over a step, from the time t (s) on.
    fn path(&self, contact: usize, t: f64, h: f64) -> Path<MAX_STATES> {
        let coordinates = &self.arrow.coordinates;
        let from = self.from + t;
        let row = self.body.rows(contact).start;
        let own = self
            .body
            .output(row)
            .iter()
            .zip(coordinates)
            .map(|(c, y)| y.polynomial() * *c);
        let is_stuck = self.arrow.branches[contact].is_stuck;
        let mut x = [Polynomial::default(); MAX_STATES];
        x.iter_mut()
            .zip(self.arrow.states(contact))
            .for_each(|(x, unknown)| *x = unknown.polynomial());
        Path {
            F_N: over(&later(&self.forces.interval.normal[contact], from), h),
            v: if is_stuck {
                Polynomial::default()
            } else {
                own.fold(
                    over(&later(&self.forces.interval.offset[row], from), h),
                    |sum, part| sum + part,
                )
            },
            a: Polynomial::default(),
            F_t: self.applied(contact, t, h),
            x,
        }
    }
}
