//! The block on an inclined plane that vibrates, by planar elements of three laws.

use super::STEPS;
use super::card_element::CardElement;
use super::run::Run;
use crate::rows::Row;
use anyhow::Result;
use bristle_rigs::inclined_plane::InclinedPlane;
use bristle_rigs::planar::{PlanarRig, turned};
use core::f64::consts::{FRAC_PI_2, TAU};

/// Interval of samples, s: a fifth of the period of the vibration.
const SAMPLED: f64 = 2e-3;
/// Time at which the rise of the loads has decayed, s.
const FROM: f64 = 0.3;
/// End of the runs, s.
const END: f64 = 1.3;
/// Static coefficient of friction of all cards.
const MU_S: f64 = 0.6;
/// Laws with names of the rig with each.
const LAWS: [(&str, &str); 3] = [
    ("FrDyn2Linear", "incline, FrDyn2Linear"),
    ("FrDyn2", "incline, FrDyn2"),
    ("LuGre", "incline, LuGre"),
];

/// Mean velocity down the slope, m/s.
fn drift(run: &Run) -> f64 {
    (run.at(END).y[0] - run.at(FROM).y[0]) / (END - FROM)
}

/// Mean slip velocity of FrDyn2 in stick down the slope, m/s.
///
/// The slip **e** = **v** − d**z**/dt obeys m_b d**e**/dt = m_b d**v**/dt − (K + σ_1) **e**, where
/// K is the slope of the force at the shift of **F**_0: 2(F_s/v_s)√(1 − r) along **F**_0 and
/// (F_s/v_s)(1 + √(1 − r)) across it, r = |**F**_0|/F_s. **F**_0 and **v** are those of a body on
/// the bristle as a spring with a damper, which turn with the vibration about the mean load.
fn creep_rate(element: &CardElement, rig: &InclinedPlane) -> f64 {
    let [mu_s, sigma_0, sigma_1, v_s] =
        ["mu_s", "sigma_0", "sigma_1", "v_s"].map(|name| element.parameter(name));
    let static_force = mu_s * rig.normal_force(0.0, 0);
    let bristle_mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
    let omega = TAU * rig.frequency;
    let (damping, elastic) = (
        sigma_1 * omega,
        sigma_0 - (rig.mass + bristle_mass) * omega * omega,
    );
    let spring = libm::hypot(sigma_0, damping);
    let turning = rig.mass * rig.acceleration * spring / libm::hypot(elastic, damping);
    let lead = FRAC_PI_2 - libm::atan2(damping, sigma_0);
    let mean = rig.slope * rig.normal_force(0.0, 0);
    let rate = |t: f64, e: [f64; 2]| {
        let force = turned([turning, 0.0], omega * t);
        let force = [force[0] + mean, force[1]];
        let acceleration = turned([0.0, omega * omega * turning / spring], omega * t + lead);
        let size = libm::hypot(force[0], force[1]);
        let root = (1.0 - size / static_force).sqrt();
        let [along, across] =
            [2.0 * root, 1.0 + root].map(|slope| static_force / v_s * slope + sigma_1);
        let direction = force.map(|component| component / size);
        let projected = direction[0] * e[0] + direction[1] * e[1];
        [0, 1].map(|i| {
            acceleration[i]
                - (across * e[i] + (along - across) * projected * direction[i]) / bristle_mass
        })
    };
    // The midpoint rule over a few periods, until the slip is periodic, and its mean over the last.
    const PERIODS: u32 = 4;
    const STEPS_IN_PERIOD: u32 = 4000;
    let h = 1.0 / (rig.frequency * f64::from(STEPS_IN_PERIOD));
    let (mut e, mut sum) = ([0.0; 2], 0.0);
    for step in 0..PERIODS * STEPS_IN_PERIOD {
        let t = f64::from(step) * h;
        let first = rate(t, e);
        let middle = rate(t + 0.5 * h, [0, 1].map(|i| e[i] + 0.5 * h * first[i]));
        e = [0, 1].map(|i| e[i] + h * middle[i]);
        if step >= (PERIODS - 1) * STEPS_IN_PERIOD {
            sum += e[0];
        }
    }
    sum / f64::from(STEPS_IN_PERIOD)
}

/// Numbers of the block under each law.
pub fn run(rows: &mut Vec<Row>) -> Result<()> {
    let rig = InclinedPlane::new(MU_S);
    for (law, name) in LAWS {
        let element = CardElement::export(&format!("Incline{law}"))?;
        let both = element.both(&rig, &STEPS, SAMPLED, END)?;
        let monolithic = drift(&both.monolithic);
        let (expected, allowed) = match law {
            "FrDyn2Linear" => (0.0, (1e-15, "no drift: rounding")),
            "FrDyn2" => {
                let expected = creep_rate(&element, &rig);
                (
                    expected,
                    (
                        0.07 * expected.abs(),
                        "the formula is linear in the slip; first order of the communication step",
                    ),
                )
            }
            _ => (
                monolithic,
                (
                    1e-6,
                    "as the monolithic solution; first order of the communication step",
                ),
            ),
        };
        rows.push(both.row(
            name,
            "drift down the slope",
            "m/s",
            expected,
            allowed,
            drift,
        ));
        rows.push(both.order(name, "x", 0));
    }
    Ok(())
}
