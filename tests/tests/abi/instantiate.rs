//! Arguments of `fmi2Instantiate`: accepted and refused ones.

use bristle_importer::fmi2::{CO_SIMULATION, Callbacks, MODEL_EXCHANGE, Status};
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::{Instance, Options};
use bristle_importer::lifecycle::initialize;
use bristle_importer::logger::bristle_test_logger;
use core::ffi::CStr;
use std::ffi::CString;
use std::ptr::{from_ref, null, null_mut};

#[test]
fn types_platform_and_version_match_the_standard() {
    let fmu = Fmu::packaged("FrDyn2");
    // SAFETY: both functions take nothing and return static strings.
    let (platform, version) = unsafe {
        (
            CStr::from_ptr((fmu.functions.get_types_platform)()),
            CStr::from_ptr((fmu.functions.get_version)()),
        )
    };
    assert_eq!((platform, version), (c"default", c"2.0"));
}

#[test]
fn wrong_guid_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    for guid in [
        c"{00000000-0000-0000-0000-000000000000}",
        c"",
        c"100 % of #1",
    ] {
        for logging_on in [false, true] {
            let options = Options {
                guid: guid.into(),
                logging_on,
                ..Options::of(&fmu)
            };
            let refused = fmu
                .try_instantiate(&options)
                .expect_err("a wrong GUID is refused");
            let [entry] = &refused.log[..] else {
                panic!("one sentence was expected: {:#?}", refused.log)
            };
            assert_eq!(
                (entry.status, &*entry.category),
                (Status::Error, "logStatusError")
            );
            // The mark of a variable is doubled.
            let given = format!("the GUID \"{}\"", guid.to_string_lossy().replace('#', "##"));
            assert!(
                entry.text.contains(&given) && entry.text.len() < 250,
                "{}",
                entry.text
            );
            assert_eq!(entry.instance, "FrDyn2");
        }
    }
}

#[test]
fn wrong_interface_type_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    for interface in [-1, 2, i32::MAX, i32::MIN] {
        let refused = fmu
            .try_instantiate(&Options {
                interface,
                ..Options::of(&fmu)
            })
            .expect_err("no such interface");
        assert!(
            refused.log.len() == 1 && refused.log[0].text.contains("fmuType"),
            "{:#?}",
            refused.log
        );
    }
}

#[test]
fn null_guid_or_name_is_refused() {
    let fmu = Fmu::packaged("FrDyn2");
    let guid = CString::new(&*fmu.description.guid).expect("no NUL in it");
    for (name, guid) in [
        (null(), guid.as_ptr()),
        (c"friction".as_ptr(), null()),
        (null(), null()),
    ] {
        // SAFETY: NULL or C strings; that NULL is refused is the claim.
        let component =
            unsafe { (fmu.functions.instantiate)(name, CO_SIMULATION, guid, null(), null(), 0, 1) };
        assert!(component.is_null());
    }
}

#[test]
fn callbacks_and_logger_are_optional() {
    let fmu = Fmu::packaged("FrDyn2");
    let guid = CString::new(&*fmu.description.guid).expect("no NUL in it");
    let nothing = Callbacks {
        logger: None,
        allocate_memory: None,
        free_memory: None,
        step_finished: None,
        component_environment: null_mut(),
    };
    // An importer's logger and no environment for it: the FMU must pass on NULL and not look into
    // it.
    let logger_only = Callbacks {
        logger: Some(bristle_test_logger),
        ..nothing
    };
    for callbacks in [null(), from_ref(&nothing), from_ref(&logger_only)] {
        let f = &fmu.functions;
        // SAFETY: strings end in NUL, callbacks are NULL or alive, the component is used until it
        // is freed.
        unsafe {
            let c = (f.instantiate)(
                c"quiet".as_ptr(),
                CO_SIMULATION,
                guid.as_ptr(),
                null(),
                callbacks,
                0,
                1,
            );
            assert!(!c.is_null());
            assert_eq!(
                (f.do_step)(c, 0.0, 1e-3, 1),
                Status::Error as i32,
                "a refusal without a listener"
            );
            assert_eq!((f.setup_experiment)(c, 0, 0.0, 0.0, 0, 0.0), 0);
            assert_eq!((f.enter_initialization_mode)(c), 0);
            assert_eq!((f.exit_initialization_mode)(c), 0);
            assert_eq!((f.do_step)(c, 0.0, 1e-3, 1), 0);
            (f.free_instance)(c);
        }
    }
}

#[test]
fn any_resource_uri_is_accepted() {
    let fmu = Fmu::packaged("FrDyn2");
    let long = format!("file:///{}", "a/".repeat(500_000));
    let uris = [
        "",
        "nonsense",
        "file:///C:\\a b\\%zz",
        "file:////tmp/R\u{e4}der und Schuhe",
        "fmi2://[::1]/%00",
        &long,
    ];
    let options = Options::of(&fmu);
    for resource_location in uris
        .map(|uri| Some(CString::new(uri).expect("no NUL in it")))
        .into_iter()
        .chain([None])
    {
        run(&mut fmu
            .try_instantiate(&Options {
                resource_location,
                ..options.clone()
            })
            .expect("any URI"));
    }
}

#[test]
fn any_instance_name_is_accepted_and_copied() {
    let fmu = Fmu::packaged("FrDyn2");
    let long = "n".repeat(1 << 20);
    for name in [
        "",
        "100 %s %n #r1#",
        "Bremse \u{2116} 7",
        "C:\\models\\FrDyn2.fmu",
        &long,
    ] {
        let name = CString::new(name).expect("no NUL in it");
        for interface in [CO_SIMULATION, MODEL_EXCHANGE] {
            let options = Options {
                name: name.clone(),
                interface,
                ..Options::of(&fmu)
            };
            let mut instance = fmu.try_instantiate(&options).expect("any name");
            // The importer may free its own copy.
            drop(options);
            let status = instance.cancel_step();
            assert_eq!(status, Status::Error);
            let log = instance.take_log();
            assert!(
                log.iter()
                    .all(|entry| entry.instance.as_bytes() == name.as_bytes()),
                "the name in the log"
            );
        }
    }
}

#[test]
fn instance_name_need_not_be_utf8() {
    let fmu = Fmu::packaged("FrDyn2");
    let name = CString::new(vec![0xff, 0xfe, 0x80, b'x']).expect("no NUL in it");
    run(&mut fmu
        .try_instantiate(&Options {
            name,
            ..Options::of(&fmu)
        })
        .expect("any name"));
    let guid = CString::new(vec![0xff, 0xc0]).expect("no NUL in it");
    assert!(
        fmu.try_instantiate(&Options {
            guid,
            ..Options::of(&fmu)
        })
        .is_err()
    );
}

#[test]
fn freeing_null_instance_does_nothing() {
    let fmu = Fmu::packaged("FrDyn2");
    // SAFETY: NULL is allowed by the standard.
    unsafe { (fmu.functions.free_instance)(null_mut()) };
}

/// A short simulation.
fn run(instance: &mut Instance) {
    initialize(instance, None, 0.0, Some(1.0));
    let status = instance.do_step(0.0, 1e-3);
    instance.ok(status);
}
