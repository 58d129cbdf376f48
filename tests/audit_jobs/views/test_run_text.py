"""The summary of a run on a terminal."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.records import Elsewhere, Matching
from prunescope.audit_jobs.views.run_json import run_document
from prunescope.audit_jobs.views.run_text import print_elsewhere, print_run
from prunescope.collectors.observed import Rejected
from tests.audit_jobs.sinks.results import FOUND, SPREAD, audit_result, replayed

CONFIG = validate_config(
    {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
    },
    "test",
)


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


IGNORED = replace(SPREAD, suppressed="moves soon", sentence="Nobody needs to be told.")


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, "no findings queries", id="none"),
        pytest.param(1, "1 finding: 1 high queries", id="one"),
        pytest.param(5, "5 findings: 5 high queries", id="all that fit"),
        pytest.param(
            1_207,
            "1,207 findings: 1,207 high … 1,202 more: prunescope findings "
            "--config 'my audit.yaml' --details",
            id="more",
        ),
    ],
)
def test_a_run_shows_its_worst_findings_and_how_many_there_are(
    count: int, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = audit_result(replayed("a"), findings=(*[FOUND] * count, IGNORED))
    print_run(result, CONFIG, Path("my audit.yaml"))
    shown = " ".join(capsys.readouterr().out.split())
    assert expected in shown
    assert shown.count("wrapped_column") == min(count, 5)
    assert "Nobody" not in shown


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, None, id="none"),
        pytest.param(1, "1 finding is below the thresholds (2.5 MB in all)", id="one"),
        pytest.param(1_207, "1,207 findings are below the thresholds (2.5 MB", id="many"),
    ],
)
def test_a_run_says_how_many_findings_were_too_small(
    count: int, expected: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    result = audit_result(replayed("a"))
    run = replace(result.run, too_small=count, too_small_bytes=2_500_000)
    print_run(replace(result, run=run), CONFIG, Path("my audit.yaml"))
    command = "prunescope findings --config 'my audit.yaml' --all"
    shown = " ".join(capsys.readouterr().out.split())
    assert ("below the thresholds" in shown) is (expected is not None)
    assert expected is None or (expected in shown and command in shown)


@pytest.mark.parametrize(
    ("elsewhere", "expected"),
    [
        pytest.param(
            Elsewhere(1, at("2026-03-12T10:00"), at("2026-03-12T10:00")),
            "The logs cover 2026-03-12 10:00 to 2026-03-12 10:00 UTC (1 query). Try: "
            "prunescope audit --config 'my audit.yaml' --window 2026-03-12",
            id="one day",
        ),
        pytest.param(
            Elsewhere(1_234, at("2026-02-27T23:59"), at("2026-03-12T00:00")),
            "The logs cover 2026-02-27 23:59 to 2026-03-12 00:00 UTC (1,234 queries). Try: "
            "prunescope audit --config 'my audit.yaml' --window 2026-02-27/2026-03-13",
            id="several days",
        ),
    ],
)
def test_a_window_without_a_query_says_which_has_some(
    elsewhere: Elsewhere, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_elsewhere(elsewhere, Path("my audit.yaml"))
    shown = " ".join(capsys.readouterr().out.split())
    assert shown == f"No query started in the window. {expected}"


def test_inputs_that_could_not_be_read_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    gone = Rejected("trino_events", "/logs/[a]*.jsonl", "no_such_file", "the path matches no file")
    result = audit_result()
    told = replace(result, run=replace(result.run, rejected=[gone]))
    print_run(told, CONFIG)
    line = "rejected /logs/[a]*.jsonl: the path matches no file (no_such_file)"
    assert line in " ".join(capsys.readouterr().out.split())
    assert run_document(told)["rejected"] == [
        {
            "outcome": "no_such_file",
            "location": "/logs/[a]*.jsonl",
            "message": "the path matches no file",
        }
    ]


def test_the_false_keep_rate_of_all_scans_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    sampled = replace(replayed("a"), matching=Matching(0.1, 0.05, 0.2, 9, 1, 1, 0.06, 0.03, 0.09))
    result = audit_result(sampled, replayed("b"))
    print_run(result, CONFIG)
    told = "in vain 52% (28% to 76%) of the bytes read are in files without a matching row"
    assert told in " ".join(capsys.readouterr().out.split())
    rate = run_document(result)["false_keep_rate"]
    assert rate == pytest.approx({"value": 0.52, "low": 0.28, "high": 0.76})


def test_what_to_do_about_too_many_complex_texts_is_told(
    capsys: pytest.CaptureFixture[str],
) -> None:
    result = audit_result()
    told = replace(result, run=replace(result.run, queries={"too_many_complex": 1_234}))
    print_run(told, CONFIG)
    shown = " ".join(capsys.readouterr().out.split())
    assert "queries 1,234 too many complex" in shown
    assert "complex exclude generated queries of this kind from the log" in shown
    print_run(result, CONFIG)
    assert "exclude" not in capsys.readouterr().out


def test_a_run_without_scans_has_no_funnel(capsys: pytest.CaptureFixture[str]) -> None:
    print_run(audit_result(replayed("a")), CONFIG)
    assert "Share kept by each pass" in capsys.readouterr().out
    print_run(audit_result(), CONFIG)
    assert "Share kept by each pass" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        pytest.param(
            {"manifests_read": 33, "footers_read": 1_542, "manifests_bytes": 18_500_000},
            "33 manifests and 1,542 footers read: 18.5 MB",
            id="local",
        ),
        pytest.param(
            {
                "manifests_read": 1,
                "manifests_cached": 32,
                "footers_cached": 1_542,
                "manifest_lists_requests": 3,
                "manifests_requests": 1,
                "manifest_lists_bytes": 3_000,
                "manifests_bytes": 9_000,
                "footers_bytes": 0,
            },
            "1 manifest and 0 footers read, 32 and 1,542 from the cache: 4 requests, 12.0 kB",
            id="from an object store",
        ),
    ],
)
def test_a_run_says_what_was_read_of_metadata_and_how(
    counts: dict[str, int], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    result = audit_result(replayed("a"))
    print_run(replace(result, run=replace(result.run, metadata=counts)), CONFIG)
    assert f"metadata {expected} failed" in " ".join(capsys.readouterr().out.split())
