//! Measured errors and work of random steps, from which the tuning constants follow. `docs/internals/numerics.md`, §14 and §15, has the results.
//!
//! `cargo test --release -p bristle --lib frdyn2::measurements -- --ignored --nocapture`
//!
//! The reference of every step is the general integrator at a hundredth of the tolerance or less.

use super::{Equations, FrDyn2};
use crate::integrate::radau::Radau;
use crate::law::{Contact, InputTrajectory, Law};
use crate::variable::Values;
use std::time::Instant;

/// Kinds of random steps.
pub const KINDS: [&str; 5] = ["held", "moving v", "moving F_N", "closing", "unstable"];

/// A random step.
struct Case {
    law: FrDyn2,
    start: Contact,
    derivatives: Option<[Contact; 3]>,
    x: [f64; 2],
    duration: f64,
}

impl Case {
    fn trajectory(&self) -> InputTrajectory<'_> {
        InputTrajectory { start: self.start, derivatives: self.derivatives.as_ref(), delay: None }
    }
}

/// Errors of F_R over the tolerance, sorted, and work of the steps of one kind.
pub struct Measured {
    /// Errors over F_s and the tolerance, in rising order.
    pub errors: Vec<f64>,
    /// Errors of the loss over F_s max|v| H and ten times the tolerance, in rising order.
    pub losses: Vec<f64>,
    /// Inner steps, all together.
    pub inner_steps: u64,
    /// Time of a step, ns.
    pub time: f64,
}

impl Measured {
    /// Quantile of the errors at this share of the steps.
    pub fn quantile(&self, share: f64) -> f64 {
        self.errors[((self.errors.len() - 1) as f64 * share) as usize]
    }

    /// The largest error.
    pub fn worst(&self) -> f64 {
        self.quantile(1.0)
    }
}

fn random(mut seed: u64) -> impl FnMut() -> f64 {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        2.0 * (seed >> 11) as f64 / (1u64 << 53) as f64 - 1.0
    }
}

/// The paper's bristle, and every other time one whose parameters differ by up to a decade.
fn law(random: &mut impl FnMut() -> f64) -> FrDyn2 {
    let mut values = Values::of(FrDyn2::METADATA.parameters);
    if random() > 0.0 {
        for variable in FrDyn2::METADATA.parameters {
            let factor = match variable.name {
                "sigma_0" | "sigma_1" => libm::exp10(0.5 * random()),
                "mu_s" => 1.0 + 0.3 * random(),
                "mu_d" => 1.0 + 0.2 * random(),
                "v_s" => libm::exp10(0.4 * random()),
                _ => libm::exp10(0.3 + 0.7 * random()),
            };
            values[variable] *= factor;
        }
    }
    FrDyn2::new(&values).unwrap_or_else(|_| FrDyn2::new(&Values::of(FrDyn2::METADATA.parameters)).expect("defaults"))
}

fn cases(kind: &str, count: usize) -> Vec<Case> {
    let mut random = random(0x9e37_79b9_7f4a_7c15);
    let mut cases = Vec::new();
    while cases.len() < count {
        let law = law(&mut random);
        let normal_force = if kind == "unstable" { libm::exp10(2.3 + 0.7 * random()) } else { libm::exp10(random()) };
        let is_unstable = law.model_warning(Contact::new(1.5 * normal_force, 0.0)).is_some();
        let v = 1e-3 * libm::exp10(1.5 * random() - 0.3) * random().signum();
        let z = law.static_force(normal_force) / law.stiffness() * 1.2 * random();
        let x = [z, v - 1e-3 * libm::exp10(1.5 * random() - 1.0) * random().signum()];
        let duration = libm::exp10(-3.5 + 1.3 * random());
        let dv = 1e-3 * libm::exp10(1.5 * random() - 0.5) * random().signum();
        let bend = if random() > 0.3 { dv * random() } else { 0.0 };
        let (loaded, open) = (0.6 * random(), 0.25 * (1.0 + random()));
        let change = |force: f64| {
            let first = Contact::new(normal_force * force / duration, (dv - bend) / duration);
            Some([first, Contact::new(0.0, 2.0 * bend / duration / duration), Contact::ZERO])
        };
        let derivatives = match kind {
            "held" | "unstable" => None,
            "moving v" => change(0.0),
            "moving F_N" => change(loaded),
            _ => change(1.0 + open),
        };
        let first_force = if kind == "closing" { -open * normal_force } else { normal_force };
        if is_unstable == (kind == "unstable") {
            cases.push(Case { law, start: Contact::new(first_force, v), derivatives, x, duration });
        }
    }
    cases
}

