//! Inputs that move within a step (`fmi2SetRealInputDerivatives`) and the slopes of the outputs at
//! its end (`fmi2GetRealOutputDerivatives`).

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::{Bristle, PAPER};
use bristle_reference_laws::workloads::{WEIGHT, steps};
use bristle_tests::tolerances::{FORCE, OUTPUT_SLOPE, SLOPE_STEP};
use core::f64::consts::TAU;

const H: f64 = 1e-3;

/// An input over a step by its derivatives at the start: value, first, second, third.
type Course = [f64; 4];

fn at(course: Course, t: f64) -> f64 {
    course[0] + t * (course[1] + t * (course[2] / 2.0 + t * course[3] / 6.0))
}

/// Inputs that move, as their courses from any time on.
#[derive(Clone, Copy)]
struct Motion {
    name: &'static str,
    normal_force: fn(f64) -> Course,
    v: fn(f64) -> Course,
    duration: f64,
}

const CONSTANT: fn(f64) -> Course = |_| [WEIGHT, 0.0, 0.0, 0.0];

/// From stick through break-away into full sliding.
const RAMP: Motion = Motion {
    name: "ramp of v",
    normal_force: CONSTANT,
    v: |t| [-0.01 + 0.2 * t, 0.2, 0.0, 0.0],
    duration: 0.1,
};

/// To full sliding and back.
const PARABOLA: Motion = Motion {
    name: "parabola of v",
    normal_force: CONSTANT,
    v: |t| {
        [
            0.02 - 16.0 * (t - 0.05) * (t - 0.05),
            -32.0 * (t - 0.05),
            -32.0,
            0.0,
        ]
    },
    duration: 0.1,
};

const CUBIC: Motion = Motion {
    name: "cubic of v",
    normal_force: CONSTANT,
    v: |t| {
        let s = t - 0.05;
        [
            160.0 * s * s * s - 0.1 * s,
            480.0 * s * s - 0.1,
            960.0 * s,
            960.0,
        ]
    },
    duration: 0.1,
};

const SINE: Motion = Motion {
    name: "sine of v by three derivatives",
    normal_force: CONSTANT,
    v: |t| {
        let (w, s, c) = (
            TAU * 10.0,
            libm::sin(TAU * 10.0 * t),
            libm::cos(TAU * 10.0 * t),
        );
        [s, w * c, -w * w * s, -w * w * w * c].map(|x| 0.02 * x)
    },
    duration: 0.1,
};

/// The contact opens within a step, at no communication point, and closes again.
const LIFTED: Motion = Motion {
    name: "F_N through 0 and back",
    normal_force: |t| {
        let slope = WEIGHT / 0.05035;
        if t < 0.0745 {
            [WEIGHT - slope * t, -slope, 0.0, 0.0]
        } else {
            [WEIGHT - slope * (0.149 - t), slope, 0.0, 0.0]
        }
    },
    v: |_| [2e-3, 0.0, 0.0, 0.0],
    duration: 0.145,
};

/// The element with the references of its inputs.
struct Guided<'a> {
    element: Master<'a>,
    inputs: [Reference; 2],
}

impl<'a> Guided<'a> {
    fn at_rest(fmu: &'a Fmu) -> Self {
        let inputs = ["F_N", "v"].map(|name| fmu.description.reference(name));
        Guided {
            element: Master::with_parameters(fmu, &PAPER),
            inputs,
        }
    }

