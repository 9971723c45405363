//! Results of a law: at one instant, over a step, and limits of an integration.

/// Force and rates of a law at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation<const N: usize> {
    /// Friction force F_R, N, positive for v > 0 and opposing it.
    pub F_R: f64,
    /// The contact sticks, by the law's own criterion.
    pub sticking: bool,
    /// Time derivatives of the states. The first state, where there is one, is the bristle deflection z.
    pub rate: [f64; N],
}

/// Partial derivatives of a law at one instant.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian<const N: usize> {
    /// Rates by states, as rows.
    pub rate_x: [[f64; N]; N],
    /// Rates by the normal force.
    pub rate_F_N: [f64; N],
    /// Rates by the contact velocity.
    pub rate_v: [f64; N],
    /// F_R by the states.
    pub F_R_x: [f64; N],
    /// F_R by the normal force.
    pub F_R_F_N: f64,
    /// F_R by the contact velocity.
    pub F_R_v: f64,
    /// F_R by the acceleration.
    pub F_R_a: f64,
    /// F_R by the applied tangential force.
    pub F_R_F_t: f64,
    /// F_R by the velocity one delay ago.
    pub F_R_v_past: f64,
}

impl<const N: usize> Jacobian<N> {
    /// All derivatives 0.
    pub const ZERO: Self = Jacobian {
        rate_x: [[0.0; N]; N],
        rate_F_N: [0.0; N],
        rate_v: [0.0; N],
        F_R_x: [0.0; N],
        F_R_F_N: 0.0,
        F_R_v: 0.0,
        F_R_a: 0.0,
        F_R_F_t: 0.0,
        F_R_v_past: 0.0,
    };
}

/// Partial derivatives of a law in the plane at one instant. The indices of force and velocity are the axes x and y.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarJacobian<const N: usize> {
    /// Rates by states, as rows.
    pub rate_x: [[f64; N]; N],
    /// Rates by the normal force.
    pub rate_F_N: [f64; N],
    /// Rates by the contact velocity.
    pub rate_v: [[f64; 2]; N],
    /// Force by the states.
    pub force_x: [[f64; N]; 2],
    /// Force by the normal force.
    pub force_F_N: [f64; 2],
    /// Force by the contact velocity.
    pub force_v: [[f64; 2]; 2],
}

impl<const N: usize> PlanarJacobian<N> {
    /// All derivatives 0.
    pub const ZERO: Self = PlanarJacobian {
        rate_x: [[0.0; N]; N],
        rate_F_N: [0.0; N],
        rate_v: [[0.0; 2]; N],
        force_x: [[0.0; N]; 2],
        force_F_N: [0.0; 2],
        force_v: [[0.0; 2]; 2],
    };

    /// Derivatives of the rates and of the force along x, by the velocity along x.
    pub fn along_x(&self) -> Jacobian<N> {
        Jacobian {
            rate_x: self.rate_x,
            rate_F_N: self.rate_F_N,
            rate_v: self.rate_v.map(|[by_v, _]| by_v),
            F_R_x: self.force_x[0],
            F_R_F_N: self.force_F_N[0],
            F_R_v: self.force_v[0][0],
            ..Jacobian::ZERO
        }
    }
}

/// Totals of a communication step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// Friction loss over the step, ∫ F_R v dt, J.
    pub loss: f64,
    /// Impulse of friction, ∫ F_R dt, N·s; from [`advance`](super::advance) and
    /// [`Law::advance_with_impulse`](super::Law::advance_with_impulse) only, else 0; of no meaning for a law in the plane.
    pub impulse: f64,
    /// Inner steps, rejected ones included.
    pub inner_steps: u32,
    /// Estimated error of F_R over F_s at the end, where it exceeds the tolerance; otherwise 0.
    pub force_error: f64,
}

/// Limits to the length of an inner step, in addition to its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepLimits {
    /// Largest change of the contact velocity within a step, m/s, so that no kink or curved part of the force lies between two stages;
    /// infinite where the error estimate covers all of them.
    pub max_dv: f64,
    /// Rate at which errors grow, 1/s; 0 where they do not. An implicit method with steps longer than 1/rate would damp an unstable
    /// motion.
    pub growth_rate: f64,
    /// Longest step, s, which ends at a kink of the rates; infinite where there is none ahead.
    pub longest: f64,
}

impl StepLimits {
    /// No limits.
    pub const FREE: StepLimits = StepLimits { max_dv: f64::INFINITY, growth_rate: 0.0, longest: f64::INFINITY };
}
