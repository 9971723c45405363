//! A step by Taylor series in one zone of the characteristic of a closed contact.
//!
//! In every zone F_R is a polynomial in w and F_N, and w is linear in e and F_0/F_s: the coefficients follow from a recurrence without
//! roots. A step ends where its last terms meet the tolerance or where it leaves the zone: |w| = v_s, |w| = v_d or |F_0| = F_s.

use super::super::frdyn2::constants::{MAX_WEIGHT, MIN_NORMAL_FORCE_SHARE, POWER_TERM_SHARE};
use super::super::frdyn2::series::{INVERSES, product, square as square_term};
use super::equations::Equations;
use crate::characteristic::Segment;
use crate::integrate::change_of_sign::change_of_sign;
use crate::integrate::extrema::smaller;
use crate::integrate::rough_root::rough_root;
use crate::law::{Contact, InputTrajectory, Law, MAX_INPUT_DERIVATIVE_ORDER};

/// Order of the series, 1: lower orders need more steps of a transient, higher ones more products of a step.
const ORDER: usize = 12;
/// Share of the length at which a term meets the tolerance, 1: with roots to 4 % a term of order 12 has between 0.17 and 0.45 of it.
const LENGTH_SHARE: f64 = 0.9;
/// Share of the tolerance below which a term is negligible, 1: the remainder of terms that fall by half is as large as the last.
const NEGLIGIBLE_TERM_SHARE: f64 = 0.3;
/// Length over that of the step below which leaving a zone and entering it again is not detected, 1: it occurs only next to the border,
/// where the forces of both zones hardly differ.
const SHORTEST_EXCURSION: f64 = 1.0 / 256.0;
/// Distance of w from a border over v_s, and of F_0 over F_s, up to which the direction of motion chooses the zone, 1: above the
/// rounding of a border that was reached, and F_R changes by as much.
const BORDER: f64 = 1e-10;

/// Precision of the time at which a step leaves its zone, over that time, 1: w passes the border by less than [`BORDER`] unless it moves by more
/// than a hundred v_s in the step.
const EXIT_PRECISION: f64 = 1e-12;

/// Lower bound on the error of ż that counts as 1 over v_s, 1: rounding limits what an impulse can be resolved to.
const MIN_IMPULSE_SHARE: f64 = 1e-2;

/// Number of Taylor coefficients of an input.
const INPUT_TERMS: usize = MAX_INPUT_DERIVATIVE_ORDER + 1;

type Series = [f64; ORDER + 1];

/// Step by series.
pub struct SeriesStep {
    /// Length of the step, s.
    pub length: f64,
    /// (z, ż) at the end of the step.
    pub x: [f64; 2],
    /// Friction loss, J.
    pub loss: f64,
    /// Whether the step was on the falling branch.
    pub falls: bool,
}

/// All of the motion that the steps by series are parts of.
pub struct Whole {
    /// Length, s.
    pub duration: f64,
    /// Impulse that counts as an error of 1, F_s times the length, N·s: an error of ż has that of the bristle's mass.
    pub impulse: f64,
}

/// Zone of the characteristic: below v_s, a cubic between two speeds, or constant beyond the last.
#[derive(Clone, Copy, PartialEq)]
enum Zone {
    Linear,
    Cubic(Segment),
    Sliding,
}

/// Shift of the characteristic: saturated on one side, or following F_0.
#[derive(Clone, Copy, PartialEq)]
enum Shift {
    Saturated(f64),
    Following,
}

fn value<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// Upper bound of the change from the start within `t`.
fn reach<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    t * c[1..].iter().rev().fold(0.0, |sum, c| sum * t + c.abs())
}

/// Lower bound of the value within `t`, where only the terms below 0 lower it.
fn at_least<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    c[0] + t * c[1..].iter().rev().fold(0.0, |sum, c| sum * t + c.min(0.0))
}

/// Upper bound of the rate of change within `t`.
fn fastest<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    c[1..].iter().enumerate().rev().fold(0.0, |sum, (i, c)| sum * t + (i + 1) as f64 * c.abs())
}

/// Upper bound of the second derivative within `t`.
fn bend<const N: usize>(c: &[f64; N], t: f64) -> f64 {
    c[2..].iter().enumerate().rev().fold(0.0, |sum, (i, c)| sum * t + ((i + 1) * (i + 2)) as f64 * c.abs())
}

/// Value at `t`, and its rate.
fn motion(c: &[f64], t: f64) -> [f64; 2] {
    c.iter().rev().fold([0.0; 2], |[value, rate], c| [value * t + c, rate * t + value])
}

