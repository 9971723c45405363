//! The slider on four feet, by four planar contacts in one FMU.

use super::STEPS;
use super::card_element::CardElement;
use super::run::Run;
use crate::rows::Row;
use anyhow::Result;
use bristle_rigs::four_feet::{FEET, FourFeet, NORMAL_FORCES, PUSHED};

const NAME: &str = "four feet, FrDyn2Linear";
/// Interval of samples, s.
const SAMPLED: f64 = 2e-3;
/// End of the runs, s.
const END: f64 = 1.2;
/// Angular velocity above which the slider turns, rad/s: v_s at the foot that is pushed.
const TURNS: f64 = 1e-3 / 0.3;

/// The slider under a push that exceeds the limit by a tenth.
fn slider(element: &CardElement) -> FourFeet {
    FourFeet {
        push: 1.1 * FourFeet::limit(element.parameter("mu_s")),
        duration: 1.0,
    }
}

/// Size of a displacement of a foot, m.
fn travel(rig: &FourFeet, y: &[f64], foot: usize) -> f64 {
    let [x, y] = rig.displacement(y, foot);
    libm::hypot(x, y)
}

/// Push at which the first foot leaves stick, N: all four carry it as equal springs about their
/// middle, and the foot with the largest deflection over its normal force leaves first.
fn first_slip(mu_s: f64, pushed: usize) -> (usize, f64) {
    let squares: f64 = FEET.iter().map(|[x, y]| x * x + y * y).sum();
    let (shift, turn) = (1.0 / FEET.len() as f64, FEET[pushed][0] / squares);
    let pushes = (0..4).map(|foot| {
        let [x, y] = FEET[foot];
        (
            foot,
            mu_s * NORMAL_FORCES[foot] / libm::hypot(turn * y, shift + turn * x),
        )
    });
    pushes
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((0, f64::NAN))
}

/// Numbers of the slider.
pub fn run(rows: &mut Vec<Row>) -> Result<()> {
    let element = CardElement::export("Feet")?;
    let mu_s = element.parameter("mu_s");
    let rig = slider(&element);
    let both = element.both(&rig, &STEPS, SAMPLED, END)?;
    let (first, push) = first_slip(mu_s, PUSHED);
    let rises = (0.1, "the push rises by 0.07 N in a sample");
    let what = format!("push at which foot {} leaves stick, the first", first + 1);
    let others_stick = |sticking: &[bool]| (0..4).all(|foot| foot == first || sticking[foot]);
    let slips = |run: &Run| {
        rig.push_at(run.first(|now| !now.sticking[first] && others_stick(&now.sticking)))
    };
    rows.push(both.row(NAME, what, "N", push, rises, slips));
    let turns = |run: &Run| rig.push_at(run.first(|now| now.y[5] > TURNS));
    let rises = (
        0.25,
        "the push rises by 22 N/s, and the slider turns within 10 ms",
    );
    rows.push(both.row(
        NAME,
        "push at which it turns about foot 1",
        "N",
        FourFeet::limit(mu_s),
        rises,
        turns,
    ));
    let slides = |run: &Run| {
        let turning = run.0.iter().find(|now| now.y[5] > 0.1);
        turning.map_or(f64::NAN, |now| {
            now.sticking.iter().filter(|sticks| **sticks).count() as f64
        })
    };
    rows.push(both.row(
        NAME,
        "feet that stick while it turns",
        "",
        1.0,
        (0.0, "a count"),
        slides,
    ));
    let bristle = (
        mu_s * NORMAL_FORCES[0] / element.parameter("sigma_0"),
        "the bristle's deflection at F_s",
    );
    let most = |run: &Run| {
        run.0
            .iter()
            .map(|now| travel(&rig, &now.y, 0))
            .fold(0.0, f64::max)
    };
    rows.push(both.row(
        NAME,
        "largest travel of foot 1, which sticks",
        "m",
        0.0,
        bristle,
        most,
    ));
    let expected = travel(&rig, &both.monolithic.at(END).y, 1);
    let coupled = (
        1e-4,
        "as the monolithic solution; first order of the communication step",
    );
    rows.push(
        both.row(NAME, "travel of foot 2", "m", expected, coupled, |run| {
            travel(&rig, &run.at(END).y, 1)
        }),
    );
    rows.push(both.order(NAME, "angle", 2));
    Ok(())
}
