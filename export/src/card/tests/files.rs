//! Cards in files, with measured curves in files beside them.

use super::super::{examine, read, read_file};
use super::comes_back;
use bristle::catalogue::{ELEMENTS, Variant};
use std::fs;
use std::path::{MAIN_SEPARATOR, PathBuf};

/// Card with a curve in a file.
const CARD: &str =
    "name = \"Pad\"\nlaw = \"FrDyn2Linear\"\n\n[characteristic]\nfile = \"pad.csv\"\n";

/// Folder of a test, which is removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("bristle-card-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Points of the curve in this file, or the faults of the card, without the folder's path.
    fn points(&self, curve: &str) -> Result<Vec<[f64; 2]>, String> {
        fs::write(self.0.join("pad.csv"), curve).unwrap();
        let card = self.0.join("pad.toml");
        fs::write(&card, CARD).unwrap();
        let variant = read_file(&card, &ELEMENTS).map_err(|error| {
            error
                .to_string()
                .replace(&format!("{}{MAIN_SEPARATOR}", self.0.display()), "")
        })?;
        Ok(variant
            .card()
            .characteristic
            .clone()
            .expect("a curve")
            .points)
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
            "pad.toml:5: characteristic.file, pad.csv:3: found \"high\" in `mu`, expected a \
             number with a decimal point",
            "pad.toml:5: characteristic.file, pad.csv:4: found nothing in `mu`, expected a number \
             with a decimal point",
        ]
    );
    assert!(
        faults("v (furlong),mu\n1,0.5\n2,0.4\n")
            .starts_with("pad.toml:5: characteristic.file, pad.csv:1: `v`: found")
    );
    assert!(faults("").contains("pad.csv: the file is empty"));
}

#[test]
fn torque_over_angular_velocity_takes_radius_and_normal_force_of_the_card() {
    let folder = Folder::new("torque");
    fs::write(
        folder.0.join("pad.csv"),
        "t;n (rpm);M (Nm)\n0;60;0.84\n1;600;0.6\n",
    )
    .unwrap();
    let card = CARD.replace(
        "\n[",
        "motion = \"rotational\"\nradius = 0.04\nnormal_force = 50\n[",
    );
    let examine = |card: &str| {
        examine(card, &folder.0.join("pad.toml"), &ELEMENTS).map_err(|error| error.to_string())
    };
    for columns in ["", "columns = [2, 3]\n", "columns = [\"n\", \"M\"]\n"] {
        let (element, remarks) = examine(&(card.clone() + columns)).unwrap();
        let points = &element.card().characteristic.as_ref().unwrap().points;
        let turn = std::f64::consts::TAU;
        for ([v, mu], [v_expected, mu_expected]) in
            points.iter().zip([[0.04 * turn, 0.42], [0.4 * turn, 0.3]])
        {
            assert!(
                (v / v_expected - 1.0).abs() < 1e-14 && (mu / mu_expected - 1.0).abs() < 1e-14,
                "{points:?}"
            );
        }
        assert!(
            remarks
                .iter()
                .any(|remark| remark.contains("`M` in Nm, over the radius 0.04 m")),
            "{remarks:?}"
        );
        // The card in an FMU has the points in SI units, and makes the same element.
        comes_back(&element);
    }
    let refusal = examine(&(card + "columns = [\"n\", \"F\"]\n"))
        .map(|_| ())
        .unwrap_err();
    assert!(
        refusal.contains("found no column `F` among `t`, `n`, `M`"),
        "{refusal}"
    );
}

#[test]
fn coefficient_at_rest_is_taken_by_laws_that_hold_it_and_left_out_of_others() {
    let folder = Folder::new("rest");
    fs::write(
        folder.0.join("pad.csv"),
        "v,mu\n0,0.5\n0.001,0.42\n0.01,0.41\n",
    )
    .unwrap();
    for (law, first, part) in [
        (
            "LuGre",
            [1e-6, 0.5],
            "mu = 0.5 at rest is that below 1e-6 m/s",
        ),
        (
            "FrDyn2Linear",
            [1e-3, 0.42],
            "mu = 0.5 at rest left out: FrDyn2Linear regularises below the first speed",
        ),
    ] {
        let card = CARD.replace("FrDyn2Linear", law);
        let (element, remarks) = examine(&card, &folder.0.join("pad.toml"), &ELEMENTS).unwrap();
        assert_eq!(
            element.card().characteristic.as_ref().unwrap().points[0],
            first
        );
        assert!(
            remarks.iter().any(|remark| remark.contains(part)),
            "{remarks:?}"
        );
    }
}

