"""Statements of engines, and which columns of their table `db.t` they change.

Each is written as the documentation of an engine has it: of Spark and Databricks, Trino, BigQuery,
Snowflake and DuckDB. The last part of each says which columns change, as in `changes_of_columns`.
"""

from __future__ import annotations

from typing import Final

OF_ENGINES: Final = (
    ("spark", "UPDATE db.t SET state = 'done' WHERE id = 7", "state"),
    ("spark", "UPDATE db.t AS o SET o.state = 'done', o.n = o.n + 1", "n state"),
    ("spark", "UPDATE db.t SET state = state, n = 0 WHERE day < DATE '2024-01-01'", "n"),
    ("spark", "UPDATE db.t o SET o.info.state = 'Bern' WHERE o.id = 3", "info.state"),
    ("spark", "UPDATE db.t SET State = UPPER(state)", "state"),
    (
        "trino",
        ("UPDATE db.t SET state = 'done', is_current = false WHERE id IN (1, 2)"),
        "is_current state",
    ),
    (
        "trino",
        ('UPDATE db.t SET "state" = (SELECT max(s.state) FROM db.s s WHERE s.id = 1)'),
        "state",
    ),
    ("trino", "UPDATE db.t SET n = n * 2", "n"),
    ("bigquery", "UPDATE db.t o SET o.state = s.state FROM db.s s WHERE o.id = s.id", "state"),
    ("bigquery", "UPDATE db.t o SET o.id = s.id, o.n = s.n FROM db.s s WHERE o.id = s.id", "n"),
    ("bigquery", "UPDATE `db`.`t` SET `day` = DATE_ADD(`day`, INTERVAL 1 DAY) WHERE true", "day"),
    ("snowflake", "UPDATE db.t SET state = s.state FROM db.s s WHERE t.id = s.id", "state"),
    (
        "snowflake",
        (
            "UPDATE db.t t SET t.is_current = FALSE, t.state = t.state FROM (SELECT id FROM"
            " db.s) s WHERE t.id = s.id"
        ),
        "is_current",
    ),
    ("duckdb", "UPDATE db.t SET state = 'a', n = 1, day = current_date", "day n state"),
    ("duckdb", "UPDATE db.s SET state = 'a' WHERE id IN (SELECT id FROM db.t)", ""),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN MATCHED THEN UPDATE SET"
            " t.state = s.state WHEN NOT MATCHED THEN INSERT *"
        ),
        "state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING (SELECT * FROM db.s WHERE day > DATE '2024-01-01') s ON"
            " t.id = s.id WHEN MATCHED AND s.n > t.n THEN UPDATE SET n = s.n, state = s.state"
        ),
        "n state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN MATCHED AND s.state = 'gone'"
            " THEN DELETE WHEN MATCHED THEN UPDATE SET t.is_current = false WHEN NOT MATCHED"
            " BY SOURCE THEN UPDATE SET t.state = 'lost'"
        ),
        "is_current state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id AND t.day = s.day WHEN MATCHED"
            " THEN UPDATE SET t.id = s.id, t.day = s.day, t.n = s.n"
        ),
        "n",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN NOT MATCHED BY SOURCE THEN"
            " UPDATE SET t.id = 0"
        ),
        "id",
    ),
    (
        "trino",
        (
            "MERGE INTO db.t t USING db.s s ON (t.id = s.id) WHEN MATCHED THEN UPDATE SET"
            " state = s.state, n = t.n"
        ),
        "state",
    ),
    (
        "trino",
        (
            "MERGE INTO db.t USING db.s AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET"
            " is_current = false WHEN NOT MATCHED THEN INSERT (id, state) VALUES (s.id,"
            " s.state)"
        ),
        "is_current",
    ),
    (
        "trino",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id,"
            " state) VALUES (s.id, s.state)"
        ),
        "",
    ),
    (
        "bigquery",
        (
            "MERGE db.t T USING db.s S ON T.id = S.id WHEN MATCHED THEN UPDATE SET state ="
            " S.state, day = S.day WHEN NOT MATCHED THEN INSERT ROW"
        ),
        "day state",
    ),
    (
        "bigquery",
        (
            "MERGE db.t T USING db.s S ON FALSE WHEN NOT MATCHED THEN INSERT ROW WHEN NOT"
            " MATCHED BY SOURCE AND day > '2024-01-01' THEN DELETE"
        ),
        "",
    ),
    (
        "snowflake",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN MATCHED AND s.state = 'gone'"
            " THEN DELETE WHEN MATCHED THEN UPDATE SET t.state = s.state, t.n = t.n + s.n"
        ),
        "n state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *"
        ),
        "* -id",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t AS t USING db.s AS s ON s.id = t.id AND t.day = s.day AND t.n >"
            " 5 WHEN MATCHED THEN UPDATE SET *"
        ),
        "* -day -id",
    ),
    (
        "databricks",
        (
            "MERGE INTO db.t t USING db.s s ON t.id <=> s.id WHEN MATCHED AND t.state ="
            " s.state THEN UPDATE SET *"
        ),
        "* -id -state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t t USING db.s s ON t.id = s.id OR t.day = s.day WHEN MATCHED THEN"
            " UPDATE SET *"
        ),
        "*",
    ),
    ("spark", "MERGE INTO db.t t USING db.s s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *", ""),
    ("duckdb", "DELETE FROM db.t WHERE state = 'done'", ""),
    ("trino", "INSERT INTO db.t SELECT * FROM db.s WHERE state = 'new'", ""),
    ("spark", "INSERT OVERWRITE db.t PARTITION (day) SELECT * FROM db.s", ""),
    ("snowflake", "SELECT state FROM db.t WHERE state = 'UPDATE t SET state = 1'", ""),
    ("duckdb", "UPDATE db.t SET (state, n) = ('a', 1)", "state n"),
    ("duckdb", "MERGE INTO db.t USING db.s ON t.id = s.id WHEN MATCHED THEN UPDATE", "* -id"),
    (
        "duckdb",
        (
            "MERGE INTO db.t USING db.s USING (id) WHEN MATCHED THEN UPDATE"
            " SET id = s.id, state = s.state"
        ),
        "state",
    ),
    (
        "duckdb",
        "MERGE INTO db.t AS a USING db.s AS b USING (id, day) WHEN MATCHED THEN UPDATE SET *",
        "* -id -day",
    ),
    (
        "snowflake",
        "MERGE INTO db.t USING db.s ON t.id = s.id WHEN MATCHED THEN UPDATE ALL BY NAME",
        "* -id",
    ),
    (
        "databricks",
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET * EXCEPT (state)"
        ),
        "* -id -state",
    ),
    (
        "spark",
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id AND a.day = a.at"
            " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET a.day = a.at"
        ),
        "day",
    ),
    (
        "databricks",
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED AND a.state = b.state THEN UPDATE SET state = b.state, n = b.n"
            " WHEN MATCHED THEN UPDATE SET n = b.n, region = b.region"
        ),
        "n region",
    ),
)
