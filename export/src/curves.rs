//! Friction curves of an element, recorded from the element itself, driven by its inputs as a user
//! drives it.
//!
//! The documentation and the icon show them. No formula of a law stands here.

use std::f64::consts::TAU;

use bristle::assembly::Assembly;
use bristle::catalogue::Variant;
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{AnyElement, F_R, F_R_X, INNER_STEPS_MAX, V_X};
use bristle::law::{self, F_N, F_T};
use bristle::variable::{Role, Variable};

use crate::error::{Context, Error, Result};

/// Points of a curve.
pub type Points = Vec<[f64; 2]>;

/// Limit of inner steps in a step of a curve: an element that needs more has an unstable bristle,
/// and its export ends in bounded time.
const INNER_STEPS: f64 = 2000.0;

/// Force that pushes a body on a law with the input `F_t`, over the normal force, 1: above the
/// break-away force of every contact.
const PUSH: f64 = 1e3;

/// Choice `prescribed` of the coupling: the velocity is given, and no body follows the force.
const PRESCRIBED: f64 = 3.0;

/// Longest time for which a velocity is held until the force rests, s.
const LONGEST_HOLD: f64 = 1e3;

/// Deviation of a coefficient below which an element follows its curve, 1.
const FOLLOWED: f64 = 1e-6;

/// Change of a force at rest over its size, 1.
const RESTS: f64 = 1e-9;

/// A contact of an element, or all points of its plate, under a constant normal force (N).
#[derive(Clone, Copy)]
pub struct Probe<'a> {
    variant: &'a Variant,
    contact: u32,
    normal_force: f64,
}

/// Largest deviation of an element from the points of its measured curve, in steady sliding.
pub struct Deviation {
    /// Speed of the point, m/s.
    pub v: f64,
    /// Measured coefficient.
    pub measured: f64,
    /// Coefficient of the element.
    pub found: f64,
}

/// Deviation of an element from its measured curve at the card's normal force, one sentence; `None`
/// without a curve.
pub fn followed_curve(variant: &Variant) -> Result<Option<String>> {
    let normal_force = variant.card().normal_force;
    let deviation = Probe::new(variant, 0, normal_force).deviation_from_curve()?;
    Ok(deviation.map(|deviation| deviation.sentence(variant)))
}

/// Coefficient of friction of an element over these velocities (m/s), each held until the force no
/// longer changes, at the card's normal force.
pub fn steady(variant: &Variant, velocities: impl Iterator<Item = f64>) -> Result<Points> {
    let normal_force = variant.card().normal_force;
    let mut points = Probe::new(variant, 0, normal_force).steady_at(velocities)?;
    for [v, force] in &mut points {
        *force *= v.signum() / normal_force;
    }
    Ok(points)
}

impl Deviation {
    fn sentence(&self, variant: &Variant) -> String {
        let Deviation { v, measured, found } = self;
        let card = variant.card();
        let difference = (found - measured).abs();
        let size = difference / measured;
        let at = match card.level {
            Some(_) => "in steady sliding".to_owned(),
            None => format!("in steady sliding at F_N = {} N", card.normal_force),
        };
        let speed = if card.states_torques() {
            format!("omega = {v} rad/s")
        } else {
            format!("v = {v} m/s")
        };
        if difference < FOLLOWED {
            return format!(
                "the element follows its measured points {at}: it deviates by less than \
                 {FOLLOWED:e}"
            );
        }
        format!(
            "the element deviates from its measured points {at} by up to {:.2} %: at {speed} \
             it has {found:.4} where {measured} was \
             measured",
            100.0 * size
        )
    }
}

/// An element on its way.
struct Driven {
    subject: Subject,
    name: String,
    inputs: law::Contact,
    /// Whether the law has the input `F_t`.
    is_pushed: bool,
}

enum Subject {
    Contact(Box<dyn AnyElement>),
    /// All points of a plate, which moves along x.
    Plate {
        assembly: Box<Assembly>,
        v: Variable,
        force: u32,
    },
}

