//! Rates at which the messages of the coupling speak, on random records: prescribed motions, and
//! blocks under random loads whose truth is the block inside the element.

use crate::coupling::COUPLED;
use bristle::assembly::{Assembly, system_variables};
use bristle::catalogue::{Card, CardBlock, Variant};
use bristle::coupling::{COUPLING, LongestSteps, M_EFF, longest_steps};
use bristle::element::{E_LOSS, F_R, V};
use bristle_random::Random;
use bristle_rigs::test_bench::G;
use bristle_tests::cards::model;
use std::f64::consts::TAU;

fn element(law: &str, block: Option<CardBlock>) -> (Variant, Assembly) {
    let variant = Variant::new(
        model(law),
        Card {
            block,
            ..Card::of_law(law, "")
        },
    )
    .expect("a card");
    let mut assembly = variant.instantiate();
    assembly.set(variant.find("F_N").expect("an input"), G);
    assembly.initialize().expect("a start");
    (variant, assembly)
}

/// Random motion of this kind: a velocity (m/s) over time.
fn motion(kind: usize, h: f64, steps: u32, random: &mut Random) -> Vec<f64> {
    let (size, span) = (random.magnitude(1e-7, 0.3), h * f64::from(steps));
    let (first, last) = (
        random.magnitude(0.5 / span, 0.4 / h),
        random.magnitude(0.5 / span, 0.4 / h),
    );
    let [phase, offset, share] = [TAU, size, 1.0].map(|most| random.between(0.0, most));
    let mut noise = Random::new(random.bits());
    let period = span / random.between(2.0, 20.0);
    let at = |t: f64| match kind {
        // Noise, a sine, both, a ramp that stops, a chirp, a ramp with a jump.
        0 => size * noise.between(-1.0, 1.0),
        1 => size * libm::sin(TAU * first * t + phase) + if share < 0.5 { offset } else { 0.0 },
        2 => size * (libm::sin(TAU * first * t) + 0.1 * noise.between(-1.0, 1.0)),
        3 => size * (t / span).min(share),
        4 => size * libm::sin(TAU * (first + 0.5 * (last - first) * t / span) * t),
        5 => size * (t / span + if t > share * span { 1.0 } else { 0.0 }),
        // Stick–slip: rest, and a pulse once in each period.
        _ => {
            let place = (t / period).fract() - share;
            if place > 0.0 {
                size * libm::sin(std::f64::consts::PI * place / (1.0 - share))
            } else {
                0.0
            }
        }
    };
    (0..steps).map(|i| h * f64::from(i)).map(at).collect()
}

#[test]
fn prescribed_motions_hardly_ever_show_a_body() {
    let (mut records, mut spoken, mut random) = ([0; 7], [0; 7], Random::new(11));
    for law in COUPLED {
        for kind in 0..7 {
            for h in [1e-4, 1e-3, 1e-2] {
                for _ in 0..10 {
                    let (_, mut assembly) = element(law, None);
                    let mut said = Vec::new();
                    for v in motion(kind, h, 500, &mut random) {
                        assembly.set(&V, v);
                        said.extend(assembly.coupling_message(h));
                        assembly.advance(h).expect("a step");
                    }
                    // The other message says that the coupling is not stated.
                    let is_spoken = said
                        .iter()
                        .any(|(_, text)| text.contains("the motion shows a body"));
                    (records[kind], spoken[kind]) =
                        (records[kind] + 1, spoken[kind] + i32::from(is_spoken));
                }
            }
        }
    }
    println!("{spoken:?} of {records:?}");
    let [all, shown] = [records, spoken].map(|counts| counts.iter().sum::<i32>());
    assert!(shown * 100 <= all && spoken[0] == 0, "{spoken:?}");
}

