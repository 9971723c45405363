//! Mechanical systems around friction elements: those of the papers, and those of rotational,
//! planar and several contacts (`planar`).
//!
//! A rig has masses, springs and loads and is independent of friction laws: it returns the contacts
//! of its elements, and moves under their forces. It is solved as one system with a law's equations
//! (monolithic), or step by step with an FMU.

pub mod block_on_spring;
pub mod block_under_force;
pub mod brake;
pub mod festoon;
pub mod four_feet;
pub mod inclined_plane;
pub mod linked_masses;
pub mod oscillator;
pub mod planar;
pub mod pulsating_bench;
pub mod roller_on_spring;
pub mod sliding_disc;
pub mod test_bench;

use bristle::law::Contact;

/// Acceleration of gravity, m/s².
pub const G: f64 = 9.81;

/// A mechanical system with contacts.
pub trait Rig: Sync {
    /// Name and unit of each state.
    fn states(&self) -> &'static [(&'static str, &'static str)];

    /// State at t = 0, SI units: at rest at the origin, unless a rig says otherwise.
    fn start(&self) -> Vec<f64> {
        vec![0.0; self.states().len()]
    }

    /// A typical size of each state, by which errors of a solution are measured.
    fn sizes(&self) -> Vec<f64>;

    /// The number of contacts.
    fn contacts(&self) -> usize {
        1
    }

    /// Inputs of a contact's element at time `t` (s) in the state `y`: F_N, v, and F_t, all forces
    /// against friction.
    fn contact(&self, t: f64, y: &[f64], contact: usize) -> Contact;

    /// The mass that friction of a contact slows down, kg.
    fn mass(&self, contact: usize) -> f64;

    /// The time derivative of the state under the friction forces (N) of the contacts; a contact in
    /// the plane has two, x and y.
    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]);

    /// The times at which a load has a kink, ascending, s.
    fn kinks(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The longest step, s, in which the classic Runge–Kutta method follows the rig without
    /// friction.
    fn longest_step(&self) -> f64;

    /// Moves the rig from `t` to `t + h` (s) while the friction forces are held, as a multibody
    /// code does between two communication points.
    fn advance(&self, t: f64, y: &mut [f64], h: f64, friction: &[f64]) {
        runge_kutta(self.longest_step(), t, y, h, |t, y, rate| {
            self.rate(t, y, friction, rate)
        });
    }
}

/// The classic Runge–Kutta method over `h` (s) in equal steps of at most `longest` (s).
fn runge_kutta(
    longest: f64,
    t: f64,
    y: &mut [f64],
    h: f64,
    rate: impl Fn(f64, &[f64], &mut [f64]),
) {
    let steps = (h / longest).ceil().max(1.0);
    let h = h / steps;
    let n = y.len();
    let (mut k, mut at, mut sum) = (vec![0.0; n], y.to_vec(), vec![0.0; n]);
    for step in 0..steps as u32 {
        let t = t + f64::from(step) * h;
        at.copy_from_slice(y);
        sum.fill(0.0);
        for (node, weight, reach) in [
            (0.0, 1.0, 0.5),
            (0.5, 2.0, 0.5),
            (0.5, 2.0, 1.0),
            (1.0, 1.0, 0.0),
        ] {
            rate(t + node * h, &at, &mut k);
            for i in 0..n {
                sum[i] += weight / 6.0 * h * k[i];
                at[i] = y[i] + reach * h * k[i];
            }
        }
        for i in 0..n {
            y[i] += sum[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block_on_spring::BlockOnSpring;

    #[test]
    fn frictionless_rig_matches_its_closed_form() {
        // x'' = ω²(v₀t − x) from rest: x = v₀t − (v₀/ω) sin ωt.
        let rig = BlockOnSpring::default();
        let omega = rig.stiffness.sqrt();
        let mut y = rig.start();
        for i in 0..1000 {
            rig.advance(f64::from(i) * 1e-3, &mut y, 1e-3, &[0.0]);
        }
        let expected = rig.speed * (1.0 - libm::sin(omega) / omega);
        assert!((y[0] - expected).abs() < 1e-9, "{} for {expected}", y[0]);
    }
}
