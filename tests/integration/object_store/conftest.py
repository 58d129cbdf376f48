"""One object store for all tests of a module, and each FileIO that reads from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.object_store import PROGRAM, ObjectStore, serve


@pytest.fixture(scope="module")
def running(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectStore]:
    with serve(require_program(PROGRAM), tmp_path_factory.mktemp("store")) as store:
        yield store


@pytest.fixture
def store(running: ObjectStore) -> ObjectStore:
    """Without requests and faults of other tests, but with their objects."""
    running.forget()
    return running


@pytest.fixture(params=["arrow", "fsspec", "other"])
def client(request: pytest.FixtureRequest) -> str:
    """As `clients.storage` names them."""
    if request.param == "fsspec":
        pytest.importorskip("s3fs")
    return str(request.param)
