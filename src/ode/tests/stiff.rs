//! Stiff problems: the number of inner steps follows the solution, not the stiffness.

use super::problems::{Problem, error, integrate, of};
use super::{Oscillator, decay};
use crate::integrate::runge_kutta::runge_kutta;
use crate::ode::State;
use crate::scalar::Scalar;

/// Prothero–Robinson: u′ = −λ (u − sin t) + cos t, by Newton's iterations or directly.
struct Pursuit {
    lambda: f64,
    is_linear: bool,
}

impl<const D: usize> Problem<D> for Pursuit {
    fn rate<S: Scalar>(&self, t: f64, _: &[S; D], u: &[S; D]) -> [S; D] {
        u.map(|u| (u + -libm::sin(t)) * -self.lambda + libm::cos(t))
    }

    fn decay_rate(&self, _: f64) -> Option<f64> {
        self.is_linear.then_some(self.lambda)
    }
}

/// Van der Pol: ε z″ = (1 − z²) z′ − z. The rate is up to 1/ε, and counts relative to its size.
struct VanDerPol {
    epsilon: f64,
}

impl Problem<1> for VanDerPol {
    const SECOND_ORDER: bool = true;

    fn rate<S: Scalar>(&self, _: f64, z: &[S; 1], u: &[S; 1]) -> [S; 1] {
        [((-(z[0] * z[0]) + 1.0) * u[0] - z[0]) * (1.0 / self.epsilon)]
    }

    fn scale(&self, x: &State<1>) -> [[f64; 1]; 2] {
        [[1.0], [x.u[0].abs().max(1.0)]]
    }
}

/// Robertson's reactions. Concentrations count relative to their size.
struct Robertson;

impl Problem<3> for Robertson {
    fn rate<S: Scalar>(&self, _: f64, _: &[S; 3], u: &[S; 3]) -> [S; 3] {
        let [first, second, third] = [u[0] * 0.04, u[1] * u[1] * 3e7, u[1] * u[2] * 1e4];
        [third - first, first - third - second, second]
    }

    fn scale(&self, x: &State<3>) -> [[f64; 3]; 2] {
        [[1.0; 3], x.u.map(|u| u.abs().max(1e-7))]
    }
}

/// Inner steps of a relaxation towards sin t from the slow motion (first axis) and from beside it.
fn pursue(lambda: f64, is_linear: bool, tolerance: f64) -> u32 {
    let (x, done) = integrate(
        &Pursuit { lambda, is_linear },
        of([0.0, 1.0]),
        3.0,
        tolerance,
    );
    let goal = libm::sin(3.0);
    let error = error(&x, &of([goal, goal + libm::exp(-3.0 * lambda)]));
    assert!(error < tolerance, "{lambda:e}, {tolerance:e}: {error:e}");
    done.inner_steps
}

#[test]
fn relaxation_takes_no_more_steps_the_stiffer_it_is() {
    for (tolerance, is_linear) in [
        (1e-4, false),
        (1e-4, true),
        (1e-7, false),
        (1e-10, false),
        (1e-10, true),
    ] {
        pursue(1.0, is_linear, tolerance);
        // The impulse of a linear system, whose force is stiff here, is judged as well.
        let growth = if is_linear { 2.5 } else { 1.25 };
        let bound = growth * f64::from(pursue(1e2, is_linear, tolerance));
        for lambda in [1e4, 1e6, 1e8, 1e10] {
            let steps = pursue(lambda, is_linear, tolerance);
            assert!(
                f64::from(steps) < bound,
                "{lambda:e}, {tolerance:e}: {steps} steps, {bound} at 1e2"
            );
        }
    }
}

/// Inner steps of an oscillator with the rates −1 and −`ratio`.
fn settle<const D: usize>(ratio: f64, tolerance: f64) -> u32 {
    let start = State {
        z: [1.0; D],
        u: [0.0; D],
    };
    let (x, done) = integrate(&Oscillator::new(ratio, 1.0 + ratio), start, 1.5, tolerance);
    let [z, u] = decay([-1.0, -ratio], 1.5);
    let found = error(
        &x,
        &State {
            z: [z; D],
            u: [u; D],
        },
    );
    assert!(found < tolerance, "{ratio:e}, {tolerance:e}: {found:e}");
    // The force is u′: its impulse is the change of u, and its work that of u²/2.
    let work = done.totals.work / D as f64 - 0.5 * u * u;
    assert!(
        error(&of(done.totals.impulse), &of([u; D])) < tolerance && work.abs() < 10.0 * tolerance,
        "{done:?}"
    );
    assert!((done.growth - 0.75).abs() < 1e-12, "{}", done.growth);
    done.inner_steps
}

