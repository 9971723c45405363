//! Regressions on exactly discretised masses on springs, on prescribed motions, and at the limits of their gates.

use super::*;
use crate::laws::tests::random;
use core::f64::consts::TAU;

/// Length of the steps, s.
const H: f64 = 1e-3;

/// Pseudo-random sign.
fn sign(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    if *state >> 63 == 0 { 1.0 } else { -1.0 }
}

/// Rig of a mass (kg) on a spring under random forces. A constant load acts as well, and a belt moves.
#[derive(Clone, Copy)]
struct Rig {
    /// Mass with the contact, and that at the other end of the spring; infinite for the ground.
    masses: [f64; 2],
    /// Angle by which it swings within a step.
    angle: f64,
    /// Weights of the forces.
    weights: [f64; 3],
    /// Random error of the velocity, m/s.
    noise: f64,
    /// Units of time, length and mass over s, m and kg.
    units: [f64; 3],
}

impl Rig {
    fn new(masses: [f64; 2], angle: f64, weights: [f64; 3]) -> Self {
        Rig { masses, angle, weights, noise: 0.0, units: [1.0; 3] }
    }

    /// Length of a step.
    fn step(&self) -> f64 {
        H / self.units[0]
    }

    /// Applies `visit` to every communication point: its number, velocity and the last forces.
    fn run<R>(&self, mut visit: impl FnMut(u32, f64, [f64; 5]) -> Option<R>) -> Option<R> {
        let Rig { masses, angle, weights, noise, units: [time, length, of_mass] } = *self;
        let [mass, behind] = masses.map(|mass| mass / of_mass);
        let (of_speed, of_force) = (time / length, time * time / (length * of_mass));
        let share = if behind.is_finite() { 1.0 / (mass + behind) } else { 0.0 };
        let (h, omega) = (self.step(), angle / self.step());
        let (mut forces, mut state, mut error) = ([0.0; 5], 1, random(5));
        // The common motion, and the modal displacement and velocity.
        let (mut common, mut x, mut v) = (0.0, 0.0, 0.0);
        (0..400).find_map(|i| {
            if let Some(found) = visit(i, common + v + (noise * error() - 0.1) * of_speed, forces) {
                return Some(found);
            }
            let [p1, p2, p3, p4, _] = forces;
            forces = [0.06 * of_force * sign(&mut state), p1, p2, p3, p4];
            let applied: f64 = forces.iter().zip(weights).map(|(force, weight)| force * weight).sum();
            let a = 0.3 * of_force - applied;
            common += share * a * h;
            // Exact motion of the mode under a constant force.
            let rest = a * (1.0 / mass - share) / (omega * omega);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            (x, v) = (rest + (x - rest) * cos + v / omega * sin, (rest - x) * omega * sin + v * cos);
            None
        })
    }

    /// First response, with the number of its communication point.
    fn identify(&self) -> Option<(u32, Response)> {
        let mut identification = ElasticIdentification::default();
        self.run(|i, v, forces| {
            identification.observe(v, self.step(), forces);
            identification.response().map(|found| (i, found))
        })
    }
}

/// Impulse of a force over a step over the change of v at its end, kg.
fn answering_mass([mass, behind]: [f64; 2], angle: f64) -> f64 {
    let share = if behind.is_finite() { 1.0 / (mass + behind) } else { 0.0 };
    1.0 / (share + (1.0 / mass - share) * libm::sin(angle) / angle)
}

