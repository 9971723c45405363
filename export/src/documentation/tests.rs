//! Pages of stock elements and of cards of every kind.

use super::*;
use crate::curves::Probe;
use std::collections::BTreeSet;

use bristle::catalogue::{ELEMENTS, Model};
use quick_xml::Reader;
use quick_xml::events::Event;

#[test]
fn page_is_well_formed_and_refers_to_no_other_file() {
    for variant in ELEMENTS.iter().map(Model::stock) {
        let variant = &variant;
        let page = write(variant).unwrap();
        let mut reader = Reader::from_str(&page);
        while reader.read_event().unwrap() != Event::Eof {}
        for outside in [
            "<script",
            "<link",
            " src=",
            "url(",
            "@import",
            "href=\"http",
        ] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}

#[test]
fn page_has_every_variable_equation_and_capability() {
    for variant in ELEMENTS.iter().map(Model::stock) {
        let variant = &variant;
        let page = write(variant).unwrap();
        let folded = page.find("<details>").unwrap_or(page.len());
        for variable in variant.variables() {
            let place = page
                .find(&format!("</td><td><code>{}</code></td>", variable.name))
                .unwrap_or_else(|| panic!("{}", variable.name));
            match variable.role {
                Role::State => assert!(place > folded, "{}", variable.name),
                Role::Input | Role::Parameter => assert!(place < folded, "{}", variable.name),
                _ => {}
            }
        }
        assert!(page.contains("<polyline") && page.contains(">Characteristic<"));
        assert_eq!(
            page.matches("<dt>").count(),
            variant.metadata().equations.len()
        );
        for flag in &CAPABILITIES {
            assert!(page.contains(flag.attribute), "{}", flag.attribute);
        }
    }
}

#[test]
fn notes_that_bodies_inside_leave_out_are_those_on_the_applied_force() {
    for metadata in ELEMENTS.iter().map(|model| model.metadata) {
        for (heading, text) in metadata.notes {
            assert_eq!(
                metadata.has_input(&F_T) && NOTES_ON_APPLIED_FORCE.contains(heading),
                heading.contains(F_T.name) || text.contains(F_T.name),
                "{}: {heading}",
                metadata.name
            );
        }
    }
}

const CURVE: &str = "[characteristic]\nend = \"last\"\npoints = [[0.01, 0.42], [0.02, 0.35], \
                     [0.05, 0.31], [0.5, 0.3]]\n";

/// Cards of every kind.
fn cards() -> Vec<Variant> {
    let mut cards = Vec::new();
    let mut add = |law: &str, rest: &str| {
        let text = format!(
            "name = \"FrontPad\"\ndescription = \"Left front pad\"\nlaw = \"{law}\"\n{rest}"
        );
        let element = crate::card::read(&text, &ELEMENTS);
        cards.push(
            element
                .map_err(|faults| format!("{text}: {faults:?}"))
                .unwrap(),
        );
    };
    for law in ["FrDyn2Linear", "LuGre", "StaticRegularized"] {
        for motion in [
            "",
            "motion = \"planar\"\n",
            "motion = \"rotational\"\nradius = 0.04\n",
        ] {
            add(law, &format!("{motion}{CURVE}"));
        }
        add(
            law,
            &format!("motion = \"patch\"\npositions = [[0.1, 0], [-0.1, 0]]\n{CURVE}"),
        );
    }
    add("ModelicaFriction", CURVE);
    add(
        "FrDyn2Linear",
        &format!(
            "{CURVE}[contacts]\nnames = [\"fl\", \"fr\"]\neach = \
             [\"sigma_2\"]\n[parameters]\nfl.sigma_2 = 2.5\n"
        ),
    );
    for law in ELEMENTS.iter().map(|model| model.metadata.name) {
        add(law, "motion = \"rotational\"\nradius = 0.04\n");
        add(law, "[contacts]\ncount = 2\n");
    }
    for law in [
        "FrDyn2",
        "FrDyn2Linear",
        "LuGre",
        "Dahl",
        "StaticRegularized",
    ] {
        add(law, "motion = \"planar\"\n");
        add(
            law,
            "motion = \"patch\"\npositions = [[0.1, 0], [-0.1, 0]]\nshares = [0.3, 0.7]\n",
        );
    }
    add(
        "LuGre",
        "fixed = [\"sigma_0\", \"sigma_1\", \"mu_s\"]\noutputs = [\"F_R\"]\n",
    );
    add(
        "FrDyn2",
        "motion = \"rotational\"\nradius = 0.04\nfixed = [\"sigma_1\"]\noutputs = \
         [\"M_R\"]\n[coupling]\nJ_eff = 0.5\n",
    );
    add("Dahl", "[contacts]\ncount = 2\n[body]\nmass = 2\n");
    add("FrDyn2", "[block]\nmass = 2\n");
    add(
        "FrDyn2",
        "[system]\nbases = { wall = \"translational\" }\n[system.coordinates.a]\nmass = \
             2\n[system.coordinates.b]\nmass = 1\ngear = { a = 2 }\n[system.springs.s]\nalong = { \
             a = 1, wall = -1 }\nstiffness = 10\n[system.contacts]\npad = { b = 1 }\n",
    );
    add(
        "LuGre",
        "motion = \"rotational\"\nradius = 0.04\n[block]\ninertia = 2\n",
    );
    cards
}

/// Name of a variable without its contact.
fn base(name: &str) -> &str {
    let name = name.split('[').next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(_, base)| base)
}

