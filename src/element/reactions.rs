//! Reactions of a joint, from which its normal force follows: what a multibody program has in place
//! of it.
//!
//! | joint | normal force |
//! |---|---|
//! | revolute, about z | N_0 + √(F_x² + F_y²) + (r_a/r) abs(F_z) + √(M_x² + M_y²)/l_b |
//! | prismatic, along x | N_0 + √(F_y² + F_z²) + abs(M_x)/r_t + √(M_y² + M_z²)/l |
//!
//! The overlap l of a prismatic joint is l_b, or l_b + k_s s. Each part may be left out.

use super::RADIUS;
use crate::saved_state::{Reader, SavedState, Writer};
use crate::scalar::{Scalar, magnitude};
use crate::variable::{Unit, Variable};

/// Joint that has the reactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReactionJoint {
    /// Turns about z.
    #[default]
    Revolute,
    /// Slides along x.
    Prismatic,
}

/// Part of the normal force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Name in a card.
    pub name: &'static str,
    /// Its term of the normal force in LaTeX.
    pub term: &'static str,
    /// Its inputs and parameters.
    pub variables: &'static [Variable],
}

/// Reactions of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reactions {
    /// The joint.
    pub joint: ReactionJoint,
    /// Parts that are there, by their place in [`ReactionJoint::parts`].
    pub parts: [bool; PARTS],
}

/// Largest number of parts of a joint.
pub const PARTS: usize = 5;

/// Smallest overlap over that at s = 0: a slide that leaves its guide.
const LEAST_OVERLAP: f64 = 1e-3;

const fn force(
    reference: u32,
    name: &'static str,
    symbol: &'static str,
    text: &'static str,
) -> Variable {
    Variable::input(reference, name, symbol, Unit::Newton, text).nominal(10.0)
}

const fn moment(
    reference: u32,
    name: &'static str,
    symbol: &'static str,
    text: &'static str,
) -> Variable {
    Variable::input(reference, name, symbol, Unit::NewtonMetre, text).nominal(1.0)
}

const fn length(
    reference: u32,
    name: &'static str,
    symbol: &'static str,
    text: &'static str,
) -> Variable {
    Variable::parameter(reference, name, symbol, Unit::Metre, 0.05, text).within(1e-6..=1e3)
}

const F_X: Variable = force(
    4,
    "F_x",
    "F_x",
    "Reaction of the joint along x; held over a step",
);
const F_Y: Variable = force(
    5,
    "F_y",
    "F_y",
    "Reaction of the joint along y; held over a step",
);
const F_Z: Variable = force(
    6,
    "F_z",
    "F_z",
    "Reaction of the joint along z; held over a step",
);
const M_X: Variable = moment(
    7,
    "M_x",
    "M_x",
    "Reaction of the joint about x; held over a step",
);
const M_Y: Variable = moment(
    13,
    "M_y",
    "M_y",
    "Reaction of the joint about y; held over a step",
);
const M_Z: Variable = moment(
    14,
    "M_z",
    "M_z",
    "Reaction of the joint about z; held over a step",
);
const POSITION: Variable = Variable::input(
    4,
    "s",
    "s",
    Unit::Metre,
    "Position of the slide, by which its overlap changes; held over a step",
)
.nominal(0.1);
const N_0: Variable = Variable::parameter(
    49,
    "N_0",
    "N_0",
    Unit::Newton,
    0.0,
    "Preload of the joint as a normal force; of a friction force F_0 it is F_0/mu_d",
)
.within(0.0..=1e9);
const R_A: Variable = length(
    50,
    "r_a",
    "r_a",
    "Friction arm of the axial reaction: the mean radius of the thrust face",
);
const L_B: Variable = length(
    51,
    "l_b",
    "l_b",
    "Bending arm: the distance at which a pair of forces takes the moments",
);
const R_T: Variable = length(
    52,
    "r_t",
    "r_t",
    "Arm of the torsional moment: the distance at which a pair of forces takes it",
);
const K_S: Variable = Variable::parameter(
    53,
    "k_s",
    "k_s",
    Unit::One,
    1.0,
    "Change of the overlap with s: l = l_b + k_s s; 1 where it grows, -1 where it shrinks",
)
.within(-10.0..=10.0);

