//! Cost of a communication step of each packaged element with its default parameters under workload (i): the table of
//! docs/elements.md, with its stick by the results of `cargo xtask creep`. `cargo xtask elements` calls it and puts it there.

use bristle::catalogue::{ELEMENTS, Model};
use bristle::law::{A, F_T, Phenomena};
use bristle_benches::clock::{Work, medians};
use bristle_benches::stick::Stick;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::workloads::steps;
use core::f64::consts::TAU;

/// Communication steps, s.
const STEPS: [f64; 2] = [1e-3, 1e-4];
/// One period of the motion, s.
const SPAN: f64 = 0.2;

/// v = 0.02 sin 2π5t under the weight of 1 kg, with its acceleration and a force that makes the contact stick and slide.
fn contact(t: f64) -> Contact {
    let (omega, amplitude) = (TAU * 5.0, 0.02);
    Contact {
        F_N: 9.81,
        v: amplitude * libm::sin(omega * t),
        a: amplitude * omega * libm::cos(omega * t),
        F_t: 6.0 * libm::sin(omega * t + 0.5),
    }
}

fn main() {
    let results = std::env::args().nth(1).expect("name the results of `cargo xtask creep`");
    let stick = Stick::read(&std::fs::read_to_string(results).expect("the results can be read"));
    println!("<!-- begin elements -->");
    println!(
        "| element | kind | further inputs | Stribeck | pre-sliding | memory | break-away growth | stick, constant load | stick, pulsating \
         load | step of 1e-3 s, ns | of 1e-4 s, ns |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---:|---:|");
    for entry in &ELEMENTS {
        let [coarse, fine] = costs(entry);
        let metadata = entry.metadata;
        let [constant, pulsating] = stick.entries(metadata.name);
        let further = [A, F_T].into_iter().filter(|input| entry.variable(input.reference).is_some());
        let further: Vec<_> = further.map(|input| format!("`{}`", input.name)).collect();
        let Phenomena { stribeck, pre_sliding, memory, break_away_growth, .. } = metadata.phenomena;
        let shows = [stribeck, pre_sliding, memory, break_away_growth];
        let shows = shows.map(|shows| if shows { "yes" } else { "\u{2013}" }).join(" | ");
        println!(
            "| `{}` | {} | {} | {shows} | {constant} | {pulsating} | {coarse:.0} | {fine:.0} |",
            metadata.name,
            metadata.kind,
            further.join(", ")
        );
    }
    println!("<!-- end elements -->");
}

/// Median nanoseconds of a cycle, for each of [`STEPS`].
fn costs(entry: &Model) -> [f64; 2] {
    let fmu = Fmu::packaged(entry.metadata.name);
    let mut works: Vec<_> = STEPS
        .map(|h| {
            let contacts: Vec<_> = steps(SPAN, h).map(contact).collect();
            let mut element = Master::start(&fmu, &[]);
            let (cycles, mut t) = (contacts.len(), 0.0);
            let run = move || {
                for contact in &contacts {
                    std::hint::black_box(element.step(*contact, t, h));
                    t += h;
                }
            };
            Work { cycles, run: Box::new(run) }
        })
        .into();
    let medians = medians(&mut works);
    [medians[0], medians[1]]
}
