"""Names of dialects, engines and time zones as people write them: messages for unknown ones, with
suggestions."""

from __future__ import annotations

from difflib import get_close_matches

from prunescope.audit_jobs.suggestions import suggestion, zone_suggestion
from prunescope.collectors.predicates.instants import parse_zone
from prunescope.collectors.sql.dialects import DIALECTS, READ_DIALECTS, dialect_named_by

_DIALECTS = tuple(dict.fromkeys((*DIALECTS, *sorted(READ_DIALECTS))))
"""Names of dialects, those first that prunescope knows facts of."""


def unknown_dialect(name: str) -> str | None:
    """The message for an unknown name of a dialect; None for one that sqlglot has."""
    if name.strip().lower() in READ_DIALECTS:
        return None
    return f"{name!r} is no dialect; {suggestion(name.lower(), _DIALECTS)}"


def unknown_engine(name: str, has_dialect: bool) -> str | None:
    """The message for an unknown name of an engine; None for one whose planner or dialect is known,
    and for any but a misspelt name if its dialect is given."""
    from prunescope.collectors.sql.planners.registry import ENGINES  # noqa: PLC0415  # not always needed

    if name.strip().lower() in ENGINES or dialect_named_by(name) is not None:
        return None
    if has_dialect and not get_close_matches(name.lower(), ENGINES, 1, 0.8):
        return None
    close = suggestion(name.lower(), dict.fromkeys((*ENGINES, *_DIALECTS)))
    return f"{name!r} is no engine whose dialect is known; {close}"


def unknown_zone(name: str) -> str | None:
    """The message for an unknown name of a time zone; None for one of IANA's, or an offset."""
    if parse_zone(name) is not None:
        return None
    return f"{name!r} is no time zone; {zone_suggestion(name, 'Europe/Berlin or +02:00')}"
