//! Light contacts, whose friction hardly moves the bristle: panels of Gauss's quadrature. See §10 of `docs/internals/numerics.md`.
//!
//! Where F_s is small beside σ_1 v_s the bristle nearly follows its free motion (a + bt) e^(−ωt), and F_R depends on what it adds to that by a
//! small part only. Its values at the nodes of a panel therefore converge within a few iterations, and a panel may be as long as F_R is smooth. Panels
//! end at the kinks of the law: F_0 of a light contact passes through ±F_s within moments, in which F_R turns.

mod kinks;
mod panel;

use super::constants::{
    CROSSING, KINK_ATTEMPTS, LIGHT_BORDER, LINGERING, LONGEST_PANEL, MAX_LAG, MAX_LIGHT_PANELS, MAX_PANEL_FACTOR,
    MIN_LIGHT_LAG_AT_OPENINGS, MIN_PANEL_ERROR, MIN_PANEL_FACTOR, PANEL_MARGIN, PANEL_ORDER, RESTING, SETTLING_TIME,
    SIGNIFICANT_KINK,
};
use super::equations::Equations;
use super::step_totals::StepTotals;
use crate::integrate::step_limit::StepLimit;
use crate::laws::solver::Interval;
use panel::{Lags, Node};

/// A law whose light contacts advance by panels: a bristle, the shift of its slip velocity, and its characteristic.
#[allow(non_snake_case)] // the paper's symbols
pub trait LightLaw {
    /// Change of w within a panel, over the narrower of v_s and v_d − v_s, below which the border of a zone is no kink of F_R.
    const SIGNIFICANT_KINK: f64;
    /// Largest c = σ_1 v_s/F_s of the steps by series that are the alternative to panels.
    const MAX_LAG: f64;
    /// Whether the shift has the root of the distance from |F_0| = F_s.
    const HAS_ROOTS: bool;
    /// The bristle, and the limits of the zones.
    fn bristle(&self) -> &Equations;
    /// Δv over v_s at r = F_0/F_s, |r| ≤ 1.
    fn shift(r: f64) -> f64;
    /// F_R (N) at the shifted slip velocity w (m/s).
    fn force(&self, F_N: f64, w: f64) -> f64;
}

impl LightLaw for Equations {
    const SIGNIFICANT_KINK: f64 = SIGNIFICANT_KINK;
    const MAX_LAG: f64 = MAX_LAG;
    const HAS_ROOTS: bool = true;

    fn bristle(&self) -> &Equations {
        self
    }

    /// Equation (5), 1 − √(1 − |r|) with the sign of r, without its cancellation for small r.
    #[inline]
    fn shift(r: f64) -> f64 {
        r / (1.0 + (1.0 - r.abs()).max(0.0).sqrt())
    }

    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn force(&self, F_N: f64, w: f64) -> f64 {
        self.force_at(F_N, w)
    }
}

/// Normal force (N) up to which a contact next to an opening is light.
pub fn light_force(equations: &Equations) -> f64 {
    LIGHT_BORDER * (equations.sigma_1 * equations.v_s / (MIN_LIGHT_LAG_AT_OPENINGS * equations.mu_s))
}

/// Advances the bristle of a contact that is light, with c at least `least_lag` throughout, by panels each of which has the tolerance of the
/// interval: up to the time in the totals, from which on another method is better, or the end of the step. Any other contact stays at 0.
pub fn advance<L: LightLaw>(
    law: &L,
    interval: &Interval,
    least_lag: f64,
    x: &mut [f64; 2],
    limit: &mut StepLimit,
) -> StepTotals {
    if is_light(law.bristle(), interval, least_lag) {
        LightContact { law, interval }.advance(x, limit)
    } else {
        StepTotals::default()
    }
}

/// Whether c = σ_1 v_s/F_s is at least `least_lag` throughout a step that takes no more than the most panels.
fn is_light(equations: &Equations, &Interval { trajectory, duration, .. }: &Interval, least_lag: f64) -> bool {
    let is_light = |normal_force: f64| equations.sigma_1 * equations.v_s >= least_lag * equations.mu_s * normal_force;
    // Most contacts are not light at the start, which costs less to see.
    is_light(trajectory.start.F_N)
        && is_light(trajectory.max_normal_force(duration))
        && (trajectory.is_held() || equations.omega * duration <= LONGEST_PANEL * f64::from(MAX_LIGHT_PANELS))
}

