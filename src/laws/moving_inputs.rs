//! Steps with inputs that vary by their time derivatives: events, inner steps, loss and mean force.

mod events;
mod losses;
mod openings;

use super::tests::random;
use crate::catalogue::{ELEMENTS, Model, find};
use crate::coupling::F_R_MEAN;
use crate::element::{AnyElement, E_LOSS, F_N, F_R, Report, V};
use crate::integrate::SolverError;
use crate::law::{A, F_T};
use crate::variable::Variable;

/// Value of an input and its first three time derivatives at the start of a step.
type Orders = [f64; 4];

/// Value of an input at `t` (s).
fn at([c0, c1, c2, c3]: Orders, t: f64) -> f64 {
    c0 + t * (c1 + t / 2.0 * (c2 + t / 3.0 * c3))
}

/// The inputs over a step.
#[derive(Clone, Copy, Debug, Default)]
struct Inputs {
    normal: Orders,
    v: Orders,
    a: Orders,
    applied: Orders,
}

impl Inputs {
    /// Inputs F_N and v; the others are 0.
    fn new(normal: Orders, v: Orders) -> Self {
        Inputs {
            normal,
            v,
            ..Inputs::default()
        }
    }

    fn each(&self) -> [(&'static Variable, Orders); 4] {
        static INPUTS: [Variable; 4] = [F_N, V, A, F_T];
        let [normal, v, a, applied] = &INPUTS;
        [
            (normal, self.normal),
            (v, self.v),
            (a, self.a),
            (applied, self.applied),
        ]
    }

    /// Sets the inputs of an element as they are at `t` (s).
    fn set(&self, entry: &Model, element: &mut dyn AnyElement, t: f64) {
        for (input, orders) in self.each() {
            if entry.variable(input.reference).is_some() {
                let [_, c1, c2, c3] = orders;
                element.set(input, at(orders, t));
                element
                    .set_input_derivative(input, 1, c1 + t * (c2 + t / 2.0 * c3))
                    .expect("an input");
                element
                    .set_input_derivative(input, 2, c2 + t * c3)
                    .expect("an input");
                element
                    .set_input_derivative(input, 3, c3)
                    .expect("an input");
            }
        }
    }
}

/// Initialised element with these parameters, in the contact at the start of `inputs`.
fn initialised(entry: &Model, parameters: &[(&str, f64)], inputs: &Inputs) -> Box<dyn AnyElement> {
    let mut element = entry.instantiate();
    for (name, value) in parameters {
        element.set(
            entry
                .variables()
                .find(|variable| variable.name == *name)
                .unwrap(),
            *value,
        );
    }
    element.apply_parameters().unwrap();
    inputs.set(entry, &mut *element, 0.0);
    element.initialize().unwrap();
    element
}

/// Steps an element over `h` (s) in this many parts; returns the mean force, N, and the number of
/// inner steps.
fn walk(
    entry: &Model,
    element: &mut dyn AnyElement,
    inputs: &Inputs,
    h: f64,
    parts: u32,
) -> Result<(f64, u32), SolverError> {
    let has_mean = entry.variable(F_R_MEAN.reference).is_some();
    let (mut mean, mut steps) = (0.0, 0);
    for i in 0..parts {
        let part = h / f64::from(parts);
        inputs.set(entry, element, f64::from(i) * part);
        let Report { inner_steps, .. } = element.advance(part)?;
        steps += inner_steps;
        if has_mean {
            mean += element.on_demand_output(&F_R_MEAN)? / f64::from(parts);
        }
    }
    Ok((mean, steps))
}

#[test]
fn states_that_are_integrals_of_the_inputs_take_few_segments() {
    // A step that took 46 ms when the general integrator resolved it.
    let (h, normal, v) = (
        1e-3,
        [47.330_197_122_851_935, 19.918_321_713_224_923],
        3.844_842_018_202_137e-6,
    );
    let (end, slope) = (0.051_204_169_512_403_87, -62.19);
    let bend = (end - v - slope * h) / (h * h);
    for bend in [[2.0 * bend, 0.0], [0.0, 6.0 * bend / h]] {
        let inputs = Inputs::new(
            [normal[0], (normal[1] - normal[0]) / h, 0.0, 0.0],
            [v, slope, bend[0], bend[1]],
        );
        for name in ["Armstrong", "SimpackStickSlip", "AdamsStickSlip"] {
            let entry = find(name).unwrap();
            let mut element = initialised(entry, &[], &inputs);
            let (_, steps) = walk(entry, &mut *element, &inputs, h, 1).unwrap();
            assert!(steps < 16, "{name}: {steps} segments");
        }
    }
}

#[test]
fn errors_of_loss_and_mean_force_stay_below_ten_times_the_tolerance() {
    for entry in &ELEMENTS {
        let name = entry.metadata.name;
        // The delayed velocity is interpolated linearly between steps, so that it depends on the
        // division of a step.
        let parameters: &[_] = if name == "Armstrong" {
            &[("tau", 0.0)]
        } else {
            &[]
        };
        let mut random = random(7);
        for i in 0..if name == "FrDyn2" { 100 } else { 300 } {
            let h = libm::exp10(1.5 * random() - 3.0);
            let mut orders = |size: f64, offset: f64| {
                let [order, mut power] = [1.0 + 1.5 * (1.0 + random()), 1.0];
                let factor = [1.0, 1.0, 2.0, 6.0];
                core::array::from_fn(|k| {
                    let value =
                        size * (random() + if k == 0 { offset } else { 0.0 }) * factor[k] / power;
                    power *= h;
                    if (k as f64) < order { value } else { 0.0 }
                })
            };
            let speed = libm::exp10(orders(2.0, 0.0)[0] - 2.0);
            let inputs = Inputs {
                normal: orders(10.0, 1.5),
                v: orders(speed, 0.0),
                a: orders(1.0, 0.0),
                applied: orders(8.0, 0.0),
            };
            let done = |parts: u32| {
                let mut element = initialised(entry, parameters, &inputs);
                if parts > 1 {
                    element.set_tolerance(1e-9);
                }
                let (mean, _) = walk(entry, &mut *element, &inputs, h, parts).unwrap();
                (element.values()[&E_LOSS], mean)
            };
            let ((loss, mean), (loss_of_parts, mean_of_parts)) = (done(1), done(64));
            let most = |orders: Orders| {
                (0..=50).fold(0.0_f64, |most, k| {
                    most.max(at(orders, h * f64::from(k) / 50.0).abs())
                })
            };
            // The largest coefficient of the defaults.
            let coefficient = |name: &str| {
                entry
                    .metadata
                    .parameters
                    .iter()
                    .find(|parameter| parameter.name == name)?
                    .start
            };
            let mu = coefficient("mu_s")
                .or(coefficient("mu_0"))
                .or(coefficient("mu_d"))
                .expect("a coefficient of friction");
            let force = mu * most(inputs.normal);
            let error = (loss - loss_of_parts).abs() / (force * most(inputs.v) * h);
            assert!(
                error < 1e-5,
                "{name} {i}, loss: {error:e}, {inputs:?} over {h} s"
            );
            let error = (mean - mean_of_parts).abs() / force;
            assert!(
                error < 1e-5,
                "{name} {i}, mean: {error:e}, {inputs:?} over {h} s"
            );
        }
    }
}

const STIFF_LUGRE: &[(&str, f64)] = &[
    ("sigma_0", 5e6),
    ("sigma_1", 3192.75),
    ("mu_s", 0.6),
    ("mu_d", 0.3),
    ("v_Stribeck", 5e-3),
];

#[test]
fn a_sliding_contact_that_opens_smoothly_takes_few_inner_steps() {
    let entry = find("LuGre").unwrap();
    let held = Inputs::new([1e-3, 0.0, 0.0, 0.0], [0.02, 0.0, 0.0, 0.0]);
    let mut element = initialised(entry, STIFF_LUGRE, &held);
    element.advance(0.01).unwrap();
    let opening = Inputs {
        normal: [1e-3, -10.0, 0.0, 0.0],
        ..held
    };
    let (_, steps) = walk(entry, &mut *element, &opening, 1e-4, 1).unwrap();
    assert!(steps < 15, "{steps} inner steps");

    let duration = 0.05;
    let bend = 6.0 * 9.81 / (duration * duration);
    for v in [1e-3, 5e-3, 0.02, 0.1] {
        // F_N = 9.81 (1 − s)² (1 + 2s) with s = t/0.05 s.
        let inputs = Inputs::new(
            [9.81, 0.0, -bend, 2.0 * bend / duration],
            [v, 0.0, 0.0, 0.0],
        );
        for parts in [10, 50, 100, 500] {
            let mut element = initialised(entry, STIFF_LUGRE, &inputs);
            let (_, steps) = walk(entry, &mut *element, &inputs, duration, parts).unwrap();
            assert!(
                steps < 20 * parts + 200,
                "{steps} inner steps in {parts} parts at {v} m/s"
            );
        }
    }
}

#[test]
fn dahl_slides_under_a_varying_normal_force_with_any_exponent() {
    let entry = find("Dahl").unwrap();
    for alpha in [0.1, 0.5, 0.9, 1.0, 1.5, 3.0] {
        let parameters = [("sigma_0", 5e6), ("mu_d", 0.3), ("alpha", alpha)];
        for rate in [-10.0, 10.0, -9810.0, 1e4] {
            let inputs = Inputs::new([9.81, rate, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
            let [mut whole, mut parts] = [(); 2].map(|()| initialised(entry, &parameters, &inputs));
            let (_, steps) = walk(entry, &mut *whole, &inputs, 1e-3, 1).unwrap();
            assert!(steps < 700, "{steps} inner steps for {alpha}, {rate}");
            walk(entry, &mut *parts, &inputs, 1e-3, 20).unwrap();
            let [force, expected] = [&whole, &parts].map(|element| element.values()[&F_R]);
            assert!(
                (force - expected).abs() < 1e-6 * 2.943,
                "{force} for {expected}, {alpha}, {rate}"
            );
            let limit = 0.3 * (9.81 + 1e-3 * rate).max(0.0);
            assert!(
                force <= limit && force >= 0.9 * limit,
                "{force} for {limit}, {alpha}, {rate}"
            );
        }
    }
}

#[test]
fn series_of_frdyn2_resolve_the_power_of_a_velocity_that_the_force_hardly_depends_on() {
    let entry = find("FrDyn2").unwrap();
    let v = [
        0.000_695_247_149_411_398_1,
        -52.955_968_756_240_72,
        -229_087.943_079_014_95,
        3_579_453_277_615.277_3,
    ];
    let (h, normal) = (1.010_050_260_317_116_2e-5, 0.106_271_562_641_883_64);
    let inputs = Inputs::new([normal, 0.0, 0.0, 0.0], v);
    let [whole, parts] = [1, 40].map(|parts| {
        let mut element = initialised(entry, &[], &inputs);
        walk(entry, &mut *element, &inputs, h, parts).unwrap();
        element.values()[&E_LOSS]
    });
    // |v| is at most 8.2e-4 m/s.
    assert!(
        (whole - parts).abs() < 1e-5 * 0.6 * normal * 8.2e-4 * h,
        "{whole:e} for {parts:e}"
    );
}

#[test]
fn a_body_coupled_to_lugre_takes_few_inner_steps_under_any_normal_force() {
    let entry = find("LuGre").unwrap();
    let mut random = random(11);
    for i in 0..300 {
        let [mass, normal, h] =
            [random(), 0.5 + 2.5 * random(), -4.0 + 2.0 * random()].map(libm::exp10);
        let coupling = if random() > 0.0 { 1.0 } else { 2.0 };
        let speed = libm::exp10(-2.0 + 2.0 * random());
        let stiffness = if i % 2 == 0 {
            5e6
        } else {
            libm::exp10(4.5 + 2.0 * random())
        };
        let mut parameters = STIFF_LUGRE.to_vec();
        parameters[0].1 = stiffness;
        parameters.extend([("m_eff", mass), ("coupling", coupling)]);
        let held = Inputs::new([normal, 0.0, 0.0, 0.0], [speed * random(), 0.0, 0.0, 0.0]);
        let mut element = initialised(entry, &parameters, &held);
        for _ in 0..30 {
            element.set(&V, speed * random());
            if random() > 0.7 {
                element.set(&F_N, normal * (1.0 + random()));
            }
            let Report { inner_steps, .. } = element.advance(h).unwrap();
            assert!(
                inner_steps < 4000,
                "{i}: {inner_steps} inner steps, {parameters:?}, {h} s"
            );
        }
    }
}

#[test]
fn dahl_with_alpha_below_1_takes_few_inner_steps_through_a_reversal() {
    let entry = find("Dahl").unwrap();
    let cases = [
        (
            [
                ("mu_d", 0.714_012_108_912_943),
                ("sigma_0", 4_904_398.968_302_321),
                ("z", -4.318_970_830_716_797e-8),
            ],
            Inputs::new(
                [472.979_795_250_522_56, 0.0, 0.0, 0.0],
                [
                    0.014_742_150_453_167_875,
                    -4.283_732_894_806_095,
                    231.404_862_614_497_18,
                    0.0,
                ],
            ),
            0.038_352_928_602_717_89,
        ),
        (
            [
                ("mu_d", 0.471_171_182_823_566_5),
                ("sigma_0", 1_474.930_243_990_501_8),
                ("z", 6.317_661_661_182_078e-6),
            ],
            Inputs::new(
                [1.528_151_221_845_828_8e-7, 0.0, 0.0, 0.0],
                [
                    -0.000_351_707_416_066_470_4,
                    70.913_940_900_867_79,
                    -592_428.376_221_712_5,
                    0.0,
                ],
            ),
            0.000_368_159_289_357_280_17,
        ),
    ];
    for (mut parameters, inputs, h) in
        cases.map(|(parameters, inputs, h)| (parameters.to_vec(), inputs, h))
    {
        parameters.push(("alpha", 0.5));
        let mut element = initialised(entry, &parameters, &inputs);
        let (_, steps) = walk(entry, &mut *element, &inputs, h, 1).unwrap();
        assert!(steps < 400, "{steps} inner steps");
    }
}

#[test]
fn deflection_from_before_decays_as_a_power_of_the_normal_force_of_a_contact_that_closes() {
    // With constant v, dF_N/dt = Q and P = sigma_0 |v|/mu the distance from v F_N/(P + Q) decays as
    // F_N^(-P/Q).
    for name in ["LuGre", "Dahl"] {
        let entry = find(name).expect("an element");
        let variable = |name: &str| {
            entry
                .variables()
                .find(|variable| variable.name == name)
                .expect("a variable")
        };
        let mut worst: f64 = 0.0;
        for (normal, slope, v) in [
            (4.7e-13, 4456.0, 0.22),
            (2.7e-15, 202_660.0, 2.0),
            (3.5e-14, 21_732.0, 0.58),
            (5.7e-13, 61_552.0, -0.77),
        ] {
            for first_step in [0.0, 1e-17, 1e-14, 1e-11, 1e-8, 1e-5] {
                let inputs = Inputs::new([normal, slope, 0.0, 0.0], [v, 0.0, 0.0, 0.0]);
                let mut element = initialised(entry, &[], &inputs);
                // A step before may have ended with inner steps of any length.
                let mut snapshot = element.snapshot().clone();
                snapshot.solver.first_step = first_step;
                element.restore(&snapshot);
                let (z, start) = (variable("z"), -3.2e-3);
                element.set(z, start);
                inputs.set(entry, &mut *element, 0.0);
                element.advance(1e-3).expect("a step");
                let [sigma_0, mu] =
                    ["sigma_0", "mu_d"].map(|name| element.values()[variable(name)]);
                let (p, end) = (sigma_0 * v.abs() / mu, normal + slope * 1e-3);
                let steady = |normal: f64| v * normal / (p + slope);
                let expected =
                    steady(end) + (start - steady(normal)) * libm::pow(normal / end, p / slope);
                let error = (element.values()[z] - expected) * sigma_0 / (mu * end);
                worst = worst.max(error.abs());
            }
        }
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
}

#[test]
fn mean_force_of_lugre_at_denormal_speeds_is_the_elastic_force() {
    let inputs = Inputs::new([377.7, 0.0, 0.0, 0.0], [5e-324, 0.0, 0.0, 0.0]);
    let entry = find("LuGre").unwrap();
    for h in [1e-6, 1e-3] {
        let mut element = initialised(entry, STIFF_LUGRE, &inputs);
        element.set(&super::first_order::metadata::Z, 4.168e-8);
        let (mean, _) = walk(entry, &mut *element, &inputs, h, 1).unwrap();
        assert!((mean - 5e6 * 4.168e-8).abs() < 1e-12, "{mean}");
    }
}
