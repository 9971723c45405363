//! Steps of an element on a body with a known elastic support.

use super::coupled::MIN_OBSERVED_STEP;
use super::coupling_warnings::warning_of_normal_force;
use super::{Element, Report};
use crate::coupling::shared::BodyContact;
use crate::coupling::{Coupling, D_EFF, Doubt, K_EFF, M_SUPPORT, Support, SupportObserver};
use crate::integrate::SolverError;
use crate::law::Law;

/// Largest ωH with an observer: the law and the spring's swings are integrated over the step, and beyond it that would take thousands of
/// inner steps for a motion that the load within the step decides. Longer steps have held values.
const MAX_TURN: f64 = 100.0;
/// k H²/m up to which a support is none: the spring's force changes by less than that share of the force that moves the mass. A smaller
/// bound lets the uncertainty of a free support's place overflow.
const NEGLIGIBLE_STIFFNESS: f64 = 1e-9;
/// Largest |sin ωH| beyond ωH = 2 from which on a held force hardly moves v.
const NEAR_RESONANCE: f64 = 0.2;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Support of the contact mass; `None` where it has none that could be felt within a step of `duration` (s).
    pub(super) fn support(&self, mass: f64, duration: f64) -> Option<Support> {
        let values = &self.now.values;
        let stiffness = values[&K_EFF];
        let is_felt = stiffness * duration * duration > NEGLIGIBLE_STIFFNESS * mass;
        // A negligible step leaves the observer as it is.
        let is_part = stiffness > 0.0 && self.now.support.as_deref().is_some_and(|known| known.is_negligible(duration));
        // The lever of a rotational contact has no support.
        (is_felt || is_part).then(|| Support {
            mass,
            stiffness,
            damping: values[&D_EFF],
            support_mass: values[&M_SUPPORT],
        })
    }

    /// Advances with the observer of a body on a support, or skips a step that is negligible.
    pub(super) fn advance_with_support(
        &mut self,
        coupling: Coupling,
        support: Support,
        duration: f64,
    ) -> Result<Report, SolverError> {
        let is_negligible = |observer: &SupportObserver| !observer.has_failed() && observer.is_negligible(duration);
        if self.now.support.as_deref().is_some_and(is_negligible) {
            self.skip(duration);
            return Ok(Report::default());
        }
        if duration >= MIN_OBSERVED_STEP && support.frequency() * duration <= MAX_TURN {
            self.advance_supported(coupling, support, duration)
        } else {
            let report = self.advance_law(duration)?;
            self.now.support = None;
            Ok(report)
        }
    }

    /// Advances the observer of a body on a support, and sets F_R to the force that moves the master's body along with it; with held
    /// values after the coupling has failed.
    #[inline(never)]
    fn advance_supported(
        &mut self,
        coupling: Coupling,
        support: Support,
        duration: f64,
    ) -> Result<Report, SolverError> {
        if self.now.support.as_ref().is_some_and(|observer| observer.has_failed()) {
            return self.advance_law(duration);
        }
        let known = self.now.support.as_ref().filter(|observer| observer.is_for(coupling));
        let mut observer =
            known.map_or_else(|| SupportObserver::new(coupling, support, &self.start()), |known| **known);
        let mut memory = self.support.take().unwrap_or_default();
        let mut limit = self.solver().limit;
        let done = observer.step(&mut memory, self, support, duration, self.now.tolerance, &mut limit);
        self.support = Some(memory);
        let (step, inner_steps) = done?;
        let last = self.now.last_step.duration;
        self.accept(&step)?;
        if last > 0.0 {
            self.now.automatic.observe(step.start.v, last);
        }
        self.now.automatic.add_force(step.applied[0]);
        match &mut self.now.support {
            Some(kept) => **kept = observer,
            none => *none = Some(Box::new(observer)),
        }
        let force_error = limit.error();
        Ok(Report { inner_steps, force_error, limit_met: force_error > 0.0 })
    }

    /// Whether F_R is that of the observer of a body on a support.
    pub(super) fn is_supported(&self) -> bool {
        self.now.support.as_ref().is_some_and(|observer| !observer.has_failed())
    }

    /// Warning about a body that does not follow its support's observer, or a step near which a held force does not move v.
    pub(super) fn warning_of_support(&self, support: &Support, duration: f64) -> Option<String> {
        let turn = support.frequency() * duration;
        if turn > core::f64::consts::TAU {
            return Some(format!(
                "omega H = {turn:.3} with k_eff: H = {duration:.3e} s is longer than a natural period of the body on its support, {:.3e} s, \
                 and the load within a period is not known; shorten H",
                core::f64::consts::TAU / support.frequency()
            ));
        }
        if turn > 2.0 && libm::sin(turn).abs() < NEAR_RESONANCE {
            return Some(format!(
                "omega H = {turn:.3} with k_eff is near a multiple of pi at H = {duration:.3e} s: a force held over such a step hardly \
                 moves v; choose another H"
            ));
        }
        let observer = self.now.support.as_ref()?;
        if observer.has_failed() {
            return Some(
                "the work of F_R as the master applied it differs from that of friction by more than 10 %: k_eff, m_support or m_eff \
                 are not those of the body, or the coupling has another order; F_R is the law's own force from now on, as with coupling = held"
                    .to_owned(),
            );
        }
        match observer.doubt()? {
            Doubt::Work(error) => Some(format!(
                "the work of F_R as the master applied it differs from that of friction by {:.1} % at H = {duration:.3e} s: check k_eff, \
                 m_support and m_eff, and the order in which the master applies F_R",
                100.0 * error
            )),
            Doubt::Normal(ratio) => Some(warning_of_normal_force(ratio, duration)),
            Doubt::Elastic(_) | Doubt::Load(_) | Doubt::Force(_) | Doubt::Response(_) => Some(format!(
                "the load on the contact mass is not resolved at H = {duration:.3e} s, or the body has other elastic parts than k_eff: \
                 shorten H, or leave k_eff at 0 and let m_eff be what responds within H"
            )),
        }
    }
}
