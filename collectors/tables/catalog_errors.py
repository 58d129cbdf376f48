"""Causes of the failure of a catalog, and remedies, in words.

Every kind of catalog raises what its client raises, wrapped more or less. Nothing of a client's
message is quoted but a status, a reason code, what `server_messages` lets through, or a text that
is known to hold neither credentials nor queries.
"""

from __future__ import annotations

import re
import socket
import sqlite3
import ssl
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from http.client import HTTPException

from prunescope.collectors.addresses import address_shown
from prunescope.collectors.errors import TableError, UnreadableMetadata
from prunescope.collectors.storage.credentials import told_credentials
from prunescope.collectors.storage.files import Storage
from prunescope.collectors.storage.unreadable import FileMissing
from prunescope.collectors.tables.catalog_variables import variable
from prunescope.collectors.tables.server_messages import said_by

TYPES = ("rest", "hive", "glue", "dynamodb", "sql", "in-memory", "bigquery")
"""Types of catalogs of PyIceberg 0.12."""
_EXTRAS = ("glue", "hive")
"""Ours of the same name."""

_EXTRA = re.compile(r"pyiceberg\[(?P<name>[\w-]+)\]")
_NO_IMPORT = re.compile(r"Could not initialize Catalog: (?P<name>[\w.]+)")
_NO_ENDPOINT = re.compile(r"Server does not support endpoint: (?P<name>[A-Z]+ [\w/{}-]+)$")
_NO_LOCATION = re.compile(r"(Table|Iceberg required) property \S*metadata_location is missing")
_NO_TYPE = re.compile(r"'(?P<name>[^']*)' is not a valid CatalogType")

_STATUS = {
    302: "302 (redirects)",
    401: "401 (not authenticated)",
    403: "403 (forbidden)",
    404: "404 (not found)",
    408: "408 (timed out)",
    419: "419 (login expired)",
    429: "429 (too many requests)",
    502: "502 (bad gateway)",
    503: "503 (unavailable)",
    504: "504 (gateway timed out)",
}
LATER = frozenset({408, 429, 502, 503, 504})
"""Statuses that say nothing of the request, and may be others a moment later."""
BROKEN = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, HTTPException)
"""Errors of a connection that was made, so that the server exists."""
_ANOTHER_TIME = "run again when it is less busy, or look into its log"
_NOT_REST = "its answer is not that of a REST catalog: check the property uri, and proxies"
_OF_TOKENS = "check the properties credential, scope and oauth2-server-uri"
_BY_HTTP = ("uri", "oauth2-server-uri")
_MISREAD = "its answer is none that PyIceberg can read: check the property uri, and its version"
_BY_NAME = {
    "NoCredentialsError": "there are no AWS credentials: set AWS_PROFILE or AWS_ACCESS_KEY_ID and "
    "AWS_SECRET_ACCESS_KEY, or run where a role has them",
    "NoRegionError": "no AWS region is set: set AWS_REGION, or the property glue.region",
    "TTransportException": "the connection failed: is it running, and are host and port right?",
    "EndpointConnectionError": "the connection failed: is it running, and are host and port right?",
    "ArgumentError": "the property uri is no address of a database: write "
    "sqlite:////path/catalog.db or postgresql+psycopg2://host/database",
    "JSONDecodeError": _NOT_REST,
    "ValidationError": _NOT_REST,
    "ContentDecodingError": _NOT_REST,
    "AttributeError": _MISREAD,
    "TypeError": _MISREAD,
}
"""Explanations of errors by class, of clients that need not be installed."""


def why_catalog_failed(error: BaseException, name: str, properties: Mapping[str, object]) -> str:
    """The cause of an error that a catalog of this name and these properties raised, and what to do
    about it."""
    raised = list(chain(error))
    for explain in (_of_setting, _of_answer, _of_connection, _of_name):
        for one in raised:
            told = explain(one, name, properties)
            if told is not None:
                return told
    return f"{type(error).__name__}: check its type, uri and credentials in the configuration"


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and its causes, the outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def answered(error: BaseException) -> int | None:
    """The HTTP status of the answer that raised an error; None if there was no answer."""
    status = getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def is_refused(error: BaseException) -> bool:
    """True if an AWS service, or whoever answers by HTTP, denies the right to ask."""
    response = getattr(error, "response", None)
    code = response.get("Error", {}).get("Code") if isinstance(response, dict) else None
    return code in ("AccessDenied", "AccessDeniedException") or answered(error) == 403


def why_no_table(error: BaseException) -> str | None:
    """The kind of entry that a catalog has by a table's name but cannot load, and the remedy; None
    if it has none."""
    if _NO_LOCATION.match(str(error)):
        return "but not where its metadata file is: register it again"
    if type(error).__name__ in ("NoSuchIcebergTableError", "NoSuchPropertyException"):
        return "but not as an Iceberg table: queries of it cannot be replayed"
    return None


