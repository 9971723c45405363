//! Properties of every law of the catalogue.

mod closing;
mod coupled_forces;
mod derivatives;
mod directions;
mod drift;
mod indicators;
mod inner_steps;
mod invariants;
mod light;
mod losses;
mod normal_force;
mod pushes;
mod scales;
mod viscous_in_the_plane;

use crate::catalogue::{ELEMENTS, Model};
use crate::element::{AnyElement, E_LOSS, F_N, F_R, P_LOSS, STICKING, V};
use crate::law::Contact;
use crate::variable::{Role, Values, Variable};

/// Random numbers in −1 … 1, the same on every run.
pub(crate) fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The variable of this name.
fn variable(model: &Model, name: &str) -> &'static Variable {
    model
        .variables()
        .find(|variable| variable.name == name)
        .expect("a variable")
}

/// An element in a closed contact.
fn element(entry: &Model) -> Box<dyn AnyElement> {
    let mut element = entry.instantiate();
    element.set(&F_N, 10.0);
    element
}

/// Sets all inputs: a contact that moves by `amplitude`, under a force that makes it stick and
/// slide.
fn set(element: &mut dyn AnyElement, normal_force: f64, v: f64, a: f64, applied: f64) {
    element.set_contact(Contact {
        F_N: normal_force,
        v,
        a,
        F_t: applied,
        ..Contact::ZERO
    });
}

/// Runs of random inputs through every element: jumps over decades of v, forces that vanish, steps
/// over decades.
fn walk(seed: u64, mut visit: impl FnMut(&Model, &mut dyn AnyElement, &mut dyn FnMut() -> f64)) {
    for entry in &ELEMENTS {
        let mut random = random(seed);
        let mut element = element(entry);
        for _ in 0..400 {
            let v = random() * libm::pow(10.0, 3.0 * random() - 3.0);
            set(
                &mut *element,
                10.0 * (random() + 0.7),
                v,
                10.0 * random(),
                10.0 * random(),
            );
            let h = libm::pow(10.0, 2.0 * random() - 3.0);
            element
                .advance(h)
                .unwrap_or_else(|failure| panic!("{}: {failure}", entry.metadata.name));
            visit(entry, &mut *element, &mut random);
        }
    }
}

#[test]
fn forces_are_odd_in_the_motion() {
    for entry in &ELEMENTS {
        let mut random = random(1);
        let (mut there, mut mirrored) = (element(entry), element(entry));
        for i in 0..400 {
            let v = if i % 7 == 0 {
                0.0
            } else {
                random() * libm::pow(10.0, 3.0 * random() - 3.0)
            };
            let (force, a, applied) = (10.0 * (random() + 0.7), random(), 10.0 * random());
            set(&mut *there, force, v, a, applied);
            set(&mut *mirrored, force, -v, -a, -applied);
            let h = libm::pow(10.0, 2.0 * random() - 3.0);
            for element in [&mut there, &mut mirrored] {
                element.advance(h).unwrap();
            }
            let [force, opposite] = [&there, &mirrored].map(|element| element.values()[&F_R]);
            assert_eq!(force, -opposite, "{} in step {i}", entry.metadata.name);
        }
    }
}

#[test]
fn an_open_contact_has_no_force() {
    for entry in &ELEMENTS {
        let mut element = element(entry);
        for (normal_force, v) in [
            (10.0, 0.02),
            (0.0, 0.02),
            (-1.0, -0.02),
            (1e-300, 0.0),
            (-5.0, 1e-4),
        ] {
            set(&mut *element, normal_force, v, 1.0, 3.0);
            element.advance(1e-3).unwrap();
            if normal_force <= 0.0 {
                assert_eq!(element.values()[&F_R], 0.0, "{}", entry.metadata.name);
                assert_eq!(element.values()[&STICKING], 0.0, "{}", entry.metadata.name);
            }
        }
    }
}

#[test]
fn a_contact_at_rest_stays_at_rest() {
    for entry in &ELEMENTS {
        let mut element = element(entry);
        for h in [1e-6, 1e-3, 1.0, 3600.0] {
            element.advance(h).unwrap();
            assert_eq!(element.values()[&F_R], 0.0, "{}", entry.metadata.name);
        }
    }
}

#[test]
fn a_step_agrees_with_its_two_halves() {
    walk(2, |entry, element, random| {
        let before = element.snapshot().clone();
        let h = libm::pow(10.0, random() - 3.0);
        element.advance(h).unwrap();
        let whole = element.values()[&F_R];
        element.restore(&before);
        element.apply_parameters().unwrap();
        element.advance(0.5 * h).unwrap();
        element.advance(0.5 * h).unwrap();
        let halves = element.values()[&F_R];
        let size = 0.6 * before.values[&F_N].max(1e-3);
        assert!(
            (whole - halves).abs() <= 1e-5 * size,
            "{}: {whole} and {halves}",
            entry.metadata.name
        );
    });
}

