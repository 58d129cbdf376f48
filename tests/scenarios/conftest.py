"""One lake for all scenarios of a worker."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.jars import iceberg_spark_runtime
from tests.scenarios.lake import Lake, start


@pytest.fixture(scope="session")
def lake(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> Iterator[Lake]:
    """A warehouse, and a Spark of its own that writes it."""
    jar = iceberg_spark_runtime(require_program)
    lake, process = start(jar, tmp_path_factory.mktemp("lake"), sys.executable)
    yield lake
    lake.requests.close()
    process.wait(60)
    lake.answers.close()
