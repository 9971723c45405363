//! Several contacts of an assembly on one body, which one observer moves.

use crate::coupling::shared::{Mobility, SharedBody, SharedObserver};
use crate::coupling::{COUPLING, Coupling, Doubt, E_LOSS_ERROR, F_R_MEAN, F_R_Y_MEAN, ForceOrder, M_EFF, Response};
use crate::element::coupled::MIN_OBSERVED_STEP;
use crate::element::coupling_warnings::warning_of_normal_force;
use crate::element::{AnyElement, INNER_STEPS_MAX, Report};
use crate::integrate::SolverError;
use crate::integrate::step_limit::StepLimit;
use crate::variable::Variable;

/// Inertia of the body, as a coordinate of unit mass shows it, from which it counts as wrong, either way.
const WRONG_INERTIA: f64 = 1.3;

/// Least share of the card's inertia in the one that a warning names.
const MIN_ANSWER: f64 = 0.01;

/// Body that all contacts of an assembly act on.
pub struct BodyOfContacts {
    body: SharedBody,
    observer: SharedObserver,
}

impl BodyOfContacts {
    /// Body of this mobility at its contacts.
    pub fn new(mobility: Mobility) -> Self {
        let body = SharedBody::new(mobility);
        BodyOfContacts { observer: body.observer(), body }
    }

    /// Gives each contact its part of the body as m_eff, from which the limit of held values follows.
    pub fn give_masses(&self, contacts: &mut [Box<dyn AnyElement>]) {
        for (i, contact) in contacts.iter_mut().enumerate() {
            if self.body.is_in_plane() {
                // A law in the plane has no m_eff, and no start value of the scheme.
                contact.set(&COUPLING, COUPLING.start.unwrap_or(1.0));
                continue;
            }
            contact.set(&M_EFF, self.body.mass_at(i));
            // m_eff is no parameter of a law, which no value of it can contradict.
            let applied = contact.apply_parameters();
            debug_assert!(applied.is_ok());
        }
    }

    /// Observer of the body.
    pub fn observer(&self) -> &SharedObserver {
        &self.observer
    }

    /// Whether the last step was one of the observer.
    pub fn is_observed(&self) -> bool {
        self.observer.is_on()
    }

    /// Ends the observer; it begins again with the next step.
    pub fn end(&mut self) {
        self.observer.end();
    }

    /// Restores a saved observer of this body.
    pub fn restore(&mut self, observer: &SharedObserver) {
        debug_assert_eq!(self.observer.counts(), observer.counts());
        self.observer.clone_from(observer);
    }

    /// Advances all contacts with the observer; `None` where the coupling is held, and each contact advances alone.
    pub fn advance(
        &mut self,
        contacts: &mut [Box<dyn AnyElement>],
        duration: f64,
    ) -> Option<Result<Report, SolverError>> {
        let (values, tolerance) = contacts.first().map(|contact| (contact.values(), contact.snapshot().tolerance))?;
        let coupling = Coupling::of(values[&COUPLING]);
        let is_observed = matches!(coupling, Coupling::Serial | Coupling::Parallel) && duration >= MIN_OBSERVED_STEP;
        if !is_observed {
            self.observer.end();
            return None;
        }
        if self.observer.is_negligible(duration) {
            contacts.iter_mut().for_each(|contact| contact.skip(duration));
            return Some(Ok(Report::default()));
        }
        let limit = StepLimit::new(values[&INNER_STEPS_MAX] as u32);
        let done = self.body.step(&mut self.observer, contacts, coupling, duration, tolerance, limit);
        Some(done.map(|report| Report {
            inner_steps: report.inner_steps,
            force_error: report.force_error,
            limit_met: report.force_error > 0.0,
        }))
    }

