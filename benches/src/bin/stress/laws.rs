//! Random parameters of every law, over decades, and its reference law.

use crate::values::Values;
use bristle_random::Random;
use bristle_reference_laws::*;

/// Makes the reference law with these parameters, at rest.
pub type MakeReference = fn(&Values) -> Box<dyn ReferenceLaw>;

/// A law.
pub struct Model {
    /// Name of the element.
    pub element: &'static str,
    /// Parameter that stiffens its bristle and may be tuned while it sticks.
    pub stiffness: Option<&'static str>,
    /// The element has `m_eff`.
    pub is_coupled: bool,
    /// Random parameters.
    pub draw: fn(&mut Random) -> Values,
    /// Reference law at rest.
    pub reference: MakeReference,
}

const fn model<L: LawParameters + Default>(
    element: &'static str,
    stiffness: Option<&'static str>,
    is_coupled: bool,
    draw: fn(&mut Random) -> Values,
) -> Model {
    Model {
        element,
        stiffness,
        is_coupled,
        draw,
        reference: reference::<L>,
    }
}

/// Law with these parameters, the element's defaults where they are not given.
pub fn law<L: LawParameters + Default>(values: &Values) -> L {
    let mut law = L::default();
    values
        .iter()
        .for_each(|(name, value)| law.set(name, *value));
    law
}

pub fn reference<L: LawParameters + Default>(values: &Values) -> Box<dyn ReferenceLaw> {
    law::<L>(values).at_rest()
}

/// All models, in the order of the catalogue.
pub static MODELS: [Model; 16] = [
    Model {
        element: "FrDyn2",
        stiffness: Some("sigma_0"),
        is_coupled: true,
        draw: frdyn2,
        reference: crate::frdyn2::reference,
    },
    model::<FrDyn2Linear>("FrDyn2Linear", Some("sigma_0"), true, |r| {
        let mut values = frdyn2(r);
        values.push(("sigma_2", viscous(r)));
        values
    }),
    model::<StaticRegularized>("StaticRegularized", None, false, |random| {
        regularised(random).into()
    }),
    model::<Coulomb>("Coulomb", None, false, |r| {
        vec![
            ("mu_d", r.magnitude(0.05, 2.0)),
            ("v_small", r.magnitude(1e-6, 1e-2)),
        ]
    }),
    model::<Stribeck>("Stribeck", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        let [v, exponent] = [r.magnitude(1e-4, 1.0), r.between(0.5, 3.0)];
        vec![
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("v_Stribeck", v),
            ("delta_sigma", exponent),
            ("sigma_2", viscous(r)),
        ]
    }),
    model::<BrownMcPhee>("BrownMcPhee", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        vec![
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("v_Stribeck", r.magnitude(1e-4, 1.0)),
            ("sigma_2", viscous(r)),
        ]
    }),
    model::<PoppStelter>("PoppStelter", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        vec![
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("eta_1", r.magnitude(0.1, 1e3)),
            ("eta_2", r.magnitude(1e-3, 1.0)),
        ]
    }),
    model::<NonReversible>("NonReversible", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        vec![
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("a_u", r.magnitude(0.1, 1e3)),
            ("b_l", r.magnitude(0.1, 1e3)),
        ]
    }),
    model::<Armstrong>("Armstrong", Some("sigma_0"), false, armstrong),
    model::<Dahl>("Dahl", Some("sigma_0"), true, |r| {
        let some = r.between(0.3, 3.0);
        let alpha = *r.one_of(&[1.0, 1.0, 1.0, 0.5, 2.0, some]);
        vec![
            ("mu_d", r.magnitude(0.05, 2.0)),
            ("sigma_0", r.magnitude(1e2, 1e7)),
            ("alpha", alpha),
        ]
    }),
    model::<LuGre>("LuGre", Some("sigma_0"), true, lugre),
    model::<Stefanski2003>("Stefanski2003", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        vec![
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("a_1", r.magnitude(0.1, 1e3)),
            ("a_2", r.magnitude(1e-5, 1.0)),
        ]
    }),
    model::<Stefanski2006>("Stefanski2006", None, false, |r| {
        let [mu_s, mu_d] = descending(r);
        let [sigma_0, d, tau] = [
            r.magnitude(1e3, 1e8),
            r.magnitude(0.1, 1e2),
            r.magnitude(1e-3, 1.0),
        ];
        let [epsilon, delta] = [r.magnitude(1e-5, 1.0), r.magnitude(1e-5, 0.1)];
        let curve = [
            ("mu_s", mu_s),
            ("mu_d", mu_d),
            ("sigma_0", sigma_0),
            ("d", d),
            ("tau", tau),
        ];
        [&curve[..], &[("epsilon", epsilon), ("delta", delta)]].concat()
    }),
    model::<ModelicaFriction>("ModelicaFriction", None, false, modelica),
    model::<SimpackStickSlip>("SimpackStickSlip", Some("sigma_0"), true, |r| {
        let [mu_s, mu_d] = descending(r);
        let damping = if r.once_in(4) {
            0.0
        } else {
            3192.75 * r.magnitude(1e-3, 10.0)
        };
        vec![
            ("sigma_0", 5e6 * r.magnitude(1e-3, 1e3)),
            ("sigma_1", damping),
            ("mu_s", mu_s),
            ("mu_d", mu_d),
        ]
    }),
    model::<AdamsStickSlip>("AdamsStickSlip", Some("Delta"), true, |r| {
        [&regularised(r)[..], &[("Delta", r.magnitude(1e-8, 1e-3))]].concat()
    }),
];

