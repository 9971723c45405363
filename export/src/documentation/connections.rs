//! Connections of an element with a model: its inputs and its force, by the motion of the contact.

use bristle::assembly::system_variables::reference::{
    F, F_BASE, MASS, V as V_OF_BODY, V_BASE, V_SURFACE, V_SURFACE_Y, X, X_BASE,
};
use bristle::assembly::{M_R, OMEGA, OMEGA_DOT};
use bristle::catalogue::{Motion, Variant};
use bristle::element::{A_X, A_Y, F_R, F_R_X, F_R_Y, Source, V_X, V_Y};
use bristle::law::{A, F_N, F_T, V};
use bristle::variable::{RANGE, Role, Unit, Variable, slot};
use minijinja::context;
use minijinja::value::Value;

/// Rows of the table: variable, what it is connected to, and its sign.
pub fn rows(variant: &Variant) -> Vec<Value> {
    let card = variant.card();
    let row = |name: &str, to: &str, sign: &str| context! { name, to, sign };
    // The first contact stands for all, with the names of its motion, whether the card shows them
    // or not.
    let find = |declared: &Variable| {
        variant
            .all()
            .find(|variable| variable.reference < 2 * RANGE && variable.is(declared))
            .map(|own| own.name)
    };
    let name = |declared: &Variable| find(declared).unwrap_or(declared.name);
    let mut rows = Vec::new();
    match (card.level, find(&F_N)) {
        (Some(_), None) => {}
        (None, _) if card.states_normal_force() => {}
        (None, _) if card.reactions.is_some() => {}
        (Some(_), Some(load)) => rows.push(row(
            load,
            "the load by which the friction of the card is multiplied",
            "positive; at 0 and below the contact is open",
        )),
        (None, _) => rows.push(row(
            name(&F_N),
            if card.plate.is_some() && variant.variable(F_N.reference).is_none() {
                "the normal force of the point, N"
            } else {
                "the normal force of the contact, N"
            },
            "positive in compression; at 0 and below the contact is open and its force is 0",
        )),
    }
    let source = variant.source();
    let of_source = source.iter().flat_map(|source| source.variables());
    for input in of_source.filter(|variable| variable.role == Role::Input) {
        let (to, _) = input
            .description
            .split_once(';')
            .unwrap_or((input.description, ""));
        let to = format!(
            "{}{}, {}",
            to[..1].to_lowercase(),
            &to[1..],
            input.unit.symbol()
        );
        let sign = match source {
            Some(Source::Reactions(_)) if input.unit != Unit::Metre => "any: its size counts",
            _ => "that of the motion",
        };
        rows.push(row(name(input), &to, sign));
    }
    if card.system.is_some() {
        rows.extend(of_system(variant));
        rows.push(row(
            name(&F_R),
            "its reaction on the counterpart, where the model has it; the bodies have it inside",
            "positive for a slip forward",
        ));
        return rows;
    }
    if let Some(block) = &card.block {
        rows.extend(of_block(
            block.variables(card.motion).map(|variable| variable.name),
            card.motion,
        ));
        rows.push(row(
            name(&F_R),
            "its reaction on the surface, where the model has it; the block has it inside",
            "positive for a block that slides forward on the surface",
        ));
        return rows;
    }
    match card.motion {
        Motion::Translational => {
            rows.push(row(
                name(&V),
                "the tangential velocity of the contact point on the body relative to its \
                 counterpart, m/s",
                "any, but the same as for the force",
            ));
            if let Some(acceleration) = find(&A) {
                rows.push(row(
                    acceleration,
                    "the time derivative of v, m/s\u{b2}",
                    "that of v",
                ));
            }
            if let Some(applied) = find(&F_T) {
                let to =
                    "all forces on the body but F_R, N; with a master of fixed steps H plus m v/H";
                rows.push(row(applied, to, "that of v"));
            }
            rows.push(row(
                name(&F_R),
                "a force on the body against the direction of v, and its reaction on the \
                 counterpart, N",
                "positive for v > 0 and opposing it",
            ));
        }
        Motion::Rotational => {
            rows.push(row(
                name(&V),
                "the angular velocity of the body relative to its counterpart, rad/s",
                "any, but the same as for the torque",
            ));
            if let Some(acceleration) = find(&A) {
                rows.push(row(
                    acceleration,
                    "the time derivative of omega, rad/s\u{b2}",
                    "that of omega",
                ));
            }
            if let Some(applied) = find(&F_T) {
                let to = "all torques on the body but M_R, N\u{b7}m; with a master of fixed steps \
                          H plus J omega/H";
                rows.push(row(applied, to, "that of omega"));
            }
            rows.push(row(
                name(&F_R),
                "a torque on the body against omega, and its reaction on the counterpart, N\u{b7}m",
                "positive for omega > 0 and opposing it",
            ));
        }
        Motion::Planar | Motion::Patch => {
            let is_patch = card.motion == Motion::Patch;
            let of = if is_patch {
                "of the origin of the plate\u{2019}s axes"
            } else {
                "of the contact point on the body"
            };
            let axes = if is_patch {
                "in the axes of the plate"
            } else {
                "along two axes across each other in the contact plane"
            };
            for velocity in [&V_X, &V_Y] {
                let to = format!("the velocity {of} relative to its counterpart, {axes}, m/s");
                rows.push(row(
                    name(velocity),
                    &to,
                    "any, but the same as for the force",
                ));
            }
            for (acceleration, velocity) in [(&A_X, &V_X), (&A_Y, &V_Y)] {
                if let Some(acceleration) = find(acceleration) {
                    let velocity = name(velocity);
                    rows.push(row(
                        acceleration,
                        &format!("the time derivative of {velocity}, m/s\u{b2}"),
                        "that of the velocity",
                    ));
                }
            }
            if is_patch {
                let to = "the angular velocity of the plate relative to its counterpart, rad/s";
                rows.push(row(OMEGA.name, to, "positive from x to y"));
                if let Some(acceleration) = find(&OMEGA_DOT) {
                    rows.push(row(
                        acceleration,
                        "the time derivative of omega, rad/s\u{b2}",
                        "that of omega",
                    ));
                }
            }
            for force in [&F_R_X, &F_R_Y] {
                let to = "a force on the body against the velocity, and its reaction on the \
                          counterpart, N";
                rows.push(row(
                    name(force),
                    to,
                    "positive for a positive velocity, and opposing it",
                ));
            }
            if is_patch {
                let to = "a torque on the plate about the origin of its axes, and its reaction on \
                          the counterpart, N\u{b7}m";
                rows.push(row(M_R.name, to, "positive for omega > 0 and opposing it"));
            }
        }
    }
    rows
}

