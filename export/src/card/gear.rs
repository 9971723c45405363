//! Gear of a torque joint: the table `gear` of a card.

use std::fmt::Arguments;

use bristle::catalogue::{Card, Level, Motion, Setting};
use bristle::element::{K_E, K_M, LossRow};
use bristle::variable::{Unit, Variable};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Faults;
use super::keys;

/// Keys of the efficiencies, which give k_m and k_e.
const EFFICIENCIES: [&str; 2] = ["efficiency", "efficiency_backward"];

/// Key of the losses over the speed.
const LOSSES: &str = "losses";

/// Efficiency of a gear, 1; a worm gear that locks itself has 0 backward.
const EFFICIENCY: Variable =
    Variable::parameter(0, "efficiency", "", Unit::One, 1.0, "").within(0.0..=1.0);

/// Reads the table into the card, after its motion.
pub fn read(faults: &mut Faults, table: &DeTable, card: &mut Card) {
    let Some(entry) = keys::get(table, "gear") else {
        return;
    };
    let place = entry.0.clone();
    let Some(table) = keys::table(faults, "gear", entry) else {
        return;
    };
    let Some(level) = card.level.filter(|_| card.motion == Motion::Rotational) else {
        let sentence = "found a gear in a card that states no torques, expected a rotational card \
                        without `radius` that has M_s or M_d among its parameters";
        return faults.add(place, "gear", sentence);
    };
    if level.has_load {
        let sentence = "found a gear beside `load`, but the load follows from the torques of the \
                        gear; leave one of them out";
        return faults.add(place, "gear", sentence);
    }
    let [by_motor, by_load] = [K_M.name, K_E.name];
    let known = [by_motor, by_load, EFFICIENCIES[0], EFFICIENCIES[1], LOSSES];
    keys::refuse_others(faults, "gear.", table, &known);
    if let Some(entry) = keys::get(table, LOSSES) {
        if known
            .iter()
            .any(|key| *key != LOSSES && keys::get(table, key).is_some())
        {
            let sentence = "found losses beside factors or efficiencies, expected one of them";
            return faults.add(place, "gear", sentence);
        }
        card.losses = losses(faults, entry.1);
        card.level = Some(Level {
            has_gear: true,
            ..level
        });
        return;
    }
    let mut number = |name: &str, declared: &Variable| {
        let (_, value) = keys::get(table, name)?;
        keys::value_of(faults, &format!("gear.{name}"), value, declared)
    };
    let factors = [number(by_motor, &K_M), number(by_load, &K_E)];
    let efficiencies = EFFICIENCIES.map(|name| number(name, &EFFICIENCY));
    let is_given = |names: [&str; 2]| names.map(|name| keys::get(table, name).is_some());
    let factors = match (is_given([by_motor, by_load]), is_given(EFFICIENCIES)) {
        ([true, true], [false, false]) => factors,
        ([false, false], [true, _]) => {
            let [driving, backward] = [efficiencies[0], efficiencies[1].or(efficiencies[0])];
            let factors = driving
                .zip(backward)
                .and_then(|pair| of_efficiencies(pair.into()));
            if factors.is_none() && driving.is_some() {
                let sentence = "found efficiencies of 1 in both directions, at which nothing is \
                                lost by the torque; leave the table `gear` out";
                faults.add(place.clone(), "gear", sentence);
            }
            factors.map_or([None; 2], |factors| factors.map(Some))
        }
        _ => {
            let sentence = "expected k_m and k_e, or efficiency with efficiency_backward where it \
                            differs, or losses";
            faults.add(place, "gear", sentence);
            return;
        }
    };
    let [Some(by_motor), Some(by_load)] = factors else {
        return;
    };
    card.level = Some(Level {
        has_gear: true,
        ..level
    });
    for (parameter, value) in [(&K_M, by_motor), (&K_E, by_load)] {
        let setting = Setting {
            start: Some(value),
            ..Setting::default()
        };
        card.parameters.insert(parameter.reference, setting);
    }
}

