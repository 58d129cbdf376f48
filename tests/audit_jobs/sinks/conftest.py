"""A catalog that audit tables are published to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyiceberg.catalog.sql import SqlCatalog

from tests.audit_jobs.sinks.published import open_catalog


@pytest.fixture
def catalog(tmp_path: Path) -> Iterator[SqlCatalog]:
    """One that has no tables yet."""
    opened = open_catalog(SqlCatalog, tmp_path)
    yield opened
    opened.close()
