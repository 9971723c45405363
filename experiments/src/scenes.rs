//! The rigs on which all elements are compared: each with one load, one kind of friction and one length of time.

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
    /// Name on the command line and in tables.
    pub name: &'static str,
    /// Description of the motion.
    pub what: &'static str,
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
    /// Reason why an element has no monolithic solution here.
    pub fn unsolved(&self, element: &Model) -> Option<&'static str> {
        if element.variable(A.reference).is_some() {
            return Some("with the acceleration as an input, the monolithic equations are implicit");
        }
        match (self.name, element.metadata.name) {
            (_, "Stribeck" | "PoppStelter") => {
                Some("a force that jumps at v = 0 chatters where it should stick, which has no monolithic solution")
            }
            ("festoon", "LuGre" | "Dahl") => Some(
                "on the festoon, at 1 m/s, the bristle relaxes at 3e6 1/s, too fast for the explicit method of the \
                 reference",
            ),
            _ => None,
        }
    }
}

/// Complete list.
pub fn all() -> Vec<Scene> {
    let bench = Friction::BENCH.mu_s * MASS * G;
    let spring = Friction::SPRING.mu_s * G;
    vec![
        Scene {
            name: "stick",
            what: "test bench, a step to 0.95 F_s within 0.01 s",
            rig: Box::new(TestBench::step(0.95 * bench, 0.01)),
            friction: Friction::BENCH,
            static_friction: bench,
            end: 0.5,
        },
        Scene {
            name: "break-away",
            what: "test bench, a force that reaches 1.05 F_s within 1 s",
            rig: Box::new(TestBench::step(1.05 * bench, 1.0)),
            friction: Friction::BENCH,
            static_friction: bench,
            end: 1.2,
        },
        Scene {
            name: "pulses",
            what: "test bench, five pulses of 0.8 F_s",
            rig: Box::new(TestBench { load: Load::Pulses(Pulses::five(0.8 * bench)) }),
            friction: Friction::BENCH,
            static_friction: bench,
            end: 1.2,
        },
        Scene {
            name: "festoon",
            what: "festoon cable system, two contacts",
            rig: Box::new(Festoon::default()),
            friction: Friction::TROLLEY,
            static_friction: 1.7,
            end: 7.0,
        },
        Scene {
            name: "block",
            what: "block on a spring, stick and slip",
            rig: Box::new(BlockOnSpring::default()),
            friction: Friction::SPRING,
            static_friction: spring,
            end: 5.0,
        },
        Scene {
            name: "roller",
            what: "roller on a spring, rolling",
            rig: Box::new(RollerOnSpring::default()),
            friction: Friction::SPRING,
            static_friction: spring,
            end: 5.0,
        },
        Scene {
            name: "oscillator",
            what: "dry friction oscillator, harmonic base",
            rig: Box::new(Oscillator { base: Base::Harmonic(5.0) }),
            friction: Friction::OSCILLATOR,
            static_friction: Friction::OSCILLATOR.mu_s * PRESSURE,
            end: 2.0,
        },
        Scene {
            name: "force",
            what: "block under a sine of 1.5 F_s",
            rig: Box::new(BlockUnderForce::new(1.5 * spring)),
            friction: Friction::SPRING,
            static_friction: spring,
            end: 2.0,
        },
    ]
}
