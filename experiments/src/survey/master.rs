//! Masters of the survey, on elements of the library. Values are held between communication points unless a master says otherwise.

use super::contacts::Contacts;
use super::reference::Moment;
use super::system::System;
use bristle::assembly::AssemblySnapshot;
use bristle::coupling::{Coupling, DF_R_DV, E_LOSS_ERROR, F_R_MEAN};
use bristle::element::V;
use bristle::law::Contact;
use bristle_random::Random;
use bristle_rigs::Rig;

/// Master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Master {
    /// The elements first, then the bodies under the new forces.
    Serial,
    /// Both at the same time, the bodies under the forces of the step before.
    Parallel,
    /// Parallel, with the forces of the step before that.
    Delayed,
    /// Serial, with the forces extrapolated linearly over the step.
    Extrapolating,
    /// Serial, with the bodies in ten steps of the symplectic Euler method.
    Multirate,
    /// Serial, with steps of random length from H/50 to H.
    Random,
    /// Serial, with step doubling and rollback: the length follows the error, up to H.
    Doubling,
    /// Newton's iteration for the velocities at the end of the step, with rollback.
    Newton,
}

impl Master {
    /// Name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Master::Serial => "serial",
            Master::Parallel => "parallel",
            Master::Delayed => "one more delay",
            Master::Extrapolating => "linear extrapolation",
            Master::Multirate => "multirate body",
            Master::Random => "random H",
            Master::Doubling => "step doubling",
            Master::Newton => "Newton with rollback",
        }
    }
}

/// Communication step as the bodies saw it.
pub struct Cycle {
    /// Start and end, s.
    pub span: [f64; 2],
    /// Forces on the bodies, N.
    pub forces: Vec<f64>,
    /// Work of each force, J.
    pub work: Vec<f64>,
    /// State of the bodies at the end.
    pub y: Vec<f64>,
}

/// Run of a scenario.
pub struct Run {
    /// Steps.
    pub cycles: Vec<Cycle>,
    /// First warning of the coupling with its time (s), if there was one.
    pub warning: Option<(f64, String)>,
    /// Largest error of the work at the end that an element reports.
    pub reported: f64,
    /// Mass (kg) and scheme that the first element has identified, and whether they are in use.
    pub identified: Option<(f64, Coupling, bool)>,
    /// Bodies and bristles after the first [`SKIPPED`] steps, of a run that is longer.
    pub later: Option<Moment>,
}

/// Steps in which mass and order may be found.
pub const SKIPPED: usize = 50;
/// Largest length over the smallest of random steps.
const SPREAD: f64 = 50.0;
/// Error of a displacement that step doubling allows, m.
const DOUBLING_ERROR: f64 = 1e-7;
/// Iterations of [`Master::Newton`].
const ITERATIONS: usize = 12;

/// Saved elements, bodies, time (s), and the forces (N) of two steps and those on the bodies.
type Saved = (Vec<AssemblySnapshot>, Vec<f64>, f64, [Vec<f64>; 3]);

/// Bodies and elements on their way.
struct Coupled<'a> {
    system: &'a System,
    master: Master,
    elements: Contacts,
    y: Vec<f64>,
    t: f64,
    /// Last forces, the newest first, N.
    held: [Vec<f64>; 2],
    /// Forces of the last step on the bodies, N.
    used: Vec<f64>,
    warning: Option<(f64, String)>,
}

