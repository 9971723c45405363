//! Monitor of a coupling: shows from the motion whether the master's body follows the observer.
//!
//! *Energy*: the work of the force that the master applied and that of the law on the observed body agree where the body follows. They
//! drift apart with the wrong scheme, with several contacts on one body, and where the loop is close to its limit of stability.
//!
//! *Load*: the observer takes the load for linear over two steps. Second differences of the estimated load A measure what it misses. Where
//! they oppose the last displacement, Δ²A = −c Δx, the body is elastic with c H²/m.
//!
//! *Normal force*: F_N is extrapolated as well, and second differences measure what that misses.
//!
//! *Force*: after a step the observed body shows the mean force of the law in it, from which the applied force differs.
//!
//! *Response*: the load repeats the force where the body answers to it with another mass ([`ResponseMonitor`]).

mod lengths;
mod normal;

pub use self::lengths::StepLengths;
pub use self::normal::NormalMonitor;

use super::Coupling;
use super::response::ResponseMonitor;
use crate::integrate::extrema::{larger, smaller};
use crate::saved_state::{Reader, SavedState, Writer};

/// Error of the work over the work from which the coupling is in doubt.
pub const MAX_WORK_ERROR: f64 = 0.01;
/// Error of the work from which a coupling with the error of held values before it is in doubt: a good run of the survey of docs/coupling.md comes
/// to 0.02, where the motion has just begun.
const MAX_CARRIED_ERROR: f64 = 0.03;
/// Least work that errors refer to, over (F_s H)²/m with the steps by which the force is late as H, twice the energy that F_s gives to a body
/// in that time. A body that stops takes or leaves a share of it once. Larger values report errors later, in stick above all.
const MIN_WORK: f64 = 100.0;
/// Share that the means of squares keep from step to step.
const MEMORY: f64 = 0.98;
/// Root mean square of the error of the force over F_s from which the coupling is in doubt. A good run of the survey of docs/coupling.md
/// is within 0.05 in the mean over all of it, and within 0.055 here.
const MAX_FORCE_ERROR: f64 = 0.085;
/// Largest error of the force over F_s, and largest second difference of F_N over its largest value, that count in a step: a single
/// jump makes no doubt.
const JUMP: [f64; 2] = [0.3, 0.4];
/// Largest second difference of A over its bound that counts in a step.
const JUMPS: f64 = 5.0;
/// Root mean square of Δ²A over F_s, and squared correlation, from which an elastic body counts.
const ELASTIC: [f64; 2] = [0.05, 0.5];
/// Bound on the root mean square of Δ²A over F_s with steps of varying length, most of which are short and show less of an unresolved load: good
/// runs reach 0.084, bad ones 0.09 to 0.5, with two exceptions.
const MAX_VARIED_LOAD: f64 = 0.1;
/// Share of steps of another length than the one before from which lengths count as varying; step doubling has a half.
const VARIED: f64 = 0.1;
/// Largest second difference that an elastic body can show in steps of one length, 2 (1 − cos ωH): above it the loop itself oscillates.
const MAX_ELASTICITY: f64 = 4.0;
/// Share that the sums of the elastic body keep from step to step.
const ELASTIC_MEMORY: f64 = 0.95;
/// Distance of the middles of the last steps over that of those before up to which they show an elastic body: a change of A in a short step,
/// with its rounding, does not count over a long one.
const MAX_GROWTH: f64 = 2.0;
/// Longest recent steps at the start, where A is not known yet, those before an elastic body counts, and those before means of squares count: a master
/// with another order shows its order sooner.
const START: [f64; 3] = [6.0, 20.0, 60.0];

/// Bounds of a coupling, from which it is in doubt: each between the good and the bad runs of the survey of docs/coupling.md.
#[derive(Clone, Copy, Debug)]
pub struct MonitorBounds {
    /// c H²/m of an elastic body.
    elasticity: f64,
    /// Root mean square of Δ²A over F_s.
    load: f64,
    /// Root mean square of Δ²F_N over the largest F_N.
    normal: f64,
}

/// Bounds for a serial master. Its force is predicted from the middle of the last step to that of the coming one.
const SERIAL: MonitorBounds = MonitorBounds { elasticity: 0.12, load: 0.2, normal: 0.14 };
/// Bounds for a serial master that gives the acceleration.
const SERIAL_WITH_ACCELERATION: MonitorBounds = MonitorBounds { elasticity: 0.3, ..SERIAL };
/// Bounds for a parallel master, whose force is predicted over one step more.
const PARALLEL: MonitorBounds = MonitorBounds { elasticity: 0.08, load: 0.05, normal: 0.09 };
/// Bounds for a body on a known support, whose load is filtered.
pub const ON_SUPPORT: MonitorBounds = MonitorBounds { elasticity: 0.2, ..SERIAL };

