//! Curves as test rigs give them.

use super::*;
use bristle_random::Random;

fn read(text: &str, options: &Options) -> Result<Curve, String> {
    let faults = |faults: Vec<Fault>| {
        faults
            .iter()
            .map(|fault| fault.of_file("a.csv") + "\n")
            .collect()
    };
    Curve::read(text.as_bytes(), options).map_err(faults)
}

fn plain(text: &str) -> Curve {
    read(text, &Options::default()).unwrap_or_else(|faults| panic!("{text}: {faults}"))
}

const PAD: [[f64; 2]; 3] = [[0.001, 0.42], [0.05, 0.312], [1.0, 0.3]];

#[track_caller]
fn assert_near(curve: &Curve, expected: &[[f64; 2]]) {
    assert_eq!(curve.points.len(), expected.len(), "{curve:?}");
    for ([v, mu], [v_expected, mu_expected]) in curve.points.iter().zip(expected) {
        assert!(
            (v / v_expected - 1.0).abs() < 1e-14 && (mu / mu_expected - 1.0).abs() < 1e-14,
            "{curve:?}"
        );
    }
}

#[test]
fn curve_in_any_unit_is_the_same_to_the_last_bit() {
    for text in [
        "v (m/s),mu\n0.001,0.42\n0.05,0.312\n1,0.3\n",
        "v (mm/s),mu\n1,0.42\n50,0.312\n1000,0.3\n",
        "v [cm/s];mu [%]\n0,1;42\n5;31,2\n100;30\n",
        "mu,v (mm/s)\n0.42,1\n0.312,50\n0.3,1000\n",
        "t (s),v (mm/s),T (°C),mu\n1,1,20.5,0.42\n2,50,21.0,0.312\n3,1000,22.0,0.3\n",
        "v (mm/s),mu\n1000,0.3\n1,0.42\n50,0.312\n",
        "0.001 0.42\n0.05 0.312\n1.0 0.3\n",
    ] {
        assert_eq!(plain(text).points, PAD, "{text}");
    }
}

#[test]
fn force_over_the_normal_force_is_the_coefficient() {
    let options = Options {
        normal_force: Some(40.0),
        ..Options::default()
    };
    let curve = read("v (mm/s),F (N)\n1,16.8\n50,12.48\n1000,12\n", &options).unwrap();
    assert_near(&curve, &PAD);
    assert_eq!(
        curve.remarks[2],
        "friction `F` in N, over the normal force 40.0 N"
    );
    let own = plain("v (m/s);F_N (N);F (kN)\n0.001;40;0.0168\n0.05;20;0.00624\n1.0;80;0.024\n");
    assert_near(&own, &PAD);
    let refusal = read("v,F\n0.1,16.8\n0.2,12.0\n", &Options::default()).unwrap_err();
    assert!(
        refusal.contains("a.csv:1: found `F` as a force, expected a normal force (`normal_force`"),
        "{refusal}"
    );
    let open = read("v;F_N;F\n0.1;40.5;16\n0.2;0;12\n", &Options::default()).unwrap_err();
    assert!(
        open.contains("a.csv:3: found a normal force of 0.0 N"),
        "{open}"
    );
}

#[test]
fn torque_over_radius_and_normal_force_is_the_coefficient() {
    let options = Options {
        normal_force: Some(50.0),
        radius: Some(0.04),
        ..Options::default()
    };
    let turn = std::f64::consts::TAU;
    let expected = [[0.04 * turn, 0.42], [0.4 * turn, 0.3]];
    for text in [
        "n (rpm),M (Nm)\n60,0.84\n600,0.6\n",
        "n (1/min);M (N·mm)\n60;840\n600;600\n",
        "omega (deg/s)\tmu\n360\t0.42\n3600\t0.3\n",
    ] {
        assert_near(&read(text, &options).unwrap(), &expected);
    }
    for (text, options, part) in [
        (
            "omega (deg/s),mu\n1,0.4\n2,0.3\n",
            Options::default(),
            "found `omega` as an angular velocity, expected a friction radius",
        ),
        (
            "n,M (Nm)\n60,0.84\n600,0.6\n",
            options.clone(),
            "found `n` without a unit, which may be more than one quantity",
        ),
        (
            "v,M (Nm)\n60,0.84\n600,0.6\n",
            Options::default(),
            "found `M` as a torque, expected a friction radius",
        ),
    ] {
        let refusal = read(text, &options).unwrap_err();
        assert!(refusal.contains(part), "{text}: {refusal}");
    }
}

