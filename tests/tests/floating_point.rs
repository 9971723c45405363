//! Hosts that trap floating-point exceptions, round otherwise or flush denormal numbers: every
//! element works, gives the bits it gives in the default environment, and leaves the host's
//! environment as it was.

use bristle::catalogue::{self, ELEMENTS};
use bristle_importer::fmi2::{
    CO_SIMULATION, EventInfo, FmuState, MODEL_EXCHANGE, Reference, Status,
};
use bristle_importer::fmu::Fmu;
use bristle_importer::host_environment::HostEnvironment;
use bristle_importer::instance::Instance;
use bristle_tests::cards::{complete, exporter, geared, joint, load};
use core::f64::consts::TAU;

const STEP: f64 = 1e-3;

/// A motion of the contact: the inputs in the order of `NAMES` and their first derivatives at a
/// time, in s.
#[derive(Clone, Copy, Debug)]
struct Motion {
    normal: fn(f64) -> [f64; 2],
    velocity: fn(f64) -> [f64; 2],
    /// The first derivatives are given as well.
    moves: bool,
    /// kg; 0 for none.
    m_eff: f64,
}

/// A stroke that sticks and slides both ways.
fn stroke(t: f64) -> [f64; 2] {
    let omega = TAU * 5.0;
    [
        0.02 * libm::sin(omega * t),
        0.02 * omega * libm::cos(omega * t),
    ]
}

/// A contact that opens and closes.
fn lifted(t: f64) -> [f64; 2] {
    let omega = TAU * 60.0;
    [
        9.81 * (0.8 + libm::cos(omega * t)),
        -9.81 * omega * libm::sin(omega * t),
    ]
}

/// Numbers below the normal range in both inputs, now and then.
fn tiny(t: f64) -> [f64; 2] {
    let n = (t / STEP).round() as u32;
    [
        [5e-324, 1e-310, 3.0][n as usize % 3],
        [0.0, 1e-312, 0.0][n as usize / 3 % 3],
    ]
}

const HELD: Motion = Motion {
    normal: |_| [9.81, 0.0],
    velocity: stroke,
    moves: false,
    m_eff: 0.0,
};
const MOTIONS: [Motion; 7] = [
    HELD,
    Motion {
        moves: true,
        ..HELD
    },
    Motion {
        normal: lifted,
        ..HELD
    },
    Motion {
        normal: lifted,
        moves: true,
        ..HELD
    },
    Motion { m_eff: 1.0, ..HELD },
    Motion {
        m_eff: 1.0,
        normal: lifted,
        moves: true,
        ..HELD
    },
    Motion {
        normal: tiny,
        velocity: |t| tiny(t + 5.0 * STEP).map(|x| 1e-3 * x),
        ..HELD
    },
];

/// The references of F_N and v, and of every real variable but the parameters.
fn references(fmu: &Fmu) -> ([Reference; 2], Vec<Reference>) {
    let reals = fmu
        .description
        .variables
        .iter()
        .filter(|v| v.kind == "Real" && v.causality != "parameter");
    (
        ["F_N", "v"].map(|name| fmu.description.reference(name)),
        reals.map(|v| v.reference).collect(),
    )
}

/// Accepts fmi2OK and fmi2Warning.
#[track_caller]
fn accept(instance: &Instance, status: Status) {
    assert!(
        status <= Status::Warning,
        "{status:?}: {:#?}",
        instance.take_log()
    );
}

/// Adds the bits of some numbers.
fn add(bits: &mut Vec<u64>, numbers: &[f64]) {
    bits.extend(numbers.iter().map(|number| number.to_bits()));
}

/// The bits of all that a Co-Simulation calculates.
fn co_simulate(fmu: &Fmu, motion: &Motion, host: HostEnvironment) -> Vec<u64> {
    let (inputs, reals) = references(fmu);
    let mut instance = fmu.instantiate(CO_SIMULATION);
    instance.host = host;
    let m_eff = fmu
        .description
        .variables
        .iter()
        .find(|v| v.name == "m_eff")
        .map(|v| v.reference);
    if let Some(reference) = m_eff {
        let status = instance.set_real(&[reference], &[motion.m_eff]);
        accept(&instance, status);
    }
    for status in [
        instance.setup_experiment(Some(1e-6), 0.0, None),
        instance.enter_initialization_mode(),
        instance.exit_initialization_mode(),
    ] {
        accept(&instance, status);
    }
    let (mut bits, mut state) = (Vec::new(), FmuState::NULL);
    for n in 0..150 {
        let t = f64::from(n) * STEP;
        let ([normal, normal_rate], [v, a]) = ((motion.normal)(t), (motion.velocity)(t));
        let status = instance.set_real(&inputs, &[normal, v]);
        accept(&instance, status);
        if motion.moves {
            let status = instance.set_real_input_derivatives(&inputs, &[1, 1], &[normal_rate, a]);
            accept(&instance, status);
        }
        let status = instance.do_step(t, STEP);
        accept(&instance, status);
        let mut values = vec![f64::NAN; reals.len()];
        let status = instance.get_real(&reals, &mut values);
        accept(&instance, status);
        add(&mut bits, &values);
        let mut slope = [f64::NAN];
        let force = fmu.description.reference("F_R");
        // Derivatives may be too large for a number where F_N is next to nothing; then the refusal
        // must be the same.
        bits.push(instance.get_real_output_derivatives(&[force], &[1], &mut slope) as u64);
        add(&mut bits, &slope);
        bits.push(
            instance.get_directional_derivative(&[force], &inputs[1..], &[1.0], &mut slope) as u64,
        );
        add(&mut bits, &slope);
        if n % 50 == 49 {
            // Through bytes and back.
            let status = instance.get_fmu_state(&mut state);
            accept(&instance, status);
            let (status, bytes) = instance.serialize_fmu_state(state);
            accept(&instance, status);
            let status = instance.deserialize_fmu_state(&bytes, &mut state);
            accept(&instance, status);
            let status = instance.set_fmu_state(state);
            accept(&instance, status);
        }
    }
    let status = instance.free_fmu_state(&mut state);
    accept(&instance, status);
    bits
}

