/* Runs the libraries of FMUs, one after the other, each through a Co-Simulation that a file describes, and prints the bits
 * of everything they calculate, and their log of two mistakes made before.
 *
 * The same program is compiled for every platform that can be run; that all of them print the same is the test. It reads
 * numbers as their bits and calculates none, so that nothing but the library can make a difference. With --environments the
 * calls of each step are made in another floating-point environment of host_environment.h, in turns: the program then checks
 * that the library leaves the environment as it was, and must print the same again.
 *
 * With LINKED the functions are those of an FMU's C source, compiled with this program, and LIBRARY is not read.
 *
 * reference_run [--environments] [LIBRARY FILE]... The file: the GUID; the references of inputs, and of real, integer and Boolean variables to
 * get, each list after its length; the number of steps; for each step its time, its length, the inputs and their slopes,
 * as bits. */

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(LINKED)
#elif defined(_WIN32)
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "host_environment.h"

enum { OK = 0, WARNING = 1, ERROR_STATUS = 3, CO_SIMULATION = 1, MOST = 64 };

typedef void *Component;
typedef unsigned Reference;

static void logger(void *environment, const char *name, int status, const char *category, const char *message, ...) {
    char text[1024];
    va_list arguments;
    (void)environment;
    va_start(arguments, message);
    vsnprintf(text, sizeof text, message, arguments);
    va_end(arguments);
    printf("%s, %d, %s: %s\n", name, status, category, text);
}

/* Without memory functions the FMU uses its own. */
static const struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *allocate, *release, *finished, *environment;
} callbacks = {logger, NULL, NULL, NULL, NULL};

static Component (*Instantiate)(const char *, int, const char *, const char *, const void *, int, int);
static void (*FreeInstance)(Component);
static int (*SetupExperiment)(Component, int, double, double, int, double);
static int (*EnterInitializationMode)(Component);
static int (*ExitInitializationMode)(Component);
static int (*Reset)(Component);
static int (*SetReal)(Component, const Reference *, size_t, const double *);
static int (*SetRealInputDerivatives)(Component, const Reference *, size_t, const int *, const double *);
static int (*DoStep)(Component, double, double, int);
static int (*GetReal)(Component, const Reference *, size_t, double *);
static int (*GetInteger)(Component, const Reference *, size_t, int *);
static int (*GetBoolean)(Component, const Reference *, size_t, int *);

static void must(int holds, const char *what) {
    if (!holds) {
        printf("reference_run: %s\n", what);
        exit(1);
    }
}

/* Writes the address of an FMI function into its pointer; C has no cast between the two types. */
#ifdef LINKED
#define LOAD(name) \
    do { \
        extern void fmi2##name(void); \
        void (*symbol)(void) = fmi2##name; \
        memcpy(&name, &symbol, sizeof symbol); \
    } while (0)

