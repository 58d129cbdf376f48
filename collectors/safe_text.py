"""Foreign text, made safe to print and to log.

Names, paths and messages come from tables, logs and services, and anybody may have written them. A
terminal obeys control characters (ECMA-48), a reader believes text that bidirectional controls
reorder (Unicode TR 36), and every line end adds a line to a log.
"""

from __future__ import annotations

import json
import re
from typing import Any

_BIDIRECTIONAL = [0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_LINE_ENDS = [0x0A, 0x2028, 0x2029]
_UNSEEN = [0x00AD, 0x200B, 0x2060, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB]
_SURROGATES = range(0xD800, 0xE000)  # cannot be encoded at all
_CONTROLS = [*range(0x20), *range(0x7F, 0xA0)]  # ESC is among C0, CSI among C1

_ONE_LINE = {
    code: f"\\u{code:04x}"
    for code in (*_CONTROLS, *_BIDIRECTIONAL, *_LINE_ENDS, *_UNSEEN, *_SURROGATES)
}
_LINES = {code: text for code, text in _ONE_LINE.items() if chr(code) not in "\n\t"}


# Every message is stored with each query that it is the outcome of, and paths have no limit.
_LONGEST = 2_000

# A password may hold slashes, and @ as well; what looks like one behind `host:8080/` is none.
_USER = re.compile(r"://(?P<user>(?:[^\s/@:]*:(?!\d+/)[^\s@]*@|[^/\s@]*@)(?:[^/\s@]*@)*)")
# Here what is before the host is the name of a container.
_AZURE = ("abfs", "abfss", "wasb", "wasbs")
_SIGNATURE = re.compile(r"(?P<address>://[^\s?'\"]*)\?[^\s'\"=]+=[^\s'\"]*")


def without_credentials(text: str) -> str:
    """A text in which no address has a user or a password before its host (`s3://KEY:SECRET@b`),
    nor a query behind its path, where signed addresses have their signature."""
    if "://" not in text:
        return text
    return _SIGNATURE.sub(r"\g<address>", _USER.sub(_without_user, text))


def _without_user(found: re.Match[str]) -> str:
    is_container = ":" not in found["user"] and found.string[: found.start()].endswith(_AZURE)
    return found[0] if is_container else "://"


def one_message(text: str) -> str:
    """A text as messages have it: on one line, without credentials, and of no more than some 2,000
    characters."""
    # Looking for addresses takes the square of a text that is made for it: that is cut first.
    return plain(_cut(without_credentials(_cut(text, 4 * _LONGEST)), _LONGEST))


def _cut(text: str, longest: int) -> str:
    """A text, without its middle if it is too long."""
    half = longest // 2
    return text if len(text) <= longest else f"{text[:half]} […] {text[-half:]}"


def plain(text: str) -> str:
    """A text on one line, in which whatever a terminal or a reader could be misled by stands as
    it is written in JSON: `\\u001b`."""
    return text if text.isascii() and text.isprintable() else text.translate(_ONE_LINE)


def plain_lines(text: str) -> str:
    """Makes a text safe as `plain` does, but keeps line ends and tabs."""
    return text.translate(_LINES)


def plain_json(document: Any, *, indent: int | None = None) -> str:
    """JSON that is safe to print, and reads back as the same document."""
    return plain_lines(json.dumps(document, ensure_ascii=False, indent=indent, default=str))
