//! Numerical Jacobian of a law by central differences, for laws that give no analytical one.
//!
//! The increment of each variable is ε^(1/3) of the change that changes F_R by about F_s, where ε is the rounding unit: there the error
//! of a central difference by curvature, of the order of the square of the relative increment, meets the one by rounding, of the
//! order of ε over the increment (Press and others, *Numerical Recipes*, 3rd ed. 2007, Sec. 5.7). Both are about 1e-10 then, and a
//! Newton iteration or an importer's solver needs no more than a few digits. At a kink the difference lies between the derivatives
//! on both sides.

use super::{A, Contact, Evaluation, F_T, Jacobian, Law, NOMINAL_FORCE, NOMINAL_VELOCITY, PlanarJacobian};
use crate::variable::Variable;

/// Increment over the scale of a variable: ∛ε = 2^(−52/3).
const INCREMENT: f64 = 6.055_454_452_393_343e-6;
/// Lower bound on the increment over the value itself, ∛ε²: rounding of the value is at most ∛ε of the increment.
const MIN_INCREMENT: f64 = INCREMENT * INCREMENT;

/// The Jacobian of a law by central differences, finite everywhere. [`Law::jacobian`] falls back to it.
///
/// It takes two evaluations for each state and each input, at constant discrete states.
pub fn numerical_jacobian<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &[f64; N],
    discrete: &L::DiscreteState,
) -> Jacobian<N> {
    let mut jacobian = Jacobian::ZERO;
    let scale = law.scale(contact, x);
    for (j, (state, _)) in L::METADATA.states.iter().enumerate() {
        let unit = if scale[j].is_normal() { scale[j] } else { nominal(state) };
        let slopes = slopes(around(x[j], unit), |value| {
            let mut moved = *x;
            moved[j] = value;
            law.evaluate(contact, &moved, discrete)
        });
        jacobian.F_R_x[j] = slopes.F_R;
        for (row, slope) in jacobian.rate_x.iter_mut().zip(slopes.rate) {
            row[j] = slope;
        }
    }
    let at = |contact: Contact| law.evaluate(contact, x, discrete);

    let by_normal_force = slopes(normal_forces(contact), |normal_force| at(Contact { F_N: normal_force, ..contact }));
    (jacobian.F_R_F_N, jacobian.rate_F_N) = (by_normal_force.F_R, by_normal_force.rate);

    let unit = velocity_unit(law, contact);
    let by_velocity = slopes(on_one_side(around(contact.v, unit), contact.v), |v| at(Contact { v, ..contact }));
    (jacobian.F_R_v, jacobian.rate_v) = (by_velocity.F_R, by_velocity.rate);

    if L::METADATA.inputs.contains(&A) {
        jacobian.F_R_a = slopes(around(contact.a, nominal(&A)), |a| at(Contact { a, ..contact })).F_R;
    }
    if L::METADATA.inputs.contains(&F_T) {
        let applied = around(contact.F_t, nominal(&F_T));
        jacobian.F_R_F_t = slopes(applied, |force| at(Contact { F_t: force, ..contact })).F_R;
    }
    if law.delay().is_some() {
        let past = on_one_side(around(contact.v_past, unit), contact.v_past);
        jacobian.F_R_v_past = slopes(past, |v_past| at(Contact { v_past, ..contact })).F_R;
    }
    jacobian
}

/// The partial derivatives of a law in the plane by central differences, finite everywhere.
pub fn numerical_planar_jacobian<L: Law<N>, const N: usize>(
    law: &L,
    contact: Contact,
    x: &[f64; N],
    discrete: &L::DiscreteState,
) -> PlanarJacobian<N> {
    let (scale, unit) = (law.scale(contact, x), velocity_unit(law, contact));
    let slopes = |interval: [f64; 2], at: &dyn Fn(f64) -> (Contact, [f64; N])| {
        let first = slopes(interval, |value| {
            let (contact, x) = at(value);
            law.evaluate(contact, &x, discrete)
        });
        let second = slopes(interval, |value| {
            let (contact, x) = at(value);
            Evaluation { F_R: law.planar_force(contact, &x, discrete)[1], sticking: false, rate: [0.0; N] }
        });
        ([first.F_R, second.F_R], first.rate)
    };
    let by_state: [_; N] = core::array::from_fn(|j| {
        let size = if scale[j].is_normal() { scale[j] } else { nominal(&L::METADATA.states[j].0) };
        slopes(around(x[j], size), &|value| {
            let mut moved = *x;
            moved[j] = value;
            (contact, moved)
        })
    });
    let by_normal = slopes(normal_forces(contact), &|force| (Contact { F_N: force, ..contact }, *x));
    let by_v = slopes(around(contact.v, unit), &|v| (Contact { v, ..contact }, *x));
    let by_v_y = slopes(around(contact.v_y, unit), &|v_y| (Contact { v_y, ..contact }, *x));
    let by_x = |component: usize| core::array::from_fn(|j| by_state[j].0[component]);
    PlanarJacobian {
        rate_x: core::array::from_fn(|i| core::array::from_fn(|j| by_state[j].1[i])),
        rate_F_N: by_normal.1,
        rate_v: core::array::from_fn(|i| [by_v.1[i], by_v_y.1[i]]),
        force_x: [by_x(0), by_x(1)],
        force_F_N: by_normal.0,
        force_v: [[by_v.0[0], by_v_y.0[0]], [by_v.0[1], by_v_y.0[1]]],
    }
}

