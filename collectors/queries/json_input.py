"""JSON as query logs hold it: one object per line, in which any field can be of any type."""

from __future__ import annotations

import json
import re
from decimal import Decimal

from prunescope.collectors.errors import QueryError
from prunescope.collectors.outcomes import Outcome
from prunescope.collectors.queries.json_structure import MAX_VALUES, has_too_many_values

_ID = re.compile(r"[\w.:/@#$+~-]+=*")


class UnreadableInput(QueryError):
    """An input that is not a query that can be read. `code` is the reason of its Rejected; the
    message names fields and positions, never content."""

    def __init__(self, code: Outcome, message: str) -> None:
        super().__init__(message)
        self.code = code


def decode_object(line: str | bytes, *, not_an_object: Outcome) -> dict[str, object]:
    """The JSON object that `line` holds, itself or as a JSON string.

    Raises UnreadableInput as `decode_json`, and with the code `not_an_object` for other JSON.
    """
    value = decode_json(line)
    if isinstance(value, str) and value.lstrip().startswith("{"):
        value = decode_json(value)
    if not isinstance(value, dict):
        raise UnreadableInput(
            not_an_object, "The line is JSON but not an object. Write one JSON object per line."
        )
    return value


def decode_json(line: str | bytes) -> object:
    """The JSON value of `line`. Fractional numbers become Decimal: a query parameter must not lose
    digits.

    Raises UnreadableInput with the code `malformed_json`, or `too_many_values` for a text that
    would take too much memory.
    """
    if has_too_many_values(line if isinstance(line, bytes) else line.encode(errors="replace")):
        raise UnreadableInput(
            Outcome.TOO_MANY_VALUES,
            f"the line has more than {MAX_VALUES:,} values; no engine writes such a record",
        )
    try:
        return json.loads(line, parse_float=Decimal)
    except json.JSONDecodeError as error:
        raise _malformed_json(f"syntax error at character {error.pos}") from None
    except UnicodeDecodeError as error:
        raise _malformed_json(f"undecodable text at byte {error.start}") from None
    except RecursionError:
        raise _malformed_json("is nested too deeply") from None
    except (ValueError, ArithmeticError):
        raise _malformed_json("has a number that is too long") from None


def is_unicode(value: str) -> bool:
    """False for strings with lone surrogates, which JSON can escape and no UTF-8 column can
    hold."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def text(value: object) -> str | None:
    """`value` itself if it is Unicode text and not blank, else None."""
    if isinstance(value, str) and value.strip() and is_unicode(value):
        return value
    return None


def identifier(value: object) -> str | None:
    """`value` as an id, else None: ids are shown, and texts of queries, which a log may have in
    their place, are not."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    found = text(value)
    return None if found is None or _ID.fullmatch(found) is None else found


def required_text(value: object, field: str, *, absent: Outcome, malformed: Outcome) -> str:
    """`value` as text. Raises UnreadableInput, naming `field`, with the code `absent` for null
    and blank values and `malformed` for anything else that is not text."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise UnreadableInput(
            absent, f"Field {field!r} is missing or empty. Check that the log source writes it."
        )
    found = text(value)
    if found is None:
        raise UnreadableInput(
            malformed, f"field {field!r} is not valid text; check what writes the log"
        )
    return found


def _malformed_json(problem: str) -> UnreadableInput:
    return UnreadableInput(
        Outcome.MALFORMED_JSON,
        f"Invalid JSON: {problem}. Each line must be one complete JSON object. Check that the log "
        f"is not truncated or reformatted.",
    )
