//! The bristle zone by zone: by Taylor series, and under a held contact a transient of stick in ways of its own.
//!
//! In units of F_s and v_s and mirrored so that the shifted slip velocity w is positive, the law reads
//!
//! (φ r)′ = κ (ν − e) + c ν′,  e′ = ν′ − α e − B φ (f − r),  w = e + Δ,  Δ = ±(1 − s),  s = √(1 − |r|)
//!
//! with r = F_0/F_s, e = (v − ż)/v_s, ν = v/v_s and f = F_R/F_s, a polynomial of w in each zone of the characteristic. v is a
//! polynomial in time, and so is the normal force, φ times what it is at the start; or both are held.
//!
//! Every coefficient follows from those before it, so that a step costs a few products per order, and the order follows
//! the step (G. Corliss, Y. F. Chang, *Solving ordinary differential equations using Taylor series*, ACM TOMS 8, 1982).
//! Two successive terms below the tolerance end the series: they bound what is neglected.
//!
//! In stick under a held contact e decays. A transient that has the time to go most of its way goes there in one step
//! ([`decay`]), and what is small in its end has a closed form. Where the contact moves e follows it and never ends: there
//! series take all of stick, unless it is too stiff for them.
//!
//! Near |r| = 1 the root s has no series in time. It has one in a time τ with dt = s dτ, in which all of the law is
//! polynomial: s′ = ∓(dr/dt)/2. There the steps go in τ.
//!
//! f is continuous and smooth across the zones' borders, so a border passed by δ costs δ² and needs to be met to the
//! root of the tolerance only; only where s reaches 0 it is met closely. Whatever the series cannot do is left to the
//! general integrator.

use super::drive::{Drive, Kind};
use super::series::{larger, smaller};
use super::{decay, expansion};

/// Steps after which a run ends, so that its caller can see whether it gets anywhere.
const MAX_STEPS: u32 = 40;

/// How far stick may go under a moving contact, in time constants of its transients, before the general integrator does better:
/// series are explicit, and take a step for every four or five.
const STIFF: f64 = 120.0;

/// The law in units of F_s and v_s, under one normal force.
#[derive(Clone, Copy, Debug)]
pub struct Scaled {
    /// σ_0 v_s/F_s, 1/s.
    pub kappa: f64,
    /// σ_1/m_b, 1/s.
    pub alpha: f64,
    /// F_s/(m_b v_s), 1/s.
    pub b: f64,
    /// v_d/v_s.
    pub delta: f64,
    /// v_s/(v_d − v_s).
    pub inverse_width: f64,
    /// (F_s − F_d)/F_s.
    pub drop: f64,
    /// c = σ_1 v_s/F_s.
    pub lag: f64,
    /// How much an error of e counts beside one of r: f answers to e with 2 at most, and r moves by κ/α of it.
    pub weight: f64,
    /// The rate at which errors grow on the steepest of the cubic, 1/s, at most; 0 where they do not.
    pub fastest_growth: f64,
}

/// How far a run of series came.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Time reached, s from the start of the drive.
    pub t: f64,
    /// The change of r.
    pub dr: f64,
    /// e at the end.
    pub e: f64,
    /// ∫ φ f ν dt over the way.
    pub work: f64,
    /// Steps taken.
    pub steps: u32,
    /// The logarithm of what the falling branch multiplied errors by, at most.
    pub growth: f64,
}

/// The zones of the characteristic for w ≥ 0.
#[derive(Clone, Copy, PartialEq)]
pub enum Zone {
    /// w ≤ 1.
    Parabola,
    /// 1 < w < v_d/v_s.
    Cubic,
    /// w ≥ v_d/v_s: full sliding that will not last.
    Constant,
}

/// Where a step begins.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub r: f64,
    pub e: f64,
    /// √(1 − |r|); 0 beyond.
    pub s: f64,
}

impl Start {
    #[inline]
    pub fn new(r: f64, e: f64) -> Self {
        Start { r, e, s: (1.0 - r.abs()).max(0.0).sqrt() }
    }

