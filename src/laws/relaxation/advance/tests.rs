//! Communication steps of Dahl's bristle against solutions in closed form, whose integrals are those of Simpson's rule.

use super::*;
use crate::integrate::step_limit::StepLimit;
use crate::law::{Contact, LawMetadata, MAX_INPUT_DERIVATIVE_ORDER, bisect};
use crate::laws::dahl::Dahl;
use crate::laws::relaxation::Bristle;
use crate::laws::symbols::Exponential;
use crate::variable::Values;

/// Length of a communication step, s.
const H: f64 = 1e-3;
/// Coefficient of friction.
const MU: f64 = 0.5;
/// Stiffness, N/m.
const SIGMA_0: f64 = 2e5;
/// Largest normal force, N.
const NORMAL: f64 = 8.0;
/// Steady deflection under it, m.
const STEADY: f64 = MU * NORMAL / SIGMA_0;
/// Intervals of Simpson's rule.
const INTERVALS: u32 = 3000;

/// A polynomial of t/H of degree 3 at most.
type Cubic = [f64; 4];

fn value(c: Cubic, t: f64) -> f64 {
    let x = t / H;
    c[0] + x * (c[1] + x * (c[2] + x * c[3]))
}

/// Integral from 0 on.
fn integral(c: Cubic, t: f64) -> f64 {
    let x = t / H;
    H * x * (c[0] + x * (c[1] / 2.0 + x * (c[2] / 3.0 + x * c[3] / 4.0)))
}

/// Inputs with this F_N (N) and v (m/s) over time.
struct Inputs {
    start: Contact,
    derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER],
}

impl Inputs {
    fn new(normal: Cubic, v: Cubic) -> Self {
        let factors = [1.0, 1.0 / H, 2.0 / (H * H), 6.0 / (H * H * H)];
        let order = |k: usize| Contact { F_N: normal[k] * factors[k], v: v[k] * factors[k], ..Contact::ZERO };
        Inputs { start: order(0), derivatives: [order(1), order(2), order(3)] }
    }

    fn trajectory(&self) -> InputTrajectory<'_> {
        InputTrajectory { derivatives: Some(&self.derivatives), ..InputTrajectory::held(self.start) }
    }
}

fn law(alpha: f64) -> (Dahl, Bristle) {
    let metadata: &LawMetadata = <Dahl as Law<1>>::METADATA;
    let mut values = Values::of(metadata.parameters);
    for parameter in metadata.parameters {
        let value = match parameter.name {
            "mu_d" => MU,
            "sigma_0" => SIGMA_0,
            "alpha" => alpha,
            other => panic!("Dahl has a parameter {other}"),
        };
        values[parameter] = value;
    }
    let law = <Dahl as Law<1>>::new(&values).expect("parameters of a law");
    (law, Bristle { curve: Exponential::constant(MU), sigma_0: SIGMA_0, sigma_1: 0.0, sigma_2: 0.0, alpha })
}

/// Deflection (m) after a communication step from `z` (m), and its totals.
fn step(alpha: f64, inputs: &Inputs, z: f64, tolerance: f64, solver: &mut Radau) -> (f64, StepResult) {
    let ((law, bristle), mut x) = (law(alpha), [z]);
    let trajectory = inputs.trajectory();
    let done = advance(&law, &bristle, &trajectory, &mut x, [H, tolerance], solver, Integrals::Both).expect("a step");
    (x[0], done)
}

/// Integral of a function from 0 to H by Simpson's rule, with a transient after each of these instants (s): t grows with the cube of the
/// variable of integration.
fn simpson(begins: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let weight = |i: u32| if i == 0 || i == INTERVALS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let part = |from: f64, to: f64| {
        let at = |i: u32| {
            let x = f64::from(i) / f64::from(INTERVALS);
            3.0 * x * x * f(from + (to - from) * x * x * x)
        };
        (to - from) / f64::from(3 * INTERVALS) * (0..=INTERVALS).map(|i| weight(i) * at(i)).sum::<f64>()
    };
    let ends = begins.iter().skip(1).chain([&H]);
    begins.iter().zip(ends).map(|(from, to)| part(*from, *to)).sum()
}

