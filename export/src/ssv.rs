//! Parameter sets as SSV, the format of SSP 1.0 for parameters of an FMU in its own file.

use std::collections::BTreeSet;
use std::fmt::Write;

use bristle::catalogue::Variant;
use bristle::variable::{Role, Unit, Variable};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::{Context, Error, Result};
use crate::names::question;
use crate::typeset::escape;

/// Parameters that an element shows, inputs that were parameters included, with their start values.
pub fn write(variant: &Variant) -> String {
    let parameters: Vec<_> = variant.variables().filter(|variable| variable.is_parameter()).collect();
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
            _ => format!("<ssv:Real value=\"{start:?}\" unit=\"{}\"/>", parameter.unit.symbol()),
        };
        put(&mut xml, format_args!("    <ssv:Parameter name=\"{}\">{value}</ssv:Parameter>", parameter.name));
    }
    xml.push_str("  </ssv:Parameters>\n  <ssv:Units>\n");
    let units: BTreeSet<Unit> = parameters.iter().filter(|v| v.is_real()).map(|parameter| parameter.unit).collect();
    for unit in units {
        let exponents =
            ["kg", "m", "s", "rad"].into_iter().zip(unit.exponents()).filter(|(_, exponent)| *exponent != 0);
        let base: String = exponents.map(|(name, exponent)| format!(" {name}=\"{exponent}\"")).collect();
        put(&mut xml, format_args!("    <ssc:Unit name=\"{}\"><ssc:BaseUnit{base}/></ssc:Unit>", unit.symbol()));
    }
    xml.push_str("  </ssv:Units>\n</ssv:ParameterSet>\n");
    xml
}

fn put(xml: &mut String, line: std::fmt::Arguments) {
    writeln!(xml, "{line}").expect("text grows");
}

/// Element with the values of a parameter set; an error has a line for every value that it cannot take.
pub fn apply(variant: &Variant, xml: &str) -> Result<Variant> {
    let mut card = variant.card().clone();
    let mut faults = Vec::new();
    for (name, text) in read(xml)? {
        let known = variant.all().find(|variable| variable.name == name && variable.is_parameter());
        let Some(parameter) = known else {
            let names = variant.all().filter(|variable| variable.is_parameter()).map(|variable| variable.name);
            let element = variant.name();
            faults.push(format!("`{name}` is no parameter of {element}{}", question(&name, names)));
            continue;
        };
        let value = value(parameter, &text);
        let expected = value.map_or(Some("a number".to_owned()), |value| parameter.expected_instead_of(value));
        match (value, expected) {
            (_, Some(expected)) => faults.push(format!("`{name}` is {text}, expected {expected}")),
            (start, None) => card.parameters.entry(parameter.reference).or_default().start = start,
        }
    }
    if !faults.is_empty() {
        return Err(Error::new(faults.join("; ")));
    }
    Ok(Variant::new(variant.law, card)?)
}

/// Number of a value, which may be the name of a choice.
fn value(parameter: &Variable, text: &str) -> Option<f64> {
    if let Role::Choice(choices) = parameter.role
        && let Some(place) = choices.iter().position(|(name, _)| *name == text)
    {
        return Some(place as f64 + 1.0);
    }
    text.trim().parse().ok()
}

/// Names and values of a parameter set.
fn read(xml: &str) -> Result<Vec<(String, String)>> {
    let mut reader = Reader::from_str(xml);
    let (mut values, mut name) = (Vec::new(), None);
    let mut is_set = false;
    loop {
        match reader.read_event().context("this is no parameter set in XML")? {
            Event::Start(tag) | Event::Empty(tag) => match local(&tag).as_str() {
                "ParameterSet" => is_set = true,
                "Parameter" => name = attribute(&tag, "name")?,
                "Real" | "Integer" | "Enumeration" => {
                    if let (Some(name), Some(value)) = (name.take(), attribute(&tag, "value")?) {
                        values.push((name, value));
                    }
                }
                _ => {}
            },
            Event::Eof if is_set => return Ok(values),
            Event::Eof => return Err(Error::new("this is no parameter set: it has no element `ParameterSet`")),
            _ => {}
        }
    }
}

/// Name of an element without its prefix.
fn local(tag: &BytesStart) -> String {
    let name = tag.name();
    let name: &str = name.as_ref();
    name.rsplit(':').next().unwrap_or_default().to_owned()
}

fn attribute(tag: &BytesStart, wanted: &str) -> Result<Option<String>> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| Error::new(format!("this is no parameter set in XML: {error}")))?;
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
        let set =
            write(&stock).replace("name=\"mu_s\"><ssv:Real value=\"0.6\"", "name=\"mu_s\"><ssv:Real value=\"0.7\"");
        let changed = apply(&stock, &set).unwrap();
        assert_eq!(changed.find("mu_s").unwrap().start, Some(0.7));
        assert_eq!(apply(&changed, &write(&stock)).unwrap().guid(), stock.guid());
    }

    #[test]
    fn choice_is_set_by_its_name_and_by_its_number() {
        let stock = find("FrDyn2").unwrap().stock();
        let of = |value: &str| {
            let set = format!(
                "<ParameterSet><Parameter name=\"coupling\"><Enumeration value=\"{value}\"/></Parameter></ParameterSet>"
            );
            apply(&stock, &set)
                .map(|variant| variant.find("coupling").unwrap().start)
                .map_err(|error| error.to_string())
        };
        assert_eq!((of("parallel"), of("2")), (Ok(Some(2.0)), Ok(Some(2.0))));
        assert!(of("sideways").unwrap_err().contains("`coupling` is sideways"), "{:?}", of("sideways"));
    }

    #[test]
    fn attributes_come_in_any_order_and_values_without_a_parameter_are_left_out() {
        let stock = find("LuGre").unwrap().stock();
        let start = |inner: &str| {
            let set = format!("<ParameterSet><Parameters>{inner}</Parameters></ParameterSet>");
            apply(&stock, &set).unwrap().find("mu_s").unwrap().start
        };
        assert_eq!(start("<Parameter id=\"a\" name=\"mu_s\"><Real unit=\"1\" value=\"0.7\"/></Parameter>"), Some(0.7));
        let unchanged = stock.find("mu_s").unwrap().start;
        assert_eq!(start("<Real value=\"0.7\"/>"), unchanged);
        assert_eq!(start("<Parameter name=\"mu_s\"><Real unit=\"1\"/></Parameter>"), unchanged);
    }

    #[test]
    fn all_unknown_names_and_impossible_values_are_refused_at_once() {
        let stock = find("LuGre").unwrap().stock();
        let set = write(&stock)
            .replace("\"mu_s\"", "\"mu_z\"")
            .replace("\"sigma_0\"><ssv:Real value=\"", "\"sigma_0\"><ssv:Real value=\"-");
        let refusal = apply(&stock, &set).map(|_| ()).unwrap_err().to_string();
        assert!(refusal.contains("`mu_z` is no parameter of LuGre; did you mean `mu_s`?"), "{refusal}");
        assert!(refusal.contains("`sigma_0` is -") && refusal.contains("expected a value above 0"), "{refusal}");
        assert!(apply(&stock, "<a/>").is_err() && apply(&stock, "no").is_err());
    }
}