/// Rows of a system: each input and output of its coordinates, bases and contacts.
fn of_system(variant: &Variant) -> Vec<Value> {
    let direction = "that of its coordinate";
    let of = |variable: &Variable| {
        let (to, sign) = match slot(variable.reference) as u32 {
            F => (
                "all forces or torques on it but those of springs and contacts",
                direction,
            ),
            X_BASE => (
                "its position at the start of the step",
                "as in the springs\u{2019} rows",
            ),
            V_BASE => ("its velocity", "that of its position"),
            MASS if variable.role == Role::Input => ("its inertia, held over the step", "none"),
            V_SURFACE | V_SURFACE_Y => (
                "the velocity of the surface beside that of coordinates and bases; 0 where it \
                 stands",
                "that of the slip",
            ),
            F_BASE => (
                "the base: the mean over the step, which a parallel master extrapolates",
                "that of its position",
            ),
            X => ("its position", direction),
            V_OF_BODY => ("its velocity", direction),
            _ => return None,
        };
        Some(context! { name => variable.name, to, sign })
    };
    variant
        .variables()
        .filter(|variable| variable.is_of_block())
        .filter_map(of)
        .collect()
}

/// Rows of a block: what its inputs and outputs are connected to, by the names of its variables.
fn of_block(names: impl Iterator<Item = &'static str>, motion: Motion) -> Vec<Value> {
    let force = if motion == Motion::Rotational {
        "torques"
    } else {
        "forces"
    };
    let of_applied = format!("all {force} on the block but friction, spring and damper");
    let connections = [
        (0, of_applied.as_str(), "in the direction of the velocity"),
        (
            1,
            "the position of the base at the start of the step; 0 without a spring",
            "that of the velocity",
        ),
        (
            2,
            "the velocity of the base; 0 where it stands",
            "that of the velocity",
        ),
        (
            3,
            "the velocity of the surface that the block slides on; 0 where it stands",
            "that of the velocity",
        ),
        (
            4,
            "the base: the mean over the step, which a parallel master extrapolates",
            "positive in the direction of the velocity",
        ),
        (5, "the position of the block", "that of the velocity"),
        (7, "the velocity of the block", "any, but the same for all"),
    ];
    let names: Vec<_> = names.collect();
    connections
        .map(|(place, to, sign)| context! { name => names[place], to, sign })
        .into()
}

