"""Timelines of a report: bytes that queries kept of their tables, in earlier windows and in this
one."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prunescope.audit_jobs.report.ranges import pack, pack_counts
from prunescope.audit_jobs.results.sums import TableKey, key_of
from prunescope.audit_jobs.sinks.run_rows import RunRows

WINDOWS = 32
"""The newest windows that are drawn, this one among them: four weeks of nights."""


@dataclass(frozen=True, slots=True)
class Point:
    """The scans of a window whose bytes are known: bytes kept, and bytes of their tables."""

    scans: int
    kept: int
    whole: int

    def __add__(self, other: Point) -> Point:
        return Point(self.scans + other.scans, self.kept + other.kept, self.whole + other.whole)


NO_SCANS = Point(0, 0, 0)
Points = Mapping[dt.datetime, Point]


@dataclass(frozen=True, slots=True)
class Timelines:
    """Points by the starts of windows, for tables and for queries on them. `starts` are those that
    are drawn, oldest first; the last is this window's."""

    starts: Sequence[dt.datetime]
    tables: Mapping[TableKey, Points]
    queries: Mapping[tuple[TableKey, str], Points]


def timelines_of(rows: RunRows) -> Timelines:
    """The timelines of a run. The same rows make the same timelines."""
    tables: dict[TableKey, dict[dt.datetime, Point]] = defaultdict(dict)
    queries: dict[tuple[TableKey, str], dict[dt.datetime, Point]] = defaultdict(dict)
    for key, fingerprint, start, point in _points(rows):
        queries[key, fingerprint][start] = point
        of_table = tables[key]
        of_table[start] = of_table.get(start, NO_SCANS) + point
    starts = {start for points in tables.values() for start in points}
    drawn = sorted(starts | {rows.run["window_start"]})[-WINDOWS:]
    return Timelines(drawn, tables, queries)


def _points(rows: RunRows) -> Iterator[tuple[TableKey, str, dt.datetime, Point]]:
    for (table, fingerprint), windows in rows.history.queries.items():
        for past in windows:
            point = Point(past.scans, past.bytes_kept, past.bytes_total)
            yield key_of(table), fingerprint, past.start, point
    for key, shapes in rows.sums.queries.items():
        for fingerprint, sums in shapes.items():
            bytes_ = sums.passes["bytes"]
            whole = bytes_.considered if bytes_.total is None else bytes_.total
            point = Point(bytes_.scans, bytes_.kept, whole)
            yield key, fingerprint, rows.run["window_start"], point


def packed(points: Points, starts: Sequence[dt.datetime]) -> dict[str, str] | None:
    """Shares kept, bytes kept and scans of each window; None if no earlier one has any scans."""
    drawn = [points.get(start, NO_SCANS) for start in starts]
    if not any(point.scans for point in drawn[:-1]):
        return None
    return {
        "shares": pack(point.kept / point.whole if point.whole else 0.0 for point in drawn),
        "kept": pack_counts(point.kept for point in drawn),
        "scans": pack_counts(point.scans for point in drawn),
    }
