/* A master of one page for a friction element, without a library: serial, with step doubling and rollback.

       unzip -o FrDyn2.fmu -d FrDyn2
       cc examples/reference_master.c -o master -ldl -lm
       ./master FrDyn2/binaries/linux64/FrDyn2.so GUID        (guid="..." of FrDyn2/modelDescription.xml)

   A body of 1 kg under a load of 1.3 F_s at 2 Hz. The order that coupling = serial expects: set v, doStep, get F_R, move the body
   under F_R. A parallel master moves the body under the F_R of the step before. Value references are those of every element. */

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef void *component;
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, int);
    void *environment;
} callbacks;

enum { F_N = 0, V = 1, F_R = 8, M_EFF = 62, COUPLING = 63 }; /* value references */

static void logger(void *environment, const char *instance, int status, const char *category, const char *text, ...) {
    va_list rest;
    (void)environment, (void)status;
    va_start(rest, text);
    fprintf(stderr, "%s, %s: ", instance, category);
    vfprintf(stderr, text, rest);
    fputc('\n', stderr);
    va_end(rest);
}

static int (*set_real)(component, const unsigned *, size_t, const double *);
static int (*get_real)(component, const unsigned *, size_t, double *);
static int (*do_step)(component, double, double, int);

static void check(int status, const char *call) {
    if (status > 1) { /* neither fmi2OK nor fmi2Warning */
        fprintf(stderr, "%s returned %d\n", call, status);
        exit(1);
    }
}

static const double mass = 1.0, normal = 9.81, end = 1.0, pi = 3.14159265358979323846;

/* One communication step of h (s) from body = {x, v}. Returns F_R. */
static double step(component element, double t, double h, double body[2]) {
    const unsigned inputs[2] = {F_N, V}, output[1] = {F_R};
    double values[2] = {normal, body[1]}, force, acceleration;
    check(set_real(element, inputs, 2, values), "fmi2SetReal");
    check(do_step(element, t, h, 1), "fmi2DoStep");
    check(get_real(element, output, 1, &force), "fmi2GetReal");
    acceleration = (1.3 * 0.6 * normal * sin(4.0 * pi * (t + 0.5 * h)) - force) / mass;
    body[0] += h * (body[1] + 0.5 * h * acceleration);
    body[1] += h * acceleration;
    return force;
}

int main(int count, char **arguments) {
    void *library = count == 3 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    if (!library) {
        fprintf(stderr, "usage: %s LIBRARY GUID\n", arguments[0]);
        return 1;
    }
    component (*instantiate)(const char *, int, const char *, const char *, const callbacks *, int, int);
    int (*setup)(component, int, double, double, int, double), (*enter)(component), (*leave)(component);
    int (*set_integer)(component, const unsigned *, size_t, const int *);
    int (*get_state)(component, void **), (*set_state)(component, void *), (*free_state)(component, void **);
    void (*free_instance)(component);
    *(void **)&instantiate = dlsym(library, "fmi2Instantiate");
    *(void **)&setup = dlsym(library, "fmi2SetupExperiment");
    *(void **)&enter = dlsym(library, "fmi2EnterInitializationMode");
    *(void **)&leave = dlsym(library, "fmi2ExitInitializationMode");
    *(void **)&set_integer = dlsym(library, "fmi2SetInteger");
    *(void **)&set_real = dlsym(library, "fmi2SetReal");
    *(void **)&get_real = dlsym(library, "fmi2GetReal");
    *(void **)&do_step = dlsym(library, "fmi2DoStep");
    *(void **)&get_state = dlsym(library, "fmi2GetFMUstate");
    *(void **)&set_state = dlsym(library, "fmi2SetFMUstate");
    *(void **)&free_state = dlsym(library, "fmi2FreeFMUstate");
    *(void **)&free_instance = dlsym(library, "fmi2FreeInstance");

    const callbacks functions = {logger, calloc, free, NULL, NULL};
    component element = instantiate("friction", 1, arguments[2], "", &functions, 0, 0);
    const unsigned m_eff[1] = {M_EFF}, coupling[1] = {COUPLING};
    const int serial[1] = {1};
    if (!element) return 1;
    check(set_real(element, m_eff, 1, &mass), "fmi2SetReal");
    check(set_integer(element, coupling, 1, serial), "fmi2SetInteger");
    check(setup(element, 0, 0.0, 0.0, 0, 0.0), "fmi2SetupExperiment");
    check(enter(element), "fmi2EnterInitializationMode");
    check(leave(element), "fmi2ExitInitializationMode");

    double t = 0.0, h = 1e-3, body[2] = {0.0, 0.0}, peak = 0.0;
    int steps = 0;
    void *state = NULL; /* reused from step to step */
    while (t < end - 1e-12) {
        h = fmin(h, end - t);
        double whole[2] = {body[0], body[1]};
        check(get_state(element, &state), "fmi2GetFMUstate");
        step(element, t, h, whole);
        check(set_state(element, state), "fmi2SetFMUstate");
        step(element, t, 0.5 * h, body);
        peak = fmax(peak, fabs(step(element, t + 0.5 * h, 0.5 * h, body)));
        /* The halves stay. A stricter master restores the state once more where the error is too large. */
        t += h;
        steps += 2;
        h *= fmin(2.0, fmax(0.2, 0.9 * cbrt(1e-7 / fmax(fabs(whole[0] - body[0]), 1e-30))));
        h = fmin(5e-3, fmax(1e-5, h));
    }
    check(free_state(element, &state), "fmi2FreeFMUstate");
    free_instance(element);
    printf("x = %.6f m after %.1f s in %d steps; largest |F_R| = %.3f F_s\n", body[0], end, steps, peak / (0.6 * normal));
    return 0;
}
