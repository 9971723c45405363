//! Slow motion of stick under moving inputs, by collocation. See §9 of `docs/numerics.md`.
//!
//! In stick e decays at the rate λ = α + 2Bφs towards a slow motion E that the inputs impose,
//!
//! E = (ν′ − E′)/(λ − BφE),  (φ r)′ = κ (ν − E) + c ν′.
//!
//! Once the distance δ = e − E is so small that its rate of decay λ − 2BE is constant, ∫δ dt = δ/(λ − 2BE), the transient has a closed form. What
//! is left has no fast part: one step may take many time constants. Its values at the nodes of Gauss's collocation follow from a few
//! iterations, in which E′ is the derivative of the polynomial through the values before. That polynomial has no initial value to meet:
//! the transient is no part of it.

use super::constants::{
    MAX_FIXED_POINT_ITERATIONS, MAX_SLOW_CONTRACTION, MAX_SLOW_FORCE, MIN_REMAINDER, MIN_SLOW_LENGTH,
    QUADRATURE_SAFETY, SLOW_ATTEMPTS, SLOW_GROWTH, SLOW_SHARE, TAIL_LOSS_RATIO, TURN_CLEARANCE,
};
use super::dimensionless::{DimensionlessLaw, PhasePoint, StepResult};
use super::gauss::{
    DIFFERENTIATION, END_DERIVATIVE, HALF, INTEGRATION, NODES, STAGES, START_DERIVATIVE, WEIGHTS, each,
    interpolation_error, quadrature_error, sum,
};
use super::inputs::{InputCase, InputPolynomials};
use super::series::{larger, smaller};

/// Step of stick with r > 0 over at most `rest` (s), with the errors of r and of weight·e within `tolerance`; `None` where the transient has
/// not decayed yet, or no length that is tried stays in the zone and meets the tolerance. `longest` (s) is the first length that is tried
/// and becomes that of the next step.
#[inline(never)] // registers saved for it would cost every step at rest
pub fn slow_stick<C: InputCase>(
    law: &DimensionlessLaw,
    inputs: &InputPolynomials<C>,
    start: PhasePoint,
    rest: f64,
    longest: &mut f64,
    tolerance: f64,
) -> Option<StepResult> {
    let PhasePoint { r, e, s } = start;
    let lambda = law.alpha + 2.0 * law.b * s;
    // E at the start to first order shows most transients.
    let off = (e - inputs.nu_derivative()[0] / lambda).abs();
    if !(r < MAX_SLOW_FORCE && law.kappa * law.b * off * off / (lambda * lambda) <= tolerance) {
        return None;
    }
    let mut h = smaller(rest, *longest);
    for _ in 0..SLOW_ATTEMPTS {
        if lambda * h < MIN_SLOW_LENGTH {
            break;
        }
        let done = over(h, law, inputs, start, tolerance);
        if done.is_some() {
            *longest = SLOW_GROWTH * h;
            return done;
        }
        h *= 0.5;
    }
    *longest = larger(h, 2.0 * MIN_SLOW_LENGTH / lambda);
    None
}