/// Force of an element at a velocity that it has had for long, N.
fn sliding(element: &Variant, normal_force: f64, v: f64) -> f64 {
    let mut element = element.instantiate();
    element.set(&bristle::element::F_N, normal_force);
    element.set(&bristle::element::V, v);
    for _ in 0..20 {
        element.advance(10.0).unwrap();
    }
    element.value(bristle::element::F_R.reference)
}

/// Eleven rows of a hydraulic ram, whose seals and areas differ by direction: +32 033 N and −12 750
/// N at 0.25 m/s.
const RAM: &str = "v (m/s);F \
                   (N)\n-0.25;-12750\n-0.2;-12300\n-0.15;-11900\n-0.1;-11500\n-0.05;-11200\n0;0\n0.05;26000\n0.1;27100\n\
                   0.15;28600\n0.2;30200\n0.25;32033\n";

#[test]
fn ram_keeps_both_directions_in_a_file_as_in_points() {
    let folder = Folder::new("ram");
    fs::write(folder.0.join("pad.csv"), RAM).unwrap();
    let examine = |law: &str, keys: &str| {
        let card = format!(
            "name = \"Ram\"\nlaw = \"{law}\"\nnormal_force = 1000\n[characteristic]\n{keys}\n"
        );
        examine(&card, &folder.0.join("pad.toml"), &ELEMENTS).map_err(|error| error.to_string())
    };
    let points = "points = [[-0.25, 12.75], [-0.2, 12.3], [-0.15, 11.9], [-0.1, 11.5], [-0.05, \
                  11.2], [0, 0], [0.05, 26.0], [0.1, 27.1], \
                  [0.15, 28.6], [0.2, 30.2], [0.25, 32.033]]";
    for law in ["LuGre", "StaticRegularized", "FrDyn2Linear"] {
        for keys in [
            "file = \"pad.csv\"",
            points,
            "file = \"pad.csv\"\ndirections = \"both\"",
        ] {
            let (element, remarks) = examine(law, keys).unwrap();
            for (v, expected) in [
                (0.25, 32033.0),
                (-0.25, -12750.0),
                (0.05, 26000.0),
                (-0.1, -11500.0),
            ] {
                let force = sliding(&element, 1000.0, v);
                assert!(
                    (force / expected - 1.0).abs() < 1e-6,
                    "{law}, {keys}: {force} N at {v} m/s"
                );
            }
            assert!(
                remarks
                    .iter()
                    .any(|remark| remark.contains("no friction at rest")),
                "{remarks:?}"
            );
        }
        for keys in ["file = \"pad.csv\"", points] {
            let (element, _) = examine(law, &format!("{keys}\ndirections = \"mean\"")).unwrap();
            for v in [0.25, -0.25] {
                let force = sliding(&element, 1000.0, v);
                assert!(
                    (force / 22391.5_f64.copysign(v) - 1.0).abs() < 1e-6,
                    "{law}, {keys}: {force} N at {v} m/s"
                );
            }
        }
    }
    for keys in ["file = \"pad.csv\"", points] {
        let refusal = examine("ModelicaFriction", keys).map(|_| ()).unwrap_err();
        assert!(
            refusal.contains(
                "found points with v < 0, but ModelicaFriction has one curve for both directions; \
                 set directions = \"mean\" in \
                 `characteristic`"
            ),
            "{refusal}"
        );
        assert!(
            examine(
                "ModelicaFriction",
                &format!("{keys}\ndirections = \"mean\"")
            )
            .is_ok()
        );
    }
    let refusal = examine("LuGre", "file = \"pad.csv\"\ndirections = \"average\"")
        .map(|_| ())
        .unwrap_err();
    assert!(
        refusal.contains("characteristic.directions: found \"average\", expected `both` or `mean`"),
        "{refusal}"
    );
}

