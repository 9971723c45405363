use super::*;

/// x' = −1000 (x − cos t) − sin t: the solution cos t, approached at 1000 1/s.
struct ProtheroRobinson;

impl System<1> for ProtheroRobinson {
    fn rate(&self, t: f64, x: &[f64; 1]) -> [f64; 1] {
        [-1000.0 * (x[0] - libm::cos(t)) - libm::sin(t)]
    }
    fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[-1000.0]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

/// The pendulum ẍ = −sin x.
struct Pendulum;

impl System<2> for Pendulum {
    fn rate(&self, _: f64, x: &[f64; 2]) -> [f64; 2] {
        [x[1], -libm::sin(x[0])]
    }
    fn jacobian(&self, _: f64, x: &[f64; 2]) -> [[f64; 2]; 2] {
        [[0.0, 1.0], [-libm::cos(x[0]), 0.0]]
    }
    fn scale(&self, _: f64, _: &[f64; 2]) -> [f64; 2] {
        [1.0; 2]
    }
}

#[test]
fn coefficients_diagonalise_the_inverse_of_the_runge_kutta_matrix() {
    // A⁻¹ = T Λ T⁻¹ must map the values c_i^k/k to the rates c_i^(k−1) of the monomials t^k/k, k = 1, 2, 3.
    for k in 1..=3 {
        let power = |c: f64, n: i32| (0..n).fold(1.0, |p, _| p * c);
        let values = NODES.map(|c| [power(c, k) / f64::from(k)]);
        let w = transform(&T_INVERSE, &values);
        let scaled = [[GAMMA * w[0][0]], [ALPHA * w[1][0] - BETA * w[2][0]], [BETA * w[1][0] + ALPHA * w[2][0]]];
        let rates = transform(&T, &scaled);
        for s in 0..3 {
            let expected = power(NODES[s], k - 1);
            assert!((rates[s][0] - expected).abs() < 1e-13, "k = {k}: {} for {expected}", rates[s][0]);
            let by_inverse: f64 = tableau::INVERSE[s].iter().zip(&values).map(|(entry, [value])| entry * value).sum();
            assert!((by_inverse - expected).abs() < 1e-13, "k = {k}: {by_inverse} for {expected}");
        }
    }
}

#[test]
fn one_step_is_of_order_five() {
    let error = |h: f64| {
        let exact = {
            let mut x = [1.0, 0.5];
            Radau::default().advance(&Pendulum, &mut x, h, 1e-15, |_| None).unwrap();
            x
        };
        let x = [1.0, 0.5];
        let Attempt::Done { z, .. } = attempt(&Pendulum, 0.0, h, &x, [[0.0; 2]; 3], &[1e15; 2]) else {
            panic!("the stage equations have a solution");
        };
        (x[0] + z[2][0] - exact[0]).abs()
    };
    // The local error is of order 6: halving the step divides it by 64.
    let ratio = error(0.4) / error(0.2);
    assert!((45.0..90.0).contains(&ratio), "{ratio}");
}

#[test]
fn a_stiff_solution_takes_few_steps_within_its_tolerance() {
    let mut x = [0.0];
    let (steps, _) = Radau::default().advance(&ProtheroRobinson, &mut x, 10.0, 1e-7, |_| None).unwrap();
    assert!((x[0] - libm::cos(10.0)).abs() < 1e-7, "{}", x[0]);
    assert!(steps < 300, "{steps} steps where an explicit method needs thousands");
}

#[test]
fn observed_steps_join_and_give_the_quadrature() {
    let mut x = [1.0, 0.0];
    let (mut end, mut area) = (0.0, 0.0);
    Radau::default()
        .advance(&Pendulum, &mut x, 3.0, 1e-9, |step: Step<2>| {
            assert_eq!(step.t, end);
            end = step.t + step.h;
            area += step.h * (0..3).map(|s| WEIGHTS[s] * step.stages[s][1]).sum::<f64>();
            None
        })
        .unwrap();
    assert!((end - 3.0).abs() < 1e-15);
    // ∫ẋ dt is the change of x.
    assert!((area - (x[0] - 1.0)).abs() < 1e-8, "{area} for {}", x[0] - 1.0);
}

#[test]
fn the_callback_ends_the_integration_within_a_step() {
    let mut x = [1.0, 0.0];
    let (_, t) = Radau::default()
        .advance(&Pendulum, &mut x, 3.0, 1e-9, |step: Step<2>| (step.t + step.h > 1.0).then(|| (1.0 - step.t) / step.h))
        .unwrap();
    let mut exact = [1.0, 0.0];
    Radau::default().advance(&Pendulum, &mut exact, 1.0, 1e-13, |_| None).unwrap();
    assert!((t - 1.0).abs() < 1e-15);
    assert!((x[0] - exact[0]).abs() < 1e-8 && (x[1] - exact[1]).abs() < 1e-8, "{x:?} for {exact:?}");
}

#[test]
fn a_solution_without_bound_is_an_error() {
    struct Explosion;
    impl System<1> for Explosion {
        fn rate(&self, _: f64, x: &[f64; 1]) -> [f64; 1] {
            [x[0] * x[0]]
        }
        fn jacobian(&self, _: f64, x: &[f64; 1]) -> [[f64; 1]; 1] {
            [[2.0 * x[0]]]
        }
        fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
            [1.0]
        }
    }
    // x = 1/(1 − t) has no value at 2.
    let mut solver = Radau::default();
    let result = solver.advance(&Explosion, &mut [1.0], 2.0, 1e-6, |_| None);
    let refused = matches!(result, Err(SolverError::StepTooSmall { t }) if (t - 1.0).abs() < 1e-3);
    assert!(refused || solver.limit.error() > 1e-3, "{result:?} {solver:?}");
}
