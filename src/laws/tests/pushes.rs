//! A block at rest that is pushed all at once: it rests or slides as in truth, however long the
//! step.

use crate::assembly::Assembly;
use crate::catalogue::find;
use crate::coupling::{COUPLING, Coupling, M_EFF};
use crate::element::{F_N, F_R, V};

/// Mass of the block, kg.
const MASS: f64 = 1.0;
/// Its weight, N.
const WEIGHT: f64 = 9.81;
/// Shortest duration of a run, s, and its steps: the force makes up for what it missed as an
/// oscillation of 20 to 28 steps.
const END: (f64, f64) = (0.5, 100.0);
/// Velocity at the end from which a block slides, m/s. In a parallel coupling a push moves it for a
/// step before any force can answer.
const SLIDES: f64 = 1e-2;

/// A block on an element that has its mass, moved by a master that holds all values.
struct Block {
    element: Assembly,
    coupling: Coupling,
    /// Last force of the element, N.
    held: f64,
    /// Displacement, m.
    x: f64,
    /// Velocity, m/s.
    v: f64,
}

impl Block {
    fn new(law: &str, coupling: Coupling) -> Self {
        let mut element = Assembly::of_one(find(law).expect("a law").instantiate());
        let order = if coupling == Coupling::Parallel {
            2.0
        } else {
            1.0
        };
        for (variable, value) in [(&M_EFF, MASS), (&COUPLING, order), (&F_N, WEIGHT)] {
            element.set(variable, value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        Block {
            element,
            coupling,
            held: 0.0,
            x: 0.0,
            v: 0.0,
        }
    }

    /// A step of `h` (s) under a load (N); returns the new force, N.
    fn step(&mut self, h: f64, load: f64) -> f64 {
        self.element.set(&F_N, WEIGHT);
        self.element.set(&V, self.v);
        self.element.advance(h).expect("a step");
        let new = self.element.value(F_R.reference);
        let used = if self.coupling == Coupling::Parallel {
            core::mem::replace(&mut self.held, new)
        } else {
            new
        };
        let next = self.v + h / MASS * (load - used);
        self.x += 0.5 * h * (self.v + next);
        self.v = next;
        new
    }
}

/// Block at the end, with a push of this share of F_s that begins at `start` (s), in steps of `h`
/// (s).
fn pushed(law: &str, coupling: Coupling, share: f64, start: f64, h: f64) -> Block {
    let mut block = Block::new(law, coupling);
    let push = share * block.element.contacts()[0].static_force();
    for i in 0..((END.0 / h).max(END.1)) as u32 {
        // Mean of the push over the step.
        block.step(
            h,
            ((h * f64::from(i) + h - start) / h).clamp(0.0, 1.0) * push,
        );
    }
    block
}

#[test]
fn pushed_block_rests_or_slides_as_in_truth() {
    let (mut runs, mut wrong) = (0, Vec::new());
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre"] {
        for share in [0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 1.05] {
            // LuGre overshoots F_s under a load of 0.95 F_s that is there at once, and under none
            // that rises over a step.
            if law == "LuGre" && (0.91..1.0).contains(&share) {
                continue;
            }
            let truth = pushed(law, Coupling::Serial, share, 0.01, 2e-5).v;
            let slides = truth.abs() > SLIDES;
            for coupling in [Coupling::Serial, Coupling::Parallel] {
                for h in [1e-3, 2e-3, 5e-3, 1e-2, 2e-2, 5e-2] {
                    // At a communication point, and within a step.
                    for start in [0.0, 2.0 * h, 2.3 * h, 2.5 * h, 2.8 * h] {
                        runs += 1;
                        let v = pushed(law, coupling, share, start, h).v;
                        if (v.abs() > SLIDES) != slides {
                            wrong.push(format!(
                                "{law}, {share} F_s, {coupling:?}, {h} s, from \
                                                {start} s: {v:.2e} m/s, not {truth:.2e} m/s"
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {runs} runs:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn pushed_block_rests_where_it_does_in_truth() {
    // By the law and the block as one system at a tight tolerance: 2.596e-6 m.
    for h in [1e-4, 1e-3, 5e-3] {
        for start in [0.0, 2.0 * h] {
            let x = pushed("FrDyn2", Coupling::Serial, 5.59 / (0.6 * WEIGHT), start, h).x;
            assert!((x / 2.596e-6 - 1.0).abs() < 0.01, "{h} s: {x:e} m");
        }
    }
}

#[test]
fn mass_that_changes_in_stick_moves_no_body() {
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        let (mut block, mut rest, h) = (Block::new("FrDyn2", coupling), 0.0, 1e-3);
        for i in 0..2000 {
            if i == 1500 {
                rest = block.x;
            }
            if i >= 1500 {
                block
                    .element
                    .set(&M_EFF, MASS * if (i / 50) % 2 == 0 { 1.2 } else { 0.8 });
                block.element.apply_parameters().expect("a mass");
            }
            block.step(h, 0.3 * WEIGHT * (h * f64::from(i)).min(1.0));
        }
        // F_s/σ_0 is 1.2e-6 m.
        assert!(
            (block.x - rest).abs() < 1e-12,
            "{coupling:?}: {:e} m",
            block.x - rest
        );
    }
}

#[test]
fn push_as_the_steps_shrink_does_not_swing() {
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        let mut block = Block::new("FrDyn2", coupling);
        for i in 0..2020 {
            let (h, load) = if i < 20 {
                (1e-3, 0.0)
            } else {
                (1e-5, 0.8 * 0.6 * WEIGHT)
            };
            let force = block.step(h, load);
            assert!(
                (-0.1..1.1).contains(&(force / (0.6 * WEIGHT))),
                "{coupling:?}, step {i}: {force} N"
            );
        }
        assert!(block.v.abs() < 1e-9, "{coupling:?}: {:e} m/s", block.v);
    }
}
