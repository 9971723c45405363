//! \[MSL\] PartialFriction: the state machine with a line or a table of coefficients and a peak.

use crate::law::parameters;
use crate::partial_friction::{SlidingCurve, Solution};

parameters! {
    /// Parameters. The table is used up to the first velocity that is 0.
    ModelicaFriction {
        /// Coefficient at rest.
        mu_0 = 0.5, element 0.6;
        /// Slope without a table, s/m.
        mu_1 = 0.0;
        /// Largest sticking over sliding force at rest.
        peak = 1.0;
        /// Velocity up to which the contact can be stuck, m/s.
        v_small = 1e-3;
        /// First velocity of the table, m/s.
        v_1 = 0.0, element 1.5e-3;
        /// Second velocity of the table, m/s.
        v_2 = 0.0, element 4.5e-3;
        /// Third velocity of the table, m/s.
        v_3 = 0.0, element 7.5e-3;
        /// Fourth velocity of the table, m/s.
        v_4 = 0.0, element 9e-3;
        /// Coefficient at the first velocity.
        mu_v1 = 0.0, element 0.578;
        /// Coefficient at the second velocity.
        mu_v2 = 0.0, element 0.45;
        /// Coefficient at the third velocity.
        mu_v3 = 0.0, element 0.322;
        /// Coefficient at the fourth velocity.
        mu_v4 = 0.0, element 0.3;
    } => Solution::new
}

impl SlidingCurve for ModelicaFriction {
    fn coefficient(&self, speed: f64) -> f64 {
        let rows = [
            (self.v_1, self.mu_v1),
            (self.v_2, self.mu_v2),
            (self.v_3, self.mu_v3),
            (self.v_4, self.mu_v4),
        ];
        let mut points = vec![(0.0, self.mu_0)];
        points.extend(rows.into_iter().take_while(|(v, _)| *v != 0.0));
        if points.len() == 1 {
            return (self.mu_0 + self.mu_1 * speed).max(0.0);
        }
        let Some(upper) = points.iter().position(|(v, _)| speed <= *v) else {
            // Beyond the last point its coefficient holds.
            return points[points.len() - 1].1;
        };
        let upper = upper.max(1);
        let [(v, mu), (next_v, next_mu)] = [points[upper - 1], points[upper]];
        mu + (next_mu - mu) * (speed - v) / (next_v - v)
    }

    fn peak(&self) -> f64 {
        self.peak
    }

    fn v_small(&self) -> f64 {
        self.v_small
    }
}
