//! A body that stays stuck to the bristle, in closed form. See §13 of `docs/internals/numerics.md`.
//!
//! In stick e = v − ż is a fast transient, e′ = v′ − λ e with λ = α + 2Bs, and F_R = F_0 + 2 F_s s/v_s e. After it e = v′/λ,
//! F_R = F_0 + m_a v′, and body and bristle are an oscillator with a part of the bristle's mass, m_a = m_b (1 − α/λ):
//!
//! (M + m_a) v′ + σ_1 v + σ_0 z = A(t),  z′ = v − e.
//!
//! It has a closed form under a load A that is linear in time. The transient acts as an impulse at the start. Relative terms of the
//! oscillating part of F_0 and of that impulse are neglected: ω/λ, e/(v_s s), and the change of λ over the interval. They must lie
//! below the tolerance; a larger oscillation, or one near F_s, is left to the general integrator.

use super::constants::{MAX_STUCK_FORCE, MAX_STUCK_SLIP, MIN_STATIC_FORCE, MIN_STUCK_LENGTH, STUCK_ERROR_SHARE};
use super::equations::Equations;
use super::oscillator::Oscillator;
use crate::integrate::exponential;
use crate::integrate::extrema::{larger, smaller};
use crate::law::{LoadInterval, StuckMotion};

