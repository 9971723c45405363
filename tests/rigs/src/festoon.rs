//! The festoon cable system of a crane: two trolleys on a rail between a fixed end and a towing
//! trolley, and three cable masses, each hung by two links.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, Sec. 6 and Figs 10–12.
//!
//! | quantity | value | |
//! |---|---|---|
//! | u_TT(0) | 1.5529 m | printed; 6 sin 15°: links of 1 m at 15° |
//! | trolleys at rest | u_TT/3, 2u_TT/3 | printed |
//! | cable masses at rest | u_TT/6, u_TT/2, 5u_TT/6; z_C = 0.96698 m | printed |
//! | u_TT(5 s) | 5.553 m | printed |
//! | velocity of the towing trolley | up to 1 m/s in 1 s, down from 4 to 5 s | read from Fig. 11a |
//! | μ_s, μ_d | 0.08, 0.05 | printed |
//! | link length | 1 m | derived from u_TT(0) |
//! | k/m_C | 4955–5024 1/s² | derived from z_C and 15° |
//! | m_C, m_T, k, d | 2 kg, 0.25 kg, 1e4 N/m, 20 N·s/m | chosen, see below |
//! | bristle | the defaults of FrDyn2 | chosen |
//!
//! With the chosen masses, springs and dampers trolley 1 turns at 6.457 s, slides on both sides of
//! that under 21.2 N, and trolley 2 sticks. Other sets come as near.

use super::{G, Rig};
use bristle::law::Contact;

/// The position of the towing trolley at t = 0, m.
pub const START: f64 = 1.5529;
/// Natural length of a link, m.
pub const LINK: f64 = 1.0;

/// Velocity of the towing trolley at time `t`, m/s.
pub fn towing_velocity(t: f64) -> f64 {
    t.clamp(0.0, 1.0).min((5.0 - t).clamp(0.0, 1.0))
}

/// Position of the towing trolley at time `t`, m.
pub fn towing_position(t: f64) -> f64 {
    let rise = 0.5 * t.clamp(0.0, 1.0) * t.clamp(0.0, 1.0);
    let steady = (t - 1.0).clamp(0.0, 3.0);
    let fall = (t - 4.0).clamp(0.0, 1.0);
    START + rise + steady + fall * (1.0 - 0.5 * fall)
}

/// The system. Its states are positions and velocities of trolleys 1 and 2 (x) and of cable masses
/// 1, 2 and 3 (x, z; z counts downward from the rail).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Festoon {
    /// Mass m_T of a trolley, kg.
    pub trolley: f64,
    /// Mass m_C of a piece of cable, kg.
    pub cable: f64,
    /// Stiffness k of a link, N/m.
    pub stiffness: f64,
    /// Damping d of a link, N·s/m.
    pub damping: f64,
}

impl Default for Festoon {
    fn default() -> Self {
        Festoon {
            trolley: 0.25,
            cable: 2.0,
            stiffness: 1e4,
            damping: 20.0,
        }
    }
}

/// Indices of the states.
const TROLLEYS: usize = 0;
const CABLES: usize = 4;

/// A link's end: position and velocity, x and z.
type End = [f64; 4];

impl Festoon {
    /// The force (x, z) that a link exerts on its end `a` towards `b`, N.
    fn link(&self, a: End, b: End) -> [f64; 2] {
        let [x, z] = [b[0] - a[0], b[1] - a[1]];
        let length = (x * x + z * z).sqrt();
        let lengthening = (x * (b[2] - a[2]) + z * (b[3] - a[3])) / length;
        let tension = self.stiffness * (length - LINK) + self.damping * lengthening;
        [tension * x / length, tension * z / length]
    }

    /// The depth of a cable mass at rest between two ends that are a third of u_TT(0) apart, m.
    pub fn depth_at_rest(&self) -> f64 {
        let reach = START / 6.0;
        let (mut high, mut low) = (0.5 * LINK, 1.5 * LINK);
        for _ in 0..100 {
            let z = 0.5 * (high + low);
            let length = (reach * reach + z * z).sqrt();
            let lift = 2.0 * self.stiffness * (length - LINK) * z / length;
            if lift < self.cable * G {
                high = z
            } else {
                low = z
            }
        }
        0.5 * (high + low)
    }

    /// The four points of the rail that links hang from: fixed end, trolleys, towing trolley.
    fn rail(t: f64, y: &[f64]) -> [End; 4] {
        let trolley = |i: usize| [y[TROLLEYS + 2 * i], 0.0, y[TROLLEYS + 2 * i + 1], 0.0];
        [
            [0.0; 4],
            trolley(0),
            trolley(1),
            [towing_position(t), 0.0, towing_velocity(t), 0.0],
        ]
    }

