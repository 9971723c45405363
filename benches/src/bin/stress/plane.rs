//! One sequence of a law in the plane, compared step by step with its vector form integrated by
//! DOP853, from the element's state at the start of each step.
//!
//! Rotational elements, plates and several contacts need no part of their own: they equal elements
//! along a line and in the plane bit for bit (`tests/tests/cards`).

use crate::expected::quietly;
use crate::frdyn2;
use crate::laws::{self, MODELS, reference};
use crate::limits::{DEFAULT, ROUNDING};
use crate::plane_draws::{self, Sequence, Step};
use crate::report::{Case, Compared, Quantity, Tally, Unjudged};
use crate::values::Values;
use bristle::domain::{ENERGY_ROUNDING, LIGHT_FORCE, OPEN_FORCE};
use bristle::law::Largest;
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::planar::{PlanarEnd, PlanarInputs, PlanarLaw};
use bristle_reference_laws::{BrownMcPhee, Derivatives, PoppStelter, StaticRegularized, Stribeck};

/// Time constants of a bristle in a step up to which an explicit integrator is affordable.
const AFFORDABLE: f64 = 3e3;
/// Names of the inputs.
const INPUTS: [&str; 3] = ["F_N", "v_x", "v_y"];
/// Names of the states, as far as a law has them.
const STATES: [&str; 4] = ["z_x", "z_y", "z_dot_x", "z_dot_y"];

/// Runs the sequence of this number.
pub fn run(fmu: &Fmu, place: usize, seed: u64, index: u64, tally: &mut Tally) {
    let Sequence {
        parameters,
        tolerance,
        steps,
    } = plane_draws::sequence(seed, place, index);
    let law = law(MODELS[place].element, &parameters);
    let mut element = Element::start(fmu, &parameters, tolerance);
    let tolerance = tolerance.unwrap_or(DEFAULT);
    for (number, step) in steps.into_iter().enumerate() {
        let states = element
            .states()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let parameters = parameters.clone();
        let [found, expected, error] = [f64::NAN; 3];
        let mut case = Case {
            sequence: index,
            number,
            parameters,
            tolerance,
            states,
            step,
            found,
            expected,
            error,
        };
        if !make_step(&mut element, &law, &mut case, tally) {
            return;
        }
    }
}

/// Makes a step and compares it; false where the sequence ends.
fn make_step(
    element: &mut Element,
    law: &PlanarLaw,
    case: &mut Case<Step>,
    tally: &mut Tally,
) -> bool {
    let Step { inputs, h, .. } = case.step;
    let state = |name: &str| {
        case.states
            .iter()
            .find(|(known, _)| known == name)
            .map_or(0.0, |(_, value)| *value)
    };
    let x = STATES.map(state);
    let before = element.instance.get("E_loss");
    let mut status = Status::OK;
    set_inputs(element, &case.step);
    let time = clock::once(|| status = element.do_step(h));
    tally.step(time * 1e-6, status, case);
    let expected = expected(law, &inputs, h, x, TOLERANCE);
    if status > Status::Warning {
        tally.refuse(element, expected.is_some(), case);
        return false;
    }
    let force = ["F_R_x", "F_R_y"].map(|name| element.instance.get(name));
    let after = element.instance.get("E_loss");
    if ![force[0], force[1], after]
        .iter()
        .all(|number| number.is_finite())
    {
        tally.fail("a result is not a finite number", case);
        return false;
    }
    let Some(end) = expected else {
        tally.unjudged(Unjudged::GaveUp);
        return true;
    };
    let Largest {
        force: normal_force,
        speed,
    } = largest(&inputs, h);
    let friction = law.static_friction();
    // Scales of docs/domain.md, as along a line.
    let [whole, last] =
        [normal_force, inputs.at(h).0].map(|force| friction * force.max(LIGHT_FORCE));
    let [size, expected] = [force, end.force].map(|force| distance(force, [0.0; 2]));
    let rounding = ROUNDING * whole.max(expected);
    let off = (distance(force, end.force) - rounding).max(0.0);
    let force = Compared {
        quantity: Quantity::Force,
        found: size,
        expected,
        off,
        scale: last,
    };
    let rounding = rounding * speed * h + ENERGY_ROUNDING * before.abs().max(after.abs());
    let off = ((after - before - end.energy).abs() - rounding).max(0.0);
    let (found, scale) = (after - before, whole * speed * h);
    let energy = Compared {
        quantity: Quantity::Energy,
        found,
        expected: end.energy,
        off,
        scale,
    };
    tally.judge(vec![force, energy], case, status, |quantity| {
        shaken(law, &inputs, h, x, end)[usize::from(quantity == Quantity::Energy)]
    });
    true
}

