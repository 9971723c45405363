//! Output derivatives while an observer moves the body.

use super::assembly;
use crate::catalogue::Setting;
use crate::coupling::{COUPLING, F_LAW, M_EFF};
use crate::element::{F_N, P_LOSS, V};

/// F_law and P_loss follow the predicted motion of the observed body, also where F_R is held.
#[test]
fn output_derivatives_with_an_observer_are_limits_of_differences() {
    let (h, difference) = (5e-4, 5e-7);
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        for coupling in [1.0, 2.0] {
            let mut element = assembly(law, |card| {
                for (parameter, start) in [(M_EFF, 2.0), (COUPLING, coupling)] {
                    card.parameters.insert(
                        parameter.reference,
                        Setting {
                            start: Some(start),
                            ..Setting::default()
                        },
                    );
                }
                card.experiment.tolerance = 1e-9;
            });
            for step in 0..20 {
                element.set(&F_N, 9.81 + 0.1 * f64::from(step));
                element.set(&V, 2e-3 * libm::sin(0.3 * f64::from(step)));
                element.advance(1e-3).unwrap();
            }
            let start = element.save();
            let mut after = |duration: f64| {
                element.restore(&start);
                element.advance(duration).unwrap();
                let rates = element.output_derivatives();
                [F_LAW, P_LOSS]
                    .map(|output| [element.value(output.reference), rates.get(output.reference)])
            };
            let [low, at, high] = [h - difference, h, h + difference].map(&mut after);
            for ((low, at), high) in low.iter().zip(at).zip(high) {
                let expected = (high[0] - low[0]) / (2.0 * difference);
                println!("{law} {coupling}: {} for {expected}", at[1]);
                assert!(
                    (at[1] - expected).abs() < 2e-3 * expected.abs(),
                    "{law}, {coupling}: {} for {expected}",
                    at[1]
                );
            }
        }
    }
}
