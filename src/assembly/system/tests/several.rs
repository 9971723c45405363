//! Systems with several contacts and coordinates.

use super::*;
use crate::catalogue::{CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Term};
use crate::variable::RANGE;

/// Card of a law with these coordinates (name and mass), springs to their base (stiffness) in
/// their order, and rows of contacts.
fn with_system(law: &str, masses: &[f64], stiffness: f64, contacts: &[&[f64]]) -> Card {
    let term = |of: usize, factor| Term {
        of: of as u32,
        factor,
    };
    let coordinates = masses.iter().enumerate();
    let terms = |row: &[f64]| -> Vec<Term> {
        let factors = row.iter().enumerate().filter(|(_, f)| **f != 0.0);
        factors.map(|(of, factor)| term(of, *factor)).collect()
    };
    Card {
        contacts: Some(Contacts {
            count: contacts.len() as u32,
            names: (0..contacts.len()).map(|i| format!("c{i}")).collect(),
            ..Contacts::default()
        }),
        system: Some(CardSystem {
            coordinates: coordinates
                .map(|(i, mass)| CardCoordinate {
                    name: format!("q{i}"),
                    mass: *mass,
                    ..CardCoordinate::default()
                })
                .collect(),
            bases: vec![CardBase {
                name: "base".to_owned(),
                is_angle: false,
            }],
            springs: (0..masses.len())
                .map(|i| CardSpring {
                    name: format!("s{i}"),
                    along: vec![term(i, 1.0), term(masses.len(), -1.0)],
                    stiffness,
                    damping: 2.0,
                    gap: None,
                })
                .collect(),
            contacts: contacts
                .iter()
                .map(|row| CardSlip {
                    along: vec![terms(row)],
                })
                .collect(),
        }),
        ..Card::of_law(law, "Bodies")
    }
}

fn bodies(law: &str, masses: &[f64], stiffness: f64, contacts: &[&[f64]]) -> Variant {
    let card = with_system(law, masses, stiffness, contacts);
    Variant::new(find(law).unwrap(), card).unwrap()
}

fn value(variant: &Variant, assembly: &Assembly, name: &str) -> f64 {
    assembly.value(variant.find(name).unwrap().reference)
}

#[test]
fn block_as_a_system_moves_like_the_block() {
    for law in [
        "FrDyn2",
        "LuGre",
        "Coulomb",
        "ModelicaFriction",
        "Stribeck",
        "PoppStelter",
        "BrownMcPhee",
    ] {
        let (block, system) = (
            variant(law, [1.5, 900.0, 2.0]),
            bodies(law, &[1.5], 900.0, &[&[1.0]]),
        );
        let mut alone = start(&block, &[("F_N", G), ("v_surface", 0.1)]);
        let mut inside = start(&system, &[("c0.F_N", G), ("c0.v_surface", 0.1)]);
        for step in 0..300 {
            for assembly in [&mut alone, &mut inside] {
                assembly.advance(5e-3).unwrap();
            }
            let names = [("x", "q0.x"), ("v", "q0.v"), ("F_base", "base.F_base")];
            for (of_block, of_system) in names {
                let (a, b) = (
                    value(&block, &alone, of_block),
                    value(&system, &inside, of_system),
                );
                assert!(
                    (a - b).abs() < 2e-5 * (a.abs() + 0.1),
                    "{law}: {of_block} {a:e} and {b:e} in step {step}"
                );
            }
        }
    }
}

#[test]
fn contacts_side_by_side_share_the_force_in_proportion_to_their_limits() {
    let variant = bodies("Coulomb", &[2.0], 0.0, &[&[1.0], &[1.0]]);
    let normal = [("c0.F_N", 10.0), ("c1.F_N", 30.0)];
    let mut assembly = start(&variant, &normal);
    // The limit is 0.3 times 40 N.
    for (load, expected) in [(4.0, 4.0), (-8.0, -8.0), (11.99, 11.99)] {
        set(&variant, &mut assembly, &[("q0.F", load)]);
        for _ in 0..50 {
            assembly.advance(1e-3).unwrap();
        }
        let [first, second] = ["c0.F_R", "c1.F_R"].map(|name| value(&variant, &assembly, name));
        assert!((first - 0.25 * expected).abs() < 1e-12, "{first}");
        assert!((second - 0.75 * expected).abs() < 1e-12, "{second}");
        assert_eq!(value(&variant, &assembly, "q0.v"), 0.0);
        assert_eq!(value(&variant, &assembly, "q0.x"), 0.0);
    }
    set(&variant, &mut assembly, &[("q0.F", 13.0)]);
    assembly.advance(0.1).unwrap();
    // 1 N drives 2 kg, against the damper of 2 N s/m.
    let v = 0.5 * (1.0 - libm::exp(-0.1));
    let found = value(&variant, &assembly, "q0.v");
    assert!((found - v).abs() < 1e-8, "{found:e} for {v:e} m/s");
}

