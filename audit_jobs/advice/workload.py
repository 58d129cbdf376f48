"""The scans of one table that a log holds, and the number of their runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from prunescope.audit_jobs.pruning.rules import PlannerRules
from prunescope.collectors.predicates.model import Predicate


@dataclass(frozen=True, slots=True)
class AskedScan:
    """A filter as one planner plans it (`planned`, by `rules`), and as a whole. Equal ones are one
    scan."""

    planned: Predicate
    rules: PlannerRules
    whole: Predicate


@dataclass(slots=True)
class Asked:
    """Scans of a table, and the number of runs of each; and by engine the names that they use for
    its catalog."""

    runs: Counter[AskedScan] = field(default_factory=Counter)
    catalogs: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, scan: AskedScan) -> None:
        """Adds a run."""
        self.runs[scan] += 1

    def named(self, engine: str | None, catalog: str | None) -> None:
        """Adds a use of a name for the catalog."""
        if engine is not None and catalog is not None:
            self.catalogs.setdefault(engine, Counter())[catalog] += 1
