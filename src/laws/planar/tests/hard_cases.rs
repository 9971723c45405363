//! Steps that random tests found wrong or refused.

use super::*;

/// A force that moves along the velocity needs no inverse of a speed that has none.
#[test]
fn subnormal_velocities_are_directions_as_any_other() {
    for (model, _) in planar() {
        let mut small = of(model.metadata.name);
        let mut usual = of(model.metadata.name);
        for (element, v) in [
            (&mut small, [3e-320, -4e-320]),
            (&mut usual, [3e-20, -4e-20]),
        ] {
            element.set_contact(Contact {
                F_N: 9.81,
                v: v[0],
                v_y: v[1],
                ..Contact::ZERO
            });
            element
                .advance(1e-3)
                .unwrap_or_else(|failure| panic!("{}: {failure}", model.metadata.name));
        }
        let [small, usual] = [small, usual].map(|element| force(&*element));
        assert!(
            small[0] >= 0.0 && small[1] <= 0.0,
            "{}: {small:?}",
            model.metadata.name
        );
        assert!(
            size(small) <= size(usual) * (1.0 + 1e-9),
            "{}: {small:?} {usual:?}",
            model.metadata.name
        );
    }
}

/// The work of a static law along a line through rest is the same whatever the direction of the
/// line: v_y has breakpoints as v_x does.
#[test]
fn work_of_a_reversal_does_not_depend_on_the_direction_of_the_line() {
    for (model, _) in planar() {
        let worked = |[x, y]: Vector| {
            let mut element = of(model.metadata.name);
            element.set_contact(Contact {
                F_N: 9.81,
                v: 0.2 * x,
                v_y: 0.2 * y,
                ..Contact::ZERO
            });
            for (input, part) in [(&V, x), (&V_Y, y)] {
                element
                    .set_input_derivative(input, 1, -31.0 * part)
                    .expect("an input");
            }
            element.advance(1e-2).expect("a step");
            element.values()[&E_LOSS]
        };
        let along = worked([1.0, 0.0]);
        for direction in [[0.0, 1.0], [0.6, 0.8], [-0.8, 0.6]] {
            let turned = worked(direction);
            assert!(
                (turned - along).abs() < 1e-5 * along.abs(),
                "{}: {turned} {along}",
                model.metadata.name
            );
        }
    }
}

/// A characteristic that falls within 2 % of v_s is met within a step in any direction.
#[test]
fn work_over_a_steep_fall_is_within_the_tolerance() {
    let model = find("StaticRegularized")
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    for direction in [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]] {
        let mut element = model.instantiate();
        let parameters = [
            ("mu_s", 0.431_724_472_257_377),
            ("v_s", 0.001_202_861_856_332_218_2),
            ("mu_d", 0.308_735_275_891_760_86),
            ("v_d", 0.001_224_718_130_699_216_7),
        ];
        set(&mut *element, model, &parameters);
        let along = |v: f64| scaled(direction, v);
        let [x, y] = along(-9.568_056_077_250_889e-11);
        element.set_contact(Contact {
            F_N: 721.947_576_036_155_4,
            v: x,
            v_y: y,
            ..Contact::ZERO
        });
        for (order, value) in [(1, -0.823_631_129_200_866_1), (2, -412.908_013_286_470_2)] {
            let [x, y] = along(value);
            element
                .set_input_derivative(&V, order, x)
                .expect("an input");
            element
                .set_input_derivative(&V_Y, order, y)
                .expect("an input");
        }
        element.advance(0.003_089_741_440_524_712).expect("a step");
        let work = element.values()[&E_LOSS];
        // The integral by two million trapezoids.
        let expected = 0.001_349_125_768_106_312;
        assert!(
            (work / expected - 1.0).abs() < 3e-6,
            "{direction:?}: {work} for {expected}"
        );
    }
}

