//! One sequence of an element through its packaged FMU. Each step is compared by itself, from the element's state at its start.

use super::draws::{self, Body, Sequence, Step};
use super::expected::{Expected, ReferenceStep};
use super::laws::{self, MODELS, Model};
use super::report::{Case, Quantity, Tally, Unjudged};
use super::values::{Values, value};
use crate::limits::{AGREEMENT, DEFAULT, FACTOR, MAX_ERROR, ROUNDING, SUM, VANISHING};
use bristle_benches::clock;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::{Contact, Derivatives, InputPolynomials, InputTrajectory, ReferenceLaw};

/// Smallest F_s that errors can be measured by, N: below it products underflow.
const SMALLEST: f64 = 1e-290;
/// Parts of a step by which the quadrature of a failing step is confirmed, so that it misses nothing between its nodes.
const PARTS: u32 = 500;
/// Steps over which the load of a body counts that a jump of v has shown.
const REMEMBERED: usize = 5;
/// Largest F_R and energy of a step with `m_eff`, over the limits of the law and the body.
const BOUND: f64 = 10.0;

/// Outputs and states after a step.
struct Outcome {
    status: Status,
    force: f64,
    energy: f64,
    /// F_R_mean, where the element has it.
    mean: Option<f64>,
    states: Vec<(String, f64)>,
}

/// Element under test with its parameters and inputs.
struct Trial<'a> {
    model: &'a Model,
    element: Element<'a>,
    parameters: Values,
    tolerance: f64,
    /// The steps so far.
    past: Vec<(InputPolynomials, f64)>,
    states: Vec<(String, f64)>,
    energy: f64,
    /// Velocity of the led body, m/s.
    v: f64,
    force: f64,
    /// Contact at the end of the last step.
    end: Contact,
    /// Largest normal force (N), speed (m/s) and applied force (N) of the sequence so far.
    largest: [f64; 3],
}

/// Runs the sequence of this number.
pub fn run(fmu: &Fmu, place: usize, seed: u64, index: u64, tally: &mut Tally) {
    let Sequence { parameters, tolerance, body, steps } = draws::sequence(seed, place, index);
    let model = &MODELS[place];
    let mut values = parameters.clone();
    if let Some(Body { mass, coupling, .. }) = body {
        values.extend([("m_eff", mass), ("coupling", f64::from(coupling))]);
    }
    let mut element = Element::start(fmu, &values, tolerance);
    let states = named(element.states());
    let tolerance = tolerance.unwrap_or(DEFAULT);
    let mut trial = Trial {
        model,
        element,
        parameters,
        tolerance,
        past: Vec::new(),
        states,
        energy: 0.0,
        v: 0.0,
        force: 0.0,
        end: Contact::default(),
        largest: [0.0; 3],
    };
    for (number, step) in steps.into_iter().enumerate() {
        let mut case = Case {
            sequence: index,
            number,
            parameters: trial.parameters.clone(),
            tolerance,
            body,
            states: trial.states.clone(),
            step,
            found: f64::NAN,
            expected: f64::NAN,
            error: 0.0,
        };
        if !trial.step(body, step, &mut case, tally) {
            return;
        }
    }
}

