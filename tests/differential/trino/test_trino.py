"""The product's Trino profile agrees with a real Trino: the files of its splits, the domains that
its Iceberg connector takes, and the filter that remains above the scan; its events are read; and
it runs the statements that findings recommend.

PRUNESCOPE_SCANS_PER_TABLE changes how many conditions each table is asked; without it, a few are
asked of some of the tables.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from prunescope.audit_jobs.advice.beyond_filters_document import join_hints
from prunescope.audit_jobs.pruning.conjunct_classes import ENFORCED
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.queries.trino import events as trino_events
from tests.differential import page
from tests.differential.iceberg_java.values import seeded
from tests.differential.summary import tell
from tests.differential.trino import (
    advised_joins,
    forms,
    material,
    recommendations,
    row_groups,
)
from tests.differential.trino.comparison import compare
from tests.differential.trino.conditions import Condition
from tests.differential.trino.differences import (
    DIFFERENCES,
    Difference,
    Kind,
    explanations,
    kinds,
    unknown_kinds,
)
from tests.differential.trino.engine import VERSION, Trino
from tests.differential.trino.joins import JOINED, Joined, joined
from tests.differential.trino.judging import Judged, Ran, audited, counted, judge
from tests.differential.trino.queries import QUERIED, Queried, queried
from tests.differential.trino.random_conditions import Comparison, compared_with, summed_up
from tests.differential.trino.row_groups import ROW_GROUPS, Read, reads
from tests.differential.trino.statement_differences import (
    IO_PLANS,
    JOINS,
    is_inferred,
    joins,
    unknown,
)
from tests.differential.trino.statements import ALWAYS, KINDS, SOURCE, random_statements
from tests.differential.trino.tables import TableCase, table_cases

pytestmark = [pytest.mark.slow(minutes=2), pytest.mark.exhaustive]

_WANTED = os.environ.get("PRUNESCOPE_SCANS_PER_TABLE")
SCANS_PER_TABLE = int(_WANTED or 15)
_STATEMENTS_PER_KIND = int(_WANTED) // 5 if _WANTED else 1
_READS = 4 * SCANS_PER_TABLE
_SOME = (
    "plain", "v3", "identity_i", "identity_s", "bucket_l", "truncate_i", "truncate_s",
    "day_ts", "month_tsn", "year_dt", "nested", "specs_evolve",
)  # fmt: skip

_TOLD_AT_ONCE = re.compile(r"\bNOT\b|\bBETWEEN\b")
"""What is excluded of a column, and two comparisons of it."""


@pytest.fixture(scope="module")
def tables(trino: Trino) -> Sequence[TableCase]:
    """The tables, written by Trino."""
    cases = [case for case in table_cases() if _WANTED or case.name in _SOME]
    for case in cases:
        for statement in case.statements():
            trino.run(statement)
    return cases


@pytest.fixture(scope="module")
def comparison(trino: Trino, tables: Sequence[TableCase]) -> Comparison:
    found = compared_with(trino, tables, SCANS_PER_TABLE)
    tell(*summed_up(found))
    return found


def test_enough_is_compared(comparison: Comparison) -> None:
    assert len(comparison.compared) >= 150
    assert len(comparison.refused) <= len(comparison.compared) / 50
    reads = [scan for scan in comparison.compared if scan.theirs is not None]
    assert any(scan.theirs.enforced for scan in reads if scan.theirs)
    assert any(scan.theirs.filter for scan in reads if scan.theirs)
    assert any(len(scan.theirs.files) > 0 for scan in reads if scan.theirs)


def test_plans_whatever_trino_plans(comparison: Comparison) -> None:
    failed = [scan for scan in comparison.compared if scan.failure]
    assert [(scan.table, scan.condition, scan.failure) for scan in failed] == []


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name.lower())
def test_agrees(comparison: Comparison, kind: Kind) -> None:
    """In the files that are kept (no more, and no fewer), in what is pushed, and in the classes."""
    unexplained = [
        f"{scan.table} ({scan.condition.zone}): {scan.condition.sql}: files {scan.files},"
        f" domains {scan.domains}, classes {scan.classes}"
        for scan in comparison.compared
        if kind in unknown_kinds(scan)
    ]
    assert unexplained == []


@pytest.mark.parametrize("known", DIFFERENCES, ids=lambda known: known.name[:40])
def test_every_difference_is_needed(
    trino: Trino, tables: Sequence[TableCase], known: Difference
) -> None:
    """For its case, which no other one explains."""
    assert known.table in {case.name for case in tables}
    scans = trino.scans(f"SELECT * FROM {known.table} WHERE {known.case}")
    asked = [(Condition(known.case, "UTC"), scans[0] if scans else None)]
    (scan,) = compare(trino.open(known.table), asked)
    assert any(explanations(scan, kind) == [known] for kind in kinds(scan)), (
        scan.files,
        scan.domains,
        scan.classes,
    )


@pytest.fixture(scope="module")
def ran(trino: Trino, tables: Sequence[TableCase]) -> Sequence[Queried]:
    assert {case.name for case in tables} >= QUERIED
    return list(queried(trino))


def test_events_are_read(ran: Sequence[Queried]) -> None:
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


def test_queries_read_the_files_that_are_planned(trino: Trino, ran: Sequence[Queried]) -> None:
    """As running queries count them: most scans here are only planned."""
    for one in ran:
        if one.compared.theirs is not None:
            ((text,),) = trino.run(f"EXPLAIN ANALYZE VERBOSE {one.sql}")
            read = re.search(r"'dataFiles' = LongCount\{total=(\d+)\}", text)
            assert read is not None
            assert int(read[1]) == len(one.compared.theirs.files), one.sql


@pytest.fixture(scope="module")
def judged(
    trino: Trino, tables: Sequence[TableCase], tmp_path_factory: pytest.TempPathFactory
) -> Judged:
    assert {"plain", "day_ts"} <= {case.name for case in tables}
    drawn = random_statements(seeded("statements"), _STATEMENTS_PER_KIND)
    found = judge(trino, [*ALWAYS, *drawn], tmp_path_factory.mktemp("statements"))
    scans = list(found.scans())
    sys.stdout.write(
        f"\n{len(found.ran):7} statements that change rows, and queries of views"
        f"\n{len(found.refused):7} that Trino refuses to run"
        f"\n{sum(one.is_by_metadata for one in found.ran):7} that delete by metadata alone"
        f"\n{len(scans):7} scans"
        f"\n{sum(not kinds(one.compared[table]) for one, table in scans):7} equal\n"
    )
    return found


def test_enough_statements_are_run(judged: Judged) -> None:
    statements = [one.statement for one in judged.ran] + [one for one, _ in judged.refused]
    assert {statement.kind for statement in statements} == set(KINDS)
    assert len(judged.refused) <= len(judged.ran) / 8
    assert sum(one.is_by_metadata for one in judged.ran) >= 2
    assert any(scan.files for one in judged.ran for scan in one.scans.values())


def test_scans_of_statements_and_views_agree(judged: Judged) -> None:
    """In the files of the splits, in what is pushed, and in the classes."""
    assert [_shown(one, table) for one, table in judged.scans() if unknown(one, table)] == []


def _shown(one: Ran, table: str) -> str:
    scan = one.compared[table]
    return (
        f"{table} ({one.statement.zone}): {one.statement.sql}: files {scan.files}, domains"
        f" {scan.domains}, classes {scan.classes}"
    )


def test_audits_of_their_events_count_what_is_planned(judged: Judged) -> None:
    for one, table in judged.scans():
        row, answer = judged.events[one.query_id][table], one.compared[table].answer
        kept = [row[f"{funnel}_kept"] or 0 for funnel in ("manifests", "data_files", "bytes")]
        if row["outcome"] == "always_false":
            assert one.compared[table].theirs is None, one.statement.sql
            assert answer["data_files"]["kept"] == 0, one.statement.sql
        else:
            assert row["outcome"] == "replayed", (row["outcome"], one.statement.sql)
            wanted = [answer[funnel]["kept"] for funnel in ("manifests", "data_files", "bytes")]
            # Of a join that finds nothing Trino reads nothing, which the audit may know as well.
            is_nothing = not one.scans and not any(kept)
            theirs = one.compared[table].theirs
            if theirs is not None and is_inferred(one, table):
                # What equalities say of the table is no condition that the answer knows.
                assert kept[1] in (wanted[1], len(theirs.files)), one.statement.sql
            else:
                assert is_nothing or kept == wanted, one.statement.sql


def test_deletes_by_metadata_are_no_scans(judged: Judged) -> None:
    """They are those whose condition partitioning answers, and no others."""
    by_metadata = [one for one in judged.ran if one.is_by_metadata]
    for one in by_metadata:
        assert one.scans == {}
        for rows in (judged.events[one.query_id], judged.io_plans[one.query_id]):
            assert [row["outcome"] for row in rows.values()] == ["not_scanned"], one.statement.sql
    for one in judged.ran:
        if one.statement.kind in ("delete", "delete partitions"):
            (scan,) = one.compared.values()
            is_enforced = scan.pushed is None or all(
                said["class"] == ENFORCED for said in scan.answer["conjuncts"]
            )
            is_known = is_enforced == one.is_by_metadata
            assert is_known or explanations(scan, Kind.CLASS), one.statement.sql


def test_audits_of_their_io_plans_keep_what_is_read(judged: Judged) -> None:
    for one, table in judged.scans():
        scan = one.compared[table]
        row = judged.io_plans.get(one.query_id, {}).get(table)
        if scan.theirs is None:
            assert row is None, one.statement.sql
            continue
        assert row is not None, one.statement.sql
        more = (row["data_files_kept"] or 0) - len(scan.theirs.files)
        if more > 0 and not any(known.explains(one, table) for known in IO_PLANS):
            assert Kind.MORE in kinds(scan), one.statement.sql
        if more < 0:
            assert Kind.FEWER in kinds(scan), one.statement.sql


def test_running_statements_read_what_is_planned(judged: Judged) -> None:
    """Or less, where a join makes dynamic filters. Files that are left out by a condition that is
    not pushed are counted."""
    for one, table in judged.scans():
        read, scan = counted(one.event, table), one.compared[table]
        if scan.theirs is None:
            assert read is None, one.statement.sql
            continue
        planned = {len(scan.theirs.files)}
        if Kind.MORE in kinds(scan) and not scan.domains:
            planned.add(scan.answer["data_files"]["kept"])
        if len(one.compared) == 1:
            assert read in planned, one.statement.sql
        elif read is not None:
            assert read <= max(planned), one.statement.sql


def test_every_difference_of_statements_is_needed(judged: Judged) -> None:
    """For some scan that nothing else explains."""
    scans = list(judged.scans())
    needed = {
        known[0]
        for one, table in scans
        for kind in kinds(one.compared[table])
        if not explanations(one.compared[table], kind)
        and len(known := joins(one, table, kind)) == 1
    }
    assert needed == set(JOINS)
    more = [
        (one, table)
        for one, table in scans
        if (scan := one.compared[table].theirs) is not None
        and (judged.io_plans[one.query_id][table]["data_files_kept"] or 0) > len(scan.files)
        and one.compared[table].is_equal
    ]
    assert all(any(known.explains(*scan) for scan in more) for known in IO_PLANS)


@pytest.fixture(scope="module")
def dynamic(trino: Trino, tables: Sequence[TableCase]) -> Sequence[Joined]:
    assert {"plain", *JOINED} <= {case.name for case in tables}
    return list(joined(trino))


def test_dynamic_filters_rule_out_what_the_values_that_they_hold_do(
    trino: Trino, dynamic: Sequence[Joined], tmp_path: Path
) -> None:
    events = [one.event for one in dynamic]
    audits = audited(trino, "trino_events", events, tmp_path, (SOURCE, *JOINED))
    for one in dynamic:
        read, row = counted(one.event, one.table), audits[one.query_id][one.table]
        assert read == one.compared.answer["data_files"]["kept"], one.sql
        assert not read or "n IN dynamic filter" in row["predicate"], one.sql
        is_all = read == row["data_files_kept"]
        assert row["agreement"] == ("agrees" if is_all else "dynamic_filter"), one.sql
    assert any(0 < (counted(one.event, one.table) or 0) < 4 for one in dynamic)


def test_the_range_that_a_join_is_advised_keeps_the_files_that_it_says(trino: Trino) -> None:
    """And the join is the same with it. Its dynamic filter leaves the same files."""
    advised_joins.create(trino)
    found = advised_joins.advised_join(trino)
    rows, files = advised_joins.DAYS * advised_joins.EACH, advised_joins.DAYS

    (join,) = found.beyond.joins
    (dynamic,) = found.beyond.filters
    assert (dynamic.columns, dynamic.planned, dynamic.left) == (("d",), rows, rows // 4)
    assert dynamic.read == dynamic.left
    hint = join_hints(advised_joins.FACTS, join, literals=True)["trino"].statement
    condition = hint.partition(" WHERE … AND ")[2]
    (scan,) = trino.scans(f"SELECT * FROM facts t WHERE {condition}")
    assert len(scan.files) == files // 4
    sizes = [
        int(size)
        for path, size in trino.run('SELECT file_path, file_size_in_bytes FROM "facts$files"')
        if path in scan.files
    ]
    assert sum(sizes) == join.then < join.now
    assert trino.run(f"{advised_joins.TOTAL} AND {condition}") == [[found.total]]


@pytest.fixture(scope="module")
def row_groups_read(trino: Trino, tables: Sequence[TableCase]) -> Sequence[Read]:
    assert SOURCE in {case.name for case in tables}
    row_groups.create(trino)
    return list(reads(trino, seeded("reading row groups"), _READS))


def test_its_reader_reads_the_row_groups_that_are_kept(row_groups_read: Sequence[Read]) -> None:
    """Fewer, where something is excluded, or a column is compared twice: it asks dictionaries for
    all that is said of a column at once."""
    assert any(0 < one.kept == one.row_groups < ROW_GROUPS for one in row_groups_read)
    assert [
        f"{one.compared.condition.sql}: reads {one.row_groups}, {one.kept} are kept"
        for one in row_groups_read
        if one.row_groups > one.kept
        or (one.row_groups < one.kept and not _TOLD_AT_ONCE.search(one.compared.condition.sql))
    ] == []


def test_it_finds_no_texts_beyond_the_bound_that_its_writer_gives_a_file(
    trino: Trino, tables: Sequence[TableCase]
) -> None:
    """Where one of several row groups has texts of which no bound can be made greater."""
    assert SOURCE in {case.name for case in tables}
    by_bounds, computed = row_groups.lost(trino)
    assert by_bounds < computed


def test_its_events_are_test_material(
    ran: Sequence[Queried], judged: Judged, dynamic: Sequence[Joined]
) -> None:
    always = [one.event for one in judged.ran if one.statement in ALWAYS]
    events = [json.loads(one.event) for one in ran] + always + [one.event for one in dynamic]
    if page.IS_WRITTEN:
        material.write(list(map(json.dumps, events)))
    assert material.kept() == [event["metadata"]["query"] for event in events]


def test_the_page_on_engines_tells_what_was_measured(
    trino: Trino, tables: Sequence[TableCase]
) -> None:
    assert set(forms.TABLES) <= {case.name for case in tables}
    page.check(f"Trino {VERSION}", forms.measured(trino))


def test_runs_the_statements_that_findings_recommend(trino: Trino) -> None:
    table = recommendations.create(trino, recommendations.NAME, 'bucket("the key", 4)')
    for statement in recommendations.of_findings(trino, table):
        trino.run(statement)
    assert trino.run(recommendations.CONTENT) == [["2", "2"]]
