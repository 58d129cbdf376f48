"""What is answered to bodies of any content: nothing that a client sends is an error of ours."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from prunescope.audit_jobs.receiver.app import SMALL_BODY, Access, build_app
from prunescope.audit_jobs.receiver.metrics import ReceiverMetrics
from prunescope.audit_jobs.receiver.spool import Spool
from prunescope.collectors.observed import ObservedQuery, Rejected, ScanReport
from prunescope.collectors.queries import iceberg_reports
from prunescope.collectors.queries.trino import events as trino_events
from tests.collectors.queries.test_damaged_input import EVENT
from tests.mutations import mutations

EVENTS = "/v1/trino/events"
REPORTS = "/v1/namespaces/db/tables/t/metrics"
REPORT: dict[str, Any] = {
    "report-type": "scan-report",
    "table-name": "lake.db.t",
    "snapshot-id": 1,
    "filter": {"type": "and", "left": True, "right": {"type": "eq", "term": "a", "value": 1}},
    "schema-id": 0,
    "projected-field-ids": [1],
    "projected-field-names": ["id"],
    "metrics": {"result-data-files": {"unit": "count", "value": 3}},
    "metadata": {"engine-name": "spark", "engine-version": "4.1"},
}


class Client:
    """Posts to an application in this process; an exception of it is answered with 500."""

    def __init__(self, app: Starlette, runner: asyncio.Runner) -> None:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        self._client = httpx.AsyncClient(transport=transport, base_url="http://localhost")
        self._runner = runner

    def post(self, path: str, content: bytes | str, **options: Any) -> httpx.Response:
        return self._runner.run(self._client.post(path, content=content, **options))

    def post_all(self, path: str, contents: Sequence[str]) -> list[int]:
        """The statuses of the answers to many bodies, sent at once."""

        async def together() -> list[httpx.Response]:
            return await asyncio.gather(*(self._client.post(path, content=c) for c in contents))

        return [answer.status_code for answer in self._runner.run(together())]


@contextmanager
def answering(folder: Path, *tokens: bytes) -> Iterator[Client]:
    access = Access(tokens, max_body=32 << 20, waiting=64 << 20, rate=1e6, body_seconds=30.0)
    with closing(Spool(folder)) as spool, asyncio.Runner() as runner:
        yield Client(build_app(spool, access, ReceiverMetrics()), runner)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with answering(tmp_path) as client:
        yield client


def of(folder: Path) -> list[bytes]:
    """The lines of a folder, also those of a file that is still written."""
    return [line for file in folder.iterdir() for line in file.read_bytes().splitlines()]


@pytest.mark.parametrize("padding", [0, SMALL_BODY], ids=["small", "large"])
@pytest.mark.parametrize(
    ("path", "document", "read"),
    [
        pytest.param(EVENTS, EVENT, trino_events.from_json, id="event"),
        pytest.param(EVENTS, {"eventPayload": EVENT}, trino_events.from_json, id="of Kafka"),
        pytest.param(REPORTS, REPORT, iceberg_reports.from_json, id="report"),
    ],
)
@pytest.mark.slow
def test_a_wrong_type_in_any_field_is_refused_or_kept_and_read(
    client: Client, tmp_path: Path, path: str, document: dict[str, Any], read: Any, padding: int
) -> None:
    bodies = [json.dumps(damaged) + " " * padding for damaged in mutations(document)]
    answers = zip(bodies, client.post_all(path, bodies), strict=True)
    assert [answer for answer in answers if answer[1] not in {200, 204, 400, 413}] == []
    records = [read(line, "here") for folder in tmp_path.glob("*/") for line in of(folder)]
    assert len(records) > 100
    assert all(isinstance(r, ObservedQuery | ScanReport | Rejected) for r in records)


@pytest.mark.parametrize("path", [EVENTS, REPORTS])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b'{"a":[' + b"[]," * 4_000_000 + b"0]}", id="empty arrays"),
        pytest.param(b'{"a":[' + b"{}," * 4_000_000 + b"0]}", id="empty objects"),
        pytest.param(b'{"a":[' + b'"",' * 4_000_000 + b"0]}", id="empty texts"),
    ],
)
def test_more_values_than_are_built_are_refused(client: Client, path: str, content: bytes) -> None:
    answer = client.post(path, content=content)
    assert (answer.status_code, answer.json()) == (413, {"error": "too_many_values"})


@pytest.mark.slow
def test_a_large_event_of_few_values_is_kept(client: Client) -> None:
    event = json.loads(json.dumps(EVENT))
    event["metadata"]["plan"] = '{"a": [1, 2]}, ' * 1_000_000
    assert client.post(EVENTS, content=json.dumps(event)).status_code == 200


@pytest.mark.parametrize(
    ("content", "error"),
    [
        pytest.param(b"[" + b" " * SMALL_BODY + b"]", "not_an_object", id="array"),
        pytest.param(b'{"a": 1' + b" " * SMALL_BODY, "malformed_json", id="cut off"),
        pytest.param(b'{"a": "' + b" " * SMALL_BODY, "malformed_json", id="text that is cut off"),
        pytest.param(b'{"a": "\xff"}' + b" " * SMALL_BODY, "malformed_json", id="no UTF-8"),
        pytest.param(b"[" * SMALL_BODY * 2, "not_an_object", id="deep"),
        pytest.param(
            b'{"metadata": {"queryState": nul}}' + b" " * SMALL_BODY, "malformed_json", id="leaf"
        ),
    ],
)
def test_large_bodies_that_are_no_object_are_refused(
    client: Client, content: bytes, error: str
) -> None:
    answer = client.post(EVENTS, content=content)
    assert (answer.status_code, answer.json()["error"]) == (400, error)


LOCAL = ["localhost", "LocalHost:8787", "127.0.0.1", "127.8.0.1:1", "[::1]", "[::1]:8787"]
FOREIGN = ["evil.example", "localhost.evil.example", "10.0.0.1:8787", "[fe80::1]", "[::]"]
MALFORMED = ["[", "a b", "", "[::"]


@pytest.mark.parametrize("host", LOCAL)
def test_without_a_token_programs_of_this_machine_may_post(client: Client, host: str) -> None:
    answer = client.post(REPORTS, content=json.dumps(REPORT), headers={"Host": host})
    assert answer.status_code == 204


@pytest.mark.parametrize(
    "headers",
    [
        *({"Host": host} for host in (*FOREIGN, *MALFORMED)),
        {"Host": "localhost:8787", "Origin": "http://evil.example"},
        {"Host": "localhost:8787", "Origin": "http://localhost:8787"},
        {"Host": "localhost:8787", "Origin": "null"},
    ],
    ids=str,
)
@pytest.mark.parametrize(("path", "document"), [(EVENTS, EVENT), (REPORTS, REPORT)])
def test_without_a_token_no_page_in_a_browser_may_post(
    client: Client, tmp_path: Path, path: str, document: dict[str, Any], headers: dict[str, str]
) -> None:
    answer = client.post(path, content=json.dumps(document), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (403, "not_local")
    assert "token" in answer.json()["message"]
    assert list(tmp_path.glob("*/*")) == []


@pytest.mark.parametrize("host", [*LOCAL, *FOREIGN, *MALFORMED])
def test_with_a_token_any_host_is_answered(tmp_path: Path, host: str) -> None:
    headers = {"Host": host, "Origin": "http://evil.example", "Authorization": "Bearer known"}
    with answering(tmp_path, b"known") as client:
        answer = client.post(REPORTS, content=json.dumps(REPORT), headers=headers)
    assert answer.status_code == 204
