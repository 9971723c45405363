//! One panel of a light contact, and the law at its nodes.

use super::super::constants::{
    KINK_ERROR, MAX_PANEL_ITERATIONS, NEAR_LIMIT, PANEL_LOSS_SHARE, QUADRATURE_SAFETY, SLOWEST_CONTRACTION, UNCONVERGED,
};
use super::super::equations::Equations;
use super::{LightContact, LightLaw};
use crate::integrate::gauss::{
    INTEGRATION, NODES, STAGES, WEIGHTS, both_errors, each, plus_product, quadrature_error, sum,
};

/// The bristle as two forces, N: by equation (3) it is two lags in a row, p′ = ω (F_R − p) and q′ = ω (p − q).
#[derive(Clone, Copy)]
pub struct Lags {
    /// σ_0 z + σ_0 ż/ω.
    pub p: f64,
    /// σ_0 z.
    pub q: f64,
}

impl Lags {
    /// Of (z, ż).
    pub fn of(equations: &Equations, x: &[f64; 2]) -> Self {
        let q = equations.sigma_0 * x[0];
        Lags { p: q + equations.sigma_0 * x[1] / equations.omega, q }
    }

    /// (z, ż).
    pub fn states(self, equations: &Equations) -> [f64; 2] {
        [self.q * equations.compliance, self.deflection_rate(equations)]
    }

    /// ż, m/s.
    pub fn deflection_rate(self, equations: &Equations) -> f64 {
        equations.omega * equations.compliance * (self.p - self.q)
    }

    /// Under this force (N) after a moment, a small share of 1/ω.
    pub fn moved(self, force: f64, share: f64) -> Self {
        let [dp, dq] = self.rates(force);
        Lags { p: self.p + share * dp, q: self.q + share * dq }
    }

    /// Rates over ω under this force (N).
    pub fn rates(self, force: f64) -> [f64; 2] {
        [force - self.p, self.p - self.q]
    }

    /// Under a constant force (N) after `s` in units of 1/ω, where e^(−s) = `decay`.
    fn under(self, force: f64, s: f64, decay: f64) -> Self {
        let from = Lags { p: self.p - force, q: self.q - force };
        Lags { p: force + decay * from.p, q: force + decay * (from.q + s * from.p) }
    }
}

/// The law at one instant.
#[derive(Clone, Copy)]
#[allow(non_snake_case)] // the paper's symbols
pub struct Node {
    /// F_0, N.
    pub F_0: f64,
    /// dF_0/dt, N/s.
    pub slope: f64,
    /// F_s, N.
    pub F_s: f64,
    /// Shifted slip velocity, m/s.
    pub w: f64,
    /// F_R, N.
    pub F_R: f64,
    /// v, m/s.
    pub v: f64,
    /// Number of the forces −F_s, 0 and F_s that F_0 has reached.
    pub side: u8,
    /// Number of the velocities −v_d, −v_s, 0, v_s and v_d that w has reached.
    pub zone: u8,
}

impl Node {
    /// The law at this F_N (N), v (m/s) and dv/dt (m/s²).
    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    pub fn new<L: LightLaw>(law: &L, [F_N, v, acceleration]: [f64; 3], lags: Lags) -> Self {
        let bristle = law.bristle();
        let Equations { sigma_0, sigma_1, mu_s, v_s, v_d, .. } = *bristle;
        let F_N = F_N.max(0.0);
        let F_s = mu_s * F_N;
        let F_0 = lags.q + sigma_1 * v;
        let (shift, side) = if F_0 >= F_s {
            (1.0, 3)
        } else if F_0 < -F_s {
            (-1.0, 0)
        } else {
            (L::shift(F_0 / F_s), if F_0 < 0.0 { 1 } else { 2 })
        };
        let rate = lags.deflection_rate(bristle);
        let w = v - rate + v_s * shift;
        let zone = [-v_d, -v_s, 0.0, v_s, v_d].into_iter().map(|border| u8::from(w >= border)).sum();
        let slope = sigma_0 * rate + sigma_1 * acceleration;
        Node { F_0, slope, F_s, w, F_R: law.force(F_N, w), v, side, zone }
    }

    /// Whether the shift depends on F_0.
    fn is_shifted(&self) -> bool {
        self.side == 1 || self.side == 2
    }

    /// Whether there is a kink of the law between two nodes. w may pass the border of a zone by so little that F_R does not show it.
    pub fn is_beyond_a_kink<L: LightLaw>(&self, law: &L, from: &Node) -> bool {
        let Equations { v_s, v_d, .. } = *law.bristle();
        self.side != from.side
            || self.zone != from.zone && (self.w - from.w).abs() > L::SIGNIFICANT_KINK * v_s.min(v_d - v_s)
    }
}

/// A panel that is tried.
pub struct Panel {
    /// Length, s.
    pub h: f64,
    /// The places of the nodes, shares of the length.
    pub places: [f64; STAGES],
    /// The bristle at the nodes and at the end.
    pub lags: [Lags; STAGES],
    pub end: Lags,
    /// The law at the nodes and at the end.
    pub nodes: [Node; STAGES],
    pub at_end: Node,
    /// Friction loss, J.
    pub loss: f64,
    /// Estimated error over the one that is allowed.
    pub error: f64,
}

/// A place in a panel: its share of the length, the bristle, and the law.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    pub share: f64,
    pub lags: &'a Lags,
    pub node: &'a Node,
}

