"""Parquet files of many writers: what is pruned by anything that they say of themselves holds no
matching row."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.collectors.parquet.values import conversion_of
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Field
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.tables.footers import FooterUnreadable
from tests.collectors.parquet.files import physical_values
from tests.footers import footer_of, parquet_file
from tests.property.plan import Plan, keep_row_groups
from tests.property.values import is_nan

pytestmark = pytest.mark.shared

UNREADABLE = {
    "corrupt_footer_len_decr.parquet": "unread_corrupt",
    "corrupt_footer_len_incr.parquet": "unread_corrupt",
    "PARQUET-1481.parquet": "unread_corrupt",
    "incorrect_map_schema.parquet": "unread_corrupt",
}
_FILES = 65
_COMPARE: dict[Op, Callable[[Any, Any], bool]] = {
    Op.LT: operator.lt,
    Op.GT_EQ: operator.ge,
    Op.EQ: operator.eq,
}


def sample_files(shared: Path) -> list[Path]:
    folder = shared / "parquet"
    return sorted(path for path in folder.rglob("*") if path.suffix in (".parquet", ".parq"))


@pytest.mark.slow
@pytest.mark.exhaustive
def test_nothing_that_matches_is_pruned(shared: Path, subtests: pytest.Subtests) -> None:
    files = sample_files(shared)
    assert len(files) == _FILES
    judged: Counter[str] = Counter()
    causes: dict[str, str] = {}
    for path in files:
        with subtests.test(file=path.name):
            try:
                footer_of(str(path), [])
                metadata = pq.read_metadata(path)
            except FooterUnreadable as error:
                causes[path.name] = error.cause
                continue
            for leaf in range(metadata.num_columns):
                judged += check_column(path, metadata, leaf)
    assert causes == UNREADABLE
    # The samples hold all of these, so that none of them goes unnoticed.
    assert judged["columns"] > 190
    for source in ("statistics", "dictionary", "bloom", "pages"):
        assert judged[source] > 5, source


def check_column(path: Path, metadata: Any, leaf: int) -> Counter[str]:
    """Every comparison with some values of the column; counts what pruned anything."""
    column = metadata.schema.column(leaf)
    type_name = iceberg_type(column)
    if type_name is None or column.max_repetition_level or "." in column.path:
        return Counter(skipped=1)
    try:
        groups = [
            physical_values(values, type_name)
            for values in read_column(path, column.name, metadata.num_row_groups)
        ]
    except (pa.ArrowException, OSError, OverflowError):  # pages that are damaged on purpose
        return Counter(skipped=1)
    judged = Counter(columns=1)
    own_id = (metadata.schema.to_arrow_schema().field(column.name).metadata or {}).get(
        b"PARQUET:field_id"
    )
    key = (1 if own_id is None else int(own_id), type_name)
    mapping = {(column.name,): 1}
    opened = (
        parquet_file(str(path), [key], name_mapping=mapping),
        footer_of(str(path), [key], name_mapping=mapping),
    )
    field = Field(key[0], column.name, type_name)
    distinct = [set(values) for values in groups]
    for leaf_predicate in comparisons(field, groups):
        found = Plan()
        scan = Scan(0, leaf_predicate, FLOOR)
        kept = keep_row_groups(scan, opened, {}, PartitionSpec(0, ()), found)
        for number, values in enumerate(groups):
            everything = range(len(values)) if kept[number] else range(0)
            rows = found.rows.get((str(path), number), everything)
            judged["pages"] += 0 < len(rows) < len(values)
            pruned = pruned_values(values, distinct[number], rows)
            assert not any(matches(leaf_predicate, value) for value in pruned), leaf_predicate.op
        for source, count in found.pruned_by.items():
            judged[source] += count
    return judged


def pruned_values(
    values: Sequence[Any], distinct: Collection[Any], rows: Collection[int]
) -> Collection[Any]:
    """Each value of a row group's rows that are not read, at least once."""
    if len(rows) == len(values):
        return ()
    return {v for n, v in enumerate(values) if n not in rows} if rows else distinct


def iceberg_type(column: Any) -> str | None:
    """An Iceberg type as which a column can be read."""
    candidates = (
        *("boolean", "int", "float", "double", "date", "timestamp", "string", "long"),
        f"decimal({column.precision or 1},{column.scale or 0})",
    )
    of_stored = {"INT64": "long", "DOUBLE": "double", "BYTE_ARRAY": "string"}
    if str(column.logical_type) == "None" and column.physical_type in of_stored:
        return of_stored[column.physical_type]
    return next((name for name in candidates if conversion_of(column, name)), None)


def read_column(path: Path, name: str, groups: int) -> Iterator[pa.Array]:
    with pq.ParquetFile(path) as file:
        for number in range(groups):
            values = file.read_row_group(number, columns=[name]).column(0).combine_chunks()
            yield values.cast(pa.int64()) if pa.types.is_boolean(values.type) else values


def comparisons(field: Field, groups: Sequence[Sequence[Any]]) -> Iterator[BoundComparison]:
    yield BoundComparison(Op.IS_NULL, field)
    present = sorted({v for values in groups for v in values if not (v is None or is_nan(v))})
    if not present:
        return
    chosen = {present[0], present[-1], present[len(present) // 2]}
    for literal in [*chosen, *between(present)]:
        for op in (*_COMPARE, Op.NOT_EQ):
            yield BoundComparison(op, field, (literal,))


def between(present: Sequence[Any]) -> list[Any]:
    """Values that are not there, though their neighbours are."""
    first, last = present[0], present[-1]
    if isinstance(first, bytes):
        return [present[len(present) // 2] + b"\x00"]
    if isinstance(first, int) and first < last - 1:
        known = set(present)
        gaps = (value + 1 for value in present if value + 1 < last)
        return [next((gap for gap in gaps if gap not in known), last)]
    return []


def matches(leaf: BoundComparison, value: Any) -> bool:
    if leaf.op is Op.IS_NULL:
        return value is None
    (literal,) = leaf.values
    if leaf.op is Op.NOT_EQ:
        return value is not None and bool(value != literal)
    return value is not None and _COMPARE[leaf.op](value, literal)
