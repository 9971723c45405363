//! Mean force and loss of steps in a small part of which F_0 crosses from −F_s to F_s: light
//! contacts, or velocities that change fast, beside an explicit integrator.

use super::*;
use crate::domain::LIGHT_FORCE;
use crate::law::{BlockMotion, BlockStep, Spring, StepResult};
use crate::laws::regularised::metadata::parabola::METADATA;

/// Step of FrDyn2.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// Parameters, in the order of σ_0, σ_1, μ_s, v_s, μ_d, v_d.
    pub parameters: [f64; 6],
    /// z (m) and ż (m/s) at the start.
    pub x: [f64; 2],
    /// F_N (N) and v (m/s) with their rates.
    pub normal: [f64; 2],
    pub v: [f64; 2],
    /// Second derivatives of F_N (N/s²) and v (m/s³).
    pub curvature: [f64; 2],
    pub duration: f64,
    pub tolerance: f64,
    /// Length of the first inner step that the step before leaves, s; 0 where there is none.
    pub first_step: f64,
}

/// Stages of the method of Dormand and Prince, of order 5.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[
        19372.0 / 6561.0,
        -25360.0 / 2187.0,
        64448.0 / 6561.0,
        -212.0 / 729.0,
    ],
    &[
        9017.0 / 3168.0,
        -355.0 / 33.0,
        46732.0 / 5247.0,
        49.0 / 176.0,
        -5103.0 / 18656.0,
    ],
    &[
        35.0 / 384.0,
        0.0,
        500.0 / 1113.0,
        125.0 / 192.0,
        -2187.0 / 6784.0,
        11.0 / 84.0,
    ],
];
/// Differences of its weights to those of order 4.
const DIFFERENCES: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];

/// Integral of `rate` over `duration` (s) from 0 by an explicit method, with the error of each
/// inner step up to a share of these scales; `longest` bounds their lengths (s).
fn integral<const N: usize>(
    rate: impl Fn(f64, &[f64; N]) -> [f64; N],
    longest: impl Fn(f64, &[f64; N]) -> f64,
    duration: f64,
    scales: [f64; N],
    tolerance: f64,
) -> [f64; N] {
    let (mut t, mut h, mut x) = (0.0, 1e-4 * duration, [0.0; N]);
    while t < duration {
        h = h
            .min(duration - t)
            .min(2e-3 * duration)
            .min(longest(t, &x) + 1e-10 * duration);
        let mut slopes = [rate(t, &x); 7];
        let mut next = x;
        for (stage, row) in STAGES.iter().enumerate() {
            let sum = |i: usize| (0..row.len()).map(|j| row[j] * slopes[j][i]).sum::<f64>();
            next = core::array::from_fn(|i| x[i] + h * sum(i));
            slopes[stage + 1] = rate(t + h * row.iter().sum::<f64>(), &next);
        }
        let error = (0..N).fold(0.0, |most: f64, i| {
            let difference: f64 = (0..7).map(|j| DIFFERENCES[j] * slopes[j][i]).sum();
            most.max((h * difference / scales[i]).abs() / tolerance)
        });
        if error <= 1.0 || h < 1e-15 * duration {
            (t, x) = (t + h, next);
        }
        h *= (0.9 * libm::pow(error.max(1e-10), -0.2)).clamp(0.1, 5.0);
    }
    x
}

/// Law with these parameters, in the order of a [`Step`].
pub fn law(parameters: [f64; 6]) -> FrDyn2 {
    let mut values = Values::of(METADATA.parameters);
    for (name, value) in ["sigma_0", "sigma_1", "mu_s", "v_s", "mu_d", "v_d"]
        .into_iter()
        .zip(parameters)
    {
        let variable = METADATA
            .parameters
            .iter()
            .find(|variable| variable.name == name);
        values[variable.expect("a parameter")] = value;
    }
    FrDyn2::new(&values, None).expect("a law")
}

/// Inputs over a step, with their rates.
fn start_and_rates(step: &Step) -> (Contact, [Contact; 3]) {
    let [start, rate] = [0, 1].map(|k| Contact::new(step.normal[k], step.v[k]));
    let [normal, v] = step.curvature;
    (start, [rate, Contact::new(normal, v), Contact::ZERO])
}

