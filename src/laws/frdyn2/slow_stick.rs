//! Slow motion of stick under moving inputs, by collocation. See §9 of `docs/internals/numerics.md`.
//!
//! In stick e decays at the rate λ = α + 2Bφs towards a slow motion E that the inputs impose,
//!
//! E = (ν′ − E′)/(λ − BφE),  (φ r)′ = κ (ν − E) + c ν′.
//!
//! Where r < 0 < w, F_R drives the bristle back through F_0 = 0, and the equations have 2 − s in place of s, and 2Bφ(1 − s)² beside ν′:
//! see [`Branch`].
//!
//! Once the distance δ = e − E is so small that its rate of decay λ − 2BE is constant, ∫δ dt = δ/(λ − 2BE), the transient has a closed
//! form. What is left has no fast part: one step may take many time constants. Its values at the nodes of Gauss's collocation follow from a few
//! iterations, in which E′ is the derivative of the polynomial through the values before. That polynomial has no initial value to meet:
//! the transient is no part of it.

use super::constants::{
    MAX_FIXED_POINT_ITERATIONS, MAX_SLOW_CONTRACTION, MAX_SLOW_FORCE, MAX_SLOW_PAUSE, MIN_REMAINDER, MIN_SLOW_LENGTH,
    MIN_SLOW_RETRY, QUADRATURE_SAFETY, SLOW_ATTEMPTS, SLOW_GROWTH, SLOW_RETRY, SLOW_SHARE, TURN_CLEARANCE,
};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult};
use super::inputs::{InputCase, InputPolynomials};
use crate::integrate::exponential;
use crate::integrate::extrema::{larger, smaller};
use crate::integrate::gauss::{
    DIFFERENTIATION, END_DERIVATIVE, INTEGRATION, NODES, STAGES, START_DERIVATIVE, WEIGHTS, both_errors, bounds, each,
    plus_product, quadrature_error, sum,
};

/// Step in the parabola, w ≥ 0, over at most `rest` (s), with the errors of r and of weight·e within `tolerance`, and that of the loss over F_s |v|
/// of its duration within `of_loss`; `None` where the transient has not decayed yet, or no length that is tried stays on the same side of r = 0
/// and w = 0 and meets the tolerances.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn slow_stick<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: &InputPolynomials<C>,
    start: PhasePoint,
    rest: f64,
    attempts: &mut Attempts,
    [tolerance, of_loss]: [f64; 2],
) -> Option<StepResult> {
    let PhasePoint { r, e, s } = start;
    let branch = Branch::at(r);
    let lambda = law.alpha + 2.0 * law.b * branch.s(s);
    if lambda * smaller(rest, attempts.longest) < MIN_SLOW_LENGTH {
        return None;
    }
    // E at the start without its rate of change shows most transients.
    let off = (e - root(inputs.nu_derivative()[0] + law.b * branch.pull(s), lambda, law.b)).abs();
    if !(r.abs() < MAX_SLOW_FORCE && law.kappa * law.b * off * off / (lambda * lambda) <= tolerance) {
        return None;
    }
    if attempts.pause > 0 {
        attempts.pause -= 1;
        return None;
    }
    let done = try_lengths(rest, &mut attempts.longest, lambda, |h| over(h, law, inputs, start, [tolerance, of_loss]));
    attempts.note(done.is_some());
    done
}

/// Attempts at the slow motion in a communication step. A failed one costs more than a step by series.
pub struct Attempts {
    /// First length that is tried, s.
    longest: f64,
    /// Number of steps to leave to the series before the next attempt.
    pause: u32,
    /// Number of steps to leave to them after the next failed attempt.
    next_pause: u32,
}

impl Attempts {
    /// None yet.
    pub fn new() -> Self {
        Attempts { longest: f64::INFINITY, pause: 0, next_pause: 0 }
    }

