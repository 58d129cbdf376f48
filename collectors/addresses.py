"""The parts of a configured address that are safe to show.

People write addresses in many forms, and in each of them a password stands elsewhere: before the
host, in a query, behind a semicolon, among words of a DSN. So only parts that are known to be
harmless are shown, and an address of any other form is not shown at all.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

_HOST = r"(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d+)?"
_ADDRESS = re.compile(
    rf"(?P<scheme>[A-Za-z][\w+.-]*://)(?:[^\s/?#@;]*@)?(?P<hosts>(?:{_HOST}(?:,{_HOST})*)?)"
    r"(?P<path>(?:/[^\s?#@;]*)?)(?:\?[^\s#@;]*)?"
)
"""Matches an address by RFC 3986, with several hosts as drivers of databases take them."""
_PATH = re.compile(r"[\w.~+/-]*")
_NEXT = re.compile(r",(?=\w+://)")
"""Between several addresses, as a Hive metastore may have them."""
_DOT = re.compile(r"%(?:25)*2e", re.IGNORECASE)
_SLASH = re.compile(r"/|\\|%(?:25)*(?:2f|5c)", re.IGNORECASE)


def address_shown(address: object) -> str | None:
    """Scheme, host, port and path of a well-formed address, or of several; None for an address of
    another form, in which a password could stand anywhere."""
    parts = [_harmless(part) for part in _NEXT.split(str(address))]
    return None if None in parts else ",".join(filter(None, parts))


def _harmless(address: str) -> str | None:
    found = _ADDRESS.fullmatch(address)
    if found is None or _PATH.fullmatch(unquote(found["path"])) is None:
        return None
    return f"{found['scheme']}{found['hosts']}{found['path']}"


def leads_elsewhere(name: str) -> bool:
    """True if a part of a table's name would lead to another address when a catalog is asked for
    it: an empty part, a dot segment (RFC 3986, 5.2.4) in any spelling, also between slashes, or a
    part with an unprintable character, such as the separator of namespaces (0x1F)."""
    segments = _SLASH.split(_DOT.sub(".", name))
    is_step = any(segment.strip() in (".", "..") for segment in segments)
    is_seen = name.isprintable() and "%1f" not in name.lower()
    return is_step or not is_seen or not name.strip()
