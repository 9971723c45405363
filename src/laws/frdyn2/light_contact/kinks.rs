//! The first kink of the law in a panel of a light contact.

use super::super::constants::{BEYOND_KINK, CROSSING, KINK_PRECISION};
use super::super::equations::Equations;
use super::panel::{Lags, Node, Panel};
use super::{LightContact, LightLaw};
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::cubic::{between, extremum};
use core::cmp::Ordering;

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
        let nodes =
            panel.places.into_iter().zip(panel.lags).zip(panel.nodes).map(|((place, lags), node)| (place, lags, node));
        let mut near = (0.0, start, *first);
        for far in nodes.chain([(1.0, panel.end, panel.at_end)]) {
            while let Some(reach) = self.reach(&near.2, &far.2, (far.0 - near.0) * panel.h)
                && let Some((share, turns)) = self.kink_between(t, panel.h, &near, &far, reach)
            {
                let distance = (near.0 + share * (far.0 - near.0)) * panel.h;
                let is_passed = !turns && near.0 == 0.0 && distance <= CROSSING * self.interval.duration;
                match far.2.zone.cmp(&near.2.zone) {
                    Ordering::Greater if is_passed => near.2.zone += 1,
                    Ordering::Less if is_passed => near.2.zone -= 1,
                    _ => return Some(Kink { distance, turns }),
                }
            }
            near = far;
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
        &(from, start, ref first): &(f64, Lags, Node),
        &(to, end, ref last): &(f64, Lags, Node),
        reach: f64,
    ) -> Option<(f64, bool)> {
        let width = (to - from) * h;
        let length = self.law.bristle().omega * width;
        let (ends, rates) = ([start, end].map(|Lags { p, q }| [p, q]), [start.rates(first.F_R), end.rates(last.F_R)]);
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
