//! Body that is pushed: held below the largest friction at rest, set free above it, and brought to
//! rest again.

use bristle::assembly::Assembly;
use bristle::assembly::system_variables::reference::{F as LOAD, V as V_OF_BODY};
use bristle::catalogue::{Card, CardBlock, Motion, Setting, Variant};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::{F_R, MIN_TOLERANCE, V};
use bristle::law::{F_N, F_T};
use bristle::variable::Variable;

use super::{Experiment, STEP, STEPS, digits, normal_force, of_motion, static_friction};

/// Acceleration by the largest friction at rest, m/s², and rad/s² about an axis without a radius.
const ACCELERATIONS: [f64; 2] = [5.0, 250.0];
/// Deviation over the range of a result that passes, of a body in a loop at [`STEP`].
const OF_LOOP: f64 = 0.05;
/// Steps in which the push rises to that which holds, until which it holds, and until which the
/// body is pushed free.
const UNTIL: [usize; 3] = [40, 80, 140];
/// Pushes of these times over the largest friction at rest.
const PUSHES: [f64; 2] = [0.85, 1.2];

/// Pushed body of an element of one contact along a line or about an axis.
pub struct Push<'v> {
    variant: &'v Variant,
    /// Mass, kg, or moment of inertia, kg·m².
    pub mass: f64,
    /// Largest friction at rest, N or N·m.
    size: f64,
}

/// Element of one contact along a line or about an axis with a body inside, at the normal force of
/// its card.
pub struct BodyInside {
    variant: Variant,
    /// The element.
    pub element: Assembly,
}

impl BodyInside {
    /// The element of a card whose law takes a body inside, with the mass of the push on a
    /// spring of this stiffness over the mass, 1/s².
    pub fn of(variant: &Variant, stiffness: f64) -> Option<Self> {
        if !takes_one_body(variant.card()) {
            return None;
        }
        let mass = mass(variant);
        let card = Card {
            block: Some(CardBlock {
                mass,
                stiffness: stiffness * mass,
                ..CardBlock::default()
            }),
            ..plain(variant.card())
        };
        let variant = Variant::new(variant.law, card).ok()?;
        let mut element = variant.instantiate();
        let is_load = |own: &&Variable| own.is(&F_N) && own.reference == F_N.reference;
        if let Some(load) = variant.all().find(is_load) {
            element.set(load, normal_force(variant.card()));
        }
        Some(BodyInside { variant, element })
    }

    /// Variable of the body in this slot.
    pub fn variable(&self, slot: u32) -> Option<Variable> {
        let is_it = |own: &&Variable| own.is_of_block() && own.slot() as u32 == slot;
        self.variant.all().find(is_it).copied()
    }
}

/// Whether a card has one contact along a line or about an axis, whose body no other section moves.
fn takes_one_body(card: &Card) -> bool {
    let is_one = card.contacts.is_none() && !card.motion.is_planar();
    is_one && card.body.is_none() && !card.has_bodies() && card.reactions.is_none()
}

/// Mass (kg), or moment of inertia (kg·m²), of the body in the experiments.
fn mass(variant: &Variant) -> f64 {
    static_friction(variant) / of_motion(variant.card(), ACCELERATIONS)
}

/// A card in SI units, with the outputs that every element shows.
fn plain(card: &Card) -> Card {
    Card {
        units: Default::default(),
        outputs: Default::default(),
        ..card.clone()
    }
}

/// Coupling of an element in a loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loop {
    /// Order that is stated: 1 serial, 2 parallel; 0 without a mass.
    pub stated: f64,
    /// The force of a step moves the body in the next one, as in a parallel master.
    pub is_late: bool,
    /// Sign with which the force acts on the body.
    pub sign: f64,
}

impl Loop {
    /// A loop without a mistake: the element first, then the body with its force.
    pub const SERIAL: Loop = Loop {
        stated: 1.0,
        is_late: false,
        sign: -1.0,
    };
}

impl<'v> Push<'v> {
    /// The push of an element whose law takes a body inside.
    pub fn of(variant: &'v Variant) -> Option<Self> {
        let card = variant.card();
        let has_gear = card.level.is_some_and(|level| level.has_gear);
        // Laws with neither have a limit of the step in a loop.
        let may_be_coupled = [M_EFF, F_T]
            .iter()
            .any(|known| variant.model.variable(known.reference).is_some());
        if !takes_one_body(card) || has_gear || card.gives(M_EFF.reference) || !may_be_coupled {
            return None;
        }
        let size = static_friction(variant);
        let push = Push {
            variant,
            mass: mass(variant),
            size,
        };
        (size > 0.0).then_some(push)
    }

