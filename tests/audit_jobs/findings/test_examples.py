"""Which query a finding names, and how it links to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from prunescope.audit_jobs.config import validate_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.findings.engine_catalogs import engine_catalogs
from prunescope.audit_jobs.findings.examples import with_example
from prunescope.audit_jobs.findings.model import Example, Finding
from prunescope.collectors.predicates.operators import Op
from tests.audit_jobs.findings.groups import START
from tests.audit_jobs.findings.test_policy import FOUND
from tests.audit_jobs.findings.usages import ID, NAME, Night, compared, part, scan

_ID, _NAME = part(compared(ID, Op.EQ, 5)), part(compared(NAME, Op.EQ, b"a"))
_NIGHT = Night(
    (
        scan(_ID, kept=10, query_id="few", user="ana"),
        scan(_ID, kept=30, query_id="most", user="bo"),
        scan(_ID, kept=20, query_id="some"),
        scan(_NAME, kept=90, query_id="of another column"),
        scan(_ID, kept=99, query_id="other", fingerprint="g"),
    ),
    times=1,
)


def told(night: Night, finding: Finding, **links: str) -> Example:
    found = with_example(night.usage, finding, links).example
    assert found is not None
    return found


def about(*columns: str, fingerprint: str | None = "f") -> Finding:
    return replace(FOUND, columns=columns, fingerprint=fingerprint, evidence={})


def test_the_query_is_the_one_that_reads_most_of_those_that_ask_for_the_columns() -> None:
    assert told(_NIGHT, about("id")) == Example("most0", "bo", START, "trino_events")
    assert told(_NIGHT, about()).query_id == "of another column0"
    assert told(_NIGHT, about("id", fingerprint=None)).query_id == "other0"
    named = replace(about("id", fingerprint=None), evidence={"fingerprints": ["f"]})
    assert told(_NIGHT, named).query_id == "most0"


@pytest.mark.parametrize(
    ("changes", "link"),
    [
        pytest.param({"query_id": "2024_1"}, "https://ui/q?2024_10", id="an id"),
        pytest.param(
            {"query_id": "../&x=<'\">#\ud800"},
            "https://ui/q?..%2F%26x%3D%3C%27%22%3E%23%3F0",
            id="what is no id",
        ),
        pytest.param({"place": "log:7"}, None, id="no id in the log"),
        pytest.param({"engine": "spark"}, None, id="another engine"),
        pytest.param({"engine": None}, None, id="no engine"),
    ],
)
def test_links_are_made_of_ids_alone(changes: dict[str, Any], link: str | None) -> None:
    night = Night((scan(_ID, **changes),), times=1)
    found = told(night, about("id"), trino="https://ui/q?{query_id}")
    assert found.link == link
    assert (found.query_id is None) == ("place" in changes)


@pytest.mark.parametrize(
    "link",
    [
        "javascript:alert('{query_id}')",
        "ftp://ui/{query_id}",
        "https://{query_id}/ui",
        "https://user:secret@ui/{query_id}",
        "https://ui/",
        "https://ui/ {query_id}",
        "//ui/{query_id}",
        "https://[ui/{query_id}",
    ],
)
def test_other_links_are_refused(link: str) -> None:
    document = {
        "catalogs": {"lake": {}},
        "sources": [{"type": "trino_events", "paths": ["none"]}],
        "audit": {"catalog": "lake"},
        "findings": {"query_links": {"trino": link}},
    }
    with pytest.raises(BadConfiguration, match="trino: write a URL of http or https"):
        validate_config(document, "test")


def test_the_catalog_is_what_most_scans_of_an_engine_call_it() -> None:
    scans = [
        ("trino", {"ice": 2, "lake": 1}),
        ("spark", {"prod": 3}),
        ("trino", {"lake": 2}),
        ("spark", {"dev": 3}),
        ("athena", {}),
        (None, {"x": 9}),
        ("presumably", {"y": 9}),
    ]
    assert engine_catalogs(scans) == (("spark", "dev"), ("trino", "lake"))
