//! Times of single steps. A slow step is repeated from its saved state, and its smallest time
//! counts: the times of interrupts, other programs and caches differ from one repetition to the
//! next, that of the step itself does not. Times are scaled to a processor of one speed, as that of
//! a shared one changes from minute to minute.

use crate::H;
use crate::draws::{Block, Draws};
use crate::rigs::Rig;
use crate::rows::Row;
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::{Reference, Status};
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Derivatives;
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
    /// Inputs with their derivatives.
    pub inputs: Vec<(&'static str, Derivatives)>,
    /// Block inside the element.
    pub block: Option<Block>,
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

/// Element of a row on its rig.
struct Bench<'a> {
    element: Element<'a>,
    rig: &'static Rig,
    /// References of the rig's inputs, where the element has them, and of its forces.
    inputs: Vec<Option<Reference>>,
    forces: Vec<Reference>,
    draws: Vec<Draws>,
    order: usize,
}

impl<'a> Bench<'a> {
    fn new(fmu: &'a Fmu, row: &Row, order: usize, seed: u64) -> Self {
        let find = |name: &str| {
            let found = fmu
                .description
                .variables
                .iter()
                .find(|variable| variable.name == name);
            found.map(|variable| variable.reference)
        };
        let body = |coupling| [("m_eff", Row::MASS), ("coupling", f64::from(coupling))];
        let mut values: Vec<_> = row.coupling.into_iter().flat_map(body).collect();
        values.extend(row.limit.map(|limit| ("inner_steps_max", f64::from(limit))));
        // A card with a body has its mass.
        values.retain(|(name, _)| find(name).is_some());
        let draws = |i: usize| {
            let body = row.coupling.filter(|_| i == 0);
            Draws::new(
                seed ^ (i as u64) << 16,
                row.normal_force,
                body.map(|coupling| (Row::MASS, coupling == 1)),
                row.sticks,
            )
        };
        Bench {
            element: Element::start(fmu, &values, None),
            rig: row.rig,
            inputs: row
                .rig
                .inputs
                .iter()
                .map(|input| find(input.name))
                .collect(),
            forces: row
                .rig
                .forces
                .iter()
                .map(|(name, ..)| fmu.description.reference(name))
                .collect(),
            draws: (0..row.rig.draws).map(draws).collect(),
            order,
        }
    }

    /// Inputs of the next step after these forces, in the order of the rig.
    fn next(&mut self, forces: &[f64]) -> Vec<Derivatives> {
        if self.rig.has_block {
            let v = self.element.instance.get("v");
            let known = self.draws[0].block.map(|block| block.mass);
            let Block { mass, .. } = self.draws[0].draw_block(v);
            if known != Some(mass) {
                self.element.instance.set("mass", mass);
            }
        }
        let mut drawn = Vec::new();
        for (i, draws) in self.draws.iter_mut().enumerate() {
            let parts = self.rig.forces.iter().zip(forces);
            let force: f64 = parts
                .filter(|((_, draws, _), _)| *draws == i)
                .map(|((.., factor), force)| factor * force)
                .sum();
            drawn.push(draws.next(force, self.order));
        }
        let inputs = self.rig.inputs.iter();
        inputs
            .map(|input| (input.of)(&drawn[input.draws]))
            .collect()
    }

    /// Time of a step, µs, and its status.
    fn timed(&mut self, inputs: &[Derivatives]) -> (f64, Status) {
        let given = self.inputs.iter().zip(inputs);
        let given = self.element.set_polynomials(
            given.filter_map(|(reference, powers)| Some(((*reference)?, *powers))),
            self.order,
        );
        let mut status = Status::OK;
        let time = clock::once(|| status = self.element.do_step(H));
        (time * 1e-3, status.max(given))
    }

    /// The smallest of some repetitions of the step before, which leave the element where it was
    /// after it.
    fn repeated(&mut self, inputs: &[Derivatives], first: f64, goal: f64) -> f64 {
        let [usual, least_count, most] = REPETITIONS;
        let (mut least, mut sum) = (first, first);
        for count in 0..most {
            if count >= usual && least <= goal || count >= least_count && sum > LONGEST {
                break;
            }
            self.element.restore();
            let (time, _) = self.timed(inputs);
            (least, sum) = (least.min(time), sum + time);
        }
        least
    }

    fn case(&mut self, number: usize, inputs: &[Derivatives]) -> Case {
        let states = self
            .element
            .states()
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        let names = self.rig.inputs.iter().map(|input| input.name);
        Case {
            number,
            inputs: names.zip(inputs.iter().copied()).collect(),
            block: self.draws[0].block,
            states,
        }
    }
}

/// Measures `steps` steps of a row with input derivatives of an order, 0 to 3.
pub fn row(fmu: &Fmu, row: &Row, order: usize, steps: usize, seed: u64) -> Times {
    let mut bench = Bench::new(fmu, row, order, seed);
    let mut last = vec![0.0; bench.forces.len()];
    let mut times = Times::default();
    let (_, goal) = row.goal;
    let (mut scale, mut threshold, mut slowest) = (scale_now(), 0.0, 0.0);
    let begin = ThreadTime::now();
    for number in 0..WARM_UP + steps {
        if number > 2 * WARM_UP && begin.elapsed().as_secs_f64() > BUDGET {
            break;
        }
        let inputs = bench.next(&last);
        bench.element.save();
        let (mut time, status) = bench.timed(&inputs);
        if time * scale > threshold {
            time = bench.repeated(&inputs, time, goal / scale);
        }
        time *= scale;
        let log = bench.element.instance.take_log();
        if status > Status::Warning {
            times.refused += 1;
            let said = || {
                log.into_iter()
                    .next()
                    .map_or(String::new(), |entry| entry.text)
            };
            times
                .first_refusal
                .get_or_insert_with(|| (said(), bench.case(number, &inputs)));
        } else {
            let status = bench.element.instance.get_real(&bench.forces, &mut last);
            bench.element.instance.ok(status);
        }
        if number < WARM_UP {
            continue;
        }
        times.warned += usize::from(status == Status::Warning);
        times.above += usize::from(time > goal);
        times.sorted.push(time);
        if time > slowest {
            slowest = time;
            bench.element.restore();
            times.worst = Some(bench.case(number, &inputs));
            let _again = bench.timed(&inputs);
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