impl Driven {
    /// Moves at `v` (m/s) for `duration` (s); returns the friction force, N. A law with the input
    /// `F_t` is pushed in the direction of v.
    fn step(&mut self, v: f64, duration: f64) -> Result<f64> {
        if self.is_pushed && v != 0.0 {
            self.inputs.F_t = (PUSH * self.inputs.F_N).copysign(v);
        }
        self.inputs.v = v;
        let context = |name: &str| format!("{name} does not advance at v = {v} m/s");
        match &mut self.subject {
            Subject::Contact(element) => {
                element.set_contact(self.inputs);
                element
                    .advance(duration)
                    .with_context(|| context(&self.name))?;
                Ok(element.values()[&F_R])
            }
            Subject::Plate {
                assembly,
                v: input,
                force,
            } => {
                assembly.set(input, v);
                assembly
                    .advance(duration)
                    .with_context(|| context(&self.name))?;
                Ok(assembly.value(*force))
            }
        }
    }
}

impl<'a> Probe<'a> {
    /// Contact of an element, counted from 0, or all points of its plate.
    pub fn new(variant: &'a Variant, contact: u32, normal_force: f64) -> Self {
        Probe {
            variant,
            contact,
            normal_force,
        }
    }

    /// Element whose curves these are.
    pub fn variant(&self) -> &'a Variant {
        self.variant
    }

    /// Normal force, N.
    pub fn normal_force(&self) -> f64 {
        self.normal_force
    }

    fn start(&self) -> Driven {
        let Probe {
            variant,
            normal_force,
            ..
        } = *self;
        let subject = if variant.card().plate.is_some() {
            self.plate()
        } else {
            None
        };
        Driven {
            subject: subject.unwrap_or_else(|| Subject::Contact(self.contact())),
            name: variant.name().to_owned(),
            inputs: law::Contact::new(normal_force, 0.0),
            is_pushed: variant.all().any(|variable| variable.is(&F_T)),
        }
    }

    fn contact(&self) -> Box<dyn AnyElement> {
        let mut element = self.variant.contact(self.contact);
        let has = |declared: &Variable| self.variant.model.variable(declared.reference).is_some();
        if has(&INNER_STEPS_MAX) {
            element.set(&INNER_STEPS_MAX, INNER_STEPS);
        }
        // The velocity is given here: a body of the card would follow the force instead.
        if has(&M_EFF) {
            element.set(&M_EFF, 0.0);
        }
        // Laws look at no other parameter than before.
        let _ = element.apply_parameters();
        element
    }

    /// All points of the plate, which share the normal force where each has its own.
    fn plate(&self) -> Option<Subject> {
        let named = |declared: &Variable| {
            self.variant
                .all()
                .find(|variable| variable.name == declared.name)
                .copied()
        };
        let (v, force) = (named(&V_X)?, named(&F_R_X)?.reference);
        let mut assembly = self.variant.instantiate();
        let forces: Vec<_> = self
            .variant
            .all()
            .filter(|v| v.is(&F_N) && v.role == Role::Input)
            .collect();
        for input in &forces {
            assembly.set(input, self.normal_force / forces.len() as f64);
        }
        if let Some(coupling) = named(&COUPLING) {
            assembly.set(&coupling, PRESCRIBED);
        }
        let _ = assembly.apply_parameters();
        Some(Subject::Plate {
            assembly: Box::new(assembly),
            v,
            force,
        })
    }

    /// F_R over v while v swings as a sine from rest, over one and a quarter periods.
    pub fn loop_over_velocity(&self, amplitude: f64, frequency: f64, h: f64) -> Result<Points> {
        let mut driven = self.start();
        let steps = (1.25 / (frequency * h)).round() as u32;
        (1..=steps)
            .map(|i| {
                // The input of a step is held: taken from its middle, the curve is neither early
                // nor late.
                let phase = TAU * frequency * h * (f64::from(i) - 0.5);
                let v = amplitude * libm::sin(phase);
                driven.inputs.a = amplitude * TAU * frequency * libm::cos(phase);
                Ok([v, driven.step(v, h)?])
            })
            .collect()
    }

    /// F_R over time after v jumped from rest to a value that is held.
    pub fn after_step(&self, speed: f64, duration: f64, points: u32) -> Result<Points> {
        let mut driven = self.start();
        let h = duration / f64::from(points);
        let mut curve = vec![[0.0, driven.step(0.0, h)?]];
        for i in 1..=points {
            curve.push([f64::from(i) * h, driven.step(speed, h)?]);
        }
        Ok(curve)
    }

    /// F_R over v where v is held until the force no longer changes.
    pub fn steady_over_velocity(&self, amplitude: f64, points: i32) -> Result<Points> {
        let speeds = (-points..=points).filter(|i| *i != 0);
        self.steady_at(speeds.map(|i| amplitude * f64::from(i) / f64::from(points)))
    }

    /// F_R over these v (m/s), each held until the force no longer changes.
    pub fn steady_at(&self, velocities: impl Iterator<Item = f64>) -> Result<Points> {
        velocities.map(|v| Ok([v, self.steady(v)?])).collect()
    }

    /// F_R where v (m/s) is held until the force no longer changes.
    fn steady(&self, v: f64) -> Result<f64> {
        let (mut driven, mut duration) = (self.start(), 1.0);
        let mut force = driven.step(v, duration)?;
        while duration < LONGEST_HOLD {
            let before = force;
            force = driven.step(v, duration)?;
            if (force - before).abs() <= RESTS * force.abs() {
                break;
            }
            duration *= 2.0;
        }
        Ok(force)
    }

    /// Point of the measured curve from which the element deviates most in steady sliding; `None`
    /// without a curve.
    pub fn deviation_from_curve(&self) -> Result<Option<Deviation>> {
        let Some(curve) = &self.variant.card().characteristic else {
            return Ok(None);
        };
        let mut largest: Option<Deviation> = None;
        for &[v, measured] in &curve.points {
            let found = self.steady(v)? / self.normal_force * v.signum();
            let error = (found - measured).abs();
            if largest
                .as_ref()
                .is_none_or(|known| error > (known.found - known.measured).abs())
            {
                largest = Some(Deviation { v, measured, found });
            }
        }
        Ok(largest)
    }

    /// F_R over the displacement when the contact is pulled slowly through `turns`, one after the
    /// other, from 0.
    pub fn pull(&self, speed: f64, h: f64, turns: &[f64]) -> Result<Points> {
        let mut driven = self.start();
        let mut x = 0.0;
        let mut points = vec![[0.0, 0.0]];
        for turn in turns {
            let v = speed.copysign(turn - x);
            for _ in 0..((turn - x) / (v * h)).round() as u32 {
                x += v * h;
                points.push([x, driven.step(v, h)?]);
            }
        }
        Ok(points)
    }

    /// Speed of a pull (m/s) that takes 20 to 50 000 steps of `h` (s) to the break-away, and the
    /// displacement there (m). `speed` is tried first.
    pub fn break_away(&self, mut speed: f64, h: f64) -> Result<(f64, f64)> {
        let mut found = self.break_away_displacement(speed, h);
        for _ in 0..3 {
            let factor = match &found {
                Ok(displacement) if *displacement < 20.0 * speed * h => 1.0 / 30.0,
                Ok(_) => break,
                Err(_) => 30.0,
            };
            speed *= factor;
            found = self.break_away_displacement(speed, h);
        }
        Ok((speed, found?))
    }

    /// Displacement at which a slow pull from rest raises the force per step by less than a
    /// twentieth of its first rise; a multiple of `speed` (m/s) times `h` (s).
    fn break_away_displacement(&self, speed: f64, h: f64) -> Result<f64> {
        let mut driven = self.start();
        let first = driven.step(speed, h)?;
        let (mut x, mut last) = (speed * h, first);
        for _ in 0..SEARCH {
            let force = driven.step(speed, h)?;
            if force - last <= 0.05 * first {
                return Ok(x);
            }
            x += speed * h;
            last = force;
        }
        let (name, normal_force) = (self.variant.name(), self.normal_force);
        Err(Error::new(format!(
            "{name} does not break away within {x} m at F_N = {normal_force} N"
        )))
    }

    /// F_R over an applied force that rises and falls while the body does not move.
    pub fn held(&self, largest: f64, points: i32) -> Result<Points> {
        let mut driven = self.start();
        (-points..=points)
            .map(|i| {
                let force = largest * f64::from(i) / f64::from(points);
                driven.inputs.F_t = force;
                Ok([force, driven.step(0.0, 1e-3)?])
            })
            .collect()
    }

    /// Normal force from which on the law warns of itself at the start values, N; `None` for one
    /// that does not below 1e9 N.
    pub fn largest_normal_force(&self) -> Option<f64> {
        let mut element = self.contact();
        let mut warns = |normal_force: f64| {
            element.set_contact(law::Contact::new(normal_force, 0.0));
            element.model_warning().is_some()
        };
        let [mut good, mut bad] = [1e-3, 1e9];
        if warns(good) || !warns(bad) {
            return None;
        }
        while bad > good * (1.0 + 1e-6) {
            let middle = (good * bad).sqrt();
            if warns(middle) {
                bad = middle
            } else {
                good = middle
            }
        }
        Some(good)
    }
}

