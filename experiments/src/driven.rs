//! An element whose contact is moved as prescribed, through its packaged FMU: how characteristics are recorded.

use crate::case::Case;
use crate::coupled::Element;
use bristle::law::Contact;
use bristle_importer::fmu::Fmu;

/// One instant of a prescribed motion.
#[allow(non_snake_case)] // the papers' symbols
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// Time, s.
    pub t: f64,
    /// Contact velocity, m/s.
    pub v: f64,
    /// Displacement: the integral of v, m.
    pub x: f64,
    /// Friction force, N.
    pub F_R: f64,
}

/// Moves a contact with the normal force `normal_force` (N) at `velocity` (m/s over s) from 0 to `end` (s) in steps of
/// `h` (s). Over each step the velocity is held at that of its middle, so that the curve is neither early nor late.
///
/// # Panics
/// If the FMU refuses anything.
pub fn run(case: &Case, normal_force: f64, velocity: &dyn Fn(f64) -> f64, h: f64, end: f64) -> Vec<Moved> {
    let fmu = Fmu::packaged(case.name());
    let mut element = Element::start(&fmu, case);
    let mut x = 0.0;
    (0..(end / h).round() as usize)
        .map(|i| {
            let start = i as f64 * h;
            let t = start + 0.5 * h;
            let v = velocity(t);
            let a = (velocity(start + h) - velocity(start)) / h;
            x += v * h;
            Moved { t: start + h, v, x, F_R: element.step(Contact { a, ..Contact::new(normal_force, v) }, start, h) }
        })
        .collect()
}
