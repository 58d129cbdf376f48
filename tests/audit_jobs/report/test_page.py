"""The report's page: nothing of a run becomes markup, and nothing is fetched."""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunescope.audit_jobs.findings.model import DOCUMENTATION, Severity
from prunescope.audit_jobs.report.page import render_page
from prunescope.audit_jobs.report.ranges import DIGITS, STEPS, pack, pack_counts
from prunescope.audit_jobs.report.timeline import WINDOWS
from prunescope.audit_jobs.results.columns import Row
from prunescope.audit_jobs.results.sums import OutcomeReason
from prunescope.audit_jobs.sinks.run_rows import RunRows, rows_of
from prunescope.collectors.safe_text import plain_lines
from tests.audit_jobs.report.made_runs import (
    FINGERPRINTS,
    MadeTable,
    finding,
    fleet,
    made_history,
    made_run,
    regression,
)
from tests.audit_jobs.report.parsed import Page
from tests.audit_jobs.sinks.results import FOUND, SPREAD, UNPARSEABLE, audit_result, replayed

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><img src=x onerror=alert(1)>",
    '" onmouseover="alert(1)" x=\'',
    "{{ 7 * 7 }}{% raw %}",
    "javascript:alert(1)",
    "\u2028\u2029\u202eevil\u0000",
    "https://example.com/?a=1&amp;b=2",
    "&lt;b&gt;",
    "name with 'quotes', \"quotes\" and \\u003c",
)


def run_of(text: str) -> RunRows:
    """A run in which every text that others can choose is this one."""
    table = MadeTable(
        (text, text, text),
        0.9,
        0.1,
        columns=(text, text + "2"),
        findings=(
            finding(
                "wrapped_column",
                Severity.HIGH,
                10**9,
                sentence=text,
                conjunct=text,
                rewrite=text,
                advice=text,
                columns=[text],
                fix_spark=[text],
                fix_trino=[text],
                evidence=json.dumps({text: text}),
                fingerprint=text,
                suppressed=None,
            ),
            regression(10**8, 0.1, 0.9) | {"sentence": text, "fingerprint": text},
        ),
    )
    made = made_run([table])
    failed = OutcomeReason(message=text, rows=1, place=text)
    return replace(
        made,
        run=dict(made.run) | {"tables_failed": [(text, text)], "versions": [(text, text)]},
        sums=replace(made.sums, reasons={text: (failed,)}),
    )


PLAIN = Page(render_page(run_of("orders")))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_names_stay_text(text: str) -> None:
    assert_text(text)


@given(st.text(st.characters(codec="utf-8"), min_size=1))
@pytest.mark.slow
def test_any_name_stays_text(text: str) -> None:
    assert_text(text)


def assert_text(text: str) -> None:
    page = Page(render_page(run_of(text)))
    assert page.structure == PLAIN.structure
    assert (page.styles, page.scripts[1:]) == (PLAIN.styles, PLAIN.scripts[1:])
    text = plain_lines(text)
    assert page.document["tables"][0]["name"] == f"{text}.{text}.{text}"
    (found,) = (f for f in page.document["findings"] if f["cause"] == "wrapped_column")
    assert found["sentence"] == text
    assert found["evidence"] == {text: text}
    # Jinja escapes what the template shows, once.
    assert text in page.text


def test_no_address_leads_out_but_to_the_documentation() -> None:
    page = Page(render_page(made_run(fleet(3))))
    assert all(a == "data:," or a.startswith("#") for a in page.addresses)
    assert page.document["documentation"] == DOCUMENTATION
    (style,) = page.styles
    assert not re.search(r"url\(|@import|image-set", style)
    own = page.scripts[2]
    assert not re.search(r"https?:|fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(", own)
    assert "sourceMappingURL" not in page.scripts[1]


