//! Limit of the force that the predictor hands to the master, and the estimate of the mass.

use super::*;
use crate::catalogue::find;
use crate::integrate::runge_kutta::runge_kutta;
use crate::laws::lugre::LuGre;

/// LuGre with so much viscous friction that it outweighs the bristle.
fn viscous() -> LuGre {
    let model = find("LuGre").expect("a law of the catalogue");
    let mut element = model.instantiate();
    let sigma_2 = model.variables().find(|variable| variable.name == "sigma_2").expect("a parameter");
    element.set(sigma_2, SIGMA_2);
    LuGre::new(element.values()).expect("parameters")
}

/// Viscous friction, N·s/m.
const SIGMA_2: f64 = 100.0;
/// Mass, kg.
const MASS: f64 = 10.0;

#[test]
fn force_of_a_step_is_at_most_twice_the_largest_impulse_at_the_speeds_that_the_last_step_makes_likely() {
    for side in [1.0, -1.0] {
        let (law, at) = (viscous(), |v: f64| Contact::new(1.0, side * v));
        let mut body = Body::<_, 1>::new(law);
        let mut observer = BodyObserver::initialize((MASS, Coupling::Serial), at(0.0), 0.0, &[0.0], [0.0; MODES], 0.0);
        let mut step = |v: f64, duration: f64| {
            let limit = StepLimit::default();
            observer.step(&mut body, (at(v), None), Some(0.0), duration, 1e-6, limit).expect("a step");
            observer.mean()
        };
        step(0.0, 1e-4);
        // The load that drove the body to 0.01 m/s in 0.1 ms would drive it to 1 m/s in 10 ms, about 50 times the speed that counts.
        let [mean, allowed] = [side * step(0.01, 1e-2), 2.0 * law.largest_impulse(at(0.01), &[0.0], 0.02, 1e-2) / 1e-2];
        assert!((mean / allowed - 1.0).abs() < 1e-3, "{mean} N for {allowed} N");
        assert!(allowed > 2.0 * SIGMA_2 * 0.02 && allowed < 10.0, "{allowed} N");
    }
}

#[test]
fn mass_is_an_estimate_where_it_differs_from_the_given_one_and_follows_it_in_proportion() {
    let start = Contact::new(1.0, 0.0);
    let mut observer = BodyObserver::initialize((MASS, Coupling::Serial), start, 0.0, &[0.0], [0.0; MODES], 0.0);
    observer.set_mass(2.0 * MASS);
    assert_eq!((observer.estimated_mass(), observer.mass.value), (None, 2.0 * MASS));
    observer.mass.value = 0.5 * MASS;
    assert_eq!(observer.estimated_mass(), Some(0.5 * MASS));
    observer.set_mass(4.0 * MASS);
    assert_eq!(observer.estimated_mass(), Some(MASS));
}

/// Observer after steps of these lengths (s), with F_N (N) and v (m/s) at the last communication point.
fn after(durations: [f64; 2], contact: [f64; 2]) -> BodyObserver {
    let start = Contact::new(1.0, 0.0);
    let observer = BodyObserver::initialize((MASS, Coupling::Serial), start, 0.0, &[0.0], [0.0; MODES], 0.0);
    BodyObserver { durations, contact, ..observer }
}

#[test]
fn rates_are_those_of_a_linear_load_up_to_their_gains_and_bounds() {
    // Means of r t over the last two steps, of 0.2 and 0.6 s, differ by r times the distance of the middles; the ends by r times 0.2 s.
    let (r, observer) = (5.0, after([0.2, 0.6], [1.0, 0.0]));
    let at_ends = BodyObserver { smooth: [0.0, -r * 0.2], ..observer };
    let load = [-r * 0.1, -r * 0.5];
    assert!((observer.rate(load, 0.0) - LOAD_RATE_GAIN * r).abs() < 1e-14);
    assert!((at_ends.end_rate(0.0) - END_RATE_GAIN * r).abs() < 1e-14);
    // Over a longer step the load changes by no more than it did.
    assert!((observer.rate(load, 2.0) - LOAD_RATE_GAIN * r * 0.4 / 2.0).abs() < 1e-14);
    assert!((at_ends.end_rate(2.0) - END_RATE_GAIN * r * 0.2 / 2.0).abs() < 1e-14);
    // After the first step the load before it is that of its start.
    assert!((after([0.2, 0.0], [1.0, 0.0]).rate([r * 0.2, 0.0], 0.0) - LOAD_RATE_GAIN * r).abs() < 1e-14);
    let none = BodyObserver { smooth: [1.0, 0.0], ..after([0.0; 2], [1.0, 0.0]) };
    assert_eq!([none.rate([1.0, 0.0], 0.0), none.end_rate(0.0)], [0.0; 2]);
}

