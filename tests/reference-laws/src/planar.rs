//! The laws in the plane, written down afresh with vectors: the bristles of FrDyn2 and
//! FrDyn2Linear, the coupled form of LuGre's and Dahl's (Velenis, Tsiotras and Canudas de Wit
//! 2005), and static laws, which act along the velocity.

use crate::dop853::solve_in_plane;
use crate::law::ReferenceLaw;
use crate::segments::{NEXT_TO_ZERO, between, divided, segments};
use crate::trajectory::{
    Contact, Derivatives, InputPolynomials, InputTrajectory, LARGEST_OPEN, SMALLEST_SCALE,
    above_open, zeros,
};
use crate::{Dahl, FrDyn2Linear, LuGre, frdyn2, lugre};
use std::cell::Cell;

/// Evaluations of a law in a step after which the reference gives up.
const EVALUATIONS: u32 = 300_000;

type Vector = [f64; 2];

/// Inputs over a step that are polynomials of the time since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case, missing_docs)] // as in `Contact`
pub struct PlanarInputs {
    pub F_N: Derivatives,
    pub v: [Derivatives; 2],
}

impl PlanarInputs {
    /// Normal force (N) and velocity (m/s) at `t` (s) after the start of the step.
    pub fn at(&self, t: f64) -> (f64, Vector) {
        let along = |v| {
            InputPolynomials {
                F_N: self.F_N,
                v,
                ..InputPolynomials::default()
            }
            .at(t)
        };
        let [x, y] = self.v.map(along);
        (x.F_N, [x.v, y.v])
    }

    /// All derivatives are 0.
    pub fn is_held(&self) -> bool {
        [self.F_N, self.v[0], self.v[1]]
            .iter()
            .all(|powers| powers[1..] == [0.0; 3])
    }

    /// Starts and ends of the segments of a step of `h` (s) between changes of sign of the
    /// velocities, openings and closings.
    pub fn segments(&self, h: f64) -> Vec<[f64; 2]> {
        if self.is_held() {
            return vec![[0.0, h]];
        }
        let [x, y] = self.v.map(|v| {
            let along = InputPolynomials {
                F_N: self.F_N,
                v,
                ..InputPolynomials::default()
            };
            segments(&InputTrajectory::Moving(&move |t| along.at(t)), h)
        });
        // A contact may be closed between two samples only.
        between(
            x.into_iter()
                .chain(y)
                .flatten()
                .chain(zeros(above_open(self.F_N), h))
                .collect(),
        )
    }
}

/// A law in the plane with its parameters.
#[allow(missing_debug_implementations)] // a trait object
pub enum PlanarLaw {
    /// FrDyn2.
    FrDyn2(frdyn2::Parameters),
    /// FrDyn2Linear.
    FrDyn2Linear(FrDyn2Linear),
    /// LuGre.
    LuGre(LuGre),
    /// Dahl, with alpha = 1.
    Dahl(Dahl),
    /// A law without memory, by its form along a line.
    Static(Box<dyn ReferenceLaw>),
}

/// End of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarEnd {
    /// Force, N.
    pub force: Vector,
    /// Energy lost and stored in the step, J.
    pub energy: f64,
    /// States (z_x, z_y, ż_x, ż_y).
    pub x: [f64; 4],
}

fn size([x, y]: Vector) -> f64 {
    libm::hypot(x, y)
}

/// Vector of a size in the direction of another; 0 where that is 0.
fn directed(length: f64, along: Vector) -> Vector {
    let of = size(along);
    if of > 0.0 {
        along.map(|part| length * (part / of))
    } else {
        [0.0; 2]
    }
}

impl PlanarLaw {
    /// Static coefficient of friction, the scale of errors.
    pub fn static_friction(&self) -> f64 {
        match self {
            PlanarLaw::FrDyn2(law) => law.mu_s,
            PlanarLaw::FrDyn2Linear(law) => law.mu_s,
            PlanarLaw::LuGre(law) => law.mu_s,
            PlanarLaw::Dahl(law) => law.mu_d,
            PlanarLaw::Static(law) => law.static_friction(),
        }
    }

    /// Whether an open contact resets the bristle.
    fn forgets_in_an_open_contact(&self) -> bool {
        matches!(self, PlanarLaw::LuGre(_) | PlanarLaw::Dahl(_))
    }

    /// Largest rate at which the bristle forgets its deflection, 1/s, and 0 of a law without one.
    pub fn decay_rate(&self, normal_force: f64, speed: f64) -> f64 {
        match self {
            PlanarLaw::FrDyn2(law) => 2.0 * law.sigma_0 / law.sigma_1,
            PlanarLaw::FrDyn2Linear(law) => 2.0 * law.sigma_0 / law.sigma_1,
            PlanarLaw::LuGre(law) => law.sigma_0 * speed / (law.mu_d * normal_force),
            PlanarLaw::Dahl(law) => law.sigma_0 * speed / (law.mu_d * normal_force),
            PlanarLaw::Static(_) => 0.0,
        }
    }

