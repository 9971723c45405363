//! Bristles of Dahl and LuGre where the normal force is next to nothing: at the start of a step,
//! within it, and at its end.

use super::variable;
use crate::catalogue::{Model, find};
use crate::element::{AnyElement, E_LOSS, F_N, F_R, F_R_X, F_R_Y, V, V_X, V_Y};
use crate::law::Contact;

/// Length of a step, s.
const H: f64 = 1e-2;
/// Steps of the reference.
const STEPS: usize = 400;
/// Static friction coefficient of the defaults.
const MU_S: f64 = 0.6;
/// Direction of the motion in the plane, and its change over a step.
const ALONG: [f64; 2] = [0.6, 0.8];
const TURN: [f64; 2] = [0.08, -0.06];

/// F_N (N) with its first and second derivative, v (m/s), and the deflection at the start (m).
type Case = ([f64; 3], f64, f64);

/// F_N begins next to an opening, with a deflection of before and without: flat, rising, falling to
/// 0 and rising again. Then it falls slowly under sliding, and falls to 0 within the step.
const CASES: [Case; 8] = [
    ([1e-7, 0.0, 2e5], 0.1, 1e-6),
    ([1e-7, 0.0, 2e5], 0.1, 0.0),
    ([1e-7, 1e3, 0.0], 0.1, 1e-6),
    ([1e-4, -20.0, 2e5], 1e-6, 0.0),
    ([1e-4, -20.0, 2e5], 1e-6, 1e-6),
    ([1e-6, -1.0, 2e5], 5e-4, 1e-9),
    ([10.0, -10.0, 0.0], 0.1, 0.0),
    ([10.0, -2000.0, 0.0], 0.1, 1e-6),
];

/// Force along the motion and loss at the end, in this many steps.
fn end(
    model: &Model,
    is_planar: bool,
    alpha: Option<f64>,
    (normal, v, z): Case,
    steps: usize,
) -> [f64; 2] {
    let model = if is_planar {
        model.planar.expect("a form in the plane")
    } else {
        model
    };
    let mut element = model.instantiate();
    // In the plane Dahl has no alpha.
    if let Some(alpha) = alpha.filter(|_| !is_planar) {
        element.set(variable(model, "alpha"), alpha);
    }
    let ([x, y], turn) = if is_planar {
        (ALONG, TURN)
    } else {
        ([1.0, 0.0], [0.0; 2])
    };
    let states: &[(&str, f64)] = if is_planar {
        &[("z_x", x), ("z_y", y)]
    } else {
        &[("z", x)]
    };
    states
        .iter()
        .for_each(|(state, part)| element.set(variable(model, state), part * z));
    element.apply_parameters().expect("parameters");
    let h = H / steps as f64;
    for step in 0..steps {
        let t = h * step as f64;
        let [at_start, slope, curvature] = normal;
        let (now, rate) = (
            at_start + t * (slope + 0.5 * t * curvature),
            slope + t * curvature,
        );
        let turned = t / H;
        move_with(
            &mut *element,
            is_planar,
            now,
            [v * (x + turned * turn[0]), v * (y + turned * turn[1])],
        );
        for (order, value) in [(1, rate), (2, curvature)] {
            element
                .set_input_derivative(&F_N, order, value)
                .expect("an input");
        }
        if is_planar {
            for (input, part) in [(&V_X, turn[0]), (&V_Y, turn[1])] {
                element
                    .set_input_derivative(input, 1, v * part / H)
                    .expect("an input");
            }
        }
        element.advance(h).expect("a step");
    }
    let values = element.values();
    let force = if is_planar {
        x * values[&F_R_X] + y * values[&F_R_Y]
    } else {
        values[&F_R]
    };
    [force, values[&E_LOSS]]
}

fn move_with(element: &mut dyn AnyElement, is_planar: bool, normal_force: f64, [v, v_y]: [f64; 2]) {
    if is_planar {
        element.set(&F_N, normal_force);
        element.set(&V_X, v);
        element.set(&V_Y, v_y);
    } else {
        element.set_contact(Contact {
            F_N: normal_force,
            v,
            ..Contact::ZERO
        });
        element.set(&V, v);
    }
}

#[test]
fn step_from_next_to_no_normal_force_agrees_with_many_short_ones() {
    let laws = [
        ("LuGre", None),
        ("Dahl", Some(1.0)),
        ("Dahl", Some(0.5)),
        ("Dahl", Some(2.0)),
    ];
    for (name, alpha) in laws {
        let model = find(name).expect("a law");
        for is_planar in [false, true] {
            if is_planar && (model.planar.is_none() || alpha.is_some_and(|alpha| alpha != 1.0)) {
                continue;
            }
            for case in CASES {
                let [one, many] = [1, STEPS].map(|steps| end(model, is_planar, alpha, case, steps));
                let ([normal, slope, curvature], v, _) = case;
                let at = |t: f64| normal + t * (slope + 0.5 * t * curvature);
                let largest = MU_S * at(0.0).max(at(H));
                let said = format!("{name} {alpha:?}, {is_planar}, {case:?}: {one:?} for {many:?}");
                assert!((one[0] - many[0]).abs() < 1e-5 * largest, "{said}");
                assert!((one[1] - many[1]).abs() < 1e-5 * largest * v * H, "{said}");
                // The bristle slides at the end where the contact is closed and v is large.
                assert!(
                    v < 1e-3 || at(H) <= 0.0 || many[0] > 0.4 * largest.min(MU_S * at(H)),
                    "{said}"
                );
            }
        }
    }
}

