//! Choice of the error budget at the largest stable normal force.

use super::super::test_cases::equations;
use super::*;

#[test]
fn bristle_under_exactly_the_largest_stable_normal_force_has_the_budget_of_a_stable_one() {
    let equations = equations();
    let most = equations.max_stable_force;
    let motion = |normal_force: f64| {
        let force = 0.5 * equations.mu_s * normal_force;
        let z = 0.3 * force * equations.compliance;
        let start = BodyStart { mass: 1.0, v: 5e-3, velocity_scale: 1e-3, states: [z, 1e-3] };
        let interval =
            LoadInterval { normal: [normal_force; 2], load: [force, 1.2 * force], duration: 1e-3, tolerance: 1e-3 };
        let body = MovingBody { equations: &equations, start: &start };
        body.advance(&interval, &mut StepLimit::default()).expect("a motion")
    };
    let [below, at, above] = [most.next_down(), most, most.next_up()].map(motion);
    let change = |other: &PartialMotion<2>| (at.v - other.v).abs() / at.v.abs();
    assert_eq!(at.inner_steps, below.inner_steps);
    assert!(change(&below) < 1e-13, "{:e}", change(&below));
    // An unstable bristle has a budget of its own, which the steps show.
    assert!(above.inner_steps > at.inner_steps, "{} and {}", above.inner_steps, at.inner_steps);
}
