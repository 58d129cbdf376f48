"""The Trino that all tests here ask."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.differential.trino.engine import Trino, running


@pytest.fixture(scope="package")
def trino(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> Iterator[Trino]:
    """A Trino with a warehouse that is empty at first."""
    with running(tmp_path_factory.mktemp("trino"), require_program) as found:
        yield found
