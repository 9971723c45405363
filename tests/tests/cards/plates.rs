//! Plates: sliding and spin of several points, against closed forms and the sum of single points.

use super::motions::{STEPS, element, step, stepping};
use bristle::catalogue::Motion;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::MODEL_EXCHANGE;
use bristle_importer::lifecycle::instance_in;
use bristle_random::Random;
use bristle_tests::cards::{card, patch};

/// Positions of n points on a ring, m.
fn ring(points: u32, radius: f64) -> Vec<[f64; 2]> {
    let angle = |i: u32| std::f64::consts::TAU * f64::from(i) / f64::from(points);
    (0..points)
        .map(|i| [radius * libm::cos(angle(i)), radius * libm::sin(angle(i))])
        .collect()
}

#[test]
fn pure_spin_of_a_ring_has_the_torque_mu_d_f_n_r() {
    for law in ["FrDyn2", "FrDyn2Linear", "StaticRegularized"] {
        let fmu = element(patch(law, &ring(12, 0.3), &[1.0 / 12.0; 12]));
        let mut plate = stepping(&fmu);
        plate.set("F_N", 50.0);
        plate.set("omega", 2.0);
        for i in 0..20 {
            step(&mut plate, i, 1e-2);
        }
        let torque = plate.get("M_R");
        assert!(
            (torque - 0.3 * 50.0 * 0.3).abs() < 1e-5 * 4.5,
            "{law}: {torque}"
        );
        assert!(plate.get("F_R_x").abs() < 1e-4 && plate.get("F_R_y").abs() < 1e-4);
    }
}

#[test]
fn pure_spin_of_a_disc_tends_to_two_thirds_mu_d_f_n_r() {
    // Rings of equal width; the share of each is that of its area.
    let torque = |rings: u32| {
        let (mut positions, mut shares) = (Vec::new(), Vec::new());
        for i in 0..rings {
            let middle = (f64::from(i) + 0.5) / f64::from(rings);
            positions.extend(ring(6, middle));
            shares.extend([(2.0 * f64::from(i) + 1.0) / f64::from(rings * rings) / 6.0; 6]);
        }
        let fmu = element(patch("FrDyn2Linear", &positions, &shares));
        let mut plate = stepping(&fmu);
        plate.set("F_N", 10.0);
        plate.set("omega", 5.0);
        for i in 0..20 {
            step(&mut plate, i, 1e-2);
        }
        plate.get("M_R") / (0.3 * 10.0)
    };
    let errors = [2, 5, 10].map(|rings| (torque(rings) - 2.0 / 3.0).abs());
    // The rule of the middle is of second order in the width.
    assert!(
        errors[0] < 0.05 && errors[1] < errors[0] / 5.0 && errors[2] < errors[1] / 3.5,
        "{errors:?}"
    );
}

/// A disc (or ring of points) that slides and spins comes to rest in both at the same moment: with
/// a radius of gyration, the ratio of both speeds tends to a constant before.
#[test]
fn plate_that_slides_and_spins_stops_both_at_the_same_moment() {
    let points = 8;
    let radius = 0.1;
    let fmu = element(patch(
        "FrDyn2Linear",
        &ring(points, radius),
        &vec![1.0 / f64::from(points); points as usize],
    ));
    for (v_start, omega_start) in [(0.5, 1.0), (0.2, 6.0), (0.4, 4.0)] {
        let mut plate = stepping(&fmu);
        let (mass, h) = (1.0, 1e-5);
        let inertia = mass * radius * radius;
        plate.set("F_N", 9.81);
        let (mut v, mut omega, mut angle): ([f64; 2], f64, f64) =
            ([v_start, 0.0], omega_start, 0.0);
        let mut stops = [None; 2];
        for i in 0..60_000 {
            // The plate's axes turn with it.
            let (cos, sin) = (libm::cos(angle), libm::sin(angle));
            plate.set("v_x", cos * v[0] + sin * v[1]);
            plate.set("v_y", cos * v[1] - sin * v[0]);
            plate.set("omega", omega);
            step(&mut plate, i, h);
            let (x, y) = (plate.get("F_R_x"), plate.get("F_R_y"));
            v[0] -= (cos * x - sin * y) / mass * h;
            v[1] -= (sin * x + cos * y) / mass * h;
            omega -= plate.get("M_R") / inertia * h;
            angle += omega * h;
            let t = f64::from(i) * h;
            for (stop, speed) in stops
                .iter_mut()
                .zip([libm::hypot(v[0], v[1]), omega.abs() * radius])
            {
                if speed > 5e-3 {
                    *stop = None;
                } else if stop.is_none() {
                    *stop = Some(t);
                }
            }
        }
        let [slide, spin] = stops.map(|stop| stop.expect("it stops"));
        assert!(
            (slide - spin).abs() < 0.03 * slide,
            "v = {v_start}, omega = {omega_start}: {slide} s, {spin} s"
        );
    }
}

