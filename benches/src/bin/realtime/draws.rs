//! Random inputs of a rig: a contact that slides, sticks, reverses, bounces and just closes, step after step.
//!
//! Velocity and normal force each follow a random process of their own, which changes every few hundred steps. |v| stays below about
//! 2 m/s, |dv/dt| below 100 m/s² but where v jumps. With every order of derivatives one step in twenty is replaced by one of the cases
//! that are known to be expensive.

use crate::H;
use bristle_random::Random;
use bristle_reference_laws::{Derivatives, InputPolynomials};

/// Largest velocity, m/s.
const SPEED: f64 = 2.0;
/// Largest acceleration, m/s².
const ACCELERATION: f64 = 100.0;
/// Smallest normal force of a contact that just closes, N.
const CLOSING: f64 = 1e-15;
/// Largest normal force of a contact that just closes, N.
const LIGHT: f64 = 1e-3;
/// One step in this many is a special case.
const SPECIAL: usize = 20;

/// Kinds of inputs, one for each column of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Values that are held within a step.
    Held,
    /// Values and first derivatives.
    First,
    /// Values and derivatives of order 0 to 3, expensive cases, and with `m_eff` velocities of no body as well.
    Every,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Held, Kind::First, Kind::Every];

    /// Its column.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Held => "held",
            Kind::First => "first derivatives",
            Kind::Every => "every case",
        }
    }
}

/// Inputs of a step.
#[derive(Clone, Copy, Debug)]
pub struct Draw {
    /// Values and derivatives.
    pub inputs: InputPolynomials,
    /// Highest order of the derivatives that the master gives.
    pub order: usize,
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
    kind: Kind,
    largest: f64,
    /// Mass of the body, kg, where the element has `m_eff`.
    mass: Option<f64>,
    /// Whether the friction force of a step acts on the body in that step, as with a master in serial order, and not in the next one.
    is_serial: bool,
    velocity: Velocity,
    load: Load,
    v: f64,
    normal_force: f64,
    applied: f64,
}

impl Draws {
    /// Draws of a kind, up to a largest normal force (N), with the mass (kg) of `m_eff` and whether the master is in serial order.
    pub fn new(seed: u64, kind: Kind, largest: f64, body: Option<(f64, bool)>) -> Self {
        let random = Random::new(seed);
        let (velocity, load) = (Velocity::Rest, Load::Jumps);
        Draws {
            random,
            kind,
            largest,
            mass: body.map(|(mass, _)| mass),
            is_serial: body.is_some_and(|(_, is_serial)| is_serial),
            velocity,
            load,
            v: 0.0,
            normal_force: 0.5 * largest,
            applied: 0.0,
        }
    }

    /// The next step, after one that ended with the friction force `force` (N).
    pub fn next(&mut self, force: f64) -> Draw {
        if self.random.once_in(200) {
            self.velocity = self.new_velocity();
        }
        if self.random.once_in(200) {
            self.load = self.new_load();
        }
        let order = match (self.kind, self.random.below(20)) {
            (Kind::Held, _) | (Kind::Every, 0..3) => 0,
            (Kind::First, _) | (Kind::Every, 3..14) => 1,
            (Kind::Every, 14..17) => 2,
            (Kind::Every, _) => 3,
        };
        let mut v = self.velocity_step(force);
        let mut normal_force = self.load_step();
        // A master that holds its inputs moves them on by the same way.
        let waits = self.is_serial && matches!(self.velocity, Velocity::Body(..));
        self.v = if waits { v[0] } else { value(v) }.clamp(-SPEED, SPEED);
        self.normal_force = value(normal_force).clamp(-0.1 * self.largest, self.largest);
        if order >= 2 {
            self.curve(&mut v);
        }
        if self.kind == Kind::Every && self.random.once_in(SPECIAL) {
            self.special(&mut v, &mut normal_force, order);
        }
        let a = match self.random.below(10) {
            0 => [self.random.between(-ACCELERATION, ACCELERATION), 0.0, 0.0, 0.0],
            _ => [v[1], v[2], v[3], 0.0],
        };
        if self.random.once_in(5) {
            self.applied = self.random.between(-1.0, 1.0) * self.largest;
        }
        let change = if self.random.once_in(3) { self.random.between(-0.2, 0.2) * self.largest / H } else { 0.0 };
        let inputs = InputPolynomials { F_N: normal_force, v, a, F_t: [self.applied, change, 0.0, 0.0] };
        let cut = |mut powers: Derivatives| {
            powers[order + 1..].fill(0.0);
            powers
        };
        let inputs =
            InputPolynomials { F_N: cut(inputs.F_N), v: cut(inputs.v), a: cut(inputs.a), F_t: cut(inputs.F_t) };
        Draw { inputs, order }
    }

