//! Monolithic solution of a scenario, with the law's equations alone: the classic Runge–Kutta method in short equal steps.

use super::scenarios::Scenario;
use crate::case::Case;
use anyhow::Result;
use bristle::element::F_R;
use bristle_rigs::Rig;

/// Step of the method, s. The fastest rate of bristle and contact damping is about 5e4 1/s; half the step changes no result by more than
/// 1e-5 of its range.
const STEP: f64 = 4e-6;
/// Distance of samples, s.
pub const SAMPLED: f64 = 2e-5;

/// Bodies and bristles at one time.
pub struct Moment {
    /// Time, s.
    pub t: f64,
    /// State of the bodies.
    pub y: Vec<f64>,
    /// States of the law in each contact.
    pub bristles: Vec<Vec<f64>>,
}

/// Sampled solution.
pub struct Reference {
    /// Time of the first sample, s.
    start: f64,
    /// Displacement of each mass, m, at each sample.
    pub x: Vec<Vec<f64>>,
    /// Impulse of friction in each contact up to each sample, N·s.
    pub impulse: Vec<Vec<f64>>,
    /// Work of friction in each contact up to each sample, J.
    work: Vec<Vec<f64>>,
}

impl Reference {
    /// Solves a scenario with this element in each contact from its start.
    pub fn solve(scenario: &Scenario, case: &Case) -> Result<Self> {
        Self::solve_from(scenario, case, None)
    }

    /// Solves a scenario from a moment on.
    pub fn solve_from(scenario: &Scenario, case: &Case, from: Option<&Moment>) -> Result<Self> {
        let system = &scenario.system;
        let contacts = system.contacts();
        let states: Vec<_> = case.entry.metadata.states.iter().collect();
        let (start, mut y) = from.map_or_else(|| (0.0, system.start()), |moment| (moment.t, moment.y.clone()));
        let body = y.len();
        let mut elements = Vec::new();
        for k in 0..contacts {
            let mut element = case.instantiate()?;
            element.set_contact(system.contact(start, &y, k));
            if let Some(moment) = from {
                states.iter().zip(&moment.bristles[k]).for_each(|((state, _), value)| element.set(state, *value));
            }
            element.initialize()?;
            elements.push(element);
        }
        for element in &elements {
            y.extend(states.iter().map(|(state, _)| element.values()[state]));
        }
        let n = y.len();
        let mut friction = vec![0.0; contacts];
        // Rates of the states, then force and power of each contact.
        let mut evaluate = |t: f64, y: &[f64], rate: &mut [f64]| -> Result<()> {
            for (k, element) in elements.iter_mut().enumerate() {
                let contact = system.contact(t, y, k);
                element.set_contact(contact);
                let first = body + k * states.len();
                for (i, (state, _)) in states.iter().enumerate() {
                    element.set(state, y[first + i]);
                }
                element.evaluate()?;
                for (i, (_, derivative)) in states.iter().enumerate() {
                    rate[first + i] = element.values()[derivative];
                }
                friction[k] = element.values()[&F_R];
                rate[n + k] = friction[k];
                rate[n + contacts + k] = friction[k] * contact.v;
            }
            system.rate(t, y, &friction, &mut rate[..body]);
            Ok(())
        };
        let total = n + 2 * contacts;
        let (mut k, mut at, mut sum) = (vec![0.0; total], y.clone(), vec![0.0; total]);
        let mut integrals = vec![0.0; 2 * contacts];
        let mut reference = Reference {
            start,
            x: vec![(0..system.masses.len()).map(|i| y[2 * i]).collect()],
            impulse: vec![vec![0.0; contacts]],
            work: vec![vec![0.0; contacts]],
        };
        let every = (SAMPLED / STEP).round() as usize;
        for step in 0..((scenario.end - start) / STEP).round() as usize {
            let t = start + step as f64 * STEP;
            at.copy_from_slice(&y);
            sum.fill(0.0);
            for (node, weight, reach) in [(0.0, 1.0, 0.5), (0.5, 2.0, 0.5), (0.5, 2.0, 1.0), (1.0, 1.0, 0.0)] {
                evaluate(t + node * STEP, &at, &mut k)?;
                for i in 0..total {
                    sum[i] += weight / 6.0 * STEP * k[i];
                    if i < n {
                        at[i] = y[i] + reach * STEP * k[i];
                    }
                }
            }
            y.iter_mut().zip(&sum).for_each(|(y, sum)| *y += sum);
            integrals.iter_mut().zip(&sum[n..]).for_each(|(integral, sum)| *integral += sum);
            if (step + 1) % every == 0 {
                reference.x.push((0..system.masses.len()).map(|i| y[2 * i]).collect());
                reference.impulse.push(integrals[..contacts].to_vec());
                reference.work.push(integrals[contacts..].to_vec());
            }
        }
        Ok(reference)
    }

    fn at(&self, samples: &[Vec<f64>], i: usize, t: f64) -> f64 {
        let place = ((t - self.start) / SAMPLED).clamp(0.0, (samples.len() - 1) as f64);
        let before = place.floor() as usize;
        let after = (before + 1).min(samples.len() - 1);
        samples[before][i] + place.fract() * (samples[after][i] - samples[before][i])
    }

    /// Displacement of a mass at a time (s), m.
    pub fn displacement(&self, mass: usize, t: f64) -> f64 {
        self.at(&self.x, mass, t)
    }

    /// Work of friction in a contact between two times (s), J.
    pub fn work(&self, contact: usize, [from, to]: [f64; 2]) -> f64 {
        self.at(&self.work, contact, to) - self.at(&self.work, contact, from)
    }

    /// Mean force of a contact between two times (s), N.
    pub fn mean(&self, contact: usize, [from, to]: [f64; 2]) -> f64 {
        (self.at(&self.impulse, contact, to) - self.at(&self.impulse, contact, from)) / (to - from)
    }
}
