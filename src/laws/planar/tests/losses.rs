//! Losses and forces of steps that random tests found beyond ten times the tolerance, where the
//! force is a multiple of F_s or has a kink.

use super::hard_cases::moved;
use super::*;

/// Element with these parameters and states after a step of `h` (s) with polynomial inputs: F_R and
/// E_loss.
fn stepped<const ORDERS: usize>(
    name: &str,
    values: &[(&str, f64)],
    tolerance: f64,
    inputs: [[f64; ORDERS]; 3],
    h: f64,
) -> (Vector, f64) {
    let model = find(name)
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    let mut element = model.instantiate();
    set(&mut *element, model, values);
    element.set_tolerance(tolerance);
    let force = moved(&mut *element, inputs, h);
    (force, element.values()[&E_LOSS])
}

/// Value of an input polynomial at `t` (s).
fn at([value, first, second]: [f64; 3], t: f64) -> f64 {
    value + t * (first + t * second / 2.0)
}

/// Integral from 0 to `h` of a function by the midpoint rule with two million intervals, each with
/// its own compensation of rounding.
fn integral(h: f64, f: impl Fn(f64) -> f64) -> f64 {
    const COUNT: u32 = 2_000_000;
    let width = h / f64::from(COUNT);
    let (mut sum, mut rest) = (0.0, 0.0);
    for i in 0..COUNT {
        let term = f(width * (f64::from(i) + 0.5)) * width - rest;
        let next: f64 = sum + term;
        rest = (next - sum) - term;
        sum = next;
    }
    sum
}

/// Three reversals along a line, the last of them next to the end: σ_1 v is there 2000 F_s, and the
/// deflection has its error from before the reversal, where v was near 0.
#[test]
fn errors_of_the_deflection_before_a_reversal_count_with_the_damping_behind_it() {
    let values = [
        ("mu_s", 0.142_681_252_405_507_66),
        ("mu_d", 0.138_610_814_023_654_6),
        ("v_Stribeck", 0.000_179_366_736_339_793_94),
        ("delta_sigma", 1.136_741_763_668_084_8),
        ("sigma_0", 140_980.322_135_461_64),
        ("sigma_1", 65.499_759_687_690_71),
        ("sigma_2", 16.901_641_121_414_325),
    ];
    let v = [
        0.0,
        -1_883_297.666_028_044_4,
        -249_905_967_277.266_97,
        5.403_751_287_424_111e18,
    ];
    let inputs = [[0.190_188_423_239_508_7, 0.0, 0.0, 0.0], v, [0.0; 4]];
    for tolerance in [1e-5, 1e-6, 1e-7] {
        let [(found, _), (expected, _)] = [tolerance, 1e-10].map(|tolerance| {
            stepped(
                "LuGre",
                &values,
                tolerance,
                inputs,
                1.718_602_341_742_415_8e-6,
            )
        });
        let error = (found[0] - expected[0]) / (tolerance * 0.142_68 * 0.190_19);
        assert!(
            error.abs() < 2.0,
            "off by {error} tolerances of {tolerance:e}"
        );
    }
}

/// A viscous friction of forty thousand times F_s: the loss of the dry friction is held to the
/// tolerance beside it.
#[test]
fn viscous_friction_does_not_coarsen_the_loss() {
    let values = [
        ("mu_s", 0.195_211_164_315_797_38),
        ("mu_d", 0.090_738_669_226_059_53),
        ("v_Stribeck", 0.036_535_809_299_926_53),
        ("delta_sigma", 2.838_040_258_780_506_7),
        ("sigma_2", 80.176_270_455_082_67),
    ];
    let [normal, v] = [
        [0.003_797_199_086_232_440_3, 0.002_123_6, 0.0],
        [0.0, 95.223_156_068_367_37, -60_342.217_854_013_6],
    ];
    let h = 0.005_459_840_679_999_122;
    let (_, loss) = stepped("Stribeck", &values, 1e-6, [normal, [0.0; 3], v], h);
    let dry = integral(h, |t| {
        let speed = at(v, t).abs();
        let mu = 0.090_738_669_226_059_53
            + 0.104_472_495_089_737_85
                * libm::exp(-libm::pow(
                    speed / 0.036_535_809_299_926_53,
                    2.838_040_258_780_506_7,
                ));
        mu * at(normal, t) * speed
    });
    let [_, a, b] = v;
    let viscous =
        80.176_270_455_082_67 * h * h * h * (a * a / 3.0 + h * (a * b / 4.0 + h * b * b / 20.0));
    let error = (loss - dry - viscous) / (1e-6 * 0.1952 * 0.0038 * 0.38 * h);
    assert!(error.abs() < 3.0, "off by {error} tolerances");

    let values = [
        ("mu_s", 0.818_705_317_901_191_4),
        ("mu_d", 0.563_772_750_946_996),
        ("v_Stribeck", 0.393_169_253_407_287_37),
        ("sigma_2", 48.666_175_984_428_38),
    ];
    let [normal, v] = [
        [0.072_072_201_250_393_86, -76.631_703_816_095_14, 0.0],
        [
            0.022_759_281_681_696_924,
            -3_223.320_767_498_108,
            60_410_444.928_712_74,
        ],
    ];
    let h = 7.334_752_907_708_843e-4;
    let (_, loss) = stepped("BrownMcPhee", &values, 1e-6, [normal, v, [0.0; 3]], h);
    let expected = integral(h, |t| {
        let speed = at(v, t).abs();
        let x = speed / 0.393_169_253_407_287_37;
        let bump = x / ((0.25 * x * x + 0.75) * (0.25 * x * x + 0.75));
        let mu = 0.563_772_750_946_996 * libm::tanh(4.0 * x) + 0.254_932_566_954_195_4 * bump;
        (mu * at(normal, t) + 48.666_175_984_428_38 * speed) * speed
    });
    let error = (loss - expected) / (1e-6 * 0.8187 * 0.0721 * 13.9 * h);
    assert!(error.abs() < 3.0, "off by {error} tolerances");
}