    /// The shifted slip velocity, equation (5).
    #[inline]
    pub fn w(self) -> f64 {
        self.e + (1.0 - self.s).copysign(self.r)
    }

    /// The same seen from the other side, where `side` is −1.
    #[inline]
    fn mirrored(self, side: f64) -> Self {
        Start { r: side * self.r, e: side * self.e, ..self }
    }
}

/// What one step did.
#[derive(Debug)]
pub struct Taken {
    /// Its length, s.
    pub h: f64,
    /// The change of r.
    pub dr: f64,
    /// e at its end.
    pub e: f64,
    /// ∫ φ f ν dt over it.
    pub work: f64,
}

impl Scaled {
    /// Advances (r, e) from `begin` up to `end` (s from the start of `drive`) with the error of f within `tolerance`, in stick
    /// within `stick_tolerance`. Ends early where full sliding begins, after a number of steps, where a moving contact sticks too
    /// stiffly, and where the series get nowhere.
    pub fn run<const MOVING: Kind>(
        &self,
        drive: Drive<MOVING>,
        [r, e]: [f64; 2],
        [begin, end]: [f64; 2],
        tolerance: f64,
        stick_tolerance: f64,
    ) -> Run {
        let mut run = Run { t: begin, dr: 0.0, e, work: 0.0, steps: 0, growth: 0.0 };
        let mut slid = false;
        while run.t < end && run.steps < MAX_STEPS {
            let (start, rest) = (Start::new(r + run.dr, run.e), end - run.t);
            let w = start.w();
            // For w < 0 everything is mirrored.
            let side = if w < 0.0 { -1.0 } else { 1.0 };
            let (start, ahead) = (start.mirrored(side), drive.after(run.t).mirrored(side));
            let load = drive.load_at(run.t);
            let under_load;
            let law = if Drive::<MOVING>::LOADS {
                under_load = self.under(load);
                &under_load
            } else {
                self
            };
            let zone = match w.abs() {
                w if w <= 1.0 => Zone::Parabola,
                w if w < self.delta => Zone::Cubic,
                // Sliding just begun may last, and then has a closed form.
                _ if run.steps > 0 && !slid => break,
                _ => Zone::Constant,
            };
            slid = zone == Zone::Constant;
            let may_stick = zone == Zone::Parabola && start.r > 0.0;
            if Drive::<MOVING>::MOVES && may_stick {
                // r crosses all of stick, from -1 to 1, at about this rate.
                let crossing = (law.kappa * ahead.nu[0] + law.lag * ahead.nu[1]).abs();
                let lasts = smaller(rest, 2.0 / crossing);
                if (law.alpha + 2.0 * law.b * start.s) * lasts > STIFF {
                    break;
                }
            }
            let stick = || {
                let tail = law.tail(ahead.nu[0], start, rest, stick_tolerance);
                tail.or_else(|| decay::step(law, ahead.nu[0], start, rest, stick_tolerance))
            };
            let in_stick = if zone == Zone::Parabola && !Drive::<MOVING>::MOVES { stick() } else { None };
            // On the other side of r = 0 the bristle lets go.
            let tolerance = if may_stick { stick_tolerance } else { tolerance };
            let Some(Taken { h, dr, e, work }) =
                in_stick.or_else(|| expansion::step(law, ahead, zone, start, rest, tolerance))
            else {
                break;
            };
            run.t = if h == rest { end } else { run.t + h };
            run.dr += side * dr;
            run.e = side * e;
            run.work += load * work;
            run.steps += 1;
            if self.fastest_growth > 0.0 && zone == Zone::Cubic {
                run.growth += self.growth(w.abs(), side * Start::new(r + run.dr, run.e).w()) * h;
            }
        }
        run
    }

    /// The same under another normal force, this many times as large.
    fn under(&self, load: f64) -> Scaled {
        let (share, lag) = (1.0 / load, self.lag / load);
        Scaled { kappa: self.kappa * share, b: self.b * load, lag, weight: weight(lag), ..*self }
    }

