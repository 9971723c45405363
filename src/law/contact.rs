//! The contact at one instant.

use crate::domain::OPEN_FORCE;
use crate::scalar::Scalar;

/// Inputs of a law at one instant, as numbers or with derivatives.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<S = f64> {
    /// Normal force F_N, N; the contact is open up to [`OPEN_FORCE`].
    pub F_N: S,
    /// Contact velocity v, m/s: tangential velocity of the contact point relative to its
    /// counterpart.
    pub v: S,
    /// Relative acceleration dv/dt, m/s², for laws that have it as an input.
    pub a: S,
    /// Applied tangential force, N, for laws that have it as an input.
    pub F_t: S,
    /// Second component of the contact velocity, m/s, for laws in the plane; v is the first.
    pub v_y: S,
    /// Contact velocity one [delay](super::LawMetadata::delay) ago, m/s, for laws that have one.
    pub v_past: S,
}

impl<S: Scalar> Contact<S> {
    /// The contact with these [`numbers`](Contact::numbers).
    #[allow(non_snake_case)] // the papers' symbols
    pub fn of([F_N, v, a, F_t, v_y, v_past]: [S; 6]) -> Self {
        Contact {
            F_N,
            v,
            a,
            F_t,
            v_y,
            v_past,
        }
    }

    /// Whether the contact is open and transmits no force.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.F_N.value() <= OPEN_FORCE
    }
}

impl Contact {
    /// No force and no velocity.
    pub const ZERO: Contact = Contact {
        F_N: 0.0,
        v: 0.0,
        a: 0.0,
        F_t: 0.0,
        v_y: 0.0,
        v_past: 0.0,
    };

    /// A contact with this F_N (N) and v (m/s), and zeros.
    pub const fn new(normal_force: f64, v: f64) -> Self {
        Contact {
            F_N: normal_force,
            v,
            ..Contact::ZERO
        }
    }

    /// The contact with the magnitudes of v and a.
    #[inline]
    #[must_use]
    pub fn magnitudes(self) -> Self {
        Contact {
            v: self.v.abs(),
            a: self.a.abs(),
            ..self
        }
    }

    /// All fields in the order of their declaration.
    #[inline]
    pub fn numbers(&self) -> [f64; 6] {
        [self.F_N, self.v, self.a, self.F_t, self.v_y, self.v_past]
    }

    /// Whether all inputs are finite and their sum does not overflow.
    #[inline]
    pub fn is_finite(&self) -> bool {
        // A sum with a term that is not finite is not finite.
        (self.F_N.abs() + self.v.abs() + self.a.abs() + self.F_t.abs() + self.v_y.abs()).is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::Contact;

    /// Contact whose inputs are 0 but for those of these numbers.
    fn with(numbers: &[usize], value: f64) -> Contact {
        let mut all = [0.0; 6];
        numbers.iter().for_each(|number| all[*number] = value);
        Contact::of(all)
    }

    #[test]
    fn every_input_and_the_sum_of_any_two_must_be_finite() {
        for i in 0..5 {
            for value in [f64::MAX, -f64::MAX] {
                assert!(with(&[i], value).is_finite(), "{value} as input {i}");
                for j in (0..5).filter(|j| *j != i) {
                    assert!(
                        !with(&[i, j], value).is_finite(),
                        "{value} as inputs {i} and {j}"
                    );
                }
            }
            for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
                assert!(!with(&[i], value).is_finite(), "{value} as input {i}");
            }
        }
    }
}
