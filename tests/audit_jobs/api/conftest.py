"""The lake of these tests, in the working directory."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyiceberg.table import Table

from tests.audit_jobs.api.lake import catalog_of, write_lake


@pytest.fixture(scope="session")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the lake. Tests only read it."""
    folder = tmp_path_factory.mktemp("lake")
    write_lake(folder)
    return folder


@pytest.fixture
def orders(lake: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The table `sales.orders`, whose audit.yaml is in the working directory."""
    monkeypatch.chdir(lake)
    return catalog_of(lake).load_table("sales.orders")
