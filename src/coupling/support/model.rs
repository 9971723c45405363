//! Model of a contact mass on an elastic support, and its exact discretisation.

use super::FILTERED;
use crate::integrate::exponential::exponential;

/// Weight κ_0 of the displacement of the contact mass in the energy of the error, as of a body without a support: a quarter of it is the
/// gain on the displacement.
pub const GRADIENT: f64 = 0.2;

/// Contact mass on a spring and a damper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Support {
    /// Mass with the contact, kg.
    pub mass: f64,
    /// Stiffness of the spring, N/m.
    pub stiffness: f64,
    /// Damping, N·s/m.
    pub damping: f64,
    /// Mass at the other end, kg; 0: the ground.
    pub support_mass: f64,
}

/// Exact change of the filter's states over a step under a held force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Transition matrix.
    pub by_state: [[f64; FILTERED]; FILTERED],
    /// Change by the force.
    pub by_force: [f64; FILTERED],
}

impl Support {
    /// Whether the spring ends at the ground.
    pub fn is_grounded(&self) -> bool {
        self.support_mass <= 0.0
    }

    /// Natural angular frequency of both masses on the spring, 1/s.
    pub fn frequency(&self) -> f64 {
        let inverse = 1.0 / self.mass + if self.is_grounded() { 0.0 } else { 1.0 / self.support_mass };
        (self.stiffness * inverse).sqrt()
    }

    /// Quarter of the natural period, s.
    pub fn quarter_period(&self) -> f64 {
        0.5 * core::f64::consts::PI / self.frequency()
    }

    /// Rates of v_1 and v_2 by x_1, v_1, x_2, v_2.
    pub fn accelerations(&self) -> [[f64; 4]; 2] {
        let Support { mass, stiffness: k, damping: d, support_mass } = *self;
        let force = [k, d, -k, -d];
        let second = if self.is_grounded() { 0.0 } else { 1.0 / support_mass };
        [force.map(|by| -by / mass), force.map(|by| by * second)]
    }

    /// Exact discretisation over `h` (s).
    pub fn transition(&self, h: f64) -> Transition {
        let [first, second] = self.accelerations();
        // The last row is the held force.
        let mut rates = [[0.0; FILTERED + 1]; FILTERED + 1];
        rates[0][1] = h;
        rates[1][..4].copy_from_slice(&first.map(|by| by * h));
        rates[1][4] = h / self.mass;
        rates[1][FILTERED] = -h / self.mass;
        if !self.is_grounded() {
            rates[2][3] = h;
            rates[3][..4].copy_from_slice(&second.map(|by| by * h));
        }
        rates[4][5] = h;
        let whole = exponential(&rates);
        Transition {
            by_state: core::array::from_fn(|i| core::array::from_fn(|j| whole[i][j])),
            by_force: core::array::from_fn(|i| whole[i][FILTERED]),
        }
    }