    fn new_velocity(&mut self) -> Velocity {
        if let Some(mass) = self.mass.filter(|_| self.kind != Kind::Every) {
            return Velocity::Body(mass, 0.0);
        }
        match self.random.below(if self.mass.is_some() { 8 } else { 6 }) {
            0 => Velocity::Jumps,
            1 => Velocity::Ramps(0.0),
            2 => {
                let amplitude = self.random.magnitude(1e-6, SPEED);
                // The second and third derivative add to the first one within the step.
                let fastest = (0.5 * ACCELERATION / amplitude).min(1e3);
                let omega = self.random.magnitude(1.0, fastest.max(2.0));
                Velocity::Sine(amplitude, omega, self.random.between(0.0, 6.0))
            }
            3 => Velocity::Rest,
            _ => Velocity::Body(self.mass.unwrap_or_else(|| self.random.magnitude(1.0, 100.0)), 0.0),
        }
    }

    fn new_load(&mut self) -> Load {
        match self.random.below(6) {
            0 | 1 => Load::Jumps,
            2 => {
                let rate = self.largest / (H * self.random.magnitude(1.0, 300.0));
                Load::Ramps(self.random.sign(rate))
            }
            3 | 4 => {
                let largest = self.random.magnitude(1e-3, 1.0) * self.largest;
                Load::Bounces(largest, self.random.magnitude(3.0, 2e3), self.random.between(0.0, 6.0))
            }
            _ => Load::Light,
        }
    }

    /// v of the next step from where the last one ended, with the derivatives that it would have.
    fn velocity_step(&mut self, force: f64) -> Derivatives {
        match &mut self.velocity {
            Velocity::Jumps => {
                if self.random.once_in(10) {
                    let speed = self.random.magnitude(1e-6, SPEED);
                    self.v = self.random.sign(speed);
                }
                [self.v, 0.0, 0.0, 0.0]
            }
            Velocity::Ramps(a) => {
                if self.random.once_in(20) {
                    let size = self.random.magnitude(0.1, ACCELERATION);
                    *a = self.random.sign(size);
                }
                if *a * self.v > 0.0 && self.v.abs() >= 0.95 * SPEED {
                    *a = -*a;
                }
                [self.v, *a, 0.0, 0.0]
            }
            Velocity::Sine(amplitude, omega, phase) => {
                *phase += *omega * H;
                wave(*amplitude, *omega, *phase)
            }
            Velocity::Rest => {
                if self.random.once_in(5) {
                    let speed = self.random.magnitude(1e-15, 1e-3);
                    self.v = if self.random.once_in(4) { 0.0 } else { self.random.sign(speed) };
                }
                [self.v, 0.0, 0.0, 0.0]
            }
            Velocity::Body(mass, load) => {
                if self.random.once_in(30) {
                    *load = self.random.between(-1.0, 1.0) * self.largest;
                }
                let a = ((*load - force) / *mass).clamp(-ACCELERATION, ACCELERATION);
                if self.is_serial {
                    // The step before, whose force is known now.
                    self.v += a * H;
                }
                [self.v, a, 0.0, 0.0]
            }
        }
    }

