//! Workloads of FrDyn2 in tests and benches: a contact as a function of time, and parameters.
//!
//! Workloads (i), (ii) and (iv) are those that the integrators were compared with when one was
//! chosen.

use crate::frdyn2::{PAPER, Parameters};
use crate::trajectory::Contact;
use core::f64::consts::TAU;

/// A prescribed motion of a contact.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)] // the paper's symbols
pub struct Workload {
    /// Name in reports.
    pub name: &'static str,
    /// The element's parameters.
    pub parameters: Parameters,
    /// Normal force at a time, N.
    pub F_N: fn(f64) -> f64,
    /// Contact velocity at a time, m/s.
    pub v: fn(f64) -> f64,
}

impl Workload {
    /// The contact at `t`, which a master holds over the step that begins there.
    pub fn contact(&self, t: f64) -> Contact {
        Contact::new((self.F_N)(t), (self.v)(t))
    }
}

/// Workloads that are compared with the reference.
pub const PRESCRIBED: [Workload; 7] = [
    SLIDING_SINE,
    MICRO_SINE,
    HEAVY,
    NARROW,
    PRESSED,
    LIFTED,
    JUMPS,
];

/// The beginnings of the communication steps of length `h` that fill `duration`, counted rather
/// than added up.
pub fn steps(duration: f64, h: f64) -> impl Iterator<Item = f64> {
    let count = (duration / h).round() as u32;
    (0..count).map(move |i| f64::from(i) * h)
}

/// The weight of the paper's body, N.
pub const WEIGHT: f64 = 9.81;

const SLOW: fn(f64) -> f64 = |t| 0.02 * libm::sin(TAU * 5.0 * t);

/// Through slip, the Stribeck range and stick, five times a second.
pub const SLIDING_SINE: Workload = Workload {
    name: "(i) v = 0.02 sin(2 pi 5 t)",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: SLOW,
};

/// Within the regularisation range, fifty times a second: break-away and back.
pub const MICRO_SINE: Workload = Workload {
    name: "(ii) v = 0.0005 sin(2 pi 50 t)",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| 0.5e-3 * libm::sin(TAU * 50.0 * t),
};

/// (i) under 1 kN, where the bristle is a hundred times stiffer and unstable on the falling branch.
pub const HEAVY: Workload = Workload {
    name: "(iv) as (i), F_N = 1 kN",
    parameters: PAPER,
    F_N: |_| 1e3,
    v: SLOW,
};

/// (i) with a regularisation a hundred times narrower.
pub const NARROW: Workload = Workload {
    name: "as (i), v_s = 1e-5 m/s",
    parameters: Parameters { v_s: 1e-5, ..PAPER },
    F_N: |_| WEIGHT,
    v: SLOW,
};

/// (i) under a normal force that never rests.
pub const PRESSED: Workload = Workload {
    name: "as (i), F_N = 9.81 (1 + 0.5 sin(2 pi 20 t)) N",
    parameters: PAPER,
    F_N: |t| WEIGHT * (1.0 + 0.5 * libm::sin(TAU * 20.0 * t)),
    v: SLOW,
};

/// A normal force that falls through 0, stays away for a while and comes back.
pub const LIFTED: Workload = Workload {
    name: "as (i), F_N through 0 and back",
    parameters: PAPER,
    F_N: |t| WEIGHT * (0.6 + libm::cos(TAU * 3.0 * t)),
    v: SLOW,
};

/// Velocities that jump: from stick to full sliding, across zero, and back to rest.
pub const JUMPS: Workload = Workload {
    name: "jumps in v",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| [0.0, 0.05, -0.05, 1e-4, 0.0, -3e-3, 1.0, 0.0][(t / 0.0125) as usize % 8],
};

/// Full sliding at constant speed.
pub const SLIDING: Workload = Workload {
    name: "sliding at 0.1 m/s",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |_| 0.1,
};

/// Rest.
pub const REST: Workload = Workload {
    name: "stick at rest",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |_| 0.0,
};

/// A loaded contact that creeps to and fro within stick: ±0.5e-6 m at 5 Hz.
pub const STICK: Workload = Workload {
    name: "stick, v = 5e-6 m/s to and fro",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| if t % 0.2 < 0.1 { 5e-6 } else { -5e-6 },
};

/// A slow pull to and fro that breaks away every time: the bristle carries F_s at 1.2e-6 m.
pub const BREAK_AWAY: Workload = Workload {
    name: "break-away, v = 4e-5 m/s to and fro",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| if t % 0.2 < 0.1 { 4e-5 } else { -4e-5 },
};

/// Contact with all inputs, through slip, the Stribeck range and stick, under a load that changes.
pub fn sliding(t: f64) -> Contact {
    let omega = TAU * 5.0;
    let [v, a] = [
        libm::sin(omega * t + 0.1),
        omega * libm::cos(omega * t + 0.1),
    ]
    .map(|x| 0.02 * x);
    let push = 7.0 * libm::sin(TAU * 13.0 * t + 0.3);
    Contact {
        F_N: WEIGHT * (1.0 + 0.3 * libm::sin(TAU * 7.0 * t)),
        v,
        a,
        F_t: push,
    }
}
