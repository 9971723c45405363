//! A block on several contacts: monolithic, and coupled to an element.

use super::bodies::advance;
use bristle::law::Spring;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_rigs::test_bench::G;

/// States of a law, two real ones and a mode.
pub type LawState = ([f64; 2], f64);

/// Law of the monolithic solution.
pub trait BlockLaw {
    /// Friction force (N), and rates of the real states.
    fn rates(&self, contact: Contact, state: &LawState) -> (f64, [f64; 2]);

    /// Changes a mode that does not hold; returns whether it did.
    fn switch(&self, _: Contact, _: &mut LawState) -> bool {
        false
    }

    /// Whether the slip is exactly 0 in this mode.
    fn sticks_exactly(&self, _: Contact, _: &LawState) -> bool {
        false
    }
}

/// FrDyn2 with the paper's parameters.
pub struct FrDyn2;

impl BlockLaw for FrDyn2 {
    fn rates(&self, contact: Contact, (x, _): &LawState) -> (f64, [f64; 2]) {
        PAPER.law(contact, *x)
    }
}

/// Block on contacts and a grounded spring under a load that reverses.
pub struct Block {
    /// Mass, kg.
    pub mass: f64,
    /// Spring and damper to the ground.
    pub spring: Spring,
    /// Normal force of each contact, N.
    pub normal: Vec<f64>,
    /// Amplitude of the load, N.
    amplitude: f64,
    /// Frequency of the load, 1/s.
    frequency: f64,
}

/// Step of the monolithic solution, s.
const STEP: f64 = 4e-6;
/// End of a run, s.
const END: f64 = 0.6;

impl Block {
    /// A free block on two contacts.
    pub fn two() -> Self {
        let static_force = 0.6 * G;
        let normal = vec![0.55 * G, 0.45 * G];
        Block {
            mass: 1.0,
            spring: Spring::NONE,
            normal,
            amplitude: 1.4 * static_force,
            frequency: 2.0,
        }
    }

    /// A block on eight contacts and a spring.
    pub fn eight() -> Self {
        let normal = [0.45 * G, 0.55 * G].repeat(4);
        Block {
            mass: 4.0,
            spring: Spring {
                stiffness: 400.0,
                damping: 4.0,
            },
            normal,
            amplitude: 6.0 * 0.6 * G,
            frequency: 1.5,
        }
    }

    fn acceleration(&self, t: f64, [x, v]: [f64; 2], friction: f64) -> f64 {
        let load = self.amplitude * libm::sin(std::f64::consts::TAU * self.frequency * t);
        let Spring { stiffness, damping } = self.spring;
        (load - stiffness * x - damping * v - friction) / self.mass
    }

