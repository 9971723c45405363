//! Elements of cards: exported with the library of the packaged FMUs, loaded, and compared with
//! stock elements.

mod acceleration;
mod backlash;
mod block;
mod block_steps;
mod bodies;
mod inputs;
mod inside;
mod joints;
mod linked_masses;
mod measured;
pub mod motions;
mod normal_force;
mod plate_bodies;
mod plates;
mod random_cards;
mod sections;
mod separate_bodies;
mod shafts;
mod stick_slip_bodies;
mod systems;
mod units;