/// Motion of a body of `mass` (kg) with the velocity `v` (m/s) that stays stuck throughout; `None` where it may not, or where the
/// terms left out (§13) exceed the tolerance.
pub fn stuck_body(
    equations: &Equations,
    mass: f64,
    [z, z_dot]: [f64; 2],
    v: f64,
    interval: &LoadInterval,
) -> Option<StuckMotion<2>> {
    let LoadInterval { normal, load, duration, tolerance } = *interval;
    let min_force = equations.mu_s * smaller(normal[0], normal[1]);
    if min_force < MIN_STATIC_FORCE {
        return None;
    }
    let Equations { sigma_0: k, sigma_1: d, inverse_mass, v_s, .. } = *equations;
    let force = k * z + d * v;
    let near = MAX_STUCK_FORCE * min_force;
    if !(force.abs() < near && larger(load[0].abs(), load[1].abs()) < near) {
        return None;
    }
    let s = (1.0 - force.abs() / min_force).sqrt();
    let alpha = d * inverse_mass;
    let lambda = alpha + 2.0 * min_force / v_s * inverse_mass * s;
    let part = (1.0 - alpha / lambda) / inverse_mass;
    // In u = z + v/λ, the displacement of the body.
    let whole = Oscillator { m: mass + part, d: d - k / lambda, k };
    let bend = |[y, rate]: [f64; 2]| -(whole.k * y + whole.d * rate) / whole.m / lambda;

    // The quasi-static part of u under the load, and the oscillation about it; the transient of e gives the body an impulse and
    // displaces the bristle against it.
    let rate = (load[1] - load[0]) / duration;
    let drift = rate / k;
    let steady = |load: f64| (load - whole.d * drift) / k;
    let e = v - z_dot;
    let before = [z + v / lambda - steady(load[0]), v - drift];
    let transient = e - bend(before);
    let left = transient * exponential::decay(lambda * duration);
    let start = [before[0] - transient / lambda, before[1] - part * (transient - left) / whole.m];
    let [reach, speed] = whole.bounds(start);
    let swing = k * reach + d * speed;
    let most = larger(load[0].abs(), load[1].abs()) + swing;
    if most >= near {
        return None;
    }
    // The relative terms left out.
    let least = (1.0 - larger(force.abs(), most) / min_force).sqrt();
    let push = 2.0 * min_force * s / v_s * transient.abs();
    let shares =
        (k / whole.m).sqrt() / lambda + (e.abs() + swing / whole.m / lambda) / (v_s * least) + (1.0 - least / s);
    let rests = swing == 0.0 && push == 0.0;
    let known = rests
        || lambda * duration >= MIN_STUCK_LENGTH
            && STUCK_ERROR_SHARE * (swing + push) * shares <= tolerance * min_force;
    if !(known && e.abs() <= MAX_STUCK_SLIP * v_s * least) {
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
    Some(StuckMotion {
        v: v_end,
        travel,
        states: [z + travel - slipped, v_end - bend(end) - left],
        loss: work - 0.5 * mass * (v_end * v_end - v * v),
    })
}

#[cfg(test)]
mod tests {
    use super::super::test_cases::{F_S, G, equations};
    use super::*;
    use crate::integrate::System;
    use crate::integrate::radau::Radau;
    use crate::law::{Contact, Law};

    /// Body and bristle as one system, with the states v, z, ż and the friction loss.
    struct Coupled {
        equations: Equations,
        mass: f64,
        load: [f64; 2],
        duration: f64,
    }

    impl System<4> for Coupled {
        type Input = f64;

        fn input(&self, t: f64) -> f64 {
            t
        }

        fn rate(&self, t: f64, &[v, z, z_dot, _]: &[f64; 4]) -> [f64; 4] {
            let at = self.equations.evaluate(Contact::new(G, v), &[z, z_dot], &());
            let load = self.load[0] + (self.load[1] - self.load[0]) * t / self.duration;
            [(load - at.F_R) / self.mass, at.rate[0], at.rate[1], at.F_R * v]
        }

        fn jacobian(&self, _: f64, &[v, z, z_dot, _]: &[f64; 4]) -> [[f64; 4]; 4] {
            let by = self.equations.jacobian(Contact::new(G, v), &[z, z_dot], &());
            let (force, m) = ([by.F_R_v, by.F_R_x[0], by.F_R_x[1]], -1.0 / self.mass);
            [
                [m * force[0], m * force[1], m * force[2], 0.0],
                [0.0, 0.0, 1.0, 0.0],
                [by.rate_v[1], by.rate_x[1][0], by.rate_x[1][1], 0.0],
                [0.0; 4],
            ]
        }

        fn scale(&self, _: f64, _: &[f64; 4]) -> [f64; 4] {
            [1e-3, 1e-6, 1e-3, f64::MAX]
        }
    }

    #[test]
    fn the_closed_form_agrees_with_an_integration_in_one_piece() {
        let equations = equations();
        let (mut used, tolerance) = (0, 1e-3);
        for mass in [0.1, 1.0, 30.0] {
            for duration in [1e-5, 1e-4, 1e-3, 1e-2] {
                for (share, change) in [(0.0, 1e-4), (0.3, 1e-3), (-0.6, 1e-4), (0.8, -1e-3)] {
                    let load = [share * F_S, (share + change) * F_S];
                    let v = (load[1] - load[0]) / duration / equations.sigma_0;
                    let x = [(load[0] - equations.sigma_1 * v) / equations.sigma_0 * 1.0001, v];
                    let interval = LoadInterval { normal: [G; 2], load, duration, tolerance };
                    let Some(stuck) = stuck_body(&equations, mass, x, v, &interval) else { continue };
                    let system = Coupled { equations, mass, load, duration };
                    let mut end = [v, x[0], x[1], 0.0];
                    Radau::default().advance(&system, &mut end, duration, 1e-10, |_| None).unwrap();
                    let contact = Contact::new(G, v);
                    let of_force =
                        |states: [f64; 2], v: f64| equations.sticking_force(Contact { v, ..contact }, &states);
                    let error = of_force(stuck.states, stuck.v) - of_force([end[1], end[2]], end[0]);
                    let impulse = mass * (stuck.v - end[0]) / duration;
                    assert!(
                        error.abs().max(impulse.abs()) < tolerance * F_S,
                        "{mass} kg, {interval:?}: {stuck:?}, {end:?}"
                    );
                    assert!(
                        (stuck.loss - end[3]).abs() < 10.0 * tolerance * F_S * v.abs() * duration + 1e-15,
                        "{stuck:?}, {end:?}"
                    );
                    used += 1;
                }
            }
        }
        assert!(used > 20, "{used}");
    }
}
