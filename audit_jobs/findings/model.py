"""What a finding is: a cause, the evidence for it, and the statements that fix it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from collectors.observed import TableName

DOCUMENTATION = "https://github.com/prunescope/prunescope/blob/main/docs/findings.md"
"""The catalogue of causes; each has an anchor of its id."""


class Severity(StrEnum):
    """How much it matters, most first. `critical` is for results that may be wrong, `info` for
    what is worth knowing and no fault."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 is the most severe."""
        return list(Severity).index(self)


class Confidence(StrEnum):
    """How sure the cause is: `high` where metadata proves it, `medium` where it rests on a
    sample or on what an engine is known to do, `low` where it rests on an assumption."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


Field = tuple[str, str]
"""A partition field: its transform, and its column by full name."""


PartitionChange = frozenset[tuple[str, Field]]
"""What becomes of partition fields (`add`, `drop`), in no order."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What statements make of a table's layout: whether they change its partitions, and the columns
    by which they sort its rows, if any; with `is_zorder`, in a Z-order, else by values of the first
    that are `rounded` by a transform, and then by the others. `bytes_by_order` are those of the
    finding's bytes at stake that the order wins. `added` are the partition fields that the
    table gets, and `dropped` those that it loses. `modes` are the metrics modes of columns that the
    statements set. With `rewrites` all files come under the current partitioning, as their rows
    are. `bytes_instead` are those of the finding's bytes at stake that rows in order of its column,
    or partitions of it, win as well. An order `of_spread` values is all that the finding is about:
    that they are spread over all files. One of `any_columns` may as well be an order of several
    columns. `keeps` are the columns by which rows are sorted where they would be mixed, so that
    scans skip files as they do: no order that the finding asks for. With `keeps_files` small files
    are to stay, unless another finding has all files written anew. `withheld` is the layout that a
    finding without statements would ask for if more windows were known."""

    repartitions: bool = False
    order: tuple[str, ...] = ()
    bytes_by_order: int = 0
    added: tuple[Field, ...] = ()
    dropped: tuple[Field, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()
    rewrites: bool = False
    bytes_instead: int = 0
    is_zorder: bool = False
    rounded: str = "identity"
    keeps_files: bool = False
    of_spread: bool = False
    any_columns: bool = False
    keeps: tuple[str, ...] = ()
    withheld: Layout | None = None

    @property
    def moves_rows(self) -> bool:
        """Whether rows come into other partitions, or another order."""
        return bool(self.change or self.order or self.rewrites)

    @property
    def change(self) -> PartitionChange:
        """What becomes of partition fields, in no order; empty where they stay."""
        return frozenset(
            [*(("add", field) for field in self.added), *(("drop", f) for f in self.dropped)]
        )


KEPT = Layout()
"""Of statements that leave the layout as it is."""


@dataclass(frozen=True, slots=True)
class Fix:
    """What to do: statements that run as they are, for Spark with Iceberg's SQL extensions and
    for Trino, in order; `rewrite` is for the query's author, a condition to write, beside the
    query's own or instead of it, as `advice` says.

    `rewrite` has `?` for literals unless the user keeps them. `advice` says what no statement
    can do, and what to mind. `step` is all of it in a few words, None where there is nothing to
    do.
    """

    spark: tuple[str, ...] = ()
    trino: tuple[str, ...] = ()
    rewrite: str | None = None
    advice: str | None = None
    layout: Layout = KEPT
    step: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """A query that a finding is about: its id, or where the log has none, the place where it stands
    there; a `link` to it in a page of its engine."""

    query_id: str | None
    user: str | None
    started_at: dt.datetime | None
    source: str
    place: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause, found for one shape of query on a table, or, with `fingerprint` None, for the
    table as its whole workload uses it.

    `sentence` is for a tired person. `evidence` holds numbers and names, never literals of
    queries or values of rows. `bytes_read` are those of the data files that the scans kept;
    `bytes_at_stake` those of them that the fix lets a planner skip, None where nobody can tell.
    Both sum over `scans`. `conjunct` is the condition to blame, as text; `lost_at` the pass at
    which pruning was lost (`manifests`, `data_files`, `row_groups`); `suppressed` the reason why
    nobody needs to be told. `example` is the query that reads most of those that it is about.
    """

    cause: str
    severity: Severity
    confidence: Confidence
    table: TableName
    sentence: str
    scans: int
    bytes_read: int
    bytes_at_stake: int | None
    fix: Fix
    fingerprint: str | None = None
    conjunct: str | None = None
    columns: tuple[str, ...] = ()
    lost_at: str | None = None
    suppressed: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    example: Example | None = None

    @property
    def named(self) -> str:
        """How other findings of its table speak of it: several may have its cause."""
        return " of ".join(filter(None, [self.cause, ", ".join(self.columns)]))

    @property
    def documentation(self) -> str:
        """Where the catalogue explains the cause."""
        return f"{DOCUMENTATION}#{self.cause}"
