"""Advice on manifests as JSON, in sentences, and as statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from audit_jobs.advice.manifests import Manifests
from audit_jobs.advice.migrations import Migration
from audit_jobs.findings.statements import spark_call, trino_execute
from audit_jobs.isolation import Failed
from audit_jobs.units import size
from collectors.observed import TableName


def manifest_document(found: Manifests | Failed | None) -> dict[str, Any] | None:
    """What planning opens, and in which order manifests should be; None where that is not asked."""
    if isinstance(found, Failed):
        return {"failed": asdict(found)}
    return None if found is None else asdict(found)


def manifest_sentences(found: Manifests | Failed | None) -> Iterator[str]:
    """The same for a terminal, where there is something to do."""
    if isinstance(found, Failed):
        yield f"Manifests: {found.code}: {found.message or ''}"
    elif found is not None and found.then is not None and found.by is not None:
        yield (
            f"Planning a scan opens {found.now.manifests:,.1f} of {found.count:,} manifests "
            f"({size(found.now.bytes.value)}); in the order of {', '.join(found.by)} it would "
            f"open {found.then.manifests:,.1f} ({size(found.then.bytes.value)}). Only metadata is "
            "written anew."
        )


def manifest_migration(table: TableName, found: Manifests | Failed | None) -> Migration | None:
    """What writes manifests anew; None where they stay. Trino goes by the first field of the spec,
    Spark by all of them, or those that it is given."""
    if found is None or isinstance(found, Failed) or found.by is None:
        return None
    if found.by_spec:
        spark = spark_call(table, "rewrite_manifests")
        return Migration((spark,), (trino_execute(table, "optimize_manifests"),), ())
    spark = spark_call(table, "rewrite_manifests", sort_by=found.by)
    return Migration((spark,), (), (_OF_SORT_BY,))


_OF_SORT_BY = (
    "sort_by of rewrite_manifests needs an Iceberg newer than 1.11; Trino has no such order."
)
