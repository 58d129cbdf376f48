"""Long sweeps, of which fast tests have a sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], *sample: Any) -> list[Any]:
    """The cases of a sweep, for `parametrize`: those that are not of the sample are slow."""
    return [
        case if case in sample else pytest.param(case, marks=pytest.mark.slow) for case in cases
    ]
