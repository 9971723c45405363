//! Comparison of the exit from a zone with dense sampling, for random series and for the series of random steps.

use super::super::constants::{BORDER_WINDOW_SHARE, MAX_ORDER};
use super::super::dimensionless::{DimensionlessLaw, tests::LAWS};
use super::super::inputs::InputPolynomials;
use super::super::moving_terms::MovingTerms;
use super::super::series::{Series, ZERO, value};
use super::super::taylor_series::TaylorSeries;
use super::super::taylor_step::{TaylorStep, taylor_step};
use super::super::test_cases::random;
use super::*;
use crate::integrate::runge_kutta::runge_kutta;
use crate::properties::check;
use proptest::prelude::*;

const SAMPLES: usize = 1000;

/// Distance to the nearest border and the window of that border, by the definition of the zone.
fn distance(branch: ShiftBranch, sign: f64, [low, high]: [f64; 2], e: f64, moved: f64, window: f64) -> f64 {
    let s = match branch {
        ShiftBranch::Saturated => 0.0,
        ShiftBranch::Time => (1.0 - moved.abs()).max(0.0).sqrt(),
        ShiftBranch::RegularisedTime => moved,
    };
    let w = e + sign * (1.0 - s);
    let mut distances = vec![w - low + window, high - w + window];
    match branch {
        ShiftBranch::Saturated => distances.push(sign * moved - 1.0 + CORNER_WINDOW),
        ShiftBranch::Time => distances.extend([sign * moved + window, MAX_R_IN_TIME - sign * moved + window]),
        ShiftBranch::RegularisedTime => distances.extend([moved + CORNER_WINDOW, 1.0 - moved + window]),
    }
    distances.into_iter().fold(f64::INFINITY, f64::min)
}

/// First place of dense sampling beyond the window, as a share of `h`.
fn first_beyond(exit: &ZoneExit, e: &Series, moved: &Series, h: f64) -> Option<f64> {
    (0..=SAMPLES).map(|i| i as f64 / SAMPLES as f64).find(|part| {
        let [e, moved] = [e, moved].map(|c| value(c, MAX_ORDER, part * h));
        distance(exit.branch, exit.sign, exit.range, e, moved, exit.window) < -1e-12
    })
}

/// (r, e) at the end of a step under a moving ν, by many steps of the classic Runge–Kutta method on the law as it is.
fn integrated(law: &DimensionlessLaw, nu: [f64; 4], start: PhasePoint, h: f64) -> [f64; 2] {
    const STEPS: u32 = 20_000;
    let rate = |t: f64, [r, e]: [f64; 2]| {
        let w = PhasePoint::new(r, e).w();
        let size = w.abs();
        let x = ((size - 1.0) * law.inverse_width).clamp(0.0, 1.0);
        let f = if size <= 1.0 { size * (2.0 - size) } else { 1.0 - law.drop * x * x * (3.0 - 2.0 * x) };
        let [value, slope] = [nu[0] + nu[1] * t, nu[1]];
        [law.kappa * (value - e) + law.lag * slope, slope - law.alpha * e - law.b * (f.copysign(w) - r)]
    };
    runge_kutta(rate, [start.r, start.e], [0.0, h], STEPS)
}

#[test]
fn random_cubics_stay_within_the_window_up_to_the_exit() {
    let mut random = random(11);
    let (mut left, mut stayed) = (0, 0);
    for i in 0..8000 {
        let branch = [ShiftBranch::Saturated, ShiftBranch::Time, ShiftBranch::RegularisedTime][i % 3];
        let sign = if random() < 0.0 { -1.0 } else { 1.0 };
        let range = [[0.0, 1.0], [1.0, 10.0]][i / 3 % 2];
        let window = libm::exp10(-5.5 + 1.5 * random());
        let (mut e, mut moved) = (ZERO, ZERO);
        moved[0] = match branch {
            ShiftBranch::Saturated => sign * (1.0 + 0.3 * (1.0 + random())),
            ShiftBranch::Time => sign * 0.5 * MAX_R_IN_TIME * (1.0 + random()),
            ShiftBranch::RegularisedTime => 0.5 * (1.0 + random()),
        };
        let s = match branch {
            ShiftBranch::Saturated => 0.0,
            ShiftBranch::Time => (1.0 - moved[0].abs()).sqrt(),
            ShiftBranch::RegularisedTime => moved[0],
        };
        let w = range[0] + (range[1] - range[0]) * 0.5 * (1.0 + random());
        e[0] = w - sign * (1.0 - s);
        for k in 1..=3 {
            (e[k], moved[k]) = (random() * libm::exp10(random()), 0.3 * random());
        }
        let exit = ZoneExit { series: Pair::new(&e, &moved, MAX_ORDER), branch, sign, range, window };
        let length = exit.length(1.0);
        assert!((0.0..=1.0).contains(&length));
        match first_beyond(&exit, &e, &moved, 1.0) {
            Some(beyond) => {
                left += 1;
                assert!(length <= beyond, "case {i}: {length} goes beyond {beyond}");
                let [here] = exit.samples([length]);
                // At the border, or before a double crossing.
                let is_at_border = here.has_reached();
                let is_before_dip = length < beyond && beyond - length <= 3.0 / (EXIT_PARTS * EXIT_FINE_PARTS) as f64;
                assert!(is_at_border || is_before_dip, "case {i}: ends at {length}, beyond at {beyond}");
            }
            None => {
                stayed += 1;
                let [here] = exit.samples([length]);
                assert!(length == 1.0 || here.has_reached() || length > 0.0, "case {i}: {length}");
            }
        }
    }
    assert!(left > 1000 && stayed > 500, "{left}, {stayed}");
}

