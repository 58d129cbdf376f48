"""Edits of files: the conditions that select the same rows, in the place of the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from difflib import unified_diff

from prunescope.audit_jobs.checking.conditions import ReadStatement, statements_in
from prunescope.audit_jobs.checking.places import Spot
from prunescope.audit_jobs.checking.regions import replaced
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.predicates.model import Predicate, Unsupported, all_of
from prunescope.collectors.predicates.simplify import simplified
from prunescope.collectors.predicates.walks import map_leaves
from prunescope.collectors.sql.text.spans import Span
from prunescope.collectors.tables.catalog import Table

Edits = Mapping[Span, str]
"""The words to put in the place of some spans of a text."""


def edits_of(spots: Iterable[Spot]) -> dict[Span, str]:
    """The exact rewrites of the places of a file, of those that overlap the first."""
    found: dict[Span, str] = {}
    end = 0
    for spot in sorted(spots, key=lambda each: each.span):
        if spot.rewrite is None or not spot.rewrite.is_exact or spot.span.start < end:
            continue
        found[spot.span] = spot.rewrite.sql
        end = spot.span.end
    return found


def keep_rows(query: ObservedQuery, edits: Edits, tables: Mapping[TableName, Table]) -> bool:
    """True if the filters of all scans of a file say the same after edits: it is read again as a
    whole. What cannot be evaluated was not edited, but for queries in it, which have their own."""
    assert query.sql is not None
    after = replace(query, sql=replaced(query.sql, edits))
    before, now = (_filters(statements_in(each, tables)) for each in (query, after))
    return before == now


def _filters(statements: Iterable[ReadStatement]) -> list[tuple[str, Predicate]]:
    return [
        (
            f"{scan.table.name} {scan.placed.alias}",
            simplified(all_of(*(_evaluated(each.predicate) for each in scan.conditions))),
        )
        for statement in statements
        for scan in statement.scans
    ]


def _evaluated(predicate: Predicate) -> Predicate:
    return map_leaves(
        predicate,
        lambda leaf: replace(leaf, text="", redacted="") if isinstance(leaf, Unsupported) else leaf,
    )


def diff(name: str, before: str, after: str) -> str:
    """A unified diff of a file, as `git apply` and `patch -p1` take it; empty where nothing
    differs."""
    found = unified_diff(_lines(before), _lines(after), f"a/{name}", f"b/{name}")
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in found
    )


def _lines(text: str) -> list[str]:
    pieces = text.split("\n")
    return [*(f"{piece}\n" for piece in pieces[:-1]), *([pieces[-1]] if pieces[-1] else [])]
