"""Catalogs that never answer, or not with a table, hold up no night."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from prunescope.audit_jobs.doctor.catalogs import check_catalogs
from prunescope.audit_jobs.doctor.model import State
from prunescope.audit_jobs.jobs.audit import run_audit
from prunescope.audit_jobs.jobs.nightly import run_nightly
from prunescope.audit_jobs.jobs.tables import TableFinder, Tables
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import CatalogUnavailable
from tests.audit_jobs.jobs.lakes import WINDOW, config_of, outcomes, queries_of, write_table
from tests.collectors.tables.odd_rest_catalog import (
    CONFIG,
    LISTED,
    NAMESPACES,
    TABLE,
    Answer,
    odd_catalog,
    refusal,
)

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalog has a second to answer."""
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", 1.0)
    monkeypatch.setattr("prunescope.collectors.tables.catalog_patience.FIRST_WAIT", 0.01)


def config(properties: dict[str, str], folder: Path) -> Any:
    return config_of(
        {}, catalogs={"lake": {"properties": properties}}, locations={"allow": [str(folder)]}
    )


def test_the_table_that_is_well_is_replayed(tmp_path: Path) -> None:
    location = write_table(tmp_path)
    metadata = json.loads(location.read_text())
    tables = {
        "well": Answer(body={"metadata-location": str(location), "metadata": metadata}),
        "never": Answer(pause=60),
        "busy": refusal(429),
        "html": Answer(body=b"<html>"),
        "gone": refusal(404),
    }
    names = [{"namespace": ["db"], "name": name} for name in tables]
    answers = {TABLE.format(name): answer for name, answer in tables.items()}
    answers[NAMESPACES] = Answer(body={"namespaces": [["db"]]})
    answers[LISTED] = Answer(body={"identifiers": names})
    runner = LocalRunner()
    with odd_catalog(answers) as catalog:
        known = config(catalog.properties, tmp_path)
        result = run_audit(known, WINDOW, queries_of(tables, runner), runner, lambda _: None)
        checks = list(check_catalogs(known))
    bad = dict.fromkeys(("never", "busy", "html"), "catalog_unavailable")
    assert outcomes(result) == {"well": "replayed", "gone": "table_not_found", **bad}
    assert [check.name for check in checks if check.state is State.FAILED] == ["table lake.db.busy"]
    assert any(check.state is State.OK and "lake.db.well" in check.detail for check in checks)


def test_a_night_whose_own_catalog_never_answers_ends(tmp_path: Path) -> None:
    with (
        odd_catalog({CONFIG: Answer(pause=60)}) as catalog,
        pytest.raises(CatalogUnavailable, match="did not answer within"),
    ):
        run_nightly(config(catalog.properties, tmp_path), WINDOW, lambda _: None)


def test_catalogs_that_never_answer_hold_up_no_other(tmp_path: Path) -> None:
    names = ["lake", "a", "well", "b"]
    with odd_catalog({CONFIG: Answer(pause=60)}) as never, odd_catalog(served(tmp_path)) as well:
        places = dict.fromkeys(names, never.properties) | {"well": well.properties}
        tables, checks = opened_and_checked(places, tmp_path)
    assert [name.catalog for name in tables.failed] == ["lake", "a", "b"]
    assert [name.catalog for name in tables.opened] == ["well"]
    assert checks == [f"catalog {name}" for name in names]


def test_catalogs_are_asked_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", 60.0)
    names = ["lake", "a", "b"]
    all_ask = Answer(body={"defaults": {}, "overrides": {}}, together=threading.Barrier(len(names)))
    with odd_catalog(served(tmp_path) | {CONFIG: all_ask}) as catalog:
        tables, checks = opened_and_checked(dict.fromkeys(names, catalog.properties), tmp_path)
    assert [name.catalog for name in tables.opened] == names
    assert checks == [f"catalog {name}" for name in names]


def served(folder: Path) -> dict[str, Answer]:
    location = write_table(folder)
    loaded = {"metadata-location": str(location), "metadata": json.loads(location.read_text())}
    return {TABLE.format("t"): Answer(body=loaded)}


def opened_and_checked(places: dict[str, dict[str, str]], folder: Path) -> tuple[Tables, list[str]]:
    """A table of each catalog as it is opened, and the doctor's checks of the catalogs."""
    known = config_of(
        {},
        catalogs={name: {"properties": properties} for name, properties in places.items()},
        locations={"allow": [str(folder)]},
    )
    tables = TableFinder(known).find(TableName(name, ("db",), "t") for name in places)
    checks = [check.name for check in check_catalogs(known) if check.name.startswith("catalog")]
    return tables, checks
