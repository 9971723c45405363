//! The stick–slip model of Simpack, reconstructed from its published behaviour.
//!
//! Source: G. Rill, M. Schuderer, Modelling 2023, 4(3), 366–381, doi 10.3390/modelling4030021, Sec.
//! 2 and 4–6: a visco-elastic element in stick, a sudden drop to the dynamic force. Stick ends
//! where the elastic part of the force exceeds F_s: only so does the force reach the published 6.61
//! N and 6.75 N without slip. Nothing here is a vendor's code.

use super::symbols::{NO_PHENOMENA, RILL_SCHUDERER, THRESHOLD_OF_REST, bounds, coefficients};
use crate::characteristic::Measured;
use crate::law::{
    BEYOND, Contact, Equation, Evaluation, Events, F_N, Law, LawMetadata, MAX_EVENTS, MOTION,
    Motion, NOMINAL_FORCE, NOMINAL_VELOCITY, Numerics, Path, Phenomena, Polynomial, Rate,
    Structure, V, on, opening, resting_speed,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

const Z: Variable = Variable::state(
    16,
    "z",
    "z",
    Unit::Metre,
    "Deflection of the contact in stick, positive for v > 0",
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
const MODE: Variable = Variable::mode(
    MOTION,
    "mode",
    "-1 slides backward, 0 sticks, 1 slides forward",
);

const SIGMA_0: Variable = Variable::parameter(
    32,
    "sigma_0",
    r"\sigma_0",
    Unit::NewtonPerMetre,
    5e6,
    "Stiffness in stick",
)
.within(bounds::STIFFNESS);
const SIGMA_1: Variable = Variable::parameter(
    33,
    "sigma_1",
    r"\sigma_1",
    Unit::NewtonSecondPerMetre,
    3192.75,
    "Damping in stick",
)
.within(bounds::DAMPING);
const MU_S: Variable = Variable::parameter(
    34,
    "mu_s",
    r"\mu_s",
    Unit::One,
    0.6,
    "Static coefficient of friction, at least mu_d",
)
.within(bounds::STATIC_COEFFICIENT);
const MU_D: Variable = Variable::parameter(
    36,
    "mu_d",
    r"\mu_d",
    Unit::One,
    0.3,
    "Dynamic coefficient of friction",
)
.within(bounds::COEFFICIENT);

static METADATA: LawMetadata = LawMetadata {
    name: "SimpackStickSlip",
    title: "Stick\u{2013}slip model of Simpack, reconstructed from published behaviour",
    summary: "A visco-elastic element in stick and a constant force in slip, with a sudden drop \
              between them.",
    kind: "dynamic, switching",
    source: RILL_SCHUDERER,
    place: "Sec. 2, 4\u{2013}6",
    equations: &[
        Equation {
            number: "Sec. 2",
            latex: r"F_R = \sigma_0\,z + \sigma_1\,v, \qquad \dot z = v",
            meaning: "Stick: a spring and a damper.",
        },
        Equation {
            number: "Sec. 4",
            latex: r"F_R = \mu_d\,F_N \operatorname{sgn}(v)",
            meaning: "Slip.",
        },
        Equation {
            number: "Sec. 5",
            latex: r"\text{stick} \xrightarrow{|\sigma_0 z| > \mu_s F_N} \text{slip} \xrightarrow{v \text{ changes its sign}} \text{stick}, \; z = 0",
            meaning: "Release by the elastic part of the force, capture at rest.",
        },
    ],
    sticking: "the mode is stick.",
    phenomena: Phenomena {
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
            "Long-term stick with a linear pre-sliding displacement, break-away, sliding.",
        ),
        (
            "Not modelled",
            "The Stribeck effect between mu_s and mu_d. The force is not limited to F_s: the \
             damper adds sigma_1 v, and the \
             source finds overshoots of 12 to 60 %.",
        ),
        (
            "Varying normal force",
            "Where F_N falls so far that |sigma_0 z| exceeds mu_s F_N, the contact is released; \
             at rest it is captured again at once, \
             without deflection. Opening the contact resets z and the mode.",
        ),
        THRESHOLD_OF_REST,
    ],
    inputs: &[],
    states: &[(Z, DER_Z)],
    modes: &[MODE],
    events: &[
        "the contact opens or closes",
        "slip: v passes through 0; stick: |sigma_0 z| exceeds mu_s F_N",
    ],
    parameters: &[SIGMA_0, SIGMA_1, MU_S, MU_D],
    structure: Structure {
        force: on(&[F_N, V, Z]).initially(&[SIGMA_0, SIGMA_1, MU_S, MU_D]),
        at_rest: &[],
        sticking: on(&[F_N]).initially(&[V, Z, SIGMA_0, MU_S]),
        rates: &[on(&[F_N, V]).initially(&[Z, SIGMA_0, MU_S])],
        response: on(&[F_N]).initially(&[V, Z, SIGMA_0, SIGMA_1, MU_S]),
    },
    ..LawMetadata::EMPTY
};

/// The model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimpackStickSlip {
    sigma_0: f64,
    sigma_1: f64,
    mu_s: f64,
    mu_d: f64,
}

