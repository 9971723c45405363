//! Reference results of an element: experiments on its own numbers, by which a user finds out
//! whether a tool connects it rightly.
//!
//! Inputs are held from each row to the next. The results of a given motion are those of the
//! element at its tightest tolerance. Those of a pushed body are of the element with that body
//! inside, integrated as one system. [`judge`] compares a tool's result with them and names the
//! mistake whose own result is nearest.
//!
//! An FMU has them in [`FOLDER`], with a manifest of the layered standard FMI-LS-REF 1.0.0-alpha.1.

mod judge;
mod push;

use std::f64::consts::TAU;
use std::fmt::Write;

use bristle::assembly::Assembly;
use bristle::assembly::system_variables::reference::F as LOAD;
use bristle::catalogue::{Card, Motion, Variant};
use bristle::coupling::M_EFF;
use bristle::element::{F_R, F_R_Y, MIN_TOLERANCE, RADIUS, TAU_M, V, V_Y};
use bristle::law::{F_N, F_T};
use bristle::variable::{Role, Unit, Variable};

pub use self::judge::{Verdict, judge};
pub use self::push::BodyInside;

/// Folder of the experiments in an FMU.
pub const FOLDER: &str = "extra/org.fmi-standard.fmi-ls-ref";

/// Communication step of the experiments, s.
pub const STEP: f64 = 1e-3;
/// Rows behind that at the start.
const STEPS: usize = 400;
/// Time in which a velocity rises to its mean, s.
const RISE: f64 = 0.05;
/// Frequency of velocities and loads, Hz.
const FREQUENCY: f64 = 5.0;

/// Speed, m/s, and rad/s about an axis without a radius: well into sliding of every default.
const SPEEDS: [f64; 2] = [0.05, 2.5];
/// Deviation of a result over its range that passes, of a given motion: a hundred times that of
/// the default tolerance.
const OF_MOTION: f64 = 1e-4;

/// Experiment with its results.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Name: `sine`, `load` or `push`.
    pub name: &'static str,
    /// One sentence.
    pub title: String,
    /// Inputs, whose columns follow the time.
    pub inputs: Vec<Variable>,
    /// Results, whose columns follow the inputs.
    pub results: Vec<Variable>,
    /// Time (s), inputs and results in the units of the FMU. The results of a row are those of the
    /// step that ends at its time; its inputs hold from there on.
    pub rows: Vec<Vec<f64>>,
    /// Deviation of a result over its range that passes.
    pub tolerance: f64,
}

/// Experiments of an element: a given motion, unless the element observes a body, and a pushed body
/// where its law takes one inside.
pub fn experiments(variant: &Variant) -> Vec<Experiment> {
    let card = variant.card();
    let has_body = card.body.is_some() || card.gives(M_EFF.reference);
    let motions = MOTIONS.iter().filter(|_| !has_body);
    let prescribed = motions.filter_map(|motion| motion.experiment(variant));
    prescribed.chain(push::experiment(variant)).collect()
}

impl Experiment {
    /// The experiment as comma-separated values.
    pub fn csv(&self) -> String {
        let mut text = "time (s)".to_owned();
        for column in self.inputs.iter().chain(&self.results) {
            let unit = column.unit_name();
            write!(text, ",{} ({unit})", column.name).expect("text grows");
        }
        text.push('\n');
        for row in &self.rows {
            let numbers: Vec<_> = row.iter().map(|number| digits(*number)).collect();
            text += &numbers.join(",");
            text.push('\n');
        }
        text
    }

    /// The experiment with the results of the element in the place of a tool: at its own tolerance,
    /// and in a loop with the pushed body.
    pub fn replayed(&self, variant: &Variant) -> Option<Experiment> {
        let rows = match MOTIONS.iter().find(|motion| motion.name == self.name) {
            Some(motion) => {
                let own = Run {
                    tolerance: variant.card().experiment.tolerance,
                    ..Run::EXACT
                };
                motion.rows(variant, self, own)?
            }
            None => push::replayed(variant)?,
        };
        Some(Experiment {
            rows,
            ..self.clone()
        })
    }

    /// Columns of the results in rows of this experiment.
    fn columns(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let places = (1 + self.inputs.len()..).take(self.results.len());
        places
            .map(|place| rows.iter().map(|row| row[place]).collect())
            .collect()
    }
}

/// Number with ten digits.
fn digits(number: f64) -> String {
    let short: f64 = format!("{number:.9e}").parse().unwrap_or(number);
    format!("{short:?}")
}

/// Files of an FMU: the experiments, and the manifest that lists them.
pub fn files(variant: &Variant) -> Vec<(String, String)> {
    let experiments = experiments(variant);
    if experiments.is_empty() {
        return Vec::new();
    }
    let mut manifest = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiReferences \
                        xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\"\n    \
                        fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\" \
                        fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\"\n    \
                        fmi-ls:fmi-ls-description=\"Experiments with their results\">\n"
        .to_owned();
    let mut files = Vec::new();
    for experiment in &experiments {
        let file = format!("{}.csv", experiment.name);
        writeln!(
            manifest,
            "    <Related type=\"text/csv\" source=\"{file}\" role=\"result\" \
             description=\"{} Results within {:?} of their range pass.\"/>",
            experiment.title, experiment.tolerance
        )
        .expect("text grows");
        files.push((format!("{FOLDER}/{file}"), experiment.csv()));
    }
    manifest += "</fmiReferences>\n";
    files.insert(0, (format!("{FOLDER}/fmi-ls-manifest.xml"), manifest));
    files
}

/// Given motion of an experiment.
struct GivenMotion {
    name: &'static str,
    title: &'static str,
    /// Velocity over that of the experiments, mean and amplitude.
    velocity: [f64; 2],
    /// Amplitude of the load over its mean.
    load: f64,
}