/// Advances the states over a step.
fn advanced(step: &Step, x: &mut [f64; 2]) -> StepResult {
    let (start, rates) = start_and_rates(step);
    let trajectory = InputTrajectory {
        start,
        derivatives: (rates[0] != Contact::ZERO).then_some(&rates),
        delay: None,
    };
    law(step.parameters)
        .advance(
            &trajectory,
            x,
            &mut NoModes,
            step.duration,
            step.tolerance,
            &mut Memory {
                first_step: step.first_step,
                ..Memory::default()
            },
        )
        .expect("a step")
}

/// Result of a step.
pub struct Outcome {
    impulse: f64,
    loss: f64,
    pub x: [f64; 2],
    pub force_error: f64,
}

/// The step with the law alone.
pub fn alone(step: &Step) -> Outcome {
    let mut x = step.x;
    let StepResult {
        impulse,
        loss,
        force_error,
        ..
    } = advanced(step, &mut x);
    Outcome {
        impulse,
        loss,
        x,
        force_error,
    }
}

/// The step on a block that friction does not move, on a counterface that moves the other way. The
/// impulse of F_R is not known.
fn under_a_heavy_block(step: &Step) -> Outcome {
    let block = BlockStep {
        duration: step.duration,
        mass: 1e15,
        spring: Spring::NONE,
        normal_force: [step.normal[0], step.normal[1], step.curvature[0], 0.0],
        force: [0.0; 4],
        x_base: [0.0; 5],
        v_base: [0.0; 4],
        v_surface: [-step.v[0], -step.v[1], -step.curvature[1], 0.0],
    };
    let (mut motion, mut x) = (BlockMotion::default(), step.x);
    let done = law(step.parameters)
        .advance_on_block(
            &block,
            &mut motion,
            &mut x,
            &mut NoModes,
            step.tolerance,
            &mut Memory {
                first_step: step.first_step,
                ..Memory::default()
            },
        )
        .expect("a step");
    Outcome {
        impulse: f64::NAN,
        loss: done.loss,
        x,
        force_error: 0.0,
    }
}

/// Static friction force (N) and speed (m/s) that errors are measured by.
fn largest(step: &Step) -> (f64, f64) {
    let (start, rates) = start_and_rates(step);
    let trajectory = InputTrajectory {
        start,
        derivatives: Some(&rates),
        delay: None,
    };
    let places = (0..=64).map(|n| trajectory.at(step.duration * f64::from(n) / 64.0));
    let (mut force, mut speed) = (LIGHT_FORCE, 0.0_f64);
    for contact in places {
        (force, speed) = (force.max(contact.F_N), speed.max(contact.v.abs()));
    }
    (step.parameters[2] * force, speed)
}

/// States at the end of a step by the explicit method at its tightest tolerance.
pub fn end_states(step: &Step) -> [f64; 2] {
    let [dz, du, ..] = reference(step, 1e-13);
    [step.x[0] + dz, step.x[1] + du]
}

/// Changes of z and ż, impulse and loss by the explicit method at a tolerance.
fn reference(step: &Step, tolerance: f64) -> [f64; 4] {
    let Step {
        parameters: [sigma_0, sigma_1, _, v_s, ..],
        x,
        duration,
        ..
    } = *step;
    let law = law(step.parameters);
    let (start, rates) = start_and_rates(step);
    let trajectory = InputTrajectory {
        start,
        derivatives: Some(&rates),
        delay: None,
    };
    let (force, speed) = largest(step);
    let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
    integral(
        |t, [dz, du, _, _]| {
            let contact = trajectory.at(t);
            let at = law.evaluate(contact, &[x[0] + dz, x[1] + du], &NoModes);
            [at.rate[0], at.rate[1], at.F_R, at.F_R * contact.v]
        },
        // F_0 crosses 0, and w both branches, in any part of the step.
        |t, [dz, du, ..]| {
            let (v, u) = (trajectory.at(t).v, x[1] + du);
            let rate = rates[0].v + t * rates[1].v;
            let until = (sigma_0 * (x[0] + dz) + sigma_1 * v) / (sigma_0 * u + sigma_1 * rate);
            let of_slip = ((v - u).abs() + v_s) / rate.abs();
            (0.1 * until.abs()).min(0.2 * of_slip)
        },
        duration,
        [
            force / sigma_0.max(sigma_1 / duration),
            v_s.min(force * duration / mass),
            force * duration,
            force * speed * duration,
        ],
        tolerance,
    )
}

