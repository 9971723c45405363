//! The friction characteristic of Stefański, Wojewoda, Wiercigroch and Kapitaniak (2006): contact
//! compliance and memory as functions of velocity and acceleration.
//!
//! Source: A. Stefański, J. Wojewoda, M. Wiercigroch, T. Kapitaniak, Proc. IMechE Part C 2006, doi
//! 10.1243/09544062C09305, equations (14)–(16). The parameter printed as "p = 30" is d of (16);
//! sgn(v) occurs in (12) and (14) and is applied once; a v = 0 takes the sliding branch.

use super::directions::{CONTACT_EVENT, DIRECTION, Directions, TREND, V_EVENT};
use super::symbols::stefanski::{MU_D, MU_S};
use super::symbols::{
    DEFAULTS_OF_SECTION_4_2, NO_PHENOMENA, STEFANSKI_AND_OTHERS, bounds, coefficients, contact,
};
use crate::characteristic::Measured;
use crate::law::{
    A, Contact, Dependencies, DiscreteState, Equation, Evaluation, Events, F_N, Law, LawMetadata,
    MAX_EVENTS, NOMINAL_FORCE, Numerics, Path, Phenomena, Polynomial, Structure, V, on,
};
use crate::scalar::Scalar;
use crate::variable::{InputError, Unit, Values, Variable};
use core::cell::Cell;

const SIGMA_0: Variable = Variable::parameter(
    34,
    "sigma_0",
    "k_s",
    Unit::NewtonPerMetre,
    contact::SIGMA_0,
    "Contact stiffness (k_s of the paper)",
)
.within(bounds::STIFFNESS);
/// d: with the default, and that of tau, the memory term decays over the Stribeck velocity of the
/// default contact, 5e-3 m/s, at
/// |a| = 1 m/s²: τ |a|/d.
const D: Variable = Variable::parameter(
    35,
    "d",
    "d",
    Unit::One,
    20.0,
    "Decay of the memory term, printed as p in the source",
)
.at_least(0.0);
const TAU: Variable = Variable::parameter(
    36,
    "tau",
    r"\tau",
    Unit::Second,
    0.1,
    "Time by which friction lags behind the velocity",
)
.within(bounds::DELAY);
const EPSILON: Variable = Variable::parameter(
    37,
    "epsilon",
    r"\varepsilon",
    Unit::MetrePerSecondSquared,
    1e-3,
    "Acceleration that keeps the denominator of (15) from 0",
)
.within(bounds::ACCELERATION);
const DELTA: Variable = Variable::parameter(
    38,
    "delta",
    r"\delta",
    Unit::MetrePerSecond,
    1e-3,
    "Velocity that keeps the denominator of (16) from 0",
)
.within(bounds::SPEED);

/// Dependencies of force and stick: the smaller of two branches applies, so that every known of
/// either may change both.
const BRANCH: Dependencies =
    on(&[F_N, V, A]).initially(&[MU_S, MU_D, SIGMA_0, D, TAU, EPSILON, DELTA]);

static METADATA: LawMetadata = LawMetadata {
    name: "Stefanski2006",
    title: "Friction characteristic with compliance and memory, 2006",
    summary: "Contact compliance after each reversal, varying break-away and frictional memory, \
              all as functions of \
              velocity and acceleration without a state.",
    kind: "static, acceleration-dependent",
    source: STEFANSKI_AND_OTHERS,
    place: "equations (14)\u{2013}(16)",
    equations: &[
        Equation {
            number: "(14)",
            latex: r"f = \operatorname{sgn}(v) \cdot \begin{cases} f_{st} & f_{st} < f_d \text{ and } a\,v > 0 \\ f_d & \text{otherwise} \end{cases}",
            meaning: "The contact is compliant while it speeds up and the compliant branch is the \
                      lower one; else it slides.",
        },
        Equation {
            number: "(15)",
            latex: r"f_{st} = \frac{1}{2}\,\frac{k_s}{F_N}\,\frac{v^2}{|a| + \varepsilon} - (2 f_c - f_s)",
            meaning: "Compliance: with constant acceleration v\u{b2}/(2|a|) is the displacement \
                      since the reversal.",
        },
        Equation {
            number: "(16)",
            latex: r"f_d = f_c \left[1 + \frac{f_s - f_c}{f_c}\,\exp\left(-d\,\frac{|v|}{|v - \tau a| + \delta}\right) \operatorname{sgn}(a\,v)\right]",
            meaning: "Sliding with memory: v \u{2212} \u{3c4} a stands for the velocity a time \
                      \u{3c4} ago.",
        },
        Equation {
            number: "(12)",
            latex: r"F_R = F_N\,f",
            meaning: "The friction force.",
        },
    ],
    sticking: "the compliant branch holds: f_st < f_d and a v > 0.",
    phenomena: Phenomena {
        stribeck: true,
        pre_sliding: true,
        memory: true,
        break_away_growth: true,
        ..NO_PHENOMENA
    },
    notes: &[
        (
            "Modelled",
            "The double hysteresis of a dry friction oscillator: contact compliance near v = 0 \
             and frictional memory at \
             speed, with break-away where the two branches meet.",
        ),
        (
            "Not modelled",
            "Stick at rest: without motion it has no force. Compliance is right for constant \
             acceleration only. The force \
             jumps where v or a changes its sign.",
        ),
        (
            "If a is not connected",
            "it is 0, and the element is Coulomb friction: F_R = mu_d F_N sgn(v).",
        ),
        (
            "An algebraic loop",
            "The acceleration depends on the force. Fed back at once, that is an implicit \
             equation with up to three roots \
             and a fold: use it with a as an input of the step, that of the step before in \
             Co-Simulation, measured or \
             filtered in Model Exchange.",
        ),
        DEFAULTS_OF_SECTION_4_2,
    ],
    inputs: &[A],
    states: &[],
    modes: &[DIRECTION, TREND],
    events: &[
        CONTACT_EVENT,
        V_EVENT,
        "a passes through 0: the branch changes",
        "f_st and f_d meet: break-away",
    ],
    parameters: &[MU_S, MU_D, SIGMA_0, D, TAU, EPSILON, DELTA],
    structure: Structure {
        sticking: BRANCH,
        ..Structure::of_force(BRANCH)
    },
    ..LawMetadata::EMPTY
};

