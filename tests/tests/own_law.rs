//! FMU of `examples/own-law`, a law in a crate of its own: its force compared with the closed form,
//! and the default implementations of `Law`. `cargo xtask test` exports it first.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_random::Random;
use bristle_reference_laws::Contact;
use bristle_tests::tolerances::ROUNDING;

/// μ_s, μ_k, v_Stribeck, σ_E, v_E, v_0 of the tests, other than the defaults.
const PARAMETERS: [(&str, f64); 6] = [
    ("mu_s", 0.2),
    ("mu_d", 0.12),
    ("v_Stribeck", 5e-3),
    ("sigma_E", 0.02),
    ("v_E", 0.03),
    ("v_0", 2e-4),
];

/// F_R by the equation of the example.
fn closed_form(normal_force: f64, v: f64) -> f64 {
    let [mu_s, mu_d, v_stribeck, sigma_e, v_e, v_0] = PARAMETERS.map(|(_, value)| value);
    let boundary = (mu_d + (mu_s - mu_d) * libm::exp(-v.abs() / v_stribeck)) * libm::tanh(v / v_0);
    normal_force.max(0.0) * (boundary + sigma_e * libm::asinh(v / v_e))
}

/// dF_R/dv by the equation of the example.
fn closed_slope(normal_force: f64, v: f64) -> f64 {
    let [mu_s, mu_d, v_stribeck, sigma_e, v_e, v_0] = PARAMETERS.map(|(_, value)| value);
    let (part, smooth) = (
        (mu_s - mu_d) * libm::exp(-v.abs() / v_stribeck),
        libm::tanh(v / v_0),
    );
    let boundary =
        (mu_d + part) * (1.0 - smooth * smooth) / v_0 - part * smooth * v.signum() / v_stribeck;
    normal_force * (boundary + sigma_e / (v * v + v_e * v_e).sqrt())
}

/// Random contacts over decades of v, one in five of them open.
fn contacts() -> impl Iterator<Item = (f64, f64)> {
    let mut random = Random::new(1);
    (0..2000).map(move |_| {
        let normal_force = if random.once_in(5) {
            -1.0
        } else {
            random.between(0.1, 50.0)
        };
        (
            normal_force,
            random.between(-1.0, 1.0) * libm::pow(10.0, random.between(-5.0, 0.0)),
        )
    })
}

#[test]
fn force_is_the_closed_form_in_both_interfaces() {
    let fmu = Fmu::packaged("StribeckEyring");
    let mut master = Master::start(&fmu, &PARAMETERS);
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::Event);
    for (name, value) in PARAMETERS {
        instance.set(name, value);
    }
    for ((normal_force, v), step) in contacts().zip(0_u32..) {
        let expected = closed_form(normal_force, v);
        let contact = Contact {
            F_N: normal_force,
            v,
            ..Contact::default()
        };
        let force = master.step(contact, f64::from(step) * 1e-3, 1e-3);
        instance.set("F_N", normal_force);
        instance.set("v", v);
        for force in [force, instance.get("F_R")] {
            assert!(
                (force - expected).abs() <= ROUNDING * expected.abs(),
                "{force} for {expected} at {normal_force}, {v}"
            );
        }
    }
}

#[test]
fn directional_derivative_is_that_of_the_closed_form() {
    let fmu = Fmu::packaged("StribeckEyring");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Initialization);
    for (name, value) in PARAMETERS {
        instance.set(name, value);
    }
    let [force, velocity] = ["F_R", "v"].map(|name| fmu.description.reference(name));
    // A difference across the cusp of exp(-|v|/v_Stribeck) lies between the slopes on both sides.
    for (normal_force, v) in
        contacts().filter(|(normal_force, v)| *normal_force > 0.0 && v.abs() > 1e-6)
    {
        instance.set("F_N", normal_force);
        instance.set("v", v);
        let mut slope = [f64::NAN];
        let status = instance.get_directional_derivative(&[force], &[velocity], &[1.0], &mut slope);
        instance.ok(status);
        let expected = closed_slope(normal_force, v);
        let size = normal_force * (0.2 / 2e-4) * 1e-6;
        assert!(
            (slope[0] - expected).abs() <= size,
            "{} for {expected} at {normal_force} N, {v} m/s",
            slope[0]
        );
    }
}

#[test]
fn a_state_restores_and_contradicting_parameters_are_refused() {
    let fmu = Fmu::packaged("StribeckEyring");
    let mut master = Master::start(&fmu, &PARAMETERS);
    let contact = Contact {
        F_N: 10.0,
        v: 0.01,
        ..Contact::default()
    };
    master.step(contact, 0.0, 1e-3);
    let mut state = FmuState::NULL;
    let status = master.instance.get_fmu_state(&mut state);
    master.instance.ok(status);
    let force = master.step(contact, 1e-3, 1e-3);
    let status = master.instance.set_fmu_state(state);
    master.instance.ok(status);
    assert_eq!(master.step(contact, 1e-3, 1e-3).to_bits(), force.to_bits());
    let status = master.instance.free_fmu_state(&mut state);
    master.instance.ok(status);
    master.instance.set("mu_s", 0.05);
    let status = master.instance.do_step(2e-3, 1e-3);
    assert!(
        master
            .instance
            .complaint(status)
            .contains("mu_s lies below mu_d")
    );
}
