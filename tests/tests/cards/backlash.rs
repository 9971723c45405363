//! Springs with a gap inside an element, against closed forms.

use bristle::assembly::Assembly;
use bristle::catalogue::{
    CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Term, Variant,
};
use bristle_tests::cards::{card, complete};

const STIFFNESS: f64 = 5e3;
const GAP: f64 = 0.02;

fn term(of: u32, factor: f64) -> Term {
    Term { of, factor }
}

fn spring(along: &[Term], damping: f64) -> CardSpring {
    CardSpring {
        name: "play".to_owned(),
        along: along.to_vec(),
        stiffness: STIFFNESS,
        damping,
        gap: Some(GAP),
    }
}

/// Bodies of these masses, the last one with the contact, on one spring with a gap.
fn element(law: &str, masses: &[f64], spring: CardSpring, normal: f64) -> (Variant, Assembly) {
    let last = masses.len() as u32 - 1;
    let mut card = card(law, &[]);
    card.contacts = Some(Contacts {
        count: 1,
        names: vec!["pad".to_owned()],
        ..Contacts::default()
    });
    card.system = Some(CardSystem {
        coordinates: (0..)
            .zip(masses)
            .map(|(i, mass)| CardCoordinate {
                name: format!("q{i}"),
                mass: *mass,
                ..CardCoordinate::default()
            })
            .collect(),
        bases: vec![CardBase {
            name: "wall".to_owned(),
            is_angle: false,
        }],
        springs: vec![spring],
        contacts: vec![CardSlip {
            along: vec![vec![term(last, 1.0)]],
        }],
    });
    card.experiment.tolerance = 1e-9;
    let variant = complete(card);
    let mut assembly = variant.instantiate();
    set(&variant, &mut assembly, "pad.F_N", normal);
    (variant, assembly)
}

fn set(variant: &Variant, assembly: &mut Assembly, name: &str, value: f64) {
    assembly.set(variant.find(name).expect("a variable"), value);
}

fn value(variant: &Variant, assembly: &Assembly, name: &str) -> f64 {
    assembly.value(variant.find(name).expect("a variable").reference)
}

#[test]
fn body_between_two_springs_bounces_as_the_closed_form() {
    let (mass, speed, h) = (2.0, 0.3, 7e-3);
    let to_wall = [term(0, 1.0), term(1, -1.0)];
    let (variant, mut body) = element("LuGre", &[mass], spring(&to_wall, 0.0), 0.0);
    set(&variant, &mut body, "q0.v", speed);
    body.initialize().expect("a start");
    let omega = f64::sqrt(STIFFNESS / mass);
    let (flight, touch) = (GAP / speed, std::f64::consts::PI / omega);
    // From the middle on: half a flight, a touch, a flight, a touch, half a flight.
    let expected = |t: f64| {
        let half = flight + touch;
        let (turns, rest) = ((t / half).floor(), t % half);
        let x = if rest < 0.5 * flight {
            speed * rest
        } else if rest < 0.5 * flight + touch {
            0.5 * GAP + speed / omega * libm::sin(omega * (rest - 0.5 * flight))
        } else {
            speed * (half - rest)
        };
        if turns % 2.0 == 0.0 { x } else { -x }
    };
    let mut v = speed;
    for n in 1..=2000 {
        body.advance(h).expect("a step");
        let t = h * f64::from(n);
        let x = value(&variant, &body, "q0.x");
        assert!(
            (x - expected(t)).abs() < 1e-7,
            "{t}: {x} for {}",
            expected(t)
        );
        let impulse = h * value(&variant, &body, "wall.F_base");
        let now = value(&variant, &body, "q0.v");
        assert!(
            (impulse + mass * (now - v)).abs() < 1e-9,
            "{t}: {impulse} for {}",
            mass * (v - now)
        );
        v = now;
    }
}

