//! Expected end of a step in the plane.

use crate::elements::quietly;
use crate::elements::values::{Values, value};
use bristle_reference_laws::dop853::{COARSE_TOLERANCE, TOLERANCE};
use bristle_reference_laws::planar::{PlanarEnd, PlanarInputs, PlanarLaw};
use bristle_reference_laws::{
    BrownMcPhee, Dahl, FrDyn2Linear, LawParameters, LuGre, PoppStelter, StaticRegularized, Stribeck, frdyn2,
};

/// Time constants of a bristle in a step up to which an explicit integrator is affordable.
const AFFORDABLE: f64 = 3e3;

/// The law of an element with these parameters.
pub fn law(element: &str, values: &Values) -> PlanarLaw {
    match element {
        "FrDyn2" => PlanarLaw::FrDyn2(frdyn2::Parameters {
            sigma_0: value(values, "sigma_0").unwrap_or(frdyn2::PAPER.sigma_0),
            sigma_1: value(values, "sigma_1").unwrap_or(frdyn2::PAPER.sigma_1),
            mu_s: value(values, "mu_s").unwrap_or(frdyn2::PAPER.mu_s),
            v_s: value(values, "v_s").unwrap_or(frdyn2::PAPER.v_s),
            mu_d: value(values, "mu_d").unwrap_or(frdyn2::PAPER.mu_d),
            v_d: value(values, "v_d").unwrap_or(frdyn2::PAPER.v_d),
        }),
        "FrDyn2Linear" => PlanarLaw::FrDyn2Linear(with(FrDyn2Linear::default(), values)),
        "LuGre" => PlanarLaw::LuGre(with(LuGre::default(), values)),
        "Dahl" => PlanarLaw::Dahl(with(Dahl::default(), values)),
        "StaticRegularized" => PlanarLaw::Static(with(StaticRegularized::default(), values).at_rest()),
        "Stribeck" => PlanarLaw::Static(with(Stribeck::default(), values).at_rest()),
        "BrownMcPhee" => PlanarLaw::Static(with(BrownMcPhee::default(), values).at_rest()),
        "PoppStelter" => PlanarLaw::Static(with(PoppStelter::default(), values).at_rest()),
        other => panic!("{other} has no form in the plane"),
    }
}

fn with<L: LawParameters>(mut law: L, values: &Values) -> L {
    values.iter().for_each(|(name, value)| law.set(name, *value));
    law
}

/// The largest normal force (N) and speed (m/s) of a step.
pub fn largest(inputs: &PlanarInputs, h: f64) -> [f64; 2] {
    (0..=64).map(|i| inputs.at(h * f64::from(i) / 64.0)).fold([0.0; 2], |[force, speed], (normal_force, [x, y])| {
        [normal_force.max(force), libm::hypot(x, y).max(speed)]
    })
}

/// End of a step from the states `x`, with the difference of force (N) and energy (J) of a run at a looser tolerance; `None` where
/// the bristle is too stiff or the reference fails.
pub fn expected(law: &PlanarLaw, inputs: &PlanarInputs, h: f64, x: [f64; 4]) -> Option<(PlanarEnd, [f64; 2])> {
    let constants = (0..256).map(|i| {
        let (normal_force, [x, y]) = inputs.at(h * (f64::from(i) + 0.5) / 256.0);
        if normal_force > 0.0 { law.decay_rate(normal_force, libm::hypot(x, y)) } else { 0.0 }
    });
    if constants.sum::<f64>() * h / 256.0 > AFFORDABLE {
        return None;
    }
    quietly(|| {
        let [fine, coarse] = [TOLERANCE, COARSE_TOLERANCE].map(|tolerance| law.integrate(inputs, h, x, tolerance));
        let differences = [distance(fine.force, coarse.force), (fine.energy - coarse.energy).abs()];
        Some((fine, differences))
    })
    .filter(|(end, _)| end.energy.is_finite() && end.force.iter().all(|part| part.is_finite()))
}

/// Distance of two forces, N.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}
