"""Authorisation to post."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Mapping, Sequence

from prunescope.audit_jobs.receiver.limits import Refused


def check_caller(headers: Mapping[str, str], tokens: Sequence[bytes]) -> None:
    """Requires one of the bearer tokens. Without tokens, requires a request of this machine that no
    page in a browser can have sent: a page sends its origin, and its own host name if that resolves
    to this machine. Raises Refused."""
    if tokens:
        if not _has_token(headers.get("authorization", ""), tokens):
            raise Refused("unauthorized")
    elif "origin" in headers or not is_loopback(_host(headers.get("host", ""))):
        raise Refused("not_local")


def is_loopback(host: str) -> bool:
    """True if a name or an address is always this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _has_token(header: str, tokens: Sequence[bytes]) -> bool:
    scheme, _, given = header.partition(" ")
    # All are compared, so that the time tells nothing.
    matches = [hmac.compare_digest(given.strip().encode(), token) for token in tokens]
    return scheme.lower() == "bearer" and any(matches)


def _host(header: str) -> str:
    """The name or address in a Host header, without its port and the brackets of an address."""
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]