#[test]
fn stuck_bodies_rest_for_good() {
    // Three masses between which two contacts slide, and one on the ground.
    let rows: [&[f64]; 3] = [&[1.0, -1.0, 0.0], &[0.0, 1.0, -1.0], &[0.0, 0.0, 1.0]];
    for law in ["Coulomb", "ModelicaFriction", "FrDyn2"] {
        let variant = bodies(law, &[1.0, 2.0, 0.5], 0.0, &rows);
        let normal = [("c0.F_N", 10.0), ("c1.F_N", 20.0), ("c2.F_N", 30.0)];
        let mut assembly = start(&variant, &normal);
        let static_force = if law == "FrDyn2" { 0.6 } else { 0.3 };
        set(
            &variant,
            &mut assembly,
            &[("q0.F", 0.85 * static_force * 10.0)],
        );
        for _ in 0..200 {
            assembly.advance(1e-3).unwrap();
        }
        let before = ["q0.x", "q1.x", "q2.x"].map(|name| value(&variant, &assembly, name));
        for _ in 0..1000 {
            assembly.advance(1e-2).unwrap();
        }
        for (name, before) in ["q0.x", "q1.x", "q2.x"].into_iter().zip(before) {
            let moved = value(&variant, &assembly, name) - before;
            assert!(moved.abs() < 1e-13, "{law}: {name} moved by {moved:e} m");
        }
    }
}

#[test]
fn force_on_a_base_is_extrapolated_along_uneven_steps() {
    let mut card = with_system("Coulomb", &[1.0], 100.0, &[&[1.0]]);
    card.parameters.insert(
        COUPLING.reference,
        Setting {
            start: Some(2.0),
            ..Setting::default()
        },
    );
    let variant = Variant::new(find("Coulomb").unwrap(), card).unwrap();
    let mut assembly = start(&variant, &[("c0.F_N", 1e3)]);
    // The body rests, and the base leaves it with 1 m/s: the force is 100 t + 2 for t > 0.
    let (mut t, force) = (0.0, |t: f64| -100.0 * t - 2.0);
    for (i, h) in [1e-2, 3e-3, 2e-2, 5e-3].into_iter().enumerate() {
        set(
            &variant,
            &mut assembly,
            &[("base.x_base", t), ("base.v_base", 1.0)],
        );
        assembly.advance(h).unwrap();
        t += h;
        // A step of the length of the last one follows, whose middle counts.
        if i > 0 {
            let found = value(&variant, &assembly, "base.F_base");
            assert!((found - force(t + 0.5 * h)).abs() < 1e-9, "{found}");
        }
    }
}

/// Messages of a block in stick on a base of the master in these steps, with how it moves.
fn messages(coupling: f64, inputs: impl Fn(f64) -> [f64; 2], h: f64) -> Vec<String> {
    let variant = variant("FrDyn2", [1e3, 1e4, 10.0]);
    let mut assembly = start(&variant, &[("F_N", 1e5), ("coupling", coupling)]);
    let mut messages = Vec::new();
    for step in 0..100 {
        let [x, v] = inputs(f64::from(step) * h);
        set(&variant, &mut assembly, &[("x_base", x), ("v_base", v)]);
        messages.extend(assembly.coupling_message(h).map(|(_, message)| message));
        assembly.advance(h).unwrap();
    }
    messages
}

#[test]
fn half_of_the_motion_of_a_base_is_reported_once() {
    let x = |t: f64| 1e-3 * libm::sin(20.0 * t);
    let v = |t: f64| 2e-2 * libm::cos(20.0 * t);
    assert!(messages(4.0, |t| [x(t), v(t)], 1e-3).is_empty());
    assert!(messages(4.0, |_| [1e-3, 0.0], 1e-3).is_empty());
    let position = messages(4.0, |t| [0.0, v(t)], 1e-3);
    assert!(
        position.len() == 1 && position[0].contains("connect the position"),
        "{position:?}"
    );
    let velocity = messages(4.0, |t| [x(t), 0.0], 1e-3);
    assert!(
        velocity.len() == 1 && velocity[0].contains("connect the velocity"),
        "{velocity:?}"
    );
}

