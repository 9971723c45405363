//! What one cycle of a master costs.
fn main() {}
