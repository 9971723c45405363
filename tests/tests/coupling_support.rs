//! `k_eff`: a contact mass on a known elastic support, against monolithic solutions.

use bristle_importer::fmi2::{CO_SIMULATION, FmuState};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;
use bristle_tests::cards::stock;

const SERIAL: i32 = 1;
const PARALLEL: i32 = 2;

/// Contact mass on a spring and a damper at a second mass, under a load on that one; or at the ground, under a load on the contact mass.
#[derive(Clone, Copy)]
struct Rig {
    masses: [f64; 2],
    /// Stiffness (N/m) and damping (N·s/m).
    spring: [f64; 2],
    normal: f64,
    load: fn(f64) -> f64,
}

impl Rig {
    fn is_grounded(&self) -> bool {
        self.masses[1] == 0.0
    }

    /// Rates of x_1, v_1, x_2, v_2 under a friction force.
    fn rate(&self, t: f64, [x_1, v_1, x_2, v_2]: [f64; 4], friction: f64) -> [f64; 4] {
        let [k, d] = self.spring;
        let spring = k * (x_1 - x_2) + d * (v_1 - v_2);
        let load = (self.load)(t);
        if self.is_grounded() {
            [v_1, (load - spring - friction) / self.masses[0], 0.0, 0.0]
        } else {
            [v_1, (-spring - friction) / self.masses[0], v_2, (load + spring) / self.masses[1]]
        }
    }

    /// Displacement of the contact mass (m) and friction work (J) at `end` (s), monolithic by the Runge–Kutta method.
    fn reference(&self, end: f64) -> [f64; 2] {
        let (mut y, step) = ([0.0; 7], 4e-6);
        let rate = |t: f64, y: &[f64; 7]| {
            let (force, [z, z_dot]) = PAPER.law(Contact::new(self.normal, y[1]), [y[4], y[5]]);
            let [a, b, c, d] = self.rate(t, [y[0], y[1], y[2], y[3]], force);
            [a, b, c, d, z, z_dot, force * y[1]]
        };
        for i in 0..(end / step).round() as u32 {
            let t = step * f64::from(i);
            let moved = |k: &[f64; 7], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
            let k1 = rate(t, &y);
            let k2 = rate(t + 0.5 * step, &moved(&k1, 0.5 * step));
            let k3 = rate(t + 0.5 * step, &moved(&k2, 0.5 * step));
            let k4 = rate(t + step, &moved(&k3, step));
            y = std::array::from_fn(|i| y[i] + step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
        }
        [y[0], y[6]]
    }

    /// Couples an element until `end` (s).
    fn run(&self, instance: &mut Instance, coupling: i32, h: f64, end: f64) -> Coupled {
        let mut now = Coupled { y: [0.0; 4], work: 0.0, force: 0.0 };
        for step in 0..(end / h).round() as u32 {
            let t = h * f64::from(step);
            instance.set("F_N", self.normal);
            instance.set("v", now.y[1]);
            let status = instance.do_step(t, h);
            instance.ok(status);
            let new = instance.get("F_R");
            let used = if coupling == PARALLEL { now.force } else { new };
            now.force = new;
            let (before, count) = (now.y[0], (h / 4e-6).ceil());
            let part = h / count;
            for i in 0..count as u32 {
                let t = t + part * f64::from(i);
                let k = self.rate(t, now.y, used);
                let middle = std::array::from_fn(|i| now.y[i] + 0.5 * part * k[i]);
                let k = self.rate(t + 0.5 * part, middle, used);
                now.y = std::array::from_fn(|i| now.y[i] + part * k[i]);
            }
            now.work += used * (now.y[0] - before);
        }
        now
    }
}

/// State of the masses, work of the force (J) and last force (N).
struct Coupled {
    y: [f64; 4],
    work: f64,
    force: f64,
}

/// Element on a support: m_eff, k_eff, d_eff and m_support.
fn element<'a>(fmu: &'a Fmu, coupling: i32, [mass, k, d, support]: [f64; 4]) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    for (name, value) in [("m_eff", mass), ("k_eff", k), ("d_eff", d), ("m_support", support)] {
        instance.set(name, value);
    }
    instance.set_whole("coupling", coupling);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance.take_log();
    instance
}

