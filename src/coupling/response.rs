//! Response of a body to the force, from the motion: the mass with which v answers to F_R, and the
//! order in which the master applies it.
//!
//! Loads change v as well. Differences from step to step of v and of F_R agree, Δᵏ(v_{n+1} − v_n) =
//! −H Δᵏ F/m, where the force alone drives the body from step to step, as in chatter. Two
//! regressions, of F_n (serial) and of F_{n−1} (parallel), compete; a mass counts where one of them
//! explains nearly all and far more than the other. A response is reported and never used.

use super::Coupling;

/// Share that the sums keep from step to step, a window of 14 steps. `tests/tests/coupling_rates.rs`
/// has the rates at which all bounds here speak: in 4 of 1260 records of prescribed motions.
const MEMORY: f64 = 0.93;
/// Change of the force over F_s from which a step is an event.
const EVENT: f64 = 0.02;
/// Largest residual over the sum of (Δᵏv)². White noise of v, to which the law answers, alone has
/// R² = 0.75 and 0.83.
const MAX_RESIDUAL: f64 = 0.05;
/// Least 1 − R² of the other order. Where v and F_R are smooth both orders fit, and F_R may be a
/// function of v.
const MIN_MISFIT_OF_OTHER: f64 = 0.1;
/// Least Σ(Δ²F)² over Σ(ΔF)². A load that pulsates has the force in one phase with the change of v
/// at some frequency, whatever the mass; a force that rises and falls over six steps and more, where
/// the ratio is 1, shows none.
const MIN_ROUGHNESS: f64 = 1.0;
/// Relative difference of the lengths of two steps from which the differences begin again.
const SAME_LENGTH: f64 = 1e-3;

/// Bounds from which a response counts.
struct Bounds {
    /// Least number of events.
    events: u32,
    /// Largest 1 − R², and largest over that of the other order.
    misfit: f64,
    misfit_ratio: f64,
}

/// Bounds for a motion of which nothing is known; it may be prescribed.
const UNKNOWN: Bounds = Bounds {
    events: 12,
    misfit: 0.05,
    misfit_ratio: 0.25,
};
/// Bounds for the motion of a body that answers to the force.
const ANSWERING: Bounds = Bounds {
    events: 4,
    misfit: 1e-3,
    misfit_ratio: 0.02,
};

/// Body as its motion shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Order in which the master applies the force: serial or parallel.
    pub order: Coupling,
    /// Mass, kg.
    pub mass: f64,
}

/// Estimator of the response.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResponseMonitor {
    /// Velocities at the last communication points, the last one first, m/s.
    v: [f64; 4],
    /// Forces returned there for the step after, N.
    force: [f64; 4],
    /// F_s, N.
    static_force: f64,
    /// Length of the last step, s, and communication points of that length.
    step: f64,
    points: u32,
    events: u32,
    /// Sums for k = 1 and 2: (Δᵏv)², y² with y = Δᵏ(v_{n+1} − v_n), and for both orders x y and x²
    /// with x = H Δᵏ F.
    sums: [[f64; 6]; 2],
}

impl ResponseMonitor {
    /// Adds the velocity (m/s) at a communication point, after a step of this length (s).
    pub fn add_velocity(&mut self, v: f64, step: f64) {
        if (step - self.step).abs() > SAME_LENGTH * step {
            *self = ResponseMonitor {
                step,
                ..ResponseMonitor::default()
            };
        }
        let [v_1, v_2, v_3, _] = self.v;
        self.v = [v, v_1, v_2, v_3];
        self.points += 1;
        if self.points <= 4 {
            return;
        }
        let [f_1, f_2, f_3, f_4] = self.force;
        let first = [v - v_1, v_1 - v_2, v_2 - v_3];
        let second = [first[0] - first[1], first[1] - first[2]];
        let changes = [
            [f_1 - f_2, f_2 - f_3],
            [f_1 - 2.0 * f_2 + f_3, f_2 - 2.0 * f_3 + f_4],
        ];
        self.events += u32::from(changes[0][0].abs() > EVENT * self.static_force);
        for ((sums, [y, slower]), [serial, parallel]) in self
            .sums
            .iter_mut()
            .zip([[second[0], first[0]], [second[0] - second[1], second[0]]])
            .zip(changes)
        {
            let (x, x_before) = (step * serial, step * parallel);
            let products = [
                slower * slower,
                y * y,
                x * y,
                x * x,
                x_before * y,
                x_before * x_before,
            ];
            for (sum, product) in sums.iter_mut().zip(products) {
                *sum = MEMORY * *sum + product;
            }
        }
    }

