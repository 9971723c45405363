//! The friction model of the Modelica Standard Library: a characteristic with a state machine for
//! stick.
//!
//! Source: Modelica Standard Library, *Modeling of Friction* (base model PartialFriction), after M.
//! Otter, H. Elmqvist, S. E. Mattsson, *Hybrid Modeling in Modelica based on the Synchronous Data
//! Flow Principle*, CACSD 1999.

use super::directions::Direction;
use super::stick_slip::{
    EVENTS, Limits, MODE, MOVING_BODY, Machine, START, State, V_SMALL, moving,
};
use super::symbols::{NO_PHENOMENA, THRESHOLD_OF_REST, bounds, contact};
use crate::characteristic::{Measured, Polyline, Signed};
use crate::law::{
    Contact, Equation, Evaluation, F_N, F_T, Law, LawMetadata, MAX_KINKS, MeasuredForm, Motion,
    Numerics, Phenomena, StepLimits, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};

const MU_0: Variable = Variable::parameter(
    32,
    "mu_0",
    r"\mu_0",
    Unit::One,
    contact::MU_S,
    "Coefficient of sliding friction at v = 0",
)
.within(bounds::STATIC_COEFFICIENT);
const MU_1: Variable = Variable::parameter(
    33,
    "mu_1",
    r"\mu_1",
    Unit::SecondPerMetre,
    0.0,
    "Slope of the coefficient over |v|, for a characteristic without table",
)
.within(bounds::SLOPE);
const PEAK: Variable = Variable::parameter(
    35,
    "peak",
    r"\mathit{peak}",
    Unit::One,
    1.0,
    "Break-away force over the sliding force at v = 0",
)
.within(bounds::PEAK);

const fn table_v(reference: u32, name: &'static str, symbol: &'static str, v: f64) -> Variable {
    Variable::parameter(
        reference,
        name,
        symbol,
        Unit::MetrePerSecond,
        v,
        "Velocity of a point of the table, ascending; 0 ends the table",
    )
    .within(bounds::THRESHOLD)
}

const fn table_mu(reference: u32, name: &'static str, symbol: &'static str, mu: f64) -> Variable {
    Variable::parameter(
        reference,
        name,
        symbol,
        Unit::One,
        mu,
        "Coefficient of friction at that point",
    )
    .within(bounds::COEFFICIENT)
}

/// The table; its defaults are points of FrDyn2's characteristic in steady sliding, from which its
/// lines are within 0.009.
const TABLE: [[Variable; 2]; 4] = [
    [
        table_v(36, "v_1", "v_1", 1.5e-3),
        table_mu(40, "mu_v1", r"\mu_{v1}", 0.578),
    ],
    [
        table_v(37, "v_2", "v_2", 4.5e-3),
        table_mu(41, "mu_v2", r"\mu_{v2}", 0.45),
    ],
    [
        table_v(38, "v_3", "v_3", 7.5e-3),
        table_mu(42, "mu_v3", r"\mu_{v3}", 0.322),
    ],
    [
        table_v(39, "v_4", "v_4", 9e-3),
        table_mu(43, "mu_v4", r"\mu_{v4}", contact::MU_D),
    ],
];

