/* The functions of FMI 2.0 around an element, whose code wasm2c made of Bristle's Rust sources.
 *
 * This is the only file to compile; it includes the others. An instance is one block of memory:
 * the module's memory lies in it, arguments are copied there, and results are copied back.
 *
 * Macros that a compiler's command line may define:
 * FMI2_OVERRIDE_FUNCTION_PREFIX=  names without prefix, for a shared library (fmi2Functions.h)
 * BRISTLE_PAGES=n                 memory of an instance, pages of 64 kB
 * BRISTLE_NO_SETJMP               a defect calls abort in place of returning fmi2Fatal
 * BRISTLE_NO_FENV                 the host never changes the floating-point environment
 * BRISTLE_UNCHECKED               no checks of the module's memory accesses (wasm-rt.h) */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "element.h" /* ELEMENT_PREFIX, ELEMENT_PAGES, ELEMENT_CARD */

#if !defined(FMI2_FUNCTION_PREFIX) && !defined(FMI2_OVERRIDE_FUNCTION_PREFIX)
#define FMI2_FUNCTION_PREFIX ELEMENT_PREFIX
#endif
#include "fmi2Functions.h"

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "-ffast-math changes the results of this FMU; compile without it"
#endif
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "intermediate results have more digits than a double; compile with -msse2 -mfpmath=sse"
#endif
#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "this FMU needs a little-endian processor; this compiler's target is big-endian"
#endif
#endif

/* A product and a sum that are rounded once would change the last bits of results. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif

#if !defined(BRISTLE_NO_SETJMP)
#include <setjmp.h>
#endif

/* The floating-point environment: IEEE 754's defaults inside, the host's own outside. */
#if defined(BRISTLE_NO_FENV)
typedef int Environment;
static Environment enter_environment(void) { return 0; }
static void leave_environment(Environment host) { (void)host; }
#elif defined(__SSE2__) || defined(_M_X64) || (defined(_M_IX86_FP) && _M_IX86_FP == 2)
#include <xmmintrin.h>
#define MXCSR_DEFAULT 0x1f80u
#define MXCSR_CONTROL 0xffc0u
typedef unsigned Environment;
static Environment enter_environment(void) {
  Environment host = _mm_getcsr();
  if ((host & MXCSR_CONTROL) != MXCSR_DEFAULT) _mm_setcsr(MXCSR_DEFAULT);
  return host;
}
static void leave_environment(Environment host) {
  if (_mm_getcsr() != host) _mm_setcsr(host);
}
#elif defined(__aarch64__)
#include <stdint.h>
typedef struct {
  uint64_t control, status;
} Environment;
static Environment enter_environment(void) {
  Environment host;
  __asm__ volatile("mrs %0, fpcr" : "=r"(host.control) : : "memory");
  __asm__ volatile("mrs %0, fpsr" : "=r"(host.status) : : "memory");
  if (host.control) __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
  return host;
}
static void leave_environment(Environment host) {
  if (host.control) __asm__ volatile("msr fpcr, %0" : : "r"(host.control) : "memory");
  __asm__ volatile("msr fpsr, %0" : : "r"(host.status) : "memory");
}
#else
#include <fenv.h>
typedef fenv_t Environment;
static Environment enter_environment(void) {
  Environment host;
  fegetenv(&host);
  fesetenv(FE_DFL_ENV);
  return host;
}
static void leave_environment(Environment host) { fesetenv(&host); }
#endif

/* The generated code has functions for every kind of module. */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#include "law.inc" /* LAW_PAGES, LAW_TABLE; includes wasm-rt.h */
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#define PAGE 65536u
#if !defined(BRISTLE_PAGES)
#define BRISTLE_PAGES (LAW_PAGES + ELEMENT_PAGES)
#endif

/* Arguments of a call lie in an area of this size, bytes; larger ones are allocated. */
#define AREA 4096u
/* Most arguments of a call. */
#define ARGUMENTS 6

