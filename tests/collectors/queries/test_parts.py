"""Parts of a log: whatever its size and theirs, each record is in one of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.collectors.observed import Rejected
from prunescope.collectors.queries import lines, parts, reading, sql_records
from prunescope.collectors.queries.parts import Part, documents_of, parts_of
from prunescope.collectors.queries.reading import read_json_lines, read_parquet
from prunescope.collectors.storage.files import Storage
from tests.object_store import PROGRAM, serve

pytestmark = pytest.mark.slow

RECORD = '{"sql": "SELECT 1", "query_id": "%s"}'
LONGEST = 120
"""Bytes of a line, in place of 64 MiB."""

LINES = st.one_of(
    st.sampled_from(
        [
            *("", " ", "{", "}", "[", "]", "[{", "}]", "},", "{}", "{},", "nonsense", "\ufeff{}"),
            '  "sql": "}"',
            '[{"sql": "a"}, {"sql": "b"}]',
            '{"sql": "}\\n{"}',
            "x" * 3 * LONGEST,
            '{"sql": "%s"}' % ("y" * 2 * LONGEST),
        ]
    ),
    st.text("aé漢🦆", max_size=9).map(lambda text: RECORD % text),
    st.text("aé漢🦆", max_size=9).map(lambda text: json.dumps({"sql": text}, indent=2)),
)
LOGS = st.builds(
    lambda pieces, end, bom: (
        bom
        + b"".join(line.replace("\n", ending).encode() + ending.encode() for line, ending in pieces)
        + end
    ),
    st.lists(st.tuples(LINES, st.sampled_from(["\n", "\r\n"])), max_size=12),
    st.sampled_from([b"", (RECORD % "last").encode(), b"{", b"\r"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
)


def pieces(path: Path, part: Part | None) -> list[tuple[str, Any]]:
    """The texts, and the reasons of the rejections, of a part, with where they stand."""
    found: list[tuple[str, Any]] = []

    def from_json(text: bytes, location: str) -> Any:
        found.append((location, text))
        return None

    records = read_json_lines(str(path), Storage(), "s", from_json, part)
    # Drawn one by one: texts are found on the way.
    for record in filter(None, records):
        assert isinstance(record, Rejected)
        found += [(record.location, record.reason)]
    return found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs") / "log.jsonl"


@given(LOGS, st.integers(1, 400), st.integers(1, 50))
def test_the_parts_have_each_document_once(
    log: Path, content: bytes, part_bytes: int, chunk: int
) -> None:
    log.write_bytes(content)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "MAX_LINE", LONGEST)
        patched.setattr(parts, "CHUNK", chunk)
        of_all = pieces(log, Part(0, None))
        of_parts = [
            piece
            for part in parts_of(log.name, len(content), part_bytes)
            for piece in pieces(log, part or Part(0, None))
        ]
        by_line = pieces(log, None)
    assert of_parts == of_all
    assert [text for _, text in of_all] == [text for _, text in by_line]
    for (at_byte, text), (at_line, _) in zip(of_all, by_line, strict=True):
        offset, _, element = at_byte.rpartition(":byte ")[2].partition("[")
        number, _, same_element = at_line.rpartition(":")[2].partition("[")
        assert element == same_element
        assert content[: int(offset)].count(b"\n") == int(number) - 1
        if isinstance(text, bytes) and not element:
            assert text.split(b"\n")[0] in content[int(offset) :].split(b"\n")[0]


@given(st.integers(1, 10_000), st.integers(0, 10_000))
def test_parts_follow_each_other_to_the_end(part_bytes: int, size: int) -> None:
    found = parts_of("log.jsonl", size, part_bytes)
    if size <= part_bytes:
        assert found == [None]
        return
    known = [part for part in found if part is not None]
    assert [part.start for part in known] == [0, *(part.stop for part in known[:-1])]
    assert known[-1].stop is None
    assert all(part.stop - part.start == part_bytes for part in known[:-1] if part.stop)
    for position in (-5, 0, part_bytes, size, 10 * size):
        assert sum(part.has(position) for part in known) == 1


@pytest.mark.parametrize("name", ["a.gz", "a.zst", "a.zstd"])
def test_what_is_compressed_has_no_parts(name: str) -> None:
    assert parts_of(name, 1 << 40) == [None]


def test_a_part_of_lines_is_read_without_the_others() -> None:
    content = b"".join((RECORD % number).encode() + b"\n" for number in range(10_000))
    stream = Counting(content)
    first, chunks = documents_of(stream, Part(100_000, 120_000))
    found = b"".join(chunks)
    assert content[first:].startswith(found)
    assert stream.most < 120_000 + 2 * lines.CHUNK
    assert stream.least >= 100_000 - 3
    assert abs(len(found) - 20_000) < len(RECORD) * 2


class Counting(BytesIO):
    """Knows which of its bytes were read."""

    least, most = 1 << 60, 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.least = min(self.least, self.tell())
        found = super().read(size)
        self.most = max(self.most, self.tell())
        return found


def test_a_line_in_which_several_parts_begin_is_the_first_ones(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("\n".join([RECORD % "a", RECORD % ("b" * 1000), RECORD % "c"]))
    found = [len(pieces(log, part)) for part in parts_of(log.name, log.stat().st_size, 100)]
    assert sum(found) == 3
    assert found[0] == 2
    assert found[1:-1].count(0) >= 8


def from_record(record: Any, location: str) -> Any:
    defaults = sql_records.RecordDefaults(dialect="trino")
    found = sql_records.from_mapping(record, location, defaults=defaults)
    return found if isinstance(found, Rejected) else replace(found, user=location)


@given(rows=st.integers(0, 40), group=st.integers(1, 9), part_bytes=st.integers(1, 4000))
def test_row_groups_are_in_one_part_and_rows_keep_their_numbers(
    log: Path, rows: int, group: int, part_bytes: int
) -> None:
    path = log.with_suffix(".parquet")
    table = pa.table({"sql": [f"SELECT {number}" for number in range(rows)]})
    pq.write_table(table, path, row_group_size=group)

    def read(part: Part | None) -> list[Any]:
        return list(read_parquet(str(path), Storage(), "s", from_record, part))

    found = [
        record
        for part in parts_of(path.name, path.stat().st_size, part_bytes)
        for record in read(part)
    ]
    assert found == read(None)
    assert [record.user for record in found] == [f"{path}:{n}" for n in range(1, rows + 1)]


def test_an_export_of_no_rows_holds_nothing(log: Path) -> None:
    path = log.with_suffix(".parquet")
    pq.write_table(pa.table({"sql": pa.array([], pa.string())}), path)
    assert list(read_parquet(str(path), Storage(), "s", from_record)) == []


def test_a_file_without_a_footer_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    path.write_bytes(b"x" * 1000)
    found = [
        record
        for part in parts_of(path.name, 1000, 100)
        for record in read_parquet(str(path), Storage(), "s", from_record, part)
    ]
    (told,) = found
    assert isinstance(told, Rejected)
    assert (told.reason, told.location) == ("unreadable_file", f"{path}:byte 0")


def test_a_file_that_is_gone_is_told_of_each_part(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    found = [piece for part in parts_of(path.name, 300, 100) for piece in pieces(path, part)]
    assert found == [(f"{path}:byte {start}", "unreadable_file") for start in (0, 100, 200)]


@pytest.mark.slow
def test_of_an_object_only_the_part_is_read(
    tmp_path: Path, require_program: Callable[[str], Path]
) -> None:
    content = b"".join((RECORD % number).encode() + b"\n" for number in range(200_000))
    with serve(require_program(PROGRAM), tmp_path / "store") as store:
        location = store.put("logs/log.jsonl", content)
        storage = Storage((), store.properties)
        part = Part(3 << 20, 4 << 20)
        texts: list[bytes] = []

        def from_json(text: bytes, _: str) -> Any:
            texts.append(text)
            return Rejected("s", "", "", "")

        list(read_json_lines(location, storage, "s", from_json, part))
        asked = [span for method, span in store.of(location) if method == "GET"]
    assert b"".join(texts) in content
    assert len(b"".join(texts)) == pytest.approx(1 << 20, abs=200)
    spans = [tuple(map(int, str(span).removeprefix("bytes=").split("-"))) for span in asked]
    assert spans.pop(0)[0] == 0, "the beginning tells what the file is"
    assert min(start for start, _ in spans) == part.start - 3
    assert max(stop for _, stop in spans) < (4 << 20) + 2 * lines.CHUNK
    assert sum(stop - start + 1 for start, stop in spans) < 5 << 20
