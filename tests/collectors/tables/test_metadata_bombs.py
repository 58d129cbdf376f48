"""Metadata of which little stands for much ends as a table, or is told to be too large, in bounded
memory and time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from prunescope.collectors.tables.metadata_reading import parse_metadata
from prunescope.collectors.tables.name_mapping import read_name_mapping
from tests.bounded import SECONDS, bounded
from tests.collectors.tables.metadata_bombs import READ, REFUSED

pytestmark = pytest.mark.slow


def opened(made: Callable[[], bytes]) -> str:
    """All that an audit asks of metadata before it reads manifests."""
    metadata = parse_metadata(made(), "/t/m.json")
    schema = metadata.schema(metadata.current_snapshot())
    specs = metadata.specs(schema)
    known = read_name_mapping(metadata.properties)
    found = schema.by_path(("a",))
    return f"{len(specs)} specs, {len(known)} names, {len(found)} columns"


@pytest.mark.parametrize("made", [pytest.param(one, id=name) for name, one in REFUSED.items()])
def test_what_takes_too_much_is_unreadable(made: Callable[[], bytes]) -> None:
    ended = bounded(opened, made)
    assert ended.code == "unreadable_metadata", ended
    assert ended.message.startswith("/t/m.json is ")
    assert ended.seconds < SECONDS


@pytest.mark.parametrize("made", [pytest.param(one, id=name) for name, one in READ.items()])
def test_what_is_large_is_a_table(made: Callable[[], bytes]) -> None:
    ended = bounded(opened, made)
    assert ended.code == "", ended
    assert ended.seconds < SECONDS
