//! The LuGre model: a bristle whose deflection tends to the Stribeck curve, with damping.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024, 11(2), 76–92,
//! doi 10.37745/ejmer.2014/vol11n27692, equations (12)–(14). G is a force; the exponent of (14), misprinted as 2/2, is
//! δ_σ = 2.
//!
//! The equation is linear in z: solved in closed form under held inputs, else in the distance from the steady deflection.

use super::bristle::{DER_Z, EVENTS, SIGMA_0, Z, damping_rounding, indicators, reset_open, sticks};
use super::relaxation::{self, Bristle};
use super::symbols::{
    DEFAULTS_OF_TABLE_3, DELTA_SIGMA, Exponential, KARGAONKAR_SINGH, MU_D, MU_S, NO_PHENOMENA, V_STRIBECK, contact, sgn,
};
use crate::characteristic::Measured;
use crate::integrate::SolverError;
use crate::integrate::exponential;
use crate::integrate::radau::Radau;
use crate::law::{
    Contact, Dependencies, Equation, Evaluation, F_N, InputTrajectory, Integrals, Jacobian, Law, LawMetadata,
    MAX_EVENTS, MeasuredForm, Phenomena, StepResult, Structure, V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

pub(super) const SIGMA_1: Variable =
    Variable::parameter(38, "sigma_1", r"\sigma_1", Unit::NewtonSecondPerMetre, contact::SIGMA_1, "Bristle damping")
        .at_least(0.0);
pub(super) const SIGMA_2: Variable =
    Variable::parameter(39, "sigma_2", r"\sigma_2", Unit::NewtonSecondPerMetre, 0.0, "Viscous friction").at_least(0.0);

/// Dependencies of der(z), the part of the motion that deflects the bristle.
const BEND: Dependencies = on(&[F_N, V, Z]).initially(&[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_0]);
/// Dependencies of F_R: those of der(z), damping and viscous friction.
const FORCE: Dependencies =
    on(&[F_N, V, Z]).initially(&[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_0, SIGMA_1, SIGMA_2]);
/// Factor of the resolution of z for a coupled body over that which the mean force needs: the force at the end of a step is then
/// accurate as well where it settles within the step. Larger values cost inner steps.
const MEAN_RESOLUTION: f64 = 30.0;

/// Largest factor on the error allowed in a deflection beyond its limit that returns to it within a small part of the interval. Larger: a deflection
/// that v leaves there by a reversal may be off by as much as it is beyond the limit.
const MAX_EASE: f64 = 100.0;

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "LuGre",
    title: "LuGre model",
    summary: "Dahl\u{2019}s bristle with the Stribeck effect and damping: the standard dynamic friction model of control \
              engineering.",
    kind: "dynamic, first order",
    source: KARGAONKAR_SINGH,
    place: "equations (12)\u{2013}(14)",
    equations: &[
        Equation {
            number: "(12)",
            latex: r"\dot z = v - \sigma_0\,\frac{|v|}{G(v)}\,z",
            meaning: "The deflection tends to G(v)/sigma_0 in the direction of motion.",
        },
        Equation {
            number: "(13)",
            latex: r"F_R = \sigma_0\,\hat z + \sigma_1 \left(v - \sigma_0\,\frac{|v|}{G(v)}\,\hat z\right) + \sigma_2\,v, \qquad \hat z = \max\left(-\frac{F_s}{\sigma_0},\,\min\left(\frac{F_s}{\sigma_0},\,z\right)\right)",
            meaning: "Elastic force, damping of the bristle, viscous friction; printed with z itself, without the limit, which acts \
                      where F_N falls faster than the bristle unbends.",
        },
        Equation {
            number: "(14)",
            latex: r"G(v) = F_c + (F_s - F_c)\,e^{-\left(|v|/v_S\right)^{\delta_\sigma}}, \qquad F_s = \mu_s\,F_N, \qquad F_c = \mu_k\,F_N",
            meaning: "The Stribeck curve, a force.",
        },
    ],
    sticking: "|v \u{2212} der(z)| \u{2264} |v|/2: at least half of the motion goes into the bristle.",
    phenomena: Phenomena { stribeck: true, pre_sliding: true, memory: true, ..NO_PHENOMENA },
    notes: &[
        (
            "Modelled",
            "Pre-sliding displacement, the Stribeck effect, memory by the bristle, a break-away force that varies with \
             the rate of loading, viscous friction.",
        ),
        (
            "Not modelled",
            "Stick under loads that pulsate: the body drifts a little with every pulse. Growth of the break-away force \
             with the time at rest. The damping force is not limited: at a sudden start F_R exceeds F_s by sigma_1 v.",
        ),
        (
            "Varying normal force",
            "Where F_N falls, at rest or while sliding, the bristle\u{2019}s part of the force is limited to F_s; the equations as \
             printed exceed it there. The deflection beyond the limit decays with the \
             next motion. When the contact opens, z is reset to 0.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[],
    events: EVENTS,
    parameters: &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA, SIGMA_0, SIGMA_1, SIGMA_2],
    structure: Structure { force: FORCE, at_rest: &[], sticking: BEND, rates: &[BEND], response: FORCE },
};

static MEASURED: MeasuredForm = MeasuredForm {
    replaced: &[MU_S, MU_D, V_STRIBECK, DELTA_SIGMA],
    at_first_point: &[],
    static_force: "the largest coefficient of the curve times F_N",
    equations: &[Equation {
        number: "(14)",
        latex: r"G(v) = \mu(|v|)\,F_N, \qquad F_s = \max(\mu)\,F_N",
        meaning: "The measured curve in place of Stribeck\u{2019}s; mu_a below its first speed v_a, mu_b beyond its last, v_b.",
    }],
};

/// LuGre with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGre {
    curve: Exponential,
    sigma_0: f64,
    sigma_1: f64,
    sigma_2: f64,
}

