//! Variables, equations and citations that several laws share.

use crate::by_direction;
use crate::characteristic::Measured;
use crate::integrate::exponential::DECAYED;
use crate::law::{Equation, Phenomena};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

/// Kargaonkar & Singh.
pub const KARGAONKAR_SINGH: &str = "A. Kargaonkar, N. K. Singh: A Study on Modeling and \
                                    Simulation of different Friction \
     Models in Multibody Dynamics. European Journal of Mechanical Engineering Research 2024, \
     11(2), 76\u{2013}92, \
     doi:10.37745/ejmer.2014/vol11n27692";

/// Stefański, Wojewoda, Wiercigroch & Kapitaniak.
pub const STEFANSKI_AND_OTHERS: &str = "A. Stefa\u{144}ski, J. Wojewoda, M. Wiercigroch, T. \
                                        Kapitaniak: Regular and chaotic \
     oscillations of friction force. Proc. IMechE Part C 2006, doi:10.1243/09544062C09305";

/// Rill & Schuderer.
pub const RILL_SCHUDERER: &str = "G. Rill, M. Schuderer: A Second-Order Dynamic Friction Model \
                                  Compared to Commercial \
     Stick\u{2013}Slip Models. Modelling 2023, 4(3), 366\u{2013}381, doi:10.3390/modelling4030021";

/// The forces of Kargaonkar & Singh.
pub const FORCES: Equation = Equation {
    number: "(6)",
    latex: r"F_s = \mu_s\,F_N, \qquad F_c = \mu_k\,F_N",
    meaning: "Static and kinetic friction force.",
};

/// Note on the defaults of a law whose source is Kargaonkar & Singh.
pub const DEFAULTS_OF_TABLE_3: (&str, &str) = (
    "Defaults",
    "describe the contact of FrDyn2\u{2019}s paper, as those of every element do. Those of this \
     source\u{2019}s Table 3, where both \
     coefficients are 0.1 and no Stribeck effect is left, are the card of this law in \
     cards/papers.",
);

/// Note on the defaults of a law whose source is Stefański and others.
pub const DEFAULTS_OF_SECTION_4_2: (&str, &str) = (
    "Defaults",
    "describe the contact of FrDyn2\u{2019}s paper, as those of every element do. The \
     coefficients of this source\u{2019}s Sec. 4.2, \
     0.3 and 0.25, are in the card of this law in cards/papers.",
);

/// Note of laws with stick about [`REST`](crate::law::REST).
pub const THRESHOLD_OF_REST: (&str, &str) = (
    "Threshold of rest",
    "A sliding contact is at rest where |v| falls to 1e-12 m/s at most, or where v changes its \
     sign within a step; no motion slower \
     than twice that ends stick (2e-10 m/s where the law has a threshold of its own and it is 0). \
     The time that v takes to reach it counts as stick.",
);

/// Phenomena of a law that models none of them; the other fields of its metadata replace single
/// ones.
pub const NO_PHENOMENA: Phenomena = Phenomena {
    stribeck: false,
    pre_sliding: false,
    memory: false,
    break_away_growth: false,
    long_term_stick: false,
};

/// Contact that the defaults of every law describe: that of Rill & Schuderer's Listing A1.
/// docs/elements.md says how the default of each parameter follows from it.
pub mod contact {
    /// Static coefficient.
    pub const MU_S: f64 = 0.6;
    /// Coefficient of sliding.
    pub const MU_D: f64 = 0.3;
    /// Stiffness of pre-sliding, N/m.
    pub const SIGMA_0: f64 = 5e6;
    /// Damping of pre-sliding, N·s/m.
    pub const SIGMA_1: f64 = 3192.75;
    /// Stribeck velocity of an exponential with the exponent 2, m/s: half of v_d. Its largest
    /// distance from FrDyn2's characteristic in steady sliding, 0.017, is near the least.
    pub const V_STRIBECK: f64 = 5e-3;
}

/// Bounds of the parameters that laws share: least and largest value. Within them no product or
/// quotient of a law loses its digits.
pub mod bounds {
    use core::ops::RangeInclusive;

