//! The second-order dynamic friction model FrDyn2.
//!
//! Source: G. Rill, M. Schuderer, *A Second-Order Dynamic Friction Model Compared to Commercial Stick–Slip Models*,
//! Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021. Equation numbers are the paper's; where text and
//! program differ, its Listing A4 is the law: the sticking force F_0 contains the contact velocity, not ż.

mod advance;
mod border;
mod closed_form;
mod decay;
mod drive;
mod expansion;
mod moving;
mod openings;
mod recurrence;
mod scaled;
mod series;
mod stuck;
#[cfg(test)]
mod tests;

use self::closed_form::{Reach, Relaxation};
use self::scaled::Scaled;
use super::regularised::{self, MU_D, MU_S, V_D, V_S};
use super::symbols::{NO_PHENOMENA, RILL_SCHUDERER};
use crate::characteristic::Regularised;
use crate::integrate::Failure;
use crate::integrate::radau::Radau;
use crate::law::{
    Advance, Contact, Course, Declaration, Dependencies, Equation, Evaluation, F_N, Law, Linearisation, Pace,
    Phenomena, Stretch, Structure, Stuck, V, on,
};
use crate::variable::{Refusal, Unit, Values, Variable};

const Z: Variable =
    Variable::state(16, "z", "z", Unit::Metre, "Bristle deflection, positive for v > 0").nominal(1e-6).reinit();
const DER_Z: Variable =
    Variable::derivative(17, &Z, "der(z)", r"\dot z", Unit::MetrePerSecond, "Time derivative of z, equal to z_dot");
const Z_DOT: Variable =
    Variable::state(18, "z_dot", r"\dot z", Unit::MetrePerSecond, "Velocity of the bristle deflection").nominal(1e-3);
const DER_Z_DOT: Variable = Variable::derivative(
    19,
    &Z_DOT,
    "der(z_dot)",
    r"\ddot z",
    Unit::MetrePerSecondSquared,
    "Acceleration of the bristle deflection",
);

const SIGMA_0: Variable =
    Variable::parameter(32, "sigma_0", r"\sigma_0", Unit::NewtonPerMetre, 5e6, "Bristle stiffness").positive();
const SIGMA_1: Variable =
    Variable::parameter(33, "sigma_1", r"\sigma_1", Unit::NewtonSecondPerMetre, 3192.75, "Bristle damping").positive();
/// Below this static friction force, N, a contact counts as open: quotients by it would leave the range of numbers.
const NO_FORCE: f64 = 1e-100;

/// Stick is decided by w and F_0.
const STICK: Dependencies = on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S]);

