//! Events under inputs that move within a step: found wherever they are, and handled once.

use super::*;
use crate::assembly::Assembly;
use crate::coupling::{COUPLING, M_EFF};

/// F_R at the end of a step in this many parts.
fn force_after(name: &str, parameters: &[(&str, f64)], inputs: &Inputs, h: f64, parts: u32) -> f64 {
    let entry = find(name).unwrap();
    let mut element = initialised(entry, parameters, inputs);
    walk(entry, &mut *element, inputs, h, parts).unwrap();
    element.values()[&F_R]
}

const SIMPACK: (&str, &[(&str, f64)]) = (
    "SimpackStickSlip",
    &[
        ("sigma_0", 5e6),
        ("sigma_1", 0.0),
        ("mu_s", 0.6),
        ("mu_d", 0.3),
    ],
);
const ARMSTRONG: (&str, &[(&str, f64)]) = (
    "Armstrong",
    &[
        ("sigma_0", 5e6),
        ("mu_d", 0.3),
        ("mu_s_0", 0.6),
        ("mu_s", 0.6),
        ("gamma", 1.0),
        ("tau", 0.0),
        ("v_Stribeck", 1e-4),
    ],
);

#[test]
fn a_break_away_that_is_exceeded_for_a_part_of_a_step_is_found() {
    let inputs = Inputs::new([1.125, 10_416.666_7, 0.0, 0.0], [0.002, -1.94, 0.0, 0.0]);
    for ((name, parameters), expected) in [(SIMPACK, 3.4625), (ARMSTRONG, 6.008_456)] {
        for parts in [1, 2, 4, 100] {
            let force = force_after(name, parameters, &inputs, 1e-3, parts);
            assert!(
                (force - expected).abs() < 1e-6,
                "{name} in {parts} parts: {force}"
            );
        }
    }
}

#[test]
fn events_do_not_depend_on_the_division_of_a_step() {
    let h = 1e-3;
    for (name, parameters) in [SIMPACK, ARMSTRONG] {
        let mut random = random(3);
        for i in 0..1500 {
            let [before, after] = [(); 2].map(|()| libm::exp10(random()));
            let v = 0.003 * (1.0 + random());
            let end = 0.1 * v * random();
            let [bend_normal, bend_v] =
                [3e6, 600.0].map(|most| most * random() * random().max(0.0));
            let inputs = Inputs::new(
                [
                    before,
                    (after - before) / h - 0.5 * bend_normal * h,
                    bend_normal,
                    0.0,
                ],
                [v, (end - v) / h - 0.5 * bend_v * h, bend_v, 0.0],
            );
            let [whole, parts] =
                [1, 30].map(|parts| force_after(name, parameters, &inputs, h, parts));
            assert!(
                (whole - parts).abs() < 1e-6 * before.max(after),
                "{name} {i}: {whole} and {parts}, {inputs:?}"
            );
        }
    }
}

#[test]
fn an_applied_force_that_exceeds_break_away_for_a_moment_starts_the_contact() {
    // F_c − F_t = 4 (s − 0.14)(s − 0.145) N with s = t/H.
    let h = 1e-3;
    let inputs = Inputs {
        applied: [0.9188, 1.14 / h, 0.0, 0.0],
        ..Inputs::new([10.0, 0.0, 80.0 / (h * h), 0.0], [1e-4, 0.0, 0.0, 0.0])
    };
    for name in ["Coulomb", "ModelicaFriction"] {
        let entry = find(name).unwrap();
        // Without a table.
        let parameters: &[_] = if name == "Coulomb" {
            &[("mu_d", 0.1)]
        } else {
            &[("mu_0", 0.1), ("v_1", 0.0)]
        };
        for parts in [1, 7] {
            let at_rest = Inputs {
                v: [0.0; 4],
                ..inputs
            };
            let mut element = initialised(entry, parameters, &at_rest);
            walk(entry, &mut *element, &inputs, h, parts).unwrap();
            let force = element.values()[&F_R];
            assert!(
                (force - 5.0).abs() < 1e-9,
                "{name} in {parts} parts slides: {force}"
            );
        }
    }
}