/// [`slow_stick`] over the length `h` (s).
fn over<C: InputCase>(
    h: f64,
    law: &DimensionlessLaw,
    inputs: &InputPolynomials<C>,
    start: PhasePoint,
    tolerance: f64,
) -> Option<StepResult> {
    let &DimensionlessLaw { kappa, alpha, b, lag, weight, .. } = law;
    let PhasePoint { r: r_0, e: e_0, s: s_0 } = start;
    let [n0, n1, n2, n3] = inputs.nu;
    // Change of φ r without e; ν and ν′.
    let driven = |t: f64| kappa * t * (n0 + t * (n1 / 2.0 + t * (n2 / 3.0 + t * n3 / 4.0))) + lag * inputs.nu_change(t);
    let [a0, a1, a2] = inputs.nu_derivative();
    let acceleration = |t: f64| a0 + t * (a1 + t * a2);
    let phi = each(|i| inputs.phi_at(NODES[i] * h));
    let without_e = each(|i| r_0 + driven(NODES[i] * h));
    let [phi_end, end_without_e] = [inputs.phi_at(h), r_0 + driven(h)];
    let is_inside = |r: f64| r > 0.0 && r < MAX_SLOW_FORCE;
    if !((0..STAGES).all(|i| phi[i] > 0.0 && is_inside(without_e[i] / phi[i]))
        && phi_end > 0.0
        && is_inside(end_without_e / phi_end))
    {
        return None;
    }

    let lambda_0 = alpha + 2.0 * b * s_0;
    let nu_rate = each(|i| acceleration(NODES[i] * h));
    let (mut s, mut r) = (each(|i| (1.0 - without_e[i] / phi[i]).sqrt()), [0.0; STAGES]);
    let mut e = each(|i| nu_rate[i] / (alpha + 2.0 * b * phi[i] * s[i]));
    let (mut start_e, mut area) = (a0 / lambda_0, [0.0; STAGES]);
    let mut last_change = f64::INFINITY;
    let solved = (0..MAX_FIXED_POINT_ITERATIONS).any(|iteration| {
        let (mut rate, mut next_area) = ([0.0; STAGES], [0.0; STAGES]);
        for j in 0..HALF {
            let other = j + HALF;
            rate = each(|i| rate[i] + (DIFFERENTIATION[j][i] * e[j] + DIFFERENTIATION[other][i] * e[other]));
            next_area = each(|i| next_area[i] + (INTEGRATION[j][i] * e[j] + INTEGRATION[other][i] * e[other]));
        }
        area = next_area.map(|area| h * area);
        start_e = root(a0 - sum(&START_DERIVATIVE, &e) / h, lambda_0, b);
        let settled = (e_0 - start_e) / (lambda_0 - 2.0 * b * start_e);
        r = each(|i| (without_e[i] - kappa * (area[i] + settled)) / phi[i]);
        s = r.map(|r| (1.0 - r).sqrt());
        let next = each(|i| (nu_rate[i] - rate[i] / h) / (alpha + b * phi[i] * (2.0 * s[i] - e[i])));
        let change = (0..STAGES).fold(0.0, |most, i| larger((next[i] - e[i]).abs(), most));
        let contraction = if iteration == 0 { MAX_SLOW_CONTRACTION } else { change / last_change };
        (e, last_change) = (next, change);
        let remainder = change * larger(contraction / (1.0 - contraction), MIN_REMAINDER);
        contraction <= MAX_SLOW_CONTRACTION && (kappa * h + weight) * remainder <= SLOW_SHARE * tolerance
    });
    if !solved {
        return None;
    }

    // The transient decays at the rate λ − 2BE. Its relative change, by the transient itself, the motion of r and that of φ, is left out.
    let off = e_0 - start_e;
    let decay = lambda_0 - 2.0 * b * start_e;
    let slope = kappa * (n0 - start_e) + lag * a0 - r_0 * inputs.phi[1];
    let by_r = (slope.abs() + kappa * off.abs()) / (s_0 * decay);
    let bending = b / decay * (off.abs() + by_r + 2.0 * s_0 * inputs.phi[1].abs() / decay);
    let jump = kappa * off.abs() / decay;
    let area_end = h * sum(&WEIGHTS, &e);
    let r_end = (end_without_e - kappa * (area_end + off / decay)) / phi_end;
    if !(is_inside(r_end) && jump * bending <= SLOW_SHARE * tolerance) {
        return None;
    }
    let s_end = (1.0 - r_end).sqrt();
    let rate_end = sum(&END_DERIVATIVE, &e) / h;
    let lambda_end = alpha + 2.0 * b * phi_end * s_end;
    let e_end = root(acceleration(h) - rate_end, lambda_end, b * phi_end);
    let slowest = (0..STAGES)
        .fold(smaller(lambda_0, lambda_end), |least, i| smaller(alpha + 2.0 * b * phi[i] * (s[i] - e[i].abs()), least));
    let left = off.abs() * libm::exp(-slowest * h);

    // Errors of the polynomials.
    let shape = interpolation_error(&e);
    let power = each(|i| phi[i] * (r[i] + e[i] * (2.0 * s[i] - e[i])) * (n0 + inputs.nu_change(NODES[i] * h)));
    let speed = (0..STAGES).fold(n0.abs(), |most, i| larger((n0 + inputs.nu_change(NODES[i] * h)).abs(), most));
    let lost = 2.0 * off.abs() * (n0.abs() + n1.abs() / decay) / (decay * h) * bending
        + QUADRATURE_SAFETY * quadrature_error(&power);
    if !(weight * left <= SLOW_SHARE * tolerance
        && QUADRATURE_SAFETY * (kappa * h * quadrature_error(&e) + (weight + kappa / slowest) * shape) <= tolerance
        && lost <= TAIL_LOSS_RATIO * tolerance * speed)
    {
        return None;
    }

    // The zone, also between the nodes, where r may turn.
    let (low, high) =
        r.iter().fold((smaller(r_0, r_end), larger(r_0, r_end)), |(a, b), r| (smaller(*r, a), larger(*r, b)));
    let steps = each(|i| r[i] - if i == 0 { r_0 } else { r[i - 1] });
    let rises = r_end > r_0;
    let turns = !(steps.iter().all(|step| (*step > 0.0) == rises) && (r_end > r[STAGES - 1]) == rises);
    let clearance = if turns { TURN_CLEARANCE * (high - low) } else { 0.0 };
    let is_in_zone = |e: f64, s: f64| e <= s && -e <= 1.0 - s;
    let in_zone = (0..STAGES).all(|i| is_in_zone(e[i], s[i])) && is_in_zone(e_0, s_0) && is_in_zone(e_end, s_end);
    if !(in_zone && low > clearance && high + clearance < 1.0) {
        return None;
    }
    let early = off * (2.0 * (s_0 - start_e) - 0.5 * off) + kappa * off / decay;
    let work = h * sum(&WEIGHTS, &power) + (n0 + n1 / decay) * early / decay;
    Some(StepResult { h, dr: r_end - r_0, e: e_end, work })
}

