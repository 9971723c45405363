//! Elements as Python objects.

use std::ffi::CString;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bristle::variable::{Role, Variable as Declared};
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyTuple};

use crate::card::{Card, resolve};
use crate::errors::{Failure, ModelWarning, refused};
use crate::laws::by_name;
use crate::run::{Mark, Run, Signal, check_times};
use crate::state::State;

/// Steps of a run between two looks at pending signals, as Ctrl-C.
const STEPS_BETWEEN_SIGNALS: usize = 100_000;

/// A friction element: a law with its parameters, states and inputs, advanced step by step. Its
/// numbers are those of the FMU of the same card, bit for bit.
///
/// card: a Card, the name of a law, or the path of a card or an FMU. tolerance: error of F_R
/// relative to F_s, 1e-10 to 1e-3; the card's unless given. parameters: parameters and start values
/// of states by name, in SI units; choices by name, as coupling="parallel".
///
/// >>> element = bristle.Element("LuGre", mu_s=0.15)
/// >>> element.step(1e-3, F_N=10.0, v=0.1)
/// >>> element["z"]
#[pyclass(module = "bristle", frozen)]
pub struct Element {
    run: Mutex<Run>,
}

impl Element {
    fn lock(&self) -> MutexGuard<'_, Run> {
        // A panic leaves numbers, not broken invariants.
        self.run.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Element {
    #[new]
    #[pyo3(signature = (card, /, *, tolerance=None, **parameters))]
    fn new(
        card: &Bound<'_, PyAny>,
        tolerance: Option<f64>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if let Some(tolerance) = tolerance
            && !(tolerance.is_finite() && tolerance > 0.0)
        {
            return Err(refused(format!(
                "tolerance = {tolerance:?} was given where a finite number above 0 is needed"
            )));
        }
        let mut run = Run::new(resolve(card)?, tolerance);
        for (variable, value) in settable(&run, &values(parameters)?)? {
            run.put(&variable, value);
        }
        Ok(Element {
            run: Mutex::new(run),
        })
    }

    /// Card of the element.
    #[getter]
    fn card(&self) -> Card {
        Card {
            variant: self.lock().variant.clone(),
        }
    }

    /// Declarations of all variables by name: unit, meaning, bounds, role.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, self.lock().variant.all())
    }

    /// Time of the element, s: the sum of its steps.
    #[getter]
    fn time(&self) -> f64 {
        self.lock().time
    }

