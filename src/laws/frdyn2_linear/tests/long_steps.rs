//! Steps over many cycles of stick and slip, and over stiff stick under a falling normal force.

use super::*;

/// Stick and slip by turns, some hundred cycles under a load beyond the stability limit of the bristle.
#[test]
fn one_step_over_many_cycles_has_the_loss_of_short_ones_and_bounded_work() {
    let law = law();
    let trajectory = InputTrajectory::held(Contact::new(5e3, 6e-3));
    let run = |steps: u32| {
        let (mut x, mut radau, mut inner_steps, mut loss) = ([0.0; 2], Radau::default(), 0, 0.0);
        for _ in 0..steps {
            let done = law.advance(&trajectory, &mut x, &mut (), 0.5 / f64::from(steps), 1e-6, &mut radau).unwrap();
            (inner_steps, loss) = (inner_steps + done.inner_steps, loss + done.loss);
        }
        (inner_steps, loss, x)
    };
    let ((inner_steps, loss, x), (of_short, expected, x_short)) = (run(1), run(50));
    assert!(inner_steps < 2000 && of_short < 6000, "{inner_steps} and {of_short} inner steps");
    assert!((loss / expected - 1.0).abs() < 1e-8, "{loss} J, not {expected} J");
    assert!((x[0] / x_short[0] - 1.0).abs() < 1e-8 && (x[1] - 6e-3).abs() < 1e-6, "{x:?} beside {x_short:?}");
}

/// F_N falls until a contact slips that is too stiff for series in stick: the general integrator follows it while it sticks.
#[test]
fn stiff_stick_under_a_falling_normal_force_agrees_with_the_general_integrator_in_few_steps() {
    let (law, oracle) = (law(), law().with_general_integrator());
    const H: f64 = 0.01;
    for (normal, ratio, v, most) in
        [(1e3, 0.99, 1e-6, 350), (1e3, 0.999, 1e-4, 500), (1e5, 0.97, 1e-4, 200), (1e5, 0.999, 1e-4, 250)]
    {
        let start = Contact::new(normal, v);
        let derivatives = [Contact::new(-0.3 * normal / H, 0.0), Contact::ZERO, Contact::ZERO];
        let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        let x = [(0.6 * normal * ratio - 3192.75 * v) / 5e6, 0.0];
        let (mut end, mut expected) = (x, x);
        let done = law.advance(&trajectory, &mut end, &mut (), H, 1e-6, &mut Radau::default()).unwrap();
        let (loss, inner_steps) = (done.loss, done.inner_steps);
        let tight = oracle.advance(&trajectory, &mut expected, &mut (), H, 1e-10, &mut Radau::default()).unwrap();
        let scale = oracle.scale(trajectory.at(H), &expected);
        let error = (0..2).fold(0.0, |most: f64, i| most.max((end[i] - expected[i]).abs() / scale[i]));
        let said = format!("{normal} N, {ratio}, {v} m/s: {inner_steps} inner steps");
        assert!(
            error < 1e-6 && (loss / tight.loss - 1.0).abs() < 1e-6,
            "{said}: {error:e}, {loss} J, not {} J",
            tight.loss
        );
        assert!(inner_steps < most, "{said}");
    }
}
