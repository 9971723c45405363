//! Rows of the table: elements, loads, masses and goals.

use bristle::catalogue::ELEMENTS;

/// Largest normal force of a rig, N.
const FULL: f64 = 1e3;
/// Largest normal force with which FrDyn2's bristle is stable at its default parameters, N: sigma_1 (v_d - v_s)/(1.5 (mu_s - mu_d))
/// is 63.9 N.
const STABLE: f64 = 60.0;
/// Limit of inner steps of the rows with one.
const LIMIT: u32 = 4;
/// Elements with `m_eff` and goals for it.
const COUPLED: [&str; 6] = ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl", "SimpackStickSlip", "AdamsStickSlip"];

/// Processor times of a step that a rig at 1 kHz with 100 µs for the element allows, µs.
#[derive(Clone, Copy)]
pub struct Goal {
    /// Limit of the 99.99 % quantile; none with the body observer.
    pub quantile: Option<f64>,
    /// Limit of every step.
    pub worst: f64,
}

/// Row of the table.
pub struct Row {
    /// The element.
    pub element: &'static str,
    /// Largest normal force, N.
    pub normal_force: f64,
    /// Body of the body observer: m_eff in kg and the number of the coupling, 1 serial or 2 parallel.
    pub body: Option<(f64, i32)>,
    /// The parameter `inner_steps_max`, where it is set.
    pub limit: Option<u32>,
    /// The limits.
    pub goal: Goal,
}

impl Row {
    /// Load and coupling in words.
    pub fn load(&self) -> String {
        let coupling = match self.body {
            None => String::new(),
            Some((mass, 1)) => format!(", m_eff = {mass} kg, serial"),
            Some((mass, _)) => format!(", m_eff = {mass} kg, parallel"),
        };
        let limit = self.limit.map_or(String::new(), |limit| format!(", inner_steps_max = {limit}"));
        format!("F_N ≤ {} N{coupling}{limit}", self.normal_force)
    }
}

/// All rows.
pub fn rows() -> Vec<Row> {
    let goal = |quantile: f64, worst: f64| Goal { quantile: Some(quantile), worst };
    let row = |element, normal_force, goal| Row { element, normal_force, body: None, limit: None, goal };
    let mut rows = Vec::new();
    for entry in &ELEMENTS {
        let element = entry.metadata.name;
        match element {
            "FrDyn2" | "FrDyn2Linear" => {
                rows.extend([row(element, STABLE, goal(20.0, 50.0)), row(element, FULL, goal(50.0, 100.0))])
            }
            "Armstrong" | "LuGre" => rows.push(row(element, FULL, goal(20.0, 50.0))),
            _ => rows.push(row(element, FULL, goal(10.0, 20.0))),
        }
    }
    for element in COUPLED {
        let goal = Goal { quantile: None, worst: 50.0 };
        rows.extend([1, 2].map(|coupling| Row {
            element,
            normal_force: STABLE,
            body: Some((1.0, coupling)),
            limit: None,
            goal,
        }));
    }
    // With a bound on the work instead of on the error.
    let limited = |element, normal_force, body, goal| Row { element, normal_force, body, limit: Some(LIMIT), goal };
    rows.push(limited("FrDyn2", STABLE, None, goal(20.0, 50.0)));
    rows.push(limited("FrDyn2", FULL, None, goal(50.0, 100.0)));
    rows.push(limited("FrDyn2Linear", STABLE, None, goal(20.0, 50.0)));
    rows.push(limited("FrDyn2Linear", FULL, None, goal(50.0, 100.0)));
    rows.push(limited("LuGre", FULL, None, goal(20.0, 50.0)));
    rows.push(limited("Dahl", FULL, None, goal(10.0, 20.0)));
    let goal = Goal { quantile: None, worst: 50.0 };
    let of_body = |coupling| COUPLED.map(|element| limited(element, STABLE, Some((1.0, coupling)), goal));
    rows.extend([1, 2].into_iter().flat_map(of_body));
    rows
}
