//! Cards of tables of the Modelica Standard Library: `tau_pos`, `f_pos`, `mue_pos`, `lossTable`.
//! Their laws are those that hold a body by a state machine, as the library does.

use std::fmt::Write;

use crate::error::{Error, Result};
use crate::measurement::{Curve, Options};
use crate::table::{Kind, Matrix};

/// Card of the table in a text, if there is one. `radius` (m) is that of a clutch or a brake about
/// an axis, whose coefficients are over its angular velocity.
///
/// # Errors
/// A sentence about the table, or about a radius beside a table that has none.
pub fn card(text: &str, name: &str, radius: Option<f64>) -> Option<Result<String>> {
    let matrix = match Matrix::find(text)? {
        Ok(matrix) => matrix,
        Err(fault) => return Some(Err(Error::new(fault.sentence))),
    };
    Some(of_matrix(&matrix, text, name, radius))
}

fn of_matrix(matrix: &Matrix, text: &str, name: &str, radius: Option<f64>) -> Result<String> {
    let table = matrix.name;
    if radius.is_some() && matrix.kind != Kind::Coefficient {
        return Err(Error::new(format!(
            "a radius was given beside {table}, which holds no coefficients; leave it out"
        )));
    }
    let law = if matrix.kind == Kind::Losses {
        "Coulomb"
    } else {
        "ModelicaFriction"
    };
    let mut card =
        format!("# {table} of the Modelica library\nname = \"{name}\"\nlaw = \"{law}\"\n");
    let motion = match (matrix.kind, radius) {
        (Kind::Torque | Kind::Losses, _) => "motion = \"rotational\"\nload = false\n".to_owned(),
        (Kind::Force, _) => "load = false\n".to_owned(),
        (Kind::Coefficient, Some(radius)) => {
            format!("motion = \"rotational\"\nradius = {radius:?}  # m\n")
        }
        (Kind::Coefficient, None) => String::new(),
    };
    card += &motion;
    if let Some(peak) = matrix.peak {
        let meaning = "break-away over sliding at rest";
        writeln!(card, "\n[parameters]\npeak = {peak:?}  # {meaning}").expect("text grows");
    }
    if matrix.kind == Kind::Losses {
        card +=
            "\n[parameters]\nM_d = 1.0  # N.m, multiplied by the load that follows from losses\n";
        card += "\n[gear]\nlosses = [  # rad/s, eta_mf1, eta_mf2, tau_bf1, tau_bf2 in N.m\n";
        for row in &matrix.rows {
            writeln!(card, "    {row:?},").expect("text grows");
        }
        return Ok(card + "]\n");
    }
    let is_joint = matrix.kind != Kind::Coefficient;
    let options = Options {
        normal_force: is_joint.then_some(1.0),
        radius: radius.or((matrix.kind == Kind::Torque).then_some(1.0)),
        ..Options::default()
    };
    let curve = Curve::read(text.as_bytes(), &options)
        .map_err(|faults| Error::new(faults.first().map_or("", |fault| &fault.sentence)))?;
    let columns = match matrix.kind {
        Kind::Torque => "omega in rad/s, M in N.m",
        Kind::Force => "v in m/s, F in N",
        Kind::Coefficient | Kind::Losses => "v in m/s, mu",
    };
    card += "\n[characteristic]\nend = \"last\"  # the last line goes on, as in the library\n";
    writeln!(card, "points = [  # {columns}").expect("text grows");
    let at_rest = curve.at_rest.map(|mu| [0.0, mu]);
    for [speed, mu] in at_rest.into_iter().chain(curve.points) {
        writeln!(card, "    [{speed:?}, {mu:?}],").expect("text grows");
    }
    Ok(card + "]\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::read;
    use bristle::catalogue::ELEMENTS;
    use bristle::element::{F_N, F_R, V};

    /// Value of lines through rows at a speed, continued by the last one.
    fn on_lines(rows: &[[f64; 2]], speed: f64) -> f64 {
        if let [[_, alone]] = rows {
            return *alone;
        }
        let after = rows
            .partition_point(|[v, _]| *v <= speed)
            .clamp(1, rows.len() - 1);
        let ([v, mu], [v_next, mu_next]) = (rows[after - 1], rows[after]);
        mu + (speed - v) * (mu_next - mu) / (v_next - v)
    }

    /// Friction of an element of a card in steady sliding.
    fn sliding(card: &str, speed: f64) -> f64 {
        let variant = read(card, &ELEMENTS).unwrap_or_else(|faults| panic!("{faults:?}\n{card}"));
        let mut assembly = variant.instantiate();
        let set = |assembly: &mut bristle::assembly::Assembly,
                   known: &bristle::variable::Variable,
                   value| {
            if let Some(own) = variant.variable(known.reference) {
                let own = *own;
                assembly.set(&own, value);
            }
        };
        set(&mut assembly, &F_N, 1.0);
        set(&mut assembly, &V, speed);
        assembly.initialize().unwrap();
        assembly.advance(1e-3).unwrap();
        assembly.value(F_R.reference)
    }

    #[test]
    fn tables_of_the_library_slide_along_their_lines() {
        let tables: [&[[f64; 2]]; 6] = [
            &[[0.0, 1.0]],
            &[[0.0, 2.0]],
            &[[0.0, 5.0], [100.0, 5.0]],
            &[[0.0, 0.5], [1.0, 1.0]],
            &[[0.0, 0.0], [1.0, 2.0], [2.0, 5.0], [3.0, 8.0]],
            &[[0.0, 9.0], [0.5, 4.0], [2.0, 3.5], [7.0, 6.0]],
        ];
        for rows in tables {
            let list = rows.iter().map(|[v, mu]| format!("{v:?}, {mu:?}"));
            let list = list.collect::<Vec<_>>().join("; ");
            let braced = format!("{{{{{}}}}}", list.replace("; ", "},{"));
            for (name, text) in [
                ("tau_pos", format!("tau_pos = [{list}]")),
                ("f_pos", format!("element(f_pos={braced}, peak = 1.1)")),
                ("mue_pos", format!("mue_pos=[{list}];")),
            ] {
                let card = card(&text, "Own", None).unwrap().unwrap();
                let last = rows[rows.len() - 1][0].max(1.0);
                for share in [0.05, 0.3, 0.45, 0.8, 1.5, 3.0] {
                    let (found, expected) =
                        (sliding(&card, share * last), on_lines(rows, share * last));
                    assert!(
                        (found - expected).abs() < 1e-9 * (1.0 + expected),
                        "{name} {rows:?} at {share} of {last}: {found} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn losses_of_the_library_are_rows_of_a_gear() {
        for text in [
            "lossTable=[0,0.85,0.8,0.1,0.1]",
            "lossTable = [0, 0.8, 0.8, 1, 1; 1, 0.7, 0.7, 2, 2]",
            "gear(lossTable=[0, 0.5, 0.5, 0, 0],",
            "lossTable=[0, 0.25, 0.25, 0.625, 2.5]",
            "lossTable=[0, 0.9, 1, 0, 0]",
        ] {
            let card = card(text, "Own", None).unwrap().unwrap();
            let element = read(&card, &ELEMENTS).unwrap();
            assert_eq!(element.card().losses.len(), text.matches(';').count() + 1);
        }
    }
}
