"""Spark's planner profile against the plans of the installed Spark: for conditions on columns of
every type (literals of other types, casts, and what is calculated), and for joins."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import FALSE, Predicate, conjuncts
from prunescope.collectors.predicates.plan_text import parse_plan_filters
from prunescope.collectors.predicates.render import render
from prunescope.collectors.schema import Schema, SchemaColumn
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.planners.profiles import bind_pushed, planner_of
from prunescope.collectors.sql.text.parse import parse
from tests.differential.spark.comparison import alike
from tests.integration import explain_pushdown
from tests.jars import iceberg_spark_runtime

pytestmark = [pytest.mark.spark, pytest.mark.slow]

TABLES = [TableName("lake", ("db",), name) for name in explain_pushdown.TABLES]
ICEBERG_TYPES = {
    "INT": "int",
    "BIGINT": "long",
    "DECIMAL(10, 2)": "decimal(10, 2)",
    "FLOAT": "float",
    "DOUBLE": "double",
    "STRING": "string",
    "DATE": "date",
    "TIMESTAMP": "timestamptz",
    "TIMESTAMP_NTZ": "timestamp",
}
SCHEMA = Schema(
    0,
    tuple(
        SchemaColumn(number, (name,), ICEBERG_TYPES[kind], False, False, False)
        for number, (name, kind) in enumerate(explain_pushdown.COLUMNS.items(), start=1)
    ),
)
_MOMENT = "2026-01-21 00:00:00"
_CONDITIONS = (
    # Timestamps without zone, and literals with and without one.
    f"wall >= TIMESTAMP_NTZ '{_MOMENT}'",
    f"wall >= CAST('{_MOMENT}' AS TIMESTAMP_NTZ)",
    f"wall >= to_timestamp_ntz('{_MOMENT}')",
    f"wall >= TIMESTAMP '{_MOMENT}'",
    f"wall = TIMESTAMP_LTZ '{_MOMENT}'",
    "wall >= DATE '2026-01-21'",
    f"wall >= '{_MOMENT}'",
    f"wall IN (TIMESTAMP_NTZ '{_MOMENT}', TIMESTAMP_NTZ '2026-01-22 00:00:00')",
    f"wall BETWEEN TIMESTAMP_NTZ '{_MOMENT}' AND TIMESTAMP_NTZ '2026-01-22 00:00:00'",
    f"at >= TIMESTAMP_NTZ '{_MOMENT}'",
    f"at >= TIMESTAMP '{_MOMENT}'",
    "at >= DATE '2026-01-21'",
    f"at = '{_MOMENT}'",
    "CAST(at AS DATE) = DATE '2026-01-21'",
    "CAST(wall AS DATE) = DATE '2026-01-21'",
    f"d >= TIMESTAMP '{_MOMENT}'",
    "d = '2026-01-21'",
    # Decimals.
    "amount = 5",
    "amount = 5.00",
    "amount > 5.005",
    "amount = 5.005",
    "amount IN (5.0, 6.55)",
    "amount = '5.00'",
    "amount > '5.00'",
    "amount = 5e0",
    # Casts that widen, and others.
    "CAST(small AS BIGINT) = 5",
    "CAST(small AS BIGINT) > 5",
    "CAST(small AS BIGINT) <> 5",
    "NOT (CAST(small AS BIGINT) = 5)",
    "CAST(small AS BIGINT) BETWEEN 5 AND 7",
    "CAST(small AS BIGINT) = 5 OR big = 7",
    "CAST(small AS BIGINT) IN (5, 6)",
    "CAST(small AS BIGINT) <= 5.5",
    "CAST(small AS BIGINT) = 5000000000",
    "CAST(small AS INT) = 5",
    "CAST(small AS DECIMAL(12, 2)) = 5.00",
    "CAST(small AS DECIMAL(12, 2)) > 5.5",
    "CAST(small AS DOUBLE) > 5.5e0",
    "CAST(CAST(small AS BIGINT) AS DECIMAL(20, 0)) = 5",
    "CAST(big AS DECIMAL(22, 2)) = 5",
    "CAST(amount AS DECIMAL(12, 2)) > 5",
    "CAST(amount AS DECIMAL(12, 4)) > 5.0050",
    "CAST(single AS DOUBLE) > 5e0",
    "CAST(big AS INT) = 5",
    "CAST(big AS DOUBLE) > 5e0",
    "CAST(small AS SMALLINT) = 5",
    "CAST(small AS STRING) = '5'",
    "CAST(amount AS DECIMAL(9, 2)) = 5.00",
    "CAST(amount AS DECIMAL(10, 1)) = 5.0",
    "CAST(amount AS DOUBLE) > 5e0",
    "CAST(amount AS INT) = 5",
    "CAST(price AS INT) = 5",
    # Other literals, and what is calculated.
    "small > 5.5",
    "small = 5000000000",
    "small = '5'",
    "big = '5'",
    "price > 5.5",
    "small + 1 = 5",
    "-small = 5",
    "abs(small) = 5",
    "coalesce(small, 0) = 5",
    "date_add(d, 1) = DATE '2026-01-21'",
    "d + INTERVAL '1' DAY = DATE '2026-01-21'",
    "substr(name, 1, 3) = 'ab_'",
    "startswith(name, 'ab_')",
    "name LIKE 'ab_c%'",
    "name LIKE 'ab%'",
    # Parts in common, and no rows.
    "(small = 5 OR name = 'a') AND (small = 5 OR abs(big) = 9)",
    "(small = 5 OR name = 'a') AND (small = 5 OR d = DATE '2026-01-21' OR abs(big) = 9)",
    "d >= DATE '2026-01-21' AND (small = 5 OR name = 'a') AND (small = 5 OR abs(big) = 9)",
    "NOT ((small = 5 AND name = 'a') OR (small = 5 AND abs(big) = 9))",
    "small = 5 OR (name = 'a' AND abs(big) = 9)",
    "small = 5 LIMIT 0",
)
CONDITIONS = tuple(f"t WHERE {condition}" for condition in _CONDITIONS)

_DAYS = "(SELECT small, big, name, at, CAST(at AS DATE) AS d FROM t) t"
_OR = "(t.d >= DATE '2026-01-21' AND u.name = 'a') OR (t.small = 5 AND u.name = 'b')"
_DAY = "(SELECT * FROM u WHERE d = DATE '2026-01-21') u"
_GROUPS = "(SELECT small, name, max(big) AS big FROM t GROUP BY small, name)"
_ON = "t.big = u.big"
_FULL = "t FULL JOIN u ON t.name = u.name AND (u.name = 'a' OR t.small = 5)"
JOINS = (
    # Constants through keys, in the order of joins.
    f"t JOIN u ON {_ON} WHERE u.big = 5",
    f"t JOIN u ON {_ON} AND u.big IN (5, 6) JOIN v ON u.big = v.big",
    f"t JOIN u ON {_ON} JOIN v ON u.big = v.big WHERE v.big = 5",
    "t JOIN u USING (big) WHERE big BETWEEN 5 AND 7",
    "t JOIN u ON t.big <=> u.big WHERE u.big = 5",
    "t JOIN u ON t.small = u.big WHERE u.big = 5",
    "t JOIN u ON CAST(t.at AS DATE) = u.d WHERE u.d = DATE '2026-01-21'",
    f"t JOIN {_DAY} ON t.d = u.d",
    # Outer joins, and others that are none after all.
    f"t LEFT JOIN u ON {_ON} AND t.small = 5 WHERE t.name = 'a'",
    f"t LEFT JOIN u ON {_ON} WHERE u.small = 5",
    f"t LEFT JOIN u ON {_ON} WHERE u.small IS NULL",
    f"t RIGHT JOIN u ON {_ON} AND u.big = 5",
    f"t FULL JOIN u ON {_ON} WHERE t.big = 5",
    f"t LEFT SEMI JOIN u ON {_ON} AND u.small > 5",
    f"t LEFT ANTI JOIN u ON {_ON} AND u.small > 5 WHERE t.big = 5",
    f"{_FULL} JOIN v ON v.big = u.big WHERE t.d >= DATE '2026-01-21'",
    f"{_FULL} WHERE t.d >= DATE '2026-01-21' AND u.big = 5",
    f"t FULL JOIN u ON t.name = u.name JOIN v ON v.big = {_ON[:5]} WHERE v.big = 5",
    # ORs over both sides.
    f"t JOIN u ON {_ON} WHERE {_OR}",
    f"t LEFT JOIN u ON {_ON} WHERE {_OR}",
    f"{_DAYS} JOIN u ON {_ON} WHERE t.big > 5 AND ({_OR})",
    f"t JOIN u ON {_ON} AND ((u.small = 5 AND t.small > 5) OR t.d = DATE '2026-01-21')",
    f"t JOIN u ON {_ON} AND (t.small = 5 OR t.name = 'a') WHERE t.small = 5 OR abs(t.amount) = 9",
    f"t LEFT JOIN u ON {_ON} LIMIT 0",
    # Queries below joins, and groups.
    f"v LEFT JOIN {_DAY} ON v.big = u.big AND u.big > 5 JOIN t ON t.d = u.d",
    f"v LEFT JOIN {_DAY} ON v.big = u.big AND u.big > 5 JOIN t ON t.d = u.d WHERE u.small = 5",
    f"{_GROUPS} WHERE (small = 5 AND big > 7) OR name = 'a'",
)


@pytest.fixture(scope="module")
def plans(
    tmp_path_factory: pytest.TempPathFactory, require_program: Callable[[str], Path]
) -> dict[str, dict[str, str]]:
    """The filters of each table in Spark's plan of each query: one Spark plans all of them."""
    program, jar = explain_pushdown.__file__, iceberg_spark_runtime(require_program)
    done = subprocess.run(
        [sys.executable, program, str(jar), str(tmp_path_factory.mktemp("spark"))],
        input=json.dumps([*CONDITIONS, *JOINS]),
        capture_output=True,
        check=True,
        text=True,
        timeout=300,
    )
    found: dict[str, dict[str, str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("asked", [pytest.param(CONDITIONS, id="conditions"),
                                   pytest.param(JOINS, id="joins")])  # fmt: skip
def test_the_profile_pushes_what_the_installed_spark_pushes(
    asked: tuple[str, ...], plans: dict[str, dict[str, str]]
) -> None:
    from pyspark import __version__ as version  # noqa: PLC0415

    differences = {}
    for from_ in asked:
        for table, found in pushed(from_, version).items():
            filters = plans[from_].get(table)
            expected = FALSE if filters is None else parse_plan_filters(filters, SCHEMA)
            is_same = set(map(alike, conjuncts(found))) == set(map(alike, conjuncts(expected)))
            if (found == FALSE) != (expected == FALSE) or not is_same:
                differences[from_, table] = (render(found), render(expected))
    assert differences == {}


def pushed(from_: str, version: str) -> dict[str, Predicate]:
    """What the profile pushes to each table of a FROM clause and what follows it."""
    planner = planner_of("spark", version)
    scans = extract(
        parse(f"SELECT count(*) FROM {from_}", "spark"),
        dialect="spark",
        columns=dict.fromkeys(TABLES, SCHEMA.types),
        catalog="lake",
        schema="db",
        time_zone="UTC",
        planner=planner,
    )
    return {
        scan.alias: bind_pushed(planner, scan.pushed, SCHEMA, time_zone="UTC")
        for scan in scans
        if scan.pushed is not None
    }
