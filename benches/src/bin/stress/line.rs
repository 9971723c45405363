//! One sequence of an element along a line through its packaged FMU. Each step is compared by
//! itself, from the element's state at its start.

use crate::expected::{Expected, ReferenceStep};
use crate::frdyn2;
use crate::laws::{self, MODELS, Model};
use crate::limits::{DEFAULT, LIMITS, ROUNDING};
use crate::line_draws::{self, Body, Sequence, Step};
use crate::report::{Case, Compared, Quantity, Tally, Unjudged};
use crate::values::{Values, value};
use bristle::catalogue::find;
use bristle::domain::{ENERGY_ROUNDING, LIGHT_FORCE};
use bristle::law::Largest;
use bristle_benches::clock;
use bristle_benches::cvode::Cvode;
use bristle_benches::element::Element;
use bristle_importer::fmi2::Status;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::{
    Contact, Derivatives, InputPolynomials, InputTrajectory, ReferenceLaw,
};

/// Parts of a step by which the quadrature of a failing step is confirmed, so that it misses
/// nothing between its nodes.
const PARTS: u32 = 500;
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
    cvode: Option<&'a Cvode>,
    element: Element<'a>,
    parameters: Values,
    tolerance: f64,
    body: Option<Body>,
    /// The steps so far.
    past: Vec<(InputPolynomials, f64)>,
    states: Vec<(String, f64)>,
    energy: f64,
    /// Velocity of the led body, m/s.
    v: f64,
    force: f64,
    /// Contact at the end of the last step.
    end: Contact,
    /// Largest inputs of the sequence so far.
    largest: Largest,
    /// Largest applied force of the sequence so far, N.
    largest_applied: f64,
}

/// Runs the sequence of this number.
pub fn run(
    fmu: &Fmu,
    cvode: Option<&Cvode>,
    place: usize,
    seed: u64,
    index: u64,
    tally: &mut Tally,
) {
    let Sequence {
        parameters,
        tolerance,
        body,
        start,
        steps,
    } = line_draws::sequence(seed, place, index);
    let of_body = body
        .into_iter()
        .flat_map(|body| [("m_eff", body.mass), ("coupling", f64::from(body.coupling))]);
    let values: Values = parameters
        .iter()
        .copied()
        .chain(of_body)
        .chain(start)
        .collect();
    let mut element = Element::start(fmu, &values, tolerance);
    let mut trial = Trial {
        model: &MODELS[place],
        cvode,
        states: named(element.states()),
        element,
        parameters,
        tolerance: tolerance.unwrap_or(DEFAULT),
        body,
        past: Vec::new(),
        energy: 0.0,
        v: 0.0,
        force: 0.0,
        end: Contact::default(),
        largest: Largest {
            force: 0.0,
            speed: 0.0,
        },
        largest_applied: 0.0,
    };
    for (number, step) in steps.into_iter().enumerate() {
        if !trial.step(index, number, step, tally) {
            return;
        }
    }
}

