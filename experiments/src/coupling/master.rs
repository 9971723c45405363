//! Masters independent of friction: they set F_N and v, step, read F_R, and hold it.

use crate::case::Case;
use crate::coupled::Element;
use bristle::element::{F_N, V};
use bristle_importer::fmi2::FmuState;
use bristle_importer::fmu::Fmu;
use bristle_random::Random;
use bristle_rigs::Rig;

/// Order of the calls of a master.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The element first, then the body under its new force.
    Serial,
    /// Both at once: the body under the force of the step before.
    Parallel,
    /// Both again and again, with rolled-back states, until force and velocity of the step fit: no friction element needs
    /// help from such a master.
    Iterative,
    /// Serial, but the force is extrapolated over the step from the last two values.
    Extrapolating,
}

/// The steps of a master.
#[derive(Clone, Copy, Debug)]
pub enum Steps {
    /// Always this long, s, but for the fraction that makes the end a whole number of steps.
    Even(f64),
    /// Between a fifth of this and twice this, s, as a generator of random numbers has it.
    Uneven(f64),
}

/// A communication step as it was.
#[derive(Clone, Copy, Debug)]
pub struct Cycle {
    /// Start and end, s.
    pub span: [f64; 2],
    /// Mean force on the body, N.
    pub force: f64,
    /// The body at its end: displacement, m, and velocity, m/s.
    pub body: [f64; 2],
    /// Displacement of the body, m.
    pub way: f64,
}

/// Iterations of the iterative master, and the velocity to which it iterates, over the largest change of velocity in a step.
const ITERATIONS: usize = 30;
const AGREED: f64 = 1e-9;

/// Runs a body with one contact from 0 to `end` (s).
///
/// # Panics
/// If the FMU refuses anything.
pub fn run(fmu: &Fmu, case: &Case, rig: &dyn Rig, order: Order, steps: Steps, end: f64) -> Vec<Cycle> {
    let mut element = Element::start(fmu, case);
    let mut state = FmuState::NULL;
    let (mut y, mut t) = (rig.start(), 0.0);
    let mut held = 0.0;
    let mut cycles = Vec::new();
    let mut random = Random::new(1);
    let count = |h: f64| (end / h).round() as usize;
    while t < end - 1e-9 {
        let (h, next) = match steps {
            // Without the rounding of a sum, and with whole steps up to the end.
            Steps::Even(h) => (end / count(h) as f64, (cycles.len() + 1) as f64 * end / count(h) as f64),
            Steps::Uneven(h) => {
                let h = random.between(0.2 * h, 2.0 * h).min(end - t);
                (h, t + h)
            }
        };
        let contact = rig.contact(t, &y, 0);
        let before = y[0];
        let force = match order {
            Order::Iterative => iterate(&mut element, &mut state, rig, &mut y, (t, h)),
            _ => {
                let new = element.step(contact, t, h);
                let force = match order {
                    Order::Parallel => held,
                    Order::Extrapolating => new + 0.5 * (new - held),
                    _ => new,
                };
                held = new;
                rig.advance(t, &mut y, h, &[force]);
                force
            }
        };
        cycles.push(Cycle { span: [t, next], force, body: [y[0], y[1]], way: y[0] - before });
        t = next;
    }
    if let Order::Iterative = order {
        let status = element.instance().free_fmu_state(&mut state);
        element.instance().ok(status);
    }
    cycles
}

/// A step in which the element sees the mean of the velocities at both ends and the body its mean force: Newton's iteration
/// for the velocity at the end, with the element's own derivative, and bisection where that leads astray.
fn iterate(element: &mut Element, state: &mut FmuState, rig: &dyn Rig, y: &mut Vec<f64>, (t, h): (f64, f64)) -> f64 {
    let (start, contact) = (y.clone(), rig.contact(t, y, 0));
    let status = element.instance().get_fmu_state(state);
    element.instance().ok(status);
    let mut excess = |v_end: f64, y: &mut Vec<f64>| {
        let status = element.instance().set_fmu_state(*state);
        element.instance().ok(status);
        element.instance().set(F_N.name, contact.F_N);
        element.instance().set(V.name, 0.5 * (contact.v + v_end));
        let status = element.instance().do_step(t, h);
        element.instance().ok(status);
        let force = element.instance().get("F_R_mean");
        let slope = 0.5 * element.instance().get("dF_R_dv").max(0.0);
        y.clone_from(&start);
        rig.advance(t, y, h, &[force]);
        (v_end - y[1], 1.0 + h / rig.mass(0) * slope, force)
    };
    let reach = h / rig.mass(0) * (contact.F_t.abs() + contact.F_N.abs()) + contact.v.abs();
    let (mut low, mut high) = (contact.v - 2.0 * reach, contact.v + 2.0 * reach);
    let mut v_end = contact.v;
    let mut force = 0.0;
    for _ in 0..ITERATIONS {
        let (error, slope, mean) = excess(v_end, y);
        force = mean;
        if error.abs() <= AGREED * reach {
            break;
        }
        if error > 0.0 {
            high = v_end
        } else {
            low = v_end
        }
        let newton = v_end - error / slope;
        v_end = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
    }
    force
}
