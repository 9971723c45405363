//! Tuning constants of FrDyn2's solvers: value, unit, reason and effect of a change.
//!
//! Tolerances are relative to the static friction force F_s, so that they are errors of F_R/F_s. "tol" is the tolerance of the
//! element. `docs/internals/numerics.md` has the derivations (its section is named as §), the error budget and, in §15, the measured effect of
//! each constant; a test holds that page complete. Coefficients of methods (nodes, weights) are no tuning and stand with their method.

// Range of numbers.

/// Static friction force, N, below which a contact counts as open. Convention: quotients by F_s stay far within the range of
/// `f64`, and no mechanism has such a force. Larger: small contacts open too early; smaller: 1/F_s may overflow.
pub const MIN_STATIC_FORCE: f64 = 1e-100;
/// Lower bound of s = √(1 − |F_0|/F_s) in the Jacobian, 1. ∂Δv/∂F_0 = v_s/(2 F_s s) has no bound at s = 0; 1e-8 is the root of the
/// rounding of s². Larger: the Jacobian next to break-away is less steep than the law, and Newton's iteration of the general
/// integrator slower; up to 1e-3 nothing was measured (§15).
pub const MIN_JACOBIAN_ROOT: f64 = 1e-8;
/// Lower bound of the deflection that errors are measured by, as a share of |ż|/ω, 1. Convention: it matters in an open contact
/// when only z passes through 0. Larger: a free bristle is integrated less accurately; smaller: more inner steps there.
pub const MIN_DEFLECTION_SHARE: f64 = 1e-3;
/// Share of the distance in w to the falling branch plus its width by which v may change in an inner step of the general
/// integrator, 1. w moves with the shift as well, which takes the other half. Larger: a step may pass over the branch without a stage
/// on it (with 8 the test `growing_oscillations_are_not_damped_by_long_steps` fails).
pub const MAX_DV_SHARE: f64 = 0.5;

// Error budget (§14).

/// Tolerance of the Taylor series over tol, 1: half of tol for errors that have not decayed at the end of the step.
/// Measured: four times as much leaves a worst error of 0.5 tol instead of 0.17 and saves 3 % of the inner steps.
pub const SERIES_SHARE: f64 = 0.5;
/// [`SERIES_SHARE`] where the bristle is unstable, 1. With [`ACCEPTED_GROWTH_SHARE`] growth of errors by up to 333 needs no
/// repetition. Measured: 0.5 repeats more steps and costs 18 % more inner steps, a quarter 2 %.
pub const UNSTABLE_SERIES_SHARE: f64 = 3e-4;
/// Tolerance of a step of stick over tol, 1. r integrates its errors as long as the contact sticks, and errors of equal sign add
/// up: 5 s of steps of 0.1 ms stay within 0.1 tol (test `errors_do_not_accumulate_in_stick`). Measured: 0.5 accumulates 0.3 tol in
/// 2 s and saves 6 % of the inner steps.
pub const STICK_SHARE: f64 = 0.003;
/// Tolerance of a step of stick over that of the series where the bristle is unstable, 1: the tolerance of the series is tight already.
/// A quarter costs 1 %, ten times the value saves 2 % of the inner steps.
pub const UNSTABLE_STICK_RATIO: f64 = 0.1;
/// Tolerance of an inner step of the general integrator over tol, 1, where inputs move and where the bristle is unstable: its error
/// estimate is too small where a kink lies within a step. Measured: a quarter costs 20 % more inner steps of an unstable bristle;
/// no random step of §15 and no test of the folder but that of the budget depends on it.
pub const GENERAL_SHARE: f64 = 0.05;
/// Tolerance of an inner step of the general integrator over tol, 1, in stick that is too stiff for series. Everything is smooth
/// there and errors of ż decay within a time constant; the estimate of order 3 is above the error. Measured: a quarter of it lowers
/// the worst error by 0.07 tol, four times as much raises it by 0.05.
pub const STIFF_STICK_SHARE: f64 = 2.0;
/// Tightest tolerance of the series, 1: rounding of 15 terms of the order of 1 is some 1e-15, and it must stay small beside the
/// tolerance. Smaller: orders and steps follow rounding; larger: tolerances below it have no effect.
pub const MIN_SERIES_TOLERANCE: f64 = 1e-13;
/// Tightest tolerance of a step of stick over [`MIN_SERIES_TOLERANCE`], 1: terms of stick are small beside 1. Smaller: steps follow
/// rounding; larger: errors add up in stick at the tightest tolerances.
pub const MIN_STICK_RATIO: f64 = 0.1;
/// Tightest tolerance of the general integrator, 1: rounding of F_R limits Newton's iteration. Smaller: steps fail to converge;
/// larger: the repeated step is less certain.
pub const MIN_GENERAL_TOLERANCE: f64 = 1e-12;

