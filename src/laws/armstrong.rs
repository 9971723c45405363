//! Armstrong's seven-parameter model: a spring in stick; in sliding Coulomb and viscous friction
//! with a Stribeck effect of the delayed velocity; a break-away force that grows with the time at
//! rest.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006, doi
//! 10.1243/09544062C09305, equations (4a) and (4b). The growth F_S(γ, t_d) and the conditions for
//! the start and the end of stick, which the paper does not give, follow B. Armstrong-Hélouvry, P.
//! Dupont, C. Canudas de Wit, *A survey of models, analysis tools and compensation methods for the
//! control of machines with friction*, Automatica 1994, 30(7), 1083–1138.

use super::symbols::{STEFANSKI_AND_OTHERS, THRESHOLD_OF_REST, bounds, coefficients, contact, sgn};
use crate::characteristic::Measured;
use crate::law::{
    BEYOND, Contact, Dependencies, Equation, Evaluation, Events, F_N, Law, LawMetadata, MAX_EVENTS,
    MIN_STICK_DURATION, MOTION, Motion, NOMINAL_FORCE, NOMINAL_VELOCITY, Numerics, Path, Phenomena,
    Polynomial, REST, Rate, Structure, V, on, opening, resting_speed,
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
const T_D: Variable = Variable::state(
    18,
    "t_d",
    "t_d",
    Unit::Second,
    "Dwell time: the time of the last stick",
)
.at_least(0.0)
.reinit();
const DER_T_D: Variable = Variable::derivative(
    19,
    &T_D,
    "der(t_d)",
    r"\dot t_d",
    Unit::One,
    "Time derivative of t_d: 1 in stick",
);
const MODE: Variable = Variable::mode(
    MOTION,
    "mode",
    "-1 slides backward, 0 sticks, 1 slides forward",
);

const SIGMA_0: Variable = Variable::parameter(
    32,
    "sigma_0",
    r"\beta",
    Unit::NewtonPerMetre,
    contact::SIGMA_0,
    "Contact stiffness in stick (beta of the paper)",
)
.within(bounds::STIFFNESS);
const MU_D: Variable = Variable::parameter(
    33,
    "mu_d",
    r"\mu_C",
    Unit::One,
    contact::MU_D,
    "Coefficient of sliding friction (F_C of the paper, over F_N)",
)
.within(bounds::STATIC_COEFFICIENT);
const SIGMA_2: Variable = Variable::parameter(
    34,
    "sigma_2",
    "F_v",
    Unit::NewtonSecondPerMetre,
    0.0,
    "Viscous friction (F_v of the paper)",
)
.within(bounds::DAMPING);
/// Coefficient at the start of stick. The default is at 40 % of the way from mu_d to mu_s, so that
/// the growth shows; the default contact has none.
const MU_S_0: Variable = Variable::parameter(
    35,
    "mu_s_0",
    r"\mu_{s0}",
    Unit::One,
    0.42,
    "Static coefficient of friction without dwell time (F_C + F_Sa of the paper, over F_N); \
     counts as mu_d below it and as mu_s above it",
)
.within(bounds::COEFFICIENT);
const MU_S: Variable = Variable::parameter(
    36,
    "mu_s",
    r"\mu_s",
    Unit::One,
    contact::MU_S,
    "Static coefficient of friction after a long dwell time, at least mu_d (F_C + F_S\u{221e} of \
     the paper, over F_N)",
)
.within(bounds::STATIC_COEFFICIENT);
const GAMMA: Variable = Variable::parameter(
    37,
    "gamma",
    r"\gamma",
    Unit::Second,
    1.0,
    "Dwell time of half the growth",
)
.within(bounds::DWELL);
const TAU: Variable = Variable::parameter(
    38,
    "tau",
    r"\tau",
    Unit::Second,
    5e-3,
    "Time by which friction lags behind the velocity",
)
.within(bounds::DELAY);
const V_STRIBECK: Variable = Variable::parameter(
    39,
    "v_Stribeck",
    "v_s",
    Unit::MetrePerSecond,
    contact::V_STRIBECK,
    "Stribeck velocity (v_s of the paper)",
)
.within(bounds::SPEED);

static METADATA: LawMetadata = LawMetadata {
    name: "Armstrong",
    title: "Armstrong\u{2019}s seven-parameter model",
    summary: "A spring while it sticks, a Stribeck curve with a time lag while it slides, and a \
              break-away force that grows \
              with the time at rest.",
    kind: "static, switching, with delay",
    source: STEFANSKI_AND_OTHERS,
    place: "equations (4a), (4b)",
    equations: &[
        Equation {
            number: "(4a)",
            latex: r"F_R = \beta\,z, \qquad \dot z = v",
            meaning: "Stick: a spring.",
        },
        Equation {
            number: "(4b)",
            latex: r"F_R = \left[F_C + F_v\,|v| + \frac{F_S(\gamma, t_d)}{1 + \left(v(t - \tau)/v_s\right)^2}\right] \operatorname{sgn}(v)",
            meaning: "Sliding: Coulomb, viscous and Stribeck friction, the last one with memory.",
        },
        Equation {
            number: "F_S",
            latex: r"F_S = F_{Sa} + (F_{S\infty} - F_{Sa})\,\frac{t_d}{t_d + \gamma}",
            meaning: "The static friction beyond F_C grows with the dwell time t_d.",
        },
        Equation {
            number: "forces",
            latex: r"F_C = \mu_C\,F_N, \qquad F_{Sa} = (\mu_{s0} - \mu_C)\,F_N, \qquad F_{S\infty} = (\mu_s - \mu_C)\,F_N",
            meaning: "The source\u{2019}s forces, as coefficients of the normal force.",
        },
    ],
    sticking: "the mode is stick: since v changed its sign, until |sigma_0 z| exceeds F_C + F_S.",
    phenomena: Phenomena {
        stribeck: true,
        pre_sliding: true,
        memory: true,
        break_away_growth: true,
        long_term_stick: true,
    },
    notes: &[
        (
            "Modelled",
            "Pre-sliding displacement, the Stribeck effect, viscous friction, frictional memory \
             by a fixed time lag, and \
             growth of the break-away force over hours of rest.",
        ),
        (
            "Not modelled",
            "Damping in stick: the contact is a spring, and a body on it rings. The force drops \
             where sliding begins if the \
             Stribeck velocity is passed within the lag.",
        ),
        (
            "Where stick begins and ends",
            "When v changes its sign the spring starts from the last sliding force (without its \
             viscous part, as v = 0 \
             there). Stick ends where |sigma_0 z| exceeds F_C + F_S(t_d) and the contact moves \
             further outward. Where F_N falls \
             in stick, the force is limited to F_C + F_S\u{221e}. Opening the contact resets z, \
             t_d and the mode.",
        ),
        (
            "The delayed velocity",
            "is interpolated linearly between communication points, or between a solver\u{2019}s \
             steps in Model Exchange, of \
             which one is stored for each 124th of tau; before the first it is that of the start. \
             It is part of the saved state.",
        ),
        (
            "Defaults",
            "describe the contact of FrDyn2\u{2019}s paper, as those of every element do; mu_s_0, \
             gamma and tau have no counterpart there \
             and are chosen. This source gives no numbers for the model. The card of this law in \
             cards/papers has the f_c, f_s and \
             k_s of its Sec. 4.2.",
        ),
        THRESHOLD_OF_REST,
    ],
    inputs: &[],
    states: &[(Z, DER_Z), (T_D, DER_T_D)],
    modes: &[MODE],
    events: &[
        "the contact opens or closes",
        "sliding: v passes through 0; stuck: |sigma_0 z| exceeds F_C + F_S, and the contact moves \
         outward",
    ],
    parameters: &[SIGMA_0, MU_D, SIGMA_2, MU_S_0, MU_S, GAMMA, TAU, V_STRIBECK],
    structure: Structure {
        force: on(&[F_N, V, Z, T_D])
            .initially(&[SIGMA_0, MU_D, SIGMA_2, MU_S_0, MU_S, GAMMA, V_STRIBECK]),
        at_rest: &[],
        sticking: on(&[F_N]).initially(&[V, Z, T_D, SIGMA_0, MU_D, MU_S_0, MU_S, GAMMA]),
        rates: &[
            on(&[F_N, V]).initially(&[Z, T_D, SIGMA_0, MU_D, MU_S_0, MU_S, GAMMA]),
            on(&[F_N]).initially(&[V, Z, T_D, SIGMA_0, MU_D, MU_S_0, MU_S, GAMMA]),
        ],
        response: Dependencies::NONE,
    },
    delay: Some(TAU),
    ..LawMetadata::EMPTY
};

/// Armstrong's model with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Armstrong {
    sigma_0: f64,
    mu_d: f64,
    sigma_2: f64,
    /// F_Sa/F_N and F_S∞/F_N, which the parameters contain beside mu_d.
    mu_sa: f64,
    mu_sinf: f64,
    gamma: f64,
    tau: f64,
    v_stribeck: f64,
}

