//! Parameters of a law by least squares over a table of friction, after Levenberg and Marquardt.
//! The element itself slides at the speeds of the table: no formula of a law stands here. A library
//! of least squares would bring one of matrices into the page, for five unknowns.

use bristle::catalogue::Variant;
use bristle::integrate::linear::solve_dense;
use bristle::variable::Variable;
use bristle_export::steady;

/// Parameters of friction in steady sliding. The velocity up to which friction rises is not among
/// them: a table of sliding holds nothing of it.
const FITTED: [&str; 8] = [
    "mu_s",
    "mu_0",
    "mu_d",
    "v_Stribeck",
    "v_d",
    "eta_1",
    "mu_1",
    "sigma_2",
];

/// First guesses of a velocity, as parts of the way from the lowest to the highest logarithm of a
/// speed: the method finds the nearest minimum.
const GUESSES: [f64; 3] = [0.2, 0.5, 0.8];

/// Largest number of steps from a guess; ten are usual.
const STEPS: u32 = 40;

/// Change of a parameter for a derivative, over its size: well above the element's tolerance.
const DIFFERENCE: f64 = 1e-3;

/// Damping at first.
const DAMPING: f64 = 1e-3;

/// Damping beyond which no shorter step is tried.
const LARGEST_DAMPING: f64 = 1e9;

/// Part of the sum of squares that is no more worth a step.
const GAIN: f64 = 1e-9;

/// Parameters of the smallest sum of squares.
pub struct Fit {
    /// Names and values.
    pub values: Vec<(&'static str, f64)>,
    /// Root of the mean square deviation, a coefficient.
    pub deviation: f64,
    /// Velocity (m/s) and coefficient of the largest deviation.
    pub largest: [f64; 2],
}

/// Fits the parameters of a card to rows of velocity (m/s) and coefficient; or says why not.
pub fn fit(variant: &Variant, points: &[[f64; 2]]) -> Result<Fit, String> {
    let is_fitted =
        |variable: &&Variable| variable.is_parameter() && FITTED.contains(&variable.name);
    let problem = Problem {
        variant,
        parameters: variant.all().filter(is_fitted).collect(),
        points,
    };
    let (name, count) = (variant.metadata().name, problem.parameters.len());
    if count == 0 || variant.card().level.is_some() {
        return Err(format!(
            "this card of {name} has no coefficients that a table gives; take one with a normal \
             force"
        ));
    }
    if points.len() <= count {
        return Err(format!(
            "the table has {} points for {count} parameters of {name}; drop one with more",
            points.len()
        ));
    }
    let minima = GUESSES
        .iter()
        .filter_map(|part| problem.minimum(problem.guess(*part)));
    let (values, deviations) = minima
        .min_by(|one, other| square(&one.1).total_cmp(&square(&other.1)))
        .ok_or(format!(
            "{name} takes no first guess for this table; move its velocities below those of the \
             table by hand"
        ))?;
    let pairs = points
        .iter()
        .map(|[v, _]| *v)
        .zip(deviations.iter().copied());
    let largest = pairs.max_by(|one, other| one.1.abs().total_cmp(&other.1.abs()));
    let names = problem.parameters.iter().map(|parameter| parameter.name);
    Ok(Fit {
        values: names.zip(values).collect(),
        deviation: (square(&deviations) / points.len() as f64).sqrt(),
        largest: largest.map_or([0.0; 2], <[f64; 2]>::from),
    })
}

fn product(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

fn square(deviations: &[f64]) -> f64 {
    product(deviations, deviations)
}

/// A law over a table.
struct Problem<'a> {
    variant: &'a Variant,
    parameters: Vec<&'a Variable>,
    /// Rows of velocity (m/s) and coefficient.
    points: &'a [[f64; 2]],
}

impl Problem<'_> {
    /// Lowest and highest speed, m/s.
    fn speeds(&self) -> [f64; 2] {
        let speeds = self.points.iter().map(|[v, _]| v.abs());
        let slow = speeds.clone().fold(f64::MAX, f64::min);
        [slow, speeds.fold(0.0, f64::max)]
    }

    /// First values, of a characteristic that falls this part of the way to the highest speed.
    fn guess(&self, part: f64) -> Vec<f64> {
        let [slow, fast] = self.speeds();
        let speed = slow * libm::pow(fast / slow, part);
        let coefficients = self.points.iter().map(|[_, mu]| *mu);
        let largest = coefficients.clone().fold(0.0, f64::max);
        let least = coefficients.fold(largest, f64::min);
        let value = |parameter: &&Variable| match parameter.name {
            "mu_d" => least,
            "v_Stribeck" | "v_d" => speed,
            "eta_1" => 1.0 / speed,
            "mu_1" | "sigma_2" => 0.0,
            _ => largest,
        };
        self.parameters.iter().map(value).collect()
    }

    /// Coefficients of the element less those of the table; `None` where it takes no such values.
    fn deviations(&self, values: &[f64]) -> Option<Vec<f64>> {
        let mut card = self.variant.card().clone();
        card.characteristic = None;
        for (parameter, value) in self.parameters.iter().zip(values) {
            let setting = card.parameters.entry(parameter.reference).or_default();
            setting.start = Some(*value);
        }
        let element = Variant::new(self.variant.law, card).ok()?;
        let found = steady(&element, self.points.iter().map(|[v, _]| *v)).ok()?;
        let deviation = |([_, found], [_, mu]): (&[f64; 2], &[f64; 2])| found - mu;
        Some(found.iter().zip(self.points).map(deviation).collect())
    }

