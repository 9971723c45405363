//! Refusals of cards that programs make; those of cards in TOML are in `export/src/card/tests.rs`.

use super::*;
use crate::catalogue::{MAX_NAME, Variant, find};
use crate::element::F_R;
use std::collections::BTreeSet;

/// Law whose cards are checked.
const LAW: &str = "FrDyn2";

/// Reference of a variable of a law.
fn reference(law: &str, name: &str) -> u32 {
    let variable = find(law)
        .unwrap()
        .variables()
        .find(|variable| variable.name == name);
    variable
        .unwrap_or_else(|| panic!("{law} has {name}"))
        .reference
}

/// Sentence of the refusal of a card.
fn refusal(card: Card) -> String {
    let law = find(&card.law).unwrap();
    let InputError { sentence, .. } = Variant::new(law, card)
        .err()
        .expect("a card that is refused");
    sentence
}

/// Card of a law with a change.
fn card<T>(law: &str, change: impl FnOnce(&mut Card) -> T) -> Card {
    let mut card = Card::of_law(law, "");
    change(&mut card);
    card
}

#[test]
fn names_and_descriptions_are_refused_where_a_tool_would_not_read_them() {
    let long = "a".repeat(MAX_NAME + 1);
    let faults = [
        ("", "a C identifier"),
        ("7up", "a C identifier"),
        ("mu-s", "a C identifier"),
        (&long, "at most 64 characters"),
        ("CON", "keep for a device"),
        ("lpt9", "keep for a device"),
        ("Com1", "keep for a device"),
    ];
    for (name, expected) in faults {
        let said = refusal(card(LAW, |card| card.name = name.to_owned()));
        assert!(
            said.starts_with(&format!("name = {name:?}")) && said.contains(expected),
            "{said}"
        );
    }
    for name in [
        "_",
        "a".repeat(MAX_NAME).as_str(),
        "com0",
        "com10",
        "Contact_1",
    ] {
        assert_eq!(name_fault(name), None, "{name}");
    }
    let said = refusal(card(LAW, |card| card.description = "two\nlines".to_owned()));
    assert_eq!(
        said,
        "description holds a control character; give one line of text"
    );
}

#[test]
fn motions_without_what_they_need_are_refused() {
    let with = |law: &str, motion: Motion| card(law, |card| card.motion = motion);
    assert!(
        refusal(with("Stefanski2003", Motion::Planar))
            .contains("has no form in the plane, because its ")
    );
    assert!(
        refusal(with("ModelicaFriction", Motion::Patch))
            .contains("its modes and directions are those of a line")
    );
    assert!(
        refusal(with(LAW, Motion::Rotational))
            .contains("needs its friction radius; give `radius` in m")
    );
    assert!(
        refusal(with(LAW, Motion::Patch)).contains("a patch needs the positions of its points")
    );
    for law in crate::catalogue::ELEMENTS
        .iter()
        .filter(|law| law.planar.is_none())
    {
        assert!(
            refusal(with(law.metadata.name, Motion::Planar))
                .ends_with("take a translational element, or another law")
        );
    }
}

#[test]
fn contradictory_contacts_are_refused() {
    let with = |contacts: Contacts| refusal(card(LAW, |card| card.contacts = Some(contacts)));
    let names = |names: &[&str]| Contacts {
        count: 2,
        names: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Contacts::default()
    };
    assert!(with(Contacts::default()).starts_with("0 contacts were given where 1 to "));
    assert!(
        with(Contacts {
            count: MAX_CONTACTS as u32 + 1,
            ..Contacts::default()
        })
        .contains("are possible in one FMU")
    );
    assert_eq!(
        with(names(&["left"])),
        "1 names were given for 2 contacts; give one for each"
    );
    assert!(
        with(names(&["left", "2nd"]))
            .starts_with("the contact \"2nd\" was given where a C identifier")
    );
    assert_eq!(
        with(names(&["left", "left"])),
        "two contacts have the name \"left\"; give each its own"
    );

    let unknown = Contacts {
        count: 2,
        each: BTreeSet::from([F_R.reference]),
        ..Contacts::default()
    };
    assert!(with(unknown).contains("has no parameter with value reference"));
    let own = |each: &[&str], contact: u32| {
        card(LAW, |card| {
            let each = each.iter().map(|name| reference(LAW, name)).collect();
            card.contacts = Some(Contacts {
                count: 2,
                each,
                ..Contacts::default()
            });
            card.parameters
                .insert(reference(LAW, "mu_s") + RANGE * contact, Setting::default());
        })
    };
    for (each, contact) in [(&["sigma_0"][..], 1), (&["mu_s"], 3)] {
        let said = refusal(own(each, contact));
        assert_eq!(
            said,
            format!(
                "mu_s has a value for contact {contact}, which has none of its own; name mu_s in \
                 `each`"
            )
        );
    }
    assert!(Variant::new(find(LAW).unwrap(), own(&["mu_s"], 2)).is_ok());
    let both = card(LAW, |card| {
        card.motion = Motion::Patch;
        card.plate = Some(PlatePoints {
            positions: vec![[0.0, 0.0]],
            shares: Vec::new(),
        });
        card.contacts = Some(Contacts {
            count: 1,
            ..Contacts::default()
        });
    });
    assert!(refusal(both).contains("the points of a patch are its contacts"));
}

