"""Fixtures that the tests share."""

from __future__ import annotations

import warnings

import pytest


@pytest.fixture(autouse=True)
def _model_warnings_are_no_noise() -> None:
    warnings.simplefilter("error", DeprecationWarning)
