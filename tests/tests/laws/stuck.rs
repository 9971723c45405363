//! Coulomb and ModelicaFriction: the force of a stuck contact, and a block under an applied force.

use crate::laws::compared;
use crate::laws::rig::{LOAD, Sample, push};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::{Contact, Coulomb, ModelicaFriction};

compared!(coulomb: Coulomb::default(), Coulomb::paper(), Coulomb { mu_d: 0.6, v_small: 1e-5 });
compared!(modelica_friction:
    ModelicaFriction::default(), ModelicaFriction::paper(),
    ModelicaFriction { mu_1: 5.0, peak: 1.3, ..ModelicaFriction::paper() },
    ModelicaFriction { peak: 1.1, v_1: 5e-3, mu_v1: 0.2, v_2: 0.1, mu_v2: 0.3, v_small: 1e-4, ..ModelicaFriction::paper() },
);

/// Parameters by name.
type Parameters = &'static [(&'static str, f64)];

/// The elements with parameters for one sliding force under the body's weight, and that force.
const ELEMENTS: [(&str, Parameters, f64); 2] = [
    ("Coulomb", &[], 0.3 * LOAD),
    ("ModelicaFriction", &[("v_1", 0.0)], 0.6 * LOAD),
];

#[test]
fn stuck_block_does_not_drift_and_breaks_away_along_the_force() {
    for (name, parameters, limit) in ELEMENTS {
        let fmu = Fmu::packaged(name);
        for direction in [1.0, -1.0] {
            let mut element = Master::start(&fmu, parameters);
            // A hundred seconds below the limit, then a rise to 20 % above it.
            let force = |t: f64| {
                direction
                    * limit
                    * if t < 100.0 {
                        0.9
                    } else {
                        0.9 + 0.3 * (t - 100.0).min(1.0)
                    }
            };
            let end = push(
                |contact, t, h| element.step(contact, t, h),
                force,
                101.0,
                1e-3,
                |Sample { t, u, v, F, F_R }| {
                    if t < 100.0 {
                        assert_eq!(F_R, F, "{name} at {t} s");
                    }
                    if F.abs() < limit {
                        assert!(
                            u == 0.0 && v == 0.0,
                            "{name} moves at {t} s: {u} m, {v} m/s"
                        );
                    }
                },
            );
            assert!(
                direction * end.v > 0.0 && direction * end.F_R == limit,
                "{name}: {end:?}"
            );
            assert_eq!(element.instance.get_whole("mode"), direction as i32);
        }
    }
}

#[test]
fn sliding_block_comes_to_rest() {
    for (name, parameters, limit) in ELEMENTS {
        let fmu = Fmu::packaged(name);
        let mut element = Master::start(&fmu, parameters);
        let h = 1e-4;
        // Twice the limit for 0.1 s: v = limit · 0.1 s/m; then half of it the other way: stopped
        // after 0.067 s.
        let force = |t: f64| if t < 0.1 { 2.0 * limit } else { -0.5 * limit };
        let end = push(
            |contact, t, h| element.step(contact, t, h),
            force,
            0.5,
            h,
            |_| (),
        );
        assert_eq!(element.instance.get_whole("mode"), 0, "{name}");
        // The remaining velocity is at most that lost in the last step.
        assert!(
            end.v.abs() <= 1.5 * limit * h && end.F_R == end.F,
            "{name}: {end:?}"
        );
        assert!(element.instance.get_flag("sticking"));
    }
}

#[test]
fn starting_mode_ends_with_velocity_or_without_force() {
    let fmu = Fmu::packaged("ModelicaFriction");
    let mut element = Master::with_law(
        &fmu,
        &ModelicaFriction {
            peak: 1.2,
            ..ModelicaFriction::paper()
        },
    );
    let f_0 = 0.5 * LOAD;
    let mut t = 0.0;
    for (v, push, force, mode, start) in [
        (0.0, 1.1 * f_0, 1.1 * f_0, 0, 0),
        (0.0, 1.3 * f_0, f_0, 0, 1),
        (-5e-4, 1.1 * f_0, f_0, 0, 1),
        (-5e-4, 0.9 * f_0, 0.9 * f_0, 0, 0),
        (-5e-4, -1.3 * f_0, -f_0, -1, 0),
        (0.0, 1.3 * f_0, f_0, 0, 1),
        (1e-9, 0.0, f_0, 1, 0),
        (0.0, 0.0, 0.0, 0, 0),
    ] {
        let found = element.step(
            Contact {
                F_N: LOAD,
                v,
                a: 0.0,
                F_t: push,
            },
            t,
            1e-3,
        );
        assert!(
            (found - force).abs() <= 1e-12 * f_0,
            "{found} N for {force} N at v = {v} m/s, F_t = {push} N"
        );
        assert_eq!(
            ["mode", "start"].map(|name| element.instance.get_whole(name)),
            [mode, start],
            "{v}, {push}"
        );
        assert_eq!(
            element.instance.get_flag("sticking"),
            mode == 0 && start == 0
        );
        t += 1e-3;
    }
}
