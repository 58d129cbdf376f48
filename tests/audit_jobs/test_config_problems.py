"""What a person reads of a configuration that cannot be used: where, what, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from prunescope.audit_jobs.config import load_config, load_tables_config, validate_config
from prunescope.audit_jobs.errors import BadConfiguration
from prunescope.audit_jobs.sources.registry import SOURCES

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
            [
                (
                    "line 3: catalogs.lake.properties.token: write text; put numbers, true and "
                    "false into quotes"
                )
            ],
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
            [
                (
                    "line 6: metrics: write keys and values below it, indented further than it, or "
                    "leave it out"
                )
            ],
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
            (
                "{type: trino_events, paths: [x]}",
                (
                    "{type: sql_records, paths: [x], dialect: Trin, engine: sprak, "
                    "engine_version: new, time_zone: europe/berln, export: snowflak}"
                ),
            ),
            [
                "line 5: sources[0].export: 'snowflak' is not known; did you mean snowflake?",
                "line 5: sources[0].dialect: 'Trin' is no dialect; did you mean trino?",
                (
                    "line 5: sources[0].engine: 'sprak' is no engine whose dialect is known; did "
                    "you mean spark?"
                ),
                "line 5: sources[0].engine_version: write a version: 1.10.0",
                (
                    "line 5: sources[0].time_zone: 'europe/berln' is no time zone; did you mean "
                    "Europe/Berlin?"
                ),
            ],
            id="names of a session misspelt",
        ),
        pytest.param(
            ("{type: trino_events, paths: [x]}", "{type: sql_records, paths: [x], catalog: lak}"),
            [
                (
                    "line 5: sources[0].catalog: 'lak' is neither one of catalogs nor an alias of "
                    "one; did you mean lake?"
                )
            ],
            id="the catalog of a session misspelt",
        ),
        pytest.param(
            ("sources:", "    aliases: [a]\n  other: {aliases: [a, lake]}\nsources:"),
            [
                "line 5: catalogs.other.aliases[0]: 'a' is catalog lake as well; leave one out",
                "line 5: catalogs.other.aliases[1]: 'lake' is catalog lake as well; leave one out",
            ],
            id="a name of two catalogs",
        ),
        pytest.param(
            ("sources:", "    aliases: [ice]\n  LAKE: {aliases: [ICE]}\nsources:"),
            [
                "line 5: catalogs.LAKE: 'LAKE' is catalog lake as well; leave one out",
                "line 5: catalogs.LAKE.aliases[0]: 'ICE' is catalog lake as well; leave one out",
            ],
            id="names of catalogs that differ in case alone",
        ),
        pytest.param(
            (
                "audit:",
                "tables: [{name: a.b.c, metadata: x}, {name: A.b.c, metadata: y}]\naudit:",
            ),
            ["line 6: tables[1].name: 'A.b.c' is tables[0] as well; leave one out"],
            id="a table twice",
        ),
        pytest.param(
            ('uri: "http://x"', 'uri: "${URI}"'),
            [
                (
                    "line 3: catalogs.lake.properties.uri: environment variables are not replaced "
                    "here; leave the key out, and set PYICEBERG_CATALOG__LAKE__URI, which is read"
                )
            ],
            id="a property of a catalog from the environment",
        ),
        pytest.param(
            ("paths: [x]", 'paths: ["/logs/${DAY:-today}"]'),
            [
                (
                    "line 5: sources[0].paths[0]: environment variables are not replaced here; "
                    "write the value; of the environment are read PYICEBERG_CATALOG__NAME__KEY for "
                    "properties of catalogs, AWS_… and OTEL_EXPORTER_OTLP_HEADERS"
                )
            ],
            id="a path from the environment",
        ),
        pytest.param(
            ("  catalog: lake", '  catalog: lake\n  namespace: "a..b"'),
            [
                (
                    "line 8: audit.namespace: write a name, or several with dots between them: "
                    "pruning_audit"
                )
            ],
            id="no namespace",
        ),
        pytest.param(
            ("{type: trino_events, paths: [x]}", "trino_events"),
            ["line 5: sources[0]: write keys and values: {type: …, paths: […]}"],
            id="a text for a section",
        ),
        pytest.param(
            ("  lake:", "  1:"),
            ["line 2: catalogs[1]: write text; put numbers, true and false into quotes"],
            id="a number for a key",
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
    "section",
    [
        "{type: sql_records, paths: [x], dialect: hive, engine: impala, catalog: LAKE}",
        '{type: sql_records, paths: [x], engine: Athena, engine_version: newest, catalog: "x"}',
        '{type: sql_records, paths: [x], dialect: Spark, time_zone: "+02:00", catalog: b}',
    ],
)
def test_sessions_that_are_known(tmp_path: Path, section: str) -> None:
    text = GOOD.replace("{type: trino_events, paths: [x]}", section)
    text += "tables: [{name: b.c.d, metadata: x}]\nspark: {conf: {a: '${env:HOME}'}}\n"
    path = tmp_path / "audit.yaml"
    path.write_text(text.replace('"http://x"}', '"http://x"}\n    aliases: [x]'))
    assert load_config(path).sources[0].session_catalog is not None


def test_who_reads_tables_alone_needs_neither_logs_nor_audit_tables(tmp_path: Path) -> None:
    path = tmp_path / "audit.yaml"
    path.write_text(GOOD.partition("sources:")[0])
    assert load_tables_config(path).audit is None
    with pytest.raises(BadConfiguration, match="sources: is missing\n  audit: is missing"):
        load_config(path)


def test_a_folder_is_no_configuration(tmp_path: Path) -> None:
    with pytest.raises(BadConfiguration, match="is a directory"):
        load_config(tmp_path)


def test_values_are_not_told(tmp_path: Path) -> None:
    text = GOOD.replace('uri: "http://x"', "credential: [me, hidden]")
    assert "hidden" not in said(tmp_path, text)


def test_what_is_no_file_has_no_lines() -> None:
    with pytest.raises(BadConfiguration) as raised:
        validate_config({"sourcez": []}, "test")
    assert "\n  sourcez: there is no such key; did you mean sources?" in str(raised.value)
