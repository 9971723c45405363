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
pub fn examine(card: &str, pinned: &str) -> String {
    crate::examine(card, pinned)
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

/// See [`crate::export`], a word that JavaScript keeps for itself.
#[wasm_bindgen]
pub fn fmu(card: &str, source: &[u8], licences: &str) -> Result<Vec<u8>, String> {
    crate::export(card, source, licences)
}

/// See [`crate::transcript`].
#[wasm_bindgen]
pub fn transcript(card: &str) -> String {
    crate::transcript(card)
}
