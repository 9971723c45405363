//! System of a card: bodies inside the element, with springs and gears.

mod check;
mod saved;

pub(super) use self::check::check_system;
use super::scope::{of_contact, renamed};
use super::{Card, Motion};
use crate::assembly::System;
use crate::assembly::system_variables::reference::{
    DAMPING, F, F_BASE, GAP, MASS, STIFFNESS, SURFACE, V, V_BASE, V_SURFACE, X, X_BASE,
};
use crate::assembly::system_variables::{SURFACE_IN_PLANE, in_system};
use crate::coupling::{Play, Row, Structure};
use crate::law::{F_N, Spring};
use crate::variable::{RANGE, Role, Variable, intern};

/// Most free coordinates: Newton's matrix is dense in their positions and velocities.
pub const MAX_COORDINATES: usize = 16;

/// Factor of a coordinate or a base in a row of a spring, a contact or a gear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// Number of the coordinate, or of the base counted on from the coordinates.
    pub of: u32,
    /// Factor: 1 for its own, a lever arm or a radius (m) for an angle along a line.
    pub factor: f64,
}

/// Coordinate of a body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardCoordinate {
    /// Name.
    pub name: String,
    /// Whether it is an angle.
    pub is_angle: bool,
    /// Mass, kg, or moment of inertia, kg·m².
    pub mass: f64,
    /// Whether its inertia is an input, for one that changes with the motion of other bodies.
    pub is_input: bool,
    /// Start value of the applied force, N, or torque, N·m.
    pub load: f64,
    /// Free coordinates that it is geared to; empty for a free one.
    pub gear: Vec<Term>,
}

impl CardCoordinate {
    /// Its inertia as it is declared: one that is geared may have none.
    pub fn inertia(&self) -> Variable {
        let declared = in_system(MASS, self.is_angle);
        if self.gear.is_empty() {
            declared
        } else {
            declared.at_least(0.0)
        }
    }
}

/// Base, whose motion is an input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardBase {
    /// Name.
    pub name: String,
    /// Whether it turns.
    pub is_angle: bool,
}

/// Spring with a damper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardSpring {
    /// Name.
    pub name: String,
    /// Row of its length.
    pub along: Vec<Term>,
    /// Stiffness, N/m; N·m/rad where all terms are angles.
    pub stiffness: f64,
    /// Damping, N·s/m, or N·m·s/rad.
    pub damping: f64,
    /// Gap between the sides on which it presses, m, or rad.
    pub gap: Option<f64>,
}

/// Slip of a contact.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardSlip {
    /// Its row along each axis: one along a line, two in a plane.
    pub along: Vec<Vec<Term>>,
}

/// Bodies inside the element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardSystem {
    /// Coordinates, free and geared ones.
    pub coordinates: Vec<CardCoordinate>,
    /// Bases.
    pub bases: Vec<CardBase>,
    /// Springs.
    pub springs: Vec<CardSpring>,
    /// Slip of each contact of the card.
    pub contacts: Vec<CardSlip>,
}

impl CardSystem {
    /// Sets the value of one of its parameters.
    pub fn set(&mut self, parameter: &Variable, value: f64) {
        let place = (parameter.reference / RANGE).saturating_sub(1) as usize;
        let (coordinate, spring) = (self.coordinates.get_mut(place), self.springs.get_mut(place));
        match (parameter.reference % RANGE, coordinate, spring) {
            (MASS, Some(coordinate), _) => coordinate.mass = value,
            (STIFFNESS, _, Some(spring)) => spring.stiffness = value,
            (DAMPING, _, Some(spring)) => spring.damping = value,
            (GAP, _, Some(spring)) => spring.gap = Some(value),
            _ => {}
        }
    }

    /// Name of a coordinate or a base, counted on from the coordinates.
    pub fn name_of(&self, term: Term) -> &str {
        let of = term.of as usize;
        match self.coordinates.get(of) {
            Some(coordinate) => &coordinate.name,
            None => self
                .bases
                .get(of - self.coordinates.len())
                .map_or("", |base| &base.name),
        }
    }

    /// Whether a term is an angle.
    fn is_angle(&self, term: &Term) -> bool {
        let of = term.of as usize;
        match self.coordinates.get(of) {
            Some(coordinate) => coordinate.is_angle,
            None => self
                .bases
                .get(of - self.coordinates.len())
                .is_some_and(|base| base.is_angle),
        }
    }

    /// Whether a spring is torsional: it acts between angles alone.
    pub fn is_torsional(&self, spring: &CardSpring) -> bool {
        spring.along.iter().all(|term| self.is_angle(term))
    }

    /// Numbers of the coordinates that are free.
    pub fn free(&self) -> Vec<usize> {
        (0..self.coordinates.len())
            .filter(|i| self.coordinates[*i].gear.is_empty())
            .collect()
    }

