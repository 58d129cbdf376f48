"""The summary of a run on a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from audit_jobs.config import validate_config
from audit_jobs.views.run_text import print_run
from tests.audit_jobs.sinks.results import FOUND, SPREAD, audit_result, replayed

CONFIG = validate_config(
    {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    },
    "test",
)
IGNORED = replace(SPREAD, suppressed="moves soon", sentence="Nobody needs to be told.")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, "no findings queries", id="none"),
        pytest.param(1, "1 finding: 1 high queries", id="one"),
        pytest.param(5, "5 findings: 5 high queries", id="all that fit"),
        pytest.param(
            1_207, "1,207 findings: 1,207 high … 1,202 more: prunescope findings", id="more"
        ),
    ],
)
def test_a_run_shows_its_worst_findings_and_how_many_there_are(
    count: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_run(audit_result(replayed("a"), findings=(*[FOUND] * count, IGNORED)), CONFIG)
    shown = " ".join(capsys.readouterr().out.split())
    assert expected in shown
    assert shown.count("wrapped_column") == min(count, 5)
    assert "Nobody" not in shown
