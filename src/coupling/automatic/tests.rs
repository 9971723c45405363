//! Masses that an automatic coupling identifies and takes into use, on bodies of known mass under its test signal and under prescribed motions.

use super::*;
use crate::catalogue::find;
use crate::coupling::{COUPLING, PROBE as AMPLITUDE};
use crate::element::{F_N, F_R, V};

/// FrDyn2's defaults in stick: 1 kg is stable up to 2.1e-4 s in parallel with held values.
const RESPONSE: [f64; 2] = [5e6, 3192.75];

/// Coupling after 60 steps of `h` (s) of a mass of 1 kg in parallel under the test signal, with what is in use at the end.
fn after_probe(h: f64) -> (AutomaticCoupling, Option<(f64, Coupling)>) {
    let mut coupling = AutomaticCoupling::default();
    let (mut v, mut last, mut in_use) = (0.0, 0.0, None);
    for _ in 0..60 {
        coupling.observe(v, h);
        coupling.observe_elastic(v, h, true);
        in_use = coupling.adopt([h, h], || RESPONSE);
        let force = coupling.probe(0.01, 6.0);
        coupling.add_force(force);
        v -= h * last;
        last = force;
    }
    (coupling, in_use)
}

#[test]
fn mass_is_in_use_beyond_twice_the_longest_step_of_held_values() {
    for (h, is_used) in [(0.9e-4, false), (1.2e-4, false), (4e-4, false), (4.4e-4, true), (1e-3, true)] {
        let (coupling, in_use) = after_probe(h);
        let (mass, scheme) = coupling.identified().unwrap_or_else(|| panic!("{h} s: not identified"));
        assert!((mass - 1.0).abs() < 1e-6 && scheme == Coupling::Parallel, "{h} s: {mass} kg, {scheme:?}");
        assert_eq!(in_use.is_some(), is_used, "{h} s");
    }
    // Steps of another length take it up, and longer ones; none gives it up.
    for next in [1e-3, 0.8e-4] {
        let (mut coupling, _) = after_probe(0.9e-4);
        for (last, h, is_used) in [(0.9e-4, 0.91e-4, false), (0.91e-4, next, true), (next, next, true)] {
            assert_eq!(coupling.adopt([last, h], || RESPONSE).is_some(), is_used, "{h} s");
        }
    }
}

#[test]
fn mass_is_in_use_beyond_half_of_the_longest_step_where_the_force_oscillates() {
    for (h, is_used) in [(0.9e-4, false), (1.2e-4, true)] {
        let (mut coupling, _) = after_probe(h);
        for force in [1.0, -1.0, 1.0, -1.0, 1.0, -1.0] {
            coupling.add_force(force);
            let point = HeldPoint { contact: [10.0, 0.0], loss: 0.0, duration: h, forces: [0.0; 2], static_force: 6.0 };
            coupling.watch(point, || 1.0);
        }
        assert_eq!(coupling.adopt([h, h], || RESPONSE).is_some(), is_used, "{h} s");
    }
}

#[test]
fn missing_mass_is_reported_after_the_test_signal_has_acted_for_long() {
    let mut coupling = AutomaticCoupling::default();
    for _ in 0..300 {
        assert!(coupling.held_doubt().is_none() && coupling.probes_sliding());
        coupling.probe(0.01, 6.0);
    }
    assert_eq!(coupling.held_doubt(), Some(HeldDoubt::Unidentified));
    assert!(!coupling.probes_sliding());
}

#[test]
fn test_signal_has_its_amplitude_and_no_mean_force_beyond_one_step_in_seven() {
    let mut coupling = AutomaticCoupling::default();
    let signal: Vec<f64> = (0..14).map(|_| coupling.probe(0.05, 40.0)).collect();
    assert!(signal.iter().all(|probe| probe.abs() == 2.0), "{signal:?}");
    assert_eq!(signal[..7], signal[7..]);
    assert_eq!(signal[..7].iter().sum::<f64>(), 2.0);
    // Period 7 with a flat spectrum: the autocorrelation is -1 at every shift.
    for shift in 1..7 {
        let correlation: f64 = (0..7).map(|i| signal[i] * signal[i + shift]).sum();
        assert_eq!(correlation, -4.0, "{shift}");
    }
    assert_eq!(coupling.probe(0.5, 40.0), MAX_PROBE * 40.0);
    assert_eq!(coupling.probe(0.05, f64::INFINITY), 0.0);
}

/// Body under the forces of an automatic coupling with the test signal.
struct Body {
    mass: f64,
    /// Weights of the forces of the coming step and of those before it, the newest first.
    weights: [f64; 3],
    v: f64,
    coupling: AutomaticCoupling,
}

