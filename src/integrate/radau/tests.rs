use super::newton::transform;
use super::*;
use crate::integrate::step_limit::MAX_LIMIT;
use crate::integrate::step_limit::StepLimit;
use crate::ode::tableau::{self, ALPHA, BETA, ESTIMATE, STAGE_POLYNOMIALS, START_FROM_STAGES, T, T_INVERSE, WEIGHTS};
use core::cell::Cell;

mod estimate;
mod failures;
mod stage_equations;

/// x' = −1000 (x − cos t) − sin t: the solution cos t, approached at 1000 1/s.
struct ProtheroRobinson;

impl System<1> for ProtheroRobinson {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

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
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

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

/// c to the power n.
fn power(c: f64, n: i32) -> f64 {
    (0..n).fold(1.0, |p, _| p * c)
}

#[test]
fn coefficients_of_quadrature_start_and_estimate_fulfil_their_conditions_of_order() {
    let sum = |coefficients: [f64; 3], n: i32| -> f64 { (0..3).map(|i| coefficients[i] * power(NODES[i], n)).sum() };
    for n in 0..5 {
        assert!((sum(WEIGHTS, n) - 1.0 / f64::from(n + 1)).abs() < 1e-15, "order {n} of the weights");
    }
    for (n, value) in [(0, 1.0), (1, 0.0), (2, 0.0)] {
        assert!((sum(START_FROM_STAGES, n) - value).abs() < 1e-14, "power {n} at the start");
    }
    for (n, slope) in [(1, 1.0), (2, 0.0), (3, 0.0)] {
        assert!((sum(ESTIMATE, n) + slope).abs() < 1e-13, "slope of the power {n} at the start");
    }
    for (i, [first, second, third]) in STAGE_POLYNOMIALS.into_iter().enumerate() {
        for (j, c) in NODES.into_iter().enumerate() {
            let value = c * (first + c * (second + c * third));
            assert!((value - f64::from(u8::from(i == j))).abs() < 1e-14, "{value} of {i} at {j}");
        }
    }
}

#[test]
fn polynomial_of_a_step_goes_through_its_start_and_stages_and_continues_in_the_next_guess() {
    // 2 − 3s + s² + 5s³, over two steps, the second 0.7 times as long.
    let value = |s: f64| 2.0 + s * (-3.0 + s * (1.0 + s * 5.0));
    let stages = NODES.map(|c| [value(c)]);
    let step = Step { relaxation: 1.0, t: 0.0, h: 1.0, start: &[value(0.0)], stages: &stages };
    for part in [0.0, 0.3, NODES[0], NODES[1], 0.9, 1.0] {
        assert!((step.at(part)[0] - value(part)).abs() < 1e-14, "{part}");
    }
    let increments = stages.map(|[stage]| [stage - value(0.0)]);
    let (next, shorter) = (extrapolate(&increments, 0.7), shortened(&increments, 0.7));
    for (([next], [shorter]), c) in next.into_iter().zip(shorter).zip(NODES) {
        assert!((next - (value(1.0 + 0.7 * c) - value(1.0))).abs() < 1e-13, "{next}");
        assert!((shorter - (value(0.7 * c) - value(0.0))).abs() < 1e-13, "{shorter}");
    }
}

#[test]
fn transient_whose_error_falls_slowly_is_reached_in_few_attempts() {
    // A transient of 1e7 tolerances, 1e7 times as fast as the first step: its error falls with the length.
    let (fastest, z) = (1e9, [[0.0]; 3]);
    let (mut last, factor) = Rejected::after(None, 1e-2, z, &Estimate::by_order_3(1e7), fastest);
    assert_eq!(factor, MIN_FACTOR);
    for attempt in 1..3 {
        let (h, error) = (0.1 * last.h, 0.1 * last.error);
        let after = |fastest: f64| Rejected::after(Some(&last), h, z, &Estimate::by_order_3(error), fastest);
        let (next, factor) = after(fastest);
        assert_eq!(next.slow, attempt);
        // At the second such rejection, to where the error would be that of the tolerance.
        assert!((factor - if attempt == 1 { MIN_FACTOR } else { 1.0 / error }).abs() < 1e-9, "{factor}");
        // Not at a kink, whose system is not stiff.
        assert_eq!(after(1.0).1, Estimate::<1>::by_order_3(error).factor.max(MIN_FACTOR));
        // Not to less than the time of the transient.
        if attempt == 2 {
            assert_eq!(after(1e4 / h).1, 1e-4);
        }
        last = next;
    }
}

/// A system whose rates and Jacobians are counted.
struct Counted<S>(S, Cell<u32>, Cell<u32>);

impl<S: System<N>, const N: usize> System<N> for Counted<S> {
    type Input = S::Input;

