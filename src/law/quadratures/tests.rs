//! Quadratures of forces that are known functions of v, against their integrals.

use super::*;
use crate::law::{InputTrajectory, MAX_EVENTS, MAX_INPUT_DERIVATIVE_ORDER, Rate, StepLimits};

/// Length of a step, s.
const H: f64 = 2e-3;
/// Velocity at the start and at the end of a step, m/s.
const ENDS: [f64; 2] = [0.1, 1.1];
/// Speeds between which the force of a ramp rises from 0 to 1 N, m/s.
const RAMP: [f64; 2] = [0.3, 0.7];

/// A force of v (N), with its dependence on the inputs.
struct Force {
    of: fn(f64) -> f64,
    dependence: InputDependence,
}

impl HybridSystem<1> for Force {
    type Discrete = ();

    const HAS_MODES: bool = false;

    fn rate(&self, _: Contact, _: &[f64; 1], (): &()) -> [f64; 1] {
        [0.0]
    }

    fn jacobian(&self, _: Contact, _: &[f64; 1], (): &()) -> [[f64; 1]; 1] {
        [[0.0]]
    }

    fn error_scale(&self, _: Contact, _: &[f64; 1]) -> [f64; 1] {
        [1.0]
    }

    fn step_limits(&self, _: Contact, _: &[f64; 1]) -> StepLimits {
        StepLimits::FREE
    }

    /// Power and force, times the state.
    fn integrands(&self, contact: Contact, &[x]: &[f64; 1], (): &()) -> [f64; 2] {
        let force = x * (self.of)(contact.v);
        [force * contact.v, force]
    }

    fn integrand_scales(&self, [_, speed]: [f64; 2], _: f64) -> [f64; 2] {
        [speed, 1.0]
    }

    fn integrand_rounding(&self, _: [f64; 2], _: f64) -> [f64; 2] {
        [0.0; 2]
    }

    fn input_dependence(&self, _: [Contact; 2], (): &()) -> InputDependence {
        self.dependence
    }

    fn exact_rates(&self, _: Contact, (): &()) -> Option<[Rate; 1]> {
        None
    }

    fn event_polynomials(&self, _: &Path<1>, (): &()) -> Option<[Polynomial; MAX_EVENTS]> {
        None
    }

    fn event_indicators(&self, _: Contact, _: &[f64; 1], (): &()) -> [f64; MAX_EVENTS] {
        [1.0; MAX_EVENTS]
    }

    fn handle_event(&self, _: Contact, _: &mut [f64; 1], (): &mut ()) -> bool {
        false
    }
}

fn ramp(v: f64) -> f64 {
    ((v.abs() - RAMP[0]) / (RAMP[1] - RAMP[0])).clamp(0.0, 1.0).copysign(v)
}

/// Loss (J) and impulse (N·s) of a ramp while the speed changes linearly from one end to the other.
fn of_ramp() -> [f64; 2] {
    let ([from, to], [first, last]) = (RAMP, ENDS);
    // ∫ v (v − from)/(to − from) dv and ∫ (v − from)/(to − from) dv over the ramp, and the force of 1 N beyond it.
    let width = to - from;
    let loss = (to * to * to - from * from * from) / 3.0 / width - from * (to * to - from * from) / 2.0 / width;
    let beyond = 0.5 * (last * last - to * to);
    [(loss + beyond) * H / (last - first), (0.5 * width + last - to) * H / (last - first)]
}

/// Quadratures of a step with `use_it`, in which v changes linearly between these ends (m/s).
fn integrate(
    [first, last]: [f64; 2],
    tolerance: f64,
    wanted: Integrals,
    use_it: impl FnOnce(&mut Quadratures, &InputSegment),
) -> [f64; 2] {
    let slope = Contact { v: (last - first) / H, ..Contact::ZERO };
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [slope, Contact::ZERO, Contact::ZERO];
    let start = Contact::new(10.0, first);
    let trajectory = InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(start) };
    let breakpoints = trajectory.breakpoints(H);
    let mut quadratures = Quadratures::new(trajectory.largest_inputs(breakpoints), H, breakpoints, tolerance, wanted);
    use_it(&mut quadratures, &InputSegment::between_breakpoints(&trajectory, [0.0, H], 0.0));
    [quadratures.loss, quadratures.impulse]
}

fn assert_close(found: [f64; 2], expected: [f64; 2], allowed: f64, said: &str) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() <= allowed * expected.abs(), "{said}: {found:e}, not {expected:e}");
    }
}