/// What a spring with a gap does, behind the balance of momentum; empty without one.
pub fn of_gaps(variant: &Variant) -> &'static str {
    let mut springs = variant
        .card()
        .system
        .iter()
        .flat_map(|system| &system.springs);
    if springs.any(|spring| spring.gap.is_some()) {
        " A spring of the length e with a gap g presses where |e| > g/2, with k (|e| \u{2212} \
         g/2) + d d|e|/dt, and never pulls."
    } else {
        ""
    }
}

/// Balance of momentum that the signs belong to.
pub fn balance(variant: &Variant) -> &'static str {
    let card = variant.card();
    match card.motion {
        _ if card.system.is_some() => {
            "The bodies are inside. For each coordinate with inertia m: m dv/dt = F \u{2212} the \
             forces of its springs and dampers \u{2212} the F_R of its contacts, each times its \
             factor; a contact slides at the sum of velocities times factors \u{2212} v_surface."
        }
        Motion::Rotational if card.block.is_some() => {
            "The block is inside: J d(omega)/dt = M \u{2212} M_R \u{2212} k (phi \u{2212} \
             phi_base) \u{2212} d (omega \u{2212} omega_base), \
             and the contact slides at omega \u{2212} omega_surface."
        }
        _ if card.block.is_some() => {
            "The block is inside: m dv/dt = F \u{2212} F_R \u{2212} k (x \u{2212} x_base) \
             \u{2212} d (v \u{2212} v_base), and the contact \
             slides at v \u{2212} v_surface."
        }
        Motion::Translational if card.body.is_some() => {
            "For the body of mass m that all contacts act on, and a force F that pushes it: m \
             dv/dt = F \u{2212} the sum of all F_R. Apply each \
             F_R at its contact; the observer inside only predicts the motion."
        }
        Motion::Rotational if card.body.is_some() => {
            "For the shaft that all contacts act on, and a torque M that turns it: J d(omega)/dt \
             = M \u{2212} the sum of all M_R. Apply each M_R; \
             the observer inside only predicts the motion."
        }
        Motion::Translational => {
            "For a body of mass m that a force F pushes: m dv/dt = F \u{2212} F_R."
        }
        Motion::Rotational => {
            "For a body with the moment of inertia J that a torque M turns: J d(omega)/dt = M \
             \u{2212} M_R."
        }
        Motion::Planar => {
            "For a body of mass m that forces F_x and F_y push: m d(v_x)/dt = F_x \u{2212} F_R_x, \
             m d(v_y)/dt = F_y \u{2212} F_R_y."
        }
        Motion::Patch => {
            "For a plate of mass m and moment of inertia J with its centre of mass at the origin: \
             m dv/dt = F \u{2212} F_R in each \
             direction of fixed axes, J d(omega)/dt = M \u{2212} M_R. v and F_R are given in the \
             axes of the plate, which turn with it."
        }
    }
}

/// Sentence about several contacts; empty for one.
pub fn contacts(variant: &Variant) -> String {
    let card = variant.card();
    let count = card.contact_count();
    if let Some(plate) = &card.plate {
        let normal = if plate.shares.is_empty() {
            "each with a normal force of its own"
        } else {
            "which share the normal force"
        };
        if count == 1 {
            return "The plate lies on one point. The table below has the variables of the plate \
                    and of the point."
                .to_owned();
        }
        return format!(
            "The plate lies on {count} points, {normal}. The table below has the variables of the \
             plate and of point 1; those of \
             point i have its number in brackets, and value references that are higher by {RANGE} \
             (i \u{2212} 1)."
        );
    }
    let Some(contacts) = &card.contacts else {
        return String::new();
    };
    let plural = if count == 1 { "contact" } else { "contacts" };
    let names = if contacts.names.is_empty() {
        format!(
            "{}, with the number in brackets",
            if count == 1 {
                "1".to_owned()
            } else {
                format!("1 to {count}")
            }
        )
    } else {
        format!(
            "{}, with the name before a point",
            contacts.names.join(", ")
        )
    };
    let body = if card.body.is_some() {
        "They act on one body, whose inertia the card gives"
    } else {
        "The contacts do not act on each other"
    };
    format!(
        "The element has {count} {plural}: {names}. {body}. The table below has the variables \
         that they \
         share and those of the first contact; the value references of contact i are higher by \
         {RANGE} (i \u{2212} 1)."
    )
}
