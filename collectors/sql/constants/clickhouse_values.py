"""Numbers and texts of ClickHouse, whose casts fail or become NULL by rules of their own, and whose
text positions count bytes. Each function raises the errors that `call.Function` allows, for other
arguments."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from prunescope.collectors.sql.constants.call import Call
from prunescope.collectors.sql.constants.casts import cast
from prunescope.collectors.sql.constants.values import (
    NULL,
    CannotConvert,
    Fails,
    Folded,
    fails,
    is_int,
    not_constant,
)


def number(kind: exp.DType, *, is_tried: bool = False) -> Callable[[Call, Folded], Folded]:
    """toInt32() and the like, or toInt32OrNull()."""

    def of(call: Call, value: Folded) -> Folded:
        if is_tried and not isinstance(value, str):
            raise not_constant()
        if isinstance(value, str) and value != value.strip():
            return _failed(is_tried=is_tried)
        made = exp.Cast(this=exp.Null(), to=exp.DataType(this=kind))
        try:
            return cast(made, value, call.session)
        except Fails:
            return _failed(is_tried=is_tried)

    return of


def _failed(*, is_tried: bool) -> Folded:
    if is_tried:
        return NULL
    raise fails()


def accurate(call: Call, value: Folded, name: Folded) -> Folded:
    """accurateCastOrNull() of a whole number to a type of whole numbers."""
    kind = KINDS.get(name.lower()) if isinstance(name, str) else None
    if kind is None or not is_int(value):
        raise not_constant()
    try:
        return number(kind)(call, value)
    except CannotConvert:  # which the type does not hold
        return NULL


def remainder(_call: Call, value: Folded, divisor: Folded) -> int:
    """moduloOrZero() of whole numbers."""
    if not is_int(value) or not is_int(divisor):
        raise not_constant()
    if divisor == 0:
        return 0
    return abs(value) % abs(divisor) * (1 if value >= 0 else -1)


def in_bytes(of: Callable[..., Folded]) -> Callable[..., Folded]:
    """A function of texts, changed so that its positions and lengths count bytes."""

    def in_bytes(call: Call, *values: Folded) -> Folded:
        single = [
            each.encode("utf-8", "surrogateescape").decode("latin-1")
            if isinstance(each, str)
            else each
            for each in values
        ]
        found = of(call, *single)
        if not isinstance(found, str):
            return found
        return found.encode("latin-1").decode("utf-8", "surrogateescape")

    return in_bytes


def is_empty(_call: Call, value: Folded) -> bool:
    """empty()."""
    if not isinstance(value, str):
        raise not_constant()
    return not value


KINDS = {
    "int8": exp.DType.TINYINT,
    "int16": exp.DType.SMALLINT,
    "int32": exp.DType.INT,
    "int64": exp.DType.BIGINT,
    "uint8": exp.DType.UTINYINT,
    "uint16": exp.DType.USMALLINT,
    "uint32": exp.DType.UINT,
    "uint64": exp.DType.UBIGINT,
}
