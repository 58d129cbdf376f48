"""Compares what was found with what an engineer said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from prunescope.audit_jobs.findings.model import Finding
from tests.workloads.lake import Night
from tests.workloads.model import Expected, Pair

_VIEWS = {"scattered_manifests", "pruning_regressed"}
"""Causes whose bytes are not of data files, or are those of others."""
_LEAST = 0.8
"""The part of what a fix saves that a promise may be: it is the lower end of an interval."""
_ORDER = re.compile(r"WRITE (?:ORDERED BY|LOCALLY ORDERED BY) (.*?);?$", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Assessment:
    """What is right and wrong about the findings of a pair: `found` were expected or allowed;
    `missing` are expected causes that nobody named; `false` are findings that nobody should have
    named, or not twice; `faults` say what is wrong about findings that are there."""

    found: tuple[Finding, ...]
    needed: int
    missing: tuple[str, ...]
    false: tuple[Finding, ...]
    faults: tuple[str, ...]

    @property
    def right(self) -> bool:
        """Whether an engineer would sign all of it."""
        return not (self.missing or self.false or self.faults)

    def __str__(self) -> str:
        said = [f"missing: {cause}" for cause in self.missing]
        said += [f"false: {finding.cause} of {_columns(finding)}" for finding in self.false]
        return "; ".join([*said, *self.faults])


def judge(pair: Pair, night: Night) -> Assessment:
    """What is right and wrong of the findings of a night on a pair."""
    left = [finding for finding in night.findings if finding.suppressed is None]
    found: list[Finding] = []
    missing: list[str] = []
    faults: list[str] = []
    for wanted in pair.expected:
        first = next((finding for finding in left if _is(finding, wanted)), None)
        if first is None:
            missing.append(f"{wanted.cause} of {', '.join(wanted.columns) or 'the table'}")
            continue
        left.remove(first)
        found.append(first)
        faults += _faults(first, wanted, night)
    for tolerated in pair.allowed:
        for finding in [finding for finding in left if _is(finding, tolerated)]:
            left.remove(finding)
            found.append(finding)
            faults += _faults(finding, tolerated, night)
    faults += _forbidden(pair, night.findings)
    faults += _said(pair, night.findings)
    faults += [
        f"{finding.cause} quotes its own rewrite as the condition of the query"
        for finding in night.findings
        if finding.conjunct is not None and finding.conjunct == finding.fix.rewrite
    ]
    faults += _together(night)
    return Assessment(tuple(found), len(pair.expected), tuple(missing), tuple(left), tuple(faults))


def _is(finding: Finding, wanted: Expected) -> bool:
    named = {column.strip('`"') for column in finding.columns}
    return finding.cause in wanted.cause.split("|") and all(
        named & set(column.split("|")) for column in wanted.columns
    )


def _faults(finding: Finding, wanted: Expected, night: Night) -> list[str]:
    faults = []
    if wanted.share is not None:
        low, high = wanted.share
        stake = finding.bytes_at_stake
        share = None if stake is None else stake / night.bytes_kept
        # What one may or may not name need not tell bytes.
        if share is None and low > 0:
            faults.append(f"{finding.cause} promises nothing, not {low:.0%} to {high:.0%}")
        elif share is not None and not low * _LEAST <= share <= high:
            faults.append(f"{finding.cause} promises {share:.0%}, not {low:.0%} to {high:.0%}")
    for what, wants, has in (
        ("statements", wanted.statements, bool(finding.fix.spark)),
        ("a condition to write", wanted.rewrite, bool(finding.fix.rewrite)),
    ):
        if wants is not None and wants != has:
            faults.append(f"{finding.cause} has {what}" if has else f"{finding.cause} lacks {what}")
    fix = finding.fix
    text = "\n".join([finding.sentence, *fix.spark, fix.rewrite or "", fix.advice or ""])
    faults += [
        f"{finding.cause} does not say {pattern}"
        for pattern in wanted.says
        if not re.search(pattern, _unquoted(text))
    ]
    return faults


def _forbidden(pair: Pair, findings: Iterable[Finding]) -> list[str]:
    return [
        f"harmful: {finding.cause} says {statement!r}"
        for finding in findings
        for statement in finding.fix.spark
        for pattern in pair.never
        if re.search(pattern, _unquoted(statement))
    ]


def _said(pair: Pair, findings: Iterable[Finding]) -> list[str]:
    return [
        f"{finding.cause} says {match[0]!r}"
        for finding in findings
        for pattern in pair.unsaid
        if (
            match := re.search(pattern, _unquoted(f"{finding.sentence} {finding.fix.advice or ''}"))
        )
    ]


def _unquoted(text: str) -> str:
    """A text as pairs have it: names without quotes."""
    return re.sub(r"[`\"]", "", text)


def _together(night: Night) -> list[str]:
    """What is wrong about the findings of one table as a whole."""
    faults = []
    stakes = [f.bytes_at_stake or 0 for f in night.findings if f.cause not in _VIEWS]
    if sum(stakes) > night.bytes_kept:
        faults.append(f"{sum(stakes)} bytes at stake of {night.bytes_kept} that are read")
    orders = sort_orders(night.findings)
    if len(orders) > 1:
        faults.append(f"{len(orders)} sort orders for one table: {'; '.join(sorted(orders))}")
    faults += [
        f"{one.cause} and {other.cause} want two layouts, and do not say which comes first"
        for one, other in combinations(night.findings, 2)
        if _changes(one) and _changes(other) and not _ordered(one, other)
    ]
    return faults


def _ordered(one: Finding, other: Finding) -> bool:
    """Whether two fixes go together: one is part of the other, or names the other."""
    a, b = _changes(one), _changes(other)
    named = other.cause in (one.fix.advice or "") or one.cause in (other.fix.advice or "")
    return a <= b or b <= a or named


def _changes(finding: Finding) -> frozenset[str]:
    """What a fix makes of the table's layout. A field that takes another's place is one that comes,
    and one that goes."""
    found = []
    for statement in finding.fix.spark:
        if re.search(r"^ALTER TABLE \S+ (\w+ PARTITION FIELD|WRITE)", statement):
            change = statement.split(" ", 3)[3]
            replaced = re.fullmatch(r"REPLACE PARTITION FIELD (.+) WITH (.+)", change)
            found += (
                [change]
                if replaced is None
                else [f"DROP PARTITION FIELD {replaced[1]}", f"ADD PARTITION FIELD {replaced[2]}"]
            )
    return frozenset(found)


def sort_orders(findings: Sequence[Finding]) -> set[str]:
    """The orders that findings want the table to be written in."""
    return {
        order[1].strip()
        for finding in findings
        for statement in finding.fix.spark
        if (order := _ORDER.search(statement)) is not None
    }


def _columns(finding: Finding) -> str:
    return ", ".join(finding.columns) or "the table"
