//! Scales, stiffnesses and derivatives of the laws that only the error control, Newton's iteration
//! and the tuning see.

use super::{springs, variable};
use crate::catalogue::{ELEMENTS, find};
use crate::law::{Contact, Law, Spring, linearised, quasi_static_response, static_force};
use crate::laws::adams_stick_slip::AdamsStickSlip;
use crate::laws::axes::NoModes;
use crate::laws::dahl::Dahl;
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::laws::simpack_stick_slip::SimpackStickSlip;

/// A law of the catalogue with these parameters.
fn law<L: Law<N>, const N: usize>(changes: &[(&str, f64)]) -> L {
    let model = find(L::METADATA.name).expect("a law of the catalogue");
    let mut element = model.instantiate();
    for (name, value) in changes {
        element.set(variable(model, name), *value);
    }
    L::new(element.values(), None).expect("parameters")
}

/// Scale of the deflection, m, under 10 N.
fn scale<L: Law<1>>(law: &L, z: f64) -> f64 {
    law.numerics(Contact::new(10.0, 0.01), &[z], 0.0).scale[0]
}

#[test]
fn scale_of_a_deflection_is_that_under_the_static_friction_force_or_the_larger_one_that_it_has() {
    let changes = [("sigma_0", 2.5e5)];
    let (simpack, dahl) = (
        law::<SimpackStickSlip, 1>(&changes),
        law::<Dahl, 1>(&changes),
    );
    let under = |static_force: f64| static_force / 2.5e5;
    let [of_simpack, of_dahl] = [static_force(&simpack, 10.0), static_force(&dahl, 10.0)]
        .map(|force| if force > 1.0 { under(force) } else { 0.0 });
    for (found, expected) in [
        (scale(&simpack, 0.0), of_simpack),
        (scale(&dahl, 0.0), of_dahl),
    ] {
        assert!(
            (found / expected - 1.0).abs() < 1e-12,
            "{found} m for {expected} m"
        );
    }
    assert_eq!([scale(&simpack, -1.0), scale(&dahl, 1.0)], [1.0; 2]);
    assert_eq!(
        scale(&law::<AdamsStickSlip, 1>(&[("Delta", 3e-5)]), 0.0),
        3e-5
    );
}

#[test]
fn elements_have_a_stiffness_where_their_first_state_is_a_deflection() {
    for model in &ELEMENTS {
        let name = model.metadata.name;
        let is_spring = springs().any(|(spring, ..)| spring.metadata.name == name);
        let mut element = model.instantiate();
        element.initialize().expect("start values");
        let stiffness = element.start().stiffness;
        assert_eq!(stiffness > 0.0, is_spring, "{name}: {stiffness}");
        assert!(is_spring || stiffness == 0.0, "{name}: {stiffness}");
    }
}

#[test]
fn derivative_of_the_smoothed_rate_of_dahl_is_the_limit_of_differences() {
    let printed = law::<Dahl, 1>(&[("alpha", 0.5)]);
    assert!(
        law::<Dahl, 1>(&[("alpha", 1.0)]).coupled(0.1).is_none()
            && law::<Dahl, 1>(&[("alpha", 2.0)]).coupled(0.1).is_none()
    );
    // Far above the tolerances of elements, so that differences see the smoothed part.
    let smoothed = printed.coupled(0.1).expect("a law with a singularity");
    let (contact, steady) = (Contact::new(10.0, 0.01), scale(&printed, 0.0));
    let rate = |law: &Dahl, z: f64| law.evaluate(contact, &[z], &NoModes).rate[0];
    for share in [0.5, 0.9, 0.96, 0.99, 1.0, 1.01, 1.03, 1.2] {
        let (z, d) = (share * steady, 1e-6 * steady);
        let [[found]] = linearised(&smoothed, contact, &[z], &NoModes).1.rate_x;
        let difference = (rate(&smoothed, z + d) - rate(&smoothed, z - d)) / (2.0 * d);
        assert!(
            (found / difference - 1.0).abs() < 1e-6,
            "{share}: {found} 1/s for {difference} 1/s"
        );
        // It is the printed rate away from the singularity, and has no jump of its slope there.
        let change = (rate(&smoothed, z) / rate(&printed, z) - 1.0).abs();
        assert_eq!(
            change < 0.02,
            (share - 1.0_f64).abs() > 0.1,
            "{share}: {change}"
        );
    }
}

#[test]
fn response_of_frdyn2_linear_is_its_bristle_in_stick_and_viscous_friction_in_full_sliding() {
    let law = law::<FrDyn2Linear, 2>(&[("sigma_2", 7.0)]);
    let response =
        |v: f64, z: f64| quasi_static_response(&law, Contact::new(10.0, v), &[z, 0.0], &NoModes);
    let expected = |stiffness, damping| Spring { stiffness, damping };
    assert_eq!(response(0.0, 1e-7), expected(5e6, 3192.75));
    // On the falling branch, and beyond v_d.
    assert_eq!(
        [response(3e-3, 6e-7), response(0.1, 6e-7)],
        [expected(0.0, 0.0), expected(0.0, 7.0)]
    );
}
