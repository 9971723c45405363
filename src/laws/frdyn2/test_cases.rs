//! Parameters, states and assertions that the tests of this folder share.

use super::FrDyn2;
use super::equations::Equations;
use super::metadata::{SIGMA_0, SIGMA_1};
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law};
use crate::laws::regularised::{MU_D, MU_S, V_D, V_S};
use crate::variable::{InputError, Values, Variable};

/// Weight of 1 kg, N: the normal force of the paper's test bench.
pub const G: f64 = 9.81;
/// Static friction force at [`G`], N.
pub const F_S: f64 = 0.6 * G;

/// FrDyn2 with the paper's parameters.
pub fn law() -> FrDyn2 {
    with(&[]).unwrap()
}

/// The paper's parameters, by the general integrator alone.
pub fn equations() -> Equations {
    law().with_general_integrator()
}

/// FrDyn2 with some parameters changed.
pub fn with(changes: &[(Variable, f64)]) -> Result<FrDyn2, InputError> {
    let mut values = Values::of(FrDyn2::METADATA.parameters);
    for (variable, value) in changes {
        values[variable] = *value;
    }
    FrDyn2::new(&values)
}

/// FrDyn2 with σ_0, σ_1, μ_s, v_s, μ_d, v_d.
pub fn bristle([sigma_0, sigma_1, mu_s, v_s, mu_d, v_d]: [f64; 6]) -> FrDyn2 {
    with(&[(SIGMA_0, sigma_0), (SIGMA_1, sigma_1), (MU_S, mu_s), (MU_D, mu_d), (V_S, v_s), (V_D, v_d)]).unwrap()
}

/// FrDyn2 with σ_0, σ_1, μ_s, v_s, v_d and μ_d = μ_s: no Stribeck effect.
pub fn flat([sigma_0, sigma_1, mu_s, v_s, v_d]: [f64; 5]) -> FrDyn2 {
    bristle([sigma_0, sigma_1, mu_s, v_s, mu_s, v_d])
}

/// Random numbers, evenly distributed from −1 to 1; repeatable.
pub fn random(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }
}

/// Repeatable random contacts and bristle states over all branches of the law.
pub fn scatter() -> impl Iterator<Item = (Contact, [f64; 2])> {
    let mut random = random(0x9e37_79b9_7f4a_7c15);
    (0..2000).map(move |i| {
        let reach = [1e-3, 0.1, 1.0, 10.0, 100.0][i % 5];
        let contact = Contact::new(G * (1.0 + 0.9 * random()), 2e-3 * reach * random());
        (contact, [2e-6 * reach * random(), 2e-3 * reach * random()])
    })
}

/// Asserts F_R (N) after `t` s of a contact that changes at a constant rate, from the states `x`, to the default tolerance.
pub fn assert_follows(law: &FrDyn2, start: Contact, rate: Contact, mut x: [f64; 2], t: f64, expected: f64) {
    let derivatives = [rate, Contact::ZERO, Contact::ZERO];
    let trajectory = InputTrajectory { start, derivatives: Some(&derivatives), delay: None };
    law.advance(&trajectory, &mut x, &mut (), t, 1e-6, &mut Radau::default()).unwrap();
    let end = trajectory.at(t);
    let force = law.evaluate(end, &x, &()).F_R;
    assert!((force - expected).abs() < 1e-6 * law.static_force(end.F_N), "{force} for {expected}");
}
