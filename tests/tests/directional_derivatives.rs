//! Directional derivatives, analytic in the element, against differences through the interface: of
//! the outputs and of the states' rates, with respect to the inputs and the states, in both
//! interfaces.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::description::ScalarVariable;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE, Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_random::Random;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::cards::{all_elements, blocks};
use bristle_tests::operating_points::Scatter;
use bristle_tests::plausible_values::plausible_value;
use bristle_tests::tolerances::{DIFFERENCE, DIFFERENCE_STEP, ROUNDING};

const UNKNOWNS: [&str; 5] = ["F_R", "v_slip", "P_loss", "der(z)", "der(z_dot)"];
const KNOWNS: [&str; 4] = ["F_N", "v", "z", "z_dot"];

/// The references of variables.
fn references<const N: usize>(fmu: &Fmu, names: [&str; N]) -> [Reference; N] {
    names.map(|name| fmu.description.reference(name))
}

#[test]
fn directional_derivatives_are_limits_of_differences() {
    let fmu = Fmu::packaged("FrDyn2");
    for (kind, mode) in [
        (MODEL_EXCHANGE, InstanceState::Initialization),
        (MODEL_EXCHANGE, InstanceState::ContinuousTime),
        (CO_SIMULATION, InstanceState::Initialization),
    ] {
        let mut instance = instance_in(&fmu, kind, mode);
        let mut scatter = Scatter::new(2);
        let (mut points, mut worst) = (0, 0.0_f64);
        for _ in 0..3000 {
            let (contact, x) = scatter.operating_point(&PAPER);
            let at = [contact.F_N, contact.v, x[0], x[1]];
            let static_friction = PAPER.mu_s * contact.F_N.abs();
            // Change that changes F_R by about F_s; v does so through the characteristic and
            // through F_0.
            let speed = PAPER.v_s.min(static_friction / PAPER.sigma_1);
            let scales = [
                contact.F_N.abs(),
                speed,
                static_friction / PAPER.sigma_0,
                PAPER.v_s,
            ];
            for known in 0..4 {
                let mut neighbours = [at; 2];
                neighbours[0][known] -= DIFFERENCE_STEP * scales[known];
                neighbours[1][known] += DIFFERENCE_STEP * scales[known];
                let branches = neighbours.map(branch);
                if branches[0].is_none() || branches[0] != branches[1] {
                    continue;
                }
                let values = neighbours.map(|point| values(&mut instance, point));
                let width = neighbours[1][known] - neighbours[0][known];
                let mut derivatives = [f64::NAN; 5];
                place(&mut instance, at);
                let status = instance.get_directional_derivative(
                    &references(&fmu, UNKNOWNS),
                    &references(&fmu, [KNOWNS[known]]),
                    &[1.0],
                    &mut derivatives,
                );
                instance.ok(status);
                points += 1;
                // The forces at work, whose rounding the differences carry.
                let force =
                    static_friction + (PAPER.sigma_0 * x[0]).abs() + (PAPER.sigma_1 * x[1]).abs();
                let mass = PAPER.sigma_1 * PAPER.sigma_1 / (4.0 * PAPER.sigma_0);
                let speeds = contact.v.abs() + x[1].abs() + PAPER.v_s;
                let sizes = [force, speeds, force * speeds, speeds, force / mass];
                for (unknown, derivative) in derivatives.into_iter().enumerate() {
                    let difference = (values[1][unknown] - values[0][unknown]) / width;
                    let size = sizes[unknown] / scales[known] + derivative.abs();
                    let error = (derivative - difference).abs() / size;
                    let name = format!("d {}/d {}", UNKNOWNS[unknown], KNOWNS[known]);
                    assert!(
                        error <= DIFFERENCE,
                        "{name}: {derivative:e} for {difference:e} at {at:?}"
                    );
                    worst = error.max(worst);
                }
            }
        }
        println!("kind {kind}, {mode:?}: {points} derivatives of each unknown within {worst:.1e}");
        assert!(points > 9000, "{points}");
    }
}

/// Branch of the law at a point: a difference across a kink has no limit. `None` near |F_0| = F_s,
/// where the slope has no bound and differences say little.
fn branch([normal_force, v, z, z_dot]: [f64; 4]) -> Option<(bool, u8, bool)> {
    if normal_force <= 0.0 {
        return Some((false, 0, false));
    }
    let ratio = (PAPER.sigma_0 * z + PAPER.sigma_1 * v) / (PAPER.mu_s * normal_force);
    if (ratio.abs() - 1.0).abs() < 1e-2 {
        return None;
    }
    let shift = PAPER.v_s * (1.0 - (1.0 - ratio.abs()).max(0.0).sqrt()).copysign(ratio);
    let w = v - z_dot + shift;
    let range = if w.abs() < PAPER.v_s {
        0
    } else {
        1 + u8::from(w.abs() > PAPER.v_d)
    };
    Some((ratio.abs() < 1.0, range, w > 0.0))
}

