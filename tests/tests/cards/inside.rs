//! The section `[block]` of a card, the body inside the element, against monolithic solutions.

use super::block::{BlockLaw, FrDyn2, LawState};
use super::stick_slip_bodies::Simpack;
use bristle::catalogue::{Card, CardBlock, Motion, Setting, Variant};
use bristle::element::RADIUS;
use bristle::law::Spring;
use bristle_importer::calling_sequence::InstanceState;
use bristle_importer::fmi2::{CO_SIMULATION, FmuState, MODEL_EXCHANGE};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::lifecycle::instance_in;
use bristle_reference_laws::Contact;
use bristle_rigs::test_bench::G;
use bristle_tests::cards::{card, exporter, load, model};

/// LuGre with its default parameters.
pub struct LuGre;

impl BlockLaw for LuGre {
    fn rates(
        &self,
        Contact { F_N: normal, v, .. }: Contact,
        ([z, _], _): &LawState,
    ) -> (f64, [f64; 2]) {
        let g = normal * (0.3 + 0.3 * libm::exp(-(v / 5e-3) * (v / 5e-3)));
        let rate = v - 5e6 * v.abs() / g * z;
        (5e6 * z + 3192.75 * rate, [rate, 0.0])
    }
}

/// Laws with a bristle, as elements and for the monolithic solution.
const LAWS: [(&str, &dyn BlockLaw); 3] = [
    ("FrDyn2", &FrDyn2),
    ("LuGre", &LuGre),
    ("SimpackStickSlip", &Simpack),
];

/// F_s of all these laws under the weight of 1 kg, N.
const STATIC_FORCE: f64 = 0.6 * G;
/// Step of the monolithic solution, s.
const STEP: f64 = 4e-6;

/// Block of 1 kg on a belt, or one of the moment of inertia LEVER² about an axis.
#[derive(Clone, Copy)]
struct Rig {
    motion: Motion,
    spring: Spring,
    /// Velocity of the belt, m/s.
    belt: f64,
    /// Position at the start, m.
    start: f64,
    /// Constant part of the applied force, N.
    force: f64,
    /// Its other part (N) over time (s) and position (m), and F_N (N) over time.
    load: fn(f64, f64) -> f64,
    normal: fn(f64) -> f64,
    /// Whether the element gets the time derivatives of its inputs, which are held otherwise.
    has_rates: bool,
}

const AT_REST: Rig = Rig {
    motion: Motion::Translational,
    spring: Spring::NONE,
    belt: 0.0,
    start: 0.0,
    force: 0.0,
    load: |_, _| 0.0,
    normal: |_| G,
    has_rates: true,
};
const ON_BELT: Rig = Rig {
    spring: Spring {
        stiffness: 900.0,
        damping: 2.0,
    },
    belt: 0.1,
    ..AT_REST
};
/// Friction radius about an axis, m.
const LEVER: f64 = 0.2;

impl Rig {
    fn force(&self, t: f64, x: f64) -> f64 {
        self.force + (self.load)(t, x)
    }

    fn lever(&self) -> f64 {
        if self.motion == Motion::Rotational {
            LEVER
        } else {
            1.0
        }
    }

