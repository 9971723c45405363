//! Rows of the table: elements, rigs, loads, masses, limits and goals.

use crate::rigs::{BLOCK, BODY, LINE, PLANE, PLATE, Rig};
use bristle::catalogue::{ELEMENTS, find};

/// Largest normal force of a rig, N.
const FULL: f64 = 1e3;
/// Largest normal force with which FrDyn2's bristle is stable at its default parameters, N: sigma_1
/// (v_d - v_s)/(1.5 (mu_s - mu_d)) is 63.9 N.
const STABLE: f64 = 60.0;
/// Limit of inner steps of the rows with one.
const LIMIT: u32 = 4;

/// Row of the table.
pub struct Row {
    /// The element.
    pub element: &'static str,
    /// Its card and its inputs.
    pub rig: &'static Rig,
    /// Largest normal force, N.
    pub normal_force: f64,
    /// Number of the coupling, 1 serial or 2 parallel, of the rows with a body of the master.
    pub coupling: Option<i32>,
    /// Whether the body of the master is held at rest by friction.
    pub sticks: bool,
    /// The parameter `inner_steps_max`, where it is set.
    pub limit: Option<u32>,
    /// Limits of the 99.99 % quantile, where there is one, and of every step, µs: a rig at 1 kHz
    /// leaves 100 µs for the element.
    pub goal: (Option<f64>, f64),
}

impl Row {
    /// `m_eff` and mass of the body, kg.
    pub const MASS: f64 = 1.0;

    /// Whether the page shows it; the file has all rows.
    pub fn is_on_page(&self) -> bool {
        let is_bare = self.coupling.is_none() && self.limit.is_none();
        is_bare || self.sticks || self.rig.card.is_some()
    }

    /// Largest normal force, rig, coupling of the rows with `m_eff`, and limit of inner steps.
    pub fn load(&self) -> String {
        let coupling = match self.coupling {
            _ if self.rig.card.is_some() => "",
            None => "",
            Some(1) => " serial",
            Some(_) => " parallel",
        };
        let stick = if self.sticks { " stick" } else { "" };
        let limit = self
            .limit
            .map_or(String::new(), |limit| format!(" inner_steps_max={limit}"));
        let rig = self.rig.name;
        format!("{} N{rig}{coupling}{stick}{limit}", self.normal_force)
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let row = |element, normal_force, quantile: f64, worst| Row {
        element,
        rig: &LINE,
        normal_force,
        coupling: None,
        sticks: false,
        limit: None,
        goal: (Some(quantile), worst),
    };
    let of_element = |element| match element {
        "FrDyn2" | "FrDyn2Linear" => vec![
            row(element, STABLE, 20.0, 50.0),
            row(element, FULL, 50.0, 100.0),
        ],
        "Armstrong" | "LuGre" => vec![row(element, FULL, 20.0, 50.0)],
        _ => vec![row(element, FULL, 10.0, 20.0)],
    };
    let names: Vec<_> = ELEMENTS.iter().map(|entry| entry.metadata.name).collect();
    let mut rows: Vec<_> = names
        .iter()
        .flat_map(|element| of_element(element))
        .collect();
    let has_mass = |element: &&&str| {
        find(element).is_some_and(|entry| entry.variables().any(|v| v.name == "m_eff"))
    };
    for element in names.iter().filter(has_mass) {
        let coupled = |coupling| Row {
            coupling: Some(coupling),
            goal: (None, 50.0),
            ..row(element, STABLE, 0.0, 0.0)
        };
        rows.extend([1, 2].map(coupled));
    }
    let limited = ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"]
        .into_iter()
        .flat_map(of_element);
    rows.extend(limited.map(|row| Row {
        limit: Some(LIMIT),
        ..row
    }));
    // Goals of the worst step at both loads, µs.
    let at_both_loads = |element, rig, coupling, [stable, full]: [f64; 2]| {
        [(STABLE, stable), (FULL, full)].map(|(normal_force, worst)| Row {
            rig,
            coupling,
            goal: (None, worst),
            ..row(element, normal_force, 0.0, 0.0)
        })
    };
    for rig in [&PLANE, &PLATE] {
        rows.extend(at_both_loads("FrDyn2", rig, None, [50.0, 100.0]));
    }
    rows.extend(at_both_loads("FrDyn2", &BODY, Some(1), [50.0, 100.0]));
    for coupling in [1, 2] {
        let observed = at_both_loads("FrDyn2", &LINE, Some(coupling), [50.0, 100.0]);
        rows.extend(observed.map(|row| Row {
            sticks: true,
            ..row
        }));
    }
    for element in ["FrDyn2", "LuGre", "Coulomb"] {
        rows.extend(at_both_loads(element, &BLOCK, None, [100.0, 200.0]));
    }
    rows
}