/// Errors of the mean force, the loss and F_R in tolerances, beyond the rounding of the first two.
fn errors(step: &Step, advance: fn(&Step) -> Outcome) -> [f64; 3] {
    let Step {
        parameters: [_, sigma_1, mu_s, ..],
        x,
        duration,
        tolerance,
        ..
    } = *step;
    let law = law(step.parameters);
    let (start, rates) = start_and_rates(step);
    let trajectory = InputTrajectory {
        start,
        derivatives: Some(&rates),
        delay: None,
    };
    let found = advance(step);
    let end = trajectory.at(duration);
    let (force, speed) = largest(step);
    let [dz, du, impulse, work] = reference(step, 1e-10);
    let at_end = |x: [f64; 2]| law.evaluate(end, &x, &NoModes).F_R;
    let off_end = at_end(found.x) - at_end([x[0] + dz, x[1] + du]);
    // The instant at which F_0 crosses 0 is a difference of σ_0 z and σ_1 ż.
    let rounding = 1e-14 * sigma_1 * speed.max(x[1].abs());
    let beyond = |error: f64| (error.abs() - rounding * duration).max(0.0);
    [
        beyond(found.impulse - impulse) / (force * duration * tolerance),
        beyond((found.loss - work) / speed) / (force * duration * tolerance),
        off_end / (mu_s * end.F_N.max(LIGHT_FORCE)) / tolerance,
    ]
}

/// Step of a stable bristle in which F_0 crosses 0 and w comes near it.
fn random_step(random: &mut impl FnMut() -> f64) -> Step {
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let mut magnitude = |low: f64, high: f64| libm::exp10(between(low, high));
    let [sigma_0, sigma_1] = [5e6 * magnitude(-3.0, 3.0), 3192.75 * magnitude(-2.0, 2.0)];
    let [mu_s, v_s] = [magnitude(-1.3, 0.3), magnitude(-5.0, -1.0)];
    let [force, change] = [magnitude(-5.0, 1.0), magnitude(-5.0, 1.0)];
    let [width, u] = [v_s * magnitude(-2.0, 2.0), magnitude(-12.0, 1.0)];
    let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
    let rate = (sigma_1 + 2.0 * mu_s * force.max(LIGHT_FORCE) / v_s) / mass;
    let duration = magnitude(-9.0, -4.0).min(300.0 / rate);
    let mu_d = mu_s * between(-0.5, 1.5).clamp(0.0, 1.0);
    // F_N grows to twice that at most.
    let v_d = v_s + width.max(3.0 * (mu_s - mu_d) * force / sigma_1);
    // One in four begins at the crossing.
    let [part, sign] = [between(-0.3, 1.0).max(0.0), between(-1.0, 1.0).signum()];
    let crossing = u + between(-2.0, 2.0) * v_s;
    let slope = sign * change / duration;
    Step {
        parameters: [sigma_0, sigma_1, mu_s, v_s, mu_d, v_d],
        x: [-sigma_1 * crossing / sigma_0 - u * part * duration, u],
        normal: [force, between(-0.9, 0.9).max(0.0) * force / duration],
        v: [crossing - part * duration * slope, slope],
        duration,
        tolerance: 1e-6,
        first_step: duration * libm::exp10(between(-6.0, 0.0)),
        ..Step::default()
    }
}

