//! Systems of masses, springs and loads with friction contacts between them, built from parts.

use crate::{G, Rig};
use bristle::law::Contact;
use core::f64::consts::TAU;

/// Spring and damper from a mass to another one, or to the ground.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Mass at one end.
    pub a: usize,
    /// Mass at the other end; `None`: the ground.
    pub b: Option<usize>,
    /// Stiffness, N/m.
    pub k: f64,
    /// Damping, N·s/m.
    pub d: f64,
}

/// Friction contact.
#[derive(Clone, Copy)]
pub struct Slide {
    /// Mass with the contact.
    pub on: usize,
    /// Mass on which it slides; `None`: the ground or a belt.
    pub against: Option<usize>,
    /// Velocity of the belt, m/s.
    pub belt: f64,
    /// Normal force (N) at a time (s), in a state.
    pub normal: fn(f64, &[f64]) -> f64,
    /// Effective mass that a user knows: the reduced mass of both sides over the number of contacts
    /// between them, kg.
    pub m_eff: f64,
}

/// System of masses that move along one axis each. Its state is (x, v) of each mass.
#[derive(Clone)]
pub struct LinkedMasses {
    /// Masses, kg.
    pub masses: Vec<f64>,
    /// Springs and dampers.
    pub links: Vec<Link>,
    /// Friction contacts.
    pub slides: Vec<Slide>,
    /// Load on a mass (N) at a time (s), in a state, beside links and friction.
    pub load: fn(usize, f64, &[f64]) -> f64,
    /// Longest step of the Runge–Kutta method, s.
    pub longest_step: f64,
}

impl LinkedMasses {
    /// Normal force of a contact, N.
    pub fn normal(&self, t: f64, y: &[f64], contact: usize) -> f64 {
        (self.slides[contact].normal)(t, y)
    }
}

impl Rig for LinkedMasses {
    fn states(&self) -> &'static [(&'static str, &'static str)] {
        &[("x", "m"), ("v", "m/s")]
    }

    fn start(&self) -> Vec<f64> {
        vec![0.0; 2 * self.masses.len()]
    }

    fn sizes(&self) -> Vec<f64> {
        self.masses.iter().flat_map(|_| [1e-3, 1e-2]).collect()
    }

    fn contacts(&self) -> usize {
        self.slides.len()
    }

    fn contact(&self, t: f64, y: &[f64], contact: usize) -> Contact {
        let slide = &self.slides[contact];
        let counterpart = slide.against.map_or(slide.belt, |other| y[2 * other + 1]);
        Contact::new(
            self.normal(t, y, contact),
            y[2 * slide.on + 1] - counterpart,
        )
    }

    fn mass(&self, contact: usize) -> f64 {
        self.slides[contact].m_eff
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        for i in 0..self.masses.len() {
            rate[2 * i] = y[2 * i + 1];
            rate[2 * i + 1] = (self.load)(i, t, y);
        }
        for Link { a, b, k, d } in &self.links {
            let [x, v] = b.map_or([0.0; 2], |b| [y[2 * b], y[2 * b + 1]]);
            let force = k * (y[2 * a] - x) + d * (y[2 * a + 1] - v);
            rate[2 * a + 1] -= force;
            if let Some(b) = b {
                rate[2 * b + 1] += force;
            }
        }
        for (slide, force) in self.slides.iter().zip(friction) {
            rate[2 * slide.on + 1] -= force;
            if let Some(other) = slide.against {
                rate[2 * other + 1] += force;
            }
        }
        for (i, mass) in self.masses.iter().enumerate() {
            rate[2 * i + 1] /= mass;
        }
    }

    fn longest_step(&self) -> f64 {
        self.longest_step
    }
}

/// A system with the end of its run.
#[allow(missing_debug_implementations)] // functions
pub struct Scenario {
    /// Name in tables.
    pub name: &'static str,
    /// The system.
    pub system: LinkedMasses,
    /// End of the run, s.
    pub end: f64,
}

/// Static friction force of 1 kg, N, with FrDyn2's default coefficient.
const FORCE: f64 = 0.6 * G;

