//! A body of 1 kg on FrDyn2 in FMPy, under plain masters with long communication steps: the effect
//! of `m_eff` in a loop in Python, and the body inside the element.

use bristle::catalogue::{Card, CardBlock};
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_rigs::test_bench::{G, StepLoad};
use bristle_tests::cards::{complete, exporter};
use bristle_tests::python::script;
use bristle_tests::test_bench::{Bench, STATIC_FRICTION};
use bristle_tests::tolerances::{
    FORCE, OBSERVER_BREAK_AWAY, OBSERVER_CREEP, OBSERVER_REST, OBSERVER_STICK,
};
use std::ffi::OsStr;

/// The communication step of `coupling.py`, s: twice the stability limit of held values.
const H: f64 = 1e-3;
/// A step at which they are stable, s.
const SHORT: f64 = 1e-5;

/// The body at the end of a communication step.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)] // the names of the variables
struct Row {
    u: f64,
    v: f64,
    F_R: f64,
    F_law: f64,
}

/// Output of `coupling.py`.
fn printed(m_eff: f64, load: StepLoad, steps: u32, middle: u32, interruption: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = folder.path().join("FrDyn2.fmu");
    let element = complete(Card::of_law("FrDyn2", ""));
    std::fs::write(
        &fmu,
        exporter()
            .export(&element)
            .expect("the element can be exported"),
    )
    .expect("a file");
    let numbers = [
        m_eff,
        load.force,
        load.duration,
        f64::from(steps),
        f64::from(middle),
    ]
    .map(|n| n.to_string());
    let options = numbers
        .iter()
        .map(String::as_str)
        .chain(interruption.iter().copied())
        .map(OsStr::new);
    script(
        "coupling.py",
        &[fmu.as_os_str()]
            .into_iter()
            .chain(options)
            .collect::<Vec<_>>(),
    )
}

/// Rows of a run, after a check of the log, which FMPy prints in lines of its own: messages about
/// the coupling that is not stated, else none.
#[allow(non_snake_case)]
fn run(m_eff: f64, load: StepLoad, steps: u32) -> Vec<Row> {
    let row = |line: &str| {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        let [u, v, F_R, F_law] = numbers[..] else {
            panic!("four numbers in {line}")
        };
        Row { u, v, F_R, F_law }
    };
    let printed = printed(m_eff, load, steps, 0, &[]);
    let (log, rows): (Vec<_>, Vec<_>) = printed.lines().partition(|line| line.starts_with('['));
    assert_eq!(log.is_empty(), m_eff > 0.0, "{log:?}");
    assert!(
        log.iter()
            .all(|line| line.starts_with("[WARNING]") && line.contains("m_eff")),
        "{log:?}"
    );
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    assert_eq!(rows.len(), steps as usize);
    rows
}

fn fastest(rows: &[Row]) -> f64 {
    rows.iter().map(|row| row.v.abs()).fold(0.0, f64::max)
}

/// Displacement of the body after this many steps of [`H`], with held values in short ones, m.
fn in_short_steps(load: StepLoad, steps: usize) -> f64 {
    let fmu = Fmu::packaged("FrDyn2");
    let parts = (H / SHORT).round() as usize;
    Bench::at_rest(&fmu, load, SHORT)
        .run()
        .nth(steps * parts - 1)
        .expect("it runs for ever")
        .u
}

#[test]
fn m_eff_keeps_stick_where_held_values_diverge() {
    let load = StepLoad {
        force: 0.95 * STATIC_FRICTION,
        duration: 1.0,
    };
    let [observed, held] = [1.0, 0.0].map(|m_eff| run(m_eff, load, 3000));

    let rest = &observed[1500..];
    let creep = rest
        .iter()
        .map(|row| (row.u - rest[0].u).abs())
        .fold(0.0, f64::max);
    let error = (rest[0].u - in_short_steps(load, 1501)).abs();
    println!("with m_eff: {creep:.1e} m of creep, {error:.1e} m beside short steps");
    assert!(
        creep < OBSERVER_CREEP && error < OBSERVER_STICK,
        "{creep} m, {error} m"
    );
    for row in rest {
        assert!(
            (row.F_R - load.force).abs() < OBSERVER_REST * STATIC_FRICTION,
            "{row:?}"
        );
    }

    println!("without: {:?}", held[2999]);
    assert!(
        held[2999].u > 1.0,
        "it holds without m_eff, too: {:?}",
        held[2999]
    );
}

