//! Many elements of one card as a Python object.

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bristle::variable::{Role, Variable};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::card::{Card, resolve};
use crate::element::{signals, warn};
use crate::errors::{Failure, refused};
use crate::run::{Run, Signal};
use crate::threads::on_threads;

/// Elements that a thread takes at a time: enough for its lock to cost nothing.
const CHUNK: usize = 64;

/// A sentence with the place of its element.
type Warning = (usize, String);

/// Many independent elements of one card, advanced together on several threads. Each has the
/// numbers of an `Element` alone, bit for bit, for any number of threads.
///
/// card: a Card, the name of a law, or the path of a card or an FMU. count: number of elements.
/// threads: number of threads, 0 for one per processor. parameters: as of an `Element`; a number
/// for all or an array with one for each.
///
/// >>> batch = bristle.Batch("LuGre", 1000, mu_s=np.linspace(0.4, 0.6, 1000))
/// >>> batch.step(1e-3, F_N=10.0, v=np.full(1000, 0.1))
/// >>> batch["z"]
#[pyclass(module = "bristle", frozen)]
pub struct Batch {
    runs: Mutex<Vec<Run>>,
    card: Card,
    count: usize,
    threads: usize,
}

impl Batch {
    fn lock(&self) -> MutexGuard<'_, Vec<Run>> {
        // A panic leaves numbers, not broken invariants.
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances all elements; returns their forces with the warnings by element, or the first
    /// refusal.
    fn advance(
        &self,
        h: f64,
        inputs: &[(Variable, Signal)],
    ) -> Result<(Vec<f64>, Vec<Warning>), Failure> {
        let mut runs = self.lock();
        let forces = runs[0].forces();
        let mut values = vec![f64::NAN; runs.len() * forces.len()];
        let (warned, failed) = (Mutex::default(), Mutex::default());
        let one = |i: usize, run: &mut Run, values: &mut [f64]| -> Result<(), Failure> {
            run.step_at(h, inputs, i)?;
            for (value, force) in values.iter_mut().zip(&forces) {
                *value = run.get(force)?;
            }
            Ok(())
        };
        let chunks = runs.chunks_mut(CHUNK);
        let work = chunks
            .zip(values.chunks_mut(CHUNK * forces.len()))
            .enumerate();
        on_threads(self.threads, work, |(chunk, (runs, values))| {
            let places = values.chunks_mut(forces.len());
            for (k, (run, values)) in runs.iter_mut().zip(places).enumerate() {
                let i = chunk * CHUNK + k;
                if let Err(failure) = one(i, run, values) {
                    push(&failed, (i, failure));
                }
                for sentence in mem::take(&mut run.warnings) {
                    push(&warned, (i, sentence));
                }
            }
        });
        let first = sorted(failed).into_iter().next();
        match first {
            Some((i, failure)) => Err(failure.at(|| format!("element {i}"))),
            None => Ok((values, sorted(warned))),
        }
    }
}

fn push<T>(list: &Mutex<Vec<T>>, item: T) {
    list.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(item);
}

/// By element.
fn sorted<T>(list: Mutex<Vec<(usize, T)>>) -> Vec<(usize, T)> {
    let mut list = list.into_inner().unwrap_or_else(PoisonError::into_inner);
    list.sort_by_key(|(i, _)| *i);
    list
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (card, count, /, *, threads=0, **parameters))]
    fn new(
        py: Python<'_>,
        card: &Bound<'_, PyAny>,
        count: usize,
        threads: usize,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        if count == 0 {
            return Err(refused(
                "a batch of 0 elements was asked for; give at least 1",
            ));
        }
        let variant = resolve(card)?;
        let first = Run::new(variant.clone(), None);
        let (mut choices, numbers) = (Vec::new(), PyDict::new(py));
        for (name, value) in parameters.into_iter().flatten() {
            if let Ok(text) = value.extract::<String>() {
                let name: String = name.extract()?;
                choices.push((first.find(&name)?, first.choice(&name, &text)?));
            } else {
                numbers.set_item(name, value)?;
            }
        }
        let numbers = signals(|name| first.find(name), count, "the batch", Some(&numbers))?;
        let one = |i: usize| -> Result<Run, Failure> {
            let mut run = Run::new(variant.clone(), None);
            for (variable, value) in &choices {
                run.set(variable.name, *value)?;
            }
            for (variable, values) in &numbers {
                run.set(variable.name, values.borrow().at(i))?;
            }
            Ok(run)
        };
        let runs = (0..count)
            .map(|i| one(i).map_err(|failure| failure.at(|| format!("element {i}"))))
            .collect::<Result<_, _>>()?;
        Ok(Batch {
            runs: Mutex::new(runs),
            card: Card { variant },
            count,
            threads,
        })
    }

    /// Card of the elements.
    #[getter]
    fn card(&self) -> Card {
        Card {
            variant: self.card.variant.clone(),
        }
    }

    fn __len__(&self) -> usize {
        self.count
    }

    /// Values of a variable, an array with one for each element; SI units.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let mut runs = self.lock();
        let variable = runs[0].find(name)?;
        let values = runs.iter_mut().map(|run| run.get(&variable));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        if variable.role == Role::BooleanOutput {
            let flags = values.into_iter().map(|value| value != 0.0).collect();
            return Ok(PyArray1::<bool>::from_vec(py, flags).into_any());
        }
        Ok(PyArray1::from_vec(py, values).into_any())
    }

    /// Advances all elements by h (s, above 0) with inputs held at these values (SI units, a number
    /// for all or an array with one for each; those not given stay), and returns the friction
    /// forces, N: an array with one for each, or of shape (count, forces) where an element has
    /// several.
    ///
    /// Where an element refuses its step it stays, the others are advanced, and the error names
    /// it. Of the warnings of a step the first is handed on. Python's other threads run meanwhile.
    #[pyo3(signature = (h, /, **inputs))]
    fn step<'py>(
        &self,
        py: Python<'py>,
        h: f64,
        inputs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let inputs = signals(
            |name| self.lock()[0].input(name),
            self.count,
            "the batch",
            inputs,
        )?;
        let (forces, warned) = py.detach(|| {
            let inputs: Vec<_> = inputs
                .iter()
                .map(|(input, values)| (*input, values.borrow()))
                .collect();
            self.advance(h, &inputs)
        })?;
        if let Some((i, sentence)) = warned.first() {
            let others = match warned.len() {
                1 => String::new(),
                count => format!(" ({count} warnings in this step)"),
            };
            warn(py, vec![format!("element {i}: {sentence}{others}")])?;
        }
        let columns = forces.len() / self.count;
        let forces = PyArray1::from_vec(py, forces);
        if columns == 1 {
            return Ok(forces.into_any());
        }
        Ok(forces.reshape([self.count, columns])?.into_any())
    }

    /// Returns all elements to the start; parameters stay as they were set.
    fn reset(&self) {
        self.lock().iter_mut().for_each(Run::reset);
    }

    fn __repr__(&self) -> String {
        let name = self.card.variant.name();
        format!("<{} elements {name}>", self.count)
    }
}
