//! The bristle under a constant friction force, in closed form.
//!
//! By equation (3) both roots of m_b s² + σ_1 s + σ_0 are −ω = −2σ_0/σ_1: under a constant force F the bristle goes
//! to its rest F/σ_0 as a critically damped oscillator. This is what happens in an open contact (F = 0) and in full
//! sliding (F = ±F_d).

/// The share of a deflection that some roundings amount to.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// A motion towards rest: z(t) = rest + (offset + drive·t) e^(−ωt).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Relaxation {
    rest: f64,
    omega: f64,
    offset: f64,
    drive: f64,
}

/// Between which values z (m) and ż (m/s) stay for all time.
pub struct Reach {
    pub z: [f64; 2],
    pub z_dot: [f64; 2],
}

impl Relaxation {
    /// The motion from `x` = (z, ż) towards `rest` (m) at the rate `omega` (1/s).
    pub fn new(x: &[f64; 2], rest: f64, omega: f64) -> Self {
        let offset = x[0] - rest;
        Relaxation { rest, omega, offset, drive: x[1] + omega * offset }
    }

    /// (z, ż) after `t` s.
    pub fn at(&self, t: f64) -> [f64; 2] {
        let Relaxation { rest, omega, offset, drive } = *self;
        let distance = offset + drive * t;
        // Within rounding of its rest the bristle is there: in short steps it would come no closer.
        if distance.abs().max(offset.abs()) < ROUNDING * rest.abs() {
            return [rest, 0.0];
        }
        let decay = libm::exp(-omega * t);
        // Once decayed to nothing, nothing is left, however large ω·t is.
        if decay == 0.0 {
            return [rest, 0.0];
        }
        [rest + distance * decay, (drive - omega * distance) * decay]
    }

    /// Bounds that hold for all t ≥ 0, by e^(−ωt) ≤ 1 and ωt e^(−ωt) ≤ 1/e.
    pub fn reach(&self) -> Reach {
        const INVERSE_E: f64 = 0.367_879_441_171_442_4;
        let Relaxation { rest, omega, offset, drive } = *self;
        let between = |start: f64, swing: f64| [start.min(0.0) + swing.min(0.0), start.max(0.0) + swing.max(0.0)];
        let [low, high] = between(offset, drive / omega * INVERSE_E);
        let z_dot = between(drive - omega * offset, -drive * INVERSE_E);
        Reach { z: [rest + low, rest + high], z_dot }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_motion_starts_where_it_should_meets_its_equation_and_stays_in_reach() {
        let omega = 3132.0;
        for x in [[1e-6, 0.0], [-1e-6, 2e-3], [0.0, -5e-3], [3e-6, 8e-3], [5e-7, 0.0]] {
            let motion = Relaxation::new(&x, 5e-7, omega);
            let start = motion.at(0.0);
            assert!((start[0] - x[0]).abs() < 1e-20 && (start[1] - x[1]).abs() < 1e-17, "{start:?}");
            let reach = motion.reach();
            for i in 0..200 {
                let t = 1e-5 * f64::from(i);
                let [z, z_dot] = motion.at(t);
                assert!(reach.z[0] <= z && z <= reach.z[1], "{x:?} at {t}");
                assert!(reach.z_dot[0] <= z_dot && z_dot <= reach.z_dot[1], "{x:?} at {t}");
                // z̈ + 2ω ż + ω² (z − rest) = 0, with differences for the derivatives.
                let dt = 1e-8;
                let [[z_before, _], [z_after, after]] = [motion.at(t), motion.at(t + dt)];
                assert!(((z_after - z_before) / dt - 0.5 * (z_dot + after)).abs() < 1e-6);
                let acceleration = (after - z_dot) / dt;
                let balance = acceleration + 2.0 * omega * z_dot + omega * omega * (z - 5e-7);
                assert!(balance.abs() < 1e-3 * omega * omega * 3e-6, "{x:?} at {t}: {balance}");
            }
        }
    }

    #[test]
    fn after_a_long_time_exactly_the_rest_is_left() {
        assert_eq!(Relaxation::new(&[1.0, 1e300], 2e-6, 1e3).at(1e6), [2e-6, 0.0]);
    }
}