fn nominal(variable: &Variable) -> f64 {
    variable.nominal.unwrap_or(1.0)
}

/// Change of a velocity that changes F_R by about F_s, m/s, directly or through the states.
fn velocity_unit<L: Law<N>, const N: usize>(law: &L, contact: Contact) -> f64 {
    let unit = law.velocity_error_scale(contact);
    if unit.is_normal() { unit.min(NOMINAL_VELOCITY) } else { NOMINAL_VELOCITY }
}

/// Part of an interval around `value` that lies on the same side of 0, because functions of |v| have a kink there; the whole interval
/// around 0.
fn on_one_side([low, high]: [f64; 2], value: f64) -> [f64; 2] {
    if value > 0.0 && low < 0.0 {
        [value, high]
    } else if value < 0.0 && high > 0.0 {
        [low, value]
    } else {
        [low, high]
    }
}

/// Normal forces of the difference quotient: on both sides of F_N, and in an open contact below F_N, where it stays open.
fn normal_forces(contact: Contact) -> [f64; 2] {
    if contact.is_open() {
        [contact.F_N - INCREMENT * NOMINAL_FORCE.max(contact.F_N.abs()), contact.F_N]
    } else {
        around(contact.F_N, contact.F_N)
    }
}

/// `value` minus and plus its increment.
fn around(value: f64, scale: f64) -> [f64; 2] {
    let increment = (INCREMENT * scale).max(MIN_INCREMENT * value.abs());
    [value - increment, value + increment]
}