#[test]
fn contradictory_plates_are_refused() {
    let with = |positions: &[[f64; 2]], shares: &[f64]| {
        refusal(card(LAW, |card| {
            card.motion = Motion::Patch;
            card.plate = Some(PlatePoints {
                positions: positions.to_vec(),
                shares: shares.to_vec(),
            });
        }))
    };
    let two = [[-0.1, 0.0], [0.1, 0.0]];
    assert!(with(&[], &[]).starts_with("0 points were given where 1 to "));
    assert!(with(&[[0.0; 2]; MAX_CONTACTS + 1], &[]).contains("are possible in one patch"));
    assert!(with(&[[0.0, f64::NAN]], &[]).contains("a position of a point is not finite"));
    assert_eq!(
        with(&two, &[1.0]),
        "1 shares were given for 2 points; give one for each"
    );
    assert!(with(&two, &[0.5, 0.6]).contains("with the sum 1.1"));
    assert!(with(&two, &[-0.5, 1.5]).contains("numbers of at least 0 with the sum 1 are needed"));
    assert!(with(&two, &[f64::NAN, 0.5]).contains("are needed"));
}

#[test]
fn bodies_that_the_contacts_cannot_move_are_refused() {
    let body = CardBody {
        mass: Some(1.0),
        ..CardBody::default()
    };
    let several = |card: &mut Card, body: &CardBody| {
        card.contacts = Some(Contacts {
            count: 2,
            ..Contacts::default()
        });
        card.body = Some(body.clone());
    };
    let alone = card(LAW, |card| card.body = Some(body.clone()));
    assert!(refusal(alone).contains("a body along a line needs the table `contacts`"));
    assert!(
        refusal(card("Coulomb", |card| several(card, &body)))
            .contains("has no bristle that a body")
    );
    for law in ["SimpackStickSlip", "AdamsStickSlip"] {
        let taken = Variant::new(find(law).unwrap(), card(law, |card| several(card, &body)));
        assert!(taken.is_ok(), "{law}");
    }
    let points = PlatePoints {
        positions: vec![[0.1, 0.0], [-0.1, 0.0], [0.0, 0.1]],
        shares: Vec::new(),
    };
    let plate = |law: &str, body: &CardBody| {
        Variant::new(
            find(law).unwrap(),
            card(law, |card| {
                (card.motion, card.plate, card.body) =
                    (Motion::Patch, Some(points.clone()), Some(body.clone()));
            }),
        )
    };
    let turning = CardBody {
        inertia: Some(0.1),
        ..body.clone()
    };
    let refused = |law, body: CardBody| plate(law, &body).map(|_| ()).unwrap_err().sentence;
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        assert_eq!(
            plate(law, &turning).map(|variant| variant.body_sizes()),
            Ok(vec![[3, 3]]),
            "{law}"
        );
    }
    assert!(refused("StaticRegularized", turning.clone()).contains("has no bristle that a body"));
    assert!(refused(LAW, body.clone()).contains("the body of a patch has no inertia"));
    assert!(
        refused(LAW, CardBody::default()).contains("the body of contacts in a plane has no mass")
    );
    let placed = CardBody {
        positions: vec![[0.0; 2]; 3],
        ..turning.clone()
    };
    assert!(refused(LAW, placed).contains("the body of a patch has positions"));
    let directed = CardBody {
        directions: vec![[1.0, 0.0]; 3],
        ..turning.clone()
    };
    assert!(refused(LAW, directed).contains("has directions or a mass_matrix"));
    let feet = |body: &CardBody| {
        Variant::new(
            find(LAW).unwrap(),
            card(LAW, |card| {
                several(card, body);
                card.motion = Motion::Planar;
            }),
        )
    };
    assert_eq!(
        feet(&body).map(|variant| variant.body_sizes()),
        Ok(vec![[2, 2]])
    );
    let placed = CardBody {
        positions: vec![[0.1, 0.0], [-0.1, 0.0]],
        ..turning
    };
    assert_eq!(
        feet(&placed).map(|variant| variant.body_sizes()),
        Ok(vec![[3, 2]])
    );
    let own_coupling = card(LAW, |card| {
        card.contacts = Some(Contacts {
            count: 2,
            each: BTreeSet::from([COUPLING.reference]),
            ..Contacts::default()
        });
        card.body = Some(body.clone());
    });
    assert!(refusal(own_coupling).contains("leave coupling out of `each`"));

    let with = |body: CardBody| refusal(card(LAW, |card| several(card, &body)));
    let matrix = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let both = CardBody {
        mass_matrix: matrix.clone(),
        ..body.clone()
    };
    assert!(with(both).contains("has a mass_matrix beside mass, inertia, positions or directions"));
    assert!(with(CardBody::default()).contains("the body has no inertia"));
    assert!(
        with(CardBody {
            mass: Some(0.0),
            ..CardBody::default()
        })
        .contains("mass")
    );
    assert!(
        with(CardBody {
            mass: Some(f64::NAN),
            ..CardBody::default()
        })
        .contains("mass")
    );
    let turning = CardBody {
        positions: vec![[0.1, 0.0], [-0.1, 0.0]],
        ..body.clone()
    };
    assert!(with(turning).contains("inertia"));
    assert!(
        with(CardBody {
            inertia: Some(1.0),
            ..body.clone()
        })
        .contains("positions")
    );
    assert!(
        with(CardBody {
            directions: vec![[1.0, 0.0]],
            ..body.clone()
        })
        .contains("1 directions were given for 2")
    );
    assert!(
        with(CardBody {
            directions: vec![[0.0, 0.0]; 2],
            ..body
        })
        .contains("direction")
    );
    for faulty in [
        vec![vec![1.0, 0.0]],
        vec![vec![1.0], vec![1.0]],
        vec![vec![1.0, 2.0], vec![2.0, 1.0]],
        vec![vec![1.0, 0.5], vec![0.4, 1.0]],
        vec![vec![f64::NAN, 0.0], vec![0.0, 1.0]],
    ] {
        let said = with(CardBody {
            mass_matrix: faulty.clone(),
            ..CardBody::default()
        });
        assert!(said.contains("mass"), "{faulty:?}: {said}");
    }
}

