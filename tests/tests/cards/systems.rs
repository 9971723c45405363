//! Random steps of systems of coordinates with gears, springs, bases and contacts, with inputs of
//! up to third order in time, against Newton's equations written anew and solved by Dormand and
//! Prince's method at a far smaller tolerance over a second transcription of the laws.

mod heavy;
mod planar;
mod stick;

use super::block::{BlockLaw, FrDyn2};
use super::block_steps::{Limited, Linear, Static, at, input};
use bristle::assembly::Assembly;
use bristle::catalogue::{
    CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Term, Variant,
};
use bristle_random::Random;
use bristle_reference_laws::dop853::{TOLERANCE, solve_of_system};
use bristle_reference_laws::{BrownMcPhee, Contact, StaticRegularized};
use bristle_tests::cards::{card, complete};

/// Most coordinates, geared ones included, and most contacts.
const MOST: usize = 3;
/// Parts of a step of the reference. The method of order 8 passes over a kink, or to one and back,
/// where none of its stages shows it, in about one step of 10 000. A step that differs from the
/// first reference is compared with the second one.
const PARTS: [u32; 2] = [1, 37];
/// States of the reference: positions, velocities, and two of each contact.
const STATES: usize = 4 * MOST;
/// Tolerance of the element, that of F_R over F_s.
const ELEMENT: f64 = 1e-6;
/// Static coefficient of friction and stiffness (N/m) of all laws.
const MU_S: f64 = 0.6;
const STIFFNESS: f64 = 5e6;

/// A system with its inputs over a step. Rows are over coordinates and bases.
struct Case {
    h: f64,
    masses: Vec<f64>,
    /// Coordinate 2 follows the free ones 0 and 1 by these factors, or is free.
    gear: Option<[f64; 2]>,
    bases: usize,
    /// Row, stiffness, damping and gap.
    springs: Vec<(Vec<f64>, f64, f64, Option<f64>)>,
    contacts: Vec<Vec<f64>>,
    loads: Vec<[f64; 4]>,
    normal: Vec<[f64; 4]>,
    surface: Vec<[f64; 4]>,
    x_base: Vec<[f64; 4]>,
    v_base: Vec<[f64; 4]>,
    start: [f64; STATES],
}

impl Case {
    fn new(random: &mut Random, share: f64) -> Self {
        let h = random.magnitude(1e-4, 1e-2);
        let coordinates = 1 + random.below(MOST);
        let gear = (coordinates == MOST && random.once_in(2))
            .then(|| [random.between(0.5, 2.0), random.between(-2.0, -0.5)]);
        let bases = random.below(3);
        let masses: Vec<_> = (0..coordinates)
            .map(|_| random.magnitude(0.1, 30.0))
            .collect();
        let row = |random: &mut Random| -> Vec<f64> {
            let own = random.below(coordinates);
            (0..coordinates + bases)
                .map(|i| match i {
                    _ if i == own => 1.0,
                    _ if random.once_in(2) => 0.0,
                    _ => random.between(-1.5, 1.5),
                })
                .collect()
        };
        let springs = (0..random.below(4))
            .map(|_| {
                let stiffness = random.magnitude(10.0, 1e5);
                (
                    row(random),
                    stiffness,
                    random.between(0.0, 0.2) * stiffness.sqrt(),
                    None,
                )
            })
            .collect();
        let count = 1 + random.below(MOST);
        let contacts: Vec<_> = (0..count).map(|_| row(random)).collect();
        let largest = random.magnitude(2.0, 60.0);
        let mut start = [0.0; STATES];
        let is_free = |i: usize| gear.is_none() || i < 2;
        for i in (0..coordinates).filter(|i| is_free(*i)) {
            start[i] = random.between(-1e-3, 1e-3);
            if !random.once_in(3) {
                let v = random.magnitude(1e-5, 1e-1);
                start[MOST + i] = random.sign(v);
            }
        }
        let mut normal = Vec::new();
        let mut surface = Vec::new();
        for i in 0..count {
            let force = largest * random.between(0.2, 1.0);
            normal.push(input(random, force, share * force, h));
            let v = if random.once_in(2) {
                0.0
            } else {
                random.between(-0.1, 0.1)
            };
            surface.push(input(random, v, 0.1 * v, h));
            start[2 * MOST + 2 * i] = random.between(-0.8, 0.8) * MU_S * force / STIFFNESS;
        }
        let loads = (0..coordinates).map(|_| {
            let load = random.between(-1.2, 1.2) * MU_S * largest;
            input(random, load, 0.3 * largest, h)
        });
        Case {
            h,
            gear,
            bases,
            springs,
            contacts,
            loads: loads.collect(),
            normal,
            surface,
            x_base: (0..bases).map(|_| input(random, 0.0, 1e-4, h)).collect(),
            v_base: (0..bases)
                .map(|_| input(random, 0.0, 1e-4 / h, h))
                .collect(),
            masses,
            start,
        }
    }

