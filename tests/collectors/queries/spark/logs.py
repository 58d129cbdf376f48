"""Writing Spark event logs in tests: events, and the framing of each codec."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import zstandard

from prunescope.collectors.observed import ObservedQuery, Rejected
from prunescope.collectors.queries.spark.events import Span, read_spark_log
from prunescope.collectors.storage.files import Storage

UI = "org.apache.spark.sql.execution.ui."
THRIFT = "org.apache.spark.sql.hive.thriftserver.ui."

# Names of metrics as Iceberg gives them, by the accumulators of the first node.
METRICS = {"number of result data files": 11, "number of scanned data manifests": 12}

Event = dict[str, Any]
Record = ObservedQuery | Rejected
SHELL = "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver.processLine(…)"
SERVER = "org.apache.spark.sql.hive.thriftserver.SparkExecuteStatementOperation.run(…)"


def node(
    filters: str,
    *,
    table: str = "lake.db.t",
    first: int = 0,
    snapshot: int | None = 77,
    runtime: str = "",
) -> dict[str, Any]:
    """A scan node of Iceberg 1.11, or of Iceberg 1.9 if it has no snapshot."""
    if snapshot is None:
        described = f"{table} (branch=null) [filters={filters}, groupedBy=]"
    else:
        described = (
            f"IcebergScan(table={table}, schemaId=0, snapshotId={snapshot}, branch=null,"
            f" filters={filters}, runtimeFilters=, groupedBy=)"
        )
    return {
        "nodeName": f"BatchScan {table}",
        "simpleString": f"BatchScan {table}[id#1L] {described} RuntimeFilters: [{runtime}]",
        "children": [],
        "metadata": {},
        "metrics": [
            {"name": name, "accumulatorId": number + first, "metricType": "sum"}
            for name, number in METRICS.items()
        ],
    }


def plan(*nodes: dict[str, Any]) -> dict[str, Any]:
    """A plan over scan nodes."""
    children = list(nodes)
    return {
        "nodeName": "Union",
        "simpleString": "Union",
        "children": children,
        "metadata": {},
        "metrics": [],
    }


def preamble(version: str = "3.5.6") -> list[dict[str, Any]]:
    """What every log starts with."""
    return [
        {"Event": "SparkListenerLogStart", "Spark Version": version},
        {
            "Event": "SparkListenerEnvironmentUpdate",
            "Spark Properties": {"spark.sql.session.timeZone": "Europe/Paris"},
            "System Properties": {"user.timezone": "UTC"},
        },
        {
            "Event": "SparkListenerApplicationStart",
            "App Name": "a",
            "App ID": "app-1",
            "Timestamp": 1_700_000_000_000,
            "User": "ana",
        },
    ]


def start(
    number: int,
    tree: dict[str, Any],
    *,
    description: str = "collect at x.py:1",
    details: str = "",
    root: int | None = None,
    time: int = 1_700_000_000_000,
) -> dict[str, Any]:
    """An execution starts."""
    return {
        "Event": UI + "SparkListenerSQLExecutionStart",
        "executionId": number,
        "rootExecutionId": number if root is None else root,
        "description": description,
        "details": details,
        "physicalPlanDescription": "",
        "sparkPlanInfo": tree,
        "time": time,
        "modifiedConfigs": {},
    }


def update(number: int, tree: dict[str, Any]) -> dict[str, Any]:
    """Adaptive execution has another plan."""
    return {
        "Event": UI + "SparkListenerSQLAdaptiveExecutionUpdate",
        "executionId": number,
        "physicalPlanDescription": "",
        "sparkPlanInfo": tree,
    }


def values(number: int, *pairs: tuple[int, int]) -> dict[str, Any]:
    """Metrics of the driver."""
    return {
        "Event": UI + "SparkListenerDriverAccumUpdates",
        "executionId": number,
        "accumUpdates": [list(pair) for pair in pairs],
    }


def end(number: int) -> dict[str, Any]:
    """An execution ends."""
    return {"Event": UI + "SparkListenerSQLExecutionEnd", "executionId": number, "time": 1}


def encoded(events: Iterable[dict[str, Any]]) -> bytes:
    """Events as Spark writes them."""
    return b"".join(json.dumps(e, separators=(",", ":")).encode() + b"\n" for e in events)


def _lz4(content: bytes, block: int = 500) -> bytes:
    codec = pa.Codec("lz4_raw")
    pieces = []
    for start_ in range(0, len(content), block):
        raw = content[start_ : start_ + block]
        packed = cast(bytes, codec.compress(raw, asbytes=True))
        # Java stores a block as it is where packing makes it no smaller.
        method, data = (0x20, packed) if len(packed) < len(raw) else (0x10, raw)
        pieces.append(_lz4_header(method, len(data), len(raw)) + data)
    return b"".join([*pieces, _lz4_header(0x10, 0, 0)])


def _lz4_header(method: int, packed: int, size: int) -> bytes:
    sizes = packed.to_bytes(4, "little") + size.to_bytes(4, "little")
    return b"LZ4Block" + bytes([method | 5]) + sizes + bytes(4)


def _snappy(content: bytes, block: int = 500) -> bytes:
    codec = pa.Codec("snappy")
    header = b"\x82SNAPPY\x00" + (1).to_bytes(4, "big") + (1).to_bytes(4, "big")
    pieces = [header]
    for start_ in range(0, len(content), block):
        packed = cast(bytes, codec.compress(content[start_ : start_ + block], asbytes=True))
        pieces.append(len(packed).to_bytes(4, "big") + packed)
    return b"".join(pieces)


def _zstd(content: bytes, frame: int = 900) -> bytes:
    compressor = zstandard.ZstdCompressor()
    pieces = (content[at : at + frame] for at in range(0, len(content), frame))
    return b"".join(map(compressor.compress, pieces))


CODECS: dict[str, Callable[[bytes], bytes]] = {
    "": lambda content: content,
    ".zstd": _zstd,
    ".zst": _zstd,
    ".lz4": _lz4,
    ".snappy": _snappy,
    ".gz": gzip.compress,
}


QUERY = [
    *preamble(),
    start(0, plan(node("id = 1"))),
    values(0, (11, 3), (12, 1)),
    end(0),
    start(1, plan(node("s = 'O'Brien'", table="lake.db.u", first=100, snapshot=None))),
    end(1),
]
"""The events of a log of two queries."""


def read(tmp_path: Path, events: list[Event], span: Span | None = None) -> list[Record]:
    """What a log of these events holds."""
    log = tmp_path / "app-1"
    log.write_bytes(encoded(events))
    return read_files(log, span=span)


def read_files(*paths: Path, span: Span | None = None) -> list[Record]:
    """What the files of a log hold."""
    return list(read_spark_log([str(path) for path in paths], Storage(), span))


def queries(tmp_path: Path, *events: Event) -> list[ObservedQuery]:
    """The queries of a log that has nothing wrong, of which these events are all but the start."""
    return all_queries(read(tmp_path, [*preamble(), *events]))


def all_queries(records: list[Record]) -> list[ObservedQuery]:
    """What was read of a log that has nothing wrong."""
    assert all(isinstance(record, ObservedQuery) for record in records), records
    return [record for record in records if isinstance(record, ObservedQuery)]


def pushed(query: ObservedQuery) -> list[str]:
    """The filters of a query's scans, as printed."""
    return [getattr(scan.pushed, "text", "") for scan in query.scans]


def operation(key: str, statement: str, user: str) -> Event:
    """The Thrift server is asked for something."""
    return {
        "Event": THRIFT + "SparkListenerThriftServerOperationStart",
        "id": key,
        "statement": statement,
        "userName": user,
    }
