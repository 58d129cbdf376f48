"""The scans of one table that a log holds: what was asked, and how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from audit_jobs.pruning.rules import PlannerRules
from collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class AskedScan:
    """A filter as one planner plans it (`planned`, by `rules`), and as a whole. Equal ones are one
    scan."""

    planned: Predicate
    rules: PlannerRules
    whole: Predicate


@dataclass(slots=True)
class Asked:
    """Scans of a table, and how often each ran; and how many of them call its catalog what, by
    engine."""

    runs: Counter[AskedScan] = field(default_factory=Counter)
    catalogs: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, scan: AskedScan) -> None:
        """One more run."""
        self.runs[scan] += 1

    def named(self, engine: str | None, catalog: str | None) -> None:
        """That one more names the catalog so."""
        if engine is not None and catalog is not None:
            self.catalogs.setdefault(engine, Counter())[catalog] += 1
