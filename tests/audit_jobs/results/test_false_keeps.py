"""The false keep rate of scans is that of their files, whose rows are read here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyiceberg.table import StaticTable

from prunescope.audit_jobs.results.result import AuditResult
from prunescope.audit_jobs.results.sums import key_of
from prunescope.audit_jobs.results.table_rows import table_health_rows
from prunescope.collectors.observed import TableName
from tests.scenarios.lake import audit
from tests.workloads.lake import Tables
from tests.workloads.physical import Commit, Layout

FILE_ROWS = 500
NAME = TableName("lake", ("db",), "t")
Match = Callable[[pa.Table], pa.ChunkedArray]


@dataclass(frozen=True)
class Asked:
    """A condition, and the rows that match it."""

    sql: str
    matches: Match


def layout(files: int) -> Layout:
    """Files of sizes that differ: `k` spreads over all, `n` over a few, `t` over one each."""
    draw = np.random.default_rng(files)
    made = []
    for number in range(files):
        count = int(draw.integers(FILE_ROWS // 4, FILE_ROWS))
        columns = {
            "k": draw.integers(0, 40 * files, count),
            "n": draw.normal(number % 7 * 100, 120, count).astype(np.int64),
            "t": number * 1_000 + draw.integers(0, 1_000, count),
        }
        made.append(pa.table(columns))
    return Layout((Commit(tuple(made)),))


def conditions(files: int) -> list[Asked]:
    draw = np.random.default_rng(7)
    found = []
    for column, most in (("k", 40 * files), ("n", 800), ("t", 1_000 * files)) * 12:
        low = int(draw.integers(0, most))
        high = low + int(draw.choice([0, 1, 20, 300]))
        found.append(Asked(f"{column} BETWEEN {low} AND {high}", between(column, low, high)))
    return found


def between(column: str, low: int, high: int) -> Match:
    return lambda rows: pc.and_(
        pc.greater_equal(rows[column], low), pc.less_equal(rows[column], high)
    )


@dataclass(frozen=True)
class Measured:
    """An audit; for each condition, the bytes that its scan keeps, those that are in vain in truth,
    and the value and the ends of these that the audit has."""

    result: AuditResult
    scans: Sequence[tuple[int, int, int | None, int, int]]

    @property
    def truth(self) -> float:
        """The false keep rate of all scans."""
        return sum(true for _, true, *_ in self.scans) / sum(kept for kept, *_ in self.scans)


def measured(folder: Path, files: int, asked: Sequence[Asked], sampled_files: int = 16) -> Measured:
    queries = [f"SELECT * FROM lake.db.t WHERE {each.sql}" for each in asked]
    with chdir(folder):
        metadata = Tables(folder).write("t", layout(files))
        result = audit({"t": metadata}, queries, sampled_files=sampled_files)
        of = held(metadata, asked)
    names = ("query_id", "bytes_kept", *(f"false_kept_bytes{end}" for end in ("", "_low", "_high")))
    rows = ([row[name] for name in names] for row in result.scan_plans(*names))
    numbered = sorted((int(query.removeprefix("q")), *rest) for query, *rest in rows)
    return Measured(result, [(kept, kept - of[n], *found) for n, kept, *found in numbered])


def held(metadata: str, asked: Sequence[Asked]) -> list[int]:
    """The bytes of the table's files that hold rows of each condition."""
    files = StaticTable.from_metadata(metadata).inspect.files()
    columns = (files[name].to_pylist() for name in ("file_path", "file_size_in_bytes"))
    sizes = dict(zip(*columns, strict=True))
    rows = {path: pq.read_table(path) for path in sizes}
    return [
        sum(size for path, size in sizes.items() if pc.any(each.matches(rows[path])).as_py())
        for each in asked
    ]


def test_files_that_are_read_whole_are_told_exactly(tmp_path: Path) -> None:
    found = measured(tmp_path, 16, conditions(16))
    assert [each[2:] for each in found.scans] == [(true,) * 3 for _, true, *_ in found.scans]
    assert 0 < found.truth < 1
    (health,) = table_health_rows(found.result)
    ends = [health[f"false_keep_rate{end}"] for end in ("", "_low", "_high")]
    assert ends == pytest.approx([found.truth] * 3)


def test_intervals_hold_what_was_not_sampled(tmp_path: Path) -> None:
    found = measured(tmp_path, 120, conditions(120), sampled_files=24)
    within = [low <= true <= high for _, true, _, low, high in found.scans]
    assert np.mean(within) >= 0.9
    rate = found.result.sums.tables[key_of(NAME)].false_keep_rate
    assert rate is not None
    assert rate.low <= found.truth <= rate.high
    assert rate.high - rate.low < 0.9


def test_statistics_are_bounds_where_no_row_may_be_read(tmp_path: Path) -> None:
    found = measured(tmp_path, 6, conditions(6), sampled_files=0)
    assert all(low <= true <= high == kept for kept, true, _, low, high in found.scans)
    rate = found.result.sums.tables[key_of(NAME)].false_keep_rate
    assert rate is not None
    assert (rate.value, rate.high) == (None, 1.0)


def test_a_scan_without_a_filter_keeps_nothing_in_vain(tmp_path: Path) -> None:
    with chdir(tmp_path):
        metadata = Tables(tmp_path).write("t", layout(3))
        result = audit({"t": metadata}, ["SELECT * FROM lake.db.t"])
    (row,) = result.scan_plans("false_kept_bytes", "false_kept_bytes_high")
    assert set(row.values()) == {0}