fn place(instance: &mut Instance, point: [f64; 4]) {
    let status = instance.set_real(&references(instance.fmu(), KNOWNS), &point);
    instance.ok(status);
}

fn values(instance: &mut Instance, point: [f64; 4]) -> [f64; 5] {
    place(instance, point);
    let mut values = [f64::NAN; 5];
    let status = instance.get_real(&references(instance.fmu(), UNKNOWNS), &mut values);
    instance.ok(status);
    values
}

#[test]
fn directional_derivatives_are_linear_in_the_seed() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    place(&mut instance, [9.81, 2e-3, 3e-7, 5e-4]);
    let unknowns = references(&fmu, UNKNOWNS);
    let mut sum = [0.0; 5];
    let seed = [0.5, -2e-3, 1e-6, 3e-4];
    for (name, d) in KNOWNS.iter().zip(seed) {
        let mut part = [f64::NAN; 5];
        let status = instance.get_directional_derivative(
            &unknowns,
            &references(&fmu, [name]),
            &[d],
            &mut part,
        );
        instance.ok(status);
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += part;
        }
    }
    let mut whole = [f64::NAN; 5];
    let status = instance.get_directional_derivative(
        &unknowns,
        &references(&fmu, KNOWNS),
        &seed,
        &mut whole,
    );
    instance.ok(status);
    for (whole, sum) in whole.into_iter().zip(sum) {
        assert!(
            (whole - sum).abs() <= ROUNDING * (whole.abs() + sum.abs()),
            "{whole} for {sum}"
        );
    }
}

#[test]
fn directional_derivatives_belong_to_the_communication_point() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let contact = Contact::new(9.81, 1e-4);
    instance.set("F_N", contact.F_N);
    instance.set("v", contact.v);
    let status = instance.do_step(0.0, 2e-3);
    instance.ok(status);
    let x = ["z", "z_dot"].map(|name| instance.get(name));
    let mut slope = [f64::NAN];
    let [force, v] = references(&fmu, ["F_R", "v"]);
    let status = instance.get_directional_derivative(&[force], &[v], &[1.0], &mut slope);
    instance.ok(status);
    let d = DIFFERENCE_STEP * PAPER.v_s;
    let [below, above] = [-d, d].map(|d| {
        PAPER
            .law(
                Contact {
                    v: contact.v + d,
                    ..contact
                },
                x,
            )
            .0
    });
    let difference = (above - below) / (2.0 * d);
    println!("dF_R/dv = {} for {difference}", slope[0]);
    assert!((slope[0] / difference - 1.0).abs() <= DIFFERENCE);
    // Asking changes nothing.
    assert_eq!(["z", "z_dot"].map(|name| instance.get(name)), x);
}

/// Values of an element's initial unknowns at a point, in a new instance; none where the values
/// contradict each other.
fn initial_values(
    instance: &mut Instance,
    point: &[(&ScalarVariable, f64)],
    unknowns: &[Reference],
) -> Option<Vec<f64>> {
    enter_initialization(instance, point);
    let mut values = vec![f64::NAN; unknowns.len()];
    (instance.get_real(unknowns, &mut values) == Status::OK).then_some(values)
}

/// A new start in Initialization Mode with these values, without a call that calculates anything.
fn enter_initialization(instance: &mut Instance, point: &[(&ScalarVariable, f64)]) {
    instance.take_log();
    for status in [
        instance.reset(),
        instance.setup_experiment(None, 0.0, None),
        instance.enter_initialization_mode(),
    ] {
        instance.ok(status);
    }
    point
        .iter()
        .for_each(|(variable, value)| instance.set(&variable.name, *value));
}

/// Derivative by differences from a value to those at `-width`, `width`, `-3 width` and `3 width`,
/// and the rounding that it carries, where all slopes agree: not across a kink or a jump.
fn difference(at: f64, beside: [f64; 4], width: f64) -> Option<[f64; 2]> {
    let slopes: [f64; 4] =
        core::array::from_fn(|i| (beside[i] - at) / ([-1.0, 1.0, -3.0, 3.0][i] * width));
    let rounding = 1e-13 * beside[1].abs().max(at.abs()) / width;
    let [lowest, highest] =
        [f64::min, f64::max].map(|extreme| slopes.into_iter().reduce(extreme).unwrap_or(f64::NAN));
    let is_smooth = highest - lowest <= 1e-3 * (highest.abs() + lowest.abs()) + rounding;
    is_smooth.then_some([0.5 * (slopes[0] + slopes[1]), rounding])
}