static DECLARATION: Declaration = Declaration {
    name: "FrDyn2",
    title: "Second-order dynamic friction model",
    summary: "A fictitious bristle with mass behind a shifted regularised characteristic: it sticks without creeping, \
              breaks away at the static friction force and follows the characteristic when it slides.",
    kind: "dynamic, second order",
    source: RILL_SCHUDERER,
    place: "equations (2)\u{2013}(5), Listing A4",
    equations: &[
        Equation {
            number: "(2)",
            latex: r"m_b\,\ddot z = F_R - F_B, \qquad F_B = \sigma_0\,z + \sigma_1\,\dot z",
            meaning: "Dynamics of the bristle between the body and the contact; the force on the body is F_R.",
        },
        Equation {
            number: "(3)",
            latex: r"m_b = \frac{\sigma_1^2}{4\,\sigma_0}",
            meaning: "The bristle\u{2019}s mass makes it aperiodic (critically damped).",
        },
        Equation {
            number: "(4)",
            latex: r"F_0 = \sigma_0\,z + \sigma_1\,v",
            meaning: "The force that sticking requires: the bristle force in the steady state where its velocity is v.",
        },
        Equation {
            number: "(5)",
            latex: r"\Delta v = \frac{F_0}{|F_0|}\,v_s \cdot \begin{cases} 1 - \sqrt{1 - |F_0|/F_s} & |F_0| \le F_s \\ 1 & |F_0| > F_s \end{cases}",
            meaning: "Shift of the characteristic that gives F_R = F_0 at zero slip, with F_s = mu_s F_N.",
        },
        Equation {
            number: "Listing A4",
            latex: r"w = v - \dot z + \Delta v",
            meaning: "The slip velocity of the bristle\u{2019}s tip, shifted.",
        },
        Equation {
            number: "Listing A4",
            latex: r"\frac{F_R}{F_N} = \frac{w}{|w|} \cdot \begin{cases} \mu_s\,x_1\,(2 - x_1) & |w| \le v_s, \quad x_1 = |w|/v_s \\ \mu_s - (\mu_s - \mu_d)\,x_2^2\,(3 - 2\,x_2) & v_s < |w| < v_d, \quad x_2 = (|w| - v_s)/(v_d - v_s) \\ \mu_d & |w| \ge v_d \end{cases}",
            meaning: "The regularised characteristic at the shifted slip velocity: parabola, cubic, constant.",
        },
        Equation {
            number: "Listing A4",
            latex: r"F_N \le 0: \qquad F_R = 0, \qquad m_b\,\ddot z = -(\sigma_0\,z + \sigma_1\,\dot z)",
            meaning: "Open contact: no force on the body, and the bristle relaxes.",
        },
    ],
    sticking: "|w| \u{2264} v_s and |F_0| < F_s: the bristle\u{2019}s tip holds to its counterpart.",
    phenomena: Phenomena { stribeck: true, pre_sliding: true, long_term_stick: true, ..NO_PHENOMENA },
    notes: &[
        (
            "What it models",
            "Long-term stick without creep under a constant load, pre-sliding displacement (z = F_R/sigma_0), break-away at F_s, the Stribeck \
             effect, stick\u{2013}slip, varying normal force and loss of contact. |F_R| never exceeds F_s.",
        ),
        (
            "What it does not model",
            "Growth of the break-away force with the time at rest, frictional memory (lag of the force behind the \
             velocity beyond that of the bristle itself), and viscous friction. Under a load that pulsates about a mean, well below \
             F_s, the law as published creeps slowly against the mean load.",
        ),
        (
            "Where the force has fallen to mu_d",
            "The characteristic is a function of the shifted slip velocity w. In steady sliding the shift is v_s in the direction \
             of motion, so that F_R = mu_d F_N from |v| = v_d \u{2212} v_s on, and the largest force F_s is met at the start of \
             sliding.",
        ),
        (
            "Choosing the bristle",
            "From a reference friction force F_ref and a reference deflection z_ref: sigma_0 = F_ref/z_ref, \
             sigma_1 = 2 \u{221a}(m_ref sigma_0) with m_ref = F_ref/g. 5 N and 1e-6 m give the defaults.",
        ),
        (
            "Limit of the model",
            "Where 1.5 (mu_s \u{2212} mu_d) F_N/(v_d \u{2212} v_s) > sigma_1 (with the defaults: above F_N = 63.86 N) the \
             bristle itself is unstable on the falling branch of the characteristic, and F_R oscillates at constant v. \
             That is the model, not its integration; a larger sigma_1 or a wider v_d \u{2212} v_s avoids it. The element \
             logs one warning when parameters and F_N meet the condition. It follows the oscillation within its tolerance; \
             where rounding decides what becomes of the bristle, fmi2DoStep returns fmi2Warning and the log says how far off \
             F_R may be.",
        ),
    ],
    inputs: &[],
    states: &[(Z, DER_Z), (Z_DOT, DER_Z_DOT)],
    modes: &[],
    events: &[],
    parameters: &[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D],
    structure: Structure {
        force: on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D]),
        at_rest: &[],
        sticking: STICK,
        rates: &[on(&[Z_DOT]).constant(), on(&[F_N, V, Z, Z_DOT]).initially(&[SIGMA_0, SIGMA_1, MU_S, V_S, MU_D, V_D])],
        response: STICK,
    },
};

/// FrDyn2 with its parameters checked and its constants derived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrDyn2 {
    sigma_0: f64,
    sigma_1: f64,
    mu_s: f64,
    v_s: f64,
    mu_d: f64,
    v_d: f64,
    /// 1/m_b, equation (3), 1/kg.
    inverse_mass: f64,
    /// The rate 2σ_0/σ_1 at which the bristle relaxes under a constant force, 1/s.
    omega: f64,
    /// 1/σ_0, m/N.
    compliance: f64,
    /// 1/v_s, s/m.
    inverse_v_s: f64,
    /// 1/(v_d − v_s), s/m.
    inverse_width: f64,
    /// 1 − μ_d/μ_s.
    drop: f64,
    /// The size of v − ż below which no shift makes full sliding of it, m/s …
    partly_sliding: f64,
    /// … and from which on every shift does.
    fully_sliding: f64,
    /// The normal force above which the bristle is unstable on the falling branch, N.
    stable_up_to: f64,
}

