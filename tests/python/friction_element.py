"""Checks examples/friction_element.py: types of values, the inputs a and F_t, contacts of every motion, one sentence for each mistake.

    python friction_element.py EXAMPLES FMUS CARDS
"""

import subprocess
import sys
from pathlib import Path

examples, fmus, cards = (Path(argument) for argument in sys.argv[1:])
sys.path.insert(0, str(examples))
from friction_element import FrictionElement, Refused  # noqa: E402  (after the path to it)

FRDYN2 = fmus / "FrDyn2.fmu"


def values_have_the_type_of_their_variable():
    for given, expected in [("parallel", 2), (2, 2), ("2", 2), ("serial", 1), (3.0, 3)]:
        with FrictionElement(FRDYN2, coupling=given, m_eff="1.5", mu_s=1) as element:
            assert element.get("coupling") == expected, given
            assert element.get("m_eff") == 1.5 and element.get("mu_s") == 1.0
            assert element.get("sticking") in (True, False)
            element.set("coupling", "prescribed")
            assert element.get("coupling") == 3


def applied_force_and_acceleration_reach_the_law():
    with FrictionElement(fmus / "Coulomb.fmu") as element:
        # At rest, Coulomb's friction balances the applied force.
        assert element.step(0.0, 1e-3, 10.0, 0.0, F_t=0.5) == 0.5
        assert element.step(1e-3, 1e-3, 10.0, 0.0) == 0.0
    forces = []
    for a in (-1.0, 1.0):
        with FrictionElement(fmus / "Stefanski2003.fmu") as element:
            forces.append(element.step(0.0, 1e-3, 10.0, 0.1, a=a))
    assert forces[0] != forces[1], forces
    # A law without these inputs does as it does without the arguments.
    with FrictionElement(FRDYN2) as one, FrictionElement(FRDYN2) as other:
        assert one.step(0.0, 1e-3, 10.0, 0.1, a=1.0, F_t=5.0) == other.step(0.0, 1e-3, 10.0, 0.1)


def contacts_of_every_motion_give_their_forces():
    with FrictionElement(cards / "RevoluteJoint.fmu") as joint:
        # Full sliding: M_R = r mu_d F_N.
        assert abs(joint.step(0.0, 1.0, 100.0, 2.0) - 0.04 * 0.12 * 100.0) < 1e-6
    with FrictionElement(cards / "Slider.fmu") as slider:
        force = slider.exchange(0.0, 1.0, {"F_N": 10.0, "v_x": 0.3, "v_y": 0.4}, ["F_R_x", "F_R_y"])
        assert abs(force[0] - 1.8) < 1e-5 and abs(force[1] - 2.4) < 1e-5, force
    with FrictionElement(cards / "Plate.fmu") as plate:
        inputs = {"v_x": 0.0, "v_y": 0.0, "omega": 2.0, **{f"F_N[{i}]": 10.0 for i in range(1, 5)}}
        (torque,) = plate.exchange(0.0, 1.0, inputs, ["M_R"])
        # Four points on a ring: M_R = mu_d F_N R.
        assert abs(torque - 0.3 * 40.0 * (0.1**2 + 0.05**2) ** 0.5) < 1e-5, torque
    with FrictionElement(cards / "Wheels.fmu") as wheels:
        inputs = {"front_left.F_N": 10.0, "front_left.v": 10.0}
        forces = wheels.exchange(0.0, 1.0, inputs, ["front_left.F_R", "rear_right.F_R"])
        assert forces[0] > 3.9 and forces[1] == 0.0, forces


def mistakes_are_one_sentence():
    mistakes = [
        (FRDYN2, {"mu_z": 0.5}, "FrDyn2 has no variable mu_z; did you mean mu_s?"),
        (FRDYN2, {"mu_s": "many"}, "mu_s of FrDyn2 is a number, not 'many'"),
        (FRDYN2, {"coupling": "paralel"}, "one of serial, parallel, prescribed, unspecified, not 'paralel'; did you mean parallel?"),
        (FRDYN2, {"coupling": 5}, "one of serial, parallel, prescribed, unspecified or its number from 1, not 5"),
        (FRDYN2, {"coupling": 1.5}, "one of serial, parallel, prescribed, unspecified, not 1.5"),
        (FRDYN2, {"mu_s": -1}, "FrDyn2: fmi2SetReal: mu_s = -1"),
        (FRDYN2, {"F_R": 1}, "FrDyn2: fmi2SetReal: F_R"),
        (FRDYN2, {"v_s": 1, "v_d": 0.1}, "FrDyn2: fmi2ExitInitializationMode: v_d"),
        (fmus / "FrDyn3.fmu", {}, "FrDyn3.fmu does not exist; did you mean FrDyn2.fmu?"),
        (Path(__file__), {}, "is no FMU: "),
    ]
    for fmu, parameters, part in mistakes:
        try:
            FrictionElement(fmu, **parameters)
        except Refused as refused:
            assert part in str(refused) and "\n" not in str(refused), refused
        else:
            raise AssertionError(f"{parameters} was not refused")
    with FrictionElement(FRDYN2) as element:
        for arguments in [(0.0, 1e-3, float("nan"), 0.0), (0.0, -1e-3, 1.0, 0.0), (0.0, 1e-3, 1.0, None), (None, 1, 1, 1)]:
            try:
                element.step(*arguments)
            except ValueError as refused:
                assert "\n" not in str(refused), refused
            else:
                raise AssertionError(f"{arguments} was not refused")
        assert element.step(0.0, 1e-3, 10.0, 0.1) > 0.0
    with FrictionElement(cards / "Plate.fmu") as plate:
        for call, part in [
            (lambda: plate.step(0.0, 1e-3, 10.0, 0.1), "Plate is no single contact along a line or about an axis; use exchange"),
            (lambda: plate.exchange(0.0, 1e-3, {"v": 0.1}, ["M_R"]), "Plate has no variable v"),
        ]:
            try:
                call()
            except ValueError as refused:
                assert part in str(refused) and "\n" not in str(refused), refused
            else:
                raise AssertionError(f"not refused: {part}")


def scripts_end_with_one_sentence():
    for script, arguments in [
        ("friction_loop.py", ["FrDyn3"]),
        ("friction_loop.py", ["FrDyn2", "mu_z=0.5"]),
        ("friction_loop.py", ["FrDyn2", "mu_s=many"]),
        ("friction_loop.py", ["FrDyn2", "mu_s"]),
        ("friction_loop.py", ["FrDyn2", "--frequency", "many"]),
        ("friction_loop.py", ["FrDyn2", "--frequency", "0"]),
        ("friction_loop.py", ["FrDyn2", "--out", __file__]),
        ("body_on_friction.py", ["--fmu", "nowhere.fmu"]),
        ("body_on_friction.py", ["--fmu", __file__]),
    ]:
        command = [sys.executable, "-B", str(examples / script), "--fmus", str(fmus), *arguments]
        if script != "friction_loop.py":
            command[3:5] = []
        ended = subprocess.run(command, capture_output=True, text=True)
        assert ended.returncode == 1, (command, ended)
        assert ended.stdout == "" and len(ended.stderr.splitlines()) == 1, (command, ended.stderr)


for check in (
    values_have_the_type_of_their_variable,
    applied_force_and_acceleration_reach_the_law,
    contacts_of_every_motion_give_their_forces,
    mistakes_are_one_sentence,
    scripts_end_with_one_sentence,
):
    check()
    print(f"{check.__name__.replace('_', ' ')}: holds")
