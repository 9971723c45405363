//! Body of a card, which several contacts act on.

use super::Motion;
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
        let CardBody {
            mass,
            inertia,
            positions,
            directions,
            mass_matrix,
        } = self;
        if motion.is_planar() {
            return self.mobility_in_plane(motion, contacts, points);
        }
        let is_rotational = motion == Motion::Rotational;
        match mass {
            _ if is_rotational
                && (mass.is_some() || !positions.is_empty() || !directions.is_empty()) =>
            {
                Err(InputError::new(
                    "the body of rotational contacts has mass, positions or directions; give \
                     `inertia` in kg m2, or `mass_matrix` in the \
                     contacts' angles, alone"
                        .to_owned(),
                ))
            }
            _ if is_rotational && mass_matrix.is_empty() => match inertia {
                Some(inertia) => Mobility::of_shaft(*inertia, contacts),
                None => Err(InputError::new(
                    "the body of rotational contacts has no inertia; give `inertia` in kg m2, or \
                     `mass_matrix` in the contacts' angles"
                        .to_owned(),
                )),
            },
            _ if !mass_matrix.is_empty() => {
                if mass.is_some()
                    || inertia.is_some()
                    || !positions.is_empty()
                    || !directions.is_empty()
                {
                    return Err(InputError::new(
                        "the body has a mass_matrix beside mass, inertia, positions or \
                         directions; give one of the two"
                            .to_owned(),
                    ));
                }
                Mobility::of_mass_matrix(mass_matrix, contacts)
            }
            None => Err(InputError::new(
                "the body has no inertia; give `mass` in kg, or `mass_matrix` in the contacts' \
                 coordinates"
                    .to_owned(),
            )),
            Some(mass) if inertia.is_none() && positions.is_empty() && directions.is_empty() => {
                Mobility::of_mass(*mass, contacts)
            }
            Some(mass) => Mobility::of_rigid_body(*mass, *inertia, positions, directions, contacts),
        }
    }

    /// Mobility at contacts in a plane. The origin of a patch is its centre of mass.
    fn mobility_in_plane(
        &self,
        motion: Motion,
        contacts: usize,
        points: &[[f64; 2]],
    ) -> Result<Mobility, InputError> {
        let CardBody {
            mass,
            inertia,
            positions,
            directions,
            mass_matrix,
        } = self;
        let refusal = |sentence: &str| Err(InputError::new(sentence.to_owned()));
        if !directions.is_empty() || !mass_matrix.is_empty() {
            return refusal(
                "the body of contacts in a plane has directions or a mass_matrix; give `mass`, \
                 and `inertia` where it turns",
            );
        }
        let Some(mass) = *mass else {
            return refusal("the body of contacts in a plane has no mass; give `mass` in kg");
        };
        if motion != Motion::Patch {
            return Mobility::in_plane(mass, *inertia, positions, contacts);
        }
        if !positions.is_empty() {
            return refusal(
                "the body of a patch has positions; leave them out: its points have theirs, from \
                 the centre of mass on",
            );
        }
        if inertia.is_none() {
            return refusal(
                "the body of a patch has no inertia; give `inertia` in kg m2 about the origin of \
                 its axes",
            );
        }
        Mobility::in_plane(mass, *inertia, points, contacts)
    }
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
            number.is_some().write(writer);
            number.unwrap_or(0.0).write(writer);
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
        let mut number = || {
            let is_some = bool::read(reader)?;
            let number = f64::read(reader)?;
            Some(is_some.then_some(number))
        };
        let [mass, inertia] = [number()?, number()?];
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
