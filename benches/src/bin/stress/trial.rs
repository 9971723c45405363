//! One sequence through the packaged FMU, and through the same element in this process: they must agree to the last bit, and
//! the latter counts the inner steps.

use crate::limits::{INNER_STEPS, MAX_ERROR};
use crate::random::{self, Sequence};
use crate::references::{Comparison, Step};
use crate::report::{Case, Kind, Tally};
use bristle::catalogue::find;
use bristle::element::{AnyElement, F_N, F_R, Report, V};
use bristle_benches::clock;
use bristle_benches::cvode::Cvode;
use bristle_benches::inputs::Inputs;
use bristle_benches::packaged::Packaged;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::frdyn2::Parameters;

/// Default tolerance.
const DEFAULT: f64 = 1e-6;

pub fn run(fmu: &Fmu, cvode: Option<&Cvode>, seed: u64, index: u64, tally: &mut Tally) {
    let Sequence { parameters, tolerance, start, steps } = random::sequence(seed, index);
    let mut packaged = Packaged::start(fmu, &parameters, tolerance, start);
    let mut twin = twin(&parameters, tolerance, start);
    let mut x = start;
    for (number, (inputs, h)) in steps.iter().enumerate() {
        let mut case = Case {
            sequence: index,
            number,
            parameters,
            tolerance,
            x,
            inputs: *inputs,
            h: *h,
            force: f64::NAN,
            expected: f64::NAN,
            error: 0.0,
        };
        tally.steps += 1;
        let mut result = Err(String::new());
        let time = clock::once(|| result = packaged.follow(inputs, *h));
        let twin_result = advance(twin.as_mut(), inputs, *h);
        tally.slowest.offer(time * 1e-6, &case);

        let outcome = match (result, twin_result) {
            (Ok(outcome), Ok(Report { inner_steps, force_error, .. })) => {
                tally.inner.offer(f64::from(inner_steps), &case);
                if inner_steps > INNER_STEPS {
                    tally.fail("more inner steps than there may be", &case);
                }
                if outcome.warned != (force_error > 0.0) {
                    tally.fail("fmi2Warning and the element's error estimate disagree", &case);
                }
                outcome
            }
            (Err(said), Err(_)) => {
                tally.refuse(&said, &case);
                return;
            }
            _ => {
                tally.fail("the packaged FMU and the element in this process disagree about a refusal", &case);
                return;
            }
        };
        case.force = outcome.F_R;
        let numbers = [outcome.F_R, outcome.x[0], outcome.x[1]];
        if numbers.iter().any(|number| !number.is_finite()) {
            tally.fail("a result is not a finite number", &case);
            return;
        }
        let values = twin.values();
        let [z, z_dot] = states().map(|state| values[state]);
        if [values[&F_R], z, z_dot].map(f64::to_bits) != numbers.map(f64::to_bits) {
            tally.fail("the packaged FMU and the element in this process differ", &case);
        }
        let limit = parameters.mu_s * inputs.at(*h).F_N.max(0.0);
        if outcome.F_R.abs() > limit {
            tally.fail("|F_R| exceeds F_s", &case);
        }

        let tolerance = tolerance.unwrap_or(DEFAULT);
        let step = Step { parameters: &parameters, x, inputs, h: *h };
        match step.compare(outcome.F_R, MAX_ERROR * tolerance, cvode) {
            Comparison::None(reason) => *tally.not_compared.entry(reason).or_default() += 1,
            Comparison::Error(error, expected, method) => {
                case.expected = expected;
                case.error = error / tolerance;
                let kind = if outcome.warned {
                    Kind::Warned
                } else if random::stable(&parameters, step.largest_normal_force()) {
                    Kind::Stable
                } else {
                    Kind::Unstable
                };
                tally.count(&case, method, kind);
            }
        }
        x = outcome.x;
    }
}

/// z and ż.
fn states() -> [&'static bristle::variable::Variable; 2] {
    let states = find("FrDyn2").expect("FrDyn2 is in the catalogue").metadata.states;
    [&states[0].0, &states[1].0]
}

fn twin(parameters: &Parameters, tolerance: Option<f64>, start: [f64; 2]) -> Box<dyn AnyElement> {
    let entry = find("FrDyn2").expect("FrDyn2 is in the catalogue");
    let mut element = entry.instantiate();
    let Parameters { sigma_0, sigma_1, mu_s, v_s, mu_d, v_d } = *parameters;
    let named =
        [("sigma_0", sigma_0), ("sigma_1", sigma_1), ("mu_s", mu_s), ("v_s", v_s), ("mu_d", mu_d), ("v_d", v_d)];
    for variable in entry.metadata.parameters {
        let known = named.iter().find(|(name, _)| *name == variable.name);
        element.set(variable, known.expect("a parameter of FrDyn2").1);
    }
    for (state, value) in states().into_iter().zip(start) {
        element.set(state, value);
    }
    if let Some(tolerance) = tolerance {
        element.set_tolerance(tolerance);
    }
    element
}

/// Result of the element's step, or the sentence of its refusal.
fn advance(element: &mut dyn AnyElement, inputs: &Inputs, h: f64) -> Result<Report, String> {
    element.set(&F_N, inputs.F_N[0]);
    element.set(&V, inputs.v[0]);
    if !inputs.is_held() {
        for order in 1..=3 {
            element.set_input_derivative(&F_N, order, inputs.F_N[order]).expect("an input");
            element.set_input_derivative(&V, order, inputs.v[order]).expect("an input");
        }
    }
    element.apply_parameters().map_err(|refusal| refusal.0)?;
    element.advance(h).map_err(|failure| failure.to_string())
}
