//! Methods of a body with its law, against the integration in one piece.

use super::*;
use crate::catalogue::find;
use crate::integrate::step_limit::StepLimit;
use crate::laws::dahl::Dahl;
use crate::laws::frdyn2::FrDyn2;
use crate::laws::lugre::LuGre;
use crate::laws::tests::random;

mod mean_force;

#[test]
fn a_nearly_free_body_under_a_load_that_changes_sign_takes_few_steps() {
    // Found by random calls: v is 0 at the start, and the mean of the load is 0; neither bounds v.
    let element = find("FrDyn2").unwrap().instantiate();
    let mut body: Body<_, 2> = Body::new(FrDyn2::new(element.values()).unwrap());
    body.mass = 0.6522933748563323;
    let mut x = [0.0_f64; STATES];
    x[2..4].copy_from_slice(&[-1.7748247658361586e-26, 4.9238483909100104e-23]);
    let (load, duration) = ([104.0344592412532, -104.0344592412532], 0.0004985510956295138);
    let interval = LoadInterval { normal: [0.0; 2], load, duration, tolerance: 1e-3 };
    let mut solver = Radau { first_step: 0.00013140825670842325, ..Radau::default() };
    let moved = Body::advance(&body, &mut x, &mut (), &interval, &mut solver).unwrap();
    assert!(moved.inner_steps < 100, "{}", moved.inner_steps);
    let travel = load[0] / body.mass * duration * duration / 6.0;
    assert!(x[0].abs() < 1e-12 && (x[1] - travel).abs() < 1e-9 * travel, "{x:?}, {travel}");
}

#[test]
fn a_body_that_slides_on_a_brittle_bristle_under_a_rising_normal_force_takes_few_steps() {
    // The bristle stays next to saturation, where |b|^α has no finite slope: m dv/dt = A − μ_d F_N(t).
    let (mass, duration, tolerance) = (3.75e-3, 0.0395, 1e-6);
    for alpha in [0.397, 0.5, 0.7, 0.9] {
        let mut element = find("Dahl").unwrap().instantiate();
        for (name, value) in [("mu_d", 1.66), ("sigma_0", 6.67e5), ("alpha", alpha)] {
            let parameters = find("Dahl").unwrap().metadata.parameters;
            element.set(parameters.iter().find(|parameter| parameter.name == name).unwrap(), value);
        }
        let mut body: Body<_, 1> = Body::new(Dahl::new(element.values()).unwrap());
        body.mass = mass;
        let mut x = [0.0_f64; STATES];
        x[0] = 1.5;
        let interval = LoadInterval { normal: [0.0, 0.25], load: [0.144, 0.2], duration, tolerance };
        let mut solver = Radau::default();
        let (_, inner_steps) = body.integrate(&mut x, &mut (), &interval, &mut solver).unwrap();
        assert!(inner_steps < 3000, "alpha = {alpha}: {inner_steps} inner steps");
        let v = 1.5 + (0.5 * (0.144 + 0.2) - 1.66 * 0.125) * duration / mass;
        // The bristle lags behind F_N by the share b of saturation: σ_0 v |b|^α = μ_d dF_N/dt.
        let lag = libm::pow(1.66 * 0.25 / duration / (6.67e5 * v), 1.0 / alpha);
        let most = (tolerance + lag) * 1.66 * 0.25 * duration / mass;
        assert!((x[0] - v).abs() < most, "alpha = {alpha}: {} for {v}", x[0]);
    }
}