/// Compares a step with the deflection (m) of a closed form; the errors of F_R at the end, of loss and impulse are relative to the largest
/// force, speed and time, and at most `allowed`.
fn compare(
    (z, done): (f64, StepResult),
    begins: &[f64],
    normal: Cubic,
    v: Cubic,
    exact: impl Fn(f64) -> f64,
    allowed: f64,
    said: &str,
) {
    let force = |t: f64| {
        let limit = MU * value(normal, t).max(0.0);
        (SIGMA_0 * exact(t)).clamp(-limit, limit)
    };
    let fastest = (0..=100).fold(0.0_f64, |most, i| most.max(value(v, 0.01 * f64::from(i) * H).abs()));
    let scale = MU * NORMAL * H;
    let errors = [
        SIGMA_0 * (z - exact(H)).abs() / (MU * NORMAL),
        (done.loss - simpson(begins, |t| force(t) * value(v, t))).abs() / (scale * fastest),
        (done.impulse - simpson(begins, force)).abs() / scale,
    ];
    assert!(errors.into_iter().all(|error| error <= allowed), "{said}: errors {errors:?}, {done:?}");
}

/// Deflection (m) where v is F_N times a constant, so that λ = σ_0 |v|/(μ F_N) is constant: dz/dt = v − λ z.
struct Linear {
    /// λ, 1/s.
    lambda: f64,
    /// v, m/s.
    v: Cubic,
}

impl Linear {
    fn new(rate: f64, side: f64, normal: Cubic) -> Self {
        let lambda = rate / H;
        Linear { lambda, v: normal.map(|c| side * lambda * MU / SIGMA_0 * c) }
    }

    /// Motion without a transient, the polynomial v/λ − v′/λ² + v″/λ³ − v‴/λ⁴.
    fn slow(&self, t: f64) -> f64 {
        let (v, x, rate) = (self.v, t / H, self.lambda * H);
        let [first, second, third] =
            [v[1] + x * (2.0 * v[2] + 3.0 * x * v[3]), 2.0 * v[2] + 6.0 * x * v[3], 6.0 * v[3]];
        (value(v, t) - (first - (second - third / rate) / rate) / rate) / self.lambda
    }

    /// Deflection at the time `t` (s) from `z` (m) at `from` (s) on.
    fn deflection(&self, z: f64, from: f64, t: f64) -> f64 {
        self.slow(t) + (z - self.slow(from)) * libm::exp(-self.lambda * (t - from))
    }
}

#[test]
fn velocity_in_proportion_to_the_normal_force_gives_a_linear_equation_with_constant_coefficients() {
    let shapes: [Cubic; 6] = [
        [1.0, -0.5, 0.0, 0.0],
        [0.01, 0.99, 0.0, 0.0],
        [0.2, 0.1, 0.5, 0.2],
        [0.0, 0.4, 0.6, 0.0],
        [1.0, -2.5, 2.0, 0.0],
        [1.0, -0.4, -0.4, -0.199],
    ];
    for shape in shapes {
        for (side, rate) in [(1.0, 0.02), (-1.0, 0.7), (1.0, 6.0), (-1.0, 45.0), (1.0, 400.0), (-1.0, 2000.0)] {
            let normal = shape.map(|c| NORMAL * c);
            let motion = Linear::new(rate, side, normal);
            for start in [0.0, 0.3, -0.9] {
                let z = start * MU * normal[0] / SIGMA_0;
                for tolerance in [1e-4, 1e-7] {
                    let said = format!("{shape:?}, {side}, λH = {rate}, from {start}, {tolerance:e}");
                    let done = step(1.0, &Inputs::new(normal, motion.v), z, tolerance, &mut Radau::default());
                    assert!(done.1.inner_steps > 0, "{said}");
                    compare(
                        done,
                        &[0.0],
                        normal,
                        motion.v,
                        |t| motion.deflection(z, 0.0, t),
                        3.0 * tolerance + 4e-7,
                        &said,
                    );
                }
            }
        }
    }
}