impl Armstrong {
    /// F_S/F_N after a dwell time.
    fn static_part<S: Scalar>(&self, dwell: S) -> S {
        dwell * (dwell + self.gamma).reciprocal() * (self.mu_sinf - self.mu_sa) + self.mu_sa
    }

    /// The sliding force without its viscous part, N; the Stribeck factor, 0 … 1, is that of the
    /// delayed velocity v(t − τ).
    fn sliding<S: Scalar>(&self, contact: Contact<S>, dwell: S) -> S {
        let ratio = contact.v_past * (1.0 / self.v_stribeck);
        let stribeck = (ratio * ratio + 1.0).reciprocal();
        (self.static_part(dwell) * stribeck + self.mu_d) * contact.F_N
    }

    /// Break-away force, N.
    fn break_away(&self, contact: Contact, dwell: f64) -> f64 {
        (self.mu_d + self.static_part(dwell)) * contact.F_N
    }

    /// Speed up to which a sliding contact counts as resting, m/s; that after no dwell time has the
    /// least break-away force.
    fn rest(&self, contact: Contact) -> f64 {
        resting_speed((self.mu_d + self.mu_sa) * contact.F_N, self.sigma_0)
    }

    /// Whether stick ends: the spring force exceeds the break-away force, and the contact moves
    /// further outward.
    fn breaks_away(&self, contact: Contact, &[z, dwell]: &[f64; 2]) -> bool {
        self.sigma_0 * z.abs() > self.break_away(contact, dwell)
            && contact.v * sgn(z) > 2.0 * self.rest(contact)
    }

