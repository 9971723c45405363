//! Steps of an element with the observer of its body; outputs and warnings of the coupling.

use super::coupling_warnings::{warning_of_doubt, warning_of_held, warning_of_identified, warning_of_start};
use super::lever::Lever;
use super::{E_LOSS, Element, F_R, LastStep, Report, STICKING, V};
use crate::coupling::{self, BodyObserver, COUPLING, Chatter, Coupling, Doubt, ForceOrder, M_EFF, Response};
use crate::integrate::SolverError;
use crate::law::{Contact, Law, MAX_INPUT_DERIVATIVE_ORDER};
use crate::variable::Variable;

/// Factor between an estimate of the mass and m_eff, either way, from which on a warning names it. Contacts that share a body show up to
/// 1.25 in runs that are good.
const WRONG_MASS: f64 = 1.3;

/// Length below which a step skips the body observer, s: the change of velocity in it is rounding.
pub const MIN_OBSERVED_STEP: f64 = 1e-12;

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

    /// Whether a mass is given or to be found.
    pub(super) fn has_coupling(&self) -> bool {
        let values = &self.now.values;
        values[&M_EFF] != 0.0 || Coupling::of(values[&COUPLING]) == Coupling::Auto
    }

    /// Advances with the observer of a body, or as the coupling scheme says.
    #[inline(never)]
    pub(super) fn advance_coupled(&mut self, duration: f64) -> Result<Report, SolverError> {
        let is_negligible = |observer: &BodyObserver| observer.is_negligible(duration);
        let body = self.observed_mass();
        if let Some((mass, coupling)) = body
            && let Some(support) = self.support(mass, duration)
        {
            return self.advance_with_support(coupling, support, duration);
        }
        let report = match body {
            Some(_) if self.now.observer.as_ref().is_some_and(is_negligible) => {
                self.now.advance_time(duration);
                self.now.derivatives = None;
                Report::default()
            }
            Some(body) if duration >= MIN_OBSERVED_STEP => self.advance_observed(body, duration, None)?,
            None if Coupling::of(self.now.values[&COUPLING]) == Coupling::Auto && duration >= MIN_OBSERVED_STEP => {
                self.advance_automatic(duration)?
            }
            _ => self.advance_law(duration)?,
        };
        self.now.support = None;
        Ok(report)
    }

    /// Advances the observer of the body, and sets F_R to the force that moves the master's body along with it. A new observer starts with
    /// the `carried` error of the work, J, and its E_loss, J. After an error the observer is unchanged.
    #[inline(never)]
    pub(super) fn advance_observed(
        &mut self,
        body: (f64, Coupling),
        duration: f64,
        carried: Option<[f64; 2]>,
    ) -> Result<Report, SolverError> {
        // A single copy: the step changes the observer in place.
        let before = self.now.observer;
        let report = self.advance_in_place(body, duration, carried);
        if report.is_err() {
            self.now.observer = before;
        }
        report
    }

    /// Advances as [`advance_observed`](Self::advance_observed); after an error the observer is undefined.
    #[inline(always)]
    fn advance_in_place(
        &mut self,
        body: (f64, Coupling),
        duration: f64,
        carried: Option<[f64; 2]>,
    ) -> Result<Report, SolverError> {
        let contact = self.contact();
        if !self.now.observer.as_ref().is_some_and(|observer| observer.is_for(body.1)) {
            let values = &self.now.values;
            let (states, modes, loss) = (self.states(), values.modes(), values[&E_LOSS]);
            let force = values[&F_R] * self.lever.inverse;
            let mut observer = BodyObserver::initialize(body, contact, force, &states, modes, loss);
            if let Some(carried) = carried {
                observer.carry(carried);
            }
            self.now.observer = Some(observer);
        }
        let limit = self.solver().limit;
        let (acceleration, tolerance) = (self.acceleration(), self.now.tolerance);
        let last = self.now.last_step.duration;
        let normal_rate = self.now.derivatives.map(|[first, ..]| first.F_N).filter(|rate| *rate != 0.0);
        let is_held = self.now.observer.as_ref().is_none_or(|observer| self.is_better_held(observer, body.0, duration));
        let observer = match &mut self.now.observer {
            Some(observer) if !is_held => observer,
            _ => return self.advance_failed(duration),
        };
        observer.set_mass(body.0);
        let step = observer.step(&mut self.body, (contact, acceleration), normal_rate, duration, tolerance, limit)?;
        let (states, modes) = (observer.states(), observer.modes());
        self.store([step.contact, Contact::ZERO], step.x, step.discrete, step.loss)?;
        self.now.values[&F_R] = step.applied * self.lever.radius;
        self.now.advance_time(duration);
        let trajectory = Some((contact, [Contact::ZERO; MAX_INPUT_DERIVATIVE_ORDER]));
        self.now.last_step = LastStep { duration, trajectory, states, modes };
        if Coupling::of(self.now.values[&COUPLING]) != Coupling::Auto {
            if last > 0.0 {
                self.now.automatic.observe(contact.v, last);
            }
            self.now.automatic.add_force(step.applied);
        }
        self.now.derivatives = None;
        Ok(Report { inner_steps: step.inner_steps, force_error: step.force_error, limit_met: step.force_error > 0.0 })
    }

    /// Advances with held values after the coupling has failed, or now that it does.
    #[cold]
    fn advance_failed(&mut self, duration: f64) -> Result<Report, SolverError> {
        // A step with held values drops the observer.
        let mut observer = self.now.observer;
        let report = self.advance_law(duration)?;
        observer.iter_mut().for_each(BodyObserver::fail);
        self.now.observer = observer;
        Ok(report)
    }

    /// Whether F_R is that of the observer of a body.
    pub(super) fn is_observed(&self) -> bool {
        self.now.observer.as_ref().is_some_and(|observer| !observer.has_failed())
    }

    /// Whether the coupling has fallen back to held values, or does so in a step of `duration` (s): the body, of this mass (kg), does not
    /// answer, and held values are stable.
    #[inline]
    fn is_better_held(&self, observer: &BodyObserver, mass: f64, duration: f64) -> bool {
        observer.has_failed()
            || observer.is_idle() && {
                let [parallel, _] = coupling::longest_steps(self.response_at_rest(), mass);
                duration <= parallel
            }
    }

    /// Stiffness (N/m) and damping (N·s/m) of the unloaded law at rest.
    pub(super) fn response_at_rest(&self) -> [f64; 2] {
        let (law, rest) = (&self.body.law, Contact::new(self.now.end.F_N, 0.0));
        law.quasi_static_response(rest, &[0.0; N], &law.initialize(rest))
    }

    /// Longest stable steps of a coupling with held values, in parallel and in series, s; `None` without a mass.
    fn longest_steps(&self) -> Option<[f64; 2]> {
        let mass = self.effective_mass();
        let quasi_static_response =
            || self.body.law.quasi_static_response(self.now.end, &self.states(), &self.discrete());
        (mass > 0.0).then(|| coupling::longest_steps(quasi_static_response(), mass))
    }

    /// Error of the work of the applied force over that of the law; 0 without an observer.
    fn energy_error(&self) -> f64 {
        match &self.now.support {
            Some(support) => support.work_error(),
            None => self.now.observer.as_ref().map_or(self.now.automatic.held_error(), BodyObserver::work_error),
        }
    }

    /// [`AnyElement::on_demand_output`](super::AnyElement::on_demand_output).
    pub(super) fn on_demand(&self, variable: &Variable) -> Result<f64, SolverError> {
        let Lever { radius, .. } = self.lever;
        let on_demand_output = match () {
            () if L::PLANAR => self.mean_in_plane(variable)?,
            () if !L::COUPLED => 0.0,
            () if variable.is(&coupling::H_MAX) => self.longest_steps().map_or(0.0, |[parallel, serial]| {
                if Coupling::of(self.now.values[&COUPLING]) == Coupling::Serial { serial } else { parallel }
            }),
            () if variable.is(&coupling::E_LOSS_ERROR) => self.energy_error(),
            _ if self.now.last_step.duration == 0.0 => 0.0,
            () if variable.is(&coupling::F_R_MEAN) => self.mean_force()? * radius,
            () if variable.is(&coupling::DF_R_DV) => self.derivative_by_velocity()? * (radius * radius),
            _ => self.derivative_by_normal_force()? * radius,
        };
        if on_demand_output.is_finite() { Ok(on_demand_output) } else { Err(SolverError::NotFinite) }
    }

    /// Records the velocity of a coming step; whether a warning about the coupling may be due.
    #[inline]
    pub(super) fn watch_coupling(&mut self) -> bool {
        L::COUPLED && (self.is_coupled || self.chatter.record(self.now.values[&V] * self.lever.radius))
    }

    /// [`AnyElement::coupling_warning`](super::AnyElement::coupling_warning).
    pub(super) fn warning_of_coupling(&mut self, duration: f64) -> Option<String> {
        match () {
            () if !L::COUPLED => None,
            () if self.is_coupled => self.warning_of_mass(self.effective_mass(), duration),
            () => self.warning_of_chatter(duration),
        }
    }

    #[cold]
    fn warning_of_chatter(&mut self, duration: f64) -> Option<String> {
        let (values, end) = (&self.now.values, self.now.end);
        let sticks = values[&STICKING] != 0.0 && !end.is_open();
        let force = values[&F_R] * self.lever.inverse;
        let mut chatter = self.chatter;
        let found = chatter.detect(force, duration, sticks, || self.response_at_rest());
        self.chatter = chatter;
        let Chatter { mass, longest_step, is_serial } = found?;
        let name = if is_serial { "serial" } else { "parallel" };
        Some(format!(
            "F_R and v chatter: they oscillate against each other from step to step, and the held force drives the oscillation that \
             the law damps; H = {duration:.3e} s exceeds {longest_step:.3e} s, the likely limit of a {name} coupling with held values \
             to a body with an effective mass of {mass:.3} kg; shorten the step, or set m_eff to that mass and coupling to {name}"
        ))
    }

    fn warning_of_mass(&self, m_eff: f64, duration: f64) -> Option<String> {
        if let Some(support) = self.observed_mass().and_then(|(mass, _)| self.support(mass, duration)) {
            return self.warning_of_support(&support, duration);
        }
        let estimate = self.now.observer.as_ref().and_then(BodyObserver::estimated_mass);
        // An automatic coupling is to find the mass, and a mass within the range of stability is no fault.
        let is_auto = Coupling::of(self.now.values[&COUPLING]) == Coupling::Auto;
        let estimate = estimate.filter(|mass| !is_auto && !(1.0 / WRONG_MASS..=WRONG_MASS).contains(&(mass / m_eff)));
        let has_acceleration = self.acceleration().is_some();
        let doubt = self.now.observer.as_ref().and_then(|observer| observer.doubt(has_acceleration));
        if estimate.is_some() || doubt.is_some() {
            let (response, is_known) = self.now.automatic.last_response();
            if let Some(warning) = response.and_then(|response| self.warning_of_order(response)) {
                return Some(warning);
            }
            // The order is known after a few more steps than the mass.
            if doubt.is_none() && !is_known {
                return None;
            }
        }
        let mass = self.now.automatic.in_use().map_or(m_eff, |(mass, _)| mass);
        if self.now.observer.as_ref().is_some_and(|observer| self.is_better_held(observer, mass, duration)) {
            return Some(
                "F_R alternated from step to step, and v did not answer: other contacts share the body, v is prescribed, or m_eff is far \
                 too small. F_R is the law's own force from now on, as with coupling = held, which is stable at this H. Give the contacts of \
                 one body to one element with a body (section [body] of its card), or couple them in series"
                    .to_owned(),
            );
        }
        if let Some(mass) = estimate {
            return Some(format!(
                "force and body oscillated against each other; their changes give an effective mass of {mass:.3} kg, not \
                 {m_eff:.3} kg; the element continues with {mass:.3} kg: set m_eff to that. If several contacts share the body, their \
                 elements drive each other in a parallel coupling: give them to one element with a body (section [body] of its card), \
                 couple them in series, or set coupling to held"
            ));
        }
        if let Some(response) = self.now.automatic.obstacle() {
            return self.warning_of_order(response);
        }
        let in_use = self.now.automatic.in_use();
        if self.now.observer.is_some() {
            let warning = doubt.map(|doubt| match (doubt, in_use) {
                (Doubt::Work(error), Some(body)) => warning_of_identified(body, error, duration),
                _ => warning_of_doubt(doubt, duration),
            });
            let of_start =
                || in_use.filter(|_| self.now.automatic.has_moved()).map(|body| warning_of_start(body, duration));
            return warning.or_else(of_start);
        }
        if is_auto {
            return self.now.automatic.held_doubt().map(|doubt| warning_of_held(doubt, duration));
        }
        let held = Coupling::of(self.now.values[&COUPLING]) == Coupling::Held;
        let [parallel, serial] = if held { self.longest_steps()? } else { return None };
        (duration > parallel).then(|| {
            format!(
                "H = {duration:.3e} s exceeds {parallel:.3e} s, the longest communication step that a parallel coupling with \
                 held values allows in this state at m_eff = {m_eff:.3} kg ({serial:.3e} s in series): the body may chatter; \
                 set coupling to serial or parallel, or shorten the step"
            )
        })
    }

    /// Warning about a master that applies the force in another order than the setting says.
    #[cold]
    fn warning_of_order(&self, Response { order, mass }: Response) -> Option<String> {
        let set = Coupling::of(self.now.values[&COUPLING]);
        let advice = match order {
            ForceOrder::Serial if set != Coupling::Parallel => return None,
            ForceOrder::Parallel if set != Coupling::Serial => return None,
            ForceOrder::Serial => "the step that begins with v: a serial coupling; set coupling to serial",
            ForceOrder::Parallel => "the step after that: a parallel coupling; set coupling to parallel",
            ForceOrder::Delayed => {
                "the second step after that, for which there is no setting; let the master apply it sooner, or shorten H"
            }
            ForceOrder::Extrapolated => {
                "the step that begins with v, extrapolated linearly; switch the extrapolation of F_R in the master off"
            }
        };
        Some(format!(
            "the motion of the body (effective mass {mass:.3} kg) shows that the master applies F_R over {advice}"
        ))
    }
}
