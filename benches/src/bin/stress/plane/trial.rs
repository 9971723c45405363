//! One sequence of an element in the plane. Each step is compared by itself, from the element's state at its start.

use super::draws::{self, Sequence, Step};
use super::judge::{self, distance};
use crate::elements::laws::MODELS;
use crate::elements::report::{Case, Quantity, Tally, Unjudged};
use crate::limits::{AGREEMENT, DEFAULT, MAX_ERROR, ROUNDING, SUM, VANISHING};
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Derivatives;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::planar::{PlanarEnd, PlanarInputs, PlanarLaw};

/// Smallest F_s that errors can be measured by, N: below it products underflow, and the contact counts as open.
const SMALLEST: f64 = 1e-99;
/// Names of the inputs.
const INPUTS: [&str; 3] = ["F_N", "v_x", "v_y"];
/// Names of the states, as far as a law has them.
const STATES: [&str; 4] = ["z_x", "z_y", "z_dot_x", "z_dot_y"];

/// Runs the sequence of this number.
pub fn run(fmu: &Fmu, place: usize, seed: u64, index: u64, tally: &mut Tally<Step>) {
    let Sequence { parameters, tolerance, steps } = draws::sequence(seed, place, index);
    let law = judge::law(MODELS[place].element, &parameters);
    let mut element = Element::start(fmu, &parameters, tolerance);
    let tolerance = tolerance.unwrap_or(DEFAULT);
    for (number, step) in steps.into_iter().enumerate() {
        let states = element.states().into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let mut case = Case {
            sequence: index,
            number,
            parameters: parameters.clone(),
            tolerance,
            body: None,
            states,
            step,
            found: f64::NAN,
            expected: f64::NAN,
            error: 0.0,
        };
        if !make_step(&mut element, &law, &mut case, tally) {
            return;
        }
    }
}

/// Makes a step and compares it; false where the sequence ends.
fn make_step(element: &mut Element, law: &PlanarLaw, case: &mut Case<Step>, tally: &mut Tally<Step>) -> bool {
    let Step { inputs, h, .. } = case.step;
    let state = |name: &str| case.states.iter().find(|(known, _)| known == name).map_or(0.0, |(_, value)| *value);
    let x = STATES.map(state);
    let before = element.instance.get("E_loss");
    tally.steps += 1;
    let mut status = Status::OK;
    set_inputs(element, &case.step);
    let time = clock::once(|| status = element.do_step(h));
    tally.slowest.offer(time * 1e-6, case);
    let expected = judge::expected(law, &inputs, h, x, TOLERANCE);
    if status > Status::Warning {
        let said = element.instance.take_log().into_iter().map(|entry| entry.text).collect::<Vec<_>>().join(" ");
        tally.refuse(&said, expected.is_some(), case);
        return false;
    }
    let is_warned = status == Status::Warning;
    tally.warned += u64::from(is_warned);
    let force = ["F_R_x", "F_R_y"].map(|name| element.instance.get(name));
    let after = element.instance.get("E_loss");
    if ![force[0], force[1], after].iter().all(|number| number.is_finite()) {
        tally.fail("a result is not a finite number", case);
        return false;
    }
    let Some(end) = expected else {
        tally.unjudged(Unjudged::GaveUp);
        return true;
    };
    let [normal_force, speed] = judge::largest(&inputs, h);
    let friction = law.static_friction();
    let (whole, last) = (friction * normal_force, friction * inputs.at(h).0.max(0.0));
    if whole < SMALLEST && normal_force > 0.0 {
        tally.unjudged(Unjudged::NoScale);
        return true;
    }
    let largest = whole.max(libm::hypot(end.force[0], end.force[1]));
    // F_N of a contact that closes at the end of the step is a difference of larger numbers.
    let force_rounding = (ROUNDING * largest).max(SUM * friction * judge::summands(inputs.F_N, h));
    let quantities = [
        (Quantity::Force, distance(force, end.force), last, force_rounding),
        (
            Quantity::Energy,
            (after - before - end.energy).abs(),
            whole * speed * h,
            force_rounding * speed * h + SUM * (before.abs() + after.abs()),
        ),
    ];
    for (i, (quantity, difference, scale, rounding)) in quantities.into_iter().enumerate() {
        (case.found, case.expected) = if i == 0 {
            (libm::hypot(force[0], force[1]), libm::hypot(end.force[0], end.force[1]))
        } else {
            (after - before, end.energy)
        };
        if quantity == Quantity::Force && 0.0 < last && last < VANISHING * whole {
            tally.unjudged(Unjudged::NoScale);
            continue;
        }
        let off = (difference - rounding).max(0.0);
        case.error = if off == 0.0 { 0.0 } else { off / (scale * case.tolerance) };
        if case.error > MAX_ERROR && shaken(law, &inputs, h, x, end)[i] > AGREEMENT * off {
            tally.unjudged(Unjudged::Disagreement);
            continue;
        }
        tally.count(quantity, case, is_warned);
    }
    true
}

/// Sets the inputs of a step with their derivatives.
fn set_inputs(element: &mut Element, step: &Step) {
    let PlanarInputs { F_N: normal_force, v: [v_x, v_y] } = step.inputs;
    let powers = [normal_force, v_x, v_y];
    let references = INPUTS.map(|name| element.instance.fmu().description.reference(name));
    let status = element.instance.set_real(&references, &powers.map(|powers| powers[0]));
    element.instance.ok(status);
    for order in 1..=step.order {
        let values = powers.map(|powers| powers[order]);
        let status = element.instance.set_real_input_derivatives(&references, &[order as i32; 3], &values);
        element.instance.ok(status);
    }
}

/// Largest changes of force (N) and energy (J) of the reference, which has this `end`, where normal forces are 3e-10 smaller or larger,
/// velocities 2.5e-12 m/s, and at a looser tolerance.
fn shaken(law: &PlanarLaw, inputs: &PlanarInputs, h: f64, x: [f64; 4], end: PlanarEnd) -> [f64; 2] {
    let mut all = vec![(*inputs, COARSE_TOLERANCE)];
    for sign in [-1.0, 1.0] {
        let scaled = |powers: Derivatives| powers.map(|x| x * (1.0 + 3e-10 * sign));
        let shifted = |powers: Derivatives| [powers[0] + 2.5e-12 * sign, powers[1], powers[2], powers[3]];
        let [v_x, v_y] = inputs.v;
        let changed = [
            PlanarInputs { F_N: scaled(inputs.F_N), ..*inputs },
            PlanarInputs { v: [shifted(v_x), v_y], ..*inputs },
            PlanarInputs { v: [v_x, shifted(v_y)], ..*inputs },
            PlanarInputs { v: inputs.v.map(scaled), ..*inputs },
        ];
        all.extend(changed.map(|inputs| (inputs, TOLERANCE)));
    }
    let mut most = [0.0_f64; 2];
    for (inputs, tolerance) in all {
        let Some(other) = judge::expected(law, &inputs, h, x, tolerance) else { return [f64::INFINITY; 2] };
        most = [most[0].max(distance(other.force, end.force)), most[1].max((other.energy - end.energy).abs())];
    }
    most
}
