//! Tables as instruments, spreadsheets and programs write them.

use bristle::variable::Unit;
use bristle_random::Random;

use super::*;

fn read(text: &str) -> Result<Table, String> {
    of_bytes(text.as_bytes())
}

fn of_bytes(bytes: &[u8]) -> Result<Table, String> {
    Table::read(bytes).map_err(|faults| {
        faults
            .iter()
            .map(|fault| fault.of_file("a.csv") + "\n")
            .collect()
    })
}

/// Numbers of the columns `v`, a velocity, and `mu`.
fn numbers(table: &Table) -> [Vec<f64>; 2] {
    [("v", Unit::MetrePerSecond), ("mu", Unit::One)].map(|(name, unit)| {
        let column = table.column(&Choice::Name(name.to_owned())).unwrap();
        column
            .si(None, unit, None)
            .map(|column| column.values)
            .unwrap()
    })
}

fn utf16(text: &str, to_bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(to_bytes).collect()
}

const EXPECTED: [[f64; 2]; 2] = [[0.0015, 0.05], [0.42, 0.312]];

#[test]
fn every_separator_decimal_mark_and_line_end_gives_the_same_numbers() {
    for text in [
        "v (m/s),mu\n0.0015,0.42\n0.05,0.312\n",
        "v (mm/s);mu\r\n1,5;0,42\r\n50;0,312\r\n",
        "v [mm/s]\tmu [%]\n1.5\t42\n50\t31.2\n",
        "v [mm/s]\tmu [-]\r1,5\t0,42\r50,0\t0,312\r",
        "v (mm/s)   mu\n  1.5   0.42\n 50     0.312\n",
        "v (mm/s) mu\n1,5 0,42\n50,0 0,312\n",
        "\u{feff}v (mm/s), mu,\n1.5, 0.42,\n50, 0.312,\n",
        "\"v [mm/s]\",\"mu\"\n\"1,5\",\"0,42\"\n\"50\",\"0,312\"\n",
        "# v (mm/s), mu\n1.5,0.42\n50,0.312\n",
        "v;mu\n[mm/s];[-]\n1.5;0.42\n50;0.312\n",
        "v;mu;\nmm/s;;\n1.5;0.42;\n50;0.312;\n",
        "Tribometer 7\nDate;2024-11-28\nSample rate;1000\n\nv / (mm/s);mu / 1\n1.5;0.42\n# \
         pause\n50;0.312\n",
        "v_mm_s,mu\n1.5,0.42\n50,0.312\n",
        "v mm/s,mu\n1.50e0,0.42\n5e1,0.312\n",
        "v in mm/s;mu;remark\n1.5;0.42;slow\n50;0.312;fast\n",
    ] {
        let table = read(text).unwrap_or_else(|faults| panic!("{text:?}: {faults}"));
        assert_eq!(numbers(&table), EXPECTED, "{text:?}: {}", table.description);
    }
}

