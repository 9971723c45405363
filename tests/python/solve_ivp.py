"""Integrates a packaged FMU in Model Exchange by SciPy's solve_ivp, which locates the zeros of the event indicators itself.

solve_ivp.py FMU motion|body [PARAMETER=VALUE ...]

The inputs are functions of time and of the solver's states, set at every evaluation. Discrete values are read at events only. `motion`
prescribes the motion of the contact; `body` is a mass of 1 kg under a load, with the element in one system. The first line has the number of
events, the others are: time, F_N, v, a, F_t, F_R, displacement, with 0 for what an element does not have.
"""

import ctypes
import math
import shutil
import sys

import numpy as np
from fmpy import extract, read_model_description
from fmpy.fmi2 import FMU2Model
from scipy.integrate import solve_ivp

MOST_EVENTS = 200
STOP_TIME, INTERVAL = 0.4, 4e-3
WEIGHT, MASS = 9.81, 1.0
TOLERANCE = 1e-8


def motion(t):
    """Inputs of a contact that slides to and fro under a moving normal force."""
    omega = 2 * math.pi * 5
    return {
        "F_N": WEIGHT * (1 + 0.3 * math.sin(2 * math.pi * 7 * t)),
        "v": 0.02 * math.sin(omega * t + 0.1),
        "a": 0.02 * omega * math.cos(omega * t + 0.1),
        "F_t": 7 * math.sin(2 * math.pi * 13 * t + 0.3),
    }


def load(t):
    """Load on the body: beyond the static friction force in either direction."""
    return 1.2 * 0.6 * WEIGHT * math.sin(2 * math.pi * 5 * t)


class Element:
    """An FMU in Continuous-Time Mode and the body that it acts on, if there is one."""

    def __init__(self, path, has_body, parameters):
        self.description = read_model_description(path)
        self.folder = extract(path)
        self.fmu = FMU2Model(
            guid=self.description.guid,
            unzipDirectory=self.folder,
            modelIdentifier=self.description.modelExchange.modelIdentifier,
            instanceName="element",
        )
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.has_body = has_body
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        for name, value in parameters.items():
            self.fmu.setReal([self.references[name]], [value])
        self.count = self.description.numberOfContinuousStates
        self.set_inputs(0.0, [0.0, 0.0])
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.leave_event_mode()
        states = self.vector(self.fmu.getContinuousStates)
        self.y = np.array([0.0, 0.0, *states])

    def vector(self, function, count=None):
        count = self.count if count is None else count
        numbers = (ctypes.c_double * max(count, 1))()
        if count:
            function(numbers, count)
        return list(numbers[:count])

    def inputs(self, t, y):
        if self.has_body:
            return {"F_N": WEIGHT, "v": y[1], "a": 0.0, "F_t": load(t)}
        return motion(t)

    def set_inputs(self, t, y):
        inputs = {name: value for name, value in self.inputs(t, y).items() if name in self.references}
        self.fmu.setReal([self.references[name] for name in inputs], list(inputs.values()))

    def apply(self, t, y):
        self.fmu.setTime(t)
        if self.count:
            self.fmu.setContinuousStates((ctypes.c_double * self.count)(*y[2:]), self.count)
        self.set_inputs(t, y)

    def force(self):
        return self.fmu.getReal([self.references["F_R"]])[0]

    def rate(self, t, y):
        self.apply(t, y)
        of_body = [y[1], (load(t) - self.force()) / MASS] if self.has_body else [0.0, 0.0]
        return [*of_body, *self.vector(self.fmu.getDerivatives)]

    def indicator(self, place):
        def event(t, y):
            self.apply(t, y)
            return self.vector(self.fmu.getEventIndicators, self.description.numberOfEventIndicators)[place]

        event.terminal = True
        return event

    def leave_event_mode(self):
        while self.fmu.newDiscreteStates()[0]:
            pass
        self.fmu.enterContinuousTimeMode()

    def handle_event(self):
        self.fmu.enterEventMode()
        self.leave_event_mode()
        self.y[2:] = self.vector(self.fmu.getContinuousStates)

    def advance(self, start, end):
        """Integrates, and returns the number of events."""
        indicators = [self.indicator(i) for i in range(self.description.numberOfEventIndicators)]
        nominal = [s.variable.derivative.nominal for s in self.description.derivatives]
        scale = [1e-3, 1e-3, *(float(size or 1.0) for size in nominal)]
        t, events = start, 0
        while t < end:
            solution = solve_ivp(
                self.rate, (t, end), self.y, method="Radau", events=indicators, rtol=TOLERANCE, atol=TOLERANCE * np.array(scale)
            )
            if solution.status < 0:
                raise RuntimeError(f"{solution.message} at {t} s")
            is_due = False
            for step in range(1, len(solution.t)):
                self.apply(solution.t[step], solution.y[:, step])
                is_due, _ = self.fmu.completedIntegratorStep()
                if is_due:
                    break
            t, self.y = solution.t[step], solution.y[:, step].copy()
            if is_due or (solution.status == 1 and step == len(solution.t) - 1):
                self.apply(t, self.y)
                self.handle_event()
                events += 1
                if events > MOST_EVENTS:
                    raise RuntimeError(f"more than {MOST_EVENTS} events before {t} s")
        return events


def main():
    path, rig, *parameters = sys.argv[1:]
    parameters = {name: float(value) for name, value in (parameter.split("=") for parameter in parameters)}
    element = Element(path, rig == "body", parameters)
    rows, events = [], 0
    for point in range(round(STOP_TIME / INTERVAL) + 1):
        t = point * INTERVAL
        if point > 0:
            events += element.advance(t - INTERVAL, t)
        element.apply(t, element.y)
        contact = element.inputs(t, element.y)
        rows.append([t, *contact.values(), element.force(), element.y[0]])
    print(events)
    for row in rows:
        print(*(repr(float(number)) for number in row))
    element.fmu.terminate()
    element.fmu.freeInstance()
    shutil.rmtree(element.folder, ignore_errors=True)


main()
