//! Parameter sets as SSV, the format of SSP 1.0 for parameters of an FMU in its own file.

use std::fmt::Write;

use bristle::catalogue::Variant;
use bristle::variable::{Role, Variable};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::card::one_of;
use crate::description::units;
use crate::error::{Context, Error, Result};
use crate::names::question;
use crate::table;
use crate::typeset::escape;

/// Parameters that an element shows, inputs that were parameters included, with their start values.
pub fn write(variant: &Variant) -> String {
    let parameters: Vec<_> = variant
        .variables()
        .filter(|variable| variant.card().has_parameter(variable))
        .collect();
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ssv:ParameterSet version=\"1.0\" name=\"{}\" \
         xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" \
         xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\">\n  <ssv:Parameters>\n",
        escape(variant.name())
    );
    for parameter in &parameters {
        let start = parameter.start.unwrap_or(0.0);
        let value = match parameter.role {
            Role::Choice(choices) => {
                let name = choices.get(start as usize - 1).map_or("", |(name, _)| name);
                format!("<ssv:Enumeration value=\"{name}\"/>")
            }
            _ => format!(
                "<ssv:Real value=\"{start:?}\" unit=\"{}\"/>",
                parameter.unit_name()
            ),
        };
        put(
            &mut xml,
            format_args!(
                "    <ssv:Parameter name=\"{}\">{value}</ssv:Parameter>",
                parameter.name
            ),
        );
    }
    xml.push_str("  </ssv:Parameters>\n  <ssv:Units>\n");
    for (name, unit, factor) in units(parameters.into_iter()) {
        let exponents = ["kg", "m", "s", "rad"]
            .into_iter()
            .zip(unit.exponents())
            .filter(|(_, exponent)| *exponent != 0);
        let base: String = exponents
            .map(|(name, exponent)| format!(" {name}=\"{exponent}\""))
            .chain(factor.map(|factor| format!(" factor=\"{factor:?}\"")))
            .collect();
        put(
            &mut xml,
            format_args!("    <ssc:Unit name=\"{name}\"><ssc:BaseUnit{base}/></ssc:Unit>"),
        );
    }
    xml.push_str("  </ssv:Units>\n</ssv:ParameterSet>\n");
    xml
}

fn put(xml: &mut String, line: std::fmt::Arguments) {
    writeln!(xml, "{line}").expect("text grows");
}

/// Element with the values of a parameter set; an error has a sentence for every value that it
/// cannot take. Values in other units than SI are converted by the units that the set defines, or
/// by those that are known.
pub fn apply(variant: &Variant, xml: &str) -> Result<Variant> {
    let mut card = variant.card().clone();
    let mut faults = Vec::new();
    let set = Set::read(xml)?;
    for (i, entry) in set.parameters.iter().enumerate() {
        let name = &entry.name;
        let known = variant
            .all()
            .find(|variable| variable.name == *name && variant.card().has_parameter(variable));
        let Some(parameter) = known else {
            let names = variant
                .all()
                .filter(|variable| variant.card().has_parameter(variable))
                .map(|variable| variable.name);
            let element = variant.name();
            faults.push(format!(
                "`{name}` is no parameter of {element}{}",
                question(name, names)
            ));
            continue;
        };
        if set.parameters[..i].iter().any(|other| other.name == *name) {
            faults.push(format!("`{name}` has two values, expected one"));
        }
        match set.value(parameter, entry) {
            Ok(value) => match (&mut card.block, &mut card.system) {
                (Some(block), _) if parameter.is_of_block() => block.set(parameter, value),
                (_, Some(system)) if parameter.is_of_block() => system.set(parameter, value),
                _ => {
                    card.parameters
                        .entry(parameter.reference)
                        .or_default()
                        .start = Some(value)
                }
            },
            Err(sentence) => faults.push(format!("`{name}`{sentence}")),
        }
    }
    if !faults.is_empty() {
        return Err(Error::new(faults.join("; ")));
    }
    Ok(Variant::new(variant.law, card)?)
}

/// Parameter of a set, as it is written.
struct Entry {
    name: String,
    /// Element of its value: `Real`, `Enumeration`, or another; empty where it has none.
    kind: String,
    value: Option<String>,
    unit: Option<String>,
}

/// Unit that a set defines.
struct BaseUnit {
    name: String,
    factor: f64,
    offset: f64,
    /// Exponents of kg, m, s and rad; `None` with another base unit, as K.
    exponents: Option<[i32; 4]>,
}

/// Parameters and units of a set.
#[derive(Default)]
struct Set {
    parameters: Vec<Entry>,
    units: Vec<BaseUnit>,
}

