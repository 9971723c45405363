//! Systems of the coupling survey inside one element, at H = 10 ms, beside the monolithic solution.
//!
//! Loads are polynomials of order 3 over each communication step, in the element and in the
//! reference, which Dormand and Prince's method integrates over a second transcription of the law.

use super::block::{BlockLaw, FrDyn2};
use super::block_steps::at;
use bristle::assembly::Assembly;
use bristle::catalogue::{
    CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, Contacts, Term, Variant,
};
use bristle_reference_laws::Contact;
use bristle_reference_laws::dop853::{TOLERANCE, solve_of_system};
use bristle_rigs::linked_masses::{LinkedMasses, Scenario, scenarios};
use bristle_tests::cards::{card, complete};

/// Most masses, and most contacts.
const MOST: usize = 10;
/// Communication step, s, and the end of the runs.
const H: f64 = 1e-2;
const END: f64 = 0.4;

/// Card of a system whose contacts have FrDyn2. The ground is a base that stands.
fn variant(of: &LinkedMasses) -> Variant {
    let term = |of: usize, factor| Term {
        of: of as u32,
        factor,
    };
    let ground = of.masses.len();
    let row =
        |from: usize, to: Option<usize>| vec![term(from, 1.0), term(to.unwrap_or(ground), -1.0)];
    let mut card = card("FrDyn2", &[]);
    card.contacts = Some(Contacts {
        count: of.slides.len() as u32,
        names: (0..of.slides.len()).map(|i| format!("c{i}")).collect(),
        ..Contacts::default()
    });
    card.system = Some(CardSystem {
        coordinates: of
            .masses
            .iter()
            .enumerate()
            .map(|(i, mass)| CardCoordinate {
                name: format!("q{i}"),
                mass: *mass,
                ..CardCoordinate::default()
            })
            .collect(),
        bases: vec![CardBase {
            name: "ground".to_owned(),
            is_angle: false,
        }],
        springs: of
            .links
            .iter()
            .enumerate()
            .map(|(i, link)| CardSpring {
                name: format!("s{i}"),
                along: row(link.a, link.b),
                stiffness: link.k,
                damping: link.d,
                gap: None,
            })
            .collect(),
        contacts: of
            .slides
            .iter()
            .map(|slide| CardSlip {
                along: vec![row(slide.on, slide.against)],
            })
            .collect(),
    });
    card.experiment.tolerance = 1e-8;
    complete(card)
}

/// Polynomial of order 3 over a step from a time on (s), through four values.
fn polynomial(of: impl Fn(f64) -> f64, t: f64) -> [f64; 4] {
    let [a, b, c, d] = [0.0, 1.0, 2.0, 3.0].map(|part| of(t + part * H / 3.0));
    let s = 3.0 / H;
    [
        a,
        s * (-11.0 * a + 18.0 * b - 9.0 * c + 2.0 * d) / 6.0,
        s * s * (2.0 * a - 5.0 * b + 4.0 * c - d),
        s * s * s * (d - 3.0 * c + 3.0 * b - a),
    ]
}

/// Whether loads and normal forces depend on time alone.
fn is_linear(of: &LinkedMasses) -> bool {
    let [at_rest, moved] = [0.0, 0.1].map(|y| vec![y; 2 * of.masses.len()]);
    let loads =
        (0..of.masses.len()).all(|i| (of.load)(i, 0.3, &at_rest) == (of.load)(i, 0.3, &moved));
    let normal =
        |y: &[f64]| -> Vec<f64> { (0..of.slides.len()).map(|i| of.normal(0.3, y, i)).collect() };
    loads && normal(&at_rest) == normal(&moved)
}