#[test]
fn latin_1_and_utf_16_are_read_with_their_units() {
    let text = "v (µm/s);mu\n1500;0,42\n50000;0,312\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let marked = format!("\u{feff}{text}");
    for (bytes, name) in [
        (latin, "Latin-1"),
        (utf16(&marked, u16::to_le_bytes), "UTF-16"),
        (utf16(&marked, u16::to_be_bytes), "UTF-16"),
        (utf16(text, u16::to_le_bytes), "UTF-16"),
        (text.as_bytes().to_vec(), "UTF-8"),
    ] {
        let table = of_bytes(&bytes).unwrap();
        assert_eq!(numbers(&table), EXPECTED);
        assert_eq!(
            table.description,
            format!("{name}, semicolons between the columns, decimal comma, 2 rows")
        );
    }
    assert!(
        of_bytes(b"PK\x03\x04workbook")
            .unwrap_err()
            .contains("save it as CSV")
    );
    assert!(
        of_bytes(b"v,mu\n1,2\n\0\0")
            .unwrap_err()
            .contains("binary data")
    );
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    for (text, part) in [
        (
            "v,mu\n0,0015,0,42\n0,05,0,312\n",
            "a.csv:2: found \"0,0015,0,42\", whose commas may be decimal marks",
        ),
        (
            "0,0015,0,42\n0,05,0,312\n",
            "whose commas may be decimal marks",
        ),
        (
            "t,v,F_N,F\n0,001,0,42\n0,050,0,31\n",
            "a.csv:2: found \"0,001,0,42\", whose commas may be",
        ),
        (
            "v;mu\n0,0015;0.42\n",
            "a.csv:2: found \"0,0015\" here and \"0.42\" in line 2, expected one decimal mark",
        ),
        ("v\tmu\n1,500\t2,000\n", "a separator of thousands"),
        (
            "v;F\n1.234,5;2\n",
            "found \"1.234,5\", expected a number without separators of thousands",
        ),
        (
            "v,mu\n0.001,0.42\n0.01 0.4\n",
            "a.csv:3: found another separator than in line 2",
        ),
        ("v/N;mu\n0.001;0.42\n", ""),
        (
            "v (mm/s);F (N)\n1.000;50.400\n",
            "a.csv:2: found \"1.000\", whose point may be a decimal mark or a separator of \
             thousands",
        ),
        (
            "v (mm/s);F (N)\n1,000;50,400\n",
            "a.csv:2: found \"1,000\", whose comma may be a decimal mark",
        ),
        (
            "v\tF\n1.000\t50.400\n2.000\t49.100\n",
            "a.csv:2: found \"1.000\", whose point",
        ),
        ("v,F\n1.000,50.400\n", "found \"1.000\", whose point"),
        (
            "v F\n500 50.400\n1.000 40.300\n",
            "a.csv:2: found \"50.400\", whose point",
        ),
        // Marks that cannot separate thousands.
        ("v;F\n1.000;50.4\n", ""),
        ("v;F\n0.500;50.400\n1.000;49.300\n", ""),
        ("v;F\n1234.567;50.400\n", ""),
        ("v;F\n1,000;0,400\n", ""),
        ("v;F\n1.000e-3;50.400\n", ""),
    ] {
        let refusal = match read(text) {
            Err(refusal) => refusal,
            Ok(_) if part.is_empty() => continue,
            Ok(table) => panic!("{text:?}: {}", table.description),
        };
        assert!(refusal.contains(part), "{text:?}: {refusal}");
    }
    // Whole numbers under as many names are none.
    let table = read("v,mu\n1,2\n3,4\n").unwrap();
    assert_eq!(numbers(&table), [[1.0, 3.0], [2.0, 4.0]]);
}

#[test]
fn files_without_numbers_and_cells_that_are_none_are_refused_with_their_lines() {
    for (text, part) in [
        ("", "a.csv: the file is empty"),
        ("# nothing\n", "a.csv: the file is empty"),
        (
            "v (m/s),mu\n",
            "a.csv: found no row with two numbers or more",
        ),
        (
            "v (m/s);mu;F\n0.1;0.4\n0.2;0.3\n0.4;0.2;0.1;7\n",
            "a.csv:4: found 4 cells, expected 3",
        ),
        ("v1;0.5\nv2;mu2\n0.1;0.4\n0.2;0.3\n", ""),
        (
            "v;mu\n0.1;overload\n0.2;0.3\n0.4;0.2\n",
            "a.csv:2: found \"0.1;overload\" before the first row",
        ),
        (
            "my t v F T\n0.1 1 2 3\n0.2 1 2 3\n",
            "a.csv:1: found a header of 5 columns, expected 4",
        ),
        (
            "v (mm/s);mu;sd\n1;0.4\n2;0.3;1\n3;0.2;1\n",
            "a.csv:2: found \"1;0.4\" before the first row",
        ),
        (
            "v (mm/s);mu;sd\n1;\n2;0.3;1\n3;0.2;1\n",
            "a.csv:2: found \"1;\" before the first row",
        ),
        (
            "v (mm/s);mu;sd\nrate;7\n2;0.3;1\n3;0.2;1\n",
            "a.csv:1: found a header that is not next to the numbers",
        ),
        (
            "v|mu\n0.1|0.4\n",
            "a.csv:2: found no row with two numbers or more",
        ),
        ("v;mu;F\n0.1;0.4\n0.2;0.3\n", ""),
        (
            "v;mu\n0.1;0.4;1\n0.2;0.3;2\n",
            "a.csv:1: found a header of 2 columns, expected 3",
        ),
        ("v (mm/s),mu\n0.1;0.4\n0.2;0.3\n", "a.csv:1: found a header"),
    ] {
        match read(text) {
            Err(refusal) => assert!(refusal.contains(part), "{text:?}: {refusal}"),
            Ok(table) => assert!(part.is_empty(), "{text:?}: {}", table.description),
        }
    }
    let table = read("v;mu;remark\n0.1;0.4;a\n0.2;overload;b\n0.3;;c\n").unwrap();
    let faults = table.columns[1].si(None, Unit::One, None).err().unwrap();
    let said: Vec<_> = faults.iter().map(|fault| fault.of_file("a.csv")).collect();
    assert_eq!(
        said,
        [
            "a.csv:3: found \"overload\" in `mu`, expected a number with a decimal point",
            "a.csv:4: found nothing in `mu`, expected a number with a decimal point",
        ]
    );
    assert!(
        table.columns[0]
            .si(None, Unit::MetrePerSecond, None)
            .is_ok()
    );
}