#[test]
fn a_contact_that_has_just_closed_does_not_alternate_between_stick_and_slip() {
    let entry = find("SimpackStickSlip").unwrap();
    for normal in [1e-9, 1e-11, 1e-14, 1e-15, 1e-100] {
        let inputs = Inputs::new([normal, 0.0, 0.0, 0.0], [1e-12, 0.0, 0.0, 0.0]);
        let mut element = initialised(entry, &[], &inputs);
        let (_, steps) = walk(entry, &mut *element, &inputs, 1e-3, 1).unwrap();
        assert!(steps < 4, "{steps} segments at {normal:e} N");
    }
}

#[test]
fn an_event_whose_limit_moves_with_the_force_is_handled_once() {
    // A contact that closes: F_N and v t grow from the same instant, and rounding of time moves
    // both.
    let normal = [
        -4.870_248_740_123_968,
        535.109_526_087_829_3,
        14_432.593_955_675_73,
        0.0,
    ];
    let v = [
        -0.010_472_896_490_863_536,
        6.813_138_156_605_313,
        -2_436.660_208_546_058,
        385_804.641_123_629_2,
    ];
    for (name, _) in [SIMPACK, ARMSTRONG] {
        let (entry, inputs) = (find(name).unwrap(), Inputs::new(normal, v));
        let mut element = initialised(entry, &[], &inputs);
        let (_, steps) = walk(entry, &mut *element, &inputs, 0.012_200_616_888_892_025, 1).unwrap();
        assert!(steps < 50, "{name}: {steps} segments");
    }
}

#[test]
fn a_coupled_body_handles_no_event_twice_at_the_same_instant() {
    // Jumps of F_N and v beside a body of 1 kg: v comes to 0 from either side, and the displacement
    // reaches its limit.
    for entry in ELEMENTS
        .iter()
        .filter(|entry| entry.variable(M_EFF.reference).is_some())
    {
        let name = entry.metadata.name;
        let mut element = Assembly::of_one(entry.instantiate());
        for (variable, value) in [(&M_EFF, 1.0), (&COUPLING, 1.0), (&F_N, 10.0)] {
            element.set(variable, value);
        }
        element.apply_parameters().unwrap();
        element.initialize().unwrap();
        let mut random = random(1);
        let (mut normal, mut v) = (10.0, 0.0);
        for i in 0..3000 {
            if random() > 0.8 {
                normal = if random() > 0.7 {
                    0.0
                } else {
                    libm::exp10(-0.6 + 2.4 * random())
                };
            }
            if random() > 0.8 {
                v = if random() > 0.3 {
                    0.0
                } else {
                    libm::exp10(-2.8 + 3.1 * random()).copysign(random())
                };
            }
            element.set(&F_N, normal);
            element.set(&V, v);
            let Report { inner_steps, .. } = element.advance(1e-3).unwrap_or_else(|error| {
                panic!("{name}, step {i}, {normal:e} N, {v:e} m/s: {error}")
            });
            assert!(
                inner_steps < 1000,
                "{name}, step {i}: {inner_steps} inner steps"
            );
        }
    }
}

#[test]
fn a_border_that_is_met_within_the_rounding_of_time_is_passed() {
    // Next to no F_N: F_0 changes from −F_s to F_s within 1e-10 s.
    let entry = find("FrDyn2Linear").unwrap();
    let inputs = Inputs::new(
        [8.553_499_848_025_815e-6, 0.0, 0.0, 0.0],
        [
            -0.000_161_802_279_941_310_5,
            17.672_768_095_601_704,
            -39_347.225_361_371_435,
            0.0,
        ],
    );
    let start = [("z", 1.437_234_0e-12), ("z_dot", -1.134_289_6e-9)];
    let mut element = initialised(entry, &start, &inputs);
    let (_, steps) = walk(entry, &mut *element, &inputs, 1e-3, 1).unwrap();
    // Some ten panels, and as many trials and steps across kinks, in three parts between the
    // reversals.
    assert!(steps < 60, "{steps} inner steps");
}