// Unstable bristle: the repeated step (§12).

/// Tolerances of the repeated step over those of the first, 1: the difference of both is 100 times the error of the second. Larger:
/// the estimate of the remaining error is less certain; smaller: 1e-3 costs 28 % more inner steps of an unstable bristle.
pub const REFINEMENT: f64 = 1e-2;
/// [`REFINEMENT`] of the general integrator in stiff stick, 1, whose error is below its estimate. Held inputs, the only unstable
/// ones of §15, do not use it.
pub const STIFF_STICK_REFINEMENT: f64 = 0.1;
/// Share of tol that the series' tolerance times the bound of the growth may reach without a repetition, 1. The rest is a reserve
/// for growth that the trace of the Jacobian does not bound. Measured: 0.01 costs 5 % more inner steps.
pub const ACCEPTED_GROWTH_SHARE: f64 = 0.1;
/// Difference of two solutions over F_s above which they have diverged, 1: it counts as the error itself, without extrapolation.
/// Convention, 1 % of F_s; from 1e-3 to 0.1 nothing changes in random steps.
pub const DIVERGED: f64 = 1e-2;
/// Error of F_R over F_s that is reported where none is known, 1: F_R lies between −F_s and F_s.
pub const MAX_FORCE_ERROR: f64 = 2.0;

// Where each fallback takes over (§16).

