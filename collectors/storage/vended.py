"""Credentials that a catalog hands out with a table, which expire while its files are read."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Protocol

MARGIN = 60.0
"""Seconds before they expire in which others are asked for: requests are on their way."""

LEAST = 30.0
"""Seconds between two times of asking: who may not read a file is refused with any of them."""

_UNTIL = (
    "s3.session-token-expires-at-ms",
    "gcs.oauth2.token-expires-at",
    "adls.sas-token-expires-at-ms.",
)
"""Prefixes of properties with the time of expiry, in milliseconds since 1970 (Iceberg 1.11)."""


class Ask(Protocol):
    """Asks a catalog for the credentials of one table. Can be sent to other processes, and is equal
    to another Ask for the same table."""

    def __call__(self) -> Mapping[str, Any]:
        """The credentials, as properties of a FileIO. Raises anything, and bounds its own time."""

    def __hash__(self) -> int:
        """Hashes so that equal ones have the same hash."""


class Vended:
    """The credentials of one table, and others once these have expired.

    A pickled copy, such as that of a Spark task, shares its credentials with all others of its
    process. Safe to use from any thread.
    """

    def __init__(self, ask: Ask, properties: Mapping[str, Any]) -> None:
        self._ask = ask
        self._properties = properties
        self._asked = -math.inf
        self._asking = threading.Lock()

    def __reduce__(self) -> tuple[Callable[..., Vended], tuple[Ask, Mapping[str, Any]]]:
        return _in_this_process, (self._ask, self._properties)

    @property
    def have_expired(self) -> bool:
        """True if the credentials have expired by the time that they state."""
        return _until(self._properties) <= time.time()

    def properties(self) -> Mapping[str, Any]:
        """Credentials to read with; new ones are asked for if these are about to expire."""
        known = self._properties
        if _until(known) - MARGIN <= time.time():
            self.renew(known)
        return self._properties

    def renew(self, refused: Mapping[str, Any]) -> bool:
        """Asks for others if the refused credentials are those in force. True if others are in
        force."""
        with self._asking:
            if self._properties is refused and time.monotonic() - self._asked >= LEAST:
                self._renew()
            return self._properties is not refused

    def _renew(self) -> None:
        try:
            found = self._ask()
        except Exception:  # noqa: BLE001  # what cannot be read without them tells
            found = {}
        self._asked = time.monotonic()
        if found and found != self._properties:
            self._properties = found

    def offer(self, properties: Mapping[str, Any]) -> None:
        """Takes credentials that last longer."""
        with self._asking:
            if not self._properties or _until(properties) > _until(self._properties):
                self._properties = properties


@lru_cache(maxsize=4_096)
def _shared(ask: Ask) -> Vended:
    """The credentials of a table, without any offered yet."""
    return Vended(ask, {})


_SHARING = threading.Lock()


def _in_this_process(ask: Ask, properties: Mapping[str, Any]) -> Vended:
    with _SHARING:
        known = _shared(ask)
    known.offer(properties)
    return known


def _until(properties: Mapping[str, Any]) -> float:
    """Seconds since 1970 at which the first of the credentials expires; infinite if unknown."""
    said = (str(value) for key, value in properties.items() if key.startswith(_UNTIL))
    return min((int(value) / 1000 for value in said if value.isdecimal()), default=math.inf)
