//! Bristles in contacts that close, open or are relieved within a step, at every tolerance, beside
//! closed forms and many short steps.

use super::*;
use crate::domain::{LIGHT_FORCE, OPEN_FORCE};

/// Start value of a parameter.
fn default(entry: &Model, name: &str) -> f64 {
    let parameter = entry
        .variables()
        .find(|variable| variable.name == name)
        .expect("a parameter");
    parameter.start.expect("a default")
}

/// F_R, F_R_mean and E_loss after a step in this many parts.
fn results(
    entry: &Model,
    parameters: &[(&str, f64)],
    inputs: &Inputs,
    h: f64,
    tolerance: f64,
    parts: u32,
) -> [f64; 3] {
    let mut element = initialised(entry, parameters, inputs);
    element.set_tolerance(tolerance);
    let (mean, _) = walk(entry, &mut *element, inputs, h, parts).expect("a step");
    [element.values()[&F_R], mean, element.values()[&E_LOSS]]
}

/// With constant v and dF_N/dt = Q the deflection is z = v F_N/(a + Q), where a = σ_0 |v|/μ.
#[test]
fn bristle_of_first_order_has_its_force_in_a_contact_that_closes_within_a_step() {
    for name in ["Dahl", "LuGre"] {
        let entry = find(name).expect("a law");
        let (sigma_0, mu_d) = (default(entry, "sigma_0"), default(entry, "mu_d"));
        let mut random = random(23);
        for i in 0..600 {
            let v = libm::exp10(-2.0 + 2.0 * random()) * random().signum();
            let (h, size) = (
                libm::exp10(-2.5 + 1.5 * random()),
                libm::exp10(1.0 + 2.0 * random()),
            );
            let tolerance = libm::exp10(-6.5 + 3.5 * random());
            let open = size * (1.0 + random());
            let slope = (open + size) / h;
            let (mu, sigma_1) = if name == "Dahl" {
                (mu_d, 0.0)
            } else {
                let [mu_s, v_stribeck, delta] =
                    ["mu_s", "v_Stribeck", "delta_sigma"].map(|name| default(entry, name));
                let stribeck = libm::exp(-libm::pow(v.abs() / v_stribeck, delta));
                (mu_d + (mu_s - mu_d) * stribeck, default(entry, "sigma_1"))
            };
            let sigma_2 = if name == "Dahl" {
                0.0
            } else {
                default(entry, "sigma_2")
            };
            let part = v / (sigma_0 * v.abs() / mu + slope);
            let inputs = Inputs::new([-open, slope, 0.0, 0.0], [v, 0.0, 0.0, 0.0]);
            let [force, mean, loss] = results(entry, &[], &inputs, h, tolerance, 1);
            let closed = size / slope;
            let expected = sigma_0 * part * size + sigma_1 * part * slope + sigma_2 * v;
            let impulse =
                sigma_0 * part * size * closed / 2.0 + sigma_1 * part * size + sigma_2 * v * closed;
            let scale =
                tolerance * default(entry, if name == "Dahl" { "mu_d" } else { "mu_s" }) * size;
            let said = format!("{name} {i}: {v} m/s, {inputs:?} over {h} s at {tolerance:e}");
            assert!(
                (force - expected).abs() < scale,
                "{said}: F_R {force} for {expected}"
            );
            assert!(
                (mean - impulse / h).abs() < 10.0 * scale,
                "{said}: F_R_mean {mean} for {}",
                impulse / h
            );
            assert!(
                (loss - impulse * v).abs() < 10.0 * scale * v.abs() * h,
                "{said}: E_loss {loss}"
            );
        }
    }
}

