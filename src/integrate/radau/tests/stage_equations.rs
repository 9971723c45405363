//! Newton iterations for the stage equations.

use super::*;

/// x' = −x/(1 − t): the solution 1 − t goes to 0 at t = 1, where the Jacobian grows without bound.
struct Closing;

impl System<1> for Closing {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, x: &[f64; 1]) -> [f64; 1] {
        [-x[0] / (1.0 - t).max(1e-6)]
    }
    fn jacobian(&self, t: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[-1.0 / (1.0 - t).max(1e-6)]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

#[test]
fn jacobians_at_the_stages_solve_the_same_equations() {
    let (x, h) = ([1.0, 0.5], 0.4);
    let equations = StageEquations::new(&Pendulum, [0.0, h], &x, &[1e12; 2]);
    let jacobian = Pendulum.jacobian(0.0, &x);
    let real = Lu::new(shifted(&jacobian, |d, j| if d { GAMMA / h - j } else { -j }));
    let one = equations.by_one_jacobian([[0.0; 2]; 3], &jacobian, &real).unwrap();
    let all = equations.by_all_jacobians([[0.0; 2]; 3]).unwrap();
    for (one, all) in one.iter().flatten().zip(all.iter().flatten()) {
        assert!((one - all).abs() < 1e-13, "{one} for {all}");
    }
}

#[test]
fn jacobians_at_the_stages_suffice_where_the_one_at_the_start_does_not() {
    // The last stage lies where the Jacobian is a hundred times that of the start.
    let (x, h) = ([1.0], 0.99);
    let equations = StageEquations::new(&Closing, [0.0, h], &x, &[1e6]);
    let jacobian = Closing.jacobian(0.0, &x);
    let real = Lu::new(shifted(&jacobian, |d, j| if d { GAMMA / h - j } else { -j }));
    assert!(equations.by_one_jacobian([[0.0]; 3], &jacobian, &real).is_err());
    let z = equations.by_all_jacobians([[0.0]; 3]).unwrap();
    // The solution is a polynomial of first order, which the collocation meets exactly.
    assert!((z[2][0] + h).abs() < 1e-12, "{z:?}");
    let mut radau = Radau { first_step: 0.1, ..Radau::default() };
    let (steps, _) = radau.advance(&Closing, &mut [1.0], 1.0 - 1e-5, 1e-7, |_| None).unwrap();
    assert!(steps < 10, "{steps}");
}

/// x' = 2 − 0.01 x, and less by this slope times the part of x between 1 and 1.1, as of a force that is limited.
struct Limited(f64);

impl System<1> for Limited {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, _: f64, x: &[f64; 1]) -> [f64; 1] {
        [2.0 - 0.01 * x[0] - self.0 * (x[0] - 1.0).clamp(0.0, 0.1)]
    }
    fn jacobian(&self, _: f64, x: &[f64; 1]) -> [[f64; 1]; 1] {
        [[-0.01 - if x[0] > 1.0 && x[0] < 1.1 { self.0 } else { 0.0 }]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

#[test]
fn corrections_are_taken_in_full_again_where_they_fall_as_far_as_was_taken_of_them() {
    // Corrections lead from one side of the steep part to the other, so that only parts of them are taken.
    for (h, slope) in [(5.0, 20.0), (2.0, 50.0)] {
        let (system, x) = (Limited(slope), [0.0]);
        let equations = StageEquations::new(&system, [0.0, h], &x, &[1e6]);
        let z = equations.by_all_jacobians([[0.0]; 3]).unwrap();
        let rest = |s: usize| system.rate(0.0, &z[s])[0] - (0..3).map(|j| INVERSE[s][j] * z[j][0]).sum::<f64>() / h;
        assert!((0..3).all(|s| rest(s).abs() < 1e-6), "{z:?}");
    }
}

#[test]
fn iteration_that_contracts_slowly_is_given_up_and_its_result_is_the_next_guess() {
    // The iteration with the Jacobian at the start contracts by 0.6, too slowly for ten iterations.
    let (system, h) = (Counted(Closing, Cell::new(0), Cell::new(0)), 0.75);
    let (x, jacobian) = ([1.0], [[-1.0]]);
    let equations = StageEquations::new(&system, [0.0, h], &x, &[1e9]);
    let real = Lu::new(shifted(&jacobian, |d, j| if d { GAMMA / h - j } else { -j }));
    let guess = equations.by_one_jacobian([[0.0]; 3], &jacobian, &real).unwrap_err();
    assert!(system.1.get() <= 3 * 3, "{} rates", system.1.get());
    assert!((guess[2][0] + h).abs() < 0.5 * h, "{guess:?}");
}

#[test]
fn correction_beyond_the_largest_number_over_its_tolerance_ends_the_iteration() {
    for by_all in [false, true] {
        let solve = |rate: f64| {
            let system = Counted(Constant(rate), Cell::new(0), Cell::new(0));
            let equations = StageEquations::new(&system, [0.0, 1.0], &[0.0], &[1e10]);
            let increments = if by_all {
                equations.by_all_jacobians([[0.0]; 3])
            } else {
                equations.by_one_jacobian([[0.0]; 3], &[[0.0]], &Lu::new([[GAMMA]])).ok()
            };
            (increments.map(|[_, _, [end]]| end), system.1.get())
        };
        let (solved, _) = solve(1.0);
        assert!(solved.is_some_and(|end| (end - 1.0).abs() < 1e-12), "{by_all}: {solved:?}");
        assert_eq!(solve(1e300), (None, 3), "{by_all}");
    }
}