    /// Numbers of the springs with a gap.
    fn gaps(&self) -> Vec<usize> {
        (0..self.springs.len())
            .filter(|s| self.springs[*s].gap.is_some())
            .collect()
    }

    /// Numbers of places and of bases of the system of an instance.
    pub(super) fn sizes(&self) -> [usize; 2] {
        let counts = [
            self.coordinates.len(),
            self.bases.len(),
            self.springs.len(),
            self.contacts.len(),
        ];
        [counts.into_iter().max().unwrap_or(0), self.bases.len()]
    }

    /// Row of a coordinate over the free ones.
    fn over_free(&self, coordinate: usize) -> Vec<f64> {
        let free = self.free();
        let mut row = vec![0.0; free.len()];
        let place = |of: usize| free.iter().position(|j| *j == of);
        if let Some(own) = place(coordinate) {
            row[own] = 1.0;
        }
        for term in &self.coordinates[coordinate].gear {
            if let Some(place) = place(term.of as usize) {
                row[place] += term.factor;
            }
        }
        row
    }

    /// Row of a spring or a contact over free coordinates and bases.
    fn row(&self, terms: &[Term]) -> Row {
        let mut row = Row {
            coordinates: vec![0.0; self.free().len()],
            bases: vec![0.0; self.bases.len()],
        };
        for Term { of, factor } in terms {
            let of = *of as usize;
            if of < self.coordinates.len() {
                let own = self.over_free(of);
                row.coordinates
                    .iter_mut()
                    .zip(own)
                    .for_each(|(sum, own)| *sum += factor * own);
            } else if let Some(base) = row.bases.get_mut(of - self.coordinates.len()) {
                *base += factor;
            }
        }
        row
    }

    /// System of an instance.
    pub(super) fn system(&self) -> System {
        let structure = Structure {
            free: self.free(),
            coordinates: (0..self.coordinates.len())
                .map(|i| self.over_free(i))
                .collect(),
            springs: self
                .springs
                .iter()
                .map(|spring| self.row(&spring.along))
                .collect(),
            gaps: self.gaps(),
            contacts: self
                .contacts
                .iter()
                .flat_map(|slip| &slip.along)
                .map(|row| self.row(row))
                .collect(),
            axes: self.contacts.first().map_or(1, |slip| slip.along.len()),
        };
        let of_coordinates = |of: fn(&CardCoordinate) -> f64| -> Vec<f64> {
            self.coordinates.iter().map(of).collect()
        };
        let springs: Vec<_> = self
            .springs
            .iter()
            .map(|spring| Play {
                spring: Spring {
                    stiffness: spring.stiffness,
                    damping: spring.damping,
                },
                gap: spring.gap.unwrap_or(0.0),
            })
            .collect();
        let (masses, loads) = (
            of_coordinates(|coordinate| coordinate.mass),
            of_coordinates(|coordinate| coordinate.load),
        );
        System::new(structure, self.bases.len(), &masses, &springs, &loads)
    }

    /// Variables of coordinates, bases, springs and contacts, with the values of the card.
    pub(super) fn variables(&self, card: &Card) -> Vec<Variable> {
        let mut all: Vec<(Variable, String)> = Vec::new();
        let mut add = |place: usize, name: &str, of: Variable, start: Option<f64>| {
            let full = renamed(of.name, |of| format!("{name}.{of}"));
            let variable = Variable {
                start: start.or(of.start),
                ..of
            };
            all.push((of_contact(&variable, place as u32 + 1, ""), full));
        };
        for (i, coordinate) in self.coordinates.iter().enumerate() {
            let CardCoordinate {
                name,
                is_angle,
                mass,
                is_input,
                load,
                gear,
            } = coordinate;
            let declared = |reference| in_system(reference, *is_angle);
            let inertia = coordinate.inertia();
            let role = if *is_input { Role::Input } else { inertia.role };
            add(i, name, declared(F), Some(*load));
            add(i, name, Variable { role, ..inertia }, Some(*mass));
            if gear.is_empty() {
                for reference in [X, X + 1, V, V + 1] {
                    add(i, name, declared(reference), None);
                }
            } else {
                for reference in [X, V] {
                    let follows = Variable {
                        role: Role::Output,
                        start: None,
                        ..declared(reference)
                    };
                    add(i, name, follows, None);
                }
            }
        }
        for (i, CardBase { name, is_angle }) in self.bases.iter().enumerate() {
            for reference in [X_BASE, V_BASE, F_BASE] {
                add(i, name, in_system(reference, *is_angle), None);
            }
        }
        for (i, spring) in self.springs.iter().enumerate() {
            let declared = |reference| in_system(reference, self.is_torsional(spring));
            add(i, &spring.name, declared(STIFFNESS), Some(spring.stiffness));
            add(i, &spring.name, declared(DAMPING), Some(spring.damping));
            if spring.gap.is_some() {
                add(i, &spring.name, declared(GAP), spring.gap);
            }
        }
        let names = card.contacts.iter().flat_map(|contacts| &contacts.names);
        for (i, name) in names.enumerate() {
            let surfaces = match card.motion {
                Motion::Planar => &SURFACE_IN_PLANE[..],
                motion => &[in_system(V_SURFACE, motion == Motion::Rotational)],
            };
            surfaces
                .iter()
                .for_each(|surface| add(i, name, *surface, None));
        }
        let names: Vec<_> = all.iter().map(|(_, name)| name.clone()).collect();
        all.into_iter()
            .zip(intern(&names))
            .map(|((variable, _), name)| Variable { name, ..variable })
            .collect()
    }

