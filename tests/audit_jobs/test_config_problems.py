"""What a person reads of a configuration that cannot be used: where, what, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_jobs.config import load_config, validate_config
from audit_jobs.errors import BadConfiguration
from audit_jobs.sources.registry import SOURCES

GOOD = """\
catalogs:
  lake:
    properties: {type: rest, uri: "http://x"}
sources:
  - {type: trino_events, paths: [x]}
audit:
  catalog: lake
"""
KNOWN = ", ".join(sorted(source.type for source in SOURCES))


def said(tmp_path: Path, text: str) -> str:
    path = tmp_path / "audit.yaml"
    path.write_text(text)
    with pytest.raises(BadConfiguration) as raised:
        load_config(path)
    return str(raised.value).replace(str(path), "audit.yaml")


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        pytest.param(
            ("sources:", "sourcez:"),
            ["line 4: sourcez: there is no such key; did you mean sources?"],
            id="a key misspelt, not told to be missing as well",
        ),
        pytest.param(
            ("paths: [x]", "path: [x]"),
            ["line 5: sources[0].path: there is no such key; did you mean paths?"],
            id="a key of a source",
        ),
        pytest.param(
            ("paths: [x]", "paths: [x], colour: red"),
            [
                (
                    "line 5: sources[0].colour: there is no such key; known: iceberg_version, "
                    "paths, type"
                )
            ],
            id="a key like no other",
        ),
        pytest.param(
            ("type: trino_events", "type: trino_event"),
            ["line 5: sources[0].type: 'trino_event' is not known; did you mean trino_events?"],
            id="a type misspelt",
        ),
        pytest.param(
            ("type: trino_events", "type: oracle"),
            [f"line 5: sources[0].type: 'oracle' is not known; known: {KNOWN}"],
            id="a type like no other",
        ),
        pytest.param(
            ("type: trino_events, ", ""),
            [f"line 5: sources[0].type: is missing; known: {KNOWN}"],
            id="no type",
        ),
        pytest.param(
            ("paths: [x]", "paths: x"),
            ["line 5: sources[0].paths: write a list: [a, b]"],
            id="a text for a list",
        ),
        pytest.param(
            ("paths: [x]", "paths: []"),
            ["line 5: sources[0].paths: must not be empty"],
            id="an empty list",
        ),
        pytest.param(
            (", paths: [x]", ""), ["line 5: sources[0].paths: is missing"], id="a key missing"
        ),
        pytest.param(
            ("audit:", "metrics: {textfile: /m/x.txt}\naudit:"),
            ["line 6: metrics.textfile: write a name that ends in .prom; no other is collected"],
            id="a file that nobody collects",
        ),
        pytest.param(
            ("audit:", "audit:\n  catalog: lake\naudit:"),
            ["line 6: audit: is there again in line 8; leave one out"],
            id="a section twice",
        ),
        pytest.param(
            ("  catalog: lake", "  catalog: lake\n  catalog: other"),
            ["line 7: audit.catalog: is there again in line 8; leave one out"],
            id="a key twice",
        ),
        pytest.param(
            ("paths: [x]", "paths: [x], paths: [y]"),
            ["line 5: sources[0].paths: is there again in line 5; leave one out"],
            id="a key of a list's item twice",
        ),
        pytest.param(
            ("  catalog: lake", "  catalog: lak"),
            ["line 7: audit.catalog: 'lak' is not one of catalogs; did you mean lake?"],
            id="a catalog misspelt",
        ),
        pytest.param(
            ("audit:", "source_storage: lak\naudit:"),
            ["line 6: source_storage: 'lak' is not one of catalogs; did you mean lake?"],
            id="the storage of logs misspelt",
        ),
        pytest.param(
            ("audit:", "cache: {path: /kept, bundles: s3://kept, catalog: lak}\naudit:"),
            ["line 6: cache.catalog: 'lak' is not one of catalogs; did you mean lake?"],
            id="the storage of bundles misspelt",
        ),
        pytest.param(
            ("audit:", "cache: {path: s3://kept, bundles: /kept}\naudit:"),
            [
                "line 6: cache.path: write the absolute path of a local directory",
                (
                    "line 6: cache.bundles: write a location in an object store; a directory that "
                    "machines share is `path`"
                ),
            ],
            id="the places of the cache exchanged",
        ),
        pytest.param(
            ("audit:", 'cache: {path: "/ke\\0pt", bundles: "s3://"}\naudit:'),
            [
                "line 6: cache.path: write the absolute path of a local directory",
                "line 6: cache.bundles: write the bucket as well: s3://bucket/folder",
            ],
            id="no places of a cache",
        ),
        pytest.param(
            ("  catalog: lake", "  catalog: other"),
            ["line 7: audit.catalog: 'other' is not one of catalogs; known: lake"],
            id="no such catalog",
        ),
        pytest.param(
            ('uri: "http://x"', "token: 12345"),
            ["line 3: catalogs.lake.properties.token: write text; put a number into quotes"],
            id="a number for text is not quoted",
        ),
        pytest.param(
            ("audit:", "literals: yes please\naudit:"),
            ["line 6: literals: write 'redact' or 'keep'"],
            id="a choice",
        ),
        pytest.param(
            ("audit:", "max_footers: 0\naudit:"),
            ["line 6: max_footers: must be 1 or more"],
            id="too small",
        ),
        pytest.param(
            ("audit:", "table_timeout_seconds: 1000000\naudit:"),
            ["line 6: table_timeout_seconds: must be 86400 or less"],
            id="too large",
        ),
        pytest.param(
            ("audit:", "table_timeout_seconds: 0\naudit:"),
            ["line 6: table_timeout_seconds: must be more than 0"],
            id="not more",
        ),
        pytest.param(
            ("audit:", "max_footers: many\naudit:"),
            ["line 6: max_footers: write a whole number"],
            id="no number",
        ),
        pytest.param(
            ("audit:", "table_timeout_seconds: long\naudit:"),
            ["line 6: table_timeout_seconds: write a number"],
            id="no number at all",
        ),
        pytest.param(
            ("audit:", "metrics:\naudit:"),
            ["line 6: metrics: write keys and values below it, or leave it out"],
            id="a section without content",
        ),
        pytest.param(
            ("audit:", "otlp: {endpoint: collector, traces: maybe}\naudit:"),
            [
                (
                    "line 6: otlp.endpoint: write a URL such as http://collector:4318, or :4317 "
                    "for grpc"
                ),
                "line 6: otlp.traces: write true or false",
            ],
            id="two at once",
        ),
        pytest.param(
            (
                "audit:",
                "findings:\n  suppress:\n    - {table: x, reason: y, until: soon}\naudit:",
            ),
            ["line 8: findings.suppress[0].until: write a date: 2026-03-10"],
            id="a date",
        ),
        pytest.param(
            ("audit:", "max_footers: .inf\naudit:"),
            ["line 6: max_footers: write a number"],
            id="no finite number",
        ),
        pytest.param(
            ("paths: [x]", "paths: [x], iceberg_version: v1"),
            ["line 5: sources[0].iceberg_version: write a version: 1.10.0"],
            id="a version",
        ),
        pytest.param(
            ("audit:\n  catalog: lake\n", ""), ["audit: is missing"], id="a section missing"
        ),
    ],
)
def test_problems_of_a_configuration(
    tmp_path: Path, change: tuple[str, str], problems: list[str]
) -> None:
    text = GOOD.replace(*change)
    assert text != GOOD
    listed = "\n".join(f"  {problem}" for problem in problems)
    assert said(tmp_path, text) == f"audit.yaml is not a valid configuration:\n{listed}"


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


@pytest.mark.parametrize("address", ["pg:9091", "//pg", "http://", "http://pg:x", "http://[::1"])
def test_addresses_are_urls(tmp_path: Path, address: str) -> None:
    lines = f'metrics: {{pushgateway: "{address}"}}\notlp: {{endpoint: "{address}"}}\n'
    text = said(tmp_path, f"{GOOD}{lines}")
    assert text == (
        "audit.yaml is not a valid configuration:\n"
        "  line 8: metrics.pushgateway: write a URL such as http://pushgateway:9091\n"
        "  line 9: otlp.endpoint: write a URL such as http://collector:4318, or :4317 for grpc"
    )


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
        f"{GOOD}catalogs: &all {{a: &a {{aliases: [x]}}, lake: {{<<: *a}}}}\n".replace(
            GOOD[: GOOD.index("sources:")], ""
        )
    )
    assert load_config(path).catalogs["lake"].aliases == ("x",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "audit.yaml is empty", id="empty"),
        pytest.param("- a\n", "audit.yaml holds no keys and values", id="a list"),
        pytest.param(
            "a: [1\nb: 2\n",
            "audit.yaml, line 2, cannot be read as YAML: expected ',' or ']', but got ':'",
            id="no YAML",
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


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="cannot be read: it is a folder"):
        load_config(tmp_path)


def test_values_are_not_told(tmp_path: Path) -> None:
    text = GOOD.replace('uri: "http://x"', "credential: [me, hidden]")
    assert "hidden" not in said(tmp_path, text)


def test_what_is_no_file_has_no_lines() -> None:
    with pytest.raises(BadConfiguration) as raised:
        validate_config({"sourcez": []}, "test")
    assert "\n  sourcez: there is no such key; did you mean sources?" in str(raised.value)
