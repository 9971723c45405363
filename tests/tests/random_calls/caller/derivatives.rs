//! Calls for derivatives: directional ones, and those of inputs and outputs with respect to time.

use super::arguments::shown;
use super::{Caller, Subject};
use crate::random_calls::model::{Expected, Role, role};
use crate::random_calls::numbers::odd;
use bristle_importer::calling_sequence::{Call, InstanceState};
use bristle_importer::fmi2::Status;
use bristle_importer::raw;

impl Caller<'_> {
    pub(super) fn directional_derivative(&mut self, subject: usize) -> (Status, Expected, String) {
        let [n, m] = [self.random.below(4), self.random.below(4)];
        let mut unknowns = self.references(n);
        let mut knowns = self.references(m);
        let all_unknowns = self.all(|v| v.kind == "Real" && role(v) == Role::Calculated);
        // Parameters are knowns of the initial unknowns.
        let is_initial = self.subjects[subject].model.state == InstanceState::Initialization;
        let is_known = |of: Role| {
            matches!(of, Role::Input | Role::State) || is_initial && of == Role::Parameter
        };
        let all_knowns = self.all(|v| v.kind == "Real" && is_known(role(v)));
        if !self.random.once_in(4) {
            unknowns
                .0
                .iter_mut()
                .for_each(|r| *r = *self.random.one_of(&all_unknowns));
            knowns
                .0
                .iter_mut()
                .for_each(|r| *r = *self.random.one_of(&all_knowns));
        }
        let wild = self.random.once_in(6);
        let random = &mut self.random;
        let seeds = (0..m)
            .map(|_| {
                if wild {
                    odd(random)
                } else {
                    random.between(-1.0, 1.0)
                }
            })
            .collect();
        let seeds = self.array(seeds);
        let mut results = self.array(vec![f64::NAN; n]);
        let Subject {
            instance, model, ..
        } = &self.subjects[subject];
        let missing =
            unknowns.missing(n) || knowns.missing(m) || seeds.missing(m) || results.missing(n);
        let known = unknowns.0.iter().all(|r| all_unknowns.contains(r))
            && knowns.0.iter().all(|r| all_knowns.contains(r));
        let expected = match model.in_force() {
            _ if missing || !known || seeds.0.iter().any(|seed| !seed.is_finite()) => {
                Expected::Error
            }
            Expected::Ok if wild => Expected::Either,
            expected => expected,
        };
        let status = raw!(
            instance,
            get_directional_derivative,
            unknowns.pointer(),
            n,
            knowns.pointer(),
            m,
            seeds.pointer(),
            results.place()
        );
        if status == Status::OK {
            self.finite(&results.0);
        }
        (
            status,
            expected,
            format!(" {:?} by{}", unknowns.0, shown(&knowns.0, &seeds.0)),
        )
    }

    /// Derivatives of inputs and outputs with respect to time.
    pub(super) fn slopes(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        let setting = call == Call::SetRealInputDerivatives;
        let n = self.random.below(4);
        let mut references = self.references(n);
        let causality = if setting { "input" } else { "output" };
        let right = self.all(|v| v.kind == "Real" && v.causality == causality);
        if !self.random.once_in(4) {
            references
                .0
                .iter_mut()
                .for_each(|r| *r = *self.random.one_of(&right));
        }
        let stray = self.random.once_in(6);
        let random = &mut self.random;
        let highest = if setting { 3 } else { 1 };
        let orders: Vec<i32> = (0..n)
            .map(|_| {
                if stray {
                    *random.one_of(&[0, -1, 4, i32::MAX, i32::MIN])
                } else {
                    1 + random.below(highest) as i32
                }
            })
            .collect();
        let wild = random.once_in(6);
        let values: Vec<f64> = (0..n)
            .map(|_| {
                if wild {
                    odd(random)
                } else {
                    random.between(-1.0, 1.0)
                }
            })
            .collect();
        let orders = self.array(orders);
        let mut values = self.array(values);
        let Subject {
            instance, model, ..
        } = &mut self.subjects[subject];
        let missing = references.missing(n) || orders.missing(n) || values.missing(n);
        let known = references.0.iter().all(|r| right.contains(r));
        let arguments = format!("{} {:?}", shown(&references.0, &values.0), orders.0);
        if setting {
            let fit = orders.0.iter().all(|order| (1..=3).contains(order))
                && values.0.iter().all(|v| v.is_finite());
            let expected = if missing || !known || !fit {
                Expected::Error
            } else {
                Expected::Ok
            };
            let status = raw!(
                instance,
                set_real_input_derivatives,
                references.pointer(),
                n,
                orders.pointer(),
                values.pointer()
            );
            if status == Status::OK && n > 0 {
                model.moving = true;
                // The input may reach any value within the step.
                model.extreme |= wild;
            }
            return (status, expected, arguments);
        }
        let fit = orders.0.iter().all(|order| *order == 1);
        let expected = if missing || !known || !fit {
            Expected::Error
        } else {
            model.in_force()
        };
        let status = raw!(
            instance,
            get_real_output_derivatives,
            references.pointer(),
            n,
            orders.pointer(),
            values.place()
        );
        if status == Status::OK {
            self.finite(&values.0);
        }
        (status, expected, arguments)
    }
}