fn named(states: Vec<(&str, f64)>) -> Vec<(String, f64)> {
    states
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

impl Trial<'_> {
    /// Makes a step and compares it; false where the sequence ends.
    fn step(&mut self, sequence: u64, number: usize, mut step: Step, tally: &mut Tally) -> bool {
        if self.body.is_some() {
            step.inputs.v = [self.v, 0.0, 0.0, 0.0];
        }
        if let (Some(factor), Some(name)) = (step.tuning, self.model.stiffness) {
            self.tune(name, factor);
        }
        let mut parameters = self.parameters.clone();
        parameters.extend(
            self.body
                .into_iter()
                .flat_map(|body| [("m_eff", body.mass), ("mass", body.led)]),
        );
        let (tolerance, states) = (self.tolerance, self.states.clone());
        let [found, expected, error] = [f64::NAN; 3];
        let mut case = Case {
            sequence,
            number,
            parameters,
            tolerance,
            states,
            step,
            found,
            expected,
            error,
        };
        let mut status = self.element.set_inputs(&step.inputs, step.order);
        let time = clock::once(|| status = status.max(self.element.do_step(step.h)));
        tally.step(time * 1e-6, status, &case);
        let outcome = self.outcome(status);
        let reference = self.reference();
        let reference_step = ReferenceStep {
            reference: &*reference,
            element: self.model.element,
            parameters: &self.parameters,
            inputs: &step.inputs,
            h: step.h,
            parts: 1,
        };
        let Some(outcome) = outcome else {
            tally.refuse(&self.element, self.is_possible(&reference_step), &case);
            return false;
        };
        let Outcome {
            force,
            energy,
            mean,
            states,
            ..
        } = &outcome;
        let numbers =
            states
                .iter()
                .map(|(_, value)| *value)
                .chain([*force, *energy, mean.unwrap_or(0.0)]);
        if numbers.into_iter().any(|number| !number.is_finite()) {
            tally.fail("a result is not a finite number", &case);
            return false;
        }
        match self.body {
            None => self.compare(&reference_step, &outcome, &mut case, tally),
            Some(body) => self.check_with_body(body, &step, &outcome, &mut case, tally),
        }
        self.past.push((step.inputs, step.h));
        self.end = step.inputs.at(step.h);
        if let Some(Body { led, coupling, .. }) = self.body {
            let force = if coupling == 1 {
                outcome.force
            } else {
                self.force
            };
            self.v += (step.inputs.F_t[0] - force) / led * step.h;
        }
        (self.force, self.energy, self.states) = (outcome.force, outcome.energy, outcome.states);
        true
    }

    /// Whether a step can be done: with a body, or where the reference law reaches its end. FrDyn2
    /// may refuse a step for its limit of inner steps.
    fn is_possible(&self, step: &ReferenceStep) -> bool {
        if self.body.is_some() || self.model.element == "FrDyn2" {
            return self.body.is_some();
        }
        step.answer([f64::INFINITY; 2]).is_some()
    }

    fn tune(&mut self, name: &'static str, factor: f64) {
        let previous = self.element.instance.get(name);
        let most = find(self.model.element)
            .and_then(|model| {
                model
                    .variables()
                    .find(|variable| variable.name == name)?
                    .max
            })
            .unwrap_or(f64::INFINITY);
        let present = (previous * factor).min(most);
        self.element.instance.set(name, present);
        self.parameters.retain(|(known, _)| *known != name);
        self.parameters.push((name, present));
        let factor = laws::retuned_deflection(name, previous, present);
        for (state, value) in &mut self.states {
            if state == "z" {
                *value *= factor;
            }
        }
    }

    /// State of the element by its name.
    fn state(&self, name: &str) -> f64 {
        self.states
            .iter()
            .find(|(state, _)| state == name)
            .map_or(f64::NAN, |(_, value)| *value)
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
        reference.synchronise(self.end, &|name| self.state(name));
        reference
    }

    /// Outputs after a step, or `None` where it or its outputs are refused.
    fn outcome(&mut self, status: Status) -> Option<Outcome> {
        let instance = &mut self.element.instance;
        let is_refused = status > Status::Warning;
        let mean = instance
            .fmu()
            .description
            .variables
            .iter()
            .find(|variable| variable.name == "F_R_mean");
        let mut value = [f64::NAN];
        let given = mean
            .filter(|_| !is_refused)
            .map(|mean| instance.get_real(&[mean.reference], &mut value));
        if is_refused || given.is_some_and(|given| given > Status::Warning) {
            return None;
        }
        let (force, energy) = (instance.get("F_R"), instance.get("E_loss"));
        Some(Outcome {
            status,
            force,
            energy,
            mean: given.map(|_| value[0]),
            states: named(self.element.states()),
        })
    }

    /// Compares F_R, E_loss and F_R_mean with the reference's.
    fn compare(
        &self,
        step: &ReferenceStep,
        outcome: &Outcome,
        case: &mut Case<Step>,
        tally: &mut Tally,
    ) {
        let h = step.h;
        let Largest {
            force: normal_force,
            speed,
        } = step.largest();
        let friction = step.reference.static_friction();
        let at_end = step.inputs.at(h).F_N;
        // Scales of docs/domain.md: a contact that barely touches is measured by a thousandth of
        // the nominal normal force, because errors of that size matter to no machine.
        let [whole, end] = [normal_force, at_end].map(|force| friction * force.max(LIGHT_FORCE));
        let (impulse_scale, energy_scale) = (whole * h, whole * speed * h);
        let [_, limit, _] = LIMITS;
        let allowed = [impulse_scale, energy_scale].map(|scale| limit * self.tolerance * scale);
        let of = |quantity, found: f64, expected: f64, scale, rounding: f64| Compared {
            quantity,
            found,
            expected,
            off: ((found - expected).abs() - rounding).max(0.0),
            scale,
        };
        let mut found = Vec::new();
        let bristle = (self.model.element == "FrDyn2").then(|| frdyn2::Step {
            law: frdyn2::parameters(&self.parameters),
            x: ["z", "z_dot"].map(|name| self.state(name)),
            inputs: step.inputs,
            h,
        });
        if bristle.is_some() && outcome.force.abs() > friction * at_end.max(0.0) {
            tally.fail("|F_R| exceeds F_s", case);
        }
        let Some(expected) = step.answer(allowed) else {
            let stiff = bristle.and_then(|bristle| Some((bristle.stiff(self.cvode?)?, bristle)));
            let Some((expected, bristle)) = stiff else {
                return tally.unjudged(Unjudged::GaveUp);
            };
            found.push(of(Quantity::Force, outcome.force, expected, end, 0.0));
            return tally.judge(found, case, outcome.status, |_| {
                bristle.spread(expected, self.cvode)
            });
        };
        let rounding = ROUNDING * expected.largest.max(whole);
        found.push(of(
            Quantity::Force,
            outcome.force,
            expected.force,
            end,
            rounding,
        ));
        match expected.totals {
            Some([impulse, energy]) => {
                found.extend(
                    outcome
                        .mean
                        .map(|mean| of(Quantity::Mean, mean, impulse / h, whole, rounding)),
                );
                let rounding = rounding * speed * h
                    + ENERGY_ROUNDING * self.energy.abs().max(outcome.energy.abs());
                found.push(of(
                    Quantity::Energy,
                    outcome.energy - self.energy,
                    energy,
                    energy_scale,
                    rounding,
                ));
            }
            None => tally.unjudged(Unjudged::NoTotals),
        }
        tally.judge(found, case, outcome.status, |quantity| {
            match (&bristle, quantity) {
                (Some(bristle), Quantity::Force) => bristle.spread(expected.force, None),
                _ => shaken(step, expected, allowed, quantity),
            }
        });
    }

    /// Checks a step with `m_eff`: F_R and the energy stay within the limits of the law's force and
    /// the body's momentum.
    fn check_with_body(
        &mut self,
        body: Body,
        step: &Step,
        outcome: &Outcome,
        case: &mut Case<Step>,
        tally: &mut Tally,
    ) {
        for i in 0..=64 {
            let contact = step.inputs.at(step.h * f64::from(i) / 64.0);
            self.largest.force = contact.F_N.max(self.largest.force);
            self.largest.speed = contact.v.abs().max(self.largest.speed);
            self.largest_applied = contact.F_t.abs().max(self.largest_applied);
        }
        let instance = &mut self.element.instance;
        let mut parameter = |name: &str| {
            let has = instance
                .fmu()
                .description
                .variables
                .iter()
                .any(|variable| variable.name == name);
            value(&self.parameters, name)
                .unwrap_or_else(|| if has { instance.get(name) } else { 0.0 })
        };
        let coefficient = parameter("mu_s").max(parameter("mu_d"));
        let damping = parameter("sigma_1") + parameter("sigma_2");
        let Largest {
            force: normal_force,
            speed,
        } = self.largest;
        // The body's speed may exceed that of the inputs by the impulse of friction and of the
        // applied force in a step.
        let acceleration = (coefficient * normal_force + self.largest_applied) / body.mass;
        let speed = speed + acceleration * step.h;
        let law = coefficient * normal_force + 2.0 * damping * speed;
        case.found = outcome.force;
        if outcome.force.abs() > BOUND * (law + 2.0 * body.mass * speed / step.h) {
            tally.fail(
                "F_R with m_eff exceeds what the law and the body's momentum allow",
                case,
            );
        }
        let energy = outcome.energy - self.energy;
        // A step also takes back what the one before lost in a motion that did not come about.
        let h = self.past.last().map_or(step.h, |(_, h)| step.h.max(*h));
        let speed = speed + acceleration * (h - step.h);
        if energy.abs()
            > BOUND * law * speed * h
                + body.mass * speed * speed
                + ENERGY_ROUNDING * outcome.energy.abs()
        {
            (case.found, case.expected) = (energy, law * speed * h);
            tally.fail(
                "E_loss of a step with m_eff exceeds what the law allows",
                case,
            );
        }
        if outcome.mean.is_some_and(|mean| mean.abs() > BOUND * law) {
            case.found = outcome.mean.unwrap_or_default();
            tally.fail("F_R_mean with m_eff exceeds what the law allows", case);
        }
    }
}

