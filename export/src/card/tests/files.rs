//! Cards in files, with measured curves in files beside them.

use super::super::{examine, read, read_file, write};
use bristle::catalogue::ELEMENTS;
use std::fs;
use std::path::{MAIN_SEPARATOR, PathBuf};

/// Card with a curve in a file.
const CARD: &str = "name = \"Pad\"\nlaw = \"FrDyn2Linear\"\n\n[characteristic]\nfile = \"pad.csv\"\n";

/// Folder of a test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("bristle-card-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Points of the curve in this file, or the faults of the card, without the folder's path.
    fn points(&self, curve: &str) -> Result<Vec<[f64; 2]>, String> {
        fs::write(self.0.join("pad.csv"), curve).unwrap();
        let card = self.0.join("pad.toml");
        fs::write(&card, CARD).unwrap();
        let variant = read_file(&card, &ELEMENTS)
            .map_err(|error| error.to_string().replace(&format!("{}{MAIN_SEPARATOR}", self.0.display()), ""))?;
        Ok(variant.card().characteristic.clone().expect("a curve").points)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn curve_in_a_file_has_names_comments_and_any_separator() {
    let folder = Folder::new("curve");
    let expected = Ok(vec![[0.001, 0.5], [0.01, 0.4], [0.1, 0.35]]);
    for curve in [
        "0.001,0.5\n0.01,0.4\n0.1,0.35\n",
        "\u{feff}v, mu\n# measured\n\n0.001, 0.5\n0.01, 0.4\n0.1, 0.35",
        "v mu\r\n1e-3 0.5\r\n1e-2  0.4\r\n1e-1 0.35\r\n",
        "0.001,0.5\n\n# slower\n0.01,0.4\n0.1,0.35\n\n# end\n",
        "v (mm/s);mu\n1;0,5\n10;0,4\n100;0,35\n",
        "v (mm/s),mu\n100,0.35\n1,0.5\n10,0.4\n",
    ] {
        assert_eq!(folder.points(curve), expected, "{curve:?}");
    }
}

#[test]
fn faulty_rows_of_a_curve_are_named_by_file_and_line() {
    let folder = Folder::new("rows");
    let faults = |curve: &str| folder.points(curve).unwrap_err();
    let said = faults("v,mu\n0.001,0.5\n0.01,high\n0.1,\n0.2,0.3\n");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "pad.toml:5: characteristic.file, pad.csv:3: found \"high\" in `mu`, expected a number with a decimal point",
            "pad.toml:5: characteristic.file, pad.csv:4: found nothing in `mu`, expected a number with a decimal point",
        ]
    );
    assert!(
        faults("v (furlong),mu\n1,0.5\n2,0.4\n").starts_with("pad.toml:5: characteristic.file, pad.csv:1: `v`: found")
    );
    assert!(faults("").contains("pad.csv: the file is empty"));
}

#[test]
fn torque_over_angular_velocity_takes_radius_and_normal_force_of_the_card() {
    let folder = Folder::new("torque");
    fs::write(folder.0.join("pad.csv"), "t;n (rpm);M (Nm)\n0;60;0.84\n1;600;0.6\n").unwrap();
    let card = CARD.replace("\n[", "motion = \"rotational\"\nradius = 0.04\nnormal_force = 50\n[");
    let examine = |card: &str| examine(card, &folder.0.join("pad.toml"), &ELEMENTS).map_err(|error| error.to_string());
    for columns in ["", "columns = [2, 3]\n", "columns = [\"n\", \"M\"]\n"] {
        let (element, remarks) = examine(&(card.clone() + columns)).unwrap();
        let points = &element.card().characteristic.as_ref().unwrap().points;
        let turn = std::f64::consts::TAU;
        for ([v, mu], [v_expected, mu_expected]) in points.iter().zip([[0.04 * turn, 0.42], [0.4 * turn, 0.3]]) {
            assert!((v / v_expected - 1.0).abs() < 1e-14 && (mu / mu_expected - 1.0).abs() < 1e-14, "{points:?}");
        }
        assert!(remarks.iter().any(|remark| remark.contains("`M` in Nm, over the radius 0.04 m")), "{remarks:?}");
        // The card in an FMU has the points in SI units, and makes the same element.
        let again = read(&write(&element), &ELEMENTS).unwrap();
        assert_eq!((again.card(), again.guid()), (element.card(), element.guid()));
    }
    let refusal = examine(&(card + "columns = [\"n\", \"F\"]\n")).map(|_| ()).unwrap_err();
    assert!(refusal.contains("found no column `F` among `t`, `n`, `M`"), "{refusal}");
}

#[test]
fn coefficient_at_rest_is_taken_by_laws_that_hold_it_and_left_out_of_others() {
    let folder = Folder::new("rest");
    fs::write(folder.0.join("pad.csv"), "v,mu\n0,0.5\n0.001,0.42\n0.01,0.41\n").unwrap();
    for (law, first, part) in [
        ("LuGre", [1e-6, 0.5], "mu = 0.5 at rest is that below 1e-6 m/s"),
        ("FrDyn2Linear", [1e-3, 0.42], "mu = 0.5 at rest left out: FrDyn2Linear regularises below the first speed"),
    ] {
        let card = CARD.replace("FrDyn2Linear", law);
        let (element, remarks) = examine(&card, &folder.0.join("pad.toml"), &ELEMENTS).unwrap();
        assert_eq!(element.card().characteristic.as_ref().unwrap().points[0], first);
        assert!(remarks.iter().any(|remark| remark.contains(part)), "{remarks:?}");
    }
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::new("missing");
    let card = folder.0.join("pad.toml");
    let said = read_file(&card, &ELEMENTS).map(|_| ()).unwrap_err().to_string();
    assert!(said.starts_with("cannot read ") && said.contains("pad.toml"), "{said}");
    fs::write(&card, CARD).unwrap();
    let said = read_file(&card, &ELEMENTS).map(|_| ()).unwrap_err().to_string();
    assert!(
        said.contains("pad.toml:5: characteristic.file: found \"pad.csv\", which cannot be read beside the card"),
        "{said}"
    );
    let faults = read(CARD, &ELEMENTS).map(|_| ()).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert!(faults[0].sentence.contains("this card lies in no folder; expected `points`"), "{}", faults[0]);
}
