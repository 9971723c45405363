//! One law of the catalogue behind the C interface of FMI 2.0, as a WebAssembly module.
//!
//! `cargo xtask package --sources` builds the module, wasm2c translates it to C, and `fmi2.c` beside
//! this crate calls it. One law a module keeps the C source small: all sixteen together have 23 MB.

use bristle::catalogue::{ELEMENTS, Model};

/// Name of the law, which the build sets; any law serves checks of this crate.
const LAW: &str = match option_env!("BRISTLE_LAW") {
    Some(law) => law,
    None => "FrDyn2",
};

static MODELS: [Model; 1] = [ELEMENTS[place(LAW.as_bytes())]];

/// Place of a law in the catalogue.
const fn place(law: &[u8]) -> usize {
    let mut place = 0;
    while !is_equal(ELEMENTS[place].metadata.name.as_bytes(), law) {
        place += 1;
    }
    place
}

const fn is_equal(one: &[u8], other: &[u8]) -> bool {
    let mut i = 0;
    while i < one.len() && i < other.len() && one[i] == other[i] {
        i += 1;
    }
    i == one.len() && i == other.len()
}

bristle_fmu::export_fmi2!(MODELS);
