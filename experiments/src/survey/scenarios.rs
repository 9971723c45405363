//! Scenarios of the survey. The coupling was not tuned on any of them.

use super::system::{Factors, Link, Slide, System};
use bristle::catalogue::CardBody;
use bristle_rigs::G;
use core::f64::consts::TAU;

/// Scenario of the survey.
pub struct Scenario {
    /// Name in tables.
    pub name: &'static str,
    /// The system.
    pub system: System,
    /// End of the run, s.
    pub end: f64,
    /// Knowledge of the body beside m_eff.
    pub known: Known,
}

/// Knowledge of the body beside m_eff that a user may have.
pub enum Known {
    /// Nothing.
    Nothing,
    /// All contacts act on one body.
    Body(CardBody),
    /// The contact mass hangs on a spring: its stiffness (N/m), damping (N·s/m), and the mass at its other end (kg), 0 for the ground.
    Support([f64; 3]),
}

/// Static friction force of 1 kg, N, with FrDyn2's default coefficient.
const FORCE: f64 = 0.6 * G;

fn weight(_: f64, _: &[f64]) -> f64 {
    G
}

fn on_ground(on: usize, m_eff: f64, normal: fn(f64, &[f64]) -> f64) -> Slide {
    Slide { on, against: None, belt: 0.0, normal, m_eff }
}

fn sine(t: f64, hertz: f64) -> f64 {
    libm::sin(TAU * hertz * t)
}

/// Penetration of the bouncing body, whose normal motion is that of mass 1, N.
fn bounce(_: f64, y: &[f64]) -> f64 {
    (2e4 * y[2] + 20.0 * y[3]).max(0.0) * f64::from(y[2] > 0.0)
}

/// Chain of ten masses with springs of `k` (N/m).
fn chain(k: f64, slides: Vec<Slide>) -> System {
    System {
        masses: vec![1.0; 10],
        links: (0..9).map(|a| Link { a, b: Some(a + 1), k, d: 1e-3 * k }).collect(),
        slides,
        load: |i, t, _| if i == 0 { 6.0 * FORCE * sine(t, 1.5) } else { 0.0 },
        longest_step: 2e-4,
        factors: Factors::NONE,
    }
}

