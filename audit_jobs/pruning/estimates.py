"""Estimates from a random sample of files."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

_Z = 1.959964  # of the normal distribution, for 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """An estimated share, None where nothing was sampled, and its 95 % interval."""

    value: float | None
    low: float
    high: float


def share_of_rest(
    kept: float, considered: float, squares: float, *, read: int, unread: int
) -> Share:
    """The share that is kept in `unread` files, from as random a sample of `read` files.

    `kept` of `considered` units (row groups, bytes, …) are kept in the sample; `squares` is the
    sum over its files of the squared number of units. Units of one file may be kept or pruned
    together, so files, not units, are what was drawn: the sample counts as the number of equally
    large files that weigh as much (Kish's effective size). The interval holds the shares of the
    rest that a score test does not tell from that of the sample (a prediction interval after
    Krishnamoorthy and Peng, 2011): it does not collapse where all or nothing is kept.
    """
    if considered <= 0 or squares <= 0:
        return Share(None, 0.0, 1.0)
    value = kept / considered
    effective = considered**2 / squares
    rest = unread * effective / read
    # (value - y)**2 = c * P * (1 - P), where P pools the sample with a rest of share y.
    c = _Z**2 * (effective + rest) / (effective * rest)
    pooled, weight = effective * value / (effective + rest), rest / (effective + rest)
    square = 1 + c * weight**2
    linear = value + c * weight * (1 - 2 * pooled) / 2
    constant = value**2 - c * pooled * (1 - pooled)
    half = sqrt(max(0.0, linear**2 - square * constant))
    return Share(
        value, max(0.0, min(value, (linear - half) / square)), min(1.0, (linear + half) / square)
    )
