//! Properties of every law besides its equations: saved states, consistent outputs, default
//! parameters.

use crate::laws::motions;
use bristle_importer::co_simulation::Master;
use bristle_importer::fmi2::FmuState;
use bristle_importer::fmu::Fmu;
use bristle_importer::instance::Instance;
use bristle_random::Random;
use bristle_reference_laws::LawParameters;
use bristle_tests::tolerances::{ENERGY, FORCE};

/// Steps between two states.
const LEG: usize = 40;

/// Checks that the steps after a restored state repeat bit for bit, in the same instance and in
/// another one from bytes.
pub fn restored<L: LawParameters>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut element = Master::with_law(&fmu, law);
    for seed in 0..10 {
        let start = f64::from(seed) * LEG as f64 * 1e-3;
        let mut state = FmuState::NULL;
        let status = element.instance.get_fmu_state(&mut state);
        element.instance.ok(status);
        let run = leg(&mut element, start, seed);
        let status = element.instance.set_fmu_state(state);
        element.instance.ok(status);
        assert_eq!(
            leg(&mut element, start, seed),
            run,
            "from the state at {start} s"
        );

        let (status, bytes) = element.instance.serialize_fmu_state(state);
        element.instance.ok(status);
        let mut other = Master::start(&fmu, &[]);
        let mut copy = FmuState::NULL;
        let status = other.instance.deserialize_fmu_state(&bytes, &mut copy);
        other.instance.ok(status);
        let status = other.instance.set_fmu_state(copy);
        other.instance.ok(status);
        assert_eq!(
            leg(&mut other, start, seed),
            run,
            "from the bytes of the state at {start} s"
        );
        for (instance, mut state) in [(&mut element.instance, state), (&mut other.instance, copy)] {
            let status = instance.free_fmu_state(&mut state);
            instance.ok(status);
        }
    }
}

/// Bits of all variables after every step; half of the steps have held inputs, half moving ones.
fn leg(element: &mut Master, start: f64, seed: u32) -> Vec<Vec<u64>> {
    let mut random = Random::new(u64::from(seed));
    let h = 1e-3;
    let step = |n: usize| {
        let t = start + n as f64 * h;
        if n.is_multiple_of(2) {
            element.step(motions::contact(&mut random), t, h);
        } else {
            element.step_with_derivatives(&motions::course(&mut random, h), t, h);
        }
        bits(&mut element.instance)
    };
    (0..LEG).map(step).collect()
}

fn bits(instance: &mut Instance) -> Vec<u64> {
    let variables = &instance.fmu().description.variables;
    let bits = variables.iter().map(|variable| match &*variable.kind {
        "Boolean" => u64::from(instance.get_flag(&variable.name)),
        "Integer" | "Enumeration" => instance.get_whole(&variable.name) as u64,
        _ => instance.get(&variable.name).to_bits(),
    });
    bits.collect()
}

/// Checks the outputs beside F_R: v_slip, P_loss, and for laws with modes whether they stick.
pub fn outputs<L: LawParameters>(law: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let mut element = Master::with_law(&fmu, law);
    let names: Vec<&str> = fmu
        .description
        .variables
        .iter()
        .map(|variable| &*variable.name)
        .collect();
    let rate = names.iter().find(|name| name.starts_with("der("));
    let (mut random, mut t) = (Random::new(6), 0.0);
    for _ in 0..2000 {
        let h = motions::duration(&mut random);
        let contact = motions::contact(&mut random);
        let force = element.step(contact, t, h);
        t += h;
        let instance = &mut element.instance;
        let slip = contact.v - rate.map_or(0.0, |rate| instance.get(rate));
        assert_eq!(instance.get("v_slip"), slip, "{contact:?}");
        assert_eq!(instance.get("P_loss"), force * contact.v, "{contact:?}");
        if names.contains(&"mode") {
            let starts = names.contains(&"start") && instance.get_whole("start") != 0;
            let sticks = instance.get_whole("mode") == 0 && !starts && contact.is_closed();
            assert_eq!(instance.get_flag("sticking"), sticks, "{contact:?}");
        }
    }
}

/// Checks that a long step with held inputs agrees with a hundred short ones in F_R and E_loss.
pub fn divided<L: LawParameters>(law: &L) {
    if L::ELEMENT == "Armstrong" {
        // Its velocity history has the communication points, which differ.
        return;
    }
    let fmu = Fmu::packaged(L::ELEMENT);
    let [mut whole, mut parts] = [(); 2].map(|()| Master::with_law(&fmu, law));
    let (mut random, mut t) = (Random::new(7), 0.0);
    let mu = law.at_rest().static_friction();
    // The tolerance is relative to the sum of |F_R v| H.
    let (mut turnover, mut worst) = (0.0, 0.0_f64);
    for _ in 0..300 {
        let h = 100.0 * motions::duration(&mut random);
        let contact = motions::contact(&mut random);
        let force = whole.step(contact, t, h);
        let mut divided = 0.0;
        for part in 0..100 {
            divided = parts.step(contact, t + h * f64::from(part) / 100.0, h / 100.0);
        }
        t += h;
        let size = mu * contact.F_N.max(0.0) + force.abs();
        assert!(
            (force - divided).abs() <= FORCE * size,
            "{force} N and {divided} N: {contact:?} for {h} s"
        );
        turnover += size * contact.v.abs() * h;
        let [one, other] = [&mut whole, &mut parts].map(|element| element.instance.get("E_loss"));
        let error = (one - other).abs() / turnover.max(f64::MIN_POSITIVE);
        assert!(
            error <= ENERGY,
            "{one} J and {other} J, {error:.1e} off: {contact:?} for {h} s"
        );
        worst = error.max(worst);
    }
    println!("{:17} E_loss: {worst:.1e}", L::ELEMENT);
}

/// Compares the start values of the description with the defaults of the reference law, which are
/// the paper's.
pub fn defaults<L: LawParameters + Default>(_: &L) {
    let fmu = Fmu::packaged(L::ELEMENT);
    let expected = L::default().parameters();
    for (name, value) in &expected {
        let start = fmu.description.variable(name).start.as_deref();
        assert_eq!(
            start.and_then(|start| start.parse().ok()),
            Some(*value),
            "{name}"
        );
    }
    let others = [
        "m_eff",
        "coupling",
        "probe",
        "k_eff",
        "d_eff",
        "m_support",
        "inner_steps_max",
    ];
    let of_law = |name: &str| !others.contains(&name);
    let parameters = fmu
        .description
        .variables
        .iter()
        .filter(|v| v.causality == "parameter" && of_law(&v.name));
    assert_eq!(parameters.count(), expected.len());
}
