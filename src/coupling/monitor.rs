//! Monitor of a coupling: shows from the motion whether the master's body follows the observer.
//!
//! *Energy*: the work of the force that the master applied and that of the law on the observed body agree where the body follows. They
//! drift apart with the wrong scheme, with several contacts on one body, and where the loop is close to its limit of stability.
//!
//! *Load*: the observer takes the load for linear over two steps. Second differences of the estimated load A measure what it misses. Where
//! they oppose the last displacement, Δ²A = −c Δx, the body is elastic with c H²/m.

use crate::saved_state::{Reader, SavedState, Writer};

/// Error of the work over the work from which the coupling is in doubt.
pub const MAX_WORK_ERROR: f64 = 0.01;
/// Least work that errors refer to, over (F_s H)²/m, twice the energy that F_s gives to a body within a step. A body that stops within a
/// step takes or leaves a share of it once. Larger values report errors later, in stick above all.
const MIN_WORK: f64 = 100.0;
/// Root mean square of Δ²A over F_s from which the load is not resolved, and the share that the mean keeps from step to step.
const UNRESOLVED: (f64, f64) = (0.2, 0.98);
/// Least c H²/m of an elastic body, root mean square of Δ²A over F_s, and squared correlation from which it counts. Runs below are
/// accurate to 1 % in the survey of docs/coupling.md; the loop is stable up to 1 in parallel and 2 in series.
const ELASTIC: [f64; 3] = [0.2, 0.05, 0.5];
/// Largest second difference that an elastic body can show, 2 (1 − cos ωH): above it the loop itself oscillates.
const MAX_ELASTICITY: f64 = 4.0;
/// Share that the sums of the elastic body keep from step to step.
const ELASTIC_MEMORY: f64 = 0.95;
/// Steps at the start, where A is not known yet, steps before an elastic body counts, and steps before the mean of Δ²A counts: a master
/// with another order shows its order sooner.
const START: [f64; 3] = [6.0, 20.0, 60.0];

/// Longest recent steps in a row with an error of the work above [`MAX_WORK_ERROR`] that count: a single late stop is made up for sooner.
const DOUBTFUL_STEPS: f64 = 15.0;

/// Reason why the body does not follow its observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Doubt {
    /// Error of the work of the applied force over the work.
    Work(f64),
    /// c H²/m of an elastic body.
    Elastic(f64),
    /// Root mean square of the second difference of the load over F_s.
    Load(f64),
}

/// Monitor of a coupling; part of a body observer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CouplingMonitor {
    /// E_loss at the start, J.
    start: f64,
    /// Work of the applied force, J, from E_loss at the start.
    work: f64,
    /// Largest F_s so far, N.
    static_force: f64,
    /// Largest (F_s H)²/m so far, J.
    step_energy: f64,
    /// Last change of A, N, and last change of the momentum of the body over H, N.
    last: [f64; 2],
    /// Time in a row with a large error of the work, over the longest recent step.
    doubtful: f64,
    /// Steps of one length.
    steps: f64,
    /// Mean of (Δ²A)², N².
    curvature: f64,
    /// Weighted sums of (Δ²A)², −Δ²A m Δv/H and (m Δv/H)².
    sums: [f64; 3],
}

/// Work that errors refer to, J, after this work of the law (J) with this largest F_s² over the mass times H² (J).
fn work_scale(of_law: f64, step_energy: f64) -> f64 {
    of_law.abs() + MIN_WORK * step_energy
}

/// Relative error of the work of the applied force, from its difference from that of the law (J).
pub fn work_error(difference: f64, of_law: f64, step_energy: f64) -> f64 {
    let scale = work_scale(of_law, step_energy);
    if scale > 0.0 { difference / scale } else { 0.0 }
}

impl CouplingMonitor {
    /// Monitor that starts from this E_loss, J.
    pub fn new(start: f64) -> Self {
        CouplingMonitor { start, work: start, ..CouplingMonitor::default() }
    }

