//! One panel against the classical Runge–Kutta method, and the places of its nodes.

use super::super::tests::{Light, by_short_steps, linear_equations};
use super::*;
use crate::law::{Contact, InputTrajectory};
use crate::laws::frdyn2::constants::LIGHT_SHARE;
use crate::laws::frdyn2::light_contact::light_force;
use crate::laws::frdyn2::test_cases::{equations, random};
use crate::laws::frdyn2_linear;
use crate::laws::solver::Interval;

const TOLERANCE: f64 = 1e-6;

/// The law with F_s = 1 N, F_0 (N) and dF_0/dt (N/s).
#[allow(non_snake_case)] // the paper's symbols
fn node(F_0: f64, slope: f64) -> Node {
    let side = [-1.0, 0.0, 1.0].into_iter().map(|limit| u8::from(F_0 >= limit)).sum();
    Node { F_0, slope, F_s: 1.0, w: 0.0, F_R: 0.0, v: 0.0, side, zone: 0 }
}

#[test]
fn nodes_make_the_root_of_the_distance_from_the_limit_of_the_shift_a_polynomial() {
    let integral = |nodes: [[f64; STAGES]; 2], f: fn(f64) -> f64| -> f64 {
        (0..STAGES).map(|i| WEIGHTS[i] * nodes[1][i] * f(nodes[0][i])).sum()
    };
    let assert_exact = |nodes, f: fn(f64) -> f64, said: &str| {
        let error = integral(nodes, f) - 2.0 / 3.0;
        assert!(error.abs() < 1e-14, "{said}: the integral is off by {error:e}");
    };
    let to_the_end = |s: f64| (1.0 - s).sqrt();
    assert!((integral([NODES, [1.0; STAGES]], f64::sqrt) - 2.0 / 3.0).abs() > 1e-5, "the root is no polynomial");
    let spread_of = |node: Node| spread::<Equations>(&node, 0.1, 1.0);
    for sign in [1.0, -1.0] {
        for part in [0.2, 0.8] {
            assert_exact(spread_of(node(sign * part, sign * 3.0)), to_the_end, "towards the limit");
        }
        for slope in [-3.0, 0.0] {
            assert_exact(spread_of(node(sign * 0.8, sign * slope)), f64::sqrt, "from the limit");
        }
        // Far from the limit, and where the shift is constant.
        for [force, slope] in [[0.5, -3.0], [1.5, 3.0], [1.5, -3.0]] {
            assert_eq!(spread_of(node(sign * force, sign * slope)), [NODES, [1.0; STAGES]]);
        }
        // F_s rises faster than F_0, or falls faster.
        let under = |slope, static_force| spread::<Equations>(&node(sign * 0.8, sign * slope), 0.1, static_force);
        assert_exact(under(3.0, 1.5), f64::sqrt, "from the limit, which rises");
        assert_exact(under(-3.0, 0.5), to_the_end, "towards the limit, which falls");
        // Without a root in the shift.
        assert_eq!(spread::<frdyn2_linear::Equations>(&node(sign * 0.8, -sign), 0.1, 1.0), [NODES, [1.0; STAGES]]);
    }
}

/// Calls `use_it` with random panels of a law: their inputs, states at the start, and length (s).
fn random_panels<L: Light>(law: &L, mut use_it: impl FnMut(&InputTrajectory, [f64; 2], f64)) {
    let bristle = law.bristle();
    let mut random = random(0x2545_f491_4f6c_dd1d);
    for case in 0..60 {
        let normal = light_force(bristle) * libm::exp10(-1.5 * (1.0 + random()));
        let h = libm::exp10(-1.0 + random()) / bristle.omega;
        let speed = bristle.v_s * libm::exp10(random());
        // Away from the turns of v in two of three cases.
        let start = Contact::new(normal, speed * (random() + if case % 3 == 0 { 0.0 } else { 3.0 }));
        let rates = [1.0, 2.0, 6.0].map(|factor| factor * speed * random());
        let derivatives = [
            Contact::new(0.3 * normal / h * random(), rates[0] / h),
            Contact::new(0.0, rates[1] / (h * h)),
            Contact::new(0.0, rates[2] / (h * h * h)),
        ];
        let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
        use_it(&trajectory, [1e-3 * start.v / bristle.omega * random(), 0.1 * start.v * random()], h);
    }
}

/// The panel of a length (s) from the start of a trajectory, in a communication step of `duration` (s).
fn panel<L: Light>(law: &L, trajectory: &InputTrajectory, x: &[f64; 2], h: f64, duration: f64) -> Panel {
    let interval = Interval { trajectory, duration, tolerance: LIGHT_SHARE * TOLERANCE };
    let contact = LightContact { law, interval: &interval };
    let start = Lags::of(law.bristle(), x);
    contact.panel(0.0, h, start, contact.node(0.0, start))
}

