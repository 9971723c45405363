//! Steps of an element do not allocate, checked by a counting allocator.
//!
//! The FMU's own allocator cannot be reached from outside; what stands between `fmi2DoStep` and the
//! element allocates only for a sentence in the log.

use bristle::assembly::Assembly;
use bristle::catalogue::{
    self, Card, CardBlock, CardBody, Contacts, ELEMENTS, Motion, PlatePoints, Variant,
};
use bristle::coupling::{COUPLING, M_EFF};
use bristle::element::INPUTS;
use bristle::variable::{RANGE, Role, Unit, Variable};
use bristle_reference_laws::workloads::{HEAVY, JUMPS, LIFTED, MICRO_SINE, SLIDING_SINE, steps};
use bristle_tests::cards::{several, with_system};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread. Without a destructor, so that the allocator may use it at any
    /// time.
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn steps_of_a_body_with_several_contacts_allocate_nothing() {
    let mut card = Card::of_law("FrDyn2", "");
    card.contacts = Some(Contacts {
        count: 3,
        ..Contacts::default()
    });
    card.body = Some(CardBody {
        mass: Some(1.0),
        ..CardBody::default()
    });
    let mut block = Variant::new(&ELEMENTS[0], card)
        .expect("a card")
        .instantiate();
    block.initialize().expect("a start at rest");
    let of = |input: &Variable, contact: u32| Variable {
        reference: input.reference + RANGE * contact,
        ..*input
    };
    let (mut v, mut saved) = (0.0, block.save());
    let before = COUNT.get();
    for step in 0..2000 {
        let t = 1e-3 * f64::from(step);
        for contact in 1..=3 {
            // The last contact opens and closes.
            let normal = if contact == 3 {
                (5.0 * libm::sin(30.0 * t)).max(0.0)
            } else {
                5.0
            };
            block.set(&of(&INPUTS[0], contact), normal);
            block.set(&of(&INPUTS[1], contact), v);
        }
        if step % 50 == 0 {
            block.restore(&saved);
        }
        block.advance(1e-3).expect("a step");
        block.save_into(&mut saved);
        let force: f64 = (1..=3)
            .map(|contact| block.value(8 + RANGE * contact))
            .sum();
        v += 1e-3 * (9.0 * libm::sin(10.0 * t) - force);
    }
    assert_eq!(COUNT.get() - before, 0, "allocations in 2000 steps");
}

#[test]
fn steps_of_a_plate_on_its_body_allocate_nothing() {
    let mut card = Card::of_law("FrDyn2", "");
    card.motion = Motion::Patch;
    let positions = vec![[0.1, 0.05], [-0.1, 0.05], [0.0, -0.1]];
    card.plate = Some(PlatePoints {
        positions,
        shares: vec![0.3, 0.3, 0.4],
    });
    card.body = Some(CardBody {
        mass: Some(1.0),
        inertia: Some(0.01),
        ..CardBody::default()
    });
    let variant = Variant::new(&ELEMENTS[0], card).expect("a card");
    let of = |name: &str| *variant.find(name).expect("a variable");
    let (inputs, outputs) = (
        ["F_N", "v_x", "v_y", "omega"].map(of),
        ["F_R_x", "F_R_y", "M_R"].map(of),
    );
    let mut plate = variant.instantiate();
    plate.initialize().expect("a start at rest");
    let (mut v, mut saved) = ([0.0; 3], plate.save());
    let before = COUNT.get();
    for step in 0..500 {
        let t = 1e-3 * f64::from(step);
        for (input, value) in inputs.iter().zip([10.0, v[0], v[1], v[2]]) {
            plate.set(input, value);
        }
        plate.advance(1e-3).expect("a step");
        plate.save_into(&mut saved);
        let load = [
            8.0 * libm::sin(10.0 * t),
            3.0 * libm::sin(17.0 * t),
            0.4 * libm::sin(13.0 * t),
        ];
        for (i, inertia) in [1.0, 1.0, 0.01].into_iter().enumerate() {
            v[i] += 1e-3 * (load[i] - plate.value(outputs[i].reference)) / inertia;
        }
    }
    assert_eq!(COUNT.get() - before, 0, "allocations in 500 steps");
    assert!(v.iter().all(|v| *v != 0.0 && v.is_finite()), "{v:?}");
}

