"""What a person reads where a catalog cannot be opened: which, where, why, what to do."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from prunescope.collectors.observed import TableName
from prunescope.collectors.tables.catalog import CatalogUnavailable, load_catalog, open_table
from prunescope.collectors.tables.catalog_errors import why_catalog_failed
from tests.collectors.addresses_tried import NOT_SHOWN


class Answering(BaseHTTPRequestHandler):
    """Answers with the status that the first part of the path is."""

    def do_GET(self) -> None:
        status = int(self.path.split("/")[1])
        body = b'{"defaults": {}, "overrides": {}}' if status == 200 else b"<html>SECRET</html>"
        if self.path.startswith("/200/config/v1/namespaces"):
            status, body = 403, b"no"
        if self.path.startswith("/200/html"):
            body = b"<html>SECRET</html>"
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server without TLS."""
    with HTTPServer(("127.0.0.1", 0), Answering) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"127.0.0.1:{serving.server_port}"
        serving.shutdown()
        thread.join()


def said(properties: dict[str, str]) -> str:
    with pytest.raises(CatalogUnavailable) as raised:
        load_catalog("lake", properties)
    message = str(raised.value)
    assert message.startswith("catalog 'lake' ")
    assert "SECRET" not in message
    assert "hidden" not in message
    assert "\n" not in message
    return message


@pytest.mark.parametrize(
    ("path", "message"),
    [
        pytest.param(
            "/401",
            "answered 401 (not authenticated): check the credential or token, in "
            "PYICEBERG_CATALOG__LAKE__CREDENTIAL or PYICEBERG_CATALOG__LAKE__TOKEN",
            id="401",
        ),
        pytest.param("/403", "answered 403 (forbidden): ask for the right to use it", id="403"),
        pytest.param(
            "/404", "answered 404 (not found): check the path of the property uri", id="404"
        ),
        pytest.param("/500", "answered 500: look into its log, and try again", id="500"),
        pytest.param(
            "/418", "answered 418: check the property uri, and look into its log", id="418"
        ),
        pytest.param(
            "/200/html",
            "its answer is not that of a REST catalog: check the property uri, and proxies",
            id="web",
        ),
    ],
)
def test_what_a_rest_catalog_answers(server: str, path: str, message: str) -> None:
    uri = f"http://{server}{path}"
    text = said({"type": "rest", "uri": uri})
    assert text.startswith(f"catalog 'lake' at {uri} cannot be opened: ")
    assert text.endswith(message)


