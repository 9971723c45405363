//! Times of single steps. A slow step is repeated from its saved state, and its smallest time
//! counts: the times of interrupts, other programs and caches differ from one repetition to the
//! next, that of the step itself does not. Times are scaled to a processor of one speed, as that of
//! a shared one changes from minute to minute.

use crate::H;
use crate::draws::Draws;
use crate::rows::Row;
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::InputPolynomials;
use cpu_time::ThreadTime;

/// Share of the steps, the slowest so far, that are repeated.
const SLOWEST: f64 = 0.02;
/// Steps after which that share is determined anew, and the speed of the processor measured; before
/// the first time every step is repeated.
const REVIEW: usize = 1000;
/// Repetitions of a slow step; of any such step, however long they take; and of one that is still
/// above the goal after the first ones.
const REPETITIONS: [usize; 3] = [8, 3, 32];
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
    pub inputs: InputPolynomials,
    /// States and modes before it.
    pub states: Vec<(String, f64)>,
}

/// Times of a row, µs on a processor of [`clock::REFERENCE_SPEED`].
#[derive(Default)]
pub struct Times {
    /// In ascending order.
    pub sorted: Vec<f64>,
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
    /// Smallest time that no more than the rest of the steps exceed, µs.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted[place.clamp(1, self.sorted.len()) - 1]
    }
}

/// Factor that scales times of the processor at its present speed.
fn scale_now() -> f64 {
    clock::REFERENCE_SPEED / clock::speed()
}

/// Measures `steps` steps of a row with input derivatives of an order, 0 or 1.
pub fn row(fmu: &Fmu, row: &Row, order: usize, steps: usize, seed: u64) -> Times {
    let body = |coupling| [("m_eff", Row::MASS), ("coupling", f64::from(coupling))];
    let mut values: Vec<_> = row.coupling.into_iter().flat_map(body).collect();
    values.extend(row.limit.map(|limit| ("inner_steps_max", f64::from(limit))));
    let mut element = Element::start(fmu, &values, None);
    let force = fmu.description.reference("F_R");
    let mut draws = Draws::new(
        seed,
        row.normal_force,
        row.coupling.map(|coupling| (Row::MASS, coupling == 1)),
    );
    let mut times = Times::default();
    let (_, goal) = row.goal;
    let (mut scale, mut threshold, mut slowest, mut last) = (scale_now(), 0.0, 0.0, [0.0]);
    let begin = ThreadTime::now();
    for number in 0..WARM_UP + steps {
        if number > 2 * WARM_UP && begin.elapsed().as_secs_f64() > BUDGET {
            break;
        }
        let inputs = draws.next(last[0], order);
        element.save();
        let (mut time, status) = timed(&mut element, &inputs, order);
        if time * scale > threshold {
            time = repeated(&mut element, &inputs, order, time, goal / scale);
        }
        time *= scale;
        let log = element.instance.take_log();
        if status > Status::Warning {
            times.refused += 1;
            let said = || {
                log.into_iter()
                    .next()
                    .map_or(String::new(), |entry| entry.text)
            };
            times
                .first_refusal
                .get_or_insert_with(|| (said(), case(&mut element, number, inputs)));
        } else {
            let status = element.instance.get_real(&[force], &mut last);
            element.instance.ok(status);
        }
        if number < WARM_UP {
            continue;
        }
        times.warned += usize::from(status == Status::Warning);
        times.above += usize::from(time > goal);
        times.sorted.push(time);
        if time > slowest {
            slowest = time;
            element.restore();
            times.worst = Some(case(&mut element, number, inputs));
            let _again = timed(&mut element, &inputs, order);
        }
        if times.sorted.len().is_multiple_of(REVIEW) {
            let mut so_far = times.sorted.clone();
            let place = ((1.0 - SLOWEST) * so_far.len() as f64) as usize;
            threshold = so_far
                .select_nth_unstable_by(place, f64::total_cmp)
                .1
                .min(goal);
            scale = scale_now();
        }
    }
    times.sorted.sort_by(f64::total_cmp);
    times
}

/// Time of a step, µs, and its status.
fn timed(element: &mut Element, inputs: &InputPolynomials, order: usize) -> (f64, Status) {
    let given = element.set_inputs(inputs, order);
    let mut status = Status::OK;
    let time = clock::once(|| status = element.do_step(H));
    (time * 1e-3, status.max(given))
}

/// The smallest of some repetitions of the step before, which leave the element where it was after
/// it.
fn repeated(
    element: &mut Element,
    inputs: &InputPolynomials,
    order: usize,
    first: f64,
    goal: f64,
) -> f64 {
    let [usual, least_count, most] = REPETITIONS;
    let (mut least, mut sum) = (first, first);
    for count in 0..most {
        if count >= usual && least <= goal || count >= least_count && sum > LONGEST {
            break;
        }
        element.restore();
        let (time, _) = timed(element, inputs, order);
        (least, sum) = (least.min(time), sum + time);
    }
    least
}

fn case(element: &mut Element, number: usize, inputs: InputPolynomials) -> Case {
    let states = element
        .states()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Case {
        number,
        inputs,
        states,
    }
}
