//! Derivatives of a step by what it starts from.
//!
//! The dual numbers of the laws give derivatives at an instant. Those of a step would need the
//! sensitivity equations in each of the integrators, so that differences of the step take their
//! place.

use bristle::element::MIN_TOLERANCE;
use bristle::variable::{Role, Variable};

use super::{Failure, Mark, Run};

/// Difference of a known over its magnitude. The step repeats to the tolerance of 1e-10 of the
/// force, so that a larger one loses less to rounding and more to the curvature of the law.
const DIFFERENCE: f64 = 1e-5;

/// Differences, in widths, with their weights: central, or to one side where the other one is out
/// of bounds.
const STENCILS: [&[(f64, f64)]; 3] = [
    &[(-1.0, -0.5), (1.0, 0.5)],
    &[(0.0, -1.5), (1.0, 2.0), (2.0, -0.5)],
    &[(0.0, 1.5), (-1.0, -2.0), (-2.0, 0.5)],
];

impl Run {
    /// Derivatives of variables at the end of a step by inputs, parameters and states at its start,
    /// one after the other for each of `of`. The run itself stays where it is.
    pub fn step_gradient(
        &self,
        duration: f64,
        inputs: &[(Variable, f64)],
        of: &[Variable],
        by: &[Variable],
    ) -> Result<Vec<f64>, Failure> {
        let mut trial = Run::new(self.variant.clone(), None);
        trial.restore(&self.snapshot(), self.time, self.initialized);
        for (input, value) in inputs {
            trial.put(input, *value);
        }
        let mut start = Mark::default();
        trial.mark(&mut start);
        let mut gradient = vec![0.0; of.len() * by.len()];
        for (column, known) in by.iter().enumerate() {
            let present = trial.read(known)?;
            let nominal = known.nominal.or(known.start).unwrap_or(0.0);
            let size = [present, nominal]
                .map(f64::abs)
                .into_iter()
                .fold(0.0, f64::max);
            let width = DIFFERENCE * if size > 0.0 { size } else { 1.0 };
            let mut one_stencil = |stencil: &[(f64, f64)]| -> Result<Vec<f64>, Failure> {
                let mut sum = vec![0.0; of.len()];
                for (place, weight) in stencil {
                    trial.return_to(&start);
                    let ends = trial.ends(duration, known, present + place * width, of)?;
                    sum.iter_mut()
                        .zip(ends)
                        .for_each(|(sum, end)| *sum += weight * end / width);
                }
                Ok(sum)
            };
            let derivatives = one_stencil(STENCILS[0]).or_else(|refused| {
                one_stencil(STENCILS[1])
                    .or_else(|_| one_stencil(STENCILS[2]))
                    .map_err(|_| refused)
            })?;
            trial.return_to(&start);
            for (row, derivative) in derivatives.into_iter().enumerate() {
                gradient[row * by.len() + column] = derivative;
            }
        }
        Ok(gradient)
    }

    /// Variables at the end of a step at the tightest tolerance, with another value of one at its
    /// start. States keep their values where a parameter changes.
    fn ends(
        &mut self,
        duration: f64,
        known: &Variable,
        value: f64,
        of: &[Variable],
    ) -> Result<Vec<f64>, Failure> {
        known.check(value)?;
        self.element.set_tolerance(MIN_TOLERANCE);
        self.element.set(known, value);
        if self.initialized {
            self.element.apply_parameters_keeping_states()?;
        }
        self.step_as_set(duration)?;
        of.iter().map(|variable| self.read(variable)).collect()
    }

    /// The variables of these names, by which a step has derivatives.
    pub fn knowns(&self, names: &[String]) -> Result<Vec<Variable>, Failure> {
        let is_known = |role: Role| matches!(role, Role::Input | Role::Parameter | Role::State);
        self.found(names, is_known, "inputs, parameters and states")
    }

    /// The variables of these names, of which a step has derivatives.
    pub fn unknowns(&self, names: &[String]) -> Result<Vec<Variable>, Failure> {
        let is_unknown =
            |role: Role| matches!(role, Role::Output | Role::State | Role::Derivative { .. });
        self.found(names, is_unknown, "outputs that are numbers, and states")
    }

    fn found(
        &self,
        names: &[String],
        fits: impl Fn(Role) -> bool,
        which: &str,
    ) -> Result<Vec<Variable>, Failure> {
        let one = |name: &String| {
            let variable = self.find(name)?;
            if fits(variable.role) {
                return Ok(variable);
            }
            Err(Failure::Input(format!(
                "{name} was given where a gradient takes {which}; leave it out"
            )))
        };
        names.iter().map(one).collect()
    }
}
