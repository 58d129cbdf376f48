"""Answers from JSON documents, and their form in Arrow.

An answer of Python has the keys of the JSON that commands print as attributes.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    import pyarrow as pa
    from pydantic import TypeAdapter

_Answer = TypeVar("_Answer")


def answer_of(kind: Callable[..., _Answer], document: Mapping[str, Any]) -> _Answer:
    """The frozen dataclass of a JSON document, whose keys are its fields. Lists become tuples."""
    answer: _Answer = _reader(kind).validate_python(document)
    return answer


@cache
def _reader(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


def arrow_of(kind: type[Any], rows: Sequence[Any]) -> pa.Table:
    """A table with a row for each answer, and a column for each of its fields. Fields that hold
    more than values and lists of them are text of JSON."""
    import pyarrow as pa

    types = {name: _arrow_type(hint) for name, hint in get_type_hints(kind).items()}
    columns = {
        name: pa.array([_cell(getattr(row, name), type_) for row in rows], type_ or pa.string())
        for name, type_ in types.items()
    }
    return pa.table(columns)


def _cell(value: Any, type_: pa.DataType | None) -> Any:
    if type_ is not None or value is None:
        return value
    return json.dumps(_reader(value.__class__).dump_python(value, mode="json"))


def _arrow_type(hint: Any) -> pa.DataType | None:
    """The type of a field's column; None where that is JSON."""
    import pyarrow as pa

    if get_origin(hint) is UnionType:
        [hint] = (part for part in get_args(hint) if part is not NoneType)
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        inner = _arrow_type(get_args(hint)[0])
        return None if inner is None else pa.list_(inner)
    simple = {
        str: pa.string(),
        int: pa.int64(),
        float: pa.float64(),
        bool: pa.bool_(),
        dt.datetime: pa.timestamp("us", "UTC"),
    }
    return simple.get(hint)