/// Load (N) on a block, over time.
fn load(kind: usize, random: &mut Random) -> impl Fn(f64) -> f64 + use<> {
    let share = 0.6 * G * random.between(0.1, 1.3);
    let [start, rise, rate] =
        [(0.0, 0.05), (0.01, 0.1), (1.0, 8.0)].map(|(low, high)| random.between(low, high));
    move |t| match kind {
        0 => {
            if t >= start {
                share
            } else {
                0.0
            }
        }
        1 => share * (t / rise).min(1.0),
        _ => share * libm::sin(TAU * rate * t),
    }
}

const END: f64 = 0.3;

/// Position of the block at the end, by the block inside the element in steps of 0.1 ms, m.
fn truth(law: &str, mass: f64, load: &dyn Fn(f64) -> f64) -> [f64; 2] {
    let (variant, mut assembly) = element(
        law,
        Some(CardBlock {
            mass,
            stiffness: 0.0,
            damping: 0.0,
        }),
    );
    let force = *variant.find("F").expect("an input");
    let h = 1e-4;
    for i in 0..(END / h).round() as u32 {
        assembly.set(&force, load(h * (f64::from(i) + 0.5)));
        assembly.advance(h).expect("a step");
    }
    [system_variables::reference::X, E_LOSS.reference].map(|reference| assembly.value(reference))
}

/// Position of a coupled block at the end (m), and the messages; the order is true of the master,
/// and may be stated otherwise.
fn coupled(
    law: &str,
    (mass, h, is_parallel): (f64, f64, bool),
    (coupling, given): (f64, f64),
    (load, has_rates): (&dyn Fn(f64) -> f64, bool),
) -> ([f64; 2], Vec<String>) {
    let (_, mut assembly) = element(law, None);
    assembly.set(&COUPLING, coupling);
    assembly.set(&M_EFF, given);
    assembly.apply_parameters().expect("parameters");
    let (mut x, mut work, [mut v, mut before], mut held, mut said) =
        (0.0, 0.0, [0.0; 2], 0.0, Vec::new());
    for i in 0..(END / h).round() as u32 {
        assembly.set(&V, v);
        if has_rates {
            assembly
                .set_input_derivative(&V, 1, (v - before) / h)
                .expect("an input");
        }
        before = v;
        said.extend(assembly.coupling_message(h).map(|(_, text)| text));
        assembly.advance(h).expect("a step");
        let new = assembly.value(F_R.reference);
        let used = if is_parallel {
            std::mem::replace(&mut held, new)
        } else {
            new
        };
        let next = v + h / mass * (load(h * (f64::from(i) + 0.5)) - used);
        x += 0.5 * h * (v + next);
        work += 0.5 * h * (v + next) * used;
        v = next;
    }
    ([x, work], said)
}

/// Grade of a run by displacement and work: 0 within 1 %, 1 within 5 %, and 2.
fn grade(found: [f64; 2], expected: [f64; 2]) -> usize {
    let error =
        |i: usize, floor: f64| (found[i] - expected[i]).abs() / expected[i].abs().max(floor);
    let error = error(0, 1e-4).max(error(1, 1e-4 * 0.6 * G));
    [0.01, 0.05].iter().filter(|limit| error > **limit).count()
}