/// Parameters of the regularised characteristic.
const REGULARISED: [&str; 4] = ["mu_s", "v_s", "mu_d", "v_d"];

/// Regularised characteristic with these parameters at a speed (m/s).
fn coefficient([mu_s, v_s, mu_d, v_d]: [f64; 4], speed: f64) -> f64 {
    let (x_1, x_2) = (
        (speed / v_s).min(1.0),
        ((speed - v_s) / (v_d - v_s)).clamp(0.0, 1.0),
    );
    mu_s * x_1 * (2.0 - x_1) - (mu_s - mu_d) * x_2 * x_2 * (3.0 - 2.0 * x_2)
}

/// The characteristic begins to fall at v_d where F_N has a twentieth of its fall left: both rules
/// have their last node before it, and the end, where the force is 0. And a passage of rest within
/// a millionth of the step, at tight tolerances.
#[test]
fn kinks_next_to_an_opening_and_next_to_rest_are_part_of_the_loss() {
    let parameters = [
        0.051_081_568_317_691_83,
        7.731_410_959_884_202e-5,
        0.050_145_291_806_011_065,
        0.007_125_097_917_815_02,
    ];
    let values: Vec<_> = REGULARISED.into_iter().zip(parameters).collect();
    let [normal, v] = [
        [0.035_526_547_385_269_89, -6_415.463_759_464_515, 0.0],
        [-0.047_091_192_129_931_1, 7_594.061_689_284_412, 0.0],
    ];
    let h = 2.193_298_235_980_973_6e-5;
    let opens = normal[0] / -normal[1];
    let expected = integral(opens, |t| {
        coefficient(parameters, at(v, t).abs()) * at(normal, t) * at(v, t).abs()
    });
    for tolerance in [1e-6, 1e-8, 7.307_554_031_873_915e-10] {
        let (_, loss) = stepped(
            "StaticRegularized",
            &values,
            tolerance,
            [normal, v, [0.0; 3]],
            h,
        );
        let error = (loss - expected) / (tolerance * 0.0511 * 0.0355 * 0.1195 * h);
        assert!(
            error.abs() < 3.0,
            "off by {error} tolerances of {tolerance:e}"
        );
    }
}

/// The first two nodes of the quadrature lie at the same force before and behind the largest one,
/// which none of them shows.
#[test]
fn characteristic_between_two_nodes_is_part_of_the_loss() {
    let parameters = [
        0.100_486_132_761_928_29,
        1.778_497_282_186_554_2e-5,
        0.088_157_810_352_413_46,
        1.837_419_791_325_059_8e-5,
    ];
    let values: Vec<_> = REGULARISED.into_iter().zip(parameters).collect();
    let (normal, acceleration, h) = (
        10.798_334_735_806_286,
        516.193_287_922_500_4,
        1.430_950_024_271_284_4e-6,
    );
    let energy = integral(h, |t| {
        coefficient(parameters, acceleration * t) * normal * acceleration * t
    });
    for direction in [[1.0, 0.0], [0.0, -1.0], [0.6, 0.8], [9e-5, 1.0]] {
        let [v_x, v_y] =
            scaled(direction, acceleration / size(direction)).map(|rate| [0.0, rate, 0.0]);
        for tolerance in [1e-4, 1e-6, 1e-8] {
            let (_, loss) = stepped(
                "StaticRegularized",
                &values,
                tolerance,
                [[normal, 0.0, 0.0], v_x, v_y],
                h,
            );
            let error = (loss - energy) / (tolerance * 0.1005 * normal * acceleration * h * h);
            assert!(
                error.abs() < 3.0,
                "{direction:?}: off by {error} tolerances of {tolerance:e}"
            );
        }
    }
}
