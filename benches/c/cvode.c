/* FrDyn2 by CVODE's BDF method, as an engineer would write it down for SUNDIALS: Listing A4 branch by branch, its
 * analytic Jacobian, a dense linear solver, re-initialised at each communication step because inputs jump there.
 * `cargo xtask performance` compiles it; costs are compared with it, and it is an independent reference of
 * steps that are too stiff for the explicit reference. */

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sundials/sundials_version.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

struct bristle_cvode {
    double sigma_0, sigma_1, mu_s, v_s, mu_d, v_d, inverse_mass;
    /* Value and derivatives of the inputs at the start of the step. */
    double F_N[4], v[4];
    int held;
    long step_limit;
    SUNContext context;
    N_Vector y, absolute;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    void *memory;
};

static double course(const double c[4], double t) { return c[0] + t * (c[1] + t / 2 * (c[2] + t / 3 * c[3])); }

/* Slip velocity in the argument of the characteristic. */
static double slip(const struct bristle_cvode *it, double t, double z, double z_dot)
{
    const double F_N = course(it->F_N, t), v = course(it->v, t);
    const double F_0 = it->sigma_0 * z + it->sigma_1 * v;
    const double distance = F_N > 0 ? fmax(1 - fabs(F_0) / (it->mu_s * F_N), 0) : 0;
    return v - z_dot + copysign(it->v_s * (1 - sqrt(distance)), F_0);
}

/* The friction force, and where `slope` is given its derivatives by z and by the bristle's velocity. */
static double friction(const struct bristle_cvode *it, double t, double z, double z_dot, double *slope)
{
    const double F_N = it->held ? it->F_N[0] : course(it->F_N, t);
    const double v = it->held ? it->v[0] : course(it->v, t);
    if (slope)
        slope[0] = slope[1] = 0;
    if (!(F_N > 0))
        return 0;
    const double F_s = it->mu_s * F_N, F_0 = it->sigma_0 * z + it->sigma_1 * v;
    const double distance = 1 - fabs(F_0) / F_s, root = distance > 0 ? sqrt(distance) : 0;
    const double size = it->v_s * (1 - root), shift = F_0 < 0 ? -size : size;
    const double w = v - z_dot + shift, speed = fabs(w);
    double mu, mu_w;
    if (speed <= it->v_s) {
        const double x = speed / it->v_s;
        mu = it->mu_s * x * (2 - x);
        mu_w = 2 * it->mu_s / it->v_s * (1 - x);
    } else if (speed < it->v_d) {
        const double x = (speed - it->v_s) / (it->v_d - it->v_s);
        mu = it->mu_s - (it->mu_s - it->mu_d) * x * x * (3 - 2 * x);
        mu_w = -6 * (it->mu_s - it->mu_d) / (it->v_d - it->v_s) * x * (1 - x);
    } else {
        mu = it->mu_d;
        mu_w = 0;
    }
    if (slope) {
        const double shift_z = root > 0 ? it->v_s * it->sigma_0 / (2 * F_s * fmax(root, 1e-8)) : 0;
        slope[0] = F_N * mu_w * shift_z;
        slope[1] = -F_N * mu_w;
    }
    return copysign(mu * F_N, w);
}

static int rate(double t, N_Vector y, N_Vector f, void *user)
{
    const struct bristle_cvode *it = user;
    const double *x = N_VGetArrayPointer(y);
    double *slope = N_VGetArrayPointer(f);
    slope[0] = x[1];
    slope[1] = (friction(it, t, x[0], x[1], NULL) - it->sigma_0 * x[0] - it->sigma_1 * x[1]) * it->inverse_mass;
    return 0;
}

static int jacobian(double t, N_Vector y, N_Vector f, SUNMatrix matrix, void *user, N_Vector a, N_Vector b, N_Vector c)
{
    (void)f, (void)a, (void)b, (void)c;
    const struct bristle_cvode *it = user;
    const double *x = N_VGetArrayPointer(y);
    double force[2];
    friction(it, t, x[0], x[1], force);
    SM_ELEMENT_D(matrix, 0, 0) = 0;
    SM_ELEMENT_D(matrix, 0, 1) = 1;
    SM_ELEMENT_D(matrix, 1, 0) = (force[0] - it->sigma_0) * it->inverse_mass;
    SM_ELEMENT_D(matrix, 1, 1) = (force[1] - it->sigma_1) * it->inverse_mass;
    return 0;
}

/* SUNDIALS' version as text of at most `length` bytes. */
void bristle_cvode_version(char *text, int length) { SUNDIALSGetVersion(text, length); }

void bristle_cvode_free(struct bristle_cvode *it)
{
    if (it == NULL)
        return;
    CVodeFree(&it->memory);
    SUNLinSolFree(it->solver);
    SUNMatDestroy(it->matrix);
    N_VDestroy(it->y);
    N_VDestroy(it->absolute);
    SUNContext_Free(&it->context);
    free(it);
}

