//! FrDyn2 as an element: rest, cycles, oscillation; agreement with the general integrator; the constants in `docs/internals/numerics.md`.

use super::metadata::Z;
use super::test_cases::G;
use super::*;
use crate::element::{AnyElement, E_LOSS, Element, F_N, F_R, MIN_TOLERANCE, STICKING, V};

#[test]
fn the_force_oscillates_at_constant_velocity_above_the_stability_limit() {
    // F_R oscillates between 0.33 and 0.57 F_N at 70 N; below the limit a constant velocity gives a constant force.
    let range = |normal_force: f64| {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set(&F_N, normal_force);
        element.set(&V, 4.5e-3);
        let forces: Vec<f64> = (0..4000)
            .map(|_| {
                element.advance(1e-5).unwrap();
                element.values()[&F_R] / normal_force
            })
            .collect();
        let late = &forces[2000..];
        (late.iter().copied().fold(f64::MAX, f64::min), late.iter().copied().fold(f64::MIN, f64::max))
    };
    let (low, high) = range(70.0);
    assert!((low - 0.33).abs() < 0.01 && (high - 0.57).abs() < 0.01, "{low} … {high}");
    let (low, high) = range(50.0);
    assert!(high - low < 1e-6, "{low} … {high}");
}

#[test]
fn rest_and_loaded_stick_are_bitwise_constant() {
    let mut element = Element::<FrDyn2, 2>::new();
    element.set(&F_N, G);
    for _ in 0..1000 {
        element.advance(1e-3).unwrap();
    }
    assert_eq!((element.values()[&F_R], element.values()[&Z]), (0.0, 0.0));

    element.set(&Z, 1e-6);
    element.advance(1.0).unwrap();
    let loaded = *element.values();
    assert!((loaded[&F_R] - 5.0).abs() < 1e-12 && loaded[&STICKING] == 1.0);
    for _ in 0..1000 {
        element.advance(1e-3).unwrap();
    }
    assert_eq!((loaded[&F_R], loaded[&Z]), (element.values()[&F_R], element.values()[&Z]));
}

#[test]
fn closed_cycles_dissipate_energy() {
    for amplitude in [1e-6, 1e-4, 1e-2] {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set_tolerance(MIN_TOLERANCE);
        element.set(&F_N, G);
        let (n, period) = (2000, 0.1);
        let h = period / f64::from(n);
        let mut per_cycle = Vec::new();
        for cycle in 0..3 {
            let before = element.values()[&E_LOSS];
            for i in 0..n {
                let phase = core::f64::consts::TAU * (f64::from(i) + 0.5) / f64::from(n);
                element.set(&V, amplitude * core::f64::consts::TAU / period * libm::cos(phase));
                element.advance(h).unwrap();
            }
            per_cycle.push(element.values()[&E_LOSS] - before);
            assert!(per_cycle[cycle] > 0.0, "amplitude {amplitude}: {per_cycle:?}");
        }
        assert!((per_cycle[2] - per_cycle[1]).abs() < 1e-3 * per_cycle[1], "a steady loop: {per_cycle:?}");
    }
}

#[test]
fn an_element_by_the_general_integrator_alone_agrees_within_the_tolerance() {
    let (mut fast, mut general) = (Element::<FrDyn2, 2>::new(), Element::<FrDyn2ByGeneralIntegrator, 2>::new());
    let mut random = super::test_cases::random(7);
    let (mut loss, mut worst) = ([0.0; 2], 0.0_f64);
    for i in 0..2000 {
        let (normal_force, v) = (G * (1.5 + random()), [1e-4, 1e-3, 1e-2, 1e-1][i % 4] * random());
        for element in [&mut fast as &mut dyn AnyElement, &mut general] {
            element.set(&F_N, normal_force);
            element.set(&V, v);
            element.advance(1e-4).unwrap();
        }
        let [a, b] = [fast.values()[&F_R], general.values()[&F_R]];
        worst = worst.max((a - b).abs() / (0.6 * normal_force));
        loss = [fast.values()[&E_LOSS], general.values()[&E_LOSS]];
    }
    // In stick the errors of both add up.
    assert!(worst < 2e-5, "{worst:e}");
    assert!((loss[0] - loss[1]).abs() < 1e-5 * loss[1], "{loss:?}");
}

