//! A loaded contact at rest, for as long as it takes: once it has come to rest, z and F_R keep every bit.

use bristle_benches::inputs::Inputs;
use bristle_benches::packaged::Packaged;
use bristle_importer::fmu::Fmu;
use bristle_reference_laws::Contact;
use bristle_reference_laws::frdyn2::{PAPER, Parameters};

/// Parameters, normal force (N) and the share of F_s that loads the contact.
const CONTACTS: [(Parameters, f64, f64); 4] =
    [(PAPER, 9.81, 0.5), (PAPER, 9.81, 0.999_999), (PAPER, 1e3, -0.9), (Parameters { v_s: 1e-5, ..PAPER }, 0.1, 0.3)];
/// Communication steps that take turns, s.
const STEPS: [f64; 3] = [1e-2, 1e-4, 1e-3];
/// Steps within which it must have come to rest.
const SETTLED: u64 = 3000;

/// Shares `steps` among the contacts and prints the results.
pub fn run(fmu: &Fmu, steps: u64) {
    println!("<!-- begin rest -->");
    println!("{steps} steps of rest in all, H = 1e-2, 1e-4 and 1e-3 s in turns.\n");
    println!("| F_N, N | v_s, m/s | F_R, N | F_R/F_s | steps | F_R and z |\n|---|---|---|---|---|---|");
    for (parameters, normal_force, share) in CONTACTS {
        let count = steps / CONTACTS.len() as u64;
        let static_force = parameters.mu_s * normal_force;
        let start = [share * static_force / parameters.sigma_0, 0.0];
        let mut element = Packaged::start(fmu, &parameters, None, start);
        let inputs = Inputs::held(Contact::new(normal_force, 0.0));
        let mut rest = None;
        let mut broken = None;
        for i in 0..count {
            let outcome = element.follow(&inputs, STEPS[(i % 3) as usize]).expect("rest is no reason to refuse a step");
            let bits = [outcome.F_R, outcome.x[0], outcome.x[1]].map(f64::to_bits);
            if i == SETTLED {
                rest = Some((bits, outcome.F_R));
            } else if let Some((first, _)) = rest
                && first != bits
            {
                broken = Some(i);
                break;
            }
        }
        let verdict = broken.map_or("every bit kept".to_owned(), |i| format!("FAILED: changed in step {i}"));
        let force = rest.map_or(f64::NAN, |(_, force)| force);
        println!(
            "| {normal_force} | {:e} | {force:?} | {:.6} | {count} | {verdict} |",
            parameters.v_s,
            force / static_force
        );
    }
    println!("<!-- end rest -->");
}