#[test]
fn steps_of_stick_slip_contacts_on_a_body_allocate_nothing() {
    for law in ["SimpackStickSlip", "AdamsStickSlip"] {
        let mut card = Card::of_law(law, "");
        card.contacts = Some(Contacts {
            count: 2,
            ..Contacts::default()
        });
        card.body = Some(CardBody {
            mass: Some(1.0),
            ..CardBody::default()
        });
        let mut block = Variant::new(catalogue::find(law).expect("a law"), card)
            .expect("a card")
            .instantiate();
        block.initialize().expect("a start at rest");
        let mut v = 0.0;
        let before = COUNT.get();
        for step in 0..1000 {
            for contact in 1..=2 {
                for (input, value) in INPUTS.iter().zip([5.0, v]) {
                    block.set(
                        &Variable {
                            reference: input.reference + RANGE * contact,
                            ..*input
                        },
                        value,
                    );
                }
            }
            block.advance(1e-3).expect("a step");
            let force: f64 = (1..=2)
                .map(|contact| block.value(8 + RANGE * contact))
                .sum();
            v += 1e-3 * (9.0 * libm::sin(0.01 * f64::from(step)) - force);
        }
        assert_eq!(COUNT.get() - before, 0, "{law}: allocations in 1000 steps");
    }
}

#[test]
fn steps_of_a_block_inside_allocate_nothing() {
    for law in ["FrDyn2", "SimpackStickSlip", "Coulomb"] {
        let mut card = Card::of_law(law, "");
        card.block = Some(CardBlock {
            mass: 1.0,
            stiffness: 900.0,
            damping: 2.0,
        });
        let variant = Variant::new(catalogue::find(law).expect("a law"), card).expect("a card");
        let [force, normal] = ["F", "F_N"].map(|name| *variant.find(name).expect("a variable"));
        let mut block = variant.instantiate();
        block.set(&normal, 10.0);
        block.initialize().expect("a start at rest");
        let mut saved = block.save();
        let before = COUNT.get();
        for step in 0..1000 {
            block.set(&force, 9.0 * libm::sin(0.01 * f64::from(step)));
            block.advance(1e-3).expect("a step");
            block.save_into(&mut saved);
            block.restore(&saved);
        }
        assert_eq!(COUNT.get() - before, 0, "{law}: allocations in 1000 steps");
    }
}

#[test]
fn steps_of_a_system_inside_allocate_nothing() {
    for law in ["FrDyn2", "LuGre", "StaticRegularized", "Coulomb"] {
        let mut card = several(law, 2, &[]);
        with_system(&mut card);
        let variant = Variant::new(catalogue::find(law).expect("a law"), card).expect("a card");
        let find = |name: &str| *variant.find(name).expect("a variable");
        let mut system = variant.instantiate();
        for normal in ["left.F_N", "right.F_N"] {
            system.set(&find(normal), 10.0);
        }
        system.initialize().expect("a start at rest");
        let (force, mass) = (find("motor.F"), find("motor.mass"));
        let mut saved = system.save();
        let before = COUNT.get();
        for step in 0..1000 {
            system.set(&force, 9.0 * libm::sin(0.01 * f64::from(step)));
            system.set(&mass, 2.0 + libm::sin(0.02 * f64::from(step)));
            assert_eq!(system.coupling_message(1e-3), None);
            system.advance(1e-3).expect("a step");
            system.save_into(&mut saved);
            system.restore(&saved);
        }
        assert_eq!(COUNT.get() - before, 0, "{law}: allocations in 1000 steps");
    }
}