fn named(states: Vec<(&str, f64)>) -> Vec<(String, f64)> {
    states.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

impl Trial<'_> {
    /// Makes a step and compares it; false where the sequence ends.
    fn step(&mut self, body: Option<Body>, mut step: Step, case: &mut Case, tally: &mut Tally) -> bool {
        if let Some(Body { led: Some(_), .. }) = body {
            step.inputs.v = [self.v, 0.0, 0.0, 0.0];
            case.step = step;
        }
        if let (Some(factor), Some(name)) = (step.tuning, self.model.stiffness) {
            self.tune(name, factor);
            case.parameters.clone_from(&self.parameters);
            case.states.clone_from(&self.states);
        }
        tally.steps += 1;
        let mut result = Err(String::new());
        let time = clock::once(|| result = self.advance(&step));
        tally.slowest.offer(time * 1e-6, case);
        let reference = body.is_none().then(|| self.reference());
        let step_of_reference = reference.as_ref().map(|reference| ReferenceStep {
            reference: &**reference,
            element: self.model.element,
            parameters: &self.parameters,
            inputs: &step.inputs,
            h: step.h,
            parts: 1,
        });
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(said) => {
                let scaled =
                    step_of_reference.as_ref().filter(|step_of_reference| step_of_reference.largest()[0] >= SMALLEST);
                let expected = scaled.and_then(|step_of_reference| step_of_reference.answer([f64::INFINITY; 2]));
                let can = body.is_some()
                    || !self.model.is_force_compared
                    || expected.is_some_and(|expected| expected.force.abs() < 1e300);
                tally.refuse(&said, can, case);
                return false;
            }
        };
        tally.warned += u64::from(outcome.status == Status::Warning);
        let Outcome { force, energy, mean, states, .. } = &outcome;
        case.found = *force;
        let numbers = states.iter().map(|(_, value)| *value).chain([*force, *energy, mean.unwrap_or(0.0)]);
        if numbers.into_iter().any(|number| !number.is_finite()) {
            tally.fail("a result is not a finite number", case);
            return false;
        }
        match &step_of_reference {
            Some(step_of_reference) => self.compare(step_of_reference, &outcome, case, tally),
            None => self.check_with_body(body, &step, &outcome, case, tally),
        }
        self.past.push((step.inputs, step.h));
        self.end = step.inputs.at(step.h);
        if let Some(Body { led: Some(mass), coupling, .. }) = body {
            let force = if coupling == 1 { outcome.force } else { self.force };
            self.v += (step.inputs.F_t[0] - force) / mass * step.h;
        }
        (self.force, self.energy, self.states) = (outcome.force, outcome.energy, outcome.states);
        true
    }

    fn tune(&mut self, name: &'static str, factor: f64) {
        let previous = self.element.instance.get(name);
        let present = previous * factor;
        self.element.instance.set(name, present);
        self.parameters.retain(|(known, _)| *known != name);
        self.parameters.push((name, present));
        let factor = laws::retuned_deflection(name, previous, present);
        for (state, value) in &mut self.states {
            if matches!(state.as_str(), "z" | "x") {
                *value *= factor;
            }
        }
    }

    /// Reference law in the state of the element, with its history.
    fn reference(&self) -> Box<dyn ReferenceLaw> {
        let mut reference = (self.model.reference)(&self.parameters);
        // The only law with a velocity history.
        if self.model.element == "Armstrong" {
            for (inputs, h) in &self.past {
                reference.advance(&InputTrajectory::Short(&|t| inputs.at(t)), *h);
            }
        }
        reference.synchronise(self.end, &|name| {
            self.states.iter().find(|(state, _)| state == name).map_or(f64::NAN, |(_, value)| *value)
        });
        reference
    }

    fn advance(&mut self, step: &Step) -> Result<Outcome, String> {
        let element = &mut self.element;
        let status = element.set_inputs(&step.inputs, step.order).max(element.do_step(step.h));
        if status > Status::Warning {
            let log = element.instance.take_log().into_iter().filter(|entry| entry.status > Status::Warning);
            let said = log.map(|entry| entry.text).collect::<Vec<_>>().join(" ");
            return Err(format!("{status:?}: {said}"));
        }
        let instance = &mut element.instance;
        let has_mean = instance.fmu().description.variables.iter().any(|variable| variable.name == "F_R_mean");
        let (force, energy) = (instance.get("F_R"), instance.get("E_loss"));
        let mut mean = None;
        if has_mean {
            let mut value = [f64::NAN];
            let reference = instance.fmu().description.reference("F_R_mean");
            let got = instance.get_real(&[reference], &mut value);
            if got > Status::Warning {
                let said = instance.take_log().into_iter().map(|entry| entry.text).collect::<Vec<_>>().join(" ");
                return Err(format!("{got:?}: F_R_mean: {said}"));
            }
            mean = Some(value[0]);
        }
        Ok(Outcome { status, force, energy, mean, states: named(element.states()) })
    }

    /// Compares F_R, E_loss and F_R_mean with the reference's.
    fn compare(&self, step_of_reference: &ReferenceStep, outcome: &Outcome, case: &mut Case, tally: &mut Tally) {
        let h = step_of_reference.h;
        let [normal_force, speed] = step_of_reference.largest();
        let friction = step_of_reference.reference.static_friction();
        let at_end = step_of_reference.inputs.at(h).F_N;
        let (whole, end) = (friction * normal_force, friction * at_end.max(0.0));
        let (impulse_scale, energy_scale) = (whole * h, whole * speed * h);
        let allowed = [impulse_scale, energy_scale].map(|scale| FACTOR * self.tolerance * scale);
        let touches = at_end.abs() < VANISHING * step_of_reference.inputs.F_N[0].abs();
        if whole < SMALLEST && (normal_force > 0.0 || touches) {
            return tally.unjudged(Unjudged::NoScale);
        }
        let Some(expected) = step_of_reference.answer(allowed) else {
            return tally.unjudged(Unjudged::GaveUp);
        };
        // Of each quantity: value, expected value, scale, rounding.
        let mut found = Vec::new();
        if self.model.is_force_compared {
            found.push((Quantity::Force, outcome.force, expected.force, end, ROUNDING * expected.largest));
        } else if (outcome.force - expected.force).abs() > FACTOR * self.tolerance * end {
            return tally.unjudged(Unjudged::Disagreement);
        }
        if let Some([impulse, energy]) = expected.totals {
            if let Some(mean) = outcome.mean {
                found.push((Quantity::Mean, mean, impulse / h, whole, ROUNDING * expected.largest));
            }
            let rounding = ROUNDING * expected.largest * speed * h + SUM * (self.energy.abs() + outcome.energy.abs());
            found.push((Quantity::Energy, outcome.energy - self.energy, energy, energy_scale, rounding));
        } else {
            tally.unjudged(Unjudged::NoTotals);
        }
        for (quantity, found, should, scale, rounding) in found {
            (case.found, case.expected) = (found, should);
            // Where F_N is 0 to rounding, whether the contact has opened is rounding, too.
            let is_rounding = at_end.abs() < VANISHING * normal_force && (at_end != 0.0 || should != 0.0);
            if quantity == Quantity::Force && is_rounding {
                tally.unjudged(Unjudged::NoScale);
                continue;
            }
            let off = ((found - should).abs() - rounding).max(0.0);
            // An open contact has no force at all, one at rest loses nothing.
            case.error = if off == 0.0 { 0.0 } else { off / (scale * self.tolerance) };
            if case.error > MAX_ERROR && shaken(step_of_reference, expected, allowed, quantity) > AGREEMENT * off {
                tally.unjudged(Unjudged::Disagreement);
                continue;
            }
            tally.count(quantity, case, outcome.status == Status::Warning);
        }
    }

    /// Steepest change of v from one of the last steps to the next, over the length of the first, m/s². The load of a body keeps it for some steps.
    fn steepest_jump(&self, inputs: &InputPolynomials) -> f64 {
        let recent = &self.past[self.past.len().saturating_sub(REMEMBERED)..];
        let next = recent.iter().skip(1).map(|(inputs, _)| inputs).chain([inputs]);
        let jumps = recent.iter().zip(next).map(|((before, h), after)| (after.v[0] - before.v[0]).abs() / h);
        jumps.fold(0.0, f64::max)
    }

    /// Checks a step with `m_eff`: F_R and the energy stay within the limits of the law's force and the body's momentum.
    fn check_with_body(
        &mut self,
        body: Option<Body>,
        step: &Step,
        outcome: &Outcome,
        case: &mut Case,
        tally: &mut Tally,
    ) {
        let Some(Body { mass, led, .. }) = body else { return };
        for i in 0..=64 {
            let contact = step.inputs.at(step.h * f64::from(i) / 64.0);
            let [force, speed, applied] = &mut self.largest;
            *force = contact.F_N.max(*force);
            *speed = contact.v.abs().max(*speed);
            *applied = contact.F_t.abs().max(*applied);
        }
        let jumps = if led.is_some() { 0.0 } else { self.steepest_jump(&step.inputs) };
        let instance = &mut self.element.instance;
        let value = |name: &str| value(&self.parameters, name);
        let mut parameter = |name: &str| {
            let has = instance.fmu().description.variables.iter().any(|variable| variable.name == name);
            value(name).unwrap_or_else(|| if has { instance.get(name) } else { 0.0 })
        };
        let coefficient = parameter("mu_s").max(parameter("mu_d"));
        let damping = parameter("sigma_1") + parameter("sigma_2");
        let [normal_force, speed, applied] = self.largest;
        // The body's speed may exceed that of the inputs by the impulse of friction and of the applied force in a step, and where v is prescribed by
        // what the load that its last changes show makes of it.
        let acceleration = (coefficient * normal_force + applied) / mass;
        let speed = speed + (acceleration + jumps) * step.h;
        let law = coefficient * normal_force + 2.0 * damping * speed;
        if led.is_some() && outcome.force.abs() > BOUND * (law + 2.0 * mass * speed / step.h) {
            tally.fail("F_R with m_eff exceeds what the law and the body's momentum allow", case);
        }
        let energy = outcome.energy - self.energy;
        // A step also takes back what the one before lost in a motion that did not come about.
        let h = self.past.last().map_or(step.h, |(_, h)| step.h.max(*h));
        let speed = speed + acceleration * (h - step.h);
        if led.is_some() && energy.abs() > BOUND * law * speed * h + mass * speed * speed + SUM * outcome.energy.abs() {
            (case.found, case.expected) = (energy, law * speed * h);
            tally.fail("E_loss of a step with m_eff exceeds what the law allows", case);
        }
        if outcome.mean.is_some_and(|mean| mean.abs() > BOUND * law) {
            case.found = outcome.mean.unwrap_or_default();
            tally.fail("F_R_mean with m_eff exceeds what the law allows", case);
        }
        tally.with_body += 1;
    }
}

