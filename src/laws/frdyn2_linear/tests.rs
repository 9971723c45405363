//! FrDyn2Linear: no creep, bounds, energy, symmetry, rest; closed forms against the general integrator.

use super::super::frdyn2::FrDyn2;
use super::super::frdyn2::metadata::Z;
use super::super::tests::random;
use super::metadata::SIGMA_2;
use super::*;
use crate::characteristic::{End, Measured};
use crate::element::{AnyElement, E_LOSS, Element, F_N, F_R, STICKING, V};
use crate::integrate::System;
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law, LoadInterval};
use crate::variable::Values;
use core::f64::consts::TAU;

mod long_steps;

/// Weight of 1 kg, N.
const G: f64 = 9.81;
/// Static friction force at [`G`], N.
const F_S: f64 = 0.6 * G;

fn law() -> FrDyn2Linear {
    FrDyn2Linear::new(&Values::of(FrDyn2Linear::METADATA.parameters)).unwrap()
}

/// Body of 1 kg under F_s (b + a sin 2πft) and its bristle in one system, with the states v, z, ż, the slip ∫(v − ż) dt and the slip
/// that the analytic formula of the parabola gives.
struct Bench<L> {
    law: L,
    load: fn(f64, [f64; 3]) -> f64,
    numbers: [f64; 3],
}

/// F_s (b + a sin 2πft).
fn pulsating(t: f64, [b, a, f]: [f64; 3]) -> f64 {
    F_S * (b + a * libm::sin(TAU * f * t))
}

impl<L: Law<2, DiscreteState = ()>> System<5> for Bench<L> {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, &[v, z, z_dot, _, _]: &[f64; 5]) -> [f64; 5] {
        let (sigma_0, sigma_1, v_s) = (5e6, 3192.75, 1e-3);
        let at = self.law.evaluate(Contact::new(G, v), &[z, z_dot], &());
        let ratio = (sigma_0 * z + sigma_1 * v) / F_S;
        let root = (1.0 - ratio.abs()).max(0.0).sqrt();
        let k = 2.0 * F_S / v_s * root;
        let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
        let predicted =
            -mass * sigma_0 / v_s * 1_f64.copysign(ratio) * z_dot * z_dot / root / (k + sigma_1) / (k + sigma_1);
        [(self.load)(t, self.numbers) - at.F_R, at.rate[0], at.rate[1], v - z_dot, predicted]
    }

    fn jacobian(&self, _: f64, &[v, z, z_dot, _, _]: &[f64; 5]) -> [[f64; 5]; 5] {
        let by = self.law.jacobian(Contact::new(G, v), &[z, z_dot], &());
        [
            [-by.F_R_v, -by.F_R_x[0], -by.F_R_x[1], 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [by.rate_v[1], by.rate_x[1][0], by.rate_x[1][1], 0.0, 0.0],
            [1.0, 0.0, -1.0, 0.0, 0.0],
            [0.0; 5],
        ]
    }

    fn scale(&self, _: f64, _: &[f64; 5]) -> [f64; 5] {
        [1e-3, 1e-6, 1e-3, 1e-6, 1e-6]
    }

    fn longest(&self, _: f64, _: &[f64; 5]) -> f64 {
        0.05 / self.numbers[2]
    }
}

/// Slip rates of the law and of the formula (m/s) over a second after a second, and the peak of F_R over F_s.
fn creep<L: Law<2, DiscreteState = ()>>(law: L, numbers: [f64; 3]) -> [f64; 2] {
    let bench = Bench { law, load: pulsating, numbers };
    // From the state of the mean load.
    let mut x = [0.0, numbers[0] * F_S / 5e6, 0.0, 0.0, 0.0];
    let advance = |x: &mut [f64; 5], from: f64| {
        let later = Later { bench: &bench, from };
        Radau::default().advance(&later, x, 1.0, 1e-7, |_| None).unwrap();
    };
    advance(&mut x, 0.0);
    let before = x;
    advance(&mut x, 1.0);
    [x[3] - before[3], x[4] - before[4]]
}

/// Bench with its time shifted.
struct Later<'a, L> {
    bench: &'a Bench<L>,
    from: f64,
}

