//! Parameters outside their bounds and contradictory parameters: errors that leave the instance
//! usable.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::tolerances::ROUNDING;

/// Each contradicts the defaults of the others.
const CONTRADICTIONS: [(&str, f64, f64); 4] = [
    ("mu_d", 0.7, 0.3),
    ("mu_s", 0.2, 0.6),
    ("v_d", 1e-3, 1e-2),
    ("v_s", 2e-2, 1e-3),
];

#[test]
fn parameter_out_of_bounds_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    for (name, values) in [
        ("sigma_0", &[0.0, -0.0, -5e6, f64::NAN, f64::INFINITY][..]),
        ("sigma_1", &[0.0, -1.0]),
        ("mu_s", &[0.0, -0.6]),
        ("v_s", &[0.0, -1e-3]),
        ("mu_d", &[-1e-300, -0.3]),
        ("v_d", &[0.0, -1e-2, f64::NEG_INFINITY]),
    ] {
        for mode in [
            InstanceState::Instantiated,
            InstanceState::Initialization,
            InstanceState::StepComplete,
        ] {
            let mut instance = instance_in(&fmu, CO_SIMULATION, mode);
            for &value in values {
                let status = instance.set_real(&[fmu.description.reference(name)], &[value]);
                let said = instance.complaint(status);
                assert!(said.contains(&format!("{name} = {value:?}")), "{said}");
            }
        }
    }
}

#[test]
fn contradictory_parameters_are_refused_on_exit_of_initialization() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        for (name, wrong, right) in CONTRADICTIONS {
            let mut instance = instance_in(&fmu, interface, InstanceState::Initialization);
            instance.set(name, wrong);
            let status = instance.exit_initialization_mode();
            let said = instance.complaint(status);
            assert!(said.contains(&format!("{name} = {wrong:?}")), "{said}");
            instance.set(name, right);
            let status = instance.exit_initialization_mode();
            instance.ok(status);
        }
    }
}

#[test]
fn contradictory_tuned_parameters_are_refused_by_the_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let contact = Contact::new(9.81, 5e-3);
    for (name, wrong, right) in CONTRADICTIONS {
        let mut element = Master::with_parameters(&fmu, &PAPER);
        let mut untouched = Master::with_parameters(&fmu, &PAPER);
        assert_eq!(
            element.step(contact, 0.0, 1e-3),
            untouched.step(contact, 0.0, 1e-3)
        );
        element.instance.set(name, wrong);
        for _ in 0..2 {
            let status = element.instance.do_step(1e-3, 1e-3);
            let said = element.instance.complaint(status);
            assert!(
                said.starts_with("fmi2DoStep: ") && said.contains(name),
                "{said}"
            );
        }
        element.instance.set(name, right);
        let forces = [&mut element, &mut untouched]
            .map(|element| element.step(contact, 1e-3, 1e-3).to_bits());
        assert_eq!(forces[0], forces[1], "{name}");
    }
}

#[test]
fn parameters_may_contradict_temporarily() {
    // Importers set them one by one, in any order.
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::Instantiated);
    for (name, value) in [("mu_d", 0.8), ("v_s", 0.02), ("v_d", 0.03), ("mu_s", 0.9)] {
        instance.set(name, value);
    }
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
}

#[test]
fn tuned_parameter_takes_effect_with_the_next_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &PAPER);
    let contact = Contact::new(10.0, 0.5);
    let force = element.step(contact, 0.0, 0.1);
    assert!((force / 3.0 - 1.0).abs() <= ROUNDING, "{force}");
    element.instance.set("mu_d", 0.2);
    assert_eq!(element.instance.get("F_R"), force, "not before");
    let force = element.step(contact, 0.1, 0.1);
    assert!((force / 2.0 - 1.0).abs() <= ROUNDING, "{force}");
}
