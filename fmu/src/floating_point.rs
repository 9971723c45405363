//! The floating-point environment of the calling thread: rounding mode, exception traps, treatment
//! of denormal numbers.
//!
//! The host owns it. Multibody and Fortran codes trap invalid operations, divisions by zero and
//! overflows, and numerical codes flush denormal numbers or round otherwise; arithmetic that is
//! right under IEEE 754's defaults would be killed by the former and give other bits under the
//! latter. [`DefaultEnvironment::enter`] sets the defaults and its drop restores the host's
//! environment, exception flags included, so that the host sees no flag that the library raised.
//!
//! Registers: MXCSR on x86 (Intel 64 and IA-32 Architectures Software Developer's Manual, vol. 1,
//! Sec. 10.2.3), on 32-bit x86 also the environment of the x87 unit (Sec. 8.1.10), which compilers
//! use there to convert 64-bit integers; FPCR and FPSR on arm64 (Arm Architecture Reference Manual,
//! C5.2.8 and C5.2.10).

pub use self::registers::Environment;

/// IEEE 754's default environment, until it is dropped.
#[derive(Debug)]
#[must_use = "the host's environment is restored when this is dropped"]
pub struct DefaultEnvironment {
    host: Environment,
}

impl DefaultEnvironment {
    /// Sets the default environment where another one holds.
    #[inline]
    pub fn enter() -> Self {
        let host = Environment::read();
        host.set_default();
        DefaultEnvironment { host }
    }

    /// The environment to restore.
    #[inline]
    pub fn host(&self) -> &Environment {
        &self.host
    }
}

impl Drop for DefaultEnvironment {
    #[inline]
    fn drop(&mut self) {
        self.host.restore();
    }
}

/// Calls back into the host in its own environment `host`; the environment of the caller holds
/// again afterwards.
#[cfg(not(target_family = "wasm"))]
pub fn in_environment<T>(host: &Environment, callback: impl FnOnce() -> T) -> T {
    let own = Environment::read();
    host.restore();
    let result = callback();
    own.restore();
    result
}

#[cfg(all(not(miri), any(target_arch = "x86", target_arch = "x86_64")))]
mod registers {
    use core::arch::asm;

    /// All exceptions masked, round to nearest, denormal numbers as they are; no exception flag.
    const DEFAULT: u32 = 0x1f80;
    /// Exception masks, rounding, flush to zero, denormals are zero.
    const CONTROL: u32 = 0xffc0;

    /// The host's registers.
    #[derive(Clone, Copy, Debug)]
    pub struct Environment {
        mxcsr: u32,
        #[cfg(target_arch = "x86")]
        x87: super::x87::Environment,
    }

    impl Environment {
        /// The environment that holds.
        #[inline]
        pub fn read() -> Self {
            Environment {
                mxcsr: read(),
                #[cfg(target_arch = "x86")]
                x87: super::x87::Environment::read(),
            }
        }

        /// Sets the default environment, given that `self` holds.
        #[inline]
        pub fn set_default(&self) {
            if self.mxcsr & CONTROL != DEFAULT {
                write(DEFAULT);
            }
            #[cfg(target_arch = "x86")]
            self.x87.set_default();
        }

        /// Makes `self` hold again. Writing without a look at the register is faster: reading it
        /// waits for all arithmetic under way.
        #[inline]
        pub fn restore(&self) {
            write(self.mxcsr);
            #[cfg(target_arch = "x86")]
            self.x87.restore();
        }
    }

    #[inline]
    fn read() -> u32 {
        let mut mxcsr = 0_u32;
        // SAFETY: STMXCSR stores 4 bytes at the given address. That it may touch memory (no
        // `nomem`) keeps the compiler from moving loads and stores, and the arithmetic between
        // them, over it.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
        mxcsr
    }

    #[inline]
    fn write(mxcsr: u32) {
        // SAFETY: LDMXCSR loads 4 bytes from the given address; the value is the default or was
        // read from the register, so that no reserved bit is set. Compiled arithmetic runs under
        // the default, which is what the compiler assumes.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack, preserves_flags))
        };
    }
}

#[cfg(target_arch = "x86")]
mod x87 {
    use core::arch::asm;

    /// All exceptions masked, 64-bit significand, round to nearest: what FNINIT and the System V
    /// ABI set.
    const DEFAULT: u32 = 0x037f;
    /// Exception masks, precision, rounding.
    const CONTROL: u32 = 0x0f3f;
    /// Invalid, divide by zero, overflow.
    const WATCHED: u32 = 0b1101;

    /// The 28 bytes that FNSTENV stores: control word, status word, tag word, last instruction and
    /// operand.
    #[derive(Clone, Copy, Debug)]
    #[repr(C, align(4))]
    pub struct Environment([u32; 7]);

    impl Environment {
        pub fn read() -> Self {
            let mut environment = Environment([0; 7]);
            // SAFETY: FNSTENV stores 28 bytes at the given address and then masks all exceptions;
            // FLDENV undoes the latter.
            unsafe {
                asm!("fnstenv [{0}]", "fldenv \
                                       \
                                       \
                                       \
                                       \
                                       [{0}]", in(reg) &raw mut environment, options(nostack, preserves_flags));
            }
            environment
        }

