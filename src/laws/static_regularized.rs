//! Static friction model with a regularised characteristic, which the papers compare with dynamic
//! models.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021, Fig.
//! 1b: the characteristic of FrDyn2 without its shift.

use super::regularised;
use super::regularised::metadata::{
    AT_FIRST_POINT, DIRECTED, MU_D, MU_S, REPLACED, STATIC_FORCE, V_D, V_S,
};
use super::symbols::{NO_PHENOMENA, RILL_SCHUDERER};
use crate::characteristic::{Measured, Regularised, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, Law, LawMetadata, MeasuredForm, Numerics, Phenomena,
    StepLimits, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Values};

pub(super) static METADATA: LawMetadata = LawMetadata {
    name: "StaticRegularized",
    title: "Static friction model with a regularised characteristic",
    summary: "Force over velocity alone, made continuous at rest by a steep parabola: simple and \
              passive, but it creeps \
              where it should stick.",
    kind: "static",
    source: RILL_SCHUDERER,
    place: "Fig. 1b, Listing A4 without the shift",
    equations: &[Equation {
        number: "Fig. 1b",
        latex: r"\frac{F_R}{F_N} = \frac{v}{|v|} \cdot \begin{cases} \mu_s\,x_1\,(2 - x_1) & |v| \le v_s, \quad x_1 = |v|/v_s \\ \mu_s - (\mu_s - \mu_d)\,x_2^2\,(3 - 2\,x_2) & v_s < |v| < v_d, \quad x_2 = (|v| - v_s)/(v_d - v_s) \\ \mu_d & |v| \ge v_d \end{cases}",
        meaning: "The regularised characteristic: parabola, cubic, constant.",
    }],
    sticking: "|v| \u{2264} v_s: the range that stands for stick.",
    phenomena: Phenomena {
        stribeck: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The Stribeck effect and sliding. |F_R| never exceeds F_s = mu_s F_N.",
        ),
        (
            "Not modelled",
            "Stick: under a load F below F_s the body creeps with the velocity at which the \
             parabola balances the load, \
             v_s (1 \u{2212} \u{221a}(1 \u{2212} F/F_s)), for ever: 0.9 v_s under 0.99 F_s. No \
             pre-sliding displacement, no \
             memory.",
        ),
    ],
    inputs: &[],
    states: &[],
    modes: &[],
    events: &[],
    parameters: &[MU_S, V_S, MU_D, V_D],
    directed: DIRECTED,
    structure: Structure {
        sticking: on(&[F_N, V]).initially(&[V_S]),
        ..Structure::of_force(on(&[F_N, V]).initially(&[MU_S, V_S, MU_D, V_D]))
    },
    measured: &MEASURED,
    ..LawMetadata::EMPTY
};

static MEASURED: MeasuredForm = MeasuredForm {
    replaced: REPLACED,
    at_first_point: AT_FIRST_POINT,
    static_force: STATIC_FORCE,
    has_one_range: false,
    replaced_equation: "Fig. 1b",
    equations: &[Equation {
        number: "Fig. 1b",
        latex: r"\frac{F_R}{F_N} = \frac{v}{|v|} \cdot \begin{cases} \mu_a\,x_1\,(2 - x_1) & |v| \le v_a, \quad x_1 = |v|/v_a \\ \mu(|v|) & |v| > v_a \end{cases}",
        meaning: "The parabola up to the first point (v_a, mu_a), then the measured curve; mu_b \
                  or the last slope beyond its last speed, v_b.",
    }],
    notes_left_out: &[],
};

/// The regularised characteristic as a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StaticRegularized(pub(super) Signed<Characteristic>);

/// The characteristic of one direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Characteristic {
    published: Regularised,
    measured: Option<&'static Measured>,
}

impl Characteristic {
    /// Coefficient of friction at a speed (m/s).
    pub(super) fn coefficient<S: Scalar>(&self, speed: S) -> S {
        let (mu, slope) = match self.measured.filter(|_| speed.value() > self.published.v_s) {
            Some(curve) => curve.at(speed.value()),
            None => self.published.at(speed.value()),
        };
        speed.chain(mu, slope)
    }

    /// Speed up to which the characteristic stands for stick, m/s.
    pub(super) fn stick_speed(&self) -> f64 {
        self.published.v_s
    }

    /// Speeds at which the second derivative jumps, m/s; infinite for a measured curve.
    fn kinks(&self) -> [f64; 2] {
        let Regularised { v_s, v_d, .. } = self.published;
        if self.measured.is_some() {
            [f64::INFINITY; 2]
        } else {
            [v_s, v_d]
        }
    }
}

impl Law<0> for StaticRegularized {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = ();

    fn new(values: &Values, measured: Option<&'static Measured>) -> Result<Self, InputError> {
        let published = measured.map_or_else(
            || regularised::read(values),
            |curve| Ok(Regularised::limits_of(curve)),
        )?;
        Ok(StaticRegularized(Signed::even(Characteristic {
            published,
            measured,
        })))
    }

    fn signed(self, backward: Self) -> Result<Self, InputError> {
        Ok(StaticRegularized(self.0.joined(backward.0)))
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, _: &[S; 0], (): &()) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let (speed, side) = (contact.v.abs(), self.0.of(contact.v.value()));
        let force = side.coefficient(speed) * contact.F_N;
        let force = if contact.v.value() < 0.0 {
            -force
        } else {
            force
        };
        Evaluation {
            sticking: speed.value() <= side.stick_speed(),
            ..Evaluation::of_force(force)
        }
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        let side = self.0.of(contact.v);
        let [v_s, v_d] = side.kinks();
        Numerics {
            // The slope of the parabola at rest is 2 F_s/v_s.
            velocity_scale: 0.5 * side.stick_speed(),
            kinks: [v_s, v_d, f64::INFINITY, f64::INFINITY],
            limits: StepLimits::along(side.stick_speed(), contact.v.abs()),
            ..Numerics::of([])
        }
    }
}
