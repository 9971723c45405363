//! Contacts with stick–slip laws on one body: the section `[body]` of a card against monolithic
//! solutions that switch the modes.

use super::block::{Block, BlockLaw, LawState};
use super::bodies::{PARALLEL, SERIAL, advance, element, sliding};
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;

/// SimpackStickSlip with its default parameters: z, and the direction of sliding or 0.
pub struct Simpack;

impl BlockLaw for Simpack {
    fn rates(&self, contact: Contact, ([z, _], mode): &LawState) -> (f64, [f64; 2]) {
        match *mode {
            0.0 => (5e6 * z + 3192.75 * contact.v, [contact.v, 0.0]),
            direction => (0.3 * contact.F_N * direction, [0.0; 2]),
        }
    }

    fn switch(&self, contact: Contact, ([z, _], mode): &mut LawState) -> bool {
        if *mode == 0.0 {
            let slips = (5e6 * *z).abs() > 0.6 * contact.F_N;
            *mode = if slips { 1f64.copysign(contact.v) } else { 0.0 };
            return slips;
        }
        let stops = *mode * contact.v <= 0.0;
        if stops {
            (*z, *mode) = (0.0, 0.0);
        }
        stops
    }
}

/// AdamsStickSlip with its default parameters: x, and the limit at which it is or 0.
pub struct Adams;

const DELTA: f64 = 2.20725e-6;

/// The odd quintic from (−1, −1) to (1, 1) with level ends.
fn q(s: f64) -> f64 {
    let s = s.clamp(-1.0, 1.0);
    s * (15.0 - 10.0 * s * s + 3.0 * s * s * s * s) / 8.0
}

impl BlockLaw for Adams {
    fn rates(&self, contact: Contact, ([x, _], limit): &LawState) -> (f64, [f64; 2]) {
        let (v, speed) = (contact.v, contact.v.abs());
        let mu = if speed <= 1e-3 {
            let b = q(v / 1e-3);
            0.6 * ((1.0 - b.abs()) * q(x / DELTA) + b)
        } else {
            let t = ((speed - 1e-3) / 9e-3).min(1.0);
            (0.6 - 0.3 * t * t * t * (10.0 - 15.0 * t + 6.0 * t * t)).copysign(v)
        };
        (mu * contact.F_N, [if *limit == 0.0 { v } else { 0.0 }, 0.0])
    }

    fn switch(&self, contact: Contact, ([x, _], limit): &mut LawState) -> bool {
        let before = *limit;
        if *limit == 0.0 && x.abs() > DELTA && *x * contact.v > 0.0 {
            *limit = 1f64.copysign(*x);
            *x = DELTA * *limit;
        } else if *limit * contact.v < 0.0 {
            *limit = 0.0;
        }
        *limit != before
    }
}

/// Both laws, as elements and for the monolithic solution.
const LAWS: [(&str, &dyn BlockLaw); 2] =
    [("SimpackStickSlip", &Simpack), ("AdamsStickSlip", &Adams)];

/// Bounds of the errors of force and work for each step length. Measured with two contacts and
/// eight, serial and parallel: force 8e-4, 3e-2 and 0.16, work 2e-7, 1e-4 and 2.7e-2. The largest
/// of the force are those of SimpackStickSlip in parallel, whose force jumps.
const BOUNDS: [(f64, [f64; 2]); 3] = [
    (1e-4, [2e-3, 1e-5]),
    (1e-3, [5e-2, 5e-4]),
    (1e-2, [0.2, 5e-2]),
];

#[test]
fn contacts_with_stick_slip_laws_follow_the_monolithic_solution() {
    for (name, law) in LAWS {
        for (size, block) in [("two", Block::two()), ("eight", Block::eight())] {
            for coupling in [SERIAL, PARALLEL] {
                let fmu = element(name, block.normal.len(), sliding(block.mass), coupling);
                for (h, bounds) in BOUNDS {
                    let (errors, peak) = block.errors(law, &fmu, h, coupling == PARALLEL);
                    println!("{name}, {size} contacts, {coupling}, {h:e} s: {errors:?}, {peak}");
                    let is_close = errors[0] < bounds[0] && errors[1] < bounds[1];
                    assert!(is_close, "{name}, {size}, {coupling}, {h}: {errors:?}");
                    assert!(peak <= 2.0, "{name}, {size}, {coupling}, {h}: {peak} F_s");
                }
            }
        }
    }
}

#[test]
fn body_at_rest_stays_at_rest() {
    for (name, _) in LAWS {
        for coupling in [SERIAL, PARALLEL] {
            let fmu = element(name, 3, sliding(1.0), coupling);
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            for step in 0..200_i32 {
                let forces = advance(
                    &mut instance,
                    &[10.0, 0.0, 3.0],
                    &[0.0; 3],
                    1e-3 * f64::from(step),
                    1e-3,
                );
                assert_eq!(forces, [0.0; 3], "{name}, {coupling}");
            }
            assert_eq!(
                [1, 2, 3].map(|i| instance.get(&format!("E_loss[{i}]"))),
                [0.0; 3],
                "{name}, {coupling}"
            );
        }
    }
}

/// Next number of a fixed sequence in 0 … 1.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

#[test]
fn random_steps_and_normal_forces_keep_force_and_work_within_bounds() {
    for (name, _) in LAWS {
        for coupling in [SERIAL, PARALLEL] {
            let fmu = element(name, 2, sliding(1.0), coupling);
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            let (mut seed, mut t, mut v, mut held) = (7, 0.0, 0.0, vec![0.0; 2]);
            let (mut work, mut gross) = (0.0, 0.0);
            let mut peak = 0.0_f64;
            while t < 2.0 {
                let h = 1e-4 * libm::pow(50.0, random(&mut seed));
                let normal = [
                    6.0 + 3.0 * libm::sin(20.0 * t),
                    4.0 + 2.0 * libm::cos(31.0 * t),
                ];
                let new = advance(&mut instance, &normal, &[v; 2], t, h);
                let used = if coupling == PARALLEL {
                    std::mem::replace(&mut held, new)
                } else {
                    new
                };
                // Of the largest F_N of the last steps.
                peak = used
                    .iter()
                    .zip([9.0, 6.0])
                    .fold(peak, |peak, (force, most)| {
                        peak.max(force.abs() / (0.6 * most))
                    });
                let sum: f64 = used.iter().sum();
                let next = v + h * (9.0 * libm::sin(8.0 * (t + 0.5 * h)) - sum);
                let part = sum * 0.5 * (v + next) * h;
                (work, gross) = (work + part, gross + part.max(0.0));
                (v, t) = (next, t + h);
            }
            let of_law = instance.get("E_loss[1]") + instance.get("E_loss[2]");
            let error = [1, 2]
                .map(|i| instance.get(&format!("E_loss_error[{i}]")))
                .into_iter()
                .fold(0.0, f64::max);
            println!(
                "{name}, {coupling}: peak {peak}, work {work}, of the element {of_law}, {error}, \
                 gross {gross}"
            );
            assert!(peak <= 2.0, "{name}, {coupling}: {peak} F_s");
            assert!(
                (of_law / work - 1.0).abs() < 0.01 && error < 0.01,
                "{name}, {coupling}: {of_law} J for {work} J"
            );
            // Friction gives no energy but that of the bristle.
            assert!(
                work > 0.99 * gross,
                "{name}, {coupling}: {work} J of {gross} J"
            );
        }
    }
}
