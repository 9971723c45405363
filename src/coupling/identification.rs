//! Identification of the effective mass and of the order in which a master applies the force of an element.
//!
//! The velocity of a body changes by Δv_n = (A_n − Σ_j w_j P_{n−j}) H/m, where P are the forces of the element and A the load. The
//! weights are (1, 0, 0) in a serial coupling, (0, 1, 0) in a parallel one, (0, 0, 1) with one more step of delay, and (1.5, −0.5, 0)
//! where the master extrapolates the force over the step. Second differences of the mean acceleration a_n = Δv_n/H remove constant
//! and linear loads: Δ²a_n = −(1/m) Σ_j w_j Δ²P_{n−j}, a linear regression on three taps with exponential forgetting. A result counts where the
//! regression explains the motion, the weights are close to those of one order, and successive steps agree.

use crate::saved_state::{Reader, SavedState, Writer};

/// Weight of the earlier sums in each step: a window of about seven steps. Larger values identify later and scatter less.
const FORGETTING_FACTOR: f64 = 0.85;
/// Lower bound on the squared correlation of motion and forces.
const MIN_COHERENCE: f64 = 0.97;
/// Upper bound on the squared correlation of the other orders, where forces swing with one frequency.
const MAX_OTHER_COHERENCE: f64 = 0.9;
/// Bound on the error of a weight.
const MAX_WEIGHT_ERROR: f64 = 0.12;
/// Least steps in the sums.
const MIN_STEPS: f64 = 5.0;
/// Steps whose velocities and forces the first differences need.
const HISTORY: f64 = 3.0;
/// Steps in a row that must agree.
const AGREEING: f64 = 2.0;
/// Relative difference of two masses up to which they agree.
const AGREEMENT: f64 = 0.1;
/// Lower bound on Δ²P over the largest recent force: smaller differences are rounding.
const MIN_FORCE_CHANGE: f64 = 1e-6;
/// Sum below which all sums are set to 0, so that they do not decay into subnormal numbers, which are slow.
const NEGLIGIBLE_SUM: f64 = 1e-100;

/// Bounds that a result must pass.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Smallest pivot of the normal equations over their diagonal: below it the forces do not separate the weights.
    pivot: f64,
    /// Lower bound on the squared correlation of one order, where forces swing with one frequency.
    one_tone: f64,
}

/// Bounds where a setting or the test signal shows that there is a body. Those of [`PERHAPS_PRESCRIBED`] miss wrong orders on elastic bodies, and find the
/// mass under the test signal later.
const KNOWN_BODY: Bounds = Bounds { pivot: 1e-4, one_tone: 0.99 };
/// Bounds where the motion may be prescribed, which hardly separates the weights if it has few tones
/// (`few_prescribed_motions_are_taken_for_a_body`).
const PERHAPS_PRESCRIBED: Bounds = Bounds { pivot: 2e-2, one_tone: 0.998 };

/// Order in which a master applies the force of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceOrder {
    /// Over the step that begins with the velocity.
    Serial,
    /// One step later.
    Parallel,
    /// Two steps later.
    Delayed,
    /// Over the step that begins with the velocity, extrapolated linearly.
    Extrapolated,
}

impl ForceOrder {
    /// All orders, with the weights of the last three forces.
    pub(super) const ALL: [(ForceOrder, [f64; 3]); 4] = [
        (ForceOrder::Serial, [1.0, 0.0, 0.0]),
        (ForceOrder::Parallel, [0.0, 1.0, 0.0]),
        (ForceOrder::Delayed, [0.0, 0.0, 1.0]),
        (ForceOrder::Extrapolated, [1.5, -0.5, 0.0]),
    ];
}

/// Identified response of a body to the force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    /// Order of the master.
    pub order: ForceOrder,
    /// Effective mass, kg.
    pub mass: f64,
}

/// The result of a step where `steps` in a row agree on it; `last` has the mass (kg) and the number of the order of the last one, and the steps in a row.
pub(super) fn agree(last: &mut [f64; 3], found: Option<Response>, steps: f64) -> Option<Response> {
    let [mass, order, agreeing] = *last;
    let Some(found) = found else {
        *last = [0.0; 3];
        return None;
    };
    let number = f64::from(found.order as u8);
    let agrees = order == number && (found.mass - mass).abs() <= AGREEMENT * found.mass;
    *last = [found.mass, number, if agrees { agreeing + 1.0 } else { 1.0 }];
    (last[2] >= steps).then_some(found)
}