    /// Gives all springs gaps: some press at the start, others meet a side later or never.
    fn with_gaps(mut self, random: &mut Random) -> Self {
        for (.., gap) in &mut self.springs {
            *gap = Some(random.magnitude(1e-5, 3e-3));
        }
        self
    }

    /// Positions or velocities of all coordinates, from those of the free ones.
    fn all(&self, free: &[f64]) -> Vec<f64> {
        let mut all = free[..self.masses.len()].to_vec();
        if let Some([first, second]) = self.gear {
            all[2] = first * all[0] + second * all[1];
        }
        all
    }

    /// Value of a row, with the positions or the velocities of the bases.
    fn along(&self, row: &[f64], free: &[f64], bases: &[[f64; 4]], t: f64) -> f64 {
        let own = self
            .all(free)
            .into_iter()
            .chain(bases.iter().map(|base| at(*base, t)));
        row.iter()
            .zip(own)
            .map(|(factor, value)| factor * value)
            .sum()
    }

    fn contact(&self, i: usize, t: f64, v: &[f64]) -> Contact {
        let slip = self.along(&self.contacts[i], v, &self.v_base, t) - at(self.surface[i], t);
        Contact::new(at(self.normal[i], t), slip)
    }

    /// Rates of all states. A force on the geared coordinate acts on the free ones by the factors
    /// of the gear, and its inertia as that of a body on it.
    fn rates(&self, law: &dyn BlockLaw, t: f64, state: &[f64; STATES]) -> [f64; STATES] {
        let (x, v) = (&state[..MOST], &state[MOST..2 * MOST]);
        let mut rates = [0.0; STATES];
        let mut force: Vec<f64> = self.loads.iter().map(|load| at(*load, t)).collect();
        for (row, stiffness, damping, gap) in &self.springs {
            let length = self.along(row, x, &self.x_base, t);
            let rate = self.along(row, v, &self.v_base, t);
            let pull = match gap {
                None => stiffness * length + damping * rate,
                Some(gap) if length > gap / 2.0 => {
                    (stiffness * (length - gap / 2.0) + damping * rate).max(0.0)
                }
                Some(gap) if length < -gap / 2.0 => {
                    (stiffness * (length + gap / 2.0) + damping * rate).min(0.0)
                }
                Some(_) => 0.0,
            };
            force
                .iter_mut()
                .zip(row)
                .for_each(|(force, factor)| *force -= factor * pull);
        }
        for (i, row) in self.contacts.iter().enumerate() {
            let own = [state[2 * MOST + 2 * i], state[2 * MOST + 2 * i + 1]];
            let (friction, of_law) = law.rates(self.contact(i, t, v), &(own, 0.0));
            rates[2 * MOST + 2 * i..][..2].copy_from_slice(&of_law);
            force
                .iter_mut()
                .zip(row)
                .for_each(|(force, factor)| *force -= factor * friction);
        }
        let accelerations = match self.gear {
            None => force.iter().zip(&self.masses).map(|(f, m)| f / m).collect(),
            Some([a, b]) => {
                let [m, n, o] = [0, 1, 2].map(|i| self.masses[i]);
                let [f, g] = [force[0] + a * force[2], force[1] + b * force[2]];
                let [p, q, r] = [m + o * a * a, o * a * b, n + o * b * b];
                let determinant = p * r - q * q;
                vec![(r * f - q * g) / determinant, (p * g - q * f) / determinant]
            }
        };
        let free: Vec<f64> = accelerations;
        for (i, acceleration) in free.iter().enumerate() {
            (rates[i], rates[MOST + i]) = (v[i], *acceleration);
        }
        rates
    }

    /// States at the end, solved in this number of parts.
    fn reference(&self, law: &dyn BlockLaw, parts: u32) -> [f64; STATES] {
        let mut scale = [1e-4; STATES];
        scale[MOST..2 * MOST].fill(1e-2);
        for i in 0..MOST {
            (scale[2 * MOST + 2 * i], scale[2 * MOST + 2 * i + 1]) = (1e-6, 1e-2);
        }
        let part = self.h / f64::from(parts);
        (0..parts).fold(self.start, |state, n| {
            let from = f64::from(n) * part;
            let rates = |t, x| self.rates(law, from + t, &x);
            solve_of_system(rates, state, scale, part, TOLERANCE)
        })
    }