#[test]
fn bad_runs_are_reported_and_few_good_ones() {
    let mut random = Random::new(12);
    // Good, limited and bad runs, and those of them that spoke: nothing stated, the order alone,
    // the right mass, twice the mass, and the wrong order.
    let mut counts = [[[0; 2]; 3]; 5];
    for law in COUPLED {
        for kind in (0..3).cycle().take(3 * 10) {
            let (mass, h, is_parallel) = (
                random.magnitude(0.01, 1.0),
                random.magnitude(2e-5, 1e-2),
                random.once_in(2),
            );
            let load = load(kind, &mut random);
            let expected = truth(law, mass, &load);
            let order = if is_parallel { 2.0 } else { 1.0 };
            let stated = [
                (4.0, 0.0),
                (order, 0.0),
                (order, mass),
                (order, 2.0 * mass),
                (3.0 - order, mass),
            ];
            for (counts, stated) in counts.iter_mut().zip(stated) {
                let (found, said) = coupled(law, (mass, h, is_parallel), stated, (&load, false));
                let grade = grade(found, expected);
                let [runs, spoke] = &mut counts[grade];
                (*runs, *spoke) = (*runs + 1, *spoke + i32::from(!said.is_empty()));
            }
        }
    }
    println!("{counts:?}");
    let [unstated, held, right, heavy, wrong] =
        counts.map(|grades| grades.map(|[runs, spoke]| f64::from(spoke) / f64::from(runs)));
    // The silent bad runs are those of light bodies that break away within a step: they look like a
    // prescribed motion.
    assert!(unstated[2] > 0.9 && held[2] > 0.9, "{unstated:?}, {held:?}");
    assert!(right[0] < 0.06 && right[2] > 0.2, "{right:?}");
    assert!(heavy[2] > 0.85 && wrong[2] > 0.9, "{heavy:?}, {wrong:?}");
}

#[test]
fn loads_that_pulsate_never_show_another_body_than_the_one_stated() {
    let mut random = Random::new(14);
    let (mut runs, mut accused) = (0, Vec::new());
    for law in COUPLED {
        for _ in 0..100 {
            let (mass, is_parallel) = (random.magnitude(0.01, 100.0), random.once_in(4));
            let h = random.magnitude(1e-4, 3e-3);
            // A period has six steps at least; below that a load looks like chatter.
            let rate = random.magnitude(5.0, 1.0 / (6.0 * h));
            let [size, swing] =
                [(0.06, 0.8), (0.1, 0.9)].map(|(low, high)| random.between(low, high));
            let load = |t: f64| size * G * (1.0 - swing + swing * libm::sin(TAU * rate * t));
            let stated = (if is_parallel { 2.0 } else { 1.0 }, mass);
            let (_, said) = coupled(law, (mass, h, is_parallel), stated, (&load, false));
            let is_accused = |text: &&String| text.contains("does not move as stated");
            runs += 1;
            if let Some(text) = said.iter().find(is_accused) {
                accused.push(format!("{law}, {mass} kg, {h} s, {is_parallel}: {text}"));
            }
        }
    }
    println!("{} of {runs}", accused.len());
    assert!(accused.is_empty(), "{accused:#?}");
}

#[test]
fn derivatives_of_v_make_held_values_worse_in_series_where_they_are_ignored() {
    let mut random = Random::new(13);
    for is_parallel in [false, true] {
        // Runs that the derivatives make worse, and better.
        let [mut worse, mut better] = [0; 2];
        for law in COUPLED {
            for kind in (0..3).cycle().take(3 * 6) {
                let mass = random.magnitude(0.1, 10.0);
                let (_, assembly) = element(law, None);
                let LongestSteps { parallel, serial } =
                    longest_steps(assembly.contacts()[0].response_at_rest(), mass);
                // In parallel Dahl has no stable step.
                let limit = if is_parallel && parallel > 0.0 {
                    parallel
                } else {
                    serial
                };
                let (h, load) = (limit * random.magnitude(0.1, 10.0), load(kind, &mut random));
                let expected = truth(law, mass, &load);
                let run = |stated: f64, has_rates: bool| {
                    coupled(
                        law,
                        (mass, h, is_parallel),
                        (stated, 0.0),
                        (&load, has_rates),
                    )
                    .0
                };
                let [held, moving] =
                    [false, true].map(|has_rates| grade(run(3.0, has_rates), expected));
                worse += i32::from(moving > held);
                better += i32::from(moving < held);
                assert_eq!(run(1.0, true), run(3.0, false), "{law}");
            }
        }
        println!("parallel {is_parallel}: {worse} of 108 worse, {better} better");
        assert!(
            if is_parallel {
                worse < 2 * better + 8
            } else {
                worse > 10 * better
            },
            "{worse}, {better}"
        );
    }
}
