//! The project's commands, one file each.
//!
//! Results lie below `target/`. Committed results (pictures and tables of the pages, counts of
//! instructions) are written to their place in the tree. The interface of an element comes from the
//! catalogue in `bristle`, never from the FMU's code.

mod arguments;
mod assurance;
mod capabilities;
mod committed;
mod compare;
mod console;
mod coupling;
mod creep;
mod cvode;
mod dist;
mod documentation;
mod environment;
mod experiments;
mod figures;
mod files;
mod identification;
mod importers;
mod instructions;
mod libraries;
mod package;
mod page;
mod paper_numbers;
mod peers;
mod performance;
mod progress;
mod python_package;
mod random_calls;
mod realtime;
mod reproducibility;
mod signals;
mod site;
mod sizes;
mod stress;
mod test;
mod tools;
mod web;
mod workspace;

use clap::Parser;

/// Bristle: friction force elements as FMI 2.0 units
#[derive(Parser)]
#[command(name = "Bristle", bin_name = "cargo xtask", version)]
enum Command {
    /// Export elements as FMUs: all of them, for this machine, into target/fmu, unless told
    /// otherwise
    Package(package::Options),
    /// Build the libraries that the command `bristle` embeds, into target/libraries
    Libraries(libraries::Options),
    /// Make a release: every FMU for all platforms and the command bristle in target/dist, and
    /// docs/platforms.md
    Dist,
    /// Make the lab, friction laws in the browser, in target/lab
    Web(web::Options),
    /// Make the pages of the project with search, and the lab, in target/site
    Site,
    /// Check everything the project claims, or with --quick its core
    Test(test::Options),
    /// Measure cost and error of FrDyn2 over the tolerance, beside CVODE, and write
    /// docs/performance.md
    Performance,
    /// Measure the worst step of each element at 1 kHz, and write docs/realtime.md
    Realtime(realtime::Options),
    /// Count the instructions of a step and the bytes of the FMUs, and compare them with the
    /// committed figures
    Instructions(instructions::Options),
    /// Compare random steps with independent integrators; the long run writes
    /// docs/internals/stress.md
    Stress(stress::Options),
    /// Make random legal and illegal calls, and compare each with a model of the standard
    RandomCalls(random_calls::Options),
    /// Measure coverage, mutants, guided fuzzing, Miri or sanitizers, each by its own tool
    Assurance(assurance::Options),
    /// Draw pictures and tables of docs/ that take minutes at most, by name
    Figures(figures::Options),
    /// Run every element on every rig, and write cost and error into docs/compare.md
    Compare,
    /// Step bodies in long communication steps, with m_eff and without, and write docs/coupling.md
    Coupling,
    /// Identify synthetic records with the faults of a bench, and write the coverage into
    /// docs/identification.md
    Identification,
    /// Measure the creep of every element under loads that pulsate, and write docs/creep.md and the
    /// table of docs/elements.md
    Creep(creep::Options),
    /// Run the friction of other tools beside Bristle's on the same rigs, and write docs/peers.md
    Peers(peers::Options),
    /// Compare every number of the papers and of the rigs of contacts with the rigs' results, and
    /// write docs/papers.md and docs/internals/rigs.md
    ValidatePaper,
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Package(options) => package::command(&options),
        Command::Libraries(options) => libraries::command(&options),
        Command::Dist => dist::command(),
        Command::Web(options) => web::command(&options),
        Command::Site => site::command(),
        Command::Test(options) => test::command(&options),
        Command::Performance => performance::command(),
        Command::Realtime(options) => realtime::command(&options),
        Command::Instructions(options) => instructions::command(&options),
        Command::Stress(options) => stress::command(&options),
        Command::RandomCalls(options) => random_calls::command(&options),
        Command::Assurance(options) => assurance::command(&options),
        Command::Figures(options) => figures::command(&options),
        Command::Compare => compare::command(),
        Command::Coupling => coupling::command(),
        Command::Identification => identification::command(),
        Command::Creep(options) => creep::command(&options),
        Command::Peers(options) => peers::command(&options),
        Command::ValidatePaper => paper_numbers::command(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn table_of_commands_is_consistent() {
        super::Command::command().debug_assert();
    }
}
