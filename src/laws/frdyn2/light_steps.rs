//! Light contacts under moving inputs: explicit steps. See §10 of `docs/numerics.md`.
//!
//! Where F_s is small beside σ_1 v_s, friction is no stiff part of the equations, and |F_0| passes through ±F_s within moments: steps that end
//! at such kinks are few, where series and the general integrator take hundreds.

use super::constants::{GENERAL_SHARE, MAX_LIGHT_STEPS, MIN_LIGHT_LAG};
use super::equations::Equations;
use super::step_totals::StepTotals;
use crate::integrate::radau::Radau;
use crate::law::{Contact, Evaluation, Law, StepResult};
use crate::laws::explicit::Explicit;
use crate::laws::solver::Interval;

/// Whether a contact under moving inputs is light throughout a step.
pub fn is_light(equations: &Equations, &Interval { trajectory, duration, .. }: &Interval) -> bool {
    let is_light =
        |normal_force: f64| equations.sigma_1 * equations.v_s >= MIN_LIGHT_LAG * equations.mu_s * normal_force;
    // Most contacts are not light at the start, which costs less to see.
    !trajectory.is_held() && is_light(trajectory.start.F_N) && is_light(trajectory.max_normal_force(duration))
}

/// Advances the bristle over a step, with the tolerance of the general integrator. `None` where the contact is not light, or the general
/// integrator is the better method.
pub fn advance(equations: &Equations, interval: &Interval, x: &mut [f64; 2], radau: &mut Radau) -> Option<StepTotals> {
    if !is_light(equations, interval) {
        return None;
    }
    let Interval { trajectory, duration, tolerance } = *interval;
    let evaluate = |contact: Contact, x: &[f64; 2]| {
        let Evaluation { F_R, rate, .. } = equations.evaluate(contact, x, &());
        ([F_R, 0.0], rate, equations.branch(contact, x))
    };
    let fastest = equations.fastest_rate(trajectory.max_normal_force(duration), 2.0);
    let steps = Explicit { law: equations, trajectory, evaluate, fastest, most_steps: MAX_LIGHT_STEPS };
    let StepResult { loss, inner_steps, .. } = steps.advance(x, duration, tolerance / GENERAL_SHARE, radau)?;
    Some(StepTotals { t: duration, loss, inner_steps, growth: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::super::test_cases::{equations, random};
    use super::*;
    use crate::law::InputTrajectory;

    const TOLERANCE: f64 = 1e-6;
    const H: f64 = 1e-3;

    /// States and loss after `h` (s) from `t` by the classical Runge–Kutta method, in halves where F_0 changes its sign.
    fn by_runge_kutta(law: &Equations, inputs: &InputTrajectory, x: [f64; 2], [t, h]: [f64; 2]) -> ([f64; 2], f64) {
        const SHORTEST: f64 = 1e-14;
        let rates = |t: f64, x: [f64; 2]| {
            let contact = inputs.at(t);
            let at = law.evaluate(contact, &x, &());
            [at.rate[0], at.rate[1], at.F_R * contact.v]
        };
        let moved = |by: f64, rate: [f64; 3]| [x[0] + by * rate[0], x[1] + by * rate[1]];
        let first = rates(t, x);
        let second = rates(t + 0.5 * h, moved(0.5 * h, first));
        let third = rates(t + 0.5 * h, moved(0.5 * h, second));
        let fourth = rates(t + h, moved(h, third));
        let mean = core::array::from_fn(|k| (first[k] + 2.0 * (second[k] + third[k]) + fourth[k]) / 6.0);
        let (end, loss) = (moved(h, mean), h * mean[2]);
        let sticking_force = |t: f64, x: &[f64; 2]| law.sticking_force(inputs.at(t), x);
        if (sticking_force(t, &x) > 0.0) == (sticking_force(t + h, &end) > 0.0) || h < SHORTEST {
            return (end, loss);
        }
        let (middle, before) = by_runge_kutta(law, inputs, x, [t, 0.5 * h]);
        let (end, after) = by_runge_kutta(law, inputs, middle, [t + 0.5 * h, 0.5 * h]);
        (end, before + after)
    }

    fn by_short_steps(law: &Equations, inputs: &InputTrajectory, mut x: [f64; 2]) -> ([f64; 2], f64) {
        const STEPS: u32 = 20_000;
        let (h, mut sum) = (H / f64::from(STEPS), 0.0);
        for i in 0..STEPS {
            let (end, loss) = by_runge_kutta(law, inputs, x, [h * f64::from(i), h]);
            (x, sum) = (end, sum + loss);
        }
        (x, sum)
    }

    #[test]
    fn light_contacts_under_moving_inputs_follow_the_equations() {
        let (law, mut random) = (equations(), random(3));
        for case in 0..40 {
            let normal = libm::exp10(-7.0 + 4.0 * random());
            let speed = libm::exp10(-2.5 + random());
            let start = Contact::new(normal, speed * random());
            let first = Contact::new(0.5 * normal / H * random(), 4.0 * speed / H * random());
            let second = Contact::new(0.0, 30.0 * speed / H / H * random());
            let derivatives = [first, second, Contact::ZERO];
            let inputs = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
            let x = [1e-9 * random(), 1e-3 * speed * random()];
            let interval = Interval { trajectory: &inputs, duration: H, tolerance: GENERAL_SHARE * TOLERANCE };
            let mut found = x;
            let done = advance(&law, &interval, &mut found, &mut Radau::default()).expect("explicit steps");
            let (expected, loss) = by_short_steps(&law, &inputs, x);
            let scale = law.scale(inputs.at(H), &expected);
            let largest = (0..=16).map(|i| inputs.at(H * f64::from(i) / 16.0).v.abs()).fold(0.0, f64::max);
            let of_states = (0..2).fold(0.0, |most: f64, i| most.max((found[i] - expected[i]).abs() / scale[i]));
            let of_loss = (done.loss - loss).abs() / (law.mu_s * 1.5 * normal * largest * H);
            assert!(of_states < TOLERANCE && of_loss < 10.0 * TOLERANCE, "{case}: {of_states:e}, loss {of_loss:e}");
            assert!(done.inner_steps < 120, "{case}: {} steps", done.inner_steps);
        }
    }
}