    /// Gains on the errors of x_1, v_1, x_2, v_2 of the force that leaves the least energy in them after `h` (s).
    pub fn gains(&self, h: f64) -> [f64; 4] {
        let Transition { by_state, by_force } = self.transition(h);
        let Support { mass, stiffness: k, support_mass, .. } = *self;
        // Q γ for the response γ to the force: twice the gradient of the energy.
        let [x_1, v_1, x_2, v_2] = core::array::from_fn(|i| by_force[i]);
        let displacement = 0.5 * GRADIENT / x_1.abs();
        let weighted = [k * (x_1 - x_2) + displacement * x_1, mass * v_1, k * (x_2 - x_1), support_mass * v_2];
        let own: f64 = weighted.iter().zip(by_force).map(|(weight, response)| weight * response).sum();
        core::array::from_fn(|j| {
            let by_error: f64 = weighted.iter().zip(by_state).map(|(weight, row)| weight * row[j]).sum();
            -by_error / own
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_soft_support_has_the_gains_of_a_free_body() {
        let (h, mass) = (1e-3, 2.0);
        let support = Support { mass, stiffness: 1e-6, damping: 0.0, support_mass: 0.0 };
        let [x, v, ..] = support.gains(h);
        // θ = (1/2 + κ_0/4)/(1/2 + κ_0/8), κ = (κ_0/4)/(1/2 + κ_0/8).
        assert!((v * h / mass - 0.55 / 0.525).abs() < 1e-6 && (x * h * h / mass - 0.05 / 0.525).abs() < 1e-6);
    }

    #[test]
    fn the_transition_of_two_masses_keeps_their_momentum() {
        let support = Support { mass: 0.1, stiffness: 1e6, damping: 5.0, support_mass: 10.0 };
        let Transition { by_state, by_force } = support.transition(1e-3);
        for column in 0..4 {
            let before = [0.0, 0.1, 0.0, 10.0][column];
            let after = 0.1 * by_state[1][column] + 10.0 * by_state[3][column];
            assert!((after - before).abs() < 1e-8, "{column}: {after}");
        }
        assert!((0.1 * by_force[1] + 10.0 * by_force[3] + 1e-3).abs() < 1e-12);
        let grounded = Support { support_mass: 0.0, ..support }.transition(1e-3);
        assert_eq!(grounded.by_state[3], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    }

    /// A mass on the ground, and one on a second mass, without damping.
    const SUPPORTS: [Support; 2] = [
        Support { mass: 2.0, stiffness: 3e4, damping: 0.0, support_mass: 0.0 },
        Support { mass: 2.0, stiffness: 3e4, damping: 0.0, support_mass: 1.5 },
    ];

    #[test]
    fn spring_is_relaxed_after_a_quarter_of_the_period() {
        for support in SUPPORTS {
            let Transition { by_state, .. } = support.transition(support.quarter_period());
            let spring = |column: usize| by_state[0][column] - by_state[2][column];
            assert!(spring(0).abs() < 1e-12, "{support:?}: {}", spring(0));
            // A relative velocity has become the displacement v/ω.
            let displacement = 1.0 / support.frequency();
            assert!((spring(1) / displacement - 1.0).abs() < 1e-12, "{support:?}: {}", spring(1));
        }
    }

    #[test]
    fn force_by_the_gains_leaves_the_least_energy() {
        let h = 2e-3;
        for support in SUPPORTS {
            let (gains, Transition { by_state, by_force }) = (support.gains(h), support.transition(h));
            // The displacement counts with the weight that the response to a force gives it.
            let weight = 0.5 * GRADIENT / by_force[0].abs();
            for error in [[1e-4, 0.0, 0.0, 0.0], [0.0, 0.1, 0.0, 0.0], [0.0, 0.0, -3e-4, 0.0], [2e-4, -0.1, 1e-4, 0.3]]
            {
                let force: f64 = gains.iter().zip(error).map(|(gain, error)| gain * error).sum();
                let energy = |force: f64| {
                    let [x_1, v_1, x_2, v_2]: [f64; 4] = core::array::from_fn(|i| {
                        (0..4).map(|j| by_state[i][j] * error[j]).sum::<f64>() + by_force[i] * force
                    });
                    let spring = support.stiffness * (x_1 - x_2) * (x_1 - x_2);
                    let motion = support.mass * v_1 * v_1 + support.support_mass * v_2 * v_2;
                    0.5 * (spring + motion + weight * x_1 * x_1)
                };
                let [less, least, more] = [0.99, 1.0, 1.01].map(|share| energy(share * force));
                assert!(least < less && least < more, "{support:?}, {error:?}: {less}, {least}, {more} J");
                // The parabola has its vertex there.
                assert!(
                    (less - more).abs() < 1e-6 * (less - least),
                    "{support:?}, {error:?}: {less}, {least}, {more} J"
                );
            }
        }
    }
}
