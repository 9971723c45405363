//! `m_eff` and `coupling`: a plain master with long steps, and the outputs for masters that use
//! derivatives.

use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_rigs::test_bench::{Body, G, StepLoad};
use bristle_tests::cards::stock;
use bristle_tests::tolerances::{
    OBSERVER_BREAK_AWAY, OBSERVER_CREEP, OBSERVER_REST, OBSERVER_STICK, STEP_DERIVATIVE, STEP_MEAN,
};

pub const SERIAL: i32 = 1;
pub const PARALLEL: i32 = 2;
pub const PRESCRIBED: i32 = 3;
pub const UNSPECIFIED: i32 = 4;
/// The elements that have m_eff.
pub const COUPLED: [&str; 6] = [
    "FrDyn2",
    "FrDyn2Linear",
    "Dahl",
    "LuGre",
    "SimpackStickSlip",
    "AdamsStickSlip",
];
/// F_s of FrDyn2 by default at F_N = 9.81 N, N.
pub const STATIC_FORCE: f64 = 0.6 * G;

/// Instance with this coupling and these parameters, ready for its first step.
pub fn start<'a>(fmu: &'a Fmu, coupling: i32, parameters: &[(&str, f64)]) -> Instance<'a> {
    let mut instance = fmu.instantiate(CO_SIMULATION);
    parameters
        .iter()
        .for_each(|(name, value)| instance.set(name, *value));
    instance.set_whole("coupling", coupling);
    let status = instance.enter_initialization_mode();
    instance.ok(status);
    let status = instance.exit_initialization_mode();
    instance.ok(status);
    instance
}

fn initialised<'a>(fmu: &'a Fmu, coupling: i32, m_eff: f64) -> Instance<'a> {
    start(fmu, coupling, &[("m_eff", m_eff)])
}

/// A step with these F_N and v; returns F_R.
pub fn step(instance: &mut Instance, normal_force: f64, v: f64, t: f64, h: f64) -> f64 {
    instance.set("F_N", normal_force);
    instance.set("v", v);
    let status = instance.do_step(t, h);
    instance.ok(status);
    instance.get("F_R")
}

/// A body of 1 kg under a load, and a master that holds all values.
struct Bench<'a, L> {
    instance: Instance<'a>,
    parallel: bool,
    load: L,
    body: Body,
    /// Last force of the element, N.
    held: f64,
    /// The time, s.
    t: f64,
}

impl<'a, L: Fn(f64) -> f64> Bench<'a, L> {
    fn new(fmu: &'a Fmu, coupling: i32, m_eff: f64, load: L) -> Self {
        let instance = initialised(fmu, coupling, m_eff);
        Bench {
            instance,
            parallel: coupling == PARALLEL,
            load,
            body: Body::AT_REST,
            held: 0.0,
            t: 0.0,
        }
    }

    /// A step of `h` (s); returns the force on the body, N.
    fn cycle(&mut self, h: f64) -> f64 {
        let (from, to) = (self.t, self.t + h);
        let new = step(&mut self.instance, G, self.body.v, from, h);
        let used = if self.parallel { self.held } else { new };
        self.body
            .advance([(self.load)(from), (self.load)(to)], h, used);
        (self.held, self.t) = (new, to);
        used
    }

    /// That many steps of `h` (s); returns the largest velocity at their ends, m/s.
    fn cycles(&mut self, count: u32, h: f64) -> f64 {
        let speeds = (0..count).map(|_| {
            self.cycle(h);
            self.body.v.abs()
        });
        speeds.fold(0.0, f64::max)
    }
}

#[test]
fn m_eff_of_0_and_prescribed_coupling_give_the_same_bits() {
    for name in COUPLED {
        let fmu = stock(name);
        let [mut plain, mut held] =
            [(SERIAL, 0.0), (PRESCRIBED, 1.0)].map(|(c, m)| initialised(&fmu, c, m));
        for i in 0..500 {
            let t = 1e-3 * f64::from(i);
            let normal = G * (1.0 + 0.5 * libm::sin(40.0 * t));
            let v = 0.02 * libm::sin(31.0 * t);
            let forces = [&mut plain, &mut held]
                .map(|instance| step(instance, normal, v, t, 1e-3).to_bits());
            assert_eq!(forces[0], forces[1], "{name} at {t}");
            assert_eq!(plain.get("F_law"), plain.get("F_R"));
        }
    }
}

