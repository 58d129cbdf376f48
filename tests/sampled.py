"""Long sweeps, of which fast tests, or `make test`, have a sample."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from zlib import crc32

import pytest

_T = TypeVar("_T")


def sampled(cases: Iterable[Any], *sample: Any) -> list[Any]:
    """The cases of a sweep, for `parametrize`: those that are not of the sample are slow."""
    return [
        case if case in sample else pytest.param(case, marks=pytest.mark.slow) for case in cases
    ]


def one_in(number: int, cases: Iterable[_T], name: Callable[[_T], str]) -> list[Any]:
    """The cases of a sweep, for `parametrize`: of so many, one is not exhaustive, which its name
    decides."""
    return [
        pytest.param(
            case,
            marks=[] if crc32(name(case).encode()) % number == 0 else pytest.mark.exhaustive,
            id=name(case),
        )
        for case in cases
    ]