#[test]
fn directions_of_different_ranges_are_used_where_both_have_speeds_by_the_law_that_needs_it() {
    let folder = Folder::new("ranges");
    fs::write(
        folder.0.join("pad.csv"),
        "v;mu\n-0.26;-0.3\n-0.1;-0.4\n-0.01;-0.42\n0.02;0.6\n0.1;0.55\n0.24;0.5\n",
    )
    .unwrap();
    for keys in [
        "file = \"pad.csv\"",
        "points = [[-0.26, 0.3], [-0.1, 0.4], [-0.01, 0.42], [0.02, 0.6], [0.1, 0.55], [0.24, \
         0.5]]",
    ] {
        let points = |law: &str| {
            let card = format!("name = \"Axle\"\nlaw = \"{law}\"\n[characteristic]\n{keys}\n");
            let (element, remarks) = examine(&card, &folder.0.join("pad.toml"), &ELEMENTS).unwrap();
            (
                element.card().characteristic.clone().unwrap().points,
                remarks,
            )
        };
        let (one_range, remarks) = points("FrDyn2Linear");
        let expected = [
            [-0.24, 0.3125],
            [-0.1, 0.4],
            [-0.02, 0.42 - 0.02 / 9.0],
            [0.02, 0.6],
            [0.1, 0.55],
            [0.24, 0.5],
        ];
        for ([v, mu], [v_expected, mu_expected]) in one_range.iter().zip(expected) {
            assert!(
                *v == v_expected && (mu - mu_expected).abs() < 1e-15,
                "{one_range:?}"
            );
        }
        let said = "both directions used from 0.02 to 0.24 m/s, the speeds that both have, as \
                    FrDyn2Linear needs";
        assert!(
            remarks.iter().any(|remark| remark.contains(said)),
            "{remarks:?}"
        );
        for law in ["LuGre", "StaticRegularized"] {
            assert_eq!(
                [points(law).0[0], points(law).0[5]],
                [[-0.26, 0.3], [0.24, 0.5]],
                "{law}"
            );
        }
    }
}

/// Tables of the kind that the Modelica Standard Library has: rows from v = 0 on, of which one is
/// constant friction, extrapolated linearly.
#[test]
fn tables_from_rest_on_are_curves_in_a_file_as_in_points() {
    let folder = Folder::new("modelica");
    let laws = [
        "ModelicaFriction",
        "LuGre",
        "StaticRegularized",
        "FrDyn2Linear",
    ];
    for (rows, end, expected) in [
        (&[[0.0, 5.0]][..], "flat", [5.0, 5.0, 5.0]),
        (&[[0.0, 5.0]], "last", [5.0, 5.0, 5.0]),
        (&[[0.0, 0.4], [10.0, 0.5]], "flat", [0.45, 0.5, 0.5]),
        (
            &[[0.0, 2.0], [5.0, 2.6], [10.0, 3.16]],
            "last",
            [2.6, 3.16, 7.08],
        ),
        (
            &[[0.0, 2.0], [5.0, 2.6], [10.0, 3.16]],
            "flat",
            [2.6, 3.16, 3.16],
        ),
    ] {
        let lines: Vec<_> = rows.iter().map(|[v, mu]| format!("{v:?};{mu:?}")).collect();
        fs::write(
            folder.0.join("pad.csv"),
            format!("v;mu\n{}\n", lines.join("\n")),
        )
        .unwrap();
        for (law, keys) in laws.into_iter().flat_map(|law| {
            [
                (law, "file = \"pad.csv\"".to_owned()),
                (law, format!("points = {rows:?}")),
            ]
        }) {
            let card = format!(
                "name = \"Axle\"\nlaw = \"{law}\"\n[characteristic]\nend = \"{end}\"\n{keys}\n"
            );
            let (element, _) = examine(&card, &folder.0.join("pad.toml"), &ELEMENTS)
                .unwrap_or_else(|error| panic!("{card}{error}"));
            for (v, mu) in [5.0, 10.0, 45.0].into_iter().zip(expected) {
                let force = sliding(&element, 10.0, v);
                // The interval of two points is a cubic whose middle lies where the line has it,
                // but for the first speed.
                assert!(
                    (force / 10.0 / mu - 1.0).abs() < 2e-3,
                    "{law}, {keys}: {force} N at {v} m/s"
                );
                assert!(
                    (sliding(&element, 10.0, -v) + force).abs() < 1e-9,
                    "{law}, {keys}"
                );
            }
        }
    }
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::new("missing");
    let card = folder.0.join("pad.toml");
    let said = read_file(&card, &ELEMENTS)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        said.starts_with("cannot read ") && said.contains("pad.toml"),
        "{said}"
    );
    fs::write(&card, CARD).unwrap();
    let said = read_file(&card, &ELEMENTS)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        said.contains(
            "pad.toml:5: characteristic.file: found \"pad.csv\", which cannot be read \
                       beside the card"
        ),
        "{said}"
    );
    let faults = read(CARD, &ELEMENTS).map(|_| ()).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0]
            .sentence
            .contains("this card lies in no folder; expected `points`"),
        "{}",
        faults[0]
    );
}