    const INTERIOR_COUNTS: bool = S::INTERIOR_COUNTS;

    fn input(&self, t: f64) -> S::Input {
        self.0.input(t)
    }

    fn rate(&self, input: S::Input, x: &[f64; N]) -> [f64; N] {
        self.1.set(self.1.get() + 1);
        self.0.rate(input, x)
    }
    fn jacobian(&self, input: S::Input, x: &[f64; N]) -> [[f64; N]; N] {
        self.2.set(self.2.get() + 1);
        self.0.jacobian(input, x)
    }
    fn scale(&self, input: S::Input, x: &[f64; N]) -> [f64; N] {
        self.0.scale(input, x)
    }
}

/// Dry friction with a spring and a regularisation of 1e-3 m/s: ẍ = cos 3t − 4x − tanh(1000 ẋ), with steps that are rejected.
struct Rub;

impl System<2> for Rub {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, x: &[f64; 2]) -> [f64; 2] {
        [x[1], 2.0 * libm::cos(3.0 * t) - 4.0 * x[0] - libm::tanh(1000.0 * x[1])]
    }
    fn jacobian(&self, _: f64, x: &[f64; 2]) -> [[f64; 2]; 2] {
        let cosh = libm::cosh((1000.0 * x[1]).clamp(-300.0, 300.0));
        [[0.0, 1.0], [-4.0, -1000.0 / (cosh * cosh)]]
    }
    fn scale(&self, _: f64, _: &[f64; 2]) -> [f64; 2] {
        [0.1, 1.0]
    }
}

/// Steps, rates and Jacobians over three intervals, and the states at their end.
fn cost<const N: usize>(
    system: impl System<N>,
    mut x: [f64; N],
    interval: f64,
    tolerance: f64,
) -> ([u32; 3], [f64; N]) {
    let (system, mut radau, mut steps) = (Counted(system, Cell::new(0), Cell::new(0)), Radau::default(), 0);
    for _ in 0..3 {
        steps += radau.advance(&system, &mut x, interval, tolerance, |_| None).unwrap().0;
    }
    ([steps, system.1.get(), system.2.get()], x)
}

/// A control of steps or iterations that is off shows in these counts and not in the result. Where they fall, or rise for a reason, the
/// new ones are to be written here.
#[test]
fn steps_and_evaluations_of_rates_stay_as_they_are() {
    let tolerances = [1e-5, 1e-7, 1e-9];
    let pendulum = tolerances.map(|tolerance| cost(Pendulum, [1.0, 0.0], 2.0, tolerance).0);
    let stiff = tolerances.map(|tolerance| cost(ProtheroRobinson, [0.0], 1.0, tolerance).0);
    let rub = tolerances.map(|tolerance| cost(Rub, [0.0, 0.0], 2.0, tolerance).0);
    assert_eq!(pendulum, [[36, 263, 38], [100, 715, 106], [301, 2122, 307]]);
    assert_eq!(stiff, [[78, 544, 73], [216, 1508, 208], [648, 4533, 640]]);
    assert_eq!(rub, [[220, 1896, 394], [551, 4149, 658], [1533, 10908, 1603]]);
}

/// A step without a history.
const fn alone<const N: usize>() -> Context<'static, N> {
    Context { rejected: None, is_final: false, may_take_all_jacobians: true }
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
        let equations = StageEquations::new(&Pendulum, [0.0, h], &x, &[1e15; 2]);
        let Attempt::Done { z, .. } =
            attempt(&equations, &Start::new(&Pendulum, 0.0, &x, None), [[0.0; 2]; 3], &alone())
        else {
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
        type Input = f64;

        fn input(&self, t: f64) -> f64 {
            t
        }

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
    // x = 1/(1 − t) has no value at 2. Steps shorter than the spacing of numbers are not tried.
    let mut solver = Radau::default();
    let result = solver.advance(&Explosion, &mut [1.0], 2.0, 1e-6, |_| None);
    let refused = matches!(result, Err(SolverError::StepTooSmall { t }) if (t - 1.0).abs() < 1e-3);
    assert!(refused || solver.limit.error() > 1e-3, "{result:?} {solver:?}");
    assert_eq!(MAX_LIMIT - solver.limit.left(), 669_948);
}

