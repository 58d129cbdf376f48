"""Reading files of query logs: every record or its rejection, streamed, wherever it ends."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries import reading, sql_records
from prunescope.collectors.queries.reading import read_json_lines, read_parquet
from prunescope.collectors.queries.trino import events as trino_events
from prunescope.collectors.storage.files import Storage

EVENT = (
    b'{"metadata": {"queryId": "%s", "query": "SELECT 1", "queryState": "FINISHED"}, '
    b'"statistics": {}}'
)


def read(path: Path) -> list[ObservedQuery | Rejected]:
    return list(read_json_lines(str(path), Storage(), "trino_events", trino_events.from_json))


def outcomes(path: Path) -> list[str]:
    return [
        record.query_id if isinstance(record, ObservedQuery) else record.reason
        for record in read(path)
    ]


def test_lines_are_read_with_their_numbers(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(EVENT % b"a" + b"\n\n  \nnonsense\n" + EVENT % b"b")
    records = read(log)
    assert outcomes(log) == ["a", "malformed_json", "b"]
    assert isinstance(records[1], Rejected)
    assert records[1].location == f"{log}:4"


def test_a_packed_file_is_unpacked_and_a_cut_one_ends_as_rejected(tmp_path: Path) -> None:
    packed = gzip.compress(b"\n".join(EVENT % str(n).encode() for n in range(2000)))
    whole, cut = tmp_path / "whole.jsonl.gz", tmp_path / "cut.jsonl.gz"
    whole.write_bytes(packed)
    cut.write_bytes(packed[: len(packed) // 2])
    assert outcomes(whole) == [str(n) for n in range(2000)]
    *read_before, last = outcomes(cut)
    assert last == "unreadable_file"
    assert read_before == [str(n) for n in range(len(read_before))]


def test_a_damaged_packed_file_ends_as_rejected(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"\n".join(EVENT % str(n).encode() for n in range(2000))))
    middle = len(packed) // 2
    packed[middle : middle + 30] = bytes(255 - byte for byte in packed[middle : middle + 30])
    log = tmp_path / "damaged.jsonl.gz"
    log.write_bytes(packed)
    assert outcomes(log)[-1] == "unreadable_file"


def test_zstandard_is_unpacked_and_a_cut_file_ends_as_rejected(tmp_path: Path) -> None:
    lines = b"\n".join(EVENT % str(n).encode() for n in range(2000))
    # Two frames, as a writer leaves them that appends.
    packed = zstandard.compress(lines + b"\n") + zstandard.compress(EVENT % b"last")
    whole, other = tmp_path / "whole.jsonl.zst", tmp_path / "other.jsonl.zst"
    whole.write_bytes(packed)
    other.write_bytes(b"no zstandard")
    assert outcomes(whole) == [*(str(n) for n in range(2000)), "last"]
    assert outcomes(other) == ["unreadable_file"]


@pytest.mark.parametrize("pack", [zstandard.compress, gzip.compress], ids=["zst", "gz"])
@pytest.mark.parametrize("cut", [1, 4, 30, 0.5, 0.9])
@pytest.mark.parametrize("count", [3, 20_000])
def test_a_packed_file_that_was_cut_off_is_named(
    tmp_path: Path, pack: Callable[[bytes], bytes], cut: float, count: int
) -> None:
    packed = pack(b"".join(EVENT % str(n).encode() + b"\n" for n in range(count)))
    log = tmp_path / ("log.jsonl.gz" if pack is gzip.compress else "log.jsonl.zst")
    log.write_bytes(packed[: -cut if isinstance(cut, int) else int(len(packed) * cut)])
    *read, last = outcomes(log)
    whole = [outcome for outcome in read if outcome != "malformed_json"]  # of the line in the cut
    assert last == "unreadable_file"
    assert len(read) - len(whole) <= 1
    assert whole == [*map(str, range(count))][: len(whole)]


@pytest.mark.parametrize("indent", [2, "\t"])
def test_printed_documents_and_arrays_are_records(tmp_path: Path, indent: int | str) -> None:
    event = json.loads(EVENT % b"a")
    log = tmp_path / "log.json"
    log.write_text(json.dumps(event, indent=indent) + "\n" + json.dumps([event] * 2, indent=indent))
    assert outcomes(log) == ["a", "a", "a"]


def test_a_line_beyond_the_limit_is_skipped_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LINE", 200)
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"\n".join([EVENT % b"a", b"x" * 1000, EVENT % b"b", b"y" * 500]))
    assert outcomes(log) == ["a", "line_too_long", "b", "line_too_long"]


def test_a_printed_document_beyond_the_limit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_LINE", 200)
    log = tmp_path / "log.json"
    long = json.dumps([0] * 100, indent=2)
    log.write_bytes(b"\n".join([EVENT % b"a", long.encode(), EVENT % b"b"]))
    assert outcomes(log) == ["a", "line_too_long", "b"]


def test_a_missing_file_is_one_rejection(tmp_path: Path) -> None:
    (record,) = read(tmp_path / "none.jsonl")
    assert isinstance(record, Rejected)
    assert record.reason == "unreadable_file"


def test_parquet_rows_are_records(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    pq.write_table(
        pa.table({"sql": ["SELECT 1", None, "SELECT 2"], "query_id": ["a", "b", "c"]}), path
    )

    def from_record(record: dict[str, object], location: str) -> ObservedQuery | Rejected:
        defaults = sql_records.RecordDefaults(dialect="trino")
        return sql_records.from_mapping(record, location, defaults=defaults)

    records = list(read_parquet(str(path), Storage(), "sql_records", from_record))
    assert [type(record).__name__ for record in records] == [
        "ObservedQuery",
        "Rejected",
        "ObservedQuery",
    ]


def test_a_parquet_row_that_cannot_be_read_is_one_rejection(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    moments = pa.array([0, 2**60, 0], pa.timestamp("ms"))
    pq.write_table(pa.table({"sql": ["SELECT 1"] * 3, "started_at": moments}), path)

    def from_record(record: dict[str, object], location: str) -> ObservedQuery | Rejected:
        return sql_records.from_mapping(record, location, defaults=sql_records.RecordDefaults())

    records = list(read_parquet(str(path), Storage(), "sql_records", from_record))
    assert [type(record) for record in records] == [ObservedQuery, Rejected, ObservedQuery]
    assert isinstance(records[1], Rejected)
    assert (records[1].reason, records[1].location) == ("malformed_record", f"{path}:2")