/// By how much a quantity differs where the quadrature begins with many parts, and where normal and applied forces are 3e-10 smaller
/// or larger and velocities 2.5e-12 m/s: by that much modes may change early or late.
fn shaken(step_of_reference: &ReferenceStep, expected: Expected, allowed: [f64; 2], quantity: Quantity) -> f64 {
    let of = |expected: Expected| match (quantity, expected.totals) {
        (Quantity::Force, _) => Some(expected.force),
        (Quantity::Mean, Some([impulse, _])) => Some(impulse / step_of_reference.h),
        (Quantity::Energy, Some([_, energy])) => Some(energy),
        _ => None,
    };
    let Some(reference) = of(expected) else { return f64::INFINITY };
    let mut most: f64 = 0.0;
    if quantity != Quantity::Force {
        let finer = ReferenceStep { parts: PARTS, ..*step_of_reference }.answer(allowed).and_then(of);
        most = finer.map_or(f64::INFINITY, |finer| (finer - reference).abs());
    }
    for sign in [-1.0, 1.0] {
        let scaled = |powers: Derivatives| powers.map(|x| x * (1.0 + 3e-10 * sign));
        let shifted = |powers: Derivatives, by: f64| [powers[0] + by * sign, powers[1], powers[2], powers[3]];
        let inputs = *step_of_reference.inputs;
        let all = [
            InputPolynomials { F_N: scaled(inputs.F_N), ..inputs },
            InputPolynomials { F_t: scaled(inputs.F_t), ..inputs },
            InputPolynomials { v: shifted(inputs.v, 2.5e-12), ..inputs },
            InputPolynomials { v: scaled(inputs.v), ..inputs },
            InputPolynomials { a: shifted(inputs.a, 2.5e-12), ..inputs },
        ];
        for inputs in &all {
            let other = ReferenceStep { inputs, ..*step_of_reference }.answer(allowed).and_then(of);
            most = most.max(other.map_or(f64::INFINITY, |other| (other - reference).abs()));
        }
    }
    most
}
