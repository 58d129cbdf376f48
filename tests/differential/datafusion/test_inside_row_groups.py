"""Statistics, bloom filters and page indexes of a Parquet file leave as many row groups, and as
many rows, as they leave to DataFusion 55, or a named rule says why not."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import datafusion
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.planning.row_group_stage import plan_row_groups
from prunescope.audit_jobs.planning.work import FooterTask, PlannedTable, TableContext, table_work
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import And, BoundComparison, Field, Predicate
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.storage.files import Storage
from tests.audit_jobs.pruning.judging import tally
from tests.differential.datafusion.test_row_groups import (
    KEEPS_FEWER,
    TYPES,
    Case,
    Difference,
    cases,
    explained,
    leaves,
    sql,
)

pytestmark = pytest.mark.slow

_METRIC = re.compile(r"(\w+_pruned\w*)=(\d+) total → (\d+) matched")
_RULES = replace(FLOOR, name="floor without dictionaries", dictionaries=False)


@dataclass(frozen=True)
class Kept:
    """Row groups after statistics, after bloom filters, and rows after page indexes."""

    by_statistics: int
    by_bloom: int
    rows: int


KEEPS_MORE = (
    Difference(
        "an upper bound that is a beginning of the prefix proves nothing to Iceberg",
        lambda leaf, _: leaf.op is Op.STARTS_WITH,
    ),
    Difference(
        "DataFusion knows that nulls are not different from anything; Iceberg matches them",
        lambda leaf, _: leaf.op in (Op.NOT_EQ, Op.NOT_IN),
    ),
)
KEEPS_FEWER_INSIDE = (
    *KEEPS_FEWER,
    Difference(
        "DataFusion asks bloom filters for whole conjuncts, not for sides of OR",
        lambda _, case: len(leaves(case.predicate)) > 1,
    ),
    Difference(
        "DataFusion has no bloom filter for decimals, dates and timestamps",
        lambda leaf, _: leaf.field.type.startswith(("decimal", "date", "timestamp")),
    ),
)


@st.composite
def indexed_cases(draw: st.DrawFn) -> tuple[Case, int]:
    return draw(cases()), draw(st.sampled_from([1, 2, 100]))


@given(drawn=indexed_cases())
def test_keeps_what_datafusion_keeps(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[Case, int]
) -> None:
    case, page_rows = drawn
    with_ids, plain = (tmp_path_factory.getbasetemp() / name for name in ("inside", "plain_inside"))
    write(with_ids, case, page_rows, {"PARQUET:field_id": "1"})
    # DataFusion 55 ignores null counts of 0 in files with field ids.
    write(plain, case, page_rows, None)
    parameters: dict[str, pa.Scalar] = {}
    condition = sql(case.predicate, TYPES[case.type_name], parameters)
    ours = kept_by_product(with_ids, case.predicate)
    theirs = kept_by_datafusion(plain, condition, parameters)
    for mine, other, what in (
        (ours.by_statistics, theirs.by_statistics, "row groups by statistics"),
        (ours.by_bloom, theirs.by_bloom, "row groups by bloom filters"),
        (ours.rows, theirs.rows, "rows"),
    ):
        if mine > other:
            assert explained(KEEPS_MORE, case), f"keeps {mine} {what}, DataFusion {other}"
        if mine < other:
            assert explained(KEEPS_FEWER_INSIDE, case), f"keeps {mine} {what}, DataFusion {other}"


def write(path: Path, case: Case, page_rows: int, metadata: dict[str, str] | None) -> None:
    field = pa.field("c", TYPES[case.type_name], metadata=metadata)
    schema = pa.schema([field])
    blooms = {} if pa.types.is_boolean(field.type) else {"c": {"ndv": 10, "fpp": 0.01}}
    with pq.ParquetWriter(
        path,
        schema,
        use_dictionary=False,
        write_page_index=True,
        write_batch_size=1,
        max_rows_per_page=page_rows,
        bloom_filter_options=blooms,
    ) as writer:
        for group in case.row_groups:
            writer.write_table(pa.table({"c": pa.array(group, field.type)}, schema=schema))


def kept_by_product(path: Path, predicate: Predicate) -> Kept:
    context = TableContext("t", {0: PartitionSpec(0, ())}, Storage(), {}, {}, {})
    block = table_work(0, context.table, 0, context.specs, [(1, Scan(0, predicate, _RULES))]).block
    task = FooterTask(str(path), path.stat().st_size, 0, 1, 0, 0, {}, b"\x80")
    (plan,) = plan_row_groups(PlannedTable({0: context}, {0: block}), [task])
    counted = tally(plan.of(block), 0)
    assert not counted.unindexed_row_groups
    return Kept(
        by_statistics=counted.row_groups_considered - counted.row_groups_by_statistics,
        by_bloom=counted.row_groups_kept,
        rows=counted.page_records_kept,
    )


def kept_by_datafusion(path: Path, condition: str, parameters: dict[str, pa.Scalar]) -> Kept:
    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(1))
    context.register_parquet("t", str(path), file_extension="")
    query = f"EXPLAIN ANALYZE SELECT * FROM t WHERE {condition}"
    batches = context.sql(query, param_values=parameters).collect()
    plan = "".join(text for batch in batches for text in batch.column(1).to_pylist())
    found = {name: (int(total), int(kept)) for name, total, kept in _METRIC.findall(plan)}
    if "EmptyExec" in plan or found.get("files_ranges_pruned_statistics") == (1, 0):
        return Kept(0, 0, 0)
    metadata = pq.read_metadata(path)
    # A pass that had nothing to judge has a total of 0, and keeps what it was given.
    total, kept = found["row_groups_pruned_statistics"]
    by_statistics = kept if total else metadata.num_row_groups
    total, kept = found["row_groups_pruned_bloom_filter"]
    by_bloom = kept if total else by_statistics
    # Row groups of which all rows match are not looked into.
    total, kept = found["page_index_rows_pruned"]
    rows = by_bloom * metadata.num_rows // metadata.num_row_groups
    return Kept(by_statistics, by_bloom, rows - total + kept)


@pytest.mark.parametrize(
    ("low", "high"), [(0, 300), (310, 330), (395, 405), (0, 2_000), (980, 1_000)]
)
def test_pages_of_two_columns_end_at_different_rows(tmp_path: Path, low: int, high: int) -> None:
    names = ("c", "d")
    fields = [pa.field(name, pa.int64()) for name in names]
    # DataFusion prints 1,000 rows and more as "1.00 K".
    columns = [list(range(990)), [number % 400 for number in range(990)]]
    with_ids, plain = tmp_path / "ids.parquet", tmp_path / "plain.parquet"
    tagged = [f.with_metadata({"PARQUET:field_id": str(n)}) for n, f in enumerate(fields, start=1)]
    for path, schema in ((with_ids, pa.schema(tagged)), (plain, pa.schema(fields))):
        pq.write_table(
            pa.table(columns, schema=schema),
            path,
            write_page_index=True,
            use_dictionary=False,
            column_encoding={"c": "PLAIN", "d": "DELTA_BINARY_PACKED"},
            data_page_size=700,
            write_batch_size=10,
            compression="none",
        )
    c, d = (Field(number, name, "long") for number, name in enumerate(names, start=1))
    predicate = And((BoundComparison(Op.GT_EQ, c, (low,)), BoundComparison(Op.LT, d, (high,))))
    ours = kept_by_product(with_ids, predicate)
    assert ours == kept_by_datafusion(plain, f"c >= {low} AND d < {high}", {})