/// Regression on the last steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Identification {
    /// Steps in the sums.
    steps: f64,
    /// Last velocity, m/s, and the last two accelerations, the newest first, m/s².
    motion: [f64; 3],
    /// Last forces, the newest first, N.
    forces: [f64; 5],
    /// Weighted sums of products of the taps: 00, 01, 02, 11, 12, 22.
    taps: [f64; 6],
    /// Weighted sums of products of the response with each tap, and with itself.
    response: [f64; 4],
    /// Largest recent force, N.
    peak: f64,
    /// Mass of the last result, kg, the number of its order, and the steps in a row that agree.
    last: [f64; 3],
}

impl Identification {
    /// Adds a communication point with the velocity `v` (m/s), after a step of `duration` (s).
    pub fn observe(&mut self, v: f64, duration: f64) {
        let [last, a1, a2] = self.motion;
        let a = (v - last) / duration;
        if !a.is_finite() {
            *self = Identification { motion: [v, 0.0, 0.0], ..Identification::default() };
            return;
        }
        self.motion = [v, a, a1];
        self.steps += 1.0;
        if self.steps <= HISTORY {
            return;
        }
        let [p1, p2, p3, p4, p5] = self.forces;
        let y = a - 2.0 * a1 + a2;
        let x = [p1 - 2.0 * p2 + p3, p2 - 2.0 * p3 + p4, p3 - 2.0 * p4 + p5];
        let products = [x[0] * x[0], x[0] * x[1], x[0] * x[2], x[1] * x[1], x[1] * x[2], x[2] * x[2]];
        for (sum, product) in self.taps.iter_mut().zip(products) {
            *sum = FORGETTING_FACTOR * *sum + product;
        }
        for (sum, product) in self.response.iter_mut().zip([x[0] * y, x[1] * y, x[2] * y, y * y]) {
            *sum = FORGETTING_FACTOR * *sum + product;
        }
        self.peak = p1.abs().max(FORGETTING_FACTOR * self.peak);
        let size = self.taps[0] + self.response[3];
        // Sums of squares bound those of products.
        let is_finite = (size + self.taps[3] + self.taps[5]).is_finite();
        if !is_finite || !(NEGLIGIBLE_SUM..=1.0 / NEGLIGIBLE_SUM).contains(&size) {
            (self.taps, self.response, self.steps) = ([0.0; 6], [0.0; 4], 0.0);
        }
    }

    /// Forces of the last step and of the one before, N.
    pub fn last_forces(&self) -> [f64; 2] {
        [self.forces[0], self.forces[1]]
    }

    /// Last five forces, the newest first, N.
    pub fn forces(&self) -> &[f64; 5] {
        &self.forces
    }

    /// Adds the force of the coming step, N.
    pub fn add_force(&mut self, force: f64) {
        let [p1, p2, p3, p4, _] = self.forces;
        self.forces = [force, p1, p2, p3, p4];
    }

    /// The response, where the last steps agree on one; `held` whether the forces are the law's own, `is_probed` whether the test signal is among them.
    pub fn response(&mut self, held: bool, is_probed: bool) -> Option<Response> {
        let found = self.fit(if is_probed { KNOWN_BODY } else { PERHAPS_PRESCRIBED }, held);
        agree(&mut self.last, found, AGREEING)
    }

    /// The last result, where successive steps agree on it.
    pub fn agreed(&self) -> Option<Response> {
        let [mass, number, steps] = self.last;
        if steps < AGREEING {
            return None;
        }
        let (order, _) = ForceOrder::ALL.into_iter().find(|(order, _)| f64::from(*order as u8) == number)?;
        Some(Response { order, mass })
    }

    /// Response by the sums of now of a body that is known, and whether there are steps enough for one.
    pub fn last_response(&self) -> (Option<Response>, bool) {
        (self.fit(KNOWN_BODY, false), self.steps >= HISTORY + MIN_STEPS)
    }