impl Panel {
    /// The nodes and the end, one after the other.
    #[inline]
    pub fn place(&self, i: usize) -> Place<'_> {
        if i < STAGES {
            Place { share: self.places[i], lags: &self.lags[i], node: &self.nodes[i] }
        } else {
            Place { share: 1.0, lags: &self.end, node: &self.at_end }
        }
    }
}

impl<L: LightLaw> LightContact<'_, L> {
    /// A panel of `h` (s) from a start at `t`.
    #[inline(never)]
    pub(super) fn panel(&self, t: f64, h: f64, start: Lags, from: Node) -> Panel {
        let bristle = self.law.bristle();
        let length = bristle.omega * h;
        let last = self.inputs(t + h);
        let [places, densities] = spread::<L>(&from, h, bristle.mu_s * last[0].max(0.0));
        let inputs: [_; STAGES] = core::array::from_fn(|i| self.inputs(t + places[i] * h));
        let nodes_of = |lags: &[Lags; STAGES]| -> [Node; STAGES] {
            core::array::from_fn(|i| Node::new(self.law, inputs[i], lags[i]))
        };
        let decays = each(|i| libm::exp(-length * places[i]));
        // e^(ωt), with the density of the nodes.
        let growths = each(|i| densities[i] / decays[i]);
        let mut lags: [Lags; STAGES] = core::array::from_fn(|i| start.under(from.F_R, length * places[i], decays[i]));
        let mut nodes = nodes_of(&lags);
        let static_force = (bristle.mu_s * inputs[0][0].max(last[0])).max(f64::MIN_POSITIVE);
        // Bound of the contraction of the iteration: by ż, and by F_0 while the shift depends on it.
        let by_rate = 4.0 * static_force / (bristle.sigma_1 * bristle.v_s) * length.min(1.0);
        let is_shifted = from.is_shifted() || nodes.iter().any(Node::is_shifted);
        let contraction = if is_shifted { by_rate + length * length } else { by_rate };
        let allowed = self.interval.tolerance * static_force;
        let (mut weighted, mut dense);
        let mut last_change = f64::INFINITY;
        let mut iterations = 0;
        let is_converged = loop {
            // e^(ωt) p and e^(ωt) q are integrals of e^(ωt) F_R and e^(ωt) p.
            weighted = each(|i| growths[i] * nodes[i].F_R);
            let first = plus_product(0.0, &INTEGRATION, &weighted);
            let grown = each(|i| start.p + length * first[i]);
            dense = each(|i| densities[i] * grown[i]);
            let second = plus_product(0.0, &INTEGRATION, &dense);
            lags = core::array::from_fn(|i| Lags {
                p: decays[i] * grown[i],
                q: decays[i] * (start.q + length * second[i]),
            });
            let next = nodes_of(&lags);
            let change = (0..STAGES).fold(0.0, |most: f64, i| most.max((next[i].F_R - nodes[i].F_R).abs()));
            nodes = next;
            iterations += 1;
            if contraction.min(1.0) * change <= allowed {
                break true;
            }
            if iterations == MAX_PANEL_ITERATIONS || change > SLOWEST_CONTRACTION * last_change {
                break false;
            }
            last_change = change;
        };
        let decay = libm::exp(-length);
        weighted = each(|i| growths[i] * nodes[i].F_R);
        let end = Lags {
            p: decay * (start.p + length * sum(&WEIGHTS, &weighted)),
            q: decay * (start.q + length * sum(&WEIGHTS, &dense)),
        };
        let at_end = Node::new(self.law, last, end);
        let powers = each(|i| densities[i] * nodes[i].F_R * nodes[i].v);
        let [quadrature, interpolation] = both_errors(&weighted);
        let of_states = decay * length * (quadrature + contraction * interpolation) / allowed;
        let energy = PANEL_LOSS_SHARE * allowed * from.v.abs().max(at_end.v.abs()) * self.interval.duration;
        let of_loss = if energy > 0.0 { h * quadrature_error(&powers) / energy } else { 0.0 };
        let mut error = QUADRATURE_SAFETY * of_states.max(of_loss);
        if nodes.iter().any(|node| node.is_beyond_a_kink(self.law, &from)) {
            error *= KINK_ERROR;
        }
        if !is_converged {
            error = error.max(UNCONVERGED);
        }
        Panel { h, places, lags, end, nodes, at_end, loss: h * sum(&WEIGHTS, &powers), error }
    }
}

/// Places of the nodes in a panel of `h` (s) with F_s = `static_force` (N) at its end, shares of its length, and their rates of change with evenly
/// spread nodes. Where the shift has the root of its distance from |F_0| = F_s, nodes that are dense there make it smooth: at the end where
/// |F_0|/F_s rises, at the start where it comes from there.
fn spread<L: LightLaw>(from: &Node, h: f64, static_force: f64) -> [[f64; STAGES]; 2] {
    if !(L::HAS_ROOTS && from.is_shifted()) {
        return [NODES, [1.0; STAGES]];
    }
    // The change of |F_0|/F_s over the panel times F_s².
    let change = from.F_s * h * from.slope * from.F_0.signum() - from.F_0.abs() * (static_force - from.F_s);
    if change > 0.0 {
        [each(|i| NODES[i] * (2.0 - NODES[i])), each(|i| 2.0 * (1.0 - NODES[i]))]
    } else if from.F_0.abs() > NEAR_LIMIT * from.F_s {
        [each(|i| NODES[i] * NODES[i]), each(|i| 2.0 * NODES[i])]
    } else {
        [NODES, [1.0; STAGES]]
    }
}

#[cfg(test)]
mod tests;
