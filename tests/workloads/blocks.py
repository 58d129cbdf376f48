"""Blocks of text, and the tables that they describe.

A file of `tests/data/workloads` has lines `NAME = EXPRESSION`, which hold for all of it, and
blocks: a head, and lines that are indented by two spaces; what is indented by four goes on with the
line above. Lines that begin with `#` are remarks. Expressions are Python's, over `WORDS`.

A block `layout NAME` is a table of files, `rows NAME(PARAMETERS)` rows of one, and `value
NAME(PARAMETERS)` anything else that others of its file, or of another, are made with. Its lines are
done one after the other:

- `draw SEED` starts a generator of random numbers, whose methods are words from there on;
- `name = expression` gives a name. One named `count` is how many numbers are drawn at a time;
- `column: expression` is a column of the rows;
- `payload seed=3, row_bytes=72` are arguments of `tests.workloads.rows.table`, `by days(ts),
  region` the partition, and `laid file_rows=400` others of `tests.workloads.rows.laid_out`;
- `= expression` is the result, in place of columns.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tests.workloads import physical, rows
from tests.workloads.jobs import job
from tests.workloads.layouts import apply

DATA = Path(__file__).parents[1] / "data" / "workloads"

_HEAD = re.compile(r"(?P<kind>[a-z]+) (?P<name>\w+)(?:\((?P<parameters>.*)\))?(?: of (?P<of>\w+))?")
_COLUMN = re.compile(r"(?P<name>\w+): (?P<text>.*)")
_NAMED = re.compile(r"(?!(?:by|laid|payload|draw) (?!=))[\w, \[\]()'.<*:-]+? [|+]?= ")

_OF_NUMPY = [
    "arange",
    "argsort",
    "array",
    "concatenate",
    "float64",
    "full",
    "int32",
    "int64",
    "lexsort",
    "maximum",
    "minimum",
    "nan",
    "repeat",
    "searchsorted",
    "sort",
    "tile",
    "where",
    "zeros",
]
_PLACES = {
    "integers": 2,
    "uniform": 2,
    "normal": 2,
    "choice": 1,
    "geometric": 1,
    "random": 0,
    "permutation": 0,
}
"""Where methods of a generator have the size, which is `count` unless it is said."""

WORDS: Mapping[str, Any] = {
    **{name: getattr(np, name) for name in _OF_NUMPY},
    **{name: getattr(physical, name) for name in ("Commit", "Layout", "cut", "split")},
    **{
        name: getattr(rows, name)
        for name in [
            "DAY",
            "FILE_ROWS",
            "ROW_BYTES",
            "START",
            "TARGET_BYTES",
            "dates",
            "day",
            "day_text",
            "instant",
            "laid_out",
            "loaded",
            "random_uuids",
            "rng",
            "scaled",
            "table",
            "texts",
            "times",
        ]
    },
    "np": np,
    "pa": pa,
    "pc": pc,
    "dt": dt,
    "Decimal": Decimal,
    "hashlib": hashlib,
    "uuid": uuid,
    "job": job,
    "replace": replace,
    "apply": apply,
    "pairwise": itertools.pairwise,
    "product": itertools.product,
}


@dataclass(frozen=True)
class Block:
    """A head and its lines."""

    kind: str
    name: str
    parameters: str
    of: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Made:
    """The table, rows or value of a block, which each call makes anew: a value itself, so that it
    goes to other processes."""

    path: Path
    name: str

    @property
    def folder(self) -> str:
        """The folder of the table. Audits draw by paths what they draw at random, so that another
        name is another draw."""
        where = self.path.relative_to(DATA).with_suffix("").parts
        return ".".join(("tests.workloads.pairs", *where, self.name))

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        block = _blocks(self.path)[self.name]
        if block.kind == "value" and not block.parameters:
            return _value(self)
        scope = dict(words_of(self.path))
        if block.parameters:
            scope |= evaluated(f"(lambda {block.parameters}: locals())", scope)(*arguments, **named)
        return _result(block, scope)


@cache
def _value(made: Made) -> Any:
    return _result(_blocks(made.path)[made.name], dict(words_of(made.path)))


def evaluated(expression: str, scope: Mapping[str, Any]) -> Any:
    """The value of an expression of the data."""
    return eval(expression, dict(scope))  # noqa: S307  # text of this repository


def files() -> list[Path]:
    """All files, in the order of their names."""
    return sorted(DATA.rglob("*.txt"))


def blocks(path: Path) -> Iterator[Block]:
    """The blocks of a file, in order. Raises ValueError of a head that is none."""
    head, lines = "", []
    for line in (*_joined(path.read_text(encoding="utf-8")), "end"):
        if line.startswith("  "):
            lines.append(line[2:])
            continue
        if head:
            yield _block(head, tuple(lines))
        head, lines = ("" if " = " in line else line), []


def _block(head: str, lines: tuple[str, ...]) -> Block:
    found = _HEAD.fullmatch(head)
    if found is None:
        raise ValueError(f"{head!r} begins no block")
    return Block(found["kind"], found["name"], found["parameters"] or "", found["of"] or "", lines)


def _joined(text: str) -> Iterator[str]:
    """Lines with what goes on with them, without remarks."""
    whole = ""
    for line in text.splitlines():
        if line.startswith("    "):
            whole += f" {line[4:]}"
            continue
        if whole:
            yield whole
        whole = "" if line.lstrip().startswith("#") else line
    if whole:
        yield whole


@cache
def _blocks(path: Path) -> Mapping[str, Block]:
    return {block.name: block for block in blocks(path) if block.kind in _MADE}


_MADE = ("layout", "rows", "value")


@cache
def _everywhere() -> Mapping[str, Made]:
    """What is made by one file alone under its name."""
    made = [Made(path, name) for path in files() for name in _blocks(path)]
    often = Counter(one.name for one in made)
    return {one.name: one for one in made if often[one.name] == 1}


@cache
def words_of(path: Path) -> Mapping[str, Any]:
    """All that expressions of a file may name: `WORDS`, what is made elsewhere, and its own."""
    scope = {**_everywhere(), **WORDS, **{name: Made(path, name) for name in _blocks(path)}}
    for line in _joined(path.read_text(encoding="utf-8")):
        if not line.startswith(" ") and " = " in line:
            name, _, expression = line.partition(" = ")
            scope[name] = evaluated(expression, scope)
    return scope


def _result(block: Block, scope: dict[str, Any]) -> Any:
    columns: dict[str, Any] = {}
    of_rows: dict[str, Any] = {}
    laid: dict[str, Any] = {}
    partition: tuple[str, ...] = ()
    for line in block.lines:
        if line.startswith("= "):
            return evaluated(line[2:], scope)
        word, _, rest = line.partition(" ")
        if column := _COLUMN.fullmatch(line):
            columns[column["name"]] = evaluated(column["text"], scope)
        elif _NAMED.match(line):
            exec(line, scope)  # noqa: S102  # text of this repository
        elif word == "draw":
            scope |= _draws(evaluated(rest, scope), scope)
        elif word == "payload":
            of_rows = evaluated(f"dict({rest})", scope)
        elif word == "laid":
            laid = evaluated(f"dict({rest})", scope)
        elif word == "by":
            partition = tuple(re.split(r", (?![^(]*\))", rest))
        else:
            raise ValueError(f"{block.name}: {line!r}")
    made = rows.table(columns, **of_rows)
    return rows.laid_out(made, *partition, **laid) if block.kind == "layout" else made


def _draws(seed: int, scope: Mapping[str, Any]) -> dict[str, Any]:
    draw = rows.rng(seed)

    def sized(name: str, place: int) -> Callable[..., Any]:
        method = getattr(draw, name)
        key = "x" if name == "permutation" else "size"

        def drawn(*arguments: Any, **named: Any) -> Any:
            if len(arguments) <= place and key not in named:
                named[key] = scope.get("count")
            return method(*arguments, **named)

        return drawn

    return {"draw": draw, **{name: sized(name, place) for name, place in _PLACES.items()}}
