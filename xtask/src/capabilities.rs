//! The table of the FMUs' capability flags in `docs/elements.md`.

use bristle::catalogue::interface::{CAPABILITIES, Capability, Interface};

use crate::page;

/// The claims as a table of the page, between its markers.
pub fn markdown() -> String {
    let mut table =
        "| | Model Exchange | Co-Simulation | what you get |\n|---|---|---|---|\n".to_owned();
    for Capability {
        attribute,
        value,
        interfaces,
        meaning,
        ..
    } in &CAPABILITIES
    {
        let [exchange, simulation] =
            [Interface::ModelExchange, Interface::CoSimulation].map(|interface| {
                if interfaces.contains(&interface) {
                    value
                } else {
                    ""
                }
            });
        table += &format!("| `{attribute}` | {exchange} | {simulation} | {meaning} |\n");
    }
    page::section("capabilities", &table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_table_of_capabilities() {
        let page =
            std::fs::read_to_string(crate::workspace::root().join("docs/elements.md")).unwrap();
        assert!(
            page.contains(&markdown()),
            "`cargo xtask figures` brings the table of docs/elements.md up to date"
        );
    }

    #[test]
    fn each_capability_names_an_existing_test() {
        for flag in &CAPABILITIES {
            let (file, test) = flag.test.split_once("::").unwrap_or((flag.test, ""));
            let path = crate::workspace::root().join(format!("tests/tests/{file}.rs"));
            let source = std::fs::read_to_string(&path)
                .unwrap_or_else(|_| panic!("{}: no {file}", flag.attribute));
            assert!(
                source.contains(&format!("fn {test}")),
                "{}: no {test} in {file}",
                flag.attribute
            );
        }
    }
}
