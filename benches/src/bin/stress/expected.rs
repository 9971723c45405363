//! Force, impulse and energy of a step by a reference law, as far as they can be trusted.

use crate::values::{Values, value};
use bristle::catalogue::find;
use bristle::law::Largest;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::quadrature::{Step, UNCERTAIN};
use bristle_reference_laws::{Contact, InputPolynomials, InputTrajectory, ReferenceLaw, zeros};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Time constants of a bristle in a step up to which the explicit integrator of a reference is
/// affordable.
const AFFORDABLE: f64 = 3e3;
/// Time constants after which a bristle has no memory of its state: e^-80 of it is left.
const FORGOTTEN: f64 = 80.0;

thread_local! {
    /// A reference law is running, whose panic is no failure of this program.
    static REFERENCE_RUNS: Cell<bool> = const { Cell::new(false) };
}

/// Reference law and the step that it advances over.
pub struct ReferenceStep<'a> {
    pub reference: &'a dyn ReferenceLaw,
    pub element: &'a str,
    pub parameters: &'a Values,
    pub inputs: &'a InputPolynomials,
    pub h: f64,
    /// Equal parts that the quadrature begins with, beside those at changes of sign.
    pub parts: u32,
}

/// Result of a reference law for one step.
#[derive(Clone, Copy, Debug)]
pub struct Expected {
    /// F_R at the end, N.
    pub force: f64,
    /// Impulse (N·s) and energy (J).
    pub totals: Option<[f64; 2]>,
    /// Largest force that F_R may be a difference of, N.
    pub largest: f64,
}

/// Suppresses messages of panics by which reference laws report that they fail.
pub fn silence_references() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !REFERENCE_RUNS.get() {
            usual(panic);
        }
    }));
}

/// Result of a reference; `None` where it panics.
pub fn quietly<T>(reference: impl FnOnce() -> Option<T>) -> Option<T> {
    REFERENCE_RUNS.set(true);
    let answer = catch_unwind(AssertUnwindSafe(reference));
    REFERENCE_RUNS.set(false);
    answer.ok().flatten()
}

