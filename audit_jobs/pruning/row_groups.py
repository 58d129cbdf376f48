"""The pass over row groups: by Parquet statistics, dictionaries and bloom filters, in this order.

Every source judges the residual of each file: comparisons that the file's partition value already
proves are true for its row groups, and those that it disproves are false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from audit_jobs.pruning.algebra import Evaluation, can_match
from audit_jobs.pruning.rules import PlannerRules, Rules
from audit_jobs.pruning.scans import (
    Scan,
    comparisons,
    inclusive,
    may_prune_row_groups,
    strict,
)
from audit_jobs.pruning.summary import SOURCES
from audit_jobs.pruning.verdicts import ConjunctVerdict, Judge, Judged, Verdict, mask
from collectors.partitioning import PartitionSpec
from collectors.predicates.model import BoundComparison, Op, Predicate
from collectors.statistics import (
    BoolArray,
    ColumnKey,
    FileBatch,
    RowGroupBatch,
    Statistics,
    ValueSets,
    Wanted,
    from_values,
    unknown,
)

STATISTICS, DICTIONARY, BLOOM = SOURCES

# What a null satisfies in Iceberg's logic of two values, and not in SQL's of three.
_NEGATIONS = (Op.NOT_EQ, Op.NOT_IN, Op.NOT_STARTS_WITH)
_EQUALITY = (Op.EQ, Op.IN)
# Dictionaries hold no nulls, and say nothing of them.
_NOT_IN_DICTIONARIES = (Op.IS_NULL, Op.NOT_NULL)
_RANGES = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ)
_EXACT = Rules()


@dataclass(frozen=True, slots=True)
class RowGroupVerdict:
    """One scan against one batch of row groups: what all sources keep, and what each keeps in
    turn, by its name in SOURCES."""

    verdict: Verdict
    kept_after: Mapping[str, BoolArray]


class Residuals:
    """The residual of each file of a batch, as a leaf of an evaluation of what the files hold."""

    def __init__(self, partition: Statistics, spec: PartitionSpec) -> None:
        self._partition = partition
        self._spec = spec
        self._evaluations: dict[Rules, Evaluation] = {}

    def proven(self, leaf: BoundComparison, rules: PlannerRules) -> pa.BooleanArray:
        """For each file, whether all of its rows match, by its partition value; true where that
        is unknown, as then nothing may be ruled out."""
        lifted = strict(leaf, self._spec, old_rounding=rules.old_rounding)
        return pc.fill_null(self._evaluate(lifted, rules), True)

    def possible(self, leaf: BoundComparison, rules: PlannerRules) -> pa.BooleanArray:
        """For each file, whether any of its rows can match, by its partition value."""
        return self._evaluate(inclusive(leaf, self._spec, old_rounding=rules.old_rounding), rules)

    def _evaluate(self, predicate: Predicate, rules: PlannerRules) -> pa.BooleanArray:
        key = rules.partitions
        if key not in self._evaluations:
            self._evaluations[key] = Evaluation(self._partition, key)
        return self._evaluations[key](predicate)


def prune_row_groups(
    scans: Iterable[Scan], batch: RowGroupBatch, spec: PartitionSpec, reached: Iterable[BoolArray]
) -> Iterator[RowGroupVerdict]:
    """Pass 3. The i-th mask of `reached` selects the row groups of files that the i-th scan
    kept."""
    leaves = _Leaves(batch, spec)
    judges = {source: Judge(leaves.evaluator(source)) for source in SOURCES}
    for scan, considered in zip(scans, reached, strict=True):
        judged = {name: judges[name].conjuncts(scan) for name in _used(scan.rules, batch)}
        kept_after = {}
        kept = considered
        for source in SOURCES:
            for part in judged.get(source, ()):
                if part.prunes is not None:
                    kept = kept & ~part.prunes
            kept_after[source] = kept
        conjuncts = tuple(
            _conjunct_verdict(considered, parts) for parts in zip(*judged.values(), strict=True)
        )
        yield RowGroupVerdict(Verdict(scan, considered, kept, conjuncts), kept_after)


def _used(rules: PlannerRules, batch: RowGroupBatch) -> list[str]:
    used = [STATISTICS]
    if rules.dictionaries and batch.dictionaries:
        used.append(DICTIONARY)
    if rules.bloom_filters and batch.bloom_filters:
        used.append(BLOOM)
    return used


def _conjunct_verdict(considered: BoolArray, by_source: Sequence[Judged]) -> ConjunctVerdict:
    """A conjunct rules out what any source says, and is unknown where none says anything."""
    pruned = np.zeros_like(considered)
    silent = considered
    for part in by_source:
        if part.prunes is not None:
            pruned |= considered & part.prunes
        silent = silent & (part.unknown if part.unknown is not None else False)
    return ConjunctVerdict(int(np.count_nonzero(pruned)), int(np.count_nonzero(silent)))


class _Leaves:
    """What each source says of single comparisons, within the residual of each file."""

    def __init__(self, batch: RowGroupBatch, spec: PartitionSpec) -> None:
        self._batch = batch
        self._file = pa.array(batch.file)
        self._residuals = Residuals(batch.partition, spec)
        self._evaluations: dict[tuple[str, PlannerRules], Evaluation] = {}

    def evaluator(self, source: str) -> Callable[[Predicate, PlannerRules], pa.BooleanArray]:
        """Evaluates conjuncts by what one source says."""

        def evaluate(conjunct: Predicate, rules: PlannerRules) -> pa.BooleanArray:
            key = (source, rules)
            if key not in self._evaluations:
                self._evaluations[key] = Evaluation(
                    self._batch.metrics,
                    rules.row_groups,
                    leaf=lambda leaf: self._residual(leaf, rules, source),
                )
            return self._evaluations[key](conjunct)

        return evaluate

    def _residual(self, leaf: BoundComparison, rules: PlannerRules, source: str) -> pa.BooleanArray:
        proven = self._residuals.proven(leaf, rules).take(self._file)
        says = self._residuals.possible(leaf, rules).take(self._file)
        asked = SOURCES[: SOURCES.index(source) + 1] if rules.sources_together else (source,)
        for name in asked:
            says = pc.and_kleene(says, self._said_by(name, leaf, rules))
        return pc.or_kleene(proven, says)

    def _said_by(self, source: str, leaf: BoundComparison, rules: PlannerRules) -> pa.BooleanArray:
        if source == STATISTICS:
            evaluation = self._evaluations[(STATISTICS, rules)]
            return evaluation.comparison(leaf)
        key = (leaf.field.field_id, leaf.field.type)
        if leaf.field.transform is None:
            if source == DICTIONARY and rules.dictionaries and key in self._batch.dictionaries:
                return by_dictionary(leaf, self._batch.dictionaries[key], rules.row_groups)
            if source == BLOOM and rules.bloom_filters and key in self._batch.bloom_filters:
                return self._by_bloom_filter(leaf, key)
        return unknown(len(self._batch.records))

    def _by_bloom_filter(self, leaf: BoundComparison, key: ColumnKey) -> pa.BooleanArray:
        if leaf.op not in _EQUALITY:
            return unknown(len(self._batch.records))
        return self._batch.bloom_filters[key](leaf.values)


def by_dictionary(leaf: BoundComparison, sets: ValueSets, rules: Rules) -> pa.BooleanArray:
    """The tri-state of a comparison by the values that occur (ParquetDictionaryRowGroupFilter,
    Iceberg Java 1.11): a container of which all values are known can match if one of them does,
    or if it may hold a null and nulls match."""
    if leaf.op in _NOT_IN_DICTIONARIES or (leaf.field.type == "uuid" and leaf.op in _RANGES):
        return unknown(len(sets.complete))
    matches = mask(pc.fill_null(can_match(leaf, from_values(sets.values), _EXACT), True))
    found = np.zeros(len(sets.complete), np.bool_)
    found[sets.owner[matches]] = True
    judged = sets.complete
    if leaf.op is Op.NOT_NAN or (leaf.op in _NEGATIONS and rules.negations_match_nulls):
        judged = judged & sets.without_nulls
    return pa.array(found, mask=~judged)


def wanted_evidence(
    verdicts: Iterable[RowGroupVerdict], batch: RowGroupBatch, spec: PartitionSpec
) -> dict[ColumnKey, Wanted]:
    """What to read before the row groups that statistics keep can be judged further: what some
    scan needs of them."""
    residuals = Residuals(batch.partition, spec)
    found: dict[ColumnKey, Wanted] = {}
    for judged in verdicts:
        rules, kept = judged.verdict.scan.rules, judged.kept_after[STATISTICS]
        if not kept.any():
            continue
        for leaf in _judged_leaves(judged.verdict.scan):
            open_ = kept & ~mask(residuals.proven(leaf, rules))[batch.file]
            key = (leaf.field.field_id, leaf.field.type)
            if key not in found:
                found[key] = Wanted(np.zeros_like(kept), np.zeros_like(kept))
            if rules.dictionaries and leaf.op not in _NOT_IN_DICTIONARIES:
                found[key].dictionary[open_] = True
            if rules.bloom_filters and leaf.op in _EQUALITY:
                found[key].bloom_filter[open_] = True
    return found


def _judged_leaves(scan: Scan) -> Iterator[BoundComparison]:
    for conjunct in scan.conjuncts:
        if may_prune_row_groups(conjunct, scan.rules):
            for leaf in comparisons(conjunct):
                if leaf.field.transform is None:
                    yield leaf


def needs_row_groups(
    scans: Iterable[Scan], batch: FileBatch, spec: PartitionSpec
) -> Iterator[BoolArray]:
    """Per scan, the Parquet files whose row groups its predicate could rule out: some conjunct
    that pass 3 can judge is not proven already by the file's partition value."""
    residuals = Residuals(batch.partition, spec)
    evaluations: dict[PlannerRules, Evaluation] = {}
    open_for: dict[tuple[Predicate, PlannerRules], BoolArray] = {}
    for scan in scans:
        rules = scan.rules
        if rules not in evaluations:
            evaluations[rules] = Evaluation(
                batch.partition, rules.partitions, leaf=partial(residuals.proven, rules=rules)
            )
        needed = np.zeros(len(batch.paths), np.bool_)
        for conjunct in scan.conjuncts:
            if may_prune_row_groups(conjunct, rules):
                if (conjunct, rules) not in open_for:
                    proven = pc.fill_null(evaluations[rules](conjunct), True)
                    open_for[(conjunct, rules)] = ~mask(proven)
                needed |= open_for[(conjunct, rules)]
        yield needed & batch.parquet
