"""Long sweeps, of which `make test-fast`, or `make test`, has a sample, by names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar
from zlib import crc32

import pytest

_T = TypeVar("_T")


def one_in(number: int, cases: Iterable[_T], name: Callable[[_T], str]) -> list[Any]:
    """The cases of a sweep, for `parametrize`: of so many, one is not exhaustive."""
    return [
        pytest.param(
            case,
            marks=[] if _hash(name(case)) % number == 0 else pytest.mark.exhaustive,
            id=name(case),
        )
        for case in cases
    ]


def few_cases(items: Sequence[pytest.Item], most: int) -> list[pytest.Item]:
    """At most so many cases of each test, in their order."""
    by_test: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        by_test[item.nodeid.partition("[")[0]].append(item)
    kept = {
        case
        for cases in by_test.values()
        for case in sorted(cases, key=lambda case: _hash(case.nodeid))[:most]
    }
    return [item for item in items if item in kept]


def _hash(text: str) -> int:
    return crc32(text.encode())
