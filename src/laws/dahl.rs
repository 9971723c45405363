//! Dahl's friction model: an elastic deflection that saturates at the Coulomb force.
//!
//! Source: A. Kargaonkar, N. K. Singh, European Journal of Mechanical Engineering Research 2024, 11(2), 76–92,
//! doi 10.37745/ejmer.2014/vol11n27692, equations (8)–(11). Beyond the Coulomb force and for α ≠ 1 the power of a negative
//! number is read as sgn(b)|b|^α.
//!
//! The force is a function of the displacement alone. Under a constant normal force it has a closed form along any motion of the
//! contact, from reversal to reversal; under a varying one the distance from the steady deflection is integrated.

use super::axes::Axes;
use super::bristle::{DER_Z, EVENTS, SIGMA_0, Z, indicators, reset_open, sticks};
use super::first_order::{Constants, FirstOrder};
use super::planar::bristle_metadata::DAHL;
use super::symbols::{DEFAULTS_OF_TABLE_3, Exponential, KARGAONKAR_SINGH, MU_D, NO_PHENOMENA, bounds, sgn};
use crate::integrate::SolverError;
use crate::integrate::exponential;
use crate::integrate::memory::Memory;
use crate::law::{
    self, Contact, Dependencies, Equation, Evaluation, F_N, InputTrajectory, Jacobian, Law, LawMetadata, MAX_EVENTS,
    MeasuredForm, Phenomena, StepResult, Structure, V, on,
};
use crate::variable::{InputError, Unit, Values, Variable};

const ALPHA: Variable = Variable::parameter(
    38,
    "alpha",
    r"\alpha",
    Unit::One,
    1.0,
    "Shape of the force over the displacement: below 1 brittle, above 1 ductile",
)
.within(bounds::EXPONENT);

/// Dependencies of der(z), the part of the motion that deflects the bristle.
const BEND: Dependencies = on(&[F_N, V, Z]).initially(&[MU_D, SIGMA_0, ALPHA]);

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "Dahl",
    title: "Dahl\u{2019}s friction model",
    summary: "A bristle whose deflection saturates at the Coulomb force: hysteresis in the displacement, whatever the speed.",
    kind: "dynamic, first order",
    source: KARGAONKAR_SINGH,
    place: "equations (8)\u{2013}(11)",
    equations: &[
        Equation {
            number: "(8)",
            latex: r"\frac{\mathrm{d}F}{\mathrm{d}x} = \sigma_0 \operatorname{sgn}(b)\,|b|^\alpha, \qquad b = 1 - \frac{F}{F_c} \operatorname{sgn}(v), \qquad F_c = \mu_k\,F_N",
            meaning: "The force over the displacement, as a stress\u{2013}strain curve.",
        },
        Equation {
            number: "(10)",
            latex: r"F_R = \max\left(-F_c,\,\min\left(F_c,\,\sigma_0\,z\right)\right)",
            meaning: "The elastic force, printed without the limit: it acts where F_N falls faster than the bristle unbends.",
        },
        Equation {
            number: "(11)",
            latex: r"\dot z = v \operatorname{sgn}(b)\,|b|^\alpha",
            meaning: "Its rate; printed for alpha = 1.",
        },
    ],
    sticking: "|v \u{2212} der(z)| \u{2264} |v|/2: at least half of the motion goes into the bristle.",
    phenomena: Phenomena { pre_sliding: true, ..NO_PHENOMENA },
    notes: &[
        (
            "Modelled",
            "Pre-sliding displacement with hysteresis, independent of the rate. |F_R| never exceeds F_c = mu_d F_N.",
        ),
        (
            "Not modelled",
            "Static friction above the kinetic one, the Stribeck effect, memory. Under a load that pulsates below F_c the \
             body drifts.",
        ),
        (
            "Varying normal force",
            "Where F_N falls, at rest or while sliding, the force is limited to the present F_c; with the equations as printed it \
             exceeds F_c until sliding has reduced the deflection. The deflection beyond the limit decays with that sliding. When \
             the contact opens, z is reset to 0.",
        ),
        DEFAULTS_OF_TABLE_3,
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[],
    events: EVENTS,
    parameters: &[MU_D, SIGMA_0, ALPHA],
    structure: Structure {
        force: on(&[F_N, Z]).initially(&[MU_D, SIGMA_0]),
        at_rest: &[],
        sticking: BEND,
        rates: &[BEND],
        response: BEND,
    },
};

