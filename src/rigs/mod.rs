//! Mechanical systems around an element: what the papers try their friction models in.

pub mod test_bench;