impl Body {
    fn new(mass: f64, weights: [f64; 3]) -> Self {
        Body { mass, weights, v: 0.0, coupling: AutomaticCoupling::default() }
    }

    /// Moves the body over this many steps of `h` (s).
    fn step(&mut self, steps: usize, h: f64) {
        for _ in 0..steps {
            self.coupling.observe(self.v, h);
            self.coupling.observe_elastic(self.v, h, true);
            self.coupling.adopt([h, h], || RESPONSE);
            let force = self.coupling.probe(0.01, 6.0);
            self.coupling.add_force(force);
            let forces = self.coupling.identification.forces();
            let applied: f64 = forces.iter().zip(self.weights).map(|(force, weight)| force * weight).sum();
            self.v -= applied * h / self.mass;
        }
    }
}

#[test]
fn identified_mass_is_replaced_by_one_beyond_the_deadband_and_by_another_scheme() {
    const PARALLEL: [f64; 3] = [0.0, 1.0, 0.0];
    for h in [0.9e-4, 1e-3] {
        let after = |mass: f64, weights: [f64; 3]| {
            let mut body = Body::new(2.0, PARALLEL);
            body.step(60, h);
            let before = body.coupling.identified().expect("a mass");
            (body.mass, body.weights) = (mass, weights);
            body.step(100, h);
            (before, body.coupling.identified().expect("a mass"))
        };
        for mass in [1.8, 2.2] {
            let (before, now) = after(mass, PARALLEL);
            assert_eq!(now, before, "{h} s, {mass} kg");
        }
        for mass in [0.2, 1.4, 2.6, 40.0] {
            let (_, (now, scheme)) = after(mass, PARALLEL);
            assert!((now / mass - 1.0).abs() < DEADBAND && scheme == Coupling::Parallel, "{h} s, {mass} kg: {now} kg");
        }
        let (_, (now, scheme)) = after(2.0, [1.0, 0.0, 0.0]);
        assert!((now / 2.0 - 1.0).abs() < DEADBAND && scheme == Coupling::Serial, "{h} s: {now} kg, {scheme:?}");
    }
}

#[test]
fn mass_without_a_test_signal_counts_where_it_is_needed() {
    // 1 kg in parallel under forces of this size (N) besides the test signal's sequence, in steps of lengths that change by a factor in the last one.
    let identified = |h: f64, jump: f64, change: f64| {
        let mut coupling = AutomaticCoupling::default();
        let (mut v, mut last) = (0.0, 0.0);
        for i in 0..60 {
            coupling.observe(v, h);
            let next = if i == 59 { change * h } else { h };
            coupling.adopt([h, next], || RESPONSE);
            let force = jump * PROBE[i % PROBE.len()];
            coupling.add_force(force);
            let point = HeldPoint { contact: [10.0, v], loss: 0.0, duration: h, forces: [0.0; 2], static_force: 6.0 };
            coupling.watch(point, || 1.0);
            v -= h * last;
            last = force;
        }
        coupling.identified().map(|(mass, _)| (mass - 1.0).abs() < 1e-6)
    };
    // The longest stable step is 2.1e-4 s.
    for (h, jump, change, expected) in [
        (0.9e-4, 0.06, 1.0, None),
        (0.9e-4, 4.0, 1.0, None),
        (4e-4, 0.06, 1.0, None),
        (4.4e-4, 0.06, 1.0, Some(true)),
        (1.2e-4, 4.0, 1.0, Some(true)),
        (1.2e-4, 0.06, 1.2, Some(true)),
        (0.8e-4, 0.06, 1.2, Some(true)),
        (0.8e-4, 0.06, 1.05, None),
    ] {
        assert_eq!(identified(h, jump, change), expected, "{h} s, {jump} N, {change}");
    }
}

/// Random prescribed motions that are tried.
const MOTIONS: u32 = 1000;

/// Prescribed motions of up to three tones that show a mass with FrDyn2 without a test signal, have it in use, and show an order without a scheme, in
/// steps whose lengths have these factors in turn.
fn of_prescribed_motions(lengths: [f64; 3]) -> [u32; 3] {
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut share = move || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut counts = [0; 3];
    for _ in 0..MOTIONS {
        let mut between = |low: f64, high: f64| low * libm::pow(high / low, share());
        let h = between(1e-4, 1e-2);
        // Amplitude (m/s), angle in a step over H and phase of each tone, on a constant velocity in every third motion.
        let tones: [[f64; 3]; 3] =
            core::array::from_fn(|_| [between(1e-6, 0.1), between(0.01, 3.1) / h, between(0.1, 6.0)]);
        let mean = between(1e-5, 0.1);
        let tones = &tones[..1 + (3.0 * share()) as usize];
        let mean = if share() < 0.3 { mean } else { 0.0 };
        let mut element = find("FrDyn2").unwrap().instantiate();
        element.set(&COUPLING, 4.0);
        element.apply_parameters().unwrap();
        element.initialize().unwrap();
        element.set(&F_N, 10.0);
        let (mut t, mut shown) = (0.0, [false; 3]);
        for factor in lengths.into_iter().cycle().take(300) {
            let sum: f64 = tones.iter().map(|[v, omega, phase]| v * libm::sin(omega * t + phase)).sum();
            element.set(&V, mean + sum);
            element.advance(factor * h).unwrap();
            t += factor * h;
            let coupling = &element.snapshot().automatic;
            shown[0] |= coupling.identified().is_some();
            shown[1] |= coupling.in_use().is_some();
            shown[2] |= coupling.obstacle().is_some();
        }
        counts.iter_mut().zip(shown).for_each(|(count, shown)| *count += u32::from(shown));
    }
    counts
}

