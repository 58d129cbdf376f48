"""What a person reads of a configuration whose YAML cannot be used."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.config import load_config
from tests.audit_jobs.test_config_problems import GOOD, said

DATE = "write a date: 2026-03-10; put text into quotes"
WHOLE = "write a whole number; put text into quotes"
LARGE = "holds itself, or more than 1,000,000 values; write less"


def nested(first: str, form: str) -> str:
    """Nine anchors, each of nine times the one before."""
    later = (form.format(", ".join([f"*x{number - 1}"] * 9)) for number in range(1, 9))
    held = (f"&x{number} {text}" for number, text in enumerate((first, *later)))
    return f"findings: [{', '.join(held)}]"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "findings: {suppress: [{table: x, reason: y, until: 2026-13-01}]}",
            f"findings.suppress[0].until: {DATE}",
        ),
        ("report: {path: 2026-02-30}", f"report.path: {DATE}"),
        ("report: {path: 2026-01-01T25:00:00}", f"report.path: {DATE}"),
        ("report: {path: 2026-01-01 10:00:00 +99:00}", f"report.path: {DATE}"),
        ("report: {path: !!timestamp soon}", f"report.path: {DATE}"),
        ("2026-13-01: x", f"2026-13-01: {DATE}"),
        ("max_footers: !!int many", f"max_footers: {WHOLE}"),
        ('max_footers: !!int ""', f"max_footers: {WHOLE}"),
        ("max_footers: 0b_", f"max_footers: {WHOLE}"),
        ("max_footers: 12:30:45", f"max_footers: {WHOLE}"),
        (f"max_footers: {'9' * 5_000}", f"max_footers: {WHOLE}"),
        ("max_footers: 0o8", "max_footers: write a whole number"),
        (
            "table_timeout_seconds: !!float long",
            "table_timeout_seconds: write a number; put text into quotes",
        ),
        (
            "table_timeout_seconds: 1:30.5",
            "table_timeout_seconds: write a number; put text into quotes",
        ),
        (
            "otlp: {traces: !!bool maybe, endpoint: http://x}",
            "otlp.traces: write true or false; put text into quotes",
        ),
        ("findings: &a {suppress: *a}", f"findings: {LARGE}"),
        ("findings: &a {<<: *a}", f"findings: {LARGE}"),
        (
            nested("[y]", "[{}]"),
            f"findings: {LARGE}",
        ),
        (
            nested("{y: 1}", "{{<<: [{}]}}"),
            f"findings: {LARGE}",
        ),
    ],
)
def test_what_types_of_yaml_cannot_take_is_told_with_its_key(
    tmp_path: Path, line: str, problem: str
) -> None:
    text = said(tmp_path, f"{GOOD}{line}\n")
    assert text == f"audit.yaml is not a valid configuration:\n  line 8: {problem}"


@pytest.mark.parametrize(
    "line",
    [
        "findings: !!binary a",
        "findings: !!python/object/apply:print [x]",
        "findings: {<<: 3}",
        "findings: *x",
        "findings: [&x 1, &x 2]",
        "findings: =",
        "findings: {[1]: 2}",
        "findings: !!set [x]",
        'findings: "\a"',
    ],
)
def test_what_is_no_plain_yaml_is_told_with_its_line(tmp_path: Path, line: str) -> None:
    assert said(tmp_path, f"{GOOD}{line}\n").startswith(
        "audit.yaml, line 8, cannot be read as YAML:"
    )


def test_anchors_and_merges_are_read(tmp_path: Path) -> None:
    path = tmp_path / "audit.yaml"
    path.write_text(
        f"{GOOD}catalogs: {{a: &a {{properties: {{type: rest}}}}, lake: {{<<: *a}}}}\n".replace(
            GOOD[: GOOD.index("sources:")], ""
        )
    )
    assert load_config(path).catalogs["lake"].properties == {"type": "rest"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "audit.yaml is empty", id="empty"),
        pytest.param("- a\n", "audit.yaml is not a YAML mapping", id="a list"),
        pytest.param(
            "a: [1\nb: 2\n",
            "audit.yaml, line 2, cannot be read as YAML: expected ',' or ']', but got ':'",
            id="no YAML",
        ),
        pytest.param(
            "[" * 5_000, "audit.yaml is nested too deeply to be read", id="lists in lists"
        ),
        pytest.param(
            "a:\n\tb: 2\n",
            "audit.yaml, line 2, cannot be read as YAML: found character '\\t' that cannot start "
            "any token",
            id="a tab",
        ),
    ],
)
def test_a_file_that_is_no_configuration(tmp_path: Path, text: str, message: str) -> None:
    assert said(tmp_path, text).startswith(message)
