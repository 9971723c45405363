//! Cards that come back, and faulty ones with their messages.

mod files;
mod round_trip;
mod units;

use std::path::Path;
use std::{env, fs};

use super::{Fault, read, write};
use crate::{documentation, icon};
use bristle::assembly::MAX_CONTACTS;
use bristle::catalogue::{Card, ELEMENTS, MAX_NAME, Model, Setting, Variant};
use bristle::coupling::{COUPLING, F_LAW, M_EFF};
use bristle::element::{F_R, MAX_TOLERANCE, MIN_TOLERANCE};
use bristle_random::Random;

/// Cards with the messages expected of them; the first lines say how they are made.
const FAULTY: &str = include_str!("tests/faulty.txt");

/// Mark before the title of a card, and the line between a card and its messages.
const TITLE: &str = "\n=== ";
const END: &str = "---\n";

fn model(law: &str) -> &'static Model {
    bristle::catalogue::find(law).unwrap()
}

/// Element of a card.
fn of_text(card: &str) -> Variant {
    read(card, &ELEMENTS).unwrap_or_else(|faults| panic!("{card}: {faults:?}"))
}

/// Element that comes back from the card as it is written, which is the same.
fn comes_back(element: &Variant) -> Variant {
    let again = of_text(&write(element));
    assert_eq!(
        (again.card(), again.guid()),
        (element.card(), element.guid())
    );
    again
}

fn messages(card: &str) -> String {
    let faults = read(card, &ELEMENTS).map(|_| ()).expect_err(card);
    faults
        .iter()
        .map(|fault: &Fault| format!("{}: {fault}\n", fault.line))
        .collect()
}

#[test]
fn faulty_cards_are_refused_with_these_messages() {
    let mut blocks = FAULTY.split(TITLE);
    let mut found = blocks.next().unwrap().to_owned();
    let mut count = 0;
    for block in blocks {
        let (title, rest) = block.split_once('\n').unwrap();
        let (card, _) = rest.split_once(END).unwrap();
        found += &format!("{TITLE}{title}\n{card}{END}{}", messages(card));
        count += 1;
    }
    assert!(count >= 100, "{count} cards");
    if env::var_os("BRISTLE_UPDATE").is_some() {
        fs::write(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("src/card/tests/faulty.txt"),
            &found,
        )
        .unwrap();
        return;
    }
    for (found, expected) in found.lines().zip(FAULTY.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), FAULTY.len());
}

#[test]
fn stock_elements_come_back() {
    for stock in ELEMENTS.iter().map(Model::stock) {
        comes_back(&stock);
    }
}

#[test]
fn outputs_of_the_coupling_are_shown_where_a_card_uses_it_or_names_them() {
    const USUAL: [&str; 5] = ["F_R", "v_slip", "P_loss", "E_loss", "sticking"];
    const OF_COUPLING: [&str; 6] = [
        "F_law",
        "F_R_mean",
        "dF_R_dv",
        "dF_R_dF_N",
        "H_max",
        "E_loss_error",
    ];
    let all = [&USUAL[..], &OF_COUPLING].concat();
    let shown = |keys: &str| -> Vec<&str> {
        let element = of_text(&format!("name = \"Own\"\nlaw = \"LuGre\"\n{keys}"));
        element
            .variables()
            .filter(|variable| variable.is_output())
            .map(|variable| variable.name)
            .collect()
    };
    assert_eq!(shown(""), USUAL);
    for keys in [
        "[coupling]\nm_eff = 1.0",
        "[coupling]\norder = \"parallel\"",
        "inputs = [\"m_eff\"]",
        "outputs = \"all\"",
    ] {
        assert_eq!(shown(keys), all, "{keys}");
    }
    assert_eq!(shown("outputs = [\"H_max\", \"F_R\"]"), ["F_R", "H_max"]);
    assert_eq!(
        shown("outputs = [\"F_R\"]\n[coupling]\nm_eff = 1.0"),
        ["F_R"]
    );
    assert_eq!(shown("fixed = [\"m_eff\"]"), USUAL);
    // A list that says what the card shows anyway changes nothing.
    let listed = read(
        "name = \"LuGre\"\nlaw = \"LuGre\"\noutputs = [\"sticking\", \"v_slip\", \"P_loss\", \
         \"E_loss\", \"F_R\"]",
        &ELEMENTS,
    );
    assert_eq!(listed.unwrap().guid(), model("LuGre").stock().guid());
}

