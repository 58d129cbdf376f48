"""What a storage service said is told, and not taken for corruption."""

from __future__ import annotations

import datetime as dt
import itertools
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.errors import TableError
from prunescope.collectors.storage import random_access
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.locations import shown
from prunescope.collectors.storage.one_request import read_by_one_request
from prunescope.collectors.storage.random_access import within
from prunescope.collectors.storage.unreadable import (
    OF_CREDENTIALS,
    FileUnreadable,
    Kind,
    unreadable,
)
from prunescope.collectors.tables.manifest_list import read_manifest_list
from prunescope.collectors.tables.manifests import read_manifest
from prunescope.collectors.tables.metadata import Snapshot
from tests.object_store import ACCESS_KEY, BUCKET, PROGRAM, SECRET_KEY, ObjectStore, serve

pytestmark = pytest.mark.slow

LOCATION = "s3://lake/t/metadata/a.avro"


@pytest.fixture(scope="module", autouse=True)
def no_waiting() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(random_access, "FIRST_WAIT", 0.01)
        yield


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """A server on loopback; its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer(self)

        do_HEAD = do_GET  # noqa: N815  # the name that http.server looks for

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def status(number: int, code: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(request: BaseHTTPRequestHandler) -> None:
        # As real services do: their answers quote what they were sent.
        message = f"{ACCESS_KEY} {SECRET_KEY}"
        body = f"<Error><Code>{code}</Code><Message>{message}</Message></Error>"
        send(request, number, body.encode())

    return answer


def send(request: BaseHTTPRequestHandler, number: int, body: bytes) -> None:
    request.send_response(number)
    request.send_header("Content-Type", "application/xml")
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    if request.command == "GET":
        request.wfile.write(body)


def hang_up(request: BaseHTTPRequestHandler) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def storage(endpoint: str, client: str) -> Storage:
    kind = {"arrow": "pyarrow.PyArrowFileIO", "fsspec": "fsspec.FsspecFileIO"}[client]
    return Storage(
        properties={
            "py-io-impl": f"pyiceberg.io.{kind}",
            "s3.endpoint": endpoint,
            "s3.region": "us-east-1",
            "s3.access-key-id": ACCESS_KEY,
            "s3.secret-access-key": SECRET_KEY,
            # Each of these answers comes at once, if not always so on a busy machine.
            "s3.connect-timeout": "10",
            "s3.request-timeout": "10",
        }
    )


def failures(reading: Storage) -> list[TableError]:
    """What becomes of a manifest list and a manifest, which wait for the service at once."""
    snapshot = Snapshot(7, dt.datetime.now(dt.UTC), LOCATION, (), None, {})

    def failure(read: Callable[[], object]) -> TableError:
        with pytest.raises(TableError) as caught:
            read()
        return caught.value

    with ThreadPoolExecutor() as readers:
        reads = (
            lambda: read_manifest_list(snapshot, reading),
            lambda: read_manifest(LOCATION, reading, columns=None),
        )
        return list(readers.map(failure, reads))


ANSWERS = {
    "denied": status(403, "AccessDenied"),
    "wrong-secret": status(403, "SignatureDoesNotMatch"),
    "gone": status(404, "NoSuchKey"),
    "no-bucket": status(404, "NoSuchBucket"),
    "expired": status(400, "ExpiredToken"),
    "no-token": status(400, "InvalidToken"),
    "other-region": status(301, "PermanentRedirect"),
    "429": status(429, "TooMany"),
    "503": status(503, "SlowDown"),
    "500": status(500, "InternalError"),
    "closed": hang_up,
}


@pytest.fixture(scope="module")
def told() -> Mapping[str, list[TableError]]:
    """What becomes of each answer. Arrow asks again for seconds: all of them are waited for at
    once."""

    def asked(answer: Callable[[BaseHTTPRequestHandler], None]) -> list[TableError]:
        with answering(answer) as endpoint:
            return failures(storage(endpoint, "arrow"))

    with ThreadPoolExecutor(len(ANSWERS)) as clients:
        return dict(zip(ANSWERS, clients.map(asked, ANSWERS.values()), strict=True))


@pytest.mark.parametrize(
    ("answer", "code", "word"),
    [
        ("denied", "access_denied", "refused"),
        ("wrong-secret", "access_denied", "refused"),
        ("gone", "unreadable_metadata", "does not exist"),
        ("no-bucket", "unreadable_metadata", "does not exist"),
        # The answer to a HEAD has no body that could say more.
        ("expired", "access_denied", "have the credentials expired, and is the region right?"),
        ("no-token", "access_denied", "have the credentials expired, and is the region right?"),
        ("other-region", "storage_unreachable", "check the properties s3.region"),
        ("429", "storage_throttled", "fewer requests"),
        ("503", "storage_throttled", "fewer requests"),
        ("500", "storage_unreachable", "failed"),
        ("closed", "storage_unreachable", "broke"),
    ],
)
def test_what_the_service_said_is_the_outcome(
    told: Mapping[str, list[TableError]], answer: str, code: str, word: str
) -> None:
    for error in told[answer]:
        assert error.code == code
        assert word in str(error)
        assert LOCATION in str(error)
        assert "corrupt" not in str(error)
        assert ACCESS_KEY not in str(error)
        assert SECRET_KEY not in str(error)


@pytest.mark.parametrize(
    ("number", "name", "kind"),
    [
        (403, "AccessDenied", Kind.REFUSED),
        (403, "SignatureDoesNotMatch", Kind.REFUSED),
        (404, "NoSuchKey", Kind.MISSING),
        (404, "NoSuchBucket", Kind.MISSING),
        (400, "ExpiredToken", Kind.EXPIRED),
        (403, "ExpiredToken", Kind.EXPIRED),
        (400, "InvalidToken", Kind.EXPIRED),
        (400, "AnythingElse", Kind.BAD_REQUEST),
        (416, "InvalidRange", Kind.SHORT),
    ],
)
@pytest.mark.parametrize("client", ["arrow", "fsspec"])
def test_what_the_service_calls_it_is_told(client: str, number: int, name: str, kind: Kind) -> None:
    if client == "fsspec":
        pytest.importorskip("s3fs")
    with answering(status(number, name)) as endpoint, pytest.raises(FileUnreadable) as caught:
        read_by_one_request(storage(endpoint, client), LOCATION, 10_000)
    said = str(caught.value)
    # Arrow reads a name only where its buffer has nothing behind it: `unreadable` tells why.
    nameless = {400: {Kind.BAD_REQUEST}, 403: {Kind.REFUSED}} if client == "arrow" else {}
    assert caught.value.kind in {kind} | nameless.get(number, set()), said
    assert said.startswith(f"{LOCATION}: ")
    assert ACCESS_KEY not in said


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Unable to parse ExceptionName: ExpiredToken Message: so it is", Kind.EXPIRED),
        ("Unable to parse ExceptionName: InvalidToken Message: so it is", Kind.EXPIRED),
        ("Unable to parse ExceptionName: AnythingElse Message: so it is", Kind.BAD_REQUEST),
        ("", Kind.BAD_REQUEST),
        ("No response body.", Kind.BAD_REQUEST),
    ],
)
def test_words_of_arrow_are_understood(words: str, kind: Kind) -> None:
    said = f"AWS Error UNKNOWN (HTTP status 400) during GetObject operation: {words}"
    assert unreadable(LOCATION, OSError(said)).kind is kind


def test_what_an_earlier_answer_left_behind_changes_no_more_than_the_words() -> None:
    """Answers before were longer than the error, as files are."""
    earlier, expired = b"<after>" * 1_500, status(400, "ExpiredToken")
    answers = itertools.cycle([lambda request: send(request, 206, earlier), expired])

    def answer(request: BaseHTTPRequestHandler) -> None:
        next(answers)(request)

    with answering(answer) as endpoint:
        reading = storage(endpoint, "arrow")
        for _ in range(10):
            assert read_by_one_request(reading, LOCATION, len(earlier)) == earlier
            with pytest.raises(FileUnreadable) as caught:
                read_by_one_request(reading, LOCATION, len(earlier))
            assert caught.value.kind in OF_CREDENTIALS


@pytest.mark.parametrize(
    ("number", "name", "kind"),
    [
        (400, "AuthorizationHeaderMalformed", Kind.ELSEWHERE),
        (403, "RequestTimeTooSkewed", Kind.OTHER_CLOCK),
    ],
)
def test_another_region_or_time_is_told(number: int, name: str, kind: Kind) -> None:
    """Arrow's client asks again by other means then, and tells of either answer."""
    pytest.importorskip("s3fs")
    answer = status(number, name)
    with answering(answer) as endpoint, pytest.raises(FileUnreadable) as caught:
        read_by_one_request(storage(endpoint, "fsspec"), LOCATION, 10_000)
    assert caught.value.kind is kind


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        pytest.param(status(403, "AccessDenied"), "access_denied", id="denied"),
        pytest.param(status(404, "NoSuchKey"), "unreadable_metadata", id="gone"),
        pytest.param(status(400, "InvalidToken"), "access_denied", id="no-token"),
    ],
)
def test_fsspec_is_understood_too(
    answer: Callable[[BaseHTTPRequestHandler], None], code: str
) -> None:
    pytest.importorskip("s3fs")
    with answering(answer) as endpoint:
        for error in failures(storage(endpoint, "fsspec")):
            assert error.code == code


