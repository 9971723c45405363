//! Error budget: the tolerances of the methods within a communication step. See §14 of `docs/internals/numerics.md`.

use super::constants::{
    GENERAL_SHARE, LIGHT_SHARE, MIN_GENERAL_TOLERANCE, MIN_SERIES_TOLERANCE, MIN_STICK_RATIO, REFINEMENT, SERIES_SHARE,
    STICK_SHARE, STIFF_STICK_REFINEMENT, STIFF_STICK_SHARE, UNSTABLE_SERIES_SHARE, UNSTABLE_STICK_RATIO,
};

/// Tolerances of the methods, errors of F_R over F_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBudget {
    /// An inner step by series.
    pub series: f64,
    /// An inner step of stick, by whatever method.
    pub stick: f64,
    /// An inner step of the general integrator.
    pub general: f64,
    /// An inner step of the general integrator in stick that is too stiff for series.
    pub stiff_stick: f64,
    /// A panel of a light contact.
    pub light: f64,
}

impl ErrorBudget {
    /// The budget of a stable bristle; `moving` says that inputs move.
    pub fn stable(tolerance: f64, moving: bool) -> Self {
        ErrorBudget {
            series: (SERIES_SHARE * tolerance).max(MIN_SERIES_TOLERANCE),
            stick: (STICK_SHARE * tolerance).max(MIN_STICK_RATIO * MIN_SERIES_TOLERANCE),
            general: if moving { GENERAL_SHARE * tolerance } else { tolerance },
            stiff_stick: STIFF_STICK_SHARE * tolerance,
            light: LIGHT_SHARE * tolerance,
        }
    }

    /// The budget of an unstable bristle, limited so that [`ErrorBudget::refined`] stays above rounding.
    pub fn unstable(tolerance: f64) -> Self {
        let series = (UNSTABLE_SERIES_SHARE * tolerance).max(MIN_SERIES_TOLERANCE / REFINEMENT);
        let general = (GENERAL_SHARE * tolerance).max(MIN_GENERAL_TOLERANCE / REFINEMENT);
        ErrorBudget {
            series,
            stick: UNSTABLE_STICK_RATIO * series,
            general,
            stiff_stick: STIFF_STICK_SHARE * tolerance,
            light: LIGHT_SHARE * tolerance,
        }
    }

    /// The budget of the repeated step.
    pub fn refined(self) -> Self {
        let ErrorBudget { series, stick, general, stiff_stick, light } = self;
        ErrorBudget {
            series: REFINEMENT * series,
            stick: REFINEMENT * stick,
            general: REFINEMENT * general,
            stiff_stick: STIFF_STICK_REFINEMENT * stiff_stick,
            light: REFINEMENT * light,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::constants::BORDER_WINDOW_SHARE;
    use super::*;

    #[test]
    fn no_tolerance_is_below_rounding_in_the_range_of_the_element() {
        for tolerance in [1e-10, 1e-6, 1e-3] {
            for budget in [ErrorBudget::stable(tolerance, true), ErrorBudget::unstable(tolerance).refined()] {
                assert!(budget.series >= 0.99 * MIN_SERIES_TOLERANCE && budget.stick >= 1e-15, "{budget:?}");
                assert!(budget.general >= 0.99 * MIN_GENERAL_TOLERANCE, "{budget:?}");
            }
        }
    }

    #[test]
    fn the_shares_of_a_stable_step_add_up_to_the_tolerance() {
        // The tables of §14, at the tightest tolerance.
        let tolerance = 1e-10;
        let ErrorBudget { series, stick, general, .. } = ErrorBudget::stable(tolerance, true);
        let borders = 100.0 * BORDER_WINDOW_SHARE * BORDER_WINDOW_SHARE * tolerance;
        let rounding = 40.0 * MIN_SERIES_TOLERANCE;
        let held = series + 150.0 * stick + borders + rounding;
        // An inner step has a tenth of what the general integrator is given; stiff stick has 0.1.
        let moving = series + borders + rounding + 70.0 * 0.1 * general + 0.1 * tolerance;
        for sum in [held, moving] {
            assert!((sum - tolerance).abs() <= 1e-9 * tolerance, "{sum:e}");
        }
    }
}
