//! The stick–slip model of Adams, reconstructed from its published behaviour.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021, Sec.
//! 2 and 4–6: a static force as a function of velocity and of a fictitious displacement that is
//! limited, and a smooth step to the dynamic force. The polynomials are inferred; they land on the
//! published 0.71e-6 m, the offset of 0.12e-6 m and the slow decay. Nothing here is a vendor's
//! code.

use super::regularised::metadata::{MU_D, MU_S, V_D};
use super::symbols::{NO_PHENOMENA, RILL_SCHUDERER, bounds, coefficients, sgn};
use crate::characteristic::Measured;
use crate::law::{
    BEYOND, Contact, Equation, Evaluation, Events, F_N, Law, LawMetadata, MAX_EVENTS, MOTION,
    Motion, NOMINAL_VELOCITY, Numerics, Path, Phenomena, Polynomial, REST, Rate, Structure, V, on,
    opening,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

const Z: Variable = Variable::state(
    16,
    "z",
    "z",
    Unit::Metre,
    "Fictitious displacement of the contact, positive for v > 0, limited to Delta",
)
.nominal(1e-6)
.reinit();
const DER_Z: Variable = Variable::derivative(
    17,
    &Z,
    "der(z)",
    r"\dot z",
    Unit::MetrePerSecond,
    "Time derivative of z",
);
const LIMIT: Variable = Variable::mode(MOTION, "limit", "-1 at -Delta, 0 free, 1 at Delta");

const V_S: Variable = Variable::parameter(
    35,
    "v_s",
    "v_s",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity up to which the contact sticks",
)
.within(bounds::SPEED);
/// Δ: with the default the initial stiffness 15/8 F_s/Δ is that of the bristle of the default
/// contact, at its normal force of 9.81 N. The source's plots suggest 1e-6 m.
const DELTA: Variable = Variable::parameter(
    38,
    "Delta",
    r"\Delta",
    Unit::Metre,
    2.20725e-6,
    "Largest displacement in stick",
)
.within(bounds::DISPLACEMENT);

static METADATA: LawMetadata = LawMetadata {
    name: "AdamsStickSlip",
    title: "Stick\u{2013}slip model of Adams, reconstructed from published behaviour",
    summary: "A static force from a limited displacement and the velocity, with a smooth step to \
              the dynamic force.",
    kind: "dynamic, switching",
    source: RILL_SCHUDERER,
    place: "Sec. 2, 4\u{2013}6",
    equations: &[
        Equation {
            number: "stick",
            latex: r"F_R = F_s \left[(1 - |b|)\,q\!\left(\frac{z}{\Delta}\right) + b\right], \qquad b = q\!\left(\frac{v}{v_s}\right), \qquad |v| \le v_s",
            meaning: "The static force by displacement and velocity, with F_s = mu_s F_N.",
        },
        Equation {
            number: "step",
            latex: r"q(s) = \frac{s\,(15 - 10\,s^2 + 3\,s^4)}{8}, \qquad |s| \le 1",
            meaning: "The inferred step polynomial, odd, flat at \u{b1}1.",
        },
        Equation {
            number: "slip",
            latex: r"\frac{|F_R|}{F_N} = \begin{cases} \mu_s - (\mu_s - \mu_d)\,t^3\,(10 - 15\,t + 6\,t^2) & v_s < |v| < v_d, \quad t = (|v| - v_s)/(v_d - v_s) \\ \mu_d & |v| \ge v_d \end{cases}",
            meaning: "The step to the dynamic force.",
        },
        Equation {
            number: "creep",
            latex: r"\dot z = v, \qquad |z| \le \Delta",
            meaning: "The fictitious displacement follows the contact up to the limit.",
        },
    ],
    sticking: "|v| \u{2264} v_s.",
    phenomena: Phenomena {
        stribeck: true,
        pre_sliding: true,
        long_term_stick: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "A reconstruction",
            "This element is reconstructed from published behaviour: the source\u{2019}s \
             description and plots. It contains no \
             vendor\u{2019}s code, and the product may behave differently.",
        ),
        (
            "Modelled",
            "Long-term stick with a digressive pre-sliding displacement, break-away, the Stribeck \
             effect. |F_R| never \
             exceeds F_s.",
        ),
        (
            "Not modelled",
            "A decay of displacements as fast as their growth: after an overshoot the body creeps \
             back slowly, and keeps a \
             small offset.",
        ),
        ("An open contact", "resets the displacement: z = 0."),
        (
            "Defaults",
            "describe the contact of FrDyn2\u{2019}s paper, as those of every element do: Delta \
             gives the stiffness 5e6 N/m at z = 0 and \
             9.81 N. The Delta that the paper\u{2019}s plots suggest, 1e-6 m, is that of the card \
             of this law in cards/papers.",
        ),
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[LIMIT],
    events: &[
        "the contact opens or closes",
        "z reaches Delta or leaves it",
        "v passes through 0",
    ],
    parameters: &[MU_S, V_S, MU_D, V_D, DELTA],
    structure: Structure {
        force: on(&[F_N, V, Z]).initially(&[MU_S, V_S, MU_D, V_D, DELTA]),
        at_rest: &[],
        sticking: on(&[F_N, V]).initially(&[V_S]),
        rates: &[on(&[F_N, V]).initially(&[Z, DELTA])],
        response: on(&[F_N, V, Z]).initially(&[MU_S, V_S, DELTA]),
    },
    ..LawMetadata::EMPTY
};

/// Share of Delta from which on an event at the limit is excluded while the contact moves inward.
/// The collocation polynomial of a coupled body deviates from its start by errors far above
/// [`BEYOND`] and far below 1 − NEAR, which would count as events at the limit.
const NEAR: f64 = 0.99;

/// The model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamsStickSlip {
    mu_s: f64,
    v_s: f64,
    mu_d: f64,
    v_d: f64,
    delta: f64,
}