    /// Displacement (m) and friction impulse of each contact (N·s) at every step, and the friction
    /// work (J), by the Runge–Kutta method. A step in which a mode ends is halved until it ends
    /// there.
    fn reference(&self, law: &dyn BlockLaw) -> (Vec<f64>, Vec<Vec<f64>>, f64) {
        let n = self.normal.len();
        let (mut y, mut modes) = (vec![0.0; 2 + 3 * n + 1], vec![0.0; n]);
        let contact = |i: usize, y: &[f64]| Contact::new(self.normal[i], y[1]);
        let state = |i: usize, y: &[f64], mode: f64| ([y[2 + 3 * i], y[3 + 3 * i]], mode);
        let rate = |t: f64, y: &[f64], modes: &[f64]| {
            let mut rate = vec![0.0; y.len()];
            let mut sum = 0.0;
            for i in 0..n {
                let (force, [first, second]) = law.rates(contact(i, y), &state(i, y, modes[i]));
                (rate[2 + 3 * i], rate[3 + 3 * i], rate[4 + 3 * i]) = (first, second, force);
                sum += force;
            }
            (rate[0], rate[1]) = (y[1], self.acceleration(t, [y[0], y[1]], sum));
            rate[2 + 3 * n] = sum * y[1];
            rate
        };
        let moved = |y: &[f64], k: &[f64], h: f64| {
            y.iter().zip(k).map(|(y, k)| y + h * k).collect::<Vec<_>>()
        };
        let advance = |t: f64, h: f64, y: &[f64], modes: &[f64]| -> Vec<f64> {
            let k1 = rate(t, y, modes);
            let k2 = rate(t + 0.5 * h, &moved(y, &k1, 0.5 * h), modes);
            let k3 = rate(t + 0.5 * h, &moved(y, &k2, 0.5 * h), modes);
            let k4 = rate(t + h, &moved(y, &k3, h), modes);
            (0..y.len())
                .map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
                .collect()
        };
        let ends = |y: &[f64], modes: &[f64]| {
            (0..n).any(|i| law.switch(contact(i, y), &mut state(i, y, modes[i])))
        };
        let (mut x, mut impulses) = (vec![0.0], vec![vec![0.0; n]]);
        for step in 0..(END / STEP).round() as u32 {
            let t = STEP * f64::from(step);
            let mut done = 0.0;
            while done < STEP {
                let rest = STEP - done;
                let mut next = advance(t + done, rest, &y, &modes);
                if !ends(&next, &modes) {
                    y = next;
                    break;
                }
                let [mut low, mut high] = [0.0, rest];
                while high - low > 1e-9 * STEP {
                    let middle = 0.5 * (low + high);
                    let at_middle = advance(t + done, middle, &y, &modes);
                    if ends(&at_middle, &modes) {
                        (high, next) = (middle, at_middle)
                    } else {
                        low = middle
                    }
                }
                (y, done) = (next, done + high);
                for i in 0..n {
                    let mut now = state(i, &y, modes[i]);
                    while law.switch(contact(i, &y), &mut now) {}
                    (modes[i], y[2 + 3 * i], y[3 + 3 * i]) = (now.1, now.0[0], now.0[1]);
                }
            }
            x.push(y[0]);
            impulses.push((0..n).map(|i| y[4 + 3 * i]).collect());
        }
        (x, impulses, y[2 + 3 * n])
    }

    /// Errors of a coupled run: root mean square of the mean force of the worst contact over F_s,
    /// and friction work; and the largest force over F_s.
    pub fn errors(
        &self,
        law: &dyn BlockLaw,
        fmu: &Fmu,
        h: f64,
        is_parallel: bool,
    ) -> ([f64; 2], f64) {
        let n = self.normal.len();
        let (_, impulses, work) = self.reference(law);
        let mut peak = 0.0_f64;
        let mut instance = instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut state, mut held, mut done) = ([0.0; 2], vec![0.0; n], 0.0);
        let mut squares = vec![0.0; n];
        let steps = (END / h).round() as usize;
        for step in 0..steps {
            let t = h * step as f64;
            let new = advance(&mut instance, &self.normal, &vec![state[1]; n], t, h);
            let used = if is_parallel {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            let (before, sum) = (state[0], used.iter().sum::<f64>());
            let count = (h / 2e-5).ceil();
            let part = h / count;
            for i in 0..count as u32 {
                // The midpoint method, far more accurate than the coupling.
                let t = t + part * f64::from(i);
                let a = self.acceleration(t, state, sum);
                let middle = [state[0] + 0.5 * part * state[1], state[1] + 0.5 * part * a];
                let a = self.acceleration(t + 0.5 * part, middle, sum);
                state = [state[0] + part * middle[1], state[1] + part * a];
            }
            done += sum * (state[0] - before);
            let place = |step: usize| &impulses[(step as f64 * h / STEP).round() as usize];
            for (i, square) in squares.iter_mut().enumerate() {
                let expected = (place(step + 1)[i] - place(step)[i]) / h;
                let error = used[i] - expected;
                *square += error * error / steps as f64;
                peak = peak.max(used[i].abs() / (0.6 * self.normal[i]));
            }
        }
        let relative = |(square, normal): (&f64, &f64)| square.sqrt() / (0.6 * normal);
        (
            [
                squares
                    .iter()
                    .zip(&self.normal)
                    .map(relative)
                    .fold(0.0, f64::max),
                (done / work - 1.0).abs(),
            ],
            peak,
        )
    }
}
