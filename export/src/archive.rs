//! Zip archive of an FMU. Identical files give identical bytes: no clock, no file system order.

use std::io::{Cursor, Write};

use zip::result::ZipError;
use zip::write::{SimpleFileOptions, ZipWriter};
use zip::{CompressionMethod, DateTime, System, ZipArchive};

use crate::error::{Context, Error, Result};

/// Permissions of a shared library in the archive.
const EXECUTABLE: u32 = 0o755;
/// Permissions of every other file.
const READABLE: u32 = 0o644;
/// Level of compression. An export compresses every library anew, because each has its own card:
/// for six platforms this level takes 0.3 s of processor time and 5.16 MB, level 9 0.7 s and 4.99
/// MB (`time bristle export cards/FrontPad.toml`).
const LEVEL: i64 = 6;
/// Highest level of compression, for what is compressed once.
const BEST: i64 = 9;

/// Files of an FMU by their path.
#[derive(Default)]
pub struct Archive {
    files: Vec<(String, Content)>,
}

enum Content {
    Plain(Vec<u8>),
    /// Entry of another archive, by its place there.
    Entry(Vec<u8>, usize),
}

impl Archive {
    /// Adds a file.
    pub fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.push((path.into(), Content::Plain(bytes.into())));
    }

    /// Adds a shared library that is compressed already.
    pub fn add_compressed(&mut self, path: impl Into<String>, library: Compressed) {
        self.files.push((path.into(), Content::Entry(library.0, 0)));
    }

    /// Adds an entry of another archive as it is compressed there.
    pub fn add_entry(&mut self, path: impl Into<String>, archive: &[u8], place: usize) {
        self.files
            .push((path.into(), Content::Entry(archive.to_owned(), place)));
    }

    /// Bytes of the zip file, its entries in the order in which they were added.
    pub fn finish(self) -> Result<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in self.files {
            // Importers unzip on every system.
            if !path.bytes().all(|b| b.is_ascii_graphic() && b != b'\\') {
                return Err(Error::new(format!(
                    "`{path}` is no path for an archive; rename it in ASCII without spaces"
                )));
            }
            match content {
                Content::Plain(bytes) => zip
                    .start_file(&path, options(READABLE))
                    .and_then(|()| Ok(zip.write_all(&bytes)?)),
                Content::Entry(archive, place) => copy(&mut zip, &path, archive, place),
            }
            .with_context(|| format!("cannot add {path} to the FMU"))?;
        }
        Ok(zip.finish()?.into_inner())
    }
}

/// Copies an entry of an archive without compressing it anew.
fn copy(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    path: &str,
    archive: Vec<u8>,
    place: usize,
) -> std::result::Result<(), ZipError> {
    let mut archive = ZipArchive::new(Cursor::new(archive))?;
    zip.raw_copy_file_rename(archive.by_index_raw(place)?, path)
}

/// Archive of files by their names, compressed once for many exports, with a comment.
pub fn pack(comment: &str, files: &[(&str, &[u8])]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, options(READABLE).compression_level(Some(BEST)))?;
        zip.write_all(bytes).map_err(ZipError::from)?;
    }
    zip.set_comment(comment)?;
    Ok(zip.finish()?.into_inner())
}

/// Shared library, compressed by itself: an archive with this one entry.
#[derive(Clone, Debug)]
pub struct Compressed(Vec<u8>);

impl Compressed {
    /// Compresses a shared library.
    pub fn new(library: &[u8]) -> Result<Self> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        zip.start_file("library", options(EXECUTABLE))?;
        zip.write_all(library).map_err(ZipError::from)?;
        Ok(Compressed(zip.finish()?.into_inner()))
    }
}

impl From<ZipError> for Error {
    fn from(error: ZipError) -> Self {
        Error::new(format!("the archive cannot be written: {error}"))
    }
}

/// Options of an entry. The permissions are those of Unix, on whatever system the archive is made:
/// the bytes are the same.
fn options(permissions: u32) -> SimpleFileOptions {
    SimpleFileOptions::default()
        .system(System::Unix)
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(LEVEL))
        .last_modified_time(DateTime::default())
        .unix_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn path_that_some_systems_cannot_unzip_is_refused() {
        let mut archive = Archive::default();
        archive.add("documentation/licenses/a b", "text");
        assert!(
            archive
                .finish()
                .unwrap_err()
                .to_string()
                .starts_with("`documentation/licenses/a b` is no path")
        );
    }

    #[test]
    fn compressed_library_is_an_executable_entry_under_its_own_path() {
        let library = Compressed::new(&[7; 10_000]).unwrap();
        let mut archive = Archive::default();
        archive.add("model.txt", "text");
        archive.add_compressed("binaries/linux64/A.so", library);
        let mut zip = ZipArchive::new(Cursor::new(archive.finish().unwrap())).unwrap();
        let mut entry = zip.by_name("binaries/linux64/A.so").unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, [7; 10_000]);
        assert_eq!(entry.unix_mode().map(|mode| mode & 0o777), Some(EXECUTABLE));
        assert_eq!(entry.last_modified(), Some(DateTime::default()));
        assert!(entry.compressed_size() < 1000);
    }
}
