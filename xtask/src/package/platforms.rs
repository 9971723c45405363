//! Choice of the platforms that are built for.

use bristle_export::platform::{self, Platform};

/// Platforms that libraries are built for.
pub enum Platforms {
    /// This machine's, by its own compiler.
    Host,
    /// These, for everyone's machines.
    Portable(Vec<&'static Platform>),
}

impl Platforms {
    /// The platforms' folders in an FMU.
    pub fn folders(&self) -> Vec<&'static str> {
        match self {
            Platforms::Host => platform::host().iter().map(|host| host.folder).collect(),
            Platforms::Portable(platforms) => {
                platforms.iter().map(|platform| platform.folder).collect()
            }
        }
    }
}
