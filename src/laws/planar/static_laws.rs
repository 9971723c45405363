//! Static laws in the plane: F_R = (μ(|v|) F_N + c |v|) v/|v|.

use super::metadata::{Own, in_plane, on_inputs};
use crate::characteristic::Measured;
use crate::law::{Contact, Equation, Evaluation, Law, LawMetadata, Numerics, Structure};
use crate::laws::regularised::metadata::{MU_D, MU_S, V_D, V_S};
use crate::laws::{brown_mcphee, popp_stelter, static_regularized, stribeck};
use crate::scalar::{Dual, Scalar, scaled, size};
use crate::variable::{InputError, Values};

/// Static law as a function of the speed.
pub trait SpeedCurve: Law<0> {
    /// Description of its form in the plane.
    const IN_PLANE: &'static LawMetadata;

    /// Coefficient of friction at a speed (m/s, at least 0).
    fn coefficient<S: Scalar>(&self, speed: S) -> S;

    /// Viscous friction, N·s/m.
    fn viscosity(&self) -> f64 {
        0.0
    }

    /// Whether a speed stands for stick.
    fn sticks(&self, _speed: f64) -> bool {
        false
    }
}

/// Equation of all static laws in the plane.
const EQUATIONS: &[Equation] = &[Equation {
    number: "in the plane",
    latex: r"\boldsymbol F_R = F_R(|\boldsymbol v|)\,\frac{\boldsymbol v}{|\boldsymbol v|}, \qquad \boldsymbol v = \begin{pmatrix} v_x \\ v_y \end{pmatrix}",
    meaning: "The law along a line, at the speed of the contact, acts along its velocity; 0 at \
              rest.",
}];

/// Note on all static laws in the plane.
const NOTES: &[(&str, &str)] = &[(
    "In the plane",
    "The force has the direction of the velocity and depends on the speed alone. A sliding body \
     does not hold a load across its \
     velocity. Beyond that, the law is the one along a line, with its merits and limits: it does \
     not stick.",
)];

/// Description of a static law in the plane.
const fn own(
    title: &'static str,
    sticking: &'static str,
    structure: Structure,
    line: &'static LawMetadata,
) -> Own {
    Own {
        title,
        equations: EQUATIONS,
        sticking,
        notes: NOTES,
        states: &[],
        events: &[],
        parameters: line.parameters,
        structure,
    }
}

static STATIC_REGULARIZED: LawMetadata = in_plane(
    &static_regularized::METADATA,
    own(
        "Static friction model with a regularised characteristic, in the plane",
        "|v| \u{2264} v_s: the range that stands for stick.",
        Structure {
            sticking: on_inputs(&[V_S]),
            ..Structure::of_force(on_inputs(&[MU_S, V_S, MU_D, V_D]))
        },
        &static_regularized::METADATA,
    ),
);
static STRIBECK: LawMetadata = in_plane(
    &stribeck::METADATA,
    own(
        "Stribeck friction in the plane",
        "",
        Structure::of_force(on_inputs(stribeck::PARAMETERS)),
        &stribeck::METADATA,
    ),
);
static BROWN_MCPHEE: LawMetadata = in_plane(
    &brown_mcphee::METADATA,
    own(
        "Friction model of Brown and McPhee in the plane",
        "",
        Structure::of_force(on_inputs(brown_mcphee::PARAMETERS)),
        &brown_mcphee::METADATA,
    ),
);
static POPP_STELTER: LawMetadata = in_plane(
    &popp_stelter::METADATA,
    own(
        "Characteristic of Popp and Stelter in the plane",
        "",
        Structure::of_force(on_inputs(popp_stelter::PARAMETERS)),
        &popp_stelter::METADATA,
    ),
);

impl SpeedCurve for static_regularized::StaticRegularized {
    const IN_PLANE: &'static LawMetadata = &STATIC_REGULARIZED;

    fn coefficient<S: Scalar>(&self, speed: S) -> S {
        self.0.forward.coefficient(speed)
    }

    fn sticks(&self, speed: f64) -> bool {
        speed <= self.0.forward.stick_speed()
    }
}

impl SpeedCurve for stribeck::Stribeck {
    const IN_PLANE: &'static LawMetadata = &STRIBECK;

    fn coefficient<S: Scalar>(&self, speed: S) -> S {
        self.curve.forward.of(speed)
    }

    fn viscosity(&self) -> f64 {
        self.sigma_2.forward
    }
}

impl SpeedCurve for brown_mcphee::BrownMcPhee {
    const IN_PLANE: &'static LawMetadata = &BROWN_MCPHEE;

    fn coefficient<S: Scalar>(&self, speed: S) -> S {
        self.0.forward.coefficient(speed)
    }

    fn viscosity(&self) -> f64 {
        self.0.forward.sigma_2
    }
}

impl SpeedCurve for popp_stelter::PoppStelter {
    const IN_PLANE: &'static LawMetadata = &POPP_STELTER;

    fn coefficient<S: Scalar>(&self, speed: S) -> S {
        popp_stelter::PoppStelter::coefficient(self, speed)
    }
}

/// Speed below which a contact in the plane is at rest, m/s: the direction of a slower one would
/// have derivatives beyond the range of numbers.
const AT_REST: f64 = 1e-100;

/// A static law in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarStatic<L>(L);

impl<L: SpeedCurve + Copy> Law<0> for PlanarStatic<L> {
    const METADATA: &'static LawMetadata = L::IN_PLANE;

    type DiscreteState = ();

    fn new(values: &Values, characteristic: Option<&'static Measured>) -> Result<Self, InputError> {
        L::new(values, characteristic).map(PlanarStatic)
    }

    fn evaluate<S: Scalar>(&self, contact: Contact<S>, _: &[S; 0], (): &()) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        let v = [contact.v, contact.v_y];
        let speed = size(&v);
        let sticking = self.0.sticks(speed.value());
        // The force over the speed. At rest a law that is continuous there has the slope of its
        // characteristic, and another one its viscosity.
        let slope = if speed.value() < AT_REST {
            let here = self.0.coefficient(Dual::<1>::variable(0.0, 0));
            contact.F_N
                * if here.value == 0.0 {
                    here.derivatives[0]
                } else {
                    0.0
                }
        } else {
            self.0.coefficient(speed) * contact.F_N * speed.reciprocal()
        };
        let [along, across] = scaled(&v, slope + self.0.viscosity());
        Evaluation {
            F_R_y: across,
            sticking,
            ..Evaluation::of_force(along)
        }
    }

    fn numerics(&self, contact: Contact, x: &[f64; 0], duration: f64) -> Numerics<0> {
        self.0.numerics(contact, x, duration)
    }
}