/// Losses of a list of rows [speed, efficiency, efficiency backward, bearings, bearings backward].
fn losses(faults: &mut Faults, value: &Spanned<DeValue>) -> Vec<LossRow> {
    const ROW: &str = "a list of rows [speed, efficiency, efficiency_backward, bearings, \
                       bearings_backward], in rad/s, 1 and N.m";
    let Some(list) = value.get_ref().as_array().filter(|list| !list.is_empty()) else {
        keys::expected(faults, "gear.losses", value, ROW);
        return Vec::new();
    };
    let mut rows = Vec::new();
    for (i, value) in list.iter().enumerate() {
        let key = format!("gear.losses[{}]", i + 1);
        let Some(row) = value.get_ref().as_array().filter(|row| row.len() == 5) else {
            keys::expected(faults, &key, value, ROW);
            continue;
        };
        let units = [
            Unit::RadianPerSecond,
            Unit::One,
            Unit::One,
            Unit::NewtonMetre,
            Unit::NewtonMetre,
        ];
        let mut numbers = [0.0; 5];
        for ((number, value), unit) in numbers.iter_mut().zip(row.iter()).zip(units) {
            *number = keys::quantity(faults, &key, value, unit).unwrap_or(0.0);
        }
        let [
            speed,
            efficiency,
            efficiency_backward,
            bearings,
            bearings_backward,
        ] = numbers;
        rows.push(LossRow {
            speed,
            efficiency: [efficiency, efficiency_backward],
            bearings: [bearings, bearings_backward],
        });
    }
    rows
}

/// Factors k_m and k_e with which a gear driven by the motor loses 1 − η of the motor's torque, and
/// one driven back 1 − η_b of that of the load; none where both are 1.
fn of_efficiencies([driving, backward]: [f64; 2]) -> Option<[f64; 2]> {
    let both = driving * backward;
    let factor = |efficiency: f64| (1.0 - 2.0 * efficiency + both) / (1.0 - both);
    (both < 1.0).then(|| [factor(driving), factor(backward)])
}

/// Writes the table, where the card has it.
pub fn write(line: &mut impl FnMut(Arguments), card: &Card) {
    if !card.level.is_some_and(|level| level.has_gear) {
        return;
    }
    line(format_args!("\n[gear]"));
    if !card.losses.is_empty() {
        line(format_args!(
            "losses = [  # speed in rad/s, efficiency, efficiency backward, bearings, bearings \
             backward in N.m"
        ));
        for row in &card.losses {
            let ([driven, back], [bearings, bearings_back]) = (row.efficiency, row.bearings);
            let numbers = [row.speed, driven, back, bearings, bearings_back];
            line(format_args!("    {numbers:?},"));
        }
        return line(format_args!("]"));
    }
    for parameter in [&K_M, &K_E] {
        let start = card
            .parameters
            .get(&parameter.reference)
            .and_then(|setting| setting.start);
        let (name, value) = (parameter.name, start.or(parameter.start).unwrap_or(0.0));
        line(format_args!(
            "{name} = {value:?}  # {}",
            parameter.description
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efficiencies_are_those_of_steady_drives() {
        for [driving, backward] in [[0.9, 0.9], [0.9, 0.8], [0.4, 0.0], [0.5, 0.2], [1.0, 0.3]] {
            let [k_m, k_e] = of_efficiencies([driving, backward]).unwrap();
            // The motor's 1 N·m turns forward against the load that is left.
            let lost: f64 = k_m * 1.0 - k_e * -driving;
            assert!(
                (lost.abs() - (1.0 - driving)).abs() < 1e-15,
                "{driving}: {lost}"
            );
            // The load's 1 N·m turns forward against the motor that brakes with what is left.
            let lost: f64 = k_m * -backward - k_e * 1.0;
            assert!(
                (lost.abs() - (1.0 - backward)).abs() < 1e-15,
                "{backward}: {lost}"
            );
        }
        assert_eq!(of_efficiencies([1.0, 1.0]), None);
    }
}
