"""How many queries a second one core reads: from SQL text to one predicate per table scan.

Run `make bench`. The same queries are read twice in one process: 2,000 distinct texts (eight
shapes, from a filter on one table to common table expressions under a union, with literals of
their own), then 100,000 queries of which each repeats one of 100 of these texts.
"""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator, Sequence

import click
import numpy as np

from audit_jobs.replay.queries import ScanFinder, name_tables
from collectors.queries.observed import ObservedQuery, TableName

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


def texts(count: int) -> Iterator[str]:
    """Distinct texts of all shapes in turn."""
    first = dt.date(2024, 1, 1)
    for number in range(count):
        day = first + dt.timedelta(days=number % 360)
        yield SHAPES[number % len(SHAPES)].format(day=day, n=number)


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
    """Queries read per second of wall time; every one of them must have scans."""
    finder = ScanFinder(COLUMNS)
    started = time.perf_counter()
    for query in queries:
        assert name_tables(query).tables
        assert finder.find(query).scans
    return len(queries) / (time.perf_counter() - started)


@click.command()
@click.option("--distinct", default=2_000, show_default=True)
@click.option("--repeated", default=100_000, show_default=True)
def main(distinct: int, repeated: int) -> None:
    """Prints both rates."""
    per_second([observed(sql) for sql in texts(len(SHAPES))])  # imports, compiled patterns
    different = [observed(sql) for sql in texts(distinct)]
    few = different[:100]
    numbers = np.random.default_rng(7).integers(0, len(few), repeated).tolist()
    again = [observed(few[number].sql or "") for number in numbers]
    click.echo(f"{distinct:,} distinct texts: {per_second(different):,.0f} queries/s")
    click.echo(f"{repeated:,} queries of {len(few)} texts: {per_second(again):,.0f} queries/s")


if __name__ == "__main__":
    main()