/// Random steps of one kind at a tolerance.
pub fn measure(kind: &str, count: usize, tolerance: f64) -> Measured {
    let (mut errors, mut losses, mut inner_steps) = (Vec::new(), Vec::new(), 0);
    let cases = cases(kind, count);
    let finest = (1e-2 * tolerance).clamp(1e-11, 1e-9);
    for case in &cases {
        let (trajectory, end) = (case.trajectory(), case.trajectory().at(case.duration));
        let (mut x, mut exact) = (case.x, case.x);
        let equations: Equations = case.law.with_general_integrator();
        let Ok(done) = case.law.advance(&trajectory, &mut x, &mut (), case.duration, tolerance, &mut Radau::default())
        else {
            continue;
        };
        inner_steps += u64::from(done.inner_steps);
        if done.force_error > 0.0 {
            continue;
        }
        let Ok(judged) =
            equations.advance(&trajectory, &mut exact, &mut (), case.duration, finest, &mut Radau::default())
        else {
            continue;
        };
        let [force, expected] = [x, exact].map(|x| case.law.evaluate(end, &x, &()).F_R);
        let static_force = case.law.static_force(case.start.F_N.max(end.F_N));
        errors.push((force - expected).abs() / static_force / tolerance);
        let speed = (0..=50).map(|i| trajectory.at(case.duration * f64::from(i) / 50.0).v.abs()).fold(0.0, f64::max);
        losses.push((done.loss - judged.loss).abs() / (static_force * speed * case.duration) / (10.0 * tolerance));
    }
    let pass = || {
        let begin = Instant::now();
        for case in &cases {
            let mut x = case.x;
            let done =
                case.law.advance(&case.trajectory(), &mut x, &mut (), case.duration, tolerance, &mut Radau::default());
            core::hint::black_box((done.is_ok(), x));
        }
        begin.elapsed().as_nanos() as f64 / count as f64
    };
    let time = (0..7).map(|_| pass()).fold(f64::INFINITY, f64::min);
    errors.sort_by(f64::total_cmp);
    losses.sort_by(f64::total_cmp);
    Measured { errors, losses, inner_steps, time }
}

/// Largest error over the tolerance that accumulates in 2 s of stick, 20 000 steps under an alternating v, held and by ramps.
pub fn accumulated_in_stick(tolerance: f64) -> [f64; 2] {
    const H: f64 = 1e-4;
    let law = FrDyn2::new(&Values::of(FrDyn2::METADATA.parameters)).expect("defaults");
    let v = |i: u32| {
        let phase = 300.0 * H * f64::from(i);
        1e-4 * (libm::cos(phase) + 0.3 * libm::sin(2.0 * phase))
    };
    [false, true].map(|ramps| {
        let (mut x, mut exact, mut worst) = ([0.0; 2], [0.0; 2], 0.0_f64);
        for i in 0..20_000 {
            let derivatives = [Contact::new(0.0, (v(i + 1) - v(i)) / H), Contact::ZERO, Contact::ZERO];
            let trajectory = InputTrajectory {
                start: Contact::new(9.81, v(i)),
                derivatives: ramps.then_some(&derivatives),
                delay: None,
            };
            for (x, tolerance) in [(&mut x, tolerance), (&mut exact, 1e-10)] {
                law.advance(&trajectory, x, &mut (), H, tolerance, &mut Radau::default()).expect("a step of stick");
            }
            let [here, there] = [&x, &exact].map(|x| law.evaluate(trajectory.at(H), x, &()).F_R);
            worst = worst.max((here - there).abs() / law.static_force(9.81) / tolerance);
        }
        worst
    })
}

/// Prints one line for each kind of random steps, and one for errors that accumulate in stick.
pub fn print(count: usize, tolerance: f64) {
    for kind in KINDS {
        let measured = measure(kind, count, tolerance);
        println!(
            "{kind:<11} tol {tolerance:e}: error/tol median {:.1e}, 99 % {:.3}, worst {:.3}, loss {:.3}; {:.2} inner steps, {:.0} ns",
            measured.quantile(0.5),
            measured.quantile(0.99),
            measured.worst(),
            measured.losses.last().copied().unwrap_or(0.0),
            measured.inner_steps as f64 / count as f64,
            measured.time,
        );
    }
    let [held, ramps] = accumulated_in_stick(tolerance);
    println!("stick       tol {tolerance:e}: error/tol after 2 s, held {held:.3}, ramps {ramps:.3}");
}

#[test]
#[ignore = "a measurement: cargo test --release -p bristle --lib frdyn2::measurements -- --ignored --nocapture"]
fn print_errors_and_work_of_random_steps() {
    for tolerance in [1e-4, 1e-6, 1e-8] {
        print(2000, tolerance);
    }
}
