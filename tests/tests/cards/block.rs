//! A block on several contacts: monolithic, and coupled to an element.

use super::bodies::advance;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::CO_SIMULATION;
use bristle_importer::fmu::Fmu;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_rigs::test_bench::G;

/// Block on contacts and a grounded spring under a load that reverses.
pub struct Block {
    /// Mass, kg.
    pub mass: f64,
    /// Stiffness (N/m) and damping (N·s/m) of the spring.
    spring: [f64; 2],
    /// Normal force of each contact, N.
    pub normal: Vec<f64>,
    /// Amplitude (N) and frequency (1/s) of the load.
    load: [f64; 2],
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
        Block { mass: 1.0, spring: [0.0; 2], normal, load: [1.4 * static_force, 2.0] }
    }

    /// A block on eight contacts and a spring.
    pub fn eight() -> Self {
        let normal = [0.45 * G, 0.55 * G].repeat(4);
        Block { mass: 4.0, spring: [400.0, 4.0], normal, load: [6.0 * 0.6 * G, 1.5] }
    }

    fn acceleration(&self, t: f64, [x, v]: [f64; 2], friction: f64) -> f64 {
        let [amplitude, frequency] = self.load;
        let load = amplitude * libm::sin(std::f64::consts::TAU * frequency * t);
        (load - self.spring[0] * x - self.spring[1] * v - friction) / self.mass
    }

    /// Displacement (m) and friction impulse of each contact (N·s) at every step, and the friction work (J), by the Runge–Kutta method.
    fn reference(&self) -> (Vec<f64>, Vec<Vec<f64>>, f64) {
        let n = self.normal.len();
        let mut y = vec![0.0; 2 + 3 * n + 1];
        let rate = |t: f64, y: &[f64]| {
            let mut rate = vec![0.0; y.len()];
            let mut sum = 0.0;
            for (i, normal) in self.normal.iter().enumerate() {
                let (force, [z, z_dot]) = PAPER.law(Contact::new(*normal, y[1]), [y[2 + 3 * i], y[3 + 3 * i]]);
                (rate[2 + 3 * i], rate[3 + 3 * i], rate[4 + 3 * i]) = (z, z_dot, force);
                sum += force;
            }
            (rate[0], rate[1]) = (y[1], self.acceleration(t, [y[0], y[1]], sum));
            rate[2 + 3 * n] = sum * y[1];
            rate
        };
        let (mut x, mut impulses) = (vec![0.0], vec![vec![0.0; n]]);
        for step in 0..(END / STEP).round() as u32 {
            let t = STEP * f64::from(step);
            let moved = |k: &[f64], h: f64| y.iter().zip(k).map(|(y, k)| y + h * k).collect::<Vec<_>>();
            let k1 = rate(t, &y);
            let k2 = rate(t + 0.5 * STEP, &moved(&k1, 0.5 * STEP));
            let k3 = rate(t + 0.5 * STEP, &moved(&k2, 0.5 * STEP));
            let k4 = rate(t + STEP, &moved(&k3, STEP));
            for i in 0..y.len() {
                y[i] += STEP / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
            }
            x.push(y[0]);
            impulses.push((0..n).map(|i| y[4 + 3 * i]).collect());
        }
        (x, impulses, y[2 + 3 * n])
    }

    /// Errors of a coupled run: root mean square of the mean force of the worst contact over F_s, and friction work.
    pub fn errors(&self, fmu: &Fmu, h: f64, is_parallel: bool) -> [f64; 2] {
        let n = self.normal.len();
        let (_, impulses, work) = self.reference();
        let mut instance = instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut state, mut held, mut done) = ([0.0; 2], vec![0.0; n], 0.0);
        let mut squares = vec![0.0; n];
        let steps = (END / h).round() as usize;
        for step in 0..steps {
            let t = h * step as f64;
            let new = advance(&mut instance, &self.normal, &vec![state[1]; n], t, h);
            let used = if is_parallel { std::mem::replace(&mut held, new) } else { new };
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
            }
        }
        let relative = |(square, normal): (&f64, &f64)| square.sqrt() / (0.6 * normal);
        [squares.iter().zip(&self.normal).map(relative).fold(0.0, f64::max), (done / work - 1.0).abs()]
    }
}