/// The root next to 0 of E (λ − bE) = a; NaN where there is none.
fn root(a: f64, lambda: f64, b: f64) -> f64 {
    2.0 * a / (lambda + (lambda * lambda - 4.0 * b * a).sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::dimensionless::tests::{LAWS, shift};
    use super::*;

    /// (r, e, ∫φ f ν dt) after `t` s of stick, by many steps of the classic Runge–Kutta method.
    fn by_runge_kutta<C: InputCase>(
        law: &DimensionlessLaw,
        inputs: &InputPolynomials<C>,
        [r, e]: [f64; 2],
        t: f64,
    ) -> [f64; 3] {
        const STEPS: u32 = 20_000;
        let rate = |t: f64, [q, e, _]: [f64; 3]| {
            let (phi, nu) = (inputs.phi_at(t), inputs.nu[0] + inputs.nu_change(t));
            let [a0, a1, a2] = inputs.nu_derivative();
            let acceleration = a0 + t * (a1 + t * a2);
            let r = q / phi;
            let w = e + shift(r);
            let x = 1.0 - w.abs();
            let f = (1.0 - x * x).copysign(w);
            let slope = law.kappa * (nu - e) + law.lag * acceleration;
            [slope, acceleration - law.alpha * e - law.b * phi * (f - r), phi * f * nu]
        };
        let h = t / f64::from(STEPS);
        let mut x = [r, e, 0.0];
        for n in 0..STEPS {
            let t = h * f64::from(n);
            let along = |slope: [f64; 3], h: f64| core::array::from_fn(|i| x[i] + h * slope[i]);
            let first = rate(t, x);
            let second = rate(t + 0.5 * h, along(first, 0.5 * h));
            let third = rate(t + 0.5 * h, along(second, 0.5 * h));
            let last = rate(t + h, along(third, h));
            x = core::array::from_fn(|i| x[i] + h / 6.0 * (first[i] + 2.0 * second[i] + 2.0 * third[i] + last[i]));
        }
        [x[0] / inputs.phi_at(t), x[1], x[2]]
    }

    #[test]
    fn errors_of_slow_stick_stay_below_its_tolerance() {
        let (mut used, mut worst) = ([0; 5], [0.0_f64; 3]);
        for (law, time_constants) in [(LAWS[0], 40.0), (DimensionlessLaw { lag: 0.5, ..LAWS[1] }, 150.0)] {
            let lambda = law.alpha + 2.0 * law.b;
            let rest = time_constants / lambda;
            for r in [0.05, 0.3, 0.6, 0.9] {
                for off in [0.0, 1e-6, -1e-5, 1e-4, -1e-3] {
                    for nu in [[0.0, 20.0], [1e-3, -0.5], [0.3, -200.0], [-0.05, 800.0]] {
                        for phi in [[0.0, 0.0], [0.3, 0.0], [-0.4, 0.2]] {
                            let [first, second] = [nu[1], 0.3 * nu[1] / rest];
                            let inputs = InputPolynomials::moving_contact(
                                [nu[0], first, second, 0.0],
                                [1.0, phi[0] / rest, phi[1] / rest / rest, 0.0],
                            );
                            let s = (1.0_f64 - r).sqrt();
                            let e = first / (law.alpha + 2.0 * law.b * s) + off;
                            for (i, tolerance) in [1e-4, 1e-6, 1e-8, 1e-9, 1e-11].into_iter().enumerate() {
                                let Some(found) = slow_stick(
                                    &law,
                                    &inputs,
                                    PhasePoint::new(r, e),
                                    rest,
                                    &mut { f64::INFINITY },
                                    tolerance,
                                ) else {
                                    continue;
                                };
                                let [r_end, e_end, work] = by_runge_kutta(&law, &inputs, [r, e], found.h);
                                let speed = nu[0].abs() + 1.3 * nu[1].abs() * rest;
                                let errors = [
                                    (found.dr - (r_end - r)).abs() / tolerance,
                                    law.weight * (found.e - e_end).abs() / tolerance,
                                    (found.work - work).abs() / (TAIL_LOSS_RATIO * tolerance * speed * found.h),
                                ];
                                worst = core::array::from_fn(|i| worst[i].max(errors[i]));
                                assert!(
                                    errors.into_iter().all(|error| error <= 1.0 + 1e-12 / tolerance),
                                    "kappa {}, {inputs:?} from {r}, {e}: {errors:?} for {tolerance:e}, {found:?}",
                                    law.kappa
                                );
                                used[i] += 1;
                            }
                        }
                    }
                }
            }
        }
        println!("worst {worst:.2?} of the tolerance, used {used:?}");
        assert!(used.iter().all(|used| *used > 40), "{used:?}");
    }
}