#[test]
fn light_contact_takes_few_steps_and_agrees_with_the_general_integrator() {
    // F_s is far below σ_1 v_s, and the deflected bristle relaxes: |F_0| is above F_s all the time.
    for v in [1e-4, 1e-3, -3e-3] {
        let (mut fast, mut general) = (Element::<FrDyn2, 2>::new(), Element::<FrDyn2ByGeneralIntegrator, 2>::new());
        let reports = [&mut fast as &mut dyn AnyElement, &mut general].map(|element| {
            element.set(&Z, 1e-6);
            element.set(&F_N, 1e-9);
            element.set(&V, v);
            element.advance(5e-4).unwrap()
        });
        assert!(reports[0].inner_steps <= 4 && reports[1].inner_steps > 10, "{v}: {reports:?}");
        let [z, expected] = [fast.values()[&Z], general.values()[&Z]];
        assert!((z - expected).abs() < 1e-5 * 1e-6 && z != 1e-6, "{v}: {z:e} for {expected:e}");
        let [loss, expected] = [fast.values()[&E_LOSS], general.values()[&E_LOSS]];
        assert!((loss - expected).abs() < 1e-5 * 0.6e-9 * v.abs() * 5e-4, "{v}: {loss:e} J for {expected:e} J");
    }
}

/// Names of the constants in a source text, tests left out.
fn constants(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let words = |line| str::split_whitespace(line).skip_while(|word| word.starts_with("pub")).collect::<Vec<_>>();
    let declared = code.lines().filter_map(|line| match words(line)[..] {
        ["const" | "static", name, ..] if name.ends_with(':') => Some(name.trim_end_matches(':')),
        _ => None,
    });
    declared.filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).collect()
}

#[test]
fn every_constant_is_explained_in_docs_numerics() {
    let page = include_str!("../../../docs/internals/numerics.md");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/laws/frdyn2");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test =
            ["tests.rs", "test_cases.rs", "figures.rs", "measurements.rs"].iter().any(|name| path.ends_with(name));
        if path.is_dir() || is_test {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for name in constants(&source) {
            assert!(page.contains(&format!("`{name}`")), "{name} of {} is not on the page", path.display());
            count += 1;
        }
    }
    assert!(count > 80, "{count} constants");
}

#[test]
fn the_values_in_docs_numerics_are_those_of_the_constants() {
    let page = include_str!("../../../docs/internals/numerics.md");
    let source = include_str!("constants.rs");
    for name in constants(source) {
        let value =
            source.split(&format!("const {name}: ")).nth(1).and_then(|rest| rest.split([';', '=']).nth(1)).unwrap();
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).expect(name);
        let shown = row.split('|').nth(2).unwrap().trim();
        match (value.trim().parse::<f64>(), shown.parse::<f64>()) {
            (Ok(value), Ok(shown)) => assert_eq!(value, shown, "{name}"),
            _ => assert_eq!(value.trim().replace("f64::EPSILON", "ε").replace(" * ", " "), shown, "{name}"),
        }
    }
}

#[test]
fn every_constant_of_frdyn2_linear_stands_in_its_section_with_its_value() {
    let page = include_str!("../../../docs/internals/numerics.md");
    let section = page.split("## 20. FrDyn2Linear").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut count = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/laws/frdyn2_linear")).unwrap() {
        let path = entry.unwrap().path();
        // Folders hold the tests of a file.
        if path.ends_with("tests.rs") || path.is_dir() {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        for name in constants(&source) {
            assert!(section.contains(&format!("`{name}`")), "{name} of {} is not in the section", path.display());
            let value = source.split(&format!("const {name}: ")).nth(1).and_then(|rest| rest.split([';', '=']).nth(1));
            let value = value.unwrap_or_default().trim().replace("f64::EPSILON", "ε").replace(" * ", " ");
            let Some(row) = section.lines().find(|line| line.starts_with(&format!("| `{name}` |"))) else {
                let is_number = value.parse::<f64>().is_ok();
                assert!(!is_number, "{name} = {value} has no row");
                continue;
            };
            let shown = row.split('|').nth(2).unwrap().trim();
            match (value.parse::<f64>(), shown.parse::<f64>()) {
                (Ok(value), Ok(shown)) => assert_eq!(value, shown, "{name}"),
                _ => assert_eq!(value, shown, "{name}"),
            }
            count += 1;
        }
    }
    assert!(count > 15, "{count} constants");
}

#[test]
fn imports_of_the_solvers_have_no_cycle() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/laws/frdyn2");
    let mut imports = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if path.is_dir() || ["tests", "test_cases", "figures", "measurements"].contains(&name.as_str()) {
            continue;
        }
        let source = std::fs::read_to_string(&path).unwrap();
        let code = source.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        let of = |line: &str| line.strip_prefix("use super::").map(|rest| rest.split("::").next().unwrap().to_owned());
        imports.insert(name, code.lines().filter_map(of).filter(|name| name != "super").collect::<Vec<_>>());
    }
    // Topological sort: files whose imports are all removed are removed, until none is left.
    while !imports.is_empty() {
        let done = imports.iter().find(|(_, of)| of.iter().all(|name| !imports.contains_key(name)));
        let done = done.unwrap_or_else(|| panic!("a circle in {imports:?}")).0.clone();
        imports.remove(&done);
    }
}
