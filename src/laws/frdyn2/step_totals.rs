//! Totals accumulated over a communication step.

/// Totals accumulated over a communication step.
#[derive(Debug, Default)]
pub struct StepTotals {
    /// Time reached, s from the start of the step.
    pub t: f64,
    /// Friction loss, J.
    pub loss: f64,
    /// Inner steps.
    pub inner_steps: u32,
    /// Bound of ln of the factor by which the falling branch has multiplied errors; infinite where it is not counted.
    pub growth: f64,
}

impl StepTotals {
    /// Adds the totals of a part, except its time.
    pub fn add(&mut self, part: StepTotals) {
        self.loss += part.loss;
        self.inner_steps += part.inner_steps;
        self.growth += part.growth;
    }
}
