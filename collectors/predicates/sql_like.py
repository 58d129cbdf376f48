"""LIKE patterns."""

from __future__ import annotations

from collectors.predicates.model import Reason
from collectors.predicates.sql_session import SPARK_FAMILY, TRINO_FAMILY
from collectors.predicates.sql_values import CannotConvert


def split_pattern(pattern: str, escape: str | None, dialect: str) -> tuple[str, str]:
    """The literal text before the first wildcard of a LIKE pattern, and the rest from there.

    `escape` is that of an ESCAPE clause, "" for none in effect. Without the clause Trino has no
    escape character and Spark has the backslash; elsewhere a backslash is not read. Raises
    CannotConvert (LIKE_PATTERN) for that, and for an escape of anything but a wildcard or
    itself, which is an error in the engines.
    """
    if escape is None:
        escape = "" if dialect in TRINO_FAMILY else "\\"
        if dialect not in TRINO_FAMILY | SPARK_FAMILY and "\\" in pattern:
            raise CannotConvert(Reason.LIKE_PATTERN)
    prefix = ""
    characters = iter(enumerate(pattern))
    for index, character in characters:
        if character == escape:
            _, escaped = next(characters, (index, ""))
            if escaped not in ("%", "_", escape):
                raise CannotConvert(Reason.LIKE_PATTERN)
            prefix += escaped
        elif character in "%_":
            return prefix, pattern[index:]
        else:
            prefix += character
    return prefix, ""