    /// A coefficient of friction, 1: rubber on a dry road reaches 4.
    pub const COEFFICIENT: RangeInclusive<f64> = 0.0..=10.0;
    /// A coefficient that a law divides by, 1: superlubricity is above 1e-5.
    pub const STATIC_COEFFICIENT: RangeInclusive<f64> = 1e-6..=10.0;
    /// A velocity of a characteristic, m/s: a thousand times the slowest motion of the domain, and
    /// its fastest.
    pub const SPEED: RangeInclusive<f64> = 1e-9..=1e3;
    /// A velocity that may be 0, m/s.
    pub const THRESHOLD: RangeInclusive<f64> = 0.0..=1e3;
    /// A contact stiffness, N/m: a soft rubber band, and a hundred times a pressed steel joint.
    pub const STIFFNESS: RangeInclusive<f64> = 1.0..=1e12;
    /// Damping or viscous friction, N·s/m: at 1e3 m/s beyond every force of the domain.
    pub const DAMPING: RangeInclusive<f64> = 0.0..=1e9;
    /// Damping of a bristle whose mass is sigma_1²/(4 sigma_0), N·s/m: below it the mass is less
    /// than 1e-12 kg under 1 N/m.
    pub const BRISTLE_DAMPING: RangeInclusive<f64> = 1e-6..=1e9;
    /// An exponent, 1: measured curves have 0.5 to 3.
    pub const EXPONENT: RangeInclusive<f64> = 0.1..=10.0;
    /// A delay of friction, s: measured delays are below 0.1 s; the longest communication step.
    pub const DELAY: RangeInclusive<f64> = 0.0..=10.0;
    /// A dwell time, s: a microsecond to thirty years.
    pub const DWELL: RangeInclusive<f64> = 1e-6..=1e9;
    /// A displacement in stick, m: an atom's hundredth to a soft body's stroke.
    pub const DISPLACEMENT: RangeInclusive<f64> = 1e-12..=1.0;
    /// A slope over the speed, s/m: the reciprocal of [`SPEED`]'s bound.
    pub const SLOPE: RangeInclusive<f64> = 0.0..=1e9;
    /// An acceleration that keeps a denominator from 0, m/s².
    pub const ACCELERATION: RangeInclusive<f64> = 1e-9..=1e9;
    /// A break-away force over the sliding force, 1.
    pub const PEAK: RangeInclusive<f64> = 1.0..=100.0;
}

/// μ_s.
pub const MU_S: Variable = Variable::parameter(
    32,
    "mu_s",
    r"\mu_s",
    Unit::One,
    contact::MU_S,
    "Static coefficient of friction, at least mu_d",
)
.within(bounds::STATIC_COEFFICIENT);
/// μ_k of Kargaonkar & Singh.
pub const MU_D: Variable = Variable::parameter(
    33,
    "mu_d",
    r"\mu_k",
    Unit::One,
    contact::MU_D,
    "Coefficient of sliding friction (mu_k of the paper)",
)
.within(bounds::STATIC_COEFFICIENT);
/// v_S of Kargaonkar & Singh.
pub const V_STRIBECK: Variable = Variable::parameter(
    34,
    "v_Stribeck",
    "v_S",
    Unit::MetrePerSecond,
    contact::V_STRIBECK,
    "Stribeck velocity (v_S of the paper)",
)
.within(bounds::SPEED);
/// δ_σ of Kargaonkar & Singh, Table 3.
pub const DELTA_SIGMA: Variable = Variable::parameter(
    35,
    "delta_sigma",
    r"\delta_\sigma",
    Unit::One,
    2.0,
    "Exponent of the Stribeck curve, from the geometry of the surfaces",
)
.within(bounds::EXPONENT);
/// μ_v of Kargaonkar & Singh.
pub const SIGMA_2: Variable = Variable::parameter(
    36,
    "sigma_2",
    r"\mu_v",
    Unit::NewtonSecondPerMetre,
    0.0,
    "Viscous friction: force per velocity in a closed contact (mu_v of the paper)",
)
.within(bounds::DAMPING);

/// Parameters of Stribeck's curve and the viscous friction, by direction.
pub const DIRECTED: &[[Variable; 2]] = &[
    by_direction!(MU_S, "mu_s", r"\mu_s"),
    by_direction!(MU_D, "mu_d", r"\mu_k"),
    by_direction!(V_STRIBECK, "v_Stribeck", "v_S"),
    by_direction!(SIGMA_2, "sigma_2", r"\mu_v"),
];

/// Coefficients of Stefański and others.
pub mod stefanski {
    use super::{bounds, contact};
    use crate::variable::{Unit, Variable};

    /// f_s.
    pub const MU_S: Variable = Variable::parameter(
        32,
        "mu_s",
        "f_s",
        Unit::One,
        contact::MU_S,
        "Static coefficient of friction, at least mu_d (f_s of the paper)",
    )
    .within(bounds::STATIC_COEFFICIENT);
    /// f_c.
    pub const MU_D: Variable = Variable::parameter(
        33,
        "mu_d",
        "f_c",
        Unit::One,
        contact::MU_D,
        "Coefficient of sliding friction (f_c of the paper)",
    )
    .within(bounds::STATIC_COEFFICIENT);
}

/// Stribeck's curve: the exponential g(v) = μ_k + (μ_s − μ_k) exp(−(|v|/v_S)^δ), or a measured one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// Static coefficient.
    pub mu_s: f64,
    /// Coefficient of sliding.
    pub mu_d: f64,
    /// Stribeck velocity, m/s.
    pub v_stribeck: f64,
    /// Exponent.
    pub exponent: f64,
    /// Measured curve in place of the exponential, held below its first point; μ_s and μ_k are then
    /// its largest and smallest coefficient and v_S its first speed.
    pub measured: Option<&'static Measured>,
}

