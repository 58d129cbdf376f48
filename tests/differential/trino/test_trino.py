"""The product's Trino profile agrees with a real Trino: the files of its splits, the domains that
its Iceberg connector takes, and the filter that remains above the scan; its events are read; and
it runs the statements that findings recommend.

PRUNESCOPE_SCANS_PER_TABLE changes how many conditions each table is asked; without it, a few are
asked of some of the tables.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from audit_jobs.findings.statements import (
    trino_bloom_filter,
    trino_execute,
    trino_optimize,
    trino_partitioning,
    trino_sort,
)
from collectors.queries import trino_events
from collectors.queries.observed import ObservedQuery, TableName
from tests.differential.iceberg_java.values import seeded
from tests.differential.trino import forms
from tests.differential.trino.comparison import Compared, compare
from tests.differential.trino.conditions import Condition, random_condition
from tests.differential.trino.differences import DIFFERENCES, Difference, Kind, explanations, kinds
from tests.differential.trino.engine import VERSION, Refused, Scan, Trino, running
from tests.differential.trino.tables import TableCase, table_cases

pytestmark = pytest.mark.slow

_WANTED = os.environ.get("PRUNESCOPE_SCANS_PER_TABLE")
SCANS_PER_TABLE = int(_WANTED or 15)
_SOME = (
    "plain", "v3", "identity_i", "identity_s", "bucket_l", "truncate_i", "truncate_s", "day_ts",
    "month_tsn", "year_dt", "nested", "specs_evolve",
)  # fmt: skip

_PAGE = Path(__file__).parents[3] / "docs" / "engines.md"

# Queries whose events are read.
_RUN = (
    ("plain", "i > 5"),
    ("plain", "s IN ('a', 'zebra and a long tail of text') AND l < 20"),
    ("identity_s", "s = 'ab'"),
    ("day_ts", "ts >= TIMESTAMP '2024-02-29 00:00:00 UTC'"),
    ("day_ts", "CAST(ts AS date) = DATE '2024-02-29' AND upper(s) = 'AB'"),
    ("truncate_i", "i BETWEEN 0 AND 9"),
    ("nested", "st.x = 2"),
    ("specs_evolve", "i = 10"),
    ("plain", "i = 1 AND i = 2"),
)


@dataclass(frozen=True)
class Agreement:
    """What Trino says and the product answers, and the conditions that Trino refuses."""

    compared: Sequence[Compared]
    refused: Sequence[tuple[Condition, str]]


@pytest.fixture(scope="module")
def trino(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> Iterator[Trino]:
    with running(tmp_path_factory.mktemp("trino"), require_program) as found:
        yield found


@pytest.fixture(scope="module")
def tables(trino: Trino) -> Sequence[TableCase]:
    """The tables, written by Trino."""
    cases = [case for case in table_cases() if _WANTED or case.name in _SOME]
    for case in cases:
        for statement in case.statements():
            trino.run(statement)
    return cases


@pytest.fixture(scope="module")
def agreement(trino: Trino, tables: Sequence[TableCase]) -> Agreement:
    compared: list[Compared] = []
    refused: list[tuple[Condition, str]] = []
    for case in tables:
        random_ = seeded(case.name)
        asked: list[tuple[Condition, Scan | None]] = []
        for _ in range(SCANS_PER_TABLE):
            condition = random_condition(random_)
            sql = f"SELECT * FROM {case.name} WHERE {condition.sql}"
            try:
                scans = trino.scans(sql, zone=condition.zone)
            except Refused as error:
                refused.append((condition, str(error)))
                continue
            asked.append((condition, scans[0] if scans else None))
        compared += compare(trino.open(case.name), asked)
    found = Agreement(compared, refused)
    sys.stdout.write(report(found))
    return found


def report(agreement: Agreement) -> str:
    """Scans compared, equal, and different by the names of the differences, for `pytest -s`."""
    scans = agreement.compared
    different = [scan for scan in scans if not scan.is_equal]
    unexplained = [scan for scan in different if _unknown(scan)]
    over = [scan for scan in unexplained if Kind.FEWER in _unknown(scan)]
    names = Counter(
        f"{kind.name.lower()}: {known[0].name}"
        for scan in different
        for kind in kinds(scan)
        if (known := explanations(scan, kind))
    )
    lines = [
        f"Trino {VERSION}",
        f"{len({scan.table for scan in scans}):7} tables",
        f"{len(scans):7} scans",
        f"{len(agreement.refused):7} that Trino refuses to plan",
        f"{len(scans) - len(different):7} equal in files, domains and classes",
        f"{len(different) - len(unexplained):7} explained",
        f"{len(unexplained):7} unexplained",
        f"{len(over):7} over-pruned",
        *(f"{count:7} {name}" for name, count in names.most_common()),
    ]
    return "\n" + "\n".join(lines) + "\n"


def _unknown(scan: Compared) -> list[Kind]:
    return [kind for kind in kinds(scan) if not explanations(scan, kind)]


def test_enough_is_compared(agreement: Agreement) -> None:
    assert len(agreement.compared) >= 150
    assert len(agreement.refused) <= len(agreement.compared) / 50
    reads = [scan for scan in agreement.compared if scan.theirs is not None]
    assert any(scan.theirs.enforced for scan in reads if scan.theirs)
    assert any(scan.theirs.filter for scan in reads if scan.theirs)
    assert any(len(scan.theirs.files) > 0 for scan in reads if scan.theirs)


def test_plans_whatever_trino_plans(agreement: Agreement) -> None:
    failed = [scan for scan in agreement.compared if scan.failure]
    assert [(scan.table, scan.condition, scan.failure) for scan in failed] == []


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name.lower())
def test_agrees(agreement: Agreement, kind: Kind) -> None:
    """In the files that are kept (no more, and no fewer), in what is pushed, and in the classes."""
    unexplained = [
        f"{scan.table} ({scan.condition.zone}): {scan.condition.sql}: files {scan.files},"
        f" domains {scan.domains}, classes {scan.classes}"
        for scan in agreement.compared
        if kind in _unknown(scan)
    ]
    assert unexplained == []


@pytest.mark.skipif(not _WANTED, reason="a few scans need few of the differences")
def test_every_difference_is_needed(agreement: Agreement) -> None:
    """For some scan that no other one explains."""
    found: list[list[Difference]] = [
        explanations(scan, kind) for scan in agreement.compared for kind in kinds(scan)
    ]
    needed = {known[0] for known in found if len(known) == 1}
    assert [difference.name for difference in DIFFERENCES if difference not in needed] == []


@dataclass(frozen=True)
class Ran:
    """A query that Trino ran: its event, as JSON, and what the product answers."""

    sql: str
    event: str
    compared: Compared


@pytest.fixture(scope="module")
def ran(trino: Trino, tables: Sequence[TableCase]) -> Sequence[Ran]:
    names = {case.name for case in tables}
    assert {name for name, _ in _RUN} <= names
    found = []
    for name, where in _RUN:
        sql = f"SELECT * FROM {name} WHERE {where}"
        scans = trino.scans(sql)
        condition = Condition(where, "UTC")
        (compared,) = compare(trino.open(name), [(condition, scans[0] if scans else None)])
        found.append(Ran(sql, trino.event(sql), compared))
    return found


def test_events_are_read(ran: Sequence[Ran]) -> None:
    """Every query is found, with its scan, and what Trino counts is what the product plans."""
    assert any(one.compared.answer["data_files"]["kept"] for one in ran)
    for one in ran:
        query = trino_events.from_json(one.event, "events.jsonl:1")
        assert isinstance(query, ObservedQuery), query
        assert (query.sql, query.catalog, query.schema) == (one.sql, "lake", "db")
        assert (query.engine, query.time_zone) == ("trino", "UTC")
        if one.compared.theirs is None:
            assert query.scans == ()
            continue
        (scan,) = query.scans
        answer = one.compared.answer
        assert scan.table == TableName("lake", ("db",), one.compared.table)
        assert scan.snapshot_id == answer["snapshot_id"]
        counted = {
            "result_data_files": answer["data_files"]["kept"],
            "snapshot_total_data_files": answer["data_files"]["total"],
            "total_file_size_in_bytes": answer["bytes"]["kept"],
            "scanned_data_manifests": answer["manifests"]["kept"],
        }
        assert {name: scan.counters[name] for name in counted} == counted, one.sql


def test_queries_read_the_files_that_are_planned(trino: Trino, ran: Sequence[Ran]) -> None:
    """As running queries count them: most scans here are only planned."""
    for one in ran:
        if one.compared.theirs is not None:
            ((text,),) = trino.run(f"EXPLAIN ANALYZE VERBOSE {one.sql}")
            read = re.search(r"'dataFiles' = LongCount\{total=(\d+)\}", text)
            assert read is not None
            assert int(read[1]) == len(one.compared.theirs.files), one.sql


def test_the_page_on_engines_tells_what_was_measured(
    trino: Trino, tables: Sequence[TableCase]
) -> None:
    assert set(forms.TABLES) <= {case.name for case in tables}
    found = forms.measured(trino)
    text = _PAGE.read_text()
    before, _, rest = text.partition(forms.BEGIN)
    _, _, after = rest.partition(forms.END)
    if os.environ.get("PRUNESCOPE_WRITE_ENGINES"):
        _PAGE.write_text(f"{before}{found}{after}")
    else:
        assert f"{before}{found}{after}" == text, "write it anew with `make engines`"


@pytest.fixture(scope="module")
def recommended(trino: Trino) -> TableName:
    trino.run(
        'CREATE TABLE "to optimize" ("the key" bigint, at timestamp(6) with time zone,'
        ' "order" varchar, st row(x integer)) WITH (partitioning = ARRAY[\'bucket("the key", 4)\'])'
    )
    trino.run(
        "INSERT INTO \"to optimize\" VALUES (1, TIMESTAMP '2024-01-01 00:00:00 UTC', 'a', ROW(1)),"
        " (2, TIMESTAMP '2024-02-01 00:00:00 UTC', 'b', ROW(2))"
    )
    return TableName("lake", ("db",), "to optimize")


def test_runs_the_statements_that_findings_recommend(trino: Trino, recommended: TableName) -> None:
    table = trino.open("to optimize")
    snapshot = table.metadata.current_snapshot()
    schema = table.metadata.schema(snapshot)
    (spec,) = table.metadata.specs(schema).values()
    names = {column.field_id: column.name for column in schema.columns}
    statements = [
        trino_optimize(recommended),
        trino_optimize(recommended, threshold=None),
        trino_execute(recommended, "optimize_manifests"),
        *trino_sort(recommended, ["the key", "order"]),
        *trino_bloom_filter(recommended, "order"),
        trino_partitioning(recommended, spec, names, add=[("day", "at"), ("truncate[4]", "order")]),
        trino_optimize(recommended),
        trino_partitioning(recommended, spec, names, without=[1000], add=[("identity", "order")]),
        trino_optimize(recommended),
    ]
    for statement in statements:
        trino.run(statement)
    after = trino.run('SELECT count(*), count(DISTINCT "order") FROM "to optimize"')
    assert after == [["2", "2"]]
