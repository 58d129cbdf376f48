"""What an expert would say of a table and a day of queries, written before anything was run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.workloads.blocks import Made

KINDS = (
    "condition",  # write the query otherwise
    "bounds",  # metrics of a column, and a rewrite so that files get them
    "manifests",  # rewrite_manifests
    "rewrite_some",  # rewrite some files as they are: small ones, or those of an old spec
    "order",  # an order of rows (a sort, or a curve) inside the present partitions
    "partition",  # other partition fields
    "bloom",  # bloom filters
    "nothing",
)


@dataclass(frozen=True)
class Change:
    """One thing to do. `columns` are those it is about, and `text` says it as one would to a
    colleague: a term of an order, a partition field, or a condition."""

    kind: str
    columns: tuple[str, ...] = ()
    text: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(self.kind)


NOTHING = Change("nothing")


@dataclass(frozen=True)
class Truth:
    """A pair, and what is true of it.

    `share` is what the first change saves of the bytes of data files that all queries of the day
    read together (for `bloom`, of the row groups' bytes). `harmful` are patterns, as `re.search`
    takes them, that the statements of one finding (joined by line feeds, in order) must not hold.
    Of `also_fine`, some win less than the first, where their text says so. `statements` are those
    of the first change, for Spark, as `tests.workloads.layouts.apply` carries them out; `rewritten`
    the queries in their better words, in the order of `queries`. `row_bytes` is about what a row
    takes. `days` is of how many days the queries are known.
    """

    name: str
    layout: Made
    queries: Sequence[Any]
    sound: bool
    first: Change
    also_fine: tuple[Change, ...]
    harmful: tuple[str, ...]
    share: tuple[float, float]
    why: str
    statements: tuple[str, ...] = ()
    rewritten: Sequence[Any] = ()
    row_bytes: float = 100
    days: int = 7


def sort(name: str, by: str) -> tuple[str, ...]:
    """Statements that sort the rows of each partition."""
    return (f"ALTER TABLE `lake`.`db`.`{name}` WRITE ORDERED BY {by};", _call(name, by))


def curve(name: str, by: str) -> tuple[str, ...]:
    """One that lays rows along a curve."""
    return (_call(name, by),)


def _call(name: str, by: str) -> str:
    return (
        f"CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`{name}`',"
        f" strategy => 'sort', sort_order => '{by}', options => map('rewrite-all', 'true'));"
    )


def fields(name: str, *changes: str, by: str | None = None) -> tuple[str, ...]:
    """Statements that change partition fields, and rewrite all files (sorted, if `by` is given)."""
    altered = tuple(f"ALTER TABLE `lake`.`db`.`{name}` {change};" for change in changes)
    return (*altered, *(sort(name, by) if by else (rewrite(name),)))


def rewrite(name: str) -> str:
    """All files anew."""
    return (
        f"CALL `lake`.system.rewrite_data_files(table => '`lake`.`db`.`{name}`',"
        " options => map('rewrite-all', 'true'));"
    )


def metrics(name: str, column: str, mode: str, by: str) -> tuple[str, ...]:
    """Statements that give a column bounds, and rewrite all files in an order."""
    key = f"write.metadata.metrics.column.{column}"
    return (
        f"ALTER TABLE `lake`.`db`.`{name}` SET TBLPROPERTIES ('{key}' = '{mode}');",
        _call(name, by),
    )
