//! A rig and its laws in one system of differential equations: the reference.
//!
//! Solved by Dormand and Prince's explicit method of order 8(5,3), a method that no element uses,
//! at a tight tolerance. The elements only evaluate their equations here. Between two samples their
//! event indicators are monitored, and an event is located by bisection, each trial solved from the
//! last point before it.

use crate::case::Case;
use crate::trace::{Answer, Sample, Trace};
use anyhow::{Result, bail};
use bristle::element::{AnyElement, F_R, F_R_Y, STICKING, V_Y};
use bristle::law::MAX_EVENTS;
use bristle::variable::Variable;
use bristle_rigs::Rig;
use ode_solvers::{DVector, Dop853, OutputType, System};
use std::cell::RefCell;

/// The tolerance of the solution, relative to the sizes of the states.
const TOLERANCE: f64 = 1e-11;
/// More events than this in a run are chatter: the law has no monolithic solution here.
const MOST_SWITCHES: usize = 20_000;
/// More events than this between two samples are chatter, too: a run that chatters from the start
/// would bisect for a minute before it reaches [`MOST_SWITCHES`].
const MOST_SWITCHES_IN_SAMPLE: usize = 100;

/// A rig with its elements.
struct Whole<'a> {
    rig: &'a dyn Rig,
    elements: RefCell<Vec<Box<dyn AnyElement>>>,
    /// Work space of an evaluation.
    scratch: RefCell<Scratch>,
    states: Vec<&'static Variable>,
    derivatives: Vec<&'static Variable>,
    events: usize,
    /// Forces have a second component.
    planar: bool,
    /// The size of each state of the whole, by which it is divided for the solver.
    sizes: Vec<f64>,
}

#[derive(Default)]
struct Scratch {
    friction: Vec<f64>,
    y: Vec<f64>,
    rate: Vec<f64>,
}

impl Whole<'_> {
    /// Puts time and states into the elements and evaluates them; leaves the friction forces.
    fn evaluate(&self, t: f64, y: &[f64], friction: &mut Vec<f64>) -> Result<()> {
        let mut elements = self.elements.borrow_mut();
        let (rig, bristles) = y.split_at(y.len() - elements.len() * self.states.len());
        friction.clear();
        for (k, element) in elements.iter_mut().enumerate() {
            let contact = self.rig.contact(t, rig, k);
            element.set_time(t);
            element.set_contact(contact);
            for (i, state) in self.states.iter().enumerate() {
                element.set(state, bristles[k * self.states.len() + i]);
            }
            element.evaluate()?;
            friction.push(element.values()[&F_R]);
            if self.planar {
                friction.push(element.values()[&F_R_Y]);
            }
        }
        Ok(())
    }

    fn rate(&self, t: f64, y: &[f64], rate: &mut [f64], friction: &mut Vec<f64>) -> Result<()> {
        self.evaluate(t, y, friction)?;
        let elements = self.elements.borrow();
        let split = y.len() - elements.len() * self.states.len();
        let (rig, bristles) = rate.split_at_mut(split);
        self.rig.rate(t, &y[..split], friction, rig);
        let rates = elements
            .iter()
            .flat_map(|element| self.derivatives.iter().map(|d| element.values()[*d]));
        bristles
            .iter_mut()
            .zip(rates)
            .for_each(|(place, rate)| *place = rate);
        Ok(())
    }

    /// The signs of all event indicators.
    fn signs(&self, t: f64, y: &[f64]) -> Result<Vec<[bool; MAX_EVENTS]>> {
        self.evaluate(t, y, &mut Vec::new())?;
        Ok(self
            .elements
            .borrow()
            .iter()
            .map(|element| element.indicators().map(|z| z > 0.0))
            .collect())
    }

    /// Lets the elements change their modes, and takes over the states that change with them.
    fn settle(&self, t: f64, y: &mut [f64]) -> Result<()> {
        self.evaluate(t, y, &mut Vec::new())?;
        let mut elements = self.elements.borrow_mut();
        let split = y.len() - elements.len() * self.states.len();
        for (k, element) in elements.iter_mut().enumerate() {
            element.event_iteration();
            // A law with a delay looks back on these.
            element.record();
            for (i, state) in self.states.iter().enumerate() {
                y[split + k * self.states.len() + i] = element.values()[*state];
            }
        }
        Ok(())
    }

    /// The states at `to` from those at `from`, in the present modes.
    fn solve(&self, from: f64, to: f64, y: &[f64]) -> Result<Vec<f64>> {
        // The time is a component: given as such, the crate (0.6.2) takes the last of its stages at
        // the start of a step.
        let scaled = y
            .iter()
            .zip(&self.sizes)
            .map(|(y, size)| y / size)
            .chain([0.0]);
        let start = DVector::from_iterator(y.len() + 1, scaled);
        let (safety, beta, shrink, grow) = (0.9, 0.0, 0.333, 6.0);
        let [limit, stiffness_check] = [u32::MAX; 2];
        let mut solver = Dop853::from_param(
            Scaled {
                whole: self,
                from,
                span: to - from,
            },
            0.0,
            1.0,
            1.0,
            start,
            TOLERANCE,
            TOLERANCE,
            safety,
            beta,
            shrink,
            grow,
            1.0,
            0.0,
            limit,
            stiffness_check,
            OutputType::Sparse,
        );
        if let Err(error) = solver.integrate() {
            bail!("the reference gives up between {from} s and {to} s: {error}");
        }
        let end = solver.y_out().last().expect("the solver keeps the end");
        Ok(end
            .iter()
            .zip(&self.sizes)
            .map(|(y, size)| y * size)
            .collect())
    }
}

