"""Whatever a REST catalog answers, it ends: each table in one outcome that says what to do."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from requests.exceptions import ReadTimeout

from prunescope.audit_jobs.jobs.tables import TableFinder
from prunescope.collectors.errors import (
    PrunescopeError,
    UnknownFormatVersion,
    UnreadableMetadata,
)
from prunescope.collectors.observed import TableName
from prunescope.collectors.storage import limits
from prunescope.collectors.tables.catalog import (
    CatalogUnavailable,
    Table,
    list_tables,
    load_catalog,
    load_in_time,
    open_table,
)
from tests.audit_jobs.jobs.lakes import config_of, write_table
from tests.collectors.tables.odd_rest_catalog import (
    CONFIG,
    LISTED,
    NAMESPACES,
    TABLE,
    TOKENS,
    Answer,
    odd_catalog,
    refusal,
)

pytestmark = pytest.mark.slow

LIMIT = 1.5
"""Seconds that a catalog has to answer, in place of those of a file."""

LATER = "run again when it is less busy, or look into its log"
NOT_REST = "its answer is not that of a REST catalog: check the property uri, and proxies"
SAID = "it said: X: no, Bearer … will not do"
HTML = Answer(body=b"<html>SECRET</html>")
OPENS: dict[str, Any] = {"defaults": {}, "overrides": {}}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait, and none for an answer, is as long as it is at night."""
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", LIMIT)
    monkeypatch.setattr("prunescope.collectors.tables.catalog_patience.FIRST_WAIT", 0.01)


@pytest.fixture
def loaded(tmp_path: Path) -> dict[str, Any]:
    """What a catalog answers for a table that is well."""
    location = write_table(tmp_path)
    metadata = json.loads(location.read_text())
    return {"metadata-location": str(location), "metadata": metadata, "config": {}}


def name(table: str) -> TableName:
    return TableName("lake", ("db",), table)


REFUSED = {
    "t401": (refusal(401), "answered 401 (not authenticated): check the credential or token, in"),
    "t403": (refusal(403), f"answered 403 (forbidden): ask for the right to use it; {SAID}"),
    "t418": (refusal(418), f"answered 418: check the property uri, and look into its log; {SAID}"),
    "t419": (refusal(419), "answered 419 (login expired): check the credential or token, in"),
    "t429": (refusal(429), f"answered 429 (too many requests): {LATER}"),
    "t500": (refusal(500), f"answered 500: look into its log, and try again; {SAID}"),
    "t503": (refusal(503), f"answered 503 (unavailable): {LATER}"),
    "t504": (refusal(504), f"answered 504 (gateway timed out): {LATER}"),
    "next_hour": (refusal(429, Retry_After="3600"), f"429 (too many requests): {LATER}"),
    "loop": (Answer(302, headers={"Location": TABLE.format("loop")}), "answered 302 (redirects)"),
    "elsewhere": (
        Answer(302, headers={"Location": "http://127.0.0.1:1"}),
        "connection was refused",
    ),
    "html": (HTML, NOT_REST),
    "list": (Answer(body=[]), NOT_REST),
    "null": (Answer(body=None), NOT_REST),
    "nothing": (Answer(), NOT_REST),
    "object": (Answer(body={}), NOT_REST),
    "unpacked": (Answer(body=b"{}", headers={"Content-Encoding": "gzip"}), NOT_REST),
    "cut": (Answer(body=b'{"metadata"', length=500), "the connection broke off: try again"),
    # The request and the table have one limit: either may be over first.
    "never": (Answer(pause=60), "did not "),
    "drop_by_drop": (Answer(body=[0] * 99, pause=0.2), f"within {LIMIT:g} s"),
}
"""What a catalog may answer for a table in place of it, and what a person is told of that."""


def test_what_a_catalog_answers_in_place_of_a_table(loaded: dict[str, Any], tmp_path: Path) -> None:
    answers = {table: answer for table, (answer, _) in REFUSED.items()}
    answers["well"] = Answer(body=loaded)
    with odd_catalog({TABLE.format(table): answer for table, answer in answers.items()}) as catalog:
        config = config_of(
            {},
            catalogs={"lake": {"properties": catalog.properties}},
            locations={"allow": [str(tmp_path)]},
        )
        tables = TableFinder(config).find(map(name, answers))
    assert list(tables.opened) == [name("well")]
    said = {found.table: str(error) for found, error in tables.failed.items()}
    wrong = {table: said[table] for table, (_, told) in REFUSED.items() if told not in said[table]}
    assert wrong == {}
    assert {error.code for error in tables.failed.values()} == {"catalog_unavailable"}
    assert all("SECRET" not in message for message in said.values())


def test_writing_to_a_catalog_that_never_answers_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prunescope.collectors.tables.catalog.FILE_SECONDS", 0.3)
    with odd_catalog({NAMESPACES: Answer(pause=60)}) as catalog:
        known = load_catalog("lake", catalog.properties)
        with pytest.raises(ReadTimeout):
            known.create_namespace("db")