impl MonitorBounds {
    /// Bounds for a scheme, with the acceleration as an input or without.
    pub fn of(coupling: Coupling, has_acceleration: bool) -> Self {
        match coupling {
            Coupling::Parallel => PARALLEL,
            _ if has_acceleration => SERIAL_WITH_ACCELERATION,
            _ => SERIAL,
        }
    }
}

/// Longest recent steps over which the error of the work must have come up: in stick, where the law does hardly any work, the small one
/// of each swing of the load adds up without a bound.
const RECENT_STEPS: f64 = 500.0;
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
    /// Root mean square of the second difference of F_N over the largest one.
    Normal(f64),
    /// Root mean square of the error of the force over F_s.
    Force(f64),
    /// Share of m in the mass with which the body answers to the force.
    Response(f64),
}

/// Step of a coupling.
#[derive(Clone, Copy, Debug)]
pub struct MonitoredStep {
    /// Work of the applied force, J.
    pub work: f64,
    /// Change of A from the step before, N.
    pub load_change: f64,
    /// Inertial force m Δv/H, N.
    pub inertia: f64,
    /// Applied force, N; `None` where the load is no measure of the response.
    pub force: Option<f64>,
    /// Length of the step, and of those that it is compared with.
    pub lengths: StepLengths,
}

