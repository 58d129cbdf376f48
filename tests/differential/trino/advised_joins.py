"""A join of facts with a dimension, and what is advised of it."""

from __future__ import annotations

from dataclasses import dataclass

from prunescope.audit_jobs.advice.beyond_filters import Beyond
from prunescope.audit_jobs.jobs.advise import scans_of
from prunescope.audit_jobs.jobs.beyond_filters import BeyondOf, beyond_of
from prunescope.audit_jobs.jobs.tables import Tables
from prunescope.audit_jobs.workload.queries import name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from prunescope.collectors.queries.trino import events
from prunescope.collectors.tables.catalog import Table
from tests.backtest.lake import config
from tests.differential.trino.engine import Trino

DAYS, EACH = 8, 50
FACTS = TableName("lake", ("db",), "facts")
TOTAL = "SELECT sum(t.v) FROM facts t JOIN dims s ON t.d = s.d WHERE s.region = 'north'"
"""Asks for two days, which only the dimension tells."""


@dataclass(frozen=True)
class AdvisedJoin:
    """The facts, what a run of TOTAL could skip of them, and its result."""

    facts: Table
    beyond: Beyond
    total: str


def create(trino: Trino) -> None:
    """Facts by day, and a file of days for each region."""
    trino.run("CREATE TABLE facts (d date, v bigint) WITH (partitioning = ARRAY['d'])")
    trino.run(
        "INSERT INTO facts SELECT date_add('day', n / 50, DATE '2026-01-01'), n "
        f"FROM UNNEST(sequence(0, {DAYS * EACH - 1})) AS s(n)"
    )
    trino.run("CREATE TABLE dims (d date, region varchar)")
    for region, days in (("north", (2, 3)), ("south", (0, 1, 4, 5, 6, 7))):
        rows = ", ".join(f"(DATE '2026-01-0{day + 1}', '{region}')" for day in days)
        trino.run(f"INSERT INTO dims VALUES {rows}")


def advised_join(trino: Trino) -> AdvisedJoin:
    """What the event of a run says."""
    query = events.from_json(trino.event(TOTAL), "here")
    assert isinstance(query, ObservedQuery)
    ((total,),) = trino.run(TOTAL)
    tables = {table.name: table for table in map(trino.open, ("facts", "dims"))}
    asked = BeyondOf(tables)
    scans_of(Tables(tables), [name_tables(query)], config(), asked)
    return AdvisedJoin(tables[FACTS], beyond_of(tables, FACTS, asked.asked[FACTS]), total)