/// A saturated bristle of Dahl's law has a constant force, under which a linear load gives a parabola of v.
#[test]
fn body_under_a_constant_friction_force_has_the_motion_of_a_linear_load() {
    let model = find("Dahl").unwrap();
    let element = model.instantiate();
    let parameter = |name: &str| {
        let variable = model.variables().find(|variable| variable.name == name).expect("a parameter");
        element.values()[variable]
    };
    let (normal, duration, v) = (10.0, 0.02, 0.5);
    let friction = parameter("mu_d") * normal;
    let z = friction / parameter("sigma_0");
    // Under the last mass friction changes the motion by less than it may be off.
    for (mass, is_decoupled) in [(0.3, false), (20.0, false), (1e13, true)] {
        for (load, side) in [([4.0, 9.0], 1.0), ([9.0, 4.0], -1.0)] {
            let body: Body<_, 1> = Body { law: Dahl::new(element.values()).unwrap(), mass };
            // Forces that move the heavy body as well.
            let scale = if is_decoupled { mass } else { 1.0 };
            let load = load.map(|load| side * scale * load);
            let interval = LoadInterval { normal: [normal; 2], load, duration, tolerance: 1e-6 };
            let mut x = [0.0; STATES];
            (x[0], x[2]) = (side * v, side * z);
            let mut decoupled = x;
            let found = body.advance_decoupled(&mut decoupled, &mut (), &interval, &mut Radau::default()).unwrap();
            assert_eq!(found.is_some(), is_decoupled, "{mass} kg");
            let BodyMotion { mean, loss, .. } =
                body.advance(&mut x, &mut (), &interval, &mut Radau::default()).unwrap();
            let [first, last] = load.map(|load| load - side * friction);
            let travel = side * v * duration + (first / 3.0 + last / 6.0) * duration * duration / mass;
            let expected = [
                (x[0], side * v + 0.5 * (first + last) * duration / mass, v),
                (x[1], travel, v * duration),
                (x[2], side * z, z),
                (loss, side * friction * travel, friction * v * duration),
                // The mean of the force is the difference of two loads that are far larger where the body is heavy.
                (mean, side * friction, friction),
            ];
            for (i, (found, expected, size)) in expected.into_iter().enumerate() {
                assert!((found - expected).abs() < 1e-6 * size, "{mass} kg, {side}, {i}: {found}, not {expected}");
            }
        }
    }
}

/// The rate of LuGre and Dahl has a kink at v = 0, which an inner step ends at, with LuGre from its Stribeck velocity on.
#[test]
fn body_that_reverses_ends_an_inner_step_at_rest() {
    fn inner_steps<L: Law<1, DiscreteState = ()> + Copy>(name: &str, law: L, bound: u32) {
        let mut random = random(11);
        let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
        let (mut sum, mut cases) = (0, 0);
        for _ in 0..300 {
            let body: Body<_, 1> = Body { law, mass: 1.0 };
            let normal = libm::exp10(between(-0.3, 1.5));
            // It comes to rest at a random share of the interval, where friction does not hold it.
            let (duration, share) = (1e-3, between(0.05, 0.95));
            let load = -normal * between(1.5, 20.0) - between(0.0, 60.0);
            let v = -load * share * duration;
            let interval = LoadInterval { normal: [normal; 2], load: [load; 2], duration, tolerance: 1e-3 };
            let start = {
                let mut x = [0.0; STATES];
                (x[0], x[2]) = (v, law.static_force(normal) / law.stiffness());
                x
            };
            let (mut x, mut exact) = (start, start);
            let (_, steps) = body.integrate(&mut x, &mut (), &interval, &mut Radau::default()).unwrap();
            let tight = LoadInterval { tolerance: 1e-8, ..interval };
            body.integrate(&mut exact, &mut (), &tight, &mut Radau::default()).unwrap();
            let mean_error = body.mass * (x[0] - exact[0]).abs() / duration / law.static_force(normal);
            assert!(mean_error < 1e-4, "{name}: mean force off by {mean_error:e} at {interval:?} from {v} m/s");
            sum += steps;
            cases += 1;
        }
        assert!(sum <= bound * cases, "{name}: {} inner steps", f64::from(sum) / f64::from(cases));
    }
    let values = |name: &str| find(name).unwrap().instantiate();
    inner_steps("LuGre", LuGre::new(values("LuGre").values()).unwrap(), 55);
    inner_steps("Dahl", Dahl::new(values("Dahl").values()).unwrap(), 16);
}

#[test]
fn contact_that_opens_under_a_body_takes_about_one_inner_step_for_each_halving_of_its_normal_force() {
    let law = LuGre::new(find("LuGre").unwrap().instantiate().values()).unwrap();
    let body = Body { law, mass: 1.0 };
    for (left, bound) in [(1e-3, 36), (1e-6, 44), (1e-9, 48), (1e-12, 48)] {
        let interval = LoadInterval { normal: [15.6, 15.6 * left], load: [-2.67; 2], duration: 1e-3, tolerance: 1e-4 };
        let mut x = [0.0, 0.0, -2.67 / 5e6, 0.0, 0.0, 0.0, 0.0, 0.0];
        let motion = body.advance(&mut x, &mut (), &interval, &mut Radau::default()).unwrap();
        assert!(motion.inner_steps <= bound, "F_N to {left} of its start: {} inner steps", motion.inner_steps);
    }
}