/// Inner steps for a whole communication step with held inputs from which on the general integrator takes over, 1: bounds the work
/// of explicit steps. Reached by unstable bristles: 300 costs 49 % more inner steps there, 30 000 saves 24 %, and the slowest step takes
/// ten times as long.
pub const MAX_HELD_STEPS: f64 = 3000.0;
/// [`MAX_HELD_STEPS`] under moving inputs, whose steps by series cost several times as much. No random step of §15 reaches it.
pub const MAX_MOVING_STEPS: f64 = 500.0;
/// Inner steps after which [`MAX_HELD_STEPS`] is first extrapolated from the time that they cover, 1: three segments, because the
/// first steps of a transient are shorter than those after it. 480 costs 2 % of the inner steps of an unstable bristle.
pub const STEPS_BEFORE_EXTRAPOLATION: u32 = 120;
/// Largest c = σ_1 v_s/F_s of steps by series, 1. An error of e counts c/4 times (§1), and its rounding alone is beyond the tolerance of
/// the series; the loss of a nearly open contact, in which the bristle hardly feels the friction, would be wrong (test
/// `loss_of_a_nearly_open_contact_is_resolved`).
pub const MAX_LAG: f64 = 1e8;
/// Least c = σ_1 v_s/F_s of a light contact, 1: F_R changes by at most 4/c of what F_R adds to the motion of the bristle.
pub const MIN_LIGHT_LAG: f64 = 100.0;
/// Least c of a light contact where the general integrator is the alternative, 1.
pub const MIN_LIGHT_LAG_AT_OPENINGS: f64 = 5.0;
/// Share of the largest normal force of a light contact, 1, up to which panels take a part of a segment: its border is known to its rounding.
pub const LIGHT_BORDER: f64 = 0.999;
/// Least share of the largest F_N of a segment next to an opening, 1, down to which series go to meet the panels of a light contact.
pub const MIN_LIGHT_FORCE_SHARE: f64 = 1e-4;
/// Most panels of a light contact, 1: the work that is lost before another method takes over.
pub const MAX_LIGHT_PANELS: u32 = 200;
/// Longest panel of a light contact over 1/ω: the exponential functions in it grow by e to this power.
pub const LONGEST_PANEL: f64 = 2.0;
/// Tolerance of a panel over that of the communication step: errors of several panels add up.
pub const LIGHT_SHARE: f64 = 0.1;
/// Tolerance of the loss over that of the force in a panel.
pub const PANEL_LOSS_SHARE: f64 = 3.0;
/// Most iterations of F_R in a panel of a light contact, 1.
pub const MAX_PANEL_ITERATIONS: u32 = 8;
/// Largest factor between the changes of two iterations, 1: slower ones need a shorter panel.
pub const SLOWEST_CONTRACTION: f64 = 0.8;
/// Error of a panel whose iterations do not converge, over the one that is allowed: a tenth of the length is tried next.
pub const UNCONVERGED: f64 = 1e12;
/// Factor of the estimated error of a panel with a kink inside, 1: the spectrum of F_R shows a part of it.
pub const KINK_ERROR: f64 = 30.0;
/// Change of w within a panel, over the narrower of v_s and v_d − v_s, below which the border of a zone is no kink: the slope of F_R is
/// continuous there, and F_R differs by the square.
pub const SIGNIFICANT_KINK: f64 = 1e-4;
/// Length of the step that crosses a kink over the communication step, 1: its error does not count.
pub const CROSSING: f64 = 1e-9;
/// Precision of a kink over the length of the step that crosses it, 1.
pub const KINK_PRECISION: f64 = 0.1;
/// Part of the way to the border of a zone by which a panel passes it, 1: F_R has no jump there.
pub const BEYOND_KINK: f64 = 1e-6;
/// Least |F_0|/F_s, 1, of a panel from the limit of the shift whose nodes are dense at its start.
pub const NEAR_LIMIT: f64 = 0.7;
/// Most attempts to end a panel at its kink, 1: each one knows the place better.
pub const KINK_ATTEMPTS: u32 = 4;
/// Share of F_s by which F_0 changes at least within 1/ω where it passes through ±F_s under held inputs, over 1: below it the contact
/// stays there, and series are cheaper.
pub const LINGERING: f64 = 0.025;
/// [`LINGERING`] beyond [`MAX_LAG`], where the general integrator is the alternative.
pub const RESTING: f64 = 100.0;
/// Time over 1/ω after which the free motion of a bristle has decayed, e^(−40), under held inputs: series take over.
pub const SETTLING_TIME: f64 = 40.0;
/// Reserve of the length of the next panel, 1.
pub const PANEL_MARGIN: f64 = 0.9;
/// Power of the length with which the estimated error of a panel is assumed to rise, 1.
pub const PANEL_ORDER: f64 = 8.0;
/// Smallest factor between the lengths of two panels, 1.
pub const MIN_PANEL_FACTOR: f64 = 0.1;
/// Largest factor between the lengths of two panels, 1.
pub const MAX_PANEL_FACTOR: f64 = 5.0;
/// Smallest error of a panel for the length of the next one, over the one that is allowed.
pub const MIN_PANEL_ERROR: f64 = 1e-8;
/// Inner steps of a communication step from which on the general integrator does the rest, where the contact moves in and out of
/// stiff stick, 1: bounds the number of changes of method. No random step of §15 reaches it.
pub const MAX_STIFF_STICK_STEPS: u32 = 2000;
/// F_N over its maximum in the step from which on series follow a contact that opens or closes, 1. Their steps are a share of the
/// time to F_N = 0, so that each decade of F_N costs a fixed number (§11). Measured: 1e-3 costs 42 %, 0.1 costs 4 % more inner
/// steps of a closing contact.
pub const MIN_NORMAL_FORCE_SHARE: f64 = 1e-2;
/// Inner steps of a segment, 1: after each segment its caller extrapolates the work and tries the closed forms. Measured: 160
/// costs 59 % more inner steps with moving v, 10 saves 10 % of them; each segment has a cost of its own.
pub const MAX_SEGMENT_STEPS: u32 = 40;
/// Length of stick under moving inputs, in time constants of its transient, up to which series follow it, 1. They are explicit and
/// take a step for every four or five, some 30 in all (§9). Measured: 30 costs 30 % more inner steps, by the general integrator,
/// 480 saves 4 %.
pub const MAX_STICK_TIME_CONSTANTS: f64 = 120.0;

