"""Pass 3 with its reading, over real files: 40 of 2 row groups each, of which the filter keeps
one in every other file."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.audit_jobs.planning import row_group_stage
from prunescope.audit_jobs.planning.row_group_stage import RowGroupPlan, plan_row_groups
from prunescope.audit_jobs.planning.sampling import EVERYTHING, FileSample
from prunescope.audit_jobs.planning.work import FooterTask, PlannedTable, TableContext, table_work
from prunescope.audit_jobs.pruning.counts import no_counts
from prunescope.audit_jobs.pruning.rules import FLOOR, ICEBERG_1_12, PlannerRules
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.summary import ScanPlanSummary, SnapshotTotals
from prunescope.audit_jobs.pruning.tally import Tally
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.pruning.judging import summary_of
from tests.audit_jobs.pruning.judging import tally as tally_of

FILES = 40
ROWS = 20
X = Field(1, "x", "long")
# Row groups hold 0 to 9 and 10 to 19 in even files, 100 to 109 and 110 to 119 in odd ones.
PREDICATE = BoundComparison(Op.LT, X, (10,))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("files")
    for number in range(FILES):
        base = 100 * (number % 2)
        write(found / f"{number}.parquet", list(range(base, base + ROWS)))
    return found


def write(path: Path, values: list[int | None], **options: object) -> None:
    field = pa.field("x", pa.int64(), metadata={"PARQUET:field_id": "1"})
    table = pa.table([pa.array(values, field.type)], schema=pa.schema([field]))
    pq.write_table(table, path, row_group_size=10, **options)


def tasks(folder: Path, *, row_groups: int = 2) -> Iterator[FooterTask]:
    for path in sorted(folder.glob("*.parquet")):
        size = path.stat().st_size
        yield FooterTask(str(path), size, rows_of(path), row_groups, 0, 0, {}, b"\x80")


def rows_of(path: Path) -> int:
    """Also of what is no Parquet file."""
    with suppress(pa.ArrowException):
        return int(pq.read_metadata(path).num_rows)
    return ROWS


def planned(
    tasks: Iterator[FooterTask],
    predicate: Predicate = PREDICATE,
    sample: FileSample = EVERYTHING,
    rules: PlannerRules = ICEBERG_1_12,
) -> list[RowGroupPlan]:
    context = TableContext("t", {0: PartitionSpec(0, ())}, Storage(), {}, {}, {})
    block = table_work(0, context.table, 0, context.specs, [(1, Scan(0, predicate, rules))]).block
    return list(plan_row_groups(PlannedTable({0: context}, {0: block}), tasks, sample))


def counted(
    tasks: Iterator[FooterTask],
    predicate: Predicate = PREDICATE,
    sample: FileSample = EVERYTHING,
    rules: PlannerRules = ICEBERG_1_12,
) -> tuple[Tally, int]:
    """The tally of the scan, and how many footers were read."""
    plans = planned(tasks, predicate, sample, rules)
    counts = no_counts([Scan(0, predicate, rules)])
    for plan in plans:
        for found in plan.counts.values():
            counts.merge(found)
    return tally_of(counts, 0), sum(plan.read["footers_read"] for plan in plans)


def summary(tally: Tally) -> ScanPlanSummary:
    totals = SnapshotTotals(1, 0, FILES, 0, FILES * ROWS, None, (0,))
    return summary_of(tally, totals)


def test_all_footers(folder: Path) -> None:
    tally, footers_read = counted(tasks(folder))
    assert footers_read == FILES
    assert (tally.row_groups_considered, tally.row_groups_kept) == (2 * FILES, FILES // 2)
    assert tally.row_groups_by_statistics == 2 * FILES - FILES // 2
    found = summary(tally)
    assert (found.row_groups.kept, found.row_groups.low) == (FILES // 2, None)
    assert found.footers.needed == found.footers.read == FILES


def test_footers_that_cannot_be_read_are_counted_apart(tmp_path: Path) -> None:
    (tmp_path / "torn.parquet").write_bytes(b"PAR1")
    write(tmp_path / "whole.parquet", list(range(ROWS)))
    missing = FooterTask(str(tmp_path / "zzz.parquet"), 100, ROWS, 2, 0, 0, {}, b"\x80")
    (plan,) = planned(iter([*tasks(tmp_path), missing]))
    assert plan.read == {"footers_read": 1, "footers_unread": 2}
    tally = tally_of(plan.counts[0], 0)
    assert (tally.unread_missing, tally.unread_corrupt) == (1, 1)
    found = summary(tally).footers
    assert (found.needed, found.read, found.unread, found.skipped) == (3, 1, 2, 0)


def test_a_sample_is_an_estimate_with_its_interval(folder: Path) -> None:
    tally, footers_read = counted(tasks(folder), sample=FileSample.of(FILES, 20, seed=3))
    found = summary(tally)
    assert 0 < footers_read == found.footers.read < FILES
    assert found.footers.needed == FILES
    for funnel, total, truth in (
        (found.row_groups, 2 * FILES, FILES // 2),
        (found.row_group_records, None, FILES * ROWS // 4),
    ):
        assert total is None or funnel.considered == total
        assert funnel.kept is not None
        assert funnel.low is not None
        assert funnel.high is not None
        assert funnel.low <= truth <= funnel.high
        assert funnel.low < funnel.kept < funnel.high
    assert found.pages.kept is None


def test_footers_that_the_sample_leaves_out_are_counted(folder: Path) -> None:
    read = Counter[str]()
    for plan in planned(tasks(folder), sample=FileSample.of(FILES, 20, seed=3)):
        read.update(plan.read)
    assert read.keys() == {"footers_read", "footers_skipped"}
    assert read.total() == FILES


def test_nothing_sampled_is_nothing_estimated(folder: Path) -> None:
    tally, _ = counted(tasks(folder), sample=FileSample(0.0, 1))
    found = summary(tally)
    assert found.row_groups.kept is None
    assert (found.row_groups.low, found.row_groups.high) == (0, 2 * FILES)


def test_row_groups_that_nobody_counted_are_not_estimated(folder: Path) -> None:
    tally, _ = counted(tasks(folder, row_groups=-1), sample=FileSample(0.5, 1))
    found = summary(tally)
    assert (found.row_groups.considered, found.row_groups.kept) == (None, None)
    assert found.unread["unread_unlisted"] == found.footers.skipped


@pytest.mark.parametrize("stated", [1, 3])
def test_split_offsets_of_other_than_row_groups_leave_their_number_unknown(
    folder: Path, stated: int
) -> None:
    files = list(tasks(folder))
    files[0] = replace(files[0], row_groups=stated)
    tally, _ = counted(iter(files))
    assert tally.unlisted_files == 1
    assert tally.row_groups_considered == 2 * FILES
    assert (
        summary(replace(tally, row_groups_listed=2 * FILES - 2 + stated)).row_groups.total is None
    )


def test_evidence_that_is_too_much_to_hold_is_read_in_parts(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    predicate = BoundComparison(Op.EQ, X, (105,))
    whole, _ = counted(tasks(folder), predicate)
    monkeypatch.setattr(row_group_stage, "MAX_BYTES", 1)
    assert counted(tasks(folder), predicate)[0] == whole


@pytest.mark.parametrize("records", [ROWS - 1, ROWS + 1])
def test_a_file_of_other_rows_than_its_manifest_says_is_corrupt(
    tmp_path: Path, records: int
) -> None:
    write(tmp_path / "a.parquet", list(range(ROWS)))
    (task,) = tasks(tmp_path)
    tally, _ = counted(iter([replace(task, records=records)]), PREDICATE)
    assert (tally.unread_corrupt, tally.row_groups_considered) == (1, 0)
    known, _ = counted(iter([replace(task, records=0)]), PREDICATE)
    assert (known.unread_corrupt, known.row_groups_considered) == (0, 2)


def test_dictionaries_rule_out_gaps(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", [0, 9] * 5)
    tally, _ = counted(tasks(tmp_path), BoundComparison(Op.EQ, X, (5,)))
    assert (tally.row_groups_by_statistics, tally.row_groups_by_dictionary) == (0, 1)
    assert tally.row_groups_kept == 0


def test_bloom_filters_rule_out_gaps(tmp_path: Path) -> None:
    blooms = {"x": {"ndv": 10, "fpp": 0.0001}}
    path = tmp_path / "a.parquet"
    write(path, [0, 9] * 5, use_dictionary=False, bloom_filter_options=blooms)
    tally, _ = counted(tasks(tmp_path), BoundComparison(Op.EQ, X, (5,)))
    assert (tally.row_groups_by_statistics, tally.row_groups_by_bloom) == (0, 1)


def test_pages_are_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    values = [*range(10)]
    write(path, values, write_page_index=True, max_rows_per_page=2, write_batch_size=1)
    tally, _ = counted(tasks(tmp_path), BoundComparison(Op.LT, X, (3,)), rules=FLOOR)
    found = summary(tally)
    assert (found.pages.considered, found.pages.kept) == (5, 2)
    assert (found.page_records.considered, found.page_records.kept) == (10, 4)


def test_pages_are_unknown_where_a_kept_row_group_has_no_index(tmp_path: Path) -> None:
    options = {"write_page_index": True, "max_rows_per_page": 2, "write_batch_size": 1}
    write(tmp_path / "a.parquet", [*range(10)], **options)
    write(tmp_path / "b.parquet", [*range(10)])
    tally, _ = counted(tasks(tmp_path), BoundComparison(Op.LT, X, (3,)))
    assert tally.unindexed_row_groups == 1
    assert summary(tally).pages.kept is None


def test_a_damaged_dictionary_leaves_its_row_group_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    write(path, [0, 9] * 5, compression="none")
    content = bytearray(path.read_bytes())
    content[4:12] = b"\xff" * 8  # the header of the dictionary page
    path.write_bytes(content)
    tally, _ = counted(tasks(tmp_path), BoundComparison(Op.EQ, X, (5,)))
    assert (tally.row_groups_by_dictionary, tally.row_groups_kept) == (0, 1)
