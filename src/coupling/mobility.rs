//! Inertia of a rigid body in the coordinates of its contacts.
//!
//! A force F_i at contact i accelerates contact j by −W_ji F_i with the mobility W = J M⁻¹ Jᵀ,
//! where M is the body's inertia and J maps its velocities to those of the contacts. W may be
//! singular: several contacts on a body that can only slide all have one velocity. With W = B Bᵀ
//! and as many columns of B as W has independent ones, v = B η and η′ = a − Bᵀ F: coordinates of
//! unit mass.

use super::linear_body::{LinearBody, dot};
use crate::integrate::linear::solve_dense;
use crate::variable::InputError;

/// Pivot of the factorisation of W over its largest diagonal element from which a direction counts
/// as independent.
const INDEPENDENT: f64 = 1e-10;
/// Difference of two elements of a mass matrix over the larger one up to which it counts as
/// symmetric. Convention: decimal fractions with nine digits pass.
const SYMMETRIC: f64 = 1e-9;
/// Pivot of a mass matrix over its diagonal element from which it counts as positive definite.
const DEFINITE: f64 = 1e-12;

/// Mobility of a rigid body at its contacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Mobility {
    /// The body in coordinates of unit mass.
    pub body: LinearBody,
    /// (Bᵀ B)⁻¹ Bᵀ, one row for each coordinate: contact velocities to coordinates.
    projection: Vec<f64>,
    /// Mass at each axis of each contact when all contacts move at once, kg.
    masses: Vec<f64>,
}

impl Mobility {
    /// Body of `mass` (kg) that slides, with all its contacts in one direction.
    pub fn of_mass(mass: f64, contacts: usize) -> Result<Self, InputError> {
        positive("mass", mass, "kg")?;
        Self::of_columns((1.0 / mass).sqrt(), vec![1.0; contacts], 1)
    }

    /// Shaft of `inertia` (kg·m²), on which all contacts act with their torques.
    pub fn of_shaft(inertia: f64, contacts: usize) -> Result<Self, InputError> {
        positive("inertia", inertia, "kg m2")?;
        Self::of_columns((1.0 / inertia).sqrt(), vec![1.0; contacts], 1)
    }

    /// Body of `mass` (kg) and `inertia` (kg·m²) about its centre of mass, which moves in a plane.
    /// Each contact has a position relative to the centre of mass (m) and a direction; without
    /// positions the body does not turn. An empty list of directions stands for the first axis.
    pub fn of_rigid_body(
        mass: f64,
        inertia: Option<f64>,
        positions: &[[f64; 2]],
        directions: &[[f64; 2]],
        contacts: usize,
    ) -> Result<Self, InputError> {
        positive("mass", mass, "kg")?;
        let counts = [
            ("positions", positions.len()),
            ("directions", directions.len()),
        ];
        for (name, count) in counts {
            if count != 0 && count != contacts {
                return Err(InputError::new(format!(
                    "{count} {name} were given for {contacts} contacts; give one for each"
                )));
            }
        }
        let inertia = match (inertia, positions.is_empty()) {
            (Some(inertia), false) => Some(positive("inertia", inertia, "kg m\u{b2}")?),
            (None, true) => None,
            (Some(_), true) => {
                return Err(InputError::new(
                    "inertia was given without positions; give `positions` of the contacts in m, \
                     or leave it out",
                ));
            }
            (None, false) => {
                return Err(InputError::new(
                    "positions were given without inertia; give `inertia` in kg m\u{b2}, or leave \
                     them out",
                ));
            }
        };
        let columns = 2 + usize::from(inertia.is_some());
        let mut rows = Vec::with_capacity(columns * contacts);
        for contact in 0..contacts {
            let [x, y] = directions.get(contact).copied().unwrap_or([1.0, 0.0]);
            let length = libm::hypot(x, y);
            if !(length > 0.0 && length.is_finite()) {
                return Err(InputError::new(format!(
                    "row {} of directions is [{x:?}, {y:?}], which has no direction; give [x, y] \
                     with a length above 0",
                    contact + 1
                )));
            }
            let [x, y] = [x / length, y / length];
            rows.extend([x, y]);
            if let Some(inertia) = inertia {
                let [at_x, at_y] = positions.get(contact).copied().unwrap_or_default();
                if !(at_x.is_finite() && at_y.is_finite()) {
                    return Err(InputError::new(format!(
                        "row {} of positions is not finite; give [x, y] in m",
                        contact + 1
                    )));
                }
                rows.push((at_x * y - at_y * x) * (mass / inertia).sqrt());
            }
        }
        Self::of_columns((1.0 / mass).sqrt(), rows, columns)
    }

