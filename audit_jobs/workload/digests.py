"""What tells inputs apart."""

from __future__ import annotations

import hashlib

from collectors.observed import ObservedQuery

_DIGITS = 16


def digest(*identity: object) -> str:
    """Hexadecimal digits that are the same for the same identity in every run, and for no other."""
    return hashlib.sha256(repr(identity).encode(errors="surrogatepass")).hexdigest()[:_DIGITS]


def query_key(query: ObservedQuery) -> str:
    """The key of a query: the same for one that is there again."""
    return digest(query.source, query.query_id, query.sql, query.started_at)
