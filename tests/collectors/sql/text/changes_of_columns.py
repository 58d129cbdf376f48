"""Statements, and which columns of their table `db.t` they change, as its rules have it.

A statement changes the columns that it assigns to rows which exist: by UPDATE, and by MERGE in
WHEN MATCHED and in WHEN NOT MATCHED BY SOURCE. What it only inserts is new, and does not change.
A column that is assigned to itself, or to what the ON of its MERGE equates it with, stays as it is.
`*` is every column that the table has, `-id` is one that stays.
"""

from __future__ import annotations

from typing import Final

#: Of every dialect.
COMMON: Final = (
    ("UPDATE db.t SET state = 'closed' WHERE id = 5", "state"),
    ("UPDATE db.t SET state = 'closed'", "state"),
    (
        "UPDATE db.t SET state = 'closed', closed_at = current_timestamp WHERE id = 5",
        "state closed_at",
    ),
    ("UPDATE db.t SET n = n + 1 WHERE id IN (1, 2)", "n"),
    ("UPDATE db.t SET n = NULL WHERE id = 5", "n"),
    ("update db.t set State = 'closed' where Id = 5", "state"),
    ("UPDATE db.t SET state = state WHERE id = 5", ""),
    ("UPDATE db.t SET state = State, n = 3 WHERE id = 5", "n"),
    ("UPDATE db.t SET state = CASE WHEN n > 3 THEN 'big' ELSE state END", "state"),
    ("UPDATE db.t SET at = coalesce(at, current_timestamp) WHERE day = DATE '2026-01-31'", "at"),
    (
        "UPDATE db.t SET state = (SELECT max(u.state) FROM db.u AS u WHERE u.n = 3) WHERE id = 5",
        "state",
    ),
    ("UPDATE db.t SET state = 'x' WHERE id IN (SELECT u.id FROM db.u AS u WHERE u.n = 3)", "state"),
    ("/* nightly */ UPDATE db.t\n   SET state = 'x' -- of all\n WHERE id = 5", "state"),
    (
        "MERGE INTO db.t USING db.s ON t.id = s.id WHEN MATCHED THEN UPDATE SET state = s.state",
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET state = b.state, n = b.n"
            " WHEN NOT MATCHED THEN INSERT (id, state, n, at) VALUES (b.id, b.state, b.n, b.at)"
        ),
        "state n",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN NOT MATCHED THEN INSERT (id, state) VALUES (b.id, b.state)"
        ),
        "",
    ),
    ("MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id WHEN MATCHED THEN DELETE", ""),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED AND b.op = 'D' THEN DELETE WHEN MATCHED THEN UPDATE SET state = b.state"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED AND b.op = 'N' THEN UPDATE SET n = b.n"
            " WHEN MATCHED AND b.op = 'S' THEN UPDATE SET state = b.state"
        ),
        "n state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING (SELECT id, max(state) AS state FROM db.s GROUP BY id) AS b"
            " ON a.id = b.id WHEN MATCHED AND a.state <> b.state THEN UPDATE SET state = b.state"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET id = b.id, state = b.state"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON b.id = a.id AND a.day = b.day"
            " WHEN MATCHED THEN UPDATE SET id = b.id, day = b.day, state = b.state"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id OR a.day = b.day"
            " WHEN MATCHED THEN UPDATE SET day = b.day"
        ),
        "day",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id AND a.is_current = true"
            " WHEN MATCHED THEN UPDATE SET is_current = false, valid_to = b.at"
            " WHEN NOT MATCHED THEN INSERT (id, is_current) VALUES (b.id, true)"
        ),
        "is_current valid_to",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET state = a.state, n = b.n"
        ),
        "n",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.parent"
            " WHEN MATCHED THEN UPDATE SET id = b.id"
        ),
        "id",
    ),
    ("INSERT INTO db.t SELECT * FROM db.s WHERE s.day = DATE '2026-01-31'", ""),
    ("INSERT INTO db.t (id, state) VALUES (1, 'x')", ""),
    ("DELETE FROM db.t WHERE state = 'x'", ""),
    ("SELECT state FROM db.t WHERE state = 'x'", ""),
    ("EXPLAIN UPDATE db.t SET state = 'closed' WHERE id = 5", ""),
    ("ALTER TABLE db.t RENAME COLUMN n TO m", ""),
)