    fn cable(y: &[f64], i: usize) -> End {
        let at = CABLES + 4 * i;
        [y[at], y[at + 1], y[at + 2], y[at + 3]]
    }

    /// The force (x, z) of both links on trolley `i`, N; z counts downward.
    fn on_trolley(&self, t: f64, y: &[f64], i: usize) -> [f64; 2] {
        let trolley = Self::rail(t, y)[i + 1];
        let [before, after] = [
            self.link(trolley, Self::cable(y, i)),
            self.link(trolley, Self::cable(y, i + 1)),
        ];
        [before[0] + after[0], before[1] + after[1]]
    }
}

impl Rig for Festoon {
    fn start(&self) -> Vec<f64> {
        let depth = self.depth_at_rest();
        let mut y = vec![START / 3.0, 0.0, 2.0 * START / 3.0, 0.0];
        for part in [1.0, 3.0, 5.0] {
            y.extend([part * START / 6.0, depth, 0.0, 0.0]);
        }
        y
    }

    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("x_T1", "m"),
            ("v_T1", "m/s"),
            ("x_T2", "m"),
            ("v_T2", "m/s"),
            ("x_C1", "m"),
            ("z_C1", "m"),
            ("vx_C1", "m/s"),
            ("vz_C1", "m/s"),
            ("x_C2", "m"),
            ("z_C2", "m"),
            ("vx_C2", "m/s"),
            ("vz_C2", "m/s"),
            ("x_C3", "m"),
            ("z_C3", "m"),
            ("vx_C3", "m/s"),
            ("vz_C3", "m/s"),
        ]
    }

    fn sizes(&self) -> Vec<f64> {
        vec![1.0; 16]
    }

    fn contacts(&self) -> usize {
        2
    }

    fn contact(&self, t: f64, y: &[f64], contact: usize) -> Contact {
        let [along, down] = self.on_trolley(t, y, contact);
        Contact {
            F_t: along,
            ..Contact::new(self.trolley * G + down, y[TROLLEYS + 2 * contact + 1])
        }
    }

    fn mass(&self, _: usize) -> f64 {
        self.trolley
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        for i in 0..2 {
            rate[TROLLEYS + 2 * i] = y[TROLLEYS + 2 * i + 1];
            rate[TROLLEYS + 2 * i + 1] = (self.on_trolley(t, y, i)[0] - friction[i]) / self.trolley;
        }
        let rail = Self::rail(t, y);
        for i in 0..3 {
            let cable = Self::cable(y, i);
            let [before, after] = [self.link(cable, rail[i]), self.link(cable, rail[i + 1])];
            let at = CABLES + 4 * i;
            rate[at] = cable[2];
            rate[at + 1] = cable[3];
            rate[at + 2] = (before[0] + after[0]) / self.cable;
            rate[at + 3] = (before[1] + after[1]) / self.cable + G;
        }
    }

    fn kinks(&self) -> Vec<f64> {
        vec![1.0, 4.0, 5.0]
    }

    fn longest_step(&self) -> f64 {
        5e-4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn festoon_starts_in_equilibrium() {
        let rig = Festoon::default();
        let y = rig.start();
        // z_C is printed as 0.96698 m.
        assert!(
            (rig.depth_at_rest() - 0.96698).abs() < 1e-5,
            "{}",
            rig.depth_at_rest()
        );
        let mut rate = [0.0; 16];
        rig.rate(0.0, &y, &[0.0; 2], &mut rate);
        assert!(rate.iter().all(|rate| rate.abs() < 1e-9), "{rate:?}");
        for contact in 0..2 {
            assert!(
                (rig.contact(0.0, &y, contact).F_N - (rig.trolley + rig.cable) * G).abs() < 1e-9
            );
        }
    }

    #[test]
    fn towing_trolley_reaches_its_printed_end() {
        assert!(
            (towing_position(5.0) - 5.553).abs() < 1e-3
                && towing_position(9.0) == towing_position(5.0)
        );
        for t in [0.3, 0.999, 2.5, 4.2, 4.9] {
            let difference = (towing_position(t + 1e-6) - towing_position(t - 1e-6)) / 2e-6;
            assert!(
                (difference - towing_velocity(t)).abs() < 1e-6,
                "{difference} at {t}"
            );
        }
    }
}
