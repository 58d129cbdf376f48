"""Known findings, which fail a check only once they are worse.

A baseline has no literal and no line: an entry is a file, a cause, a table, and a hash of the
condition's shape, so that it stays the same wherever the condition moves in its file.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prunescope.audit_jobs.checking.limits import Excess
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.entries import Entry, Place
from prunescope.audit_jobs.findings.model import Severity

_VERSION = 1
_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Known:
    """A finding in a file, empty for one about a table alone: a key for its cause, its table and
    the shape of its condition, which several of a file may share, and its severity."""

    file: str
    cause: str
    table: str
    key: str
    severity: Severity


@dataclass(frozen=True, slots=True)
class KnownExcess:
    """A file that reads more than a limit allows, of a table, or of all that it reads (None)."""

    file: str
    limit: str
    table: str | None


@dataclass(frozen=True, slots=True)
class Baseline:
    """Known findings, with how often each is there, and known excesses, with their percent."""

    findings: Counter[Known] = field(default_factory=Counter)
    excesses: dict[KnownExcess, int] = field(default_factory=dict)


def baseline_of(entries: Iterable[Entry], excesses: Iterable[Excess]) -> Baseline:
    """The baseline in which all that was found is known, but for what is suppressed."""
    told = [entry for entry in entries if entry.finding.suppressed is None]
    counts = Counter(_known(entry, place) for entry in told for place in _places(entry))
    return Baseline(counts, {_of_excess(each): each.percent for each in excesses})


def compared(
    entries: Sequence[Entry], excesses: Sequence[Excess], baseline: Baseline
) -> tuple[list[Entry], list[Excess]]:
    """Findings and excesses, of which those are known that are no worse than in the baseline: a
    finding as severe in the same file, as often; an excess with no larger share. Of several places
    that are alike, the last ones are new."""
    left = Counter(baseline.findings)
    by_severity = sorted(
        range(len(entries)), key=lambda number: entries[number].finding.severity.rank
    )
    found = dict(enumerate(entries))
    for number in by_severity:
        entry = entries[number]
        if entry.finding.suppressed is None:
            told = [_taken(_known(entry, place), left) for place in _places(entry)]
            found[number] = _marked(entry, told)
    return [found[number] for number in range(len(entries))], [
        replace(each, is_known=each.percent <= baseline.excesses.get(_of_excess(each), -1))
        for each in excesses
    ]


def _marked(entry: Entry, told: Sequence[bool]) -> Entry:
    if not entry.files:
        return replace(entry, is_known=all(told))
    places = zip(entry.places, told, strict=True)
    marked = tuple(replace(place, is_known=is_known) for place, is_known in places)
    return replace(entry, places=marked, is_known=bool(told) and all(told))


def _places(entry: Entry) -> Sequence[Place]:
    return entry.places if entry.files else (Place(""),)


def _known(entry: Entry, place: Place) -> Known:
    finding = entry.finding
    table = str(finding.table)
    key = _hashed([finding.cause, table, sorted(finding.columns), place.shape])
    return Known(place.file, finding.cause, table, key, finding.severity)


def _taken(one: Known, left: Counter[Known]) -> bool:
    """Takes a finding from those that are left, the least severe that is as severe; False if there
    is none."""
    alike = [
        each
        for each, count in left.items()
        if count
        and (each.file, each.key) == (one.file, one.key)
        and each.severity.rank <= one.severity.rank
    ]
    if not alike:
        return False
    left[max(alike, key=lambda each: each.severity.rank)] -= 1
    return True


def _of_excess(excess: Excess) -> KnownExcess:
    return KnownExcess(excess.file, excess.limit, excess.table)


def _hashed(parts: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:_DIGITS]


def text_of(baseline: Baseline) -> str:
    """A baseline as the text of its file, one line for each finding, for reviews and merges."""
    return (
        f'{{"version": {_VERSION},\n'
        f' "findings": [{_lines(_finding_lines(baseline))}],\n'
        f' "limits": [{_lines(_excess_lines(baseline))}]}}\n'
    )


def _lines(told: Iterable[dict[str, Any]]) -> str:
    lines = sorted(f"\n  {json.dumps(each)}" for each in told)
    return ",".join(lines)


def _finding_lines(baseline: Baseline) -> Iterator[dict[str, Any]]:
    for each, count in baseline.findings.items():
        yield {
            "file": each.file or None,
            "cause": each.cause,
            "table": each.table,
            "severity": each.severity.value,
            "key": each.key,
            "count": count,
        }


def _excess_lines(baseline: Baseline) -> Iterator[dict[str, Any]]:
    for each, percent in baseline.excesses.items():
        yield {"file": each.file, "limit": each.limit, "table": each.table, "percent": percent}


def baseline_in(text: str, name: str) -> Baseline:
    """The baseline that a file has. Raises BadConfiguration for what is none."""
    try:
        told = json.loads(text)
        if told["version"] != _VERSION:
            raise BadConfiguration(
                f"{name} is a baseline of another version ({told['version']}); write it again with "
                "--write-baseline"
            )
        counts: Counter[Known] = Counter()
        for each in told["findings"]:
            parts = each["file"] or "", each["cause"], each["table"], each["key"]
            counts[Known(*parts, Severity(each["severity"]))] += int(each["count"])
        excesses = {
            KnownExcess(each["file"], each["limit"], each["table"]): int(each["percent"])
            for each in told["limits"]
        }
    except (ValueError, LookupError, TypeError) as error:
        raise BadConfiguration(
            f"{name} is no baseline ({type(error).__name__}); write one with --write-baseline"
        ) from None
    return Baseline(counts, excesses)
