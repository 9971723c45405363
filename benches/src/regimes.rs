//! The regimes of a contact by name, for benches and instruction counts.

use bristle_tests::reference::PAPER;
use bristle_tests::workloads::{HEAVY, MICRO_SINE, REST, SLIDING, SLIDING_SINE, WEIGHT, Workload};

/// What is measured, each with its communication steps as one writes them (s).
pub const REGIMES: [(&str, Workload, &[&str]); 8] = [
    ("rest", REST, &["1e-3", "1e-4"]),
    ("stick", STICK, &["1e-3", "1e-4"]),
    ("break_away", BREAK_AWAY, &["1e-3", "1e-4"]),
    ("sliding", SLIDING, &["1e-3", "1e-4"]),
    ("sliding_sine", SLIDING_SINE, &["1e-3", "1e-4", "1e-5"]),
    ("micro_sine", MICRO_SINE, &["1e-3", "1e-4", "1e-5"]),
    ("heavy", HEAVY, &["1e-3", "1e-4"]),
    ("heavy_rest", HEAVY_REST, &["1e-3"]),
];

/// The regime of this name.
pub fn find(name: &str) -> Option<Workload> {
    REGIMES.iter().find(|(known, ..)| *known == name).map(|(_, workload, _)| *workload)
}

/// A loaded contact that creeps to and fro within stick: ±0.5e-6 m at 5 Hz.
pub const STICK: Workload = Workload {
    name: "stick, v = 5e-6 m/s to and fro",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| if t % 0.2 < 0.1 { 5e-6 } else { -5e-6 },
};

/// A slow pull to and fro that breaks away every time: the bristle bears F_s at 1.2e-6 m.
pub const BREAK_AWAY: Workload = Workload {
    name: "break-away, v = 4e-5 m/s to and fro",
    parameters: PAPER,
    F_N: |_| WEIGHT,
    v: |t| if t % 0.2 < 0.1 { 4e-5 } else { -4e-5 },
};

/// Rest under 1 kN.
pub const HEAVY_REST: Workload = Workload { name: "rest, F_N = 1 kN", parameters: PAPER, F_N: |_| 1e3, v: |_| 0.0 };