/// A static coefficient and a kinetic one that is at most that.
fn descending(r: &mut Random) -> [f64; 2] {
    let kinetic = r.magnitude(0.05, 1.0);
    let more = if r.once_in(5) {
        0.0
    } else {
        r.magnitude(1e-2, 2.0)
    };
    [kinetic * (1.0 + more), kinetic]
}

/// Viscous friction, N·s/m, often none.
fn viscous(r: &mut Random) -> f64 {
    if r.once_in(2) {
        0.0
    } else {
        r.magnitude(1e-3, 1e2)
    }
}

fn regularised(r: &mut Random) -> [(&'static str, f64); 4] {
    let [mu_s, mu_d] = descending(r);
    let v_s = r.magnitude(1e-5, 1e-1);
    [
        ("mu_s", mu_s),
        ("v_s", v_s),
        ("mu_d", mu_d),
        ("v_d", v_s * (1.0 + r.magnitude(1e-2, 1e2))),
    ]
}

/// A bristle with the paper's proportions.
fn frdyn2(r: &mut Random) -> Values {
    let [stiffness, damping] = [
        5e6 * r.magnitude(0.1, 10.0),
        3192.75 * r.magnitude(0.3, 3.0),
    ];
    [
        &regularised(r)[..],
        &[("sigma_0", stiffness), ("sigma_1", damping)],
    ]
    .concat()
}

fn armstrong(r: &mut Random) -> Values {
    let coulomb = r.magnitude(0.05, 1.0);
    let at_once = coulomb * r.magnitude(1e-3, 0.5);
    let [stiffness, gamma, v_s] = [
        r.magnitude(1e3, 1e8),
        r.magnitude(1e-3, 1e2),
        r.magnitude(1e-4, 1.0),
    ];
    let tau = if r.once_in(5) {
        0.0
    } else {
        r.magnitude(1e-4, 0.1)
    };
    let after_a_rest = at_once + coulomb * r.magnitude(1e-3, 1.0);
    let viscous = viscous(r);
    let coefficients = [
        ("mu_d", coulomb),
        ("mu_s_0", coulomb + at_once),
        ("mu_s", coulomb + after_a_rest),
    ];
    let others = [
        ("sigma_0", stiffness),
        ("sigma_2", viscous),
        ("gamma", gamma),
        ("tau", tau),
        ("v_Stribeck", v_s),
    ];
    [&coefficients[..], &others].concat()
}

fn lugre(r: &mut Random) -> Values {
    let [mu_s, mu_d] = descending(r);
    let sigma_0 = r.magnitude(1e2, 1e7);
    let sigma_1 = if r.once_in(3) {
        0.0
    } else {
        sigma_0.sqrt() * r.magnitude(1e-3, 1.0)
    };
    let some = r.between(0.5, 3.0);
    let curve = [
        ("v_Stribeck", r.magnitude(1e-4, 1.0)),
        ("delta_sigma", *r.one_of(&[2.0, 1.0, some])),
    ];
    let bristle = [
        ("sigma_0", sigma_0),
        ("sigma_1", sigma_1),
        ("sigma_2", viscous(r)),
    ];
    [&[("mu_s", mu_s), ("mu_d", mu_d)], &curve[..], &bristle].concat()
}

fn modelica(r: &mut Random) -> Values {
    let slope = if r.once_in(2) {
        0.0
    } else {
        r.magnitude(1e-3, 1e2)
    };
    let peak = 1.0
        + if r.once_in(3) {
            0.0
        } else {
            r.magnitude(1e-3, 1.0)
        };
    let machine = [("peak", peak), ("v_small", r.magnitude(1e-6, 1e-2))];
    let mut values = [
        &[("mu_0", r.magnitude(0.05, 1.0)), ("mu_1", slope)],
        &machine[..],
    ]
    .concat();
    let rows = [
        ("v_1", "mu_v1"),
        ("v_2", "mu_v2"),
        ("v_3", "mu_v3"),
        ("v_4", "mu_v4"),
    ];
    let mut v = r.magnitude(1e-4, 0.1);
    let count = r.below(5);
    for (velocity, coefficient) in &rows[..count] {
        values.extend([(*velocity, v), (*coefficient, r.magnitude(0.05, 1.0))]);
        v *= 1.0 + r.magnitude(1e-2, 10.0);
    }
    values.extend(rows[count..].iter().map(|(velocity, _)| (*velocity, 0.0)));
    values
}

/// Factor of the deflection when a stiffness is tuned: a stiffer bristle keeps its force, a softer
/// one its deflection. Delta is a compliance.
pub fn retuned_deflection(name: &str, previous: f64, present: f64) -> f64 {
    (if name == "Delta" {
        present / previous
    } else {
        previous / present
    })
    .min(1.0)
}