#[test]
fn name_of_several_quantities_is_refused_with_the_choices() {
    let options = Options {
        normal_force: Some(10.0),
        radius: Some(0.05),
        ..Options::default()
    };
    for name in ["tau", "tau_f", "T", "friction", "Reibung", "y"] {
        let refusal = read(&format!("v,{name}\n0.1,0.42\n0.2,0.3\n"), &options).unwrap_err();
        let expected = format!(
            "a.csv:1: found `{name}` without a unit, which may be more than one quantity, \
             expected one of `{name} [1]`, `{name} [N]`, \
             `{name} [N.m]`\n"
        );
        assert_eq!(refusal, expected);
    }
    for name in ["dq", "joint velocity", "velocity", "speed", "n", "rate"] {
        let refusal = read(&format!("{name},mu\n0.1,0.42\n0.2,0.3\n"), &options).unwrap_err();
        assert!(
            refusal.contains(&format!(
                "expected one of `{name} [m/s]`, `{name} [rad/s]`, `{name} [rpm]`"
            )),
            "{refusal}"
        );
    }
    // With their units they are what they say: 0.21 N m at 0.05 m and 10 N.
    for text in [
        "dq [rad/s],tau_f [Nm]\n2,0.21\n4,0.15\n",
        "joint velocity [rad/s],friction torque\n2,0.21\n4,0.15\n",
        "omega;T (Nm)\n2;0.21\n4;0.15\n",
        "t,dq [rad/s],T [Nm],theta\n0,2,0.21,20.5\n1,4,0.15,20.5\n",
    ] {
        assert_near(&read(text, &options).unwrap(), &[[0.1, 0.42], [0.2, 0.3]]);
    }
    let refusal = read("omega [Grad/s],mu\n1,0.4\n2,0.3\n", &options).unwrap_err();
    assert!(
        refusal.contains(
            "a.csv:1: `omega`: found the unknown unit \"Grad/s\", expected an angular velocity"
        ),
        "{refusal}"
    );
}

#[test]
fn unknown_units_and_those_of_other_quantities_are_refused_with_the_line() {
    for (text, part) in [
        (
            "# rig\nv (mm/sek),mu\n1,0.4\n2,0.3\n",
            "a.csv:2: `v`: found the unknown unit \"mm/sek\", expected a velocity",
        ),
        (
            "v (N),mu\n1,0.4\n2,0.3\n",
            "a.csv:1: `v`: found the unit N, a force, expected a velocity, in m/s",
        ),
        (
            "v,F (kNewton)\n1,0.4\n2,0.3\n",
            "a.csv:1: `F`: found the unknown unit \"kNewton\", expected a force in N, kN",
        ),
        (
            "v (kg),mu\n1,0.4\n2,0.3\n",
            "found the unit kg, a mass, expected a velocity",
        ),
        (
            "v (mm/s),mu (s)\n1,0.4\n2,0.3\n",
            "a.csv:1: `mu`: found the unit s, a time, expected a coefficient",
        ),
        (
            "v,mu\n0.1,0.4\n0.2,high\n0.3,0.3\n0.4,0.2\n",
            "a.csv:3: found \"high\" in `mu`",
        ),
        (
            "v,mu\n0.1,0.4\n0.2,-0.3\n",
            "a.csv:3: found the coefficient -0.3 against v",
        ),
        (
            "v,mu\n0.1,0.4\n0.2,inf\n",
            "a.csv:3: found no finite number",
        ),
        (
            "v,mu\n0.1,0.4\n0.1,0.3\n",
            "found 1 speed above 0, expected 2 at least, or a row at 0",
        ),
        (
            "v,mu\n-0.1,0.4\n0.1,0.3\n0.2,0.3\n",
            "found 1 speed below 0, expected 2 at least",
        ),
        (
            "a,b,c\n0.1,0.4,1\n0.2,0.3,1\n",
            "a.csv:1: found the columns `a`, `b`, `c`, expected one speed",
        ),
    ] {
        let refusal = read(text, &Options::default()).unwrap_err();
        assert!(refusal.contains(part), "{text}: {refusal}");
    }
}