fn weight(_: f64, _: &[f64]) -> f64 {
    G
}

fn on_ground(on: usize, m_eff: f64, normal: fn(f64, &[f64]) -> f64) -> Slide {
    Slide {
        on,
        against: None,
        belt: 0.0,
        normal,
        m_eff,
    }
}

fn rubbing(m_eff: f64) -> Slide {
    Slide {
        against: Some(1),
        ..on_ground(0, m_eff, weight)
    }
}

fn sine(t: f64, hertz: f64) -> f64 {
    libm::sin(TAU * hertz * t)
}

/// Penetration of the bouncing body, whose normal motion is that of mass 1, N.
fn bounce(_: f64, y: &[f64]) -> f64 {
    (2e4 * y[2] + 20.0 * y[3]).max(0.0) * f64::from(y[2] > 0.0)
}

/// Chain of ten masses with springs of `k` (N/m).
fn chain(k: f64) -> Vec<Link> {
    (0..9)
        .map(|a| Link {
            a,
            b: Some(a + 1),
            k,
            d: 1e-3 * k,
        })
        .collect()
}

/// Load on a mass (N) at a time (s), in a state.
type Load = fn(usize, f64, &[f64]) -> f64;

fn scenario(
    name: &'static str,
    masses: &[f64],
    links: &[Link],
    slides: &[Slide],
    load: Load,
) -> Scenario {
    let (masses, links, slides) = (masses.into(), links.into(), slides.into());
    let end = if name == "mass on a belt" { 3.0 } else { 1.0 };
    Scenario {
        name,
        system: LinkedMasses {
            masses,
            links,
            slides,
            load,
            longest_step: 1e-4,
        },
        end,
    }
}

fn grounded(a: usize, k: f64, d: f64) -> Link {
    Link { a, b: None, k, d }
}

fn between(a: usize, b: usize, k: f64, d: f64) -> Link {
    Link {
        a,
        b: Some(b),
        k,
        d,
    }
}

/// Scenarios on which the body observer was not tuned.
pub fn scenarios() -> Vec<Scenario> {
    [several_bodies(), single_bodies()]
        .into_iter()
        .flatten()
        .collect()
}

