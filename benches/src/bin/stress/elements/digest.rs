//! Digests of all results of the random steps, to compare two builds of the elements bit by bit.

use super::draws::{self, Body, Sequence};
use super::laws::MODELS;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Prints a digest of F_R, E_loss, F_R_mean, states and status after every step of `sequences` sequences, for each element.
pub fn print(sequences: u64, seed: u64, element: Option<&str>) {
    for (place, model) in MODELS.iter().enumerate() {
        if element.is_none_or(|name| name == model.element) {
            let fmu = Fmu::packaged(model.element);
            let mut digest = DefaultHasher::new();
            let steps: usize = (0..sequences).map(|index| run(&fmu, place, seed, index, &mut digest)).sum();
            println!("{:016x} {} ({steps} steps)", digest.finish(), model.element);
        }
    }
}

/// Runs one sequence and returns its number of steps, up to the first one that is refused.
fn run(fmu: &Fmu, place: usize, seed: u64, index: u64, digest: &mut DefaultHasher) -> usize {
    let Sequence { parameters, tolerance, body, steps } = draws::sequence(seed, place, index);
    let mut values = parameters;
    if let Some(Body { mass, coupling, .. }) = body {
        values.extend([("m_eff", mass), ("coupling", f64::from(coupling))]);
    }
    let mut element = Element::start(fmu, &values, tolerance);
    let outputs = ["F_R", "E_loss", "F_R_mean"];
    let has = |name: &&str| fmu.description.variables.iter().any(|variable| variable.name == *name);
    let outputs: Vec<_> = outputs.into_iter().filter(has).collect();
    let stiffness = MODELS[place].stiffness;
    let (mut v, mut previous_force) = (0.0, 0.0);
    for (number, mut step) in steps.into_iter().enumerate() {
        if let Some(Body { led: Some(_), .. }) = body {
            step.inputs.v = [v, 0.0, 0.0, 0.0];
        }
        if let (Some(factor), Some(name)) = (step.tuning, stiffness) {
            let present = element.instance.get(name) * factor;
            element.instance.set(name, present);
        }
        let status = element.set_inputs(&step.inputs, step.order).max(element.do_step(step.h));
        (status as i32).hash(digest);
        if status > Status::Warning {
            return number + 1;
        }
        let states = element.states().into_iter().map(|(_, value)| value);
        states.collect::<Vec<_>>().into_iter().for_each(|value| value.to_bits().hash(digest));
        for name in &outputs {
            let mut value = [f64::NAN];
            let status = element.instance.get_real(&[fmu.description.reference(name)], &mut value);
            (status as i32, value[0].to_bits()).hash(digest);
        }
        let force = element.instance.get("F_R");
        if let Some(Body { led: Some(mass), coupling, .. }) = body {
            let applied = if coupling == 1 { force } else { previous_force };
            v += (step.inputs.F_t[0] - applied) / mass * step.h;
        }
        previous_force = force;
    }
    draws::LENGTH
}