#[test]
fn stick_and_break_away_tolerate_wrong_m_eff() {
    let fmu = Fmu::packaged("FrDyn2");
    let rise = |share: f64| StepLoad {
        force: share * STATIC_FORCE,
        duration: 1.0,
    };
    let whole = |share: f64, count: u32| {
        // Held values at a stable step.
        let mut bench = Bench::new(&fmu, PRESCRIBED, 1.0, |t| rise(share).at(t));
        bench.cycles(count, 1e-5);
        bench.body
    };
    let [stuck, gone] = [whole(0.95, 150_000), whole(1.05, 90_000)];
    for (coupling, still) in [(SERIAL, 0.35..1.3), (PARALLEL, 0.7..1.3)] {
        for ratio in [0.35, 0.5, 0.8, 1.0, 1.2, 1.5] {
            let mut bench = Bench::new(&fmu, coupling, ratio, |t| rise(0.95).at(t));
            let last: Vec<f64> = (0..1500).map(|_| bench.cycle(1e-3)).skip(1400).collect();
            // Beyond the range of a still contact the body trembles in stick.
            let is_still = still.contains(&ratio);
            let bound = if is_still { OBSERVER_STICK } else { 1e-4 };
            assert!(
                (bench.body.u - stuck.u).abs() < bound,
                "{coupling} {ratio}: {:?} {stuck:?}",
                bench.body
            );
            let chatters = !last.iter().all(|f| (f / STATIC_FORCE - 0.95).abs() < 1e-3);
            assert!(!(is_still && chatters), "{coupling} {ratio}: it chatters");

            let mut bench = Bench::new(&fmu, coupling, ratio, |t| rise(1.05).at(t));
            let before = bench.cycles(865, 1e-3);
            assert!(
                before < if is_still { 2e-3 } else { 1e-2 },
                "{coupling} {ratio}: it moves at {before} m/s before it breaks away"
            );
            bench.cycles(35, 1e-3);
            let error = (bench.body.u - gone.u).abs();
            // A body that trembles breaks away some milliseconds sooner or later.
            let bound = if is_still { OBSERVER_BREAK_AWAY } else { 1e-4 };
            assert!(
                error < bound,
                "{coupling} {ratio}: {:?} {gone:?}",
                bench.body
            );
        }
    }
}

#[test]
fn held_values_chatter_where_the_observer_does_not() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = |t: f64| {
        StepLoad {
            force: 0.9 * STATIC_FORCE,
            duration: 0.1,
        }
        .at(t)
    };
    for coupling in [PRESCRIBED, SERIAL] {
        let mut bench = Bench::new(&fmu, coupling, 1.0, load);
        bench.cycles(300, 1e-3);
        let fastest = bench.cycles(200, 1e-3);
        assert_eq!(fastest > 1e-3, coupling == PRESCRIBED, "{fastest} m/s");
    }
}

#[test]
fn observer_is_stable_at_ten_times_the_step_limit() {
    // Dahl's bristle has no damper: a body on it oscillates for long in the monolithic solution,
    // too.
    for name in COUPLED.into_iter().filter(|name| *name != "Dahl") {
        let fmu = stock(name);
        for coupling in [SERIAL, PARALLEL] {
            // Half of the smallest static friction.
            let load = |t: f64| {
                StepLoad {
                    force: 0.5 * 0.1 * G,
                    duration: 0.2,
                }
                .at(t)
            };
            let mut bench = Bench::new(&fmu, coupling, 1.0, load);
            if name == "LuGre" {
                // By default its bristle is so soft that nothing chatters.
                bench.instance.set("sigma_0", 5e6);
                bench.instance.set("sigma_1", 3e3);
            }
            bench.cycles(350, 5e-3);
            let last = bench.cycles(50, 5e-3);
            assert!(last < 1e-4, "{name}, coupling {coupling}: {last} m/s");
            let parallel_limit = bench.instance.get("H_max");
            assert!(parallel_limit < 5e-3, "{name}: {parallel_limit} s");
        }
    }
}

#[test]
fn body_at_rest_stays_at_rest() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        let load = |t: f64| {
            StepLoad {
                force: 0.8 * STATIC_FORCE,
                duration: 0.1,
            }
            .at(t)
        };
        let mut bench = Bench::new(&fmu, coupling, 1.0, load);
        bench.cycles(1000, 1e-3);
        let start = bench.body.u;
        for _ in 0..100_000 {
            let force = bench.cycle(1e-3);
            assert!(
                (force / STATIC_FORCE - 0.8).abs() < OBSERVER_REST,
                "{force} N"
            );
        }
        assert!(
            (bench.body.u - start).abs() < OBSERVER_CREEP,
            "{} m",
            bench.body.u - start
        );
    }
}