#[test]
fn initial_derivatives_by_every_listed_known_are_limits_of_differences_without_a_call_before() {
    let (mut compared, mut left_out) = (0, 0);
    for (name, fmu) in all_elements().chain(blocks()) {
        let mut random = Random::new(7);
        let mut instance = fmu.instantiate(MODEL_EXCHANGE);
        let description = &fmu.description;
        let is_real = |name: &&String| description.variable(name).kind == "Real";
        let unknowns: Vec<_> = description
            .initial_unknowns
            .iter()
            .map(|unknown| &unknown.name)
            .filter(is_real)
            .collect();
        let references: Vec<_> = unknowns
            .iter()
            .map(|name| description.reference(name))
            .collect();
        let knowns: Vec<_> = description
            .variables
            .iter()
            .filter(|v| v.start.is_some() && v.kind == "Real")
            .collect();
        for _ in 0..40 {
            let value = |v: &&ScalarVariable| v.start.as_ref().and_then(|start| start.parse().ok());
            // At rest laws jump.
            let mut moving =
                |v: &ScalarVariable| match plausible_value(&mut random, &v.name, value(&v)) {
                    0.0 => 1e-4,
                    other => other,
                };
            let point: Vec<_> = knowns.iter().map(|v| (*v, moving(v))).collect();
            let Some(at) = initial_values(&mut instance, &point, &references) else {
                continue;
            };
            // Parts of an output may be as large as the other outputs, and carry their rounding.
            let largest = at
                .iter()
                .fold(0.0, |largest: f64, value| largest.max(value.abs()));
            for (place, (known, present)) in point.iter().enumerate() {
                let width = 1e-5 * present.abs().max(1e-6);
                let beside = [-1.0, 1.0, -3.0, 3.0].map(|shift| {
                    let mut beside = point.clone();
                    beside[place].1 += shift * width;
                    initial_values(&mut instance, &beside, &references)
                });
                // Values that contradict each other, or a bound.
                let [Some(a), Some(b), Some(c), Some(d)] = beside else {
                    continue;
                };
                enter_initialization(&mut instance, &point);
                let mut derivatives = vec![f64::NAN; references.len()];
                let status = instance.get_directional_derivative(
                    &references,
                    &[known.reference],
                    &[1.0],
                    &mut derivatives,
                );
                instance.ok(status);
                for (i, unknown) in unknowns.iter().enumerate() {
                    let Some([expected, rounding]) =
                        difference(at[i], [a[i], b[i], c[i], d[i]], width)
                    else {
                        left_out += 1;
                        continue;
                    };
                    compared += 1;
                    let found = derivatives[i];
                    let error = (found - expected).abs();
                    // Differences by parameters, of a relative 1e-6, carry the rounding of an
                    // output that is itself a difference.
                    let negligible =
                        (1e-5 * at[i].abs() + 1e-9 * largest) / present.abs().max(1e-6);
                    assert!(
                        error <= 2e-3 * (found.abs() + expected.abs()) + rounding + negligible,
                        "{name}: d {unknown}/d {} = {found:e} for {expected:e}, {unknown} = {:e}, \
                         at {:?}",
                        known.name,
                        at[i],
                        point
                            .iter()
                            .map(|(v, at)| (&*v.name, *at))
                            .collect::<Vec<_>>()
                    );
                }
            }
        }
    }
    println!("{compared} derivatives, {left_out} points next to a kink or in rounding");
    assert!(compared > 10 * left_out);
}

#[test]
fn wrong_unknowns_knowns_and_seeds_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    for (unknown, known, seed) in [
        ("v", "v", 1.0),
        ("mu_s", "v", 1.0),
        ("z", "v", 1.0),
        ("F_R", "mu_s", 1.0),
        ("F_R", "F_R", 1.0),
        ("F_R", "der(z)", 1.0),
        ("F_R", "v", f64::NAN),
        ("F_R", "v", f64::INFINITY),
        ("sticking", "v", 1.0),
    ] {
        let mut derivative = [7.0];
        let [unknown, known] = references(&fmu, [unknown, known]);
        let status =
            instance.get_directional_derivative(&[unknown], &[known], &[seed], &mut derivative);
        instance.complaint(status);
        assert_eq!(derivative, [7.0], "nothing is written");
    }
    // A seed of 0 gives 0.
    let mut derivative = [7.0];
    let status =
        instance.get_directional_derivative(&references(&fmu, ["F_R"]), &[], &[], &mut derivative);
    instance.ok(status);
    assert_eq!(derivative, [0.0]);
}
