//! The error of a step by the defect of its polynomial, where only the end of the step counts.

use super::*;
use core::f64::consts::TAU;

/// A system of which only the end of each step counts.
struct EndOnly<S>(S);

impl<S: System<N>, const N: usize> System<N> for EndOnly<S> {
    type Input = S::Input;

    const INTERIOR_COUNTS: bool = false;

    fn input(&self, t: f64) -> S::Input {
        self.0.input(t)
    }

    fn rate(&self, input: S::Input, x: &[f64; N]) -> [f64; N] {
        self.0.rate(input, x)
    }
    fn jacobian(&self, input: S::Input, x: &[f64; N]) -> [[f64; N]; N] {
        self.0.jacobian(input, x)
    }
    fn scale(&self, input: S::Input, x: &[f64; N]) -> [f64; N] {
        self.0.scale(input, x)
    }
}

/// x′ = −λ(t) x + a(t), with λ at 0 and 1 s and linear between them.
struct Driven<A: Fn(f64) -> f64> {
    lambda: [f64; 2],
    drive: A,
}

impl<A: Fn(f64) -> f64> Driven<A> {
    fn lambda(&self, t: f64) -> f64 {
        self.lambda[0] + t * (self.lambda[1] - self.lambda[0])
    }

    /// x at 1 s, from x = 0 at 0, where a is smooth.
    fn exact(&self) -> f64 {
        const PANELS: u32 = 400;
        let value = |t: f64| {
            let decayed = 0.5 * (1.0 - t) * (self.lambda(t) + self.lambda[1]);
            libm::exp(-decayed) * (self.drive)(t)
        };
        let simpson = |panel: u32| {
            let [from, to] = [panel, panel + 1].map(|end| f64::from(end) / f64::from(PANELS));
            (to - from) / 6.0 * (value(from) + 4.0 * value(0.5 * (from + to)) + value(to))
        };
        (0..PANELS).map(simpson).sum()
    }
}

impl<A: Fn(f64) -> f64> System<1> for Driven<A> {
    type Input = f64;

    const INTERIOR_COUNTS: bool = false;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, x: &[f64; 1]) -> [f64; 1] {
        [(self.drive)(t) - self.lambda(t) * x[0]]
    }
    fn jacobian(&self, t: f64, _: &[f64; 1]) -> [[f64; 1]; 1] {
        [[-self.lambda(t)]]
    }
    fn scale(&self, _: f64, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }
}

/// Estimates of a step of 1 s from x = 0 with an estimate of order 3 that is the tolerance, the value at its end, and one over that tolerance.
fn step(system: &impl System<1>) -> (Estimate<1>, f64, f64) {
    let start = Start::new(system, 0.0, &[0.0], None);
    let with = |weight: f64| {
        let weight = [weight];
        let equations = StageEquations::new(system, [0.0, 1.0], &[0.0], &weight);
        match attempt(&equations, &start, [[0.0]; 3], &alone()) {
            Attempt::Done { estimate, z } => (estimate, z[2][0]),
            Attempt::Diverged => panic!("a linear system"),
        }
    };
    let weight = 1e9 / with(1e9).0.of_order_3;
    let (estimate, end) = with(weight);
    (estimate, end, weight)
}

#[test]
fn estimate_of_a_smooth_step_is_above_its_error_and_far_below_that_of_order_3() {
    let (mut least, mut quotients) = (f64::INFINITY, Vec::new());
    let rates = [0.01, 0.1, 0.3, 1.0, 2.0, 4.0, 7.0];
    for lambda in rates.into_iter().flat_map(|rate| [[rate, rate], [rate, 0.0], [0.0, rate]]) {
        for omega in [0.1, 0.3, 0.6] {
            for phase in (0..16).map(|i| f64::from(i) / 16.0 * TAU) {
                let system = Driven { lambda, drive: |t| libm::cos(omega * t + phase) };
                let (estimate, end, weight) = step(&system);
                let error = (end - system.exact()).abs() * weight;
                // That of order 3 itself falls short where the defect passes through 0 at the start.
                let is_within = estimate.error >= error || estimate.error == estimate.of_order_3 && error < 1.5;
                assert!(is_within, "{lambda:?}, {omega}, {phase}: {} for {error}", estimate.error);
                least = least.min(estimate.error / error);
                if lambda[0].max(lambda[1]) < 0.2 {
                    quotients.push(estimate.error / estimate.of_order_3);
                }
            }
        }
    }
    let mean = quotients.iter().sum::<f64>() / quotients.len() as f64;
    assert!(least < 3.0 && mean < 0.03, "{least} times the error, {mean} of the estimate of order 3");
}

#[test]
fn kink_has_the_estimate_of_order_3_but_where_its_error_is_small() {
    // ∫ max(t − k, 0) dt, whose largest error is 0.0236.
    let mut of_order_3 = 0;
    for kink in (1..100).map(|i| f64::from(i) / 100.0) {
        let (estimate, end, weight) = step(&Driven { lambda: [0.0; 2], drive: |t| (t - kink).max(0.0) });
        let error = (end - 0.5 * (1.0 - kink) * (1.0 - kink)).abs() * weight;
        let is_of_order_3 = estimate.error == estimate.of_order_3;
        of_order_3 += i32::from(is_of_order_3);
        let small = 0.07 * 0.0236 * weight;
        assert!(is_of_order_3 || error < small + estimate.error, "{kink}: {} for {error}", estimate.error);
    }
    assert!(of_order_3 >= 90, "{of_order_3} of 99 places");
}

#[test]
fn end_of_steps_alone_takes_fewer_steps_within_the_tolerance() {
    for (tolerance, expected) in [(1e-5, 18), (1e-7, 30), (1e-9, 63)] {
        let ([steps, ..], x) = cost(EndOnly(Pendulum), [1.0, 0.0], 2.0, tolerance);
        let ([all, ..], _) = cost(Pendulum, [1.0, 0.0], 2.0, tolerance);
        let (_, exact) = cost(Pendulum, [1.0, 0.0], 2.0, 1e-13);
        let error = (x[0] - exact[0]).abs().max((x[1] - exact[1]).abs());
        assert!(error < f64::from(steps) * tolerance && 2 * steps <= all, "{tolerance:e}: {error:e}, {steps} of {all}");
        assert_eq!(steps, expected, "{tolerance:e}");
    }
}