def _of_setting(error: BaseException, name: str, properties: Mapping[str, object]) -> str | None:
    text = str(error)
    kind = type(error).__name__
    if kind == "NotInstalledError":
        extra = _EXTRA.search(text)
        found = "" if extra is None else extra["name"]
        package = f"prunescope[{found}]" if found in _EXTRAS else f"pyiceberg[{found}]"
        return f"what it needs is not installed: pip install '{package}'"
    if kind in ("MissingSchema", "InvalidSchema"):
        return _without_scheme(properties)
    if found_endpoint := _NO_ENDPOINT.match(text):
        return (
            f"it says that it does not answer {found_endpoint['name']}: ask for a version of it "
            "that does"
        )
    if not isinstance(error, ValueError):
        return None
    if text.startswith("URI missing"):
        return (
            f"it has no property uri: add catalogs.{name}.properties.uri, or set "
            f"{variable(name, 'uri')}"
        )
    if text.startswith("No default path is set"):
        return (
            f"it has no property warehouse: add catalogs.{name}.properties.warehouse, or set "
            f"{variable(name, 'warehouse')}"
        )
    if text.startswith("Must not set both catalog type"):
        return "it has both type and py-catalog-impl: leave one out"
    if text.startswith("Could not infer the catalog type"):
        return f"its type does not follow from uri: add the property type, one of {_types()}"
    if found_import := _NO_IMPORT.search(text):
        return (
            f"py-catalog-impl {found_import['name']} cannot be imported: install it, or check its "
            "name"
        )
    if _NO_TYPE.search(text):
        given = str(properties.get("type", ""))
        close = get_close_matches(given.lower(), TYPES, 1)
        advice = f"did you mean {close[0]}?" if close else f"it is one of {_types()}"
        return f"type {given!r} is not known: {advice}"
    return None


def _without_scheme(properties: Mapping[str, object]) -> str:
    """The address without a scheme among those that are asked by HTTP, and the way to write it."""
    given = ((key, str(properties[key])) for key in _BY_HTTP if key in properties)
    wrong = [(key, uri) for key, uri in given if not uri.startswith(("http://", "https://"))]
    key, uri = wrong[0] if wrong else ("uri", "")
    written = None if "://" in uri else address_shown(f"https://{uri}")
    return f"the property {key} has no scheme: write {written or 'https://host'}"


def _types() -> str:
    return ", ".join(TYPES)


def _of_answer(error: BaseException, name: str, properties: Mapping[str, object]) -> str | None:
    """The meaning of an HTTP status, or the error code of an AWS service, with the server's
    message. For a failed login it names what was sent, and no more than the status."""
    told = _of_refusal(error, name, properties)
    if told is None or answered(error) in (401, 419):
        return told
    said = said_by(error, properties)
    return told if said is None else f"{told}; it said: {said}"


def _of_refusal(error: BaseException, name: str, properties: Mapping[str, object]) -> str | None:
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        code = response.get("Error", {}).get("Code", "")
        return f"AWS answered {code}: check credentials, region and rights"
    status = answered(error)
    if status is None:
        return None
    url = str(getattr(response, "url", ""))
    said = f"answered {_STATUS.get(status, status)}"
    if _is_of_tokens(url, properties):
        shown = address_shown(url)
        server = "its OAuth server" if shown is None else f"its OAuth server {shown}"
        return f"{server} {said}: {_of_status(status) or _OF_TOKENS}"
    match status:
        case 401 | 419:
            advice = (
                f"check the credential or token, in {variable(name, 'credential')} or "
                f"{variable(name, 'token')}"
            )
        case 403:
            advice = "ask for the right to use it"
        case 404:
            advice = "check the path of the property uri"
        case _:
            advice = _of_status(status) or "check the property uri, and look into its log"
    return f"{said}: {advice}"


def _is_of_tokens(url: str, properties: Mapping[str, object]) -> bool:
    given = str(properties.get("oauth2-server-uri", ""))
    return "/oauth/tokens" in url or bool(given and url.startswith(given))


def _of_status(status: int) -> str | None:
    """The remedy for a status, whoever answers it; None if that depends."""
    if status in LATER:
        return _ANOTHER_TIME
    return "look into its log, and try again" if status >= 500 else None


def _of_connection(error: BaseException, _name: str, _: Mapping[str, object]) -> str | None:
    """The cause and remedy of an error of sockets, TLS or databases."""
    match error:
        case ConnectionRefusedError():
            return "the connection was refused: is it running, and are host and port right?"
        case socket.gaierror():
            return "the host is not known: check its name, and that this machine can resolve it"
        case TimeoutError():
            return (
                "it did not answer in time: is it running, and does a firewall let it be reached?"
            )
        case ssl.SSLError():
            return _of_tls(error)
        case sqlite3.OperationalError():
            return f"{error}: check the path, and that it can be written"
    if isinstance(error, BROKEN):
        return "the connection broke off: try again, and look into its log, and at proxies"
    return None


def _of_tls(error: ssl.SSLError) -> str:
    if error.reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return "it does not speak TLS: write http:// in the property uri, or another port"
    if error.reason == "CERTIFICATE_VERIFY_FAILED":
        return (
            f"its certificate is not trusted ({getattr(error, 'verify_message', '')}): name the "
            "file of its authority in REQUESTS_CA_BUNDLE"
        )
    return f"TLS failed ({error.reason}): check the property uri, and proxies"


def _of_name(error: BaseException, _name: str, _: Mapping[str, object]) -> str | None:
    kind = type(error).__name__
    if getattr(error, "title", "") == "TokenResponse":
        return f"the answer of its OAuth server has no token: {_OF_TOKENS}"
    if "Timeout" in kind:
        return "it did not answer in time: is it running, and does a firewall let it be reached?"
    return _BY_NAME.get(kind)


def lost_metadata(error: FileMissing, storage: Storage, location: str) -> TableError:
    """The error of a metadata file that does not exist, which some stores also report for keys that
    they do not know."""
    told = told_credentials(storage, location)
    where = f"; if it is so for all tables, check endpoint, bucket and credentials: {told}"
    return UnreadableMetadata(f"the metadata file cannot be read: {error}{where if told else ''}")