/// The law of an element with these parameters.
fn law(element: &str, values: &Values) -> PlanarLaw {
    match element {
        "FrDyn2" => PlanarLaw::FrDyn2(frdyn2::parameters(values)),
        "FrDyn2Linear" => PlanarLaw::FrDyn2Linear(laws::law(values)),
        "LuGre" => PlanarLaw::LuGre(laws::law(values)),
        "Dahl" => PlanarLaw::Dahl(laws::law(values)),
        "StaticRegularized" => PlanarLaw::Static(reference::<StaticRegularized>(values)),
        "Stribeck" => PlanarLaw::Static(reference::<Stribeck>(values)),
        "BrownMcPhee" => PlanarLaw::Static(reference::<BrownMcPhee>(values)),
        "PoppStelter" => PlanarLaw::Static(reference::<PoppStelter>(values)),
        other => panic!("{other} has no form in the plane"),
    }
}

/// The largest inputs of a step. A contact may be closed between two
/// samples only.
fn largest(inputs: &PlanarInputs, h: f64) -> Largest {
    let samples = (0..=64).map(|i| h * f64::from(i) / 64.0);
    let middles = inputs
        .segments(h)
        .into_iter()
        .map(|[from, to]| 0.5 * (from + to));
    let mut largest = Largest {
        force: 0.0,
        speed: 0.0,
    };
    for (normal_force, [x, y]) in samples.chain(middles).map(|t| inputs.at(t)) {
        largest.force = normal_force.max(largest.force);
        largest.speed = libm::hypot(x, y).max(largest.speed);
    }
    largest
}

/// End of a step from the states `x`, integrated at a tolerance; `None` where the bristle is too
/// stiff or the reference fails.
fn expected(
    law: &PlanarLaw,
    inputs: &PlanarInputs,
    h: f64,
    x: [f64; 4],
    tolerance: f64,
) -> Option<PlanarEnd> {
    let constants = (0..256).map(|i| {
        let (normal_force, [x, y]) = inputs.at(h * (f64::from(i) + 0.5) / 256.0);
        if normal_force > OPEN_FORCE {
            law.decay_rate(normal_force, libm::hypot(x, y))
        } else {
            0.0
        }
    });
    if constants.sum::<f64>() * h / 256.0 > AFFORDABLE {
        return None;
    }
    quietly(|| Some(law.integrate(inputs, h, x, tolerance)))
        .filter(|end| end.energy.is_finite() && end.force.iter().all(|part| part.is_finite()))
}

/// Distance of two forces, N.
fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}

/// Sets the inputs of a step with their derivatives.
fn set_inputs(element: &mut Element, step: &Step) {
    let PlanarInputs {
        F_N: normal_force,
        v: [v_x, v_y],
    } = step.inputs;
    let powers = [normal_force, v_x, v_y];
    let references = INPUTS.map(|name| element.instance.fmu().description.reference(name));
    let status = element
        .instance
        .set_real(&references, &powers.map(|powers| powers[0]));
    element.instance.ok(status);
    for order in 1..=step.order {
        let values = powers.map(|powers| powers[order]);
        let status =
            element
                .instance
                .set_real_input_derivatives(&references, &[order as i32; 3], &values);
        element.instance.ok(status);
    }
}

/// Largest changes of force (N) and energy (J) of the reference, which has this `end`, where normal
/// forces are 3e-10 smaller or larger, velocities 2.5e-12 m/s, and at a looser tolerance.
fn shaken(law: &PlanarLaw, inputs: &PlanarInputs, h: f64, x: [f64; 4], end: PlanarEnd) -> [f64; 2] {
    let mut all = vec![(*inputs, COARSE_TOLERANCE)];
    for sign in [-1.0, 1.0] {
        let scaled = |powers: Derivatives| powers.map(|x| x * (1.0 + 3e-10 * sign));
        let shifted =
            |powers: Derivatives| [powers[0] + 2.5e-12 * sign, powers[1], powers[2], powers[3]];
        let [v_x, v_y] = inputs.v;
        let changed = [
            PlanarInputs {
                F_N: scaled(inputs.F_N),
                ..*inputs
            },
            PlanarInputs {
                v: [shifted(v_x), v_y],
                ..*inputs
            },
            PlanarInputs {
                v: [v_x, shifted(v_y)],
                ..*inputs
            },
            PlanarInputs {
                v: inputs.v.map(scaled),
                ..*inputs
            },
        ];
        all.extend(changed.map(|inputs| (inputs, TOLERANCE)));
    }
    let mut most = [0.0_f64; 2];
    for (inputs, tolerance) in all {
        let Some(other) = expected(law, &inputs, h, x, tolerance) else {
            return [f64::INFINITY; 2];
        };
        most = [
            most[0].max(distance(other.force, end.force)),
            most[1].max((other.energy - end.energy).abs()),
        ];
    }
    most
}