#[test]
fn damper_beside_a_gap_pushes_and_never_pulls() {
    let to_wall = [term(0, 1.0), term(1, -1.0)];
    let (variant, mut body) = element("LuGre", &[2.0], spring(&to_wall, 60.0), 0.0);
    set(&variant, &mut body, "q0.v", 1.0);
    body.initialize().expect("a start");
    let mut energy = 1.0;
    for _ in 0..4000 {
        body.advance(1e-4).expect("a step");
        let [x, v, force] =
            ["q0.x", "q0.v", "wall.F_base"].map(|name| value(&variant, &body, name));
        assert!(x * force >= 0.0, "{force} N at {x} m");
        let depth = (x.abs() - 0.5 * GAP).max(0.0);
        let now = v * v + 0.5 * STIFFNESS * depth * depth;
        assert!(now < energy * (1.0 + 1e-7), "{now} after {energy} J");
        energy = now;
    }
    // Damping ratio d/(2 √(k m)) = 0.3 of the contact: the body has lost most of its speed.
    let v = value(&variant, &body, "q0.v");
    assert!(v.abs() < 0.5, "{v}");
}

#[test]
fn reversed_drive_crosses_the_gap_before_it_moves_a_braked_load() {
    let between = [term(0, 1.0), term(1, -1.0)];
    let (variant, mut drive) = element("Coulomb", &[1.0, 3.0], spring(&between, 20.0), 1000.0);
    drive.initialize().expect("a start");
    let load = 5.0;
    let expected = 0.5 * GAP + load / STIFFNESS;
    for side in [1.0, -1.0, 1.0] {
        set(&variant, &mut drive, "q0.F", side * load);
        for _ in 0..300 {
            drive.advance(0.01).expect("a step");
        }
        let [x, v] = ["q0.x", "q0.v"].map(|name| value(&variant, &drive, name));
        assert!(
            (x - side * expected).abs() < 1e-9 && v.abs() < 1e-9,
            "{x}, {v}"
        );
        // The brake holds what the spring transmits, and the load rests.
        let [friction, x, v] =
            ["pad.F_R", "q1.x", "q1.v"].map(|name| value(&variant, &drive, name));
        assert!((friction - side * load).abs() < 1e-5, "{friction}");
        assert_eq!([x, v], [0.0, 0.0]);
    }
}

#[test]
fn body_at_rest_within_a_gap_stays_and_costs_one_inner_step() {
    let to_wall = [term(0, 1.0), term(1, -1.0)];
    for law in ["FrDyn2", "LuGre", "Coulomb"] {
        let (variant, mut body) = element(law, &[2.0], spring(&to_wall, 60.0), 10.0);
        // At a side, where the spring does not press yet.
        set(&variant, &mut body, "q0.x", 0.5 * GAP);
        body.initialize().expect("a start");
        for _ in 0..100 {
            let report = body.advance(1e-3).expect("a step");
            assert_eq!(report.inner_steps, 1, "{law}");
        }
        assert_eq!(value(&variant, &body, "q0.x"), 0.5 * GAP, "{law}");
        assert_eq!(value(&variant, &body, "pad.F_R"), 0.0, "{law}");
    }
}

#[test]
fn gap_is_a_parameter_that_may_change() {
    let to_wall = [term(0, 1.0), term(1, -1.0)];
    let (variant, mut body) = element("LuGre", &[2.0], spring(&to_wall, 60.0), 0.0);
    body.initialize().expect("a start");
    set(&variant, &mut body, "q0.F", 10.0);
    for gap in [GAP, 3.0 * GAP, 0.0] {
        set(&variant, &mut body, "play.gap", gap);
        body.apply_parameters().expect("parameters");
        for _ in 0..400 {
            body.advance(0.01).expect("a step");
        }
        let x = value(&variant, &body, "q0.x");
        assert!((x - 0.5 * gap - 10.0 / STIFFNESS).abs() < 1e-8, "{x}");
    }
}
