//! Elements with values of their own for v > 0 and for v < 0.

use super::random;
use crate::catalogue::{Card, ELEMENTS, MeasuredCurve, Model, Setting, Variant, find};
use crate::element::{AnyElement, E_LOSS, F_N, F_OFFSET, F_R, P_LOSS, V};
use crate::law::F_T;
use crate::variable::Variable;

/// Normal force, N.
const NORMAL: f64 = 10.0;

/// Factor of a value for v > 0 on the law's own, and for v < 0.
type Factors = [f64; 2];

/// Element of a law with all of its parameters by direction.
fn signed(model: &'static Model, factors: Factors) -> Box<dyn AnyElement> {
    let of = |reference: u32| {
        model
            .variable(reference)
            .and_then(|variable| variable.start)
            .unwrap_or(0.0)
    };
    let mut card = Card::of_law(model.metadata.name, "");
    for pair in model.metadata.directed {
        let own = of(pair[0].reference);
        // Viscous friction that shows beside the law's own, which has none.
        let own = if pair[0].name.starts_with("sigma_2") {
            3.0
        } else {
            own
        };
        for (variable, factor) in pair.iter().zip(factors) {
            card.parameters.insert(
                variable.reference,
                Setting {
                    start: Some(own * factor),
                    ..Setting::default()
                },
            );
        }
    }
    Variant::new(model, card).unwrap().contact(0)
}

/// Laws with parameters by direction.
fn laws() -> impl Iterator<Item = &'static Model> {
    ELEMENTS
        .iter()
        .filter(|model| !model.metadata.directed.is_empty())
}

/// Element of a law with these factors on one value for both directions.
fn even(model: &'static Model, factor: f64) -> Box<dyn AnyElement> {
    let mut card = Card::of_law(model.metadata.name, "");
    for [forward, _] in model.metadata.directed {
        let own = model
            .variable(forward.reference)
            .and_then(|variable| variable.start)
            .unwrap_or(0.0);
        let own = if forward.name.starts_with("sigma_2") {
            3.0
        } else {
            own
        };
        card.parameters.insert(
            forward.reference,
            Setting {
                start: Some(own * factor),
                ..Setting::default()
            },
        );
    }
    Variant::new(model, card).unwrap().contact(0)
}

/// Moves elements along one random path, mirrored where the sign is −1, and compares them after
/// each step.
fn walk(
    seed: u64,
    elements: &mut [(Box<dyn AnyElement>, f64)],
    compare: impl Fn(&[(Box<dyn AnyElement>, f64)], usize),
) {
    let mut random = random(seed);
    for i in 0..400 {
        let v = if i % 7 == 0 {
            0.0
        } else {
            random() * libm::pow(10.0, 3.0 * random() - 3.0)
        };
        let (normal, slope, applied) = (
            NORMAL * (random() + 1.1),
            10.0 * random() * v.abs(),
            10.0 * random(),
        );
        let h = libm::pow(10.0, 2.0 * random() - 3.0);
        for (element, sign) in elements.iter_mut() {
            element.set(&F_N, normal);
            element.set(&V, *sign * v);
            if element.has_applied_force() {
                element.set(&F_T, *sign * applied);
            }
            element.set_input_derivative(&V, 1, *sign * slope).unwrap();
            element.advance(h).unwrap();
        }
        compare(elements, i);
    }
}

#[test]
fn even_values_give_the_bits_of_the_element_without_directions() {
    for model in laws() {
        walk(
            3,
            &mut [(signed(model, [0.9, 0.9]), 1.0), (even(model, 0.9), 1.0)],
            |elements, i| {
                let [found, expected] = [0, 1].map(|place| elements[place].0.values());
                for variable in model
                    .variables()
                    .filter(|variable| !variable.is_parameter())
                {
                    let [found, expected] =
                        [found, expected].map(|values| values[variable].to_bits());
                    assert_eq!(
                        found, expected,
                        "{}: {} in step {i}",
                        model.metadata.name, variable.name
                    );
                }
            },
        );
    }
}

