//! Body that is pushed: held below the largest friction at rest, set free above it, and brought to
//! rest again.

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
        let is_one = card.contacts.is_none() && !card.motion.is_planar();
        let is_alone = card.body.is_none() && !card.has_bodies() && card.reactions.is_none();
        let has_gear = card.level.is_some_and(|level| level.has_gear);
        // Laws with neither have a limit of the step in a loop.
        let may_be_coupled = [M_EFF, F_T]
            .iter()
            .any(|known| variant.model.variable(known.reference).is_some());
        if !is_one || !is_alone || has_gear || card.gives(M_EFF.reference) || !may_be_coupled {
            return None;
        }
        let size = static_friction(variant);
        let push = Push {
            variant,
            mass: size / of_motion(card, ACCELERATIONS),
            size,
        };
        (size > 0.0).then_some(push)
    }

    /// The card in SI units, with the outputs that every element shows.
    fn plain_card(&self) -> Card {
        Card {
            units: Default::default(),
            outputs: Default::default(),
            ..self.variant.card().clone()
        }
    }

    /// Element with the body inside.
    fn with_body(&self) -> Option<Variant> {
        let card = Card {
            block: Some(CardBlock {
                mass: self.mass,
                ..CardBlock::default()
            }),
            ..self.plain_card()
        };
        Variant::new(self.variant.law, card).ok()
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
        let variant = self.with_body()?;
        let find = |slot: u32| {
            variant
                .all()
                .find(|own| own.is_of_block() && own.slot() as u32 == slot)
        };
        let [load, velocity] = [find(LOAD)?, find(V_OF_BODY)?];
        let mut element = variant.instantiate();
        element.set_tolerance(MIN_TOLERANCE);
        let mut rows = Vec::new();
        if let Some(load) = variant
            .all()
            .find(|own| own.is(&F_N) && own.reference == F_N.reference)
        {
            element.set(load, normal_force(variant.card()));
        }
        for i in 0..=STEPS {
            let force = self.force(i);
            element.set(load, force);
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
        let mut card = self.plain_card();
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
