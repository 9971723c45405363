//! Compiles the C shim of the test logger, because a variadic function can be called from Rust but not defined in it.

fn main() {
    println!("cargo::rerun-if-changed=c/logger.c");
    cc::Build::new().file("c/logger.c").warnings_into_errors(true).compile("bristle_test_logger");
}
