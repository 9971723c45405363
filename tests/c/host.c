/* A C program that imports the FMU as C importers do, compiled against FMI's own headers.
 *
 * It checks the interface as C has it: structures laid out by a C compiler, a variadic logger, C strings, C booleans.
 * The forces of a short Co-Simulation are printed for the test to compare with its own host's.
 *
 * host LIBRARY GUID and the value references of F_N, v, F_R and sticking
 *
 * The locale is that of the variables of the environment; DECIMAL_POINT names its decimal point, if that is to be checked. */

#include <dlfcn.h>
#include <inttypes.h>
#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi2FunctionTypes.h"

#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("host.c:%d does not hold: %s\n", __LINE__, #condition);      \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* dlsym gives a data pointer; ISO C has no cast from there to a function. */
#define LOAD(name)                                                              \
    static fmi2##name##TYPE *name;                                              \
    static void load_##name(void *library) {                                    \
        void *symbol = dlsym(library, "fmi2" #name);                            \
        CHECK(symbol != NULL && sizeof symbol == sizeof name);                  \
        memcpy(&name, &symbol, sizeof name);                                    \
    }

LOAD(GetTypesPlatform)
LOAD(GetVersion)
LOAD(SetDebugLogging)
LOAD(Instantiate)
LOAD(FreeInstance)
LOAD(SetupExperiment)
LOAD(EnterInitializationMode)
LOAD(ExitInitializationMode)
LOAD(Terminate)
LOAD(GetReal)
LOAD(GetBoolean)
LOAD(SetReal)
LOAD(DoStep)
LOAD(GetStringStatus)
LOAD(GetBooleanStatus)
LOAD(NewDiscreteStates)
LOAD(EnterContinuousTimeMode)
LOAD(CompletedIntegratorStep)
LOAD(GetContinuousStates)

/* Last message to the logger, as it came and formatted. */
static struct {
    int calls;
    fmi2ComponentEnvironment environment;
    char name[64];
    fmi2Status status;
    char category[64];
    char format[1024];
    char text[1024];
} said;

static void logger(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status, fmi2String category,
                   fmi2String message, ...) {
    va_list arguments;
    said.calls++;
    said.environment = environment;
    said.status = status;
    snprintf(said.name, sizeof said.name, "%s", name);
    snprintf(said.category, sizeof said.category, "%s", category);
    snprintf(said.format, sizeof said.format, "%s", message);
    va_start(arguments, message);
    vsnprintf(said.text, sizeof said.text, message, arguments);
    va_end(arguments);
}

/* Folder of the library as a URI; it may be long. */
static char resources[2048];

/* The component environment is an address that only this program knows. */
static int here;

static fmi2CallbackFunctions callbacks(void) {
    fmi2CallbackFunctions functions;
    memset(&functions, 0, sizeof functions);
    functions.logger = logger;
    functions.allocateMemory = calloc;
    functions.freeMemory = free;
    functions.stepFinished = NULL;
    functions.componentEnvironment = &here;
    return functions;
}

static fmi2Component instantiate(fmi2String name, fmi2Type type, fmi2String guid) {
    /* On the stack and gone after the call: the FMU must keep its own copy. */
    fmi2CallbackFunctions functions = callbacks();
    char copy[64];
    fmi2Component c;
    snprintf(copy, sizeof copy, "%s", name);
    c = Instantiate(copy, type, guid, resources, &functions, fmi2False, fmi2True);
    memset(&functions, 0xa5, sizeof functions);
    memset(copy, 'x', sizeof copy - 1);
    return c;
}

static void check_logger(fmi2String guid) {
    static const fmi2String errors_only[] = {"logStatusError"};
    fmi2Component c;

    CHECK(instantiate("wrong", fmi2CoSimulation, "100 %s of %n #1") == NULL);
    CHECK(said.calls == 1 && said.status == fmi2Error && said.environment == &here);
    CHECK(strcmp(said.name, "wrong") == 0 && strcmp(said.category, "logStatusError") == 0);
    CHECK(strstr(said.format, "100 %%s of %%n ##1") != NULL);
    CHECK(strstr(said.text, "100 %s of %n ##1") != NULL);

    c = instantiate("right", fmi2CoSimulation, guid);
    CHECK(c != NULL);
    said.calls = 0;
    CHECK(DoStep(c, 0.0, 1e-3, fmi2True) == fmi2Error);
    CHECK(said.calls == 1 && strcmp(said.name, "right") == 0 && said.environment == &here);
    CHECK(SetDebugLogging(c, fmi2True, 1, errors_only) == fmi2OK);
    said.calls = 0;
    CHECK(EnterInitializationMode(c) == fmi2OK);
    CHECK(said.calls == 0);
    FreeInstance(c);
}

