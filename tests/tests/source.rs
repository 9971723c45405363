//! FMUs with C source, compiled here, beside the native library: every call returns the same bits,
//! bytes and messages.
//!
//! `BRISTLE_SOURCES` is a folder with the sources of laws, as `cargo xtask libraries --sources`
//! writes it. A law is compiled once, without optimisation, which takes a fifth of the time of
//! `-O2`; the card of each element is linked to it.

#![cfg(target_os = "linux")]

mod compiler;

use crate::random_calls::caller::Caller;
use bristle::catalogue::{Card, CardBlock, Motion, Variant};
use bristle_export::Exporter;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::{CO_SIMULATION, Component, FmuState, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_importer::raw;
use bristle_random::Random;
use bristle_reference_laws::Contact;
use bristle_tests::cards::{
    by_direction, card, exporter as native, geared, in_units, joint, measured, model, patch,
    planar, rotational, several, with_foot, with_system,
};
use bristle_tests::cases;
use bristle_tests::plausible_values::plausible_value;
use compiler::Law;
use std::path::Path;
use std::time::Instant;

/// Cards of every kind that a law allows, with every output.
fn cards(law: &str) -> Vec<(String, Variant)> {
    let block = |mut card: Card| {
        card.block = Some(CardBlock {
            mass: 2.0,
            stiffness: 900.0,
            damping: 2.0,
        });
        card
    };
    let changed = |change: fn(&mut Card)| {
        let mut card = several(law, 2, &[]);
        change(&mut card);
        card
    };
    let has = |name: &&str| {
        model(law)
            .variables()
            .any(|variable| variable.name == *name)
    };
    let own: Vec<_> = ["mu_s"].into_iter().filter(has).collect();
    let corners = [[0.1, 0.05], [-0.1, 0.05], [-0.1, -0.05]];
    let revolute = joint(law, Motion::Rotational, false);
    let all = [
        ("stock", Card::of_law(law, "")),
        ("contacts", several(law, 3, &own)),
        ("many contacts", several(law, 12, &[])),
        ("rotation", rotational(law, 0.04)),
        ("joint", joint(law, Motion::Translational, true)),
        ("gear", geared(revolute)),
        ("units", in_units(card(law, &[]))),
        ("units of a rotation", in_units(rotational(law, 0.04))),
        ("plane", planar(law)),
        ("plate", patch(law, &corners, &[0.5, 0.25, 0.25])),
        ("curve", measured(law)),
        ("directions", by_direction(law)),
        ("block", block(card(law, &[]))),
        ("system", changed(with_system)),
        ("foot", changed(with_foot)),
    ];
    let allowed = all.into_iter().filter_map(|(kind, mut card)| {
        card.show_all(card.motion.model(model(law))?);
        let variant = Variant::new(model(law), card).ok()?;
        Some((kind.to_owned(), variant))
    });
    allowed.collect()
}

/// Kinds of cards that the model of random calls has no words for.
const INSIDE: [&str; 3] = ["block", "system", "foot"];

/// Laws of which the model of random calls predicts all other kinds; of the others it predicts
/// stock elements. Random steps compare every kind of every law.
const MODELLED: [&str; 3] = ["FrDyn2", "Stribeck", "LuGre"];

/// An element by its native library, and by its C source.
fn pair(law: &Law, native: &Exporter, variant: &Variant, folder: &Path) -> [Fmu; 2] {
    let path = folder.join("native.fmu");
    std::fs::write(&path, native.export(variant).expect("an FMU")).expect("a file");
    let compiled = law.link(variant, folder);
    [Fmu::load(&path), Fmu::load_with_library(&path, &compiled)]
}

/// Runs a comparison for each element of each law, the laws side by side.
fn compare(what: impl Fn(&str, &str, &[Fmu; 2]) + Sync) {
    let native = native();
    let at_once = std::thread::available_parallelism().map_or(2, |cores| cores.get());
    for laws in Law::all().chunks(at_once) {
        std::thread::scope(|scope| {
            for law in laws {
                let (native, what) = (&native, &what);
                scope.spawn(move || {
                    for (kind, variant) in cards(&law.name) {
                        println!("{}, {kind}", law.name);
                        let folder = tempfile::tempdir().expect("a temporary folder");
                        what(
                            &law.name,
                            &kind,
                            &pair(law, native, &variant, folder.path()),
                        );
                    }
                });
            }
        });
    }
}

#[test]
fn random_calls_return_what_the_native_library_returns() {
    compare(|law, kind, fmus| {
        if INSIDE.contains(&kind) || kind != "stock" && !MODELLED.contains(&law) {
            return;
        }
        let calls = cases(200, 500) as u64;
        let [native, source] = fmus
            .each_ref()
            .map(|fmu| Caller::new(law, fmu, 7).transcript(calls));
        let lines = || native.iter().zip(&source);
        if let Some(place) = lines().position(|(native, source)| native != source) {
            let start = place.saturating_sub(4);
            panic!(
                "{law}, {kind}: after {:#?}\nnative {}\nsource {}",
                &native[start..place],
                native[place],
                source[place]
            );
        }
        assert_eq!(native.len(), source.len(), "{law}, {kind}");
    });
}

/// Bits of every real variable, and every message since the last look.
fn everything(instance: &mut Instance) -> (Status, Vec<u64>, String) {
    let description = &instance.fmu().description;
    let variables = description.variables.iter().filter(|v| v.kind == "Real");
    let references: Vec<_> = variables.map(|variable| variable.reference).collect();
    let mut values = vec![0.0; references.len()];
    let status = instance.get_real(&references, &mut values);
    let bits = values.into_iter().map(f64::to_bits).collect();
    (status, bits, format!("{:?}", instance.take_log()))
}

/// Bytes of the state.
fn bytes(instance: &mut Instance, state: FmuState) -> Vec<u8> {
    let (status, bytes) = instance.serialize_fmu_state(state);
    instance.ok(status);
    bytes
}

#[test]
fn random_steps_have_the_bits_of_the_native_library() {
    compare(|law, kind, fmus| {
        let place = format!("{law}, {kind}");
        let mut instances = fmus.each_ref().map(|fmu| fmu.instantiate(CO_SIMULATION));
        let mut states = [FmuState::NULL; 2];
        let both = |instances: &mut [Instance; 2], call: &dyn Fn(&mut Instance) -> Status| {
            let [one, other] = instances.each_mut().map(call);
            assert_eq!(one, other, "{place}");
            one
        };
        let _ = both(&mut instances, &|i| i.setup_experiment(None, 0.0, None));
        let _ = both(&mut instances, &|i| i.enter_initialization_mode());
        let _ = both(&mut instances, &|i| i.exit_initialization_mode());

        let variables = &fmus[0].description.variables;
        let inputs = variables
            .iter()
            .filter(|v| v.causality == "input" && v.kind == "Real");
        let inputs: Vec<_> = inputs.map(|v| (v.reference, v.name.clone())).collect();
        let references: Vec<_> = inputs.iter().map(|(reference, _)| *reference).collect();
        let outputs = variables
            .iter()
            .filter(|v| v.causality == "output" && v.kind == "Real");
        let outputs: Vec<_> = outputs.map(|v| v.reference).collect();
        let mut values = vec![0.0; inputs.len()];
        let (mut random, mut time, mut saved_at) = (Random::new(3), 0.0, 0.0);
        for step in 0..cases(60, 150) {
            for ((_, name), value) in inputs.iter().zip(&mut values) {
                if step % 40 == 0 {
                    *value = plausible_value(&mut random, name, None);
                }
                *value += random.between(-1e-2, 1e-2) * *value;
            }
            let _ = both(&mut instances, &|i| i.set_real(&references, &values));
            let h = *random.one_of(&[1e-4, 1e-3, 3e-3]);
            if both(&mut instances, &|i| i.do_step(time, h)) <= Status::Warning {
                time += h;
            }
            let [native, source] = instances.each_mut().map(|i| everything(i));
            assert_eq!(native, source, "{place}, step {step}");

            let seed = vec![1.0; references.len()];
            let [native, source] = instances.each_mut().map(|instance| {
                let mut slopes = vec![0.0; outputs.len()];
                let status =
                    instance.get_directional_derivative(&outputs, &references, &seed, &mut slopes);
                let slopes: Vec<_> = slopes.into_iter().map(f64::to_bits).collect();
                (status, slopes, format!("{:?}", instance.take_log()))
            });
            assert_eq!(native, source, "{place}, step {step}");

            if step % 25 == 0 {
                for (instance, state) in instances.iter_mut().zip(&mut states) {
                    let status = instance.get_fmu_state(state);
                    instance.ok(status);
                }
                saved_at = time;
                let [native, source] = &mut instances;
                assert_eq!(
                    bytes(native, states[0]),
                    bytes(source, states[1]),
                    "{place}"
                );
            } else if step % 25 == 7 {
                for (instance, state) in instances.iter_mut().zip(&states) {
                    let status = instance.set_fmu_state(*state);
                    instance.ok(status);
                }
                time = saved_at;
            }
        }
        for (instance, state) in instances.iter_mut().zip(&mut states) {
            let status = instance.free_fmu_state(state);
            instance.ok(status);
            assert!(*state == FmuState::NULL);
        }
    });
}

#[test]
#[ignore = "compiles with optimisation, and prints times"]
fn times_of_a_step() {
    let steps = 20_000_u32;
    println!("| law | C, MB | cc -O2, s | native, us | C, us | ratio |");
    for name in Law::names() {
        let start = Instant::now();
        let law = Law::compile(&name, "-O2");
        let compilation = start.elapsed().as_secs_f64();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let variant = model(&name).stock();
        let fmus = pair(&law, &native(), &variant, folder.path());
        // The least of several runs, one library after the other.
        let mut times = [f64::INFINITY; 2];
        for _ in 0..7 {
            let mut forces = [0.0; 2];
            for ((fmu, time), force) in fmus.iter().zip(&mut times).zip(&mut forces) {
                let mut master = Master::start(fmu, &[]);
                let start = Instant::now();
                for i in 0..steps {
                    let v = 0.02 * libm::sin(0.031 * f64::from(i));
                    *force += master.step(Contact::new(9.81, v), f64::from(i) * 1e-3, 1e-3);
                }
                *time = time.min(start.elapsed().as_secs_f64() / f64::from(steps));
            }
            assert_eq!(forces[0].to_bits(), forces[1].to_bits(), "{name}");
        }
        let [native, source] = times.map(|time| time * 1e6);
        println!(
            "| {name} | {:.1} | {compilation:.0} | {native:.2} | {source:.2} | {:.2} |",
            law.size() as f64 / 1e6,
            source / native
        );
    }
}

/// Overwrites the module's stack pointer, behind the pointer to the host: the next call writes
/// below the memory.
fn break_stack(component: Component) {
    // SAFETY: the instance lives, and begins with the module's structure.
    unsafe { component.cast::<u32>().add(2).write(0) }
}

#[test]
fn trap_stops_the_instance_with_one_sentence() {
    let law = &Law::all()[0];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [_, fmu] = pair(law, &native(), &model(&law.name).stock(), folder.path());
    for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
        let [mut broken, mut other] = [(); 2].map(|()| fmu.instantiate(interface));
        broken.take_log();
        break_stack(broken.component());
        let status = broken.enter_initialization_mode();
        let log = broken.take_log();
        assert_eq!(status, Status::Fatal, "{log:?}");
        let fatal: Vec<_> = log
            .iter()
            .filter(|entry| entry.status == Status::Fatal)
            .collect();
        let expected = "fmi2EnterInitializationMode: a defect of this FMU stopped the instance; \
                        free it, and please report the calls before";
        assert!(
            fatal.len() == 1 && fatal[0].text == expected && fatal[0].category == "logStatusFatal",
            "{log:?}"
        );
        assert_eq!(broken.reset(), Status::Fatal);
        assert_eq!(broken.take_log(), []);
        // Another instance is whole.
        assert_eq!(other.enter_initialization_mode(), Status::OK);
        assert_eq!(other.exit_initialization_mode(), Status::OK);
    }
}