    /// Three times the resting speed along a path, m/s, or more where it is [`REST`] at a part of
    /// the path only.
    fn motion(&self, path: &Path<2>) -> Polynomial {
        let slope = 3.0 * (self.mu_d + self.mu_sa) / (self.sigma_0 * MIN_STICK_DURATION);
        let largest = path.F_N.at(0.0).max(path.F_N.at(1.0));
        if slope * largest < 3.0 * REST {
            path.F_N * slope
        } else {
            Polynomial::constant(3.0 * REST)
        }
    }
}

impl Law<2> for Armstrong {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Motion;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        let mu_sinf = mu_s - mu_d;
        Ok(Armstrong {
            sigma_0: values[&SIGMA_0],
            mu_d,
            sigma_2: values[&SIGMA_2],
            mu_sa: (values[&MU_S_0] - mu_d).clamp(0.0, mu_sinf),
            mu_sinf,
            gamma: values[&GAMMA],
            tau: values[&TAU],
            v_stribeck: values[&V_STRIBECK],
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        x: &[S; 2],
        mode: &Motion,
    ) -> Evaluation<2, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        if *mode != Motion::Stuck {
            return Evaluation::of_force(
                self.sliding(contact, x[1]) * mode.sign() + contact.v * self.sigma_2,
            );
        }
        // The largest break-away force, that of an infinite dwell time, is an upper bound on the
        // force in stick.
        let (elastic, largest) = (
            x[0] * self.sigma_0,
            contact.F_N * (self.mu_d + self.mu_sinf),
        );
        let is_within = elastic.value().abs() <= largest.value();
        let force = if is_within {
            elastic
        } else {
            largest * sgn(elastic.value())
        };
        Evaluation {
            sticking: true,
            rate: [contact.v, S::constant(1.0)],
            ..Evaluation::of_force(force)
        }
    }