    /// Response by the sums of now; `held` whether the forces are the law's own.
    fn fit(&self, bounds: Bounds, held: bool) -> Option<Response> {
        let [a00, a01, a02, a11, a12, a22] = self.taps;
        let [b0, b1, b2, yy] = self.response;
        let change = MIN_FORCE_CHANGE * self.peak;
        if self.steps < HISTORY + MIN_STEPS || a00.max(a11).max(a22) <= change * change || yy <= 0.0 {
            return None;
        }
        // Elimination without pivoting: the matrix is positive semidefinite.
        let l1 = a01 / a00;
        let l2 = a02 / a00;
        let (d1, e) = (a11 - l1 * a01, a12 - l1 * a02);
        let d2 = a22 - l2 * a02 - e * e / d1;
        let is_regular = d1 > bounds.pivot * a11 && d2 > bounds.pivot * a22;
        if !is_regular {
            return self.fit_one_tone(bounds, held);
        }
        let c1 = b1 - l1 * b0;
        let w2 = (b2 - l2 * b0 - e / d1 * c1) / d2;
        let w1 = (c1 - e * w2) / d1;
        let weights = [(b0 - a01 * w1 - a02 * w2) / a00, w1, w2];
        let explained = weights[0] * b0 + weights[1] * b1 + weights[2] * b2;
        let sum: f64 = weights.iter().sum();
        let mass = -1.0 / sum;
        if !(explained > MIN_COHERENCE * yy && mass > 0.0 && mass.is_finite()) {
            return None;
        }
        let is_close = |expected: &[f64; 3]| {
            weights.iter().zip(expected).all(|(weight, expected)| (weight / sum - expected).abs() < MAX_WEIGHT_ERROR)
        };
        let (order, _) = ForceOrder::ALL.into_iter().find(|(_, expected)| is_close(expected))?;
        Some(Response { order, mass })
    }

    /// Response where the forces swing with one frequency and do not separate three weights: the order that explains the motion alone.
    fn fit_one_tone(&self, bounds: Bounds, held: bool) -> Option<Response> {
        let [a00, a01, a02, a11, a12, a22] = self.taps;
        let [b0, b1, b2, yy] = self.response;
        let coherence = |[w0, w1, w2]: [f64; 3]| {
            let product = w0 * b0 + w1 * b1 + w2 * b2;
            let square =
                w0 * (w0 * a00 + 2.0 * (w1 * a01 + w2 * a02)) + w1 * (w1 * a11 + 2.0 * w2 * a12) + w2 * w2 * a22;
            // Of the wrong sign: no mass.
            if product < 0.0 { (product * product / (square * yy), -square / product) } else { (0.0, 0.0) }
        };
        // With held values, an oscillation that alternates from step to step is one of a serial coupling alone; else it is ambiguous.
        let alternates = a01 < 0.0 && a01 * a01 > MIN_COHERENCE * a00 * a11;
        if alternates && !held {
            return None;
        }
        let candidates = if alternates { &ForceOrder::ALL[..2] } else { &ForceOrder::ALL[..] };
        let mut best: Option<(Response, f64)> = None;
        let mut second = 0.0_f64;
        for (order, weights) in candidates {
            let (coherence, mass) = coherence(*weights);
            if best.is_none_or(|(_, known)| coherence > known) {
                second = best.map_or(second, |(_, known)| known.max(second));
                best = Some((Response { order: *order, mass }, coherence));
            } else {
                second = second.max(coherence);
            }
        }
        let (response, coherence) = best?;
        let is_clear = coherence > bounds.one_tone && second < MAX_OTHER_COHERENCE && response.mass > 0.0;
        (is_clear && response.mass.is_finite()).then_some(response)
    }
}