    /// How fast errors grow between two places on the cubic, 1/s, by the trace of the equations' Jacobian.
    fn growth(&self, from: f64, to: f64) -> f64 {
        let rate = |w: f64| {
            let x = ((w - 1.0) * self.inverse_width).clamp(0.0, 1.0);
            4.0 * x * (1.0 - x) * (self.fastest_growth + self.alpha) - self.alpha
        };
        // Simpson's rule.
        ((rate(from) + 4.0 * rate(0.5 * (from + to)) + rate(to)) / 6.0).max(0.0)
    }

    /// The end of a stick transient under a held velocity: e decays by itself and hardly bends the way of r.
    ///
    /// With e′ = −e (α + 2Bs − Be), e ≪ 1 and s nearly constant while e lasts, ∫e dt = e_0/λ with λ = α + 2Bs, wrong by
    /// the shares Be_0/λ and B|ds/dt|/λ², where r moves by κν and κe. Where r keeps its sign these shares are taken into
    /// account to first order, and what is left is of second. Used where that is negligible in r and e, and where a
    /// series, which is explicit, would have to follow the decay with small steps.
    fn tail(&self, nu: f64, Start { r, e, s }: Start, rest: f64, tolerance: f64) -> Option<Taken> {
        let lambda = self.alpha + 2.0 * self.b * s;
        if !(lambda * rest >= 8.0) {
            return None;
        }
        let drift = self.kappa * nu;
        let r_end = r + drift * rest;
        let jump = self.kappa * e.abs() / lambda;
        if !(larger(r.abs(), r_end.abs()) + 2.0 * jump < 1.0) {
            return None;
        }
        let [by_e, by_drift, by_jump] =
            [e, drift / (s * lambda), self.kappa * e / (s * lambda)].map(|x| self.b * x / lambda);
        let bent = by_e.abs() + by_drift.abs() + by_jump.abs();
        let one_sided = r.min(r_end) >= 2.0 * jump;
        let turn = (drift.abs() + self.kappa * e.abs()) / (s * s * lambda);
        let left = if one_sided { bent * (bent + turn) } else { bent };
        if !(jump * left <= tolerance && bent < 0.1) {
            return None;
        }
        // ∫e dt, r after the jump, and what of the decay happens before it.
        let share = if one_sided { 1.0 + 0.5 * by_e + by_drift - 0.5 * by_jump } else { 1.0 };
        let area = e / lambda * share;
        let (from, to, before) = if one_sided {
            (r - self.kappa * area, r_end - self.kappa * area, by_e + by_jump)
        } else {
            (r, r_end, 0.0)
        };
        let [s_from, s_end] = [from, to].map(|r| (1.0 - r.abs()).sqrt());
        let decay = libm::exp(before - (self.alpha + 2.0 * self.b * mean_root(from, s_from, to, s_end)) * rest);
        // e at the end is known but for what is left, and the change of s.
        let unsure = if one_sided { left * lambda * rest } else { bent + (s - s_end).abs() };
        if self.weight * e.abs() * decay * unsure > tolerance {
            return None;
        }
        let dr = drift * rest - self.kappa * area * (1.0 - decay);
        // ∫ r dt, and ∫ (2se − e²) dt while e lasts.
        let impulse = (r + 0.5 * drift * rest) * rest - self.kappa * (area * rest - e / (lambda * lambda))
            + (2.0 * s - 0.5 * e) * area;
        Some(Taken { h: rest, dr, e: e * decay, work: nu * impulse })
    }
}

/// [`Scaled::weight`] for c.
pub fn weight(lag: f64) -> f64 {
    larger(0.25 * lag, 2.0)
}