def test_nobody_there_is_told() -> None:
    for error in failures(storage("http://127.0.0.1:1", "arrow")):
        assert error.code == "storage_unreachable"
        assert "endpoint" in str(error)


def test_a_server_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_access, "FILE_SECONDS", 1.0)
    ended = threading.Event()

    def drip(request: BaseHTTPRequestHandler) -> None:
        request.send_response(206 if request.headers["Range"] else 200)
        request.send_header("Content-Length", "1000000")
        request.end_headers()
        while request.command == "GET" and not ended.wait(0.05):
            request.wfile.write(b"x")

    try:
        with answering(drip) as endpoint:
            for error in failures(storage(endpoint, "arrow")):
                assert error.code == "storage_too_slow"
            ended.set()
    finally:
        ended.set()


def test_what_takes_too_long_is_left_and_what_fails_fails() -> None:
    ended = threading.Event()
    with pytest.raises(FileUnreadable) as caught:
        within(0.05, ended.wait, "s3://lake/a")
    ended.set()
    assert caught.value.kind is Kind.TOO_SLOW
    with pytest.raises(TimeoutError, match="mine"):
        within(5, lambda: (_ for _ in ()).throw(TimeoutError("mine")), "s3://lake/a")
    assert within(5, lambda: 7, "s3://lake/a") == 7


