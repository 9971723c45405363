//! FrDyn2 over a step in which the contact opens or closes.
//!
//! The step is divided at the zeros and turns of its inputs, so that F_N is monotonic in each piece and has one sign. An open piece
//! has a closed form. A closed piece that comes from an opening or ends in one is the series' as long as F_N is more than a small
//! share of its largest value; the rest, in which all quotients by F_N grow beyond bounds, is the general integrator's and short.

use super::advance::{LEAST_LOAD, Precision, Way};
use super::closed_form::Relaxation;
use super::{FrDyn2, NO_FORCE};
use crate::integrate::Failure;
use crate::integrate::radau::Radau;
use crate::law::{Course, bisect};

impl FrDyn2 {
    /// Advances the bristle piece by piece; after a failure `x` is anywhere on its way.
    #[inline(never)]
    pub(super) fn way_through_openings(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        duration: f64,
        precision: Precision,
        solver: &mut Radau,
    ) -> Result<Way, Failure> {
        let mut way = Way::default();
        for cut in course.cuts(duration) {
            let length = cut - way.t;
            if !(length > 0.0) {
                continue;
            }
            let rest = course.after(way.t);
            let piece = rest.course();
            if self.mu_s * piece.at(0.5 * length).F_N < NO_FORCE {
                *x = Relaxation::new(x, 0.0, self.omega).at(length);
                way.inner_steps += 1;
            } else {
                way.add(self.closed_piece(&piece, x, length, precision, solver)?);
            }
            way.t = cut;
        }
        Ok(way)
    }

    /// Advances the bristle over a piece in which F_N is above 0 and monotonic, but for its ends.
    fn closed_piece(
        &self,
        piece: &Course,
        x: &mut [f64; 2],
        length: f64,
        precision: Precision,
        solver: &mut Radau,
    ) -> Result<Way, Failure> {
        let [start, end] = [0.0, length].map(|t| piece.at(t).F_N);
        let least = LEAST_LOAD * start.max(end);
        let bears = |t: f64| piece.at(t).F_N >= least;
        let border = bisect(0.0, length, bears).unwrap_or(length);
        let mut way = Way::default();
        for (from, to) in [(0.0, border), (border, length)] {
            if to > from {
                let rest = piece.after(from);
                let part = rest.course();
                let middle = 0.5 * (from + to);
                way.add(if bears(middle) {
                    self.closed_way(&part, x, to - from, precision, solver)?
                } else {
                    self.general_way(&part, x, to - from, precision, solver)?
                });
            }
        }
        Ok(way)
    }
}
