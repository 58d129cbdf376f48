"""Queries of a log, as questions to a table."""

from __future__ import annotations

import datetime as dt

from prunescope.audit_jobs.config import AuditConfig
from prunescope.audit_jobs.jobs.audit import read_inputs
from prunescope.audit_jobs.jobs.questions import Question
from prunescope.audit_jobs.planning.runner import LocalRunner
from prunescope.audit_jobs.records import Window
from prunescope.audit_jobs.workload.inputs import QUERY
from prunescope.audit_jobs.workload.queries import NamedTables
from prunescope.collectors.errors import PrunescopeError
from prunescope.collectors.sql.planners.profiles import Planner, planner_of

_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


class ShapeNotLogged(PrunescopeError):
    """No query of a window has a shape."""

    code = "shape_not_logged"


def newest_of_shape(
    config: AuditConfig, window: Window, fingerprint: str
) -> tuple[Question, Planner | None]:
    """The newest query of a shape in the logs of a window, with its literals, and its engine's
    planner. Raises ShapeNotLogged."""
    runner = LocalRunner()
    found = read_inputs(config, window, runner).items.found(QUERY)
    queries: list[NamedTables] = found.get(QUERY, [])
    known = [named.query for named in queries if named.fingerprint == fingerprint]
    texts = [query for query in known if query.sql is not None]
    if not texts:
        raise ShapeNotLogged(
            f"No query of the logs has the fingerprint {fingerprint} from {window.start} to "
            f"{window.end}. Take one that `prunescope findings` lists, and its window."
        )
    query = max(texts, key=lambda one: one.started_at or _NEVER)
    planner = planner_of(query.engine, query.engine_version, query.iceberg_version)
    zone = query.time_zone or "UTC"
    return Question(query.query_id, None, query.sql, query.dialect, zone), planner