/* A bristle at rest with the parameters sigma_0, sigma_1, mu_s, v_s, mu_d, v_d; NULL where memory is short. */
struct bristle_cvode *bristle_cvode_new(const double parameters[6], long step_limit)
{
    struct bristle_cvode *it = calloc(1, sizeof *it);
    if (it == NULL)
        return NULL;
    it->sigma_0 = parameters[0], it->sigma_1 = parameters[1], it->mu_s = parameters[2];
    it->v_s = parameters[3], it->mu_d = parameters[4], it->v_d = parameters[5];
    it->step_limit = step_limit;
    it->inverse_mass = 4 * it->sigma_0 / it->sigma_1 / it->sigma_1;
    if (SUNContext_Create(NULL, &it->context) == 0) {
        it->y = N_VNew_Serial(2, it->context);
        it->absolute = N_VNew_Serial(2, it->context);
        it->matrix = SUNDenseMatrix(2, 2, it->context);
        it->solver = SUNLinSol_Dense(it->y, it->matrix, it->context);
        it->memory = CVodeCreate(CV_BDF, it->context);
        N_VConst(0, it->y);
        N_VConst(1, it->absolute);
        if (it->memory && CVodeInit(it->memory, rate, 0, it->y) == CV_SUCCESS
            && CVodeSVtolerances(it->memory, 1e-6, it->absolute) == CV_SUCCESS
            && CVodeSetUserData(it->memory, it) == CV_SUCCESS
            && CVodeSetLinearSolver(it->memory, it->solver, it->matrix) == CV_SUCCESS
            && CVodeSetJacFn(it->memory, jacobian) == CV_SUCCESS
            && CVodeSetMaxNumSteps(it->memory, step_limit) == CV_SUCCESS
            && CVodeSetErrFile(it->memory, NULL) == CV_SUCCESS)
            return it;
    }
    bristle_cvode_free(it);
    return NULL;
}

/* The relative tolerance and the absolute ones of z (m) and of its velocity (m/s). */
int bristle_cvode_tolerances(struct bristle_cvode *it, double relative, double z, double z_dot)
{
    double *absolute = N_VGetArrayPointer(it->absolute);
    absolute[0] = z, absolute[1] = z_dot;
    return CVodeSVtolerances(it->memory, relative, it->absolute);
}

void bristle_cvode_set(struct bristle_cvode *it, const double x[2])
{
    double *y = N_VGetArrayPointer(it->y);
    y[0] = x[0], y[1] = x[1];
}

/* The friction force after a step of h (s) with moving inputs; NaN where CVODE fails. With `stop`
 * the last inner step ends at h, without it CVODE passes h and interpolates. */
double bristle_cvode_step(struct bristle_cvode *it, const double F_N[4], const double v[4], double h, int stop)
{
    it->held = 1;
    for (int i = 0; i < 4; i++) {
        it->F_N[i] = F_N[i], it->v[i] = v[i];
        it->held &= i == 0 || (F_N[i] == 0 && v[i] == 0);
    }
    double reached;
    if (CVodeReInit(it->memory, 0, it->y) != CV_SUCCESS
        || (stop && CVodeSetStopTime(it->memory, h) != CV_SUCCESS)
        || CVode(it->memory, h, it->y, &reached, CV_NORMAL) < 0)
        return NAN;
    const double *x = N_VGetArrayPointer(it->y);
    return friction(it, h, x[0], x[1], NULL);
}

/* Step for a reference: step by step, and NaN as well where an inner step leaps over more of the characteristic's curved
 * part than its error estimate covers. */
double bristle_cvode_reference(struct bristle_cvode *it, const double F_N[4], const double v[4], double h)
{
    it->held = 0;
    for (int i = 0; i < 4; i++)
        it->F_N[i] = F_N[i], it->v[i] = v[i];
    if (CVodeReInit(it->memory, 0, it->y) != CV_SUCCESS || CVodeSetStopTime(it->memory, h) != CV_SUCCESS)
        return NAN;
    const double *x = N_VGetArrayPointer(it->y);
    double reached = 0, w = slip(it, 0, x[0], x[1]);
    long limit;
    for (limit = it->step_limit; reached < h && limit > 0; limit--) {
        if (CVode(it->memory, h, it->y, &reached, CV_ONE_STEP) < 0)
            return NAN;
        x = N_VGetArrayPointer(it->y);
        const double before = w;
        w = slip(it, reached, x[0], x[1]);
        const int beside = fmin(w, before) > it->v_d || fmax(w, before) < -it->v_d;
        if (!beside && fabs(w - before) > 0.5 * it->v_s)
            return NAN;
    }
    return reached < h ? NAN : friction(it, h, x[0], x[1], NULL);
}