impl<L: Law<2, DiscreteState = ()>> System<5> for Later<'_, L> {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, x: &[f64; 5]) -> [f64; 5] {
        self.bench.rate(self.from + t, x)
    }

    fn jacobian(&self, t: f64, x: &[f64; 5]) -> [[f64; 5]; 5] {
        self.bench.jacobian(self.from + t, x)
    }

    fn scale(&self, t: f64, x: &[f64; 5]) -> [f64; 5] {
        self.bench.scale(t, x)
    }

    fn longest(&self, t: f64, x: &[f64; 5]) -> f64 {
        self.bench.longest(t, x)
    }
}

/// Loads of the table of creep rates (b, a, f in Hz) and the rate of the parabola, m/s.
const LOADS: [([f64; 3], f64); 6] = [
    ([0.5, 0.3, 20.0], -3.08e-8),
    ([0.5, 0.3, 100.0], -8.24e-7),
    ([0.5, 0.3, 200.0], -3.47e-6),
    ([0.3, 0.5, 50.0], -3.32e-7),
    ([0.7, 0.15, 100.0], -3.55e-7),
    ([0.5, 0.4, 10.0], -1.58e-8),
];

#[test]
fn pulsating_loads_cause_no_creep() {
    for (numbers, _) in LOADS {
        let [rate, _] = creep(law(), numbers);
        assert!(rate.abs() < 1e-14, "{numbers:?}: {rate:e} m/s");
    }
}

#[test]
fn creep_of_the_parabola_agrees_with_the_analytic_formula() {
    let parabola = || FrDyn2::new(&Values::of(FrDyn2::METADATA.parameters)).unwrap();
    for (numbers, measured) in LOADS {
        let [rate, predicted] = creep(parabola(), numbers);
        println!("{numbers:?}: {rate:e} m/s, formula {predicted:e} m/s");
        assert!((rate / measured - 1.0).abs() < 0.01, "{numbers:?}: {rate:e} m/s for {measured:e} m/s");
        // The formula is quasi-static.
        if numbers[2] <= 20.0 {
            assert!((rate / predicted - 1.0).abs() < 0.01, "{numbers:?}: {rate:e} m/s, formula {predicted:e} m/s");
        }
    }
}

/// A state in or near stick, a contact and its velocity derivatives, over decades.
fn draw(random: &mut impl FnMut() -> f64) -> (Contact, [f64; 2], [Contact; 3], f64) {
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let duration = libm::exp10(between(-6.0, -2.0));
    let normal = 50.0 * libm::exp10(between(-2.0, 0.0));
    let v = 1e-3 * libm::exp10(between(-4.0, 0.5)) * between(-1.0, 1.0);
    let slope = |power: i32, size: f64| size * between_one(power) / libm::pow(duration, f64::from(power));
    fn between_one(power: i32) -> f64 {
        1.0 / f64::from(power)
    }
    let size = 1e-4 * libm::exp10(between(-3.0, 0.5));
    let signs = [between(-1.0, 1.0), between(-1.0, 1.0), between(-1.0, 1.0)];
    let derivatives = core::array::from_fn(|i| Contact::new(0.0, signs[i] * slope(i as i32 + 1, size)));
    let z = 0.6 * normal / 5e6 * between(-1.1, 1.1);
    let z_dot = v + 1e-3 * libm::exp10(between(-4.0, 0.5)) * between(-1.0, 1.0);
    (Contact::new(normal, v), [z, z_dot], derivatives, duration)
}