    /// Errors of an element's F_R, v and x beside these states at the end.
    fn errors(
        &self,
        law: &dyn BlockLaw,
        expected: &[f64; STATES],
        value: impl Fn(&str) -> f64,
    ) -> [f64; 3] {
        let mut off = [0.0_f64; 3];
        let mut largest = 0.0_f64;
        for i in 0..self.contacts.len() {
            let own = [expected[2 * MOST + 2 * i], expected[2 * MOST + 2 * i + 1]];
            let contact = self.contact(i, self.h, &expected[MOST..2 * MOST]);
            let (friction, _) = law.rates(contact, &(own, 0.0));
            let static_force = MU_S * at(self.normal[i], self.h).max(0.01);
            let of_force = (value(&format!("c{i}.F_R")) - friction).abs() / static_force;
            off[0] = off[0].max(of_force);
            let forces = [0.0, 0.5, 1.0].map(|share| at(self.normal[i], share * self.h));
            largest = forces
                .into_iter()
                .map(|force| MU_S * force)
                .fold(largest, f64::max);
        }
        let (x, v) = (self.all(expected), self.all(&expected[MOST..]));
        for i in 0..self.masses.len() {
            // v counts as what the largest F_s changes it by within a millisecond, or a thousandth
            // of itself, and x as that over the step.
            let pushed = largest * self.h.min(1e-3) / self.masses[i];
            let of_v = (value(&format!("q{i}.v")) - v[i]).abs();
            off[1] = off[1].max(of_v / pushed.max(1e-3 * v[i].abs()));
            let of_x = (value(&format!("q{i}.x")) - x[i]).abs();
            off[2] = off[2].max(of_x / (pushed * self.h).max(1e-3 * x[i].abs()));
        }
        off
    }

    fn system(&self) -> CardSystem {
        let terms = |row: &[f64]| -> Vec<Term> {
            let factors = row.iter().enumerate().filter(|(_, factor)| **factor != 0.0);
            factors
                .map(|(of, factor)| Term {
                    of: of as u32,
                    factor: *factor,
                })
                .collect()
        };
        let coordinates = self
            .masses
            .iter()
            .enumerate()
            .map(|(i, mass)| CardCoordinate {
                name: format!("q{i}"),
                mass: *mass,
                gear: match self.gear {
                    Some(factors) if i == 2 => terms(&factors),
                    _ => Vec::new(),
                },
                ..CardCoordinate::default()
            });
        let springs = self.springs.iter().enumerate();
        let springs = springs.map(|(i, (row, stiffness, damping, gap))| CardSpring {
            name: format!("s{i}"),
            along: terms(row),
            stiffness: *stiffness,
            damping: *damping,
            gap: *gap,
        });
        CardSystem {
            coordinates: coordinates.collect(),
            bases: (0..self.bases)
                .map(|i| CardBase {
                    name: format!("b{i}"),
                    is_angle: false,
                })
                .collect(),
            springs: springs.collect(),
            contacts: self
                .contacts
                .iter()
                .map(|row| CardSlip {
                    along: vec![terms(row)],
                })
                .collect(),
        }
    }

    /// Names of the inputs with their values.
    fn inputs(&self) -> Vec<(String, [f64; 4])> {
        let of = |list: &[[f64; 4]], name: &dyn Fn(usize) -> String| -> Vec<_> {
            list.iter()
                .enumerate()
                .map(|(i, input)| (name(i), *input))
                .collect()
        };
        [
            of(&self.loads, &|i| format!("q{i}.F")),
            of(&self.normal, &|i| format!("c{i}.F_N")),
            of(&self.surface, &|i| format!("c{i}.v_surface")),
            of(&self.x_base, &|i| format!("b{i}.x_base")),
            of(&self.v_base, &|i| format!("b{i}.v_base")),
        ]
        .concat()
    }

    fn variant(&self, law: &str) -> Variant {
        let mut card = card(law, &[]);
        card.contacts = Some(Contacts {
            count: self.contacts.len() as u32,
            names: (0..self.contacts.len()).map(|i| format!("c{i}")).collect(),
            ..Contacts::default()
        });
        card.system = Some(self.system());
        card.experiment.tolerance = ELEMENT;
        complete(card)
    }

