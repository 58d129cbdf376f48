"""What a cause is to the catalogue: an id, a title, and the function that finds it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from audit_jobs.findings.model import Finding
from audit_jobs.findings.usage import TableUsage

Find = Callable[[TableUsage], Iterator[Finding]]
"""Yields what it finds in a table and its workload, whatever the thresholds: those are applied to
the findings of all causes together."""


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of bad pruning. `id` is stable: it is the anchor of the documentation, and what
    suppressions and alerts name. `title` is a few words for tables and headings."""

    id: str
    title: str
    find: Find