#[test]
fn headers_have_name_and_unit() {
    for (header, name, unit) in [
        ("v (mm/s)", "v", Some("mm/s")),
        ("v[mm/s]", "v", Some("mm/s")),
        ("v / (mm/s)", "v", Some("mm/s")),
        ("v/mm/s", "v", Some("mm/s")),
        ("t/ms", "t", Some("ms")),
        ("s/mm", "s", Some("mm")),
        ("M/Nm", "M", Some("Nm")),
        ("t (s)", "t", Some("s")),
        ("t ms", "t", Some("ms")),
        ("sigma (N/(m/s))", "sigma", Some("N/(m/s)")),
        ("v (filtered) [mm/s]", "v (filtered)", Some("mm/s")),
        ("F_kN", "F", Some("kN")),
        ("omega_deg_s", "omega", Some("deg/s")),
        ("rpm", "", Some("rpm")),
        ("m/s", "", Some("m/s")),
        ("F_N", "F_N", None),
        ("v_s", "v_s", None),
        ("t_min", "t_min", None),
        ("v_in", "v_in", None),
        ("F_R/F_N", "F_R/F_N", None),
        ("F/N", "F", Some("F/N")),
        ("mu", "mu", None),
    ] {
        assert_eq!(
            split_header(header),
            (name.to_owned(), unit.map(str::to_owned)),
            "{header}"
        );
    }
}

