"""Asking the configured catalogs side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import TypeVar

from prunescope.audit_jobs.isolation import attempt
from prunescope.audit_jobs.jobs.at_once import at_once
from prunescope.collectors.errors import PrunescopeError

_Result = TypeVar("_Result")


def of_each_catalog(
    doing: str, ask: Callable[[str], _Result], names: Collection[str]
) -> dict[str, _Result | PrunescopeError]:
    """The answer of `ask`, which bounds its own time, for each catalog in the order of `names`, or
    the error. All are asked at once: those that hang do so together, and hold up no other."""

    def asked(name: str) -> _Result | PrunescopeError:
        return attempt(f"{doing} the catalog {name!r}", ask, name)

    found = dict(at_once(asked, names, most=len(names), seconds=math.inf))
    # None is for what takes longer than it may, and this may take for ever.
    return {name: answer for name in names if (answer := found[name]) is not None}