#[test]
fn a_restored_element_continues_bit_for_bit() {
    walk(3, |entry, element, _| {
        let before = element.snapshot().clone();
        let run = |element: &mut dyn AnyElement| {
            (1..20).for_each(|i| {
                element.set(&V, 0.01 * libm::sin(f64::from(i)));
                element.advance(1e-3).unwrap();
            });
            element.values().0.map(f64::to_bits)
        };
        let first = run(element);
        element.restore(&before);
        element.apply_parameters().unwrap();
        assert_eq!(run(element), first, "{}", entry.metadata.name);
        element.restore(&before);
        element.apply_parameters().unwrap();
    });
}

#[test]
fn derivatives_agree_with_differences() {
    let (mut compared, mut kinks, mut events) = (0, 0, 0);
    walk(4, |entry, element, random| {
        // At an event the derivative has two sides.
        let signs =
            |element: &dyn AnyElement| element.indicators().map(|indicator| indicator > 0.0);
        if element.values()[&F_N] <= 1e-3 {
            return;
        }
        let before = element.snapshot().clone();
        let mut seed = Values::ZERO;
        let knowns = entry
            .variables()
            .filter(|v| matches!(v.role, Role::Input | Role::State));
        let knowns: Vec<_> = knowns.collect();
        for known in &knowns {
            let size = known
                .nominal
                .unwrap_or(1.0)
                .min(before.values[*known].abs().max(1e-9));
            seed[*known] = size * random();
        }
        element.evaluate().unwrap();
        let (here, exact, here_values) = (
            signs(element),
            element.directional_derivative(&seed),
            *element.values(),
        );
        let mut moved = |share: f64| {
            element.restore(&before);
            element.apply_parameters().unwrap();
            for known in &knowns {
                element.set(known, before.values[*known] + share * seed[*known]);
            }
            element.evaluate().unwrap();
            (signs(element), *element.values())
        };
        let d = 1e-6;
        let ((before_signs, below), (after_signs, above)) = (moved(-d), moved(d));
        element.restore(&before);
        element.apply_parameters().unwrap();
        if before_signs != here || after_signs != here {
            events += 1;
            return;
        }
        let unknowns = entry
            .variables()
            .filter(|v| matches!(v.role, Role::Output | Role::Derivative { .. }));
        for unknown in unknowns.filter(|v| **v != E_LOSS) {
            let difference = (above[unknown] - below[unknown]) / (2.0 * d);
            let bend = above[unknown] + below[unknown] - 2.0 * here_values[unknown];
            if bend.abs() > 1e-4 * (above[unknown] - below[unknown]).abs() {
                kinks += 1;
                continue;
            }
            compared += 1;
            let error = (difference - exact[unknown]).abs();
            let size = exact[unknown].abs() + above[unknown].abs();
            assert!(
                error <= 1e-4 * size + 1e-12,
                "{}: {} is {} for {difference}",
                entry.metadata.name,
                unknown.name,
                exact[unknown]
            );
        }
    });
    // Most points lie between kinks and events, so that the comparison is no empty one.
    assert!(
        compared > 20_000 && 20 * kinks < compared && 100 * events < compared,
        "{compared}, {kinks}, {events}"
    );
}

#[test]
fn the_loss_is_the_integral_of_the_power() {
    for entry in &ELEMENTS {
        let mut element = element(entry);
        let h = 1e-4;
        let mut sum = 0.0;
        let mut last = 0.0;
        for i in 0..4000 {
            let t = f64::from(i) * h;
            let v = 0.02 * libm::sin(31.4 * t);
            set(
                &mut *element,
                10.0,
                v,
                0.6 * libm::cos(31.4 * t),
                8.0 * libm::sin(20.0 * t),
            );
            element
                .set_input_derivative(&V, 1, 0.02 * 31.4 * libm::cos(31.4 * t))
                .expect("an input");
            element.advance(h).unwrap();
            sum += 0.5 * h * (last + element.values()[&P_LOSS]);
            last = element.values()[&P_LOSS];
        }
        let loss = element.values()[&E_LOSS];
        assert!(
            (loss - sum).abs() <= 2e-3 * sum.abs().max(1e-3),
            "{}: {loss} for {sum}",
            entry.metadata.name
        );
    }
}

/// The elements whose first state is a deflection, with the parameter that makes it stiffer where
/// it is larger or smaller.
fn springs() -> impl Iterator<Item = (&'static Model, &'static Variable, bool)> {
    ELEMENTS.iter().filter_map(|entry| {
        let named = |name: &str| {
            entry
                .metadata
                .parameters
                .iter()
                .find(|parameter| parameter.name == name)
        };
        if entry.metadata.states.is_empty() {
            return None;
        }
        let stiffness = named("sigma_0").map(|parameter| (entry, parameter, true));
        stiffness.or_else(|| named("Delta").map(|parameter| (entry, parameter, false)))
    })
}

/// Multiplies the stiffness of an element by a factor.
fn stiffen(element: &mut dyn AnyElement, parameter: &Variable, is_stiffness: bool, factor: f64) {
    let value = element.values()[parameter];
    element.set(
        parameter,
        if is_stiffness {
            value * factor
        } else {
            value / factor
        },
    );
    element.apply_parameters().expect("a stiffness may change");
}