SPARK: Final = (
    ("UPDATE db.t SET `state` = 'closed' WHERE `id` = 5", "state"),
    ("UPDATE db.t SET t.state = 'closed' WHERE t.id = 5", "state"),
    ("UPDATE db.t AS a SET a.state = 'closed', a.n = a.n WHERE a.id = 5", "state"),
    ("UPDATE db.t SET info.state = 'closed' WHERE id = 5", "info.state"),
    ("UPDATE db.t SET info.state = info.state, info.n = 3", "info.n"),
    (
        (
            "MERGE INTO db.t USING db.s ON t.id = s.id WHEN MATCHED THEN UPDATE SET *"
            " WHEN NOT MATCHED THEN INSERT *"
        ),
        "* -id",
    ),
    ("MERGE INTO db.t USING db.s ON t.id = s.id WHEN NOT MATCHED THEN INSERT *", ""),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id <=> b.id AND b.day = a.day"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        ),
        "* -id -day",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id AND a.day = DATE '2026-01-31'"
            " WHEN MATCHED THEN UPDATE SET *"
        ),
        "* -id",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id AND a.at > b.at - INTERVAL 3 DAYS"
            " WHEN MATCHED THEN UPDATE SET *"
        ),
        "* -id",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id OR a.day = b.day"
            " WHEN MATCHED THEN UPDATE SET *"
        ),
        "*",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET a.state = b.state, a.info.n = b.n"
        ),
        "state info.n",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id WHEN MATCHED THEN DELETE"
            " WHEN NOT MATCHED BY TARGET THEN INSERT *"
            " WHEN NOT MATCHED BY SOURCE THEN UPDATE SET a.is_current = false"
        ),
        "is_current",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN NOT MATCHED BY SOURCE THEN DELETE"
        ),
        "",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON (a.id = b.id) AND (a.`day` = b.`day`)"
            " WHEN MATCHED AND b.op = 'U' THEN UPDATE SET * WHEN MATCHED THEN DELETE"
        ),
        "* -id -day",
    ),
    ("INSERT OVERWRITE db.t SELECT * FROM db.s", ""),
)

TRINO: Final = (
    ('UPDATE db.t SET "state" = \'closed\' WHERE "id" = 5', "state"),
    ('UPDATE "db"."t" SET state = \'closed\' WHERE id = 5', "state"),
    (
        (
            "MERGE INTO db.t AS a USING (VALUES (1, 'x')) AS b (id, state) ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET state = b.state"
            " WHEN NOT MATCHED THEN INSERT (id, state) VALUES (b.id, b.state)"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t a USING db.s b ON a.id = b.id"
            " AND a.region IS NOT DISTINCT FROM b.region"
            " WHEN MATCHED THEN UPDATE SET region = b.region, n = a.n + b.n"
        ),
        "n",
    ),
    ("UPDATE db.t SET state = 'x' WHERE at < TIMESTAMP '2026-01-01 00:00:00 UTC'", "state"),
    ("ALTER TABLE db.t EXECUTE optimize", ""),
)

#: Of other engines that write Iceberg, in the words which they share.
GENERIC: Final = (
    ("UPDATE db.t SET state = s.state FROM db.s AS s WHERE t.id = s.id", "state"),
    ("UPDATE db.t AS a SET state = 'closed' WHERE a.id = 5", "state"),
    ("UPDATE db.t SET \"state\" = 'closed'", "state"),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET a.state = b.state"
        ),
        "state",
    ),
    (
        (
            "MERGE INTO db.t AS a USING db.s AS b ON a.id = b.id"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        ),
        "* -id",
    ),
)
