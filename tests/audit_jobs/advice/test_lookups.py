"""What bloom filters are told to leave, against counted rows and against filters that Arrow
writes."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from audit_jobs.advice.lookups import Filters, Lookups, lookups
from audit_jobs.advice.rows import SampledRows
from audit_jobs.pruning.rules import ICEBERG_1_11, PYICEBERG, PlannerRules
from audit_jobs.pruning.scans import Scan
from collectors.parquet.bloom_filters import might_contain, read_filter
from collectors.predicates.model import BoundComparison, Field, Predicate, all_of, any_of
from collectors.predicates.operators import Op
from tests.audit_jobs.advice.samples import fields, rows_of

COUNT, SAMPLED = 100_000, 5_000
TYPES = {"key": "long", "often": "long", "skewed": "long", "share": "double"}
FIELDS = fields(TYPES)


def _columns() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(11)
    weights = 1 / np.arange(1, 20_001)
    return {
        "key": draw.permutation(COUNT),
        "often": draw.integers(0, 4_000, COUNT),
        "skewed": draw.choice(20_000, COUNT, p=weights / weights.sum()),
        "share": draw.random(COUNT),
    }


@pytest.fixture(scope="module")
def columns() -> dict[str, np.ndarray]:
    return _columns()


@pytest.fixture(scope="module")
def sample(columns: dict[str, np.ndarray]) -> SampledRows:
    chosen = np.random.default_rng(12).choice(COUNT, SAMPLED, replace=False)
    arrays = {name: pa.array(values[chosen]) for name, values in columns.items()}
    return rows_of(arrays, TYPES, times=COUNT // SAMPLED)


def _asked(column: Field, *values: int) -> BoundComparison:
    return BoundComparison(Op.EQ if len(values) == 1 else Op.IN, column, values)


def _found(
    sample: SampledRows, *filters: Predicate, rules: PlannerRules = ICEBERG_1_11
) -> list[Lookups]:
    return lookups([Scan(n, predicate, rules) for n, predicate in enumerate(filters)], sample)


@pytest.mark.parametrize(("name", "factor"), [("key", 1.3), ("often", 1.3), ("skewed", 2.0)])
def test_rows_of_values_are_about_those_that_there_are(
    columns: dict[str, np.ndarray], sample: SampledRows, name: str, factor: float
) -> None:
    """Of values as rows have them: what queries ask for."""
    values = columns[name][:500].tolist()
    (found,) = _found(sample, *(_asked(FIELDS[name], value) for value in values))
    counts = np.bincount(columns[name])[values]
    assert counts.mean() / factor <= found.rows.mean() <= counts.mean() * factor


def test_lists_ask_for_the_rows_of_all_their_values(sample: SampledRows) -> None:
    single, whole = FIELDS["often"], (5, 6, 7)
    each, together = (
        _found(sample, *(_asked(single, v) for v in whole)),
        _found(sample, _asked(single, *whole)),
    )
    assert together[0].values.tolist() == [3]
    assert together[0].rows.sum() == pytest.approx(each[0].rows.sum())


@pytest.mark.parametrize(
    ("predicate", "rules"),
    [
        pytest.param(
            any_of(_asked(FIELDS["key"], 1), _asked(FIELDS["often"], 2)), ICEBERG_1_11, id="or"
        ),
        pytest.param(BoundComparison(Op.GT, FIELDS["key"], (5,)), ICEBERG_1_11, id="range"),
        pytest.param(BoundComparison(Op.EQ, FIELDS["share"], (0.5,)), ICEBERG_1_11, id="double"),
        pytest.param(_asked(FIELDS["key"], 1), PYICEBERG, id="an engine that asks no filter"),
    ],
)
def test_what_no_filter_serves(
    sample: SampledRows, predicate: Predicate, rules: PlannerRules
) -> None:
    assert _found(sample, predicate, rules=rules) == []


def test_conjuncts_are_served_beside_others(sample: SampledRows) -> None:
    predicate = all_of(_asked(FIELDS["key"], 1), BoundComparison(Op.GT, FIELDS["often"], (5,)))
    (found,) = _found(sample, predicate)
    assert found.column == FIELDS["key"]


@pytest.mark.parametrize("expected", [50, 400, 4_000])
def test_false_positives_are_those_of_filters_that_arrow_writes(expected: int) -> None:
    """Of filters that are too small for 4,000 values, and of one that is not."""
    rows = 4_000
    column = pa.table({"a": pa.array(np.arange(rows) * 2)})
    sink = io.BytesIO()
    options = {"a": {"ndv": expected, "fpp": 0.01}}
    pq.write_table(column, sink, bloom_filter_options=options, use_dictionary=False)
    raw = sink.getvalue()
    blocks = _filter(raw)
    from xxhash import xxh64_intdigest  # noqa: PLC0415

    odd = [int(v).to_bytes(8, "little") for v in range(1, 40_001, 2)]
    hashed = np.array([xxh64_intdigest(value) for value in odd], np.uint64)
    real = float(might_contain(blocks, hashed).mean())
    told = Filters(blocks.nbytes, rows).false_positives(rows)
    assert told == pytest.approx(max(real, 0.01), abs=0.03)


def _filter(raw: bytes) -> np.ndarray:
    from collectors.parquet.footer_parts import head_of, parts_of  # noqa: PLC0415
    from collectors.parquet.thrift_types import ColumnChunk  # noqa: PLC0415

    size = int.from_bytes(raw[-8:-4], "little")
    thrift = raw[-8 - size : -8]
    (chunks,) = parts_of(thrift, len(head_of(thrift)), 1).chunks(ColumnChunk, [0])
    facts = chunks[0].meta_data
    assert facts is not None
    assert facts.bloom_filter_offset is not None
    return read_filter(raw[facts.bloom_filter_offset :])


def test_what_is_left_of_row_groups_is_what_drawing_them_leaves() -> None:
    """Of 40 row groups and values of 0, 1, 5 and 200 rows, drawn at random."""
    draw = np.random.default_rng(13)
    rows = np.array([1.0, 5.0, 200.0])
    of = Lookups(FIELDS["key"], np.arange(3), np.ones(3), rows, 1_000)
    left, filters = Filters(1 << 20, 1_000).left(of, np.full(3, 40.0))
    drawn = [
        np.mean([len(set(draw.integers(0, 40, int(n)))) for _ in range(400)]) / 40 for n in rows
    ]
    expected = np.array(drawn) + (1 - np.array(drawn)) * 0.01
    assert left == pytest.approx(expected, rel=0.05)
    assert filters.tolist() == [40 << 20] * 3
    absent, _ = Filters(1 << 20, 1_000).left(of, np.full(3, 40.0), absent=True)
    assert absent == pytest.approx(0.01)


def test_lists_of_many_values_are_kept_by_false_positives(sample: SampledRows) -> None:
    (found,) = _found(sample, _asked(FIELDS["key"], *range(500)))
    left, _ = Filters(1 << 20, 1_000).left(found, np.array([1_000.0]))
    assert left[0] > 0.99
