//! Properties of polynomials, linear systems, trajectories, histories and measured curves.

use super::check;
use crate::characteristic::Measured;
use crate::domain::OPEN_FORCE;
use crate::integrate::linear::{Lu, solve_dense};
use crate::integrate::polynomial::{Polynomial, TERMS};
use crate::law::{Contact, History, InputTrajectory};
use proptest::prelude::*;

/// Number whose magnitude spans decades, of either sign.
fn decades() -> impl Strategy<Value = f64> {
    (-1.0..1.0_f64, -6.0..3.0_f64).prop_map(|(part, decade)| part * libm::exp10(decade))
}

#[test]
fn first_change_of_a_polynomial_has_no_change_before_it_and_one_at_it() {
    let roots = prop::collection::vec(-0.5..1.5_f64, 0..TERMS);
    check(4000, (roots, any::<bool>()), |(roots, is_positive)| {
        let sign = if is_positive { 1.0 } else { -1.0 };
        let product = |p: Polynomial, root: &f64| p * Polynomial([-root, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let polynomial = roots.iter().fold(Polynomial::constant(sign), product);
        let found = polynomial.first_change();
        // Roots of odd multiplicity within the interval change the sign; rounding may part or join
        // roots closer than 1e-3.
        let mut inside: Vec<f64> = roots.iter().copied().filter(|root| *root > 0.0).collect();
        inside.sort_by(f64::total_cmp);
        let is_near = |pair: &[f64]| pair[1] - pair[0] < 1e-3;
        let at_border = |root: &f64| root.abs() < 1e-9 || (root - 1.0).abs() < 1e-9;
        prop_assume!(!inside.windows(2).any(is_near) && !roots.iter().any(at_border));
        match (found, inside.first().filter(|root| **root <= 1.0)) {
            (Some(found), Some(first)) => {
                prop_assert!(
                    (found - first).abs() < 1e-9,
                    "{} in place of {}",
                    found,
                    first
                );
                prop_assert!((polynomial.at(found) < 0.0) != (polynomial.at(0.0) < 0.0));
            }
            (found, first) => prop_assert_eq!(found, first.copied()),
        }
        Ok(())
    });
}

#[test]
fn eliminations_solve_their_equations() {
    let matrix = prop::collection::vec(decades(), 36);
    check(
        2000,
        (matrix, prop::collection::vec(decades(), 6)),
        |(a, b)| {
            let rows: [[f64; 6]; 6] =
                core::array::from_fn(|i| core::array::from_fn(|j| a[6 * i + j]));
            let right: [f64; 6] = core::array::from_fn(|i| b[i]);
            let x = Lu::new(rows).solve(right);
            let (mut dense, mut y) = (a.clone(), b.clone());
            solve_dense(&mut dense, &mut y);
            for solution in [&x[..], &y[..]] {
                prop_assume!(solution.iter().all(|value| value.is_finite()));
                let most = a.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
                let size = solution
                    .iter()
                    .fold(0.0_f64, |most, value| most.max(value.abs()));
                for (row, right) in rows.iter().zip(right) {
                    let rest = row
                        .iter()
                        .zip(solution)
                        .fold(right, |rest, (a, x)| rest - a * x);
                    // The growth of row pivoting on six rows is 2⁵ at most.
                    prop_assert!(
                        rest.abs() <= 1e-13 * most * size + 1e-15 * right.abs(),
                        "residual {}",
                        rest
                    );
                }
            }
            Ok(())
        },
    );
}

#[test]
fn inputs_are_monotonic_and_of_one_sign_between_breakpoints() {
    let orders = || [decades(), decades(), decades(), decades()];
    check(
        2000,
        (orders(), orders(), 1e-4..2.0_f64),
        |(normal, v, duration)| {
            let [start, derivatives @ ..] =
                core::array::from_fn::<_, 4, _>(|i| Contact::new(normal[i], v[i]));
            let trajectory = InputTrajectory {
                start,
                derivatives: Some(&derivatives),
                delay: None,
            };
            let (mut from, mut count) = (0.0, 0);
            for to in trajectory.breakpoints(duration) {
                prop_assert!(to >= from && to <= duration);
                // A breakpoint lies within 1e-15 of the step of its place: samples keep away from
                // it.
                let margin = 1e-6 * (to - from) + 4e-15 * duration;
                let inside = to - from - 2.0 * margin;
                let at = |part: f64| trajectory.at(from + margin + part * inside);
                if inside <= 0.0 {
                    (from, count) = (to, count + 1);
                    continue;
                }
                for value in [|c: Contact| c.F_N - OPEN_FORCE, |c: Contact| c.v] {
                    let samples: [f64; 9] = core::array::from_fn(|i| value(at(i as f64 / 8.0)));
                    let most = samples
                        .iter()
                        .fold(0.0_f64, |most, sample| most.max(sample.abs()));
                    let noise = 1e-13 * (most + value(start).abs());
                    let is_of_one_sign =
                        !samples.iter().any(|x| *x > noise) || !samples.iter().any(|x| *x < -noise);
                    prop_assert!(is_of_one_sign, "{:?} from {} to {}", samples, from, to);
                    let rises = samples.windows(2).any(|pair| pair[1] > pair[0] + noise);
                    let falls = samples.windows(2).any(|pair| pair[1] < pair[0] - noise);
                    prop_assert!(!(rises && falls), "{:?} from {} to {}", samples, from, to);
                }
                (from, count) = (to, count + 1);
            }
            prop_assert!(from == duration && count <= 21);
            Ok(())
        },
    );
}

#[test]
fn delayed_velocity_is_that_of_all_samples_where_they_are_wide_apart() {
    let samples = prop::collection::vec((0.01..0.3_f64, decades()), 1..400);
    check(1000, (samples, 0.0..1.0_f64), |(samples, part)| {
        let (mut history, mut all, mut time) = (History::default(), Vec::new(), 0.0);
        // Steps above a 124th of the delay are kept.
        let delay = 1.0;
        for (step, v) in samples {
            time += step;
            history.add(time, v, delay);
            all.push([time, v]);
        }
        let present = [time + 0.05, 1.0];
        let past = time - delay * part;
        let mut known = all
            .iter()
            .chain([&present])
            .copied()
            .collect::<Vec<[f64; 2]>>();
        known.insert(0, [known[0][0] - 10.0, known[0][1]]);
        let pair = known
            .windows(2)
            .find(|pair| pair[0][0] <= past && past <= pair[1][0])
            .expect("a time of the record");
        let expected = pair[0][1]
            + (pair[1][1] - pair[0][1]) * (past - pair[0][0]) / (pair[1][0] - pair[0][0]);
        let found = history.at(past, present).v;
        let size = pair[0][1].abs() + pair[1][1].abs();
        prop_assert!(
            (found - expected).abs() <= 1e-11 * size,
            "{} in place of {}",
            found,
            expected
        );
        Ok(())
    });
}

#[test]
fn measured_curve_is_monotonic_between_neighbours() {
    let points = prop::collection::vec((1e-5..0.1_f64, 0.01..1.5_f64), 2..40);
    check(1000, points, |rows| {
        let mut speed = 0.0;
        let points: Vec<[f64; 2]> = rows
            .iter()
            .map(|(step, mu)| {
                speed += step;
                [speed, *mu]
            })
            .collect();
        let curve = Measured::new(&points, Default::default()).expect("a curve");
        for pair in points.windows(2) {
            let [[v, mu], [v_next, mu_next]] = [pair[0], pair[1]];
            let direction = (mu_next - mu).signum();
            let mut last = mu;
            for part in 1..=20 {
                let (found, slope) =
                    curve.at(v + (v_next - v) * f64::from(part) / 20.0 * (1.0 - 1e-12));
                prop_assert!(
                    direction * (found - last) >= -1e-14,
                    "{} after {}",
                    found,
                    last
                );
                prop_assert!(direction * slope >= -1e-9 / (v_next - v));
                last = found;
            }
            prop_assert!((last - mu_next).abs() < 1e-9);
        }
        Ok(())
    });
}