    /// Sum of the magnitudes of the numbers that can grow: not finite where one of them is not.
    #[inline]
    pub fn size(&self) -> f64 {
        self.work.abs() + self.step_energy + self.curvature + self.sums[0] + self.sums[2] + self.last[0].abs()
    }

    /// Takes over F_s (N) and m/H² (kg/s²) of the coming step.
    #[inline]
    pub fn begin(&mut self, static_force: f64, inertia_rate: f64) {
        // A law without a bound has an infinite F_s, and no scale.
        if static_force < f64::MAX {
            self.static_force = self.static_force.max(static_force);
            self.step_energy = self.step_energy.max(static_force * static_force / inertia_rate);
        }
    }

    /// Adds a step: the work of the applied force (J), the change of A (N), the inertial force m Δv/H (N), and whether the step is as
    /// long as the one before.
    #[inline]
    pub fn add(&mut self, work: f64, change: f64, inertia: f64, is_same: bool) {
        self.work += work;
        let [change_before, inertia_before] = core::mem::replace(&mut self.last, [change, inertia]);
        self.steps = if is_same { self.steps + 1.0 } else { 0.0 };
        if self.steps > START[0] {
            let curvature = change - change_before;
            let square = curvature * curvature;
            self.curvature += (1.0 - UNRESOLVED.1) * (square - self.curvature);
            let [aa, av, vv] = &mut self.sums;
            *aa = ELASTIC_MEMORY * *aa + square;
            *av = ELASTIC_MEMORY * *av - curvature * inertia_before;
            *vv = ELASTIC_MEMORY * *vv + inertia_before * inertia_before;
        }
    }

    /// Compares the work so far with `loss`, the work of the law (J); `share` is the length of the step over the longest recent one.
    #[inline]
    pub fn compare(&mut self, loss: f64, share: f64) {
        let is_off = (self.work - loss).abs() > MAX_WORK_ERROR * work_scale(loss - self.start, self.step_energy);
        self.doubtful = if is_off { self.doubtful + share } else { 0.0 };
    }

    /// Work of the applied force, J, from E_loss at the start.
    #[inline]
    pub fn work(&self) -> f64 {
        self.work
    }

    /// Error of the work over `loss`, the work of the law (J).
    #[inline]
    pub fn work_error(&self, loss: f64) -> f64 {
        work_error(self.work - loss, loss - self.start, self.step_energy)
    }

    /// The reason to doubt the coupling, if there is one; `loss` is the work of the law, J.
    #[inline]
    pub fn doubt(&self, loss: f64) -> Option<Doubt> {
        let [aa, av, vv] = self.sums;
        let force = self.static_force * self.static_force;
        let [elasticity, curvature, coherence] = ELASTIC;
        // The sums hold 1/(1 − memory) steps.
        if aa * (1.0 - ELASTIC_MEMORY) > curvature * curvature * force
            && av > elasticity * vv
            && av < MAX_ELASTICITY * vv
            && av * av > coherence * aa * vv
            && self.steps > START[1]
        {
            return Some(Doubt::Elastic(av / vv));
        }
        if self.curvature > UNRESOLVED.0 * UNRESOLVED.0 * force && self.steps > START[2] {
            return Some(Doubt::Load((self.curvature / force).sqrt()));
        }
        let error = self.work_error(loss);
        (self.doubtful > DOUBTFUL_STEPS).then_some(Doubt::Work(error))
    }
}

impl SavedState for CouplingMonitor {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let CouplingMonitor { start, work, static_force, step_energy, doubtful, last, steps, curvature, sums } = self;
        [*start, *work, *static_force, *step_energy, *doubtful, *steps, *curvature].write(writer);
        last.write(writer);
        sums.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [start, work, static_force, step_energy, doubtful, steps, curvature] = SavedState::read(reader)?;
        Some(CouplingMonitor {
            start,
            work,
            static_force,
            step_energy,
            doubtful,
            steps,
            curvature,
            last: SavedState::read(reader)?,
            sums: SavedState::read(reader)?,
        })
    }
}
