"""Footers that are read as lanes say what they say when they are read one by one, of any writer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.parquet.chunk_statistics import serialised_footer
from prunescope.collectors.parquet.thrift_types import MalformedParquet
from prunescope.collectors.statistics import ColumnKey
from prunescope.collectors.tables.footer_columns import ColumnLookup
from prunescope.collectors.tables.footer_decoding import (
    SerialisedFooter,
    alone,
    by_lanes,
    decode_footers,
)
from prunescope.collectors.tables.row_groups import FileRowGroups, JoinedRowGroups
from tests.collectors.parquet.test_chunk_statistics import VALUES
from tests.collectors.parquet.test_damage import damages
from tests.integration.test_sample_parquet_files import iceberg_type, sample_files


def opened(tails: Sequence[bytes]) -> list[SerialisedFooter]:
    """The footers of files, of which all columns are wanted that can be compared, and one that
    they lack."""
    lookup, found = ColumnLookup(), []
    for tail in tails:
        schema = pq.read_metadata(pa.BufferReader(tail)).schema
        columns = [schema.column(leaf) for leaf in range(len(schema))]
        types = {tuple(column.path.split(".")): iceberg_type(column) for column in columns}
        mapping = {path: number for number, path in enumerate(types, 1)}
        wanted = tuple((mapping[path], kind) for path, kind in types.items() if kind is not None)
        thrift = serialised_footer(tail)
        of_file = lookup.columns(thrift, (*wanted, (1000, "long")), mapping)
        found.append(SerialisedFooter(thrift, of_file, ()))
    return found


def told(footer: FileRowGroups, columns: Sequence[ColumnKey]) -> dict[str, Any]:
    """All that is known of the row groups of a file."""
    joined = JoinedRowGroups([footer])
    found: dict[str, Any] = {
        "records": joined.records.tolist(),
        "sizes": joined.sizes.tolist(),
        "absent": footer[0].absent,
    }
    for key in columns:
        arrays = joined.statistics(key).arrays
        # -0.0 and 0.0 are told apart by their text.
        found |= {f"{key} {n}": repr(of.to_pylist()) for n, of in enumerate(arrays)}
        every = np.ones(len(joined.records), np.bool_)
        for name in ("dictionary", "bloom_filter", "column_index", "offset_index"):
            found[f"{key} {name}"] = list(joined.layouts(key, every, name))
    return found


def compare(footers: Sequence[SerialisedFooter]) -> Counter[str]:
    """Compares what is read at once with what is read one by one; counts what was."""
    at_once = by_lanes(footers)
    for place, footer in enumerate(footers):
        one = alone(footer)
        if place in at_once:
            assert not isinstance(one, Exception)
            columns = footer.columns.wanted
            assert told(at_once[place], columns) == told(one, columns)
    return Counter(lanes=len(at_once), all=len(footers))


@pytest.mark.shared
@pytest.mark.slow
def test_of_many_writers(shared: Path) -> None:
    compared: Counter[str] = Counter()
    for path in sample_files(shared):
        try:
            (footer,) = opened([path.read_bytes()])
        except (MalformedParquet, pa.ArrowException, OSError):
            continue
        compared += compare([footer, footer])
    assert compared["all"] > 100
    assert compared["lanes"] > 100


WRITTEN = st.fixed_dictionaries(
    {
        "use_dictionary": st.booleans(),
        "compression": st.sampled_from(["none", "snappy", "zstd"]),
        "write_page_index": st.booleans(),
        "data_page_version": st.sampled_from(["1.0", "2.0"]),
        "write_statistics": st.booleans(),
        "row_group_size": st.integers(1, 4),
    }
)
COLUMNS = st.lists(VALUES, min_size=1, max_size=4)


def file_of(columns: list[tuple[pa.DataType, list[Any]]], written: dict[str, Any]) -> bytes:
    """A file with these values, as many rows as all columns have."""
    rows = min(len(values) for _, values in columns)
    arrays = [pa.array(values[:rows], kind) for kind, values in columns]
    sink = BytesIO()
    names = [f"c{number}" for number in range(len(arrays))]
    filters = {name: {"ndv": 10, "fpp": 0.1} for name in names[:1]}
    if pa.types.is_boolean(arrays[0].type):
        filters = {}
    pq.write_table(pa.table(arrays, names), sink, bloom_filter_options=filters, **written)
    return sink.getvalue()


@given(columns=COLUMNS, ways=st.lists(WRITTEN, min_size=1, max_size=4))
def test_of_any_values(
    columns: list[tuple[pa.DataType, list[Any]]], ways: list[dict[str, Any]]
) -> None:
    tails = [file_of(columns, written) for written in ways]
    footers = opened(tails)
    alike = [one for one in footers if one.columns is footers[0].columns]
    compared = compare(alike)
    # There are chunks wherever there are rows.
    of_rows = [one for one in alike if pq.read_metadata(as_file(one.thrift)).num_row_groups]
    assert compared["lanes"] == len(of_rows)


def as_file(thrift: bytes) -> BytesIO:
    return BytesIO(b"PAR1" + thrift + len(thrift).to_bytes(4, "little") + b"PAR1")


@pytest.fixture(scope="module")
def sound() -> bytes:
    """A file of a few row groups, two columns, and all that can be told of them."""
    text = (pa.string(), ["a", "bc", None, "日本"] * 4)
    number = (pa.int64(), [1, None, 3, 4] * 4)
    written = {"row_group_size": 5, "write_page_index": True}
    return file_of([number, text], written)


def test_row_groups_are_read_of_files_of_which_no_column_is_wanted(sound: bytes) -> None:
    (one,) = opened([sound])
    columns = ColumnLookup().columns(one.thrift, (), {})
    footers = [SerialisedFooter(one.thrift, columns, ())] * 2
    assert compare(footers)["lanes"] == 2


def test_few_footers_of_many_kinds_are_each_what_they_are(sound: bytes) -> None:
    """Between them, one that is damaged, one of another schema, and what was no footer at all."""
    other = file_of([(pa.int64(), [1, 2])], {})
    (one,), (another,) = opened([sound]), opened([other])
    damaged = SerialisedFooter(one.thrift[:-20], one.columns, ())
    failed = ValueError("no footer")
    footers: list[SerialisedFooter | Exception] = [one, another, failed, damaged, one] * 40
    for number, found in enumerate(decode_footers(footers)):
        footer = footers[number]
        if footer is failed or footer is damaged:
            assert isinstance(found, ValueError)
        else:
            assert isinstance(footer, SerialisedFooter)
            expected = alone(footer)
            assert not isinstance(expected, Exception)
            assert not isinstance(found, Exception)
            assert told(found, footer.columns.wanted) == told(expected, footer.columns.wanted)


@given(damage=damages())
def test_damage_ends_in_what_it_is_alone_and_touches_no_other(
    sound: bytes, damage: Callable[[bytes], bytes]
) -> None:
    (one,) = opened([sound])
    head = len(one.columns.head)
    damaged = SerialisedFooter(
        one.thrift[:head] + damage(one.thrift[head:]), one.columns, one.lacked
    )
    columns = one.columns.wanted
    expected = told(by_lanes([one])[0], columns)
    footers = [one, damaged, one]
    compare(footers)
    at_once = by_lanes(footers)
    assert [told(at_once[place], columns) for place in (0, 2)] == [expected, expected]


@pytest.mark.parametrize(
    "flipped", [1, 0x80, *(pytest.param(bits, marks=pytest.mark.slow) for bits in (0x10, 0xFF))]
)
@pytest.mark.slow
def test_every_byte_that_changes_ends_in_what_it_is_alone(flipped: int, sound: bytes) -> None:
    (one,) = opened([sound])
    head = len(one.columns.head)
    changed = []
    for at in range(head, len(one.thrift)):
        thrift = bytearray(one.thrift)
        thrift[at] ^= flipped
        changed.append(SerialisedFooter(bytes(thrift), one.columns, one.lacked))
    read = compare(changed)
    # Many of the bytes are those of bounds and numbers, which may be any.
    assert 0.2 < read["lanes"] / read["all"] < 0.8


def test_of_uuids_the_ends_are_known_where_they_are_one() -> None:
    first, last = bytes(16), b"\xff" * 16
    thrifts = []
    for values in ([first, first], [first, last], [None, last], [None, None]):
        out = BytesIO()
        pq.write_table(pa.table({"u": pa.array(values, pa.binary(16))}), out)
        thrifts.append(serialised_footer(out.getvalue()))
    lookup, key = ColumnLookup(), (1, "uuid")
    footers = [SerialisedFooter(t, lookup.columns(t, (key,), {("u",): 1}), ()) for t in thrifts]
    assert compare(footers) == {"lanes": 4, "all": 4}
    chunks = JoinedRowGroups([by_lanes(footers)[place] for place in range(4)]).statistics(key)
    ends = zip(chunks.lower.to_pylist(), chunks.upper.to_pylist(), strict=True)
    assert list(ends) == [(first, first), (None, None), (last, last), (None, None)]