    /// A step with moving inputs; derivatives that are 0 are left out, as a master would.
    fn step(&mut self, t: f64, h: f64, normal_force: Course, v: Course) -> f64 {
        let (mut references, mut orders, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (reference, course) in self.inputs.into_iter().zip([normal_force, v]) {
            for (order, value) in (1..).zip(&course[1..]).filter(|(_, value)| **value != 0.0) {
                references.push(reference);
                orders.push(order);
                values.push(*value);
            }
        }
        let status =
            self.element
                .instance
                .set_real_input_derivatives(&references, &orders, &values);
        self.element.instance.ok(status);
        self.element.step(Contact::new(normal_force[0], v[0]), t, h)
    }
}

#[test]
fn linear_v_is_interpolated_within_the_step() {
    follow(RAMP);
}

#[test]
fn quadratic_v_is_interpolated_within_the_step() {
    follow(PARABOLA);
}

#[test]
fn cubic_v_is_interpolated_within_the_step() {
    follow(CUBIC);
}

#[test]
fn sine_v_is_interpolated_by_three_derivatives() {
    follow(SINE);
}

#[test]
fn normal_force_through_0_is_interpolated_within_the_step() {
    follow(LIFTED);
}

/// Holds the element to the reference through a motion, and the motion to showing more than held
/// inputs would.
fn follow(
    Motion {
        name,
        normal_force,
        v,
        duration,
    }: Motion,
) {
    let fmu = Fmu::packaged("FrDyn2");
    let mut guided = Guided::at_rest(&fmu);
    let mut bristle = Bristle::at_rest(PAPER, WEIGHT);
    let mut held = Master::with_parameters(&fmu, &PAPER);
    let [mut worst, mut gain] = [0.0_f64; 2];
    for t in steps(duration, H) {
        let [normal, speed] = [normal_force(t), v(t)];
        let force = guided.step(t, H, normal, speed);
        let expected = bristle.advance(|s| Contact::new(at(normal, s), at(speed, s)), H);
        let error = (force - expected).abs() / (PAPER.mu_s * WEIGHT);
        assert!(
            error <= FORCE,
            "{name}: F_R = {force} for {expected}, {error:.1e} F_s off, at t = {t}"
        );
        worst = error.max(worst);
        let stepped = held.step(Contact::new(normal[0], speed[0]), t, H);
        gain = gain.max((stepped - expected).abs() / (PAPER.mu_s * WEIGHT));
    }
    println!("{name:30}: {worst:.1e} F_s; held inputs would be {gain:.1e} F_s off");
    assert!(gain > 1e3 * FORCE, "{name}: the motion shows nothing");
}

#[test]
fn input_derivatives_apply_to_one_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut guided = Guided::at_rest(&fmu);
    let mut bristle = Bristle::at_rest(PAPER, WEIGHT);
    let [normal, v] = [[WEIGHT, 100.0, 0.0, 0.0], [1e-3, 2.0, 0.0, 0.0]];
    guided.step(0.0, H, normal, v);
    bristle.advance(|s| Contact::new(at(normal, s), at(v, s)), H);
    let contact = Contact::new(WEIGHT, 3e-3);
    for n in 1..5 {
        let force = guided.element.step(contact, f64::from(n) * H, H);
        let expected = bristle.step(contact, H);
        assert!(
            (force - expected).abs() <= FORCE * PAPER.mu_s * WEIGHT,
            "step {n}: {force} for {expected}"
        );
    }
}

#[test]
fn input_derivatives_survive_a_refused_step() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut straight = Guided::at_rest(&fmu);
    let force = straight.step(0.0, H, [WEIGHT, 0.0, 0.0, 0.0], [1e-3, 2.0, 0.0, 0.0]);
    let mut stumbling = Guided::at_rest(&fmu);
    let status =
        stumbling
            .element
            .instance
            .set_real_input_derivatives(&[stumbling.inputs[1]], &[1], &[2.0]);
    stumbling.element.instance.ok(status);
    let status = stumbling.element.instance.do_step(0.0, -1.0);
    stumbling.element.instance.complaint(status);
    assert_eq!(
        stumbling
            .element
            .step(Contact::new(WEIGHT, 1e-3), 0.0, H)
            .to_bits(),
        force.to_bits()
    );
}

#[test]
fn step_with_overflowing_input_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut guided = Guided::at_rest(&fmu);
    let normal_force = guided.inputs[0];
    let instance = &mut guided.element.instance;
    instance.set("F_N", WEIGHT);
    let status = instance.set_real_input_derivatives(&[normal_force], &[3], &[-0.6]);
    instance.ok(status);
    let status = instance.do_step(0.0, 1e300);
    instance.complaint(status);
}

#[test]
fn inputs_read_back_as_set() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut guided = Guided::at_rest(&fmu);
    guided.step(0.0, H, [WEIGHT, 10.0, 0.0, 0.0], [1e-3, 2.0, 0.0, 0.0]);
    let instance = &mut guided.element.instance;
    assert_eq!((instance.get("F_N"), instance.get("v")), (WEIGHT, 1e-3));
}

#[test]
fn wrong_orders_and_variables_refuse_the_whole_batch() {
    let fmu = Fmu::packaged("FrDyn2");
    let [v, force, mu_s, z, flag] =
        ["v", "F_R", "mu_s", "z", "sticking"].map(|name| fmu.description.reference(name));
    let alone = Guided::at_rest(&fmu)
        .element
        .step(Contact::new(WEIGHT, 1e-3), 0.0, H);
    for (reference, order, value) in [
        (v, 0, 1.0),
        (v, -1, 1.0),
        (v, 4, 1.0),
        (v, i32::MAX, 1.0),
        (v, i32::MIN, 1.0),
        (v, 1, f64::NAN),
        (v, 2, f64::INFINITY),
        (force, 1, 1.0),
        (mu_s, 1, 1.0),
        (z, 1, 1.0),
        (flag, 1, 1.0),
    ] {
        let mut guided = Guided::at_rest(&fmu);
        let instance = &mut guided.element.instance;
        let status =
            instance.set_real_input_derivatives(&[v, reference], &[1, order], &[5.0, value]);
        instance.complaint(status);
        let force = guided.element.step(Contact::new(WEIGHT, 1e-3), 0.0, H);
        assert_eq!(
            force.to_bits(),
            alone.to_bits(),
            "order {order} of {reference}: a trace was left"
        );
    }
}

