//! Outputs, derivatives and refusals of several contacts, of levers and of supports.

mod foot;
mod observed;

use super::*;
use crate::catalogue::{
    Access, Card, CardBody, Contacts as CardContacts, Knowns, Motion, PlatePoints, Setting,
    Variant, find,
};
use crate::coupling::{COUPLING, E_LOSS_ERROR, E_LOSS_ERROR_OF_BODY, M_EFF};
use crate::element::{E_LOSS, F_N, F_R, F_R_Y, INPUTS, RADIUS, V, V_X, V_Y};
use crate::laws::regularised::metadata::SIGMA_0;
use crate::variable::RANGE;

/// Assembly of a card of a law.
fn assembly(law: &str, change: impl FnOnce(&mut Card)) -> Assembly {
    let mut card = Card::of_law(law, "");
    change(&mut card);
    let mut assembly = Variant::new(find(law).unwrap(), card)
        .unwrap()
        .instantiate();
    assembly.apply_parameters().unwrap();
    assembly.initialize().unwrap();
    assembly
}

/// Variable of a contact, from 1.
fn of(declared: &Variable, contact: u32) -> Variable {
    Variable {
        reference: declared.reference + contact * RANGE,
        ..*declared
    }
}

#[test]
fn derivatives_of_several_contacts_are_those_of_one() {
    let mut one = assembly("FrDyn2", |_| {});
    let mut two = assembly("FrDyn2", |card| {
        card.contacts = Some(CardContacts {
            count: 2,
            ..CardContacts::default()
        })
    });
    for (variable, value) in [(F_N, 9.81), (V, 2e-3)] {
        one.set(&variable, value);
        two.set(&of(&variable, 2), value);
    }
    for (variable, slope) in [(F_N, 3.0), (V, 0.1)] {
        one.set_input_derivative(&variable, 1, slope).unwrap();
        two.set_input_derivative(&of(&variable, 2), 1, slope)
            .unwrap();
    }
    assert!(!one.parameters_are_dirty() && !two.parameters_are_dirty());
    one.advance(1e-3).unwrap();
    two.advance(1e-3).unwrap();
    let (expected, found) = (one.output_derivatives(), two.output_derivatives());
    assert_ne!(expected.get(F_R.reference), 0.0);
    assert_eq!(
        found.get(of(&F_R, 2).reference),
        expected.get(F_R.reference)
    );
    assert_eq!(found.get(of(&F_R, 1).reference), 0.0);

    let seed = |input: &Variable| {
        let mut seed = Table::of(2);
        *seed.entry(input) = 1.0;
        seed
    };
    let mut of_one = Table::of(0);
    *of_one.entry(&V) = 1.0;
    let expected = one.directional_derivative(&of_one).get(F_R.reference);
    assert_ne!(expected, 0.0);
    assert_eq!(
        two.directional_derivative(&seed(&of(&V, 2)))
            .get(of(&F_R, 2).reference),
        expected
    );
    assert_eq!(
        two.directional_derivative(&seed(&of(&V, 1)))
            .get(of(&F_R, 2).reference),
        0.0
    );
}

#[test]
fn step_that_a_tuned_bristle_makes_too_long_is_reported() {
    let mut one = assembly("FrDyn2", |_| {});
    one.set(&F_N, 9.81);
    one.set(&V, 2e-3);
    for _ in 0..2 {
        assert_eq!(one.coupling_message(1e-4), None);
        one.advance(1e-4).unwrap();
    }
    one.set(&SIGMA_0, 5e8);
    one.apply_parameters().unwrap();
    assert!(one.coupling_message(1e-4).is_some());
}

#[test]
fn derivatives_of_inputs_beyond_the_third_and_of_outputs_are_refused() {
    let mut one = assembly("FrDyn2", |_| {});
    for input in &INPUTS {
        for order in [0, 4] {
            let InputError { sentence, .. } =
                one.set_input_derivative(input, order, 1.0).unwrap_err();
            assert!(
                sentence.starts_with(&format!("derivative {order} of {} was given", input.name)),
                "{sentence}"
            );
        }
    }
    let InputError { sentence, .. } = one.set_input_derivative(&F_R, 1, 1.0).unwrap_err();
    assert!(
        sentence.starts_with("derivative 1 of F_R was given"),
        "{sentence}"
    );
}