static METADATA: LawMetadata = LawMetadata {
    name: "ModelicaFriction",
    title: "Friction of the Modelica Standard Library",
    summary: "A characteristic over the velocity, linear or from a table, with the state machine \
              that lets a body stick \
              without drift and start in the right direction.",
    kind: "static, switching",
    source: "Modelica Standard Library: Modeling of Friction, base model PartialFriction; after \
             M. Otter, H. Elmqvist, S. E. \
             Mattsson: Hybrid Modeling in Modelica based on the Synchronous Data Flow Principle. \
             CACSD 1999",
    place: "the equations of the simple friction element with its state machine",
    equations: &[
        Equation {
            number: "f",
            latex: r"f(v) = F_N\,(\mu_0 + \mu_1\,|v|) \quad \text{or from the table}, \qquad f_0 = f(0)",
            meaning: "The sliding force.",
        },
        Equation {
            number: "mode",
            latex: r"F_R = \begin{cases} f(\max(v, 0)) & \text{Forward, or starting forward} \\ -f(\max(-v, 0)) & \text{Backward, or starting backward} \\ F_t & \text{Stuck}, \quad |F_t| \le \mathit{peak}\,f_0 \end{cases}",
            meaning: "Sliding and stick.",
        },
        Equation {
            number: "mode",
            latex: r"\text{Stuck} \xrightarrow{F_t > \mathit{peak}\,f_0} \text{starting forward} \xrightarrow{v > 0} \text{Forward} \xrightarrow{v \le 0} \text{Stuck}",
            meaning: "The state machine, mirrored for backward; a contact that is starting sticks \
                      again if F_t falls to f_0.",
        },
    ],
    sticking: "the contact is stuck and not starting.",
    phenomena: Phenomena {
        stribeck: true,
        long_term_stick: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "Any characteristic over the velocity, a break-away force above it, and stick without \
             drift.",
        ),
        ("Not modelled", "Pre-sliding displacement and memory."),
        (
            "Stick",
            "The library holds a stuck body by an acceleration constraint. An element whose input \
             is the velocity cannot; the \
             applied force F_t as an input replaces the constraint. In Model Exchange give F_t as \
             all forces on the body but F_R. \
             With a master of fixed steps H give F_t + m v/H, which stops the velocity that \
             remains from the step in which \
             v changed sign, and v_small above 2 peak f_0 H/m.",
        ),
        (
            "If F_t is not connected",
            "it is 0: F_R = f(v) against the motion, but 0 while a contact that has come to rest \
             moves no faster than \
             v_small.",
        ),
        (
            "Table",
            "The points (v_1, mu_v1) to (v_4, mu_v4) follow (0, mu_0) and are joined by straight \
             lines; the first velocity \
             that is 0 ends the table. Beyond the last point its coefficient holds (the \
             library\u{2019}s tables go on with the last \
             line). Without points the characteristic is mu_0 + mu_1 |v|.",
        ),
        (
            "Starting against the motion",
            "A contact that starts from stick while its velocity still has the other sign, within \
             v_small, transmits the sliding force \
             at rest, f_0, in the direction of the start.",
        ),
        (
            "Defaults",
            "describe the contact of FrDyn2\u{2019}s paper, as those of every element do, with \
             all four points of the table. Whoever \
             changes mu_0 changes the points as well, or sets v_1 = 0 for the characteristic \
             without table. mu_0 = 0.5 without table, \
             as in the library\u{2019}s brakes and clutches, is the card of this law in \
             cards/papers.",
        ),
        THRESHOLD_OF_REST,
    ],
    inputs: &[F_T],
    states: &[],
    modes: &[MODE, START],
    events: EVENTS,
    parameters: &[
        MU_0,
        MU_1,
        V_SMALL,
        PEAK,
        TABLE[0][0],
        TABLE[1][0],
        TABLE[2][0],
        TABLE[3][0],
        TABLE[0][1],
        TABLE[1][1],
        TABLE[2][1],
        TABLE[3][1],
    ],
    structure: Structure {
        at_rest: &[F_T, PEAK],
        sticking: on(&[F_N]).initially(&[V, F_T, MU_0, PEAK]),
        ..Structure::of_force(on(&[F_N, V, F_T]).initially(&[
            MU_0,
            MU_1,
            PEAK,
            TABLE[0][0],
            TABLE[1][0],
            TABLE[2][0],
            TABLE[3][0],
            TABLE[0][1],
            TABLE[1][1],
            TABLE[2][1],
            TABLE[3][1],
        ]))
    },
    measured: &MEASURED,
    ..LawMetadata::EMPTY
};

static MEASURED: MeasuredForm = MeasuredForm {
    replaced: &[
        MU_0,
        MU_1,
        TABLE[0][0],
        TABLE[1][0],
        TABLE[2][0],
        TABLE[3][0],
        TABLE[0][1],
        TABLE[1][1],
        TABLE[2][1],
        TABLE[3][1],
    ],
    at_first_point: &[MU_0],
    static_force: "peak mu_a F_N",
    has_one_range: false,
    replaced_equation: "f",
    equations: &[Equation {
        number: "f",
        latex: r"f(v) = \mu(|v|)\,F_N, \qquad f_0 = \mu_a\,F_N",
        meaning: "The sliding force by the measured curve; mu_a below its first speed v_a, mu_b \
                  or the last slope beyond its last, v_b.",
    }],
    notes_left_out: &["Table", "Defaults"],
};