static void check_event_info(fmi2String guid) {
    struct {
        unsigned char before[16];
        fmi2EventInfo info;
        unsigned char after[16];
    } guarded;
    fmi2Boolean booleans[4] = {7, 7, 7, 7};
    fmi2Real x[4] = {-1.0, -1.0, -1.0, -1.0};
    fmi2Component c = instantiate("events", fmi2ModelExchange, guid);
    size_t i;

    memset(&guarded, 0x5a, sizeof guarded);
    CHECK(SetupExperiment(c, fmi2False, 0.0, 0.0, fmi2False, 0.0) == fmi2OK);
    CHECK(EnterInitializationMode(c) == fmi2OK);
    CHECK(ExitInitializationMode(c) == fmi2OK);
    CHECK(NewDiscreteStates(c, &guarded.info) == fmi2OK);
    CHECK(guarded.info.newDiscreteStatesNeeded == fmi2False);
    CHECK(guarded.info.terminateSimulation == fmi2False);
    CHECK(guarded.info.nominalsOfContinuousStatesChanged == fmi2False);
    CHECK(guarded.info.valuesOfContinuousStatesChanged == fmi2False);
    CHECK(guarded.info.nextEventTimeDefined == fmi2False);
    for (i = 0; i < sizeof guarded.before; i++) {
        CHECK(guarded.before[i] == 0x5a && guarded.after[i] == 0x5a);
    }
    CHECK(EnterContinuousTimeMode(c) == fmi2OK);
    CHECK(CompletedIntegratorStep(c, fmi2True, &booleans[1], &booleans[2]) == fmi2OK);
    CHECK(booleans[0] == 7 && booleans[1] == fmi2False && booleans[2] == fmi2False && booleans[3] == 7);
    CHECK(GetContinuousStates(c, x + 1, 2) == fmi2OK);
    CHECK(x[0] == -1.0 && x[1] == 0.0 && x[2] == 0.0 && x[3] == -1.0);
    FreeInstance(c);
}

/* Value references of the model description, given by the test. */
static fmi2ValueReference inputs[2], force, sticking;

static void simulate(fmi2String guid) {
    const double h = 1e-3;
    fmi2Component c = instantiate("short run", fmi2CoSimulation, guid);
    fmi2Boolean flags[3] = {7, 7, 7};
    fmi2String text = NULL;
    int i;

    CHECK(SetupExperiment(c, fmi2True, 1e-6, 0.0, fmi2True, 1.0) == fmi2OK);
    CHECK(EnterInitializationMode(c) == fmi2OK);
    CHECK(ExitInitializationMode(c) == fmi2OK);
    for (i = 0; i < 200; i++) {
        /* A saw, by exact numbers and one rounding, the same in every language. */
        fmi2Real contact[2] = {9.81, (i % 50 - 25) * 0.0008};
        fmi2Real friction = 0.0;
        uint64_t bits;
        CHECK(SetReal(c, inputs, 2, contact) == fmi2OK);
        CHECK(DoStep(c, i * h, h, fmi2True) == fmi2OK);
        CHECK(GetReal(c, &force, 1, &friction) == fmi2OK);
        CHECK(GetBoolean(c, &sticking, 1, &flags[1]) == fmi2OK);
        CHECK(flags[0] == 7 && flags[2] == 7 && (flags[1] == fmi2True || flags[1] == fmi2False));
        memcpy(&bits, &friction, sizeof bits);
        printf("%016" PRIx64 " %a\n", bits, friction);
    }
    CHECK(GetStringStatus(c, fmi2PendingStatus, &text) == fmi2OK);
    CHECK(text != NULL && strlen(text) == 0);
    CHECK(Terminate(c) == fmi2OK);
    CHECK(GetBooleanStatus(c, fmi2Terminated, &flags[1]) == fmi2OK && flags[1] == fmi2True);
    FreeInstance(c);
}

int main(int count, char **arguments) {
    void *library;
    const char *decimal_point = getenv("DECIMAL_POINT");

    CHECK(count == 7);
    CHECK(setlocale(LC_ALL, "") != NULL);
    CHECK(decimal_point == NULL || strcmp(localeconv()->decimal_point, decimal_point) == 0);
    snprintf(resources, sizeof resources, "file://%s/resources", arguments[1]);
    library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    inputs[0] = (fmi2ValueReference)strtoul(arguments[3], NULL, 10);
    inputs[1] = (fmi2ValueReference)strtoul(arguments[4], NULL, 10);
    force = (fmi2ValueReference)strtoul(arguments[5], NULL, 10);
    sticking = (fmi2ValueReference)strtoul(arguments[6], NULL, 10);

    load_GetTypesPlatform(library);
    load_GetVersion(library);
    load_SetDebugLogging(library);
    load_Instantiate(library);
    load_FreeInstance(library);
    load_SetupExperiment(library);
    load_EnterInitializationMode(library);
    load_ExitInitializationMode(library);
    load_Terminate(library);
    load_GetReal(library);
    load_GetBoolean(library);
    load_SetReal(library);
    load_DoStep(library);
    load_GetStringStatus(library);
    load_GetBooleanStatus(library);
    load_NewDiscreteStates(library);
    load_EnterContinuousTimeMode(library);
    load_CompletedIntegratorStep(library);
    load_GetContinuousStates(library);

    CHECK(strcmp(GetTypesPlatform(), fmi2TypesPlatform) == 0);
    CHECK(strcmp(GetVersion(), "2.0") == 0);
    check_logger(arguments[2]);
    check_event_info(arguments[2]);
    simulate(arguments[2]);
    CHECK(dlclose(library) == 0);
    return 0;
}
