//! FrDyn2 and FrDyn2Linear: rest, creep, bounds, energy, symmetry, and the core beside the general
//! integrator.

mod crossings;
mod unstable;

use crate::characteristic::{End, Measured};
use crate::element::{
    AnyElement, E_LOSS, Element, ElementOptions, F_N, F_R, MIN_TOLERANCE, STICKING, V,
};
use crate::integrate::memory::Memory;
use crate::integrate::runge_kutta::runge_kutta;
use crate::law::{self, CommunicationStep, Contact, InputTrajectory, Law};
use crate::laws::axes::NoModes;
use crate::laws::frdyn2::FrDyn2;
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::laws::regularised::metadata::{SIGMA_2, Z, Z_DOT};
use crate::laws::tests::random;
use crate::variable::Values;
use core::f64::consts::TAU;

/// Weight of 1 kg, N.
const G: f64 = 9.81;
/// Static friction force at [`G`], N.
const F_S: f64 = 0.6 * G;

fn default_law<L: Law<2>>() -> L {
    L::new(&Values::of(L::METADATA.parameters), None).unwrap()
}

/// Body of 1 kg under F_s (b + a sin 2πft) and its bristle in one system, with the states v, z, ż,
/// the slip ∫(v − ż) dt and the slip that the analytic formula of the parabola gives.
struct Bench<L> {
    law: L,
    load: Pulsation,
}

/// Load F_s (b + a sin 2πft).
#[derive(Clone, Copy, Debug)]
struct Pulsation {
    b: f64,
    a: f64,
    f: f64,
}

/// Load with these b, a and f.
const fn pulsation(b: f64, a: f64, f: f64) -> Pulsation {
    Pulsation { b, a, f }
}

impl Pulsation {
    fn at(self, t: f64) -> f64 {
        F_S * (self.b + self.a * libm::sin(TAU * self.f * t))
    }
}

impl<L: Law<2, DiscreteState = NoModes>> Bench<L> {
    fn rate(&self, t: f64, [v, z, z_dot, _, _]: [f64; 5]) -> [f64; 5] {
        let (sigma_0, sigma_1, v_s) = (5e6, 3192.75, 1e-3);
        let at = self.law.evaluate(Contact::new(G, v), &[z, z_dot], &NoModes);
        let ratio = (sigma_0 * z + sigma_1 * v) / F_S;
        let root = (1.0 - ratio.abs()).max(0.0).sqrt();
        let k = 2.0 * F_S / v_s * root;
        let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
        let predicted = -mass * sigma_0 / v_s * 1_f64.copysign(ratio) * z_dot * z_dot
            / root
            / (k + sigma_1)
            / (k + sigma_1);
        [
            self.load.at(t) - at.F_R,
            at.rate[0],
            at.rate[1],
            v - z_dot,
            predicted,
        ]
    }
}

/// Slip rates of the law and of the formula (m/s) over a second after a second, and the peak of F_R
/// over F_s.
fn creep<L: Law<2, DiscreteState = NoModes>>(law: L, load: Pulsation) -> [f64; 2] {
    let bench = Bench { law, load };
    // From the state of the mean load.
    let mut x = [0.0, load.b * F_S / 5e6, 0.0, 0.0, 0.0];
    // The bristle's fastest rate is some 3000 per second.
    let advance = |x, from: f64| runge_kutta(|t, x| bench.rate(t, x), x, from, from + 1.0, 50_000);
    x = advance(x, 0.0);
    let after = advance(x, 1.0);
    [after[3] - x[3], after[4] - x[4]]
}

/// Loads of the table of creep rates (b, a, f in Hz) and the rate of the parabola, m/s.
const LOADS: [(Pulsation, f64); 6] = [
    (pulsation(0.5, 0.3, 20.0), -3.08e-8),
    (pulsation(0.5, 0.3, 100.0), -8.24e-7),
    (pulsation(0.5, 0.3, 200.0), -3.47e-6),
    (pulsation(0.3, 0.5, 50.0), -3.32e-7),
    (pulsation(0.7, 0.15, 100.0), -3.55e-7),
    (pulsation(0.5, 0.4, 10.0), -1.58e-8),
];