#[test]
fn few_prescribed_motions_are_taken_for_a_body() {
    let counts = [[1.0; 3], [1.0, 0.5, 0.8]].map(of_prescribed_motions);
    // 48, 8 and 8 in steps of one length with the bounds of a body that is known, and a mass that counts where it is not needed.
    assert_eq!(counts, [[2, 2, 5], [20, 20, 0]], "of {MOTIONS}");
}

#[test]
fn orders_without_a_scheme_are_an_obstacle_and_not_in_use() {
    for (order, weights) in ForceOrder::ALL {
        let mut body = Body::new(1.0, weights);
        body.step(60, 1e-3);
        let has_scheme = matches!(order, ForceOrder::Serial | ForceOrder::Parallel);
        assert_eq!(body.coupling.in_use().is_some(), has_scheme, "{order:?}");
        let obstacle = body.coupling.obstacle();
        assert_eq!(obstacle.map(|response| response.order), (!has_scheme).then_some(order));
        let (last, are_enough) = body.coupling.last_response();
        assert!(
            are_enough && last.is_some_and(|last| last.order == order && (last.mass - 1.0).abs() < 1e-6),
            "{last:?}"
        );
        assert!(obstacle.is_none_or(|response| (response.mass - 1.0).abs() < 1e-6), "{order:?}: {obstacle:?}");
        assert_eq!(AutomaticCoupling::default().last_response(), (None, false));
    }
}

#[test]
fn body_on_a_spring_is_identified_by_its_own_regression_and_only_under_a_test_signal() {
    // 1 kg on a spring to the ground, which swings by 0.8 rad in a step, under a serial master.
    let (h, angle) = (1e-3, 0.8);
    let omega = angle / h;
    let identified = |is_probed: bool| {
        let mut coupling = AutomaticCoupling::default();
        let (mut x, mut v) = (0.0, 0.0);
        (0..80).find_map(|_| {
            coupling.observe(v, h);
            coupling.observe_elastic(v, h, is_probed);
            coupling.adopt([h, h], || RESPONSE);
            let force = coupling.probe(0.01, 6.0);
            coupling.add_force(force);
            let rest = -force / (omega * omega);
            let (sin, cos) = (libm::sin(angle), libm::cos(angle));
            (x, v) = (rest + (x - rest) * cos + v / omega * sin, (rest - x) * omega * sin + v * cos);
            coupling.identified()
        })
    };
    // The impulse of a force over a step over the change of v at its end.
    let expected = angle / libm::sin(angle);
    let (mass, scheme) = identified(true).expect("a mass");
    assert!((mass / expected - 1.0).abs() < 1e-6 && scheme == Coupling::Serial, "{mass} kg, not {expected}");
    assert_eq!(identified(false), None);
}

#[test]
fn way_until_the_identification_decides_whether_the_body_has_moved() {
    // F_R jumps once, or there and back, at short steps, before longer ones take the mass into use.
    for (forces, bound) in [(&[0.0, 4.0][..], 100.0), (&[0.0, 4.0, -4.0], 8.0)] {
        for (share, has_moved) in [(0.97, false), (1.03, true)] {
            let mut body = Body::new(2.0, [0.0, 1.0, 0.0]);
            body.step(60, 0.9e-4);
            let mut coupling = body.coupling;
            assert!(coupling.identified().is_some() && coupling.in_use().is_none());
            for force in forces {
                coupling.add_force(*force);
                let contact = [10.0, 0.0];
                let point = HeldPoint { contact, loss: 0.0, duration: 0.9e-4, forces: [0.0; 2], static_force: 6.0 };
                coupling.watch(point, || 1.0);
            }
            // σ_0 H²/m is this part of the bound, at any mass.
            let h = (share * bound * 2.0 / RESPONSE[0]).sqrt();
            assert!(!coupling.has_moved());
            assert!(coupling.adopt([h, h], || RESPONSE).is_some(), "{h} s");
            assert_eq!(coupling.has_moved(), has_moved, "{forces:?}, {share} of {bound}");
        }
    }
}

