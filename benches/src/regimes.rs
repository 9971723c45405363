//! The regimes of a contact by name, for benches and instruction counts.

use bristle_reference_laws::frdyn2::PAPER;
use bristle_reference_laws::workloads::{HEAVY, MICRO_SINE, PRESSED, REST, SLIDING, SLIDING_SINE, WEIGHT, Workload};

/// A regime of a contact.
pub struct Regime {
    /// Name.
    pub name: &'static str,
    /// Motion of the contact.
    pub workload: Workload,
    /// The order of the input derivatives that the master gives; held inputs where it is 0.
    pub order: usize,
    /// Communication steps as one writes them, s.
    pub steps: &'static [&'static str],
}

/// Regimes that are measured.
pub static REGIMES: [Regime; 11] = [
    held("rest", REST, &["1e-3", "1e-4"]),
    held("stick", STICK, &["1e-3", "1e-4"]),
    held("break_away", BREAK_AWAY, &["1e-3", "1e-4"]),
    held("sliding", SLIDING, &["1e-3", "1e-4"]),
    held("sliding_sine", SLIDING_SINE, &["1e-3", "1e-4", "1e-5"]),
    held("micro_sine", MICRO_SINE, &["1e-3", "1e-4", "1e-5"]),
    held("heavy", HEAVY, &["1e-3", "1e-4"]),
    held("heavy_rest", HEAVY_REST, &["1e-3"]),
    Regime { order: 1, ..held("sliding_ramps", SLIDING_SINE, &["1e-3", "1e-4"]) },
    Regime { order: 1, ..held("micro_ramps", MICRO_SINE, &["1e-3", "1e-4"]) },
    Regime { order: 2, ..held("pressed_parabolas", PRESSED, &["1e-3", "1e-4"]) },
];

const fn held(name: &'static str, workload: Workload, steps: &'static [&'static str]) -> Regime {
    Regime { name, workload, order: 0, steps }
}

/// The regime of this name.
pub fn find(name: &str) -> Option<&'static Regime> {
    REGIMES.iter().find(|regime| regime.name == name)
}

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

/// Rest under 1 kN.
pub const HEAVY_REST: Workload = Workload { name: "rest, F_N = 1 kN", parameters: PAPER, F_N: |_| 1e3, v: |_| 0.0 };