#[test]
fn mirrored_values_mirror_the_force() {
    for model in laws() {
        walk(
            4,
            &mut [
                (signed(model, [1.0, 0.7]), 1.0),
                (signed(model, [0.7, 1.0]), -1.0),
            ],
            |elements, i| {
                let [there, mirrored] = [0, 1].map(|place| elements[place].0.values());
                let name = model.metadata.name;
                assert_eq!(there[&F_R], -mirrored[&F_R], "{name} in step {i}");
                assert_eq!(there[&E_LOSS], mirrored[&E_LOSS], "{name} in step {i}");
            },
        );
    }
}

#[test]
fn one_direction_alone_is_the_element_of_its_values() {
    for model in laws() {
        for (sign, factor) in [(1.0, 1.2), (-1.0, 0.7)] {
            let (mut found, mut expected) = (signed(model, [1.2, 0.7]), even(model, factor));
            for i in 0..200 {
                // Rising: where the speed falls, a bristle of second order may slip backward.
                let v = sign * 1e-5 * libm::pow(1.05, f64::from(i));
                for element in [&mut found, &mut expected] {
                    element.set(&F_N, NORMAL);
                    element.set(&V, v);
                    element.advance(1e-3).unwrap();
                }
                let [found, expected] = [&found, &expected].map(|element| element.values()[&F_R]);
                // Scales of errors are those of the larger direction.
                let name = model.metadata.name;
                assert!(
                    (found - expected).abs() < 1e-5 * NORMAL,
                    "{name}, {sign}, {i}: {found}, not {expected}"
                );
            }
        }
    }
}

/// Force of a bristle over a sine of the velocity by the classical method of Runge and Kutta over
/// the equations as printed, `steps` a period.
fn reference(
    rate: impl Fn(f64, [f64; 2]) -> [f64; 2],
    force: impl Fn(f64, [f64; 2]) -> f64,
    steps: usize,
) -> Vec<f64> {
    let (h, mut x, mut forces) = (1.0 / steps as f64, [0.0; 2], Vec::new());
    for i in 0..2 * steps {
        let t = i as f64 * h;
        let at = |t: f64, x: [f64; 2]| rate(sine(t), x);
        let add = |k: [f64; 2], h: f64| [x[0] + h * k[0], x[1] + h * k[1]];
        let first = at(t, x);
        let second = at(t + 0.5 * h, add(first, 0.5 * h));
        let third = at(t + 0.5 * h, add(second, 0.5 * h));
        let fourth = at(t + h, add(third, h));
        x = core::array::from_fn(|j| {
            x[j] + h / 6.0 * (first[j] + 2.0 * (second[j] + third[j]) + fourth[j])
        });
        if (i + 1) % (steps / 100) == 0 {
            forces.push(force(sine(t + h), x));
        }
    }
    forces
}

/// Velocity at a time (s), m/s.
fn sine(t: f64) -> f64 {
    0.02 * libm::sin(2.0 * core::f64::consts::PI * t)
}

/// Largest distance of an element's force along the sine from these, N.
fn distance(element: &mut dyn AnyElement, expected: &[f64]) -> f64 {
    let omega = 2.0 * core::f64::consts::PI;
    element.set(&F_N, NORMAL);
    let mut worst: f64 = 0.0;
    for (i, expected) in expected.iter().enumerate() {
        // Ten steps with three derivatives of the sine: exact to 1e-9.
        for j in 0..10 {
            let t = (i as f64 + 0.1 * j as f64) * 0.01;
            element.set(&V, sine(t));
            let [cos, sin] = [libm::cos(omega * t), libm::sin(omega * t)];
            for (order, value) in [
                (1, omega * cos),
                (2, -omega * omega * sin),
                (3, -omega * omega * omega * cos),
            ] {
                element
                    .set_input_derivative(&V, order, 0.02 * value)
                    .unwrap();
            }
            element.advance(1e-3).unwrap();
        }
        worst = worst.max((element.values()[&F_R] - expected).abs());
    }
    worst
}

/// Card of a law with these parameters by name.
fn card(law: &str, parameters: &[(&str, f64)]) -> Box<dyn AnyElement> {
    let model = find(law).unwrap();
    let mut card = Card::of_law(law, "");
    for (name, value) in parameters {
        let mut known = model
            .metadata
            .directed
            .iter()
            .flatten()
            .chain(model.variables());
        let variable: &Variable = known.find(|variable| variable.name == *name).unwrap();
        card.parameters.insert(
            variable.reference,
            Setting {
                start: Some(*value),
                ..Setting::default()
            },
        );
    }
    Variant::new(model, card).unwrap().contact(0)
}

