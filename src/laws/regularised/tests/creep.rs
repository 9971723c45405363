//! Creep under pulsating loads, of the laws and by the analytic formula.

use super::{F_S, G, default_law};
use crate::integrate::memory::Memory;
use crate::law::{Contact, Law};
use crate::laws::frdyn2::FrDyn2;
use crate::laws::frdyn2_linear::FrDyn2Linear;
use crate::ode::{self, Limits, Linearised, State, System, Totals};
use core::array;
use core::f64::consts::TAU;

/// Body of 1 kg under F_s (b + a sin 2πft) and its bristle in one system, with the states v, z, ż, the slip ∫(v − ż) dt and the slip
/// that the analytic formula of the parabola gives.
struct Bench<L> {
    law: L,
    load: fn(f64, [f64; 3]) -> f64,
    numbers: [f64; 3],
}

/// F_s (b + a sin 2πft).
fn pulsating(t: f64, [b, a, f]: [f64; 3]) -> f64 {
    F_S * (b + a * libm::sin(TAU * f * t))
}

/// Changes of the states that count as an error of 1.
const SCALE: [f64; 5] = [1e-3, 1e-6, 1e-3, 1e-6, 1e-6];

impl<L: Law<2, DiscreteState = ()>> Bench<L> {
    /// Rates of the states, 1/s.
    fn rates(&self, t: f64, [v, z, z_dot, _, _]: [f64; 5]) -> [f64; 5] {
        let (sigma_0, sigma_1, v_s) = (5e6, 3192.75, 1e-3);
        let at = self.law.evaluate(Contact::new(G, v), &[z, z_dot], &());
        let ratio = (sigma_0 * z + sigma_1 * v) / F_S;
        let root = (1.0 - ratio.abs()).max(0.0).sqrt();
        let k = 2.0 * F_S / v_s * root;
        let mass = sigma_1 * sigma_1 / 4.0 / sigma_0;
        let predicted =
            -mass * sigma_0 / v_s * 1_f64.copysign(ratio) * z_dot * z_dot / root / (k + sigma_1) / (k + sigma_1);
        [(self.load)(t, self.numbers) - at.F_R, at.rate[0], at.rate[1], v - z_dot, predicted]
    }

    /// Partial derivatives of the rates but the last, as rows.
    fn derivatives(&self, [v, z, z_dot, _, _]: [f64; 5]) -> [[f64; 5]; 5] {
        let by = self.law.jacobian(Contact::new(G, v), &[z, z_dot], &());
        [
            [-by.F_R_v, -by.F_R_x[0], -by.F_R_x[1], 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0, 0.0],
            [by.rate_v[1], by.rate_x[1][0], by.rate_x[1][1], 0.0, 0.0],
            [1.0, 0.0, -1.0, 0.0, 0.0],
            [0.0; 5],
        ]
    }
}

/// Slip rates of the law and of the formula (m/s) over a second after a second, and the peak of F_R over F_s.
fn creep<L: Law<2, DiscreteState = ()>>(law: L, numbers: [f64; 3]) -> [f64; 2] {
    let bench = Bench { law, load: pulsating, numbers };
    // From the state of the mean load.
    let mut x = [0.0, numbers[0] * F_S / 5e6, 0.0, 0.0, 0.0];
    let advance = |x: &mut [f64; 5], from: f64| {
        let later = Later { bench: &bench, from };
        let mut state = State { z: [0.0; 5], u: array::from_fn(|i| x[i] / SCALE[i]) };
        ode::advance(&later, &mut state, 1.0, 1e-6, &mut Memory::default()).unwrap();
        *x = array::from_fn(|i| state.u[i] * SCALE[i]);
    };
    advance(&mut x, 0.0);
    let before = x;
    advance(&mut x, 1.0);
    [x[3] - before[3], x[4] - before[4]]
}

/// Bench from a later time on, s, with its states over their scales.
struct Later<'a, L> {
    bench: &'a Bench<L>,
    from: f64,
}

impl<L: Law<2, DiscreteState = ()>> System<5> for Later<'_, L> {
    const SECOND_ORDER: bool = false;
    const LINEAR: bool = false;
    const FORCE_IS_LINEAR: bool = true;
    const IS_HYBRID: bool = true;

    type At = f64;

    fn at(&self, t: f64) -> f64 {
        t
    }

    fn rate(&self, t: &f64, x: &State<5>) -> [f64; 5] {
        let rates = self.bench.rates(self.from + t, array::from_fn(|i| x.u[i] * SCALE[i]));
        array::from_fn(|i| rates[i] / SCALE[i])
    }

    fn linearised(&self, t: &f64, x: &State<5>) -> Linearised<5> {
        let by = self.bench.derivatives(array::from_fn(|i| x.u[i] * SCALE[i]));
        let by_u = array::from_fn(|i| array::from_fn(|j| by[i][j] * SCALE[j] / SCALE[i]));
        Linearised { rate: self.rate(t, x), by_z: [[0.0; 5]; 5], by_u }
    }

    fn decay_rate(&self, _: &f64) -> f64 {
        0.0
    }

    fn scale(&self, _: &f64, _: &State<5>, _: &Linearised<5>) -> [f64; 2] {
        [f64::INFINITY, 1.0]
    }

    fn limits(&self, _: f64, _: &f64, _: &State<5>) -> Limits {
        Limits { longest: 0.05 / self.bench.numbers[2], growth_rate: 0.0 }
    }

    fn branch(&self, _: &f64, _: &State<5>) -> u16 {
        0
    }

    fn force(&self, _: &f64, _: &State<5>, _: &[f64; 5]) -> ([f64; 5], f64) {
        ([0.0; 5], 0.0)
    }

    fn inputs_are_curved(&self) -> bool {
        false
    }

    fn work_scale(&self) -> f64 {
        1.0
    }

    fn closed_form(&self, _: &mut State<5>, _: f64, _: bool) -> Option<Totals<5>> {
        None
    }
}

/// Loads of the table of creep rates (b, a, f in Hz) and the rate of the parabola, m/s.
const LOADS: [([f64; 3], f64); 6] = [
    ([0.5, 0.3, 20.0], -3.08e-8),
    ([0.5, 0.3, 100.0], -8.24e-7),
    ([0.5, 0.3, 200.0], -3.47e-6),
    ([0.3, 0.5, 50.0], -3.32e-7),
    ([0.7, 0.15, 100.0], -3.55e-7),
    ([0.5, 0.4, 10.0], -1.58e-8),
];

#[test]
fn pulsating_loads_cause_no_creep() {
    for (numbers, _) in LOADS {
        let [rate, _] = creep(default_law::<FrDyn2Linear>(), numbers);
        assert!(rate.abs() < 1e-14, "{numbers:?}: {rate:e} m/s");
    }
}

#[test]
fn creep_of_the_parabola_agrees_with_the_analytic_formula() {
    for (numbers, measured) in LOADS {
        let [rate, predicted] = creep(default_law::<FrDyn2>(), numbers);
        assert!((rate / measured - 1.0).abs() < 0.01, "{numbers:?}: {rate:e} m/s for {measured:e} m/s");
        // The formula is quasi-static.
        if numbers[2] <= 20.0 {
            assert!((rate / predicted - 1.0).abs() < 0.01, "{numbers:?}: {rate:e} m/s, formula {predicted:e} m/s");
        }
    }
}