/// All scenarios.
pub fn all() -> Vec<Scenario> {
    let plain = |masses: Vec<f64>, links: Vec<Link>, slides: Vec<Slide>, load: fn(usize, f64, &[f64]) -> f64| System {
        masses,
        links,
        slides,
        load,
        longest_step: 1e-4,
        factors: Factors::NONE,
    };
    let grounded = |a, k, d| Link { a, b: None, k, d };
    let between = |a, b, k, d| Link { a, b: Some(b), k, d };
    let scenario = |name, system, end| Scenario { name, system, end, known: Known::Nothing };
    let supported = |support, scenario| Scenario { known: Known::Support(support), ..scenario };
    let on_body = |mass, scenario| Scenario {
        known: Known::Body(CardBody { mass: Some(mass), ..CardBody::default() }),
        ..scenario
    };
    vec![
        scenario(
            "two bodies rubbing",
            plain(
                vec![1.0, 2.0],
                vec![grounded(1, 500.0, 5.0)],
                vec![Slide { on: 0, against: Some(1), belt: 0.0, normal: weight, m_eff: 2.0 / 3.0 }],
                |i, t, _| if i == 0 { 1.3 * FORCE * sine(t, 2.0) } else { -0.7 * FORCE * sine(t, 3.1) },
            ),
            1.0,
        ),
        scenario(
            "two bodies on springs",
            plain(
                vec![0.5, 5.0],
                vec![grounded(0, 2e3, 1.0), grounded(1, 1e3, 1.0)],
                vec![Slide { on: 0, against: Some(1), belt: 0.0, normal: weight, m_eff: 2.5 / 5.5 }],
                |i, t, _| if i == 1 { 3.0 * FORCE * sine(t, 1.7) } else { 0.0 },
            ),
            1.0,
        ),
        supported(
            [1e4, 2.0, 1.0],
            scenario(
                "brake on an elastic shaft",
                plain(vec![1.0, 0.5], vec![between(0, 1, 1e4, 2.0)], vec![on_ground(1, 0.5, weight)], |i, t, _| {
                    if i == 0 { 1.4 * FORCE * sine(t, 1.5) } else { 0.0 }
                }),
                1.0,
            ),
        ),
        supported(
            [1e5, 5.0, 1.0],
            scenario(
                "braked motor",
                plain(vec![1.0, 0.2], vec![between(0, 1, 1e5, 5.0)], vec![on_ground(1, 0.2, weight)], |i, t, _| {
                    if i == 0 {
                        FORCE * (0.8 * (t * 20.0).min(1.0) + 0.1 * sine(t, 7.0)) + if t > 0.5 { 2.0 } else { 0.0 }
                    } else {
                        0.0
                    }
                }),
                1.0,
            ),
        ),
        scenario(
            "chain of ten, ten contacts",
            chain(2e3, (0..10).map(|on| on_ground(on, 1.0, |_, _| 0.4 * G)).collect()),
            1.0,
        ),
        scenario("chain of ten, one contact", chain(1e4, vec![on_ground(9, 1.0, |_, _| 5.0 * G)]), 1.0),
        on_body(
            1.0,
            scenario(
                "two contacts, 11 to 9",
                plain(
                    vec![1.0],
                    vec![],
                    vec![on_ground(0, 0.5, |_, _| 0.55 * G), on_ground(0, 0.5, |_, _| 0.45 * G)],
                    |_, t, _| 1.4 * FORCE * sine(t, 2.0),
                ),
                1.0,
            ),
        ),
        on_body(
            1.0,
            scenario(
                "two contacts, 4 to 1",
                plain(
                    vec![1.0],
                    vec![grounded(0, 300.0, 1.0)],
                    vec![on_ground(0, 0.5, |_, _| 0.8 * G), on_ground(0, 0.5, |_, _| 0.2 * G)],
                    |_, t, _| 1.6 * FORCE * sine(t, 1.3),
                ),
                1.0,
            ),
        ),
        supported(
            [1e6, 50.0, 10.0],
            scenario(
                "foot on a heavy body",
                plain(
                    vec![10.0, 0.1],
                    vec![between(0, 1, 1e6, 50.0)],
                    vec![on_ground(1, 0.1, |_, _| 10.0 * G)],
                    |i, t, _| if i == 0 { 13.0 * FORCE * sine(t, 2.0) } else { 0.0 },
                ),
                1.0,
            ),
        ),
        supported(
            [2e4, 20.0, 10.0],
            scenario(
                "foot on a soft leg",
                plain(
                    vec![10.0, 0.5],
                    vec![between(0, 1, 2e4, 20.0), grounded(0, 1e3, 10.0)],
                    vec![on_ground(1, 0.5, |_, _| 10.0 * G)],
                    |i, t, _| if i == 0 { 14.0 * FORCE * sine(t, 1.3) } else { 0.0 },
                ),
                1.0,
            ),
        ),
        scenario(
            "bounce with loss of contact",
            System {
                masses: vec![1.0, 1.0],
                links: vec![],
                slides: vec![on_ground(0, 1.0, bounce)],
                // Mass 1 is the motion along the normal, downwards.
                load: |i, t, y| {
                    if i == 0 { 2.0 + FORCE * sine(t, 3.0) } else { G + 12.0 * sine(t, 4.0) - bounce(t, y) }
                },
                longest_step: 1e-4,
                factors: Factors::NONE,
            },
            1.0,
        ),
        supported(
            [1100.0, 3.0, 0.0],
            scenario(
                "mode coupling",
                System {
                    masses: vec![1.0, 1.0],
                    links: vec![grounded(0, 1100.0, 3.0), grounded(1, 1400.0, 3.0)],
                    // Mass 1 is the motion along the normal, towards the belt.
                    slides: vec![Slide {
                        on: 0,
                        against: None,
                        belt: 0.3,
                        normal: |_, y| (20.0 + 900.0 * y[2]).max(0.0),
                        m_eff: 1.0,
                    }],
                    load: |i, _, y| if i == 0 { 250.0 * y[2] } else { 250.0 * y[0] },
                    longest_step: 1e-4,
                    factors: Factors::NONE,
                },
                1.0,
            ),
        ),
        scenario(
            "two-mass oscillator",
            plain(
                vec![1.0, 1.0],
                vec![grounded(0, 1e4, 10.0), between(0, 1, 1e4, 10.0)],
                vec![on_ground(1, 1.0, weight)],
                |i, t, _| if i == 0 { 6.0 * FORCE * sine(t, 2.5) } else { 0.0 },
            ),
            1.0,
        ),
        supported(
            [50.0, 0.0, 0.0],
            scenario(
                "mass on a belt",
                plain(
                    vec![1.0],
                    vec![grounded(0, 50.0, 0.0)],
                    vec![Slide { on: 0, against: None, belt: 0.1, normal: weight, m_eff: 1.0 }],
                    |_, _, _| 0.0,
                ),
                3.0,
            ),
        ),
        supported(
            [1e4, 2.0, 0.0],
            scenario(
                "mass on a grounded spring",
                plain(vec![1.0], vec![grounded(0, 1e4, 2.0)], vec![on_ground(0, 1.0, weight)], |_, t, _| {
                    8.0 * FORCE * sine(t, 2.0)
                }),
                1.0,
            ),
        ),
        on_body(
            4.0,
            scenario(
                "eight contacts on one body",
                plain(
                    vec![4.0],
                    vec![grounded(0, 400.0, 4.0)],
                    [|_: f64, _: &[f64]| 0.45 * G, |_: f64, _: &[f64]| 0.55 * G]
                        .iter()
                        .cycle()
                        .take(8)
                        .map(|normal| on_ground(0, 0.5, *normal))
                        .collect(),
                    |_, t, _| 6.0 * FORCE * sine(t, 1.5),
                ),
                1.0,
            ),
        ),
    ]
}
