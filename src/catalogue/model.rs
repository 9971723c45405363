//! Model: all that an FMU's description, documentation and library derive from, made of a law at
//! compile time.

use super::Variant;
use super::fingerprint::{fingerprint, with_form};
use crate::coupling;
use crate::element::{
    AnyElement, Element, F_OFFSET, INNER_STEPS_MAX, INPUTS, OUTPUTS, PLANAR_INPUTS, PLANAR_OUTPUTS,
};
use crate::law::{A, F_T, Law, LawMetadata, MAX_EVENTS, MAX_STATES, MeasuredForm, NORMAL_FORCE};
use crate::variable::{BACKWARD, Role, SLOTS, Variable};

/// A law as an element with a name: its metadata, every variable by its reference, and the
/// constructor of instances.
///
/// A model is a constant. One of the catalogue comes from [`find`](super::find), one of another
/// crate's law from [`Model::of`]; exporter and C interface take either.
///
/// ```
/// use bristle::catalogue::Model;
/// use bristle::element::{F_N, F_R, V};
/// use bristle::laws::dahl::Dahl;
///
/// static DAHL: Model = Model::of::<Dahl, 1>();
///
/// let mut element = DAHL.instantiate();
/// element.set(&F_N, 10.0);
/// element.set(&V, 0.1);
/// element.advance(1.0)?;
/// assert!(element.values()[&F_R] > 0.0);
/// # Ok::<(), bristle::integrate::SolverError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Model {
    /// Name, equations, variables and source of its law.
    pub metadata: &'static LawMetadata,
    by_reference: [Option<&'static Variable>; SLOTS],
    make: fn() -> Box<dyn AnyElement>,
    /// Description of the law with a measured characteristic.
    pub measured: &'static MeasuredForm,
    /// Form of the law for contacts in the plane, where it has one.
    pub planar: Option<&'static Model>,
    /// Form of the law with a body inside, where it is another one.
    pub inside: Option<&'static Model>,
    /// Hash of everything that the law's declaration says, its defaults included; a card adds its
    /// own.
    pub fingerprint: u128,
}

impl Model {
    /// The model of a law with `N` continuous states.
    ///
    /// It does not compile where the law's declaration contradicts itself: two variables share a
    /// reference, a reference lies outside the range of its role, states and rates differ in
    /// number, there are too many states or events, or an input is neither [`A`] nor [`F_T`].
    pub const fn of<L: Law<N>, const N: usize>() -> Model {
        assert!(
            N <= MAX_STATES,
            "a law has no more states than there is room for"
        );
        assert!(
            L::METADATA.states.len() == N,
            "a law declares as many states as it has"
        );
        assert!(
            L::METADATA.structure.rates.len() == N,
            "a law declares what each rate depends on"
        );
        assert!(
            L::METADATA.events.len() <= MAX_EVENTS,
            "a law has no more events than there is room for"
        );
        let mut i = 0;
        while i < L::METADATA.inputs.len() {
            let reference = L::METADATA.inputs[i].reference;
            assert!(
                reference == A.reference || reference == F_T.reference,
                "a law's inputs besides F_N and v are A and F_T"
            );
            i += 1;
        }
        check_parameters(L::METADATA);
        let by_reference = gather(L::METADATA, N > 0);
        Model {
            metadata: L::METADATA,
            by_reference,
            make: || Box::new(Element::<L, N>::new()),
            measured: L::METADATA.measured,
            planar: None,
            inside: None,
            fingerprint: fingerprint(L::METADATA, &by_reference),
        }
    }

    /// The model with a form for contacts in the plane.
    pub const fn with_planar(self, planar: &'static Model) -> Model {
        Model {
            planar: Some(planar),
            fingerprint: with_form(self.fingerprint, planar.fingerprint),
            ..self
        }
    }

    /// The model with a form of its own where a body is inside.
    pub const fn with_inside(self, inside: &'static Model) -> Model {
        Model {
            inside: Some(inside),
            fingerprint: with_form(self.fingerprint, inside.fingerprint),
            ..self
        }
    }

    /// Every variable: inputs, outputs, states with their derivatives, modes, parameters.
    pub fn variables(&self) -> impl Iterator<Item = &'static Variable> + '_ {
        self.by_reference.iter().copied().flatten()
    }

