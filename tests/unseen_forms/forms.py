"""Conditions, and the rows that they match, written from the documentation of engines and without
a look at what `prunescope.collectors.sql` reads: `tests/data/unseen_forms`, a file for each
dialect, and `tests/data/unseen_forms_third`, a set written later by somebody who had not seen the
answers.

A `[[form]]` has

- `columns`: names and Iceberg types of its columns, all of them optional;
- `where`: the condition;
- `truth`: the rows that match, in the grammar of `tests/unseen_forms/value_sets.py`. `within …` is
  the smallest such set around these, if no such set is exact; `none` says that no range follows;
- `witnesses`: rows that match, where the truth is not exact;
- `zone`: the time zone of the session, else UTC;
- `ansi`: false where Spark has to read a text that is no value as null.

A form whose id begins with `trap-` looks like one of the others and says less, or something else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tests.unseen_forms.value_sets import Box, Row, parse_boxes

FIRST, THIRD = "unseen_forms", "unseen_forms_third"
SETS = (FIRST, THIRD)

_DATA = Path(__file__).parents[1] / "data"

_COLUMN = re.compile(r"(\w+) (\w+(?:\([^)]*\))?)(?:, |$)")


class Kind(Enum):
    """How a truth says which rows match."""

    EXACT = "exact"
    WITHIN = "within"
    NONE = "none"


@dataclass(frozen=True)
class Form:
    """A condition in the SQL of an engine, and the rows that it matches."""

    dialect: str
    name: str
    columns: Mapping[str, str]
    where: str
    kind: Kind
    boxes: tuple[Box, ...]
    witnesses: tuple[Box, ...]
    zone: str
    is_ansi: bool

    @property
    def topic(self) -> str:
        """The part of the name that says what the condition is about."""
        return self.name.removeprefix("trap-").rpartition("-")[0]

    @property
    def is_trap(self) -> bool:
        """Tells whether the condition says less than it seems to."""
        return self.name.startswith("trap-")

    def must_keep(self, row: Row) -> bool:
        """Tells whether the row is known to match."""
        certain = self.boxes if self.kind is Kind.EXACT else self.witnesses
        return any(row in box for box in certain)

    def may_drop(self, row: Row) -> bool:
        """Tells whether the row is known not to match."""
        return self.kind is not Kind.NONE and not any(row in box for box in self.boxes)


def dialects(of: str = FIRST) -> tuple[str, ...]:
    """Names of the dialects that have a file in a set."""
    return tuple(sorted(path.stem for path in (_DATA / of).glob("*.toml")))


def forms(dialect: str, of: str = FIRST) -> tuple[Form, ...]:
    """The forms of a dialect in a set, in the order of its file.

    Raises:
        ValueError: a truth is not of the grammar, or not exact and without witnesses.
    """
    with (_DATA / of / f"{dialect}.toml").open("rb") as file:
        return tuple(_form(dialect, entry) for entry in tomllib.load(file)["form"])


def _form(dialect: str, entry: Mapping[str, Any]) -> Form:
    columns = dict(_COLUMN.findall(entry["columns"]))
    kind, boxes = _truth(entry["truth"], columns)
    witnesses = parse_boxes(entry["witnesses"], columns) if "witnesses" in entry else ()
    if bool(witnesses) is (kind is Kind.EXACT):
        raise ValueError(f"{dialect} {entry['id']}: witnesses are what a truth needs to be exact")
    return Form(
        dialect=dialect,
        name=entry["id"],
        columns=columns,
        where=entry["where"],
        kind=kind,
        boxes=boxes,
        witnesses=witnesses,
        zone=entry.get("zone", "UTC"),
        is_ansi=entry.get("ansi", True),
    )


def _truth(text: str, columns: Mapping[str, str]) -> tuple[Kind, tuple[Box, ...]]:
    if text == "none":
        return Kind.NONE, ()
    if text.startswith("within "):
        return Kind.WITHIN, parse_boxes(text.removeprefix("within "), columns)
    return Kind.EXACT, parse_boxes(text, columns)