    /// Doubles the pause after each failure.
    fn note(&mut self, has_succeeded: bool) {
        if has_succeeded {
            self.next_pause = 0;
        } else {
            self.pause = self.next_pause;
            self.next_pause = MAX_SLOW_PAUSE.min(2 * self.next_pause + 1);
        }
    }
}

/// Result of the first length (s) up to `rest` with which `attempt` succeeds; where it fails, it gives the share of that length that is tried
/// next. `lambda` (1/s) is the rate at which a transient decays; `longest` (s) is the first length that is tried and becomes that of the next step.
pub fn try_lengths<T>(
    rest: f64,
    longest: &mut f64,
    lambda: f64,
    mut attempt: impl FnMut(f64) -> Result<T, f64>,
) -> Option<T> {
    let first = smaller(rest, *longest);
    let mut h = first;
    for _ in 0..SLOW_ATTEMPTS {
        match attempt(h) {
            Ok(done) => {
                // A longer one has just failed, unless this is the first.
                *longest = if h < first { h } else { SLOW_GROWTH * h };
                return Some(done);
            }
            Err(share) => h *= share,
        }
        if lambda * h < MIN_SLOW_LENGTH {
            break;
        }
    }
    *longest = larger(h, 2.0 * MIN_SLOW_LENGTH / lambda);
    None
}

/// Share of a length that failed, of the next one that is tried.
pub const HALF: f64 = 0.5;

/// [`slow_stick`] over the length `h` (s); the share of it that is tried next where it fails.
fn over<C: InputCase>(
    h: f64,
    law: &DimensionlessLaw,
    inputs: &InputPolynomials<C>,
    start: PhasePoint,
    [tolerance, of_loss]: [f64; 2],
) -> Result<StepResult, f64> {
    let step = Step::new(h, law, inputs, start).ok_or(HALF)?;
    let slow = step.slow_motion(tolerance).ok_or(HALF)?;
    let transient = step.transient(&slow);
    let [r_end, e_end] = step.end(&slow, &transient);
    let power = step.power(&slow);
    step.stays_in_zone(&slow, [r_end, e_end])?;
    let is_accurate = transient.is_negligible(law, tolerance)
        && step.errors_are_within(&slow, &transient, &power, r_end, [tolerance, of_loss]);
    let done = StepResult { h, dr: r_end - start.r, e: e_end, work: step.work(&slow, &transient, &power) };
    if is_accurate { Ok(done) } else { Err(HALF) }
}

/// Branch of the parabola: f − r = e (2 s − e) for r > 0, and e (2 (2 − s) − e) − 2 (1 − s)² for r < 0 < w.
#[derive(Clone, Copy)]
struct Branch {
    /// Sign of r.
    side: f64,
}

impl Branch {
    #[inline]
    fn at(r: f64) -> Self {
        Branch { side: if r < 0.0 { -1.0 } else { 1.0 } }
    }

    /// s, or 2 − s for r < 0.
    #[inline]
    fn s(self, s: f64) -> f64 {
        if self.side < 0.0 { 2.0 - s } else { s }
    }

    /// e (2 s − e), or with 2 − s for s, less f − r: 0, or 2 (1 − s)² for r < 0.
    #[inline]
    fn pull(self, s: f64) -> f64 {
        if self.side < 0.0 { 2.0 * (1.0 - s) * (1.0 - s) } else { 0.0 }
    }

    /// w.
    #[inline]
    fn w(self, e: f64, s: f64) -> f64 {
        e + self.side * (1.0 - s)
    }
}

/// A step with its inputs at the nodes.
struct Step<'a, C: InputCase> {
    h: f64,
    law: &'a DimensionlessLaw,
    inputs: &'a InputPolynomials<C>,
    start: PhasePoint,
    branch: Branch,
    /// λ at the start, 1/s.
    lambda: f64,
    /// φ at the nodes, and at the end.
    phi: ([f64; STAGES], f64),
    /// φ r with e = 0, and at the end.
    driven: ([f64; STAGES], f64),
    /// ν at the nodes.
    nu: [f64; STAGES],
    /// ν′ at the nodes, and at the end.
    nu_rate: ([f64; STAGES], f64),
}

