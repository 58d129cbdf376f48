"""The shapes of the demo's queries: good ones, and the faults that audits find most often.

`sql` and `pushed` have placeholders, for which `prunescope.audit_jobs.demo.queries` draws values.
"""

from __future__ import annotations

from dataclasses import dataclass

ORDERS, CUSTOMERS = "sales.orders", "sales.customers"
EVENTS, SESSIONS = "web.events", "web.sessions"


@dataclass(frozen=True, slots=True)
class DemoShape:
    """A shape that `count` queries have. `reads` maps each table that is read to the filter
    (in PyIceberg's syntax) that the engine pushes down to it, None for none."""

    name: str
    count: int
    sql: str
    reads: tuple[tuple[str, str | None], ...]


_DAY_PUSHED = "order_ts >= '{day}T00:00:00+00:00' and order_ts < '{day_after}T00:00:00+00:00'"
_SESSIONS_PUSHED = (
    "country = '{country}' and started_at >= '{day}T00:00:00+00:00' "
    "and started_at < '{day_after}T00:00:00+00:00'"
)

TRINO = (
    DemoShape(
        "orders of a day",
        18,
        "SELECT status, count(*), sum(amount) FROM sales.orders "
        "WHERE order_ts >= TIMESTAMP '{day} 00:00:00 UTC' "
        "AND order_ts < TIMESTAMP '{day_after} 00:00:00 UTC' GROUP BY status",
        ((ORDERS, _DAY_PUSHED),),
    ),
    DemoShape(
        "orders of a customer on a day",
        10,
        "SELECT * FROM sales.orders WHERE order_ts >= TIMESTAMP '{day} 00:00:00 UTC' "
        "AND order_ts < TIMESTAMP '{day_after} 00:00:00 UTC' AND customer_id = {customer}",
        ((ORDERS, _DAY_PUSHED + " and customer_id = {customer}"),),
    ),
    DemoShape(
        "orders of a customer",
        8,
        "SELECT * FROM sales.orders WHERE customer_id = {customer} ORDER BY order_ts DESC LIMIT 20",
        ((ORDERS, "customer_id = {customer}"),),
    ),
    DemoShape(
        "functions on the partition column",
        8,
        "SELECT sum(amount) FROM sales.orders "
        "WHERE hour(order_ts) = {hour} AND day_of_week(order_ts) = 1",
        ((ORDERS, None),),
    ),
    DemoShape(
        "year and month of the partition column",
        6,
        "SELECT country, sum(amount) FROM sales.orders "
        "WHERE year(order_ts) = 2024 AND month(order_ts) = 4 GROUP BY country",
        ((ORDERS, None),),
    ),
    DemoShape(
        "formatted partition column",
        8,
        "SELECT count(*) FROM sales.orders WHERE date_format(order_ts, '%Y-%m-%d') = '{day}'",
        ((ORDERS, None),),
    ),
    DemoShape(
        "a long IN list",
        3,
        "SELECT customer_id, sum(amount) FROM sales.orders "
        "WHERE customer_id IN ({customers}) GROUP BY customer_id",
        ((ORDERS, None),),
    ),
    DemoShape(
        "OR across columns",
        4,
        "SELECT * FROM sales.orders WHERE customer_id = {customer} OR status = 'RETURNED'",
        ((ORDERS, "customer_id = {customer} or status = 'RETURNED'"),),
    ),
    DemoShape(
        "only a join restricts",
        4,
        "SELECT c.name, sum(o.amount) FROM sales.orders o JOIN sales.customers c "
        "ON o.customer_id = c.customer_id WHERE c.signup_date = DATE '2020-02-{date}' "
        "GROUP BY c.name",
        ((ORDERS, None), (CUSTOMERS, "signup_date = '2020-02-{date}'")),
    ),
    DemoShape(
        "a customer of a bucketed table",
        8,
        "SELECT name, email FROM sales.customers WHERE customer_id = {customer}",
        ((CUSTOMERS, "customer_id = {customer}"),),
    ),
    DemoShape(
        "a range of a bucketed column",
        5,
        "SELECT count(*) FROM sales.customers "
        "WHERE customer_id BETWEEN {customer} AND {customer} + 100",
        ((CUSTOMERS, "customer_id >= {customer} and customer_id <= {customer_after}"),),
    ),
    DemoShape(
        "a suffix pattern",
        5,
        "SELECT count(*) FROM sales.customers WHERE email LIKE '%@example.org'",
        ((CUSTOMERS, None),),
    ),
    DemoShape(
        "an unsorted column",
        8,
        "SELECT kind, count(*) FROM web.events WHERE user_id = {customer} GROUP BY kind",
        ((EVENTS, "user_id = {customer}"),),
    ),
    DemoShape(
        "not equal",
        4,
        "SELECT count(*) FROM web.events WHERE kind != 'view'",
        ((EVENTS, "kind != 'view'"),),
    ),
    DemoShape(
        "sessions of a country on a day",
        8,
        "SELECT avg(pages) FROM web.sessions WHERE country = '{country}' "
        "AND started_at >= TIMESTAMP '{day} 00:00:00 UTC' "
        "AND started_at < TIMESTAMP '{day_after} 00:00:00 UTC'",
        ((SESSIONS, _SESSIONS_PUSHED),),
    ),
)
"""Queries that Trino ran; its event log also holds what `queries` adds to it."""

SPARK = (
    DemoShape(
        "orders of a day",
        8,
        "SELECT * FROM lake.sales.orders WHERE order_ts >= TIMESTAMP '{day} 00:00:00' "
        "AND order_ts < TIMESTAMP '{day_after} 00:00:00'",
        (),
    ),
    DemoShape(
        "sessions of a country",
        5,
        "SELECT user_id, sum(pages) FROM lake.web.sessions WHERE country IN ('{country}', 'PT') "
        "GROUP BY user_id",
        (),
    ),
    DemoShape(
        "broken SQL",
        2,
        "SELECT customer_id, FROM lake.sales.orders WHERE (order_ts > '{day}'",
        (),
    ),
    DemoShape(
        "a table that does not exist",
        2,
        "SELECT * FROM lake.sales.refunds WHERE customer_id = {customer}",
        (),
    ),
)
"""Queries that Spark ran, recorded as text only."""
