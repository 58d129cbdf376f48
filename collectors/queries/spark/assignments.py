"""Columns to which plans of Spark give new values.

A plan that changes rows reads those of its target with the files that they are in (`_file`), and
makes new ones of them (Spark 4.1, Iceberg 1.11). Copy-on-write, and merge-on-read:

    ReplaceData over Project [6 AS __row_operation#9, if ((id#1 = 5)) x else s#2 AS s#8, _file#3]
    WriteDelta over Expand [[1, null, _file#3], [4, x, null]], [__row_operation#9, s#8, _file#7]

or either over MergeRows, of which only the description of the whole plan has the clauses:

    Arguments: …, [keep(Update, true, 6, id#1, s#5), …], …, [__row_operation#9, id#7, s#8]
    Arguments: …, [split(true, 1, null, null, 4, id#1, s#5)], …, [__row_operation#9, id#7, s#8]

A column keeps its value if that is its own, or one that a join compares its own with by `=`. Of
what Spark cuts short (spark.sql.debug.maxToStringFields) nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from prunescope.collectors.effects import Path
from prunescope.collectors.queries.spark.nodes import METADATA_COLUMNS
from prunescope.collectors.queries.spark.wanted import equated
from prunescope.collectors.sql.catalyst.groups import OddBrackets, arguments

_WRITES = frozenset(("ReplaceData", "WriteDelta"))
_FILE = re.compile(r"[\[ ]_file#[0-9]")
_COLUMN = re.compile(r"([^\s,()\[\]#]++)#([0-9]{1,19})L?")
_MERGE = re.compile(r"^\([0-9]+\) MergeRows$")
_ARGUMENTS = "Arguments: "
_UPDATED = ("keep(Update, ", "split(")
_OF_SPARK = "__row_"
_CUT = "... "

_Row = tuple[Sequence[str], Sequence[str]]
"""Columns that a node makes, and the values of a row."""


def is_of_target(text: str) -> bool:
    """Tells whether a scan of this text reads in which files rows are."""
    return _FILE.search(text.partition("] ")[0]) is not None


def assigned(nodes: Sequence[tuple[str, str]], printed: str) -> frozenset[Path]:
    """The columns of its target to which a plan gives new values, by the names and texts of its
    nodes and its description."""
    if not any(name.partition(" ")[0] in _WRITES for name, _ in nodes):
        return frozenset()
    texts = [text for _, text in nodes]
    own = {
        number: column
        for text in texts
        if "BatchScan" in text.partition(" ")[0] and is_of_target(text)
        for column, number in _COLUMN.findall(text.partition("] ")[0])
    }
    same: dict[str, set[str]] = {}
    for name, text in nodes:
        for left, right in equated(name, text):
            same.setdefault(left, {left}).add(right)
            same.setdefault(right, {right}).add(left)
    rows = [*(row for text in texts for row in _rows_of_node(text)), *_rows_of_merges(printed)]
    return frozenset(
        (name.casefold(),)
        for columns, values in rows
        # A literal with a comma counts as two values, and what comes after it as changed.
        for column, value in zip(columns, values, strict=False)
        if (found := _COLUMN.fullmatch(column)) is not None
        and not _is_kept(name := found[1], value, own, same)
    )


def _is_kept(
    name: str, value: str, own: Mapping[str, str], same: Mapping[str, Collection[str]]
) -> bool:
    if name in METADATA_COLUMNS or name.startswith(_OF_SPARK) or value.startswith(_CUT):
        return True
    found = _COLUMN.fullmatch(value)
    return found is not None and any(own.get(n) == name for n in same.get(found[2], (found[2],)))


def _rows_of_node(text: str) -> Iterator[_Row]:
    kind, _, listed = text.partition(" ")
    if kind == "Project" and _FILE.search(text):
        renamed = (item.rpartition(" AS ") for item in _parts(listed[1:-1]))
        pairs = [(name, value) for value, as_, name in renamed if as_]
        yield [name for name, _ in pairs], [value for _, value in pairs]
    elif kind == "Expand" and _FILE.search(text):
        projections, _, columns = listed.rpartition("]], [")
        yield _parts(columns[:-1]), _parts(projections.rpartition("], [")[2])


def _rows_of_merges(printed: str) -> Iterator[_Row]:
    is_merge = False
    for line in printed.splitlines():
        if not line or line.startswith("("):
            is_merge = _MERGE.fullmatch(line) is not None
        if not is_merge or not line.startswith(_ARGUMENTS):
            continue
        columns = _parts(line.rpartition(", [")[2].removesuffix("]"))
        for clause in _clauses(line.removeprefix(_ARGUMENTS)):
            kind, _, inside = clause.partition("(")
            values = _parts(inside.removesuffix(")"))
            is_cut = any(value.startswith(_CUT) for value in (*columns, *values))
            if kind == "keep":
                yield columns, values[2:]
            elif not is_cut:
                yield columns, values[-len(columns) :]


def _clauses(text: str) -> Iterator[str]:
    """The clauses of a MergeRows that make new rows of those that are there."""
    clauses = (part.removeprefix("[").removesuffix("]") for part in _parts(text))
    yield from (clause for clause in clauses if clause.startswith(_UPDATED))


def _parts(text: str) -> list[str]:
    try:
        return arguments(text)
    except OddBrackets:
        return []
