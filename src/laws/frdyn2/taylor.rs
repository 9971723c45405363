//! The bristle by Taylor series, zone by zone, under a held contact.
//!
//! In units of F_s and v_s and mirrored so that the shifted slip velocity w is positive, the law reads
//!
//! r′ = κ (ν − e),  e′ = −α e − B (f − r),  w = e + Δ,  Δ = ±(1 − s),  s = √(1 − |r|)
//!
//! with r = F_0/F_s, e = (v − ż)/v_s, ν = v/v_s and f = F_R/F_s, a polynomial of w in each zone of the characteristic.
//! Every coefficient follows from those before it, so that a step costs a few products per order, and the order follows
//! the step (G. Corliss, Y. F. Chang, *Solving ordinary differential equations using Taylor series*, ACM TOMS 8, 1982).
//! Two successive terms below the tolerance end the series: they bound what is neglected.
//!
//! Near |r| = 1 the root s has no series in time. It has one in a time τ with dt = s dτ, in which all of the law is
//! polynomial: s′ = ∓κ (ν − e)/2. There the steps go in τ.
//!
//! f is continuous and smooth across the zones' borders, so a border passed by δ costs δ² and needs to be met to the
//! root of the tolerance only; only where s reaches 0 it is met closely. Whatever the series cannot do is left to the
//! general integrator.

/// The highest order of a step; one more is a power of two, so that an index is bounded by a mask.
const ORDER: usize = 15;
/// Steps after which a run ends, so that its caller can see whether it gets anywhere.
const MAX_STEPS: u32 = 40;
/// Where s is below this, steps go in τ …
const ROOT_FOR_TAU: f64 = 0.3;
/// … and a step in t that comes below this is ended.
const LEAST_ROOT_IN_TIME: f64 = 0.15;
/// How closely s = 0 is met from inside, and |r| = 1 from outside.
const CORNER_WINDOW: f64 = 1e-9;

/// The law in units of F_s and v_s, for one held contact.
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
    /// (F_s − F_d)/F_s.
    pub drop: f64,
    /// v/v_s.
    pub nu: f64,
}

/// How far a run of series came.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Time reached, s from the start.
    pub t: f64,
    /// The change of r.
    pub dr: f64,
    /// e at the end.
    pub e: f64,
    /// ∫ f dt over the way.
    pub impulse: f64,
    /// Steps taken.
    pub steps: u32,
}

/// A truncated power series in t or τ.
type Series = [f64; ORDER + 1];
const ZERO: Series = [0.0; ORDER + 1];

/// The zones of the characteristic for w ≥ 0.
#[derive(Clone, Copy, PartialEq)]
enum Zone {
    /// w ≤ 1.
    Parabola,
    /// 1 < w < v_d/v_s.
    Cubic,
    /// w ≥ v_d/v_s: full sliding that will not last.
    Constant,
}

/// What the shift does in a step.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    /// |r| ≥ 1: s = 0 throughout.
    Zero,
    /// s = √(1 − |r|) has a series in time.
    InTime,
    /// It has one in τ, dt = s dτ.
    InTau,
}

/// What one step did.
struct Taken {
    h: f64,
    dr: f64,
    e: f64,
    impulse: f64,
}