#[test]
fn units_are_converted_with_their_dimension() {
    let of = |text: &str, unit: Unit| factor(text, unit, None).map(Factor::number);
    let turn = std::f64::consts::TAU;
    for (text, unit, expected) in [
        ("mm/s", Unit::MetrePerSecond, 1e-3),
        ("cm/s", Unit::MetrePerSecond, 1e-2),
        ("km/h", Unit::MetrePerSecond, 1.0 / 3.6),
        ("in/s", Unit::MetrePerSecond, 0.0254),
        ("ft/s", Unit::MetrePerSecond, 0.3048),
        ("mm s^-1", Unit::MetrePerSecond, 1e-3),
        ("mm·s⁻¹", Unit::MetrePerSecond, 1e-3),
        ("deg/s", Unit::RadianPerSecond, turn / 360.0),
        ("°/s", Unit::RadianPerSecond, turn / 360.0),
        ("rpm", Unit::RadianPerSecond, turn / 60.0),
        ("1/min", Unit::RadianPerSecond, turn / 60.0),
        ("min-1", Unit::RadianPerSecond, turn / 60.0),
        ("rev/min", Unit::RadianPerSecond, turn / 60.0),
        ("U/min", Unit::RadianPerSecond, turn / 60.0),
        ("\u{3bc}m", Unit::Metre, 1e-6),
        ("min", Unit::Second, 60.0),
        ("lbf", Unit::Newton, 4.448_221_615_260_5),
        ("Nm", Unit::NewtonMetre, 1.0),
        ("N*m", Unit::NewtonMetre, 1.0),
        ("N mm", Unit::NewtonMetre, 1e-3),
        ("kN·m", Unit::NewtonMetre, 1e3),
        ("kNm", Unit::NewtonMetre, 1e3),
        ("N/mm", Unit::NewtonPerMetre, 1e3),
        ("N.s/mm", Unit::NewtonSecondPerMetre, 1e3),
        ("kg/s", Unit::NewtonSecondPerMetre, 1.0),
        ("N/(mm/s)", Unit::NewtonSecondPerMetre, 1e3),
        ("Nms/rad", Unit::NewtonMetreSecondPerRadian, 1.0),
        ("%", Unit::One, 0.01),
        ("-", Unit::One, 1.0),
        ("t", Unit::Kilogram, 1e3),
        ("s2/m2", Unit::SecondSquaredPerMetreSquared, 1.0),
        ("km/h", Unit::MetrePerSecond, 1.0 / 3.6),
        ("um/s", Unit::MetrePerSecond, 1e-6),
        ("nm", Unit::Metre, 1e-9),
        ("MN", Unit::Newton, 1e6),
        ("mN", Unit::Newton, 1e-3),
        ("daN", Unit::Newton, 10.0),
        ("kPa.m2", Unit::Newton, 1e3),
        ("us", Unit::Second, 1e-6),
        ("msec", Unit::Second, 1e-3),
    ] {
        let found = of(text, unit).unwrap_or_else(|sentence| panic!("{text}: {sentence}"));
        assert!(
            (found - expected).abs() <= 1e-14 * expected,
            "{text}: {found}"
        );
    }
    for (text, unit, part) in [
        (
            "N",
            Unit::MetrePerSecond,
            "found the unit N, a force, expected a velocity, in m/s",
        ),
        (
            "deg/s",
            Unit::MetrePerSecond,
            "an angular velocity, expected a velocity, in m/s; the friction radius",
        ),
        (
            "1/s",
            Unit::RadianPerSecond,
            "which may mean rad/s or rev/s",
        ),
        (
            "mm/sek",
            Unit::MetrePerSecond,
            "found the unknown unit \"mm/sek\", expected a velocity in m/s, mm/s",
        ),
        ("mm/sek", Unit::MetrePerSecond, "did you mean `mm/s`?"),
        ("furlong", Unit::Metre, "expected a length in m, mm"),
        ("F/N", Unit::Newton, "may be a force in N or a ratio"),
        // A prefix that no engineer writes is another unit, or a word.
        (
            "Mm/s",
            Unit::MetrePerSecond,
            "found the unknown unit \"Mm/s\", expected a velocity in m/s, mm/s",
        ),
        (
            "Grad/s",
            Unit::RadianPerSecond,
            "expected an angular velocity in rad/s, deg/s, rpm, 1/min, rev/s; did you mean \
             `deg/s`?",
        ),
        ("mrad", Unit::Radian, "expected an angle in rad, deg, rev"),
        (
            "krpm",
            Unit::RadianPerSecond,
            "expected an angular velocity in rad/s",
        ),
        ("mdeg", Unit::Radian, "expected an angle in rad"),
        ("Gm", Unit::Metre, "expected a length in m, mm"),
        ("dN", Unit::Newton, "expected a force in N, kN"),
        ("ks", Unit::Second, "expected a time in s, ms"),
        ("mg", Unit::Kilogram, "expected a mass in kg, g, t"),
        (
            "Umdrehungen/min",
            Unit::RadianPerSecond,
            "did you mean `rev/min`?",
        ),
        ("tr/min", Unit::RadianPerSecond, "did you mean `rev/min`?"),
        ("mm/Sekunde", Unit::MetrePerSecond, "did you mean `mm/s`?"),
        ("grados/s", Unit::RadianPerSecond, "did you mean `deg/s`?"),
        ("Newton", Unit::Newton, "did you mean `N`?"),
        (
            "MPa",
            Unit::Newton,
            "found the unit MPa, a pressure, expected a force, in N",
        ),
    ] {
        let refusal = of(text, unit).unwrap_err();
        assert!(refusal.contains(part), "{text}: {refusal}");
    }
    assert_eq!(
        factor("rpm", Unit::MetrePerSecond, Some(0.5))
            .unwrap()
            .number(),
        0.5 * turn / 60.0
    );
    assert_eq!(factor("Nm", Unit::Newton, Some(0.5)).unwrap().of(3.0), 6.0);
    assert_eq!(
        factor("mm/s", Unit::MetrePerSecond, None).unwrap().of(1.5),
        0.0015
    );
    for unit in [
        Unit::PerSecond,
        Unit::SecondPerMetre,
        Unit::Watt,
        Unit::RadianPerSecondSquared,
        Unit::KilogramMetreSquared,
    ] {
        assert_eq!(of(unit.symbol(), unit), Ok(1.0));
    }
}

