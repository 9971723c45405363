//! The command as its users run it. Exports need libraries inside: `cargo xtask test` builds the
//! program with this machine's.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, io};

const CARD: &str = "name = \"Pad\"\nlaw = \"LuGre\"\n[parameters]\nmu_s = 0.3\nmu_d = 0.2\n";

fn bristle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bristle"));
    command.current_dir(folder).stdin(Stdio::null());
    command
}

fn run(folder: &Path, line: &str) -> Output {
    bristle(folder).args(line.split(' ')).output().unwrap()
}

fn printed(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(
        output.status.success(),
        "{line}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

fn refused(folder: &Path, line: &str) -> String {
    let output = run(folder, line);
    assert!(!output.status.success(), "{line}");
    String::from_utf8(output.stderr).unwrap()
}

/// Folder with a card, and whether the program has libraries.
fn folder() -> (tempfile::TempDir, bool) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("pad.toml"), CARD).unwrap();
    let without = "was built without libraries";
    let has_libraries =
        !String::from_utf8_lossy(&run(folder.path(), "export pad.toml").stderr).contains(without);
    let _ = fs::remove_file(folder.path().join("Pad.fmu"));
    (folder, has_libraries)
}

#[test]
fn new_card_is_accepted_as_it_is() {
    let (folder, _) = folder();
    let folder = folder.path();
    assert!(printed(folder, "list").contains("FrDyn2Linear"));
    printed(folder, "new FrDyn2Linear --out own.toml");
    assert!(
        printed(folder, "check own.toml pad.toml")
            .contains("own.toml: FrDyn2Linear, FrDyn2Linear, 21 variables")
    );
    assert!(refused(folder, "new Dahl --out own.toml").contains("own.toml exists already"));
    assert!(printed(folder, "new Dahl").contains("law = \"Dahl\""));
}

#[test]
fn measured_contacts_are_listed_and_written_and_each_says_where_it_is_from() {
    let (folder, _) = folder();
    let folder = folder.path();
    let measured = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cards/measured");
    let mut paths: Vec<_> = fs::read_dir(&measured)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let list = printed(folder, "list --measured");
    assert_eq!(list.lines().count(), 2 * paths.len());
    for path in &paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(list.contains(name), "{name}");
        assert_eq!(
            printed(folder, &format!("new --from {name}")),
            fs::read_to_string(path).unwrap()
        );
        printed(folder, &format!("check --measured {}", path.display()));
    }
    assert!(refused(folder, "new --from MX46_M2").contains("did you mean `MX64_M2`?"));
    let unsaid = refused(folder, "check --measured pad.toml");
    assert!(
        unsaid.contains("`# Source: …`, `# Measured: …`"),
        "{unsaid}"
    );
    let one = fs::read_to_string(&paths[0]).unwrap();
    fs::write(folder.join("other.toml"), one).unwrap();
    assert!(refused(folder, "check --measured other.toml").contains("one name"));
}

