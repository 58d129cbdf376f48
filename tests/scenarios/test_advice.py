"""Layouts that are advised, given to a table by Spark: what queries keep then is what was said."""

from __future__ import annotations

import pytest

from audit_jobs.advice.candidates import Candidate, Curve, Order, Term
from audit_jobs.advice.statements import statements
from audit_jobs.jobs.advise import advise_table
from collectors.predicates.model import Field
from collectors.queries.observed import TableName
from collectors.tables.catalog import Table, open_metadata_file
from tests.backtest.lake import NAME, asked_of, kept_share
from tests.backtest.model import Asked
from tests.scenarios.lake import Lake, files

pytestmark = pytest.mark.slow

QUERIES = [
    Asked(day, f"SELECT * FROM t WHERE customer = {(day * 613) % 4800}", "spark")
    for day in range(30)
]
COLUMNS = ["id", "(id * 7919) % 4800", "concat('city ', (id * 7919) % 48)"]


def _create(lake: Lake, table: str) -> None:
    """Twelve files of 400 rows each, with customers from the whole range in each."""
    lake.sql(
        f"CREATE TABLE lake.db.{table} (id BIGINT, customer BIGINT, city STRING) "
        "USING iceberg TBLPROPERTIES ('write.target-file-size-bytes' = '8000')",
        *files(table, 12, rows=400, columns=COLUMNS),
    )


def _open(lake: Lake, table: str) -> Table:
    return open_metadata_file(lake.metadata_of(table), NAME)


def test_what_is_advised_keeps_what_was_predicted(lake: Lake) -> None:
    _create(lake, "advised")
    table = _open(lake, "advised")
    assert kept_share(table, QUERIES) > 0.9

    advice = advise_table(table, asked_of(table, QUERIES), 0)
    assert advice.best is not None
    told = statements(TableName("lake", ("db",), "advised"), (), advice.best.candidate)
    lake.sql(*told.spark)

    share = kept_share(_open(lake, "advised"), QUERIES)
    assert share == pytest.approx(advice.best.bytes.value / advice.now.bytes, abs=0.05)


@pytest.mark.parametrize(
    ("table", "partition", "order"),
    [
        ("ordered", (("truncate[5]", "city"),), Order(Curve.SORT, (Field(2, "customer", "long"),))),
        ("curved", (), Order(Curve.ZORDER, (Field(1, "id", "long"), Field(3, "city", "string")))),
        ("hashed", (("bucket[4]", "customer"), ("truncate[1000]", "id")), None),
    ],
)
def test_spark_runs_the_statements(
    lake: Lake, table: str, partition: tuple[tuple[str, str], ...], order: Order | None
) -> None:
    _create(lake, table)
    known = {"id": Field(1, "id", "long"), "customer": Field(2, "customer", "long")}
    known["city"] = Field(3, "city", "string")
    terms = tuple(Term(transform, known[name]) for transform, name in partition)
    wanted = Candidate(terms, order or Order(Curve.SORT, (known["city"],)))
    name = TableName("lake", ("db",), table)

    lake.sql(*statements(name, (), wanted).spark)
    lake.sql(*statements(name, terms, Candidate((), wanted.order)).spark)

    (rows,) = lake.sql(f"SELECT count(*) FROM lake.db.{table}")
    assert rows == [4_800]