impl Coupled<'_> {
    fn step(&mut self, h: f64) -> Cycle {
        let n = self.system.contacts();
        if self.master == Master::Newton {
            return self.iterate(h);
        }
        let mut new = vec![0.0; n];
        for k in 0..n {
            let contact = self.system.contact(self.t, &self.y, k);
            let a = self.system.acceleration(self.t, &self.y, k, &self.used);
            self.elements.set_contact(k, Contact { a, ..contact });
        }
        let warning = self.elements.warning(h);
        if self.warning.is_none() {
            self.warning = warning.map(|text| (self.t, text));
        }
        // An element that fails is as bad as one that pushes for ever.
        let advanced = self.elements.advance(h);
        for (k, new) in new.iter_mut().enumerate() {
            *new = if advanced { self.elements.force(k) } else { f64::NAN };
        }
        let [last, one_before] = &self.held;
        let forces: Vec<f64> = match self.master {
            Master::Parallel => last.clone(),
            Master::Delayed => one_before.clone(),
            Master::Extrapolating => new.iter().zip(last).map(|(new, last)| new + 0.5 * (new - last)).collect(),
            _ => new.clone(),
        };
        self.held.swap(0, 1);
        self.held[0] = new;
        self.move_bodies(h, forces)
    }

    fn move_bodies(&mut self, h: f64, forces: Vec<f64>) -> Cycle {
        let before = self.y.clone();
        if self.master == Master::Multirate {
            let mut rate = vec![0.0; self.y.len()];
            for i in 0..10 {
                self.system.rate(self.t + 0.1 * h * f64::from(i), &self.y, &forces, &mut rate);
                for m in 0..self.system.masses.len() {
                    self.y[2 * m + 1] += 0.1 * h * rate[2 * m + 1];
                    self.y[2 * m] += 0.1 * h * self.y[2 * m + 1];
                }
            }
        } else {
            self.system.advance(self.t, &mut self.y, h, &forces);
        }
        let travel = |k: usize| {
            let slide = &self.system.slides[k];
            let moved = |i: usize| self.y[2 * i] - before[2 * i];
            moved(slide.on) - slide.against.map_or(slide.belt * h, moved)
        };
        let work = forces.iter().enumerate().map(|(k, force)| force * travel(k)).collect();
        let span = [self.t, self.t + h];
        self.t += h;
        self.used.clone_from(&forces);
        Cycle { span, forces, work, y: self.y.clone() }
    }

    /// Step in which the elements get the mean of the velocities at both ends and the bodies the elements' mean forces.
    fn iterate(&mut self, h: f64) -> Cycle {
        let n = self.system.contacts();
        let saved = self.elements.save();
        let contacts: Vec<_> = (0..n).map(|k| self.system.contact(self.t, &self.y, k)).collect();
        let end = |y: &[f64], k: usize| self.system.contact(self.t + h, y, k).v;
        let moved = |forces: &[f64]| {
            let mut y = self.y.clone();
            self.system.advance(self.t, &mut y, h, forces);
            y
        };
        // The bodies respond linearly to the forces.
        let zero = vec![0.0; n];
        let free = moved(&zero);
        let response: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let mut forces = zero.clone();
                forces[j] = 1.0;
                let y = moved(&forces);
                (0..n).map(|k| end(&y, k) - end(&free, k)).collect()
            })
            .collect();
        let mut v: Vec<f64> = contacts.iter().map(|contact| contact.v).collect();
        let mut forces = zero.clone();
        for _ in 0..ITERATIONS {
            let mut slopes = vec![0.0; n];
            self.elements.restore(&saved);
            for k in 0..n {
                self.elements.set_contact(k, contacts[k]);
                self.elements.set(k, &V, 0.5 * (contacts[k].v + v[k]));
            }
            let stepped = self.elements.advance(h);
            for k in 0..n {
                forces[k] = if stepped { self.elements.on_demand(k, &F_R_MEAN) } else { f64::NAN };
                slopes[k] = 0.5 * self.elements.on_demand(k, &DF_R_DV).max(0.0);
            }
            let y = moved(&forces);
            let residual: Vec<f64> = (0..n).map(|k| v[k] - end(&y, k)).collect();
            let size = residual.iter().fold(0.0_f64, |size, r| size.max(r.abs()));
            if size < 1e-10 || !size.is_finite() {
                break;
            }
            let mut matrix: Vec<Vec<f64>> = (0..n)
                .map(|k| (0..n).map(|j| f64::from(k == j) - response[j][k] * slopes[j]).chain([residual[k]]).collect())
                .collect();
            for (v, change) in v.iter_mut().zip(solve(&mut matrix)) {
                *v -= change;
            }
        }
        self.move_bodies(h, forces)
    }

    fn moment(&self) -> Moment {
        let bristles = (0..self.elements.count()).map(|k| self.elements.bristle(k)).collect();
        Moment { t: self.t, y: self.y.clone(), bristles }
    }

    fn save(&self) -> Saved {
        (self.elements.save(), self.y.clone(), self.t, [self.held[0].clone(), self.held[1].clone(), self.used.clone()])
    }

    fn restore(&mut self, (elements, y, t, forces): &Saved) {
        self.elements.restore(elements);
        let [last, one_before, used] = forces.clone();
        (self.y, self.t, self.held, self.used) = (y.clone(), *t, [last, one_before], used);
    }
}

