/* Runtime of the C that wasm2c 1.0.42 makes of a module of Bristle, in place of wabt's own.
 *
 * Memory and table lie in the instance and never move; there are no threads, signals and system
 * calls. The names are those that the generated code uses. fmi2.c has the functions. */
#ifndef WASM_RT_H_
#define WASM_RT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(_MSC_VER)
#include <intrin.h>
#endif

#if !defined(__has_builtin)
#define __has_builtin(x) 0
#endif

#if defined(__GNUC__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define WASM_RT_NO_RETURN __attribute__((noreturn))
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#if defined(_MSC_VER)
#define WASM_RT_NO_RETURN __declspec(noreturn)
#else
#define WASM_RT_NO_RETURN
#endif
#endif

#if (!defined(__GNUC__) && !defined(_MSC_VER)) || defined(__TINYC__)
/* Counts of bits for compilers without builtins; x is not 0 where zeros are counted. */
static int count_leading_zeros(uint64_t x) {
  int n = 0;
  for (; !(x >> 63); x <<= 1) n++;
  return n;
}
static int count_trailing_zeros(uint64_t x) {
  int n = 0;
  for (; !(x & 1); x >>= 1) n++;
  return n;
}
static int count_ones(uint64_t x) {
  int n = 0;
  for (; x; x &= x - 1) n++;
  return n;
}
#define __builtin_clz(x) (count_leading_zeros((uint32_t)(x)) - 32)
#define __builtin_clzll(x) count_leading_zeros(x)
#define __builtin_ctz(x) count_trailing_zeros((uint32_t)(x))
#define __builtin_ctzll(x) count_trailing_zeros(x)
#define __builtin_popcount(x) count_ones((uint32_t)(x))
#define __builtin_popcountll(x) count_ones(x)
#endif

#define wasm_rt_memcpy memcpy

/* Every access to memory is checked. BRISTLE_UNCHECKED leaves the checks out: Rust has checked
 * indices already, but a defect would write outside the instance. */
#if defined(BRISTLE_UNCHECKED)
#define WASM_RT_MEMCHECK_GUARD_PAGES 1
#define WASM_RT_MEMCHECK_BOUNDS_CHECK 0
#else
#define WASM_RT_MEMCHECK_GUARD_PAGES 0
#define WASM_RT_MEMCHECK_BOUNDS_CHECK 1
#endif
#define WASM_RT_NONCONFORMING_ALLOW_OOB_READ_ELIMINATION 1
/* Lets functions keep the address of the memory in a variable. */
#define WASM_RT_USE_MMAP 1
#define WASM_RT_USE_SEGUE 0
#define WASM_RT_SEGUE_FREE_SEGMENT 0
#define WASM_RT_STACK_DEPTH_COUNT 0
#define WASM_RT_SANITY_CHECKS 0
#define WABT_BIG_ENDIAN 0

typedef enum {
  WASM_RT_TRAP_OOB = 1,
  WASM_RT_TRAP_INT_OVERFLOW,
  WASM_RT_TRAP_DIV_BY_ZERO,
  WASM_RT_TRAP_INVALID_CONVERSION,
  WASM_RT_TRAP_UNREACHABLE,
  WASM_RT_TRAP_CALL_INDIRECT
} wasm_rt_trap_t;

typedef void (*wasm_rt_function_ptr_t)(void);
typedef struct wasm_rt_tailcallee_t {
  void (*fn)(void** instance_ptr, void* tail_call_stack, struct wasm_rt_tailcallee_t* next);
} wasm_rt_tailcallee_t;
typedef const char* wasm_rt_func_type_t;

typedef struct {
  wasm_rt_func_type_t func_type;
  wasm_rt_function_ptr_t func;
  wasm_rt_tailcallee_t func_tailcallee;
  void* module_instance;
} wasm_rt_funcref_t;
#define wasm_rt_funcref_null_value ((wasm_rt_funcref_t){NULL, NULL, {NULL}, NULL})

typedef void* wasm_rt_externref_t;
#define wasm_rt_externref_null_value ((wasm_rt_externref_t){NULL})

typedef struct {
  uint8_t* data;
  uint8_t* data_end;
  uint64_t pages;
  uint64_t size;
} wasm_rt_memory_t;

typedef struct {
  wasm_rt_funcref_t* data;
  uint32_t max_size;
  uint32_t size;
} wasm_rt_funcref_table_t;

typedef struct {
  wasm_rt_externref_t* data;
  uint32_t max_size;
  uint32_t size;
} wasm_rt_externref_table_t;

#define wasm_rt_is_initialized() true
static WASM_RT_NO_RETURN void wasm_rt_trap(wasm_rt_trap_t);
static void wasm_rt_allocate_memory(wasm_rt_memory_t*, uint64_t, uint64_t, bool, uint32_t);
static uint64_t wasm_rt_grow_memory(wasm_rt_memory_t*, uint64_t);
static void wasm_rt_free_memory(wasm_rt_memory_t*);
static void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t*, uint32_t, uint32_t);
static void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t*);

#endif