#[test]
fn contact_that_opens_or_closes_within_a_step_has_a_deflection_while_it_is_closed_only() {
    for (shape, is_closed_at) in
        [([1.0, -1.6, 0.0, 0.0], 0.0), ([-0.6, 1.6, 0.0, 0.0], 1.0), ([-0.4, 1.0, 0.4, 0.0], 1.0)]
    {
        for (side, rate) in [(1.0, 0.02), (-1.0, 0.7), (1.0, 6.0), (-1.0, 45.0), (1.0, 400.0)] {
            let normal = shape.map(|c: f64| NORMAL * c);
            let motion = Linear::new(rate, side, normal);
            let zero = bisect(0.0, H, |t| value(normal, t) > 0.0).expect("a zero of the normal force");
            let z = 0.4 * STEADY;
            let exact = |t: f64| match (is_closed_at == 0.0, t < zero) {
                (true, true) => motion.deflection(z, 0.0, t),
                (false, false) => motion.deflection(0.0, zero, t),
                _ => 0.0,
            };
            for tolerance in [1e-4, 1e-6] {
                let said = format!("{shape:?}, {side}, λH = {rate}, {tolerance:e}");
                let done = step(1.0, &Inputs::new(normal, motion.v), z, tolerance, &mut Radau::default());
                compare(done, &[0.0, zero], normal, motion.v, exact, 3.0 * tolerance + 4e-7, &said);
            }
        }
    }
}

/// P = σ_0 |v|/μ is dF_N/dt, and the equation has an elementary solution.
#[test]
fn constant_velocity_under_a_linear_normal_force_has_the_elementary_solution() {
    for (normal, side) in [([1.0, 3.0, 0.0, 0.0], 1.0), ([0.3, 7.0, 0.0, 0.0], -1.0), ([2.0, 0.1, 0.0, 0.0], 1.0)] {
        // P = dF_N/dt: z F_N = z_0 F_N0 + v ∫ F_N dt.
        let v = side * normal[1] / H * MU / SIGMA_0;
        for start in [0.0, 0.5, -1.0] {
            let z = start * MU * normal[0] / SIGMA_0;
            let exact = |t: f64| (z * normal[0] + v * integral(normal, t)) / value(normal, t);
            let said = format!("{normal:?}, {side}, from {start}");
            let speed = [v, 0.0, 0.0, 0.0];
            let done = step(1.0, &Inputs::new(normal, speed), z, 1e-6, &mut Radau::default());
            assert!((done.0 - exact(H)).abs() < 1e-13 * STEADY, "{said}: {} m, not {} m", done.0, exact(H));
            assert_eq!(done.1.inner_steps, 1, "{said}");
            compare(done, &[0.0], normal, speed, exact, 1e-6, &said);
        }
    }
}

#[test]
fn resting_contact_keeps_its_deflection_and_has_the_impulse_of_its_limited_force() {
    let deflected = 0.6;
    let z = deflected * STEADY;
    for (normal, limited) in [
        ([NORMAL, 0.0, 0.0, 0.0], 0.0),
        // From F_N/(μ F_N at the start) = 0.6 on the force is limited to μ F_N.
        ([NORMAL, -0.8 * NORMAL, 0.0, 0.0], 0.5),
    ] {
        let (end, done) = step(1.0, &Inputs::new(normal, [0.0; 4]), z, 1e-6, &mut Radau::default());
        // The mean of a constant, and of a force that falls from it linearly.
        let last = (value(normal, H) / NORMAL).min(deflected);
        let mean = (1.0 - limited) * deflected + limited * 0.5 * (deflected + last);
        assert_eq!((end, done.loss, done.inner_steps), (z, 0.0, 1), "{normal:?}");
        let expected = MU * NORMAL * mean * H;
        assert!((done.impulse - expected).abs() < 1e-6 * expected, "{normal:?}: {}, not {expected}", done.impulse);
    }
    // An open contact has neither force nor deflection.
    let (end, done) =
        step(1.0, &Inputs::new([-1.0, 0.5, 0.0, 0.0], [0.1, 0.0, 0.0, 0.0]), z, 1e-6, &mut Radau::default());
    assert_eq!((end, done), (0.0, StepResult { inner_steps: 1, ..StepResult::default() }));
}