/// The bits of all that an explicit solver with the step `STEP`/10 sees of the Model Exchange, from
/// fixed states.
fn exchange(fmu: &Fmu, motion: &Motion, host: HostEnvironment) -> Vec<u64> {
    let (inputs, reals) = references(fmu);
    let states = fmu
        .description
        .variables
        .iter()
        .filter(|v| v.name.starts_with("der("))
        .count();
    let mut instance = fmu.instantiate(MODEL_EXCHANGE);
    instance.host = host;
    let mut info = EventInfo::default();
    for status in [
        instance.setup_experiment(None, 0.0, None),
        instance.enter_initialization_mode(),
        instance.exit_initialization_mode(),
        instance.new_discrete_states(&mut info),
        instance.enter_continuous_time_mode(),
    ] {
        accept(&instance, status);
    }
    let mut bits = Vec::new();
    for n in 0..150 {
        let t = f64::from(n) * STEP;
        let status = instance.set_time(t);
        accept(&instance, status);
        let status = instance.set_real(&inputs, &[(motion.normal)(t)[0], (motion.velocity)(t)[0]]);
        accept(&instance, status);
        let mut rates = vec![f64::NAN; states];
        let status = instance.set_continuous_states(&vec![f64::from(n % 7) * 1e-7; states]);
        accept(&instance, status);
        let status = instance.get_derivatives(&mut rates);
        accept(&instance, status);
        add(&mut bits, &rates);
        let mut indicators = vec![f64::NAN; fmu.description.event_indicators];
        let status = instance.get_event_indicators(&mut indicators);
        accept(&instance, status);
        add(&mut bits, &indicators);
        let (status, ..) = instance.completed_integrator_step();
        accept(&instance, status);
        for status in [
            instance.enter_event_mode(),
            instance.new_discrete_states(&mut info),
            instance.enter_continuous_time_mode(),
        ] {
            accept(&instance, status);
        }
        let mut values = vec![f64::NAN; reals.len()];
        let status = instance.get_real(&reals, &mut values);
        accept(&instance, status);
        add(&mut bits, &values);
    }
    bits
}

#[test]
fn results_and_host_environment_are_unchanged_by_rounding_mode_and_flags() {
    for entry in &ELEMENTS {
        let fmu = Fmu::packaged(entry.metadata.name);
        for motion in &MOTIONS {
            let default =
                [co_simulate, exchange].map(|run| run(&fmu, motion, HostEnvironment::default()));
            for host in HostEnvironment::all() {
                let there = [co_simulate, exchange].map(|run| run(&fmu, motion, host));
                assert!(
                    there == default,
                    "{} differs in {host:?} under {motion:?}",
                    entry.metadata.name
                );
            }
        }
    }
}

#[test]
fn load_of_a_gear_is_set_in_the_default_environment() {
    let card = geared(joint("FrDyn2", catalogue::Motion::Rotational, false));
    let fmu = load(&exporter(), &complete(card));
    let states = |host: HostEnvironment| {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        instance.host = host;
        let mut states = Vec::new();
        let mut state = FmuState::NULL;
        for torque in [0.1, 0.3, 0.7, 1.3, 1.7] {
            instance.set("tau_m", torque);
            let status = instance.get_fmu_state(&mut state);
            instance.ok(status);
            let (status, bytes) = instance.serialize_fmu_state(state);
            instance.ok(status);
            states.push(bytes);
        }
        let status = instance.free_fmu_state(&mut state);
        instance.ok(status);
        states
    };
    let expected = states(HostEnvironment::default());
    for host in HostEnvironment::all() {
        assert_eq!(states(host), expected, "{host:?}");
    }
}

#[test]
fn instantiation_works_in_every_floating_point_environment() {
    let fmu = Fmu::packaged("FrDyn2");
    for host in HostEnvironment::all() {
        let instance = host.run(|| fmu.instantiate(CO_SIMULATION));
        host.run(|| drop(instance));
    }
}

#[test]
fn non_finite_numbers_are_refused_in_every_floating_point_environment() {
    let fmu = Fmu::packaged("FrDyn2");
    // A signalling NaN raises an exception when it is only compared.
    let signalling = f64::from_bits(0x7ff0_0000_0000_0001);
    for host in HostEnvironment::all() {
        let mut instance = fmu.instantiate(CO_SIMULATION);
        instance.host = host;
        for name in ["F_N", "v", "mu_s", "sigma_0", "z"] {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, signalling] {
                let status = instance.set_real(&[fmu.description.reference(name)], &[value]);
                let said = instance.complaint(status);
                assert!(said.contains("a finite number"), "{said}");
            }
        }
        // A denormal number is one, also where the host takes it for 0.
        instance.set("z", 1e-310);
        instance.set("v", 1e-310);
    }
}