impl Scaled {
    /// Advances (r, e) by up to `end` (s) with the error of f within `tolerance`. Ends early where full sliding begins,
    /// after a number of steps, and where the series get nowhere.
    pub fn run(&self, r: f64, e: f64, end: f64, tolerance: f64) -> Run {
        let mut run = Run { t: 0.0, dr: 0.0, e, impulse: 0.0, steps: 0 };
        let mut slid = false;
        while run.t < end && run.steps < MAX_STEPS {
            let (start, rest) = (r + run.dr, end - run.t);
            let w = run.e + shift(start);
            // For w < 0 everything is mirrored.
            let side = if w < 0.0 { -1.0 } else { 1.0 };
            let law = Scaled { nu: side * self.nu, ..*self };
            let (r_0, e_0) = (side * start, side * run.e);
            let zone = match w.abs() {
                w if w <= 1.0 => Zone::Parabola,
                w if w < self.delta => Zone::Cubic,
                // Sliding just begun may last, and then has a closed form.
                _ if run.steps > 0 && !slid => break,
                _ => Zone::Constant,
            };
            slid = zone == Zone::Constant;
            let tail = if zone == Zone::Parabola { law.tail(r_0, e_0, rest, tolerance) } else { None };
            let Some(Taken { h, dr, e, impulse }) = tail.or_else(|| law.step(zone, r_0, e_0, rest, tolerance)) else {
                break;
            };
            run.t = if h == rest { end } else { run.t + h };
            run.dr += side * dr;
            run.e = side * e;
            run.impulse += side * impulse;
            run.steps += 1;
        }
        run
    }

    /// The end of a stick transient: e decays by itself and no longer bends the way of r.
    ///
    /// With e′ = −e (α + 2Bs ∓ Be), e ≪ 1 and s nearly constant while e lasts, ∫e dt = e_0/λ with λ = α + 2Bs, wrong by
    /// the shares Be_0/λ and B|ds/dt|/λ², where r moves by κν and κe. Used where what these leave in r and e is
    /// negligible, and where a series, which is explicit, would have to follow the decay with small steps.
    fn tail(&self, r: f64, e: f64, rest: f64, tolerance: f64) -> Option<Taken> {
        let drift = self.kappa * self.nu;
        let r_end = r + drift * rest;
        let s = (1.0 - r.abs()).max(0.0).sqrt();
        let lambda = self.alpha + 2.0 * self.b * s;
        let jump = self.kappa * e.abs() / lambda;
        if !(r.abs().max(r_end.abs()) + jump < 1.0 && lambda * rest >= 8.0) {
            return None;
        }
        let bent = self.b * (e.abs() + (0.5 * drift.abs() + self.kappa * e.abs()) / (s * lambda)) / lambda;
        if !(jump * bent <= 0.1 * tolerance && bent < 0.1) {
            return None;
        }
        let s_end = (1.0 - r_end.abs()).sqrt();
        let decay = libm::exp(-(self.alpha + 2.0 * self.b * mean_root(r, s, r_end, s_end)) * rest);
        // e at the end is known but for the share `bent` and the change of s.
        if 2.0 * e.abs() * decay * (bent + (s - s_end).abs()) > 0.1 * tolerance {
            return None;
        }
        let dr = drift * rest - self.kappa * e / lambda * (1.0 - decay);
        let impulse = (r + 0.5 * drift * rest) * rest + 2.0 * s * e / lambda;
        Some(Taken { h: rest, dr, e: e * decay, impulse })
    }

    /// One step by series, as long as tolerance and zone allow, at most `rest`.
    fn step(&self, zone: Zone, r_0: f64, e_0: f64, rest: f64, tolerance: f64) -> Option<Taken> {
        let series = Expansion::new(self, zone, r_0, e_0, rest, tolerance)?;
        let h = series.until_border(self, zone, tolerance);
        let (h, reached) = series.until_time(h, rest)?;
        if !(reached > 0.0) {
            return None;
        }
        Some(series.taken(h, reached, r_0))
    }
}

/// The series of one step.
struct Expansion {
    root: Root,
    /// The sign of r.
    sign: f64,
    order: usize,
    /// The length, in t or τ, over which the series meet the tolerance.
    h: f64,
    r: Series,
    e: Series,
    s: Series,
    w: Series,
    f: Series,
}

