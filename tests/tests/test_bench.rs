//! The paper's virtual test bench through the packaged FMU (Rill & Schuderer 2023, Sec. 3–5,
//! Listing A1): the results that its authors print. |F_R| ≤ F_s is checked in every step of every
//! run, by the bench itself.

use bristle_importer::fmu::Fmu;
use bristle_reference_laws::frdyn2::{PAPER, test_bench};
use bristle_rigs::test_bench::{G, MASS, StepLoad};
use bristle_tests::test_bench::{Bench, DYNAMIC_FRICTION, STATIC_FRICTION, Sample};
use bristle_tests::tolerances::{
    BREAK_AWAY_DEFLECTION, CHARACTERISTIC, COUPLED_REST, DRIFT, FIRST_ORDER, FOLLOWED_STEP,
    PRINTED_ACCELERATION, PRINTED_TIME, SMALL_OVERSHOOT, printed,
};

/// The end of Listing A1's time span, in which the bristle has come to rest.
fn end_of_span(load: &StepLoad) -> f64 {
    1.75 * load.duration + 15.0 * PAPER.sigma_1 / PAPER.sigma_0
}

/// A load that rises to `ratio` F_s within `duration`.
fn load(ratio: f64, duration: f64) -> StepLoad {
    StepLoad {
        force: ratio * STATIC_FRICTION,
        duration,
    }
}

/// The samples of a run until `end` (s).
fn run(fmu: &Fmu, load: StepLoad, h: f64, end: f64) -> impl Iterator<Item = Sample> {
    Bench::at_rest(fmu, load, h)
        .run()
        .take((end / h).round() as usize)
}

/// The last sample of Listing A1's run.
fn end(fmu: &Fmu, load: StepLoad, h: f64) -> Sample {
    run(fmu, load, h, end_of_span(&load))
        .last()
        .expect("a run has steps")
}

#[test]
fn load_of_0_99_f_s_sticks_for_300_s_without_drift() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = load(0.99, 30.0);
    let mut held = run(&fmu, load, 1e-4, 300.0).skip_while(|sample| sample.t < 31.0);
    let first = held.next().expect("the run is longer than 31 s");
    println!("31 s: {first:?}");
    for expected in [first.u, first.z] {
        assert!(
            (expected - 1.1654e-6).abs() <= printed(1e-10),
            "u_st = {expected}, printed as 1.1654e-6"
        );
    }
    let mut worst: f64 = 0.0;
    for sample in held {
        let drift = (sample.u - first.u).abs().max((sample.z - first.z).abs());
        assert!(drift <= DRIFT, "{drift} m of drift at t = {}", sample.t);
        assert!(
            (sample.F_R - load.force).abs() <= COUPLED_REST * STATIC_FRICTION,
            "F_R is not F in {sample:?}"
        );
        assert!(sample.sticking, "slips at t = {}", sample.t);
        worst = worst.max(drift);
    }
    println!("drift from 31 s to 300 s: {worst:e} m");
}

#[test]
fn slow_ramp_breaks_away_at_f_s_and_slides_with_f_d() {
    let fmu = Fmu::packaged("FrDyn2");
    for h in [1e-4, 1e-5] {
        let load = load(1.05, 10.0);
        let mut samples = run(&fmu, load, h, 11.0).skip_while(|sample| sample.sticking);
        let broken = samples.next().expect("it breaks away");
        println!("H = {h:.0e} s: breaks away at {broken:?}");
        assert!(
            (broken.t - 8.6808).abs() <= PRINTED_TIME + h,
            "t_B = {}, printed as 8.6808 s",
            broken.t
        );
        let deflection = MASS * G * PAPER.mu_s / PAPER.sigma_0;
        for reached in [broken.u, broken.z] {
            assert!(
                (reached - deflection).abs() <= BREAK_AWAY_DEFLECTION,
                "{reached} for x_R = {deflection}"
            );
        }

        let mut last = broken;
        let (mut worst, mut a_max): (f64, f64) = (0.0, 0.0);
        for sample in samples {
            // Fig. 5: the characteristic, shifted by v_s. F_R belongs to the velocity given at the
            // step's start.
            let departure = (sample.F_R - characteristic(last.v)).abs();
            assert!(
                departure <= CHARACTERISTIC * STATIC_FRICTION,
                "{departure} N beside F_R(v) in {sample:?}"
            );
            worst = worst.max(departure);
            if sample.t > load.duration {
                let a = (sample.F - sample.F_R) / MASS;
                assert!(
                    (a - 3.237).abs() <= PRINTED_ACCELERATION,
                    "a = {a}, printed as 3.237 m/s² for t > 10 s"
                );
                a_max = a_max.max(a);
            }
            last = sample;
        }
        println!("H = {h:.0e} s: a_max = {a_max} m/s², {worst:.2e} N beside F_R(v)");
    }
}