#[test]
fn card_with_everything_comes_back() {
    let model = &ELEMENTS[1];
    let reference = |name: &str| {
        model
            .variables()
            .find(|variable| variable.name == name)
            .unwrap()
            .reference
    };
    let mut card = Card::of_law(model.metadata.name, "Quotes \" and \\ back-slashes, µ");
    card.name = "Front_Pad2".to_owned();
    card.parameters.insert(
        reference("mu_s"),
        Setting {
            start: Some(0.42),
            min: Some(0.1),
            max: Some(1.0),
        },
    );
    card.parameters.insert(
        reference("mu_d"),
        Setting {
            start: Some(1.0 / 3.0),
            min: None,
            max: None,
        },
    );
    card.parameters.insert(
        M_EFF.reference,
        Setting {
            start: Some(1.2),
            ..Setting::default()
        },
    );
    card.parameters.insert(
        COUPLING.reference,
        Setting {
            start: Some(2.0),
            ..Setting::default()
        },
    );
    card.inputs.insert(reference("mu_s"));
    card.fixed.insert(reference("sigma_1"));
    card.outputs = [F_R, F_LAW].map(|output| output.reference).into();
    card.experiment.stop_time = 10.0;
    let element = Variant::new(model, card).unwrap();
    comes_back(&element);
}

#[test]
fn cards_of_named_contacts_with_curves_and_values_of_their_own_come_back() {
    let text = "name = \"Pads\"\nlaw = \"FrDyn2Linear\"\nnormal_force = \
                250.0\n[characteristic]\npoints = [[0.001, 0.5], [0.01, 0.45]]\n\
                [parameters]\nfront.sigma_2 = 1.5\nrear.sigma_2 = 2.5\n[contacts]\nnames = \
                [\"front\", \"rear\"]\neach = [\"sigma_2\"]\n";
    let element = of_text(text);
    let again = comes_back(&element);
    let curve = again.card().characteristic.as_ref().unwrap();
    assert_eq!((again.card().normal_force, curve.points.len()), (250.0, 2));
    assert_eq!(
        again.card().contacts.as_ref().unwrap().names,
        ["front", "rear"]
    );
    let sigma_2 = ELEMENTS[1]
        .variables()
        .find(|variable| variable.name == "sigma_2")
        .unwrap()
        .reference;
    let starts = [1, 2].map(|contact| again.card().parameters[&(sigma_2 + 128 * contact)].start);
    assert_eq!(starts, [Some(1.5), Some(2.5)]);
    assert!(documentation::write(&element).unwrap().contains("front"));
}

#[test]
fn cards_of_plates_come_back_with_their_shares_and_without() {
    for shares in ["", "shares = [0.5, 0.3, 0.2]\n"] {
        let text = format!(
            "name = \"Plate\"\nlaw = \"LuGre\"\nmotion = \"patch\"\npositions = [[0.1, 0.0], \
             [0.0, 0.1], [-0.1, 0.0]]\n{shares}"
        );
        let element = of_text(&text);
        let written = write(&element);
        let again = comes_back(&element);
        assert_eq!(
            again.card().plate.as_ref().unwrap().shares.is_empty(),
            shares.is_empty()
        );
        assert_eq!(written.contains("shares"), !shares.is_empty(), "{written}");
    }
}