impl Expansion {
    fn new(law: &Scaled, zone: Zone, r_0: f64, e_0: f64, rest: f64, tolerance: f64) -> Option<Self> {
        let sign = if r_0 < 0.0 { -1.0 } else { 1.0 };
        let room = 1.0 - r_0.abs();
        let s_0 = room.max(0.0).sqrt();
        let inward = -sign * law.kappa * (law.nu - e_0);
        let root = if room < 0.0 || (room == 0.0 && inward <= 0.0) {
            Root::Zero
        } else if s_0 < ROOT_FOR_TAU {
            Root::InTau
        } else {
            Root::InTime
        };
        let mut it = Expansion { root, sign, order: ORDER, h: rest, r: ZERO, e: ZERO, s: ZERO, w: ZERO, f: ZERO };
        if root == Root::InTau {
            it.h = tau_for(s_0, 0.5 * inward, rest);
        }
        it.r[0] = r_0;
        it.e[0] = e_0;
        it.s[0] = if root == Root::Zero { 0.0 } else { s_0 };
        it.expand(law, zone, tolerance);
        (it.h > 0.0).then_some(it)
    }

    /// Fills the series until two successive terms are small over `h`, or shortens `h` until the last one is.
    fn expand(&mut self, law: &Scaled, zone: Zone, tolerance: f64) {
        let Expansion { root, sign, .. } = *self;
        let Expansion { r, e, s, w, f, .. } = self;
        let sticks = zone == Zone::Parabola && sign > 0.0 && root != Root::Zero;
        let half_inverse_root = 0.5 / s[0];
        let inverse_width = 1.0 / (law.delta - 1.0);
        // The argument of the zone's polynomial, its square where a cube is needed, and e′ in time.
        let (mut x, mut x_x, mut slope) = (ZERO, ZERO, ZERO);
        let mut power = 1.0;
        let mut small = 0;
        for k in 0..ORDER {
            let unit = if k == 0 { 1.0 } else { 0.0 };
            if root == Root::InTime && k > 0 {
                s[k] = (-sign * r[k] - inner(s, s, k)) * half_inverse_root;
            }
            w[k] = e[k] + sign * (unit - s[k]);
            let surplus = match zone {
                // f − r = e (2s − e), without the cancellation of f against r.
                Zone::Parabola if sticks => {
                    x[k] = 2.0 * s[k] - e[k];
                    product(e, &x, k)
                }
                Zone::Parabola => {
                    x[k] = unit - w[k];
                    unit - product(&x, &x, k) - r[k]
                }
                Zone::Cubic => {
                    x[k] = (w[k] - unit) * inverse_width;
                    x_x[k] = product(&x, &x, k);
                    unit - law.drop * (3.0 * x_x[k] - 2.0 * product(&x_x, &x, k)) - r[k]
                }
                Zone::Constant => unit * (1.0 - law.drop) - r[k],
            };
            f[k] = surplus + r[k];
            let next = 1.0 / (k + 1) as f64;
            let r_slope = law.kappa * (law.nu * unit - e[k]);
            slope[k] = -law.alpha * e[k] - law.b * surplus;
            power *= self.h;
            let first = if root == Root::InTau {
                s[k + 1] = -0.5 * sign * r_slope * next;
                r[k + 1] = -sign * product(s, s, k + 1);
                e[k + 1] = product(s, &slope, k) * next;
                s[k + 1].abs()
            } else {
                r[k + 1] = r_slope * next;
                e[k + 1] = slope[k] * next;
                r[k + 1].abs()
            };
            let term = first.max(2.0 * e[k + 1].abs()) * power;
            small = if term <= 0.3 * tolerance { small + 1 } else { 0 };
            if small == 2 {
                self.order = k + 1;
                break;
            }
        }
        let order = self.order;
        if root == Root::InTime {
            s[order] = (-sign * r[order] - inner(s, s, order)) * half_inverse_root;
        }
        w[order] = e[order] - sign * s[order];
        f[order] = 0.0;
        if small < 2 {
            let first = if root == Root::InTau { s[ORDER] } else { r[ORDER] };
            // The root is one order too high: aimed at less than allowed, it gets there in a few rounds.
            let mut last = first.abs().max(2.0 * e[ORDER].abs()) * power;
            while last > 0.2 * tolerance {
                let shrink = root16(0.1 * tolerance / last);
                self.h *= shrink;
                last *= power_15(shrink);
            }
        }
    }

