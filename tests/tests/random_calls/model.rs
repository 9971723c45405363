//! What an importer may expect of an instance: where it stands in the chart, what was set, and what that says of the
//! next call. Written from the standard and the model description, without a look at the element.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::description::{Description, ScalarVariable};
use bristle_importer::fmi2::{CO_SIMULATION, InterfaceType, Reference};
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
    pub interface: InterfaceType,
    pub state: InstanceState,
    pub time: f64,
    pub stop: f64,
    /// What inputs, parameters and states were set to, or start with.
    pub values: BTreeMap<String, f64>,
    /// What they start with.
    starts: BTreeMap<String, f64>,
    /// Values were set that no engineer would set, or nobody knows what was.
    pub extreme: bool,
    /// The values are not known at all.
    pub forged: bool,
    /// Derivatives of inputs wait for the next step.
    pub moving: bool,
}

impl Model {
    pub fn new(interface: InterfaceType, description: &Description) -> Self {
        let starts =
            description.variables.iter().filter_map(|v| Some((v.name.clone(), v.start.as_ref()?.parse().ok()?)));
        let starts: BTreeMap<_, _> = starts.collect();
        Model {
            interface,
            state: InstanceState::Instantiated,
            time: 0.0,
            stop: f64::INFINITY,
            values: starts.clone(),
            starts,
            extreme: false,
            forged: false,
            moving: false,
        }
    }

    /// Whether the present mode lets a variable of this role be set.
    pub fn settable(&self, role: Role) -> bool {
        match role {
            Role::Input => true,
            Role::Parameter => self.state != InstanceState::ContinuousTime,
            Role::State => matches!(
                self.state,
                InstanceState::Instantiated | InstanceState::Initialization | InstanceState::ContinuousTime
            ),
            Role::Calculated => false,
        }
    }

    /// Whether a variable can have a value, alone: what each element's documentation says.
    pub fn acceptable(element: &str, name: &str, role: Role, value: f64) -> bool {
        let bound = match (element, name) {
            ("ModelicaFriction", "peak") => value >= 1.0,
            ("Armstrong", "t_d") => value >= 0.0,
            (_, "m_eff") => value >= 0.0,
            (_, "coupling") => [1.0, 2.0, 3.0].contains(&value),
            ("LuGre" | "SimpackStickSlip", "sigma_1") => value >= 0.0,
            (_, "mu_d" | "mu_v" | "eta_1" | "eta_2" | "a_u" | "b_l" | "F_v" | "mu_Sa" | "mu_Sinf" | "tau") => {
                value >= 0.0
            }
            (_, "sigma_2" | "a_1" | "d" | "v_small" | "mu_1" | "v_1" | "v_2" | "v_3" | "v_4") => value >= 0.0,
            (_, "mu_v1" | "mu_v2" | "mu_v3" | "mu_v4") => value >= 0.0,
            _ if role == Role::Parameter => value >= 1e-100,
            _ => true,
        };
        value.is_finite() && bound
    }

    pub fn set(&mut self, name: &str, value: f64) {
        // Zero and what an engineer's hand can reach.
        let size = value.abs();
        let usual = match (name, self.starts.get(name)) {
            ("z", _) => size <= 1e-4,
            ("x", _) => size <= 1e-5,
            ("z_dot", _) => size <= 1.0,
            ("v", _) => value == 0.0 || (1e-8..=10.0).contains(&size),
            ("F_N" | "a" | "F_t" | "t_d" | "m_eff", _) => value == 0.0 || (1e-4..=1e4).contains(&size),
            (_, Some(start)) if *start != 0.0 => (start / 100.0..=start * 100.0).contains(&value),
            _ => value <= 10.0,
        };
        self.values.insert(name.to_owned(), value);
        self.extreme |= !usual;
    }

    /// The element carries a shadow of its body.
    pub fn observed(&self) -> bool {
        let value = |name: &str| self.values.get(name).copied().unwrap_or(0.0);
        value("m_eff") > 0.0 && value("coupling") < 3.0
    }

    /// The parameters contradict each other.
    pub fn contradictory(&self) -> bool {
        let below = |smaller: &str, larger: &str| match (self.values.get(smaller), self.values.get(larger)) {
            (Some(smaller), Some(larger)) => smaller <= larger,
            _ => true,
        };
        let table: Vec<_> = ["v_1", "v_2", "v_3", "v_4"].iter().filter_map(|name| self.values.get(*name)).collect();
        let table = table.split(|v| **v == 0.0).next().unwrap_or_default();
        let ordered = [("mu_d", "mu_s"), ("mu_k", "mu_s"), ("f_c", "f_s"), ("mu_Sa", "mu_Sinf")];
        !ordered.iter().all(|(smaller, larger)| below(smaller, larger))
            || (self.values.contains_key("v_d") && below("v_d", "v_s"))
            || !table.is_sorted_by(|a, b| a < b)
    }

    /// What a call is answered with that needs parameters in force.
    pub fn in_force(&self) -> Expected {
        match () {
            () if self.forged => Expected::Either,
            () if self.contradictory() => Expected::Error,
            () if self.extreme => Expected::Either,
            () => Expected::Ok,
        }
    }

    /// What reading variables is answered with, of which some are calculated.
    pub fn readable(&self, calculated: bool) -> Expected {
        let kept = self.interface == CO_SIMULATION && self.state != InstanceState::Initialization;
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
        let (rounding, off) = (1e-15 * self.time.abs(), 1e-9 + 2e-7 * self.time.abs());
        let beyond = [(t - self.time).abs(), t + h - self.stop];
        if beyond.iter().any(|by| *by > off) {
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
