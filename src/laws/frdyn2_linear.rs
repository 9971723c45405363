//! FrDyn2 with a linear regularisation: stick is a linear system, and no load that pulsates below
//! F_s makes it creep.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, for all but shift and
//! characteristic up to v_s. Their linear form follows from the abstract of a follow-up by Hanft et
//! al., which names the curved regularisation as the cause of drift under asymmetric excitation and
//! a linear one as the cure, and from our own derivation; the text of the follow-up was not at
//! hand. In stick, with k = F_s/v_s and e = v − ż, m_b e′ = −(k + σ_1) e + m_b v′, so that ∫e dt =
//! m_b (ż(0) − ż(t))/(k + σ_1) stays bounded, whatever the path.

use super::axes::Axes;
use super::regularised::equations::FrDyn2Bristle;

/// FrDyn2Linear along a line.
pub type FrDyn2Linear = Axes<FrDyn2Bristle<true>, 1, 2>;
/// FrDyn2Linear in the plane.
pub type PlanarFrDyn2Linear = Axes<FrDyn2Bristle<true>, 2, 4>;
