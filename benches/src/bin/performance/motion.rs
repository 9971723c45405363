//! A workload cut into communication steps, with the force at the end of each as the tests'
//! reference finds it.

use bristle_reference_laws::Contact;
use bristle_reference_laws::dop853::COARSE_TOLERANCE;
use bristle_reference_laws::frdyn2::Bristle;
use bristle_reference_laws::workloads::{Workload, steps};

/// The length of every motion, s: whole periods of all workloads.
pub const SPAN: f64 = 0.2;

/// A workload at one communication step.
pub struct Motion {
    /// The workload.
    pub workload: Workload,
    /// Communication step, s.
    pub h: f64,
    /// The contact that is held over each step.
    pub contacts: Vec<Contact>,
    /// F_R at the end of each step, from rest, N.
    expected: Vec<f64>,
    /// Error bound of the reference: the largest difference to one at a tolerance ten times looser.
    pub error_bound: f64,
}

impl Motion {
    /// Calculates the forces of the workload by the reference.
    pub fn new(workload: &Workload, h: f64) -> Self {
        let contacts: Vec<_> = steps(SPAN, h).map(|t| workload.contact(t)).collect();
        let mut reference = Bristle::at_rest(workload.parameters, (workload.F_N)(0.0));
        let mut coarse = reference.with_tolerance(COARSE_TOLERANCE);
        let expected = contacts
            .iter()
            .map(|contact| reference.step(*contact, h))
            .collect();
        let mut motion = Motion {
            workload: *workload,
            h,
            contacts,
            expected,
            error_bound: 0.0,
        };
        motion.error_bound = motion.error(|contact| coarse.step(contact, h));
        motion
    }

    /// The largest error of F_R over F_s at all communication points, for an element that starts at
    /// rest; infinite where a force is no number.
    pub fn error(&self, mut step: impl FnMut(Contact) -> f64) -> f64 {
        let mut worst: f64 = 0.0;
        for (contact, expected) in self.contacts.iter().zip(&self.expected) {
            let force = step(*contact);
            if force.is_nan() {
                return f64::INFINITY;
            }
            if contact.F_N > 0.0 {
                worst = worst
                    .max((force - expected).abs() / (self.workload.parameters.mu_s * contact.F_N));
            }
        }
        worst
    }
}
