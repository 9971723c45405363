//! Solver for Model Exchange: a method of order 8 between the events, which are bisected to the
//! last bit.

use crate::fmi2::{EventInfo, MODEL_EXCHANGE, Reference, Status};
use crate::fmu::Fmu;
use crate::instance::Instance;
use bristle_reference_laws::dop853::solve;
use bristle_reference_laws::segments::first_instant;
use bristle_reference_laws::{Contact, LawParameters};
use std::cell::RefCell;

/// Relative tolerance of the solver, in units of the states' nominal values.
pub const TOLERANCE: f64 = 1e-10;

/// Input by its reference, as a part of the contact.
type Input = (Reference, fn(Contact) -> f64);

/// Element of `N` states in Continuous-Time Mode, with inputs that are functions of time.
#[allow(missing_debug_implementations)] // a function
pub struct Solver<'a, const N: usize> {
    instance: RefCell<Instance<'a>>,
    inputs: Vec<Input>,
    contact: fn(f64) -> Contact,
    /// Time, s.
    pub t: f64,
    x: [f64; N],
}

/// Event of an element.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// Time, s.
    pub t: f64,
    /// The element reported new values of its states.
    pub states_changed: bool,
    /// `mode` before and after, of the elements that have one.
    pub modes: Option<[i32; 2]>,
}

impl<'a, const N: usize> Solver<'a, N> {
    /// Element with the parameters of a law, initialised at t = 0 with the inputs of that time.
    ///
    /// # Panics
    /// If the FMU refuses.
    pub fn start<L: LawParameters>(fmu: &'a Fmu, law: &L, contact: fn(f64) -> Contact) -> Self {
        let mut instance = fmu.instantiate(MODEL_EXCHANGE);
        let status = instance.setup_experiment(None, 0.0, None);
        instance.ok(status);
        for (name, value) in law.parameters() {
            instance.set(name, value);
        }
        let all = [
            ("F_N", (|contact| contact.F_N) as fn(Contact) -> f64),
            ("v", |contact| contact.v),
            ("a", |contact| contact.a),
            ("F_t", |contact| contact.F_t),
        ];
        let has = |name: &str| {
            fmu.description
                .variables
                .iter()
                .any(|variable| variable.name == name)
        };
        let inputs = all.into_iter().filter(|(name, _)| has(name));
        let inputs = inputs
            .map(|(name, input)| (fmu.description.reference(name), input))
            .collect();
        let mut solved = Solver {
            instance: RefCell::new(instance),
            inputs,
            contact,
            t: 0.0,
            x: [0.0; N],
        };
        solved.set_inputs();
        let instance = solved.instance.get_mut();
        for status in [
            instance.enter_initialization_mode(),
            instance.exit_initialization_mode(),
        ] {
            instance.ok(status);
        }
        solved.new_discrete_states();
        solved
    }

    fn set_inputs(&self) {
        let contact = (self.contact)(self.t);
        let instance = &mut *self.instance.borrow_mut();
        for (reference, input) in &self.inputs {
            let status = instance.set_real(&[*reference], &[input(contact)]);
            instance.ok(status);
        }
    }

    /// Sets time, states and inputs.
    fn apply(&self, t: f64, x: &[f64; N]) {
        let contact = (self.contact)(t);
        let instance = &mut *self.instance.borrow_mut();
        let status = instance.set_time(t);
        instance.ok(status);
        let status = instance.set_continuous_states(x);
        instance.ok(status);
        for (reference, input) in &self.inputs {
            let status = instance.set_real(&[*reference], &[input(contact)]);
            instance.ok(status);
        }
    }

    fn rate(&self, t: f64, x: &[f64; N]) -> [f64; N] {
        self.apply(t, x);
        let mut rate = [f64::NAN; N];
        let instance = &mut *self.instance.borrow_mut();
        let status = instance.get_derivatives(&mut rate);
        instance.ok(status);
        rate
    }

