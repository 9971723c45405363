//! The linear oscillator m y″ + d y′ + k y = 0.

use super::constants::SINH_LIMIT;
use crate::integrate::exponential;

/// Mass, damping and stiffness of the oscillator.
pub struct Oscillator {
    /// Mass, kg.
    pub m: f64,
    /// Damping, N·s/m.
    pub d: f64,
    /// Stiffness, N/m.
    pub k: f64,
}

impl Oscillator {
    /// Half the damping rate p (1/s), ω² (1/s²; negative where overdamped), and e⁻ᵖᵗ cos ωt and e⁻ᵖᵗ sin ωt/ω (s) at `t` (s).
    #[inline(always)]
    fn functions(&self, t: f64) -> (f64, f64, f64, f64) {
        let p = 0.5 * self.d / self.m;
        let square = self.k / self.m - p * p;
        let decay = exponential::decay(p * t);
        let (cosine, sine) = if square > 0.0 {
            let omega = square.sqrt();
            // Both from one reduction of the argument.
            let (sine, cosine) = libm::sincos(omega * t);
            (decay * cosine, decay * sine / omega)
        } else {
            // Overdamped: by its two exponentials, which never overflow.
            let root = (-square).sqrt();
            let [slow, fast] =
                [exponential::decay(self.k / self.m / (p + root) * t), exponential::decay((root + p) * t)];
            (0.5 * (slow + fast), if root * t < SINH_LIMIT { t * decay } else { 0.5 * (slow - fast) / root })
        };
        (p, square, cosine, sine)
    }

    /// y and y′ after `t` (s).
    #[inline(always)] // once in each closed form, between numbers in registers
    pub fn at(&self, [y, rate]: [f64; 2], t: f64) -> [f64; 2] {
        let (p, square, cosine, sine) = self.functions(t);
        let slope = rate + p * y;
        let y_end = y * cosine + slope * sine;
        [y_end, slope * cosine - square * y * sine - p * y_end]
    }

    /// y after `t` (s) from y = 1 at rest, and from y = 0 with y′ = 1/s.
    pub fn responses(&self, t: f64) -> [f64; 2] {
        let (p, _, cosine, sine) = self.functions(t);
        [cosine + p * sine, sine]
    }

    /// Bounds of |y| and |y′| for all time: the energy never grows.
    pub fn bounds(&self, [y, rate]: [f64; 2]) -> [f64; 2] {
        let square = self.k / self.m;
        let reach = (y * y + rate * rate / square).sqrt();
        [reach, square.sqrt() * reach]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_motion_satisfies_its_equation_at_every_damping() {
        for d in [0.0, 10.0, 1999.0, 2000.0, 2000.001, 5e4] {
            let oscillator = Oscillator { m: 1.0, d, k: 1e6 };
            let start = [1e-3, -0.4];
            let [reach, speed] = oscillator.bounds(start);
            for i in 0..100 {
                let t = 1e-4 * f64::from(i);
                let dt = 1e-8;
                let [[y, rate], [after, rate_after]] = [oscillator.at(start, t), oscillator.at(start, t + dt)];
                assert_eq!(oscillator.responses(t), [[1.0, 0.0], [0.0, 1.0]].map(|start| oscillator.at(start, t)[0]));
                assert!(y.abs() <= reach * (1.0 + 1e-9) && rate.abs() <= speed * (1.0 + 1e-9), "d = {d} at {t}");
                assert!(((after - y) / dt - 0.5 * (rate + rate_after)).abs() < 1e-4 * speed, "d = {d} at {t}");
                let balance = (rate_after - rate) / dt + d * rate + 1e6 * y;
                assert!(balance.abs() < 1e-3 * (1e6 * reach + d * speed), "d = {d} at {t}: {balance}");
            }
        }
    }
}
