"""What is read of a footer's statistics is what Arrow reads, of any writer's file."""

from __future__ import annotations

import struct
from collections import Counter
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.parquet.chunk_forms import form_of
from prunescope.collectors.parquet.chunk_statistics import (
    Order,
    chunk_statistics,
    order_of,
    row_groups,
    serialised_footer,
)
from prunescope.collectors.parquet.footer_parts import head_of, parts_of
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.parquet.values import Conversion, conversion_of
from tests.collectors.tables.avro_files import varint
from tests.integration.test_sample_parquet_files import iceberg_type, sample_files

PLAIN = {"INT32": "<i", "INT64": "<q", "FLOAT": "<f", "DOUBLE": "<d", "BOOLEAN": "<?"}


def compare(tail: bytes) -> Counter[str]:
    """Compares all that is read of a footer; counts what was there to compare."""
    thrift = serialised_footer(tail)
    metadata = pq.read_metadata(pa.BufferReader(tail))
    columns = [metadata.schema.column(leaf) for leaf in range(metadata.num_columns)]
    forms = [form_of(column) for column in columns]
    parts = parts_of(thrift, len(head_of(thrift)), len(forms))
    groups = row_groups(parts, [form.type for form in forms], range(len(forms)))
    rest = parts.rest()
    theirs = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
    assert groups.records == [group.num_rows for group in theirs]
    assert groups.sizes == [
        sum(group.column(leaf).total_compressed_size for leaf in range(len(columns)))
        for group in theirs
    ]
    compared: Counter[str] = Counter(files=1)
    for leaf, (column, form) in enumerate(zip(columns, forms, strict=True)):
        type_name = iceberg_type(column)
        conversion = None if type_name is None else conversion_of(column, type_name)
        if conversion is None:
            continue
        order = order_of(rest, leaf)
        found = chunk_statistics(groups.chunks[leaf], form, conversion, order)
        chunks = [group.column(leaf) for group in theirs]
        assert list(found.value_count) == [chunk.num_values for chunk in chunks]
        for number, chunk in enumerate(chunks):
            if not chunk.is_stats_set:
                continue
            said = chunk.statistics
            assert found.null_count[number] == (said.null_count if said.has_null_count else None)
            bounds = (found.lower[number], found.upper[number])
            # Arrow takes bounds of old writers for those of strings as well: see parquet-java.
            if order is Order.OF_TYPE or conversion.is_signed:
                assert bounds == arrow_bounds(said, conversion), column.path
                compared["bounds"] += said.has_min_max
                compared[order.name] += said.has_min_max
            else:
                assert bounds == (None, None)
    return compared


def arrow_bounds(said: Any, conversion: Conversion) -> tuple[Any, Any]:
    """The bounds that Arrow has, both or none of them."""
    if not said.has_min_max or not conversion.is_ordered:
        return None, None
    code = PLAIN.get(conversion.stored)
    plain = [struct.pack(code, v) if code else v for v in (said.min_raw, said.max_raw)]
    low, high = conversion.bounds(plain)
    return (None, None) if low is None or high is None else (low, high)


@pytest.mark.shared
def test_of_many_writers(shared: Path) -> None:
    compared: Counter[str] = Counter()
    for path in sample_files(shared):
        content = path.read_bytes()
        try:
            compared += compare(content)
        except (MalformedParquet, pa.ArrowException, OSError):
            compared["refused"] += 1
    assert compared["files"] > 50
    assert compared["OF_TYPE"] > 50
    assert compared["SIGNED"] > 10


VALUES = st.one_of(
    st.tuples(st.just(pa.int32()), st.lists(st.none() | st.integers(-(2**31), 2**31 - 1))),
    st.tuples(st.just(pa.int64()), st.lists(st.none() | st.integers(-(2**63), 2**63 - 1))),
    st.tuples(st.just(pa.timestamp("ms")), st.lists(st.none() | st.integers(-(2**62), 2**62))),
    st.tuples(st.just(pa.float32()), st.lists(st.none() | st.floats(width=32))),
    st.tuples(st.just(pa.float64()), st.lists(st.none() | st.floats())),
    st.tuples(st.just(pa.bool_()), st.lists(st.none() | st.booleans())),
    st.tuples(st.just(pa.string()), st.lists(st.none() | st.text())),
    st.tuples(st.just(pa.binary(4)), st.lists(st.none() | st.binary(min_size=4, max_size=4))),
    st.tuples(
        st.just(pa.decimal128(9, 2)), st.lists(st.none() | st.decimals(-9999, 9999, places=2))
    ),
)


@given(
    columns=st.lists(VALUES, min_size=1, max_size=4),
    row_group_size=st.integers(1, 4),
    described=st.booleans(),
)
def test_of_any_values(
    columns: list[tuple[pa.DataType, list[Any]]], row_group_size: int, described: bool
) -> None:
    rows = min(len(values) for _, values in columns)
    arrays = [pa.array(values[:rows], kind) for kind, values in columns]
    sink = BytesIO()
    table = pa.table(arrays, [f"c{number}" for number in range(len(arrays))])
    pq.write_table(table, sink, row_group_size=row_group_size, write_statistics=described)
    compared = compare(sink.getvalue())
    assert compared["files"] == 1


@pytest.mark.parametrize("records", [-1, 2**63 - 1])
def test_a_count_that_no_file_has_is_refused(records: int) -> None:
    """In a footer of one row group, without columns."""
    counted = b"\x16" + varint(records)
    footer = counted + b"\x19\x1c\x19\x0c\x26" + varint(records) + b"\x00\x00"
    with pytest.raises(MalformedParquet, match="that no file has"):
        row_groups(parts_of(footer, 0, 0), [], [])
