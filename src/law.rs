//! What every friction law is: declared variables, equations, a rate and a force, and how it advances over a step.
//!
//! The author of a law fills [`Law`] in one file of `laws/`; elements, FMUs and documentation follow from it.

use crate::integrate::radau::{NODES, Radau, Step, WEIGHTS};
use crate::integrate::{Failure, System};
use crate::variable::{Refusal, Values, Variable};

/// What a law tells about itself, for catalogue and documentation.
#[derive(Debug)]
pub struct Declaration {
    /// The element's name, a C identifier.
    pub name: &'static str,
    /// The law's full name.
    pub title: &'static str,
    /// One sentence: what it is good for.
    pub summary: &'static str,
    /// Its kind in the field's words.
    pub kind: &'static str,
    /// Its source, as one would cite it.
    pub source: &'static str,
    /// The equations, in the order in which one reads them.
    pub equations: &'static [Equation],
    /// When the output `sticking` is true.
    pub sticking: &'static str,
    /// What it models and what it does not, a heading and a paragraph each.
    pub notes: &'static [(&'static str, &'static str)],
    /// The states, each with its time derivative, in the order of the state vector.
    pub states: &'static [(Variable, Variable)],
    /// The parameters.
    pub parameters: &'static [Variable],
}

/// An equation of a law's documentation.
#[derive(Debug)]
pub struct Equation {
    /// Its number in the source, for instance "(5)".
    pub number: &'static str,
    /// The equation in LaTeX.
    pub latex: &'static str,
    /// What it says, one sentence.
    pub meaning: &'static str,
}

/// What an element sees of its contact at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Normal force F_N, N; the contact is open where it is not above 0.
    pub F_N: f64,
    /// Contact velocity v, m/s: tangential velocity of the contact point relative to its counterpart.
    pub v: f64,
}

impl Contact {
    /// No force and no velocity.
    pub const ZERO: Contact = Contact { F_N: 0.0, v: 0.0 };
}

/// The number of time derivatives of the inputs that a course may have.
pub const ORDERS: usize = 3;

/// The contact over a communication step, from what is known of it at the start of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// The contact at the start of the step.
    pub start: Contact,
    /// Its time derivatives there, of order 1 and above, per sⁿ; none where the contact is held.
    pub slopes: Option<[Contact; ORDERS]>,
}

impl Course {
    /// The same contact throughout.
    pub fn held(contact: Contact) -> Self {
        Course { start: contact, slopes: None }
    }

    /// The contact at time `t`, s from the start of the step.
    #[inline]
    pub fn at(&self, t: f64) -> Contact {
        let Some([first, second, third]) = self.slopes else { return self.start };
        let value =
            |of: fn(Contact) -> f64| of(self.start) + t * (of(first) + t / 2.0 * (of(second) + t / 3.0 * of(third)));
        Contact { F_N: value(|c| c.F_N), v: value(|c| c.v) }
    }

    /// The contact velocity over `duration` (s): its integral, m, and the most by which it leaves its start, m/s. `None`
    /// where the normal force moves.
    #[inline]
    pub fn travel(&self, duration: f64) -> Option<(f64, f64)> {
        let Some(slopes) = self.slopes else { return Some((self.start.v * duration, 0.0)) };
        let (mut travel, mut swing, mut power) = (self.start.v * duration, 0.0, duration);
        for (slope, order) in slopes.iter().zip([1.0, 2.0, 3.0]) {
            if slope.F_N != 0.0 {
                return None;
            }
            swing += slope.v.abs() * power;
            power *= duration / (order + 1.0);
            travel += slope.v * power;
        }
        Some((travel, swing))
    }

    /// The time derivative of the contact at time `t`, s from the start of the step.
    pub fn slope_at(&self, t: f64) -> Contact {
        let Some([first, second, third]) = self.slopes else { return Contact::ZERO };
        let slope = |of: fn(Contact) -> f64| of(first) + t * (of(second) + t / 2.0 * of(third));
        Contact { F_N: slope(|c| c.F_N), v: slope(|c| c.v) }
    }
}