/// Step whose contact is closed between two zeros of F_N, and begins near a corner of the
/// characteristic.
fn random_closing(random: &mut impl FnMut() -> f64) -> Step {
    let mut step = random_step(random);
    let mut between = |low: f64, high: f64| low + (high - low) * 0.5 * (1.0 + random());
    let [sigma_0, sigma_1, mu_s, v_s, _, v_d] = step.parameters;
    let duration = step.duration;
    let peak = step.normal[0];
    let [a, b] = [between(-0.5, 0.5), between(0.5, 1.5)];
    let c = 4.0 * peak / ((b - a) * (b - a));
    step.normal = [-c * a * b, c * (a + b) / duration];
    step.curvature[0] = -2.0 * c / (duration * duration);
    let corner = [v_s, -v_s, v_d, -v_d, 0.0][(between(0.0, 5.0) as usize).min(4)];
    let side = between(-1.0, 1.0);
    let u = step.x[1];
    let v = u + corner - side.signum() * v_s;
    // F_0 stays beyond the light contact's limit, or crosses.
    let beyond = libm::exp10(between(-1.0, 2.0)) * side * mu_s * peak;
    step.x[0] = (beyond - sigma_1 * v) / sigma_0;
    let [slope, curvature] = core::array::from_fn(|_| {
        let size = v_d * libm::exp10(between(-2.0, 1.5));
        size * between(-1.0, 1.0).signum()
    });
    step.v = [v, slope / duration];
    step.curvature[1] = 2.0 * curvature / (duration * duration);
    if between(0.0, 1.0) < 0.7 {
        step.first_step = 0.0;
    }
    step
}

fn check(name: &str, step: &Step) {
    let [mean, loss, force] = errors(step, alone);
    assert!(
        mean.max(loss) < 10.0 && force.abs() < 1.0,
        "{name}: mean {mean:e}, loss {loss:e}, F_R {force:e} tolerances of {step:?}"
    );
}

#[test]
fn totals_of_random_crossings_are_within_ten_tolerances() {
    let mut random = random(41);
    for n in 0..5000 {
        check(&n.to_string(), &random_step(&mut random));
    }
}

#[test]
fn totals_of_contacts_that_close_and_open_are_within_ten_tolerances() {
    let mut random = random(61);
    for n in 0..10_000 {
        check(&n.to_string(), &random_closing(&mut random));
    }
}

#[test]
fn losses_of_random_crossings_under_a_heavy_block_are_within_ten_tolerances() {
    let mut random = random(47);
    for n in 0..7000 {
        let step = if n < 5000 {
            random_step(&mut random)
        } else {
            random_closing(&mut random)
        };
        let [_, loss, force] = errors(&step, under_a_heavy_block);
        assert!(
            loss < 10.0 && force.abs() < 1.0,
            "{n}: loss {loss:e}, F_R {force:e} tolerances of {step:?}"
        );
    }
}