/// Distance from saturation, 1 − σ_0 z/F_c, below which the derivative of |b|^α with α < 1 is cut off.
const SATURATED: f64 = 1e-9;
/// Width of the smoothed singularity over the tolerance.
const SMOOTHED_SHARE: f64 = 0.3;

/// Tolerance of the general integrator over that of the step where α ≠ 1: next to an opening b varies with F_N over decades, and the error
/// estimate of a step that begins there sees little of it.
const SHARE_OF_POWER: f64 = 1e-2;

/// Dahl's model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dahl {
    mu_d: f64,
    sigma_0: f64,
    alpha: f64,
    /// Half the width of the singularity at saturation, in b, where it is smoothed; 0 for the law as printed.
    smoothing: f64,
}

impl Dahl {
    /// The part sgn(b)|b|^α of the motion that bends the bristle, and its derivative by b.
    fn bending(&self, contact: Contact, z: f64) -> (f64, f64) {
        let b = 1.0 - self.sigma_0 * z / (self.mu_d * contact.F_N) * sgn(contact.v);
        if self.alpha == 1.0 {
            return (b, 1.0);
        }
        if self.smoothing > 0.0 {
            // b (b² + δ²)^((α − 1)/2) in place of b |b|^(α − 1).
            let (square, width) = (b * b, self.smoothing * self.smoothing);
            let power = libm::pow(square + width, 0.5 * (self.alpha - 1.0));
            return (b * power, power * (self.alpha * square + width) / (square + width));
        }
        // For α < 1 the derivative is infinite at b = 0, where the bristle saturates.
        let steepness = self.alpha * libm::pow(b.abs().max(SATURATED), self.alpha - 1.0);
        (libm::pow(b.abs(), self.alpha).copysign(b), steepness)
    }

    /// Sliding distance over F_c/σ_0 in which b > 0 falls from `before` to `after`.
    fn distance(&self, before: f64, after: f64) -> f64 {
        if self.alpha == 1.0 {
            libm::log(before / after)
        } else {
            let power = 1.0 - self.alpha;
            (libm::pow(before, power) - libm::pow(after, power)) / power
        }
    }

    /// Value of b ≥ 0 after a sliding distance s over F_c/σ_0, db/ds = −b^α, and the integral of b over s.
    fn decay(&self, before: f64, distance: f64) -> (f64, f64) {
        if self.alpha == 1.0 {
            return (before * exponential::decay(distance), -before * libm::expm1(-distance));
        }
        let power = libm::pow(before, 1.0 - self.alpha) - (1.0 - self.alpha) * distance;
        let after = if before > 0.0 && power > 0.0 { libm::pow(power, 1.0 / (1.0 - self.alpha)) } else { 0.0 };
        // For a small distance the quotient of differences is mostly rounding.
        let area = if distance <= 1e-6 * before {
            0.5 * (before + after) * distance
        } else if self.alpha == 2.0 {
            libm::log(before / after)
        } else {
            let power = 2.0 - self.alpha;
            (libm::pow(before, power) - libm::pow(after, power)) / power
        };
        (after, if before > 0.0 { area } else { 0.0 })
    }

    /// Elastic force within its limit in a closed contact, N.
    fn elastic_force(&self, contact: Contact, z: f64) -> f64 {
        let limit = self.mu_d * contact.F_N;
        (self.sigma_0 * z).clamp(-limit, limit)
    }

    /// Advances `z` (m) over a displacement `travel` (m) without reversal under a constant normal force; returns the loss, J.
    fn slide(&self, contact: Contact, z: &mut f64, travel: f64) -> f64 {
        if travel == 0.0 {
            return 0.0;
        }
        let limit = self.mu_d * contact.F_N;
        let side = sgn(travel);
        let distance = self.sigma_0 * travel.abs() / limit;
        let before = 1.0 - self.sigma_0 * *z / limit * side;
        let (after, _) = self.decay(before.abs(), distance);
        *z = side * limit / self.sigma_0 * (1.0 - after.copysign(before));
        // ∫ F/F_c over the distance: F/F_c = 1 − b, limited to −1 … 1.
        let work = if before < 0.0 {
            distance
        } else if before <= 2.0 {
            distance - self.decay(before, distance).1
        } else {
            let limited = self.distance(before, 2.0).min(distance);
            -limited + (distance - limited) - self.decay(2.0, distance - limited).1
        };
        limit * limit / self.sigma_0 * work
    }

