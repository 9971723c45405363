//! Errors that an inner step is allowed.

use super::*;
use crate::catalogue::find;
use crate::element::AnyElement;

#[test]
fn allowed_error_is_the_tolerance_of_the_scale_and_the_rounding_of_the_value() {
    assert_eq!(allowed(2.0, 0.0, 1e-6), 2e-6);
    let rounding = allowed(2.0, -1e6, 1e-6) - 2e-6;
    assert!((rounding - 1e-8).abs() < 1e-20, "{rounding:e}");
    assert!(allowed(0.0, 0.0, 1e-6) > 0.0);
}

#[test]
fn contact_is_open_where_no_end_has_a_normal_force() {
    assert!(is_open([-1.0, 0.0]) && is_open([0.0, 0.0]));
    assert!(!is_open([-1.0, 1.0]) && !is_open([1.0, -1.0]));
}

#[test]
fn event_is_guessed_on_the_line_between_its_indicators_from_either_side_and_bisected_every_third_time() {
    let mut integrator = Integrator::new(1, 1, 1);
    integrator.indicators = [vec![[1.0, 1.0, 5.0, 1.0]], vec![[1.0, -3.0, 4.0, 1.0]]];
    let guesses = [0, 1, 2].map(|made| integrator.guess([0.0, 4.0], 1e-3, made));
    assert!((guesses[0] - (1.0 - 4e-4)).abs() < 1e-12 && (guesses[1] - (1.0 + 4e-4)).abs() < 1e-12, "{guesses:?}");
    assert_eq!(guesses[2], 2.0);
    // Without a change of sign the bracket is halved, and a guess at an end stays within.
    integrator.indicators[1][0][1] = 0.5;
    assert_eq!(integrator.guess([0.0, 4.0], 1e-3, 0), 2.0);
    integrator.indicators[1][0][1] = -1e12;
    assert_eq!(integrator.guess([0.0, 4.0], 1e-3, 0), 1e-4);
}

#[test]
fn contact_that_closes_begins_as_an_open_one() {
    const DEFLECTION: f64 = 1e-6;
    for name in ["Dahl", "LuGre"] {
        let model = find(name).expect("a law");
        let mut element = model.instantiate();
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        let contacts: Vec<Box<dyn AnyElement>> = vec![element];
        let body = LinearBody { size: 1, axes: 1, rates: vec![0.0], inputs: vec![1e-9], outputs: vec![1.0] };
        // F_N at the start and at the end of the interval, N.
        let mean = |normal: [f64; 2]| {
            let mut integrator = Integrator::new(1, 1, 1);
            integrator.interval.normal[0] = normal;
            (integrator.interval.duration, integrator.interval.tolerance) = (1e-3, 1e-8);
            integrator.motion.x[0][0] = DEFLECTION;
            let mut first_step = 0.0;
            integrator.advance(&body, &contacts[..], &mut first_step, &mut StepLimit::default()).expect("a motion");
            integrator.totals.mean[0][0]
        };
        // A heavy body at rest: a deflection from before has its elastic force.
        assert!(mean([100.0, 100.0]) > 1.0, "{name}");
        assert_eq!(mean([0.0, 100.0]), 0.0, "{name}");
    }
}
