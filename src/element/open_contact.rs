//! Watch over a contact that moves and has not been closed yet: F_N was not set, or has the wrong
//! sign.

use crate::law::Contact;
use crate::variable::Unit;

/// Steps in motion after which a contact that was never closed is reported. Fewer: a body that
/// starts above its counterpart is.
const STEPS: u32 = 10;

/// Number of steps in motion without contact; no longer counted after the first contact and after
/// the report.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenContact(u32);

impl OpenContact {
    /// Records the contact at the start of a step; returns whether it is to be reported, which
    /// happens once.
    #[inline]
    pub fn record(&mut self, contact: Contact) -> bool {
        if self.0 > STEPS {
            return false;
        }
        if contact.F_N > 0.0 {
            self.0 = STEPS + 1;
        } else if contact.v != 0.0 || contact.v_y != 0.0 {
            self.0 += 1;
        }
        self.0 == STEPS
    }

    /// Sentence about a contact that was just reported, with its speed in this unit under this
    /// normal force, N, or under this load of a joint.
    pub fn warning(
        &self,
        speed: f64,
        unit: Unit,
        normal_force: f64,
        is_joint: bool,
    ) -> Option<String> {
        (self.0 == STEPS).then(|| {
            let unit = unit.symbol();
            if is_joint {
                return format!(
                    "the contact moves at {speed:.3e} {unit} and has not been closed yet: load = \
                     {normal_force:?}, so that there is no friction; connect load, which is 1 for \
                     the friction of the card, or do nothing if it is to rise later"
                );
            }
            format!(
                "the contact moves at {speed:.3e} {unit} and has not been closed yet: F_N = \
                 {normal_force:?} N, so that there is no friction; \
                 connect F_N, the normal force, positive in compression, or do nothing if the \
                 contact is to close later"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_without_normal_force_is_reported_once_when_it_moves() {
        for [normal_force, v, expected] in [
            [0.0, 1e-3, 1.0],
            [-9.81, -0.5, 1.0],
            [0.0, 0.0, 0.0],
            [1e-3, 0.5, 0.0],
        ] {
            let (mut open, contact) = (OpenContact::default(), Contact::new(normal_force, v));
            let mut reports = Vec::new();
            for _ in 0..100 {
                if open.record(contact) {
                    reports.extend(open.warning(
                        v.abs(),
                        Unit::RadianPerSecond,
                        normal_force,
                        false,
                    ));
                }
            }
            assert_eq!(reports.len() as f64, expected, "{reports:?}");
            assert!(
                reports.iter().all(
                    |text| text.contains("positive in compression") && text.contains(" rad/s ")
                )
            );
        }
        // A contact that was closed once opens and moves as it likes.
        let mut open = OpenContact::default();
        assert!(!open.record(Contact::new(1.0, 0.0)));
        assert!((0..100).all(|_| !open.record(Contact::new(0.0, 1.0))));
    }
}