#[test]
fn columns_are_chosen_by_name_or_number() {
    let text = "a (mm/s);b;c (-)\n1;7;0,42\n50;7;0,312\n1000;7;0,3\n";
    for columns in [
        [Choice::Name("a".to_owned()), Choice::Name("c".to_owned())],
        [Choice::Number(1), Choice::Number(3)],
    ] {
        let curve = read(
            text,
            &Options {
                columns: Some(columns),
                ..Options::default()
            },
        )
        .unwrap();
        assert_eq!(curve.points, PAD);
    }
}

#[test]
fn directions_are_kept_or_averaged_at_equal_speeds_and_their_difference_is_said() {
    let text = "v,mu\n-0.2,-0.32\n-0.1,-0.42\n0.1,0.38\n0.15,0.33\n0.2,0.28\n0.3,0.2\n";
    let kept = plain(text);
    assert_near(
        &kept,
        &[
            [-0.2, 0.32],
            [-0.1, 0.42],
            [0.1, 0.38],
            [0.15, 0.33],
            [0.2, 0.28],
            [0.3, 0.2],
        ],
    );
    let said = kept.remarks.last().unwrap();
    assert_eq!(
        said,
        "both directions kept: their coefficients differ by up to 0.04, at 0.1 m/s"
    );
    assert_eq!(plain(&kept.csv()).points, kept.points);
    let mean = Options {
        directions: Directions::Mean,
        ..Options::default()
    };
    let signed = read(text, &mean).unwrap();
    assert_near(&signed, &[[0.1, 0.4], [0.15, 0.35], [0.2, 0.3]]);
    let said = signed.remarks.last().unwrap();
    assert_eq!(
        said,
        "both directions averaged: their coefficients differ by up to 0.04, at 0.1 m/s; 1 row \
         beyond the speeds of the other direction \
         left out"
    );
    let sizes = read("v,mu\n-0.2,0.32\n-0.1,0.42\n0.1,0.38\n0.2,0.28\n", &mean).unwrap();
    assert_near(&sizes, &[[0.1, 0.4], [0.2, 0.3]]);
    let apart = read("v,mu\n-0.2,0.32\n-0.1,0.42\n0.3,0.38\n0.4,0.28\n", &mean).unwrap_err();
    assert!(
        apart.contains("found 0 speeds of both directions, expected 2 at least for a mean"),
        "{apart}"
    );
    let backward = plain("v,mu\n-0.2,-0.3\n-0.1,-0.4\n");
    assert_near(&backward, &[[0.1, 0.4], [0.2, 0.3]]);
    assert!(
        backward
            .remarks
            .iter()
            .any(|remark| remark.starts_with("all velocities are negative"))
    );
}

#[test]
fn rows_of_equal_speed_are_averaged_and_rows_at_rest_are_the_value_at_rest() {
    let curve = plain("v,mu\n0.2,0.3\n0,0.5\n0.1,0.41\n0.1,0.39\n0,0.6\n");
    assert_near(&curve, &[[0.1, 0.4], [0.2, 0.3]]);
    assert_eq!(curve.at_rest, Some(0.55));
    assert!(curve.remarks.contains(
        &"rows of equal speed averaged, at 1 speed: they differ by up to 0.02".to_owned()
    ));
    let none = plain("v,mu\n0,0\n0.1,0.4\n0.2,0.3\n");
    assert_eq!(none.at_rest, None);
    assert!(
        none.remarks
            .contains(&"line 2 left out: no friction at rest".to_owned())
    );
}

