//! The shared library of the catalogue's elements, one for all FMUs: `cargo xtask package` builds
//! it for each platform.

bristle_fmu::export_fmi2!(bristle::catalogue::ELEMENTS);
