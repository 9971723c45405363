//! Cost of several contacts in one FMU, of contacts in the plane and of measured characteristics, beside the element of one contact.
//!
//! The items of `together` and `alone` are steps of a contact: sixteen in one FMU, set and read in one call each, and sixteen FMUs.

use bristle::catalogue::{Card, Contacts, MeasuredCurve, Motion};
use bristle_benches::card;
use bristle_benches::motion::SPAN;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_reference_laws::workloads::{SLIDING_SINE, WEIGHT, steps};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

fn main() {
    divan::main();
}

/// Communication step, s.
const H: f64 = 1e-4;
const CONTACTS: usize = 16;

fn start(fmu: &Fmu) -> Instance<'_> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let status = instance.setup_experiment(None, 0.0, None);
    instance.ok(status);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

/// Velocities of a span, m/s: rest, steady sliding, and workload (i).
fn velocities(regime: &str) -> Vec<f64> {
    steps(SPAN, H)
        .map(|t| match regime {
            "rest" => 0.0,
            "sliding" => 0.1,
            _ => SLIDING_SINE.contact(t).v,
        })
        .collect()
}

/// Sets inputs, makes a step and gets outputs, one call each.
struct Cycle<'a> {
    instance: Instance<'a>,
    inputs: Vec<u32>,
    values: Vec<f64>,
    outputs: Vec<u32>,
    results: Vec<f64>,
    step: u32,
}

impl<'a> Cycle<'a> {
    fn new(fmu: &'a Fmu, inputs: &[String], outputs: &[String]) -> Self {
        let references = |names: &[String]| names.iter().map(|name| fmu.description.reference(name)).collect();
        Cycle {
            instance: start(fmu),
            inputs: references(inputs),
            values: vec![0.0; inputs.len()],
            outputs: references(outputs),
            results: vec![0.0; outputs.len()],
            step: 0,
        }
    }

    #[inline]
    fn run(&mut self) {
        let status = self.instance.set_real(&self.inputs, &self.values);
        self.instance.ok(status);
        let status = self.instance.do_step(f64::from(self.step) * H, H);
        self.instance.ok(status);
        let status = self.instance.get_real(&self.outputs, &mut self.results);
        self.instance.ok(status);
        black_box(&self.results);
        self.step += 1;
    }
}

#[divan::bench(args = ["rest", "sliding", "(i)"], sample_size = 200)]
fn together(bencher: Bencher, regime: &str) {
    let several = |card: &mut Card| {
        card.contacts = Some(Contacts { count: CONTACTS as u32, ..Contacts::default() });
    };
    let fmu = card::load("FrDyn2", several);
    let of = |name: &str| (1..=CONTACTS).map(move |i| format!("{name}[{i}]")).collect::<Vec<_>>();
    let mut cycle = Cycle::new(&fmu, &[of("F_N"), of("v")].concat(), &of("F_R"));
    cycle.values[..CONTACTS].fill(WEIGHT);
    let motion = velocities(regime);
    bencher.counter(ItemsCount::new(CONTACTS)).bench_local(|| {
        for i in 0..CONTACTS {
            cycle.values[CONTACTS + i] = motion[(cycle.step as usize + 61 * i) % motion.len()];
        }
        cycle.run();
    });
}

#[divan::bench(args = ["rest", "sliding", "(i)"], sample_size = 200)]
fn alone(bencher: Bencher, regime: &str) {
    let fmu = Fmu::packaged("FrDyn2");
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut cycles: Vec<_> = (0..CONTACTS).map(|_| Cycle::new(&fmu, &names(&["F_N", "v"]), &names(&["F_R"]))).collect();
    let motion = velocities(regime);
    bencher.counter(ItemsCount::new(CONTACTS)).bench_local(|| {
        for (i, cycle) in cycles.iter_mut().enumerate() {
            cycle.values.copy_from_slice(&[WEIGHT, motion[(cycle.step as usize + 61 * i) % motion.len()]]);
            cycle.run();
        }
    });
}

/// A contact in the plane: along a line, on a circle of 1 mm, and in stick on one of 0.1 µm, with v held over a step.
#[divan::bench(args = ["line (i)", "circle", "stick"], sample_size = 2000)]
fn planar(bencher: Bencher, path: &str) {
    for_each_law(
        bencher,
        |card| card.motion = Motion::Planar,
        &["F_N", "v_x", "v_y"],
        &["F_R_x", "F_R_y"],
        |t| {
            let (cos, sin) = (libm::cos(31.4 * t), libm::sin(31.4 * t));
            match path {
                "line (i)" => [0.8, 0.6].map(|part| part * SLIDING_SINE.contact(t).v).to_vec(),
                "circle" => vec![0.0314 * cos, 0.0314 * sin],
                _ => vec![3.14e-6 * cos, 3.14e-6 * sin],
            }
        },
    );
}

/// A contact along a line: the first component of these velocities, or the motion itself.
#[divan::bench(args = ["line (i)", "circle", "stick"], sample_size = 2000)]
fn line(bencher: Bencher, path: &str) {
    for_each_law(
        bencher,
        |_| {},
        &["F_N", "v"],
        &["F_R"],
        |t| {
            let cos = libm::cos(31.4 * t);
            vec![match path {
                "line (i)" => SLIDING_SINE.contact(t).v,
                "circle" => 0.0314 * cos,
                _ => 3.14e-6 * cos,
            }]
        },
    );
}

/// A measured characteristic of ten points.
#[divan::bench(sample_size = 2000)]
fn measured(bencher: Bencher) {
    let points = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0].map(|v| [1e-3 * v, 0.6 - 0.03 * (v - 1.0)]);
    let curve = MeasuredCurve { points: points.to_vec(), ..MeasuredCurve::default() };
    for_each_law(
        bencher,
        |card| card.characteristic = Some(curve.clone()),
        &["F_N", "v"],
        &["F_R"],
        |t| vec![SLIDING_SINE.contact(t).v],
    );
}

fn for_each_law(
    bencher: Bencher,
    change: impl Fn(&mut Card),
    inputs: &[&str],
    outputs: &[&str],
    velocity: impl Fn(f64) -> Vec<f64>,
) {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let fmu = card::load("FrDyn2Linear", change);
    let mut cycle = Cycle::new(&fmu, &names(inputs), &names(outputs));
    cycle.values[0] = WEIGHT;
    let motion: Vec<_> = steps(SPAN, H).map(velocity).collect();
    bencher.bench_local(|| {
        let v = &motion[cycle.step as usize % motion.len()];
        cycle.values[1..].copy_from_slice(v);
        cycle.run();
    });
}
