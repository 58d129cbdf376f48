"""Statements, and the columns of `lake.orders` that each changes in rows that were there before.

Written from the documentation of the engines, before the code was. `*` stands for every column of the table.
"""

from __future__ import annotations

COLUMNS = ("id", "state", "is_current", "amount", "day", "address")

UNCHANGED: frozenset[str] = frozenset()


def _all_but(*kept: str) -> frozenset[str]:
    return frozenset(COLUMNS) - frozenset(kept)


CHANGING: tuple[tuple[str, str, frozenset[str]], ...] = (
    # UPDATE
    ("spark", "UPDATE lake.orders SET state = 'done' WHERE id = 7", frozenset({"state"})),
    ("spark", "UPDATE lake.orders AS o SET o.state = 'done', o.amount = o.amount + 1", frozenset({"state", "amount"})),
    ("spark", "UPDATE lake.orders SET state = state, amount = 0 WHERE day < DATE '2024-01-01'", frozenset({"amount"})),
    ("spark", "UPDATE lake.orders o SET o.address.city = 'Bern' WHERE o.id = 3", frozenset({"address"})),
    ("spark", "UPDATE lake.orders SET State = UPPER(state)", frozenset({"state"})),
    ("trino", "UPDATE lake.orders SET state = 'done', is_current = false WHERE id IN (1, 2)", frozenset({"state", "is_current"})),
    ("trino", 'UPDATE lake.orders SET "state" = (SELECT max(s.state) FROM lake.staged s WHERE s.id = 1)', frozenset({"state"})),
    ("trino", "UPDATE lake.orders SET amount = amount * 2", frozenset({"amount"})),
    ("bigquery", "UPDATE lake.orders o SET o.state = s.state FROM lake.staged s WHERE o.id = s.id", frozenset({"state"})),
    ("bigquery", "UPDATE lake.orders o SET o.id = s.id, o.amount = s.amount FROM lake.staged s WHERE o.id = s.id", frozenset({"amount"})),
    ("bigquery", "UPDATE `lake`.`orders` SET `day` = DATE_ADD(`day`, INTERVAL 1 DAY) WHERE true", frozenset({"day"})),
    ("snowflake", "UPDATE lake.orders SET state = s.state FROM lake.staged s WHERE orders.id = s.id", frozenset({"state"})),
    ("snowflake", "UPDATE lake.orders t SET t.is_current = FALSE, t.state = t.state FROM (SELECT id FROM lake.staged) s WHERE t.id = s.id", frozenset({"is_current"})),
    ("duckdb", "UPDATE lake.orders SET state = 'a', amount = 1, day = current_date", frozenset({"state", "amount", "day"})),
    ("duckdb", "UPDATE lake.staged SET state = 'a' WHERE id IN (SELECT id FROM lake.orders)", UNCHANGED),
    # MERGE with columns that are named
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN MATCHED THEN UPDATE SET t.state = s.state WHEN NOT MATCHED THEN INSERT *", frozenset({"state"})),
    ("spark", "MERGE INTO lake.orders t USING (SELECT * FROM lake.staged WHERE day > DATE '2024-01-01') s ON t.id = s.id WHEN MATCHED AND s.amount > t.amount THEN UPDATE SET amount = s.amount, state = s.state", frozenset({"amount", "state"})),
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN MATCHED AND s.state = 'gone' THEN DELETE WHEN MATCHED THEN UPDATE SET t.is_current = false WHEN NOT MATCHED BY SOURCE THEN UPDATE SET t.state = 'lost'", frozenset({"is_current", "state"})),
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id AND t.day = s.day WHEN MATCHED THEN UPDATE SET t.id = s.id, t.day = s.day, t.amount = s.amount", frozenset({"amount"})),
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN UPDATE SET t.id = 0", frozenset({"id"})),
    ("trino", "MERGE INTO lake.orders t USING lake.staged s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET state = s.state, amount = t.amount", frozenset({"state"})),
    ("trino", "MERGE INTO lake.orders USING lake.staged AS s ON orders.id = s.id WHEN MATCHED THEN UPDATE SET is_current = false WHEN NOT MATCHED THEN INSERT (id, state) VALUES (s.id, s.state)", frozenset({"is_current"})),
    ("trino", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, state) VALUES (s.id, s.state)", UNCHANGED),
    ("bigquery", "MERGE lake.orders T USING lake.staged S ON T.id = S.id WHEN MATCHED THEN UPDATE SET state = S.state, day = S.day WHEN NOT MATCHED THEN INSERT ROW", frozenset({"state", "day"})),
    ("bigquery", "MERGE lake.orders T USING lake.staged S ON FALSE WHEN NOT MATCHED THEN INSERT ROW WHEN NOT MATCHED BY SOURCE AND day > '2024-01-01' THEN DELETE", UNCHANGED),
    ("snowflake", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN MATCHED AND s.state = 'gone' THEN DELETE WHEN MATCHED THEN UPDATE SET t.state = s.state, t.amount = t.amount + s.amount", frozenset({"state", "amount"})),
    # MERGE with all columns of the source
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *", _all_but("id")),
    ("spark", "MERGE INTO lake.orders AS t USING lake.staged AS s ON s.id = t.id AND t.day = s.day AND t.amount > 5 WHEN MATCHED THEN UPDATE SET *", _all_but("id", "day")),
    ("databricks", "MERGE INTO lake.orders t USING lake.staged s ON t.id <=> s.id WHEN MATCHED AND t.state = s.state THEN UPDATE SET *", _all_but("id", "state")),
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id OR t.day = s.day WHEN MATCHED THEN UPDATE SET *", _all_but()),
    ("spark", "MERGE INTO lake.orders t USING lake.staged s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *", UNCHANGED),
    # Neither
    ("duckdb", "DELETE FROM lake.orders WHERE state = 'done'", UNCHANGED),
    ("trino", "INSERT INTO lake.orders SELECT * FROM lake.staged WHERE state = 'new'", UNCHANGED),
    ("spark", "INSERT OVERWRITE lake.orders PARTITION (day) SELECT * FROM lake.staged", UNCHANGED),
    ("snowflake", "SELECT state FROM lake.orders WHERE state = 'UPDATE orders SET state = 1'", UNCHANGED),
)
