"""Queries of a log as another planner would have planned them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prunescope.collectors.observed import ObservedQuery
from prunescope.collectors.sql.planners.profiles import Planner, planner_of


@dataclass(frozen=True, slots=True)
class PlannedBy:
    """An engine, its version and that of its Iceberg library, as a log names them, that plan the
    queries of `engine_of_log` in place of its own."""

    engine_of_log: str
    engine: str
    version: str
    iceberg: str

    @property
    def planner(self) -> Planner:
        """The planner."""
        planner = planner_of(self.engine, self.version, self.iceberg)
        assert planner is not None
        return planner

    def replanned(self, query: ObservedQuery) -> ObservedQuery:
        """The query, to be planned by this planner: from its text, without what its own engine
        pushed, found at run time or counted. Without a text, what its engine pushed stays."""
        own = planner_of(query.engine, query.engine_version)
        if own is None or own.engine != self.engine_of_log:
            return query
        named = replace(
            query,
            engine=self.engine,
            engine_version=self.version,
            iceberg_version=self.iceberg,
        )
        if query.sql is None:
            return named
        scans = tuple(
            replace(scan, pushed=None, counters={}, runtime=(), collected=())
            for scan in query.scans
        )
        return replace(named, scans=scans, plan_known=False)