/// At rest the power is 0, and shows no error; F_R is the elastic force within its limit.
#[test]
fn mean_force_of_a_bristle_of_first_order_at_rest_follows_its_limit() {
    for (name, coefficient) in [("Dahl", "mu_d"), ("LuGre", "mu_s")] {
        let entry = find(name).expect("a law");
        let (sigma_0, mu) = (default(entry, "sigma_0"), default(entry, coefficient));
        let mut random = random(29);
        for i in 0..600 {
            let (h, size) = (
                libm::exp10(-2.5 + 1.5 * random()),
                libm::exp10(1.0 + 2.0 * random()),
            );
            let tolerance = libm::exp10(-6.5 + 3.5 * random());
            // F_N falls to a part of it at the end, or in between.
            let left = 0.5 + 0.5 * random();
            let normal = match i % 3 {
                0 => [size, (left - 1.0) * size / h, 0.0, 0.0],
                1 => [
                    size,
                    -4.0 * (1.0 - left) * size / h,
                    8.0 * (1.0 - left) * size / (h * h),
                    0.0,
                ],
                _ => [
                    size,
                    0.0,
                    -6.0 * (1.0 - left) * size / (h * h),
                    12.0 * (1.0 - left) * size / (h * h * h),
                ],
            };
            let force = mu * size * random();
            let inputs = Inputs::new(normal, [0.0; 4]);
            let [_, mean, _] = results(entry, &[("z", force / sigma_0)], &inputs, h, tolerance, 1);
            let panels = 20_000;
            let times = (0..panels).map(|k| h * (f64::from(k) + 0.5) / f64::from(panels));
            let sum: f64 = times
                .map(|t| force.abs().min(mu * at(normal, t).max(0.0)))
                .sum();
            let expected = (sum / f64::from(panels)).copysign(force);
            let scale = 10.0 * tolerance * mu * size.max(LIGHT_FORCE);
            // The sum is off by up to 1e-9 of F_s.
            let error = (mean - expected).abs() - 1e-8 * mu * size;
            assert!(
                error < scale,
                "{name} {i}: {mean} for {expected}, z {force}/sigma_0, {inputs:?} over {h} s at \
                 {tolerance:e}"
            );
        }
    }
}

/// A bristle at rest yields only while F_N is least: no stage of one inner step over the minimum
/// shows it.
#[test]
fn bristle_at_rest_yields_where_the_normal_force_falls_for_a_part_of_a_step() {
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let entry = find(name).expect("a law");
        let (sigma_0, mu) = (default(entry, "sigma_0"), default(entry, "mu_s"));
        let mut random = random(31);
        for i in 0..200 {
            let (h, size) = (
                libm::exp10(-2.5 + 0.5 * random()),
                libm::exp10(1.0 + random()),
            );
            let tolerance = libm::exp10(-6.0 + 2.0 * random());
            let dip = (0.5 + 0.4 * random()) * size;
            let normal = [size, -4.0 * dip / h, 8.0 * dip / (h * h), 0.0];
            let speed = if i % 2 == 0 { 0.0 } else { 1e-10 * random() };
            let inputs = Inputs::new(normal, [speed, 0.0, 0.0, 0.0]);
            let states = [
                ("z", 0.95 * mu * size * random() / sigma_0),
                ("z_dot", speed),
            ];
            let [found, expected] = [(tolerance, 1), (1e-10, 200)]
                .map(|(tolerance, parts)| results(entry, &states, &inputs, h, tolerance, parts));
            let error = (found[0] - expected[0]).abs() / (tolerance * mu * at(normal, h));
            assert!(
                error < 1.0,
                "{name} {i}: F_R {found:?} for {expected:?}, {states:?}, {inputs:?} over {h} s at \
                 {tolerance:e}"
            );
            let error = (found[1] - expected[1]).abs() / (10.0 * tolerance * mu * size);
            assert!(
                error < 1.0,
                "{name} {i}: mean {found:?} for {expected:?}, {states:?}, {inputs:?} over {h} s \
                 at {tolerance:e}"
            );
        }
    }
}

