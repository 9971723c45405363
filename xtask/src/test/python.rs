//! The stages of the Python package, in an environment of its own.

use super::stage::{Stage, make, needs, passed};
use crate::environment::{PACKAGE, PEERS};
use crate::{peers, python_package};

/// Test of the notebook, which takes a third of the time of all tests.
const NOTEBOOK: &str = "tests/test_notebook.py";

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![Stage::new(
        "Python environment of the package, with the package in it",
        |session| {
            make(&PACKAGE)?;
            python_package::develop_for_tests()?;
            session.package = true;
            Ok(())
        },
    )];
    let checks: [(&str, &str, &[&str]); 4] = [
        ("lints of the Python package", "ruff", &["check", "."]),
        (
            "formatting of the Python package",
            "ruff",
            &["format", "--check", "."],
        ),
        ("types of the Python package", "mypy", &[]),
        (
            "tests of the Python package",
            "python",
            &["-m", "pytest", "-q", "tests", "--ignore", NOTEBOOK],
        ),
    ];
    stages.extend(checks.map(|(name, program, arguments)| {
        Stage::new(name, move |session| {
            needs(session.package, "the package is not installed")?;
            passed(python_package::run(program, arguments))
        })
    }));
    stages.push(Stage::new(
        "friction of other tools beside the package, in short",
        |session| {
            needs(session.package, "the package is not installed")?;
            make(&PEERS)?;
            passed(peers::quick())
        },
    ));
    stages.push(Stage::long(
        "tests of the Python package and its notebook, compiled as for a release",
        |session| {
            needs(session.package, "the package is not installed")?;
            python_package::develop()?;
            passed(python_package::run(
                "python",
                &["-m", "pytest", "-q", "tests"],
            ))
        },
    ));
    stages
}
