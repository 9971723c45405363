//! Bristles of first order in steps in which F_N falls towards 0, to it or through it: results and
//! inner steps.

use super::{random, variable};
use crate::catalogue::find;
use crate::coupling::F_R_MEAN;
use crate::domain::{LIGHT_FORCE, OPEN_FORCE};
use crate::element::{E_LOSS, F_N, F_R, F_R_X, F_R_Y, V, V_X, V_Y};

/// Bounds on the inner steps along a line and in the plane, for a tolerance of 1e-6 or more, and
/// for a smaller one.
const MOST_INNER_STEPS: [[u32; 2]; 2] = [[400, 2000], [1500, 3000]];
const PARAMETERS: [&str; 5] = ["mu_d", "sigma_0", "mu_s", "sigma_1", "v_Stribeck"];

/// A step: values and two derivatives of F_N, v_x and v_y, and the deflection along x at its start.
#[derive(Debug)]
struct Step {
    law: &'static str,
    is_planar: bool,
    parameters: [f64; 5],
    inputs: [[f64; 3]; 3],
    z: f64,
    h: f64,
    tolerance: f64,
    /// Relative rounding of the least F_N in a closed contact.
    rounding: f64,
}

fn at([c0, c1, c2]: [f64; 3], t: f64) -> f64 {
    c0 + t * (c1 + t * c2 / 2.0)
}

impl Step {
    /// F_N falls straight to a small force or through 0, or to a minimum at the end or within the
    /// step.
    fn draw(random: &mut dyn FnMut() -> f64, i: usize, v_is_constant: bool) -> Self {
        let mut between = |from: f64, to: f64| from * libm::pow(to / from, 0.5 * (1.0 + random()));
        let (mu_d, sigma_0, softness) = (between(0.1, 1.0), between(1e5, 1e8), between(0.02, 2.0));
        let parameters = [
            mu_d,
            sigma_0,
            mu_d * between(1.0, 2.0),
            sigma_0.sqrt() * softness,
            between(1e-3, 0.1),
        ];
        let (h, size) = (between(1e-4, 1e-2), between(1e-1, 1e3));
        let (left, part, deflected) = (
            between(1e-9, 1e-1).min(0.1 * size),
            between(0.5, 0.9),
            between(1.0, 2.0),
        );
        let normal = match i % 4 {
            0 => [size, left - size, 0.0],
            1 => [size, -size / part, 0.0],
            2 => [size + left, -2.0 * size, 2.0 * size],
            _ => [size + left, -2.0 * size / part, 2.0 * size / (part * part)],
        };
        let mut velocity = |is_moving: bool| {
            let [now, later] = [between(1e-6, 2.0), between(1e-6, 2.0)];
            let change = [0.0, later - now, -now - later][i / 16 % 3];
            [now, if is_moving { change } else { 0.0 }, 0.0]
        };
        let v = [velocity(!v_is_constant), velocity(true)];
        let per_time = |orders: [f64; 3]| [orders[0], orders[1] / h, orders[2] / (h * h)];
        Step {
            law: ["LuGre", "Dahl"][i / 4 % 2],
            is_planar: !v_is_constant && i % 16 < 8,
            parameters,
            inputs: [normal, v[0], v[1]].map(per_time),
            z: mu_d * size / sigma_0 * (2.0 * deflected - 3.0),
            h,
            tolerance: between(1e-8, 1e-3),
            rounding: if i % 4 == 1 {
                0.0
            } else {
                32.0 * f64::EPSILON * size / left.max(OPEN_FORCE)
            },
        }
    }

    /// F_R, F_R_mean (along a line) and E_loss after the step in this many parts, and the inner
    /// steps.
    fn results(&self, tolerance: f64, parts: u32) -> ([f64; 4], u32) {
        let model = find(self.law).expect("a law");
        let model = if self.is_planar {
            model.planar.expect("a form in the plane")
        } else {
            model
        };
        let mut element = model.instantiate();
        for (name, value) in PARAMETERS
            .iter()
            .zip(self.parameters)
            .take(if self.law == "Dahl" { 2 } else { 5 })
        {
            element.set(variable(model, name), value);
        }
        element.apply_parameters().expect("parameters");
        element.initialize().expect("a start");
        element.set_tolerance(tolerance);
        element.set(
            variable(model, if self.is_planar { "z_x" } else { "z" }),
            self.z,
        );
        let variables: &[_] = if self.is_planar {
            &[&F_N, &V_X, &V_Y]
        } else {
            &[&F_N, &V]
        };
        let (part, mut mean, mut inner_steps) = (self.h / f64::from(parts), 0.0, 0);
        for k in 0..parts {
            let t = f64::from(k) * part;
            for (input, orders) in variables.iter().zip(self.inputs) {
                element.set(input, at(orders, t));
                for (order, value) in [(1, orders[1] + t * orders[2]), (2, orders[2])] {
                    element
                        .set_input_derivative(input, order, value)
                        .expect("an input");
                }
            }
            inner_steps += element.advance(part).expect("a step").inner_steps;
            mean += if self.is_planar {
                0.0
            } else {
                element.on_demand_output(&F_R_MEAN).expect("a mean") / f64::from(parts)
            };
        }
        let values = element.values();
        let force = if self.is_planar {
            [values[&F_R_X], values[&F_R_Y]]
        } else {
            [values[&F_R], 0.0]
        };
        ([force[0], force[1], mean, values[&E_LOSS]], inner_steps)
    }

