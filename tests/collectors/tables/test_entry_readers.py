"""What is read of all records at once is what was written, and what the other reader reads one by
one; and where that reader refuses a file, so does this one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunescope.collectors.tables.avro import AvroContent
from prunescope.collectors.tables.avro_lanes import Unusual
from prunescope.collectors.tables.entries import Entries
from prunescope.collectors.tables.entry_readers import at_once, one_by_one
from tests.collectors.tables.avro_files import SYNC, file, varint
from tests.collectors.tables.made_manifests import (
    KINDS,
    MAPS,
    WANTED,
    encoded,
    entry,
    expected,
    made,
    manifests,
    plain,
    same,
    schema,
)


def read_at_once(*contents: bytes) -> list[Entries]:
    return [read.entries for read in at_once([AvroContent(data, WANTED) for data in contents])]


def compared(content: bytes) -> bool:
    """Whether the file is read at once; if so, like the other reader does."""
    try:
        expected = plain(list(one_by_one(AvroContent(content, WANTED))))
    except Exception:  # noqa: BLE001  # all that `read_manifest` takes for unreadable
        with pytest.raises(Exception):  # noqa: B017, PT011
            read_at_once(content)
        return False
    try:
        found = read_at_once(content)
    except Unusual:
        return False
    same(plain(found), expected)
    return True


@pytest.mark.shared
@pytest.mark.slow
def test_the_manifests_of_all_sample_tables_are_read_at_once(shared: Path) -> None:
    read, others = 0, []
    for path in sorted((shared / "tables").rglob("*.avro")):
        content = path.read_bytes()
        if b'"data_file"' in content:
            if compared(content):
                read += 1
            else:
                others.append(path.name)
    assert (read > 150, others) == (True, [])


@settings(deadline=None)
@given(manifests())
@pytest.mark.slow
def test_entries_are_read_as_they_were_written(made: tuple[bytes, list[dict[str, Any]]]) -> None:
    content, live = made
    same(plain(list(one_by_one(AvroContent(content, WANTED)))), live)
    try:
        found = read_at_once(content)
    except Unusual:
        return
    same(plain(found), live)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("in_one_block", [True, False], ids=["one-block", "a-block-each"])
@settings(deadline=None, max_examples=10)
@given(st.data())
def test_partition_values_of_every_type_are_read_at_once(
    kind: str, in_one_block: bool, data: st.DataObject
) -> None:
    values = data.draw(st.lists(st.none() | KINDS[kind][1], min_size=1, max_size=5))
    made = [entry(n, [value]) for n, value in enumerate(values)]
    parts = [encoded(row, [kind], 100) for row in made]
    blocks = [(len(parts), b"".join(parts))] if in_one_block else [(1, part) for part in parts]
    content = file(schema([kind]), *blocks)
    found = read_at_once(content)
    same(plain(found), [expected(row) for row in made])


MAP = {1: 5, 3: 6}
VECTOR = b"s3://bucket/table/data/part-7.parquet"


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="none"),
        pytest.param({0: {"status": 2}, 59: {"status": 2}}, id="deleted-entries"),
        pytest.param({n: {"status": 2} for n in range(60)}, id="all-deleted"),
        pytest.param({7: {"maps": dict.fromkeys(MAPS)}}, id="one-without-maps"),
        pytest.param({n: {"maps": dict.fromkeys(MAPS)} for n in range(60)}, id="no-maps"),
        pytest.param({7: {"maps": {**dict.fromkeys(MAPS), 109: MAP}}}, id="other-columns"),
        pytest.param({7: {"partition": [None]}}, id="a-null"),
        pytest.param({7: {"partition": [-(2**63)]}}, id="a-long-number"),
        pytest.param({7: {"key": b"abc"}}, id="key-metadata"),
        pytest.param({7: {"path": "s3://bucket/other/" + "y" * 5_000}}, id="a-long-path"),
        pytest.param(
            {n: {"maps": {**dict.fromkeys(MAPS), 125: {2147483546: VECTOR}}} for n in range(60)},
            id="paths-in-bounds",
        ),
    ],
)
@pytest.mark.parametrize("size", [100, 1, -100])
def test_entries_that_differ_are_read_at_once(changes: Any, size: int) -> None:
    assert compared(made(changes, size=size))


@pytest.mark.parametrize(
    ("offsets", "row_groups"),
    [
        pytest.param([4, 300, 999], 3, id="before-the-end"),
        pytest.param([4, 300, 1_000], -1, id="at-the-end"),
        pytest.param([4, 1_001], -1, id="beyond-the-end"),
        pytest.param([2**40, 4], 2, id="only-the-last-one-counts"),
        pytest.param([], -1, id="empty"),
        pytest.param(None, -1, id="none"),
    ],
)
@pytest.mark.parametrize("size", [100, 1, -1], ids=["one-block", "blocks", "blocks-of-known-size"])
def test_split_offsets_beyond_the_file_count_no_row_groups(
    offsets: list[int] | None, row_groups: int, size: int
) -> None:
    content = made({7: {"offsets": offsets, "size": 1_000}}, size=size)
    read = list(one_by_one(AvroContent(content, WANTED))), read_at_once(content)
    assert [plain(parts)[7]["row_groups"] for parts in read] == [row_groups] * 2


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({7: {"path": "elsewhere"}}, id="nothing-in-common"),
        pytest.param({7: {"path": "s3://s3://bucket"}}, id="twice-in-one"),
    ],
)
def test_records_that_cannot_be_told_apart_are_read_one_by_one(changes: Any) -> None:
    content = made(changes)
    assert not compared(content)
    assert sum(map(len, one_by_one(AvroContent(content, WANTED)))) == 60


def test_a_key_that_is_there_twice_is_for_the_other_reader() -> None:
    one = encoded(entry(1, [1], maps={**dict.fromkeys(MAPS), 109: {1: 5, 2: 6}}), ["long"], 100)
    twice = one.replace(
        varint(1) + varint(5) + varint(2) + varint(6), varint(1) + varint(5) + varint(1) + varint(6)
    )
    assert twice != one
    content = file(schema(["long"]), (1, twice))
    assert not compared(content)
    assert sum(map(len, one_by_one(AvroContent(content, WANTED)))) == 1


def test_an_unpartitioned_manifest_is_read_at_once() -> None:
    parts = [encoded(entry(n, []), [], 100) for n in range(50)]
    assert compared(file(schema([]), (50, b"".join(parts))))


WHOLE = made({n: {"sequence": n} for n in range(0, 60, 3)})


@settings(deadline=None, max_examples=60)
@given(st.data())
@pytest.mark.slow
def test_damage_is_no_other_file(data: st.DataObject) -> None:
    start = WHOLE.index(SYNC)
    changed = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(start, len(WHOLE) - 1))
        changed[place] = data.draw(st.integers(0, 255))
    compared(bytes(changed))


def test_a_manifest_that_is_cut_anywhere_is_refused_by_both() -> None:
    end = WHOLE.rindex(SYNC, 0, len(WHOLE) - 16)
    for size in range(WHOLE.index(SYNC) + 17, len(WHOLE), 41):
        if size != end + 16:
            assert not compared(WHOLE[:size])


@pytest.mark.parametrize("lie", [59, 61, 1, 30, -30])
def test_a_block_that_lies_about_its_entries_is_refused_by_both(lie: int) -> None:
    parts = b"".join(encoded(entry(n, [n]), ["long"], 100) for n in range(60))
    assert not compared(file(schema(["long"]), (lie, parts)))