fn told(rig: &Rig) -> [f64; 4] {
    [rig.masses[0], rig.spring[0], rig.spring[1], rig.masses[1]]
}

/// A foot of 0.1 kg on 10 kg: c H²/m = 2.5 and 10 at the steps of the test.
const FOOT: Rig =
    Rig { masses: [0.1, 10.0], spring: [1e6, 50.0], normal: 98.1, load: |t| 13.0 * 5.886 * libm::sin(12.566 * t) };

#[test]
fn foot_on_a_heavy_body_dissipates_what_it_does_in_one_piece() {
    let fmu = Fmu::packaged("FrDyn2");
    let [_, work] = FOOT.reference(0.5);
    for coupling in [SERIAL, PARALLEL] {
        for h in [5e-4, 1e-3] {
            let with = FOOT.run(&mut element(&fmu, coupling, told(&FOOT)), coupling, h, 0.5);
            let without = FOOT.run(&mut element(&fmu, coupling, [0.1, 0.0, 0.0, 0.0]), coupling, h, 0.5);
            let [with, without] = [with.work, without.work].map(|done| (done / work - 1.0).abs());
            println!("{coupling}, {h:e} s: {with:.1e}, by m_eff alone {without:.1e}");
            assert!(with < 0.01, "{coupling}, {h}: {with}");
        }
    }
}

#[test]
fn stuck_mass_on_a_spring_rests_at_any_step() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        for stiffness in [1e5, 4e6, 3e7] {
            let rig =
                Rig { masses: [1.0, 0.0], spring: [stiffness, 1.0], normal: 9.81, load: |t| 4.0 * (t / 0.05).min(1.0) };
            // c H²/m = 0.1, 4 and 30: by m_eff alone serial is unstable from 1.9 on, parallel from 1.
            let h = 1e-3;
            let mut instance = element(&fmu, coupling, told(&rig));
            let end = rig.run(&mut instance, coupling, h, 0.5);
            let spring = stiffness * end.y[0];
            let rest = (end.force + spring - 4.0).abs();
            assert!(end.y[1].abs() < 1e-4 && rest < 0.1, "{coupling}, {stiffness:e}: {:?}, {}", end.y, end.force);
        }
    }
}

#[test]
fn stiffness_may_be_off_within_the_limits_of_the_documentation() {
    let fmu = Fmu::packaged("FrDyn2");
    let rig = Rig { masses: [1.0, 0.0], spring: [1e6, 20.0], normal: 9.81, load: |t| 30.0 * libm::sin(12.0 * t) };
    let [_, work] = rig.reference(0.5);
    for coupling in [SERIAL, PARALLEL] {
        for factor in [0.5, 0.8, 1.0, 1.3, 1.6] {
            // c H²/m = 1.
            let told = [1.0, factor * 1e6, 20.0, 0.0];
            let run = rig.run(&mut element(&fmu, coupling, told), coupling, 1e-3, 0.5);
            let error = (run.work - work).abs() / work.abs().max(1e-3);
            println!("{coupling}, {factor}: {error:.1e}");
            assert!(run.force.abs() <= 1.01 * 2.0 * 0.6 * 9.81 && error < 0.2, "{coupling}, {factor}: {error}");
        }
    }
}

