//! Error scales of the bristles in the plane, against those along a line.

use super::super::PlanarBristle;
use super::super::bristle::FirstOrderBristle;
use super::set;
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