    /// F_N of the next step, with its derivatives.
    fn load_step(&mut self) -> Derivatives {
        match &mut self.load {
            Load::Jumps => {
                if self.random.once_in(10) {
                    self.normal_force = self.random.between(0.0, self.largest);
                }
                [self.normal_force, 0.0, 0.0, 0.0]
            }
            Load::Ramps(rate) => {
                let ahead = self.normal_force + *rate * H;
                if ahead > self.largest || ahead < -0.1 * self.largest {
                    *rate = -*rate;
                }
                [self.normal_force, *rate, 0.0, 0.0]
            }
            Load::Bounces(largest, omega, phase) => {
                *phase += *omega * H;
                wave(*largest, *omega, *phase)
            }
            Load::Light => {
                if self.random.once_in(3) {
                    self.normal_force = self.random.magnitude(CLOSING, LIGHT);
                }
                [self.normal_force, 0.0, 0.0, 0.0]
            }
        }
    }

    /// Adds derivatives of order 2 and 3 that keep |dv/dt| within its limit over the step.
    fn curve(&mut self, v: &mut Derivatives) {
        let left = (ACCELERATION - v[1].abs()).max(0.0);
        if v[2] == 0.0 {
            v[2] = 0.5 * self.random.between(-1.0, 1.0) * left / H;
        }
        if v[3] == 0.0 {
            v[3] = self.random.between(-1.0, 1.0) * left / (H * H);
        }
    }

    /// One of the cases that are known to be expensive.
    fn special(&mut self, v: &mut Derivatives, normal_force: &mut Derivatives, order: usize) {
        match self.random.below(7) {
            // Just closed, and pressed together within the step or not.
            0 => {
                let rise = self.random.magnitude(1e-6, 1.0) * self.largest / H;
                let rate = if self.random.once_in(2) { rise } else { 0.0 };
                *normal_force = [self.random.magnitude(CLOSING, LIGHT), rate, 0.0, 0.0];
            }
            // Opens within the step, or closes.
            1 => {
                let force = self.random.magnitude(1e-6, 1.0) * self.largest;
                let force = self.random.sign(force);
                *normal_force = [force, -force * self.random.magnitude(1.0, 100.0) / H, 0.0, 0.0];
            }
            // Opens and closes again within the step, or touches.
            2 => *normal_force = self.twice(self.largest),
            // Reverses within the step.
            3 => {
                let speed = self.random.magnitude(1e-9, 0.05);
                let speed = self.random.sign(speed);
                let rate = -speed * self.random.magnitude(1.0, 100.0) / H;
                *v = [speed, rate.clamp(-ACCELERATION, ACCELERATION), 0.0, 0.0];
            }
            // Reverses twice.
            4 => *v = self.twice(0.1 * ACCELERATION * H),
            // Next to rest.
            5 => {
                let speed = self.random.magnitude(1e-15, 1e-6);
                *v = [self.random.sign(speed), 0.0, 0.0, 0.0];
            }
            // Decelerates to rest exactly at the end of the step.
            _ => {
                let rate = self.random.magnitude(1e-6, ACCELERATION);
                let rate = self.random.sign(rate);
                *v = [-rate * H, rate, 0.0, 0.0];
            }
        }
        if order >= 2 && v[2] == 0.0 && self.random.once_in(2) {
            self.curve(v);
        }
    }

    /// A parabola of values up to `size` with two zeros within the step.
    fn twice(&mut self, size: f64) -> Derivatives {
        let [a, b] = [(); 2].map(|()| self.random.between(0.0, 1.0));
        let c = self.random.magnitude(1e-6, 1.0) * size;
        let c = self.random.sign(c);
        [c * a * b, -c * (a + b) / H, 2.0 * c / (H * H), 0.0]
    }
}

/// The value at the end of a step.
fn value([x, x1, x2, x3]: Derivatives) -> f64 {
    x + H * (x1 + H / 2.0 * (x2 + H / 3.0 * x3))
}

/// A sine with its first three derivatives.
fn wave(amplitude: f64, omega: f64, phase: f64) -> Derivatives {
    let (sin, cos) = (amplitude * libm::sin(phase), amplitude * libm::cos(phase));
    [sin, omega * cos, -omega * omega * sin, -omega * omega * omega * cos]
}