/// The step polynomial, odd, ±1 beyond ±1.
fn step<S: Scalar>(s: S) -> S {
    let x = s.value();
    if x.abs() >= 1.0 {
        return S::constant(sgn(x));
    }
    let square = x * x;
    let rest = 1.0 - square;
    s.chain(
        x * (15.0 + square * (3.0 * square - 10.0)) / 8.0,
        15.0 / 8.0 * rest * rest,
    )
}

impl AdamsStickSlip {
    /// The coefficient with its sign.
    fn coefficient<S: Scalar>(&self, v: S, z: S) -> S {
        let speed = v.value().abs();
        if speed <= self.v_s {
            let elastic = step(z * (1.0 / self.delta));
            let b = step(v * (1.0 / self.v_s));
            // At v = 0 the slopes on both sides differ: their mean.
            let magnitude = b.chain(b.value().abs(), sgn(b.value()));
            return (elastic - magnitude * elastic + b) * self.mu_s;
        }
        let width = self.v_d - self.v_s;
        let t = ((speed - self.v_s) / width).min(1.0);
        let drop = self.mu_s - self.mu_d;
        let mu = self.mu_s - drop * t * t * t * (10.0 + t * (6.0 * t - 15.0));
        v.chain(
            mu.copysign(v.value()),
            -drop * 30.0 * t * t * (1.0 - t) * (1.0 - t) / width,
        )
    }
}