    fn numerics(&self, contact: Contact, x: &[f64; 2], _: f64) -> Numerics<2> {
        let largest = (self.mu_d + self.mu_sinf) * contact.F_N;
        let scale = [(largest / self.sigma_0).max(x[0].abs()), self.gamma + x[1]];
        Numerics {
            error_force: largest,
            stiffness: self.sigma_0,
            ..Numerics::of(scale)
        }
    }
}

impl Events<Armstrong, 2> for Motion {
    fn indicators(&self, law: &Armstrong, contact: Contact, x: &[f64; 2]) -> [f64; MAX_EVENTS] {
        let mode_holds = match *self {
            _ if contact.is_open() => 1.0,
            // Stick ends where both are negative. Each alone would be an event at which nothing
            // changes.
            Motion::Stuck => {
                let limit = law.break_away(contact, x[1]) * (1.0 + BEYOND);
                let force = (limit - law.sigma_0 * x[0].abs()) / NOMINAL_FORCE;
                force.max((3.0 * law.rest(contact) - contact.v * sgn(x[0])) / NOMINAL_VELOCITY)
            }
            sliding => sliding.sign() * contact.v / NOMINAL_VELOCITY,
        };
        [opening(contact), mode_holds, 1.0, 1.0]
    }

    fn exact_rates(&self, _: &Armstrong, contact: Contact) -> Option<[Rate; 2]> {
        let sticks = !contact.is_open() && *self == Motion::Stuck;
        Some(if sticks {
            [Rate::Velocity, Rate::Constant(1.0)]
        } else {
            [Rate::ZERO; 2]
        })
    }

    fn polynomials(&self, law: &Armstrong, path: &Path<2>) -> Option<[Polynomial; MAX_EVENTS]> {
        let mut events = [Polynomial::constant(1.0); MAX_EVENTS];
        if *self == Motion::Stuck {
            // F_C + F_S and sigma_0 z, both multiplied by the positive (t_d + gamma)/(t_d(0) +
            // gamma): degree 4 and 5.
            let start = 1.0 / (path.x[1].at(0.0) + law.gamma);
            let dwell = path.x[1] * start;
            let sum = dwell + Polynomial::constant(law.gamma * start);
            let part = sum * (law.mu_d + law.mu_sa) + dwell * (law.mu_sinf - law.mu_sa);
            let (limit, force) = (
                part * path.F_N * (1.0 + BEYOND),
                path.x[0] * sum * law.sigma_0,
            );
            let moves = law.motion(path);
            events = [limit - force, limit + force, moves - path.v, moves + path.v];
        } else {
            events[0] = path.v * self.sign();
        }
        Some(events)
    }

    fn handle_event(&mut self, law: &Armstrong, contact: Contact, x: &mut [f64; 2]) -> bool {
        let before = (*x, *self);
        match *self {
            _ if contact.is_open() => (*x, *self) = ([0.0; 2], Motion::Stuck),
            Motion::Stuck if law.breaks_away(contact, x) => *self = Motion::of(x[0]),
            Motion::Stuck => {}
            sliding if sliding.sign() * contact.v <= law.rest(contact) => {
                *x = [
                    sliding.sign() * law.sliding(contact, x[1]) / law.sigma_0,
                    0.0,
                ];
                *self = Motion::Stuck;
            }
            _ => {}
        }
        before != (*x, *self)
    }
}
