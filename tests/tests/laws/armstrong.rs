//! Armstrong's seven parameters: dwell time and memory.

use crate::laws::compared;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{WEIGHT, steps};
use bristle_reference_laws::{Armstrong, Contact};
use bristle_tests::tolerances::BREAK_AWAY_STEP;

compared!(by_its_judge:
    Armstrong::default(), Armstrong::paper(),
    Armstrong { sigma_0: 1e4, sigma_2: 3.0, mu_s_0: 0.35, mu_s: 0.65, gamma: 0.02, ..Armstrong::paper() },
    Armstrong { tau: 0.0, mu_s_0: 0.0, ..Armstrong::paper() },
    Armstrong { tau: 0.012, v_Stribeck: 1e-3, ..Armstrong::paper() },
);

fn contact(v: f64) -> Contact {
    Contact::new(WEIGHT, v)
}

#[test]
fn break_away_force_grows_with_dwell_time() {
    let fmu = Fmu::packaged("Armstrong");
    let mut last = 0.0;
    for dwell in [1e-2, 1.0, 60.0, 3600.0, 36_000.0] {
        let mut element = Master::with_law(&fmu, &Armstrong::paper());
        element.step(contact(0.0), 0.0, dwell);
        // Nearly there at once, then slowly.
        element.step(contact(1e-3), dwell, 2.6e-3);
        let (start, h, v) = (dwell + 2.6e-3, 1e-6, 1e-5);
        let forces = (0..40_000).map(|n| element.step(contact(v), start + f64::from(n) * h, h));
        let peak = forces.fold(0.0, f64::max);
        // At break-away it has dwelt for as long as the spring needs besides.
        let dwelt = start + (peak - 2.6) / 1e6 / v;
        let expected = WEIGHT * (0.25 + 0.02 + 0.03 * dwelt / (dwelt + 1.0));
        println!("after {dwell} s: {peak} N");
        assert!(
            (peak - expected).abs() <= BREAK_AWAY_STEP,
            "{peak} N for {expected} N"
        );
        assert!(peak > last, "after {dwell} s");
        last = peak;
    }
}

#[test]
fn force_lags_behind_the_velocity() {
    // v = 0.02 + 0.015 sin(2π10t): one direction only. At the same velocity the force is that of 5
    // ms ago.
    let fmu = Fmu::packaged("Armstrong");
    let mut element = Master::with_law(&fmu, &Armstrong::paper());
    let h = 1e-4;
    let forces: Vec<[f64; 2]> = (0..2000)
        .map(|n| {
            let t = f64::from(n) * h;
            let v = 0.02 + 0.015 * libm::sin(core::f64::consts::TAU * 10.0 * t);
            [v, element.step(contact(v), t, h)]
        })
        .collect();
    // A quarter of a period around the rise and the fall through 0.02 m/s.
    let [rising, falling] = [forces[1000], forces[1500]];
    assert!((rising[0] - falling[0]).abs() < 1e-9);
    println!("{} N and {} N at {} m/s", rising[1], falling[1], rising[0]);
    assert!(
        rising[1] > falling[1] + 0.02,
        "less velocity 5 ms ago is more force"
    );
}

#[test]
fn stick_spring_starts_at_the_sliding_force() {
    let fmu = Fmu::packaged("Armstrong");
    let mut element = Master::with_law(
        &fmu,
        &Armstrong {
            sigma_2: 5.0,
            ..Armstrong::paper()
        },
    );
    // Steps shorter than the delay: at the capture the velocity of 5 ms ago is still known as it
    // was.
    let mut sliding = 0.0;
    for t in steps(0.1, 1e-3) {
        sliding = element.step(contact(0.1), t, 1e-3) - 5.0 * 0.1;
    }
    assert_eq!(element.instance.get_whole("mode"), 1);
    let held = element.step(contact(0.0), 0.1, 0.01);
    assert!(element.instance.get_flag("sticking"));
    assert!(
        (held - sliding).abs() < 1e-6 * WEIGHT,
        "{held} N for {sliding} N"
    );
    let held = element.step(contact(-1e-6), 0.11, 0.1);
    assert!(
        (held - (sliding - 1e6 * 1e-7)).abs() < 1e-6 * WEIGHT,
        "{held} N"
    );
    // No drift at rest.
    let rest = element.step(contact(0.0), 0.21, 1e4);
    assert!((rest - held).abs() < 1e-12, "{rest} N for {held} N");
}
