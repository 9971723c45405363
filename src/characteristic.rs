//! Static characteristics: coefficients of friction as functions of the speed, and of the direction
//! where a card gives each its own.

mod measured;

pub use self::measured::{End, MAX_POINTS, Measured, RowFault};

use crate::variable::InputError;

/// Constants of a law for v > 0 and for v < 0: the signed characteristic that all laws share.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signed<T> {
    /// For v > 0, for a deflection or a force above 0, and at rest.
    pub forward: T,
    /// For v < 0, and for a deflection or a force below 0.
    pub backward: T,
}

impl<T: Copy> Signed<T> {
    /// One value for both directions.
    pub const fn even(both: T) -> Self {
        Signed {
            forward: both,
            backward: both,
        }
    }

    /// Forward part of this one with the backward part of another.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Signed {
            backward: other.backward,
            ..self
        }
    }

    /// Part for the sign of a velocity, a deflection or a force.
    #[inline(always)]
    pub fn of(&self, x: f64) -> &T {
        if x < 0.0 {
            &self.backward
        } else {
            &self.forward
        }
    }

    /// Both parts, each as this function has it.
    #[inline(always)]
    pub fn map<U>(&self, f: impl Fn(T) -> U) -> Signed<U> {
        Signed {
            forward: f(self.forward),
            backward: f(self.backward),
        }
    }
}

impl Signed<f64> {
    /// The larger of both.
    #[inline(always)]
    pub fn larger(self) -> f64 {
        self.forward.max(self.backward)
    }
}

/// Characteristic regularised at rest: a parabola from 0 to μ_s at v_s, a cubic from there to μ_d
/// at v_d, constant beyond. It is continuously differentiable for v > 0.
///
/// Source: Rill & Schuderer 2023, doi 10.3390/modelling4030021, Fig. 1b and Listing A4.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regularised {
    /// Static coefficient of friction.
    pub mu_s: f64,
    /// Speed at which μ_s is reached, m/s.
    pub v_s: f64,
    /// Dynamic coefficient of friction.
    pub mu_d: f64,
    /// Speed from which on the coefficient is μ_d, m/s.
    pub v_d: f64,
}

impl Regularised {
    /// Limits of a measured characteristic: its first point in place of (v_s, μ_s), the point from
    /// which on the coefficient is constant in place of (v_d, μ_d).
    pub fn limits_of(measured: &Measured) -> Self {
        let ([v_s, mu_s], [v_d, mu_d]) = (measured.first(), measured.held());
        Regularised {
            mu_s,
            v_s,
            mu_d,
            v_d,
        }
    }

    /// Checks the parameters; an error where they contradict each other.
    pub fn check(&self) -> Result<(), InputError> {
        let Regularised {
            mu_s,
            v_s,
            mu_d,
            v_d,
        } = *self;
        if mu_d > mu_s {
            return Err(InputError::new(format!(
                "mu_d = {mu_d:?} exceeds mu_s = {mu_s:?}, but the dynamic coefficient of friction \
                 is at most the static one; \
                 lower mu_d or raise mu_s"
            ))
            .about(&["mu_d", "mu_s"]));
        }
        if v_d <= v_s {
            return Err(InputError::new(format!(
                "v_d = {v_d:?} m/s does not exceed v_s = {v_s:?} m/s, but full sliding begins \
                 above the regularisation \
                 range; raise v_d or lower v_s"
            ))
            .about(&["v_d", "v_s"]));
        }
        Ok(())
    }

    /// Coefficient of friction at a speed (m/s, at least 0), and its derivative (s/m).
    pub fn at(&self, speed: f64) -> (f64, f64) {
        let Regularised {
            mu_s,
            v_s,
            mu_d,
            v_d,
        } = *self;
        if speed <= v_s {
            let x = speed / v_s;
            (mu_s * x * (2.0 - x), 2.0 * mu_s / v_s * (1.0 - x))
        } else if speed < v_d {
            let x = (speed - v_s) / (v_d - v_s);
            (
                mu_s - (mu_s - mu_d) * x * x * (3.0 - 2.0 * x),
                -6.0 * (mu_s - mu_d) / (v_d - v_s) * x * (1.0 - x),
            )
        } else {
            (mu_d, 0.0)
        }
    }
}

/// Piecewise linear curve through points; constant beyond the last.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Polyline<const N: usize> {
    /// Speed, m/s, ascending from 0, and coefficient of friction.
    points: [[f64; 2]; N],
    count: usize,
}

impl<const N: usize> Polyline<N> {
    /// Curve through `first` at rest and the following points up to the first one whose speed is 0;
    /// `None` where the speeds do not ascend.
    pub fn new(first: f64, following: impl IntoIterator<Item = [f64; 2]>) -> Option<Self> {
        let mut curve = Polyline {
            points: [[0.0, first]; N],
            count: 1,
        };
        for point in following.into_iter().take_while(|point| point[0] != 0.0) {
            if point[0] <= curve.points[curve.count - 1][0] {
                return None;
            }
            curve.points[curve.count] = point;
            curve.count += 1;
        }
        Some(curve)
    }

    /// Speeds of the points after the first, m/s: the kinks of the curve; infinite where there are
    /// fewer.
    pub fn kinks<const K: usize>(&self) -> [f64; K] {
        core::array::from_fn(|i| {
            if i + 1 < self.count {
                self.points[i + 1][0]
            } else {
                f64::INFINITY
            }
        })
    }

    /// The coefficient at a speed (m/s, at least 0), and its derivative (s/m).
    pub fn at(&self, speed: f64) -> (f64, f64) {
        let points = &self.points[..self.count];
        let Some(line) = points.windows(2).find(|line| speed < line[1][0]) else {
            return (points[self.count - 1][1], 0.0);
        };
        let slope = (line[1][1] - line[0][1]) / (line[1][0] - line[0][0]);
        (line[0][1] + slope * (speed - line[0][0]), slope)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_regularised_characteristic_is_smooth_through_its_points() {
        let curve = Regularised {
            mu_s: 0.6,
            v_s: 1e-3,
            mu_d: 0.3,
            v_d: 1e-2,
        };
        assert_eq!(curve.at(0.0), (0.0, 1200.0));
        assert_eq!(curve.at(1e-3), (0.6, 0.0));
        assert_eq!(curve.at(1.0), (0.3, 0.0));
        assert!((curve.at(5.5e-3).0 - 0.45).abs() < 1e-15);
        for speed in [2e-4, 9.999e-4, 1.0001e-3, 4e-3, 9.99e-3, 2e-2] {
            let d = 1e-9;
            let difference = (curve.at(speed + d).0 - curve.at(speed - d).0) / (2.0 * d);
            assert!(
                (difference - curve.at(speed).1).abs() < 1e-4,
                "{difference} at {speed}"
            );
        }
    }

    #[test]
    fn a_polyline_passes_through_its_points_and_holds_the_last() {
        let curve = Polyline::<3>::new(0.5, [[1.0, 0.3], [2.0, 0.2], [0.0, 9.0]]).unwrap();
        for (speed, expected) in [
            (0.0, 0.5),
            (0.5, 0.4),
            (1.0, 0.3),
            (1.5, 0.25),
            (2.0, 0.2),
            (5.0, 0.2),
        ] {
            assert!(
                (curve.at(speed).0 - expected).abs() < 1e-15,
                "{:?} at {speed}",
                curve.at(speed)
            );
        }
        assert_eq!(Polyline::<3>::new(0.5, []).unwrap().at(7.0), (0.5, 0.0));
        assert_eq!(Polyline::<3>::new(0.5, [[1.0, 0.3], [1.0, 0.2]]), None);
    }
}
