//! Tuning constants of FrDyn2's solvers: value, unit, reason and effect of a change.
//!
//! Tolerances are relative to the static friction force F_s, so that they are errors of F_R/F_s. "tol" is the tolerance of the
//! element. `docs/numerics.md` has the derivations (its section is named as §), the error budget and, in §15, the measured effect of
//! each constant; a test holds that page complete. Coefficients of methods (nodes, weights) are no tuning and stand with their method.

// Range of numbers.

/// Static friction force, N, below which a contact counts as open. Convention: quotients by F_s stay far within the range of
/// `f64`, and no mechanism has such a force. Larger: small contacts open too early; smaller: 1/F_s may overflow.
pub const MIN_STATIC_FORCE: f64 = 1e-100;
/// Lower bound of s = √(1 − |F_0|/F_s) in the Jacobian, 1. ∂Δv/∂F_0 = v_s/(2 F_s s) has no bound at s = 0; 1e-8 is the root of the
/// rounding of s². Larger: Newton's iterations of the general integrator converge more slowly next to break-away.
pub const MIN_JACOBIAN_ROOT: f64 = 1e-8;
/// Lower bound of the deflection that errors are measured by, as a share of |ż|/ω, 1. Convention: it matters where F_N has fallen
/// to nothing and z passes through 0 alone. Larger: a free bristle is followed less closely; smaller: more inner steps there.
pub const MIN_DEFLECTION_SHARE: f64 = 1e-3;
/// Share of the distance in w to the falling branch, and of the branch's width, by which v may change in an inner step of the general
/// integrator, 1. w moves with the shift as well, which takes the other half. Larger: a narrow branch is leapt over (§12).
pub const MAX_DV_SHARE: f64 = 0.5;

// Error budget (§14).

/// Tolerance of the Taylor series over tol. Two segments of a communication step may err in the same direction. Larger: the sum
/// exceeds tol in random steps; smaller: some 2 % more work for each halving.
pub const SERIES_SHARE: f64 = 0.5;
/// [`SERIES_SHARE`] where the bristle is unstable. The falling branch multiplies errors by e⁸ in a typical passage (§12): the
/// share keeps most passages from a repetition. Larger: more steps are repeated.
pub const UNSTABLE_SERIES_SHARE: f64 = 3e-4;
/// Tolerance of a step of stick over tol. F_0 integrates its errors as long as the contact sticks, and errors of equal sign add up from
/// step to step: 3e-3 keeps 5 s of steps of 0.1 ms within 0.1 tol (test `errors_do_not_accumulate_in_stick`). Larger: stick creeps.
pub const STICK_SHARE: f64 = 0.003;
/// Tolerance of a step of stick over that of the series, where the bristle is unstable and the series are fine already, 1.
pub const UNSTABLE_STICK_RATIO: f64 = 0.1;
/// Tolerance of an inner step of the general integrator over tol, where inputs move and where the bristle is unstable: its error
/// estimate is too small where a kink passes within a step. Larger: random steps with moving inputs exceed tol.
pub const GENERAL_SHARE: f64 = 0.05;
/// Tolerance of an inner step of the general integrator over tol in stick that is too stiff for series. Everything is smooth there and
/// errors of ż decay within a time constant; the estimate of order 3 is far above the error. Larger: saves little; smaller: more steps.
pub const STIFF_STICK_SHARE: f64 = 2.0;
/// Tightest tolerance of the series, 1. Rounding of 15 terms of the order of 1 is some 1e-15; below 1e-13 the series would follow it.
pub const MIN_SERIES_TOLERANCE: f64 = 1e-13;
/// Tightest tolerance of a step of stick over [`MIN_SERIES_TOLERANCE`], 1: terms of stick are small beside 1.
pub const MIN_STICK_RATIO: f64 = 0.1;
/// Tightest tolerance of the general integrator, 1: its Newton iterations do not converge closer than rounding of F_R allows.
pub const MIN_GENERAL_TOLERANCE: f64 = 1e-12;

// Unstable bristle: the repeated step (§12).

/// Tolerances of the repeated step over those of the first, 1. The difference of both is then 1/0.01 of the error of the second.
/// Larger: the estimate of what is left is less certain; smaller: the repetition costs more and meets rounding earlier.
pub const REFINEMENT: f64 = 1e-2;
/// [`REFINEMENT`] of the general integrator in stiff stick, whose error is far below its estimate.
pub const STIFF_STICK_REFINEMENT: f64 = 0.1;
/// Share of tol that the series' tolerance times the bound of the growth may reach without a repetition, 1.
pub const ACCEPTED_GROWTH_SHARE: f64 = 0.1;
/// Difference of two solutions over F_s from which on they no longer follow each other: then it is taken for the error itself.
pub const DIVERGED: f64 = 1e-2;
/// Error of F_R over F_s that is reported where none is known: F_R lies between −F_s and F_s.
pub const MAX_FORCE_ERROR: f64 = 2.0;