@pytest.mark.parametrize("status", [429, 503])
def test_a_catalog_that_is_busy_for_a_moment_is_asked_again(
    loaded: dict[str, Any], status: int
) -> None:
    path = TABLE.format("t")
    for answers, asked in (
        ([refusal(status), refusal(status), Answer(body=loaded)], 3),
        ([refusal(status, Retry_After="0"), Answer(body=loaded)], 2),
        ([Answer(body=b"{", length=9), Answer(body=loaded)], 2),
    ):
        with odd_catalog({path: answers, CONFIG: [refusal(status), Answer(body=OPENS)]}) as catalog:
            table = open_table(load_in_time("lake", catalog.properties), name("t"))
        assert table.metadata.snapshots
        assert catalog.asked.count(path) == asked


def test_a_catalog_is_not_asked_before_it_wants_to_be(loaded: dict[str, Any]) -> None:
    path = TABLE.format("t")
    with odd_catalog({path: [refusal(429, Retry_After="1"), Answer(body=loaded)]}) as catalog:
        began = monotonic()
        open_table(load_catalog("lake", catalog.properties), name("t"))
        assert monotonic() - began >= 1
    with odd_catalog({path: [refusal(429, Retry_After="900"), Answer(body=loaded)]}) as catalog:
        with pytest.raises(CatalogUnavailable, match="429"):
            open_table(load_catalog("lake", catalog.properties), name("t"))
        assert catalog.asked.count(path) == 1


def opened(answer: dict[str, Any], folder: Path) -> Table:
    with odd_catalog({TABLE.format("t"): Answer(body=answer)}) as catalog:
        return open_table(load_catalog("lake", catalog.properties), name("t"), (), [str(folder)])


@pytest.mark.parametrize("kind", ["variant", "geometry(srid:4326)", "of_the_future"])
def test_a_column_of_a_type_that_pyiceberg_does_not_know(
    loaded: dict[str, Any], tmp_path: Path, kind: str
) -> None:
    added = {"id": 9, "name": "v", "required": False, "type": kind}
    loaded["metadata"]["schemas"][0]["fields"].append(added)
    assert opened(loaded, tmp_path).metadata.schema(None).by_path(("v",))


def test_metadata_that_is_malformed_is_the_tables_fault(
    loaded: dict[str, Any], tmp_path: Path
) -> None:
    loaded["metadata"]["format-version"] = 9
    with pytest.raises(UnknownFormatVersion, match=r"metadata\.json: format-version is 9"):
        opened(loaded, tmp_path)
    loaded["metadata"] = {"format-version": 2}
    with pytest.raises(UnreadableMetadata, match="is invalid: KeyError at 'schema'"):
        opened(loaded, tmp_path)


def test_an_answer_that_is_too_large_is_not_read_to_its_end(
    loaded: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "METADATA", 5 << 20)
    loaded["padding"] = "x" * (6 << 20)
    with pytest.raises(
        UnreadableMetadata, match=r"for db\.t has more than 5 MiB; expire snapshots"
    ):
        opened(loaded, tmp_path)
    monkeypatch.setattr(limits, "BUILT", 2 << 20)
    loaded["padding"] = [0] * 30_000
    with pytest.raises(UnreadableMetadata, match="takes more than 2 MiB when it is read; expire"):
        opened(loaded, tmp_path)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(Answer(pause=60), f"did not answer within {LIMIT:g} s", id="never"),
        pytest.param(
            Answer(body=OPENS, pause=0.2), f"did not answer within {LIMIT:g} s", id="drop-by-drop"
        ),
        pytest.param(Answer(302, headers={"Location": CONFIG}), "302 (redirects)", id="loop"),
        pytest.param(HTML, NOT_REST, id="html"),
        pytest.param(Answer(body=[]), NOT_REST, id="list"),
        pytest.param(Answer(body=None), NOT_REST, id="null"),
        pytest.param(Answer(body={"defaults": None}), "can read", id="defaults-null"),
        pytest.param(Answer(body={"overrides": None}), "can read", id="overrides-null"),
        pytest.param(Answer(body=OPENS, length=999), "the connection broke off", id="cut"),
        pytest.param(Answer(body=OPENS, length=9), NOT_REST, id="short"),
        pytest.param(refusal(429), LATER, id="429"),
        pytest.param(refusal(503), LATER, id="503"),
    ],
)
def test_catalogs_that_do_not_open(answer: Answer, message: str) -> None:
    with odd_catalog({CONFIG: answer}) as catalog, pytest.raises(CatalogUnavailable) as raised:
        load_in_time("lake", catalog.properties)
    assert message in str(raised.value)
    assert "SECRET" not in str(raised.value)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        pytest.param(refusal(500), "answered 500: look into its log, and try again", id="500"),
        pytest.param(refusal(503), f"answered 503 (unavailable): {LATER}", id="503"),
        pytest.param(
            Answer(401, {"error": "invalid_client"}),
            "answered 401 (not authenticated): check the properties credential, scope and",
            id="401",
        ),
        pytest.param(HTML, "the answer of its OAuth server has no token", id="html"),
        pytest.param(Answer(body={"token": "x"}), "has no token", id="no-token"),
        pytest.param(Answer(pause=60), "did not answer within", id="never"),
    ],
)
@pytest.mark.parametrize("path", [TOKENS, "/realms/lake/token"])
def test_token_endpoints_that_fail(answer: Answer, message: str, path: str) -> None:
    with odd_catalog({path: answer}) as catalog:
        credential = {"credential": "me:SECRET", "oauth2-server-uri": catalog.uri + path}
        with pytest.raises(CatalogUnavailable) as raised:
            load_in_time("lake", catalog.properties | credential)
    assert message in str(raised.value)
    assert "SECRET" not in str(raised.value)


