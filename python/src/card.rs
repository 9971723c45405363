//! Element cards as Python objects. A card is made from TOML text in every case, so that Python has
//! all of its keys and checks.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bristle::catalogue::{self, Card as CardData, ELEMENTS, Variant};
use bristle::variable::Role;
use bristle_export::{card, names};
use pyo3::exceptions::{PyFileNotFoundError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyType};

use crate::errors::{CardError, InputError, refused};
use crate::files::refuse_existing;
use crate::laws::by_name;

/// Element card: a law with the numbers, names and variables of an element of one's own.
///
/// Card("LuGre") is the stock element, Card("rail.toml") that of a file. Further keys are those of
/// a card in TOML (docs/cards.md), in SI units: name, description, normal_force, parameters (a
/// dict), inputs, fixed, outputs (a list, or "all"), coupling, experiment.
///
/// >>> pad = bristle.Card("FrDyn2Linear", name="FrontPad", parameters={"mu_s": 0.42, "mu_d": 0.31},
/// inputs=["mu_s"])
///
/// A wrong card raises CardError with a line for each fault.
#[pyclass(module = "bristle", frozen)]
pub struct Card {
    pub variant: Arc<Variant>,
}

impl Card {
    pub fn of(variant: Variant) -> Self {
        Card {
            variant: Arc::new(variant),
        }
    }

    fn parse(text: &str, file: &str) -> PyResult<Self> {
        let variant = card::read(text, &ELEMENTS);
        variant
            .map(Card::of)
            .map_err(|faults| CardError::new_err(card::list(file, &faults).to_string()))
    }

    fn read(path: &Path) -> PyResult<Self> {
        if path.extension().is_some_and(|extension| extension == "fmu") {
            let name = path.display().to_string();
            let text =
                bristle_cli::card_of_fmu(path).map_err(|error| refused(format!("{error:#}")))?;
            return Card::parse(&text, &name);
        }
        let text = fs::read_to_string(path).map_err(|error| {
            let sentence = format!("{} cannot be read: {error}", path.display());
            if path.exists() {
                refused(sentence)
            } else {
                PyFileNotFoundError::new_err(sentence)
            }
        })?;
        let variant = card::read_text(&text, path, &ELEMENTS);
        variant
            .map(Card::of)
            .map_err(|faults| CardError::new_err(faults.to_string()))
    }
}

#[pymethods]
impl Card {
    #[new]
    #[pyo3(signature = (law, /, **keys))]
    fn new(law: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        if names_a_file(law) {
            let has_keys = keys.is_some_and(|keys| !keys.is_empty());
            let sentence = format!(
                "{law} is a file, which has its keys; change them with `replace`, or give a law"
            );
            return if has_keys {
                Err(InputError::new_err(sentence))
            } else {
                Card::read(Path::new(law))
            };
        }
        let mut text = format!("law = {}\n", quoted(law));
        let is_named = keys.is_some_and(|keys| keys.contains("name").unwrap_or(false));
        if !is_named {
            text += &format!("name = {}\n", quoted(law));
        }
        for (key, value) in keys.into_iter().flatten() {
            let key: String = key.extract()?;
            text += &format!("{key} = {}\n", toml(&value)?);
        }
        card::read(&text, &ELEMENTS)
            .map(Card::of)
            .map_err(|faults| {
                let lines: Vec<_> = faults.iter().map(ToString::to_string).collect();
                CardError::new_err(lines.join("\n"))
            })
    }

    /// Card from a file in TOML, or from an FMU of Bristle.
    #[classmethod]
    fn from_file(_: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        Card::read(&path)
    }

    /// Card from text in TOML.
    #[classmethod]
    fn from_text(_: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Card::parse(text, "card")
    }

    /// Name of the element.
    #[getter]
    fn name(&self) -> &str {
        self.variant.name()
    }

    /// Description of the element.
    #[getter]
    fn description(&self) -> &str {
        self.variant.description()
    }