// Where each fallback takes over (§16).

/// Inner steps for a whole communication step with held inputs from which on the general integrator is cheaper, 1. Measured: an
/// inner step by series costs about a tenth of one by Radau IIA(5), and 300 of these do most of what series cannot.
pub const MAX_HELD_STEPS: f64 = 3000.0;
/// [`MAX_HELD_STEPS`] under moving inputs, whose steps by series cost several times as much.
pub const MAX_MOVING_STEPS: f64 = 500.0;
/// Inner steps after which [`MAX_HELD_STEPS`] is first extrapolated from the time that they cover, 1: the first steps of a
/// transient are shorter than those after it.
pub const STEPS_BEFORE_EXTRAPOLATION: u32 = 120;
/// Inner steps of a communication step from which on the general integrator does the rest, where the contact moves in and out of
/// stiff stick, 1. Bounds the number of changes of method.
pub const MAX_STIFF_STICK_STEPS: u32 = 2000;
/// F_N over its maximum in the step from which on series follow a contact that opens or closes, 1. Their steps are a share of the
/// time to F_N = 0, so that each decade of F_N costs a fixed number; below 1e-2 the general integrator is cheaper (§11).
pub const MIN_NORMAL_FORCE_SHARE: f64 = 1e-2;
/// Inner steps of a segment, 1: after each segment its caller extrapolates the work and looks for a closed form.
pub const MAX_SEGMENT_STEPS: u32 = 40;
/// Length of stick under moving inputs, in time constants of its transient, up to which series follow it. They are explicit and take a
/// step for every four or five: 30 steps of the series cost as much as the general integrator (§9).
pub const MAX_STICK_TIME_CONSTANTS: f64 = 120.0;

// Taylor series (§3, §5).

/// Highest order of the Taylor series, 1. Measured between 11 and 19: at tol = 1e-6 the work per time has a flat minimum near 15.
pub const MAX_ORDER: usize = 15;
/// Share of the series' tolerance below which each of two successive terms must lie to end the series, 1. The remainder of a
/// series whose terms fall by half is as large as the last term; two terms bound it also where terms alternate.
pub const NEGLIGIBLE_TERM_SHARE: f64 = 0.3;
/// Share of a term in the loss of a step over [`NEGLIGIBLE_TERM_SHARE`], 1: the loss is held to ten times tol (`Law::advance`).
pub const POWER_TERM_SHARE: f64 = 10.0;
/// Share of the tolerance at which the last term is aimed when a step is shortened, 1. The bound is 0.2, and the roots that shorten the
/// step are rough: 4 % in the step are 60 % in a term of order 15.
pub const STEP_AIM_SHARE: f64 = 0.12;
/// Weight of the term before the last when a step is shortened, 1: the last may vanish by chance where terms alternate.
pub const PENULTIMATE_WEIGHT: f64 = 0.3;
/// Factor that centres the error of the root by exponent, 1: uncorrected it lies between −0.6 % and +6.1 %. Derivation: 1/√(0.994 · 1.061).
pub const ROOT_CENTRE: f64 = 0.97;
/// s = √(1 − |r|) below which a step goes in the regularised time τ, 1 (§4). In t the radius of convergence falls with s²; from 0.3
/// on a step in t is longer than one in τ.
pub const REGULARISED_TIME_BELOW: f64 = 0.3;
/// s at which a step in t ends, 1: half of [`REGULARISED_TIME_BELOW`], so that no step in t begins at its own end.
pub const MIN_ROOT_IN_TIME: f64 = 0.15;
/// Length of a step in τ that leads to s = 0, over that of the first order, 1: the zone exit cuts it at s = 0 itself. Below 1 a
/// step would end short of the corner and be repeated.
pub const CORNER_OVERSHOOT: f64 = 1.2;
/// Error of the end of a step in τ that ends at a given time, over the time, 1: some bits of rounding.
pub const TIME_PRECISION: f64 = 1e-15;
/// Limit of iterations of a bracketed search, 1: halving alone exhausts the 53 bits of a number within it.
pub const MAX_ROOT_ITERATIONS: usize = 60;

// Exit from a zone (§6).