/// What a law says at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<const N: usize> {
    /// Friction force F_R, N, positive for v > 0 and opposing it.
    pub F_R: f64,
    /// The contact sticks, by the law's own criterion.
    pub sticking: bool,
    /// Time derivatives of the states. The first state, where there is one, is the bristle deflection z.
    pub rate: [f64; N],
}

/// The partial derivatives of a law at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linearisation<const N: usize> {
    /// Of the rates with respect to the states, as rows.
    pub rate_x: [[f64; N]; N],
    /// Of the rates with respect to the normal force.
    pub rate_F_N: [f64; N],
    /// Of the rates with respect to the contact velocity.
    pub rate_v: [f64; N],
    /// Of F_R with respect to the states.
    pub F_R_x: [f64; N],
    /// Of F_R with respect to the normal force.
    pub F_R_F_N: f64,
    /// Of F_R with respect to the contact velocity.
    pub F_R_v: f64,
}

/// What a step over a communication interval reports.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Advance {
    /// Friction loss over the interval, ∫ F_R v dt, J.
    pub loss: f64,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
}

/// A friction law with N continuous states, its parameters checked and its constants derived.
pub trait Law<const N: usize>: Sized + Send + 'static {
    /// All that is told of the law.
    const DECLARATION: &'static Declaration;

    /// The law with the parameters of `values`; refused where they contradict each other.
    fn new(values: &Values) -> Result<Self, Refusal>;

    /// Force and rates at one instant.
    fn evaluate(&self, contact: Contact, x: &[f64; N]) -> Evaluation<N>;

    /// Partial derivatives of force and rates; finite everywhere.
    fn linearise(&self, contact: Contact, x: &[f64; N]) -> Linearisation<N>;

    /// The change of each state that changes F_R by about F_s = μ_s F_N: what errors are measured by.
    fn scale(&self, contact: Contact, x: &[f64; N]) -> [f64; N];

    /// What the user must be told of the law in this contact, if anything, as one sentence.
    fn caution(&self, _contact: Contact) -> Option<String> {
        None
    }

    /// Advances the states over `duration` (s, > 0) while the contact follows `course`, with the error of F_R
    /// relative to F_s within `tolerance`.
    fn advance(
        &self,
        course: &Course,
        x: &mut [f64; N],
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<Advance, Failure> {
        integrate(self, course, x, duration, tolerance, solver)
    }
}

/// The inner step's share of the tolerance: errors of several inner steps add up, most where F_R reacts fastest.
const INNER_SHARE: f64 = 0.1;

/// Advances a law by the general stiff integrator.
pub fn integrate<L: Law<N>, const N: usize>(
    law: &L,
    course: &Course,
    x: &mut [f64; N],
    duration: f64,
    tolerance: f64,
    solver: &mut Radau,
) -> Result<Advance, Failure> {
    let mut loss = 0.0;
    let power = |t, x: &[f64; N]| {
        let contact = course.at(t);
        law.evaluate(contact, x).F_R * contact.v
    };
    let [start, end] = [course.start.F_N, course.at(duration).F_N];
    // The force that errors are measured by: where F_N passes through 0 it must not vanish with it.
    let least_force = end.max(1e-3 * start.abs().max(end.abs()));
    let inner_steps = solver.advance(
        &Motion { law, course, least_force },
        x,
        duration,
        INNER_SHARE * tolerance,
        |step: Step<N>| {
            for s in 0..3 {
                loss += WEIGHTS[s] * step.h * power(step.t + NODES[s] * step.h, &step.stages[s]);
            }
        },
    )?;
    Ok(Advance { loss, inner_steps })
}

/// A law under a course of its contact, as a system of differential equations.
struct Motion<'a, L> {
    law: &'a L,
    course: &'a Course,
    least_force: f64,
}

impl<L: Law<N>, const N: usize> System<N> for Motion<'_, L> {
    fn rate(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        self.law.evaluate(self.course.at(t), x).rate
    }

    fn jacobian(&self, t: f64, x: &[f64; N]) -> [[f64; N]; N] {
        self.law.linearise(self.course.at(t), x).rate_x
    }

    fn scale(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        let contact = self.course.at(t);
        self.law.scale(Contact { F_N: contact.F_N.max(self.least_force), ..contact }, x)
    }
}
