//! Scenarios of the coupling: one body in contact, of any mass.

use bristle::law::Contact;
use bristle_rigs::Rig;
use bristle_rigs::block_on_spring::BlockOnSpring;
use bristle_rigs::test_bench::{G, StepLoad};
use core::f64::consts::TAU;

/// The static coefficient of friction in all scenarios: FrDyn2's default.
pub const MU_S: f64 = 0.6;

/// A scenario.
pub struct Scenario {
    /// Name in tables.
    pub name: &'static str,
    /// Description of the motion.
    pub what: &'static str,
    /// The rig with a body of this mass, kg.
    pub rig: fn(f64) -> Box<dyn Rig>,
    /// End of the run, s.
    pub end: f64,
    /// Quantity that its table shows beside the errors of force and displacement.
    pub told: Told,
}

/// Further quantity of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing.
    Nothing,
    /// The error of the energy.
    Energy,
    /// The number of slips.
    Slips,
}

/// Scenarios of the tables.
pub const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "long-term stick",
        what: "the load rises to 0.95 F_s within 1 s and stays",
        rig: |mass| Pushed::rise(mass, 0.95, 1.0),
        end: 3.0,
        told: Told::Nothing,
    },
    Scenario {
        name: "break-away",
        what: "the load rises to 1.05 F_s within 10 s and passes F_s at 8.68 s",
        rig: |mass| Pushed::rise(mass, 1.05, 10.0),
        end: 9.0,
        told: Told::Nothing,
    },
    Scenario {
        name: "step, 1e-2 s",
        what: "the load rises to 0.95 F_s within 1e-2 s",
        rig: |mass| Pushed::rise(mass, 0.95, 1e-2),
        end: 0.5,
        told: Told::Nothing,
    },
    Scenario {
        name: "step, 1e-3 s",
        what: "the load rises to 0.95 F_s within 1e-3 s",
        rig: |mass| Pushed::rise(mass, 0.95, 1e-3),
        end: 0.5,
        told: Told::Nothing,
    },
    Scenario {
        name: "reversals",
        what: "a load of 1.5 F_s sin(2\u{3c0} 2 Hz t)",
        rig: |mass| Pushed::sine(mass, Normal::Weight),
        end: 2.0,
        told: Told::Energy,
    },
    Scenario {
        name: "stick\u{2013}slip",
        what: "a spring of 1e3 N/m per kg whose end moves at 10 mm/s",
        rig: |mass| Box::new(BlockOnSpring { mass, stiffness: 1e3 * mass, speed: 1e-2 }),
        end: 3.2,
        told: Told::Slips,
    },
];

/// Scenario of the figure.
pub const SHOWN: Scenario = Scenario {
    name: "stick",
    what: "the load rises to 0.95 F_s within 0.1 s and stays",
    rig: |mass| Pushed::rise(mass, 0.95, 0.1),
    end: 0.2,
    told: Told::Nothing,
};

/// Load under a moving normal force.
pub const MOVING: [Scenario; 2] = [
    Scenario {
        name: "F_N varies",
        what: "the load of the reversals, F_N = m g (1 + 0.9 sin(2\u{3c0} 7 Hz t))",
        rig: |mass| Pushed::sine(mass, Normal::Swinging(0.9)),
        end: 2.0,
        told: Told::Nothing,
    },
    Scenario {
        name: "F_N vanishes",
        what: "the load of the reversals, F_N = m g (1 + 1.5 sin(2\u{3c0} 7 Hz t)): the contact opens and closes",
        rig: |mass| Pushed::sine(mass, Normal::Swinging(1.5)),
        end: 2.0,
        told: Told::Nothing,
    },
];

/// A body on a plate under a load that does not depend on it. Its states are displacement u and velocity v.
struct Pushed {
    mass: f64,
    load: Load,
    normal: Normal,
}

enum Load {
    Rise(StepLoad),
    /// Amplitude, N.
    Sine(f64),
}

/// The normal force.
#[derive(Clone, Copy)]
enum Normal {
    Weight,
    /// The weight, with a part that oscillates at 7 Hz.
    Swinging(f64),
}

impl Pushed {
    fn rise(mass: f64, share: f64, duration: f64) -> Box<dyn Rig> {
        let load = Load::Rise(StepLoad { force: share * MU_S * mass * G, duration });
        Box::new(Pushed { mass, load, normal: Normal::Weight })
    }

    fn sine(mass: f64, normal: Normal) -> Box<dyn Rig> {
        Box::new(Pushed { mass, load: Load::Sine(1.5 * MU_S * mass * G), normal })
    }

    fn load(&self, t: f64) -> f64 {
        match self.load {
            Load::Rise(rise) => rise.at(t),
            Load::Sine(amplitude) => amplitude * libm::sin(TAU * 2.0 * t),
        }
    }
}

impl Rig for Pushed {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("u", "m"), ("v", "m/s")]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1e-6, 1e-3]
    }

    fn contact(&self, t: f64, y: &[f64], _: usize) -> Contact {
        let swing = match self.normal {
            Normal::Weight => 0.0,
            Normal::Swinging(share) => share * libm::sin(TAU * 7.0 * t),
        };
        Contact { F_t: self.load(t), ..Contact::new(self.mass * G * (1.0 + swing), y[1]) }
    }

    fn mass(&self, _: usize) -> f64 {
        self.mass
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        rate[0] = y[1];
        rate[1] = (self.load(t) - friction[0]) / self.mass;
    }

    fn kinks(&self) -> Vec<f64> {
        match self.load {
            Load::Rise(rise) => vec![rise.duration],
            Load::Sine(_) => Vec::new(),
        }
    }

    fn longest_step(&self) -> f64 {
        1e-4
    }
}
