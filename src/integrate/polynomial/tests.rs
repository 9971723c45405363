//! Values, integrals and changes of sign of polynomials.

use super::*;

/// (s − r₁)(s − r₂)… times a sign.
fn with_roots(roots: &[f64], sign: f64) -> Polynomial {
    roots.iter().fold(Polynomial::constant(sign), |p, root| {
        p * Polynomial([-root, 1.0, 0.0, 0.0, 0.0, 0.0])
    })
}

#[test]
fn successive_changes_of_sign_are_found() {
    // (s − 0.2)(s − 0.5)(s − 0.9)
    let roots = [0.2, 0.5, 0.9];
    let factor = |root: f64| Polynomial([-root, 1.0, 0.0, 0.0, 0.0, 0.0]);
    let polynomial = roots.map(factor).into_iter().reduce(|a, b| a * b).unwrap();
    let mut from = 0.0;
    for root in roots {
        let found = polynomial.first_change_after(from).unwrap();
        assert!((found - root).abs() < 1e-14, "{found}");
        from = found + FLOOR;
    }
    assert_eq!(polynomial.first_change_after(from), None);
}

#[test]
fn the_first_change_of_sign_is_found_between_close_roots() {
    for distance in [0.5, 1e-2, 1e-4, 1e-6] {
        for first in [1e-9, 0.01, 0.123, 0.25, 0.499] {
            for sign in [1.0, -1.0] {
                let roots = [first, first + distance, -0.5, 1.7];
                let found = with_roots(&roots, sign).first_change();
                let found = found.unwrap_or_else(|| panic!("none for {first}, {distance}, {sign}"));
                // A root's rounding is that of the coefficients over the slope.
                let off = 1e-15 / distance;
                assert!(
                    (found - first).abs() <= off,
                    "{found} for {first}, {distance}"
                );
            }
        }
    }
}

