//! Steps of a viscous contact on a support, whose motion has an independent solution, and the bounds of its force.

use super::*;
use crate::coupling::shared::{ContactScales, StageResponse};
use crate::law::MAX_STATES;

/// Contact whose force is η F_N v.
#[derive(Clone, Copy)]
struct Viscous {
    /// η, s/m.
    eta: f64,
    /// F_s over F_N.
    mu: f64,
    now: Contact,
    /// Rate of F_N that the master gives, N/s.
    normal_rate: Option<f64>,
}

impl BodyContact for Viscous {
    fn start(&self) -> ContactStart {
        let Contact { F_N: normal, v, .. } = self.now;
        let force = self.eta * normal.max(0.0) * v;
        let x = [0.0; MAX_STATES];
        let normal_rate = self.normal_rate;
        ContactStart { contact: self.now, acceleration: None, normal_rate, force, loss: LOSS, x, stiffness: 0.0 }
    }

    fn deflection_factor(&self, _: f64) -> f64 {
        1.0
    }

    fn static_force_under(&self, normal_force: f64) -> f64 {
        self.mu * normal_force
    }

    fn scales(&self, contact: Contact, _: &LawState, _: f64) -> ContactScales {
        ContactScales { v: self.mu / self.eta, x: [f64::MAX; MAX_STATES], force: self.mu * contact.F_N }
    }

    fn stage(&self, contact: Contact, _: &LawState, _: &LawState, _: f64, _: f64) -> StageResponse {
        let (slope, none) = (self.eta * contact.F_N, [0.0; MAX_STATES]);
        StageResponse { force: slope * contact.v, slope, dx: none, dx_dv: none }
    }

    fn advance_open(&self, _: Contact, x: &mut LawState, duration: f64) -> Result<(), SolverError> {
        x[0] += duration;
        Ok(())
    }

    fn accept(&mut self, _: &ContactStep) -> Result<(), SolverError> {
        Ok(())
    }

    fn skip(&mut self, _: f64) {}
}

/// E_loss at the start, J.
const LOSS: f64 = 0.25;
/// Length of the steps, s.
const H: f64 = 4e-3;
/// Tolerance of F_R over F_s.
const TOLERANCE: f64 = 1e-12;
/// A contact mass on the ground, and one on a second mass.
const SUPPORTS: [Support; 2] = [
    Support { mass: 2.0, stiffness: 3e4, damping: 5.0, support_mass: 0.0 },
    Support { mass: 2.0, stiffness: 3e4, damping: 5.0, support_mass: 1.5 },
];

/// A contact with a static friction force far above all others of these tests.
fn contact() -> Viscous {
    Viscous { eta: 20.0, mu: 100.0, now: Contact::new(10.0, 0.3), normal_rate: None }
}

/// Observer at the present state of the contact, with its memory.
fn observer(coupling: Coupling, support: Support, contact: &Viscous) -> (SupportObserver, SupportMemory) {
    (SupportObserver::new(coupling, support, &contact.start()), SupportMemory::default())
}

/// Motion of both masses (x_1, v_1, x_2, v_2), with the integrals of the force and of its power.
type Motion = [f64; 6];

/// Motion after `duration` (s) from `from`, under a force and a load on the contact mass, of time and velocity, by the classical
/// Runge–Kutta method.
fn moved(
    support: Support,
    from: Motion,
    duration: f64,
    force: impl Fn(f64, f64) -> f64,
    load: impl Fn(f64) -> f64,
) -> Motion {
    const STEPS: usize = 200;
    let rate = |t: f64, y: &Motion| {
        let [x_1, v_1, x_2, v_2, ..] = *y;
        let spring = support.stiffness * (x_1 - x_2) + support.damping * (v_1 - v_2);
        let friction = force(t, v_1);
        let second = if support.support_mass > 0.0 { [v_2, spring / support.support_mass] } else { [0.0; 2] };
        let first = (load(t) - friction - spring) / support.mass;
        [v_1, first, second[0], second[1], friction, friction * v_1]
    };
    let along = |y: &Motion, by: f64, k: &Motion| -> Motion { core::array::from_fn(|i| y[i] + by * k[i]) };
    let (h, mut y) = (duration / STEPS as f64, from);
    for i in 0..STEPS {
        let t = h * i as f64;
        let k_1 = rate(t, &y);
        let k_2 = rate(t + 0.5 * h, &along(&y, 0.5 * h, &k_1));
        let k_3 = rate(t + 0.5 * h, &along(&y, 0.5 * h, &k_2));
        let k_4 = rate(t + h, &along(&y, h, &k_3));
        y = core::array::from_fn(|j| y[j] + h / 6.0 * (k_1[j] + 2.0 * (k_2[j] + k_3[j]) + k_4[j]));
    }
    y
}

