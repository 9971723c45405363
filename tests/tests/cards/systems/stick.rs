//! Random systems with static laws, whose stick is exact, against a solution from event to event:
//! at each, of all modes that hold, those with the most contacts at rest.

use super::{Case, ELEMENT, MOST, STATES};
use crate::cards::block::{BlockLaw, LawState};
use crate::cards::block_steps::{COULOMB, Dry, POPP_STELTER, STRIBECK, at};
use bristle::catalogue::{Card, Setting, Variant, find};
use bristle_random::Random;
use bristle_reference_laws::Contact;
use bristle_reference_laws::dop853::{TOLERANCE, solve_of_system};

/// Velocity up to which a contact is at rest, m/s.
const AT_REST: f64 = 1e-10;
/// Parts of a step in which the modes are looked at.
const PARTS: u32 = 128;

/// Friction that is given for each contact, whose number stands in the place of a state.
struct Given<'a>(&'a [f64]);

impl BlockLaw for Given<'_> {
    fn rates(&self, _: Contact, ([number, _], _): &LawState) -> (f64, [f64; 2]) {
        (self.0[*number as usize], [0.0; 2])
    }
}

/// Dry friction on a system: the mode of each contact is the direction of sliding, or 0.
struct Sticking<'a>(&'a Case, Dry);