#[test]
fn friction_radius_may_change_with_moving_inputs() {
    let lever = |radius: f64| {
        assembly("FrDyn2Linear", |card| {
            card.motion = Motion::Rotational;
            card.parameters.insert(
                RADIUS.reference,
                Setting {
                    start: Some(radius),
                    ..Setting::default()
                },
            );
        })
    };
    let (mut changed, mut fresh) = (lever(0.1), lever(0.2));
    let move_along = |assembly: &mut Assembly| {
        assembly.set(&F_N, 10.0);
        assembly.set(&V, 0.05);
        assembly.set_input_derivative(&V, 1, 2.0).unwrap();
    };
    move_along(&mut changed);
    // The derivative that was given before holds for the new lever, too.
    changed.set(&RADIUS, 0.2);
    changed.apply_parameters().unwrap();
    move_along(&mut fresh);
    changed.advance(1e-3).unwrap();
    fresh.advance(1e-3).unwrap();
    assert_ne!(fresh.value(F_R.reference), 0.0);
    assert_eq!(changed.value(F_R.reference), fresh.value(F_R.reference));
}

/// Gives a card two contacts of a motion in the plane.
fn place_two(card: &mut Card, motion: Motion) {
    card.motion = motion;
    if motion == Motion::Patch {
        card.plate = Some(PlatePoints {
            positions: vec![[0.1, 0.0], [-0.1, 0.0]],
            shares: vec![0.5; 2],
        });
    } else {
        card.contacts = Some(CardContacts {
            count: 2,
            ..CardContacts::default()
        });
    }
}

/// Body of this mass (kg) for two such contacts.
fn body_of_two(motion: Motion, mass: f64) -> CardBody {
    CardBody {
        mass: Some(mass),
        inertia: (motion == Motion::Patch).then_some(0.02),
        ..CardBody::default()
    }
}

/// E_loss_error of a contact with m_eff under a load (N), and of two such contacts on twice the
/// mass under twice the load: in a plane, and in a patch.
fn errors_of_the_work(coupling: f64, load: fn(f64) -> f64) -> [f64; 3] {
    let single = assembly("FrDyn2", |card| {
        for (variable, value) in [(M_EFF, 1.0), (COUPLING, coupling)] {
            card.parameters.insert(
                variable.reference,
                Setting {
                    start: Some(value),
                    ..Setting::default()
                },
            );
        }
    });
    let on_a_body = |motion: Motion| {
        assembly("FrDyn2", |card| {
            place_two(card, motion);
            card.body = Some(body_of_two(motion, 2.0));
            card.parameters.insert(
                COUPLING.reference,
                Setting {
                    start: Some(coupling),
                    ..Setting::default()
                },
            );
        })
    };
    let mut all = [single, on_a_body(Motion::Planar), on_a_body(Motion::Patch)];
    let (h, mut v, mut held) = (1e-3, [0.0; 3], [0.0; 3]);
    for step in 0..500 {
        all[0].set(&F_N, 10.0);
        all[0].set(&V, v[0]);
        for contact in [1, 2] {
            all[1].set(&of(&F_N, contact), 10.0);
            all[1].set(&of(&V_X, contact), v[1]);
        }
        all[2].set(&F_N, 20.0);
        all[2].set(&V_X, v[2]);
        all.iter_mut()
            .for_each(|assembly| _ = assembly.advance(h).unwrap());
        let both = all[1].value(of(&F_R, 1).reference) + all[1].value(of(&F_R, 2).reference);
        let new = [
            all[0].value(F_R.reference),
            0.5 * both,
            0.5 * all[2].value(F_R.reference),
        ];
        let used = if coupling == 2.0 {
            core::mem::replace(&mut held, new)
        } else {
            new
        };
        for (v, force) in v.iter_mut().zip(used) {
            *v += h * (load(h * f64::from(step)) - force);
        }
    }
    all.each_ref()
        .map(|assembly| assembly.on_demand_output(&E_LOSS_ERROR).unwrap())
}

#[test]
fn error_of_the_work_of_contacts_in_a_plane_is_that_of_a_single_contact() {
    let smooth: fn(f64) -> f64 = |t| 9.0 * libm::sin(10.0 * t);
    let jumping: fn(f64) -> f64 = |t| {
        if (t * 150.0) % 1.0 < 0.5 {
            15.0 + 40.0 * t
        } else {
            -16.0
        }
    };
    for coupling in [1.0, 2.0] {
        for (load, range) in [(smooth, 0.0..1e-4), (jumping, 5e-4..1.0)] {
            let [single, feet, patch] = errors_of_the_work(coupling, load);
            println!("{coupling}: {single:e}, {feet:e}, {patch:e}");
            assert!(range.contains(&single.abs()), "{coupling}: {single}");
            for error in [feet, patch] {
                // The floor of the work counts both directions of a plane.
                assert!(
                    (error - single).abs() < 0.05 * single.abs() + 1e-6,
                    "{coupling}: {error}, {single}"
                );
            }
        }
    }
    // No observer, no error.
    assert_eq!(errors_of_the_work(3.0, jumping), [0.0; 3]);
}