typedef struct w2c_host {
  w2c_bristle module;
  fmi2CallbackFunctions callbacks;
  char* name;
  Environment host;
  u32 component; /* address of the instance in the module */
  u32 area, used;
  struct {
    u32 address, size;
  } allocated[ARGUMENTS];
  int allocations;
  bool has_no_room, is_full, is_broken;
#if !defined(BRISTLE_NO_SETJMP)
  jmp_buf way_out;
#endif
  wasm_rt_funcref_t table[LAW_TABLE];
  uint64_t memory[]; /* BRISTLE_PAGES, then the name */
} Instance;

/* A saved state lies outside of the instance, as its bytes: an instance has room for few states,
 * and a state may outlive the instance that it was taken from. */
typedef struct {
  size_t size;
  uint8_t bytes[1];
} State;

static void log_message(Instance* I, fmi2Status status, fmi2String category, fmi2String message) {
  if (!I->callbacks.logger) return;
  leave_environment(I->host);
  I->callbacks.logger(I->callbacks.componentEnvironment, I->name, status, category, message);
  I->host = enter_environment();
}

/* What the module calls. */

static void w2c_host_bristle_log(struct w2c_host* I, u32 status, u32 category, u32 message) {
  const char* memory = (const char*)I->memory;
  log_message(I, (fmi2Status)status, memory + category, memory + message);
}

static void resize(wasm_rt_memory_t* memory, uint64_t pages) {
  memory->pages = pages;
  memory->size = pages * PAGE;
  memory->data_end = memory->data + memory->size;
}
static void wasm_rt_allocate_memory(wasm_rt_memory_t* memory, uint64_t pages, uint64_t most,
                                    bool is_64, uint32_t page_size) {
  (void)most, (void)is_64, (void)page_size;
  resize(memory, pages);
}
static uint64_t wasm_rt_grow_memory(wasm_rt_memory_t* memory, uint64_t pages) {
  uint64_t before = memory->pages;
  Instance* I = (Instance*)((char*)memory - offsetof(Instance, module.w2c_memory));
  I->is_full = pages > BRISTLE_PAGES - before;
  if (I->is_full) return 0xffffffffu;
  resize(memory, before + pages);
  return before;
}
static void wasm_rt_free_memory(wasm_rt_memory_t* memory) { (void)memory; }
static void wasm_rt_allocate_funcref_table(wasm_rt_funcref_table_t* table, uint32_t size,
                                           uint32_t most) {
  (void)most;
  table->size = table->max_size = size;
}
static void wasm_rt_free_funcref_table(wasm_rt_funcref_table_t* table) { (void)table; }

/* A trap is a defect, a panic of the Rust code or an access outside of the memory, unless the
 * memory is full. */
#define DEFECT \
  ": a defect of this FMU stopped the instance; free it, and please report the calls before"
#define FULL ": the memory of the instance is full; compile this FMU with a larger BRISTLE_PAGES"

#if defined(BRISTLE_NO_SETJMP)
static WASM_RT_NO_RETURN void wasm_rt_trap(wasm_rt_trap_t trap) {
  (void)trap;
  abort();
}
#define GUARD(I, name, otherwise)
#define END_GUARD
#else
/* Where a thread-local variable is not to be had, a trap in one of several threads is undefined. */
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_THREADS__)
#define THREAD_LOCAL _Thread_local
#elif defined(__GNUC__)
#define THREAD_LOCAL __thread
#elif defined(_MSC_VER)
#define THREAD_LOCAL __declspec(thread)
#else
#define THREAD_LOCAL
#endif
/* The way out of the call that this thread is in. */
static THREAD_LOCAL jmp_buf* innermost;

static WASM_RT_NO_RETURN void wasm_rt_trap(wasm_rt_trap_t trap) {
  if (innermost) longjmp(*innermost, (int)trap);
  abort();
}