    /// Position and velocity after this time (s), by the Runge–Kutta method; a step in which a mode
    /// ends is bisected.
    fn reference(&self, law: &dyn BlockLaw, end: f64) -> [f64; 2] {
        type Y = [f64; 4];
        let contact = |t: f64, y: &Y| Contact::new((self.normal)(t), y[1] - self.belt);
        let rate = |t: f64, y: Y, mode: f64| -> Y {
            let (friction, [first, second]) = law.rates(contact(t, &y), &([y[2], y[3]], mode));
            [
                y[1],
                self.force(t, y[0])
                    - friction
                    - self.spring.stiffness * y[0]
                    - self.spring.damping * y[1],
                first,
                second,
            ]
        };
        let moved = |y: Y, k: Y, h: f64| -> Y { std::array::from_fn(|i| y[i] + h * k[i]) };
        let advance = |t: f64, h: f64, y: Y, mode: f64| -> Y {
            let k1 = rate(t, y, mode);
            let k2 = rate(t + 0.5 * h, moved(y, k1, 0.5 * h), mode);
            let k3 = rate(t + 0.5 * h, moved(y, k2, 0.5 * h), mode);
            let k4 = rate(t + h, moved(y, k3, h), mode);
            std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]))
        };
        let ends = |t: f64, y: &Y, mode: f64| law.switch(contact(t, y), &mut ([y[2], y[3]], mode));
        let (mut y, mut mode) = ([self.start, 0.0, 0.0, 0.0], 0.0);
        for step in 0..(end / STEP).round() as u32 {
            let (t, mut done) = (STEP * f64::from(step), 0.0);
            // A sliding bristle of LuGre decays at up to 2e6 1/m times its speed.
            let part =
                STEP / (1.0 + (10.0 * G / (self.normal)(t) * (y[1] - self.belt).abs()).floor());
            while done < STEP {
                let rest = part.min(STEP - done);
                let mut next = advance(t + done, rest, y, mode);
                if !ends(t + done + rest, &next, mode) {
                    (y, done) = (next, if rest < part { STEP } else { done + rest });
                    continue;
                }
                let [mut low, mut high] = [0.0, rest];
                while high - low > 1e-9 * STEP {
                    let middle = 0.5 * (low + high);
                    let at_middle = advance(t + done, middle, y, mode);
                    if ends(t + done + middle, &at_middle, mode) {
                        (high, next) = (middle, at_middle)
                    } else {
                        low = middle
                    }
                }
                (y, done) = (next, done + high);
                let mut now = ([y[2], y[3]], mode);
                while law.switch(contact(t + done, &y), &mut now) {}
                ([y[2], y[3]], mode) = now;
            }
        }
        [y[0], y[1]]
    }

    /// Instance of an element with this block and these inputs.
    fn instance<'a>(&self, fmu: &'a Fmu) -> Instance<'a> {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        let [.., surface, position, _] = self.names();
        instance.set("F_N", (self.normal)(0.0));
        instance.set(surface, self.belt / self.lever());
        instance.set(position, self.start / self.lever());
        let status = instance.enter_initialization_mode();
        instance.ok(status);
        let status = instance.exit_initialization_mode();
        instance.ok(status);
        instance
    }

    /// Names of the applied force, of the velocity of the surface, and of position and velocity.
    fn names(&self) -> [&'static str; 4] {
        if self.motion == Motion::Rotational {
            ["M", "omega_surface", "phi", "omega"]
        } else {
            ["F", "v_surface", "x", "v"]
        }
    }

    /// Position and velocity after this time in steps of `h` (s).
    fn coupled(&self, fmu: &Fmu, h: f64, end: f64) -> [f64; 2] {
        let (mut instance, lever) = (self.instance(fmu), self.lever());
        let [force, _, position, velocity] = self.names();
        for step in 0..(end / h).round() as u32 {
            let t = h * f64::from(step);
            let [x, v] = [position, velocity].map(|name| lever * instance.get(name));
            let ends = [(t, x), (t + h, x + h * v)];
            let inputs = [
                (force, ends.map(|(t, x)| lever * self.force(t, x))),
                ("F_N", ends.map(|(t, _)| (self.normal)(t))),
            ];
            for (name, [from, to]) in inputs {
                instance.set(name, from);
                if self.has_rates && to != from {
                    let reference = fmu.description.reference(name);
                    let status =
                        instance.set_real_input_derivatives(&[reference], &[1], &[(to - from) / h]);
                    instance.ok(status);
                }
            }
            let status = instance.do_step(t, h);
            instance.ok(status);
        }
        [position, velocity].map(|name| lever * instance.get(name))
    }
}

fn element(law: &str, rig: &Rig) -> Fmu {
    let [mass, stiffness, damping] = [1.0, rig.spring.stiffness, rig.spring.damping]
        .map(|along| along * rig.lever() * rig.lever());
    let mut card = Card {
        motion: rig.motion,
        block: Some(CardBlock {
            mass,
            stiffness,
            damping,
        }),
        ..card(law, &[])
    };
    if rig.motion == Motion::Rotational {
        card.parameters.insert(
            RADIUS.reference,
            Setting {
                start: Some(LEVER),
                ..Setting::default()
            },
        );
    }
    load(
        &exporter(),
        &Variant::new(model(law), card).expect("a card"),
    )
}