    /// Value of a variable, SI units; a bool for a flag.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let mut run = self.lock();
        let variable = run.find(name)?;
        let value = run.get(&variable)?;
        if variable.role == Role::BooleanOutput {
            return Ok((value != 0.0).into_pyobject(py)?.to_owned().into_any());
        }
        Ok(value.into_pyobject(py)?.into_any())
    }

    /// Sets an input, a parameter, or the start value of a state before the first step.
    fn __setitem__(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let value = Value::of(value)?;
        let mut run = self.lock();
        let value = value.number(&run, name)?;
        Ok(run.set(name, value)?)
    }

    /// Calculates modes and outputs from inputs and start values, at `time` (s). The first step
    /// does so by itself.
    #[pyo3(signature = (time=0.0, **inputs))]
    fn initialize(
        &self,
        py: Python<'_>,
        time: f64,
        inputs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let inputs = values(inputs)?;
        let sentences = {
            let mut run = self.lock();
            let inputs = settable(&run, &inputs)?;
            run.initialize_with(&inputs, time)?;
            mem::take(&mut run.warnings)
        };
        warn(py, sentences)
    }

    /// Advances by h (s, above 0) with inputs held at these values (SI units; those not given
    /// stay), and returns the friction force at the end of the step, N: a float, or a tuple where
    /// the element has several forces.
    #[pyo3(signature = (h, /, **inputs))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        h: f64,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = values(inputs)?;
        let (forces, sentences) = {
            let mut run = self.lock();
            for (name, _) in &inputs {
                run.input(name)?;
            }
            let inputs = settable(&run, &inputs)?;
            run.step(h, &inputs)?;
            let forces = run.forces();
            let forces = forces
                .iter()
                .map(|force| run.get(force))
                .collect::<Result<Vec<_>, _>>()?;
            (forces, mem::take(&mut run.warnings))
        };
        warn(py, sentences)?;
        match forces[..] {
            [force] => Ok(PyFloat::new(py, force).into_any()),
            _ => Ok(PyTuple::new(py, forces)?.into_any()),
        }
    }

    /// Advances along a record and returns a dict of arrays, each as long as `t`: "t" and the
    /// outputs.
    ///
    /// t: times, s, rising; the steps are their differences. inputs: by name, SI units, an array as
    /// long as t or one number. Inputs of t[i] hold over the step from t[i] to t[i+1], as an FMI
    /// master holds them; with interpolate=True they run straight to those of t[i+1]. outputs:
    /// names of variables; states and all outputs that the card shows unless given.
    ///
    /// Outputs of t[i] are those at the end of the step that ends there. An element that has not
    /// stepped yet is initialised at t[0]; one that has goes on from its present state (`reset`
    /// returns to the start). Python's other threads run meanwhile.
    #[pyo3(signature = (t, /, *, outputs=None, interpolate=false, **inputs))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        t: PyArrayLike1<'py, f64, AllowTypeChange>,
        outputs: Option<Vec<String>>,
        interpolate: bool,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let times = t.as_array().to_vec();
        check_times(&times)?;
        let signals = signals(|name| self.lock().input(name), times.len(), "t", inputs)?;
        let mut before = Mark::default();
        let outputs: Vec<Declared> = {
            let run = self.lock();
            run.mark(&mut before);
            match outputs {
                None => run.usual_outputs(),
                Some(names) => names
                    .iter()
                    .map(|name| run.find(name))
                    .collect::<Result<_, _>>()?,
            }
        };
        let mut columns: Vec<Vec<f64>> = outputs
            .iter()
            .map(|_| Vec::with_capacity(times.len()))
            .collect();
        for from in (0..times.len()).step_by(STEPS_BETWEEN_SIGNALS) {
            let to = (from + STEPS_BETWEEN_SIGNALS).min(times.len());
            let done = py.detach(|| -> Result<(), Failure> {
                let signals: Vec<_> = signals
                    .iter()
                    .map(|(input, signal)| (*input, signal.borrow()))
                    .collect();
                self.lock().along(
                    &times,
                    &signals,
                    &outputs,
                    interpolate,
                    [from, to],
                    &mut columns,
                )
            });
            // A refused or interrupted run changes nothing.
            done.map_err(PyErr::from)
                .and_then(|()| py.check_signals())
                .inspect_err(|_| self.lock().return_to(&before))?;
        }
        let sentences = mem::take(&mut self.lock().warnings);
        warn(py, sentences)?;
        let found = PyDict::new(py);
        found.set_item("t", PyArray1::from_vec(py, times))?;
        for (variable, column) in outputs.iter().zip(columns) {
            if variable.role == Role::BooleanOutput {
                let flags: Vec<bool> = column.iter().map(|value| *value != 0.0).collect();
                found.set_item(variable.name, PyArray1::from_vec(py, flags))?;
            } else {
                found.set_item(variable.name, PyArray1::from_vec(py, column))?;
            }
        }
        Ok(found)
    }

    /// Derivatives of a step of h (s, above 0) from the present state, an array of shape (of, by).
    /// The element is not advanced.
    ///
    /// of: names of outputs and states, at the end of the step. by: names of parameters, inputs and
    /// states, at its start. inputs: as of `step`; SI units.
    ///
    /// They are central differences of the step at the tightest tolerance: about 1e-6 of the
    /// derivative where the law is smooth, and the mean of both sides at a kink. At a bound
    /// they are differences to the allowed side.
    #[pyo3(signature = (h, /, of, by, **inputs))]
    fn step_gradient<'py>(
        &self,
        py: Python<'py>,
        h: f64,
        of: Vec<String>,
        by: Vec<String>,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inputs = values(inputs)?;
        let run = self.lock();
        for (name, _) in &inputs {
            run.input(name)?;
        }
        let inputs = settable(&run, &inputs)?;
        let shape = [of.len(), by.len()];
        let (of, by) = (run.unknowns(&of)?, run.knowns(&by)?);
        let gradient = run.step_gradient(h, &inputs, &of, &by)?;
        PyArray1::from_vec(py, gradient).reshape(shape)
    }

    /// Present state, for `restore`.
    fn state(&self) -> State {
        let run = self.lock();
        let (snapshot, fingerprint) = (run.snapshot(), run.variant.fingerprint);
        State {
            fingerprint,
            snapshot,
            time: run.time,
            initialized: run.initialized,
        }
    }

    /// Returns to a state of an element of the same card.
    fn restore(&self, state: &State) -> PyResult<()> {
        let mut run = self.lock();
        if state.fingerprint != run.variant.fingerprint {
            return Err(refused(
                "the state belongs to an element of another card; restore a state of this one",
            ));
        }
        if !run.variant.can_have(&state.snapshot) {
            return Err(refused(
                "the state holds values that no state of this card can have; restore one that was \
                 saved",
            ));
        }
        run.restore(&state.snapshot, state.time, state.initialized);
        Ok(())
    }

    /// Returns to the start: states and energy at their start values, time 0; parameters stay as
    /// they were set.
    fn reset(&self) {
        self.lock().reset();
    }

    fn __repr__(&self) -> String {
        let run = self.lock();
        format!(
            "<element {} of {} at {:?} s>",
            run.variant.name(),
            run.variant.metadata().name,
            run.time
        )
    }
}

