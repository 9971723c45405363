//! Invariants of all laws: units, bound, dissipation, rate independence. `tests/invariants.tsv`
//! lists them with the laws they hold for.

use super::random;
use crate::catalogue::{ELEMENTS, Model};
use crate::element::{AnyElement, E_LOSS, F_N, F_R, F_R_Y, V, V_X, V_Y};
use crate::law::{A, Contact, F_T};
use crate::variable::{FIRST_PARAMETER, Role, Unit, Variable};

/// Units of kg, m and s, as exponents of 2: masses, lengths and times in a system of units that a
/// power of two larger or smaller. A product by a power of two has no rounding.
const UNITS: [[i32; 3]; 6] = [
    [3, 0, 0],
    [-5, 0, 0],
    [0, 2, 0],
    [0, 0, 1],
    [0, 0, -3],
    [4, -3, 2],
];

/// Value of 1 of this unit in other units.
fn in_units(unit: Unit, units: [i32; 3]) -> f64 {
    let exponents = unit.exponents();
    let exponent: i32 = units
        .iter()
        .zip(exponents)
        .map(|(base, exponent)| base * exponent)
        .sum();
    libm::scalbn(1.0, exponent)
}

/// Element whose parameters are in other units.
fn element_in(model: &Model, units: [i32; 3]) -> Box<dyn AnyElement> {
    let mut element = model.instantiate();
    for parameter in model.variables().filter(|variable| variable.is_parameter()) {
        let value = element.values()[parameter] * in_units(parameter.unit, units);
        element.set(parameter, value);
    }
    element
        .apply_parameters()
        .expect("the defaults in other units");
    element
}

/// Random inputs and step (s) of a walk: stick, slip, reversals, openings.
fn inputs(random: &mut impl FnMut() -> f64, i: usize) -> (Contact, f64) {
    let speed = |random: &mut dyn FnMut() -> f64| random() * libm::pow(10.0, 3.0 * random() - 3.0);
    let v = if i.is_multiple_of(7) {
        0.0
    } else {
        speed(random)
    };
    let v_y = speed(random);
    (
        Contact {
            F_N: 10.0 * (random() + 0.7),
            v,
            a: 10.0 * random(),
            F_t: 10.0 * random(),
            v_y,
            ..Contact::ZERO
        },
        libm::pow(10.0, 2.0 * random() - 3.0),
    )
}

/// Sets the inputs that an element has.
fn set(model: &Model, element: &mut dyn AnyElement, contact: Contact, units: [i32; 3]) {
    let values: [(&Variable, f64); 6] = [
        (&F_N, contact.F_N),
        (&V, contact.v),
        (&V_X, contact.v),
        (&V_Y, contact.v_y),
        (&A, contact.a),
        (&F_T, contact.F_t),
    ];
    for input in model
        .variables()
        .filter(|variable| variable.role == Role::Input)
    {
        let of_input = values.iter().find(|(known, _)| known.name == input.name);
        let (_, value) =
            of_input.unwrap_or_else(|| panic!("{} is an input of this test", input.name));
        element.set(input, value * in_units(input.unit, units));
    }
}

/// Laws along a line and in the plane, each with a name.
fn all() -> impl Iterator<Item = (String, &'static Model)> {
    let line = ELEMENTS
        .iter()
        .map(|model| (model.metadata.name.to_owned(), model));
    let plane = ELEMENTS.iter().filter_map(|model| {
        Some((
            format!("{} in the plane", model.metadata.name),
            model.planar?,
        ))
    });
    line.chain(plane)
}

/// Friction force as a vector, N.
fn force(model: &Model, element: &dyn AnyElement) -> [f64; 2] {
    let is_planar = model
        .variable(F_R_Y.reference)
        .is_some_and(|variable| variable.name == F_R_Y.name);
    [
        element.values()[&F_R],
        if is_planar {
            element.values()[&F_R_Y]
        } else {
            0.0
        },
    ]
}

/// Laws whose error is measured by an absolute force where F_s is small, so that other units change
/// it within the tolerance. For all other laws every bit is equal.
fn has_absolute_tolerance(name: &str) -> bool {
    ["FrDyn2", "Dahl", "LuGre"]
        .iter()
        .any(|law| name.starts_with(law))
}