    /// The variable with this reference.
    #[inline]
    pub fn variable(&self, reference: u32) -> Option<&'static Variable> {
        self.by_reference.get(reference as usize).copied().flatten()
    }

    /// The element of the law's own name and defaults.
    pub fn stock(&'static self) -> Variant {
        Variant::stock(self)
    }

    /// A new element with its start values.
    pub fn instantiate(&self) -> Box<dyn AnyElement> {
        (self.make)()
    }
}

/// Refuses to compile where a parameter has the reference of the offset, of the nominal normal
/// force or of a value for v < 0, or where one by direction is none of the law.
const fn check_parameters(metadata: &'static LawMetadata) {
    let mut i = 0;
    while i < metadata.parameters.len() {
        let reference = metadata.parameters[i].reference;
        assert!(
            reference != F_OFFSET.reference,
            "the reference of the offset is free"
        );
        assert!(
            reference != NORMAL_FORCE.reference,
            "the reference of the nominal normal force is free"
        );
        i += 1;
    }
    i = 0;
    while i < metadata.directed.len() {
        let [forward, backward] = [
            metadata.directed[i][0].reference,
            metadata.directed[i][1].reference,
        ];
        assert!(
            backward == forward + BACKWARD && backward < F_OFFSET.reference,
            "both come from `by_direction`"
        );
        let (mut j, mut is_there) = (0, false);
        while j < metadata.parameters.len() {
            is_there |= metadata.parameters[j].reference == forward;
            assert!(
                metadata.parameters[j].reference != backward,
                "the reference of a value for v < 0 is free"
            );
            j += 1;
        }
        assert!(is_there, "a parameter by direction is one of the law");
        i += 1;
    }
}

/// All variables of a law by their reference; refuses to compile where two share one or one is out
/// of its range.
const fn gather(
    metadata: &'static LawMetadata,
    integrated: bool,
) -> [Option<&'static Variable>; SLOTS] {
    let mut table = [None; SLOTS];
    place_all(
        &mut table,
        if metadata.planar {
            &PLANAR_INPUTS
        } else {
            &INPUTS
        },
    );
    place_all(
        &mut table,
        if metadata.planar {
            &PLANAR_OUTPUTS
        } else {
            &OUTPUTS
        },
    );
    let mut i = 0;
    while i < metadata.states.len() {
        place(&mut table, &metadata.states[i].0);
        place(&mut table, &metadata.states[i].1);
        i += 1;
    }
    place_all(&mut table, metadata.inputs);
    place_all(&mut table, metadata.modes);
    place_all(&mut table, metadata.parameters);
    if integrated {
        place(&mut table, &INNER_STEPS_MAX);
    }
    if metadata.is_coupled() {
        place_all(&mut table, &coupling::PARAMETERS);
        place_all(&mut table, &coupling::OUTPUTS);
    } else {
        place(&mut table, &coupling::COUPLING_WITHOUT_OBSERVER);
    }
    table
}

const fn place_all(table: &mut [Option<&'static Variable>; SLOTS], variables: &'static [Variable]) {
    let mut i = 0;
    while i < variables.len() {
        place(table, &variables[i]);
        i += 1;
    }
}

const fn place(table: &mut [Option<&'static Variable>; SLOTS], variable: &'static Variable) {
    let in_range = match variable.role {
        Role::Input => variable.reference < 8,
        Role::Output | Role::BooleanOutput => {
            8 <= variable.reference && variable.reference < 16
                || 64 <= variable.reference && variable.reference < 72
        }
        Role::State | Role::Derivative { .. } => {
            16 <= variable.reference && variable.reference < 28
        }
        Role::DiscreteState { .. } => 28 <= variable.reference && variable.reference < 32,
        Role::Parameter | Role::Choice(_) => {
            Variable::is_parameter_slot(variable.reference as usize)
        }
    };
    assert!(
        in_range,
        "a variable's reference lies in the range of its role"
    );
    let slot = &mut table[variable.reference as usize];
    assert!(slot.is_none(), "no two variables share a reference");
    *slot = Some(variable);
}