/// Where the characteristic stands at one instant.
#[allow(non_snake_case)] // the paper's symbols
struct Operating {
    /// Static friction force, N.
    F_s: f64,
    /// Sticking force F_0 over F_s, limited to −1 … 1.
    ratio: f64,
    /// √(1 − |F_0|/F_s), 0 beyond.
    root: f64,
    /// Shifted slip velocity w, m/s.
    w: f64,
    /// |w|/v_s, at most 1.
    x_1: f64,
    /// Position on the cubic between v_s and v_d, 0 … 1.
    x_2: f64,
}

impl FrDyn2 {
    /// `None` where the contact is open.
    #[inline]
    fn operating(&self, contact: Contact, x: &[f64; 2]) -> Option<Operating> {
        let [z, z_dot] = *x;
        let static_force = self.mu_s * contact.F_N;
        if static_force < NO_FORCE {
            return None;
        }
        let ratio = (self.sigma_0 * z + self.sigma_1 * contact.v) / static_force;
        // v_s (1 − √(1 − |r|)) sgn r, equation (5), without its cancellation for small r.
        let (ratio, root, shift) = if ratio.abs() < 1.0 {
            let root = (1.0 - ratio.abs()).sqrt();
            (ratio, root, self.v_s * ratio / (1.0 + root))
        } else {
            (1.0_f64.copysign(ratio), 0.0, self.v_s.copysign(ratio))
        };
        let w = contact.v - z_dot + shift;
        let x_1 = (w.abs() * self.inverse_v_s).min(1.0);
        let x_2 = ((w.abs() - self.v_s) * self.inverse_width).clamp(0.0, 1.0);
        Some(Operating { F_s: static_force, ratio, root, w, x_1, x_2 })
    }

    /// On the steepest of the falling branch errors grow.
    fn is_unstable(&self, contact: Contact) -> bool {
        contact.F_N > self.stable_up_to
    }

    /// The rate at which they grow there, 1/s; 0 where they do not.
    fn fastest_growth(&self, contact: Contact) -> f64 {
        if self.is_unstable(contact) { 2.0 * self.omega * (contact.F_N / self.stable_up_to - 1.0) } else { 0.0 }
    }

    /// The contact bears a force that can be calculated with.
    #[inline]
    fn bears(&self, contact: Contact) -> bool {
        self.mu_s * contact.F_N >= NO_FORCE
    }

    /// F_0, equation (4).
    fn sticking_force(&self, contact: Contact, x: &[f64; 2]) -> f64 {
        self.sigma_0 * x[0] + self.sigma_1 * contact.v
    }

    /// The law in its own units, where the normal force begins as in `contact` and is `most` (N) at most.
    fn scaled(&self, contact: Contact, inverse_force: f64, most: f64) -> Scaled {
        let lag = self.sigma_1 * self.v_s * inverse_force;
        Scaled {
            kappa: self.sigma_0 * self.v_s * inverse_force,
            alpha: self.sigma_1 * self.inverse_mass,
            weight: scaled::weight(lag),
            b: self.mu_s * contact.F_N * self.inverse_mass * self.inverse_v_s,
            delta: self.v_d * self.inverse_v_s,
            inverse_width: self.v_s * self.inverse_width,
            drop: self.drop,
            lag,
            fastest_growth: self.fastest_growth(Contact { F_N: most, ..contact }),
        }
    }

    fn bristle_acceleration(&self, friction_force: f64, x: &[f64; 2]) -> f64 {
        (friction_force - (self.sigma_0 * x[0] + self.sigma_1 * x[1])) * self.inverse_mass
    }

    /// The friction force of a bristle at rest that slides fully throughout, whatever the shift: what most sliding is. The normal
    /// force is held; v leaves its start by at most `swing`.
    #[inline]
    fn steady_sliding(&self, contact: Contact, swing: f64, x: &[f64; 2]) -> Option<f64> {
        let force = (self.mu_d * contact.F_N).copysign(contact.v);
        let slides = contact.v.abs() - swing >= self.fully_sliding && self.bears(contact);
        (slides && *x == [force * self.compliance, 0.0]).then_some(force)
    }

    /// The friction force at the start of `duration` (s) where the bristle follows the held contact, ż = v, and sticks
    /// throughout: F_R = F_0, and nothing of the law bends it.
    #[inline]
    fn steady_stick(&self, contact: Contact, duration: f64, x: &[f64; 2]) -> Option<f64> {
        let force = self.sticking_force(contact, x);
        let most = force.abs().max((force + self.sigma_0 * contact.v * duration).abs());
        (x[1] == contact.v && most < self.mu_s * contact.F_N).then_some(force)
    }

