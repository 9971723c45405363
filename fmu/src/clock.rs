//! The time of a Co-Simulation: the start time and the sum of all accepted communication steps.
//!
//! Masters keep a time of their own, with its rounding: as a multiple of H, as a running sum, in
//! whole nanoseconds, some in single precision. A point that differs from the sum by rounding is
//! accepted. A running sum in single precision drifts away from that of the steps by the rounding
//! of every step; there each point is compared with the one before. Any other point is refused: the
//! motion in between would be missing.

use bristle::saved_state::{Reader, SavedState, Writer};

/// Units in the last place by which a master's time may be off, besides one for each step that it
/// may have summed up.
const ROUNDING: f64 = 4.0;
/// Resolution of masters that count whole nanoseconds, s.
const NANOSECOND: f64 = 1e-9;
/// Largest share of a step that this resolution may be.
const SHARE_OF_STEP: f64 = 1e-3;
/// The relative resolution of single precision, 2⁻²³.
const SINGLE_PRECISION: f64 = 1.192_092_895_507_812_5e-7;

/// The sum of the accepted steps, by Kahan's compensated summation (Communications of the ACM 8,
/// 1965).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// The sum, s.
    pub sum: f64,
    /// Remainder that rounding took from the sum, s.
    pub remainder: f64,
    /// The number of steps.
    pub steps: f64,
}

/// Fit of a master's time to the sum of its steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// It differs by rounding in double precision at most.
    Rounding,
    /// It is a number of single precision and differs by rounding in that at most.
    SinglePrecision,
    /// It differs by more.
    Off,
}

impl SavedState for Clock {
    fn write(&self, writer: &mut Writer) {
        let Clock {
            sum,
            remainder,
            steps,
        } = *self;
        [sum, remainder, steps].write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let [sum, remainder, steps] = SavedState::read(reader)?;
        (steps >= 0.0).then_some(Clock {
            sum,
            remainder,
            steps,
        })
    }
}

impl Clock {
    /// A clock that starts at a time, s.
    pub fn starting_at(time: f64) -> Self {
        Clock {
            sum: time,
            ..Clock::default()
        }
    }

    /// The clock after an accepted step, s; `None` where it would hold no finite number.
    #[inline]
    pub fn after(&self, step: f64) -> Option<Clock> {
        let step = step - self.remainder;
        let sum = self.sum + step;
        let remainder = (sum - self.sum) - step;
        (sum.is_finite() && remainder.is_finite()).then_some(Clock {
            sum,
            remainder,
            steps: self.steps + 1.0,
        })
    }

    /// Compares a communication point (s) before a step (s) with the sum of the steps, and with the
    /// end of the last step by the master's times (s).
    #[inline]
    pub fn fit_of_point(&self, time: f64, last_end: f64, step: f64) -> Fit {
        match self.fit(time, self.sum, step) {
            Fit::Off
                if is_single_precision(time)
                    && (time - last_end).abs() <= SINGLE_PRECISION * time.abs() =>
            {
                Fit::SinglePrecision
            }
            fit => fit,
        }
    }

    /// Compares a time of the master before or after a step, s, with what it should be, s.
    pub fn fit(&self, time: f64, expected: f64, step: f64) -> Fit {
        let (difference, size) = ((time - expected).abs(), time.abs().max(expected.abs()));
        if !difference.is_finite() {
            Fit::Off
        } else if difference
            <= (ROUNDING + self.steps) * f64::EPSILON * size + NANOSECOND.min(SHARE_OF_STEP * step)
        {
            Fit::Rounding
        } else if difference <= SINGLE_PRECISION * size && is_single_precision(time) {
            Fit::SinglePrecision
        } else {
            Fit::Off
        }
    }
}

