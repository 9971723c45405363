//! Inner steps of the deflection against its closed forms.

use super::*;

/// F_N and dF_N/dt, and P and the velocity, which are constant.
struct Motion {
    normal: f64,
    slope: f64,
    p: f64,
    v: f64,
}

impl Motion {
    fn equation(&self, t: f64) -> LinearEquation<1> {
        let normal = self.normal + self.slope * t;
        LinearEquation { normal, decay: self.p, drive: [normal * self.v] }
    }

    /// z at the time `t` (s), with the value `z` at 0: a power of F_N and the steady motion.
    fn exact(&self, z: f64, t: f64) -> f64 {
        let Motion { normal, slope, p, v } = *self;
        let force = normal + slope * t;
        let decay = libm::pow(force / normal, -p / slope);
        z * decay + v * (force - normal * decay) / (p + slope)
    }

    /// Error of a step over the interval 0 … 1 s from `z`, and its estimate.
    fn step(&self, z: f64) -> [f64; 2] {
        let at = NODES.map(|t| self.equation(t));
        let LinearStep { stages, error } = linear_step(self.equation(0.0), at, 1.0, [z], error_of_rise);
        [(stages[STAGES - 1][0] - self.exact(z, 1.0)).abs(), error]
    }
}

#[test]
fn estimate_is_above_the_error_however_far_the_normal_force_rises() {
    for decades in [0.2, 0.9, 1.0, 1.05, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0] {
        for exponent in [1e-6, 1e-3, 0.1, 0.4, 0.9] {
            for v in [0.0, 0.3, -0.3] {
                let normal = libm::exp10(-decades);
                let slope = 1.0 - normal;
                let motion = Motion { normal, slope, p: exponent * slope, v };
                let [wrong, estimate] = motion.step(1.0);
                let said = format!("{decades} decades, exponent {exponent}, {v}");
                assert!(wrong <= estimate + 1e-14, "{said}: {wrong:e}, estimated {estimate:e}");
                // It is not far above it where the deflection hardly decays.
                let far = decades >= 1.5 && exponent <= 1e-3;
                assert!(!far || estimate < 6.0 * wrong + 1e-14, "{said}: {wrong:e}, estimated {estimate:e}");
            }
        }
    }
}

#[test]
fn estimate_is_above_the_error_while_the_normal_force_falls() {
    for last in [0.9, 0.5, 0.3] {
        for exponent in [1e-6, 1e-3, 0.1, 0.9] {
            let slope = last - 1.0;
            let motion = Motion { normal: 1.0, slope, p: -exponent * slope, v: 0.2 };
            let [wrong, estimate] = motion.step(1.0);
            assert!(wrong <= estimate + 1e-15, "down to {last}, {exponent}: {wrong:e}, estimated {estimate:e}");
        }
    }
}

#[test]
fn deflection_that_moves_with_the_body_is_exact_under_any_normal_force() {
    // v of degree 3: the deflection of degree 4 lies on the polynomial of a step.
    let v = |t: f64| 0.2 - 1.5 * t + 4.0 * t * t - 2.5 * t * t * t;
    let way = |t: f64| t * (0.2 + t * (-0.75 + t * (4.0 / 3.0 - 0.625 * t)));
    for (first, last) in [(1e-9, 300.0), (300.0, 1e-9), (2.0, 1.0)] {
        let equation = |t: f64| {
            let normal = first + (last - first) * t;
            LinearEquation { normal, decay: 0.0, drive: [normal * v(t), -2.0 * normal * v(t)] }
        };
        let at = NODES.map(equation);
        let LinearStep { stages, error } = linear_step(equation(0.0), at, 1.0, [0.7, 0.1], error_of_rise);
        for (node, [x, y]) in NODES.into_iter().zip(stages) {
            let wrong = (x - 0.7 - way(node)).abs() + (y - 0.1 + 2.0 * way(node)).abs();
            assert!(wrong < 1e-13, "from {first} to {last}, at {node}: {wrong:e}");
        }
        // The bend of the polynomial is no error, but the estimate has it.
        assert!(error < 1.0, "{error}");
    }
}
