//! Light contacts under held inputs, whose friction does not move the bristle visibly. See §10 of `docs/numerics.md`.
//!
//! Where F_s is next to nothing beside σ_1 v_s, F_R follows from the free motion of the bristle, (a + bt) e^(−ωt): w = v − ż ± v_s, with
//! the sign of F_0 = σ_0 z + σ_1 v. What F_R adds to z and ż, and the loss, are integrals of it.

use super::closed_forms::DampedMotion;
use super::constants::{
    LIGHT_CLEARANCE, LIGHT_PASSAGE, LIGHT_QUADRATURE_SHARE, LIGHT_SHARE, MAX_ROOT_ITERATIONS, TIME_PRECISION,
};
use super::equations::Equations;
use crate::integrate::quadrature::{integrate, max_panels, min_error_share};
use crate::law::{Contact, StepResult};

/// Advances (z, ż) over `duration` (s); `None` where F_R has an influence on the bristle, or |F_0| is not above F_s but for a moment.
#[allow(non_snake_case)] // the paper's symbols
pub fn advance(
    equations: &Equations,
    contact: Contact,
    x: &mut [f64; 2],
    duration: f64,
    tolerance: f64,
) -> Option<StepResult> {
    let (F_s, v, omega) = (equations.mu_s * contact.F_N, contact.v, equations.omega);
    if F_s > LIGHT_SHARE * tolerance * equations.sigma_1 * equations.v_s {
        return None;
    }
    let motion = DampedMotion::new(x, 0.0, omega);
    let F_0 = |t: f64| equations.sticking_force(contact, &motion.at(t));
    let [slowest, fastest] = motion.stationary_times().map(|t| t.clamp(0.0, duration));
    // F_0 is monotonic between these times.
    let pieces = [[0.0, slowest], [slowest, duration]];
    let ends = pieces.map(|piece| piece.map(F_0));
    if ends.iter().flatten().any(|force| !(force.abs() > LIGHT_CLEARANCE * F_s)) {
        return None;
    }
    let mut borders = [0.0, slowest, duration, fastest, duration, duration];
    for (i, ([from, to], [at_start, at_end])) in pieces.into_iter().zip(ends).enumerate() {
        if (at_start > 0.0) != (at_end > 0.0) {
            let t = passage(F_0, [from, to], at_start);
            let slope = (equations.sigma_0 * motion.at(t)[1]).abs();
            if slope * LIGHT_PASSAGE * tolerance * duration < 2.0 * F_s {
                return None;
            }
            borders[4 + i] = t;
        }
    }
    borders.sort_unstable_by(f64::total_cmp);

    let inverse = duration.min(1.0 / omega);
    let errors = [duration, inverse, inverse * inverse].map(|scale| LIGHT_QUADRATURE_SHARE * tolerance * F_s * scale);
    let mut panels = max_panels(tolerance);
    let mut totals = [0.0; 3];
    for pair in borders.windows(2).filter(|pair| pair[0] < pair[1]) {
        let [from, to] = [pair[0], pair[1]];
        let shift = equations.v_s.copysign(F_0(0.5 * (from + to)));
        let integrands = |t: f64| {
            let force = equations.force_at(contact.F_N, v - motion.at(t)[1] + shift);
            let left = duration - t;
            let weighted = force * libm::exp(-omega * left);
            [force, weighted, left * weighted]
        };
        let shares = [duration, min_error_share(tolerance)];
        let parts = integrate([from, to], [from, to].map(integrands), shares, || errors, &mut panels, integrands);
        totals = core::array::from_fn(|i| totals[i] + parts[i]);
    }
    if panels == 0 {
        return None;
    }
    let [impulse, weighted, delayed] = totals;
    let [z, z_dot] = motion.at(duration);
    *x = [z + equations.inverse_mass * delayed, z_dot + equations.inverse_mass * (weighted - omega * delayed)];
    Some(StepResult { loss: impulse * v, inner_steps: 1, ..StepResult::default() })
}

