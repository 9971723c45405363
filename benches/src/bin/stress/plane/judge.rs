//! Expected end of a step in the plane.

use crate::elements::laws::{self, reference};
use crate::elements::values::Values;
use crate::elements::{frdyn2, quietly};
use bristle_reference_laws::planar::{PlanarEnd, PlanarInputs, PlanarLaw};
use bristle_reference_laws::{BrownMcPhee, Derivatives, PoppStelter, StaticRegularized, Stribeck};

/// Time constants of a bristle in a step up to which an explicit integrator is affordable.
const AFFORDABLE: f64 = 3e3;

/// The law of an element with these parameters.
pub fn law(element: &str, values: &Values) -> PlanarLaw {
    match element {
        "FrDyn2" => PlanarLaw::FrDyn2(frdyn2::parameters(values)),
        "FrDyn2Linear" => PlanarLaw::FrDyn2Linear(laws::law(values)),
        "LuGre" => PlanarLaw::LuGre(laws::law(values)),
        "Dahl" => PlanarLaw::Dahl(laws::law(values)),
        "StaticRegularized" => PlanarLaw::Static(reference::<StaticRegularized>(values)),
        "Stribeck" => PlanarLaw::Static(reference::<Stribeck>(values)),
        "BrownMcPhee" => PlanarLaw::Static(reference::<BrownMcPhee>(values)),
        "PoppStelter" => PlanarLaw::Static(reference::<PoppStelter>(values)),
        other => panic!("{other} has no form in the plane"),
    }
}

/// The largest normal force (N) and speed (m/s) of a step. A contact may be closed between two samples only.
pub fn largest(inputs: &PlanarInputs, h: f64) -> [f64; 2] {
    let samples = (0..=64).map(|i| h * f64::from(i) / 64.0);
    let middles = inputs.segments(h).into_iter().map(|[from, to]| 0.5 * (from + to));
    samples.chain(middles).map(|t| inputs.at(t)).fold([0.0; 2], |[force, speed], (normal_force, [x, y])| {
        [normal_force.max(force), libm::hypot(x, y).max(speed)]
    })
}

/// Sum of the absolute values of an input polynomial's terms at the end of a step of `h` (s).
pub fn summands([value, first, second, third]: Derivatives, h: f64) -> f64 {
    value.abs() + h * (first.abs() + h * (second.abs() / 2.0 + h * third.abs() / 6.0))
}

/// End of a step from the states `x`, integrated at a tolerance; `None` where the bristle is too stiff or the reference fails.
pub fn expected(law: &PlanarLaw, inputs: &PlanarInputs, h: f64, x: [f64; 4], tolerance: f64) -> Option<PlanarEnd> {
    let constants = (0..256).map(|i| {
        let (normal_force, [x, y]) = inputs.at(h * (f64::from(i) + 0.5) / 256.0);
        if normal_force > 0.0 { law.decay_rate(normal_force, libm::hypot(x, y)) } else { 0.0 }
    });
    if constants.sum::<f64>() * h / 256.0 > AFFORDABLE {
        return None;
    }
    quietly(|| Some(law.integrate(inputs, h, x, tolerance)))
        .filter(|end| end.energy.is_finite() && end.force.iter().all(|part| part.is_finite()))
}

/// Distance of two forces, N.
pub fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::hypot(a[0] - b[0], a[1] - b[1])
}
