"""Thresholds of identification: every number at which a record, a search or a value is judged, with its reason.

A number without a derivation is a choice that holds on the synthetic records of `bristle.study`: `python -m bristle.study` measures how
many intervals cover the truth and how many undetermined values are named. A changed threshold needs that run again.
"""

from __future__ import annotations

# Statistics.
#: Coverage of intervals. Convention.
LEVEL = 0.95
#: Standard deviations of noise from which on a deviation is not noise: Huber's loss grows linearly there, and a window removes too much.
OUTLYING = 3.0
#: Rise of the cost, in units of the noise's variance and with τ, that shows: the square of three standard deviations, rounded up.
RISE = 10.0
#: Share that counts as none: of a residual above the least, of one sample in what is
#: known of a parameter, of the time in a direction, of sign changes in a force without noise, of the cosine of a force that drives.
NEGLIGIBLE = 0.05
#: Share that counts as large: of a residual that follows the motion, of a spike in its signal, of the force that a baseline leaves.
LARGE = 0.3

# Records.
#: Fewest samples of a record. Convention: about ten for each parameter.
LEAST_SAMPLES = 50
#: Fewest samples of a part between gaps: as many as the bins of a misfit.
LEAST_PART = 20
#: Fewest encoder steps that a motion has to pass: below, the velocity is that of the steps.
LEAST_ENCODER_STEPS = 20
#: Largest deviation of a sampling interval from their median, for signals that are filtered at an even rate.
JITTER = 0.02
#: Sampling interval, relative to the median, from which on samples are lost: between one sample and the next but one. And that from which
#: on a record is split where the state is lost: a shorter gap is simulated.
GAP, LONG_GAP = 1.5, 20.0
#: Change of the deflection in a gap, relative to x_p, that the velocity between the samples leaves open and that loses the state.
LOST = 0.1
#: Travel, in units of x_p, behind which the state before no longer counts: exp(−6) of it is left.
FORGOTTEN = 6.0
#: Largest coefficient of friction: the bound of the elements' mu_s and mu_d.
LARGEST_MU = 10.0
#: Samples above which the search trains on a part of the record, samples of a rest of which one is kept, and speed relative to the largest
#: that is a rest: nothing moves there, and one sample has what the others repeat.
TRAINED, REST, RESTING = 120_000, 50, 1e-9
#: Durations of a record that are no mistake of a unit, s: from a fast reversal to a year.
SHORTEST, LONGEST = 1e-4, 3e7
#: Samples above which the search begins with a part of the record, and the pieces of that part: they bound its time.
MANY, PIECES = 8000, 12
#: Samples that an axis of unknown mass loses at its start, where its filters have no past, and its usual corner, Hz, and decimation:
#: for positioning axes sampled at 1 kHz, as the published record of EMPS.
SETTLING, CUTOFF, DECIMATION = 49, 100.0, 10

# Filters.
#: Length of the Savitzky–Golay window that makes a velocity of encoder positions, s: best up to steps of x_p/5.
WINDOW = 0.011
#: Order of its polynomial: the lowest that follows a curved velocity.
ORDER = 2
#: Windows for a noisy signal, samples, in steps of about √2; the first is the smallest of any.
WINDOWS = (5, 7, 9, 13, 19, 27, 39, 57, 81)

# Inspection.
#: Distance from the median of five neighbours that makes a spike, in units of their usual distance.
SPIKE = 12.0
#: Equal values in a row at the signal's end that make a flat top; a record needs twice as many.
FLAT = 3
#: Share of successive samples in one step of a converter from which on the steps are coarser than the noise: 0.28 at equal sizes.
REPEATED = 0.3
#: Noise of v relative to its size from which on it is smoothed.
NOISE = 1e-4
#: Growth of the baseline's residual without a correction from which on the correction is named.
NAMED = 1.03
#: The same for a delay, which the bristle hides: a fit decides.
NAMED_DELAY = 1.002
#: Residual relative to that with directions up to which an offset is taken for them: in sliding the two are nearly one.
OFFSET_FIRST = 1.02
#: Coefficients of friction below and above which a wrong unit is likelier, and speed, m/s: bearings reach 0.01, rubber 3, brakes 100 m/s.
LEAST_MU, UNUSUAL_MU, UNUSUAL_SPEED = 0.01, 3.0, 100.0
#: Ratio of what a friction force's shape leaves of F over v to what it leaves of v over F from which on the columns are exchanged.
SWAPPED = 2.0
#: Samples of a record that the fits of `inspect` take: they bound its time.
INSPECTED = 20_000
#: Laws of which `inspect` takes the first that explains a record without corrections, the quickest first, and those that it tries with them:
#: a correction is named where no law explains the record without it.
QUICK, QUICK_AGAIN = (
    ("BrownMcPhee", "LuGre", "StaticRegularized", "FrDyn2Linear"),
    ("BrownMcPhee", "LuGre", "FrDyn2Linear"),
)

