"""How many queries a second one core reads: from SQL text to one predicate per table scan.

Run `python -m tests.benchmarks.bench_queries`. Eight shapes, from a filter on one table to common
table expressions under a union, are read in one process in three ways: texts of which each has a
template of its own, texts that differ in random literals alone, and queries that repeat one of 100
texts. Rates are per second of CPU, as other work may share the core, with the cycle collector as a
night has it."""

from __future__ import annotations

import argparse
import datetime as dt
import random
import time
from collections.abc import Iterator, Sequence

import numpy as np

from prunescope.audit_jobs.planning.collection import collected_seldom
from prunescope.audit_jobs.workload.queries import ScanFinder, name_tables
from prunescope.collectors.observed import ObservedQuery, TableName
from tests.benchmarks.table import heading, show

COLUMNS = {
    TableName("lake", ("sales",), "orders"): (
        "order_id", "customer_id", "order_ts", "order_date", "status", "region", "amount",
    ),
    TableName("lake", ("sales",), "customers"): ("customer_id", "segment", "country", "joined"),
    TableName("lake", ("sales",), "items"): ("order_id", "item_id", "shipped", "quantity"),
}  # fmt: skip

SHAPES = (
    "SELECT count(*) FROM orders WHERE order_date = DATE '{day}' AND status = 's{n}'",
    (
        "SELECT region, sum(amount) FROM orders WHERE order_ts >= TIMESTAMP '{day} 00:00:00'"
        " AND order_ts < TIMESTAMP '{day} 12:30:00' AND amount > {n}.5 GROUP BY region"
    ),
    (
        "SELECT * FROM orders o JOIN customers c ON o.customer_id = c.customer_id"
        " WHERE c.country IN ('A{n}', 'B{n}') AND CAST(o.order_ts AS DATE) = DATE '{day}'"
    ),
    (
        "WITH recent AS (SELECT * FROM orders WHERE order_date > DATE '{day}')"
        " SELECT status, count(*) FROM recent WHERE customer_id = {n} GROUP BY status"
        " UNION ALL SELECT status, count(*) FROM recent WHERE region = 'r{n}' GROUP BY status"
    ),
    "SELECT * FROM orders WHERE (region = 'a' AND amount > {n}) OR (region = 'b' AND amount < {n})",
    (
        "SELECT c.segment, sum(i.quantity) FROM customers c, orders o, items i"
        " WHERE c.customer_id = o.customer_id AND o.order_id = i.order_id"
        " AND i.shipped BETWEEN DATE '{day}' AND DATE '2024-12-31' AND c.segment = 'S{n}'"
        " GROUP BY 1 HAVING sum(i.quantity) > {n} ORDER BY 2 DESC LIMIT 10"
    ),
    (
        "SELECT * FROM orders WHERE year(order_ts) = 2024 AND status LIKE 's{n}%'"
        " AND customer_id IN (SELECT customer_id FROM customers WHERE joined < DATE '{day}')"
    ),
    (
        "SELECT o.* FROM orders o LEFT JOIN items i ON i.order_id = o.order_id AND i.quantity > {n}"
        " WHERE o.order_id BETWEEN {n} AND {n} + 1000 AND i.shipped IS NOT NULL"
    ),
)


def known(count: int) -> Iterator[str]:
    """Texts of all shapes in turn, with random literals."""
    rng = random.Random(7)  # noqa: S311  # literals, no keys
    first = dt.date(2015, 1, 1)
    for number in range(count):
        day = first + dt.timedelta(days=rng.randrange(3_600))
        yield SHAPES[number % len(SHAPES)].format(day=day, n=rng.randrange(1_000_000))


def new(count: int) -> Iterator[str]:
    """Texts of all shapes in turn, of which no two have one template: LIMIT is part of it."""
    for number, sql in enumerate(known(count)):
        yield f"{sql.removesuffix(' LIMIT 10')} LIMIT {number}"


def observed(sql: str) -> ObservedQuery:
    """The query of a Trino log, at a time of its own."""
    return ObservedQuery(
        source="bench",
        query_id="q",
        sql=sql,
        dialect="trino",
        started_at=dt.datetime(2024, 5, 1, tzinfo=dt.UTC),
        catalog="lake",
        schema="sales",
        engine="trino",
        engine_version="482",
        time_zone="UTC",
    )


def per_second(queries: Sequence[ObservedQuery]) -> float:
    """Queries read per second of CPU time; every one of them must have scans."""
    finder = ScanFinder(COLUMNS)
    started = time.process_time()
    for query in queries:
        assert name_tables(query).tables
        assert finder.find(query).scans
    return len(queries) / (time.process_time() - started)


def parse(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Those of the command line, or others."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--new", type=int, default=1_000)
    parser.add_argument("--known", type=int, default=10_000)
    parser.add_argument("--repeated", type=int, default=100_000)
    return parser.parse_args(given)


def run(arguments: argparse.Namespace) -> None:
    """Measures and prints."""
    per_second([observed(sql) for sql in known(2 * len(SHAPES))])  # imports, compiled patterns
    again = [observed(sql) for sql in known(100)]
    numbers = np.random.default_rng(7).integers(0, len(again), arguments.repeated).tolist()
    for what, reach, queries in (
        ("of new templates", "≥ 500", [observed(sql) for sql in new(arguments.new)]),
        ("of known templates", "≥ 5,000", [observed(sql) for sql in known(arguments.known)]),
        ("that repeat one of 100", "", [again[number] for number in numbers]),
    ):
        with collected_seldom():
            show(f"{len(queries):,} texts {what}, a second", per_second(queries), None, reach)


if __name__ == "__main__":
    heading()
    run(parse())