#[test]
fn stiff_oscillators_settle_in_a_number_of_steps_that_grows_with_the_logarithm_of_the_ratio() {
    for tolerance in [1e-4, 1e-7, 1e-10] {
        let steps = [1e4, 1e5, 1e6, 1e7, 1e8].map(|ratio| settle::<1>(ratio, tolerance));
        // A step is at most eight times as long as the one before. Thus a transient shorter by a
        // decade needs two more, and some are rejected.
        assert!(
            steps.windows(2).all(|pair| pair[1] <= pair[0] + 5),
            "{tolerance:e}: {steps:?}"
        );
        for ratio in [2.0, 1e2] {
            assert_eq!(settle::<2>(ratio, tolerance), settle::<1>(ratio, tolerance));
            assert_eq!(settle::<3>(ratio, tolerance), settle::<1>(ratio, tolerance));
        }
    }
}

/// Values of VDPOL with ε = 1e-6 in the test set of E. Hairer and G. Wanner (*Solving Ordinary
/// Differential Equations II*).
#[test]
fn van_der_pol_passes_through_the_published_values() {
    let start = State { z: [2.0], u: [0.0] };
    for (t, z, u) in [
        (1.0, -1.863_646_254_808_13, 0.753_543_086_543_546),
        (2.0, 1.706_167_732_170_456, -0.892_809_701_024_825_7),
    ] {
        for tolerance in [1e-4, 1e-6, 1e-8, 1e-10] {
            let (x, done) = integrate(&VanDerPol { epsilon: 1e-6 }, start, t, tolerance);
            let error = error(&x, &State { z: [z], u: [u] });
            assert!(
                error < tolerance,
                "{t}, {tolerance:e}: {error:e}, {} steps",
                done.inner_steps
            );
        }
    }
}

/// Between its jumps z follows ln|z| − z²/2 = t + constant. A jump from 1 to −2 takes 1.5 α ε^(2/3)
/// and terms of ε ln ε, where −α is the first zero of Airy's function (A. A. Dorodnitsyn 1947).
#[test]
fn van_der_pol_follows_its_asymptotic_expansion_at_any_stiffness() {
    let slow = |z: f64| libm::log(z.abs()) - 0.5 * z * z;
    for tolerance in [1e-4, 1e-6, 1e-8] {
        let steps = [1e-8, 1e-10, 1e-12].map(|epsilon: f64| {
            let start = State {
                z: [2.0],
                u: [-2.0 / 3.0],
            };
            let (x, done) = integrate(&VanDerPol { epsilon }, start, 1.5, tolerance);
            let jump =
                slow(1.0) - slow(2.0) + 1.5 * 2.338_107_410_459_767 * libm::cbrt(epsilon * epsilon);
            let error = (slow(x.z[0]) - slow(-2.0) - (1.5 - jump)).abs();
            assert!(
                x.z[0] < 0.0 && error < tolerance - epsilon * libm::log(epsilon),
                "{epsilon:e}: {error:e}"
            );
            done.inner_steps
        });
        assert!(steps[2] < 2 * steps[0], "{tolerance:e}: {steps:?}");
    }
}

/// The reference at 40 s has explicit steps below the shortest time constant, 0.3 ms. That at 1e11
/// s is ROBER of the Test Set for IVP Solvers.
#[test]
fn robertson_keeps_the_tolerance_of_each_concentration() {
    let start = [1.0, 0.0, 0.0];
    let early = runge_kutta(
        |t, u| Robertson.rate(t, &[0.0; 3], &u),
        start,
        0.0,
        40.0,
        400_000,
    );
    let late = [
        0.208_334_014_970_125_5e-7,
        0.833_336_077_033_471_3e-13,
        0.999_999_979_166_505,
    ];
    for (t, exact) in [(40.0, early), (1e11, late)] {
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (x, done) = integrate(&Robertson, of(start), t, tolerance);
            let relative: [f64; 3] = core::array::from_fn(|i| x.u[i] / exact[i]);
            let error = error(&of(relative), &of([1.0; 3]));
            assert!(
                error < tolerance,
                "{t}, {tolerance:e}: {error:e}, {} steps",
                done.inner_steps
            );
            // A Runge–Kutta method keeps linear invariants.
            assert!((x.u.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{x:?}");
        }
    }
}