#[test]
fn cards_of_bodies_in_a_plane_come_back_and_faulty_ones_are_refused() {
    let patch = "motion = \"patch\"\npositions = [[0.1, 0.0], [-0.1, 0.0], [0.0, 0.2]]\n[body]\n";
    let feet = "motion = \"planar\"\n[contacts]\ncount = 2\n[body]\n";
    for (head, body) in [
        (patch, "mass = 2\ninertia = 0.1"),
        (feet, "mass = 2"),
        (
            feet,
            "mass = 2\ninertia = 0.1\npositions = [[0.1, 0], [-0.1, 0]]",
        ),
    ] {
        let text = format!(
            "name = \"Plate\"\nlaw = \"Dahl\"\n{head}{body}\n[coupling]\norder = \"parallel\"\n"
        );
        let element = of_text(&text);
        comes_back(&element);
        assert!(
            documentation::write(&element)
                .unwrap()
                .contains("the body of the contacts")
        );
        assert_eq!(
            element.find("coupling").map(|coupling| coupling.start),
            Some(Some(2.0))
        );
        assert!(element.find("m_eff").is_none());
        assert_eq!(
            Card::from_bytes(&element.card().to_bytes()).as_ref(),
            Some(element.card())
        );
    }
    for (law, head, body, sentence) in [
        (
            "Dahl",
            patch,
            "mass = 2",
            "the body of a patch has no inertia",
        ),
        (
            "Dahl",
            feet,
            "mass = 2\ndirections = [[1, 0], [0, 1]]",
            "has directions or a mass_matrix",
        ),
        (
            "Dahl",
            feet,
            "mass = 2\ninertia = 1\npositions = [[0, 0]]",
            "1 positions were given for 2 contacts",
        ),
        (
            "StaticRegularized",
            patch,
            "mass = 2\ninertia = 0.1",
            "has no bristle that a body could be coupled to",
        ),
    ] {
        let faults = read(
            &format!("name = \"Plate\"\nlaw = \"{law}\"\n{head}{body}\n"),
            &ELEMENTS,
        )
        .map(|_| ())
        .unwrap_err();
        assert!(format!("{faults:?}").contains(sentence), "{faults:?}");
    }
}

#[test]
fn cards_of_bodies_come_back() {
    let matrix = "mass_matrix = [[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 0.25]]";
    let turning = "mass = 2\ninertia = 0.1\npositions = [[0, 0.1], [0, -0.1], [0.2, \
                   0]]\ndirections = [[1, 0], [1, 0], [0, 3]]";
    for body in ["mass = 4.5", matrix, turning] {
        for (law, order) in [
            ("LuGre", "serial"),
            ("SimpackStickSlip", "parallel"),
            ("AdamsStickSlip", "prescribed"),
        ] {
            let text = format!(
                "name = \"Block\"\nlaw = \"{law}\"\n[contacts]\ncount = \
                 3\n[body]\n{body}\n[coupling]\norder = \"{order}\"\n"
            );
            let element = of_text(&text);
            let written = write(&element);
            comes_back(&element);
            assert_eq!(
                written.contains("# kg m2, about the centre of mass"),
                body == turning,
                "{written}"
            );
            assert!(
                documentation::write(&element)
                    .unwrap()
                    .contains("the body of the contacts")
            );
            assert!(element.find("m_eff").is_none() && element.find("coupling").is_some());
            assert_eq!(
                Card::from_bytes(&element.card().to_bytes()).as_ref(),
                Some(element.card())
            );
        }
    }
}

#[test]
fn cards_of_shafts_come_back_with_the_unit_of_their_inertia() {
    let head = "name = \"Shaft\"\nlaw = \"FrDyn2\"\nmotion = \"rotational\"\nradius = \
                0.1\n[contacts]\ncount = 2\n[body]\n";
    for (body, unit) in [
        ("inertia = 0.25", "# kg m2, of the shaft\n"),
        (
            "mass_matrix = [[2.0, 0.5], [0.5, 1.0]]",
            "# kg m2, in the coordinates of the contacts",
        ),
    ] {
        let element = of_text(&format!("{head}{body}\n"));
        let written = write(&element);
        comes_back(&element);
        assert!(written.contains(unit), "{written}");
    }
}