@pytest.fixture(scope="module")
def store(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectStore]:
    with serve(require_program(PROGRAM), tmp_path_factory.mktemp("store")) as running:
        yield running


def test_a_wrong_secret_is_no_corruption(store: ObjectStore) -> None:
    location = store.put("t/metadata/a.avro", b"not Avro")
    snapshot = Snapshot(7, dt.datetime.now(dt.UTC), location, (), None, {})
    reading = Storage(properties=store.properties)
    with pytest.raises(TableError) as caught:
        read_manifest_list(snapshot, reading)
    assert caught.value.code == "unreadable_metadata"
    wrong = Storage(properties=store.properties | {"s3.secret-access-key": "notTheSecret"})
    with pytest.raises(TableError) as caught:
        read_manifest_list(snapshot, wrong)
    assert caught.value.code == "access_denied"
    assert f"s3://{BUCKET}/t/metadata/a.avro" in str(caught.value)


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("s3://KEY:SECRET@lake/a", "s3://lake/a"),
        ("https://u:p@host/a?X-Amz-Signature=s", "https://host/a"),
        ("abfss://c@account.dfs.core.windows.net/a", "abfss://c@account.dfs.core.windows.net/a"),
        ("s3://lake/a?b@c", "s3://lake/a?b@c"),
        ("/a@b", "/a@b"),
    ],
)
def test_credentials_of_a_location_are_not_shown(location: str, expected: str) -> None:
    assert shown(location) == expected
    assert str(FileUnreadable(location, Kind.REFUSED)).startswith(f"{expected}: ")
