//! Exporter of friction force elements as FMUs for FMI 2.0.
//!
//! [`Exporter`] makes the bytes of an `.fmu` file from an element and one shared library per
//! platform: `modelDescription.xml`, the documentation page, the licences, the icon and the archive
//! around them. The libraries are built elsewhere; one library holds every law, and the element's
//! card, which is written into it here, selects the law of an FMU. [`card`] reads cards in TOML.
//!
//! Identical input gives identical bytes: nothing in this crate reads the clock, the machine or the
//! order of a hash table, and nothing prints or keeps global state. An [`Error`] is one sentence.
//!
//! ```no_run
//! use bristle::catalogue;
//! use bristle_export::{Exporter, platform};
//!
//! // The library that `export_fmi2!` made.
//! let library = std::fs::read("libbristle_elements.so").expect("a shared library");
//! let mut exporter = Exporter::new();
//! exporter.add_library(platform::find("linux64")?, &library)?;
//!
//! let model = catalogue::find("FrDyn2").expect("the catalogue has FrDyn2");
//! let fmu: Vec<u8> = exporter.export(&model.stock())?;
//! assert!(fmu.starts_with(b"PK"));
//! # Ok::<(), bristle_export::Error>(())
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod archive;
pub mod card;
mod curves;
pub mod description;
mod documentation;
mod error;
mod exporter;
pub mod files;
mod icon;
pub mod inspection;
pub mod licences;
mod meanings;
pub mod measurement;
pub mod modelica;
pub mod names;
mod number;
pub mod platform;
mod plausibility;
pub mod plot;
pub mod reference;
pub mod source;
pub mod ssv;
mod stamp;
pub mod table;
pub mod terminals;
mod typeset;

pub use curves::{followed_curve, steady};
pub use documentation::{measured_points, panels, plot, sketch, write as page};
pub use error::{Error, Result};
pub use exporter::Exporter;
pub use meanings::{Meaning, meanings};
pub use number::short_4;
pub use plausibility::remarks;
pub use plot::Picture;