impl Set {
    /// Value of a parameter in SI units; the sentence of an error follows the name.
    fn value(&self, parameter: &Variable, entry: &Entry) -> Result<f64, String> {
        let Entry {
            kind,
            value: text,
            unit,
            ..
        } = entry;
        match kind.as_str() {
            "Real" | "Integer" | "Enumeration" => {}
            "" => {
                return Err(
                    " has no value, expected an element `Real`, `Integer` or `Enumeration`"
                        .to_owned(),
                );
            }
            _ => {
                return Err(format!(
                    " is a {kind}, expected an element `Real`, `Integer` or `Enumeration`"
                ));
            }
        }
        let Some(text) = text else {
            return Err(format!(
                " is a {kind} without a value, expected the attribute `value`"
            ));
        };
        if let Role::Choice(choices) = parameter.role
            && text.trim().parse::<f64>().is_err()
        {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            let place = names
                .iter()
                .position(|name| name == text)
                .map(|place| place as f64 + 1.0);
            let expected = || {
                format!(
                    " is {text}, expected {}{}",
                    one_of(&names),
                    question(text, names.iter().copied())
                )
            };
            return place.ok_or_else(expected);
        }
        let number: f64 = text
            .trim()
            .parse()
            .map_err(|_| format!(" is {text}, expected a number"))?;
        let (number, of) = match unit {
            Some(unit) if parameter.is_real() && !unit.is_empty() => {
                (self.to_si(unit, number, parameter)?, format!(" {unit}"))
            }
            // A number alone has the unit of the FMU.
            _ => (parameter.to_si(number), String::new()),
        };
        match parameter.expected_instead_of(parameter.of_si(number)) {
            Some(expected) => Err(format!(" is {text}{of}, expected {expected}")),
            None => Ok(number),
        }
    }

    /// Number in the SI unit of a parameter.
    fn to_si(&self, unit: &str, number: f64, parameter: &Variable) -> Result<f64, String> {
        let Some(BaseUnit {
            factor,
            offset,
            exponents,
            ..
        }) = self.units.iter().find(|known| known.name == unit)
        else {
            let factor = table::factor(unit, parameter.unit, None)
                .map_err(|sentence| format!(": {sentence}"))?;
            return Ok(factor.of(number));
        };
        if *exponents != Some(parameter.unit.exponents()) {
            let of = exponents.map_or("with K, A, mol or cd".to_owned(), table::quantity);
            let (symbol, expected) = (
                parameter.unit.symbol(),
                table::quantity(parameter.unit.exponents()),
            );
            return Err(format!(
                " has the unit {unit}, which this set defines as {of}, expected {expected} as \
                 {symbol}"
            ));
        }
        let number = table::Factor::new(*factor).of(number);
        // −0 keeps its sign.
        Ok(if *offset == 0.0 {
            number
        } else {
            number + offset
        })
    }

    /// Parameters and units of a set in XML.
    fn read(xml: &str) -> Result<Self> {
        let mut reader = Reader::from_str(xml);
        let mut set = Set::default();
        let (mut is_set, mut unit, mut is_open) = (false, None, false);
        loop {
            match reader
                .read_event()
                .context("this is no parameter set in XML")?
            {
                Event::Start(tag) => {
                    is_open |= local(&tag) == "Parameter";
                    set.add(&tag, &mut is_set, &mut unit, is_open)?;
                }
                Event::Empty(tag) => set.add(&tag, &mut is_set, &mut unit, is_open)?,
                Event::End(tag) => {
                    is_open &= tag.name().as_ref().rsplit(':').next() != Some("Parameter")
                }
                Event::Eof if is_set => return Ok(set),
                Event::Eof => {
                    return Err(Error::new(
                        "this is no parameter set: it has no element `ParameterSet`",
                    ));
                }
                _ => {}
            }
        }
    }

    /// Adds an element; `unit` is the last unit by name, `is_open` that the element belongs to the
    /// last parameter.
    fn add(
        &mut self,
        tag: &BytesStart,
        is_set: &mut bool,
        unit: &mut Option<String>,
        is_open: bool,
    ) -> Result<()> {
        let kind = local(tag);
        match kind.as_str() {
            "ParameterSet" => *is_set = true,
            "Parameter" => {
                let name =
                    attribute(tag, "name")?.context("this set has a parameter without a name")?;
                self.parameters.push(Entry {
                    name,
                    kind: String::new(),
                    value: None,
                    unit: None,
                });
            }
            "Unit" => *unit = attribute(tag, "name")?,
            "BaseUnit" => self
                .units
                .extend(unit.take().map(|name| base_unit(name, tag)).transpose()?),
            // Annotations describe a parameter.
            "Annotations" | "Annotation" => {}
            _ => {
                if let Some(entry) = self
                    .parameters
                    .last_mut()
                    .filter(|entry| is_open && entry.kind.is_empty())
                {
                    (entry.value, entry.unit) = (attribute(tag, "value")?, attribute(tag, "unit")?);
                    entry.kind = kind;
                }
            }
        }
        Ok(())
    }
}

