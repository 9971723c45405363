//! Bindings to JavaScript.

use std::sync::Mutex;

use wasm_bindgen::prelude::wasm_bindgen;

static DEFECT: Mutex<String> = Mutex::new(String::new());

/// Keeps the sentence of a panic, which ends the module, for [`defect`].
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut defect) = DEFECT.lock() {
            *defect = panic.to_string();
        }
    }));
}

/// Sentence of the panic that ended the module.
#[wasm_bindgen]
pub fn defect() -> String {
    DEFECT
        .lock()
        .map_or_else(|_| String::new(), |defect| defect.clone())
}

/// See [`crate::laws`].
#[wasm_bindgen]
pub fn laws() -> String {
    crate::laws()
}

/// See [`crate::examine`].
#[wasm_bindgen]
pub fn examine(card: &str, pinned: &str, table: &str) -> String {
    crate::examine(card, pinned, table)
}

/// See [`crate::fitted`].
#[wasm_bindgen]
pub fn fitted(card: &str, table: &str) -> Result<String, String> {
    crate::fitted(card, table)
}

/// See [`crate::csv`].
#[wasm_bindgen]
pub fn csv(card: &str) -> Result<String, String> {
    crate::csv(card)
}

/// See [`crate::curve`].
#[wasm_bindgen]
pub fn curve(file: &[u8], card: &str) -> String {
    crate::curve(file, card)
}

/// See [`crate::picture`].
#[wasm_bindgen]
pub fn picture(card: &str) -> Result<String, String> {
    crate::picture(card)
}

/// See [`crate::export`], a word that JavaScript keeps for itself; `bytes` are those of all parts,
/// one after the other, `sizes` of each.
#[wasm_bindgen]
pub fn fmu(
    card: &str,
    names: Vec<String>,
    sizes: Vec<usize>,
    bytes: &[u8],
    licences: &str,
) -> Result<Vec<u8>, String> {
    let mut left = bytes;
    let mut parts = Vec::new();
    for (name, size) in names.iter().zip(sizes) {
        let (part, others) = left.split_at(size);
        parts.push((&**name, part));
        left = others;
    }
    crate::export(card, &parts, licences)
}

/// See [`crate::transcript`].
#[wasm_bindgen]
pub fn transcript(card: &str) -> String {
    crate::transcript(card)
}
