//! Remarks on the numbers of cards.

use super::remarks;
use crate::card;
use bristle::catalogue::{ELEMENTS, Model};
use std::fs;
use std::path::{Path, PathBuf};

fn remarks_on(text: &str) -> Vec<String> {
    remarks(&card::read(text, &ELEMENTS).unwrap_or_else(|faults| panic!("{text}: {faults:?}")))
}

#[test]
fn mistaken_units_are_remarked_with_the_usual_range_and_the_likely_mistake() {
    for (card, name, likely) in [
        (
            "motion = \"rotational\"\nradius = 40\n",
            "radius = 40 m",
            "mm for m?",
        ),
        (
            "[parameters]\nv_s = 0.5\nv_d = 0.9\n",
            "v_s = 0.5 m/s",
            "mm/s for m/s?",
        ),
        (
            "[characteristic]\npoints = [[0.001, 416.0], [0.01, 310.0]]\n",
            "largest mu of the curve = 416",
            "a force",
        ),
        (
            "[characteristic]\npoints = [[0.001, 0.4], [500.0, 0.3]]\n",
            "largest speed of the curve = 500 m/s",
            "mm/s for m/s?",
        ),
        (
            "[coupling]\nm_eff = 800\n",
            "m_eff = 800 kg: over F_N/g it is 784.8",
            "`normal_force`",
        ),
        (
            "[block]\nmass = 800\n",
            "mass = 800 kg: over F_N/g it is 784.8",
            "`normal_force`",
        ),
        (
            "[contacts]\ncount = 2\n[body]\nmass = 800\n",
            "mass = 800 kg: over F_N/g it is 392.4",
            "`normal_force`",
        ),
        (
            "normal_force = 0.08\n",
            "normal_force = 0.08 N",
            "kN for N?",
        ),
        (
            "[parameters]\nsigma_0 = 5e3\nsigma_1 = 100\n",
            "F_s/sigma_0 = 0.0012 m",
            "N/mm for N/m?",
        ),
        ("[parameters]\nmu_s = 9.0\n", "mu_s = 9", "a force"),
        (
            "normal_force = 1000\n[parameters]\nsigma_1 = 3192.75\n",
            "normal_force = 1000 N, but the bristle is unstable above 63.85 N",
            "leave",
        ),
    ] {
        // A bristle refuses a curve as steep as this.
        let law = if card.contains("416") {
            "StaticRegularized"
        } else {
            "FrDyn2Linear"
        };
        let found = remarks_on(&format!("name = \"Pad\"\nlaw = \"{law}\"\n{card}"));
        let remark = found.iter().find(|remark| remark.starts_with(name));
        assert!(
            remark.is_some_and(|remark| remark.contains(likely)),
            "{card}: {found:?}"
        );
    }
}

/// Cards of Table 3 of Kargaonkar and Singh 2024, with their remarks: v_S = 0.5 m/s and a
/// deflection of 2.5 mm are of a simulation, not of a contact.
const SIMULATED: [(&str, usize); 4] = [
    ("PaperBrownMcPhee", 1),
    ("PaperDahl", 1),
    ("PaperLuGre", 2),
    ("PaperStribeck", 1),
];

#[test]
fn elements_as_they_come_and_published_cards_get_no_remark() {
    for stock in ELEMENTS.iter().map(Model::stock) {
        assert_eq!(remarks(&stock), [""; 0], "{}", stock.name());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut count = 0;
    for folder in ["cards", "cards/papers"] {
        let files = fs::read_dir(root.join(folder))
            .expect(folder)
            .map(|entry| entry.expect("a file").path());
        let is_card = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        };
        for path in files.filter(is_card) {
            let element = card::read_file(&path, &ELEMENTS).expect("a card");
            let count_of_remarks = SIMULATED
                .iter()
                .find(|(name, _)| *name == element.name())
                .map_or(0, |(_, count)| *count);
            assert_eq!(
                remarks(&element).len(),
                count_of_remarks,
                "{}: {:?}",
                path.display(),
                remarks(&element)
            );
            count += 1;
        }
    }
    assert!(count >= 16, "{count} cards");
}

#[test]
fn cards_of_the_documentation_get_no_remark() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut count = 0;
    for path in fs::read_dir(root)
        .expect("docs")
        .map(|entry| entry.expect("a file").path())
    {
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for block in text
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
        {
            if let Ok(element) = card::read(block, &ELEMENTS) {
                assert_eq!(remarks(&element), [""; 0], "{}: {block}", path.display());
                count += 1;
            }
        }
    }
    assert!(count >= 3, "{count} cards");
}
