"""Local days against partitions of UTC: two days of New York are in three partitions."""

from __future__ import annotations

from dataclasses import replace

from prunescope.audit_jobs.records import ConjunctRecord
from prunescope.collectors.predicates.model import BoundComparison, Field, Written
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.usages import (
    AT,
    GB,
    MB,
    TS,
    Case,
    Night,
    Told,
    column,
    compared,
    micros,
    part,
    partitioned,
    scan,
)


def _range(start: str, end: str, of: Field = AT) -> list[ConjunctRecord]:
    return [
        part(compared(of, Op.GT_EQ, micros(start)), pruned=600),
        part(compared(of, Op.LT, micros(end)), pruned=300),
    ]


def _named(one: ConjunctRecord, form: str = "DATE(AT_TIMEZONE(at, {})) = {}") -> ConjunctRecord:
    leaf = one.counts.predicate
    assert isinstance(leaf, BoundComparison)
    text = Written(form.format("'America/New_York'", "d"), form.format("?", "?"))
    return replace(one, counts=replace(one.counts, predicate=replace(leaf, written=text)))


_DAYS = _range("2024-03-04 05:00", "2024-03-06 05:00")
# Three partitions, of ten files each.
_NIGHT = Night((scan(*_DAYS, kept=30),), spec=[(AT, "day")], health=partitioned(100))

_OF_UTC = "\"at\" >= TIMESTAMP '? 00:00:00 UTC' AND \"at\" < TIMESTAMP '? 00:00:00 UTC'"

FOUND = {
    "two days of New York": Case(
        _NIGHT,
        Told(
            ("at",),
            2 * 1 * GB,
            "low",
            "medium",
            rewrite=_OF_UTC,
            advice="begins and ends as days of UTC do",
            evidence={
                "partition_field": "at_day",
                "transform": "day",
                "shift_minutes": [300],
                "partitions_asked_for": 4,
            },
        ),
    ),
    # A thousand files of 366 days: one of a day's holds the hours beyond.
    "times are in order inside a day": Case(
        replace(_NIGHT, health=partitioned(100, column(AT, overlap=0.0))),
        Told(
            ("at",),
            2 * 366 * MB,
            "low",
            "medium",
            rewrite=_OF_UTC,
        ),
    ),
    "the clocks went forward in between": Case(
        replace(_NIGHT, scans=(scan(*_range("2024-03-09 05:00", "2024-03-11 04:00"), kept=30),)),
        Told(
            ("at",),
            2 * 1 * GB,
            "low",
            "medium",
            rewrite=_OF_UTC,
            evidence={"shift_minutes": [300], "partitions_asked_for": 4},
        ),
    ),
}

SILENT = {
    "days of UTC": replace(_NIGHT, scans=(scan(*_range("2024-03-04", "2024-03-06"), kept=20),)),
    "no whole days": replace(
        _NIGHT, scans=(scan(*_range("2024-03-04 05:00", "2024-03-06 11:00"), kept=30),)
    ),
    "seven minutes are no time zone": replace(
        _NIGHT, scans=(scan(*_range("2024-03-04 05:07", "2024-03-06 05:07"), kept=30),)
    ),
    # `to_date(from_utc_timestamp(at, 'America/New_York')) = …`: who names the zone means its days.
    "days of a zone that is named": replace(
        _NIGHT, scans=(scan(*(_named(one) for one in _DAYS), kept=30),)
    ),
    "days of a zone that BigQuery's DATE() is given": replace(
        _NIGHT, scans=(scan(*(_named(one, "DATE(at, {}) = {}") for one in _DAYS), kept=30),)
    ),
    "times without a zone": replace(
        _NIGHT,
        scans=(scan(*_range("2024-03-04 05:00", "2024-03-06 05:00", TS), kept=30),),
        spec=[(TS, "day")],
    ),
    "no partitions by time": replace(_NIGHT, spec=(), health=partitioned(100)),
    "the table has no such partition yet": replace(
        _NIGHT, health=partitioned(100, column(AT, high=micros("2024-03-06") - 1))
    ),
    "nobody knows what is kept": replace(_NIGHT, scans=(scan(*_DAYS, kept=None),)),
}
