//! Plates and contacts in a plane on one body: the section `[body]` of a card against monolithic
//! solutions.

mod motion;
mod outputs;

use super::bodies::{PARALLEL, SERIAL, assert_state_repeats};
use bristle::catalogue::{Card, CardBody, Contacts, Motion, Setting, Variant};
use bristle::coupling::COUPLING;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::dahl::Dahl;
use bristle_reference_laws::frdyn2;
use bristle_reference_laws::frdyn2_linear::FrDyn2Linear;
use bristle_reference_laws::lugre::LuGre;
use bristle_reference_laws::planar::PlanarLaw;
use bristle_tests::cards::{card, exporter, load, model, patch, reference as reference_of};

/// Mass (kg), and moment of inertia about the centre of mass (kg·m²).
const MASS: f64 = 2.0;
const INERTIA: f64 = 0.02;
/// Positions of the points from the centre of mass, m, and their shares of the normal force (N).
const POINTS: [[f64; 2]; 4] = [[0.1, 0.05], [-0.1, 0.06], [-0.09, -0.05], [0.1, -0.04]];
const SHARES: [f64; 4] = [0.3, 0.2, 0.27, 0.23];
const NORMAL: f64 = 20.0;
/// Step of the monolithic solution, and end of a run, s.
const STEP: f64 = 5e-6;
const END: f64 = 0.4;

/// Force (N) and torque (N·m), or velocity (m/s) and angular velocity (rad/s), in the axes of the
/// plate.
type Twist = [f64; 3];

/// Load on the plate in its own axes: sliding and spin, with stick between.
fn load_on_plate(t: f64) -> Twist {
    let turn = std::f64::consts::TAU * t;
    [
        14.0 * libm::sin(3.0 * turn),
        6.0 * libm::sin(5.0 * turn),
        1.2 * libm::sin(4.0 * turn),
    ]
}

/// Acceleration of the plate in its own axes, which turn with it.
fn acceleration(t: f64, [v_x, v_y, omega]: Twist, friction: Twist) -> Twist {
    let load = load_on_plate(t);
    [
        (load[0] - friction[0]) / MASS + omega * v_y,
        (load[1] - friction[1]) / MASS - omega * v_x,
        (load[2] - friction[2]) / INERTIA,
    ]
}

/// Force of all points, and rates of their states.
fn friction(law: &PlanarLaw, [v_x, v_y, omega]: Twist, x: &[f64]) -> (Twist, Vec<f64>) {
    let (mut sum, mut rates) = ([0.0; 3], Vec::new());
    for ((place, share), x) in POINTS.iter().zip(SHARES).zip(x.chunks_exact(4)) {
        let [p, q] = *place;
        let v = [v_x - omega * q, v_y + omega * p];
        let ([force_x, force_y], rate) = law.law(share * NORMAL, v, [x[0], x[1], x[2], x[3]]);
        sum = [
            sum[0] + force_x,
            sum[1] + force_y,
            sum[2] + p * force_y - q * force_x,
        ];
        rates.extend(rate);
    }
    (sum, rates)
}

/// Impulse of the friction force at every step, and its work (J), monolithic by the Runge–Kutta
/// method.
fn reference(law: &PlanarLaw) -> (Vec<Twist>, f64) {
    let n = 4 * POINTS.len();
    // Velocities, states, impulses and work.
    let mut y = vec![0.0; 3 + n + 4];
    let rate = |t: f64, y: &[f64]| -> Vec<f64> {
        let v = [y[0], y[1], y[2]];
        let (force, rates) = friction(law, v, &y[3..3 + n]);
        let power = (0..3).map(|i| force[i] * v[i]).sum();
        acceleration(t, v, force)
            .into_iter()
            .chain(rates)
            .chain(force)
            .chain([power])
            .collect()
    };
    let mut impulses = vec![[0.0; 3]];
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
        impulses.push(std::array::from_fn(|i| y[3 + n + i]));
    }
    (impulses, y[3 + n + 3])
}

fn body() -> CardBody {
    CardBody {
        mass: Some(MASS),
        inertia: Some(INERTIA),
        ..CardBody::default()
    }
}

fn with_body(mut card: Card, body: CardBody, coupling: f64) -> Fmu {
    card.body = Some(body);
    card.parameters.insert(
        COUPLING.reference,
        Setting {
            start: Some(coupling),
            ..Setting::default()
        },
    );
    let law = card.law.clone();
    load(
        &exporter(),
        &Variant::new(model(&law), card).expect("a card"),
    )
}

/// Plate with this law on its body.
fn plate(law: &str, coupling: f64) -> Fmu {
    with_body(patch(law, &POINTS, &SHARES), body(), coupling)
}

/// Plate with this law on its body, and with its acceleration as an input.
fn plate_with_acceleration(law: &str, coupling: f64) -> Fmu {
    with_body(
        Card {
            acceleration: true,
            ..patch(law, &POINTS, &SHARES)
        },
        body(),
        coupling,
    )
}

