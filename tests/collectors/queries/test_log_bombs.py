"""Small files that are large in memory: each ends as one rejection, in bounded memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from prunescope.collectors.observed import Rejected
from prunescope.collectors.queries import lines, parquet_rows, rejections, sql_records
from prunescope.collectors.queries.iceberg_reports import read_reports
from prunescope.collectors.queries.reading import read_json_lines, read_parquet
from prunescope.collectors.queries.rejections import EXAMPLES, counted
from prunescope.collectors.queries.spark.events import read_spark_log
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import CODECS

pytestmark = pytest.mark.slow

DEFAULTS = sql_records.RecordDefaults(dialect="trino")
MB = 1 << 20


def from_record(record: Any, location: str) -> Any:
    return sql_records.from_mapping(record, location, defaults=DEFAULTS)


def from_json(line: bytes, location: str) -> Any:
    return sql_records.from_json(line, location, defaults=DEFAULTS)


def json_lines(path: Path) -> list[Any]:
    records = read_json_lines(str(path), Storage(), "s", from_json)
    return list(counted(records, "s", str(path)))


def reports(path: Path) -> list[Any]:
    return list(counted(read_reports(str(path), Storage()), "s", str(path)))


def spark(path: Path) -> list[Any]:
    return list(counted(read_spark_log([str(path)], Storage()), "s", str(path)))


def parquet(path: Path) -> list[Any]:
    records = read_parquet(str(path), Storage(), "s", from_record)
    return list(counted(records, "s", str(path)))


def reasons(records: list[Any]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for record in records:
        name, count = (
            (record.reason, record.inputs) if isinstance(record, Rejected) else ("query", 1)
        )
        found[name] += count
    return dict(found)


def test_rejected_lines_are_counted_and_few_are_kept(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl.gz"
    log.write_bytes(gzip.compress(b"x\n" * 50_000))
    assert log.stat().st_size < 1_000
    told = json_lines(log)
    assert len(told) == EXAMPLES + 1
    assert reasons(told) == {"malformed_json": 50_000}


@pytest.mark.parametrize("read", [json_lines, reports, spark])
@pytest.mark.parametrize(
    ("name", "pack"),
    [
        pytest.param("log.gz", gzip.compress, id="gzip"),
        pytest.param("log.zstd", zstandard.compress, id="zstd"),
    ],
)
@pytest.mark.parametrize("content", [b" " * 200_000, b"\n" * 200_000], ids=["line", "lines"])
def test_what_unpacks_to_too_much_is_given_up(
    tmp_path: Path,
    read: Callable[[Path], list[Any]],
    name: str,
    pack: Callable[[bytes], bytes],
    content: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lines, "MOST_UNPACKED", 64_000)
    log = tmp_path / name
    log.write_bytes(pack(content))
    assert reasons(read(log)) == {"unpacks_too_much": 1}


@pytest.mark.parametrize("codec", CODECS)
def test_every_codec_of_spark_is_bounded(
    tmp_path: Path, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MOST_UNPACKED", 1_000)
    monkeypatch.setattr(lines, "MOST_RATIO", 10)
    log = tmp_path / f"log{codec}"
    log.write_bytes(CODECS[codec](b"\n" * 20_000))
    packed = log.stat().st_size
    expected = {"unpacks_too_much": 1} if packed * 10 < 20_000 else {}
    assert reasons(spark(log)) == expected


def test_a_line_of_chunks_of_a_byte_takes_its_own_size() -> None:
    ((_, line),) = lines.split_lines((b"a" for _ in range(100_000)), 100_000)
    assert line == b"a" * 100_000
    assert list(lines.split_lines((b"a" for _ in range(100_001)), 100_000)) == [(0, None)]


def test_a_line_of_many_values_is_rejected_and_the_next_is_read(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    inner = b"[]," * 600_000 + b"0"
    log.write_bytes(
        b'{"sql": [%s]}\n{"sql": "SELECT 1"}\n[{"sql": [%s]}, {"sql": "SELECT 2"}]' % (inner, inner)
    )
    records = read_json_lines(str(log), Storage(), "s", from_json)
    told = [r.reason if isinstance(r, Rejected) else r.sql for r in records]
    assert told == ["too_many_values", "SELECT 1", "too_many_values", "SELECT 2"]


@pytest.mark.parametrize(
    "record",
    [
        pytest.param('{"sql": "SELECT ?", "params": "%s"}', id="parameters"),
        pytest.param('{"query": "SELECT 1", "inputs_json": "%s"}', id="inputs"),
    ],
)
def test_values_within_texts_are_bounded(record: str) -> None:
    line = (record % ("[" + "[]," * 600_000 + "0]")).encode()
    found = from_json(line, "here")
    assert isinstance(found, Rejected)


def write(path: Path, table: pa.Table, **options: Any) -> Path:
    pq.write_table(table, path, compression="zstd", **options)
    assert path.stat().st_size < 50_000
    return path


def repeated(value: Any, count: int) -> pa.Array:
    return pa.array([value]).dictionary_encode().take(pa.array([0] * count))


@pytest.mark.parametrize(
    ("table", "options", "reason"),
    [
        pytest.param(
            lambda: pa.table({"sql": repeated("x" * (16 * MB), 1024)}),
            {},
            "unpacks_too_much",
            id="shared",
        ),
        pytest.param(
            lambda: pa.table({"sql": ["y" * (70 * MB)]}),
            {},
            "row_group_too_large",
            id="a long text",
        ),
        pytest.param(
            lambda: pa.table({"sql": ["q"], "params": [[1] * (17 * MB)]}),
            {},
            "row_group_too_large",
            id="a long list",
        ),
        pytest.param(
            lambda: pa.table({"sql": ["z" * (8 * MB)] * 8}),
            {"use_dictionary": False, "column_encoding": {"sql": "DELTA_BYTE_ARRAY"}},
            "unpacks_too_much",
            id="prefixes",
        ),
        pytest.param(
            lambda: pa.table({f"c{n}": ["x" * (30 * MB)] for n in range(9)}),
            {},
            "row_group_too_large",
            id="many columns",
        ),
        pytest.param(
            lambda: pa.table({"sql": pa.nulls(60_000, pa.string())}),
            {},
            "unreadable_file",
            id="rows",
        ),
    ],
)
def test_parquet_that_is_large_in_memory_is_given_up(
    tmp_path: Path,
    table: Callable[[], pa.Table],
    options: dict[str, Any],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rejections, "MOST_IN_A_ROW", 50_000)
    found = reasons(parquet(write(tmp_path / "log.parquet", table(), **options)))
    assert found[reason] == 1
    assert "query" not in found


@pytest.mark.parametrize(
    "encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY", "RLE_DICTIONARY"]
)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_rows_of_every_encoding_are_read(tmp_path: Path, encoding: str, version: str) -> None:
    columns = ("sql", "params.list.element")
    plain = encoding != "RLE_DICTIONARY"
    table = pa.table(
        {
            "sql": ["SELECT ?", None, "SELECT 2"],
            "params": [["x"], None, []],
            "nested": [{"a": "b"}, None, {"a": None}],
            "map": pa.array([[("k", "v")], [], None], pa.map_(pa.string(), pa.string())),
        }
    )
    path = write(
        tmp_path / "log.parquet",
        table,
        data_page_version=version,
        use_dictionary=not plain,
        column_encoding=dict.fromkeys(columns, encoding) if plain else None,
    )
    with path.open("rb") as stream:
        rows = list(parquet_rows.read_rows(stream))
    assert rows == list(enumerate(table.to_pylist(), start=1))


def test_a_row_that_is_too_long_is_one_rejection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_rows, "MAX_LINE", 1_000)
    table = pa.table({"sql": ["SELECT 1", "x" * 2_000, "SELECT 2"], "params": [["a"] * 5] * 3})
    path = write(tmp_path / "log.parquet", table)
    assert reasons(parquet(path)) == {"query": 2, "line_too_long": 1}


def test_the_memory_of_a_process_bounds_what_a_bomb_takes(tmp_path: Path) -> None:
    table = pa.table({"sql": repeated("x" * (16 * MB), 1024)})
    path = write(tmp_path / "log.parquet", table)
    code = (
        "import re, sys;"
        "from prunescope.collectors.queries.reading import read_parquet;"
        "from prunescope.collectors.storage.files import Storage;"
        "print(*(r.reason for r in read_parquet(sys.argv[1], Storage(), 's', lambda *_: None)));"
        "print(re.search(r'VmHWM:\\s+([0-9]+)', open('/proc/self/status').read())[1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    told, peak = run.stdout.splitlines()
    assert told == "unpacks_too_much"
    assert int(peak) * 1024 < 600 * MB
