"""Why a catalog failed, in words: cause and remedy.

Every kind of catalog raises what its client raises, wrapped more or less. Of what a client says
nothing is quoted but a status, a reason code, or a text that is known to hold neither credentials
nor queries.
"""

from __future__ import annotations

import re
import socket
import sqlite3
import ssl
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from collectors.addresses import address_shown
from collectors.tables.catalog_variables import variable

TYPES = ("rest", "hive", "glue", "dynamodb", "sql", "in-memory", "bigquery")
"""Those of PyIceberg 0.12."""
_EXTRAS = ("glue", "hive")
"""Ours of the same name."""

_EXTRA = re.compile(r"pyiceberg\[(?P<name>[\w-]+)\]")
_NO_IMPORT = re.compile(r"Could not initialize Catalog: (?P<name>[\w.]+)")
_NO_TYPE = re.compile(r"'(?P<name>[^']*)' is not a valid CatalogType")

_STATUS = {
    401: "401 (not authenticated)",
    403: "403 (forbidden)",
    404: "404 (not found)",
}
_BY_HTTP = ("uri", "oauth2-server-uri")
_BY_NAME = {
    "NoCredentialsError": "there are no AWS credentials: set AWS_PROFILE or AWS_ACCESS_KEY_ID and "
    "AWS_SECRET_ACCESS_KEY, or run where a role has them",
    "NoRegionError": "no AWS region is set: set AWS_REGION, or the property glue.region",
    "TTransportException": "the connection failed: is it running, and are host and port right?",
    "EndpointConnectionError": "the connection failed: is it running, and are host and port right?",
    "ArgumentError": "the property uri is no address of a database: write "
    "sqlite:////path/catalog.db or postgresql+psycopg2://host/database",
    "JSONDecodeError": "its answer is not that of a REST catalog: check the property uri",
    "ValidationError": "its answer is not that of a REST catalog: check the property uri",
}
"""What the classes of errors of clients mean that need not be installed."""


def why_catalog_failed(error: BaseException, name: str, properties: Mapping[str, object]) -> str:
    """The cause of an error that a catalog of this name and these properties raised, and what to do
    about it."""
    chain = list(_chain(error))
    for explain in (_of_setting, _of_answer, _of_connection, _of_name):
        for one in chain:
            told = explain(one, name, properties)
            if told is not None:
                return told
    return f"{type(error).__name__}: check its type, uri and credentials in the configuration"


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was raised for, the outermost first."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


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
    """Which of the addresses that are asked by HTTP cannot be, and what to write."""
    given = ((key, str(properties[key])) for key in _BY_HTTP if key in properties)
    wrong = [(key, uri) for key, uri in given if not uri.startswith(("http://", "https://"))]
    key, uri = wrong[0] if wrong else ("uri", "")
    written = None if "://" in uri else address_shown(f"https://{uri}")
    return f"the property {key} has no scheme: write {written or 'https://host'}"


def _types() -> str:
    return ", ".join(TYPES)


def _of_answer(error: BaseException, name: str, _: Mapping[str, object]) -> str | None:
    """What an HTTP status means, or the error code of an AWS service."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        code = response.get("Error", {}).get("Code", "")
        return f"AWS answered {code}: check credentials, region and rights"
    status = getattr(response, "status_code", None)
    if not isinstance(status, int):
        return None
    answered = f"answered {_STATUS.get(status, status)}"
    url = str(getattr(response, "url", ""))
    if "/oauth/tokens" in url:
        shown = address_shown(url)
        server = "its OAuth server" if shown is None else f"its OAuth server {shown}"
        return f"{server} {answered}: check the properties credential, scope and oauth2-server-uri"
    match status:
        case 401:
            advice = (
                f"check the credential or token, in {variable(name, 'credential')} or "
                f"{variable(name, 'token')}"
            )
        case 403:
            advice = "ask for the right to use it"
        case 404:
            advice = "check the path of the property uri"
        case _ if status >= 500:
            advice = "look into its log, and try again"
        case _:
            advice = "check the property uri"
    return f"{answered}: {advice}"


def _of_connection(error: BaseException, _name: str, _: Mapping[str, object]) -> str | None:
    """What sockets, TLS and databases say."""
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
    if "Timeout" in kind:
        return "it did not answer in time: is it running, and does a firewall let it be reached?"
    return _BY_NAME.get(kind)