/// [`MAX_STICK_TIME_CONSTANTS`] of a body on the bristle, 1: smaller, because such a step costs more, and the general integrator has one
/// more state only. Not measured.
pub const MAX_BODY_STICK_TIME_CONSTANTS: f64 = 40.0;
/// Largest c = σ_1 v_s/F_s of the series of a body on the bristle, 1: friction moves neither body nor bristle visibly beyond it.
pub const MAX_BODY_LAG: f64 = 1e3;
/// Least speed that the loss of a body on the bristle is measured by, over the error of v that counts as 1, 1. Convention: a body that
/// starts from rest has no speed yet. Smaller: its first steps are shorter; larger: the loss of a slower body is less accurate.
pub const MIN_SPEED_SHARE: f64 = 1e-3;
/// Inner steps by series of a body on the bristle in an interval, 1: bounds the work of explicit steps where it sticks and slips in turns.
pub const MAX_BODY_STEPS: u32 = 30;

// Taylor series (§3, §5).

/// Highest order of the Taylor series, 1. Convention: the orders of `TaylorStep::compute_all` and the roots of
/// `TaylorStep::converging_length` are written out for it, and change with it.
pub const MAX_ORDER: usize = 15;
/// Order from which on the recurrence of moving inputs is a loop, 1. Larger: its code does not fit into a processor's first cache, and a step
/// waits for it; smaller: more products with zeros. Not measured. Convention: the orders below it are written out in `TaylorStep::compute_all`,
/// and change with it.
pub const FIRST_LOOPED_ORDER: usize = 8;
/// Share of the step's tolerance below which each of two successive terms must lie to end the series, 1. The remainder of terms
/// that fall by half is as large as the last one; two terms bound it also where terms alternate. Measured: 1.2 saves 1 % of the
/// inner steps, and errors stay below 0.2 tol.
pub const NEGLIGIBLE_TERM_SHARE: f64 = 0.3;
/// Share of a step's loss that a term of the power may have, over the share of F_s that the last terms of r and e may have, 1: the
/// loss is held to ten times tol (`Law::advance`). Larger: the loss of a velocity to which the bristle hardly reacts is wrong (test
/// `series_of_frdyn2_resolve_the_power_of_a_velocity_that_the_force_hardly_depends_on`).
pub const POWER_TERM_SHARE: f64 = 10.0;
/// Largest weight of a term of e in a short step, 1: infinite ones would make 0 no number. Smaller: the loss of short steps is wrong (test
/// `loss_of_short_steps_is_within_ten_tolerances`).
pub const MAX_WEIGHT: f64 = 1e12;
/// Share of the tolerance that the last term is to have when a step is shortened, 1. With rough roots it has 0.22 at worst: 4 % in the
/// length are 80 % in a term of order 15. Measured: 0.48 leaves worst errors of 0.5 tol and saves 5 % of the inner steps, 1.9
/// exceeds tol.
pub const STEP_AIM_SHARE: f64 = 0.12;
/// Weight of the term before the last when a step is shortened, 1: the last may vanish by chance where terms alternate (§5).
/// Measured: 0 leaves worst errors of 0.3 tol and saves 1 %, 1 costs 3 % more inner steps.
pub const PENULTIMATE_WEIGHT: f64 = 0.3;
/// s = √(1 − |r|) below which a step goes in the regularised time τ, 1. There steps in t and in τ are of equal length (figure of
/// §4). Measured: 0.2 costs 2 % more inner steps, 0.5 saves 3 %, each at twice the cost.
pub const REGULARISED_TIME_BELOW: f64 = 0.3;
/// s at which a step in t ends, 1: half of [`REGULARISED_TIME_BELOW`], so that no step in t begins at its own end. Measured: 0.05
/// leaves worst errors of 0.6 tol.
pub const MIN_ROOT_IN_TIME: f64 = 0.15;
/// Length of a step in τ that leads to s = 0 over that of first order, 1: the zone exit ends it at s = 0 itself. Below 1 a step
/// ends short of the corner and needs another; from 1.01 to 2 nothing changes in random steps.
pub const CORNER_OVERSHOOT: f64 = 1.2;
/// Error of the end of a step in τ that ends at a given time, over the time, 1: some bits of rounding.
pub const TIME_PRECISION: f64 = 1e-15;
/// Limit of iterations of a bracketed search, 1: halving alone exhausts the 53 bits of a number within it.
pub const MAX_ROOT_ITERATIONS: usize = 60;

// Exit from a zone (§6).

