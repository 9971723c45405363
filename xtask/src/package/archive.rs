//! The FMU's zip: what every importer can read and nothing that could differ from one packaging to the next.

use std::io::{Cursor, Write};

use anyhow::{Context, Result};
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime};

/// The files of an FMU by their path.
#[derive(Default)]
pub struct Archive {
    files: Vec<(String, Vec<u8>)>,
}

impl Archive {
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.into(), bytes.into()));
    }

    /// The zip file, its entries in the order in which they came.
    pub fn finish(self) -> Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, bytes) in self.files {
            assert!(path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\'), "{path} is not a plain name");
            let permissions = if path.starts_with("binaries/") { 0o755 } else { 0o644 };
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Deflated)
                .compression_level(Some(9))
                .last_modified_time(DateTime::default())
                .unix_permissions(permissions);
            zip.start_file(&path, options)
                .and_then(|()| Ok(zip.write_all(&bytes)?))
                .with_context(|| format!("cannot add {path} to the FMU"))?;
        }
        Ok(zip.finish()?.into_inner())
    }
}
