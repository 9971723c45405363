//! Variables, equations and citations that several laws share.

use crate::characteristic::Measured;
use crate::law::{Equation, Phenomena};
use crate::variable::{InputError, Unit, Values, Variable};

/// Kargaonkar & Singh.
pub const KARGAONKAR_SINGH: &str = "A. Kargaonkar, N. K. Singh: A Study on Modeling and Simulation of different Friction \
     Models in Multibody Dynamics. European Journal of Mechanical Engineering Research 2024, 11(2), 76\u{2013}92, \
     doi:10.37745/ejmer.2014/vol11n27692";

/// Stefański, Wojewoda, Wiercigroch & Kapitaniak.
pub const STEFANSKI_AND_OTHERS: &str = "A. Stefa\u{144}ski, J. Wojewoda, M. Wiercigroch, T. Kapitaniak: Regular and chaotic \
     oscillations of friction force. Proc. IMechE Part C 2006, doi:10.1243/09544062C09305";

/// Rill & Schuderer.
pub const RILL_SCHUDERER: &str = "G. Rill, M. Schuderer: A Second-Order Dynamic Friction Model Compared to Commercial \
     Stick\u{2013}Slip Models. Modelling 2023, 4(3), 366\u{2013}381, doi:10.3390/modelling4030021";

/// The forces of Kargaonkar & Singh.
pub const FORCES: Equation = Equation {
    number: "(6)",
    latex: r"F_s = \mu_s\,F_N, \qquad F_c = \mu_k\,F_N",
    meaning: "Static and kinetic friction force.",
};

/// Phenomena of a law that models none of them; the other fields of its metadata replace single ones.
pub const NO_PHENOMENA: Phenomena =
    Phenomena { stribeck: false, pre_sliding: false, memory: false, break_away_growth: false, long_term_stick: false };

/// μ_s of Kargaonkar & Singh, Table 3.
pub const MU_S: Variable =
    Variable::parameter(32, "mu_s", r"\mu_s", Unit::One, 0.1, "Static coefficient of friction, at least mu_k")
        .positive();
/// μ_k of Kargaonkar & Singh, Table 3.
pub const MU_K: Variable =
    Variable::parameter(33, "mu_k", r"\mu_k", Unit::One, 0.1, "Kinetic coefficient of friction").positive();
/// v_S of Kargaonkar & Singh, Table 3.
pub const V_STRIBECK: Variable =
    Variable::parameter(34, "v_S", "v_S", Unit::MetrePerSecond, 0.5, "Stribeck velocity").positive();
/// δ_σ of Kargaonkar & Singh, Table 3.
pub const DELTA_SIGMA: Variable = Variable::parameter(
    35,
    "delta_sigma",
    r"\delta_\sigma",
    Unit::One,
    2.0,
    "Exponent of the Stribeck curve, from the geometry of the surfaces",
)
.positive();
/// μ_v of Kargaonkar & Singh.
pub const MU_V: Variable = Variable::parameter(
    36,
    "mu_v",
    r"\mu_v",
    Unit::NewtonSecondPerMetre,
    0.0,
    "Viscous friction: force per velocity in a closed contact",
)
.at_least(0.0);

/// f_s of Stefański and others, Sec. 4.2.
pub const F_STATIC: Variable =
    Variable::parameter(32, "f_s", "f_s", Unit::One, 0.3, "Static coefficient of friction, at least f_c").positive();
/// f_c of Stefański and others, Sec. 4.2.
pub const F_COULOMB: Variable =
    Variable::parameter(33, "f_c", "f_c", Unit::One, 0.25, "Coefficient of Coulomb friction").positive();

/// Stribeck's curve: the exponential g(v) = μ_k + (μ_s − μ_k) exp(−(|v|/v_S)^δ), or a measured one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// Static coefficient.
    pub mu_s: f64,
    /// Kinetic coefficient.
    pub mu_k: f64,
    /// Stribeck velocity, m/s.
    pub v_stribeck: f64,
    /// Exponent.
    pub exponent: f64,
    /// Measured curve in place of the exponential, held below its first point; μ_s and μ_k are then its largest and smallest
    /// coefficient and v_S its first speed.
    pub measured: Option<&'static Measured>,
}

impl Exponential {
    /// The curve of these parameters.
    pub fn new(values: &Values) -> Result<Self, InputError> {
        descending(&MU_S, &MU_K, values)?;
        Ok(Exponential {
            mu_s: values[&MU_S],
            mu_k: values[&MU_K],
            v_stribeck: values[&V_STRIBECK],
            exponent: values[&DELTA_SIGMA],
            measured: None,
        })
    }

    /// One coefficient at all speeds.
    pub fn constant(mu: f64) -> Self {
        Exponential { mu_s: mu, mu_k: mu, v_stribeck: 1.0, exponent: 1.0, measured: None }
    }

    /// A measured curve.
    pub fn of_measured(curve: &'static Measured) -> Self {
        let [least, most] = curve.range();
        Exponential { mu_s: most, mu_k: least, v_stribeck: curve.first()[0], exponent: 1.0, measured: Some(curve) }
    }

    /// The coefficient at a speed (m/s, at least 0), and its derivative (s/m), finite also where the curve is steep at 0.
    pub fn at(&self, speed: f64) -> (f64, f64) {
        if let Some(curve) = self.measured {
            return curve.at(speed);
        }
        let ratio = speed / self.v_stribeck;
        let power = if self.exponent == 2.0 { ratio * ratio } else { libm::pow(ratio, self.exponent) };
        let part = (self.mu_s - self.mu_k) * libm::exp(-power);
        let slope = if speed > 0.0 { -part * self.exponent * power / speed } else { 0.0 };
        (self.mu_k + part, slope)
    }
}

/// Checks that the static coefficient is not below the kinetic one.
pub fn descending(upper: &Variable, lower: &Variable, values: &Values) -> Result<(), InputError> {
    if values[upper] >= values[lower] {
        return Ok(());
    }
    Err(InputError(format!(
        "{} = {:?} lies below {} = {:?}, but friction at rest is at least that of sliding; raise the first or lower the \
         second",
        upper.name, values[upper], lower.name, values[lower]
    )))
}

/// Sign of x, with sgn 0 = 0.
pub fn sgn(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { 1_f64.copysign(x) }
}