/// Next to the opening F_R is too small to show in the error of a step over the reversal.
#[test]
fn reversal_right_before_an_opening_is_in_the_mean_force_of_a_bristle_of_second_order() {
    type Step = ([(&'static str, f64); 7], Orders, Orders, f64);
    let steps: [Step; 2] = [
        (
            [
                ("mu_s", 0.075_709_364_523_263_49),
                ("mu_d", 0.071_357_084_259_782_27),
                ("sigma_0", 165_829.233_878_687_02),
                ("sigma_1", 2.356_277_633_955_142),
                ("v_s", 0.002_914_400_184_573_875_4),
                ("v_d", 0.029_737_405_683_652_428),
                ("z", 3.200_486_640_403_160_7e-9),
            ],
            [
                0.013_601_997_688_408_033,
                -4.891_989_096_766_293,
                -62.631_442_461_630_19,
                0.0,
            ],
            [
                0.003_130_470_057_506_424_3,
                -1.219_921_400_332_263_4,
                0.0,
                0.0,
            ],
            0.003_180_009_222_149_547_6,
        ),
        (
            [
                ("mu_s", 0.086_842_920_710_228_49),
                ("mu_d", 0.085_681_157_760_975_33),
                ("sigma_0", 2_746_478.921_871_972),
                ("sigma_1", 22.599_455_016_344_113),
                ("v_s", 0.000_175_981_158_151_970_55),
                ("v_d", 0.001_849_834_666_423_324_6),
                ("z", 3.608_863_924_612_132_3e-10),
            ],
            [0.019_738_525_214_696_604, -9.606_426_130_276_757, 0.0, 0.0],
            [
                2.925_465_063_807_45e-5,
                -0.015_990_821_640_191_562,
                0.0,
                0.0,
            ],
            0.003_309_055_029_622_16,
        ),
    ];
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let entry = find(name).expect("a law");
        for (parameters, normal, v, h) in steps {
            let inputs = Inputs::new(normal, v);
            let [found, expected] = [(1e-6, 1), (1e-10, 200)].map(|(tolerance, parts)| {
                results(entry, &parameters, &inputs, h, tolerance, parts)
            });
            let allowed = 1e-5 * parameters[0].1 * normal[0];
            let errors = [
                (found[1] - expected[1]).abs() / allowed,
                (found[2] - expected[2]).abs() / (allowed * v[0] * h),
            ];
            assert!(
                errors.iter().all(|error| *error < 1.0),
                "{name}: {errors:?} limits, {found:?} for {expected:?}"
            );
        }
    }
}

/// Steps in which the velocity reverses and the contact opens or closes, with parameters of any
/// size: where F_N is next to nothing, no stage shows the reversal, and a bristle of first order in
/// a contact that closes is quick at its start alone.
#[test]
fn reversal_in_a_step_in_which_the_contact_opens_or_closes_is_in_its_results() {
    for name in ["FrDyn2", "FrDyn2Linear", "LuGre", "Dahl"] {
        let entry = find(name).expect("a law");
        let is_second_order = name.starts_with("FrDyn2");
        let mut random = random(37);
        for i in 0..1200 {
            let h = libm::exp10(-4.0 + 2.0 * random());
            let [size, speed] = [
                libm::exp10(2.5 * random()),
                libm::exp10(-3.0 + 2.5 * random()),
            ];
            let tolerance = libm::exp10(-6.0 + 3.0 * random().max(0.0));
            // Of those that open half do so right after the reversal, in the middle of the step or
            // later.
            let open = if i % 4 == 1 {
                size * libm::exp10(2.0 * random() - 2.0)
            } else {
                0.5 * size * (1.0 + random())
            };
            let [from, to] = if i % 2 == 0 {
                [-open, size]
            } else {
                [size, -open]
            };
            let inputs = Inputs::new(
                [from, (to - from) / h, 0.0, 0.0],
                [speed, -speed * (2.0 + random()) / h, 0.0, 0.0],
            );
            let (mu, sigma_0) = (
                libm::exp10(-0.7 + 0.5 * random()),
                libm::exp10(5.5 + 1.5 * random()),
            );
            let mut parameters = vec![("mu_d", mu), ("sigma_0", sigma_0)];
            if name != "Dahl" {
                parameters.extend([("mu_s", mu), ("mu_d", mu * (0.8 + 0.2 * random()))]);
            }
            if is_second_order {
                let v_s = libm::exp10(-4.0 + 1.5 * random());
                let v_d = v_s * (1.0 + libm::exp10(2.0 * random()));
                // Below the normal force from which on the bristle is unstable.
                let least = 0.75 * mu * size / (v_d - v_s);
                let sigma_1 =
                    (least * libm::exp10(1.0 + random())).clamp(1.0, 0.2 * sigma_0.sqrt());
                parameters.extend([("v_s", v_s), ("v_d", v_d), ("sigma_1", sigma_1)]);
            }
            if from > 0.0 {
                parameters.push(("z", 0.9 * mu * from * random() / sigma_0));
            }
            let [found, expected] = [(tolerance, 1), (1e-10, 100)].map(|(tolerance, parts)| {
                results(entry, &parameters, &inputs, h, tolerance, parts)
            });
            let of = |normal: f64| tolerance * mu * normal.max(LIGHT_FORCE);
            // The loss is measured by at least the largest speed at the ends.
            let limits = [of(to), 10.0 * of(size), 10.0 * of(size) * speed * h];
            for k in 0..3 {
                let error = (found[k] - expected[k]).abs();
                let what = ["F_R", "F_R_mean", "E_loss"][k];
                assert!(
                    error <= limits[k],
                    "{name} {i}, {what}: {} tolerances, {parameters:?}, {inputs:?} over {h} s at \
                     {tolerance:e}",
                    error / limits[k]
                );
            }
        }
    }
}

/// A contact is open up to F_open, and F_N is not rounded up above it: friction that grows with v²
/// or with σ_1 v may be 1e8 F_s there.
#[test]
fn forces_of_laws_with_modes_are_right_down_to_the_opening() {
    let mut random = random(37);
    for i in 0..2000 {
        let mut magnitude =
            |low: f64, high: f64| libm::exp10(0.5 * (low + high) + 0.5 * (high - low) * random());
        let (h, v, size) = (
            magnitude(-9.0, -2.0),
            magnitude(-1.0, 3.0),
            magnitude(-7.5, -3.0),
        );
        let tolerance = magnitude(-8.0, -4.0);
        let (name, parameters, inputs, impulse) = if i % 2 == 0 {
            let eta_2 = magnitude(-2.0, 0.0);
            let inputs = Inputs::new([size, -size / h, 0.0, 0.0], [v, 0.0, 0.0, 0.0]);
            let entry = find("PoppStelter").expect("a law");
            let [mu_s, mu_d, eta_1] = ["mu_s", "mu_d", "eta_1"].map(|name| default(entry, name));
            let mu = mu_d + (mu_s - mu_d) / (1.0 + eta_1 * v) + eta_2 * v * v;
            let area = 0.5 * (size * size - OPEN_FORCE * OPEN_FORCE) / size * h;
            ("PoppStelter", vec![("eta_2", eta_2)], inputs, mu * area)
        } else {
            let inputs = Inputs::new([0.0, size / h, 0.0, 0.0], [v, 0.0, 0.0, 0.0]);
            let entry = find("SimpackStickSlip").expect("a law");
            let [mu_s, mu_d, sigma_0, sigma_1] =
                ["mu_s", "mu_d", "sigma_0", "sigma_1"].map(|name| default(entry, name));
            // It sticks from F_open on until σ_0 z is μ_s F_N.
            let rise = size / h;
            let stuck = mu_s * OPEN_FORCE / (sigma_0 * v - mu_s * rise);
            let release = OPEN_FORCE + rise * stuck;
            if !(stuck > 0.0 && release < size) {
                continue;
            }
            let sliding = 0.5 * mu_d * (size * size - release * release) / rise;
            let sticking = v * stuck * (sigma_1 + 0.5 * sigma_0 * stuck);
            ("SimpackStickSlip", vec![], inputs, sticking + sliding)
        };
        let entry = find(name).expect("a law");
        let [_, mean, loss] = results(entry, &parameters, &inputs, h, tolerance, 1);
        let rounding = 1e-12 * impulse;
        let allowed = 10.0 * tolerance * default(entry, "mu_s") * LIGHT_FORCE * h + rounding;
        let said = format!("{name} {i}: {inputs:?} over {h} s at {tolerance:e}");
        let has_mean = entry.variable(F_R_MEAN.reference).is_some();
        assert!(
            !has_mean || (mean * h - impulse).abs() < allowed,
            "{said}: F_R_mean {mean} for {}",
            impulse / h
        );
        assert!(
            (loss - impulse * v).abs() < allowed * v,
            "{said}: E_loss {loss} for {}",
            impulse * v
        );
    }
}
