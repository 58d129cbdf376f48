"""SQL executions of Spark, put together from their events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from prunescope.collectors.effects import REPLACED, Effect
from prunescope.collectors.observed import Effects, ObservedScan, PlanText, RowFilter, TableName
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.json_input import UnreadableInput, text
from prunescope.collectors.queries.spark.assignments import assigned, is_of_target
from prunescope.collectors.queries.spark.filters import NOTHING, Above, below, row_filter
from prunescope.collectors.queries.spark.nodes import (
    ScanNode,
    UnreadableNode,
    reads_changes,
    scan_node,
)
from prunescope.collectors.queries.spark.overwrites import overwritten
from prunescope.collectors.queries.spark.wanted import ALL, CACHED, Wanted, as_wanted, traits_of
from prunescope.collectors.storage.clock import tick
from prunescope.collectors.types import MAX_INT64

Key = int | str
"""The key of a scan node within its application: an accumulator, or else its text."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The scans of one `sparkPlanInfo`, the scan nodes in it that cannot be read, the traits of the
    query that its nodes show, and the effects of the plan on rows that tables have. A node that
    stands in the plan twice (a reused exchange) is one. `of_changes` tells that a node reads
    changes. `is_made` is False if Spark could not plan."""

    scans: Mapping[Key, ScanNode]
    refused: Mapping[str, UnreadableNode]
    traits: frozenset[str]
    effects: frozenset[tuple[TableName, Effect]] = frozenset()
    is_made: bool = True
    of_changes: bool = False


@dataclass(slots=True)
class Execution:
    """A root execution that has not ended: the plans of it and of the executions under it, by
    their ids, and the values of driver metrics."""

    query_id: str
    location: str
    started_at: dt.datetime | None
    sql: str | None
    is_explicit: bool
    catalog: str | None
    user: str | None
    time_zone: str | None
    plans: dict[int, Plan] = field(default_factory=dict)
    seen: dict[Key, ScanNode] = field(default_factory=dict)
    values: dict[int, int] = field(default_factory=dict)

    @property
    def numbers(self) -> Iterable[int]:
        """The ids of the execution and of those under it."""
        return self.plans

    def plan(self, execution: int, plan: Plan) -> None:
        """Sets the plan that the execution has from now on."""
        self.plans[execution] = plan
        self.seen.update(plan.scans)

    def traits(self) -> frozenset[str]:
        """Traits of the query that its last plans show."""
        return frozenset[str]().union(*(plan.traits for plan in self.plans.values()))

    def effects(self) -> Effects:
        """Returns what the last plans do to rows that tables have."""
        found = {effect for plan in self.plans.values() for effect in plan.effects}
        return tuple(sorted(found, key=lambda one: (str(one[0]), sorted(one[1].assigned))))

    def reads_changes(self) -> bool:
        """True if one of the last plans reads rows that were added or changed between snapshots."""
        return any(plan.of_changes for plan in self.plans.values())

    def has_failed(self) -> bool:
        """True if Spark could plan no part of the query: it names what is not there, or is no
        SQL."""
        return not any(plan.is_made for plan in self.plans.values())

    def refused(self) -> list[UnreadableNode]:
        """The scan nodes of the last plans that cannot be read."""
        found = {key: e for plan in self.plans.values() for key, e in plan.refused.items()}
        return list(found.values())

    def scans(self) -> dict[Key, ScanNode]:
        """The scans of the last plans, and those of earlier plans that ran: adaptive execution
        drops a side of a join that it found empty. A scan below a cached table is one only of
        the execution that filled the cache."""
        last = {key: scan for plan in self.plans.values() for key, scan in plan.scans.items()}
        found = {}
        for key, node in {**last, **self.seen}.items():
            has_run = any(number in self.values for number in node.accumulators)
            is_planned = key in last and not (node.is_cached and node.accumulators)
            if has_run or is_planned:
                found[key] = node
        return found

    def observed(self, node: ScanNode) -> ObservedScan:
        """A scan with its counts."""
        return ObservedScan(
            node.table,
            node.snapshot_id,
            {name: self.values[n] for n, name in node.accumulators.items() if n in self.values},
            ref=node.branch,
            pushed=PlanText(node.filters),
            runtime=node.runtime,
            row_filter=node.row_filter,
            joined=node.joined,
            needed=node.needed,
        )


def read_plan(root: object, printed: str = "") -> Plan:
    """Reads the scans of a `sparkPlanInfo`, in its order, and its effects on rows, some of which
    Spark's description (`printed`) shows. Raises UnreadableInput for other JSON."""
    if _is_empty(root):
        return Plan({}, {}, frozenset(), is_made=False)
    scans: dict[Key, ScanNode] = {}
    refused: dict[str, UnreadableNode] = {}
    traits: frozenset[str] = frozenset()
    effects: set[tuple[TableName, Effect]] = set()
    targets: set[TableName] = set()
    texts: list[tuple[str, str]] = []
    of_changes = False
    for node, is_cached, above, wanted in _nodes(root):
        traits |= traits_of(str(node["nodeName"]))
        texts.append((str(node["nodeName"]), str(node["simpleString"])))
        effects |= {(table, REPLACED) for table in overwritten(texts[-1][1])}
        of_changes |= reads_changes(str(node["simpleString"]))
        try:
            found = scan_node(node)
        except UnreadableNode as error:
            refused[str(node["simpleString"])] = error
            continue
        if found is not None:
            key = str(node["simpleString"]) if found.identity is None else found.identity
            if is_of_target(texts[-1][1]):
                targets.add(found.table)
            of_plan = replace(found, row_filter=row_filter(above, node), is_cached=is_cached)
            found = as_wanted(of_plan, wanted, node)
            scans[key] = _used_again(scans[key], found) if key in scans else found
    if len(targets) == 1 and (columns := assigned(texts, printed)):
        effects.add((targets.pop(), Effect(assigned=columns)))
    return Plan(scans, refused, traits, frozenset(effects), of_changes=of_changes)


