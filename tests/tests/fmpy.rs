//! FMPy, the importer that most users meet first, runs the packaged FMU: Co-Simulation, Model
//! Exchange with CVode, and the examples of the README and of the tutorials.

use bristle::catalogue::ELEMENTS;
use bristle_importer::fmu::packaged_path;
use bristle_reference_laws::frdyn2::{Bristle, PAPER};
use bristle_reference_laws::workloads::WEIGHT;
use bristle_reference_laws::{
    AdamsStickSlip, Armstrong, BrownMcPhee, Contact, Coulomb, Dahl, InputTrajectory, LawParameters,
    LuGre, ModelicaFriction, NonReversible, PoppStelter, SimpackStickSlip, StaticRegularized,
    Stefanski2003, Stefanski2006, Stribeck,
};
use bristle_tests::cards;
use bristle_tests::python::{interpreter, printed, script};
use bristle_tests::tolerances::{CVODE, CVODE_TOLERANCES, FORCE, LAGGING_INPUTS, ROUNDING};
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// A communication point as FMPy recorded it.
#[derive(Clone, Copy, Debug)]
struct Row {
    time: f64,
    contact: Contact,
    force: f64,
    sticking: bool,
}

/// Runs the sine of `simulate.py`.
fn simulate(interface: &str, stop_time: &str, interval: &str, tolerance: &str) -> Vec<Row> {
    let fmu = packaged_path("FrDyn2");
    let arguments = [interface, stop_time, interval, tolerance].map(OsStr::new);
    let printed = script(
        "simulate.py",
        &[&[fmu.as_os_str()][..], &arguments].concat(),
    );
    // FMPy prints the log in lines of its own: here that the coupling is not stated, of a
    // prescribed motion.
    let rows = printed
        .lines()
        .filter(|line| !line.starts_with('['))
        .map(|line| {
            let numbers: Vec<f64> = line
                .split(' ')
                .map(|number| number.parse().expect("a number"))
                .collect();
            let [time, normal_force, v, force, sticking] = numbers[..] else {
                panic!("five numbers in {line}")
            };
            Row {
                time,
                contact: Contact::new(normal_force, v),
                force,
                sticking: sticking != 0.0,
            }
        });
    rows.collect()
}

#[test]
fn fmpy_co_simulation_error_is_below_1e_6_f_s() {
    for (interval, points) in [("1e-3", 1001), ("1e-4", 10_001)] {
        let rows = simulate("CoSimulation", "1.0", interval, "1e-6");
        assert_eq!(rows.len(), points);
        let mut reference = Bristle::at_rest(PAPER, WEIGHT);
        let mut worst = 0.0_f64;
        for pair in rows.windows(2) {
            // FMPy records after a step the input that was held over it.
            let [before, row] = [pair[0], pair[1]];
            let expected = reference.step(row.contact, row.time - before.time);
            let error = (row.force - expected).abs() / (PAPER.mu_s * WEIGHT);
            assert!(error <= FORCE, "{row:?}: {expected} was expected");
            worst = error.max(worst);
        }
        // The input moves through both signs.
        let fastest = rows
            .iter()
            .map(|row| row.contact.v.abs())
            .fold(0.0, f64::max);
        assert!(fastest > 0.0199 && rows.iter().all(|row| row.contact.F_N == WEIGHT));
        println!("Co-Simulation in FMPy, H = {interval} s: {worst:.1e} F_s");
    }
}

#[test]
fn fmpy_cvode_integrates_frdyn2_through_stick_break_away_and_slip() {
    for tolerance in CVODE_TOLERANCES {
        let rows = simulate("ModelExchange", "0.2", "1e-3", &tolerance.to_string());
        let mut reference = Bristle::at_rest(PAPER, WEIGHT);
        let (mut worst, mut points) = (0.0_f64, 0);
        for pair in rows.windows(2) {
            let [before, row] = [pair[0], pair[1]];
            let expected = if row.time > before.time {
                points += 1;
                reference.step(row.contact, row.time - before.time)
            } else {
                // After the event: the new velocity meets the bristle as it is.
                PAPER.law(row.contact, reference.x).0
            };
            let error = (row.force - expected).abs() / (PAPER.mu_s * WEIGHT);
            assert!(
                error <= CVODE * tolerance,
                "{row:?}: {expected} was expected"
            );
            worst = error.max(worst);
        }
        assert_eq!(points, 200);
        let sticking = rows.iter().filter(|row| row.sticking).count();
        println!(
            "CVode in FMPy at {tolerance:e}: {worst:.1e} F_s, {sticking} of {} rows in stick",
            rows.len()
        );
        assert!(0 < sticking && sticking < rows.len() / 4);
    }
}

