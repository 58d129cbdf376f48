"""Pass 3 keeps as many row groups of a Parquet file as DataFusion 55 does from the same
statistics (bloom filters and page index off), or a named rule says why not."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import datafusion
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.pruning.row_groups import prune_row_groups
from prunescope.audit_jobs.pruning.scans import Scan
from prunescope.audit_jobs.pruning.shapes import shapes
from prunescope.audit_jobs.pruning.verdicts import Reach
from prunescope.collectors.partitioning import PartitionSpec
from prunescope.collectors.predicates.model import BoundComparison, Field, Or, Predicate, any_of
from prunescope.collectors.predicates.operators import Op
from prunescope.collectors.statistics import columns_of
from prunescope.collectors.tables.footers import row_group_batch
from tests.footers import footer_of
from tests.property.values import values

pytestmark = pytest.mark.slow

TYPES: dict[str, pa.DataType] = {
    "boolean": pa.bool_(),
    "int": pa.int32(),
    "long": pa.int64(),
    "double": pa.float64(),
    "decimal(9, 2)": pa.decimal128(9, 2),
    "decimal(38, 10)": pa.decimal128(38, 10),
    "date": pa.date32(),
    "timestamp": pa.timestamp("us"),
    "string": pa.string(),
}
_COMPARISONS = (Op.LT, Op.LT_EQ, Op.GT, Op.GT_EQ, Op.EQ, Op.NOT_EQ)
_METRIC = re.compile(r"row_groups_pruned_statistics=(\d+) total → (\d+) matched")
_FILE_METRIC = re.compile(r"files_ranges_pruned_statistics=1 total → (\d+) matched")


@dataclass(frozen=True)
class Case:
    """Values of one column per row group, and a predicate on it."""

    type_name: str
    row_groups: tuple[tuple[Any, ...], ...]
    predicate: Predicate


@st.composite
def cases(draw: st.DrawFn) -> Case:
    type_name = draw(st.sampled_from(sorted(TYPES)))
    pool = draw(st.lists(values(type_name), min_size=1, max_size=6))
    cell = st.one_of(st.sampled_from(pool), st.sampled_from(pool), st.none())
    width = draw(st.integers(1, 3))
    group = st.lists(cell, min_size=width, max_size=width).map(tuple)
    row_groups = tuple(draw(st.lists(group, min_size=1, max_size=6)))
    leaf = _comparisons(type_name, pool)
    # No AND: DataFusion folds contradictions before it looks at statistics.
    either = st.tuples(leaf, leaf).map(lambda pair: any_of(*pair))
    predicate = draw(st.one_of(leaf, leaf, either))
    return Case(type_name, row_groups, predicate)


@st.composite
def _comparisons(draw: st.DrawFn, type_name: str, pool: list[Any]) -> BoundComparison:
    literal = st.one_of(st.sampled_from(pool), values(type_name)).filter(_is_number)
    field = Field(1, "c", type_name)
    operators = [*_COMPARISONS, Op.IN, Op.NOT_IN, Op.IS_NULL, Op.NOT_NULL]
    op = draw(st.sampled_from(operators + [Op.STARTS_WITH] * (type_name == "string")))
    if op in (Op.IS_NULL, Op.NOT_NULL):
        return BoundComparison(op, field)
    if op in (Op.IN, Op.NOT_IN):
        size = draw(st.sampled_from([2, 3, 25]))
        found = draw(st.lists(literal, min_size=min(size, 2), max_size=size, unique=True))
        return BoundComparison(op, field, tuple(sorted(map(_physical, found))))
    if op is Op.STARTS_WITH:
        literal = literal.filter(bool).map(lambda text: text[:3])  # binding folds empty prefixes
    return BoundComparison(op, field, (_physical(draw(literal)),))


def _is_number(value: Any) -> bool:
    return not (isinstance(value, float) and math.isnan(value))


def _physical(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return value.encode() if isinstance(value, str) else value


@dataclass(frozen=True)
class Difference:
    """Why the product keeps more row groups (it never keeps fewer without a rule either)."""

    name: str
    explains: Callable[[BoundComparison, Case], bool]


def _has_no_bounds(case: Case) -> bool:
    return all(v is None or not _is_number(v) for group in case.row_groups for v in group)


def _text(leaf: BoundComparison) -> str:
    (prefix,) = leaf.values
    assert isinstance(prefix, bytes)
    return prefix.decode()


KEEPS_MORE = (
    Difference(
        "Iceberg's row-group filter never prunes != and NOT IN",
        lambda leaf, _: leaf.op in (Op.NOT_EQ, Op.NOT_IN),
    ),
    Difference(
        "an upper bound that is a beginning of the prefix proves nothing to Iceberg",
        lambda leaf, _: leaf.op is Op.STARTS_WITH,
    ),
    Difference(
        "a lower bound of 0.0 is written as -0.0, which Iceberg sorts before it",
        lambda leaf, _: (
            leaf.op in (Op.LT, Op.GT)
            and leaf.field.type in ("float", "double")
            and leaf.values[0] == 0
        ),
    ),
)
KEEPS_FEWER = (
    Difference(
        "DataFusion judges nothing in a file of which no row group has bounds",
        lambda _, case: _has_no_bounds(case),
    ),
    Difference(
        "DataFusion prunes IN lists of more than 20 values by bloom filters only",
        lambda leaf, _: leaf.op is Op.IN and len(leaf.values) > 20,
    ),
    Difference(
        "DataFusion judges no prefix whose last character has no successor",
        lambda leaf, _: leaf.op is Op.STARTS_WITH and _text(leaf)[-1:] in ("\ud7ff", "\U0010ffff"),
    ),
    Difference(
        "DataFusion folds comparisons that every boolean satisfies",
        lambda leaf, _: leaf.field.type == "boolean",
    ),
)


@given(case=cases())
def test_keeps_the_row_groups_that_datafusion_keeps(
    tmp_path_factory: pytest.TempPathFactory, case: Case
) -> None:
    with_ids, plain = (tmp_path_factory.getbasetemp() / name for name in ("ids", "plain"))
    write(with_ids, case, {"PARQUET:field_id": "1"})
    # DataFusion 55 ignores null counts of 0 in files with field ids.
    write(plain, case, None)
    ours, theirs = kept_by_product(with_ids, case.predicate), kept_by_datafusion(plain, case)
    if ours > theirs:
        assert explained(KEEPS_MORE, case), f"keeps {ours} row groups, DataFusion {theirs}"
    if ours < theirs:
        assert explained(KEEPS_FEWER, case), f"keeps {ours} row groups, DataFusion {theirs}"


def explained(rules: tuple[Difference, ...], case: Case) -> bool:
    return any(rule.explains(leaf, case) for rule in rules for leaf in leaves(case.predicate))


def leaves(predicate: Predicate) -> list[BoundComparison]:
    match predicate:
        case Or(children):
            return [leaf for child in children for leaf in leaves(child)]
        case BoundComparison():
            return [predicate]
    raise TypeError(predicate)


def write(path: Path, case: Case, metadata: dict[str, str] | None) -> None:
    field = pa.field("c", TYPES[case.type_name], metadata=metadata)
    schema = pa.schema([field])
    with pq.ParquetWriter(path, schema) as writer:
        for group in case.row_groups:
            writer.write_table(pa.table({"c": pa.array(group, field.type)}, schema=schema))


def kept_by_product(path: Path, predicate: Predicate) -> int:
    columns = columns_of([predicate])
    spec = PartitionSpec(0, ())
    footer = footer_of(str(path), columns)
    batch = row_group_batch([(footer, {})], spec, columns, ())
    reach = Reach(np.ones((1, 1), np.bool_), batch.file)
    (found,) = prune_row_groups(shapes([Scan(0, predicate)]), batch, spec, reach)
    return int(found.verdicts.kept.sum())


def kept_by_datafusion(path: Path, case: Case) -> int:
    config = (
        datafusion.SessionConfig()
        .with_target_partitions(1)
        .set("datafusion.execution.parquet.enable_page_index", "false")
        .set("datafusion.execution.parquet.bloom_filter_on_read", "false")
    )
    context = datafusion.SessionContext(config)
    context.register_parquet("t", str(path), file_extension="")
    parameters: dict[str, pa.Scalar] = {}
    condition = sql(case.predicate, TYPES[case.type_name], parameters)
    query = f"EXPLAIN ANALYZE SELECT * FROM t WHERE {condition}"
    batches = context.sql(query, param_values=parameters).collect()
    plan = "".join(text for batch in batches for text in batch.column(1).to_pylist())
    if "EmptyExec" in plan or _FILE_METRIC.findall(plan) == ["0"]:
        return 0
    ((total, matched),) = _METRIC.findall(plan)
    # Without a pruning predicate (a filter that folds to true) nothing is judged.
    return int(matched) if int(total) else len(case.row_groups)


def sql(predicate: Predicate, kind: pa.DataType, parameters: dict[str, pa.Scalar]) -> str:
    match predicate:
        case Or(children):
            return " OR ".join(f"({sql(child, kind, parameters)})" for child in children)
        case BoundComparison(op, _, literals):
            names = []
            for value in literals:
                name = f"v{len(parameters)}"
                shown: Any = value.decode() if isinstance(value, bytes) else value
                if pa.types.is_boolean(kind):
                    shown = bool(value)
                parameters[name] = pa.scalar(shown, kind)
                names.append(f"${name}")
            if op in (Op.IN, Op.NOT_IN):
                return f"c {op.value} ({', '.join(names)})"
            if op is Op.STARTS_WITH:
                pattern = re.sub(r"([\\%_])", r"\\\1", _text(predicate)).replace("'", "''")
                return f"c LIKE '{pattern}%'"
            return f"c {op.value} {''.join(names)}"
    raise TypeError(predicate)