def test_a_token_that_expires_at_night_is_fetched_anew(loaded: dict[str, Any]) -> None:
    token = Answer(body={"access_token": "t", "token_type": "bearer"})
    path = TABLE.format("t")
    for status in (401, 419):
        with odd_catalog({TOKENS: token, path: [refusal(status), Answer(body=loaded)]}) as catalog:
            server = catalog.uri + TOKENS
            credential = {"credential": "me:SECRET", "oauth2-server-uri": server}
            known = load_catalog("lake", catalog.properties | credential)
            before = catalog.asked.count(TOKENS)
            assert open_table(known, name("t")).metadata.snapshots
            assert catalog.asked.count(TOKENS) == before + 1


def test_a_catalog_may_move_its_own_address_and_warehouse(
    loaded: dict[str, Any], tmp_path: Path
) -> None:
    moved = TABLE.format("t").replace("/v1/", "/moved/v1/p/")
    with odd_catalog({moved: Answer(body=loaded)}) as catalog:
        overrides = {"uri": f"{catalog.uri}/moved", "prefix": "p", "warehouse": str(tmp_path)}
        catalog.answers[CONFIG] = [Answer(body={"defaults": {}, "overrides": overrides})]
        table = open_table(load_catalog("lake", catalog.properties), name("t"))
    assert table.storage.places is not None
    assert table.storage.places.has(str(tmp_path))


def test_a_catalog_that_moves_to_where_nobody_is() -> None:
    overrides = {"uri": "http://127.0.0.1:1/moved"}
    with odd_catalog({CONFIG: Answer(body={"defaults": {}, "overrides": overrides})}) as catalog:
        known = load_catalog("lake", catalog.properties)
        with pytest.raises(CatalogUnavailable) as raised:
            open_table(known, name("t"))
    assert "at http://127.0.0.1:1/moved cannot load lake.db.t: the connection was" in str(
        raised.value
    )


PAGE = {"identifiers": [{"namespace": ["db"], "name": "t"}], "next-page-token": "again"}


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        pytest.param({LISTED: Answer(body=PAGE)}, "did not answer within", id="pages-without-end"),
        pytest.param({LISTED: HTML}, NOT_REST, id="html"),
        pytest.param({LISTED: Answer(body={"identifiers": None})}, NOT_REST, id="null"),
        pytest.param({LISTED: refusal(403)}, "ask for the right to use it", id="403"),
        pytest.param({LISTED: refusal(429)}, LATER, id="429"),
        pytest.param({NAMESPACES: Answer(pause=60)}, "did not answer within", id="never"),
        pytest.param(
            {CONFIG: Answer(body=OPENS | {"endpoints": ["GET /v1/{prefix}/tables"]})},
            "it says that it does not answer GET /v1/{prefix}/namespaces: ask for a version",
            id="no-list",
        ),
    ],
)
def test_lists_that_do_not_end_well(answers: dict[str, Answer], message: str) -> None:
    with odd_catalog({NAMESPACES: Answer(body={"namespaces": [["db"]]}), **answers}) as catalog:
        known = load_catalog("lake", catalog.properties)
        with pytest.raises(PrunescopeError) as raised:
            list(list_tables(known))
    assert message in str(raised.value)
    assert raised.value.code == "catalog_unavailable"


@pytest.mark.parametrize("part", ["..", ".", "%2e%2e", "a/../../../v1/config", "db\x1fother"])
def test_no_name_leads_to_another_address(part: str) -> None:
    with odd_catalog({}) as catalog:
        opened = load_catalog("lake", catalog.properties)
        before = list(catalog.asked)
        for name_ in (TableName("lake", (part,), "t"), TableName("lake", ("db",), part)):
            with pytest.raises(PrunescopeError, match=r"is not asked for .*: a part of the name"):
                open_table(opened, name_)
        assert catalog.asked == before
