//! Motion of plates and contacts in a plane on one body, against monolithic solutions.

use super::*;
use bristle::law::Spring;

/// Bounds of the errors of force, torque and work for each step length. Measured with FrDyn2 and
/// FrDyn2Linear, serial and parallel: force and torque 7e-5, 8e-3 and 7e-2, work 4e-7, 3e-4 and
/// 5e-3.
const BOUNDS: [(f64, [f64; 3]); 3] = [
    (1e-4, [3e-4, 3e-4, 2e-6]),
    (1e-3, [2e-2, 2e-2, 6e-4]),
    (5e-3, [0.15, 0.15, 1e-2]),
];

/// Bristles without a mass, soft enough for an explicit method.
const SOFT: Spring = Spring {
    stiffness: 1e5,
    damping: 300.0,
};

#[test]
fn plates_on_a_body_follow_the_monolithic_solution() {
    let Spring {
        stiffness: sigma_0,
        damping: sigma_1,
    } = SOFT;
    let laws = [
        ("FrDyn2", PlanarLaw::FrDyn2(frdyn2::PAPER), &[][..]),
        (
            "FrDyn2Linear",
            PlanarLaw::FrDyn2Linear(FrDyn2Linear::default()),
            &[],
        ),
        (
            "LuGre",
            PlanarLaw::LuGre(LuGre {
                sigma_0,
                sigma_1,
                ..LuGre::default()
            }),
            &[("sigma_0", sigma_0), ("sigma_1", sigma_1)],
        ),
        (
            "Dahl",
            PlanarLaw::Dahl(Dahl {
                sigma_0,
                ..Dahl::default()
            }),
            &[("sigma_0", sigma_0)],
        ),
    ];
    for (name, law, parameters) in laws {
        for coupling in [SERIAL, PARALLEL] {
            let mut card = patch(name, &POINTS, &SHARES);
            for (parameter, value) in parameters {
                let setting = Setting {
                    start: Some(*value),
                    ..Setting::default()
                };
                card.parameters
                    .insert(reference_of(model(name), parameter), setting);
            }
            let fmu = with_body(card, body(), coupling);
            // A body on a soft bristle swings within the longest step.
            let count = if parameters.is_empty() { 3 } else { 2 };
            for (h, bounds) in BOUNDS.into_iter().take(count) {
                let (errors, peak) = errors(&law, &fmu, h, coupling == PARALLEL);
                println!("{name}, {coupling}, {h:e} s: {errors:?}, {peak}");
                let is_close = errors
                    .iter()
                    .zip(bounds)
                    .all(|(error, bound)| *error < bound);
                assert!(
                    is_close && peak <= 2.0,
                    "{name}, {coupling}, {h}: {errors:?}, {peak}"
                );
            }
        }
    }
}

#[test]
fn feet_of_a_body_add_up_to_the_plate() {
    let feet = |coupling| {
        let mut card = card("FrDyn2Linear", &[]);
        card.acceleration = true;
        card.motion = Motion::Planar;
        card.contacts = Some(Contacts {
            count: 4,
            ..Contacts::default()
        });
        with_body(
            card,
            CardBody {
                positions: POINTS.to_vec(),
                ..body()
            },
            coupling,
        )
    };
    for coupling in [SERIAL, PARALLEL] {
        let (feet, plate) = (
            feet(coupling),
            plate_with_acceleration("FrDyn2Linear", coupling),
        );
        let [mut feet, mut plate] =
            [&feet, &plate].map(|fmu| instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete));
        let (mut v, mut held, mut used, h) = ([0.0; 3], [0.0; 3], [0.0; 3], 1e-3);
        for step in 0..400 {
            let t = h * f64::from(step);
            let a = acceleration(t, v, used);
            accelerate(&mut plate, a);
            let of_plate = advance(&mut plate, v, t, h);
            for (i, ([p, q], share)) in (1..).zip(POINTS.into_iter().zip(SHARES)) {
                let at = |[x, y, turning]: Twist| [x - turning * q, y + turning * p];
                let ([v_x, v_y], [a_x, a_y]) = (at(v), at(a));
                for (input, value) in [
                    ("F_N", share * NORMAL),
                    ("v_x", v_x),
                    ("v_y", v_y),
                    ("a_x", a_x),
                    ("a_y", a_y),
                ] {
                    feet.set(&format!("{input}[{i}]"), value);
                }
            }
            let status = feet.do_step(t, h);
            feet.ok(status);
            for (of_plate, names) in [
                (of_plate, ["F_R_x", "F_R_y"]),
                (mean(&mut plate), ["F_R_x_mean", "F_R_y_mean"]),
            ] {
                let mut sum = [0.0; 3];
                for (i, [p, q]) in (1..).zip(POINTS) {
                    let [x, y] = names.map(|name| feet.get(&format!("{name}[{i}]")));
                    sum = [sum[0] + x, sum[1] + y, sum[2] + p * y - q * x];
                }
                let error = of_plate
                    .iter()
                    .zip(sum)
                    .map(|(plate, feet)| (plate - feet).abs())
                    .fold(0.0, f64::max);
                assert!(
                    error < 1e-6,
                    "{names:?}, {coupling}, {t}: {of_plate:?} for {sum:?}"
                );
            }
            let [of_plate_work, of_feet_work] =
                [&mut plate, &mut feet].map(|instance| instance.get("E_loss_error"));
            let error = (of_plate_work - of_feet_work).abs();
            assert!(
                error < 1e-9,
                "{coupling}, {t}: {of_plate_work} for {of_feet_work}"
            );
            used = if coupling == PARALLEL {
                std::mem::replace(&mut held, of_plate)
            } else {
                of_plate
            };
            v = moved(v, t, h, used).0;
        }
        assert!(v.iter().any(|speed| speed.abs() > 0.1), "{v:?}");
    }
}

