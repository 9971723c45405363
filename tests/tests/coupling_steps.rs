//! Coupling with `m_eff` under communication steps of variable length: bound of the force, and
//! motion of the body.

use crate::coupling::{PARALLEL, SERIAL, STATIC_FORCE};
use bristle_importer::fmi2::{CO_SIMULATION, FmuState};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_random::Random;
use bristle_rigs::test_bench::{Body, G, StepLoad};
use bristle_tests::tolerances::{COUPLED_DISPLACEMENT, COUPLED_WORK};

/// A body of 1 kg and an element with the right m_eff.
struct Bench<'a> {
    instance: Instance<'a>,
    coupling: i32,
    body: Body,
    held: f64,
    t: f64,
    /// Largest |F_R|, N.
    peak: f64,
    /// Work of the applied force, J.
    work: f64,
    /// Largest displacement, m.
    reach: f64,
}

/// Load on the body, N: 0 up to 0.05 s, then 0.8 F_s within 4 ms.
fn rise(t: f64) -> f64 {
    StepLoad {
        force: 0.8 * STATIC_FORCE,
        duration: 4e-3,
    }
    .at(t - 0.05)
}

/// Load on the body, N: oscillates with an amplitude of 1.3 F_s.
fn swing(t: f64) -> f64 {
    1.3 * STATIC_FORCE * libm::sin(13.0 * t)
}

impl<'a> Bench<'a> {
    fn new(fmu: &'a Fmu, coupling: i32, parameters: &[(&str, f64)]) -> Self {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        parameters
            .iter()
            .for_each(|(name, value)| instance.set(name, *value));
        instance.set("m_eff", 1.0);
        instance.set_whole("coupling", coupling);
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        let status = instance.exit_initialization_mode();
        instance.ok(status);
        Bench {
            instance,
            coupling,
            body: Body::AT_REST,
            held: 0.0,
            t: 0.0,
            peak: 0.0,
            work: 0.0,
            reach: 0.0,
        }
    }

    fn step(&mut self, h: f64, load: fn(f64) -> f64) {
        self.instance.set("F_N", G);
        self.instance.set("v", self.body.v);
        let status = self.instance.do_step(self.t, h);
        self.instance.ok(status);
        let force = self.instance.get("F_R");
        self.peak = self.peak.max(force.abs());
        let used = if self.coupling == PARALLEL {
            self.held
        } else {
            force
        };
        let before = self.body.u;
        self.body.advance([load(self.t), load(self.t + h)], h, used);
        self.work += used * (self.body.u - before);
        self.reach = self.reach.max(self.body.u.abs());
        self.held = force;
        self.t += h;
    }

    fn run(&mut self, until: f64, mut h: impl FnMut(f64) -> f64, load: fn(f64) -> f64) {
        while self.t < until * (1.0 - 1e-12) {
            let h = h(self.t).min(until - self.t);
            self.step(h, load);
        }
    }

    /// One step of `h` after which the same is done in two halves; the better result stays. Returns
    /// the difference of both, m.
    fn double_step(&mut self, h: f64, load: fn(f64) -> f64) -> f64 {
        let mut state = FmuState::NULL;
        let status = self.instance.get_fmu_state(&mut state);
        self.instance.ok(status);
        let (body, held, t, work) = (self.body, self.held, self.t, self.work);
        self.step(h, load);
        let whole = self.body;
        let status = self.instance.set_fmu_state(state);
        self.instance.ok(status);
        (self.body, self.held, self.t, self.work) = (body, held, t, work);
        self.step(0.5 * h, load);
        self.step(0.5 * h, load);
        let status = self.instance.free_fmu_state(&mut state);
        self.instance.ok(status);
        (whole.u - self.body.u).abs()
    }
}