/// A deflection under about half of the static friction force.
fn deflect(entry: &Model, element: &mut dyn AnyElement) {
    let (state, _) = &entry.metadata.states[0];
    element.set(state, 3e-7);
    element.initialize().expect("a start value");
    element.set_contact(Contact::new(10.0, 0.0));
    for _ in 0..100 {
        element.advance(1e-3).expect("rest");
    }
}

#[test]
fn stiffening_keeps_the_force_and_softening_does_not_raise_the_energy() {
    for (entry, parameter, is_stiffness) in springs() {
        let mut element = element(entry);
        deflect(entry, &mut *element);
        let before = element.values()[&F_R];
        assert!(before.abs() > 0.1, "{}: {before}", entry.metadata.name);
        stiffen(&mut *element, parameter, is_stiffness, 2.0);
        element.advance(1e-3).unwrap();
        let stiffer = element.values()[&F_R];
        assert!(
            (stiffer / before - 1.0).abs() < 1e-9,
            "{}: {before} N becomes {stiffer} N",
            entry.metadata.name
        );
        stiffen(&mut *element, parameter, is_stiffness, 0.5);
        element.advance(1e-3).unwrap();
        let softer = element.values()[&F_R];
        let share = softer / stiffer;
        assert!(
            (0.4..1.0).contains(&share),
            "{}: {stiffer} N becomes {softer} N",
            entry.metadata.name
        );
    }
}

#[test]
fn tuning_the_stiffness_creates_no_energy() {
    for (entry, parameter, _) in springs() {
        let mut random = random(5);
        let mut element = element(entry);
        element.initialize().unwrap();
        let start = element.values()[parameter];
        let reach = 1e-6;
        let (mut turnover, mut least) = (0.0_f64, 0.0_f64);
        for _ in 0..4000 {
            if random() > 0.4 {
                let present = element.values()[parameter];
                let factor =
                    libm::pow(2.0, random()) * (present / start).clamp(0.5, 2.0).recip().sqrt();
                element.set(parameter, present * factor);
                element.apply_parameters().unwrap();
            }
            set(&mut *element, 10.0, reach * random() / 1e-3, 0.0, 0.0);
            let before = element.values()[&E_LOSS];
            element.advance(1e-3).unwrap();
            let after = element.values()[&E_LOSS];
            turnover += (after - before).abs();
            least = least.min(after);
        }
        assert!(
            least >= -1e-9 * turnover,
            "{}: {least} J of {turnover} J",
            entry.metadata.name
        );
    }
}

#[test]
fn cycles_of_the_stiffness_create_no_energy() {
    for (entry, parameter, is_stiffness) in springs() {
        // The stiffness changes where the bristle is deflected, and back where it is not.
        for factor in [2.0, 0.5] {
            let mut element = element(entry);
            element.initialize().unwrap();
            let reach = 1e-7;
            let push = |element: &mut dyn AnyElement, speed: f64| {
                set(element, 10.0, speed, 0.0, 0.0);
                for _ in 0..1000 {
                    element.advance(1e-3).unwrap();
                }
            };
            let mut turnover = 0.0;
            for _ in 0..20 {
                push(&mut *element, reach);
                turnover += element.values()[&F_R].abs() * reach;
                stiffen(&mut *element, parameter, is_stiffness, factor);
                // Back until the force is gone.
                set(&mut *element, 10.0, -reach, 0.0, 0.0);
                while element.values()[&F_R] > 0.0 {
                    element.advance(1e-3).unwrap();
                }
                stiffen(&mut *element, parameter, is_stiffness, 1.0 / factor);
            }
            let energy = element.values()[&E_LOSS];
            assert!(
                energy >= -1e-3 * turnover,
                "{}, {factor}: {energy} J of {turnover} J",
                entry.metadata.name
            );
        }
    }
}

#[test]
fn start_values_are_kept() {
    for (entry, parameter, is_stiffness) in springs() {
        let mut element = element(entry);
        let (state, _) = &entry.metadata.states[0];
        let mut fresh = entry.instantiate();
        fresh.set(&F_N, 10.0);
        fresh.set(state, 1e-8);
        stiffen(&mut *fresh, parameter, is_stiffness, 3.0);
        fresh.evaluate_initial().unwrap();
        stiffen(&mut *fresh, parameter, is_stiffness, 3.0);
        assert_eq!(fresh.values()[state], 1e-8, "{}", entry.metadata.name);
        // A restored state continues as the one that was saved, also where a tuned stiffness has
        // not been applied yet.
        deflect(entry, &mut *element);
        let value = element.values()[parameter];
        element.set(
            parameter,
            if is_stiffness {
                2.0 * value
            } else {
                0.5 * value
            },
        );
        let saved = element.snapshot().clone();
        let run = |element: &mut dyn AnyElement| {
            element.apply_parameters().unwrap();
            element.advance(1e-3).unwrap();
            element.values().0.map(f64::to_bits)
        };
        let expected = run(&mut *element);
        let mut other = entry.instantiate();
        other.restore(&saved);
        assert_eq!(run(&mut *other), expected, "{}", entry.metadata.name);
    }
}