#[test]
fn pulsating_loads_cause_no_creep() {
    for (load, _) in LOADS {
        let [rate, _] = creep(default_law::<FrDyn2Linear>(), load);
        assert!(rate.abs() < 1e-14, "{load:?}: {rate:e} m/s");
    }
}

#[test]
fn creep_of_the_parabola_agrees_with_the_analytic_formula() {
    for (load, measured) in LOADS {
        let [rate, predicted] = creep(default_law::<FrDyn2>(), load);
        assert!(
            (rate / measured - 1.0).abs() < 0.01,
            "{load:?}: {rate:e} m/s for {measured:e} m/s"
        );
        // The formula is quasi-static.
        if load.f <= 20.0 {
            assert!(
                (rate / predicted - 1.0).abs() < 0.01,
                "{load:?}: {rate:e} m/s, formula {predicted:e} m/s"
            );
        }
    }
}

#[test]
fn the_force_oscillates_at_constant_velocity_above_the_stability_limit() {
    // F_R oscillates between 0.33 and 0.57 F_N at 70 N; below the limit a constant velocity gives a
    // constant force.
    let range = |normal_force: f64| {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set(&F_N, normal_force);
        element.set(&V, 4.5e-3);
        let forces: Vec<f64> = (0..4000)
            .map(|_| {
                element.advance(1e-5).unwrap();
                element.values()[&F_R] / normal_force
            })
            .collect();
        let late = &forces[2000..];
        (
            late.iter().copied().fold(f64::MAX, f64::min),
            late.iter().copied().fold(f64::MIN, f64::max),
        )
    };
    let (low, high) = range(70.0);
    assert!(
        (low - 0.33).abs() < 0.01 && (high - 0.57).abs() < 0.01,
        "{low} … {high}"
    );
    let (low, high) = range(50.0);
    assert!(high - low < 1e-6, "{low} … {high}");
}

#[test]
fn rest_and_loaded_stick_are_bitwise_constant() {
    fn compare<L: Law<2, DiscreteState = NoModes>>() {
        let mut element = Element::<L, 2>::new();
        element.set(&F_N, G);
        for _ in 0..1000 {
            element.advance(1e-3).unwrap();
        }
        assert_eq!((element.values()[&F_R], element.values()[&Z]), (0.0, 0.0));
        element.set(&Z, 1e-6);
        element.advance(1.0).unwrap();
        let loaded = *element.values();
        assert!((loaded[&F_R] - 5.0).abs() < 1e-12 && loaded[&STICKING] == 1.0);
        for _ in 0..1000 {
            element.advance(1e-3).unwrap();
        }
        assert_eq!(
            (loaded[&F_R], loaded[&Z]),
            (element.values()[&F_R], element.values()[&Z])
        );
    }
    compare::<FrDyn2>();
    compare::<FrDyn2Linear>();
    // The rates of FrDyn2Linear are 0 too, for a solver of Model Exchange.
    let rate = default_law::<FrDyn2Linear>()
        .evaluate(Contact::new(G, 0.0), &[1e-6, 0.0], &NoModes)
        .rate;
    assert_eq!(rate, [0.0, 0.0]);
}

#[test]
fn closed_cycles_dissipate_energy() {
    for amplitude in [1e-6, 1e-4, 1e-2] {
        let mut element = Element::<FrDyn2, 2>::new();
        element.set_tolerance(MIN_TOLERANCE);
        element.set(&F_N, G);
        let (n, period) = (2000, 0.1);
        let h = period / f64::from(n);
        let mut per_cycle = Vec::new();
        for cycle in 0..3 {
            let before = element.values()[&E_LOSS];
            for i in 0..n {
                let phase = core::f64::consts::TAU * (f64::from(i) + 0.5) / f64::from(n);
                element.set(
                    &V,
                    amplitude * core::f64::consts::TAU / period * libm::cos(phase),
                );
                element.advance(h).unwrap();
            }
            per_cycle.push(element.values()[&E_LOSS] - before);
            assert!(
                per_cycle[cycle] > 0.0,
                "amplitude {amplitude}: {per_cycle:?}"
            );
        }
        assert!(
            (per_cycle[2] - per_cycle[1]).abs() < 1e-3 * per_cycle[1],
            "a steady loop: {per_cycle:?}"
        );
    }
}

