"""Versions of tables that references name."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from sqlglot import exp

from prunescope.collectors.errors import QueryError
from prunescope.collectors.predicates.calendar import EPOCH_UTC, NANOS_PER_SECOND
from prunescope.collectors.predicates.literals import Timestamp
from prunescope.collectors.sql.constants.casts import to_timestamp
from prunescope.collectors.sql.constants.session import Session
from prunescope.collectors.sql.constants.values import CannotConvert, not_constant
from prunescope.collectors.sql.dialects import dialect_of
from prunescope.collectors.sql.functions.folding import literal

# SparkCatalog of Iceberg 1.9 and 1.11: `db.t.branch_audit`, where no such table exists.
_SELECTOR = re.compile(r"(at_timestamp_|snapshot_id_)(\d+)|(branch_|tag_)(.+)")
_NANOS_PER_MILLISECOND = 1_000_000


@dataclass(frozen=True, slots=True)
class Version:
    """The version of a table that a query names: at most one of a snapshot id, a branch or tag,
    and a point in time in UTC."""

    snapshot_id: int | None = None
    ref: str | None = None
    as_of: dt.datetime | None = None


CURRENT = Version()


def version_of(node: exp.Expr, selector: str, session: Session) -> Version:
    """The version that a table reference names, by a clause or by the `selector` in its name.

        FOR VERSION | TIMESTAMP AS OF (Trino, Athena)   VERSION | TIMESTAMP AS OF (Spark)
        AT (VERSION | TIMESTAMP => …) (DuckDB)          AT | BEFORE (TIMESTAMP | OFFSET => …)
        AT SNAPSHOT '…' (Dremio)                        (Snowflake)
        SETTINGS iceberg_snapshot_id | iceberg_timestamp_ms = … (ClickHouse), of the whole query

    Raises QueryError if it cannot be told: the current snapshot would be the wrong one.
    """
    clause = node.args.get("version") or node.args.get("when")
    try:
        match clause:
            case exp.Version() if clause.text("kind").upper() == "AS OF":
                return _version(clause.name.upper(), clause.args.get("expression"), session)
            case exp.HistoricalData():
                return _historical(clause, session)
            case None if not _has_version_in_alias(node):
                return _set(node) or _selected(selector)
    except (CannotConvert, ValueError, OverflowError):
        pass
    raise QueryError(
        "the version of a table that the query travels to cannot be told from its text; name a "
        "snapshot or a time, and give the start time and the time zone of the session with the "
        "query"
    )


def is_selector(name: str) -> bool:
    """True if the last part of a table's name may name a version of the table before it, as
    Iceberg's catalogs for Spark have it."""
    return _SELECTOR.fullmatch(name) is not None


def _selected(selector: str) -> Version:
    found = _SELECTOR.fullmatch(selector)
    if found is None:
        return CURRENT
    kind, number, _, ref = found.groups()
    if ref is not None:
        return Version(ref=ref)
    if kind == "snapshot_id_":
        return Version(snapshot_id=int(number))
    return _as_of(int(number) * _NANOS_PER_MILLISECOND)


def _set(node: exp.Expr) -> Version | None:
    """The version that the settings of a query around a table name."""
    query = node.find_ancestor(exp.Query)
    while query is not None:
        for setting in query.args.get("settings") or ():
            match setting:
                case exp.EQ(this=exp.Column() as column, expression=exp.Literal() as value):
                    if value.name == "0":  # as which both are unset
                        continue
                    if column.name == "iceberg_snapshot_id":
                        return Version(snapshot_id=int(value.name))
                    if column.name == "iceberg_timestamp_ms":
                        return _as_of(int(value.name) * _NANOS_PER_MILLISECOND)
        query = query.find_ancestor(exp.Query)
    return None


def _version(kind: str, value: exp.Expr | None, session: Session) -> Version:
    if value is None:  # FOR VERSION AS OF, and nothing after it
        raise not_constant()
    found = literal(value, session)
    if kind == "TIMESTAMP":
        if isinstance(found, int) and dialect_of(session.dialect).selects_by_name:
            return _as_of(found * NANOS_PER_SECOND)
        return _as_of(_instant(to_timestamp(found), session))
    if kind == "VERSION":
        if isinstance(found, str) and not (
            dialect_of(session.dialect).quotes_snapshot_ids and found.isdecimal()
        ):
            return Version(ref=found)
        if isinstance(found, str | int) and not isinstance(found, bool):
            return Version(snapshot_id=int(found))
    raise not_constant()


def _historical(clause: exp.HistoricalData, session: Session) -> Version:
    kind = clause.text("kind").upper()
    if kind == "OFFSET":
        seconds = literal(clause.expression, session)
        if not isinstance(seconds, int) or isinstance(seconds, bool):
            raise not_constant()
        nanos = session.now.nanos + seconds * NANOS_PER_SECOND
    elif kind == "TIMESTAMP":
        nanos = _instant(to_timestamp(literal(clause.expression, session)), session)
    else:
        return _version(kind, clause.expression, session)
    is_before = clause.name.upper() == "BEFORE"
    return _as_of(nanos - is_before)


def _instant(moment: Timestamp, session: Session) -> int:
    return moment.nanos if moment.zoned else session.instant_nanos(moment.nanos)


def _as_of(nanos: int) -> Version:
    return Version(as_of=EPOCH_UTC + dt.timedelta(microseconds=nanos // 1_000))


def _has_version_in_alias(node: exp.Expr) -> bool:
    """`t@v12` and `t@20240101000000000`: Databricks' versions are not Iceberg's snapshots."""
    alias = node.args.get("alias")
    return isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Parameter)
