//! Floating-point environments that hosts call an FMU in: other rounding modes, flushed denormal
//! numbers, trapped exceptions.
//!
//! `c/host_environment.h` lists them. Each call of an [`Instance`](crate::instance::Instance)
//! enters the chosen one and leaves it right behind, so that the arithmetic of the tests runs in
//! the default environment.

use core::ffi::c_int;

unsafe extern "C" {
    fn bristle_host_environments() -> u32;
    fn bristle_host_environment_enter(kind: u32);
    fn bristle_host_environment_leave(kind: u32) -> c_int;
}

/// A floating-point environment by its number in `c/host_environment.h`; 0 is the default one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostEnvironment(u32);

impl HostEnvironment {
    /// Every environment.
    pub fn all() -> impl Iterator<Item = HostEnvironment> {
        // SAFETY: a constant.
        (0..unsafe { bristle_host_environments() }).map(HostEnvironment)
    }

    /// Runs `call` in this environment.
    ///
    /// # Panics
    /// If control bits were changed, or a flag of invalid, divide by zero or overflow was raised.
    #[track_caller]
    #[inline]
    pub fn run<T>(self, call: impl FnOnce() -> T) -> T {
        if self.0 == 0 {
            return call();
        }
        // SAFETY: the number is one of the list; the default environment is restored below, and
        // `call` is a call into a library that must not depend on it.
        unsafe { bristle_host_environment_enter(self.0) };
        let result = call();
        // SAFETY: after the call above.
        let kept = unsafe { bristle_host_environment_leave(self.0) };
        assert!(
            kept != 0,
            "the call changed the floating-point environment {self:?} of its host"
        );
        result
    }
}