def test_what_its_authorization_server_answers(server: str) -> None:
    tokens = f"http://{server}/401/v1/oauth/tokens"
    text = said(
        {"uri": f"http://{server}/401", "credential": "me:SECRET", "oauth2-server-uri": tokens}
    )
    assert text == (
        f"catalog 'lake' at http://{server}/401 cannot be opened: its OAuth server "
        f"{tokens} answered 401 (not authenticated): check the "
        "properties credential, scope and oauth2-server-uri"
    )


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        pytest.param(
            {"type": "rest", "uri": "http://127.0.0.1:1/api"},
            "at http://127.0.0.1:1/api cannot be opened: the connection was refused: is it "
            "running, and are host and port right?",
            id="refused",
        ),
        pytest.param(
            {"type": "rest", "uri": "http://me:SECRET@127.0.0.1:1"},
            "at http://127.0.0.1:1 cannot be opened: the connection was refused",
            id="no credentials of an address",
        ),
        pytest.param(
            {"type": "rest", "uri": "http://no.such.host.invalid"},
            "the host is not known: check its name, and that this machine can resolve it",
            id="no such host",
        ),
        pytest.param(
            {"type": "rest", "uri": "catalog.example.com"},
            "'lake' cannot be opened: the property uri has no scheme: write "
            "https://catalog.example.com",
            id="no scheme",
        ),
        pytest.param(
            {"type": "rest", "uri": "me:SECRET@catalog.example.com/x"},
            "the property uri has no scheme: write https://catalog.example.com/x",
            id="no scheme, and a password",
        ),
        pytest.param(
            {"type": "rest", "uri": "//me:SECRET@catalog.example.com"},
            "the property uri has no scheme: write https://host",
            id="half a scheme, and a password",
        ),
        pytest.param(
            {
                "type": "rest",
                "uri": "http://127.0.0.1:1",
                "oauth2-server-uri": "me:SECRET@host/tokens",
                "credential": "me:SECRET",
            },
            "the property oauth2-server-uri has no scheme: write https://host/tokens",
            id="no scheme of the authorization server",
        ),
        *(
            pytest.param(
                {"type": "sql", "uri": uri},
                "catalog 'lake' cannot be opened",
                id=uri,
            )
            for uri in NOT_SHOWN
            if "sqlite" not in uri
        ),
        pytest.param(
            {"type": "rest"},
            "cannot be opened: it has no property uri: add catalogs.lake.properties.uri, or set "
            "PYICEBERG_CATALOG__LAKE__URI",
            id="no uri",
        ),
        pytest.param(
            {},
            "cannot be opened: it has no property uri",
            id="nothing",
        ),
        pytest.param(
            {"type": "REST2", "uri": "http://x"},
            "type 'REST2' is not known: did you mean rest?",
            id="misspelt type",
        ),
        pytest.param(
            {"type": "oracle"},
            "type 'oracle' is not known: it is one of rest, hive, glue, dynamodb, sql",
            id="unknown type",
        ),
        pytest.param(
            {"uri": "oracle://x"},
            "its type does not follow from uri: add the property type, one of rest, hive",
            id="type from uri",
        ),
        pytest.param(
            {"type": "sql", "uri": "sqlite:////no/such/folder/catalog.db"},
            "at sqlite:////no/such/folder/catalog.db cannot be opened: there is no file "
            "/no/such/folder/catalog.db; check the path",
            id="sqlite",
        ),
        pytest.param(
            {"type": "sql", "uri": "junk"},
            "the property uri is no address of a database: write sqlite:////path/catalog.db or "
            "postgresql+psycopg2://host/database",
            id="no database",
        ),
        pytest.param(
            {"type": "rest", "py-catalog-impl": "no.such.Catalog"},
            "it has both type and py-catalog-impl: leave one out",
            id="two kinds",
        ),
        pytest.param(
            {"py-catalog-impl": "no.such.Catalog"},
            "py-catalog-impl no.such.Catalog cannot be imported: install it, or check its name",
            id="no such class",
        ),
    ],
)
def test_what_is_wrong_with_its_properties(
    properties: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYICEBERG_HOME", "/none")
    assert message in said(properties)


def test_tls_where_there_is_none(server: str) -> None:
    text = said({"type": "rest", "uri": f"https://{server}/200"})
    assert f"catalog 'lake' at https://{server}/200 cannot be opened: " in text
    assert text.endswith(
        "it does not speak TLS: write http:// in the property uri, or another port"
    )


@pytest.mark.parametrize(
    ("reason", "message"),
    [
        pytest.param(
            "CERTIFICATE_VERIFY_FAILED",
            "its certificate is not trusted (self-signed certificate): name the file of its "
            "authority in REQUESTS_CA_BUNDLE",
            id="certificate",
        ),
        pytest.param(
            "TLSV1_ALERT_PROTOCOL_VERSION",
            "TLS failed (TLSV1_ALERT_PROTOCOL_VERSION): check the property uri, and proxies",
            id="anything else",
        ),
    ],
)
def test_tls_that_fails(reason: str, message: str) -> None:
    error = ssl.SSLCertVerificationError(1, "x")
    error.reason, error.verify_message = reason, "self-signed certificate"
    raised = ConnectionError("around it")
    raised.__cause__ = error
    assert why_catalog_failed(raised, "lake", {}) == message


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (
            "NoCredentialsError",
            "there are no AWS credentials: set AWS_PROFILE or AWS_ACCESS_KEY_ID",
        ),
        ("NoRegionError", "no AWS region is set: set AWS_REGION"),
        ("TTransportException", "the connection failed: is it running"),
        ("ConnectTimeout", "it did not answer in time: is it running"),
        ("ZebraError", "ZebraError: check its type, uri and credentials"),
    ],
)
def test_errors_of_other_clients_by_their_names(kind: str, message: str) -> None:
    error = type(kind, (Exception,), {})("me:hidden")
    told = why_catalog_failed(error, "lake", {})
    assert message in told
    assert "hidden" not in told


def test_a_client_that_is_not_installed_is_named() -> None:
    error = type("NotInstalledError", (Exception,), {})(
        "AWS glue support not installed: pip install 'pyiceberg[glue]'"
    )
    assert why_catalog_failed(error, "lake", {}) == (
        "what it needs is not installed: pip install 'prunescope[glue]'"
    )
    other = type("NotInstalledError", (Exception,), {})("pip install 'pyiceberg[dynamodb]'")
    assert "pip install 'pyiceberg[dynamodb]'" in why_catalog_failed(other, "lake", {})


def test_a_table_that_a_catalog_does_not_hand_over_says_why_too(server: str) -> None:
    catalog = load_catalog("lake", {"type": "rest", "uri": f"http://{server}/200/config"})
    with pytest.raises(CatalogUnavailable) as raised:
        open_table(catalog, TableName("lake", ("db",), "t"))
    assert str(raised.value) == (
        f"catalog 'lake' at http://{server}/200/config cannot load lake.db.t: answered 403 "
        "(forbidden): ask for the right to use it"
    )
