//! A block at rest that is pushed all at once: it rests or slides as in truth, however long the step.

use crate::assembly::Assembly;
use crate::catalogue::find;
use crate::coupling::{COUPLING, M_EFF};
use crate::element::{F_N, F_R, V};

/// Mass of the block, kg.
const MASS: f64 = 1.0;
/// Its weight, N.
const WEIGHT: f64 = 9.81;
/// Shortest duration of a run, s, and its steps: the force makes up for what it missed as an oscillation of 20 to 28 steps.
const END: (f64, f64) = (0.5, 100.0);
/// Velocity at the end from which a block slides, m/s. In a parallel coupling a push moves it for a step before any force can answer.
const SLIDES: f64 = 1e-2;

/// Displacement (m) and velocity (m/s) of the block at the end, with a push of this share of F_s that begins at `start` (s), in steps of `h` (s).
fn pushed(law: &str, is_parallel: bool, share: f64, start: f64, h: f64) -> [f64; 2] {
    let model = find(law).expect("a law");
    let mut element = Assembly::of_one(model.instantiate());
    for (variable, value) in [(&M_EFF, MASS), (&COUPLING, if is_parallel { 2.0 } else { 1.0 }), (&F_N, WEIGHT)] {
        element.set(variable, value);
    }
    element.apply_parameters().expect("parameters");
    element.initialize().expect("a start");
    let push = share * element.contacts()[0].static_force();
    let (mut x, mut v, mut held) = (0.0, 0.0, 0.0);
    for i in 0..((END.0 / h).max(END.1)) as u32 {
        let t = h * f64::from(i);
        element.set(&F_N, WEIGHT);
        element.set(&V, v);
        element.advance(h).expect("a step");
        let new = element.value(F_R.reference);
        let used = if is_parallel { core::mem::replace(&mut held, new) } else { new };
        // Mean of the push over the step.
        let pushed = ((t + h - start) / h).clamp(0.0, 1.0) * push;
        let next = v + h / MASS * (pushed - used);
        x += 0.5 * h * (v + next);
        v = next;
    }
    [x, v]
}

#[test]
fn pushed_block_rests_or_slides_as_in_truth() {
    let (mut runs, mut wrong) = (0, Vec::new());
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre"] {
        for share in [0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.05] {
            // LuGre overshoots F_s under a load of 0.95 F_s that is there at once, and under none that rises over a step.
            if law == "LuGre" && (0.91..1.0).contains(&share) {
                continue;
            }
            let [_, truth] = pushed(law, false, share, 0.01, 2e-5);
            let slides = truth.abs() > SLIDES;
            for is_parallel in [false, true] {
                for h in [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2] {
                    // At a communication point, and within a step.
                    for start in [0.0, 2.0 * h, 2.3 * h, 2.5 * h, 2.8 * h] {
                        runs += 1;
                        let [_, v] = pushed(law, is_parallel, share, start, h);
                        if (v.abs() > SLIDES) != slides {
                            wrong.push(format!("{law}, {share} F_s, parallel {is_parallel}, {h} s, from {start} s: {v:.2e} m/s, not {truth:.2e} m/s"));
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {runs} runs:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn pushed_block_rests_where_it_does_in_truth() {
    // By the law and the block as one system at a tight tolerance: 2.596e-6 m.
    for h in [1e-4, 1e-3, 5e-3] {
        for start in [0.0, 2.0 * h] {
            let [x, _] = pushed("FrDyn2", false, 5.59 / (0.6 * WEIGHT), start, h);
            assert!((x / 2.596e-6 - 1.0).abs() < 0.01, "{h} s: {x:e} m");
        }
    }
}

#[test]
fn mass_that_changes_in_stick_moves_no_body() {
    for coupling in [1.0, 2.0] {
        let mut element = Assembly::of_one(find("FrDyn2").expect("a law").instantiate());
        for (variable, value) in [(&M_EFF, MASS), (&COUPLING, coupling), (&F_N, WEIGHT)] {
            element.set(variable, value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        let (mut x, mut v, mut held, mut rest, h) = (0.0_f64, 0.0, 0.0, 0.0, 1e-3);
        for i in 0..2000 {
            if i == 1500 {
                rest = x;
            }
            if i >= 1500 {
                element.set(&M_EFF, MASS * if (i / 50) % 2 == 0 { 1.2 } else { 0.8 });
                element.apply_parameters().expect("a mass");
            }
            element.set(&F_N, WEIGHT);
            element.set(&V, v);
            element.advance(h).expect("a step");
            let new = element.value(F_R.reference);
            let used = if coupling == 2.0 { core::mem::replace(&mut held, new) } else { new };
            let next = v + h / MASS * (0.3 * WEIGHT * (h * f64::from(i)).min(1.0) - used);
            x += 0.5 * h * (v + next);
            v = next;
        }
        // F_s/σ_0 is 1.2e-6 m.
        assert!((x - rest).abs() < 1e-12, "{coupling}: {:e} m", x - rest);
    }
}

#[test]
fn push_as_the_steps_shrink_does_not_swing() {
    for coupling in [1.0, 2.0] {
        let mut element = Assembly::of_one(find("FrDyn2").expect("a law").instantiate());
        for (variable, value) in [(&M_EFF, MASS), (&COUPLING, coupling), (&F_N, WEIGHT)] {
            element.set(variable, value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        let (mut v, mut held) = (0.0, 0.0);
        for i in 0..2020 {
            let (h, load) = if i < 20 { (1e-3, 0.0) } else { (1e-5, 0.8 * 0.6 * WEIGHT) };
            element.set(&F_N, WEIGHT);
            element.set(&V, v);
            element.advance(h).expect("a step");
            let new = element.value(F_R.reference);
            let used = if coupling == 2.0 { core::mem::replace(&mut held, new) } else { new };
            v += h / MASS * (load - used);
            assert!((-0.1..1.1).contains(&(new / (0.6 * WEIGHT))), "{coupling}, step {i}: {new} N");
        }
        assert!(v.abs() < 1e-9, "{coupling}: {v:e} m/s");
    }
}
