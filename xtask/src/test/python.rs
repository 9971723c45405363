//! The stages of the Python package, in an environment of its own.

use super::stage::{Stage, make, needs, passed};
use crate::environment::PACKAGE;
use crate::python_package;

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![Stage::new("Python environment of the package, with the package in it", |session| {
        make(&PACKAGE)?;
        python_package::develop()?;
        session.package = true;
        Ok(())
    })];
    let checks: [(&str, &str, &[&str]); 4] = [
        ("lints of the Python package", "ruff", &["check", "."]),
        ("formatting of the Python package", "ruff", &["format", "--check", "."]),
        ("types of the Python package", "mypy", &[]),
        ("tests of the Python package", "python", &["-m", "pytest", "-q", "tests"]),
    ];
    stages.extend(checks.map(|(name, program, arguments)| {
        Stage::new(name, move |session| {
            needs(session.package, "the package is not installed")?;
            passed(python_package::run(program, arguments))
        })
    }));
    stages
}