fn several_bodies() -> Vec<Scenario> {
    let swinging: Load = |i, t, _| {
        if i == 0 {
            6.0 * FORCE * sine(t, 1.5)
        } else {
            0.0
        }
    };
    vec![
        scenario(
            "two bodies rubbing",
            &[1.0, 2.0],
            &[grounded(1, 500.0, 5.0)],
            &[rubbing(2.0 / 3.0)],
            |i, t, _| {
                if i == 0 {
                    1.3 * FORCE * sine(t, 2.0)
                } else {
                    -0.7 * FORCE * sine(t, 3.1)
                }
            },
        ),
        scenario(
            "two bodies on springs",
            &[0.5, 5.0],
            &[grounded(0, 2e3, 1.0), grounded(1, 1e3, 1.0)],
            &[rubbing(2.5 / 5.5)],
            |i, t, _| {
                if i == 1 {
                    3.0 * FORCE * sine(t, 1.7)
                } else {
                    0.0
                }
            },
        ),
        scenario(
            "brake on an elastic shaft",
            &[1.0, 0.5],
            &[between(0, 1, 1e4, 2.0)],
            &[on_ground(1, 0.5, weight)],
            |i, t, _| {
                if i == 0 {
                    1.4 * FORCE * sine(t, 1.5)
                } else {
                    0.0
                }
            },
        ),
        scenario(
            "braked motor",
            &[1.0, 0.2],
            &[between(0, 1, 1e5, 5.0)],
            &[on_ground(1, 0.2, weight)],
            |i, t, _| {
                let torque = FORCE * (0.8 * (t * 20.0).min(1.0) + 0.1 * sine(t, 7.0))
                    + if t > 0.5 { 2.0 } else { 0.0 };
                if i == 0 { torque } else { 0.0 }
            },
        ),
        scenario(
            "chain of ten, ten contacts",
            &[1.0; 10],
            &chain(2e3),
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|on| on_ground(on, 1.0, |_, _| 0.4 * G)),
            swinging,
        ),
        scenario(
            "chain of ten, one contact",
            &[1.0; 10],
            &chain(1e4),
            &[on_ground(9, 1.0, |_, _| 5.0 * G)],
            swinging,
        ),
        scenario(
            "foot on a heavy body",
            &[10.0, 0.1],
            &[between(0, 1, 1e6, 50.0)],
            &[on_ground(1, 0.1, |_, _| 10.0 * G)],
            |i, t, _| {
                if i == 0 {
                    13.0 * FORCE * sine(t, 2.0)
                } else {
                    0.0
                }
            },
        ),
        scenario(
            "foot on a soft leg",
            &[10.0, 0.5],
            &[between(0, 1, 2e4, 20.0), grounded(0, 1e3, 10.0)],
            &[on_ground(1, 0.5, |_, _| 10.0 * G)],
            |i, t, _| {
                if i == 0 {
                    14.0 * FORCE * sine(t, 1.3)
                } else {
                    0.0
                }
            },
        ),
        // Mass 1 is the motion along the normal, downwards.
        scenario(
            "bounce with loss of contact",
            &[1.0, 1.0],
            &[],
            &[on_ground(0, 1.0, bounce)],
            |i, t, y| {
                if i == 0 {
                    2.0 + FORCE * sine(t, 3.0)
                } else {
                    G + 12.0 * sine(t, 4.0) - bounce(t, y)
                }
            },
        ),
        // Mass 1 is the motion along the normal, towards the belt.
        scenario(
            "mode coupling",
            &[1.0, 1.0],
            &[grounded(0, 1100.0, 3.0), grounded(1, 1400.0, 3.0)],
            &[Slide {
                belt: 0.3,
                ..on_ground(0, 1.0, |_, y| (20.0 + 900.0 * y[2]).max(0.0))
            }],
            |i, _, y| if i == 0 { 250.0 * y[2] } else { 250.0 * y[0] },
        ),
        scenario(
            "two-mass oscillator",
            &[1.0, 1.0],
            &[grounded(0, 1e4, 10.0), between(0, 1, 1e4, 10.0)],
            &[on_ground(1, 1.0, weight)],
            |i, t, _| {
                if i == 0 {
                    6.0 * FORCE * sine(t, 2.5)
                } else {
                    0.0
                }
            },
        ),
    ]
}

fn single_bodies() -> Vec<Scenario> {
    vec![
        scenario(
            "two contacts, 11 to 9",
            &[1.0],
            &[],
            &[
                on_ground(0, 0.5, |_, _| 0.55 * G),
                on_ground(0, 0.5, |_, _| 0.45 * G),
            ],
            |_, t, _| 1.4 * FORCE * sine(t, 2.0),
        ),
        scenario(
            "two contacts, 4 to 1",
            &[1.0],
            &[grounded(0, 300.0, 1.0)],
            &[
                on_ground(0, 0.5, |_, _| 0.8 * G),
                on_ground(0, 0.5, |_, _| 0.2 * G),
            ],
            |_, t, _| 1.6 * FORCE * sine(t, 1.3),
        ),
        scenario(
            "mass on a belt",
            &[1.0],
            &[grounded(0, 50.0, 0.0)],
            &[Slide {
                belt: 0.1,
                ..on_ground(0, 1.0, weight)
            }],
            |_, _, _| 0.0,
        ),
        scenario(
            "mass on a grounded spring",
            &[1.0],
            &[grounded(0, 1e4, 2.0)],
            &[on_ground(0, 1.0, weight)],
            |_, t, _| 8.0 * FORCE * sine(t, 2.0),
        ),
        scenario(
            "eight contacts on one body",
            &[4.0],
            &[grounded(0, 400.0, 4.0)],
            &[[
                on_ground(0, 0.5, |_, _| 0.45 * G),
                on_ground(0, 0.5, |_, _| 0.55 * G),
            ]; 4]
                .concat(),
            |_, t, _| 6.0 * FORCE * sine(t, 1.5),
        ),
    ]
}