#[test]
fn normal_force_is_extrapolated_by_no_more_than_its_last_change_and_not_next_to_an_opening() {
    let rate =
        |before: f64, now: f64, last: f64, duration: f64| after([last, 0.1], [before, 0.0]).normal_rate(now, duration);
    // From 4 to 7 N in 0.5 s.
    assert_eq!([rate(4.0, 7.0, 0.5, 0.1), rate(7.0, 4.0, 0.5, 0.1), rate(4.0, 7.0, 0.5, 2.0)], [6.0, -6.0, 1.5]);
    for (before, now, last) in [(0.0, 7.0, 0.5), (-1.0, 7.0, 0.5), (4.0, 0.0, 0.5), (4.0, -1.0, 0.5), (4.0, 7.0, 0.0)] {
        assert_eq!(rate(before, now, last, 0.1), 0.0, "from {before} to {now} N in {last} s");
    }
}

#[test]
fn negligible_step_is_far_shorter_than_the_last_one() {
    let observer = after([0.5, 0.1], [1.0, 0.0]);
    assert!(
        observer.is_negligible(0.49 * NEGLIGIBLE_STEP_RATIO) && !observer.is_negligible(0.51 * NEGLIGIBLE_STEP_RATIO)
    );
    assert!(!after([0.0; 2], [1.0, 0.0]).is_negligible(0.0), "the first step is none");
}

#[test]
fn sum_of_two_numbers_that_overflows_is_an_error() {
    let changes: [fn(&mut BodyObserver, f64); 17] = [
        |o, x| o.load[0] = x,
        |o, x| o.load[1] = -x,
        |o, x| o.smooth[0] = -x,
        |o, x| o.smooth[1] = x,
        |o, x| o.applied[0] = x,
        |o, x| o.applied[1] = -x,
        |o, x| o.contact[0] = x,
        |o, x| o.contact[1] = -x,
        |o, x| o.states[0] = -x,
        |o, x| o.states[1] = x,
        |o, x| o.loss = -x,
        |o, x| o.mean = x,
        |o, x| o.horizon = x,
        |o, x| o.normal_peak = x,
        |o, x| o.monitor = CouplingMonitor::new(x),
        |o, x| o.normal_monitor = NormalMonitor::new(x),
        |o, x| o.mass = EffectiveMassEstimator::new(x),
    ];
    let is_accepted = |observer: &BodyObserver| observer.check().is_ok();
    for (i, change) in changes.iter().enumerate() {
        let mut observer = after([0.2; 2], [1.0, 0.0]);
        change(&mut observer, f64::MAX);
        assert!(is_accepted(&observer), "{i} alone is finite");
        for (j, other) in changes.iter().enumerate().filter(|(j, _)| *j != i) {
            let mut both = observer;
            other(&mut both, f64::MAX);
            assert!(!is_accepted(&both), "{i} and {j}");
        }
        change(&mut observer, f64::INFINITY);
        assert!(!is_accepted(&observer), "{i}");
    }
    // The sum is no product.
    let mut observer = after([0.2; 2], [1.0, 0.0]);
    changes.iter().for_each(|change| change(&mut observer, 1e200));
    assert!(is_accepted(&observer));
}

/// Bristle of LuGre with constant friction and without damping: coefficient of friction, stiffness (N/m), and deflection at the start (m).
const BRISTLE: [f64; 3] = [1.0, 2e5, 5e-4];
/// F_N of a step, N, and its length, s.
const STEP: [f64; 2] = [400.0, 4e-3];

/// v (m/s), displacement (m), deflection (m), and the impulse (N·s) and work (J) of the bristle after a step from `[v, z]`, under a load (N) that
/// is linear between its ends, by the classical Runge–Kutta method.
fn moved([v, z]: [f64; 2], [from, to]: [f64; 2]) -> [f64; 5] {
    const STEPS: u32 = 200;
    let ([mu, sigma_0, _], [normal, duration]) = (BRISTLE, STEP);
    let rate = |t: f64, [v, _, z, ..]: [f64; 5]| {
        let (load, friction) = (from + (to - from) * t / duration, sigma_0 * z);
        [(load - friction) / MASS, v, v - sigma_0 * v.abs() * z / (mu * normal), friction, friction * v]
    };
    runge_kutta(rate, [v, 0.0, z, 0.0, 0.0], [0.0, duration], STEPS)
}