static void stop(Instance* I, fmi2String defect, fmi2String full) {
  I->is_broken = true;
  log_message(I, fmi2Fatal, "logStatusFatal", I->is_full ? full : defect);
  leave_environment(I->host);
}
#define GUARD(I, name, otherwise)                    \
  jmp_buf* outer = innermost;                        \
  if (setjmp(I->way_out)) {                          \
    innermost = outer;                               \
    stop(I, "fmi2" #name DEFECT, "fmi2" #name FULL); \
    return otherwise;                                \
  }                                                  \
  innermost = &I->way_out;
#define END_GUARD innermost = outer;
#endif

/* Arguments in the module's memory, by their addresses there. NULL is 0. */

static void* at(Instance* I, u32 address) { return (uint8_t*)I->memory + address; }

/* Room for an array, until the end of the call. */
static u32 room(Instance* I, size_t n, size_t size) {
  u32 bytes, address;
  if (n > (size_t)BRISTLE_PAGES * PAGE / size) {
    I->has_no_room = true;
    return 0;
  }
  /* No array has the address of another, an empty one neither. */
  bytes = ((u32)(n * size) + 8u) & ~7u;
  if (bytes <= AREA - I->used) {
    address = I->area + I->used;
    I->used += bytes;
    return address;
  }
  address = w2c_bristle_bristle_allocate(&I->module, bytes);
  if (!address) {
    I->has_no_room = true;
    return 0;
  }
  I->allocated[I->allocations].address = address;
  I->allocated[I->allocations++].size = bytes;
  return address;
}
static void give_back(Instance* I) {
  I->used = 0;
  while (I->allocations) {
    I->allocations--;
    w2c_bristle_bristle_free(&I->module, I->allocated[I->allocations].address,
                             I->allocated[I->allocations].size);
  }
}
/* A copy of an array. Results are copied in as well: what the module leaves stays as it was. */
static u32 in(Instance* I, const void* from, size_t n, size_t size) {
  u32 address = from ? room(I, n, size) : 0;
  if (address && n) memcpy(at(I, address), from, n * size);
  return address;
}
static void back(Instance* I, void* to, u32 from, size_t n, size_t size) {
  if (to && from && n) memcpy(to, at(I, from), n * size);
}
static u32 text(Instance* I, fmi2String from) {
  return in(I, from, from ? strlen(from) + 1 : 0, 1);
}
static u32 count(size_t n) { return n < 0xffffffffu ? (u32)n : 0xffffffffu; }
static u32 word(Instance* I, u32 address) {
  u32 value;
  memcpy(&value, at(I, address), sizeof value);
  return value;
}

/* The beginning and end of a function of FMI. */
#define BODY(name, call)                                                                        \
  Instance* I = (Instance*)c;                                                                   \
  fmi2Status status;                                                                            \
  if (!I) return fmi2Error;                                                                     \
  if (I->is_broken) return fmi2Fatal;                                                           \
  I->host = enter_environment();                                                                \
  I->is_full = false;                                                                           \
  {                                                                                             \
    GUARD(I, name, fmi2Fatal)                                                                   \
    status = call;                                                                              \
    give_back(I);                                                                               \
    END_GUARD                                                                                   \
  }                                                                                             \
  if (I->has_no_room) {                                                                         \
    I->has_no_room = false;                                                                     \
    status = fmi2Error;                                                                         \
    log_message(I, status, "logStatusError",                                                    \
                "fmi2" #name ": the arguments do not fit into the memory of this FMU; pass fewer " \
                "at once, or compile it with a larger BRISTLE_PAGES");                          \
  }                                                                                             \
  leave_environment(I->host);                                                                   \
  return status;

/* Defines a function of FMI; its body has the instance I. */
#define FUNCTION(name, arguments, ...)                                      \
  static fmi2Status call_##name(Instance* I, __VA_ARGS__);                  \
  fmi2Status fmi2##name(fmi2Component c, __VA_ARGS__) { BODY(name, call_##name arguments) } \
  static fmi2Status call_##name(Instance* I, __VA_ARGS__)

/* Calls the module, unless an argument found no room. */
#define MODULE(name, ...)                    \
  (I->has_no_room ? fmi2Error                \
                  : (fmi2Status)w2c_bristle_fmi2##name(&I->module, I->component, __VA_ARGS__))

/* A function without arguments. */
#define FUNCTION_0(name)                                                                    \
  fmi2Status fmi2##name(fmi2Component c) {                                                  \
    BODY(name, (fmi2Status)w2c_bristle_fmi2##name(&I->module, I->component))                \
  }

const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }

static u32 instantiate(Instance* I, fmi2String name, fmi2Type type, fmi2String guid,
                       fmi2Boolean is_logging) {
  u32 component = 0, in_module, own_guid;
  I->module.w2c_memory.data = (uint8_t*)I->memory;
  I->module.w2c_T0.data = I->table;
  wasm2c_bristle_instantiate(&I->module, I);
  memcpy(at(I, w2c_bristle_bristle_card(&I->module)), ELEMENT_CARD, sizeof ELEMENT_CARD);
  I->area = w2c_bristle_bristle_allocate(&I->module, AREA);
  if (!I->area) return 0;
  in_module = text(I, name);
  own_guid = text(I, guid);
  if (!I->has_no_room)
    component = w2c_bristle_fmi2Instantiate(&I->module, in_module, (u32)type, own_guid, 0, 0, 0,
                                            (u32)is_logging);
  I->has_no_room = false;
  give_back(I);
  return component;
}

/* Runs in a function of its own, which setjmp returns from. */
static u32 guarded_instantiate(Instance* I, fmi2String name, fmi2Type type, fmi2String guid,
                               fmi2Boolean is_logging) {
  u32 component;
  GUARD(I, Instantiate, 0)
  component = instantiate(I, name, type, guid, is_logging);
  END_GUARD
  return component;
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation,
                              const fmi2CallbackFunctions* functions, fmi2Boolean visible,
                              fmi2Boolean loggingOn) {
  const char* name = instanceName ? instanceName : "";
  size_t memory = (size_t)BRISTLE_PAGES * PAGE;
  Instance* I = (Instance*)calloc(1, sizeof(Instance) + memory + strlen(name) + 1);
  (void)fmuResourceLocation, (void)visible;
  if (!I) {
    if (functions && functions->logger)
      functions->logger(functions->componentEnvironment, name, fmi2Error, "logStatusError",
                        "fmi2Instantiate: the memory of an instance cannot be allocated; free "
                        "instances or states");
    return NULL;
  }
  if (functions) I->callbacks = *functions;
  I->name = (char*)I->memory + memory;
  strcpy(I->name, name);
  I->host = enter_environment();
  I->component = guarded_instantiate(I, instanceName, fmuType, fmuGUID, loggingOn);
  if (!I->is_broken) leave_environment(I->host);
  if (!I->component) {
    free(I);
    return NULL;
  }
  return I;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }

FUNCTION(SetDebugLogging, (I, loggingOn, nCategories, categories), fmi2Boolean loggingOn,
         size_t nCategories, const fmi2String categories[]) {
  u32 list = categories ? room(I, nCategories, sizeof list) : 0, names = 0, address;
  size_t i, length = 0;
  if (list) {
    for (i = 0; i < nCategories; i++) length += categories[i] ? strlen(categories[i]) + 1 : 0;
    names = room(I, length, 1);
  }
  for (i = 0; names && i < nCategories; i++) {
    address = categories[i] ? names : 0;
    memcpy(at(I, list + (u32)(i * sizeof address)), &address, sizeof address);
    if (!address) continue;
    strcpy((char*)at(I, names), categories[i]);
    names += (u32)strlen(categories[i]) + 1;
  }
  return MODULE(SetDebugLogging, (u32)loggingOn, count(nCategories), list);
}
FUNCTION(SetupExperiment, (I, toleranceDefined, tolerance, startTime, stopTimeDefined, stopTime),
         fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
         fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return MODULE(SetupExperiment, (u32)toleranceDefined, tolerance, startTime,
                (u32)stopTimeDefined, stopTime);
}
FUNCTION_0(EnterInitializationMode)
FUNCTION_0(ExitInitializationMode)
FUNCTION_0(Terminate)
FUNCTION_0(Reset)

/* Values by their references. */
#define REFERENCES const fmi2ValueReference vr[], size_t nvr
#define GET(name, type)                                                  \
  FUNCTION(name, (I, vr, nvr, value), REFERENCES, type value[]) {        \
    u32 references = in(I, vr, nvr, sizeof *vr);                         \
    u32 values = in(I, value, nvr, sizeof *value);                       \
    fmi2Status status = MODULE(name, references, count(nvr), values);    \
    back(I, value, values, nvr, sizeof *value);                          \
    return status;                                                       \
  }
#define SET(name, type)                                                  \
  FUNCTION(name, (I, vr, nvr, value), REFERENCES, const type value[]) {  \
    u32 references = in(I, vr, nvr, sizeof *vr);                         \
    u32 values = in(I, value, nvr, sizeof *value);                       \
    return MODULE(name, references, count(nvr), values);                 \
  }
GET(GetReal, fmi2Real)
GET(GetInteger, fmi2Integer)
GET(GetBoolean, fmi2Boolean)
SET(SetReal, fmi2Real)
SET(SetInteger, fmi2Integer)
SET(SetBoolean, fmi2Boolean)
/* No element has a string: the module never reads the values. */
FUNCTION(GetString, (I, vr, nvr, value), REFERENCES, fmi2String value[]) {
  u32 references = in(I, vr, nvr, sizeof *vr);
  (void)value;
  return MODULE(GetString, references, count(nvr), 0);
}
FUNCTION(SetString, (I, vr, nvr, value), REFERENCES, const fmi2String value[]) {
  u32 references = in(I, vr, nvr, sizeof *vr);
  (void)value;
  return MODULE(SetString, references, count(nvr), 0);
}

/* Saved states. In the module one exists for the time of a call; where it finds no memory there,
 * the module says so. */

static fmi2Status no_memory(Instance* I, fmi2String message) {
  log_message(I, fmi2Error, "logStatusError", message);
  return fmi2Error;
}
/* Address of a state in the module, 0 for NULL. */
static u32 inside(Instance* I, fmi2FMUstate outside) {
  const State* state = (const State*)outside;
  u32 address, bytes, none = 0;
  if (!state) return 0;
  bytes = in(I, state->bytes, state->size, 1);
  address = in(I, &none, 1, sizeof none);
  MODULE(DeSerializeFMUstate, bytes, count(state->size), address);
  return address ? word(I, address) : 0;
}
static void free_inside(Instance* I, u32 state) {
  u32 address = in(I, &state, 1, sizeof state);
  if (address) w2c_bristle_fmi2FreeFMUstate(&I->module, I->component, address);
}
/* Memory for a state of a size in place of an older one; NULL where there is none. */
static State* renew(fmi2FMUstate* place, size_t size) {
  State* state = (State*)*place;
  if (!state || state->size != size) {
    state = (State*)realloc(state, sizeof(State) + size);
    if (!state) return NULL;
    state->size = size;
    *place = state;
  }
  return state;
}

FUNCTION(GetFMUstate, (I, FMUstate), fmi2FMUstate* FMUstate) {
  u32 none = 0, place = FMUstate ? in(I, &none, 1, sizeof none) : 0, size, bytes, address;
  fmi2Status status = MODULE(GetFMUstate, place);
  State* state;
  if (!place || status != fmi2OK) return status;
  address = word(I, place);
  status = MODULE(SerializedFMUstateSize, address, place);
  size = word(I, place);
  bytes = room(I, size, 1);
  if (status == fmi2OK) status = MODULE(SerializeFMUstate, address, bytes, size);
  if (status == fmi2OK) {
    state = renew(FMUstate, size);
    if (state)
      memcpy(state->bytes, at(I, bytes), size);
    else
      status = no_memory(
          I, "fmi2GetFMUstate: a state cannot be allocated; free instances or states");
  }
  free_inside(I, address);
  return status;
}
FUNCTION(SetFMUstate, (I, FMUstate), fmi2FMUstate FMUstate) {
  u32 state = inside(I, FMUstate);
  fmi2Status status = fmi2Error;
  if (state || !FMUstate) status = MODULE(SetFMUstate, state);
  free_inside(I, state);
  return status;
}
FUNCTION(FreeFMUstate, (I, FMUstate), fmi2FMUstate* FMUstate) {
  (void)I;
  if (FMUstate) {
    free(*FMUstate);
    *FMUstate = NULL;
  }
  return fmi2OK;
}
FUNCTION(SerializedFMUstateSize, (I, FMUstate, size), fmi2FMUstate FMUstate, size_t* size) {
  u32 state = inside(I, FMUstate), none = 0, place = size ? in(I, &none, 1, sizeof none) : 0;
  fmi2Status status = fmi2Error;
  if (state || !FMUstate) status = MODULE(SerializedFMUstateSize, state, place);
  if (size && status == fmi2OK) *size = word(I, place);
  free_inside(I, state);
  return status;
}
FUNCTION(SerializeFMUstate, (I, FMUstate, serializedState, size), fmi2FMUstate FMUstate,
         fmi2Byte serializedState[], size_t size) {
  u32 state = inside(I, FMUstate), bytes;
  const State* outside = (const State*)FMUstate;
  fmi2Status status = fmi2Error;
  /* An importer's array may be larger than the state. */
  if (outside && serializedState && size > outside->size) size = outside->size;
  bytes = in(I, serializedState, size, 1);
  if (state || !FMUstate) status = MODULE(SerializeFMUstate, state, bytes, count(size));
  back(I, serializedState, bytes, size, 1);
  free_inside(I, state);
  return status;
}
FUNCTION(DeSerializeFMUstate, (I, serializedState, size, FMUstate),
         const fmi2Byte serializedState[], size_t size, fmi2FMUstate* FMUstate) {
  u32 bytes = in(I, serializedState, size, 1), none = 0;
  u32 place = FMUstate ? in(I, &none, 1, sizeof none) : 0;
  fmi2Status status = MODULE(DeSerializeFMUstate, bytes, count(size), place);
  State* state;
  if (status != fmi2OK) return status;
  free_inside(I, word(I, place));
  state = renew(FMUstate, size);
  if (!state)
    return no_memory(
        I, "fmi2DeSerializeFMUstate: a state cannot be allocated; free instances or states");
  memcpy(state->bytes, serializedState, size);
  return status;
}

FUNCTION(GetDirectionalDerivative,
         (I, vUnknown_ref, nUnknown, vKnown_ref, nKnown, dvKnown, dvUnknown),
         const fmi2ValueReference vUnknown_ref[], size_t nUnknown,
         const fmi2ValueReference vKnown_ref[], size_t nKnown, const fmi2Real dvKnown[],
         fmi2Real dvUnknown[]) {
  u32 unknown = in(I, vUnknown_ref, nUnknown, sizeof *vUnknown_ref);
  u32 known = in(I, vKnown_ref, nKnown, sizeof *vKnown_ref);
  u32 seed = in(I, dvKnown, nKnown, sizeof *dvKnown);
  u32 result = in(I, dvUnknown, nUnknown, sizeof *dvUnknown);
  fmi2Status status = MODULE(GetDirectionalDerivative, unknown, count(nUnknown), known,
                             count(nKnown), seed, result);
  back(I, dvUnknown, result, nUnknown, sizeof *dvUnknown);
  return status;
}

/* Model Exchange. */

FUNCTION_0(EnterEventMode)
FUNCTION(NewDiscreteStates, (I, eventInfo), fmi2EventInfo* eventInfo) {
  /* The module's structure: five words, and a double that is aligned to 8 bytes. */
  unsigned char copy[32] = {0};
  u32 place = 0;
  fmi2Status status;
  if (eventInfo) {
    memcpy(copy, eventInfo, 5 * sizeof(fmi2Boolean));
    memcpy(copy + 24, &eventInfo->nextEventTime, sizeof(fmi2Real));
    place = in(I, copy, sizeof copy, 1);
  }
  status = MODULE(NewDiscreteStates, place);
  if (place) {
    memcpy(eventInfo, at(I, place), 5 * sizeof(fmi2Boolean));
    memcpy(&eventInfo->nextEventTime, at(I, place + 24), sizeof(fmi2Real));
  }
  return status;
}
FUNCTION_0(EnterContinuousTimeMode)
FUNCTION(CompletedIntegratorStep,
         (I, noSetFMUStatePriorToCurrentPoint, enterEventMode, terminateSimulation),
         fmi2Boolean noSetFMUStatePriorToCurrentPoint, fmi2Boolean* enterEventMode,
         fmi2Boolean* terminateSimulation) {
  u32 enter = in(I, enterEventMode, 1, sizeof *enterEventMode);
  u32 terminate = in(I, terminateSimulation, 1, sizeof *terminateSimulation);
  fmi2Status status = MODULE(CompletedIntegratorStep, (u32)noSetFMUStatePriorToCurrentPoint,
                             enter, terminate);
  back(I, enterEventMode, enter, 1, sizeof *enterEventMode);
  back(I, terminateSimulation, terminate, 1, sizeof *terminateSimulation);
  return status;
}
FUNCTION(SetTime, (I, time), fmi2Real time) { return MODULE(SetTime, time); }
FUNCTION(SetContinuousStates, (I, x, nx), const fmi2Real x[], size_t nx) {
  u32 states = in(I, x, nx, sizeof *x);
  return MODULE(SetContinuousStates, states, count(nx));
}
#define VECTOR(name)                                       \
  FUNCTION(name, (I, x, nx), fmi2Real x[], size_t nx) {    \
    u32 values = in(I, x, nx, sizeof *x);                  \
    fmi2Status status = MODULE(name, values, count(nx));   \
    back(I, x, values, nx, sizeof *x);                     \
    return status;                                         \
  }
VECTOR(GetDerivatives)
VECTOR(GetEventIndicators)
VECTOR(GetContinuousStates)
VECTOR(GetNominalsOfContinuousStates)

/* Co-Simulation. */

FUNCTION(SetRealInputDerivatives, (I, vr, nvr, order, value), REFERENCES,
         const fmi2Integer order[], const fmi2Real value[]) {
  u32 references = in(I, vr, nvr, sizeof *vr), orders = in(I, order, nvr, sizeof *order);
  u32 values = in(I, value, nvr, sizeof *value);
  return MODULE(SetRealInputDerivatives, references, count(nvr), orders, values);
}
FUNCTION(GetRealOutputDerivatives, (I, vr, nvr, order, value), REFERENCES,
         const fmi2Integer order[], fmi2Real value[]) {
  u32 references = in(I, vr, nvr, sizeof *vr), orders = in(I, order, nvr, sizeof *order);
  u32 values = in(I, value, nvr, sizeof *value);
  fmi2Status status = MODULE(GetRealOutputDerivatives, references, count(nvr), orders, values);
  back(I, value, values, nvr, sizeof *value);
  return status;
}
FUNCTION(DoStep,
         (I, currentCommunicationPoint, communicationStepSize, noSetFMUStatePriorToCurrentPoint),
         fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
         fmi2Boolean noSetFMUStatePriorToCurrentPoint) {
  return MODULE(DoStep, currentCommunicationPoint, communicationStepSize,
                (u32)noSetFMUStatePriorToCurrentPoint);
}
FUNCTION_0(CancelStep)
#define STATUS(name, type)                                                \
  FUNCTION(name, (I, s, value), const fmi2StatusKind s, type* value) {    \
    u32 place = in(I, value, 1, sizeof *value);                           \
    fmi2Status status = MODULE(name, (u32)s, place);                      \
    back(I, value, place, 1, sizeof *value);                              \
    return status;                                                        \
  }
STATUS(GetStatus, fmi2Status)
STATUS(GetRealStatus, fmi2Real)
STATUS(GetIntegerStatus, fmi2Integer)
STATUS(GetBooleanStatus, fmi2Boolean)
FUNCTION(GetStringStatus, (I, s, value), const fmi2StatusKind s, fmi2String* value) {
  u32 none = 0, place = value ? in(I, &none, 1, sizeof none) : 0;
  fmi2Status status = MODULE(GetStringStatus, (u32)s, place);
  if (place && word(I, place)) *value = (const char*)at(I, word(I, place));
  return status;
}
