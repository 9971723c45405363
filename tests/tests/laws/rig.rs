//! The body of the paper's test bench (\[RS\] Fig. 2) on any element, coupled serially: the element
//! first, then the body, values held over each step.

use bristle_reference_laws::Contact;
use bristle_rigs::test_bench::{Body, G, MASS, Pulses, StepLoad};

/// Weight of the body, N.
pub const LOAD: f64 = MASS * G;
/// F_s of the bench, N.
pub const STATIC_FRICTION: f64 = 0.6 * LOAD;

/// The bench at a communication point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case)] // the paper's symbols
pub struct Sample {
    /// Time, s.
    pub t: f64,
    /// Displacement of the body, m.
    pub u: f64,
    /// Velocity of the body, m/s.
    pub v: f64,
    /// The applied force at `t`, N.
    pub F: f64,
    /// Friction force at `t`, N.
    pub F_R: f64,
}

/// Pushes the body by `force` (N, of the time) for `duration` in steps of `h` (s); `element` gives
/// F_R at the end of a step with the contact held, from its beginning and its length.
pub fn push(
    mut element: impl FnMut(Contact, f64, f64) -> f64,
    force: impl Fn(f64) -> f64,
    duration: f64,
    h: f64,
    mut see: impl FnMut(Sample),
) -> Sample {
    let mut now = Sample {
        F: force(0.0),
        ..Sample::default()
    };
    for n in 1..=(duration / h).round() as u32 {
        let t = f64::from(n) * h;
        let after = force(t);
        let mean = 0.5 * (now.F + after);
        let friction = element(
            Contact {
                F_N: LOAD,
                v: now.v,
                a: (now.F - now.F_R) / MASS,
                F_t: mean,
            },
            now.t,
            h,
        );
        let mut body = Body { u: now.u, v: now.v };
        body.advance([now.F, after], h, friction);
        now = Sample {
            t,
            u: body.u,
            v: body.v,
            F: after,
            F_R: friction,
        };
        see(now);
    }
    now
}

/// A force that rises to `ratio` F_s within `duration` (s), as a cubic (\[RS\] Listing A3).
pub fn step_load(ratio: f64, duration: f64) -> impl Fn(f64) -> f64 {
    let load = StepLoad {
        force: ratio * STATIC_FRICTION,
        duration,
    };
    move |t| load.at(t)
}

/// Five pulses of 0.8 F_s: up within 20 ms, on for 0.1 s, down within 20 ms, off for 0.1 s (\[RS\]
/// Sec. 5 names them).
pub fn pulses(t: f64) -> f64 {
    Pulses::five(0.8 * STATIC_FRICTION).at(t)
}
