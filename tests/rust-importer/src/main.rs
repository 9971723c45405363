//! Runs packaged FMUs in the crate `fmi`, as `tests/python/replay.py` runs them in other importers:
//! `bristle-rust-importer FOLDER_OF_FMUS FOLDER_OF_INPUTS [ELEMENT …]`.

use std::error::Error;
use std::path::Path;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common};
use fmi::import;
use fmi::traits::FmiImport;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [fmus, inputs, elements @ ..] = &arguments[..] else {
        return Err("give the folder of the FMUs, the folder of their inputs and the \
                    elements".into());
    };
    for element in elements {
        let table = std::fs::read_to_string(Path::new(inputs).join(format!("{element}.csv")))?;
        replay(element, &Path::new(fmus).join(format!("{element}.fmu")), &table)?;
    }
    Ok(())
}

fn replay(element: &str, fmu: &Path, table: &str) -> Result<(), Box<dyn Error>> {
    let import: Fmi2Import = import::from_path(fmu)?;
    let reference = |name: &str| {
        let mut variables = import.model_description().get_model_variables();
        variables.find(|variable| variable.name == name).map(|variable| variable.value_reference)
    };
    let mut lines = table.lines();
    let names = lines.next().ok_or("the table has no head")?.split(',').skip(1);
    let inputs: Vec<u32> = names.filter_map(reference).collect();
    // The force has the value reference of F_R in its contact.
    let mut forces = import.model_description().get_model_variables().map(|variable| variable.value_reference);
    let output = [forces.find(|reference| reference % 128 == 8).ok_or("the FMU has no force")?];
    let row = |line: &str| line.split(',').map(str::parse).collect::<Result<Vec<f64>, _>>();
    let rows = lines.map(row).collect::<Result<Vec<_>, _>>()?;

    let mut instance = import.instantiate_cs(element, false, true)?;
    instance.setup_experiment(None, 0.0, None)?;
    instance.enter_initialization_mode()?;
    instance.exit_initialization_mode()?;
    for pair in rows.windows(2) {
        let (time, values) = (pair[0][0], &pair[0][1..]);
        instance.set_real(&inputs, values)?;
        instance.do_step(time, pair[1][0] - time, true)?;
        let mut force = [0.0];
        instance.get_real(&output, &mut force)?;
        println!("row {element} {:?}", force[0]);
    }
    instance.terminate()?;
    Ok(())
}
