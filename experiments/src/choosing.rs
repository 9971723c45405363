//! `cargo xtask figures bristle`: worked choices of the bristle for docs/choosing-the-bristle.md,
//! with the limits that elements report for them.

use anyhow::{Context, Result};
use bristle::catalogue;
use bristle::coupling::{COUPLING, H_MAX, M_EFF};
use bristle::element::AnyElement;
use bristle::law::Contact;
use bristle_rigs::test_bench::G;

/// Normal forces of the worked examples, N.
const NORMAL_FORCES: [f64; 3] = [10.0, 1e3, 1e4];
/// Reference deflections, m: the paper's, and one for longer communication steps.
const DEFLECTIONS: [f64; 2] = [1e-6, 1e-5];
/// Static and dynamic coefficient of friction of the paper, the elements' defaults.
const COEFFICIENTS: [f64; 2] = [0.6, 0.3];
/// Velocity of the regularisation, m/s, the default.
const V_S: f64 = 1e-3;
/// Least distance of F_N from the limit of stability, 1: F_N varies, and near the limit
/// oscillations decay slowly.
const STABILITY_MARGIN: f64 = 2.0;

/// Bristle for a normal force.
#[derive(Clone, Copy, Debug)]
struct Choice {
    normal_force: f64,
    sigma_0: f64,
    sigma_1: f64,
    v_d: f64,
}

impl Choice {
    /// The default bristle.
    fn default_for(normal_force: f64) -> Self {
        Choice {
            normal_force,
            sigma_0: 5e6,
            sigma_1: 3192.75,
            v_d: 0.01,
        }
    }

    /// The paper's rule with F_ref = F_N/2, between F_d and F_s, and the first v_d of 1, 2, 5, …
    /// cm/s that keeps the margin.
    fn by_rule(normal_force: f64, deflection: f64) -> Self {
        let reference = 0.5 * normal_force;
        let sigma_0 = reference / deflection;
        let sigma_1 = 2.0 * (reference / G * sigma_0).sqrt();
        let [mu_s, mu_d] = COEFFICIENTS;
        let least = V_S + STABILITY_MARGIN * 1.5 * (mu_s - mu_d) * normal_force / sigma_1;
        let v_d = [0.01, 0.02, 0.05, 0.1]
            .into_iter()
            .find(|v_d| *v_d >= least)
            .unwrap_or(least);
        Choice {
            normal_force,
            sigma_0,
            sigma_1,
            v_d,
        }
    }

    /// FrDyn2Linear with this bristle in stick, on the body whose weight is F_N.
    fn element(&self, coupling: f64) -> Result<Box<dyn AnyElement>> {
        let model = catalogue::find("FrDyn2Linear").context("an element of the catalogue")?;
        let mut element = model.instantiate();
        for (name, value) in [
            ("sigma_0", self.sigma_0),
            ("sigma_1", self.sigma_1),
            ("v_s", V_S),
            ("v_d", self.v_d),
        ] {
            let variable = model
                .variables()
                .find(|variable| variable.name == name)
                .context("a parameter")?;
            element.set(variable, value);
        }
        element.set(&M_EFF, self.normal_force / G);
        element.set(&COUPLING, coupling);
        element.apply_parameters()?;
        element.set_contact(Contact::new(self.normal_force, 0.0));
        element.initialize()?;
        Ok(element)
    }

    /// Largest F_N without the element's warning of an unstable bristle, N, by bisection.
    fn stable_up_to(&self) -> Result<f64> {
        let mut element = self.element(1.0)?;
        let [mut low, mut high] = [0.0, 1e9];
        while high - low > 1e-9 * high {
            let middle = 0.5 * (low + high);
            element.set_contact(Contact::new(middle, 0.0));
            *if element.model_warning().is_none() {
                &mut low
            } else {
                &mut high
            } = middle;
        }
        Ok(low)
    }

    fn row(&self, name: &str) -> Result<String> {
        let Choice {
            normal_force,
            sigma_0,
            sigma_1,
            v_d,
        } = *self;
        let [parallel, serial] = [2.0, 1.0]
            .map(|coupling| anyhow::Ok(self.element(coupling)?.on_demand_output(&H_MAX)?));
        let deflection = COEFFICIENTS[0] * normal_force / sigma_0;
        let stable = self.stable_up_to()?;
        let numbers = [
            normal_force,
            sigma_0,
            sigma_1,
            v_d,
            deflection,
            stable,
            parallel?,
            serial?,
        ];
        Ok(format!("| {name} | {} |\n", numbers.map(shown).join(" | ")))
    }
}

/// Number with four digits.
fn shown(x: f64) -> String {
    let rounded: f64 = format!("{x:.3e}").parse().unwrap_or(x);
    if (1e-2..1e5).contains(&rounded) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// `experiments bristle`: prints the section of the page.
pub fn command() -> Result<()> {
    print!("{}", section()?);
    Ok(())
}

fn section() -> Result<String> {
    let mut text = String::from(
        "<!-- begin bristle -->\n| choice | F_N, N | σ_0, N/m | σ_1, N·s/m | v_d, m/s | F_s/σ_0, \
         m | stable up to F_N, N | H in parallel, s | H in \
         series, s |\n|---|---|---|---|---|---|---|---|---|\n",
    );
    for normal_force in NORMAL_FORCES {
        text += &Choice::default_for(normal_force).row("defaults")?;
        for deflection in DEFLECTIONS {
            text += &Choice::by_rule(normal_force, deflection)
                .row(&format!("z_ref = {} m", shown(deflection)))?;
        }
    }
    Ok(text + "<!-- end bristle -->\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_numbers_that_elements_report() {
        let page = include_str!("../../docs/choosing-the-bristle.md");
        assert!(
            page.contains(&section().unwrap()),
            "run `cargo xtask figures bristle`"
        );
    }

    #[test]
    fn choices_by_the_rule_are_stable_and_documented_and_the_defaults_are_not_above_64_newton() {
        for normal_force in NORMAL_FORCES {
            for deflection in DEFLECTIONS {
                let stable = Choice::by_rule(normal_force, deflection)
                    .stable_up_to()
                    .unwrap();
                assert!(
                    stable >= STABILITY_MARGIN * normal_force,
                    "{normal_force} N, {deflection} m: {stable} N"
                );
            }
            assert!(
                (Choice::default_for(normal_force).stable_up_to().unwrap() - 63.855).abs() < 1e-3
            );
            let Choice {
                sigma_0, sigma_1, ..
            } = Choice::by_rule(normal_force, DEFLECTIONS[0]);
            let bristle = format!("{} N/m and {} N.s/m", shown(sigma_0), shown(sigma_1));
            for name in ["FrDyn2", "FrDyn2Linear"] {
                let notes = catalogue::find(name).unwrap().metadata.notes;
                let (_, text) = notes
                    .iter()
                    .find(|(heading, _)| *heading == "Choosing the bristle")
                    .unwrap();
                assert!(text.contains(&bristle), "{name}: {bristle}");
            }
        }
    }
}