/// By how much a quantity differs where the quadrature begins with many parts, and where normal and
/// applied forces are 3e-10 smaller or larger and velocities 2.5e-12 m/s: by that much modes may
/// change early or late.
fn shaken(step: &ReferenceStep, expected: Expected, allowed: [f64; 2], quantity: Quantity) -> f64 {
    let of = |expected: Expected| match (quantity, expected.totals) {
        (Quantity::Force, _) => Some(expected.force),
        (Quantity::Mean, Some([impulse, _])) => Some(impulse / step.h),
        (Quantity::Energy, Some([_, energy])) => Some(energy),
        _ => None,
    };
    let Some(reference) = of(expected) else {
        return f64::INFINITY;
    };
    let difference = |step: ReferenceStep| {
        step.answer(allowed)
            .and_then(of)
            .map_or(f64::INFINITY, |other: f64| (other - reference).abs())
    };
    let mut most: f64 = 0.0;
    if quantity != Quantity::Force {
        most = difference(ReferenceStep {
            parts: PARTS,
            ..*step
        });
    }
    for sign in [-1.0, 1.0] {
        let scaled = |powers: Derivatives| powers.map(|x| x * (1.0 + 3e-10 * sign));
        let shifted =
            |powers: Derivatives| [powers[0] + 2.5e-12 * sign, powers[1], powers[2], powers[3]];
        let inputs = *step.inputs;
        let all = [
            InputPolynomials {
                F_N: scaled(inputs.F_N),
                ..inputs
            },
            InputPolynomials {
                F_t: scaled(inputs.F_t),
                ..inputs
            },
            InputPolynomials {
                v: shifted(inputs.v),
                ..inputs
            },
            InputPolynomials {
                v: scaled(inputs.v),
                ..inputs
            },
            InputPolynomials {
                a: shifted(inputs.a),
                ..inputs
            },
        ];
        most = all
            .iter()
            .map(|inputs| difference(ReferenceStep { inputs, ..*step }))
            .fold(most, f64::max);
    }
    most
}