#[test]
fn next_step_begins_with_the_length_of_the_first_inner_step_of_the_last_one() {
    let v = [0.5, 0.4, 0.3, 0.2].map(|c| 50.0 * STEADY / H * c);
    let inputs = Inputs::new([NORMAL, 0.0, 0.0, 0.0], v);
    let mut solver = Radau::default();
    let [first, second] = [0, 1].map(|_| step(2.0, &inputs, -0.5 * STEADY, 1e-6, &mut solver).1.inner_steps);
    assert!(solver.first_step > 0.0 && solver.first_step < H, "{} s", solver.first_step);
    // No length is refused at the start any more.
    assert!(second < first, "{second} inner steps after {first}");
}

#[test]
fn error_beyond_the_limit_of_inner_steps_is_estimated() {
    const TOLERANCE: f64 = 1e-8;
    let v = [0.5, 0.4, 0.3, 0.2].map(|c| 50.0 * STEADY / H * c);
    let inputs = Inputs::new([NORMAL, 0.0, 0.0, 0.0], v);
    let (exact, _) = step(2.0, &inputs, -0.5 * STEADY, 1e-3 * TOLERANCE, &mut Radau::default());
    let mut free = Radau::default();
    let (_, all) = step(2.0, &inputs, -0.5 * STEADY, TOLERANCE, &mut free);
    assert!(free.limit.error() == 0.0 && all.inner_steps > 30, "without a limit: {all:?}");
    for limit in [1, 2, 4, 8, 16] {
        let mut solver = Radau { limit: StepLimit::new(limit), ..Radau::default() };
        let (z, done) = step(2.0, &inputs, -0.5 * STEADY, TOLERANCE, &mut solver);
        let (wrong, estimate) = (SIGMA_0 * (z - exact).abs() / (MU * NORMAL), solver.limit.error());
        assert!(estimate > TOLERANCE && done.inner_steps <= 2 * limit + 2, "{limit}: estimated {estimate:e}, {done:?}");
        assert!(wrong <= estimate, "{limit}: F_R off by {wrong:e} of F_s, estimated {estimate:e}");
    }
}

#[test]
fn deflection_that_is_no_number_is_an_error() {
    let ((law, bristle), inputs) = (law(1.0), Inputs::new([NORMAL, 0.0, 0.0, 0.0], [0.0; 4]));
    let trajectory = inputs.trajectory();
    for z in [f64::NAN, f64::INFINITY] {
        let found = advance(&law, &bristle, &trajectory, &mut [z], [H, 1e-6], &mut Radau::default(), Integrals::Both);
        assert_eq!(found, Err(SolverError::NotFinite), "{z}");
    }
}

