//! Inputs for any element, to compare importers with: stick at first, then sliding to and fro under a normal force that varies.
//!
//! They begin with the start values because some importers set no input before the first step.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::fmt::Write;

use bristle::assembly::OMEGA;
use bristle::catalogue::Variant;
use bristle::element::{F_N, F_R, RADIUS, V, V_Y};
use bristle::law::A;
use bristle::variable::{RANGE, Role, Variable, slot};

/// The inputs of an element at communication points.
pub struct Signals {
    pub inputs: Vec<Variable>,
    /// The communication step, s.
    pub h: f64,
    /// One for each communication point, in the order of `inputs`.
    pub rows: Vec<Vec<f64>>,
}

impl Signals {
    /// Inputs of an element at `steps` + 1 communication points, `h` seconds apart.
    pub fn new(element: &Variant, h: f64, steps: usize) -> Self {
        let inputs: Vec<_> = element.variables().filter(|variable| variable.role == Role::Input).copied().collect();
        let row = |i: usize| -> Vec<f64> { inputs.iter().map(|input| value(element, input, i as f64 * h)).collect() };
        let rows = (0..=steps).map(row).collect();
        Signals { inputs, h, rows }
    }

    /// The time of a communication point, s.
    pub fn time(&self, i: usize) -> f64 {
        i as f64 * self.h
    }

    /// The names of the inputs and, row by row, time and values.
    pub fn csv(&self) -> String {
        let names: Vec<_> = self.inputs.iter().map(|input| input.name).collect();
        let mut text = format!("time,{}\n", names.join(","));
        for (i, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "{:?}", self.time(i));
            row.iter().for_each(|value| write!(text, ",{value:?}").expect("text grows"));
            text.push('\n');
        }
        text
    }

    /// For `tests/c/reference_run.c`: the force is all it prints.
    pub fn bits(&self, element: &Variant) -> String {
        let references: Vec<_> = self.inputs.iter().map(|input| input.reference.to_string()).collect();
        let steps = self.rows.len() - 1;
        let mut text = format!(
            "{}\n{} {}\n1 {}\n0\n0\n{steps}\n",
            element.guid(),
            references.len(),
            references.join(" "),
            force(element)
        );
        for (i, row) in self.rows[..steps].iter().enumerate() {
            let slopes = vec![0.0; row.len()];
            for number in [self.time(i), self.h].iter().chain(row).chain(&slopes) {
                let _ = write!(text, "{:016x} ", number.to_bits());
            }
            text.push('\n');
        }
        text
    }
}

/// Value reference of the force: F_R, M_R of a rotational element, F_R_x in the plane, that of the first of several contacts.
fn force(element: &Variant) -> u32 {
    let mut references = element.variables().map(|variable| variable.reference);
    references.find(|reference| slot(*reference) == F_R.slot()).unwrap_or(F_R.reference)
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
    let per_radius = element.find(RADIUS.name).and_then(|radius| radius.start).map_or(1.0, |radius| 1.0 / radius);
    match () {
        // Made an input by a card.
        () if input.is_parameter() => start * (1.0 + 0.05 * wave(2.0, 0.0)),
        () if input.is(&F_N) => 9.81 * (1.0 + 0.3 * wave(0.7, 0.0)),
        () if input.is(&V) => per_radius * (0.01 * t * t * wave(3.0, 0.0) + 1e-6 * wave(11.0, 0.0)),
        () if input.is(&V_Y) => 0.01 * t * t * wave(2.3, 0.4) + 1e-6 * wave(7.0, 0.0),
        () if input.is(&OMEGA) => 0.05 * t * t * wave(1.9, 0.9),
        () if input.is(&A) => per_radius * 0.01 * t * t * TAU * 3.0 * wave(3.0, FRAC_PI_2),
        () => 4.0 * t * wave(1.3, 0.2) / per_radius,
    }
}
