//! Runs of an element with a body inside: pushed through break-away, and on a moving belt.

use bristle::assembly::Assembly;
use bristle::assembly::system_variables::reference::{F, V, V_SURFACE, X};
use bristle::catalogue::{Card, CardBlock, ELEMENTS, Motion, Variant};
use bristle::element::F_R;
use bristle::law::F_N;
use bristle::variable::{Role, Variable};
use bristle_export::card;
use bristle_export::plot::{Axis, Curve, Panel, Pen};
use bristle_export::reference::{normal_force, of_motion, static_friction};

/// Communication step, s.
const STEP: f64 = 1e-3;
/// Steps of a run.
const STEPS: u32 = 2500;

/// Greatest push over the largest friction at rest, 1.
const PUSH: f64 = 1.2;
/// Acceleration of the body by the largest friction at rest, m/s², and rad/s² about an axis without
/// a radius.
const ACCELERATIONS: [f64; 2] = [5.0, 250.0];
/// Natural frequency of the body on its spring, rad/s.
const FREQUENCY: f64 = 12.0;
/// Velocity of the belt, m/s, and rad/s about an axis without a radius.
const BELTS: [f64; 2] = [0.05, 2.5];

/// Element with a body inside.
struct Body<'v> {
    variant: &'v Variant,
    element: Assembly,
    with_body: Variant,
    /// Largest friction of the contact at rest, N or N·m.
    size: f64,
}

impl<'v> Body<'v> {
    /// Element of one contact along a line or about an axis, whose law takes a body inside, at its
    /// card's normal force; `stiffness` is that of the body's spring over its mass.
    fn of(variant: &'v Variant, stiffness: f64) -> Option<Self> {
        let card = variant.card();
        let is_one = card.contacts.is_none() && !card.motion.is_planar();
        let is_alone = card.body.is_none() && !card.has_bodies() && card.reactions.is_none();
        if !is_one || !is_alone {
            return None;
        }
        let size = static_friction(variant);
        let mass = size / of_motion(card, ACCELERATIONS);
        let card = Card {
            block: Some(CardBlock {
                mass,
                stiffness: stiffness * mass,
                ..CardBlock::default()
            }),
            units: Default::default(),
            outputs: Default::default(),
            ..card.clone()
        };
        let with_body = Variant::new(variant.law, card).ok()?;
        let mut element = with_body.instantiate();
        if let Some(load) = with_body.all().find(|own| own.reference == F_N.reference) {
            element.set(load, normal_force(with_body.card()));
        }
        Some(Body {
            variant,
            element,
            with_body,
            size,
        })
    }

    /// Steps of a run in which `drive` sets an input of the body; rows of `read` values.
    fn run(mut self, input: u32, drive: impl Fn(f64) -> f64, output: u32) -> Option<Vec<[f64; 3]>> {
        let of_body = |slot: u32| {
            let is_it = |own: &&Variable| own.is_of_block() && own.slot() == slot as usize;
            self.with_body.all().find(is_it)
        };
        let (input, output) = (of_body(input)?, of_body(output)?.reference);
        let mut rows = Vec::new();
        for i in 0..=STEPS {
            let time = f64::from(i) * STEP;
            self.element.set(input, drive(time));
            if i == 0 {
                self.element.initialize().ok()?;
            } else {
                self.element.advance(STEP).ok()?;
            }
            let friction = self.element.value(F_R.reference);
            rows.push([time, self.element.value(output), friction]);
        }
        let is_finite = rows.iter().flatten().all(|number| number.is_finite());
        is_finite.then_some(rows)
    }

    fn is_turning(&self) -> bool {
        self.variant.card().motion == Motion::Rotational
    }
}

fn time() -> Axis {
    Axis::linear("t", "s", 1.0)
}

fn column(rows: &[[f64; 3]], place: usize) -> Vec<[f64; 2]> {
    rows.iter().map(|row| [row[0], row[place]]).collect()
}

/// Body that a rising and falling force pushes through break-away.
pub fn push(variant: &Variant) -> Option<Panel> {
    let body = Body::of(variant, 0.0)?;
    let (size, end) = (body.size, f64::from(STEPS) * STEP);
    let force = move |time: f64| PUSH * size * (1.0 - (2.0 * time / end - 1.0).abs());
    let turning = body.is_turning();
    let rows = body.run(F, force, V)?;
    let (label, unit) = if turning {
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
    let body = Body::of(variant, FREQUENCY * FREQUENCY)?;
    let belt = of_motion(variant.card(), BELTS);
    let turning = body.is_turning();
    let rows = body.run(V_SURFACE, |_| belt, X)?;
    let axis = if turning {
        Axis::linear("phi", "mrad", 1e3)
    } else {
        Axis::linear("x", "mm", 1e3)
    };
    let moving = if turning {
        format!("body on a spring, on a disc at {belt} rad/s")
    } else {
        format!("body on a spring, on a belt at {belt} m/s")
    };
    Some(Panel {
        title: "Stick and slip".to_owned(),
        x: time(),
        y: axis,
        curves: vec![Curve {
            label: moving,
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
    let shown = |variable: &&Variable| variable.is_output() || variable.is_output_state();
    let outputs: Vec<_> = variant.variables().filter(shown).collect();
    let mut random = Random(1);
    let mut is_new = true;
    let lines = (0..STEPS as usize).map(|i| {
        if i % 7 == 0 {
            for input in &inputs {
                let start = input.start.filter(|_| input.is_parameter());
                element.set(input, random.value(input, start));
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

/// Numbers of a linear congruence: the same everywhere.
struct Random(u64);

impl Random {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Value of an input: near its start as a parameter; normal forces below 0 now and then.
    fn value(&mut self, input: &Variable, start: Option<f64>) -> f64 {
        if let Some(start) = start {
            return start * (0.95 + 0.1 * self.next());
        }
        let size = input.nominal.unwrap_or(1.0);
        let least = if input.is(&F_N) { -0.1 } else { -1.0 };
        size * (least + (1.0 - least) * self.next())
    }
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
