//! Inputs and states over an inner step as polynomials of time, on which events are located.

use super::contact::Contact;
use super::trajectory::InputTrajectory;
use crate::integrate::polynomial::Polynomial;

/// Rate of a state that is an integral of the inputs as long as a mode lasts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rate {
    /// Constant rate, units per second.
    Constant(f64),
    /// The contact velocity.
    Velocity,
}

impl Rate {
    /// Constant state.
    pub const ZERO: Rate = Rate::Constant(0.0);
}

/// Inputs and states over an inner step as polynomials of the elapsed share of the step, 0 … 1.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Path<const N: usize> {
    /// Normal force, N.
    pub F_N: Polynomial,
    /// Contact velocity, m/s.
    pub v: Polynomial,
    /// Relative acceleration, m/s².
    pub a: Polynomial,
    /// Applied tangential force, N.
    pub F_t: Polynomial,
    /// The states.
    pub x: [Polynomial; N],
}

impl<const N: usize> Path<N> {
    /// Exact path of states with these rates from `x`, over `h` (s) from the time `t` (s) of a
    /// trajectory.
    #[inline]
    pub fn exact(
        trajectory: &InputTrajectory,
        t: f64,
        h: f64,
        x: &[f64; N],
        rates: &[Rate; N],
    ) -> Self {
        let path = Path::inputs(trajectory, t, h);
        let states = core::array::from_fn(|i| {
            let change = match rates[i] {
                Rate::Constant(rate) => Polynomial([0.0, rate * h, 0.0, 0.0, 0.0, 0.0]),
                Rate::Velocity => path.v.integral() * h,
            };
            Polynomial::constant(x[i]) + change
        });
        Path { x: states, ..path }
    }

    /// Path of the inputs over `h` (s) from the time `t` (s) of a trajectory, with states that are
    /// 0.
    #[inline]
    pub(super) fn inputs(trajectory: &InputTrajectory, t: f64, h: f64) -> Self {
        let orders = trajectory.orders(t);
        let of = |input: fn(&Contact) -> f64| match &orders {
            (start, None) => Polynomial::constant(input(start)),
            (start, Some([first, second, third])) => {
                let [second, third] = [h / 2.0 * input(second), h * h / 6.0 * input(third)];
                Polynomial([
                    input(start),
                    h * input(first),
                    h * second,
                    h * third,
                    0.0,
                    0.0,
                ])
            }
        };
        Path {
            F_N: of(|c| c.F_N),
            v: of(|c| c.v),
            a: of(|c| c.a),
            F_t: of(|c| c.F_t),
            x: [Polynomial::default(); N],
        }
    }

    /// States at the share `part` of the step, 0 … 1.
    #[inline]
    pub fn states(&self, part: f64) -> [f64; N] {
        self.x.map(|x| x.at(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exact_path_is_the_integral_of_its_inputs() {
        let derivatives = [
            Contact::new(3.0, -2.0),
            Contact::new(-1.0, 4.0),
            Contact::new(0.5, 6.0),
        ];
        let trajectory = InputTrajectory {
            start: Contact::new(2.0, 0.7),
            derivatives: Some(&derivatives),
            delay: None,
        };
        let (t, h) = (0.3, 0.4);
        let path = Path::exact(
            &trajectory,
            t,
            h,
            &[0.1, 5.0],
            &[Rate::Velocity, Rate::Constant(1.0)],
        );
        let displacement = |t: f64| t * (0.7 + t * (-1.0 + t * (2.0 / 3.0 + t * 0.25)));
        for part in [0.0, 0.25, 0.8, 1.0] {
            let now = trajectory.at(t + part * h);
            assert!(
                (path.F_N.at(part) - now.F_N).abs() < 1e-15
                    && (path.v.at(part) - now.v).abs() < 1e-15
            );
            let [z, dwell] = path.states(part);
            assert!((z - 0.1 - displacement(t + part * h) + displacement(t)).abs() < 1e-15);
            assert!((dwell - 5.0 - part * h).abs() < 1e-15);
        }
    }
}