impl Law<1> for AdamsStickSlip {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Motion;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        let (v_s, v_d) = (values[&V_S], values[&V_D]);
        if v_d <= v_s {
            return Err(InputError::new(format!(
                "v_d = {v_d:?} m/s does not exceed v_s = {v_s:?} m/s, but full sliding begins \
                 above the range of stick; \
                 raise v_d or lower v_s"
            ))
            .about(&[V_D.name, V_S.name]));
        }
        Ok(AdamsStickSlip {
            mu_s,
            v_s,
            mu_d,
            v_d,
            delta: values[&DELTA],
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        &[z]: &[S; 1],
        limit: &Motion,
    ) -> Evaluation<1, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        Evaluation {
            sticking: contact.v.value().abs() <= self.v_s,
            rate: [if *limit == Motion::Stuck {
                contact.v
            } else {
                S::constant(0.0)
            }],
            ..Evaluation::of_force(self.coefficient(contact.v, z) * contact.F_N)
        }
    }

    fn numerics(&self, contact: Contact, _: &[f64; 1], _: f64) -> Numerics<1> {
        let force = self.mu_s * contact.F_N;
        Numerics {
            velocity_scale: 0.5 * self.v_s,
            static_force: force,
            error_force: force,
            kinks: [self.v_s, self.v_d, f64::INFINITY, f64::INFINITY],
            // The force is a function of z/Δ.
            stiffness: 1.0 / self.delta,
            ..Numerics::of([self.delta])
        }
    }
}

impl Events<AdamsStickSlip, 1> for Motion {
    fn indicators(
        &self,
        law: &AdamsStickSlip,
        contact: Contact,
        &[z]: &[f64; 1],
    ) -> [f64; MAX_EVENTS] {
        let stay = match *self {
            _ if contact.is_open() => 1.0,
            Motion::Stuck => 1.0 + BEYOND - z.abs() / law.delta,
            // A Delta that is tuned to a larger value releases z.
            at => {
                let moves_on = (at.sign() * contact.v + 2.0 * REST) / NOMINAL_VELOCITY;
                moves_on.min(z.abs() / law.delta - (1.0 - 2.0 * BEYOND))
            }
        };
        [opening(contact), stay, contact.v / NOMINAL_VELOCITY, 1.0]
    }

    fn exact_rates(&self, _: &AdamsStickSlip, contact: Contact) -> Option<[Rate; 1]> {
        let free = !contact.is_open() && *self == Motion::Stuck;
        Some([if free { Rate::Velocity } else { Rate::ZERO }])
    }

    fn polynomials(
        &self,
        law: &AdamsStickSlip,
        path: &Path<1>,
    ) -> Option<[Polynomial; MAX_EVENTS]> {
        let mut events = [Polynomial::constant(1.0); MAX_EVENTS];
        if *self == Motion::Stuck {
            let (reach, turned) = (
                Polynomial::constant(law.delta * (1.0 + BEYOND)),
                Polynomial::constant(2.0 * REST),
            );
            for (event, side) in events.iter_mut().zip([1.0, -1.0]) {
                let (z, v) = (path.x[0] * side, path.v * side);
                let leaves = v.at(0.0) < 0.0 && z.at(0.0) > NEAR * law.delta;
                *event = if leaves { turned - v } else { reach - z };
            }
        } else {
            events[0] = path.v * self.sign() + Polynomial::constant(2.0 * REST);
        }
        Some(events)
    }

    fn handle_event(&mut self, law: &AdamsStickSlip, contact: Contact, [z]: &mut [f64; 1]) -> bool {
        let before = (*z, *self);
        match *self {
            _ if contact.is_open() => (*z, *self) = (0.0, Motion::Stuck),
            Motion::Stuck if z.abs() < law.delta => {}
            // The motion reverses at the instant of reaching the limit: z is set to the limit, or
            // rounding would repeat the event.
            Motion::Stuck if *z * contact.v < 0.0 => *z = law.delta.copysign(*z),
            Motion::Stuck => (*z, *self) = (law.delta.copysign(*z), Motion::of(*z)),
            // A Delta that is tuned to a larger value while z is at the old limit releases z.
            at if at.sign() * contact.v < -REST || z.abs() < law.delta * (1.0 - BEYOND) => {
                *self = Motion::Stuck
            }
            _ => {}
        }
        before != (*z, *self)
    }
}
