use super::{set, start, variant};
use crate::integrate::polynomial::taylor;

#[test]
fn break_away_under_curved_loads_takes_few_inner_steps() {
    // The load passes F_s by 1e-9 to 0.3 of it within the step, on masses of 1 g to 1 t.
    let h = 1e-3;
    // The force of ModelicaFriction falls with the slip, so that a light mass runs away.
    for (law, mu, most) in [("Coulomb", 0.3, 40), ("ModelicaFriction", 0.6, 400)] {
        let mut worst = 0;
        for i in 0..600 {
            let share = f64::from(i) / 600.0;
            let mass = libm::pow(10.0, 6.0 * (7.0 * share).fract() - 3.0);
            let excess = libm::pow(10.0, 8.5 * (41.0 * share).fract() - 9.0);
            let variant = variant(law, [mass, 0.0, 0.0]);
            let belt = 4.65e-6;
            let inputs = [("F_N", 949.64), ("v_surface", belt), ("v", belt)];
            let mut assembly = start(&variant, &inputs);
            let rates = [1.080e5, -5.376e7, -3.857e11].map(|rate| rate * libm::cos(9.0 * share));
            let load = |t: f64| taylor(&[0.0, rates[0], rates[1], rates[2]], t);
            let peak = (0..=1000)
                .map(|k| load(h * f64::from(k) / 1000.0))
                .fold(0.0, f64::max);
            let first = mu * 949.64 * (1.0 + excess) - peak;
            set(&variant, &mut assembly, &[("F", first)]);
            for (order, rate) in (1..).zip(rates) {
                let input = variant.find("F").unwrap();
                assembly.set_input_derivative(input, order, rate).unwrap();
            }
            worst = worst.max(assembly.advance(h).unwrap().inner_steps);
        }
        assert!(worst < most, "{law}: {worst} inner steps");
    }
}
