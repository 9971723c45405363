//! A loaded contact at rest, for as long as it takes: once it has come to rest, z and F_R keep
//! every bit.

use bristle_benches::element::Element;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::PAPER;

/// v_s (m/s), normal force (N) and the share of F_s that loads the contact.
const CONTACTS: [(f64, f64, f64); 4] = [
    (1e-3, 9.81, 0.5),
    (1e-3, 9.81, 0.999_999),
    (1e-3, 1e3, -0.9),
    (1e-5, 0.1, 0.3),
];
/// Communication steps that take turns, s.
const STEPS: [f64; 3] = [1e-2, 1e-4, 1e-3];
/// Steps within which it must have come to rest.
const SETTLED: u64 = 3000;

/// Shares `steps` among the contacts and prints the results.
pub fn run(steps: u64) {
    let fmu = Fmu::packaged("FrDyn2");
    println!(
        "<!-- begin rest -->\n| F_N, N | v_s, m/s | F_R/F_s | steps | F_R and z \
         |\n|---|---|---|---|---|"
    );
    for (v_s, normal_force, share) in CONTACTS {
        let count = steps / CONTACTS.len() as u64;
        let static_force = PAPER.mu_s * normal_force;
        let start = [
            ("v_s", v_s),
            ("z", share * static_force / PAPER.sigma_0),
            ("z_dot", 0.0),
        ];
        let mut element = Element::start(&fmu, &start, None);
        let z = [fmu.description.reference("z")];
        let mut rest = None;
        let mut changed = None;
        for i in 0..count {
            let force = element.step(Contact::new(normal_force, 0.0), STEPS[(i % 3) as usize]);
            let mut deflection = [f64::NAN];
            let status = element.instance.get_real(&z, &mut deflection);
            element.instance.ok(status);
            let now = [force, deflection[0]];
            if i == SETTLED {
                rest = Some(now);
            } else if rest.is_some_and(|rest| rest.map(f64::to_bits) != now.map(f64::to_bits))
                || force.is_nan()
            {
                changed = Some(i);
                break;
            }
        }
        let verdict = changed.map_or("every bit kept".to_owned(), |i| {
            format!("FAILED: changed in step {i}")
        });
        let share = rest.map_or(f64::NAN, |[force, _]| force / static_force);
        println!("| {normal_force} | {v_s:e} | {share:.6} | {count} | {verdict} |");
    }
    println!("<!-- end rest -->");
}