/// Difference quotients of force and rates between two values of a variable; 0 where they are not finite.
fn slopes<const N: usize>([low, high]: [f64; 2], at: impl Fn(f64) -> Evaluation<N>) -> Evaluation<N> {
    let (below, above) = (at(low), at(high));
    let slope = |below: f64, above: f64| {
        let slope = (above - below) / (high - low);
        if slope.is_finite() { slope } else { 0.0 }
    };
    let rate = core::array::from_fn(|i| slope(below.rate[i], above.rate[i]));
    Evaluation { F_R: slope(below.F_R, above.F_R), sticking: false, rate }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ELEMENTS;
    use crate::laws::tests::random;
    use crate::laws::*;
    use crate::variable::Values;

    /// Relative difference from the analytical derivative that smooth laws stay below.
    const AGREEMENT: f64 = 1e-6;
    /// Relative rounding of an evaluation, as of an exponential of a sum with cancellation.
    const EVALUATION: f64 = 1e-14;

    /// One derivative: numerical, analytical, analytical on both sides, the function's value, and the increment.
    struct Compared {
        numerical: f64,
        exact: f64,
        sides: [f64; 2],
        value: f64,
        increment: f64,
    }

    /// Compares all derivatives of a law at random contacts and states, open and closed; returns the name.
    fn compare<L: Law<N>, const N: usize>() -> &'static str {
        let metadata = L::METADATA;
        let start = metadata.parameters.iter().chain(metadata.states.iter().map(|(state, _)| state));
        let law = L::new(&Values::of(start)).expect("a law accepts its defaults");
        let mut random = random(9);
        for _ in 0..2000 {
            let mut velocity = || random() * libm::pow(10.0, 3.0 * random() - 3.0);
            let (v, v_past) = (velocity(), velocity());
            let contact =
                Contact { F_N: 10.0 * (random() + 0.8), v, a: random(), F_t: 10.0 * random(), v_past, ..Contact::ZERO };
            let scale = law.scale(contact, &[0.0; N]);
            let x: [f64; N] = core::array::from_fn(|i| random() * scale[i]);
            let discrete = law.initialize(contact);
            let found = numerical_jacobian(&law, contact, &x, &discrete);
            let exact = law.jacobian(contact, &x, &discrete);
            let here = law.evaluate(contact, &x, &discrete);
            let jacobian = |contact: Contact, x: &[f64; N]| law.jacobian(contact, x, &discrete);
            let mut all = Vec::new();

            let mut add = |increment: f64, of: &dyn Fn(&Jacobian<N>) -> (f64, [f64; N]), sides: [Jacobian<N>; 2]| {
                let [(found, found_rates), (exact, exact_rates)] = [of(&found), of(&exact)];
                let [(low, low_rates), (high, high_rates)] = [of(&sides[0]), of(&sides[1])];
                let value = here.F_R;
                all.push(Compared { numerical: found, exact, sides: [low, high], value, increment });
                for i in 0..N {
                    let (numerical, exact) = (found_rates[i], exact_rates[i]);
                    let (sides, value) = ([low_rates[i], high_rates[i]], here.rate[i]);
                    all.push(Compared { numerical, exact, sides, value, increment });
                }
            };
            for j in 0..N {
                let unit = law.scale(contact, &x)[j];
                let sides = around(x[j], if unit.is_normal() { unit } else { nominal(&metadata.states[j].0) });
                let at = |value: f64| {
                    let mut moved = x;
                    moved[j] = value;
                    jacobian(contact, &moved)
                };
                let of = |by: &Jacobian<N>| (by.F_R_x[j], core::array::from_fn(|i| by.rate_x[i][j]));
                add(sides[1] - sides[0], &of, sides.map(at));
            }
            let unit = velocity_unit(&law, contact);
            let sides = on_one_side(around(contact.v, unit), contact.v);
            let at = sides.map(|v| jacobian(Contact { v, ..contact }, &x));
            add(sides[1] - sides[0], &|by| (by.F_R_v, by.rate_v), at);
            let sides = normal_forces(contact);
            let at = sides.map(|normal_force| jacobian(Contact { F_N: normal_force, ..contact }, &x));
            add(sides[1] - sides[0], &|by| (by.F_R_F_N, by.rate_F_N), at);
            let sides = around(contact.a, nominal(&A));
            let at = sides.map(|a| jacobian(Contact { a, ..contact }, &x));
            add(sides[1] - sides[0], &|by| (by.F_R_a, [0.0; N]), at);
            let sides = around(contact.F_t, nominal(&F_T));
            let at = sides.map(|force| jacobian(Contact { F_t: force, ..contact }, &x));
            add(sides[1] - sides[0], &|by| (by.F_R_F_t, [0.0; N]), at);
            let sides = on_one_side(around(contact.v_past, unit), contact.v_past);
            let at = sides.map(|v_past| jacobian(Contact { v_past, ..contact }, &x));
            add(sides[1] - sides[0], &|by| (by.F_R_v_past, [0.0; N]), at);

            for (place, Compared { numerical, exact, sides: [low, high], value, increment }) in all.iter().enumerate() {
                let kink = (high - low).abs().max((exact - low).abs()).max((exact - high).abs());
                let bound = AGREEMENT * exact.abs() + EVALUATION * value.abs() / increment + kink;
                let error = (numerical - exact).abs();
                let name = metadata.name;
                assert!(error <= bound, "{name}, {place}: {numerical} for {exact} at {contact:?}, {x:?}");
            }
        }
        metadata.name
    }

    #[test]
    fn numerical_jacobians_agree_with_the_analytical_ones_of_all_laws() {
        let compared = [
            compare::<frdyn2::FrDyn2, 2>(),
            compare::<frdyn2_linear::FrDyn2Linear, 2>(),
            compare::<static_regularized::StaticRegularized, 0>(),
            compare::<coulomb::Coulomb, 0>(),
            compare::<stribeck::Stribeck, 0>(),
            compare::<brown_mcphee::BrownMcPhee, 0>(),
            compare::<popp_stelter::PoppStelter, 0>(),
            compare::<non_reversible::NonReversible, 0>(),
            compare::<armstrong::Armstrong, 2>(),
            compare::<dahl::Dahl, 1>(),
            compare::<lugre::LuGre, 1>(),
            compare::<stefanski_2003::Stefanski2003, 0>(),
            compare::<stefanski_2006::Stefanski2006, 0>(),
            compare::<modelica_friction::ModelicaFriction, 0>(),
            compare::<simpack_stick_slip::SimpackStickSlip, 1>(),
            compare::<adams_stick_slip::AdamsStickSlip, 1>(),
        ];
        let missing: Vec<_> = ELEMENTS.iter().filter(|model| !compared.contains(&model.metadata.name)).collect();
        assert!(missing.is_empty(), "compare {} here as well", missing[0].metadata.name);
    }
}
