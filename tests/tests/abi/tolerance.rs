//! The tolerance of `fmi2SetupExperiment` controls the error of F_R.

use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::initialize;
use bristle_reference_laws::frdyn2::Bristle;
use bristle_reference_laws::workloads::{MICRO_SINE, NARROW, SLIDING_SINE, Workload, steps};

#[test]
fn tighter_tolerance_gives_smaller_error() {
    for workload in [&SLIDING_SINE, &MICRO_SINE, &NARROW] {
        for h in [1e-3, 1e-4] {
            let tolerances = [1e-3, 1e-6, 1e-9];
            let errors = tolerances.map(|tolerance| error(workload, tolerance, h));
            println!(
                "{:34} H = {h:.0e} s: {} F_s",
                workload.name,
                errors.map(|e| format!("{e:.1e}")).join(", ")
            );
            for (error, tolerance) in errors.into_iter().zip(tolerances) {
                assert!(error <= tolerance, "{error:e} F_s at {tolerance:e}");
            }
            assert!(
                errors.windows(2).all(|pair| pair[1] < pair[0]),
                "{errors:?}"
            );
        }
    }
}

#[test]
fn tolerance_is_clamped_to_the_documented_bounds() {
    let close = |a: f64, b: f64| assert_eq!(a.to_bits(), b.to_bits());
    close(
        error(&SLIDING_SINE, 1.0, 1e-3),
        error(&SLIDING_SINE, 1e-3, 1e-3),
    );
    close(
        error(&SLIDING_SINE, 1e-15, 1e-3),
        error(&SLIDING_SINE, 1e-10, 1e-3),
    );
}

/// The largest error of F_R over F_s in 0.2 s.
fn error(workload: &Workload, tolerance: f64, h: f64) -> f64 {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    instance.set("v_s", workload.parameters.v_s);
    initialize(&mut instance, Some(tolerance), 0.0, None);
    let mut reference = Bristle::at_rest(workload.parameters, (workload.F_N)(0.0));
    steps(0.2, h).fold(0.0, |worst: f64, t| {
        let contact = workload.contact(t);
        instance.set("F_N", contact.F_N);
        instance.set("v", contact.v);
        let status = instance.do_step(t, h);
        instance.ok(status);
        let error = (instance.get("F_R") - reference.step(contact, h)).abs();
        worst.max(error / (workload.parameters.mu_s * contact.F_N))
    })
}