/// F_N (N) at the start of a motion, its derivatives there (N/s and N/s²), and the time (s) at
/// which the motion begins or reverses.
type Beginning = ([f64; 3], f64);

/// F_N that falls to a minimum above 0: slight, and within the rounding of its largest value. Then
/// one that rises, with a reversal while it is slight.
const BEGINNINGS: [Beginning; 3] = [
    ([1e-14, -5e-5, 2e5], 0.0),
    ([4e-15, -3e-5, 2e5], 0.0),
    ([4e-15, 0.0, 2e5], 1e-8),
];

/// Force along the first direction of a motion in the plane that begins, and turns; and loss at the
/// end, in this many steps.
fn end_of_beginning_motion(model: &Model, (normal, begin): Beginning, steps: usize) -> [f64; 2] {
    /// Acceleration, m/s².
    const ACCELERATION: f64 = 10.0;
    let mut element = model.instantiate();
    element.apply_parameters().expect("parameters");
    let ([normal, slope, curvature], h) = (normal, H / steps as f64);
    for step in 0..steps {
        let t = h * step as f64;
        // A motion along a line would be advanced by the law along a line.
        let since = t - begin;
        let v = [0, 1].map(|k| ACCELERATION * since * (ALONG[k] + TURN[k] * t / H));
        move_with(
            &mut *element,
            true,
            normal + t * (slope + 0.5 * t * curvature),
            v,
        );
        element
            .set_input_derivative(&F_N, 1, slope + t * curvature)
            .expect("an input");
        element
            .set_input_derivative(&F_N, 2, curvature)
            .expect("an input");
        for (k, input) in [&V_X, &V_Y].into_iter().enumerate() {
            let rate = ACCELERATION * (ALONG[k] + TURN[k] * (t + since) / H);
            element
                .set_input_derivative(input, 1, rate)
                .expect("an input");
            element
                .set_input_derivative(input, 2, 2.0 * ACCELERATION * TURN[k] / H)
                .expect("an input");
        }
        element.advance(h).expect("a step");
    }
    let values = element.values();
    [
        ALONG[0] * values[&F_R_X] + ALONG[1] * values[&F_R_Y],
        values[&E_LOSS],
    ]
}

#[test]
fn motion_in_the_plane_that_begins_under_a_slight_normal_force_agrees_with_many_short_steps() {
    for name in ["LuGre", "Dahl"] {
        let model = find(name)
            .and_then(|model| model.planar)
            .expect("a form in the plane");
        for beginning in BEGINNINGS {
            let [one, many] =
                [1, STEPS].map(|steps| end_of_beginning_motion(model, beginning, steps));
            let said = format!("{name}, {beginning:?}: {one:?} for {many:?}");
            // F_N is 10 N and the velocity 0.1 m/s at the end.
            let largest = MU_S * 10.0;
            assert!((one[0] - many[0]).abs() < 1e-5 * largest, "{said}");
            assert!(
                (one[1] - many[1]).abs() < 1e-5 * largest * 0.1 * H,
                "{said}"
            );
            assert!(many[0] > 0.4 * largest, "{said}");
        }
    }
}

/// A slight contact that reverses twice at 10¹² m/s²: next to the second reversal v is the rounding
/// of 20 m/s, and the error of the damping is measured by 10⁵ F_s.
#[test]
fn reversal_at_which_v_is_rounding_is_passed() {
    let model = find("LuGre").expect("a law");
    for tolerance in [2.95e-10, 1e-10, 1e-9, 1e-6] {
        let mut element = model.instantiate();
        let values = [
            ("mu_s", 0.335_775_692_884_341_4),
            ("mu_d", 0.180_930_834_305_533_53),
            ("v_Stribeck", 0.000_218_037_096_675_549_43),
            ("delta_sigma", 1.0),
            ("sigma_1", 0.172_765_547_889_933_04),
            ("sigma_0", 25_160.451_072_570_355),
            ("z", -7.688_571_631_655_66e-6),
        ];
        values
            .iter()
            .for_each(|(name, value)| element.set(variable(model, name), *value));
        element.set_tolerance(tolerance);
        element.apply_parameters().expect("parameters");
        move_with(
            &mut *element,
            false,
            7.516_822_523_177_725e-6,
            [21.495_214_395_612_365, 0.0],
        );
        element.initialize().expect("a start");
        for (order, value) in [(1, -25_258_049.799_133_178), (2, 14_491_356_064_849.865)] {
            element
                .set_input_derivative(&V, order, value)
                .expect("an input");
        }
        let report = element.advance(2.016_488_410_262_822e-6).expect("a step");
        assert!(
            report.inner_steps < 2000,
            "{} inner steps at {tolerance:e}",
            report.inner_steps
        );
    }
}
