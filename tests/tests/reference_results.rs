//! Reference results of FMUs: beside the independent transcription of their laws, replayed by the
//! packaged libraries, and in loops with a mistake each.

use super::cards::motions::{step, stepping};
use bristle::catalogue::{ELEMENTS, Variant, find};
use bristle_export::reference::{Experiment, STEP, experiments, judge};
use bristle_export::table::Table;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, FrDyn2Linear, LawParameters,
    LuGre, ModelicaFriction, NonReversible, PoppStelter, ReferenceLaw, SimpackStickSlip,
    StaticRegularized, Stefanski2003, Stefanski2006, Stribeck,
};
use std::fmt::Write;

fn variant(law: &str) -> Variant {
    find(law).expect("a law").stock()
}

fn named<'e>(experiments: &'e [Experiment], name: &str) -> &'e Experiment {
    let mut all = experiments.iter();
    all.find(|known| known.name == name).expect("an experiment")
}

/// A law with the defaults of its element, at rest.
fn transcription<P: LawParameters + Default>() -> (&'static str, Box<dyn ReferenceLaw>) {
    (P::ELEMENT, P::default().at_rest())
}

#[test]
fn results_are_those_of_the_independent_transcription() {
    let laws = [
        transcription::<FrDyn2Linear>(),
        transcription::<StaticRegularized>(),
        transcription::<Coulomb>(),
        transcription::<Stribeck>(),
        transcription::<BrownMcPhee>(),
        transcription::<PoppStelter>(),
        transcription::<NonReversible>(),
        transcription::<Armstrong>(),
        transcription::<Dahl>(),
        transcription::<LuGre>(),
        transcription::<Stefanski2003>(),
        transcription::<Stefanski2006>(),
        transcription::<ModelicaFriction>(),
        transcription::<SimpackStickSlip>(),
        transcription::<AdamsStickSlip>(),
    ];
    for (name, law) in laws {
        for experiment in experiments(&variant(name)) {
            if experiment.name == "push" {
                continue;
            }
            let column = |wanted: &str| {
                let mut names = experiment.inputs.iter().chain(&experiment.results);
                names
                    .position(|column| column.name == wanted)
                    .map(|place| place + 1)
            };
            let [normal, v] = ["F_N", "v"].map(|name| column(name).expect("an input"));
            let force = column("F_R").expect("a result");
            let (mut law, mut worst, mut largest) = (law.boxed(), 0.0_f64, 0.0_f64);
            for pair in experiment.rows.windows(2) {
                let expected = law.step(Contact::new(pair[0][normal], pair[0][v]), STEP);
                largest = largest.max(expected.abs());
                worst = worst.max((pair[1][force] - expected).abs());
            }
            println!("{name}, {}: {:.1e}", experiment.name, worst / largest);
            assert!(worst <= 1e-9 * largest, "{name}, {}", experiment.name);
        }
    }
}

/// Table of a result: time, and columns by the names of results.
fn table(experiment: &Experiment, rows: &[Vec<f64>]) -> Table {
    let mut text = "time".to_owned();
    experiment
        .results
        .iter()
        .for_each(|column| write!(text, ",{}", column.name).unwrap());
    for row in rows {
        let numbers: Vec<_> = row.iter().map(|number| format!("{number:?}")).collect();
        write!(text, "\n{}", numbers.join(",")).unwrap();
    }
    Table::read(text.as_bytes()).expect("a table")
}

/// Rows of a packaged FMU that runs through an experiment, with a factor on an input of that name
/// and on the result.
fn run(fmu: &Fmu, experiment: &Experiment, factor: (&str, f64), of_result: f64) -> Vec<Vec<f64>> {
    let mut instance = stepping(fmu);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for (i, row) in experiment.rows.iter().enumerate() {
        let results = experiment
            .results
            .iter()
            .map(|result| of_result * instance.get(result.name));
        rows.push(std::iter::once(row[0]).chain(results).collect());
        for (input, value) in experiment.inputs.iter().zip(&row[1..]) {
            let factor = if input.name == factor.0 {
                factor.1
            } else {
                1.0
            };
            instance.set(input.name, factor * value);
        }
        step(&mut instance, i as u32, STEP);
    }
    rows
}

/// Coupling of an FMU with a body.
#[derive(Clone, Copy)]
struct InLoop {
    stated: i32,
    is_late: bool,
    sign: f64,
    /// Delay of the inputs, communication steps.
    late: usize,
}