#[test]
fn error_of_a_panel_is_allowed_or_at_most_the_estimated_one() {
    fn check<L: Light>(law: &L) {
        let (mut judged, mut worst) = ([0; 2], [0.0_f64; 2]);
        random_panels(law, |trajectory, x, h| {
            let found = panel(law, trajectory, &x, h, h);
            let (expected, loss) = by_short_steps(law, trajectory, x, h);
            let expected = Lags::of(law.bristle(), &expected);
            let ends = [0.0, h].map(|t| trajectory.at(t));
            let static_force = law.bristle().mu_s * ends[0].F_N.max(ends[1].F_N);
            let fastest = ends[0].v.abs().max(ends[1].v.abs());
            let allowed = LIGHT_SHARE * TOLERANCE * static_force;
            let of_states = (found.end.p - expected.p).abs().max((found.end.q - expected.q).abs()) / allowed;
            let of_loss = (found.loss - loss).abs() / (PANEL_LOSS_SHARE * allowed * fastest * h);
            // Of ten thousand steps.
            let rounding = 1e-13 * (expected.p.abs() + expected.q.abs() + static_force) / allowed;
            let error = of_states.max(of_loss);
            let inputs = [ends[0].F_N, ends[0].v, trajectory.derivative_at(0.0).v];
            let first = Node::new(law, inputs, Lags::of(law.bristle(), &x));
            let has_kink = found.nodes.iter().chain([&found.at_end]).any(|node| node.is_beyond_a_kink(law, &first));
            worst[usize::from(has_kink)] = worst[usize::from(has_kink)].max(error / (found.error + rounding));
            judged[usize::from(has_kink)] += 1;
            assert!(
                error <= found.error.max(1.0) + rounding,
                "{trajectory:?}, {x:?}, {h:e}: off by {error:e}, estimated {:e}",
                found.error
            );
        });
        println!("worst {worst:?} of the estimate in {judged:?} panels without and with a kink");
        assert!(judged[0] > 20 && judged[1] > 5, "{judged:?}");
    }
    check(&equations());
    check(&linear_equations());
}

#[test]
fn error_of_the_loss_is_relative_to_the_whole_communication_step() {
    let law = equations();
    let mut judged = 0;
    random_panels(&law, |trajectory, x, h| {
        let error = |part: f64| panel(&law, trajectory, &x, h, part * h).error;
        // In a long step only the states count.
        let of_states = error(1e12);
        assert_eq!(of_states, error(1e13));
        let [long, short] = [1e-6, 1e-7].map(error);
        if long > 2.0 * of_states {
            assert!((short / long - 10.0).abs() < 1e-12, "{long:e} and {short:e} in a tenth of the duration");
            judged += 1;
        }
    });
    assert!(judged > 30, "{judged}");
    // A contact at rest has no loss.
    let found = panel(&law, &InputTrajectory::held(Contact::new(1e-6, 0.0)), &[1e-8, 1e-5], 0.1 / law.omega, 1.0);
    assert!(found.loss == 0.0 && found.error.is_finite(), "{:e} J, {:e}", found.loss, found.error);
}

#[test]
fn panel_whose_iterations_do_not_converge_is_to_be_repeated_with_a_tenth_of_its_length() {
    let law = equations();
    // F_N (N) and v (m/s) with their derivatives, z (m), ż (m/s), and the length (s): c = σ_1 v_s/F_s is next to its least value.
    let cases = [
        ([0.858_168, 1199.219], [2.811_8e-5, -0.418_825, -1913.032], [4.409_84e-8, 1.243_699e-3], 6.311_68e-4),
        ([0.943_374, 1448.024], [-2.333e-7, -0.018_834_5, 69.161_9], [-4.603_9e-8, 1.198_959e-3], 6.195_1e-4),
        ([0.987_028, 1223.505], [-5.972_2e-5, 0.228_845, -1293.074], [1.216e-7, -1.065_105e-3], 6.269_75e-4),
    ];
    for ([normal, slope], [v, first, second], x, h) in cases {
        let derivatives = [Contact::new(slope, first), Contact::new(0.0, second), Contact::ZERO];
        let trajectory =
            InputTrajectory { derivatives: Some(&derivatives), ..InputTrajectory::held(Contact::new(normal, v)) };
        let found = panel(&law, &trajectory, &x, h, h);
        assert!(found.error >= UNCONVERGED, "{normal} N, {v} m/s: {:e}", found.error);
        let shorter = panel(&law, &trajectory, &x, 0.1 * h, h);
        assert!(shorter.error < UNCONVERGED, "{normal} N, {v} m/s: {:e} in a tenth", shorter.error);
        let (expected, _) = by_short_steps(&law, &trajectory, x, 0.1 * h);
        let expected = Lags::of(&law, &expected);
        let off = (shorter.end.p - expected.p).abs().max((shorter.end.q - expected.q).abs());
        let allowed = LIGHT_SHARE * TOLERANCE * law.mu_s * (normal + 0.1 * slope * h);
        assert!(off <= shorter.error.max(1.0) * allowed, "{normal} N, {v} m/s: off by {off:e} N");
    }
}