#[test]
fn zero_input_derivatives_equal_held_inputs() {
    let fmu = Fmu::packaged("FrDyn2");
    let contact = Contact::new(WEIGHT, 4e-3);
    let [mut held, mut zero] = [(); 2].map(|()| Guided::at_rest(&fmu));
    for t in steps(0.02, H) {
        let inputs = zero.inputs;
        let status =
            zero.element
                .instance
                .set_real_input_derivatives(&inputs, &[1, 1], &[0.0, 0.0]);
        zero.element.instance.ok(status);
        let forces =
            [&mut held, &mut zero].map(|guided| guided.element.step(contact, t, H).to_bits());
        assert_eq!(forces[0], forces[1]);
    }
}

const OUTPUTS: [&str; 4] = ["F_R", "v_slip", "P_loss", "E_loss"];

fn slopes(instance: &mut Instance, order: i32) -> [f64; 4] {
    let references = OUTPUTS.map(|name| instance.fmu().description.reference(name));
    let mut slopes = [f64::NAN; 4];
    let status = instance.get_real_output_derivatives(&references, &[order; 4], &mut slopes);
    instance.ok(status);
    slopes
}

#[test]
fn output_derivatives_are_limits_of_differences() {
    let fmu = Fmu::packaged("FrDyn2");
    for moving in [false, true] {
        let mut guided = Guided::at_rest(&fmu);
        let [normal_slope, v_slope] = if moving { [30.0, 0.2] } else { [0.0; 2] };
        let mut worst = [0.0_f64; 4];
        for n in 0..200 {
            let t = f64::from(n) * 1e-4;
            let [normal, v] = [
                [WEIGHT, normal_slope, 0.0, 0.0],
                [-6e-3 + 0.2 * t, v_slope, 0.0, 0.0],
            ];
            // One step of 1e-4 s, the last of it in two small pieces for a backward difference of
            // second order.
            let d = SLOPE_STEP;
            let pieces = [(0.0, 1e-4 - 2.0 * d), (1e-4 - 2.0 * d, d), (1e-4 - d, d)];
            let values = pieces.map(|(s, h)| {
                let [normal, v] = [normal, v].map(|course| [at(course, s), course[1], 0.0, 0.0]);
                guided.step(t + s, h, normal, v);
                OUTPUTS.map(|name| guided.element.instance.get(name))
            });
            let found = slopes(&mut guided.element.instance, 1);
            // Largest change of each output in a time constant of the bristle.
            let (time, force, speed) = (1e-4, PAPER.mu_s * WEIGHT, 1e-2);
            let sizes = [force, speed, force * speed, force * speed * time];
            for (i, name) in OUTPUTS.into_iter().enumerate() {
                let slope = (3.0 * values[2][i] - 4.0 * values[1][i] + values[0][i]) / (2.0 * d);
                let error = (found[i] - slope).abs() * time / sizes[i];
                assert!(
                    error <= OUTPUT_SLOPE,
                    "d {name}/dt = {} for {slope}, {error:.1e}, at t = {t}",
                    found[i]
                );
                worst[i] = error.max(worst[i]);
            }
        }
        println!(
            "moving inputs: {moving}: {}",
            worst.map(|worst| format!("{worst:.1e}")).join(", ")
        );
    }
}

#[test]
fn output_derivatives_above_the_maximum_order_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut guided = Guided::at_rest(&fmu);
    guided.step(0.0, 1e-4, [WEIGHT, 10.0, 0.0, 0.0], [1e-3, 2.0, 0.0, 0.0]);
    let instance = &mut guided.element.instance;
    assert!(slopes(instance, 1)[0] != 0.0);
    for order in [2, 3, 100, i32::MAX] {
        let mut slope = [7.0];
        let status = instance.get_real_output_derivatives(
            &[fmu.description.reference("F_R")],
            &[order],
            &mut slope,
        );
        assert!(
            instance
                .complaint(status)
                .contains("maxOutputDerivativeOrder"),
            "order {order}"
        );
        assert_eq!(slope, [7.0], "nothing is written");
    }
}

#[test]
fn output_derivatives_of_other_variables_are_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    for (name, order) in [
        ("F_R", 0),
        ("F_R", -1),
        ("v", 1),
        ("z", 1),
        ("mu_s", 1),
        ("sticking", 1),
    ] {
        let mut slope = [7.0];
        let status = instance.get_real_output_derivatives(
            &[fmu.description.reference(name)],
            &[order],
            &mut slope,
        );
        assert_eq!(status, Status::Error, "order {order} of {name}");
        instance.take_log();
        assert_eq!(slope, [7.0], "nothing is written");
    }
}

#[test]
fn capability_flags_match_these_tests() {
    let fmu = Fmu::packaged("FrDyn2");
    let claim = |name: &str| fmu.description.co_simulation.get(name).map(String::as_str);
    assert_eq!(claim("canInterpolateInputs"), Some("true"));
    assert_eq!(claim("maxOutputDerivativeOrder"), Some("1"));
}