/// The slow motion at the nodes.
struct SlowMotion {
    e: [f64; STAGES],
    r: [f64; STAGES],
    s: [f64; STAGES],
    /// E at the start.
    start: f64,
}

/// The transient at the start of a step.
struct Transient {
    /// δ = e − E.
    off: f64,
    /// Rate of its decay, 1/s.
    decay: f64,
    /// Relative change of that rate while the transient lasts: by the transient itself, by the motion of r and by that of φ.
    bending: f64,
}

impl<'a, C: InputCase> Step<'a, C> {
    /// The step of the length `h` (s); `None` where r without e leaves the range.
    fn new(h: f64, law: &'a DimensionlessLaw, inputs: &'a InputPolynomials<C>, start: PhasePoint) -> Option<Self> {
        let [n0, n1, n2, n3] = inputs.nu;
        let path = |t: f64| t * (n0 + t * (n1 / 2.0 + t * (n2 / 3.0 + t * n3 / 4.0)));
        let driven = |t: f64| start.r + law.kappa * path(t) + law.lag * inputs.nu_change(t);
        let [a0, a1, a2] = inputs.nu_derivative();
        let acceleration = |t: f64| a0 + t * (a1 + t * a2);
        let branch = Branch::at(start.r);
        let step = Step {
            h,
            law,
            inputs,
            start,
            branch,
            lambda: law.alpha + 2.0 * law.b * branch.s(start.s),
            phi: (each(|i| inputs.phi_at(NODES[i] * h)), inputs.phi_at(h)),
            driven: (each(|i| driven(NODES[i] * h)), driven(h)),
            nu: each(|i| n0 + inputs.nu_change(NODES[i] * h)),
            nu_rate: (each(|i| acceleration(NODES[i] * h)), acceleration(h)),
        };
        let is_inside = |phi: f64, driven: f64| phi > 0.0 && driven.abs() < MAX_SLOW_FORCE * phi;
        let inside = (0..STAGES).all(|i| is_inside(step.phi.0[i], step.driven.0[i]));
        (inside && is_inside(step.phi.1, step.driven.1)).then_some(step)
    }

    /// The slow motion by iteration, with the remainder within its share of the tolerance; `None` where it does not converge.
    fn slow_motion(&self, tolerance: f64) -> Option<SlowMotion> {
        let Step { h, law: &DimensionlessLaw { kappa, alpha, b, weight, .. }, start, lambda, .. } = *self;
        let (phi, driven, nu_rate) = (&self.phi.0, &self.driven.0, &self.nu_rate.0);
        let branch = self.branch;
        let first_rate = self.inputs.nu_derivative()[0] + b * branch.pull(start.s);
        let root_of = |r: f64| (1.0 - r.abs()).sqrt();
        let motion = |i: usize, rate: f64, s: f64| {
            let (driven, lambda) = (b * phi[i] * branch.pull(s), alpha + 2.0 * b * phi[i] * branch.s(s));
            root(nu_rate[i] - rate + driven, lambda, b * phi[i])
        };
        let mut s = each(|i| root_of(driven[i] / phi[i]));
        let mut e = each(|i| motion(i, 0.0, s[i]));
        let mut last_change = f64::INFINITY;
        for iteration in 0..MAX_FIXED_POINT_ITERATIONS {
            let rate = plus_product(0.0, &DIFFERENTIATION, &e);
            let area = plus_product(0.0, &INTEGRATION, &e);
            let start_e = root(first_rate - sum(&START_DERIVATIVE, &e) / h, lambda, b);
            let settled = (start.e - start_e) / (lambda - 2.0 * b * start_e);
            let r = each(|i| (driven[i] - kappa * (h * area[i] + settled)) / phi[i]);
            s = r.map(root_of);
            let next = each(|i| motion(i, rate[i] / h, s[i]));
            let change = (0..STAGES).fold(0.0, |most, i| larger((next[i] - e[i]).abs(), most));
            let contraction = if iteration == 0 { MAX_SLOW_CONTRACTION } else { change / last_change };
            (e, last_change) = (next, change);
            let remainder = change * larger(contraction / (1.0 - contraction), MIN_REMAINDER);
            if contraction <= MAX_SLOW_CONTRACTION && (kappa * h + weight) * remainder <= SLOW_SHARE * tolerance {
                return Some(SlowMotion { e, r, s, start: start_e });
            }
            // The ratio of the changes grows rather than falls: what is left of the iteration cannot reach the tolerance.
            let last = (iteration + 1..MAX_FIXED_POINT_ITERATIONS).fold(change, |change, _| change * contraction);
            if iteration > 0 && (kappa * h + weight) * last * MIN_REMAINDER > SLOW_SHARE * tolerance {
                return None;
            }
        }
        None
    }

