//! Dormand and Prince's explicit method of order 8(5,3), at a tolerance far below any that is
//! tested.

use ode_solvers::{Dop853, OutputType, SVector, System};

/// Relative tolerance of the references, in units of each component's scale: as tight as rounding
/// lets an explicit method of order 8 be.
pub const TOLERANCE: f64 = 1e-13;

/// Looser tolerance; the difference to [`TOLERANCE`] bounds the error of a reference.
pub const COARSE_TOLERANCE: f64 = 1e-12;

/// Unit of the time, s: about one time constant of the bristle.
const TIME: f64 = 1e-4;

/// Components of the integrator: the states of the largest system along a line, and the time.
const COMPONENTS: usize = 5;

/// Components of a system in the plane: its states, energy and time.
const COMPONENTS_IN_PLANE: usize = 6;

/// Components of several bodies with their contacts: their states and the time.
const COMPONENTS_OF_SYSTEM: usize = 41;

/// Integrates x′ = rate(t, x) from 0 over `duration`, each component measured in its `scale`.
///
/// The time is one of the integrator's components: given as such, the crate (0.6.2) takes the last
/// of its twelve stages at the start of a step and not at its end (`C[11]` of its tableau is 0),
/// which leaves an error of 1e-7 under inputs that move.
///
/// # Panics
/// If the integrator fails.
pub fn solve<const N: usize>(
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
    x: [f64; N],
    scale: [f64; N],
    duration: f64,
    tolerance: f64,
) -> [f64; N] {
    solve_as::<N, COMPONENTS>(rate, x, scale, duration, tolerance)
}

/// As [`solve`], for the bristle of a contact in the plane.
///
/// # Panics
/// If the integrator fails.
pub fn solve_in_plane(
    rate: impl Fn(f64, [f64; 5]) -> [f64; 5],
    x: [f64; 5],
    scale: [f64; 5],
    duration: f64,
    tolerance: f64,
) -> [f64; 5] {
    solve_as::<5, COMPONENTS_IN_PLANE>(rate, x, scale, duration, tolerance)
}

/// As [`solve`], for several bodies with their contacts.
///
/// # Panics
/// If the integrator fails.
pub fn solve_of_system<const N: usize>(
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
    x: [f64; N],
    scale: [f64; N],
    duration: f64,
    tolerance: f64,
) -> [f64; N] {
    solve_as::<N, COMPONENTS_OF_SYSTEM>(rate, x, scale, duration, tolerance)
}

fn solve_as<const N: usize, const M: usize>(
    rate: impl Fn(f64, [f64; N]) -> [f64; N],
    x: [f64; N],
    scale: [f64; N],
    duration: f64,
    tolerance: f64,
) -> [f64; N] {
    const { assert!(N < M) };
    struct Scaled<F, const N: usize> {
        rate: F,
        scale: [f64; N],
    }
    impl<F: Fn(f64, [f64; N]) -> [f64; N], const N: usize, const M: usize>
        System<f64, SVector<f64, M>> for Scaled<F, N>
    {
        fn system(&self, _: f64, y: &SVector<f64, M>, slope: &mut SVector<f64, M>) {
            let rate = (self.rate)(y[N] * TIME, core::array::from_fn(|i| y[i] * self.scale[i]));
            for i in 0..N {
                slope[i] = rate[i] * TIME / self.scale[i];
            }
            slope[N] = 1.0;
        }
    }
    let y = SVector::<f64, M>::from_fn(|i, _| if i < N { x[i] / scale[i] } else { 0.0 });
    let end = duration / TIME;
    // The crate's defaults, without its limits on steps and stiffness: stiff solutions take many
    // steps here.
    let [safety, beta, shrink, grow] = [0.9, 0.0, 0.333, 6.0];
    let [limit, stiffness_check] = [u32::MAX; 2];
    let first_step = 0.0; // chosen by the integrator
    let system = Scaled { rate, scale };
    let mut integrator = Dop853::from_param(
        system,
        0.0,
        end,
        end,
        y,
        tolerance,
        tolerance,
        safety,
        beta,
        shrink,
        grow,
        end,
        first_step,
        limit,
        stiffness_check,
        OutputType::Sparse,
    );
    integrator
        .integrate()
        .expect("the reference can be integrated");
    let y = integrator
        .y_out()
        .last()
        .expect("the integrator keeps the end");
    core::array::from_fn(|i| y[i] * scale[i])
}
