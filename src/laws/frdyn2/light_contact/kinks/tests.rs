//! Kinks of a panel against the motion by the classical Runge–Kutta method.

use super::super::tests::{Light, by_runge_kutta, linear_equations};
use super::*;
use crate::law::{Contact, InputTrajectory};
use crate::laws::frdyn2::constants::LIGHT_SHARE;
use crate::laws::frdyn2::light_contact::light_force;
use crate::laws::frdyn2::test_cases::{equations, random};
use crate::laws::solver::Interval;

/// Steps of the reference.
const STEPS: u32 = 2000;

#[test]
fn panel_is_repeated_up_to_just_before_a_limit_of_the_shift_or_just_beyond_the_border_of_a_zone() {
    let (h, crossing) = (2.0, 1e-3);
    let limit = |distance: f64| Kink { distance, turns: true }.length_before(h, crossing);
    // The next step, of the length of a crossing, has the limit in its middle.
    for distance in [0.002, 0.5, 1.9, 1.999] {
        let length = limit(distance).expect("a shorter panel");
        assert!((length - (distance - 0.5 * crossing)).abs() < 1e-15, "{distance}: {length}");
    }
    assert_eq!(limit(0.4 * crossing), Some(crossing));
    assert_eq!(Kink { distance: 0.4 * crossing, turns: true }.length_before(crossing, crossing), None);
    assert_eq!(limit(h + 0.6 * crossing), None);
    let border = |distance: f64, h: f64| Kink { distance, turns: false }.length_before(h, crossing);
    for distance in [0.002, 0.5, 1.9, h * (1.0 - 3.0 * BEYOND_KINK)] {
        let length = border(distance, h).expect("a shorter panel");
        assert!(length > distance && length <= distance * (1.0 + 1.01 * BEYOND_KINK), "{distance}: {length}");
        // The panel that is repeated ends there.
        assert_eq!(border(distance, length), None);
    }
    assert_eq!(border(0.4 * crossing, h), Some(crossing));
}

/// Changes of the side of ±F_s and 0 and of the zone of the characteristic, each with its time (s), in the motion over `h` (s).
fn passages<L: Light>(
    contact: &LightContact<L>,
    inputs: &InputTrajectory,
    mut x: [f64; 2],
    h: f64,
) -> Vec<(f64, bool, bool)> {
    let step = h / f64::from(STEPS);
    let node = |t: f64, x: &[f64; 2]| contact.node(t, Lags::of(contact.law.bristle(), x));
    let mut before = node(0.0, &x);
    let mut found = Vec::new();
    for i in 0..STEPS {
        let t = step * f64::from(i);
        x = by_runge_kutta(contact.law, inputs, x, [t, step]).0;
        let here = node(t + step, &x);
        if here.side != before.side || here.zone != before.zone {
            found.push((t + 0.5 * step, here.side != before.side, here.zone != before.zone));
        }
        before = here;
    }
    found
}

/// The first kink in the panel of `h` (s), the passages of the motion, and whether a kink lies between the ends.
fn kink<L: Light>(
    law: &L,
    inputs: &InputTrajectory,
    x: [f64; 2],
    h: f64,
) -> (Option<Kink>, Vec<(f64, bool, bool)>, bool) {
    let interval = Interval { trajectory: inputs, duration: h, tolerance: LIGHT_SHARE * 1e-6 };
    let contact = LightContact { law, interval: &interval };
    let start = Lags::of(law.bristle(), &x);
    let first = contact.node(0.0, start);
    let panel = contact.panel(0.0, h, start, first);
    (
        contact.first_kink(0.0, start, &first, &panel),
        passages(&contact, inputs, x, h),
        panel.at_end.is_beyond_a_kink(law, &first),
    )
}

#[test]
fn first_kink_is_where_the_motion_passes_a_limit_of_the_shift_or_the_border_of_a_zone() {
    fn check<L: Light>(law: &L) {
        let bristle = law.bristle();
        let mut random = random(0x9e37_79b9_7f4a_7c15);
        let mut judged = [0; 2];
        for case in 0..300 {
            let normal = 0.2 * light_force(bristle) * (1.0 + 0.8 * random());
            let (h, speed) = (0.3 * libm::exp10(random()) / bristle.omega, bristle.v_s * libm::exp10(0.7 * random()));
            let derivatives = [
                Contact::new(0.2 * normal / h * random(), 2.0 * speed / h * random()),
                Contact::new(0.0, 2.0 * speed / (h * h) * random()),
                Contact::new(0.0, 4.0 * speed / (h * h * h) * random()),
            ];
            let start = Contact::new(normal, speed * random());
            let inputs = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            let x = [0.1 * speed / bristle.omega * random(), 0.1 * speed * random()];
            let (found, passages, is_beyond) = kink(law, &inputs, x, h);
            let said = format!("{case}: {inputs:?}, {x:?}, {h:e}: {passages:?}");
            // Beyond the first one the nodes do not follow the motion closely.
            let near = |t: f64, distance: f64| (t - distance).abs() < 1e-2 * h;
            if let Some(Kink { distance, turns }) = found {
                let is_one =
                    |&(t, side, zone): &(f64, bool, bool)| near(t, distance) && if turns { side } else { zone };
                assert!(passages.iter().any(is_one), "{said}: no passage at {distance:e}, turns {turns}");
                judged[usize::from(turns)] += 1;
            }
            if let [(t, side, zone)] = passages[..]
                && is_beyond
            {
                let Kink { distance, turns } = found.unwrap_or_else(|| panic!("{said}: no kink"));
                assert!(near(t, distance) && if turns { side } else { zone }, "{said}: {distance:e}, turns {turns}");
            }
        }
        println!("{judged:?} borders of zones and limits of the shift");
        assert!(judged[0] > 20 && judged[1] > 20, "{judged:?}");
    }
    check(&equations());
    check(&linear_equations());
}

#[test]
fn force_that_turns_between_two_nodes_passes_its_limit_where_the_motion_does() {
    let law = equations();
    // So small a force that v stays below v_s.
    let normal = 1e-4 * light_force(&law);
    let (h, limit) = (0.01 / law.omega, law.mu_s * normal / law.sigma_1);
    // v falls to half of F_s/σ_1 and rises again; it is below F_s/σ_1 in a few thousandths of the panel.
    for (sign, turn, width) in [(1.0, 0.5, 0.01), (-1.0, 0.5, 0.004), (1.0, 0.3, 0.006), (-1.0, 0.68, 0.01)] {
        let bend = 0.5 * limit / (width * width);
        let v = [0.5 * limit + bend * turn * turn, -2.0 * bend * turn / h, 2.0 * bend / (h * h)].map(|v| sign * v);
        let derivatives = [Contact::new(0.0, v[1]), Contact::new(0.0, v[2]), Contact::ZERO];
        let inputs =
            InputTrajectory { start: Contact::new(normal, v[0]), derivatives: Some(&derivatives), delay: None };
        let (found, passages, _) = kink(&law, &inputs, [0.0; 2], h);
        let first = passages.first().expect("a passage").0;
        let Kink { distance, turns } = found.unwrap_or_else(|| panic!("turn at {turn}, {width}: no kink"));
        assert!(turns && (distance - first).abs() < 1e-3 * h, "turn at {turn}: {distance:e}, not {first:e}");
    }
}
