//! Loss, mean force and force of steps that random tests found wrong.

use super::{random, variable};
use crate::catalogue::find;
use crate::coupling::F_R_MEAN;
use crate::element::{E_LOSS, F_N, F_R, V};

/// Armstrong's stick in a falling F_N: from the start of stick, where v and with it the power are
/// 0, the spring force is soon that of the limit. The kink there lay between the first two nodes of
/// a panel, of which one has no power at any force.
#[test]
fn limit_of_the_elastic_force_right_after_the_start_of_stick_is_in_the_loss() {
    let model = find("Armstrong").expect("a law");
    let (sigma_0, mu_d, mu_s_0, mu_s) = (4e4, 0.87, 0.9, 0.936);
    for (normal, v, falling) in [
        (15.3, 1.16e-5, 1.0),
        (40.0, 1e-5, 0.9),
        (15.3, 1e-7, 0.5),
        (10.0, 1e-9, 0.2),
    ] {
        let mut element = model.instantiate();
        for (name, value) in [
            ("sigma_0", sigma_0),
            ("mu_d", mu_d),
            ("mu_s_0", mu_s_0),
            ("mu_s", mu_s),
            ("gamma", 1e9),
            ("tau", 0.0),
        ] {
            element.set(variable(model, name), value);
        }
        element.apply_parameters().expect("parameters");
        let (h, slope) = (2e-5, -4.9);
        element.set(&F_N, normal);
        element.set(&V, 1.0);
        element
            .advance(2e-3)
            .expect("a step, in which sliding begins");
        let before = element.values()[&E_LOSS];
        element.set(&V, v);
        element
            .set_input_derivative(&V, 1, slope)
            .expect("an input");
        element
            .set_input_derivative(&F_N, 1, -falling * normal / h)
            .expect("an input");
        element.advance(h).expect("a step");
        // With tau = 0 the Stribeck term is that of v, near 1 as v is far below the Stribeck
        // velocity.
        let rest = v / -slope;
        let force_at = |t: f64| normal * (1.0 - falling * t / h);
        let sliding = |t: f64| {
            let ratio = (v + slope * t) / variable(model, "v_Stribeck").start.expect("a default");
            (mu_d + (mu_s_0 - mu_d) / (1.0 + ratio * ratio)) * force_at(t)
        };
        let start = mu_s_0 * force_at(rest) / sigma_0;
        let stuck = |t: f64| {
            let z = start + 0.5 * slope * (t - rest) * (t - rest);
            (sigma_0 * z).min(mu_s * force_at(t))
        };
        let power = |t: f64| (v + slope * t) * if t < rest { sliding(t) } else { stuck(t) };
        let panels = 200_000;
        let sum: f64 = [[0.0, rest], [rest, h]]
            .iter()
            .map(|[from, to]| {
                let width = (to - from) / f64::from(panels);
                (0..panels)
                    .map(|i| width * power(from + width * (f64::from(i) + 0.5)))
                    .sum::<f64>()
            })
            .sum();
        let scale = mu_s * normal * (v + slope * h).abs() * h;
        let error = (element.values()[&E_LOSS] - before - sum) / scale;
        assert!(
            error.abs() < 1e-6,
            "loss at {normal} N off by {error:e} of F_s max|v| H"
        );
    }
}

/// A step may pass all points of a table in a thousandth of its length, so that few nodes of a
/// quadrature lie between them.
#[test]
fn kinks_of_a_table_that_a_step_passes_in_a_part_of_it_are_in_its_loss() {
    let model = find("ModelicaFriction").expect("a law");
    let mut random = random(5);
    let mut worst: f64 = 0.0;
    for _ in 0..2000 {
        let speeds = [(); 4].map(|()| libm::exp10(-2.5 + 1.5 * random()));
        let mut v = 0.0;
        let table = speeds.map(|more| {
            v += more;
            [v, 0.3 + 0.2 * random()]
        });
        let (mu_0, normal, h) = (0.6, 10.0, 1e-3);
        let [from, to] = [(); 2].map(|()| libm::exp10(-1.0 + 2.0 * random()));
        let mut element = model.instantiate();
        let names = [
            ["v_1", "mu_v1"],
            ["v_2", "mu_v2"],
            ["v_3", "mu_v3"],
            ["v_4", "mu_v4"],
        ];
        for (name, value) in names
            .concat()
            .into_iter()
            .zip(table.concat())
            .chain([("mu_0", mu_0)])
        {
            element.set(variable(model, name), value);
        }
        element.apply_parameters().expect("parameters");
        element.set(&F_N, normal);
        element.set(&V, from);
        element
            .set_input_derivative(&V, 1, (to - from) / h)
            .expect("an input");
        element.advance(h).expect("a step");
        // The integral of mu v over v, line by line.
        let points = [[0.0, mu_0]]
            .into_iter()
            .chain(table)
            .chain([[1e9, table[3][1]]])
            .collect::<Vec<_>>();
        let [low, high] = [from.min(to), from.max(to)];
        let integral: f64 = points
            .windows(2)
            .map(|line| {
                let [[left, at_left], [right, at_right]] = [line[0], line[1]];
                let slope = (at_right - at_left) / (right - left);
                let primitive = |v: f64| v * v * (0.5 * (at_left - slope * left) + slope * v / 3.0);
                if low < right && high > left {
                    primitive(high.min(right)) - primitive(low.max(left))
                } else {
                    0.0
                }
            })
            .sum();
        let expected = normal * h * integral / (high - low);
        let error = (element.values()[&E_LOSS] - expected) / (mu_0 * normal * high * h);
        worst = worst.max(error.abs());
    }
    // The quadrature leaves 1e-11 of a step out at each end.
    assert!(worst < 3e-11, "loss off by {worst:e} of F_s max|v| H");
}

