//! Event indicators of every law: of order 1, and with a change of sign where an event is due.

use super::element;
use crate::catalogue::{ELEMENTS, Model};
use crate::element::{AnyElement, F_N, V};
use crate::law::{Contact, MAX_EVENTS};

/// Indicators at an input, with the modes and states as they are.
fn at(element: &mut dyn AnyElement, contact: Contact) -> [f64; MAX_EVENTS] {
    element.set_contact(contact);
    element.evaluate().unwrap();
    element.indicators()
}

/// Every element at rest and in steady sliding either way, at 10 N.
fn states() -> impl Iterator<Item = (&'static Model, f64, Box<dyn AnyElement>)> {
    ELEMENTS.iter().flat_map(|entry| {
        [0.0, 0.05, -0.05].map(|v| {
            let mut element = element(entry);
            element.set(&F_N, 10.0);
            element.set(&V, v);
            for _ in 0..20 {
                element.advance(0.01).unwrap();
            }
            (entry, v, element)
        })
    })
}

#[test]
fn indicators_change_by_the_order_of_1_over_nominal_inputs() {
    let (mut changes, mut events) = (0, 0);
    for (entry, v, mut element) in states() {
        let contact = Contact {
            F_N: 10.0,
            v,
            ..Contact::ZERO
        };
        let sweeps = [
            [
                Contact {
                    v: -0.01,
                    ..contact
                },
                Contact { v: 0.01, ..contact },
            ],
            [
                contact,
                Contact {
                    F_N: -10.0,
                    ..contact
                },
            ],
            [
                Contact {
                    F_t: -5.0,
                    ..contact
                },
                Contact {
                    F_t: 5.0,
                    ..contact
                },
            ],
        ];
        for sweep in sweeps {
            let [from, to] = sweep.map(|contact| at(&mut *element, contact));
            let name = entry.metadata.name;
            let change = from
                .into_iter()
                .zip(to)
                .map(|(from, to)| (to - from).abs())
                .fold(0.0, f64::max);
            assert!(
                change == 0.0 || (0.1..20.0).contains(&change),
                "{name} at {v} m/s: {from:?} to {to:?}"
            );
            changes += u32::from(change > 0.0);
            for (from, to) in from
                .into_iter()
                .zip(to)
                .filter(|(from, to)| (*from > 0.0) != (*to > 0.0))
            {
                assert!((to - from).abs() > 0.1, "{name} at {v} m/s: {from} to {to}");
                events += 1;
            }
        }
    }
    assert_eq!([changes, events], [66, 71]);
}

#[test]
fn opening_of_a_contact_and_every_reversal_change_a_sign() {
    for (entry, v, mut element) in states() {
        let contact = Contact {
            F_N: 10.0,
            v,
            ..Contact::ZERO
        };
        let held = at(&mut *element, contact);
        let differs =
            |other: [f64; MAX_EVENTS]| held.iter().zip(other).any(|(a, b)| (*a > 0.0) != (b > 0.0));
        let name = entry.metadata.name;
        if !entry.metadata.events.is_empty() {
            assert!(
                differs(at(
                    &mut *element,
                    Contact {
                        F_N: -1e-3,
                        ..contact
                    }
                )),
                "{name} opens at {v} m/s"
            );
            // The indicator of FrDyn2Linear is the kink at |w| = v_s, on both sides of which it
            // slides.
            if v != 0.0 && name != "FrDyn2Linear" {
                assert!(
                    differs(at(
                        &mut *element,
                        Contact {
                            v: -0.1 * v,
                            ..contact
                        }
                    )),
                    "{name} reverses at {v} m/s"
                );
            }
        }
        assert!(
            !differs(at(
                &mut *element,
                Contact {
                    F_N: 9.0,
                    v: 1.1 * v,
                    ..contact
                }
            )),
            "{name} at {v} m/s"
        );
    }
}

#[test]
fn no_event_is_pending_after_the_event_iteration() {
    for (entry, v, mut element) in states() {
        let contact = Contact {
            F_N: 10.0,
            v,
            ..Contact::ZERO
        };
        let name = entry.metadata.name;
        assert!(
            !element.event_is_pending(),
            "{name} at {v} m/s after a step"
        );
        for next in [
            contact,
            Contact {
                F_N: -1e-3,
                ..contact
            },
            Contact { v: -v, ..contact },
            Contact {
                v: 0.0,
                F_t: 50.0,
                ..contact
            },
            Contact {
                F_N: 0.1,
                ..contact
            },
        ] {
            at(&mut *element, next);
            element.event_iteration();
            assert!(!element.event_is_pending(), "{name} at {v} m/s: {next:?}");
        }
    }
}
