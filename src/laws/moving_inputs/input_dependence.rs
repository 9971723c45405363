//! Losses of laws that tell how their force depends on the speed, with parameters that make it steep or put its kinks anywhere.

use super::*;

/// Laws, and the parameters that are speeds (m/s) or reciprocals of them, in ascending order.
const LAWS: [(&str, &[&str], bool); 8] = [
    ("Stribeck", &["v_Stribeck"], false),
    ("BrownMcPhee", &["v_Stribeck"], false),
    ("StaticRegularized", &["v_s", "v_d"], false),
    ("AdamsStickSlip", &["v_s", "v_d"], false),
    ("ModelicaFriction", &["v_1", "v_2", "v_3", "v_4"], false),
    ("PoppStelter", &["eta_1"], true),
    ("NonReversible", &["a_u"], true),
    ("NonReversible", &["b_l"], true),
];

#[test]
fn loss_of_a_step_is_that_of_its_parts_at_any_speed_that_the_force_depends_on() {
    for (name, parameters, reciprocal) in LAWS {
        let entry = find(name).unwrap();
        let mut random = random(19);
        let mut worst: f64 = 0.0;
        for i in 0..400 {
            let mut speed = 0.0;
            let chosen = parameters.iter().map(|parameter| {
                speed += libm::exp10(-3.0 + 2.5 * random());
                (*parameter, if reciprocal { 1.0 / speed } else { speed })
            });
            let mut chosen: Vec<_> = chosen.collect();
            if name == "Stribeck" {
                chosen.push(("delta_sigma", libm::exp10(0.6 * random())));
            }
            let h = libm::exp10(-3.0 + random());
            let most = libm::exp10(-2.0 + 2.0 * random());
            let [normal, v, a] = [(5.0, 8.0), (most, 0.0), (1.0, 0.0)].map(|(size, offset)| {
                let by_order = [1.0, 2.0 / h, if i % 3 > 0 { 4.0 / (h * h) } else { 0.0 }];
                let c = by_order.map(|by_order| size * random() * by_order);
                [c[0] + offset, c[1], c[2], 0.0]
            });
            let inputs = Inputs { normal, v, a, ..Inputs::default() };
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
            let most = |c: Orders| (0..=50).fold(0.0_f64, |most, k| most.max(at(c, h * f64::from(k) / 50.0).abs()));
            // The least largest coefficient of the laws is mu_d.
            worst = worst.max((whole - parts).abs() / (0.3 * most(normal) * most(v) * h));
        }
        assert!(worst < 1e-5, "{name} {parameters:?}: loss off by {worst:e}");
    }
}