impl SavedState for Identification {
    fn write(&self, writer: &mut Writer) {
        let Identification { steps, motion, forces, taps, response, peak, last } = self;
        [*steps, *peak].write(writer);
        motion.write(writer);
        forces.write(writer);
        taps.write(writer);
        response.write(writer);
        last.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [steps, peak] = SavedState::read(reader)?;
        Some(Identification {
            steps,
            peak,
            motion: SavedState::read(reader)?,
            forces: SavedState::read(reader)?,
            taps: SavedState::read(reader)?,
            response: SavedState::read(reader)?,
            last: SavedState::read(reader)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test signal of period 7 with a flat spectrum.
    const PROBE: [f64; 7] = [1.0, 1.0, 1.0, -1.0, 1.0, -1.0, -1.0];

    /// Moves a body (kg) under forces that are applied with these weights, and returns the last response.
    fn identify(mass: f64, weights: [f64; 3], noise: f64, load: impl Fn(f64) -> f64) -> Option<Response> {
        identify_by(mass, weights, noise, load, |i| 0.06 * PROBE[i % 7]).0
    }

    /// Response as of [`identify`] to the forces (N) of the steps, and the regression at the end.
    fn identify_by(
        mass: f64,
        weights: [f64; 3],
        noise: f64,
        load: impl Fn(f64) -> f64,
        of_step: impl Fn(usize) -> f64,
    ) -> (Option<Response>, Identification) {
        let h = 1e-3;
        let mut identification = Identification::default();
        let (mut v, mut forces, mut state) = (0.0, [0.0; 3], 1_u64);
        let mut found = None;
        for i in 0..60 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let random = (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0;
            identification.observe(v + noise * random, h);
            found = identification.response(true, false).or(found);
            let force = of_step(i);
            identification.add_force(force);
            forces = [force, forces[0], forces[1]];
            let applied: f64 = forces.iter().zip(weights).map(|(force, weight)| force * weight).sum();
            v += (load(h * i as f64) - applied) * h / mass;
        }
        (found, identification)
    }

    #[test]
    fn orders_and_masses_are_identified() {
        for (order, weights) in ForceOrder::ALL {
            for mass in [0.03, 1.0, 300.0] {
                for noise in [0.0, 1e-7 / mass] {
                    let found = identify(mass, weights, noise, |t| 3.0 * libm::sin(12.0 * t));
                    let found = found.unwrap_or_else(|| panic!("{order:?}, {mass} kg: not identified"));
                    assert!(
                        found.order == order && (found.mass / mass - 1.0).abs() < 0.05,
                        "{order:?}, {mass}: {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn forces_of_one_frequency_give_the_order_whose_phase_fits_and_the_mass() {
        // The last response without the start, where the forces are none of one frequency.
        let of_tone = |mass: f64, weights: [f64; 3], angle: f64| {
            let tone = |i: usize| 0.06 * libm::sin(angle * i as f64);
            identify_by(mass, weights, 0.0, |_| 0.0, tone).1.fit_one_tone(PERHAPS_PRESCRIBED, true)
        };
        for (order, weights) in ForceOrder::ALL {
            for mass in [0.03, 1.0, 300.0] {
                // At 1.2 rad in a step no other order comes near in its phase.
                let found = of_tone(mass, weights, 1.2);
                let found = found.unwrap_or_else(|| panic!("{order:?}, {mass} kg: not identified"));
                assert!(found.order == order && (found.mass / mass - 1.0).abs() < 1e-3, "{order:?}, {mass}: {found:?}");
            }
            assert_eq!(of_tone(1.0, weights, 0.1), None, "{order:?}: phases that differ too little");
        }
    }

    #[test]
    fn jump_within_a_step_of_no_length_starts_the_regression_anew() {
        let mut identification = Identification::default();
        identification.observe(1.0, 1e-3);
        identification.observe(2.0, 1e-310);
        assert_eq!(identification, Identification { motion: [2.0, 0.0, 0.0], ..Identification::default() });
    }

    #[test]
    fn prescribed_motions_and_noise_have_no_mass() {
        // A mass of 1e9 kg does not respond.
        assert_eq!(identify(1e9, [1.0, 0.0, 0.0], 1e-6, |t| 1e6 * libm::sin(40.0 * t)), None);
        assert_eq!(identify(1.0, [1.0, 0.0, 0.0], 1e-2, |_| 0.0), None);
    }

    #[test]
    fn sums_next_to_the_ends_of_the_numbers_are_0() {
        for (scale, is_kept) in
            [(1.0, true), (1e-40, true), (1e40, true), (1e-60, false), (1e60, false), (1e200, false)]
        {
            let mut identification = Identification::default();
            for sign in [1.0, 1.0, -1.0, 1.0, -1.0, -1.0].repeat(5) {
                identification.observe(sign * scale, 1e-3);
                identification.add_force(0.06 * sign * scale);
            }
            assert_eq!(identification.taps[0] > 0.0, is_kept, "{scale}: {identification:?}");
            assert_eq!(identification.response[3] > 0.0, is_kept, "{scale}: {identification:?}");
        }
    }
    #[test]
    fn results_agree_by_order_and_by_the_share_of_their_mass() {
        let [serial, parallel] = [ForceOrder::Serial, ForceOrder::Parallel];
        for mass in [1e-3, 1.0, 1e3] {
            let response = |order: ForceOrder, share: f64| Some(Response { order, mass: share * mass });
            let run = |found: [Option<Response>; 4]| {
                let mut last = [0.0; 3];
                found.map(|found| agree(&mut last, found, 3.0).is_some())
            };
            let steady = response(serial, 1.0);
            assert_eq!(run([steady; 4]), [false, false, true, true], "{mass} kg");
            assert_eq!(run([steady, steady, None, steady]), [false; 4], "{mass} kg");
            assert_eq!(run([steady, steady, response(parallel, 1.0), steady]), [false; 4], "{mass} kg");
            for (share, agrees) in [(1.08, true), (0.93, true), (1.2, false), (0.8, false)] {
                assert_eq!(run([steady, steady, response(serial, share), steady])[2], agrees, "{mass} kg, {share}");
            }
        }
    }

    #[test]
    fn mass_is_identified_as_soon_as_the_steps_are_enough_and_agree() {
        let (mut identification, mut v, h) = (Identification::default(), 0.0, 1e-3);
        let earliest = (HISTORY + MIN_STEPS) as usize;
        for i in 0..12 {
            identification.observe(v, h);
            // The first point counts as a step from rest.
            let (found, is_enough) = identification.last_response();
            assert_eq!((found.is_some(), is_enough), (i + 1 >= earliest, i + 1 >= earliest), "point {i}");
            let response = identification.response(true, false);
            assert_eq!(response.is_some(), i + 1 >= earliest + AGREEING as usize - 1, "point {i}");
            assert_eq!(identification.agreed(), response, "point {i}");
            identification.add_force(0.06 * PROBE[i % 7]);
            v -= 0.06 * PROBE[i % 7] * h / 2.0;
        }
    }

    #[test]
    fn response_in_other_units_is_the_same_to_the_bit() {
        let (found, _) = identify_by(1.0, [0.0, 1.0, 0.0], 0.0, |_| 0.0, |i| PROBE[i % 7]);
        let found = found.expect("a response");
        // The unit of the force, with that of the mass.
        for unit in [2.0_f64.recip(), 1024.0, 1048576.0, 1.0 / 1048576.0] {
            let (other, _) = identify_by(unit, [0.0, 1.0, 0.0], 0.0, |_| 0.0, |i| unit * PROBE[i % 7]);
            let other = other.expect("a response");
            assert_eq!((other.order, other.mass), (found.order, unit * found.mass), "{unit}");
        }
    }

    #[test]
    fn changes_of_the_force_count_beside_the_largest_recent_one() {
        let responds = |of_step: &dyn Fn(usize) -> f64| {
            identify_by(1.0, [1.0, 0.0, 0.0], 0.0, |_| 0.0, of_step).1.last_response().0.is_some()
        };
        for unit in [1e-3, 1.0, 1e3] {
            // Test signals of 1e-5 and of 1e-8 of a constant force.
            assert!(responds(&|i| unit * (1.0 + 1e-5 * PROBE[i % 7])), "{unit} N");
            assert!(!responds(&|i| unit * (1.0 + 1e-8 * PROBE[i % 7])), "{unit} N");
            // The constant force is forgotten after it has ended.
            assert!(responds(&|i| if i < 5 { 1e7 * unit } else { unit * PROBE[i % 7] }), "{unit} N");
        }
    }
    #[test]
    fn alternating_forces_are_ambiguous_unless_they_are_the_laws_own() {
        let of_tone = |weights: [f64; 3], angle: f64| {
            identify_by(2.0, weights, 0.0, |_| 0.0, |i| 0.06 * libm::cos(angle * i as f64)).1
        };
        for (order, weights) in ForceOrder::ALL.into_iter().take(2) {
            let identification = of_tone(weights, core::f64::consts::PI);
            let found = identification
                .fit_one_tone(PERHAPS_PRESCRIBED, true)
                .unwrap_or_else(|| panic!("{order:?}: not identified"));
            assert!(found.order == order && (found.mass / 2.0 - 1.0).abs() < 1e-3, "{order:?}: {found:?}");
            assert_eq!(identification.fit_one_tone(PERHAPS_PRESCRIBED, false), None, "{order:?}");
            // A slower tone does not alternate.
            let identification = of_tone(weights, 1.2);
            assert_eq!(
                identification.fit_one_tone(PERHAPS_PRESCRIBED, false),
                identification.fit_one_tone(PERHAPS_PRESCRIBED, true),
                "{order:?}"
            );
            assert_eq!(identification.fit_one_tone(PERHAPS_PRESCRIBED, false).map(|found| found.order), Some(order));
        }
        // Other orders are left out where forces alternate.
        for (order, weights) in ForceOrder::ALL.into_iter().skip(2) {
            let found = of_tone(weights, core::f64::consts::PI).fit_one_tone(PERHAPS_PRESCRIBED, true);
            assert!(found.is_none_or(|found| found.order != order), "{order:?}: {found:?}");
        }
    }
}
