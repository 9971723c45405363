//! Derivatives of all laws by dual numbers, beside difference quotients.

use super::random;
use crate::catalogue::ELEMENTS;
use crate::law::{Contact, DiscreteState, Evaluation, Law, along};
use crate::laws::*;
use crate::variable::Values;

/// Increment over the scale of a variable, far above the rounding of an evaluation; the error by
/// curvature lies within the difference of the derivatives on both sides.
const INCREMENT: f64 = 1e-4;
/// Relative difference from the exact derivative that smooth laws stay below.
const AGREEMENT: f64 = 1e-6;
/// Relative rounding of an evaluation, as of an exponential of a sum with cancellation.
const EVALUATION: f64 = 1e-14;

/// Compares the derivatives of a law along each input and state at random contacts and states, open
/// and closed; returns the name. At a kink the difference lies between the derivatives on both
/// sides.
fn compare<L: Law<N>, const N: usize>() -> &'static str {
    let metadata = L::METADATA;
    let start = metadata
        .parameters
        .iter()
        .chain(metadata.states.iter().map(|(state, _)| state));
    let law = L::new(&Values::of(start), None).expect("a law accepts its defaults");
    let mut random = random(9);
    for _ in 0..2000 {
        let mut velocity = || random() * libm::pow(10.0, 3.0 * random() - 3.0);
        let [v, v_y, v_past] = [velocity(), velocity(), velocity()];
        let (normal, a, applied) = (10.0 * (random() + 0.8), random(), 10.0 * random());
        let contact = Contact {
            F_N: normal,
            v,
            v_y,
            a,
            F_t: applied,
            v_past,
        };
        let numerics = law.numerics(
            Contact {
                F_N: normal.abs(),
                ..contact
            },
            &[0.0; N],
            0.0,
        );
        let x: [f64; N] = core::array::from_fn(|i| random() * numerics.scale[i]);
        let discrete = L::DiscreteState::initial(contact);
        let unit = if numerics.velocity_scale.is_normal() {
            numerics.velocity_scale.min(1e-3)
        } else {
            1e-3
        };
        // The numbers of a contact, then the states.
        let [inputs, sizes] = [
            contact.numbers(),
            [normal.abs(), unit, 1.0, 10.0, unit, unit],
        ];
        for j in 0..6 + N {
            let (value, size) = if j < 6 {
                (inputs[j], sizes[j])
            } else {
                (x[j - 6], numerics.scale[j - 6])
            };
            let increment = (INCREMENT * size).max(INCREMENT * INCREMENT * value.abs());
            let with = |change: f64| {
                let (mut inputs, mut x) = (inputs, x);
                if j < 6 {
                    inputs[j] += change
                } else {
                    x[j - 6] += change
                }
                (Contact::of(inputs), x)
            };
            let (mut d_inputs, mut dx) = ([0.0; 6], [0.0; N]);
            if j < 6 {
                d_inputs[j] = 1.0
            } else {
                dx[j - 6] = 1.0
            }
            let at = |change: f64| {
                let (contact, x) = with(change);
                let Evaluation {
                    F_R: force,
                    F_R_y: across,
                    rate,
                    ..
                } = along(&law, [contact, Contact::of(d_inputs)], [&x, &dx], &discrete);
                [force, across]
                    .into_iter()
                    .chain(rate)
                    .map(|dual| (dual.value, dual.derivatives[0]))
                    .collect::<Vec<_>>()
            };
            let [low, here, high] = [-increment, 0.0, increment].map(at);
            for i in 0..2 + N {
                let numerical = (high[i].0 - low[i].0) / (2.0 * increment);
                let (value, exact) = here[i];
                let sides = [low[i].1, high[i].1];
                let kink = (sides[1] - sides[0])
                    .abs()
                    .max((exact - sides[0]).abs())
                    .max((exact - sides[1]).abs());
                let bound = AGREEMENT * exact.abs() + EVALUATION * value.abs() / increment + kink;
                let error = (numerical - exact).abs();
                let name = metadata.name;
                assert!(
                    error <= bound,
                    "{name}, {i} by {j}: {numerical} for {exact} at {contact:?}, {x:?}"
                );
            }
        }
    }
    metadata.name
}

#[test]
fn derivatives_of_all_laws_are_those_of_difference_quotients() {
    let compared = [
        compare::<frdyn2::FrDyn2, 2>(),
        compare::<frdyn2_linear::FrDyn2Linear, 2>(),
        compare::<static_regularized::StaticRegularized, 0>(),
        compare::<coulomb::Coulomb, 0>(),
        compare::<stribeck::Stribeck, 0>(),
        compare::<brown_mcphee::BrownMcPhee, 0>(),
        compare::<popp_stelter::PoppStelter, 0>(),
        compare::<non_reversible::NonReversible, 0>(),
        compare::<armstrong::Armstrong, 2>(),
        compare::<dahl::Dahl, 1>(),
        compare::<lugre::LuGre, 1>(),
        compare::<stefanski_2003::Stefanski2003, 0>(),
        compare::<stefanski_2006::Stefanski2006, 0>(),
        compare::<modelica_friction::ModelicaFriction, 0>(),
        compare::<simpack_stick_slip::SimpackStickSlip, 1>(),
        compare::<adams_stick_slip::AdamsStickSlip, 1>(),
    ];
    let missing: Vec<_> = ELEMENTS
        .iter()
        .filter(|model| !compared.contains(&model.metadata.name))
        .collect();
    assert!(
        missing.is_empty(),
        "compare {} here as well",
        missing[0].metadata.name
    );
    compare::<frdyn2::PlanarFrDyn2, 4>();
    compare::<lugre::PlanarLuGre, 2>();
    compare::<planar::PlanarStatic<static_regularized::StaticRegularized>, 0>();
    compare::<planar::PlanarStatic<stribeck::Stribeck>, 0>();
}
