"""Dry runs over HTTP: their numbers are those that PyIceberg plans, and of rows that are there."""

from __future__ import annotations

import asyncio
import runpy
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pyarrow as pa
import pytest

from prunescope.audit_jobs.guard.app import Access, build_app
from prunescope.audit_jobs.guard.asking import Questions, opened_questions
from prunescope.audit_jobs.guard.metrics import GuardMetrics
from prunescope.audit_jobs.jobs.tables import TableFinder
from tests.audit_jobs.api.lake import FIRST_DAY, catalog_of

HOOK = Path(__file__).parents[3] / "docs" / "examples" / "gateway_refusal.py"
WRAPPED = "SELECT count(*) FROM orders WHERE date_format(order_ts, '%Y-%m-%d') = '2024-04-29'"
RANGE = (
    "SELECT count(*) FROM orders WHERE order_ts >= TIMESTAMP '2024-04-29 00:00:00' "
    "AND order_ts < TIMESTAMP '2024-04-30 00:00:00'"
)
SESSION = {"engine": "trino-482", "catalog": "lake", "schema": "sales"}


class Server:
    """Asks an application in this process."""

    def __init__(self, questions: Questions, *tokens: bytes) -> None:
        self.questions = questions
        app = build_app(questions, Access(tokens, 64_000, 5.0), GuardMetrics(questions.held))
        self._app = app
        self._runner = asyncio.Runner()

    def close(self) -> None:
        self._runner.close()

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self._app)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://localhost"
            ) as client:
                return await client.request(method, path, **options)

        return self._runner.run(ask())

    def ask(self, sql: str, **others: Any) -> dict[str, Any]:
        answer = self.request("POST", "/v1/dry-run", json={"sql": sql, **SESSION, **others})
        document: dict[str, Any] = answer.json()
        return {**document, "status": answer.status_code}


@pytest.fixture(scope="module")
def server(lake: Path) -> Iterator[Server]:
    with ExitStack() as stack:
        opened = opened_questions(lake / "audit.yaml", tables=4, max_stale=3600)
        server = Server(stack.enter_context(opened))
        stack.callback(server.close)
        yield server


@pytest.mark.parametrize(
    ("sql", "filter_"),
    [
        pytest.param(
            RANGE,
            "order_ts >= '2024-04-29T00:00:00' and order_ts < '2024-04-30T00:00:00'",
            id="a range",
        ),
        pytest.param("SELECT * FROM orders WHERE id = 250", "id = 250", id="bounds"),
        pytest.param(
            "SELECT * FROM orders WHERE region = 'eu'", "region = 'eu'", id="half of the files"
        ),
        pytest.param("SELECT * FROM orders", "true", id="everything"),
    ],
)
def test_files_and_bytes_are_those_that_pyiceberg_plans(
    server: Server, lake: Path, sql: str, filter_: str
) -> None:
    orders = catalog_of(lake).load_table("sales.orders")
    planned = [task.file for task in orders.scan(row_filter=filter_).plan_files()]
    answer = server.ask(sql)
    assert (answer["status"], answer["outcome"], answer["class"]) == (200, "replayed", "precise")
    assert answer["files"] == len(planned)
    assert answer["bytes"] == sum(file.file_size_in_bytes for file in planned)
    [scan] = answer["scans"]
    assert scan["files"] == {"read": len(planned), "total": 8}
    assert scan["snapshot_id"] == orders.metadata.current_snapshot_id


@pytest.mark.parametrize(
    ("sql", "session", "class_", "reason"),
    [
        pytest.param(RANGE, {}, "precise", "trino 482", id="a planner that is known"),
        pytest.param(WRAPPED + " LIMIT 5", {}, "upper_bound", "LIMIT", id="an early end"),
        pytest.param(
            "SELECT * FROM orders a JOIN orders b ON a.id = b.id",
            {},
            "upper_bound",
            "dynamic filters",
            id="a join",
        ),
        pytest.param(RANGE, {"engine": None}, "heuristic", "no `engine`", id="a guessed engine"),
        pytest.param(RANGE, {"engine": "trino-9999"}, "heuristic", "newer", id="a later engine"),
        pytest.param(
            "SELECT * FROM orders JOIN hive.x.y ON id = z",
            {},
            "heuristic",
            "hive.x.y",
            id="a table of elsewhere",
        ),
    ],
)
def test_an_answer_says_how_sure_it_is(
    server: Server, sql: str, session: dict[str, Any], class_: str, reason: str
) -> None:
    answer = server.ask(sql, **session)
    assert (answer["status"], answer["class"]) == (200, class_)
    assert reason in answer["reason"]


def test_findings_are_judged_if_asked_for_by_the_thresholds_of_the_audit(server: Server) -> None:
    assert server.ask(WRAPPED)["findings"] is None
    assert server.ask(WRAPPED, findings=True)["findings"] == [], "the table is small"


def test_a_finding_is_placed_in_the_text(lake: Path) -> None:
    with opened_questions(lake / "everything.yaml", tables=1, max_stale=60) as questions:
        server = Server(questions)
        found = server.ask(WRAPPED, findings=True)["findings"]
        server.close()
    [wrapped] = [one for one in found if one["cause"] == "wrapped_column"]
    [place] = wrapped["places"]
    assert (place["line"], place["column"]) == (1, WRAPPED.index("date_format") + 1)
    assert "2024-04-29" in place["replacement"]
    assert "2024-04-29" not in (wrapped["conjunct"] + wrapped["sentence"])