#[test]
fn lugre_follows_its_equations_with_a_characteristic_for_each_direction() {
    let (sigma_0, sigma_1, v_stribeck) = (1e4, 30.0, [4e-3, 6e-3]);
    let ([mu_s, mu_d], sigma_2) = ([[0.6, 0.4], [0.3, 0.25]], [20.0, 50.0]);
    let mut element = card(
        "LuGre",
        &[
            ("sigma_0", sigma_0),
            ("sigma_1", sigma_1),
            ("mu_s_forward", mu_s[0]),
            ("mu_s_backward", mu_s[1]),
            ("mu_d_forward", mu_d[0]),
            ("mu_d_backward", mu_d[1]),
            ("v_Stribeck_forward", v_stribeck[0]),
            ("v_Stribeck_backward", v_stribeck[1]),
            ("sigma_2_forward", sigma_2[0]),
            ("sigma_2_backward", sigma_2[1]),
        ],
    );
    let rate = |v: f64, z: f64| {
        let side = usize::from(v < 0.0);
        let ratio = v / v_stribeck[side];
        let level = NORMAL * (mu_d[side] + (mu_s[side] - mu_d[side]) * libm::exp(-ratio * ratio));
        v - sigma_0 * v.abs() / level * z
    };
    let force = |v: f64, [z, _]: [f64; 2]| {
        let limit = mu_s[usize::from(z < 0.0)] * NORMAL;
        let elastic = (sigma_0 * z).clamp(-limit, limit);
        elastic + sigma_1 * rate(v, elastic / sigma_0) + sigma_2[usize::from(v < 0.0)] * v
    };
    let expected = reference(|v, [z, _]| [rate(v, z), 0.0], force, 20_000);
    let worst = distance(&mut *element, &expected);
    assert!(worst < 2e-5 * NORMAL, "off by {worst} N");
}

#[test]
fn frdyn2_and_its_linear_form_follow_their_equations_with_a_level_for_each_direction() {
    let (sigma_0, sigma_1, v_s, v_d) = (1e4, 140.0, 1e-3, 1e-2);
    let [mu_s, mu_d] = [[0.6, 0.4], [0.3, 0.25]];
    for (law, is_straight, sigma_2) in [
        ("FrDyn2", false, [0.0; 2]),
        ("FrDyn2Linear", true, [20.0, 50.0]),
    ] {
        let mut parameters = vec![
            ("sigma_0", sigma_0),
            ("sigma_1", sigma_1),
            ("v_s", v_s),
            ("v_d", v_d),
            ("mu_s_forward", mu_s[0]),
            ("mu_s_backward", mu_s[1]),
            ("mu_d_forward", mu_d[0]),
            ("mu_d_backward", mu_d[1]),
        ];
        if is_straight {
            parameters.extend([
                ("sigma_2_forward", sigma_2[0]),
                ("sigma_2_backward", sigma_2[1]),
            ]);
        }
        let mut element = card(law, &parameters);
        let mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
        let force = |v: f64, [z, z_dot]: [f64; 2]| {
            let sticking = sigma_0 * z + sigma_1 * v;
            let r = (sticking.abs() / (mu_s[usize::from(sticking < 0.0)] * NORMAL)).min(1.0);
            let shift = if is_straight {
                r
            } else {
                1.0 - (1.0 - r).sqrt()
            };
            let w: f64 = v - z_dot + v_s * shift.copysign(sticking);
            let side = usize::from(w < 0.0);
            let (x, fall) = (w.abs() / v_s, (w.abs() - v_s) / (v_d - v_s));
            let mu = if x <= 1.0 {
                mu_s[side] * if is_straight { x } else { x * (2.0 - x) }
            } else {
                let fall = fall.min(1.0);
                mu_s[side] - (mu_s[side] - mu_d[side]) * fall * fall * (3.0 - 2.0 * fall)
            };
            (mu * NORMAL + sigma_2[side] * (w.abs() - v_d).max(0.0)).copysign(w)
        };
        let rate =
            |v: f64, x: [f64; 2]| [x[1], (force(v, x) - sigma_0 * x[0] - sigma_1 * x[1]) / mass];
        let expected = reference(rate, force, 200_000);
        let worst = distance(&mut *element, &expected);
        assert!(worst < 5e-5 * NORMAL, "{law}: off by {worst} N");
        let [most, least] = [
            expected.iter().copied().fold(0.0, f64::max),
            expected.iter().copied().fold(0.0, f64::min),
        ];
        assert!(most > 1.3 * -least, "{law}: {most} N and {least} N");
    }
}