/// Parts of a step at whose ends the distance to the borders is sampled, 1: quarters show the curvature of a cubic (§6). Fewer:
/// passages are missed (with 2 the test `random_cubics_stay_within_the_window_up_to_the_exit` fails); more: each step next to a
/// border costs more.
pub const EXIT_PARTS: usize = 4;
/// Finer parts of a part in which a border may lie, 1; even, because they are evaluated in two groups. Fewer: passages are missed
/// (with 2 the test `random_cubics_stay_within_the_window_up_to_the_exit` fails); more: each step next to a border costs more.
pub const EXIT_FINE_PARTS: usize = 8;
/// Distance in s, and in |r| from outside, within which the corner s = 0 counts as met, 1. An error of s of 1e-9 is one of 1e-18 in
/// r. Smaller: more iterations; larger: 1e-5 increases the errors of an unstable bristle.
pub const CORNER_WINDOW: f64 = 1e-9;
/// Distance in |r| within which the corner counts as met, 1: rounding of the sum of r and its changes. Smaller: steps of 1e-20 s go to a corner
/// that the sum does not reach, up to [`MAX_SEGMENT_STEPS`] of them; larger: it is an error of r.
pub const CORNER_ROUNDING: f64 = 4.0 * f64::EPSILON;
/// Distance by which every other border may be passed, over the root of the step's tolerance, 1. f is C¹ there: a passage by δ costs
/// δ², 1e-4 of the tolerance, or 3 (1 − μ_d/μ_s) (v_s/(v_d − v_s))² times as much on a narrow falling branch. Measured: 1 accumulates
/// 0.3 tol in 2 s of stick, 0.1 has no effect.
pub const BORDER_WINDOW_SHARE: f64 = 1e-2;

// Tail of stick (§8).

/// Length of a tail, in time constants of stick, from which on it is tried, 1. e falls to 3e-4 of its start. Measured: with 2 the
/// error of its end adds up to 5 tol in 2 s of stick; 32 costs 1 % more inner steps.
pub const MIN_TAIL_LENGTH: f64 = 8.0;
/// Relative change of the decay rate up to which the tail's expansion of first order is used, 1: its square is the order left out.
/// From 0.025 to 0.4 nothing changes in random steps: the tolerance of stick is met earlier.
pub const MAX_TAIL_BENDING: f64 = 0.1;
/// Error of the loss of a transient or a tail over F_s |v| of its duration, over the tolerance of stick, 1: the share of tol that the loss has
/// beyond that of r. Smaller: short steps of stick need more inner steps; larger: their loss is wrong (test
/// `loss_of_short_steps_is_within_ten_tolerances`).
pub const STICK_LOSS_RATIO: f64 = 300.0;
/// Factor of the change of r by e that a tail keeps clear of r = 0 and |r| = 1, 1: the change itself is known to first order. From
/// 1 to 8 nothing changes in random steps.
pub const TAIL_CLEARANCE: f64 = 2.0;

// Transient of stick (§7).

/// s at the end of a transient over s at its start, 1, down to which collocation is tried: beyond, s(θ) is no polynomial of degree
/// 8 within the tolerance, and the attempt fails. Measured: 0.8 costs 1 % more inner steps, 0.25 none.
pub const MIN_TRANSIENT_ROOT_RATIO: f64 = 0.5;
/// Limit of fixed-point iterations, 1. The contraction is a few percent: a transient that needs more is left to the series.
/// Measured: 3 costs 1 % more inner steps, 12 changes nothing.
pub const MAX_FIXED_POINT_ITERATIONS: usize = 6;
/// Contraction assumed for the first iteration, of which none is measured, 1: an upper bound where the transient is tried at all.
/// From 0.1 to 0.9 nothing changes in random steps.
pub const FIRST_CONTRACTION: f64 = 0.5;
/// Lower bound of the remainder of the iteration over its last change, 1: a contraction measured once may be small by chance. From
/// 0 to 0.5 nothing changes in random steps.
pub const MIN_REMAINDER: f64 = 0.05;
/// Share of the tolerance that the remainder of the iteration may take, 1; the rest is the quadrature's. From 0.01 to 1 no error of
/// random steps changes.
pub const FIXED_POINT_SHARE: f64 = 0.1;
/// Safety factor of the estimated quadrature error, 1: the Legendre spectrum may mislead by some of it (with 1 the test
/// `errors_of_a_transient_stay_below_its_tolerance` fails). Measured: 1 saves and 100 costs 1 % of the inner steps.
pub const QUADRATURE_SAFETY: f64 = 10.0;
/// Distance from r = 0 over the range of r that the nodes keep where r turns, 1: between two nodes r dips by less. From 0 to 0.4
/// nothing changes in random steps.
pub const TURN_CLEARANCE: f64 = 0.1;

