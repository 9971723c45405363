//! The first kink of the law in a panel of a light contact.

use super::super::constants::{BEYOND_KINK, CROSSING, KINK_PRECISION};
use super::super::equations::Equations;
use super::panel::{Lags, Node, Panel, Place};
use super::{LightContact, LightLaw};
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::cubic::{between, extremum};
use crate::integrate::gauss::STAGES;

/// A kink of the law in a panel.
pub struct Kink {
    /// Distance from the start, s.
    pub distance: f64,
    /// Whether F_0 passes a limit of the shift, at which F_R may turn within a moment; at the border of a zone only its slope or curvature jumps.
    pub turns: bool,
}

impl Kink {
    /// Length (s) with which a panel of `h` (s) is repeated: up to just beyond the border of a zone, or up to just before a limit of the shift,
    /// which a step of the length `crossing` (s) crosses next. `None` where the panel ends at the kink.
    pub fn length_before(&self, h: f64, crossing: f64) -> Option<f64> {
        let length = if !self.turns {
            self.distance * (1.0 + BEYOND_KINK)
        } else if self.distance > crossing {
            self.distance - 0.5 * crossing
        } else {
            crossing
        };
        let ends_there = if self.turns { length >= h } else { self.distance >= h * (1.0 - 2.0 * BEYOND_KINK) };
        (!ends_there).then_some(length.max(crossing))
    }
}

impl<L: LightLaw> LightContact<'_, L> {
    /// The first kink in a panel from a start at `t`, as far as its nodes show one. The border of a zone within the shortest step of the start has
    /// been passed: w lies there but for its rounding, and leaves it slowly.
    pub(super) fn first_kink(&self, t: f64, start: Lags, first: &Node, panel: &Panel) -> Option<Kink> {
        let mut first = *first;
        for i in 0..=STAGES {
            let far = panel.place(i);
            loop {
                let is_first = i == 0;
                let near = if is_first { Place { share: 0.0, lags: &start, node: &first } } else { panel.place(i - 1) };
                let Some(reach) = self.reach(near.node, far.node, (far.share - near.share) * panel.h) else { break };
                let Some((share, turns)) = self.kink_between(t, panel.h, near, far, reach) else { break };
                let distance = (near.share + share * (far.share - near.share)) * panel.h;
                let is_passed = is_first && !turns && distance <= CROSSING * self.interval.duration;
                if !is_passed || far.node.zone == first.zone {
                    return Some(Kink { distance, turns });
                }
                first.zone = if far.node.zone > first.zone { first.zone + 1 } else { first.zone - 1 };
            }
        }
        None
    }

    /// Share of the way between two nodes, `width` (s) apart, at the end of which a kink may be seen: all of it, or the way to the extremum of
    /// F_0 where F_0 turns between two nodes on the same side of the kinks.
    fn reach(&self, near: &Node, far: &Node, width: f64) -> Option<f64> {
        if far.is_beyond_a_kink(self.law, near) {
            return Some(1.0);
        }
        let turns = near.F_0 * near.slope < 0.0 && near.slope * far.slope < 0.0;
        turns.then(|| extremum(far.F_0 - near.F_0, [width * near.slope, width * far.slope]))
    }

    /// Share of the way between two nodes, each with its share of the panel of `h` (s), where the first kink is, and whether it is one of
    /// F_0; `None` if there is none up to the share `reach`.
    fn kink_between(
        &self,
        t: f64,
        h: f64,
        Place { share: from, lags: start, node: first }: Place,
        Place { share: to, lags: end, node: last }: Place,
        reach: f64,
    ) -> Option<(f64, bool)> {
        let width = (to - from) * h;
        let length = self.law.bristle().omega * width;
        let (ends, rates) = ([start, end].map(|lags| [lags.p, lags.q]), [start.rates(first.F_R), end.rates(last.F_R)]);
        let at = |s: f64| {
            let [p, q] = between(ends.each_ref(), rates.each_ref(), length, s);
            self.node(t + from * h + s * width, Lags { p, q })
        };
        let precision = KINK_PRECISION * CROSSING * self.interval.duration / width;
        let last = if reach < 1.0 { &at(reach) } else { last };
        if !last.is_beyond_a_kink(self.law, first) {
            return None;
        }
        let mut found = None;
        let mut before = *last;
        if last.side != first.side {
            let forward = last.side > first.side;
            let share = [-1.0, 0.0, 1.0][usize::from(if forward { first.side } else { first.side - 1 })];
            let border = |node: &Node| node.F_0 - share * node.F_s;
            let place = change_of_sign(|s| border(&at(s)), reach, [border(first), border(last)], precision);
            before = at(place - precision);
            found = Some((place, true));
        }
        if before.zone != first.zone {
            let Equations { v_s, v_d, .. } = *self.law.bristle();
            let forward = before.zone > first.zone;
            let border = [-v_d, -v_s, 0.0, v_s, v_d][usize::from(if forward { first.zone } else { first.zone - 1 })];
            let reach = found.map_or(reach, |(place, _)| place);
            let place = change_of_sign(|s| at(s).w - border, reach, [first.w - border, before.w - border], precision);
            found = Some((place, false));
        }
        found
    }
}

#[cfg(test)]
mod tests;