#[test]
fn negligible_steps_cause_no_impulse() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        for slivers in [[1e-6, 1e-9], [1e-9, 1e-6], [1e-12, 1e-5], [1e-18, 1e-4]] {
            let load = |t: f64| {
                StepLoad {
                    force: 0.9 * STATIC_FORCE,
                    duration: 0.1,
                }
                .at(t)
            };
            let mut bench = Bench::new(&fmu, coupling, 0.7, load);
            for i in 0..300 {
                for h in [1e-3, slivers[0], slivers[1]] {
                    bench.cycle(h);
                    let new = bench.held;
                    assert!(
                        new.abs() < 1.1 * STATIC_FORCE,
                        "{coupling} {slivers:?}: {new} N in step {i}"
                    );
                }
            }
            assert!(
                bench.body.v.abs() < 1e-5,
                "{coupling} {slivers:?}: {} m/s",
                bench.body.v
            );
        }
    }
}

#[test]
fn changing_m_eff_is_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    let load = |t: f64| {
        StepLoad {
            force: 0.9 * STATIC_FORCE,
            duration: 0.3,
        }
        .at(t)
    };
    let mut bench = Bench::new(&fmu, SERIAL, 1.0, load);
    for i in 0..500 {
        bench
            .instance
            .set("m_eff", 1.0 + 0.15 * libm::sin(0.1 * f64::from(i)));
        bench.cycle(1e-3);
        assert!(
            bench.body.v.abs() < 1e-4,
            "{} m/s at step {i}",
            bench.body.v
        );
    }
}

#[test]
fn open_contact_bears_no_force() {
    let fmu = stock("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        let mut bench = Bench::new(&fmu, coupling, 1.0, |_| 0.5 * STATIC_FORCE);
        bench.cycles(100, 1e-3);
        for i in 0..50 {
            let force = step(
                &mut bench.instance,
                0.0,
                0.01 * f64::from(i),
                f64::from(100 + i) * 1e-3,
                1e-3,
            );
            assert_eq!(force, 0.0);
            assert_eq!(bench.instance.get("F_law"), 0.0);
        }
    }
}

#[test]
fn steps_from_saved_and_serialised_states_repeat_bit_for_bit() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        let normal = |i: u32| G * (1.0 + 0.2 * libm::sin(0.05 * f64::from(i)));
        let v = |i: u32| 1e-4 * libm::sin(0.3 * f64::from(i));
        let mut instance = initialised(&fmu, coupling, 1.0);
        let run = |instance: &mut Instance, from: u32| -> Vec<u64> {
            (from..from + 50)
                .map(|i| step(instance, normal(i), v(i), f64::from(i) * 1e-3, 1e-3).to_bits())
                .collect()
        };
        run(&mut instance, 0);
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let first = run(&mut instance, 50);
        let status = instance.set_fmu_state(state);
        instance.ok(status);
        assert_eq!(run(&mut instance, 50), first);

        let (status, bytes) = instance.serialize_fmu_state(state);
        instance.ok(status);
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
        let mut other = fmu.instantiate(CO_SIMULATION);
        let mut copy = FmuState::NULL;
        let status = other.deserialize_fmu_state(&bytes, &mut copy);
        other.ok(status);
        let status = other.set_fmu_state(copy);
        other.ok(status);
        assert_eq!(run(&mut other, 50), first);
        let status = other.free_fmu_state(&mut copy);
        other.ok(status);

        let status = instance.reset();
        instance.ok(status);
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        assert_eq!(instance.get_whole("coupling"), UNSPECIFIED);
        assert_eq!(instance.get("m_eff"), 0.0);
    }
}

#[test]
fn force_is_odd_in_the_motion() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        let load = |t: f64| 1.3 * STATIC_FORCE * libm::sin(13.0 * t);
        let mut one = Bench::new(&fmu, coupling, 0.8, load);
        let mut other = Bench::new(&fmu, coupling, 0.8, move |t| -load(t));
        for _ in 0..1000 {
            assert_eq!(one.cycle(1e-3), -other.cycle(1e-3));
        }
    }
}

#[test]
fn step_derivatives_match_closed_forms() {
    let fmu = stock("FrDyn2");
    for h in [1e-3, 1e-2] {
        let mut instance = initialised(&fmu, SERIAL, 0.0);
        assert_eq!(
            ["F_R_mean", "dF_R_dv", "dF_R_dF_N"].map(|name| instance.get(name)),
            [0.0; 3]
        );
        step(&mut instance, G, 1e-6, 0.0, 0.1);
        let force = step(&mut instance, G, 0.0, 0.1, h);
        // The bristle follows a new v within 1/lambda, and is behind by as much.
        let [sigma_0, sigma_1] = [5e6, 3192.75];
        let mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
        let root = (1.0 - force / STATIC_FORCE).sqrt();
        let lambda = (sigma_1 + 2.0 * STATIC_FORCE / 1e-3 * root) / mass;
        let closed = sigma_0 * (h - 1.0 / lambda) + sigma_1;
        let stick = instance.get("dF_R_dv");
        assert!(
            (stick / closed - 1.0).abs() < STEP_DERIVATIVE,
            "{stick} for {closed}"
        );

        step(&mut instance, G, 0.5, 0.1 + h, 0.1);
        assert!(instance.get("dF_R_dv").abs() < STEP_DERIVATIVE * closed);
        assert!((instance.get("dF_R_dF_N") - 0.3).abs() < STEP_DERIVATIVE);
        assert!((instance.get("F_R_mean") / (0.3 * G) - 1.0).abs() < 1e-2);
    }
}