/// An input that owns its values.
pub enum Owned {
    Constant(f64),
    Samples(Vec<f64>),
}

impl Owned {
    pub fn borrow(&self) -> Signal<'_> {
        match self {
            Owned::Constant(value) => Signal::Constant(*value),
            Owned::Samples(values) => Signal::Samples(values),
        }
    }
}

/// Variables with a number, or with an array as long as `whole`, which has `count` values.
pub fn signals(
    variable: impl Fn(&str) -> Result<Declared, Failure>,
    count: usize,
    whole: &str,
    given: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<(Declared, Owned)>> {
    let mut signals = Vec::new();
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        let variable = variable(&name)?;
        if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
            signals.push((variable, Owned::Constant(value.extract()?)));
            continue;
        }
        let samples = match value.extract::<PyArrayLike1<f64, AllowTypeChange>>() {
            Ok(samples) => samples.as_array().to_vec(),
            Err(_) => match value.extract::<f64>() {
                Ok(constant) => {
                    signals.push((variable, Owned::Constant(constant)));
                    continue;
                }
                Err(_) => {
                    return Err(PyTypeError::new_err(format!(
                        "{name} has to be a number or a one-dimensional array"
                    )));
                }
            },
        };
        if samples.len() != count {
            let samples = samples.len();
            return Err(refused(format!(
                "{name} has {samples} values and {whole} has {count}; they have to be as many"
            )));
        }
        if let Some(i) = samples.iter().position(|value| !value.is_finite()) {
            let value = samples[i];
            return Err(refused(format!(
                "{name}[{i}] = {value:?} was given where a finite number is needed"
            )));
        }
        signals.push((variable, Owned::Samples(samples)));
    }
    Ok(signals)
}

/// Value of a variable as Python gives it. It is converted before an element is locked: the
/// conversion may run Python code, and with it another thread that waits for the element.
enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    fn of(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        value
            .extract()
            .map(Value::Number)
            .or_else(|error| value.extract().map(Value::Text).map_err(|_| error))
    }

    /// Number of the variable of this name, which may be a choice.
    fn number(&self, run: &Run, name: &str) -> PyResult<f64> {
        match self {
            Value::Number(number) => Ok(*number),
            Value::Text(text) => Ok(run.choice(name, text)?),
        }
    }
}

fn values(given: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Value)>> {
    given
        .into_iter()
        .flatten()
        .map(|(name, value)| Ok((name.extract()?, Value::of(&value)?)))
        .collect()
}

/// The variables of these names, which may be set to these values now.
fn settable(run: &Run, values: &[(String, Value)]) -> PyResult<Vec<(Declared, f64)>> {
    let checked = values.iter().map(|(name, value)| {
        let value = value.number(run, name)?;
        Ok((run.settable(name, value)?, value))
    });
    checked.collect()
}

/// Hands warnings on to Python, whose code may use the element: it is not locked.
pub fn warn(py: Python<'_>, sentences: Vec<String>) -> PyResult<()> {
    for sentence in sentences {
        let sentence = CString::new(sentence).unwrap_or_default();
        PyErr::warn(py, &py.get_type::<ModelWarning>(), &sentence, 1)?;
    }
    Ok(())
}