    /// Force on the body in step i, N or N·m.
    fn force(&self, i: usize) -> f64 {
        let ([rise, hold, free], [held, pushed]) = (UNTIL, PUSHES);
        let share = if i < hold {
            held * (i as f64 / rise as f64).min(1.0)
        } else if i < free {
            pushed
        } else {
            0.0
        };
        self.size * share
    }

    /// Time, force and velocity (SI) of the element with the body inside.
    fn monolithic(&self) -> Option<Vec<[f64; 3]>> {
        let mut body = BodyInside::of(self.variant, 0.0)?;
        let [load, velocity] = [body.variable(LOAD)?, body.variable(V_OF_BODY)?];
        let element = &mut body.element;
        element.set_tolerance(MIN_TOLERANCE);
        let mut rows = Vec::new();
        for i in 0..=STEPS {
            let force = self.force(i);
            element.set(&load, force);
            if i == 0 {
                element.initialize().ok()?;
            }
            rows.push([i as f64 * STEP, force, element.value(velocity.reference)]);
            element.advance(STEP).ok()?;
        }
        Some(rows)
    }

    /// Time, force and velocity (SI) of the element in a loop with the body.
    pub fn in_loop(&self, coupling: Loop) -> Option<Vec<[f64; 3]>> {
        let mut card = plain(self.variant.card());
        let start = |value| Setting {
            start: Some(value),
            ..Setting::default()
        };
        if coupling.stated > 0.0 && self.variant.model.variable(M_EFF.reference).is_some() {
            card.parameters.insert(M_EFF.reference, start(self.mass));
            card.parameters
                .insert(COUPLING.reference, start(coupling.stated));
        }
        let variant = Variant::new(self.variant.law, card).ok()?;
        let find = |known: &Variable| variant.all().find(|own| own.reference == known.reference);
        let mut element = variant.instantiate();
        let (mut v, mut friction, mut rows) = (0.0, 0.0, Vec::new());
        for i in 0..=STEPS {
            let force = self.force(i);
            if let Some(load) = find(&F_N) {
                element.set(load, normal_force(variant.card()));
            }
            if let Some(applied) = find(&F_T) {
                element.set(applied, force + self.mass * v / STEP);
            }
            element.set(find(&V)?, v);
            if i == 0 {
                element.initialize().ok()?;
            }
            rows.push([i as f64 * STEP, force, v]);
            element.advance(STEP).ok()?;
            let before = std::mem::replace(&mut friction, element.value(F_R.reference));
            let acting = if coupling.is_late { before } else { friction };
            v += STEP * (force + coupling.sign * acting) / self.mass;
            if !v.is_finite() || v.abs() > 1e6 {
                return None;
            }
        }
        Some(rows)
    }
}

/// Rows of the element in a loop without a mistake.
pub fn replayed(variant: &Variant) -> Option<Vec<Vec<f64>>> {
    let rows = Push::of(variant)?.in_loop(Loop::SERIAL)?;
    Some(rows.iter().map(|row| in_units(variant, row)).collect())
}

/// Time, force and velocity in the units of the FMU.
fn in_units(variant: &Variant, [t, force, v]: &[f64; 3]) -> Vec<f64> {
    let of = |own: &Variable, value: f64| variant.of_si(own.reference, value);
    vec![*t, of(&F_R, *force), of(&V, *v)]
}

/// Experiment of a pushed body; none where the law takes no body inside.
pub fn experiment(variant: &Variant) -> Option<Experiment> {
    let push = Push::of(variant)?;
    let rows = push.monolithic()?;
    let find = |known: &Variable| variant.all().find(|own| own.reference == known.reference);
    let (v, friction) = (*find(&V)?, *find(&F_R)?);
    let name = if variant.card().motion == Motion::Rotational {
        "M"
    } else {
        "F"
    };
    let push_force = Variable { name, ..friction };
    Some(Experiment {
        name: "push",
        title: format!(
            "A body of {} {} on the contact is held, pushed free and brought to rest.",
            digits(push.mass),
            if name == "M" { "kg.m2" } else { "kg" }
        ),
        inputs: vec![push_force],
        results: vec![v],
        rows: rows.iter().map(|row| in_units(variant, row)).collect(),
        tolerance: OF_LOOP,
    })
}
