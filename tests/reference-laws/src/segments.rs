//! Segments of a step between changes of sign of v and openings or closings of the contact: within
//! them the rates of the laws with bristles are smooth.

use crate::dop853::solve;
use crate::law::sgn;
use crate::trajectory::{Contact, InputTrajectory};
use std::cell::Cell;

/// Evaluations of the rates in a step after which an integration fails: some hundredths of a
/// second.
const EVALUATIONS: u32 = 300_000;

/// Start and end of each segment of a step of `h` (s), in order.
pub fn segments(inputs: &InputTrajectory, h: f64) -> Vec<[f64; 2]> {
    if let InputTrajectory::Held(_) = inputs {
        return vec![[0.0, h]];
    }
    let signs = |t: f64| {
        let contact = inputs.at(t);
        (contact.is_closed(), sgn(contact.v))
    };
    let mut breakpoints = vec![0.0];
    let grid = inputs.grid();
    for i in 0..grid {
        let [mut t, end] = [i, i + 1].map(|i| h * f64::from(i) / f64::from(grid));
        while signs(t) != signs(end) {
            let before = signs(t);
            t = first_instant(t, end, |t| signs(t) != before);
            breakpoints.push(t);
        }
    }
    breakpoints.push(h);
    between(breakpoints)
}

/// Start and end of each interval between places in any order.
pub fn between(mut places: Vec<f64>) -> Vec<[f64; 2]> {
    places.sort_by(f64::total_cmp);
    places.dedup();
    places.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Equal parts of a segment with moving inputs, in which a law with a characteristic is integrated:
/// where v has little effect, the integrator may pass over a narrow part of the characteristic.
const PARTS: u32 = 500;

/// Share of a step from which a segment is divided: shorter parts have no steps between two
/// numbers.
const DIVIDED_SHARE: f64 = 1e-6;

/// Ratio of the lengths of neighbouring parts towards the ends of a segment, next to a change of
/// sign: a bristle under a small force turns within a short time.
const GRADING: f64 = 0.125;
/// Parts that become shorter towards each end of a segment: the shortest is 3e-14 of it.
const GRADED: i32 = 12;

/// Segments of a step, each in [`PARTS`] where the inputs move and it is no small part of the step,
/// and the first and the last of these in parts that become shorter towards its ends.
pub fn parts(inputs: &InputTrajectory, h: f64) -> Vec<[f64; 2]> {
    segments(inputs, h)
        .into_iter()
        .flat_map(|segment| parts_of(inputs, segment, h))
        .collect()
}

/// The parts of one segment.
fn parts_of(inputs: &InputTrajectory, segment: [f64; 2], h: f64) -> Vec<[f64; 2]> {
    match inputs {
        InputTrajectory::Held(_) => vec![segment],
        _ => divided(segment, h),
    }
}

/// Parts of a segment of a step of `h` (s): [`PARTS`] equal ones, of which the first and the last
/// are graded, or one where it is a small part of the step.
pub fn divided([start, end]: [f64; 2], h: f64) -> Vec<[f64; 2]> {
    let mut places = vec![start, end];
    if end - start >= DIVIDED_SHARE * h {
        let part = (end - start) / f64::from(PARTS);
        places.extend((1..PARTS).map(|i| start + part * f64::from(i)));
        let graded = (1..=GRADED).map(|i| part * libm::pow(GRADING, f64::from(i)));
        places.extend(graded.flat_map(|distance| [start + distance, end - distance]));
    }
    between(places)
}

/// Share of a segment next to an opening or closing of the contact, in which a first-order bristle
/// is not integrated: its rate has no bound there.
pub const NEXT_TO_ZERO: f64 = 1e-6;

/// Integrated part of a segment with a closed contact, s: all of it, or up to the last millionth
/// where the contact opens at its end.
pub fn integrated_length(inputs: &InputTrajectory, [start, end]: [f64; 2]) -> f64 {
    let part = if inputs.at(end).is_closed() {
        1.0
    } else {
        1.0 - NEXT_TO_ZERO
    };
    (end - start) * part
}

/// Deflection (m) at the end of a step of `h` (s), impulse (N·s) and energy (J) of a bristle that
/// starts at `z`, integrated part by part. `reach` is the deflection (m) that errors are measured
/// by. Next to F_N = 0 the force is constant, and after a closing the deflection is that of the
/// motion with constant v and dF_N/dt, where the rate is linear in it.
///
/// # Panics
/// If the bristle is too stiff for an explicit method.
pub fn integrate(
    inputs: &InputTrajectory,
    h: f64,
    mut z: f64,
    tolerance: f64,
    reach: impl Fn(Contact) -> f64,
    rate: impl Fn(Contact, f64) -> f64,
    force: impl Fn(Contact, f64) -> f64,
) -> [f64; 3] {
    let mut sums = [0.0; 2];
    let count = Cell::new(0);
    for [start, end] in segments(inputs, h) {
        let middle = inputs.at(0.5 * (start + end));
        if !middle.is_closed() {
            z = 0.0;
            continue;
        }
        let rates = |t: f64, [z, _, _]: [f64; 3]| {
            count.set(count.get() + 1);
            assert!(count.get() < EVALUATIONS, "too stiff at {t}");
            let contact = inputs.at(start + t);
            let force = force(contact, z);
            [rate(contact, z), force, force * contact.v]
        };
        let reach = reach(middle);
        let impulse = force(middle, reach).abs() * (end - start);
        let scale = [
            reach,
            impulse,
            (impulse * middle.v.abs()).max(f64::MIN_POSITIVE),
        ];
        let last = integrated_length(inputs, [start, end]);
        let mut add = |t: f64, z: f64, length: f64| {
            let [_, force, power] = rates(t, [z, 0.0, 0.0]);
            sums = [sums[0] + force * length, sums[1] + power * length];
        };
        let mut first = 0.0;
        let early = NEXT_TO_ZERO * (end - start);
        let contact = inputs.at(start + early);
        let [forth, back] = [reach, -reach].map(|z| contact.v - rate(contact, z));
        let is_linear = (forth + back).abs() < 1e-9 * forth.abs();
        if z == 0.0 && inputs.at(start).F_N <= NEXT_TO_ZERO * middle.F_N && is_linear {
            first = early;
            z = contact.v / (forth / reach + 1.0 / first);
            add(first, z, first);
        }
        let mut x = [z, 0.0, 0.0];
        for [from, to] in parts_of(inputs, [first, last], h) {
            x = solve(|t, x| rates(from + t, x), x, scale, to - from, tolerance);
        }
        z = x[0];
        add(last, z, end - start - last);
        sums = [sums[0] + x[1], sums[1] + x[2]];
    }
    [
        if inputs.at(h).is_closed() { z } else { 0.0 },
        sums[0],
        sums[1],
    ]
}

/// First instant at which a condition holds that does not hold at `before` and holds at `after`:
/// bisected until no number lies between.
pub fn first_instant(mut before: f64, mut after: f64, is_so: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (before + after);
        if middle <= before || after <= middle {
            return after;
        }
        if is_so(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
}
