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

/// The highest order of a step.
const ORDER: usize = 15;
/// Steps after which a run ends, so that its caller can see whether it gets anywhere.
const MAX_STEPS: u32 = 40;
/// Where s is below this, steps go in τ …
const ROOT_FOR_TAU: f64 = 0.3;
/// … and a step in t ends where |r| gets here, at s = 0.15.
const MAX_R_IN_TIME: f64 = 1.0 - 0.15 * 0.15;
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
/// 1/(k + 1).
const INVERSES: Series = {
    let mut inverses = ZERO;
    let mut k = 0;
    while k <= ORDER {
        inverses[k] = 1.0 / (k + 1) as f64;
        k += 1;
    }
    inverses
};

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
        if e == 0.0 && r.abs().max(r_end.abs()) < 1.0 {
            // ż = v is an exact solution.
            return Some(Taken { h: rest, dr: drift * rest, e: 0.0, impulse: (r + 0.5 * drift * rest) * rest });
        }
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
        let mut series = Expansion::at(self, zone, r_0, e_0);
        let h = if series.root == Root::InTau { tau_for(series.s[0], 0.5 * series.inward, rest) } else { rest };
        let converged = series.expand(self, h, tolerance);
        if converged && series.root != Root::InTau && series.plainly_inside(self) {
            // The usual case: the terms were summed as they came.
            let Sums { r, e, impulse, .. } = series.sums;
            return Some(Taken { h: rest, dr: r, e: e_0 + e, impulse });
        }
        let h = if converged { h } else { series.shortened(h, tolerance) };
        let h = series.until_border(self, h, tolerance);
        let (h, reached) = series.until_time(h, rest);
        if !(reached > 0.0) {
            return None;
        }
        Some(series.taken(h, reached))
    }
}

/// The series of one step.
struct Expansion {
    zone: Zone,
    root: Root,
    /// The sign of r.
    sign: f64,
    /// How fast r moves towards 0, 1/s.
    inward: f64,
    order: usize,
    sums: Sums,
    r: Series,
    e: Series,
    s: Series,
    f: Series,
}

/// Terms of the series summed up over the length they were expanded for.
#[derive(Clone, Copy, Default)]
struct Sums {
    r: f64,
    e: f64,
    impulse: f64,
    /// What |r|, |e| and |s| may change by on the way.
    reach_r: f64,
    reach_e: f64,
    reach_s: f64,
}

impl Expansion {
    #[inline]
    fn at(law: &Scaled, zone: Zone, r_0: f64, e_0: f64) -> Self {
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
        let mut it = Expansion {
            zone,
            root,
            sign,
            inward,
            order: ORDER,
            sums: Sums::default(),
            r: ZERO,
            e: ZERO,
            s: ZERO,
            f: ZERO,
        };
        it.r[0] = r_0;
        it.e[0] = e_0;
        it.s[0] = if root == Root::Zero { 0.0 } else { s_0 };
        it
    }

