"""The files of Spark's event logs: which make up a log, and their lines in every codec."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import Rejected
from prunescope.collectors.queries.lines import UnsupportedCodec
from prunescope.collectors.queries.reading import read_lines
from prunescope.collectors.queries.spark import log_files as spark_log_files
from prunescope.collectors.queries.spark.log_files import (
    CorruptLog,
    group_logs,
    is_missing_before,
    log_lines,
)
from prunescope.collectors.storage.files import Storage
from tests.collectors.queries.spark.logs import CODECS

ROLLING = "s3://logs/eventlog_v2_app-1_2"
PACKED = {codec: pack for codec, pack in CODECS.items() if codec}
LINES = [f"line {number} of it".encode() * 9 for number in range(12)]
CONTENT = b"".join(line + b"\n" for line in LINES)

fixtures_are_overwritten = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def read(path: Path, content: bytes) -> tuple[list[bytes | None], bool]:
    """The lines of a file with this content, and whether it is damaged behind them."""
    path.write_bytes(content)
    found: list[bytes | None] = []
    try:
        found.extend(log_lines(str(path), Storage()))
    except CorruptLog:
        return found, True
    return found, False


def is_beginning(found: list[bytes | None]) -> bool:
    """Whether lines are those of CONTENT as far as they go; the last may be cut off."""
    *whole, last = found or [b""]
    expected = LINES[len(whole)] if len(whole) < len(LINES) else b""
    return whole == LINES[: len(whole)] and last is not None and expected.startswith(last)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(["/l/app-1", "/l/app-2.zstd"], [("/l/app-1",), ("/l/app-2.zstd",)], id="two"),
        pytest.param(
            [f"{ROLLING}/events_{n}_app-1_2.zstd" for n in (10, 9, 1)],
            [tuple(f"{ROLLING}/events_{n}_app-1_2.zstd" for n in (1, 9, 10))],
            id="in the order of their numbers, wherever they are",
        ),
        pytest.param(
            [f"{ROLLING}/events_{n}_a{s}" for n, s in ((1, ""), (2, ""), (2, ".compact"), (3, ""))],
            [(f"{ROLLING}/events_2_a.compact", f"{ROLLING}/events_3_a")],
            id="a compacted file stands for itself and those before",
        ),
        pytest.param(
            [
                f"{ROLLING}/{name}"
                for name in ("appstatus_a", "appstatus_a.inprogress", "notes.txt")
            ],
            [],
            id="other files of a rolling log",
        ),
        pytest.param(
            ["/l/app-1.lz4.inprogress", "/l/app-1.lz4", "/l/app-2.inprogress"],
            [("/l/app-1.lz4",), ("/l/app-2.inprogress",)],
            id="a log that was finished meanwhile",
        ),
        pytest.param(["/l/.app-1.crc", "/l/app-1.crc", "/l/_SUCCESS", "/l/.x"], [], id="no logs"),
        pytest.param([], [], id="nothing"),
    ],
)
def test_files_that_make_up_a_log(files: list[str], expected: list[tuple[str, ...]]) -> None:
    assert group_logs(files) == expected


@pytest.mark.parametrize(
    ("previous", "path", "expected"),
    [
        pytest.param("d/events_1_a", "d/events_2_a", False, id="next"),
        pytest.param("d/events_1_a.zstd.compact", "d/events_3_a.zstd", True, id="a gap"),
        pytest.param("d/app-1", "d/app-2", False, id="not rolling"),
    ],
)
def test_gaps_in_a_rolling_log(previous: str, path: str, expected: bool) -> None:
    assert is_missing_before(path, previous) is expected


@pytest.mark.parametrize("codec", CODECS)
@given(lines=st.lists(st.binary(max_size=2_000).filter(lambda line: b"\n" not in line)))
@fixtures_are_overwritten
def test_lines_come_out_as_they_went_in(tmp_path: Path, codec: str, lines: list[bytes]) -> None:
    content = b"".join(line + b"\n" for line in lines)
    assert read(tmp_path / f"log{codec}", CODECS[codec](content)) == (lines, False)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.slow
def test_a_file_cut_off_anywhere_is_read_as_far_as_it_goes(tmp_path: Path, codec: str) -> None:
    packed = CODECS[codec](CONTENT)
    most = 0
    for length in range(len(packed)):
        found, is_damaged = read(tmp_path / f"log{codec}", packed[:length])
        assert not is_damaged, length
        assert is_beginning(found), length
        assert len(found) >= most - 1, length
        most = max(most, len(found))
    assert most >= len(LINES) - 3


@pytest.mark.parametrize("codec", PACKED)
def test_what_stands_before_the_damage_is_read(tmp_path: Path, codec: str) -> None:
    whole = PACKED[codec](CONTENT)
    found, is_damaged = read(tmp_path / f"log{codec}", whole + b"\xff" * 64)
    assert (found, is_damaged) == (LINES, True)


@pytest.mark.parametrize(
    ("codec", "fields"),
    [
        # Magic, token and lengths; the level of the token only limits the length.
        pytest.param(".lz4", [*range(8), *range(9, 17)], id="lz4"),
        pytest.param(".snappy", [*range(8), *range(16, 20)], id="snappy"),
        pytest.param(".gz", range(2), id="gz"),
    ],
)
def test_no_bit_of_a_header_changes_the_lines_silently(
    tmp_path: Path, codec: str, fields: list[int]
) -> None:
    packed = PACKED[codec](CONTENT)
    for position in fields:
        for bit in range(8):
            flipped = bytearray(packed)
            flipped[position] ^= 1 << bit
            found, _ = read(tmp_path / f"log{codec}", bytes(flipped))
            assert is_beginning(found), (position, bit)


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        pytest.param("log.lz4", CODECS[".lz4"], id="lz4: a stream behind the end mark"),
        pytest.param("log.snappy", CODECS[".snappy"], id="snappy: a second header"),
        pytest.param("log.zstd", zstandard.compress, id="zstd: a second frame"),
        pytest.param("log.gz", gzip.compress, id="gz: a second member"),
    ],
)
def test_streams_that_were_appended_are_read_on(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    assert read(tmp_path / name, pack(CONTENT[:50]) + pack(CONTENT[50:])) == (LINES, False)


def test_an_lz4_block_that_holds_less_than_it_says_is_damage(tmp_path: Path) -> None:
    packed = bytearray(CODECS[".lz4"](b"a" * 400 + b"\n"))
    packed[13:17] = (500).to_bytes(4, "little")
    assert read(tmp_path / "log.lz4", bytes(packed)) == ([], True)


@pytest.mark.parametrize("ending", ["", ".inprogress", ".compact"])
def test_the_codec_is_named_before_the_state_of_the_file(tmp_path: Path, ending: str) -> None:
    assert read(tmp_path / f"app.zstd{ending}", CODECS[".zstd"](CONTENT)) == (LINES, False)


def test_lzf_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "app.lzf").write_bytes(b"ZV")
    with pytest.raises(UnsupportedCodec, match=r"spark\.eventLog\.compression\.codec"):
        list(log_lines(str(tmp_path / "app.lzf"), Storage()))


@pytest.mark.parametrize("codec", CODECS)
def test_lines_that_are_too_long_are_left_out(
    tmp_path: Path, codec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_log_files, "MAX_LINE", 1_000)
    lines = [b"a", b"b" * 1_000, b"c" * 1_001, b"d", b"e" * 9_000]
    content = b"\n".join(lines)
    found, _ = read(tmp_path / f"log{codec}", CODECS[codec](content))
    assert found == [b"a", b"b" * 1_000, None, b"d", None]


@pytest.mark.parametrize("log", [27, 28])
def test_a_frame_with_a_long_window_is_read_or_named(tmp_path: Path, log: int) -> None:
    """Of Spark's logs as of other files: zstd itself takes 128 MiB by default."""
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=log)
    compressor = zstandard.ZstdCompressor(compression_params=parameters).compressobj()
    (tmp_path / "app.zstd").write_bytes(compressor.compress(CONTENT) + compressor.flush())
    path = str(tmp_path / "app.zstd")
    lines = [line for _, line in read_lines(path, Storage(), "test")]
    if log == 27:
        assert list(log_lines(path, Storage())) == LINES
        assert lines == [line + b"\n" for line in LINES]
    else:
        with pytest.raises(UnsupportedCodec, match="--long=27"):
            list(log_lines(path, Storage()))
        (rejected,) = lines
        assert isinstance(rejected, Rejected)
        assert (rejected.reason, "--long=27" in rejected.message) == ("unsupported_codec", True)