#[test]
fn accelerations_that_no_observer_uses_are_refused() {
    let with = |law: &str| refusal(card(law, |card| card.acceleration = true));
    assert!(with("Coulomb").contains("has no observer of a body that an acceleration could help"));
    for law in &crate::catalogue::ELEMENTS {
        let has = |variable: &Variable| law.variable(variable.reference).is_some();
        assert_eq!(
            no_acceleration(law).is_none(),
            has(&M_EFF) && !has(&A),
            "{}",
            law.metadata.name
        );
    }
    // In a plane the observer is that of a body.
    let in_plane = |law: &str, has_body: bool| {
        card(law, |card| {
            card.motion = Motion::Planar;
            card.contacts = Some(Contacts {
                count: 2,
                ..Contacts::default()
            });
            card.body = has_body.then(|| CardBody {
                mass: Some(2.0),
                ..CardBody::default()
            });
            card.acceleration = true;
        })
    };
    assert!(
        refusal(in_plane(LAW, false))
            .contains("acceleration was given for contacts in a plane without a body")
    );
    assert!(
        refusal(in_plane("Stribeck", false))
            .contains("has no observer of a body that an acceleration could help")
    );
    assert!(check(find(LAW).unwrap(), &in_plane(LAW, true)).is_ok());
}

#[test]
fn references_that_a_card_cannot_use_are_refused() {
    let mu_s = reference(LAW, "mu_s");
    let unknown = 9999 % RANGE;
    let setting = |reference: u32| {
        card(LAW, |card| {
            card.parameters.insert(reference, Setting::default())
        })
    };
    assert!(refusal(setting(unknown)).contains("has no parameter with value reference"));
    assert!(refusal(setting(F_R.reference)).contains("has no parameter with value reference"));
    assert!(
        refusal(setting(mu_s + RANGE))
            .contains("mu_s has a value for contact 1, which has none of its own")
    );
    assert!(refusal(card(LAW, |card| card.fixed.insert(unknown))).contains("has no parameter"));
    assert!(refusal(card(LAW, |card| card.inputs.insert(unknown))).contains("has no parameter"));
    assert!(
        refusal(card(LAW, |card| card.outputs.insert(mu_s)))
            .contains("has no output with value reference")
    );
    let choice = card(LAW, |card| card.inputs.insert(COUPLING.reference));
    assert!(refusal(choice).contains("coupling is a choice and cannot be a continuous input"));
    let twice = card(LAW, |card| {
        card.inputs.insert(mu_s);
        card.fixed.insert(mu_s);
    });
    assert_eq!(
        refusal(twice),
        "mu_s is both an input and fixed; leave one of them out"
    );
}

