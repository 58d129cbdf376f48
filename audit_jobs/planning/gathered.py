"""Gathers the results of the passes for the scans of some blocks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from prunescope.audit_jobs.isolation import Failed
from prunescope.audit_jobs.planning.row_sample_stage import MATCHING, BlockMatching
from prunescope.audit_jobs.planning.stages import COUNTS, FAILURE, KEPT
from prunescope.audit_jobs.planning.work import Failure
from prunescope.audit_jobs.pruning.counts import Counts, merge_into

OF_SCANS = (COUNTS, FAILURE, KEPT, MATCHING)
"""The kinds of items that tell something of scans."""


@dataclass(slots=True)
class Gathered:
    """Counts, failures and results of sampled rows, by key of block; and, if asked for, the paths
    that scans keep, by key and position."""

    counts: dict[int, Counts] = field(default_factory=dict)
    failures: dict[int, list[Failure]] = field(default_factory=dict)
    matching: dict[int, BlockMatching] = field(default_factory=dict)
    kept_paths: dict[tuple[int, int], list[str]] = field(default_factory=dict)

    def add(self, kind: str, payload: Any) -> None:
        """Adds the payload of an item of any kind in OF_SCANS."""
        if kind == COUNTS:
            key, counted = payload
            merge_into(self.counts, key, counted)
        elif kind == FAILURE:
            self.failures.setdefault(payload.block, []).append(payload)
        elif kind == MATCHING:
            key, self.matching[key] = payload
        else:
            scan, paths = payload
            self.kept_paths.setdefault(scan, []).extend(paths)

    def failed(self, key: int) -> dict[int, Failed]:
        """The reason why scans of a block failed, by position: of several reasons the same one,
        whatever their order."""
        found: dict[int, Failed] = {}
        for failure in self.failures.get(key, ()):
            for position in failure.positions.tolist():
                known = found.get(position, failure.why)
                found[position] = min(known, failure.why, key=_order)
        return found


def _order(why: Failed) -> tuple[str, str]:
    return why.code, why.message or ""


def gathered(found: Mapping[str, Sequence[Any]]) -> Gathered:
    """Puts payloads together, by kind."""
    together = Gathered()
    for kind, payloads in found.items():
        for payload in payloads:
            together.add(kind, payload)
    return together
