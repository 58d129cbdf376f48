"""Shares and counts as text that is short, since a report has some hundred thousand of them."""

from __future__ import annotations

from collections.abc import Iterable

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""The digits of base64url; the report's script has the same."""
_BASE = len(DIGITS)
STEPS = _BASE * _BASE - 1
"""Steps of a share: a plot has fewer pixels."""
_BITS = 18
"""The bits of a count, which are three digits: enough for what is shown, and exact below
262,144."""


def pack(shares: Iterable[float]) -> str:
    """Shares, 0 to 1, as two digits each, rounded to 1/STEPS; others are clamped."""
    return "".join(_digits(round(min(max(share, 0.0), 1.0) * STEPS)) for share in shares)


def pack_counts(counts: Iterable[int]) -> str:
    """Packs each count into four digits: three for its first bits, one for the number of further
    bits."""
    return "".join(_count_digits(max(count, 0)) for count in counts)


def _count_digits(count: int) -> str:
    more = max(count.bit_length() - _BITS, 0)
    high, low = divmod(count >> more, _BASE)
    return _digits(high) + DIGITS[low] + DIGITS[min(more, _BASE - 1)]


def _digits(step: int) -> str:
    high, low = divmod(step, _BASE)
    return DIGITS[high] + DIGITS[low]
