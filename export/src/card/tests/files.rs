//! Cards in files, with measured curves in files beside them.

use super::super::{read, read_file};
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
        "\u{feff}v, mu\n# measured\n\n0.001, 0.5\n0.01;0.4\n0.1\t0.35",
        "v mu\r\n1e-3 0.5\r\n1e-2  0.4\r\n1e-1 0.35\r\n",
        "0.001,0.5\n\n# slower\n0.01,0.4\n0.1,0.35\n\n# end\n",
    ] {
        assert_eq!(folder.points(curve), expected, "{curve:?}");
    }
}

#[test]
fn faulty_rows_of_a_curve_are_named_by_file_and_line() {
    let folder = Folder::new("rows");
    let faults = |curve: &str| folder.points(curve).unwrap_err();
    let said = faults("0.001,0.5\n0.01 0.4 0.3\n0,1;0,5\nv,mu\n");
    let lines: Vec<&str> = said.lines().collect();
    let found: Vec<String> = [(2, "0.01 0.4 0.3"), (3, "0,1;0,5"), (4, "v,mu")]
        .map(|(number, row)| {
            format!(
                "pad.toml:5: characteristic.file, pad.csv:{number}: found \"{row}\", expected v in m/s and mu, two numbers with a \
                 point, a comma between them"
            )
        })
        .into();
    assert_eq!(lines, found);
    let said = faults("0.01,0.5\n0.001,0.4\n");
    assert!(said.starts_with("pad.toml:5: characteristic.file, pad.csv:2: "), "{said}");
    assert!(faults("v1,mu1\n0.001,0.5\n").contains("pad.csv:1: found \"v1,mu1\""));
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