/// Time at which a monotonic function passes through 0 between two times, where it has this value at the first.
fn passage(f: impl Fn(f64) -> f64, [mut from, mut to]: [f64; 2], at_start: f64) -> f64 {
    let whole = to - from;
    for _ in 0..MAX_ROOT_ITERATIONS {
        let middle = 0.5 * (from + to);
        if to - from <= TIME_PRECISION * whole {
            break;
        }
        if (f(middle) > 0.0) == (at_start > 0.0) { from = middle } else { to = middle }
    }
    0.5 * (from + to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::laws::frdyn2::test_cases::{equations, random};

    const TOLERANCE: f64 = 1e-6;

    /// Contribution of F_R to z and ż beside the free motion, and the loss, with the influence of the bristle on F_R: by the classical
    /// Runge–Kutta method in short steps, one of which ends where F_0 changes its sign.
    fn with_influence(law: &Equations, contact: Contact, start: [f64; 2], h: f64) -> ([f64; 2], f64) {
        const STEPS: u32 = 4000;
        let motion = DampedMotion::new(&start, 0.0, law.omega);
        let free = |t: f64| law.sticking_force(contact, &motion.at(t));
        let mut state = [0.0; 3];
        let mut advance = |from: f64, to: f64| {
            let (length, shift) = (to - from, law.v_s.copysign(free(0.5 * (from + to))));
            let rates = |t: f64, [y, y_dot, _]: [f64; 3]| {
                let force = law.force_at(contact.F_N, contact.v - motion.at(t)[1] - y_dot + shift);
                [y_dot, law.bristle_acceleration(force, &[y, y_dot]), force * contact.v]
            };
            let moved = |share: f64, rate: [f64; 3]| core::array::from_fn(|i| state[i] + share * length * rate[i]);
            let first = rates(from, state);
            let second = rates(from + 0.5 * length, moved(0.5, first));
            let third = rates(from + 0.5 * length, moved(0.5, second));
            let fourth = rates(to, moved(1.0, third));
            let mean = core::array::from_fn(|i| (first[i] + 2.0 * (second[i] + third[i]) + fourth[i]) / 6.0);
            state = moved(1.0, mean);
        };
        for step in 0..STEPS {
            let [from, to] = [step, step + 1].map(|k| h * f64::from(k) / f64::from(STEPS));
            let (mut low, mut high) = (from, to);
            if (free(from) > 0.0) == (free(to) > 0.0) {
                advance(from, to);
                continue;
            }
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if (free(middle) > 0.0) == (free(from) > 0.0) { low = middle } else { high = middle }
            }
            advance(from, low);
            advance(low, to);
        }
        ([state[0], state[1]], state[2])
    }

    #[test]
    fn light_contact_has_the_states_and_the_loss_of_the_whole_equations() {
        let (law, mut random) = (equations(), random(0x5851_f42d_4c95_7f2d));
        let (mut taken, mut passages) = (0, 0);
        for _ in 0..600 {
            let mut magnitude = |[low, high]: [f64; 2]| {
                let size = low * libm::pow(high / low, 0.5 + 0.5 * random());
                size.copysign(random())
            };
            let normal_force = magnitude([1e-13, 1e-5]).abs();
            let contact = Contact::new(normal_force, magnitude([1e-6, 0.1]));
            let start = [magnitude([1e-10, 1e-6]), magnitude([1e-7, 1e-2])];
            let (h, mut x) = (magnitude([1e-5, 3e-3]).abs(), start);
            let Some(done) = advance(&law, contact, &mut x, h, TOLERANCE) else { continue };
            taken += 1;
            let (added, loss) = with_influence(&law, contact, start, h);
            let free = DampedMotion::new(&start, 0.0, law.omega).at(h);
            let [before, after] = [&start, &x].map(|x| law.sticking_force(contact, x) > 0.0);
            passages += u32::from(before != after);
            let static_force = law.static_force(normal_force);
            // As forces.
            let scale = [law.sigma_0, law.sigma_1];
            let case = format!("F_N {normal_force:e}, v {:e}, x {start:?}, H {h:e}", contact.v);
            for i in 0..2 {
                let rounding = 4.0 * f64::EPSILON * (free[i].abs() + start[0].abs() * [1.0, law.omega][i]) * scale[i];
                let error = (x[i] - free[i] - added[i]).abs() * scale[i];
                assert!(error < TOLERANCE * static_force + rounding, "{case}: {i}, {:e} of F_s", error / static_force);
            }
            let error = (done.loss - loss).abs() / (static_force * contact.v.abs() * h);
            assert!(error < TOLERANCE, "{case}: loss, {error:e}");
        }
        assert!(taken > 200 && passages > 10, "{taken} steps, {passages} passages");
    }

    #[test]
    fn contact_that_moves_the_bristle_or_sticks_is_left_to_other_methods() {
        let law = equations();
        let is_taken = |contact: Contact, mut x: [f64; 2]| advance(&law, contact, &mut x, 1e-3, TOLERANCE).is_some();
        let deflected = [1e-6, 0.0];
        assert!(is_taken(Contact::new(1e-9, 0.01), deflected));
        assert!(!is_taken(Contact::new(1e-5, 0.01), deflected));
        assert!(!is_taken(Contact::new(1e-9, 0.0), [1e-16, 0.0]));
    }
}
