"""The lake of these tests, of their own: some of them write."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.audit_jobs.api.lake import write_lake


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a lake (see `tests/audit_jobs/api/lake.py`)."""
    folder = tmp_path_factory.mktemp("lake")
    write_lake(folder)
    return folder
