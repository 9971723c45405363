//! Directional derivatives and time derivatives of outputs.

use super::lever::Lever;
use super::{E_LOSS, Element, F_OFFSET, F_R, F_R_Y, P_LOSS, RADIUS, V_SLIP, V_SLIP_Y, V_Y};
use crate::coupling::{F_LAW, H_MAX, M_EFF};
use crate::law::{
    A, Contact, Evaluation, F_N, F_T, Law, MAX_INPUT_DERIVATIVE_ORDER, Numerics, V, along,
};
use crate::variable::{InputError, Values, Variable};

/// Differences of parameters relative to their values: their truncation and the rounding of the
/// force are about 1e-9 of the force.
const PARAMETER_DIFFERENCE: f64 = 1e-6;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Directional derivative of all outputs and state derivatives along `seed`.
    pub(super) fn directional(&self, seed: &Values) -> Values {
        let (
            values,
            Lever {
                radius, inverse, ..
            },
        ) = (&self.now.values, self.lever);
        let d_radius = seed[&RADIUS];
        let d_v = seed[&V] * radius + values[&V] * d_radius;
        let d_contact = Contact {
            F_N: seed[&F_N],
            v: d_v,
            a: seed[&A] * radius + values[&A] * d_radius,
            F_t: (seed[&F_T] - seed[&F_OFFSET] - self.lever.applied(values[&F_T]) * d_radius)
                * inverse,
            v_y: if L::METADATA.planar { seed[&V_Y] } else { 0.0 },
            v_past: self.trajectory().delayed_velocity_derivative() * d_v,
        };
        let dx = core::array::from_fn(|i| seed[&L::METADATA.states[i].0]);
        let mut change = self.directional_derivative_at(self.contact(), d_contact, dx);
        if d_radius != 0.0 {
            // The table of values may have the torque of earlier inputs.
            let force = self
                .law
                .evaluate(self.contact(), &self.states(), &self.discrete())
                .F_R;
            for torque in [&F_R, &F_LAW] {
                change[torque] += force * d_radius;
            }
        }
        change[&F_R] += seed[&F_OFFSET];
        self.add_derivatives_by_parameters(seed, &mut change);
        change[&H_MAX] = self.derivative_of_longest_step(seed, d_contact);
        change
    }

    /// Adds the change for a change of parameters, which a card may make inputs, by differences of
    /// the law.
    #[cold]
    fn add_derivatives_by_parameters(&self, seed: &Values, change: &mut Values) {
        let of_backward = L::METADATA.directed.iter().map(|[_, backward]| backward);
        for parameter in L::METADATA
            .parameters
            .iter()
            .chain(of_backward)
            .filter(|parameter| seed[*parameter] != 0.0)
        {
            let [low, high] = [-1.0, 1.0].map(|side| self.beside(parameter, side));
            let (Some((low, at_low)), Some((high, at_high))) = (low, high) else {
                continue;
            };
            if high <= low {
                continue;
            }
            let factor = seed[parameter] / (high - low);
            let d_force = (at_high.F_R - at_low.F_R) * factor;
            for (i, (_, derivative)) in L::METADATA.states.iter().enumerate() {
                change[derivative] += (at_high.rate[i] - at_low.rate[i]) * factor;
            }
            change[&F_R] += d_force * self.lever.radius;
            change[&F_LAW] += d_force * self.lever.radius;
            change[&P_LOSS] += d_force * self.contact().v;
            let d_rate = |i: usize| {
                at_high
                    .rate
                    .get(i)
                    .zip(at_low.rate.get(i))
                    .map_or(0.0, |(high, low)| (high - low) * factor)
            };
            change[&V_SLIP] -= d_rate(0);
            if L::METADATA.planar {
                let d_second = (at_high.F_R_y - at_low.F_R_y) * factor;
                change[&F_R_Y] += d_second;
                change[&P_LOSS] += d_second * self.contact().v_y;
                change[&V_SLIP_Y] -= d_rate(1);
            }
        }
    }

    /// Value a little below or above that of a parameter, or the value itself where the law refuses
    /// that, with force and rates for it.
    fn beside(&self, parameter: &Variable, side: f64) -> Option<(f64, Evaluation<N>)> {
        let present = self.now.values[parameter];
        let size = present
            .abs()
            .max(PARAMETER_DIFFERENCE * parameter.start.unwrap_or(0.0).abs())
            .max(PARAMETER_DIFFERENCE);
        let beside = present + side * PARAMETER_DIFFERENCE * size;
        [beside, present].into_iter().find_map(|value| {
            let mut values = self.now.values;
            values[parameter] = value;
            parameter.check(value).ok()?;
            let law = self.law(&values).ok()?;
            Some((
                value,
                law.evaluate(self.contact(), &self.states(), &self.discrete()),
            ))
        })
    }

    /// Derivative of the longest stable step along a change of the values and of the contact with
    /// them, by a central difference.
    fn derivative_of_longest_step(&self, seed: &Values, d_contact: Contact) -> f64 {
        let (values, contact) = (&self.now.values, self.contact());
        if !L::METADATA.is_coupled() || values[&M_EFF] == 0.0 {
            return 0.0;
        }
        let Numerics {
            scale,
            velocity_scale,
            ..
        } = self.law.numerics(contact, &self.states(), 0.0);
        let states = L::METADATA
            .states
            .iter()
            .zip(scale)
            .map(|((state, _), scale)| (seed[state], scale));
        let of_backward = L::METADATA.directed.iter().map(|[_, backward]| backward);
        let parameters = L::METADATA
            .parameters
            .iter()
            .chain(of_backward)
            .chain([&M_EFF, &RADIUS]);
        let parameters = parameters.map(|known| (seed[known], values[known].abs()));
        let of_contact = [
            (d_contact.v, velocity_scale),
            (d_contact.F_N, contact.F_N.abs()),
        ];
        let relative = states
            .chain(parameters)
            .chain(of_contact)
            .filter(|(seed, _)| *seed != 0.0);
        let largest = relative.fold(0.0, |largest: f64, (seed, size)| {
            largest.max(seed.abs() / size)
        });
        let width = PARAMETER_DIFFERENCE / largest;
        if !width.is_normal() {
            return 0.0;
        }
        let beside = |width: f64| {
            let mut values = *values;
            values
                .0
                .iter_mut()
                .zip(seed.0)
                .for_each(|(value, seed)| *value += width * seed);
            let contact = Contact {
                F_N: contact.F_N + width * d_contact.F_N,
                v: contact.v + width * d_contact.v,
                ..contact
            };
            // At the bound of a parameter there is no difference.
            self.law(&values).map_or(f64::NAN, |law| {
                Self::longest_step_of(&law, contact, &values)
            })
        };
        let derivative = (beside(width) - beside(-width)) / (2.0 * width);
        if derivative.is_finite() {
            derivative
        } else {
            0.0
        }
    }

    /// Time derivatives of all outputs at the end of the last step.
    pub(super) fn time_derivatives(&self) -> Values {
        let rate = core::array::from_fn(|i| self.now.values[&L::METADATA.states[i].1]);
        let mut derivatives =
            self.directional_derivative_at(self.now.end, self.now.end_derivative, rate);
        derivatives[&E_LOSS] = self.now.values[&P_LOSS];
        derivatives
    }

    /// Directional derivative of outputs and state derivatives along a change of contact and
    /// states.
    fn directional_derivative_at(
        &self,
        contact: Contact,
        d_contact: Contact,
        dx: [f64; N],
    ) -> Values {
        let Evaluation {
            F_R: force,
            F_R_y: across,
            rate,
            ..
        } = along(
            &self.law,
            [contact, d_contact],
            [&self.states(), &dx],
            &self.discrete(),
        );
        let ([d_force], [d_across]) = (force.derivatives, across.derivatives);
        let d_rate = rate.map(|rate| rate.derivatives[0]);
        let mut change = Values::ZERO;
        for ((_, derivative), d_rate) in L::METADATA.states.iter().zip(d_rate) {
            change[derivative] = d_rate;
        }
        change[&F_R] = d_force * self.lever.radius;
        change[&F_LAW] = d_force * self.lever.radius;
        change[&P_LOSS] = d_force * contact.v + force.value * d_contact.v;
        change[&V_SLIP] = d_contact.v - d_rate.first().unwrap_or(&0.0);
        if L::METADATA.planar {
            change[&F_R_Y] = d_across;
            change[&P_LOSS] += d_across * contact.v_y + across.value * d_contact.v_y;
            change[&V_SLIP_Y] = d_contact.v_y - d_rate.get(1).unwrap_or(&0.0);
        }
        change
    }
}

/// Error of a derivative of a variable that is no input, or of an order that is not supported.
#[cold]
pub(crate) fn no_derivative(variable: &Variable, order: usize) -> InputError {
    InputError::new(format!(
        "derivative {order} of {} was given, but only derivatives 1 to \
         {MAX_INPUT_DERIVATIVE_ORDER} of inputs are supported; leave \
         it out",
        variable.name
    ))
}
