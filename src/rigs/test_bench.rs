//! The virtual friction test bench: a body on a plate, pushed by a force that rises smoothly and stays.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, Fig. 2 and Listings A1–A3.

/// Acceleration of gravity, m/s² (Listing A1).
pub const G: f64 = 9.81;
/// Mass of the body, kg (Listing A1).
pub const MASS: f64 = 1.0;

/// A force that rises as a cubic from 0 at t = 0 to `force` at `duration` (Listing A3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLoad {
    /// Final force F_E, N.
    pub force: f64,
    /// Time of the rise t_E, s.
    pub duration: f64,
}

impl StepLoad {
    /// The force F at time `t`, N.
    pub fn at(&self, t: f64) -> f64 {
        let xi = (t / self.duration).clamp(0.0, 1.0);
        self.force * xi * xi * (3.0 - 2.0 * xi)
    }

    /// ∫F dt from 0 to `t`, N·s.
    fn impulse(&self, t: f64) -> f64 {
        let xi = (t / self.duration).clamp(0.0, 1.0);
        let rise = self.duration * xi * xi * xi * (1.0 - 0.5 * xi);
        self.force * (rise + (t - self.duration).max(0.0))
    }

    /// ∬F dt² from 0 to `t`, N·s².
    fn double_impulse(&self, t: f64) -> f64 {
        let xi = (t / self.duration).clamp(0.0, 1.0);
        let rise = self.duration * self.duration * xi * xi * xi * xi * (0.25 - 0.1 * xi);
        let hold = (t - self.duration).max(0.0);
        self.force * (rise + hold * (0.5 * self.duration + 0.5 * hold))
    }
}

/// The body of the test bench, moved exactly under its load while the friction force is held over each step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Displacement u, m.
    pub u: f64,
    /// Velocity v, m/s.
    pub v: f64,
}

impl Body {
    /// The body at rest at the origin.
    pub const AT_REST: Body = Body { u: 0.0, v: 0.0 };

    /// Moves the body from `t` to `t + h` (s) under `load` against the friction force `friction` (N), held.
    pub fn advance(&mut self, load: &StepLoad, t: f64, h: f64, friction: f64) {
        let impulse = load.impulse(t + h) - load.impulse(t);
        let travel = load.double_impulse(t + h) - load.double_impulse(t) - h * load.impulse(t);
        self.u += h * self.v + (travel - 0.5 * friction * h * h) / MASS;
        self.v += (impulse - friction * h) / MASS;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_moves_as_its_load_integrated_step_by_step() {
        let load = StepLoad { force: 2.0, duration: 0.3 };
        let mut body = Body::AT_REST;
        for i in 0..10 {
            body.advance(&load, 0.1 * f64::from(i), 0.1, 0.5);
        }
        // Simpson's rule on a fine grid, which is exact for a cubic.
        let (mut u, mut v) = (0.0, 0.0);
        let h = 1e-4;
        for i in 0..10_000 {
            let t = h * f64::from(i);
            let a = |t: f64| (load.at(t) - 0.5) / MASS;
            u += h * v + h * h / 6.0 * (a(t) + 2.0 * a(t + 0.5 * h));
            v += h / 6.0 * (a(t) + 4.0 * a(t + 0.5 * h) + a(t + h));
        }
        assert!((body.u - u).abs() < 1e-12 && (body.v - v).abs() < 1e-12, "{body:?} for {u}, {v}");
    }

    #[test]
    fn the_load_reaches_the_sticking_limit_when_the_paper_says() {
        // Sec. 4: F_E = 1.05 F_s in 10 s passes F_s at t_B = 8.6808 s.
        let load = StepLoad { force: 1.05, duration: 10.0 };
        assert!(load.at(8.68075) < 1.0 && load.at(8.68085) > 1.0);
    }
}
