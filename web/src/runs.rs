//! Runs of an element with a body inside: pushed through break-away, and on a moving belt.

use bristle::assembly::system_variables::reference::{F, V, V_SURFACE, X};
use bristle::catalogue::{ELEMENTS, Motion, Variant};
use bristle::element::F_R;
use bristle::law::F_N;
use bristle::variable::{Role, Variable};
use bristle_export::card;
use bristle_export::plot::{Axis, Curve, Panel, Pen};
use bristle_export::reference::{BodyInside, of_motion, static_friction};
use bristle_random::Random;

/// Communication step, s.
const STEP: f64 = 1e-3;
/// Steps of a run.
const STEPS: u32 = 2500;

/// Greatest push over the largest friction at rest, 1.
const PUSH: f64 = 1.2;
/// Natural frequency of the body on its spring, rad/s.
const FREQUENCY: f64 = 12.0;
/// Velocity of the belt, m/s, and rad/s about an axis without a radius.
const BELTS: [f64; 2] = [0.05, 2.5];

/// Time (s), a variable of the body and the friction in a run in which `drive` sets an input of the
/// body; its spring has this stiffness over the mass, 1/s².
fn run(
    variant: &Variant,
    stiffness: f64,
    input: u32,
    drive: impl Fn(f64) -> f64,
    output: u32,
) -> Option<Vec<[f64; 3]>> {
    let mut body = BodyInside::of(variant, stiffness)?;
    let (input, output) = (body.variable(input)?, body.variable(output)?.reference);
    let element = &mut body.element;
    let mut rows = Vec::new();
    for i in 0..=STEPS {
        let time = f64::from(i) * STEP;
        element.set(&input, drive(time));
        if i == 0 {
            element.initialize().ok()?;
        } else {
            element.advance(STEP).ok()?;
        }
        rows.push([time, element.value(output), element.value(F_R.reference)]);
    }
    let is_finite = rows.iter().flatten().all(|number| number.is_finite());
    is_finite.then_some(rows)
}

fn is_turning(variant: &Variant) -> bool {
    variant.card().motion == Motion::Rotational
}

fn time() -> Axis {
    Axis::linear("t", "s", 1.0)
}

fn column(rows: &[[f64; 3]], place: usize) -> Vec<[f64; 2]> {
    rows.iter().map(|row| [row[0], row[place]]).collect()
}

/// Body that a rising and falling force pushes through break-away.
pub fn push(variant: &Variant) -> Option<Panel> {
    let (size, end) = (static_friction(variant), f64::from(STEPS) * STEP);
    let force = move |time: f64| PUSH * size * (1.0 - (2.0 * time / end - 1.0).abs());
    let rows = run(variant, 0.0, F, force, V)?;
    let (label, unit) = if is_turning(variant) {
        ("M_R", "N·m")
    } else {
        ("F_R", "N")
    };
    let pushed = rows.iter().map(|row| [row[0], force(row[0])]).collect();
    Some(Panel {
        title: "A push that rises and falls".to_owned(),
        x: time(),
        y: Axis::linear(label, unit, 1.0),
        curves: vec![
            Curve {
                label: format!("{label}, friction of a body that is pushed"),
                points: column(&rows, 2),
                pen: Pen::Main,
            },
            Curve {
                label: "the push".to_owned(),
                points: pushed,
                pen: Pen::Dashed,
            },
        ],
    })
}

/// Body on a spring, on a surface that moves.
pub fn belt(variant: &Variant) -> Option<Panel> {
    let belt = of_motion(variant.card(), BELTS);
    let rows = run(variant, FREQUENCY * FREQUENCY, V_SURFACE, |_| belt, X)?;
    let (axis, surface) = if is_turning(variant) {
        (
            Axis::linear("phi", "mrad", 1e3),
            format!("disc at {belt} rad/s"),
        )
    } else {
        (Axis::linear("x", "mm", 1e3), format!("belt at {belt} m/s"))
    };
    Some(Panel {
        title: "Stick and slip".to_owned(),
        x: time(),
        y: axis,
        curves: vec![Curve {
            label: format!("body on a spring, on a {surface}"),
            points: column(&rows, 1),
            pen: Pen::Main,
        }],
    })
}

/// Bits of what the element of a card calculates in random steps, a line for each: for the
/// comparison of a browser with the native program. Empty for a card that is refused.
pub fn transcript(card: &str) -> String {
    let Ok(variant) = card::read(card, &ELEMENTS) else {
        return String::new();
    };
    let mut element = variant.instantiate();
    let inputs: Vec<_> = variant
        .variables()
        .filter(|variable| variable.role == Role::Input)
        .collect();
    let outputs: Vec<_> = variant
        .variables()
        .filter(|variable| variable.is_any_output())
        .collect();
    let mut random = Random::new(1);
    let mut is_new = true;
    let lines = (0..STEPS as usize).map(|i| {
        if i % 7 == 0 {
            for input in &inputs {
                element.set(input, value(input, &mut random));
            }
        }
        let initialized = !is_new || element.initialize().is_ok();
        is_new = false;
        let h = [1e-5, 1e-4, 1e-3, 1e-2][i / 7 % 4];
        if initialized && element.advance(h).is_ok() {
            let bits = outputs
                .iter()
                .map(|output| format!("{:016x}", element.value(output.reference).to_bits()));
            bits.collect::<Vec<_>>().join(" ")
        } else {
            element.reset();
            is_new = true;
            "refused".to_owned()
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Value of an input: near its start as a parameter; normal forces below 0 now and then.
fn value(input: &Variable, random: &mut Random) -> f64 {
    if let Some(start) = input.start.filter(|_| input.is_parameter()) {
        return start * random.between(0.95, 1.05);
    }
    let least = if input.is(&F_N) { -0.1 } else { -1.0 };
    input.nominal.unwrap_or(1.0) * random.between(least, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stock(law: &str) -> Variant {
        card::read(&format!("name = \"A\"\nlaw = \"{law}\"\n"), &ELEMENTS).unwrap()
    }

    #[test]
    fn pushed_body_rests_below_the_largest_friction_and_slides_above() {
        for law in ["FrDyn2", "LuGre", "Dahl", "Coulomb", "ModelicaFriction"] {
            let variant = stock(law);
            let panel = push(&variant).unwrap();
            let [friction, push] = [0, 1].map(|i| &panel.curves[i].points);
            let size = static_friction(&variant);
            let rising = friction.iter().zip(push).take(push.len() / 2);
            let mut slides = false;
            for ([_, friction], [_, push]) in rising {
                if *push < 0.98 * size {
                    assert!(
                        (friction - push).abs() < 0.01 * size,
                        "{law}: {friction} {push}"
                    );
                }
                slides |= *push > 1.02 * size && push - friction > 0.02 * size;
            }
            assert!(slides, "{law}");
        }
    }

    #[test]
    fn law_that_takes_no_body_has_no_plots_of_one() {
        assert!(push(&stock("StaticRegularized")).is_none());
        assert!(belt(&stock("Stribeck")).is_none());
    }

    #[test]
    fn transcript_of_a_refused_card_is_empty() {
        assert_eq!(transcript("law = \"Lugre\""), "");
        assert_eq!(
            transcript("name = \"A\"\nlaw = \"LuGre\"").lines().count(),
            2500
        );
    }
}