/// A body of the master on the spring of a block that sticks; returns its largest displacement in
/// the last steps, and the messages.
fn swinging(order: Coupling, stated: f64, ratio: f64, damping: f64) -> (f64, Vec<String>) {
    let (k, mass) = (1e4, 1.0);
    let variant = variant("Coulomb", [1e3, k, 2.0 * damping * libm::sqrt(k * mass)]);
    let h = libm::sqrt(ratio * mass / k);
    let at_start = [("F_N", 1e9), ("coupling", stated), ("x_base", 1e-3)];
    let mut assembly = start(&variant, &at_start);
    let ([mut x, mut v], mut largest, mut messages) = ([1e-3, 0.0], 0.0_f64, Vec::new());
    for step in 0..2000 {
        let before = assembly.value(F_BASE);
        set(&variant, &mut assembly, &[("x_base", x), ("v_base", v)]);
        messages.extend(assembly.coupling_message(h).map(|(_, message)| message));
        // Beyond that the body may slide.
        if x.abs() > 1e4 {
            return (f64::INFINITY, messages);
        }
        assembly.advance(h).unwrap();
        let force = match order {
            Coupling::Serial => assembly.value(F_BASE),
            _ => before,
        };
        x += h * (v + 0.5 * h * force / mass);
        v += h * force / mass;
        largest = if step > 1900 {
            largest.max(x.abs())
        } else {
            0.0
        };
    }
    (largest, messages)
}

#[test]
fn base_that_swings_up_is_reported_and_one_that_comes_to_rest_is_not() {
    let (mut bad, mut silent, mut accused) = (0, Vec::new(), Vec::new());
    for order in [Coupling::Serial, Coupling::Parallel] {
        for stated in [1.0, 2.0, 4.0] {
            for ratio in [1e-3, 1e-2, 0.1, 0.3, 1.0, 3.0, 5.0] {
                for damping in [0.0, 0.01, 0.05, 0.2] {
                    let (largest, messages) = swinging(order, stated, ratio, damping);
                    let case = (order, stated, ratio, damping);
                    if !(largest < 2e-3) {
                        // A body that swings up slowly cannot be told from one that is driven.
                        bad += usize::from(ratio >= 0.1);
                        if ratio >= 0.1 && messages.is_empty() {
                            silent.push(case);
                        }
                    } else if !messages.is_empty() {
                        accused.push((case, largest, messages[0].clone()));
                    }
                }
            }
        }
    }
    println!("{bad} swing up; silent {silent:?}; accused {accused:?}");
    assert!(bad > 60 && silent.len() * 15 <= bad && accused.is_empty());
}

#[test]
fn system_of_angles_moves_like_the_one_along_a_line_at_its_radius() {
    const RADIUS_OF_CONTACT: f64 = 0.04;
    let rows: [&[f64]; 2] = [&[1.0, -1.0], &[0.0, 1.0]];
    for law in ["FrDyn2", "LuGre", "Coulomb", "BrownMcPhee"] {
        let along = bodies(law, &[1.0, 2.5], 900.0, &rows);
        let mut card = with_system(law, &[1.0, 2.5], 900.0, &rows);
        card.motion = Motion::Rotational;
        card.parameters.insert(
            RADIUS.reference,
            Setting {
                start: Some(RADIUS_OF_CONTACT),
                ..Setting::default()
            },
        );
        let square = RADIUS_OF_CONTACT * RADIUS_OF_CONTACT;
        let system = card.system.as_mut().unwrap();
        for coordinate in &mut system.coordinates {
            coordinate.is_angle = true;
            coordinate.mass *= square;
        }
        system.bases[0].is_angle = true;
        for spring in &mut system.springs {
            spring.stiffness *= square;
            spring.damping *= square;
        }
        let about = Variant::new(find(law).unwrap(), card).unwrap();
        let normal = [("c0.F_N", 4.0), ("c1.F_N", 20.0)];
        let (mut line, mut axis) = (start(&along, &normal), start(&about, &normal));
        for step in 0..200 {
            let load = 20.0 * libm::sin(0.05 * f64::from(step));
            set(&along, &mut line, &[("q0.F", load)]);
            set(&about, &mut axis, &[("q0.M", load * RADIUS_OF_CONTACT)]);
            line.advance(2e-3).unwrap();
            axis.advance(2e-3).unwrap();
            let pairs = [
                ("q0.x", "q0.phi", RADIUS_OF_CONTACT),
                ("q1.v", "q1.omega", RADIUS_OF_CONTACT),
                ("c1.F_R", "c1.M_R", 1.0 / RADIUS_OF_CONTACT),
                ("base.F_base", "base.M_base", 1.0 / RADIUS_OF_CONTACT),
            ];
            for (of_line, of_axis, factor) in pairs {
                let (a, b) = (
                    value(&along, &line, of_line),
                    factor * value(&about, &axis, of_axis),
                );
                assert!(
                    (a - b).abs() < 1e-5 * (a.abs() + 1e-3),
                    "{law}: {of_line} {a:e} and {b:e} in step {step}"
                );
            }
        }
    }
}

