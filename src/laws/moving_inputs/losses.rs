//! Losses of laws with parameters that make their force steep or put its kinks anywhere.

use super::*;

/// Decades of speeds, m/s.
const SPEEDS: [f64; 2] = [-5.5, -0.5];
/// A parameter, and the decades that its value is drawn from.
type Drawn = (&'static str, [f64; 2]);
/// Laws, and their parameters with the decades that they are drawn from: speeds in ascending order,
/// or others.
const LAWS: [(&str, &[Drawn]); 11] = [
    (
        "Stribeck",
        &[("v_Stribeck", SPEEDS), ("delta_sigma", [-0.6, 0.6])],
    ),
    ("BrownMcPhee", &[("v_Stribeck", SPEEDS)]),
    ("StaticRegularized", &[("v_s", SPEEDS), ("v_d", SPEEDS)]),
    ("AdamsStickSlip", &[("v_s", SPEEDS), ("v_d", SPEEDS)]),
    (
        "ModelicaFriction",
        &[
            ("v_1", SPEEDS),
            ("v_2", SPEEDS),
            ("v_3", SPEEDS),
            ("v_4", SPEEDS),
        ],
    ),
    ("PoppStelter", &[("eta_1", [0.5, 5.5])]),
    ("NonReversible", &[("a_u", [0.5, 5.5])]),
    ("NonReversible", &[("b_l", [0.5, 5.5])]),
    (
        "Stefanski2003",
        &[("a_1", [-1.0, 4.0]), ("a_2", [-4.0, 0.0])],
    ),
    (
        "Stefanski2006",
        &[
            ("sigma_0", [3.0, 8.0]),
            ("d", [-1.0, 2.0]),
            ("tau", [-3.0, 0.0]),
            ("delta", [-4.0, -1.0]),
        ],
    ),
    (
        "Armstrong",
        &[("v_Stribeck", SPEEDS), ("sigma_0", [3.0, 8.0])],
    ),
];

#[test]
fn loss_of_a_step_is_that_of_its_parts_at_any_range_that_the_force_varies_over() {
    for (name, parameters) in LAWS {
        let entry = find(name).unwrap();
        let mut random = random(19);
        let mut worst: f64 = 0.0;
        for i in 0..400 {
            let mut last = 0.0;
            let chosen = parameters.iter().map(|&(parameter, decades @ [from, to])| {
                let drawn = libm::exp10(0.5 * (from + to) + 0.5 * (to - from) * random());
                last = if decades == SPEEDS {
                    last + drawn
                } else {
                    drawn
                };
                (parameter, last)
            });
            let mut chosen: Vec<_> = chosen.collect();
            if name == "Armstrong" {
                // The delayed velocity is interpolated linearly between steps, so that it depends
                // on the division of a step.
                chosen.push(("tau", 0.0));
            }
            let h = libm::exp10(-3.0 + random());
            let most = libm::exp10(-2.0 + 2.0 * random());
            let [normal, v, a] = [(5.0, 8.0), (most, 0.0), (1.0, 0.0)].map(|(size, offset)| {
                let by_order = [1.0, 2.0 / h, if i % 3 > 0 { 4.0 / (h * h) } else { 0.0 }];
                let c = by_order.map(|by_order| size * random() * by_order);
                [c[0] + offset, c[1], c[2], 0.0]
            });
            let inputs = Inputs {
                normal,
                v,
                a,
                ..Inputs::default()
            };
            let done = |parts: u32| {
                let mut element = initialised(entry, &chosen, &inputs);
                if parts > 1 {
                    element.set_tolerance(1e-9);
                }
                walk(entry, &mut *element, &inputs, h, parts).unwrap();
                element.values()[&E_LOSS]
            };
            let (whole, parts) = (done(1), done(32));
            let at = |c: Orders, t: f64| c[0] + t * (c[1] + 0.5 * t * c[2]);
            let most = |c: Orders| {
                (0..=50).fold(0.0_f64, |most, k| {
                    most.max(at(c, h * f64::from(k) / 50.0).abs())
                })
            };
            // The least largest coefficient of the laws is mu_d.
            worst = worst.max((whole - parts).abs() / (0.3 * most(normal) * most(v) * h));
        }
        assert!(
            worst < 1e-5,
            "{name} with {parameters:?}: loss off by {worst:e}"
        );
    }
}