        pub fn set_default(&self) {
            if self.0[0] & CONTROL != DEFAULT & CONTROL {
                let control = DEFAULT as u16;
                // SAFETY: FLDCW loads 2 bytes from the given address; exceptions are masked, so
                // that none is pending.
                unsafe {
                    asm!("fldcw \
                          [{}]", in(reg) &raw const control, options(nostack, preserves_flags))
                };
            }
        }

        pub fn restore(&self) {
            let [control, status, ..] = Environment::read().0;
            if (control ^ self.0[0]) & CONTROL != 0 || (status ^ self.0[1]) & WATCHED != 0 {
                // SAFETY: FLDENV loads the 28 bytes that FNSTENV stored. The register stack is
                // empty at both points, as the C ABI has it at a function's borders.
                unsafe { asm!("fldenv [{}]", in(reg) self, options(nostack, preserves_flags)) };
            }
        }
    }
}

#[cfg(all(not(miri), target_arch = "aarch64"))]
mod registers {
    use core::arch::asm;

    /// Invalid operation, divide by zero, overflow of FPSR.
    const WATCHED: u64 = 0b111;

    /// The host's registers.
    #[derive(Clone, Copy, Debug)]
    pub struct Environment {
        control: u64,
        status: u64,
    }

    impl Environment {
        /// The environment that holds.
        #[inline]
        pub fn read() -> Self {
            let (control, status);
            // SAFETY: MRS copies registers that user code may read. That it may touch memory (no
            // `nomem`) keeps the compiler from moving loads and stores, and the arithmetic between
            // them, over it.
            unsafe {
                asm!("mrs {}, fpcr", "mrs {}, \
                                      \
                                      \
                                      \
                                      \
                                      fpsr", out(reg) control, out(reg) status, options(nostack, preserves_flags));
            }
            Environment { control, status }
        }

        /// Sets the default environment, given that `self` holds: FPCR is 0, no trap, no flush,
        /// round to nearest.
        #[inline]
        pub fn set_default(&self) {
            if self.control != 0 {
                write(0, self.status);
            }
        }

        /// Makes `self` hold again.
        #[inline]
        pub fn restore(&self) {
            let now = Environment::read();
            if now.control != self.control || (now.status ^ self.status) & WATCHED != 0 {
                write(self.control, self.status);
            }
        }
    }

    #[cold]
    fn write(control: u64, status: u64) {
        // SAFETY: MSR writes registers that user code may write; the values are 0 or were read from
        // there.
        unsafe {
            asm!("msr fpcr, {}", "msr fpsr, \
                                  \
                                  \
                                  \
                                  \
                                  {}", in(reg) control, in(reg) status, options(nostack, preserves_flags));
        }
    }
}

/// Miri interprets no registers, and WebAssembly has none: the environment is the default one.
#[cfg(any(miri, target_family = "wasm"))]
mod registers {
    /// Stands for the host's registers.
    #[derive(Clone, Copy, Debug)]
    pub struct Environment;

    impl Environment {
        /// The environment that holds.
        pub fn read() -> Self {
            Environment
        }

        /// Sets the default environment, which holds already.
        pub fn set_default(&self) {}

        /// Makes `self` hold again.
        pub fn restore(&self) {}
    }
}

#[cfg(not(any(
    target_arch = "x86",
    target_arch = "x86_64",
    target_arch = "aarch64",
    target_family = "wasm"
)))]
compile_error!(
    "the floating-point environment of this processor is not handled; add its registers to \
     floating_point.rs"
);

#[cfg(all(test, not(miri), target_arch = "x86_64"))]
mod tests {
    use super::*;
    use core::arch::asm;
    use core::hint::black_box;

    /// Default of the register.
    const DEFAULT: u32 = 0x1f80;
    /// Masks, rounding, flush to zero, denormals are zero.
    const CONTROL: u32 = 0xffc0;
    /// Rounds toward zero, flushes denormal numbers, and has the flag of a division by zero.
    const HOST: u32 = DEFAULT | 0x6000 | 0x8000 | 0x0004;

    fn read() -> u32 {
        let mut mxcsr = 0_u32;
        // SAFETY: STMXCSR stores 4 bytes at the given address.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags)) };
        mxcsr
    }

    fn write(mxcsr: u32) {
        // SAFETY: LDMXCSR loads 4 bytes without a reserved bit; the tests calculate with numbers
        // whose results they expect only after the default is set again.
        unsafe {
            asm!("ldmxcsr [{}]", in(reg) &raw const mxcsr, options(nostack, preserves_flags))
        };
    }

    #[test]
    fn default_environment_holds_until_it_is_dropped() {
        write(HOST);
        let inside = {
            let _default = DefaultEnvironment::enter();
            // Raises the flag of rounding, which the host does not see.
            black_box(black_box(1.0) / black_box(3.0));
            read()
        };
        let after = read();
        write(DEFAULT);
        assert_eq!(inside & CONTROL, DEFAULT & CONTROL);
        assert_eq!(after, HOST);
    }

    #[test]
    fn callback_runs_in_the_environment_of_the_host() {
        write(HOST);
        let host = Environment::read();
        write(DEFAULT);
        let inside = in_environment(&host, read);
        let after = read();
        write(DEFAULT);
        assert_eq!((inside, after), (HOST, DEFAULT));
    }
}
