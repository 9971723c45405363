//! Newton's iteration of a step, and the linear systems of its estimate.

use super::elimination::{backward, eliminate, forward, substitute, velocities};
use super::unknown::{Unknown, ZERO, shift};
use super::{Arrow, Bodies, BodyContact, Rates};
use crate::integrate::extrema::larger;
use crate::law::MAX_STATES;
use crate::ode::tableau::NODES;
use core::array;

impl<C: BodyContact + ?Sized> Bodies<'_, C> {
    /// Factors for a shift s of the real part.
    pub(super) fn factorise(&mut self, s: f64) {
        let Arrow {
            branches,
            count,
            real,
            ..
        } = &mut *self.arrow;
        eliminate(self.body, *count, branches, s, real, |branch| {
            (&branch.by, &mut branch.real)
        });
    }

    /// Solves for the changes of all unknowns in the real part, from right sides in the place of
    /// their errors.
    pub(super) fn solve_real(&mut self) {
        let body = self.body;
        let Arrow {
            coordinates,
            branches,
            states,
            count,
            real,
            first,
            ..
        } = &mut *self.arrow;
        first
            .iter_mut()
            .zip(&*coordinates)
            .for_each(|(right, y)| *right = y.error);
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| branch.acts())
        {
            let x = &mut states[i * *count..][..*count];
            let mut own = [0.0; MAX_STATES];
            own.iter_mut().zip(&*x).for_each(|(own, x)| *own = x.error);
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.real.factors,
                &mut own[..*count],
                first,
            );
            x.iter_mut().zip(own).for_each(|(x, own)| x.error = own);
        }
        substitute(real, first);
        coordinates
            .iter_mut()
            .zip(&*first)
            .for_each(|(y, change)| y.error = *change);
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| branch.acts())
        {
            let dv = velocities(body, i, first);
            for (k, x) in states[i * *count..][..*count].iter_mut().enumerate() {
                x.error = backward(&branch.real.by_v, k, x.error, dv);
            }
        }
    }

    /// Largest magnitude of changes over the error allowed, of the coordinates, and of the velocities
    /// and states of all contacts; infinite where one is not finite.
    pub(super) fn size(&self, changes: fn(&Unknown) -> [f64; 3]) -> f64 {
        let coordinates = &self.arrow.coordinates;
        let (mut most, mut sum) = (0.0, 0.0);
        let mut add = |weight: f64, changes: [f64; 3]| {
            for change in changes {
                sum += change;
                most = larger(weight * change.abs(), most);
            }
        };
        coordinates.iter().for_each(|y| add(y.weight, changes(y)));
        for (i, branch, states) in self.arrow.acting() {
            for (row, weight) in self.body.rows(i).zip(branch.weight) {
                let mut dv = [0.0; 3];
                for (c, y) in self.body.output(row).iter().zip(coordinates) {
                    dv.iter_mut()
                        .zip(changes(y))
                        .for_each(|(dv, change)| *dv += c * change);
                }
                add(weight, dv);
            }
            states.iter().for_each(|x| add(x.weight, changes(x)));
        }
        if sum.is_finite() { most } else { f64::INFINITY }
    }

    /// One Newton iteration of a step of length `h` (s) from the time t (s); returns its change
    /// over the error allowed.
    pub(super) fn iterate(&mut self, t: f64, h: f64) -> f64 {
        let (body, shift) = (self.body, shift(h));
        for j in 0..body.size {
            self.arrow.rates[j] =
                array::from_fn(|s| self.free_rate(j, t + NODES[s] * h, |y| y.u + y.w[s]));
            (self.arrow.first[j], self.arrow.second[j]) = (0.0, ZERO);
        }
        for i in 0..self.forces.contacts.len() {
            if !self.acts(i) {
                continue;
            }
            let mut own = [[0.0; 3]; MAX_STATES];
            for s in 0..3 {
                let Rates { force, states, .. } = self.rates(i, t + NODES[s] * h, |x| x.u + x.w[s]);
                own.iter_mut()
                    .zip(states)
                    .for_each(|(own, rate)| own[s] = rate);
                for (j, rates) in self.arrow.rates.iter_mut().enumerate() {
                    rates[s] -= body.effect(i, j, force);
                }
            }
            let Arrow {
                branches,
                states,
                count,
                first,
                second,
                ..
            } = &mut *self.arrow;
            let (branch, x) = (&branches[i], &mut states[i * *count..][..*count]);
            let (mut real, mut complex) = ([0.0; MAX_STATES], [ZERO; MAX_STATES]);
            for (k, x) in x.iter().enumerate() {
                (real[k], complex[k]) = x.sides(&own[k], h, shift);
            }
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.real.factors,
                &mut real[..*count],
                first,
            );
            forward(
                body,
                i,
                &branch.by.force_x,
                &branch.complex.factors,
                &mut complex[..*count],
                second,
            );
            for (k, x) in x.iter_mut().enumerate() {
                x.sides = (real[k], complex[k]);
            }
        }
        let Arrow {
            coordinates,
            branches,
            states,
            count,
            rates,
            real,
            complex,
            first,
            second,
            ..
        } = &mut *self.arrow;
        for (j, y) in coordinates.iter().enumerate() {
            let (side, of_complex) = y.sides(&rates[j], h, shift);
            (first[j], second[j]) = (first[j] + side, second[j] + of_complex);
        }
        substitute(real, first);
        substitute(complex, second);
        for (j, y) in coordinates.iter_mut().enumerate() {
            y.add((first[j], second[j]));
        }
        for (i, branch) in branches
            .iter()
            .enumerate()
            .filter(|(_, branch)| branch.acts())
        {
            let (dv, of_complex) = (velocities(body, i, first), velocities(body, i, second));
            for (k, x) in states[i * *count..][..*count].iter_mut().enumerate() {
                let (alone, complex) = x.sides;
                let real = backward(&branch.real.by_v, k, alone, dv);
                x.add((real, backward(&branch.complex.by_v, k, complex, of_complex)));
            }
        }
        self.size(|x| x.change)
    }
}
