//! Adaptive quadrature of some functions on the same nodes, by the pair of Lobatto (4 points) and
//! Kronrod (7 points).
//!
//! Lobatto's rule is exact for degree 5, its extension by Kronrod for degree 9. The second is the
//! result. Their difference estimates the error of the first, and is far above that of the second
//! where the functions are smooth. A panel whose difference is too large is halved, and both halves
//! are accepted where they add up to the whole. Both rules have the ends of a panel as nodes, which
//! detects a kink near an end.
//!
//! A kink at one of a few places in a panel makes no difference between the rules, or none between
//! the halves and the whole. Two conditions exclude these places: an odd difference of the same
//! values must be small too, and the differences of the halves must have fallen as those of a
//! smooth function do. Source: W. Gander, W. Gautschi, *Adaptive quadrature – revisited*, BIT 40
//! (2000), 84–101.

use core::array;

/// The inner nodes, as distances from the middle of a panel over its length: √(2/3)/2 and 1/√20.
const NODES: [f64; 2] = [0.408_248_290_463_863_1, 0.223_606_797_749_979];
/// The weights of Kronrod's rule: of the ends, of each pair of [`NODES`], of the middle.
const KRONROD: [f64; 4] = [
    77.0 / 2940.0,
    432.0 / 2940.0,
    625.0 / 2940.0,
    672.0 / 2940.0,
];
/// The weights of Lobatto's rule: of the ends and of the second pair.
const LOBATTO: [f64; 2] = [1.0 / 12.0, 5.0 / 12.0];
/// The weights of the odd difference, of the ends and of each pair of [`NODES`]: 1.4/√5, −2.4 √0.3
/// and 1, over 60. It vanishes for polynomials of degree 4. At a kink its mean is a tenth of that
/// of the rules' difference, and the error of the panel at most six times the larger of both; for
/// smooth functions it is small: that of t⁵ from −1 to 1 is a fifth of the rules' difference for
/// t⁶.
const ODD: [f64; 3] = [
    0.010_434_983_894_999_9,
    -0.021_908_902_300_206_6,
    1.0 / 60.0,
];
/// Largest sum of the differences of both halves over that of the whole where both are accepted:
/// 1/32 or less for a smooth function, above 1/8 for a kink at which the halves add up to the
/// whole.
const LARGEST_OF_HALVES: f64 = 1.0 / 16.0;

/// Largest number of halvings of a panel: a jump in a panel of the length 2⁻⁴⁰ changes the integral
/// by less than 1e-12 of it. A larger number costs more panels at a jump.
const MAX_LEVEL: usize = 40;
/// Limit of panels at a tolerance of 1e-6, after which every panel is accepted: it bounds the time,
/// at some 10 ns for each function value.
const MAX_PANELS: u32 = 200;
/// Lower bound on the share of the error that a panel may have at a tolerance of 1e-6: few panels
/// are shorter than this share of the interval.
const MIN_ERROR_SHARE: f64 = 1.0 / 64.0;

/// Limit of panels at a tolerance: proportional to its fourth root, five times as many at 1.6e-9 as
/// at 1e-6, and at most 32 times.
pub fn max_panels(tolerance: f64) -> u32 {
    (f64::from(MAX_PANELS) * (1e-6 / tolerance).sqrt().sqrt().clamp(1.0, 32.0)) as u32
}

/// Lower bound on the share of the error that a panel may have at a tolerance: inversely
/// proportional to the limit of panels, so that the errors of all panels add up to three times the
/// error at any tolerance.
pub fn min_error_share(tolerance: f64) -> f64 {
    MIN_ERROR_SHARE * f64::from(MAX_PANELS) / f64::from(max_panels(tolerance))
}

/// Errors that integrals may have.
pub struct Allowed<E> {
    /// Error of each component over the length `whole`.
    pub errors: E,
    /// Length over which the errors of panels add up to `errors`.
    pub whole: f64,
    /// Least share of `errors` that a panel may have.
    pub min_share: f64,
}

/// Integrals of the components of `f` from `from` to `to`, where its values are `ends`.
///
/// The error of a panel is estimated and held to that allowed. `panels` is the number of panels
/// left until every panel is accepted.
pub fn integrate<const K: usize>(
    from: f64,
    to: f64,
    ends: [[f64; K]; 2],
    allowed: Allowed<impl Fn() -> [f64; K]>,
    panels: &mut u32,
    mut f: impl FnMut(f64) -> [f64; K],
) -> [f64; K] {
    let fits = |differences: [f64; K], h: f64| {
        let errors = (allowed.errors)();
        let share = (h.abs() / allowed.whole).max(allowed.min_share);
        (0..K).all(|i| differences[i].abs() <= errors[i] * share)
    };
    let first = Panel::new(from, to, ends, &mut f);
    *panels = panels.saturating_sub(1);
    if fits(first.difference, to - from) || *panels == 0 {
        return first.integral;
    }
    halve(&first, MAX_LEVEL, &fits, panels, &mut f)
}

