//! The elements by name, with every variable of each.
//!
//! Value references, XML, documentation and getters all derive from this table. A new law is one
//! line in [`ELEMENTS`].

mod access;
mod block;
mod body;
mod card;
mod check;
mod expectations;
mod fingerprint;
pub mod interface;
mod knowns;
mod level;
mod model;
mod motion;
mod scope;
pub mod section;
mod system;
mod variant;

pub use self::access::Access;
pub use self::block::{CardBlock, no_block, no_body_inside, parameters as block_parameters};
pub use self::body::CardBody;
pub use self::card::{Card, Contacts, Experiment, MAX_NAME, MeasuredCurve, PlatePoints, Setting};
pub use self::check::{no_acceleration, no_planar_form, no_shared_body, no_signed_curve};
pub use self::expectations::{
    NORMAL_FORCES, SettingFault, description_fault, duration_fault, name_fault, normal_force_fault,
    tolerance_fault,
};
pub use self::knowns::Knowns;
pub use self::level::{Level, level_parameter};
pub use self::model::Model;
pub use self::motion::{Motion, is_of_coupling};
pub use self::scope::{contact_name, declared, outputs};
pub use self::system::{
    CardBase, CardCoordinate, CardSlip, CardSpring, CardSystem, MAX_COORDINATES, Term,
};
pub use self::variant::Variant;

use crate::laws::*;

/// Every element, in the order of the documentation.
pub static ELEMENTS: [Model; 16] = [
    Model::of::<frdyn2::FrDyn2, 2>().with_planar(&const { Model::of::<frdyn2::PlanarFrDyn2, 4>() }),
    Model::of::<frdyn2_linear::FrDyn2Linear, 2>()
        .with_planar(&const { Model::of::<frdyn2_linear::PlanarFrDyn2Linear, 4>() }),
    Model::of::<static_regularized::StaticRegularized, 0>().with_planar(
        &const { Model::of::<planar::PlanarStatic<static_regularized::StaticRegularized>, 0>() },
    ),
    Model::of::<coulomb::Coulomb, 0>(),
    Model::of::<stribeck::Stribeck, 0>()
        .with_planar(&const { Model::of::<planar::PlanarStatic<stribeck::Stribeck>, 0>() })
        .with_inside(&const { Model::of::<stick_slip::WithStick<stribeck::Stribeck>, 0>() }),
    Model::of::<brown_mcphee::BrownMcPhee, 0>()
        .with_planar(&const { Model::of::<planar::PlanarStatic<brown_mcphee::BrownMcPhee>, 0>() }),
    Model::of::<popp_stelter::PoppStelter, 0>()
        .with_planar(&const { Model::of::<planar::PlanarStatic<popp_stelter::PoppStelter>, 0>() })
        .with_inside(&const { Model::of::<stick_slip::WithStick<popp_stelter::PoppStelter>, 0>() }),
    Model::of::<non_reversible::NonReversible, 0>(),
    Model::of::<armstrong::Armstrong, 2>(),
    Model::of::<dahl::Dahl, 1>().with_planar(&const { Model::of::<dahl::PlanarDahl, 2>() }),
    Model::of::<lugre::LuGre, 1>().with_planar(&const { Model::of::<lugre::PlanarLuGre, 2>() }),
    Model::of::<stefanski_2003::Stefanski2003, 0>(),
    Model::of::<stefanski_2006::Stefanski2006, 0>(),
    Model::of::<modelica_friction::ModelicaFriction, 0>(),
    Model::of::<simpack_stick_slip::SimpackStickSlip, 1>(),
    Model::of::<adams_stick_slip::AdamsStickSlip, 1>(),
];

/// The element of this name.
pub fn find(name: &str) -> Option<&'static Model> {
    ELEMENTS.iter().find(|entry| entry.metadata.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variable::SLOTS;
    use std::collections::BTreeSet;

    #[test]
    fn names_and_references_are_unique_and_every_number_is_described() {
        for entry in &ELEMENTS {
            let names: BTreeSet<_> = entry.variables().map(|v| v.name).collect();
            assert_eq!(
                names.len(),
                entry.variables().count(),
                "{}",
                entry.metadata.name
            );
            for variable in entry.variables() {
                assert_eq!(entry.variable(variable.reference), Some(variable));
                assert!(!variable.description.is_empty(), "{}", variable.name);
                assert!(
                    variable.nominal.is_none_or(|n| n > 0.0),
                    "{}",
                    variable.name
                );
            }
            assert!(entry.variable(SLOTS as u32).is_none() && entry.variable(u32::MAX).is_none());
        }
    }

    #[test]
    fn every_element_accepts_its_own_start_values() {
        for entry in &ELEMENTS {
            let mut element = entry.instantiate();
            for variable in entry.variables() {
                if let Some(start) = variable.start {
                    assert_eq!(variable.check(start), Ok(()));
                    element.set(variable, start);
                }
            }
            assert_eq!(element.apply_parameters(), Ok(()));
        }
    }
}