    fn transient(&self, slow: &SlowMotion) -> Transient {
        let Step { law: &DimensionlessLaw { kappa, b, lag, .. }, inputs, start, lambda, .. } = *self;
        let off = start.e - slow.start;
        let decay = lambda - 2.0 * b * slow.start;
        let slope = kappa * (inputs.nu[0] - slow.start) + lag * inputs.nu_derivative()[0] - start.r * inputs.phi[1];
        let by_r = (slope.abs() + kappa * off.abs()) / (start.s * decay);
        let by_phi = 2.0 * self.branch.s(start.s) * inputs.phi[1].abs() / decay;
        let by_pull = if start.r < 0.0 { 2.0 * kappa * (1.0 - start.s) / (start.s * decay) } else { 0.0 };
        Transient { off, decay, bending: b / decay * (off.abs() + by_r + by_phi + by_pull) }
    }

    /// r and e at the end of the step.
    fn end(&self, slow: &SlowMotion, transient: &Transient) -> [f64; 2] {
        let Step { h, law: &DimensionlessLaw { kappa, alpha, b, .. }, .. } = *self;
        let (phi, area) = (self.phi.1, h * sum(&WEIGHTS, &slow.e));
        let r = (self.driven.1 - kappa * (area + transient.off / transient.decay)) / phi;
        let s = (1.0 - r.abs()).sqrt();
        let lambda = alpha + 2.0 * b * phi * self.branch.s(s);
        let rate = self.nu_rate.1 - sum(&END_DERIVATIVE, &slow.e) / h + b * phi * self.branch.pull(s);
        [r, root(rate, lambda, b * phi)]
    }

    /// Power φ f ν at the nodes.
    fn power(&self, slow: &SlowMotion) -> [f64; STAGES] {
        let SlowMotion { e, r, s, .. } = slow;
        let beyond = |i: usize| e[i] * (2.0 * self.branch.s(s[i]) - e[i]) - self.branch.pull(s[i]);
        each(|i| self.phi.0[i] * (r[i] + beyond(i)) * self.nu[i])
    }

