//! Discrete values and event indicators of Model Exchange: both are constant, or continuous, from
//! one event to the next.

use super::{E_LOSS, Element, LastStep};
use crate::integrate::SolverError;
use crate::law::{
    Contact, DiscreteState, Events, HYSTERESIS, History, Law, MAX_EVENTS, event_iteration,
    stiffness,
};

impl<L: Law<N>, const N: usize> Element<L, N> {
    /// Event indicators of the law, each moved by [`HYSTERESIS`] towards the side of its last
    /// [latch](Self::latch_indicators): none is 0 after an event, and an event lies beyond its
    /// limit by more than a solver's error in locating it.
    pub(super) fn indicators_with_hysteresis(&self) -> [f64; MAX_EVENTS] {
        let mut indicators = self.indicators_of_law();
        for (indicator, is_below) in indicators.iter_mut().zip(self.now.is_below) {
            *indicator += if is_below { -HYSTERESIS } else { HYSTERESIS };
        }
        indicators
    }

    /// Latches the side of 0 of each indicator.
    pub(super) fn latch_indicators(&mut self) {
        self.now.is_below = self.indicators_of_law().map(|indicator| indicator <= 0.0);
    }

    fn indicators_of_law(&self) -> [f64; MAX_EVENTS] {
        self.discrete()
            .indicators(&self.law, self.contact(), &self.states())
    }

    /// Calculates outputs and derivatives from the present inputs, states and modes; after an error
    /// nothing is stored.
    pub(super) fn evaluate_at_present(&mut self) -> Result<(), SolverError> {
        self.store(
            [self.contact(), Contact::ZERO],
            self.states(),
            self.discrete(),
            self.now.values[&E_LOSS],
        )
    }

    /// Sets the modes for the present inputs and start values, and clears the history.
    pub(super) fn start_discrete_values(&mut self) -> Result<(), SolverError> {
        if let Some(history) = &mut self.now.history {
            **history = History::default();
        }
        let (contact, start) = (self.contact(), self.states());
        let (mut x, mut discrete) = (start, L::DiscreteState::initial(contact));
        event_iteration(&self.law, contact, &mut x, &mut discrete);
        // An open contact keeps its start values: F_N may not be set yet.
        let energy = self.now.values[&E_LOSS];
        let x = if contact.is_open() { start } else { x };
        self.store([contact, Contact::ZERO], x, discrete, energy)?;
        self.now.last_step = LastStep::NONE;
        self.now.stiffness = stiffness(&self.law);
        Ok(())
    }

    /// Handles events at the present instant until the modes hold.
    pub(super) fn update_discrete_values(&mut self) {
        let (mut x, mut discrete) = (self.states(), self.discrete());
        event_iteration(&self.law, self.contact(), &mut x, &mut discrete);
        for (x, (state, _)) in x.iter().zip(L::METADATA.states) {
            self.now.values[state] = *x;
        }
        discrete.write(&mut self.now.values);
    }

    /// Whether an event is due with the present inputs and states.
    pub(super) fn modes_are_old(&self) -> bool {
        let (law, contact, before) = (&self.law, self.contact(), self.discrete());
        let (mut x, mut discrete) = (self.states(), before);
        event_iteration(law, contact, &mut x, &mut discrete)
            && (x != self.states() || !before.differs_by_rounding(&discrete, contact))
    }
}