    /// The element at the start of the step, with the derivatives of its inputs.
    fn element(&self, variant: &Variant) -> Assembly {
        let free = (0..self.masses.len()).filter(|i| self.gear.is_none() || *i < 2);
        let of_free = free.flat_map(|i| {
            [
                (format!("q{i}.x"), self.start[i]),
                (format!("q{i}.v"), self.start[MOST + i]),
            ]
        });
        let of_contacts = (0..self.contacts.len())
            .map(|i| (format!("c{i}.z"), self.start[2 * MOST + 2 * i]))
            .filter(|(name, _)| variant.find(name).is_some());
        started(variant, &self.inputs(), of_free.chain(of_contacts))
    }
}

/// An element with these inputs and states at the start of a step, and the derivatives of its
/// inputs.
fn started(
    variant: &Variant,
    inputs: &[(String, [f64; 4])],
    states: impl Iterator<Item = (String, f64)>,
) -> Assembly {
    let mut element = variant.instantiate();
    let find = |name: &str| variant.find(name).unwrap_or_else(|| panic!("{name}"));
    let values = inputs.iter().map(|(name, input)| (name.clone(), input[0]));
    for (name, value) in values.chain(states) {
        element.set(find(&name), value);
    }
    element.initialize().expect("a start");
    for (name, input) in inputs {
        for (order, derivative) in (1..).zip(&input[1..]) {
            element
                .set_input_derivative(find(name), order, *derivative)
                .expect("an input");
        }
    }
    element
}

/// Whether an error of F_R, v or x is beyond the tolerance.
fn is_beyond([force, v, x]: &[f64; 3]) -> bool {
    *force > ELEMENT || *v > 3.0 * ELEMENT || *x > 3.0 * ELEMENT
}

/// Compares random steps of a law with the reference: one of them may exceed the tolerance, by
/// three times at most. F_N changes by about this share of itself.
fn random_steps(name: &str, law: &dyn BlockLaw, share: f64, draws: u32) {
    random_steps_of(name, law, draws, |random| Case::new(random, share));
}

/// Compares random steps of systems that a function draws with the reference.
fn random_steps_of(
    name: &str,
    law: &dyn BlockLaw,
    draws: u32,
    system: impl Fn(&mut Random) -> Case,
) {
    let mut random = Random::new(4);
    let (mut beyond, mut worst, mut inner) = (0, [0.0_f64; 3], 0);
    for draw in 0..draws {
        let case = system(&mut random);
        let variant = case.variant(name);
        let mut element = case.element(&variant);
        let report = element.advance(case.h).expect("a step");
        inner += report.inner_steps;
        let value = |name: &str| element.value(variant.find(name).expect("a variable").reference);
        let mut off = [0.0_f64; 3];
        for parts in PARTS {
            off = case.errors(law, &case.reference(law, parts), value);
            if !is_beyond(&off) {
                break;
            }
        }
        let is_beyond = is_beyond(&off);
        if is_beyond {
            println!("{name} {draw}: {off:?}");
        }
        beyond += u32::from(is_beyond);
        worst = core::array::from_fn(|i| worst[i].max(off[i]));
    }
    println!(
        "{name}: {beyond} of {draws} beyond the tolerance, worst {worst:?} of F_s, v, x; {} \
         inner steps a step",
        inner / draws
    );
    assert!(
        beyond <= 1 && worst[0] < 3.0 * ELEMENT,
        "{name}: {beyond}, {worst:?}"
    );
}

#[test]
fn random_steps_of_systems_on_bristles_are_within_the_tolerance() {
    random_steps("FrDyn2", &FrDyn2, 0.1, 600);
    random_steps("FrDyn2Linear", &Linear, 0.1, 600);
    // Contacts open and close.
    random_steps("FrDyn2", &FrDyn2, 1.5, 600);
    random_steps("FrDyn2Linear", &Linear, 1.5, 600);
    random_steps("LuGre", &Limited, 0.1, 600);
}

#[test]
fn random_steps_of_systems_with_gaps_are_within_the_tolerance() {
    let system = |random: &mut Random| {
        let case = Case::new(random, 0.1);
        case.with_gaps(random)
    };
    random_steps_of("FrDyn2", &FrDyn2, 600, system);
    random_steps_of("LuGre", &Limited, 600, system);
    let law = Static(StaticRegularized::default());
    random_steps_of("StaticRegularized", &law, 600, system);
}

#[test]
fn random_steps_of_systems_on_characteristics_are_within_the_tolerance() {
    random_steps(
        "StaticRegularized",
        &Static(StaticRegularized::default()),
        0.1,
        1500,
    );
    random_steps("BrownMcPhee", &Static(BrownMcPhee::default()), 0.1, 1500);
}