/// The characteristic as the sliding contact uses it: shifted by v_s to the left, so that it begins
/// with F_s.
fn characteristic(v: f64) -> f64 {
    let x = (v / (PAPER.v_d - PAPER.v_s)).clamp(0.0, 1.0);
    STATIC_FRICTION - (STATIC_FRICTION - DYNAMIC_FRICTION) * x * x * (3.0 - 2.0 * x)
}

#[test]
fn load_step_of_0_1_s_is_balanced_by_friction() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = load(0.95, 1e-1);
    let mut worst: f64 = 0.0;
    for sample in run(&fmu, load, 1e-6, end_of_span(&load)) {
        let lag = (sample.F_R - sample.F).abs() / STATIC_FRICTION;
        assert!(lag <= FOLLOWED_STEP, "F_R is not F in {sample:?}");
        worst = worst.max(lag);
    }
    let u = end(&fmu, load, 1e-4).u;
    println!("u_st = {u:e} m at H = 1e-4 s, F_R follows F within {worst:.1e} F_s at H = 1e-6 s");
    assert!(
        (u - 1.12e-6).abs() <= printed(1e-8),
        "u_st = {u}, printed as 1.12e-6 m"
    );
}

#[test]
fn load_step_of_0_01_s_overshoots_little() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = load(0.95, 1e-2);
    for h in [1e-4, 1e-5] {
        let peak = run(&fmu, load, h, end_of_span(&load)).max_by(|a, b| a.F_R.total_cmp(&b.F_R));
        let peak = peak.expect("a run has steps");
        let overshoot = peak.F_R / load.force - 1.0;
        println!(
            "H = {h:.0e} s: overshoot {:.2} % at {} s",
            100.0 * overshoot,
            peak.t
        );
        assert!(
            peak.t > load.duration && 0.0 < overshoot && overshoot < SMALL_OVERSHOOT,
            "{peak:?}"
        );
    }
}

#[test]
fn load_step_of_1_ms_slips_and_converges_with_first_order() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = load(0.95, 1e-3);
    let [limit, ..] = test_bench(PAPER, MASS, MASS * G, |t| load.at(t), end_of_span(&load));
    println!("monolithic: u_st = {limit:e} m");
    assert!(
        (limit - 2.27e-6).abs() <= printed(1e-8),
        "u_st = {limit}, printed as 2.27e-6 m"
    );
    let mut larger_step = None;
    // Figures of an independent prototype with the same coupling.
    for (h, expected, digit) in [
        (1e-4, 2.396e-6, 1e-9),
        (1e-5, 2.2865e-6, 1e-10),
        (1e-6, 2.274e-6, 1e-9),
    ] {
        let Sample { u, .. } = end(&fmu, load, h);
        let error = u - limit;
        println!("H = {h:.0e} s: u_st = {u:e} m, {error:.3e} m from the limit");
        assert!(
            (u - expected).abs() <= printed(digit),
            "u_st = {u} for {expected} at H = {h}"
        );
        if let Some(larger_step) = larger_step.replace(error) {
            let order = libm::log10(larger_step / error);
            assert!(
                (order - 1.0).abs() <= FIRST_ORDER,
                "order {order} at H = {h}"
            );
        }
    }
}

#[test]
fn load_step_of_0_1_ms_stays_below_f_s_and_converges_to_the_monolithic_end() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = load(0.95, 1e-4);
    let [limit, ..] = test_bench(PAPER, MASS, MASS * G, |t| load.at(t), end_of_span(&load));
    let errors = [1e-5, 1e-6].map(|h| end(&fmu, load, h).u - limit);
    println!("monolithic: u = {limit:e} m; at H = 1e-5 s and 1e-6 s {errors:?} m from it");
    let order = libm::log10(errors[0] / errors[1]);
    assert!((order - 1.0).abs() <= FIRST_ORDER, "order {order}");
}