#[test]
fn steps_of_an_observed_contact_allocate_nothing() {
    let mut element = ELEMENTS[0].stock().instantiate();
    for (parameter, value) in [(&M_EFF, 1.0), (&COUPLING, 1.0), (&INPUTS[0], 10.0)] {
        element.set(parameter, value);
    }
    assert_eq!(element.apply_parameters(), Ok(()));
    let mut saved = element.save();
    let before = COUNT.get();
    for step in 0..2000 {
        element.set(&INPUTS[1], 0.01 * libm::sin(0.05 * f64::from(step)));
        // A mass that a card made an input.
        element.set(&M_EFF, 1.0 + 0.1 * libm::sin(0.02 * f64::from(step)));
        assert_eq!(element.apply_parameters(), Ok(()));
        element.advance(1e-3).expect("a step");
        element.save_into(&mut saved);
        element.restore(&saved);
    }
    assert_eq!(COUNT.get() - before, 0, "allocations in 2000 steps");
}

#[test]
fn first_step_of_an_observed_contact_allocates_nothing() {
    let mut contact = ELEMENTS[0].instantiate();
    for (parameter, value) in [(&M_EFF, 1.0), (&COUPLING, 1.0), (&INPUTS[0], 10.0)] {
        contact.set(parameter, value);
    }
    assert_eq!(contact.apply_parameters(), Ok(()));
    // The mass is stated before the assembly is made, and is not set again.
    let mut element = Assembly::of_one(contact);
    let before = COUNT.get();
    element.advance(1e-3).expect("a step");
    assert_eq!(COUNT.get() - before, 0, "allocations in the first step");
}

#[test]
fn step_path_allocates_nothing() {
    for entry in &ELEMENTS {
        let name = entry.metadata.name;
        let mut element = entry.instantiate();
        let mut saved = element.snapshot().clone();
        let before = COUNT.get();
        let mut sum = 0.0;
        for workload in [&SLIDING_SINE, &MICRO_SINE, &HEAVY, &LIFTED, &JUMPS] {
            for (h, moving) in [(1e-3, false), (1e-5, false), (1e-4, true)] {
                for t in steps(2e3 * h, h) {
                    let contact = workload.contact(t);
                    element.set(&INPUTS[0], contact.F_N);
                    element.set(&INPUTS[1], contact.v);
                    if moving {
                        element
                            .set_input_derivative(&INPUTS[1], 1, 0.1)
                            .expect("an input");
                    }
                    assert_eq!(element.apply_parameters(), Ok(()));
                    assert!(element.advance(h).is_ok());
                    sum += element.values().0[8];
                    saved.clone_from(element.snapshot());
                    element.restore(&saved);
                }
            }
        }
        assert_eq!(COUNT.get() - before, 0, "{name}, F_R adds up to {sum}");
    }
}

#[test]
fn step_of_several_contacts_and_of_a_plate_allocates_nothing() {
    let law = catalogue::find("LuGre").expect("an element");
    let mut several = Card::of_law("LuGre", "");
    several.contacts = Some(Contacts {
        count: 4,
        ..Contacts::default()
    });
    let mut plate = Card::of_law("LuGre", "");
    plate.motion = Motion::Patch;
    plate.plate = Some(PlatePoints {
        positions: vec![[0.1, 0.0], [-0.1, 0.0]],
        shares: vec![0.5; 2],
    });
    for card in [several, plate] {
        let variant = Variant::new(law, card).expect("a card");
        let mut assembly = variant.instantiate();
        assert!(assembly.initialize().is_ok());
        for m_eff in [0.0, 0.5] {
            let variables: Vec<_> = variant.variables().collect();
            let variables = || variables.iter().copied();
            variables()
                .filter(|variable| variable.name == "m_eff")
                .for_each(|variable| assembly.set(variable, m_eff));
            assert_eq!(assembly.apply_parameters(), Ok(()));
            let before = COUNT.get();
            for t in steps(0.1, 1e-4) {
                let contact = SLIDING_SINE.contact(t);
                for input in variables().filter(|variable| variable.role == Role::Input) {
                    assembly.set(
                        input,
                        if input.unit == Unit::Newton {
                            contact.F_N
                        } else {
                            contact.v
                        },
                    );
                }
                assert!(assembly.advance(1e-4).is_ok());
            }
            assert_eq!(COUNT.get() - before, 0, "m_eff = {m_eff} kg");
        }
    }
}

#[test]
fn allocation_counter_counts() {
    let before = COUNT.get();
    drop(std::hint::black_box(Box::new(1)));
    assert_eq!(COUNT.get() - before, 1);
}
