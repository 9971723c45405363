//! Place at which a function changes its sign.

/// Place between 0 and `far`, to within `precision` and beyond it, from which on a function has the
/// sign that it has at `far`: the rule of Illinois, and bisection where two iterations did not
/// halve the bracket.
pub fn change_of_sign(
    f: impl Fn(f64) -> f64,
    far: f64,
    at_near: f64,
    at_far: f64,
    precision: f64,
) -> f64 {
    let (mut near, mut far, mut low, mut high) = (0.0, far, at_near, at_far);
    let mut widths = [f64::INFINITY; 2];
    let mut was_far = None;
    while far - near > precision {
        let width = far - near;
        let secant = near - low * width / (high - low);
        let is_slow = width > 0.5 * widths[1];
        let guess = if is_slow || secant.is_nan() {
            near + 0.5 * width
        } else {
            secant
        };
        let guess = guess.clamp(near + 0.4 * precision, far - 0.4 * precision);
        let value = f(guess);
        let is_far = (value > 0.0) == (at_far > 0.0);
        if is_far {
            (far, high) = (guess, value);
        } else {
            (near, low) = (guess, value);
        }
        if was_far == Some(is_far) {
            // The rule of Illinois: half of the value at the end that did not move in two
            // iterations.
            if is_far { low *= 0.5 } else { high *= 0.5 }
        }
        (was_far, widths) = (Some(is_far), [width, widths[0]]);
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn change_of_sign_is_found_to_its_precision_wherever_it_lies() {
        for root in [1e-9, 1e-6, 0.01, 0.3, 0.999_999] {
            for f in [
                |s: f64, root: f64| s - root,
                |s: f64, root: f64| s * s - root * root,
                |s: f64, root: f64| libm::cbrt(root - s),
                |s: f64, root: f64| libm::expm1(20.0 * (s - root)),
            ] {
                let calls = core::cell::Cell::new(0);
                let counted = |s: f64| {
                    calls.set(calls.get() + 1);
                    f(s, root)
                };
                let found = change_of_sign(counted, 1.0, f(0.0, root), f(1.0, root), 1e-10);
                assert!(
                    found >= root * (1.0 - 1e-15) && found - root <= 1e-10,
                    "{root}: {found}"
                );
                assert!(calls.get() < 80, "{root}: {} calls", calls.get());
            }
        }
    }

    #[test]
    fn jump_between_infinite_values_is_bisected() {
        for root in [0.1, 0.7] {
            for sign in [1.0, -1.0] {
                let jump = |s: f64| (sign * f64::INFINITY).copysign(sign * (s - root));
                let found = change_of_sign(jump, 1.0, jump(0.0), jump(1.0), 1e-10);
                assert!(found >= root && found - root <= 1e-10, "{root}: {found}");
            }
        }
    }
}