/// Plain text of a page with symbols as in the catalogue: `F_R` for an F with the subscript R.
/// Formulas in MathML are left out.
fn plain(page: &str) -> String {
    let mut text = String::new();
    for (i, part) in page.split("<math").enumerate() {
        text.push_str(if i == 0 {
            part
        } else {
            part.split_once("</math>").map_or("", |(_, rest)| rest)
        });
    }
    let text = text
        .replace("<sub>", "_")
        .replace('\u{3bc}', "mu")
        .replace('\u{3c3}', "sigma")
        .replace('\u{17c}', "z_dot");
    let (mut out, mut in_tag) = (String::new(), false);
    for c in text.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            _ if !in_tag => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn no_page_has_a_symbol_that_its_description_lacks() {
    let motions = [Motion::Translational, Motion::Rotational, Motion::Patch];
    let models = ELEMENTS
        .iter()
        .flat_map(|model| [Some(model), model.planar])
        .flatten();
    let known: BTreeSet<&str> = models
        .flat_map(|model| motions.iter().flat_map(|motion| motion.variables(model)))
        .chain(OUTPUTS_IN_PLANE.iter())
        .map(|variable| variable.name)
        .filter(|name| name.contains('_'))
        .collect();
    let mut faults = Vec::new();
    for variant in cards() {
        let mut own: BTreeSet<&str> = variant
            .variables()
            .map(|variable| base(variable.name))
            .collect();
        // Values that the card fixes stand in the table of the page.
        own.extend(
            variant
                .hidden()
                .filter(|variable| variable.is_parameter())
                .map(|variable| base(variable.name)),
        );
        // Forces at the radius, and vectors.
        own.insert("F_R");
        if variant
            .all()
            .any(|variable| variable.is(&bristle::law::F_T))
        {
            own.insert("F_t");
        }
        let page = write(&variant).unwrap();
        let text = plain(&page);
        let words =
            text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '(' || c == ')'));
        let foreign: BTreeSet<&str> = words
            .filter(|word| known.contains(word) && !own.contains(word))
            .collect();
        let law = variant.law.metadata.name;
        for word in foreign {
            let place = word.as_ptr() as usize - text.as_ptr() as usize;
            let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
            faults.push(format!(
                "{law}, {:?}: {word} in {}",
                variant.card().motion,
                text[line..].lines().next().unwrap_or_default()
            ));
        }
        assert!(page.contains("<h1>FrontPad</h1>") && page.contains("Left front pad"));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn page_of_a_measured_curve_shows_its_points_and_what_the_element_makes_of_them() {
    for variant in cards()
        .iter()
        .filter(|variant| variant.card().characteristic.is_some())
    {
        let page = write(variant).unwrap();
        assert!(
            page.contains("measured points") && page.contains("4 points"),
            "{page}"
        );
        assert!(
            plain(&page).contains("the element follows its measured points"),
            "{}",
            variant.law.metadata.name
        );
    }
}

#[test]
fn contacts_with_values_of_their_own_have_figures_of_their_own() {
    let count = |variant: &Variant| write(variant).unwrap().matches(">Characteristic<").count();
    let counts: BTreeSet<_> = cards()
        .iter()
        .filter(|variant| variant.card().contacts.is_some())
        .map(count)
        .collect();
    assert_eq!(counts, BTreeSet::from([1, 2]));
}

/// Page of a card, as plain text.
fn page(card: &str) -> (String, String) {
    let element =
        crate::card::read(card, &ELEMENTS).unwrap_or_else(|faults| panic!("{card}: {faults:?}"));
    let page = write(&element).unwrap();
    let text = plain(&page);
    (page, text)
}

#[test]
fn joint_is_drawn_in_its_angular_velocity_and_torque_at_the_normal_force_of_its_card() {
    let joint = "name = \"Joint\"\nlaw = \"FrDyn2Linear\"\nmotion = \"rotational\"\nradius = \
                 0.04\nnormal_force = 40\n";
    for (curve, ticks) in [
        ("", &[">\u{2212}0.5<"][..]),
        (CURVE, &[">0.1<", ">1<", ">10<"]),
    ] {
        let element = crate::card::read(&format!("{joint}{curve}"), &ELEMENTS).unwrap();
        let [figure] = &figure::draw(&element, element.card().normal_force)[..] else {
            panic!("one figure")
        };
        let Figure { picture, caption } = figure;
        assert!(
            picture.contains(">omega / rad/s<") && picture.contains("angle / µrad"),
            "{picture}"
        );
        assert!(
            picture.contains(">N·m<") && !picture.contains("mm/s") && !picture.contains(">N<"),
            "{picture}"
        );
        assert!(caption.ends_with("at F_N = 40 N."), "{caption}");
        for tick in ticks {
            assert!(picture.contains(tick), "{tick}: {picture}");
        }
    }
    // M_s = 0.6 · 40 N · 0.04 m: the swing of the characteristic reaches it.
    let element = crate::card::read(joint, &ELEMENTS).unwrap();
    let torques = figure::characteristic(&Probe::new(&element, 0, 40.0))
        .curves
        .remove(0)
        .points;
    let largest = torques
        .iter()
        .map(|[_, torque]| *torque)
        .fold(0.0, f64::max);
    assert!((largest / 0.96 - 1.0).abs() < 1e-2, "{largest} N·m");
}

#[test]
fn measured_points_have_a_place_of_their_own_on_the_axis() {
    let card = "name = \"Pad\"\nlaw = \"FrDyn2Linear\"\n[characteristic]\npoints = [[1e-3, 0.42], \
                [2e-3, 0.4], [0.05, 0.32], [5.0, 0.31]]\n";
    let element = crate::card::read(card, &ELEMENTS).unwrap();
    let panel = figure::characteristic(&Probe::new(&element, 0, 10.0));
    assert!(panel.x.is_logarithmic);
    let [steady, points] = &panel.curves[..] else {
        panic!("two curves")
    };
    assert_eq!(
        points.points,
        [[1e-3, 0.42], [2e-3, 0.4], [0.05, 0.32], [5.0, 0.31]]
    );
    let ends = [
        steady.points.first().unwrap()[0],
        steady.points.last().unwrap()[0],
    ];
    assert!(ends[0] < 1e-3 && ends[1] > 5.0, "{ends:?}");
}

#[test]
fn page_of_a_block_or_a_body_describes_it_and_a_narrow_screen_scrolls_its_tables() {
    let (html, text) =
        page("name = \"Slider\"\nlaw = \"FrDyn2\"\n[block]\nmass = 1\nstiffness = 900\n");
    assert!(
        html.contains("<title>A block on a belt, with the applied force F"),
        "{html}"
    );
    assert!(
        text.contains("The force to apply is F:") && !text.contains("wrong sign"),
        "{text}"
    );
    assert!(html.contains("overflow-x: auto") && html.contains("@media (max-width: 50rem)"));
    let (html, text) =
        page("name = \"Cart\"\nlaw = \"FrDyn2\"\n[contacts]\ncount = 2\n[body]\nmass = 2\n");
    assert!(
        html.contains("<title>A body on several contacts") && text.contains("the sum of all F_R"),
        "{text}"
    );
    let (html, text) = page(
        "name = \"Shaft\"\nlaw = \"FrDyn2\"\nmotion = \"rotational\"\nradius = \
         0.04\n[block]\ninertia = 1e-3\n",
    );
    assert!(
        html.contains("with the applied torque M") && text.contains("The force to apply is M:"),
        "{text}"
    );
    let (_, text) =
        page("name = \"Foot\"\nlaw = \"FrDyn2\"\nmotion = \"patch\"\npositions = [[0, 0]]\n");
    assert!(
        text.contains("The plate lies on one point.") && !text.contains("1 points"),
        "{text}"
    );
}

#[test]
fn page_says_what_the_numbers_mean_and_what_is_unusual() {
    let (html, text) = page(
        "name = \"Pad\"\nlaw = \"FrDyn2\"\nnormal_force = 1000\n[parameters]\nv_s = 0.5\nv_d = \
         0.9\n",
    );
    for cell in [
        "<td>600 N</td>",
        "<td>1.2 µm</td>",
        "<td>500 mm&#x2f;s</td>",
    ] {
        assert!(html.contains(cell), "{cell}");
    }
    assert!(
        text.contains("Remark: v_s = 0.5 m/s, usual are 1e-6 to 0.1 m/s"),
        "{text}"
    );
}
