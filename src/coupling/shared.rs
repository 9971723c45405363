//! Several contacts on one body: a body observer for all of them.
//!
//! Separate observers cannot see the force between two contacts of one body, and a parallel coupling drives them against each other.
//! Here one [`SharedObserver`] has the body's coordinates, its contacts and their laws as one system.
//!
//! | layer | file | contents |
//! |---|---|---|
//! | 1 | `contact` | what the observer needs of a contact and its law |
//! | 1 | `linear_body` | a body with linear motion between its contacts |
//! | 2 | `mobility` | inertia of a rigid body in the coordinates of its contacts |
//! | 2 | `integrator` | body and contacts as one system, with the events of the laws |
//! | 2 | `observer` | the state of the observer, with `coordinate` and `track`, its parts per coordinate and contact |
//! | 2 | `distribution` | forces of the contacts for one on the body |
//! | 3 | `body` | the steps of the observer |

mod body;
mod contact;
mod coordinate;
mod distribution;
mod integrator;
mod linear_body;
mod mobility;
mod observer;
mod track;

pub use self::body::{BodyReport, SharedBody};
pub use self::contact::{
    BodyContact, BodyContacts, ContactScales, ContactStart, ContactStep, LawModes, LawStage, LawState, OnlyContact,
    StageResponse,
};
pub use self::integrator::Integrator;
pub use self::linear_body::LinearBody;
pub use self::mobility::Mobility;
pub use self::observer::SharedObserver;

#[cfg(test)]
mod tests;
