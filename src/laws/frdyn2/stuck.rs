//! A body stuck to the bristle, in closed form.
//!
//! In stick e = v − ż is a fast transient, e′ = v′ − λ e with λ = α + 2Bs (the rates of `scaled`), and F_R = F_0 + 2F_s s/v_s e.
//! Once it is over, e = v′/λ, F_R = F_0 + m_a v′, and body and bristle are an oscillator with a part of the bristle's mass,
//! m_a = m_b (1 − α/λ):
//!
//! (M + m_a) v′ + σ_1 v + σ_0 z = A(t),  z′ = v − e.
//!
//! Under a load that changes evenly it has a closed form. A transient is taken for a push at the start. What is left out are
//! shares of the swinging part of F_0 and of that push: ω/λ, e/(v_s s), and how far λ changes on the way. They must lie
//! below the tolerance; a swing that is larger, or that comes near F_s, is left to the general integrator.

use super::{FrDyn2, NO_FORCE};
use crate::law::{Stretch, Stuck};

/// The part of F_s up to which the closed form is trusted: beyond, λ changes too fast.
const NEAR: f64 = 0.98;

/// The error over the sum of the shares left out, which rarely meet: measured, up to 0.18 of it.
const OF_SHARES: f64 = 0.2;

/// m y″ + d y′ + k y = 0.
struct Oscillator {
    m: f64,
    d: f64,
    k: f64,
}

impl Oscillator {
    /// y and y′ after `t` (s).
    fn at(&self, [y, rate]: [f64; 2], t: f64) -> [f64; 2] {
        let p = 0.5 * self.d / self.m;
        let square = self.k / self.m - p * p;
        let drive = rate + p * y;
        let decay = libm::exp(-p * t);
        // Both times the decay.
        let (cosine, sine) = if square > 0.0 {
            let omega = square.sqrt();
            (decay * libm::cos(omega * t), decay * libm::sin(omega * t) / omega)
        } else {
            // Overdamped: by its two exponentials, which never overflow.
            let root = (-square).sqrt();
            let [slow, fast] = [libm::exp(-self.k / self.m / (p + root) * t), libm::exp(-(root + p) * t)];
            (0.5 * (slow + fast), if root * t < 1e-6 { t * decay } else { 0.5 * (slow - fast) / root })
        };
        let y_end = y * cosine + drive * sine;
        [y_end, drive * cosine - square * y * sine - p * y_end]
    }

    /// A bound of |y| and of |y′| for all time: the energy never grows.
    fn reach(&self, [y, rate]: [f64; 2]) -> [f64; 2] {
        let square = self.k / self.m;
        let reach = (y * y + rate * rate / square).sqrt();
        [reach, square.sqrt() * reach]
    }
}

impl FrDyn2 {
    /// What becomes of a body of `mass` (kg) with the velocity `v` (m/s), where it stays stuck throughout.
    pub(super) fn stuck(&self, mass: f64, [z, z_dot]: [f64; 2], v: f64, stretch: &Stretch) -> Option<Stuck<2>> {
        let Stretch { normal, load, duration, tolerance } = *stretch;
        let least_force = self.mu_s * normal[0].min(normal[1]);
        if least_force < NO_FORCE {
            return None;
        }
        let FrDyn2 { sigma_0: k, sigma_1: d, inverse_mass, v_s, .. } = *self;
        let force = k * z + d * v;
        let near = NEAR * least_force;
        if !(force.abs() < near && load[0].abs().max(load[1].abs()) < near) {
            return None;
        }
        let s = (1.0 - force.abs() / least_force).sqrt();
        let alpha = d * inverse_mass;
        let lambda = alpha + 2.0 * least_force / v_s * inverse_mass * s;
        let part = (1.0 - alpha / lambda) / inverse_mass;
        // In u = z + v/λ, the displacement.
        let whole = Oscillator { m: mass + part, d: d - k / lambda, k };
        let bend = |[y, rate]: [f64; 2]| -(whole.k * y + whole.d * rate) / whole.m / lambda;

        // The load's own share of u, and the swing about it; the transient of e pushes the body and leaves the bristle behind.
        let rate = (load[1] - load[0]) / duration;
        let drift = rate / k;
        let steady = |load: f64| (load - whole.d * drift) / k;
        let e = v - z_dot;
        let before = [z + v / lambda - steady(load[0]), v - drift];
        let transient = e - bend(before);
        let left = transient * libm::exp(-lambda * duration);
        let start = [before[0] - transient / lambda, before[1] - part * (transient - left) / whole.m];
        let [reach, speed] = whole.reach(start);
        let swing = k * reach + d * speed;
        let most = load[0].abs().max(load[1].abs()) + swing;
        if most >= near {
            return None;
        }
        let least = (1.0 - force.abs().max(most) / least_force).sqrt();
        let push = 2.0 * least_force * s / v_s * transient.abs();
        let shares =
            (k / whole.m).sqrt() / lambda + (e.abs() + swing / whole.m / lambda) / (v_s * least) + (1.0 - least / s);
        let rests = swing == 0.0 && push == 0.0;
        let known = rests || lambda * duration >= 1.0 && OF_SHARES * (swing + push) * shares <= tolerance * least_force;
        if !(known && e.abs() <= 0.01 * v_s * least) {
            return None;
        }

        let end = whole.at(start, duration);
        let v_end = end[1] + drift;
        let travel = end[0] - start[0] + drift * duration;
        let slipped = (v_end - v) / lambda + (transient - left) / lambda;
        // ∫ y dt by the oscillator's own equation.
        let area = -(whole.m * (end[1] - start[1]) + whole.d * (end[0] - start[0])) / k;
        let mean_load = 0.5 * (load[0] + load[1]);
        let work = mean_load * drift * duration + load[1] * end[0] - load[0] * start[0] - rate * area;
        Some(Stuck {
            v: v_end,
            travel,
            states: [z + travel - slipped, v_end - bend(end) - left],
            loss: work - 0.5 * mass * (v_end * v_end - v * v),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oscillator_meets_its_equation_at_every_damping() {
        for d in [0.0, 10.0, 1999.0, 2000.0, 2000.001, 5e4] {
            let oscillator = Oscillator { m: 1.0, d, k: 1e6 };
            let start = [1e-3, -0.4];
            let [reach, speed] = oscillator.reach(start);
            for i in 0..100 {
                let t = 1e-4 * f64::from(i);
                let dt = 1e-8;
                let [[y, rate], [after, rate_after]] = [oscillator.at(start, t), oscillator.at(start, t + dt)];
                assert!(y.abs() <= reach * (1.0 + 1e-9) && rate.abs() <= speed * (1.0 + 1e-9), "d = {d} at {t}");
                assert!(((after - y) / dt - 0.5 * (rate + rate_after)).abs() < 1e-4 * speed, "d = {d} at {t}");
                let balance = (rate_after - rate) / dt + d * rate + 1e6 * y;
                assert!(balance.abs() < 1e-3 * (1e6 * reach + d * speed), "d = {d} at {t}: {balance}");
            }
        }
    }
}