    /// The motion of the bristle where it has a closed form, with its friction force: an open contact, or full sliding
    /// throughout. The normal force is held; v leaves its start by at most `swing`.
    fn closed_form(&self, contact: Contact, swing: f64, x: &[f64; 2]) -> Option<(Relaxation, f64)> {
        let static_force = self.mu_s * contact.F_N;
        if static_force < NO_FORCE {
            return Some((Relaxation::new(x, 0.0, self.omega), 0.0));
        }
        let slip = contact.v - x[1];
        // The shift is asked only where it decides.
        if slip.abs() < self.partly_sliding {
            return None;
        }
        if slip.abs() < self.fully_sliding && self.operating(contact, x).is_some_and(|here| here.x_2 < 1.0) {
            return None;
        }
        let force = (self.mu_d * contact.F_N).copysign(slip);
        let motion = Relaxation::new(x, force * self.compliance, self.omega);
        // The least slip on the way, for w > 0; for w < 0 everything is mirrored.
        let Reach { z, z_dot } = motion.reach();
        let (v, z_min, z_dot_max) =
            if slip > 0.0 { (contact.v, z[0], z_dot[1]) } else { (-contact.v, -z[1], -z_dot[0]) };
        let v = v - swing;
        let sticking_force = self.sigma_0 * z_min + self.sigma_1 * v;
        let shift = if sticking_force >= static_force {
            self.v_s
        } else if sticking_force >= 0.0 {
            0.0
        } else {
            -self.v_s
        };
        (v - z_dot_max + shift >= self.v_d).then_some((motion, force))
    }
}

impl Law<2> for FrDyn2 {
    const DECLARATION: &'static Declaration = &DECLARATION;

    type Memory = ();

    fn new(values: &Values) -> Result<Self, Refusal> {
        let [sigma_0, sigma_1] = [values[&SIGMA_0], values[&SIGMA_1]];
        let Regularised { mu_s, v_s, mu_d, v_d } = regularised::read(values)?;
        let law = FrDyn2 {
            sigma_0,
            sigma_1,
            mu_s,
            v_s,
            mu_d,
            v_d,
            inverse_mass: 4.0 * sigma_0 / sigma_1 / sigma_1,
            omega: 2.0 * sigma_0 / sigma_1,
            compliance: 1.0 / sigma_0,
            inverse_v_s: 1.0 / v_s,
            inverse_width: 1.0 / (v_d - v_s),
            drop: 1.0 - mu_d / mu_s,
            partly_sliding: v_d - v_s,
            fully_sliding: v_d + v_s,
            stable_up_to: sigma_1 * (v_d - v_s) / (1.5 * (mu_s - mu_d)),
        };
        if !law.inverse_mass.is_normal() {
            return Err(Refusal(format!(
                "sigma_0 = {sigma_0:?} N/m and sigma_1 = {sigma_1:?} N.s/m give a bristle mass of \
                 {:?} kg, which cannot be calculated with; choose sigma_1 = 2 sqrt(m_ref sigma_0)",
                1.0 / law.inverse_mass
            )));
        }
        if ![law.omega, law.compliance, law.inverse_v_s, law.inverse_width].iter().all(|x| x.is_normal()) {
            return Err(Refusal(format!(
                "sigma_0 = {sigma_0:?} N/m, sigma_1 = {sigma_1:?} N.s/m, v_s = {v_s:?} m/s and v_d = {v_d:?} m/s are too \
                 far from 1 to calculate with; give them in SI units"
            )));
        }
        Ok(law)
    }

