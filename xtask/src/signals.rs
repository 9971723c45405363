//! Inputs for any element, to compare importers with: stick at first, then sliding to and fro under
//! a normal force that varies.
//!
//! They begin with the start values because some importers set no input before the first step.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write;

use bristle::assembly::OMEGA;
use bristle::catalogue::Variant;
use bristle::element::{F_N, F_R, RADIUS, V, V_Y};
use bristle::law::A;
use bristle::variable::{RANGE, Role, Unit, Variable, slot};

/// The inputs of an element at communication points.
pub struct Signals {
    inputs: Vec<Variable>,
    /// The communication step, s.
    h: f64,
    /// One for each communication point: the time, s, and the values in the order of `inputs`.
    rows: Vec<Vec<f64>>,
}

impl Signals {
    /// Inputs of an element at `steps` + 1 communication points, `h` seconds apart.
    pub fn new(element: &Variant, h: f64, steps: usize) -> Self {
        let inputs: Vec<_> = element
            .variables()
            .filter(|variable| variable.role == Role::Input)
            .copied()
            .collect();
        let row = |t: f64| {
            [t].into_iter()
                .chain(inputs.iter().map(|input| value(element, input, t)))
                .collect()
        };
        let rows = (0..=steps).map(|i| row(i as f64 * h)).collect();
        Signals { inputs, h, rows }
    }

    /// The names of the inputs and, row by row, time and values.
    pub fn csv(&self) -> String {
        let names: Vec<_> = self.inputs.iter().map(|input| input.name).collect();
        let row = |row: &Vec<f64>| {
            row.iter()
                .map(|value| format!("{value:?}"))
                .collect::<Vec<_>>()
                .join(",")
        };
        let rows: Vec<_> = self.rows.iter().map(row).collect();
        format!("time,{}\n{}\n", names.join(","), rows.join("\n"))
    }

    /// For `tests/c/reference_run.c`: the force is all it prints.
    pub fn bits(&self, element: &Variant) -> String {
        let references: String = self
            .inputs
            .iter()
            .map(|input| format!(" {}", input.reference))
            .collect();
        let (guid, count, steps) = (element.guid(), self.inputs.len(), self.rows.len() - 1);
        let mut text = format!(
            "{guid}\n{count}{references}\n1 {}\n0\n0\n{steps}\n",
            force(element)
        );
        for row in &self.rows[..steps] {
            let (time, values) = (&row[..1], &row[1..]);
            let numbers = [time, &[self.h], values, &vec![0.0; count]].concat();
            numbers
                .iter()
                .for_each(|number| write!(text, "{:016x} ", number.to_bits()).expect("text grows"));
            text.push('\n');
        }
        text
    }
}

/// Value reference of the force: F_R, M_R of a rotational element, F_R_x in the plane, that of the
/// first of several contacts.
fn force(element: &Variant) -> u32 {
    let mut references = element.variables().map(|variable| variable.reference);
    references
        .find(|reference| slot(*reference) == F_R.slot())
        .unwrap_or(F_R.reference)
}

fn value(element: &Variant, input: &Variable, t: f64) -> f64 {
    // Each contact is a little behind the one before.
    let contact = f64::from(input.reference / RANGE);
    let wave = |frequency: f64, phase: f64| libm::sin(TAU * frequency * t + phase - 0.3 * contact);
    let start = input.start.unwrap_or(0.0);
    if t == 0.0 {
        return start;
    }
    // Of a rotational contact the velocity at the radius.
    let per_radius = element
        .find(RADIUS.name)
        .and_then(|radius| radius.start)
        .map_or(1.0, |radius| 1.0 / radius);
    if input.is_parameter() {
        // Made an input by a card.
        start * (1.0 + 0.05 * wave(2.0, 0.0))
    } else if input.is(&F_N) {
        9.81 * (1.0 + 0.3 * wave(0.7, 0.0))
    } else if input.is(&V) {
        per_radius * (0.01 * t * t * wave(3.0, 0.0) + 1e-6 * wave(11.0, 0.0))
    } else if input.is(&V_Y) {
        0.01 * t * t * wave(2.3, 0.4) + 1e-6 * wave(7.0, 0.0)
    } else if input.is(&OMEGA) {
        0.05 * t * t * wave(1.9, 0.9)
    } else if input.is_of_block() && input.unit != Unit::Newton && input.unit != Unit::NewtonMetre {
        // Motion of the base and of the surface under a block.
        0.01 * t * wave(1.7, 0.3)
    } else if input.is(&A) {
        per_radius * 0.01 * t * t * TAU * 3.0 * wave(3.0, FRAC_PI_2)
    } else {
        4.0 * t * wave(1.3, 0.2) / per_radius
    }
}
