"""What to rewrite first, as JSON and as sentences."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from audit_jobs.advice.migrations import Migration, migration, unsplit
from audit_jobs.advice.minimal import Minimal
from audit_jobs.advice.model import Advice
from audit_jobs.advice.partition_ranges import condition, described
from audit_jobs.isolation import Failed
from audit_jobs.units import size
from collectors.observed import TableName


def minimal_document(table: TableName, advice: Advice, *, literals: bool) -> dict[str, Any] | None:
    """The curve, its knee, and what rewrites the partitions up to there; None where nothing is
    advised. Conditions hold values of rows: there are none without `literals`."""
    minimal = advice.minimal
    if advice.best is None:
        return None
    if not isinstance(minimal, Minimal):
        failed = asdict(minimal) if isinstance(minimal, Failed) else None
        return {"failed": failed, "sentences": list(minimal_sentences(advice))}
    knee = minimal.knee
    found = minimal_migration(table, advice, literals=literals)
    return {
        "curve": [asdict(point) for point in minimal.points],
        "knee": None if knee is None else asdict(knee),
        "bytes": minimal.bytes,
        "partitions": len(minimal.all_keys),
        "break_even_days": None if knee is None else advice.days_until(knee.bytes, knee.saved),
        "statements": None
        if found is None
        else {"spark": list(found.spark), "trino": list(found.trino)},
        "sentences": list(minimal_sentences(advice)),
    }


def minimal_migration(table: TableName, advice: Advice, *, literals: bool) -> Migration | None:
    """What gives the partitions that are worth it now the advised layout; None where there are
    none, or no condition tells them, or values of rows may not be shown."""
    minimal, best = advice.minimal, advice.best
    if not literals or best is None or not isinstance(minimal, Minimal) or minimal.knee is None:
        return None
    where = condition(minimal.terms, minimal.keys)
    if where is None:
        return None
    found = migration(table, advice.now.partition or (), best.candidate, where)
    # A condition of these partitions tells no files of older specs: Trino refuses it.
    return unsplit(replace(found, trino=()) if minimal.older_bytes else found)


def minimal_sentences(advice: Advice) -> tuple[str, ...]:
    """What to rewrite first, without values of rows; nothing where no layout is advised."""
    minimal = advice.minimal
    if advice.best is None:
        return ()
    if isinstance(minimal, Failed):
        return (f"What to rewrite first is not known: {minimal.code}: {minimal.message or ''}",)
    if minimal is None:
        why = (
            "is not partitioned" if not advice.now.partition else "has partitions of other columns"
        )
        return (f"The table {why}: no part of it can be rewritten first.",)
    knee = minimal.knee
    if knee is None:
        alike = "All partitions count alike: none of them is worth rewriting before the others."
        return (alike, *minimal.limits)
    most = max(point.saved for point in minimal.points)
    days = advice.days_until(knee.bytes, knee.saved)
    chosen = described(minimal.terms, minimal.keys, minimal.all_keys)
    sentences = [
        f"Worth rewriting now: {chosen}, {size(knee.bytes)} ({knee.bytes / minimal.bytes:.1%}).",
        f"That saves {size(knee.saved)} a scan, {knee.saved / most:.0%} of what can be saved"
        + ("." if days is None else f", and is outweighed after {days:,.1f} days."),
    ]
    if condition(minimal.terms, minimal.keys) is None:
        sentences.append(
            "No engine tells these partitions by a condition: they cannot be rewritten alone."
        )
    return (*sentences, *minimal.limits)