#[test]
fn plate_at_rest_stays_at_rest_and_comes_to_rest() {
    for law in ["FrDyn2", "FrDyn2Linear"] {
        for coupling in [SERIAL, PARALLEL] {
            let fmu = plate(law, coupling);
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            for step in 0..100 {
                assert_eq!(
                    advance(&mut instance, [0.0; 3], 1e-3 * f64::from(step), 1e-3),
                    [0.0; 3]
                );
            }
            assert_eq!(instance.get("E_loss"), 0.0);
            // Without a load, from sliding and spin.
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            let (mut v, mut held, h) = ([0.3, -0.2, 4.0], [0.0; 3], 1e-3);
            let start = 0.5 * (MASS * (v[0] * v[0] + v[1] * v[1]) + INERTIA * v[2] * v[2]);
            for step in 0..800 {
                let new = advance(&mut instance, v, h * f64::from(step), h);
                let used = if coupling == PARALLEL {
                    std::mem::replace(&mut held, new)
                } else {
                    new
                };
                for _ in 0..20 {
                    let part = h / 20.0;
                    let spin = v[2];
                    v[2] -= part * used[2] / INERTIA;
                    let [v_x, v_y, _] = v;
                    let turn = 0.5 * (spin + v[2]);
                    v[0] += part * (-used[0] / MASS + turn * v_y);
                    v[1] += part * (-used[1] / MASS - turn * v_x);
                }
            }
            println!(
                "{law}, {coupling}: {v:?}, {start} J, {} J",
                instance.get("E_loss")
            );
            assert!(
                v.iter().all(|speed| speed.abs() < 1e-6),
                "{law}, {coupling}: {v:?}"
            );
            assert!(
                (instance.get("E_loss") / start - 1.0).abs() < 0.01,
                "{law}, {coupling}"
            );
        }
    }
}

/// Next number of a fixed sequence in 0 … 1.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn random_steps_keep_force_and_work_of_a_plate_within_bounds() {
    for coupling in [SERIAL, PARALLEL] {
        let fmu = plate("FrDyn2", coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut seed, mut t, mut v, mut held) = (5, 0.0, [0.0; 3], [0.0; 3]);
        let (mut peak, mut work) = (0.0_f64, 0.0);
        while t < 2.0 {
            let h = 1e-4 * libm::pow(30.0, random(&mut seed));
            let new = advance(&mut instance, v, t, h);
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            peak = peak.max(libm::hypot(used[0], used[1]) / (0.6 * NORMAL));
            let part;
            (v, part) = moved(v, t, h, used);
            work += part;
            t += h;
        }
        let of_law = instance.get("E_loss");
        println!("{coupling}: {peak} F_s, {work} J, {of_law} J");
        assert!(peak <= 2.0, "{coupling}: {peak} F_s");
        assert!(
            (of_law / work - 1.0).abs() < 0.01,
            "{coupling}: {of_law} J for {work} J"
        );
    }
}

#[test]
fn acceleration_of_a_plate_makes_a_parallel_coupling_more_accurate() {
    let law = PlanarLaw::FrDyn2(frdyn2::PAPER);
    let reference = reference(&law);
    for (coupling, h) in [
        (SERIAL, 1e-3),
        (PARALLEL, 1e-3),
        (SERIAL, 5e-3),
        (PARALLEL, 5e-3),
    ] {
        let [without, with] = [
            plate("FrDyn2", coupling),
            plate_with_acceleration("FrDyn2", coupling),
        ]
        .map(|fmu| coupled(&reference, &law, &fmu, h, coupling == PARALLEL));
        println!(
            "{coupling}, {h:e} s: {:?}, with the acceleration {:?}",
            without.errors, with.errors
        );
        // Measured: force and torque 0.35 and 0.46, work 0.17 and 0.73 of those without, at 1e-3
        // and 5e-3 s.
        let is_better = [0.6, 0.6, 0.8]
            .iter()
            .enumerate()
            .all(|(i, share)| with.errors[i] < share * without.errors[i]);
        assert!(
            with.peak <= 2.0 && (coupling == SERIAL || is_better),
            "{coupling}, {h}: {:?}",
            with.errors
        );
    }
}
