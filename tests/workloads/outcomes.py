"""What becomes of a workload when its table, or its queries, are changed as a finding says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlglot
from sqlglot import exp

from prunescope.audit_jobs.findings.model import Finding
from tests.scenarios.lake import Query
from tests.workloads.lake import Night, Tables, audit_pair
from tests.workloads.layouts import CannotApply, apply
from tests.workloads.model import Pair
from tests.workloads.physical import Layout

SLACK = 1.02
"""How much more a workload may cost after a fix that does no harm: files are not cut to the row."""
_ROW_GROUPS = "row_groups_not_pruned"
_QUERY = re.compile(r"(.*? WHERE )(.*?)((?: GROUP BY| ORDER BY| LIMIT)[^()]*)?", re.DOTALL)
_WITHIN = "Add it to the WHERE of the SELECT that reads the table"
FILTERS = 1.05
"""How much larger files may be for what tells their row groups apart."""


@dataclass(frozen=True)
class Outcome:
    """One finding, and its fix applied to the table or queries as they were: the nights before and
    after; `after` is None, with a reason, where nothing can be applied. Opening a file costs as
    much as so many bytes (`opening`)."""

    finding: Finding
    opening: int
    before: Night
    after: Night | None
    reason: str | None = None

    @property
    def promised(self) -> float | None:
        """The share of the bytes read that is at stake; None where none are promised."""
        stake = self.finding.bytes_at_stake
        return None if stake is None else stake / self._read(self.before)

    @property
    def saved(self) -> float | None:
        """The share of the bytes read, over all queries of the table, that is not read any more: of
        those of files, or of row groups within them, whichever is less."""
        if self.after is None:
            return None
        told = 1 - self._read(self.after) / self._read(self.before)
        if self.finding.cause == _ROW_GROUPS:
            return told
        return min(told, 1 - self.after.bytes_read / max(1, self.before.bytes_read))

    @property
    def again(self) -> bool:
        """Whether the same is found once more when the fix is done."""
        after = self.after.findings if self.after is not None else ()
        return any(
            (finding.cause, finding.columns) == (self.finding.cause, self.finding.columns)
            for finding in after
        )

    @property
    def harmful(self) -> bool:
        """Whether the workload costs more than it did: bytes (of a fix for row groups, those of
        these, and hardly more of files: a bloom filter is read by who looks for its column), files
        at the price of opening them, what readers read of row groups, and, of a fix for manifests,
        these."""
        if self.after is None:
            return False
        if self.finding.cause == "scattered_manifests":
            return self.after.manifests_kept > self.before.manifests_kept
        is_inside = self.finding.cause == _ROW_GROUPS
        if is_inside and self.after.bytes_kept > self.before.bytes_kept * FILTERS:
            return True
        if not is_inside and self.after.bytes_read > self.before.bytes_read * SLACK:
            return True
        return self._cost(self.after) > self._cost(self.before) * SLACK

    def _read(self, night: Night) -> int:
        if self.finding.cause == _ROW_GROUPS:
            return night.row_group_bytes_kept
        return night.bytes_kept

    def _cost(self, night: Night) -> float:
        return self._read(night) + self.opening * night.files_kept


def outcomes(pair: Pair, tables: Tables) -> list[Outcome]:
    """Each finding of a pair, applied alone."""
    before = audit_pair(pair, tables)
    if not before.findings:
        return []
    layout = pair.layout()
    return [
        _outcome(pair, layout, number, before, tables) for number in range(len(before.findings))
    ]


def _outcome(pair: Pair, layout: Layout, number: int, before: Night, tables: Tables) -> Outcome:
    finding = before.findings[number]
    opening = int(layout.properties["read.split.open-file-cost"])
    queries = rewritten(pair, finding)
    if not finding.fix.spark and queries is None:
        return Outcome(finding, opening, before, None, "advice alone")
    try:
        metadata = (
            tables.write(f"{pair.name}.{number}", apply(finding.fix.spark, layout))
            if finding.fix.spark
            else tables.of(pair)
        )
    except CannotApply as error:
        return Outcome(finding, opening, before, None, str(error))
    asked = pair.queries if queries is None else queries
    return Outcome(finding, opening, before, tables.audit(pair, metadata, asked))


def rewritten(pair: Pair, finding: Finding) -> Sequence[Query] | None:
    """The queries as the finding wants them: with its condition beside their own, where it is
    complete and all queries are one; else as the pair says that their author writes them."""
    if finding.cause in pair.rewritten:
        return pair.rewritten[finding.cause]
    condition = finding.fix.rewrite
    if condition is None or "?" in condition or "…" in condition:
        return None
    asked = [query for query in pair.queries if isinstance(query, Query)]
    if len(asked) < len(pair.queries) or len({query.sql for query in asked}) > 1:
        return None
    advice = finding.fix.advice or ""
    if _WITHIN in advice:
        return [replace(query, sql=_pasted_within(query, condition, pair)) for query in asked]
    in_brackets = "in parentheses first" in advice
    return [
        replace(query, sql=_pasted(query.sql, condition, in_brackets=in_brackets))
        for query in asked
        if " WHERE " in query.sql
    ]


def in_its_place(query: Query, finding: Finding) -> Query | None:
    """The query with a finding's condition for all that it asks, where that is one condition."""
    match = _QUERY.fullmatch(query.sql)
    where = sqlglot.parse_one(query.sql, dialect=query.engine).args.get("where")
    if match is None or where is None or isinstance(where.this, exp.And | exp.Or):
        return None
    head, _, tail = match.groups()
    return replace(query, sql=f"{head}{finding.fix.rewrite}{tail or ''}")


def _pasted_within(query: Query, condition: str, pair: Pair) -> str:
    """A query with a condition in the SELECT that reads its table."""
    tree = sqlglot.parse_one(query.sql, read=query.engine)
    (of_table,) = (node for node in tree.find_all(exp.Table) if node.name == pair.name)
    select = of_table.parent_select
    assert isinstance(select, exp.Select)
    select.where(condition, dialect=query.engine, copy=False)
    return tree.sql(dialect=query.engine)


def _pasted(sql: str, condition: str, *, in_brackets: bool) -> str:
    """A query with a condition after all others, as it is given, and these in brackets where that
    is told."""
    match = _QUERY.fullmatch(sql)
    assert match is not None
    head, filter_, tail = match.groups()
    return f"{head}{f'({filter_})' if in_brackets else filter_} AND {condition}{tail or ''}"