#[test]
fn thousand_points_are_thinned_and_the_largest_deviation_is_said() {
    let mut text = "v (m/s),mu\n".to_owned();
    let mu = |v: f64| 0.3 + 0.12 * libm::exp(-v / 0.02) + 0.02 * v;
    for i in 1..=1000 {
        let v = 1e-3 * f64::from(i);
        writeln!(text, "{v},{}", mu(v)).unwrap();
    }
    let curve = plain(&text);
    assert!(curve.points.len() < 60, "{}", curve.points.len());
    let measured = Measured::new(&curve.points, Default::default()).unwrap();
    let worst = (1..=1000)
        .map(|i| 1e-3 * f64::from(i))
        .map(|v| (measured.at(v).0 - mu(v)).abs())
        .fold(0.0, f64::max);
    assert!(worst <= FINE * 0.42, "{worst}");
    let said = curve.remarks.last().unwrap();
    assert!(
        said.starts_with(&format!(
            "1000 points thinned to {}: mu deviates by up to",
            curve.points.len()
        )),
        "{said}"
    );
    // Noise takes all points that there are.
    let mut noisy = "v,mu\n".to_owned();
    for i in 1..=1000 {
        writeln!(
            noisy,
            "{},{}",
            1e-3 * f64::from(i),
            0.3 + 0.01 * f64::from(i * 7919 % 13)
        )
        .unwrap();
    }
    assert_eq!(plain(&noisy).points.len(), MAX_POINTS);
}

/// 2001 rows of a sweep over a Stribeck curve, with 1 % noise.
fn noisy(mu: impl Fn(f64) -> f64, speed: impl Fn(f64) -> f64, seed: u64) -> String {
    filtered(mu, speed, seed, 1)
}

/// [`noisy`] with the moving average of the noise over `width` rows.
fn filtered(
    mu: impl Fn(f64) -> f64,
    speed: impl Fn(f64) -> f64,
    seed: u64,
    width: usize,
) -> String {
    let mut random = Random::new(seed);
    // The sum of twelve uniform numbers has the variance of a normal one.
    let noise: Vec<f64> = (0..2000 + width)
        .map(|_| (0..12).map(|_| random.between(-0.5, 0.5)).sum())
        .collect();
    let mut text = "v (m/s),mu\n".to_owned();
    for (i, part) in noise.windows(width).enumerate() {
        let v = speed(i as f64 / 2000.0);
        let noise = part.iter().sum::<f64>() / libm::sqrt(width as f64);
        writeln!(text, "{v},{}", mu(v) * (1.0 + 0.01 * noise)).unwrap();
    }
    text
}

#[test]
fn noisy_sweep_is_smoothed_to_its_curve_within_two_widths_of_the_noise() {
    let exponential = |v: f64| 0.3 + 0.12 * libm::exp(-v / 0.02) + 0.02 * v;
    let minimum = |v: f64| 0.15 + 0.1 * libm::exp(-(v / 0.005) * (v / 0.005)) + 0.3 * v;
    let linear = |x: f64| 5e-4 + x;
    let decades = |x: f64| libm::exp10(4.0 * x - 4.0);
    let options = Options {
        smoothing: Smoothing::WhereNoisy,
        ..Options::default()
    };
    for seed in 1..=5 {
        for (mu, largest) in [
            (&exponential as &dyn Fn(f64) -> f64, 0.42),
            (&minimum, 0.45),
        ] {
            for speed in [&linear as &dyn Fn(f64) -> f64, &decades] {
                let curve = read(&noisy(mu, speed, seed), &options).unwrap();
                let measured = Measured::new(&curve.points, End::Flat).unwrap();
                let errors = (0..=2000)
                    .map(|i| speed(f64::from(i) / 2000.0))
                    .map(|v| (measured.at(v).0 - mu(v)) / largest);
                let worst = errors
                    .clone()
                    .fold(0.0, |worst: f64, error| worst.max(error.abs()));
                let rms = libm::sqrt(errors.map(|error| error * error).sum::<f64>() / 2001.0);
                assert!(
                    worst < 0.02 && rms < 0.003,
                    "seed {seed}: error {worst}, {rms} (root mean square)"
                );
                assert!(curve.points.len() < 70, "{} points", curve.points.len());
                let said = curve.remarks.last().unwrap();
                assert!(
                    said.starts_with("2001 rows with a noise of 0.00")
                        && said.contains(" points: parabolas over "),
                    "{said}"
                );
            }
        }
    }
}