/// Longest search for the break-away, steps.
const SEARCH: u32 = 50_000;

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;

    #[test]
    fn effective_mass_of_a_card_does_not_change_its_curves() {
        let [alone, with_body] = ["", "[coupling]\nm_eff = 1.2\n"].map(|coupling| {
            let card = format!("name = \"Pad\"\nlaw = \"FrDyn2Linear\"\n{coupling}");
            let variant = crate::card::read(&card, &ELEMENTS).unwrap();
            Probe::new(&variant, 0, 10.0)
                .steady_over_velocity(0.02, 3)
                .unwrap()
        });
        assert_eq!(alone, with_body);
    }

    #[test]
    fn laws_with_an_applied_force_slide_at_every_velocity() {
        for name in ["Coulomb", "ModelicaFriction"] {
            let stock = bristle::catalogue::find(name).unwrap().stock();
            for [v, force] in Probe::new(&stock, 0, 10.0)
                .steady_over_velocity(0.01, 100)
                .unwrap()
            {
                assert!(
                    force.abs() > 2.9 && force * v > 0.0,
                    "{name}: {force} N at {v} m/s"
                );
            }
        }
    }

    #[test]
    fn deviation_from_a_curve_is_that_of_steady_sliding() {
        let of = |law: &str, normal_force: f64| {
            let card = format!(
                "name = \"Pad\"\nlaw = \"{law}\"\n[characteristic]\npoints = [[0.01, 0.42], \
                 [0.02, 0.35], [0.05, 0.31], [0.5, 0.3]]\n"
            );
            let variant = crate::card::read(&card, &ELEMENTS).unwrap();
            let found = Probe::new(&variant, 0, normal_force)
                .deviation_from_curve()
                .unwrap()
                .unwrap();
            [found.v, found.found - found.measured]
        };
        for law in [
            "FrDyn2Linear",
            "StaticRegularized",
            "LuGre",
            "ModelicaFriction",
        ] {
            let [v, error] = of(law, 10.0);
            assert!(error.abs() < 1e-7, "{law}: {error:e} at {v} m/s");
        }
        // At 1 kN F_0 = F_R + sigma_1 v stays below F_s at 0.02 m/s: 413.9 < 420 N.
        let [v, error] = of("FrDyn2Linear", 1000.0);
        assert!(v == 0.02 && error > 1e-4, "{error:e} at {v} m/s");
    }

    #[test]
    fn normal_force_up_to_which_the_bristle_is_stable_is_found() {
        let stock = bristle::catalogue::find("FrDyn2").unwrap().stock();
        // sigma_1 (v_d - v_s)/(1.5 (mu_s - mu_d)).
        let expected = 3192.75 * 9e-3 / 0.45;
        let found = Probe::new(&stock, 0, 10.0).largest_normal_force().unwrap();
        assert!(
            (found / expected - 1.0).abs() < 1e-5,
            "{found} N for {expected} N"
        );
    }
}