// Slow motion of stick under moving inputs (§9).

/// Length in time constants of stick from which on a step follows the slow motion of stick, 1: a series takes a step for every four or
/// five. Smaller: the asymptotic series does not converge, and attempts fail: 12 costs 7 % more instructions in micro-motion by ramps; larger:
/// more steps by series.
pub const MIN_SLOW_LENGTH: f64 = 32.0;
/// Steps by series at the start of stick, in which its transient decays, before the general integrator follows stick that is too stiff
/// for series.
pub const MAX_TRANSIENT_STEPS: u32 = 8;
/// Lengths that are tried, each at most [`SLOW_RETRY`] of the one before, 1: the slow motion under a normal force that moves by half of itself takes a 64th of
/// a step at the tolerance of an unstable bristle.
pub const SLOW_ATTEMPTS: usize = 7;
/// Most steps by series between two attempts that fail, 1. Smaller: failed attempts cost as much as the series; larger: series follow a motion that
/// has become slow.
pub const MAX_SLOW_PAUSE: u32 = 3;
/// Share of the way to a border of the zone that is tried next, 1: the border lies between two nodes.
pub const SLOW_RETRY: f64 = 0.95;
/// Smallest share of a length that is tried next, 1.
pub const MIN_SLOW_RETRY: f64 = 0.1;
/// First length that is tried over that of the step before, 1, unless a longer one failed there.
pub const SLOW_GROWTH: f64 = 4.0;
/// |F_0| over F_s up to which the slow motion of stick is followed, 1: s = 0.14 there, and beyond λ changes too fast.
pub const MAX_SLOW_FORCE: f64 = 0.98;
/// Largest ratio of successive changes in the iteration of the slow motion, 1: the changes are terms of an asymptotic series.
pub const MAX_SLOW_CONTRACTION: f64 = 0.5;
/// Share of the tolerance for the remainder of that iteration, and for each part of the transient that is left out, 1.
pub const SLOW_SHARE: f64 = 0.1;

// A stuck body (§13).

/// |F_0| over F_s up to which the closed form of a stuck body is used, 1: s = 0.14 there, and beyond λ changes too fast. Larger:
/// the estimate of the terms left out fails next to break-away.
pub const MAX_STUCK_FORCE: f64 = 0.98;
/// Error of the closed form over the sum of the relative terms left out, 1. They rarely add up: measured up to 0.18. Smaller:
/// errors exceed the tolerance (with 0.12 the test `the_closed_form_of_a_stuck_body_agrees_with_the_integrator` of
/// `coupling/body` fails; now its worst error is 0.97 of the tolerance); larger: the closed form is used less often.
pub const STUCK_ERROR_SHARE: f64 = 0.2;
/// |e|/(v_s s) up to which F_R counts as linear in e, 1: the relative error is half of it. Larger: the closed form is used more
/// often and its error estimate lacks a term.
pub const MAX_STUCK_SLIP: f64 = 0.01;
/// Length of an interval, in time constants of stick, from which on the transient counts as an impulse at its start, 1. Shorter
/// intervals end within the transient.
pub const MIN_STUCK_LENGTH: f64 = 1.0;
/// Argument of sinh up to which sinh x/x counts as 1, 1: the error x²/6 is below 2e-13. Larger: the error grows with its square; 0
/// divides by 0.
pub const SINH_LIMIT: f64 = 1e-6;

// Closed forms (§10).

/// Largest term of the forced motion of full sliding over the deflection, 1: the terms of a normal force that moves much within 1/ω
/// cancel, and their sum has their rounding. Larger: errors next to the tightest tolerance; smaller: impacts of some microseconds are
/// followed by series.
pub const MAX_FORCED_TERM: f64 = 1e3;
/// Normal force below 0 over the largest of the step that counts as the rounding of an opening, 1.
pub const OPENING_ROUNDING: f64 = 1e-12;

/// Distance from the rest position over the deflection that counts as rest, 1: 64 roundings. Smaller: in short steps a bristle
/// approaches its rest without reaching it; larger: the end of the motion is a visible jump.
pub const REST_ROUNDING: f64 = 64.0 * f64::EPSILON;
