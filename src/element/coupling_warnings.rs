//! Texts of the warnings about a coupling.

use crate::coupling::{Coupling, Doubt, HeldDoubt};

/// Share of m_eff in the mass with which the body answers to F_R below which it counts as no answer.
const MIN_ANSWER: f64 = 0.05;

/// Warning about a normal force that changes too fast.
#[cold]
pub fn warning_of_normal_force(ratio: f64, duration: f64) -> String {
    format!(
        "F_N is not resolved at H = {duration:.3e} s: from step to step it departs from a straight line by {:.0} % of its largest value, \
         and F_R follows it late; shorten H",
        100.0 * ratio
    )
}

/// Warning about the held values of an automatic coupling that has not identified the body.
#[cold]
pub(super) fn warning_of_held(doubt: HeldDoubt, duration: f64) -> String {
    match doubt {
        HeldDoubt::Work(error) => format!(
            "the work of F_R as the master applied it differs from that of friction by {:.0} %, and no effective mass is identified: \
             coupling = auto holds the values, which are unstable or too late at H = {duration:.3e} s. Set m_eff and coupling if they \
             are known, or shorten H",
            100.0 * error
        ),
        HeldDoubt::Normal(ratio) => format!(
            "F_N changes by {:.1} % of its largest value from step to step at H = {duration:.3e} s, no effective mass is identified, and \
             F_R follows F_N late with the held values of coupling = auto. Set m_eff and coupling if they are known, or shorten H",
            100.0 * ratio
        ),
        HeldDoubt::Swings => format!(
            "F_R jumped from side to side within few steps at H = {duration:.3e} s, and no effective mass is identified: coupling = auto \
             holds the values, which are unstable or too late at this H. Set m_eff and coupling if they are known, set coupling to held \
             where v is prescribed, or shorten H"
        ),
        HeldDoubt::Unidentified => format!(
            "the test signal (probe) shows no effective mass at H = {duration:.3e} s: coupling = auto holds the values. The likely causes: v is \
             prescribed; or the part that responds to F_R swings by half a period or more within H. Set m_eff and coupling if they are known, \
             set coupling to held where v is prescribed, or shorten H"
        ),
    }
}

/// Warning about the held values of an automatic coupling until it has identified the mass (kg) and the scheme.
#[cold]
pub(super) fn warning_of_start((mass, coupling): (f64, Coupling), duration: f64) -> String {
    let name = if coupling == Coupling::Parallel { "parallel" } else { "serial" };
    format!(
        "coupling = auto held the values until the motion showed an effective mass of {mass:.3} kg and a {name} coupling; until then F_R \
         jumped from side to side at H = {duration:.3e} s, and moved the body. Set m_eff to that mass and coupling to {name}, or shorten H"
    )
}

/// Warning about the work of an automatic coupling, which names the mass (kg) and the scheme that it has identified.
#[cold]
pub(super) fn warning_of_identified((mass, coupling): (f64, Coupling), error: f64, duration: f64) -> String {
    let name = if coupling == Coupling::Parallel { "parallel" } else { "serial" };
    format!(
        "the work of F_R as the master applied it differs from that of friction by {:.1} % at H = {duration:.3e} s: coupling = auto held \
         the values until the motion showed an effective mass of {mass:.3} kg and a {name} coupling. Set m_eff to that mass and coupling \
         to {name}, or shorten H",
        100.0 * error
    )
}

