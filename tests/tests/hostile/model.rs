//! What an importer may expect of an instance: where it stands in the chart, what was set, and what that says of the
//! next call. Written from the standard and the model description, without a look at the element.

use bristle_tests::chart::Mode;
use bristle_tests::description::{Description, ScalarVariable};
use bristle_tests::fmi2::{Kind, Reference};
use bristle_tests::host::CO_SIMULATION;
use std::collections::BTreeMap;

/// What the next call must be answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Ok,
    Error,
    /// Numbers so large or small are at work that either is right, as long as nothing is silent about it.
    Either,
}

/// What a variable is to an importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Input,
    Parameter,
    State,
    Calculated,
}

/// The role of a Real variable, by its description.
pub fn role(variable: &ScalarVariable) -> Role {
    match &*variable.causality {
        "input" => Role::Input,
        "parameter" => Role::Parameter,
        // A start value makes a local variable a state.
        "local" if variable.start.is_some() => Role::State,
        _ => Role::Calculated,
    }
}

/// The Real variable with this reference.
pub fn real(description: &Description, reference: Reference) -> Option<&ScalarVariable> {
    description.variables.iter().find(|v| v.reference == reference && v.kind == "Real")
}

/// An instance as its importer knows it.
#[derive(Clone, Debug)]
pub struct Model {
    pub kind: Kind,
    pub mode: Mode,
    pub time: f64,
    pub stop: f64,
    /// What inputs, parameters and states were set to, or start with.
    pub values: BTreeMap<String, f64>,
    /// Values were set that no engineer would set, or nobody knows what was.
    pub wild: bool,
    /// The values are not known at all.
    pub forged: bool,
    /// Derivatives of inputs wait for the next step.
    pub moving: bool,
}

impl Model {
    pub fn new(kind: Kind, description: &Description) -> Self {
        let starts =
            description.variables.iter().filter_map(|v| Some((v.name.clone(), v.start.as_ref()?.parse().ok()?)));
        Model {
            kind,
            mode: Mode::Instantiated,
            time: 0.0,
            stop: f64::INFINITY,
            values: starts.collect(),
            wild: false,
            forged: false,
            moving: false,
        }
    }

    /// Whether the present mode lets a variable of this role be set.
    pub fn settable(&self, role: Role) -> bool {
        match role {
            Role::Input => true,
            Role::Parameter => self.mode != Mode::ContinuousTime,
            Role::State => matches!(self.mode, Mode::Instantiated | Mode::Initialization | Mode::ContinuousTime),
            Role::Calculated => false,
        }
    }

    /// Whether a variable can have a value, alone.
    pub fn acceptable(name: &str, role: Role, value: f64) -> bool {
        let bound = match (name, role) {
            ("mu_d", _) => value >= 0.0,
            (_, Role::Parameter) => value > 0.0,
            _ => true,
        };
        value.is_finite() && bound
    }

    pub fn set(&mut self, name: &str, value: f64) {
        self.values.insert(name.to_owned(), value);
        // Zero and what an engineer's hand can reach.
        let tame = match name {
            "sigma_0" => (1e4..=1e9).contains(&value),
            "sigma_1" => (1e2..=1e5).contains(&value),
            "mu_s" | "mu_d" => (0.05..=2.0).contains(&value),
            "v_s" | "v_d" => (1e-5..=1.0).contains(&value),
            "z" => value.abs() <= 1e-4,
            "z_dot" => value.abs() <= 1.0,
            "v" => value == 0.0 || (1e-8..=10.0).contains(&value.abs()),
            _ => value == 0.0 || (1e-4..=1e4).contains(&value.abs()),
        };
        self.wild |= !tame;
    }

    /// The parameters contradict each other.
    pub fn contradictory(&self) -> bool {
        let value = |name: &str| self.values[name];
        value("mu_d") > value("mu_s") || value("v_d") <= value("v_s")
    }

    /// What a call is answered with that needs parameters in force.
    pub fn in_force(&self) -> Expected {
        match () {
            () if self.forged => Expected::Either,
            () if self.contradictory() => Expected::Error,
            () if self.wild => Expected::Either,
            () => Expected::Ok,
        }
    }

    /// What reading variables is answered with, of which some are calculated.
    pub fn readable(&self, calculated: bool) -> Expected {
        let kept = self.kind == CO_SIMULATION && self.mode != Mode::Initialization;
        if calculated && !kept { self.in_force() } else { Expected::Ok }
    }

    /// What a step from `t` over `h` is answered with.
    pub fn step(&self, t: f64, h: f64) -> Expected {
        if self.forged {
            return Expected::Either;
        }
        if !(h.is_finite() && h > 0.0 && (t + h).is_finite()) {
            return Expected::Error;
        }
        // What is surely rounding, and what surely is none.
        let [rounding, off] = [1e-10, 1e-6].map(|share| share * self.time.abs().max(1.0));
        let beyond = [(t - self.time).abs(), t + h - self.stop];
        if beyond.iter().any(|by| *by > off + 1e-2 * h) {
            return Expected::Error;
        }
        let sure = beyond.iter().all(|by| *by <= rounding);
        match self.in_force() {
            Expected::Ok if sure && h <= 1.0 && !self.moving => Expected::Ok,
            Expected::Error => Expected::Error,
            _ => Expected::Either,
        }
    }
}