impl Sticking<'_> {
    /// Accelerations of the free coordinates, and the forces of all contacts.
    fn forces(&self, t: f64, state: &[f64; STATES], modes: &[f64]) -> [Vec<f64>; 2] {
        let case = self.0;
        let numbered = |forces: &[f64]| {
            let mut numbered = *state;
            (0..forces.len()).for_each(|i| numbered[2 * MOST + 2 * i] = i as f64);
            case.rates(&Given(forces), t, &numbered)[MOST..2 * MOST].to_vec()
        };
        let mut forces: Vec<f64> = modes
            .iter()
            .enumerate()
            .map(|(i, mode)| {
                let contact = case.contact(i, t, &state[MOST..2 * MOST]);
                mode * self.1.sliding(mode * contact.v) * contact.F_N
            })
            .collect();
        let slip_rate = |i: usize, accelerations: &[f64]| self.slip_rate(i, t, accelerations);
        let stuck: Vec<usize> = (0..modes.len()).filter(|i| modes[*i] == 0.0).collect();
        let free = numbered(&forces);
        let start: Vec<f64> = stuck.iter().map(|i| slip_rate(*i, &free)).collect();
        // Columns of the response of the slips to a force of 1 N.
        let columns: Vec<Vec<f64>> = stuck
            .iter()
            .map(|j| {
                let mut with = forces.clone();
                with[*j] += 1.0;
                let moved = numbered(&with);
                let response = stuck.iter().zip(&start);
                response
                    .map(|(i, start)| slip_rate(*i, &moved) - start)
                    .collect()
            })
            .collect();
        match &stuck[..] {
            [] => {}
            [i] => forces[*i] = -start[0] / columns[0][0],
            [i, j] => {
                let [[a, c], [b, d]] = [0, 1].map(|k| [columns[k][0], columns[k][1]]);
                let determinant = a * d - b * c;
                forces[*i] = -(d * start[0] - b * start[1]) / determinant;
                forces[*j] = -(a * start[1] - c * start[0]) / determinant;
            }
            _ => panic!("two contacts at most"),
        }
        [numbered(&forces), forces]
    }

    /// Acceleration of the slip of a contact.
    fn slip_rate(&self, i: usize, t: f64, accelerations: &[f64]) -> f64 {
        let case = self.0;
        let later = |[_, first, second, third]: [f64; 4]| [first, second, third, 0.0];
        let bases: Vec<_> = case.v_base.iter().map(|base| later(*base)).collect();
        case.along(&case.contacts[i], accelerations, &bases, t) - at(later(case.surface[i]), t)
    }

    /// Margin of the modes: below 0 where one does not hold.
    fn margin(&self, t: f64, state: &[f64; STATES], modes: &[f64]) -> f64 {
        let [accelerations, forces] = self.forces(t, state, modes);
        let margins = modes.iter().enumerate().map(|(i, mode)| {
            let contact = self.0.contact(i, t, &state[MOST..2 * MOST]);
            let begins = mode * self.slip_rate(i, t, &accelerations) > 0.0;
            match *mode {
                0.0 => 1.0 + 1e-12 - forces[i].abs() / (self.1.break_away * contact.F_N),
                side if side * contact.v > 0.0 => side * contact.v / AT_REST,
                _ if begins && contact.v.abs() <= 10.0 * AT_REST => 1.0,
                side => side * contact.v / AT_REST + 1.0,
            }
        });
        margins.fold(f64::INFINITY, f64::min)
    }

    /// Modes that hold from now on: of all that do, those with the most contacts at rest.
    fn modes(&self, t: f64, state: &[f64; STATES]) -> Vec<f64> {
        let count = self.0.contacts.len();
        let velocities = &state[MOST..2 * MOST];
        let slips: Vec<f64> = (0..count)
            .map(|i| self.0.contact(i, t, velocities).v)
            .collect();
        let sides = [0.0, 1.0, -1.0];
        let all = (0..3_usize.pow(count as u32)).map(|number| -> Vec<f64> {
            (0..count)
                .map(|i| sides[number / 3_usize.pow(i as u32) % 3])
                .collect()
        });
        let holds = |modes: &Vec<f64>| {
            let [accelerations, _] = self.forces(t, state, modes);
            let fits = modes.iter().zip(&slips).all(|(mode, slip)| {
                if slip.abs() > 10.0 * AT_REST {
                    *mode == slip.signum()
                } else {
                    true
                }
            });
            // At a start the slip may accelerate by rounding alone.
            let moves_on = (0..count).all(|i| {
                let rate = modes[i] * self.slip_rate(i, t, &accelerations);
                slips[i].abs() > 10.0 * AT_REST || rate > -1e-9
            });
            fits && moves_on && self.margin(t, state, modes) > 0.0
        };
        let at_rest = |modes: &Vec<f64>| modes.iter().filter(|mode| **mode == 0.0).count();
        all.filter(holds)
            .max_by_key(at_rest)
            .expect("modes that hold")
    }

    fn solve(&self, from: f64, h: f64, state: &[f64; STATES], modes: &[f64]) -> [f64; STATES] {
        let rate = |t: f64, x: [f64; STATES]| {
            let [accelerations, _] = self.forces(from + t, &x, modes);
            let mut rates = [0.0; STATES];
            rates[..MOST].copy_from_slice(&x[MOST..2 * MOST]);
            rates[MOST..2 * MOST].copy_from_slice(&accelerations);
            rates
        };
        let mut scale = [1e-4; STATES];
        scale[MOST..2 * MOST].fill(1e-2);
        solve_of_system(rate, *state, scale, h, TOLERANCE)
    }

    /// States at the end of the step, and the forces of all contacts there.
    fn reference(&self) -> ([f64; STATES], Vec<f64>) {
        let (h, mut t, mut state) = (self.0.h, 0.0, self.0.start);
        let mut modes = self.modes(t, &state);
        while t < h {
            let mut high = (h / f64::from(PARTS)).min(h - t);
            let is_over = |part: f64, modes: &[f64], state: &[f64; STATES]| {
                let end = self.solve(t, part, state, modes);
                self.margin(t + part, &end, modes) < 0.0
            };
            if is_over(high, &modes, &state) {
                let mut low = 0.0;
                while high - low > 1e-13 * h {
                    let middle = 0.5 * (low + high);
                    if is_over(middle, &modes, &state) {
                        high = middle;
                    } else {
                        low = middle;
                    }
                }
                high = high.max(1e-13 * h);
            }
            state = self.solve(t, high, &state, &modes);
            t = if t + high > h * (1.0 - 1e-12) {
                h
            } else {
                t + high
            };
            if self.margin(t, &state, &modes) < 0.0 {
                modes = self.modes(t, &state);
            }
        }
        let [_, forces] = self.forces(h, &state, &modes);
        (state, forces)
    }
}

