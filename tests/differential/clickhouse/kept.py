"""What the product keeps of a table with a file for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prunescope.audit_jobs.planning.local import replay
from prunescope.audit_jobs.pruning.rules import FLOOR
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.sql.extraction.extract import condition
from tests.differential.clickhouse.tables import Lake


def kept_of(lake: Lake, asked: Sequence[str], zone: str | None) -> list[frozenset[int]]:
    """The `n` of the rows that are kept for conditions, in a session of a zone or one that is not
    known."""
    metadata = lake.table.metadata
    snapshot = metadata.current_snapshot()
    schema = metadata.schema(snapshot)
    types: Mapping[str, str] = schema.types
    scans = []
    for form in asked:
        unbound = condition(form, "clickhouse", time_zone=zone, types=types)
        bound = bind(unbound, schema, time_zone=zone, plain_are_moments=True)
        scans.append((bound, FLOOR))
    plans = replay(lake.table, snapshot, scans, list_files=True)
    return [frozenset(map(lake.number_of, plan.kept_files)) for plan in plans]