impl ReferenceStep<'_> {
    fn at(&self, t: f64) -> Contact {
        self.inputs.at(t)
    }

    /// The largest normal force and speed within the step.
    pub fn largest(&self) -> Largest {
        let even = (0..=64).map(|i| self.h * f64::from(i) / 64.0);
        let turns = [self.inputs.F_N, self.inputs.v].map(|powers| zeros(powers, self.h));
        let contacts = even.chain(turns.into_iter().flatten()).map(|t| self.at(t));
        let none = Largest {
            force: 0.0,
            speed: 0.0,
        };
        contacts.fold(none, |largest, contact| Largest {
            force: contact.F_N.max(largest.force),
            speed: contact.v.abs().max(largest.speed),
        })
    }

    /// Value of a parameter, that of the element where it was not drawn; none where the element
    /// does not have it.
    fn parameter(&self, name: &str) -> Option<f64> {
        let start = || {
            find(self.element)?
                .variables()
                .find(|variable| variable.name == name)?
                .start
        };
        value(self.parameters, name).or_else(start)
    }

    /// Largest force of a bristle's damping, N: F_R may be a difference of such forces.
    fn largest_damping(&self) -> f64 {
        self.parameter("sigma_1").unwrap_or(0.0) * self.largest().speed
    }

    /// Lower bound on the time constants of a bristle from `t` to the end: ∫σ_0|v|/(μ F_N) dt with
    /// the largest μ.
    fn time_constants(&self, t: f64) -> f64 {
        let mu = self
            .parameter("mu_s")
            .or_else(|| self.parameter("mu_d"))
            .expect("a coefficient of friction");
        let reach = mu / self.parameter("sigma_0").expect("a stiffness");
        let largest = self.largest().force;
        let part = (self.h - t) / 256.0;
        let rate = |i: i32| {
            let contact = self.at(t + part * (f64::from(i) + 0.5));
            if contact.is_closed() {
                contact.v.abs() / (reach * contact.F_N.max(1e-6 * largest))
            } else {
                0.0
            }
        };
        (0..256).map(rate).sum::<f64>() * part
    }

    /// Result of the reference law, if it reaches the end; integrals to `allowed` (N·s, J).
    pub fn answer(&self, allowed: [f64; 2]) -> Option<Expected> {
        quietly(|| self.answer_or_panic(allowed)).filter(|expected| expected.force.is_finite())
    }

    fn answer_or_panic(&self, allowed: [f64; 2]) -> Option<Expected> {
        let alpha = value(self.parameters, "alpha").unwrap_or(1.0);
        if self.inputs.is_held() && !matches!(self.element, "FrDyn2" | "FrDyn2Linear") {
            let contact = self.at(0.0);
            let force = self.reference.boxed().step(contact, self.h);
            return Some(self.with_totals(force, allowed));
        }
        let mut from = 0.0;
        let mut reference = self.reference.boxed();
        if matches!(self.element, "Dahl" | "LuGre") {
            // The reference of such a bristle under a moving F_N is not accurate enough: see
            // `dahl.rs`.
            if alpha < 1.0 && self.inputs.F_N[1..] != [0.0; 3] {
                return None;
            }
            if alpha >= 1.0 && self.time_constants(0.0) > AFFORDABLE {
                if alpha != 1.0 {
                    return None;
                }
                // Only the end of the step counts: from any state there the same force follows.
                from = self.last(FORGOTTEN)?;
                reference.synchronise(self.at(from), &|_| 0.0);
            }
        }
        let course = |t: f64| self.at(from + t);
        if from == 0.0
            && let Some([force, impulse, energy]) =
                reference
                    .boxed()
                    .integrate(&InputTrajectory::Moving(&course), self.h, TOLERANCE)
        {
            let [_, other, another] =
                reference.integrate(&InputTrajectory::Moving(&course), self.h, COARSE_TOLERANCE)?;
            let doubts = [(impulse - other).abs(), (energy - another).abs()];
            let certain = (0..2).all(|i| doubts[i] <= UNCERTAIN * allowed[i]);
            let largest = force
                .abs()
                .max(impulse.abs() / self.h)
                .max(self.largest_damping());
            return Some(Expected {
                force,
                totals: certain.then_some([impulse, energy]),
                largest,
            });
        }
        if from > 0.0 {
            let [force, ..] =
                reference.integrate(&InputTrajectory::Moving(&course), self.h - from, TOLERANCE)?;
            return Some(Expected {
                force,
                totals: None,
                largest: force.abs().max(self.largest_damping()),
            });
        }
        let force = reference.advance(&InputTrajectory::Moving(&course), self.h);
        // Armstrong's reference joins the ends of its steps by straight lines.
        if self.element == "Armstrong" && self.inputs.v[2..] != [0.0; 2] {
            return Some(Expected {
                force,
                totals: None,
                largest: force.abs(),
            });
        }
        Some(self.with_totals(force, allowed))
    }

    /// The latest time from which on a bristle has this many time constants, if the rest is
    /// affordable.
    fn last(&self, count: f64) -> Option<f64> {
        let [mut before, mut after] = [0.0, self.h];
        for _ in 0..100 {
            let middle = 0.5 * (before + after);
            if self.time_constants(middle) >= count {
                before = middle;
            } else {
                after = middle;
            }
        }
        (before > 0.0 && self.time_constants(before) < AFFORDABLE).then_some(before)
    }

    fn with_totals(&self, force: f64, allowed: [f64; 2]) -> Expected {
        let Self {
            reference: law,
            inputs,
            h,
            parts,
            ..
        } = *self;
        let (totals, largest) = Step {
            law,
            inputs,
            h,
            parts,
            allowed,
        }
        .totals(force);
        Expected {
            force,
            totals,
            largest,
        }
    }
}
