//! The stages of other programs around the FMUs: importers from registries, the examples, the
//! papers' rigs.

use super::cards;
use super::stage::{Obstacle, Stage, make, needs, passed};
use crate::environment::{EXAMPLES, IMPORTERS as PYTHON};
use crate::importers::{self, Matrix};
use crate::tools::Tool;
use crate::{package, paper_numbers, workspace};

/// Commands that make committed figures and tables within minutes.
const MADE: [&[&str]; 2] = [&["figures"], &["validate-paper"]];

/// The stages in their order.
pub fn stages() -> Vec<Stage> {
    let mut stages = vec![Stage::new(
        "every element, and those of cards/, in a C program",
        |session| {
            session.needs_fmus()?;
            if let Some(why) = Tool::CCompiler.missing() {
                return Err(Obstacle::Skipped(format!("{why}.")));
            }
            session
                .matrices
                .push(Matrix::new("importers", &session.fmus, &package::stock())?);
            if !session.cards.is_empty() {
                session.matrices.push(Matrix::new(
                    "importers-cards",
                    &cards::folder(),
                    &cards::elements()?,
                )?);
            }
            Ok(())
        },
    )];
    stages.extend(importers::ALL.iter().map(|importer| {
        Stage::new(
            format!("every element, and those of cards/, in {}", importer.name),
            move |session| {
                // The crate `fmi` takes libclang from the environment, too.
                needs(session.python, "the Python environment is missing")?;
                needs(
                    !session.matrices.is_empty(),
                    "the C program left no forces to compare with",
                )?;
                if let Some(why) = importer.missing() {
                    return Err(Obstacle::Skipped(why));
                }
                passed(
                    session
                        .matrices
                        .iter_mut()
                        .try_for_each(|matrix| matrix.run(importer)),
                )
            },
        )
    }));
    stages.extend([
        Stage::new("examples/Bristle.mo, compiled by rumoca", |session| {
            session.needs_python()?;
            let skipped = |why: &str| Err(Obstacle::Skipped(why.to_owned()));
            if !PYTHON.can_import("rumoca") {
                return skipped("Python cannot load rumoca; its wheel does not fit this machine.");
            }
            if std::env::var_os("MODELICAPATH").is_none() {
                return skipped(
                    "set MODELICAPATH to a folder with the Modelica Standard Library 4.1, which \
                     no registry has.",
                );
            }
            passed(workspace::run(
                PYTHON
                    .program("python")
                    .arg(workspace::root().join("tests/python/modelica.py")),
            ))
        }),
        Stage::new("Python environment of the examples", |session| {
            make(&EXAMPLES)?;
            session.examples = true;
            Ok(())
        }),
        Stage::new("the scripts of examples/", |session| {
            session.needs_fmus()?;
            needs(
                session.examples,
                "the Python environment of the examples is missing",
            )?;
            needs(!session.cards.is_empty(), "the FMUs of cards/ are missing")?;
            let tests = workspace::root().join("tests/python/test_examples.py");
            let options = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider"];
            passed(workspace::run(
                EXAMPLES.program("python").args(options).arg(tests),
            ))
        }),
        Stage::new(
            "the papers' rigs, monolithically and through the FMUs",
            |session| {
                session.needs_fmus()?;
                let mut command = workspace::cargo();
                command
                    .args(["test", "-p", "bristle-experiments"])
                    .env("BRISTLE_FMU_DIR", &session.fmus);
                passed(workspace::run(&mut command))
            },
        ),
        Stage::new(
            "figures and tables that a quick command makes are committed",
            |session| {
                session.needs_fmus()?;
                needs(
                    session.examples,
                    "the Python environment of the examples, which draws, is \
                                     missing",
                )?;
                MADE.iter().try_for_each(|command| {
                    passed(workspace::run(
                        std::process::Command::new(workspace::this_program()?).args(*command),
                    ))
                })?;
                let mut git = std::process::Command::new("git");
                passed(workspace::run(git.current_dir(workspace::root()).args([
                    "diff",
                    "--exit-code",
                    "--stat",
                    "--",
                    "docs",
                ])))
            },
        ),
        Stage::long(paper_numbers::STAGE, |session| {
            session.needs_fmus()?;
            passed(paper_numbers::run(false))
        }),
    ]);
    stages
}

#[cfg(test)]
mod tests {
    use super::super::stage::{Session, Tally};
    use super::*;

    #[test]
    fn stages_without_fmus_or_python_are_skipped() {
        let is_of_the_importers = |stage: &Stage| !stage.name.starts_with("Python environment");
        let stages: Vec<_> = stages().into_iter().filter(is_of_the_importers).collect();
        let count = stages.len();
        let mut tally = Tally::new(count);
        stages
            .into_iter()
            .for_each(|stage| tally.run(stage, &mut Session::new()));
        assert_eq!(tally.counts(), [0, 0, count]);
    }
}