    /// Output of a contact, or of the body where there is none, that the observer has, while there is one.
    pub fn output(&self, contact: Option<usize>, variable: &Variable) -> Option<f64> {
        match contact {
            _ if !self.is_observed() => None,
            Some(contact) if variable.is(&F_R_MEAN) => Some(self.observer.mean(contact)[0]),
            Some(contact) if variable.is(&F_R_Y_MEAN) => Some(self.observer.mean(contact)[1]),
            Some(contact) if variable.is(&E_LOSS_ERROR) => Some(self.observer.work_error(contact)),
            None if variable.is(&E_LOSS_ERROR) => Some(self.observer.work_error_of_all()),
            _ => None,
        }
    }

    /// Warning about a body that does not follow its observer.
    pub fn warning(&self, contacts: &[Box<dyn AnyElement>], duration: f64) -> Option<String> {
        let has_acceleration = contacts.first().is_some_and(|contact| contact.start().acceleration.is_some());
        let doubt = self.observer.doubt(has_acceleration)?;
        let scheme = contacts.first().map(|contact| Coupling::of(contact.values()[&COUPLING]))?;
        if let Some(response) = self.observer.response()
            && let Some(warning) = warning_of_response(response, scheme)
        {
            return Some(warning);
        }
        Some(match doubt {
            Doubt::Work(error) => format!(
                "the work of the forces as the master applied them differs from that of friction by {:.1} %: the body does not follow \
                 its observer at H = {duration:.3e} s. Check the order in which the master applies the forces against coupling \
                 (serial or parallel), and mass, inertia and directions of the card; else shorten H",
                100.0 * error
            ),
            Doubt::Elastic(stiffness) => format!(
                "the body is elastic within a step: its motion shows c H^2/m = {stiffness:.2} at H = {duration:.3e} s. The forces are \
                 accurate up to 0.1, and the coupling stable up to about 2 in series and 1 in parallel: shorten H to {:.1e} s",
                duration * libm::sqrt(0.1 / stiffness)
            ),
            Doubt::Response(share) => format!(
                "the motion of the body answers to the forces with {:.2} times the inertia of the card at H = {duration:.3e} s: correct mass, \
                 inertia or directions; or a contact that is not of this element acts on the body; or a part of it swings by half a period \
                 or more within H: shorten H",
                1.0 / share.max(MIN_ANSWER)
            ),
            Doubt::Normal(ratio) => warning_of_normal_force(ratio, duration),
            Doubt::Force(ratio) => format!(
                "the forces as the master applied them differ from friction by {:.0} % of F_s in the mean over the last steps: the load \
                 changes too fast for H = {duration:.3e} s; shorten H",
                100.0 * ratio
            ),
            Doubt::Load(ratio) => format!(
                "the load on the body is not resolved at H = {duration:.3e} s: from step to step it departs from a straight line by \
                 {:.0} % of F_s. The likely causes: the load or an elastic part moves within H; a contact that is not of this element \
                 acts on the body; or the master applies the forces in another order than coupling says. Shorten H, or check the order",
                100.0 * ratio
            ),
        })
    }
}

