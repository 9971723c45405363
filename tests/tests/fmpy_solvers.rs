//! SciPy's `solve_ivp` runs the packaged FMUs in Model Exchange: it locates their events itself,
//! and reads discrete values at events only.

use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::{Fmu, packaged_path};
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::workloads::{WEIGHT, sliding};
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, InputTrajectory, LawParameters,
    LuGre, ModelicaFriction, NonReversible, PoppStelter, SimpackStickSlip, StaticRegularized,
    Stefanski2003, Stefanski2006, Stribeck,
};
use bristle_tests::python::script;
use core::f64::consts::TAU;
use std::ffi::OsStr;

/// Most events of a run: it has four reversals of v, four of a, and a break-away after each.
const MOST_EVENTS: usize = 30;

/// Point of a run: time, contact, F_R, displacement.
struct Row {
    time: f64,
    contact: Contact,
    force: f64,
    displacement: f64,
}

/// Runs a rig of `solve_ivp.py`: the number of events, and the rows.
#[allow(non_snake_case)] // the papers' symbols
fn solve(element: &str, rig: &str, parameters: &[(&str, f64)]) -> (usize, Vec<Row>) {
    let fmu = packaged_path(element);
    let parameters: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let options = [rig]
        .into_iter()
        .chain(parameters.iter().map(String::as_str))
        .map(OsStr::new);
    let printed = script(
        "solve_ivp.py",
        &[fmu.as_os_str()]
            .into_iter()
            .chain(options)
            .collect::<Vec<_>>(),
    );
    let mut lines = printed.lines();
    let events = lines
        .next()
        .and_then(|line| line.parse().ok())
        .expect("the number of events");
    let rows = lines.map(|line| {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        let [time, F_N, v, a, F_t, force, displacement] = numbers[..] else {
            panic!("seven numbers in {line}")
        };
        Row {
            time,
            contact: Contact { F_N, v, a, F_t },
            force,
            displacement,
        }
    });
    (events, rows.collect())
}

/// Compares F_R in a prescribed motion with the reference law; `tolerance` is of the largest
/// friction under slow motion.
fn motion<L: LawParameters>(law: &L, tolerance: f64) {
    let (events, rows) = solve(L::ELEMENT, "motion", &law.parameters());
    assert_eq!(rows.len(), 101);
    let mut reference = law.at_rest();
    let mut worst: f64 = 0.0;
    for pair in rows.windows(2) {
        let [start, end] = [pair[0].time, pair[1].time];
        let expected = reference.advance(
            &InputTrajectory::Moving(&|t| sliding(start + t)),
            end - start,
        );
        let error =
            (pair[1].force - expected).abs() / (reference.static_friction() * pair[1].contact.F_N);
        assert!(
            error <= tolerance,
            "{}: {} N for {expected} N at {end} s",
            L::ELEMENT,
            pair[1].force
        );
        worst = error.max(worst);
    }
    println!(
        "{:17} {events:3} events, F_R within {worst:.1e}",
        L::ELEMENT
    );
    assert!(events <= MOST_EVENTS, "{}: {events} events", L::ELEMENT);
}

#[test]
fn scipy_matches_laws_without_states() {
    motion(&StaticRegularized::default(), 1e-9);
    motion(
        &Stribeck {
            mu_s: 0.15,
            ..Stribeck::paper()
        },
        1e-9,
    );
    motion(
        &BrownMcPhee {
            mu_s: 0.15,
            ..BrownMcPhee::paper()
        },
        1e-9,
    );
    motion(&PoppStelter::default(), 1e-9);
    motion(&NonReversible::default(), 1e-9);
    motion(&Stefanski2003::default(), 1e-9);
    motion(&Stefanski2006::default(), 1e-9);
    motion(&Coulomb::default(), 1e-9);
    motion(
        &ModelicaFriction {
            peak: 1.2,
            ..ModelicaFriction::paper()
        },
        1e-9,
    );
}

#[test]
fn scipy_matches_laws_with_states() {
    motion(&Dahl::paper(), 1e-6);
    motion(
        &LuGre {
            mu_s: 0.15,
            ..LuGre::paper()
        },
        1e-6,
    );
    motion(&SimpackStickSlip::default(), 1e-6);
    motion(&AdamsStickSlip::default(), 1e-6);
    // The delayed velocity is interpolated linearly between the solver's steps.
    motion(&Armstrong::default(), 1e-3);
}

/// Displacement of a body of 1 kg that a master steps with the element in Co-Simulation, at the
/// times of `rows`.
fn co_simulated(element: &str, rows: &[Row]) -> Vec<f64> {
    const H: f64 = 2e-6;
    let load = |t: f64| 1.2 * 0.6 * WEIGHT * libm::sin(TAU * 5.0 * t);
    let fmu = Fmu::packaged(element);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    let has_load = fmu
        .description
        .variables
        .iter()
        .any(|variable| variable.name == "F_t");
    instance.set("F_N", WEIGHT);
    let [velocity, force] = ["v", "F_R"].map(|name| fmu.description.reference(name));
    let applied = has_load.then(|| fmu.description.reference("F_t"));
    let (mut u, mut v, mut step) = (0.0, 0.0, 0_u32);
    let at = |row: &Row| {
        while f64::from(step) * H < row.time - 0.5 * H {
            let t = f64::from(step) * H;
            let status = instance.set_real(&[velocity], &[v]);
            instance.ok(status);
            if let Some(applied) = applied {
                let status = instance.set_real(&[applied], &[load(t) + v / H]);
                instance.ok(status);
            }
            let status = instance.do_step(t, H);
            instance.ok(status);
            let mut friction = [f64::NAN];
            let status = instance.get_real(&[force], &mut friction);
            instance.ok(status);
            v += H * (load(t + 0.5 * H) - friction[0]);
            u += H * v;
            step += 1;
        }
        u
    };
    rows.iter().map(at).collect()
}

#[test]
fn scipy_moves_a_body_as_co_simulation_does() {
    for element in [
        "FrDyn2",
        "FrDyn2Linear",
        "StaticRegularized",
        "Coulomb",
        "BrownMcPhee",
        "Armstrong",
        "Dahl",
        "LuGre",
        "ModelicaFriction",
        "SimpackStickSlip",
        "AdamsStickSlip",
    ] {
        let (events, rows) = solve(element, "body", &[]);
        let expected = co_simulated(element, &rows);
        let size = expected.iter().fold(0.0, |size: f64, u| size.max(u.abs()));
        let errors = rows
            .iter()
            .zip(&expected)
            .map(|(row, expected)| (row.displacement - expected).abs() / size);
        let worst = errors.fold(0.0, f64::max);
        println!("{element:17} {events:3} events, displacement within {worst:.1e}");
        assert!(
            worst <= 1e-3 && events <= MOST_EVENTS,
            "{element}: {events} events, {worst:.1e}"
        );
    }
}
