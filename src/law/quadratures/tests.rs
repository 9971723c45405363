//! Quadratures of forces that are known functions of v, against their integrals.

use super::*;
use crate::characteristic::Measured;
use crate::law::{InputTrajectory, LawMetadata, MAX_INPUT_DERIVATIVE_ORDER, Numerics};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values};

/// Length of a step, s.
const H: f64 = 2e-3;
/// Velocity at the start and at the end of a step, m/s.
const ENDS: [f64; 2] = [0.1, 1.1];
/// Speeds between which the force of a ramp rises from 0 to 1 N, m/s.
const RAMP: [f64; 2] = [0.3, 0.7];

/// A force of v (N), times the state.
struct Force(fn(f64) -> f64);

impl Law<1> for Force {
    const METADATA: &'static LawMetadata = &LawMetadata::EMPTY;

    type DiscreteState = ();

    fn new(_: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        Ok(Force(|v| v))
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, &[x]: &[S; 1], (): &()) -> Evaluation<1, S> {
        Evaluation::of_force(x * (self.0)(contact.v.value()))
    }

    fn numerics(&self, _: Contact, _: &[f64; 1], _: f64) -> Numerics<1> {
        Numerics::of([1.0])
    }
}

fn ramp(v: f64) -> f64 {
    ((v.abs() - RAMP[0]) / (RAMP[1] - RAMP[0]))
        .clamp(0.0, 1.0)
        .copysign(v)
}

/// Loss (J) and impulse (N·s) of a ramp while the speed changes linearly from one end to the other.
fn of_ramp() -> [f64; 2] {
    let ([from, to], [first, last]) = (RAMP, ENDS);
    // ∫ v (v − from)/(to − from) dv and ∫ (v − from)/(to − from) dv over the ramp, and the force of
    // 1 N beyond it.
    let width = to - from;
    let loss = (to * to * to - from * from * from) / 3.0 / width
        - from * (to * to - from * from) / 2.0 / width;
    let beyond = 0.5 * (last * last - to * to);
    [
        (loss + beyond) * H / (last - first),
        (0.5 * width + last - to) * H / (last - first),
    ]
}

/// Quadratures of a step with `use_it`, in which v changes linearly between these ends (m/s).
fn integrate(
    [first, last]: [f64; 2],
    tolerance: f64,
    use_it: impl FnOnce(&mut Quadratures, &InputSegment),
) -> [f64; 2] {
    let slope = Contact {
        v: (last - first) / H,
        ..Contact::ZERO
    };
    let derivatives: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = [slope, Contact::ZERO, Contact::ZERO];
    let start = Contact::new(10.0, first);
    let trajectory = InputTrajectory {
        derivatives: Some(&derivatives),
        ..InputTrajectory::held(start)
    };
    let (breakpoints, largest) = (
        trajectory.breakpoints(H),
        Largest {
            force: start.F_N,
            speed: first.abs().max(last.abs()),
        },
    );
    let mut quadratures = Quadratures::new(&Force(|_| 0.0), largest, breakpoints, H, tolerance);
    use_it(
        &mut quadratures,
        &InputSegment::between_breakpoints(&trajectory, 0.0, H, 0.0),
    );
    [quadratures.loss, quadratures.impulse]
}

fn motion<'a, X: Fn(f64) -> [f64; 1]>(
    law: &'a Force,
    segment: &'a InputSegment<'a>,
    x: X,
) -> Motion<'a, Force, X, 1> {
    Motion {
        law,
        segment,
        discrete: &(),
        x,
    }
}

fn assert_close(found: [f64; 2], expected: [f64; 2], allowed: f64, said: &str) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!(
            (found - expected).abs() <= allowed * expected.abs(),
            "{said}: {found:e}, not {expected:e}"
        );
    }
}

#[test]
fn kinks_are_found_to_the_tolerance() {
    let force = Force(ramp);
    for tolerance in [1e-3, 1e-5, 1e-7] {
        let found = integrate(ENDS, tolerance, |quadratures, segment| {
            quadratures.add(&motion(&force, segment, |_| [1.0]), 0.0, H);
        });
        assert_close(
            found,
            of_ramp(),
            10.0 * tolerance,
            &format!("{tolerance:e}"),
        );
    }
}

#[test]
fn parts_add_up_to_the_whole_with_the_states_of_their_times() {
    // A force of v times a state that is 3 t/H: ∫ v 3 t/H dt with v = a + b t/H.
    let force = Force(|v| v);
    let [a, b] = [ENDS[0], ENDS[1] - ENDS[0]];
    let expected = [
        3.0 * H * (a * a / 2.0 + 2.0 * a * b / 3.0 + b * b / 4.0),
        3.0 * H * (a / 2.0 + b / 3.0),
    ];
    let found = integrate(ENDS, 1e-6, |quadratures, segment| {
        let motion = motion(&force, segment, |t| [3.0 * t / H]);
        for [from, to] in [[0.0, 0.2 * H], [0.2 * H, 0.2 * H], [0.2 * H, H]] {
            quadratures.add(&motion, from, to);
        }
    });
    assert_close(found, expected, 1e-9, "in parts");
}

#[test]
fn force_that_varies_next_to_the_rest_is_resolved_over_many_decades() {
    // F = v/(|v| + c): ∫ F dv = v − c ln(1 + v/c), ∫ F v dv = v²/2 − c v + c² ln(1 + v/c).
    const C: f64 = 1e-5;
    let force = Force(|v| v / (v.abs() + C));
    let logarithm = libm::log1p(1.0 / C);
    let expected = [H * (0.5 - C + C * C * logarithm), H * (1.0 - C * logarithm)];
    for ends in [[0.0, 1.0], [1.0, 0.0]] {
        let found = integrate(ends, 1e-7, |quadratures, segment| {
            quadratures.add(&motion(&force, segment, |_| [1.0]), 0.0, H);
        });
        assert_close(found, expected, 1e-6, &format!("{ends:?}"));
    }
}