/// Monitor of a coupling; part of a body observer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CouplingMonitor {
    /// E_loss at the start, J.
    start: f64,
    /// Work of the applied force, J, from E_loss at the start.
    work: f64,
    /// Difference of the works before the start, J.
    carried: f64,
    /// Largest F_s so far, N.
    static_force: f64,
    /// Largest (F_s H)²/m so far, J.
    step_energy: f64,
    /// Last change of A, N, the time (s) in which it came up, and last change of the momentum of the body over H, N.
    last: [f64; 3],
    /// Difference of the works and work of the law (J), as last compared, and their recent parts.
    compared: [f64; 2],
    recent: [f64; 2],
    /// Time in a row with a large error of the work, over the longest recent step.
    doubtful: f64,
    /// Time of all steps, over the longest recent step at each.
    steps: f64,
    /// Mean of (Δ²A)², N².
    curvature: f64,
    /// Mean of the square of the error of the force, N².
    force_error: f64,
    response: ResponseMonitor,
    /// Weighted sums of (Δ²A)², −Δ²A m Δv/H and (m Δv/H)², with the longest recent step as H.
    sums: [f64; 3],
    /// Mean share of steps of another length than the one before, and mean of H² less that of the longest recent step, over the latter.
    lengths: [f64; 2],
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
        CouplingMonitor { start, work: start, compared: [0.0, start], ..CouplingMonitor::default() }
    }

    /// Takes over the difference of the works (J) of the steps before the start, and E_loss at their start (J).
    pub fn carry(&mut self, [difference, start]: [f64; 2]) {
        self.recent = [difference, self.work - start];
        self.compared[0] = difference;
        (self.carried, self.start) = (difference, start);
    }

    /// Sum of the magnitudes of the numbers that can grow: not finite where one of them is not.
    #[inline]
    pub fn size(&self) -> f64 {
        let sizes = self.sums[0] + self.sums[2] + self.last[0].abs() + self.response.size();
        self.work.abs() + self.step_energy + self.curvature + self.force_error + sizes
    }

    /// Takes over F_s (N) and m/H² (kg/s²) of the coming step, with the time by which the force is late as H.
    #[inline]
    pub fn begin(&mut self, static_force: f64, inertia_rate: f64) {
        // A law without a bound has an infinite F_s, and no scale.
        if static_force < f64::MAX {
            self.static_force = larger(static_force, self.static_force);
            self.step_energy = larger(static_force * static_force / inertia_rate, self.step_energy);
        }
    }

    /// Adds a step.
    #[inline]
    pub fn add(&mut self, step: MonitoredStep, bounds: MonitorBounds) {
        let MonitoredStep { work, load_change, inertia, force, lengths } = step;
        self.work += work;
        let is_same = lengths.is_same();
        if let Some(force) = force {
            self.response.add(load_change, force, self.static_force, is_same);
        }
        let spacing = lengths.spacing();
        let [change_before, spacing_before, inertia_before] =
            core::mem::replace(&mut self.last, [load_change, spacing, inertia]);
        let share = lengths.share();
        self.steps += share;
        if self.steps <= START[0] {
            return;
        }
        let (growth, size) = if is_same && spacing == spacing_before {
            (1.0, 1.0)
        } else {
            (spacing / spacing_before, spacing * lengths.before / (lengths.horizon * lengths.horizon))
        };
        let [varied, shortness] = &mut self.lengths;
        // Both stay 0 while all steps are of one length.
        if !(is_same && size == 1.0 && *varied == 0.0 && *shortness == 0.0) {
            *varied += (1.0 - MEMORY) * share * (f64::from(!is_same) - *varied);
            *shortness += (1.0 - MEMORY) * share * (size - 1.0 - *shortness);
        }
        let curvature = load_change - change_before * growth.min(1.0);
        let square = curvature * curvature;
        let largest = JUMPS * bounds.load * self.static_force;
        self.curvature += (1.0 - MEMORY) * share * (smaller(square, largest * largest) - self.curvature);
        if growth <= MAX_GROWTH {
            let curvature = load_change - change_before * growth;
            let inertia = inertia_before * size;
            let products = [curvature * curvature, -curvature * inertia, inertia * inertia];
            for (sum, product) in self.sums.iter_mut().zip(products) {
                *sum += share * (product - (1.0 - ELASTIC_MEMORY) * *sum);
            }
        }
    }

    /// Adds the error of the applied force in a step, N.
    #[inline]
    pub fn add_force_error(&mut self, error: f64, lengths: StepLengths) {
        if self.steps > START[0] {
            let error = smaller(error.abs(), JUMP[0] * self.static_force);
            self.force_error += (1.0 - MEMORY) * lengths.share() * (error * error - self.force_error);
        }
    }

    /// Whether the force alternates from step to step without an answer of the body.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.response.is_idle()
    }

    /// Compares the work so far with `loss`, the work of the law (J); `share` is the length of the step over the longest recent one.
    #[inline]
    pub fn compare(&mut self, loss: f64, share: f64) {
        let difference = self.carried + self.work - loss;
        let now = [difference, loss];
        for ((recent, last), now) in self.recent.iter_mut().zip(&mut self.compared).zip(now) {
            *recent += now - *last - share / RECENT_STEPS * *recent;
            *last = now;
        }
        let [recent_difference, recent_loss] = self.recent;
        let bound = if self.carried == 0.0 { MAX_WORK_ERROR } else { MAX_CARRIED_ERROR };
        let is_off = |difference: f64, of_law: f64| difference.abs() > bound * work_scale(of_law, self.step_energy);
        let is_off = is_off(difference, loss - self.start) && is_off(recent_difference, recent_loss);
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
        work_error(self.carried + self.work - loss, loss - self.start, self.step_energy)
    }

    /// The reason to doubt the coupling, if there is one; `loss` is the work of the law, J.
    #[inline]
    pub fn doubt(&self, loss: f64, bounds: MonitorBounds) -> Option<Doubt> {
        let [aa, av, vv] = self.sums;
        let force = self.static_force * self.static_force;
        let [curvature, coherence] = ELASTIC;
        let MonitorBounds { elasticity, load, .. } = bounds;
        let [varied, shortness] = self.lengths;
        let (load, most) = if varied > VARIED { (load.min(MAX_VARIED_LOAD), f64::MAX) } else { (load, MAX_ELASTICITY) };
        // The stiffness counts over the steps as they are, not over the longest one.
        let slope = (1.0 + shortness) * av;
        // The sums hold 1/(1 − memory) steps.
        if aa * (1.0 - ELASTIC_MEMORY) > curvature * curvature * force
            && slope > elasticity * vv
            && av < most * vv
            && av * av > coherence * aa * vv
            && self.steps > START[1]
        {
            return Some(Doubt::Elastic(slope / vv));
        }
        if let Some(share) = self.response.foreign() {
            return Some(Doubt::Response(share));
        }
        if self.curvature > load * load * force && self.steps > START[2] {
            return Some(Doubt::Load((self.curvature / force).sqrt()));
        }
        if self.force_error > MAX_FORCE_ERROR * MAX_FORCE_ERROR * force && self.steps > START[2] {
            return Some(Doubt::Force((self.force_error / force).sqrt()));
        }
        (self.doubtful > DOUBTFUL_STEPS).then(|| Doubt::Work(self.work_error(loss)))
    }
}

impl SavedState for CouplingMonitor {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let CouplingMonitor {
            start,
            work,
            carried,
            static_force,
            step_energy,
            last,
            compared,
            recent,
            doubtful,
            steps,
            curvature,
            force_error,
            response,
            sums,
            lengths,
        } = self;
        [*compared, *recent].write(writer);
        [*start, *work, *carried, *static_force, *step_energy, *doubtful, *steps, *curvature, *force_error]
            .write(writer);
        response.write(writer);
        last.write(writer);
        sums.write(writer);
        lengths.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [compared, recent] = SavedState::read(reader)?;
        let [start, work, carried, static_force, step_energy, doubtful, steps, curvature, force_error] =
            SavedState::read(reader)?;
        let response = SavedState::read(reader)?;
        Some(CouplingMonitor {
            start,
            work,
            carried,
            static_force,
            step_energy,
            compared,
            recent,
            doubtful,
            steps,
            curvature,
            force_error,
            response,
            last: SavedState::read(reader)?,
            sums: SavedState::read(reader)?,
            lengths: SavedState::read(reader)?,
        })
    }
}

#[cfg(test)]
mod tests;
