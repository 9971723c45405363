//! Inputs of an element: their values and time derivatives, as the user sees them and as the law
//! does.

use super::derivatives::no_derivative;
use super::lever::Lever;
use super::{A_Y, Element, INPUTS, V_Y};
use crate::coupling::Coupling;
use crate::law::{
    A, Contact, Delay, F_N, F_T, InputTrajectory, Law, MAX_INPUT_DERIVATIVE_ORDER, V,
};
use crate::variable::{InputError, Role, Values, Variable};

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Present contact as the law sees it.
    pub(super) fn contact(&self) -> Contact {
        let trajectory = self.trajectory();
        if trajectory.delay.is_none() {
            trajectory.start
        } else {
            trajectory.at(0.0)
        }
    }

    /// Contact of these inputs as the law sees it, without the velocity of a delay.
    #[inline]
    pub(super) fn start_contact(values: &Values, lever: Lever) -> Contact {
        let radius = lever.radius;
        Contact {
            F_N: values[&F_N],
            v: values[&V] * radius,
            a: if L::METADATA.inputs.is_empty() {
                0.0
            } else {
                values[&A] * radius
            },
            F_t: if L::METADATA.inputs.is_empty() {
                0.0
            } else {
                lever.applied(values[&F_T])
            },
            v_y: if L::METADATA.planar {
                values[&V_Y]
            } else {
                0.0
            },
            ..Contact::ZERO
        }
    }

    /// Inputs of the coming step as the law sees them.
    #[inline]
    pub(super) fn trajectory(&self) -> InputTrajectory<'_> {
        let start = Self::start_contact(&self.now.values, self.lever);
        let delay = L::METADATA.delay.zip(self.now.history.as_deref());
        let delay = delay.map(|(delay, history)| Delay {
            delay: self.now.values[&delay],
            history,
            start: self.now.time,
        });
        InputTrajectory {
            start,
            derivatives: self.now.derivatives.as_ref(),
            delay,
        }
    }

    /// Sets the inputs to those of a contact; fields that are no input of the law are ignored.
    pub(super) fn set_inputs(&mut self, contact: Contact) {
        let (
            Contact {
                F_N: normal_force,
                v,
                a,
                F_t: applied,
                v_y,
                ..
            },
            Lever {
                radius,
                inverse,
                offset,
            },
        ) = (contact, self.lever);
        if L::METADATA.planar {
            self.now.values[&V_Y] = v_y;
        }
        for (input, value) in [
            (F_N, normal_force),
            (V, v * inverse),
            (A, a * inverse),
            (F_T, applied * radius + offset),
        ] {
            let is_of_observer = self.options.has_acceleration && input.is(&A);
            if INPUTS.contains(&input) || L::METADATA.inputs.contains(&input) || is_of_observer {
                self.now.values[&input] = value;
            }
        }
    }

    /// Sets the time derivative of an input, of an order from 1 on, for the next step.
    pub(super) fn set_derivative(
        &mut self,
        input: &Variable,
        order: usize,
        value: f64,
    ) -> Result<(), InputError> {
        let is_declared = || L::METADATA.inputs.iter().any(|known| known.is(input));
        let is_known = |order| (1..=MAX_INPUT_DERIVATIVE_ORDER).contains(&order);
        // The observer uses the value of the acceleration only.
        let is_of_observer = input.is(&A) || L::METADATA.planar && input.is(&A_Y);
        // Held over the step.
        let source = self.options.source.as_ref();
        let is_of_source = source.is_some_and(|source| source.has_input(input));
        let is_held = input.is_parameter() && input.role == Role::Input || is_of_source;
        let Lever {
            radius, inverse, ..
        } = self.lever;
        let (factor, field): (f64, fn(&mut Contact) -> &mut f64) = if input.is(&F_N) {
            (1.0, |contact| &mut contact.F_N)
        } else if input.is(&V) {
            (radius, |contact| &mut contact.v)
        } else if input.is(&V_Y) && L::METADATA.planar {
            (1.0, |contact| &mut contact.v_y)
        } else if input.is(&A) && is_declared() {
            (radius, |contact| &mut contact.a)
        } else if input.is(&F_T) && is_declared() {
            (inverse, |contact| &mut contact.F_t)
        } else if is_known(order) && (is_of_observer && self.options.has_acceleration || is_held) {
            return Ok(());
        } else {
            return Err(no_derivative(input, order));
        };
        if !is_known(order) {
            return Err(no_derivative(input, order));
        }
        // The body of a serial coupling answers to F_R within the step, which an extrapolated v
        // leaves out.
        if L::METADATA.is_coupled()
            && input.is(&V)
            && Coupling::of(&self.now.values) == Coupling::Serial
        {
            return Ok(());
        }
        let derivatives = self
            .now
            .derivatives
            .get_or_insert([Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]);
        *field(&mut derivatives[order - 1]) = factor * value;
        if value == 0.0 && *derivatives == [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER] {
            self.now.derivatives = None;
        }
        Ok(())
    }
}