    /// Body of `mass` (kg) and `inertia` (kg·m²) about its centre of mass, which moves in a plane
    /// on contacts in that plane. Without positions relative to the centre of mass (m) the body
    /// does not turn.
    pub fn in_plane(
        mass: f64,
        inertia: Option<f64>,
        positions: &[[f64; 2]],
        contacts: usize,
    ) -> Result<Self, InputError> {
        // Two contacts along the axes at each place.
        let places: Vec<_> = positions.iter().flat_map(|place| [*place; 2]).collect();
        if !positions.is_empty() && positions.len() != contacts {
            let count = positions.len();
            return Err(InputError::new(format!(
                "{count} positions were given for {contacts} contacts; give one for each"
            )));
        }
        let directions = [[1.0, 0.0], [0.0, 1.0]].repeat(contacts);
        let mut along_axes =
            Self::of_rigid_body(mass, inertia, &places, &directions, 2 * contacts)?;
        along_axes.body.axes = 2;
        Ok(along_axes)
    }

    /// Body, or several, with this mass matrix (kg) in the contacts' own coordinates: symmetric and
    /// positive definite.
    pub fn of_mass_matrix(rows: &[Vec<f64>], contacts: usize) -> Result<Self, InputError> {
        let n = contacts;
        if rows.len() != n {
            let given = rows.len();
            return Err(InputError::new(format!(
                "mass_matrix has {given} rows where {n} are needed, one for each contact"
            )));
        }
        for (i, row) in rows.iter().enumerate() {
            let fault = |why: String| {
                Err(InputError::new(format!(
                    "row {} of mass_matrix {why}",
                    i + 1
                )))
            };
            if row.len() != n {
                return fault(format!("has {} numbers where {n} are needed", row.len()));
            }
            if let Some(number) = row.iter().find(|number| !number.is_finite()) {
                return fault(format!("holds {number:?}, which is not finite"));
            }
            for (j, (number, other)) in row.iter().zip(rows).enumerate().take(i) {
                let other = other[i];
                if (number - other).abs() > SYMMETRIC * number.abs().max(other.abs()) {
                    return fault(format!(
                        "holds {number:?} in column {}, but row {} holds {other:?} in column {}; \
                         the matrix must be symmetric",
                        j + 1,
                        j + 1,
                        i + 1
                    ));
                }
            }
        }
        // M = L Lᵀ, and B = L⁻ᵀ.
        let mut factor = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let (above, beside) = (factor[i * n..][..j].to_vec(), &factor[j * n..][..j]);
                let rest = rows[i][j] - dot(&above, beside);
                if i == j {
                    if !(rest > DEFINITE * rows[i][i].abs()) {
                        return Err(InputError::new(format!(
                            "row {} makes mass_matrix indefinite: the body would gain energy by \
                             moving contact {} against those \
                             before it; give a positive definite matrix",
                            i + 1,
                            i + 1
                        )));
                    }
                    factor[i * n + i] = rest.sqrt();
                } else {
                    factor[i * n + j] = rest / factor[j * n + j];
                }
            }
        }
        let mut rows = vec![0.0; n * n];
        for column in 0..n {
            // Lᵀ b = e gives a column of B.
            for i in (0..n).rev() {
                let known: f64 = (i + 1..n)
                    .map(|k| factor[k * n + i] * rows[k * n + column])
                    .sum();
                rows[i * n + column] = (f64::from(i == column) - known) / factor[i * n + i];
            }
        }
        Self::of_columns(1.0, rows, n)
    }

    /// Mobility W = `scale`² R Rᵀ of these rows of R, by a factorisation with pivots that leaves
    /// dependent directions out.
    fn of_columns(scale: f64, rows: Vec<f64>, columns: usize) -> Result<Self, InputError> {
        let n = rows.len() / columns;
        let row = |i: usize| &rows[i * columns..][..columns];
        let mobility: Vec<f64> = (0..n * n)
            .map(|at| scale * scale * dot(row(at / n), row(at % n)))
            .collect();
        if !mobility.iter().all(|number| number.is_finite()) {
            return Err(InputError::new(
                "the body's inertia is too small or too large for a floating-point number",
            ));
        }
        let largest = (0..n).fold(0.0_f64, |largest, i| largest.max(mobility[i * n + i]));
        let mut rest = mobility.clone();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        loop {
            let pivot = (0..n)
                .max_by(|a, b| rest[a * n + a].total_cmp(&rest[b * n + b]))
                .unwrap_or(0);
            let size = rest[pivot * n + pivot];
            if columns.len() == n || !(size > INDEPENDENT * largest) {
                break;
            }
            let column: Vec<f64> = (0..n).map(|i| rest[i * n + pivot] / size.sqrt()).collect();
            for i in 0..n {
                for j in 0..n {
                    rest[i * n + j] -= column[i] * column[j];
                }
            }
            columns.push(column);
        }
        let size = columns.len();
        let inputs: Vec<f64> = (0..n * size)
            .map(|at| columns[at % size][at / size])
            .collect();
        let mut projection = vec![0.0; size * n];
        let (mut matrix, mut right) = (vec![0.0; size * size], vec![0.0; size]);
        for contact in 0..n {
            for i in 0..size {
                for j in 0..size {
                    matrix[i * size + j] = dot(&columns[i], &columns[j]);
                }
                right[i] = columns[i][contact];
            }
            solve_dense(&mut matrix, &mut right);
            (0..size).for_each(|i| projection[i * n + contact] = right[i]);
        }
        let masses = (0..n)
            .map(|i| {
                1.0 / mobility[i * n..][..n]
                    .iter()
                    .map(|number| number.abs())
                    .sum::<f64>()
            })
            .collect();
        let body = LinearBody {
            size,
            outputs: inputs.clone(),
            inputs,
            ..LinearBody::default()
        };
        Ok(Mobility {
            body,
            projection,
            masses,
        })
    }

    /// Body of 1 kg with one contact.
    pub fn unit() -> Self {
        let body = LinearBody {
            size: 1,
            inputs: vec![1.0],
            outputs: vec![1.0],
            ..LinearBody::default()
        };
        Mobility {
            body,
            projection: vec![1.0],
            masses: vec![1.0],
        }
    }

    /// Sets the mass of a body with one contact, kg, or its inertia, kg·m².
    pub fn set_mass(&mut self, mass: f64) {
        let root = mass.sqrt();
        (self.body.inputs[0], self.body.outputs[0]) = (1.0 / root, 1.0 / root);
        (self.projection[0], self.masses[0]) = (root, mass);
    }

    /// Number of contacts.
    pub fn contacts(&self) -> usize {
        self.masses.len() / self.body.axes
    }

    /// Mass at a contact along a line when all contacts act at once, kg: 1/Σ_j |W_ij|.
    pub fn mass_at(&self, contact: usize) -> f64 {
        self.masses[contact]
    }

    /// Coordinate of the body that fits the contact velocities best, of all axes of all contacts.
    #[inline]
    pub fn coordinate(&self, place: usize, v: impl Iterator<Item = f64>) -> f64 {
        let count = self.masses.len();
        self.projection[place * count..][..count]
            .iter()
            .zip(v)
            .map(|(p, v)| p * v)
            .sum()
    }
}

fn positive(name: &str, value: f64, unit: &str) -> Result<f64, InputError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(InputError::new(format!(
            "{name} = {value:?} of the body was given where a finite number above 0 {unit} is \
             needed"
        )))
    }
}

#[cfg(test)]
mod tests;