/// A step of a light contact.
struct LightContact<'a, L> {
    law: &'a L,
    /// The step, with the error of F_R over F_s in one panel.
    interval: &'a Interval<'a>,
}

impl<L: LightLaw> LightContact<'_, L> {
    fn advance(&self, x: &mut [f64; 2], limit: &mut StepLimit) -> StepTotals {
        let Interval { trajectory, duration, tolerance } = *self.interval;
        let bristle = self.law.bristle();
        let crossing = CROSSING * duration;
        let longest = LONGEST_PANEL / bristle.omega;
        let mut totals = StepTotals::default();
        let mut lags = Lags::of(bristle, x);
        let mut here = self.node(0.0, lags);
        let mut breakpoints = trajectory.breakpoints(duration);
        let mut breakpoint = 0.0;
        // Length that the error allows, s; distance to the next kink, s, and how often it was looked for.
        let (mut allowed, mut kink, mut attempts) = (longest, f64::INFINITY, 0);
        while totals.t < duration && totals.inner_steps < MAX_LIGHT_PANELS && !self.is_slow(totals.t, &here) {
            let t = totals.t;
            while breakpoint <= t {
                // The last one is the end of the step.
                breakpoint = breakpoints.next().unwrap_or(duration);
            }
            let left = breakpoint - t;
            let h = allowed.min(longest).min(kink).min(left);
            totals.inner_steps += 1;
            if allowed <= crossing {
                break;
            }
            let end = if h >= left { breakpoint } else { t + h };
            if h <= crossing {
                totals.loss += here.F_R * here.v * h;
                lags = lags.moved(here.F_R, bristle.omega * h);
                here = self.node(end, lags);
                totals.t = end;
                (kink, attempts) = (f64::INFINITY, 0);
                continue;
            }
            let relaxed = limit.count();
            let panel = self.panel(t, h, lags, here);
            if attempts < KINK_ATTEMPTS
                && !limit.is_exceeded()
                && let Some(found) = self.first_kink(t, lags, &here, &panel)
            {
                attempts += 1;
                if let Some(length) = found.length_before(h, crossing) {
                    kink = length;
                    continue;
                }
            }
            if !panel.error.is_finite() {
                break;
            }
            let is_accepted = panel.error <= relaxed;
            if is_accepted {
                if panel.error > 1.0 {
                    limit.accept(panel.error * tolerance);
                }
                totals.loss += panel.loss;
                totals.t = end;
                (lags, here) = (panel.end, panel.at_end);
            }
            let factor = PANEL_MARGIN * libm::pow(panel.error.max(MIN_PANEL_ERROR), -1.0 / PANEL_ORDER);
            let next = h * factor.clamp(MIN_PANEL_FACTOR, MAX_PANEL_FACTOR);
            let is_cut = is_accepted && h < allowed;
            allowed = if is_cut { allowed.max(next) } else { next };
            (kink, attempts) = (f64::INFINITY, 0);
        }
        if totals.t > 0.0 {
            *x = lags.states(bristle);
        }
        totals
    }

    /// Whether another method takes longer steps under held inputs: the bristle has settled, or F_0 stays next to |F_0| = F_s or within it.
    fn is_slow(&self, t: f64, here: &Node) -> bool {
        let &Equations { omega, sigma_1, v_s, .. } = self.law.bristle();
        let has_series = sigma_1 * v_s <= L::MAX_LAG * here.F_s;
        let lingering = if has_series { LINGERING } else { RESTING };
        let lingers = here.F_0.abs() < 2.0 * here.F_s && lingering * here.slope.abs() < here.F_s * omega;
        self.interval.trajectory.is_held() && (lingers || omega * t > SETTLING_TIME)
    }

    /// F_N (N), v (m/s) and dv/dt (m/s²) at `t`.
    #[inline]
    fn inputs(&self, t: f64) -> [f64; 3] {
        let trajectory = self.interval.trajectory;
        let [normal_force, v] = trajectory.normal_force_and_velocity_at(t);
        let [_, acceleration] = trajectory.normal_force_and_velocity_derivatives_at(t);
        [normal_force, v, acceleration]
    }

    fn node(&self, t: f64, lags: Lags) -> Node {
        Node::new(self.law, self.inputs(t), lags)
    }
}

#[cfg(test)]
mod tests;