    /// The length over which the step stays in its zone, or passes a border by no more than is allowed.
    fn until_border(&self, law: &Scaled, zone: Zone, tolerance: f64) -> f64 {
        let h = self.h;
        let slack = 1e-2 * tolerance.sqrt();
        let (low, high) = match zone {
            Zone::Parabola => (0.0, 1.0),
            Zone::Cubic => (1.0, law.delta),
            Zone::Constant => (law.delta, f64::INFINITY),
        };
        // What is left to the nearest border in units of what may be passed: accepted down to −1.
        let left = |t: f64| {
            let (w, n) = (value(&self.w, self.order, t), self.order);
            let by_w = (w - low).min(high - w) / slack;
            let by_r = match self.root {
                Root::Zero => (self.sign * value(&self.r, n, t) - 1.0) / CORNER_WINDOW,
                Root::InTime => {
                    let r = self.sign * value(&self.r, n, t);
                    (r / slack).min((1.0 - LEAST_ROOT_IN_TIME * LEAST_ROOT_IN_TIME - r) / slack)
                }
                Root::InTau => {
                    let s = value(&self.s, n, t);
                    (s / CORNER_WINDOW).min((1.0 - s) / slack)
                }
            };
            by_w.min(by_r)
        };
        if self.plainly_inside(low, high) {
            return h;
        }
        const SAMPLES: usize = 8;
        let mut inside = 0.0;
        let (mut two_back, mut one_back) = (f64::INFINITY, left(0.0));
        for i in 1..=SAMPLES {
            let t = h * i as f64 / SAMPLES as f64;
            let here = left(t);
            if here < -1.0 {
                return located(left, inside, t);
            }
            // A border that is passed and passed back between samples shows as a vertex below it.
            let bend = two_back - 2.0 * one_back + here;
            if one_back < two_back
                && one_back < here
                && one_back - (here - two_back) * (here - two_back) / (8.0 * bend) < -1.0
            {
                return inside;
            }
            (two_back, one_back, inside) = (one_back, here, t);
        }
        h
    }

    /// No border can be met, by the sizes of the terms alone.
    fn plainly_inside(&self, low: f64, high: f64) -> bool {
        let reach = |c: &Series| c[1..=self.order].iter().rev().fold(0.0, |sum, c| (sum + c.abs()) * self.h);
        let by_w = reach(&self.w);
        if self.w[0] - by_w < low || self.w[0] + by_w > high {
            return false;
        }
        match self.root {
            Root::Zero => self.sign * self.r[0] - reach(&self.r) >= 1.0,
            Root::InTime => {
                let (r, by_r) = (self.sign * self.r[0], reach(&self.r));
                r >= by_r && r + by_r <= 1.0 - LEAST_ROOT_IN_TIME * LEAST_ROOT_IN_TIME
            }
            Root::InTau => {
                let by_s = reach(&self.s);
                self.s[0] >= by_s && self.s[0] + by_s <= 1.0
            }
        }
    }

    /// The length at which `rest` is reached, at most `h`, and the time reached by it.
    fn until_time(&self, h: f64, rest: f64) -> Option<(f64, f64)> {
        if self.root != Root::InTau {
            return Some((h, h));
        }
        let time = |tau: f64| (0..=self.order).rev().fold(0.0, |sum, k| sum * tau + self.s[k] / (k + 1) as f64) * tau;
        let reached = time(h);
        if reached < rest {
            return Some((h, reached));
        }
        // t rises with τ, at the rate s: Newton from the far end, kept inside a bracket.
        let (mut low, mut high, mut tau) = (0.0, h, h);
        for _ in 0..60 {
            let error = time(tau) - rest;
            if error.abs() <= 1e-15 * rest {
                break;
            }
            if error > 0.0 {
                high = tau;
            } else {
                low = tau;
            }
            let newton = tau - error / value(&self.s, self.order, tau);
            tau = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if tau == low || tau == high {
                break;
            }
        }
        Some((tau, rest))
    }