    /// Rate at which a first-order bristle forgets its deflection, 1/s.
    fn decay_rate_at(&self, normal_force: f64, speed: f64) -> f64 {
        let v = [speed, 0.0];
        let [at_rest, deflected] =
            [0.0, 1.0].map(|z| self.law(normal_force, v, [z, 0.0, 0.0, 0.0]).1[0]);
        at_rest - deflected
    }

    /// Force (N) and rates of the states.
    pub fn law(
        &self,
        normal_force: f64,
        v: Vector,
        [z_x, z_y, u_x, u_y]: [f64; 4],
    ) -> (Vector, [f64; 4]) {
        let (z, u) = ([z_x, z_y], [u_x, u_y]);
        match self {
            PlanarLaw::FrDyn2(law) => {
                let frdyn2::Parameters {
                    sigma_0,
                    sigma_1,
                    mu_s,
                    v_s,
                    ..
                } = *law;
                let shift = |ratio: f64| v_s * (1.0 - (1.0 - ratio).max(0.0).sqrt());
                let size = |speed| law.coefficient(speed) * normal_force;
                second_order(
                    [sigma_0, sigma_1, mu_s * normal_force],
                    shift,
                    size,
                    v,
                    z,
                    u,
                )
            }
            PlanarLaw::FrDyn2Linear(law) => {
                let FrDyn2Linear {
                    sigma_0,
                    sigma_1,
                    mu_s,
                    v_s,
                    ..
                } = *law;
                let shift = |ratio: f64| v_s * ratio.min(1.0);
                let size = |speed| law.size(normal_force, speed);
                second_order(
                    [sigma_0, sigma_1, mu_s * normal_force],
                    shift,
                    size,
                    v,
                    z,
                    u,
                )
            }
            PlanarLaw::LuGre(law) => {
                let g = lugre::Solution::new(*law).g(Contact::new(normal_force, size(v)));
                let LuGre {
                    mu_s,
                    sigma_0,
                    sigma_1,
                    sigma_2,
                    ..
                } = *law;
                first_order([sigma_0, sigma_1, sigma_2], g, mu_s * normal_force, v, z)
            }
            PlanarLaw::Dahl(law) => {
                let largest = law.mu_d * normal_force;
                first_order([law.sigma_0, 0.0, 0.0], largest, largest, v, z)
            }
            PlanarLaw::Static(law) => {
                let force = law.boxed().step(Contact::new(normal_force, size(v)), 0.0);
                (directed(force, v), [0.0; 4])
            }
        }
    }

    /// End of a step of `h` (s) from the states `x`, integrated at a tolerance.
    ///
    /// # Panics
    /// If the bristle is too stiff for an explicit method.
    pub fn integrate(
        &self,
        inputs: &PlanarInputs,
        h: f64,
        x: [f64; 4],
        tolerance: f64,
    ) -> PlanarEnd {
        let samples = || (0..=64).map(|i| inputs.at(h * f64::from(i) / 64.0));
        let force = self.static_friction()
            * samples().fold(SMALLEST_SCALE, |most: f64, (normal_force, _)| {
                normal_force.max(most)
            });
        let speed = samples().fold(1e-12, |most: f64, (_, v)| size(v).max(most));
        let [z, u] = match self {
            PlanarLaw::FrDyn2(law) => [force / law.sigma_0, law.v_s],
            PlanarLaw::FrDyn2Linear(law) => [force / law.sigma_0, law.v_s],
            PlanarLaw::LuGre(LuGre { sigma_0, .. }) | PlanarLaw::Dahl(Dahl { sigma_0, .. }) => {
                [force / sigma_0, 1.0]
            }
            PlanarLaw::Static(_) => [1.0; 2],
        };
        let scale = [z, z, u, u, force * speed * h];
        let count = Cell::new(0);
        let mut y = [x[0], x[1], x[2], x[3], 0.0];
        // Where v has little effect, the integrator may pass over a narrow part of the
        // characteristic, and where F_N is small, over a fast turn of F_0.
        let parts: Vec<[f64; 2]> = match inputs.is_held() {
            true => vec![[0.0, h]],
            false => inputs
                .segments(h)
                .into_iter()
                .flat_map(|segment| divided(segment, h))
                .collect(),
        };
        for [start, end] in parts {
            let (normal_force, _) = inputs.at(0.5 * (start + end));
            if normal_force <= LARGEST_OPEN && self.forgets_in_an_open_contact() {
                y[..4].fill(0.0);
                continue;
            }
            let rate = |t: f64, [z_x, z_y, u_x, u_y, _]: [f64; 5]| {
                count.set(count.get() + 1);
                assert!(count.get() < EVALUATIONS, "too stiff at {t}");
                let (normal_force, v) = inputs.at(start + t);
                let (force, [a, b, c, d]) = self.closed(normal_force, v, [z_x, z_y, u_x, u_y]);
                [a, b, c, d, force[0] * v[0] + force[1] * v[1]]
            };
            // Next to F_N = 0 the rate of a first-order bristle has no bound: there the power is
            // constant, and after a closing the deflection is that of the motion with constant v
            // and dF_N/dt.
            let [opens, closes] = [end, start].map(|t| {
                self.forgets_in_an_open_contact() && inputs.at(t).0 <= NEXT_TO_ZERO * normal_force
            });
            let length = end - start;
            let [first, last] = [
                if closes { NEXT_TO_ZERO * length } else { 0.0 },
                length * if opens { 1.0 - NEXT_TO_ZERO } else { 1.0 },
            ];
            let power = |t: f64, y: [f64; 5]| rate(t, y)[4];
            if closes && y[..2] == [0.0; 2] {
                let (force, v) = inputs.at(start + first);
                let slope = force / first;
                let decay = self.decay_rate_at(force, size(v));
                y[..2].copy_from_slice(&v.map(|v| v / (decay + slope / force)));
                y[4] += power(first, y) * first;
                y = solve_in_plane(|t, y| rate(first + t, y), y, scale, last - first, tolerance);
            } else {
                y = solve_in_plane(rate, y, scale, last, tolerance);
            }
            if opens {
                y[4] += power(last, y) * (length - last);
            }
        }
        let (normal_force, v) = inputs.at(h);
        if normal_force <= LARGEST_OPEN && self.forgets_in_an_open_contact() {
            y[..4].fill(0.0);
        }
        let x = [y[0], y[1], y[2], y[3]];
        PlanarEnd {
            force: self.closed(normal_force, v, x).0,
            energy: y[4],
            x,
        }
    }

