"""Standard output and standard error as they are found: of any encoding, and full or closed."""

from __future__ import annotations

import codecs
import json
import os
import select
import sys

_ESCAPES = "prunescope.escapes"


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


codecs.register_error(_ESCAPES, _escaped)


def print_in_any_encoding() -> None:
    """Prints characters that the encoding of a stream lacks as JSON escapes them, so that JSON
    stays valid."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_ESCAPES)


def is_read_by_nobody() -> bool:
    """True if standard output has no reader any more, as with `| head`."""
    asked = select.poll()
    asked.register(sys.stdout)
    return any(event & select.POLLERR for _, event in asked.poll(0))


def why_not_written() -> str | None:
    """The reason why standard output cannot be written; None if an empty line can be, and earlier
    failures are forgotten. After a failure nothing is written there, because it would fail once
    more when Python ends."""
    try:
        print(flush=True)  # noqa: T201  # not by click, which is what failed
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return error.strerror or type(error).__name__
    return None
