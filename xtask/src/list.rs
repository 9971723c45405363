//! `cargo xtask list`: the elements of the catalogue, a line of facts and the source each.

use bristle::catalogue::ELEMENTS;
use bristle::variable::Role;

pub fn command() -> anyhow::Result<()> {
    println!("{:<20} {:<28} {:<16} inputs", "element", "kind", "states");
    for entry in &ELEMENTS {
        let names = |role: Role| {
            let names: Vec<_> = entry.variables().filter(|v| v.role == role).map(|v| v.name).collect();
            if names.is_empty() { "-".to_owned() } else { names.join(", ") }
        };
        let declaration = entry.declaration;
        println!("{:<20} {:<28} {:<16} {}", declaration.name, declaration.kind, names(Role::State), names(Role::Input));
        println!("    {}; {}", declaration.source, declaration.place);
    }
    Ok(())
}