/// State at the start of an observer.
fn start(support: Support, contact: &Viscous) -> Motion {
    let v = contact.now.v;
    [0.0, v, 0.0, if support.support_mass > 0.0 { v } else { 0.0 }, 0.0, 0.0]
}

fn assert_close(found: f64, expected: f64, scale: f64, said: &str) {
    assert!((found - expected).abs() < 1e-6 * scale, "{said}: {found}, not {expected}");
}

#[test]
fn first_step_has_the_mean_force_of_law_and_masses_as_one_system() {
    for support in SUPPORTS {
        for normal_rate in [0.0, 1000.0, -1000.0] {
            let contact = Viscous { normal_rate: Some(normal_rate), ..contact() };
            let normal = |t: f64| 10.0 + normal_rate * t;
            let law = |t: f64, v: f64| contact.eta * normal(t) * v;
            let force = law(0.0, 0.3);
            let said = format!("{support:?}, {normal_rate} N/s");
            let end = moved(support, start(support, &contact), H, law, |_| force);

            let (mut serial, mut memory) = observer(Coupling::Serial, support, &contact);
            let (step, _) =
                serial.step(&mut memory, &contact, support, H, TOLERANCE, &mut StepLimit::default()).expect("a step");
            let mean = end[4] / H;
            assert_close(step.applied, mean, force, &said);
            assert_close(serial.mean(), mean, force, &said);
            assert_close(step.end.v, end[1], 0.3, &said);
            assert_close(step.end.F_N, normal(H), 10.0, &said);
            assert_close(step.loss, LOSS + 0.5 * mean * (0.3 + end[1]) * H, LOSS, &said);
            assert_eq!((step.duration, step.start), (H, contact.now));

            // In parallel the force of the start acts in the first step, and the one that is computed in the second one.
            let (mut parallel, mut memory) = observer(Coupling::Parallel, support, &contact);
            let (step, _) =
                parallel.step(&mut memory, &contact, support, H, TOLERANCE, &mut StepLimit::default()).expect("a step");
            let body = moved(support, start(support, &contact), H, |_, _| force, |_| force);
            let from = [end[0], end[1], end[2], end[3], 0.0, 0.0];
            let later = moved(support, from, H, |t, v| law(H + t, v), |_| force);
            let correction: f64 =
                support.gains(H).iter().zip(body).zip(end).map(|((gain, body), end)| gain * (body - end)).sum();
            // Two masses that move together under a load in balance go on doing so.
            let is_steady = !support.is_grounded() && normal_rate == 0.0;
            assert_eq!(correction.abs() > 1e-3 * force, !is_steady, "{said}: {correction} N");
            assert_close(step.applied, later[4] / H + correction, force, &said);
            assert_close(parallel.mean(), mean, force, &said);
            assert_close(step.end.v, end[1], 0.3, &said);
            assert_close(step.loss, LOSS + 0.5 * force * (0.3 + body[1]) * H, LOSS, &said);
        }
    }
}

#[test]
fn normal_force_is_extrapolated_by_no_more_than_its_last_change_and_not_next_to_an_open_contact() {
    let support = SUPPORTS[1];
    // F_N (N) of the last step and now, the lengths of the last step and of this one over H, and the F_N expected at the end.
    let cases = [
        ([10.0, 12.0], [1.0, 1.0], 14.0),
        ([10.0, 12.0], [1.0, 0.5], 13.0),
        ([10.0, 12.0], [1.0, 2.0], 14.0),
        ([10.0, 2.0], [1.0, 1.0], 0.0),
        ([0.0, 2.0], [1.0, 1.0], 2.0),
        ([-1.0, 2.0], [1.0, 1.0], 2.0),
    ];
    for ([before, now], [last, length], expected) in cases {
        for coupling in [Coupling::Serial, Coupling::Parallel] {
            let mut contact = Viscous { now: Contact::new(before, 0.3), ..contact() };
            let (mut observer, mut memory) = observer(coupling, support, &contact);
            let mut step = |contact: &Viscous, duration: f64| {
                observer.step(&mut memory, contact, support, duration, TOLERANCE, &mut StepLimit::default()).unwrap().0
            };
            // Without a step before, F_N is held.
            assert_eq!(step(&contact, last * H).end.F_N, before);
            contact.now.F_N = now;
            let end = step(&contact, length * H).end.F_N;
            assert!((end - expected).abs() < 1e-12, "{before} N, {now} N, {last}, {length}: {end} N");
        }
    }
}