#[test]
fn mean_force_equals_that_of_many_small_steps() {
    for name in COUPLED {
        let fmu = stock(name);
        let [mut whole, mut parts] = [(); 2].map(|()| initialised(&fmu, SERIAL, 0.0));
        for (i, v) in [2e-4, -1e-3, 5e-3, 0.0, -0.02].into_iter().enumerate() {
            let t = 2e-3 * i as f64;
            step(&mut whole, G, v, t, 2e-3);
            let mut sum = 0.0;
            for part in 0..1000 {
                step(&mut parts, G, v, t + 2e-6 * f64::from(part), 2e-6);
                sum += parts.get("F_R_mean");
            }
            let (mean, many) = (whole.get("F_R_mean"), sum / 1000.0);
            assert!(
                (mean - many).abs() < STEP_MEAN * STATIC_FORCE,
                "{name} at {v}: {mean} and {many}"
            );
        }
    }
}

#[test]
fn longest_stable_step_is_reported() {
    let fmu = stock("FrDyn2");
    let mut instance = initialised(&fmu, PRESCRIBED, 1.0);
    step(&mut instance, G, 0.0, 0.0, 1e-4);
    assert!((instance.get("H_max") / (3192.75 / (5e6 + 3192.75 * 3192.75)) - 1.0).abs() < 1e-12);
    step(&mut instance, G, 1.0, 1e-4, 0.1);
    assert_eq!(instance.get("H_max"), 1e3, "sliding has no limit");

    let mut serial = initialised(&fmu, SERIAL, 1.0);
    step(&mut serial, G, 0.0, 0.0, 1e-3);
    let (k, d, m) = (5e6, 3192.75, 1.0);
    let h = serial.get("H_max");
    assert!((h * h * k / m + 2.0 * h * d / m - 4.0).abs() < 1e-9, "{h}");
    assert_eq!(initialised(&fmu, SERIAL, 0.0).get("H_max"), 0.0);
}

#[test]
fn observer_force_has_no_derivative_and_none_in_model_exchange() {
    let fmu = stock("FrDyn2");
    let mut instance = initialised(&fmu, SERIAL, 1.0);
    step(&mut instance, G, 1e-5, 0.0, 1e-3);
    let mut slope = [f64::NAN];
    let status =
        instance.get_real_output_derivatives(&[fmu.description.reference("F_R")], &[1], &mut slope);
    instance.ok(status);
    assert_eq!(slope, [0.0]);

    let mut solved = fmu.instantiate(MODEL_EXCHANGE);
    solved.set("m_eff", 1.0);
    solved.set("F_N", G);
    solved.set("v", 1e-3);
    let status = solved.enter_initialization_mode();
    solved.ok(status);
    assert_eq!(solved.get("F_R"), solved.get("F_law"));
    assert_ne!(solved.get("F_R"), 0.0);
}

#[test]
fn undeclared_choice_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let reference = fmu.description.reference("coupling");
    for value in [0, 5, -1, i32::MAX] {
        let status = bristle_importer::raw!(instance, set_integer, &reference, 1, &value);
        let said = instance.complaint(status);
        assert!(
            said.contains("1 (serial) or 2 (parallel) or 3 (prescribed) or 4 (unspecified)"),
            "{said}"
        );
    }
    let status = instance.set_real(&[fmu.description.reference("m_eff")], &[-1.0]);
    assert!(instance.complaint(status).contains("m_eff"));
}

#[test]
fn wrong_coupling_order_is_visible() {
    let fmu = Fmu::packaged("FrDyn2");
    for coupling in [SERIAL, PARALLEL] {
        for master_is_parallel in [false, true] {
            let load = |t: f64| {
                StepLoad {
                    force: 0.5 * STATIC_FORCE,
                    duration: 0.01,
                }
                .at(t)
            };
            let mut bench = Bench::new(&fmu, coupling, 1.0, load);
            bench.parallel = master_is_parallel;
            bench.cycles(300, 1e-3);
            let rests = bench.cycles(100, 1e-3) < 1e-6;
            assert_eq!(
                rests,
                (coupling == PARALLEL) == master_is_parallel,
                "coupling {coupling}"
            );
        }
    }
}
