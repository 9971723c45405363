//! Random steps of a body that slides and turns in a plane on up to three contacts, with springs to
//! a base that moves and inputs of up to third order, against Newton's equations with a second
//! transcription of the laws in the plane.

use super::{ELEMENT, MU_S, STIFFNESS, started};
use crate::cards::block_steps::{at, input};
use bristle::assembly::Assembly;
use bristle::catalogue::{
    CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Motion, Term, Variant,
};
use bristle_random::Random;
use bristle_reference_laws::dop853::{TOLERANCE, solve_of_system};
use bristle_reference_laws::planar::PlanarLaw;
use bristle_reference_laws::{BrownMcPhee, FrDyn2Linear, LuGre, frdyn2};
use bristle_tests::cards::{card, complete};

const MOST: usize = 3;
/// States of the reference: x, y, angle, their velocities, and four of each contact.
const STATES: usize = 6 + 4 * MOST;

/// A body in the plane with its inputs over a step.
struct Case {
    h: f64,
    mass: f64,
    inertia: f64,
    /// Spring and damper along x to the base, and those against turning.
    along_x: [f64; 2],
    turning: [f64; 2],
    /// Positions of the contacts from the centre of mass, m.
    places: Vec<[f64; 2]>,
    /// Whether the contacts slide on the base.
    on_base: bool,
    /// Forces along x and y, and the torque.
    loads: [[f64; 4]; 3],
    normal: Vec<[f64; 4]>,
    surface: Vec<[[f64; 4]; 2]>,
    x_base: [f64; 4],
    v_base: [f64; 4],
    start: [f64; STATES],
}

impl Case {
    fn new(random: &mut Random, share: f64) -> Self {
        let h = random.magnitude(1e-4, 1e-2);
        let (mass, arm) = (random.magnitude(0.1, 30.0), random.magnitude(0.02, 0.3));
        let inertia = mass * arm * arm * random.between(0.5, 2.0);
        let spring = |random: &mut Random, inertia: f64| {
            let stiffness = inertia * random.magnitude(10.0, 1e4);
            [
                stiffness,
                random.between(0.0, 0.2) * (stiffness * inertia).sqrt(),
            ]
        };
        let count = 1 + random.below(MOST);
        let largest = random.magnitude(2.0, 60.0);
        let mut start = [0.0; STATES];
        for (i, arm) in [1.0, 1.0, arm].into_iter().enumerate() {
            start[i] = random.between(-1e-3, 1e-3) / arm;
            if !random.once_in(3) {
                let v = random.magnitude(1e-5, 1e-1);
                start[3 + i] = random.sign(v) / arm;
            }
        }
        let (mut places, mut normal, mut surface) = (Vec::new(), Vec::new(), Vec::new());
        for i in 0..count {
            places.push([random.between(-arm, arm), random.between(-arm, arm)]);
            let force = largest * random.between(0.2, 1.0);
            normal.push(input(random, force, share * force, h));
            let moves = random.once_in(2);
            surface.push([0, 1].map(|_| {
                let v = if moves {
                    random.between(-0.1, 0.1)
                } else {
                    0.0
                };
                input(random, v, 0.1 * v, h)
            }));
            let (angle, part) = (
                random.between(0.0, std::f64::consts::TAU),
                random.between(0.0, 0.8),
            );
            let z = part * MU_S * force / STIFFNESS;
            start[6 + 4 * i] = z * libm::cos(angle);
            start[6 + 4 * i + 1] = z * libm::sin(angle);
        }
        Case {
            h,
            mass,
            inertia,
            along_x: spring(random, mass),
            turning: spring(random, inertia),
            places,
            on_base: random.once_in(2),
            loads: [1.0, 1.0, arm].map(|arm| {
                let load = random.between(-1.2, 1.2) * MU_S * largest * arm;
                input(random, load, 0.3 * largest * arm, h)
            }),
            normal,
            surface,
            x_base: input(random, 0.0, 1e-4, h),
            v_base: input(random, 0.0, 1e-4 / h, h),
            start,
        }
    }

