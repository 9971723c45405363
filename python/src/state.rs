//! Saved states of elements.

use bristle::assembly::AssemblySnapshot;
use bristle::saved_state::{Reader, SavedState, Writer, seal, unseal};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::errors::refused;

/// State of an element at an instant: states, parameters, inputs, integrator. `Element.restore`
/// returns to it, bit for bit, in any element of the same card. It can be pickled.
#[pyclass(module = "bristle", frozen)]
pub struct State {
    pub fingerprint: u128,
    pub snapshot: AssemblySnapshot,
    pub time: f64,
    pub initialized: bool,
}

impl SavedState for State {
    fn write(&self, writer: &mut Writer) {
        let State {
            fingerprint,
            snapshot,
            time,
            initialized,
        } = self;
        writer.bytes(&fingerprint.to_le_bytes());
        time.write(writer);
        initialized.write(writer);
        snapshot.write(writer);
    }

    fn read(reader: &mut Reader) -> Option<Self> {
        let fingerprint = u128::from_le_bytes(reader.bytes()?);
        let (time, initialized) = (SavedState::read(reader)?, SavedState::read(reader)?);
        let snapshot = SavedState::read(reader)?;
        reader.is_at_end().then_some(State {
            fingerprint,
            snapshot,
            time,
            initialized,
        })
    }
}

#[pymethods]
impl State {
    /// Time of the state, s.
    #[getter]
    fn time(&self) -> f64 {
        self.time
    }

    /// The state as bytes, which `State.from_bytes` reads in any process and on any platform.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &seal(self))
    }

    /// State from its bytes; `InputError` where they are none, or were altered. `Element.restore`
    /// checks that it is one of its card.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Self> {
        let impossible = || "the state holds values that no state can have".to_owned();
        let state =
            unseal(bytes).and_then(|mut reader| State::read(&mut reader).ok_or_else(impossible));
        state.map_err(|why| {
            refused(format!(
                "{why}; pass the unchanged bytes that State.to_bytes wrote"
            ))
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let make = py.get_type::<State>().getattr("from_bytes")?;
        (make, (slf.get().to_bytes(py),)).into_pyobject(py)
    }
}
