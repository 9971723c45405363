//! Data of the figures of `docs/internals/numerics.md`, one file each in `target/made`. `cargo xtask figures numerics` runs it and draws them.
//!
//! A line of a file is a point: panel, curve, x, y.

use super::constants::{REGULARISED_TIME_BELOW, SERIES_SHARE, STICK_SHARE};
use super::dimensionless::tests::{LAWS, rk4_stick, shift};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult, Zone};
use super::inputs::InputPolynomials;
use super::measurements;
use super::moving_terms::MovingTerms;
use super::segment::{SegmentTolerances, integrate_segment};
use super::slow_stick::Attempts;
use super::stick_tail::stick_tail;
use super::stick_transient::stick_transient;
use super::taylor_series::{ShiftBranch, TaylorSeries};
use super::taylor_step::{TaylorStep, taylor_step};
use super::test_cases::{F_S, G, equations};
use crate::law::Contact;
use std::fmt::Write;
use std::path::Path;

/// Points of curves, as text.
#[derive(Default)]
struct Table(String);

impl Table {
    fn point(&mut self, panel: &str, curve: &str, [x, y]: [f64; 2]) {
        writeln!(self.0, "{panel}\t{curve}\t{x:.7e}\t{y:.7e}").expect("text takes everything");
    }

    fn save(&self, name: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/made");
        std::fs::create_dir_all(&folder).expect("a folder for results");
        std::fs::write(folder.join(name), &self.0).expect("a file of results");
    }
}

/// The paper's bristle at 9.81 N.
fn law() -> DimensionlessLaw {
    DimensionlessLaw::new(&equations(), Contact::new(G, 0.0), 1.0 / F_S, G)
}

/// Largest tolerances of the default tolerance.
const TOLERANCES: SegmentTolerances = SegmentTolerances { series: SERIES_SHARE * 1e-6, stick: STICK_SHARE * 1e-6 };

#[test]
#[ignore = "data of a figure: cargo xtask figures numerics"]
fn zones_and_trajectories() {
    let (law, mut table) = (law(), Table::default());
    for panel in ["wide", "stick"] {
        for (name, w) in [("w = 0", 0.0), ("|w| = 1", 1.0), ("|w| = 1", -1.0), ("|w| = v_d/v_s", 10.0)] {
            // Curves of one name are one pen; a side of its own is a curve of its own.
            let curve = format!("{name}/{w}");
            for i in -150..=150 {
                let r = f64::from(i) / 100.0;
                table.point(panel, &curve, [r, w - shift(r.clamp(-1.0, 1.0))]);
            }
        }
        for (i, r) in [-1.0, 1.0].into_iter().enumerate() {
            for e in [-20.0, 20.0] {
                table.point(panel, &format!("|r| = 1/{i}"), [r, e]);
            }
        }
    }
    let starts = [
        ("wide", 12.0, [-0.9, 11.0], 1.2e-3),
        ("wide", 4.0, [0.0, 4.0], 1.5e-3),
        ("wide", -0.5, [1.3, 6.0], 1e-3),
        ("wide", 0.0, [-1.3, 2.0], 1e-3),
        ("stick", 0.0, [0.2, 0.7], 1e-3),
        ("stick", 0.0, [0.9, -0.6], 1e-3),
        ("stick", 0.0, [-0.7, 1.0], 1e-3),
        ("stick", 0.6, [0.3, -0.2], 2e-3),
    ];
    for (number, (panel, nu, start, duration)) in starts.into_iter().enumerate() {
        let inputs = InputPolynomials::held(nu);
        // The steps that are taken, and the trajectory by many short segments.
        let (mut place, mut t) = (start, 0.0);
        let mut step = 0;
        while t < duration && step < 60 {
            let here = PhasePoint::new(place[0], place[1]);
            let side = if here.w() < 0.0 { -1.0 } else { 1.0 };
            let mirrored = here.mirrored(side);
            let zone = law.zone(mirrored.w());
            let (rest, ahead) = (duration - t, inputs.mirrored(side));
            let stick = || {
                let tail = stick_tail(&law, ahead.nu[0], mirrored, rest, TOLERANCES.stick);
                tail.or_else(|| stick_transient(&law, ahead.nu[0], mirrored, rest, TOLERANCES.stick))
            };
            let in_stick = if zone == Zone::Parabola { stick() } else { None };
            let series = || taylor_step(&law, ahead, zone, mirrored, rest, TOLERANCES.series);
            let Some(StepResult { h, dr, e, .. }) = in_stick.or_else(series) else { break };
            (place, t, step) = ([place[0] + side * dr, side * e], t + h, step + 1);
            let size = if panel == "wide" { 0.3 } else { 0.05 };
            for y in [-size, size] {
                table.point(panel, &format!("ends of inner steps/{number}.{step}"), [place[0], place[1] + y]);
            }
        }
        let mut place = start;
        for i in 0..=600 {
            table.point(panel, &format!("trajectories/{number}"), place);
            let h = duration / 600.0;
            let mut t = 0.0;
            while t < h {
                let segment =
                    integrate_segment(&law, inputs, place, [t, h], TOLERANCES, u32::MAX, &mut Attempts::new());
                if segment.steps == 0 {
                    break;
                }
                (place, t) = ([place[0] + segment.dr, segment.e], segment.t);
            }
            assert!(i == 600 || t >= h, "{number}");
        }
    }
    table.save("numerics_zones.tsv");
}