    /// References of the velocities that the slip of a contact (counted from 1) depends on.
    pub(super) fn slip_of(&self, contact: u32) -> Vec<u32> {
        let place = contact as usize - 1;
        let along = self.contacts.get(place).map_or(&[][..], |slip| &slip.along);
        let of_axis = |(terms, surface): (&Vec<Term>, u32)| {
            let velocities = self.velocities(terms).into_iter();
            velocities.chain([at(surface, place)])
        };
        along.iter().zip(SURFACE).flat_map(of_axis).collect()
    }

    /// References of the velocities of a row.
    fn velocities(&self, terms: &[Term]) -> Vec<u32> {
        let row = self.row(terms);
        let (free, is_there) = (self.free(), |factor: &&f64| **factor != 0.0);
        let coordinates = row.coordinates.iter().zip(&free);
        let coordinates = coordinates
            .filter(|(factor, _)| is_there(factor))
            .map(|(_, coordinate)| at(V, *coordinate));
        let bases = row.bases.iter().enumerate();
        let bases = bases
            .filter(|(_, factor)| is_there(factor))
            .map(|(base, _)| at(V_BASE, base));
        coordinates.chain(bases).collect()
    }

    /// References of the positions and velocities of free coordinates and bases.
    pub(super) fn motions(&self) -> Vec<u32> {
        let of_coordinates = self.free().into_iter().flat_map(|i| [at(X, i), at(V, i)]);
        let of_bases = (0..self.bases.len()).flat_map(|b| [at(X_BASE, b), at(V_BASE, b)]);
        of_coordinates.chain(of_bases).collect()
    }

    /// References of the applied forces.
    pub(super) fn loads(&self) -> Vec<u32> {
        (0..self.coordinates.len()).map(|i| at(F, i)).collect()
    }

    /// References of what the force depends on that a contact of a static law takes to stick: the
    /// friction of the others as well.
    pub(super) fn applied(&self) -> Vec<u32> {
        let contacts = 1..=self.contacts.len() as u32;
        let of_contact = |contact: u32| {
            let normal = F_N.reference + RANGE * contact;
            self.slip_of(contact).into_iter().chain([normal])
        };
        [self.motions(), self.loads()]
            .into_iter()
            .flatten()
            .chain(contacts.flat_map(of_contact))
            .collect()
    }

    /// References of the parameters of springs, and of inertias.
    pub(super) fn parameters(&self) -> [Vec<u32>; 2] {
        let springs = (0..self.springs.len()).flat_map(|s| [at(STIFFNESS, s), at(DAMPING, s)]);
        let gaps = self.gaps().into_iter().map(|s| at(GAP, s));
        let masses = (0..self.coordinates.len()).map(|i| at(MASS, i));
        [springs.chain(gaps).collect(), masses.collect()]
    }

    /// Whether the variable with this reference is an inertia that is an input.
    pub(super) fn is_input(&self, reference: u32) -> bool {
        let mut coordinates = self.coordinates.iter().enumerate();
        coordinates.any(|(i, coordinate)| coordinate.is_input && reference == at(MASS, i))
    }

    /// References of positions (X) or velocities (V) of the free coordinates that a coordinate
    /// follows.
    pub(super) fn followed(&self, coordinate: usize, reference: u32) -> Vec<u32> {
        let row = self.over_free(coordinate);
        let free = self.free();
        row.iter()
            .zip(free)
            .filter(|(factor, _)| **factor != 0.0)
            .map(|(_, i)| at(reference, i))
            .collect()
    }

    /// Whether a contact acts on a base.
    pub(super) fn acts_on(&self, contact: usize, base: usize) -> bool {
        self.contacts[contact].along.iter().any(|terms| {
            let row = self.row(terms);
            row.bases.get(base).is_some_and(|factor| *factor != 0.0)
        })
    }
}

/// Reference of a variable at a place, counted from 0.
fn at(reference: u32, place: usize) -> u32 {
    reference + RANGE * (place as u32 + 1)
}
