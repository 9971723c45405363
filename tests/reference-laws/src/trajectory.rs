//! Inputs of a contact over a step.

/// Largest normal force of an open contact, N, as `docs/elements.md` states it.
pub const LARGEST_OPEN: f64 = 1e-8;

/// Normal force that errors of a bristle are measured by at least, N: a tenth of that of the
/// elements.
pub const SMALLEST_SCALE: f64 = 1e-3;

/// Inputs of an element at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case)] // the papers' symbols
pub struct Contact {
    /// Normal force, N; the contact is open up to [`LARGEST_OPEN`].
    pub F_N: f64,
    /// Relative velocity, m/s.
    pub v: f64,
    /// Relative acceleration, m/s².
    pub a: f64,
    /// Applied tangential force, N.
    pub F_t: f64,
}

impl Contact {
    /// Contact under a normal force (N) at a velocity (m/s), without acceleration and applied
    /// force.
    #[allow(non_snake_case)] // the papers' symbols
    pub const fn new(F_N: f64, v: f64) -> Self {
        Contact {
            F_N,
            v,
            a: 0.0,
            F_t: 0.0,
        }
    }

    /// Mirror image: every vector quantity with the other sign.
    pub fn mirrored(self) -> Self {
        Contact {
            F_N: self.F_N,
            v: -self.v,
            a: -self.a,
            F_t: -self.F_t,
        }
    }

    /// The contact is closed.
    pub fn is_closed(&self) -> bool {
        self.F_N > LARGEST_OPEN
    }
}

/// An input over a step by its derivatives at the start: value, first, second, third.
pub type Derivatives = [f64; 4];

/// Inputs that are polynomials of the time since the step's start, as an importer gives them by
/// their derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(non_snake_case, missing_docs)] // as in `Contact`
pub struct InputPolynomials {
    pub F_N: Derivatives,
    pub v: Derivatives,
    pub a: Derivatives,
    pub F_t: Derivatives,
}

impl InputPolynomials {
    /// The contact at `t` (s) after the start of the step.
    pub fn at(&self, t: f64) -> Contact {
        let value = |[x, x1, x2, x3]: Derivatives| x + t * (x1 + t * (x2 / 2.0 + t * x3 / 6.0));
        Contact {
            F_N: value(self.F_N),
            v: value(self.v),
            a: value(self.a),
            F_t: value(self.F_t),
        }
    }

    /// The inputs are constant over the step.
    pub fn is_held(&self) -> bool {
        [self.F_N, self.v, self.a, self.F_t]
            .iter()
            .all(|powers| powers[1..] == [0.0; 3])
    }

    /// Mirror image: every vector quantity with the other sign.
    pub fn mirrored(&self) -> Self {
        let other = |powers: Derivatives| powers.map(|x| -x);
        InputPolynomials {
            F_N: self.F_N,
            v: other(self.v),
            a: other(self.a),
            F_t: other(self.F_t),
        }
    }
}

/// The contact as a function of the time since the start of the step.
#[allow(missing_debug_implementations)] // a function
pub enum InputTrajectory<'a> {
    /// Held inputs.
    Held(Contact),
    /// Inputs that are a function of the time.
    Moving(&'a dyn Fn(f64) -> Contact),
    /// Part of a step, so short that no condition of a law changes twice within an eighth of it.
    Short(&'a dyn Fn(f64) -> Contact),
}

impl InputTrajectory<'_> {
    /// The contact at `t` (s) after the start of the step.
    pub fn at(&self, t: f64) -> Contact {
        match self {
            InputTrajectory::Held(contact) => *contact,
            InputTrajectory::Moving(contact) | InputTrajectory::Short(contact) => contact(t),
        }
    }

    /// Number of parts that a step is cut into to look for changes.
    pub fn grid(&self) -> u32 {
        match self {
            // Under held inputs no condition of these laws comes true and untrue again between
            // switches.
            InputTrajectory::Held(_) => 16,
            InputTrajectory::Moving(_) => 2000,
            InputTrajectory::Short(_) => 8,
        }
    }

    /// Displacement ∫v dt from `t` over `dt`, m, by Gauss's rule of three points, exact to degree
    /// 5.
    pub fn displacement(&self, t: f64, dt: f64) -> f64 {
        if let InputTrajectory::Held(contact) = self {
            return contact.v * dt;
        }
        let [middle, reach] = [t + 0.5 * dt, 0.5 * dt * f64::sqrt(0.6)];
        let [left, centre, right] = [middle - reach, middle, middle + reach].map(|t| self.at(t).v);
        dt * (5.0 * left + 8.0 * centre + 5.0 * right) / 18.0
    }
}

/// A normal force without [`LARGEST_OPEN`]: the contact opens and closes at its zeros.
pub fn above_open([force, first, second, third]: Derivatives) -> Derivatives {
    [force - LARGEST_OPEN, first, second, third]
}

/// The zeros of a polynomial and of its derivatives within a step, between which it keeps its sign.
pub fn zeros([x, x1, x2, x3]: Derivatives, h: f64) -> Vec<f64> {
    let mut found = Vec::new();
    // From the highest derivative down: between the zeros of its derivative a polynomial is
    // monotonic.
    for powers in [[x2, x3, 0.0, 0.0], [x1, x2, x3, 0.0], [x, x1, x2, x3]] {
        let [x, x1, x2, x3] = powers;
        let value = |t: f64| x + t * (x1 + t * (x2 / 2.0 + t * x3 / 6.0));
        let mut cuts = vec![0.0, h];
        cuts.extend(&found);
        cuts.sort_by(f64::total_cmp);
        for pair in cuts.windows(2) {
            let [mut before, mut after] = [pair[0], pair[1]];
            if value(before) * value(after) >= 0.0 {
                continue;
            }
            let sign = value(before);
            for _ in 0..200 {
                let middle = 0.5 * (before + after);
                if middle <= before || after <= middle {
                    break;
                }
                if value(middle) * sign > 0.0 {
                    before = middle
                } else {
                    after = middle
                }
            }
            found.push(after);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_of_a_cubic_and_its_derivatives_are_found() {
        // v = (t − 1)(t − 2)(t − 3), its slope is 0 at 2 ± 1/√3 and its curvature at 2.
        let found = zeros([-6.0, 11.0, -12.0, 6.0], 4.0);
        let root = 1.0 / 3.0_f64.sqrt();
        for expected in [1.0, 2.0, 3.0, 2.0 - root, 2.0 + root] {
            assert!(
                found.iter().any(|t| (t - expected).abs() < 1e-12),
                "{found:?} lacks {expected}"
            );
        }
    }
}
