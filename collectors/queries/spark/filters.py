"""Filters that Spark checks on the rows of a scan: the Filter nodes above it in a plan.

Spark moves conditions down to the scans that they are of: conditions that filter the rows of one
table, from WHERE, HAVING and the ON of joins, stand in a Filter right above the scan. Conditions
that stay in a join decide which rows match, and drop none of an outer or anti join's other side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from prunescope.collectors.observed import ALL_ROWS, RowFilter
from prunescope.collectors.queries.spark.nodes import REDACTED
from prunescope.collectors.sql.catalyst.groups import OddBrackets, arguments
from prunescope.collectors.storage.clock import tick

MOST_ADDED = 1 << 20
"""Characters by which the nodes below a condition may make it longer."""

_FILTER = "Filter"
_PROJECT = "Project"
_PYTHON = frozenset(("BatchEvalPython", "ArrowEvalPython"))
# Of several stages in one: the number stands behind the name.
_AS_THEY_ARE = frozenset(("WholeStageCodegen", "InputAdapter", "ColumnarToRow"))
# A copy-on-write command reads all rows of the files that it rewrites, and filters what to keep.
_REWRITE = "ReplaceData"
_SUBQUERY = ("Subquery", "ReusedSubquery")
_FILE = re.compile(r"[\[ ]_file#[0-9]")
_COPY_ON_WRITE = "IcebergCopyOnWriteScan(table="

# From its first character: to look for one from each of its characters takes quadratic time.
_NAME = r"(?<![^\s,()\[\]#])[^\s,()\[\]#]++"
_ATTRIBUTE = re.compile(r"#([0-9]{1,19})L?")
_OUTPUT = re.compile(r"#([0-9]{1,19})L?(?=, |\])")
_RENAMED = re.compile(
    r"(?:\[|, )([^\s,()\[\]#]+#[0-9]{1,19}L?) AS [^,()\[\]#]+#([0-9]{1,19})L?(?=, |\])"
)
_ADDED = re.compile(_NAME + r"#([0-9]{1,19})L?")
_EVALUATION = re.compile(r"\w+ \[(.*)\], \[([^\[\]]*)\](?:, [0-9]+)?", re.DOTALL)
_RESULT = re.compile(r"#[0-9]{1,19}L?\Z")
_SHORTENED = re.compile(r"\.\.\. [0-9]+ more fields")
# A list of a column alone, which the scan node has in full: Spark gives all of them to the planner.
_SHORTENED_LIST = re.compile(
    _NAME + r"#[0-9]{1,19}L? INSET (?:(?!\.\.\. |#[0-9]).)*+\.\.\. [0-9]+ more fields",
    re.DOTALL,
)
# A condition that is nothing but a column is printed with its type.
_COLUMN_ALONE = re.compile(r"(.*#[0-9]{1,19}): boolean", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Above:
    """Nodes above a node of a plan: Filter and Project nodes that its rows go through one by one,
    and nodes that add columns to them, from the top, as they are printed; whether there is a filter
    among them that is printed otherwise, and whether files are rewritten with the rows."""

    nodes: tuple[tuple[str, str], ...] = ()
    has_other: bool = False
    is_rewrite: bool = False


NOTHING = Above()


def below(above: Above, name: str, text: str) -> tuple[Above, Above]:
    """The nodes above the input of a node, and above its other children, by its name and text."""
    kind = name.partition(" ")[0]
    is_rewrite = kind == _REWRITE or (above.is_rewrite and kind not in _SUBQUERY)
    elsewhere = Above(is_rewrite=is_rewrite)
    if kind in _AS_THEY_ARE:
        return Above(above.nodes, above.has_other, is_rewrite), elsewhere
    if name == _FILTER or (above.nodes and (name == _PROJECT or name in _PYTHON)):
        nodes = (*above.nodes, (name, text))
        return Above(nodes, above.has_other, is_rewrite), elsewhere
    if _FILTER in kind:  # an accelerator's
        return Above(above.nodes, True, is_rewrite), elsewhere
    return elsewhere, elsewhere


def row_filter(above: Above, scan: Mapping[str, object]) -> RowFilter:
    """The conditions on the rows of a scan node."""
    text = str(scan.get("simpleString"))
    if above.is_rewrite and (_FILE.search(text) or _SHORTENED.search(text)):
        return ALL_ROWS
    if _COPY_ON_WRITE in text:
        return ALL_ROWS
    conditions = []
    made = [{} if name == _FILTER else _made(name, printed) for name, printed in above.nodes]
    is_shown = not above.has_other
    for place, (name, printed) in enumerate(above.nodes):
        if name != _FILTER:
            continue
        condition = printed.removeprefix(f"{_FILTER} ")
        alone = _COLUMN_ALONE.fullmatch(condition)
        condition = condition if alone is None else alone[1]
        cut = _SHORTENED.search(_SHORTENED_LIST.sub("", condition))
        if cut is not None or REDACTED in condition:
            is_shown = False
        adding = [of_node for of_node in made[place + 1 :] if of_node]
        if any(name != _FILTER for name, _ in above.nodes[place + 1 :]):
            through = _through(condition, adding, text)
            if through is None:
                is_shown = False
                continue
            condition = through
        conditions.append(_ATTRIBUTE.sub("#", condition))
    return RowFilter(tuple(conditions), is_shown)


def _made(name: str, printed: str) -> Mapping[str, str]:
    """The expressions that a node makes columns of, by the numbers of these columns."""
    return _called(printed) if name in _PYTHON else _renamed(printed)


def _through(condition: str, made: Iterable[Mapping[str, str]], scan: str) -> str | None:
    """A condition on the output of nodes, with their output replaced by what they make it of, if
    that is a column of the scan or a function in Python. Other names that are no column of the scan
    are marked. None if the condition grows by more than MOST_ADDED characters: functions of
    functions can double it with each."""
    longest = len(condition) + MOST_ADDED
    for of_node in made:
        tick()
        calls = (of_node.get(found[1], found[0]) for found in _ADDED.finditer(condition))
        if sum(map(len, calls)) > longest:
            return None
        condition = _ADDED.sub(partial(_instead, of_node), condition)
    of_scan = {found[1] for found in _OUTPUT.finditer(scan.partition("] ")[0] + "]")}
    return _ATTRIBUTE.sub(
        lambda found: found[0] if found[1] in of_scan else f"?{found[0]}", condition
    )


def _instead(made: Mapping[str, str], found: re.Match[str]) -> str:
    return made.get(found[1], found[0])


def _renamed(project: str) -> dict[str, str]:
    """The columns that a Project gives other names, by their new numbers."""
    return {found[2]: found[1] for found in _RENAMED.finditer(project)}


def _called(printed: str) -> dict[str, str]:
    """The calls of Python functions, by the numbers of their results."""
    found = _EVALUATION.fullmatch(printed)
    if found is None:
        return {}
    try:
        calls = arguments(found[1])
    except OddBrackets:
        return {}
    results = _ATTRIBUTE.findall(found[2])
    if len(calls) != len(results):
        return {}
    return {number: _RESULT.sub("", call) for number, call in zip(results, calls, strict=True)}
