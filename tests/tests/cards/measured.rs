//! Cards of measured contacts: each slides as its numbers say.

use super::motions::{step, stepping};
use bristle::catalogue::{ELEMENTS, Motion, Variant};
use bristle_export::card::read_file;
use bristle_tests::cards::{exporter, load};
use std::path::Path;

/// Elements of all cards.
fn elements() -> Vec<Variant> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cards/measured");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let read = |path: &std::path::PathBuf| read_file(path, &ELEMENTS).unwrap();
    paths.iter().map(read).collect()
}

/// Friction in steady sliding at a velocity, and with these torques on a gear, by the card's own
/// numbers.
fn sliding(element: &Variant, v: f64, [motor, load]: [f64; 2]) -> f64 {
    let card = element.card();
    if let Some(curve) = &card.characteristic {
        let point = curve.points.iter().find(|[at, _]| *at == v).unwrap();
        return point[1].abs();
    }
    let side = if v > 0.0 { "forward" } else { "backward" };
    let value = |name: &str| {
        let own = element.find(&format!("{name}_{side}"));
        own.or(element.find(name))
            .and_then(|v| v.start)
            .unwrap_or(0.0)
    };
    let stribeck = libm::pow(v.abs() / value("omega_Stribeck"), value("delta_sigma"));
    let level = value("M_d") + (value("M_s") - value("M_d")) * libm::exp(-stribeck);
    let transmitted = value("k_m") * motor - value("k_e") * load;
    level * (1.0 + transmitted.abs() / value("M_d")) + value("c_v") * v.abs()
}

#[test]
fn measured_contacts_slide_with_the_friction_of_their_numbers() {
    let exporter = exporter();
    let elements = elements();
    assert!(elements.len() >= 41, "{} cards", elements.len());
    for element in &elements {
        let name = element.name();
        let fmu = load(&exporter, element);
        let mut instance = stepping(&fmu);
        let is_turning = element.card().motion == Motion::Rotational;
        let (velocity, force) = if is_turning {
            ("omega", "M_R")
        } else {
            ("v", "F_R")
        };
        let offset = element
            .find("M_offset")
            .and_then(|v| v.start)
            .unwrap_or(0.0);
        let speeds = match &element.card().characteristic {
            Some(curve) => curve.points.iter().map(|[v, _]| *v).collect(),
            None => vec![-3.0, -0.5, 0.5, 3.0],
        };
        let has_gear = element.find("tau_m").is_some();
        for (i, v) in speeds.into_iter().enumerate() {
            let torques = if has_gear { [2.0, -1.5] } else { [0.0; 2] };
            if has_gear {
                instance.set("tau_m", torques[0]);
                instance.set("tau_e", torques[1]);
            }
            instance.set(velocity, v);
            step(&mut instance, i as u32, 1.0);
            let expected = sliding(element, v, torques) * v.signum() + offset;
            let found = instance.get(force);
            assert!(
                (found - expected).abs() <= 1e-5 * expected.abs(),
                "{name} at {v}: {found}, {expected} expected"
            );
        }
    }
}
