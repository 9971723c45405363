"""A block on a belt with BeltSlider.fmu: the block and its spring are inside, so that no step of the loop makes it chatter.

    python examples/belt_slider.py [--fmu FILE] [--out DIR]

The script runs the same two seconds in steps of 1, 10 and 100 ms, compares the positions, and leaves those of 10 ms.
"""

import arguments
from friction_element import FrictionElement, Refused


def positions(fmu, h, belt=0.1, end=2.0):
    """Position (m) of the block after each step of h (s), on a belt at this velocity (m/s)."""
    inputs = {"F": 0.0, "F_N": 9.81, "x_base": 0.0, "v_base": 0.0, "v_surface": belt}
    with FrictionElement(fmu, coupling="prescribed") as block:  # the base, which rests
        return [block.exchange(step * h, h, inputs, ["x"])[0] for step in range(round(end / h))]


def main():
    given = arguments.with_fmu(arguments.parser(__doc__), arguments.CARDS / "BeltSlider.fmu").parse_args()
    path = arguments.result(given, "belt_slider.csv")
    runs = {h: positions(given.fmu, h) for h in (1e-3, 1e-2, 1e-1)}
    for h, run in runs.items():
        print(f"H = {h:g} s: the block is at {1e3 * run[-1]:.6f} mm")
        if abs(run[-1] - runs[1e-3][-1]) > 1e-8:
            raise Refused(f"H = {h:g} s: the position is off by more than 1e-8 m")
    lines = (f"{(step + 1) * 1e-2:.2f},{x!r}\n" for step, x in enumerate(runs[1e-2]))
    path.write_text("t,x\n" + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