#[test]
fn moving_support_given_as_the_ground_falls_back_to_held_values() {
    let fmu = stock("FrDyn2");
    let rig = Rig { masses: [0.5, 1.0], spring: [1e5, 2.0], ..FOOT };
    let rig = Rig { normal: 9.81, load: |t| 1.4 * 5.886 * libm::sin(9.4 * t), ..rig };
    let mut instance = element(&fmu, PARALLEL, [0.5, 1e5, 2.0, 0.0]);
    rig.run(&mut instance, PARALLEL, 5e-3, 3.0);
    let log = instance.take_log();
    let warnings: Vec<_> = log.iter().filter(|entry| entry.text.contains("k_eff")).collect();
    assert_eq!(warnings.len(), 1, "{log:#?}");
    assert_eq!(instance.get("F_R").to_bits(), instance.get("F_law").to_bits(), "F_R is not the law's own force");
}

#[test]
fn step_near_a_multiple_of_pi_is_named() {
    let fmu = Fmu::packaged("FrDyn2");
    for (stiffness, is_near) in [(9.87e6, true), (3e6, false), (1e4, false)] {
        let mut instance = element(&fmu, SERIAL, [1.0, stiffness, 10.0, 0.0]);
        instance.set("F_N", 9.81);
        for step in 0..3_i32 {
            let status = instance.do_step(1e-3 * f64::from(step), 1e-3);
            instance.ok(status);
        }
        let log = instance.take_log();
        assert_eq!(log.iter().any(|entry| entry.text.contains("multiple of pi")), is_near, "{stiffness:e}: {log:#?}");
    }
}

#[test]
fn step_longer_than_a_natural_period_is_named_and_one_of_many_leaves_the_support_out() {
    let fmu = Fmu::packaged("FrDyn2");
    let h = 1e-3;
    let run = |told: [f64; 4]| {
        let mut instance = element(&fmu, SERIAL, told);
        let forces: Vec<u64> = (0..20_i32)
            .map(|step| {
                instance.set("F_N", 9.81);
                instance.set("v", 1e-3 * libm::sin(0.5 * f64::from(step)));
                let status = instance.do_step(h * f64::from(step), h);
                instance.ok(status);
                instance.get("F_R").to_bits()
            })
            .collect();
        let log = instance.take_log();
        (forces, log.iter().filter(|entry| entry.text.contains("longer than a natural period")).count())
    };
    // omega H from the stiffness of a body of 1 kg.
    let [within, beyond, far_beyond] =
        [6.2, 6.4, 101.0].map(|turn: f64| run([1.0, (turn / h) * (turn / h), 10.0, 0.0]));
    let (alone, _) = run([0.0; 4]);
    assert_eq!([within.1, beyond.1, far_beyond.1], [0, 1, 1]);
    assert!(far_beyond.0 == alone && beyond.0 != alone, "the law alone gives the force beyond 100 rad");
}

#[test]
fn saved_states_repeat_bit_for_bit() {
    let fmu = Fmu::packaged("LuGre");
    for coupling in [SERIAL, PARALLEL] {
        let run = |instance: &mut Instance, from: i32| -> Vec<u64> {
            let step = |step: i32| {
                let t = 1e-3 * f64::from(step);
                instance.set("F_N", 10.0);
                instance.set("v", 0.01 * libm::sin(50.0 * t));
                let status = instance.do_step(t, 1e-3);
                instance.ok(status);
                instance.get("F_R").to_bits()
            };
            (from..from + 20).map(step).collect()
        };
        let support = [1.0, 1e5, 2.0, 5.0];
        let mut instance = element(&fmu, coupling, support);
        run(&mut instance, 0);
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let (status, bytes) = instance.serialize_fmu_state(state);
        instance.ok(status);
        let first = run(&mut instance, 20);
        let status = instance.set_fmu_state(state);
        instance.ok(status);
        assert_eq!(run(&mut instance, 20), first);
        let mut other = element(&fmu, coupling, support);
        let mut copy = FmuState::NULL;
        let status = other.deserialize_fmu_state(&bytes, &mut copy);
        other.ok(status);
        let status = other.set_fmu_state(copy);
        other.ok(status);
        assert_eq!(run(&mut other, 20), first);
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
        let status = other.free_fmu_state(&mut copy);
        other.ok(status);
    }
}