/// Compares F_R in `motion.py` with the reference law, row by row; `tolerance` is of the largest
/// friction under slow motion.
#[allow(non_snake_case)] // the papers' symbols
fn motion<L: LawParameters>(law: &L, tolerance: f64) {
    let fmu = packaged_path(L::ELEMENT);
    let parameters: Vec<String> = law
        .parameters()
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let options = ["0.4", "1e-3", "1e-6"]
        .into_iter()
        .chain(parameters.iter().map(String::as_str))
        .map(OsStr::new);
    let printed = script(
        "motion.py",
        &[fmu.as_os_str()]
            .into_iter()
            .chain(options)
            .collect::<Vec<_>>(),
    );
    let row = |line: &str| -> [f64; 6] {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        numbers.try_into().expect("six numbers")
    };
    let mut lines = printed.lines();
    let events: u32 = lines
        .next()
        .and_then(|line| line.parse().ok())
        .expect("the number of events");
    let rows: Vec<_> = lines.map(row).collect();
    assert_eq!(rows.len(), 401);
    let mut reference = law.at_rest();
    let mut worst: f64 = 0.0;
    for pair in rows.windows(2) {
        let [[start, before @ ..], [end, after @ ..]] = [pair[0], pair[1]];
        let course = |t: f64| {
            let part = t / (end - start);
            let [F_N, v, a, F_t] =
                core::array::from_fn(|i| before[i] + part * (after[i] - before[i]));
            Contact { F_N, v, a, F_t }
        };
        let expected = reference.advance(&InputTrajectory::Moving(&course), end - start);
        let error = (after[4] - expected).abs() / (reference.static_friction() * after[0]);
        assert!(
            error <= tolerance,
            "{}: {} N for {expected} N at {end} s, {error:.1e} off",
            L::ELEMENT,
            after[4]
        );
        worst = error.max(worst);
    }
    println!(
        "{:17} {events:3} events, F_R within {worst:.1e}",
        L::ELEMENT
    );
    // Four reversals of v, four of a, and a break-away after each.
    assert!(events <= 30, "{}: {events} events", L::ELEMENT);
}

#[test]
fn fmpy_cvode_matches_laws_without_states_to_rounding() {
    motion(&StaticRegularized::default(), ROUNDING);
    motion(
        &Stribeck {
            mu_s: 0.15,
            ..Stribeck::paper()
        },
        ROUNDING,
    );
    motion(
        &BrownMcPhee {
            mu_s: 0.15,
            ..BrownMcPhee::paper()
        },
        ROUNDING,
    );
    motion(&PoppStelter::default(), ROUNDING);
    motion(&NonReversible::default(), ROUNDING);
    motion(&Stefanski2003::default(), ROUNDING);
    motion(&Stefanski2006::default(), ROUNDING);
    motion(&Coulomb::default(), ROUNDING);
    motion(
        &ModelicaFriction {
            peak: 1.2,
            ..ModelicaFriction::paper()
        },
        ROUNDING,
    );
}

#[test]
fn fmpy_cvode_matches_laws_with_states_within_the_input_lag() {
    // CVODE in FMPy gives up after 500 steps in an output interval, which stiff bristles of first
    // order need at this tolerance.
    motion(&Dahl::paper(), LAGGING_INPUTS);
    motion(
        &LuGre {
            mu_s: 0.15,
            ..LuGre::paper()
        },
        LAGGING_INPUTS,
    );
    motion(&Armstrong::default(), LAGGING_INPUTS);
    motion(&SimpackStickSlip::default(), LAGGING_INPUTS);
    motion(&AdamsStickSlip::default(), LAGGING_INPUTS);
}

/// Output of the block of Python that imports an FMU from a page, run in a folder with FrDyn2.fmu
/// at `fmu`; with the FMU of an element in place of FrDyn2's.
fn example_of(page: &str, fmu: &str, element: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text =
        std::fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    // The block that imports an FMU; that of the package is tested with the package.
    let code = block_of(&text, "python", "fmpy");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(fmu);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder in it");
    std::fs::copy(
        packaged_path(element),
        path.with_file_name(format!("{element}.fmu")),
    )
    .expect("the packaged FMU");
    let code = code.replace("FrDyn2.fmu", &format!("{element}.fmu"));
    let said = printed(
        Command::new(interpreter())
            .arg("-c")
            .arg(code)
            .current_dir(&folder),
    );
    println!("{said}");
    said
}