/// The mean of s = √(1 − |r|) while r moves evenly from one value to another.
fn mean_root(r: f64, s: f64, r_end: f64, s_end: f64) -> f64 {
    let mean = |a: f64, b: f64| 2.0 / 3.0 * (a * a + a * b + b * b) / (a + b);
    if r * r_end >= 0.0 {
        return mean(s, s_end);
    }
    // Through r = 0, where s = 1.
    (r.abs() * mean(s, 1.0) + r_end.abs() * mean(1.0, s_end)) / (r - r_end).abs()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The paper's bristle at 9.81 N and at 1 kN, and one that answers to small velocities.
    pub const LAWS: [Scaled; 3] = {
        let paper = Scaled {
            kappa: 849.5,
            alpha: 6264.0,
            b: 11548.0,
            delta: 10.0,
            inverse_width: 1.0 / 9.0,
            drop: 0.5,
            lag: 0.0,
            weight: 2.0,
            fastest_growth: 0.0,
        };
        [paper, Scaled { kappa: 8.334, b: 1.1772e6, ..paper }, Scaled { kappa: 8e4, b: 120.0, weight: 13.0, ..paper }]
    };

    /// Δ in units of v_s, equation (5), without the cancellation of 1 − √(1 − |r|).
    fn shift(r: f64) -> f64 {
        r / (1.0 + (1.0 - r.abs()).sqrt())
    }

    /// (r, e, ∫f ν dt) after `t` s of stick under a held velocity, by many steps of the classic method.
    pub fn followed(law: &Scaled, nu: f64, [r, e]: [f64; 2], t: f64) -> [f64; 3] {
        const STEPS: u32 = 4000;
        let rate = |[r, e, _]: [f64; 3]| {
            let x = 1.0 - (e + shift(r)).abs();
            let f = (1.0 - x * x).copysign(e + shift(r));
            [law.kappa * (nu - e), -law.alpha * e - law.b * (f - r), f * nu]
        };
        let h = t / f64::from(STEPS);
        let mut x = [r, e, 0.0];
        for _ in 0..STEPS {
            let along = |slope: [f64; 3], h: f64| core::array::from_fn(|i| x[i] + h * slope[i]);
            let first = rate(x);
            let second = rate(along(first, 0.5 * h));
            let third = rate(along(second, 0.5 * h));
            let last = rate(along(third, h));
            x = core::array::from_fn(|i| x[i] + h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + last[i]));
        }
        x
    }

    #[test]
    fn a_closed_tail_keeps_its_tolerance() {
        let (mut used, mut by_tolerance) = (0, [0; 5]);
        for law in LAWS {
            for r in [-0.6, -0.05, 0.0, 0.03, 0.4, 0.9, 0.99] {
                for e in [1e-6, -1e-5, 1e-4, -1e-3, 3e-3, -0.01, 0.03, -0.1] {
                    for nu in [0.0, 1e-4, -0.01, 0.05] {
                        // As it is called: mirrored so that w is positive.
                        let side = 1.0_f64.copysign(e + shift(r));
                        let [nu, r, e] = [nu, r, e].map(|x| side * x);
                        let lambda = law.alpha + 2.0 * law.b * (1.0 - r.abs()).sqrt();
                        let rest = 15.0 / lambda;
                        let mut exact = None;
                        for (i, tolerance) in [1e-4, 1e-5, 1e-6, 1e-8, 1e-10].into_iter().enumerate() {
                            let Some(tail) = law.tail(nu, Start::new(r, e), rest, tolerance) else { continue };
                            let [r_end, e_end, _] = *exact.get_or_insert_with(|| followed(&law, nu, [r, e], rest));
                            let errors = [tail.dr - (r_end - r), law.weight * (tail.e - e_end)];
                            let rounding = 1e-13;
                            assert!(
                                errors.iter().all(|error| error.abs() <= tolerance + rounding),
                                "{law:?} from {r}, {e}: {errors:?} for {tolerance:e}"
                            );
                            used += 1;
                            by_tolerance[i] += 1;
                        }
                    }
                }
            }
        }
        assert!(used > 500 && by_tolerance.iter().all(|used| *used > 50), "{by_tolerance:?}");
    }
}
