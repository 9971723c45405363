//! Plates and contacts in a plane on one body: the section `[body]` of a card against monolithic
//! solutions.

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

/// Bounds of the errors of force, torque and work for each step length. Measured with FrDyn2 and
/// FrDyn2Linear, serial and parallel: force and torque 7e-5, 8e-3 and 7e-2, work 4e-7, 3e-4 and
/// 5e-3.
const BOUNDS: [(f64, [f64; 3]); 3] = [
    (1e-4, [3e-4, 3e-4, 2e-6]),
    (1e-3, [2e-2, 2e-2, 6e-4]),
    (5e-3, [0.15, 0.15, 1e-2]),
];

/// Stiffness (N/m) and damping (N·s/m) of the bristles without a mass: soft enough for an explicit
/// method.
const SOFT: [f64; 2] = [1e5, 300.0];

#[test]
fn plates_on_a_body_follow_the_monolithic_solution() {
    let [sigma_0, sigma_1] = SOFT;
    let laws = [
        ("FrDyn2", PlanarLaw::FrDyn2(frdyn2::PAPER), &[][..]),
        (
            "FrDyn2Linear",
            PlanarLaw::FrDyn2Linear(FrDyn2Linear::default()),
            &[],
        ),
        (
            "LuGre",
            PlanarLaw::LuGre(LuGre {
                sigma_0,
                sigma_1,
                ..LuGre::default()
            }),
            &[("sigma_0", sigma_0), ("sigma_1", sigma_1)],
        ),
        (
            "Dahl",
            PlanarLaw::Dahl(Dahl {
                sigma_0,
                ..Dahl::default()
            }),
            &[("sigma_0", sigma_0)],
        ),
    ];
    for (name, law, parameters) in laws {
        for coupling in [SERIAL, PARALLEL] {
            let mut card = patch(name, &POINTS, &SHARES);
            for (parameter, value) in parameters {
                let setting = Setting {
                    start: Some(*value),
                    ..Setting::default()
                };
                card.parameters
                    .insert(reference_of(model(name), parameter), setting);
            }
            let fmu = with_body(card, body(), coupling);
            // A body on a soft bristle swings within the longest step.
            let count = if parameters.is_empty() { 3 } else { 2 };
            for (h, bounds) in BOUNDS.into_iter().take(count) {
                let (errors, peak) = errors(&law, &fmu, h, coupling == PARALLEL);
                println!("{name}, {coupling}, {h:e} s: {errors:?}, {peak}");
                let is_close = errors
                    .iter()
                    .zip(bounds)
                    .all(|(error, bound)| *error < bound);
                assert!(
                    is_close && peak <= 2.0,
                    "{name}, {coupling}, {h}: {errors:?}, {peak}"
                );
            }
        }
    }
}

#[test]
fn feet_of_a_body_add_up_to_the_plate() {
    let feet = |coupling| {
        let mut card = card("FrDyn2Linear", &[]);
        card.acceleration = true;
        card.motion = Motion::Planar;
        card.contacts = Some(Contacts {
            count: 4,
            ..Contacts::default()
        });
        with_body(
            card,
            CardBody {
                positions: POINTS.to_vec(),
                ..body()
            },
            coupling,
        )
    };
    for coupling in [SERIAL, PARALLEL] {
        let (feet, plate) = (
            feet(coupling),
            plate_with_acceleration("FrDyn2Linear", coupling),
        );
        let [mut feet, mut plate] =
            [&feet, &plate].map(|fmu| instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete));
        let (mut v, mut held, mut used, h) = ([0.0; 3], [0.0; 3], [0.0; 3], 1e-3);
        for step in 0..400 {
            let t = h * f64::from(step);
            let a = acceleration(t, v, used);
            accelerate(&mut plate, a);
            let of_plate = advance(&mut plate, v, t, h);
            for (i, ([p, q], share)) in (1..).zip(POINTS.into_iter().zip(SHARES)) {
                let at = |[x, y, turning]: Twist| [x - turning * q, y + turning * p];
                let ([v_x, v_y], [a_x, a_y]) = (at(v), at(a));
                for (input, value) in [
                    ("F_N", share * NORMAL),
                    ("v_x", v_x),
                    ("v_y", v_y),
                    ("a_x", a_x),
                    ("a_y", a_y),
                ] {
                    feet.set(&format!("{input}[{i}]"), value);
                }
            }
            let status = feet.do_step(t, h);
            feet.ok(status);
            for (of_plate, names) in [
                (of_plate, ["F_R_x", "F_R_y"]),
                (mean(&mut plate), ["F_R_x_mean", "F_R_y_mean"]),
            ] {
                let mut sum = [0.0; 3];
                for (i, [p, q]) in (1..).zip(POINTS) {
                    let [x, y] = names.map(|name| feet.get(&format!("{name}[{i}]")));
                    sum = [sum[0] + x, sum[1] + y, sum[2] + p * y - q * x];
                }
                let error = of_plate
                    .iter()
                    .zip(sum)
                    .map(|(plate, feet)| (plate - feet).abs())
                    .fold(0.0, f64::max);
                assert!(
                    error < 1e-6,
                    "{names:?}, {coupling}, {t}: {of_plate:?} for {sum:?}"
                );
            }
            let [of_plate_work, of_feet_work] =
                [&mut plate, &mut feet].map(|instance| instance.get("E_loss_error"));
            let error = (of_plate_work - of_feet_work).abs();
            assert!(
                error < 1e-9,
                "{coupling}, {t}: {of_plate_work} for {of_feet_work}"
            );
            used = if coupling == PARALLEL {
                std::mem::replace(&mut held, of_plate)
            } else {
                of_plate
            };
            v = moved(v, t, h, used).0;
        }
        assert!(v.iter().any(|speed| speed.abs() > 0.1), "{v:?}");
    }
}

