/* Floating-point environments that hosts call an FMU in: other rounding modes, denormal numbers flushed or taken for 0,
 * exceptions that raise a signal.
 *
 * host_environment_enter(kind) sets one of them, host_environment_leave(kind) restores the default one and returns whether
 * the environment was as entered: the same control bits, and no exception flag of invalid, divide by zero or overflow. */

#ifndef HOST_ENVIRONMENT_H
#define HOST_ENVIRONMENT_H

#include <stdint.h>
#include <string.h>

enum { HOST_ENVIRONMENTS = 8 };

#if defined(__x86_64__) || defined(__i386__)

#include <xmmintrin.h>

/* MXCSR: default; round down, up, to zero; flush to zero with denormals are zero; trap invalid, divide by zero and overflow;
 * all of it. The last one is the default again, with all exception flags raised before. */
static const uint32_t host_mxcsr[HOST_ENVIRONMENTS] = {0x1f80, 0x3f80, 0x5f80, 0x7f80, 0x9fc0, 0x1900, 0xd940, 0x1fbf};
/* The x87 control word to each: also with a 24-bit significand, as graphics libraries set it. */
static const uint16_t host_x87[HOST_ENVIRONMENTS] = {0x037f, 0x077f, 0x0b7f, 0x0f7f, 0x007f, 0x0372, 0x0872, 0x037f};

static void host_x87_set(uint16_t control) {
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(control));
}

static void host_environment_enter(unsigned kind) {
    host_x87_set(host_x87[kind]);
    _mm_setcsr(host_mxcsr[kind]);
}

static int host_environment_leave(unsigned kind) {
    uint32_t mxcsr = _mm_getcsr(), raised = (mxcsr & ~host_mxcsr[kind]) & 0x0d;
    uint16_t control, status;
    __asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status));
    _mm_setcsr(0x1f80);
    host_x87_set(0x037f);
    return ((mxcsr ^ host_mxcsr[kind]) & 0xffc0) == 0 && raised == 0 && control == host_x87[kind] &&
           (status & 0x0d) == 0;
}

#elif defined(__aarch64__)

/* FPCR: rounding in bits 22 and 23, flush to zero in bit 24, traps in bits 8 to 10, which most processors do not have. */
static const uint64_t host_fpcr[HOST_ENVIRONMENTS] = {
    0, UINT64_C(2) << 22, UINT64_C(1) << 22, UINT64_C(3) << 22, UINT64_C(1) << 24, 0x700, (UINT64_C(5) << 22) | 0x700, 0};

static void host_environment_enter(unsigned kind) {
    uint64_t none = 0;
    __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1" : : "r"(host_fpcr[kind]), "r"(none));
}

static int host_environment_leave(unsigned kind) {
    uint64_t control, status, none = 0;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control), "=r"(status));
    __asm__ volatile("msr fpcr, %0" : : "r"(none));
    return ((control ^ host_fpcr[kind]) & ~UINT64_C(0x700)) == 0 && (status & 7) == 0;
}

#else
#error "the floating-point environment of this processor is not known here"
#endif

#endif
