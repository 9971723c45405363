"""Batches of elements, and derivatives of a step."""

from __future__ import annotations

import numpy as np
import pytest

import bristle

H = 1e-3


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_batch_has_the_bits_of_single_elements(threads: int) -> None:
    count = 150
    mu, v = np.linspace(0.3, 0.6, count), np.linspace(-2e-3, 2e-3, count)
    batch = bristle.Batch("FrDyn2", count, threads=threads, mu_s=mu, mu_d=0.2, coupling="prescribed")
    elements = [bristle.Element("FrDyn2", mu_s=one, mu_d=0.2, coupling="prescribed") for one in mu]
    for i in range(5):
        forces = batch.step(H, F_N=10.0 + i, v=v)
        assert np.array_equal(forces, [element.step(H, F_N=10.0 + i, v=one) for element, one in zip(elements, v)])
    assert np.array_equal(batch["z"], [element["z"] for element in elements])
    assert batch["sticking"].dtype == bool
    assert len(batch) == count
    batch.reset()
    assert not batch["z"].any()


def test_batch_of_a_plane_has_columns() -> None:
    planar = bristle.Card("LuGre", motion="planar", coupling={"order": "prescribed"})
    forces = bristle.Batch(planar, 3).step(H, F_N=10.0, v_x=0.1, v_y=[0.0, 0.1, 0.2])
    assert forces.shape == (3, 2)
    assert forces[1] == pytest.approx(bristle.Element(planar).step(H, F_N=10.0, v_x=0.1, v_y=0.1), abs=0)


def test_refusals_name_the_element_and_the_others_go_on() -> None:
    batch = bristle.Batch(bristle.Card("LuGre", inputs=["mu_s"]), 3, coupling="prescribed")
    with pytest.raises(bristle.InputError, match="v has 2 values and the batch has 3"):
        batch.step(H, v=[0.0, 0.1])
    with pytest.raises(bristle.InputError, match=r"element 1.*at least"):
        batch.step(H, F_N=10.0, v=0.1, mu_s=[0.5, -1.0, 0.5])
    assert [z > 0 for z in batch["z"]] == [True, False, True]
    with pytest.raises(bristle.InputError, match="element 2"):
        bristle.Batch("LuGre", 3, mu_s=[0.5, 0.5, -1.0])
    with pytest.raises(bristle.InputError, match="at least 1"):
        bristle.Batch("LuGre", 0)


def test_warnings_of_a_batch_are_one_sentence() -> None:
    batch = bristle.Batch("LuGre", 10)
    with pytest.warns(bristle.ModelWarning, match=r"^element 0: .*10 warnings") as found:
        batch.step(H, F_N=10.0, v=0.1)
    assert len(found) == 1


def test_gradient_of_a_static_law_is_its_formula() -> None:
    at = {"mu_s": 0.6, "v_s": 1e-3, "v": 4e-4, "F_N": 10.0}
    x = at["v"] / at["v_s"]
    element = bristle.Element("StaticRegularized", mu_s=at["mu_s"], v_s=at["v_s"])
    gradient = element.step_gradient(H, ["F_R"], list(at), F_N=at["F_N"], v=at["v"])
    force, slope = 6.0 * x * (2 - x), 12.0 * (1 - x)
    expected = [force / 0.6, -slope * x / at["v_s"], slope / at["v_s"], force / 10.0]
    assert gradient[0] == pytest.approx(expected, rel=1e-6)


def dahl(sigma_0: float, mu: float, z: float, v: float) -> float:
    """Deflection after a step of Dahl's law with the exponent 1, F_N = 10 N."""
    largest = mu * 10.0 / sigma_0
    return largest - (largest - z) * np.exp(-v * H / largest)


def test_gradient_of_dahl_is_that_of_its_solution() -> None:
    start = {"sigma_0": 1e5, "mu_d": 0.4, "z": 1e-5, "v": 0.02}
    element = bristle.Element("Dahl", alpha=1.0, **{name: start[name] for name in ("sigma_0", "mu_d", "z")})
    gradient = element.step_gradient(H, ["z", "F_R"], list(start), F_N=10.0, v=start["v"])
    assert element.time == 0.0

    def ends(**changed: complex) -> np.ndarray:
        at = {**start, **changed}
        z = dahl(at["sigma_0"], at["mu_d"], at["z"], at["v"])
        return np.array([z, at["sigma_0"] * z])

    # Derivatives along the imaginary axis are exact.
    exact = np.array([ends(**{name: start[name] * (1 + 1e-20j)}).imag / (1e-20 * start[name]) for name in start]).T
    assert gradient == pytest.approx(exact, rel=1e-6)


def test_gradient_in_a_run_is_that_of_its_steps() -> None:
    element = bristle.Element("LuGre", coupling="prescribed")
    for _ in range(5):
        element.step(H, F_N=10.0, v=3e-3)
    state = element.state()
    knowns = ["mu_s", "sigma_1", "v_Stribeck", "v", "F_N"]
    gradient = element.step_gradient(H, ["F_R"], knowns)
    assert element.state().to_bytes() == state.to_bytes()
    for known, derivative in zip(knowns, gradient[0]):
        forces = []
        for side in (-1, 1):
            other = bristle.Element("LuGre", tolerance=1e-10)
            other.restore(state)
            other[known] = element[known] * (1 + 1e-3 * side)
            forces.append(other.step(H))
        assert derivative == pytest.approx((forces[1] - forces[0]) / (2e-3 * element[known]), rel=1e-3), known


def test_gradient_at_a_bound_takes_the_allowed_side() -> None:
    element = bristle.Element("LuGre", mu_s=0.3, mu_d=0.3, sigma_2=0.0)
    gradient = element.step_gradient(1.0, ["F_R"], ["sigma_2", "mu_s"], F_N=10.0, v=0.1)
    assert gradient[0, 0] == pytest.approx(0.1, rel=1e-6)
    assert np.isfinite(gradient).all()


def test_gradient_refuses_what_has_none() -> None:
    element = bristle.Element("LuGre")
    with pytest.raises(bristle.InputError, match="sticking was given where a gradient takes"):
        element.step_gradient(H, ["sticking"], ["v"])
    with pytest.raises(bristle.InputError, match="F_R was given where a gradient takes"):
        element.step_gradient(H, ["F_R"], ["F_R"])
    with pytest.raises(bristle.Error, match="above 0"):
        element.step_gradient(0.0, ["F_R"], ["v"])