impl LuGre {
    fn of(curve: Exponential, values: &Values) -> Self {
        LuGre { curve, sigma_0: values[&SIGMA_0], sigma_1: values[&SIGMA_1], sigma_2: values[&SIGMA_2] }
    }

    /// Deflection at which the elastic force is limited, F_s/σ_0, m.
    fn max_deflection(&self, contact: Contact) -> f64 {
        self.curve.mu_s * contact.F_N / self.sigma_0
    }

    /// Friction force of steady sliding without viscous friction, G, N.
    fn sliding_force(&self, contact: Contact) -> f64 {
        self.curve.at(contact.v.abs()).0 * contact.F_N
    }

    /// Decay rate of the deflection, σ_0 |v|/G, 1/s; 0 at rest, also in an open contact.
    fn decay_rate(&self, contact: Contact) -> f64 {
        if contact.v == 0.0 { 0.0 } else { self.decay_rate_under(self.sliding_force(contact), contact) }
    }

    /// Decay rate of the deflection in a closed contact with the sliding force G (N), 1/s.
    fn decay_rate_under(&self, sliding_force: f64, contact: Contact) -> f64 {
        self.sigma_0 * contact.v.abs() / sliding_force
    }

    /// The deflection `z` (m) within its limit.
    fn limited(&self, contact: Contact, z: f64) -> f64 {
        let limit_z = self.max_deflection(contact);
        z.clamp(-limit_z, limit_z)
    }

    /// F_R with the limited deflection (m), and the rate (m/s) that it would have, N.
    fn force(&self, contact: Contact, limited_z: f64, rate: f64) -> f64 {
        self.sigma_0 * limited_z + self.sigma_1 * rate + self.sigma_2 * contact.v
    }

    /// Advances the deflection in closed form over `duration` (s) of a closed contact with held inputs; returns loss (J) and impulse
    /// (N·s). The equation is linear for all z; where the elastic force is limited, F_R is constant until z returns to the limit.
    fn hold(&self, contact: Contact, [z]: &mut [f64; 1], duration: f64) -> [f64; 2] {
        let limit_z = self.max_deflection(contact);
        let at_rest = [0.0, self.sigma_0 * z.clamp(-limit_z, limit_z) * duration];
        if contact.v == 0.0 {
            return at_rest;
        }
        let sliding_force = self.sliding_force(contact);
        let decay_rate = self.decay_rate_under(sliding_force, contact);
        if decay_rate <= 0.0 {
            return at_rest;
        }
        let steady = (sliding_force / self.sigma_0).copysign(contact.v);
        let (mut impulse, mut rest) = (self.sigma_2 * contact.v * duration, duration);
        if z.abs() > limit_z {
            let limit = limit_z.copysign(*z);
            let ratio = (*z - steady) / (limit - steady);
            let limited = if ratio >= 1.0 { (libm::log(ratio) / decay_rate).min(duration) } else { duration };
            impulse += (self.sigma_0 * limit + self.sigma_1 * (contact.v - decay_rate * limit)) * limited;
            if limited >= duration {
                *z = steady + (*z - steady) * exponential::decay(decay_rate * duration);
                return [impulse * contact.v, impulse];
            }
            (*z, rest) = (limit, duration - limited);
        }
        // 1 − exp(−x) with x = decay_rate·rest, without its cancellation, and x over it: at denormal speeds x has few digits.
        let x = decay_rate * rest;
        let decayed = -libm::expm1(-x);
        let mean = if x > f64::EPSILON { decayed / x } else { 1.0 };
        let change = (steady - *z) * decayed;
        impulse += self.sigma_0 * (steady - (steady - *z) * mean) * rest + self.sigma_1 * change;
        *z += change;
        [impulse * contact.v, impulse]
    }

