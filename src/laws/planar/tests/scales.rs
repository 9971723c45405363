//! Error scales of the bristles in the plane, against those along a line, their derivatives along x, against differences, and steps in other units of
//! time.

use super::super::PlanarBristle;
use super::super::bristle::FirstOrderBristle;
use super::hard_cases::moved;
use super::{of, parameter, set};
use crate::catalogue::{Model, find};
use crate::law::{Contact, Law};
use crate::laws::dahl::Dahl;
use crate::laws::lugre::LuGre;

/// The law of a model with these parameters.
fn law<L: Law<N>, const N: usize>(model: &Model, changes: &[(&str, f64)]) -> L {
    let mut element = model.instantiate();
    set(&mut *element, model, changes);
    L::new(element.values()).expect("parameters")
}

/// Compares the scales at rest, at a velocity where the damping of the bristle may outweigh its stiffness, and with deflections within
/// F_s and beyond it.
fn compare<L: FirstOrderBristle + Copy>(changes: &[(&str, f64)]) {
    let model = find(L::METADATA.name).expect("a law of the catalogue");
    let line = law::<L, 1>(model, changes);
    let plane = law::<PlanarBristle<L>, 2>(model.planar.expect("a form in the plane"), changes);
    for (v, z) in [(0.0, 0.0), (0.01, 1e-7), (30.0, 1e-7), (30.0, 1e-3), (0.01, -1e-3)] {
        let [along] = line.scale(Contact::new(10.0, v), &[z]);
        for turn in [[1.0, 0.0], [0.6, -0.8]] {
            let contact = Contact { v: turn[0] * v, v_y: turn[1] * v, ..Contact::new(10.0, 0.0) };
            for found in plane.scale(contact, &[turn[0] * z, turn[1] * z]) {
                assert!((found / along - 1.0).abs() < 1e-12, "{v} m/s, {z} m: {found} m for {along} m");
            }
        }
    }
}

#[test]
fn scales_of_deflections_are_those_along_a_line_in_every_direction() {
    compare::<Dahl>(&[]);
    compare::<LuGre>(&[("sigma_0", 1e5), ("sigma_1", 300.0)]);
}

#[test]
fn derivatives_along_x_are_the_limits_of_differences() {
    let changes = [("sigma_0", 1e5), ("sigma_1", 300.0), ("sigma_2", 7.0)];
    let model = find("LuGre").and_then(|model| model.planar).expect("a form in the plane");
    let plane = law::<PlanarBristle<LuGre>, 2>(model, &changes);
    let (contact, x) = (Contact { v_y: -0.02, ..Contact::new(10.0, 0.01) }, [2e-5, -1e-5]);
    // Rates of both states, and the force along x.
    let at = |contact: Contact, x: [f64; 2]| {
        let evaluation = plane.evaluate(contact, &x, &());
        [evaluation.rate[0], evaluation.rate[1], evaluation.F_R]
    };
    let compare = |found: [f64; 3], moved: &dyn Fn(f64) -> [f64; 3], d: f64| {
        let (up, down) = (moved(d), moved(-d));
        let difference: [f64; 3] = core::array::from_fn(|i| (up[i] - down[i]) / (2.0 * d));
        for (found, difference) in found.iter().zip(difference) {
            assert!((found - difference).abs() <= 1e-6 * difference.abs() + 1e-9, "{found} for {difference}");
        }
    };
    let by = plane.jacobian(contact, &x, &());
    let of_v = |d: f64| at(Contact { v: contact.v + d, ..contact }, x);
    compare([by.rate_v[0], by.rate_v[1], by.F_R_v], &of_v, 1e-6);
    let of_normal_force = |d: f64| at(Contact { F_N: contact.F_N + d, ..contact }, x);
    compare([by.rate_F_N[0], by.rate_F_N[1], by.F_R_F_N], &of_normal_force, 1e-3);
    for j in [0, 1] {
        let of_x = |d: f64| {
            let mut moved = x;
            moved[j] += d;
            at(contact, moved)
        };
        compare([by.rate_x[0][j], by.rate_x[1][j], by.F_R_x[j]], &of_x, 1e-8);
    }
}

/// With all times multiplied by the same number, forces and deflections of steps in partial sliding stay the same to rounding.
#[test]
fn steps_in_partial_sliding_do_not_depend_on_the_unit_of_time() {
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let model = find(name).and_then(|law| law.planar).expect("a law in the plane");
        let stepped = |unit: f64| {
            let mut element = of(name);
            let of_default = |name: &str| element.values()[parameter(model, name)];
            let [sigma_1, v_s, v_d] = ["sigma_1", "v_s", "v_d"].map(of_default);
            set(&mut *element, model, &[("sigma_1", sigma_1 * unit), ("v_s", v_s / unit), ("v_d", v_d / unit)]);
            let mut states = Vec::new();
            for [v, v_y, slope] in [[0.5, 0.25, 512.0], [1.5, -0.5, -1024.0], [-0.25, 0.5, 256.0]] {
                let inputs = [[9.81, 0.0], [v * v_s / unit, 0.0], [v_y * v_s / unit, slope * v_s / (unit * unit)]];
                states.push(moved(&mut *element, inputs, unit / 1024.0));
                states.push(["z_x", "z_y"].map(|state| element.values()[parameter(model, state)]));
            }
            states
        };
        let expected = stepped(1.0);
        assert!(expected.iter().flatten().all(|value| *value != 0.0), "{name}: {expected:?}");
        for (found, expected) in stepped(16384.0).iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1e-12 * expected.abs(), "{name}: {found:e}, {expected:e}");
        }
    }
}