#[test]
fn settings_outside_their_bounds_are_refused() {
    let with = |name: &str, setting: Setting| {
        let reference = reference(LAW, name);
        refusal(card(LAW, |card| card.parameters.insert(reference, setting)))
    };
    let of = |start: Option<f64>, min: Option<f64>, max: Option<f64>| Setting { start, min, max };
    assert!(
        with("mu_s", of(Some(-1.0), None, None))
            .starts_with("start = -1.0 of mu_s was given where ")
    );
    assert!(
        with("mu_s", of(None, Some(f64::NAN), None))
            .starts_with("min = NaN of mu_s was given where ")
    );
    assert_eq!(
        with("coupling", of(None, None, Some(2.0))),
        "coupling is a choice and has no max"
    );
    assert_eq!(
        with("mu_s", of(Some(0.5), Some(0.7), Some(0.6))),
        "min = 0.7 of mu_s exceeds max = 0.6"
    );
    assert_eq!(
        with("mu_s", of(Some(0.5), Some(0.6), None)),
        "mu_s starts at 0.5, outside its bounds"
    );
    assert_eq!(
        with("mu_s", of(Some(0.5), None, Some(0.4))),
        "mu_s starts at 0.5, outside its bounds"
    );
}

#[test]
fn impossible_experiments_are_refused() {
    let with =
        |change: fn(&mut Experiment)| refusal(card(LAW, |card| change(&mut card.experiment)));
    assert!(
        with(|experiment| experiment.stop_time = 0.0).starts_with("stop_time = 0.0 s was given")
    );
    assert!(
        with(|experiment| experiment.step_size = f64::INFINITY)
            .starts_with("step_size = inf s was given")
    );
    assert!(with(|experiment| experiment.step_size = 2.0).contains("exceeds stop_time = 1.0 s"));
    assert!(
        with(|experiment| experiment.tolerance = 1e-12).starts_with("tolerance = 1e-12 was given")
    );
    assert!(
        with(|experiment| experiment.tolerance = f64::NAN).starts_with("tolerance = NaN was given")
    );
}

#[test]
fn curves_are_refused_by_laws_without_one_and_beside_what_they_replace() {
    let points = vec![[1e-3, 0.5], [1e-2, 0.4]];
    let curve = MeasuredCurve {
        points,
        ..MeasuredCurve::default()
    };
    for law in &crate::catalogue::ELEMENTS {
        let with = card(law.metadata.name, |card| {
            card.characteristic = Some(curve.clone())
        });
        match law.measured.replaced.first() {
            None => assert!(refusal(with).contains("takes no measured characteristic")),
            Some(parameter) => {
                let twice = Card {
                    fixed: BTreeSet::from([parameter.reference]),
                    ..with
                };
                assert!(refusal(twice).contains("is replaced by the measured characteristic"));
            }
        }
    }
    let falling = MeasuredCurve {
        points: vec![[1e-2, 0.5], [1e-3, 0.4]],
        ..MeasuredCurve::default()
    };
    let law = "FrDyn2Linear";
    assert!(
        refusal(card(law, |card| card.characteristic = Some(falling)))
            .starts_with("characteristic: row ")
    );
}