    /// Velocity of a contact, from those of the body.
    fn slip(&self, i: usize, t: f64, v: &[f64]) -> [f64; 2] {
        let [p, q] = self.places[i];
        let base = if self.on_base {
            at(self.v_base, t)
        } else {
            0.0
        };
        let [x, y] = self.surface[i].map(|surface| at(surface, t));
        [v[0] - v[2] * q - base - x, v[1] + v[2] * p - y]
    }

    fn rates(&self, law: &PlanarLaw, t: f64, state: &[f64; STATES]) -> [f64; STATES] {
        let (x, v) = (&state[..3], &state[3..6]);
        let mut rates = [0.0; STATES];
        let [mut along, mut across, mut torque] = self.loads.map(|load| at(load, t));
        along -= self.along_x[0] * (x[0] - at(self.x_base, t));
        along -= self.along_x[1] * (v[0] - at(self.v_base, t));
        torque -= self.turning[0] * x[2] + self.turning[1] * v[2];
        for (i, [p, q]) in self.places.iter().enumerate() {
            let own = core::array::from_fn(|k| state[6 + 4 * i + k]);
            let normal = at(self.normal[i], t).max(0.0);
            let ([f, g], of_law) = law.law(normal, self.slip(i, t, v), own);
            rates[6 + 4 * i..][..4].copy_from_slice(&of_law);
            along -= f;
            across -= g;
            torque -= p * g - q * f;
        }
        rates[..3].copy_from_slice(v);
        rates[3..6].copy_from_slice(&[
            along / self.mass,
            across / self.mass,
            torque / self.inertia,
        ]);
        rates
    }

    fn reference(&self, law: &PlanarLaw) -> [f64; STATES] {
        let mut scale = [1e-4; STATES];
        scale[3..6].fill(1e-2);
        for i in 0..MOST {
            scale[6 + 4 * i..][..4].copy_from_slice(&[1e-6, 1e-6, 1e-2, 1e-2]);
        }
        let rate = |t: f64, x: [f64; STATES]| self.rates(law, t, &x);
        solve_of_system(rate, self.start, scale, self.h, TOLERANCE)
    }

    fn variant(&self, law: &str) -> Variant {
        let term = |of, factor| Term { of, factor };
        let coordinate = |name: &str, mass, is_angle| CardCoordinate {
            name: name.to_owned(),
            is_angle,
            mass,
            ..CardCoordinate::default()
        };
        let spring = |name: &str, along: &[Term], [stiffness, damping]: [f64; 2]| CardSpring {
            name: name.to_owned(),
            along: along.to_vec(),
            stiffness,
            damping,
            gap: None,
        };
        let slip = |[p, q]: &[f64; 2]| {
            let mut along_x = vec![term(0, 1.0), term(2, -q)];
            along_x.extend(self.on_base.then(|| term(3, -1.0)));
            CardSlip {
                along: vec![along_x, vec![term(1, 1.0), term(2, *p)]],
            }
        };
        let mut card = card(law, &[]);
        card.motion = Motion::Planar;
        card.contacts = Some(Contacts {
            count: self.places.len() as u32,
            names: (0..self.places.len()).map(|i| format!("c{i}")).collect(),
            ..Contacts::default()
        });
        card.system = Some(CardSystem {
            coordinates: vec![
                coordinate("x", self.mass, false),
                coordinate("y", self.mass, false),
                coordinate("turn", self.inertia, true),
            ],
            bases: vec![CardBase {
                name: "wall".to_owned(),
                is_angle: false,
            }],
            springs: vec![
                spring("to_wall", &[term(0, 1.0), term(3, -1.0)], self.along_x),
                spring("back", &[term(2, 1.0)], self.turning),
            ],
            contacts: self.places.iter().map(slip).collect(),
        });
        card.experiment.tolerance = ELEMENT;
        complete(card)
    }

