"""Withholding the rows of single tables from a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from audit_jobs.records import REPLAYED, AuditResult, ScanRecord
from collectors.queries.observed import TableName

SET_ASIDE = "set_aside"
"""The outcome of a scan of a table whose rows are withheld."""


def set_aside(result: AuditResult, tables: Mapping[TableName, str]) -> AuditResult:
    """The result without what it found of some tables, each with a message that says why. Their
    queries keep a row, with the outcome SET_ASIDE, so that every input still has one outcome."""
    if not tables:
        return result
    stripped = [_stripped(scan, tables) for scan in result.scans]
    withheld = {input_of(scan.scan_key) for scan in stripped if scan.outcome == SET_ASIDE}
    moved = {
        input_of(scan.scan_key)
        for scan in stripped
        if scan.query_outcome == REPLAYED and input_of(scan.scan_key) in withheld
    }
    scans = [
        replace(scan, query_outcome=SET_ASIDE) if input_of(scan.scan_key) in moved else scan
        for scan in stripped
    ]
    queries = Counter(result.run.queries)
    queries.subtract({REPLAYED: len(moved)})
    queries.update({SET_ASIDE: len(moved)})
    run = replace(
        result.run,
        status="partial",
        queries={outcome: count for outcome, count in queries.items() if count},
        tables=len({scan.table for scan in scans if scan.outcome == REPLAYED}),
        tables_set_aside={
            **result.run.tables_set_aside,
            **{str(name): message for name, message in tables.items()},
        },
    )
    return replace(
        result,
        run=run,
        scans=tuple(scans),
        health=tuple(health for health in result.health if health.table not in tables),
        findings=tuple(found for found in result.findings if found.table not in tables),
    )


def input_of(scan_key: str) -> str:
    """The input of a row: queries have a row per scan (`12/0`), other inputs one."""
    number, _, _ = scan_key.partition("/")
    return number if number.isdecimal() else scan_key


def _stripped(scan: ScanRecord, tables: Mapping[TableName, str]) -> ScanRecord:
    if scan.table is None or scan.table not in tables:
        return scan
    failed = scan.outcome != REPLAYED
    return replace(
        scan,
        outcome=scan.outcome if failed else SET_ASIDE,
        message=scan.message if failed else tables[scan.table],
        predicate=None,
        pushed=None,
        conjuncts=(),
        summary=None,
        potential=None,
        observed=None,
        agreement=None,
        matching=None,
    )
