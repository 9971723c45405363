//! Files that users write, and the section of a library: cards, curves, parameter sets.

use std::cell::RefCell;

use bristle::catalogue::{ELEMENTS, Model, section};
use bristle_export::{card, ssv as sets};
use tempfile::TempDir;

use crate::input::Input;
use crate::interface::elements;

/// Reads a card. One that is accepted comes back from what is written of it.
pub fn cards(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    match card::read(text, &ELEMENTS) {
        Ok(variant) => {
            let written = card::write(&variant);
            let again = card::read(&written, &ELEMENTS);
            let again = again.unwrap_or_else(|faults| {
                panic!(
                    "{written}\n{}",
                    faults
                        .iter()
                        .map(|fault| format!("{fault}\n"))
                        .collect::<String>()
                )
            });
            assert_eq!(
                (again.card(), again.guid()),
                (variant.card(), variant.guid()),
                "{written}"
            );
        }
        Err(faults) => assert!(!faults.is_empty(), "a refusal has a reason"),
    }
}

/// Reads a file of a measured curve beside a card.
pub fn curves(data: &[u8]) {
    thread_local! {
        static FOLDER: RefCell<TempDir> = RefCell::new(tempfile::tempdir().expect("a folder"));
    }
    FOLDER.with_borrow(|folder| {
        let path = folder.path().join("card.toml");
        std::fs::write(folder.path().join("curve.csv"), data).expect("a file");
        let text =
            "law = \"StaticRegularized\"\nname = \"Own\"\n[characteristic]\nfile = \"curve.csv\"\n";
        let Ok(variant) = card::read_text(text, &path, &ELEMENTS) else {
            return;
        };
        let points = &variant
            .card()
            .characteristic
            .as_ref()
            .expect("a curve")
            .points;
        assert!(
            points.is_sorted_by(|a, b| a[0] < b[0])
                && points
                    .iter()
                    .all(|[v, mu]| v.is_finite() && mu.is_finite() && *mu > 0.0)
        );
        let mut element = variant.instantiate();
        element.set(&bristle::element::F_N, 10.0);
        element.set(&bristle::element::V, points[0][0]);
        element.advance(1e-3).expect("a step at the first point");
    });
}

/// Applies a parameter set. One that is accepted comes back from what is written of it.
pub fn ssv(data: &[u8]) {
    let mut input = Input::new(data);
    let stock = ELEMENTS[input.below(ELEMENTS.len())].stock();
    let Ok(text) = str::from_utf8(data.get(2..).unwrap_or_default()) else {
        return;
    };
    if let Ok(variant) = sets::apply(&stock, text) {
        let again = sets::apply(&stock, &sets::write(&variant)).expect("a written set is read");
        let starts = |variant: &bristle::catalogue::Variant| -> Vec<u64> {
            variant
                .variables()
                .filter(|v| v.is_parameter())
                .map(|v| v.start.unwrap_or(0.0).to_bits())
                .collect()
        };
        assert_eq!(starts(&again), starts(&variant));
    }
}

/// Reads the section of a library, that of an element with bytes changed, most with a right
/// checksum.
pub fn sections(data: &[u8]) {
    let mut input = Input::new(data);
    let elements = elements();
    let (variant, _) = &elements[input.below(elements.len())];
    let mut bytes = section::blank(&ELEMENTS).to_vec();
    section::stamp(&mut bytes, variant).expect("a card of the catalogue");
    let length = u32::from_le_bytes(bytes[20..24].try_into().expect("four bytes")) as usize;
    let is_sealed = input.byte() < 224;
    while !input.is_empty() {
        let reach = if is_sealed { length } else { bytes.len() - 48 };
        let at = 48 + input.below(reach);
        bytes[at] = input.byte();
    }
    if is_sealed {
        let hash =
            |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        let sum = bytes[48..48 + length]
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, hash);
        bytes[24..32].copy_from_slice(&sum.to_le_bytes());
    }
    let models: &'static [Model] = &ELEMENTS;
    if let Ok(read) = section::read(&bytes, models) {
        let mut again = section::blank(models).to_vec();
        if section::stamp(&mut again, &read).is_ok() {
            let restored = section::read(&again, models).expect("a stamped card is read");
            assert_eq!(restored.guid(), read.guid());
        }
    }
}
