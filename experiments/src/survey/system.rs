//! Systems of masses, springs and loads with friction contacts between them, built from parts.

use bristle::law::Contact;
use bristle_rigs::Rig;

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
    /// Effective mass that a user knows: the reduced mass of both sides over the number of contacts between them, kg.
    pub m_eff: f64,
}

/// Factors on the forces of a system.
#[derive(Clone, Copy, Debug)]
pub struct Factors {
    /// On the load.
    pub load: f64,
    /// On the normal forces of the contacts.
    pub normal: f64,
    /// On the time of the load.
    pub pace: f64,
}

impl Factors {
    /// No change.
    pub const NONE: Factors = Factors { load: 1.0, normal: 1.0, pace: 1.0 };
}

/// System of masses that move along one axis each. Its state is (x, v) of each mass.
#[derive(Clone)]
pub struct System {
    /// Masses, kg.
    pub masses: Vec<f64>,
    /// Springs and dampers.
    pub links: Vec<Link>,
    /// Friction contacts.
    pub slides: Vec<Slide>,
    /// Load on a mass (N) at a time (s), in a state, beside links and friction.
    pub load: fn(usize, f64, &[f64]) -> f64,
    /// Factors on loads and normal forces.
    pub factors: Factors,
    /// Longest step of the Runge–Kutta method, s.
    pub longest_step: f64,
}

impl System {
    /// Normal force of a contact, N.
    pub fn normal(&self, t: f64, y: &[f64], contact: usize) -> f64 {
        self.factors.normal * (self.slides[contact].normal)(t, y)
    }

    /// Mass with which the first contact answers to its force over a step of `h` (s), kg: the impulse over the change of its velocity at the end.
    /// Other contacts between the same masses act in proportion to their normal forces.
    pub fn answering_mass(&self, h: f64) -> f64 {
        let start = self.start();
        let normal = |contact: usize| self.normal(0.0, &start, contact);
        let first = &self.slides[0];
        let share = |contact: usize| match &self.slides[contact] {
            _ if contact == 0 => 1.0,
            slide if slide.on == first.on && slide.against == first.against => normal(contact) / normal(0),
            _ => 0.0,
        };
        let velocity = |force: f64| {
            let mut y = self.start();
            let forces: Vec<f64> = (0..self.contacts()).map(|contact| force * share(contact)).collect();
            self.advance(0.0, &mut y, h, &forces);
            self.contact(h, &y, 0).v
        };
        h / (velocity(0.0) - velocity(1.0))
    }

    /// Relative acceleration in a contact under these friction forces, m/s².
    pub fn acceleration(&self, t: f64, y: &[f64], contact: usize, friction: &[f64]) -> f64 {
        let mut rate = vec![0.0; y.len()];
        self.rate(t, y, friction, &mut rate);
        let slide = &self.slides[contact];
        rate[2 * slide.on + 1] - slide.against.map_or(0.0, |other| rate[2 * other + 1])
    }
}

impl Rig for System {
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
        Contact::new(self.normal(t, y, contact), y[2 * slide.on + 1] - counterpart)
    }

    fn mass(&self, contact: usize) -> f64 {
        self.slides[contact].m_eff
    }

    fn rate(&self, t: f64, y: &[f64], friction: &[f64], rate: &mut [f64]) {
        for i in 0..self.masses.len() {
            rate[2 * i] = y[2 * i + 1];
            rate[2 * i + 1] = self.factors.load * (self.load)(i, self.factors.pace * t, y);
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
