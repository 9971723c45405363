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
}

/// The body of the test bench, moved over steps in which the friction force is held.
///
/// The load is held, too, at the mean of its values at both ends. An element sees only velocities at the ends of steps:
/// were the body moved by a load that varies in between, the two would drift apart by h² F_E/(12 m).
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
        let acceleration = (0.5 * (load.at(t) + load.at(t + h)) - friction) / MASS;
        self.u += h * (self.v + 0.5 * h * acceleration);
        self.v += h * acceleration;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_body_gains_the_impulse_of_its_load() {
        let load = StepLoad { force: 2.0, duration: 0.3 };
        let mut body = Body::AT_REST;
        for i in 0..1000 {
            body.advance(&load, 1e-3 * f64::from(i), 1e-3, 0.5);
        }
        // The cubic's mean is half its end: ∫F dt = 2 (0.15 + 0.7); its double integral adds 2 (0.15·0.3² + …).
        let v = 2.0 * (0.15 + 0.7) - 0.5;
        let u = 2.0 * (0.15 * 0.09 + 0.15 * 0.7 + 0.5 * 0.49) - 0.25;
        assert!((body.v - v).abs() < 1e-12 && (body.u - u).abs() < 1e-6, "{body:?} for {u}, {v}");
    }

    #[test]
    fn the_load_reaches_the_sticking_limit_when_the_paper_says() {
        // Sec. 4: F_E = 1.05 F_s in 10 s passes F_s at t_B = 8.6808 s.
        let load = StepLoad { force: 1.05, duration: 10.0 };
        assert!(load.at(8.68075) < 1.0 && load.at(8.68085) > 1.0);
    }
}
