"""Repeated requests to a catalog that was busy, or broke the connection, as files are read
again."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import sleep
from typing import TypeVar

from prunescope.collectors.storage.random_access import FIRST_WAIT, ROUNDS
from prunescope.collectors.tables.catalog_errors import BROKEN, LATER, answered, chain

_Result = TypeVar("_Result")

LONGEST_WAIT = 60.0
"""Seconds: a catalog that wants to be left alone for longer (Retry-After) is not asked again."""


def patiently_asked(ask: Callable[[], _Result]) -> _Result:
    """Calls `ask`, which changes nothing, again after failures that may pass. Raises failures that
    do not pass, or persist. Only the caller bounds the time."""
    for asked in range(1, ROUNDS):
        try:
            return ask()
        except Exception as error:  # each kind of catalog raises its own
            seconds = _wait(error, asked)
            if seconds is None or seconds > LONGEST_WAIT:
                raise
        sleep(seconds)
    return ask()


def _wait(error: BaseException, asked: int) -> float | None:
    """Seconds until a repeated request may succeed: the catalog's own number, else a random one up
    to a bound that doubles each time. None if the failure does not pass."""
    for one in chain(error):
        status = answered(one)
        if status in LATER:
            said = str(one.response.headers.get("Retry-After", ""))  # type: ignore[attr-defined]
            if said.isdecimal():
                return float(said)
        if status in LATER or isinstance(one, BROKEN):
            return random.uniform(0, FIRST_WAIT * 2 ** (asked - 1))  # noqa: S311
    return None
