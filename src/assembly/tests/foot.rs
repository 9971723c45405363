//! One contact in the plane on a body of its own.

use crate::catalogue::{Card, CardBody, Contacts, ELEMENTS, Motion, Variant};

#[test]
fn contact_alone_in_a_plane_has_the_bits_of_one_in_a_list_on_the_same_body() {
    let body = CardBody {
        mass: Some(1.0),
        ..CardBody::default()
    };
    let card = Card {
        motion: Motion::Planar,
        body: Some(body),
        ..Card::of_law("FrDyn2", "A foot")
    };
    let listed = Card {
        contacts: Some(Contacts {
            count: 1,
            ..Contacts::default()
        }),
        ..card.clone()
    };
    let run = |card: Card, suffix: &str| {
        let variant = Variant::new(&ELEMENTS[0], card).unwrap();
        let find = |name: &str| {
            *variant
                .find(&format!("{name}{suffix}"))
                .unwrap_or_else(|| panic!("{name}{suffix}"))
        };
        let [normal, v_x, v_y] = ["F_N", "v_x", "v_y"].map(find);
        let outputs = ["F_R_x", "F_R_y", "F_R_x_mean"].map(find);
        let mut assembly = variant.instantiate();
        assembly.set(variant.find("coupling").unwrap(), 1.0);
        assembly.set(&normal, 10.0);
        assembly.apply_parameters().unwrap();
        assembly.initialize().unwrap();
        let (mut v, mut found) = ([0.2, 0.1], Vec::new());
        for _ in 0..50 {
            assembly.set(&v_x, v[0]);
            assembly.set(&v_y, v[1]);
            assembly.advance(1e-3).unwrap();
            let forces = [outputs[0], outputs[1]].map(|output| assembly.value(output.reference));
            v = [v[0] - 1e-3 * forces[0], v[1] - 1e-3 * forces[1]];
            found.extend(forces);
            found.push(assembly.on_demand_output(&outputs[2]).unwrap());
            found.push(
                assembly
                    .on_demand_output(variant.find("E_loss_error").unwrap())
                    .unwrap(),
            );
        }
        found
    };
    let found = run(card, "");
    assert!(found[0] > 2.0, "{found:?}");
    assert_eq!(found, run(listed, "[1]"));
}
