//! Rows of the table: elements, loads, masses, limits and goals.

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
    /// Largest normal force, N.
    pub normal_force: f64,
    /// Number of the coupling, 1 serial or 2 parallel, of the rows with `m_eff`.
    pub coupling: Option<i32>,
    /// The parameter `inner_steps_max`, where it is set.
    pub limit: Option<u32>,
    /// Limits of the 99.99 % quantile, where there is one, and of every step, µs: a rig at 1 kHz
    /// leaves 100 µs for the element.
    pub goal: (Option<f64>, f64),
}

impl Row {
    /// `m_eff` and mass of the body, kg.
    pub const MASS: f64 = 1.0;

    /// Largest normal force, coupling of the rows with `m_eff`, and limit of inner steps.
    pub fn load(&self) -> String {
        let coupling = match self.coupling {
            None => "",
            Some(1) => " serial",
            Some(_) => " parallel",
        };
        let limit = self
            .limit
            .map_or(String::new(), |limit| format!(" inner_steps_max={limit}"));
        format!("{} N{coupling}{limit}", self.normal_force)
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let row = |element, normal_force, quantile: f64, worst| Row {
        element,
        normal_force,
        coupling: None,
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
    rows
}
