//! Stick under moving velocities against a fine integration of its linear equations.

use super::*;
use crate::integrate::radau::Radau;
use crate::integrate::runge_kutta::runge_kutta;
use crate::law::{Contact, Law};
use crate::laws::frdyn2::metadata::{SIGMA_0, SIGMA_1};
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::laws::frdyn2_linear::metadata::SIGMA_2;
use crate::laws::regularised::{MU_D, MU_S, V_D, V_S};
use crate::variable::Values;

/// Steps of the reference.
const FINE: u32 = 2000;

/// z, e and ∫F_R v dt after `duration` by the classical Runge–Kutta method, from z′ = v − e, e′ = v′ − λe and F_R = σ_0 z + σ_1 v + k e.
fn reference(equations: &Equations, stick: &Stick, v: [f64; 4], start: [f64; 2], duration: f64) -> [f64; 3] {
    let at = |t: f64| value(&v, t);
    let rate = |t: f64, [z, e, _]: [f64; 3]| {
        let slope = v[1] + t * (2.0 * v[2] + t * 3.0 * v[3]);
        let force = equations.base.sigma_0 * z + equations.base.sigma_1 * at(t) + stick.k * e;
        [at(t) - e, slope - stick.lambda * e, force * at(t)]
    };
    runge_kutta(rate, [start[0], start[1], 0.0], [0.0, duration], FINE)
}

#[test]
fn state_and_loss_are_those_of_the_linear_equations_around_the_time_of_the_transient() {
    let mut values = Values::of(Equations::METADATA.parameters);
    values[&SIGMA_2] = 0.0;
    let equations = Equations::new(&values).expect("the defaults");
    let start = Contact::new(10.0, 2e-4);
    let stick = Stick::new(&equations, 10.0);
    for lengths in [0.5, 1.0, 3.0] {
        let h = lengths / stick.lambda;
        // Each order changes v by as much within the step as v itself.
        for orders in [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 6.0], [1.0, -3.0, 5.0]] {
            let [first, second, third] = [0, 1, 2].map(|i| Contact {
                F_N: 0.0,
                v: orders[i] * 2e-4 / [h, h * h, h * h * h][i],
                ..Contact::ZERO
            });
            let derivatives = [first, second, third];
            let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            let slip = -1.5e-4;
            let x = [1e-7, start.v - slip];
            let part = moving_stick(&equations, &trajectory, h, &x).expect("stick");
            // The bounds may prove a part only.
            let h = part.length;
            let v = [start.v, first.v, second.v / 2.0, third.v / 6.0];
            let [z, e, loss] = reference(&equations, &stick, v, [x[0], slip], h);
            let z_dot = value(&v, h) - e;
            for (found, expected, scale) in
                [(part.x[0], z, 1e-7), (part.x[1], z_dot, 2e-4), (part.loss, loss, stick.F_s * 2e-4 * h)]
            {
                assert!((found - expected).abs() < 1e-9 * scale, "{lengths}/λ, {orders:?}: {found:e} for {expected:e}");
            }
        }
    }
}

#[test]
fn loss_of_a_step_far_shorter_than_the_time_constant_keeps_its_digits() {
    // λH is 0.004, the terms of p are 10⁷ times as large as v, and the loss was wrong by 0.6 %. The loss by many short steps of another
    // integrator.
    let values = [
        (&MU_S, 0.545_343_489_484_286_2),
        (&V_S, 0.019_371_862_391_345_77),
        (&MU_D, 0.438_349_629_032_350_5),
        (&V_D, 0.019_746_258_750_847_633),
        (&SIGMA_1, 8_204.124_225_627_642),
        (&SIGMA_0, 869_470.862_679_864_6),
        (&SIGMA_2, 0.190_924_897_225_964_42),
    ];
    let mut all = Values::of(Equations::METADATA.parameters);
    values.into_iter().for_each(|(variable, value)| all[variable] = value);
    let law = FrDyn2Linear::new(&all).expect("parameters");
    let orders = [-0.031_109_490_021_967_38, -8_699.500_163_635_363, -6_498_831_051.857_87];
    let derivatives = orders.map(|v| Contact::new(0.0, v));
    let start = Contact::new(324.197_735_046_861_8, 0.0);
    let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
    let mut x = [5.589_682_328_144_038e-5, 2.972_446_820_697_712e-6];
    let step = law.advance(&trajectory, &mut x, &mut (), 4.820_971_028_621_224e-6, 1e-6, &mut Radau::default());
    let loss = step.expect("a step").loss;
    assert!((loss / -3.255_401_553_414_419e-11 - 1.0).abs() < 1e-9, "{loss:e}");
}

#[test]
fn stick_under_a_moving_normal_force_is_left_to_another_method() {
    let equations = Equations::new(&Values::of(Equations::METADATA.parameters)).expect("the defaults");
    let start = Contact::new(10.0, 2e-4);
    let h = 1.0 / Stick::new(&equations, 10.0).lambda;
    for order in 0..3 {
        let part = |change: f64| {
            let mut derivatives = [Contact::new(0.0, 1e-5 / h), Contact::ZERO, Contact::ZERO];
            derivatives[order].F_N = change;
            let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            moving_stick(&equations, &trajectory, h, &[1e-7, start.v]).map(|part| part.length)
        };
        assert!(part(0.0).is_some_and(|length| length > 0.0), "{order}");
        assert_eq!(part(1e-3), None, "derivative {order} of F_N");
    }
}
