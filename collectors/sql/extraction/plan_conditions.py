"""Conditions that Spark checks on the rows of a scan, as its plans print them, as predicates."""

from __future__ import annotations

from collections.abc import Sequence

from prunescope.collectors.errors import QueryError
from prunescope.collectors.predicates.bind import bind
from prunescope.collectors.predicates.model import TRUE, Predicate
from prunescope.collectors.schema import Schema
from prunescope.collectors.sql.catalyst.conditions import as_sql, unread_sql
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.extraction.extract import condition

_DIALECT = "spark"


def parse_plan_conditions(
    conditions: Sequence[str], schema: Schema, time_zone: str | None
) -> Predicate:
    """The bound predicate that conditions of Filter nodes on one scan stand for together, with the
    session's time zone. What has no meaning for columns, or more than one, is `Unsupported` with
    the columns that stand in it. Raises nothing."""
    if not conditions:
        return TRUE
    session = Session(_DIALECT, None, time_zone)
    # Some say more beside others: the month beside the year.
    texts = [as_sql(text, schema, session) for text in conditions]
    types = schema.types
    try:
        found = condition(" AND ".join(texts), _DIALECT, time_zone=time_zone, types=types)
    except QueryError:
        unread = " AND ".join(unread_sql(text, schema) for text in conditions)
        found = condition(unread, _DIALECT, time_zone=time_zone)
    return bind(found, schema, time_zone=time_zone)
