//! Derivatives by F_N in the plane where viscous friction acts, which does not depend on F_N.

use super::random;
use crate::catalogue::ELEMENTS;
use crate::element::{F_N, F_R, F_R_Y, V_X, V_Y};
use crate::variable::Values;

#[test]
fn derivatives_by_the_normal_force_agree_with_differences_under_viscous_friction() {
    let mut compared = 0;
    for model in ELEMENTS.iter().filter_map(|model| model.planar) {
        let Some(viscous) = model
            .variables()
            .find(|variable| variable.name == "sigma_2")
        else {
            continue;
        };
        let mut element = model.instantiate();
        element.set(viscous, 40.0);
        element.apply_parameters().expect("viscous friction");
        let mut random = random(3);
        for _ in 0..200 {
            let (normal, v) = (6.0 + 5.0 * random(), [0.2 * random(), 0.2 * random()]);
            for (input, value) in [(&F_N, normal), (&V_X, v[0]), (&V_Y, v[1])] {
                element.set(input, value);
            }
            element.advance(1e-2).expect("a step");
            let mut seed = Values::ZERO;
            seed[&F_N] = 1.0;
            let exact = element.directional_derivative(&seed);
            let mut moved = |d: f64| {
                element.set(&F_N, normal + d);
                element.evaluate().expect("outputs");
                [&F_R, &F_R_Y].map(|force| element.values()[force])
            };
            let d = 1e-5;
            let (below, above) = (moved(-d), moved(d));
            let [x, y] = [0, 1].map(|i| (above[i] - below[i]) / (2.0 * d));
            let error = (exact[&F_R] - x).abs().max((exact[&F_R_Y] - y).abs());
            let name = model.metadata.name;
            assert!(
                error <= 1e-5 * (x.abs() + y.abs() + 0.1),
                "{name}: [{x}, {y}] at {normal} N, {v:?} m/s: off by {error:e}"
            );
            compared += 1;
        }
    }
    assert!(
        compared >= 600,
        "laws with viscous friction in the plane: {compared} cases"
    );
}