#[test]
fn cards_of_numbered_contacts_with_values_of_their_own_come_back() {
    let text = "name = \"Pads\"\nlaw = \"LuGre\"\n[parameters]\n\"mu_s[1]\" = 0.5\n\"mu_s[3]\" = \
                0.7\n\
                [contacts]\ncount = 3\neach = [\"mu_s\"]\n";
    let element = of_text(text);
    let again = comes_back(&element);
    let starts = ["mu_s[1]", "mu_s[2]", "mu_s[3]"].map(|name| again.find(name).unwrap().start);
    assert_eq!(
        starts,
        [
            Some(0.5),
            model("LuGre")
                .variables()
                .find(|known| known.name == "mu_s")
                .unwrap()
                .start,
            Some(0.7)
        ]
    );
}

#[test]
fn empty_table_of_a_coupling_is_none() {
    // Coulomb has no bristle, and a contact in the plane no observer of a body.
    for head in ["law = \"Coulomb\"", "law = \"LuGre\"\nmotion = \"planar\""] {
        let text = format!("name = \"Pad\"\n{head}\n");
        let [with, without] = ["[coupling]\n", ""].map(|table| of_text(&(text.clone() + table)));
        assert_eq!((with.card(), with.guid()), (without.card(), without.guid()));
    }
}

#[test]
fn cards_with_accelerations_come_back() {
    for (motion, rest, inputs) in [
        ("", "m_eff = 0.1\norder = \"parallel\"", &["a"][..]),
        (
            "motion = \"rotational\"\nradius = 0.1\n",
            "J_eff = 0.1",
            &["omega_dot"],
        ),
        (
            "",
            "order = \"serial\"\n[contacts]\ncount = 2\n[body]\nmass = 2.0",
            &["a[1]", "a[2]"],
        ),
        (
            "motion = \"planar\"\n",
            "[contacts]\ncount = 2\n[body]\nmass = 2.0",
            &["a_x[1]", "a_y[1]", "a_x[2]", "a_y[2]"],
        ),
        (
            "motion = \"patch\"\npositions = [[0.1, 0.0], [-0.1, 0.0]]\n",
            "[body]\nmass = 2.0\ninertia = 0.02",
            &["a_x", "a_y", "omega_dot"],
        ),
    ] {
        let text = format!(
            "name = \"Pad\"\nlaw = \"FrDyn2\"\n{motion}[coupling]\nacceleration = true\n{rest}\n"
        );
        let element = of_text(&text);
        comes_back(&element);
        assert_eq!(
            Card::from_bytes(&element.card().to_bytes()).as_ref(),
            Some(element.card())
        );
        assert!(
            inputs.iter().all(|input| element.find(input).is_some()),
            "{inputs:?}"
        );
        documentation::write(&element).unwrap();
    }
    assert!(ELEMENTS[0].stock().find("a").is_none());
}

#[test]
fn values_at_their_limits_are_accepted() {
    let (name, description) = ("a".repeat(MAX_NAME), "x".repeat(500));
    for rest in [
        "[parameters]\nmu_s = { value = 0.6, min = 0.6, max = 0.6 }\n".to_owned(),
        "[parameters]\nmu_s = { value = 0.6, min = 0.6 }\n".to_owned(),
        format!("[experiment]\nstop_time = 0.5\nstep_size = 0.5\ntolerance = {MIN_TOLERANCE:e}\n"),
        format!("[experiment]\ntolerance = {MAX_TOLERANCE:e}\n"),
        format!("[contacts]\ncount = {MAX_CONTACTS}\n"),
        "[contacts]\ncount = 1\n".to_owned(),
    ] {
        let text = format!(
            "name = \"{name}\"\nlaw = \"FrDyn2Linear\"\ndescription = \"{description}\"\n{rest}"
        );
        let element = read(&text, &ELEMENTS).unwrap_or_else(|faults| panic!("{rest}: {faults:?}"));
        assert_eq!(
            (&element.card().name, &element.card().description),
            (&name, &description)
        );
    }
}

