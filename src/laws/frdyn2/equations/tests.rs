//! The equations against their invariants, printed points of the characteristic and differences.

use super::super::test_cases::{F_S, G, equations, scatter, with};
use super::*;
use crate::laws::regularised::{MU_D, V_D};
use crate::variable::Variable;

#[test]
fn the_force_never_exceeds_the_static_friction_force() {
    for (contact, x) in scatter() {
        let force = equations().evaluate(contact, &x, &()).F_R;
        assert!(force.abs() <= 0.6 * contact.F_N * (1.0 + 1e-15), "{contact:?} {x:?}: {force}");
    }
}

#[test]
fn the_mirrored_contact_gives_the_mirrored_force_and_rate() {
    for (contact, x) in scatter() {
        let a = equations().evaluate(contact, &x, &());
        let b = equations().evaluate(Contact { v: -contact.v, ..contact }, &x.map(|x| -x), &());
        assert_eq!((a.F_R, a.rate, a.sticking), (-b.F_R, b.rate.map(|r| -r), b.sticking));
    }
}

#[test]
fn the_force_at_zero_slip_is_the_sticking_force() {
    // Equation (4): with ż = v the characteristic is shifted so that F_R = F_0, as long as |F_0| ≤ F_s.
    for share in [-1.0, -0.99, -0.5, -1e-6, 0.0, 1e-9, 0.3, 0.999_999, 1.0] {
        let v = 1e-5;
        let z = (share * F_S - 3192.75 * v) / 5e6;
        let force = equations().evaluate(Contact::new(G, v), &[z, v], &()).F_R;
        assert!((force - share * F_S).abs() < 1e-13 * F_S, "share {share}: {force}");
    }
}

#[test]
fn the_characteristic_passes_through_its_printed_points() {
    // Fig. 2c: ±μ_s at ±v_s, ±μ_d from ±v_d on. With z = v = 0 nothing is shifted and the slip is −ż.
    let mu = |slip: f64| equations().evaluate(Contact::new(G, 0.0), &[0.0, -slip], &()).F_R / G;
    for (slip, expected) in [(0.0, 0.0), (0.5e-3, 0.45), (1e-3, 0.6), (5.5e-3, 0.45), (1e-2, 0.3), (1.0, 0.3)] {
        assert!((mu(slip) - expected).abs() < 1e-15, "{slip}: {}", mu(slip));
        assert_eq!(mu(-slip), -mu(slip));
        // `force_at` takes w itself.
        for side in [1.0, -1.0] {
            let known = equations().force_at(G, side * slip) / G;
            assert!((known - side * expected).abs() < 1e-15, "{slip}: {known}");
        }
    }
}

#[test]
fn partial_derivatives_agree_with_differences() {
    let law = equations();
    let (mut compared, mut kinks) = (0, 0);
    for (contact, x) in scatter() {
        let near = law.characteristic_point(contact, &x).unwrap();
        // At a kink there is no derivative.
        if near.root < 0.05 || [0.0, 1e-3, 1e-2].iter().any(|kink| (near.w.abs() - kink).abs() < 2e-6) {
            kinks += 1;
            continue;
        }
        compared += 1;
        let linear = law.jacobian(contact, &x, &());
        let difference = |d_contact: Contact, dx: [f64; 2]| {
            let at = |s: f64| {
                let contact = Contact::new(contact.F_N + s * d_contact.F_N, contact.v + s * d_contact.v);
                law.evaluate(contact, &[x[0] + s * dx[0], x[1] + s * dx[1]], &())
            };
            let (after, before) = (at(1.0), at(-1.0));
            [after.F_R - before.F_R, after.rate[0] - before.rate[0], after.rate[1] - before.rate[1]].map(|d| 0.5 * d)
        };
        let still = Contact::new(0.0, 0.0);
        let agree = |given: [f64; 3], step: f64, measured: [f64; 3], what: &str| {
            // F_R to 1e-5 of F_s over the increment, and the rates to 1/m_b of that.
            for (i, scale) in [F_S, 1.0, F_S * law.inverse_mass].into_iter().enumerate() {
                assert!(
                    (given[i] * step - measured[i]).abs() < 2e-5 * scale,
                    "{what}, {contact:?}, {x:?}: {} for {}",
                    given[i] * step,
                    measured[i]
                );
            }
        };
        let (dz, dv, d_force) = (1e-9, 1e-6, 1e-3);
        let [rate_z, rate_z_dot] = [0, 1].map(|j| [linear.F_R_x[j], linear.rate_x[0][j], linear.rate_x[1][j]]);
        agree(rate_z, dz, difference(still, [dz, 0.0]), "z");
        agree(rate_z_dot, dv, difference(still, [0.0, dv]), "ż");
        let by_v = [linear.F_R_v, linear.rate_v[0], linear.rate_v[1]];
        agree(by_v, dv, difference(Contact { v: dv, ..still }, [0.0; 2]), "v");
        let by_force = [linear.F_R_F_N, linear.rate_F_N[0], linear.rate_F_N[1]];
        agree(by_force, d_force, difference(Contact { F_N: d_force, ..still }, [0.0; 2]), "F_N");
    }
    // Beyond |F_0| = F_s the root is 0: there the law has no shift.
    assert!(compared > 600, "{compared} compared, {kinks} at kinks");
}

