//! The rigs on which all elements are compared: each with one load, one kind of friction and one
//! length of time.

use crate::elements::Friction;
use bristle::catalogue::Model;
use bristle::law::A;
use bristle_rigs::Rig;
use bristle_rigs::block_on_spring::BlockOnSpring;
use bristle_rigs::block_under_force::BlockUnderForce;
use bristle_rigs::festoon::Festoon;
use bristle_rigs::oscillator::{Base, Oscillator, PRESSURE};
use bristle_rigs::roller_on_spring::RollerOnSpring;
use bristle_rigs::test_bench::{G, Load, MASS, Pulses, TestBench};

/// A rig with all that a comparison on it needs.
pub struct Scene {
    /// Name in tables.
    pub name: &'static str,
    /// The rig.
    pub rig: Box<dyn Rig>,
    /// The friction of its contacts.
    pub friction: Friction,
    /// A typical static friction force, over which errors are given, N.
    pub static_friction: f64,
    /// End of the run, s.
    pub end: f64,
}

impl Scene {
    /// Whether an element has a monolithic solution here. The equations are implicit in the
    /// acceleration; a force that jumps at v = 0 chatters; on the festoon, at 1 m/s, a bristle
    /// without a bound relaxes at 3e6 1/s, too fast for the explicit method.
    pub fn is_solved(&self, element: &Model) -> bool {
        let is_unsolved = match element.metadata.name {
            "Stribeck" | "PoppStelter" => true,
            "LuGre" | "Dahl" => self.name == "festoon",
            _ => element.variable(A.reference).is_some(),
        };
        !is_unsolved
    }
}

/// Complete list: a step to 0.95 F_s within 0.01 s, a force that reaches 1.05 F_s within 1 s and
/// five pulses of 0.8 F_s on the test bench, the festoon with two contacts, stick and slip of a
/// block on a spring, a rolling roller on a spring, an oscillator on a harmonic base, and a block
/// under a sine of 1.5 F_s.
pub fn all() -> Vec<Scene> {
    let bench = Friction::BENCH.mu_s * MASS * G;
    let spring = Friction::SPRING.mu_s * G;
    let oscillator = Friction::OSCILLATOR.mu_s * PRESSURE;
    let pulses = TestBench {
        load: Load::Pulses(Pulses::five(0.8 * bench)),
    };
    let all: [(_, Box<dyn Rig>, _, _, _); 8] = [
        (
            "stick",
            Box::new(TestBench::step(0.95 * bench, 0.01)),
            Friction::BENCH,
            bench,
            0.5,
        ),
        (
            "break-away",
            Box::new(TestBench::step(1.05 * bench, 1.0)),
            Friction::BENCH,
            bench,
            1.2,
        ),
        ("pulses", Box::new(pulses), Friction::BENCH, bench, 1.2),
        (
            "festoon",
            Box::new(Festoon::default()),
            Friction::TROLLEY,
            1.7,
            7.0,
        ),
        (
            "block",
            Box::new(BlockOnSpring::default()),
            Friction::SPRING,
            spring,
            5.0,
        ),
        (
            "roller",
            Box::new(RollerOnSpring::default()),
            Friction::SPRING,
            spring,
            5.0,
        ),
        (
            "oscillator",
            Box::new(Oscillator {
                base: Base::Harmonic(5.0),
            }),
            Friction::OSCILLATOR,
            oscillator,
            2.0,
        ),
        (
            "force",
            Box::new(BlockUnderForce::new(1.5 * spring)),
            Friction::SPRING,
            spring,
            2.0,
        ),
    ];
    let scene = |(name, rig, friction, static_friction, end)| Scene {
        name,
        rig,
        friction,
        static_friction,
        end,
    };
    all.into_iter().map(scene).collect()
}