const MOTIONS: [GivenMotion; 2] = [
    GivenMotion {
        name: "sine",
        title: "A velocity through break-away in both directions under a constant load.",
        velocity: [0.0, 1.0],
        load: 0.0,
    },
    GivenMotion {
        name: "load",
        title: "A load that changes on a contact that slides.",
        velocity: [0.4, 0.0],
        load: 0.6,
    },
];

/// Way in which an element runs through an experiment.
#[derive(Clone, Copy)]
struct Run<'c> {
    tolerance: f64,
    /// Delay of the inputs, s.
    late: f64,
    /// Value (SI) that arrives of an input.
    change: &'c dyn Fn(&Variable, f64) -> f64,
}

impl Run<'_> {
    /// At the tightest tolerance, without a mistake.
    const EXACT: Run<'static> = Run {
        tolerance: MIN_TOLERANCE,
        late: 0.0,
        change: &|_, value| value,
    };
}

impl GivenMotion {
    fn experiment(&self, variant: &Variant) -> Option<Experiment> {
        let inputs: Vec<Variable> = variant
            .variables()
            .filter(|variable| variable.role == Role::Input && variable.is_real())
            .copied()
            .collect();
        let results: Vec<Variable> = variant.variables().filter(is_result).copied().collect();
        let mut experiment = Experiment {
            name: self.name,
            title: self.title.to_owned(),
            inputs,
            results,
            rows: Vec::new(),
            tolerance: OF_MOTION,
        };
        experiment.rows = self.rows(variant, &experiment, Run::EXACT)?;
        Some(experiment)
    }

    /// Rows of an element.
    fn rows(&self, variant: &Variant, experiment: &Experiment, run: Run) -> Option<Vec<Vec<f64>>> {
        let mut element = variant.instantiate();
        element.set_tolerance(run.tolerance);
        let (size, mut rows) = (static_friction(variant), Vec::new());
        for i in 0..=STEPS {
            let t = i as f64 * STEP;
            let mut row = vec![t];
            for input in &experiment.inputs {
                let of = |t: f64| self.signal(variant, size, input, t);
                row.push(variant.of_si(input.reference, of(t)));
                let arrives = of((t - run.late).max(0.0));
                element.set(input, (run.change)(input, arrives));
            }
            if i == 0 {
                element.initialize().ok()?;
                element.evaluate().ok()?;
            }
            // Until it advances, the element has the results of its last step.
            row.extend(results_of(&element, variant, &experiment.results));
            rows.push(row);
            element.advance(STEP).ok()?;
        }
        Some(rows)
    }

    /// Value of an input at a time (s), in SI units, on a contact with this largest friction at rest.
    fn signal(&self, variant: &Variant, size: f64, input: &Variable, t: f64) -> f64 {
        let card = variant.card();
        let (sin, cos) = libm::sincos(TAU * FREQUENCY * t);
        let [mean, amplitude] = self.velocity;
        let loaded = |force: f64| force * (1.0 + self.load * sin);
        let start = input.to_si(input.start.unwrap_or(0.0));
        if input.is_parameter() || input.is(&F_T) {
            return start;
        }
        if input.is_of_block() {
            let is_load = input.slot() as u32 == LOAD;
            return if is_load { 1.5 * size * sin } else { start };
        }
        if input.is(&F_N) {
            return loaded(normal_force(card));
        }
        if input.is(&V) {
            return speed(card) * (mean * (t / RISE).min(1.0) + amplitude * sin);
        }
        if input.is(&V_Y) && card.motion.is_planar() {
            return 0.5 * speed(card) * cos;
        }
        if input.is(&TAU_M) && card.level.is_some() {
            return size * sin;
        }
        match input.unit {
            Unit::Newton | Unit::NewtonMetre => loaded(input.nominal.unwrap_or(1.0)),
            _ => start,
        }
    }
}

/// Whether an output is a result of the experiments: a force of friction.
fn is_result(variable: &&Variable) -> bool {
    let is_force = variable.is(&F_R) || variable.is(&F_R_Y);
    variable.is_output() && variable.is_real() && is_force && !variable.is_of_block()
}

/// Results of an element, in the units of the FMU.
fn results_of<'a>(
    element: &'a Assembly,
    variant: &'a Variant,
    results: &'a [Variable],
) -> impl Iterator<Item = f64> + 'a {
    let value =
        |result: &Variable| variant.of_si(result.reference, element.value(result.reference));
    results.iter().map(value)
}

/// Speed of the experiments on a card, m/s or rad/s.
fn speed(card: &Card) -> f64 {
    of_motion(card, SPEEDS)
}

/// Number of a card's motion, of those of a motion along a line and of one about an axis without a
/// radius.
pub fn of_motion(card: &Card, [along, about]: [f64; 2]) -> f64 {
    match card.motion {
        Motion::Rotational if card.level.is_some() => about,
        Motion::Rotational => along / radius(card),
        _ => along,
    }
}

/// Friction radius of a card, m; 1 of one without.
fn radius(card: &Card) -> f64 {
    let given = card.parameters.get(&RADIUS.reference);
    given.and_then(|setting| setting.start).unwrap_or(1.0)
}

/// Normal force of the experiments, N: that of the card.
fn normal_force(card: &Card) -> f64 {
    if card.level.is_some() {
        1.0
    } else {
        card.normal_force
    }
}

/// Largest friction of a contact at rest, N or N·m.
pub fn static_friction(variant: &Variant) -> f64 {
    let card = variant.card();
    let mut contact = variant.contact(0);
    contact.set(&F_N, normal_force(card));
    let is_turning = card.motion == Motion::Rotational && card.level.is_none();
    contact.static_force() * if is_turning { radius(card) } else { 1.0 }
}