#[test]
fn noise_that_neighbours_have_in_common_is_smoothed_as_well() {
    let mu = |v: f64| 0.3 + 0.12 * libm::exp(-v / 0.02) + 0.02 * v;
    let speed = |x: f64| 5e-4 + x;
    let options = Options {
        smoothing: Smoothing::WhereNoisy,
        ..Options::default()
    };
    for seed in 1..=5 {
        let curve = read(&filtered(mu, speed, seed, 5), &options).unwrap();
        let measured = Measured::new(&curve.points, End::Flat).unwrap();
        let errors = (0..=2000)
            .map(|i| speed(f64::from(i) / 2000.0))
            .map(|v| (measured.at(v).0 - mu(v)) / 0.42);
        let rms = libm::sqrt(errors.map(|error| error * error).sum::<f64>() / 2001.0);
        assert!(rms < 0.005, "seed {seed}: error {rms} (root mean square)");
    }
}

#[test]
fn smoothing_is_said_drawn_and_left_out_of_clean_rows() {
    let text = noisy(|v| 0.3 + 0.12 * libm::exp(-v / 0.02), |x| 5e-4 + x, 1);
    let options = Options {
        smoothing: Smoothing::WhereNoisy,
        ..Options::default()
    };
    let smoothed = read(&text, &options).unwrap();
    let picture = smoothed.picture().svg();
    for part in [
        "2001 rows",
        "bins",
        "curve, parabolas over",
        "residual 0.00",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    // A card follows what the file has, and names the command.
    let kept = plain(&text);
    assert!(
        kept.remarks
            .iter()
            .any(|remark| remark.starts_with("the curve follows a noise of 0.00"))
    );
    let clean = |smoothing| {
        let mut text = "v (m/s),mu\n".to_owned();
        for i in 1..=1000 {
            let v = 1e-3 * f64::from(i);
            writeln!(text, "{v},{}", 0.3 + 0.12 * libm::exp(-v / 0.02)).unwrap();
        }
        read(
            &text,
            &Options {
                smoothing,
                ..Options::default()
            },
        )
        .unwrap()
        .points
    };
    assert_eq!(clean(Smoothing::WhereNoisy), clean(Smoothing::Never));
    // Smoothing of clean rows moves them by less than a thousandth.
    let always = Measured::new(&clean(Smoothing::Always), End::Flat).unwrap();
    for i in 1..=1000 {
        let v = 1e-3 * f64::from(i);
        let mu = 0.3 + 0.12 * libm::exp(-v / 0.02);
        assert!(
            (always.at(v).0 / mu - 1.0).abs() < 1e-3,
            "{} for {mu} at {v} m/s",
            always.at(v).0
        );
    }
}

#[test]
fn clean_file_reads_as_the_same_curve() {
    let curve = plain("v (mm/s);mu\n0;0,5\n1,5;0,42\n50;0,312\n");
    assert_eq!(
        curve.csv(),
        "v (m/s),mu\n0.0,0.5\n0.0015,0.42\n0.05,0.312\n"
    );
    let again = plain(&curve.csv());
    assert_eq!((again.at_rest, again.points), (curve.at_rest, curve.points));
}
