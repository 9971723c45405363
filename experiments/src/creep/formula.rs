//! Creep rate of FrDyn2 in stick by the analytic formula, from the monolithic motion of the body.
//!
//! In stick e = v − ż ≈ m_b z̈/(k + σ_1), k = 2(F_s/v_s)√(1 − |r|), r = F_0/F_s. As k depends on r, the mean of e over a period is
//! −(m_b σ_0/v_s) ⟨sgn r ż²/(√(1 − |r|)(k + σ_1)²)⟩, up to a relative error of the order of m_b ω/(k + σ_1).

use crate::elements::Friction;
use crate::numbers::STATIC_FRICTION;
use crate::trace::{Answer, Trace};

/// m_b ω/(k + σ_1) up to which the formula is compared. At 0.035 (100 Hz) it deviates by 2 % to 8 %.
const MAX_RATE_RATIO: f64 = 0.01;

/// Mean slip velocity from `from` (s) to the end of a run, whole periods of the load; `None` where its highest harmonic, of
/// `frequency` (Hz), is fast beside the bristle.
pub fn creep_rate(trace: &Trace, from: f64, frequency: f64) -> Option<f64> {
    let Friction { sigma_0, sigma_1, v_s, .. } = Friction::BENCH;
    let bristle_mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
    let mut lowest = f64::INFINITY;
    // r, and the magnitude of the mean's integrand. In stick ż is v up to the slip velocity.
    let mut integrand = |answer: &Answer| {
        let v = answer.contact.v;
        let r = (sigma_0 * answer.z + sigma_1 * v) / STATIC_FRICTION;
        let root = (1.0 - r.abs()).max(0.0).sqrt();
        let slope = 2.0 * STATIC_FRICTION / v_s * root + sigma_1;
        lowest = slope.min(lowest);
        (r, v * v / (root * slope * slope))
    };
    let window = trace.0.iter().filter(|sample| sample.t >= from - 1e-9);
    let points: Vec<_> = window.map(|sample| (sample.t, integrand(&sample.contacts[0]))).collect();
    if bristle_mass * core::f64::consts::TAU * frequency / lowest > MAX_RATE_RATIO {
        return None;
    }
    // Trapezoids, divided where r changes its sign.
    let area = points.windows(2).map(|pair| {
        let [(t0, (r0, g0)), (t1, (r1, g1))] = [pair[0], pair[1]];
        let positive =
            if r0 * r1 >= 0.0 { if r0 + r1 >= 0.0 { 1.0 } else { 0.0 } } else { r0.max(r1) / (r0 - r1).abs() };
        (2.0 * positive - 1.0) * 0.5 * (g0 + g1) * (t1 - t0)
    });
    let duration = points.last()?.0 - points.first()?.0;
    Some(-bristle_mass * sigma_0 / v_s * area.sum::<f64>() / duration)
}