/// Beyond the limit of the normal force errors grow: a force that may be off by more than the
/// tolerance is reported. A contact at 5100 N, three times the limit, whose force was off by 0.3 %
/// of F_s.
#[test]
fn error_of_an_unstable_bristle_is_estimated() {
    let model = find("FrDyn2Linear")
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    let [(found, estimate), (expected, _)] = [1e-6, 1e-10].map(|tolerance| {
        let mut element = model.instantiate();
        let values = [
            ("mu_s", 0.106_923_553_226_675_21),
            ("v_s", 0.007_336_767_250_320_414),
            ("mu_d", 0.086_627_205_724_379_17),
            ("v_d", 0.033_831_153_490_388_55),
            ("sigma_0", 17_632_665.206_257_41),
            ("sigma_1", 2_011.158_241_043_68),
            ("z_x", -5.506_468_994_696_926e-6),
            ("z_y", -3.379_168_687_133_519_5e-7),
            ("z_dot_x", -0.085_969_778_340_480_06),
            ("z_dot_y", 0.020_126_884_441_411_474),
        ];
        set(&mut *element, model, &values);
        element.set_tolerance(tolerance);
        element.set_contact(Contact {
            F_N: -1903.8,
            v: -0.006_879_4,
            v_y: -0.013_935_2,
            ..Contact::ZERO
        });
        for (input, slope) in [(&F_N, 256_314.3), (&V, -0.564_730_4), (&V_Y, 0.278_789_6)] {
            element
                .set_input_derivative(input, 1, slope)
                .expect("an input");
        }
        let report = element.advance(0.027_303_56).expect("a step");
        (force(&*element), report.force_error)
    });
    let error = size(add(found, -1.0, expected)) / (0.106_923_55 * 5094.5);
    assert!(
        error <= 1e-5_f64.max(10.0 * estimate),
        "{error:e}, estimated as {estimate:e}"
    );
}

/// Beyond the limit of the normal force, in a contact that stays closed, the force is within the
/// tolerance or its error is estimated.
#[test]
fn unstable_bristle_of_a_closed_contact_is_integrated_to_the_tolerance() {
    for (name, share, v) in [
        ("FrDyn2", 1.2, 4e-3),
        ("FrDyn2", 3.0, 2e-2),
        ("FrDyn2Linear", 2.0, 5e-3),
    ] {
        let [(found, estimate), (expected, _)] = [1e-6, 1e-10].map(|tolerance| {
            let mut element = of(name);
            element.set_tolerance(tolerance);
            // The largest stable normal force of the defaults is 63.9 N.
            element.set_contact(Contact {
                F_N: share * 63.9,
                v: 0.6 * v,
                v_y: 0.8 * v,
                ..Contact::ZERO
            });
            for (input, slope) in [(&F_N, 100.0), (&V, 0.3 * v), (&V_Y, -2.0 * v)] {
                element
                    .set_input_derivative(input, 1, slope)
                    .expect("an input");
            }
            let report = element.advance(2e-3).expect("a step");
            (force(&*element), report.force_error)
        });
        let error = size(add(found, -1.0, expected)) / (0.6 * share * 63.9);
        assert!(
            error <= 1e-5_f64.max(10.0 * estimate),
            "{name}, {share}: {error:e}, estimated as {estimate:e}"
        );
        assert!(
            size(expected) > 0.1 * share * 63.9,
            "{name}, {share}: {expected:?}"
        );
    }
}

