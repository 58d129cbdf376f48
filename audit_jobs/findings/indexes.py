"""Filters of the values of a column, which files do not have: what they are, and what they do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from prunescope.collectors.arrays import Floats


@dataclass(frozen=True, slots=True)
class Index:
    """A filter for each container that says which values of a column it does not hold, and errs for
    a share of these (`false_positives`). Containers are row groups of about `container_bytes`, or
    data files if that is None."""

    column: str
    container_bytes: int | None
    false_positives: float


class Indexed(NamedTuple):
    """Reads of S scans with an index: bytes of the files that they keep (`now`), bytes of
    containers that neither statistics nor the index rule out (`left`), and how many containers
    statistics leave to the index (`asked`); 0 for scans that compare its column by no equality.
    The table has so many `containers`, each of which has so many distinct `values`."""

    now: Floats
    left: Floats
    asked: Floats
    containers: float
    values: float
