//! The brake with an elastic shaft, by a rotational element.

use super::STEPS;
use super::card_element::CardElement;
use super::run::Run;
use crate::rows::Row;
use anyhow::Result;
use bristle_rigs::brake::Brake;
use core::f64::consts::TAU;

const NAME: &str = "brake, FrDyn2Linear";
/// Interval of samples, s.
const SAMPLED: f64 = 2e-3;
/// End of the runs, s.
const END: f64 = 1.6;
/// Time from which the disc sticks and the start of the braking has decayed, s.
const STICKS: f64 = 0.8;

/// Angle of the wheel among the states.
const WHEEL: usize = 0;
/// Angular velocity of the wheel among the states.
const WHEEL_SPEED: usize = 1;
/// Angle of the disc among the states.
const DISC: usize = 2;

/// Numbers of the brake.
pub fn run(rows: &mut Vec<Row>) -> Result<()> {
    let rig = Brake::default();
    let element = CardElement::export("Brake")?;
    let both = element.both(&rig, &STEPS, SAMPLED, END)?;
    let inertia = rig.wheel + rig.disc;
    let torque = element.parameter("mu_d") * rig.normal_force * rig.radius;
    // Half of the normal force on average while it rises.
    let braked = |t: f64| rig.speed - torque * (t - 0.5 * rig.duration) / inertia;
    let mean = |run: &Run| (rig.wheel * run.at(0.5).y[1] + rig.disc * run.at(0.5).y[3]) / inertia;
    let allowed = (
        5e-3,
        "the bristle's rise; through the FMU half a step of the rising F_N",
    );
    rows.push(both.row(
        NAME,
        "mean angular velocity at 0.5 s",
        "rad/s",
        braked(0.5),
        allowed,
        mean,
    ));
    let bristle = rig.radius * rig.radius * element.parameter("sigma_0");
    let stiffness = rig.stiffness * bristle / (rig.stiffness + bristle);
    let expected = (stiffness / rig.wheel).sqrt() / TAU;
    let allowed = (
        0.01,
        "inertia of the disc; first order of the communication step",
    );
    rows.push(both.row(
        NAME,
        "frequency of the wheel once the disc sticks",
        "Hz",
        expected,
        allowed,
        frequency,
    ));
    let allowed = (
        3e-7,
        "samples of an angle that swings by 6e-5 rad with the bristle",
    );
    let creep = |run: &Run| middle(run, END - 0.3, END) - middle(run, STICKS, STICKS + 0.3);
    rows.push(both.row(
        NAME,
        "creep of the disc under the swing, in 0.5 s",
        "rad",
        0.0,
        allowed,
        creep,
    ));
    rows.push(both.order(NAME, "angle of the wheel", WHEEL));
    Ok(())
}

/// Frequency of the wheel's velocity by its zeros, Hz.
fn frequency(run: &Run) -> f64 {
    let zeros: Vec<f64> = run
        .0
        .windows(2)
        .filter(|pair| pair[0].t >= STICKS)
        .filter_map(|pair| {
            let [a, b] = [pair[0].y[WHEEL_SPEED], pair[1].y[WHEEL_SPEED]];
            (a * b <= 0.0 && a != b).then(|| pair[0].t + (pair[1].t - pair[0].t) * a / (a - b))
        })
        .collect();
    match zeros[..] {
        [first, .., last] => 0.5 * (zeros.len() - 1) as f64 / (last - first),
        _ => f64::NAN,
    }
}

/// Middle of the angles of the disc over a time.
fn middle(run: &Run, from: f64, to: f64) -> f64 {
    let angles = run
        .0
        .iter()
        .filter(|now| (from..=to).contains(&now.t))
        .map(|now| now.y[DISC]);
    let [least, most] = angles.fold([f64::MAX, f64::MIN], |[least, most], angle| {
        [least.min(angle), most.max(angle)]
    });
    0.5 * (least + most)
}