/// An open contact relaxes in closed form, component by component as along a line.
#[test]
fn bristle_of_an_open_contact_relaxes_as_along_a_line() {
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let model = find(name).expect("a law");
        let (mut line, mut plane) = (model.instantiate(), of(name));
        for (element, state) in [(&mut line, "z"), (&mut plane, "z_x")] {
            let model = if state == "z" {
                model
            } else {
                model.planar.expect("a law in the plane")
            };
            element.set(parameter(model, state), 1e-6);
            element.set_contact(Contact {
                F_N: 0.0,
                v_y: if state == "z" { 0.0 } else { 1.0 },
                ..Contact::ZERO
            });
        }
        let reports = [&mut line, &mut plane].map(|element| element.advance(5e-4).expect("a step"));
        assert_eq!(reports.map(|report| report.inner_steps), [1, 1], "{name}");
        let z = line.values()[parameter(model, "z")];
        assert_eq!(
            plane.values()[parameter(model.planar.expect("a law"), "z_x")],
            z,
            "{name}"
        );
        assert!(z > 1e-8 && z < 1e-6, "{name}: {z}");
    }
}

/// Moves an element over a step of `h` (s) with polynomial inputs, each by its value and its
/// derivatives.
pub(super) fn moved<const ORDERS: usize>(
    element: &mut dyn AnyElement,
    inputs: [[f64; ORDERS]; 3],
    h: f64,
) -> Vector {
    let [normal, v, v_y] = inputs.map(|powers| powers[0]);
    element.set_contact(Contact {
        F_N: normal,
        v,
        v_y,
        ..Contact::ZERO
    });
    for (input, powers) in [&F_N, &V, &V_Y].into_iter().zip(inputs) {
        for (order, value) in powers.into_iter().enumerate().skip(1) {
            element
                .set_input_derivative(input, order, value)
                .expect("an input");
        }
    }
    element.advance(h).expect("a step");
    force(&*element)
}

/// A contact that closes with a deflection from before, 10⁸ times the steady one, whose force was
/// almost twice the right one.
#[test]
fn deflection_from_before_decays_while_the_contact_closes() {
    let model = find("Dahl")
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    let [found, expected] = [0.000_652_011_635_388_481_5, 1e-10].map(|tolerance| {
        let mut element = model.instantiate();
        let values = [
            ("mu_d", 0.759_506_180_594_032_1),
            ("sigma_0", 2_532.734_273_817_633_5),
            ("z_x", 1.684_504_440_025_766_7e-7),
            ("z_y", 4.281_553_608_164_113e-7),
        ];
        set(&mut *element, model, &values);
        element.set_tolerance(tolerance);
        let inputs = [
            [5.496_594_846_603_151e-15, 0.640_417_646_167_202_8, 0.0],
            [1.138_416_061_070_536_6e-5, 0.001_259_007_630_548_285_8, 0.0],
            [
                5.170_532_408_581_187e-9,
                -4.688_076_236_764_252e-5,
                0.206_883_485_776_915_65,
            ],
        ];
        moved(&mut *element, inputs, 0.001_621_274_830_721_070_3)
    });
    let error = size(add(found, -1.0, expected)) / (0.7595 * 1.0383e-3);
    assert!(error < 6.5e-4, "{error:e}: {found:?} for {expected:?}");
}

/// A damping whose force is a thousand times F_s, from rest, against the equation of z by an
/// integrator of order 8.
#[test]
fn damping_far_above_the_static_force_keeps_its_digits() {
    let model = find("LuGre")
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    let mut element = model.instantiate();
    let values = [
        ("mu_s", 1.111_850_748_419_758),
        ("mu_d", 0.672_385_561_797_849_5),
        ("v_Stribeck", 0.000_314_910_316_107_926_73),
        ("delta_sigma", 2.738_737_344_560_164),
        ("sigma_0", 57_270.158_496_051_205),
        ("sigma_1", 149.554_243_113_850_02),
        ("sigma_2", 0.0),
        ("z_x", -3.677_295_691_937_240_5e-11),
        ("z_y", -6.780_321_505_802_194e-8),
    ];
    set(&mut *element, model, &values);
    let inputs = [
        [0.021_093_778_982_546_33, 224.972_154_967_289_73, 0.0],
        [0.0, 102_619.467_674_497_47, 0.0],
        [0.0; 3],
    ];
    let found = moved(&mut *element, inputs, 1.871_278_205_211_125_5e-6);
    let error = size(add(
        found,
        -1.0,
        [14.127_348_141_060_29, 3.765_526_575_252_17],
    )) / (1.1119 * 0.021_514_8);
    assert!(error < 1e-6, "{error:e}: {found:?}");
}

