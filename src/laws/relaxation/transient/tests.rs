//! The transient in closed form against the differential equation: the work and the impulse of a motion less those of the slow motion,
//! both by Runge–Kutta.

use super::*;
use crate::integrate::runge_kutta::runge_kutta;
use crate::law::{Contact, InputSegment, InputTrajectory, MAX_INPUT_DERIVATIVE_ORDER};
use crate::laws::planar::InPlane;
use crate::laws::relaxation::Bristle;
use crate::laws::symbols::Exponential;

mod origin;

/// Length of a communication step, s.
const H: f64 = 1e-3;
/// Tolerance of a step.
const TOLERANCE: f64 = 1e-6;
/// Steps of Runge and Kutta.
const STEPS: u32 = 80_000;

fn contact(normal: f64, v: f64, v_y: f64) -> Contact {
    Contact { F_N: normal, v, v_y, ..Contact::ZERO }
}

/// Applies `use_it` to a bristle under inputs with this first derivative.
fn relax<B, R>(bristle: &B, [start, first]: [Contact; 2], use_it: impl FnOnce(&Relaxation<B>) -> R) -> R {
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [first, Contact::ZERO, Contact::ZERO];
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
    let segment = InputSegment::between_breakpoints(&trajectory, [0.0, H], 0.0);
    use_it(&Relaxation {
        bristle,
        segment: &segment,
        middle: trajectory.at(0.5 * H),
        error_force: start.F_N,
        max_force: start.F_N,
        max_speed: length([start.v, start.v_y]),
        end: trajectory.at(H),
        slid_later: 0.0,
        duration: H,
        min_force: 0.0,
    })
}

/// Work and impulse of σ_0 ẑ − σ_1 λ ẑ from the deflection `z` (m) over `duration` (s), by Runge and Kutta, with
/// the deflection ẑ limited to μ_s F_N/σ_0.
fn integrated(bristle: &Bristle, [start, first]: [Contact; 2], z: [f64; 2], duration: f64, limited: bool) -> [f64; 2] {
    // λ, v and the limit at a time.
    let at = |t: f64| {
        let v = [start.v + first.v * t, start.v_y + first.v_y * t];
        let normal = start.F_N + first.F_N * t;
        let speed = length(v);
        (
            bristle.sigma_0 * speed / (bristle.curve.at(speed).0 * normal),
            v,
            bristle.curve.mu_s * normal / bristle.sigma_0,
        )
    };
    // dz/dt, power and force along x.
    let rates = |t: f64, [x, y, ..]: [f64; 4]| {
        let ((rate, v, limit), z) = (at(t), [x, y]);
        let cut = if limited && length(z) > limit { limit / length(z) } else { 1.0 };
        let force = z.map(|z| (bristle.sigma_0 - bristle.sigma_1 * rate) * cut * z);
        [v[0] - rate * z[0], v[1] - rate * z[1], inner(force, v), force[0]]
    };
    let [_, _, work, impulse] = runge_kutta(rates, [z[0], z[1], 0.0, 0.0], [0.0, duration], STEPS);
    [work, impulse]
}

/// Largest deviation of work and impulse of a transient from `z` from those of the differential equation, over F_s v H and F_s H.
fn deviation<B, const N: usize>(equation: &Bristle, bristle: &B, inputs: [Contact; 2], z: [f64; N]) -> Option<f64>
where
    for<'a> Relaxation<'a, B>: Relaxing<N>,
{
    relax(bristle, inputs, |relaxation| {
        let transient = split(relaxation, [0.0, H], z, TOLERANCE)?;
        let slow = relaxation.deflection(&relaxation.coefficients(0.0), transient.slow);
        let in_plane = |z: [f64; N]| core::array::from_fn(|k| if k < N { z[k] } else { 0.0 });
        // The transient and its limited part have decayed to rounding then.
        let rate = After(relaxation, 0.0).at(0.0).rate;
        let duration = (60.0 / rate).min(H);
        let [all, of_slow] =
            [(z, true), (slow, false)].map(|(z, limited)| integrated(equation, inputs, in_plane(z), duration, limited));
        let scale = equation.curve.mu_s * inputs[0].F_N * H;
        let speed = length([inputs[0].v, inputs[0].v_y]);
        let of_loss = (all[0] - of_slow[0] - transient.loss) / (scale * speed);
        Some(of_loss.abs().max((all[1] - of_slow[1] - transient.impulse).abs() / scale))
    })
}

