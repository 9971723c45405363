//! Empty metadata, from which a law's own are built.

use super::{Dependencies, LawMetadata, MeasuredForm, Phenomena, Structure};

impl LawMetadata {
    /// Metadata with empty fields: `LawMetadata { name: "…", ..LawMetadata::EMPTY }` stays valid
    /// when a field is added.
    pub const EMPTY: LawMetadata = LawMetadata {
        name: "",
        title: "",
        summary: "",
        kind: "static",
        source: "",
        place: "",
        equations: &[],
        sticking: "",
        phenomena: Phenomena::NONE,
        notes: &[],
        inputs: &[],
        states: &[],
        modes: &[],
        events: &[],
        parameters: &[],
        directed: &[],
        structure: Structure::of_force(Dependencies::NONE),
        measured: &MeasuredForm::NONE,
        planar: false,
        delay: None,
    };
}

impl Phenomena {
    /// No phenomena.
    pub const NONE: Phenomena = Phenomena {
        stribeck: false,
        pre_sliding: false,
        memory: false,
        break_away_growth: false,
        long_term_stick: false,
    };
}