/// Integrals over a panel whose error is too large, which may be halved `levels` times. Where the
/// integrals over both halves add up to that over the whole, both are accepted: the error of the
/// whole is small, and that of the halves far smaller.
fn halve<F: FnMut(f64) -> [f64; K], const K: usize>(
    whole: &Panel<K>,
    levels: usize,
    fits: &impl Fn([f64; K], f64) -> bool,
    panels: &mut u32,
    f: &mut F,
) -> [f64; K] {
    let [left, right] = whole.halves(f);
    *panels = panels.saturating_sub(2);
    let both = sum(left.integral, right.integral);
    let errors = array::from_fn(|i| {
        let of_halves = left.difference[i].abs() + right.difference[i].abs();
        let has_fallen = of_halves <= LARGEST_OF_HALVES * whole.difference[i].abs();
        (both[i] - whole.integral[i])
            .abs()
            .max(if has_fallen { 0.0 } else { of_halves })
    });
    if fits(errors, whole.length()) {
        return both;
    }
    let [left, right] = [left, right].map(|half| {
        let accepted = levels == 1 || *panels == 0 || fits(half.difference, half.length());
        if accepted {
            half.integral
        } else {
            halve(&half, levels - 1, fits, panels, f)
        }
    });
    sum(left, right)
}

/// Integrals over a panel by Kronrod's rule.
#[derive(Clone, Copy)]
struct Panel<const K: usize> {
    from: f64,
    to: f64,
    /// Values at both ends.
    ends: [[f64; K]; 2],
    /// Values in the middle.
    centre: [f64; K],
    integral: [f64; K],
    /// Differences from the integrals by Lobatto's rule, or the odd differences where these are
    /// larger.
    difference: [f64; K],
}

impl<const K: usize> Panel<K> {
    /// Integrals over an interval, with the values at its ends. Not inlined, as each copy holds
    /// copies of `f`.
    #[inline(never)]
    fn new(from: f64, to: f64, ends: [[f64; K]; 2], f: &mut impl FnMut(f64) -> [f64; K]) -> Self {
        let h = to - from;
        let middle = from + 0.5 * h;
        let (centre, at_ends) = (f(middle), sum(ends[0], ends[1]));
        let at_pairs = NODES.map(|distance| [f(middle - distance * h), f(middle + distance * h)]);
        let pairs = at_pairs.map(|[before, after]| sum(before, after));
        let kronrod = |i: usize| {
            KRONROD[0] * at_ends[i]
                + KRONROD[1] * pairs[0][i]
                + KRONROD[2] * pairs[1][i]
                + KRONROD[3] * centre[i]
        };
        let lobatto = |i: usize| LOBATTO[0] * at_ends[i] + LOBATTO[1] * pairs[1][i];
        let integrals: [f64; K] = array::from_fn(kronrod);
        let odd = |i: usize| {
            let [outer, inner] = at_pairs.map(|[before, after]| after[i] - before[i]);
            ODD[0] * (ends[1][i] - ends[0][i]) + ODD[1] * outer + ODD[2] * inner
        };
        let difference =
            array::from_fn(|i| (integrals[i] - lobatto(i)).abs().max(odd(i).abs()) * h);
        Panel {
            from,
            to,
            ends,
            centre,
            integral: integrals.map(|integral| integral * h),
            difference,
        }
    }

    fn length(&self) -> f64 {
        self.to - self.from
    }

    fn halves(&self, f: &mut impl FnMut(f64) -> [f64; K]) -> [Self; 2] {
        let (Panel { from, to, .. }, [start, end]) = (*self, self.ends);
        let middle = from + 0.5 * (to - from);
        [
            Panel::new(from, middle, [start, self.centre], f),
            Panel::new(middle, to, [self.centre, end], f),
        ]
    }
}