/// Parts of a step at whose ends the distance to the borders is sampled, 1. More find nothing more at a higher cost: where samples
/// lie no higher than they bend, the part is divided further.
pub const EXIT_PARTS: usize = 4;
/// Finer parts of a part in which a border may lie, 1; even, because they are evaluated in two groups.
pub const EXIT_FINE_PARTS: usize = 8;
/// Distance in s, and in |r| from outside, within which the corner s = 0 counts as met, 1. There the root changes its branch: an
/// error δ of s is one of δ² in r. Smaller: more iterations; larger: visible from tol = 1e-10 on.
pub const CORNER_WINDOW: f64 = 1e-9;
/// Distance by which every other border may be passed, over √tol of the step, 1. f is C¹ there: a passage by δ costs δ²/2 times a
/// jump of the curvature of 2 at most, so that 1e-2 √tol costs 1e-4 tol.
pub const BORDER_WINDOW_SHARE: f64 = 1e-2;

// Tail of stick (§8).

/// Length of a tail, in time constants of stick, from which on it is tried, 1. e falls to 3e-4 of itself: in a shorter one the
/// series or the transient's collocation are as cheap.
pub const MIN_TAIL_LENGTH: f64 = 8.0;
/// Relative change of the decay rate up to which the tail's expansion of first order is used, 1: its square is the order left out.
pub const MAX_TAIL_BENDING: f64 = 0.1;
/// Factor of the change of r by e that a tail keeps clear of r = 0 and |r| = 1, 1: the change itself is known to first order.
pub const TAIL_CLEARANCE: f64 = 2.0;

// Transient of stick (§7).

/// s at the end of a transient over s at its start, 1, down to which collocation is tried: beyond, s(θ) is no polynomial of degree 8
/// within the tolerance, and the attempt would be in vain.
pub const MIN_TRANSIENT_ROOT_RATIO: f64 = 0.5;
/// Limit of fixed-point iterations, 1. The contraction is a few percent: a transient that needs more is left to the series.
pub const MAX_FIXED_POINT_ITERATIONS: usize = 6;
/// Error of the mean friction force in a transient over F_s, 1. The loss is held to ten times tol and its share is one of many
/// transients' lengths; tolerances below 1e-7 do not tighten it.
pub const MAX_TRANSIENT_LOSS_ERROR: f64 = 1e-6;
/// Contraction assumed for the first iteration, of which none is measured, 1: an upper bound where the transient is tried at all.
pub const FIRST_CONTRACTION: f64 = 0.5;
/// Lower bound of the remainder of the iteration over its last change, 1: a contraction measured once may be small by chance.
pub const MIN_REMAINDER: f64 = 0.05;
/// Share of the tolerance that the remainder of the iteration may take, 1; the rest is the quadrature's.
pub const FIXED_POINT_SHARE: f64 = 0.1;
/// Safety factor of the estimated quadrature error, 1. Measured by `errors_of_a_transient_stay_below_its_tolerance`: the estimate by the
/// Legendre spectrum is up to 10 times too small.
pub const QUADRATURE_SAFETY: f64 = 10.0;
/// Distance from r = 0 over the range of r that the nodes must keep where r turns, 1: between two nodes r dips by less.
pub const TURN_CLEARANCE: f64 = 0.1;

// A stuck body (§13).

/// |F_0| over F_s up to which the closed form of a stuck body is used, 1: s = 0.14 there, and beyond λ changes too fast.
pub const MAX_STUCK_FORCE: f64 = 0.98;
/// Error of the closed form over the sum of the relative terms left out, 1. They rarely add up: measured up to 0.18 (test
/// `a_stuck_body_moves_in_closed_form_as_it_does_by_the_general_integrator` of `coupling/body`).
pub const STUCK_ERROR_SHARE: f64 = 0.2;
/// |e|/(v_s s) up to which F_R counts as linear in e, 1: the relative error is half of it.
pub const MAX_STUCK_SLIP: f64 = 0.01;
/// Length of a stretch, in time constants of stick, from which on the transient counts as an impulse at its start, 1.
pub const MIN_STUCK_LENGTH: f64 = 1.0;
/// Argument of sinh up to which sinh x/x counts as 1, 1: the error x²/6 is below rounding … 2e-13 of a decaying term.
pub const SINH_LIMIT: f64 = 1e-6;

// Closed forms (§10).

/// Distance from the rest position over the deflection that counts as rest, 1: 64 roundings. In short steps a bristle would approach
/// its rest for ever; larger values end the motion visibly.
pub const REST_ROUNDING: f64 = 64.0 * f64::EPSILON;