    /// States after `h` (s) in the present mode.
    fn integrated(&self, h: f64) -> [f64; N] {
        if N == 0 || h == 0.0 {
            return self.x;
        }
        let mut scale = [f64::NAN; N];
        let status = self
            .instance
            .borrow_mut()
            .get_nominals_of_continuous_states(&mut scale);
        self.instance.borrow().ok(status);
        solve(
            |s, x| self.rate(self.t + s, &x),
            self.x,
            scale,
            h,
            TOLERANCE,
        )
    }

    /// Signs of the event indicators.
    fn signs(&self, t: f64, x: &[f64; N]) -> Vec<bool> {
        self.apply(t, x);
        let instance = &mut *self.instance.borrow_mut();
        let mut indicators = vec![f64::NAN; instance.fmu().description.event_indicators];
        let status = instance.get_event_indicators(&mut indicators);
        instance.ok(status);
        assert!(
            indicators.iter().all(|indicator| indicator.is_finite()),
            "{indicators:?} at {t} s"
        );
        indicators
            .iter()
            .map(|indicator| *indicator > 0.0)
            .collect()
    }

    /// Value of the variable `mode` at the present time, of an element that has it.
    pub fn mode(&self) -> Option<i32> {
        let instance = &mut *self.instance.borrow_mut();
        let has = instance
            .fmu()
            .description
            .variables
            .iter()
            .any(|variable| variable.name == "mode");
        has.then(|| instance.get_whole("mode"))
    }

    /// F_R at the present time, N.
    pub fn force(&self) -> f64 {
        self.apply(self.t, &self.x);
        self.instance.borrow_mut().get("F_R")
    }

    /// Advances by `h` (s) and returns the events.
    ///
    /// # Panics
    /// If the FMU refuses, or events follow each other without end.
    pub fn advance(&mut self, h: f64) -> Vec<Event> {
        let (end, mut events) = (self.t + h, Vec::new());
        loop {
            let before = self.signs(self.t, &self.x);
            let x = self.integrated(end - self.t);
            if self.signs(end, &x) == before {
                if self.complete(end, x) {
                    events.push(self.event());
                }
                return events;
            }
            // Every trial of the bisection integrates again from the start: events are far rarer
            // than steps.
            let t = first_instant(self.t, end, |t| {
                self.signs(t, &self.integrated(t - self.t)) != before
            });
            let x = self.integrated(t - self.t);
            self.complete(t, x);
            events.push(self.event());
            assert!(events.len() < 100, "{events:?}");
        }
    }

    /// Ends a step; true if the element requests an event.
    fn complete(&mut self, t: f64, x: [f64; N]) -> bool {
        (self.t, self.x) = (t, x);
        self.apply(t, &x);
        let (status, event, end) = self.instance.get_mut().completed_integrator_step();
        self.instance.get_mut().ok(status);
        assert!(!end, "friction never ends a simulation");
        event
    }

    fn event(&mut self) -> Event {
        let before = self.mode();
        let status = self.instance.get_mut().enter_event_mode();
        self.instance.get_mut().ok(status);
        let states_changed = self.new_discrete_states();
        Event {
            t: self.t,
            states_changed,
            modes: before
                .zip(self.mode())
                .map(|(before, after)| [before, after]),
        }
    }

    /// Leads from Event Mode to Continuous-Time Mode; true if states have new values.
    fn new_discrete_states(&mut self) -> bool {
        let mut states_changed = false;
        let instance = self.instance.get_mut();
        for _ in 0..10 {
            let mut info = EventInfo::default();
            let status = instance.new_discrete_states(&mut info);
            instance.ok(status);
            states_changed |= info.values_of_continuous_states_changed != 0;
            if info.new_discrete_states_needed == 0 {
                break;
            }
        }
        let status = instance.enter_continuous_time_mode();
        instance.ok(status);
        let mut x = [f64::NAN; N];
        let status = instance.get_continuous_states(&mut x);
        assert!(status == Status::OK || N == 0);
        if self.t > 0.0 && !states_changed {
            assert_eq!(x, self.x, "states changed in silence");
        }
        self.x = x;
        states_changed
    }
}