def _is_empty(root: object) -> bool:
    """True if `root` is `SparkPlanInfo.EMPTY`, which Spark 4.1 logs for a query that it cannot
    plan."""
    match root:
        case {"nodeName": "", "simpleString": "", "children": []}:
            return True
        case _:
            return False


def _used_again(one: ScanNode, other: ScanNode) -> ScanNode:
    """One scan for two uses of its rows: by the joins of both, with the filter unknown unless both
    have the same, and all rows needed."""
    # They may be filtered in two ways.
    is_same = one.row_filter == other.row_filter
    filtered = one.row_filter if is_same else RowFilter(is_shown=False)
    joined = tuple(sorted({*one.joined, *other.joined}))
    return replace(other, row_filter=filtered, joined=joined, needed=None)


def _nodes(root: object) -> Iterator[tuple[Mapping[str, object], bool, Above, Wanted]]:
    """The nodes of a plan, parents first, each with whether a cached table is above it, the filters
    there, and the rows of it that are needed."""
    pending = [(root, False, NOTHING, ALL)]
    while pending:
        node, is_cached, above, wanted = pending.pop()
        if not isinstance(node, dict):
            raise malformed("sparkPlanInfo")
        name, children = text(node.get("nodeName")), node.get("children")
        # Nodes of commands may print nothing.
        if name is None or not isinstance(node.get("simpleString"), str):
            raise malformed("sparkPlanInfo")
        if not isinstance(children, list):
            raise malformed("sparkPlanInfo")
        tick()
        yield node, is_cached, above, wanted
        is_cached = is_cached or name.startswith(CACHED)
        printed = str(node["simpleString"])
        of_input, elsewhere = below(above, name, printed)
        first, second, others = wanted.below(name, printed)
        # Behind its inputs, a node has the subqueries of its expressions.
        pending += [(child, is_cached, elsewhere, others) for child in reversed(children[2:])]
        pending += [(child, is_cached, elsewhere, second) for child in children[1:2]]
        pending += [(child, is_cached, of_input, first) for child in children[:1]]


def driver_values(updates: object) -> dict[int, int]:
    """The `accumUpdates` of a SparkListenerDriverAccumUpdates: values by accumulator."""
    found = {}
    for update in updates if isinstance(updates, list) else ():
        match update:
            case [bool(), _] | [_, bool()]:
                continue
            case [int(number), int(value)] if 0 <= value <= MAX_INT64:
                found[number] = value
    return found


def malformed(name: str) -> UnreadableInput:
    """The error of a field of an event that is not as Spark writes it."""
    return UnreadableInput(
        Outcome.MALFORMED_EVENT,
        f"field {name!r} is not what Spark writes; check what wrote the log",
    )