#[test]
fn restored_coupling_is_the_same() {
    let mut body = Body::new(1.0, [0.0, 1.0, 0.0]);
    for steps in [4, 5, 40] {
        body.step(steps, 0.9e-4);
        let point =
            HeldPoint { contact: [10.0, 0.1], loss: 1e-3, duration: 0.9e-4, forces: [0.0; 2], static_force: 6.0 };
        body.coupling.watch(point, || 1.0);
        let mut measure = Writer::new(&mut []);
        body.coupling.write(&mut measure);
        let mut bytes = vec![0; measure.length()];
        body.coupling.write(&mut Writer::new(&mut bytes));
        assert_eq!(AutomaticCoupling::read(&mut Reader::new(&bytes)), Some(body.coupling));
        assert_eq!(AutomaticCoupling::read(&mut Reader::new(&bytes[1..])), None);
    }
}

#[test]
fn alternating_forces_identify_a_serial_master_while_they_are_the_laws_own() {
    // With held values only a serial coupling alternates from step to step. Later the forces are those of the observer.
    let alternate = |coupling: &mut AutomaticCoupling, mass: f64, h: f64| {
        let mut v = 0.0;
        for i in 0..200 {
            let force = if i % 2 == 0 { 0.06 } else { -0.06 };
            coupling.add_force(force);
            v -= force * h / mass;
            coupling.observe(v, h);
            coupling.adopt([h, h], || RESPONSE);
        }
    };
    // At short steps a mass is not taken into use.
    for (h, in_use, expected) in [(1e-6, false, 7.0), (4e-3, true, 2.0)] {
        let mut body = Body::new(2.0, [1.0, 0.0, 0.0]);
        body.step(60, h);
        assert_eq!(body.coupling.in_use().is_some(), in_use, "{h} s");
        alternate(&mut body.coupling, 7.0, h);
        let (mass, scheme) = body.coupling.identified().expect("a mass");
        assert!((mass / expected - 1.0).abs() < DEADBAND && scheme == Coupling::Serial, "{h} s: {mass} kg, {scheme:?}");
    }
}

#[test]
fn work_that_is_carried_is_that_of_the_applied_force_beyond_that_of_the_law() {
    // A serial master applies a force from the step on for which it is computed, a parallel one from the next step on.
    let (h, losses, v, forces) = (0.25, [1.0, 1.5, 4.0], [2.0, 3.0, -1.0], [7.0, 5.0, -2.0]);
    for (weights, of_step) in [([1.0, 0.0, 0.0], [forces[1], forces[2]]), ([0.0, 1.0, 0.0], [forces[0], forces[1]])] {
        let mut body = Body::new(1.0, weights);
        body.step(60, 1e-4);
        for i in 0..3 {
            body.coupling.add_force(forces[i]);
            let point =
                HeldPoint { contact: [10.0, v[i]], loss: losses[i], duration: h, forces: [0.0; 2], static_force: 6.0 };
            body.coupling.watch(point, || 1.0);
        }
        let work: f64 = (0..2).map(|i| 0.5 * of_step[i] * (v[i] + v[i + 1]) * h).sum();
        let beyond = work - (losses[2] - losses[0]);
        assert_eq!(body.coupling.carried(), [beyond, losses[0]], "{weights:?}");
        // The smaller one of both is the error, over the loss of 3 J since the first point and the least work: 0.5 (5 · 5 − 2 · 2) 0.25 J in series.
        assert_eq!(body.coupling.held_error(), (2.625 - 3.0) / 4.0, "{weights:?}");
    }
}

#[test]
fn test_signal_leaves_a_sliding_contact_after_its_last_step() {
    let forces = |amplitude: f64| {
        let mut element = find("FrDyn2").expect("a law").instantiate();
        for (variable, value) in [(&COUPLING, 4.0), (&AMPLITUDE, amplitude), (&F_N, 10.0), (&V, 0.1)] {
            element.set(variable, value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        let steps = MAX_PROBED as usize + 10;
        let force = |_| {
            element.advance(1e-3).expect("a step");
            element.values()[&F_R]
        };
        (0..steps).map(force).collect::<Vec<_>>()
    };
    // F_s is 6 N.
    for (step, (probed, free)) in forces(0.01).into_iter().zip(forces(0.0)).enumerate() {
        let expected = if step < MAX_PROBED as usize { 0.06 } else { 0.0 };
        assert!(((probed - free).abs() - expected).abs() < 1e-9, "step {step}: {probed} N beside {free} N");
    }
}
