"""Manifest lists and manifests of which little stands for much are told to be unreadable, in
bounded memory and time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from prunescope.collectors.storage.files import Storage
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest
from prunescope.collectors.tables.metadata import Snapshot
from tests.bounded import SECONDS, bounded
from tests.collectors.tables.avro_bombs import LISTS, MANIFESTS

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]


def as_list(path: Path) -> int:
    moment = dt.datetime.fromtimestamp(0, dt.UTC)
    return len(read_manifest_list(Snapshot(1, moment, str(path), None, None, {}), Storage()))


def write(made: Callable[[], bytes], path: Path) -> None:
    path.write_bytes(made())


def as_manifest(path: Path) -> int:
    return len(read_manifest(str(path), Storage(), columns=None))


@pytest.mark.parametrize("read", [as_list, as_manifest])
@pytest.mark.parametrize("made", [pytest.param(one, id=name) for name, one in LISTS.items()])
def test_what_takes_too_much_is_unreadable(
    made: Callable[[], bytes], read: Callable[..., int], tmp_path: Path
) -> None:
    path = tmp_path / "f.avro"
    ended = bounded(read, path, before=partial(write, made, path))
    assert ended.code == "unreadable_metadata", ended
    assert "f.avro" in ended.message
    assert "MemoryError" not in ended.message
    assert ended.seconds < SECONDS


@pytest.mark.parametrize("made", [pytest.param(one, id=name) for name, one in MANIFESTS.items()])
def test_a_manifest_ends_soon(made: Callable[[], bytes], tmp_path: Path) -> None:
    path = tmp_path / "f.avro"
    ended = bounded(as_manifest, path, before=partial(write, made, path))
    assert ended.code in ("", "unreadable_metadata"), ended
    assert "MemoryError" not in ended.message
    assert ended.seconds < SECONDS