    /// Name of the law.
    #[getter]
    fn law(&self) -> &'static str {
        self.variant.metadata().name
    }

    /// GUID of FMUs of this card.
    #[getter]
    fn guid(&self) -> String {
        self.variant.guid()
    }

    /// The card in TOML, with every parameter, its unit, bound and meaning.
    #[getter]
    fn text(&self) -> String {
        card::write(&self.variant)
    }

    /// Start values of all parameters by name, SI units; choices by the names of their values.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        let mut variables: Vec<_> = self
            .variant
            .all()
            .filter(|variable| self.variant.card().has_parameter(variable))
            .collect();
        variables.sort_by_key(|variable| variable.reference);
        for variable in variables {
            let start = variable.start.unwrap_or(0.0);
            match variable.role {
                Role::Choice(choices) => {
                    found.set_item(
                        variable.name,
                        choices.get(start as usize - 1).map(|(name, _)| *name),
                    )?;
                }
                _ => found.set_item(variable.name, start)?,
            }
        }
        Ok(found)
    }

    /// Variables of the FMU by name, as the card shows them.
    #[getter]
    fn variables<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        by_name(py, self.variant.variables())
    }

    /// Derived quantities at the card's normal force: rows of name, value, unit and meaning.
    fn meanings(&self) -> Vec<(String, f64, &'static str, String)> {
        let rows = bristle_export::meanings(&self.variant).into_iter();
        rows.map(|row| (row.name, row.value, row.unit, row.meaning))
            .collect()
    }

    /// Remarks on values outside those of published contacts, one sentence each, with the likely
    /// mistake.
    fn remarks(&self) -> Vec<String> {
        bristle_export::remarks(&self.variant)
    }

    /// Card with other start values of parameters (SI units) and, if given, another name and
    /// description.
    #[pyo3(signature = (*, name=None, description=None, **parameters))]
    fn replace(
        &self,
        name: Option<String>,
        description: Option<String>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut card: CardData = self.variant.card().clone();
        card.name = name.unwrap_or(card.name);
        card.description = description.unwrap_or(card.description);
        let known = || {
            self.variant
                .all()
                .filter(|variable| self.variant.card().has_parameter(variable))
        };
        for (key, value) in parameters.into_iter().flatten() {
            let key: String = key.extract()?;
            let variable = known().find(|variable| variable.name == key);
            let variable = variable.ok_or_else(|| {
                let names = known().map(|variable| variable.name);
                refused(format!(
                    "{} has no parameter `{key}`{}",
                    self.law(),
                    names::question(&key, names)
                ))
            })?;
            let number = match (variable.role, value.extract::<String>()) {
                (Role::Choice(choices), Ok(value)) => {
                    let place = choices.iter().position(|(known, _)| *known == value);
                    place.map_or(f64::NAN, |place| place as f64 + 1.0)
                }
                _ => value.extract()?,
            };
            variable.check(number).map_err(refused)?;
            card.parameters.entry(variable.reference).or_default().start =
                Some(variable.to_si(number));
        }
        Variant::new(self.variant.law, card)
            .map(Card::of)
            .map_err(|error| CardError::new_err(error.sentence))
    }

    /// Writes the card as a file in TOML. A file that exists is replaced with `force` only.
    #[pyo3(signature = (path, force = false))]
    fn save(&self, path: PathBuf, force: bool) -> PyResult<()> {
        refuse_existing(path.clone(), force)?;
        bristle_export::files::write(&path, self.text()).map_err(refused)
    }

    fn __repr__(&self) -> String {
        format!("<card {} of {}>", self.name(), self.law())
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.variant.fingerprint == other.variant.fingerprint && self.name() == other.name()
    }

    fn __hash__(&self) -> u64 {
        self.variant.fingerprint as u64
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((
            slf.py().get_type::<Card>().getattr("from_text")?,
            (slf.get().text(),),
        ))
    }
}

/// Element of a card, of a law's name, or of the path of a card or an FMU.
pub fn resolve(card: &Bound<'_, PyAny>) -> PyResult<Arc<Variant>> {
    if let Ok(card) = card.cast::<Card>() {
        return Ok(card.get().variant.clone());
    }
    if let Ok(name) = card.extract::<String>() {
        if let Some(model) = catalogue::find(&name) {
            return Ok(Arc::new(model.stock()));
        }
        if !names_a_file(&name) {
            let known = ELEMENTS.iter().map(|model| model.metadata.name);
            return Err(InputError::new_err(format!(
                "there is no law `{name}`{}",
                names::question(&name, known)
            )));
        }
    }
    let path: PathBuf = card.extract().map_err(|_| {
        let found = card
            .get_type()
            .name()
            .map_or_else(|_| "this".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "a Card, the name of a law or the path of a card is needed, not {found}"
        ))
    })?;
    Card::read(&path).map(|card| card.variant)
}

/// Whether a text names the file of a card or an FMU, and no law.
fn names_a_file(text: &str) -> bool {
    text.ends_with(".toml") || text.ends_with(".fmu")
}

/// Python value in TOML.
fn toml(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(truth.is_true().to_string());
    }
    if let Ok(text) = value.extract::<String>() {
        return Ok(quoted(&text));
    }
    if let Ok(table) = value.cast::<PyDict>() {
        let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok(format!(
                "{} = {}",
                quoted(&key.extract::<String>()?),
                toml(&value)?
            ))
        };
        let entries = table.iter().map(entry).collect::<PyResult<Vec<_>>>()?;
        return Ok(format!("{{ {} }}", entries.join(", ")));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(number.to_string());
    }
    if let Ok(number) = value.extract::<f64>() {
        return Ok(format!("{number:?}").to_lowercase());
    }
    let items = value
        .try_iter()?
        .map(|item| toml(&item?))
        .collect::<PyResult<Vec<_>>>()?;
    Ok(format!("[{}]", items.join(", ")))
}

/// Text in TOML's quotation marks.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04x}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
