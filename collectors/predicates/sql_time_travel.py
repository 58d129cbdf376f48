"""FOR VERSION AS OF, FOR TIMESTAMP AS OF, VERSION AS OF and TIMESTAMP AS OF; and versions in
Spark's names of tables."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from sqlglot import exp

from collectors.errors import QueryError
from collectors.predicates.sql_casts import to_timestamp
from collectors.predicates.sql_constants import literal
from collectors.predicates.sql_session import SPARK_FAMILY, Session
from collectors.predicates.sql_tables import version_in_name
from collectors.predicates.sql_values import CannotConvert, not_constant


@dataclass(frozen=True, slots=True)
class Version:
    """The version of a table that a query names: at most one of a snapshot id, a branch or tag,
    and a point in time in UTC."""

    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None


CURRENT = Version()
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def version_of(node: exp.Expr, session: Session) -> Version:
    """The version that a table reference names. Raises QueryError if it cannot be told: the
    current snapshot would be the wrong one."""
    clause = node.args.get("version")
    if clause is None and not node.args.get("when"):
        named = version_in_name(node) if isinstance(node, exp.Table) else None
        return CURRENT if named is None else _named_version(named)
    if isinstance(clause, exp.Version) and clause.text("kind").upper() == "AS OF":
        try:
            return _version(clause, session)
        except (CannotConvert, ValueError, OverflowError):
            pass
    raise QueryError(
        "the version of a table that the query travels to cannot be told from its text; "
        "give the start time and the time zone of the session with the query"
    )


def _named_version(named: re.Match[str]) -> Version:
    if named["ref"]:
        return Version(ref=named["ref"])
    if named["snapshot"]:
        return Version(snapshot_id=int(named["snapshot"]))
    return Version(as_of=_EPOCH + dt.timedelta(milliseconds=int(named["millis"][:15])))


def _version(clause: exp.Version, session: Session) -> Version:
    value = literal(clause.expression, session)
    if clause.name.upper() == "TIMESTAMP":
        moment = to_timestamp(value)
        nanos = moment.nanos if moment.zoned else session.instant_nanos(moment.nanos)
        return Version(as_of=_EPOCH + dt.timedelta(microseconds=nanos // 1_000))
    # In Spark a number in quotes is a snapshot id too (Iceberg 1.11, "Time travel").
    if isinstance(value, str) and not (session.dialect in SPARK_FAMILY and value.isdecimal()):
        return Version(ref=value)
    if isinstance(value, str | int) and not isinstance(value, bool):
        return Version(snapshot_id=int(value))
    raise not_constant()