    /// Fills the series until two successive terms are small over `h`; false if the highest order is not enough.
    #[inline]
    fn expand(&mut self, law: &Scaled, h: f64, tolerance: f64) -> bool {
        let Expansion { zone, root, sign, .. } = *self;
        let Expansion { r, e, s, f, sums, .. } = self;
        let sticks = zone == Zone::Parabola && sign > 0.0 && root != Root::Zero;
        let half_inverse_root = 0.5 / s[0];
        let inverse_width = 1.0 / (law.delta - 1.0);
        // The argument of the zone's polynomial, its square where a cube is needed, and e′ in time.
        let (mut x, mut x_x, mut slope) = (ZERO, ZERO, ZERO);
        // Products as far as their factors are known.
        let (mut s_s, mut first, mut second, mut s_slope) = (ZERO, ZERO, ZERO, ZERO);
        if root == Root::InTau {
            gather(&mut s_s, s, s, 0);
        }
        let mut power = 1.0;
        let mut small = 0;
        for k in 0..ORDER {
            let unit = if k == 0 { 1.0 } else { 0.0 };
            if root == Root::InTime && k > 0 {
                s[k] = (-sign * r[k] - s_s[k]) * half_inverse_root;
                gather_square_above_0(&mut s_s, s, k);
            }
            let w = e[k] + sign * (unit - s[k]);
            let surplus = match zone {
                // f − r = e (2s − e), without the cancellation of f against r.
                Zone::Parabola if sticks => {
                    x[k] = 2.0 * s[k] - e[k];
                    gather(&mut first, e, &x, k);
                    first[k]
                }
                Zone::Parabola => {
                    x[k] = unit - w;
                    gather(&mut first, &x, &x, k);
                    unit - first[k] - r[k]
                }
                Zone::Cubic => {
                    x[k] = (w - unit) * inverse_width;
                    gather(&mut first, &x, &x, k);
                    x_x[k] = first[k];
                    gather(&mut second, &x_x, &x, k);
                    unit - law.drop * (3.0 * x_x[k] - 2.0 * second[k]) - r[k]
                }
                Zone::Constant => unit * (1.0 - law.drop) - r[k],
            };
            f[k] = surplus + r[k];
            let next = INVERSES[k];
            let r_slope = law.kappa * (law.nu * unit - e[k]);
            let e_slope = -law.alpha * e[k] - law.b * surplus;
            let before = power;
            power *= h;
            let moved = if root == Root::InTau {
                slope[k] = e_slope;
                gather(&mut s_slope, s, &slope, k);
                e[k + 1] = s_slope[k] * next;
                s[k + 1] = -0.5 * sign * r_slope * next;
                gather(&mut s_s, s, s, k + 1);
                r[k + 1] = -sign * s_s[k + 1];
                s[k + 1].abs()
            } else {
                r[k + 1] = r_slope * next;
                e[k + 1] = e_slope * next;
                sums.r += r[k + 1] * power;
                sums.e += e[k + 1] * power;
                sums.impulse += f[k] * power * next;
                sums.reach_r += r[k + 1].abs() * power;
                sums.reach_e += e[k + 1].abs() * power;
                sums.reach_s += if k == 0 { 0.0 } else { s[k].abs() * before };
                r[k + 1].abs()
            };
            let term = moved.max(2.0 * e[k + 1].abs()) * power;
            small = if term <= 0.3 * tolerance { small + 1 } else { 0 };
            if small == 2 {
                self.order = k + 1;
                break;
            }
        }
        let order = self.order;
        if root == Root::InTime {
            s[order] = (-sign * r[order] - s_s[order]) * half_inverse_root;
            sums.reach_s += s[order].abs() * power;
        }
        small == 2
    }

    /// The length over which the last term is within the tolerance, from one over which it is not.
    fn shortened(&self, mut h: f64, tolerance: f64) -> f64 {
        let moved = if self.root == Root::InTau { self.s[ORDER] } else { self.r[ORDER] };
        let mut last = moved.abs().max(2.0 * self.e[ORDER].abs()) * power_15(h);
        // The root is one order too high: aimed at less than allowed, it gets there in a few rounds.
        while last > 0.2 * tolerance {
            let shrink = root16(0.1 * tolerance / last);
            h *= shrink;
            last *= power_15(shrink);
        }
        h
    }

    /// The range of w in which the zone's polynomial holds.
    fn range(&self, law: &Scaled) -> [f64; 2] {
        match self.zone {
            Zone::Parabola => [0.0, 1.0],
            Zone::Cubic => [1.0, law.delta],
            Zone::Constant => [law.delta, f64::INFINITY],
        }
    }