static void open_library(const char *path) {
    (void)path;
#else
#ifdef _WIN32
static HMODULE library;
#else
static void *library;
#endif

static void load(const char *name, void *pointer) {
#ifdef _WIN32
    FARPROC symbol = GetProcAddress(library, name);
#else
    void *symbol = dlsym(library, name);
#endif
    must(symbol != NULL, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

#define LOAD(name) load("fmi2" #name, &name)

static void open_library(const char *path) {
#ifdef _WIN32
    library = LoadLibraryA(path);
    must(library != NULL, "the library is not loaded");
#else
    library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    must(library != NULL, dlerror());
#endif
#endif
    LOAD(Instantiate);
    LOAD(FreeInstance);
    LOAD(SetupExperiment);
    LOAD(EnterInitializationMode);
    LOAD(ExitInitializationMode);
    LOAD(Reset);
    LOAD(SetReal);
    LOAD(SetRealInputDerivatives);
    LOAD(DoStep);
    LOAD(GetReal);
    LOAD(GetInteger);
    LOAD(GetBoolean);
}

static FILE *file;

static unsigned number(void) {
    unsigned value;
    must(fscanf(file, "%u", &value) == 1, "a number is missing");
    return value;
}

static double real(void) {
    uint64_t bits;
    double value;
    must(fscanf(file, "%" SCNx64, &bits) == 1, "the bits of a number are missing");
    memcpy(&value, &bits, sizeof value);
    return value;
}

static unsigned list(Reference *references) {
    unsigned length = number(), i;
    must(length <= MOST, "a list is too long");
    for (i = 0; i < length; i++) {
        references[i] = number();
    }
    return length;
}

static Reference inputs[MOST], reals[MOST], integers[MOST], booleans[MOST];
static unsigned input_count, real_count, integer_count, boolean_count;

static void print_whole(const int *numbers, unsigned count) {
    unsigned i;
    for (i = 0; i < count; i++) {
        printf(" %d", numbers[i]);
    }
}

static void begin(Component c, double time) {
    must(SetupExperiment(c, 0, 0.0, time, 0, 0.0) == OK, "fmi2SetupExperiment");
    must(EnterInitializationMode(c) == OK, "fmi2EnterInitializationMode");
    must(ExitInitializationMode(c) == OK, "fmi2ExitInitializationMode");
}

static int is_refused;

/* The floating-point environment of the next calls, and whether it changes from step to step. */
static unsigned environment;
static int changes;

#define IN_ENVIRONMENT(call) \
    do { \
        host_environment_enter(environment); \
        call; \
        must(host_environment_leave(environment), "the floating-point environment was changed by " #call); \
    } while (0)

/* A step that the element refuses is printed as well; the run goes on from new start values. */
static void step(Component c) {
    static const double rest[MOST];
    double time = real(), h = real(), values[MOST], slopes[MOST];
    int orders[MOST], whole[MOST], flags[MOST], status, step_status;
    unsigned i;

    for (i = 0; i < input_count; i++) {
        values[i] = real();
        orders[i] = 1;
    }
    for (i = 0; i < input_count; i++) {
        slopes[i] = real();
    }
    if (is_refused) {
        must(Reset(c) == OK, "fmi2Reset");
        begin(c, time);
    }
    IN_ENVIRONMENT(status = SetReal(c, inputs, input_count, values));
    must(status == OK, "fmi2SetReal");
    if (memcmp(slopes, rest, input_count * sizeof slopes[0]) != 0) {
        IN_ENVIRONMENT(status = SetRealInputDerivatives(c, inputs, input_count, orders, slopes));
        must(status == OK, "fmi2SetRealInputDerivatives");
    }
    IN_ENVIRONMENT(step_status = DoStep(c, time, h, 1));
    is_refused = step_status != OK && step_status != WARNING;
    must(!is_refused || step_status == ERROR_STATUS, "fmi2DoStep");
    IN_ENVIRONMENT(status = GetReal(c, reals, real_count, values));
    must(status == OK, "fmi2GetReal");
    IN_ENVIRONMENT(status = GetInteger(c, integers, integer_count, whole));
    must(status == OK, "fmi2GetInteger");
    IN_ENVIRONMENT(status = GetBoolean(c, booleans, boolean_count, flags));
    must(status == OK, "fmi2GetBoolean");
    environment = changes ? (environment + 1) % HOST_ENVIRONMENTS : 0;

    printf("%d", step_status);
    for (i = 0; i < real_count; i++) {
        uint64_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        printf(" %016" PRIx64, bits);
    }
    print_whole(whole, integer_count);
    print_whole(flags, boolean_count);
    printf("\n");
}

/* A refusal crosses the interface with its sentence and leaves the instance as it was. */
static void mistakes(Component c) {
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    double not_a_number;
    memcpy(&not_a_number, &bits, sizeof bits);
    must(Instantiate("stranger", CO_SIMULATION, "{nobody}", NULL, &callbacks, 0, 0) == NULL, "a foreign GUID is accepted");
    must(SetReal(c, inputs, 1, &not_a_number) == ERROR_STATUS, "NaN is accepted");
}

static void run(const char *path, const char *course) {
    char guid[64];
    Component c;
    unsigned steps;

    printf("run %s\n", course);
    open_library(path);
    file = fopen(course, "r");
    must(file != NULL && fscanf(file, "%63s", guid) == 1, "the file is not read");
    input_count = list(inputs);
    real_count = list(reals);
    integer_count = list(integers);
    boolean_count = list(booleans);

    c = Instantiate("reference run", CO_SIMULATION, guid, NULL, &callbacks, 0, 0);
    must(c != NULL, "fmi2Instantiate");
    begin(c, 0.0);
    mistakes(c);
    is_refused = 0;
    environment = 0;
    for (steps = number(); steps > 0; steps--) {
        step(c);
    }
    FreeInstance(c);
    fclose(file);
}

int main(int count, char **arguments) {
    int i;
    changes = count > 1 && strcmp(arguments[1], "--environments") == 0;
    for (i = 1 + changes; i + 1 < count; i += 2) {
        run(arguments[i], arguments[i + 1]);
    }
    return 0;
}