/// The whole in the solver's units: time from 0 to 1, states over their sizes, and the time as the
/// last component.
struct Scaled<'a> {
    whole: &'a Whole<'a>,
    from: f64,
    span: f64,
}

impl System<f64, DVector<f64>> for Scaled<'_> {
    fn system(&self, _: f64, y: &DVector<f64>, slope: &mut DVector<f64>) {
        let sizes = &self.whole.sizes;
        let Scratch {
            friction,
            y: real,
            rate,
        } = &mut *self.whole.scratch.borrow_mut();
        real.clear();
        real.extend(y.iter().zip(sizes).map(|(y, size)| y * size));
        rate.resize(real.len(), 0.0);
        if self
            .whole
            .rate(self.from + y[sizes.len()] * self.span, real, rate, friction)
            .is_err()
        {
            rate.fill(f64::NAN);
        }
        for (i, size) in sizes.iter().enumerate() {
            slope[i] = rate[i] * self.span / size;
        }
        slope[sizes.len()] = 1.0;
    }
}

/// Solves a rig with a law under each contact from 0 to `end` (s), with samples `dt` (s) apart;
/// refused where the law chatters, has no monolithic solution, or needs the acceleration, which
/// would make the equations implicit.
pub fn run(case: &Case, rig: &dyn Rig, dt: f64, end: f64) -> Result<Trace> {
    let metadata = case.entry.metadata;
    if case.entry.variables().any(|variable| variable.name == "a") {
        bail!(
            "{} needs the acceleration: its monolithic equation is implicit",
            metadata.name
        );
    }
    let mut y = rig.start();
    let mut sizes = rig.sizes();
    let elements: Result<Vec<_>> = (0..rig.contacts())
        .map(|k| element(case, rig, &y, k))
        .collect();
    let elements = elements?;
    for element in &elements {
        for (state, _) in metadata.states {
            y.push(element.values()[state]);
            sizes.push(state.nominal.unwrap_or(1.0));
        }
    }
    let whole = Whole {
        rig,
        states: metadata.states.iter().map(|(state, _)| state).collect(),
        derivatives: metadata
            .states
            .iter()
            .map(|(_, derivative)| derivative)
            .collect(),
        events: metadata.events.len(),
        planar: case.entry.variable(V_Y.reference).is_some(),
        elements: RefCell::new(elements),
        scratch: RefCell::default(),
        sizes,
    };
    let kinks = rig.kinks();
    let mut trace = Trace::default();
    let (mut t, mut switches) = (0.0, 0);
    whole.settle(t, &mut y)?;
    for i in 1..=(end / dt).round() as usize {
        let goal = i as f64 * dt;
        let before = switches;
        while t < goal {
            let kink = kinks.iter().copied().find(|kink| *kink > t).unwrap_or(goal);
            let to = goal.min(kink);
            let (reached, state) = whole.to_event(t, to, &y)?;
            if reached < to {
                switches += 1;
            }
            if switches > MOST_SWITCHES || switches > before + MOST_SWITCHES_IN_SAMPLE {
                bail!(
                    "{} chatters at {t} s: it has no monolithic solution",
                    metadata.name
                );
            }
            (t, y) = (reached, state);
            whole.settle(t, &mut y)?;
        }
        trace.0.push(whole.sample(goal, &y)?);
    }
    Ok(trace)
}

/// An element of the case in the contact in which the rig starts.
fn element(case: &Case, rig: &dyn Rig, y: &[f64], contact: usize) -> Result<Box<dyn AnyElement>> {
    let mut element = case.instantiate()?;
    element.set_contact(rig.contact(0.0, y, contact));
    element.initialize()?;
    Ok(element)
}

impl Whole<'_> {
    /// An event indicator changes its sign between two points.
    fn happens(&self, from: f64, y: &[f64], to: f64, state: &[f64]) -> Result<bool> {
        Ok(self.events > 0 && self.signs(from, y)? != self.signs(to, state)?)
    }

    /// Advances to `to` or to just behind the first event before it.
    fn to_event(&self, from: f64, to: f64, y: &[f64]) -> Result<(f64, Vec<f64>)> {
        let end = self.solve(from, to, y)?;
        if !self.happens(from, y, to, &end)? {
            return Ok((to, end));
        }
        let signs = self.signs(from, y)?;
        let (mut near, mut far) = ((from, y.to_vec()), (to, end));
        while far.0 - near.0 > 1e-13 * to.max(1e-3) {
            let middle = 0.5 * (near.0 + far.0);
            if middle <= near.0 || middle >= far.0 {
                break;
            }
            let state = self.solve(near.0, middle, &near.1)?;
            if self.signs(middle, &state)? == signs {
                near = (middle, state);
            } else {
                far = (middle, state);
            }
        }
        Ok(far)
    }

    fn sample(&self, t: f64, y: &[f64]) -> Result<Sample> {
        self.evaluate(t, y, &mut Vec::new())?;
        let elements = self.elements.borrow();
        let split = y.len() - elements.len() * self.states.len();
        let answers = elements.iter().enumerate().map(|(k, element)| Answer {
            contact: self.rig.contact(t, &y[..split], k),
            F_R: element.values()[&F_R],
            F_R_y: if self.planar {
                element.values()[&F_R_Y]
            } else {
                0.0
            },
            F_law: element.values()[&F_R],
            sticking: element.values()[&STICKING] != 0.0,
            z: self
                .states
                .first()
                .map_or(0.0, |state| element.values()[*state]),
        });
        Ok(Sample {
            t,
            y: y[..split].to_vec(),
            contacts: answers.collect(),
        })
    }
}
