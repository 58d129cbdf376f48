"""Logs are read by their content, whatever they are called, or it is said what they are."""

from __future__ import annotations

import bz2
import codecs
import gzip
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries.parts import parts_of
from prunescope.collectors.queries.reading import read_json_lines
from prunescope.collectors.queries.spark.log_files import log_lines
from prunescope.collectors.queries.sql_records import RecordDefaults, from_json
from prunescope.collectors.storage.files import Storage

TEXT = "".join(json.dumps({"sql": f"SELECT '{n} é 😀'"}, ensure_ascii=False) + "\n" for n in "abc")
PRINTED = json.dumps([json.loads(line) for line in TEXT.splitlines()], indent=2)

READ: dict[str, Callable[[str], bytes]] = {
    "gzip": lambda text: gzip.compress(text.encode()),
    "zstd": lambda text: zstandard.compress(text.encode()),
    "a mark of UTF-8": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16, little": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16, big": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
    "UTF-16 without a mark": lambda text: text.encode("utf-16-le"),
    "UTF-32": lambda text: text.encode("utf-32"),
    "UTF-16 in gzip": lambda text: gzip.compress(text.encode("utf-16")),
}
NOT_READ: dict[str, tuple[bytes, str]] = {
    "bzip2": (bz2.compress(TEXT.encode()), "the file is bzip2"),
    "xz": (lzma.compress(TEXT.encode()), "the file is xz"),
    "zip": (b"PK\x03\x04\x14\x00", "the file is zip"),
    "LZ4": (b"\x04\x22\x4d\x18\x64\x40", "the file is LZ4 frames"),
    "Parquet": (b"PAR1\x15\x04", "let its name end in .parquet"),
    "Avro": (b"Obj\x01\x04\x16avro.schema", "the file is Avro"),
}


def queries(file: Path, part_bytes: int = 1 << 20) -> list[ObservedQuery | Rejected]:
    """What the parts of a log have."""

    def read(line: bytes, location: str) -> ObservedQuery | Rejected:
        return from_json(line, location, defaults=RecordDefaults())

    return [
        record
        for part in parts_of(str(file), file.stat().st_size, part_bytes)
        for record in read_json_lines(str(file), Storage(), "sql_records", read, part)
    ]


@pytest.mark.parametrize("part_bytes", [1 << 20, 16], ids=["whole", "in parts"])
@pytest.mark.parametrize("text", [TEXT, PRINTED], ids=["lines", "printed"])
@pytest.mark.parametrize("form", READ)
def test_content_is_read_whatever_its_name(
    tmp_path: Path, form: str, text: str, part_bytes: int
) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(READ[form](text))
    found = queries(file, part_bytes)
    assert [q.sql for q in found if isinstance(q, ObservedQuery)] == [
        f"SELECT '{n} é 😀'" for n in "abc"
    ]
    assert len(found) == 3


@pytest.mark.parametrize("form", NOT_READ)
def test_what_is_not_read_is_named(tmp_path: Path, form: str) -> None:
    content, message = NOT_READ[form]
    file = tmp_path / "log.jsonl"
    file.write_bytes(content)
    (rejected,) = queries(file, 16)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "unsupported_codec"
    assert message in rejected.message


@pytest.mark.parametrize("cut", [1, 3])
def test_a_cut_character_of_utf_16_is_named(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(READ["UTF-16, little"](TEXT)[:-cut])
    *read, last = queries(file)
    assert all(isinstance(query, ObservedQuery) for query in read)
    assert isinstance(last, Rejected)
    assert (last.reason, "UTF-16 to its end" in last.message) == ("unreadable_file", True)


@pytest.mark.parametrize("form", ["gzip", "zstd"])
def test_an_event_log_that_lost_its_ending_is_unpacked(tmp_path: Path, form: str) -> None:
    file = tmp_path / "app-1"
    file.write_bytes(READ[form](TEXT))
    assert list(log_lines(str(file), Storage())) == [line.encode() for line in TEXT.splitlines()]