#[test]
fn random_steps_stay_within_the_window_of_their_zone_or_do_not_depend_on_it() {
    let mut random = random(3);
    let (mut exits, mut passed, tolerance) = (0, 0, 1e-7);
    for i in 0..10_000 {
        let law = LAWS[i % 3];
        let law = DimensionlessLaw { lag: 4.0 * law.kappa / law.alpha, ..law };
        let (r, nu) = (1.3 * random(), 3.0 * random() * random().abs());
        let reach = [0.01, 1.0, 12.0][i / 3 % 3];
        let start = PhasePoint::new(r, reach * random());
        let start = start.mirrored(if start.w() < 0.0 { -1.0 } else { 1.0 });
        let zone = law.zone(start.w());
        let velocity = [nu, law.kappa * random(), 0.0, 0.0];
        let inputs = InputPolynomials::moving_velocity(velocity);
        let rest = 10.0 * libm::exp10(random()) / (law.alpha + law.b);
        let Some(result) = taylor_step(&law, inputs, zone, start, rest, tolerance) else { continue };
        let mut step = TaylorStep { series: TaylorSeries::at(&law, inputs, zone, start) };
        let (converged, _) = step.expand(&mut MovingTerms::new(), &law, inputs, result.h, 0.0);
        assert!(!converged || result.h > 0.0);
        if step.series.branch == ShiftBranch::RegularisedTime {
            continue;
        }
        exits += u32::from(result.h < rest);
        let TaylorSeries { ref e, ref r, branch, sign, .. } = step.series;
        let window = BORDER_WINDOW_SHARE * tolerance.sqrt();
        let range = step.series.range(&law);
        let exit = ZoneExit { series: Pair::new(e, r, MAX_ORDER), branch, sign, range, window };
        let beyond = first_beyond(&exit, e, r, result.h * (1.0 - 1e-12));
        if beyond.is_some() {
            // Converged series of r and e that hardly depend on s: passing the border must not change the result.
            passed += 1;
            let [r_end, e_end] = integrated(&law, velocity, start, result.h);
            let errors = [result.dr - (r_end - start.r), law.weight * (result.e - e_end)];
            assert!(errors.iter().all(|error| error.abs() <= tolerance), "case {i}: {errors:?} of {result:?}");
        }
    }
    assert!(passed <= 10, "{passed}");
    assert!(exits > 2000, "{exits}");
}

#[test]
fn exit_lies_before_the_first_place_beyond_the_window() {
    let coefficient = || -3.0..3.0_f64;
    let series = [coefficient(), coefficient(), coefficient(), coefficient()];
    check(
        2000,
        (series, 0..3_usize, 0..2_usize, any::<bool>(), 0.0..1.0_f64),
        |(c, branch, range, is_positive, part)| {
            let branch = [ShiftBranch::Saturated, ShiftBranch::Time, ShiftBranch::RegularisedTime][branch];
            let sign = if is_positive { 1.0 } else { -1.0 };
            let range = [[0.0, 1.0], [1.0, 10.0]][range];
            let (mut e, mut moved) = (ZERO, ZERO);
            moved[0] = match branch {
                ShiftBranch::Saturated => sign * (1.0 + 0.6 * part),
                ShiftBranch::Time => sign * MAX_R_IN_TIME * part,
                ShiftBranch::RegularisedTime => part,
            };
            let s = match branch {
                ShiftBranch::Saturated => 0.0,
                ShiftBranch::Time => (1.0 - moved[0].abs()).sqrt(),
                ShiftBranch::RegularisedTime => moved[0],
            };
            e[0] = range[0] + (range[1] - range[0]) * part - sign * (1.0 - s);
            (e[1], e[2], moved[1], moved[2]) = (c[0], c[1], 0.1 * c[2], 0.1 * c[3]);
            let exit = ZoneExit { series: Pair::new(&e, &moved, MAX_ORDER), branch, sign, range, window: 1e-5 };
            let length = exit.length(1.0);
            prop_assert!((0.0..=1.0).contains(&length));
            if let Some(beyond) = first_beyond(&exit, &e, &moved, 1.0) {
                prop_assert!(length <= beyond, "{} goes beyond {}", length, beyond);
            }
            Ok(())
        },
    );
}

#[test]
fn dip_beyond_the_border_between_two_fine_samples_ends_the_step_before_it() {
    const PARTS: usize = EXIT_PARTS * EXIT_FINE_PARTS;
    let (fine, window) = (1.0 / PARTS as f64, 1e-6);
    let places = (1..PARTS - 1).flat_map(|part| [(part, 0.2), (part, 0.45), (part - 1, 0.7)]);
    for (part, share) in places {
        // w = 1 + (t − t_0)² − depth, in the zone from 1 on.
        let t_0 = (part as f64 + share) * fine;
        let ends_at = |depth: f64| {
            let (mut e, mut moved) = (ZERO, ZERO);
            (e[0], e[1], e[2], moved[0]) = (t_0 * t_0 - depth, -2.0 * t_0, 1.0, 1.5);
            let (branch, range) = (ShiftBranch::Saturated, [1.0, 10.0]);
            let exit = ZoneExit { series: Pair::new(&e, &moved, MAX_ORDER), branch, sign: 1.0, range, window };
            exit.length(1.0)
        };
        let depth: f64 = 1e-5;
        let beyond = t_0 - (depth - window).sqrt();
        let length = ends_at(depth);
        assert!(length <= beyond && beyond - length <= 3.0 * fine, "{part} and {share}: {length} for {beyond}");
        // A dip within the window, and one that does not reach the border.
        assert_eq!([0.3 * window, -0.3 * window].map(ends_at), [1.0; 2], "{part} and {share}");
    }
}
