"""The receiver as a process of its own, with real clients: whom it answers, and how."""

from __future__ import annotations

import gzip
import re
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from tests.integration.receivers import HEAD, HEADERS, METRICS_PATH, TOKEN, Receiver, running

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("method", "path", "content", "headers", "status"),
    [
        pytest.param("POST", "/v1/trino/events", b"{}", {}, 401, id="no token"),
        pytest.param(
            "POST", "/v1/trino/events", b"{}", {"Authorization": "Bearer no"}, 401, id="wrong token"
        ),
        pytest.param("POST", "/v1/trino/events", b"{", HEADERS, 400, id="no JSON"),
        pytest.param("POST", "/v1/trino/events", b"[]", HEADERS, 400, id="no object"),
        pytest.param("POST", "/v1/trino/events", b"[" * 4000, HEADERS, 400, id="deep nesting"),
        pytest.param(
            "POST", "/v1/trino/events", '{"a": 1}'.encode("utf-16"), HEADERS, 400, id="no UTF-8"
        ),
        pytest.param("POST", "/v1/trino/events", b"{}", HEADERS, 200, id="another event"),
        pytest.param("PUT", "/v1/trino/events", b"{}", HEADERS, 200, id="Trino puts, if told to"),
        pytest.param("POST", METRICS_PATH, b"{}", HEADERS, 400, id="no report"),
        pytest.param(
            "POST", METRICS_PATH, b'{"report-type": "commit-report"}', HEADERS, 204, id="a commit"
        ),
        pytest.param("POST", "/v1/trino/events", b" " * 5000, HEADERS, 413, id="too large"),
        pytest.param(
            "POST",
            "/v1/trino/events",
            gzip.compress(b" " * 10_000_000),
            {**HEADERS, "Content-Encoding": "gzip"},
            413,
            id="large when unpacked",
        ),
        pytest.param(
            "POST",
            "/v1/trino/events",
            gzip.compress(b'{"a": 1}')[:-9],
            {**HEADERS, "Content-Encoding": "gzip"},
            400,
            id="cut off when packed",
        ),
        pytest.param(
            "POST",
            "/v1/trino/events",
            gzip.compress(b"{}") * 2,
            {**HEADERS, "Content-Encoding": "gzip"},
            400,
            id="two bodies in one",
        ),
        pytest.param(
            "POST",
            METRICS_PATH.replace("db", "db%1Finner").replace("/t/", "/a%2Fb/"),
            b'{"report-type": "commit-report"}',
            HEADERS,
            204,
            id="names with separators",
        ),
        pytest.param(
            "POST",
            "/v1/trino/events",
            b"{}",
            {**HEADERS, "Content-Encoding": "br"},
            415,
            id="packed otherwise",
        ),
        pytest.param("GET", "/v1/trino/events", b"", HEADERS, 405, id="no post"),
        pytest.param("POST", "/v2/other", b"{}", HEADERS, 404, id="nowhere"),
        pytest.param("POST", "/v1/trino/events/", b"{}", {}, 404, id="no redirect"),
        pytest.param("GET", "/readyz", b"", {}, 200, id="ready"),
    ],
)
def test_answers(
    small: Receiver, method: str, path: str, content: bytes, headers: dict[str, str], status: int
) -> None:
    answer = httpx.request(method, small.url + path, content=content, headers=headers)
    assert answer.status_code == status
    assert TOKEN not in answer.text


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    """A receiver that takes small bodies only."""
    directory = tmp_path_factory.mktemp("small")
    with running(directory, "--max-body", "4096", "--body-seconds", "1") as receiver:
        yield receiver


def test_a_body_that_never_comes_is_given_up(small: Receiver) -> None:
    with small.connect() as connection:
        connection.sendall(HEAD + b"Content-Length: 100\r\n\r\n{")
        assert b" 408 " in connection.recv(1024)


def test_a_body_of_two_lengths_is_refused(small: Receiver) -> None:
    lengths = b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n"
    with small.connect() as connection:
        connection.sendall(HEAD + lengths + b"\r\n2\r\n{}\r\n0\r\n\r\n")
        answer = b""
        while got := connection.recv(1024):  # and it is closed
            answer += got
    assert b" 400 " in answer.partition(b"\r\n")[0]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"", HEAD, id="half of the headers"),
        pytest.param(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", HEAD, id="half of the second"),
        pytest.param(
            b"POST /v1/trino/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
            b"{",
            id="half of a body that was refused",
        ),
    ],
)
def test_a_connection_that_brings_no_request_is_closed(
    small: Receiver, first: bytes, then: bytes
) -> None:
    with small.connect() as connection:
        if first:
            connection.sendall(first)
            assert connection.recv(1024)
        connection.sendall(then)
        while connection.recv(1024):
            pass


def test_metrics_tell_what_came(small: Receiver) -> None:
    assert small.post_event("counted").status_code == 200
    exposed = small.metrics()
    kept = re.search(
        r'prunescope_receiver_requests_total\{kind="trino",outcome="kept"\} (\S+)', exposed
    )
    assert kept is not None
    assert float(kept[1]) >= 1
    assert "prunescope_receiver_commit_seconds_count" in exposed


def test_too_many_requests_are_told_to_come_back(tmp_path: Path) -> None:
    with running(tmp_path / "in", "--rate", "2") as receiver:
        answers = [receiver.post_event(f"e{number}") for number in range(6)]
    statuses = [answer.status_code for answer in answers]
    assert statuses[:2] == [200, 200]
    assert 429 in statuses
    assert all(a.headers["Retry-After"] for a in answers if a.status_code == 429)


def test_it_serves_tls(tmp_path: Path, require_program: Callable[[str], Path]) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *(require_program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", key, "-out", certificate),
        ],
        check=True,
        capture_output=True,
    )
    options = ("--tls-certificate", str(certificate), "--tls-key", str(key))
    trusted = ssl.create_default_context(cafile=certificate)
    with running(tmp_path / "in", *options, scheme="https") as receiver:
        assert receiver.post_event("one", verify=trusted).status_code == 200
        receiver.stop()
        assert receiver.events() == ["one"]


def test_without_a_token_only_this_machine_may_post(tmp_path: Path) -> None:
    with running(tmp_path / "in", "--host", "0.0.0.0", token="") as receiver:  # noqa: S104  # refused
        _, errors = receiver.process.communicate(timeout=60)
    assert receiver.process.returncode == 2
    assert "PRUNESCOPE_COLLECT_TOKEN" in errors


def test_two_receivers_do_not_share_a_directory(tmp_path: Path) -> None:
    with running(tmp_path / "in"), running(tmp_path / "in") as second:
        _, errors = second.process.communicate(timeout=60)
    assert second.process.returncode == 2
    assert "another process" in errors