#[test]
#[ignore = "data of a figure: cargo xtask figures numerics"]
fn step_lengths_in_time_and_in_regularised_time() {
    let (law, mut table) = (law(), Table::default());
    // Towards |r| = 1: in stick by a drift, and on the cubic.
    for (panel, nu, e, tolerance) in [("stick", 0.8, 0.01, TOLERANCES.stick), ("cubic", 8.0, 3.0, TOLERANCES.series)] {
        for i in 0..=120 {
            let s = libm::exp10(-2.5 + 2.5 * f64::from(i) / 120.0) * 0.99;
            let start = PhasePoint::new(1.0 - s * s, e);
            let zone = if start.w() <= 1.0 { Zone::Parabola } else { Zone::Cubic };
            if (zone == Zone::Parabola) != (panel == "stick") {
                continue;
            }
            // r rises at the rate κ (ν − e) next to the corner.
            table.point(panel, "time to |r| = 1", [s, s * s / (law.kappa * (nu - e))]);
            for branch in [ShiftBranch::Time, ShiftBranch::RegularisedTime] {
                let inputs = InputPolynomials::held(nu);
                let mut step = TaylorStep { series: TaylorSeries::at(&law, inputs, zone, start) };
                step.series.branch = branch;
                // Longer than it converges: the length follows from the last terms.
                let (converged, _) = step.expand(&mut MovingTerms::new(), &law, inputs, 1.0, tolerance);
                let h = step.converging_length(&law, 1.0, tolerance, 0.0, |_| 0.0);
                assert!(!converged);
                let in_tau = branch == ShiftBranch::RegularisedTime;
                let time = if in_tau {
                    // Up to s = 0 at most.
                    let (steps, mut t) = (1000, 0.0);
                    for j in 0..steps {
                        let tau = h * (f64::from(j) + 0.5) / f64::from(steps);
                        let s = super::series::value(&step.series.s, step.series.order, tau);
                        if s <= 0.0 {
                            break;
                        }
                        t += s * h / f64::from(steps);
                    }
                    t
                } else {
                    h
                };
                table.point(panel, if in_tau { "in τ" } else { "in t" }, [s, time]);
            }
        }
        for y in [1e-9, 1e-3] {
            table.point(panel, "s = 0.3", [REGULARISED_TIME_BELOW, y]);
        }
    }
    table.save("numerics_regularised_time.tsv");
}

#[test]
#[ignore = "data of a figure: cargo xtask figures numerics"]
fn errors_of_stick_over_their_tolerance() {
    let mut table = Table::default();
    for exponent in 4..=11 {
        let tolerance = libm::exp10(-f64::from(exponent));
        let mut worst = [0.0_f64; 3];
        for (law, nu) in LAWS.into_iter().flat_map(|law| [0.0, -0.01, 0.05, 0.3].map(|nu| (law, nu))) {
            for r in [0.03, 0.2, 0.4, 0.6, 0.9, 0.99] {
                for e in [1e-5, 1e-4, -1e-3, 3e-3, -0.01, 0.03, -0.1, 0.1, 0.3] {
                    let start = PhasePoint::new(r, e);
                    if start.w() < 0.0 || start.w() > 1.0 {
                        continue;
                    }
                    let rest = 15.0 / (law.alpha + 2.0 * law.b * start.s);
                    let results = [
                        stick_transient(&law, nu, start, rest, tolerance),
                        stick_tail(&law, nu, start, rest, tolerance),
                        taylor_step(&law, InputPolynomials::held(nu), Zone::Parabola, start, rest, tolerance),
                    ];
                    for (worst, result) in worst.iter_mut().zip(results) {
                        if let Some(StepResult { h, dr, e: e_end, .. }) = result {
                            let [r_exact, e_exact, _] = rk4_stick(&law, nu, [r, e], h);
                            let errors = [dr - (r_exact - r), law.weight * (e_end - e_exact)];
                            *worst = errors.iter().fold(*worst, |most, error| most.max(error.abs()));
                        }
                    }
                }
            }
        }
        for (name, worst) in ["collocation", "closed tail", "Taylor series"].into_iter().zip(worst) {
            table.point("errors", name, [tolerance, worst.max(1e-15)]);
        }
        table.point("errors", "error = tolerance", [tolerance, tolerance]);
    }
    table.save("numerics_stick.tsv");
}

#[test]
#[ignore = "data of a figure: cargo xtask figures numerics"]
fn errors_of_communication_steps_over_their_tolerance() {
    let mut table = Table::default();
    for exponent in 3..=9 {
        let tolerance = libm::exp10(-f64::from(exponent));
        for kind in measurements::KINDS {
            let measured = measurements::measure(kind, 2000, tolerance);
            table.point("worst", kind, [tolerance, tolerance * measured.worst().max(1e-9)]);
            table.point("typical", kind, [tolerance, tolerance * measured.quantile(0.99).max(1e-9)]);
        }
        for panel in ["worst", "typical"] {
            table.point(panel, "error = tolerance", [tolerance, tolerance]);
        }
    }
    table.save("numerics_errors.tsv");
}
