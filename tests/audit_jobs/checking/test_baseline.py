"""What is known does not fail, and what is worse does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from prunescope.audit_jobs.checking.baseline import (
    Baseline,
    baseline_in,
    baseline_of,
    compared,
    text_of,
)
from prunescope.audit_jobs.checking.limits import Excess
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.entries import Entry, Place, entries
from prunescope.audit_jobs.findings.model import Finding, Severity
from tests.audit_jobs.sinks.results import SPREAD

A = Place("a.sql", 3, 7, 3, 22, is_condition=True, shape="YEAR(at) = ?")
MOVED = replace(A, line=30, end_line=30)
ELSEWHERE = replace(A, file="b.sql")
OTHER = replace(A, shape="MONTH(at) = ?")
EXCESS = Excess("a.sql", "max_share", "lake.db.t", 20, 100)


def entry(*places: Place, severity: Severity = Severity.MEDIUM, **changes: object) -> Entry:
    finding: Finding = replace(SPREAD, severity=severity, **changes)  # type: ignore[arg-type]
    (found,) = entries([finding])
    files = tuple(dict.fromkeys(place.file for place in places))
    return replace(found, files=files, places=places)


@pytest.mark.parametrize(
    ("before", "now", "known"),
    [
        pytest.param([A], [A], [True], id="the same"),
        pytest.param([A], [MOVED], [True], id="on another line"),
        pytest.param([A], [ELSEWHERE], [False], id="in another file"),
        pytest.param([A], [OTHER], [False], id="another condition"),
        pytest.param([A], [A, MOVED], [True, False], id="once more"),
        pytest.param([A, MOVED], [MOVED], [True], id="once less"),
        pytest.param([], [A], [False], id="new"),
    ],
)
def test_places(before: list[Place], now: list[Place], known: list[bool]) -> None:
    baseline = read_again(baseline_of([entry(*before)] if before else [], []))
    ((found,), _) = compared([entry(*now)], [], baseline)
    assert [place.is_known for place in found.places] == known
    assert found.is_known is all(known)


@pytest.mark.parametrize(
    ("before", "now", "known"),
    [
        pytest.param(Severity.MEDIUM, Severity.HIGH, False, id="worse"),
        pytest.param(Severity.MEDIUM, Severity.LOW, True, id="better"),
    ],
)
def test_severity(before: Severity, now: Severity, known: bool) -> None:
    baseline = read_again(baseline_of([entry(A, severity=before)], []))
    ((found,), _) = compared([entry(A, severity=now)], [], baseline)
    assert found.is_known is known


def test_the_query_around_a_condition_does_not_matter() -> None:
    baseline = read_again(baseline_of([entry(A, fingerprint="f1")], []))
    ((found,), _) = compared([entry(A, fingerprint="f2")], [], baseline)
    assert found.is_known


def test_a_finding_about_a_table_is_known_by_it_alone() -> None:
    baseline = read_again(baseline_of([entry()], []))
    ((found,), _) = compared([replace(entry(), places=(A,))], [], baseline)
    assert found.is_known


@pytest.mark.parametrize(
    ("read", "total", "known"),
    [
        pytest.param(20, 100, True, id="the same"),
        pytest.param(2_000, 10_000, True, id="of a table that grew"),
        pytest.param(22, 100, False, id="a larger share"),
        pytest.param(5, 100, True, id="less"),
    ],
)
def test_excesses(read: int, total: int, known: bool) -> None:
    baseline = read_again(baseline_of([], [EXCESS]))
    _, (found,) = compared([], [replace(EXCESS, read=read, total=total)], baseline)
    assert found.is_known is known


def test_what_is_suppressed_is_no_part_of_it() -> None:
    assert baseline_of([entry(A, suppressed="soon")], []) == Baseline()


def test_its_text_has_neither_lines_nor_conditions_and_one_line_each() -> None:
    text = text_of(baseline_of([entry(A, ELSEWHERE)], [EXCESS]))
    assert "YEAR" not in text
    assert sum('"cause"' in line for line in text.splitlines()) == 2
    assert text_of(baseline_in(text, "x")) == text


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"version": 2}', '{"version": 1, "findings": [{}], "limits": []}'],
)
def test_what_is_no_baseline_is_refused(text: str) -> None:
    with pytest.raises(BadConfiguration, match=r"known\.json .* --write-baseline"):
        baseline_in(text, "known.json")


def read_again(baseline: Baseline) -> Baseline:
    found = baseline_in(text_of(baseline), "known.json")
    assert found == baseline
    return found
