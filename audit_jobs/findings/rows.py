"""Findings as rows, in the shape that the audit table `findings` and JSON have, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from prunescope.audit_jobs.findings.model import Confidence, Example, Finding, Fix, Severity
from prunescope.collectors.observed import TableName

_DIGITS = 16
_EXAMPLE = "example_"
_OF_EXAMPLES = tuple(each.name for each in fields(Example))


def keyed(findings: Iterable[Finding]) -> Iterator[tuple[str, Finding]]:
    """Findings with a key each that is unique among them, and the same in every run: a hash of
    cause, table, fingerprint, condition and columns. Where several share all of these, as
    queries of one text whose filters mean different things, the later ones are numbered.

    Where literals are kept, those of the condition are part of it.
    """
    seen: dict[str, int] = {}
    for finding in findings:
        identity = _identity(
            finding.cause,
            finding.table,
            finding.fingerprint,
            finding.conjunct,
            finding.columns,
        )
        number = seen[identity] = seen.get(identity, 0) + 1
        yield _hashed(identity if number == 1 else f"{identity}{number}"), finding


def first_key(
    cause: str,
    table: TableName,
    fingerprint: str | None,
    conjunct: str | None,
    columns: Iterable[str],
) -> str:
    """The key of the first of the findings that have all of this in common: the one that there is
    as long as there is any of them."""
    return _hashed(_identity(cause, table, fingerprint, conjunct, columns))


def shapes_of(row: Mapping[str, Any]) -> frozenset[str]:
    """The fingerprints of the queries that a row of an audit table names."""
    if row["fingerprint"] is not None:
        return frozenset({row["fingerprint"]})
    return frozenset(filter(None, json.loads(row["evidence"] or "{}").get("fingerprints", ())))


def _identity(
    cause: str,
    table: TableName,
    fingerprint: str | None,
    conjunct: str | None,
    columns: Iterable[str],
) -> str:
    return json.dumps([cause, str(table), fingerprint, conjunct, *columns])


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def finding_row(key: str, rank: int, finding: Finding) -> dict[str, Any]:
    """A finding as a row; `rank` is its place in the run, from 1. `evidence` stays a mapping."""
    return {
        "finding_key": key,
        "rank": rank,
        "cause": finding.cause,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "catalog": finding.table.catalog,
        "namespace": ".".join(finding.table.namespace),
        "table": finding.table.table,
        "fingerprint": finding.fingerprint,
        "conjunct": finding.conjunct,
        "columns": list(finding.columns),
        "lost_at": finding.lost_at,
        "sentence": finding.sentence,
        "scans": finding.scans,
        "bytes_read": finding.bytes_read,
        "bytes_at_stake": finding.bytes_at_stake,
        "evidence": dict(finding.evidence),
        "step": finding.fix.step,
        "fix_spark": list(finding.fix.spark),
        "fix_trino": list(finding.fix.trino),
        "rewrite": finding.fix.rewrite,
        "advice": finding.fix.advice,
        "documentation": finding.documentation,
        "suppressed": finding.suppressed,
        **{f"{_EXAMPLE}{name}": getattr(finding.example, name, None) for name in _OF_EXAMPLES},
    }


def finding_of(row: Mapping[str, Any]) -> Finding:
    """The finding of a row."""
    return Finding(
        cause=row["cause"],
        severity=Severity(row["severity"]),
        confidence=Confidence(row["confidence"]),
        table=TableName(row["catalog"], tuple(row["namespace"].split(".")), row["table"]),
        sentence=row["sentence"],
        scans=row["scans"],
        bytes_read=row["bytes_read"],
        bytes_at_stake=row["bytes_at_stake"],
        fix=Fix(
            spark=tuple(row["fix_spark"]),
            trino=tuple(row["fix_trino"]),
            rewrite=row["rewrite"],
            advice=row["advice"],
            step=row.get("step"),
        ),
        fingerprint=row["fingerprint"],
        conjunct=row["conjunct"],
        columns=tuple(row["columns"]),
        lost_at=row["lost_at"],
        suppressed=row["suppressed"],
        evidence=row["evidence"],
        example=_example(row),
    )


def _example(row: Mapping[str, Any]) -> Example | None:
    """Example of a row; None if an older version wrote the row without one."""
    told: dict[str, Any] = {name: row.get(f"{_EXAMPLE}{name}") for name in _OF_EXAMPLES}
    return None if told["source"] is None else Example(**told)