#[test]
fn root_next_to_the_start_counts_as_one_at_the_start() {
    for (start, slope) in [
        (5e-324, -1.0),
        (1e-310, -1.0),
        (-5e-324, 1e-120),
        (-9e-201, 1.0),
        (1e-150, -1e60),
    ] {
        let p = Polynomial([start, slope, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(p.first_change(), Some(NEGLIGIBLE), "{p:?}");
        assert_eq!((p * -1.0).first_change(), Some(NEGLIGIBLE), "-{p:?}");
        let same_sign = Polynomial([start, -slope, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(same_sign.first_change(), None, "{same_sign:?}");
    }
    let later = Polynomial([1.1e-200, -1.0, 0.0, 0.0, 0.0, 0.0])
        .first_change()
        .expect("a root");
    assert!((later / 1.1e-200 - 1.0).abs() < 1e-14, "{later:e}");
}

#[test]
fn root_among_the_subnormal_numbers_is_the_number_next_to_it() {
    for n in 1..40 {
        let p = Polynomial([f64::from_bits(n), 0.0, -1e300, 0.0, 0.0, 0.0]);
        let found = p.first_change().expect("a root");
        assert!(
            !found.is_normal() && p.at(found) < 0.0 && p.at(found.next_down()) >= 0.0,
            "{n}: {found:e}"
        );
    }
}

/// A step of the iteration that is off shows in these counts and not in the root. Where they fall,
/// or rise for a reason, the new ones are to be written here.
#[test]
fn iterations_for_a_root_stay_as_they_are() {
    let count = |roots: &[f64]| {
        let (p, iterations) = (with_roots(roots, 1.0), core::cell::Cell::new(0));
        let slope = |s: f64| {
            iterations.set(iterations.get() + 1);
            p.derivative_at(s)
        };
        let found = change_of_sign(|s| p.at(s), slope, 0.0, 1.0, is_negative(p.at(0.0))).unwrap();
        assert!((found - roots[0]).abs() < 1e-3, "{found}");
        iterations.get()
    };
    let roots: [&[f64]; 6] = [
        &[0.3],
        &[0.9999],
        &[0.1, 1.5, 2.0],
        &[0.7, -0.1, -0.2, 1.05],
        &[0.2; 3],
        &[0.6, 0.6, 0.6, 0.6, 0.6],
    ];
    assert_eq!(roots.map(count), [3, 3, 12, 11, 58, 24]);
}

#[test]
fn roots_next_to_the_start_are_located_relative_to_their_distance() {
    for root in [1e-9, 1e-17, 9e-21, 3e-40, 1e-100] {
        for others in [&[][..], &[0.3], &[-0.7, 0.6, 1.4]] {
            let roots: Vec<_> = others.iter().copied().chain([root]).collect();
            let found = with_roots(&roots, 1.0)
                .first_change()
                .expect("a change of sign");
            assert!(
                (found / root - 1.0).abs() < 1e-14,
                "{found:e} for {root:e} beside {others:?}"
            );
        }
    }
}

#[test]
fn polynomial_that_falls_from_0_changes_its_sign_at_once() {
    // Coefficients, and the next root of a polynomial that rises instead.
    let cases = [
        ([-2.0, 3.0, 0.0, 0.0, 0.0], Some(2.0 / 3.0)),
        ([0.0, 0.0, -1e-30, 1.0, 0.0], Some(1e-30)),
        ([-1e30, 0.0, 0.0, 0.0, 0.0], None),
    ];
    for (([a, b, c, d, e], root), start) in cases
        .into_iter()
        .flat_map(|case| [0.0, -0.0].map(|start| (case, start)))
    {
        let p = Polynomial([start, a, b, c, d, e]);
        assert!(
            p.first_change()
                .is_some_and(|s| s > 0.0 && s < 1e-100 && s.is_normal()),
            "{p:?}"
        );
        let found = (p * -1.0).first_change();
        let is_right = match (found, root) {
            (Some(found), Some(root)) => (found / root - 1.0_f64).abs() < 1e-14,
            (found, root) => found == root,
        };
        assert!(is_right, "{found:?} for {root:?} of {p:?}");
    }
}

#[test]
fn the_change_lies_beyond_the_root() {
    let p = Polynomial([-2.0, 0.3, 1.5, 0.7, 4.0, 0.0]);
    let root = p.first_change().unwrap();
    assert!(p.at(root) >= 0.0 && p.at(root - 1e-14) < 0.0);
}

#[test]
fn without_a_change_of_sign_none_is_found() {
    assert_eq!(Polynomial::default().first_change(), None);
    assert_eq!(Polynomial::constant(-1.0).first_change(), None);
    assert_eq!(with_roots(&[-0.1, 1.1, 2.0], 1.0).first_change(), None);
    // A polynomial that stays 1e-9 away from 0, with the minimum anywhere.
    for place in [0.1, 0.3, 0.77] {
        let p = with_roots(&[place, place], 1.0) + Polynomial::constant(1e-9);
        assert_eq!(p.first_change(), None);
    }
}

#[test]
fn derivative_is_the_limit_of_differences() {
    // Distinct coefficients of both signs; the central difference of degree 5 has an error of d²
    // times its third derivative.
    let p = Polynomial([0.7, -1.3, 2.1, 0.9, -3.7, 1.9]);
    for s in [0.0, 0.31, 0.77, 1.0] {
        let d = 1e-5;
        let difference = (p.at(s + d) - p.at(s - d)) / (2.0 * d);
        assert!(
            (p.derivative_at(s) - difference).abs() < 1e-8,
            "{difference} at {s}"
        );
    }
}

#[test]
fn a_zero_at_the_start_is_no_change() {
    assert_eq!(
        Polynomial([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).first_change(),
        None
    );
    assert!(
        Polynomial([0.0, -1.0, 0.0, 0.0, 0.0, 0.0])
            .first_change()
            .unwrap()
            < 1e-15
    );
    assert_eq!(
        Polynomial([0.0, -1.0, 2.0, 0.0, 0.0, 0.0])
            .first_change()
            .map(|s| s < 1e-15),
        Some(true)
    );
}

#[test]
fn products_and_integrals_are_those_of_the_functions() {
    let [p, q] = [
        Polynomial([1.0, -2.0, 0.5, 3.0, 0.0, 0.0]),
        Polynomial([0.3, 4.0, 0.0, 0.0, 0.0, 0.0]),
    ];
    for s in [0.0, 0.2, 0.9, 1.0] {
        assert!(((p * q).at(s) - p.at(s) * q.at(s)).abs() < 1e-14);
        let integral = s * (1.0 + s * (-1.0 + s * (0.5 / 3.0 + s * 0.75)));
        assert!((p.integral().at(s) - integral).abs() < 1e-14);
    }
}