    /// Advances the bristle over `duration` (s) by integration.
    fn integrate(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 1],
        [duration, tolerance]: [f64; 2],
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        if self.alpha == 1.0 {
            let law: Axes<FirstOrder<OfDahl>, 1, 1> =
                Axes(FirstOrder::of(Exponential::constant(self.mu_d), [self.sigma_0, 0.0, 0.0]));
            return law.advance(trajectory, x, &mut (), duration, tolerance, memory);
        }
        let law = self.smoothed(tolerance).unwrap_or(*self);
        law::advance(&law, trajectory, x, &mut (), duration, SHARE_OF_POWER * tolerance, memory)
    }
}

/// Dahl's description and constants with α = 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OfDahl;

impl Constants for OfDahl {
    const METADATA: [&'static LawMetadata; 2] = [&METADATA, &DAHL];
    const MEASURED: &'static MeasuredForm = &MeasuredForm::NONE;

    fn curve(values: &Values) -> Result<Exponential, InputError> {
        Ok(Exponential::constant(values[&MU_D]))
    }

    fn sigma(values: &Values) -> [f64; 3] {
        [values[&SIGMA_0], 0.0, 0.0]
    }
}

/// Dahl's model in the plane.
pub type PlanarDahl = Axes<FirstOrder<OfDahl>, 2, 2>;

impl Law<1> for Dahl {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values) -> Result<Self, InputError> {
        // The form in the plane has no α, and 0 in its place.
        let alpha = if values[&ALPHA] > 0.0 { values[&ALPHA] } else { 1.0 };
        Ok(Dahl { mu_d: values[&MU_D], sigma_0: values[&SIGMA_0], alpha, smoothing: 0.0 })
    }

    #[inline(always)] // the rates of a body need part of it only
    fn evaluate(&self, contact: Contact, &[z]: &[f64; 1], (): &()) -> Evaluation<1> {
        if contact.is_open() {
            return Evaluation { F_R: 0.0, sticking: false, rate: [0.0] };
        }
        let rate = contact.v * self.bending(contact, z).0;
        Evaluation { F_R: self.elastic_force(contact, z), sticking: sticks(contact, rate), rate: [rate] }
    }

    fn force_at_rates(&self, contact: Contact, &[z]: &[f64; 1], _: &[f64; 1], (): &()) -> f64 {
        if contact.is_open() { 0.0 } else { self.elastic_force(contact, z) }
    }

    fn jacobian(&self, contact: Contact, &[z]: &[f64; 1], (): &()) -> Jacobian<1> {
        if contact.is_open() {
            return Jacobian::ZERO;
        }
        let limit = self.mu_d * contact.F_N;
        let (bending, steepness) = self.bending(contact, z);
        let rate_z = -contact.v.abs() * steepness * self.sigma_0 / limit;
        let limited = (self.sigma_0 * z).abs() > limit;
        Jacobian {
            rate_x: [[rate_z]],
            rate_F_N: [-rate_z * z / contact.F_N],
            rate_v: [bending],
            F_R_x: [if limited { 0.0 } else { self.sigma_0 }],
            F_R_F_N: if limited { self.mu_d.copysign(z) } else { 0.0 },
            ..Jacobian::ZERO
        }
    }

    fn scale(&self, contact: Contact, &[z]: &[f64; 1]) -> [f64; 1] {
        [(self.mu_d * contact.F_N / self.sigma_0).max(z.abs())]
    }

    fn stiffness(&self) -> f64 {
        self.sigma_0
    }

    fn kink_at_rest(&self) -> f64 {
        f64::INFINITY
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.mu_d * normal_force
    }

    fn smoothed(&self, tolerance: f64) -> Option<Self> {
        (self.alpha < 1.0).then_some(Dahl { smoothing: SMOOTHED_SHARE * tolerance, ..*self })
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
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        let contact = trajectory.start;
        if contact.is_open() || trajectory.travel(duration).is_none() {
            return self.integrate(trajectory, x, [duration, tolerance], memory);
        }
        let mut done = StepResult::default();
        let (mut z, mut travelled) = (x[0], 0.0);
        for breakpoint in trajectory.breakpoints(duration) {
            let travel = trajectory.travel(breakpoint).map_or(0.0, |(travel, _)| travel);
            done.loss += self.slide(contact, &mut z, travel - travelled);
            travelled = travel;
            done.inner_steps += 1;
        }
        x[0] = z;
        Ok(done)
    }

    fn advance_with_impulse(
        &self,
        trajectory: &InputTrajectory,
        x: &mut [f64; 1],
        (): &mut (),
        duration: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> Result<StepResult, SolverError> {
        self.integrate(trajectory, x, [duration, tolerance], memory)
    }
}