#[test]
fn force_is_at_most_twice_the_largest_recent_static_friction_force() {
    let support = SUPPORTS[1];
    for coupling in [Coupling::Serial, Coupling::Parallel] {
        for sign in [1.0, -1.0] {
            let mut contact = Viscous { eta: 1e-6, mu: 0.5, now: Contact::new(10.0, 0.0), normal_rate: Some(0.0) };
            let (mut observer, mut memory) = observer(coupling, support, &contact);
            let mut step = |contact: &Viscous, duration: f64| {
                observer.step(&mut memory, contact, support, duration, TOLERANCE, &mut StepLimit::default()).unwrap().0
            };
            step(&contact, H);
            // A blow that no friction force stops within a step, after F_N has fallen.
            contact.now = Contact::new(4.0, 5.0 * sign);
            let applied = step(&contact, 0.25 * H).applied;
            // The largest recent F_N is forgotten over the longest recent step, which decays by a tenth of each step.
            let peak = 10.0 + 0.25 / 0.975 * (4.0 - 10.0);
            assert!((applied - 2.0 * 0.5 * peak * sign).abs() < 1e-9, "{coupling:?}, {sign}: {applied} N");
            // A larger F_N, which rises within the step, counts at once.
            contact.now = Contact::new(8.0, 9.0 * sign);
            contact.normal_rate = Some(2.0 / H);
            let applied = step(&contact, H).applied;
            assert!((applied - 2.0 * 0.5 * 10.0 * sign).abs() < 1e-9, "{coupling:?}, {sign}: {applied} N");
        }
    }
}

#[test]
fn open_contact_has_no_force_and_its_observer_follows_the_body() {
    for support in SUPPORTS {
        for coupling in [Coupling::Serial, Coupling::Parallel] {
            let closed = contact();
            let (mut observer, mut memory) = observer(coupling, support, &closed);
            let mut step = |observer: &mut SupportObserver, contact: &Viscous| {
                observer.step(&mut memory, contact, support, H, TOLERANCE, &mut StepLimit::default()).unwrap().0
            };
            let applied = step(&mut observer, &closed).applied;
            let [before, v] = [closed.now.v, 0.2];
            let used = if coupling == Coupling::Parallel { closed.start().force } else { applied };
            let open = Viscous { now: Contact::new(-1.0, v), ..closed };
            let at_opening = step(&mut observer, &open);
            let said = format!("{support:?}, {coupling:?}");
            // The force of the step before still acts in a parallel coupling.
            let work = LOSS + 0.5 * used * (before + v) * H;
            let late = if coupling == Coupling::Parallel { applied * v * H } else { 0.0 };
            assert_eq!((at_opening.applied, at_opening.end, at_opening.duration), (0.0, open.now, H), "{said}");
            assert_close(at_opening.loss, work + late, LOSS, &said);
            assert_eq!((observer.mean(), at_opening.x[0] - at_opening.start_x[0]), (0.0, H), "{said}");
            assert_eq!(observer.observed[..], observer.filtered[..4], "{said}");
            assert_eq!(observer.applied, [applied, 0.0], "{said}");
            // In the next open step no force acts any more.
            let later = step(&mut observer, &open);
            assert_close(later.loss, work + late, LOSS, &said);
        }
    }
}

#[test]
fn numbers_beyond_the_largest_are_an_error_in_open_and_closed_contacts() {
    let support = SUPPORTS[0];
    for normal in [10.0, -1.0] {
        let contact = Viscous { now: Contact::new(normal, 1e300), ..contact() };
        let (mut observer, mut memory) = observer(Coupling::Serial, support, &contact);
        let mut step = || observer.step(&mut memory, &contact, support, H, 1e-6, &mut StepLimit::default());
        let failed = (0..20).any(|_| step().is_err());
        assert!(failed, "{normal} N");
    }
}
