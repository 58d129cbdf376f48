"""Spark's event logs as files: in every codec, whole, cut off and damaged, and in parts."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prunescope.collectors.observed import ObservedQuery, PlanText, Rejected
from prunescope.collectors.queries.spark import log_files as spark_log_files
from prunescope.collectors.queries.spark.log_files import group_logs
from tests.collectors.queries.spark.logs import (
    CODECS,
    QUERY,
    Record,
    all_queries,
    encoded,
    end,
    node,
    plan,
    preamble,
    read_files,
    start,
    values,
)


@pytest.mark.parametrize("ending", [*CODECS, ".inprogress", ".zstd.inprogress", ".lz4.compact"])
def test_every_codec_holds_the_same_queries(tmp_path: Path, ending: str) -> None:
    codec = next((c for c in CODECS if c and ending.startswith(c)), "")
    log = tmp_path / f"app-1{ending}"
    log.write_bytes(CODECS[codec](encoded(QUERY)))
    first, second = all_queries(read_files(log))
    assert (first.query_id, first.engine, first.engine_version) == ("app-1/0", "spark", "3.5.6")
    assert (first.user, first.time_zone, first.sql) == ("ana", "Europe/Paris", None)
    assert first.started_at == dt.datetime(2023, 11, 14, 22, 13, 20, tzinfo=dt.UTC)
    (scan,) = first.scans
    assert (str(scan.table), scan.snapshot_id, scan.ref) == ("lake.db.t", 77, None)
    assert scan.pushed == PlanText("id = 1")
    assert scan.counters == {"result_data_files": 3, "scanned_data_manifests": 1}
    (other,) = second.scans
    assert (str(other.table), other.snapshot_id) == ("lake.db.u", None)
    assert other.pushed == PlanText("s = 'O'Brien'")


@pytest.mark.parametrize("codec", CODECS)
def test_what_was_cut_off_is_read_as_far_as_it_goes(tmp_path: Path, codec: str) -> None:
    whole = all_queries(_read_packed(tmp_path, codec, CODECS[codec](encoded(QUERY))))
    packed = CODECS[codec](encoded(QUERY))
    seen = set()
    for length in range(0, len(packed), 7):
        found = _read_packed(tmp_path, codec, packed[:length])
        assert [r.reason for r in found if isinstance(r, Rejected)] == [], length
        known = [r for r in found if isinstance(r, ObservedQuery)]
        seen.add(len(known))
        for record, expected in zip(known, whole, strict=False):
            assert (record.query_id, record.scans[0].pushed) == (
                expected.query_id,
                expected.scans[0].pushed,
            )
    assert seen >= {0, 1}


def _read_packed(tmp_path: Path, codec: str, content: bytes) -> list[Record]:
    log = tmp_path / f"app-1{codec}"
    log.write_bytes(content)
    return read_files(log)


@pytest.mark.parametrize("codec", [c for c in CODECS if c])
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_damage_is_told_and_hides_nothing(tmp_path: Path, codec: str, data: st.DataObject) -> None:
    packed = bytearray(CODECS[codec](encoded(QUERY)))
    for _ in range(data.draw(st.integers(1, 4), label="flips")):
        place = data.draw(st.integers(0, len(packed) - 1), label="place")
        packed[place] ^= 1 << data.draw(st.integers(0, 7), label="bit")
    for record in _read_packed(tmp_path, codec, bytes(packed)):
        assert isinstance(record, ObservedQuery | Rejected)


def test_a_codec_that_is_not_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "app-1.lzf").write_bytes(b"ZV")
    (rejected,) = read_files(tmp_path / "app-1.lzf")
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "unsupported_codec"


def test_blocks_that_claim_to_be_huge_are_not_unpacked(tmp_path: Path) -> None:
    header = (
        b"LZ4Block" + bytes([0x25]) + (4).to_bytes(4, "little") + b"\xff\xff\xff\x7f" + bytes(4)
    )
    (tmp_path / "app.lz4").write_bytes(header + b"abcd")
    (tmp_path / "app.snappy").write_bytes(
        b"\x82SNAPPY\x00" + bytes(8) + (5).to_bytes(4, "big") + b"\xff\xff\xff\xff\x0f"
    )
    for name in ("app.lz4", "app.snappy"):
        (rejected,) = read_files(tmp_path / name)
        assert isinstance(rejected, Rejected)
        assert rejected.reason == "unreadable_file"


def test_a_line_that_is_too_long_is_named_and_the_rest_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark_log_files, "MAX_LINE", 5_000)
    log = tmp_path / "app-1"
    long = encoded([start(9, plan(node("s = '" + "x" * 9_000 + "'")))])
    log.write_bytes(encoded(QUERY[:6]) + long + encoded(QUERY[6:]))
    found = read_files(log)
    assert [r.reason if isinstance(r, Rejected) else r.query_id for r in found] == [
        "app-1/0",
        "line_too_long",
        "app-1/1",
    ]


def test_rolling_logs_are_one_log_in_order() -> None:
    folder = "/logs/eventlog_v2_app-1"
    files = [
        f"{folder}/events_10_app-1.zstd",
        f"{folder}/events_2_app-1.zstd",
        f"{folder}/events_3_app-1.zstd.compact",
        f"{folder}/appstatus_app-1.inprogress",
        f"{folder}/.events_2_app-1.zstd.crc",
        "/logs/app-2.lz4",
        "/logs/app-2.lz4.crc",
    ]
    assert group_logs(files) == [
        (f"{folder}/events_3_app-1.zstd.compact", f"{folder}/events_10_app-1.zstd"),
        ("/logs/app-2.lz4",),
    ]


def test_an_execution_may_go_on_in_the_next_file(tmp_path: Path) -> None:
    one, two = tmp_path / "events_1_app-1", tmp_path / "events_2_app-1"
    one.write_bytes(encoded([*preamble(), start(0, plan(node("id = 1")))]))
    two.write_bytes(encoded([values(0, (11, 3)), end(0)]))
    (query,) = all_queries(read_files(one, two))
    assert query.scans[0].counters == {"result_data_files": 3}