/// Time up to which a quantity with this value and rate stays above 0, where its second derivative is at least −`bend`.
fn stays_above([value, rate]: [f64; 2], bend: f64) -> f64 {
    if bend == f64::INFINITY {
        return 0.0;
    }
    let root = (rate * rate + 2.0 * bend * value.max(0.0)).sqrt();
    if rate < 0.0 {
        2.0 * value / (root - rate)
    } else if bend > 0.0 {
        (rate + root) / bend
    } else {
        f64::INFINITY
    }
}

/// Inputs of a step as Taylor coefficients about its start.
struct Inputs {
    v: [f64; INPUT_TERMS],
    /// F_N, N.
    normal: [f64; INPUT_TERMS],
}

impl Inputs {
    fn new(trajectory: &InputTrajectory) -> Self {
        let contact = trajectory.start;
        let of = |start: f64, order: fn(&Contact) -> f64| match trajectory.derivatives {
            None => [start, 0.0, 0.0, 0.0],
            Some([first, second, third]) => [start, order(first), order(second) / 2.0, order(third) / 6.0],
        };
        Inputs { v: of(contact.v, |contact| contact.v), normal: of(contact.F_N, |contact| contact.F_N) }
    }
}

/// Coefficient n of a polynomial of degree 3.
fn term(c: &[f64; INPUT_TERMS], n: usize) -> f64 {
    if n < INPUT_TERMS { c[n] } else { 0.0 }
}

/// Coefficient n of the product of F_N and a series.
fn times(normal: &[f64; INPUT_TERMS], c: &Series, n: usize) -> f64 {
    normal.iter().zip(c[..=n].iter().rev()).map(|(a, b)| a * b).sum()
}