/// Gauss's elimination with row pivoting; the right-hand side is the last column.
fn solve(matrix: &mut [Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|a, b| matrix[*a][column].abs().total_cmp(&matrix[*b][column].abs()));
        matrix.swap(column, pivot.unwrap_or(column));
        for row in column + 1..n {
            let factor = matrix[row][column] / matrix[column][column];
            let pivot = matrix[column].clone();
            matrix[row].iter_mut().zip(&pivot).skip(column).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut x = vec![0.0; n];
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|i| matrix[row][i] * x[i]).sum();
        x[row] = (matrix[row][n] - known) / matrix[row][row];
    }
    x
}

/// Runs a scenario's system from its start to `end` (s) with steps of `h` (s) and these elements in its contacts.
///
/// # Panics
/// If an element cannot start.
pub fn run(system: &System, elements: Contacts, master: Master, h: f64, end: f64) -> Run {
    run_from(None, system, elements, master, [h, end])
}

/// Runs a system as [`run`], from a moment on where one is given.
///
/// # Panics
/// If an element cannot start.
pub fn run_from(
    from: Option<&Moment>,
    system: &System,
    mut elements: Contacts,
    master: Master,
    [h, end]: [f64; 2],
) -> Run {
    let (t, y) = from.map_or_else(|| (0.0, system.start()), |moment| (moment.t, moment.y.clone()));
    for k in 0..elements.count() {
        elements.set_contact(k, system.contact(t, &y, k));
        if let Some(moment) = from {
            elements.set_bristle(k, &moment.bristles[k]);
        }
    }
    elements.initialize().expect("an element starts");
    // The first step of a parallel master has the force that the element shows after its initialisation.
    let start: Vec<f64> = (0..elements.count()).map(|k| elements.force(k)).collect();
    let held = [start.clone(), start.clone()];
    let mut coupled = Coupled { system, master, elements, y, t, held, used: start, warning: None };
    let (mut cycles, mut later) = (Vec::new(), None);
    let mut random = Random::new(1);
    let mut length = h;
    while coupled.t < end - 1e-9 && coupled.y.iter().all(|y| y.is_finite()) {
        let left = end - coupled.t;
        if cycles.len() == SKIPPED {
            later = Some(coupled.moment());
        }
        match master {
            Master::Random => {
                let shorter = libm::exp(random.between(-libm::log(SPREAD), 0.0));
                cycles.push(coupled.step((h * shorter).min(left)));
            }
            Master::Doubling => {
                let step = length.min(h).min(left);
                let start = coupled.save();
                let whole = coupled.step(step);
                coupled.restore(&start);
                let halves = [coupled.step(0.5 * step), coupled.step(0.5 * step)];
                let error = whole.y.iter().zip(&coupled.y).step_by(2).fold(0.0_f64, |e, (a, b)| e.max((a - b).abs()));
                cycles.extend(halves);
                length = step * (0.9 * libm::cbrt(DOUBLING_ERROR / error.max(1e-30))).clamp(0.2, 2.0);
                length = length.max(0.01 * h);
            }
            _ => cycles.push(coupled.step(h.min(left))),
        }
    }
    let elements = &coupled.elements;
    let errors = (0..elements.count()).map(|k| elements.on_demand(k, &E_LOSS_ERROR));
    let automatic = elements.first().contacts()[0].snapshot().automatic;
    let identified = automatic.identified().map(|(mass, scheme)| (mass, scheme, automatic.in_use().is_some()));
    Run {
        cycles,
        identified,
        later,
        reported: errors.fold(0.0, |worst, error| error.abs().max(worst)),
        warning: coupled.warning,
    }
}
