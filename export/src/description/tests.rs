//! The XML is read back and compared with the catalogue.

use super::*;
use bristle::catalogue::{ELEMENTS, Model};
use bristle::coupling::F_LAW;
use bristle::variable::Variable;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::BTreeMap;

/// Name and attributes of each element of a well-formed document.
fn elements(xml: &str) -> Vec<(String, BTreeMap<String, String>)> {
    let mut reader = Reader::from_str(xml);
    let mut elements = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                let attributes = tag.attributes().map(|attribute| {
                    let attribute = attribute.unwrap();
                    (
                        attribute.key.as_ref().to_owned(),
                        attribute.value.into_owned(),
                    )
                });
                elements.push((tag.name().as_ref().to_owned(), attributes.collect()));
            }
            Event::Eof => return elements,
            _ => {}
        }
    }
}

/// Variables that a stock element shows: all but the outputs of the coupling.
fn shown(model: &'static Model) -> impl Iterator<Item = &'static Variable> {
    model
        .variables()
        .filter(|variable| !variable.is_output() || variable.reference < F_LAW.reference)
}

#[test]
fn every_variable_appears_once_in_the_order_of_its_reference() {
    for entry in &ELEMENTS {
        let xml = write(&entry.stock()).unwrap();
        let named = elements(&xml)
            .into_iter()
            .filter(|(tag, _)| tag == "ScalarVariable");
        let named: Vec<(String, u32)> = named
            .map(|(_, a)| (a["name"].clone(), a["valueReference"].parse().unwrap()))
            .collect();
        assert!(named.is_sorted_by_key(|(_, reference)| *reference));
        let declared = shown(entry).map(|variable| (variable.name.to_owned(), variable.reference));
        assert_eq!(named, declared.collect::<Vec<_>>());
    }
}

#[test]
fn numbers_are_read_back_bit_for_bit() {
    for entry in &ELEMENTS {
        let xml = write(&entry.stock()).unwrap();
        let reals: Vec<_> = elements(&xml)
            .into_iter()
            .filter(|(tag, _)| tag == "Real")
            .map(|(_, a)| a)
            .collect();
        let declared: Vec<_> = shown(entry).filter(|variable| variable.is_real()).collect();
        assert_eq!(reals.len(), declared.len());
        for (real, variable) in reals.iter().zip(declared) {
            let read = |key: &str| {
                real.get(key)
                    .map(|text| text.parse::<f64>().unwrap().to_bits())
            };
            assert_eq!(read("start"), variable.start.map(f64::to_bits));
            assert_eq!(read("nominal"), variable.nominal.map(f64::to_bits));
            assert_eq!(real["unit"], variable.unit.symbol());
        }
    }
    for value in [1e-6, 5e6, 3192.75, 0.1 + 0.2, f64::MIN_POSITIVE, f64::MAX] {
        assert_eq!(
            number(value).parse::<f64>().unwrap().to_bits(),
            value.to_bits()
        );
    }
}

#[test]
fn type_name_of_a_choice_differs_from_all_variables() {
    let xml = write(&ELEMENTS[0].stock()).unwrap();
    let all = elements(&xml);
    let named = |tag: &str| -> Vec<_> {
        all.iter()
            .filter(|(t, _)| t == tag)
            .map(|(_, a)| &*a["name"])
            .collect()
    };
    let types = named("SimpleType");
    assert_eq!(types, ["couplingChoice"]);
    assert!(
        named("ScalarVariable")
            .iter()
            .all(|name| !types.contains(name))
    );
    let choice = all
        .iter()
        .find(|(_, a)| a.contains_key("declaredType"))
        .unwrap();
    assert_eq!(
        (&*choice.1["declaredType"], &*choice.1["start"]),
        ("couplingChoice", "4")
    );
}

#[test]
fn choice_of_each_contact_has_one_type() {
    let mut card = bristle::catalogue::Card::of_law("FrDyn2", "");
    let each = std::collections::BTreeSet::from([bristle::coupling::COUPLING.reference]);
    card.contacts = Some(bristle::catalogue::Contacts {
        count: 3,
        each,
        ..Default::default()
    });
    let all = elements(&write(&Variant::new(&ELEMENTS[0], card).unwrap()).unwrap());
    assert_eq!(all.iter().filter(|(tag, _)| tag == "SimpleType").count(), 1);
    assert_eq!(
        all.iter()
            .filter(|(_, a)| a.contains_key("declaredType"))
            .count(),
        3
    );
}

#[test]
fn derivative_refers_to_its_state() {
    for entry in &ELEMENTS {
        let xml = write(&entry.stock()).unwrap();
        let all = elements(&xml);
        let variables: Vec<_> = all
            .iter()
            .filter(|(tag, _)| tag == "ScalarVariable")
            .collect();
        let reals = all.iter().filter(|(tag, a)| {
            ["Real", "Integer", "Boolean"].contains(&tag.as_str()) || a.contains_key("declaredType")
        });
        for ((_, variable), (_, real)) in variables.iter().zip(reals) {
            if let Some(place) = real.get("derivative") {
                let state = &variables[place.parse::<usize>().unwrap() - 1].1["name"];
                assert_eq!(variable["name"], format!("der({state})"));
            }
        }
    }
}

#[test]
fn capability_flags_are_those_of_the_catalogue() {
    let xml = write(&ELEMENTS[0].stock()).unwrap();
    for (tag, attributes) in elements(&xml) {
        let interface = match tag.as_str() {
            "ModelExchange" => Interface::ModelExchange,
            "CoSimulation" => Interface::CoSimulation,
            _ => continue,
        };
        assert_eq!(attributes.len(), 1 + capabilities(interface).count());
        for flag in capabilities(interface) {
            assert_eq!(attributes[flag.attribute], flag.value);
        }
    }
}