/// The scheme of the module's documentation, with an independent solution of body and bristle as one system.
#[test]
fn force_and_loss_are_those_of_the_scheme_with_an_independent_solution() {
    let ([mu, sigma_0, z_0], [normal, h]) = (BRISTLE, STEP);
    let model = find("LuGre").expect("a law of the catalogue");
    let mut element = model.instantiate();
    for (name, value) in [("mu_s", mu), ("mu_d", mu), ("sigma_0", sigma_0), ("sigma_1", 0.0), ("sigma_2", 0.0)] {
        element.set(model.variables().find(|variable| variable.name == name).expect("a parameter"), value);
    }
    let law = LuGre::new(element.values()).expect("parameters");
    let measured = [0.1, 0.12, 0.13, 0.16, 0.155];
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        let is_parallel = coupling == Coupling::Parallel;
        let at = |v: f64| Contact::new(normal, v);
        let force = sigma_0 * z_0;
        let mut body = Body::<_, 1>::new(law);
        let start = (MASS, coupling);
        let mut observer = BodyObserver::initialize(start, at(measured[0]), force, &[z_0], [0.0; MODES], 0.0);
        let Gains { theta, kappa, beta, .. } = Gains::of(coupling);
        // Observed v and z, displacement of the body over the observed one, the last forces, and the last loads and smoothed ones.
        let (mut observed, mut lag, mut applied) = ([measured[0], z_0], 0.0, [force; 2]);
        let (mut loads, mut smooth, mut work) = ([force; 2], [force; 2], 0.0);
        for (n, v) in measured.into_iter().enumerate() {
            if n > 0 {
                let before = measured[n - 1];
                let used = applied[usize::from(!is_parallel)];
                loads = [MASS * (v - before) / h + used, loads[0]];
                smooth = [smooth[0] + beta * (loads[0] - smooth[0]), smooth[0]];
                let rise = 0.5 * LOAD_RATE_GAIN * (loads[0] - loads[1]);
                let [v_s, travel, z, ..] = moved(observed, [loads[0] - rise, loads[0] + rise]);
                (observed, lag) = ([v_s, z], lag + 0.5 * h * (v + before) - travel);
                work += 0.5 * used * (v + before) * h;
            }
            let rate = if n > 0 { LOAD_RATE_GAIN * (smooth[0] - smooth[1]) } else { 0.0 };
            let load = |steps: f64| smooth[0] + rate * (steps + if n > 0 { 0.5 } else { 0.0 });
            let [v_p, travel, z_p, impulse, _] = moved(observed, [load(0.0), load(1.0)]);
            let (mut mean, mut end, mut error) = (impulse / h, v_p, [v - observed[0], lag]);
            if is_parallel {
                end = v + (0.5 * (load(0.0) + load(1.0)) - applied[1]) * h / MASS;
                error = [end - v_p, lag + 0.5 * h * (v + end) - travel];
                mean = moved([v_p, z_p], [load(1.0), load(2.0)])[3] / h;
            }
            let expected = mean + MASS / h * (theta * error[0] + kappa * error[1] / h);
            let used = if is_parallel { applied[1] } else { expected };
            let loss = work + 0.5 * used * (v + end) * h;
            let found =
                observer.step(&mut body, (at(v), None), Some(0.0), h, 1e-10, StepLimit::default()).expect("a step");
            let said = format!("{coupling:?}, step {n}");
            assert!((found.applied - expected).abs() < 1e-5 * force, "{said}: {} N, not {expected} N", found.applied);
            assert!((found.loss - loss).abs() < 1e-5 * force * v * h, "{said}: {} J, not {loss} J", found.loss);
            assert!((found.contact.v - v_p).abs() < 1e-6 && (found.x[0] - z_p).abs() < 1e-5 * z_0, "{said}");
            assert!((observer.states()[0] - observed[1]).abs() < 1e-5 * z_0, "{said}: {:?}", observer.states());
            applied = [applied[1], expected];
        }
        // The contact opens: no force is applied any more, but in a parallel coupling the last one still acts.
        let (before, v) = (measured[measured.len() - 1], 0.15);
        let open = Contact::new(-1.0, v);
        let found = observer.step(&mut body, (open, None), Some(0.0), h, 1e-10, StepLimit::default()).expect("a step");
        let [used, late] = if is_parallel { applied } else { [applied[1], 0.0] };
        let loss = work + 0.5 * used * (v + before) * h + late * v * h;
        assert!((found.loss - loss).abs() < 1e-5 * force * v * h, "{coupling:?}: {} J, not {loss} J", found.loss);
        assert_eq!((found.applied, observer.mean(), found.x), (0.0, 0.0, [0.0]), "{coupling:?}");
    }
}

#[test]
fn change_of_the_stiffness_rescales_the_deflection_alone() {
    let mut observer = after([0.2; 2], [1.0, 0.0]);
    observer.states = [0.1, 0.2, 3.0, 0.4, 0.5, 0.6, 0.7, 0.8];
    observer.rescale_deflection(0.5);
    assert_eq!(observer.states, [0.1, 0.2, 1.5, 0.4, 0.5, 0.6, 0.7, 0.8]);
    assert!(observer.is_for(Coupling::Serial) && !observer.is_for(Coupling::Parallel));
}