/// A curve that falls from 0.6 to 0.3.
fn falling() -> Exponential {
    Exponential { mu_s: 0.6, mu_d: 0.3, v_stribeck: 0.02, exponent: 2.0, measured: None }
}

fn bristle(curve: Exponential, sigma_1: f64) -> Bristle {
    Bristle { curve, sigma_0: 5e6, sigma_1, sigma_2: 0.0, alpha: 1.0 }
}

#[test]
fn work_and_impulse_are_those_of_the_motion_less_those_of_the_slow_motion() {
    let mut judged = 0;
    for curve in [Exponential::constant(0.3), falling()] {
        for sigma_1 in [0.0, 3192.75] {
            let bristle = bristle(curve, sigma_1);
            for side in [1.0, -1.0] {
                for first in [[0.0, 0.0], [0.0, 20.0], [-3e3, -5.0], [8e3, 1.0]] {
                    let normal = 20.0;
                    let inputs = [contact(normal, side * 0.7, 0.0), contact(first[0], side * first[1], 0.0)];
                    let limit = curve.mu_s * normal / bristle.sigma_0;
                    for share in [-3.0, -0.9, 0.4, 1.5, 1e4] {
                        let Some(deviation) = deviation(&bristle, &bristle, inputs, [share * limit]) else { continue };
                        judged += 1;
                        // Runge and Kutta step over the kink at the limit.
                        let allowed = INNER_SHARE * TOLERANCE;
                        assert!(deviation < allowed, "{sigma_1}, {side}, {first:?}, {share}: {deviation:e}");
                    }
                }
            }
        }
    }
    assert!(judged > 120, "{judged} transients");
}

#[test]
fn transient_in_the_plane_is_a_vector() {
    let curve = falling();
    let equation = bristle(curve, 3192.75);
    let mut judged = 0;
    for first in [[0.0, 0.0, 0.0], [0.0, 20.0, -30.0], [-3e3, -5.0, 10.0]] {
        let inputs = [contact(20.0, 0.3, -0.6), contact(first[0], first[1], first[2])];
        let limit = curve.mu_s * 20.0 / equation.sigma_0;
        for z in [[0.0, 0.0], [0.9, 0.1], [-0.3, 0.6]] {
            let deviation = deviation(&equation, &InPlane(equation), inputs, z.map(|part| part * limit));
            let deviation = deviation.expect("a transient within its limit");
            judged += 1;
            assert!(deviation < 1e-9, "{first:?}, {z:?}: {deviation:e}");
        }
        // The direction of a limited force turns.
        assert!(self::deviation(&equation, &InPlane(equation), inputs, [0.0, 1.1 * limit]).is_none());
    }
    assert_eq!(judged, 9);
}

#[test]
fn inputs_that_change_within_the_transient_have_no_closed_form() {
    let bristle = bristle(Exponential::constant(0.3), 0.0);
    let has_one = |first: [f64; 2], tolerance: f64| {
        let inputs = [contact(20.0, 0.7, 0.0), contact(first[0], first[1], 0.0)];
        relax(&bristle, inputs, |relaxation| split(relaxation, [0.0, H], [0.0], tolerance).is_some())
    };
    let rate = bristle.sigma_0 * 0.7 / (0.3 * 20.0);
    assert!(has_one([0.0, 0.0], TOLERANCE));
    // λ changes by two hundredths in 1/λ.
    assert!(!has_one([0.0, 0.014 * rate], 1e-2));
    assert!(!has_one([0.4 * rate, 0.0], 1e-2));
    // By two thousandths: the third order of it is within a looser tolerance.
    assert!(has_one([0.0, 0.0014 * rate], 1e-2));
    assert!(!has_one([0.0, 0.0014 * rate], 1e-12));
    // The transient lasts for a fortieth of the segment.
    let slow = [contact(20.0, 0.7 * 40.0 / (rate * H), 0.0), Contact::ZERO];
    relax(&bristle, slow, |relaxation| assert!(split(relaxation, [0.0, H], [0.0], 1e-2).is_none()));
    let other = Bristle { alpha: 2.0, ..bristle };
    let held = [contact(20.0, 0.7, 0.0), Contact::ZERO];
    relax(&other, held, |relaxation| assert!(split(relaxation, [0.0, H], [0.0], 1e-2).is_none()));
}