#[test]
fn closed_forms_agree_with_the_general_integrator() {
    let (law, oracle) = (law(), law().with_general_integrator());
    let mut random = random(7);
    let (mut sticks, mut worst) = (0, 0.0_f64);
    for n in 0..4000 {
        let (start, x, derivatives, duration) = draw(&mut random);
        let trajectory = InputTrajectory { start, derivatives: (n % 2 == 1).then_some(&derivatives), delay: None };
        let [mut done, mut expected] = [x; 2];
        let result = law.advance(&trajectory, &mut done, &mut (), duration, 1e-6, &mut Radau::default()).unwrap();
        let tight =
            oracle.advance(&trajectory, &mut expected, &mut (), duration, 1e-10, &mut Radau::default()).unwrap();
        let end = trajectory.at(duration);
        let scale = oracle.scale(end, &expected);
        let error = (0..2).fold(0.0, |most: f64, i| most.max((done[i] - expected[i]).abs() / scale[i]));
        assert!(error < 1e-6, "{error:e}: {trajectory:?} from {x:?} for {duration:e} s: {done:?} for {expected:?}");
        let speed = start.v.abs() + derivatives.iter().fold(0.0, |sum, d| sum + d.v.abs() * duration);
        let loss = (result.loss - tight.loss).abs() / (0.6 * start.F_N * speed * duration);
        assert!(loss < 1e-5, "loss {loss:e}: {trajectory:?} from {x:?} for {duration:e} s");
        if result.inner_steps == 1 {
            sticks += 1;
            worst = worst.max(error);
        }
    }
    println!("{sticks} by one closed form, worst {worst:e}");
    assert!(sticks > 1000);
}

/// Body and bristle with the load linear in time.
struct Coupled {
    equations: Equations,
    mass: f64,
    normal: f64,
    load: [f64; 2],
    duration: f64,
}

impl System<4> for Coupled {
    type Input = f64;

    fn input(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: f64, &[v, z, z_dot, _]: &[f64; 4]) -> [f64; 4] {
        let at = self.equations.evaluate(Contact::new(self.normal, v), &[z, z_dot], &());
        let load = self.load[0] + (self.load[1] - self.load[0]) * t / self.duration;
        [(load - at.F_R) / self.mass, at.rate[0], at.rate[1], at.F_R * v]
    }

