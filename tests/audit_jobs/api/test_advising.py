"""`prunescope.advise` advises by a log, and `prunescope.findings` reads what audits found."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pyiceberg.table import Table

import prunescope
from prunescope.audit_jobs.cli import main
from prunescope.audit_jobs.sinks.audit_tables import publish
from tests.audit_jobs.api.lake import catalog_of, write_lake
from tests.audit_jobs.sinks.results import FOUND, SPREAD, audit_result, replayed

pytestmark = pytest.mark.slow
EVERYTHING = "everything.yaml"
DAY = "2024-04-30"


def test_the_condition_that_20_queries_share_is_the_first_step(orders: Table) -> None:
    for asked in ("lake.sales.orders", orders, ["lake.sales.*"]):
        advice = prunescope.advise(asked, window=DAY, config=EVERYTHING)
        [table] = advice
        assert (table.table, table.scans, table.files) == ("lake.sales.orders", 20, 8)
        first = table.steps[0]
        assert (first.cause, first.columns) == ("wrapped_column", ("order_ts",))
        assert first.rewrite is not None
        assert escape(first.rewrite) in advice._repr_html_()
        assert advice.to_arrow().num_rows == len(table.steps)


@pytest.mark.usefixtures("orders")
def test_a_window_without_queries_leaves_nothing_to_advise() -> None:
    advice = prunescope.advise("lake.sales.orders", window="2024-05-03", config=EVERYTHING)
    assert (len(advice), advice.notes) == (0, ())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"window": "yesterday"}, "yesterday"),
        ({"last": "a while"}, "Invalid duration"),
        ({"last": "7d", "window": DAY}, "at most one"),
        ({"zone": "Europe/Berln"}, "did you mean Europe/Berlin"),
    ],
)
@pytest.mark.usefixtures("orders")
def test_windows_that_are_none_are_told(arguments: Any, message: str) -> None:
    with pytest.raises(prunescope.PrunescopeError, match=message):
        prunescope.advise(config=EVERYTHING, **arguments)


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of a lake with one audit."""
    folder = tmp_path_factory.mktemp("audited")
    write_lake(folder)
    publish(audit_result(replayed("a"), findings=(FOUND, SPREAD)), catalog_of(folder), "ops.audit")
    return folder / "audit.yaml"


def test_findings_are_those_that_the_command_lists(audited: Path) -> None:
    found = prunescope.findings(config=audited)
    command = ["findings", "--config", str(audited), "--json"]
    told = [json.loads(line) for line in CliRunner().invoke(main, command).stdout.splitlines()]
    assert len(found) == len(told) == 2
    for finding, document in zip(found, told, strict=True):
        assert (finding.rank, finding.cause, finding.sentence) == (
            document["rank"],
            document["cause"],
            document["sentence"],
        )
        assert (found.run_id, found.window_start.isoformat()) == (
            document["run_id"],
            document["window_start"],
        )


def test_findings_are_chosen(audited: Path) -> None:
    [one] = prunescope.findings(cause=SPREAD.cause, config=audited)
    assert one.columns == SPREAD.columns
    of_table = prunescope.findings(str(FOUND.table), config=audited)
    assert [found.cause for found in of_table] == [FOUND.cause]
    assert of_table.to_arrow()["scans"].to_pylist() == [FOUND.scans]
    assert FOUND.cause in of_table._repr_html_()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cause": "wraped_column"}, "did you mean wrapped_column"),
        ({"severity": "hihg"}, "did you mean high"),
        ({"table": "lake.sales.gone"}, "did you mean"),
        ({"run_id": "none"}, "none"),
    ],
)
def test_mistakes_are_told_with_what_may_be_meant(
    audited: Path, arguments: Any, message: str
) -> None:
    with pytest.raises(prunescope.PrunescopeError, match=message):
        prunescope.findings(config=audited, **arguments)


def test_a_lake_without_audits_has_no_findings(lake: Path) -> None:
    with pytest.raises(prunescope.NotAudited):
        prunescope.findings(config=lake / "audit.yaml")
