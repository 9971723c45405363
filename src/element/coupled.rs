//! Steps of an element with the observer of its body; outputs and warnings of the coupling.

use super::lever::Lever;
use super::{E_LOSS, Element, F_R, LastStep, Report, STICKING, V};
use crate::coupling::{self, BodyObserver, COUPLING, Chatter, Coupling, M_EFF};
use crate::integrate::SolverError;
use crate::law::{Contact, Law, MAX_INPUT_DERIVATIVE_ORDER};
use crate::variable::Variable;

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Effective mass along the contact, kg: m_eff, or J_eff/r² of a rotational contact.
    fn effective_mass(&self) -> f64 {
        let Lever { inverse, .. } = self.lever;
        self.now.values[&M_EFF] * (inverse * inverse)
    }

    /// Mass (kg) and coupling scheme of the body observer; `None` where it is off.
    #[inline]
    pub(super) fn observed_mass(&self) -> Option<(f64, Coupling)> {
        Coupling::observed_mass(&self.now.values).map(|(_, coupling)| (self.effective_mass(), coupling))
    }

    /// Advances the observer of the body, and sets F_R to the force that moves the master's body along with it.
    #[inline(never)]
    pub(super) fn advance_observed(&mut self, body: (f64, Coupling), duration: f64) -> Result<Report, SolverError> {
        let contact = self.contact();
        let (values, Lever { radius, inverse }) = (&self.now.values, self.lever);
        let force = values[&F_R] * inverse;
        let initialize =
            || BodyObserver::initialize(body, contact, force, &self.states(), values.modes(), values[&E_LOSS]);
        let mut observer = self.now.observer.filter(|observer| observer.is_for(body.1)).unwrap_or_else(initialize);
        observer.set_mass(body.0);
        let limit = self.solver().limit;
        let normal_rate = self.now.derivatives.map(|[first, ..]| first.F_N).filter(|rate| *rate != 0.0);
        let step = observer.step(&mut self.body, contact, normal_rate, duration, self.now.tolerance, limit)?;
        self.store([step.contact, Contact::ZERO], &step.x, step.discrete, step.loss)?;
        self.now.values[&F_R] = step.applied * radius;
        self.advance_time(duration);
        let trajectory = Some((contact, [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]));
        self.now.last_step = LastStep { duration, trajectory, states: observer.states(), modes: observer.modes() };
        self.now.observer = Some(observer);
        self.now.derivatives = None;
        Ok(Report { inner_steps: step.inner_steps, force_error: step.force_error, limit_met: step.force_error > 0.0 })
    }

    /// Longest stable steps of a coupling with held values, in parallel and in series, s; `None` without a mass.
    fn longest_steps(&self) -> Option<[f64; 2]> {
        let mass = self.effective_mass();
        let quasi_static_response =
            || self.body.law.quasi_static_response(self.now.end, &self.states(), &self.discrete());
        (mass > 0.0).then(|| coupling::longest_steps(quasi_static_response(), mass))
    }

    /// [`AnyElement::on_demand_output`](super::AnyElement::on_demand_output).
    pub(super) fn on_demand(&self, variable: &Variable) -> Result<f64, SolverError> {
        let Lever { radius, .. } = self.lever;
        let on_demand_output = match () {
            _ if !L::COUPLED => 0.0,
            () if variable.is(&coupling::H_MAX) => self.longest_steps().map_or(0.0, |[parallel, serial]| {
                if Coupling::of(self.now.values[&COUPLING]) == Coupling::Serial { serial } else { parallel }
            }),
            _ if self.now.last_step.duration == 0.0 => 0.0,
            () if variable.is(&coupling::F_R_MEAN) => self.mean_force()? * radius,
            () if variable.is(&coupling::DF_R_DV) => self.derivative_by_velocity()? * (radius * radius),
            _ => self.derivative_by_normal_force()? * radius,
        };
        if on_demand_output.is_finite() { Ok(on_demand_output) } else { Err(SolverError::NotFinite) }
    }

    /// [`AnyElement::coupling_warning`](super::AnyElement::coupling_warning).
    #[inline]
    pub(super) fn warning_of_coupling(&mut self, duration: f64) -> Option<String> {
        let m_eff = self.effective_mass();
        if !L::COUPLED {
            return None;
        }
        if m_eff == 0.0 {
            let is_suspicious = self.chatter.is_suspicious(self.now.values[&V] * self.lever.radius);
            return if is_suspicious { self.warning_of_chatter(duration) } else { None };
        }
        self.warning_of_mass(m_eff, duration)
    }

    #[cold]
    fn warning_of_chatter(&mut self, duration: f64) -> Option<String> {
        let (values, end) = (&self.now.values, self.now.end);
        let law = &self.body.law;
        let sticks = values[&STICKING] != 0.0 && !end.is_open();
        // The response in stick is that of the unloaded law at rest.
        let rest = Contact::new(end.F_N, 0.0);
        let response = || law.quasi_static_response(rest, &[0.0; N], &law.initialize(rest));
        let Chatter { mass, longest_step, is_serial } =
            self.chatter.detect(values[&F_R] * self.lever.inverse, duration, sticks, response)?;
        let name = if is_serial { "serial" } else { "parallel" };
        Some(format!(
            "F_R and v chatter: they oscillate against each other from step to step, and the held force drives the oscillation that \
             the law damps; H = {duration:.3e} s exceeds {longest_step:.3e} s, the likely limit of a {name} coupling with held values \
             to a body with an effective mass of {mass:.3} kg; shorten the step, or set m_eff to that mass and coupling to {name}"
        ))
    }

    fn warning_of_mass(&self, m_eff: f64, duration: f64) -> Option<String> {
        if let Some(mass) = self.now.observer.as_ref().and_then(BodyObserver::estimated_mass) {
            return Some(format!(
                "force and body oscillated against each other; their changes give an effective mass of {mass:.3} kg, not \
                 {m_eff:.3} kg; the element continues with {mass:.3} kg: set m_eff to that"
            ));
        }
        let [parallel, serial] = self.longest_steps()?;
        let held = Coupling::of(self.now.values[&COUPLING]) == Coupling::Held;
        (held && duration > parallel).then(|| {
            format!(
                "H = {duration:.3e} s exceeds {parallel:.3e} s, the longest communication step that a parallel coupling with \
                 held values allows in this state at m_eff = {m_eff:.3} kg ({serial:.3e} s in series): the body may chatter; \
                 set coupling to serial or parallel, or shorten the step"
            )
        })
    }
}