#[test]
fn block_on_a_belt_follows_the_monolithic_solution_at_every_step() {
    for (name, law) in LAWS {
        let fmu = element(name, &ON_BELT);
        let [x, v] = ON_BELT.reference(law, 1.0);
        for h in [1e-3, 1e-2, 1e-1] {
            let [found, velocity] = ON_BELT.coupled(&fmu, h, 1.0);
            println!(
                "{name}, H = {h:e} s: x off by {:.1e} m, v by {:.1e} m/s",
                found - x,
                velocity - v
            );
            // The amplitude is 7 mm.
            assert!(
                (found - x).abs() < 1e-7 && (velocity - v).abs() < 1e-5,
                "{name}, {h}: {found}, {x}"
            );
        }
    }
}

#[test]
fn block_pushed_below_static_friction_rests_and_above_it_slides() {
    for (name, law) in LAWS {
        let fmu = element(name, &AT_REST);
        for share in [0.7, 0.85, 0.95, 1.05] {
            let rig = Rig {
                force: share * STATIC_FORCE,
                ..AT_REST
            };
            let [x, _] = rig.reference(law, 1.0);
            for h in [1e-3, 1e-2, 1e-1] {
                let [found, _] = rig.coupled(&fmu, h, 1.0);
                println!(
                    "{name}, {share} F_s, H = {h:e} s: {found:e} m, off by {:.1e} m",
                    found - x
                );
                assert!(
                    (found - x).abs() < 1e-9 + 1e-5 * x.abs(),
                    "{name}, {share}, {h}: {found:e}, {x:e}"
                );
            }
        }
    }
}

#[test]
fn block_under_a_ramp_breaks_away_in_time() {
    let rig = Rig {
        load: |t, _| 1.2 * STATIC_FORCE * t.min(1.0),
        ..AT_REST
    };
    let held = Rig {
        has_rates: false,
        ..rig
    };
    for (name, law) in LAWS {
        let fmu = element(name, &AT_REST);
        let [x, v] = rig.reference(law, 1.2);
        for h in [1e-3, 1e-2, 1e-1] {
            let [[found, _], [late, _]] = [rig, held].map(|rig| rig.coupled(&fmu, h, 1.2));
            println!(
                "{name}, H = {h:e} s: off by {:.1e}, held by {:.1e}",
                found / x - 1.0,
                (late - x) / v / h
            );
            assert!((found / x - 1.0).abs() < 1e-5, "{name}, {h}: {found}, {x}");
            // A ramp whose values are held is late by half a step.
            assert!(
                (-0.65..-0.4).contains(&((late - x) / v / h)),
                "{name}, {h}: {late}, {x}, {v}"
            );
        }
    }
}

#[test]
fn pendulum_with_friction_in_its_joint_comes_to_rest_at_its_place() {
    // The torque of gravity is the master's, which extrapolates it over the step.
    let rig = Rig {
        motion: Motion::Rotational,
        start: 0.8 * LEVER,
        load: |_, x| -G * libm::sin(x / LEVER),
        normal: |_| 0.2 * G,
        ..AT_REST
    };
    for (name, law) in LAWS {
        let fmu = element(name, &rig);
        let [x, v] = rig.reference(law, 4.0);
        for h in [1e-4, 1e-3, 1e-2] {
            let [found, velocity] = rig.coupled(&fmu, h, 4.0);
            println!(
                "{name}, H = {h:e} s: {found:e} m, off by {:.1e} m and {:.1e} m/s",
                found - x,
                velocity - v
            );
            let is_right =
                v.abs() < 1e-9 && velocity.abs() < 1e-9 && (found - x).abs() < 5.0 * h * h;
            assert!(is_right, "{name}, {h}: {found}, {x}, {velocity}, {v}");
        }
    }
}

#[test]
fn block_on_a_vibrating_incline_creeps_as_in_truth() {
    const OMEGA: f64 = 100.0 * std::f64::consts::PI;
    let rig = Rig {
        load: |t, _| G * libm::sin(0.35) + 4.0 * libm::sin(OMEGA * t),
        normal: |t| G * libm::cos(0.35) - 2.0 * libm::sin(OMEGA * t),
        ..AT_REST
    };
    for (name, law) in LAWS {
        let fmu = element(name, &rig);
        let [x, _] = rig.reference(law, 1.0);
        for h in [1e-4, 5e-4, 1e-3] {
            let [found, _] = rig.coupled(&fmu, h, 1.0);
            println!(
                "{name}, H = {h:e} s: {found:e} m, off by {:.1e}",
                found / x - 1.0
            );
            assert!(
                (found / x - 1.0).abs() < 8e3 * h * h,
                "{name}, {h}: {found}, {x}"
            );
        }
    }
}

