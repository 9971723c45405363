//! Body of a card, which several contacts act on.

use super::Motion;
use super::card::{optional, write_optional};
use crate::coupling::Mobility;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::variable::InputError;

/// Inertia of the body that all contacts of a card act on: its mass matrix in their coordinates, or
/// mass and inertia with their places.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CardBody {
    /// Mass, kg.
    pub mass: Option<f64>,
    /// Moment of inertia, kg·m²: about the centre of mass, or of the shaft that rotational contacts
    /// act on.
    pub inertia: Option<f64>,
    /// Positions of the contacts relative to the centre of mass, m; empty for a body that does not
    /// turn, and for a patch, whose points have theirs.
    pub positions: Vec<[f64; 2]>,
    /// Directions of the contacts' velocities; empty where all have the first axis.
    pub directions: Vec<[f64; 2]>,
    /// Mass matrix in the contacts' coordinates, kg, or kg·m² of rotational ones, row by row; empty
    /// where mass and inertia are given.
    pub mass_matrix: Vec<Vec<f64>>,
}

impl CardBody {
    /// Mobility at this many contacts with this motion, which have these positions in a patch; or a
    /// sentence that says what is impossible.
    pub fn mobility(
        &self,
        motion: Motion,
        contacts: usize,
        points: &[[f64; 2]],
    ) -> Result<Mobility, InputError> {
        if motion.is_planar() {
            self.mobility_in_plane(motion, contacts, points)
        } else if motion == Motion::Rotational {
            self.mobility_about_axis(contacts)
        } else {
            self.mobility_along_lines(contacts)
        }
    }

    /// Mobility at rotational contacts, which act on one shaft or have a mass matrix.
    fn mobility_about_axis(&self, contacts: usize) -> Result<Mobility, InputError> {
        if self.mass.is_some() || self.has_places() {
            return refusal(
                "the body of rotational contacts has mass, positions or directions; give \
                 `inertia` in kg m2, or `mass_matrix` in the contacts' angles, alone",
            );
        }
        if !self.mass_matrix.is_empty() {
            return self.mobility_of_mass_matrix(contacts);
        }
        let Some(inertia) = self.inertia else {
            return refusal(
                "the body of rotational contacts has no inertia; give `inertia` in kg m2, or \
                 `mass_matrix` in the contacts' angles",
            );
        };
        Mobility::of_shaft(inertia, contacts)
    }

    /// Mobility at contacts along lines.
    fn mobility_along_lines(&self, contacts: usize) -> Result<Mobility, InputError> {
        if !self.mass_matrix.is_empty() {
            return self.mobility_of_mass_matrix(contacts);
        }
        let Some(mass) = self.mass else {
            return refusal(
                "the body has no inertia; give `mass` in kg, or `mass_matrix` in the contacts' \
                 coordinates",
            );
        };
        if self.inertia.is_none() && !self.has_places() {
            return Mobility::of_mass(mass, contacts);
        }
        Mobility::of_rigid_body(
            mass,
            self.inertia,
            &self.positions,
            &self.directions,
            contacts,
        )
    }

    /// Mobility by the mass matrix, which stands alone.
    fn mobility_of_mass_matrix(&self, contacts: usize) -> Result<Mobility, InputError> {
        if self.mass.is_some() || self.inertia.is_some() || self.has_places() {
            return refusal(
                "the body has a mass_matrix beside mass, inertia, positions or directions; give \
                 one of the two",
            );
        }
        Mobility::of_mass_matrix(&self.mass_matrix, contacts)
    }

    /// Mobility at contacts in a plane. The origin of a patch is its centre of mass.
    fn mobility_in_plane(
        &self,
        motion: Motion,
        contacts: usize,
        points: &[[f64; 2]],
    ) -> Result<Mobility, InputError> {
        if !self.directions.is_empty() || !self.mass_matrix.is_empty() {
            return refusal(
                "the body of contacts in a plane has directions or a mass_matrix; give `mass`, \
                 and `inertia` where it turns",
            );
        }
        let Some(mass) = self.mass else {
            return refusal("the body of contacts in a plane has no mass; give `mass` in kg");
        };
        if motion != Motion::Patch {
            return Mobility::in_plane(mass, self.inertia, &self.positions, contacts);
        }
        if !self.positions.is_empty() {
            return refusal(
                "the body of a patch has positions; leave them out: its points have theirs, from \
                 the centre of mass on",
            );
        }
        if self.inertia.is_none() {
            return refusal(
                "the body of a patch has no inertia; give `inertia` in kg m2 about the origin of \
                 its axes",
            );
        }
        Mobility::in_plane(mass, self.inertia, points, contacts)
    }

    /// Whether the contacts have positions or directions.
    fn has_places(&self) -> bool {
        !self.positions.is_empty() || !self.directions.is_empty()
    }
}

fn refusal<T>(sentence: &str) -> Result<T, InputError> {
    Err(InputError::new(sentence))
}

impl SavedState for CardBody {
    fn write(&self, writer: &mut Writer) {
        let CardBody {
            mass,
            inertia,
            positions,
            directions,
            mass_matrix,
        } = self;
        for number in [mass, inertia] {
            write_optional(writer, *number);
        }
        let mut count = |length: usize| writer.bytes(&(length as u32).to_le_bytes());
        [positions.len(), directions.len(), mass_matrix.len()]
            .into_iter()
            .for_each(&mut count);
        mass_matrix.iter().for_each(|row| count(row.len()));
        positions
            .iter()
            .chain(directions)
            .for_each(|place| place.write(writer));
        mass_matrix
            .iter()
            .flatten()
            .for_each(|number| number.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [mass, inertia] = [optional(reader)?, optional(reader)?];
        let mut count = || reader.bytes().map(u32::from_le_bytes);
        let [positions, directions, rows] = [count()?, count()?, count()?];
        let lengths: Vec<u32> = (0..rows).map(|_| count()).collect::<Option<_>>()?;
        let mut places = |count: u32| -> Option<Vec<[f64; 2]>> {
            (0..count).map(|_| <[f64; 2]>::read(reader)).collect()
        };
        let [positions, directions] = [places(positions)?, places(directions)?];
        let mass_matrix = lengths
            .into_iter()
            .map(|length| {
                (0..length)
                    .map(|_| f64::read(reader))
                    .collect::<Option<Vec<_>>>()
            })
            .collect::<Option<_>>()?;
        Some(CardBody {
            mass,
            inertia,
            positions,
            directions,
            mass_matrix,
        })
    }
}
