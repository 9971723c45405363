//! The reference of FrDyn2 itself: it reproduces closed forms of the law, and its own error is far
//! below the errors that are tested.

use bristle_reference_laws::Contact;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE, solve};
use bristle_reference_laws::frdyn2::{Bristle, PAPER};
use bristle_reference_laws::workloads::{PRESCRIBED, WEIGHT, steps};
use bristle_tests::tolerances::{REFERENCE_ERROR, ROUNDING};

#[test]
fn reference_error_is_negligible() {
    for workload in PRESCRIBED {
        for h in [1e-3, 1e-4] {
            let normal_force = (workload.F_N)(0.0);
            let mut fine = Bristle::at_rest(workload.parameters, normal_force);
            let mut coarse = fine.with_tolerance(COARSE_TOLERANCE);
            let mut worst: f64 = 0.0;
            for t in steps(1.0, h) {
                let contact = workload.contact(t);
                let difference = coarse.step(contact, h) - fine.step(contact, h);
                worst = worst.max(difference.abs() / (workload.parameters.mu_s * normal_force));
            }
            println!("{:34} H = {h:.0e} s: {worst:.1e} F_s", workload.name);
            assert!(worst <= REFERENCE_ERROR, "{worst}");
        }
    }
}

#[test]
fn sticking_bristle_follows_constant_velocity() {
    // z = z_0 + v t and F_R = sigma_0 z + sigma_1 v are an exact solution.
    let v = 1e-4;
    let mut bristle = Bristle::at_rest(PAPER, WEIGHT);
    bristle.x = [2e-7, v];
    let friction = bristle.step(Contact::new(WEIGHT, v), 3e-3);
    let z = 2e-7 + v * 3e-3;
    assert!(
        (bristle.x[0] / z - 1.0).abs() < 1e-12,
        "{} for {z}",
        bristle.x[0]
    );
    assert!(
        (friction / (PAPER.sigma_0 * z + PAPER.sigma_1 * v) - 1.0).abs() < 1e-11,
        "{friction}"
    );
}

#[test]
fn bristle_is_critically_damped_in_full_sliding_and_open_contact() {
    let omega = 2.0 * PAPER.sigma_0 / PAPER.sigma_1;
    for (contact, rest) in [
        (
            Contact::new(WEIGHT, 0.1),
            PAPER.mu_d * WEIGHT / PAPER.sigma_0,
        ),
        (Contact::new(0.0, 0.1), 0.0),
        (Contact::new(-5.0, 0.1), 0.0),
    ] {
        let (h, start) = (5e-4, 1e-7);
        let mut bristle = Bristle::at_rest(PAPER, WEIGHT);
        bristle.x = [start, 0.0];
        bristle.step(contact, h);
        let z = rest + (start - rest) * (1.0 + omega * h) * libm::exp(-omega * h);
        assert!(
            (bristle.x[0] / z - 1.0).abs() < 1e-11,
            "{} for {z}",
            bristle.x[0]
        );
    }
}

#[test]
fn dop853_is_accurate_for_time_dependent_rates() {
    let h = 1e-2;
    for power in 1..6 {
        let power = f64::from(power);
        let size = libm::pow(h, power + 1.0) / (power + 1.0);
        let [x] = solve(|t, _| [libm::pow(t, power)], [0.0], [size], h, TOLERANCE);
        assert!((x / size - 1.0).abs() <= ROUNDING, "{x:e} for {size:e}");
    }
}
