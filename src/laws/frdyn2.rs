//! The second-order dynamic friction model FrDyn2.
//!
//! Source: G. Rill, M. Schuderer, *A Second-Order Dynamic Friction Model Compared to Commercial
//! Stick–Slip Models*, Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021. Equation
//! numbers are the paper's. The equations are in [`regularised`](super::regularised).

use super::axes::Axes;
use super::regularised::equations::FrDyn2Bristle;

/// FrDyn2 along a line.
pub type FrDyn2 = Axes<FrDyn2Bristle<false>, 1, 2>;
/// FrDyn2 in the plane.
pub type PlanarFrDyn2 = Axes<FrDyn2Bristle<false>, 2, 4>;