    /// Derivatives of the deviations, a row for each parameter.
    fn slopes(&self, values: &[f64], deviations: &[f64]) -> Option<Vec<Vec<f64>>> {
        let slope = |i: usize| {
            // Viscous friction begins at 0; its size is that of the coefficients at full speed.
            let size = match self.parameters[i].name {
                "sigma_2" => self.variant.card().normal_force / self.speeds()[1],
                "mu_1" => 1.0 / self.speeds()[1],
                _ => values[i],
            };
            // The other way at a bound.
            [DIFFERENCE * size, -DIFFERENCE * size]
                .into_iter()
                .find_map(|change| {
                    let mut moved = values.to_owned();
                    moved[i] += change;
                    let there = self.deviations(&moved)?;
                    let pairs = there.iter().zip(deviations);
                    Some(pairs.map(|(there, here)| (there - here) / change).collect())
                })
        };
        (0..values.len()).map(slope).collect()
    }

    /// Minimum that steps lead to from these values, with its deviations.
    fn minimum(&self, mut values: Vec<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
        let mut deviations = self.deviations(&values)?;
        let mut damping = DAMPING;
        for _ in 0..STEPS {
            let slopes = self.slopes(&values, &deviations)?;
            let before = square(&deviations);
            while damping <= LARGEST_DAMPING {
                let step = step(&slopes, &deviations, damping);
                let next: Vec<_> = values.iter().zip(step).map(|(x, dx)| x - dx).collect();
                if let Some(found) = self.deviations(&next).filter(|d| square(d) < before) {
                    (values, deviations) = (next, found);
                    damping /= 10.0;
                    break;
                }
                damping *= 10.0;
            }
            if square(&deviations) >= (1.0 - GAIN) * before {
                break;
            }
        }
        Some((values, deviations))
    }
}

/// Step of the normal equations, damped in proportion to their diagonal.
fn step(slopes: &[Vec<f64>], deviations: &[f64], damping: f64) -> Vec<f64> {
    let count = slopes.len();
    let mut matrix: Vec<f64> = slopes
        .iter()
        .flat_map(|one| slopes.iter().map(|other| product(one, other)))
        .collect();
    for i in 0..count {
        let diagonal = &mut matrix[i * count + i];
        // A parameter without effect stays.
        *diagonal = if *diagonal > 0.0 {
            *diagonal * (1.0 + damping)
        } else {
            1.0
        };
    }
    let mut step: Vec<_> = slopes
        .iter()
        .map(|slope| product(slope, deviations))
        .collect();
    solve_dense(&mut matrix, &mut step);
    step
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::ELEMENTS;
    use bristle_export::card;
    use bristle_random::Random;

    fn stock(law: &str) -> Variant {
        card::read(&format!("name = \"A\"\nlaw = \"{law}\"\n"), &ELEMENTS).unwrap()
    }

    /// Rows of a Stribeck curve with viscous friction at the normal force of a card, 10 N, with
    /// this relative noise.
    fn table(noise: f64) -> Vec<[f64; 2]> {
        let mut random = Random::new(3);
        let row = |i: u32| {
            let v = 1e-3 * libm::pow(500.0, f64::from(i) / 23.0);
            let ratio = v / 0.02;
            let mu = 0.25 + 0.25 * libm::exp(-ratio * ratio) + 2.0 * v / 10.0;
            [v, mu * (1.0 + noise * random.between(-1.0, 1.0))]
        };
        (0..24).map(row).collect()
    }

    #[test]
    fn parameters_of_a_noisy_curve_are_found() {
        let expected = [
            ("mu_s", 0.5),
            ("mu_d", 0.25),
            ("v_Stribeck", 0.02),
            ("sigma_2", 2.0),
        ];
        for law in ["LuGre", "Stribeck"] {
            for (noise, bound) in [(0.0, 1e-3), (0.01, 0.05)] {
                let fit = fit(&stock(law), &table(noise)).unwrap();
                for (name, expected) in expected {
                    let (_, found) = fit.values.iter().find(|(found, _)| *found == name).unwrap();
                    let error = (found / expected - 1.0).abs();
                    assert!(error < bound, "{law}, noise {noise}: {name} = {found}");
                }
                assert!(
                    fit.deviation < 1e-4 + 0.5 * noise,
                    "{law}: {}",
                    fit.deviation
                );
            }
        }
    }

    #[test]
    fn deviation_of_a_curve_that_the_law_cannot_have_is_that_of_its_points() {
        // A coefficient for all speeds: the mean is nearest.
        let points = [[0.01, 0.2], [0.02, 0.4], [0.04, 0.2], [0.08, 0.4]];
        let fit = fit(&stock("Dahl"), &points).unwrap();
        let [(name, value)] = fit.values[..] else {
            panic!("{:?}", fit.values)
        };
        assert_eq!(name, "mu_d");
        assert!((value - 0.3).abs() < 1e-6, "{value}");
        assert!((fit.deviation - 0.1).abs() < 1e-6, "{}", fit.deviation);
        assert!(
            (fit.largest[1].abs() - 0.1).abs() < 1e-6,
            "{:?}",
            fit.largest
        );
    }

    #[test]
    fn table_with_too_few_points_is_refused() {
        let refusal = fit(&stock("LuGre"), &[[0.01, 0.3], [0.1, 0.2]])
            .err()
            .unwrap();
        assert!(refusal.contains("2 points for 4 parameters"), "{refusal}");
    }
}
