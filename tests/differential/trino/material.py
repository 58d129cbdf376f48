"""Events of this Trino as test material for the source of Trino's events."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

from tests.differential.trino.engine import VERSION

_FILE = Path(__file__).parents[2] / "collectors/queries/trino" / f"events_of_{VERSION}.jsonl.gz"


# What no source reads, and is most of an event.
_LEFT_OUT = (("statistics", "operatorSummaries"), ("metadata", "payload"))


def write(events: Sequence[str]) -> None:
    """Keeps events, each a line of JSON, without statistics of operators and the plan of stages."""
    lines = []
    for event in map(json.loads, events):
        for part, name in _LEFT_OUT:
            event[part].pop(name, None)
        lines.append(json.dumps(event))
    _FILE.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))


def kept() -> list[str]:
    """The texts of the queries of the events that are kept."""
    lines = gzip.decompress(_FILE.read_bytes()).splitlines()
    return [json.loads(line)["metadata"]["query"] for line in lines]
