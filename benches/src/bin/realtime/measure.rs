//! Times of single steps. A slow step is repeated from its saved state, and its smallest time counts: the times of interrupts, other
//! programs and caches differ from one repetition to the next, that of the step itself does not. Times are scaled to a processor of one speed,
//! as that of a shared one changes from minute to minute.

use crate::H;
use crate::draws::{Draw, Draws, Kind};
use crate::rows::Row;
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use cpu_time::ThreadTime;

/// Share of the steps, the slowest so far, that are repeated.
const SLOWEST: f64 = 0.02;
/// Steps after which that share is determined anew, and the speed of the processor measured; before the first time every step is repeated.
pub const REVIEW: usize = 1000;
/// Repetitions of a slow step.
const REPETITIONS: usize = 8;
/// Repetitions of any such step, however long they take: a pause of the machine counts as time of the thread.
const LEAST_REPETITIONS: usize = 3;
/// Repetitions of a step that is still above the goal after the first ones.
const MORE_REPETITIONS: usize = 32;
/// Time of all repetitions of a step, µs, after which there is no further one.
const LONGEST: f64 = 3e3;
/// Processor time of a column, s, after which it ends with the steps so far.
const BUDGET: f64 = 60.0;
/// Steps that are done before the first one counts.
const WARM_UP: usize = 1000;

/// A step and everything that is needed to repeat it.
#[derive(Debug)]
#[allow(dead_code)] // read through Debug
pub struct Case {
    /// Number of the step in its row.
    pub number: usize,
    /// Inputs, derivatives and their order.
    pub draw: Draw,
    /// States and modes before it.
    pub states: Vec<(String, f64)>,
}

/// Times of a row, µs on a processor of [`clock::REFERENCE_SPEED`].
pub struct Times {
    /// In ascending order.
    pub sorted: Vec<f64>,
    /// Shortest and longest time of the fixed work, µs.
    pub speeds: [f64; 2],
    /// The slowest step.
    pub worst: Option<Case>,
    /// Steps above the goal.
    pub above: usize,
    /// Steps that were refused, and the first of them with the sentence in the log.
    pub refused: usize,
    pub first_refusal: Option<(String, Case)>,
    /// Steps with fmi2Warning.
    pub warned: usize,
}

impl Times {
    /// Measures the speed of the processor; returns the factor that scales its times.
    fn measure_scale(&mut self) -> f64 {
        let speed = clock::speed();
        let [least, most] = self.speeds;
        self.speeds = [least.min(speed * 1e-3), most.max(speed * 1e-3)];
        clock::REFERENCE_SPEED / speed
    }
}

/// Measures `steps` steps of a row.
pub fn row(fmu: &Fmu, row: &Row, kind: Kind, steps: usize, seed: u64) -> Times {
    let mut values = Vec::new();
    values
        .extend(row.body.into_iter().flat_map(|(mass, coupling)| [("m_eff", mass), ("coupling", f64::from(coupling))]));
    values.extend(row.limit.map(|limit| ("inner_steps_max", f64::from(limit))));
    let mut element = Element::start(fmu, &values, None);
    let force = fmu.description.reference("F_R");
    let mut draws = Draws::new(seed, kind, row.normal_force, row.body.map(|(mass, coupling)| (mass, coupling == 1)));
    let speeds = [f64::INFINITY, 0.0];
    let mut times = Times { sorted: vec![], speeds, worst: None, above: 0, refused: 0, first_refusal: None, warned: 0 };
    let mut scale = times.measure_scale();
    let mut unsorted = Vec::with_capacity(steps);
    let (mut threshold, mut slowest, mut last) = (0.0, 0.0, [0.0]);
    let begin = ThreadTime::now();
    for number in 0..WARM_UP + steps {
        if number > 2 * WARM_UP && begin.elapsed().as_secs_f64() > BUDGET {
            break;
        }
        let draw = draws.next(last[0]);
        element.save();
        let (mut time, status) = timed(&mut element, &draw);
        if time * scale > threshold {
            time = repeated(&mut element, &draw, time, row.goal.worst / scale);
        }
        time *= scale;
        let log = element.instance.take_log();
        if status > Status::Warning {
            times.refused += 1;
            let said = || log.into_iter().next().map_or(String::new(), |entry| entry.text);
            times.first_refusal.get_or_insert_with(|| (said(), Case { number, draw, states: states(&mut element) }));
        } else {
            let status = element.instance.get_real(&[force], &mut last);
            element.instance.ok(status);
        }
        if number < WARM_UP {
            continue;
        }
        times.warned += usize::from(status == Status::Warning);
        times.above += usize::from(time > row.goal.worst);
        unsorted.push(time);
        if time > slowest {
            slowest = time;
            element.restore();
            times.worst = Some(Case { number, draw, states: states(&mut element) });
            let _again = timed(&mut element, &draw);
        }
        if unsorted.len().is_multiple_of(REVIEW) {
            let mut so_far = unsorted.clone();
            let place = ((1.0 - SLOWEST) * so_far.len() as f64) as usize;
            threshold = so_far.select_nth_unstable_by(place, f64::total_cmp).1.min(row.goal.worst);
            scale = times.measure_scale();
        }
    }
    unsorted.sort_by(f64::total_cmp);
    Times { sorted: unsorted, ..times }
}

/// Time of a step, µs, and its status.
fn timed(element: &mut Element, draw: &Draw) -> (f64, Status) {
    let given = element.set_inputs(&draw.inputs, draw.order);
    let mut status = Status::OK;
    let time = clock::once(|| status = element.do_step(H));
    (time * 1e-3, status.max(given))
}

/// The smallest of some repetitions of the step before, which leave the element where it was after it.
fn repeated(element: &mut Element, draw: &Draw, first: f64, goal: f64) -> f64 {
    let (mut least, mut sum) = (first, first);
    for count in 0..MORE_REPETITIONS {
        if count >= REPETITIONS && least <= goal || count >= LEAST_REPETITIONS && sum > LONGEST {
            break;
        }
        element.restore();
        let time = timed(element, draw).0;
        (least, sum) = (least.min(time), sum + time);
    }
    least
}

fn states(element: &mut Element) -> Vec<(String, f64)> {
    element.states().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