    /// Advances the bristle over `duration` (s) with these integrals: in closed form under held inputs.
    fn advance_by(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 1],
        [duration, tolerance]: [f64; 2],
        solver: &mut Radau,
        wanted: Integrals,
    ) -> Result<StepResult, SolverError> {
        if trajectory.derivatives.is_none() && !trajectory.start.is_open() {
            let [loss, impulse] = self.hold(trajectory.start, x, duration);
            return Ok(StepResult { loss, impulse, inner_steps: 1, force_error: 0.0 });
        }
        let &LuGre { curve, sigma_0, sigma_1, sigma_2 } = self;
        let bristle = Bristle { curve, sigma_0, sigma_1, sigma_2, alpha: 1.0 };
        relaxation::advance(self, &bristle, trajectory, x, [duration, tolerance], solver, wanted)
    }
}

impl Law<1> for LuGre {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    const MEASURED: &'static MeasuredForm = &MEASURED;

    fn new(values: &Values) -> Result<Self, InputError> {
        Ok(LuGre::of(Exponential::new(values)?, values))
    }

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        Ok(LuGre::of(Exponential::of_measured(characteristic), values))
    }

    #[inline(always)] // the rates of a body need part of it only
    fn evaluate(&self, contact: Contact, &[z]: &[f64; 1], (): &()) -> Evaluation<1> {
        if contact.is_open() {
            return Evaluation { F_R: 0.0, sticking: false, rate: [0.0] };
        }
        let decay_rate = self.decay_rate(contact);
        let rate = contact.v - decay_rate * z;
        let limited_z = self.limited(contact, z);
        let damped = contact.v - decay_rate * limited_z;
        Evaluation { F_R: self.force(contact, limited_z, damped), sticking: sticks(contact, rate), rate: [rate] }
    }

    fn force_at_rates(&self, contact: Contact, &[z]: &[f64; 1], &[rate]: &[f64; 1], (): &()) -> f64 {
        if contact.is_open() {
            return 0.0;
        }
        let limited_z = self.limited(contact, z);
        let damped = if z == limited_z { rate } else { contact.v - self.decay_rate(contact) * limited_z };
        self.force(contact, limited_z, damped)
    }

    #[allow(non_snake_case)] // the papers' symbols
    fn jacobian(&self, contact: Contact, &[z]: &[f64; 1], (): &()) -> Jacobian<1> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let (mu, mu_slope) = self.curve.at(contact.v.abs());
        let sliding_force = mu * contact.F_N;
        let decay_rate = self.decay_rate_under(sliding_force, contact);
        // ∂(|v|/μ)/∂v over |v|/μ, times |v|/μ.
        let decay_rate_v = self.sigma_0 / sliding_force * (1.0 - contact.v.abs() * mu_slope / mu) * sgn(contact.v);
        let limited_z = self.limited(contact, z);
        let limited = z != limited_z;
        let rate_F_N = |z: f64| decay_rate * z / contact.F_N;
        let rate_v = |z: f64| 1.0 - decay_rate_v * z;
        let by_limited_z = self.sigma_0 - self.sigma_1 * decay_rate;
        Jacobian {
            rate_x: [[-decay_rate]],
            rate_F_N: [rate_F_N(z)],
            rate_v: [rate_v(z)],
            F_R_x: [if limited { 0.0 } else { by_limited_z }],
            F_R_F_N: self.sigma_1 * rate_F_N(limited_z)
                + if limited { by_limited_z * limited_z / contact.F_N } else { 0.0 },
            F_R_v: self.sigma_1 * rate_v(limited_z) + self.sigma_2,
            ..Jacobian::ZERO
        }
    }

    fn scale(&self, contact: Contact, &[z]: &[f64; 1]) -> [f64; 1] {
        // ∂F_R/∂z is σ_0, or σ_1 times the decay rate of z where that is more.
        let sensitivity = (self.sigma_1 * self.decay_rate(contact) / self.sigma_0).max(1.0);
        [self.max_deflection(contact).max(z.abs()) / sensitivity]
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn mean_error_scale(&self, contact: Contact, &[z]: &[f64; 1], duration: f64) -> [f64; 1] {
        // As in `scale`, but the decay rate counts up to that of the duration only, and F_R does not depend on z beyond the limit: there the
        // error may be as large as the excess, so that the return to the limit has its time.
        let largest = MEAN_RESOLUTION / duration;
        let [least, most] = self.curve.bounds().map(|mu| self.decay_rate_under(mu * contact.F_N, contact));
        // The exponential is for a rate between both bounds alone.
        let sensitivity_to = |rate: f64| self.sigma_1 * rate / self.sigma_0;
        let rate = if least >= largest {
            largest
        } else if sensitivity_to(most) <= 1.0 {
            0.0
        } else {
            self.decay_rate(contact).min(largest)
        };
        let sensitivity = sensitivity_to(rate).max(1.0);
        let limit = self.max_deflection(contact);
        let excess = z.abs() - limit;
        if excess <= 0.0 {
            return [limit / sensitivity];
        }
        // The faster the return, the less its time counts.
        let ease = (self.decay_rate(contact) / largest).clamp(1.0, MAX_EASE);
        [limit / sensitivity + ease * excess]
    }

    fn kink_at_rest(&self) -> f64 {
        self.curve.v_stribeck
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.curve.mu_s * normal_force
    }

    fn velocity_error_scale(&self, contact: Contact) -> f64 {
        self.static_force(contact.F_N) / (self.sigma_1 + self.sigma_2)
    }

    fn force_rounding(&self, max_speed: f64) -> f64 {
        damping_rounding(self.sigma_1 + self.sigma_2, max_speed)
    }

    /// The damping σ_1 dz/dt acts while the deflection changes only: while it is limited, over a distance of F_s/σ_0 times the logarithm
    /// of its excess, and then up to twice the largest deflection after each of three reversals at most.
    fn largest_impulse(&self, contact: Contact, &[z]: &[f64; 1], max_speed: f64, duration: f64) -> f64 {
        let Exponential { mu_s, mu_d, .. } = self.curve;
        let largest = self.max_deflection(contact);
        let excess = libm::log((z.abs() / largest).max(1.0));
        let damped = self.sigma_1 * largest * (6.0 + (1.0 + mu_s / mu_d) * excess);
        (self.static_force(contact.F_N) + self.sigma_2 * max_speed) * duration + damped
    }

    fn indicators(&self, contact: Contact, _: &[f64; 1], (): &()) -> [f64; MAX_EVENTS] {
        indicators(contact)
    }

    fn handle_event(&self, contact: Contact, [z]: &mut [f64; 1], (): &mut ()) -> bool {
        reset_open(contact, z)
    }

    fn advance(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 1],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        self.advance_by(trajectory, x, [duration, tolerance], solver, Integrals::First)
    }

    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 1],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        solver: &mut Radau,
    ) -> Result<StepResult, SolverError> {
        self.advance_by(trajectory, x, [duration, tolerance], solver, Integrals::Both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At μ = μ_s the steady deflection is at the limit to its rounding, and may be on either side of it.
    #[test]
    fn reversal_from_the_limit_is_that_from_next_to_it() {
        let law = LuGre::new(&Values::of(METADATA.parameters)).expect("a law accepts its defaults");
        for (normal, speed) in [(10.0, 1e-12), (10.0, 1e-7), (0.3, 1e-9), (7.33, 1e-8)] {
            let contact = Contact::new(normal, -speed);
            let limit = law.max_deflection(contact);
            let duration = 3.0 / law.decay_rate(contact);
            let [_, below] = law.hold(contact, &mut [limit * (1.0 - 1e-14)], duration);
            let mut z = limit;
            for _ in 0..8 {
                let [loss, impulse] = law.hold(contact, &mut [z], duration);
                assert!((impulse / below - 1.0).abs() < 1e-10, "{impulse} N s, not {below} N s, from {z} m");
                assert_eq!(loss, impulse * contact.v);
                z = z.next_up();
            }
        }
    }

    #[test]
    fn impulse_stays_within_its_bound_which_is_that_of_sliding_and_some_deflections() {
        let law = LuGre::new(&Values::of(METADATA.parameters)).expect("a law accepts its defaults");
        let contact = Contact { F_N: 10.0, ..Contact::ZERO };
        let limit = law.max_deflection(contact);
        let of_damping = law.sigma_1 * limit;
        let mut largest: f64 = 0.0;
        // Logarithms of the deflection over its limit.
        for excess in [-40.0, -1.0, 0.0, 0.5, 1.0, 3.0, 9.0] {
            for (v, duration) in [-10.0, -0.1, -1e-3, 1e-3, 0.1, 10.0]
                .into_iter()
                .flat_map(|v: f64| [1e-6, 1e-5, 1e-4, 1e-2].map(|duration| (v, duration)))
            {
                let z = limit * libm::exp(excess);
                let bound = law.largest_impulse(contact, &[z], v.abs(), duration);
                let [_, impulse] = law.hold(Contact { v, ..contact }, &mut [z], duration);
                assert!(impulse.abs() <= bound, "{impulse} N s beyond {bound} N s at {excess}, {v} m/s, {duration} s");
                let sliding = law.static_force(contact.F_N) * duration;
                assert!(bound - sliding <= of_damping * (6.1 + 3.0 * excess.max(0.0)), "{bound} at {excess}");
                largest = largest.max((impulse.abs() - sliding) / of_damping);
            }
        }
        // The damping acts over the logarithm of the excess.
        assert!(largest > 12.0, "{largest} deflections");
    }
}