    /// The step of length `h`, which takes `time`.
    fn taken(&self, h: f64, time: f64, r_0: f64) -> Taken {
        let n = self.order;
        let mut dr = change(&self.r, n, h);
        let mut impulse = 0.0;
        if self.root == Root::InTau {
            let s = value(&self.s, n, h);
            // The corner, once met, is met exactly.
            dr = if s <= CORNER_WINDOW { self.sign - r_0 } else { self.sign * (self.s[0] - s) * (self.s[0] + s) };
            for k in (0..n).rev() {
                impulse = impulse * h + product(&self.f, &self.s, k) / (k + 1) as f64;
            }
        } else {
            for k in (0..n).rev() {
                impulse = impulse * h + self.f[k] / (k + 1) as f64;
            }
        }
        Taken { h: time, dr, e: value(&self.e, n, h), impulse: impulse * h }
    }
}

/// The τ that takes `time` from s at the rate `rate`, or just beyond s = 0 if that comes first.
fn tau_for(s: f64, rate: f64, time: f64) -> f64 {
    let square = s * s + 2.0 * rate * time;
    if square > 0.0 { 2.0 * time / (s + square.sqrt()) } else { -1.2 * s / rate }
}

/// A length at which a border is passed by no more than is allowed, between one before it and one beyond.
fn located(left: impl Fn(f64) -> f64, mut inside: f64, mut outside: f64) -> f64 {
    let (mut at_inside, mut at_outside) = (left(inside), left(outside));
    for i in 0..60 {
        if at_inside < 0.0 {
            break;
        }
        // Aim at the middle of what is allowed; halve now and then, so that the bracket closes in any case.
        let share = (at_inside + 0.5) / (at_inside - at_outside);
        let t = inside + (outside - inside) * if i % 3 == 2 { 0.5 } else { share };
        let here = left(t);
        if here < -1.0 {
            (outside, at_outside) = (t, here);
        } else {
            (inside, at_inside) = (t, here);
        }
    }
    inside
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

/// Δ in units of v_s, equation (5).
fn shift(r: f64) -> f64 {
    let r = r.clamp(-1.0, 1.0);
    r / (1.0 + (1.0 - r.abs()).sqrt())
}

/// The coefficient k of a product.
#[inline(always)]
fn product(a: &Series, b: &Series, k: usize) -> f64 {
    partial_product(a, b, k, 0, k + 1)
}

/// The same without the terms that hold a coefficient k.
#[inline(always)]
fn inner(a: &Series, b: &Series, k: usize) -> f64 {
    partial_product(a, b, k, 1, k)
}

/// Σ a_j b_(k−j) for j from `from` to before `to`.
#[inline(always)]
fn partial_product(a: &Series, b: &Series, k: usize, from: usize, to: usize) -> f64 {
    let mut sum = 0.0;
    for j in from..to {
        sum += a[j & ORDER] * b[(k - j) & ORDER];
    }
    sum
}

fn value(c: &Series, order: usize, t: f64) -> f64 {
    c[..=order].iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// The value at `t` less the value at 0, without their cancellation.
fn change(c: &Series, order: usize, t: f64) -> f64 {
    c[1..=order].iter().rev().fold(0.0, |sum, c| (sum + c) * t)
}

fn power_15(x: f64) -> f64 {
    let x_5 = x * x * x * x * x;
    x_5 * x_5 * x_5
}

fn root16(x: f64) -> f64 {
    x.sqrt().sqrt().sqrt().sqrt()
}