/// Compares random steps of a law with this coefficient of friction.
fn random_steps(name: &str, dry: Dry) {
    const DRAWS: usize = 150;
    let mu = dry.break_away;
    let mut random = Random::new(11);
    let (mut beyond, mut drawn, mut stuck) = (0, 0, 0);
    while drawn < DRAWS {
        let mut case = Case::new(&mut random, 0.1);
        if case.masses.len() < case.contacts.len() || case.contacts.len() > 2 {
            continue;
        }
        // Slips that depend on each other share their force in a way of their own.
        if case.contacts.len() == 2 {
            case.contacts[0][0] += 3.0;
            case.contacts[1][1] += 3.0;
        }
        if random.once_in(2) {
            case.start[MOST..2 * MOST].fill(0.0);
            case.surface
                .iter_mut()
                .for_each(|surface| *surface = [0.0; 4]);
            case.v_base.iter_mut().for_each(|base| *base = [0.0; 4]);
        }
        drawn += 1;
        let variant = with_coefficient(case.variant(name).card().clone(), mu);
        let (expected, forces) = Sticking(&case, dry).reference();
        let mut element = case.element(&variant);
        element.advance(case.h).expect("a step");
        let value = |name: &str| element.value(variant.find(name).expect("a variable").reference);
        let (x, v) = (case.all(&expected), case.all(&expected[MOST..]));
        let largest = case.normal.iter().map(|normal| mu * at(*normal, case.h));
        let largest = largest.fold(0.0, f64::max);
        let mut off = [0.0_f64; 3];
        for (i, force) in forces.iter().enumerate() {
            let found = value(&format!("c{i}.F_R"));
            off[0] = off[0].max((found - force).abs() / largest);
            stuck += u32::from(force.abs() < 0.999 * mu * at(case.normal[i], case.h));
        }
        for i in 0..case.masses.len() {
            let pushed = largest * case.h.min(1e-3) / case.masses[i];
            let of_v = (value(&format!("q{i}.v")) - v[i]).abs();
            off[1] = off[1].max(of_v / pushed.max(1e-3 * v[i].abs()));
            let of_x = (value(&format!("q{i}.x")) - x[i]).abs();
            off[2] = off[2].max(of_x / (pushed * case.h).max(1e-3 * x[i].abs()));
        }
        let is_beyond = off.iter().any(|off| *off > 3.0 * ELEMENT);
        if is_beyond {
            println!("{name} {drawn}: {off:?}");
        }
        beyond += u32::from(is_beyond);
    }
    println!("{name}: {beyond} of {DRAWS} beyond the tolerance, {stuck} contacts at rest");
    assert!(beyond == 0 && stuck > 50, "{name}: {beyond}, {stuck}");
}

/// Element of a card whose law has this coefficient of friction at rest.
fn with_coefficient(mut card: Card, mu: f64) -> Variant {
    let law = find(&card.law).expect("a law");
    let parameter = ["mu_s", "mu_d"]
        .into_iter()
        .find_map(|name| law.variables().find(|variable| variable.name == name));
    let setting = Setting {
        start: Some(mu),
        ..Setting::default()
    };
    let parameter = parameter.expect("a parameter").reference;
    card.parameters.insert(parameter, setting);
    Variant::new(law, card).expect("a card")
}

#[test]
fn random_steps_of_systems_with_stick_are_within_the_tolerance() {
    random_steps("Coulomb", COULOMB);
    random_steps("Stribeck", STRIBECK);
    random_steps("PoppStelter", POPP_STELTER);
}