#[test]
fn m_eff_breaks_away_at_f_s_where_held_values_chatter() {
    let load = StepLoad {
        force: 1.05 * STATIC_FRICTION,
        duration: 10.0,
    };
    let [observed, held] = [1.0, 0.0].map(|m_eff| run(m_eff, load, 8750));
    let reaches = (0..)
        .position(|step| load.at(H * f64::from(step)) > STATIC_FRICTION)
        .expect("it does");
    let bending = 1.5 * load.force / load.duration / PAPER.sigma_0;

    // Until then the body moves as its bristle bends. [0.996 times as fast]
    let before = fastest(&observed[..reaches]);
    assert!(before < 1.1 * bending, "{before} m/s in stick");
    let peak = observed.iter().map(|row| row.F_law).fold(0.0, f64::max) / STATIC_FRICTION;
    assert!(
        (1.0 - FORCE..=1.0).contains(&peak),
        "it breaks away at {peak} F_s"
    );
    let last = observed.last().expect("rows");
    let error = (last.u - in_short_steps(load, 8750)).abs();
    println!(
        "with m_eff: {before:.2e} m/s in stick, peak 1 - {:.1e}, {last:?}, {error:.1e} m beside \
         short steps",
        1.0 - peak
    );
    assert!(
        last.v > PAPER.v_s && error < OBSERVER_BREAK_AWAY,
        "{last:?}, {error} m"
    );

    let before = fastest(&held[..100]);
    println!("without: {before:.1e} m/s within 0.1 s");
    assert!(
        before > 1e3 * bending,
        "it sticks without m_eff, too: {before} m/s"
    );
}

#[test]
fn fmpy_restores_states_bit_for_bit() {
    let load = StepLoad {
        force: 1.05 * STATIC_FRICTION,
        duration: 1.0,
    };
    // From the middle of the break-away.
    let interrupted = |how: &[&str]| printed(1.0, load, 1000, 880, how);
    let whole = interrupted(&[]);
    assert_eq!(whole.lines().count(), 1000);
    assert_eq!(interrupted(&["saved"]), whole);
    assert_eq!(interrupted(&["serialised"]), whole);
    // An instance without the first steps moves differently.
    assert_ne!(interrupted(&["forgotten"]), whole);
}

/// Position (m) after 0.5 s of a block of 1 kg on a belt, on a spring to a base of this mass (kg)
/// that hangs on a spring of its own.
fn on_belt(base: f64) -> f64 {
    const H: f64 = 4e-6;
    type Y = [f64; 6];
    let rate = |[x, v, z, u, x_base, v_base]: Y| -> Y {
        let (friction, [rate_z, rate_u]) = PAPER.law(Contact::new(G, v - 0.1), [z, u]);
        let pull = 900.0 * (x - x_base) + 2.0 * (v - v_base);
        [
            v,
            -friction - pull,
            rate_z,
            rate_u,
            v_base,
            (pull - 2e4 * x_base - 20.0 * v_base) / base,
        ]
    };
    let moved = |y: Y, k: Y, h: f64| -> Y { std::array::from_fn(|i| y[i] + h * k[i]) };
    let end = (0..125_000).fold([0.0; 6], |y, _| {
        let k1 = rate(y);
        let k2 = rate(moved(y, k1, 0.5 * H));
        let k3 = rate(moved(y, k2, 0.5 * H));
        let k4 = rate(moved(y, k3, H));
        std::array::from_fn(|i| y[i] + H / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
    });
    end[0]
}

#[test]
fn block_follows_the_monolithic_solution_in_the_orders_of_fmpy_simulink_and_ssp() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let fmu = folder.path().join("Block.fmu");
    let block = Some(CardBlock {
        mass: 1.0,
        stiffness: 900.0,
        damping: 2.0,
    });
    let element = complete(Card {
        block,
        ..Card::of_law("FrDyn2", "")
    });
    std::fs::write(
        &fmu,
        exporter()
            .export(&element)
            .expect("the element can be exported"),
    )
    .expect("a file");
    let [alone, coupled] = [1e12, 5.0].map(on_belt);
    // FMPy's log has lines of its own: the base is a block without contact.
    let printed = script("block_masters.py", &[fmu.as_os_str()]);
    let mut runs = 0;
    for line in printed.lines().filter(|line| !line.starts_with('[')) {
        let [master, h, x] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("three words in {line}")
        };
        let [h, x]: [f64; 2] = [h, x].map(|number| number.parse().expect("a number"));
        // The force on a base of 5 kg is that of the step before.
        let (expected, bound) = if master == "fmpy" {
            (alone, 1e-9)
        } else {
            (coupled, 0.03 * h)
        };
        println!(
            "{master}, H = {h:e} s: {x} m, off by {:.1e} m",
            x - expected
        );
        assert!((x - expected).abs() < bound, "{line}: {expected}");
        runs += 1;
    }
    assert_eq!(runs, 6, "{printed}");
}