/// Whether a time is a finite number of single precision.
pub fn is_single_precision(time: f64) -> bool {
    time.is_finite() && f64::from(time as f32) == time
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Steps of `h` (s) with the master's time `t(i)`: the worst fit over `n` steps.
    fn run(n: u32, h: impl Fn(u32) -> f64, t: impl Fn(u32) -> f64) -> Fit {
        let mut clock = Clock::starting_at(t(0));
        let mut worst = Fit::Rounding;
        for i in 0..n {
            match clock.fit(t(i), clock.sum, h(i)) {
                Fit::Rounding => {}
                Fit::SinglePrecision => worst = Fit::SinglePrecision,
                Fit::Off => return Fit::Off,
            }
            clock = clock.after(h(i)).expect("a finite time");
        }
        worst
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of sums, which take Miri hours")]
    fn the_times_of_known_masters_fit() {
        let h = 1e-4;
        // Multiples of H (FMIKit), with H as their difference (FMPy), and in whole nanoseconds
        // (libcosim).
        assert_eq!(run(1_000_000, |_| h, |i| f64::from(i) * h), Fit::Rounding);
        assert_eq!(
            run(
                1_000_000,
                |i| f64::from(i + 1) * h - f64::from(i) * h,
                |i| f64::from(i) * h
            ),
            Fit::Rounding
        );
        assert_eq!(
            run(
                1_000_000,
                |_| 100_000.0 * 1e-9,
                |i| f64::from(i) * 100_000.0 * 1e-9
            ),
            Fit::Rounding
        );
        assert_eq!(
            run(1_000_000, |_| h, |i| 1e4 + f64::from(i) * h),
            Fit::Rounding
        );
        // A running sum (OMSimulator), with steps of 6.6e-17 s in between.
        let mut clock = Clock::default();
        let mut t = 0.0;
        for i in 0..10_000_000 {
            let step = if i % 1000 == 999 { 6.6e-17 } else { h };
            assert_eq!(clock.fit(t, clock.sum, step), Fit::Rounding, "step {i}");
            clock = clock.after(step).expect("a finite time");
            t += step;
        }
    }

    #[test]
    fn a_time_of_single_precision_is_told_from_rounding() {
        assert_eq!(
            run(1000, |_| 1e-3, |i| f64::from((f64::from(i) * 1e-3) as f32)),
            Fit::SinglePrecision
        );
    }

    #[test]
    fn time_of_single_precision_fits_to_its_last_place() {
        let (time, resolution) = (1024.0, 1024.0 * SINGLE_PRECISION);
        let fit = |places: f64| Clock::starting_at(0.0).fit(time, time - places * resolution, 1e-3);
        assert_eq!((fit(0.99), fit(1.01)), (Fit::SinglePrecision, Fit::Off));
        let (time, resolution) = (1.0 / 1024.0, SINGLE_PRECISION / 1024.0);
        let fit = |places: f64| Clock::starting_at(0.0).fit(time, time - places * resolution, 1e-9);
        assert_eq!((fit(0.99), fit(1.01)), (Fit::SinglePrecision, Fit::Off));
        assert_eq!(
            Clock::starting_at(0.0).fit(0.1, 0.1 - 0.5e-7 * 0.1, 1e-9),
            Fit::Off,
            "not of single precision"
        );
    }

    #[test]
    fn time_fits_by_whole_nanoseconds_and_by_a_thousandth_of_a_short_step() {
        let fit =
            |difference: f64, step: f64| Clock::starting_at(0.0).fit(0.1 + difference, 0.1, step);
        assert_eq!(
            (fit(0.99e-9, 1.0), fit(1.01e-9, 1.0)),
            (Fit::Rounding, Fit::Off)
        );
        assert_eq!(
            (fit(0.99e-10, 1e-7), fit(1.01e-10, 1e-7)),
            (Fit::Rounding, Fit::Off)
        );
    }

    #[test]
    fn time_fits_by_four_roundings_and_one_for_each_step() {
        let fit = |roundings: f64, steps: f64| {
            let clock = Clock {
                steps,
                ..Clock::starting_at(1e9)
            };
            clock.fit(1e9 * (1.0 + roundings * f64::EPSILON), clock.sum, 1.0)
        };
        assert_eq!((fit(3.0, 0.0), fit(5.0, 0.0)), (Fit::Rounding, Fit::Off));
        assert_eq!(
            (fit(13.0, 10.0), fit(15.0, 10.0)),
            (Fit::Rounding, Fit::Off)
        );
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of sums, which take Miri hours")]
    fn sum_of_many_steps_has_the_error_of_one() {
        let mut clock = Clock::starting_at(1e4);
        for i in 1..=1_000_000_u32 {
            clock = clock.after(0.1).expect("a finite time");
            let exact = 1e4 + f64::from(i) * 0.1;
            assert!(
                (clock.sum - exact).abs() <= 2.0 * f64::EPSILON * exact,
                "step {i}: {} s",
                clock.sum - exact
            );
        }
        assert_eq!(clock.steps, 1e6);
        assert_eq!(clock.after(f64::INFINITY), None);
        assert_eq!(Clock::starting_at(f64::MAX).after(f64::MAX), None);
    }

    /// Steps of `h` (s) with a running sum in single precision: the worst fit over `n` steps, and
    /// the drift at their end, s.
    fn run_in_single_precision(n: u32, h: f32) -> (Fit, f64) {
        let (mut clock, mut time, mut last_end, mut worst) =
            (Clock::default(), 0_f32, 0.0, Fit::Rounding);
        for i in 0..n {
            let now = f64::from(time);
            match clock.fit_of_point(now, last_end, f64::from(h)) {
                Fit::Rounding => {}
                Fit::SinglePrecision => worst = Fit::SinglePrecision,
                Fit::Off => panic!("step {i} at {now} s, {:e} s off", now - clock.sum),
            }
            clock = clock.after(f64::from(h)).expect("a finite time");
            (last_end, time) = (now + f64::from(h), time + h);
        }
        (worst, (f64::from(time) - clock.sum).abs())
    }

    #[test]
    #[cfg_attr(miri, ignore = "millions of sums, which take Miri hours")]
    fn running_sum_in_single_precision_fits_whatever_its_drift() {
        for h in [1e-1, 1e-2, 1e-3, 1e-4] {
            assert_eq!(
                run_in_single_precision(1000, h).0,
                Fit::SinglePrecision,
                "{h} s"
            );
        }
        // The drift is far above one rounding.
        let (fit, drift) = run_in_single_precision(1_000_000, 1e-3);
        assert!(fit == Fit::SinglePrecision && drift > 1.0, "{drift} s");
    }

    #[test]
    fn step_that_a_clock_in_single_precision_leaves_out_does_not_fit() {
        let clock = Clock::starting_at(0.0)
            .after(f64::from(0.01_f32))
            .expect("a finite time");
        let fit = |time: f32| clock.fit_of_point(f64::from(time), clock.sum, 0.01);
        assert_eq!(
            [fit(0.01), fit(0.02), fit(0.010_001)],
            [Fit::Rounding, Fit::Off, Fit::Off]
        );
    }

    #[test]
    fn drift_does_not_fit() {
        assert_eq!(
            run(1000, |_| 1e-3, |i| f64::from(i) * (1e-3 + 0.9e-6)),
            Fit::Off
        );
        assert_eq!(
            run(3, |_| 1e12, |i| f64::from(i) * (1e12 + 900.0)),
            Fit::Off
        );
        for time in [1e-6, f64::NAN, f64::INFINITY] {
            assert_eq!(Clock::starting_at(0.0).fit(time, 0.0, 1e-3), Fit::Off);
        }
    }
}