#[test]
fn partial_derivatives_are_finite_at_the_kinks() {
    // |F_0| = F_s exactly, |w| = v_s, |w| = v_d, w = 0.
    for (v, z) in [(0.0, F_S / 5e6), (1e-3, 0.0), (1e-2, 0.0), (0.0, 0.0)] {
        let linear = equations().jacobian(Contact::new(G, v), &[z, 0.0], &());
        assert!(linear.rate_x.as_flattened().iter().chain(&linear.rate_v).all(|d| d.is_finite()), "{linear:?}");
    }
}

#[test]
fn contradictory_parameters_are_refused_with_a_remedy() {
    let sentence = |changes: &[(Variable, f64)]| with(changes).unwrap_err().0;
    assert!(sentence(&[(MU_D, 0.7)]).contains("lower mu_d or raise mu_s"));
    assert!(sentence(&[(V_D, 1e-3)]).contains("raise v_d or lower v_s"));
    assert!(sentence(&[(SIGMA_1, 1e-200)]).contains("choose sigma_1"));
    assert!(with(&[(MU_D, 0.6)]).is_ok(), "no Stribeck effect is no contradiction");
}

#[test]
fn the_model_warning_begins_at_the_stability_limit() {
    // 1.5 (μ_s − μ_d) F_N/(v_d − v_s) = σ_1 at 63.855 N.
    assert!(equations().model_warning(Contact::new(63.85, 0.0)).is_none());
    assert!(equations().model_warning(Contact::new(63.86, 0.0)).unwrap().contains("63.8550"));
    assert!(with(&[(MU_D, 0.6)]).unwrap().model_warning(Contact::new(1e9, 0.0)).is_none());
}

#[test]
fn velocity_error_scale_changes_the_force_by_about_the_static_friction_force() {
    let scale = equations().velocity_error_scale(Contact::new(G, 0.0));
    let force = |v: f64| equations().evaluate(Contact::new(G, v), &[0.0; 2], &()).F_R;
    for v in [scale, -scale] {
        let change = (force(v) - force(0.0)).abs();
        assert!((0.7 * F_S..=F_S).contains(&change), "{change} N by {v} m/s");
    }
}

#[test]
fn parameters_whose_reciprocals_leave_the_range_of_numbers_are_refused() {
    for model in ["FrDyn2", "FrDyn2Linear"].map(|law| crate::catalogue::find(law).unwrap()) {
        let mut element = model.stock().instantiate();
        let mut set = |name: &str, value: f64| {
            let parameter = model.variables().find(|variable| variable.name == name).unwrap();
            element.set(parameter, value);
        };
        // 1/v_s is subnormal.
        set("v_s", 1e308);
        set("v_d", 1.5e308);
        let refusal = element.apply_parameters().unwrap_err().0;
        assert!(refusal.contains("too far from 1 to calculate with"), "{refusal}");
    }
}
