//! Random inputs of a rig: a contact that slides, sticks, reverses, bounces and just closes, step
//! after step.
//!
//! Velocity and normal force each follow a random process of their own, which changes every few
//! hundred steps. |v| stays below about 2 m/s, |dv/dt| below 100 m/s² but where v jumps. A block
//! that is faster is braked in the next step.

use crate::H;
use bristle_random::Random;
use bristle_reference_laws::{Derivatives, InputPolynomials};
use std::ops::RangeInclusive;

/// Largest velocity, m/s.
const SPEED: f64 = 2.0;
/// Largest acceleration, m/s².
const ACCELERATION: f64 = 100.0;
/// Normal forces of a contact that just closes, N.
const CLOSING: RangeInclusive<f64> = 1e-15..=1e-3;
/// Masses of a block, kg.
const MASSES: RangeInclusive<f64> = 1e-3..=1e3;
/// Least normal force of a body in stick, over the largest one.
const LEAST_STICK_FORCE: f64 = 0.5;
/// Largest load of a body in stick, over the largest normal force: half of F_s where mu_s is 0.5 or
/// more.
const STICK_LOAD: f64 = 0.125;

/// Block inside an element.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Mass, kg.
    pub mass: f64,
    /// Velocity, m/s.
    pub v: f64,
}

#[derive(Clone, Copy)]
enum Velocity {
    /// Held, with jumps.
    Jumps,
    /// A constant acceleration, m/s², that changes now and then.
    Ramps(f64),
    /// Amplitude (m/s), angular frequency (1/s) and phase.
    Sine(f64, f64, f64),
    /// Next to rest.
    Rest,
    /// A body of this mass (kg) under a load (N), braked by the element.
    Body(f64, f64),
}

#[derive(Clone, Copy)]
enum Load {
    /// Held, with jumps.
    Jumps,
    /// Rises or falls at this rate, N/s, to and fro between a little below 0 and the largest.
    Ramps(f64),
    /// F_N = F sin(ω t + φ), open where it is negative: largest force, angular frequency, phase.
    Bounces(f64, f64, f64),
    /// A penalty contact that just closes.
    Light,
}

/// The processes and where they stand.
pub struct Draws {
    random: Random,
    largest: f64,
    /// Mass of the body, kg, where the element has `m_eff`: v is its velocity.
    mass: Option<f64>,
    /// The friction force of a step acts on the body in that step, as with a master in serial
    /// order, and not in the next one.
    is_serial: bool,
    /// The body stays in stick.
    sticks: bool,
    /// The block, where the element has one.
    pub block: Option<Block>,
    velocity: Velocity,
    load: Load,
    v: f64,
    normal_force: f64,
    applied: f64,
}

impl Draws {
    /// Draws up to a largest normal force (N), with the mass (kg) of the master's body, whether the
    /// master is in serial order, and whether the body stays in stick.
    pub fn new(seed: u64, largest: f64, body: Option<(f64, bool)>, sticks: bool) -> Self {
        Draws {
            random: Random::new(seed),
            largest,
            mass: body.map(|(mass, _)| mass),
            is_serial: body.is_some_and(|(_, is_serial)| is_serial),
            sticks,
            block: None,
            velocity: Velocity::Rest,
            load: Load::Jumps,
            v: 0.0,
            normal_force: 0.5 * largest,
            applied: 0.0,
        }
    }

    /// Block of this velocity (m/s), now and then of another mass, but not while it is fast.
    pub fn draw_block(&mut self, v: f64) -> Block {
        let known = self.block.map(|block| block.mass);
        let mass = known
            .filter(|_| v.abs() > SPEED || !self.random.once_in(200))
            .unwrap_or_else(|| self.random.magnitude(*MASSES.start(), *MASSES.end()));
        *self.block.insert(Block { mass, v })
    }

    /// Inputs of the next step with derivatives up to an order, 0 to 3, after one that ended with
    /// the friction force `force` (N).
    pub fn next(&mut self, force: f64, order: usize) -> InputPolynomials {
        if self.random.once_in(200) {
            self.velocity = self.new_velocity();
        }
        if self.random.once_in(200) {
            self.load = self.new_load();
        }
        let (v, normal_force) = (self.velocity_step(force), self.load_step());
        // The velocity of a body in serial order moves on by the force of this step, which is not
        // known yet.
        let waits = self.is_serial && matches!(self.velocity, Velocity::Body(..));
        self.v = if waits { v[0] } else { v[0] + H * v[1] }.clamp(-SPEED, SPEED);
        self.normal_force =
            (normal_force[0] + H * normal_force[1]).clamp(-0.1 * self.largest, self.largest);
        let a = if self.random.once_in(10) {
            self.random.between(-ACCELERATION, ACCELERATION)
        } else {
            v[1]
        };
        if self.random.once_in(5) {
            self.applied = self.random.between(-1.0, 1.0) * self.largest;
        }
        let change = if self.random.once_in(3) {
            self.random.between(-0.2, 0.2) * self.largest / H
        } else {
            0.0
        };
        let mut applied = [self.applied, change, 0.0, 0.0];
        if order > 1 {
            let [b, c] = [(); 2].map(|()| self.random.between(-0.5, 0.5));
            applied[2..].copy_from_slice(&[4.0 * b * change / H, 12.0 * c * change / (H * H)]);
        }
        if let Some(Block { mass, v }) = self.block.filter(|block| block.v.abs() > SPEED) {
            applied = [
                -(mass * v / H).clamp(-self.largest, self.largest),
                0.0,
                0.0,
                0.0,
            ];
        }
        let cut = |mut powers: Derivatives| {
            powers[order + 1..].fill(0.0);
            powers
        };
        InputPolynomials {
            F_N: cut(normal_force),
            v: cut(v),
            a: [a, 0.0, 0.0, 0.0],
            F_t: cut(applied),
        }
    }