#[test]
fn totals_of_steps_that_random_tests_found_are_within_ten_tolerances() {
    let steps = [
        (
            "increments of ż below its rounding",
            Step {
                parameters: [244.669, 200_592.208, 1.801, 2.1623e-4, 1.801, 8.2602e-3],
                x: [1.222_999_78e-6, 3.379_676_158e-4],
                normal: [3.4335e-3, 146_952.849],
                v: [1.392_628_92e-3, -114_143.666],
                duration: 1.920_429_57e-8,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
        (
            "held velocity",
            Step {
                parameters: [
                    208_125_671.596_709_58,
                    311_256.069_210_574_3,
                    0.11039,
                    7.7707e-4,
                    0.04733,
                    0.027366,
                ],
                x: [-4.086_488_570_265_961e-6, 2.732_487_039_775_359_7e-3],
                normal: [2.708e-5, 0.0],
                v: [2.732_487_039_775_36e-3, 0.0],
                duration: 1.2306e-9,
                tolerance: 4.887e-7,
                ..Step::default()
            },
        ),
        (
            "w nearest to 0 at |F_0| = F_s between two places of full sliding",
            Step {
                parameters: [
                    5_442.539_888,
                    268.688_883_8,
                    1.149_109_053,
                    1.371_995_329e-4,
                    0.274_267_62,
                    1.393_410_794e-4,
                ],
                x: [-0.469_954_123_553_7, 9.519_336_774_346_407],
                normal: [0.125_056_959, 0.0],
                v: [9.519_111_427_261_429, -11.556_260_573_7],
                duration: 2.119_692_715e-5,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
        (
            "kink of a root at 0.82 of an inner step",
            Step {
                parameters: [
                    1_606_895.575_629_161_2,
                    43_109.370_771_279_82,
                    0.060_157_533_507,
                    8.613_358_382_755e-4,
                    0.010_259_627_487,
                    1.485_053_735_905e-3,
                ],
                x: [6.885_234_574_674_187e-6, 1.035_675_932_524_856_7e-5],
                normal: [0.106_026_201_361_659_73, 0.0],
                v: [-2.589_112_790_284_865e-4, 20.853_356_610_329_13],
                duration: 1.340_458_479_820_401_1e-6,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
        (
            "tail of stick in a step far shorter than σ_1/σ_0",
            Step {
                parameters: [
                    4_191_504.454_633_736_5,
                    1_357.905_131_944_723_5,
                    0.304_985_205_624_964_45,
                    0.079_494_024_906_797_5,
                    0.111_943_330_153_468_32,
                    0.848_185_275_645_826_5,
                ],
                x: [-1.313_577_117_160_405e-8, -0.148_070_821_921_665_4],
                normal: [1_833_135.278_428_551_3, 0.0],
                v: [1.825_002_696_691_924e-12, 0.0],
                duration: 1.841_698_971_628_165_3e-7,
                tolerance: 2.009_368_403_324_615e-8,
                ..Step::default()
            },
        ),
        (
            "full sliding within a step from rest",
            Step {
                parameters: [
                    3_602_810.169_145_079_3,
                    18_211.731_886_303_267,
                    0.673_857_585_459_096_1,
                    6.187_759_202_166_428e-4,
                    0.0,
                    6.595_471_033_388_477e-4,
                ],
                x: [-1.9e-15, 6.3e-13],
                normal: [0.0123, -1.14],
                v: [0.0, -125.788_424_053_907_89],
                duration: 0.0107,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
        (
            "contact that closes next to stick, under a heavy block",
            Step {
                parameters: [
                    44_097.851_891_294_675,
                    27_698.998_304_541_456,
                    1.827_409_222_583_563_2,
                    2.165_867_647_178_329e-4,
                    0.0,
                    3.188_812_907_337_220_6e-4,
                ],
                x: [-5.327_241_836_475_454, 8.481_615_799_613_4],
                normal: [-0.264_893_235_649_008_6, 104_998_632.944_105_67],
                v: [8.481_182_626_083_962, -3_288.713_472_799_754_5],
                curvature: [-7_051_419_514_165_697.0, 22_611_289_394.905_075],
                duration: 3.932_445_136_717_262_6e-8,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
        (
            "contact between two openings, which leaves the falling branch within an inner step",
            Step {
                parameters: [
                    8_325.473_505_234_222,
                    3_846.503_047_686_913_3,
                    1.313_296_295_988_671_1,
                    2.243_140_122_574_847_3e-5,
                    0.996_781_913_652_866_1,
                    2.967_120_780_601_514_4e-5,
                ],
                x: [-3.948_962_068_246_631_3, 8.547_290_637_135_582],
                normal: [-0.136_550_445_764_553_66, 892_863.904_659_979_9],
                v: [8.547_238_534_526_254, 9.036_779_102_210_698],
                curvature: [-1.273_493_659_097_708_7e12, -23_101_314.708_416_373],
                duration: 1.241_284_800_525_024_3e-6,
                tolerance: 1e-6,
                ..Step::default()
            },
        ),
    ];
    for (name, step) in &steps {
        check(name, step);
        if step.curvature != [0.0; 2] {
            let [_, loss, _] = errors(step, under_a_heavy_block);
            assert!(
                loss < 10.0,
                "{name}: loss {loss:e} tolerances under a block"
            );
        }
    }
}

/// Bristle far beyond F_s/σ_0, as after a fall of F_N by decades: F_R is next to nothing beside
/// σ_0 z and σ_1 ż. In full sliding mean force and loss have a closed form.
#[test]
fn totals_of_full_sliding_far_from_rest_are_within_ten_tolerances() {
    let mut random = random(43);
    for n in 0..2000 {
        let mut step = random_step(&mut random);
        let [sigma_0, sigma_1, mu_s, v_s, mu_d, v_d] = step.parameters;
        let omega = 2.0 * sigma_0 / sigma_1;
        let [of_u, of_z, of_v, of_duration, of_tolerance] = core::array::from_fn(|_| random());
        let side = of_u.signum();
        let u = side * (2.0 * (v_d + v_s) * libm::exp10(4.0 * of_u.abs())).min(1e3);
        // ż falls by an eighth at most.
        step.x = [0.5 * of_z * u / omega, u];
        let v = of_v * v_s;
        step.v = [v, 0.0];
        step.duration = step
            .duration
            .min(0.05 / omega * libm::exp10(2.0 * (of_duration - 1.0)));
        step.normal[1] = step.normal[1].min(step.normal[0] / step.duration);
        step.tolerance = libm::exp10(3.5 * of_tolerance - 6.5);
        let duration = step.duration;
        let done = advanced(&step, &mut step.x.clone());
        let mean = step.normal[0] + 0.5 * duration * step.normal[1];
        let force = -side * mu_d * mean;
        let most = mu_s * (step.normal[0] + duration * step.normal[1]).max(LIGHT_FORCE);
        let [of_mean, of_loss] = [
            done.impulse / duration - force,
            done.loss / duration / v - force,
        ];
        assert!(
            of_mean.abs().max(of_loss.abs()) < 10.0 * step.tolerance * most,
            "{n}: {:e} and {:e} tolerances of {step:?}",
            of_mean / most / step.tolerance,
            of_loss / most / step.tolerance
        );
    }
}

/// Sliding turns into stick within an inner step that is long for the bristle: only z, which moves
/// slowly, shows the kink.
#[test]
fn stick_that_begins_within_an_inner_step_has_its_force() {
    let law = law([4.588e9, 77.61, 0.051496, 2.5024e-3, 0.022321, 0.028618]);
    let start = Contact::new(5.738551106022894e-4, 1.2238352372879263e-9);
    let rates = [
        Contact::new(-0.3377955088399782, -7.173272453613178e-8),
        Contact::new(28.528790620263237, 2.0982092480697567e-6),
        Contact::ZERO,
    ];
    let trajectory = InputTrajectory {
        start,
        derivatives: Some(&rates),
        delay: None,
    };
    let duration = 0.037;
    for n in 0..40 {
        let tolerance = 1e-6 * libm::pow(0.9, f64::from(n));
        let end = |tolerance: f64| {
            let mut x = [0.0, -0.026];
            let memory = &mut Memory::default();
            law.advance(
                &trajectory,
                &mut x,
                &mut NoModes,
                duration,
                tolerance,
                memory,
            )
            .expect("a step");
            law.evaluate(trajectory.at(duration), &x, &NoModes).F_R
        };
        let error = (end(tolerance) - end(1e-10)).abs() / (0.051496 * LIGHT_FORCE);
        assert!(error < tolerance, "{error:e} F_s at {tolerance:e}");
    }
}

/// Error of F_R in tolerances after a step under a constant normal force.
fn error_of_force(step: &Step) -> f64 {
    let law = law(step.parameters);
    let end = Contact::new(step.normal[0], step.v[0]);
    let [found, expected] =
        [alone(step).x, end_states(step)].map(|x| law.evaluate(end, &x, &NoModes).F_R);
    let static_force = step.parameters[2] * step.normal[0].max(LIGHT_FORCE);
    (found - expected).abs() / static_force / step.tolerance
}

/// Next to |F_0| = F_s the root of the shift changes by far more than itself while the slip decays.
#[test]
fn transients_next_to_the_limit_of_stick_are_within_the_tolerance() {
    let mut random = random(59);
    for n in 0..2000 {
        let mut step = random_step(&mut random);
        let [sigma_0, sigma_1, mu_s, v_s, ..] = step.parameters;
        let [of_limit, of_slip, of_v, of_duration, of_tolerance] =
            core::array::from_fn(|_| random());
        let static_force = mu_s * step.normal[0];
        let rate = 4.0 * sigma_0 / sigma_1;
        let left = libm::exp10(3.0 * (of_limit - 1.0));
        // The transient changes F_0 by up to a third of F_s, and w stays below v_s.
        let slip = (0.3 * static_force * rate / sigma_0).min(0.5 * v_s * left.sqrt())
            * libm::exp10(2.0 * (of_slip - 1.0));
        let v = 1e-3 * of_v * slip;
        step.x = [
            ((1.0 - left) * static_force - sigma_1 * v) / sigma_0,
            v - slip,
        ];
        step.v = [v, 0.0];
        step.normal[1] = 0.0;
        step.duration = libm::exp10(1.5 * of_duration) / rate;
        step.tolerance = libm::exp10(2.5 * of_tolerance - 7.0);
        let error = error_of_force(&step);
        assert!(error < 1.0, "{n}: F_R {error:e} tolerances of {step:?}");
    }
}
