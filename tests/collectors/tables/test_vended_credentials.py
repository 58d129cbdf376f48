"""Files of a table are read on when the credentials that its catalog handed out have expired."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.storage.random_access import read_whole
from prunescope.collectors.storage.unreadable import FileUnreadable, Kind
from prunescope.collectors.tables.catalog import Table, load_catalog, open_table
from tests.audit_jobs.jobs.lakes import write_table
from tests.collectors.tables.odd_rest_catalog import TABLE, Answer, OddCatalog, odd_catalog
from tests.object_store import ACCESS_KEY, PROGRAM, SECRET_KEY, ObjectStore, Reply, serve

pytestmark = pytest.mark.slow

FILE = "t/metadata/a.avro"
REFUSED = "t/metadata/refused.avro"
HOUR = 3600.0


@pytest.fixture(scope="module")
def store(
    require_program: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectStore]:
    with serve(require_program(PROGRAM), tmp_path_factory.mktemp("store")) as running:
        running.put(FILE, b"content")
        yield running


@pytest.fixture
def answer(tmp_path: Path, store: ObjectStore) -> Callable[..., Answer]:
    """What a catalog answers for the table, with credentials of a secret that last so long."""
    metadata = json.loads(write_table(tmp_path).read_text())
    place = {key: store.properties[key] for key in ("s3.endpoint", "s3.region")}

    def made(secret: str, seconds: float | None, *, listed: bool = False) -> Answer:
        credentials = {"s3.access-key-id": ACCESS_KEY, "s3.secret-access-key": secret}
        if seconds is not None:
            until = str(int((time.time() + seconds) * 1000))
            credentials["s3.session-token-expires-at-ms"] = until
        config: dict[str, Any] = {"config": place | credentials}
        if listed:
            one = {"prefix": "s3://lake/", "config": credentials}
            config = {"config": place, "storage-credentials": [one]}
        location = "s3://lake/t/metadata/v1.metadata.json"
        return Answer(body={"metadata-location": location, "metadata": metadata, **config})

    return made


def opened(catalog: OddCatalog) -> Table:
    properties = catalog.properties | {"py-io-impl": "pyiceberg.io.pyarrow.PyArrowFileIO"}
    return open_table(load_catalog("lake", properties), TableName("lake", ("db",), "t"))


def read(table: Table, file: str = FILE) -> bytes:
    return read_whole(table.storage, f"s3://lake/{file}", 1_000)


@pytest.mark.parametrize("where", ["driver", "task"])
@pytest.mark.parametrize("listed", [False, True])
@pytest.mark.parametrize(
    "seconds",
    [
        pytest.param(-1.0, id="expired"),
        pytest.param(HOUR, id="refused-before"),
        pytest.param(None, id="refused"),
    ],
)
def test_files_are_read_with_others(
    answer: Callable[..., Answer], seconds: float | None, listed: bool, where: str
) -> None:
    answers = [answer("wrong", seconds, listed=listed), answer(SECRET_KEY, HOUR, listed=listed)]
    with odd_catalog({TABLE.format("t"): answers}) as catalog:
        table = opened(catalog)
        if where == "task":
            table = pickle.loads(pickle.dumps(table))  # noqa: S301  # of our own
        assert [read(table) for _ in range(3)] == [b"content"] * 3
        assert catalog.asked.count(TABLE.format("t")) == 2


def test_who_may_not_read_is_told_so(answer: Callable[..., Answer]) -> None:
    with odd_catalog({TABLE.format("t"): answer("wrong", HOUR)}) as catalog:
        table = opened(catalog)
        for _ in range(3):
            with pytest.raises(FileUnreadable) as caught:
                read(table)
            assert caught.value.kind is Kind.REFUSED
        assert catalog.asked.count(TABLE.format("t")) == 2
    assert SECRET_KEY not in str(caught.value)


def test_that_they_have_expired_is_told_where_there_are_no_others(
    answer: Callable[..., Answer], store: ObjectStore
) -> None:
    with odd_catalog({TABLE.format("t"): answer(SECRET_KEY, -1.0)}) as catalog:
        table = opened(catalog)
    store.fail(REFUSED, *[Reply(403, "AccessDenied")] * 9)  # the catalog has gone, too
    with pytest.raises(FileUnreadable, match="the credentials have expired, and no others") as told:
        read(table, REFUSED)
    assert told.value.kind is Kind.EXPIRED