    /// The length over which the step stays in its zone, or passes a border by no more than is allowed.
    fn until_border(&self, law: &Scaled, h: f64, tolerance: f64) -> f64 {
        let slack = 1e-2 * tolerance.sqrt();
        let [low, high] = self.range(law);
        let moved = if self.root == Root::InTau { &self.s } else { &self.r };
        // What is left to the nearest border in units of what may be passed: accepted down to −1.
        let left = |t: f64| {
            let [e, moved] = values([&self.e, moved], self.order, t);
            let r = self.sign * moved;
            let (w, by_r) = match self.root {
                Root::Zero => (e + self.sign, (r - 1.0) / CORNER_WINDOW),
                Root::InTime => (e + shift(moved), (r / slack).min((MAX_R_IN_TIME - r) / slack)),
                Root::InTau => (e + self.sign * (1.0 - moved), (moved / CORNER_WINDOW).min((1.0 - moved) / slack)),
            };
            ((w - low).min(high - w) / slack).min(by_r)
        };
        const SAMPLES: usize = 4;
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
    #[inline]
    fn plainly_inside(&self, law: &Scaled) -> bool {
        let [low, high] = self.range(law);
        let Sums { reach_r, reach_e, reach_s, .. } = self.sums;
        let (w, by_w) = (self.e[0] + self.sign * (1.0 - self.s[0]), reach_e + reach_s);
        let r = self.sign * self.r[0];
        let by_r = match self.root {
            Root::Zero => r - reach_r >= 1.0,
            _ => r >= reach_r && r + reach_r <= MAX_R_IN_TIME,
        };
        by_r && w - by_w >= low && w + by_w <= high
    }

    /// The length at which `rest` is reached, at most `h`, and the time reached by it.
    fn until_time(&self, h: f64, rest: f64) -> (f64, f64) {
        if self.root != Root::InTau {
            return (h, h);
        }
        let time = |tau: f64| (0..=self.order).rev().fold(0.0, |sum, k| sum * tau + self.s[k] * INVERSES[k]) * tau;
        let reached = time(h);
        if reached < rest {
            return (h, reached);
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
        (tau, rest)
    }

    /// The step of length `h`, which takes `time`.
    fn taken(&self, h: f64, time: f64) -> Taken {
        let n = self.order;
        let mut dr = change(&self.r, n, h);
        let mut impulse = 0.0;
        if self.root == Root::InTau {
            let s = value(&self.s, n, h);
            // The corner, once met, is met exactly.
            dr = if s <= CORNER_WINDOW { self.sign - self.r[0] } else { self.sign * (self.s[0] - s) * (self.s[0] + s) };
            for k in (0..n).rev() {
                let rate: f64 = (0..=k).map(|j| self.f[j] * self.s[k - j]).sum();
                impulse = impulse * h + rate * INVERSES[k];
            }
        } else {
            for k in (0..n).rev() {
                impulse = impulse * h + self.f[k] * INVERSES[k];
            }
        }
        let e = value(&self.e, n, h);
        Taken { h: time, dr, e, impulse: impulse * h }
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

/// Adds to the coefficients of a product what coefficient k of both factors gives with those before it. Afterwards
/// the product is complete up to order k.
#[inline(always)]
fn gather(product: &mut Series, a: &Series, b: &Series, k: usize) {
    let n = k.min(ORDER + 1 - k);
    let (a_k, b_k) = (a[k], b[k]);
    for ((sum, a), b) in product[k..][..n].iter_mut().zip(&a[..n]).zip(&b[..n]) {
        *sum += a_k * b + b_k * a;
    }
    if 2 * k <= ORDER {
        product[2 * k] += a_k * b_k;
    }
}

/// The same for a square, without the terms that hold coefficient 0.
#[inline(always)]
fn gather_square_above_0(square: &mut Series, a: &Series, k: usize) {
    let n = k.min(ORDER + 1 - k);
    let twice = 2.0 * a[k];
    for (sum, a) in square[k..][..n].iter_mut().zip(&a[..n]).skip(1) {
        *sum += twice * a;
    }
    if 2 * k <= ORDER {
        square[2 * k] += a[k] * a[k];
    }
}

fn value(c: &Series, order: usize, t: f64) -> f64 {
    values([c], order, t)[0]
}

/// The values of several series at once: one does not wait for the other.
#[inline]
fn values<const N: usize>(c: [&Series; N], order: usize, t: f64) -> [f64; N] {
    let mut sums = [0.0; N];
    for k in (0..=order.min(ORDER)).rev() {
        for i in 0..N {
            sums[i] = sums[i] * t + c[i][k];
        }
    }
    sums
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
