"""The 22 queries of TPC-H, each against a reviewed file of what its scans are filtered by.

A golden file has a line for each scan, `table alias: predicate`, where `{reason}` marks a part
that never prunes. After a change that is meant, write them anew and review the difference:

    PRUNESCOPE_SHARED=… python -m tests.collectors.sql.extraction.test_tpch
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.predicates.model import And, Or, Predicate, Unsupported
from prunescope.collectors.predicates.render import render
from prunescope.collectors.sql.extraction.extract import extract
from prunescope.collectors.sql.text.parse import parse

COLUMNS = {
    "lineitem": "orderkey partkey suppkey linenumber quantity extendedprice discount tax "
    "returnflag linestatus shipdate commitdate receiptdate shipinstruct shipmode comment",
    "orders": "orderkey custkey orderstatus totalprice orderdate orderpriority clerk "
    "shippriority comment",
    "customer": "custkey name address nationkey phone acctbal mktsegment comment",
    "part": "partkey name mfgr brand type size container retailprice comment",
    "partsupp": "partkey suppkey availqty supplycost comment",
    "supplier": "suppkey name address nationkey phone acctbal comment",
    "nation": "nationkey name regionkey comment",
    "region": "regionkey name comment",
}

TYPES = {
    **dict.fromkeys(("shipdate", "commitdate", "receiptdate", "orderdate"), "date"),
    **dict.fromkeys(("quantity", "extendedprice", "discount", "tax"), "decimal(12, 2)"),
    **dict.fromkeys(("totalprice", "acctbal", "supplycost", "retailprice"), "decimal(12, 2)"),
    **dict.fromkeys(("orderkey", "partkey", "suppkey", "custkey"), "long"),
    **dict.fromkeys(("nationkey", "regionkey"), "long"),
    **dict.fromkeys(("linenumber", "size", "shippriority", "availqty"), "int"),
}


def show(predicate: Predicate) -> str:
    match predicate:
        case And(children):
            return " AND ".join(_bracketed(child) for child in children)
        case Or(children):
            return " OR ".join(_bracketed(child) for child in children)
        case Unsupported():
            columns = ", ".join(predicate.columns)
            return f"{{{predicate.reason}: {columns}}}"
    return render(predicate)


def _bracketed(predicate: Predicate) -> str:
    text = show(predicate)
    return f"({text})" if isinstance(predicate, And | Or) else text


QUERIES = [f"q{number:02}" for number in range(1, 23)]


def golden(query: str) -> Path:
    return Path(__file__).parent / "golden" / f"tpch_{query}.txt"


def scans_of(query: str, shared: Path) -> str:
    sql = (shared / "samples" / "tpch_queries" / f"{query}.sql").read_text()
    for variable, value in (("${database}", "tpch"), ("${schema}", "sf1"), ("${scale}", "1")):
        sql = sql.replace(variable, value)
    columns = {
        TableName("tpch", ("sf1",), name): {each: TYPES.get(each, "string") for each in c.split()}
        for name, c in COLUMNS.items()
    }
    scans = extract(parse(sql.replace("${prefix}", ""), "trino"), dialect="trino", columns=columns)
    return "".join(f"{s.table.table} {s.alias}: {show(s.predicate)}\n" for s in scans)


@pytest.mark.parametrize("query", QUERIES)
def test_each_scan_of_tpch_gets_its_filter(query: str, shared: Path) -> None:
    assert scans_of(query, shared) == golden(query).read_text()


if __name__ == "__main__":
    for query in QUERIES:
        golden(query).write_text(scans_of(query, Path(os.environ["PRUNESCOPE_SHARED"])))
