"""Refusals of identification."""

from __future__ import annotations

from .. import _bristle


class RecordError(_bristle.InputError):
    """A record that cannot give an answer; the message has the numbers and the remedy."""