    fn new_velocity(&mut self) -> Velocity {
        if let Some(mass) = self.mass {
            return Velocity::Body(mass, 0.0);
        }
        match self.random.below(6) {
            0 => Velocity::Jumps,
            1 => Velocity::Ramps(0.0),
            2 => {
                let amplitude = self.random.magnitude(1e-6, SPEED);
                let fastest = (ACCELERATION / amplitude).min(1e3);
                Velocity::Sine(
                    amplitude,
                    self.random.magnitude(1.0, fastest.max(2.0)),
                    self.random.between(0.0, 6.0),
                )
            }
            3 => Velocity::Rest,
            _ => Velocity::Body(self.random.magnitude(1.0, 100.0), 0.0),
        }
    }

    fn new_load(&mut self) -> Load {
        if self.sticks {
            return Load::Jumps;
        }
        match self.random.below(6) {
            0 | 1 => Load::Jumps,
            2 => {
                let rate = self.largest / (H * self.random.magnitude(1.0, 300.0));
                Load::Ramps(self.random.sign(rate))
            }
            3 | 4 => {
                let largest = self.random.magnitude(1e-3, 1.0) * self.largest;
                Load::Bounces(
                    largest,
                    self.random.magnitude(3.0, 2e3),
                    self.random.between(0.0, 6.0),
                )
            }
            _ => Load::Light,
        }
    }

    /// v of the next step from where the last one ended, with its derivatives.
    fn velocity_step(&mut self, force: f64) -> Derivatives {
        let random = &mut self.random;
        let rate = match &mut self.velocity {
            Velocity::Sine(amplitude, omega, phase) => return wave(*amplitude, *omega, phase),
            Velocity::Jumps => {
                if random.once_in(10) {
                    let speed = random.magnitude(1e-6, SPEED);
                    self.v = random.sign(speed);
                }
                0.0
            }
            Velocity::Rest => {
                if random.once_in(5) {
                    let speed = random.magnitude(1e-15, 1e-3);
                    self.v = if random.once_in(4) {
                        0.0
                    } else {
                        random.sign(speed)
                    };
                }
                0.0
            }
            Velocity::Ramps(a) => {
                if random.once_in(20) {
                    let size = random.magnitude(0.1, ACCELERATION);
                    *a = random.sign(size);
                }
                if *a * self.v > 0.0 && self.v.abs() >= 0.95 * SPEED {
                    *a = -*a;
                }
                *a
            }
            Velocity::Body(mass, load) => {
                if random.once_in(30) {
                    let share = if self.sticks { STICK_LOAD } else { 1.0 };
                    *load = random.between(-share, share) * self.largest;
                }
                let a = ((*load - force) / *mass).clamp(-ACCELERATION, ACCELERATION);
                if self.is_serial {
                    // The step before, whose force is known now.
                    self.v += a * H;
                }
                a
            }
        };
        [self.v, rate, 0.0, 0.0]
    }

    /// F_N of the next step, with its derivatives.
    fn load_step(&mut self) -> Derivatives {
        let random = &mut self.random;
        let rate = match &mut self.load {
            Load::Bounces(largest, omega, phase) => return wave(*largest, *omega, phase),
            Load::Jumps => {
                if random.once_in(10) {
                    let least = if self.sticks { LEAST_STICK_FORCE } else { 0.0 };
                    self.normal_force = random.between(least * self.largest, self.largest);
                }
                0.0
            }
            Load::Light => {
                if random.once_in(3) {
                    self.normal_force = random.magnitude(*CLOSING.start(), *CLOSING.end());
                }
                0.0
            }
            Load::Ramps(rate) => {
                let ahead = self.normal_force + *rate * H;
                if ahead > self.largest || ahead < -0.1 * self.largest {
                    *rate = -*rate;
                }
                *rate
            }
        };
        [self.normal_force, rate, 0.0, 0.0]
    }
}

/// A sine and its derivatives, one step on.
fn wave(amplitude: f64, omega: f64, phase: &mut f64) -> Derivatives {
    *phase += omega * H;
    let (x, rate) = (
        amplitude * libm::sin(*phase),
        omega * amplitude * libm::cos(*phase),
    );
    [x, rate, -omega * omega * x, -omega * omega * rate]
}