/// One step from the start of `duration` (s) with errors of z and ż within `tolerance` (F_s/σ_0, and v_s or less where the impulse needs
/// it); `None` where it has no length. The contact stays closed. A border that is met within the rounding of time is passed.
pub fn series_step(
    equations: &Equations,
    trajectory: &InputTrajectory,
    duration: f64,
    x: &[f64; 2],
    tolerance: f64,
    whole: &Whole,
) -> Option<SeriesStep> {
    let base = &equations.base;
    let contact = trajectory.start;
    let here = equations.characteristic_point(contact, x)?;
    let Inputs { v, normal } = Inputs::new(trajectory);
    let limit = normal.map(|normal| base.mu_s * normal);
    let static_force = here.F_s;
    let inverse_static_force = 1.0 / static_force;
    // Rates of F_0, and of F_0/F_s.
    let force_rate = base.sigma_0 * x[1] + base.sigma_1 * v[1];
    let ratio = here.F_0 / static_force;
    let ratio_rate = (force_rate - ratio * limit[1]) / static_force;
    let distance = ratio.abs() - 1.0;
    let shift = if distance > BORDER || distance.abs() <= BORDER && ratio_rate * ratio > 0.0 {
        Shift::Saturated(base.v_s.copysign(here.F_0))
    } else {
        Shift::Following
    };
    let slip = contact.v - x[1];
    let w_0 = slip
        + match shift {
            Shift::Saturated(shift) => shift,
            Shift::Following => base.v_s * ratio,
        };
    let side = 1_f64.copysign(w_0);
    let start = Law::evaluate(equations, contact, x, &());
    let slip_rate = v[1] - start.rate[1];
    let w_rate = side * (slip_rate + if shift == Shift::Following { base.v_s * ratio_rate } else { 0.0 });
    let beyond = |border: f64| {
        let distance = w_0.abs() - border;
        if distance.abs() <= BORDER * base.v_s { w_rate > 0.0 } else { distance > 0.0 }
    };
    let published = [base.v_s, base.v_d];
    let passed = match equations.measured {
        Some(curve) => curve.passed(beyond),
        None => published.into_iter().filter(|border| beyond(*border)).count(),
    };
    // Speeds between which the zone lies.
    let border = |index: usize| match equations.measured {
        Some(curve) => curve.border(index),
        None => published.get(index).copied().unwrap_or(f64::INFINITY),
    };
    let (from, to) = (passed.checked_sub(1).map_or(0.0, border), border(passed));
    let zone = match passed {
        0 => Zone::Linear,
        _ if to == f64::INFINITY => Zone::Sliding,
        _ => Zone::Cubic(match equations.measured {
            Some(curve) => curve.segment(passed - 1),
            None => Segment::horizontal([base.v_s, base.mu_s], [base.v_d, base.mu_d]),
        }),
    };

    let [mut z, mut e, mut w, mut r, mut sticking, mut force] = [[0.0; ORDER + 1]; 6];
    let [mut xi, mut square, mut step, mut bent] = [[0.0; ORDER + 1]; 4];
    (z[0], e[0]) = (x[0], slip);
    // Errors count at the smallest F_s up to the end.
    let least = trajectory.min_normal_force(duration).clamp(MIN_NORMAL_FORCE_SHARE * contact.F_N, contact.F_N);
    let [deflection, _] = equations.scale(Contact { F_N: least, ..contact }, x);
    let of_impulse = (whole.impulse * base.inverse_mass).max(MIN_IMPULSE_SHARE * base.v_s);
    // A term of the force changes e by so little in a short step, and the loss as much as it would alone.
    let of_loss = (POWER_TERM_SHARE * whole.impulse * base.inverse_mass).max(base.v_s / MAX_WEIGHT);
    let [scale_z, scale_e] = [1.0 / deflection, base.inverse_v_s.max(1.0 / of_impulse.min(of_loss))];
    // The series ends where two successive terms are negligible over all of the duration.
    let (mut last, mut power, mut negligible) = (ORDER, 1.0, 0);
    for n in 0..=ORDER {
        let at_start = |value: f64| if n == 0 { value } else { 0.0 };
        sticking[n] = base.sigma_0 * z[n] + base.sigma_1 * term(&v, n);
        w[n] = match shift {
            Shift::Saturated(shift) => e[n] + at_start(shift),
            Shift::Following => {
                // F_0 = F_s r.
                let known: f64 = limit[1..].iter().zip(r[..n].iter().rev()).map(|(a, b)| a * b).sum();
                r[n] = (sticking[n] - known) * inverse_static_force;
                e[n] + base.v_s * r[n]
            }
        };
        force[n] = match (zone, shift) {
            // Without a slip the force is F_0 to the last bit.
            (Zone::Linear, Shift::Following) => sticking[n] + times(&limit, &e, n) * base.inverse_v_s,
            (Zone::Linear, Shift::Saturated(_)) => times(&limit, &w, n) * base.inverse_v_s,
            (Zone::Sliding, _) => {
                side * base.mu_d * term(&normal, n) + equations.sigma_2 * (w[n] - at_start(side * base.v_d))
            }
            (Zone::Cubic(Segment { from, inverse_width, mu, rise, bend, .. }), _) => {
                xi[n] = (side * w[n] - at_start(from)) * inverse_width;
                square[n] = square_term(&xi, n);
                let cube = product(&xi, &square, n);
                step[n] = 3.0 * square[n] - 2.0 * cube;
                let mut size = mu * term(&normal, n) + rise * times(&normal, &step, n);
                if let Some([a, b, c]) = bend {
                    bent[n] = a * xi[n] + b * square[n] + c * cube;
                    size += times(&normal, &bent, n);
                }
                side * size
            }
        };
        if n == last {
            break;
        }
        if n < ORDER {
            let rate = term(&v, n) - e[n];
            let acceleration = (force[n] - base.sigma_0 * z[n] - base.sigma_1 * rate) * base.inverse_mass;
            z[n + 1] = rate * INVERSES[n];
            e[n + 1] = term(&v, n + 1) - acceleration * INVERSES[n];
            power *= duration;
            let term = (z[n + 1] * scale_z).abs().max((e[n + 1] * scale_e).abs()) * power;
            negligible = if term <= NEGLIGIBLE_TERM_SHARE * tolerance { negligible + 1 } else { 0 };
            if n >= INPUT_TERMS - 1 && negligible >= 2 {
                last = n + 1;
            }
        }
    }

    // Length by the last two terms.
    let mut length = duration;
    if last == ORDER {
        let allowed = |order: usize| tolerance / (z[order] * scale_z).abs().max((e[order] * scale_e).abs());
        let by_last = rough_root::<{ ORDER as i64 }>(allowed(ORDER));
        let by_penultimate = rough_root::<{ ORDER as i64 - 1 }>(allowed(ORDER - 1));
        length = length.min(LENGTH_SHARE * by_last.min(by_penultimate));
    }

    // Length to the end of the zone.
    let margin = BORDER * base.v_s;
    // Distances to the borders of the zone and to those of the shift, below 0 beyond, and their rates.
    // The series of r = F_0/F_s converges up to the zero of F_N only: further on, r is the quotient.
    let distances = |[[sticking, sticking_rate], [limit, limit_rate], [slip, slip_rate]]: [[f64; 2]; 3]| {
        let none = [f64::INFINITY, 0.0];
        let [w, w_rate] = match shift {
            Shift::Saturated(_) => [slip, slip_rate],
            Shift::Following => {
                let r = sticking / limit;
                [slip + base.v_s * r, slip_rate + base.v_s * (sticking_rate - r * limit_rate) / limit]
            }
        };
        let (w, w_rate) = (side * w, side * w_rate);
        let (above, below) = (|from: f64| [w - from + margin, w_rate], |to: f64| [to - w + margin, -w_rate]);
        let of_zone = match zone {
            Zone::Linear => [above(-to), below(to)],
            Zone::Cubic(_) => [above(from), below(to)],
            Zone::Sliding => [above(from), none],
        };
        let force_margin = BORDER * static_force;
        let of_shift = match shift {
            Shift::Saturated(shift) => {
                let sign = shift.signum();
                [[sign * sticking - limit + force_margin, sign * sticking_rate - limit_rate], none]
            }
            Shift::Following => [
                [limit - sticking + force_margin, limit_rate - sticking_rate],
                [limit + sticking + force_margin, limit_rate + sticking_rate],
            ],
        };
        [of_zone, of_shift]
    };
    let below = if passed == 0 { f64::INFINITY } else { (w_0.abs() - from).abs() };
    let nearest = below.min((w_0.abs() - to).abs());
    let to_limit = (here.F_0.abs() - static_force).abs();
    // Bounds of the changes of w, while |r| is at most 1, and of the forces.
    let least_limit = at_least(&limit, length);
    let reach_of_force = reach(&sticking, length) + reach(&limit, length);
    let reach_of_w = match shift {
        Shift::Saturated(_) => reach(&w, length),
        Shift::Following if least_limit > 0.0 => reach(&e, length) + base.v_s * reach_of_force / least_limit,
        Shift::Following => f64::INFINITY,
    };
    let is_clear = reach_of_w <= nearest && reach_of_force <= to_limit;
    if !is_clear {
        // F_0, F_s, and w or the slip that the shift is added to, with their rates.
        let shifted = if shift == Shift::Following { &e } else { &w };
        let [terms_of_force, terms] = [&sticking, shifted].map(|c| &c[..=last]);
        let motions = |t: f64| [motion(terms_of_force, t), motion(&limit, t), motion(terms, t)];
        let at_start = [[sticking[0], sticking[1]], [limit[0], limit[1]], [shifted[0], shifted[1]]];
        // The smallest distance, over v_s or F_s: below 0 outside. What is no number is outside as well.
        let least_of = |[of_zone, of_shift]: [[[f64; 2]; 2]; 2]| {
            let of_zone = of_zone.map(|[distance, _]| distance * base.inverse_v_s);
            let of_shift = of_shift.map(|[distance, _]| distance * inverse_static_force);
            let distances = of_zone.into_iter().chain(of_shift);
            distances.fold(f64::INFINITY, |least, d| if d.is_nan() { f64::NEG_INFINITY } else { smaller(d, least) })
        };
        let bend_of_force = bend(&sticking, length) + bend(&limit, length);
        let bend_of_w = match shift {
            Shift::Saturated(_) => bend(&w, length),
            // (F_0/F_s)″ = (F_0″ − 2 (F_0/F_s)′ F_s′ − (F_0/F_s) F_s″)/F_s.
            Shift::Following if least_limit > 0.0 => {
                let fastest_limit = fastest(&limit, length);
                let fastest_ratio = (fastest(&sticking, length) + fastest_limit) / least_limit;
                bend(&e, length) + base.v_s * (bend_of_force + 2.0 * fastest_ratio * fastest_limit) / least_limit
            }
            Shift::Following => f64::INFINITY,
        };
        let (mut t, shortest) = (0.0, SHORTEST_EXCURSION * length);
        let mut here = distances(at_start);
        while t < length {
            let [of_zone, of_shift] = here;
            let inside = of_zone.into_iter().map(|distance| stays_above(distance, bend_of_w));
            let inside = inside.chain(of_shift.into_iter().map(|distance| stays_above(distance, bend_of_force)));
            let to = (t + inside.fold(f64::INFINITY, f64::min).max(shortest)).min(length);
            let ahead = distances(motions(to));
            let ends = [here, ahead].map(least_of);
            if ends[1] < 0.0 {
                if ends[0] < 0.0 {
                    return None;
                }
                let precision = EXIT_PRECISION * to;
                let way = change_of_sign(|way| least_of(distances(motions(t + way))), to - t, ends, precision);
                length = (t + way).max(f64::EPSILON * whole.duration).min(duration);
                break;
            }
            (t, here) = (to, ahead);
        }
    }
    if !(length > 0.0) {
        return None;
    }

    let mut loss = 0.0;
    let mut power = 1.0;
    for (j, v) in v.iter().enumerate() {
        if *v == 0.0 {
            power *= length;
            continue;
        }
        let integral = force.iter().enumerate().rev().fold(0.0, |sum, (i, c)| sum * length + c * INVERSES[i + j]);
        loss += v * power * length * integral;
        power *= length;
    }
    let x = [value(&z, length), value(&v, length) - value(&e, length)];
    (x[0].is_finite() && x[1].is_finite()).then_some(SeriesStep {
        length,
        x,
        loss,
        falls: matches!(zone, Zone::Cubic(Segment { rise, .. }) if rise < 0.0),
    })
}

#[cfg(test)]
mod tests;
