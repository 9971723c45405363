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
//! | 2 | `integrator` | body and contacts as one system |
//! | 3 | `observer` | the observer, with `coordinate` and `track`, its state per coordinate and contact |

mod contact;
mod coordinate;
mod integrator;
mod linear_body;
mod mobility;
mod observer;
mod track;

pub use self::contact::{BodyContact, ContactScales, ContactStart, ContactStep, LawState, StageResponse};
pub use self::linear_body::LinearBody;
pub use self::mobility::Mobility;
pub use self::observer::{BodyReport, SharedBody, SharedObserver};