#[test]
fn columns_are_chosen_by_name_or_number_and_the_nearest_name_is_said() {
    let table = read("v,mu,mu\n0.1,0.4,0.3\n").unwrap();
    let choose = |choice| {
        table
            .column(&choice)
            .map(|column| column.number)
            .map_err(|fault| fault.sentence)
    };
    assert_eq!(choose(Choice::Number(3)), Ok(3));
    assert_eq!(choose(Choice::Name("v".to_owned())), Ok(1));
    let with_unit = read("v_rpm,F_kN\n0.1,0.4\n").unwrap();
    assert_eq!(
        with_unit.column(&Choice::Name("F_kN".to_owned())),
        with_unit.column(&Choice::Name("F".to_owned()))
    );
    assert!(
        choose(Choice::Number(4))
            .unwrap_err()
            .contains("a number from 1 to 3")
    );
    assert!(choose(Choice::Number(0)).is_err());
    assert!(
        choose(Choice::Name("mu".to_owned()))
            .unwrap_err()
            .contains("found two columns `mu`")
    );
    assert!(
        choose(Choice::Name("mus".to_owned()))
            .unwrap_err()
            .contains("did you mean `mu`?")
    );
}

#[test]
fn use_of_a_column_says_unit_and_factor() {
    let table = read("v (mm/s),mu\n1.5,0.42\n").unwrap();
    let remark = |i: usize, unit| {
        table.columns[i]
            .si(None, unit, None)
            .map(|column| column.remark)
            .unwrap()
    };
    assert_eq!(
        remark(0, Unit::MetrePerSecond),
        "`v` in mm/s, times 0.001 to m/s"
    );
    assert_eq!(
        remark(1, Unit::One),
        "`mu` without a unit, taken as a plain number"
    );
}

#[test]
fn random_tables_in_any_dialect_are_read_as_they_were_written_or_refused() {
    let mut random = Random::new(7);
    let (mut read_count, mut refused) = (0, 0);
    for case in 0..20_000 {
        let (columns, rows) = (2 + random.below(3), 1 + random.below(5));
        let (separator, mark) = (
            [';', '\t', ',', ' '][random.below(4)],
            ['.', ','][random.below(2)],
        );
        let digits: Vec<usize> = (0..columns).map(|_| random.below(5)).collect();
        let scale: Vec<f64> = (0..columns)
            .map(|_| [0.5, 20.0, 3000.0][random.below(3)])
            .collect();
        let names = &["v (mm/s)", "mu", "F [N]", "t"][..columns];
        let mut text = match random.below(3) {
            0 => String::new(),
            _ => names.join(&separator.to_string()) + "\n",
        };
        let mut expected = vec![Vec::new(); columns];
        for _ in 0..rows {
            let mut cells = Vec::new();
            for (i, column) in expected.iter_mut().enumerate() {
                let value = scale[i] * random.between(-1.0, 1.0);
                let cell = format!("{value:.0$}", digits[i]);
                column.push(cell.parse::<f64>().unwrap());
                cells.push(cell.replace('.', &mark.to_string()));
            }
            text += &(cells.join(&separator.to_string()) + "\n");
        }
        match read(&text) {
            Ok(table) => {
                let found: Vec<_> = table
                    .columns
                    .iter()
                    .map(|column| column.values.clone())
                    .collect();
                assert_eq!(found, expected, "case {case}: {text}{}", table.description);
                read_count += 1;
            }
            Err(refusal) => {
                let may_be_thousands = digits.iter().all(|digits| *digits == 0 || *digits == 3);
                let is_ambiguous =
                    mark == ',' && separator != ';' || separator == ',' || may_be_thousands;
                assert!(is_ambiguous, "case {case}: {text}{refusal}");
                refused += 1;
            }
        }
    }
    assert!(
        read_count > 12_000 && refused > 1_000,
        "{read_count}, {refused}"
    );
}