#[test]
fn tolerance_is_relaxed_beyond_the_limit_of_steps_and_the_error_is_reported() {
    let run = |limit: u32| {
        let (mut radau, mut x) = (Radau { limit: StepLimit::new(limit), ..Radau::default() }, [0.0; 2]);
        let (steps, _) = radau.advance(&Rub, &mut x, 6.0, 1e-7, |_| None).unwrap();
        (steps, radau.limit.error(), x)
    };
    let (steps, error, exact) = run(MAX_LIMIT);
    assert_eq!((steps, error), (540, 0.0));
    let (fewer, error, x) = run(300);
    assert!(error > 1e-7 && error < 1e-2, "{error:e}");
    assert!((x[0] - exact[0]).abs() < 10.0 * error, "{x:?} for {exact:?}");
    assert_eq!(fewer, 361);
}

/// x′ = −λ (x − a(t)), with this Jacobian.
struct Decay {
    lambda: f64,
    target: fn(f64) -> f64,
    jacobian: f64,
}

impl System<1> for Decay {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, x: &[f64; 1]) -> [f64; 1] {
        [-self.lambda * (x[0] - (self.target)(t))]
    }
    fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[self.jacobian]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

#[test]
fn beyond_the_limit_a_step_whose_equations_are_not_solved_is_not_repeated() {
    // With a wrong Jacobian Newton's iteration diverges in steps longer than 1/λ.
    let system = Decay { lambda: 1e9, target: |_| 1.0, jacobian: 0.0 };
    let (mut solver, mut x) = (Radau { limit: StepLimit::new(5), ..Radau::default() }, [0.0]);
    let (steps, t) = solver.advance(&system, &mut x, 1.0, 1e-6, |_| None).unwrap();
    assert!(steps <= 12, "{steps} steps for a limit of 5");
    assert_eq!((t, solver.limit.error()), (1.0, UNKNOWN));
}

#[test]
fn linearised_step_is_that_of_the_implicit_euler_method() {
    // A start off the slow motion, and a step over many time constants.
    let system = Decay { lambda: 1e6, target: |t| t, jacobian: -1e6 };
    let (t, h, x) = (0.5, 0.25, [3.0]);
    let equations = StageEquations::new(&system, [t, h], &x, &[1.0]);
    let [first, _, last] = equations.linearised();
    // (x₁ − x₀)/h = −λ (x₁ − t₁).
    let end = (x[0] + h * 1e6 * (t + h)) / (1.0 + h * 1e6);
    assert!((x[0] + last[0] - end).abs() < 1e-12, "{last:?} for {end}");
    assert!((first[0] - NODES[0] * last[0]).abs() < 1e-15, "{first:?}");
}

#[test]
fn first_step_through_a_fast_transient_is_found_in_few_attempts() {
    // The number of attempts does not grow with the rate: one jump leads from the interval to the transient.
    let attempts = [1e6, 1e9, 1e12].map(|lambda| {
        let system = Decay { lambda, target: libm::cos, jacobian: -lambda };
        let (mut x, mut accepted) = ([0.0], 0);
        let mut solver = Radau::default();
        let count = |_: Step<1>| {
            accepted += 1;
            None
        };
        let (steps, _) = solver.advance(&system, &mut x, 1.0, 1e-4, count).unwrap();
        assert!((x[0] - libm::cos(1.0)).abs() < 1e-4 + 2.0 / lambda, "{lambda:e}: {x:?}");
        steps - accepted
    });
    assert!(attempts.iter().all(|rejected| *rejected <= 5), "{attempts:?} rejected attempts");
}

#[test]
fn transient_of_a_few_tolerances_at_the_start_is_not_resolved() {
    // A start that is off the slow motion by five tolerances, as the inputs of a new interval leave it.
    let steps = [1e4, 1e6, 1e8].map(|lambda| {
        let system = Decay { lambda, target: libm::cos, jacobian: -lambda };
        let mut x = [1.0 + 5e-4];
        let (steps, _) = Radau::default().advance(&system, &mut x, 1.0, 1e-4, |_| None).unwrap();
        assert!((x[0] - libm::cos(1.0)).abs() < 1e-4 + 2.0 / lambda, "{lambda:e}: {x:?}");
        steps
    });
    assert!(steps.iter().all(|steps| *steps <= 5), "{steps:?} inner steps");
}

/// x′ = c.
struct Constant(f64);

impl System<1> for Constant {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [self.0]
    }
    fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[0.0]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}