/// Losses of short steps whose inputs change fast, against Runge–Kutta's method of order 4 with 400
/// 000 steps on the whole equations.
#[test]
fn losses_of_fast_changes_are_within_the_tolerance() {
    struct Case {
        says: &'static str,
        /// mu_s, v_s, mu_d, v_d, sigma_0, sigma_1
        parameters: [f64; 6],
        /// z_x, z_y, ż_x, ż_y
        states: [f64; 4],
        /// F_N, v_x, v_y with their derivatives
        inputs: [[f64; 4]; 3],
        h: f64,
        /// Loss, and F_s max|v| H.
        expected: [f64; 2],
    }
    let cases = [
        Case {
            says: "v_x reverses twice within a step",
            parameters: [0.099, 0.035, 0.077, 0.1685, 3.6845e6, 9128.0],
            states: [8.1e-11, 0.0, 0.0, 0.0],
            inputs: [
                [0.06075, 0.0, 0.0, 0.0],
                [-3.50649e-4, 133.055, -2.45218e7, 0.0],
                [0.0, 0.1077, 7263.9, 2.7053e9],
            ],
            h: 1.233e-5,
            expected: [1.140_335_399_622_5e-11, 4.257_2e-11],
        },
        Case {
            says: "F_0 turns by 60 degrees within a thousandth of a step",
            parameters: [0.3435, 0.002_016_4, 0.3228, 0.002_043, 3.906e7, 9206.0],
            states: [5.97e-13, 1.917e-12, 1.1e-7, 1.6975e-7],
            inputs: [
                [0.27, 0.0, 0.0, 0.0],
                [0.0, -3.482, 0.0, 0.0],
                [0.0, 3.972, 0.0, 0.0],
            ],
            h: 3.3024e-6,
            expected: [2.321_264_236_378e-12, 5.342_7e-12],
        },
        Case {
            says: "full sliding with a velocity of third order and a falling F_N",
            parameters: [0.3195, 1.442e-4, 0.3067, 1.1053e-3, 2.8236e7, 3131.0],
            states: [1.413e-10, -4.115e-10, 1.391e-5, -4.804e-6],
            inputs: [
                [0.35524, -44290.0, 0.0, 0.0],
                [1.275e-6, -0.826, 1.95e5, 0.0],
                [-4.0482, -23143.0, -2.8044e9, -5.978e14],
            ],
            h: 7.03e-6,
            expected: [1.775_773_704_266_7e-6, 3.442_8e-6],
        },
    ];
    let model = find("FrDyn2Linear")
        .and_then(|law| law.planar)
        .expect("a law in the plane");
    for Case {
        says,
        parameters,
        states,
        inputs,
        h,
        expected: [expected, scale],
    } in cases
    {
        let mut element = model.instantiate();
        let names = [
            "mu_s", "v_s", "mu_d", "v_d", "sigma_0", "sigma_1", "z_x", "z_y", "z_dot_x", "z_dot_y",
        ];
        let values: Vec<_> = names
            .into_iter()
            .zip(parameters.into_iter().chain(states))
            .collect();
        set(&mut *element, model, &values);
        moved(&mut *element, inputs, h);
        let error = (element.values()[&E_LOSS] - expected) / (1e-6 * scale);
        assert!(error.abs() < 2.0, "{says}: off by {error} tolerances");
    }
}

