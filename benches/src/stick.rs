//! Long-term stick of the elements by the results of `cargo xtask creep`: largest creep rates under constant and pulsating loads.

use std::collections::BTreeMap;

/// Rate below which an element sticks, m/s: 0.3 mm a year. Elements that stick leave 1e-15 m/s and less.
const STICKS: f64 = 1e-11;
/// Rate from which on an element slides away, m/s: above the velocities of all regularisations.
const SLIDES: f64 = 0.1;

/// Largest rates of each element that do not count as sliding, m/s: of the monolithic solution, or through the FMU where there is
/// none. `None` where every run slides.
#[derive(Debug, Default)]
pub struct Stick(BTreeMap<String, [Worst; 2]>);

/// Largest rate of the monolithic runs and through the FMU, m/s.
#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    has_one_piece: bool,
    rates: [Option<f64>; 2],
}

impl Stick {
    /// Reads the table of results.
    ///
    /// # Panics
    /// If it is no such table.
    pub fn read(table: &str) -> Self {
        let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
        let head = lines.next().expect("a table has a head");
        let place = |name: &str| head.iter().position(|n| *n == name).unwrap_or_else(|| panic!("no column {name}"));
        let [element, way, amplitude] = ["element", "way", "amplitude [F_s]"].map(place);
        let [rate, slides] = ["creep [m/s]", "slides"].map(place);
        let mut stick = Stick::default();
        for line in lines {
            let way = match line[way] {
                "monolithic" => 0,
                "FMU" => 1,
                _ => continue,
            };
            let is_pulsating = line[amplitude] != "0";
            let worst = &mut stick.0.entry(line[element].to_owned()).or_default()[usize::from(is_pulsating)];
            worst.has_one_piece |= way == 0;
            if line[slides] == "0" {
                let rate = line[rate].parse::<f64>().expect("a rate is a number").abs();
                worst.rates[way] = Some(worst.rates[way].map_or(rate, |other| other.max(rate)));
            }
        }
        stick
    }

    /// Entries of a table: under a constant load and under loads that pulsate.
    ///
    /// # Panics
    /// If the results lack the element.
    pub fn entries(&self, element: &str) -> [String; 2] {
        let worst = self.0.get(element).unwrap_or_else(|| panic!("no creep of {element}: run `cargo xtask creep`"));
        worst.map(|worst| match worst.rates[usize::from(!worst.has_one_piece)] {
            None => "no stick".to_owned(),
            Some(rate) if rate < STICKS => "yes".to_owned(),
            Some(rate) if rate > SLIDES => "slides away".to_owned(),
            Some(rate) => format!("creeps, {rate:.0e} m/s"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_follow_from_the_worst_run_that_does_not_slide() {
        let head = "element,way,wave,amplitude [F_s],creep [m/s],slides";
        let rows = [
            "A,monolithic,sine,0,1e-18,0",
            "A,monolithic,sine,0.3,-2.9e-6,0",
            "A,monolithic,sine,0.5,1e-3,1",
            "A,FMU,sine,0,1,0",
        ];
        let others = ["B,FMU,sine,0,33,0", "B,FMU,sine,0.3,0.1,1"];
        let stick = Stick::read(&[&[head], &rows[..], &others[..]].concat().join("\n"));
        assert_eq!(stick.entries("A"), ["yes", "creeps, 3e-6 m/s"]);
        assert_eq!(stick.entries("B"), ["slides away", "no stick"]);
    }
}