def test_the_policy_lets_only_these_scripts_run() -> None:
    page = Page(render_page(made_run(fleet(1))))
    rules = dict(rule.strip().split(" ", 1) for rule in page.policy.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["script-src"].split() == [hash_of(script) for script in page.scripts[1:]]
    assert rules["style-src"].split() == [hash_of(style) for style in page.styles]
    for text in page.scripts[1:]:
        # None of these may end or hide the element that the script is in.
        assert not re.search(r"</script|<script|<!--", text, re.IGNORECASE)


def hash_of(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.slow
def test_the_vendored_library_is_what_its_checksums_say() -> None:
    folder = files("prunescope.audit_jobs.report").joinpath("vendor")
    sums = folder.joinpath("SHA256SUMS").read_text().splitlines()
    assert len(sums) == 2
    for line in sums:
        digest, name = line.split()
        assert hashlib.sha256(folder.joinpath(name).read_bytes()).hexdigest() == digest
    text = folder.joinpath("chart.umd.min.js").read_text()
    (version,) = re.findall(r"Chart\.js v([\d.]+)", text)
    script = Path(__file__).parents[3] / "scripts" / "vendor_chart_js.sh"
    assert f'version="{version}"' in script.read_text()
    assert "The MIT License" in Page(render_page(made_run([]))).scripts[1]


def test_the_same_rows_in_any_order_make_the_same_page() -> None:
    made = made_run([*fleet(12), MadeTable(("lake", "web", "quiet"), 1.0, 1.0)])
    expected = render_page(made)
    chance = random.Random(3)  # noqa: S311  # to shuffle

    def shuffled(rows: Iterable[Row]) -> tuple[Row, ...]:
        known = list(rows)
        return tuple(chance.sample(known, len(known)))

    other = replace(
        made,
        table_health=shuffled(made.table_health),
        column_health=shuffled(made.column_health),
    )
    assert render_page(other) == expected


@pytest.mark.slow
def test_five_hundred_tables_are_less_than_five_megabytes() -> None:
    tables = fleet(500)
    made = made_run(tables, history=made_history(tables, 28))
    assert len(made.column_health) == 2_500
    assert all(len(row["ranges"]) == 200 for row in made.column_health)
    assert len(render_page(made).encode()) < 5_000_000


def test_what_an_audit_finds_is_on_the_page() -> None:
    suppressed = replace(SPREAD, suppressed="moves soon", severity=Severity.CRITICAL)
    result = audit_result(
        replayed("a"), replayed("b"), UNPARSEABLE, findings=(FOUND, SPREAD, suppressed)
    )
    page = Page(render_page(rows_of(result)))
    orders, gone, events = page.document["tables"]
    assert orders["name"] == "lake.sales.orders"
    assert orders["stake"] == 900
    # Of each pass: scans, total, considered, kept, allowed.
    assert orders["scans"]["passes"] == [
        [2, 20, 20, 8, 8],
        [2, 80, 40, 10, 10],
        [2, None, 30, 12, 12],
        [2, 8_000, 4_000, 1_000, 1_000],
    ]
    (shape,) = orders["queries"]
    assert (shape["fingerprint"], shape["count"]) == ("f1", 2)
    assert (events["name"], events["scans"]["count"]) == ("lake.web.raw.events", 0)
    assert gone["failed"] == "catalog 'lake' has no table lake.sales.gone"
    assert [f["severity"] for f in page.document["findings"]] == ["high", "low", "critical"]
    assert page.document["findings"][2]["suppressed"] == "moves soon"
    assert "Results may be wrong" not in page.text
    assert "1 fix would skip 900" in page.text
    assert "the SQL text cannot be parsed as trino queries.jsonl:3" in page.text


def test_without_scans_and_findings_there_is_a_page() -> None:
    page = Page(render_page(made_run([])))
    assert "No findings in this window" in page.text
    assert "No scan of the window could be replayed." in page.text


@given(st.lists(st.floats(-0.5, 1.5), max_size=200))
def test_ranges_are_packed_to_a_step(shares: list[float]) -> None:
    packed = pack(shares)
    assert len(packed) == 2 * len(shares)
    read = [
        (DIGITS.index(packed[at]) * 64 + DIGITS.index(packed[at + 1])) / STEPS
        for at in range(0, len(packed), 2)
    ]
    assert read == pytest.approx([min(max(s, 0), 1) for s in shares], abs=0.5 / STEPS + 1e-9)


@given(st.integers(0, 2**70))
def test_counts_are_packed_to_what_is_shown(count: int) -> None:
    packed = pack_counts([count])
    assert len(packed) == 4
    *first, more = (DIGITS.index(digit) for digit in packed)
    read = ((first[0] * 64 + first[1]) * 64 + first[2]) * 2**more
    assert read == count if count < 2**18 else read == pytest.approx(count, rel=1e-5)


@pytest.mark.slow
def test_a_table_and_its_queries_have_their_earlier_windows() -> None:
    tables = fleet(5)
    document = Page(render_page(made_run(tables, history=made_history(tables, 40)))).document
    assert len(document["windows"]) == WINDOWS
    assert document["windows"][-1] == "2024-05-06T00:00:00+00:00"
    for table in document["tables"][:5]:
        for timeline in (table["timeline"], *(shape["timeline"] for shape in table["queries"])):
            lengths = {name: len(text) for name, text in timeline.items()}
            assert lengths == {"shares": 2 * WINDOWS, "kept": 4 * WINDOWS, "scans": 4 * WINDOWS}


def test_what_was_fixed_is_told_with_its_promise() -> None:
    tables = fleet(5)
    page = Page(render_page(made_run(tables, history=made_history(tables, 21))))
    names = [page.document["tables"][one["table"]]["name"] for one in page.document["fixed"]]
    assert names == ["lake.domain_0.table_0000", "lake.domain_4.table_0004"]
    assert page.document["fixed"][0] == {
        "table": page.document["fixed"][0]["table"],
        "cause": "unclustered_column",
        "state": "kept",
        "fingerprints": list(FINGERPRINTS),
        "last": "2024-04-29T00:00:00+00:00",
        "scans": 2,
        "before": 0.97,
        "promised": 0.2,
        "after": 0.2,
        "saved": 924_000_000_000,
    }
    assert "What was fixed" in page.text
    assert "What was fixed" not in Page(render_page(made_run(tables))).text


def test_the_script_reads_the_digits_that_are_written() -> None:
    script = Page(render_page(made_run([]))).scripts[2]
    assert f'const DIGITS = "{DIGITS}";' in script


def test_numbers_that_json_and_javascript_cannot_hold_are_told_otherwise() -> None:
    evidence = '{"depth": NaN, "snapshot_ids": [8137921203442187001, 12], "share": 0.5}'
    made = made_run(
        [
            MadeTable(
                ("lake", "a", "b"),
                1.0,
                1.0,
                findings=(finding("wrapped_column", Severity.LOW, None, evidence=evidence),),
            )
        ]
    )
    broken = [dict(row) | {"depth": float("nan"), "ranges": None} for row in made.column_health]
    document = Page(render_page(replace(made, column_health=tuple(broken)))).document
    assert document["findings"][0]["evidence"] == {
        "depth": None,
        "snapshot_ids": ["8137921203442187001", 12],
        "share": 0.5,
    }
    assert "stake" not in document["tables"][0]
    assert all("depth" not in column for column in document["tables"][0]["columns"])
