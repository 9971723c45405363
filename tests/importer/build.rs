//! Compiles the C parts of the importer: a logger, because a variadic function cannot be defined in
//! Rust, and the floating-point environments of hosts.

fn main() {
    println!("cargo::rerun-if-changed=../c");
    let mut build = cc::Build::new();
    build
        .files(["../c/logger.c", "../c/host_environment.c"])
        .warnings_into_errors(true);
    build.compile("bristle_importer");
}
