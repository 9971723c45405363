//! Calls that get and set variables.

use super::arguments::{Array, shown};
use super::{Caller, Subject, is_on_demand};
use crate::random_calls::model::{Expected, Model, Role, real, role};
use bristle_importer::calling_sequence::Call;
use bristle_importer::fmi2::{Reference, Status, Text};
use bristle_importer::raw;

impl Caller<'_> {
    pub(super) fn set_real(&mut self, subject: usize) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let description = &self.fmu.description;
        // Mostly settable variables, so that instances reach all states.
        let allowed: Vec<_> = description
            .variables
            .iter()
            .filter(|v| v.kind == "Real" && self.subjects[subject].model.settable(role(v)))
            .map(|v| v.reference)
            .collect();
        let keep = self.random.once_in(4);
        let references = Array(
            references
                .0
                .iter()
                .map(|r| {
                    if keep {
                        *r
                    } else {
                        *self.random.one_of(&allowed)
                    }
                })
                .collect(),
            references.1,
        );
        let values = references
            .0
            .iter()
            .map(|r| self.number_for(real(description, *r).map_or("", |v| &v.name)))
            .collect();
        let values = self.array(values);
        let Caller { law, subjects, .. } = &mut *self;
        let Subject {
            instance, model, ..
        } = &mut subjects[subject];
        let good = |(reference, value): (&Reference, &f64)| {
            real(description, *reference).is_some_and(|v| {
                model.settable(role(v)) && Model::acceptable(law, &v.name, role(v), *value)
            })
        };
        let all_good = references.0.iter().zip(&values.0).all(good);
        let expected = if references.missing(n) || values.missing(n) || !all_good {
            Expected::Error
        } else {
            Expected::Ok
        };
        let status = raw!(
            instance,
            set_real,
            references.pointer(),
            n,
            values.pointer()
        );
        if status == Status::OK {
            for (reference, value) in references.0.iter().zip(&values.0) {
                if let Some(variable) = real(description, *reference) {
                    model.set(&variable.name, *value);
                }
            }
        }
        (status, expected, shown(&references.0, &values.0))
    }

    pub(super) fn get_real(&mut self, subject: usize) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let mut values = self.array(vec![f64::NAN; n]);
        let description = &self.fmu.description;
        let Subject {
            instance, model, ..
        } = &mut self.subjects[subject];
        let variables: Option<Vec<_>> =
            references.0.iter().map(|r| real(description, *r)).collect();
        let expected = match &variables {
            _ if references.missing(n) || values.missing(n) => Expected::Error,
            None => Expected::Error,
            // On-demand outputs may overflow.
            Some(variables) if model.extreme && variables.iter().any(|v| is_on_demand(&v.name)) => {
                match model.readable(true) {
                    Expected::Ok => Expected::Either,
                    expected => expected,
                }
            }
            Some(variables) => {
                model.readable(variables.iter().any(|v| role(v) == Role::Calculated))
            }
        };
        let status = raw!(instance, get_real, references.pointer(), n, values.place());
        if status == Status::OK {
            let model = model.clone();
            self.finite(&values.0);
            for (variable, value) in variables.unwrap_or_default().into_iter().zip(&values.0) {
                if matches!(role(variable), Role::Input | Role::Parameter) && !model.forged {
                    self.claim(
                        model.values[&variable.name] == *value,
                        &format!("{} reads {value:?}", variable.name),
                    );
                }
            }
        }
        (status, expected, shown(&references.0, &[]))
    }

    pub(super) fn get_boolean(&mut self, subject: usize) -> (Status, Expected, String) {
        let n = self.random.below(3);
        let stray = self.random.once_in(6);
        let flags = self.all(|variable| variable.kind == "Boolean");
        // Of the references 8 and 136 none is that of a Boolean.
        let flag = if stray {
            *self.random.one_of(&[8, 136])
        } else {
            *self.random.one_of(&flags)
        };
        let mut values = self.array(vec![7; n]);
        let Subject {
            instance, model, ..
        } = &mut self.subjects[subject];
        let expected = if values.missing(n) || (stray && n > 0) {
            Expected::Error
        } else {
            model.readable(n > 0)
        };
        let status = raw!(
            instance,
            get_boolean,
            vec![flag; n].as_ptr(),
            n,
            values.place()
        );
        if status == Status::OK {
            self.claim(
                values.0.iter().all(|value| matches!(value, 0 | 1)),
                "an fmi2Boolean is 0 or 1",
            );
        }
        (status, expected, format!(" {n} of {flag}"))
    }

    /// Of these types modes can be read, and choices can be read and set.
    pub(super) fn other_type(&mut self, subject: usize, call: Call) -> (Status, Expected, String) {
        let n = self.count();
        let references = self.references(n);
        let choices = self.all(|variable| variable.kind == "Enumeration");
        let whole = self.all(|variable| ["Integer", "Enumeration"].contains(&&*variable.kind));
        let right = if call == Call::SetInteger {
            &choices
        } else {
            &whole
        };
        let references = match (right.is_empty(), call) {
            (false, Call::GetInteger | Call::SetInteger) if !self.random.once_in(6) => Array(
                references
                    .0
                    .iter()
                    .map(|_| *self.random.one_of(right))
                    .collect(),
                references.1,
            ),
            _ => references,
        };
        let mut integers: Vec<i32> = (0..n)
            .map(|_| *self.random.one_of(&[1, 1, 2, 2, 3, 0, -1, 4]))
            .collect();
        let description = &self.fmu.description;
        let Subject {
            instance: i, model, ..
        } = &mut self.subjects[subject];
        let mut texts: Vec<Text> = vec![c"text".as_ptr(); n];
        let status = match call {
            Call::GetInteger => raw!(
                i,
                get_integer,
                references.pointer(),
                n,
                integers.as_mut_ptr()
            ),
            Call::SetInteger => raw!(i, set_integer, references.pointer(), n, integers.as_ptr()),
            Call::SetBoolean => raw!(i, set_boolean, references.pointer(), n, integers.as_ptr()),
            Call::GetString => raw!(i, get_string, references.pointer(), n, texts.as_mut_ptr()),
            _ => raw!(i, set_string, references.pointer(), n, texts.as_ptr()),
        };
        let here = !references.missing(n);
        let readable =
            call == Call::GetInteger && references.0.iter().all(|r| whole.contains(r)) && here;
        let settable = call == Call::SetInteger
            && references.0.iter().all(|r| choices.contains(r))
            && here
            && model.settable(Role::Parameter)
            && integers.iter().all(|choice| (1..=4).contains(choice));
        let expected = match n {
            0 => Expected::Ok,
            _ if readable => model.readable(references.0.iter().any(|r| !choices.contains(r))),
            _ if settable => Expected::Ok,
            _ => Expected::Error,
        };
        if status == Status::OK && call == Call::SetInteger {
            for (reference, value) in references.0.iter().zip(&integers) {
                if let Some(variable) = description
                    .variables
                    .iter()
                    .find(|v| v.reference == *reference)
                {
                    model.set(&variable.name, f64::from(*value));
                }
            }
        }
        if status == Status::OK && call == Call::GetInteger {
            self.claim(
                integers.iter().all(|mode| (-1..=4).contains(mode)),
                "a mode is -1 to 2, a choice 1 to 4",
            );
        }
        (status, expected, shown(&references.0, &[]))
    }
}
