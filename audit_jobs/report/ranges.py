"""Ranges of files as text that is short, since a report has some hundred thousand of them."""

from __future__ import annotations

from collections.abc import Iterable

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""Those of base64url; the report's script has the same."""
_BASE = len(DIGITS)
STEPS = _BASE * _BASE - 1
"""Steps of a share: a plot has fewer pixels."""


def pack(shares: Iterable[float]) -> str:
    """Shares, 0 to 1, as two digits each, rounded to 1/STEPS; others are clamped."""
    return "".join(_digits(round(min(max(share, 0.0), 1.0) * STEPS)) for share in shares)


def _digits(step: int) -> str:
    high, low = divmod(step, _BASE)
    return DIGITS[high] + DIGITS[low]