/// Warning about a body that does not follow its observer, with the likely cause and its remedy.
#[cold]
pub(super) fn warning_of_doubt(doubt: Doubt, duration: f64) -> String {
    match doubt {
        Doubt::Work(error) => format!(
            "the work of F_R as the master applied it differs from that of friction by {:.1} %: the body does not follow its \
             observer at H = {duration:.3e} s. Check the order in which the master applies F_R against coupling (serial or \
             parallel); if several contacts share the body, give them to one element with a body (section [body] of its card), \
             or couple them in series; else shorten H",
            100.0 * error
        ),
        Doubt::Elastic(stiffness) => format!(
            "the body is elastic within a step: its motion shows c H^2/m = {stiffness:.2} at H = {duration:.3e} s. F_R is accurate \
             up to 0.1, and the coupling stable up to about 2 in series and 1 in parallel: shorten H to {:.1e} s, or set m_eff to \
             the part of the body that responds within H",
            duration * libm::sqrt(0.1 / stiffness)
        ),
        Doubt::Response(share) if share > MIN_ANSWER => format!(
            "the motion of the body answers to F_R with {:.2} times m_eff at H = {duration:.3e} s. The likely causes: m_eff is too small; \
             another contact shares the body; or m_eff is a part that swings by half a period or more within H: shorten H, or set m_eff to \
             the part of the body that responds within H",
            1.0 / share
        ),
        Doubt::Response(_) => format!(
            "the motion of the body does not answer to F_R at H = {duration:.3e} s. The likely causes: m_eff is far too small; v is \
             prescribed; another contact shares the body; or m_eff is a part that swings by half a period or more within H: shorten H, or \
             set m_eff to the part of the body that responds within H"
        ),
        Doubt::Normal(ratio) => warning_of_normal_force(ratio, duration),
        Doubt::Force(ratio) => format!(
            "F_R as the master applied it differs from the friction force of the observed body by {:.0} % of F_s in the mean over the last \
             steps: the load changes too fast for H = {duration:.3e} s; shorten H",
            100.0 * ratio
        ),
        Doubt::Load(ratio) => format!(
            "the load on the contact is not resolved at H = {duration:.3e} s: from step to step it departs from a straight line by \
             {:.0} % of F_s. The likely causes: the load or an elastic part moves within H; another contact shares the body; or the \
             master applies F_R in another order than coupling says. Shorten H, give the contacts of one body to one element with a body \
             (section [body] of its card), or check the order",
            100.0 * ratio
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of the communication step, s.
    const H: f64 = 2e-3;

    #[test]
    fn warnings_say_their_measure_the_step_and_the_remedy() {
        for (said, measure, remedy) in [
            (warning_of_normal_force(0.146, H), "by 15 % of its largest value", "shorten H"),
            (
                warning_of_held(HeldDoubt::Work(-0.234), H),
                "differs from that of friction by -23 %",
                "Set m_eff and coupling",
            ),
            (warning_of_held(HeldDoubt::Normal(0.0456), H), "by 4.6 % of its largest value", "Set m_eff and coupling"),
            (
                warning_of_held(HeldDoubt::Swings, H),
                "jumped from side to side",
                "set coupling to held where v is prescribed",
            ),
            (
                warning_of_held(HeldDoubt::Unidentified, H),
                "shows no effective mass",
                "set coupling to held where v is prescribed",
            ),
            (warning_of_start((1.25, Coupling::Serial), H), "1.250 kg and a serial coupling", "coupling to serial"),
            (
                warning_of_start((1.25, Coupling::Parallel), H),
                "1.250 kg and a parallel coupling",
                "coupling to parallel",
            ),
            (warning_of_identified((0.5, Coupling::Serial), 0.0345, H), "by 3.5 % at", "coupling to serial"),
            (
                warning_of_identified((0.5, Coupling::Parallel), 0.03, H),
                "0.500 kg and a parallel",
                "coupling to parallel",
            ),
            (warning_of_doubt(Doubt::Work(0.0123), H), "by 1.2 %", "Check the order"),
            // sqrt(0.1/0.4) of H.
            (warning_of_doubt(Doubt::Elastic(0.4), H), "c H^2/m = 0.40", "shorten H to 1.0e-3 s"),
            (warning_of_doubt(Doubt::Response(0.5), H), "with 2.00 times m_eff", "shorten H"),
            (warning_of_doubt(Doubt::Response(0.01), H), "does not answer to F_R", "shorten H"),
            (warning_of_doubt(Doubt::Normal(0.2), H), "F_N is not resolved", "shorten H"),
            (warning_of_doubt(Doubt::Force(0.126), H), "by 13 % of F_s in the mean", "shorten H"),
            (warning_of_doubt(Doubt::Load(0.336), H), "34 % of F_s", "Shorten H"),
        ] {
            assert!(said.contains(measure) && said.contains(remedy), "{said}");
            assert!(said.contains("H = 2.000e-3 s") || said.contains("m_eff at H = 2.000e-3 s"), "{said}");
        }
    }
}
