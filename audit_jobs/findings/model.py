"""Model of a finding: a cause, the evidence for it, and the statements that fix it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from prunescope.collectors.observed import TableName

DOCUMENTATION = "https://github.com/prunescope/prunescope/blob/main/docs/findings.md"
"""The catalogue of causes; each has an anchor of its id."""


class Severity(StrEnum):
    """Severity of a finding, most severe first. `critical` is for results that may be wrong, `info`
    for what is worth knowing and no fault."""

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
    """Certainty of a cause: `high` if metadata proves it, `medium` if it rests on a sample or on
    what an engine is known to do, `low` if it rests on an assumption."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


Field = tuple[str, str]
"""A partition field: its transform, and its column by full name."""


class Files(StrEnum):
    """Data files that are rewritten: none, all, small ones, or those with deletes."""

    NONE = "none"
    ALL = "all"
    SMALL = "small"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class Times:
    """A range of whole partitions of a time: values of a `column` from `start` on, up to `until`
    and without it, in the physical form of its `type`; None is no limit. These are times of the
    table's partitions, never literals of queries (docs/adr/0052)."""

    column: str
    type: str
    start: int | None
    until: int | None


@dataclass(frozen=True, slots=True)
class Change:
    """Change of a table, from which statements and words follow (`change_statements`, `remedy`).

    `added` are the partition fields that the table gets, `dropped` those that it loses. Rows are
    sorted by the columns of `order`: in a Z-order (`is_zorder`), or by values of the first that are
    `rounded` by a transform, and then by the others; later writes of Spark are, too. `keeps` are
    the columns by which rows are sorted if they would be mixed otherwise, so that scans skip files
    as they do. `modes` are metrics modes of columns, `bloom_filters` are of columns, with their
    bytes, and `row_group_bytes` are those of new files. `files` are written anew, each by itself
    with `file_by_file`, and only those that are `where` some times are; with `rewrites`, so that
    they come under the current partitioning. `manifests` are put in order, and `position_deletes`
    are merged.
    """

    added: tuple[Field, ...] = ()
    dropped: tuple[Field, ...] = ()
    order: tuple[str, ...] = ()
    is_zorder: bool = False
    rounded: str = "identity"
    keeps: tuple[str, ...] = ()
    modes: tuple[tuple[str, str], ...] = ()
    bloom_filters: tuple[tuple[str, int], ...] = ()
    row_group_bytes: int | None = None
    files: Files = Files.NONE
    file_by_file: bool = False
    where: Times | None = None
    rewrites: bool = False
    manifests: bool = False
    position_deletes: bool = False

    @property
    def acts(self) -> bool:
        """Tells whether there is anything to do."""
        return self != KEPT

    @property
    def changes_fields(self) -> bool:
        """Tells whether partition fields come or go."""
        return bool(self.added or self.dropped)

    @property
    def moves_rows(self) -> bool:
        """True if rows come into other partitions, or another order."""
        keeps = bool(self.keeps) and self.files is Files.ALL
        return self.changes_fields or bool(self.order) or self.rewrites or keeps

    @property
    def layout(self) -> Change:
        """Returns where rows lie afterwards, whatever else is done: the same of all changes that
        bring them there."""
        return Change(
            added=tuple(sorted(self.added)),
            dropped=tuple(sorted(self.dropped)),
            order=self.order or self.keeps,
            is_zorder=self.is_zorder,
            rounded=self.rounded,
            where=self.where,
        )


KEPT = Change()
"""No change."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Wish of a cause: details of the change that it asks for.

    `bytes_by_order` is the part of the bytes at stake that the order wins. With `of_spread`, the
    finding is only about values that are spread over all files. An order of `any_columns` may as
    well be an order of several columns. With `keeps_files`, small files stay, unless another
    finding has all files written anew. With `fewer_files`, the partitions wished for make scans
    open fewer files; of `any_of` some changes the trial tells which does. `withheld` is the change
    that would be asked for if more windows were known.
    `moving` are columns for which an order replaces the partitions wished for, as their values
    change.
    """

    bytes_by_order: int = 0
    of_spread: bool = False
    any_columns: bool = False
    keeps_files: bool = False
    fewer_files: bool = False
    any_of: tuple[Change, ...] = ()
    withheld: Change | None = None
    moving: tuple[str, ...] = ()


NO_WISH = Wish()
"""Nothing is said."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Fix of a finding: a change of the table, and the statements that make it, which are written
    once the change is settled. They run as they are, in order, for Spark with Iceberg's SQL
    extensions and for Trino. `rewrite` is for the query's author, a condition to write, beside the
    query's own or instead of it, as `advice` says.

    `rewrite` has `?` for literals unless the user keeps them. `advice` says what no statement can
    do, and what to mind. `step` is all of it in a few words, None if there is nothing to do.
    """

    spark: tuple[str, ...] = ()
    trino: tuple[str, ...] = ()
    rewrite: str | None = None
    advice: str | None = None
    change: Change = KEPT
    wish: Wish = NO_WISH
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
        """Name of the finding in texts of other findings of its table, several of which may have
        its cause."""
        return " of ".join(filter(None, [self.cause, ", ".join(self.columns)]))

    @property
    def documentation(self) -> str:
        """Address of the catalogue's entry on the cause."""
        return f"{DOCUMENTATION}#{self.cause}"
