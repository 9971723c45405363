//! Saved states of elements.

use bristle::assembly::AssemblySnapshot;
use bristle::saved_state::{Reader, SavedState, Writer};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::errors::refused;

/// State of an element at an instant: states, parameters, inputs, integrator. `Element.restore` returns to it, bit for bit, in any
/// element of the same card. It can be pickled.
#[pyclass(module = "bristle", frozen)]
pub struct State {
    pub fingerprint: u128,
    pub snapshot: AssemblySnapshot,
    pub time: f64,
    pub initialized: bool,
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
        let write = |writer: &mut Writer| {
            writer.bytes(&self.fingerprint.to_le_bytes());
            self.time.write(writer);
            self.initialized.write(writer);
            self.snapshot.write(writer);
        };
        let mut measure = Writer::new(&mut []);
        write(&mut measure);
        let mut bytes = vec![0; measure.length()];
        write(&mut Writer::new(&mut bytes));
        PyBytes::new(py, &bytes)
    }

    /// State from its bytes; `InputError` where they are none.
    #[classmethod]
    fn from_bytes(_: &Bound<'_, PyType>, bytes: &[u8]) -> PyResult<Self> {
        let mut reader = Reader::new(bytes);
        let mut read = || {
            let fingerprint = u128::from_le_bytes(reader.bytes()?);
            let (time, initialized) = (f64::read(&mut reader)?, bool::read(&mut reader)?);
            let snapshot = AssemblySnapshot::read(&mut reader)?;
            reader.is_at_end().then_some(State { fingerprint, snapshot, time, initialized })
        };
        read().ok_or_else(|| refused("these bytes are no state of this version of Bristle; save the state again"))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let make = py.get_type::<State>().getattr("from_bytes")?;
        (make, (slf.get().to_bytes(py),)).into_pyobject(py)
    }
}
