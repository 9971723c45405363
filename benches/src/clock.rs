//! Processor time of this thread, without that of other programs.

use core::hint::black_box;
use cpu_time::ThreadTime;

/// Work to be timed, with its number of cycles.
pub struct Work<'a> {
    /// The cycles of one call.
    pub cycles: usize,
    /// Does them.
    pub run: Box<dyn FnMut() + 'a>,
}

/// A sample is at least this long, ns, so that the clock's own cost and grain are lost in it.
const SAMPLE: f64 = 3e6;
/// Samples of each work; their median counts.
const SAMPLES: usize = 11;

/// Nanoseconds of one call.
pub fn once(mut run: impl FnMut()) -> f64 {
    let start = ThreadTime::now();
    run();
    start.elapsed().as_secs_f64() * 1e9
}

/// [`speed`] of the processor that scaled times are for, ns.
pub const REFERENCE_SPEED: f64 = 22e3;

/// Nanoseconds of a fixed work, 1000 exponentials of each other, the smallest of some repetitions.
/// It tells how fast the processor is at the moment: a shared one differs from run to run.
pub fn speed() -> f64 {
    let work = || {
        black_box((0..1000).fold(black_box(0.3), |x: f64, _| libm::exp(-x)));
    };
    (0..SAMPLES)
        .map(|_| once(work))
        .fold(f64::INFINITY, f64::min)
}

/// Name of this processor.
pub fn processor() -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find(|line| line.starts_with("model name"))
        .and_then(|line| line.split(": ").nth(1));
    model.unwrap_or(std::env::consts::ARCH).to_owned()
}

/// Median nanoseconds per cycle of each work. The works take turns, so that a slow moment of the
/// machine meets all.
pub fn medians(works: &mut [Work]) -> Vec<f64> {
    let calls: Vec<usize> = works
        .iter_mut()
        .map(|work| {
            (work.run)();
            (SAMPLE / once(&mut work.run).max(1.0)).ceil() as usize
        })
        .collect();
    let mut samples = vec![Vec::new(); works.len()];
    for _ in 0..SAMPLES {
        for (i, work) in works.iter_mut().enumerate() {
            let time = once(|| (0..calls[i]).for_each(|_| (work.run)()));
            samples[i].push(time / (calls[i] * work.cycles) as f64);
        }
    }
    samples.into_iter().map(median).collect()
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}