    fn jacobian(&self, _: f64, &[v, z, z_dot, _]: &[f64; 4]) -> [[f64; 4]; 4] {
        let by = self.equations.jacobian(Contact::new(self.normal, v), &[z, z_dot], &());
        let m = -1.0 / self.mass;
        [
            [m * by.F_R_v, m * by.F_R_x[0], m * by.F_R_x[1], 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [by.rate_v[1], by.rate_x[1][0], by.rate_x[1][1], 0.0],
            [0.0; 4],
        ]
    }

    fn scale(&self, _: f64, _: &[f64; 4]) -> [f64; 4] {
        [1e-3, 1e-6, 1e-3, 1e-3]
    }
}

#[test]
fn the_closed_form_of_a_stuck_body_agrees_with_a_coupled_integration() {
    let equations = law().with_general_integrator();
    let mut random = random(3);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut met = 0;
    for _ in 0..2000 {
        let mass = libm::exp10(between(-1.5, 2.0));
        let duration = libm::exp10(between(-6.0, -2.0));
        let load = [F_S * between(-0.9, 0.9), F_S * between(-0.9, 0.9)];
        let share = libm::exp10(between(-6.0, 0.0));
        let v = 1e-4 * share * between(-1.0, 1.0);
        let x = [load[0] / 5e6 + 1e-6 * share * between(-1.0, 1.0), v + 1e-4 * share * between(-1.0, 1.0)];
        let interval = LoadInterval { normal: [G; 2], load, duration, tolerance: 1e-6 };
        let Some(stuck) = stuck_body::stuck_body(&equations, mass, x, v, &interval) else { continue };
        met += 1;
        let system = Coupled { equations, mass, normal: G, load, duration };
        let mut end = [v, x[0], x[1], 0.0];
        Radau::default().advance(&system, &mut end, duration, 1e-11, |_| None).unwrap();
        let errors = [(stuck.v - end[0]) / 1e-3, (stuck.states[0] - end[1]) / 1e-6, (stuck.states[1] - end[2]) / 1e-3];
        let worst = errors.iter().fold(0.0, |most: f64, e| most.max(e.abs()));
        assert!(worst < 1e-8, "{worst:e}: {mass} kg, {interval:?}, {x:?}, {v}");
        let loss = (stuck.loss - end[3]).abs();
        assert!(loss < 1e-7 * F_S * 1e-3 * duration.max(1e-3), "{loss:e} J of {:e} J: {mass} kg, {interval:?}", end[3]);
    }
    assert!(met > 400, "{met}");
}

#[test]
fn rest_and_loaded_stick_are_bitwise_constant() {
    let mut element = Element::<FrDyn2Linear, 2>::new();
    element.set(&F_N, G);
    element.set(&Z, 1e-6);
    element.advance(1.0).unwrap();
    let loaded = *element.values();
    assert!((loaded[&F_R] - 5.0).abs() < 1e-12 && loaded[&STICKING] == 1.0);
    for _ in 0..1000 {
        element.advance(1e-3).unwrap();
    }
    assert_eq!((loaded[&F_R], loaded[&Z]), (element.values()[&F_R], element.values()[&Z]));
    // Its rates are 0 too, for a solver of Model Exchange.
    let rate = law().evaluate(Contact::new(G, 0.0), &[loaded[&Z], 0.0], &()).rate;
    assert_eq!(rate, [0.0, 0.0]);
}

#[test]
fn the_force_is_odd_bounded_and_continuous() {
    let law = law();
    let mut random = random(5);
    for _ in 0..10_000 {
        let contact = Contact::new(G, 2e-2 * random());
        let x = [2e-6 * random(), 2e-2 * random()];
        let force = law.evaluate(contact, &x, &()).F_R;
        assert!(force.abs() <= F_S);
        let mirrored = law.evaluate(Contact::new(G, -contact.v), &x.map(|x| -x), &()).F_R;
        assert_eq!(force, -mirrored);
        let moved = law.evaluate(Contact::new(G, contact.v + 1e-12), &x, &()).F_R;
        assert!((force - moved).abs() < 1e-7, "{force} N and {moved} N");
    }
}

#[test]
fn work_exceeds_the_stored_energy() {
    for amplitude in [1e-5, 3e-4, 1e-3, 2e-2] {
        let mut element = Element::<FrDyn2Linear, 2>::new();
        element.set(&F_N, G);
        for i in 0..4000 {
            element.set(&V, amplitude * (libm::sin(0.05 * f64::from(i)) + 0.7 * libm::sin(0.131 * f64::from(i))));
            element.advance(1e-4).unwrap();
            let values = element.values();
            let [z, z_dot] = [values[&Z], values[&super::super::frdyn2::metadata::Z_DOT]];
            let stored = 0.5 * 5e6 * z * z + 0.5 * 3192.75 * 3192.75 / 4.0 / 5e6 * z_dot * z_dot;
            assert!(values[&E_LOSS] - stored >= -1e-12, "{} J, stored {stored} J", values[&E_LOSS]);
        }
    }
}

#[test]
fn viscous_friction_is_added_beyond_v_d() {
    let mut element = Element::<FrDyn2Linear, 2>::new();
    element.set(&F_N, G);
    element.set(&SIGMA_2, 20.0);
    element.apply_parameters().unwrap();
    element.set(&V, 0.5);
    element.advance(0.1).unwrap();
    let expected = 0.3 * G + 20.0 * (0.5 + 1e-3 - 1e-2);
    let force = element.values()[&F_R];
    assert!((force - expected).abs() < 1e-5, "{force} N for {expected} N");
}

/// Steady sliding at the points of a curve, and between them, has the measured coefficient.
#[test]
fn steady_sliding_follows_a_measured_curve() {
    let points = [[0.01, 0.42], [0.02, 0.35], [0.05, 0.31], [0.5, 0.30]];
    for end in [End::Flat, End::Last] {
        let curve = Measured::shared(&points, end).unwrap();
        let mut element = crate::catalogue::find("FrDyn2Linear").unwrap().instantiate();
        element.set_measured(curve);
        element.apply_parameters().unwrap();
        for v in [0.005, 0.01, 0.013, 0.02, 0.03, 0.05, 0.3, 0.5, 0.7, -0.05] {
            element.set(&crate::element::F_N, 10.0);
            element.set(&V, v);
            element.advance(1.0).unwrap();
            let expected = (curve.at(v.abs()).0 * 10.0).copysign(v);
            let force = element.values()[&F_R];
            assert!((force - expected).abs() < 1e-6, "{force} N for {expected} N at {v} m/s, {end:?}");
        }
    }
}

/// The series over many segments against the general integrator at a tight tolerance.
#[test]
fn measured_curve_by_series_agrees_with_the_general_integrator() {
    use crate::integrate::radau::Radau;
    use crate::law::{Contact, InputTrajectory, MAX_INPUT_DERIVATIVE_ORDER};
    use crate::law::{Law, StepResult};
    let mut random = crate::laws::tests::random(12);
    let points: Vec<_> = (0..40)
        .map(|i| [1e-3 * libm::pow(1.2, f64::from(i)), 0.45 + 0.1 * libm::cos(0.3 * f64::from(i)) + 0.01 * random()])
        .collect();
    let curve = Measured::shared(&points, Default::default()).unwrap();
    let model = crate::catalogue::find("FrDyn2Linear").unwrap();
    let element = model.instantiate();
    let law = <super::FrDyn2Linear as Law<2>>::with_measured(element.values(), curve).unwrap();
    let general = law.with_general_integrator();
    let mut states = [[0.0; 2]; 2];
    for _ in 0..500 {
        let start = Contact::new(10.0 + 8.0 * random(), 0.3 * random() * random());
        let slopes = [Contact { F_N: 0.0, v: 20.0 * random(), ..Contact::ZERO }, Contact::ZERO, Contact::ZERO];
        let slopes: [Contact; MAX_INPUT_DERIVATIVE_ORDER] = slopes;
        let trajectory = InputTrajectory { start, derivatives: Some(&slopes), delay: None };
        let h = libm::pow(10.0, -3.5 + random());
        let advance = |x: &mut [f64; 2], fast: bool| -> StepResult {
            let mut radau = Radau::default();
            if fast {
                law.advance(&trajectory, x, &mut (), h, 1e-6, &mut radau).unwrap()
            } else {
                general.advance(&trajectory, x, &mut (), h, 1e-10, &mut radau).unwrap()
            }
        };
        states[1] = states[0];
        advance(&mut states[0], true);
        advance(&mut states[1], false);
        let end = trajectory.at(h);
        let forces = states.map(|x| law.evaluate(end, &x, &()).F_R);
        assert!((forces[0] - forces[1]).abs() < 2e-6 * 0.55 * start.F_N, "{forces:?} at {start:?}, {h} s");
    }
}

/// F_0 creeps up to F_s within its rounding: stick ends, and does not begin again there.
#[test]
fn stick_that_ends_within_rounding_of_its_limit_takes_few_steps() {
    let (law, oracle) = (law(), law().with_general_integrator());
    let mut random = random(23);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    // The first is a step of a random walk that took 2000 inner steps.
    let found = (0.6007216434860752, 8.545625448311052e-14, [7.208659716376093e-8, 1.5311618864445807e-13]);
    let drawn = (0..2000).map(|_| {
        let normal = libm::exp10(between(-3.0, 1.7));
        let z = 0.6 * normal / 5e6 * (1.0 - libm::exp10(between(-17.0, -10.0)));
        let v = libm::exp10(between(-16.0, -8.0));
        (normal, v, [z, v * between(0.0, 3.0)])
    });
    for (normal, v, x) in core::iter::once(found).chain(drawn) {
        let trajectory = InputTrajectory::held(Contact::new(normal, v));
        let mut end = x;
        let done = law.advance(&trajectory, &mut end, &mut (), 1e-3, 1e-6, &mut Radau::default()).unwrap();
        assert!(done.inner_steps < 20, "{} inner steps at {normal} N, {v} m/s from {x:?}", done.inner_steps);
        let mut expected = x;
        oracle.advance(&trajectory, &mut expected, &mut (), 1e-3, 1e-10, &mut Radau::default()).unwrap();
        let scale = oracle.scale(trajectory.start, &expected);
        let error = (0..2).fold(0.0, |most: f64, i| most.max((end[i] - expected[i]).abs() / scale[i]));
        assert!(error < 1e-6, "{error:e} at {normal} N, {v} m/s from {x:?}: {end:?} for {expected:?}");
    }
}
