//! Numbers of cards with their units.

use super::super::{read, write};
use bristle::catalogue::{ELEMENTS, Variant};

fn card(text: &str) -> Result<Variant, String> {
    read(text, &ELEMENTS).map_err(|faults| {
        faults
            .iter()
            .map(|fault| format!("{}: {fault}\n", fault.line))
            .collect()
    })
}

#[test]
fn numbers_with_units_make_the_element_of_their_si_values() {
    for (with_units, in_si) in [
        (
            "law = \"LuGre\"\n[parameters]\nsigma_0 = { value = 12000, unit = \"N/mm\" \
             }\nv_Stribeck = \"5 mm/s\"\nmu_s = \"60 %\"\n",
            "law = \"LuGre\"\n[parameters]\nsigma_0 = 12000000\nv_Stribeck = 0.005\nmu_s = 0.6\n",
        ),
        (
            "law = \"LuGre\"\n[parameters]\nsigma_0 = \"12 kN/mm\"\nsigma_2 = \"0.5N.s/mm\"\n",
            "law = \"LuGre\"\n[parameters]\nsigma_0 = 1.2e7\nsigma_2 = 500\n",
        ),
        (
            "law = \"LuGre\"\n[parameters]\nsigma_0 = { value = 12, min = 1, max = 50, unit = \
             \"kN/mm\" }\n",
            "law = \"LuGre\"\n[parameters]\nsigma_0 = { value = 1.2e7, min = 1e6, max = 5e7 }\n",
        ),
        (
            "law = \"LuGre\"\n[direction]\nsigma_2_forward = \"1 N.s/mm\"\nsigma_2_backward = \
             2\n[coupling]\nm_eff = \"350 g\"\n",
            "law = \"LuGre\"\n[direction]\nsigma_2_forward = 1000\nsigma_2_backward = \
             2\n[coupling]\nm_eff = 0.35\n",
        ),
        (
            "law = \"LuGre\"\nmotion = \"rotational\"\nradius = \"40 mm\"\n[parameters]\nM_offset \
             = \"20 N.mm\"\n[coupling]\n\
             J_eff = { value = 3, unit = \"kg.cm2\" }\n[experiment]\nstop_time = \"2 \
             min\"\nstep_size = \"5 ms\"\n",
            "law = \"LuGre\"\nmotion = \"rotational\"\nradius = 0.04\n[parameters]\nM_offset = \
             0.02\n[coupling]\nJ_eff = 3e-4\n\
             [experiment]\nstop_time = 120\nstep_size = 0.005\n",
        ),
        (
            "law = \"LuGre\"\n[block]\nmass = \"1.5 t\"\nstiffness = \"2 N/mm\"\ndamping = { \
             value = 3, unit = \"kg/s\" }\n",
            "law = \"LuGre\"\n[block]\nmass = 1500\nstiffness = 2000\ndamping = 3\n",
        ),
        (
            "law = \"LuGre\"\nnormal_force = \"2 N\"\n[characteristic]\npoints = [[\"50 mm/s\", \
             \"42 %\"], [1, 0.4]]\n",
            "law = \"LuGre\"\nnormal_force = 2\n[characteristic]\npoints = [[0.05, 0.42], [1, \
             0.4]]\n",
        ),
    ] {
        let text = format!("name = \"Own\"\n{with_units}");
        let found = card(&text).unwrap_or_else(|faults| panic!("{text}\n{faults}"));
        let expected = card(&format!("name = \"Own\"\n{in_si}"))
            .unwrap_or_else(|faults| panic!("{in_si}\n{faults}"));
        assert_eq!(
            (write(&found), found.guid()),
            (write(&expected), expected.guid()),
            "{text}"
        );
    }
}

