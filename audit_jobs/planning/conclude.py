"""From counts to ScanPlanSummary, with the reasons why a conjunct pruned nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_, or_

import numpy as np
import numpy.typing as npt

from prunescope.audit_jobs.pruning.counts import Counts
from prunescope.audit_jobs.pruning.lifting import project
from prunescope.audit_jobs.pruning.row_groups import may_prune_row_groups
from prunescope.audit_jobs.pruning.rules import PlannerRules, Rules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.selection import leaf_selects_partitions, selects_partitions
from prunescope.audit_jobs.pruning.shapes import AllOf, AnyOf, Place, Planned, Shape, Tree, places
from prunescope.audit_jobs.pruning.summaries import Summaries, summarize
from prunescope.audit_jobs.pruning.summary import ConjunctSummary, SnapshotTotals
from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import Always, Predicate, Unsupported
from prunescope.collectors.predicates.operators import Op

Codes = npt.NDArray[np.object_]
"""Reason codes, None for no reason."""


def conclude(
    scans: Sequence[Scan],
    shapes: Sequence[Shape],
    counts: Counts,
    snapshot: tuple[int | None, int, SnapshotTotals, Mapping[int, PartitionSpec]],
    positions: IntArray,
) -> Summaries:
    """The summaries of the scans at `positions`, which read one snapshot: its id, the schema's, its
    totals, and the table's specs. Positions ascend; `shapes` and `counts` are those of all scans.
    """
    snapshot_id, schema_id, totals, table_specs = snapshot
    specs = tuple(table_specs[spec_id] for spec_id in totals.spec_ids)
    chosen = np.zeros(len(scans), np.bool_)
    chosen[positions] = True
    reasons = _Reasons(scans, counts, specs, chosen)
    for shape in shapes:
        reasons.add(shape)
    conjuncts = _Conjuncts([scans[p] for p in positions.tolist()], counts, reasons, chosen)
    return summarize(
        snapshot_id=snapshot_id,
        schema_id=schema_id,
        totals=totals,
        tallies=counts.of(positions),
        conjuncts=conjuncts.of,
    )


class _Conjuncts:
    """The conjuncts of the chosen scans, as columns."""

    def __init__(
        self, scans: Sequence[Scan], counts: Counts, reasons: _Reasons, chosen: BoolArray
    ) -> None:
        self._scans = scans
        sizes = np.diff(counts.first)
        at = np.flatnonzero(np.repeat(chosen, sizes))
        self._first = np.concatenate(([0], np.cumsum(sizes[chosen]))).tolist()
        found = counts.of_all_conjuncts()
        self._manifests, self._files, self._row_groups = (
            found[f"{name}_pruned"][at].tolist() for name in reasons.by_pass
        )
        self._unmeasured = found["data_files_unmeasured"][at].tolist()
        self._judged = np.repeat(counts.of_all("sampled_files") > 0, sizes)[at].tolist()
        codes = zip(*(of_pass[at].tolist() for of_pass in reasons.by_pass.values()), strict=True)
        self._reasons = [_told(tuple(reasons.by_pass), of_conjunct) for of_conjunct in codes]
        self._selecting = reasons.selecting[at].tolist()

    def of(self, scan: int) -> tuple[ConjunctSummary, ...]:
        """The summaries of the conjuncts of one scan."""
        first = self._first[scan]
        return tuple(
            self._summary(part, place)
            for place, part in enumerate(self._scans[scan].conjuncts, first)
        )

    def _summary(self, part: Predicate, place: int) -> ConjunctSummary:
        return ConjunctSummary(
            part,
            self._manifests[place],
            self._files[place],
            self._row_groups[place] if self._judged[place] else None,
            self._reasons[place],
            self._selecting[place],
            self._unmeasured[place],
        )


@lru_cache(maxsize=1024)
def _told(passes: tuple[str, ...], codes: tuple[str | None, ...]) -> Mapping[str, str]:
    """The reason codes of a conjunct by pass, without those that are None; cached."""
    return {name: code for name, code in zip(passes, codes, strict=True) if code}


class _Reasons:
    """Reasons why conjuncts rule out nothing, by pass, as codes for all conjuncts of all scans; and
    a mask of those that select whole partitions."""

    def __init__(
        self,
        scans: Sequence[Scan],
        counts: Counts,
        specs: Sequence[PartitionSpec],
        chosen: BoolArray,
    ) -> None:
        self._scans = scans
        self._counts = counts
        self._conjuncts = counts.of_all_conjuncts()
        self._specs = specs
        self._chosen = chosen
        names = ("manifests", "data_files", "row_groups")
        self.by_pass: dict[str, Codes] = {
            name: np.full(int(counts.first[-1]), None, object) for name in names
        }
        self.selecting = np.zeros(int(counts.first[-1]), np.bool_)

    def add(self, shape: Shape) -> None:
        """Adds the reasons of the scans of a shape."""
        for planned in shape.planned:
            here = self._chosen[planned.scans]
            if here.any():
                some = Planned(planned.rules, planned.rows[here], planned.scans[here])
                for number, tree in enumerate(shape.conjuncts):
                    self._add(shape, some, number, tree)

    def _add(self, shape: Shape, planned: Planned, number: int, tree: Tree) -> None:
        rules, of_scans = planned.rules, planned.scans
        at = self._counts.first[of_scans] + number
        numbers = {name: found[at] for name, found in self._conjuncts.items()}
        considered = self._counts.of_all("data_files_considered")[of_scans]
        codes = _manifest_codes(shape, tree, rules, self._specs)[planned.rows]
        self._set("manifests", at, codes, numbers["manifests_pruned"] == 0)
        unknown = numbers["data_files_unknown"] == considered
        codes = _metrics_codes(shape, tree, rules.metrics, planned.rows, unknown)
        self._set("data_files", at, codes, (numbers["data_files_pruned"] == 0) & (considered > 0))
        judged = self._counts.of_all("sampled_files")[of_scans] > 0
        if may_prune_row_groups(tree, rules):
            read = self._counts.of_all("row_groups_considered")[of_scans]
            read = read - self._counts.of_all("whole_row_groups")[of_scans]
            unknown = numbers["row_groups_unknown"] >= read
            codes = _metrics_codes(shape, tree, rules.row_groups, planned.rows, unknown)
        else:
            codes = np.full(len(at), _unsupported_reason(tree) or "not_equal", object)
        self._set("row_groups", at, codes, judged & (numbers["row_groups_pruned"] == 0))
        self.selecting[at] = self._selects(shape, planned, number, tree)

    def _set(self, name: str, at: IntArray, codes: Codes, where: BoolArray) -> None:
        self.by_pass[name][at[where]] = codes[where]

    def _selects(self, shape: Shape, planned: Planned, number: int, tree: Tree) -> BoolArray:
        match tree:
            case Place(leaf):
                return leaf_selects_partitions(shape.leaves[leaf], self._specs)[planned.rows]
            case Unsupported():
                return np.zeros(len(planned.rows), np.bool_)
            case _ if not _may_select_partitions(tree, self._specs):
                return np.zeros(len(planned.rows), np.bool_)
            case _:
                parts = (self._scans[scan].conjuncts[number] for scan in planned.scans.tolist())
                found = [selects_partitions(part, self._specs) for part in parts]
                return np.array(found, np.bool_)


def _may_select_partitions(tree: Tree, specs: Sequence[PartitionSpec]) -> bool:
    """True if a tree compares a column that each spec partitions by, or compares nothing."""
    compared = {place.field.field_id for place in places(tree)}
    by_spec = ({field.source_id for field in spec.fields} for spec in specs)
    return not compared or all(not compared.isdisjoint(sources) for sources in by_spec)


def _manifest_codes(
    shape: Shape, tree: Tree, rules: PlannerRules, specs: Sequence[PartitionSpec]
) -> Codes:
    """Reason codes why a conjunct rules out no manifest, for each of a shape's rows of literals."""
    if (reason := _unsupported_reason(tree)) or not specs:
        return np.full(shape.count, reason, object)
    if not any(spec.fields for spec in specs):
        return np.full(shape.count, "unpartitioned", object)
    lifts = np.zeros(shape.count, np.bool_)
    for spec in specs:
        lifts |= _lifts(shape, tree, spec, rules)
    sources = {field.source_id for spec in specs for field in spec.fields}
    on_source = any(place.field.field_id in sources for place in places(tree))
    other = "transform_not_liftable" if on_source else "not_a_partition_column"
    return np.where(lifts, "ranges_overlap", other).astype(object)