#[test]
fn derivatives_in_model_exchange_are_the_rates_of_a_short_step() {
    const SHORT: f64 = 1e-9;
    let rows: [&[f64]; 2] = [&[1.0, -1.0], &[0.0, 1.0]];
    for law in [
        "FrDyn2",
        "LuGre",
        "Coulomb",
        "ModelicaFriction",
        "Stribeck",
        "PoppStelter",
        "BrownMcPhee",
    ] {
        let variant = bodies(law, &[1.0, 2.5], 900.0, &rows);
        // Both stick, the first one slides, both slide.
        for [first, second, load] in [[0.0, 0.0, 1.0], [0.02, 0.0, 3.0], [0.02, -0.01, 5.0]] {
            let inputs = [
                ("c0.F_N", 10.0),
                ("c1.F_N", 40.0),
                ("q0.v", first),
                ("q1.v", second),
                ("q0.x", 1e-4),
                ("q0.F", load),
                ("base.x_base", -1e-3),
                ("base.v_base", 0.01),
            ];
            let mut assembly = start(&variant, &inputs);
            let names = ["q0", "q1"];
            let rates = names.map(|name| value(&variant, &assembly, &format!("der({name}.v)")));
            let before = names.map(|name| value(&variant, &assembly, &format!("{name}.v")));
            assembly.advance(SHORT).unwrap();
            for ((name, rate), before) in names.into_iter().zip(rates).zip(before) {
                let after = value(&variant, &assembly, &format!("{name}.v"));
                let found = (after - before) / SHORT;
                assert!(
                    (found - rate).abs() < 2e-3 * (rate.abs() + 1.0),
                    "{law}: {name} {rate:e} and {found:e} m/s2 from {first} and {second} m/s"
                );
            }
        }
    }
}

#[test]
fn pads_side_by_side_share_the_force_in_proportion_to_their_static_forces() {
    let mut card = with_system("Coulomb", &[2.0], 0.0, &[&[1.0], &[1.0]]);
    let law = find("Coulomb").unwrap();
    let mu = law.variables().find(|variable| variable.name == "mu_d");
    let mu = mu.unwrap().reference;
    card.contacts.as_mut().unwrap().each.insert(mu);
    for (contact, start) in [(1, 0.2), (2, 0.6)] {
        let setting = Setting {
            start: Some(start),
            ..Setting::default()
        };
        card.parameters.insert(mu + RANGE * contact, setting);
    }
    let variant = Variant::new(law, card).unwrap();
    let inputs = [("c0.F_N", 10.0), ("c1.F_N", 20.0), ("q0.F", 7.0)];
    let mut assembly = start(&variant, &inputs);
    assembly.advance(1e-3).unwrap();
    // F_s of 2 N and 12 N.
    for (name, share) in [("c0.F_R", 1.0), ("c1.F_R", 6.0)] {
        let found = value(&variant, &assembly, name);
        assert!((found - share).abs() < 1e-12, "{name} = {found} N");
    }
    assembly.set(variant.find("q0.F").unwrap(), 13.9);
    assembly.advance(1e-3).unwrap();
    assert_eq!(value(&variant, &assembly, "q0.v"), 0.0);
}
