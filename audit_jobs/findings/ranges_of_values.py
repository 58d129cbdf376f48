"""Ranges of the values of a column that has many, as a sort can have them first: by a transform
that makes one value of each range. Rows of a range are then in order of another column."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from math import log10, sqrt

from prunescope.audit_jobs.findings.usage import TableUsage
from prunescope.audit_jobs.health.model import ColumnHealth, TableHealth
from prunescope.audit_jobs.tuning import HALF, HELD_IN_RANGES, RANGES_OF_ROOT

_FEWEST = 2
_WIDEST = 2**31 - 1
"""Iceberg has widths as 32-bit numbers."""


def roundings(usage: TableUsage, name: str) -> list[str]:
    """Transforms that make ranges of a column, if its bounds are known."""
    health = usage.health
    column = None if health is None else health.column(name)
    if health is None or column is None:
        return []
    files = health.partition_files or health.data_files
    return ranges_between(column.type, column.low, column.high, files)


def are_in_ranges(usage: TableUsage, names: Iterable[str]) -> bool:
    """True if few files hold a value of any of the columns, such as rows in ranges of one column in
    order of another: other widths serve some queries at the expense of others, or by where their
    literals lie in the ranges, which is not worth rewriting everything."""
    health = usage.health
    if health is None:
        return False
    files = health.partition_files or health.data_files
    known = [health.column(name) for name in names]
    held = [None if one is None else _files_of_value(health, one) for one in known]
    few = min(HELD_IN_RANGES * sqrt(files), HALF * files)
    return all(count is not None and count <= few for count in held)


def _files_of_value(health: TableHealth, column: ColumnHealth) -> float | None:
    """Number of files of a partition, or of the table, that hold a value of a column."""
    if not health.partitions:
        return column.depth
    return health.files_of_value(column)


def ranges_between(type_name: str, low: object, high: object, files: float) -> list[str]:
    """Transforms that make ranges of the values between two, in physical form, each as wide as the
    next: of texts those that begin alike, by the first character in which they differ."""
    if type_name in ("int", "long") and isinstance(low, int) and isinstance(high, int):
        counts = [
            count for of_root in RANGES_OF_ROOT if (count := of_root * sqrt(files)) >= _FEWEST
        ]
        if low >= high:
            return []
        widths = [_of_two_digits((high - low + 1) / count) for count in counts if count >= _FEWEST]
        return [f"truncate[{width}]" for width in dict.fromkeys(widths) if 1 < width <= _WIDEST]
    if type_name == "string" and isinstance(low, bytes) and isinstance(high, bytes):
        pairs = zip(*(value.decode(errors="replace") for value in (low, high)), strict=False)
        alike = len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])
        return [f"truncate[{alike + 1}]"] if low < high else []
    return []


def _of_two_digits(width: float) -> int:
    """Number rounded to about two significant digits."""
    rest: int = 10 ** max(0, int(log10(max(1.0, width))) - 1)
    return round(width / rest) * rest
