"""Texts in the order of their code points, which is that of their UTF-8."""

from __future__ import annotations

import sys


def after_all_of(prefix: str) -> str | None:
    """The least text after all texts with a prefix; None if there is none."""
    text = prefix.rstrip(chr(sys.maxunicode))
    if not text:
        return None
    following = ord(text[-1]) + 1
    is_surrogate = 0xD800 <= following < 0xE000
    return text[:-1] + chr(0xE000 if is_surrogate else following)