    /// Whether what is left of the transient at the end, and the errors of the polynomials in r, e and the work, are within the tolerance.
    fn errors_are_within(
        &self,
        slow: &SlowMotion,
        transient: &Transient,
        power: &[f64; STAGES],
        r_end: f64,
        [tolerance, of_loss]: [f64; 2],
    ) -> bool {
        let Step { h, law: &DimensionlessLaw { kappa, alpha, b, weight, .. }, inputs, lambda, .. } = *self;
        let rate = |phi: f64, s: f64| alpha + 2.0 * b * phi * s;
        let at_ends = smaller(lambda, rate(self.phi.1, (1.0 - r_end.abs()).sqrt()));
        let slowest =
            (0..STAGES).fold(at_ends, |least, i| smaller(rate(self.phi.0[i], slow.s[i] - slow.e[i].abs()), least));
        let left = transient.off.abs() * exponential::decay(slowest * h);
        let [quadrature, interpolation] = both_errors(&slow.e);
        let shape = (weight + kappa / slowest) * interpolation;
        let of_states = QUADRATURE_SAFETY * (kappa * h * quadrature + shape);
        let speed = self.nu.iter().fold(inputs.nu[0].abs(), |most, nu| larger(nu.abs(), most));
        let largest = inputs.nu_and_derivatives().map(f64::abs);
        let early = exponential::mean_over_decay(largest, 1.0 / transient.decay) / (transient.decay * h);
        let lost = 2.0 * transient.off.abs() * early * transient.bending + QUADRATURE_SAFETY * quadrature_error(power);
        weight * left <= SLOW_SHARE * tolerance && of_states <= tolerance && lost <= of_loss * speed
    }

    /// Whether the step stays in the zone, also between the nodes, where r may turn; else the share of its length that is tried next: up to
    /// shortly before the motion leaves the zone.
    fn stays_in_zone(&self, slow: &SlowMotion, [r_end, e_end]: [f64; 2]) -> Result<(), f64> {
        let (PhasePoint { r: r_0, e: e_0, s: s_0 }, SlowMotion { e, r, s, .. }) = (self.start, slow);
        let Branch { side } = self.branch;
        let at_end = (side * r_end, self.branch.w(e_end, (1.0 - r_end.abs()).sqrt()));
        let (mut t, mut before) = (0.0, (side * r_0, self.branch.w(e_0, s_0)));
        let places = (0..STAGES).map(|i| (NODES[i], (side * r[i], self.branch.w(e[i], s[i])))).chain([(1.0, at_end)]);
        for (next, here) in places {
            // The first of r = 0, w = 0 and w = 1 by linear interpolation.
            let crossing = |from: f64, to: f64| if to < 0.0 { t + (next - t) * from / (from - to) } else { 1.0 };
            let first =
                crossing(before.0, here.0).min(crossing(before.1, here.1)).min(crossing(1.0 - before.1, 1.0 - here.1));
            if first < 1.0 {
                return Err(larger(SLOW_RETRY * first, MIN_SLOW_RETRY));
            }
            (t, before) = (next, here);
        }
        let [low, high] = bounds([side * r_0, side * r_end], &r.map(|r| side * r), TURN_CLEARANCE);
        let stays = low >= 0.0 && high < 1.0 && side * r_end < MAX_SLOW_FORCE;
        if stays { Ok(()) } else { Err(HALF) }
    }

    /// ∫φ f ν dt, with the transient in closed form.
    fn work(&self, slow: &SlowMotion, transient: &Transient, power: &[f64; STAGES]) -> f64 {
        let &Transient { off, decay, .. } = transient;
        let s = self.branch.s(self.start.s);
        let early = off * (2.0 * (s - slow.start) - 0.5 * off) + self.law.kappa * off / decay;
        self.h * sum(&WEIGHTS, power)
            + exponential::mean_over_decay(self.inputs.nu_and_derivatives(), 1.0 / decay) * early / decay
    }
}

impl Transient {
    /// Whether the error of r by the change of the rate of decay is within its share of the tolerance.
    fn is_negligible(&self, law: &DimensionlessLaw, tolerance: f64) -> bool {
        law.kappa * self.off.abs() / self.decay * self.bending <= SLOW_SHARE * tolerance
    }
}

/// The root next to 0 of E (λ − bE) = a; NaN where there is none.
fn root(a: f64, lambda: f64, b: f64) -> f64 {
    2.0 * a / (lambda + (lambda * lambda - 4.0 * b * a).sqrt())
}

#[cfg(test)]
mod tests;