#[test]
fn contacts_in_a_plane_have_one_error_of_the_work_where_they_have_a_body() {
    let model = find("FrDyn2").unwrap();
    for motion in [Motion::Planar, Motion::Patch] {
        for has_body in [true, false] {
            let mut card = Card::of_law("FrDyn2", "");
            place_two(&mut card, motion);
            card.body = has_body.then(|| body_of_two(motion, 2.0));
            let variant = Variant::new(model, card.clone()).unwrap();
            let found: Vec<_> = variant
                .variables()
                .filter(|variable| variable.is(&E_LOSS_ERROR))
                .collect();
            assert_eq!(
                found,
                Vec::from_iter(has_body.then_some(&E_LOSS_ERROR_OF_BODY)),
                "{motion:?}"
            );
            let knowns = variant.knowns_of(&E_LOSS_ERROR_OF_BODY);
            assert_eq!(knowns, Knowns::default(), "{motion:?}");
            // A card may leave it out where it is, and name it there only.
            for (output, is_accepted) in [(E_LOSS, true), (E_LOSS_ERROR, has_body)] {
                card.outputs = [output.reference].into();
                let shown = Variant::new(model, card.clone())
                    .map(|variant| variant.access(E_LOSS_ERROR.reference) != Access::NONE);
                assert_eq!(shown.ok(), is_accepted.then_some(output == E_LOSS_ERROR));
            }
        }
    }
}

#[test]
fn an_output_of_a_body_says_that_it_is_that_of_all_contacts() {
    assert!(
        E_LOSS_ERROR_OF_BODY.description.contains("all contacts"),
        "{}",
        E_LOSS_ERROR_OF_BODY.description
    );
    assert!(
        !E_LOSS_ERROR.description.contains("contacts"),
        "{}",
        E_LOSS_ERROR.description
    );
}

/// Polynomials of F_N (N), v_x, v_y (m/s) and ω (rad/s) of a patch: value and time derivatives at
/// 0.
const MOTION: [(Variable, [f64; 4]); 4] = [
    (F_N, [20.0, 800.0, 3e5, 0.0]),
    (V_X, [1e-3, 4.0, -3e3, 1e6]),
    (V_Y, [-2e-3, 1.0, 2e3, 0.0]),
    (OMEGA, [5e-3, -30.0, 1e4, 4e6]),
];

/// Derivative of this order of a polynomial at `t` (s).
fn derivative(polynomial: [f64; 4], order: usize, t: f64) -> f64 {
    let [_, a, b, c] = polynomial;
    match order {
        0 => polynomial[0] + t * (a + t * (b / 2.0 + t * c / 6.0)),
        1 => a + t * (b + t * c / 2.0),
        2 => b + t * c,
        _ => c,
    }
}

/// Patch of four points on a body, with this scheme.
fn patch_on_a_body(coupling: f64) -> Assembly {
    assembly("FrDyn2", |card| {
        card.motion = Motion::Patch;
        let positions = vec![[0.1, 0.05], [-0.1, 0.06], [-0.09, -0.05], [0.1, -0.04]];
        card.plate = Some(PlatePoints {
            positions,
            shares: vec![0.3, 0.2, 0.27, 0.23],
        });
        card.body = Some(CardBody {
            mass: Some(2.0),
            inertia: Some(0.02),
            ..CardBody::default()
        });
        card.parameters.insert(
            COUPLING.reference,
            Setting {
                start: Some(coupling),
                ..Setting::default()
            },
        );
    })
}

/// F_R,x, F_R,y (N), M_R (N·m) and E_loss (J) of a patch.
fn of_patch(patch: &Assembly) -> [f64; 4] {
    [F_R, F_R_Y, M_R, E_LOSS].map(|output| patch.value(output.reference))
}

/// Advances a patch with inputs that begin at `t` (s) by `duration` (s): with their time
/// derivatives, or held.
fn advance_patch(patch: &mut Assembly, t: f64, duration: f64, has_derivatives: bool) {
    for (input, polynomial) in &MOTION {
        patch.set(input, derivative(*polynomial, 0, t));
        for order in (1..4).filter(|_| has_derivatives) {
            patch
                .set_input_derivative(input, order, derivative(*polynomial, order, t))
                .unwrap();
        }
    }
    patch.advance(duration).unwrap();
}

#[test]
fn step_with_derivatives_of_the_inputs_of_a_patch_on_a_body_is_the_limit_of_short_steps() {
    let h = 1e-3;
    // Outputs after each of three steps, in this many parts with held inputs; in one part the
    // inputs have their derivatives.
    let run = |parts: u32| {
        let mut patch = patch_on_a_body(3.0);
        let mut step = |step: u32| {
            for part in 0..parts {
                let t = h * (f64::from(step) + f64::from(part) / f64::from(parts));
                advance_patch(&mut patch, t, h / f64::from(parts), parts == 1);
            }
            of_patch(&patch)
        };
        [0, 1, 2].map(&mut step)
    };
    let [exact, coarse, fine] = [1, 128, 256].map(run);
    for (step, ((exact, coarse), fine)) in exact.iter().zip(&coarse).zip(&fine).enumerate() {
        for i in 0..4 {
            // Held inputs have an error of the first order: that of the short steps is their
            // difference from those of twice the length.
            let predicted = fine[i] - coarse[i];
            let error = exact[i] - fine[i];
            assert!(
                predicted != 0.0 && predicted.abs() < 0.05 * exact[i].abs(),
                "{step}, {i}: {predicted}, {exact:?}"
            );
            assert!(
                (error - predicted).abs() < 0.05 * predicted.abs(),
                "{step}, {i}: {error} for {predicted}"
            );
        }
    }
}

