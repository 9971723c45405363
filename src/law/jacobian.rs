//! Derivatives of a law by dual numbers: exact, from the one text of [`Law::evaluate`].

use super::{Contact, Evaluation, F_T, Law, Spring};
use crate::scalar::{Dual, Scalar};
use core::array;

/// Directions that one evaluation differentiates along: two registers of two numbers. FrDyn2 and
/// LuGre along a line need one evaluation.
const DIRECTIONS: usize = 4;

/// Partial derivatives of a law by its states, its velocity and its applied force at one instant.
/// The components of force and velocity are x and y; along a line those of y are 0.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian<const N: usize> {
    /// Rates by states, as rows.
    pub rate_x: [[f64; N]; N],
    /// Rates by each component of the velocity.
    pub rate_v: [[f64; N]; 2],
    /// Each component of the force by states.
    pub force_x: [[f64; N]; 2],
    /// Each component of the force by those of the velocity.
    pub force_v: [[f64; 2]; 2],
    /// F_R by the applied tangential force.
    pub F_R_F_t: f64,
}

impl<const N: usize> Jacobian<N> {
    /// No derivatives.
    pub const ZERO: Self = Jacobian {
        rate_x: [[0.0; N]; N],
        rate_v: [[0.0; N]; 2],
        force_x: [[0.0; N]; 2],
        force_v: [[0.0; 2]; 2],
        F_R_F_t: 0.0,
    };
}

/// Force and rates of a law with their partial derivatives.
#[inline]
pub fn linearised<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &[f64; N],
    discrete: &L::DiscreteState,
) -> (Evaluation<N>, Jacobian<N>) {
    let mut by = Jacobian::ZERO;
    let mut here = Evaluation::zero();
    // The states, v, v_y and the applied force.
    let inputs = if L::METADATA.inputs.iter().any(|input| input.is(&F_T)) {
        3
    } else if L::METADATA.planar {
        2
    } else {
        1
    };
    for first in (0..N + inputs).step_by(DIRECTIONS) {
        let seeded = |value: f64, direction: usize| {
            Dual::<DIRECTIONS>::variable(value, direction.wrapping_sub(first))
        };
        let at = Contact {
            F_N: Dual::constant(contact.F_N),
            v: seeded(contact.v, N),
            v_y: seeded(contact.v_y, N + 1),
            F_t: seeded(contact.F_t, N + 2),
            a: Dual::constant(contact.a),
            v_past: Dual::constant(contact.v_past),
        };
        let Evaluation {
            F_R: force,
            F_R_y: across,
            sticking,
            rate,
        } = law.evaluate(at, &array::from_fn(|i| seeded(x[i], i)), discrete);
        here = Evaluation {
            F_R: force.value,
            F_R_y: across.value,
            sticking,
            rate: rate.map(Dual::value),
        };
        for (k, direction) in (first..N + inputs).enumerate().take(DIRECTIONS) {
            let forces = [force, across].map(|force| force.derivatives[k]);
            let rates = rate.map(|rate| rate.derivatives[k]);
            if direction < N {
                (0..N).for_each(|i| by.rate_x[i][direction] = rates[i]);
                (0..2).for_each(|axis| by.force_x[axis][direction] = forces[axis]);
            } else if direction < N + 2 {
                by.rate_v[direction - N] = rates;
                (0..2).for_each(|axis| by.force_v[axis][direction - N] = forces[axis]);
            } else {
                by.F_R_F_t = forces[0];
            }
        }
    }
    (here, by)
}

/// Force and rates of a law, with their derivatives along a change of contact and states.
#[inline]
pub fn along<L: Law<N>, const N: usize>(
    law: &L,
    [contact, d_contact]: [Contact; 2],
    [x, dx]: [&[f64; N]; 2],
    discrete: &L::DiscreteState,
) -> Evaluation<N, Dual<1>> {
    let with = |value: f64, derivative: f64| Dual {
        value,
        derivatives: [derivative],
    };
    let (now, change) = (contact.numbers(), d_contact.numbers());
    let at = Contact::of(array::from_fn(|i| with(now[i], change[i])));
    law.evaluate(at, &array::from_fn(|i| with(x[i], dx[i])), discrete)
}

/// Quasi-static response of F_R to displacement and velocity, after the transients of the bristle.
pub fn quasi_static_response<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &[f64; N],
    discrete: &L::DiscreteState,
) -> Spring {
    if let Some(response) = law.numerics(contact, x, 0.0).response {
        return response;
    }
    let (Evaluation { sticking, .. }, by) = linearised(law, contact, x, discrete);
    // A sliding contact responds to a displacement for the time of its transients only.
    let stiffness = by.force_x[0]
        .iter()
        .zip(by.rate_v[0])
        .map(|(force, rate)| force * rate)
        .sum();
    Spring {
        stiffness: if sticking { stiffness } else { 0.0 },
        damping: by.force_v[0][0],
    }
}
