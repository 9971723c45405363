//! The disc that slides and spins, by a patch of 60 points, beside the textbook's force and torque.

use super::STEPS;
use super::card_element::CardElement;
use super::run::{Run, Sample};
use crate::rows::Row;
use anyhow::{Context, Result};
use bristle_rigs::G;
use bristle_rigs::sliding_disc::{FINAL_RATIO, SlidingDisc, coulomb};

/// Interval of samples, s.
const SAMPLED: f64 = 2e-3;
/// End of the runs, s.
const END: f64 = 0.5;
/// Velocities at t = 0, m/s and rad/s: slow and fast against the rim, and the ratio that stays.
const STARTS: [(&str, f64, f64); 3] = [
    ("disc, 0.2 m/s and 10 rad/s", 0.2, 10.0),
    ("disc, 1 m/s and 5 rad/s", 1.0, 5.0),
    ("disc, 0.653 m/s and 10 rad/s", FINAL_RATIO, 10.0),
];
/// Speeds of the centre and of the rim below which they count as stopped, m/s: v_s of the law,
/// below which friction is no longer Coulomb's.
const STOPPED: f64 = 1e-3;
/// Time after which the bristles have bent, s.
const BENT: f64 = 0.01;

fn disc(element: &CardElement, velocity: f64, omega: f64) -> Result<SlidingDisc> {
    let plate = element
        .variant
        .card()
        .plate
        .as_ref()
        .context("the card of the disc has points")?;
    Ok(SlidingDisc::new(plate.positions.clone(), velocity, omega))
}

/// Speeds of the centre and of the rim, m/s.
fn speeds(rig: &SlidingDisc, now: &Sample) -> [f64; 2] {
    [libm::hypot(now.y[3], now.y[4]), rig.radius * now.y[5].abs()]
}

/// Times at which sliding and spin stop, s.
fn stops(rig: &SlidingDisc, run: &Run) -> [f64; 2] {
    [0, 1].map(|kind| run.first(|now| speeds(rig, now)[kind] < STOPPED))
}

/// Largest error of the force over μ F_N and of the torque over μ F_N R while the disc moves.
fn errors(rig: &SlidingDisc, mu: f64, run: &Run) -> [f64; 2] {
    let moving = run
        .0
        .iter()
        .filter(|now| now.t > BENT && speeds(rig, now).iter().all(|speed| *speed > 10.0 * STOPPED));
    let scale = mu * rig.mass * G;
    moving.fold([0.0; 2], |[force, torque]: [f64; 2], now| {
        let expected = coulomb(rig.ratio(&now.y));
        let found = [
            libm::hypot(now.friction.force[0], now.friction.force[1]),
            now.friction.torque / rig.radius,
        ];
        [
            force.max((found[0] / scale - expected[0]).abs()),
            torque.max((found[1] / scale - expected[1]).abs()),
        ]
    })
}

/// The textbook's motion under Coulomb friction: time, speed of the centre, speed of the rim, way,
/// by steps of 1e-5 s until it rests.
fn textbook(rig: &SlidingDisc, mu: f64) -> Vec<[f64; 4]> {
    let h = 1e-5;
    let rate = |[v, rim]: [f64; 2]| {
        let [force, torque] = coulomb(v / rim);
        [-mu * G * force, -2.0 * mu * G * torque]
    };
    let mut path = vec![[0.0, rig.velocity, rig.radius * rig.omega, 0.0]];
    let [mut t, mut way] = [0.0; 2];
    let mut speeds = [rig.velocity, rig.radius * rig.omega];
    while speeds.iter().all(|speed| *speed > 2.0 * mu * G * h) {
        let first = rate(speeds);
        let middle = rate([0, 1].map(|i| speeds[i] + 0.5 * h * first[i]));
        way += h * (speeds[0] + 0.5 * h * first[0]);
        speeds = [0, 1].map(|i| speeds[i] + h * middle[i]);
        t += h;
        path.push([t, speeds[0], speeds[1], way]);
    }
    path
}

/// Numbers of the disc from each start.
pub fn run(rows: &mut Vec<Row>) -> Result<()> {
    let element = CardElement::export("Disc")?;
    let mu = element.parameter("mu_d");
    for (name, velocity, omega) in STARTS {
        let rig = disc(&element, velocity, omega)?;
        let both = element.both(&rig, &STEPS, SAMPLED, END)?;
        let book = textbook(&rig, mu);
        let [stop, _, _, way] = book[book.len() - 1];
        let points = (
            0.01 * stop,
            "60 points in place of a uniform pressure, and samples",
        );
        rows.push(both.row(name, "stops after", "s", stop, points, |run| {
            stops(&rig, run)[0]
        }));
        let same = (SAMPLED, "a sample");
        let apart = |run: &Run| stops(&rig, run)[1] - stops(&rig, run)[0];
        rows.push(both.row(
            name,
            "spin stops later than sliding by",
            "s",
            0.0,
            same,
            apart,
        ));
        let points = (0.01 * way, "60 points in place of a uniform pressure");
        let slid = |run: &Run| libm::hypot(run.at(END).y[0], run.at(END).y[1]);
        rows.push(both.row(name, "slides", "m", way, points, slid));
        let points = (0.01, "60 points in place of a uniform pressure");
        for (kind, what) in ["error of F/(\u{3bc} F_N)", "error of M/(\u{3bc} F_N R)"]
            .into_iter()
            .enumerate()
        {
            rows.push(both.row(name, what, "", 0.0, points, |run| {
                errors(&rig, mu, run)[kind]
            }));
        }
        rows.push(both.order(name, "x", 0));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::card_element;
    use bristle_rigs::sliding_disc::rings;

    #[test]
    fn points_of_the_card_are_the_rings_of_the_rig() {
        let disc = card_element::read("Disc").expect("a card");
        let found = &disc.card().plate.as_ref().expect("points").positions;
        let expected = rings(5, 0.1);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            assert!(
                (0..2).all(|axis| (found[axis] - expected[axis]).abs() < 1e-7),
                "{found:?}, {expected:?}"
            );
        }
    }
}
