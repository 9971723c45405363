//! Stick of FrDyn2Linear in the plane under held inputs, in closed form.
//!
//! e = v − ż decays as E = e^(−λt), and F_0 and F_R are A + Bt + CE with vectors. As E is convex, such a point stays in the triangle of
//! its start, its end and A + C E(end): while these three lie in the circle of F_s, the whole step sticks.

use crate::integrate::exponential;
use crate::law::{Contact, StepResult};
use crate::laws::frdyn2::Equations;
use crate::vector::{Vector, add, dot, scaled, size};

/// Slip over v_s below which ż counts as v, as along a line.
const SETTLED: f64 = f64::EPSILON / 16.0;

/// Advances (z, ż) over `duration` (s) of stick; `None` where the contact does not stick throughout.
#[allow(non_snake_case)] // the paper's symbols
pub fn hold(base: &Equations, contact: Contact, x: &mut [f64; 4], duration: f64) -> Option<StepResult> {
    let [z_x, z_y, z_dot_x, z_dot_y] = *x;
    let (z, z_dot, v): (Vector, Vector, Vector) = ([z_x, z_y], [z_dot_x, z_dot_y], [contact.v, contact.v_y]);
    let F_s = base.mu_s * contact.F_N;
    let k = F_s * base.inverse_v_s;
    let lambda = (k + base.sigma_1) * base.inverse_mass;
    let slip = add(v, -1.0, z_dot);
    // Most contacts that slide are told here, before anything dear.
    let elastic = add(scaled(z, base.sigma_0), base.sigma_1, v);
    if size(add(elastic, k, slip)) > F_s {
        return None;
    }
    let decay = exponential::decay(lambda * duration);
    let lag = scaled(slip, 1.0 / lambda);
    // F_0 = A + Bt + C_0 E and F_R = A + Bt + C E.
    let (B, C_0) = (scaled(v, base.sigma_0), scaled(lag, base.sigma_0));
    let A = add(elastic, -1.0, C_0);
    let C = add(C_0, k, slip);
    let end = add(A, duration, B);
    let is_within = |C: Vector| {
        let corners = [add(A, 1.0, C), add(end, decay, C), add(A, decay, C)];
        corners.into_iter().all(|corner| size(corner) <= F_s)
    };
    if !(is_within(C_0) && is_within(C)) {
        return None;
    }
    let slipped = scaled(lag, 1.0 - decay);
    let travel = scaled(v, duration);
    let impulse = add(scaled(add(A, 0.5 * duration, B), duration), (1.0 - decay) / lambda, C);
    let z = add(add(z, 1.0, travel), -1.0, slipped);
    let settled = |v: f64, slip: f64| if slip.abs() <= SETTLED * base.v_s { v } else { v - slip };
    *x = [z[0], z[1], settled(v[0], slip[0] * decay), settled(v[1], slip[1] * decay)];
    Some(StepResult { loss: dot(impulse, v), inner_steps: 1, ..StepResult::default() })
}