def _lifts(shape: Shape, tree: Tree, spec: PartitionSpec, rules: PlannerRules) -> BoolArray:
    """Mask of the rows of literals for which a tree lifts to more than "every partition"."""
    match tree:
        case AllOf(children):
            return reduce(or_, (_lifts(shape, c, spec, rules) for c in children))
        case AnyOf(children):
            return reduce(and_, (_lifts(shape, c, spec, rules) for c in children))
        case Place(number):
            found = np.zeros(shape.count, np.bool_)
            for lifted in project(shape.leaves[number], spec, rules.lifting):
                found[slice(None) if lifted.rows is None else lifted.rows] = True
            return found
        case Always(value):
            return np.full(shape.count, not value)
        case Unsupported():
            return np.zeros(shape.count, np.bool_)


def _metrics_codes(
    shape: Shape, tree: Tree, rules: Rules, rows: IntArray, unknown: BoolArray
) -> Codes:
    """Reason codes why a conjunct rules out no data file, or no row group."""
    if reason := _unsupported_reason(tree):
        return np.full(len(rows), reason, object)
    compared = list(places(tree))
    not_equal = bool(compared) and all(place.op is Op.NOT_IN for place in compared)
    if not_equal and not rules.single_value_not_equal:
        return np.full(len(rows), "not_equal", object)
    overlap = "not_equal" if not_equal else "ranges_overlap"
    codes = np.where(unknown, "missing_statistics", overlap).astype(object)
    if rules.in_limit is not None:
        for place in compared:
            if place.op is Op.IN:
                lengths = shape.leaves[place.number].literals.lengths[rows]
                codes[lengths > rules.in_limit] = "in_list_too_long"
    return codes


def _unsupported_reason(tree: Tree) -> str | None:
    """The reason why no part of a conjunct can ever prune, or None if some part can."""
    match tree:
        case Unsupported(reason):
            return reason.value
        case AnyOf(children):
            return next((r for c in children if (r := _unsupported_reason(c))), None)
        case AllOf(children):
            reasons = [_unsupported_reason(child) for child in children]
            return reasons[0] if all(reasons) else None
        case _:
            return None