#[test]
fn kinks_that_are_known_end_the_panels_in_either_direction_of_v() {
    for dependence in [InputDependence::polynomial_between(RAMP), InputDependence::between(RAMP)] {
        for side in [1.0, -1.0] {
            for ends in [ENDS, [ENDS[1], ENDS[0]]] {
                let force = Force { of: ramp, dependence };
                let found = integrate(ends.map(|v| side * v), 1e-3, Integrals::Both, |quadratures, segment| {
                    quadratures.add(&force, segment, &(), [0.0, H], |_| [1.0]);
                });
                let [loss, impulse] = of_ramp();
                assert_close(found, [loss, side * impulse], 1e-9, &format!("{dependence:?}, {side}, {ends:?}"));
            }
        }
    }
}

#[test]
fn kinks_that_are_unknown_are_found_to_the_tolerance() {
    let force = Force { of: ramp, dependence: InputDependence::UNKNOWN };
    for tolerance in [1e-3, 1e-5, 1e-7] {
        let found = integrate(ENDS, tolerance, Integrals::Both, |quadratures, segment| {
            quadratures.add(&force, segment, &(), [0.0, H], |_| [1.0]);
        });
        assert_close(found, of_ramp(), 10.0 * tolerance, &format!("{tolerance:e}"));
    }
}

#[test]
fn parts_add_up_to_the_whole_with_the_states_of_their_times() {
    // A force of v times a state that is 3 t/H: ∫ v 3 t/H dt with v = a + b t/H.
    let force = Force { of: |v| v, dependence: InputDependence::over(Ranges::WIDE) };
    let [a, b] = [ENDS[0], ENDS[1] - ENDS[0]];
    let expected = [3.0 * H * (a * a / 2.0 + 2.0 * a * b / 3.0 + b * b / 4.0), 3.0 * H * (a / 2.0 + b / 3.0)];
    let found = integrate(ENDS, 1e-6, Integrals::Both, |quadratures, segment| {
        for [from, to] in [[0.0, 0.2 * H], [0.2 * H, 0.2 * H], [0.2 * H, H]] {
            quadratures.add(&force, segment, &(), [from, to], |t| [3.0 * t / H]);
        }
    });
    assert_close(found, expected, 1e-9, "in parts");
}

#[test]
fn force_that_varies_next_to_the_rest_is_resolved_over_many_decades() {
    // F = v/(|v| + c): ∫ F dv = v − c ln(1 + v/c), ∫ F v dv = v²/2 − c v + c² ln(1 + v/c).
    const C: f64 = 1e-5;
    let force = Force { of: |v| v / (v.abs() + C), dependence: InputDependence::UNKNOWN };
    let logarithm = libm::log1p(1.0 / C);
    let expected = [H * (0.5 - C + C * C * logarithm), H * (1.0 - C * logarithm)];
    for ends in [[0.0, 1.0], [1.0, 0.0]] {
        let found = integrate(ends, 1e-7, Integrals::Both, |quadratures, segment| {
            quadratures.add(&force, segment, &(), [0.0, H], |_| [1.0]);
        });
        assert_close(found, expected, 1e-6, &format!("{ends:?}"));
    }
}

#[test]
fn stages_are_enough_for_a_smooth_integrand_and_not_for_a_kink() {
    let steps = |force: &Force, ends: [f64; 2], is_adaptive: bool| {
        integrate(ends, 1e-4, Integrals::Both, |quadratures, segment| {
            if !is_adaptive {
                quadratures.stop_adapting();
            }
            let step = Step { relaxation: 1.0, t: 0.0, h: H, start: &[1.0], stages: &[[1.0]; 3] };
            quadratures.add_step(force, segment, &(), 0.0, &step, |_| [1.0]);
        })
    };
    let constant = Force { of: |_| 1.0, dependence: InputDependence::UNKNOWN };
    assert_close(steps(&constant, [0.0, 0.0], true), [0.0, H], 1e-14, "a constant");
    let kinked = Force { of: ramp, dependence: InputDependence::UNKNOWN };
    assert_close(steps(&kinked, ENDS, true), of_ramp(), 1e-3, "adaptive");
    let by_stages = [0, 1].map(|i| {
        let at = |k: usize| {
            let v = ENDS[0] + NODES[k] * (ENDS[1] - ENDS[0]);
            WEIGHTS[k] * H * ramp(v) * if i == 0 { v } else { 1.0 }
        };
        (0..3).map(at).sum()
    });
    assert_close(steps(&kinked, ENDS, false), by_stages, 1e-12, "by stages");
}