const RADIAL: Part = Part {
    name: "radial",
    term: r"\sqrt{F_x^2 + F_y^2}",
    variables: &[F_X, F_Y],
};
const AXIAL: Part = Part {
    name: "axial",
    term: r"\frac{r_a}{r}\,|F_z|",
    variables: &[F_Z, R_A],
};
const BENDING_OF_PIN: Part = Part {
    name: "bending",
    term: r"\frac{\sqrt{M_x^2 + M_y^2}}{l_b}",
    variables: &[M_X, M_Y, L_B],
};
const PRELOAD: Part = Part {
    name: "preload",
    term: "N_0",
    variables: &[N_0],
};
const LATERAL: Part = Part {
    name: "lateral",
    term: r"\sqrt{F_y^2 + F_z^2}",
    variables: &[F_Y, F_Z],
};
const TORSION: Part = Part {
    name: "torsion",
    term: r"\frac{|M_x|}{r_t}",
    variables: &[M_X, R_T],
};
const BENDING_OF_SLIDE: Part = Part {
    name: "bending",
    term: r"\frac{\sqrt{M_y^2 + M_z^2}}{l_b}",
    variables: &[M_Y, M_Z, L_B],
};
const OVERLAP: Part = Part {
    name: "overlap",
    term: "",
    variables: &[POSITION, K_S],
};

static REVOLUTE: [Part; 4] = [RADIAL, AXIAL, BENDING_OF_PIN, PRELOAD];
static PRISMATIC: [Part; PARTS] = [LATERAL, TORSION, BENDING_OF_SLIDE, PRELOAD, OVERLAP];

impl ReactionJoint {
    /// All joints.
    pub const ALL: [ReactionJoint; 2] = [ReactionJoint::Revolute, ReactionJoint::Prismatic];

    /// Name in a card, as a motion.
    pub const fn name(self) -> &'static str {
        match self {
            ReactionJoint::Revolute => "revolute",
            ReactionJoint::Prismatic => "prismatic",
        }
    }

    /// Parts of its normal force.
    pub fn parts(self) -> &'static [Part] {
        match self {
            ReactionJoint::Revolute => &REVOLUTE,
            ReactionJoint::Prismatic => &PRISMATIC,
        }
    }
}

impl Reactions {
    /// Parts that are there.
    pub fn given(self) -> impl Iterator<Item = &'static Part> {
        let parts = self.joint.parts().iter().zip(self.parts);
        parts
            .filter(|(_, is_given)| *is_given)
            .map(|(part, _)| part)
    }

    fn has(self, part: &Part) -> bool {
        self.given().any(|given| given.name == part.name)
    }

    /// Variables that an element has for them.
    pub(super) fn variables(self) -> impl Iterator<Item = &'static Variable> {
        self.given().flat_map(|part| part.variables)
    }

    /// Whether the normal force depends on the radius.
    pub(super) fn has_radius(self) -> bool {
        self.joint == ReactionJoint::Revolute && self.has(&AXIAL)
    }

    /// Normal force, N.
    pub(super) fn normal_force<S: Scalar>(self, of: impl Fn(&Variable) -> S) -> S {
        let zero = S::constant(0.0);
        let part = |part: &Part, force: &dyn Fn() -> S| if self.has(part) { force() } else { zero };
        let pair = |first: &Variable, second: &Variable| {
            let [first, second] = [of(first), of(second)];
            (first * first + second * second).sqrt()
        };
        let preload = part(&PRELOAD, &|| of(&N_0));
        match self.joint {
            ReactionJoint::Revolute => {
                let radial = part(&RADIAL, &|| pair(&F_X, &F_Y));
                let axial = part(&AXIAL, &|| {
                    let radius = of(&RADIUS);
                    // The contact alone, as the law sees it, has no lever.
                    if radius.value() == 0.0 {
                        return zero;
                    }
                    magnitude(of(&F_Z)) * of(&R_A) * radius.reciprocal()
                });
                let bending = part(&BENDING_OF_PIN, &|| {
                    pair(&M_X, &M_Y) * of(&L_B).reciprocal()
                });
                preload + radial + axial + bending
            }
            ReactionJoint::Prismatic => {
                let lateral = part(&LATERAL, &|| pair(&F_Y, &F_Z));
                let torsion = part(&TORSION, &|| magnitude(of(&M_X)) * of(&R_T).reciprocal());
                let bending = part(&BENDING_OF_SLIDE, &|| {
                    pair(&M_Y, &M_Z) * self.overlap(&of).reciprocal()
                });
                preload + lateral + torsion + bending
            }
        }
    }

    /// The normal force in LaTeX.
    pub fn formula(self) -> String {
        let terms: Vec<_> = self
            .given()
            .map(|part| part.term)
            .filter(|term| !term.is_empty())
            .collect();
        let sum = terms.join(" + ");
        if self.has(&OVERLAP) {
            sum.replace("l_b", r"l_b + k_s\,s")
        } else {
            sum
        }
    }

    /// Length (m) over which a slide and its guide overlap.
    fn overlap<S: Scalar>(self, of: &impl Fn(&Variable) -> S) -> S {
        let arm = of(&L_B);
        if !self.has(&OVERLAP) {
            return arm;
        }
        let (overlap, least) = (arm + of(&K_S) * of(&POSITION), arm * LEAST_OVERLAP);
        if overlap.value() > least.value() {
            overlap
        } else {
            least
        }
    }
}