#[test]
fn a_bristle_gives_back_no_more_than_it_took() {
    for model in laws() {
        let mut element = signed(model, [1.0, 0.6]);
        element.set(&F_N, NORMAL);
        let mut random = random(6);
        for i in 0..2000 {
            element.set(&V, 1e-2 * random());
            element.advance(1e-3 * (1.0 + random())).unwrap();
            let loss = element.values()[&E_LOSS];
            assert!(loss > -1e-9, "{}, step {i}: {loss} J", model.metadata.name);
        }
    }
}

#[test]
fn a_measured_curve_has_points_of_its_own_for_each_direction() {
    let points = vec![
        [-0.1, 0.2],
        [-0.01, 0.3],
        [-1e-3, 0.4],
        [1e-3, 0.5],
        [0.01, 0.35],
        [0.1, 0.3],
    ];
    for law in ["LuGre", "StaticRegularized", "FrDyn2Linear"] {
        let mut card = Card::of_law(law, "");
        card.characteristic = Some(MeasuredCurve {
            points: points.clone(),
            ..MeasuredCurve::default()
        });
        let variant = Variant::new(find(law).unwrap(), card).unwrap();
        for [v, mu] in &points[..] {
            let mut element = variant.contact(0);
            element.set(&F_N, NORMAL);
            element.set(&V, *v);
            element.advance(10.0).unwrap();
            let found = element.values()[&F_R];
            assert!(
                (found - v.signum() * mu * NORMAL).abs() < 1e-6 * NORMAL,
                "{law}: {found} N at {v} m/s"
            );
        }
    }
    let refused = |law: &str, points: Vec<[f64; 2]>| {
        let mut card = Card::of_law(law, "");
        card.characteristic = Some(MeasuredCurve {
            points,
            ..MeasuredCurve::default()
        });
        Variant::new(find(law).unwrap(), card)
            .err()
            .unwrap()
            .sentence
    };
    assert!(
        refused("ModelicaFriction", points.clone())
            .contains("one curve for both directions; set directions = \"mean\"")
    );
    assert!(
        refused(
            "LuGre",
            vec![[-1e-3, 0.4], [-0.1, 0.2], [1e-3, 0.5], [0.01, 0.35]]
        )
        .contains("row 1: found v = 0.001")
    );
    let uneven = refused(
        "FrDyn2Linear",
        vec![[-0.1, 0.3], [-2e-3, 0.4], [1e-3, 0.5], [0.1, 0.35]],
    );
    assert!(uneven.contains("same first and last speed"), "{uneven}");
}

#[test]
fn an_offset_is_in_the_force_and_not_in_the_loss() {
    for model in &ELEMENTS {
        let with = |offset: f64| {
            let mut card = Card::of_law(model.metadata.name, "");
            card.parameters.insert(
                F_OFFSET.reference,
                Setting {
                    start: Some(offset),
                    ..Setting::default()
                },
            );
            Variant::new(model, card).unwrap().contact(0)
        };
        let (mut plain, mut shifted) = (with(0.0), with(-3.0));
        for (v, applied) in [(0.01, 2.0), (0.0, 1.0), (-0.02, 7.0)] {
            for (element, offset) in [(&mut plain, 0.0), (&mut shifted, -3.0)] {
                element.set(&F_N, NORMAL);
                element.set(&V, v);
                if element.has_applied_force() {
                    // The law balances what is left of the applied force beside the offset.
                    element.set(&F_T, applied + offset);
                }
                element.advance(1e-3).unwrap();
            }
            let name = model.metadata.name;
            assert_eq!(shifted.values()[&F_R], plain.values()[&F_R] - 3.0, "{name}");
            for output in [&P_LOSS, &E_LOSS] {
                assert_eq!(
                    shifted.values()[output],
                    plain.values()[output],
                    "{name}: {}",
                    output.name
                );
            }
        }
    }
}
