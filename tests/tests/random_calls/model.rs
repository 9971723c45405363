//! Model of an instance: its state, the values that were set, and the expected status of the
//! next call. Written from the standard and the model description, independent of the element.

use bristle::domain::STEPS;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::description::{Description, ScalarVariable};
use bristle_importer::fmi2::{CO_SIMULATION, InterfaceType, Reference};
use bristle_tests::plausible_values::without_contact;
use std::collections::BTreeMap;

/// Expected status of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Ok,
    Error,
    /// Either is right, because numbers may overflow.
    Either,
}

/// Role of a variable for an importer.
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
    description
        .variables
        .iter()
        .find(|v| v.reference == reference && v.kind == "Real")
}

/// Model of an instance.
#[derive(Clone, Debug)]
pub struct Model {
    pub interface: InterfaceType,
    pub state: InstanceState,
    pub time: f64,
    pub stop: f64,
    /// Values of inputs, parameters and states.
    pub values: BTreeMap<String, f64>,
    /// Start values of inputs, parameters and states.
    starts: BTreeMap<String, f64>,
    /// Values outside the plausible range were set.
    pub extreme: bool,
    /// The values were read from forged bytes.
    pub forged: bool,
    /// Input derivatives are pending for the next step.
    pub moving: bool,
}

impl Model {
    pub fn new(interface: InterfaceType, description: &Description) -> Self {
        let starts = description
            .variables
            .iter()
            .filter_map(|v| Some((v.name.clone(), v.start.as_ref()?.parse().ok()?)));
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

    /// The state of the instance allows setting a variable of this role.
    pub fn settable(&self, role: Role) -> bool {
        match role {
            Role::Input => true,
            Role::Parameter => self.state != InstanceState::ContinuousTime,
            Role::State => matches!(
                self.state,
                InstanceState::Instantiated
                    | InstanceState::Initialization
                    | InstanceState::ContinuousTime
            ),
            Role::Calculated => false,
        }
    }

    /// The value is within the documented bounds of the variable.
    pub fn acceptable(law: &str, name: &str, role: Role, value: f64) -> bool {
        let bounds = match (law, without_contact(name)) {
            (_, "coupling") => return [1.0, 2.0, 3.0].contains(&value),
            (_, "sigma_0") => [1.0, 1e12],
            ("FrDyn2" | "FrDyn2Linear", "sigma_1") => [1e-6, 1e9],
            (_, "sigma_1" | "sigma_2" | "mu_1" | "eta_1" | "a_u" | "b_l") => [0.0, 1e9],
            (
                "FrDyn2" | "FrDyn2Linear" | "StaticRegularized" | "SimpackStickSlip"
                | "AdamsStickSlip",
                "mu_d",
            )
            | (_, "mu_s_0" | "mu_v1" | "mu_v2" | "mu_v3" | "mu_v4") => [0.0, 10.0],
            (_, "mu_s" | "mu_d" | "mu_0") => [1e-6, 10.0],
            // Of joints whose card states torques or forces.
            ("FrDyn2", "M_d") => [0.0, 1e7],
            (_, "M_s" | "M_d" | "F_d") => [1e-9, 1e7],
            (_, "k") => [1e-9, 1e12],
            ("LuGre", "c") | (_, "c_v") => [0.0, 1e9],
            (_, "c") => [1e-9, 1e9],
            (_, "omega_s" | "omega_d" | "omega_Stribeck") => [1e-9, 1e3],
            (_, "k_m" | "k_e") => [-10.0, 10.0],
            // Of a joint with reactions.
            (_, "N_0") => [0.0, 1e9],
            (_, "r_a" | "l_b" | "r_t") => [1e-6, 1e3],
            (_, "k_s") => [-10.0, 10.0],
            (_, "v_s" | "v_d" | "v_Stribeck" | "delta") => [1e-9, 1e3],
            (_, "v_small" | "v_1" | "v_2" | "v_3" | "v_4") => [0.0, 1e3],
            (_, "alpha" | "delta_sigma") => [0.1, 10.0],
            (_, "tau") => [0.0, 10.0],
            (_, "gamma") => [1e-6, 1e9],
            (_, "Delta") => [1e-12, 1.0],
            (_, "a_2" | "epsilon") => [1e-9, 1e9],
            (_, "peak") => [1.0, 100.0],
            (_, "F_offset" | "F_N") => [f64::MIN, f64::MAX],
            (_, "inner_steps_max") => [1.0, f64::MAX],
            (
                _,
                "t_d" | "m_eff" | "J_eff" | "k_eff" | "d_eff" | "m_support" | "probe" | "eta_2"
                | "a_1" | "d",
            ) => [0.0, f64::MAX],
            _ if role == Role::Parameter => [1e-100, f64::MAX],
            _ => [f64::MIN, f64::MAX],
        };
        (bounds[0]..=bounds[1]).contains(&value)
    }

    pub fn set(&mut self, name: &str, value: f64) {
        // Zero and plausible values.
        let size = value.abs();
        let usual = match (without_contact(name), self.starts.get(name)) {
            ("z" | "z_x" | "z_y", _) => size <= 1e-4,
            ("z_dot" | "z_dot_x" | "z_dot_y", _) => size <= 1.0,
            ("v" | "v_x" | "v_y" | "omega", _) => value == 0.0 || (1e-8..=20.0).contains(&size),
            (
                "F_N" | "load" | "tau_m" | "tau_e" | "k_m" | "k_e" | "a" | "F_t" | "M_t" | "t_d"
                | "m_eff" | "J_eff" | "N_0" | "F_x" | "F_y" | "F_z" | "M_x" | "M_y" | "M_z" | "s"
                | "k_s",
                _,
            ) => value == 0.0 || (1e-4..=1e4).contains(&size),
            (_, Some(start)) if *start != 0.0 => (start / 100.0..=start * 100.0).contains(&value),
            _ => value <= 10.0,
        };
        self.values.insert(name.to_owned(), value);
        self.extreme |= !usual;
    }

    /// The body observer is on, or may be switched on by the motion.
    pub fn observed(&self) -> bool {
        let value = |name: &str| self.values.get(name).copied().unwrap_or(0.0);
        value("coupling") == 4.0
            || (value("m_eff") > 0.0 || value("J_eff") > 0.0) && value("coupling") < 3.0
    }

    /// The parameters contradict each other.
    pub fn contradictory(&self) -> bool {
        ["_forward", "_backward"]
            .iter()
            .any(|other| self.contradictory_without(other))
    }

    /// The parameters of one direction contradict each other: those without the names of the other.
    fn contradictory_without(&self, other: &str) -> bool {
        // Of several contacts each may have its own.
        let values = |name: &str| -> Vec<f64> {
            let own = self
                .values
                .iter()
                .filter(|(own, _)| without_contact(own) == name && !own.ends_with(other));
            own.map(|(_, value)| *value).collect()
        };
        let below = |smaller: &str, larger: &str| {
            let (smaller, larger) = (values(smaller), values(larger));
            smaller
                .iter()
                .all(|smaller| larger.iter().all(|larger| smaller <= larger))
        };
        let table: Vec<_> = ["v_1", "v_2", "v_3", "v_4"]
            .iter()
            .filter_map(|name| self.values.get(*name))
            .collect();
        let table = table.split(|v| **v == 0.0).next().unwrap_or_default();
        let ordered = [("mu_d", "mu_s"), ("M_d", "M_s")];
        let regularised = [("v_d", "v_s"), ("omega_d", "omega_s")];
        !ordered
            .iter()
            .all(|(smaller, larger)| below(smaller, larger))
            || regularised
                .iter()
                .any(|(full, range)| !values(full).is_empty() && below(full, range))
            || !table.is_sorted_by(|a, b| a < b)
    }

    /// Expected status of a call that applies the parameters.
    pub fn in_force(&self) -> Expected {
        if self.forged {
            Expected::Either
        } else if self.contradictory() {
            Expected::Error
        } else if self.extreme {
            Expected::Either
        } else {
            Expected::Ok
        }
    }

    /// Expected status of reading variables, some of which are calculated.
    pub fn readable(&self, calculated: bool) -> Expected {
        let kept = self.interface == CO_SIMULATION && self.state != InstanceState::Initialization;
        if calculated && !kept {
            self.in_force()
        } else {
            Expected::Ok
        }
    }

    /// Expected status of a step from `t` over `h`.
    pub fn step(&self, t: f64, h: f64) -> Expected {
        if self.forged {
            return Expected::Either;
        }
        if !(h.is_finite() && h > 0.0 && (t + h).is_finite()) {
            return Expected::Error;
        }
        // Bound of rounding, and bound of accepted differences.
        let (rounding, off) = (1e-15 * self.time.abs(), 1e-9 + 2e-7 * self.time.abs());
        let beyond = [(t - self.time).abs(), t + h - self.stop];
        if beyond.iter().any(|by| *by > off) {
            return Expected::Error;
        }
        let sure = beyond.iter().all(|by| *by <= rounding);
        match self.in_force() {
            Expected::Ok if sure && (*STEPS.start()..=1.0).contains(&h) && !self.moving => {
                Expected::Ok
            }
            Expected::Error => Expected::Error,
            _ => Expected::Either,
        }
    }
}