#[test]
fn work_exceeds_the_stored_energy() {
    for amplitude in [1e-5, 3e-4, 1e-3, 2e-2] {
        let mut element = Element::<FrDyn2Linear, 2>::new();
        element.set(&F_N, G);
        for i in 0..4000 {
            element.set(
                &V,
                amplitude
                    * (libm::sin(0.05 * f64::from(i)) + 0.7 * libm::sin(0.131 * f64::from(i))),
            );
            element.advance(1e-4).unwrap();
            let values = element.values();
            let [z, z_dot] = [values[&Z], values[&Z_DOT]];
            let stored = 0.5 * 5e6 * z * z + 0.5 * 3192.75 * 3192.75 / 4.0 / 5e6 * z_dot * z_dot;
            assert!(
                values[&E_LOSS] - stored >= -1e-12,
                "{} J, stored {stored} J",
                values[&E_LOSS]
            );
        }
    }
}

#[test]
fn the_force_is_odd_bounded_and_continuous() {
    let law = default_law::<FrDyn2Linear>();
    let mut random = random(5);
    for _ in 0..10_000 {
        let contact = Contact::new(G, 2e-2 * random());
        let x = [2e-6 * random(), 2e-2 * random()];
        let force = law.evaluate(contact, &x, &NoModes).F_R;
        assert!(force.abs() <= F_S);
        let mirrored = law
            .evaluate(Contact::new(G, -contact.v), &x.map(|x| -x), &NoModes)
            .F_R;
        assert_eq!(force, -mirrored);
        let moved = law
            .evaluate(Contact::new(G, contact.v + 1e-12), &x, &NoModes)
            .F_R;
        assert!((force - moved).abs() < 1e-7, "{force} N and {moved} N");
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
    assert!(
        (force - expected).abs() < 1e-5,
        "{force} N for {expected} N"
    );
}

/// Steady sliding at the points of a curve, and between them, has the measured coefficient.
#[test]
fn steady_sliding_follows_a_measured_curve() {
    let falling = [[0.01, 0.42], [0.02, 0.35], [0.05, 0.31], [0.5, 0.30]];
    let rising = [[0.01, 0.42], [0.02, 0.40], [0.05, 0.45], [0.5, 0.72]];
    let laws = [
        "FrDyn2Linear",
        "LuGre",
        "StaticRegularized",
        "ModelicaFriction",
    ];
    let cases = laws
        .into_iter()
        .flat_map(|law| [falling, rising].map(|points| (law, points)));
    for (law, points, end) in
        cases.flat_map(|(law, points)| [End::Flat, End::Last].map(|end| (law, points, end)))
    {
        let curve = Measured::shared(&points, end).unwrap();
        let mut element = crate::catalogue::find(law).unwrap().instantiate();
        element.set_options(ElementOptions::of_measured(curve));
        element.apply_parameters().unwrap();
        // Below its first point the regularised law has a parabola.
        let slow = if law == "StaticRegularized" {
            0.01
        } else {
            0.005
        };
        for v in [
            slow, 0.01, 0.013, 0.02, 0.03, 0.05, 0.3, 0.5, 0.7, 5.0, -0.05, -5.0,
        ] {
            element.set(&crate::element::F_N, 10.0);
            element.set(&V, v);
            element.advance(1.0).unwrap();
            let expected = (curve.at(v.abs()).0 * 10.0).copysign(v);
            let force = element.values()[&F_R];
            assert!(
                (force - expected).abs() < 1e-6,
                "{law}: {force} N for {expected} N at {v} m/s, {end:?}"
            );
        }
    }
}

/// Largest error of F_R over F_s in random steps of the core, held or with inputs of third order,
/// beside the general integrator at a tight tolerance on the same equations, and of the loss over a
/// tenth of F_s max|v| H.
fn compare_with_the_general_integrator<L: Law<N, DiscreteState = NoModes>, const N: usize>(
    law: &L,
    seed: u64,
) {
    let mut random = random(seed);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let across = if L::METADATA.planar { 1.0 } else { 0.0 };
    let mut x = [0.0; N];
    for n in 0..1500 {
        let duration = libm::exp10(between(-6.0, -2.0));
        let speed = libm::exp10(between(-4.0, -0.5));
        let mut orders = [Contact::ZERO; 4];
        for (power, order) in orders.iter_mut().enumerate() {
            let unit = libm::pow(duration, -(power as f64));
            let normal = if power == 0 {
                libm::exp10(between(-1.0, 1.7))
            } else {
                0.0
            };
            let v = speed * unit * between(-1.0, 1.0);
            *order = Contact {
                F_N: normal,
                v,
                v_y: across * speed * unit * between(-1.0, 1.0),
                ..Contact::ZERO
            };
        }
        let [start, derivatives @ ..] = orders;
        let mut derivatives = derivatives;
        derivatives[0].F_N = start.F_N * between(-0.7, 1.0) / duration;
        let trajectory = InputTrajectory {
            start,
            derivatives: (n % 2 == 1).then_some(&derivatives),
            delay: None,
        };
        let [mut found, mut expected] = [x; 2];
        let mut radau = Memory::default();
        let done = law
            .advance(
                &trajectory,
                &mut found,
                &mut NoModes,
                duration,
                1e-6,
                &mut radau,
            )
            .unwrap();
        let tight = law::advance_by_events(
            law,
            &CommunicationStep {
                trajectory: &trajectory,
                duration,
                tolerance: 1e-9,
            },
            &mut expected,
            &mut NoModes,
            &mut Memory::default(),
        )
        .unwrap();
        let end = trajectory.at(duration);
        let [force, reference] = [found, expected].map(|x| law.evaluate(end, &x, &NoModes));
        let scale = law::static_force(law, end.F_N.max(1e-2));
        let error = libm::hypot(force.F_R - reference.F_R, force.F_R_y - reference.F_R_y) / scale;
        let from = format!(
            "{} {n}: {trajectory:?} from {x:?} for {duration:e} s",
            L::METADATA.name
        );
        assert!(error < 2e-6, "F_R off by {error:e}, {from}");
        let most = (0..=50)
            .map(|i| trajectory.at(duration * f64::from(i) / 50.0))
            .fold(1e-9, |most: f64, c| {
                most.max(libm::hypot(c.v, c.v_y) * law::static_force(law, c.F_N.max(1e-2)))
            });
        let loss = (done.loss - tight.loss).abs() / (most * duration);
        assert!(loss < 1.5e-5, "loss off by {loss:e}, {from}");
        x = expected;
    }
}

#[test]
fn core_agrees_with_the_general_integrator() {
    compare_with_the_general_integrator(&default_law::<FrDyn2>(), 7);
    compare_with_the_general_integrator(&default_law::<FrDyn2Linear>(), 11);
    let points: Vec<_> = (0..40)
        .map(|i| {
            [
                1e-3 * libm::pow(1.2, f64::from(i)),
                0.45 + 0.1 * libm::cos(0.3 * f64::from(i)),
            ]
        })
        .collect();
    let rising = [[1e-3, 0.4], [1e-2, 0.35], [2e-2, 0.36], [4e-2, 0.5]];
    for (points, end) in [(&points[..], End::Flat), (&rising, End::Last)] {
        let curve = Measured::shared(points, end).unwrap();
        let values = Values::of(FrDyn2Linear::METADATA.parameters);
        compare_with_the_general_integrator(&FrDyn2Linear::new(&values, Some(curve)).unwrap(), 12);
    }
}

#[test]
fn core_in_the_plane_and_of_first_order_agrees_with_the_general_integrator() {
    use crate::laws::dahl::PlanarDahl;
    use crate::laws::frdyn2::PlanarFrDyn2;
    use crate::laws::frdyn2_linear::PlanarFrDyn2Linear;
    use crate::laws::lugre::{LuGre, PlanarLuGre};
    fn law<L: Law<N>, const N: usize>() -> L {
        L::new(&Values::of(L::METADATA.parameters), None).unwrap()
    }
    compare_with_the_general_integrator(&law::<PlanarFrDyn2, 4>(), 3);
    compare_with_the_general_integrator(&law::<PlanarFrDyn2Linear, 4>(), 4);
    compare_with_the_general_integrator(&law::<LuGre, 1>(), 5);
    compare_with_the_general_integrator(&law::<PlanarLuGre, 2>(), 6);
    compare_with_the_general_integrator(&law::<PlanarDahl, 2>(), 8);
}

/// F_0 creeps up to F_s within its rounding: stick ends, and does not begin again there.
#[test]
fn stick_that_ends_within_rounding_of_its_limit_takes_few_steps() {
    let law = default_law::<FrDyn2Linear>();
    let mut random = random(23);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    // The first is a step of a random walk that took 2000 inner steps.
    let found = (
        0.6007216434860752,
        8.545625448311052e-14,
        [7.208659716376093e-8, 1.5311618864445807e-13],
    );
    let drawn = (0..2000).map(|_| {
        let normal = libm::exp10(between(-3.0, 1.7));
        let z = 0.6 * normal / 5e6 * (1.0 - libm::exp10(between(-17.0, -10.0)));
        let v = libm::exp10(between(-16.0, -8.0));
        (normal, v, [z, v * between(0.0, 3.0)])
    });
    for (normal, v, x) in core::iter::once(found).chain(drawn) {
        let trajectory = InputTrajectory::held(Contact::new(normal, v));
        let mut end = x;
        let done = law
            .advance(
                &trajectory,
                &mut end,
                &mut NoModes,
                1e-3,
                1e-6,
                &mut Memory::default(),
            )
            .unwrap();
        assert!(
            done.inner_steps < 20,
            "{} inner steps at {normal} N, {v} m/s from {x:?}",
            done.inner_steps
        );
        let mut expected = x;
        law::advance_by_events(
            &law,
            &CommunicationStep {
                trajectory: &trajectory,
                duration: 1e-3,
                tolerance: 1e-10,
            },
            &mut expected,
            &mut NoModes,
            &mut Memory::default(),
        )
        .unwrap();
        let scale = law.numerics(trajectory.start, &expected, 0.0).scale;
        let error = (0..2).fold(0.0, |most: f64, i| {
            most.max((end[i] - expected[i]).abs() / scale[i])
        });
        assert!(
            error < 1e-6,
            "{error:e} at {normal} N, {v} m/s from {x:?}: {end:?} for {expected:?}"
        );
    }
}

#[test]
fn transients_of_stick_are_within_the_tolerance() {
    let law = default_law::<FrDyn2>();
    let mut random = random(31);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut of_one_step = 0;
    for _ in 0..4000 {
        let normal = libm::exp10(between(-1.0, 3.0));
        let static_force = law::static_force(&law, normal);
        // F_0 up to 1e-4 of F_s below it, a slip up to v_s, and a slow drift.
        let v = if between(0.0, 1.0) < 0.5 {
            0.0
        } else {
            libm::exp10(between(-8.0, -4.0))
        };
        let force = static_force * (1.0 - libm::exp10(between(-4.0, 0.0)));
        let slip = 1e-3 * libm::exp10(between(-3.0, 0.0)).copysign(between(-1.0, 1.0));
        let x = [(force - 3192.75 * v) / 5e6, v - slip];
        let rate =
            2.0 * 5e6 / 3192.75 * (1.0 + static_force / 1.6 * (1.0 - force / static_force).sqrt());
        let duration = libm::exp10(between(-1.0, 1.0)) / rate;
        let trajectory = InputTrajectory::held(Contact::new(normal, v));
        let [mut found, mut expected] = [x; 2];
        let done = law
            .advance(
                &trajectory,
                &mut found,
                &mut NoModes,
                duration,
                1e-6,
                &mut Memory::default(),
            )
            .unwrap();
        let memory = &mut Memory::default();
        law::advance_by_events(
            &law,
            &CommunicationStep {
                trajectory: &trajectory,
                duration,
                tolerance: 1e-10,
            },
            &mut expected,
            &mut NoModes,
            memory,
        )
        .unwrap();
        let [end, exact_end] =
            [found, expected].map(|x| law.evaluate(trajectory.start, &x, &NoModes).F_R);
        let error = (end - exact_end).abs() / static_force;
        let from = format!("{normal} N, {v:e} m/s, {x:?}, {duration:e} s");
        assert!(
            error < 1e-6,
            "{error:e} in {} inner steps from {from}",
            done.inner_steps
        );
        of_one_step += u32::from(done.inner_steps == 1);
    }
    assert!(of_one_step > 1000, "{of_one_step}");
}
