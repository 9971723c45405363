//! What a cycle of a master costs: set two inputs, do a step, get the force, through the packaged shared library.
//!
//! Every sample runs a workload through 0.2 s of its motion, so the time shown is the mean over stick, break-away and
//! slip. `floor` is the same cycle with a status query in place of the step: what the calls alone cost.

use bristle_tests::drive::Driven;
use bristle_tests::host::Fmu;
use bristle_tests::workloads::{HEAVY, MICRO_SINE, REST, SLIDING, SLIDING_SINE, Workload, steps};
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// A sample's length, s: whole periods of every workload.
const SPAN: f64 = 0.2;

/// Cycles through a workload, over and over, its inputs calculated beforehand.
fn cycles(bencher: Bencher, workload: &Workload, h: f64) {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Driven::with(&fmu, &workload.parameters);
    let contacts: Vec<_> = steps(SPAN, h).map(|t| workload.contact(t)).collect();
    let mut step = 0_u32;
    bencher.bench_local(|| {
        let contact = black_box(contacts[step as usize % contacts.len()]);
        let force = element.step(contact, f64::from(step) * h, h);
        step += 1;
        force
    });
}

/// A bench per communication step.
macro_rules! workload {
    ($name:ident, $workload:expr, $($h_name:ident = $h:literal),*) => {
        mod $name {
            use super::*;
            $(
                #[divan::bench(sample_size = (SPAN / $h) as u32)]
                fn $h_name(bencher: Bencher) {
                    cycles(bencher, &$workload, $h);
                }
            )*
        }
    };
}

workload!(i_sliding_sine, SLIDING_SINE, h_1e_3 = 1e-3, h_1e_4 = 1e-4, h_1e_5 = 1e-5);
workload!(ii_micro_sine, MICRO_SINE, h_1e_3 = 1e-3, h_1e_4 = 1e-4, h_1e_5 = 1e-5);
workload!(iv_heavy, HEAVY, h_1e_3 = 1e-3, h_1e_4 = 1e-4);
workload!(sliding, SLIDING, h_1e_3 = 1e-3, h_1e_4 = 1e-4, h_1e_5 = 1e-5);
workload!(stick_at_rest, REST, h_1e_3 = 1e-3, h_1e_4 = 1e-4, h_1e_5 = 1e-5);

#[divan::bench(sample_size = 10_000)]
fn floor(bencher: Bencher) {
    let fmu = Fmu::packaged("FrDyn2");
    let mut element = Driven::with(&fmu, &SLIDING.parameters);
    let contact = SLIDING.contact(0.0);
    bencher.bench_local(|| element.idle(black_box(contact)));
}
