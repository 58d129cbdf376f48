"""What scans lose by other partition fields, counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from audit_jobs.findings.spreading import spread, spread_of_old_files

from audit_jobs.findings.model import Field
from audit_jobs.findings.thresholds import Thresholds
from audit_jobs.findings.usage import TableUsage
from audit_jobs.health.model import ColumnHealth, TableHealth
from audit_jobs.pruning.summary import ConjunctSummary, Funnel
from audit_jobs.records import ConjunctRecord, ScanRecord
from collectors.predicates.model import BoundComparison, Predicate
from collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import usage_of
from tests.audit_jobs.findings.strategies import ID, SPECS, TABLE, TS, metadata
from tests.audit_jobs.findings.workloads import HEALTH
from tests.audit_jobs.sinks.results import replayed, summary

FILES, FILE = 120, 1_000_000
DAY = 86_400_000_000
YEAR = 365 * DAY
BY_ID = BoundComparison(Op.EQ, ID, (5,))
JANUARY = BoundComparison(Op.LT, TS, (31 * DAY,))
MONTHS: tuple[Field, ...] = (("month", "ts"),)


def scan(predicate: Predicate, kept: int, *, old: int = 0) -> ScanRecord:
    """A scan that keeps so many files of 120, of which `old` are of another spec."""
    plan = replace(
        summary(
            data_files=Funnel(FILES, FILES, kept),
            data=Funnel(FILES * FILE, FILES * FILE, kept * FILE),
        ),
        snapshot_id=1,
        old_spec_files=old,
        old_spec_bytes=old * FILE,
    )
    counted = ConjunctSummary(predicate, 0, FILES - kept, 0, {})
    conjunct = ConjunctRecord("x = ?", "unenforced", True, counted)
    return replace(
        replayed("q/0", TABLE, plan), fingerprint="q", conjuncts=(conjunct,), potential=plan
    )


def usage(
    *scans: ScanRecord,
    spec: int = 0,
    partitions: int | None = None,
    depth: float = FILES,
    depth_of_id: float = FILES,
    old: int = 0,
    bounds: bool = True,
) -> TableUsage:
    """A table of a year; a time is in the ranges of `depth` of its files."""
    columns: tuple[ColumnHealth, ...] = tuple(
        replace(
            column,
            depth=depth if column.name == "ts" else depth_of_id,
            spanned=min(1.0, depth / FILES) if column.name == "ts" else None,
            low=0 if bounds else None,
            high=YEAR - 1 if bounds else None,
        )
        for column in HEALTH.columns
    )
    health: TableHealth = replace(
        HEALTH,
        data_files=FILES,
        bytes=FILES * FILE,
        target_file_bytes=FILE,
        files_by_spec={0: FILES - old, 1: old},
        partitions=partitions,
        partition_files=None if partitions is None else FILES / partitions,
        partition_bytes=None if partitions is None else FILES * FILE / partitions,
        columns=columns,
    )
    return usage_of(TABLE, scans, metadata(SPECS[spec], {}), health, Thresholds())


@pytest.mark.parametrize(
    ("asked", "kept", "depth", "lost"),
    [
        pytest.param(BY_ID, 2, FILES, 10, id="a file of each month in place of two"),
        pytest.param(BY_ID, 60, FILES, 0, id="half of each month in place of half of all"),
        pytest.param(BY_ID, 2, 60, 4, id="files span half a year"),
        pytest.param(BY_ID, 2, 1, 0, id="files are in order of time"),
        pytest.param(JANUARY, FILES, FILES, 0, id="what asks for a month wins by it"),
        pytest.param(JANUARY, 1, FILES, 0, id="a month by whatever order is one file"),
    ],
)
def test_what_months_undo(asked: Predicate, kept: int, depth: float, lost: int) -> None:
    found = spread(usage(scan(asked, kept), depth=depth), MONTHS, ())
    assert found.bytes == lost * FILE
    assert tuple(found.scans) == (("q",) if lost else ())
    assert found.columns == (("id",) if lost else ())


def test_few_files_may_be_ruled_out_by_chance() -> None:
    assert spread(usage(scan(BY_ID, 110)), (("day", "ts"),), ()).bytes == 0


@pytest.mark.parametrize(
    ("depth", "lost"),
    [
        pytest.param(4, 10, id="in order inside each bucket"),
        pytest.param(FILES, 0, id="in no order: the bucket is read as a whole"),
    ],
)
def test_each_bucket_is_cut(depth: float, lost: int) -> None:
    """A bucket of four is asked for: twelve of its months in place of two files."""
    in_buckets = usage(scan(BY_ID, 2), spec=4, partitions=4, depth_of_id=depth)
    assert spread(in_buckets, MONTHS, ()).bytes == lost * FILE


@pytest.mark.parametrize(
    ("depth", "lost"),
    [
        pytest.param(0.5, 6, id="in order inside each day"),
        pytest.param(2, 0, id="in no order: days are read as a whole"),
    ],
)
def test_what_takes_the_place_of_days_spans_them(depth: float, lost: int) -> None:
    """Two of 120 files, which any of eight buckets has rows of."""
    by_day = usage(scan(JANUARY, 2), spec=1, partitions=60, depth=depth)
    assert spread(by_day, (("bucket[8]", "id"),), (("day", "ts"),)).bytes == lost * FILE


def test_a_lookup_asks_for_one_bucket() -> None:
    assert spread(usage(scan(BY_ID, 2)), (("bucket[8]", "id"),), ()).bytes == 0


@pytest.mark.parametrize(
    ("added", "dropped"),
    [
        pytest.param(MONTHS, (("day", "ts"),), id="months for days"),
        pytest.param(MONTHS, (("identity", "ts"),), id="months for dates as they are"),
        pytest.param((("bucket[4]", "id"),), (("bucket[8]", "id"),), id="fewer buckets"),
        pytest.param((("truncate[100]", "id"),), (("truncate[10]", "id"),), id="hundreds for tens"),
        pytest.param((("identity", "id"),), (), id="of any number of values"),
        pytest.param((), (("day", "ts"),), id="nothing is added"),
    ],
)
def test_what_undoes_nothing_that_is_known(
    added: tuple[Field, ...], dropped: tuple[Field, ...]
) -> None:
    assert spread(usage(scan(BY_ID, 2), spec=1, partitions=60), added, dropped).bytes == 0


def test_times_without_bounds_have_no_number_of_months() -> None:
    assert spread(usage(scan(BY_ID, 2), bounds=False), MONTHS, ()).bytes == 0


def test_old_files_are_spread_over_present_partitions() -> None:
    """A lookup reads one of sixty old files, and would read a part of each day."""
    found = spread_of_old_files(usage(scan(BY_ID, 2, old=1), spec=1, partitions=60, old=60))
    assert found.bytes == pytest.approx(59 * FILE, rel=0.001)


def test_scans_of_new_files_lose_nothing_by_old_ones() -> None:
    assert spread_of_old_files(usage(scan(BY_ID, 2), spec=1, partitions=60, old=60)).bytes == 0
    assert spread_of_old_files(usage(scan(BY_ID, 2, old=1), spec=1, partitions=60)).bytes == 0


def test_partitions_that_cannot_be_undo_nothing() -> None:
    """Buckets of which there are none, and times whose last one is before the first."""
    old = usage(scan(BY_ID, 2, old=1), spec=5, partitions=60, old=60)
    assert spread_of_old_files(old).bytes == 0
    health = old.health
    assert health is not None
    upside_down = tuple(replace(c, low=YEAR, high=0) for c in health.columns)
    never = replace(
        usage(scan(BY_ID, 2, old=1), spec=1, partitions=60, old=60),
        health=replace(health, columns=upside_down),
    )
    assert spread_of_old_files(never).bytes == 0