impl Exponential {
    /// The curve of these parameters.
    pub fn new(values: &Values) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(Exponential {
            mu_s,
            mu_d,
            v_stribeck: values[&V_STRIBECK],
            exponent: values[&DELTA_SIGMA],
            measured: None,
        })
    }

    /// One coefficient at all speeds.
    pub fn constant(mu: f64) -> Self {
        Exponential {
            mu_s: mu,
            mu_d: mu,
            v_stribeck: 1.0,
            exponent: 1.0,
            measured: None,
        }
    }

    /// A measured curve.
    pub fn of_measured(curve: &'static Measured) -> Self {
        let [least, most] = curve.range();
        Exponential {
            mu_s: most,
            mu_d: least,
            v_stribeck: curve.first()[0],
            exponent: 1.0,
            measured: Some(curve),
        }
    }

    /// The largest coefficient and the smallest.
    pub fn bounds(&self) -> [f64; 2] {
        [self.mu_s, self.mu_d]
    }

    /// The largest coefficient at any speed, also beyond the last point of a measured curve.
    pub fn largest(&self) -> f64 {
        self.measured
            .map_or(self.mu_s, |curve| self.mu_s.max(curve.held()[1]))
    }

    /// The coefficient at a speed (m/s, at least 0).
    #[inline(always)]
    pub fn of<S: Scalar>(&self, speed: S) -> S {
        let (mu, slope) = self.at(speed.value());
        speed.chain(mu, slope)
    }

    /// The coefficient at a speed (m/s, at least 0), and its derivative (s/m), finite also where
    /// the curve is steep at 0.
    pub fn at(&self, speed: f64) -> (f64, f64) {
        if let Some(curve) = self.measured {
            return curve.at(speed);
        }
        let ratio = speed / self.v_stribeck;
        let power = if self.exponent == 2.0 {
            ratio * ratio
        } else {
            libm::pow(ratio, self.exponent)
        };
        // Nothing is left of the exponential, and products with it could be subnormal numbers.
        if power > DECAYED {
            return (self.mu_d, 0.0);
        }
        let part = (self.mu_s - self.mu_d) * libm::exp(-power);
        let slope = if speed > 0.0 {
            -part * self.exponent * power / speed
        } else {
            0.0
        };
        (self.mu_d + part, slope)
    }
}

/// Relative excess of the coefficient of sliding over the static one that counts as equality: two
/// signals of one value differ by rounding, in single precision by 1e-7.
const EQUAL: f64 = 1e-6;

/// Coefficient of sliding beside a static one: an excess by rounding counts as equality.
pub fn without_rounding(sliding: f64, at_rest: f64) -> f64 {
    if sliding <= at_rest * (1.0 + EQUAL) {
        sliding.min(at_rest)
    } else {
        sliding
    }
}

/// Static coefficient and coefficient of sliding; an error where the first is below the second.
pub fn coefficients(
    upper: &Variable,
    lower: &Variable,
    values: &Values,
) -> Result<[f64; 2], InputError> {
    let at_rest = values[upper];
    let sliding = without_rounding(values[lower], at_rest);
    if sliding <= at_rest {
        return Ok([at_rest, sliding]);
    }
    Err(InputError::new(format!(
        "{} = {at_rest:?} lies below {} = {sliding:?}, but friction at rest is at least that of \
         sliding; raise the first or lower the \
         second",
        upper.name, lower.name
    ))
    .about(&[upper.name, lower.name]))
}

/// Sign of x, with sgn 0 = 0.
pub fn sgn(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { 1_f64.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_on_the_threshold_of_rest_has_its_value() {
        let (_, text) = THRESHOLD_OF_REST;
        assert!(
            text.contains(&format!("{:e} m/s", crate::law::REST)),
            "{text}"
        );
    }

    #[test]
    fn exponential_ends_where_nothing_is_left_of_it() {
        let curve = Exponential {
            mu_s: 0.6,
            mu_d: 0.3,
            v_stribeck: 2e-3,
            exponent: 2.0,
            measured: None,
        };
        for ratio in [0.0, 1e-3, 1.0, 9.9, 10.1, 26.7, 1e3, 1e200] {
            let (mu, slope) = curve.at(ratio * curve.v_stribeck);
            let part = 0.3 * libm::exp(-ratio * ratio);
            let exact = -part * 2.0 * ratio / curve.v_stribeck;
            assert!((mu - 0.3 - part).abs() < 1e-16, "{ratio}: {mu}");
            assert!(
                (slope - exact).abs() <= 1e-12 * exact.abs() + 1e-38,
                "{ratio}: {slope:e}, not {exact:e}"
            );
            assert!(slope == 0.0 || slope.is_normal(), "{ratio}: {slope:e}");
        }
    }
}
