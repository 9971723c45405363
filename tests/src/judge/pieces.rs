//! A step cut where the velocity changes its sign and where the contact opens or closes: between the cuts the rates of
//! the laws with bristles are smooth.

use super::course::Course;
use super::sgn;

/// Into how many parts a step is cut to look for changes.
const GRID: u32 = 2000;

/// The beginnings and ends of the pieces of a step of `h` (s), in order.
pub fn pieces(course: &Course, h: f64) -> Vec<[f64; 2]> {
    if let Course::Held(_) = course {
        return vec![[0.0, h]];
    }
    let kind = |t: f64| {
        let contact = course.at(t);
        (contact.is_closed(), sgn(contact.v))
    };
    let mut cuts = vec![0.0];
    for i in 0..GRID {
        let [mut t, end] = [i, i + 1].map(|i| h * f64::from(i) / f64::from(GRID));
        while kind(t) != kind(end) {
            let before = kind(t);
            t = first_instant(t, end, |t| kind(t) != before);
            cuts.push(t);
        }
    }
    cuts.push(h);
    cuts.dedup();
    cuts.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// How much of a closed piece a bristle is followed through, s: where the contact opens at its end, the rates grow
/// beyond all bounds and the bristle is about to relax, so that the last millionth is left out.
pub fn followed(course: &Course, [start, end]: [f64; 2]) -> f64 {
    let part = if course.at(end).is_closed() { 1.0 } else { 1.0 - 1e-6 };
    (end - start) * part
}

/// The first instant between two at which something is so, which is not so at `before` and is at `after`: bisected
/// until no number lies between.
pub fn first_instant(mut before: f64, mut after: f64, is_so: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (before + after);
        if middle <= before || after <= middle {
            return after;
        }
        if is_so(middle) {
            after = middle;
        } else {
            before = middle;
        }
    }
}