/// Warning about a master that applies the forces in another order than the setting says, or about another inertia; `mass` is that of the
/// body over the card's.
fn warning_of_response(Response { order, mass }: Response, scheme: Coupling) -> Option<String> {
    let is_wrong_mass = !(1.0 / WRONG_INERTIA..=WRONG_INERTIA).contains(&mass);
    match order {
        ForceOrder::Serial if scheme == Coupling::Parallel => Some(
            "the motion of the body shows that the master applies the forces over the step that begins with v: a serial coupling; set \
             coupling to serial"
                .to_owned(),
        ),
        ForceOrder::Parallel if scheme == Coupling::Serial => Some(
            "the motion of the body shows that the master applies the forces over the step after that which begins with v: a parallel \
             coupling; set coupling to parallel"
                .to_owned(),
        ),
        ForceOrder::Delayed | ForceOrder::Extrapolated => Some(
            "the motion of the body shows that the master delays the forces by another step, or extrapolates them, for which there is \
             no setting; let the master hold them over the next step, or shorten H"
                .to_owned(),
        ),
        _ if is_wrong_mass => Some(format!(
            "the motion of the body shows {mass:.2} times the inertia of the card; correct mass, inertia or directions"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Assembly;
    use crate::catalogue::find;
    use crate::element::{F_N, F_R, V};
    use crate::variable::RANGE;

    /// Coupling schemes, as values of the setting.
    const SERIAL: f64 = 1.0;
    const PARALLEL: f64 = 2.0;

    /// Body of a test: its mass (kg), the spring that holds it (N/m), the order of the forces, and the load.
    struct Rig {
        mass: f64,
        stiffness: f64,
        is_parallel: bool,
        load: fn(f64) -> f64,
    }

    /// Body of the card's mass, 1 kg, which sticks under its load.
    const SOUND: Rig = Rig { mass: 1.0, stiffness: 0.0, is_parallel: false, load: |t| 5.0 * libm::sin(10.0 * t) };

    /// Warnings that two contacts on a body give in a second, without repetition.
    fn warnings(coupling: f64, rig: &Rig) -> Vec<String> {
        let h = 1e-3;
        let model = find("FrDyn2").unwrap();
        let mut body =
            Assembly::of_body(vec![model.instantiate(), model.instantiate()], Mobility::of_mass(1.0, 2).unwrap());
        body.set(&COUPLING, coupling);
        body.apply_parameters().unwrap();
        let of = |declared: &Variable, contact: u32| Variable {
            reference: declared.reference + contact * RANGE,
            ..*declared
        };
        let (mut v, mut x, mut held) = (0.0, 0.0, 0.0);
        let mut found: Vec<String> = Vec::new();
        for step in 0..1000 {
            let t = h * f64::from(step);
            for contact in [1, 2] {
                body.set(&of(&F_N, contact), 5.0);
                body.set(&of(&V, contact), v);
            }
            body.advance(h).unwrap();
            let new = body.value(F_R.reference + RANGE) + body.value(F_R.reference + 2 * RANGE);
            let used = if rig.is_parallel { held } else { new };
            v += h * ((rig.load)(t) - rig.stiffness * x - used) / rig.mass;
            x += h * v;
            held = new;
            if body.watch(false).coupling
                && let Some((contact, warning)) = body.coupling_warning(h)
            {
                assert_eq!(contact, 0);
                let beginning: String = warning.chars().take(40).collect();
                if !found.iter().any(|known| known.starts_with(&beginning)) {
                    found.push(warning);
                }
            }
        }
        found
    }

    #[test]
    fn body_that_does_not_follow_its_observer_is_reported() {
        let has = |warnings: &[String], words: &str| warnings.iter().any(|warning| warning.contains(words));
        let assert_named = |coupling: f64, rig: Rig, words: &str| {
            let found = warnings(coupling, &rig);
            assert!(has(&found, words), "{words}: {found:?}");
        };
        // Stick; break-away and reversals; stick of a body of 2.5 times the card's mass, which v and F_R do not show.
        let slipping: fn(f64) -> f64 = |t| 9.0 * libm::sin(10.0 * t);
        for sound in [SOUND, Rig { load: slipping, ..SOUND }, Rig { mass: 2.5, ..SOUND }] {
            assert_eq!(warnings(SERIAL, &sound), Vec::<String>::new());
            if sound.mass == 1.0 {
                assert_eq!(warnings(PARALLEL, &Rig { is_parallel: true, ..sound }), Vec::<String>::new());
            }
        }
        assert_named(SERIAL, Rig { is_parallel: true, ..SOUND }, "a parallel coupling; set coupling to parallel");
        assert_named(PARALLEL, SOUND, "a serial coupling; set coupling to serial");
        assert_named(SERIAL, Rig { mass: 0.4, ..SOUND }, "0.40 times the inertia of the card");
        assert_named(SERIAL, Rig { mass: 2.5, load: slipping, ..SOUND }, "answers to the forces with 2.");
        assert_named(
            SERIAL,
            Rig { load: |t| 4.0 * libm::sin(700.0 * t), ..SOUND },
            "the load on the body is not resolved",
        );
        let sprung = Rig { stiffness: 3e5, load: |t| 20.0 * libm::sin(30.0 * t), ..SOUND };
        assert_named(SERIAL, sprung, "the body is elastic within a step: its motion shows c H^2/m = 0.30");
        let jerked = Rig { load: |t| if (t * 150.0) % 1.0 < 0.5 { 5.5 } else { -4.0 }, ..SOUND };
        assert_named(SERIAL, jerked, "the work of the forces as the master applied them differs from that of friction");
    }

    #[test]
    fn response_of_a_body_names_the_setting_to_change() {
        let warning = |order, mass, scheme| warning_of_response(Response { order, mass }, scheme);
        let names = |order, mass, scheme, words: &str| {
            let text = warning(order, mass, scheme).unwrap_or_default();
            assert!(text.contains(words), "{text}");
        };
        names(ForceOrder::Serial, 1.0, Coupling::Parallel, "set coupling to serial");
        names(ForceOrder::Parallel, 1.0, Coupling::Serial, "set coupling to parallel");
        for order in [ForceOrder::Delayed, ForceOrder::Extrapolated] {
            names(order, 1.0, Coupling::Serial, "delays the forces by another step");
        }
        names(ForceOrder::Serial, 1.31, Coupling::Serial, "1.31 times the inertia");
        names(ForceOrder::Parallel, 0.76, Coupling::Parallel, "0.76 times the inertia");
        for mass in [0.78, 1.0, 1.29] {
            assert_eq!(warning(ForceOrder::Serial, mass, Coupling::Serial), None);
            assert_eq!(warning(ForceOrder::Parallel, mass, Coupling::Parallel), None);
        }
    }

    #[test]
    fn one_contact_on_a_body_moves_as_with_m_eff() {
        for law in ["FrDyn2", "FrDyn2Linear", "Dahl", "LuGre"] {
            for (coupling, h) in [(1.0, 1e-4), (2.0, 1e-4), (1.0, 1e-3), (2.0, 1e-3)] {
                let model = find(law).unwrap();
                let mut element = model.instantiate();
                element.set(&M_EFF, 0.5);
                element.set(&COUPLING, coupling);
                element.apply_parameters().unwrap();
                let mut single = Assembly::of_one(element);
                let mobility = Mobility::of_mass(0.5, 1).unwrap();
                let mut body = Assembly::of_body(vec![model.instantiate()], mobility);
                body.set(&COUPLING, coupling);
                body.apply_parameters().unwrap();
                let of = |declared: &Variable| Variable { reference: declared.reference + RANGE, ..*declared };
                let (mut v, mut x, mut held) = ([0.0_f64; 2], [0.0_f64; 2], [0.0_f64; 2]);
                for step in 0..(0.5 / h) as u32 {
                    let t = h * f64::from(step);
                    // Stick, break-away and reversals.
                    let load = 4.0 * libm::sin(12.0 * t);
                    single.set(&F_N, 5.0);
                    single.set(&V, v[0]);
                    body.set(&of(&F_N), 5.0);
                    body.set(&of(&V), v[1]);
                    single.advance(h).unwrap();
                    body.advance(h).unwrap();
                    let new = [single.value(F_R.reference), body.value(F_R.reference + RANGE)];
                    let used = if coupling == 2.0 { held } else { new };
                    for i in 0..2 {
                        x[i] += h * v[i];
                        v[i] += h * (load - used[i]) / 0.5;
                    }
                    held = new;
                }
                assert!((x[0] - x[1]).abs() < 2e-3 * x[0].abs().max(1e-2), "{law}, {coupling}, {h}: {x:?}");
            }
        }
    }
}