/// Element on a support that holds 3 N at rest, with this stiffness, after some steps.
fn at_rest<'a>(fmu: &'a Fmu, coupling: i32, stiffness: f64) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let values = [("m_eff", 1.0), ("k_eff", 1e5), ("d_eff", 20.0), ("sigma_0", stiffness), ("z", 3.0 / stiffness)];
    for (name, value) in values {
        instance.set(name, value);
    }
    instance.set_whole("coupling", coupling);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    for step in 0..20_i32 {
        hold(&mut instance, 1e-3 * f64::from(step), 1e-3);
    }
    instance
}

/// A step at rest.
fn hold(instance: &mut Instance, t: f64, h: f64) -> f64 {
    instance.set("F_N", 10.0);
    instance.set("v", 0.0);
    let status = instance.do_step(t, h);
    instance.ok(status);
    instance.get("F_R")
}

#[test]
fn stiffness_tuned_at_rest_keeps_the_force() {
    // In series: a velocity that is held at 0 is no body that answers to a force of the step before.
    let fmu = Fmu::packaged("LuGre");
    let mut instance = at_rest(&fmu, SERIAL, 1e5);
    let before = instance.get("F_R");
    assert!((before - 3.0).abs() < 0.3, "{before}");
    instance.set("sigma_0", 4e5);
    for step in 20..25_i32 {
        let force = hold(&mut instance, 1e-3 * f64::from(step), 1e-3);
        assert!((force - before).abs() < 0.02 * before, "step {step}: {force} after {before}");
    }
}

#[test]
fn negligible_step_on_a_support_changes_no_force_and_no_loss() {
    let fmu = Fmu::packaged("LuGre");
    for coupling in [SERIAL, PARALLEL] {
        let mut instance = at_rest(&fmu, coupling, 1e5);
        let before = ["F_R", "E_loss"].map(|name| instance.get(name));
        instance.set("v", 1.0);
        let status = instance.do_step(0.02, 1e-10);
        instance.ok(status);
        let after = ["F_R", "E_loss"].map(|name| instance.get(name));
        assert_eq!(after[0].to_bits(), before[0].to_bits(), "{coupling}");
        assert!((after[1] - before[1]).abs() <= 1e-9, "{coupling}: {before:?}, {after:?}");
        let next = hold(&mut instance, 0.02 + 1e-10, 1e-3);
        let is_steady = (next - before[0]).abs() < 0.01 * before[0];
        assert!(is_steady || coupling == PARALLEL, "{next} after {before:?}");
    }
}

#[test]
fn derivatives_of_a_force_that_is_held_for_a_body_are_0() {
    let fmu = stock("LuGre");
    let [force, of_law, v] = ["F_R", "F_law", "v"].map(|name| fmu.description.reference(name));
    for stiffness in [0.0, 1e5] {
        let mut instance = element(&fmu, PARALLEL, [1.0, stiffness, 0.0, 0.0]);
        instance.set("F_N", 10.0);
        instance.set("v", 1e-3);
        let status = instance.set_real_input_derivatives(&[v], &[1], &[0.5]);
        instance.ok(status);
        let status = instance.do_step(0.0, 1e-3);
        instance.ok(status);
        let [mut by_v, mut by_time] = [[f64::NAN; 2]; 2];
        let status = instance.get_directional_derivative(&[force, of_law], &[v], &[1.0], &mut by_v);
        instance.ok(status);
        let status = instance.get_real_output_derivatives(&[force, of_law], &[1, 1], &mut by_time);
        instance.ok(status);
        assert_eq!([by_v[0], by_time[0]], [0.0; 2], "{stiffness}");
        assert!(by_v[1] > 0.0 && by_time[1] != 0.0, "{stiffness}: {by_v:?}, {by_time:?}");
    }
}
