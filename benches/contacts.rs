//! Many contacts in one process: N instances stepped one after the other, each at its own phase of workload (i), and the
//! cost of making and freeing an instance.

use bristle_benches::motion::SPAN;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::workloads::{SLIDING_SINE, steps};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Communication step, s.
const H: f64 = 1e-4;

/// A round of N contacts; the items are steps of a contact.
#[divan::bench(args = [1, 8, 64, 512, 1024], sample_size = 50)]
fn contacts(bencher: Bencher, count: usize) {
    let fmu = Fmu::packaged("FrDyn2");
    let mut elements: Vec<_> = (0..count).map(|_| Master::with_parameters(&fmu, &SLIDING_SINE.parameters)).collect();
    let motion: Vec<_> = steps(SPAN, H).map(|t| SLIDING_SINE.contact(t)).collect();
    let mut step = 0_u32;
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for (i, element) in elements.iter_mut().enumerate() {
            // A prime number apart, so that they are nowhere at the same place.
            let contact = motion[(step as usize + 61 * i) % motion.len()];
            black_box(element.step(black_box(contact), f64::from(step) * H, H));
        }
        step += 1;
    });
}

/// From `fmi2Instantiate` to `fmi2ExitInitializationMode`, and `fmi2FreeInstance`.
#[divan::bench(sample_size = 50)]
fn instantiation(bencher: Bencher) {
    let fmu = Fmu::packaged("FrDyn2");
    bencher.bench_local(|| drop(black_box(Master::start(&fmu, &[]))));
}
