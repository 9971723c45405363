//! Monitor of a normal force: second differences of F_N, which the element extrapolates linearly.

use super::{Doubt, JUMP, MEMORY, MonitorBounds, StepLengths};
use crate::saved_state::{Reader, SavedState, Writer};

/// Monitor of a normal force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NormalMonitor {
    /// Last F_N and its last change, N.
    last: [f64; 2],
    /// Largest F_N so far, N.
    largest: f64,
    /// Mean of (Δ²F_N)², N².
    curvature: f64,
}

impl NormalMonitor {
    /// Monitor that starts from this F_N, N.
    pub fn new(normal_force: f64) -> Self {
        let normal_force = normal_force.max(0.0);
        NormalMonitor { last: [normal_force, 0.0], largest: normal_force, curvature: 0.0 }
    }

    /// Sum of the magnitudes of the numbers that can grow.
    #[inline]
    pub fn size(&self) -> f64 {
        self.largest + self.curvature
    }

    /// Adds F_N (N) at a communication point, after a step.
    #[inline]
    pub fn add(&mut self, normal_force: f64, lengths: StepLengths) {
        let normal_force = normal_force.max(0.0);
        let [last, change_before] = self.last;
        let change = normal_force - last;
        self.last = [normal_force, change];
        self.largest = self.largest.max(normal_force);
        if change == 0.0 && change_before == 0.0 && self.curvature == 0.0 {
            return;
        }
        let expected = change_before * lengths.growth();
        let curvature = (change - expected).abs().min(JUMP[1] * self.largest);
        self.curvature += (1.0 - MEMORY) * lengths.share() * (curvature * curvature - self.curvature);
    }

    /// The reason to doubt the coupling, if there is one.
    #[inline]
    pub fn doubt(&self, bounds: MonitorBounds) -> Option<Doubt> {
        let bound = bounds.normal * self.largest;
        (self.curvature > bound * bound).then(|| Doubt::Normal(self.curvature.sqrt() / self.largest))
    }
}

impl SavedState for NormalMonitor {
    #[inline]
    fn write(&self, writer: &mut Writer) {
        let NormalMonitor { last, largest, curvature } = self;
        last.write(writer);
        [*largest, *curvature].write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let last = SavedState::read(reader)?;
        let [largest, curvature] = SavedState::read(reader)?;
        Some(NormalMonitor { last, largest, curvature })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{PARALLEL, SERIAL};
    use super::*;

    /// Steps of one length, s.
    const ONE_LENGTH: StepLengths = StepLengths { last: 1e-3, before: 1e-3, horizon: 1e-3 };

    /// Monitor after F_N (N) at 0, 1, 2, … steps.
    fn after(steps: u32, normal: impl Fn(f64) -> f64) -> NormalMonitor {
        let mut monitor = NormalMonitor::new(normal(0.0));
        (1..=steps).for_each(|i| monitor.add(normal(f64::from(i)), ONE_LENGTH));
        monitor
    }

    #[test]
    fn parabola_has_the_mean_square_of_its_constant_second_difference() {
        // Δ²F_N = 6 N, of which each step weighs 1 − 0.98. The first change counts as 3 N, beside no change before it.
        let monitor = after(200, |i| 1e6 - 3.0 * i * i);
        let kept = |steps: i32| libm::pow(MEMORY, f64::from(steps));
        let expected = 36.0 * (1.0 - kept(199)) + 9.0 * (1.0 - MEMORY) * kept(199);
        assert!((monitor.curvature / expected - 1.0).abs() < 1e-10, "{}, not {expected}", monitor.curvature);
        assert_eq!((monitor.largest, monitor.size()), (1e6, 1e6 + monitor.curvature));
    }

    #[test]
    fn linear_normal_force_has_no_second_difference_also_in_steps_that_become_shorter() {
        let mut monitor = NormalMonitor::new(100.0);
        // The first change has none before it: its trace fades.
        let (mut normal, mut before, mut traces) = (100.0, 1.0, Vec::new());
        for last in [1.0, 1.0, 0.5, 0.2, 0.2, 0.01] {
            normal -= 4.0 * last;
            monitor.add(normal, StepLengths { last, before, horizon: 1.0 });
            (before, traces) = (last, [traces, vec![monitor.curvature]].concat());
        }
        let mut expected = 16.0 * (1.0 - MEMORY);
        for (trace, share) in traces.into_iter().zip([0.0, 1.0, 0.5, 0.2, 0.2, 0.01]) {
            expected *= 1.0 - (1.0 - MEMORY) * share;
            assert!((trace - expected).abs() < 1e-14, "{trace}, not {expected}, after a share of {share}");
        }
        // Over a longer step F_N is extrapolated by no more than its last change: here −0.04 N for −4 N.
        let last_trace = monitor.curvature;
        monitor.add(normal - 4.0, StepLengths { last: 1.0, before: 0.01, horizon: 1.0 });
        let expected = MEMORY * last_trace + (1.0 - MEMORY) * 3.96 * 3.96;
        assert!((monitor.curvature - expected).abs() < 1e-12, "{}, not {expected}", monitor.curvature);
    }

    #[test]
    fn jump_counts_up_to_a_share_of_the_largest_normal_force_and_a_lost_contact_as_0() {
        // From 10 N to −500 N, which is an open contact.
        let monitor = after(1, |i| 10.0 - 510.0 * i);
        let expected = (1.0 - MEMORY) * (JUMP[1] * 10.0) * (JUMP[1] * 10.0);
        assert!((monitor.curvature - expected).abs() < 1e-14 && monitor.last == [0.0, -10.0], "{monitor:?}");
        assert_eq!(NormalMonitor::new(-3.0), NormalMonitor::default());
        // A constant F_N leaves no trace.
        assert_eq!(after(50, |_| 7.0), NormalMonitor::new(7.0));
    }

    #[test]
    fn doubt_begins_where_the_second_difference_over_the_largest_normal_force_exceeds_its_bound() {
        for bounds in [SERIAL, PARALLEL] {
            // F_N alternates between 1 ± a: its second difference is 4 a, its largest value 1 + a.
            let found = |share: f64| {
                let a = share / (4.0 - share);
                after(2000, |i| 1.0 + if i % 2.0 == 0.0 { a } else { -a }).doubt(bounds)
            };
            assert_eq!(found(0.99 * bounds.normal), None);
            let Some(Doubt::Normal(error)) = found(1.01 * bounds.normal) else { panic!("no doubt about {bounds:?}") };
            assert!((error / bounds.normal - 1.01).abs() < 1e-9, "{error} for {}", bounds.normal);
        }
        // A single touch is none.
        assert_eq!(after(30, |i| if i > 3.0 { 5.0 } else { 0.0 }).doubt(SERIAL), None);
    }
}