#[test]
fn elements_of_two_laws_link_into_one_program() {
    let laws = Law::all();
    assert!(laws.len() > 1, "two laws are needed");
    compiler::run_program_of_two(&laws[0], &laws[1]);
}

#[test]
fn macros_of_the_command_line_compile_and_fast_math_is_refused() {
    compiler::check_macros(&Law::all()[0]);
}

#[test]
fn instance_has_room_for_the_arguments_of_the_longest_call() {
    let law = &Law::all()[0];
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [_, fmu] = pair(law, &native(), &model(&law.name).stock(), folder.path());
    let mut instance = fmu.instantiate(CO_SIMULATION);
    let reference = fmu.description.reference("F_N");
    let many = 20_000;
    assert_eq!(
        instance.set_real(&vec![reference; many], &vec![5.0; many]),
        Status::OK
    );
    let too_many = 10_000_000;
    let (references, values) = (vec![reference; too_many], vec![5.0; too_many]);
    let status = raw!(
        instance,
        set_real,
        references.as_ptr(),
        too_many,
        values.as_ptr()
    );
    let said = instance.complaint(status);
    assert!(
        said.starts_with("fmi2SetReal: the arguments do not fit"),
        "{said}"
    );
    assert_eq!(instance.set_real(&[reference], &[5.0]), Status::OK);
}
