//! Gear of a torque joint: its friction grows with the torque that it transmits.
//!
//! The load λ = 1 + |k_m τ_m − k_e τ_e|/M_d multiplies the friction of the joint, so that that of
//! sliding is M_d + |k_m τ_m − k_e τ_e|. With k_m ≠ k_e driving and back-driving differ: the
//! sliding friction of models M3 and M5 of M. Duclusaud and others, Extended Friction Models for
//! the Physics Simulation of Servo Actuators, arXiv 2410.08650. The friction at rest grows in
//! proportion, where their M4 to M6 have factors of its own.
//!
//! A gear with a table of losses over the speed has the friction of the table: the component
//! LossyGear of the Modelica Standard Library.

use super::V;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::scalar::{Scalar, magnitude};
use crate::variable::{Unit, Variable};
use std::sync::Arc;

/// Torque of the motor.
pub const TAU_M: Variable = Variable::input(
    6,
    "tau_m",
    r"\tau_m",
    Unit::NewtonMetre,
    "Torque of the motor on the shaft of the joint, in the direction of omega; held over a step",
)
.nominal(1.0);
/// Torque of the load.
pub const TAU_E: Variable = Variable::input(
    7,
    "tau_e",
    r"\tau_e",
    Unit::NewtonMetre,
    "Torque of the load on the same shaft, in the direction of omega; held over a step",
)
.nominal(1.0);
/// Friction by the torque of the motor.
pub const K_M: Variable = Variable::parameter(
    76,
    "k_m",
    "k_m",
    Unit::One,
    0.0,
    "Friction by the torque of the motor: abs(k_m tau_m - k_e tau_e) is added to that of sliding",
)
.within(-10.0..=10.0);
/// Friction by the torque of the load.
pub const K_E: Variable = Variable::parameter(
    77,
    "k_e",
    "k_e",
    Unit::One,
    0.0,
    "Friction by the torque of the load: abs(k_m tau_m - k_e tau_e) is added to that of sliding",
)
.within(-10.0..=10.0);

/// Variables of a gear by two factors.
pub(super) static GEAR: [Variable; 4] = [TAU_M, TAU_E, K_M, K_E];
/// Variables of a gear by a table of losses.
pub(super) static LOSSES: [Variable; 1] = [TAU_M];

/// Gear of a joint, by two factors.
#[derive(Clone, Copy, Debug)]
pub struct Gear {
    /// Parameter of the law with the torque of sliding, N·m.
    pub sliding: &'static Variable,
}

impl Gear {
    /// Load λ.
    pub(super) fn load<S: Scalar>(&self, of: impl Fn(&Variable) -> S) -> S {
        let transmitted = of(&K_M) * of(&TAU_M) - of(&K_E) * of(&TAU_E);
        magnitude(transmitted) * of(self.sliding).reciprocal() + 1.0
    }
}

/// Row of a table of losses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossRow {
    /// Speed of the shaft, rad/s.
    pub speed: f64,
    /// Efficiencies of the mesh: driven by the torque of the shaft, and driven back.
    pub efficiency: [f64; 2],
    /// Friction of the bearings in the same directions of power, N·m.
    pub bearings: [f64; 2],
}

impl SavedState for LossRow {
    fn write(&self, writer: &mut Writer) {
        self.speed.write(writer);
        self.efficiency.write(writer);
        self.bearings.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        Some(LossRow {
            speed: SavedState::read(reader)?,
            efficiency: SavedState::read(reader)?,
            bearings: SavedState::read(reader)?,
        })
    }
}

/// Smallest efficiency of the mesh driven back, by which its losses are divided.
const LEAST_EFFICIENCY: f64 = 1e-6;

/// Gear of a joint, by a table of losses over the speed, lines between its rows and beyond them.
///
/// With the torque τ into the gear, in the direction of motion, its friction is (1 − η_1) τ + τ_1
/// where it is driven and (1 − 1/η_2) τ + τ_2 where it is driven back. It is driven where τ exceeds
/// the torque at which both are equal.
///
/// Source: Modelica Standard Library 4, LossyGear; C. Pelchen, C. Schweiger, M. Otter, *Modeling
/// and Simulating the Efficiency of Gearboxes and of Planetary Gearboxes*, Modelica 2002.
#[derive(Clone, Debug)]
pub struct Losses {
    /// Parameter of the law with the torque of sliding, N·m.
    pub sliding: &'static Variable,
    /// Variable whose sign is the direction of a joint at rest: the deflection of the law's
    /// bristle, or the applied torque.
    pub direction_at_rest: &'static Variable,
    /// Rows by rising speed, at least one.
    pub rows: Arc<[LossRow]>,
}

/// Speed (rad/s) below which a joint rests.
const REST: f64 = 1e-12;

