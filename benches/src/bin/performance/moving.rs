//! The table of moving inputs: cost and error of ramps and parabolas from point to point beside held values.

use crate::tables::section;
use bristle_benches::clock::{self, Work};
use bristle_benches::inputs::Inputs;
use bristle_benches::motion::SPAN;
use bristle_benches::packaged::Packaged;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::frdyn2::Bristle;
use bristle_reference_laws::workloads::{MICRO_SINE, PRESSED, SLIDING_SINE, Workload, steps};
use std::hint::black_box;

/// The orders of the derivatives that a master gives: none, one, two.
const ORDERS: [usize; 3] = [0, 1, 2];

/// Measures and prints the table.
pub fn table(fmu: &Fmu) {
    let mut lines = vec![
        "| workload | H, s | held, ns (error) | ramps, ns (error) | parabolas, ns (error) |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (workload, h) in [SLIDING_SINE, MICRO_SINE, PRESSED].iter().flat_map(|w| [1e-3, 1e-4, 1e-5].map(|h| (w, h))) {
        let courses =
            ORDERS.map(|order| steps(SPAN, h).map(|t| Inputs::through(workload, t, h, order)).collect::<Vec<_>>());
        let errors = [0, 1, 2].map(|i| error(fmu, workload, &courses[i], h));
        let mut works: Vec<_> =
            courses.iter().zip(ORDERS).map(|(course, order)| cycles(fmu, workload, course, order, h)).collect();
        let costs = clock::medians(&mut works);
        let cells: Vec<_> = costs.iter().zip(errors).map(|(cost, error)| format!("{cost:.0} ({error:.1e})")).collect();
        lines.push(format!("| {} | {h:.0e} | {} |", workload.name, cells.join(" | ")));
    }
    section("moving", &lines);
}

/// The largest error of F_R over F_s at all communication points, from rest, against the reference under the same inputs.
fn error(fmu: &Fmu, workload: &Workload, course: &[Inputs], h: f64) -> f64 {
    let mut element = Packaged::new(fmu, &workload.parameters, None);
    let mut reference = Bristle::at_rest(workload.parameters, course[0].F_N[0]);
    course.iter().fold(0.0, |worst: f64, inputs| {
        let expected = reference.advance(|t| inputs.at(t), h);
        let force = element.follow(inputs, h).expect("a step that can be done").F_R;
        worst.max((force - expected).abs() / (workload.parameters.mu_s * inputs.at(h).F_N))
    })
}

/// Cycles through the inputs over and over, as work to be timed.
fn cycles<'a>(fmu: &'a Fmu, workload: &Workload, course: &'a [Inputs], order: usize, h: f64) -> Work<'a> {
    let mut element = Packaged::new(fmu, &workload.parameters, None);
    let run = move || {
        for inputs in course {
            black_box(element.step_along(black_box(inputs), order, h));
        }
    };
    Work { cycles: course.len(), run: Box::new(run) }
}