#[test]
fn shrinking_steps_keep_the_force_below_twice_the_static_force_and_the_body_comes_to_rest() {
    // LuGre and Dahl with a bristle as stiff as the others': their defaults are so soft that no
    // step is too long.
    let damped: &[(&str, f64)] = &[
        ("sigma_0", 5e6),
        ("sigma_1", 3e3),
        ("mu_s", 0.6),
        ("mu_d", 0.3),
    ];
    let elements = [
        ("FrDyn2", &[][..]),
        ("FrDyn2Linear", &[]),
        ("SimpackStickSlip", &[]),
        ("AdamsStickSlip", &[]),
        ("LuGre", damped),
        ("Dahl", &[("sigma_0", 5e6), ("mu_d", 0.6)]),
    ];
    for (name, parameters) in elements {
        let fmu = Fmu::packaged(name);
        for coupling in [SERIAL, PARALLEL] {
            for lengths in [[5e-3, 1e-4, 1e-5], [1e-2, 1e-3, 1e-6], [5e-3, 5e-5, 1e-3]] {
                let mut bench = Bench::new(&fmu, coupling, parameters);
                bench.run(0.055, |_| lengths[0], rise);
                bench.run(0.06, |_| lengths[1], rise);
                bench.run(0.0602, |_| lengths[2], rise);
                bench.run(0.2, |_| 1e-4, rise);
                let (peak, v) = (bench.peak / STATIC_FORCE, bench.body.v.abs());
                assert!(
                    peak <= 2.0,
                    "{name}, coupling {coupling}, {lengths:?} s: {peak} F_s"
                );
                // Dahl's bristle has no damper: the body oscillates on it.
                assert!(
                    v < 1e-6 || name == "Dahl",
                    "{name}, coupling {coupling}, {lengths:?} s: {v:e} m/s"
                );
            }
        }
    }
}

#[test]
fn random_and_geometric_steps_move_the_body_as_constant_ones_do() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut reference = Bench::new(&fmu, SERIAL, &[]);
    reference.run(1.0, |_| 1e-4, swing);
    for coupling in [SERIAL, PARALLEL] {
        let compare = |steps: &mut dyn FnMut(f64) -> f64, what: String| {
            let mut bench = Bench::new(&fmu, coupling, &[]);
            bench.run(1.0, steps, swing);
            let peak = bench.peak / STATIC_FORCE;
            assert!(peak <= 2.0, "{what}, coupling {coupling}: {peak} F_s");
            let displacement = (bench.body.u - reference.body.u).abs() / reference.reach;
            let work = (bench.work / reference.work - 1.0).abs();
            assert!(
                displacement < COUPLED_DISPLACEMENT,
                "{what}, coupling {coupling}: {displacement}"
            );
            assert!(work < COUPLED_WORK, "{what}, coupling {coupling}: {work}");
        };
        for seed in 0..20 {
            let mut random = Random::new(seed);
            let mut step = |_: f64| 1e-4 * libm::exp10(1.7 * random.between(0.0, 1.0));
            compare(&mut step, format!("random steps, seed {seed}"));
        }
        for ratio in [0.5, 0.9, 0.99] {
            let mut h = 5e-3;
            let mut step = |_: f64| {
                h = if h < 1e-5 { 5e-3 } else { h * ratio };
                h
            };
            compare(&mut step, format!("steps that shrink by {ratio}"));
        }
    }
}

#[test]
fn step_doubling_with_rollback_moves_the_body_as_constant_steps_do() {
    let fmu = Fmu::packaged("FrDyn2");
    let mut reference = Bench::new(&fmu, SERIAL, &[]);
    reference.run(0.5, |_| 1e-4, swing);
    for coupling in [SERIAL, PARALLEL] {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
            let mut bench = Bench::new(&fmu, coupling, &[]);
            let mut h = 1e-3_f64;
            let mut steps = 0;
            while bench.t < 0.5 {
                h = h.min(0.5 - bench.t).max(1e-7);
                let difference = bench.double_step(h, swing);
                steps += 1;
                assert!(
                    steps < 5000,
                    "tolerance {tolerance}, coupling {coupling}: the step stays at {h} s"
                );
                h *= (0.9 * libm::cbrt(tolerance * 1e-3 / difference.max(1e-30))).clamp(0.2, 2.0);
                h = h.min(5e-3);
            }
            let peak = bench.peak / STATIC_FORCE;
            assert!(
                peak <= 2.0,
                "tolerance {tolerance}, coupling {coupling}: {peak} F_s"
            );
            let displacement = (bench.body.u - reference.body.u).abs() / reference.reach;
            let work = (bench.work / reference.work - 1.0).abs();
            assert!(
                displacement < COUPLED_DISPLACEMENT,
                "tolerance {tolerance}, coupling {coupling}: {displacement}"
            );
            assert!(
                work < COUPLED_WORK,
                "tolerance {tolerance}, coupling {coupling}: {work}"
            );
        }
    }
}