/// F_N that falls to next to 0, over 13 decades, in stick: random tests took up to 300 000 inner
/// steps in one step.
#[test]
fn normal_force_that_falls_to_next_to_0_takes_few_inner_steps() {
    let cases = [
        (
            "Dahl",
            [
                ("mu_d", 0.559_692_513_157_005_9),
                ("sigma_0", 626.853_464_718_276_1),
                ("z_x", 5.307_940_602_491_78e-12),
            ],
            [
                [437.411_931_498_817_1, -563_117.521_391, 0.0, 0.0],
                [
                    2.687_596_576_192_726e-6,
                    -0.003_867_053_995_842_467_6,
                    -18.399_345_526_446_755,
                    36_202.434_940_669_846,
                ],
                [
                    -2.439_331_079_400_383e-6,
                    0.005_995_478_852_924_495,
                    0.0,
                    0.0,
                ],
            ],
            0.000_776_768_462_857_153,
        ),
        (
            "LuGre",
            [
                ("v_Stribeck", 0.000_885_439_624_482_590_2),
                ("sigma_0", 239.185_390_176_858_82),
                ("sigma_1", 0.0),
            ],
            [
                [0.813_460_831_529_069, -28_255.817_345_709_8, 0.0, 0.0],
                [
                    6.591_454_050_998_5e-311,
                    0.000_500_431_313_939_729_8,
                    -29.524_696_311_082_28,
                    0.0,
                ],
                [
                    -7.520_155_150_898e-311,
                    2.672_042_264_417_699_3e-307,
                    0.0,
                    0.0,
                ],
            ],
            2.878_914_531_391_463e-5,
        ),
    ];
    for (name, values, inputs, h) in cases {
        let model = find(name)
            .and_then(|law| law.planar)
            .expect("a law in the plane");
        let mut element = model.instantiate();
        set(&mut *element, model, &values);
        for (input, orders) in [&F_N, &V_X, &V_Y].into_iter().zip(inputs) {
            element.set(input, orders[0]);
            for (order, value) in orders.into_iter().enumerate().skip(1) {
                element
                    .set_input_derivative(input, order, value)
                    .expect("an input");
            }
        }
        let done = element.advance(h).expect("a step");
        assert!(
            done.inner_steps < 60,
            "{name}: {} inner steps",
            done.inner_steps
        );
    }
}

/// Contacts that open or close while v is subnormal: a step between rest and rest.
#[test]
fn subnormal_velocities_are_rest_for_a_contact_that_opens_or_closes() {
    let deflected = [
        ("z_x", -7.071_615_948_238_542e-13),
        ("z_y", -4.133_661_500_839_406e-9),
        ("z_dot_x", -2.950_315_259_868_173_7e-8),
        ("z_dot_y", 1.137_084_761_051_924_6e-5),
    ];
    let opening = [11.339_558_345_979_256, -8_348.156_871_035_835, 0.0, 0.0];
    let closing = [-0.637_114_961_400_355_4, 574.159_379_013_555_8, 0.0, 0.0];
    for name in ["FrDyn2", "FrDyn2Linear"] {
        let model = find(name)
            .and_then(|law| law.planar)
            .expect("a law in the plane");
        for (states, normal, v) in [
            (
                &deflected[..],
                opening,
                [
                    [2e-311, -9.8e-311, -2e-311, 9.9e-311],
                    [-9.8e-311, -2e-311, 9.8e-311, 2e-311],
                ],
            ),
            (
                &[],
                closing,
                [[-5e-324, 0.0, 0.0, 0.0], [0.0, 5e-324, 0.0, 0.0]],
            ),
            (
                &[],
                closing,
                [
                    [0.0, 1.3e-309, 0.0, -1.2e-311],
                    [-1.4e-308, 0.0, 1.2e-310, 0.0],
                ],
            ),
        ] {
            let [subnormal, rest] = [v, [[0.0; 4]; 2]].map(|v| {
                let mut element = model.instantiate();
                set(&mut *element, model, states);
                moved(&mut *element, [normal, v[0], v[1]], 7e-3)
            });
            assert!(
                size(add(subnormal, -1.0, rest)) < 1e-12,
                "{name}: {subnormal:?}, not {rest:?}"
            );
        }
    }
}