    /// Force and rates, also of an open contact.
    fn closed(&self, normal_force: f64, v: Vector, x: [f64; 4]) -> (Vector, [f64; 4]) {
        match self {
            _ if normal_force > LARGEST_OPEN => self.law(normal_force, v, x),
            PlanarLaw::FrDyn2(frdyn2::Parameters {
                sigma_0, sigma_1, ..
            })
            | PlanarLaw::FrDyn2Linear(FrDyn2Linear {
                sigma_0, sigma_1, ..
            }) => ([0.0; 2], free(*sigma_0, *sigma_1, [0.0; 2], x)),
            _ => ([0.0; 2], [0.0; 4]),
        }
    }
}

/// Rates of a second-order bristle under a force.
fn free(sigma_0: f64, sigma_1: f64, force: Vector, [z_x, z_y, u_x, u_y]: [f64; 4]) -> [f64; 4] {
    let mass = sigma_1 * sigma_1 / (4.0 * sigma_0);
    [
        u_x,
        u_y,
        (force[0] - sigma_0 * z_x - sigma_1 * u_x) / mass,
        (force[1] - sigma_0 * z_y - sigma_1 * u_y) / mass,
    ]
}

/// Force and rates of a second-order bristle with the size of the shift (m/s) at |F_0|/F_s, and of
/// the force (N) at |w|.
fn second_order(
    [sigma_0, sigma_1, static_force]: [f64; 3],
    shift: impl Fn(f64) -> f64,
    size_at: impl Fn(f64) -> f64,
    v: Vector,
    z: Vector,
    u: Vector,
) -> (Vector, [f64; 4]) {
    let sticking = [0, 1].map(|i| sigma_0 * z[i] + sigma_1 * v[i]);
    let shift = directed(shift(size(sticking) / static_force), sticking);
    let w = [0, 1].map(|i| (v[i] - u[i]) + shift[i]);
    let force = directed(size_at(size(w)), w);
    (
        force,
        free(sigma_0, sigma_1, force, [z[0], z[1], u[0], u[1]]),
    )
}

/// Force and rates of a first-order bristle with the steady force g (N), elastic force limited to
/// `largest` (N).
fn first_order(
    [sigma_0, sigma_1, sigma_2]: [f64; 3],
    g: f64,
    largest: f64,
    v: Vector,
    z: Vector,
) -> (Vector, [f64; 4]) {
    let speed = size(v);
    let rate = |z: Vector| [0, 1].map(|i| v[i] - sigma_0 * speed / g * z[i]);
    let reach = largest / sigma_0;
    let within = if size(z) > reach {
        directed(reach, z)
    } else {
        z
    };
    let damped = rate(within);
    let force = [0, 1].map(|i| sigma_0 * within[i] + sigma_1 * damped[i] + sigma_2 * v[i]);
    let [a, b] = rate(z);
    (force, [a, b, 0.0, 0.0])
}
