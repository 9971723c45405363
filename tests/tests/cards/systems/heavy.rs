//! Heavy bristles under a body that friction does not move, beside the same contact under a
//! prescribed motion. The bristles are slow for the step, so that their changes are below the
//! rounding of their velocity.

use super::{ELEMENT, at, started};
use bristle::catalogue::{CardCoordinate, CardSlip, CardSystem, Contacts, Term};
use bristle_random::Random;
use bristle_tests::cards::{card, complete};

/// Normal force that errors are measured by at least, N.
const LIGHT_FORCE: f64 = 0.01;

/// Step of a contact of FrDyn2.
struct Step {
    sigma_0: f64,
    sigma_1: f64,
    mu_s: f64,
    v_s: f64,
    mu_d: f64,
    v_d: f64,
    h: f64,
    /// z and ż.
    start: [f64; 2],
    normal: [f64; 4],
    v: [f64; 4],
}

impl Step {
    /// Step of a stable bristle in which F_0 crosses 0 and w comes near it.
    fn crossing(random: &mut Random) -> Self {
        let [sigma_0, sigma_1] = [
            5e6 * random.magnitude(1e-3, 1e3),
            3192.75 * random.magnitude(1e-2, 1e2),
        ];
        let [mu_s, v_s] = [random.magnitude(0.05, 2.0), random.magnitude(1e-5, 0.1)];
        let force = random.magnitude(1e-2, 10.0);
        let mu_d = mu_s * random.between(0.0, 1.0);
        let width = (v_s * random.magnitude(1e-2, 1e2)).max(3.0 * (mu_s - mu_d) * force / sigma_1);
        let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
        let rate = (sigma_1 + 2.0 * mu_s * force / v_s) / mass;
        let h = random.magnitude(1e-9, 1e-4).min(300.0 / rate);
        let u = random.magnitude(1e-12, 10.0);
        let crossing = u + random.between(-2.0, 2.0) * v_s;
        let change = random.magnitude(1e-5, 10.0);
        let slope = random.sign(change) / h;
        let part = random.between(-0.3, 1.0).max(0.0);
        Step {
            sigma_0,
            sigma_1,
            mu_s,
            v_s,
            mu_d,
            v_d: v_s + width,
            h,
            start: [-sigma_1 * crossing / sigma_0 - u * part * h, u],
            normal: [force, random.between(0.0, 0.9) * force / h, 0.0, 0.0],
            v: [crossing - part * h * slope, slope, 0.0, 0.0],
        }
    }

    /// Step whose contact is closed between two zeros of F_N, and begins near a corner of the
    /// characteristic.
    fn closing(random: &mut Random) -> Self {
        let step = Step::crossing(random);
        let Step {
            sigma_0,
            sigma_1,
            mu_s,
            v_s,
            v_d,
            h,
            start: [_, u],
            normal: [peak, ..],
            ..
        } = step;
        let [from, to] = [random.between(-0.5, 0.5), random.between(0.5, 1.5)];
        let factor = 4.0 * peak / ((to - from) * (to - from));
        let corner = *random.one_of(&[v_s, -v_s, v_d, -v_d, 0.0]);
        let side = random.between(-1.0, 1.0);
        let v = u + corner - side.signum() * v_s;
        // F_0 stays beyond the limit of the light contact, or crosses.
        let beyond = random.magnitude(0.1, 100.0) * side * mu_s * peak;
        let mut change = || {
            let size = v_d * random.magnitude(1e-2, 30.0);
            random.sign(size)
        };
        Step {
            start: [(beyond - sigma_1 * v) / sigma_0, u],
            normal: [
                -factor * from * to,
                factor * (from + to) / h,
                -2.0 * factor / (h * h),
                0.0,
            ],
            v: [v, change() / h, 2.0 * change() / (h * h), 0.0],
            ..step
        }
    }

    /// Differences of the loss and of F_R, in tolerances, between this contact under a prescribed
    /// motion and on a body that friction does not move, beside an open contact.
    fn differences(&self) -> [f64; 2] {
        let Step { h, normal, v, .. } = *self;
        let mut card = card(
            "FrDyn2",
            &[
                ("sigma_0", self.sigma_0),
                ("sigma_1", self.sigma_1),
                ("mu_s", self.mu_s),
                ("v_s", self.v_s),
                ("mu_d", self.mu_d),
                ("v_d", self.v_d),
            ],
        );
        card.experiment.tolerance = ELEMENT;
        let alone = complete(card.clone());
        card.contacts = Some(Contacts {
            count: 2,
            names: vec!["c0".into(), "c1".into()],
            ..Contacts::default()
        });
        let along = || CardSlip {
            along: vec![vec![Term { of: 0, factor: 1.0 }]],
        };
        card.system = Some(CardSystem {
            coordinates: vec![CardCoordinate {
                name: "q0".into(),
                mass: 1e15,
                ..CardCoordinate::default()
            }],
            bases: Vec::new(),
            springs: Vec::new(),
            contacts: vec![along(), along()],
        });
        let heavy = complete(card);
        let named = |names: [&'static str; 2]| names.into_iter().map(str::to_owned).zip(self.start);
        let inputs =
            |names: [&str; 2], v| vec![(names[0].to_owned(), normal), (names[1].to_owned(), v)];
        let mut moved = started(&alone, &inputs(["F_N", "v"], v), named(["z", "z_dot"]));
        let mut beside = started(
            &heavy,
            &inputs(["c0.F_N", "c0.v_surface"], v.map(|v| -v)),
            named(["c0.z", "c0.z_dot"]),
        );
        let results = [(&mut moved, &alone, ""), (&mut beside, &heavy, "c0.")];
        let [[loss, end], [other_loss, other]] = results.map(|(element, variant, prefix)| {
            element.advance(h).expect("a step");
            ["E_loss", "F_R"].map(|name| {
                let variable = variant.find(&format!("{prefix}{name}"));
                element.value(variable.expect("a variable").reference)
            })
        });
        let largest = |input: [f64; 4]| {
            let places = (0..=64).map(|n| at(input, h * f64::from(n) / 64.0));
            places.reduce(f64::max).expect("a place")
        };
        let speed = largest(v).max(largest(v.map(|v| -v)));
        let rounding = 1e-14 * self.sigma_1 * speed.max(self.start[1].abs());
        let of_loss = ((other_loss - loss) / (speed * h)).abs() - rounding;
        // F_R counts by the normal force at the end.
        let forces = [largest(normal), at(normal, h)];
        let [of_mean, of_end] = forces.map(|force| self.mu_s * force.max(LIGHT_FORCE) * ELEMENT);
        [of_loss / of_mean, (other - end).abs() / of_end]
    }
}

/// Compares random steps: each of both may be off by the tolerance, and its loss by ten.
fn compare(draw: fn(&mut Random) -> Step, draws: u32) {
    let mut random = Random::new(13);
    for n in 0..draws {
        let [loss, force] = draw(&mut random).differences();
        assert!(
            loss < 20.0 && force < 2.0,
            "{n}: loss {loss:e}, F_R {force:e}"
        );
    }
}

#[test]
fn heavy_bristles_under_a_heavy_body_have_the_losses_of_a_prescribed_motion() {
    compare(Step::crossing, 20_000);
}

#[test]
fn heavy_bristles_whose_contact_closes_and_opens_have_the_losses_of_a_prescribed_motion() {
    compare(Step::closing, 20_000);
}