# Search.
#: Starts that a search follows, iterations from each, and from the best two of them.
STARTS, FIRST, LAST = 6, 7, 30
#: Cost relative to the least up to which a second start is followed to its end.
SECOND_START = 1.5
#: Iteration after which a start is given up, and cost relative to the least from which on it is.
TRIAL, HOPELESS_START = 2, 4.0
#: Iterations of a fit with one correction more or less, and of one with a coordinate doubled or halved: each begins close to its end.
AGAIN, REFIT = 10, 4
#: Fits with a level that follows a column: the first finds its slope to first order, the others what is left of it.
BY_CAUSE = 4
#: Steps of Gauss and Newton in a replicate, with the derivatives of its start.
REPLICATE_STEPS = 3
#: Largest change of a logarithm in a step: a factor of 4.5.
LARGEST_STEP = 1.5
#: Damping at the start, relative to the diagonal of JᵀJ.
DAMPING = 1e-2
#: Relative decrease of the cost below which a step counts as the last.
CONVERGED = 1e-5
#: Change of a coordinate for differences: truncation and rounding of the simulation are both below 1e-3 of a derivative.
DIFFERENCE = 1e-3
#: Distance of a logarithm from its bound within which it stands there: the step of differences.
AT_BOUND = 1e-3
#: Largest logarithm of the ratio of the levels, and largest delay, ms; its coarse search takes a tenth of that a step.
DIRECTION_MAX, DELAY_MAX = 1.5, 20.0
#: Blocks of a record, and parts of each block of which the last is held out of the first fit.
FIFTHS = 5
#: Tolerance of the element that a fit runs, error of F_R relative to F_s: far below the noise of a measured force.
TOLERANCE = 1e-4
#: Inner steps in a sampling interval, or in each of its milliseconds, that keep the tolerance. Searches pass through parameters whose
#: bristle is unstable; without the limit one of them costs as much as a thousand others.
INNER_STEPS = 8.0
#: Range of mu_s/mu_d − 1 outside of which a level that rises is tried in any case, factor by which the held-out residual has to grow
#: without it, and starts of its fit, by the speed at which it rises.
USUAL, RISES, RISE_STARTS = (0.03, 2.0), 1.01, 4

# Misfit and intervals.
#: Correlation of v with itself a period later that makes a motion periodic.
PERIODIC = 0.9
#: Bins of a signal, for each side, in which the mean residual follows it, and blocks of the record, by turns in two halves: at 8 s as long
#: as 80 ms, beyond the correlation of ordinary sensors.
BINS, BLOCKS = 20, 96
#: Share of the residual's mean square that a cause explains in the other half from which on the law is wrong: 0.07 is the most that
#: honest fits of `bristle.study` leave, with an encoder. Share of the best from which on two causes are not told apart.
FOLLOWED, ALIKE = 0.1, 0.8
#: Range of a further column relative to its size from which on it varies, and correlation with F from which on it measures F itself.
VARIES, COPY = 0.01, 0.9
#: Share of the residual that the measurement of the motion makes alone from which on it hides the law.
HIDDEN = 0.5
#: Residual relative to the white noise of F from which on the law is wrong where a part follows a cause or the residual is large in places
#: only, by the ratio of its sizes; and in any case: coloured noise has up to 7 times its white part.
NOISES, UNEVEN, MOST_NOISES = 3.0, 3.0, 12.0
#: Lags, in units of the correlation time, beyond which correlations of the residuals are not added: Sokal's automatic window.
WINDOW_OF_LAGS = 6.0
#: Largest correction of a logarithm for the bias of an encoder: a factor of 2.
LARGEST_BIAS = 0.7
#: Points between two samples at which the motion is interpolated, to see what a straight line between them costs.
BETWEEN = 4
#: Uncertainty of that correction, relative to it: it is measured on a motion that is smoothed already.
UNCERTAIN_BIAS = 0.5

# Undetermined quantities and judgement of a record.
#: Half-width of an interval, relative to the value, from which on a quantity is not determined.
WIDE = 0.5
#: Standard deviation of a logarithm below which no refit is needed: a factor of 2 lies 23 of them away.
SHARP = 0.03
#: Travel, in units of x_p, below which the bristle follows the whole motion and stands for something else.
FOLLOWS = 4.0
#: Travel, in units of x_p, below which a motion is of pre-sliding alone.
PRESLIDING = 30.0
#: Encoder steps relative to x_p: up to FINE they do not show, from POOR on they bias, beyond 1 they hide the bristle.
FINE, POOR = 1 / 25, 1 / 10
#: Samples that a reversal needs within its first 2 x_p.
REVERSAL_SAMPLES = 5