#[test]
fn plate_is_the_sum_of_its_points() {
    let positions = [[0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05]];
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl", "BrownMcPhee"] {
        let fmu = element(patch(law, &positions, &[]));
        let mut single = card(law, &[]);
        single.motion = Motion::Planar;
        let point = element(single);
        let mut plate = stepping(&fmu);
        let mut points: Vec<_> = positions.iter().map(|_| stepping(&point)).collect();
        let mut random = Random::new(8);
        for i in 0..STEPS {
            let [v_x, v_y, omega] = [0.02, 0.02, 0.2].map(|size| size * random.between(-1.0, 1.0));
            for (name, value) in [("v_x", v_x), ("v_y", v_y), ("omega", omega)] {
                plate.set(name, value);
            }
            let mut sums = [0.0; 3];
            for (place, (instance, [x, y])) in (1..).zip(points.iter_mut().zip(positions)) {
                let normal = random.between(-1.0, 20.0);
                plate.set(&format!("F_N[{place}]"), normal);
                instance.set("F_N", normal);
                instance.set("v_x", v_x - omega * y);
                instance.set("v_y", v_y + omega * x);
                step(instance, i, 1e-4);
                let force = ["F_R_x", "F_R_y"].map(|name| instance.get(name));
                sums[0] += force[0];
                sums[1] += force[1];
                sums[2] += x * force[1] - y * force[0];
            }
            step(&mut plate, i, 1e-4);
            let found = ["F_R_x", "F_R_y", "M_R"].map(|name| plate.get(name));
            assert_eq!(
                found.map(f64::to_bits),
                sums.map(f64::to_bits),
                "{law} in step {i}: {found:?}, {sums:?}"
            );
        }
    }
}

/// Directional derivatives of a plate by its inputs are limits of differences.
#[test]
fn directional_derivatives_of_a_plate_are_limits_of_differences() {
    let fmu = element(patch(
        "FrDyn2Linear",
        &[[0.1, 0.0], [-0.1, 0.05], [0.0, -0.1]],
        &[0.5, 0.25, 0.25],
    ));
    let mut plate = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    let inputs = [
        ("F_N", 10.0),
        ("v_x", 1e-4),
        ("v_y", -2e-4),
        ("omega", 1e-3),
    ];
    for (name, value) in inputs {
        plate.set(name, value);
    }
    let outputs = ["F_R_x", "F_R_y", "M_R", "P_loss"];
    let unknowns = outputs.map(|name| fmu.description.reference(name));
    for (name, value) in inputs {
        let known = fmu.description.reference(name);
        let mut derivatives = [f64::NAN; 4];
        let status =
            plate.get_directional_derivative(&unknowns, &[known], &[1.0], &mut derivatives);
        plate.ok(status);
        let mut sides = [[0.0; 4]; 2];
        for (side, factor) in sides.iter_mut().zip([1.0 - 1e-5, 1.0 + 1e-5]) {
            plate.set(name, factor * value);
            *side = outputs.map(|name| plate.get(name));
        }
        plate.set(name, value);
        for i in 0..outputs.len() {
            let difference = (sides[1][i] - sides[0][i]) / (2e-5 * value);
            let size = difference.abs() + sides[0][i].abs() * 1e-3 / value.abs() + 1e-9;
            assert!(
                (derivatives[i] - difference).abs() < 1e-5 * size,
                "{}/{name}: {}, {difference}",
                outputs[i],
                derivatives[i]
            );
        }
    }
}