#[test]
fn derivatives_of_the_inputs_of_a_patch_on_a_body_hold_for_one_step() {
    for coupling in [1.0, 2.0, 3.0] {
        // A second step with held inputs, whose derivatives are not given, or are given as 0.
        let second = |is_given: bool| {
            let mut patch = patch_on_a_body(coupling);
            advance_patch(&mut patch, 0.0, 1e-3, true);
            for input in [F_N, V_X, V_Y, OMEGA].iter().filter(|_| is_given) {
                (1..4).for_each(|order| patch.set_input_derivative(input, order, 0.0).unwrap());
            }
            advance_patch(&mut patch, 1e-3, 1e-3, false);
            of_patch(&patch)
        };
        assert_eq!(second(false), second(true), "{coupling}");
    }
}

/// Impulse (N·s) of F_R,x in a serial coupling, of a patch that slides along x under a normal force
/// that rises within 5 ms from 20 N by 20 N, in this many steps with this derivative of F_N (N/s).
/// The body moves with F_R, and had steps of 5 ms under 20 N before.
fn impulse_of_patch(steps: u32, slope: f64) -> f64 {
    // The load balances the friction under 20 N.
    let (end, mass, load) = (5e-3, 2.0, 6.0);
    let mut patch = patch_on_a_body(1.0);
    let mut v = 0.5;
    let mut step = |normal: f64, slope: f64, h: f64| {
        patch.set(&F_N, normal);
        patch.set(&V_X, v);
        patch.set_input_derivative(&F_N, 1, slope).unwrap();
        patch.advance(h).unwrap();
        let force = patch.value(F_R.reference);
        v += h * (load - force) / mass;
        force
    };
    for _ in 0..60 {
        step(20.0, 0.0, end);
    }
    let h = end / f64::from(steps);
    (0..steps)
        .map(|i| h * step(20.0 * (1.0 + f64::from(i) / f64::from(steps)), slope, h))
        .sum()
}

#[test]
fn observed_patch_with_the_derivative_of_its_normal_force_has_the_impulse_of_short_steps() {
    let exact = impulse_of_patch(1, 4e3);
    let [coarse, fine] = [16, 32].map(|steps| impulse_of_patch(steps, 0.0));
    // Without the derivative F_N is extrapolated from the step before, but for the first step: an
    // error of the second order.
    let predicted = (fine - coarse) / 3.0;
    let error = exact - fine;
    assert!(predicted.abs() > 1e-4 * exact.abs(), "{predicted}, {exact}");
    assert!(
        (error - predicted).abs() < 0.05 * predicted.abs(),
        "{error} for {predicted}"
    );
    // A single step without it has the impulse under 20 N.
    let held = impulse_of_patch(1, 0.0);
    assert!((exact / held - 1.5).abs() < 1e-3, "{held} for {exact}");
}

#[test]
fn acceleration_of_a_patch_counts_by_its_value_and_not_by_its_derivatives() {
    let run = |value: f64, rate: f64| {
        let mut patch = assembly("FrDyn2", |card| {
            card.motion = Motion::Patch;
            card.acceleration = true;
            let positions = vec![[0.1, 0.05], [-0.1, 0.06], [-0.09, -0.05], [0.1, -0.04]];
            card.plate = Some(PlatePoints {
                positions,
                shares: vec![0.3, 0.2, 0.27, 0.23],
            });
            card.body = Some(CardBody {
                mass: Some(2.0),
                inertia: Some(0.02),
                ..CardBody::default()
            });
            card.parameters.insert(
                COUPLING.reference,
                Setting {
                    start: Some(2.0),
                    ..Setting::default()
                },
            );
        });
        for step in 0..3 {
            for input in &PLATE_ACCELERATIONS {
                patch.set(input, value);
                patch
                    .set_input_derivative(input, 1, rate)
                    .expect("an input");
            }
            advance_patch(&mut patch, 1e-3 * f64::from(step), 1e-3, false);
        }
        of_patch(&patch)
    };
    assert_eq!(run(0.5, 0.0), run(0.5, 1e3));
    assert_ne!(run(0.5, 0.0), run(1.0, 0.0));
}