/// The characteristic with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stefanski2006 {
    mu_s: f64,
    mu_d: f64,
    sigma_0: f64,
    d: f64,
    tau: f64,
    epsilon: f64,
    delta: f64,
}

impl Stefanski2006 {
    /// f_st F_N (N), equation (15), of a contact with the magnitudes of v and a.
    fn compliant<S: Scalar>(&self, contact: Contact<S>) -> S {
        let elastic =
            contact.v * contact.v * (contact.a + self.epsilon).reciprocal() * (0.5 * self.sigma_0);
        elastic + contact.F_N * (self.mu_s - 2.0 * self.mu_d)
    }

    /// f_d F_N (N), equation (16), of a contact with the magnitudes of v and a.
    fn sliding<S: Scalar>(&self, contact: Contact<S>, signs: &Directions) -> S {
        let side = signs.side();
        // |v − τa| = ||v| − τ|a|| where v and a have the same sign, |v| + τ|a| where not.
        let past = contact.v + contact.a * if side < 0.0 { self.tau } else { -self.tau };
        let exponent = contact.v * (past.abs() + self.delta).reciprocal() * -self.d;
        (exponent.exp() * ((self.mu_s - self.mu_d) * side) + self.mu_d) * contact.F_N
    }

    /// Force of a contact with the magnitudes of v and a, N, and whether it is the compliant one.
    #[inline(always)]
    fn lower<S: Scalar>(&self, contact: Contact<S>, signs: &Directions) -> (S, bool) {
        if signs.side() <= 0.0 {
            return (self.sliding(contact, signs), false);
        }
        // Sliding with memory has mu_d F_N at least while it speeds up, so that a smaller force
        // needs no comparison.
        let compliant = self.compliant(contact);
        if compliant.value() < self.mu_d * contact.F_N.value() {
            return (compliant, true);
        }
        let sliding = self.sliding(contact, signs);
        if compliant.value() < sliding.value() {
            (compliant, true)
        } else {
            (sliding, false)
        }
    }
}

impl Law<0> for Stefanski2006 {
    const METADATA: &'static LawMetadata = &METADATA;

    type DiscreteState = Branches;

    fn new(values: &Values, _: Option<&'static Measured>) -> Result<Self, InputError> {
        let [mu_s, mu_d] = coefficients(&MU_S, &MU_D, values)?;
        Ok(Stefanski2006 {
            mu_s,
            mu_d,
            sigma_0: values[&SIGMA_0],
            d: values[&D],
            tau: values[&TAU],
            epsilon: values[&EPSILON],
            delta: values[&DELTA],
        })
    }

    fn evaluate<S: Scalar>(
        &self,
        contact: Contact<S>,
        _: &[S; 0],
        Branches(signs): &Branches,
    ) -> Evaluation<0, S> {
        if contact.is_open() {
            return Evaluation::zero();
        }
        // The last of the evaluations is that of the magnitudes of v and a.
        let sticking = Cell::new(false);
        let force = signs.continued(contact, |contact| {
            let (force, is_compliant) = self.lower(contact, signs);
            sticking.set(is_compliant);
            force
        });
        Evaluation {
            sticking: sticking.get(),
            ..Evaluation::of_force(force * signs.v)
        }
    }

    fn numerics(&self, _: Contact, _: &[f64; 0], _: f64) -> Numerics<0> {
        Numerics::of([])
    }
}

/// Signs of v and a of a law with two branches, which meet at an event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Branches(Directions);

impl DiscreteState for Branches {
    fn read(values: &Values) -> Self {
        Branches(Directions::read(values))
    }

    fn write(self, values: &mut Values) {
        self.0.write(values);
    }

    fn initial(contact: Contact) -> Self {
        Branches(Directions::initial(contact))
    }

    fn differs_by_rounding(&self, other: &Self, contact: Contact) -> bool {
        self.0.differs_by_rounding(&other.0, contact)
    }
}

impl Events<Stefanski2006, 0> for Branches {
    fn indicators(&self, law: &Stefanski2006, contact: Contact, x: &[f64; 0]) -> [f64; MAX_EVENTS] {
        let [opening, direction, trend, _] = self.0.indicators(law, contact, x);
        let contact = contact.magnitudes();
        let (compliant, sliding) = (law.compliant(contact), law.sliding(contact, &self.0));
        // The compliant force, proportional to v²/|a|, has no bound: the indicator is relative to
        // the forces.
        let meeting = (sliding - compliant) / (NOMINAL_FORCE + sliding.abs() + compliant.abs());
        [opening, direction, trend, meeting]
    }

    fn polynomials(&self, law: &Stefanski2006, path: &Path<0>) -> Option<[Polynomial; MAX_EVENTS]> {
        self.0.polynomials(law, path)
    }

    fn handle_event(&mut self, law: &Stefanski2006, contact: Contact, x: &mut [f64; 0]) -> bool {
        self.0.handle_event(law, contact, x)
    }
}
