//! The LuGre model: a bristle whose deflection tends to the Stribeck curve, with damping.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024,
//! 11(2), 76–92, doi 10.37745/ejmer.2014/vol11n27692, equations (12)–(14). G is a force; the
//! exponent of (14), misprinted as 2/2, is δ_σ = 2.
//!
//! The equations are in [`first_order`](super::first_order).

use super::axes::Axes;
use super::first_order::metadata::lugre::{METADATA, SIGMA_1, SIGMA_2};
use super::first_order::metadata::{SIGMA_0, in_plane};
use super::first_order::{Constants, FirstOrder, Sigma};
use super::symbols::Exponential;
use crate::law::LawMetadata;
use crate::variable::{InputError, Values};

/// LuGre's description and constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfLuGre;

impl Constants for OfLuGre {
    const METADATA: [&'static LawMetadata; 2] = [&METADATA, &in_plane::LUGRE];

    fn curve(values: &Values) -> Result<Exponential, InputError> {
        Exponential::new(values)
    }

    fn sigma(values: &Values) -> Sigma {
        Sigma {
            sigma_0: values[&SIGMA_0],
            sigma_1: values[&SIGMA_1],
            sigma_2: values[&SIGMA_2],
        }
    }
}

/// LuGre along a line.
pub type LuGre = Axes<FirstOrder<OfLuGre>, 1, 1>;
/// LuGre in the plane.
pub type PlanarLuGre = Axes<FirstOrder<OfLuGre>, 2, 2>;