#[test]
fn unit_of_another_quantity_or_none_is_refused() {
    for (line, part) in [
        (
            "sigma_0 = \"12 kN\"",
            "4: parameters.sigma_0: found the unit kN, a force, expected a stiffness, in N/m",
        ),
        (
            "sigma_0 = { value = 12, unit = \"kN\" }",
            "4: parameters.sigma_0.unit: found the unit kN, a force, expected",
        ),
        (
            "sigma_0 = \"12 Mm\"",
            "found the unknown unit \"Mm\", expected a stiffness in N/m",
        ),
        (
            "sigma_0 = \"12,5 kN/mm\"",
            "found 12,5 with a decimal comma, expected a decimal point: 12.5",
        ),
        ("sigma_0 = \"12\"", "found \"12\", expected a finite number"),
        (
            "sigma_0 = \"stiff\"",
            "found \"stiff\", expected a finite number",
        ),
        (
            "sigma_0 = \"1.2.3 N/m\"",
            "found \"1.2.3 N/m\", expected a number with a unit, as \"12 kN/mm\"",
        ),
        (
            "sigma_0 = { value = 12, units = \"kN\" }",
            "parameters.sigma_0.units: found an unknown key, expected `value`, `min`, `max` or \
             `unit`",
        ),
        (
            "sigma_0 = \"-1 kN/mm\"",
            "found \"-1 kN/mm\", which is -1000000.0 N/m, expected ",
        ),
        (
            "v_Stribeck = { value = 1, unit = \"deg/s\" }",
            "found the unit deg/s, an angular velocity, expected a velocity",
        ),
    ] {
        let refusal = card(&format!(
            "name = \"Own\"\nlaw = \"LuGre\"\n[parameters]\n{line}\n"
        ))
        .map(|_| ())
        .unwrap_err();
        assert!(refusal.contains(part), "{line}: {refusal}");
    }
}

#[test]
fn units_of_the_fmu_come_back_and_leave_the_numbers_of_the_card() {
    let text = "name = \"Pad\"\nlaw = \"LuGre\"\n[parameters]\nsigma_0 = 2e6\n[units]\nlength = \"mm\"\n\
                angle = \"deg\"\nforce = \"kN\"\nv = \"m/min\"\n";
    let element = card(text).unwrap();
    let units = [
        "F_N",
        "v",
        "F_R",
        "sigma_0",
        "v_Stribeck",
        "E_loss",
        "m_eff",
        "mu_s",
    ]
    .map(|name| element.find(name).unwrap().unit_name());
    assert_eq!(
        units,
        ["kN", "m/min", "kN", "kN/mm", "mm/s", "kN.mm", "kg", "1"]
    );
    let again = card(&write(&element)).unwrap();
    assert_eq!(
        (again.card(), again.guid()),
        (element.card(), element.guid())
    );
    // The law has the numbers of SI.
    let stiffness = element.find("sigma_0").unwrap();
    assert_eq!(element.instantiate().value(stiffness.reference), 2e6);
    assert_eq!(stiffness.start, Some(2.0));
    let si =
        card("name = \"Pad\"\nlaw = \"LuGre\"\n[units]\nlength = \"m\"\nforce = \"N\"\n").unwrap();
    assert_eq!(
        si.guid(),
        card("name = \"Pad\"\nlaw = \"LuGre\"\n").unwrap().guid()
    );
}

#[test]
fn each_unit_is_defined_once() {
    let joint = card(
        "name = \"Joint\"\nlaw = \"LuGre\"\nmotion = \"rotational\"\n[parameters]\nM_s = \
         1.0\n[units]\nlength = \"mm\"\n",
    )
    .unwrap();
    let names = ["M_R", "E_loss"].map(|name| joint.find(name).unwrap().unit_name());
    assert_eq!(names, ["N.mm"; 2]);
    let defined = crate::description::units(joint.variables()).filter(|(name, ..)| *name == "N.mm");
    assert_eq!(defined.count(), 1);
}

#[test]
fn faulty_units_of_the_fmu_are_refused() {
    for (line, part) in [
        (
            "length = \"kN\"",
            "found the unit kN, a force, expected a length",
        ),
        (
            "speed = \"mm/s\"",
            "found no such quantity or variable, expected `length`, `angle` or `force`",
        ),
        ("v = 3.0", "expected a text in quotation marks"),
        ("mu_s = \"%\"", "found a variable without a unit"),
        ("angle = \"turns\"", "turns"),
        ("omega = \"rpm\"", "found no such quantity or variable"),
    ] {
        let text = format!("name = \"Pad\"\nlaw = \"LuGre\"\n[units]\n{line}\n");
        let faults = card(&text).map(|_| ()).unwrap_err();
        assert!(faults.contains(part), "{line}: {faults}");
    }
}