#[inline]
fn sum<const K: usize>(a: [f64; K], b: [f64; K]) -> [f64; K] {
    array::from_fn(|i| a[i] + b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrals from 0 to 1 with these errors.
    fn integrate_unit(
        error: f64,
        panels: &mut u32,
        mut f: impl FnMut(f64) -> [f64; 2],
    ) -> [f64; 2] {
        let ends = [f(0.0), f(1.0)];
        let allowed = Allowed {
            errors: || [error; 2],
            whole: 1.0,
            min_share: MIN_ERROR_SHARE,
        };
        integrate(0.0, 1.0, ends, allowed, panels, f)
    }

    #[test]
    fn polynomials_of_degree_9_are_integrated_exactly() {
        let power = |t: f64, n: i32| (0..n).fold(1.0, |p, _| p * t);
        for n in 0..=9 {
            let mut panels = MAX_PANELS;
            let [found, twice] =
                integrate_unit(1.0, &mut panels, |t| [power(t, n), 2.0 * power(t, n)]);
            let expected = 1.0 / f64::from(n + 1);
            assert!(
                (found - expected).abs() < 1e-15 && (twice - 2.0 * expected).abs() < 1e-15,
                "{n}: {found}"
            );
            assert_eq!(panels, MAX_PANELS - 1);
        }
    }

    #[test]
    fn kinks_are_integrated_within_their_error() {
        for place in [0.1, 0.333, 0.5001, 0.9] {
            let mut panels = MAX_PANELS;
            let f = |t: f64| {
                [
                    (t - place).abs(),
                    if t > place { 3.0 * (t - place) } else { 0.0 },
                ]
            };
            let [kink, ramp] = integrate_unit(1e-6, &mut panels, f);
            assert!((kink - 0.5 * (place * place + (1.0 - place) * (1.0 - place))).abs() < 1e-6);
            assert!((ramp - 1.5 * (1.0 - place) * (1.0 - place)).abs() < 1e-6);
            assert!(panels > MAX_PANELS - 40, "{panels} left");
        }
    }

    /// The rules agree at four of these places of the kink, and the halves with the whole at ten.
    #[test]
    fn no_place_of_a_kink_escapes_the_tolerance() {
        let mut most = [0.0; 2];
        for k in 0..=100_000 {
            let (place, mut panels) = (f64::from(k) / 100_000.0, MAX_PANELS);
            let [kink, corner] = integrate_unit(1e-5, &mut panels, |t| {
                [(t - place).abs(), (t - place).max(0.0)]
            });
            let right = 0.5 * (1.0 - place) * (1.0 - place);
            for (error, integral) in [(kink - right - 0.5 * place * place), (corner - right)]
                .into_iter()
                .enumerate()
            {
                most[error] = f64::max(most[error], integral.abs());
            }
        }
        assert!(most[0] < 1e-5 && most[1] < 1e-5, "{most:?}");
    }

    #[test]
    fn panels_are_halved_where_the_function_needs_it_and_no_further() {
        let values = |f: fn(f64) -> f64, from: f64, to: f64, whole: f64, error: f64| {
            let (mut panels, mut count) = (MAX_PANELS, 0);
            let ends = [from, to].map(|t| [f(t), 0.0]);
            let f = |t| {
                count += 1;
                [f(t), 0.0]
            };
            let allowed = Allowed {
                errors: || [error; 2],
                whole,
                min_share: MIN_ERROR_SHARE,
            };
            let [integral, _] = integrate(from, to, ends, allowed, &mut panels, f);
            assert_eq!(count, 5 * (MAX_PANELS - panels));
            (integral, MAX_PANELS - panels)
        };
        let kink = |t: f64| (t - 1.0 / 3.0).abs();
        let (integral, panels) = values(kink, 0.0, 1.0, 1.0, 1e-6);
        let (backward, of_backward) = values(kink, 1.0, 0.0, 1.0, 1e-6);
        assert!((integral - 5.0 / 18.0).abs() < 1e-6 && (integral + backward).abs() < 1e-15);
        // A smaller error, the same as a part of a longer whole, and with the bound on the share of
        // a panel.
        let smaller = [(1.0, 1e-8), (20.0, 2e-7), (1e6, 1e-6)]
            .map(|(whole, error)| values(kink, 0.0, 1.0, whole, error).1);
        let (exponential, of_exponential) = values(libm::exp, -3.0, 5.0, 8.0, 1e-6);
        assert!((exponential - libm::exp(5.0) + libm::exp(-3.0)).abs() < 1e-6);
        assert_eq!(
            (panels, of_backward, smaller, of_exponential),
            (21, 21, [27, 23, 21], 11)
        );
    }

    #[test]
    fn limit_of_panels_follows_the_fourth_root_of_the_tolerance() {
        assert_eq!(
            [1e-3, 1e-6, 6.25e-8, 1e-10, 1e-20].map(max_panels),
            [200, 200, 400, 2000, 6400]
        );
    }

    #[test]
    fn the_number_of_panels_is_limited() {
        let (mut panels, mut count) = (MAX_PANELS, 0);
        integrate_unit(0.0, &mut panels, |t| {
            count += 1;
            [libm::sin(1e6 * t), libm::exp(t)]
        });
        // Both ends, and five values of all panels, of which the last two come together.
        assert_eq!((panels, count), (0, 2 + 5 * (MAX_PANELS + 1)));
    }
}
