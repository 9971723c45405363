//! Assembly of an FMU.

use bristle::catalogue::Model;

use crate::archive::{Archive, Compressed};
use crate::error::Result;
use crate::licences::LicenceFile;
use crate::platform::Platform;
use crate::{description, documentation, icon};

/// Exporter with the libraries and licences that its FMUs share.
///
/// The crate's documentation has an example.
#[derive(Debug, Default)]
pub struct Exporter {
    libraries: Vec<(&'static Platform, Compressed)>,
    licences: Vec<LicenceFile>,
}

impl Exporter {
    /// Exporter without libraries and licences.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the shared library of a platform, which is compressed here, once for all FMUs.
    ///
    /// The bytes are packed as they are; [`inspection::inspect`](crate::inspection::inspect) checks them.
    pub fn add_library(&mut self, platform: &'static Platform, bytes: &[u8]) -> Result<()> {
        self.libraries.push((platform, Compressed::new(bytes)?));
        Ok(())
    }

    /// Adds files below `documentation/licenses/`; [`licences::files`](crate::licences::files) makes them.
    pub fn add_licences(&mut self, files: impl IntoIterator<Item = LicenceFile>) {
        self.licences.extend(files);
    }

    /// Bytes of the `.fmu` file of a model.
    pub fn export(&self, model: &Model) -> Result<Vec<u8>> {
        let name = model.metadata.name;
        let mut archive = Archive::default();
        archive.add("modelDescription.xml", description::write(model)?);
        archive.add("documentation/index.html", documentation::write(model)?);
        for LicenceFile { path, text } in &self.licences {
            archive.add(format!("documentation/licenses/{path}"), text.clone());
        }
        archive.add("model.png", icon::draw(model)?);
        for (platform, library) in &self.libraries {
            let path = format!("binaries/{}/{name}.{}", platform.folder, platform.system.extension());
            archive.add_compressed(path, library);
        }
        archive.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;
    use bristle::catalogue::ELEMENTS;
    use std::io::Cursor;

    #[test]
    fn fmu_has_the_files_of_the_standard_and_equal_bytes_each_time() {
        let mut exporter = Exporter::new();
        exporter.add_library(platform::find("linux64").unwrap(), b"library").unwrap();
        exporter.add_licences([LicenceFile { path: "license.txt".to_owned(), text: b"MIT".to_vec() }]);
        let fmu = exporter.export(&ELEMENTS[0]).unwrap();
        assert_eq!(fmu, exporter.export(&ELEMENTS[0]).unwrap());
        let archive = zip::ZipArchive::new(Cursor::new(fmu)).unwrap();
        let expected = [
            "modelDescription.xml",
            "documentation/index.html",
            "documentation/licenses/license.txt",
            "model.png",
            "binaries/linux64/FrDyn2.so",
        ];
        assert_eq!(archive.file_names().map(|name| name.unwrap().into_owned()).collect::<Vec<_>>(), expected);
    }
}
