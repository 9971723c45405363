//! Compilation of C sources as an importer does it.

use bristle::catalogue::{ELEMENTS, Variant};
use bristle_export::Exporter;
use bristle_importer::fmi2::NAMES;
use bristle_tests::cards::model;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Bytes of a card that `element.h` may hold, those of the section before its laws.
const CARD: usize = 12 * 1024;

/// A compiled law.
pub struct Law {
    pub name: String,
    exporter: Exporter,
    object: PathBuf,
    folder: TempDir,
}

impl Law {
    /// Names of the laws whose sources there are, in the order of the catalogue.
    pub fn names() -> Vec<String> {
        let is_there = |name: &&str| archive(name).is_file();
        let names = ELEMENTS.iter().map(|law| law.metadata.name);
        names.filter(is_there).map(str::to_owned).collect()
    }

    /// All of them, compiled once.
    ///
    /// # Panics
    /// If a source does not compile without a warning.
    pub fn all() -> &'static [Law] {
        static LAWS: OnceLock<Vec<Law>> = OnceLock::new();
        LAWS.get_or_init(|| {
            // Each compiler takes 0.6 GB.
            let at_once = std::thread::available_parallelism().map_or(2, |cores| cores.get());
            let mut laws = Vec::new();
            for names in Law::names().chunks(at_once) {
                std::thread::scope(|scope| {
                    let threads: Vec<_> = names
                        .iter()
                        .map(|name| scope.spawn(move || Law::compile(name, "-O0")))
                        .collect();
                    let compiled = threads
                        .into_iter()
                        .map(|thread| thread.join().expect("the law compiles"));
                    laws.extend(compiled);
                });
            }
            laws
        })
    }

    /// Compiles a law.
    pub fn compile(name: &str, optimisation: &str) -> Law {
        let archive = &fs::read(archive(name)).expect("a source");
        let mut exporter = Exporter::new();
        exporter.add_source(archive).expect("a source");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let fmu = exporter.export(&model(name).stock()).expect("an FMU");
        let mut fmu = zip::ZipArchive::new(std::io::Cursor::new(fmu)).expect("an archive");
        fmu.extract(&folder).expect("files");
        let sources = folder.path().join("sources");
        // The card is linked: one object serves every element of the law.
        let header = format!(
            "#define ELEMENT_PREFIX {name}_\n#define ELEMENT_CARD {name}_CARD\n\
             #define ELEMENT_PAGES {name}_PAGES\nextern const unsigned ELEMENT_PAGES;\n\
             extern const unsigned char ELEMENT_CARD[{CARD}];\n"
        );
        fs::write(sources.join("element.h"), header).expect("a file");
        let object = folder.path().join("law.o");
        let mut gcc = compiler();
        gcc.args(["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]);
        gcc.args([optimisation, "-fPIC", "-c", "-o"])
            .arg(&object)
            .arg(sources.join("fmi2.c"));
        // Flags of an importer's compiler.
        let flags = std::env::var("BRISTLE_CFLAGS").unwrap_or_default();
        run(gcc.args(flags.split_whitespace()));
        Law {
            name: name.to_owned(),
            exporter,
            object,
            folder,
        }
    }

    /// C file with the card of an element, as its FMU has it.
    fn card(&self, variant: &Variant, folder: &Path) -> PathBuf {
        let fmu = self.exporter.export(variant).expect("an FMU");
        let mut fmu = zip::ZipArchive::new(std::io::Cursor::new(fmu)).expect("an archive");
        let mut header = String::new();
        fmu.by_name("sources/element.h")
            .expect("a card")
            .read_to_string(&mut header)
            .expect("text");
        let own = format!(
            "const unsigned {0}_PAGES = ELEMENT_PAGES;\n\
             const unsigned char {0}_CARD[{CARD}] =",
            self.name
        );
        let text = header.replace("static const unsigned char ELEMENT_CARD[] =", &own);
        assert!(text.contains(&own), "{text}");
        let path = folder.join(format!("{}.c", self.name));
        fs::write(&path, text).expect("a file");
        path
    }

    /// Shared library of an element. The linker gives the functions their names without prefix.
    pub fn link(&self, variant: &Variant, folder: &Path) -> Vec<u8> {
        let library = folder.join("element.so");
        let mut gcc = compiler();
        gcc.args(["-shared", "-fPIC", "-o"]).arg(&library);
        gcc.arg(self.card(variant, folder)).arg(&self.object);
        gcc.args(
            NAMES
                .iter()
                .map(|name| format!("-Wl,--defsym={name}={}_{name}", self.name)),
        );
        run(gcc.arg("-lm"));
        fs::read(library).expect("a library")
    }

    /// Size of its code, bytes.
    pub fn size(&self) -> u64 {
        let code = fs::metadata(self.sources().join("law.inc"));
        code.expect("the code is there").len()
    }

    /// Folder of its files.
    fn sources(&self) -> PathBuf {
        self.folder.path().join("sources")
    }
}

/// Checks the macros that a command line may define, and the refusal of arithmetic that gives other
/// results.
pub fn check_macros(law: &Law) {
    let check = |flags: &[&str]| {
        let mut gcc = compiler();
        gcc.args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        gcc.args(flags).arg(law.sources().join("fmi2.c"));
        let output = gcc.output().expect("the compiler starts");
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let macros = ["NO_SETJMP", "NO_FENV", "UNCHECKED"].map(|name| format!("-DBRISTLE_{name}"));
    for flags in [["-std=c99"], ["-std=c11"]] {
        let flags: Vec<_> = flags
            .into_iter()
            .chain(macros.iter().map(String::as_str))
            .collect();
        let (is_right, said) = check(&flags);
        assert!(is_right, "{flags:?}: {said}");
    }
    let (is_right, said) = check(&["-ffast-math"]);
    assert!(
        !is_right && said.contains("-ffast-math changes the results of this FMU"),
        "{said}"
    );
}

/// Archive of a law's source.
fn archive(law: &str) -> PathBuf {
    let folder = std::env::var_os("BRISTLE_SOURCES")
        .expect("BRISTLE_SOURCES is not set: run `cargo xtask test --stage source`");
    Path::new(&folder).join(format!("{law}.zip"))
}

/// The compiler of this machine, with headers of FMI.
fn compiler() -> Command {
    let mut gcc = Command::new("cc");
    gcc.arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("c/fmi2"));
    gcc
}

fn run(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    said
}

/// Links stock elements of two laws into one program, and runs it: their functions have different
/// names.
pub fn run_program_of_two(one: &Law, other: &Law) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let elements = [one, other].map(|law| (law, model(&law.name).stock()));
    let mut text = "#include <stdio.h>\n".to_owned();
    for (law, element) in &elements {
        text += &format!(
            "#define FMI2_FUNCTION_PREFIX {0}_\n#include \"fmi2Functions.h\"\n\
             static int {0}(void) {{\n\
             fmi2CallbackFunctions none = {{0}};\n\
             return fmi2Instantiate(\"a\", fmi2CoSimulation, \"{1}\", NULL, &none, 0, 0) != NULL;\n\
             }}\n\
             #undef FMI2_FUNCTION_PREFIX\n#undef BRISTLE_TESTS_FMI2_FUNCTIONS\n",
            law.name,
            element.guid()
        );
    }
    text += &format!(
        "int main(void) {{ printf(\"%d %d\\n\", {}(), {}()); return 0; }}\n",
        one.name, other.name
    );
    let main = folder.path().join("main.c");
    fs::write(&main, text).expect("a file");
    let program = folder.path().join("program");
    let mut gcc = compiler();
    gcc.args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(main);
    for (law, element) in &elements {
        gcc.arg(law.card(element, folder.path())).arg(&law.object);
    }
    run(gcc.arg("-lm"));
    assert_eq!(run(&mut Command::new(program)), "1 1\n");

    // Without prefix, as for a shared library, the names are the standard's.
    let mut gcc = compiler();
    gcc.args(["-E", "-P", "-DFMI2_OVERRIDE_FUNCTION_PREFIX="])
        .arg(one.sources().join("fmi2.c"));
    let text = run(&mut gcc);
    assert!(text.contains("fmi2Status fmi2DoStep(fmi2Component c,"));
    assert!(!text.contains(&format!("{}_fmi2", one.name)));
}
