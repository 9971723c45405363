//! Kargaonkar and Singh 2024: characteristics, and a block and a roller on a spring.

use crate::case::Case;
use crate::coupled;
use crate::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_rigs::Rig;
use bristle_rigs::block_on_spring::BlockOnSpring;
use bristle_rigs::roller_on_spring::RollerOnSpring;
use bristle_rigs::test_bench::G;
use core::f64::consts::TAU;

/// Table 3 has mu_s = mu_k, which leaves no Stribeck effect; with this mu_s there is one.
const WITH_STRIBECK: f64 = 0.15;

/// Columns of a characteristic.
const CHARACTERISTIC: &[&str] = &["t [s]", "v [m/s]", "x [m]", "F_R [N]"];

/// A period of a sine of the velocity, after a quarter of one, at the weight of 1 kg.
fn swung(case: &Case, amplitude: f64, frequency: f64) -> Vec<Vec<f64>> {
    let velocity = |t: f64| amplitude * libm::sin(TAU * frequency * t);
    let moved = coupled::move_contact(case, G, &velocity, 1e-4 / frequency, 1.25 / frequency);
    moved
        .iter()
        .map(|now| vec![now.t, now.v, now.x, now.F_R])
        .collect()
}

/// Runs of an element with these labels and parameters, at an amplitude (m/s) and a frequency (Hz)
/// of the velocity.
fn characteristic(
    name: &str,
    cases: &[(&str, Parameters)],
    amplitude: f64,
    frequency: f64,
) -> Table {
    let mut table = Table::new(CHARACTERISTIC);
    for (label, parameters) in cases {
        table.add(
            *label,
            swung(&Case::of_paper(name).with(parameters), amplitude, frequency),
        );
    }
    table
}

/// Fig. 1.
pub fn coulomb() -> Table {
    characteristic("Coulomb", &[("Coulomb", &[("v_small", 0.0)])], 1.0, 0.1)
}

/// Fig. 2.
pub fn stribeck() -> Table {
    characteristic(
        "Stribeck",
        &[("Stribeck", &[("mu_s", WITH_STRIBECK)])],
        2.0,
        0.1,
    )
}

/// Fig. 3.
pub fn brown_mcphee() -> Table {
    characteristic(
        "BrownMcPhee",
        &[("BrownMcPhee", &[("mu_s", WITH_STRIBECK)])],
        2.0,
        0.1,
    )
}

/// Fig. 4: the stiffness of Table 3, a fourth of it and four times it.
pub fn dahl() -> Table {
    let cases: [(&str, Parameters); 3] = [
        ("sigma_0 = 100 N/m", &[("sigma_0", 100.0)]),
        ("sigma_0 = 400 N/m", &[("sigma_0", 400.0)]),
        ("sigma_0 = 1600 N/m", &[("sigma_0", 1600.0)]),
    ];
    characteristic("Dahl", &cases, 0.1, 1.0)
}

/// Fig. 5: the Stribeck velocity of Table 3, a fifth of it and twice it.
pub fn lugre() -> Table {
    let cases: [(&str, Parameters); 3] = [
        (
            "v_S = 0.1 m/s",
            &[("mu_s", WITH_STRIBECK), ("v_Stribeck", 0.1)],
        ),
        (
            "v_S = 0.5 m/s",
            &[("mu_s", WITH_STRIBECK), ("v_Stribeck", 0.5)],
        ),
        (
            "v_S = 1 m/s",
            &[("mu_s", WITH_STRIBECK), ("v_Stribeck", 1.0)],
        ),
    ];
    characteristic("LuGre", &cases, 1.0, 0.2)
}

/// Values of some parameters of an element.
type Parameters = &'static [(&'static str, f64)];

/// The models that the paper compares, with the coefficients of Table 3 and with a Stribeck effect.
const MODELS: [(&str, [Parameters; 2]); 5] = [
    // Coulomb has no static friction: the second would be the first again.
    ("Coulomb", [&[("v_small", 0.01)], &[("v_small", 0.01)]]),
    ("Stribeck", [&[], &[("mu_s", WITH_STRIBECK)]]),
    ("BrownMcPhee", [&[], &[("mu_s", WITH_STRIBECK)]]),
    ("Dahl", [&[], &[]]),
    ("LuGre", [&[], &[("mu_s", WITH_STRIBECK)]]),
];

/// Position, velocity and friction force of each model on a rig, through the FMU.
fn compared(rig: &dyn Rig) -> Table {
    let mut table = Table::new(&["t [s]", "x [m]", "v [m/s]", "F_R [N]"]);
    let (h, keep) = (1e-4, 50);
    for (name, sets) in MODELS {
        let fmu = Fmu::packaged(name);
        for (parameters, mu_s) in sets.into_iter().zip([0.1, WITH_STRIBECK]) {
            let trace = coupled::run(
                &fmu,
                &Case::of_paper(name).with(parameters),
                rig,
                h,
                10.0,
                keep,
            );
            let rows = trace
                .0
                .iter()
                .map(|now| vec![now.t, now.y[0], now.y[1], now.contacts[0].F_R]);
            table.add(
                format!("{name}; mu_s = {mu_s}"),
                [vec![0.0; 4]].into_iter().chain(rows).collect(),
            );
        }
    }
    table
}

/// Figs 7, 8 and 9.
pub fn block() -> Table {
    compared(&BlockOnSpring::default())
}

/// Figs 11, 12 and 13.
pub fn roller() -> Table {
    compared(&RollerOnSpring::default())
}