#[test]
fn distance_between_breakpoints_is_that_of_the_path_along_a_line_and_at_most_that_of_a_curve() {
    // v turns at H/4 and at H/2: breakpoints are there and at 3H/8, where v is extremal.
    let v = [0.5, -3.0, 4.0, 0.0];
    let inputs = Inputs::new([NORMAL, 0.0, 0.0, 0.0], v);
    let trajectory = inputs.trajectory();
    let way = |from: f64, to: f64| (integral(v, to * H) - integral(v, from * H)).abs();
    let mut rest = trajectory.breakpoints(H);
    assert_close(slid_between(&trajectory, 0.0, rest), way(0.0, 0.25) + way(0.25, 0.5) + way(0.5, 1.0));
    let first = rest.next().expect("a breakpoint");
    assert_close(first, 0.25 * H);
    assert_close(slid_between(&trajectory, first, rest), way(0.25, 0.5) + way(0.5, 1.0));
    // A straight path in the plane is longer by the hypotenuse, and a bent one is longer than its chords.
    let across = |shape: Cubic| {
        let other = Inputs::new([0.0; 4], shape);
        let join = |along: Contact, across: Contact| Contact { v_y: across.v, ..along };
        let derivatives = core::array::from_fn(|k| join(inputs.derivatives[k], other.derivatives[k]));
        let start = join(inputs.start, other.start);
        let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
        slid_between(&trajectory, 0.0, trajectory.breakpoints(H))
    };
    assert_close(across(v.map(|c| 0.75 * c)), 1.25 * (way(0.0, 0.25) + way(0.25, 0.5) + way(0.5, 1.0)));
    let bent = [0.3, -0.9, 0.0, 0.9];
    let path = simpson(&[0.0], |t| libm::hypot(value(v, t), value(bent, t)));
    let found = across(bent);
    assert!(found <= path && found > 0.9 * path, "{found} m of {path} m");
}

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{found:e}, not {expected:e}");
}

/// Deflection over the steady one after the motion `s` (in units of the steady deflection) from `deflected` on, in one direction.
fn moved(alpha: f64, deflected: f64, s: f64) -> f64 {
    let b = 1.0 - deflected * s.signum();
    let after = if alpha == 1.0 {
        b * libm::exp(-s.abs())
    } else {
        let power = libm::pow(b, 1.0 - alpha) - (1.0 - alpha) * s.abs();
        if power > 0.0 { libm::pow(power, 1.0 / (1.0 - alpha)) } else { 0.0 }
    };
    s.signum() * (1.0 - after)
}

/// Under a constant normal force the deflection is a function of the displacement between two reversals.
#[test]
fn motion_with_reversals_under_a_constant_normal_force_depends_on_the_displacement() {
    // Velocities with no, one, two and two turns, the last two close to each other.
    let motions: [Cubic; 4] =
        [[0.3, 0.9, 0.0, 0.0], [-1.0, 4.0, 0.0, 0.0], [0.5, -3.0, 4.0, 0.0], [-0.6, 5.0, -11.6, 7.2]];
    for shape in motions {
        for distance in [0.05, 1.0, 8.0] {
            let v = shape.map(|c| distance * STEADY / H * c);
            let turn = |i: u32| {
                let [from, to] = [i, i + 1].map(|i| 1e-3 * f64::from(i) * H);
                bisect(from, to, |t| value(v, t) > 0.0)
            };
            let begins: Vec<f64> = [0.0].into_iter().chain((0..1000).filter_map(turn)).collect();
            for alpha in [0.5, 1.0, 1.5, 2.0] {
                for start in [0.0, 0.4, -0.8] {
                    let exact = |t: f64| {
                        let (mut deflected, mut from) = (start, 0.0);
                        for to in begins.iter().skip(1).copied().filter(|turn| *turn < t).chain([t]) {
                            let way = integral(v, to) - integral(v, from);
                            (deflected, from) = (moved(alpha, deflected, way / STEADY), to);
                        }
                        deflected * STEADY
                    };
                    let normal = [NORMAL, 0.0, 0.0, 0.0];
                    for tolerance in [1e-4, 1e-7] {
                        let said = format!("{shape:?}, {distance}, alpha {alpha}, from {start}, {tolerance:e}");
                        let done =
                            step(alpha, &Inputs::new(normal, v), start * STEADY, tolerance, &mut Radau::default());
                        compare(done, &begins, normal, v, exact, tolerance + 2e-7, &said);
                    }
                }
            }
        }
    }
}
