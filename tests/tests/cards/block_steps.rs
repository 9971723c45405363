//! Random steps of a block with inputs of up to third order in time, against the same system solved by Dormand and Prince's method at a far
//! smaller tolerance over a second transcription of the laws.

use super::block::{BlockLaw, FrDyn2, LawState};
use super::inside::LuGre;
use bristle::assembly::Assembly;
use bristle::catalogue::{CardBlock, Variant};
use bristle_random::Random;
use bristle_reference_laws::dop853::{TOLERANCE, solve};
use bristle_reference_laws::{Contact, FrDyn2Linear};
use bristle_tests::cards::{card, complete};

struct Linear;

/// LuGre, whose elastic force is limited where F_N falls faster than the bristle relaxes.
struct Limited;

impl BlockLaw for Limited {
    fn rates(&self, contact: Contact, ([z, other], mode): &LawState) -> (f64, [f64; 2]) {
        let reach = MU_S * contact.F_N / STIFFNESS;
        let (force, _) = LuGre.rates(contact, &([z.clamp(-reach, reach), *other], *mode));
        (force, LuGre.rates(contact, &([*z, *other], *mode)).1)
    }
}

impl BlockLaw for Linear {
    fn rates(&self, contact: Contact, (x, _): &LawState) -> (f64, [f64; 2]) {
        FrDyn2Linear::paper().law(contact, *x)
    }
}

/// Static coefficient of friction and stiffness (N/m) of all these laws.
const MU_S: f64 = 0.6;
const STIFFNESS: f64 = 5e6;
/// Tolerance of the element, that of F_R over F_s.
const ELEMENT: f64 = 1e-6;

/// Value and derivatives of an input: of order 1 to 3 such that each changes it by about `change` over the step of `h` (s).
fn input(random: &mut Random, value: f64, change: f64, h: f64) -> [f64; 4] {
    let mut share = || random.between(-1.0, 1.0) * change;
    [value, share() / h, 2.0 * share() / (h * h), 6.0 * share() / (h * h * h)]
}

fn at([value, first, second, third]: [f64; 4], t: f64) -> f64 {
    value + t * (first + t * (second / 2.0 + t * third / 6.0))
}

/// Block with its inputs over a step.
struct Case {
    h: f64,
    mass: f64,
    spring: [f64; 2],
    /// F, x_base, v_base, v_surface, F_N.
    inputs: [[f64; 4]; 5],
    start: [f64; 4],
}

const NAMES: [&str; 5] = ["F", "x_base", "v_base", "v_surface", "F_N"];

impl Case {
    fn new(random: &mut Random) -> Self {
        let h = random.magnitude(1e-4, 1e-2);
        let mass = random.magnitude(1e-2, 1e2);
        let stiffness = if random.once_in(2) { 0.0 } else { random.magnitude(10.0, 1e4) };
        let spring = [stiffness, random.between(0.0, 0.2) * (stiffness * mass).sqrt()];
        let normal = random.magnitude(1.0, 60.0);
        let force = MU_S * normal;
        let moves = if random.once_in(2) { 0.0 } else { random.magnitude(1e-4, 0.1) };
        let surface = random.sign(moves);
        let speed = random.magnitude(1e-5, 1e-1);
        let inputs = [
            {
                let load = random.between(-1.2, 1.2) * force;
                input(random, load, 0.3 * force, h)
            },
            input(random, 0.0, 1e-4, h),
            input(random, 0.0, 1e-4 / h, h),
            input(random, surface, 0.1 * moves, h),
            input(random, normal, 0.1 * normal, h),
        ];
        let z = random.between(-0.8, 0.8) * force / STIFFNESS;
        let v = surface + if random.once_in(3) { 0.0 } else { random.sign(speed) };
        Case { h, mass, spring, inputs, start: [0.0, v, z, 0.0] }
    }

    fn contact(&self, t: f64, v: f64) -> Contact {
        Contact::new(at(self.inputs[4], t), v - at(self.inputs[3], t))
    }

    /// States x, v, z, ż at the end, and F_R.
    fn reference(&self, law: &dyn BlockLaw) -> ([f64; 4], f64) {
        let rate = |t: f64, [x, v, z, z_dot]: [f64; 4]| {
            let (friction, rates) = law.rates(self.contact(t, v), &([z, z_dot], 0.0));
            let [force, x_base, v_base] = [0, 1, 2].map(|input| at(self.inputs[input], t));
            let [k, d] = self.spring;
            [v, (force - friction - k * (x - x_base) - d * (v - v_base)) / self.mass, rates[0], rates[1]]
        };
        let end = solve(rate, self.start, [1e-4, 1e-2, 1e-6, 1e-2], self.h, TOLERANCE);
        let (friction, _) = law.rates(self.contact(self.h, end[1]), &([end[2], end[3]], 0.0));
        (end, friction)
    }

    /// The element at the start of the step, with the derivatives of its inputs.
    fn element(&self, variant: &Variant) -> Assembly {
        let mut element = variant.instantiate();
        let find = |name: &str| variant.find(name).expect("a variable");
        for (name, input) in NAMES.into_iter().zip(self.inputs) {
            element.set(find(name), input[0]);
        }
        for (name, value) in ["x", "v", "z", "z_dot"].into_iter().zip(self.start) {
            // LuGre has no ż.
            if let Some(state) = variant.find(name) {
                element.set(state, value);
            }
        }
        element.initialize().expect("a start");
        for (name, input) in NAMES.into_iter().zip(self.inputs) {
            for (order, derivative) in (1..).zip(&input[1..]) {
                element.set_input_derivative(find(name), order, *derivative).expect("an input");
            }
        }
        element
    }
}

#[test]
fn random_steps_of_a_block_with_derivatives_of_all_inputs_are_within_the_tolerance() {
    let laws: [(&str, &dyn BlockLaw); 3] = [("FrDyn2", &FrDyn2), ("FrDyn2Linear", &Linear), ("LuGre", &Limited)];
    for (name, law) in laws {
        let mut random = Random::new(5);
        let (mut beyond, mut worst) = (0, [0.0_f64; 2]);
        for number in 0..150 {
            let case = Case::new(&mut random);
            let mut card = card(name, &[]);
            card.block = Some(CardBlock { mass: case.mass, stiffness: case.spring[0], damping: case.spring[1] });
            card.experiment.tolerance = ELEMENT;
            let variant = complete(card);
            let (expected, friction) = case.reference(law);
            let mut element = case.element(&variant);
            element.advance(case.h).expect("a step");
            let value = |name: &str| element.value(variant.find(name).expect("a variable").reference);
            let static_force = MU_S * at(case.inputs[4], case.h);
            let of_force = (value("F_R") - friction).abs() / static_force;
            // v counts as what F_s changes it by within a millisecond, or a thousandth of itself.
            let scale = (static_force * case.h.min(1e-3) / case.mass).max(1e-3 * expected[1].abs());
            let of_velocity = (value("v") - expected[1]).abs() / scale;
            beyond += u32::from(of_force > ELEMENT || of_velocity > 3.0 * ELEMENT);
            assert!(of_force < 10.0 * ELEMENT, "{name}, {number}: F_R = {} for {friction}", value("F_R"));
            worst = [worst[0].max(of_force), worst[1].max(of_velocity)];
        }
        println!("{name}: {beyond} of 150 beyond the tolerance, worst {:.1e} F_s, {:.1e} of v", worst[0], worst[1]);
        assert!(beyond <= 1, "{name}: {beyond}");
    }
}