/// Positions of all masses at the end, by the element and by the reference, with the range of each.
fn run(of: &LinkedMasses) -> [Vec<f64>; 3] {
    let variant = variant(of);
    let find = |name: &str| *variant.find(name).expect("a variable");
    let (masses, contacts) = (of.masses.len(), of.slides.len());
    let rest = vec![0.0; 2 * masses];
    let normal: Vec<f64> = (0..contacts).map(|i| of.normal(0.0, &rest, i)).collect();
    let mut element: Assembly = variant.instantiate();
    for (i, slide) in of.slides.iter().enumerate() {
        element.set(&find(&format!("c{i}.F_N")), normal[i]);
        element.set(&find(&format!("c{i}.v_surface")), slide.belt);
    }
    element.initialize().expect("a start");
    let mut state = [0.0; 4 * MOST];
    let (mut t, mut range) = (0.0, vec![0.0_f64; masses]);
    let mut scale = [1e-4; 4 * MOST];
    scale[MOST..2 * MOST].fill(1e-2);
    for i in 0..MOST {
        (scale[2 * MOST + 2 * i], scale[2 * MOST + 2 * i + 1]) = (1e-6, 1e-2);
    }
    while t < END - 0.5 * H {
        let loads: Vec<_> = (0..masses)
            .map(|i| polynomial(|t| (of.load)(i, t, &rest), t))
            .collect();
        for (i, load) in loads.iter().enumerate() {
            let input = find(&format!("q{i}.F"));
            element.set(&input, load[0]);
            for (order, derivative) in (1..).zip(&load[1..]) {
                element
                    .set_input_derivative(&input, order, *derivative)
                    .expect("an input");
            }
        }
        element.advance(H).expect("a step");
        let rate = |t: f64, y: [f64; 4 * MOST]| {
            let (x, v) = (&y[..MOST], &y[MOST..2 * MOST]);
            let mut rates = [0.0; 4 * MOST];
            let mut force: Vec<f64> = loads.iter().map(|load| at(*load, t)).collect();
            for link in &of.links {
                let [other, other_v] = link.b.map_or([0.0; 2], |b| [x[b], v[b]]);
                let pull = link.k * (x[link.a] - other) + link.d * (v[link.a] - other_v);
                force[link.a] -= pull;
                if let Some(b) = link.b {
                    force[b] += pull;
                }
            }
            for (i, slide) in of.slides.iter().enumerate() {
                let counterpart = slide.against.map_or(slide.belt, |other| v[other]);
                let contact = Contact::new(normal[i], v[slide.on] - counterpart);
                let own = [y[2 * MOST + 2 * i], y[2 * MOST + 2 * i + 1]];
                let (friction, of_law) = FrDyn2.rates(contact, &(own, 0.0));
                rates[2 * MOST + 2 * i..][..2].copy_from_slice(&of_law);
                force[slide.on] -= friction;
                if let Some(other) = slide.against {
                    force[other] += friction;
                }
            }
            for (i, (force, mass)) in force.iter().zip(&of.masses).enumerate() {
                (rates[i], rates[MOST + i]) = (v[i], force / mass);
            }
            rates
        };
        state = solve_of_system(rate, state, scale, H, TOLERANCE);
        t += H;
        range
            .iter_mut()
            .zip(state)
            .for_each(|(range, x)| *range = range.max(x.abs()));
    }
    let found = (0..masses).map(|i| element.value(find(&format!("q{i}.x")).reference));
    [found.collect(), state[..masses].to_vec(), range]
}

#[test]
fn systems_of_the_survey_inside_are_within_a_millionth_of_the_monolithic_solution() {
    let mut compared = 0;
    for Scenario { name, system, .. } in scenarios() {
        if !is_linear(&system) {
            continue;
        }
        compared += 1;
        let [found, expected, range] = run(&system);
        let mut worst = 0.0_f64;
        for (i, range) in range.iter().enumerate() {
            let off = (found[i] - expected[i]).abs() / range;
            assert!(off.is_finite(), "{name}: {found:?}, {expected:?}");
            worst = worst.max(off);
        }
        println!("{name}: {worst:.1e} of the range");
        assert!(worst < 1e-6, "{name}: {worst:e}");
    }
    assert_eq!(compared, 14);
}