#[test]
fn limit_cycle_of_a_coulomb_block_on_a_belt_has_its_closed_form() {
    // Sliding until v reaches the belt, stick until the spring has the friction force, and sliding
    // again.
    let (force, k, belt) = (0.3 * G, 900.0_f64, 0.05);
    let omega = k.sqrt();
    let (x_eq, swing) = (force / k, force / omega);
    let stick = libm::asin(belt / swing) / omega;
    let from = x_eq * (1.0 - libm::cos(omega * stick));
    let slip = stick + (x_eq - from) / belt;
    let expected = |t: f64| x_eq + belt / omega * libm::sin(omega * (t - slip));
    let rig = Rig {
        spring: Spring {
            stiffness: k,
            damping: 0.0,
        },
        belt,
        ..AT_REST
    };
    let fmu = element("Coulomb", &rig);
    // Once in each cycle, 0.21 s, the block has the velocity of the belt.
    for end in [0.2, 1.0, 3.0] {
        assert!(slip < end);
        for h in [1e-3, 1e-2, 1e-1] {
            let [x, _] = rig.coupled(&fmu, h, end);
            println!(
                "H = {h:e} s, {end} s: {x}, off by {:.1e} m",
                x - expected(end)
            );
            assert!(
                (x - expected(end)).abs() < 1e-7,
                "{h}: {x}, {}",
                expected(end)
            );
        }
    }
}

#[test]
fn saved_states_repeat_the_block_bit_for_bit() {
    for law in ["FrDyn2", "SimpackStickSlip", "Coulomb"] {
        let fmu = element(law, &ON_BELT);
        let mut instance = ON_BELT.instance(&fmu);
        let run = |instance: &mut Instance| {
            for step in 100..200 {
                instance.set("F", f64::from(step % 7));
                let status = instance.do_step(1e-3 * f64::from(step), 1e-3);
                instance.ok(status);
            }
            ["x", "v", "F_R", "F_base", "E_loss"].map(|name| instance.get(name).to_bits())
        };
        for step in 0..100 {
            let status = instance.do_step(1e-3 * f64::from(step), 1e-3);
            instance.ok(status);
        }
        let mut state = FmuState::NULL;
        let status = instance.get_fmu_state(&mut state);
        instance.ok(status);
        let (status, bytes) = instance.serialize_fmu_state(state);
        instance.ok(status);
        let first = run(&mut instance);
        let status = instance.set_fmu_state(state);
        instance.ok(status);
        assert_eq!(run(&mut instance), first, "{law}");
        let mut copy = FmuState::NULL;
        let status = instance.deserialize_fmu_state(&bytes, &mut copy);
        instance.ok(status);
        let status = instance.set_fmu_state(copy);
        instance.ok(status);
        assert_eq!(run(&mut instance), first, "{law}");
        for mut state in [state, copy] {
            let status = instance.free_fmu_state(&mut state);
            instance.ok(status);
        }
    }
}

#[test]
fn model_exchange_and_co_simulation_agree() {
    let fmu = element("FrDyn2", &ON_BELT);
    let mut instance = instance_in(&fmu, MODEL_EXCHANGE, InstanceState::ContinuousTime);
    instance.set("F_N", G);
    instance.set("v_surface", ON_BELT.belt);
    let mut rate = |t: f64, x: [f64; 4]| {
        let status = instance.set_time(t);
        instance.ok(status);
        let status = instance.set_continuous_states(&x);
        instance.ok(status);
        let mut rates = [0.0; 4];
        let status = instance.get_derivatives(&mut rates);
        instance.ok(status);
        rates
    };
    let (mut y, h) = ([0.0; 4], 1e-5);
    let moved =
        |y: [f64; 4], k: [f64; 4], h: f64| -> [f64; 4] { std::array::from_fn(|i| y[i] + h * k[i]) };
    for step in 0..50_000 {
        let t = h * f64::from(step);
        let k1 = rate(t, y);
        let k2 = rate(t + 0.5 * h, moved(y, k1, 0.5 * h));
        let k3 = rate(t + 0.5 * h, moved(y, k2, 0.5 * h));
        let k4 = rate(t + h, moved(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]));
    }
    let [x, v] = ON_BELT.coupled(&fmu, 1e-2, 0.5);
    println!("x: {} and {x}, v: {} and {v}", y[2], y[3]);
    assert!((y[2] - x).abs() < 1e-7 && (y[3] - v).abs() < 1e-5);
}
