//! The two elements that were reconstructed from published behaviour: on the test bench they
//! reproduce \[RS\].

use crate::laws::compared;
use crate::laws::rig::{LOAD, STATIC_FRICTION, Sample, pulses, push, step_load};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::{AdamsStickSlip, Contact, SimpackStickSlip};
use bristle_tests::tolerances::{ADAMS_OFFSET, COUPLED_PEAK, DRIFT, LEFT_BY_PULSES, printed};

compared!(simpack_stick_slip:
    SimpackStickSlip::default(),
    SimpackStickSlip { sigma_0: 1e5, sigma_1: 20.0, mu_s: 0.4, mu_d: 0.35 },
);
compared!(adams_stick_slip:
    AdamsStickSlip::default(), AdamsStickSlip::paper(),
    AdamsStickSlip { Delta: 1e-5, v_s: 1e-2, v_d: 2e-2, ..AdamsStickSlip::paper() },
);

/// Pushes the body on this element.
fn bench(
    fmu: &Fmu,
    force: impl Fn(f64) -> f64,
    duration: f64,
    h: f64,
    see: impl FnMut(Sample),
) -> Sample {
    // Parameters of the paper; the default Delta is another one.
    let delta = fmu
        .description
        .variables
        .iter()
        .any(|variable| variable.name == "Delta");
    let mut element = Master::start(fmu, if delta { &[("Delta", 1e-6)] } else { &[] });
    push(
        |contact, t, h| element.step(contact, t, h),
        force,
        duration,
        h,
        see,
    )
}

#[test]
fn simpack_peak_forces_are_the_printed_ones() {
    let fmu = Fmu::packaged("SimpackStickSlip");
    for (rise, expected) in [(1e-3, 6.609), (1e-4, 6.740)] {
        let mut peak: f64 = 0.0;
        let end = bench(&fmu, step_load(0.95, rise), 7e-3, 1e-7, |sample| {
            peak = peak.max(sample.F_R)
        });
        println!("t_E = {rise:e} s: {peak} N, u = {:e} m", end.u);
        assert!(
            (peak - expected).abs() <= printed(1e-3) + COUPLED_PEAK,
            "{peak} N for {expected} N"
        );
        // Without slip: as long as the bristle force balances the load, Fig. 8c.
        assert!((end.u - 1.12e-6).abs() <= printed(1e-8), "{end:?}");
    }
}

#[test]
fn simpack_stick_does_not_drift() {
    let fmu = Fmu::packaged("SimpackStickSlip");
    let mut first: Option<Sample> = None;
    bench(&fmu, step_load(0.99, 1.0), 30.0, 1e-4, |sample| {
        if sample.t > 2.0 {
            let drift = (sample.u - first.get_or_insert(sample).u).abs();
            assert!(drift <= DRIFT, "{drift:e} m at {} s", sample.t);
        }
    });
    assert!((first.expect("a run").u - 1.1654e-6).abs() <= printed(1e-10));
}

#[test]
fn simpack_force_drops_to_f_d_at_break_away() {
    let fmu = Fmu::packaged("SimpackStickSlip");
    let mut peak: f64 = 0.0;
    let end = bench(&fmu, step_load(1.05, 0.1), 0.2, 1e-5, |sample| {
        peak = peak.max(sample.F_R)
    });
    assert!(
        end.F_R == 0.3 * LOAD && peak > 0.999 * STATIC_FRICTION,
        "{peak} N, {end:?}"
    );
}

#[test]
fn adams_rests_at_0_71_um_after_a_slow_step() {
    let fmu = Fmu::packaged("AdamsStickSlip");
    let end = bench(&fmu, step_load(0.95, 0.1), 0.3, 1e-5, |_| ());
    println!("u = {:e} m", end.u);
    assert!((end.u - 0.71e-6).abs() <= printed(1e-8), "{end:?}");
}

#[test]
fn adams_slips_under_a_fast_step_and_creeps_back() {
    let fmu = Fmu::packaged("AdamsStickSlip");
    let still = bench(&fmu, step_load(0.95, 0.1), 0.3, 1e-5, |_| ());
    let (mut highest, mut after) = (Sample::default(), Sample::default());
    let end = bench(&fmu, step_load(0.95, 1e-3), 0.3, 1e-6, |sample| {
        assert!(sample.F_R.abs() <= STATIC_FRICTION, "{sample:?}");
        if sample.u > highest.u {
            highest = sample;
        }
        if sample.t <= 0.02 {
            after = sample;
        }
    });
    let offset = end.u - still.u;
    println!(
        "highest {:e} m at {} s, {:e} m at 0.02 s, left {offset:e} m",
        highest.u, highest.t, after.u
    );
    // Fig. 9: the maximum at 3.5 ms, most of the return within 0.05 s, 0.12 µm left.
    assert!((highest.t - 3.5e-3).abs() < 1e-3, "{highest:?}");
    assert!(
        after.u - end.u > 0.2 * (highest.u - end.u),
        "it returns too fast"
    );
    assert!((offset - 0.12e-6).abs() <= ADAMS_OFFSET, "{offset:e} m");
}

#[test]
fn adams_returns_after_five_pulses() {
    let fmu = Fmu::packaged("AdamsStickSlip");
    let end = bench(&fmu, pulses, 1.1, 1e-4, |_| ());
    println!("u = {:e} m", end.u);
    assert!(end.u.abs() < LEFT_BY_PULSES, "{end:?}");
}

#[test]
fn adams_creep_is_bounded_by_its_deformation() {
    let fmu = Fmu::packaged("AdamsStickSlip");
    let mut element = Master::with_law(&fmu, &AdamsStickSlip::paper());
    for (n, v) in [5e-4, 0.1, -2e-4, -0.3, 1.0].into_iter().enumerate() {
        for i in 0..100 {
            element.step(Contact::new(LOAD, v), (100 * n + i) as f64 * 1e-3, 1e-3);
            let z = element.instance.get("z");
            assert!(z.abs() <= 1e-6, "z = {z:e} m");
            assert_eq!(element.instance.get_flag("sticking"), v.abs() <= 1e-3);
        }
        assert_eq!(element.instance.get("z"), 1e-6_f64.copysign(v));
        assert_eq!(element.instance.get("der(z)"), 0.0);
    }
}