    #[inline]
    #[allow(non_snake_case)] // the paper's symbols
    fn evaluate(&self, contact: Contact, x: &[f64; 2], (): &()) -> Evaluation<2> {
        let slip = contact.v - x[1];
        let (F_R, sticking) = if self.bears(contact) && slip.abs() >= self.fully_sliding {
            // Far from anything that the shift could change.
            ((self.mu_d * contact.F_N).copysign(slip), false)
        } else if let Some(Operating { F_s, ratio, w, x_1, x_2, .. }) = self.operating(contact, x) {
            let drop = (self.mu_s - self.mu_d) * contact.F_N;
            let size = F_s * (x_1 * (2.0 - x_1)) - drop * (x_2 * x_2 * (3.0 - 2.0 * x_2));
            (size.copysign(w), w.abs() <= self.v_s && ratio.abs() < 1.0)
        } else {
            (0.0, false)
        };
        let rate = [x[1], self.bristle_acceleration(F_R, x)];
        Evaluation { F_R, sticking, rate }
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn linearise(&self, contact: Contact, x: &[f64; 2], (): &()) -> Linearisation<2> {
        let [mut F_R_z, mut F_R_z_dot, mut F_R_v, mut F_R_F_N] = [0.0; 4];
        if let Some(Operating { F_s, ratio, root, x_1, x_2, .. }) = self.operating(contact, x) {
            let slope = if x_1 < 1.0 {
                2.0 * F_s / self.v_s * (1.0 - x_1)
            } else {
                let drop = (self.mu_s - self.mu_d) * contact.F_N;
                -6.0 * drop / (self.v_d - self.v_s) * (x_2 * (1.0 - x_2))
            };
            // ∂Δv/∂F_0 grows beyond all bounds where |F_0| reaches F_s; cut off there, 0 beyond.
            let shift_F_0 = if root > 0.0 { self.v_s / (2.0 * F_s * root.max(1e-8)) } else { 0.0 };
            F_R_z = slope * shift_F_0 * self.sigma_0;
            F_R_z_dot = -slope;
            F_R_v = slope * (1.0 + shift_F_0 * self.sigma_1);
            F_R_F_N = self.evaluate(contact, x, &()).F_R / contact.F_N - slope * shift_F_0 * ratio * self.mu_s;
        }
        let inverse_mass = self.inverse_mass;
        Linearisation {
            rate_x: [[0.0, 1.0], [(F_R_z - self.sigma_0) * inverse_mass, (F_R_z_dot - self.sigma_1) * inverse_mass]],
            rate_F_N: [0.0, F_R_F_N * inverse_mass],
            rate_v: [0.0, F_R_v * inverse_mass],
            F_R_x: [F_R_z, F_R_z_dot],
            F_R_F_N,
            F_R_v,
            ..Linearisation::ZERO
        }
    }

    fn scale(&self, contact: Contact, x: &[f64; 2]) -> [f64; 2] {
        // F_R no longer reacts to z where the deflection left behind by a falling F_N exceeds F_s/σ_0: there z itself is
        // the measure, or a share of what its velocity makes of it. F_R reacts with 2 F_s/v_s to ż, and an error of ż
        // moves z by 1/2ω of it before it decays.
        let deflection = self.mu_s * contact.F_N * self.compliance;
        let deflection = deflection.max(x[0].abs()).max(1e-3 * x[1].abs() / self.omega);
        [deflection, (0.5 * self.v_s).min(2.0 * self.omega * deflection)]
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.mu_s * normal_force
    }

    fn velocity_scale(&self, _: Contact) -> f64 {
        0.5 * self.v_s
    }

    fn pace(&self, contact: Contact, x: &[f64; 2]) -> Pace {
        let Some(Operating { w, x_2, .. }) = self.operating(contact, x) else { return Pace::FREE };
        // Full sliding looks the same on both sides of rest, and so does much on both sides of a narrow falling branch. w moves
        // with the shift as well: half the way is left to that.
        let away = (self.v_s - w.abs()).max(w.abs() - self.v_d).max(0.0);
        let falls = x_2 > 0.0 && x_2 < 1.0;
        Pace {
            leap: 0.5 * (away + self.v_d - self.v_s),
            growth: if falls { self.fastest_growth(contact) } else { 0.0 },
        }
    }

    fn stuck_body(&self, mass: f64, x: &[f64; 2], v: f64, stretch: &Stretch) -> Option<Stuck<2>> {
        self.stuck(mass, *x, v, stretch)
    }

    fn answer(&self, contact: Contact, x: &[f64; 2], (): &()) -> [f64; 2] {
        // In stick ż follows v within the bristle's transient, and F_R = F_0; beyond, F_R no longer answers.
        if self.evaluate(contact, x, &()).sticking { [self.sigma_0, self.sigma_1] } else { [0.0; 2] }
    }

    #[allow(non_snake_case)] // the paper's symbols
    fn caution(&self, contact: Contact) -> Option<String> {
        self.is_unstable(contact).then(|| {
            format!(
                "at F_N = {:.4} N, above 1.5 (mu_s - mu_d) F_N/(v_d - v_s) = sigma_1 (F_N = {:.4} N), the bristle \
                 of this model is unstable on the falling branch and F_R oscillates at constant v; raise sigma_1 or v_d, \
                 or ignore this if the contact only sticks or slides fast",
                contact.F_N, self.stable_up_to
            )
        })
    }

    #[inline]
    fn advance(
        &self,
        course: &Course,
        x: &mut [f64; 2],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<Advance, Failure> {
        self.advance_over(course, x, duration, tolerance, solver)
    }
}