#[test]
fn defaults_written_out_make_the_stock_element() {
    let stock = ELEMENTS[0].stock();
    let element = of_text(&write(&stock));
    assert_eq!(element.guid(), stock.guid());
    let shortest = of_text("name = \"FrDyn2\"\nlaw = \"FrDyn2\"\n");
    assert_eq!(shortest.guid(), stock.guid());
}

#[test]
fn elements_with_parameters_over_six_decades_have_a_page_and_an_icon() {
    let mut random = Random::new(3);
    let mut count = 0;
    for i in 0..10 * ELEMENTS.len() {
        let model = &ELEMENTS[i % ELEMENTS.len()];
        let mut card = Card::of_law(model.metadata.name, "");
        for parameter in model
            .variables()
            .filter(|variable| variable.is_parameter() && variable.is_real())
        {
            let start = parameter
                .start
                .map(|start| start * random.magnitude(1e-3, 1e3));
            card.parameters.insert(
                parameter.reference,
                Setting {
                    start,
                    ..Setting::default()
                },
            );
        }
        let Ok(variant) = Variant::new(model, card) else {
            continue;
        };
        documentation::write(&variant)
            .unwrap_or_else(|error| panic!("{error}: {}", write(&variant)));
        icon::draw(&variant).unwrap_or_else(|error| panic!("{error}: {}", write(&variant)));
        count += 1;
    }
    assert!(count > 2 * ELEMENTS.len(), "{count}");
}

#[test]
fn block_is_read_and_written_and_refused_with_a_sentence() {
    let text = |law: &str, block: &str| format!("name = \"Own\"\nlaw = \"{law}\"\n{block}");
    let element = of_text(&text("FrDyn2", "[block]\nmass = 1.5\nstiffness = 900\n"));
    let block = element.card().block.unwrap();
    assert_eq!(
        [block.mass, block.stiffness, block.damping],
        [1.5, 900.0, 0.0]
    );
    assert_eq!(of_text(&write(&element)).card(), element.card());
    let turning = "motion = \"rotational\"\nradius = 0.1\n[block]\ninertia = 0.5\n";
    let element = of_text(&text("Coulomb", turning));
    assert!(element.find("phi").is_some() && element.find("M_base").is_some());
    assert_eq!(of_text(&write(&element)).card(), element.card());

    let fault = |law: &str, block: &str| {
        let faults = read(&text(law, block), &ELEMENTS).err().unwrap();
        assert_eq!(faults.len(), 1, "{faults:?}");
        faults[0].to_string()
    };
    let parallel = of_text(&text(
        "FrDyn2",
        "[block]\nmass = 1\n[coupling]\norder = \"parallel\"\n",
    ));
    assert_eq!(
        parallel.card().parameters[&COUPLING.reference].start,
        Some(2.0)
    );
    let refused = [
        ("FrDyn2", "[block]\nmass = 0\n", "expected a value above 0"),
        (
            "FrDyn2",
            "[block]\nstiffness = 1\n",
            "found no mass, expected `mass` in kg",
        ),
        ("FrDyn2", "[block]\nmass = 1\ninertia = 1\n", "expected"),
        (
            "FrDyn2",
            "[block]\nmass = 1\n[body]\nmass = 1\n[contacts]\ncount = 2\n",
            "found a block beside `contacts`",
        ),
        (
            "FrDyn2",
            "[block]\nmass = 1\n[coupling]\nm_eff = 1\n",
            "found m_eff beside a block",
        ),
        (
            "FrDyn2",
            "motion = \"planar\"\n[block]\nmass = 1\n",
            "the motion is planar",
        ),
    ];
    for (law, block, expected) in refused {
        let sentence = fault(law, block);
        assert!(sentence.contains(expected), "{block}: {sentence}");
    }
}
