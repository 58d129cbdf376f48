"""Trino's own parser reads the statements that findings recommend, as they are meant."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from prunescope.audit_jobs.findings.statements import (
    trino_bloom_filters,
    trino_execute,
    trino_optimize,
    trino_partitioning,
    trino_sorted_by,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.partitioning import PartitionField, PartitionSpec
from tests.documented import statements
from tests.jars import artefact
from tests.scenarios.lake import Lake, Query, files

pytestmark = [pytest.mark.slow, pytest.mark.exhaustive]

# 435 is the last that Java 17 runs.
_JARS = (
    "io.trino:trino-parser:435",
    "io.trino:trino-grammar:435",
    "org.antlr:antlr4-runtime:4.13.1",
    "com.google.guava:guava:32.1.3-jre",
    "com.google.guava:failureaccess:1.0.1",
    "com.google.errorprone:error_prone_annotations:2.21.1",
)

NAMES = (
    "plain_1",
    "Upper",
    "with space",
    "with.dot",
    'with"quote',
    "with`tick",
    "with'apostrophe",
    "with\\backslash",
    "1st",
    "_",
    "größe",
    "日付",
    "order",
    "year",
    "with,comma(and) more",
)

Parsed = list[list[str]]
"""What a statement says: groups of words."""

Parse = Callable[[Sequence[str]], list[Parsed]]


@pytest.fixture(scope="module")
def run_parser(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Sequence[str]], list[str]]:
    """Runs Trino's parser over statements: its lines."""
    java = require_program("java")
    jars = ":".join(str(artefact(jar, require_program)) for jar in _JARS)
    program = Path(__file__).with_name("TrinoParser.java")

    def run(statements: Sequence[str]) -> list[str]:
        path = tmp_path_factory.mktemp("trino") / "statements.sql"
        path.write_text("".join(f"{statement}\n" for statement in statements))
        done = subprocess.run(
            [java, "-XX:TieredStopAtLevel=1", "-cp", jars, program, path],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-4000:]
        return done.stdout.split("\n")[:-1]

    return run


@pytest.fixture(scope="module")
def parse(run_parser: Callable[[Sequence[str]], list[str]]) -> Parse:
    """What Trino's parser makes of statements."""

    def read(statements: Sequence[str]) -> list[Parsed]:
        lines = run_parser(statements)[1:]
        parsed = [[group.split("\x1f") for group in line.split("\x1d")] for line in lines]
        errors = [(s, p) for s, p in zip(statements, parsed, strict=True) if p[0] == ["error"]]
        assert errors == []
        return parsed

    return read


def test_tables_are_those_that_are_meant(
    run_parser: Callable[[Sequence[str]], list[str]], parse: Parse
) -> None:
    reserved = run_parser([])[0].lower().split("\x1f")
    assert "order" in reserved
    names = [*NAMES, *reserved]
    tables = [TableName(name, (name, "nested"), name) for name in names]
    expected = [[name, f"{name}.nested", name] for name in names]
    assert [p[1] for p in parse([trino_optimize(table) for table in tables])] == expected


def test_tables_without_a_catalog_are_those_of_the_session(parse: Parse) -> None:
    statement = trino_execute(TableName(None, ("db",), "t"), "optimize_manifests")
    assert parse([statement]) == [[["EXECUTE optimize_manifests"], ["db", "t"]]]


def test_thresholds_are_arguments(parse: Parse) -> None:
    table = TableName("lake", ("db",), "t")
    all_files, small_files = parse([trino_optimize(table), trino_optimize(table, threshold=None)])
    assert all_files[2:] == [["file_size_threshold", "100TB"]]
    assert small_files[2:] == []


def test_columns_are_those_that_are_meant(parse: Parse) -> None:
    """Of partitioning and of orders, identifiers; of bloom filters, names as they are."""
    table = TableName("lake", ("db",), "t")
    sort = [trino_sorted_by(table, [name]) for name in NAMES]
    bloom = [trino_bloom_filters(table, [name]) for name in NAMES]
    found = parse([*sort, *bloom])
    assert [p[2:] for p in found] == [[[name]] for name in NAMES] * 2
    assert {p[0][0] for p in found[: len(NAMES)]} == {"SET sorted_by"}


def test_bloom_filters_of_several_columns(parse: Parse) -> None:
    """Each is named once."""
    table = TableName("lake", ("db",), "t")
    (filters,) = parse([trino_bloom_filters(table, [*NAMES, NAMES[0]])])
    assert filters[2:] == [[name] for name in NAMES]


def test_partitioning_keeps_what_is_not_replaced(parse: Parse) -> None:
    table = TableName("lake", ("db",), "t")
    statements = []
    for name in NAMES:
        spec = PartitionSpec(
            3,
            (
                PartitionField(1000, 1, "by_year", "year", "timestamp", "int"),
                PartitionField(1001, 2, "gone", "identity", "string", "string"),
                PartitionField(1002, 3, "nothing", "void", "string", None),
                PartitionField(1003, 3, "some", "truncate[4]", "string", "string"),
                PartitionField(1004, 3, "all", "identity", "string", "string"),
                PartitionField(1005, 4, "dropped_column", "identity", None, None),
            ),
        )
        names = {1: name, 2: "other", 3: f"{name}.{name}"}
        added = [("bucket[16]", name), ("day", name)]
        statements.append(trino_partitioning(table, spec, names, without=[1001], add=added))
    assert parse(statements) == [
        [
            ["SET partitioning"],
            ["lake", "db", "t"],
            ["year", name],
            ["truncate", f"{name}.{name}", "4"],
            [f"{name}.{name}"],
            ["bucket", name, "16"],
            ["day", name],
        ]
        for name in NAMES
    ]


def test_what_findings_recommend(lake: Lake, parse: Parse) -> None:
    """Of a table with several faults of layout, and names that need quotes."""
    name = "trino_of_findings"
    lake.sql(
        f"CREATE TABLE lake.db.{name} (`the Key` BIGINT, `At` TIMESTAMP_NTZ, `some text` STRING, "
        "`a kind` STRING) USING iceberg PARTITIONED BY (bucket(4, `the Key`), years(`At`)) "
        "TBLPROPERTIES ('write.target-file-size-bytes' = '1000')",
        *files(
            name,
            5,
            rows=400,
            columns=[
                "id",
                "timestamp_seconds(1704067200 + pmod(id * 7919, 366) * 86400)",
                "sha2(CAST(id AS STRING), 256)",
                "CAST(id % 5 AS STRING)",
            ],
        ),
    )
    march = "\"At\" >= TIMESTAMP '2024-03-01 00:00:00' AND \"At\" < TIMESTAMP '2024-04-01 00:00:00'"
    keys, text = '"the Key" BETWEEN 20 AND 30', "\"some text\" = 'a'"
    # Of a night that asks for both, one order is told.
    nights = [
        lake.audit(*(Query(f"SELECT * FROM {name} WHERE {condition}") for condition in asked))
        for asked in ((march, keys, march), (text,))
    ]
    every = [finding for night in nights for finding in night.findings]
    found = [one for one in every if one.table.table == name and one.fix.trino]
    assert {"no_partition_filter", "partitions_too_coarse"} <= {f.cause for f in found}
    for parsed in parse([statement for finding in found for statement in finding.fix.trino]):
        assert parsed[0][0].startswith(("SET ", "EXECUTE "))
        assert parsed[1] == ["lake", "db", name]


def test_statements_of_the_documentation_are_parsed(parse: Parse) -> None:
    documented = [each.text for each in statements() if each.is_whole and "Trino" in each.engines]
    assert len(documented) > 15
    assert len(parse(documented)) == len(documented)