#[test]
fn faults_of_all_cards_are_named_with_file_and_line() {
    let (folder, _) = folder();
    let folder = folder.path();
    fs::write(folder.join("one.toml"), CARD.replace("mu_s", "mu_z")).unwrap();
    fs::write(folder.join("two.toml"), "name = \"2\"\nlaw = \"LuGer\"\n").unwrap();
    let text = refused(folder, "check one.toml missing.toml two.toml");
    for part in [
        "one.toml:4: parameters.mu_z: found no such parameter of LuGre",
        "did you mean `mu_s`?",
        "missing.toml cannot be read",
        "two.toml:1: name: found \"2\"",
        "two.toml:2: law: found \"LuGer\"",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn export_and_show_give_the_card_back() {
    let (folder, has_libraries) = folder();
    let folder = folder.path();
    if !has_libraries {
        return;
    }
    printed(folder, "export pad.toml --out fmus/deep");
    let card = printed(folder, "show fmus/deep/Pad.fmu");
    assert!(
        card.contains("mu_s = 0.3") && card.contains("law = \"LuGre\""),
        "{card}"
    );
    fs::write(folder.join("again.toml"), &card).unwrap();
    printed(folder, "export again.toml --out again");
    let [first, again] =
        ["fmus/deep/Pad.fmu", "again/Pad.fmu"].map(|path| fs::read(folder.join(path)).unwrap());
    assert!(first == again.clone());

    let set = printed(folder, "show again/Pad.fmu --ssv").replace("\"0.3\"", "\"0.35\"");
    fs::write(folder.join("wet.ssv"), set).unwrap();
    printed(folder, "export pad.toml --set wet.ssv --out wet");
    assert!(printed(folder, "show wet/Pad.fmu").contains("mu_s = 0.35"));
    fs::write(
        folder.join("rill.toml"),
        "name = \"Rill\"\nlaw = \"FrDyn2Linear\"\n",
    )
    .unwrap();
    let parameter = |name: &str, value: &str, unit: &str| {
        format!(
            "<ssv:Parameter name=\"{name}\"><ssv:Real value=\"{value}\" \
             unit=\"{unit}\"/></ssv:Parameter>"
        )
    };
    let inner = parameter("v_s", "1.5", "mm/s")
        + &parameter("v_d", "12", "mm/s")
        + &parameter("sigma_0", "5000", "N/mm");
    let set =
        format!("<ssv:ParameterSet><ssv:Parameters>{inner}</ssv:Parameters></ssv:ParameterSet>");
    fs::write(folder.join("mm.ssv"), &set).unwrap();
    printed(folder, "export rill.toml --set mm.ssv --out mm");
    let card = printed(folder, "show mm/Rill.fmu");
    for part in ["v_s = 0.0015 ", "v_d = 0.012 ", "sigma_0 = 5000000.0 "] {
        assert!(card.contains(part), "{part} in {card}");
    }
    fs::write(
        folder.join("mm.ssv"),
        set.replace("Real value=\"1.5\"", "String value=\"1.5\""),
    )
    .unwrap();
    assert!(refused(folder, "export rill.toml --set mm.ssv").contains("mm.ssv: `v_s` is a String"));
    assert!(refused(folder, "export pad.toml --set pad.toml").contains("this is no parameter set"));
    assert!(refused(folder, "show pad.toml").contains("is no FMU"));
}

#[test]
fn export_with_sources_has_no_libraries_unless_platforms_are_named() {
    let (folder, _) = folder();
    let folder = folder.path();
    let said = run(folder, "export pad.toml --sources");
    let refusal = String::from_utf8_lossy(&said.stderr).into_owned();
    if refusal.contains("without C sources") {
        assert!(refusal.contains("run `cargo xtask libraries --sources`"));
        assert!(!folder.join("Pad.fmu").exists());
        assert!(std::env::var_os("BRISTLE_SOURCES").is_none(), "{refusal}");
        return;
    }
    assert!(said.status.success(), "{refusal}");
    assert_eq!(
        String::from_utf8_lossy(&said.stdout),
        "./Pad.fmu for compilers of C\n"
    );
    let fmu = fs::File::open(folder.join("Pad.fmu")).unwrap();
    let fmu = zip::ZipArchive::new(fmu).unwrap();
    let names: Vec<_> = fmu
        .file_names()
        .map(|name| name.unwrap().into_owned())
        .collect();
    assert!(
        names.iter().any(|name| name == "sources/fmi2.c"),
        "{names:?}"
    );
    assert!(
        !names.iter().any(|name| name.starts_with("binaries")),
        "{names:?}"
    );
    assert!(printed(folder, "show Pad.fmu").contains("mu_s = 0.3"));
    // A law that the program has no source of.
    fs::write(folder.join("dahl.toml"), "name = \"Own\"\nlaw = \"Dahl\"\n").unwrap();
    let said = run(folder, "export dahl.toml --sources");
    let refusal = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(
        said.status.success() || refusal.contains("no C source of the law Dahl"),
        "{refusal}"
    );
}

#[test]
fn two_exports_at_once_into_one_folder_leave_whole_files() {
    let (folder, has_libraries) = folder();
    let folder = folder.path();
    if !has_libraries {
        return;
    }
    fs::write(folder.join("other.toml"), CARD.replace("Pad", "Other")).unwrap();
    let start = || {
        let mut command = bristle(folder);
        command
            .args(["export", "pad.toml", "other.toml", "--out", "out"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    printed(folder, "export pad.toml other.toml --out alone");
    let names = |name: &str| -> Vec<PathBuf> {
        let entries: io::Result<Vec<_>> = fs::read_dir(folder.join(name)).unwrap().collect();
        let mut names: Vec<_> = entries
            .unwrap()
            .into_iter()
            .map(|entry| entry.file_name().into())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("out"), names("alone"));
    for name in names("out") {
        assert!(
            fs::read(folder.join("out").join(&name)).unwrap()
                == fs::read(folder.join("alone").join(&name)).unwrap()
        );
    }
}

#[test]
fn cards_of_one_name_are_refused_before_anything_is_written() {
    let (folder, _) = folder();
    let folder = folder.path();
    fs::write(folder.join("twin.toml"), CARD).unwrap();
    assert!(
        refused(folder, "export pad.toml twin.toml --out out").contains("have the same name, Pad")
    );
    assert!(!folder.join("out").exists());
}

#[test]
fn plot_is_a_picture_and_completions_name_the_commands() {
    let (folder, _) = folder();
    let folder = folder.path();
    printed(folder, "plot pad.toml --normal-force 50");
    let picture = fs::read_to_string(folder.join("Pad.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("Answer to a step"));
    printed(folder, "plot pad.toml --png --out pictures");
    assert!(
        fs::read(folder.join("pictures/Pad.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    assert!(refused(folder, "plot pad.toml --normal-force -1").contains("no normal force"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(
            printed(folder, &format!("completions {shell}")).contains("export"),
            "{shell}"
        );
    }
}

#[test]
fn files_of_the_user_are_replaced_with_force_only() {
    let (folder, has_libraries) = folder();
    let folder = folder.path();
    let curve = "v,mu\n0.1,0.4\n0.2,0.3\n";
    fs::write(folder.join("r.csv"), curve).unwrap();
    fs::write(folder.join("Pad.svg"), "drawn by hand").unwrap();
    fs::write(folder.join("Pad.fmu"), "of another tool").unwrap();
    fs::write(
        folder.join("upper.toml"),
        CARD.replace("\"Pad\"", "\"PAD\""),
    )
    .unwrap();
    let content = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let card = content("pad.toml");
    // The card last: the others read it.
    let commands = [
        ("curve r.csv -o r.csv", "r.csv"),
        ("plot pad.toml", "Pad.svg"),
        ("export pad.toml", "Pad.fmu"),
        ("new LuGre --out pad.toml", "pad.toml"),
    ];
    for (command, file) in &commands {
        let refusal = refused(folder, command);
        assert!(
            refusal.contains(&format!(
                "{file} exists already; give another name, or `--force` to replace it"
            )),
            "{refusal}"
        );
    }
    assert_eq!(
        ["r.csv", "pad.toml", "Pad.svg", "Pad.fmu"].map(content),
        [curve, &card, "drawn by hand", "of another tool"]
    );
    // Of two files none is written where one may not be.
    assert!(
        refused(folder, "curve r.csv -o r.csv --plot curve.svg").contains("r.csv exists already")
    );
    assert!(!folder.join("curve.svg").exists());
    for (command, file) in [
        ("curve r.csv -o R.csv", "R.csv differs from r.csv"),
        ("new LuGre --out PAD.toml", "PAD.toml differs from pad.toml"),
    ] {
        for force in ["", " --force"] {
            let refusal = refused(folder, &format!("{command}{force}"));
            assert!(
                refusal.contains(&format!("{file} in capital letters only")),
                "{refusal}"
            );
        }
    }
    for command in ["plot", "export"] {
        let refusal = refused(folder, &format!("{command} pad.toml upper.toml --out out"));
        assert!(refusal.contains("have the same name, PAD"), "{refusal}");
    }
    for (command, _) in commands
        .iter()
        .filter(|(command, _)| has_libraries || !command.starts_with("export"))
    {
        printed(folder, &format!("{command} --force"));
    }
    assert!(content("r.csv").starts_with("v (m/s),mu") && content("Pad.svg").starts_with("<svg"));
    assert!(content("pad.toml").contains("law = \"LuGre\"") && content("pad.toml") != card);
    if has_libraries {
        // An FMU of Bristle is made again.
        fs::write(folder.join("pad.toml"), CARD).unwrap();
        printed(folder, "export pad.toml");
    }
}

#[test]
fn curve_says_what_it_made_of_a_file_and_writes_it_in_si_units() {
    let (folder, _) = folder();
    let folder = folder.path();
    let latin = "Prüfstand 7\r\nt;v (mm/s);F (N);\r\n0;1,5;16,0;\r\n1;50;12,72;\r\n"
        .chars()
        .map(|c| c as u8);
    fs::write(folder.join("rig.csv"), latin.collect::<Vec<_>>()).unwrap();
    let text = printed(folder, "curve rig.csv --normal-force 40 -o pad.csv");
    for part in [
        "rig.csv: Latin-1, semicolons between the columns, decimal comma, 2 rows, 1 line before \
         the header skipped",
        "rig.csv: speed `v` in mm/s, times 0.001 to m/s",
        "rig.csv: friction `F` in N, over the normal force 40.0 N",
        "pad.csv: 2 points",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let clean = fs::read_to_string(folder.join("pad.csv")).unwrap();
    assert_eq!(clean, "v (m/s),mu\n0.0015,0.4\n0.05,0.318\n");
    assert!(printed(folder, "curve rig.csv --normal-force 40 --columns v,F").ends_with(&clean));
    assert!(printed(folder, "curve rig.csv --normal-force 40 --columns 2,3").ends_with(&clean));
    assert!(
        refused(folder, "curve rig.csv")
            .contains("rig.csv:2: found `F` as a force, expected a normal force")
    );
    assert!(refused(folder, "curve rig.csv --columns v").contains("`v` names no two columns"));
    assert!(refused(folder, "curve rig.csv --radius 0").contains("`0` is no number above 0"));

    fs::write(
        folder.join("ram.csv"),
        "v;F\n-0.2;-12000\n-0.1;-11000\n0.1;27000\n0.2;32000\n",
    )
    .unwrap();
    let kept = printed(folder, "curve ram.csv --normal-force 1000");
    assert!(
        kept.ends_with("v (m/s),mu\n-0.2,12.0\n-0.1,11.0\n0.1,27.0\n0.2,32.0\n"),
        "{kept}"
    );
    let mean = printed(
        folder,
        "curve ram.csv --normal-force 1000 --directions mean",
    );
    assert!(mean.ends_with("v (m/s),mu\n0.1,19.0\n0.2,22.0\n"), "{mean}");

    fs::write(
        folder.join("pad.toml"),
        "name = \"Pad\"\nlaw = \"FrDyn2Linear\"\nnormal_force = 40\n[characteristic]\nfile = \
         \"rig.csv\"\n",
    )
    .unwrap();
    let checked = printed(folder, "check pad.toml");
    assert!(
        checked.contains("  rig.csv: speed `v` in mm/s, times 0.001 to m/s"),
        "{checked}"
    );
    // The numbers with their meanings at the normal force of the card.
    for row in [
        "F_N                 40 N ",
        "F_s/sigma_0",
        "H, parallel     0.2129 ms",
        "F_N, largest",
    ] {
        assert!(checked.contains(row), "{row}: {checked}");
    }
    assert!(!checked.contains("remark"), "{checked}");
    fs::write(
        folder.join("joint.toml"),
        "name = \"Joint\"\nlaw = \"Dahl\"\nmotion = \"rotational\"\nradius = 40\n",
    )
    .unwrap();
    let heavy = printed(folder, "new FrDyn2 --normal-force 1000");
    assert!(
        heavy.contains("normal_force = 1000.0  #")
            && heavy.contains("sigma_0 = 500000000.0  # N/m"),
        "{heavy}"
    );
    assert!(
        refused(folder, "new FrDyn2 --normal-force 0").contains("normal_force = 0.0 N was given")
    );
    let checked = printed(folder, "check joint.toml");
    assert!(
        checked.contains("  remark: radius = 40 m, usual are 0.00005 to 5 m"),
        "{checked}"
    );
}

#[test]
fn noisy_sweep_is_smoothed_said_and_drawn() {
    let (folder, _) = folder();
    let folder = folder.path();
    let mut rows = "v (m/s),mu\n".to_owned();
    for i in 1..=2001_u32 {
        let (v, noise) = (5e-4 * f64::from(i), f64::from(i * 7919 % 13) / 6.0 - 1.0);
        rows += &format!("{v},{}\n", (0.3 + 0.02 * v) * (1.0 + 0.01 * noise));
    }
    fs::write(folder.join("rig.csv"), rows).unwrap();
    let text = printed(folder, "curve rig.csv -o pad.csv --plot pad.svg");
    assert!(
        text.contains("smoothed to ") && text.contains("residual 0.00"),
        "{text}"
    );
    let picture = fs::read_to_string(folder.join("pad.svg")).unwrap();
    assert!(
        picture.contains("2001 rows")
            && picture.contains("bins")
            && picture.contains("residual 0.00")
    );
    let points = |name: &str| {
        fs::read_to_string(folder.join(name))
            .unwrap()
            .lines()
            .count()
            - 1
    };
    assert!(points("pad.csv") < 50, "{} points", points("pad.csv"));
    let kept = printed(
        folder,
        "curve rig.csv -o noise.csv --smooth never --plot noise.png",
    );
    assert!(
        kept.contains("the curve follows a noise of 0.00")
            && kept.contains("; `bristle curve` smooths it")
            && points("noise.csv") > 200,
        "{kept}"
    );
    assert!(
        fs::read(folder.join("noise.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
    assert!(
        refused(folder, "curve rig.csv --smooth some")
            .contains("`some` is no way to smooth; give `auto`")
    );
}

/// The task of docs/contacts.md with the text of that page and of docs/joints.md: their cards, and
/// the measured curve of `cards/`.
#[test]
fn cards_of_the_page_of_contacts_are_exported_as_it_says() {
    let (folder, has_libraries) = folder();
    let folder = folder.path();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let pages = ["joints", "contacts"].map(|page| root.join(format!("docs/{page}.md")));
    let page = pages.map(|page| fs::read_to_string(page).unwrap()).concat();
    fs::copy(root.join("cards/pad.csv"), folder.join("pad.csv")).unwrap();
    let mut names = Vec::new();
    for block in page.split("```toml\n").skip(1) {
        let (card, _) = block.split_once("```").unwrap();
        let (_, name) = card.split_once("name = \"").unwrap();
        let name = name.split('"').next().unwrap();
        fs::write(folder.join(format!("{}.toml", name.to_lowercase())), card).unwrap();
        names.push(name.to_owned());
    }
    assert_eq!(
        names,
        [
            "RevoluteJoint",
            "TorqueJoint",
            "WormGear",
            "PinJoint",
            "Slider",
            "Plate",
            "Wheels",
            "Block",
            "PlateOnItsBody",
            "MeasuredPad",
            "Joint",
            "Feet"
        ]
    );
    let files: Vec<_> = names
        .iter()
        .map(|name| format!("{}.toml", name.to_lowercase()))
        .collect();
    printed(folder, &format!("check {}", files.join(" ")));
    // `cargo xtask test` builds the program with libraries.
    if !has_libraries {
        return;
    }
    printed(folder, "export joint.toml feet.toml --out fmus");
    for name in ["Joint", "Feet"] {
        let card = printed(folder, &format!("show fmus/{name}.fmu"));
        fs::write(folder.join("again.toml"), card).unwrap();
        printed(folder, "export again.toml --out again");
        let [first, again] = ["fmus", "again"]
            .map(|out| fs::read(folder.join(format!("{out}/{name}.fmu"))).unwrap());
        assert!(first == again, "{name} comes back as another element");
    }
}

/// Tables of the Modelica library become cards by one command, as text or as a file.
#[test]
fn tables_of_a_modelica_model_become_cards() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(
        folder.join("gear.mo"),
        "lossTable = [0, 0.8, 0.8, 1, 1; 1, 0.7, 0.7, 2, 2]\n",
    )
    .unwrap();
    printed(folder, "curve gear.mo -o Gear.toml");
    let card = fs::read_to_string(folder.join("Gear.toml")).unwrap();
    assert!(card.contains("[1.0, 0.7, 0.7, 2.0, 2.0]"), "{card}");
    fs::write(folder.join("brake.mo"), "mue_pos={{0,0.5},{10,0.4}}").unwrap();
    let card = printed(folder, "curve brake.mo --radius 0.1");
    assert!(
        card.contains("radius = 0.1") && card.contains("[1.0, 0.4]"),
        "{card}"
    );
    printed(folder, "curve brake.mo --radius 0.1 -o Brake.toml");
    printed(folder, "check Gear.toml Brake.toml");
    fs::write(folder.join("bearing.mo"), "tau_pos = [0, friction]").unwrap();
    assert!(refused(folder, "curve bearing.mo").contains("expressions are not evaluated"));
    fs::write(folder.join("bearing.mo"), "tau_pos = [0, 1]").unwrap();
    assert!(refused(folder, "curve bearing.mo --radius 0.1").contains("leave it out"));
    assert!(refused(folder, "curve gear.mo -o gear.csv").contains("losses of a gear"));
}

/// An FMU passes its own experiments, and a tool with the other sign is told so.
#[test]
fn results_of_a_tool_are_judged() {
    let (folder, has_libraries) = folder();
    let folder = folder.path();
    if !has_libraries {
        return;
    }
    printed(folder, "new LuGre --out lugre.toml");
    printed(folder, "export lugre.toml --out fmus");
    let said = printed(folder, "verify fmus/LuGre.fmu");
    assert!(said.lines().count() == 3 && said.lines().all(|line| line.contains(": passes, ")));
    printed(folder, "verify fmus/LuGre.fmu --write experiments");
    let sine = fs::read_to_string(folder.join("experiments/sine.csv")).unwrap();
    let mut result = "time,F_R (kN)\n".to_owned();
    for line in sine.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        let force: f64 = cells.last().unwrap().parse().unwrap();
        result += &format!("{},{:?}\n", cells[0], -1e-3 * force);
    }
    fs::write(folder.join("result.csv"), &result).unwrap();
    let said = refused(folder, "verify fmus/LuGre.fmu sine result.csv");
    assert!(said.contains("the result has the other sign"), "{said}");
    assert!(refused(folder, "verify fmus/LuGre.fmu sin result.csv").contains("none of the"));
    assert!(refused(folder, "verify fmus/LuGre.fmu push result.csv").contains("no column `v`"));
    fs::write(folder.join("short.csv"), "time,F_R\n0,0\n0.1,1\n").unwrap();
    assert!(refused(folder, "verify fmus/LuGre.fmu sine short.csv").contains("to rise to 0.4 s"));
}
