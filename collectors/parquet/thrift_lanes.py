"""Structures of Thrift's compact protocol, many at once: each is a lane.

Structures that a writer makes of one kind of thing differ in the values of few fields. The first
of some is read field by field, which makes steps of it; all of them then take these steps, each by
a few array operations, and a lane that a step does not fit is of another shape. What is accepted
here is read alike by any decoder of Thrift: fields in the order of their numbers, and numbers of
no more bytes than their kind takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunescope.collectors.arrays import BoolArray, IntArray
from prunescope.collectors.parquet.thrift_numbers import Bytes, list_head, varint

# Kinds of values in the compact protocol.
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET = range(1, 11)
STRUCT = 12
_LONGEST_OF = {I16: 2, I32: 4, I64: 8}
"""Bytes of a number. Some have more: they are left to others."""

_LONGEST = 1 << 16
"""Bytes of a structure that is made steps of."""
_MAX_STEPS = 500
_MAX_SHAPES = 64


class Unusual(Exception):
    """A structure that lanes do not read: another decoder must judge it."""


class Field(NamedTuple):
    """A field of use: the kind that it must be of, and for a list the kind of its items. The place
    of a number or bytes with a `name` is noted. An `is_fixed` value is the same in all structures
    of a shape, and an `is_positive` one is not 0 in any."""

    kind: int
    items: int | None = None
    name: str | None = None
    is_fixed: bool = False
    is_positive: bool = False


Path = tuple[int, ...]
Fields = Mapping[Path, Field]
"""Fields by their numbers, from the outer structure on; items of a list have its path."""


class _Same(NamedTuple):
    """Bytes that must equal those of the first structure."""

    content: bytes


class _Number(NamedTuple):
    longest: int
    field: Field


class _Binary(NamedTuple):
    field: Field


class _Past(NamedTuple):
    size: int


_Step = _Same | _Number | _Binary | _Past


def _steps(content: bytes, fields: Fields, before: int) -> list[_Step]:
    """The steps that read the structure at the start of `content`; `before` is the number of the
    field before its first. Raises Unusual."""
    reading = _Reading(content, fields)
    try:
        reading.structure((), before)
    except (IndexError, RecursionError) as error:
        raise Unusual("no structure") from error
    return reading.steps


class _Reading:
    """Reads a structure field by field."""

    def __init__(self, content: bytes, fields: Fields) -> None:
        self._content = content
        self._fields = fields
        self._at = 0
        self.steps: list[_Step] = []

    def structure(self, path: Path, before: int = 0) -> None:
        """Reads fields up to the end."""
        number = before
        while head := self._byte():
            if not head >> 4:
                raise Unusual("a field whose number is not told by the one before")
            number += head >> 4
            here = (*path, number)
            field = self._fields.get(here, Field(head & 0xF))
            if field.kind != head & 0xF:
                raise Unusual("a field of another kind")
            if field.kind not in (TRUE, FALSE):  # which are all that there is of them
                self._value(field.kind, here, field)

    def _value(self, kind: int, path: Path, field: Field) -> None:
        if kind in _LONGEST_OF:
            start = self._at
            self._varint()
            if field.is_fixed:
                self._add(_Same(self._content[start : self._at]))
            else:
                self._add(_Number(_LONGEST_OF[kind], field))
        elif kind == BINARY:
            size = self._varint()
            self._at += size
            self._add(_Binary(field))
        elif kind in (TRUE, FALSE, BYTE, DOUBLE):
            size = 8 if kind == DOUBLE else 1
            self._at += size
            self._add(_Past(size))
        elif kind == STRUCT:
            self.structure(path)
        elif kind in (LIST, SET):
            self._list(path, field)
        else:
            raise Unusual("a value of a kind that is not known")

    def _list(self, path: Path, field: Field) -> None:
        start = self._at
        count, kind, self._at = list_head(self._content, start)
        if field.items not in (None, kind):
            raise Unusual("a list of another kind")
        self._add(_Same(self._content[start : self._at]))
        for _ in range(count):
            self._value(kind, path, field)

    def _byte(self) -> int:
        found = self._content[self._at]
        self._at += 1
        self._add(_Same(bytes([found])))
        return found

    def _varint(self) -> int:
        number, self._at = varint(self._content, self._at)
        return number

    def _add(self, step: _Step) -> None:
        if len(self.steps) > _MAX_STEPS:
            raise Unusual("a structure of too many values")
        last = self.steps[-1] if self.steps else None
        if isinstance(step, _Same) and isinstance(last, _Same):
            self.steps[-1] = _Same(last.content + step.content)
        else:
            self.steps.append(step)


@dataclass(frozen=True)
class Structures:
    """Structures that were read at once: where each `ends`, and its `shape`, -1 for those that
    were not read; `firsts` are the first of each shape. Fields with a name begin at `places`, -1
    where there is none; `sizes` are the bytes of those that are no numbers."""

    ends: IntArray
    shape: IntArray
    firsts: list[int]
    places: dict[str, IntArray]
    sizes: dict[str, IntArray]


def read_structures(content: Bytes, at: IntArray, fields: Fields, *, before: int) -> Structures:
    """The structures that begin at these places, after their field of a number.

    None may begin there: what follows has to be where such a structure ends.
    """
    count = len(at)
    found = Structures(np.zeros(count, np.int64), np.full(count, -1), [], {}, {})
    rest = np.arange(count)
    for _ in range(_MAX_SHAPES):
        if not len(rest):
            break
        first = int(rest[0])
        start = int(at[first])
        try:
            steps = _steps(content.data[start : start + _LONGEST].tobytes(), fields, before)
        except Unusual:
            rest = rest[1:]
            continue
        taken = _take(content, steps, at[rest])
        rows = rest[taken.rows]
        found.ends[rows] = taken.at
        found.shape[rows] = len(found.firsts)
        found.firsts.append(first)
        for noted, into in ((taken.places, found.places), (taken.sizes, found.sizes)):
            for name, values in noted.items():
                if len(rows) == count:
                    into[name] = values
                else:
                    into.setdefault(name, np.full(count, -1))[rows] = values
        left = np.ones(len(rest), np.bool_)
        left[taken.rows] = left[0] = False
        rest = rest[left]
    return found


@dataclass(slots=True)
class _Lanes:
    """Lanes that have taken all steps until now: their rows, their positions, and the places and
    sizes that were noted."""

    rows: IntArray
    at: IntArray
    places: dict[str, IntArray]
    sizes: dict[str, IntArray]

    def keep(self, fits: BoolArray) -> None:
        if not fits.all():
            self.rows, self.at = self.rows[fits], self.at[fits]
            self.places = {name: places[fits] for name, places in self.places.items()}
            self.sizes = {name: sizes[fits] for name, sizes in self.sizes.items()}


def _take(content: Bytes, steps: list[_Step], at: IntArray) -> _Lanes:
    lanes = _Lanes(np.arange(len(at)), at, {}, {})
    for step in steps:
        match step:
            case _Same(text):
                lanes.keep(content.have(lanes.at, text))
                lanes.at = lanes.at + len(text)
            case _Past(size):
                lanes.at = lanes.at + size
            case _Number(longest, field):
                if field.is_positive:
                    numbers, lengths = content.unsigned(lanes.at)
                    fits = (lengths > 0) & (lengths <= longest) & (numbers != 0)
                else:
                    lengths = content.lengths(lanes.at)
                    fits = (lengths > 0) & (lengths <= longest)
                if field.name is not None:
                    lanes.places[field.name] = lanes.at
                lanes.at = lanes.at + lengths
                lanes.keep(fits)
            case _Binary(field):
                sizes, lengths = content.unsigned(lanes.at)
                lanes.at = lanes.at + lengths
                if field.name is not None:
                    lanes.places[field.name], lanes.sizes[field.name] = lanes.at, sizes
                lanes.at = lanes.at + sizes
                lanes.keep((lengths > 0) & (lengths <= _LONGEST_OF[I32]))
        if not len(lanes.rows):
            break
    return lanes