#[test]
fn mass_and_order_of_a_body_on_a_spring_are_identified() {
    for (order, weights) in ForceOrder::ALL {
        for masses in [[1.0, f64::INFINITY], [0.5, 1.0], [1.0, 0.2], [30.0, 300.0]] {
            for angle in [0.1, 0.5, 1.0] {
                let found = Rig::new(masses, angle, weights).identify();
                let (_, found) = found.unwrap_or_else(|| panic!("{order:?}, {masses:?}, {angle}: not identified"));
                let expected = answering_mass(masses, angle);
                assert!(
                    found.order == order && (found.mass / expected - 1.0).abs() < 1e-3,
                    "{order:?}, {masses:?}, {angle}: {found:?}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn prescribed_motions_have_no_mass() {
    let mut state = 7;
    for tones in 1..4 {
        for period in [2.5, 7.0, 23.0, 110.0] {
            for noise in [0.0, 1e-9, 1e-3] {
                let mut identification = ElasticIdentification::default();
                let (mut forces, mut x) = ([0.0; 5], 0.0);
                for i in 0..400 {
                    let tone = |k: i32| libm::sin(TAU * f64::from(i) / (period * f64::from(k)) + f64::from(k));
                    let v = 1e-3 * (1..=tones).map(tone).sum::<f64>() + noise * sign(&mut state);
                    identification.observe(v, H, forces);
                    let found = identification.response();
                    assert_eq!(found, None, "{tones} tones of {period} steps, {noise} m/s, step {i}");
                    // A bristle in stick with a test signal.
                    x += v * H;
                    let [p1, p2, p3, p4, _] = forces;
                    forces = [5e6 * x + 3e3 * v + 0.06 * sign(&mut state), p1, p2, p3, p4];
                }
            }
        }
    }
}

#[test]
fn step_of_another_length_starts_the_sums_anew() {
    let mut identification = ElasticIdentification::default();
    let forces = [1.0, 2.0, -1.0, 0.5, 3.0];
    for i in 0..30 {
        identification.observe(f64::from(i * i % 7), H, forces);
    }
    assert!(identification.sum(0, 0) > 1.0);
    identification.observe(0.25, 1.1 * H, forces);
    let started = ElasticIdentification { duration: 1.1 * H, ..ElasticIdentification::default() };
    assert_eq!(identification, ElasticIdentification { velocities: [0.25, 0.0, 0.0], ..started });
}

/// A serial master with two masses on a spring.
const SERIAL: Rig =
    Rig { masses: [0.5, 1.0], angle: 0.5, weights: [1.0, 0.0, 0.0], noise: 0.0, units: [1.0, 1.0, 1.0] };

#[test]
fn mass_is_identified_as_soon_as_the_steps_are_enough_and_agree() {
    for (order, weights) in ForceOrder::ALL {
        let (point, _) = Rig { weights, ..SERIAL }.identify().expect("a response");
        // The first point has no step before it. An extrapolated force resembles that of a serial master, which takes more steps to exclude.
        let earliest = HISTORY + MIN_STEPS + AGREEING - 1.0;
        let is_at_once = f64::from(point) == earliest;
        assert!(is_at_once || order == ForceOrder::Extrapolated && f64::from(point) > earliest, "{order:?}: {point}");
    }
}

#[test]
fn response_in_other_units_is_the_same_to_the_bit() {
    let (point, found) = SERIAL.identify().expect("a response");
    for units in [[1024.0, 1.0, 1.0], [1.0, 0.001953125, 1.0], [1.0, 1.0, 4096.0], [0.00390625, 128.0, 0.00048828125]] {
        let (at, other) = Rig { units, ..SERIAL }.identify().expect("a response");
        assert_eq!((at, other.order, other.mass * units[2]), (point, found.order, found.mass), "{units:?}");
    }
}

#[test]
fn noise_hides_the_mass_before_it_changes_it() {
    // The forces change the velocity by about 1e-4 m/s in a step.
    let results = |noise: f64| {
        let (rig, mut identification) = (Rig { noise, ..SERIAL }, ElasticIdentification::default());
        let mut results = Vec::new();
        rig.run(|_, v, forces| {
            identification.observe(v, rig.step(), forces);
            results.extend(identification.response());
            None::<()>
        });
        results
    };
    let expected = answering_mass(SERIAL.masses, SERIAL.angle);
    for (noise, is_found) in [(1e-7, true), (1e-6, true), (1e-5, true), (1e-4, false), (1e-3, false)] {
        let found = results(noise);
        for Response { order, mass } in &found {
            let error = mass / expected - 1.0;
            assert!(*order == ForceOrder::Serial && error.abs() < 0.2, "{noise} m/s: {order:?}, {mass} kg");
        }
        assert_eq!(!found.is_empty(), is_found, "{noise} m/s");
    }
}

#[test]
fn body_that_moves_with_the_force_and_not_against_it_has_no_mass() {
    for (_, weights) in ForceOrder::ALL {
        let weights = weights.map(|weight| -weight);
        let (rig, mut identification) = (Rig { weights, ..SERIAL }, ElasticIdentification::default());
        rig.run(|i, v, forces| {
            identification.observe(v, H, forces);
            assert_eq!(identification.fit(), None, "{weights:?}, step {i}");
            None::<()>
        });
    }
}

#[test]
fn motion_and_force_that_do_not_explain_each_other_are_no_regression() {
    // A swing that random forces do not change, and a random motion under a force whose second differences follow from it.
    let swing = |i: f64, _: f64, random: f64| [libm::sin(0.5 * i), random];
    let tone = |i: f64, random: f64, _: f64| [random, libm::sin(0.7 * i)];
    let cases: [&dyn Fn(f64, f64, f64) -> [f64; 2]; 2] = [&swing, &tone];
    for (case, of_step) in cases.into_iter().enumerate() {
        let (mut identification, mut forces, mut state) = (ElasticIdentification::default(), [0.0; 5], 3);
        for i in 0..60 {
            let [v, force] = of_step(f64::from(i), sign(&mut state), sign(&mut state));
            identification.observe(v, H, forces);
            let [p1, p2, p3, p4, _] = forces;
            forces = [force, p1, p2, p3, p4];
        }
        for (order, weights) in ForceOrder::ALL {
            assert_eq!(identification.fit_order(weights), None, "case {case}, {order:?}");
        }
    }
}

#[test]
fn motion_below_the_smallest_sum_has_no_mass() {
    let in_length = |unit: f64| Rig { units: [1.0, unit, 1.0], ..SERIAL }.identify();
    assert!(in_length(1e40).is_some());
    assert_eq!(in_length(1e60), None);
}

#[test]
fn forces_without_a_second_difference_have_no_mass() {
    // A body that swings freely, and then under a force that grows linearly.
    for rate in [0.0, 0.01] {
        let (mut identification, mut forces) = (ElasticIdentification::default(), [0.0; 5]);
        for i in 0..100 {
            identification.observe(1e-3 * libm::sin(0.5 * f64::from(i)), H, forces);
            assert_eq!(identification.response(), None, "{rate} N per step, step {i}");
            forces = core::array::from_fn(|k| rate * (f64::from(i) - k as f64));
        }
    }
}

#[test]
fn length_of_the_steps_may_vary_within_its_bound() {
    let after = |change: f64| {
        let mut identification = ElasticIdentification::default();
        for i in 0..30 {
            identification.observe(f64::from(i * i % 7), H, [1.0, 2.0, -1.0, 0.5, 3.0]);
        }
        let steps = identification.steps;
        identification.observe(0.5, (1.0 + change) * H, [1.0; 5]);
        (identification.steps - steps, identification.duration)
    };
    for change in [-0.9 * MAX_LENGTH_CHANGE, 0.9 * MAX_LENGTH_CHANGE] {
        assert_eq!(after(change), (1.0, H), "{change}");
    }
    for change in [-1.1 * MAX_LENGTH_CHANGE, 1.1 * MAX_LENGTH_CHANGE, f64::NAN] {
        let (steps, duration) = after(change);
        assert!(steps < 0.0 && duration.to_bits() == ((1.0 + change) * H).to_bits(), "{change}");
    }
}

#[test]
fn sums_start_again_after_a_pause_and_where_they_overflow() {
    let observed = |scale: f64| {
        let mut identification = ElasticIdentification::default();
        for i in 0..30 {
            let sign = if i * i % 7 < 3 { 1.0 } else { -1.0 };
            identification.observe(sign * scale, H, [1.0, -1.0, 1.0, 1.0, -1.0].map(|force| sign * force * scale));
        }
        identification
    };
    for (scale, is_kept) in [(1.0, true), (1e-40, true), (1e45, true), (1e52, false), (1e200, false)] {
        let identification = observed(scale);
        assert_eq!(identification.sum(1, 1) > 0.0, is_kept, "{scale}: {identification:?}");
        assert!(is_kept || identification.steps <= HISTORY, "{scale}: {identification:?}");
    }
    let mut identification = observed(1.0);
    identification.clear();
    identification.observe(0.25, H, [1.0; 5]);
    let started = ElasticIdentification { duration: H, ..ElasticIdentification::default() };
    assert_eq!(identification, ElasticIdentification { velocities: [0.25, 0.0, 0.0], ..started });
    // A velocity that is no number.
    identification = observed(1.0);
    identification.observe(f64::INFINITY, H, [1.0; 5]);
    assert_eq!((identification.steps, identification.sums), (0.0, [0.0; SUMS]));
}

#[test]
fn restored_regression_goes_on_with_the_same_bits() {
    for restored_at in [3, 14, 18] {
        let mut identification = ElasticIdentification::default();
        let found = SERIAL.run(|i, v, forces| {
            if i == restored_at {
                let mut bytes = [0; 8 * (2 + 3 + SUMS + 3)];
                identification.write(&mut Writer::new(&mut bytes));
                identification = ElasticIdentification::read(&mut Reader::new(&bytes)).expect("a saved state");
            }
            identification.observe(v, H, forces);
            identification.response().map(|found| (i, found))
        });
        assert_eq!(found, SERIAL.identify(), "{restored_at}");
    }
}

#[test]
fn each_product_of_two_variables_has_its_own_sum() {
    let mut identification = ElasticIdentification::default();
    for (place, sum) in identification.sums.iter_mut().enumerate() {
        *sum = place as f64;
    }
    let pairs = (0..VARIABLES).flat_map(|i| (0..=i).map(move |j| (i, j)));
    let mut places: Vec<_> = pairs.map(|(i, j)| identification.sum(i, j)).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places, identification.sums);
}
