//! Random values that an engineer could give a variable.

use bristle_random::Random;

/// A value that an engineer would give this variable.
pub fn plausible_value(random: &mut Random, name: &str, start: Option<f64>) -> f64 {
    match (without_contact(name), start) {
        ("F_N", _) if random.once_in(6) => random.between(-10.0, 0.0),
        ("F_N", _) => random.magnitude(0.1, 500.0),
        ("v" | "v_x" | "v_y", _) if random.once_in(6) => 0.0,
        ("v" | "v_x" | "v_y", _) => {
            let speed = random.magnitude(1e-6, 1.0);
            random.sign(speed)
        }
        // The elements of `cards` have radii around 0.05 m.
        ("omega", _) => 20.0 * plausible_value(random, "v", None),
        ("z" | "z_x" | "z_y", _) => random.between(-1e-6, 1e-6),
        // The position of a block.
        ("x" | "phi" | "x_base" | "phi_base", _) => random.between(-1e-3, 1e-3),
        ("z_dot" | "z_dot_x" | "z_dot_y", _) => random.between(-1e-3, 1e-3),
        ("t_d", _) => random.between(0.0, 10.0),
        ("a" | "omega_dot" | "F_t" | "M_t", _) => random.between(-10.0, 10.0),
        ("load", _) if random.once_in(6) => random.between(-1.0, 0.0),
        ("load", _) => random.magnitude(0.01, 50.0),
        // Parameters that are bounded by each other.
        ("mu_s" | "M_s", _) => random.between(0.55, 1.0),
        ("mu_d" | "M_d", _) => random.between(0.05, 0.5),
        ("mu_s_0" | "M_s_0", _) => random.between(0.3, 0.7),
        ("F_s", _) => random.between(5.5, 10.0),
        ("F_d", _) => random.between(0.5, 5.0),
        ("v_s", _) => random.magnitude(1e-4, 5e-3),
        ("v_d", _) => random.magnitude(6e-3, 1e-1),
        ("omega_s", _) => random.magnitude(1e-2, 0.1),
        ("omega_d", _) => random.magnitude(0.2, 1.0),
        ("v_1" | "omega_1", _) => random.between(0.01, 0.02),
        ("v_2" | "omega_2", _) => random.between(0.02, 0.03),
        ("v_3" | "omega_3", _) => random.between(0.03, 0.04),
        ("v_4" | "omega_4", _) => random.between(0.04, 0.05),
        ("peak", _) => random.between(1.0, 2.0),
        // Reactions of a joint and its overlap.
        ("F_x" | "F_y" | "F_z", _) => random.between(-10.0, 10.0),
        ("M_x" | "M_y" | "M_z", _) => random.between(-0.2, 0.2),
        ("s", _) => random.between(0.0, 0.1),
        (_, Some(start)) if start != 0.0 => start * random.magnitude(0.5, 2.0),
        _ => random.between(0.0, 1.0),
    }
}

/// Name of a variable without the contact or the direction it belongs to: `F_N` of `F_N[2]`, `mu_s`
/// of `rear.mu_s` and of `mu_s_forward`.
pub fn without_contact(name: &str) -> &str {
    let name = name.rsplit('.').next().unwrap_or(name);
    let name = name.split('[').next().unwrap_or(name);
    name.trim_end_matches("_forward")
        .trim_end_matches("_backward")
}