const SERIAL: InLoop = InLoop {
    stated: 1,
    is_late: false,
    sign: -1.0,
    late: 0,
};

/// Rows of a packaged FMU in a loop with the pushed body.
fn run_in_loop(fmu: &Fmu, experiment: &Experiment, coupling: InLoop) -> Vec<Vec<f64>> {
    let mass = experiment
        .title
        .split(' ')
        .find_map(|word| word.parse::<f64>().ok());
    let mass = mass.expect("the mass stands in the title");
    let mut instance = fmu.instantiate(bristle_importer::fmi2::CO_SIMULATION);
    if coupling.stated > 0 {
        instance.set("m_eff", mass);
        instance.set_whole("coupling", coupling.stated);
    }
    instance.set("F_N", 10.0);
    bristle_importer::lifecycle::initialize(&mut instance, None, 0.0, None);
    let (mut v, mut friction, mut rows) = (0.0, 0.0, Vec::new());
    for (i, row) in experiment.rows.iter().enumerate() {
        rows.push(vec![row[0], v]);
        instance.set("v", v);
        step(&mut instance, i as u32, STEP);
        let before = std::mem::replace(&mut friction, instance.get("F_R"));
        let acting = if coupling.is_late { before } else { friction };
        let pushed = experiment.rows[i.saturating_sub(coupling.late)][1];
        v += STEP * (pushed + coupling.sign * acting) / mass;
    }
    rows
}

#[test]
fn packaged_fmus_pass_their_own_experiments() {
    for law in &ELEMENTS {
        let (variant, fmu) = (law.stock(), Fmu::packaged(law.metadata.name));
        for experiment in experiments(&variant) {
            let rows = match experiment.name {
                "push" => continue,
                _ => run(&fmu, &experiment, ("", 1.0), 1.0),
            };
            let verdict = judge(&variant, &experiment, &table(&experiment, &rows)).unwrap();
            println!("{}", verdict.sentence);
            assert!(
                verdict.passes,
                "{}: {}",
                law.metadata.name, verdict.sentence
            );
        }
    }
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        let (variant, fmu) = (variant(law), Fmu::packaged(law));
        let all = experiments(&variant);
        let push = named(&all, "push");
        let rows = run_in_loop(&fmu, push, SERIAL);
        let verdict = judge(&variant, push, &table(push, &rows)).unwrap();
        println!("{law}: {}", verdict.sentence);
        assert!(verdict.passes, "{law}: {}", verdict.sentence);
    }
}

#[test]
fn mistakes_in_a_tool_are_named() {
    for law in ["FrDyn2", "FrDyn2Linear", "LuGre"] {
        let (variant, fmu) = (variant(law), Fmu::packaged(law));
        let all = experiments(&variant);
        let judged = |experiment: &Experiment, rows: &[Vec<f64>]| {
            let verdict = judge(&variant, experiment, &table(experiment, rows)).unwrap();
            println!("{law}: {}", verdict.sentence);
            assert!(!verdict.passes, "{law}: {}", verdict.sentence);
            verdict.sentence
        };
        let [sine, load, push] = ["sine", "load", "push"].map(|name| named(&all, name));
        let said = judged(sine, &run(&fmu, sine, ("v", 1e3), 1.0));
        assert!(said.contains("mm/s"), "{said}");
        let said = judged(sine, &run(&fmu, sine, ("v", -1.0), 1.0));
        assert!(said.contains("the other sign"), "{said}");
        let said = judged(sine, &run(&fmu, sine, ("", 1.0), 1e-3));
        assert!(said.contains("a thousand times"), "{said}");
        let said = judged(load, &run(&fmu, load, ("F_N", 1e-3), 1.0));
        assert!(said.contains("kN"), "{said}");
        let said = judged(load, &run(&fmu, load, ("F_N", 0.0), 1.0));
        assert!(said.contains("not connected"), "{said}");
        for (coupling, expected) in [
            (
                InLoop {
                    sign: 1.0,
                    ..SERIAL
                },
                "the other sign",
            ),
            (
                InLoop {
                    is_late: true,
                    ..SERIAL
                },
                "stated as serial",
            ),
            (
                InLoop {
                    stated: 2,
                    ..SERIAL
                },
                "stated as parallel",
            ),
        ] {
            let said = judged(push, &run_in_loop(&fmu, push, coupling));
            assert!(said.contains(expected), "{said}");
        }
    }
}