#[test]
fn results_do_not_depend_on_the_units() {
    for (name, model) in all() {
        for units in UNITS {
            let is_exact = !has_absolute_tolerance(&name);
            let mut random = random(31);
            let (mut si, mut other) = (element_in(model, [0; 3]), element_in(model, units));
            for i in 0..400 {
                let (contact, h) = inputs(&mut random, i);
                set(model, &mut *si, contact, [0; 3]);
                set(model, &mut *other, contact, units);
                si.advance(h).expect("a step");
                other
                    .advance(h * in_units(Unit::Second, units))
                    .expect("a step");
                if is_exact {
                    // References below those of parameters: inputs, outputs, states, modes.
                    for variable in model
                        .variables()
                        .filter(|variable| variable.reference < FIRST_PARAMETER)
                    {
                        let [value, found] =
                            [&si, &other].map(|element| element.values()[variable]);
                        let expected = value * in_units(variable.unit, units);
                        assert_eq!(
                            found, expected,
                            "{name} in {units:?}, step {i}: {}",
                            variable.name
                        );
                    }
                } else {
                    let newton = in_units(Unit::Newton, units);
                    let [expected, found] = [&si, &other].map(|element| force(model, &**element));
                    let error = libm::hypot(
                        found[0] / newton - expected[0],
                        found[1] / newton - expected[1],
                    );
                    assert!(
                        error <= 1e-6 * si.static_force().max(0.0),
                        "{name} in {units:?}, step {i}: {error:e} N"
                    );
                }
            }
        }
    }
}

#[test]
fn force_never_exceeds_the_static_friction_force() {
    let bounded = ["FrDyn2", "FrDyn2Linear", "Dahl", "AdamsStickSlip"];
    let mut seen = 0;
    for (name, model) in
        all().filter(|(name, _)| bounded.contains(&name.trim_end_matches(" in the plane")))
    {
        let mut random = random(37);
        let mut element = model.instantiate();
        for i in 0..4000 {
            let (contact, h) = inputs(&mut random, i);
            set(model, &mut *element, contact, [0; 3]);
            element.advance(h).expect("a step");
            let [x, y] = force(model, &*element);
            let (size, bound) = (libm::hypot(x, y), element.static_force().max(0.0));
            assert!(
                size <= bound * (1.0 + 1e-12),
                "{name}, step {i}: {size} N beyond {bound} N"
            );
            seen += u32::from(bound > 0.0 && size > 0.99 * bound);
        }
    }
    assert!(seen > 1000, "the bound was reached in {seen} steps only");
}

/// Coulomb and ModelicaFriction are left out: a motion against the applied force that starts it is
/// none of a body, and their force drives it until it reverses. So is Stefanski2006, whose memory
/// term may act along the motion after a reversal.
#[test]
fn energy_from_rest_is_not_created() {
    for (name, model) in all()
        .filter(|(name, _)| !["Coulomb", "ModelicaFriction", "Stefanski2006"].contains(&&**name))
    {
        for seed in 0..8 {
            let mut random = random(41 + seed);
            let mut element = model.instantiate();
            for i in 0..1000 {
                let (mut contact, h) = inputs(&mut random, i);
                // A spring that is pressed harder stores energy of the motion across the contact.
                contact.F_N = 9.81;
                set(model, &mut *element, contact, [0; 3]);
                element.advance(h).expect("a step");
                let loss = element.values()[&E_LOSS];
                assert!(loss >= 0.0, "{name}, seed {seed}, step {i}: {loss} J");
            }
            assert!(element.values()[&E_LOSS] > 0.0, "{name} lost nothing");
        }
    }
}

#[test]
fn dahl_depends_on_the_path_alone() {
    for (name, model) in all().filter(|(name, _)| name.starts_with("Dahl")) {
        let mut random = random(43);
        let [mut slow, mut fast] = [model.instantiate(), model.instantiate()];
        for i in 0..400 {
            let (mut contact, h) = inputs(&mut random, i);
            contact.F_N = 9.81;
            set(model, &mut *slow, contact, [0; 3]);
            contact.v *= 4.0;
            contact.v_y *= 4.0;
            set(model, &mut *fast, contact, [0; 3]);
            slow.advance(h).expect("a step");
            fast.advance(0.25 * h).expect("a step");
            assert_eq!(
                force(model, &*slow),
                force(model, &*fast),
                "{name}, step {i}"
            );
        }
    }
}
