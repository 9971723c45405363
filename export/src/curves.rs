//! Friction curves of an element, recorded from the element itself, driven by its inputs as a user drives it.
//!
//! The documentation and the icon show them. No formula of a law stands here.

use std::f64::consts::TAU;

use bristle::catalogue::Variant;
use bristle::coupling::M_EFF;
use bristle::element::{AnyElement, F_R, INNER_STEPS_MAX};
use bristle::law;

use crate::error::{Context, Error, Result};

/// Points of a curve.
pub type Points = Vec<[f64; 2]>;

/// Limit of inner steps in a step of a curve: an element that needs more has an unstable bristle, and its export ends in bounded time.
const INNER_STEPS: f64 = 2000.0;

/// Element in a contact with constant normal force.
struct Contact {
    element: Box<dyn AnyElement>,
    name: String,
    inputs: law::Contact,
}

impl Contact {
    fn new(variant: &Variant, normal_force: f64) -> Self {
        let mut element = variant.contact();
        if variant.model.variable(INNER_STEPS_MAX.reference).is_some() {
            element.set(&INNER_STEPS_MAX, INNER_STEPS);
        }
        // The velocity is given here: a body of the card would follow the force instead.
        if variant.model.variable(M_EFF.reference).is_some() {
            element.set(&M_EFF, 0.0);
        }
        // Laws look at no other parameter than before.
        let _ = element.apply_parameters();
        Contact { element, name: variant.name().to_owned(), inputs: law::Contact::new(normal_force, 0.0) }
    }

    /// Sets the input `a` of an element that has it.
    fn accelerate(&mut self, a: f64) {
        self.inputs.a = a;
    }

    /// Sets the input `F_t` of an element that has it.
    fn apply(&mut self, force: f64) {
        self.inputs.F_t = force;
    }

    /// Friction force after `duration` at the velocity `v`.
    fn step(&mut self, v: f64, duration: f64) -> Result<f64> {
        self.inputs.v = v;
        self.element.set_contact(self.inputs);
        self.element.advance(duration).with_context(|| format!("{} does not advance at v = {v} m/s", self.name))?;
        Ok(self.element.values()[&F_R])
    }
}

/// F_R over v while v swings as a sine from rest, over one and a quarter periods.
pub fn loop_over_velocity(
    variant: &Variant,
    normal_force: f64,
    amplitude: f64,
    frequency: f64,
    h: f64,
) -> Result<Points> {
    let mut contact = Contact::new(variant, normal_force);
    let steps = (1.25 / (frequency * h)).round() as u32;
    (1..=steps)
        .map(|i| {
            // The input of a step is held: taken from its middle, the curve is neither early nor late.
            let phase = TAU * frequency * h * (f64::from(i) - 0.5);
            let v = amplitude * libm::sin(phase);
            contact.accelerate(amplitude * TAU * frequency * libm::cos(phase));
            Ok([v, contact.step(v, h)?])
        })
        .collect()
}

/// F_R over time after v jumped from rest to a value that is held.
pub fn after_step(variant: &Variant, normal_force: f64, speed: f64, duration: f64, points: u32) -> Result<Points> {
    let mut contact = Contact::new(variant, normal_force);
    let h = duration / f64::from(points);
    let mut curve = vec![[0.0, contact.step(0.0, h)?]];
    for i in 1..=points {
        curve.push([f64::from(i) * h, contact.step(speed, h)?]);
    }
    Ok(curve)
}

/// F_R over v where v is held until the force no longer changes.
pub fn steady_over_velocity(variant: &Variant, normal_force: f64, amplitude: f64, points: i32) -> Result<Points> {
    (-points..=points)
        .filter(|i| *i != 0)
        .map(|i| {
            let v = amplitude * f64::from(i) / f64::from(points);
            Ok([v, Contact::new(variant, normal_force).step(v, 1.0)?])
        })
        .collect()
}

/// F_R over the displacement when the contact is pulled slowly through `turns`, one after the other, from 0.
pub fn pull(variant: &Variant, normal_force: f64, speed: f64, h: f64, turns: &[f64]) -> Result<Points> {
    let mut contact = Contact::new(variant, normal_force);
    let mut x = 0.0;
    let mut points = vec![[0.0, 0.0]];
    for turn in turns {
        let v = speed.copysign(turn - x);
        for _ in 0..((turn - x) / (v * h)).round() as u32 {
            x += v * h;
            points.push([x, contact.step(v, h)?]);
        }
    }
    Ok(points)
}

/// Longest search for the break-away, steps.
const SEARCH: u32 = 50_000;

/// Speed of a pull (m/s) that takes 20 to 50 000 steps of `h` (s) to the break-away, and the displacement there (m). `speed` is tried
/// first.
pub fn break_away(variant: &Variant, normal_force: f64, mut speed: f64, h: f64) -> Result<(f64, f64)> {
    let mut found = break_away_displacement(variant, normal_force, speed, h);
    for _ in 0..3 {
        let factor = match &found {
            Ok(displacement) if *displacement < 20.0 * speed * h => 1.0 / 30.0,
            Ok(_) => break,
            Err(_) => 30.0,
        };
        speed *= factor;
        found = break_away_displacement(variant, normal_force, speed, h);
    }
    Ok((speed, found?))
}

/// Displacement at which a slow pull from rest raises the force per step by less than a twentieth of its first rise; a
/// multiple of `speed` (m/s) times `h` (s).
fn break_away_displacement(variant: &Variant, normal_force: f64, speed: f64, h: f64) -> Result<f64> {
    let mut contact = Contact::new(variant, normal_force);
    let first = contact.step(speed, h)?;
    let (mut x, mut last) = (speed * h, first);
    for _ in 0..SEARCH {
        let force = contact.step(speed, h)?;
        if force - last <= 0.05 * first {
            return Ok(x);
        }
        x += speed * h;
        last = force;
    }
    let name = variant.name();
    Err(Error::new(format!("{name} does not break away within {x} m at F_N = {normal_force} N")))
}

/// F_R over an applied force that rises and falls while the body does not move.
pub fn held(variant: &Variant, normal_force: f64, largest: f64, points: i32) -> Result<Points> {
    let mut contact = Contact::new(variant, normal_force);
    (-points..=points)
        .map(|i| {
            let force = largest * f64::from(i) / f64::from(points);
            contact.apply(force);
            Ok([force, contact.step(0.0, 1e-3)?])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;

    #[test]
    fn effective_mass_of_a_card_does_not_change_its_curves() {
        let [alone, with_body] = ["", "[coupling]\nm_eff = 1.2\n"].map(|coupling| {
            let card = format!("name = \"Pad\"\nlaw = \"FrDyn2Linear\"\n{coupling}");
            let variant = crate::card::read(&card, &ELEMENTS).unwrap();
            steady_over_velocity(&variant, 10.0, 0.02, 3).unwrap()
        });
        assert_eq!(alone, with_body);
    }
}