    /// Adds the force returned for the coming step, with F_s, N.
    pub fn add_force(&mut self, force: f64, static_force: f64) {
        self.static_force = static_force;
        let [f_1, f_2, f_3, _] = self.force;
        self.force = [force, f_1, f_2, f_3];
    }

    /// Response of a motion that may be prescribed, once it shows one.
    pub fn response(&self) -> Option<Response> {
        self.within(&UNKNOWN)
    }

    /// Response of a body that is known to answer to the force, once its motion shows one.
    pub fn response_of_body(&self) -> Option<Response> {
        self.within(&ANSWERING).or_else(|| self.response())
    }

    /// Response of a body whose load may pulsate, once its motion shows one.
    pub fn response_under_loads(&self) -> Option<Response> {
        let [first, second] = self.sums.map(|[.., xx, _, _]| xx);
        let is_rough = second >= MIN_ROUGHNESS * first;
        self.response_of_body().filter(|_| is_rough)
    }

    fn within(&self, bounds: &Bounds) -> Option<Response> {
        if self.events < bounds.events {
            return None;
        }
        self.sums
            .iter()
            .find_map(|[slower, yy, xy, xx, xy_before, xx_before]| {
                // A mass below 0 fits nothing.
                let misfit = |xy: f64, xx: f64| {
                    if xy < 0.0 {
                        1.0 - xy * xy / (xx * yy)
                    } else {
                        1.0
                    }
                };
                let [serial, parallel] = [misfit(*xy, *xx), misfit(*xy_before, *xx_before)];
                let is_found = |misfit: f64, other: f64| {
                    misfit < bounds.misfit
                        && misfit < bounds.misfit_ratio * other
                        && misfit * yy < MAX_RESIDUAL * slower
                        && other >= MIN_MISFIT_OF_OTHER
                };
                if is_found(serial, parallel) {
                    Some(Response {
                        order: Coupling::Serial,
                        mass: -xx / xy,
                    })
                } else if is_found(parallel, serial) {
                    Some(Response {
                        order: Coupling::Parallel,
                        mass: -xx_before / xy_before,
                    })
                } else {
                    None
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Response of a body of 2 kg whose force alternates, after this many steps.
    fn chattering(steps: u32, delay: usize, load: impl Fn(f64) -> f64) -> Option<Response> {
        let (mut monitor, mut v, h, mut forces) = (ResponseMonitor::default(), 0.3, 1e-3, [0.0; 2]);
        for i in 0..steps {
            monitor.add_velocity(v, h);
            let force = 3.0 * f64::from(2 * (i % 2)) - 3.0 + libm::sin(f64::from(i));
            monitor.add_force(force, 10.0);
            forces = [force, forces[0]];
            v += h * (load(f64::from(i)) - forces[delay]) / 2.0;
        }
        monitor.response()
    }

    #[test]
    fn chatter_shows_mass_and_order() {
        for (delay, order) in [(0, Coupling::Serial), (1, Coupling::Parallel)] {
            let found = chattering(60, delay, |i| 0.1 * libm::sin(0.2 * i)).expect("a response");
            assert!(
                found.order == order && (found.mass / 2.0 - 1.0).abs() < 0.02,
                "{found:?}"
            );
            assert_eq!(chattering(12, delay, |_| 0.0), None);
            // A load that is as rough as the force hides it.
            assert_eq!(
                chattering(60, delay, |i| 4.0 * libm::sin(2.0 * i * i)),
                None
            );
        }
    }

    #[test]
    fn steps_of_another_length_begin_again() {
        let mut monitor = ResponseMonitor::default();
        for i in 0..100 {
            monitor.add_velocity(f64::from(i % 2), if i % 4 == 0 { 1e-3 } else { 2e-3 });
            monitor.add_force(f64::from(i % 2), 10.0);
        }
        assert_eq!((monitor.response(), monitor.events), (None, 0));
    }
}