/// LuGre's bristle relaxes within 1e-3 of the step at its start, and seven times as slowly at its
/// end: the error estimate, filtered by the relaxation at the start, did not show the error at the
/// end, 44 tolerances.
#[test]
fn bristle_that_relaxes_more_slowly_at_the_end_of_a_step_has_its_force() {
    let model = find("LuGre").expect("a law");
    let (h, mu, stiffness) = (6.0887e-5, 0.187, 3.06e5);
    let ([normal, rising], [v, slope]) = ([0.052, 885.7], [0.547, -7633.4]);
    let end = |parts: u32, tolerance: f64| {
        let mut element = model.instantiate();
        let values = [
            ("mu_s", mu),
            ("mu_d", mu),
            ("sigma_0", stiffness),
            ("sigma_1", 0.0),
            ("z", -mu * normal / stiffness),
        ];
        values
            .into_iter()
            .for_each(|(name, value)| element.set(variable(model, name), value));
        element.apply_parameters().expect("parameters");
        element.set_tolerance(tolerance);
        let part = h / f64::from(parts);
        for n in 0..parts {
            let t = part * f64::from(n);
            element.set(&F_N, normal + rising * t);
            element.set(&V, v + slope * t);
            element
                .set_input_derivative(&F_N, 1, rising)
                .expect("an input");
            element
                .set_input_derivative(&V, 1, slope)
                .expect("an input");
            element.advance(part).expect("a step");
        }
        element.values()[&F_R]
    };
    let error = (end(1, 1e-6) - end(64, 1e-10)).abs() / (mu * (normal + rising * h));
    assert!(error < 1e-6, "F_R off by {error:e} F_s");
}

/// Bristles that are unstable on the falling branch, in a contact that opens at the end of the
/// step, or closes within it: their errors grow, and E_loss, which is repeated at a tighter
/// tolerance, hardly depends on a force at small velocities.
#[test]
fn mean_force_of_an_unstable_bristle_is_within_ten_tolerances() {
    type Step = (&'static str, [f64; 7], [f64; 2], [[f64; 2]; 2], f64);
    let cases: [Step; 1] = [(
        "FrDyn2",
        [
            0.169_559_752_060_785_38,
            4.772_912_041_991_606e-5,
            0.155_113_365_863_441_85,
            5.064_143_510_872_526e-5,
            2_341_221.423_422_127,
            6_431.752_673_425_081,
            0.0,
        ],
        [-2.687_728_125_216_839_2e-8, -5.711_852_904_236_516e-5],
        [
            [12.642_847_455_335_383, -4_354_688.616_076_507],
            [0.0, -0.484_503_643_795_494_54],
        ],
        2.903_272_442_640_538e-6,
    )];
    for (name, parameters, states, [normal, v], h) in cases {
        let model = find(name).expect("a law");
        let mean_of = |tolerance: f64, parts: u32| {
            let mut element = model.instantiate();
            let names = [
                "mu_s", "v_s", "mu_d", "v_d", "sigma_0", "sigma_1", "sigma_2",
            ];
            for (name, value) in names
                .into_iter()
                .zip(parameters)
                .take(model.metadata.parameters.len())
            {
                element.set(variable(model, name), value);
            }
            for (name, value) in ["z", "z_dot"].into_iter().zip(states) {
                element.set(variable(model, name), value);
            }
            element.apply_parameters().expect("parameters");
            element.set_tolerance(tolerance);
            let part = h / f64::from(parts);
            (0..parts).fold(0.0, |sum, i| {
                for (input, [value, rate]) in [(&F_N, normal), (&V, v)] {
                    element.set(input, value + rate * f64::from(i) * part);
                    element
                        .set_input_derivative(input, 1, rate)
                        .expect("an input");
                }
                element.advance(part).expect("a step");
                sum + element.on_demand_output(&F_R_MEAN).expect("an output") / f64::from(parts)
            })
        };
        let [found, expected] =
            [(1e-6, 1), (1e-9, 100)].map(|(tolerance, parts)| mean_of(tolerance, parts));
        let most = parameters[0] * normal[0].max(normal[0] + normal[1] * h);
        let error = (found - expected) / (1e-6 * most);
        assert!(error.abs() < 10.0, "{name}: off by {error} tolerances");
    }
}