    /// With constant v, dF_N/dt = Q and a = σ_0 v/μ the deflection is κ F + (z − κ
    /// F_0)(F/F_0)^(−a/Q), where κ = v/(Q + a).
    fn closed_form(&self) -> [f64; 4] {
        let ([mu_d, sigma_0, mu_s, damping, v_stribeck], v) = (self.parameters, self.inputs[1][0]);
        let stribeck = (mu_s - mu_d) * libm::exp(-(v / v_stribeck) * (v / v_stribeck));
        let of_lugre = [mu_d + stribeck, mu_s / sigma_0, damping];
        let [mu, reach, sigma_1] = if self.law == "Dahl" {
            [mu_d, mu_d / sigma_0, 0.0]
        } else {
            of_lugre
        };
        let ([start, slope, _], end) = (self.inputs[0], at(self.inputs[0], self.h));
        let (a, last) = (sigma_0 * v / mu, end.max(OPEN_FORCE));
        let (kappa, p) = (v / (slope + a), -a / slope);
        let off = self.z - kappa * start;
        let deflection = |force: f64| kappa * force + off * libm::pow(force / start, p);
        let limited = |force: f64| reach.copysign(deflection(force));
        // z/F_N is monotonic: it passes each limit once at most.
        let crossing =
            |limit: f64| start * libm::pow((limit - kappa) * start / off, 1.0 / (p - 1.0));
        let is_within = |force: &f64| *force > last && *force < start;
        let mut bounds: Vec<_> = [reach, -reach]
            .map(crossing)
            .into_iter()
            .filter(is_within)
            .chain([start, last])
            .collect();
        bounds.sort_by(|a, b| b.total_cmp(a));
        let part = |from: f64, to: f64| {
            let middle = 0.5 * (from + to);
            if deflection(middle).abs() > reach * middle {
                return (sigma_0 * limited(middle) * middle + sigma_1 * (v - a * limited(middle)))
                    * (to - from)
                    / slope;
            }
            let area = |force: f64| {
                kappa * force * force / 2.0 + off * force / (p + 1.0) * libm::pow(force / start, p)
            };
            sigma_0 * (area(to) - area(from)) / slope
                + sigma_1 * (deflection(to) - deflection(from))
        };
        let impulse: f64 = bounds.windows(2).map(|pair| part(pair[0], pair[1])).sum();
        let rate = slope * (kappa + off * p / last * libm::pow(last / start, p));
        let free = sigma_0 * deflection(last) + sigma_1 * rate;
        let is_limited = deflection(last).abs() > reach * last;
        let force = if is_limited {
            sigma_0 * limited(last) * last + sigma_1 * (v - a * limited(last))
        } else {
            free
        };
        [
            if end > OPEN_FORCE { force } else { 0.0 },
            0.0,
            impulse / self.h,
            impulse * v,
        ]
    }

    /// Largest error over its limit; and the inner steps within their bound.
    fn error(&self, expected: [f64; 4]) -> f64 {
        let (found, inner_steps) = self.results(self.tolerance, 1);
        let most =
            MOST_INNER_STEPS[usize::from(self.is_planar)][usize::from(self.tolerance < 1e-6)];
        assert!(inner_steps <= most, "{inner_steps} inner steps: {self:?}");
        let [start, end] = [0.0, self.h].map(|t| self.inputs.map(|input| at(input, t).abs()));
        let speed = |now: [f64; 3]| {
            if self.is_planar {
                now[1].max(now[2])
            } else {
                now[1]
            }
        };
        let mu = self.parameters[if self.law == "Dahl" { 0 } else { 2 }];
        let of = |normal: f64| mu * normal.max(LIGHT_FORCE);
        let rounding = self.rounding * (of(end[0]) + 2.0 * self.parameters[3] * speed(end));
        let of_force = self.tolerance * of(at(self.inputs[0], self.h)) + rounding;
        let of_mean = (10.0 * self.tolerance + self.rounding) * of(start[0].max(end[0]));
        let limits = [
            of_force,
            of_force,
            of_mean,
            of_mean * speed(start).max(speed(end)) * self.h,
        ];
        let part = |k: usize| (found[k] - expected[k]).abs() / limits[k];
        (0..4)
            .filter(|k| !self.is_planar || *k != 2)
            .map(part)
            .fold(0.0, f64::max)
    }
}

/// At most one step in a thousand is beyond its limit: one that turns next to rest under a light
/// force, or whose smooth force is near a parabola where the error of its mean is sampled.
fn assert_few(errors: &[f64]) {
    let count = errors.iter().filter(|error| !(**error < 1.0)).count();
    assert!(
        1000 * count <= errors.len(),
        "{count} of {} steps",
        errors.len()
    );
}

#[test]
fn bristle_of_first_order_in_a_contact_that_becomes_light_follows_its_closed_form() {
    let mut random = random(41);
    let errors = (0..8000).filter(|i| i % 4 < 2).map(|i| {
        let step = Step::draw(&mut random, i, true);
        step.error(step.closed_form())
    });
    assert_few(&errors.collect::<Vec<_>>());
}

#[test]
fn step_in_which_the_normal_force_falls_towards_0_agrees_with_many_short_ones_in_few_inner_steps() {
    let mut random = random(43);
    let errors = (0..2000).map(|i| {
        let step = Step::draw(&mut random, i, false);
        step.error(step.results(1e-10, 30).0)
    });
    assert_few(&errors.collect::<Vec<_>>());
}