impl Losses {
    /// Load λ: the friction over the torque of sliding.
    pub(super) fn load<S: Scalar>(&self, of: impl Fn(&Variable) -> S) -> S {
        let (omega, torque) = (of(&V), of(&TAU_M));
        let direction = if omega.value().abs() > REST {
            omega
        } else {
            of(self.direction_at_rest)
        };
        let is_backward = direction.value() < 0.0;
        let torque = if is_backward { -torque } else { torque };
        let [driven, back, bearings, bearings_back] = self.at(omega.abs());
        let back = back.reciprocal();
        let loss = torque * (-driven + 1.0) + bearings;
        let loss_back = torque * (-back + 1.0) + bearings_back;
        // Of two lines that fall and rise with the torque the upper one holds.
        let loss = if loss.value() >= loss_back.value() {
            loss
        } else {
            loss_back
        };
        loss * of(self.sliding).reciprocal()
    }

    /// Efficiencies and frictions of the bearings at a speed.
    fn at<S: Scalar>(&self, speed: S) -> [S; 4] {
        let numbers = |row: &LossRow| {
            let ([driven, back], [bearings, bearings_back]) = (row.efficiency, row.bearings);
            [driven, back, bearings, bearings_back]
        };
        let rows = &self.rows;
        let above = rows.partition_point(|row| row.speed <= speed.value());
        let first = above.saturating_sub(1).min(rows.len().saturating_sub(2));
        let (row, next) = (&rows[first], rows.get(first + 1));
        let share = next.map(|next| (speed + -row.speed) * (1.0 / (next.speed - row.speed)));
        let (start, end) = (numbers(row), next.map_or(numbers(row), numbers));
        let bounds = [
            (0.0, 1.0),
            (LEAST_EFFICIENCY, 1.0),
            (0.0, f64::INFINITY),
            (0.0, f64::INFINITY),
        ];
        core::array::from_fn(|i| {
            let number = match share {
                Some(share) => share * (end[i] - start[i]) + start[i],
                None => S::constant(start[i]),
            };
            let (least, most) = bounds[i];
            let kept = number.value().clamp(least, most);
            if kept == number.value() {
                number
            } else {
                S::constant(kept)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::NORMAL_FORCE;

    /// Losses of LossyGear, written by its equations, of a shaft that turns forward.
    fn lossy_gear([eta_1, eta_2, tau_1, tau_2]: [f64; 4], tau: f64) -> f64 {
        let shared = if eta_1 == 1.0 && eta_2 == 1.0 {
            tau_1 / 2.0
        } else {
            (tau_1 - tau_2) / (eta_1 - 1.0 / eta_2)
        };
        if tau - shared > 0.0 {
            (1.0 - eta_1) * tau + tau_1
        } else {
            (1.0 - 1.0 / eta_2) * tau + tau_2
        }
    }

    #[test]
    fn losses_are_those_of_the_library() {
        let tables = [
            [0.85, 0.8, 0.1, 0.1],
            [0.8, 0.8, 1.0, 1.0],
            [0.5, 0.5, 0.0, 0.0],
            [0.25, 0.25, 0.625, 2.5],
            [0.9, 1.0, 0.0, 0.0],
        ];
        for numbers in tables {
            let [eta_1, eta_2, tau_1, tau_2] = numbers;
            let row = LossRow {
                speed: 0.0,
                efficiency: [eta_1, eta_2],
                bearings: [tau_1, tau_2],
            };
            let losses = Losses {
                sliding: &NORMAL_FORCE,
                direction_at_rest: &TAU_M,
                rows: [row].into(),
            };
            for tau in [-30.0, -1.0, -0.2, 0.0, 0.1, 0.3, 2.0, 50.0] {
                for direction in [1.0, -1.0] {
                    let of = |known: &Variable| match known {
                        known if known.is(&TAU_M) => direction * tau,
                        known if known.is(&V) => direction * 3.0,
                        _ => 2.0,
                    };
                    let (found, expected) = (2.0 * losses.load(of), lossy_gear(numbers, tau));
                    assert!(
                        (found - expected).abs() <= 1e-14 * (1.0 + expected.abs()),
                        "{numbers:?}, {tau} N.m: {found} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn rows_are_joined_and_continued_by_lines() {
        let row = |speed, eta, tau| LossRow {
            speed,
            efficiency: [eta; 2],
            bearings: [tau; 2],
        };
        let losses = Losses {
            sliding: &NORMAL_FORCE,
            direction_at_rest: &TAU_M,
            rows: [row(0.0, 0.8, 1.0), row(1.0, 0.7, 2.0)].into(),
        };
        for speed in [0.0, 0.5, 1.0, 3.0, 100.0] {
            let [driven, back, bearings, _] = losses.at::<f64>(speed);
            let expected = (0.8 - 0.1 * speed).max(0.0);
            assert!((driven - expected).abs() < 1e-14 && (bearings - 1.0 - speed).abs() < 1e-12);
            assert_eq!(back, driven.max(LEAST_EFFICIENCY));
        }
    }
}
