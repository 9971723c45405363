//! Compiles what the tests need of C: a logger, because a variadic function can be called from Rust but not defined in it, and
//! the floating-point environments of hosts.

fn main() {
    println!("cargo::rerun-if-changed=c");
    let mut build = cc::Build::new();
    build.files(["c/logger.c", "c/host_environment.c"]).warnings_into_errors(true);
    build.compile("bristle_tests");
}