@pytest.mark.parametrize(
    ("sql", "outcome"),
    [
        pytest.param("SELECT * FROM hive.x.y", "no_iceberg_table", id="another catalog"),
        pytest.param("DROP TABLE orders", "not_a_query", id="no query"),
        pytest.param("SELECT 1", "no_iceberg_table", id="no table"),
    ],
)
def test_what_reads_no_iceberg_table_has_no_numbers(server: Server, sql: str, outcome: str) -> None:
    answer = server.ask(sql)
    assert (answer["status"], answer["outcome"]) == (200, outcome)
    assert (answer["bytes"], answer["files"], answer["class"]) == (None, None, None)


@pytest.mark.parametrize(
    ("document", "status", "error", "advice"),
    [
        pytest.param({}, 400, "bad_request", "`sql`", id="no text"),
        pytest.param({"sql": 3}, 400, "bad_request", "string", id="no string"),
        pytest.param({"sql": "SELECT 1", "enigne": "x"}, 400, "bad_request", "engine", id="typo"),
        pytest.param({"sql": "SELECT 1", "engine": "trini"}, 400, "bad_request", "trino", id="eng"),
        pytest.param({"sql": "SELECT 1", "catalog": "lakes"}, 400, "bad_request", "lake", id="cat"),
        pytest.param({"sql": "SELECT FROM WHERE"}, 422, "unparseable", "", id="no SQL"),
        pytest.param(
            {"sql": "SELECT * FROM orderz", **SESSION},
            422,
            "table_not_found",
            "did you mean orders",
            id="no table",
        ),
        pytest.param(
            {"sql": "SELECT * FROM orders WHERE {{ x }}", **SESSION}, 422, "template", "", id="dbt"
        ),
    ],
)
def test_mistakes_say_what_to_do(
    server: Server, document: dict[str, Any], status: int, error: str, advice: str
) -> None:
    answer = server.request("POST", "/v1/dry-run", json=document)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert advice in answer.json()["message"]


def test_only_who_has_a_token_may_ask(server: Server) -> None:
    guarded = Server(server.questions, b"secret")
    asked = {"json": {"sql": "SELECT 1"}}
    refused = guarded.request("POST", "/v1/dry-run", **asked)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
    headers = {"Authorization": "Bearer secret"}
    assert guarded.request("POST", "/v1/dry-run", headers=headers, **asked).status_code == 200
    page = server.request("POST", "/v1/dry-run", headers={"Origin": "http://evil"}, **asked)
    assert page.status_code == 403, "a page in a browser"
    guarded.close()


def test_health_and_metrics_are_served(server: Server) -> None:
    server.ask(RANGE)
    assert server.request("GET", "/healthz").text == "alive\n"
    exposed = server.request("GET", "/metrics").text
    assert 'prunescope_serve_requests_total{outcome="answered"}' in exposed
    assert "prunescope_serve_tables 1.0" in exposed


def test_what_is_committed_is_seen_within_the_time_that_is_configured(lake: Path) -> None:
    catalog = catalog_of(lake)
    new = catalog.create_table("sales.fresh", catalog.load_table("sales.orders").schema())
    rows = {"id": [1], "order_ts": [FIRST_DAY + timedelta(days=1)]}
    schema = new.schema().as_arrow()
    some = pa.table({name: rows.get(name, [None]) for name in schema.names}, schema)
    new.append(some)
    with opened_questions(lake / "audit.yaml", tables=1, max_stale=0.6) as questions:
        server = Server(questions)
        assert server.ask("SELECT * FROM fresh")["files"] == 1
        new.append(some)
        committed = time.monotonic()
        while server.ask("SELECT * FROM fresh")["files"] == 1:
            assert time.monotonic() - committed < 10
            time.sleep(0.02)
        assert server.ask("SELECT * FROM fresh")["scans"][0]["age_seconds"] <= 0.6
        server.ask("SELECT * FROM orders")
        assert len(questions.held) == 1, "the least recently used table goes"
        server.close()


def test_a_table_that_takes_long_to_load_is_told(
    lake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer comes within a second, and the table is loaded all the same."""
    may_open = threading.Event()
    with opened_questions(lake / "audit.yaml", tables=1, max_stale=60) as questions:
        find = TableFinder.find

        def slowly(*args: Any, **options: Any) -> Any:
            may_open.wait(10)
            return find(*args, **options)

        monkeypatch.setattr(TableFinder, "find", slowly)
        server = Server(questions)
        started = time.monotonic()
        answer = server.ask(RANGE)
        assert time.monotonic() - started < 1.0
        assert (answer["status"], answer["error"]) == (503, "loading")
        assert "lake.sales.orders" in answer["message"]
        may_open.set()
        assert server.ask(RANGE)["files"] == 1
        server.close()


def test_a_gateway_refuses_what_reads_too_much(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The script of docs/serve.md, with a limit that suits a small table."""
    hook = runpy.run_path(str(HOOK))
    refusal = hook["refusal"]

    def post(url: str, json: Any, timeout: float) -> httpx.Response:
        assert (url, timeout) == ("http://127.0.0.1:8788/v1/dry-run", 2)
        return server.request("POST", "/v1/dry-run", json=json)

    monkeypatch.setattr(httpx, "post", post)
    assert refusal(WRAPPED, "lake", "sales") is None
    refusal.__globals__["LIMIT"] = 10_000
    assert refusal(RANGE, "lake", "sales") is None
    assert "reads 5" in refusal(WRAPPED, "lake", "sales")
