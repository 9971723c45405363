//! FrDyn2Linear: FrDyn2 with a linear regularisation.

use crate::laws::compared;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_reference_laws::frdyn2_linear::test_bench;
use bristle_reference_laws::{FrDyn2Linear, LawParameters};

compared!(linear:
    FrDyn2Linear::default(),
    FrDyn2Linear { sigma_2: 20.0, v_s: 2e-3, v_d: 2e-2, ..FrDyn2Linear::paper() },
);

/// Static friction force of 1 kg, N.
const F_S: f64 = 0.6 * 9.81;

/// A step of a force from 0 to 0.95 F_s at `end` (s), by a cubic.
fn step(t: f64, end: f64) -> f64 {
    let s = (t / end).min(1.0);
    0.95 * F_S * s * s * (3.0 - 2.0 * s)
}

#[test]
fn steps_below_the_static_force_leave_the_displacements_of_the_linear_regularisation() {
    for (end, expected) in [
        (0.1, 1.1183e-6),
        (0.01, 1.1183e-6),
        (1e-3, 2.3061e-6),
        (1e-4, 2.6464e-6),
    ] {
        let law = FrDyn2Linear::paper();
        let ramp = test_bench(law, 1.0, 9.81, |t| step(t, end), [0.0; 4], end);
        let [u, ..] = test_bench(law, 1.0, 9.81, |_| 0.95 * F_S, ramp, 0.2 - end);
        assert!(
            (u - expected).abs() < 1e-10,
            "t_E = {end} s: {u:e} m for {expected:e} m"
        );
    }
}

#[test]
fn five_pulses_leave_no_displacement() {
    let pulse = |t: f64| {
        let t = t % 0.2;
        let s = if t < 0.1 {
            (t / 0.02).min(1.0)
        } else {
            1.0 - ((t - 0.1) / 0.02).min(1.0)
        };
        0.8 * F_S * s * s * (3.0 - 2.0 * s)
    };
    let (mut x, mut t) = ([0.0; 4], 0.0);
    // Between the kinks of the load.
    for _ in 0..5 {
        for length in [0.02, 0.08, 0.02, 0.08] {
            let start = t;
            x = test_bench(
                FrDyn2Linear::paper(),
                1.0,
                9.81,
                |t| pulse(start + t),
                x,
                length,
            );
            t += length;
        }
    }
    assert!(x[0].abs() < 1e-16, "{x:?}");
}

#[test]
fn force_without_viscous_friction_never_exceeds_the_static_force() {
    let fmu = Fmu::packaged(FrDyn2Linear::ELEMENT);
    let mut element = Master::start(&fmu, &[]);
    let (mut random, mut t) = (Random::new(11), 0.0);
    for _ in 0..10_000 {
        let h = random.magnitude(1e-6, 1e-2);
        let contact = crate::laws::motions::contact(&mut random);
        let force = element.step(contact, t, h);
        t += h;
        assert!(
            force.abs() <= 0.6 * contact.F_N.max(0.0),
            "{force} N at {contact:?}"
        );
    }
}