#[test]
fn plate_at_rest_stays_at_rest_and_comes_to_rest() {
    for law in ["FrDyn2", "FrDyn2Linear"] {
        for coupling in [SERIAL, PARALLEL] {
            let fmu = plate(law, coupling);
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            for step in 0..100 {
                assert_eq!(
                    advance(&mut instance, [0.0; 3], 1e-3 * f64::from(step), 1e-3),
                    [0.0; 3]
                );
            }
            assert_eq!(instance.get("E_loss"), 0.0);
            // Without a load, from sliding and spin.
            let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
            let (mut v, mut held, h) = ([0.3, -0.2, 4.0], [0.0; 3], 1e-3);
            let start = 0.5 * (MASS * (v[0] * v[0] + v[1] * v[1]) + INERTIA * v[2] * v[2]);
            for step in 0..800 {
                let new = advance(&mut instance, v, h * f64::from(step), h);
                let used = if coupling == PARALLEL {
                    std::mem::replace(&mut held, new)
                } else {
                    new
                };
                for _ in 0..20 {
                    let part = h / 20.0;
                    let spin = v[2];
                    v[2] -= part * used[2] / INERTIA;
                    let [v_x, v_y, _] = v;
                    let turn = 0.5 * (spin + v[2]);
                    v[0] += part * (-used[0] / MASS + turn * v_y);
                    v[1] += part * (-used[1] / MASS - turn * v_x);
                }
            }
            println!(
                "{law}, {coupling}: {v:?}, {start} J, {} J",
                instance.get("E_loss")
            );
            assert!(
                v.iter().all(|speed| speed.abs() < 1e-6),
                "{law}, {coupling}: {v:?}"
            );
            assert!(
                (instance.get("E_loss") / start - 1.0).abs() < 0.01,
                "{law}, {coupling}"
            );
        }
    }
}

/// Next number of a fixed sequence in 0 … 1.
fn random(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1_u64 << 53) as f64
}

#[test]
fn random_steps_keep_force_and_work_of_a_plate_within_bounds() {
    for coupling in [SERIAL, PARALLEL] {
        let fmu = plate("FrDyn2", coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut seed, mut t, mut v, mut held) = (5, 0.0, [0.0; 3], [0.0; 3]);
        let (mut peak, mut work) = (0.0_f64, 0.0);
        while t < 2.0 {
            let h = 1e-4 * libm::pow(30.0, random(&mut seed));
            let new = advance(&mut instance, v, t, h);
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            peak = peak.max(libm::hypot(used[0], used[1]) / (0.6 * NORMAL));
            let part;
            (v, part) = moved(v, t, h, used);
            work += part;
            t += h;
        }
        let of_law = instance.get("E_loss");
        println!("{coupling}: {peak} F_s, {work} J, {of_law} J");
        assert!(peak <= 2.0, "{coupling}: {peak} F_s");
        assert!(
            (of_law / work - 1.0).abs() < 0.01,
            "{coupling}: {of_law} J for {work} J"
        );
    }
}