/// Gives a plate its acceleration, the left limit at the communication point.
fn accelerate(instance: &mut Instance, a: Twist) {
    ["a_x", "a_y", "omega_dot"]
        .into_iter()
        .zip(a)
        .for_each(|(input, a)| instance.set(input, a));
}

/// Mean force and torque of a plate over the last step, by its law.
fn mean(instance: &mut Instance) -> Twist {
    ["F_R_x_mean", "F_R_y_mean", "M_R_mean"].map(|name| instance.get(name))
}

/// Steps a plate; returns its force and torque.
fn advance(instance: &mut Instance, [v_x, v_y, omega]: Twist, t: f64, h: f64) -> Twist {
    for (input, value) in [
        ("F_N", NORMAL),
        ("v_x", v_x),
        ("v_y", v_y),
        ("omega", omega),
    ] {
        instance.set(input, value);
    }
    let status = instance.do_step(t, h);
    instance.ok(status);
    ["F_R_x", "F_R_y", "M_R"].map(|name| instance.get(name))
}

/// Moves the plate over `h` (s) under a held friction force by the midpoint method.
fn moved(mut v: Twist, t: f64, h: f64, force: Twist) -> (Twist, f64) {
    let count = (h / 2e-5).ceil();
    let (part, mut work) = (h / count, 0.0);
    for i in 0..count as u32 {
        let t = t + part * f64::from(i);
        let a = acceleration(t, v, force);
        let middle: Twist = std::array::from_fn(|i| v[i] + 0.5 * part * a[i]);
        let a = acceleration(t + 0.5 * part, middle, force);
        v = std::array::from_fn(|i| v[i] + part * a[i]);
        work += part * (0..3).map(|i| force[i] * middle[i]).sum::<f64>();
    }
    (v, work)
}

/// Errors of a coupled run: root mean square of the mean force over μ_s F_N, of the mean torque
/// over μ_s F_N times 0.1 m, and work; and the largest force over μ_s F_N.
fn errors(law: &PlanarLaw, fmu: &Fmu, h: f64, is_parallel: bool) -> ([f64; 3], f64) {
    let Coupled {
        errors: [force, torque, work],
        peak,
        ..
    } = coupled(&reference(law), law, fmu, h, is_parallel);
    ([force, torque, work], peak)
}

/// Coupled run of a plate against the monolithic solution.
struct Coupled {
    /// Root mean square of the error of the force over μ_s F_N, of that of the torque over μ_s F_N
    /// times 0.1 m, and relative error of the work.
    errors: [f64; 3],
    /// The first two, of the mean force and torque of the law that the element shows.
    of_means: [f64; 2],
    /// Largest force over μ_s F_N.
    peak: f64,
}

/// Runs a plate in steps of `h` (s), with its acceleration where it has the input.
fn coupled(
    (impulses, work): &(Vec<Twist>, f64),
    law: &PlanarLaw,
    fmu: &Fmu,
    h: f64,
    is_parallel: bool,
) -> Coupled {
    let has_acceleration = fmu
        .description
        .variables
        .iter()
        .any(|variable| variable.name == "a_x");
    let mut instance = instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete);
    let (mut v, mut held, mut used, mut done) = ([0.0; 3], [0.0; 3], [0.0; 3], 0.0);
    let (mut squares, mut of_means, mut peak) = ([0.0; 2], [0.0; 2], 0.0_f64);
    let steps = (END / h).round() as usize;
    let static_force = law.static_friction() * NORMAL;
    for step in 0..steps {
        let t = h * step as f64;
        if has_acceleration {
            accelerate(&mut instance, acceleration(t, v, used));
        }
        let new = advance(&mut instance, v, t, h);
        used = if is_parallel {
            std::mem::replace(&mut held, new)
        } else {
            new
        };
        let part;
        (v, part) = moved(v, t, h, used);
        done += part;
        let place = |step: usize| &impulses[(step as f64 * h / STEP).round() as usize];
        let add = |squares: &mut [f64; 2], force: Twist| {
            let error: Twist =
                std::array::from_fn(|i| force[i] - (place(step + 1)[i] - place(step)[i]) / h);
            let relative = [
                libm::hypot(error[0], error[1]) / static_force,
                error[2] / (0.1 * static_force),
            ];
            squares
                .iter_mut()
                .zip(relative)
                .for_each(|(sum, error)| *sum += error * error / steps as f64);
        };
        add(&mut squares, used);
        add(&mut of_means, mean(&mut instance));
        peak = peak.max(libm::hypot(used[0], used[1]) / static_force);
    }
    let [force, torque] = squares.map(f64::sqrt);
    Coupled {
        errors: [force, torque, (done / work - 1.0).abs()],
        of_means: of_means.map(f64::sqrt),
        peak,
    }
}
