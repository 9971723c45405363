//! Numbers of a system, and its saved state.

use super::variables::reference::{F, V_BASE, V_SURFACE, V_SURFACE_Y, X_BASE};
use crate::assembly::{MAX_CONTACTS, place};
use crate::coupling::Base;
use crate::law::{Input, MAX_INPUT_DERIVATIVE_ORDER};
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::{BLOCK, BLOCK_SLOTS, slot};

/// Number for each variable of a coordinate, a contact, a base and a spring of one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlaceValues(pub [f64; BLOCK_SLOTS]);

impl core::ops::Index<u32> for PlaceValues {
    type Output = f64;
    fn index(&self, reference: u32) -> &f64 {
        &self.0[slot(reference) - BLOCK as usize]
    }
}

impl core::ops::IndexMut<u32> for PlaceValues {
    fn index_mut(&mut self, reference: u32) -> &mut f64 {
        &mut self.0[slot(reference) - BLOCK as usize]
    }
}

/// Numbers of all variables of a system, by place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemValues(pub Vec<PlaceValues>);

impl SystemValues {
    /// Zeros for this many places.
    pub fn of(places: usize) -> Self {
        SystemValues(vec![PlaceValues::default(); places])
    }

    /// Number of the variable with this reference.
    pub fn get(&self, reference: u32) -> f64 {
        self.0
            .get(place(reference))
            .map_or(0.0, |values| values[reference])
    }

    /// Place of the number of a variable.
    pub fn entry(&mut self, reference: u32) -> &mut f64 {
        let place = place(reference);
        if self.0.len() <= place {
            self.0.resize(place + 1, PlaceValues::default());
        }
        &mut self.0[place][reference]
    }

    /// Number of a variable of a place, by its reference in a block.
    pub fn at(&self, place: usize, reference: u32) -> f64 {
        self.0.get(place).map_or(0.0, |values| values[reference])
    }
}

/// References of the inputs, in the order of their derivatives.
pub const INPUTS: [u32; 5] = [F, X_BASE, V_BASE, V_SURFACE, V_SURFACE_Y];

/// Time derivatives of the inputs of one place for the coming step, from order 1 on.
pub type Derivatives = [[f64; INPUTS.len()]; MAX_INPUT_DERIVATIVE_ORDER];

/// Everything of a system that changes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SystemState {
    /// Values of all variables.
    pub values: SystemValues,
    /// Time derivatives of the inputs of each place for the coming step.
    pub derivatives: Vec<Derivatives>,
    /// Length of the first inner step of the coming step, s; 0: not known.
    pub first_step: f64,
    /// Length of the last step, s; 0: none.
    pub last: f64,
    /// Mean force on each base over the last step, N or N·m.
    pub on_base: Vec<f64>,
}

impl SystemState {
    /// Numbers of places and of bases.
    pub fn sizes(&self) -> [usize; 2] {
        [self.values.0.len(), self.on_base.len()]
    }

    /// Copies a state into the memory of this one.
    pub fn copy_from(&mut self, state: &SystemState) {
        let SystemState {
            values,
            derivatives,
            first_step,
            last,
            on_base,
        } = state;
        self.values.0.clone_from(&values.0);
        self.derivatives.clone_from(derivatives);
        self.on_base.clone_from(on_base);
        (self.first_step, self.last) = (*first_step, *last);
    }

    /// Input of a place with its time derivatives over the coming step.
    pub fn input(&self, place: usize, reference: u32) -> Input {
        let number = INPUTS
            .iter()
            .position(|known| *known == reference)
            .unwrap_or_default();
        let [first, second, third] = self
            .derivatives
            .get(place)
            .map_or([0.0; 3], |orders| orders.map(|order| order[number]));
        [self.values.at(place, reference), first, second, third]
    }

    /// Motion of a base over the coming step. Without derivatives of its own its position follows
    /// from its velocity.
    pub fn base(&self, base: usize) -> Base {
        let v = self.input(base, V_BASE);
        let [x, rates @ ..] = self.input(base, X_BASE);
        let x = if rates == [0.0; 3] {
            [x, v[0], v[1], v[2], v[3]]
        } else {
            [x, rates[0], rates[1], rates[2], 0.0]
        };
        Base { x, v }
    }
}

impl SavedState for SystemState {
    fn write(&self, writer: &mut Writer) {
        let SystemState {
            values,
            derivatives,
            first_step,
            last,
            on_base,
        } = self;
        for count in [values.0.len(), on_base.len()] {
            writer.bytes(&(count as u32).to_le_bytes());
        }
        values.0.iter().for_each(|place| place.0.write(writer));
        derivatives
            .iter()
            .flatten()
            .for_each(|order| order.write(writer));
        [*first_step, *last].write(writer);
        on_base.iter().for_each(|force| force.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let mut count = || {
            let count = reader.bytes().map(u32::from_le_bytes)? as usize;
            Some(count.min(MAX_CONTACTS + 1))
        };
        let [places, bases] = [count()?, count()?];
        let values = (0..places)
            .map(|_| SavedState::read(reader).map(PlaceValues))
            .collect::<Option<_>>()?;
        let derivatives = (0..places)
            .map(|_| {
                let mut derivatives = Derivatives::default();
                for order in &mut derivatives {
                    *order = SavedState::read(reader)?;
                }
                Some(derivatives)
            })
            .collect::<Option<_>>()?;
        let [first_step, last] = SavedState::read(reader)?;
        let on_base = (0..bases)
            .map(|_| f64::read(reader))
            .collect::<Option<_>>()?;
        Some(SystemState {
            values: SystemValues(values),
            derivatives,
            first_step,
            last,
            on_base,
        })
    }
}