#[test]
fn saved_states_of_a_plate_on_a_body_repeat_bit_for_bit() {
    for coupling in [SERIAL, PARALLEL] {
        let fmu = plate_with_acceleration("FrDyn2Linear", coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        // An input that is not set again is part of the state.
        accelerate(&mut instance, [3.0, -2.0, 5.0]);
        let run = |from: i32, instance: &mut Instance| -> Vec<u64> {
            let motion = |t: f64| {
                [
                    0.01 * libm::sin(50.0 * t),
                    0.02 * libm::sin(30.0 * t),
                    0.1 * libm::sin(40.0 * t),
                ]
            };
            (from..from + 20)
                .flat_map(|step| {
                    let t = 1e-3 * f64::from(step);
                    advance(instance, motion(t), t, 1e-3).map(f64::to_bits)
                })
                .collect()
        };
        run(0, &mut instance);
        // A refused step leaves the plate as it was.
        let refuse = |instance: &mut Instance| {
            accelerate(instance, [0.0; 3]);
            instance.set("F_N", NORMAL);
            instance.set("v_x", f64::MAX);
            instance.set("omega", f64::MAX);
            assert_eq!(instance.do_step(20e-3, 1e-3), Status::Error);
        };
        assert_state_repeats(&fmu, &mut instance, |instance| run(20, instance), refuse);
    }
}

#[test]
fn held_scheme_of_a_plate_gives_the_bits_of_a_plate_without_a_body() {
    let (with, without) = (
        plate("FrDyn2", 3.0),
        load(
            &exporter(),
            &Variant::new(model("FrDyn2"), patch("FrDyn2", &POINTS, &SHARES)).expect("a card"),
        ),
    );
    let [mut with, mut without] =
        [&with, &without].map(|fmu| instance_in(fmu, CO_SIMULATION, InstanceState::StepComplete));
    for step in 0..100 {
        let t = 1e-3 * f64::from(step);
        let v = [
            0.01 * libm::sin(50.0 * t),
            0.02 * libm::sin(30.0 * t),
            0.1 * libm::sin(40.0 * t),
        ];
        let [held, alone] = [&mut with, &mut without]
            .map(|instance| advance(instance, v, t, 1e-3).map(f64::to_bits));
        assert_eq!(held, alone, "{t}");
    }
}

#[test]
fn mean_force_of_a_plate_is_the_impulse_of_the_monolithic_solution() {
    let law = PlanarLaw::FrDyn2(frdyn2::PAPER);
    let reference = reference(&law);
    for coupling in [SERIAL, PARALLEL] {
        // Measured: 1.3e-4 and 3.2e-3 in series, 3.9e-4 at 1e-4 s in parallel. The correction of
        // the applied force is not in the mean.
        for (h, bound) in [(1e-4, 1e-3), (1e-3, 2e-2)] {
            let run = coupled(
                &reference,
                &law,
                &plate("FrDyn2", coupling),
                h,
                coupling == PARALLEL,
            );
            println!(
                "{coupling}, {h:e} s: {:?}, forces applied {:?}",
                run.of_means, run.errors
            );
            assert!(
                run.of_means.iter().all(|error| *error < bound),
                "{coupling}, {h}: {:?}",
                run.of_means
            );
        }
    }
}

#[test]
fn mean_force_of_a_held_plate_is_the_impulse_of_its_law_over_the_step() {
    let law = PlanarLaw::FrDyn2(frdyn2::PAPER);
    let fmu = plate("FrDyn2", 3.0);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    assert_eq!(mean(&mut instance), [0.0; 3], "before the first step");
    let (mut x, h, mut worst) = (vec![0.0; 4 * POINTS.len()], 1e-3, 0.0_f64);
    for step in 0..60 {
        let t = h * f64::from(step);
        // Sticks, slides and turns.
        let v = [
            0.02 * libm::sin(130.0 * t),
            0.01 * libm::sin(70.0 * t),
            0.3 * libm::sin(100.0 * t),
        ];
        advance(&mut instance, v, t, h);
        let (count, mut impulse) = (400, [0.0; 3]);
        let part = h / f64::from(count);
        for _ in 0..count {
            let moved = |rate: &[f64], share: f64| -> Vec<f64> {
                x.iter()
                    .zip(rate)
                    .map(|(x, rate)| x + share * part * rate)
                    .collect()
            };
            let (force_1, rate_1) = friction(&law, v, &x);
            let (force_2, rate_2) = friction(&law, v, &moved(&rate_1, 0.5));
            let (force_3, rate_3) = friction(&law, v, &moved(&rate_2, 0.5));
            let (force_4, rate_4) = friction(&law, v, &moved(&rate_3, 1.0));
            let mean = |[a, b, c, d]: [f64; 4]| (a + 2.0 * (b + c) + d) / 6.0;
            impulse = std::array::from_fn(|i| {
                impulse[i] + part * mean([force_1[i], force_2[i], force_3[i], force_4[i]])
            });
            x = (0..x.len())
                .map(|i| x[i] + part * mean([rate_1[i], rate_2[i], rate_3[i], rate_4[i]]))
                .collect();
        }
        let found = mean(&mut instance);
        let errors: Twist = std::array::from_fn(|i| (found[i] - impulse[i] / h).abs());
        worst = worst
            .max(errors[0].max(errors[1]) / (0.6 * NORMAL))
            .max(errors[2] / (0.06 * NORMAL));
        assert!(
            worst < 1e-4,
            "{t}: {found:?} for {:?}",
            impulse.map(|impulse| impulse / h)
        );
    }
    println!("{worst:e}");
}

#[test]
fn acceleration_of_a_plate_makes_a_parallel_coupling_more_accurate() {
    let law = PlanarLaw::FrDyn2(frdyn2::PAPER);
    let reference = reference(&law);
    for (coupling, h) in [
        (SERIAL, 1e-3),
        (PARALLEL, 1e-3),
        (SERIAL, 5e-3),
        (PARALLEL, 5e-3),
    ] {
        let [without, with] = [
            plate("FrDyn2", coupling),
            plate_with_acceleration("FrDyn2", coupling),
        ]
        .map(|fmu| coupled(&reference, &law, &fmu, h, coupling == PARALLEL));
        println!(
            "{coupling}, {h:e} s: {:?}, with the acceleration {:?}",
            without.errors, with.errors
        );
        // Measured: force and torque 0.35 and 0.46, work 0.17 and 0.73 of those without, at 1e-3
        // and 5e-3 s.
        let is_better = [0.6, 0.6, 0.8]
            .iter()
            .enumerate()
            .all(|(i, share)| with.errors[i] < share * without.errors[i]);
        assert!(
            with.peak <= 2.0 && (coupling == SERIAL || is_better),
            "{coupling}, {h}: {:?}",
            with.errors
        );
    }
}

#[test]
fn wrong_order_and_wrong_inertia_of_a_plate_are_named() {
    for (factor, coupling, word) in [
        (1.0, PARALLEL, "set coupling to serial"),
        (2.5, SERIAL, "inertia"),
    ] {
        let given = CardBody {
            mass: Some(factor * MASS),
            inertia: Some(factor * INERTIA),
            ..CardBody::default()
        };
        let fmu = with_body(patch("FrDyn2", &POINTS, &SHARES), given, coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        instance.take_log();
        let (mut v, h) = ([0.0; 3], 1e-3);
        for step in 0..1000 {
            let t = h * f64::from(step);
            let force = advance(&mut instance, v, t, h);
            v = moved(v, t, h, force).0;
        }
        let log = instance.take_log();
        println!("{factor}, {coupling}: {log:#?}");
        assert!(
            log.iter().any(|entry| entry.text.contains(word)),
            "{factor}, {coupling}: {log:#?}"
        );
    }
}

#[test]
fn error_of_the_work_of_a_plate_is_the_one_that_its_warning_names() {
    // A load that jumps within each few steps. A parallel coupling names the load first.
    let jumping = |t: f64| if (t * 150.0) % 1.0 < 0.5 { 13.0 } else { -9.0 };
    let fmu = plate("FrDyn2", SERIAL);
    let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
    assert_eq!(instance.get("E_loss_error"), 0.0);
    instance.take_log();
    let (mut v, h) = (0.0, 1e-3);
    for step in 0..1000 {
        let t = h * f64::from(step);
        // The warning precedes its step.
        let error = instance.get("E_loss_error");
        let [force, ..] = advance(&mut instance, [v, 0.0, 0.0], t, h);
        v += h * (jumping(t) - force) / MASS;
        let log = instance.take_log();
        if let Some(entry) = log
            .iter()
            .find(|entry| entry.text.contains("differs from that of friction by"))
        {
            println!("{error}, {}", entry.text);
            assert!(
                entry.text.contains(&format!("by {:.1} %", 100.0 * error)),
                "{error}, {}",
                entry.text
            );
            return;
        }
    }
    panic!("no warning");
}

#[test]
fn error_of_the_work_of_a_plate_is_small_where_the_body_follows_and_0_without_an_observer() {
    // Measured: 2.9e-3 in series and 1.06e-2 in parallel, in the first swing.
    for (coupling, bound) in [(SERIAL, 5e-3), (PARALLEL, 1.5e-2), (3.0, 0.0)] {
        let fmu = plate("FrDyn2", coupling);
        let mut instance = instance_in(&fmu, CO_SIMULATION, InstanceState::StepComplete);
        let (mut v, mut held, h, mut work, mut largest) = ([0.0; 3], [0.0; 3], 1e-3, 0.0, 0.0_f64);
        for step in 0..400 {
            let t = h * f64::from(step);
            let new = advance(&mut instance, v, t, h);
            let used = if coupling == PARALLEL {
                std::mem::replace(&mut held, new)
            } else {
                new
            };
            let part;
            (v, part) = moved(v, t, h, used);
            work += part;
            largest = largest.max(instance.get("E_loss_error").abs());
        }
        println!("{coupling}: {largest}, {work} J");
        assert!(
            work > 0.1 && largest <= bound && (largest > 0.0) == (bound > 0.0),
            "{coupling}: {largest}, {work} J"
        );
    }
}
