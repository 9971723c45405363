//! Cost of a cycle of a master: set two inputs, do a step, get the force, through the packaged shared library.
//!
//! A sample is 2000 steps, whole periods of every regime but at H = 1e-5 s, where ten samples make one. `floor` is the same
//! cycle with a status query in place of the step: the cost of the calls alone.

use bristle_benches::inputs::Inputs;
use bristle_benches::motion::SPAN;
use bristle_benches::packaged::Packaged;
use bristle_benches::regimes::{self, REGIMES, Regime};
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{SLIDING, steps};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Regime and communication step, as one line of the report.
fn cases() -> impl Iterator<Item = String> {
    REGIMES.iter().flat_map(|Regime { name, steps, .. }| steps.iter().map(move |h| format!("{name} {h}")))
}

#[divan::bench(args = cases(), sample_size = 2000)]
fn cycle(bencher: Bencher, case: &str) {
    measure(bencher, "FrDyn2", case);
}

#[divan::bench(args = cases(), sample_size = 2000)]
fn linear(bencher: Bencher, case: &str) {
    measure(bencher, "FrDyn2Linear", case);
}

fn measure(bencher: Bencher, element: &str, case: &str) {
    let (name, h) = case.split_once(' ').expect("a name and a step");
    let Regime { workload, order, .. } = regimes::find(name).expect("a regime of the list");
    let h: f64 = h.parse().expect("a number");
    let fmu = Fmu::packaged(element);
    let mut element = Packaged::new(&fmu, &workload.parameters, None);
    let inputs: Vec<_> = steps(SPAN, h).map(|t| Inputs::through(workload, t, h, *order)).collect();
    let mut inputs = inputs.iter().cycle();
    bencher.bench_local(|| inputs.next().map(|inputs| element.step_along(black_box(inputs), *order, h)));
}

#[divan::bench(sample_size = 10_000)]
fn floor(bencher: Bencher) {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Master::with_parameters(&fmu, &SLIDING.parameters);
    let contact = SLIDING.contact(0.0);
    bencher.bench_local(|| element.idle(black_box(contact)));
}