#[test]
fn borders_of_frdyn2_linear_are_found_beyond_the_convergence_of_the_shift() {
    // F_N opens and closes the contact. After that the series of F_0/F_N converges for a part of
    // what is left only.
    let inputs = Inputs::new(
        [
            0.1886394040579677,
            -40546.128926961006,
            1831008141.838301,
            0.0,
        ],
        [
            -3.6795593617653367e-9,
            0.004437112718018563,
            -1500.2757723904012,
            0.0,
        ],
    );
    let parameters = [
        ("mu_s", 0.1914232146174174),
        ("v_s", 1.1026473683036916e-5),
        ("mu_d", 0.1914232146174174),
        ("v_d", 2.140973737451127e-5),
        ("sigma_1", 1718.6009795394095),
        ("sigma_2", 0.0),
        ("sigma_0", 33360603.12313549),
    ];
    let entry = find("FrDyn2Linear").unwrap();
    let force = |parts: u32| {
        let mut element = initialised(entry, &parameters, &inputs);
        for (name, x) in [
            ("z", 1.3788989939687267e-9),
            ("z_dot", -1.4746205326276324e-5),
        ] {
            element.set(
                entry
                    .variables()
                    .find(|variable| variable.name == name)
                    .unwrap(),
                x,
            );
        }
        walk(entry, &mut *element, &inputs, 4.690176098862531e-5, parts).unwrap();
        element.values()[&F_R]
    };
    let (whole, parts) = (force(1), force(1024));
    assert!(
        (whole - parts).abs() < 1e-6 * 0.05,
        "{whole} N in one step, {parts} N in many"
    );
}

/// Steps whose mean forces were off by 2000 and 100 000 tolerances: one begins at the very border
/// of a branch, where the rate has a derivative of 3e20; in the other v dips below 0 for a tenth of
/// the step, between two stages.
#[test]
fn mean_forces_are_those_of_the_parts_of_a_step() {
    let border = [
        ("sigma_0", 3516029918.5206237),
        ("sigma_1", 3366.748958222191),
        ("mu_s", 0.05564631658850756),
        ("v_s", 0.027042343552017206),
        ("mu_d", 0.0),
        ("v_d", 0.03280616168884948),
        ("z", -2.5553638216111035e-8),
        ("z_dot", -0.007534717581839295),
    ];
    let dip = [
        ("sigma_0", 211107922.4526244),
        ("sigma_1", 596.5689110978174),
        ("mu_s", 0.05198123866626954),
        ("v_s", 0.014636411001522182),
        ("mu_d", 0.02968581733417112),
        ("v_d", 0.02696539922372474),
        ("z", 1.1288296639447079e-12),
        ("z_dot", -2.0489926421227946e-16),
    ];
    let held = Inputs::new(
        [434.35181195943665, 0.0, 0.0, 0.0],
        [0.01950762556721559, 0.0, 0.0, 0.0],
    );
    let curved = Inputs::new(
        [0.3128758490151133, 0.0, 0.0, 0.0],
        [
            1.794664971159776e-6,
            -0.008496258961623347,
            19.976184898062726,
            0.0,
        ],
    );
    let entry = find("FrDyn2").unwrap();
    for (parameters, inputs, h, tolerance) in [
        (border, held, 1.5636422351266537e-3, 4.84e-5),
        (dip, curved, 6.230759390795583e-4, 5.986e-9),
    ] {
        let mean = |parts: u32, tolerance: f64| {
            let mut element = initialised(entry, &parameters, &inputs);
            element.set_tolerance(tolerance);
            walk(entry, &mut *element, &inputs, h, parts).unwrap().0
        };
        let (whole, parts) = (mean(1, tolerance), mean(100, 1e-10));
        let static_force = parameters[2].1 * inputs.normal[0];
        assert!(
            (whole - parts).abs() < 10.0 * tolerance * static_force,
            "{whole} N, in parts {parts} N"
        );
    }
}
