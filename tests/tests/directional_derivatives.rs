//! Directional derivatives, analytic in the element, against differences through the interface: of the outputs and of
//! the states' rates, with respect to the inputs and the states, in both interfaces.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, MODEL_EXCHANGE, Reference};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::operating_points::Scatter;
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
            // Change that changes F_R by about F_s; v does so through the characteristic and through F_0.
            let speed = PAPER.v_s.min(static_friction / PAPER.sigma_1);
            let scales = [contact.F_N.abs(), speed, static_friction / PAPER.sigma_0, PAPER.v_s];
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
                let force = static_friction + (PAPER.sigma_0 * x[0]).abs() + (PAPER.sigma_1 * x[1]).abs();
                let mass = PAPER.sigma_1 * PAPER.sigma_1 / (4.0 * PAPER.sigma_0);
                let speeds = contact.v.abs() + x[1].abs() + PAPER.v_s;
                let sizes = [force, speeds, force * speeds, speeds, force / mass];
                for (unknown, derivative) in derivatives.into_iter().enumerate() {
                    let difference = (values[1][unknown] - values[0][unknown]) / width;
                    let size = sizes[unknown] / scales[known] + derivative.abs();
                    let error = (derivative - difference).abs() / size;
                    let name = format!("d {}/d {}", UNKNOWNS[unknown], KNOWNS[known]);
                    assert!(error <= DIFFERENCE, "{name}: {derivative:e} for {difference:e} at {at:?}");
                    worst = error.max(worst);
                }
            }
        }
        println!("kind {kind}, {mode:?}: {points} derivatives of each unknown within {worst:.1e}");
        assert!(points > 9000, "{points}");
    }
}

/// Branch of the law at a point: a difference across a kink has no limit. `None` near |F_0| = F_s, where
/// the slope has no bound and differences say little.
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
    let range = if w.abs() < PAPER.v_s { 0 } else { 1 + u8::from(w.abs() > PAPER.v_d) };
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
        let status = instance.get_directional_derivative(&unknowns, &references(&fmu, [name]), &[d], &mut part);
        instance.ok(status);
        for (sum, part) in sum.iter_mut().zip(part) {
            *sum += part;
        }
    }
    let mut whole = [f64::NAN; 5];
    let status = instance.get_directional_derivative(&unknowns, &references(&fmu, KNOWNS), &seed, &mut whole);
    instance.ok(status);
    for (whole, sum) in whole.into_iter().zip(sum) {
        assert!((whole - sum).abs() <= ROUNDING * (whole.abs() + sum.abs()), "{whole} for {sum}");
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
    let [below, above] = [-d, d].map(|d| PAPER.law(Contact { v: contact.v + d, ..contact }, x).0);
    let difference = (above - below) / (2.0 * d);
    println!("dF_R/dv = {} for {difference}", slope[0]);
    assert!((slope[0] / difference - 1.0).abs() <= DIFFERENCE);
    // Asking changes nothing.
    assert_eq!(["z", "z_dot"].map(|name| instance.get(name)), x);
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
        let status = instance.get_directional_derivative(&[unknown], &[known], &[seed], &mut derivative);
        instance.complaint(status);
        assert_eq!(derivative, [7.0], "nothing is written");
    }
    // A seed of 0 gives 0.
    let mut derivative = [7.0];
    let status = instance.get_directional_derivative(&references(&fmu, ["F_R"]), &[], &[], &mut derivative);
    instance.ok(status);
    assert_eq!(derivative, [0.0]);
}
