//! Switches of the special methods of the integration. All are on; a measurement built with the
//! feature `switches` turns them off.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A special method, by its number in the table of `docs/internals/numerics.md`.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // the table describes them
pub enum Method {
    SteadyStick,
    HeldSliding,
    PlanarSliding,
    MovingSliding,
    StickTail,
    LinearStick,
    HeldFirstOrder,
    HeldDahl,
    DirectSolution,
    FirstStep,
    Defect,
    SecondFilter,
    Trend,
    Extrapolation,
    HeldStatic,
    ExactStates,
}

static OFF: AtomicU32 = AtomicU32::new(0);

/// Turns a method off, by its number.
#[cfg(feature = "switches")]
pub fn turn_off(number: u32) {
    OFF.fetch_or(1 << number, Relaxed);
}

/// Whether a method is on; always, without the feature.
#[inline(always)]
pub(crate) fn is_on(method: Method) -> bool {
    cfg!(not(feature = "switches")) || OFF.load(Relaxed) & 1 << method as u32 == 0
}
