"""Rows of a scan that Spark's plans need, beside the conditions on them: the joins that restrict
the rows, and how many are enough.

A join restricts a side of which it drops rows without a match: both of an inner join, and the side
that an outer join fills with nulls, for which the other side decides which rows are needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from prunescope.collectors.needed_rows import AnyRows
from prunescope.collectors.queries.spark.nodes import ScanNode
from prunescope.collectors.sql.catalyst.groups import OddBrackets, arguments

JOIN = "join"
MERGE = "merge"
WRITE = "write"

CACHED = "InMemoryTableScan"
"""The beginning of the name of a cached table's node."""

_JOIN = re.compile(r"\w*(?:Join|CartesianProduct)\b.*", re.DOTALL)
_MERGE = "MergeRows"
_WRITES = re.compile(
    r"AppendData|Overwrite(?:ByExpression|PartitionsDynamic)|ReplaceData|WriteDelta|DeltaWrite"
    r"|(?:Atomic)?(?:Create|Replace)TableAsSelect|WriteFiles|Execute"
)
# `BroadcastHashJoin [a#1], [b#2L], Inner, BuildRight, false`
_KEYS = re.compile(r"[\w()= ]*?(?>\[(?P<left>.*?)\], \[)(?P<right>.*?)\], (?P<kind>\w+)", re.DOTALL)
# A column, or a cast of one.
_ATTRIBUTE = re.compile(r"(?:cast\()?[^\s,()\[\]#]+#([0-9]{1,19})L?(?: as [a-z_]+\))?")
_OUTPUT = re.compile(r"(?:\[|, )([^,\[\]]*)#([0-9]{1,19})L?(?=, |\])")
_RESTRICTED = {
    "Inner": (True, True),
    "LeftSemi": (True, True),
    "LeftOuter": (False, True),
    "RightOuter": (True, False),
}
_COLLECTED = re.compile(r"CollectLimit ([0-9]{1,10})(?:, [0-9]{1,10})?")
# A row of these is a row of their input, or none.
_BY_ROW = frozenset(
    (
        *("WholeStageCodegen", "InputAdapter", "ColumnarToRow", "AdaptiveSparkPlan"),
        *("Filter", "Project", "BatchEvalPython", "ArrowEvalPython"),
    )
)
_SUBQUERY = "subquery#"
_SUBQUERIES = frozenset(("Subquery", "ReusedSubquery"))
_WITH_ALL_INPUTS = "Union"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows of a node that the nodes above it need. `joined` are the numbers of the columns by which
    joins restrict the rows, `enough` the number of rows with which the query has all that it asks
    for, None if unknown."""

    joined: frozenset[str] = frozenset()
    enough: int | None = None

    def below(self, name: str, text: str) -> tuple[Wanted, Wanted, Wanted]:
        """The rows that are needed of the first and the second input of a node, and of its other
        children, by the node's name and text."""
        kind = name.partition(" ")[0]
        if kind.startswith(CACHED):
            return ALL, ALL, ALL
        if _JOIN.fullmatch(name):
            left, right = _joined(text)
            return Wanted(self.joined | left), Wanted(self.joined | right), ALL
        joins = Wanted(self.joined)
        limit = _COLLECTED.fullmatch(text)
        if limit is not None:
            return replace(joins, enough=int(limit[1])), ALL, ALL
        if kind == _WITH_ALL_INPUTS:
            return joins, joins, joins
        is_by_row = kind in _BY_ROW and _SUBQUERY not in text
        return self if is_by_row else joins, ALL, ALL


ALL = Wanted()
"""All rows."""


def traits_of(name: str) -> frozenset[str]:
    """Traits of its query that a node of a plan shows, as in `ObservedQuery.traits`."""
    kind = name.partition(" ")[0]
    # Of a subquery in a condition, as of a join, other rows decide which are needed.
    if _JOIN.fullmatch(name) or kind in _SUBQUERIES:
        return frozenset((JOIN,))
    if _MERGE in kind:
        return frozenset((MERGE, WRITE))
    return frozenset((WRITE,)) if _WRITES.fullmatch(kind) else frozenset()


def as_wanted(scan: ScanNode, wanted: Wanted, node: Mapping[str, object]) -> ScanNode:
    """A scan with the joins and the number of rows that `wanted` has for its node."""
    text = str(node["simpleString"])[len(str(node["nodeName"])) :].partition("] ")[0] + "]"
    names = {found[2]: found[1] for found in _OUTPUT.finditer(text)}
    joined = tuple(sorted(names[number] for number in wanted.joined if number in names))
    needed = None if wanted.enough is None else AnyRows(wanted.enough)
    return replace(scan, joined=joined, needed=needed)


def equated(name: str, text: str) -> list[tuple[str, str]]:
    """The numbers of columns that are equal wherever rows of both sides of a join match, by the
    join's name and text."""
    found = _KEYS.match(text) if _JOIN.fullmatch(name) else None
    if found is None:
        return []
    try:
        keys = zip(arguments(found["left"]), arguments(found["right"]), strict=True)
        columns = [
            (_ATTRIBUTE.fullmatch(left), _ATTRIBUTE.fullmatch(right)) for left, right in keys
        ]
    except ValueError:  # brackets that are odd, or in names
        return []
    return [(left[1], right[1]) for left, right in columns if left and right]


def _joined(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The columns that a join compares, by the sides that it restricts by them."""
    found = _KEYS.match(text)
    if found is None:
        return frozenset(), frozenset()
    left, right = (
        _numbers(found[side]) if is_restricted else frozenset[str]()
        for side, is_restricted in zip(
            ("left", "right"), _RESTRICTED.get(found["kind"], (False, False)), strict=True
        )
    )
    return left, right


def _numbers(keys: str) -> frozenset[str]:
    """The numbers of keys that are columns."""
    try:
        found = [_ATTRIBUTE.fullmatch(key) for key in arguments(keys)]
    except OddBrackets:
        return frozenset()
    return frozenset(match[1] for match in found if match)
