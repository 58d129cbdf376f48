"""The passes over metadata: manifests, and data files.

Each takes a batch of containers and the scans that reach it, and returns what each scan keeps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.algebra import Evaluation
from audit_jobs.pruning.rules import PlannerRules, Rules
from audit_jobs.pruning.scans import Scan, inclusive
from audit_jobs.pruning.verdicts import Judge, Verdict, verdict
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import Predicate
from collectors.statistics import BoolArray, FileBatch, ManifestBatch, Statistics


def prune_manifests(
    scans: Iterable[Scan], batch: ManifestBatch, spec: PartitionSpec
) -> Iterator[Verdict]:
    """Pass 1. Every manifest is considered; those without live entries are never kept."""
    summaries = Evaluations(batch.statistics)

    def evaluate(conjunct: Predicate, rules: PlannerRules) -> pa.BooleanArray:
        lifted = inclusive(conjunct, spec, old_rounding=rules.old_rounding)
        return summaries(lifted, rules.summaries)

    judge = Judge(evaluate)
    considered = np.ones(len(batch.live), np.bool_)
    for scan in scans:
        yield verdict(scan, considered, batch.live, judge.conjuncts(scan))


def prune_files(
    scans: Iterable[Scan], batch: FileBatch, spec: PartitionSpec, reached: Iterable[BoolArray]
) -> Iterator[Verdict]:
    """Pass 2, by partition values and column metrics together, as Iceberg's ManifestReader
    applies them. The i-th mask of `reached` says which files lie in manifests that the i-th
    scan kept."""
    by_partition = Evaluations(batch.partition)
    by_metrics = Evaluations(batch.metrics)

    def evaluate(conjunct: Predicate, rules: PlannerRules) -> pa.BooleanArray:
        lifted = inclusive(conjunct, spec, old_rounding=rules.old_rounding)
        return pc.and_kleene(
            by_partition(lifted, rules.partitions), by_metrics(conjunct, rules.metrics)
        )

    judge = Judge(evaluate)
    for scan, considered in zip(scans, reached, strict=True):
        yield verdict(scan, considered, considered, judge.conjuncts(scan))


class Evaluations:
    """Evaluations of the same statistics by different rules."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self._by_rules: dict[Rules, Evaluation] = {}

    def __call__(self, predicate: Predicate, rules: Rules) -> pa.BooleanArray:
        """The tri-state of `predicate` for each container, by these rules."""
        if rules not in self._by_rules:
            self._by_rules[rules] = Evaluation(self._statistics, rules)
        return self._by_rules[rules](predicate)