fn base_unit(name: String, tag: &BytesStart) -> Result<BaseUnit> {
    let number = |wanted: &str, otherwise: f64| match attribute(tag, wanted)? {
        None => Ok(otherwise),
        Some(text) => text
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .with_context(|| {
                format!("the unit {name} has {wanted} = \"{text}\", expected a finite number")
            }),
    };
    let [kg, m, s, rad] = ["kg", "m", "s", "rad"].map(|base| number(base, 0.0));
    let exponents = [kg?, m?, s?, rad?].map(|power| power as i32);
    let mut is_mechanical = true;
    for base in ["A", "K", "mol", "cd"] {
        is_mechanical &= number(base, 0.0)? == 0.0;
    }
    let (factor, offset) = (number("factor", 1.0)?, number("offset", 0.0)?);
    Ok(BaseUnit {
        name,
        factor,
        offset,
        exponents: is_mechanical.then_some(exponents),
    })
}

/// Name of an element without its prefix.
fn local(tag: &BytesStart) -> String {
    let name = tag.name();
    let name: &str = name.as_ref();
    name.rsplit(':').next().unwrap_or_default().to_owned()
}

fn attribute(tag: &BytesStart, wanted: &str) -> Result<Option<String>> {
    for attribute in tag.attributes() {
        let attribute = attribute
            .map_err(|error| Error::new(format!("this is no parameter set in XML: {error}")))?;
        let key: &str = attribute.key.as_ref();
        if key == wanted {
            return Ok(Some(attribute.value.into_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bristle::catalogue::find;

    #[test]
    fn parameter_set_comes_back() {
        let stock = find("LuGre").unwrap().stock();
        let set = write(&stock).replace(
            "name=\"mu_s\"><ssv:Real value=\"0.6\"",
            "name=\"mu_s\"><ssv:Real value=\"0.7\"",
        );
        let changed = apply(&stock, &set).unwrap();
        assert_eq!(changed.find("mu_s").unwrap().start, Some(0.7));
        assert_eq!(
            apply(&changed, &write(&stock)).unwrap().guid(),
            stock.guid()
        );
    }

    #[test]
    fn parameters_of_a_block_come_back() {
        let block = |text: &str| {
            crate::card::read(
                &format!("name = \"Own\"\nlaw = \"Dahl\"\n[block]\n{text}"),
                &bristle::catalogue::ELEMENTS,
            )
            .unwrap()
        };
        let (set, other) = (block("mass = 2.5\nstiffness = 30\n"), block("mass = 1\n"));
        assert_eq!(
            apply(&other, &write(&set)).unwrap().card().block,
            set.card().block
        );
    }

    #[test]
    fn choice_is_set_by_its_name_and_by_its_number() {
        let stock = find("FrDyn2").unwrap().stock();
        let of = |value: &str| {
            let set = format!(
                "<ParameterSet><Parameter name=\"coupling\"><Enumeration \
                 value=\"{value}\"/></Parameter></ParameterSet>"
            );
            apply(&stock, &set)
                .map(|variant| variant.find("coupling").unwrap().start)
                .map_err(|error| error.to_string())
        };
        assert_eq!((of("parallel"), of("2")), (Ok(Some(2.0)), Ok(Some(2.0))));
        let refusal = of("Parallel").unwrap_err();
        assert!(
            refusal.contains("`coupling` is Parallel, expected `serial`, `parallel`"),
            "{refusal}"
        );
        assert!(refusal.contains("did you mean `parallel`?"), "{refusal}");
    }

    /// LuGre with these elements in a parameter set.
    fn with(inner: &str) -> Result<Variant, String> {
        let stock = find("LuGre").unwrap().stock();
        let set = format!("<ParameterSet><Parameters>{inner}</Parameters></ParameterSet>");
        apply(&stock, &set).map_err(|error| error.to_string())
    }

    #[test]
    fn attributes_come_in_any_order_and_a_parameter_without_a_value_is_refused() {
        let start = |inner: &str| with(inner).map(|variant| variant.find("mu_s").unwrap().start);
        assert_eq!(
            start("<Parameter id=\"a\" name=\"mu_s\"><Real unit=\"1\" value=\"0.7\"/></Parameter>"),
            Ok(Some(0.7))
        );
        assert_eq!(start("<Real value=\"0.7\"/>"), Ok(Some(0.6)));
        for (inner, part) in [
            (
                "<Parameter name=\"mu_s\"><Real unit=\"1\"/></Parameter>",
                "`mu_s` is a Real without a value",
            ),
            ("<Parameter name=\"mu_s\"/>", "`mu_s` has no value"),
            (
                "<Parameter name=\"mu_s\"></Parameter><Real value=\"0.7\"/>",
                "`mu_s` has no value",
            ),
            (
                "<Parameter name=\"mu_s\"><String value=\"0.7\"/></Parameter>",
                "`mu_s` is a String, expected an element",
            ),
            (
                "<Parameter><Real value=\"0.7\"/></Parameter>",
                "a parameter without a name",
            ),
            (
                "<Parameter name=\"mu_s\"><Real value=\"0.7\"/></Parameter><Parameter \
                 name=\"mu_s\"><Real value=\"0.8\"/></Parameter>",
                "`mu_s` has two values",
            ),
        ] {
            let refusal = start(inner).unwrap_err();
            assert!(refusal.contains(part), "{refusal}");
        }
    }

    /// A stiffness and a velocity in other units than SI, and the definitions of their units.
    fn in_millimetres(units: &str) -> Result<[Option<f64>; 2], String> {
        let inner = "<ssv:Parameter name=\"sigma_0\"><ssv:Real value=\"5000\" \
                     unit=\"N/mm\"/></ssv:Parameter>\
                     <ssv:Parameter name=\"v_Stribeck\"><ssv:Real value=\"1.5\" \
                     unit=\"mm/s\"/></ssv:Parameter>";
        let element = with(&format!(
            "{inner}</Parameters><Units>{units}</Units><Parameters>"
        ))?;
        Ok(["sigma_0", "v_Stribeck"].map(|name| element.find(name).unwrap().start))
    }

    #[test]
    fn values_are_converted_by_the_units_of_the_set_or_by_known_ones() {
        let expected = Ok([Some(5e6), Some(1.5e-3)]);
        assert_eq!(in_millimetres(""), expected);
        let defined = "<ssc:Unit name=\"mm/s\"><ssc:BaseUnit m=\"1\" s=\"-1\" \
                       factor=\"0.001\"/></ssc:Unit>\
                       <ssc:Unit name=\"N/mm\"><ssc:BaseUnit kg=\"1\" s=\"-2\" \
                       factor=\"1000\"/></ssc:Unit>";
        assert_eq!(in_millimetres(defined), expected);
        let with_offset = defined.replace("factor=\"1000\"", "factor=\"1000\" offset=\"7\"");
        assert_eq!(
            in_millimetres(&with_offset),
            Ok([Some(5_000_007.0), Some(1.5e-3)])
        );
        // The definition in the file holds, whatever the name says.
        let own = defined.replace("0.001", "0.002");
        assert_eq!(in_millimetres(&own), Ok([Some(5e6), Some(3e-3)]));
    }

    #[test]
    fn units_of_another_quantity_and_unknown_ones_are_refused() {
        for (units, part) in [
            (
                "<ssc:Unit name=\"mm/s\"><ssc:BaseUnit m=\"1\" factor=\"0.001\"/></ssc:Unit>",
                "`v_Stribeck` has the unit mm/s, which this set defines as a length, expected a \
                 velocity as m/s",
            ),
            (
                "<ssc:Unit name=\"mm/s\"><ssc:BaseUnit m=\"1\" s=\"-1\" K=\"1\"/></ssc:Unit>",
                "with K, A, mol or cd",
            ),
            (
                "<ssc:Unit name=\"mm/s\"><ssc:BaseUnit m=\"1\" s=\"-1\" factor=\"x\"/></ssc:Unit>",
                "factor = \"x\"",
            ),
        ] {
            let refusal = in_millimetres(units).unwrap_err();
            assert!(refusal.contains(part), "{refusal}");
        }
        for (unit, part) in [
            ("N", "found the unit N, a force, expected a velocity"),
            ("mm/sek", "did you mean `mm/s`?"),
        ] {
            let inner = format!(
                "<Parameter name=\"v_Stribeck\"><Real value=\"1\" unit=\"{unit}\"/></Parameter>"
            );
            let refusal = with(&inner).map(|_| ()).unwrap_err();
            assert!(refusal.contains(part), "{refusal}");
        }
    }

    #[test]
    fn all_unknown_names_and_impossible_values_are_refused_at_once() {
        let stock = find("LuGre").unwrap().stock();
        let set = write(&stock).replace("\"mu_s\"", "\"mu_z\"").replace(
            "\"sigma_0\"><ssv:Real value=\"",
            "\"sigma_0\"><ssv:Real value=\"-",
        );
        let refusal = apply(&stock, &set).map(|_| ()).unwrap_err().to_string();
        assert!(
            refusal.contains("`mu_z` is no parameter of LuGre; did you mean `mu_s`?"),
            "{refusal}"
        );
        assert!(
            refusal.contains("`sigma_0` is -")
                && refusal.contains("expected a value of at least 1.0"),
            "{refusal}"
        );
        assert!(apply(&stock, "<a/>").is_err() && apply(&stock, "no").is_err());
    }
}
