"""The SQL of an execution is what it certainly is, and so is who asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.observed import ObservedQuery, Rejected
from tests.collectors.queries.spark.logs import (
    SERVER,
    SHELL,
    THRIFT,
    end,
    node,
    operation,
    plan,
    preamble,
    queries,
    read,
    start,
)


class TestStatements:
    """The SQL of an execution is what it certainly is."""

    @pytest.mark.parametrize(
        ("description", "details", "expected"),
        [
            pytest.param("SET a = 1", SHELL, "SET a = 1", id="a command of the shell"),
            pytest.param("select * from t", SERVER, "select * from t", id="the server"),
            pytest.param("sql at <unknown>:0", SHELL, None, id="a call site in the shell"),
            pytest.param("run at Thread.java:829", SERVER, None, id="a call site in the server"),
            pytest.param(
                "select * from t where s = *********(redacted)", SERVER, None, id="redacted"
            ),
            pytest.param(
                "-- daily\nselect * from T", "", "-- daily\nselect * from T", id="comment"
            ),
            pytest.param("select * from other_t", "", None, id="explicit, of another table"),
            pytest.param("Selection of t", "", None, id="words"),
            pytest.param("", SHELL, None, id="nothing"),
            pytest.param(5, SHELL, None, id="no text"),
        ],
    )
    def test_which_descriptions_are_sql(
        self, tmp_path: Path, description: Any, details: str, expected: str | None
    ) -> None:
        event = start(0, plan(node("a = 1")), description=description, details=details)
        (query,) = queries(tmp_path, event, end(0))
        assert query.sql == expected

    def test_a_description_that_stayed_is_not_the_sql_of_what_follows(self, tmp_path: Path) -> None:
        sql = "select * from t where a = 1"
        found = queries(
            tmp_path,
            *(
                event
                for number, filters in enumerate(["a = 1", "a = 1", "", "a = 1"])
                for event in (
                    start(number, plan(node(filters, first=number * 50)), description=sql),
                    end(number),
                )
            ),
        )
        assert [query.sql for query in found] == [sql, sql, None, sql]

    def test_sql_without_scans_is_a_query_and_other_commands_are_none(self, tmp_path: Path) -> None:
        (query,) = queries(
            tmp_path,
            start(0, plan(), description="collect at x.py:1"),
            end(0),
            start(1, plan(), description="show tables", details=SHELL),
            end(1),
        )
        assert (query.query_id, query.sql, query.scans) == ("app-1/1", "show tables", ())

    @pytest.mark.parametrize(
        ("operations", "group", "user"),
        [
            pytest.param([("x", "bob")], None, "bob", id="one operation"),
            pytest.param([("x", "bob"), ("y", "bob")], None, "bob", id="two of one user"),
            pytest.param([("x", "bob"), ("y", "eve")], None, None, id="the same of two users"),
            pytest.param([("x", "bob"), ("y", "eve")], "y", "eve", id="told by the job group"),
            pytest.param([], None, None, id="the operation is not in the log"),
        ],
    )
    def test_who_asked_the_server(
        self,
        tmp_path: Path,
        operations: list[tuple[str, str]],
        group: str | None,
        user: str | None,
    ) -> None:
        event = start(0, plan(node("a = 1")), description="select 1 from t", details=SERVER)
        event["jobGroupId"] = group
        (query,) = queries(
            tmp_path,
            *(operation(key, "select 1 from t", name) for key, name in operations),
            operation("z", "select 2 from t", "ann"),
            event,
            end(0),
        )
        assert query.user == user

    def test_an_operation_that_was_closed_asks_for_nothing(self, tmp_path: Path) -> None:
        closed = {"Event": THRIFT + "SparkListenerThriftServerOperationClosed", "id": "x"}
        event = start(0, plan(node("a = 1")), description="select 1 from t", details=SERVER)
        (query,) = queries(
            tmp_path,
            operation("x", "select 1 from t", "bob"),
            closed,
            operation("y", "select 1 from t", "eve"),
            event,
            end(0),
        )
        assert query.user == "eve"


def test_what_spark_could_not_plan_has_failed(tmp_path: Path) -> None:
    empty = {**plan(), "nodeName": "", "simpleString": ""}
    events = [
        *preamble(),
        start(0, empty, description="select x from t", details=SHELL),
        end(0),
        start(1, empty),
        end(1),
        start(2, plan(node("a = 1"))),
        end(2),
    ]
    failed, query = read(tmp_path, events)
    assert isinstance(failed, Rejected)
    assert (failed.reason, failed.query_id) == ("query_failed", "app-1/0")
    assert isinstance(query, ObservedQuery)
    assert query.query_id == "app-1/2"
