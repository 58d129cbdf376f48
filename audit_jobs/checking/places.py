"""Places of findings in the files that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot.tokenizer_core import TokenType

from prunescope.audit_jobs.checking.conditions import FileScan, Placed, ReadStatement
from prunescope.audit_jobs.checking.ranges import Rewrite, rewrite
from prunescope.audit_jobs.findings.model import Finding
from prunescope.collectors.sql.text.spans import Span

_BEFORE = frozenset(
    {
        TokenType.WHERE,
        TokenType.AND,
        TokenType.ON,
        TokenType.HAVING,
        TokenType.QUALIFY,
        TokenType.PREWHERE,
        TokenType.L_PAREN,
    }
)
"""Tokens behind which conditions that are joined by AND need no brackets."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a finding in the text of a file: that of its condition, or of a statement that
    reads the table. `rewrite` is what to write there, if it is known; `shape` is what stands there
    without literals."""

    span: Span
    is_condition: bool
    rewrite: Rewrite | None = None
    shape: str = ""


def spots(
    finding: Finding, statements: Sequence[ReadStatement], text: str, zones: Sequence[str]
) -> tuple[Spot, ...]:
    """The places of a finding in a file, in order: where the conditions that it names stand, or
    else those on its columns, or else the statements that read its table."""
    scans = [*_scans_of(finding, statements)]
    for blamed in (_named, _on_columns):
        found: dict[Span, Spot] = {}
        for statement, scan in scans:
            for spot in _of_scan(finding, blamed(finding, scan), scan, statement, text, zones):
                found.setdefault(spot.span, spot)
        if found:
            return tuple(found[span] for span in sorted(found))
    return reading(finding, statements)


def reading(finding: Finding, statements: Sequence[ReadStatement]) -> tuple[Spot, ...]:
    """The statements that read the table of a finding, in order."""
    spans = {statement.span for statement, _ in _scans_of(finding, statements)}
    return tuple(Spot(span, is_condition=False) for span in sorted(spans))


def _scans_of(
    finding: Finding, statements: Sequence[ReadStatement]
) -> Iterator[tuple[ReadStatement, FileScan]]:
    for statement in statements:
        for scan in statement.scans:
            if scan.table.name == finding.table:
                yield statement, scan


def _named(finding: Finding, scan: FileScan) -> list[Placed]:
    """The conditions of a scan that a finding names."""
    conjunct = finding.conjunct
    if conjunct is None:
        return []
    return [each for each in scan.conditions if any(_has(conjunct, text) for text in each.texts)]


def _on_columns(finding: Finding, scan: FileScan) -> list[Placed]:
    """The conditions of a scan on the columns of a finding."""
    columns = {name.lower() for name in finding.columns}
    return [each for each in scan.conditions if not columns.isdisjoint(each.columns)]


def _of_scan(  # a place of a text follows from as many
    finding: Finding,
    blamed: Sequence[Placed],
    scan: FileScan,
    statement: ReadStatement,
    text: str,
    zones: Sequence[str],
) -> Iterator[Spot]:
    known = [each for each in blamed if each.span is not None]
    for group in _neighbours(known, statement):
        first, last = group[0].span, group[-1].span
        assert first is not None
        assert last is not None
        span = Span(first.start, last.end)
        written = None
        if finding.fix.rewrite is not None and len(group) == len(blamed):
            written = _fitting(rewrite(scan, group, text, zones), span, statement, text)
        shape = " AND ".join(each.shape for each in group)
        yield Spot(span, is_condition=True, rewrite=written, shape=shape)


def _has(conjunct: str, text: str) -> bool:
    """True if a text is one of the parts of a conjunct that are joined by AND."""
    padded = f" AND {conjunct} AND "
    return f" AND {text} AND " in padded or f" AND ({text}) AND " in padded


def _neighbours(placed: Sequence[Placed], statement: ReadStatement) -> Iterator[list[Placed]]:
    """Conditions in the order of the text, together where nothing but AND is between them."""
    ordered = sorted(placed, key=lambda each: each.span or Span(0, 0))
    group: list[Placed] = []
    for each in ordered:
        if group and not _are_joined(group[-1], each, statement):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _are_joined(one: Placed, other: Placed, statement: ReadStatement) -> bool:
    assert one.span is not None
    assert other.span is not None
    between = [
        token.token_type
        for token in statement.tokens
        if one.span.end <= token.start < other.span.start
    ]
    return one.is_whole and other.is_whole and between == [TokenType.AND]


def _fitting(
    found: Rewrite | None, span: Span, statement: ReadStatement, text: str
) -> Rewrite | None:
    """Returns what can be written, exact only where it can stand in the place of a span: in
    brackets where what is before it needs them, and if no comment in it would be lost."""
    if found is None or not found.is_exact:
        return found
    inside = [t for t in statement.tokens if span.start <= t.start and t.end < span.end]
    between = (text[one.end + 1 : other.start] for one, other in pairwise(inside))
    if any(map(str.strip, between)):
        return Rewrite(found.sql, is_exact=False)
    before = [token.token_type for token in statement.tokens if token.end < span.start]
    is_plain = bool(before) and before[-1] in _BEFORE
    return found if is_plain else Rewrite(f"({found.sql})", is_exact=True)