    /// Names of the inputs with their values.
    fn inputs(&self) -> Vec<(String, [f64; 4])> {
        let mut inputs: Vec<(String, [f64; 4])> = ["x.F", "y.F", "turn.M"]
            .into_iter()
            .zip(self.loads)
            .chain([("wall.x_base", self.x_base), ("wall.v_base", self.v_base)])
            .map(|(name, input)| (name.to_owned(), input))
            .collect();
        for (i, normal) in self.normal.iter().enumerate() {
            let [x, y] = self.surface[i];
            inputs.extend([
                (format!("c{i}.F_N"), *normal),
                (format!("c{i}.v_surface_x"), x),
                (format!("c{i}.v_surface_y"), y),
            ]);
        }
        inputs
    }

    /// The element at the start of the step, with the derivatives of its inputs.
    fn element(&self, variant: &Variant) -> Assembly {
        let names = ["x.x", "y.x", "turn.phi", "x.v", "y.v", "turn.omega"];
        let of_body = names.map(str::to_owned).into_iter().zip(self.start);
        let of_contacts = (0..self.places.len())
            .flat_map(|i| {
                [
                    (format!("c{i}.z_x"), self.start[6 + 4 * i]),
                    (format!("c{i}.z_y"), self.start[6 + 4 * i + 1]),
                ]
            })
            .filter(|(name, _)| variant.find(name).is_some());
        started(variant, &self.inputs(), of_body.chain(of_contacts))
    }
}

/// Compares random steps of a law with the reference.
fn random_steps(name: &str, law: &PlanarLaw) {
    const DRAWS: u32 = 150;
    let mut random = Random::new(9);
    let (mut beyond, mut worst) = (0, [0.0_f64; 2]);
    for draw in 0..DRAWS {
        let case = Case::new(&mut random, 0.1);
        let variant = case.variant(name);
        let mut element = case.element(&variant);
        let expected = case.reference(law);
        element.advance(case.h).expect("a step");
        let value = |name: &str| element.value(variant.find(name).expect("a variable").reference);
        let mut off = [0.0_f64; 2];
        let mut largest = 0.0_f64;
        for i in 0..case.places.len() {
            let own = core::array::from_fn(|k| expected[6 + 4 * i + k]);
            let normal = at(case.normal[i], case.h).max(0.0);
            let (force, _) = law.law(normal, case.slip(i, case.h, &expected[3..6]), own);
            for (name, force) in ["F_R_x", "F_R_y"].into_iter().zip(force) {
                let of_force = (value(&format!("c{i}.{name}")) - force).abs();
                off[0] = off[0].max(of_force / (MU_S * normal.max(0.01)));
            }
            largest = largest.max(MU_S * normal);
        }
        let inertias = [case.mass, case.mass, case.inertia];
        for ((name, expected), inertia) in ["x.v", "y.v", "turn.omega"]
            .into_iter()
            .zip(&expected[3..6])
            .zip(inertias)
        {
            let pushed = largest * case.h.min(1e-3) / (case.mass * inertia).sqrt();
            let of_v = (value(name) - expected).abs();
            off[1] = off[1].max(of_v / pushed.max(1e-3 * expected.abs()));
        }
        if off[0] > ELEMENT || off[1] > 3.0 * ELEMENT {
            println!("{name} {draw}: {off:?}");
            beyond += 1;
        }
        worst = core::array::from_fn(|i| worst[i].max(off[i]));
    }
    println!("{name} in the plane: {beyond} of {DRAWS} beyond the tolerance, worst {worst:?}");
    assert!(
        beyond <= 1 && worst[0] < 3.0 * ELEMENT,
        "{name}: {beyond}, {worst:?}"
    );
}

#[test]
fn random_steps_of_a_body_in_the_plane_are_within_the_tolerance() {
    random_steps("FrDyn2", &PlanarLaw::FrDyn2(frdyn2::PAPER));
    random_steps(
        "FrDyn2Linear",
        &PlanarLaw::FrDyn2Linear(FrDyn2Linear::paper()),
    );
    random_steps("LuGre", &PlanarLaw::LuGre(LuGre::default()));
    let law = PlanarLaw::Static(Box::new(BrownMcPhee::default()));
    random_steps("BrownMcPhee", &law);
}
