//! Cases that do not need each other, on all cores, with a progress bar.

use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Computes every case, and gives the results in the order of the cases.
pub fn map<C: Sync, R: Send>(cases: &[C], compute: impl Fn(&C) -> R + Sync) -> Vec<R> {
    let bar = ProgressBar::new(cases.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} cases, {elapsed} passed, {eta} to go") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let results = Mutex::new((0..cases.len()).map(|_| None).collect::<Vec<_>>());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(cases.len()) {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(case) = cases.get(place) else { break };
                    let result = compute(case);
                    results.lock().expect("no thread panics with the lock")[place] = Some(result);
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let results = results.into_inner().expect("no thread panics with the lock");
    results.into_iter().map(|result| result.expect("every case was computed")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_keep_the_order_of_the_cases() {
        let cases: Vec<u32> = (0..100).collect();
        assert_eq!(super::map(&cases, |case| case * case), cases.iter().map(|n| n * n).collect::<Vec<_>>());
    }
}