impl SimpackStickSlip {
    /// Distance of the force from release, N: at least 0 in stick.
    fn hold(&self, contact: Contact, z: f64) -> f64 {
        self.mu_s * contact.F_N - self.sigma_0 * z.abs()
    }

    /// Speed up to which a sliding contact counts as resting, m/s.
    fn rest(&self, contact: Contact) -> f64 {
        resting_speed(self.mu_s * contact.F_N, self.sigma_0)
    }
}

impl Law<1> for SimpackStickSlip {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Motion;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(SimpackStickSlip {
            sigma_0: values[&SIGMA_0],
            sigma_1: values[&SIGMA_1],
            mu_s,
            mu_d,
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        &[z]: &[S; 1],
        mode: &Motion,
    ) -> Evaluation<1, S> {
        match *mode {
            _ if contact.is_open() => Evaluation::zero(),
            Motion::Stuck => Evaluation {
                sticking: true,
                rate: [contact.v],
                ..Evaluation::of_force(z * self.sigma_0 + contact.v * self.sigma_1)
            },
            sliding => Evaluation::of_force(contact.F_N * (self.mu_d * sliding.sign())),
        }
    }

    fn numerics(&self, contact: Contact, &[z]: &[f64; 1], _: f64) -> Numerics<1> {
        let force = self.mu_s * contact.F_N;
        Numerics {
            velocity_scale: force / self.sigma_1,
            static_force: force,
            error_force: force,
            stiffness: self.sigma_0,
            ..Numerics::of([(force / self.sigma_0).max(z.abs())])
        }
    }
}

impl Events<SimpackStickSlip, 1> for Motion {
    fn indicators(
        &self,
        law: &SimpackStickSlip,
        contact: Contact,
        &[z]: &[f64; 1],
    ) -> [f64; MAX_EVENTS] {
        let event = match *self {
            _ if contact.is_open() => 1.0,
            Motion::Stuck => {
                (law.hold(contact, z) + BEYOND * law.mu_s * contact.F_N) / NOMINAL_FORCE
            }
            sliding => sliding.sign() * contact.v / NOMINAL_VELOCITY,
        };
        [opening(contact), event, 1.0, 1.0]
    }

    fn exact_rates(&self, _: &SimpackStickSlip, contact: Contact) -> Option<[Rate; 1]> {
        let sticks = !contact.is_open() && *self == Motion::Stuck;
        Some([if sticks { Rate::Velocity } else { Rate::ZERO }])
    }

    fn polynomials(
        &self,
        law: &SimpackStickSlip,
        path: &Path<1>,
    ) -> Option<[Polynomial; MAX_EVENTS]> {
        let mut events = [Polynomial::constant(1.0); MAX_EVENTS];
        if *self == Motion::Stuck {
            let (limit, force) = (
                path.F_N * (law.mu_s * (1.0 + BEYOND)),
                path.x[0] * law.sigma_0,
            );
            (events[0], events[1]) = (limit - force, limit + force);
        } else {
            events[0] = path.v * self.sign();
        }
        Some(events)
    }

    fn handle_event(
        &mut self,
        law: &SimpackStickSlip,
        contact: Contact,
        [z]: &mut [f64; 1],
    ) -> bool {
        let before = (*z, *self);
        match *self {
            _ if contact.is_open() => (*z, *self) = (0.0, Motion::Stuck),
            Motion::Stuck if law.hold(contact, *z) < 0.0 => {
                *self = Motion::of(if contact.v == 0.0 { *z } else { contact.v });
            }
            Motion::Stuck => {}
            sliding if sliding.sign() * contact.v <= law.rest(contact) => {
                (*z, *self) = (0.0, Motion::Stuck)
            }
            _ => {}
        }
        before != (*z, *self)
    }
}