/// Characteristic over the speed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Table {
    /// Points of the parameters, joined by straight lines.
    Points(Polyline<5>),
    /// Measured curve.
    Measured(&'static Measured),
}

/// The library's friction with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelicaFriction {
    /// Characteristic from the table; `None` where it has no points.
    table: Option<Table>,
    mu_0: f64,
    mu_1: f64,
    peak: f64,
    moving: f64,
}

impl ModelicaFriction {
    /// Coefficient of friction for a direction of sliding; that of rest where a start is against
    /// the motion.
    #[inline(always)] // in every step
    fn sliding<S: Scalar>(&self, state: &State, direction: Motion, v: S) -> S {
        if state.mode == Motion::Stuck && direction.sign() * v.value() <= 0.0 {
            return S::constant(self.mu_0);
        }
        Direction {
            v: direction.sign(),
        }
        .continued(v, |speed| self.at(speed))
    }

    /// Coefficient of friction at a speed (m/s).
    #[inline(always)] // in every step
    fn at<S: Scalar>(&self, speed: S) -> S {
        let (mu, slope) = match &self.table {
            Some(Table::Points(table)) => table.at(speed.value()),
            Some(Table::Measured(curve)) => curve.at(speed.value()),
            None => (self.mu_0 + self.mu_1 * speed.value(), self.mu_1),
        };
        speed.chain(mu, slope)
    }
}

impl Machine for ModelicaFriction {
    fn limits(&self) -> Limits {
        Limits {
            break_away: Signed::even(self.peak * self.mu_0),
            at_rest: Signed::even(self.mu_0),
            moving: self.moving,
        }
    }
}

impl Law<0> for ModelicaFriction {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = State;

    fn new(values: &Values, characteristic: Option<&'static Measured>) -> Result<Self, InputError> {
        let (peak, moving) = (values[&PEAK], moving(values[&V_SMALL]));
        if let Some(curve) = characteristic {
            let table = Some(Table::Measured(curve));
            return Ok(ModelicaFriction {
                table,
                mu_0: curve.first()[1],
                mu_1: 0.0,
                peak,
                moving,
            });
        }
        let mu_0 = values[&MU_0];
        let table = TABLE.map(|point| point.map(|variable| values[&variable]));
        let Some(curve) = Polyline::new(mu_0, table) else {
            return Err(InputError::new(format!(
                "the velocities of the table, v_1 = {:?} to v_4 = {:?} m/s, do not ascend; sort \
                 the points, and set those \
                 after the last point to 0",
                table[0][0], table[3][0]
            ))
            .about(&["v_1", "v_2", "v_3", "v_4"]));
        };
        let has_points = table[0][0] != 0.0;
        let table = has_points.then_some(Table::Points(curve));
        Ok(ModelicaFriction {
            table,
            mu_0,
            mu_1: values[&MU_1],
            peak,
            moving,
        })
    }

    fn coupled(&self, _: f64) -> Option<Self> {
        Some(ModelicaFriction {
            moving: MOVING_BODY,
            ..*self
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        state: &State,
    ) -> Evaluation<0, S> {
        state.evaluate(contact, self.limits(), |direction| {
            self.sliding(state, direction, contact.v)
        })
    }

    fn numerics(&self, contact: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        let (kinks, limits) = match &self.table {
            Some(Table::Points(table)) => (table.kinks(), StepLimits::FREE),
            Some(Table::Measured(curve)) => (
                [f64::INFINITY; MAX_KINKS],
                StepLimits::along(curve.first()[0], contact.v.abs()),
            ),
            None => ([f64::INFINITY; MAX_KINKS], StepLimits::FREE),
        };
        Numerics {
            static_force: self.peak * self.mu_0 * contact.F_N,
            kinks,
            limits,
            ..Numerics::of([])
        }
    }
}
