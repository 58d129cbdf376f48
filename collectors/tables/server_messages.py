"""Messages of a catalog's server about a request that it refused, without possible credentials.

Servers repeat what they were sent: tokens, headers, signed addresses, texts to sign. So configured
values are removed, except those that name a catalog, and so are words that look made by a machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from prunescope.collectors.safe_text import without_credentials

_LONGEST = 300
_TYPE = re.compile(r"[A-Za-z][\w.$]{0,99}")
_AUTHORIZATION = re.compile(r"\b(bearer|basic|authorization:?)\s+\S+", re.IGNORECASE)
_MADE = re.compile(r"(?=[^\s'\"]*\d)(?=[^\s'\"]*[A-Za-z])[\w+/=.~%-]{20,}")
_HARMLESS = frozenset({"uri", "warehouse", "prefix"})
_SHORTEST = 6
"""Characters of a configured value that is no word of everybody's."""
_NOT_TOLD = "…"


def said_by(error: BaseException, properties: Mapping[str, object]) -> str | None:
    """Type and message of the error in an answer of the REST protocol (`ErrorModel`), or the
    message in one of an AWS service; None if the error was raised for neither. `properties` are
    those of the catalog."""
    response = getattr(error, "response", None)
    if isinstance(response, dict):
        return _harmless(_text(response.get("Error"), "Message"), properties) or None
    found = _error_model(response)
    kind, message = _text(found, "type"), _harmless(_text(found, "message"), properties)
    return ": ".join(filter(None, (kind if _TYPE.fullmatch(kind) else "", message))) or None


def _error_model(response: Any) -> object:
    try:
        document = response.json()
    except (AttributeError, ValueError, RecursionError):
        return None
    return document.get("error") if isinstance(document, dict) else None


def _text(found: object, name: str) -> str:
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, str) else ""


def _harmless(message: str, properties: Mapping[str, object]) -> str:
    """The first line of a message, cut if it is too long, without possible credentials."""
    line = message.strip().partition("\n")[0][: 2 * _LONGEST]
    line = _AUTHORIZATION.sub(rf"\1 {_NOT_TOLD}", without_credentials(line))
    for value in sorted(_configured(properties), key=len, reverse=True):
        line = line.replace(value, _NOT_TOLD)
    line = _MADE.sub(_NOT_TOLD, line)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]} {_NOT_TOLD}"


def _configured(properties: Mapping[str, object]) -> Iterator[str]:
    """The values of properties, and the parts of a `client:secret`."""
    for key, value in properties.items():
        if key not in _HARMLESS:
            whole = str(value)
            yield from (part for part in {whole, *whole.split(":")} if len(part) >= _SHORTEST)
