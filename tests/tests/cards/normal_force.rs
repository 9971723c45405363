//! FMUs of cards with a nominal normal force.

use bristle::catalogue::{Card, Variant};
use bristle::element::F_R;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::initialize;
use bristle_random::Random;
use bristle_tests::cards::{card, exporter, load, model, reference};

/// Nominal normal force, N: a power of two times 10 N has no rounding.
const NORMAL_FORCE: f64 = 1280.0;

#[test]
fn fmu_has_the_force_of_the_stock_element_with_the_scaled_bristle_and_stays_stable() {
    let exporter = exporter();
    for (law, bristle) in [
        ("FrDyn2", &["sigma_0", "sigma_1"][..]),
        ("FrDyn2Linear", &["sigma_0", "sigma_1"]),
        ("LuGre", &["sigma_0", "sigma_1"]),
        ("Dahl", &["sigma_0"]),
        ("SimpackStickSlip", &["sigma_0", "sigma_1"]),
    ] {
        let variant = Variant::new(
            model(law),
            Card {
                normal_force: NORMAL_FORCE,
                ..card(law, &[])
            },
        )
        .unwrap();
        let (own, stock) = (load(&exporter, &variant), Fmu::packaged(law));
        let [mut one, mut other] = [&own, &stock].map(|fmu| fmu.instantiate(CO_SIMULATION));
        for name in bristle {
            let reference = reference(model(law), name);
            let scaled = 128.0 * model(law).variable(reference).unwrap().start.unwrap();
            let described = own
                .description
                .variables
                .iter()
                .find(|variable| variable.name == *name)
                .unwrap();
            assert_eq!(
                described
                    .start
                    .as_ref()
                    .and_then(|start| start.parse().ok()),
                Some(scaled),
                "{law}, {name}"
            );
            let status = other.set_real(&[reference], &[scaled]);
            other.ok(status);
        }
        let mut random = Random::new(70);
        for run in 0..2 {
            initialize(&mut one, None, 0.0, None);
            if run == 0 {
                initialize(&mut other, None, 0.0, None);
            }
            let mut forces = Vec::new();
            for step in 0..200 {
                let inputs = [
                    NORMAL_FORCE * random.between(0.3, 1.5),
                    random.between(-0.02, 0.02),
                ];
                let mut of = |instance: &mut Instance| {
                    let status = instance.set_real(&[0, 1], &inputs);
                    instance.ok(status);
                    let status = instance.do_step(f64::from(step) * 1e-4, 1e-4);
                    instance.ok(status);
                    let mut force = [f64::NAN];
                    let status = instance.get_real(&[F_R.reference], &mut force);
                    instance.ok(status);
                    forces.push(force[0]);
                    force[0]
                };
                let found = of(&mut one);
                if run == 0 {
                    assert_eq!(
                        found.to_bits(),
                        of(&mut other).to_bits(),
                        "{law} in step {step}"
                    );
                }
            }
            assert!(
                forces.iter().any(|force| force.abs() > 0.25 * NORMAL_FORCE),
                "{law} slides"
            );
            let log = one.take_log();
            assert!(
                !log.iter().any(|entry| entry.text.contains("unstable")),
                "{law}: {log:?}"
            );
            // The values of the card come back.
            let status = one.reset();
            one.ok(status);
        }
    }
}