impl SavedState for Reactions {
    fn write(&self, writer: &mut Writer) {
        (self.joint == ReactionJoint::Prismatic).write(writer);
        self.parts.iter().for_each(|part| part.write(writer));
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let joint = ReactionJoint::ALL[usize::from(bool::read(reader)?)];
        let mut parts = [false; PARTS];
        for part in &mut parts {
            *part = SavedState::read(reader)?;
        }
        Some(Reactions { joint, parts })
    }
}

/// Normal force of a joint with reactions, which is calculated.
pub static F_N_OF_REACTIONS: Variable = Variable::output(
    0,
    "F_N",
    "F_N",
    Unit::Newton,
    "Normal force of the joint, from its reactions and its preload",
)
.nominal(10.0);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::tests::random;
    use crate::variable::Role;

    fn all(joint: ReactionJoint) -> Reactions {
        Reactions {
            joint,
            parts: [true; PARTS],
        }
    }

    #[test]
    fn normal_force_is_that_of_the_formula_and_the_same_for_rotated_reactions() {
        let mut random = random(75);
        for _ in 0..1000 {
            let [a, b, c, d] = [(); 4].map(|()| 100.0 * (random() - 0.5));
            let axial = 100.0 * (random() - 0.5);
            let [radius, arm, bending, torsion, preload] = [(); 5].map(|()| 0.01 + random().abs());
            let values = |angle: f64| {
                let (sin, cos) = libm::sincos(angle);
                let turned = |x: f64, y: f64| [cos * x - sin * y, sin * x + cos * y];
                (turned(a, b), turned(c, d))
            };
            for joint in ReactionJoint::ALL {
                let force = |angle: f64| {
                    let ([a, b], [c, d]) = values(angle);
                    let is_revolute = joint == ReactionJoint::Revolute;
                    all(joint).normal_force(|known| match known.name {
                        "F_x" => a,
                        "F_y" => {
                            if is_revolute {
                                b
                            } else {
                                a
                            }
                        }
                        "F_z" => {
                            if is_revolute {
                                axial
                            } else {
                                b
                            }
                        }
                        "M_x" => {
                            if is_revolute {
                                c
                            } else {
                                axial
                            }
                        }
                        "M_y" => {
                            if is_revolute {
                                d
                            } else {
                                c
                            }
                        }
                        "M_z" => d,
                        "r_a" => arm,
                        "l_b" => bending,
                        "r_t" => torsion,
                        "radius" => radius,
                        "N_0" => preload,
                        "s" => 0.5,
                        "k_s" => 1.0,
                        other => panic!("{other}"),
                    })
                };
                let (radial, moment) = (libm::hypot(a, b), libm::hypot(c, d));
                let expected = match joint {
                    ReactionJoint::Revolute => {
                        preload + radial + arm / radius * axial.abs() + moment / bending
                    }
                    ReactionJoint::Prismatic => {
                        preload + radial + axial.abs() / torsion + moment / (bending + 0.5)
                    }
                };
                for angle in [0.0, 0.7, 2.0, 4.4] {
                    let found = force(angle);
                    assert!(
                        (found / expected - 1.0).abs() < 4e-15,
                        "{found} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn parts_that_are_left_out_have_no_variables() {
        let reactions = Reactions {
            parts: [true, false, false, false, false],
            ..all(ReactionJoint::Revolute)
        };
        let names: Vec<_> = reactions.variables().map(|known| known.name).collect();
        assert_eq!(names, ["F_x", "F_y"]);
        assert_eq!(reactions.normal_force(|_| 3.0), 18.0_f64.sqrt());
        assert!(reactions.variables().all(|known| known.role == Role::Input));
    }
}