/// Text of the only block of a page in this language that contains `part`.
fn block_of<'a>(page: &'a str, language: &str, part: &str) -> &'a str {
    let start = format!("```{language}\n");
    let blocks = page
        .split(&*start)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("```")?.0));
    let found: Vec<_> = blocks.filter(|block| block.contains(part)).collect();
    let [block] = found[..] else {
        panic!("one block of {language} with {part}, not {}", found.len())
    };
    block
}

/// The number that an example prints first, after the lines of the log.
fn first_number(said: &str) -> f64 {
    let line = said.lines().find(|line| !line.starts_with('['));
    let word = line.and_then(|line| line.split(' ').next());
    word.and_then(|word| word.parse().ok())
        .unwrap_or_else(|| panic!("no number: {said}"))
}

#[test]
fn example_of_the_readme_gives_the_sliding_force_with_every_element() {
    for model in ELEMENTS {
        let name = model.metadata.name;
        // Beside the FMU of a release.
        let force = first_number(&example_of("README.md", "FrDyn2.fmu", name));
        // These have not fallen to mu_d at 0.02 m/s.
        let tolerance = match name {
            "BrownMcPhee" => 0.2,
            "PoppStelter" => 0.15,
            "NonReversible" | "Armstrong" => 0.03,
            _ => 1e-6,
        };
        assert!(
            (force / (0.3 * 9.81) - 1.0).abs() <= tolerance,
            "{name}: {force} N"
        );
    }
}

#[test]
fn example_of_the_tutorial_reaches_the_static_friction_force() {
    // As `cargo xtask package` leaves the FMUs.
    let peak = first_number(&example_of(
        "docs/tutorial-first-fmu.md",
        "target/fmu/FrDyn2.fmu",
        "FrDyn2",
    ));
    let static_friction = 0.6 * 9.81;
    assert!(
        0.9 * static_friction < peak && peak <= static_friction,
        "{peak} N"
    );
}

#[test]
fn block_of_the_tutorial_rests_and_slides_as_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/tutorial-first-fmu.md")).expect("the page");
    let is_no_picture = |line: &&str| !line.starts_with("plt.") && !line.contains("matplotlib");
    let code = block_of(&page, "python", "friction_element").lines();
    let code = code.filter(is_no_picture).collect::<Vec<_>>().join("\n");
    let fmu = packaged_path("FrDyn2").display().to_string();
    let said = printed(
        Command::new(interpreter())
            .args(["-B", "-c"])
            .arg(code.replace("target/fmu/FrDyn2.fmu", &fmu))
            .env("PYTHONPATH", root.join("examples")),
    );
    let said = said.lines().last().expect("a line");
    assert!(page.contains(&format!("`{said}`")), "{said}");
}

#[test]
fn pendulum_of_the_tutorial_of_joints_rests_where_the_page_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/tutorial-joint.md")).expect("the page");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("pad.csv"), block_of(&page, "csv", "mu")).expect("the curve");
    let card = folder.path().join("joint.toml");
    std::fs::write(&card, block_of(&page, "toml", "rotational")).expect("the card");
    let variant =
        bristle_export::card::read_file(&card, &ELEMENTS).unwrap_or_else(|fault| panic!("{fault}"));
    let fmu = cards::exporter()
        .export(&variant)
        .expect("the joint can be exported");
    std::fs::write(folder.path().join("Joint.fmu"), fmu).expect("the FMU");
    let run = |code: &str| {
        let said = printed(
            Command::new(interpreter())
                .arg("-c")
                .arg(code)
                .current_dir(&folder),
        );
        said.lines().last().expect("a line").to_owned()
    };
    let code = block_of(&page, "python", "fmpy");
    let said = run(code);
    assert!(page.contains(&format!("\n{said}\n")), "{said}");
    // Long steps: with and without the inertia.
    let long = code
        .replace("1e-3 ", "2e-2 ")
        .replace("range(10000)", "range(500)");
    assert!(long.matches("2e-2").count() == 1 && long.contains("range(500)"));
    let held: Vec<_> = long
        .lines()
        .filter(|line| !line.contains("J_eff"))
        .collect();
    let said = run(&long);
    assert!(
        (first_number(&said) - 0.0292).abs() < 2e-4 && page.contains("to rest at 0.0292 rad"),
        "{said}"
    );
    // Without the inertia the torque jumps, and rounding decides on the place.
    let said = run(&held.join("\n"));
    assert!(
        first_number(&said) < 0.01 && page.contains("to within 0.01 rad"),
        "{said}"
    );
}
