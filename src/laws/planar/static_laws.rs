//! Static laws in the plane: F_R = (μ(|v|) F_N + c |v|) v/|v|.

use super::metadata::{Own, in_plane, on_inputs};
use crate::characteristic::Measured;
use crate::law::{
    Contact, Equation, Evaluation, Jacobian, Law, LawMetadata, MAX_KINKS, MeasuredForm, PlanarJacobian, Structure,
};
use crate::laws::regularised::metadata::{MU_D, MU_S, V_D, V_S};
use crate::laws::{brown_mcphee, popp_stelter, static_regularized, stribeck};
use crate::variable::{InputError, Values};
use crate::vector::{along_and_across, direction, scaled, size};

/// Static law as a function of the speed.
pub trait SpeedCurve: Law<0> {
    /// Description of its form in the plane.
    const IN_PLANE: &'static LawMetadata;

    /// Coefficient of friction at a speed (m/s, at least 0), and its derivative (s/m).
    fn coefficient(&self, speed: f64) -> (f64, f64);

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
    meaning: "The law along a line, at the speed of the contact, acts along its velocity; 0 at rest.",
}];

/// Note on all static laws in the plane.
const NOTES: &[(&str, &str)] = &[(
    "In the plane",
    "The force has the direction of the velocity and depends on the speed alone. A sliding body does not hold a load across its \
     velocity. Beyond that, the law is the one along a line, with its merits and limits: it does not stick.",
)];

/// Description of a static law in the plane.
const fn own(title: &'static str, sticking: &'static str, structure: Structure, line: &'static LawMetadata) -> Own {
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
        Structure { sticking: on_inputs(&[V_S]), ..Structure::of_force(on_inputs(&[MU_S, V_S, MU_D, V_D])) },
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

    fn coefficient(&self, speed: f64) -> (f64, f64) {
        static_regularized::StaticRegularized::coefficient(self, speed)
    }

    fn sticks(&self, speed: f64) -> bool {
        speed <= self.stick_speed()
    }
}

impl SpeedCurve for stribeck::Stribeck {
    const IN_PLANE: &'static LawMetadata = &STRIBECK;

    fn coefficient(&self, speed: f64) -> (f64, f64) {
        self.curve.at(speed)
    }

    fn viscosity(&self) -> f64 {
        self.sigma_2
    }
}

impl SpeedCurve for brown_mcphee::BrownMcPhee {
    const IN_PLANE: &'static LawMetadata = &BROWN_MCPHEE;

    fn coefficient(&self, speed: f64) -> (f64, f64) {
        brown_mcphee::BrownMcPhee::coefficient(self, speed)
    }

    fn viscosity(&self) -> f64 {
        self.sigma_2
    }
}

impl SpeedCurve for popp_stelter::PoppStelter {
    const IN_PLANE: &'static LawMetadata = &POPP_STELTER;

    fn coefficient(&self, speed: f64) -> (f64, f64) {
        popp_stelter::PoppStelter::coefficient(self, speed)
    }
}

/// A static law in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarStatic<L>(L);

impl<L: SpeedCurve + Copy> Law<0> for PlanarStatic<L> {
    const METADATA: &'static LawMetadata = L::IN_PLANE;

    type DiscreteState = ();

    const PLANAR: bool = true;

    const MEASURED: &'static MeasuredForm = L::MEASURED;

    fn new(values: &Values) -> Result<Self, InputError> {
        L::new(values).map(PlanarStatic)
    }

    fn with_measured(values: &Values, characteristic: &'static Measured) -> Result<Self, InputError> {
        L::with_measured(values, characteristic).map(PlanarStatic)
    }

    fn evaluate(&self, contact: Contact, x: &[f64; 0], (): &()) -> Evaluation<0> {
        self.evaluate_in_plane(contact, x, &()).0
    }

    fn evaluate_in_plane(&self, contact: Contact, _: &[f64; 0], (): &()) -> (Evaluation<0>, f64) {
        let v = [contact.v, contact.v_y];
        let speed = size(v);
        if contact.is_open() {
            return (Evaluation { F_R: 0.0, sticking: false, rate: [] }, 0.0);
        }
        let sticking = self.0.sticks(speed);
        if speed == 0.0 {
            return (Evaluation { F_R: 0.0, sticking, rate: [] }, 0.0);
        }
        let force = self.0.coefficient(speed).0 * contact.F_N + self.0.viscosity() * speed;
        let [force, second] = scaled(direction(v, speed), force);
        (Evaluation { F_R: force, sticking, rate: [] }, second)
    }

    /// At rest, the slope of the characteristic for a law that is continuous there; the viscosity for another.
    fn planar_jacobian(&self, contact: Contact, _: &[f64; 0], (): &()) -> PlanarJacobian<0> {
        let v = [contact.v, contact.v_y];
        let speed = size(v);
        if contact.is_open() {
            return PlanarJacobian::ZERO;
        }
        let ((mu, slope), viscosity) = (self.0.coefficient(speed), self.0.viscosity());
        let along = slope * contact.F_N + viscosity;
        if speed == 0.0 {
            let at_rest = if mu == 0.0 { along } else { viscosity };
            return PlanarJacobian { force_v: along_and_across([1.0, 0.0], at_rest, at_rest), ..PlanarJacobian::ZERO };
        }
        let direction = direction(v, speed);
        // Next to rest the direction turns under any change across v: the largest number stands for infinity.
        let across = (mu * contact.F_N / speed + viscosity).min(f64::MAX);
        PlanarJacobian {
            force_F_N: scaled(direction, mu),
            force_v: along_and_across(direction, along, across),
            ..PlanarJacobian::ZERO
        }
    }

    fn jacobian(&self, contact: Contact, x: &[f64; 0], (): &()) -> Jacobian<0> {
        self.planar_jacobian(contact, x, &()).along_x()
    }

    fn kinks(&self) -> [f64; MAX_KINKS] {
        self.0.kinks()
    }

    fn scale(&self, _: Contact, _: &[f64; 0]) -> [f64; 0] {
        []
    }

    fn static_force(&self, normal_force: f64) -> f64 {
        self.0.static_force(normal_force)
    }

    fn error_force(&self, normal_force: f64) -> f64 {
        self.0.error_force(normal_force)
    }
}
