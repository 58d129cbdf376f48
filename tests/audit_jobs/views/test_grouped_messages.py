"""Messages that say the same of many are told once."""

from __future__ import annotations

from prunescope.audit_jobs.views.grouped_messages import alike


def refused(table: str, place: str, why: str = "ACCESS_DENIED") -> tuple[str, str]:
    return table, f"opening {table}: the metadata file cannot be read: {place}/v1.json: {why}"


def test_messages_that_differ_in_names_and_locations_alone_are_one() -> None:
    told = [
        refused("lake.a", "s3://lake/a"),
        refused("lake.b", "s3://lake/b"),
        refused("lake.c", "/data/c", why="there is no such file"),
        refused("lake.d", "s3a://lake/d"),
        ("lake.e", "it has no snapshot"),
        ("lake.f", "it has no snapshot"),
        ("lake.g", "column a/b is missing"),
        ("lake.h", "column a/c is missing"),
    ]
    assert list(alike(told)) == [
        ("lake.a and 2 more", told[0][1]),
        told[2],
        ("lake.e and 1 more", "it has no snapshot"),
        told[6],
        told[7],
    ]
