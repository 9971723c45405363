//! Steps that diverge, and intervals that take too many of them.

use super::*;
use crate::integrate::step_limit::StepLimit;

/// x′ = 0, whose rate is no number at one instant.
struct Gap(f64);

impl System<1> for Gap {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, _: &[f64; 1]) -> [f64; 1] {
        [if t == self.0 { f64::NAN } else { 0.0 }]
    }
    fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[0.0]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

#[test]
fn step_with_a_stage_that_is_no_number_has_diverged() {
    let diverges = |gap: f64| {
        let gap = Gap(gap);
        let equations = StageEquations::new(&gap, [0.0, 0.25], &[0.0], &[1e10]);
        matches!(attempt(&equations, &Start::new(&gap, 0.0, &[0.0], None), [[0.0]; 3], &alone()), Attempt::Diverged)
    };
    assert!(NODES.iter().all(|node| diverges(node * 0.25)) && diverges(0.0) && !diverges(0.3));
}

#[test]
fn linearised_step_beyond_the_largest_number_has_diverged() {
    let step = |rate: f64| linearised(&StageEquations::new(&Constant(rate), [0.0, 4.0], &[0.0], &[1.0]));
    let Attempt::Done { estimate, z: [.., [end]] } = step(2.0) else { panic!("a step") };
    assert_eq!((estimate.error, end), (0.0, 8.0));
    assert!(matches!(step(f64::MAX), Attempt::Diverged));
}

/// x′ = 0, in steps of 1e-30 s.
struct Crawl;

impl System<1> for Crawl {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [0.0]
    }
    fn jacobian(&self, _: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[0.0]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
    fn longest(&self, _: f64, _: &[f64; 1]) -> f64 {
        1e-30
    }
}

#[test]
fn interval_of_too_many_steps_is_refused_after_three_times_the_limit_and_a_thousand() {
    let (mut solver, mut accepted) = (Radau { limit: StepLimit::new(5), ..Radau::default() }, 0);
    let result = solver.advance(&Crawl, &mut [1.0], 1.0, 1e-6, |_| {
        accepted += 1;
        None
    });
    assert!(matches!(result, Err(SolverError::TooManySteps { limit: 5, t }) if t > 0.0 && t < 1e-12), "{result:?}");
    assert_eq!(accepted, 3 * 5 + 1001);
}