/// A contact whose F_N falls by decades leaves the deflection far beyond its limit, to which it returns within a small part of the interval.
#[test]
fn deflection_far_beyond_its_limit_takes_few_inner_steps_to_return() {
    let law = LuGre::new(find("LuGre").unwrap().instantiate().values()).unwrap();
    let body = Body { law, mass: 1.0 };
    for (excess, bound) in [(1e3, 34), (1e6, 38), (1e9, 41)] {
        let normal = 1e-6;
        let interval =
            LoadInterval { normal: [normal, 1.1 * normal], load: [0.0, 1e-6], duration: 1e-3, tolerance: 1e-4 };
        let mut x = [1e-5, 0.0, excess * 0.6 * normal / 5e6, 0.0, 0.0, 0.0, 0.0, 0.0];
        let motion = body.advance(&mut x, &mut (), &interval, &mut Radau::default()).unwrap();
        assert!(motion.inner_steps <= bound, "{excess} times the limit: {} inner steps", motion.inner_steps);
    }
}

/// One step of implicit Euler: the force that brings the body to rest, or F_s.
#[test]
fn motion_that_is_not_resolved_is_one_step_with_a_force_up_to_the_static_friction_force() {
    let element = find("LuGre").unwrap().instantiate();
    let body: Body<_, 1> = Body { law: LuGre::new(element.values()).unwrap(), mass: 2.0 };
    let (normal, duration) = ([10.0, 40.0], 0.1);
    let largest = body.law.static_force(40.0);
    // At rest within the interval by −(mean load) − m v/h, or braked and driven by F_s.
    for (v, load, expected) in [
        (0.3, [2.0, 4.0], 3.0 + 2.0 * 0.3 / 0.1),
        (-0.3, [2.0, 4.0], 3.0 - 2.0 * 0.3 / 0.1),
        (9.0, [2.0, 4.0], largest),
        (-9.0, [2.0, 4.0], -largest),
        (0.0, [-90.0, -10.0], -largest),
    ] {
        let interval = LoadInterval { normal, load, duration, tolerance: 1e-6 };
        let mut x = [0.0; STATES];
        (x[0], x[1], x[2]) = (v, 7.0, 1e-6);
        let BodyMotion { mean, loss, inner_steps } = body.one_step(&mut x, &mut (), &interval);
        let end = v + (0.5 * (load[0] + load[1]) - expected) * duration / body.mass;
        let travel = 0.5 * (v + end) * duration;
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-13 * (1.0 + expected.abs());
        assert!(close(mean, expected) && close(x[0], end) && close(x[1], travel), "{v}, {load:?}: {mean}, {x:?}");
        assert!(close(loss, expected * travel) && (x[2], inner_steps) == (1e-6, 0), "{v}, {load:?}: {loss}, {x:?}");
    }
    // A contact that is open at the start forgets its deflection.
    let closing = LoadInterval { normal: [0.0, 40.0], load: [0.0; 2], duration, tolerance: 1e-6 };
    let mut x = [0.0; STATES];
    x[2] = 1e-6;
    body.one_step(&mut x, &mut (), &closing);
    assert_eq!(x[2], 0.0);
}

#[test]
fn motion_within_the_static_friction_force_is_kept_whatever_its_error() {
    let element = find("LuGre").unwrap().instantiate();
    let body: Body<_, 1> = Body { law: LuGre::new(element.values()).unwrap(), mass: 1.0 };
    let mut random = random(3);
    let mut counts = [0; 2];
    for _ in 0..2000 {
        let duration = 1e-3;
        let normal = [0; 2].map(|_| 30.0 * (1.0 + random()));
        let load = [0; 2].map(|_| 60.0 * random());
        let interval = LoadInterval { normal, load, duration, tolerance: 1e-3 };
        let v = 2.0 * random();
        let mut x = [0.0; STATES];
        (x[0], x[2]) = (v, 2e-6 * random());
        let (mut coarse, z) = (x, x[2]);
        let mut solver = Radau { limit: StepLimit::new(3), ..Radau::default() };
        let motion = body.advance(&mut coarse, &mut (), &interval, &mut solver).expect("a motion");
        let by_momentum = 0.5 * (load[0] + load[1]) - (coarse[0] - v) / duration;
        assert!((motion.mean - by_momentum).abs() < 1e-9, "{interval:?}: {} and {by_momentum}", motion.mean);
        let largest = body.law.static_force(normal[0].max(normal[1]));
        if solver.limit.error() >= UNRESOLVED {
            assert!(motion.mean.abs() <= largest * (1.0 + 1e-12), "{interval:?} from {v}, {z}: {} N", motion.mean);
            counts[usize::from(coarse[2] == z)] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 10), "{counts:?} motions were kept and replaced");
}
